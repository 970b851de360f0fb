/* Prints sections of named values. See properties.h. */
#include "cli/shared/output/properties.h"

#include "cli/shared/output/terminal.h"
#include "foundation/memory.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SECTION, NAME, VALUE };

void shk_property(struct shk_properties *properties, const char *name, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *const text = shk_print_arguments(format, arguments);
  va_end(arguments);
  if (properties->table.column_count == 0)
    shk_columns(&properties->table, "section|name|value");
  shk_table_add(&properties->table, (const char *const[]){properties->section, name, text});
  free(text);
}

#define SHK_FEATURE(feature, word, heading, has) [__builtin_ctz(feature)] = (heading),
const char *const shk_feature_titles[] = {
#include <shakedown/features.def>
    [SHK_FEATURE_COUNT] = NULL};
#undef SHK_FEATURE

#define SHK_UNDECIDABLE(reason, text) [__builtin_ctz(reason)] = (text),
static const char *const undecidable_texts[] = {
#include <shakedown/undecidable.def>
    NULL};
#undef SHK_UNDECIDABLE

void shk_property_bits(struct shk_properties *properties, const char *name, unsigned bits,
                       const char *const *words, const char *none)
{
  char *text = NULL;
  for (int i = 0; words[i]; i++)
    if (bits & 1u << i)
      shk_append_text(&text, "%s%s", text ? "\n" : "", words[i]);
  shk_property(properties, name, "%s", text ? text : none);
  free(text);
}

void shk_property_inspection(struct shk_properties *properties, const struct shk_inspection *is)
{
  shk_property(properties, "coordinates", "%d", is->n);
  shk_property(properties, "constraints", "%d", is->m);
  shk_property_bits(properties, "features", is->features, shk_feature_titles,
                    "H = 1/2 pᵀM⁻¹p + V(q), constraints g(q) = 0");
  shk_property(properties, "initial time", "%.17g", is->initial_time);
  shk_property(properties, "time scale", "%.6g", is->time_scale);
  shk_property(properties, "horizon", "%.6g", is->horizon);
  shk_property(properties, "exact solution", "%s", is->exact ? "known" : "not known");
  for (int i = 0; i < is->invariant_count; i++)
    shk_property(properties, "invariant", "%s", is->invariant_names[i]);
  shk_property_bits(properties, "cannot decide", is->undecidable, undecidable_texts,
                    "nothing, as far as is known");
  if (is->note[0] != '\0')
    shk_property(properties, "note", "%s", is->note);
}

/* Returns the length of the longest name in the section that begins at this row. */
static int name_width(const struct shk_table *table, int row)
{
  const char *section = table->rows[row][SECTION];
  int width = 0;
  for (; row < table->row_count && strcmp(table->rows[row][SECTION], section) == 0; row++) {
    const int length = (int)strlen(table->rows[row][NAME]);
    width = length > width ? length : width;
  }
  return width;
}

void shk_properties_print(struct shk_properties *properties, enum shk_format format)
{
  struct shk_table *const table = &properties->table;
  const char *section = "";
  int width = 0;
  if (format != SHK_FORMAT_TABLE)
    shk_show_table(table, format);
  for (int i = 0; i < table->row_count && format == SHK_FORMAT_TABLE; i++) {
    char *const *row = table->rows[i];
    if (strcmp(section, row[SECTION]) != 0) {
      section = row[SECTION];
      width = name_width(table, i);
      printf("%s%s", i > 0 ? "\n" : "", shk_colour(stdout, SHK_BOLD));
      shk_print_plain(stdout, section);
      printf("%s\n", shk_colour(stdout, SHK_PLAIN));
    }
    printf("  ");
    if (width > 0) {
      shk_print_plain(stdout, row[NAME]);
      printf("%*s", width + 2 - (int)strlen(row[NAME]), "");
    }
    shk_print_lines(stdout, shk_copy_text(row[VALUE]), width > 0 ? width + 4 : 2);
  }
  shk_table_clear(table);
}

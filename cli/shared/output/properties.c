/* Sections of named values. See properties.h. */
#include "cli/shared/output/properties.h"

#include "cli/shared/output/terminal.h"
#include "foundation/memory.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { SECTION, NAME, VALUE };

void shk_property(struct shk_table *table, const char *section, const char *name,
                  const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *const text = shk_print_arguments(format, arguments);
  va_end(arguments);
  if (table->column_count == 0)
    shk_columns(table, "section|name|value");
  shk_table_add(table, (const char *const[]){section, name, text});
  free(text);
}

/* Indents every line of the value except the first by `indent` blanks. */
static void print_lines(const char *value, int indent)
{
  char *copy = shk_copy_text(value), *rest = copy;
  bool first = true;
  for (char *line; (line = strsep(&rest, "\n")) != NULL; first = false) {
    if (!first)
      printf("%*s", indent, "");
    shk_print_plain(stdout, line);
    putchar('\n');
  }
  free(copy);
}

/* Length of the longest name in the section that begins at this row. */
static int name_width(const struct shk_table *table, int row)
{
  const char *section = table->rows[row][SECTION];
  int width = 0;
  for (; row < table->row_count && strcmp(table->rows[row][SECTION], section) == 0; row++) {
    const int length = (int)strlen(table->rows[row][NAME]);
    if (length > width)
      width = length;
  }
  return width;
}

void shk_properties_print(const struct shk_table *table, enum shk_format format)
{
  if (format != SHK_FORMAT_TABLE) {
    shk_show_table(table, format);
    return;
  }
  const char *section = "";
  int width = 0;
  for (int i = 0; i < table->row_count; i++) {
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
    print_lines(row[VALUE] ? row[VALUE] : "", width > 0 ? width + 4 : 2);
  }
}

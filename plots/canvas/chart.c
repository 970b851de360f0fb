/* A figure while it is being written. See chart.h. */
#include "plots/canvas/chart.h"
#include "foundation/files/file.h"
#include "foundation/files/scratch.h"
#include "foundation/memory.h"
#include "plots/canvas/templates.h"
#include "results/export/export.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void shk_chart_begin(struct shk_chart *chart, char *name, const char *template)
{
  *chart = (struct shk_chart){.name = name, .template = template, .width = SHK_COLUMN_WIDTH};
  chart->data = open_memstream(&chart->data_text, &chart->data_size);
  chart->settings = open_memstream(&chart->settings_text, &chart->settings_size);
  if (!chart->data || !chart->settings)
    shk_out_of_memory();
}

void shk_chart_method(struct shk_chart *chart, int number, int style)
{
  const size_t count = (size_t)chart->method_count++;
  chart->methods = shk_grow(chart->methods, count, sizeof *chart->methods);
  chart->styles = shk_grow(chart->styles, count, sizeof *chart->styles);
  chart->methods[count] = number;
  chart->styles[count] = style;
}

/* ---- data ---- */

void shk_chart_say(struct shk_chart *chart, const char *word, const char *text)
{
  char *const safe = shk_data_text(text);
  fprintf(chart->data, "# %s: %s\n", word, safe);
  free(safe);
}

/* Writes a row of NaN to an empty block: gnuplot reports an error for a block without rows. */
static void end_block(struct shk_chart *chart)
{
  if (chart->block_count > 0 && !chart->has_rows)
    SHK_CHART_ROW(chart, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN);
  chart->has_rows = false;
}

int shk_chart_block(struct shk_chart *chart, const char *name, const struct shk_label *label,
                    const char *columns, ...)
{
  va_list arguments;
  end_block(chart);
  va_start(arguments, columns);
  fprintf(chart->data, "%s# [%d] ", chart->block_count > 0 ? "\n\n" : "\n", chart->block_count);
  vfprintf(chart->data, columns, arguments);
  va_end(arguments);
  putc('\n', chart->data);
  shk_print_both(chart->data, name);
  if (label)
    fprintf(chart->data, "\t%s\t", label->plain);
  if (label)
    shk_print_field(chart->data, label->latex);
  putc('\n', chart->data);
  return chart->block_count++;
}

void shk_chart_row(struct shk_chart *chart, const double *values, int count)
{
  chart->has_rows = true;
  shk_print_numbers(chart->data, values, count);
  putc('\n', chart->data);
}

void shk_chart_gap(struct shk_chart *chart)
{
  shk_chart_block(chart, "", NULL, "nothing");
}

void shk_chart_text(struct shk_chart *chart, double x, double y, const char *text)
{
  chart->has_rows = true;
  fprintf(chart->data, "%.9g\t%.9g\t", x, y);
  shk_print_both(chart->data, text);
  putc('\n', chart->data);
}

/* ---- settings ---- */

/* Writes one setting. Several share a line as long as it is short. */
static void set(struct shk_chart *chart, const char *name, const char *value)
{
  enum { LONGEST = 96 };
  const int length = (int)(strlen(name) + strlen(value)) + 5;
  const bool fits = chart->used > 0 && chart->used + length < LONGEST;
  fprintf(chart->settings, "%s%s = %s", fits ? "; " : "\n", name, value);
  chart->used = fits ? chart->used + length : length;
}

void shk_chart_set(struct shk_chart *chart, const char *name, double value)
{
  char text[32];
  snprintf(text, sizeof text, isfinite(value) ? "%.9g" : "NaN", value);
  set(chart, name, text);
}

void shk_list_add(char **list, double value)
{
  char digits[40];
  snprintf(digits, sizeof digits, "%.9g", value);
  const char *const power = strchr(digits, 'e');
  const int head = (int)(power ? power - digits : (long)strlen(digits));
  if (!isfinite(value))
    shk_append_text(list, "%sNaN", *list ? " " : "");
  else /* gnuplot reads "1e-16" as an integer followed by other text */
    shk_append_text(list, "%s%.*s%s%s", *list ? " " : "", head, digits,
                    power && !strchr(digits, '.') ? ".0" : "", digits + head);
}

void shk_chart_set_list(struct shk_chart *chart, const char *name, char *list)
{
  char *text = shk_print_text("'%s'", list ? list : ""), *to = text + 1;
  for (const char *at = text + 1; *at; at++)
    if (strchr("0123456789 .+-eNaN'", *at))
      *to++ = *at;
  *to = '\0';
  set(chart, name, text);
  free(text);
  free(list);
}

void shk_chart_set_nth(struct shk_chart *chart, const char *name, int number, char *list)
{
  char numbered[40];
  snprintf(numbered, sizeof numbered, "%.24s_%d", name, number);
  shk_chart_set_list(chart, numbered, list);
}

void shk_chart_range(struct shk_chart *chart, int number, double low, double high)
{
  char *list = NULL;
  shk_list_add(&list, low);
  shk_list_add(&list, high);
  shk_chart_set_nth(chart, "range", number, list);
}

void shk_chart_set_nth_label(struct shk_chart *chart, const char *name, int number,
                             struct shk_label label)
{
  char numbered[40];
  snprintf(numbered, sizeof numbered, "%.24s_%d", name, number);
  shk_chart_set_label(chart, numbered, label);
}

static char *quoted(const char *text)
{
  char *result = NULL;
  size_t size;
  FILE *const file = open_memstream(&result, &size);
  if (!file)
    shk_out_of_memory();
  shk_print_doubled(file, text, '\'');
  fclose(file);
  return result;
}

void shk_chart_set_label(struct shk_chart *chart, const char *name, struct shk_label label)
{
  char *const plain = quoted(label.plain), *const latex = quoted(label.latex);
  char *const both = shk_print_text("type eq 'tex' ? %s : %s", latex, plain);
  set(chart, name, strcmp(plain, latex) == 0 ? plain : both);
  free(both);
  free(latex);
  free(plain);
}

/* ---- the legend ---- */

void shk_chart_head(struct shk_chart *chart, const char *before, const char *text)
{
  shk_append_text(&chart->head, "%s%s", before, text);
}

void shk_chart_legend(struct shk_chart *chart, int style, const char *name,
                      const struct shk_label *label)
{
  chart->rows = shk_grow(chart->rows, (size_t)chart->row_count, sizeof *chart->rows);
  chart->rows[chart->row_count++] =
      (struct shk_legend_row){style, shk_data_text(name), label ? *label : shk_label_words("")};
}

void shk_chart_note(struct shk_chart *chart, struct shk_label note)
{
  chart->notes = shk_grow(chart->notes, (size_t)chart->note_count, sizeof *chart->notes);
  chart->notes[chart->note_count++] = note;
}

/* ---- files ---- */

void shk_chart_clear(struct shk_chart *chart)
{
  if (chart->data)
    fclose(chart->data);
  if (chart->settings)
    fclose(chart->settings);
  for (int i = 0; i < chart->row_count; i++)
    free(chart->rows[i].name);
  free(chart->rows);
  free(chart->methods);
  free(chart->styles);
  free(chart->head);
  free(chart->notes);
  free(chart->data_text);
  free(chart->settings_text);
  free(chart->title);
  free(chart->name);
  *chart = (struct shk_chart){0};
}

/* Text of the file NAME.gp. */
static char *script_of(const struct shk_chart *chart, const char *type)
{
  const char *const name = chart->name;
  char *styles = NULL;
  for (int i = 0; i < chart->method_count; i++)
    shk_list_add(&styles, chart->styles[i]);
  char *const script = shk_print_text(
      "# Settings of %s.dat: numbers and fixed words. In this folder: gnuplot %s.gp\n"
      "# In another type and width (cm): gnuplot -e \"type='svg'; width=8.8\" %s.gp\n"
      "name = '%s'\n"
      "if (!exists('type')) type = '%s'\n"
      "if (!exists('width')) width = %.3g\n"
      "styles = '%s'%s\n"
      "load 'templates/%s.gp'\n",
      name, name, name, name, type, chart->width, styles ? styles : "", chart->settings_text,
      chart->template);
  free(styles);
  return script;
}

/* Text of the template of a kind, from the other folder if that has one; NULL with the reason. */
static char *template_of(const struct shk_drawn_place *place, const char *kind,
                         struct shk_message *error)
{
  size_t length;
  char *const other = shk_print_text("%s/%s.gp", place->others ? place->others : "", kind);
  char *text = NULL;
  if (place->others && access(other, F_OK) == 0)
    text = shk_read_file(other, 1 << 20, "template", &length, error);
  else
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
      for (int k = 0; strcmp(templates[i].name, kind) == 0 && templates[i].lines[k]; k++)
        shk_append_text(&text, "%s", templates[i].lines[k]);
  free(other);
  return text;
}

/* Copies a template beside the figures. A changed one there is renamed to NAME.gp~ and not used: a
 * template is a program, and it may come from another user. */
static bool copy_template(const struct shk_drawn_place *place, const char *kind,
                          struct shk_message *error)
{
  size_t length;
  struct shk_message none;
  char *const text = template_of(place, kind, error);
  char *const name = shk_print_text("templates/%s.gp", kind);
  char *const path = shk_print_text("%s/%s", place->folder, name);
  char *const kept = shk_print_text("%s~", path);
  char *const there = text ? shk_read_file(path, 1 << 20, "template", &length, &none) : NULL;
  const bool changed = there && strcmp(there, text) != 0;
  if (changed)
    rename(path, kept);
  const bool ok = text && ((there && !changed) ||
                           shk_write_text(place->folder, name, text, strlen(text), error));
  free(there);
  free(kept);
  free(path);
  free(name);
  free(text);
  return ok;
}

static bool write_files(const struct shk_chart *chart, const struct shk_drawn_place *place,
                        const char *script, struct shk_message *error)
{
  static const char *const shared[] = {"style", "tics", "exits", "legend"};
  char *const data = shk_print_text("%s.dat", chart->name);
  char *const folder = shk_print_text("%s/templates", place->folder);
  char *const text = script_of(chart, place->types[0]);
  bool ok = shk_write_text(place->folder, data, chart->data_text, chart->data_size, error) &&
            shk_write_text(place->folder, script, text, strlen(text), error) &&
            shk_make_directory(folder, error) && copy_template(place, chart->template, error);
  for (int i = 0; ok && i < 4; i++)
    ok = copy_template(place, shared[i], error);
  free(text);
  free(folder);
  free(data);
  return ok &&
         (chart->legend != SHK_KEY_IN_CAPTION || shk_caption_write(chart, place->folder, error));
}

bool shk_chart_finish(struct shk_chart *chart, const struct shk_drawn_place *place,
                      struct shk_message *error)
{
  end_block(chart);
  shk_legend_write(chart);
  const bool whole = !ferror(chart->data) && !ferror(chart->settings);
  const bool closed = fclose(chart->data) == 0, settled = fclose(chart->settings) == 0;
  chart->data = chart->settings = NULL;
  char *const script = shk_print_text("%s.gp", chart->name);
  bool ok = whole && closed && settled;
  if (!ok)
    shk_message_set(error, "no memory for the data of figure %s", chart->name);
  ok = ok && write_files(chart, place, script, error);
  for (int i = 0; ok && place->types[i]; i++)
    ok = shk_run_gnuplot(place->folder, script, place->types[i], error) &&
         (strcmp(place->types[i], "svg") != 0 || shk_svg_finish(chart, place->folder, error));
  free(script);
  shk_chart_clear(chart);
  return ok;
}

/* ---- one figure alone ---- */

bool shk_chart_finish_file(struct shk_chart *chart, const char *file, const char *type,
                           struct shk_message *error)
{
  const char *const types[] = {type, NULL};
  char *const folder = shk_scratch_make();
  char *const drawn = shk_print_text("%s/%s.%s", folder ? folder : "", chart->name, type);
  const struct shk_drawn_place place = {.folder = folder, .types = types};
  bool ok = folder != NULL;
  if (ok)
    ok = shk_chart_finish(chart, &place, error) && shk_copy_file(drawn, file, error);
  else
    shk_message_set(error, "cannot make a folder for temporary files below TMPDIR or /tmp");
  shk_scratch_remove(folder);
  free(drawn);
  free(folder);
  return ok;
}

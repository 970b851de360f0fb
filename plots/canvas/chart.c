/* A figure while it is being written. See chart.h. */
#include "plots/canvas/chart.h"
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "plots/canvas/styles.h"
#include "plots/canvas/templates.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void shk_chart_begin(struct shk_chart *chart, char *name, const char *template)
{
  *chart = (struct shk_chart){.name = name, .template = template, .width = 8.6};
  chart->data = open_memstream(&chart->data_text, &chart->data_size);
  if (!chart->data)
    shk_out_of_memory();
}

void shk_chart_method(struct shk_chart *chart, int number, int style)
{
  int count = chart->method_count;
  *SHK_APPEND(chart->methods, count) = number;
  *SHK_APPEND(chart->styles, chart->method_count) = style;
}

/* ---- data ---- */

/* Ends a block of data. An empty one gets a row, without which gnuplot reports an error. */
static void end_block(struct shk_chart *chart)
{
  if (chart->block_count > 0 && !chart->has_rows)
    fputs("NaN\tNaN\tNaN\tNaN\tNaN\tNaN\n", chart->data);
  chart->has_rows = false;
}

int shk_chart_block(struct shk_chart *chart, const char *name, const char *columns, ...)
{
  va_list arguments;
  end_block(chart);
  va_start(arguments, columns);
  char *const text = shk_print_arguments(columns, arguments), *const safe = shk_data_text(text);
  va_end(arguments);
  fprintf(chart->data, "%s# [%d] %s\n", chart->block_count > 0 ? "\n\n" : "\n", chart->block_count,
          safe);
  free(safe);
  free(text);
  shk_print_both(chart->data, name);
  putc('\n', chart->data);
  return chart->block_count++;
}

void shk_chart_row(struct shk_chart *chart, const double *values, int count)
{
  chart->has_rows = true;
  for (int i = 0; i < count; i++) {
    fputs(i > 0 ? "\t" : "", chart->data);
    if (isfinite(values[i]))
      fprintf(chart->data, "%.9g", values[i]);
    else
      fputs("NaN", chart->data);
  }
  putc('\n', chart->data);
}

void shk_chart_text(struct shk_chart *chart, double x, const char *text)
{
  chart->has_rows = true;
  fprintf(chart->data, isfinite(x) ? "%.0f\t" : "NaN\t", x);
  shk_print_both(chart->data, text);
  putc('\n', chart->data);
}

/* ---- settings ---- */

/* Returns the setting of this name, and adds it if there is none. */
static struct shk_setting *setting_named(struct shk_chart *chart, const char *name)
{
  for (int i = 0; i < chart->setting_count; i++)
    if (strcmp(chart->settings[i].name, name) == 0)
      return &chart->settings[i];
  struct shk_setting *const setting = SHK_APPEND(chart->settings, chart->setting_count);
  *setting = (struct shk_setting){.name = shk_copy_text(name)};
  return setting;
}

/* Appends a number; 1e-16 as "1.0e-16", since gnuplot reads "1e-16" as an integer and text. */
static void append_number(char **text, double value)
{
  char digits[40];
  snprintf(digits, sizeof digits, "%.9g", value);
  char *const power = strchr(digits, 'e');
  if (!isfinite(value))
    shk_append_text(text, "NaN");
  else if (power && !strchr(digits, '.'))
    shk_append_text(text, "%.*s.0%s", (int)(power - digits), digits, power);
  else
    shk_append_text(text, "%s", digits);
}

void shk_chart_set(struct shk_chart *chart, const char *name, double value)
{
  struct shk_setting *const setting = setting_named(chart, name);
  free(setting->value);
  setting->value = NULL;
  append_number(&setting->value, value);
}

void shk_chart_list(struct shk_chart *chart, const char *name, int number, double value)
{
  char full[40];
  snprintf(full, sizeof full, number > 0 ? "%.24s_%d" : "%.24s", name, number);
  struct shk_setting *const setting = setting_named(chart, full);
  setting->list = true;
  shk_append_text(&setting->value, setting->value ? " " : "");
  append_number(&setting->value, value);
}

static void append_quoted(char **text, const char *words)
{
  shk_append_text(text, "'");
  for (; *words; words++)
    shk_append_text(text, "%s%c", *words == '\'' ? "'" : "", *words);
  shk_append_text(text, "'");
}

void shk_chart_words(struct shk_chart *chart, const char *name, const char *plain,
                     const char *latex)
{
  char **const value = &setting_named(chart, name)->value;
  if (strcmp(plain, latex) != 0) {
    shk_append_text(value, "type eq 'tex' ? ");
    append_quoted(value, latex);
    shk_append_text(value, " : ");
  }
  append_quoted(value, plain);
}

/* Returns the text of NAME.gp. Several settings share a line as long as it is short. */
static char *script_of(const struct shk_chart *chart, const char *type)
{
  enum { LONGEST = 96 };
  const char *const name = chart->name;
  size_t used = LONGEST;
  char *script = shk_print_text(
      "# Settings of %s.dat: numbers and fixed words. In this folder: gnuplot %s.gp\n"
      "# In another type and width (cm): gnuplot -e \"type='svg'; width=8.8\" %s.gp\n"
      "name = '%s'\n"
      "if (!exists('type')) type = '%s'\n"
      "if (!exists('width')) width = %.3g\n"
      "styles = '",
      name, name, name, name, type, chart->width);
  for (int i = 0; i < chart->method_count; i++)
    shk_append_text(&script, "%s%d", i > 0 ? " " : "", chart->styles[i]);
  shk_append_text(&script, "'");
  for (int i = 0; i < chart->setting_count; i++) {
    const struct shk_setting *const setting = &chart->settings[i];
    const char *const quote = setting->list ? "'" : "";
    const size_t length = strlen(setting->name) + strlen(setting->value) + 5;
    const bool fits = used + length < LONGEST;
    used = fits ? used + length : length;
    shk_append_text(&script, "%s%s = %s%s%s", fits ? "; " : "\n", setting->name, quote,
                    setting->value, quote);
  }
  shk_append_text(&script, "\nload 'templates/%s.gp'\n", chart->template);
  return script;
}

/* ---- the legend ---- */

static void append_words(char **text, const char *before, const char *format, va_list arguments)
{
  char *const addition = shk_print_arguments(format, arguments);
  shk_append_text(text, "%s%s", *text ? before : "", addition);
  free(addition);
}

void shk_chart_head(struct shk_chart *chart, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  append_words(&chart->head, "", format, arguments);
  va_end(arguments);
}

void shk_chart_note(struct shk_chart *chart, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  append_words(&chart->note, "; ", format, arguments);
  va_end(arguments);
}

void shk_chart_legend(struct shk_chart *chart, int style, const char *name, const char *label)
{
  *SHK_APPEND(chart->rows, chart->row_count) =
      (struct shk_legend_row){style, shk_data_text(name), shk_copy_text(label)};
}

/* Numbers of characters of 7 points in a line of 8.6 cm, beside a sample and without one. */
enum { LINE = 54, HEAD_LINE = 60 };

/* Returns the place behind the last of these characters in a part of a text; NULL: none. */
static const char *place_behind(const char *begin, const char *end, const char *characters)
{
  const char *last = NULL;
  for (const char *at = begin; at < end; at++)
    last = strchr(characters, *at) ? at + 1 : last;
  return last;
}

/* Returns the first line of a text, of at most `most` characters, and moves the text behind it. A
 * line ends at punctuation, or else at a blank, that is not in its first third. */
static char *take_line(const char **text, int most)
{
  const char *const begin = *text, *const end = shk_text_after(begin, most),
                    *const from = shk_text_after(begin, most / 3);
  const char *const mark = *end ? place_behind(from, end, ",;") : NULL, *const blank =
                                                                            *end && !mark
                                                                                ? place_behind(from,
                                                                                               end,
                                                                                               " ")
                                                                                : NULL;
  *text = mark ? mark + (*mark == ' ') : blank ? blank : end;
  return shk_print_text("%.*s", (int)(*text - begin), begin);
}

/* Writes a text as rows of the present block, one for each line; returns their number. */
static int write_lines(struct shk_chart *chart, const char *text)
{
  int lines = 0;
  for (const char *rest = text; rest && *rest; lines++) {
    char *const line = take_line(&rest, HEAD_LINE);
    shk_chart_text(chart, NAN, line);
    free(line);
  }
  return lines;
}

/* Writes a row of the legend as blocks, one for each line; the first line has the sample. */
static void write_row(struct shk_chart *chart, const struct shk_legend_row *row)
{
  char *const text =
      shk_print_text("%s%s%s", row->name, *row->name && *row->label ? ": " : "", row->label);
  const char *rest = text;
  for (int style = row->style; *rest; style = 0) {
    char *const line = take_line(&rest, LINE);
    shk_chart_block(chart, line, "legend");
    shk_chart_list(chart, "legend", 0, style);
    free(line);
  }
  free(text);
}

/* Writes the lines of the legend as blocks of data, and the settings with their number. gnuplot
 * breaks no lines: a longer text continues on the next line, as a row without a sample. */
static void write_legend(struct shk_chart *chart)
{
  const bool drawn = !chart->captioned;
  shk_chart_block(chart, "texts", "what is drawn, and notes");
  const int heads = write_lines(chart, chart->head), notes = write_lines(chart, chart->note);
  shk_chart_set(chart, "heads", drawn ? heads : 0);
  shk_chart_set(chart, "notes", drawn ? notes : 0);
  shk_chart_set(chart, "rows", chart->block_count);
  for (int i = 0; drawn && i < chart->row_count; i++)
    write_row(chart, &chart->rows[i]);
  if (!drawn || chart->row_count == 0)
    shk_chart_words(chart, "legend", "", "");
}

/* The legend in words, for LaTeX; the caller frees it. */
static char *caption_of(const struct shk_chart *chart)
{
  char *text = chart->head ? shk_print_text("%s. ", chart->head) : shk_copy_text("");
  for (int i = 0; i < chart->row_count; i++) {
    const struct shk_legend_row *const row = &chart->rows[i];
    char *const sample = row->style > 0 && row->style <= chart->method_count
                             ? shk_style_words(chart->styles[row->style - 1])
                             : shk_copy_text("no line");
    shk_append_text(&text, "%s (%s)%s%s%s ", row->name, sample, *row->label ? ": " : "", row->label,
                    i + 1 < chart->row_count ? ";" : ".");
    free(sample);
  }
  shk_append_text(&text, chart->note ? "%s." : "%s", chart->note ? chart->note : "");
  char *const latex = shk_latex_text(text);
  free(text);
  return latex;
}

/* ---- files ---- */

void shk_chart_clear(struct shk_chart *chart)
{
  if (chart->data)
    fclose(chart->data);
  for (int i = 0; i < chart->row_count; i++) {
    free(chart->rows[i].name);
    free(chart->rows[i].label);
  }
  for (int i = 0; i < chart->setting_count; i++) {
    free(chart->settings[i].name);
    free(chart->settings[i].value);
  }
  void *const owned[] = {chart->rows, chart->settings, chart->methods,   chart->styles,
                         chart->head, chart->note,     chart->data_text, chart->name};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
  *chart = (struct shk_chart){0};
}

/* Returns the text of a template, from the folder `others` if that has one, else the built-in one;
 * NULL with the reason. */
static char *template_of(const char *others, const char *kind, struct shk_message *error)
{
  size_t length;
  char *const other = shk_print_text("%s/%s.gp", others ? others : "", kind);
  char *text = NULL;
  if (others && access(other, F_OK) == 0)
    text = shk_read_file(other, 1 << 20, "template", &length, error);
  else
    for (size_t i = 0; i < sizeof templates / sizeof *templates; i++)
      for (int k = 0; strcmp(templates[i].name, kind) == 0 && templates[i].lines[k]; k++)
        shk_append_text(&text, "%s", templates[i].lines[k]);
  free(other);
  return text;
}

/* Copies a template beside the figures. A different one there is renamed to NAME.gp~ and not used:
 * a template is a program, and it may come from another user. */
static bool copy_template(const char *folder, const char *others, const char *kind,
                          struct shk_message *error)
{
  size_t length;
  struct shk_message none;
  char *const text = template_of(others, kind, error),
              *const path = shk_print_text("%s/%s.gp", folder, kind),
              *const kept = shk_print_text("%s~", path),
              *const there = shk_read_file(path, 1 << 20, "template", &length, &none);
  if (there && text && strcmp(there, text) != 0)
    rename(path, kept);
  const bool ok = text && shk_write_text(folder, kind, ".gp", text, error);
  free(there);
  free(kept);
  free(path);
  free(text);
  return ok;
}

static bool write_files(const struct shk_chart *chart, const struct shk_plot_files *files,
                        struct shk_message *error)
{
  const char *const needed[] = {chart->template, "style", "ranges", "box", "exits", "legend"};
  const char *const folder = files->directory, *const name = chart->name;
  char *const templates_folder = shk_print_text("%s/templates", folder),
              *const text = script_of(chart, files->types[0]), *const caption = caption_of(chart);
  bool ok = shk_write_text(folder, name, ".dat", chart->data_text, error) &&
            shk_write_text(folder, name, ".gp", text, error) &&
            (!chart->captioned || shk_write_text(folder, name, "-caption.tex", caption, error)) &&
            shk_make_directory(templates_folder, error);
  for (size_t i = 0; ok && i < sizeof needed / sizeof *needed; i++)
    ok = copy_template(templates_folder, files->templates, needed[i], error);
  free(caption);
  free(text);
  free(templates_folder);
  return ok;
}

bool shk_chart_finish(struct shk_chart *chart, const struct shk_plot_files *files,
                      struct shk_message *error)
{
  write_legend(chart);
  end_block(chart);
  bool ok = !ferror(chart->data);
  ok = fclose(chart->data) == 0 && ok;
  chart->data = NULL;
  if (!ok)
    shk_message_set(error, "no memory for the data of figure %s", chart->name);
  ok = ok && write_files(chart, files, error);
  for (int i = 0; ok && files->types[i]; i++)
    ok = shk_run_gnuplot(files->directory, chart->name, files->types[i], error);
  shk_chart_clear(chart);
  return ok;
}

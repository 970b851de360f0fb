/* A figure under construction. See chart.h. */
#include "plots/canvas/chart.h"
#include "foundation/files/file.h"
#include "plots/canvas/templates.h"
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void shk_chart_begin(struct shk_chart *chart, char *name)
{
  *chart = (struct shk_chart){.name = name, .width = 8.6, .per_row = 1, .sample = "linespoints"};
  chart->data = open_memstream(&chart->data_text, &chart->data_size);
  if (!chart->data)
    shk_out_of_memory();
}

struct shk_panel *shk_chart_panel(struct shk_chart *chart, const char *kind, const char *template,
                                  const char *problem)
{
  struct shk_panel *const panel = SHK_APPEND(chart->panels, chart->panel_count);
  const struct shk_axis axis = {.from = NAN, .to = NAN};
  *panel = (struct shk_panel){.kind = kind,
                              .template = template,
                              .problem = shk_data_text(problem),
                              .first = chart->block_count,
                              .x = axis,
                              .y = axis};
  return panel;
}

void shk_chart_blank(struct shk_chart *chart)
{
  const struct shk_axis axis = {.from = 0, .to = 1};
  *SHK_APPEND(chart->panels, chart->panel_count) =
      (struct shk_panel){.problem = shk_copy_text(""), .x = axis, .y = axis};
}

static struct shk_panel *last_panel(struct shk_chart *chart)
{
  return &chart->panels[chart->panel_count - 1];
}

void shk_chart_part(struct shk_chart *chart, const char *plain, const char *latex)
{
  struct shk_panel *const panel = last_panel(chart);
  panel->part[0] = shk_copy_text(plain);
  panel->part[1] = shk_copy_text(latex);
}

void shk_chart_in_step(struct shk_chart *chart, double step, const char *unit)
{
  struct shk_panel *const panel = last_panel(chart);
  const struct shk_phrase text = shk_phrase_rounded(step, 4);
  panel->step[0] = shk_print_text("{/:Italic h} = %s%s", text.text, unit);
  panel->step[1] = shk_print_text("$h=%s$%s", text.text, unit);
}

/* Returns a method's index in the chart, or the number of methods if the chart does not contain it
 * yet. */
static int index_of(const struct shk_chart *chart, int number)
{
  int m = 0;
  while (m < chart->method_count && chart->methods[m].number != number)
    m++;
  return m;
}

void shk_chart_method(struct shk_chart *chart, int number, const char *name,
                      const struct shk_look *look, const char *words)
{
  struct shk_panel *const panel = last_panel(chart);
  const int m = index_of(chart, number);
  if (m == chart->method_count)
    *SHK_APPEND(chart->methods, chart->method_count) =
        (struct shk_drawn_method){number, shk_data_text(name), shk_copy_text(""), *look};
  *SHK_APPEND(panel->methods, panel->method_count) =
      (struct shk_curve_of){m, shk_copy_text(words), false};
}

void shk_chart_unseen(struct shk_chart *chart, int i)
{
  last_panel(chart)->methods[i].unseen = true;
}

void shk_chart_solid(struct shk_chart *chart, int number)
{
  const int m = index_of(chart, number);
  if (m < chart->method_count && !chart->methods[m].look.own_line)
    chart->methods[m].look.line = shk_line_words[0];
}

bool shk_chart_is_seen(const struct shk_chart *chart, int method)
{
  bool seen = false;
  for (int k = 0; k < chart->panel_count; k++)
    for (int i = 0; i < chart->panels[k].method_count; i++)
      seen = seen ||
             (chart->panels[k].methods[i].method == method && !chart->panels[k].methods[i].unseen);
  return seen;
}

/* ---- data ---- */

/* Ends a data block. If the block is empty, a row of NaNs is written first, because gnuplot reports
 * an error for empty blocks. */
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

void shk_chart_point(struct shk_chart *chart, int number, double x, double y)
{
  struct shk_panel *const panel = last_panel(chart);
  *SHK_APPEND(panel->points, panel->point_count) =
      (struct shk_outline){x, y, index_of(chart, number), false};
}

void shk_chart_obstacle(struct shk_chart *chart, int number, double x, double y)
{
  struct shk_panel *const panel = last_panel(chart);
  *SHK_APPEND(panel->points, panel->point_count) =
      (struct shk_outline){x, y, index_of(chart, number), true};
}

/* ---- settings ---- */

/* Returns the setting with the given name, adding it if necessary. */
static struct shk_setting *setting_named(struct shk_panel *panel, const char *name)
{
  for (int i = 0; i < panel->setting_count; i++)
    if (strcmp(panel->settings[i].name, name) == 0)
      return &panel->settings[i];
  struct shk_setting *const setting = SHK_APPEND(panel->settings, panel->setting_count);
  *setting = (struct shk_setting){.name = shk_copy_text(name)};
  return setting;
}

const char *shk_panel_setting(const struct shk_panel *panel, const char *name)
{
  for (int i = 0; i < panel->setting_count; i++)
    if (strcmp(panel->settings[i].name, name) == 0)
      return panel->settings[i].value;
  return NULL;
}

/* Appends a number. A value such as 1e-16 is written as "1.0e-16", because gnuplot parses "1e-16"
 * as an integer followed by text. */
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
  struct shk_setting *const setting = setting_named(last_panel(chart), name);
  free(setting->value);
  setting->value = NULL;
  append_number(&setting->value, value);
}

void shk_panel_list(struct shk_panel *panel, const char *name, double value)
{
  struct shk_setting *const setting = setting_named(panel, name);
  setting->list = true;
  shk_append_text(&setting->value, setting->value ? " " : "");
  append_number(&setting->value, value);
}

void shk_chart_list(struct shk_chart *chart, const char *name, double value)
{
  shk_panel_list(last_panel(chart), name, value);
}

static void append_quoted(char **text, const char *words)
{
  shk_append_text(text, "'");
  for (; *words; words++)
    shk_append_text(text, "%s%c", *words == '\'' ? "'" : "", *words);
  shk_append_text(text, "'");
}

/* Appends a string for gnuplot and, if it differs, another one for LaTeX. */
static void append_both(char **text, const char *plain, const char *latex)
{
  if (strcmp(plain, latex) != 0) {
    shk_append_text(text, "type eq 'tex' ? ");
    append_quoted(text, latex);
    shk_append_text(text, " : ");
  }
  append_quoted(text, plain);
}

/* Appends user text, quoted so that gnuplot does not interpret it. */
static void append_user_text(char **text, const char *words)
{
  char *const latex = shk_latex_text(words);
  append_both(text, words, latex);
  free(latex);
}

void shk_chart_words(struct shk_chart *chart, const char *name, const char *plain,
                     const char *latex)
{
  struct shk_setting *const setting = setting_named(last_panel(chart), name);
  free(setting->value);
  setting->value = NULL;
  append_both(&setting->value, plain, latex);
}

void shk_chart_strip(struct shk_chart *chart, const char *words)
{
  struct shk_panel *const panel = last_panel(chart);
  panel->strip = true;
  struct shk_setting *const setting = setting_named(panel, "strip");
  free(setting->value);
  setting->value = NULL;
  append_user_text(&setting->value, words);
}

static void add_tag(struct shk_panel *panel, const double *x, const double *y, char *plain,
                    char *latex)
{
  *SHK_APPEND(panel->tags, panel->tag_count) =
      (struct shk_tag){{x[0], x[1]}, {y[0], y[1]}, NAN, NAN, 0, 0, plain, latex, false};
}

void shk_chart_tag(struct shk_chart *chart, const double *x, const double *y, const char *plain,
                   const char *latex)
{
  add_tag(last_panel(chart), x, y, shk_copy_text(plain), shk_copy_text(latex));
}

void shk_panel_line(struct shk_panel *panel, double x, double y, const char *label)
{
  const bool level = isnan(x);
  const double across[] = {level ? -INFINITY : x, level ? INFINITY : x},
               up[] = {level ? y : INFINITY, level ? y : -INFINITY};
  char *const safe = shk_data_text(label);
  add_tag(panel, across, up, shk_enhanced_text(safe), shk_latex_text(label));
  *SHK_APPEND(panel->points, panel->point_count) =
      (struct shk_outline){.x = x, .y = y, .method = -1};
  free(safe);
}

double shk_tag_end(const struct shk_axis *axis, double value)
{
  return isfinite(value) ? value : value < 0 ? axis->from : axis->to;
}

/* ---- NAME.gp ---- */

/* Appends the title of a panel: the problem (if requested) and the part. User text is escaped for
 * gnuplot's enhanced text. */
static void append_title(char **script, const struct shk_panel *panel, bool problem, bool part)
{
  char *plain = shk_enhanced_text(problem ? panel->problem : ""),
       *latex = problem ? shk_latex_text(panel->problem) : NULL;
  if (part && panel->part[0]) {
    shk_append_text(&plain, "%s%s", problem ? ", " : "", panel->part[0]);
    shk_append_text(&latex, "%s%s", problem ? ", " : "", panel->part[1]);
  }
  if (problem && panel->step[0]) {
    shk_append_text(&plain, ", %s", panel->step[0]);
    shk_append_text(&latex, ", %s", panel->step[1]);
  }
  shk_append_text(script, "title = ");
  append_both(script, plain, latex ? latex : "");
  free(latex);
  free(plain);
}

static void append_axis(char **script, const char *name, const struct shk_axis *axis)
{
  shk_append_text(script, "%s = '", name);
  append_number(script, axis->from);
  shk_append_text(script, ":");
  append_number(script, axis->to);
  shk_append_text(script, "'; log_%s = %d", name, axis->log);
}

/* Appends the settings for the page and for its methods. */
static void append_page(char **script, struct shk_chart *chart, const struct shk_page *page)
{
  static const char *const places[] = {"inside", "inside", "below", "right", "ends", "caption"};
  char *front = NULL;
  /* Solid lines are drawn behind dashed ones, so that they remain visible through the gaps. */
  for (int turn = 0; turn < 4; turn++)
    for (int m = 0; m < chart->method_count; m++)
      if (shk_height_of(&chart->methods[m].look) == turn)
        shk_append_text(&front, "%s%d", front ? " " : "", m + 1);
  for (int m = 0; m < chart->method_count; m++) {
    const struct shk_drawn_method *const method = &chart->methods[m];
    const struct shk_look *const look = &method->look;
    shk_append_text(script, "name_%d = ", m + 1);
    append_user_text(script, method->name);
    shk_append_text(script,
                    "; colour_%d = '%s'; mark_%d = '%s'; line_%d = '%s'; hollow_%d = %d; "
                    "size_%d = %.3g",
                    m + 1, look->colour, m + 1, look->mark, m + 1, look->line, m + 1, look->hollow,
                    m + 1, look->size);
    shk_append_text(script, "; beside_%d = ", m + 1);
    append_user_text(script, method->beside);
    shk_append_text(script, "\n");
  }
  shk_append_text(
      script,
      "order = '%s'    # from back to front\n\n# The page: its panels, and lengths in cm.\n"
      "panels = %d; across = %d; down = %d; tall = %.3g; gap = %.3g; between = %.3g\n"
      "left = %.3g; right = %.3g; top = %.3g; below = %.3g; foot = %.3g\n"
      "shared_x = %d; shared_y = %d; lettered = %d; legend = '%s'\n"
      "legend_sample = '%s'; more = ''    # gnuplot commands before each panel\n"
      "load 'templates/page.gp'\n",
      front ? front : "", chart->panel_count, page->across, page->down, page->tall, page->gap,
      page->between, page->left, page->right, page->top, page->below, page->foot, page->shared_x,
      page->shared_y, page->lettered, places[page->legend], chart->sample);
  free(front);
  char *unseen = NULL;
  for (int m = 0; m < chart->method_count; m++)
    if (!shk_chart_is_seen(chart, m))
      shk_append_text(&unseen, "%s%d", unseen ? " " : "", m + 1);
  shk_append_text(script,
                  "unseen = '%s'    # methods that appear in no legend\n"
                  "odd = '%s'    # the meaning of hollow marks in a legend below the panels\n",
                  unseen ? unseen : "", chart->odd ? chart->odd : "");
  free(unseen);
}

/* Appends the settings that are specific to a kind of figure, several per line while they fit. */
static void append_settings(char **script, const struct shk_panel *panel)
{
  enum { LONGEST = 96 };
  size_t used = LONGEST;
  for (int i = 0; i < panel->setting_count; i++) {
    const struct shk_setting *const setting = &panel->settings[i];
    const char *const quote = setting->list ? "'" : "";
    const size_t length = strlen(setting->name) + strlen(setting->value) + 5;
    const bool label = shk_ends_with(setting->name, "label"), /* labels go on a line of their own */
        fits = used + length < LONGEST && !label;
    used = label ? LONGEST : fits ? used + length : length;
    shk_append_text(script, "%s%s = %s%s%s", fits ? "; " : "\n", setting->name, quote,
                    setting->value, quote);
  }
}

static void append_panel(char **script, const struct shk_chart *chart, const struct shk_page *page,
                         int k)
{
  const struct shk_panel *const panel = &chart->panels[k];
  if (!panel->template) {
    shk_append_text(script, "\npanel = panel + 1    # a blank panel\n");
    return;
  }
  shk_append_text(script, "\n# ---- panel %d\nkind = '%s'; first = %d; of = '", k + 1,
                  panel->template, panel->first);
  for (int i = 0; i < panel->method_count; i++)
    shk_append_text(script, "%s%d", i > 0 ? " " : "", panel->methods[i].method + 1);
  shk_append_text(script, "'    # its first block of data, and its methods\n");
  append_title(script, panel, page->problems || k == 0, page->parts);
  shk_append_text(script, "\n");
  append_axis(script, "x", &panel->x);
  shk_append_text(script, "\n");
  append_axis(script, "y", &panel->y);
  if (panel->keyed)
    shk_append_text(script, "\nkey = '%.3f %.3f'; keyed = '%s'; key_columns = %d; key_entry = %.3g",
                    panel->key_x, panel->key_y, panel->words_only ? "words" : "names",
                    panel->columns, panel->entry);
  else
    shk_append_text(script, "\nkey = ''");
  shk_append_text(script, "; tags = %d", panel->tag_count);
  append_settings(script, panel);
  for (int i = 0; i < panel->tag_count; i++) {
    const struct shk_tag *const tag = &panel->tags[i];
    const double numbers[] = {shk_tag_end(&panel->x, tag->x[0]),
                              shk_tag_end(&panel->y, tag->y[0]),
                              shk_tag_end(&panel->x, tag->x[1]),
                              shk_tag_end(&panel->y, tag->y[1]),
                              tag->label_x,
                              tag->label_y};
    shk_append_text(script, "\ntag_%d = '", i + 1);
    for (int n = 0; n < 6; n++) {
      shk_append_text(script, n > 0 ? " " : "");
      append_number(script, numbers[n]);
    }
    shk_append_text(script, "'; tag_text_%d = ", i + 1);
    append_both(script, tag->labelled ? tag->plain : "", tag->labelled ? tag->latex : "");
  }
  for (int i = 0; i < panel->method_count; i++) {
    shk_append_text(script, "%swords_%d = ", i % 3 == 0 ? "\n" : "; ", i + 1);
    append_user_text(script, panel->methods[i].words);
  }
  shk_append_text(script, "\nload 'templates/panel.gp'\n");
}

/* Returns the contents of NAME.gp. */
static char *script_of(struct shk_chart *chart, const struct shk_page *page, const char *type)
{
  const char *const name = chart->name;
  char *script = shk_print_text(
      "# A figure of the data in %s.dat. To draw it, run in this folder: gnuplot %s.gp\n"
      "# For another type and width (in cm): gnuplot -e \"type='svg'; width=12\" %s.gp\n"
      "name = '%s'\n"
      "if (!exists('type')) type = '%s'\n"
      "if (!exists('width')) width = %.3g\n"
      "font = '%s'\n"
      "\n"
      "# Methods. If you delete a method's line, the method is left out.\n",
      name, name, name, name, type, chart->width, chart->serif ? "serif" : "sans");
  append_page(&script, chart, page);
  for (int k = 0; k < chart->panel_count; k++)
    append_panel(&script, chart, page, k);
  shk_append_text(&script, "\nload 'templates/legend.gp'\n");
  return script;
}

/* ---- the caption ---- */

void shk_chart_head(struct shk_chart *chart, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *const addition = shk_print_arguments(format, arguments);
  va_end(arguments);
  shk_append_text(&chart->head, "%s", addition);
  free(addition);
}

void shk_chart_note(struct shk_chart *chart, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *const note = shk_print_arguments(format, arguments);
  va_end(arguments);
  shk_list_text_once(&chart->notes, note);
  free(note);
}

void shk_chart_options(struct shk_chart *chart, const char *shown, const char *options)
{
  char *const text = shk_print_text("%s (%s)", shown, options);
  shk_list_text_once(&chart->options, text);
  free(text);
}

/* Returns the caption, which the caller frees. If there is no legend, it describes the lines and
 * marks. */
static char *caption_of(const struct shk_chart *chart, const struct shk_page *page)
{
  char *text = shk_print_text("%s.", chart->head ? chart->head : chart->name);
  for (int m = 0; m < chart->method_count && page->legend == SHK_LEGEND_IN_CAPTION; m++) {
    const struct shk_drawn_method *const method = &chart->methods[m];
    shk_append_text(&text, "%s %s (%s, %s, %s%s)%s", m > 0 ? ";" : "", method->name,
                    method->look.colour, method->look.line, method->look.hollow ? "hollow " : "",
                    method->look.mark, method->beside);
    shk_append_text(&text, m + 1 < chart->method_count ? "" : ".");
  }
  for (int i = 0; i < chart->notes.count; i++)
    shk_append_text(&text, " %s.", chart->notes.all[i]);
  bool hollow = false;
  for (int m = 0; m < chart->method_count; m++)
    hollow = hollow || chart->methods[m].look.hollow;
  if (chart->odd)
    shk_append_text(&text, " Hollow marks%s are %s.",
                    hollow ? " (smaller ones of a method that is drawn hollow)" : "", chart->odd);
  for (int i = 0; i < chart->options.count; i++)
    shk_append_text(&text, "%s%s", i == 0 ? " Parameters: " : "; ", chart->options.all[i]);
  shk_append_text(&text, chart->options.count > 0 ? "." : "");
  return text;
}

/* ---- files ---- */

void shk_chart_clear(struct shk_chart *chart)
{
  if (chart->data)
    fclose(chart->data);
  for (int m = 0; m < chart->method_count; m++) {
    free(chart->methods[m].name);
    free(chart->methods[m].beside);
  }
  for (int k = 0; k < chart->panel_count; k++) {
    struct shk_panel *const panel = &chart->panels[k];
    for (int i = 0; i < panel->setting_count; i++) {
      free(panel->settings[i].name);
      free(panel->settings[i].value);
    }
    for (int i = 0; i < panel->method_count; i++)
      free(panel->methods[i].words);
    for (int i = 0; i < panel->tag_count; i++) {
      free(panel->tags[i].plain);
      free(panel->tags[i].latex);
    }
    void *const owned[] = {panel->problem,  panel->part[0], panel->part[1],
                           panel->step[0],  panel->step[1], panel->methods,
                           panel->settings, panel->points,  panel->tags};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
      free(owned[i]);
  }
  shk_list_clear(&chart->notes);
  shk_list_clear(&chart->options);
  void *const owned[] = {chart->panels, chart->methods, chart->head, chart->data_text, chart->name};
  for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
    free(owned[i]);
  *chart = (struct shk_chart){0};
}

/* Returns the contents of a template. A file in the folder `others` takes precedence over the
 * built-in template. On failure, returns NULL and sets the message. */
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

/* Copies a template to the figure folder. If the folder already contains a different version, that
 * file is renamed to NAME.gp~ and not used: a template is a program, and another user may have
 * written it. */
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

/* Returns true if the name occurs in the template as a whole word. */
static bool reads(const char *template, const char *name)
{
  const size_t length = strlen(name);
  for (const char *at = template; (at = strstr(at, name)); at += length)
    if ((at == template || !(isalnum((unsigned char)at[-1]) || at[-1] == '_')) &&
        !isalnum((unsigned char)at[length]) && at[length] != '_')
      return true;
  return false;
}

/* Checks that the templates read every setting of a panel, so that no setting is silently ignored.
 * User-supplied templates are exempt, because they can draw less. */
static bool check_settings(const struct shk_panel *panel, const char *others,
                           struct shk_message *error)
{
  static const char *const common[] = {"panel", "key", "exits"};
  bool ok = true;
  for (int i = 0; ok && !others && i < panel->setting_count; i++) {
    const char *const name = panel->settings[i].name;
    bool read = false;
    for (size_t t = 0; t <= sizeof common / sizeof *common && !read; t++) {
      char *const text = template_of(NULL, t == 0 ? panel->template : common[t - 1], error);
      read = text && reads(text, name);
      free(text);
    }
    ok = read || shk_message_set(error, "the template %s.gp does not read the setting %s",
                                 panel->template, name);
  }
  return ok;
}

/* Checks that each logarithmic axis whose range is set by the study begins above zero. */
static bool check_range(const struct shk_panel *panel, struct shk_message *error)
{
  const struct shk_axis *const axes[] = {&panel->x, &panel->y};
  bool ok = true;
  for (int i = 0; i < 2; i++)
    if (ok && axes[i]->fixed && axes[i]->log && !(axes[i]->from > 0))
      ok = shk_message_set(error,
                           "range: %s: %s: found %g, expected a number above zero: the axis is "
                           "logarithmic",
                           panel->kind, i == 0 ? "x" : "y", axes[i]->from);
  return ok;
}

static bool write_files(struct shk_chart *chart, const struct shk_plot_files *files,
                        struct shk_message *error)
{
  static const char *const common[] = {"page", "panel", "key", "legend", "exits"};
  for (int k = 0; k < chart->panel_count; k++)
    if (!check_range(&chart->panels[k], error))
      return false;
  const struct shk_page page = shk_chart_lay_out(chart);
  const char *const folder = files->directory, *const name = chart->name;
  char *const templates_folder = shk_print_text("%s/templates", folder),
              *const text = script_of(chart, &page, files->types[0]),
              *const caption = caption_of(chart, &page), *const latex = shk_latex_text(caption);
  bool ok = shk_write_text(folder, name, ".dat", chart->data_text, error) &&
            shk_write_text(folder, name, ".gp", text, error) &&
            shk_write_text(folder, name, "-caption.txt", caption, error) &&
            shk_write_text(folder, name, "-caption.tex", latex, error) &&
            shk_make_directory(templates_folder, error);
  for (size_t i = 0; ok && i < sizeof common / sizeof *common; i++)
    ok = copy_template(templates_folder, files->templates, common[i], error);
  for (int k = 0; ok && k < chart->panel_count; k++)
    ok = !chart->panels[k].template ||
         (check_settings(&chart->panels[k], files->templates, error) &&
          copy_template(templates_folder, files->templates, chart->panels[k].template, error));
  free(latex);
  free(caption);
  free(text);
  free(templates_folder);
  return ok;
}

bool shk_chart_finish(struct shk_chart *chart, const struct shk_plot_files *files,
                      struct shk_message *error)
{
  end_block(chart);
  bool ok = !ferror(chart->data);
  ok = fclose(chart->data) == 0 && ok;
  chart->data = NULL;
  if (!ok)
    shk_message_set(error, "not enough memory for the data of figure %s", chart->name);
  ok = ok && write_files(chart, files, error);
  for (int i = 0; ok && files->types[i]; i++)
    ok = shk_run_gnuplot(files->directory, chart->name, files->types[i], error);
  shk_chart_clear(chart);
  return ok;
}

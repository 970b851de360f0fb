/* Building a figure: data blocks, panels, the key; and bringing all of it to files. */
#include "plots/canvas/figure.h"
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *print_list(const char *format, va_list arguments)
{
  char *text = NULL;
  if (vasprintf(&text, format, arguments) < 0) {
    shk_out_of_memory();
    return NULL;
  }
  return text;
}

void shk_figure_begin(struct shk_figure *figure, char *name, int rows, int columns,
                      int method_count)
{
  *figure = (struct shk_figure){.name = name,
                                .rows = rows,
                                .columns = columns,
                                .method_count = method_count,
                                .width = columns == 1   ? SHK_COLUMN_WIDTH
                                         : columns == 2 ? SHK_MIDDLE_WIDTH
                                                        : SHK_PAGE_WIDTH,
                                .panel_height = columns == 1 ? (rows == 1 ? 5.4 : 4.6) : 4.4};
  figure->data = open_memstream(&figure->data_text, &figure->data_size);
  if (!figure->data)
    shk_out_of_memory();
}

void shk_figure_say(struct shk_figure *figure, const char *word, const char *text)
{
  char *const safe = shk_data_text(text);
  fprintf(figure->data, "# %s: %s\n", word, safe);
  free(safe);
}

int shk_figure_block(struct shk_figure *figure, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *const text = print_list(format, arguments), *const safe = shk_data_text(text);
  va_end(arguments);
  fprintf(figure->data, "%s# [%d] %s\n", figure->block_count > 0 ? "\n\n" : "\n",
          figure->block_count, safe);
  free(safe);
  free(text);
  return figure->block_count++;
}

void shk_figure_row(struct shk_figure *figure, const double *values, int count)
{
  shk_print_numbers(figure->data, values, count);
  putc('\n', figure->data);
}

struct shk_panel *shk_figure_panel(struct shk_figure *figure, int row, int column)
{
  figure->panels = shk_grow(figure->panels, (size_t)figure->panel_count, sizeof *figure->panels);
  struct shk_panel *panel = &figure->panels[figure->panel_count++];
  *panel = (struct shk_panel){.row = row, .column = column};
  return panel;
}

void shk_panel_layer(struct shk_panel *panel, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  panel->layers = shk_grow(panel->layers, (size_t)panel->layer_count, sizeof *panel->layers);
  panel->layers[panel->layer_count++] = print_list(format, arguments);
  va_end(arguments);
}

void shk_panel_mark(struct shk_panel *panel, double x, double y, struct shk_label label)
{
  panel->marks = shk_grow(panel->marks, (size_t)panel->mark_count, sizeof *panel->marks);
  panel->marks[panel->mark_count++] = (struct shk_mark){x, y, label};
}

/* ---- files ---- */

/* In a field a backslash stands for itself only when doubled. */
void shk_print_field(FILE *file, const char *text)
{
  for (; *text; text++) {
    if (*text == '\\')
      putc('\\', file);
    putc(*text, file);
  }
}

void shk_print_texts(FILE *file, const char *text)
{
  char *const safe = shk_data_text(text), *const latex = shk_latex_text(safe);
  shk_print_field(file, safe);
  putc('\t', file);
  shk_print_field(file, latex);
  putc('\n', file);
  free(latex);
  free(safe);
}

static void print_key(struct shk_figure *figure, int *texts, int *samples)
{
  *texts = shk_figure_block(figure, "key: cm from the left, cm from the top, text, the same for "
                                    "LaTeX");
  for (int i = 0; i < figure->text_count; i++) {
    const struct shk_key_text *text = &figure->texts[i];
    fprintf(figure->data, "%.2f\t%.3f\t", text->x, text->y);
    shk_print_field(figure->data, text->plain);
    putc('\t', figure->data);
    shk_print_field(figure->data, text->latex);
    putc('\n', figure->data);
  }
  *samples = shk_figure_block(figure, "samples of the key: cm from the left and the top, letter");
  for (int i = 0; i < figure->sample_count; i++) {
    const struct shk_key_sample *const sample = &figure->samples[i];
    fprintf(figure->data, "%.2f\t%.3f\t%c\n", sample->x, sample->y,
            sample->row->letter ? sample->row->letter : '-');
  }
}

static void clear(struct shk_figure *figure)
{
  for (int i = 0; i < figure->panel_count; i++) {
    shk_free_texts(figure->panels[i].layers, figure->panels[i].layer_count);
    free(figure->panels[i].marks);
  }
  for (int i = 0; i < figure->text_count; i++) {
    free(figure->texts[i].plain);
    free(figure->texts[i].latex);
  }
  for (int i = 0; i < figure->row_count; i++)
    free(figure->key[i].text);
  free(figure->key);
  free(figure->panels);
  free(figure->texts);
  free(figure->samples);
  free(figure->data_text);
  free(figure->title);
  free(figure->name);
  *figure = (struct shk_figure){0};
}

/* What is to be done to a file that gnuplot drew. */
static bool finish_type(const struct shk_figure *figure, const char *directory, const char *type,
                        struct shk_message *error)
{
  if (strcmp(type, "svg") == 0)
    return shk_svg_annotate(figure, directory, error);
  if (strcmp(type, "pdf") != 0 && strcmp(type, "tex") != 0)
    return true;
  char *const name =
      shk_print_text("%s%s.pdf", figure->name, strcmp(type, "tex") == 0 ? "-latex" : "");
  const bool ok = shk_pdf_undate(directory, name, error);
  free(name);
  return ok;
}

bool shk_figure_finish(struct shk_figure *figure, const char *directory, const char *const *types,
                       struct shk_message *error)
{
  int texts, samples;
  for (int i = 0; i < figure->panel_count; i++)
    if (figure->panels[i].layer_count == 0) /* gnuplot draws no panel without a plot */
      shk_panel_layer(&figure->panels[i], "index 0 using (NaN):(NaN) with points");
  shk_key_lay_out(figure);
  print_key(figure, &texts, &samples);
  const bool data_ok = !ferror(figure->data);
  bool ok = fclose(figure->data) == 0 && data_ok;
  if (!ok)
    shk_message_set(error, "no memory for the data of figure %s", figure->name);
  char *const data = shk_print_text("%s.dat", figure->name);
  char *const script = shk_print_text("%s.gp", figure->name);
  char *text = NULL;
  size_t size = 0;
  FILE *const file = open_memstream(&text, &size);
  if (file) {
    shk_print_script(file, figure, types[0], texts, samples);
    fclose(file);
  } else {
    shk_out_of_memory();
  }
  ok = ok && shk_write_text(directory, data, figure->data_text, figure->data_size, error) &&
       shk_write_text(directory, script, text, size, error) &&
       (figure->key_place != SHK_KEY_IN_CAPTION || shk_caption_write(figure, directory, error));
  for (int i = 0; ok && types[i]; i++)
    ok = shk_run_gnuplot(directory, script, types[i], error) &&
         finish_type(figure, directory, types[i], error);
  free(text);
  free(script);
  free(data);
  clear(figure);
  return ok;
}

/* ---- one figure alone ---- */

static void remove_folder(const char *folder, const char *name)
{
  static const char *const endings[] = {"dat", "gp", "svg"};
  for (int i = 0; i < 3; i++) {
    char *const path = shk_print_text("%s/%s.%s", folder, name, endings[i]);
    unlink(path);
    free(path);
  }
  rmdir(folder);
}

bool shk_draw_one_file(const char *svg_file, const char *name,
                       bool (*draw)(void *user, const char *folder, struct shk_message *error),
                       void *user, struct shk_message *error)
{
  const char *const place = getenv("TMPDIR");
  char *const folder = shk_print_text("%s/shakedown-XXXXXX", place && *place ? place : "/tmp");
  bool ok = mkdtemp(folder) != NULL;
  if (!ok) {
    shk_message_set(error, "cannot make a folder like %s: %s", folder, strerror(errno));
  } else {
    ok = draw(user, folder, error);
    if (ok) {
      char *const drawn = shk_print_text("%s/%s.svg", folder, name);
      ok = shk_copy_file(drawn, svg_file, error);
      free(drawn);
    }
    remove_folder(folder, name);
  }
  free(folder);
  return ok;
}

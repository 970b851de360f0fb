/* The figures in the report of a study. See figures.h. */
#include "plots/report/figures.h"
#include "foundation/files/file.h"
#include "foundation/files/scratch.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "plots/canvas/text.h"
#include "plots/report/elements.h"
#include "results/export/export.h"
#include <stdlib.h>
#include <string.h>

/* The maximum number of problems for which a report contains all figures, and the maximum total
 * size of the figures in bytes. */
enum { FEW_PROBLEMS = 6, LARGEST_FIGURES = 12 << 20 };

/* The state of the figure writer. */
struct figures {
  FILE *out;
  /* the request's directory is the folder for the drawings */
  const struct shk_plot_request *request;
  int count, left_out;
  size_t size;
  bool passed_over;
};

/* Writes a drawing as an embedded image, whose width in CSS pixels is that of its viewBox. */
static void put_image(FILE *out, const char *alternative, const char *svg)
{
  static const char box[] = "viewBox=\"0 0 ";
  const char *const found = strstr(svg, box);
  fputs("<img alt=\"", out);
  shk_print_xml(out, alternative);
  if (found)
    fprintf(out, "\" width=\"%d", atoi(found + strlen(box)));
  fputs("\" src=\"data:image/svg+xml,", out);
  for (; *svg; svg++)
    fprintf(out, strchr("%#&\"<>\n\t", *svg) ? "%%%02X" : "%c", *svg);
  fputs("\">", out);
}

/* Reads one of the figure's files. On failure, returns NULL and sets the message. */
static char *read_part(const struct figures *figures, const char *name, const char *ending,
                       size_t *length, struct shk_message *error)
{
  char *const path = shk_print_text("%s/%s%s", figures->request->files.directory, name, ending),
              *const text = shk_read_file(path, 1 << 28, "figure", length, error);
  free(path);
  return text;
}

/* Writes the figure with this name and its caption, followed by notes (NULL if there are none). */
static bool put_figure(struct figures *figures, const char *name, const char *notes,
                       struct shk_message *error)
{
  size_t length = 0, other;
  FILE *const out = figures->out;
  char *const svg = read_part(figures, name, ".svg", &length, error),
              *const caption = svg ? read_part(figures, name, "-caption.txt", &other, error) : NULL;
  const bool ok = caption != NULL;
  figures->size += length;
  if (ok && figures->size > LARGEST_FIGURES) {
    figures->left_out++;
  } else if (ok) {
    fputs("<figure>", out);
    put_image(out, caption, svg);
    fprintf(out, "<figcaption><p><b>Figure %d.</b> ", ++figures->count);
    shk_print_xml(out, caption);
    fputs("</p>\n", out);
    shk_put_paragraphs(out, notes);
    fputs("</figcaption></figure>\n", out);
  }
  free(caption);
  free(svg);
  return ok;
}

/* Returns true if the name of a figure, such as "constraint-pendulum-double", begins with this
 * kind. */
static bool is_of_kind(const char *name, const char *kind)
{
  const size_t length = strlen(kind);
  return strncmp(name, kind, length) == 0 && name[length] == '-';
}

/* Writes all drawings in the folder. If they belong to a requested figure, its notes follow the
 * first drawing. Otherwise, the drawings are grouped by kind. */
static bool put_drawings(struct figures *figures, const struct shk_study_figure *asked,
                         struct shk_message *error)
{
  int count;
  bool ok = true;
  char **const names = shk_files_ending(figures->request->files.directory, ".svg", &count);
  for (int i = 0; ok && i < count && asked; i++)
    ok = put_figure(figures, names[i], i == 0 ? asked->notes : NULL, error);
  for (int kind = 0; !asked && shk_figure_names[kind]; kind++)
    for (int i = 0; ok && i < count; i++)
      if (is_of_kind(names[i], shk_figure_names[kind]))
        ok = put_figure(figures, names[i], NULL, error);
  shk_free_texts(names, count);
  return ok;
}

/* Draws and writes a figure that the study requests. If `asked` is NULL, draws and writes all
 * figures for which the study has data. */
static bool draw_and_put(struct figures *figures, const struct shk_study_figure *asked,
                         struct shk_message *error)
{
  struct shk_plot_request request = *figures->request;
  struct shk_study study = *request.study;
  struct shk_study_figure one;
  struct shk_plotted plotted;
  if (asked) {
    one = *asked;
    study.figures = &one;
    study.figure_count = 1;
    request.study = &study;
    request.most = request.most > 0 && request.most > figures->request->study->figure_count
                       ? request.most / figures->request->study->figure_count
                       : request.most > 0;
  }
  shk_scratch_empty(request.files.directory);
  if (!shk_plot_all(&plotted, &request, error) || !put_drawings(figures, asked, error)) {
    shk_plotted_clear(&plotted);
    return false;
  }
  for (int i = 0; i < plotted.undrawn_count; i++)
    fprintf(figures->out, "<p>There is no figure of the kind <code>%s</code>: %s%s%s.</p>\n",
            plotted.undrawn[i].kind,
            plotted.undrawn[i].measure ? "the study does not have the measure <code>"
                                       : "the records contain no data for it",
            plotted.undrawn[i].measure ? plotted.undrawn[i].measure : "",
            plotted.undrawn[i].measure ? "</code>" : "");
  figures->passed_over =
      figures->passed_over || plotted.wanted > plotted.drawn || plotted.left_out > 0;
  shk_plotted_clear(&plotted);
  return true;
}

bool shk_put_figures(FILE *out, const struct shk_plot_request *asked, struct shk_message *error)
{
  static const char *const types[] = {"svg", NULL};
  const struct shk_study *const study = asked->study;
  struct shk_plot_request request = *asked;
  struct figures figures = {.out = out, .request = &request};
  char *const scratch = shk_scratch_make();
  request.files = (struct shk_plot_files){scratch, types, NULL};
  request.most = request.plan->group_count > FEW_PROBLEMS ? SHK_MOST_IN_SUMMARY : 0;
  bool ok = scratch ? true : shk_message_set(error, "cannot create a folder in TMPDIR");
  if (ok && study->figure_count == 0)
    ok = draw_and_put(&figures, NULL, error);
  for (int i = 0; ok && i < study->figure_count; i++)
    ok = draw_and_put(&figures, &study->figures[i], error);
  if (ok && figures.left_out > 0)
    fprintf(out, "<p>%d more %s left out because of the 12 MB limit.</p>\n", figures.left_out,
            figures.left_out == 1 ? "figure is" : "figures are");
  if (ok && figures.passed_over)
    fputs("<p>These figures are a selection; <code>shakedown plot STORE --all</code> draws all of "
          "them.</p>\n",
          out);
  shk_scratch_remove(scratch);
  free(scratch);
  return ok;
}

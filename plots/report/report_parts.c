/* The figures of a report, and its page. See report_parts.h. */
#include "plots/report/report_parts.h"
#include "build_facts.h"
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "plots/canvas/chart.h"
#include "plots/kinds/kinds.h"
#include "results/export/export.h"
#include "results/record/wire_text.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LARGEST_PART ((size_t)1 << 30)
#define LARGEST_FIGURES ((size_t)12 << 20) /* of all of them */

/* Of so many problems a report has all figures. */
enum { FEW_PROBLEMS = 6 };

/* ---- figures ---- */

/* A whole file of a folder; NULL with the reason. */
static char *read_text(const char *folder, const char *name, struct shk_message *error)
{
  char *path = shk_print_text("%s/%s", folder, name);
  size_t length;
  char *text = shk_read_file(path, LARGEST_PART, "part of a report", &length, error);
  free(path);
  return text;
}

static int is_drawing(const struct dirent *entry)
{
  const char *dot = strrchr(entry->d_name, '.');
  return dot && strcmp(dot, ".svg") == 0;
}

static int is_file(const struct dirent *entry)
{
  return entry->d_name[0] != '.';
}

static void empty_folder(const char *folder)
{
  struct dirent **entries = NULL;
  const int count = scandir(folder, &entries, is_file, alphasort);
  for (int i = 0; i < count; i++) {
    char *path = shk_print_text("%s/%s", folder, entries[i]->d_name);
    unlink(path);
    free(path);
    free(entries[i]);
  }
  if (count >= 0)
    free(entries);
}

/* The text between the first <title> and its end, with the five entities of XML undone. */
static char *title_of(const char *svg)
{
  static const struct {
    const char *entity;
    char character;
  } entities[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}};
  const char *from = strstr(svg, "<title>"), *to = from ? strstr(from, "</title>") : NULL;
  if (!to)
    return shk_copy_text("figure");
  from += strlen("<title>");
  char *title = shk_print_text("%.*s", (int)(to - from), from), *out = title;
  for (const char *at = title; *at;) {
    size_t length = 0;
    for (size_t i = 0; i < sizeof entities / sizeof *entities && length == 0; i++)
      if (strncmp(at, entities[i].entity, strlen(entities[i].entity)) == 0) {
        length = strlen(entities[i].entity);
        *out++ = entities[i].character;
      }
    if (length == 0)
      *out++ = *at++;
    at += length;
  }
  *out = '\0';
  return title;
}

/* What stands behind "# problem: " at the head of a figure's data; NULL: it is of the study. */
static char *problem_of(const char *folder, const char *drawing)
{
  struct shk_message unused;
  char *name = shk_print_text("%.*s.dat", (int)(strlen(drawing) - strlen(".svg")), drawing);
  char *data = read_text(folder, name, &unused);
  static const char word[] = "# problem: ";
  const char *at = data ? strstr(data, word) : NULL, *block = data ? strstr(data, "\n# [") : NULL;
  char *problem = NULL;
  if (at && (!block || at < block)) {
    at += strlen(word);
    problem = shk_print_text("%.*s", (int)strcspn(at, "\n"), at);
  }
  free(data);
  free(name);
  return problem;
}

static json_t *read_figures(const char *folder, bool *passed_over, struct shk_message *error)
{
  size_t size = 0;
  struct dirent **entries = NULL;
  json_t *list = shk_wire_had(json_array());
  const int count = scandir(folder, &entries, is_drawing, alphasort);
  bool ok = count >= 0;
  if (!ok)
    shk_message_set(error, "cannot read %s: %s", folder, strerror(errno));
  for (int i = 0; ok && i < count; i++) {
    char *svg = read_text(folder, entries[i]->d_name, error);
    ok = svg != NULL;
    if (!ok)
      break;
    size += strlen(svg);
    if (size > LARGEST_FIGURES) {
      *passed_over = true;
      free(svg);
      continue;
    }
    char *title = title_of(svg);
    json_t *figure = shk_wire_had(json_object());
    char *problem = problem_of(folder, entries[i]->d_name);
    shk_wire_set_text(figure, "title", title);
    shk_wire_set(figure, "problem",
                 problem ? shk_wire_text(problem, strlen(problem)) : shk_wire_had(json_null()));
    free(problem);
    shk_wire_set(figure, "svg", shk_wire_text(svg, strlen(svg)));
    shk_wire_append(list, figure);
    free(title);
    free(svg);
  }
  for (int i = 0; i < count; i++)
    free(entries[i]);
  if (count >= 0)
    free(entries);
  if (ok)
    return list;
  json_decref(list);
  return NULL;
}

json_t *shk_report_figures(const struct shk_study *study, const struct shk_plan *plan,
                           const struct shk_record *const *records, struct shk_records *parts,
                           const struct shk_analysis *analysis, const char *scratch, int *left_out,
                           bool *passed_over, struct shk_message *error)
{
  static const char *const types[] = {"svg", NULL};
  char *folder = shk_print_text("%s/.figures-XXXXXX", scratch);
  json_t *list = NULL;
  if (!mkdtemp(folder)) {
    shk_message_set(error, "cannot make a folder in %s: %s", scratch, strerror(errno));
  } else {
    const struct shk_plot_request request = {
        study,    plan,
        records,  parts,
        analysis, folder,
        types,    plan->group_count > FEW_PROBLEMS ? SHK_PLOT_SUMMARY : SHK_PLOT_EVERYTHING};
    struct shk_plotted plotted;
    if (shk_plot_all(&plotted, &request, error)) {
      *passed_over = plotted.passed_over;
      list = read_figures(folder, passed_over, error);
    }
    *left_out = plotted.left_out;
    empty_folder(folder);
    rmdir(folder);
  }
  free(folder);
  return list;
}

/* ---- the page ---- */

/* Writes a part of the page, what stands between two @ replaced by what it names. */
static bool write_part(FILE *out, const struct shk_page *page, const char *name,
                       struct shk_message *error)
{
  char *text = read_text(page->parts, name, error);
  bool ok = text != NULL;
  for (const char *at = text; ok && *at;) {
    if (strncmp(at, "@title@", 7) == 0) {
      shk_print_xml(out, page->title);
      at += 7;
    } else if (strncmp(at, "@version@", 9) == 0) {
      fputs(SHK_VERSION, out);
      at += 9;
    } else if (strncmp(at, "@nonce@", 7) == 0) {
      fputs(page->nonce, out);
      at += 7;
    } else if (strncmp(at, "@data@", 6) == 0) {
      fputs(page->data, out);
      at += 6;
    } else if (strncmp(at, "@style@", 7) == 0) {
      ok = write_part(out, page, "report.css", error);
      at += 7;
    } else if (strncmp(at, "@script@", 8) == 0) {
      ok = write_part(out, page, "report.js", error);
      at += 8;
    } else {
      putc(*at++, out);
    }
  }
  free(text);
  return ok;
}

bool shk_page_write(const struct shk_page *page, const char *folder, struct shk_message *error)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  if (!out) {
    shk_out_of_memory();
    return false;
  }
  bool ok = write_part(out, page, "page.html", error);
  ok = fclose(out) == 0 && ok;
  ok = ok && shk_make_directory(folder, error) &&
       shk_write_text(folder, "index.html", text, size, error);
  free(text);
  return ok;
}

/* A report: HTML of its studies, and the page around it. See report.h. */
#include "plots/report/report.h"
#include "foundation/files/file.h"
#include "foundation/files/scratch.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "plots/canvas/chart.h"
#include "plots/kinds/kinds.h"
#include "results/export/export.h"
#include "results/record/cell_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Limits that keep the page small enough to be sent and opened: with the largest studies it has
 * some 20 MB. */
enum { MOST_RECORDS = 5000, MOST_FINDINGS = 20000, MOST_OUTPUT = 2000, FEW_PROBLEMS = 6 };
#define LARGEST_FIGURES ((size_t)12 << 20) /* bytes, all figures together */

struct shk_report *shk_report_make(struct shk_store *store)
{
  struct shk_report *report = shk_allocate(1, sizeof *report);
  *report = (struct shk_report){.store = store};
  report->body = open_memstream(&report->text, &report->size);
  if (!report->body)
    shk_out_of_memory();
  return report;
}

void shk_report_free(struct shk_report *report)
{
  if (!report)
    return;
  fclose(report->body);
  free(report->text);
  free(report->title);
  shk_index_clear(&report->provenance);
  free(report);
}

/* ---- elements ---- */

/* Writes an element. If the text is empty or NULL, only a cell of a table is written. */
static void put_report(FILE *out, const char *tag, const char *text)
{
  const bool cell = strcmp(tag, "td") == 0;
  if (!cell && (!text || !*text))
    return;
  fprintf(out, "<%s>", tag);
  shk_print_xml(out, text ? text : "");
  fprintf(out, "</%s>", tag);
}

static void print_escaped(FILE *out, const void *text)
{
  shk_print_xml(out, text);
}

/* Begins a row of a table with these cells, ended by NULL; empty ones are "". */
static void begin_row(FILE *out, const char *const *texts)
{
  fputs("<tr>", out);
  for (; *texts; texts++)
    put_report(out, "td", *texts);
}

/* Writes a cell of a table that sorts by its number. */
static void put_number(FILE *out, double value)
{
  if (isnan(value))
    fputs("<td></td>", out);
  else
    fprintf(out, "<td data-value=\"%.17g\">%.4g</td>", value, value);
}

/* Writes a drawing as an image that the page contains. */
static void put_image(FILE *out, const char *name, const char *svg)
{
  fprintf(out, "<img alt=\"%s\" loading=\"lazy\" src=\"data:image/svg+xml,", name);
  for (; *svg; svg++)
    fprintf(out, strchr("%#&\"<>\n\t", *svg) ? "%%%02X" : "%c", *svg);
  fputs("\">", out);
}

/* Begins a table that is folded unless `open`, with the number and the name of its rows. */
static void begin_table(FILE *out, bool open, int count, const char *what, const char *const *heads)
{
  fprintf(out,
          "<details%s><summary class=\"%s\">%d %s</summary><div class=\"scroll\">"
          "<table data-name=\"%s\"><thead><tr>",
          open ? " open" : "", count > 0 ? what : "", count, what, what);
  for (; *heads; heads++)
    put_report(out, "th", *heads);
  fputs("</tr></thead><tbody>\n", out);
}

static void end_table(FILE *out)
{
  fputs("</tbody></table></div></details>\n", out);
}

/* Writes that the page has only the first of `count` rows, and the command that shows all. */
static void put_limit(FILE *out, int count, const char *what, const char *option)
{
  fprintf(out,
          "<p>%d %s in all; these are the first, those that went wrong before the others; "
          "<code>shakedown show STORE --%s</code> has all.</p>\n",
          count, what, option);
}

/* ---- values ---- */

static void put_finding(FILE *out, const struct shk_finding *f)
{
  begin_row(out, (const char *const[]){f->problem, f->integrator, f->precision, f->quantity, NULL});
  if (f->word)
    put_report(out, "td", f->word);
  else
    put_number(out, f->value);
  put_number(out, f->uncertainty);
  put_report(out, "td", f->expected);
  put_report(out, "td", f->reason);
  fputs("</tr>\n", out);
}

/* Writes a table for each verdict, the most important first, since the rows are limited. */
static void put_findings(FILE *out, const struct shk_analysis *analysis)
{
  static const char *const heads[] = {"problem",     "integrator", "precision", "quantity", "value",
                                      "uncertainty", "expected",   "reason",    NULL};
  static const enum shk_verdict verdicts[] = {
      SHK_VERDICT_FALSIFIED, SHK_VERDICT_FAILED, SHK_VERDICT_UNDECIDED, SHK_VERDICT_NOT_SHOWN,
      SHK_VERDICT_REFUSED,   SHK_VERDICT_HELD,   SHK_VERDICT_NONE};
  int left = MOST_FINDINGS;
  for (size_t v = 0; v < sizeof verdicts / sizeof *verdicts; v++) {
    const bool none = verdicts[v] == SHK_VERDICT_NONE;
    int count = 0;
    for (int i = 0; i < analysis->finding_count; i++)
      count += analysis->findings[i].verdict == verdicts[v];
    begin_table(out, v < 2 && count > 0, count,
                none ? "without a claim" : shk_verdict_word(verdicts[v]), heads);
    for (int i = 0; i < analysis->finding_count; i++)
      if (analysis->findings[i].verdict == verdicts[v] && left-- > 0)
        put_finding(out, &analysis->findings[i]);
    end_table(out);
  }
  if (left < 0)
    put_limit(out, analysis->finding_count, "values", "values");
}

/* ---- records ---- */

/* Writes an option of a shell command with its value; nothing for NULL. */
static void add_word(FILE *out, const char *before, const char *text)
{
  if (!text)
    return;
  fputs(before, out);
  shk_print_shell(out, text);
}

/* Writes the command that reproduces the cell. */
static void print_command(FILE *out, const void *of)
{
  const struct shk_cell *const cell = of;
  add_word(out, "shakedown simulate ", cell->problem);
  add_word(out, " ", cell->integrator);
  fprintf(out, " --step %s --until %s --precision %s", cell->step, cell->until, cell->precision);
  add_word(out, " --tolerance ", cell->tolerance);
  add_word(out, " --q ", cell->q);
  add_word(out, " --p ", cell->p);
  fputs(cell->project ? " --project" : "", out);
}

static void put_record(struct shk_report *report, const struct shk_planned *planned,
                       const struct shk_record *record)
{
  const struct shk_cell *const cell = &planned->cell;
  /* Cells of other kinds, and ensembles, are made by studies only. */
  const bool alone = strcmp(cell->kind, "run") == 0 && cell->step && cell->member_count == 0;
  FILE *const out = report->body;
  char *const problem = shk_cell_problem(cell),
              *const command = alone ? shk_printed_text(print_command, cell) : NULL,
              *const output = record && record->output
                                  ? shk_print_text("%.*s", MOST_OUTPUT, record->output)
                                  : NULL;
  char reason[512] = "";
  if (record && !shk_record_finished(record))
    shk_record_reason(reason, sizeof reason, record);
  const char *const step = cell->tolerance ? cell->tolerance : cell->step ? cell->step : "";
  begin_row(out, (const char *const[]){problem, cell->integrator, cell->precision, cell->kind, step,
                                       cell->until, shk_record_status(record), NULL});
  fputs("<td>", out);
  put_report(out, "p", reason);
  put_report(out, "code", command);
  put_report(out, "pre", output);
  fputs("</td></tr>\n", out);
  if (record)
    shk_index_number(&report->provenance, "%ld", record->provenance);
  free(output);
  free(command);
  free(problem);
}

static void put_records(struct shk_report *report, const struct shk_plan *plan,
                        const struct shk_record *const *records)
{
  static const char *const heads[] = {"problem", "integrator", "precision",        "kind", "step",
                                      "until",   "status",     "how to repeat it", NULL};
  int shown = 0;
  begin_table(report->body, false, plan->count, "cells", heads);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < plan->count && shown < MOST_RECORDS; i++)
      if (shk_record_finished(records[i]) == (pass == 1)) {
        put_record(report, &plan->cells[i], records[i]);
        shown++;
      }
  end_table(report->body);
  if (shown < plan->count)
    put_limit(report->body, plan->count, "cells", "records");
}

/* ---- figures ---- */

static bool put_drawings(FILE *out, const char *folder, struct shk_message *error)
{
  int count;
  size_t length, all = 0;
  bool ok = true;
  char **const names = shk_files_ending(folder, ".svg", &count); /* of [a-z0-9-] */
  for (int i = 0; ok && i < count; i++) {
    char *const path = shk_print_text("%s/%s.svg", folder, names[i]);
    char *const svg = shk_read_file(path, 1 << 28, "figure", &length, error);
    ok = svg != NULL;
    all += ok ? length : 0;
    if (ok && all <= LARGEST_FIGURES) {
      fprintf(out, "<details%s><summary>%s</summary>", i == 0 ? " open" : "", names[i]);
      put_image(out, names[i], svg);
      char *const place = shk_print_text("%s/%s-caption.txt", folder, names[i]);
      char *const caption = shk_read_file(place, 1 << 20, "caption", &length, error);
      put_report(out, "p", caption);
      ok = caption != NULL;
      free(caption);
      free(place);
      fputs("</details>\n", out);
    } else if (ok) {
      fprintf(out, "<p>Left out: %s, beyond 12 MB of figures.</p>\n", names[i]);
    }
    free(svg);
    free(path);
  }
  shk_free_texts(names, count);
  return ok;
}

static bool put_figures(FILE *out, const struct shk_plot_request *request,
                        struct shk_message *error)
{
  struct shk_plotted plotted;
  const bool ok =
      shk_plot_all(&plotted, request, error) && put_drawings(out, request->files.directory, error);
  if (ok && plotted.wanted > plotted.drawn)
    fputs("<p>The figures are a choice; <code>shakedown plot STORE --all</code> draws every "
          "one.</p>\n",
          out);
  shk_plotted_clear(&plotted);
  return ok;
}

/* Writes each provenance of the last study's records that earlier studies did not have: those from
 * index `from` on. */
static bool put_provenance(struct shk_report *report, int from, struct shk_message *error)
{
  FILE *const out = report->body;
  fputs("<details><summary>Provenance</summary>\n", out);
  for (int i = from; i < report->provenance.count; i++) {
    struct shk_provenance p = {0};
    if (!shk_store_provenance(report->store, &p, atol(report->provenance.texts[i]), error))
      return false;
    fputs("<dl>", out);
    for (int k = 0; k < SHK_PROVENANCE_study_text; k++) {
      const char *const text = *shk_provenance_text(&p, k);
      put_report(out, "dt", text && *text ? shk_provenance_texts[k].column : "");
      put_report(out, "dd", text);
    }
    fputs("</dl>\n", out);
    shk_provenance_clear(&p);
  }
  fputs("</details>\n", out);
  return true;
}

/* ---- the page ---- */

/* At most 5,000 cells are listed, unfinished ones first; and at most 20,000 values, falsified,
 * failed and undecided ones first. The page states how many there are. */
bool shk_report_add(struct shk_report *report, const struct shk_study *study,
                    const struct shk_plan *plan, const struct shk_record *const *records,
                    struct shk_records *parts, const struct shk_analysis *analysis,
                    struct shk_message *error)
{
  static const char *const types[] = {"svg", NULL};
  FILE *const out = report->body;
  const char *const name = study->name ? study->name : "";
  char *const scratch = shk_scratch_make(), *const safe = shk_printed_text(print_escaped, name);
  shk_append_text(&report->title, "%s%s", report->title ? ", " : "", safe);
  free(safe);
  put_report(out, "h2", name);
  put_report(out, "p", study->purpose);
  fputs("<h3>Verdicts</h3>\n", out);
  put_findings(out, analysis);
  fputs("<h3>Figures</h3>\n", out);
  const struct shk_plot_request request = {study,
                                           plan,
                                           records,
                                           parts,
                                           analysis,
                                           {scratch, types, NULL},
                                           plan->group_count > FEW_PROBLEMS ? SHK_MOST_IN_SUMMARY
                                                                            : 0};
  const int known = report->provenance.count;
  const bool drawn = scratch ? put_figures(out, &request, error)
                             : shk_message_set(error, "no folder can be made in TMPDIR");
  shk_scratch_remove(scratch);
  free(scratch);
  fputs("<h3>Records</h3>\n", out);
  put_records(report, plan, records);
  fputs("<details><summary>The study file</summary>", out);
  put_report(out, "pre", study->text);
  fputs("</details>\n", out);
  return drawn && put_provenance(report, known, error);
}

void shk_report_complete(struct shk_report *report)
{
  fflush(report->body);
  const XXH128_hash_t hash = XXH3_128bits(report->text, report->size);
  snprintf(report->nonce, sizeof report->nonce, "%016llx%016llx", (unsigned long long)hash.high64,
           (unsigned long long)hash.low64);
}

/* Builds a report, which consists of the HTML for its studies and the page around it. See
 * report.h. */
#include "plots/report/report.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "plots/report/elements.h"
#include "plots/report/figures.h"
#include "plots/report/verdicts.h"
#include "results/export/export.h"
#include "results/record/cell_text.h"
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Limits that keep the page small enough to send and open. For the largest studies, it takes up
 * about 20 MB. */
enum { MOST_RECORDS = 5000, MOST_OUTPUT = 2000 };

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

static void print_escaped(FILE *out, const void *text)
{
  shk_print_xml(out, text);
}

/* ---- records ---- */

/* Writes an option of a shell command and its value, or nothing if the value is NULL. */
static void add_word(FILE *out, const char *before, const char *text)
{
  if (!text)
    return;
  fputs(before, out);
  shk_print_shell(out, text);
}

/* Writes the shell command that reproduces a cell. */
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
  add_word(out, " --kick ", cell->kick);
}

/* The columns of the table of records. The step column is omitted if no cell has a step. */
enum { STEP = 4, STATUS = 6, ALL_COLUMNS = 0xff };

/* Returns the step size or tolerance of a cell, or "" if it has neither. */
static const char *step_of(const struct shk_cell *cell)
{
  return cell->tolerance ? cell->tolerance : cell->step ? cell->step : "";
}

static void put_record(struct shk_report *report, const struct shk_planned *planned,
                       const struct shk_record *record, unsigned columns)
{
  const struct shk_cell *const cell = &planned->cell;
  /* ensembles and some other kinds of cells cannot be reproduced without the study */
  const bool alone = strcmp(cell->kind, "run") == 0 && cell->step && cell->member_count == 0;
  FILE *const out = report->body;
  char *const problem = shk_cell_problem(cell),
              *const command = alone ? shk_printed_text(print_command, cell) : NULL,
              *const output = record && record->output
                                  ? shk_print_text("%.*s", MOST_OUTPUT, record->output)
                                  : NULL;
  char reason[SHK_MESSAGE_SIZE] = "";
  if (record && !shk_record_finished(record))
    shk_record_reason(reason, sizeof reason, record);
  const char *const fields[] = {
      problem,       cell->integrator, cell->precision,          cell->kind,
      step_of(cell), cell->until,      shk_record_status(record)};
  fputs("<tr>", out);
  for (int i = 0; i < STATUS + 1; i++)
    if (columns >> i & 1)
      shk_put_element(out, "td", fields[i]);
  fputs("<td>", out);
  shk_put_element(out, "p", reason);
  shk_put_element(out, "code", command);
  shk_put_element(out, "pre", output);
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
  unsigned columns = ALL_COLUMNS & ~(1U << STEP);
  for (int i = 0; i < plan->count; i++)
    columns |= *step_of(&plan->cells[i].cell) != '\0' ? 1U << STEP : 0;
  shk_begin_table(report->body, false, plan->count, "cells", heads, columns);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < plan->count && shown < MOST_RECORDS; i++)
      if (shk_record_finished(records[i]) == (pass == 1)) {
        put_record(report, &plan->cells[i], records[i], columns);
        shown++;
      }
  shk_end_table(report->body);
  if (shown < plan->count)
    shk_put_limit(report->body, plan->count, "cells", "records");
}

/* ---- provenance ---- */

/* Writes each provenance entry of the last study's records that does not occur in an earlier study.
 * These are the entries from index `from` on. */
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
      shk_put_element(out, "dt", text && *text ? shk_provenance_texts[k].column : "");
      shk_put_element(out, "dd", text);
    }
    fputs("</dl>\n", out);
    shk_provenance_clear(&p);
  }
  fputs("</details>\n", out);
  return true;
}

/* ---- the page ---- */

/* Lists at most 5,000 cells, starting with unfinished ones, and at most 20,000 values, starting
 * with those that are falsified, failed or undecided. The page gives the total numbers. */
bool shk_report_add(struct shk_report *report, const struct shk_study *study,
                    const struct shk_plan *plan, const struct shk_record *const *records,
                    struct shk_records *parts, const struct shk_analysis *analysis,
                    const char *results, struct shk_message *error)
{
  FILE *const out = report->body;
  const char *const name = study->name ? study->name : "";
  char *const safe = shk_printed_text(print_escaped, name);
  const struct shk_plot_request request = {study, plan, records, parts, analysis, {NULL}, 0};
  const int known = report->provenance.count;
  shk_append_text(&report->title, "%s%s", report->title ? ", " : "", safe);
  free(safe);
  shk_put_element(out, "h2", name);
  putc('\n', out);
  shk_put_paragraphs(out, study->purpose);
  fprintf(out, "<h3>Results</h3>\n%s<h3>Figures</h3>\n", results);
  const bool drawn = shk_put_figures(out, &request, error);
  fputs("<h3>Verdicts</h3>\n", out);
  shk_put_verdicts(out, analysis);
  fputs("<h3>Records</h3>\n", out);
  put_records(report, plan, records);
  fputs("<details><summary>The study file</summary>", out);
  shk_put_element(out, "pre", study->text);
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

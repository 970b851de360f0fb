/* A report: HTML of its studies, and the page around it. See report.h. */
#include "plots/report/report.h"
#include "build_facts.h"
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

struct shk_report {
  struct shk_store *store;
  char *title; /* names of the studies, joined */
  FILE *body;
  char *text;
  size_t size;
  struct shk_index provenance; /* numbers of the provenance of records on the page */
};

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

/* Writes an element; nothing but a cell of a table if the text is empty or NULL. */
static void put(FILE *out, const char *tag, const char *text)
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
    put(out, "td", *texts);
}

/* Writes a cell of a table that sorts by its number. */
static void put_number(FILE *out, double value)
{
  if (isnan(value))
    fputs("<td></td>", out);
  else
    fprintf(out, "<td data-value=\"%.17g\">%.4g</td>", value, value);
}

static void put_base64(FILE *out, const char *bytes, size_t size)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (size_t i = 0; i < size; i += 3) {
    unsigned word = 0;
    for (size_t k = 0; k < 3; k++)
      word = word << 8 | (i + k < size ? (unsigned char)bytes[i + k] : 0);
    for (size_t k = 0; k < 4; k++)
      putc(i + k > size ? '=' : digits[word >> (18 - 6 * k) & 63], out);
  }
}

static void begin_table(FILE *out, const char *summary, int count, const char *const *heads)
{
  fprintf(out,
          "<details><summary>%d %s</summary><div class=\"scroll\"><table data-name=\"%s\"><thead>"
          "<tr>",
          count, summary, summary);
  for (; *heads; heads++)
    put(out, "th", *heads);
  fputs("</tr></thead><tbody>\n", out);
}

static void end_table(FILE *out)
{
  fputs("</tbody></table></div></details>\n", out);
}

/* ---- verdicts and values ---- */

/* True for values that are on the page before others. */
static bool is_telling(const struct shk_finding *f)
{
  return f->verdict == SHK_VERDICT_FALSIFIED || f->verdict == SHK_VERDICT_UNDECIDED ||
         f->verdict == SHK_VERDICT_FAILED;
}

static void put_finding(FILE *out, const struct shk_finding *f)
{
  const char *const word = f->verdict != SHK_VERDICT_NONE ? shk_verdict_word(f->verdict) : "";
  begin_row(out, (const char *const[]){f->problem, f->integrator, f->precision, f->quantity, NULL});
  if (f->word)
    put(out, "td", f->word);
  else
    put_number(out, f->value);
  put_number(out, f->uncertainty);
  put(out, "td", f->expected);
  fprintf(out, "<td class=\"%s\">%s</td>", word, word);
  put(out, "td", f->reason);
  fputs("</tr>\n", out);
}

static void put_findings(FILE *out, const struct shk_analysis *analysis)
{
  static const char *const heads[] = {"problem",     "integrator", "precision", "quantity", "value",
                                      "uncertainty", "expected",   "verdict",   "reason",   NULL};
  int telling = 0, shown = 0;
  for (int i = 0; i < analysis->finding_count; i++)
    telling += is_telling(&analysis->findings[i]);
  begin_table(out, "values", analysis->finding_count, heads);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < analysis->finding_count && shown < MOST_FINDINGS; i++)
      if (is_telling(&analysis->findings[i]) == (pass == 0)) {
        put_finding(out, &analysis->findings[i]);
        shown++;
      }
  end_table(out);
  if (shown < analysis->finding_count)
    fprintf(out,
            "<p>%d values in all; these are the %d that are falsified, undecided or failed, and "
            "the first others; <code>shakedown show STORE --values</code> has all.</p>\n",
            analysis->finding_count, telling);
}

/* Writes the number of each verdict, and each finding that is not held with its reason. */
static void put_verdicts(FILE *out, const struct shk_analysis *analysis)
{
  static const enum shk_verdict verdicts[] = {SHK_VERDICT_HELD, SHK_VERDICT_FALSIFIED,
                                              SHK_VERDICT_FAILED, SHK_VERDICT_UNDECIDED,
                                              SHK_VERDICT_REFUSED};
  enum { MOST_LISTED = 200 };
  for (size_t v = 0; v < sizeof verdicts / sizeof *verdicts; v++) {
    const char *const word = shk_verdict_word(verdicts[v]);
    char *list = shk_copy_text("");
    int count = 0;
    for (int i = 0; i < analysis->finding_count; i++) {
      const struct shk_finding *const f = &analysis->findings[i];
      count += f->verdict == verdicts[v];
      if (f->verdict == verdicts[v] && v > 0 && count <= MOST_LISTED)
        shk_append_text(&list, "%s of %s on %s, %s%s%s\n", f->quantity, f->integrator, f->problem,
                        f->precision, f->reason ? ": " : "", f->reason ? f->reason : "");
    }
    fprintf(out, "<details%s><summary class=\"%s\">%d %s</summary><ul>",
            count > 0 && (v == 1 || v == 2) ? " open" : "", count > 0 ? word : "", count, word);
    for (char *rest = list, *line; (line = strsep(&rest, "\n")) && *line;)
      put(out, "li", line);
    fputs(v > 0 && count > MOST_LISTED ? "<li>more in the table of values</li>" : "", out);
    fputs("</ul></details>\n", out);
    free(list);
  }
}

/* ---- records ---- */

/* Writes a word of a shell command, quoted if necessary, after `before`; nothing for NULL. */
static void add_word(FILE *out, const char *before, const char *text)
{
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.,=+/:@%";
  if (!text)
    return;
  fputs(before, out);
  if (*text && !text[strspn(text, plain)])
    fputs(text, out);
  else
    shk_print_shell(out, text);
}

/* The command that reproduces the cell. */
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
  /* Other cells are made by studies only. */
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
  put(out, "p", reason);
  put(out, "code", command);
  put(out, "pre", output);
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
  begin_table(report->body, "cells", plan->count, heads);
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < plan->count && shown < MOST_RECORDS; i++)
      if (shk_record_finished(records[i]) == (pass == 1)) {
        put_record(report, &plan->cells[i], records[i]);
        shown++;
      }
  end_table(report->body);
  if (shown < plan->count)
    fprintf(report->body,
            "<p>%d cells in all; these are the ones that did not finish and the first others; "
            "<code>shakedown show STORE --records</code> has all.</p>\n",
            plan->count);
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
      fprintf(out,
              "<details%s><summary>%s</summary><img alt=\"%s\" loading=\"lazy\" "
              "src=\"data:image/svg+xml;base64,",
              i == 0 ? " open" : "", names[i], names[i]);
      put_base64(out, svg, length);
      fputs("\"></details>\n", out);
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
  const bool ok = request->directory && shk_plot_all(&plotted, request, error) &&
                  put_drawings(out, request->directory, error);
  if (ok && plotted.left_out > 0)
    fprintf(out, "<p>No figures are drawn of %d more problems.</p>\n", plotted.left_out);
  if (ok && plotted.passed_over)
    fputs("<p>The figures are a choice; <code>shakedown plot STORE --all</code> draws every "
          "one.</p>\n",
          out);
  return ok;
}

/* Writes the provenance that the last study's records added. */
static bool put_provenance(struct shk_report *report, int from, struct shk_message *error)
{
  FILE *const out = report->body;
  fputs("<details><summary>Provenance</summary>\n", out);
  for (int i = from; i < report->provenance.count; i++) {
    struct shk_provenance p = {0};
    if (!shk_store_provenance(report->store, &p, atol(report->provenance.texts[i]), error))
      return false;
    const char *const facts[][2] = {{"version", p.version},  {"revision", p.revision},
                                    {"sources", p.source},   {"compiler", p.compiler},
                                    {"flags", p.flags},      {"processor", p.processor},
                                    {"system", p.system},    {"libraries", p.libraries},
                                    {"plug-ins", p.plugins}, {"date", p.date}};
    fputs("<dl>", out);
    for (size_t k = 0; k < sizeof facts / sizeof *facts; k++)
      if (facts[k][1] && *facts[k][1]) {
        put(out, "dt", facts[k][0]);
        put(out, "dd", facts[k][1]);
      }
    fputs("</dl>\n", out);
    shk_provenance_clear(&p);
  }
  fputs("</details>\n", out);
  return true;
}

/* ---- the page ---- */

/* At most 5,000 cells are listed, those that did not finish first; and at most 20,000 values, those
 * that are falsified, undecided or failed first. The page tells how many are omitted. */
bool shk_report_add(struct shk_report *report, const struct shk_study *study,
                    const struct shk_plan *plan, const struct shk_record *const *records,
                    struct shk_records *parts, const struct shk_analysis *analysis,
                    struct shk_message *error)
{
  static const char *const types[] = {"svg", NULL};
  FILE *const out = report->body;
  const char *const name = study->name ? study->name : "";
  char *const scratch = shk_scratch_make();
  shk_append_text(&report->title, "%s%s", report->title ? ", " : "", name);
  put(out, "h2", name);
  put(out, "p", study->purpose);
  fputs("<h3>Verdicts</h3>\n", out);
  put_verdicts(out, analysis);
  fputs("<h3>Figures</h3>\n", out);
  const struct shk_plot_request request = {
      study,    plan,
      records,  parts,
      analysis, scratch,
      types,    plan->group_count > FEW_PROBLEMS ? SHK_PLOT_SUMMARY : SHK_PLOT_EVERYTHING};
  const int known = report->provenance.count;
  const bool drawn = put_figures(out, &request, error);
  shk_scratch_remove(scratch);
  free(scratch);
  fputs("<h3>Tables</h3>\n", out);
  put_findings(out, analysis);
  put_records(report, plan, records);
  fputs("<details><summary>The study file</summary>", out);
  put(out, "pre", study->text);
  fputs("</details>\n", out);
  return drawn && put_provenance(report, known, error);
}

/* Writes the page, with each name between two @ replaced by its contents. */
static void fill_page(FILE *out, const struct shk_report *report, const char *page)
{
  const XXH128_hash_t hash = XXH3_128bits(report->text, report->size);
  char *const nonce = shk_print_text("%016llx%016llx", (unsigned long long)hash.high64,
                                     (unsigned long long)hash.low64);
  char *const title = shk_printed_text(print_escaped, report->title ? report->title : "no study");
  const char *const parts[][2] = {
      {"@nonce@", nonce}, {"@title@", title}, {"@version@", SHK_VERSION}, {"@body@", report->text}};
  enum { PARTS = sizeof parts / sizeof *parts };
  for (const char *at = page; *at;) {
    size_t k = 0;
    while (k < PARTS && strncmp(at, parts[k][0], strlen(parts[k][0])) != 0)
      k++;
    if (k == PARTS) {
      putc(*at++, out);
    } else {
      fputs(parts[k][1], out);
      at += strlen(parts[k][0]);
    }
  }
  free(title);
  free(nonce);
}

bool shk_report_write(struct shk_report *report, const char *page, const char *folder,
                      struct shk_message *error)
{
  char *text = NULL;
  size_t size = 0, length;
  bool ok = false;
  char *const frame = shk_read_file(page, 1 << 20, "part of a report", &length, error);
  FILE *const out = frame && fflush(report->body) == 0 ? open_memstream(&text, &size) : NULL;
  if (out) {
    fill_page(out, report, frame);
    ok = fclose(out) == 0 && shk_make_directory(folder, error) &&
         shk_write_text(folder, "index.html", text, size, error);
  }
  free(text);
  free(frame);
  return ok;
}

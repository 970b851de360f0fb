/*
 * Limits of what is made of a large study, on a made-up one just beyond them: a page holds so many
 * cells and values, all that tell something among them, and says of how many. Those of figures are in
 * tests/documents/cli.sh.
 */
#include "foundation/memory.h"
#include "plots/report/report.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"

static char *methods[] = {(char *)"rattle"};
static struct shk_study_run run = {.integrators = {.count = 1, .texts = methods}};
static const struct shk_study study = {.name = (char *)"large", .run_count = 1, .runs = &run};

struct large {
  struct shk_plan plan;
  struct shk_record *owned;
  const struct shk_record **records;
};

/* So many problems with a cell each; what became of it is left to the caller. */
static struct large make(int problems)
{
  const size_t count = (size_t)problems;
  struct large it = {.plan = {.context = &test_context, .count = problems, .group_count = problems},
                     .owned = shk_allocate(count, sizeof *it.owned),
                     .records = shk_allocate(count, sizeof *it.records)};
  it.plan.cells = shk_allocate(count, sizeof *it.plan.cells);
  for (int i = 0; i < problems; i++) {
    const struct shk_cell cell = {.kind = (char *)"run",
                                  .problem = shk_print_text("made%d", i + 1),
                                  .integrator = methods[0],
                                  .precision = (char *)"double",
                                  .step = (char *)"0.1",
                                  .until = (char *)"10"};
    it.plan.cells[i] = (struct shk_planned){.cell = cell, .group = i};
    it.owned[i] = (struct shk_record){.cell = cell};
    it.records[i] = &it.owned[i];
  }
  return it;
}

static void clear(struct large *it)
{
  for (int i = 0; i < it->plan.count; i++) {
    free(it->plan.cells[i].cell.problem);
    shk_outcome_clear(&it->owned[i].outcome);
  }
  free(it->plan.cells);
  free(it->owned);
  free(it->records);
}

static int times_in(const char *text, const char *what)
{
  int count = 0;
  for (const char *at = text; at && (at = strstr(at, what)) != NULL; at += strlen(what))
    count++;
  return count;
}

/* What tells something comes last, where a page that just stopped would not have it. */
static void test_report(void)
{
  enum { CELLS = 21000, VALUES = 63000, TELLING = 2, NUMBERS = 30, CHATTER = 4000 };
  struct large it = make(CELLS);
  struct shk_finding *const findings = shk_allocate(VALUES, sizeof *findings);
  for (int i = 0; i < VALUES; i++)
    findings[i] = (struct shk_finding){.problem = (char *)"made1",
                                       .integrator = methods[0],
                                       .precision = (char *)"double",
                                       .quantity = (char *)"constraint max",
                                       .value = 1,
                                       .uncertainty = NAN,
                                       .verdict = SHK_VERDICT_HELD};
  for (int i = 1; i <= TELLING; i++) {
    it.records[CELLS - i] = NULL;
    findings[VALUES - i].verdict = SHK_VERDICT_FALSIFIED;
  }
  struct shk_message error = {.text = ""};
  struct shk_store *const store = shk_store_open(NULL, SHK_STORE_WRITE, &error);
  char nothing[] = "";
  const struct shk_provenance where = {.version = nothing,
                                       .revision = nothing,
                                       .source = nothing,
                                       .compiler = nothing,
                                       .flags = nothing,
                                       .processor = nothing,
                                       .system = nothing,
                                       .libraries = nothing,
                                       .plugins = nothing,
                                       .date = nothing};
  const long row = store ? shk_store_add_provenance(store, &where, &error) : 0;
  /* Each with as many numbers as runs have, and what a chatty program prints. */
  TEXT chatter = shk_allocate(CHATTER + 1, 1);
  memset(chatter, 'x', CHATTER);
  for (int i = 0; i < CELLS; i++) {
    it.owned[i].provenance = row;
    it.owned[i].output = chatter;
    for (int k = 0; k < NUMBERS; k++) {
      char name[40];
      snprintf(name, sizeof name, "a number of the run with a name %d", k);
      shk_outcome_add_scalar(&it.owned[i].outcome, name, sqrt(i + k));
    }
  }
  const struct shk_analysis analysis = {.finding_count = VALUES, .findings = findings};
  struct shk_report *const report = shk_report_make(store);
  const bool written =
      row > 0 && shk_report_add(report, &study, &it.plan, it.records, NULL, &analysis, &error);
  shk_report_complete(report);
  const char *const page = report->text;
  tap_ok(written, "a page of a large study is written %s", error.text);
  tap_is_int(times_in(page, "<tr><td>made"), 5000 + 20000,
             "5,000 of its cells and 20,000 of its values are on the page");
  tap_ok(strstr(page, "21000 cells in all; these are") &&
             strstr(page, "63000 values in all; these are"),
         "which says how many there are");
  tap_is_int(times_in(page, "<td>not-run</td>"), TELLING, "the last two, unfinished, are there");
  tap_ok(strstr(page, "<summary class=\"falsified\">2 falsified</summary>"),
         "the last two, falsified, are there");
  const size_t size = strlen(page);
  tap_ok(size > 1 << 20 && size < 30 << 20,
         "of 21,000 cells the page is smaller than 30 MB: %zu bytes", size);
  shk_report_free(report);
  if (store)
    shk_store_close(store, &error);
  free(findings);
  clear(&it);
}

int main(void)
{
  test_report();
  return tap_done();
}

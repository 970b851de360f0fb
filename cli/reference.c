/*
 * shakedown reference: a problem's solution with the digits that are certain.
 *
 * Two computations in quadruple precision that have to agree: the exact solution and the reference
 * integrator where the problem has the former, otherwise the reference integrator at two
 * tolerances. The value printed is that of the better one; its certain digits are those on which
 * both agree, so that they say nothing of an error that both have in common.
 */
#include "cli/options.h"
#include "cli/times.h"

#include "engine/engine.h"
#include "foundation/memory.h"
#include "harness/cell_text.h"
#include "harness/decimal.h"
#include "harness/remote.h"
#include "harness/scheduler.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELLS = 2, CHECK = 0, BEST = 1, MOST_DIGITS = 34 };

struct reference {
  const char *until, *times, *q, *p, *store;
  long jobs;
  bool project, recompute, quiet;
  struct shk_arguments arguments;
  struct shk_inspection inspection;
  struct shk_cell cells[CELLS];
};

/* ---- what is computed ---- */

static int by_size(const void *a, const void *b)
{
  struct shk_decimal x, y;
  shk_decimal_read(&x, *(char *const *)a);
  shk_decimal_read(&y, *(char *const *)b);
  return shk_decimal_compare(x, y);
}

/* The times given, in order and each once; `until` is the last. */
static bool fill_times(struct shk_cell *cell, const struct reference *r, struct shk_message *error)
{
  char natural[32];
  snprintf(natural, sizeof natural, "%.3g", r->inspection.horizon);
  if (r->until != NULL || r->times == NULL) {
    cell->until = shk_positive_number("until", r->until != NULL ? r->until : natural, error);
    if (cell->until == NULL)
      return false;
    cell->times = shk_grow(NULL, 0, sizeof *cell->times);
    cell->times[cell->time_count++] = shk_copy_text(cell->until);
  }
  char *copy = shk_copy_text(r->times), *rest = copy;
  bool good = true;
  for (char *piece; good && (piece = strsep(&rest, ",")) != NULL;) {
    char *time = shk_positive_number("times", piece, error);
    good = time != NULL;
    if (good) {
      cell->times = shk_grow(cell->times, (size_t)cell->time_count, sizeof *cell->times);
      cell->times[cell->time_count++] = time;
    }
  }
  free(copy);
  if (!good)
    return false;
  qsort(cell->times, (size_t)cell->time_count, sizeof *cell->times, by_size);
  int kept = 1;
  for (int i = 1; i < cell->time_count; i++)
    if (strcmp(cell->times[i], cell->times[kept - 1]) == 0)
      free(cell->times[i]);
    else
      cell->times[kept++] = cell->times[i];
  cell->time_count = kept;
  if (cell->until != NULL && strcmp(cell->until, cell->times[kept - 1]) != 0) {
    shk_message_set(error, "--times: %s is beyond --until %s", cell->times[kept - 1], cell->until);
    return false;
  }
  if (cell->until == NULL)
    cell->until = shk_copy_text(cell->times[kept - 1]);
  return true;
}

static bool fill_cells(struct reference *r, struct shk_message *error)
{
  struct shk_cell *check = &r->cells[CHECK], *best = &r->cells[BEST];
  check->problem = shk_canonical_problem(r->arguments.words[0], error);
  if (check->problem == NULL || !shk_inspect(&r->inspection, "quad", check->problem, error))
    return false;
  if ((r->q == NULL) != (r->p == NULL)) {
    shk_message_set(error, "--q and --p go together: a start has coordinates and momenta");
    return false;
  }
  if (r->project && r->q == NULL) {
    shk_message_set(error, "--project: there is no explicit start (--q, --p) to project");
    return false;
  }
  check->kind = shk_copy_text("run");
  check->precision = shk_copy_text("quad");
  check->q = shk_copy_text(r->q);
  check->p = shk_copy_text(r->p);
  check->project = r->project;
  if (!fill_times(check, r, error))
    return false;
  const bool exact = r->inspection.exact && r->q == NULL;
  shk_cell_copy(best, check);
  check->integrator = shk_copy_text("reference");
  check->tolerance = shk_copy_text(exact ? SHK_REFERENCE_TOLERANCE : SHK_REFERENCE_CHECK_TOLERANCE);
  best->integrator = shk_copy_text(exact ? "exact" : "reference");
  best->tolerance = exact ? NULL : shk_copy_text(SHK_REFERENCE_TOLERANCE);
  return true;
}

/* ---- what is shown ---- */

/* Decimal digits on which the two numbers agree. */
static int common_digits(const char *a, const char *b)
{
  double difference, size;
  if (!shk_engine_f128.difference(&difference, &size, a, b) || !isfinite(difference))
    return 0;
  if (difference == 0)
    return MOST_DIGITS;
  const double digits = -log10(difference / size);
  return digits <= 0 ? 0 : digits >= MOST_DIGITS ? MOST_DIGITS : (int)digits;
}

static void add_block(struct shk_table *table, const char *time, const char *letter,
                      const char *values, const char *check)
{
  char *copies[2] = {shk_copy_text(values), shk_copy_text(check)};
  char *rests[2] = {copies[0], copies[1]};
  for (int i = 1;; i++) {
    const char *value = strsep(&rests[0], " "), *other = strsep(&rests[1], " ");
    if (value == NULL || other == NULL)
      break;
    char *name = shk_print_text("%s%d", letter, i);
    char *digits = shk_print_text("%d", common_digits(other, value));
    shk_table_add(table, (const char *const[]){time, name, value, digits});
    free(name);
    free(digits);
  }
  free(copies[0]);
  free(copies[1]);
}

static const struct shk_sample *sample_at(const struct shk_record *record, const char *time)
{
  for (int i = 0; i < record->outcome.sample_count; i++)
    if (strcmp(record->outcome.samples[i].time, time) == 0)
      return &record->outcome.samples[i];
  return NULL;
}

static int show(const struct reference *r, struct shk_record *const *records)
{
  static const struct {
    const char *block, *letter;
  } blocks[] = {{"q", "q"}, {"p", "p"}, {"lambda-state", "lambda"}};
  static const char *const names[] = {"t", "component", "value", "digits"};
  static const enum shk_alignment sides[] = {SHK_ALIGN_RIGHT, SHK_ALIGN_LEFT, SHK_ALIGN_LEFT,
                                             SHK_ALIGN_RIGHT};
  for (int i = 0; i < CELLS; i++) {
    const struct shk_record *record = records[i];
    if (record != NULL && record->end == SHK_END_FINISHED && record->outcome.code == SHK_OK)
      continue;
    char reason[256] = "it was not run";
    if (record != NULL)
      shk_record_reason(reason, sizeof reason, record);
    shk_complain("%s: no reference: %s: %s", r->cells[i].problem, r->cells[i].integrator, reason);
    return SHK_EXIT_INCOMPLETE;
  }
  struct shk_table table;
  shk_table_init(&table, sizeof names / sizeof names[0], names, sides);
  for (int i = 0; i < r->cells[BEST].time_count; i++) {
    const char *since = r->cells[BEST].times[i];
    const struct shk_sample *best = sample_at(records[BEST], since),
                            *check = sample_at(records[CHECK], since);
    /* Samples count from the problem's initial time, which is zero nearly always. */
    char *time = r->inspection.initial_time == 0
                     ? shk_copy_text(since)
                     : shk_print_text("%.15g", r->inspection.initial_time + strtod(since, NULL));
    for (size_t k = 0; k < sizeof blocks / sizeof blocks[0]; k++) {
      const char *values = best != NULL ? shk_sample_block(best, blocks[k].block) : NULL;
      const char *others = check != NULL ? shk_sample_block(check, blocks[k].block) : NULL;
      if (values != NULL && others != NULL)
        add_block(&table, time, blocks[k].letter, values, others);
    }
    free(time);
  }
  const bool empty = table.row_count == 0;
  if (empty)
    shk_complain("%s: the records keep no states: %d coordinates are too many",
                 r->cells[BEST].problem, r->inspection.n);
  else
    shk_table_print(stdout, &table, r->arguments.format);
  shk_table_clear(&table);
  return empty ? SHK_EXIT_INCOMPLETE : SHK_EXIT_HELD;
}

/* ---- the run ---- */

/* Puts what was computed in a store of its own into the one on disk, in place of what is there. */
static bool keep(struct shk_store *store, struct shk_store *fresh,
                 struct shk_record *const *records, struct shk_message *error)
{
  for (int i = 0; i < CELLS; i++) {
    struct shk_provenance provenance;
    if (records[i] == NULL)
      continue;
    if (!shk_store_provenance(fresh, &provenance, records[i]->provenance, error))
      return false;
    struct shk_record moved = *records[i];
    moved.provenance = shk_store_add_provenance(store, &provenance, error);
    shk_provenance_clear(&provenance);
    char *text = shk_cell_text(&moved.cell);
    const bool good = moved.provenance != 0 && shk_store_put(store, &moved, text, error);
    free(text);
    if (!good)
      return false;
  }
  return true;
}

static int compute(const struct reference *r, struct shk_store *store)
{
  struct shk_message error = {.text = ""};
  struct shk_planned planned[CELLS];
  for (int i = 0; i < CELLS; i++)
    planned[i] =
        (struct shk_planned){.cell = r->cells[i],
                             .role = i == BEST ? SHK_ROLE_REFERENCE : SHK_ROLE_REFERENCE_CHECK,
                             .seconds = 3600,
                             .megabytes = SHK_DEFAULT_MEGABYTES};
  const struct shk_plan plan = {.count = CELLS, .group_count = 1, .cells = planned};
  struct shk_store *fresh =
      r->recompute || store == NULL ? shk_store_open(NULL, SHK_STORE_WRITE, &error) : NULL;
  struct shk_store *used = fresh != NULL ? fresh : store;
  struct shk_record **records = NULL;
  const struct shk_remote *remote = shk_used_plugins();
  const struct shk_schedule_options options = {
      .jobs = (int)r->jobs,
      .plugins = r->arguments.plugins,
      .plugin_count = r->arguments.plugin_count,
      .keys = remote != NULL ? shk_remote_keys(remote) : NULL,
      .plugin_text = remote != NULL ? shk_remote_plugins(remote) : NULL,
      .quiet = r->quiet};
  struct shk_schedule_result result;
  int status = SHK_EXIT_INCOMPLETE;
  if (used == NULL || !shk_schedule(&plan, used, &options, &result, &error) ||
      !shk_store_records(used, &records, &plan, &error))
    shk_complain("%s", error.text);
  else if (result.interrupted)
    shk_complain("interrupted");
  else if (fresh != NULL && store != NULL && !keep(store, fresh, records, &error))
    shk_complain("%s", error.text);
  else
    status = show(r, records);
  if (records != NULL)
    shk_records_free(records, CELLS);
  if (fresh != NULL)
    shk_store_close(fresh, &error);
  return status;
}

static int start(struct reference *r)
{
  struct shk_message error = {.text = ""};
  if (!shk_use_plugins(&r->arguments))
    return SHK_EXIT_BAD_INPUT;
  if (!fill_cells(r, &error)) {
    shk_complain("%s", error.text);
    return SHK_EXIT_BAD_INPUT;
  }
  struct shk_store *store = NULL;
  if (r->store != NULL && (store = shk_store_open(r->store, SHK_STORE_WRITE, &error)) == NULL) {
    shk_complain("%s", error.text);
    return SHK_EXIT_BAD_INPUT;
  }
  int status = compute(r, store);
  if (store != NULL && !shk_store_close(store, &error)) {
    shk_complain("%s", error.text);
    status = SHK_EXIT_INCOMPLETE;
  }
  return status;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct reference r = {0};
  const struct shk_flag flags[] = {
      {"until", 0, SHK_FLAG_TEXT, "T", "how long (default: the problem's generic horizon)",
       &r.until},
      {"times", 0, SHK_FLAG_TEXT, "T1,T2,…", "also (without --until: only) at these times",
       &r.times},
      {"q", 'q', SHK_FLAG_TEXT, "Q1,Q2,…", "start from these coordinates", &r.q},
      {"p", 'p', SHK_FLAG_TEXT, "P1,P2,…", "and these momenta", &r.p},
      {"project", 0, SHK_FLAG_SWITCH, NULL, "make that start consistent", &r.project},
      {"output", 'o', SHK_FLAG_TEXT, "STORE", "keep the records here, and take them from here",
       &r.store},
      {"recompute", 0, SHK_FLAG_SWITCH, NULL, "even if they are there", &r.recompute},
      {"jobs", 'j', SHK_FLAG_COUNT, "N", "worker processes", &r.jobs},
      {"quiet", 0, SHK_FLAG_SWITCH, NULL, "no progress", &r.quiet},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&r.arguments, &status, command, flags, 1, 1, argc, argv))
    status = start(&r);
  for (int i = 0; i < CELLS; i++)
    shk_cell_clear(&r.cells[i]);
  shk_arguments_clear(&r.arguments);
  return status;
}

const struct shk_command shk_command_reference = {
    .name = "reference",
    .synopsis = "PROBLEM [--until T] [-o STORE]",
    .summary = "Computes a reference solution and the digits of it that are certain",
    .help =
        "The columns are t,component,value,digits. Two computations in quadruple precision are\n"
        "compared: the exact solution, where there is one, and the reference integrator, or\n"
        "the latter at two tolerances. `digits` is how many both agree on.",
    .formats = 1u << SHK_FORMAT_TABLE | 1u << SHK_FORMAT_CSV | 1u << SHK_FORMAT_JSON,
    .run = run};

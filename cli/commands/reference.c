/*
 * shakedown reference: a problem's solution with the number of agreed digits.
 *
 * References that come with the program are printed at once. --recompute computes one
 * (harness/references/reference.h describes the method) through cell servers, and --write puts it
 * into a file of the same form. The number of agreed digits follows from several computations of
 * the same equations: an error in the problem's own functions is in all of them.
 */
#include "cli/shared/install_paths.h"
#include "cli/shared/output/terminal.h"

#include "cli/shared/study/run_study.h"
#include "cli/shared/times.h"
#include "engine/names.h"

#include "foundation/memory.h"
#include "harness/plan/plan_records.h"
#include "harness/references/reference.h"
#include "harness/study/decimal.h"
#include "results/record/cell_text.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { HORIZON_DIGITS = 3 };

struct reference {
  const char *until, *times, *q, *p, *store, *write;
  long jobs;
  bool project, recompute, quiet;
  struct shk_arguments arguments;
  struct shk_inspection inspection;
  struct shk_cell wanted; /* problem and start */
  struct shk_numbers at;  /* the sample times; the last is the end time */
  struct shk_cell cells[SHK_REFERENCE_CELLS];
};

/* ---- sample times ---- */

struct times {
  int count;
  struct shk_decimal *list;
};

static void add_time(struct times *times, struct shk_decimal time)
{
  times->list = shk_grow(times->list, (size_t)times->count, sizeof time);
  times->list[times->count++] = time;
}

static int by_size(const void *a, const void *b)
{
  const struct shk_decimal *const x = a, *const y = b;
  return shk_decimal_compare(*x, *y);
}

/* Reads `until`, which is zero if only --times was given, and the times as they were written. */
static bool read_times(struct shk_decimal *until, struct times *times, const struct reference *r,
                       struct shk_message *error)
{
  *until = shk_decimal_from_integer(0);
  if (!r->until && !r->times && !shk_decimal_round(until, r->inspection.horizon, HORIZON_DIGITS)) {
    shk_message_set(error, "%s has no natural horizon: give --until", r->wanted.problem);
    return false;
  }
  if (r->until && !shk_positive_number(until, "until", r->until, error))
    return false;
  if (until->coefficient != 0)
    add_time(times, *until);
  char *copy = shk_copy_text(r->times), *rest = copy;
  bool ok = true;
  for (char *piece; ok && (piece = strsep(&rest, ",")) != NULL;) {
    struct shk_decimal time;
    ok = shk_positive_number(&time, "times", piece, error);
    if (ok)
      add_time(times, time);
  }
  free(copy);
  return ok;
}

/* Sorts the times given and removes duplicates; `until` is the last. */
static bool fill_times(struct reference *r, struct shk_message *error)
{
  struct shk_decimal until;
  struct times times = {.count = 0};
  bool ok = read_times(&until, &times, r, error);
  if (ok)
    qsort(times.list, (size_t)times.count, sizeof *times.list, by_size);
  for (int i = 0; ok && i < times.count; i++)
    if (i == 0 || by_size(&times.list[i - 1], &times.list[i]) != 0)
      shk_numbers_add(&r->at, times.list[i]);
  if (ok && until.coefficient != 0 && by_size(&until, &times.list[times.count - 1]) != 0) {
    char *end = shk_decimal_text(until);
    shk_message_set(error, "--times: %s is beyond --until %s", r->at.texts[r->at.count - 1], end);
    free(end);
    ok = false;
  }
  free(times.list);
  return ok;
}

static bool fill_wanted(struct reference *r, struct shk_message *error)
{
  struct shk_cell *cell = &r->wanted;
  cell->problem = shk_canonical_problem(&r->arguments.context, r->arguments.words[0], error);
  if (!cell->problem ||
      !shk_inspect(&r->arguments.context, &r->inspection, "quad", cell->problem, error))
    return false;
  cell->kind = shk_copy_text("run");
  return shk_fill_start(cell, r->q, r->p, r->project, error) && fill_times(r, error);
}

/* ---- output ---- */

/* The time number i in the form that the rows of a reference have. */
static char *reference_time(const struct reference *r, int i)
{
  return shk_reference_time(r->at.texts[i], r->at.values[i], r->inspection.initial_time);
}

/* True if a row belongs to one of the times asked for; if none was given, all rows are wanted. */
static bool is_wanted(const struct reference *r, const char *time)
{
  bool any = !r->times && !r->until;
  for (int i = 0; i < r->at.count && !any; i++) {
    char *wanted = reference_time(r, i);
    any = strcmp(wanted, time) == 0;
    free(wanted);
  }
  return any;
}

static void show(const struct reference *r, const struct shk_reference *reference)
{
  static const char *const names[] = {"t", "component", "value", "digits"};
  static const enum shk_alignment sides[] = {SHK_ALIGN_RIGHT, SHK_ALIGN_LEFT, SHK_ALIGN_LEFT,
                                             SHK_ALIGN_RIGHT};
  struct shk_table table;
  shk_table_init(&table, sizeof names / sizeof names[0], names, sides);
  for (int i = 0; i < reference->row_count; i++) {
    const struct shk_reference_row *row = &reference->rows[i];
    char digits[16];
    snprintf(digits, sizeof digits, "%d", row->digits);
    if (is_wanted(r, row->time))
      shk_table_add(&table, (const char *const[]){row->time, row->component, row->value, digits});
  }
  shk_show_table(&table, r->arguments.format);
  shk_table_clear(&table);
  if (r->arguments.format != SHK_FORMAT_TABLE)
    return;
  fputs("\nby ", stdout);
  shk_print_plain(stdout, reference->method);
  putchar('\n');
  for (int i = 0; i < reference->check_count; i++) {
    const struct shk_reference_check *check = &reference->checks[i];
    shk_print_plain(stdout, check->method);
    printf(": agrees to %d digits in q, %d in p, %d in lambda\n",
           check->digits[SHK_GROUP_COORDINATES], check->digits[SHK_GROUP_MOMENTA],
           check->digits[SHK_GROUP_MULTIPLIERS]);
  }
}

/* ---- references that come with the program ---- */

static bool has_all_times(const struct reference *r, const struct shk_reference *reference)
{
  for (int i = 0; (r->times || r->until) && i < r->at.count; i++) {
    char *wanted = reference_time(r, i);
    bool there = false;
    for (int k = 0; k < reference->row_count && !there; k++)
      there = strcmp(reference->rows[k].time, wanted) == 0;
    free(wanted);
    if (!there)
      return false;
  }
  return true;
}

/* The times of a reference, separated by commas. */
static char *times_text(const struct shk_reference *reference)
{
  char *text = NULL;
  for (int i = 0; i < reference->row_count; i++) {
    const char *time = reference->rows[i].time;
    if (i > 0 && strcmp(time, reference->rows[i - 1].time) == 0)
      continue;
    shk_append_text(&text, "%s%s", text ? ", " : "", time);
  }
  return text;
}

static int show_committed(const struct reference *r)
{
  struct shk_message error = {.text = ""};
  struct shk_reference reference;
  char *folder = shk_data_folder("published");
  int status = SHK_EXIT_BAD_INPUT;
  if (!r->q && folder && shk_reference_find(&reference, folder, r->wanted.problem, &error)) {
    if (has_all_times(r, &reference)) {
      show(r, &reference);
      status = SHK_EXIT_HELD;
    } else {
      char *times = times_text(&reference);
      shk_complain("the reference of %s that comes with shakedown is at t = %s; --recompute "
                   "computes it at other times",
                   r->wanted.problem, times);
      free(times);
    }
    shk_reference_clear(&reference);
  } else if (error.text[0] != '\0') {
    shk_complain("%s", error.text);
  } else {
    shk_complain("no reference of %s%s comes with shakedown; --recompute computes one",
                 r->wanted.problem, r->q ? " from this start" : "");
  }
  free(folder);
  return status;
}

/* ---- the run ---- */

/* Moves the records from a store in memory to the one on disk, where they replace older ones. */
static bool keep(struct shk_store *store, struct shk_store *fresh,
                 const struct shk_record *const *records, struct shk_message *error)
{
  for (int i = 0; i < SHK_REFERENCE_CELLS; i++) {
    struct shk_provenance provenance;
    if (!records[i])
      continue;
    if (!shk_store_provenance(fresh, &provenance, records[i]->provenance, error))
      return false;
    struct shk_record moved = *records[i];
    moved.provenance = shk_store_add_provenance(store, &provenance, error);
    shk_provenance_clear(&provenance);
    char *text = shk_cell_text(&moved.cell);
    const bool ok = moved.provenance != 0 && shk_store_put(store, &moved, text, error);
    free(text);
    if (!ok)
      return false;
  }
  return true;
}

static bool write_file(const char *path, const struct shk_reference *reference)
{
  FILE *file = fopen(path, "w");
  if (file)
    shk_reference_print(file, reference);
  const bool whole = file != NULL && !ferror(file);
  if (!file || fclose(file) != 0 || !whole) {
    shk_complain("%s: %s", path, strerror(errno));
    return false;
  }
  return true;
}

static int conclude(const struct reference *r, const struct shk_record *const *records)
{
  struct shk_message error = {.text = ""};
  struct shk_reference reference;
  if (!shk_reference_make(&r->arguments.context, &reference, records, &r->at, &r->inspection,
                          &error)) {
    shk_complain("%s: %s", r->wanted.problem, error.text);
    return SHK_EXIT_INCOMPLETE;
  }
  show(r, &reference);
  const bool ok = !r->write || write_file(r->write, &reference);
  shk_reference_clear(&reference);
  return ok ? SHK_EXIT_HELD : SHK_EXIT_INCOMPLETE;
}

static int compute(const struct reference *r, struct shk_store *store)
{
  struct shk_message error = {.text = ""};
  struct shk_planned planned[SHK_REFERENCE_CELLS];
  for (int i = 0; i < SHK_REFERENCE_CELLS; i++)
    planned[i] = (struct shk_planned){.cell = r->cells[i],
                                      .role = i == SHK_REFERENCE_BEST ? SHK_ROLE_REFERENCE
                                                                      : SHK_ROLE_REFERENCE_CHECK,
                                      .seconds = 3600,
                                      .megabytes = SHK_DEFAULT_MEGABYTES};
  const struct shk_plan plan = {.context = &r->arguments.context,
                                .count = SHK_REFERENCE_CELLS,
                                .group_count = 1,
                                .cells = planned};
  struct shk_store *fresh =
      r->recompute || !store ? shk_store_open(NULL, SHK_STORE_WRITE, &error) : NULL;
  struct shk_store *used = fresh ? fresh : store;
  struct shk_schedule_options options = shk_schedule_asked(&r->arguments, r->jobs, r->quiet);
  options.untimed = !store;
  struct shk_schedule_result result;
  int status = SHK_EXIT_INCOMPLETE;
  struct shk_records *const stored = used && shk_schedule(&plan, used, &options, &result, &error)
                                         ? shk_plan_open_records(used, &plan, true, &error)
                                         : NULL;
  const struct shk_record *const *const all =
      stored ? shk_stored_records_all(stored, SHK_PART_ALL) : NULL;
  if (!all || !shk_stored_records_good(stored, &error))
    shk_complain("%s", error.text);
  else if (result.interrupted)
    shk_complain("interrupted");
  else if (fresh && store && !keep(store, fresh, all, &error))
    shk_complain("%s", error.text);
  else
    status = conclude(r, all);
  shk_stored_records_close(stored);
  shk_store_close(fresh, &error);
  return status;
}

static int start(struct reference *r)
{
  struct shk_message error = {.text = ""};
  if (!shk_use_plugins(&r->arguments))
    return SHK_EXIT_BAD_INPUT;
  if (!fill_wanted(r, &error)) {
    shk_complain("%s", error.text);
    return SHK_EXIT_BAD_INPUT;
  }
  if (!r->recompute && !r->store && !r->write)
    return show_committed(r);
  struct shk_store *store = NULL;
  if (!shk_reference_cells(&r->arguments.context, r->cells, &r->wanted, &r->at, &r->inspection,
                           &error) ||
      (r->store && (store = shk_store_open(r->store, SHK_STORE_WRITE, &error)) == NULL)) {
    shk_complain("%s", error.text);
    return SHK_EXIT_BAD_INPUT;
  }
  int status = compute(r, store);
  if (store && !shk_store_close(store, &error)) {
    shk_complain("%s", error.text);
    status = SHK_EXIT_INCOMPLETE;
  }
  return status;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct reference r = {0};
  const struct shk_flag flags[] = {
      {"until", 0, SHK_FLAG_TEXT, "T", "horizon (default: the problem's generic one)", &r.until},
      {"times", 0, SHK_FLAG_TEXT, "T1,T2,…", "also (without --until: only) at these times",
       &r.times},
      {"q", 'q', SHK_FLAG_TEXT, "Q1,Q2,…", "start from these coordinates", &r.q},
      {"p", 'p', SHK_FLAG_TEXT, "P1,P2,…", "and these momenta", &r.p},
      {"project", 0, SHK_FLAG_SWITCH, NULL, "make that start consistent", &r.project},
      {"recompute", 0, SHK_FLAG_SWITCH, NULL, "compute it, even if it comes with shakedown",
       &r.recompute},
      {"output", 'o', SHK_FLAG_TEXT, "STORE",
       "compute it; keep the records in this store and reuse them", &r.store},
      {"write", 'w', SHK_FLAG_TEXT, "FILE",
       "compute it and write it in the format of those that come with shakedown", &r.write},
      {"jobs", 'j', SHK_FLAG_COUNT, "N", "cell servers", &r.jobs},
      {"quiet", 0, SHK_FLAG_SWITCH, NULL, "no progress", &r.quiet},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&r.arguments, &status, command, flags, 1, 1, argc, argv))
    status = start(&r);
  shk_cell_clear(&r.wanted);
  shk_numbers_clear(&r.at);
  for (int i = 0; i < SHK_REFERENCE_CELLS; i++)
    shk_cell_clear(&r.cells[i]);
  shk_arguments_clear(&r.arguments);
  return status;
}

const struct shk_command shk_command_reference = {
    .name = "reference",
    .synopsis = "PROBLEM [--times T] [--recompute]",
    .summary = "Prints a reference solution with its number of agreed digits",
    .help = "The columns are t,component,value,digits; the force of the constraints is -Gᵀ\n"
            "lambda. A reference that comes with shakedown is printed at once. --recompute\n"
            "computes it in quadruple precision: by the exact solution, if known, or by the\n"
            "reference integrator with several settings, runs from perturbed starts and a\n"
            "composition of RATTLE of order 10. `digits` is the number of digits on which these\n"
            "agree, relative to the largest component of q, p or lambda, at most those left by\n"
            "the rounding of the start. Below the table are the digits of independent\n"
            "formulations: the composition, RADAU5, IDA.",
    .formats = 1u << SHK_FORMAT_TABLE | 1u << SHK_FORMAT_CSV | 1u << SHK_FORMAT_JSON,
    .run = run};

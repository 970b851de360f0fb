/*
 * shakedown reference: prints a problem's solution with the number of agreeing digits.
 *
 * References that come with the program are printed immediately. --recompute computes a reference
 * using workers (harness/references/reference.h describes the method), and --write writes it to a
 * file in the same format. The number of agreeing digits is determined from several computations,
 * all of which use the same equations. A mistake in the problem's own functions therefore affects
 * all of them.
 */
#include "cli/shared/install_paths.h"
#include "cli/shared/output/atomic_file.h"

#include "cli/shared/study/study_job.h"
#include "cli/shared/times.h"
#include "engine/names.h"

#include "foundation/files/file.h"
#include "foundation/files/yaml.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/plan/plan.h"
#include "harness/references/reference.h"
#include "harness/study/decimal.h"
#include <stdlib.h>
#include <string.h>

enum { HORIZON_DIGITS = 3 };

struct reference {
  struct shk_arguments arguments;
  const char *times, *write;
  bool recompute;
  struct shk_inspection inspection;
  struct shk_cell wanted; /* problem and start */
  struct shk_numbers at;  /* the sample times, the last of which is the end time */
  struct shk_cell cells[SHK_REFERENCE_CELLS];
};

/* ---- sample times ---- */

static int by_size(const void *a, const void *b)
{
  const struct shk_decimal *const x = a, *const y = b;
  return shk_decimal_compare(*x, *y);
}

/* Fills in the sample times, sorted and without duplicates: those given by --times or, by default,
 * the problem's horizon rounded to 3 digits. On failure, returns false and sets the reason. */
static bool fill_times(struct reference *r, struct shk_message *error)
{
  struct shk_decimal *times = NULL;
  int count = 0;
  bool ok = r->times ||
            shk_decimal_round(SHK_APPEND(times, count), r->inspection.horizon, HORIZON_DIGITS) ||
            shk_message_set(error, "%s has no natural horizon; use --times to choose the times",
                            r->wanted.problem);
  char *copy = shk_copy_text(r->times), *rest = copy;
  for (char *piece; ok && (piece = strsep(&rest, ",")) != NULL;)
    ok = shk_positive_number(SHK_APPEND(times, count), "times", piece, error);
  if (ok)
    qsort(times, (size_t)count, sizeof *times, by_size);
  for (int i = 0; ok && i < count; i++)
    if (i == 0 || by_size(&times[i - 1], &times[i]) != 0)
      shk_numbers_add(&r->at, times[i]);
  free(copy);
  free(times);
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
  return shk_fill_start(cell, &r->arguments, error) && fill_times(r, error);
}

/* ---- output ---- */

static void show_reference(const struct reference *r, const struct shk_reference *reference)
{
  struct shk_table table;
  shk_columns(&table, ">t|component|value|>digits");
  for (int i = 0; i < reference->row_count; i++) {
    const struct shk_reference_row *row = &reference->rows[i];
    char digits[16];
    snprintf(digits, sizeof digits, "%d", row->digits);
    shk_table_add(&table, (const char *const[]){row->time, row->component, row->value, digits});
  }
  shk_show_and_clear(&table, r->arguments.format);
  if (r->arguments.format != SHK_FORMAT_TABLE)
    return;
  shk_say("\nby %s", reference->method);
  for (int i = 0; i < reference->check_count; i++) {
    const struct shk_reference_check *check = &reference->checks[i];
    shk_say("%s: agrees to %d digits in q, %d in p, %d in lambda", check->method,
            check->digits[SHK_GROUP_COORDINATES], check->digits[SHK_GROUP_MOMENTA],
            check->digits[SHK_GROUP_MULTIPLIERS]);
  }
}

/* ---- references that come with the program ---- */

static bool is_same_file(const char *a, const char *b)
{
  struct shk_message unused;
  size_t length = 0, other = 0;
  char *const bytes = shk_read_file(a, SHK_YAML_LARGEST, "file", &length, &unused);
  char *const others = shk_read_file(b, SHK_YAML_LARGEST, "file", &other, &unused);
  const bool same = bytes && others && length == other && memcmp(bytes, others, length) == 0;
  free(bytes);
  free(others);
  return same;
}

/* If the file contains a system that comes with the program, or is a copy of such a file, returns
 * its path relative to the studies folder. Otherwise, returns NULL. */
static char *shipped_system(const char *path)
{
  static const char *const folders[] = {"mechanisms", "systems"};
  const char *const slash = strrchr(path, '/');
  for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
    char *const place = shk_print_text("%s/%s", folders[i], slash ? slash + 1 : path);
    char *const within = shk_print_text("studies/%s", place);
    char *const shipped = shk_data_file(within);
    const bool same = shipped && is_same_file(path, shipped);
    free(within);
    free(shipped);
    if (same)
      return place;
    free(place);
  }
  return NULL;
}

/* Returns the problem in the form used in references, where a file that comes with the program is
 * named by its path relative to the studies folder. Returns NULL for a user's file. */
static char *name_in_references(const char *problem)
{
  const char *const start = strstr(problem, "(file=\"");
  if (!start)
    return shk_copy_text(problem);
  const int before = (int)(start - problem) + 7, length = (int)strcspn(problem + before, "\"");
  char *const path = shk_print_text("%.*s", length, problem + before);
  char *const place = shipped_system(path);
  char *const name =
      place ? shk_print_text("%.*s%s%s", before, problem, place, problem + before + length) : NULL;
  free(path);
  free(place);
  return name;
}

static int show_committed(const struct reference *r)
{
  struct shk_message error = {""};
  struct shk_reference reference;
  char *const folder = shk_data_file("published");
  char *const name = name_in_references(r->wanted.problem);
  const bool found = folder && name && shk_reference_find(&reference, folder, name, &error);
  free(folder);
  free(name);
  if (*error.text != '\0')
    return shk_bad_input("%s", error.text);
  if (!found)
    return shk_bad_input("Shakedown ships no reference for %s; use --recompute to compute one",
                         r->wanted.problem);
  show_reference(r, &reference);
  shk_reference_clear(&reference);
  return SHK_EXIT_HELD;
}

/* ---- the run ---- */

static void print_reference(FILE *file, const void *what)
{
  shk_reference_print(file, what);
}

static int conclude_reference(const struct reference *r, const struct shk_record *const *records)
{
  struct shk_message error = {""};
  struct shk_reference reference;
  if (!shk_reference_make(&r->arguments.context, &reference, records, &r->at, &r->inspection,
                          &error))
    return shk_incomplete("%s: %s", r->wanted.problem, error.text);
  show_reference(r, &reference);
  const bool ok = !r->write || shk_write_file(r->write, print_reference, &reference);
  shk_reference_clear(&reference);
  return ok ? SHK_EXIT_HELD : SHK_EXIT_INCOMPLETE;
}

static int compute_reference(const struct reference *r, struct shk_store *store)
{
  struct shk_message error = {""};
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
  struct shk_schedule_options options = shk_schedule_asked(&r->arguments);
  options.untimed = true;
  struct shk_schedule_result result;
  int status = SHK_EXIT_INCOMPLETE;
  struct shk_records *const stored = shk_schedule(&plan, store, &options, &result, &error)
                                         ? shk_plan_open_records(store, &plan, true, &error)
                                         : NULL;
  const struct shk_record *const *const all =
      stored ? shk_stored_records_all(stored, SHK_PART_ALL) : NULL;
  if (!all || !shk_stored_records_good(stored, &error))
    shk_complain("%s", error.text);
  else if (result.interrupted)
    shk_complain("interrupted");
  else
    status = conclude_reference(r, all);
  shk_stored_records_close(stored);
  return status;
}

static int run_reference(void *self)
{
  struct reference *const r = self;
  struct shk_message error = {""};
  if (!fill_wanted(r, &error))
    return shk_bad_input("%s", error.text);
  if (!r->recompute && !r->times && !r->write && !r->arguments.q)
    return show_committed(r);
  struct shk_store *store = NULL;
  if (!shk_reference_cells(&r->arguments.context, r->cells, &r->wanted, &r->at, &r->inspection,
                           &error) ||
      (store = shk_store_open(NULL, SHK_STORE_WRITE, &error)) == NULL)
    return shk_bad_input("%s", error.text);
  const int status = compute_reference(r, store);
  return shk_store_close(store, &error) ? status : shk_incomplete("%s", error.text);
}

static void clear_reference(void *self)
{
  struct reference *const r = self;
  shk_cell_clear(&r->wanted);
  shk_numbers_clear(&r->at);
  for (int i = 0; i < SHK_REFERENCE_CELLS; i++)
    shk_cell_clear(&r->cells[i]);
}

#define AT(member) offsetof(struct reference, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(TEXT, "times", 0, AT(times), "T1,T2,…",
               "compute a reference at these times (default: the problem's generic horizon)"),
    SHK_SWITCH("recompute", 0, AT(recompute), "compute a reference even if Shakedown ships one"),
    SHK_OPTION(TEXT, "write", 'w', AT(write), "FILE",
               "compute a reference and write it in the format of the shipped references"),
    {0}};

const struct shk_command shk_command_reference = {
    .name = "reference",
    .synopsis = "PROBLEM [--times T1,T2,… | --recompute] [--write FILE]",
    .summary = "Prints a reference solution and the number of its reliable digits",
    .help = "The columns are t,component,value,digits; the constraint force is -Gᵀ lambda. A\n"
            "reference that comes with shakedown is printed at once. With --recompute, other\n"
            "times or another start, one is computed in quadruple precision from the exact\n"
            "solution or with the reference integrator. `digits` is the number of digits,\n"
            "relative to the largest component of q, p or lambda, to which runs with other\n"
            "settings, perturbed starts and other methods agree.",
    .formats = SHK_DATA,
    .line = {1, 1, SHK_TAKES_JOBS | SHK_TAKES_QUIET | SHK_TAKES_START, flags},
    .does = {sizeof(struct reference), run_reference, clear_reference}};

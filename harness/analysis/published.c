/* Comparison of our references with the literature. See published.h. */
#include "harness/analysis/published.h"

#include "foundation/memory.h"
#include "harness/analysis/report.h"
#include "harness/references/reference.h"
#include "harness/study/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two differences are distinct if they differ by this factor. */
static const double distinct = 3;

/* ---- a state, group by group ---- */

struct state {
  struct shk_vector blocks[SHK_PUBLISHED_GROUPS]; /* empty if the state is unknown */
  double constraint, hidden;
};

static bool is_known(const struct state *state)
{
  return state->blocks[SHK_PUBLISHED_POSITIONS].count > 0;
}

static void clear_blocks(struct shk_vector blocks[SHK_PUBLISHED_GROUPS])
{
  for (int k = 0; k < SHK_PUBLISHED_GROUPS; k++)
    shk_vector_clear(&blocks[k]);
}

/* Returns the state of a cell (negative: none) at a time; unknown if its record does not reach
 * it. */
static struct state state_of(const struct shk_families *all, int cell, const char *time)
{
  struct shk_records *const records = all->records;
  const struct shk_record *const record =
      cell < 0 ? NULL : records->take(records, cell, SHK_PART_STATES);
  const struct shk_sample *const sample =
      shk_record_finished(record) ? shk_outcome_sample(&record->outcome, time) : NULL;
  const struct shk_vector *const q = sample ? shk_sample_block(sample, "q") : NULL;
  const struct shk_vector *const p = sample ? shk_sample_block(sample, "p") : NULL;
  const struct shk_vector *const lambda = sample ? shk_sample_block(sample, "lambda-state") : NULL;
  struct shk_observation seen = {.constraint = NAN};
  struct state state = {.constraint = NAN};
  struct shk_message unused;
  if (q && p && lambda &&
      shk_finest_engine()->observe(all->plan->context, &seen, record->cell.problem, time, q, p,
                                   NULL, &unused)) {
    const struct shk_vector *const blocks[] = {q, &seen.v, lambda, &seen.energy};
    for (int k = 0; k < SHK_PUBLISHED_GROUPS; k++)
      state.blocks[k] = shk_vector_copy(blocks[k]->values, blocks[k]->count, blocks[k]->bits);
    state.constraint = seen.constraint;
    state.hidden = seen.hidden;
  }
  shk_observation_clear(&seen);
  if (cell >= 0)
    records->put_back(records, cell);
  return state;
}

/* Returns the i-th number alone; it shares the memory. */
static struct shk_vector number_of(const struct shk_vector *vector, int i)
{
  char *const values = vector->values;
  return (struct shk_vector){1, vector->bits, values + shk_vector_size(i, vector->bits)};
}

/* Returns the distance of two numbers at this place. */
static double distance(const struct shk_vector *a, const struct shk_vector *b, int i)
{
  const struct shk_vector x = number_of(a, i), y = number_of(b, i);
  double difference, none;
  return shk_difference(&difference, &none, &x, &y) ? difference : NAN;
}

/* ---- numbers as they were printed ---- */

struct printed {
  int digits;  /* significant digits; 0: the number is skipped */
  double unit; /* of the last digit, in our units */
};

/* A published value in our units and sign. */
struct theirs {
  const struct shk_literature *set;
  struct printed *numbers[SHK_PUBLISHED_GROUPS];
  struct shk_vector blocks[SHK_PUBLISHED_GROUPS]; /* 0 for a number that is skipped */
  bool whole[SHK_PUBLISHED_GROUPS];               /* no number is */
};

/* Reads a printed number and appends its value; false if it has more digits than can be multiplied
 * exactly. */
static bool read_printed(struct printed *printed, char **values, const char *text,
                         const char *factor)
{
  const char *const end = text + strcspn(text, "eE");
  const char *const point = memchr(text, '.', (size_t)(end - text));
  const int exponent = (point ? (int)(point + 1 - end) : 0) + (*end ? atoi(end + 1) : 0);
  struct shk_decimal value, by;
  if (!shk_decimal_read(&value, text) || !shk_decimal_read(&by, factor) ||
      by.coefficient > 1000000 || by.coefficient < -1000000 ||
      !shk_decimal_multiply(&value, value, (long long)by.coefficient))
    return false;
  value.exponent += value.coefficient != 0 ? by.exponent : 0;
  printed->unit = pow(10, exponent) * fabs(shk_decimal_approximate(by));
  for (const char *at = text + strspn(text, "+-0."); at < end; at++)
    printed->digits += *at != '.';
  char *const number = shk_decimal_text(value);
  shk_append_text(values, "%s ", number);
  free(number);
  return true;
}

/* Reads a group of the literature, of as many numbers as ours. */
static bool read_group(struct theirs *theirs, int k, int expected, struct shk_message *error)
{
  const struct shk_literature *const set = theirs->set;
  const struct shk_printed_numbers *const group = &set->groups[k];
  const bool scaled = k == SHK_PUBLISHED_MULTIPLIERS && set->factors.count > 0;
  char *values = NULL;
  if (group->count == 0)
    return true;
  if (group->count != expected)
    return shk_message_set(error, "%s: found %d %s, expected %d", set->name, group->count,
                           shk_published_groups[k], expected);
  theirs->numbers[k] = shk_allocate((size_t)group->count, sizeof *theirs->numbers[k]);
  theirs->whole[k] = true;
  for (int i = 0; i < group->count; i++) {
    const char *const text = group->texts[i];
    theirs->whole[k] = theirs->whole[k] && text;
    if (!text)
      shk_append_text(&values, "0 ");
    else if (!read_printed(&theirs->numbers[k][i], &values, text,
                           scaled ? set->factors.texts[i] : "1")) {
      shk_message_set(error, "%s: %s: found %s, expected a number of at most 24 digits", set->name,
                      shk_published_groups[k], text);
      free(values);
      return false;
    }
  }
  values[strlen(values) - 1] = '\0';
  shk_finest_engine()->read(&theirs->blocks[k], values);
  free(values);
  return true;
}

/* ---- a group ---- */

struct row {
  int printed;       /* number of digits, of the longest number */
  int agreed, wrong; /* least and largest of the group */
  int certain;       /* digits of ours, of the worst number */
  enum shk_verdict verdict;
  char *evidence;
  /* The number with the largest difference in units of its last digit, -1: none; and that
   * difference, in our units. */
  int worst;
  double off;
};

/* Comparison with one set of the literature. */
struct comparison {
  struct shk_families *all;
  int group; /* of the plan */
  struct state ours, other;
  struct theirs theirs;
};

static int least(int a, int b)
{
  return a < b ? a : b;
}

/* Compares group k; the row has the counts of its worst number. Returns false if every number is
 * skipped. */
static bool compare_group(struct row *row, const struct comparison *c, int k)
{
  const struct shk_vector *const mine = &c->ours.blocks[k], *const other = &c->other.blocks[k],
                                 *const its = &c->theirs.blocks[k];
  double none, size;
  *row = (struct row){
      .agreed = SHK_REFERENCE_MOST_DIGITS, .certain = SHK_REFERENCE_MOST_DIGITS, .worst = -1};
  if (!shk_difference(&none, &size, mine, mine))
    size = NAN;
  bool any = false;
  for (int i = 0; i < its->count; i++) {
    const struct printed *const printed = &c->theirs.numbers[k][i];
    if (!c->theirs.set->groups[k].texts[i])
      continue;
    const struct shk_vector one = number_of(mine, i), same = number_of(other, i);
    const double off = distance(its, mine, i);
    const int certain = shk_common_digits(&same, &one, size);
    int wrong = off <= printed->unit ? 0 : 1 + (int)floor(log10(off / printed->unit));
    wrong = least(wrong, printed->digits);
    int agreed = printed->digits - wrong;
    if (wrong > 0 && !(distance(other, mine, i) < off / 10)) { /* ours are not certain enough */
      wrong = 0;
      agreed = least(printed->digits, certain);
    }
    if (wrong > row->wrong) {
      row->wrong = wrong;
      row->worst = i;
      row->off = off;
    }
    row->printed = printed->digits > row->printed ? printed->digits : row->printed;
    row->agreed = least(agreed, row->agreed);
    row->certain = least(certain, row->certain);
    any = true;
  }
  return any;
}

/* ---- evidence ---- */

/* Adds the constraint violations of the printed state and of ours. */
static void add_residuals(char **evidence, const struct comparison *c)
{
  const struct theirs *const theirs = &c->theirs;
  const struct shk_vector *const lambda = &theirs->blocks[SHK_PUBLISHED_MULTIPLIERS];
  struct shk_observation seen = {.constraint = NAN};
  struct shk_message unused;
  if (theirs->whole[SHK_PUBLISHED_POSITIONS] && theirs->whole[SHK_PUBLISHED_VELOCITIES] &&
      shk_finest_engine()->observe(c->all->plan->context, &seen, theirs->set->problem,
                                   theirs->set->time, &theirs->blocks[SHK_PUBLISHED_POSITIONS],
                                   NULL, &theirs->blocks[SHK_PUBLISHED_VELOCITIES], &unused)) {
    shk_append_text(evidence,
                    "as printed max|g| = %.1e and max|G v + g_t| = %.1e, ours %.1e and %.1e; ",
                    seen.constraint, seen.hidden, c->ours.constraint, c->ours.hidden);
    if (theirs->whole[SHK_PUBLISHED_MULTIPLIERS])
      shk_append_text(
          evidence, "the formula at the printed state gives the printed multipliers to %d digits; ",
          shk_common_digits(&seen.lambda, lambda, 0));
  }
  shk_observation_clear(&seen);
}

/* Returns the side that an independent run supports in the worst number: 1 ours, -1 the
 * literature's, 0 neither. It counts only if a coarser run with the same method shows that it is
 * accurate enough. */
static int testimony(const struct comparison *c, int k, const struct row *row,
                     const struct shk_vector *block, const struct shk_vector *coarser)
{
  const double near = row->off / distinct;
  const int at = row->worst;
  if (at < 0 || at >= block->count || at >= coarser->count ||
      !(distance(coarser, block, at) < near))
    return 0;
  if (distance(block, &c->ours.blocks[k], at) < near)
    return 1;
  return distance(block, &c->theirs.blocks[k], at) < near ? -1 : 0;
}

/* Finds the finest run of a method that finished, and the next coarser one, in the plan; or -1. */
static void find_runs(int runs[2], const struct comparison *c, const struct shk_family *family)
{
  int found = 0;
  runs[0] = runs[1] = -1;
  shk_family_take(c->all, family, 0);
  for (int i = family->count - 1; i >= 0 && found < 2; i--)
    if (shk_record_finished(family->records[i]))
      runs[found++] = family->cells[i];
  shk_family_put_back(c->all, family);
}

/* Hears the finest run of every method about group k, and decides. */
static void hear(struct row *row, const struct comparison *c, int k)
{
  const char *const time = c->theirs.set->time;
  int for_us = 0, against = 0, accepted = 0;
  for (int i = 0; i < c->all->count; i++) {
    const struct shk_family *const family = &c->all->families[i];
    const struct shk_cell *const cell = family->cell;
    int runs[2];
    if (family->group != c->group || family->in != SHK_IN_RUNS)
      continue;
    find_runs(runs, c, family);
    struct state state = state_of(c->all, runs[0], time), coarser = state_of(c->all, runs[1], time);
    if (is_known(&state)) {
      const int says = testimony(c, k, row, &state.blocks[k], &coarser.blocks[k]);
      accepted++;
      for_us += says > 0;
      against += says < 0;
      shk_append_text(&row->evidence, "%s (%s) agrees with us to %d digits", cell->integrator,
                      cell->precision, shk_common_digits(&state.blocks[k], &c->ours.blocks[k], 0));
      if (c->theirs.whole[k])
        shk_append_text(&row->evidence, ", with the literature to %d",
                        shk_common_digits(&state.blocks[k], &c->theirs.blocks[k], 0));
      shk_append_text(&row->evidence, "; ");
    }
    clear_blocks(state.blocks);
    clear_blocks(coarser.blocks);
  }
  row->verdict = against > 0                                        ? SHK_VERDICT_FALSIFIED
                 : accepted == 0 || (row->wrong > 0 && for_us == 0) ? SHK_VERDICT_UNDECIDED
                                                                    : SHK_VERDICT_HELD;
}

/* ---- all published values ---- */

static void add_finding(struct shk_analysis *analysis, const struct shk_literature *set,
                        const char *group, const struct row *row)
{
  char reference[] = "reference", quad[] = "quad";
  const struct shk_cell cell = {.integrator = reference, .precision = quad};
  const struct shk_family family = {
      .problem = set->problem, .cell = &cell, .suffix = shk_print_text(" (%s)", set->name)};
  struct shk_reporter reporter = {.family = &family, .analysis = analysis};
  struct shk_finding *const finding =
      shk_report(&reporter, SHK_QUANTITY_DIGITS, group, row->agreed, NAN);
  finding->expected = shk_print_text("%d printed, %d of them wrong, %d certain of ours",
                                     row->printed, row->wrong, row->certain);
  finding->verdict = row->verdict;
  finding->reason = row->evidence ? row->evidence : shk_copy_text("no independent run finished");
  free(family.suffix);
}

static bool compare_set(struct shk_analysis *analysis, struct comparison *c,
                        struct shk_message *error)
{
  bool ok = true;
  for (int k = 0; ok && k < SHK_PUBLISHED_GROUPS; k++)
    ok = read_group(&c->theirs, k, c->ours.blocks[k].count, error);
  for (int k = 0; ok && k < SHK_PUBLISHED_GROUPS; k++) {
    struct row row;
    if (!compare_group(&row, c, k))
      continue;
    add_residuals(&row.evidence, c);
    hear(&row, c, k);
    if (row.evidence)
      row.evidence[strlen(row.evidence) - 2] = '\0'; /* the last "; " */
    add_finding(analysis, c->theirs.set, shk_published_groups[k], &row);
  }
  clear_blocks(c->theirs.blocks);
  for (int k = 0; k < SHK_PUBLISHED_GROUPS; k++)
    free(c->theirs.numbers[k]);
  return ok;
}

/* Compares with the first reference of the set's problem that is known at its time. */
static bool compare_with_plan(struct shk_analysis *analysis, const struct shk_literature *set,
                              struct shk_families *all, struct shk_message *error)
{
  bool known = false, ok = true;
  for (int g = 0; g < all->group_count && !known; g++) {
    const int *const cells = all->references[g].cells;
    const struct shk_cell *const cell = cells[0] < 0 ? NULL : &all->plan->cells[cells[0]].cell;
    if (!cell || cell->q || strcmp(cell->problem, set->problem) != 0)
      continue;
    const bool exact = strcmp(cell->integrator, "exact") == 0;
    struct comparison c = {.all = all,
                           .group = g,
                           .ours = state_of(all, cells[0], set->time),
                           .other = state_of(all, cells[exact && cells[1] < 0 ? 0 : 1], set->time),
                           .theirs = {.set = set}};
    known = is_known(&c.ours) && is_known(&c.other);
    ok = !known || compare_set(analysis, &c, error);
    clear_blocks(c.ours.blocks);
    clear_blocks(c.other.blocks);
  }
  return ok;
}

bool shk_published_report(struct shk_analysis *analysis, const char *folder,
                          const struct shk_plan *plan, struct shk_records *records,
                          struct shk_message *error)
{
  struct shk_literature *sets = NULL;
  struct shk_families all;
  int count = 0;
  bool ok = shk_literature_read(plan->context, &sets, &count, folder, error);
  shk_families_gather(&all, plan, records, NULL);
  for (int i = 0; ok && i < count; i++)
    ok = compare_with_plan(analysis, &sets[i], &all, error);
  shk_families_clear(&all);
  shk_literature_free(sets, count);
  return ok;
}

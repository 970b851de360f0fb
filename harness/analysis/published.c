/* Comparison of our references with the literature. See published.h. */
#include "harness/analysis/published.h"

#include "foundation/memory.h"
#include "harness/references/reference.h"
#include "harness/study/decimal.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Two differences are distinct if they differ by this factor. */
static const double distinct = 3;

/* ---- a state, group by group ---- */

struct state {
  bool known;
  struct shk_vector blocks[SHK_PUBLISHED_GROUPS];
  double constraint, hidden; /* NaN if not known */
};

static void clear_state(struct state *state)
{
  for (int k = 0; k < SHK_PUBLISHED_GROUPS; k++)
    shk_vector_clear(&state->blocks[k]);
  *state = (struct state){.known = false};
}

static struct shk_vector copy_of(const struct shk_vector *vector)
{
  return shk_vector_copy(vector->values, vector->count, vector->bits);
}

/* Returns the state of a record at a time; unknown if the record does not reach it. */
static struct state state_of(const struct shk_context *context, const struct shk_record *record,
                             const char *time)
{
  struct state state = {.constraint = NAN, .hidden = NAN};
  const struct shk_sample *sample =
      shk_record_finished(record) ? shk_outcome_sample(&record->outcome, time) : NULL;
  const struct shk_vector *const q = sample ? shk_sample_block(sample, "q") : NULL;
  const struct shk_vector *const p = sample ? shk_sample_block(sample, "p") : NULL;
  const struct shk_vector *const lambda = sample ? shk_sample_block(sample, "lambda-state") : NULL;
  struct shk_observation seen;
  struct shk_message unused;
  if (!q || !p || !lambda)
    return state;
  if (shk_finest_engine()->observe(context, &seen, record->cell.problem, time, q, p, NULL,
                                   &unused)) {
    state.known = true;
    state.constraint = seen.constraint;
    state.hidden = seen.hidden;
    state.blocks[SHK_PUBLISHED_POSITIONS] = copy_of(q);
    state.blocks[SHK_PUBLISHED_VELOCITIES] = copy_of(&seen.v);
    state.blocks[SHK_PUBLISHED_MULTIPLIERS] = copy_of(lambda);
    state.blocks[SHK_PUBLISHED_ENERGY] = copy_of(&seen.energy);
  }
  shk_observation_clear(&seen);
  return state;
}

static struct state state_of_cell(const struct shk_context *context, struct shk_records *records,
                                  int cell, const char *time)
{
  const struct state state = state_of(context, records->take(records, cell, SHK_PART_STATES), time);
  records->put_back(records, cell);
  return state;
}

/* Returns the i-th number alone; it shares the memory. */
static struct shk_vector number_of(const struct shk_vector *vector, int i)
{
  char *const values = vector->values;
  return (struct shk_vector){1, vector->bits, values + shk_vector_size(i, vector->bits)};
}

/* Returns the distance of one number from another. */
static double distance(struct shk_vector a, struct shk_vector b)
{
  double difference, none;
  return shk_finest_engine()->difference(&difference, &none, &a, &b) ? difference : NAN;
}

static double size_of(const struct shk_vector *block)
{
  double none, size;
  return shk_finest_engine()->difference(&none, &size, block, block) ? size : NAN;
}

/* ---- a number as it was printed ---- */

struct printed {
  char *text;  /* in our units and sign */
  int digits;  /* significant digits */
  double unit; /* of the last digit, in our units */
};

/* Reads a printed number; false if it has more digits than can be multiplied exactly. */
static bool read_printed(struct printed *printed, const char *text, const char *factor)
{
  int exponent = 0, digits = 0;
  bool fraction = false;
  const char *at = text;
  for (; *at != '\0' && *at != 'e' && *at != 'E'; at++) {
    fraction = fraction || *at == '.';
    if (!isdigit((unsigned char)*at))
      continue;
    exponent -= fraction;
    digits += digits > 0 || *at != '0';
  }
  if (*at != '\0')
    exponent += atoi(at + 1);
  struct shk_decimal value, by = shk_decimal_from_integer(1);
  if (!shk_decimal_read(&value, text) || (factor && !shk_decimal_read(&by, factor)) ||
      by.coefficient > 1000000)
    return false;
  const long long whole = (long long)by.coefficient;
  if (!shk_decimal_multiply(&value, value, by.negative ? -whole : whole))
    return false;
  value.exponent += value.coefficient != 0 ? by.exponent : 0;
  *printed = (struct printed){.text = shk_decimal_text(value),
                              .digits = digits,
                              .unit = pow(10, exponent) * fabs(shk_decimal_approximate(by))};
  return true;
}

/* ---- a group ---- */

struct group {
  int printed, agreed, wrong, certain, compared;
  int worst;        /* index of the number with the largest difference in units of its last digit */
  double worst_off; /* that difference, in our units */
  struct shk_vector worst_value; /* as printed, in our units */
};

/* Adds the comparison of number `at` to the group. */
static void compare_number(struct group *group, int at, const struct printed *printed,
                           struct shk_vector ours, struct shk_vector other, double size)
{
  struct shk_vector value = {0};
  shk_finest_engine()->read(&value, printed->text);
  const double off = distance(value, ours), error = distance(other, ours);
  const int certain = shk_common_digits(&other, &ours, size);
  int wrong = off <= printed->unit ? 0 : 1 + (int)floor(log10(off / printed->unit));
  int agreed = printed->digits - wrong;
  if (agreed < 0) {
    agreed = 0;
    wrong = printed->digits;
  }
  if (wrong > 0 && !(error < off / 10)) { /* our digits are not certain enough to call it wrong */
    wrong = 0;
    agreed = printed->digits < certain ? printed->digits : certain;
  }
  const bool first = group->compared++ == 0;
  group->printed = first || printed->digits > group->printed ? printed->digits : group->printed;
  group->agreed = first || agreed < group->agreed ? agreed : group->agreed;
  group->certain = first || certain < group->certain ? certain : group->certain;
  if (wrong > group->wrong) {
    group->wrong = wrong;
    group->worst = at;
    group->worst_off = off;
    shk_vector_clear(&group->worst_value);
    group->worst_value = copy_of(&value);
  }
  shk_vector_clear(&value);
}

static bool compare_group(struct group *group, const struct shk_literature *set, int k,
                          const struct state *ours, const struct state *other,
                          struct shk_message *error)
{
  const struct shk_vector *const mine = &ours->blocks[k], *const others = &other->blocks[k];
  const double size = size_of(mine);
  bool ok = mine->count == set->groups[k].count;
  *group = (struct group){.worst = -1};
  if (!ok)
    shk_message_set(error, "%s: found %d %s, expected %d", set->name, set->groups[k].count,
                    shk_published_groups[k], mine->count);
  for (int i = 0; ok && i < mine->count; i++) {
    const bool scaled = k == SHK_PUBLISHED_MULTIPLIERS && set->factors.count > 0;
    struct printed printed;
    if (!set->groups[k].texts[i])
      continue;
    ok = read_printed(&printed, set->groups[k].texts[i], scaled ? set->factors.texts[i] : NULL);
    if (!ok) {
      shk_message_set(error, "%s: %s: found %s, expected a number of at most 24 digits", set->name,
                      shk_published_groups[k], set->groups[k].texts[i]);
      break;
    }
    compare_number(group, i, &printed, number_of(mine, i), number_of(others, i), size);
    free(printed.text);
  }
  return ok;
}

/* ---- evidence ---- */

static const char *separator(const char *evidence)
{
  return evidence ? "; " : "";
}

/* Converts a group of the literature to our units; false if a number is skipped. */
static bool published_block(struct shk_vector *block, const struct shk_literature *set, int k)
{
  char *text = NULL;
  *block = (struct shk_vector){0};
  for (int i = 0; i < set->groups[k].count; i++) {
    const bool scaled = k == SHK_PUBLISHED_MULTIPLIERS && set->factors.count > 0;
    struct printed printed;
    if (!set->groups[k].texts[i] ||
        !read_printed(&printed, set->groups[k].texts[i], scaled ? set->factors.texts[i] : NULL)) {
      free(text);
      return false;
    }
    shk_append_text(&text, "%s%s", text ? " " : "", printed.text);
    free(printed.text);
  }
  const bool ok = text && shk_finest_engine()->read(block, text);
  free(text);
  return ok;
}

/* Adds the constraint violations of the printed state and of ours to the evidence. */
static void residual_evidence(const struct shk_context *context, char **evidence,
                              const struct shk_literature *set, const struct state *ours)
{
  struct shk_observation seen = {.constraint = NAN};
  struct shk_message unused;
  struct shk_vector q, v, lambda;
  const bool has_q = published_block(&q, set, SHK_PUBLISHED_POSITIONS);
  const bool has_v = published_block(&v, set, SHK_PUBLISHED_VELOCITIES);
  const bool has_lambda = published_block(&lambda, set, SHK_PUBLISHED_MULTIPLIERS);
  if (has_q && has_v &&
      shk_finest_engine()->observe(context, &seen, set->problem, set->time, &q, NULL, &v,
                                   &unused)) {
    shk_append_text(
        evidence, "%sas printed max|g| = %.1e and max|G v + g_t| = %.1e, ours %.1e and %.1e",
        separator(*evidence), seen.constraint, seen.hidden, ours->constraint, ours->hidden);
    if (has_lambda)
      shk_append_text(
          evidence, "%sthe formula at the printed state gives the printed multipliers to %d digits",
          separator(*evidence), shk_common_digits(&seen.lambda, &lambda, 0));
  }
  shk_observation_clear(&seen);
  shk_vector_clear(&q);
  shk_vector_clear(&v);
  shk_vector_clear(&lambda);
}

/* Returns the side that an independent run supports in the worst number: 1 ours, -1 the
 * literature's, 0 neither. It counts only if a coarser run with the same method (NULL: none) shows
 * that it is accurate enough. */
static int testimony(const struct group *group, const struct shk_vector *block,
                     const struct shk_vector *coarser, const struct shk_vector *ours)
{
  const int at = group->worst;
  if (at < 0 || at >= block->count || at >= coarser->count)
    return 0;
  const struct shk_vector its = number_of(block, at);
  if (!(distance(number_of(coarser, at), its) < group->worst_off / distinct))
    return 0;
  if (distance(its, number_of(ours, at)) < group->worst_off / distinct)
    return 1;
  return distance(its, group->worst_value) < group->worst_off / distinct ? -1 : 0;
}

struct witnesses {
  const struct shk_plan *plan;
  struct shk_records *records;
  int group; /* of the plan */
};

static bool has_finished(const struct witnesses *w, int index)
{
  const bool finished = shk_record_finished(w->records->take(w->records, index, 0));
  w->records->put_back(w->records, index);
  return finished;
}

/* True if a cell of the plan is the finest finished run of its integrator in this group. */
static bool is_finest(const struct witnesses *w, int index)
{
  const struct shk_planned *planned = &w->plan->cells[index];
  if (planned->role != SHK_ROLE_MEASURED || planned->group != w->group ||
      strcmp(planned->cell.kind, "run") != 0 || !has_finished(w, index))
    return false;
  for (int i = index + 1; i < w->plan->count; i++) { /* largest steps and tolerances come first */
    const struct shk_planned *other = &w->plan->cells[i];
    if (other->role == SHK_ROLE_MEASURED && other->group == w->group &&
        strcmp(other->cell.integrator, planned->cell.integrator) == 0 &&
        strcmp(other->cell.precision, planned->cell.precision) == 0 && has_finished(w, i))
      return false;
  }
  return true;
}

/* Returns the run next coarser than the finest at `index`, or -1. */
static int next_coarser(const struct witnesses *w, int index)
{
  const struct shk_planned *planned = &w->plan->cells[index];
  for (int i = index - 1; i >= 0; i--) {
    const struct shk_planned *other = &w->plan->cells[i];
    if (other->role == SHK_ROLE_MEASURED && other->group == w->group &&
        strcmp(other->cell.integrator, planned->cell.integrator) == 0 &&
        strcmp(other->cell.precision, planned->cell.precision) == 0 && has_finished(w, i))
      return i;
  }
  return -1;
}

static void hear(struct shk_published_row *row, const struct group *group,
                 const struct shk_literature *set, int k, const struct state *ours,
                 const struct witnesses *w)
{
  int for_us = 0, against = 0, accepted = 0;
  struct shk_vector theirs;
  const bool has_theirs = published_block(&theirs, set, k);
  for (int i = 0; i < w->plan->count; i++) {
    if (!is_finest(w, i))
      continue;
    const int before = next_coarser(w, i);
    struct state state = state_of_cell(w->plan->context, w->records, i, set->time),
                 coarser = {.known = false};
    if (before >= 0)
      coarser = state_of_cell(w->plan->context, w->records, before, set->time);
    if (state.known) {
      const struct shk_cell *cell = &w->plan->cells[i].cell;
      const int says = testimony(group, &state.blocks[k], &coarser.blocks[k], &ours->blocks[k]);
      accepted++;
      for_us += says > 0;
      against += says < 0;
      if (has_theirs)
        shk_append_text(&row->evidence,
                        "%s%s (%s) agrees with us to %d digits, with the literature to %d",
                        separator(row->evidence), cell->integrator, cell->precision,
                        shk_common_digits(&state.blocks[k], &ours->blocks[k], 0),
                        shk_common_digits(&state.blocks[k], &theirs, 0));
      else
        shk_append_text(&row->evidence, "%s%s (%s) agrees with us to %d digits",
                        separator(row->evidence), cell->integrator, cell->precision,
                        shk_common_digits(&state.blocks[k], &ours->blocks[k], 0));
    }
    clear_state(&state);
    clear_state(&coarser);
  }
  shk_vector_clear(&theirs);
  row->verdict = against > 0                                          ? SHK_VERDICT_FALSIFIED
                 : accepted == 0 || (group->wrong > 0 && for_us == 0) ? SHK_VERDICT_UNDECIDED
                                                                      : SHK_VERDICT_HELD;
}

/* ---- all published values ---- */

static bool compare_set(struct shk_published *published, const struct shk_literature *set,
                        const struct state *ours, const struct state *other,
                        const struct witnesses *w, struct shk_message *error)
{
  for (int k = 0; k < SHK_PUBLISHED_GROUPS; k++) {
    struct group group;
    if (set->groups[k].count == 0)
      continue;
    const bool ok = compare_group(&group, set, k, ours, other, error);
    if (ok && group.compared > 0) {
      published->rows =
          shk_grow(published->rows, (size_t)published->count, sizeof *published->rows);
      struct shk_published_row *row = &published->rows[published->count++];
      *row = (struct shk_published_row){.literature = shk_copy_text(set->name),
                                        .source = shk_copy_text(set->source),
                                        .problem = shk_copy_text(set->problem),
                                        .time = shk_copy_text(set->time),
                                        .group = shk_published_groups[k],
                                        .printed = group.printed,
                                        .agreed = group.agreed,
                                        .wrong = group.wrong,
                                        .certain = group.certain};
      residual_evidence(w->plan->context, &row->evidence, set, ours);
      hear(row, &group, set, k, ours, w);
    }
    shk_vector_clear(&group.worst_value);
    if (!ok)
      return false;
  }
  return true;
}

static bool compare_with_plan(struct shk_published *published, const struct shk_literature *set,
                              const struct shk_plan *plan, struct shk_records *records,
                              struct shk_message *error)
{
  for (int i = 0; i < plan->count; i++) {
    const struct shk_planned *planned = &plan->cells[i];
    if (planned->role != SHK_ROLE_REFERENCE || planned->cell.q ||
        strcmp(planned->cell.problem, set->problem) != 0)
      continue;
    const struct witnesses w = {.plan = plan, .records = records, .group = planned->group};
    struct state ours = state_of_cell(plan->context, records, i, set->time),
                 other = {.known = false};
    for (int j = 0; j < plan->count && !other.known; j++)
      if (plan->cells[j].role == SHK_ROLE_REFERENCE_CHECK && plan->cells[j].group == planned->group)
        other = state_of_cell(plan->context, records, j, set->time);
    const bool exact = strcmp(planned->cell.integrator, "exact") == 0;
    const bool known = ours.known && (other.known || exact);
    const bool ok =
        !known || compare_set(published, set, &ours, other.known ? &other : &ours, &w, error);
    clear_state(&ours);
    clear_state(&other);
    if (known || !ok)
      return ok;
  }
  return true;
}

bool shk_published_compare(struct shk_published *published, const char *folder,
                           const struct shk_plan *plan, struct shk_records *records,
                           struct shk_message *error)
{
  struct shk_literature *sets;
  int count;
  *published = (struct shk_published){0};
  bool ok = shk_literature_read(plan->context, &sets, &count, folder, error);
  for (int i = 0; ok && i < count; i++)
    ok = compare_with_plan(published, &sets[i], plan, records, error);
  shk_literature_free(sets, count);
  return ok;
}

void shk_published_clear(struct shk_published *published)
{
  for (int i = 0; i < published->count; i++) {
    struct shk_published_row *row = &published->rows[i];
    free(row->literature);
    free(row->source);
    free(row->problem);
    free(row->time);
    free(row->evidence);
  }
  free(published->rows);
  *published = (struct shk_published){0};
}

void shk_published_report(struct shk_analysis *analysis, const struct shk_published *published)
{
  for (int i = 0; i < published->count; i++) {
    const struct shk_published_row *row = &published->rows[i];
    char *const detail = shk_print_text(" (%s)", row->literature);
    analysis->findings =
        shk_grow(analysis->findings, (size_t)analysis->finding_count, sizeof *analysis->findings);
    struct shk_finding *const finding = &analysis->findings[analysis->finding_count++];
    struct shk_named_quantity named;
    *finding = (struct shk_finding){
        .problem = shk_copy_text(row->problem),
        .integrator = shk_copy_text("reference"),
        .precision = shk_copy_text("quad"),
        .quantity =
            shk_finding_name(&named, SHK_QUANTITY_DIGITS, row->group, SHK_STATISTIC_NONE, detail),
        .value = row->agreed,
        .uncertainty = NAN,
        .floor = NAN,
        .expected = shk_print_text("%d printed, %d of them wrong", row->printed, row->wrong),
        .verdict = row->verdict,
        .reason = row->verdict == SHK_VERDICT_FALSIFIED || row->verdict == SHK_VERDICT_UNDECIDED
                      ? shk_copy_text(row->evidence ? row->evidence : "no independent run finished")
                      : NULL};
    finding->named = named;
    free(detail);
  }
}

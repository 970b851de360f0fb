/*
 * Sorts the records of a plan into families and measures their references; see family.h.
 *
 * The error of a reference is estimated as the difference between the reference and its check. This
 * is an upper estimate: the check takes larger steps and is therefore less accurate, unless both
 * take the same very short steps. The difference does not include the rounding errors in the
 * initial state and in the phase, because the reference and its check share them. These errors grow
 * with time and are estimated as eps·(16 + T/τ). The error of a reference is never smaller than
 * this estimate, even for an exact solution.
 */
#include "harness/analysis/families/family.h"
#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"
#include "harness/analysis/families/verdict.h"
#include "results/record/cell_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const shk_reference_names[SHK_REFERENCE_BLOCKS] = {"q", "p", "lambda-state",
                                                               "wrench-state"};

double shk_sample_distance(const struct shk_sample *a, const char *name_of_a,
                           const struct shk_sample *b, const char *name_of_b)
{
  const struct shk_vector *const x = a ? shk_sample_block(a, name_of_a) : NULL;
  const struct shk_vector *const y = b ? shk_sample_block(b, name_of_b) : NULL;
  double difference, none;
  return x && y && shk_difference(&difference, &none, x, y) ? difference : NAN;
}

double shk_sample_size(const struct shk_sample *sample, const char *name)
{
  const struct shk_vector *const block = shk_sample_block(sample, name);
  double none, size;
  return block && shk_difference(&none, &size, block, block) ? size : NAN;
}

static double block_size(const struct shk_outcome *outcome, const char *name)
{
  double size = NAN;
  for (int i = 0; i < outcome->sample_count; i++)
    size = fmax(size, shk_sample_size(&outcome->samples[i], name)); /* fmax ignores NaN */
  return size;
}

int shk_outcomes(const struct shk_outcome **list, const struct shk_record *record)
{
  const bool has_members = record->outcome.member_count > 0;
  *list = has_members ? record->outcome.members : &record->outcome;
  return has_members ? record->outcome.member_count : 1;
}

double shk_record_block_size(const struct shk_record *record, const char *name)
{
  const struct shk_outcome *outcomes;
  const int count = shk_outcomes(&outcomes, record);
  double size = NAN;
  for (int i = 0; i < count; i++)
    size = fmax(size, block_size(&outcomes[i], name));
  return size;
}

/* Returns a recorded number, or 0 if there is none. If there are members, returns the largest of
 * their numbers. */
static double recorded_scale(const struct shk_record *record, enum shk_quantity_id id)
{
  const struct shk_outcome *outcomes;
  const int count = shk_outcomes(&outcomes, record);
  double scale = 0;
  for (int i = 0; i < count; i++)
    scale = fmax(scale, shk_recorded(&outcomes[i], id, NULL)); /* fmax ignores NaN */
  return scale;
}

/* Determines the scales of a block and whether the block counts as zero. It does if its size is at
 * most 10³ times the round-off of the reference, which is `rounding` times the size of the block at
 * rest. */
static void measure_scales(struct shk_group_reference *reference, const struct shk_record *record,
                           int block, double rounding)
{
  static const enum shk_quantity_id scales[] = {SHK_QUANTITY_SCALE_Q, SHK_QUANTITY_SCALE_P,
                                                SHK_QUANTITY_SCALE_LAMBDA,
                                                SHK_QUANTITY_SCALE_WRENCH},
                                    rests[] = {SHK_QUANTITY_SCALE_Q, SHK_QUANTITY_REST_P,
                                               SHK_QUANTITY_REST_LAMBDA, SHK_QUANTITY_REST_WRENCH};
  const double scale = recorded_scale(record, scales[block]),
               rest = fmax(scale, recorded_scale(record, rests[block]));
  reference->scale[block] = scale;
  reference->rest[block] = rest;
  reference->zero[block] = reference->size[block] <= SHK_VANISHES * rounding * rest;
}

/* Measures a block of a reference. Its error is the largest difference from the check or
 * `rounding`, whichever is larger. */
static void measure_block(struct shk_group_reference *reference, const struct shk_record *record,
                          const struct shk_record *check, int block, double rounding)
{
  const char *const name = shk_reference_names[block];
  const struct shk_outcome *outcomes, *checks = NULL;
  const int count = shk_outcomes(&outcomes, record),
            check_count = check ? shk_outcomes(&checks, check) : 0;
  double *const error = &reference->error[block];
  reference->size[block] = shk_record_block_size(record, name);
  measure_scales(reference, record, block, rounding);
  for (int i = 0; i < count; i++) {
    const double least = (reference->zero[block] ? reference->rest : reference->scale)[block];
    const double unit = reference->units[i][block] =
        fmax(block_size(&outcomes[i], name), shk_bounds[SHK_BOUND_LEAST_UNIT] * least);
    for (int k = 0; i < check_count && unit > 0 && k < outcomes[i].sample_count; k++) {
      const struct shk_sample *const sample = &outcomes[i].samples[k];
      *error = fmax(*error, shk_sample_distance(shk_outcome_sample(&checks[i], sample->time), name,
                                                sample, name) /
                                unit);
    }
  }
  if (strcmp(record->cell.integrator, "exact") == 0 || *error < rounding)
    *error = rounding;
}

static bool inspect_family(struct shk_inspection *inspection, const struct shk_families *families,
                           const char *problem)
{
  struct shk_message message;
  return families->source.inspect(families->plan->context, inspection, problem, &message) &&
         inspection->time_scale > 0;
}

static void measure_reference(struct shk_group_reference *reference,
                              const struct shk_record *record, const struct shk_record *check,
                              const struct shk_families *families)
{
  struct shk_inspection inspection;
  const struct shk_outcome *unused;
  const bool scaled = inspect_family(&inspection, families, record->cell.problem);
  const double rounding = shk_finest_engine()->epsilon *
                          (16 + record->cell.numbers.until / (scaled ? inspection.time_scale : 1));
  reference->units = shk_allocate((size_t)shk_outcomes(&unused, record), sizeof *reference->units);
  for (int b = 0; b < SHK_REFERENCE_BLOCKS; b++)
    measure_block(reference, record, check, b, rounding);
}

bool shk_was_refused(const struct shk_record *record)
{
  return record && record->end == SHK_END_FINISHED && record->outcome.code == SHK_REFUSED;
}

/* Returns true if the cell stopped during the run with a status set by the integrator. */
static bool has_stopped(const struct shk_record *record)
{
  return record && record->end == SHK_END_FINISHED && record->outcome.code != SHK_OK &&
         !shk_was_refused(record) && record->outcome.sample_count > 0;
}

/* Stores the reason why a group has no reference. */
static void tell_missing(struct shk_group_reference *reference, const struct shk_record *record)
{
  char reason[SHK_MESSAGE_SIZE];
  reference->failed = !shk_was_refused(record);
  if (record)
    shk_record_reason(reason, sizeof reason, record);
  if (record)
    shk_text_print(reference->why, sizeof reference->why, "the reference: %s: %s",
                   shk_record_status(record), reason);
  else
    snprintf(reference->why, sizeof reference->why, "the reference has not been computed");
}

static void put_back_reference(struct shk_families *families)
{
  if (families->taken < 0)
    return;
  struct shk_group_reference *const reference = &families->references[families->taken];
  for (int i = 0; i < 2; i++)
    if (reference->cells[i] >= 0)
      families->records->put_back(families->records, reference->cells[i]);
  reference->record = reference->partial = reference->partial_check = NULL;
  families->taken = -1;
}

/* Loads the reference of a group and releases the previous one. One reference at a time is enough,
 * because families of the same group are adjacent. */
static void take_reference(struct shk_families *families, int group)
{
  if (families->taken == group)
    return;
  put_back_reference(families);
  families->taken = group;
  struct shk_group_reference *const reference = &families->references[group];
  const struct shk_record *loaded[2] = {NULL, NULL};
  for (int i = 0; i < 2; i++)
    if (reference->cells[i] >= 0)
      loaded[i] = families->records->take(families->records, reference->cells[i], SHK_PART_STATES);
  const struct shk_record *const record = loaded[0], *const check = loaded[1];
  const bool finished = shk_record_finished(record), checked = shk_record_finished(check);
  if (finished && !reference->units)
    measure_reference(reference, record, checked ? check : NULL, families);
  else if (!finished && reference->cells[0] >= 0)
    tell_missing(reference, record);
  reference->record = finished ? record : NULL;
  reference->partial = !finished && has_stopped(record) ? record : NULL;
  reference->partial_check = !checked && has_stopped(check) ? check : NULL;
}

static void gather_references(struct shk_families *families, const struct shk_plan *plan)
{
  for (int g = 0; g < families->group_count; g++)
    families->references[g] =
        (struct shk_group_reference){.cells = {-1, -1},
                                     .size = {NAN, NAN, NAN, NAN},
                                     .error = {NAN, NAN, NAN, NAN},
                                     .why = "there is no reference to compare with"};
  for (int i = 0; i < plan->count; i++)
    if (plan->cells[i].role != SHK_ROLE_MEASURED)
      families->references[plan->cells[i].group]
          .cells[plan->cells[i].role == SHK_ROLE_REFERENCE_CHECK] = i;
}

/* Inserts a cell into a family, whose steps are sorted in decreasing order. */
static void insert_family(struct shk_family *family, int index, double step)
{
  const size_t old = (size_t)family->count;
  family->cells = shk_grow(family->cells, old, sizeof *family->cells);
  family->records = shk_grow(family->records, old, sizeof *family->records);
  family->steps = shk_grow(family->steps, old, sizeof *family->steps);
  int at = family->count++;
  for (; at > 0 && family->steps[at - 1] < step; at--) {
    family->cells[at] = family->cells[at - 1];
    family->steps[at] = family->steps[at - 1];
  }
  family->cells[at] = index;
  family->records[old] = NULL;
  family->steps[at] = step;
}

/* Returns a new family with the properties of the given cell. The family does not contain any cells
 * yet. */
static struct shk_family family_of_cell(const struct shk_families *families,
                                        const struct shk_planned *planned,
                                        enum shk_measure_id measure)
{
  const struct shk_cell *const cell = &planned->cell;
  struct shk_message message;
  struct shk_family family = {.measure = measure,
                              .in =
                                  measure == SHK_MEASURES ? SHK_IN_RUNS : shk_measures[measure].in,
                              .group = planned->group,
                              .run = planned->run,
                              .cell = cell,
                              .problem = shk_cell_problem(cell),
                              .by_tolerance = cell->tolerance != NULL,
                              .epsilon = shk_precision_named(cell->precision)->epsilon,
                              .size_q = 1,
                              .size_p = 1};
  if (!families->source.claims(families->plan->context, &family.claims, cell->precision,
                               cell->integrator, &message))
    for (int i = 1; i < SHK_CLAIMS; i++)
      shk_claim_set(&family.claims, (enum shk_claim)i,
                    shk_claim_entries[i].order ? SHK_NO_ORDER : SHK_UNKNOWN);
  family.inspected = inspect_family(&family.inspection, families, cell->problem);
  if (!family.inspected)
    family.inspection = (struct shk_inspection){.time_scale = 1};
  family.time_scale = family.inspection.time_scale;
  family.until = family.in == SHK_IN_STEPS ? 0 : cell->numbers.until;
  /* Moving along a fibre of a momentum constraint changes both q and p, so errors along it reduce
   * both orders to the lower one. All other fibres change only p. */
  if (family.inspection.features & SHK_MOMENTUM_CONSTRAINT &&
      family.claims.order_p < family.claims.order_q)
    family.claims.order_q = family.claims.order_p;
  return family;
}

/* Finds the sizes of q and p from the reference or, if it has none, from the finest run that
 * finished. */
static void measure_sizes(struct shk_families *families, struct shk_family *family)
{
  struct shk_records *const records = families->records;
  double q = family->reference->size[SHK_REFERENCE_Q], p = family->reference->size[SHK_REFERENCE_P];
  for (int i = family->count - 1; i >= 0 && !(q > 0 && p > 0); i--)
    if (shk_record_finished(family->records[i])) {
      const struct shk_record *const record =
          records->take(records, family->cells[i], SHK_PART_STATES);
      q = record ? shk_record_block_size(record, "q") : q;
      p = record ? shk_record_block_size(record, "p") : p;
      records->put_back(records, family->cells[i]);
    }
  /* For a block that is zero up to round-off, use the size that it would have if the system
   * moved. */
  if (family->reference->zero[SHK_REFERENCE_Q])
    q = family->reference->rest[SHK_REFERENCE_Q];
  if (family->reference->zero[SHK_REFERENCE_P])
    p = family->reference->rest[SHK_REFERENCE_P];
  family->size_q = q > 0 ? q : 1;
  family->size_p = p > 0 ? p : 1;
}

void shk_family_take(struct shk_families *families, const struct shk_family *family, unsigned parts)
{
  for (int i = 0; i < family->count; i++)
    family->records[i] = families->records->take(families->records, family->cells[i], parts);
}

void shk_family_put_back(struct shk_families *families, const struct shk_family *family)
{
  for (int i = 0; i < family->count; i++) {
    families->records->put_back(families->records, family->cells[i]);
    family->records[i] = NULL;
  }
}

void shk_family_refer(struct shk_families *families, struct shk_family *family)
{
  take_reference(families, family->group);
  family->reference = &families->references[family->group];
  measure_sizes(families, family);
}

static int name_number(struct shk_index *index, const struct shk_family *family, const char *until)
{
  return shk_index_number(index, "%d\n%s\n%s\n%s\n%s", family->measure, family->problem,
                          family->cell->integrator, family->cell->precision, until);
}

/* Adds suffixes to families of different groups that would otherwise be printed identically. The
 * suffix contains the horizon and, if that is not enough, the run. */
static void distinguish_family(struct shk_families *families)
{
  struct shk_index names = {0};
  int *const same = shk_allocate(2 * (size_t)families->count + 1, sizeof *same);
  for (int i = 0; i < families->count; i++) {
    const struct shk_family *const family = &families->families[i];
    same[name_number(&names, family, "")]++;
    same[name_number(&names, family, family->cell->until)]++;
  }
  for (int i = 0; i < families->count; i++) {
    struct shk_family *const family = &families->families[i];
    const char *const until = family->cell->until;
    if (family->in == SHK_IN_STEPS || same[name_number(&names, family, "")] == 1)
      family->suffix = shk_copy_text("");
    else if (same[name_number(&names, family, until)] == 1)
      family->suffix = shk_print_text(" (until %s)", until);
    else
      family->suffix =
          shk_print_text(" (until %s%s, run %d)", until,
                         family->by_tolerance ? ", by tolerance" : "", family->run + 1);
  }
  shk_index_clear(&names);
  free(same);
}

/* Links each family of runs in a lower precision to the family of the same runs in quad
 * precision. */
static void pair_precisions(struct shk_families *families)
{
  struct shk_index names = {0};
  const struct shk_family **const quad = shk_allocate((size_t)families->count + 1, sizeof *quad);
  for (int lower = 0; lower < 2; lower++)
    for (int i = 0; i < families->count; i++) {
      struct shk_family *const family = &families->families[i];
      if (family->in != SHK_IN_RUNS || (strcmp(family->cell->precision, "quad") != 0) != lower)
        continue;
      const int number = shk_index_number(&names, "%d\n%s\n%s", family->group, family->problem,
                                          family->cell->integrator);
      if (lower)
        family->in_quad = quad[number];
      else
        quad[number] = quad[number] ? quad[number] : family;
    }
  shk_index_clear(&names);
  free(quad);
}

static bool inspect_either(const struct shk_context *context, struct shk_inspection *inspection,
                           const char *problem, struct shk_message *error)
{
  return shk_inspect(context, inspection, "quad", problem, error) ||
         shk_inspect(context, inspection, "double", problem, error);
}

/* Adds a cell of the plan to its family, which is created if necessary. */
static void gather_family(struct shk_families *families, struct shk_index *index,
                          const struct shk_planned *planned, int place)
{
  const struct shk_cell *const cell = &planned->cell;
  const enum shk_measure_id measure = shk_measure_named(cell->kind);
  const bool steps = shk_is_structure(cell->kind);
  /* Ignore the groups of single-step cells, because groups differ only in the horizon, which such
   * cells do not have. */
  const int number = shk_index_number(
      index, "%s %d %d\n%s\n%s\n%s\n%s\n%s\n%s", cell->kind, steps ? 0 : planned->group,
      !steps && cell->tolerance, cell->problem, cell->q ? cell->q : "-", cell->p ? cell->p : "-",
      cell->kick ? cell->kick : "-", cell->integrator, cell->precision);
  if (number == families->count) {
    const struct shk_family made = family_of_cell(families, planned, measure);
    *SHK_APPEND(families->families, families->count) = made;
  }
  insert_family(&families->families[number], place,
                steps ? cell->step ? cell->numbers.step : 0 : shk_cell_resolution(cell));
}

void shk_families_gather(struct shk_families *families, const struct shk_plan *plan,
                         struct shk_records *records, const struct shk_analysis_source *source)
{
  *families = (struct shk_families){
      .plan = plan,
      .records = records,
      .source = {source && source->claims ? source->claims : shk_claims_of,
                 source && source->inspect ? source->inspect : inspect_either},
      .taken = -1};
  for (int i = 0; i < plan->count; i++)
    if (plan->cells[i].group >= families->group_count)
      families->group_count = plan->cells[i].group + 1;
  families->references = shk_allocate((size_t)families->group_count, sizeof *families->references);
  gather_references(families, plan);
  struct shk_index index = {0};
  for (int i = 0; i < plan->count; i++)
    if (plan->cells[i].role == SHK_ROLE_MEASURED)
      gather_family(families, &index, &plan->cells[i], i);
  shk_index_clear(&index);
  distinguish_family(families);
  pair_precisions(families);
}

void shk_families_clear(struct shk_families *families)
{
  put_back_reference(families);
  for (int i = 0; i < families->count; i++) {
    struct shk_family *family = &families->families[i];
    free(family->problem);
    free(family->suffix);
    free(family->cells);
    free(family->records);
    free(family->steps);
  }
  for (int g = 0; families->references && g < families->group_count; g++)
    free(families->references[g].units);
  free(families->families);
  free(families->references);
  *families = (struct shk_families){0};
}

double shk_family_steps(const struct shk_family *family, int index)
{
  const double recorded =
      shk_recorded(&family->records[index]->outcome, SHK_QUANTITY_WORK_STEPS, NULL);
  if (recorded > 0)
    return recorded;
  return family->by_tolerance ? family->until / family->time_scale
                              : family->until / family->steps[index];
}

double shk_family_energy(const struct shk_family *family, const struct shk_outcome *outcome)
{
  const double start = fabs(shk_recorded(outcome, SHK_QUANTITY_ENERGY_START, NULL));
  return fmax(start, family->size_q * family->size_p / family->time_scale);
}

double shk_family_energy_floor(const struct shk_family *family, int index)
{
  return family->epsilon * shk_family_energy(family, &family->records[index]->outcome) *
         (3 + sqrt(shk_family_steps(family, index)));
}

double shk_family_number(const struct shk_family *family, int index, enum shk_quantity_id id,
                         const char *parameter)
{
  const struct shk_record *const record = family->records[index];
  return shk_record_finished(record) ? shk_recorded(&record->outcome, id, parameter) : NAN;
}

int shk_family_finest(const struct shk_family *family)
{
  for (int i = family->count - 1; i >= 0; i--)
    if (shk_record_finished(family->records[i]))
      return i;
  return -1;
}

const char *shk_family_rests(const struct shk_family *family)
{
#define SHK_UNDECIDABLE(reason, text) [__builtin_ctz(reason)] = (text),
  static const char *const texts[] = {
#include <shakedown/undecidable.def>
  };
#undef SHK_UNDECIDABLE
  const struct shk_cell *const cell = family->cell;
  const bool own = shk_has_own_start(cell) && cell->member_count == 0,
             stands = family->reference && family->reference->record &&
                      family->reference->zero[SHK_REFERENCE_P] &&
                      !(family->inspection.features & (SHK_MOMENTUM_CONSTRAINT | SHK_GENERAL_DAE));
  return stands || (own && family->inspection.undecidable & SHK_AT_REST)
             ? texts[__builtin_ctz(SHK_AT_REST)]
             : NULL;
}

unsigned shk_family_undecidable(const struct shk_family *family)
{
  unsigned flags = family->inspection.undecidable;
  if (!(family->until > family->inspection.horizon * (1 + 1e-9)))
    flags &= ~(unsigned)SHK_CHAOTIC;
  return flags;
}

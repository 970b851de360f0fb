/* Selects the cells from which references are computed. See reference_cells.h. */
#include "harness/plan/reference_cells.h"

#include "engine/names.h"
#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>

/* Number of steps per time scale for the coarser composition. The finer composition uses twice as
 * many, and its error is about 1e-25 on smooth problems. Steps that solve systems of equations are
 * a hundred times as expensive, so fewer of them are used, and the error is about 1e-20. */
enum { STEPS_PER_TIME_SCALE = 64, DEAR_STEPS_PER_TIME_SCALE = 16 };
/* Compositions are sampled only at the last time if a step that divides all times would increase
 * the number of steps by more than this factor. */
enum { MOST_STEPS_FOR_TIMES = 8 };
#define COMPOSITION "composition(scheme=sofroniou-spaletta10)"

/* Fewer columns than usual are used, because the effect of rounding errors on increments grows with
 * the number of columns. */
#define EXTRAPOLATION "reference(columns=8)"
#define LONGER "reference(columns=10)"
/* Tolerances of the reference and of the runs with which it is compared. Below 1e-31, quad rounding
 * errors (a few times 2e-34 per substep) begin to dominate, so tighter tolerances gain little. */
#define TIGHTEST "1e-32"
#define NEXT_TO_IT "1e-31"
/* Displacement of the start. It is large compared with the run's tolerance, but remains small after
 * being amplified by the motion. Amplification factors of up to 1e16 can be measured. */
#define NUDGED "reference(nudge=1e-18)"
#define NUDGED_AGAIN "reference(nudge=1e-18,draw=2)"
const double shk_reference_nudge = 1e-18;
#define TOLERANCE_OF_NUDGED "1e-24"
#define TIGHT_IN_DOUBLE "1e-12"

const struct shk_numbers shk_reference_tolerances = {
    .count = 2,
    .texts = (char *[]){(char *)"1e-26", (char *)"1e-28"},
    .values = (double[]){1e-26, 1e-28}};

/* Computes the greatest common divisor of the times, because the composition's step must divide all
 * of them. For two times a and b whose least common multiple is k b, the divisor is a/k. Returns
 * false if it is not a decimal number. */
static bool common_divisor(struct shk_decimal *divisor, const struct shk_numbers *times)
{
  struct shk_decimal multiple;
  long long k;
  *divisor = times->exact[0];
  for (int i = 1; i < times->count; i++)
    if (!shk_decimal_common_multiple(&multiple, *divisor, times->exact[i]) ||
        !shk_decimal_is_multiple(&k, multiple, times->exact[i]) ||
        !shk_decimal_part(divisor, *divisor, k))
      return false;
  return true;
}

/* Adds the two step sizes of the compositions. The longer step is the largest divisor of all times
 * that has the form (common divisor)/(2^a 5^b) and does not exceed the time scale divided by
 * steps_per_time_scale. The other step is half as long. Returns false if these steps are not
 * decimal numbers. */
static bool add_steps(struct shk_numbers *steps, const struct shk_numbers *times,
                      const struct shk_inspection *inspection, int steps_per_time_scale)
{
  struct shk_decimal interval, step, half;
  if (!common_divisor(&interval, times))
    return false;
  const double least =
      shk_decimal_approximate(interval) * steps_per_time_scale / inspection->time_scale;
  const long long best = least <= 1     ? 1
                         : least < 1e12 ? shk_next_2_5((long long)ceil(least) - 1)
                                        : 0;
  if (best == 0 || !shk_decimal_part(&step, interval, best) || !shk_decimal_part(&half, step, 2))
    return false;
  shk_numbers_add(steps, step);
  shk_numbers_add(steps, half);
  return true;
}

void shk_set_times(struct shk_cell *cell, const struct shk_numbers *times, int first, int count)
{
  const int last = first + count - 1;
  cell->until = times->texts[last];
  cell->time_count = count;
  cell->times = times->texts + first;
  cell->numbers.until = times->values[last];
  cell->numbers.times = times->values + first;
}

/* The data that all cells of a reference share. */
struct pattern {
  const struct shk_context *context;
  const struct shk_cell *like;
  const struct shk_numbers *times;
};

/* Fills a cell. `steps` is the list that contains the cell's step, or NULL. Returns false and sets
 * the reason if the integrator does not exist or if a time is not an integer multiple of the
 * step. */
static bool fill_reference(struct shk_cell *cell, const struct pattern *pattern,
                           const char *integrator, const char *precision, const char *tolerance,
                           const struct shk_numbers *steps, int step, struct shk_message *error)
{
  struct shk_cell made = *pattern->like;
  char *canonical = shk_canonical_integrator(pattern->context, integrator, error);
  if (!canonical)
    return false;
  made.integrator = canonical;
  made.precision = (char *)precision;
  made.tolerance = (char *)tolerance;
  shk_set_times(&made, pattern->times, 0, pattern->times->count);
  made.numbers.tolerance = tolerance ? strtod(tolerance, NULL) : NAN;
  made.step = steps ? steps->texts[step] : NULL;
  made.numbers.step = steps ? steps->values[step] : NAN;
  made.step_counts = steps ? shk_allocate((size_t)made.time_count, sizeof *made.step_counts) : NULL;
  const bool ok =
      !steps ||
      shk_numbers_divide(made.step_counts, pattern->times, steps->exact[step]) == made.time_count ||
      shk_message_set(error, "a time is not a whole number of steps of %s", made.step);
  if (ok)
    shk_cell_copy(cell, &made);
  free(made.step_counts);
  free(canonical);
  return ok;
}

/* Fills the cells of the compositions. The compositions are sampled at all times if there is a
 * common step that is not too short; otherwise, they are sampled only at the last time. */
static bool fill_compositions(struct shk_cell cells[SHK_REFERENCE_CELLS],
                              const struct pattern *pattern,
                              const struct shk_inspection *inspection, struct shk_message *error)
{
  const bool dear = (inspection->features & (SHK_GENERAL_HAMILTONIAN | SHK_FORCES | SHK_RHEONOMIC |
                                             SHK_MOMENTUM_CONSTRAINT)) != 0;
  const int per_time_scale = dear ? DEAR_STEPS_PER_TIME_SCALE : STEPS_PER_TIME_SCALE;
  struct shk_numbers steps = {.count = 0}, end = {.count = 0};
  struct pattern wanted = *pattern;
  bool ok = add_steps(&steps, wanted.times, inspection, per_time_scale) &&
            steps.values[0] * per_time_scale * MOST_STEPS_FOR_TIMES >= inspection->time_scale;
  if (!ok) {
    shk_numbers_clear(&steps);
    shk_numbers_add(&end, wanted.times->exact[wanted.times->count - 1]);
    wanted.times = &end;
    ok = add_steps(&steps, wanted.times, inspection, per_time_scale);
    if (!ok)
      shk_message_set(error, "%s: the times have no common step of %d digits",
                      pattern->like->problem, SHK_DECIMAL_DIGITS);
  }
  ok = ok &&
       fill_reference(&cells[SHK_REFERENCE_COARSER], &wanted, COMPOSITION, "quad", NULL, &steps, 0,
                      error) &&
       fill_reference(&cells[SHK_REFERENCE_COMPOSITION], &wanted, COMPOSITION, "quad", NULL, &steps,
                      1, error);
  shk_numbers_clear(&steps);
  shk_numbers_clear(&end);
  return ok;
}

/* Lists the times. Each of them is preceded by an additional time about half a time scale earlier
 * (but at least 1/64 of the time), if this is a decimal number of at most 30 digits. The additional
 * times are needed because the difference between two runs can vanish by coincidence at a single
 * time. */
static void add_neighbours(struct shk_numbers *all, const struct shk_numbers *times,
                           double time_scale)
{
  enum { MOST_HALVINGS = 6 };
  for (int i = 0; i < times->count; i++) {
    const double time_scales = times->values[i] / time_scale;
    struct shk_decimal before = times->exact[i], part = before;
    int halvings = 1;
    bool ok = shk_decimal_part(&part, part, 2);
    while (ok && halvings < MOST_HALVINGS && ldexp(time_scales, -halvings) > 0.75) {
      ok = shk_decimal_part(&part, part, 2);
      halvings++;
    }
    ok = ok && shk_decimal_multiply(&before, part, (1 << halvings) - 1);
    if (ok && (i == 0 || shk_decimal_compare(times->exact[i - 1], before) < 0))
      shk_numbers_add(all, before);
    shk_numbers_add(all, times->exact[i]);
  }
}

bool shk_reference_cells(const struct shk_context *context,
                         struct shk_cell cells[SHK_REFERENCE_CELLS], const struct shk_cell *like,
                         const struct shk_numbers *times, const struct shk_inspection *inspection,
                         struct shk_message *error)
{
  struct shk_numbers all = {.count = 0};
  add_neighbours(&all, times, inspection->time_scale);
  const struct pattern pattern = {context, like, times}, often = {context, like, &all};
  const bool exact = inspection->exact && !like->q;
  const struct {
    int cell;
    const char *integrator, *precision, *tolerance;
  } wanted[] = {
      {SHK_REFERENCE_BEST, exact ? "exact" : EXTRAPOLATION, "quad", exact ? NULL : TIGHTEST},
      {SHK_REFERENCE_AGAINST, EXTRAPOLATION, "quad", exact ? TIGHTEST : NEXT_TO_IT},
      {SHK_REFERENCE_LONGER, LONGER, "quad", NEXT_TO_IT},
      {SHK_REFERENCE_NUDGED, NUDGED, "quad", TOLERANCE_OF_NUDGED},
      {SHK_REFERENCE_NUDGED_AGAIN, NUDGED_AGAIN, "quad", TOLERANCE_OF_NUDGED},
      {SHK_REFERENCE_RADAU5, "radau5", "double", TIGHT_IN_DOUBLE},
      {SHK_REFERENCE_IDA, "ida", "double", TIGHT_IN_DOUBLE}};
  bool ok = true;
  for (size_t i = 0; ok && i < sizeof wanted / sizeof wanted[0]; i++)
    ok = fill_reference(
        &cells[wanted[i].cell], wanted[i].cell < SHK_REFERENCE_RADAU5 ? &often : &pattern,
        wanted[i].integrator, wanted[i].precision, wanted[i].tolerance, NULL, 0, error);
  ok = ok && fill_compositions(cells, &pattern, inspection, error);
  shk_numbers_clear(&all);
  return ok;
}

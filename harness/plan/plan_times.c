/*
 * Computes the horizon, steps and sample times in exact decimal arithmetic. This determines with
 * certainty whether a step divides the horizon, and it ensures that all integrators of a group are
 * compared at exactly the same times.
 *
 * The natural horizon is the problem's horizon, rounded to 3 digits or, if the run lists steps, to
 * a multiple of all of them. The natural steps are horizon/N, horizon/2N, … horizon/64N, where N
 * has the form 2^a 5^b and is chosen so that there are as close to 10 steps per time scale as
 * possible. By default, the sample times are the multiples of the least common multiple of the
 * steps (or evenly spaced times if there are no steps), thinned to at most 200. Cells with members
 * have at most 16 times. If a figure draws the path, there are 12 times per time scale, but at
 * least 200 and at most 2,000. Two more times are always added: one near 0.618 of the horizon, and
 * the horizon itself.
 */
#include "harness/plan/plan_times.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdlib.h>

enum {
  natural_digits = 3, /* number of digits of a natural horizon */
  natural_steps_per_time_scale = 10,
  natural_halvings = 6,
  /* for drawing a path: a circle becomes a polygon with 75 sides, which deviates by 0.1 % of the
   * radius */
  even_times_per_time_scale = 12,
  most_even_times_of_path = 2000,
  most_even_times = 200,
  /* for ensembles, whose records contain the samples of every member */
  most_even_times_of_members = 16
};

static bool __attribute__((format(printf, 3, 4)))
fail(const struct shk_time_planner *s, int line, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  char *const text = shk_print_arguments(format, arguments);
  va_end(arguments);
  shk_message_set(s->error, "%s:%d: %s", s->path, line ? line : s->run->line, text);
  free(text);
  return false;
}

static bool fail_step(const struct shk_time_planner *s, int index)
{
  const char *const h = s->made.steps.texts[index];
  const double until = shk_decimal_approximate(s->until);
  struct shk_decimal best;
  if (shk_decimal_compare(s->made.steps.exact[index], s->until) > 0)
    return fail(s, s->run->steps_line, "the step %s is longer than the horizon %.15g of %s", h,
                until, s->start->problem);
  char *const near = shk_decimal_nearest_part(&best, s->until, s->made.steps.values[index])
                         ? shk_decimal_text(best)
                         : NULL;
  fail(s, s->run->steps_line, "the step %s does not divide the horizon %.15g of %s%s%s", h, until,
       s->start->problem, near ? "; the nearest that does is " : "", near ? near : "");
  free(near);
  return false;
}

/* Computes the least common multiple of the steps. */
static bool sampling_interval(const struct shk_time_planner *s, struct shk_decimal *interval)
{
  *interval = s->made.steps.exact[0];
  for (int i = 1; i < s->made.steps.count; i++)
    if (!shk_decimal_common_multiple(interval, *interval, s->made.steps.exact[i]))
      return fail(
          s, s->run->steps_line,
          "the steps have no common multiple of 30 digits: there are no common sample times");
  return true;
}

/* Returns the horizon that the run specifies as a number of time scales or, by default, the
 * problem's natural horizon. */
static double wished_horizon(const struct shk_time_planner *s)
{
  const struct shk_study_run *const run = s->run;
  if (run->until_scales.coefficient == 0)
    return s->inspection->horizon;
  const double scales = shk_decimal_approximate(run->until_scales) * s->inspection->time_scale;
  return run->within_natural ? fmin(scales, s->inspection->horizon) : scales;
}

/* Sets the natural horizon. This is the requested horizon, either rounded or, if the run lists
 * steps, replaced by the nearest common multiple of these steps. */
static bool natural_until(struct shk_time_planner *s)
{
  const double horizon = wished_horizon(s);
  const int digits = s->run->until_digits > 0 ? s->run->until_digits : natural_digits;
  struct shk_decimal rounded;
  if (!(horizon > 0) || !shk_decimal_round(&rounded, horizon, digits))
    return fail(s, s->run->until_line, "%s has no natural horizon; specify `until`",
                s->start->problem);
  s->until = rounded;
  if (s->made.steps.count == 0)
    return true;
  struct shk_decimal interval;
  if (!sampling_interval(s, &interval))
    return false;
  const double whole = round(horizon / shk_decimal_approximate(interval));
  return (whole >= 1 && whole < 1e15 &&
          shk_decimal_multiply(&s->until, interval, (long long)whole)) ||
         fail(s, s->run->steps_line,
              "the common multiple %.15g of the steps does not fit the natural horizon %.15g of "
              "%s; specify `until` or other steps",
              shk_decimal_approximate(interval), shk_decimal_approximate(rounded),
              s->start->problem);
}

/* Sets the steps T/N, T/(2N), T/(4N), …, or the single step T/(N D), where T = `until`. */
static bool natural_steps(struct shk_time_planner *s)
{
  const double wanted =
      natural_steps_per_time_scale * shk_decimal_approximate(s->until) / s->inspection->time_scale;
  if (!(wanted > 0 && wanted < 1e12))
    return fail(s, s->run->steps_line, "%s has no natural steps; specify `steps`",
                s->start->problem);
  long long best = 1;
  for (long long n = 1; (double)n <= 4 * wanted + 4; n = shk_next_2_5(n))
    if (fabs(log((double)n / wanted)) < fabs(log((double)best / wanted)))
      best = n;
  struct shk_decimal step;
  bool ok = shk_decimal_part(&step, s->until, best);
  for (int n = s->run->natural_divisor; ok && n > 1; n /= 2)
    ok = shk_decimal_part(&step, step, 2);
  const int count = s->run->natural_divisor ? 1 : natural_halvings + 1;
  for (int i = 0; ok && i < count; i++) {
    shk_numbers_add(&s->made.steps, step);
    ok = shk_decimal_part(&step, step, 2);
  }
  return ok || fail(s, s->run->until_line, "the horizon has too many digits for natural steps");
}

/* Sets the steps that the run specifies as fractions of a largest step. */
static bool part_steps(struct shk_time_planner *s)
{
  const struct shk_step_parts *const parts = &s->run->parts;
  struct shk_decimal largest = parts->largest, step;
  bool ok = !parts->of_until || shk_decimal_divide(&largest, s->until, parts->largest);
  for (int i = 0; i < parts->parts.count && ok; i++) {
    ok = shk_decimal_divide(&step, largest, parts->parts.exact[i]);
    if (ok)
      shk_numbers_add(&s->made.steps, step);
  }
  return ok ||
         fail(s, s->run->steps_line, "a part of the largest step is not a decimal of 30 digits");
}

static bool add_multiple(struct shk_time_planner *s, struct shk_decimal interval, long long k)
{
  struct shk_decimal time;
  if (!shk_decimal_multiply(&time, interval, k))
    return fail(s, s->run->times_line, "sample times have too many digits");
  shk_numbers_add(&s->made.times, time);
  return true;
}

static bool check_time(const struct shk_time_planner *s, int i)
{
  return shk_decimal_compare(s->made.times.exact[i], s->until) <= 0 ||
         fail(s, s->run->times_line, "the sample time %s is beyond the horizon of %s",
              s->made.times.texts[i], s->start->problem);
}

static bool count_steps(struct shk_time_planner *s)
{
  const struct shk_numbers *const steps = &s->made.steps, *const times = &s->made.times;
  const size_t count = (size_t)times->count;
  s->made.step_counts = shk_allocate((size_t)steps->count * count, sizeof *s->made.step_counts);
  for (int j = 0; j < steps->count; j++) {
    const int whole =
        shk_numbers_divide(s->made.step_counts + (size_t)j * count, times, steps->exact[j]);
    if (whole < times->count)
      return fail(s, s->run->times_line,
                  "the sample time %s is not a whole number of steps of length %s",
                  times->texts[whole], steps->texts[j]);
  }
  return true;
}

/* Adds the sample times that the run lists, or the requested number of evenly spaced times,
 * followed by the horizon. */
static bool explicit_times(struct shk_time_planner *s)
{
  const struct shk_study_run *const run = s->run;
  const int count = run->even_times > 0 ? run->even_times : run->times.count;
  struct shk_decimal part;
  if (run->even_times > 0 && !shk_decimal_part(&part, s->until, count))
    return fail(s, run->times_line, "an even part of the horizon is not a decimal of 30 digits");
  for (int i = 0; i < count; i++) {
    if (run->even_times == 0)
      shk_numbers_add(&s->made.times, run->times.exact[i]);
    else if (!add_multiple(s, part, i + 1))
      return false;
    if (!check_time(s, i))
      return false;
  }
  if (shk_decimal_compare(s->made.times.exact[s->made.times.count - 1], s->until) < 0)
    shk_numbers_add(&s->made.times, s->until);
  return true;
}

/* Returns the maximum number of default sample times, not counting the two extra times. */
static long long most_times(const struct shk_time_planner *s)
{
  const double scales = shk_decimal_approximate(s->until) / s->inspection->time_scale;
  if (s->start->member_count > 0)
    return most_even_times_of_members;
  return s->draws_path ? llround(fmin(fmax(even_times_per_time_scale * scales, most_even_times),
                                      most_even_times_of_path))
                       : most_even_times;
}

static bool default_times(struct shk_time_planner *s)
{
  struct shk_decimal interval;
  const long long most = most_times(s);
  long long intervals = most;
  if (s->made.steps.count == 0) {
    if (!shk_decimal_part(&interval, s->until, intervals))
      return fail(s, s->run->until_line, "the horizon has too many digits");
  } else if (!sampling_interval(s, &interval) ||
             !shk_decimal_is_multiple(&intervals, s->until, interval)) {
    return fail(s, s->run->steps_line, "the steps have no common multiple; specify `times`");
  }
  const bool all = intervals <= most + 2;
  const long long stride = all ? 1 : (intervals + most - 1) / most;
  const long long generic = all ? 0 : llround(0.6180339887498949 * (double)intervals);
  for (long long last = 0, k = stride; last < intervals; last = k, k += stride) {
    k = k < intervals ? k : intervals;
    if ((last < generic && generic < k && !add_multiple(s, interval, generic)) ||
        !add_multiple(s, interval, k))
      return false;
  }
  return true;
}

static bool choose_times(struct shk_time_planner *s)
{
  const struct shk_study_run *const run = s->run;
  for (int i = 0; s->has_fixed_steps && i < run->steps.count; i++)
    shk_numbers_add(&s->made.steps, run->steps.exact[i]);
  s->until = run->until;
  if (run->until.coefficient == 0 && !natural_until(s))
    return false;
  if (s->has_fixed_steps && run->step_kind == SHK_STEPS_NATURAL && !natural_steps(s))
    return false;
  if (s->has_fixed_steps && run->step_kind == SHK_STEPS_PARTS && !part_steps(s))
    return false;
  for (int i = 0; i < s->made.steps.count; i++) {
    long long k;
    if (!shk_decimal_is_multiple(&k, s->until, s->made.steps.exact[i]))
      return fail_step(s, i);
  }
  return (run->even_times > 0 || run->times.count > 0 ? explicit_times(s) : default_times(s)) &&
         count_steps(s);
}

bool shk_plan_times_make(struct shk_time_planner *s)
{
  const bool ok = choose_times(s);
  if (!ok)
    shk_plan_times_clear(&s->made);
  return ok;
}

void shk_plan_times_clear(struct shk_plan_times *times)
{
  shk_numbers_clear(&times->steps);
  shk_numbers_clear(&times->times);
  free(times->step_counts);
}

/*
 * A cell of kind "run" performs an integration. It takes measurements at every step and samples at
 * the sample times. A cell of kind "regularity" does the same, but with the additional measure
 * "regularity" and without timing.
 *
 * The CPU time includes only the integrator. With fixed steps, the first steps are repeated without
 * measures, and the shortest time is scaled up to all steps. For adaptive solvers, the calls are
 * timed, and short runs are repeated.
 */
#include "engine/cells/cells.h"

#include "engine/cells/drive.h"
#include "foundation/probe.h"
#include "measures/measure.h"
#include "mechanics/binding/real_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
  RUN_MEASURES = 0
#define RUN_MEASURE(word, ...) +1
#include "measures/run.def"
#undef RUN_MEASURE
};

#define RUN_MEASURE(word, ...) &shk_measure_##word,
static const struct shk_measure *const measures[RUN_MEASURES] = {
#include "measures/run.def"
};
#undef RUN_MEASURE

#define TIMING_SECONDS ((double)1 / 20)
#define TIMING_REPEATS 3
/* total time in seconds for which short runs are repeated, because their times vary most */
#define TIMING_TOTAL ((double)1 / 500)
#define TIMING_MOST 15

struct running {
  struct shk_drive drive;
  struct shk_measured measured;
  void *states[RUN_MEASURES];
  struct shk_outcome *outcome;
  const struct shk_cell *cell;
  bool adaptive, measures; /* `measures` is true once the measures have been created */
  bool trial;              /* true if the run is not measured, as in struct shk_context */
  /* total number of steps; for adaptive methods, number of sample times */
  long steps;
  long done;      /* number of steps taken */
  int due;        /* index of the next sample; -1 for the start */
  real *times;    /* for adaptive methods: sample times, relative to t0 */
  double seconds; /* seconds spent in calls to adaptive solvers */
  /* the work done before the additional last step, which is not counted */
  struct shk_counters before;
  bool ended;
  struct shk_status status; /* status of the run so far */
};

static double cpu_seconds(const struct running *r)
{
  const struct shk_evaluator *const evaluator = &r->drive.bound.evaluator;
  if (evaluator->is_elsewhere)
    return evaluator->seconds_elsewhere;
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1000000000;
}

static struct shk_status bad_times(const char *reason)
{
  return shk_failure(SHK_BAD_INPUT, reason, 0, 0);
}

/* Returns the number of steps to the i-th sample time. For an adaptive method, each sample time
 * counts as a step. */
static long step_of_sample(const struct running *r, int i)
{
  return r->adaptive ? (long)i + 1 : (long)r->cell->step_counts[i];
}

static struct shk_status read_times(struct running *r)
{
  const struct shk_cell *cell = r->cell;
  const struct shk_bound *bound = &r->drive.bound;
  r->adaptive = bound->integrator->info.adaptive;
  r->times = calloc((size_t)cell->time_count + 1, sizeof *r->times);
  if (!r->times)
    return shk_no_memory();
  if (!r->adaptive && bound->step == 0)
    return bad_times("a fixed-step integrator needs a nonzero step");
  if (!r->adaptive && !cell->step_counts)
    return bad_times("the numbers of steps to the sample times are missing");
  if (r->adaptive)
    r->drive.bound.step = 0;
  for (int i = 0; i < cell->time_count; i++) {
    if (!shk_real_parse(&r->times[i], cell->times[i]))
      return bad_times("a sample time is not a number");
    if (step_of_sample(r, i) <= r->steps)
      return bad_times("the sample times are not ascending");
    r->steps = step_of_sample(r, i);
  }
  return r->steps > 0 ? shk_ok() : bad_times("there are no sample times");
}

static real time_of_step(const struct running *r, long step)
{
  const real t0 = r->drive.bound.instance.initial_time;
  return t0 + (r->adaptive ? r->times[step - 1] : (real)step * r->drive.bound.step);
}

static struct shk_status observe_run(struct running *r)
{
  struct shk_evaluator *const e = r->measured.evaluator;
  const struct shk_state *const at = &r->drive.current;
  if (!(e->system->features & SHK_GENERAL_DAE))
    SHK_TRY(shk_hamiltonian(e, &r->measured.energy, at->t, at->q, at->p));
  for (int i = 0; i < RUN_MEASURES; i++)
    if (r->states[i] && measures[i]->observe)
      SHK_TRY(measures[i]->observe(r->states[i], at));
  return shk_ok();
}

static struct shk_status sample_run(struct running *r, const char *time, real t,
                                    const struct shk_state *next, bool is_start)
{
  struct shk_sample *s = shk_outcome_add_sample(r->outcome, time, (double)t);
  for (int i = 0; i < RUN_MEASURES; i++)
    if (r->states[i] && measures[i]->sample)
      SHK_TRY(measures[i]->sample(r->states[i], s, &r->drive.current, next, is_start));
  return shk_ok();
}

static struct shk_status timed_step(struct running *r, real t1)
{
  if (!r->adaptive)
    return shk_drive_step(&r->drive, t1);
  const double began = cpu_seconds(r);
  const struct shk_status status = shk_drive_step(&r->drive, t1);
  r->seconds += cpu_seconds(r) - began;
  return status;
}

/* Completes the step that returned `status`. A fixed-step run attempts one additional step to
 * obtain the multiplier that acts at the end of the run. */
static struct shk_status take_run(struct running *r, struct shk_status status)
{
  struct shk_counters *counters = &r->drive.bound.evaluator.counters;
  const long k = r->done;
  const bool last = k == r->steps, tried = !last || !r->adaptive;
  if (last)
    *counters = r->before;
  else if (!r->adaptive)
    counters->steps++;
  if (k == 0 || (r->due < r->cell->time_count && step_of_sample(r, r->due) == k)) {
    SHK_TRY(sample_run(r, k == 0 ? "0" : r->cell->times[r->due], k == 0 ? 0 : r->times[r->due],
                       tried && status.code == SHK_OK ? &r->drive.next : NULL, k == 0));
    r->due++;
  }
  r->ended = last;
  if (last)
    return shk_ok();
  SHK_TRY(status);
  r->done++;
  shk_drive_accept(&r->drive);
  SHK_TRY(observe_run(r));
  r->outcome->reached = (double)(r->drive.current.t - r->drive.bound.instance.initial_time);
  if (r->done <= SHK_PROBE_STEPS)
    shk_tell_step((double)(r->adaptive ? r->times[r->done - 1] / r->times[r->steps - 1]
                                       : (real)r->done / (real)r->steps));
  return shk_ok();
}

/* Takes as many steps from the start as TIMING_SECONDS allows, or all steps if the method is
 * adaptive. Returns the time in seconds that all steps would take at this pace, or NaN after a
 * failure. */
static double time_run(struct running *r)
{
  long k = 0, look = 0;
  double spent = 0;
  if (shk_drive_rewind(&r->drive).code != SHK_OK)
    return NAN;
  r->drive.watches = false; /* it is already known that the run does not cross a fold */
  const double began = cpu_seconds(r);
  while (k < r->steps && (r->adaptive || spent < TIMING_SECONDS)) {
    if (shk_drive_step(&r->drive, time_of_step(r, k + 1)).code != SHK_OK)
      return NAN;
    shk_drive_accept(&r->drive);
    if (++k < look && k < r->steps)
      continue; /* reading the clock takes longer than the cheapest steps */
    spent = cpu_seconds(r) - began;
    look = k + k / 8 + 1;
  }
  return spent * ((double)r->steps / (double)k);
}

/* Returns the smallest CPU time of several runs: the first run includes the solver's memory
 * allocations, and others may be interrupted. */
static double measure_time(struct running *r)
{
  double least = r->adaptive ? r->seconds : (double)NAN, total = r->adaptive ? r->seconds : 0;
  for (int i = r->adaptive; i < TIMING_REPEATS || (i < TIMING_MOST && total < TIMING_TOTAL); i++)
    if (!r->adaptive || least < TIMING_SECONDS) {
      const double seconds = time_run(r);
      least = fmin(least, seconds);
      total += seconds;
    }
  return least;
}

/* Adds the facts that the method reports at the start. The evaluations that this requires do not
 * count as work of the run. */
static void add_facts(struct running *r)
{
  struct shk_bound *bound = &r->drive.bound;
  struct shk_fact facts[8];
  if (!bound->integrator->facts)
    return;
  const struct shk_counters before = bound->evaluator.counters;
  const int count = bound->integrator->facts(
      bound->method, facts, (int)(sizeof facts / sizeof facts[0]), &r->drive.current);
  bound->evaluator.counters = before;
  for (int i = 0; i < count; i++) {
    char name[64];
    snprintf(name, sizeof name, "method-%s", facts[i].name);
    shk_outcome_add_scalar(r->outcome, name, facts[i].value);
  }
}

static struct shk_status begin_run(struct running *r)
{
  SHK_TRY(read_times(r));
  add_facts(r);
  r->measured = (struct shk_measured){.instance = &r->drive.bound.instance,
                                      .evaluator = &r->drive.bound.observer,
                                      .manifold = r->drive.bound.manifold,
                                      .counters = &r->drive.bound.evaluator.counters,
                                      .own_work = r->drive.bound.evaluator.own_work,
                                      .observations = r->steps,
                                      .adaptive = r->adaptive,
                                      .regularity = strcmp(r->cell->kind, "regularity") == 0,
                                      .integrator = r->drive.bound.integrator,
                                      .method = r->drive.bound.method};
  for (int i = 0; i < RUN_MEASURES && !r->trial; i++) {
    const struct shk_measure *const measure = measures[i];
    if (measure->applies && !measure->applies(&r->measured))
      continue;
    r->states[i] = shk_memory(r->measured.evaluator->workspace, measure->size);
    SHK_TRY(shk_allocated(r->states[i]));
    if (measure->create)
      SHK_TRY(measure->create(r->states[i], &r->measured));
  }
  r->measures = true;
  r->due = -1;
  shk_tell_step(0);
  return observe_run(r);
}

static void integrate_run(struct running *r)
{
  r->status = begin_run(r);
  while (r->status.code == SHK_OK && !r->ended) {
    const bool last = r->done == r->steps;
    if (last)
      r->before = r->drive.bound.evaluator.counters;
    const bool steps = !last || (!r->adaptive && !r->trial);
    r->status = take_run(r, steps ? timed_step(r, time_of_step(r, r->done + 1)) : shk_ok());
  }
  /* must happen before the method is bound again, which clears its residuals */
  if (r->status.code != SHK_OK)
    shk_bind_report(&r->drive.bound, r->outcome, r->status);
}

static void finish_run(struct running *r, bool timed)
{
  for (int i = 0; r->measures && i < RUN_MEASURES; i++) {
    if (r->states[i] && measures[i]->finish)
      measures[i]->finish(r->states[i], r->outcome);
    if (r->states[i] && measures[i]->destroy)
      measures[i]->destroy(r->states[i]);
  }
  if (r->measures && r->status.code == SHK_OK && timed && !r->measured.regularity &&
      !isnan(cpu_seconds(r)))
    shk_outcome_add_scalar(r->outcome, "cpu-seconds", measure_time(r));
  free(r->times);
}

void shk_run_cell(const struct shk_context *context, struct shk_outcome *outcome,
                  const struct shk_cell *cell, bool timed)
{
  struct running r = {.outcome = outcome, .cell = cell, .trial = context->trial};
  *outcome = (struct shk_outcome){0};
  if (shk_drive_begin(context, &r.drive, outcome, cell) &&
      !(r.trial && r.drive.bound.stepped && !r.drive.watches)) {
    integrate_run(&r);
    finish_run(&r, timed && !context->untimed && !context->trial);
  }
  shk_drive_end(&r.drive);
}

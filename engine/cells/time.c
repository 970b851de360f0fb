/*
 * Cells of kind "time" measure the processor time of a step as a multiple of that of a control,
 * `rattle`, on the same problem in the same process. Times depend on the machine, the day and other
 * processes. They vary in nearly the same way for both methods, however, because the two alternate
 * in blocks of a few milliseconds: method, control, control, method, … The result is the median
 * over all pairs of blocks.
 *
 * A fixed-step method and the control both use the cell's step. A method that chooses its own steps
 * performs whole runs, and its accepted steps are counted. In this case, the control's step is a
 * fiftieth of the time scale. At the end of the run, both methods start again.
 *
 * The measured time does not include binding, nor the time spent by external programs, which run in
 * other processes.
 */
#include "engine/cells/cells.h"
#include "engine/cells/drive.h"
#include "foundation/memory.h"
#include "foundation/message.h"
#include "foundation/paired.h"
#include "foundation/probe.h"
#include "foundation/specifications/spec.h"
#include "mechanics/binding/real_text.h"
#include "mechanics/system/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CONTROL "rattle"

enum {
  ENOUGH_PAIRS = 31, /* this many pairs are enough if the median is already known accurately */
  MOST_PAIRS = 401
};
static const double
    block_seconds = (double)1 / 500, /* this is 1000 times the clock's resolution */
    /* time limit for all pairs; it does not apply until SHK_LEAST_PAIRS have been measured */
    most_seconds = 10,
    /* no more pairs are needed once the relative half-width of the median is at most this large */
    well_known = (double)1 / 50;

/* A method being timed. */
struct runner {
  struct shk_drive drive;
  bool adaptive;
  real *times; /* for adaptive methods, the sample times relative to t0 */
  /* the number of steps or sample times completed so far, and their number in a whole run */
  long at, steps;
  long block; /* number of steps in a block */
};

static double processor_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1000000000;
}

static struct shk_status take_step(struct runner *r)
{
  struct shk_drive *const drive = &r->drive;
  const struct shk_bound *const bound = &drive->bound;
  if (r->at == r->steps) {
    shk_state_copy(&drive->current, &bound->start);
    r->at = 0;
  }
  const real since = r->adaptive ? r->times[r->at] : (real)(r->at + 1) * bound->step,
             t1 = bound->instance.initial_time + since,
             h = r->adaptive ? t1 - drive->current.t : bound->step;
  SHK_TRY(bound->integrator->step(bound->method, &drive->next, &drive->current, h));
  drive->next.t = t1;
  shk_drive_accept(drive);
  r->at++;
  return shk_ok();
}

/* Takes a block of steps. Stores the seconds for the block and the seconds per step. */
static struct shk_status take_block(struct runner *r, double *seconds, double *per_step)
{
  const long *const accepted = &r->drive.bound.evaluator.counters.steps, before = *accepted;
  const double began = processor_seconds();
  for (long k = 0; k < r->block; k++)
    SHK_TRY(take_step(r));
  *seconds = processor_seconds() - began;
  const long steps = r->adaptive ? *accepted - before : r->block;
  *per_step = *seconds / (double)(steps > 0 ? steps : 1);
  shk_tell_step((double)NAN);
  if (!shk_state_is_finite(&r->drive.current))
    return shk_failure(SHK_NOT_FINITE, "a step returned a state that is not finite", 0, 0);
  return shk_ok();
}

/* Determines the number of steps in a block. If a method chooses its own steps, a block consists of
 * whole runs, because some parts of a run take longer than others. */
static struct shk_status size_block(struct runner *r)
{
  double seconds = 0, unused;
  for (r->block = r->adaptive ? r->steps : 1; seconds < block_seconds; r->block *= 2)
    SHK_TRY(take_block(r, &seconds, &unused));
  r->block /= 2;
  return shk_ok();
}

/* Reads the sample times of a run or counts the run's steps. */
static struct shk_status lay_out(struct runner *r, const struct shk_cell *cell)
{
  const struct shk_bound *const bound = &r->drive.bound;
  r->adaptive = bound->integrator->info.adaptive;
  if (!r->adaptive) {
    r->steps = (long)(real_fabs(bound->until / bound->step) + R(0.5));
    r->steps = r->steps > 0 ? r->steps : 1;
    return shk_ok();
  }
  r->drive.bound.step = 0;
  r->steps = cell->time_count;
  SHK_TRY(shk_reals(bound->instance.workspace, &r->times, (size_t)r->steps + 1));
  for (int i = 0; i < cell->time_count; i++)
    if (!shk_real_parse(&r->times[i], cell->times[i]))
      return shk_failure(SHK_BAD_INPUT, "a sample time is not a number", 0, 0);
  return shk_ok();
}

/* Binds the control for a method that is already bound. On failure, returns false and stores the
 * reason in the outcome. */
static bool begin_control(const struct shk_context *context, struct runner *control,
                          struct shk_outcome *outcome, const struct shk_cell *cell,
                          const struct runner *method)
{
  char step[40];
  struct shk_cell own = *cell; /* shares the strings of the cell */
  snprintf(step, sizeof step, "%.17g", (double)(method->drive.bound.instance.time_scale / 50));
  own.integrator = (char *)CONTROL;
  own.tolerance = NULL;
  own.step = method->adaptive ? step : cell->step;
  own.step_counts = NULL;
  if (shk_drive_begin(context, &control->drive, outcome, &own))
    return true;
  char *const reason = shk_print_text("the control: %s", outcome->reason);
  shk_text_fit(outcome->reason, sizeof outcome->reason, reason);
  free(reason);
  return false;
}

/* Takes pairs of blocks until their median ratio is known accurately enough. */
static struct shk_status compare_times(struct runner *method, struct runner *control,
                                       struct shk_outcome *outcome)
{
  double ratios[MOST_PAIRS], sorted[MOST_PAIRS], spent = 0;
  struct shk_median median = {(double)NAN, (double)NAN};
  int count = 0;
  bool known = false;
  SHK_TRY(size_block(method));
  SHK_TRY(size_block(control));
  while (!known && count < MOST_PAIRS && (count < SHK_LEAST_PAIRS || spent < most_seconds)) {
    struct runner *const order[2] = {count % 2 == 0 ? method : control,
                                     count % 2 == 0 ? control : method};
    double seconds[2], per_step[2];
    SHK_TRY(take_block(order[0], &seconds[0], &per_step[0]));
    SHK_TRY(take_block(order[1], &seconds[1], &per_step[1]));
    spent += seconds[0] + seconds[1];
    ratios[count] = per_step[count % 2] / per_step[1 - count % 2];
    count++;
    for (int i = 0; i < count; i++)
      sorted[i] = ratios[i];
    median = shk_median_of_pairs(sorted, count);
    known = count >= ENOUGH_PAIRS && median.half_width <= well_known * median.value;
  }
  shk_outcome_add_scalar(outcome, "time-ratio", median.value);
  shk_outcome_add_scalar(outcome, "time-half-width", median.half_width);
  shk_outcome_add_scalar(outcome, "time-pairs", count);
  return shk_ok();
}

static void time_method(const struct shk_context *context, struct runner *method,
                        struct shk_outcome *outcome, const struct shk_cell *cell)
{
  struct runner control = {.block = 1};
  struct shk_status status = lay_out(method, cell);
  if (status.code == SHK_OK && begin_control(context, &control, outcome, cell, method)) {
    status = lay_out(&control, cell);
    if (status.code == SHK_OK)
      status = compare_times(method, &control, outcome);
  }
  if (status.code != SHK_OK)
    shk_bind_report(&method->drive.bound, outcome, status);
  shk_drive_end(&control.drive);
}

bool shk_time_cell(const struct shk_context *context, struct shk_outcome *outcome,
                   const struct shk_cell *cell)
{
  struct runner method = {.block = 1};
  if (strcmp(cell->kind, "time") != 0)
    return false;
  *outcome = (struct shk_outcome){.reached = (double)NAN};
  if (shk_spec_programs(cell->integrator, NULL, NULL) > 0) {
    outcome->code = SHK_REFUSED;
    shk_text_fit(outcome->reason, sizeof outcome->reason,
                 "the steps are taken by another program, whose time is not that of this process");
    return true;
  }
  if (shk_drive_begin(context, &method.drive, outcome, cell))
    time_method(context, &method, outcome, cell);
  shk_drive_end(&method.drive);
  return true;
}

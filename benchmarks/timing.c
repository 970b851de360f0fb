/*
 * Times whole steps: after a warm-up, as many steps as fill a fixed time, repeated several times,
 * alternating between a method and its reference, so that conditions are equal. Before timing, both
 * make a few steps from the same start and must agree within the tolerance.
 */
#include "benchmarks/timing.h"

#include "engine/cells/drive.h"
#include "foundation/message.h"
#include "mechanics/system/manifold.h"
#include "mechanics/system/state.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REPEATS = 7, COMPARED_STEPS = 8, REASON = 256 };

struct pair {
  const struct timing_task *task;
  struct shk_drive drive;
  void *hand; /* the reference; NULL: none */
  real tolerance;
  real *q, *p, *g; /* of the reference; g: residuals, 2m numbers */
  long last;       /* steps since the method was last bound */
};

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1000000000;
}

static bool advance(struct shk_drive *d, long steps)
{
  for (long k = 0; k < steps; k++) {
    if (shk_drive_step(d, d->current.t + d->bound.step).code != SHK_OK)
      return false;
    shk_drive_accept(d);
  }
  return true;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static real largest_difference(const real *a, const real *b, int n)
{
  real largest = 0;
  for (int i = 0; i < n; i++) {
    const real d = real_fabs(a[i] - b[i]);
    if (!(d <= largest))
      largest = d;
  }
  return largest;
}

/* max|g| of the manifold at (q,p); below zero if it cannot be evaluated. */
static real violation(struct pair *pair, const real *q, const real *p)
{
  const struct shk_drive *d = &pair->drive;
  const int m = d->bound.start.m;
  if (shk_manifold_residuals(d->bound.manifold, pair->g, pair->g + m, d->current.t, q, p).code !=
      SHK_OK)
    return -1;
  return real_max_norm(pair->g, m);
}

/* The rounding error of g, and its largest derivative. */
static bool sizes(struct pair *pair, real *rounding, real *slope)
{
  struct shk_bound *bound = &pair->drive.bound;
  struct shk_evaluator *e = &bound->observer;
  const int entries = e->row_start[bound->start.m];
  real *G = malloc(((size_t)entries + 1) * sizeof *G);
  const bool ok = G != NULL && shk_jacobian(e, G, bound->start.t, bound->start.q).code == SHK_OK;
  if (ok) {
    *slope = real_max_norm(G, entries);
    *rounding = 20 * REAL_EPSILON * (1 + real_max_norm(bound->start.q, bound->start.n)) * *slope;
  }
  free(G);
  return ok;
}

/* Compares the first steps. Newton iterations end anywhere below the tolerance; the remaining g
 * causes a difference of |g|/|G| in q, and of that over h in p, in every step. Ten times this is
 * allowed. */
static bool compare(struct timing *timing, struct pair *pair, char *reason)
{
  struct shk_drive *d = &pair->drive;
  const struct hand *hand = pair->task->hand;
  const int n = d->bound.start.n;
  real rounding, slope, heaviest = 0;
  if (!sizes(pair, &rounding, &slope) || shk_drive_rewind(d).code != SHK_OK ||
      !advance(d, COMPARED_STEPS)) {
    snprintf(reason, REASON, "the first steps failed");
    return false;
  }
  timing->bits = shk_state_sum(&d->current);
  hand->start(pair->hand);
  if (!hand->run(pair->hand, COMPARED_STEPS)) {
    snprintf(reason, REASON, "the first steps of the reference failed");
    return false;
  }
  hand->state(pair->hand, pair->q, pair->p);
  for (int i = 0; i < n; i++)
    heaviest = real_max(heaviest, d->bound.instance.system.mass[i]);
  const real in_q = largest_difference(d->current.q, pair->q, n);
  const real in_p = largest_difference(d->current.p, pair->p, n);
  const real allowed = 10 * COMPARED_STEPS * (pair->tolerance + rounding) / slope;
  timing->difference = (double)real_max(in_q, (real)timing->difference);
  if (pair->task->control || (in_q <= allowed && in_p <= allowed * heaviest / d->bound.step))
    return true;
  snprintf(reason, REASON,
           "it differs from the reference by %.1e in q and %.1e in p after %d steps, where %.1e "
           "and %.1e are allowed",
           (double)in_q, (double)in_p, (int)COMPARED_STEPS, (double)allowed,
           (double)(allowed * heaviest / d->bound.step));
  return false;
}

/* Times one repeat: the seconds of `steps` steps, in runs of at most task->most. Every repeat times
 * the same steps, since the cost of chains grows along the run. */
static double time_ours(struct pair *pair, long steps)
{
  double sum = 0;
  for (long left = steps, part; left > 0; left -= part) {
    part = left < pair->task->most ? left : pair->task->most;
    if (shk_drive_rewind(&pair->drive).code != SHK_OK || !advance(&pair->drive, 1))
      return -1;
    const double began = now();
    if (!advance(&pair->drive, part))
      return -1;
    sum += now() - began;
    pair->last = part + 1;
  }
  return sum;
}

static double time_reference(const struct pair *pair, long steps)
{
  const struct hand *hand = pair->task->hand;
  double sum = 0;
  for (long left = steps, part; left > 0; left -= part) {
    part = left < pair->task->most ? left : pair->task->most;
    hand->start(pair->hand);
    if (!hand->run(pair->hand, 1))
      return -1;
    const double began = now();
    if (!hand->run(pair->hand, part))
      return -1;
    sum += now() - began;
  }
  return sum;
}

/* The number of steps that fill the time. */
static long count_steps(struct pair *pair, double seconds)
{
  for (long steps = 1;; steps *= 4) {
    const double spent = time_ours(pair, steps);
    if (spent < 0)
      return -1;
    if (spent >= seconds / 8)
      return spent < seconds ? (long)((double)steps * (seconds / spent)) : steps;
  }
}

static void summarize(struct timing_side *side, double *seconds, long steps)
{
  qsort(seconds, REPEATS, sizeof *seconds, by_size);
  side->least = seconds[0] / (double)steps;
  side->median = seconds[REPEATS / 2] / (double)steps;
}

static bool measure(struct timing *timing, struct pair *pair, char *reason)
{
  double ours[REPEATS], theirs[REPEATS] = {0};
  const long steps = count_steps(pair, pair->task->seconds);
  for (int i = 0; i < REPEATS; i++) {
    ours[i] = steps > 0 ? time_ours(pair, steps) : -1;
    if (ours[i] < 0) {
      snprintf(reason, REASON, "a step failed");
      return false;
    }
    if (pair->hand && (theirs[i] = time_reference(pair, steps)) < 0) {
      snprintf(reason, REASON, "a step of the reference failed");
      return false;
    }
  }
  timing->steps = steps;
  timing->iterations = (double)pair->drive.bound.evaluator.counters.iterations / (double)pair->last;
  summarize(&timing->ours, ours, steps);
  summarize(&timing->hand, theirs, steps);
  return true;
}

/* Checks max|g| at the end of all runs; the reference must meet the tolerance. */
static bool check_constraints(struct timing *timing, struct pair *pair, char *reason)
{
  real rounding, slope;
  timing->ours.error = (double)violation(pair, pair->drive.current.q, pair->drive.current.p);
  if (timing->ours.error < 0 || !sizes(pair, &rounding, &slope))
    return false;
  if (!pair->hand)
    return true;
  pair->task->hand->state(pair->hand, pair->q, pair->p);
  const real error = violation(pair, pair->q, pair->p);
  timing->hand.error = (double)error;
  if (error >= 0 && error <= pair->tolerance + rounding)
    return true;
  snprintf(reason, REASON, "the reference violates the constraints by %.1e", (double)error);
  return false;
}

static bool prepare(struct pair *pair, char *reason)
{
  const struct shk_bound *bound = &pair->drive.bound;
  const size_t n = (size_t)bound->start.n, m = (size_t)bound->start.m;
  pair->q = malloc((2 * n + 2 * m + 1) * sizeof *pair->q);
  if (!pair->q) {
    snprintf(reason, REASON, "no memory for a comparison");
    return false;
  }
  pair->p = pair->q + n;
  pair->g = pair->p + n;
  pair->tolerance = (real)pair->task->tolerance;
  struct hand_task task = {.system = &bound->instance.system,
                           .q = bound->start.q,
                           .p = bound->start.p,
                           .lambda = bound->start.lambda,
                           .step = bound->step,
                           .tolerance = pair->tolerance};
  const struct hand *hand = pair->task->hand;
  if (!hand)
    return true;
  if (pair->task->damage)
    task.step = bound->step * 1001 / 1000;
  pair->hand = hand->create(&task);
  if (!pair->hand)
    snprintf(reason, REASON, "the reference `%s` does not handle this system", hand->name);
  return pair->hand != NULL;
}

bool time_steps(struct timing *timing, const struct timing_task *task, char *reason)
{
  struct pair timed = {.task = task};
  struct shk_outcome outcome = {0};
  const struct shk_cell cell = {.kind = "run",
                                .problem = (char *)task->problem,
                                .integrator = (char *)task->integrator,
                                .precision = "",
                                .step = (char *)task->step,
                                .until = (char *)task->step};
  *timing = (struct timing){0};
  const struct mallinfo2 before = mallinfo2();
  bool ok = shk_drive_begin(task->context, &timed.drive, &outcome, &cell);
  const struct mallinfo2 after = mallinfo2();
  shk_text_fit(reason, REASON, outcome.reason);
  if (ok) {
    timing->n = outcome.n;
    timing->m = outcome.m;
    timing->bytes =
        (double)(after.uordblks + after.hblkhd) - (double)(before.uordblks + before.hblkhd);
    ok = prepare(&timed, reason);
    ok = ok && (!timed.hand || compare(timing, &timed, reason)) &&
         measure(timing, &timed, reason) && check_constraints(timing, &timed, reason);
  }
  if (timed.hand)
    task->hand->destroy(timed.hand);
  free(timed.q);
  shk_outcome_clear(&outcome);
  shk_drive_end(&timed.drive);
  return ok;
}

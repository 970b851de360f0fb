/*
 * Test that a step depends on its starting state alone. All states of a long run of one instance
 * are stored. Its steps are then repeated in the ways of the table below. One of them repeats all
 * steps with another instance, in an order in which no step follows its predecessor. Another
 * process repeats the run, which must give the same bits.
 *
 * An iteration that starts from the last result gives the same state up to rounding. The floor is r
 * (structure.h), or the change in a step whose start is perturbed by a rounding: the largest over
 * the run.
 */
#include "engine/cells/contract.h"
#include "foundation/processes/subprocess.h"
#include "mechanics/system/state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* SOME: steps that are repeated in ways that do not repeat all. STRIDE: a prime that divides no
 * length of a run. */
enum { SOME = 24, STRIDE = 37 };

struct replay {
  struct shk_contract *contract;
  struct shk_bound other; /* another instance, of the problem as well */
  struct shk_map map;     /* of the other instance */
  long count;             /* steps of the run */
  struct shk_state *run;  /* count + 1 states */
  real floor;
  const char *how; /* way of repeating a step */
  struct shk_check *check;
  long faulty; /* the step of the fault, from 0 */
};

static struct shk_status bind_other(struct replay *r)
{
  SHK_TRY(shk_bind_method(&r->other));
  r->map = shk_bind_map(&r->other, r->contract->h);
  return shk_ok();
}

/* ---- the run ---- */

/* Returns a length that shows faults after 1500 steps on the smallest problems, and takes seconds
 * on large systems. */
static long steps_of(const struct shk_contract *c)
{
  const bool is_small =
      c->bound.start.n <= 3 && !(c->bound.instance.system.features & SHK_GENERAL_HAMILTONIAN);
  if (c->bound.integrator->info.adaptive)
    return 40;
  if (c->quick)
    return is_small ? 500 : 200;
  if (SHK_PRECISION == 64)
    return is_small ? 5000 : 2000;
  return is_small ? 2000 : 150;
}

/* True for the problems with the cheapest steps, in double: long tests are made on these only. */
static bool is_smallest(const struct shk_contract *c)
{
  return SHK_PRECISION == 64 && !c->quick && c->bound.start.n <= 2 &&
         c->bound.instance.system.features == 0;
}

static struct shk_status make_run(struct replay *r)
{
  struct shk_contract *const c = r->contract;
  const long wanted = steps_of(c);
  r->run = calloc((size_t)wanted + 1, sizeof *r->run);
  if (!r->run || !shk_state_init_like(&r->run[0], &c->bound.start))
    return shk_no_memory();
  shk_state_copy(&r->run[0], &c->bound.start);
  while (r->count < wanted) {
    struct shk_state *const next = &r->run[r->count + 1];
    if (!shk_state_init_like(next, &c->bound.start))
      return shk_no_memory();
    c->bound.evaluator.work.steps = r->count++;
    SHK_TRY(shk_map_step(&c->map, next, next - 1, c->h));
  }
  return shk_ok();
}

/* Finds the rounding floor; both steps are taken by newly bound instances. */
static struct shk_status find_floor(struct replay *r)
{
  struct shk_contract *const c = r->contract;
  for (long i = 0; i < SOME; i++) {
    const struct shk_state *const from = &r->run[i * r->count / SOME];
    SHK_TRY(bind_other(r));
    SHK_TRY(shk_map_step(&r->map, &c->to, from, c->h));
    SHK_TRY(bind_other(r));
    SHK_TRY(shk_contract_floor(c, &r->floor, &r->map, &c->to, from, c->h));
  }
  return shk_ok();
}

/* ---- ways to repeat steps ---- */

static struct shk_status evaluate_all(struct shk_contract *c, const struct shk_state *s, real t)
{
  SHK_TRY(shk_contract_evaluate(c, s, t));
  return shk_gradient(&c->bound.observer, c->work.p, t, s->q, s->p);
}

/* True if the system's functions have the same values at both times. */
static bool is_autonomous(struct shk_contract *c, const struct shk_state *s, real later)
{
  if ((c->bound.instance.system.features & (SHK_GENERAL_DAE | SHK_RHEONOMIC)) ||
      evaluate_all(c, s, s->t).code != SHK_OK)
    return false;
  shk_state_copy(&c->near, &c->work);
  return evaluate_all(c, s, later).code == SHK_OK &&
         memcmp(c->near.q, c->work.q, shk_state_numbers(s) * sizeof(real)) == 0;
}

static const struct way {
  enum { ANOTHER, BACKWARDS, INTERLEAVED, AFTER_FAILURE, ANOTHER_TIME, OVERWRITTEN, OLD } way;
  const char *name, *how; /* NULL: set by the way */
  long some, runs;        /* steps: some + runs times the length of the run */
  long rebound;           /* steps after which the other instance is bound again; 0: never */
} ways[] = {
    {ANOTHER, "by another instance", "by an instance that was bound anew", 0, 1, .rebound = 101},
    {BACKWARDS, "in another order", "by the instance of the run, after later ones", SOME},
    {INTERLEAVED, "between the steps of another instance", "between steps of another instance",
     4 * SOME, .rebound = 4 * SOME},
    {AFTER_FAILURE, "after a step that failed", "after a step far too long", SOME},
    {ANOTHER_TIME, "at another time", NULL, SOME},
    {OVERWRITTEN, "from a state that was overwritten", "from where another step ended, overwritten",
     SOME},
    {OLD, "by an old instance", "by an instance that has taken many", 0, 4}};

/* Makes the i-th repetition, of step *k of the run; *k = -1 ends the test. */
static struct shk_status again(struct replay *r, const struct way *way, long i, long *k)
{
  struct shk_contract *const c = r->contract;
  const struct shk_map *const own = &c->map, *by = own;
  const long one = i * r->count / SOME; /* of steps that are evenly spread */
  const struct shk_state *from = NULL;  /* NULL: the state of the run */
  *k = one;
  r->how = way->how;
  switch (way->way) {
  case ANOTHER: /* all steps, in an order in which none follows its predecessor */
    *k = i * STRIDE % r->count;
    by = &r->map;
    break;
  case BACKWARDS:
    *k = (SOME - i) * r->count / SOME - 1;
    break;
  case INTERLEAVED:
    *k = i % 2 == 0 ? i / 2 : r->count - 1 - i / 2;
    by = i % 2 == 0 ? own : &r->map;
    break;
  case AFTER_FAILURE: /* if the longer step succeeds, it is at least a different step */
    (void)shk_map_step(own, &c->to, &r->run[one], R(1e4) * c->h);
    break;
  case ANOTHER_TIME: /* later than any run reaches, or before zero */
    r->how = i % 2 == 0 ? "at a later time, on which nothing depends"
                        : "at a time before zero, on which nothing depends";
    shk_state_copy(&c->at, &r->run[one]);
    c->at.t = (i % 2 == 0 ? c->at.t : 0) +
              (i % 2 == 0 ? 1 : -1) * R(12345.678) * c->bound.instance.time_scale;
    *k = is_autonomous(c, &r->run[one], c->at.t) ? one : -1;
    from = &c->at;
    break;
  case OVERWRITTEN: /* also with the time of the result, unless the system depends on time */
    *k = r->count - one - 1;
    (void)shk_map_step(own, &c->at, &r->run[one], c->h);
    shk_state_copy(&c->at, &r->run[*k]);
    if (is_autonomous(c, &c->at, r->run[one + 1].t))
      c->at.t = r->run[one + 1].t;
    from = &c->at;
    break;
  case OLD:
    *k = i % r->count;
  }
  return *k < 0 ? shk_ok() : shk_map_step(by, &c->to, from ? from : &r->run[*k], c->h);
}

/* Compares the result with step k of the run; of several faults keeps that of the earliest step. */
static void compare(struct replay *r, long k, struct shk_status status)
{
  struct shk_contract *const c = r->contract;
  char text[100];
  const real away =
      status.code == SHK_OK ? shk_map_distance(&c->map, &c->to, &r->run[k + 1], false) : 0;
  if ((status.code == SHK_OK && away <= SHK_CONTRACT_FLOORS * r->floor) ||
      (!r->check->holds && k >= r->faulty))
    return;
  r->faulty = k;
  r->check->holds = true; /* until the next line */
  if (status.code != SHK_OK)
    shk_contract_fault(r->check, "step %ld of a run fails when it is taken again %s: %s", k + 1,
                       r->how, shk_status_text(text, sizeof text, status));
  else
    shk_contract_fault(r->check,
                       "step %ld of %ld (h = %.3g) leads elsewhere when it is taken again %s: %.2g "
                       "away, where rounding explains %.1g: look for what is kept between steps",
                       k + 1, r->count, (double)c->h, r->how, (double)away, (double)r->floor);
}

static struct shk_status take_again(struct replay *r, const struct way *way)
{
  struct shk_contract *const c = r->contract;
  if (way->way == OLD && !is_smallest(c))
    return shk_ok();
  if (way->way == INTERLEAVED)
    SHK_TRY(shk_contract_bind(c));
  r->check = shk_checks_add(c->checks, "stateless", way->name, NULL);
  for (long i = 0, k = 0; i < way->some + way->runs * r->count && k >= 0; i++) {
    if (way->rebound > 0 && i % way->rebound == 0)
      SHK_TRY(bind_other(r));
    const struct shk_status status = again(r, way, i, &k);
    if (k >= 0)
      compare(r, k, status);
  }
  return shk_ok();
}

/* ---- in another process ---- */

/* Waits until the clock shows another second than any during the run. */
static void wait_for_clock(void)
{
  const long second = 1000 * 1000 * 1000, margin = 10 * 1000 * 1000; /* clocks may lag by a tick */
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const long left = second - now.tv_nsec + margin;
  nanosleep(&(struct timespec){left / second, left % second}, NULL);
}

/* Returns false at a step that fails or leads to other bits of q and p. */
static bool repeat(struct replay *r)
{
  struct shk_contract *const c = r->contract;
  if (is_smallest(c))
    wait_for_clock();
  bool same = bind_other(r).code == SHK_OK;
  shk_state_copy(&c->at, &r->run[0]);
  for (long k = 0; same && k < r->count; k++) {
    r->other.evaluator.work.steps = k;
    same = shk_map_step(&r->map, &c->to, &c->at, c->h).code == SHK_OK &&
           memcmp(c->to.q, r->run[k + 1].q, 2 * (size_t)c->to.n * sizeof(real)) == 0;
    shk_state_copy(&c->at, &c->to);
  }
  return same;
}

static struct shk_status look(struct replay *r)
{
  enum { SAME = 0, DIFFERS = 17 }; /* exit statuses of the other process */
  struct shk_contract *const c = r->contract;
  struct shk_message error;
  struct shk_status status = shk_ok();
  if (shk_bind_cell(c->bound.context, &r->other, c->cell, &error) != SHK_OK)
    return shk_no_memory();
  SHK_TRY(make_run(r));
  const struct shk_child silent = {.in = SHK_NOTHING, .out = SHK_NOTHING, .error = SHK_NOTHING};
  const pid_t child = shk_child_fork(&silent, &error);
  if (child == 0)
    _exit(repeat(r) ? SAME : DIFFERS);
  if (!c->bound.integrator->info.adaptive) {
    status = find_floor(r);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0] && status.code == SHK_OK; i++)
      status = take_again(r, &ways[i]);
  }
  const int ended = child > 0 ? shk_child_wait(child) : -1;
  const bool differs = WIFEXITED(ended) && WEXITSTATUS(ended) == DIFFERS;
  if (ended == SAME || differs)
    shk_checks_add(c->checks, "stateless", "in another process",
                   differs ? "a step of the same run comes to other bits in another process: look "
                             "for clocks, random numbers and memory that was never set"
                           : NULL);
  else if (status.code == SHK_OK && !shk_checks_fault(c->checks))
    status = shk_failure(SHK_STOPPED, "the run could not be repeated in another process", 0, 0);
  return status;
}

struct shk_status shk_contract_stateless(struct shk_contract *contract)
{
  struct replay r = {.contract = contract};
  const struct shk_status status = look(&r);
  for (long k = 0; r.run && k <= r.count; k++)
    shk_state_clear(&r.run[k]);
  free(r.run);
  shk_unbind(&r.other);
  return status;
}

/*
 * Test that a step depends on its starting state alone. A long run of one
 * instance is kept, every state of it. Then every step is taken again by instances that are bound
 * anew, in an order in which none follows the one before; and some of them by the instance of the
 * run, last one first, between the steps of another instance, after steps that failed, at another
 * time, from where another step ended, and when it is old.
 * Meanwhile another process repeats the run, which must come to the same bits.
 *
 * A step of a solver that begins where the last one ended is the same to the solver's rounding:
 * the floor is r (structure.h), or the change in the step from a rounding of its start, whichever
 * is larger, and the largest over the run.
 */
#include "engine/cells/contract.h"
#include "foundation/processes/subprocess.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* As for structure (harness/analysis/families/verdict.h). */
enum { FLOORS = 1000 };
/* Steps by one instance when they are taken again, and how many of them in each of the other
 * ways. */
enum { REBOUND = 101, SOME = 24 };

struct replay {
  struct shk_contract *contract;
  struct shk_bound other; /* another instance, of the problem as well */
  long count;             /* steps of the run */
  struct shk_state *run;  /* count + 1 */
  struct shk_state *at, *to, *near;
  real floor;
  char fault[240];
  long faulty; /* the step that it is about, from 0 */
};

/* ---- the run ---- */

/* How long a run is worth while: a fault that begins after 1500 steps is to be seen on the smallest
 * problems, and one with large systems in seconds. */
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

static bool is_smallest(const struct shk_bound *bound)
{
  return bound->start.n <= 2 && bound->instance.system.features == 0;
}

static struct shk_status make_run(struct replay *r)
{
  struct shk_contract *const c = r->contract;
  struct shk_work *const work = &c->bound.evaluator.work;
  const long wanted = steps_of(c);
  r->run = calloc((size_t)wanted + 1, sizeof *r->run);
  if (!r->run)
    return shk_no_memory();
  for (r->count = 0;; r->count++) {
    struct shk_state *const next = &r->run[r->count];
    if (!shk_state_init_like(next, &c->bound.start))
      return shk_no_memory();
    if (r->count == 0)
      shk_state_copy(next, &c->bound.start);
    else
      SHK_TRY(shk_contract_step(c, next, &r->run[r->count - 1], c->h));
    work->steps = r->count;
    if (r->count == wanted)
      return shk_ok();
  }
}

static struct shk_status step_of(const struct shk_bound *bound, struct replay *r,
                                 struct shk_state *to, const struct shk_state *from)
{
  const struct shk_map map = {.instance = &bound->instance,
                              .manifold = bound->manifold,
                              .integrator = bound->integrator,
                              .method = bound->method,
                              .start = &bound->start,
                              .step = r->contract->h};
  return shk_map_step(&map, to, from, r->contract->h);
}

/* A step of the run in which a rounding of its start is multiplied most decides; both are taken by
 * instances that have taken no others. */
static struct shk_status find_floor(struct replay *r)
{
  const struct shk_map map = shk_contract_map(r->contract);
  r->floor = shk_map_rounding(&map, r->contract->h);
  for (long i = 0; i < SOME; i++) {
    const struct shk_state *const from = &r->run[i * r->count / SOME];
    shk_state_copy(r->at, from);
    shk_map_perturb(&map, r->at);
    SHK_TRY(shk_bind_method(&r->other));
    SHK_TRY(step_of(&r->other, r, r->to, from));
    SHK_TRY(shk_bind_method(&r->other));
    SHK_TRY(step_of(&r->other, r, r->near, r->at));
    r->floor = real_max(r->floor, shk_map_distance(&map, r->to, r->near, false));
  }
  return shk_ok();
}

/* ---- steps taken again ---- */

static void compare(struct replay *r, long k, struct shk_status status, const char *how)
{
  struct shk_contract *const c = r->contract;
  const struct shk_map map = shk_contract_map(c);
  char text[100];
  if (r->fault[0] != '\0' && k >= r->faulty)
    return; /* the first is where to look */
  const real away =
      status.code == SHK_OK ? shk_map_distance(&map, r->to, &r->run[k + 1], false) : 0;
  if (!(away <= FLOORS * r->floor) || status.code != SHK_OK)
    r->faulty = k;
  if (status.code != SHK_OK) {
    snprintf(r->fault, sizeof r->fault, "step %ld of a run fails when it is taken again %s: %s",
             k + 1, how, shk_status_text(text, sizeof text, status));
    return;
  }
  if (!(away <= FLOORS * r->floor))
    snprintf(r->fault, sizeof r->fault,
             "step %ld of %ld (h = %.3g) leads elsewhere when it is taken again %s: %.2g away, "
             "where rounding explains %.1g: look for what is kept between steps",
             k + 1, r->count, (double)c->h, how, (double)away, (double)r->floor);
}

static void add(struct replay *r, const char *what)
{
  shk_checks_add(r->contract->checks, "stateless", what, r->fault[0] ? r->fault : NULL);
  r->fault[0] = '\0';
}

/* All of them, in strides. */
static struct shk_status by_others(struct replay *r)
{
  const long stride = 37;
  long taken = 0;
  for (long first = 0; first < stride; first++)
    for (long k = first; k < r->count; k += stride, taken++) {
      if (taken % REBOUND == 0)
        SHK_TRY(shk_bind_method(&r->other));
      compare(r, k, step_of(&r->other, r, r->to, &r->run[k]), "by an instance that was bound anew");
    }
  add(r, "by another instance");
  return shk_ok();
}

static void backwards(struct replay *r)
{
  for (long i = SOME; i > 0; i--) {
    const long k = i * r->count / SOME - 1;
    compare(r, k, step_of(&r->contract->bound, r, r->to, &r->run[k]),
            "by the instance of the run, after later ones");
  }
  add(r, "in another order");
}

static struct shk_status interleaved(struct replay *r)
{
  SHK_TRY(shk_bind_method(&r->contract->bound));
  SHK_TRY(shk_bind_method(&r->other));
  for (long k = 0; k < 2 * SOME && k < r->count; k++) {
    const long far = r->count - 1 - k;
    compare(r, k, step_of(&r->contract->bound, r, r->to, &r->run[k]),
            "between steps of another instance");
    compare(r, far, step_of(&r->other, r, r->to, &r->run[far]),
            "between steps of another instance");
  }
  add(r, "between the steps of another instance");
  return shk_ok();
}

/* Steps too long to succeed; those that do are other steps at least. */
static void after_failures(struct replay *r)
{
  for (long i = 0; i < SOME; i++) {
    const long k = i * r->count / SOME;
    (void)shk_contract_step(r->contract, r->to, &r->run[k], R(1e4) * r->contract->h);
    compare(r, k, step_of(&r->contract->bound, r, r->to, &r->run[k]), "after a step far too long");
  }
  add(r, "after a step that failed");
}

/* Whether the system is the same at both times. */
static bool is_autonomous(struct shk_bound *bound, const struct shk_state *s, real later)
{
  struct shk_evaluator *const e = &bound->observer;
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  if (e->system->features & (SHK_GENERAL_DAE | SHK_RHEONOMIC))
    return false;
  real *const values = calloc(4 * n + 4 * m, sizeof *values);
  bool same = values != NULL;
  for (int i = 0; same && i < 2; i++) {
    real *const at = values + (size_t)i * (2 * n + 2 * m);
    const real t = i == 0 ? s->t : later;
    same =
        shk_gradient(e, at, t, s->q, s->p).code == SHK_OK &&
        shk_velocity(e, at + n, t, s->q, s->p).code == SHK_OK &&
        shk_manifold_residuals(bound->manifold, at + 2 * n, at + 2 * n + m, t, s->q, s->p).code ==
            SHK_OK;
  }
  same = same && memcmp(values, values + 2 * n + 2 * m, (2 * n + 2 * m) * sizeof *values) == 0;
  free(values);
  return same;
}

static void at_other_times(struct replay *r)
{
  struct shk_bound *const bound = &r->contract->bound;
  for (long i = 0; i < SOME; i++) {
    const long k = i * r->count / SOME;
    /* Later than any run that is made of it, or before zero. */
    const real away = R(12345.678) * bound->instance.time_scale;
    const real later = i % 2 == 0 ? r->run[k].t + away : -away;
    if (!is_autonomous(bound, &r->run[k], later))
      return;
    shk_state_copy(r->at, &r->run[k]);
    r->at->t = later;
    compare(r, k, step_of(bound, r, r->to, r->at),
            i % 2 == 0 ? "at a later time, of which nothing depends"
                       : "at a time before zero, of which nothing depends");
  }
  add(r, "at another time");
}

/* The step from where another one has just ended, with another state in its place, at its time
 * where nothing depends on that. */
static void from_overwritten(struct replay *r)
{
  struct shk_bound *const bound = &r->contract->bound;
  for (long i = 0; i < SOME; i++) {
    const long k = i * r->count / SOME, far = r->count - 1 - k;
    if (step_of(bound, r, r->at, &r->run[k]).code != SHK_OK)
      continue;
    const real t = r->at->t;
    shk_state_copy(r->at, &r->run[far]);
    if (is_autonomous(bound, &r->run[far], t))
      r->at->t = t;
    compare(r, far, step_of(bound, r, r->to, r->at), "from where another step ended, overwritten");
  }
  add(r, "from a state that was overwritten");
}

/* Where steps cost least, by an instance that has taken as many as four runs. */
static void by_an_old_one(struct replay *r)
{
  enum { RUNS = 4 };
  struct shk_bound *const bound = &r->contract->bound;
  if (SHK_PRECISION != 64 || r->contract->quick || !is_smallest(bound))
    return;
  for (long i = 0; i < RUNS * r->count; i++) {
    const long k = i % r->count;
    compare(r, k, step_of(bound, r, r->to, &r->run[k]), "by an instance that has taken many");
  }
  add(r, "by an old instance");
}

/* ---- in another process ---- */

static bool same_bits(const struct shk_state *a, const struct shk_state *b)
{
  const size_t n = (size_t)a->n * sizeof(real);
  return memcmp(a->q, b->q, n) == 0 && memcmp(a->p, b->p, n) == 0;
}

/* Until the second that a clock shows is another one than any during the run. */
static void wait_for_clock(void)
{
  const long second = 1000 * 1000 * 1000, margin = 10 * 1000 * 1000; /* clocks may lag by a tick */
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const long left = second - now.tv_nsec + margin;
  nanosleep(&(struct timespec){left / second, left % second}, NULL);
}

/* The step that comes to other bits, counted from 1; 0: none. On the smallest problems the clock
 * will have gone on to another second. */
static long repeat(struct replay *r)
{
  struct shk_bound *const bound = &r->other;
  if (SHK_PRECISION == 64 && is_smallest(bound) && !r->contract->quick)
    wait_for_clock();
  if (shk_bind_method(bound).code != SHK_OK)
    return 1;
  shk_state_copy(r->at, &r->run[0]);
  for (long k = 0; k < r->count; k++) {
    bound->evaluator.work.steps = k;
    if (step_of(bound, r, r->to, r->at).code != SHK_OK || !same_bits(r->to, &r->run[k + 1]))
      return k + 1;
    shk_state_copy(r->at, r->to);
  }
  return 0;
}

static pid_t begin_repeat(struct replay *r, struct shk_pipe *answer)
{
  struct shk_message error;
  if (!shk_pipe_open(answer, &error))
    return -1;
  const pid_t child = shk_child_fork(
      &(struct shk_child){.in = SHK_NOTHING, .out = SHK_NOTHING, .error = SHK_NOTHING}, &error);
  if (child == 0) {
    const long differs = repeat(r);
    _exit(shk_write_all(answer->write_end, (const char *)&differs, sizeof differs) ? 0 : 1);
  }
  shk_close(&answer->write_end);
  return child;
}

static void end_repeat(struct replay *r, struct shk_pipe *answer, pid_t child)
{
  long differs = 0;
  if (child > 0 && read(answer->read_end, &differs, sizeof differs) == (ssize_t)sizeof differs &&
      differs > 0)
    snprintf(r->fault, sizeof r->fault,
             "step %ld of the same run comes to other bits in another process: look for clocks, "
             "random numbers and memory that was never set",
             differs);
  if (child > 0)
    shk_child_wait(child);
  shk_pipe_close(answer);
  add(r, "in another process");
}

/* ---- all of it ---- */

static struct shk_status look(struct replay *r)
{
  struct shk_contract *const c = r->contract;
  struct shk_message error;
  if (shk_bind_cell(c->bound.context, &r->other, c->cell, &error) != SHK_OK)
    return shk_no_memory();
  SHK_TRY(make_run(r));
  struct shk_pipe answer = SHK_NO_PIPE;
  const pid_t child = begin_repeat(r, &answer);
  struct shk_status status = shk_ok();
  if (!c->bound.integrator->info.adaptive) {
    status = find_floor(r);
    if (status.code == SHK_OK)
      status = by_others(r);
    if (status.code == SHK_OK) {
      backwards(r);
      status = interleaved(r);
      after_failures(r);
      at_other_times(r);
      from_overwritten(r);
      by_an_old_one(r);
    }
  }
  end_repeat(r, &answer, child);
  return status;
}

struct shk_status shk_contract_stateless(struct shk_contract *contract)
{
  struct shk_state *const states = contract->states;
  struct replay r = {.contract = contract, .at = &states[0], .to = &states[1], .near = &states[2]};
  const struct shk_status status = look(&r);
  for (long k = 0; r.run && k <= r.count; k++)
    shk_state_clear(&r.run[k]);
  free(r.run);
  shk_unbind(&r.other);
  return status;
}

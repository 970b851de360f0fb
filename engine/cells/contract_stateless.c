/*
 * Tests that a step depends only on its starting state. All states of a long run by one instance
 * are stored. Another instance then repeats all of the steps in an order in which no step follows
 * its predecessor, and repeats some of them under different circumstances. Another process repeats
 * the run, which must produce the same bits. Some steps are reversed, both by an instance that has
 * just gone forward and by one that has not. On the smallest problems, a run of LONG_RUN steps
 * follows, and another instance repeats each of these steps at a different time. This reveals
 * behaviour that occurs only once in ten thousand steps.
 *
 * A method that starts its iteration from the last result reproduces a state only up to rounding
 * errors. The floor is therefore the larger of two values: r (structure.h) and the change in a step
 * when its start is perturbed by a rounding error. Both are maximized over the run.
 */
#include "engine/cells/contract.h"
#include "foundation/processes/subprocess.h"
#include "foundation/specifications/spec.h"
#include "mechanics/system/state.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* SOME is the number of steps that are repeated under different circumstances. STRIDE is a prime
 * that does not divide the length of any run. The other instance is bound again after every REBOUND
 * steps. */
enum { SOME = 48, STRIDE = 37, REBOUND = 101, LONG_RUN = 100000 };

struct replay {
  struct shk_contract *contract;
  struct shk_bound other; /* another instance of the method, with its own instance of the problem */
  struct shk_map map;     /* the one-step map of the other instance */
  long count;             /* number of steps in the run */
  struct shk_state *run;  /* count + 1 states */
  real floor;
  long faulty; /* index of the first step with a fault */
};

/* Binds the other instance again, for steps of length h. */
static struct shk_status bind_for(struct replay *r, real h)
{
  r->other.step = h;
  SHK_TRY(shk_bind_method(&r->other));
  r->map = shk_bind_map(&r->other, h);
  return shk_ok();
}

static struct shk_status bind_other(struct replay *r)
{
  return bind_for(r, r->contract->h);
}

/* ---- the run ---- */

/* Returns true for programs and for methods with only one precision, such as Python classes, whose
 * steps are slow. */
static bool is_slow(const struct shk_contract *c)
{
  return c->bound.integrator->info.double_only ||
         shk_spec_programs(c->cell->integrator, NULL, NULL) > 0;
}

/* Returns the length of the run, chosen so that faults after 1500 steps are found on the smallest
 * problems, while runs of large systems take only seconds. */
static long steps_of(const struct shk_contract *c)
{
  const bool is_small = c->n <= 3 && !(c->bound.instance.system.features & SHK_GENERAL_HAMILTONIAN);
  if (c->adaptive)
    return 40;
  if (SHK_PRECISION == 64 && !is_slow(c))
    return is_small ? 5000 : 2000;
  return is_small ? 2000 : 150;
}

/* Returns true in double precision for the problems with the cheapest steps. Long tests use only
 * these problems. */
static bool is_smallest(const struct shk_contract *c)
{
  return SHK_PRECISION == 64 && c->n <= 2 && c->bound.instance.system.features == 0;
}

static struct shk_status make_run(struct replay *r)
{
  struct shk_contract *const c = r->contract;
  const long wanted = steps_of(c);
  r->run = calloc((size_t)wanted + 1, sizeof *r->run);
  for (long k = 0; k <= wanted; k++)
    if (!r->run || !shk_state_init_like(&r->run[k], &c->bound.start))
      return shk_no_memory();
  shk_state_copy(&r->run[0], &c->bound.start);
  for (; r->count < wanted; r->count++) {
    c->bound.evaluator.counters.steps = r->count;
    SHK_TRY(shk_map_step(&c->map, &r->run[r->count + 1], &r->run[r->count], c->h));
  }
  return shk_ok();
}

/* Computes the rounding floor from steps of newly bound instances. */
static struct shk_status find_floor(struct replay *r)
{
  struct shk_contract *const c = r->contract;
  for (long i = 0; i < SOME; i += 2) {
    const struct shk_state *const from = &r->run[i * r->count / SOME];
    SHK_TRY(bind_other(r));
    SHK_TRY(shk_map_step(&r->map, &c->to, from, c->h));
    SHK_TRY(bind_other(r));
    SHK_TRY(shk_cell_contract_floor(c, &r->floor, &r->map, &c->to, from, c->h));
  }
  return shk_ok();
}

/* ---- ways to repeat steps ---- */

/* Returns true if the forces and velocities at a state would be the same at a different time. */
static bool is_autonomous(struct shk_contract *c, const struct shk_state *s, real later)
{
  struct shk_state *const both[] = {&c->near, &c->scratch};
  const real times[] = {s->t, later};
  bool is = !(c->bound.instance.system.features & (SHK_GENERAL_DAE | SHK_RHEONOMIC));
  for (int k = 0; is && k < 2; k++)
    is = shk_velocity(&c->bound.observer, both[k]->q, times[k], s->q, s->p).code == SHK_OK &&
         shk_gradient(&c->bound.observer, both[k]->p, times[k], s->q, s->p).code == SHK_OK;
  return is && memcmp(c->near.q, c->scratch.q, 2 * (size_t)c->n * sizeof(real)) == 0;
}

/* Returns the difference between two memories, relative to the first. Memories that differ only by
 * iteration errors agree to half of their digits. */
static real memories_apart(const struct shk_state *a, const struct shk_state *b)
{
  const int count = a->memory_count;
  real most = 0;
  for (int i = 0; i < count; i++)
    most = real_max(most, real_fabs(a->memory[i] - b->memory[i]));
  return count > 0 ? most / real_max(real_max_norm(a->memory, count), REAL_SMALLEST) : 0;
}

static bool is_same(const struct replay *r, const struct shk_state *a, const struct shk_state *b)
{
  return memories_apart(a, b) <= real_sqrt(REAL_EPSILON) &&
         shk_map_distance(&r->contract->map, a, b, false) <= SHK_CONTRACT_FLOORS * r->floor;
}

/* Repeats step k of the run. If several steps have faults, the earliest one is reported. `how`
 * describes the circumstances in the message. */
static void repeat_contract_stateless(struct replay *r, long k, const struct shk_map *by,
                                      const struct shk_state *from, const char *how)
{
  struct shk_contract *const c = r->contract;
  char text[SHK_MESSAGE_SIZE];
  const struct shk_status status = shk_map_step(by, &c->to, from, c->h);
  const bool ok = status.code == SHK_OK;
  const real away = ok ? shk_map_distance(&c->map, &c->to, &r->run[k + 1], false) : 0;
  if ((ok && is_same(r, &c->to, &r->run[k + 1])) || (c->faults > 0 && k >= r->faulty))
    return;
  r->faulty = k;
  c->faults = 0; /* the next fault then counts as the first one, whose description is reported */
  if (!ok)
    shk_cell_contract_fault(c, 0, "step %ld of a run fails when it is repeated %s: %s", k + 1, how,
                            shk_status_text(text, sizeof text, status));
  else
    shk_cell_contract_fault(
        c, 0,
        "step %ld of %ld (h = %.3g) has a different result when it is taken again %s: %.2g away, "
        "while rounding explains %.1g: look for data that is kept between steps",
        k + 1, r->count, (double)c->h, how, (double)away, (double)r->floor);
}

/* Repeats step k at a different time and after a step that is far too long. It starts from a copy
 * of its start, stored in the state in which step `other` has just ended. The long step may fail;
 * even if it succeeds, it differs from the repeated step. */
static void repeat_after_others(struct replay *r, long k, long other, bool is_even)
{
  struct shk_contract *const c = r->contract;
  const struct shk_state *const from = &r->run[k];
  const real far = R(12345.678) * c->bound.instance.time_scale, end = r->run[other + 1].t;
  (void)shk_cell_contract_step(c, &c->to, from, R(1e4) * c->h);
  repeat_contract_stateless(r, k, &c->map, from, "after a step that is far too long");
  shk_state_copy(&c->at, from);
  /* this time is negative or later than the end of every run */
  c->at.t = is_even ? from->t + far : -far;
  if (is_autonomous(c, from, c->at.t))
    repeat_contract_stateless(r, k, &c->map, &c->at,
                              is_even ? "at a later time, on which nothing depends"
                                      : "at a negative time, on which nothing depends");
  (void)shk_map_step(is_even ? &c->map : &r->map, &c->at, &r->run[other], c->h);
  shk_state_copy(&c->at, from);
  c->at.t = is_autonomous(c, from, end) ? end : from->t;
  repeat_contract_stateless(r, k, &c->map, &c->at,
                            "from the end of another step, overwritten with the start of this one");
}

/* Takes a backward step from the start of step k, first with an instance that has not taken a step
 * yet and then, after a forward step, with the instance that performed the run. Then repeats step
 * k. Backward steps may fail. */
static struct shk_status repeat_backwards(struct replay *r, long k)
{
  struct shk_contract *const c = r->contract;
  const struct shk_state *const from = &r->run[k];
  SHK_TRY(bind_for(r, -c->h));
  if (shk_map_step(&r->map, &c->at, from, -c->h).code != SHK_OK ||
      !shk_cell_contract_step(c, &c->to, from, c->h) ||
      !shk_cell_contract_step(c, &c->to, from, -c->h))
    return bind_other(r);
  if (!is_same(r, &c->to, &c->at))
    shk_cell_contract_fault(c, 0,
                            "a step back (h = %.3g) after a step forward has a different result "
                            "from that of the same step taken first: %.2g away, while rounding "
                            "explains %.1g: look for data that is kept between steps",
                            (double)-c->h, (double)shk_map_distance(&c->map, &c->to, &c->at, false),
                            (double)r->floor);
  repeat_contract_stateless(r, k, &c->map, from, "after a step back");
  return bind_other(r);
}

/* Continues the run for LONG_RUN steps, which are not stored. The run may end early at a step that
 * fails. */
static struct shk_status go_on(struct replay *r)
{
  struct shk_contract *const c = r->contract;
  struct shk_state *const from = &c->before, *const then = &c->near;
  const real far = R(12345.678) * c->bound.instance.time_scale;
  shk_state_copy(from, &r->run[r->count]);
  const bool moves = !is_autonomous(c, from, from->t + far);
  for (long k = 0; c->faults == 0 && k < LONG_RUN; k++) {
    if (k % REBOUND == 0)
      SHK_TRY(bind_other(r));
    shk_state_copy(then, from);
    then->t += moves ? 0 : far;
    if (!shk_cell_contract_step(c, &c->to, from, c->h) ||
        shk_map_step(&r->map, &c->at, then, c->h).code != SHK_OK)
      return shk_ok();
    if (!is_same(r, &c->to, &c->at))
      shk_cell_contract_fault(c, 0,
                              "step %ld of a run (h = %.3g) has a different result when a newly "
                              "bound instance takes it%s: %.2g away, while rounding explains %.1g",
                              r->count + k + 1, (double)c->h, moves ? "" : " at a later time",
                              (double)shk_map_distance(&c->map, &c->to, &c->at, false),
                              (double)r->floor);
    shk_state_copy(from, &c->to);
  }
  return shk_ok();
}

static struct shk_status take_again(struct replay *r)
{
  struct shk_contract *const c = r->contract;
  SHK_TRY(find_floor(r));
  for (long i = 0; i < r->count; i++) {
    const long k = i * STRIDE % r->count;
    if (i % REBOUND == 0)
      SHK_TRY(bind_other(r));
    repeat_contract_stateless(r, k, &r->map, &r->run[k], "by a newly bound instance");
  }
  /* the steps are evenly spread, in reverse order */
  for (long i = 0; c->faults == 0 && i < SOME; i++) {
    const long other = i * r->count / SOME;
    repeat_after_others(r, r->count - 1 - other, other, i % 2 == 0);
  }
  for (long i = 0; c->faults == 0 && i < SOME; i += SOME / 8)
    SHK_TRY(repeat_backwards(r, i * r->count / SOME));
  for (long i = 0; c->faults == 0 && is_smallest(c) && i < 4 * r->count; i++)
    repeat_contract_stateless(r, i % r->count, &c->map, &r->run[i % r->count],
                              "by an instance that has taken many steps");
  return c->faults == 0 && is_smallest(c) && !is_slow(c) ? go_on(r) : shk_ok();
}

/* ---- in another process ---- */

/* Repeats the run. On the smallest problems, waits until the clock reaches the next second. Returns
 * false if a step fails or produces different bits in q or p. */
static bool is_repeated(struct replay *r)
{
  struct shk_contract *const c = r->contract;
  const time_t now = time(NULL);
  while (is_smallest(c) && time(NULL) == now)
    nanosleep(&(struct timespec){0, 10 * 1000 * 1000}, NULL);
  bool same = bind_other(r).code == SHK_OK;
  shk_state_copy(&c->at, &r->run[0]);
  for (long k = 0; same && k < r->count; k++) {
    r->other.evaluator.counters.steps = k;
    same = shk_map_step(&r->map, &c->to, &c->at, c->h).code == SHK_OK &&
           memcmp(c->to.q, r->run[k + 1].q, 2 * (size_t)c->n * sizeof(real)) == 0;
    shk_state_copy(&c->at, &c->to);
  }
  return same;
}

static struct shk_status look_contract_stateless(struct replay *r)
{
  enum { SAME = 0, DIFFERS = 17 }; /* exit statuses returned by the other process */
  struct shk_contract *const c = r->contract;
  struct shk_message error;
  struct shk_status status = shk_ok();
  if (shk_bind_cell(c->bound.context, &r->other, c->cell, &error) != SHK_OK)
    return shk_no_memory();
  SHK_TRY(make_run(r));
  const struct shk_child silent = {.in = SHK_NOTHING, .out = SHK_NOTHING, .error = SHK_NOTHING};
  const pid_t child = shk_child_fork(&silent, &error);
  if (child == 0)
    _exit(is_repeated(r) ? SAME : DIFFERS);
  if (!c->adaptive)
    status = take_again(r);
  const int ended = child > 0 ? shk_child_wait(child) : -1;
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == DIFFERS)
    shk_cell_contract_fault(c, 0,
                            "a step of the same run gives different bits in another process: look "
                            "for clocks, random numbers and uninitialized memory");
  else if (ended != SAME && status.code == SHK_OK && c->faults == 0)
    status = shk_failure(SHK_STOPPED, "the run could not be repeated in another process", 0, 0);
  return status;
}

struct shk_status shk_cell_contract_stateless(struct shk_contract *contract)
{
  struct replay r = {.contract = contract};
  const struct shk_status status = look_contract_stateless(&r);
  for (long k = 0; r.run && k <= steps_of(contract); k++)
    shk_state_clear(&r.run[k]);
  free(r.run);
  shk_unbind(&r.other);
  return status;
}

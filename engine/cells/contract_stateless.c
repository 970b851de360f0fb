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
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/* SOME: steps that are repeated in ways that do not repeat all. STRIDE: a prime that divides no
 * length of a run. */
enum { SOME = 24, STRIDE = 37 };

struct replay {
  struct shk_contract *contract;
  struct shk_bound other; /* another instance, of the problem as well */
  long count;             /* steps of the run */
  struct shk_state *run;  /* count + 1 states */
  real floor;
  const char *how; /* way of repeating a step */
  struct shk_fault fault;
  long faulty; /* the step of the fault, from 0 */
};

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
    SHK_TRY(shk_contract_step(c, next, next - 1, c->h));
  }
  return shk_ok();
}

static struct shk_status step_of(const struct shk_bound *bound, const struct replay *r,
                                 const struct shk_state *from)
{
  const struct shk_map map = shk_bind_map(bound, r->contract->h);
  return shk_map_step(&map, &r->contract->to, from, r->contract->h);
}

/* Finds the rounding floor; both steps are taken by newly bound instances. */
static struct shk_status find_floor(struct replay *r)
{
  struct shk_contract *const c = r->contract;
  for (long i = 0; i < SOME; i++) {
    const struct shk_state *const from = &r->run[i * r->count / SOME];
    SHK_TRY(shk_bind_method(&r->other));
    SHK_TRY(step_of(&r->other, r, from));
    SHK_TRY(shk_bind_method(&r->other));
    SHK_TRY(shk_contract_floor(c, &r->floor, &r->other, &c->to, from, c->h));
  }
  return shk_ok();
}

/* ---- ways to repeat steps: repetition i is step *k of the run ---- */

/* All steps, in an order in which none follows its predecessor. */
static struct shk_status by_another(struct replay *r, long i, long *k)
{
  *k = i * STRIDE % r->count;
  return step_of(&r->other, r, &r->run[*k]);
}

static struct shk_status in_order(struct replay *r, long i, long *k)
{
  *k = i % r->count;
  return step_of(&r->contract->bound, r, &r->run[*k]);
}

static struct shk_status backwards(struct replay *r, long i, long *k)
{
  *k = (SOME - i) * r->count / SOME - 1;
  return step_of(&r->contract->bound, r, &r->run[*k]);
}

static struct shk_status interleaved(struct replay *r, long i, long *k)
{
  *k = i % 2 == 0 ? i / 2 : r->count - 1 - i / 2;
  return step_of(i % 2 == 0 ? &r->contract->bound : &r->other, r, &r->run[*k]);
}

/* If the longer step succeeds, it is at least a different step. */
static struct shk_status after_failure(struct replay *r, long i, long *k)
{
  struct shk_contract *const c = r->contract;
  *k = i * r->count / SOME;
  (void)shk_contract_step(c, &c->to, &r->run[*k], R(1e4) * c->h);
  return step_of(&c->bound, r, &r->run[*k]);
}

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

/* At a time later than any run reaches, or before zero. Sets *k = -1, which ends the test, if the
 * system depends on time. */
static struct shk_status at_another_time(struct replay *r, long i, long *k)
{
  struct shk_contract *const c = r->contract;
  const struct shk_state *const from = &r->run[i * r->count / SOME];
  const real away = R(12345.678) * c->bound.instance.time_scale;
  r->how = i % 2 == 0 ? "at a later time, on which nothing depends"
                      : "at a time before zero, on which nothing depends";
  shk_state_copy(&c->at, from);
  c->at.t = i % 2 == 0 ? from->t + away : -away;
  *k = is_autonomous(c, from, c->at.t) ? from - r->run : -1;
  return *k < 0 ? shk_ok() : step_of(&c->bound, r, &c->at);
}

/* Overwrites the result of a step with another state of the run, and also with the time of the
 * result unless the system depends on time. */
static struct shk_status overwritten(struct replay *r, long i, long *k)
{
  struct shk_contract *const c = r->contract;
  const struct shk_state *const ended = &r->run[i * r->count / SOME + 1];
  *k = r->count - (ended - r->run);
  (void)shk_contract_step(c, &c->at, ended - 1, c->h);
  shk_state_copy(&c->at, &r->run[*k]);
  if (is_autonomous(c, &c->at, ended->t))
    c->at.t = ended->t;
  return step_of(&c->bound, r, &c->at);
}

struct way {
  const char *name, *how; /* NULL: the function sets it */
  struct shk_status (*again)(struct replay *r, long i, long *k);
  long some, runs;  /* steps: some + runs times the length of the run */
  long rebound;     /* steps after which the other instance is bound again; 0: never */
  bool begins_anew; /* the instance of the run is bound again first */
  bool on_smallest; /* only on the smallest problems */
};

static const struct way ways[] = {
    {"by another instance", "by an instance that was bound anew", by_another, 0, 1, .rebound = 101},
    {"in another order", "by the instance of the run, after later ones", backwards, SOME},
    {"between the steps of another instance", "between steps of another instance", interleaved,
     4 * SOME, .rebound = 4 * SOME, .begins_anew = true},
    {"after a step that failed", "after a step far too long", after_failure, SOME},
    {"at another time", NULL, at_another_time, SOME},
    {"from a state that was overwritten", "from where another step ended, overwritten", overwritten,
     SOME},
    {"by an old instance", "by an instance that has taken many", in_order, 0, 4,
     .on_smallest = true}};

/* Compares the result with step k of the run; of several faults keeps that of the earliest step. */
static void compare(struct replay *r, long k, struct shk_status status)
{
  struct shk_contract *const c = r->contract;
  const struct shk_map map = shk_bind_map(&c->bound, c->h);
  char text[100];
  const real away =
      status.code == SHK_OK ? shk_map_distance(&map, &c->to, &r->run[k + 1], false) : 0;
  if ((status.code == SHK_OK && away <= SHK_CONTRACT_FLOORS * r->floor) ||
      (r->fault.text[0] != '\0' && k >= r->faulty))
    return;
  r->faulty = k;
  r->fault.text[0] = '\0';
  if (status.code != SHK_OK)
    shk_contract_fault(&r->fault, "step %ld of a run fails when it is taken again %s: %s", k + 1,
                       r->how, shk_status_text(text, sizeof text, status));
  shk_contract_fault(&r->fault,
                     "step %ld of %ld (h = %.3g) leads elsewhere when it is taken again %s: %.2g "
                     "away, where rounding explains %.1g: look for what is kept between steps",
                     k + 1, r->count, (double)c->h, r->how, (double)away, (double)r->floor);
}

static struct shk_status take_again(struct replay *r, const struct way *way)
{
  struct shk_contract *const c = r->contract;
  r->fault.text[0] = '\0';
  if (way->on_smallest && !is_smallest(c))
    return shk_ok();
  if (way->begins_anew)
    SHK_TRY(shk_bind_method(&c->bound));
  for (long i = 0; i < way->some + way->runs * r->count; i++) {
    long k = 0;
    if (way->rebound > 0 && i % way->rebound == 0)
      SHK_TRY(shk_bind_method(&r->other));
    r->how = way->how;
    const struct shk_status status = way->again(r, i, &k);
    if (k < 0)
      return shk_ok();
    compare(r, k, status);
  }
  shk_checks_add(c->checks, "stateless", way->name, r->fault.text);
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

/* Returns the first step with other bits, from 1; 0: none. */
static long repeat(struct replay *r)
{
  struct shk_contract *const c = r->contract;
  if (is_smallest(c))
    wait_for_clock();
  if (shk_bind_method(&r->other).code != SHK_OK)
    return 1;
  shk_state_copy(&c->at, &r->run[0]);
  for (long k = 0; k < r->count; k++) {
    r->other.evaluator.work.steps = k;
    if (step_of(&r->other, r, &c->at).code != SHK_OK ||
        memcmp(c->to.q, r->run[k + 1].q, 2 * (size_t)c->to.n * sizeof(real)) != 0) /* q and p */
      return k + 1;
    shk_state_copy(&c->at, &c->to);
  }
  return 0;
}

static struct shk_status look(struct replay *r)
{
  struct shk_contract *const c = r->contract;
  struct shk_message error;
  struct shk_fault fault = {""};
  struct shk_status status = shk_ok();
  if (shk_bind_cell(c->bound.context, &r->other, c->cell, &error) != SHK_OK)
    return shk_no_memory();
  SHK_TRY(make_run(r));
  long *const differs =
      mmap(NULL, sizeof *differs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (differs == MAP_FAILED)
    return shk_no_memory();
  const struct shk_child silent = {.in = SHK_NOTHING, .out = SHK_NOTHING, .error = SHK_NOTHING};
  const pid_t child = shk_child_fork(&silent, &error);
  if (child == 0) {
    *differs = repeat(r);
    _exit(0);
  }
  if (!c->bound.integrator->info.adaptive) {
    status = find_floor(r);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0] && status.code == SHK_OK; i++)
      status = take_again(r, &ways[i]);
  }
  const bool repeated = child > 0 && shk_child_wait(child) == 0;
  if (!repeated && status.code == SHK_OK && !shk_checks_fault(c->checks))
    status = shk_failure(SHK_STOPPED, "the run could not be repeated in another process", 0, 0);
  if (*differs > 0)
    shk_contract_fault(&fault,
                       "step %ld of the same run comes to other bits in another process: look for "
                       "clocks, random numbers and memory that was never set",
                       *differs);
  if (repeated)
    shk_checks_add(c->checks, "stateless", "in another process", fault.text);
  munmap(differs, sizeof *differs);
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

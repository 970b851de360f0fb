/*
 * Steps of several methods made together (`join`, `step_together`): every state and every counter is as of
 * the same methods by themselves, to the bit, on every problem that they take; nearly all steps are made
 * in lanes; and what cannot go together is told so. A step alone has the bits of its two stages.
 */
#include "integrators/kit/over_flow.h"
#include "integrators/kit/verlet_parts.h"
#include "tests/kit/driving.h"
#include "tests/kit/registered.h"

#include <stdlib.h>
#include <string.h>

enum { STEPS = 120, APART = 7 };

/* Eight methods at different states of one trajectory, twice: together and alone, every other one of these in
 * its two stages rather than in a single lane. */
struct pair {
  struct shk_drive together[SHK_TOGETHER], alone[SHK_TOGETHER];
  real work[2][SHK_TOGETHER];
  int count;
};

static void in_stages(struct shk_drive *d)
{
  const char *const name = d->bound.integrator->info.name;
  struct shk_over_flow *const method = d->bound.method;
  if ((strcmp(name, "rattle") == 0 || strcmp(name, "shake") == 0) && method->verlet)
    method->verlet->alone = NULL;
}

static bool begin_pair(struct pair *w, const char *problem, const char *integrator,
                       const char *step)
{
  char reason[256];
  memset(w, 0, sizeof *w);
  for (int i = 0; i < SHK_TOGETHER; i++) {
    struct shk_drive *const both[2] = {&w->together[i], &w->alone[i]};
    for (int k = 0; k < 2; k++) {
      if (begin_at(both[k], reason, problem, integrator, step, NULL, NULL, false) != SHK_OK ||
          !advance(both[k], (long)APART * i) || both[k]->watches)
        return false;
      const struct shk_bound *const bound = &both[k]->bound;
      shk_method_constraint_work(bound->integrator, bound->method, &w->work[k][i]);
    }
    if (i % 2 == 0)
      in_stages(&w->alone[i]);
    w->count++;
  }
  return true;
}

static void end_pair(struct pair *w)
{
  for (int i = 0; i < SHK_TOGETHER; i++) {
    shk_drive_end(&w->together[i]);
    shk_drive_end(&w->alone[i]);
  }
}

static bool same_state(const struct shk_state *a, const struct shk_state *b)
{
  const size_t bytes = (4 * (size_t)a->n + 2 * (size_t)a->m) * sizeof(real);
  return memcmp(a->q, b->q, bytes) == 0;
}

static bool same(const struct pair *w, int i)
{
  return same_state(&w->together[i].current, &w->alone[i].current) &&
         memcmp(&w->together[i].bound.evaluator.work, &w->alone[i].bound.evaluator.work,
                sizeof(struct shk_work)) == 0 &&
         memcmp(&w->work[0][i], &w->work[1][i], sizeof(real)) == 0;
}

/* One step of both. `ended`: the members that have failed, in both the same way. */
static bool step(struct pair *w, void *group, bool *ended, long *in_lanes)
{
  const struct shk_integrator *const integrator = w->together[0].bound.integrator;
  struct shk_state *to[SHK_TOGETHER];
  const struct shk_state *from[SHK_TOGETHER];
  struct shk_status made[SHK_TOGETHER];
  bool done[SHK_TOGETHER] = {false}, ok = true;
  for (int i = 0; i < SHK_TOGETHER; i++) {
    from[i] = &w->together[i].current;
    to[i] = ended[i] ? NULL : &w->together[i].next;
  }
  integrator->step_together(group, to, from, w->together[0].bound.step, done, made);
  for (int i = 0; i < SHK_TOGETHER; i++) {
    struct shk_drive *const d = &w->together[i], *const other = &w->alone[i];
    if (ended[i])
      continue;
    *in_lanes += done[i];
    const real t1 = d->current.t + d->bound.step;
    const struct shk_status status =
        done[i] ? made[i] : integrator->step(d->bound.method, to[i], from[i], d->bound.step);
    const struct shk_status expected =
        integrator->step(other->bound.method, &other->next, &other->current, other->bound.step);
    ended[i] = status.code != SHK_OK;
    ok = ok && status.code == expected.code && status.value == expected.value;
    d->next.t = other->next.t = t1;
    if (!ended[i]) {
      shk_drive_accept(d);
      shk_drive_accept(other);
    }
    ok = ok && same(w, i);
  }
  return ok;
}

/* NULL: they do not go together. */
static void *group_of(struct pair *w)
{
  const struct shk_integrator *const integrator = w->together[0].bound.integrator;
  void *methods[SHK_TOGETHER], *group = NULL;
  for (int i = 0; i < SHK_TOGETHER; i++)
    methods[i] = w->together[i].bound.method;
  if (integrator->join)
    integrator->join(&group, methods, SHK_TOGETHER, w->together[0].bound.evaluator.workspace);
  return group;
}

/* How many steps were made in lanes; -1: not all are the same; -2: they do not go together. */
static long compare(struct pair *w)
{
  void *const group = group_of(w);
  bool ended[SHK_TOGETHER] = {false};
  long in_lanes = 0;
  for (int k = 0; group && k < STEPS; k++)
    if (!step(w, group, ended, &in_lanes))
      return -1;
  return group ? in_lanes : -2;
}

/* Whether one of them would go beside others like it. */
static bool may_join(const char *problem, const char *integrator, const char *h)
{
  struct shk_drive d;
  void *group = NULL;
  if (begin_at(&d, NULL, problem, integrator, h, NULL, NULL, false) == SHK_OK &&
      d.bound.integrator->join)
    d.bound.integrator->join(&group, &d.bound.method, 1, d.bound.evaluator.workspace);
  shk_drive_end(&d);
  return group != NULL;
}

static long check(const char *problem, const char *integrator, const char *h)
{
  struct pair *const w = calloc(1, sizeof *w);
  long in_lanes = -2;
  if (w && may_join(problem, integrator, h) && begin_pair(w, problem, integrator, h)) {
    in_lanes = compare(w);
    if (in_lanes != -2)
      tap_ok(in_lanes >= 0, "%s on %s: %ld of %d steps in lanes, all as alone", integrator, problem,
             in_lanes, SHK_TOGETHER * STEPS);
  }
  if (w)
    end_pair(w);
  free(w);
  return in_lanes;
}

/* ---- callbacks that fail ---- */

/* Of each system, after so many calls. */
static struct failing {
  const void *context;
  int (*jacobian)(const void *context, real *values, real t, const real *q);
  long left;
} failing[2 * SHK_TOGETHER];

static int failing_jacobian(const void *context, real *values, real t, const real *q)
{
  int i = 0;
  while (failing[i].context != context)
    i++;
  return --failing[i].left < 0 ? -7 : failing[i].jacobian(context, values, t, q);
}

static void let_fail(int at, struct shk_drive *d, long after)
{
  struct shk_system *const system = &d->bound.instance.system;
  if (system->jacobian != failing_jacobian)
    failing[at] = (struct failing){.context = system->context, .jacobian = system->jacobian};
  system->jacobian = failing_jacobian;
  failing[at].left = after;
}

/* at_start: the first call of a step from another state than the last ended with. */
static void check_failures(const char *integrator, bool at_start)
{
  struct pair *const w = calloc(1, sizeof *w);
  bool ended[SHK_TOGETHER] = {false}, ok = w != NULL;
  long in_lanes = 0;
  ok = ok && begin_pair(w, "double-pendulum", integrator, "0.01");
  void *const group = ok ? group_of(w) : NULL;
  for (int k = 0; ok && k < 12; k++) {
    for (int i = 0; k == 3 && i < SHK_TOGETHER; i++) {
      let_fail(i, &w->together[i], at_start ? 0 : i);
      let_fail(SHK_TOGETHER + i, &w->alone[i], at_start ? 0 : i);
      if (at_start) {
        shk_state_copy(&w->together[i].current, &w->together[i].bound.start);
        shk_state_copy(&w->alone[i].current, &w->alone[i].bound.start);
      }
    }
    ok = group && step(w, group, ended, &in_lanes);
  }
  int count = 0;
  for (int i = 0; i < SHK_TOGETHER; i++)
    count += ended[i];
  tap_ok(ok && count == SHK_TOGETHER,
         "%s: a Jacobian that fails%s ends the step of its lane as it does alone: %d", integrator,
         at_start ? " at the start" : "", count);
  if (w)
    end_pair(w);
  free(w);
}

/* On all problems, with steps at which iterations fall plainly and with some at which they do not. */
static void check_problems(const char *integrator, double part, bool mostly)
{
  struct shk_inspection inspection;
  const char *problem;
  int taken = 0;
  long steps = 0, in_lanes = 0;
  for (int index = 0; (problem = next_problem(&index, ~0u, NULL, &inspection)) != NULL;) {
    char h[32];
    snprintf(h, sizeof h, "%.3g", part * inspection.time_scale);
    const long count = check(problem, integrator, h);
    taken += count > -2;
    steps += count > -2 ? SHK_TOGETHER * STEPS : 0;
    in_lanes += count > 0 ? count : 0;
  }
  tap_ok(SHK_PRECISION != 64 ? taken == 0 : taken >= 12, "%s: %d problems go together", integrator,
         taken);
  if (SHK_PRECISION == 64 && mostly)
    tap_ok(in_lanes > steps * 8 / 10, "%s: %ld of %ld steps are made in lanes", integrator,
           in_lanes, steps);
}

static void check_apart(const char *problem, const char *integrator)
{
  tap_ok(check(problem, integrator, "0.01") == -2, "%s on %s: each for itself", integrator,
         problem);
}

int main(void)
{
  check_problems("rattle", 0.01, true);
  check_problems("rattle", 0.4, false);
  check_problems("shake", 0.01, true);
  check_problems("rattle(tolerance=1e-9,linear=lu)", 0.01, true);
  check_problems("rattle(iterations=2)", 0.05, false);
  if (SHK_PRECISION == 64) {
    check_failures("rattle", false);
    check_failures("rattle", true);
    check_failures("shake", false);
  }
  check_apart("chain", "rattle");
  check_apart("double-pendulum", "rattle(linear=cholesky)");
  check_apart("double-pendulum", "rattle(solver=simplified-newton)");
  check_apart("double-pendulum", "rattle(criterion=count,iterations=3)");
  check_apart("double-pendulum", "rattle(guess=extrapolated)");
  check_apart("double-pendulum", "shake(momentum=central)");
  check_apart("double-pendulum", "rattle(flow=gauss(2))");
  check_apart("double-pendulum", "projection");
  return tap_done();
}

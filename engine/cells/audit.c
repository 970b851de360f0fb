/* Audits problems. See cells.h. */
#include "engine/cells/cells.h"

#include "engine/bind.h"
#include "mechanics/algebra/difference.h"
#include "mechanics/system/audit.h"
#include "mechanics/system/derivatives.h"
#include "mechanics/system/rods.h"

#include <shakedown/solve.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 4 };

/* ---- the motion ---- */

/* Computes f = (q',p') (2n) with the exact multiplier. `work` must have space for m numbers, plus
 * 2mn or the entries of the sparsity pattern. */
static struct shk_status exact_slope(struct shk_bound *bound, real *f, real *scratch,
                                     const struct shk_state *s)
{
  SHK_TRY(shk_exact_multiplier(bound->manifold, scratch, s->t, s->q, s->p));
  return shk_constrained_slope(&bound->observer, f, NULL, scratch + s->m, s->t, s->q, s->p,
                               scratch);
}

/* Advances s by an Euler step, whose length is a seventh of the time scale, and projects it onto
 * the constraints. */
static struct shk_status move_on(struct shk_bound *bound, struct shk_state *s, real *scratch)
{
  const real h = bound->instance.time_scale / 7;
  SHK_TRY(exact_slope(bound, scratch, scratch + 2 * s->n, s));
  for (int i = 0; i < s->n; i++) {
    s->q[i] += h * scratch[i];
    s->p[i] += h * scratch[s->n + i];
  }
  s->t += h;
  return shk_manifold_project(bound->manifold, s->q, s->p, s->t);
}

/* ---- functions of the instance ---- */

/* Compares two outputs of `start`, `exact` or `invariants` for the same input. Returns a
 * description of the fault, or NULL if there is none. */
static const char *compare_audit(const real *a, const real *b, size_t count)
{
  if (shk_poisoned(a, count) >= 0)
    return "it does not write its whole output, or adds to it";
  return memcmp(a, b, count * sizeof *a) == 0 ? NULL
                                              : "it gives different outputs for the same inputs";
}

static void audit_instance(struct shk_checks *checks, const struct shk_bound *bound, real *scratch)
{
  const struct shk_instance *instance = &bound->instance;
  const void *context = instance->system.context;
  const size_t n = (size_t)instance->system.n, m = (size_t)instance->system.m;
  const size_t sizes[] = {2 * n, 2 * n + m, (size_t)instance->invariant_count};
  static const char *const names[] = {"start", "exact", "invariants"};
  for (int which = 0; which < 3; which++) {
    if ((which == 1 && !instance->exact) || (which == 2 && !instance->invariants))
      continue;
    int returned = 0;
    for (int round = 0; round < 2; round++) {
      real *out = scratch + (size_t)round * sizes[which];
      shk_poison(out, sizes[which]);
      if (which == 0)
        returned = instance->start(context, out, out + n);
      else if (which == 1)
        returned = instance->exact(context, out, out + n, out + 2 * n, bound->start.t);
      else
        returned =
            instance->invariants(context, out, bound->start.t, bound->start.q, bound->start.p);
    }
    const char *fault = returned != 0
                            ? "it fails at the start"
                            : compare_audit(scratch, scratch + sizes[which], sizes[which]);
    /* The bound is far above the errors of elliptic functions and far below the effect of a
     * mistake. The array contains q followed by p. */
    if (!fault && which == 1 &&
        !(shk_largest_difference(scratch, bound->start.q, 2 * bound->start.n) <=
          real_pow(REAL_EPSILON, R(0.75))))
      fault = "it does not begin at the start";
    shk_checks_add(checks, names[which], "its outputs", fault);
  }
}

/* Checks the derivatives against finite differences. This is done only in the highest available
 * precision, in which the differences have the smallest errors. */
static struct shk_status compare_derivatives(struct shk_checks *checks, struct shk_bound *bound)
{
  const struct shk_state *const s = &bound->start;
  struct shk_derivative_check found[8];
  int count = 0;
  if ((double)REAL_EPSILON == shk_finest_engine()->epsilon)
    SHK_TRY(shk_check_derivatives(found, &count, &bound->observer, s->t, s->q, s->p));
  for (int i = 0; i < count; i++) {
    char fault[96];
    snprintf(fault, sizeof fault,
             "does not agree with finite differences: off by %.2g, resolution %.2g", found[i].error,
             found[i].floor);
    shk_checks_add(checks, found[i].name, "is the derivative", found[i].holds ? NULL : fault);
  }
  return shk_ok();
}

/* ---- invariants ---- */

/* Adds the change in invariant i from z - by dz to z + by dz, where z = (q,p), to sizes[i]. If k <
 * 0, this is the signed change when all components move; otherwise, it is the absolute change when
 * only component k moves. `z` must have space for one point, and `values` for two sets of
 * invariants. Returns false if the invariants cannot be evaluated. */
static bool add_change(const struct shk_bound *bound, real *sizes, real *z, real *values,
                       const struct shk_state *s, const real *dz, real by, int k)
{
  const struct shk_instance *instance = &bound->instance;
  const int n = s->n, count = instance->invariant_count;
  for (int side = 0; side < 2; side++) {
    memcpy(z, s->q, (size_t)n * sizeof *z);
    memcpy(z + n, s->p, (size_t)n * sizeof *z);
    for (int i = k < 0 ? 0 : k; i < (k < 0 ? 2 * n : k + 1); i++)
      z[i] += side == 0 ? by * dz[i] : -by * dz[i];
    if (instance->invariants(instance->system.context, values + (size_t)side * (size_t)count, s->t,
                             z, z + n) != 0)
      return false;
  }
  for (int i = 0; i < count; i++) {
    const real change = values[i] - values[count + i];
    sizes[i] += k < 0 ? change : real_fabs(change);
  }
  return true;
}

/* Increases worst[i] to the relative rate of invariant i along the motion at s, if that is larger.
 * The relative rate is the rate divided by the sum of the contributions of all components of (q,p);
 * both are computed from central differences. For large systems, only some components are summed.
 * This makes the divisor smaller, so the test does not become weaker. */
static struct shk_status invariant_rates(struct shk_bound *bound, real *worst, real *scratch,
                                         const struct shk_state *s)
{
  enum { COMPONENTS = 200 };
  const int n = s->n, count = bound->instance.invariant_count;
  real *dz = scratch, *z = dz + 2 * n, *values = z + 2 * n;
  real *rate = values + 2 * count, *parts = rate + count;
  SHK_TRY(exact_slope(bound, dz, z, s));
  /* This step size balances the truncation error of a central difference against its round-off. */
  const real by = bound->instance.time_scale * real_pow(REAL_EPSILON, (real)1 / 3);
  memset(rate, 0, 2 * (size_t)count * sizeof *rate);
  for (int k = -1; k < 2 * n; k += k < 0 ? 1 : 1 + 2 * n / COMPONENTS)
    if (!add_change(bound, k < 0 ? rate : parts, z, values, s, dz, by, k))
      return shk_failure(SHK_STOPPED, "the invariants cannot be evaluated", 0, 0);
  for (int i = 0; i < count; i++) {
    /* If no component contributes, the round-off of the invariant serves as the scale. */
    const real size =
        parts[i] + real_fabs(values[i]) * real_pow(REAL_EPSILON, (real)1 / 3) + REAL_EPSILON * by;
    worst[i] = real_max(worst[i], real_fabs(rate[i]) / size);
  }
  return shk_ok();
}

static void check_invariants(struct shk_checks *checks, const struct shk_bound *bound,
                             const real *worst)
{
  for (int i = 0; i < bound->instance.invariant_count; i++) {
    char fault[96];
    const bool holds = worst[i] <= real_sqrt(REAL_EPSILON);
    snprintf(fault, sizeof fault, "it changes along the motion at %.3g times the rate of its parts",
             (double)worst[i]);
    shk_checks_add(checks, bound->instance.invariant_names[i], "an invariant",
                   holds ? NULL : fault);
  }
}

/* ---- problems ---- */

/* Calls every function of the system at s. A failing function does not count as a fault here. */
static void call_all(const struct shk_system *y, real *scratch, const struct shk_state *s)
{
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  real *const w = scratch + shk_audit_room(y), *const values = scratch + n;
  for (size_t i = 0; i < n; i++) { /* an arbitrary direction */
    w[i] = s->p[i] + 1;
    w[n + i] = s->q[i] - R(0.5);
  }
#define CALL(function, ...) (void)(y->function && y->function(y->context, scratch, __VA_ARGS__));
#define OF_Q(function, size) CALL(function, s->t, s->q)
#define OF_QP(function, size) CALL(function, s->t, s->q, s->p)
#define TWO_OF_QP(function, size) CALL(function, scratch + (size), s->t, s->q, s->p)
#define OF_MASS(function) CALL(function, s->q, w)
  SHK_AUDITED(OF_Q, OF_QP, TWO_OF_QP, OF_MASS)
  CALL(mass_matrix, s->q)
  CALL(constraint_second, s->t, s->q, s->p, w)
  CALL(fibre, values, s->q, s->p, s->lambda)
}

/* Audits the problem at POINTS points along its motion, and stores the largest relative rate of
 * change of each invariant in `worst`. */
static struct shk_status audit_points(struct shk_checks *checks, struct shk_bound *bound,
                                      const struct shk_system *watched, real *scratch, real *worst)
{
  const struct shk_instance *const instance = &bound->instance;
  struct shk_state *const s = &bound->start;
  struct shk_status status = compare_derivatives(checks, bound);
  char rods[96] = "", reason[SHK_MESSAGE_SIZE];
  if (status.code != SHK_OK)
    shk_checks_add(checks, "derivatives", "can be compared",
                   shk_status_text(reason, sizeof reason, status));
  status = shk_ok();
  audit_instance(checks, bound, scratch);
  for (int i = 0; i < POINTS && status.code == SHK_OK; i++) {
    call_all(watched, scratch, s);
    if (rods[0] == '\0')
      status = shk_rods_check(&instance->system, rods, sizeof rods, s->t, s->q);
    if (status.code == SHK_OK && instance->invariants)
      status = invariant_rates(bound, worst, scratch, s);
    if (status.code == SHK_OK)
      status = move_on(bound, s, scratch);
  }
  if (instance->system.rods)
    shk_checks_add(checks, "rods", "agree with the constraints", rods);
  return status;
}

static struct shk_status audit(struct shk_checks *checks, struct shk_bound *bound)
{
  const struct shk_system *const inner = &bound->instance.system;
  const size_t n = (size_t)inner->n, m = (size_t)inner->m;
  const size_t invariants = (size_t)bound->instance.invariant_count;
  const size_t gradients =
      inner->constraint_gradients ? 2 * m * n : (size_t)bound->observer.row_start[m];
  struct shk_system system;
  real *scratch, *worst;
  if (inner->features & SHK_GENERAL_DAE)
    return shk_refused("general differential-algebraic equations are not audited");
  /* this is enough space for slope, rates, call_all and audit_instance */
  SHK_TRY(shk_reals(bound->instance.workspace, &scratch,
                    shk_audit_room(inner) + gradients + 3 * m + 10 * n + 6 * invariants + 2));
  worst = scratch + shk_audit_room(inner) + gradients + 3 * m + 10 * n + 5 * invariants + 2;
  struct shk_audit *const audit = shk_audit_create(&system, inner);
  const struct shk_status status =
      audit ? audit_points(checks, bound, &system, scratch, worst) : shk_no_memory();
  for (int i = 0; status.code == SHK_OK && i < audit->count; i++)
    shk_checks_add(checks, audit->seen[i].function, "its inputs and outputs", audit->seen[i].fault);
  if (status.code == SHK_OK)
    check_invariants(checks, bound, worst);
  free(audit);
  return status;
}

bool shk_audit_problem(const struct shk_context *context, struct shk_checks *checks,
                       const char *problem, struct shk_message *error)
{
  struct shk_bound bound;
  *checks = (struct shk_checks){0};
  const bool ok = shk_bind_problem(context, &bound, problem, error) == SHK_OK &&
                  shk_bind_point(&bound, NULL, NULL, false, error) == SHK_OK &&
                  shk_bind_check_start(&bound, error) == SHK_OK &&
                  shk_bind_fail(error, audit(checks, &bound)) == SHK_OK;
  shk_unbind(&bound);
  return ok;
}

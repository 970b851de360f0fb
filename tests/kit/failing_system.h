/*
 * A system whose callbacks fail on demand. make_failing replaces the callbacks of a system by
 * wrappers. After `until_failure` - 1 calls the next one returns `failure` in place of its own
 * result.
 */
#ifndef TESTS_KIT_FAILING_SYSTEM_H
#define TESTS_KIT_FAILING_SYSTEM_H

#include <shakedown/system.h>

static struct shk_system original;
static long until_failure; /* 0: never */
static int failure;
static long constraint_calls; /* of g and its Jacobian, including failed calls */

/* clang-format off */
#define OF_Q (const void *c, real *out, real t, const real *q)
#define OF_QP (const void *c, real *out, real t, const real *q, const real *p)
#define OF_QV (const void *c, real *out, const real *q, const real *v)
/* Name, parameters, arguments, and whether a call is one of g or its Jacobian. */
#define CALLBACKS(X) \
  X(potential, OF_Q, (c, out, t, q), 0) \
  X(gradient, OF_Q, (c, out, t, q), 0) \
  X(potential_hessian, OF_Q, (c, out, t, q), 0) \
  X(hamiltonian_q, OF_QP, (c, out, t, q, p), 0) \
  X(hamiltonian_p, OF_QP, (c, out, t, q, p), 0) \
  X(hessian, OF_QP, (c, out, t, q, p), 0) \
  X(constraint, OF_Q, (c, out, t, q), 1) \
  X(jacobian, OF_Q, (c, out, t, q), 1) \
  X(curvature, (const void *c, real *out, real t, const real *q, const real *v), (c, out, t, q, v), 0) \
  X(constraint_rate, OF_Q, (c, out, t, q), 0) \
  X(constraint_qp, OF_QP, (c, out, t, q, p), 0) \
  X(constraint_gradients, (const void *c, real *g_q, real *g_p, real t, const real *q, const real *p), \
    (c, g_q, g_p, t, q, p), 0) \
  X(constraint_second, (const void *c, real *out, real t, const real *q, const real *p, const real *w), \
    (c, out, t, q, p, w), 0) \
  X(fibre, (const void *c, real *dq, real *dp, const real *q, const real *p, const real *s), \
    (c, dq, dp, q, p, s), 0) \
  X(dae_slope, (const void *c, real *dq, real *dp, real t, const real *q, const real *p, const real *l), \
    (c, dq, dp, t, q, p, l), 0) \
  X(dae_constraint, OF_QP, (c, out, t, q, p), 0) \
  X(dae_derivatives, (const void *c, real *f_x, real *f_l, real *g_x, real t, const real *q, \
                      const real *p, const real *l), (c, f_x, f_l, g_x, t, q, p, l), 0) \
  X(force, OF_QP, (c, out, t, q, p), 0) \
  X(force_gradients, (const void *c, real *Q_q, real *Q_p, real t, const real *q, const real *p), \
    (c, Q_q, Q_p, t, q, p), 0) \
  X(mass_matrix, (const void *c, real *out, const real *q), (c, out, q), 0) \
  X(mass_gradient, OF_QV, (c, out, q, v), 0) \
  X(mass_curvature, OF_QV, (c, out, q, v), 0)

#define DEFINE(name, parameters, arguments, counts) \
  static int name parameters \
  { \
    constraint_calls += (counts); \
    if (until_failure > 0 && --until_failure == 0) \
      return failure; \
    return original.name arguments; \
  }
CALLBACKS(DEFINE)
/* clang-format on */

static void make_failing(struct shk_system *s)
{
  original = *s;
#define WRAP(name, parameters, arguments, counts) s->name = s->name ? name : NULL;
  CALLBACKS(WRAP)
#undef WRAP
}

#endif

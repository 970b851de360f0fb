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

#define COUNT_DOWN()                                                                               \
  do {                                                                                             \
    if (until_failure > 0 && --until_failure == 0)                                                 \
      return failure;                                                                              \
  } while (0)

static int potential(const void *c, real *out, real t, const real *q)
{
  COUNT_DOWN();
  return original.potential(c, out, t, q);
}
static int gradient(const void *c, real *out, real t, const real *q)
{
  COUNT_DOWN();
  return original.gradient(c, out, t, q);
}
static int hamiltonian_q(const void *c, real *out, real t, const real *q, const real *p)
{
  COUNT_DOWN();
  return original.hamiltonian_q(c, out, t, q, p);
}
static int hamiltonian_p(const void *c, real *out, real t, const real *q, const real *p)
{
  COUNT_DOWN();
  return original.hamiltonian_p(c, out, t, q, p);
}
static int hessian(const void *c, real *out, real t, const real *q, const real *p)
{
  COUNT_DOWN();
  return original.hessian(c, out, t, q, p);
}
static int constraint(const void *c, real *out, real t, const real *q)
{
  constraint_calls++;
  COUNT_DOWN();
  return original.constraint(c, out, t, q);
}
static int jacobian(const void *c, real *out, real t, const real *q)
{
  constraint_calls++;
  COUNT_DOWN();
  return original.jacobian(c, out, t, q);
}
static int curvature(const void *c, real *out, real t, const real *q, const real *v)
{
  COUNT_DOWN();
  return original.curvature(c, out, t, q, v);
}

static int constraint_qp(const void *c, real *out, real t, const real *q, const real *p)
{
  COUNT_DOWN();
  return original.constraint_qp(c, out, t, q, p);
}
static int constraint_gradients(const void *c, real *g_q, real *g_p, real t, const real *q,
                                const real *p)
{
  COUNT_DOWN();
  return original.constraint_gradients(c, g_q, g_p, t, q, p);
}
static int constraint_second(const void *c, real *out, real t, const real *q, const real *p,
                             const real *w)
{
  COUNT_DOWN();
  return original.constraint_second(c, out, t, q, p, w);
}
static int fibre(const void *c, real *dq, real *dp, const real *q, const real *p, const real *s)
{
  COUNT_DOWN();
  return original.fibre(c, dq, dp, q, p, s);
}

static int dae_slope(const void *c, real *dq, real *dp, real t, const real *q, const real *p,
                     const real *lambda)
{
  COUNT_DOWN();
  return original.dae_slope(c, dq, dp, t, q, p, lambda);
}
static int dae_constraint(const void *c, real *g, real t, const real *q, const real *p)
{
  COUNT_DOWN();
  return original.dae_constraint(c, g, t, q, p);
}
static int dae_derivatives(const void *c, real *f_x, real *f_lambda, real *g_x, real t,
                           const real *q, const real *p, const real *lambda)
{
  COUNT_DOWN();
  return original.dae_derivatives(c, f_x, f_lambda, g_x, t, q, p, lambda);
}

static int constraint_rate(const void *c, real *out, real t, const real *q)
{
  COUNT_DOWN();
  return original.constraint_rate(c, out, t, q);
}
static int force(const void *c, real *out, real t, const real *q, const real *p)
{
  COUNT_DOWN();
  return original.force(c, out, t, q, p);
}
static int force_gradients(const void *c, real *Q_q, real *Q_p, real t, const real *q,
                           const real *p)
{
  COUNT_DOWN();
  return original.force_gradients(c, Q_q, Q_p, t, q, p);
}
static int mass_matrix(const void *c, real *out, const real *q)
{
  COUNT_DOWN();
  return original.mass_matrix(c, out, q);
}
static int mass_gradient(const void *c, real *out, const real *q, const real *v)
{
  COUNT_DOWN();
  return original.mass_gradient(c, out, q, v);
}
static int mass_curvature(const void *c, real *out, const real *q, const real *v)
{
  COUNT_DOWN();
  return original.mass_curvature(c, out, q, v);
}
static int potential_hessian(const void *c, real *out, real t, const real *q)
{
  COUNT_DOWN();
  return original.potential_hessian(c, out, t, q);
}
static int forces_and_constraints(const void *c, real *gradient_out, real *values, real *along,
                                  real t, const real *q, const real *v)
{
  constraint_calls++;
  COUNT_DOWN();
  return original.forces_and_constraints(c, gradient_out, values, along, t, q, v);
}

/* Wraps the callbacks that not every system has. */
static void make_others_failing(struct shk_system *s)
{
  if (s->constraint_rate)
    s->constraint_rate = constraint_rate;
  if (s->force)
    s->force = force;
  if (s->force_gradients)
    s->force_gradients = force_gradients;
  if (s->mass_matrix)
    s->mass_matrix = mass_matrix;
  if (s->mass_gradient)
    s->mass_gradient = mass_gradient;
  if (s->mass_curvature)
    s->mass_curvature = mass_curvature;
  if (s->potential_hessian)
    s->potential_hessian = potential_hessian;
  if (s->forces_and_constraints)
    s->forces_and_constraints = forces_and_constraints;
}

static void make_failing(struct shk_system *s)
{
  original = *s;
  if (s->features & SHK_GENERAL_DAE) {
    s->dae_slope = dae_slope;
    s->dae_constraint = dae_constraint;
    s->dae_derivatives = dae_derivatives;
    s->curvature = curvature;
    return;
  }
  if (s->features & SHK_MOMENTUM_CONSTRAINT) {
    s->potential = potential;
    s->gradient = gradient;
    s->hessian = hessian;
    s->constraint_qp = constraint_qp;
    s->constraint_gradients = constraint_gradients;
    s->constraint_second = constraint_second;
    s->fibre = fibre;
    return;
  }
  make_others_failing(s);
  if (original.gradient) {
    s->potential = potential;
    s->gradient = gradient;
  }
  s->hamiltonian_q = hamiltonian_q;
  s->hamiltonian_p = hamiltonian_p;
  s->hessian = hessian;
  s->constraint = constraint;
  s->jacobian = jacobian;
  s->curvature = curvature;
}

#endif

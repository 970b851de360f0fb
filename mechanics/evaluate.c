/*
 * Evaluation of a system with counters, for separable and general systems alike, and products with
 * the sparse Jacobian.
 */
#include <shakedown/system.h>

#include <stdlib.h>

static struct shk_status answer(int returned)
{
  if (returned == 0)
    return shk_ok();
  if (returned > 0)
    return shk_failure(SHK_TRY_SMALLER, "a function of the problem asked for a smaller step (%g)",
                       returned, 0);
  return shk_failure(SHK_STOPPED, "a function of the problem failed (%g)", returned, 0);
}

struct shk_status shk_evaluator_init(struct shk_evaluator *evaluator,
                                     const struct shk_system *system)
{
  *evaluator = (struct shk_evaluator){.system = system};
  if (system->row_start != NULL) {
    evaluator->row_start = system->row_start;
    evaluator->columns = system->columns;
    return shk_ok();
  }
  const size_t n = (size_t)system->n, m = (size_t)system->m;
  int *pattern = malloc((m + 1 + m * n) * sizeof *pattern);
  if (pattern == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for a dense Jacobian's pattern", 0, 0);
  for (size_t i = 0; i <= m; i++)
    pattern[i] = (int)(i * n);
  for (size_t i = 0; i < m; i++)
    for (size_t j = 0; j < n; j++)
      pattern[m + 1 + i * n + j] = (int)j;
  evaluator->owned = pattern;
  evaluator->row_start = pattern;
  evaluator->columns = pattern + m + 1;
  return shk_ok();
}

void shk_evaluator_clear(struct shk_evaluator *evaluator)
{
  free(evaluator->owned);
  *evaluator = (struct shk_evaluator){0};
}

static bool is_general(const struct shk_evaluator *e)
{
  return (e->system->features & SHK_GENERAL_HAMILTONIAN) != 0;
}

struct shk_status shk_hamiltonian(struct shk_evaluator *e, real *value, real t, const real *q,
                                  const real *p)
{
  const struct shk_system *s = e->system;
  e->work.hamiltonian++;
  if (is_general(e))
    return answer(s->hamiltonian(s->context, value, t, q, p));
  const struct shk_status status = answer(s->potential(s->context, value, t, q));
  real kinetic = 0;
  for (int i = 0; i < s->n; i++)
    kinetic += p[i] * p[i] / s->mass[i];
  *value += kinetic / 2;
  return status;
}

struct shk_status shk_gradient(struct shk_evaluator *e, real *H_q, real t, const real *q,
                               const real *p)
{
  const struct shk_system *s = e->system;
  e->work.gradient++;
  return answer(is_general(e) ? s->hamiltonian_q(s->context, H_q, t, q, p)
                              : s->gradient(s->context, H_q, t, q));
}

struct shk_status shk_velocity(struct shk_evaluator *e, real *H_p, real t, const real *q,
                               const real *p)
{
  const struct shk_system *s = e->system;
  if (is_general(e)) {
    e->work.velocity++;
    return answer(s->hamiltonian_p(s->context, H_p, t, q, p));
  }
  for (int i = 0; i < s->n; i++)
    H_p[i] = p[i] / s->mass[i];
  return shk_ok();
}

struct shk_status shk_hessian(struct shk_evaluator *e, real *out, real t, const real *q,
                              const real *p)
{
  const struct shk_system *s = e->system;
  e->work.hessian++;
  return answer(s->hessian(s->context, out, t, q, p));
}

static struct shk_status needs_momenta(void)
{
  return shk_failure(SHK_REFUSED, "the constraints depend on momenta", 0, 0);
}

struct shk_status shk_constraint(struct shk_evaluator *e, real *g, real t, const real *q)
{
  const struct shk_system *s = e->system;
  e->work.constraint++;
  if (s->constraint == NULL)
    return needs_momenta();
  return answer(s->constraint(s->context, g, t, q));
}

struct shk_status shk_jacobian(struct shk_evaluator *e, real *values, real t, const real *q)
{
  const struct shk_system *s = e->system;
  e->work.jacobian++;
  if (s->jacobian == NULL)
    return needs_momenta();
  return answer(s->jacobian(s->context, values, t, q));
}

struct shk_status shk_curvature(struct shk_evaluator *e, real *out, real t, const real *q,
                                const real *v)
{
  const struct shk_system *s = e->system;
  e->work.curvature++;
  if (s->curvature == NULL)
    return needs_momenta();
  return answer(s->curvature(s->context, out, t, q, v));
}

struct shk_status shk_constraint_qp(struct shk_evaluator *e, real *g, real t, const real *q,
                                    const real *p)
{
  const struct shk_system *s = e->system;
  e->work.constraint++;
  return answer(s->constraint_qp(s->context, g, t, q, p));
}

struct shk_status shk_constraint_gradients(struct shk_evaluator *e, real *g_q, real *g_p, real t,
                                           const real *q, const real *p)
{
  const struct shk_system *s = e->system;
  e->work.jacobian++;
  return answer(s->constraint_gradients(s->context, g_q, g_p, t, q, p));
}

struct shk_status shk_constraint_second(struct shk_evaluator *e, real *out, real t, const real *q,
                                        const real *p, const real *w)
{
  const struct shk_system *s = e->system;
  e->work.curvature++;
  return answer(s->constraint_second(s->context, out, t, q, p, w));
}

void shk_jacobian_times(const struct shk_evaluator *e, real *out, const real *values, const real *x)
{
  for (int i = 0; i < e->system->m; i++) {
    real sum = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      sum += values[k] * x[e->columns[k]];
    out[i] = sum;
  }
}

void shk_jacobian_transposed_add(const struct shk_evaluator *e, real *out, const real *values,
                                 real factor, const real *y)
{
  for (int i = 0; i < e->system->m; i++) {
    const real scaled = factor * y[i];
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      out[e->columns[k]] += values[k] * scaled;
  }
}

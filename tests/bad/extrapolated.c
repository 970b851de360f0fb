/*
 * RATTLE with normals extrapolated from the midpoint, which claims too much:
 *
 *     p½ = p0 - h/2 V_q(q0) + N0ᵀ a,  q1 = q0 + h M⁻¹ p½,             g(q1) = 0
 *     p1 = p½ - h/2 V_q(q1) + N1ᵀ b,                        G(q1) M⁻¹ p1 = 0
 *     N0 = 2 G(½(q0 + q1)) - G(q1),  N1 = 2 G(½(q0 + q1)) - G(q0)
 *
 * Symmetric. N = G where g is quadratic: there, and there only, the step is symplectic.
 */
#include "dense.h"

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  struct dense dense;
  real *a, *b, *g, *hidden, *G0, *G1, *middle, *q, *force;
};

/* p += -h/2 V_q(q) + (2 G(middle) - far)ᵀ impulse */
static struct shk_status kick(struct method *self, real *p, const real *q, const real *far,
                              const real *impulse, real h)
{
  SHK_TRY(shk_gradient(self->evaluator, self->force, 0, q, p));
  for (int i = 0; i < self->n; i++)
    p[i] -= h / 2 * self->force[i];
  shk_jacobian_transposed_add(self->evaluator, p, self->middle, 2, impulse);
  shk_jacobian_transposed_add(self->evaluator, p, far, -1, impulse);
  return shk_ok();
}

/* The step with these a and b, and the normals of the last one. */
static struct shk_status attempt(struct method *self, struct shk_state *to,
                                 const struct shk_state *from, real h)
{
  struct shk_evaluator *e = self->evaluator;
  memcpy(to->p, from->p, (size_t)self->n * sizeof(real));
  SHK_TRY(kick(self, to->p, from->q, self->G1, self->a, h));
  for (int i = 0; i < self->n; i++) {
    to->q[i] = from->q[i] + h * to->p[i] / e->system->mass[i];
    self->q[i] = (from->q[i] + to->q[i]) / 2;
  }
  SHK_TRY(kick(self, to->p, to->q, self->G0, self->b, h));
  SHK_TRY(shk_jacobian(e, self->G1, 0, to->q));
  SHK_TRY(shk_jacobian(e, self->middle, 0, self->q));
  SHK_TRY(shk_constraint(e, self->g, 0, to->q));
  for (int i = 0; i < self->n; i++)
    self->q[i] = to->p[i] / e->system->mass[i];
  shk_jacobian_times(e, self->hidden, self->G1, self->q);
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct method *self = method;
  struct shk_evaluator *e = self->evaluator;
  memset(self->a, 0, (size_t)self->m * sizeof(real));
  memset(self->b, 0, (size_t)self->m * sizeof(real));
  SHK_TRY(shk_jacobian(e, self->G0, 0, from->q));
  SHK_TRY(shk_jacobian(e, self->G1, 0, from->q));
  SHK_TRY(shk_jacobian(e, self->middle, 0, from->q));
  dense_begin(&self->dense, e);
  while (!self->dense.iteration.converged) {
    e->counters.iterations++;
    SHK_TRY(attempt(self, to, from, h));
    SHK_TRY(dense_matrix(&self->dense, e, self->G1, self->G1));
    dense_solve(&self->dense, self->g, self->m);
    dense_solve(&self->dense, self->hidden, self->m);
    for (int j = 0; j < self->m; j++) {
      self->a[j] -= self->g[j] / h;
      self->b[j] -= self->hidden[j] - self->g[j] / h;
    }
    SHK_TRY(shk_iteration_next(&self->dense.iteration,
                               real_max(real_max_norm(self->g, self->m),
                                        real_fabs(h) * real_max_norm(self->hidden, self->m))));
  }
  return shk_ok();
}

static const struct shk_array arrays[] =
    SHK_LIST(DENSE_ARRAYS(method), SHK_ARRAY(method, a, .m = 1), SHK_ARRAY(method, b, .m = 1),
             SHK_ARRAY(method, g, .m = 1), SHK_ARRAY(method, hidden, .m = 1),
             SHK_ARRAY(method, G0, .entries = 1), SHK_ARRAY(method, G1, .entries = 1),
             SHK_ARRAY(method, middle, .entries = 1), SHK_ARRAY(method, q, .n = 1),
             SHK_ARRAY(method, force, .n = 1));
static const struct shk_stated claims[] =
    SHK_LIST(SHK_ORDERS(2), SHK_CLAIM(SYMMETRIC, SHK_YES), SHK_CLAIM(SYMPLECTIC, SHK_YES),
             SHK_CONSTRAINTS(SHK_YES));
static const struct shk_integrator extrapolated = {
    SHK_INTEGRATOR(method, arrays, NULL, step, NULL),
    .info = {.name = "extrapolated", .summary = "extrapolated normals", .claims = claims}};
SHK_PROVIDE(extrapolated, .integrators = SHK_INTEGRATORS(&extrapolated));

/*
 * The implicit half of Störmer-Verlet for a general H. The unknowns x = (p½, q1, lambda h/2) are
 * found by Newton's method. The increments of q and p are then accumulated with compensated
 * summation.
 */
#include "integrators/kit/implicit_verlet.h"

#include "integrators/kit/stage_matrix.h"
#include "mechanics/binding/binding.h"
#include "mechanics/system/evaluate.h"

struct shk_implicit_verlet {
  struct shk_evaluator *evaluator;
  int n, m;
  struct shk_newton *newton;
  real *x, *weights;         /* 2n + m */
  real *v0, *v1;             /* n entries each: H_p at q0 and q1 */
  real *hessian0, *hessian1; /* 2n x 2n */
  real *G_of_iterate;
  const real *G0;               /* at q0 */
  const struct shk_state *from; /* initial state of the current step */
  real h;
};

/* Computes the Jacobian of (1), (2) and g(q1) with respect to x from the values that `equations`
 * has computed. */
static void jacobian_of_equations(struct shk_implicit_verlet *self, real *J)
{
  const struct shk_evaluator *e = self->evaluator;
  const int n = self->n, stride = 2 * n;
  const real half = self->h / 2;
  const struct shk_stage_matrix matrix = shk_stage_matrix(J, 2 * n + self->m);
  real *const H_pp0 = self->hessian0 + (size_t)n * stride + n, *const H_pq1 = self->hessian1 +
                                                                              (size_t)n * stride;
  for (int i = 0; i < n; i++) /* H_pp(q0,p½) + H_pp(q1,p½) */
    for (int j = 0; j < n; j++)
      H_pp0[(size_t)i * stride + j] += H_pq1[(size_t)i * stride + n + j];
  shk_add_identity(matrix, 0, 0, n);
  shk_add_block(matrix, 0, 0, half, self->hessian0 + n, stride, n);
  shk_add_jacobian_transposed(matrix, 0, 2 * n, 1, e, self->G0);
  shk_add_block(matrix, n, 0, -half, H_pp0, stride, n);
  shk_add_identity(matrix, n, n, n);
  shk_add_block(matrix, n, n, -half, H_pq1, stride, n);
  shk_add_jacobian(matrix, 2 * n, n, 1, e, self->G_of_iterate);
}

/* Computes F, which consists of (1), (2) and g(q1), and its Jacobian with respect to x. */
static struct shk_status verlet_equations(void *method, real *F, real *J, const real *x)
{
  struct shk_implicit_verlet *self = method;
  struct shk_evaluator *e = self->evaluator;
  const struct shk_state *from = self->from;
  const int n = self->n;
  const real half = self->h / 2, t0 = from->t, t1 = t0 + self->h;
  const real *p = x, *q1 = x + n, *l = x + 2 * n, *H_q;
  SHK_TRY(shk_gradient_at(e, &H_q, t0, from->q, p));
  SHK_TRY(shk_velocity(e, self->v0, t0, from->q, p));
  SHK_TRY(shk_velocity(e, self->v1, t1, q1, p));
  SHK_TRY(shk_hessian(e, self->hessian0, t0, from->q, p));
  SHK_TRY(shk_hessian(e, self->hessian1, t1, q1, p));
  SHK_TRY(shk_iterate_constraint(e, F + 2 * n, t1, q1));
  SHK_TRY(shk_iterate_jacobian(e, self->G_of_iterate, t1, q1));
  shk_momentum_weights(self->weights, n, real_max_norm(from->q, n), real_max_norm(from->p, n),
                       self->h, self->hessian0);
  for (int i = 0; i < n; i++) {
    F[i] = (p[i] - from->p[i]) - from->p_carry[i] + half * H_q[i];
    F[n + i] = (q1[i] - from->q[i]) - from->q_carry[i] - half * (self->v0[i] + self->v1[i]);
  }
  shk_jacobian_transposed_add(e, F, self->G0, 1, l);
  jacobian_of_equations(self, J);
  return shk_ok();
}

struct shk_status shk_implicit_verlet_solve(struct shk_implicit_verlet *self, struct shk_state *to,
                                            const struct shk_state *from, real h, const real *G0,
                                            real *dp, const real **p_half)
{
  struct shk_evaluator *e = self->evaluator;
  const int n = self->n;
  const real half = h / 2, *p = self->x, *q1 = self->x + n, *l = self->x + 2 * n, *H_q;
  self->from = from;
  self->h = h;
  self->G0 = G0;
  *p_half = p;
  for (int i = 0; i < n; i++) {
    self->x[i] = from->p[i];
    self->x[n + i] = from->q[i];
    self->weights[i] = shk_size_of(from->p, n);
    self->weights[n + i] = shk_size_of(from->q, n);
  }
  for (int i = 0; i < self->m; i++)
    self->x[2 * n + i] = half * from->lambda[i];
  SHK_TRY(shk_newton_find_range(self->newton, self->G0));
  SHK_TRY(shk_newton_solve(self->newton, e, self->x, 2 * n, self->weights, verlet_equations, self));
  SHK_TRY(shk_gradient_at(e, &H_q, from->t, from->q, p));
  SHK_TRY(shk_velocity(e, self->v0, from->t, from->q, p));
  SHK_TRY(shk_velocity(e, self->v1, from->t + h, q1, p));
  for (int i = 0; i < n; i++) {
    dp[i] = -half * H_q[i];
    self->v0[i] = half * (self->v0[i] + self->v1[i]);
  }
  shk_jacobian_transposed_add(e, dp, self->G0, -1, l);
  for (int i = 0; i < self->m; i++)
    to->lambda[i] = l[i] / half;
  shk_move_q(to, from, self->v0);
  return shk_ok();
}

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(shk_implicit_verlet, (.n = 2, .m = 1), x, weights),
             SHK_ARRAYS(shk_implicit_verlet, (.n = 1), v0, v1),
             SHK_ARRAYS(shk_implicit_verlet, (.entries = 1), G_of_iterate),
             SHK_ARRAYS(shk_implicit_verlet, (.nn = 4), hessian0, hessian1));

struct shk_status shk_bind_implicit_verlet(struct shk_implicit_verlet **verlet,
                                           const struct shk_binding *binding, long iterations)
{
  struct shk_evaluator *e = binding->evaluator;
  struct shk_implicit_verlet *self = *verlet =
      shk_part(binding->workspace, sizeof *self, arrays, e);
  SHK_TRY(shk_allocated(self));
  self->evaluator = e;
  self->n = e->system->n;
  self->m = e->system->m;
  SHK_TRY(shk_bind_newton(&self->newton, binding, 2 * self->n + self->m, iterations));
  return shk_newton_take_redundant(self->newton, e, binding->options);
}

/* The stages of stormer_verlet.h. */
#include "integrators/kit/stormer_verlet.h"
#include "mechanics/system/binding.h"

#include <shakedown/bind.h>
#include <shakedown/impulse.h>
#include <shakedown/solve.h>
#include <shakedown/vectors.h>

#include <string.h>

struct shk_verlet {
  struct shk_evaluator *evaluator;
  int n, m;
  struct shk_multiplier_solver *solver;
  bool solver_forms; /* the Jacobians: then they are formed here only if the work is wanted */
  bool forces;       /* false: a separable system without a potential */
  real *const *asks_work;
  real *G0, *G1;
  real *gradient, *dp, *dp_free;
  struct implicit *implicit; /* general systems; NULL: separable */
  /* Separable systems: the last step's end, where `gradient` and, if held_jacobian, G1 were
   * evaluated. A step that begins there, to the bit, does not evaluate them again. */
  bool held, held_jacobian;
  real held_t, *held_q;
};

/* What the residuals of the implicit stages need. */
struct implicit {
  struct shk_verlet *verlet;
  struct shk_newton *newton;
  const struct shk_state *from;
  real h;
  real *x, *weights; /* (p½, q1, lambda h/2) */
  real *p_half;
  real *hessian0, *hessian1; /* 2n x 2n at (q0,p½) and (q1,p½) */
  real *velocity0, *velocity1;
};

/* ---- general systems: the position stage is implicit in p½, q1 and lambda ---- */

static real block_size(const real *x, int n)
{
  const real size = real_max_norm(x, n);
  return size > 0 ? size : 1;
}

/* F and its Jacobian in (p½, q1, lambda h/2):
 *     F1 = p½ - p0 + h/2 H_q(q0,p½) + G0ᵀ l,  F2 = q1 - q0 - h/2 (H_p(q0,p½) + H_p(q1,p½)),
 *     F3 = g(q1) */
static struct shk_status position_stage(void *user, real *F, real *J, const real *x)
{
  struct implicit *s = user;
  struct shk_verlet *w = s->verlet;
  struct shk_evaluator *e = w->evaluator;
  const int n = w->n, m = w->m, size = 2 * n + m, stride = 2 * n;
  const real half = s->h / 2, t0 = s->from->t, t1 = s->from->t + s->h;
  const real *p_half = x, *q1 = x + n, *l = x + 2 * n;
  SHK_TRY(shk_gradient(e, w->gradient, t0, s->from->q, p_half));
  SHK_TRY(shk_velocity(e, s->velocity0, t0, s->from->q, p_half));
  SHK_TRY(shk_velocity(e, s->velocity1, t1, q1, p_half));
  SHK_TRY(shk_hessian(e, s->hessian0, t0, s->from->q, p_half));
  shk_momentum_weights(s->weights, n, s->weights[n], block_size(s->from->p, n), s->h, s->hessian0);
  SHK_TRY(shk_hessian(e, s->hessian1, t1, q1, p_half));
  SHK_TRY(shk_constraint(e, F + 2 * n, t1, q1));
  SHK_TRY(shk_jacobian(e, w->G1, t1, q1));
  for (int i = 0; i < n; i++) {
    F[i] = (p_half[i] - s->from->p[i]) - s->from->p_carry[i] + half * w->gradient[i];
    F[n + i] =
        (q1[i] - s->from->q[i]) - s->from->q_carry[i] - half * (s->velocity0[i] + s->velocity1[i]);
  }
  shk_jacobian_transposed_add(e, F, w->G0, 1, l);
  memset(J, 0, (size_t)size * (size_t)size * sizeof *J);
  for (int i = 0; i < n; i++) {
    real *row = J + (size_t)i * size, *row2 = J + (size_t)(n + i) * size;
    row[i] = 1;
    row2[n + i] = 1;
    for (int j = 0; j < n; j++) {
      const size_t qp = (size_t)i * stride + n + j, pq = (size_t)(n + i) * stride + j, pp = pq + n;
      row[j] += half * s->hessian0[qp];
      row2[j] -= half * (s->hessian0[pp] + s->hessian1[pp]);
      row2[n + j] -= half * s->hessian1[pq];
    }
  }
  for (int i = 0; i < m; i++)
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
      J[(size_t)e->columns[k] * size + 2 * n + i] += w->G0[k];
      J[(size_t)(2 * n + i) * size + n + e->columns[k]] += w->G1[k];
    }
  return shk_ok();
}

static struct shk_status general_positions(struct shk_verlet *w, struct shk_state *to,
                                           const struct shk_state *from, real h)
{
  struct implicit *s = w->implicit;
  struct shk_evaluator *e = w->evaluator;
  const int n = w->n, m = w->m;
  const real half = h / 2, t1 = from->t + h;
  s->from = from;
  s->h = h;
  SHK_TRY(shk_jacobian(e, w->G0, from->t, from->q));
  memcpy(s->x, from->p, (size_t)n * sizeof(real));
  memcpy(s->x + n, from->q, (size_t)n * sizeof(real));
  for (int i = 0; i < m; i++)
    s->x[2 * n + i] = half * from->lambda[i];
  for (int i = 0; i < n; i++) {
    s->weights[i] = block_size(from->p, n);
    s->weights[n + i] = block_size(from->q, n);
  }
  SHK_TRY(shk_newton_find_range(s->newton, w->G0));
  SHK_TRY(shk_newton_solve(s->newton, e, s->x, 2 * n, s->weights, position_stage, s));

  /* The increments at the solution, summed with compensation. */
  memcpy(s->p_half, s->x, (size_t)n * sizeof(real));
  SHK_TRY(shk_gradient(e, w->gradient, from->t, from->q, s->p_half));
  SHK_TRY(shk_velocity(e, s->velocity0, from->t, from->q, s->p_half));
  SHK_TRY(shk_velocity(e, s->velocity1, t1, s->x + n, s->p_half));
  for (int i = 0; i < n; i++) {
    w->dp[i] = -half * w->gradient[i];
    to->q[i] = from->q[i];
    to->q_carry[i] = from->q_carry[i];
    real_accumulate(&to->q[i], &to->q_carry[i], half * (s->velocity0[i] + s->velocity1[i]));
  }
  shk_jacobian_transposed_add(e, w->dp, w->G0, -1, s->x + 2 * n);
  for (int i = 0; i < m; i++)
    to->lambda[i] = s->x[2 * n + i] / half;
  SHK_TRY(shk_gradient(e, w->gradient, t1, to->q, s->p_half));
  for (int i = 0; i < n; i++)
    w->dp[i] -= half * w->gradient[i];
  return shk_ok();
}

/* ---- separable systems: q1 = q0 + h M⁻¹ p½ ---- */

/* Whether G is evaluated here, and not by the solver alone. */
static bool forms_jacobian(const struct shk_verlet *w)
{
  return !w->solver_forms || *w->asks_work;
}

/* G0 and the gradient at the beginning of a step. G depends on t where constraints are rheonomic, the
 * potential unless the system says that it does not. */
static struct shk_status begin(struct shk_verlet *w, const struct shk_state *from)
{
  struct shk_evaluator *e = w->evaluator;
  const bool jacobian = forms_jacobian(w);
  if (!w->forces && !jacobian)
    return shk_ok();
  const bool same_t = w->held_t == from->t;
  const bool same_q = w->held && memcmp(w->held_q, from->q, (size_t)w->n * sizeof(real)) == 0;
  w->held = false;
  if (w->forces && (!same_q || !(same_t || e->system->autonomous)))
    SHK_TRY(shk_gradient(e, w->gradient, from->t, from->q, from->p));
  if (!jacobian)
    return shk_ok();
  if (!same_q || !w->held_jacobian || !(same_t || (e->system->features & SHK_RHEONOMIC) == 0))
    return shk_jacobian(e, w->G0, from->t, from->q);
  real *const swap = w->G0;
  w->G0 = w->G1;
  w->G1 = swap;
  return shk_ok();
}

/* Notes that a step ends at (t,q), where the gradient is and, if `jacobian`, G1. */
static void hold(struct shk_verlet *w, const real *q, real t, bool jacobian)
{
  w->held = w->forces || jacobian;
  w->held_jacobian = jacobian;
  w->held_t = t;
  if (w->held)
    memcpy(w->held_q, q, (size_t)w->n * sizeof(real));
}

static struct shk_status separable_positions(struct shk_verlet *w, struct shk_state *to,
                                             const struct shk_state *from, real h)
{
  struct shk_evaluator *e = w->evaluator;
  const real half = h / 2, t1 = from->t + h;
  const bool jacobian = forms_jacobian(w);
  SHK_TRY(begin(w, from));
  if (w->forces)
    shk_vector_scaled(w->dp_free, -half, w->gradient, w->n);
  memcpy(to->lambda, from->lambda, (size_t)w->m * sizeof(real));
  const struct shk_position_solve solve = {.t1 = t1,
                                           .kick = half,
                                           .drift = h,
                                           .q = from->q,
                                           .q_carry = from->q_carry,
                                           .p = from->p,
                                           .p_carry = from->p_carry,
                                           .dp_free = w->forces ? w->dp_free : NULL,
                                           .G_b = jacobian ? w->G0 : NULL,
                                           .lambda = to->lambda,
                                           .dp = w->dp,
                                           .q1 = to->q,
                                           .q1_carry = to->q_carry,
                                           .G1 = jacobian ? w->G1 : NULL};
  SHK_TRY(shk_solve_position(w->solver, &solve));
  if (w->forces) {
    SHK_TRY(shk_gradient(e, w->gradient, t1, to->q, from->p)); /* the same for any p */
    shk_vector_add(w->dp, -half, w->gradient, w->n);
  }
  hold(w, to->q, t1, jacobian);
  return shk_ok();
}

/* ---- either ---- */

struct shk_status shk_verlet_positions(struct shk_verlet *w, struct shk_state *to,
                                       const struct shk_state *from, real h)
{
  return w->implicit ? general_positions(w, to, from, h) : separable_positions(w, to, from, h);
}

struct shk_status shk_verlet_momenta(struct shk_verlet *w, struct shk_state *to,
                                     const struct shk_state *from, real h)
{
  const real t1 = from->t + h;
  if (w->implicit)
    SHK_TRY(shk_jacobian(w->evaluator, w->G1, t1, to->q));
  const struct shk_hidden_solve solve = {.t1 = t1,
                                         .kick = h / 2,
                                         .q1 = to->q,
                                         .p = from->p,
                                         .p_carry = from->p_carry,
                                         .G1 = forms_jacobian(w) ? w->G1 : NULL,
                                         .mu = to->mu,
                                         .dp = w->dp,
                                         .p1 = to->p,
                                         .p1_carry = to->p_carry};
  return shk_solve_hidden(w->solver, &solve);
}

void shk_verlet_momenta_free(struct shk_verlet *w, struct shk_state *to,
                             const struct shk_state *from)
{
  shk_add_increment(to->p, to->p_carry, from->p, from->p_carry, w->dp, w->n);
  for (int i = 0; i < w->m; i++)
    to->mu[i] = 0;
}

real shk_verlet_work(struct shk_verlet *w, const struct shk_state *to, const struct shk_state *from,
                     real h)
{
  const real half = h / 2, t1 = from->t + h;
  bool kicked = false;
  for (int i = 0; i < w->m; i++)
    kicked = kicked || to->mu[i] != 0;
  const real first = shk_kick_work(w->evaluator, w->dp_free, half, w->G0, to->lambda, from->t,
                                   from->q, from->p, SHK_BEFORE_KICK);
  return first + (kicked ? shk_kick_work(w->evaluator, w->dp_free, half, w->G1, to->mu, t1, to->q,
                                         to->p, SHK_AFTER_KICK)
                         : 0);
}

static const struct shk_array implicit_arrays[] = {
    SHK_ARRAY(implicit, x, .n = 2, .m = 1), SHK_ARRAY(implicit, weights, .n = 2, .m = 1),
    SHK_ARRAY(implicit, p_half, .n = 1),    SHK_ARRAY(implicit, hessian0, .nn = 4),
    SHK_ARRAY(implicit, hessian1, .nn = 4), SHK_ARRAY(implicit, velocity0, .n = 1),
    SHK_ARRAY(implicit, velocity1, .n = 1), {0}};

static struct shk_status bind_implicit(struct shk_verlet *w, const struct shk_binding *binding)
{
  struct implicit *s = w->implicit = shk_memory(binding->workspace, sizeof *s);
  if (!s)
    return shk_no_memory();
  s->verlet = w;
  SHK_TRY(shk_land_arrays(s, implicit_arrays, w->evaluator, binding->workspace));
  SHK_TRY(shk_bind_newton(&s->newton, binding, 2 * w->n + w->m,
                          shk_values_integer(binding->options, "iterations")));
  return shk_newton_take_redundant(s->newton, w->evaluator, binding->options);
}

static const struct shk_array arrays[] = {SHK_ARRAY(shk_verlet, G0, .entries = 1),
                                          SHK_ARRAY(shk_verlet, G1, .entries = 1),
                                          SHK_ARRAY(shk_verlet, gradient, .n = 1),
                                          SHK_ARRAY(shk_verlet, dp, .n = 1),
                                          SHK_ARRAY(shk_verlet, dp_free, .n = 1),
                                          SHK_ARRAY(shk_verlet, held_q, .n = 1),
                                          {0}};

struct shk_status shk_bind_verlet(struct shk_verlet **verlet, const struct shk_binding *binding,
                                  real *const *asks_work)
{
  struct shk_evaluator *e = binding->evaluator;
  const bool general = shk_is_general(e->system);
  struct shk_verlet *w = *verlet = shk_memory(binding->workspace, sizeof *w);
  if (!w)
    return shk_no_memory();
  w->evaluator = e;
  w->n = e->system->n;
  w->m = e->system->m;
  w->asks_work = asks_work;
  w->forces = general || e->system->gradient;
  SHK_TRY(shk_bind_solver(&w->solver, binding));
  w->solver_forms = shk_multiplier_forms_jacobians(w->solver);
  SHK_TRY(shk_land_arrays(w, arrays, e, binding->workspace));
  return general ? bind_implicit(w, binding) : shk_ok();
}

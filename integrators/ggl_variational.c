/*
 * The integrator from the GGL variational principle, at the middle of the step: the midpoint rule
 * for H + lambda·g + gamma·G v, with multipliers such that z½ is on the submanifold g = 0, G v = 0.
 * The map is symplectic on an open set of T*Rⁿ, and symmetric. It does not map the constraint
 * manifold into itself: |g| and |G v| at the nodes are O(h²), alternate and are not damped. Off the
 * constraints a normal error is multiplied by -1 in a step. (With another node θ than ½ the factors
 * would be -(1-θ)/θ in q and -θ/(1-θ) in p, one of which grows.)
 *
 * form=nodes constrains the ends of a step, with the same lambda at both: p1·dq1 - p0·dq0 is exact
 * on g = 0, which is mapped into itself: presymplectic. For distance constraints G½ (q1-q0) = g(q1)
 * - g(q0) = 0, so that gamma = 0: the positions are those of RATTLE over the midpoint rule, and the
 * momenta differ from RATTLE's along G1ᵀ.
 *
 * lambda belongs to the middle. Its error is O(h), with a sign that alternates; the mean of two
 * steps has order 2. `lambda` and `mu` are both this lambda; gamma is O(h²). Constraint force
 * -Gᵀ lambda. Separable systems; sums of q and p are compensated.
 *
 * Kinon, Betsch & Schneider, Multibody Syst. Dyn. 57 (2023) 243.
 */

static const char equations[] =
    "q½ = ½ (q0+q1),  v½ = M⁻¹ p½,  p½ = ½ (p0+p1),  subscript ½: at q½ and v½\n"
    "(q1-q0)/h = v½ + M⁻¹ G½ᵀ gamma                                              (1)\n"
    "(p1-p0)/h = -V_q½ - G½ᵀ lambda - Σ_j gamma_j (g_j)_qq,½ v½                  (2)\n"
    "g(q½) = 0,  G½ v½ = 0                                                       (3)\n"
    "form=nodes: (1), g(q1) = 0, G½ v½ = 0, and in place of (2)\n"
    "p½ = p0 - h/2 (V_q½ + Σ_j gamma_j (g_j)_qq,½ v½ + G0ᵀ lambda)               (4)\n"
    "p1 = p0 - h (V_q½ + Σ_j gamma_j (g_j)_qq,½ v½) - h/2 (G0+G1)ᵀ lambda        (5)\n";

#include "integrators/kit/normals.h"
#include <shakedown/plugin.h>

enum { MIDDLE, NODES };

struct ggl {
  struct shk_evaluator *evaluator;
  int n, m, form;
  struct shk_normals solve; /* for q1 - q0 and -gamma */
  struct shk_linear *linear;
  const struct shk_state *from;
  real h, theta;
  real *q, *v, *force, *dp, *bend, *along, *work; /* n; q, v: at the middle; bend: see find_bend */
  real *q1, *G0;                                  /* n and entries, for form=nodes */
  const real *pull;                               /* G½, or G0: p½ is p0 with half of its force */
  real *lambda, *rate, *plus, *minus;             /* m */
  int groups, *group, *taken; /* n: the group of each coordinate; groups in use */
};

/* Groups coordinates so that no constraint depends on two of a group: each coordinate is put into
 * the first group that has none of its constraints'. */
static void group_coordinates(struct ggl *w)
{
  const struct shk_evaluator *const e = w->evaluator;
  w->groups = 0;
  for (int c = 0; c < w->n; c++) {
    for (int k = 0; k < w->n; k++)
      w->taken[k] = 0;
    for (int j = 0; j < w->m; j++) {
      bool has = false;
      for (int k = e->row_start[j]; k < e->row_start[j + 1]; k++)
        has = has || e->columns[k] == c;
      for (int k = e->row_start[j]; has && k < e->row_start[j + 1]; k++)
        if (e->columns[k] < c)
          w->taken[w->group[e->columns[k]]] = 1;
    }
    for (w->group[c] = 0; w->taken[w->group[c]];)
      w->group[c]++;
    if (w->group[c] >= w->groups)
      w->groups = w->group[c] + 1;
  }
}

/* Stores Σ_j gamma_j (g_j)_qq v in bend, from g_qq[u,u] at u = v ± |v| Σ e_k over each group. */
static struct shk_status find_bend(struct ggl *w, real t, const real *minus_gamma)
{
  const struct shk_evaluator *const e = w->evaluator;
  const real size = real_max(real_max_norm(w->v, w->n), REAL_SMALLEST / REAL_EPSILON);
  shk_fill(w->bend, 0, w->n);
  for (int group = 0; group < w->groups; group++) {
    for (int side = 1; side >= -1; side -= 2) {
      for (int k = 0; k < w->n; k++)
        w->along[k] = w->v[k] + (w->group[k] == group ? side * size : 0);
      SHK_TRY(shk_curvature(w->evaluator, side > 0 ? w->plus : w->minus, t, w->q, w->along));
    }
    for (int j = 0; j < w->m; j++)
      for (int k = e->row_start[j]; k < e->row_start[j + 1]; k++)
        if (w->group[e->columns[k]] == group)
          w->bend[e->columns[k]] -= minus_gamma[j] * (w->plus[j] - w->minus[j]) / (4 * size);
  }
  return shk_ok();
}

/* (2) or (4): stores v½ for the present lambda, and p1 - p0 in dp if all of the force is along
 * `pull`. */
static void find_velocity(struct ggl *w)
{
  struct shk_evaluator *const e = w->evaluator;
  for (int i = 0; i < w->n; i++)
    w->dp[i] = -w->h * (w->force[i] + w->bend[i]);
  shk_jacobian_transposed_add(e, w->dp, w->pull, -w->h, w->lambda);
  for (int i = 0; i < w->n; i++)
    w->v[i] = shk_over_mass(e, w->from->p[i] + (w->theta * w->dp[i] + w->from->p_carry[i]), i);
}

/* Evaluates G½, g and its derivative in d = q1 - q0. */
static struct shk_status constraints(struct ggl *w, real t)
{
  struct shk_evaluator *const e = w->evaluator;
  const struct shk_state *const from = w->from;
  SHK_TRY(shk_jacobian(e, w->solve.B, t, w->q));
  if (w->form == MIDDLE) {
    SHK_TRY(shk_constraint(e, w->solve.g, t, w->q));
    for (int j = 0; j < w->m; j++)
      w->solve.g[j] /= w->theta; /* g(q½)/θ has the derivative G½ in d */
    shk_copy(w->solve.A, w->solve.B, e->row_start[w->m]);
    return shk_ok();
  }
  for (int i = 0; i < w->n; i++)
    w->q1[i] = from->q[i] + (w->solve.d[i] + from->q_carry[i]);
  SHK_TRY(shk_constraint(e, w->solve.g, from->t + w->h, w->q1));
  return shk_jacobian(e, w->solve.A, from->t + w->h, w->q1);
}

/* Evaluates (2) or (4), g, and the residual of (1) times h, at d = q1 - q0. lambda is found from
 * G½ v½ = 0, which is linear, since bend, of order h², is that of v½ in the iteration before. */
static struct shk_status evaluate(void *method, const real *minus_gamma)
{
  struct ggl *w = method;
  struct shk_evaluator *const e = w->evaluator;
  const struct shk_state *const from = w->from;
  const real t = from->t + w->theta * w->h;
  for (int i = 0; i < w->n; i++)
    w->q[i] = from->q[i] + (w->theta * w->solve.d[i] + from->q_carry[i]);
  SHK_TRY(shk_gradient(e, w->force, t, w->q, from->p));
  SHK_TRY(constraints(w, t));
  e->work.factorizations++;
  const bool symmetric = shk_linear_symmetric_only(w->linear);
  SHK_TRY(shk_linear_factor(w->linear, symmetric ? w->pull : w->solve.B, w->pull));
  SHK_TRY(find_bend(w, t, minus_gamma));
  for (int k = 0; k < 2; k++) {
    find_velocity(w);
    shk_jacobian_times(e, w->rate, w->solve.B, w->v);
    shk_linear_solve(w->linear, w->rate);
    for (int j = 0; j < w->m; j++)
      w->lambda[j] += w->rate[j] / (w->theta * w->h);
  }
  find_velocity(w);
  for (int i = 0; i < w->n; i++)
    w->solve.r[i] = w->h * w->v[i] - w->solve.d[i];
  shk_normals_subtract(e, w->solve.r, w->work, w->h, w->solve.B, minus_gamma);
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct ggl *w = method;
  w->from = from;
  w->h = h;
  w->solve.c = h;
  for (int i = 0; i < w->n; i++) {
    w->v[i] = shk_over_mass(w->evaluator, from->p[i], i);
    w->solve.d[i] = h * w->v[i];
  }
  if (w->form == NODES)
    SHK_TRY(shk_jacobian(w->evaluator, w->G0, from->t, from->q));
  shk_copy(w->lambda, from->lambda, w->m);
  shk_fill(to->mu, 0, w->m);
  SHK_TRY(shk_normals_solve(&w->solve, w->evaluator, from, to->mu, evaluate, w));
  shk_copy(to->lambda, w->lambda, w->m);
  shk_copy(to->mu, w->lambda, w->m);
  if (w->form == NODES) { /* (5): half of the force is along G1, not G0 */
    shk_jacobian_transposed_add(w->evaluator, w->dp, w->G0, h / 2, w->lambda);
    shk_jacobian_transposed_add(w->evaluator, w->dp, w->solve.A, -h / 2, w->lambda);
  }
  shk_vector_add(w->solve.d, 1, w->solve.r, w->n);
  shk_move_q(to, from, w->solve.d);
  shk_move_p(to, from, w->dp);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct ggl *w = method;
  w->theta = R(0.5);
  w->pull = w->form == NODES ? w->G0 : w->solve.B;
  group_coordinates(w);
  SHK_TRY(shk_bind_linear(&w->linear, binding, NULL));
  return shk_bind_linear(&w->solve.linear, binding, NULL);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  if (((const struct ggl *)method)->form == MIDDLE)
    return;
  claims->symplectic_off_constraints = SHK_UNKNOWN;
  claims->presymplectic = claims->keeps_constraint = SHK_YES;
  claims->modified_hamiltonian = SHK_NO; /* p's part along G alternates: no near-identity map */
  claims->local_order_q = 3;
}

static const struct shk_choice forms[] =
    SHK_LIST({"middle", "g = 0 and G v = 0 at the middle of the step"},
             {"nodes", "g = 0 at its ends, G v = 0 at the middle: for distance constraints "
                       "positions of RATTLE over the midpoint rule"});

static const struct shk_option options[] =
    SHK_LIST(SHK_CHOICE(ggl, form, "form", forms, "middle", "points where the constraints hold"),
             SHK_NORMALS_OPTION(ggl, solve));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_NORMALS_ARRAYS(ggl, solve),
             SHK_ARRAYS(ggl, (.n = 1), q, v, force, dp, bend, along, work, q1),
             SHK_ARRAY(ggl, G0, .entries = 1), SHK_ARRAYS(ggl, (.m = 1), lambda, rate, plus, minus),
             SHK_INTEGERS(ggl, group, .n = 1), SHK_INTEGERS(ggl, taken, .n = 1, .ones = 1));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_ORDERS(2), SHK_LOCAL_ORDERS(2, 2), SHK_TWO_MULTIPLIERS,
             SHK_CLAIM(SYMPLECTIC_OFF_CONSTRAINTS, SHK_YES), SHK_CLAIM(SYMPLECTIC, SHK_NO),
             SHK_CLAIM(PRESYMPLECTIC, SHK_NO), SHK_CLAIM(SYMMETRIC, SHK_YES),
             SHK_CLAIM(KEEPS_MOMENTA, SHK_YES), SHK_CLAIM(ENERGY_BOUNDED, SHK_YES),
             SHK_CONSTRAINTS(SHK_NO), SHK_COORDINATES(SHK_YES), SHK_CLAIM(COMPENSATED, SHK_YES));

static const struct shk_integrator ggl_variational = {
    SHK_INTEGRATOR(ggl, arrays, bind, step, claims_under),
    .info = {.name = "ggl-variational",
             .summary = "the GGL variational principle at the middle of the step",
             .equations = equations,
             .citation = "Kinon, Betsch & Schneider, Multibody Syst. Dyn. 57 (2023) 243",
             .options = options,
             .claims = claims}};

SHK_PROVIDE(ggl_variational, .integrators = SHK_INTEGRATORS(&ggl_variational));

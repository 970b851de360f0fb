/*
 * The integrator that results from the GGL variational principle at the midpoint of the step. It is
 * the midpoint rule for H + lambda·g + gamma·G v, with multipliers that place z½ on the submanifold
 * g = 0, G v = 0. The map is symmetric, and it is symplectic on an open set of T*Rⁿ. It does not
 * map the constraint manifold into itself: g and G v at the nodes are O(h²), alternate in sign and
 * are not damped. A step multiplies an error normal to the constraints by -1. (With a node θ other
 * than ½, the factors would be -(1-θ)/θ in q and -θ/(1-θ) in p, and one of these errors would
 * grow.)
 *
 * form=nodes constrains the two ends of a step, with the same lambda at both. This map is
 * presymplectic, because it maps g = 0 into itself and p1·dq1 - p0·dq0 is exact on g = 0. For
 * distance constraints, G½ (q1-q0) = g(q1) - g(q0) = 0, and therefore gamma = 0. The positions are
 * then those of RATTLE over the midpoint rule, and the momenta differ from those of RATTLE along
 * G1ᵀ.
 *
 * lambda belongs to the midpoint of the step. Its error is O(h) with alternating sign, and its mean
 * over two steps has order 2. This value is reported as both `lambda` and `mu`; gamma is O(h²). The
 * constraint force is -Gᵀ lambda. Only separable systems are supported. q and p are accumulated
 * with compensated summation.
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
  struct shk_normals solve; /* solves for q1 - q0 and -gamma */
  struct shk_linear *linear;
  const struct shk_state *from;
  real h, theta;
  /* n entries each; q and v belong to the midpoint, and find_bend explains `bend` */
  real *q, *v, *force, *dp, *bend, *along, *scratch;
  /* used only by form=nodes: a vector of length n, and the entries of G */
  real *q1, *G0;
  const real *pull;                   /* G½ or G0; p½ is p0 plus half of its force */
  real *lambda, *rate, *plus, *minus; /* m */
  /* n entries each: the group of each coordinate, and the list of groups in use */
  int groups, *group, *taken;
};

/* Groups the coordinates so that no constraint depends on two coordinates of the same group. Each
 * coordinate joins the first group in which no coordinate shares a constraint with it. */
static void group_coordinates(struct ggl *self)
{
  const struct shk_evaluator *const e = self->evaluator;
  self->groups = 0;
  for (int c = 0; c < self->n; c++) {
    for (int k = 0; k < self->n; k++)
      self->taken[k] = 0;
    for (int j = 0; j < self->m; j++) {
      bool has = false;
      for (int k = e->row_start[j]; k < e->row_start[j + 1]; k++)
        has = has || e->columns[k] == c;
      for (int k = e->row_start[j]; has && k < e->row_start[j + 1]; k++)
        if (e->columns[k] < c)
          self->taken[self->group[e->columns[k]]] = 1;
    }
    for (self->group[c] = 0; self->taken[self->group[c]];)
      self->group[c]++;
    if (self->group[c] >= self->groups)
      self->groups = self->group[c] + 1;
  }
}

/* Stores Σ_j gamma_j (g_j)_qq v in `bend`, computed from g_qq[u,u] at u = v ± |v| Σ e_k for each
 * group. */
static struct shk_status find_bend(struct ggl *self, real t, const real *minus_gamma)
{
  const struct shk_evaluator *const e = self->evaluator;
  const real size = real_max(real_max_norm(self->v, self->n), REAL_SMALLEST / REAL_EPSILON);
  shk_fill(self->bend, 0, self->n);
  for (int group = 0; group < self->groups; group++) {
    for (int side = 1; side >= -1; side -= 2) {
      for (int k = 0; k < self->n; k++)
        self->along[k] = self->v[k] + (self->group[k] == group ? side * size : 0);
      SHK_TRY(shk_curvature(self->evaluator, side > 0 ? self->plus : self->minus, t, self->q,
                            self->along));
    }
    for (int j = 0; j < self->m; j++)
      for (int k = e->row_start[j]; k < e->row_start[j + 1]; k++)
        if (self->group[e->columns[k]] == group)
          self->bend[e->columns[k]] -=
              minus_gamma[j] * (self->plus[j] - self->minus[j]) / (4 * size);
  }
  return shk_ok();
}

/* Computes v½ for the current lambda by (2) or (4), and stores the corresponding change of momentum
 * in dp. This change is p1 - p0 if the whole force is along `pull`. */
static void find_velocity(struct ggl *self)
{
  struct shk_evaluator *const e = self->evaluator;
  for (int i = 0; i < self->n; i++)
    self->dp[i] = -self->h * (self->force[i] + self->bend[i]);
  shk_jacobian_transposed_add(e, self->dp, self->pull, -self->h, self->lambda);
  for (int i = 0; i < self->n; i++)
    self->v[i] = shk_over_mass(
        e, self->from->p[i] + (self->theta * self->dp[i] + self->from->p_carry[i]), i);
}

/* Evaluates G½, g and its derivative with respect to d = q1 - q0. */
static struct shk_status constraints_ggl_variational(struct ggl *self, real t)
{
  struct shk_evaluator *const e = self->evaluator;
  const struct shk_state *const from = self->from;
  SHK_TRY(shk_jacobian(e, self->solve.normal, t, self->q));
  if (self->form == MIDDLE) {
    SHK_TRY(shk_constraint(e, self->solve.g, t, self->q));
    for (int j = 0; j < self->m; j++)
      self->solve.g[j] /= self->theta; /* the derivative of g(q½)/θ with respect to d is G½ */
    shk_copy(self->solve.g_d, self->solve.normal, e->row_start[self->m]);
    return shk_ok();
  }
  for (int i = 0; i < self->n; i++)
    self->q1[i] = from->q[i] + (self->solve.d[i] + from->q_carry[i]);
  SHK_TRY(shk_constraint(e, self->solve.g, from->t + self->h, self->q1));
  return shk_jacobian(e, self->solve.g_d, from->t + self->h, self->q1);
}

/* Evaluates (2) or (4), g, and h times the residual of (1) at d = q1 - q0. lambda is found from G½
 * v½ = 0. This equation is linear, because `bend`, which is of order h², is computed with v½ of the
 * previous iterate. */
static struct shk_status evaluate(void *method, const real *minus_gamma)
{
  struct ggl *self = method;
  struct shk_evaluator *const e = self->evaluator;
  const struct shk_state *const from = self->from;
  const real t = from->t + self->theta * self->h;
  for (int i = 0; i < self->n; i++)
    self->q[i] = from->q[i] + (self->theta * self->solve.d[i] + from->q_carry[i]);
  SHK_TRY(shk_gradient(e, self->force, t, self->q, from->p));
  SHK_TRY(constraints_ggl_variational(self, t));
  e->counters.factorizations++;
  const bool symmetric = shk_linear_symmetric_only(self->linear);
  SHK_TRY(shk_linear_factor(self->linear, symmetric ? self->pull : self->solve.normal, self->pull));
  SHK_TRY(find_bend(self, t, minus_gamma));
  for (int k = 0; k < 2; k++) {
    find_velocity(self);
    shk_jacobian_times(e, self->rate, self->solve.normal, self->v);
    shk_linear_solve(self->linear, self->rate);
    for (int j = 0; j < self->m; j++)
      self->lambda[j] += self->rate[j] / (self->theta * self->h);
  }
  find_velocity(self);
  for (int i = 0; i < self->n; i++)
    self->solve.r[i] = self->h * self->v[i] - self->solve.d[i];
  shk_normals_subtract(e, self->solve.r, self->scratch, self->h, self->solve.normal, minus_gamma);
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct ggl *self = method;
  self->from = from;
  self->h = h;
  self->solve.c = h;
  for (int i = 0; i < self->n; i++) {
    self->v[i] = shk_over_mass(self->evaluator, from->p[i], i);
    self->solve.d[i] = h * self->v[i];
  }
  if (self->form == NODES)
    SHK_TRY(shk_jacobian(self->evaluator, self->G0, from->t, from->q));
  shk_copy(self->lambda, from->lambda, self->m);
  shk_fill(to->mu, 0, self->m);
  SHK_TRY(shk_normals_solve(&self->solve, self->evaluator, from, to->mu, evaluate, self));
  shk_copy(to->lambda, self->lambda, self->m);
  shk_copy(to->mu, self->lambda, self->m);
  if (self->form == NODES) { /* in (5), half of the force is along G1 instead of G0 */
    shk_jacobian_transposed_add(self->evaluator, self->dp, self->G0, h / 2, self->lambda);
    shk_jacobian_transposed_add(self->evaluator, self->dp, self->solve.g_d, -h / 2, self->lambda);
  }
  shk_vector_add(self->solve.d, 1, self->solve.r, self->n);
  shk_move_q(to, from, self->solve.d);
  shk_move_p(to, from, self->dp);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct ggl *self = method;
  self->theta = R(0.5);
  self->pull = self->form == NODES ? self->G0 : self->solve.normal;
  group_coordinates(self);
  SHK_TRY(shk_bind_linear(&self->linear, binding, NULL));
  return shk_bind_linear(&self->solve.linear, binding, NULL);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  if (((const struct ggl *)method)->form == MIDDLE)
    return;
  claims->symplectic_off_constraints = SHK_UNKNOWN;
  claims->presymplectic = claims->keeps_constraint = SHK_YES;
  /* The component of p along G alternates in sign, so the map is not close to the identity. */
  claims->modified_hamiltonian = SHK_NO;
  claims->local_order_q = 3;
}

static const struct shk_choice forms[] =
    SHK_LIST({"middle", "g = 0 and G v = 0 at the middle of the step"},
             {"nodes", "g = 0 at the ends of the step, G v = 0 at the middle; for distance "
                       "constraints, its positions are those of RATTLE over the midpoint rule"});

static const struct shk_option options[] =
    SHK_LIST(SHK_CHOICE(ggl, form, "form", forms, "middle", "points where the constraints hold"),
             SHK_NORMALS_OPTION(ggl, solve));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_NORMALS_ARRAYS(ggl, solve),
             SHK_ARRAYS(ggl, (.n = 1), q, v, force, dp, bend, along, scratch, q1),
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
             .family = "structural and multibody dynamics",
             .summary = "the GGL variational principle at the middle of the step",
             .equations = equations,
             .citation = "Kinon, Betsch & Schneider, Multibody Syst. Dyn. 57 (2023) 243",
             .options = options,
             .claims = claims}};

SHK_PROVIDE(ggl_variational, .integrators = SHK_INTEGRATORS(&ggl_variational));

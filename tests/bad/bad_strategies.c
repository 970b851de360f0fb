/*
 * RATTLE with a strategy at singular configurations that must not be trusted:
 * `bad-strategy(fault=…)` reports success at every step, and the outcomes of a singular study must
 * say otherwise. Separable systems only.
 *
 *   clamps     Cholesky of G M⁻¹ Gᵀ in which a pivot below 1e-3 of the largest diagonal entry is
 *              quietly replaced by that entry, and three Newton iterations that nobody checks
 *   turns-off  for a bead in the plane: a step that crosses x = 0 is reflected at the x axis, after
 *              which constraint, hidden constraint and energy of a curve that is symmetric to that
 *              axis are what they should be, and the bead is on the other branch
 *   none       RATTLE as it should be: the control
 */
#include <shakedown/plugin.h>

#include <stdlib.h>
#include <string.h>

enum fault { NONE, CLAMPS, TURNS_OFF };

static const struct shk_head faults[] = {
    {"none", "RATTLE as it should be: the control", NULL},
    {"clamps", "small pivots are replaced without a word", NULL},
    {"turns-off", "the other branch of a symmetric curve is taken at its crossing", NULL},
    {0}};

struct method {
  struct shk_evaluator *e;
  struct shk_multiplier_solver *solver;
  enum fault fault;
  int n, m;
  real *G0, *G1, *gradient, *dp, *dp_free, *p_half, *K, *row, *residual;
  real block[];
};

static void bad_destroy(void *method)
{
  shk_multiplier_destroy(((struct method *)method)->solver);
  free(method);
}

static struct shk_status bad_create(void **method, const struct shk_binding *binding)
{
  struct shk_evaluator *e = binding->evaluator;
  const size_t n = (size_t)e->system->n, m = (size_t)e->system->m;
  const size_t entries = (size_t)e->row_start[m];
  struct method *w = calloc(1, sizeof *w + (2 * entries + 5 * n + m * m + m) * sizeof(real));
  *method = w;
  if (w == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory", 0, 0);
  *w = (struct method){.e = e,
                       .fault = (enum fault)shk_values_choice(binding->options, "fault"),
                       .n = (int)n,
                       .m = (int)m};
  w->G0 = w->block;
  w->G1 = w->G0 + entries;
  w->gradient = w->G1 + entries;
  w->dp = w->gradient + n;
  w->dp_free = w->dp + n;
  w->p_half = w->dp_free + n;
  w->row = w->p_half + n;
  w->K = w->row + n;
  w->residual = w->K + m * m;
  return shk_multiplier_create(&w->solver, e, binding->options);
}

/* residual <- K⁻¹ residual with K = G M⁻¹ Gᵀ and its small pivots clamped. */
static void clamped_solve(struct method *w, const real *G)
{
  const int m = w->m;
  real *K = w->K, largest = 0;
  for (int j = 0; j < m; j++) {
    for (int i = 0; i < w->n; i++)
      w->row[i] = 0;
    for (int k = w->e->row_start[j]; k < w->e->row_start[j + 1]; k++)
      w->row[w->e->columns[k]] = G[k] / w->e->system->mass[w->e->columns[k]];
    for (int i = 0; i < m; i++) {
      K[i * m + j] = 0;
      for (int k = w->e->row_start[i]; k < w->e->row_start[i + 1]; k++)
        K[i * m + j] += G[k] * w->row[w->e->columns[k]];
    }
    largest = real_max(largest, K[j * m + j]);
  }
  for (int j = 0; j < m; j++) { /* L, lower triangle */
    real pivot = K[j * m + j];
    for (int k = 0; k < j; k++)
      pivot -= K[j * m + k] * K[j * m + k];
    if (pivot < R(1e-3) * largest)
      pivot = largest;
    K[j * m + j] = real_sqrt(pivot);
    for (int i = j + 1; i < m; i++) {
      for (int k = 0; k < j; k++)
        K[i * m + j] -= K[i * m + k] * K[j * m + k];
      K[i * m + j] /= K[j * m + j];
    }
  }
  real *x = w->residual;
  for (int i = 0; i < m; i++) {
    for (int k = 0; k < i; k++)
      x[i] -= K[i * m + k] * x[k];
    x[i] /= K[i * m + i];
  }
  for (int i = m - 1; i >= 0; i--) {
    for (int k = i + 1; k < m; k++)
      x[i] -= K[k * m + i] * x[k];
    x[i] /= K[i * m + i];
  }
}

static struct shk_status clamped_positions(struct method *w, struct shk_state *to,
                                           const struct shk_state *from, real h)
{
  const real *mass = w->e->system->mass;
  for (int k = 0; k <= 3; k++) {
    for (int i = 0; i < w->n; i++)
      w->dp[i] = w->dp_free[i];
    shk_jacobian_transposed_add(w->e, w->dp, w->G0, -h / 2, to->lambda);
    for (int i = 0; i < w->n; i++) {
      to->q[i] = from->q[i] + h * (from->p[i] + w->dp[i]) / mass[i];
      to->q_carry[i] = 0;
    }
    SHK_TRY(shk_constraint(w->e, w->residual, from->t + h, to->q));
    clamped_solve(w, w->G0);
    for (int j = 0; k < 3 && j < w->m; j++)
      to->lambda[j] += w->residual[j] * 2 / (h * h);
  }
  return shk_jacobian(w->e, w->G1, from->t + h, to->q);
}

static struct shk_status clamped_momenta(struct method *w, struct shk_state *to,
                                         const struct shk_state *from)
{
  for (int i = 0; i < w->n; i++)
    w->row[i] = (from->p[i] + w->dp[i]) / w->e->system->mass[i];
  shk_jacobian_times(w->e, w->residual, w->G1, w->row);
  clamped_solve(w, w->G1);
  shk_jacobian_transposed_add(w->e, w->dp, w->G1, -1, w->residual);
  for (int i = 0; i < w->n; i++) {
    to->p[i] = from->p[i] + w->dp[i];
    to->p_carry[i] = 0;
  }
  memset(to->mu, 0, (size_t)w->m * sizeof(real));
  return shk_ok();
}

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  struct method *w = method;
  SHK_TRY(shk_gradient(w->e, w->gradient, from->t, from->q, from->p));
  SHK_TRY(shk_jacobian(w->e, w->G0, from->t, from->q));
  for (int i = 0; i < w->n; i++)
    w->dp_free[i] = -h / 2 * w->gradient[i];
  memcpy(to->lambda, from->lambda, (size_t)w->m * sizeof(real));
  if (w->fault == CLAMPS)
    SHK_TRY(clamped_positions(w, to, from, h));
  else
    SHK_TRY(shk_solve_position(w->solver, &(struct shk_position_solve){.t1 = from->t + h,
                                                                       .kick = h / 2,
                                                                       .drift = h,
                                                                       .q = from->q,
                                                                       .q_carry = from->q_carry,
                                                                       .p = from->p,
                                                                       .p_carry = from->p_carry,
                                                                       .dp_free = w->dp_free,
                                                                       .G_b = w->G0,
                                                                       .lambda = to->lambda,
                                                                       .dp = w->dp,
                                                                       .p1 = w->p_half,
                                                                       .q1 = to->q,
                                                                       .q1_carry = to->q_carry,
                                                                       .G1 = w->G1}));
  SHK_TRY(shk_gradient(w->e, w->gradient, from->t + h, to->q, from->p));
  for (int i = 0; i < w->n; i++)
    w->dp[i] -= h / 2 * w->gradient[i];
  if (w->fault == CLAMPS)
    return clamped_momenta(w, to, from);
  SHK_TRY(shk_solve_hidden(w->solver, &(struct shk_hidden_solve){.t1 = from->t + h,
                                                                 .kick = h / 2,
                                                                 .q1 = to->q,
                                                                 .p = from->p,
                                                                 .p_carry = from->p_carry,
                                                                 .G1 = w->G1,
                                                                 .mu = to->mu,
                                                                 .dp = w->dp,
                                                                 .p1 = to->p,
                                                                 .p1_carry = to->p_carry}));
  if (w->fault == TURNS_OFF && w->n == 2 && from->q[0] * to->q[0] < 0) {
    to->q[1] = -to->q[1];
    to->q_carry[1] = -to->q_carry[1];
    to->p[1] = -to->p[1];
    to->p_carry[1] = -to->p_carry[1];
  }
  return shk_ok();
}

static const struct shk_option options[] = {{.name = "fault",
                                             .kind = SHK_OPTION_CHOICE,
                                             .fallback = "none",
                                             .heads = faults,
                                             .meaning = "what is wrong"},
                                            SHK_SOLVER_OPTIONS,
                                            {0}};

static const struct shk_integrator bad_strategy = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "bad-strategy",
             .summary = "RATTLE that never fails at a singular configuration, rightly or not",
             .equations = "see rattle",
             .citation = "none",
             .options = options,
             .claims = {.order_q = SHK_NO_ORDER,
                        .order_p = SHK_NO_ORDER,
                        .order_lambda = SHK_NO_ORDER,
                        .order_mu = SHK_NO_ORDER,
                        .order_lambda_mean = SHK_NO_ORDER,
                        .order_lambda_sum = SHK_NO_ORDER,
                        .order_lambda_state = SHK_NO_ORDER,
                        .keeps_constraint = SHK_YES,
                        .keeps_hidden = SHK_YES}},
    .create = bad_create,
    .step = bad_step,
    .destroy = bad_destroy};

SHK_PROVIDE(bad_strategies, .integrators = SHK_INTEGRATORS(&bad_strategy));

/*
 * RATTLE with one fault each: `bad-rattle(fault=…)` claims what RATTLE claims, and the conformance
 * test must find the fault. Separable systems only.
 */
#include <shakedown/plugin.h>

#include <stdlib.h>
#include <string.h>

enum fault {
  FAULT_NONE,
  FAULT_GRADIENT_POINT,
  FAULT_NO_PROJECTION,
  FAULT_LOOSE_SOLVE,
  FAULT_COEFFICIENT,
  FAULT_UNCONSTRAINED,
  FAULT_WRITES_FROM,
  FAULT_FORGETFUL,
  FAULT_ALLOCATES,
  FAULT_REFUSES_NEGATIVE,
  FAULT_IGNORES_FAILURE
};

static const struct shk_head faults[] = {
    {"none", "RATTLE as it should be: the control", NULL},
    {"gradient-point", "the second half kick takes the force of the old position", NULL},
    {"no-projection", "the hidden constraint is left alone", NULL},
    {"loose-solve", "one Newton iteration is called a solution", NULL},
    {"coefficient", "the kick is 1 percent too long", NULL},
    {"unconstrained", "plain Verlet that returns ok", NULL},
    {"writes-from", "the old state is overwritten before the step is sure", NULL},
    {"forgetful", "a hidden state makes the same step come out differently", NULL},
    {"allocates", "memory is taken in the step", NULL},
    {"refuses-negative", "a negative step fails", NULL},
    {"ignores-failure", "a failed callback is not passed on", NULL},
    {0}};

struct method {
  struct shk_evaluator *e;
  struct shk_multiplier_solver *solver;
  enum fault fault;
  long steps;
  int n, m;
  real *G0, *G1, *gradient, *old, *dp, *dp_free, *p_half;
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
  struct method *w = calloc(1, sizeof *w + (2 * entries + 5 * n) * sizeof(real));
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
  w->old = w->gradient + n;
  w->dp = w->old + n;
  w->dp_free = w->dp + n;
  w->p_half = w->dp_free + n;
  return shk_multiplier_create(&w->solver, e, binding->options);
}

static struct shk_status positions(struct method *w, struct shk_state *to,
                                   const struct shk_state *from, real h, real kick)
{
  const struct shk_position_solve task = {.t1 = from->t + h,
                                          .kick = kick,
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
                                          .G1 = w->G1};
  struct shk_status status = shk_solve_position(w->solver, &task);
  if (w->fault == FAULT_LOOSE_SOLVE && status.code == SHK_NOT_CONVERGED)
    status = shk_jacobian(w->e, w->G1, from->t + h, to->q);
  return status;
}

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  struct method *w = method;
  real kick = h / 2;
  if (w->fault == FAULT_COEFFICIENT)
    kick *= R(1.01);
  if (w->fault == FAULT_FORGETFUL)
    kick *= 1 + 1000 * REAL_EPSILON * (real)w->steps++;
  if (w->fault == FAULT_REFUSES_NEGATIVE && h < 0)
    return shk_failure(SHK_BAD_INPUT, "no negative steps", 0, 0);
  if (w->fault == FAULT_ALLOCATES) {
    void *volatile kept = malloc(64); /* volatile: or the compiler leaves both calls out */
    free(kept);
  }
  struct shk_status status = shk_gradient(w->e, w->old, from->t, from->q, from->p);
  if (w->fault == FAULT_IGNORES_FAILURE)
    status = shk_ok();
  SHK_TRY(status);
  SHK_TRY(shk_jacobian(w->e, w->G0, from->t, from->q));
  for (int i = 0; i < w->n; i++)
    w->dp_free[i] = -kick * w->old[i];
  memcpy(to->lambda, from->lambda, (size_t)w->m * sizeof(real));
  if (w->fault == FAULT_UNCONSTRAINED) {
    for (int i = 0; i < w->n; i++) {
      w->dp[i] = w->dp_free[i];
      to->q[i] = from->q[i] + h * (from->p[i] + w->dp[i]) / w->e->system->mass[i];
      to->q_carry[i] = 0;
    }
  } else {
    SHK_TRY(positions(w, to, from, h, kick));
  }
  if (w->fault == FAULT_WRITES_FROM)
    for (int i = 0; i < w->n; i++)
      from->p[i] += w->dp[i];
  SHK_TRY(shk_gradient(w->e, w->gradient, from->t + h, to->q, from->p));
  for (int i = 0; i < w->n; i++)
    w->dp[i] -= kick * (w->fault == FAULT_GRADIENT_POINT ? w->old[i] : w->gradient[i]);
  if (w->fault == FAULT_WRITES_FROM)
    for (int i = 0; i < w->n; i++)
      from->p[i] -= w->dp[i];
  if (w->fault == FAULT_NO_PROJECTION || w->fault == FAULT_UNCONSTRAINED) {
    for (int i = 0; i < w->n; i++) {
      to->p[i] = from->p[i] + w->dp[i];
      to->p_carry[i] = 0;
    }
    for (int i = 0; i < w->m; i++)
      to->mu[i] = 0;
    return shk_ok();
  }
  return shk_solve_hidden(w->solver, &(struct shk_hidden_solve){.t1 = from->t + h,
                                                                .kick = kick,
                                                                .q1 = to->q,
                                                                .p = from->p,
                                                                .p_carry = from->p_carry,
                                                                .G1 = w->G1,
                                                                .mu = to->mu,
                                                                .dp = w->dp,
                                                                .p1 = to->p,
                                                                .p1_carry = to->p_carry});
}

static const struct shk_option options[] = {{.name = "fault",
                                             .kind = SHK_OPTION_CHOICE,
                                             .fallback = "none",
                                             .heads = faults,
                                             .meaning = "what is wrong"},
                                            SHK_SOLVER_OPTIONS,
                                            {0}};

static const struct shk_integrator bad_rattle = {.struct_size = sizeof(struct shk_integrator),
                                                 .info = {.name = "bad-rattle",
                                                          .summary = "RATTLE with a fault",
                                                          .equations = "see rattle",
                                                          .citation = "none",
                                                          .options = options,
                                                          .claims = {.order_q = 2,
                                                                     .order_p = 2,
                                                                     .order_lambda = 1,
                                                                     .order_mu = 1,
                                                                     .order_lambda_mean = 2,
                                                                     .order_lambda_sum = 0,
                                                                     .order_lambda_state = 2,
                                                                     .symplectic = SHK_YES,
                                                                     .presymplectic = SHK_YES,
                                                                     .symmetric = SHK_YES,
                                                                     .keeps_constraint = SHK_YES,
                                                                     .keeps_hidden = SHK_YES,
                                                                     .keeps_momenta = SHK_YES,
                                                                     .energy_bounded = SHK_YES}},
                                                 .create = bad_create,
                                                 .step = bad_step,
                                                 .destroy = bad_destroy};

SHK_PROVIDE(bad_integrators, .integrators = SHK_INTEGRATORS(&bad_rattle));

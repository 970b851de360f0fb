/*
 * Baumgarte's stabilization: g'' + 2 alpha g' + beta² g = 0 in place of g'' = 0, integrated by a
 * one-step method without projection.
 *
 *     q' = H_p      p' = -H_q - Gᵀ lambda
 *     N lambda = g_qq[v,v] + G (H_pq v - H_pp H_q) + 2 alpha G v + beta² g,  N = G H_pp Gᵀ,  v =
 * H_p
 *
 * The constraint force is -Gᵀ lambda. On the constraints the equations are the index-reduced ones;
 * off them the violation decays, at a rate that the step has to resolve: explicit bases are
 * unstable beyond alpha h of about 2.5. Sums of q and p are compensated. Not for constraints that
 * depend on p.
 *
 * Source: Baumgarte, Comput. Methods Appl. Mech. Eng. 1 (1972) 1; Ascher, Chin & Reich, Numer.
 * Math. 67 (1994) 131.
 */
#include <shakedown/impulse.h>
#include <shakedown/ode.h>
#include <shakedown/plugin.h>

#include <stdlib.h>
#include <string.h>

/* Sweeps of implicit stages; they give up by themselves when they do not contract. */
#define STAGE_SWEEPS 1000

struct baumgarte {
  struct shk_evaluator *evaluator;
  int n, m;
  struct shk_reduced *reduced;
  struct shk_one_step *base;
  real *block, *y, *dy, *lambda;
  real *start_lambda; /* where the next slope's multiplier goes, NULL: nowhere */
  real *work_sum;     /* NULL: nobody asks for the constraint work */
};

static struct shk_status slope(void *user, real *f, real t, const real *y)
{
  struct baumgarte *w = user;
  SHK_TRY(shk_reduced_slope(w->reduced, f, f + w->n, w->lambda, t, y, y + w->n));
  if (w->start_lambda != NULL)
    memcpy(w->start_lambda, w->lambda, (size_t)w->m * sizeof(real));
  w->start_lambda = NULL;
  return shk_ok();
}

/* Of the constraints' force, terms of stabilization and all. */
static real power(struct baumgarte *w, real t, const real *q, const real *p)
{
  return shk_reduced_power(w->evaluator, w->reduced, w->dy, w->y, w->lambda, t, q, p);
}

static struct shk_status baumgarte_step(void *method, struct shk_state *to,
                                        const struct shk_state *from, real h)
{
  struct baumgarte *w = method;
  const int n = w->n;
  memcpy(w->y, from->q, (size_t)n * sizeof(real));
  memcpy(w->y + n, from->p, (size_t)n * sizeof(real));
  w->start_lambda = to->lambda;
  SHK_TRY(shk_one_step_step(w->base, w->dy, from->t, w->y, h));
  shk_add_increment(to->q, to->q_carry, from->q, from->q_carry, w->dy, n);
  shk_add_increment(to->p, to->p_carry, from->p, from->p_carry, w->dy + n, n);
  memset(to->mu, 0, (size_t)w->m * sizeof(real));
  if (w->work_sum != NULL) /* the trapezoidal rule */
    *w->work_sum +=
        h / 2 * (power(w, from->t, from->q, from->p) + power(w, from->t + h, to->q, to->p));
  return shk_ok();
}

static bool baumgarte_constraint_work(void *method, real *sum)
{
  ((struct baumgarte *)method)->work_sum = sum;
  return true;
}

static void baumgarte_destroy(void *method)
{
  struct baumgarte *w = method;
  if (w == NULL)
    return;
  shk_reduced_destroy(w->reduced);
  shk_one_step_destroy(w->base);
  free(w->block);
  free(w);
}

static struct shk_status bind(struct baumgarte *w, struct shk_evaluator *e,
                              const struct shk_values *options)
{
  SHK_TRY(shk_reduced_create(&w->reduced, e, options, shk_values_real(options, "alpha"),
                             shk_values_real(options, "beta")));
  return shk_one_step_create(&w->base, shk_values_choice(options, "base"),
                             shk_values_nested(options, "base"), e, 2 * w->n, STAGE_SWEEPS, slope,
                             w);
}

static struct shk_status baumgarte_create(void **method, const struct shk_binding *binding)
{
  struct shk_evaluator *e = binding->evaluator;
  const size_t n = (size_t)e->system->n, m = (size_t)e->system->m;
  struct baumgarte *w = calloc(1, sizeof *w);
  real *block = calloc(4 * n + m + 1, sizeof *block);
  *method = NULL;
  if (w == NULL || block == NULL) {
    free(w);
    free(block);
    return shk_failure(SHK_NO_MEMORY, "no memory for the method", 0, 0);
  }
  *w = (struct baumgarte){.evaluator = e,
                          .n = (int)n,
                          .m = (int)m,
                          .block = block,
                          .y = block,
                          .dy = block + 2 * n,
                          .lambda = block + 4 * n};
  const struct shk_status status = bind(w, e, binding->options);
  if (status.code != SHK_OK) {
    baumgarte_destroy(w);
    return status;
  }
  *method = w;
  return status;
}

static int baumgarte_history(const void *method, double *residuals, int limit)
{
  const struct baumgarte *w = method;
  return shk_one_step_history(w->base, residuals, limit);
}

static void baumgarte_claims(struct shk_claims *claims, const struct shk_values *options)
{
  const struct shk_traits base =
      shk_one_step_traits(shk_values_choice(options, "base"), shk_values_nested(options, "base"));
  claims->order_q = claims->order_p = claims->order_lambda = claims->order_lambda_state =
      base.order;
  if (strcmp(shk_values_text(options, "alpha"), "0") == 0)
    claims->reversible = SHK_UNKNOWN; /* as the base is */
  if (!base.symmetric)
    return;
  claims->symmetric = SHK_YES;
  /* Symplectic bases keep the quadratic invariants of whatever they integrate. */
  claims->keeps_momenta = SHK_YES;
}

static const struct shk_head bases[] = {SHK_ONE_STEP_HEADS, {0}};

static const struct shk_option options[] = {
    {.name = "alpha",
     .kind = SHK_OPTION_REAL,
     .fallback = "10",
     .minimum = "0",
     .meaning = "damping of the violation, 1/time; alpha = beta is critical"},
    {.name = "beta",
     .kind = SHK_OPTION_REAL,
     .fallback = "10",
     .minimum = "0",
     .meaning = "frequency of the violation, 1/time"},
    {.name = "base",
     .kind = SHK_OPTION_CHOICE,
     .fallback = "rk4",
     .heads = bases,
     .meaning = "the one-step method"},
    {.name = "linear",
     .kind = SHK_OPTION_CHOICE,
     .fallback = "auto",
     .heads = shk_linear_heads,
     .meaning = "factorization of the constraint matrix"},
    {0}};

static const struct shk_integrator baumgarte = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "baumgarte",
             .summary = "Baumgarte's stabilization of the index-reduced equations",
             .equations =
                 "q' = H_p,  p' = -H_q - G^T lambda with g'' + 2 alpha g' + beta^2 g = 0:\n"
                 "N lambda = g_qq[v,v] + G (H_pq v - H_pp H_q) + 2 alpha G v + beta^2 g,\n"
                 "N = G H_pp G^T,  v = H_p",
             .citation = "Baumgarte, Comput. Methods Appl. Mech. Eng. 1 (1972) 1",
             .options = options,
             .supports = SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES,
             .claims = {.order_q = 4,
                        .order_p = 4,
                        .order_lambda = 4,
                        .order_mu = SHK_NO_ORDER,
                        .order_lambda_mean = SHK_NO_ORDER,
                        .order_lambda_sum = SHK_NO_ORDER,
                        .order_lambda_state = 4,
                        .symplectic = SHK_NO,
                        .presymplectic = SHK_NO,
                        .symmetric = SHK_NO,
                        .keeps_constraint = SHK_NO,
                        .keeps_hidden = SHK_NO,
                        .keeps_momenta = SHK_NO,
                        .energy_bounded = SHK_NO,
                        /* What decays forward in time grows backward. */
                        .reversible = SHK_NO}},
    .create = baumgarte_create,
    .step = baumgarte_step,
    .destroy = baumgarte_destroy,
    .claims = baumgarte_claims,
    .history = baumgarte_history,
    .constraint_work = baumgarte_constraint_work};

SHK_PROVIDE(baumgarte, .integrators = SHK_INTEGRATORS(&baumgarte));

/*
 * The energy-momentum method of the catalogue with one fault: `bad-energy-momentum(fault=…)`.
 */
#define RIGHT_FILE "integrators/energy_momentum.c"
#define RIGHT conserving
#define RIGHT_NAME "energy-momentum"

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(GRADIENT, "gradient", "the force is that of the middle: no term along d") \
  X(NORMALS, "normals", "the normals are those of the middle: no term along d") \
  X(OLD, "old", "the force is that of the start")
/* clang-format on */

#include "faults.h"

/* The equations with the fault, from those without it. */
static struct shk_status bad_evaluate(void *method, const real *lambda)
{
  struct bad *const bad = method;
  struct conserving *const w = &bad->right;
  struct shk_evaluator *const e = w->evaluator;
  const real *const d = w->solve.d, t = w->from->t + w->h / 2;
  SHK_TRY(evaluate(w, lambda));
  if (bad->fault == NONE)
    return shk_ok();
  shk_vector_scaled(w->force, -1, w->force, w->n); /* minus the right force */
  shk_copy(w->rest, w->force, w->n);
  SHK_TRY(shk_gradient(e, w->force, t, bad->fault == OLD ? w->from->q : w->middle, w->from->p));
  shk_vector_add(w->rest, 1, w->force, w->n);
  if (bad->fault == NORMALS)
    for (int i = 0; i < w->n; i++)
      w->rest[i] = -d[i] * real_dot(w->along, lambda, w->m);
  for (int i = 0; i < w->n; i++) {
    w->dp[i] -= w->h * w->rest[i];
    w->solve.r[i] -= w->solve.c * shk_over_mass(e, w->rest[i], i);
    w->rest[i] = 0;
  }
  return shk_ok();
}

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  struct conserving *const w = &((struct bad *)method)->right;
  w->from = from;
  w->h = h;
  w->solve.c = h * h / 2;
  for (int i = 0; i < w->n; i++)
    w->solve.d[i] = h * shk_over_mass(w->evaluator, from->p[i], i);
  shk_copy(to->lambda, from->lambda, w->m);
  SHK_TRY(shk_normals_solve(&w->solve, w->evaluator, from, to->lambda, bad_evaluate, method));
  shk_copy(to->mu, to->lambda, w->m);
  shk_vector_add(w->solve.d, 1, w->solve.r, w->n);
  shk_move_q(to, from, w->solve.d);
  shk_move_p(to, from, w->dp);
  return shk_ok();
}

static const struct shk_option bad_options[] =
    SHK_LIST(SHK_NORMALS_OPTION(bad, right.solve), FAULT_OPTION(bad));

PROVIDE_BAD(bad_energy_momentum, .bind = bind, .step = bad_step);

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
  X(OLD, "old", "the force is that of the start") \
  X(OLD_FORCES, "old-forces", "forces without a potential are those of the start") \
  X(LATE, "late", "constraints are those of the time at the start") \
  X(STILL, "still", "moving constraints do no work: their normals have a term along d")
/* clang-format on */

#include "misplaced_forces.h"

static bool is_still;

static struct shk_status wrong_rate(struct shk_evaluator *e, real *g_t, real t, const real *q)
{
  if (!is_still)
    return shk_constraint_rate(e, g_t, t, q);
  shk_fill(g_t, 0, e->system->m);
  return shk_ok();
}

#undef shk_constraint_rate
#define shk_constraint_rate wrong_rate

#include "faults.h"

/* The equations with the fault, from those without it. */
static struct shk_status bad_evaluate(void *method, const real *lambda)
{
  struct bad *const bad = method;
  struct conserving *const self = &bad->right;
  struct shk_evaluator *const e = self->evaluator;
  const real *const d = self->solve.d, t = self->from->t + self->h / 2;
  SHK_TRY(evaluate(self, lambda));
  if (bad->fault == NONE || bad->fault >= OLD_FORCES)
    return shk_ok();
  shk_vector_scaled(self->force, -1, self->force, self->n); /* minus the right force */
  shk_copy(self->rest, self->force, self->n);
  SHK_TRY(shk_gradient(e, self->force, t, bad->fault == OLD ? self->from->q : self->middle,
                       self->from->p));
  shk_vector_add(self->rest, 1, self->force, self->n);
  if (bad->fault == NORMALS)
    for (int i = 0; i < self->n; i++)
      self->rest[i] = -d[i] * real_dot(self->along, lambda, self->m);
  for (int i = 0; i < self->n; i++) {
    self->dp[i] -= self->h * self->rest[i];
    self->solve.r[i] -= self->solve.c * shk_over_mass(e, self->rest[i], i);
    self->rest[i] = 0;
  }
  return shk_ok();
}

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  struct conserving *const self = &((struct bad *)method)->right;
  const int fault = ((struct bad *)method)->fault;
  struct shk_state start = *from;
  start.t -= fault == LATE ? h : 0;
  is_misplaced = fault == OLD_FORCES;
  is_still = fault == STILL;
  forces_at = from;
  self->from = &start;
  self->h = h;
  self->solve.c = h * h / 2;
  for (int i = 0; i < self->n; i++)
    self->solve.d[i] = h * shk_over_mass(self->evaluator, from->p[i], i);
  shk_copy(to->lambda, from->lambda, self->m);
  SHK_TRY(shk_normals_solve(&self->solve, self->evaluator, from, to->lambda, bad_evaluate, method));
  shk_copy(to->mu, to->lambda, self->m);
  shk_vector_add(self->solve.d, 1, self->solve.r, self->n);
  shk_move_q(to, from, self->solve.d);
  shk_move_p(to, from, self->dp);
  return shk_ok();
}

static const struct shk_option bad_options[] =
    SHK_LIST(SHK_NORMALS_OPTION(bad, right.solve), FAULT_OPTION(bad));

PROVIDE_BAD(bad_energy_momentum, .info.supports = SHK_RHEONOMIC | SHK_FORCES, .bind = bind,
            .step = bad_step);

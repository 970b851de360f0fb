/*
 * Methods that are right where they expect to be examined, and wrong elsewhere: `bad-examinee` takes
 * steps of RATTLE, claims what RATTLE claims, and away from its fault's own ground adds 1 percent of
 * the force to the momentum. A certificate must find out all but the controls: `none`, and the
 * default base.
 *
 * With base=rattle(tolerance=1e-30,linear=qr) the base is one that solves to 1e-30 in the units of g,
 * whatever these are: round-off where lengths are about 1.
 */
#include <shakedown/plugin.h>

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "RATTLE as it should be: the control") \
  X(SMALL, "small", "right for up to 6 coordinates") \
  X(FEW, "few", "right for up to 3 constraints") \
  X(EQUAL, "equal", "right where all masses are equal") \
  X(KNOWN, "known", "right on what it takes for the problems of a certificate") \
  X(ROWS, "rows", "right where rows are in the order of their first coordinates") \
  X(ALIKE, "alike", "right where no row of G is shorter than a tenth of another") \
  X(DENSE, "dense", "right where G comes without a pattern") \
  X(MOMENTA, "momenta", "right for g(q), and for g(q,p) of up to 3 coordinates")
/* clang-format on */

#include "faults.h"

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  int fault; /* enum fault */
  struct shk_base base;
  struct shk_manifold *manifold;
  bool known;
  real *force, *G;
};

/* n, m and horizon of what is built in and asked. */
static const struct {
  int n, m;
  real horizon;
} asked[] = {{2, 1, R(9.2)}, {2, 1, R(7.1)}, {3, 1, R(8.7)}, {4, 2, R(2.3)}, {6, 3, R(1.3)},
             {3, 1, R(6.4)}, {6, 2, 7},      {3, 1, R(9.2)}, {2, 1, R(7.7)}, {3, 3, R(0.1)},
             {3, 2, R(8.3)}, {2, 1, R(5.8)}, {4, 2, R(1.9)}, {2, 1, R(3.3)}, {3, 1, R(6.1)}};

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct method *w = method;
  const struct shk_instance *instance = binding->instance;
  for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
    w->known = w->known || (w->n == asked[i].n && w->m == asked[i].m &&
                            real_fabs(instance->horizon - asked[i].horizon) < R(1e-9));
  SHK_TRY(shk_bind_base(&w->base, binding));
  return shk_bind_manifold(&w->manifold, binding);
}

static bool equal_masses(const struct shk_system *system)
{
  for (int i = 1; system->mass && i < system->n; i++)
    if (system->mass[i] != system->mass[0])
      return false;
  return true;
}

static bool rows_ascend(const struct shk_evaluator *e)
{
  for (int i = 1; i < e->system->m; i++)
    if (e->columns[e->row_start[i]] < e->columns[e->row_start[i - 1]])
      return false;
  return true;
}

static bool rows_alike(const struct method *w)
{
  real least = 0, most = 0;
  for (int i = 0; i < w->m; i++) {
    const int from = w->evaluator->row_start[i];
    const real length = real_max_norm(w->G + from, w->evaluator->row_start[i + 1] - from);
    least = i == 0 ? length : real_min(least, length);
    most = real_max(most, length);
  }
  return 10 * least >= most;
}

static bool on_own_ground(const struct method *w)
{
  const struct shk_system *system = w->evaluator->system;
  switch (w->fault) {
  case SMALL:
    return w->n <= 6;
  case FEW:
    return w->m <= 3;
  case EQUAL:
    return equal_masses(system);
  case KNOWN:
    return w->known;
  case ROWS:
    return rows_ascend(w->evaluator);
  case ALIKE:
    return rows_alike(w);
  case DENSE:
    return !system->row_start;
  case MOMENTA:
    return !(system->features & SHK_MOMENTUM_CONSTRAINT) || w->n <= 3;
  default:
    return true;
  }
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct method *w = method;
  SHK_TRY(shk_base_step(&w->base, to, from, h));
  if (!(w->evaluator->system->features & SHK_MOMENTUM_CONSTRAINT))
    SHK_TRY(shk_jacobian(w->evaluator, w->G, from->t, from->q));
  if (on_own_ground(w))
    return shk_ok();
  SHK_TRY(shk_gradient(w->evaluator, w->force, to->t, to->q, to->p));
  for (int i = 0; i < w->n; i++)
    to->p[i] -= h * w->force[i] / 100;
  return shk_manifold_project(w->manifold, to->q, to->p, to->t);
}

static const struct shk_option options[] = {
    SHK_CHOICE(method, fault, "fault", faults, "none", "where it is right"),
    SHK_BASE(method, base, "base", "rattle", "what it is there"),
    {0}};

static const struct shk_array arrays[] = {
    SHK_ARRAY(method, force, .n = 1), SHK_ARRAY(method, G, .entries = 1), {0}};

static const struct shk_stated claims[] = {SHK_ORDERS(2),
                                           SHK_CLAIM(ORDER_LAMBDA_MEAN, 2),
                                           SHK_GEOMETRY(SHK_YES),
                                           SHK_CONSTRAINTS(SHK_YES),
                                           {0}};

static const struct shk_integrator bad_examinee = {
    .struct_size = sizeof(struct shk_integrator),
    .info = {.name = "bad-examinee",
             .summary = "RATTLE where it expects to be examined",
             .equations = "see rattle",
             .citation = "none",
             .options = options,
             .supports =
                 SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT,
             .claims = claims},
    SHK_METHOD(method),
    .arrays = arrays,
    .bind = bind,
    .step = step};

SHK_PROVIDE(bad_examinee, .integrators = SHK_INTEGRATORS(&bad_examinee));

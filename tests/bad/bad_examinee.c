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
  X(MOMENTA, "momenta", "right for g(q), and for g(q,p) of up to 3 coordinates") \
  X(ROWS_64, "rows-64", "right for up to 64 constraints") \
  X(COORDINATES_100, "coordinates-100", "right for up to 100 coordinates") \
  X(DOUBLE, "double", "right in quad, and in double for up to 64 constraints") \
  X(WALL, "wall", "right where masses are in ratios up to 10000") \
  X(NEAR, "near", "right within 1000 of the origin") \
  X(SLOW, "slow", "right where no point is faster than 10") \
  X(TIME_STANDS, "time-stands", "the potential is that at time 0") \
  X(TIME_SINGLE, "time-single", "the time of the potential is rounded to single precision") \
  X(TIME_STEPS, "time-steps", "the time of the potential is a multiple of the step") \
  X(HALF, "half", "half a step in the place of each; no order is claimed") \
  X(LONG, "long", "steps longer by a percent; no order is claimed") \
  X(STRONG, "strong", "forces stronger by a quarter; no order is claimed") \
  X(JOINED, "joined", "the base forward and its adjoint `back` backward, of order 1 and symmetric")
/* clang-format on */

#include "faults.h"

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  int fault; /* enum fault */
  struct shk_base base, back;
  struct shk_state altered;
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
  struct method *self = method;
  const struct shk_instance *instance = binding->instance;
  for (size_t i = 0; i < sizeof asked / sizeof asked[0]; i++)
    self->known = self->known || (self->n == asked[i].n && self->m == asked[i].m &&
                                  real_fabs(instance->horizon - asked[i].horizon) < R(1e-9));
  SHK_TRY(shk_bind_base(&self->base, binding));
  SHK_TRY(shk_bind_base(&self->back, binding));
  return shk_bind_manifold(&self->manifold, binding);
}

/* True if the masses are in ratios up to this. */
static bool masses_within(const struct shk_system *system, real ratio)
{
  real least = INFINITY, most = 0;
  for (int i = 0; system->mass && i < system->n; i++) {
    least = real_min(least, system->mass[i]);
    most = real_max(most, system->mass[i]);
  }
  return !system->mass || most <= ratio * least;
}

static bool is_slow(const struct method *self, const struct shk_state *at)
{
  const real *mass = self->evaluator->system->mass;
  for (int i = 0; mass && i < self->n; i++)
    if (real_fabs(at->p[i]) > 10 * mass[i])
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

static bool rows_alike(const struct method *self)
{
  real least = 0, most = 0;
  for (int i = 0; i < self->m; i++) {
    const int from = self->evaluator->row_start[i];
    const real length = real_max_norm(self->G + from, self->evaluator->row_start[i + 1] - from);
    least = i == 0 ? length : real_min(least, length);
    most = real_max(most, length);
  }
  return 10 * least >= most;
}

static bool on_own_ground(const struct method *self, const struct shk_state *at)
{
  const struct shk_system *system = self->evaluator->system;
  switch (self->fault) {
  case SMALL:
    return self->n <= 6;
  case FEW:
    return self->m <= 3;
  case EQUAL:
    return masses_within(system, 1);
  case KNOWN:
    return self->known;
  case ROWS:
    return rows_ascend(self->evaluator);
  case ALIKE:
    return rows_alike(self);
  case DENSE:
    return !system->row_start;
  case MOMENTA:
    return !(system->features & SHK_MOMENTUM_CONSTRAINT) || self->n <= 3;
  case ROWS_64:
    return self->m <= 64;
  case COORDINATES_100:
    return self->n <= 100;
  case DOUBLE:
    return SHK_PRECISION != 64 || self->m <= 64;
  case WALL:
    return masses_within(system, 10000);
  case NEAR:
    return real_max_norm(at->q, self->n) < 1000;
  case SLOW:
    return is_slow(self, at);
  default:
    return true;
  }
}

/* A step of the base, of another length or from another time where that is the fault. */
static struct shk_status take_step(struct method *self, struct shk_state *to,
                                   const struct shk_state *from, real h)
{
  const bool moves = (self->evaluator->system->features & SHK_RHEONOMIC) != 0;
  self->altered = *from;
  if (self->fault == TIME_STANDS && !moves)
    self->altered.t = 0;
  else if (self->fault == TIME_SINGLE && !moves)
    self->altered.t = (real)(float)from->t;
  else if (self->fault == TIME_STEPS && !moves)
    self->altered.t = h * real_floor(from->t / h + R(0.5));
  const real length = self->fault == HALF ? h / 2 : self->fault == LONG ? h * R(1.01) : h;
  struct shk_base *const base = self->fault == JOINED && h < 0 ? &self->back : &self->base;
  SHK_TRY(shk_base_step(base, to, &self->altered, length));
  to->t = from->t + h;
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct method *self = method;
  SHK_TRY(take_step(self, to, from, h));
  if (!(self->evaluator->system->features & SHK_MOMENTUM_CONSTRAINT))
    SHK_TRY(shk_jacobian(self->evaluator, self->G, from->t, from->q));
  if (self->fault != STRONG && on_own_ground(self, from))
    return shk_ok();
  SHK_TRY(shk_gradient(self->evaluator, self->force, to->t, to->q, to->p));
  for (int i = 0; i < self->n; i++)
    to->p[i] -= h * self->force[i] / (self->fault == STRONG ? 4 : 100);
  return shk_manifold_project(self->manifold, to->q, to->p, to->t);
}

static const struct shk_option options[] =
    SHK_LIST(SHK_CHOICE(method, fault, "fault", faults, "none", "where it is right"),
             SHK_BASE(method, base, "base", "rattle", "what it is there"),
             SHK_BASE(method, back, "back", "rattle", "of joined: the method of negative steps"));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(method, force, .n = 1), SHK_ARRAY(method, G, .entries = 1));

static const struct shk_stated claims[] = SHK_LIST(SHK_ORDERS(2), SHK_CLAIM(ORDER_LAMBDA_MEAN, 2),
                                                   SHK_GEOMETRY(SHK_YES), SHK_CONSTRAINTS(SHK_YES));

static void claims_under(struct shk_claims *claimed, const void *method)
{
  const struct method *self = method;
  const struct shk_claims *base = &self->base.claims;
  if (base->order_q == SHK_NO_ORDER)
    return; /* it is RATTLE with a tolerance, which is to be found out */
  claimed->order_q = base->order_q;
  claimed->order_p = base->order_p;
  claimed->order_lambda_state = base->order_lambda_state;
  if (self->fault == JOINED || self->fault == HALF || self->fault == LONG || self->fault == STRONG)
    claimed->order_lambda_mean = SHK_NO_ORDER;
  if (self->fault == HALF || self->fault == LONG || self->fault == STRONG)
    claimed->order_q = claimed->order_p = SHK_NO_ORDER;
}

static const struct shk_integrator bad_examinee = {
    SHK_INTEGRATOR(method, arrays, bind, step, claims_under),
    .info = {.name = "bad-examinee",
             .summary = "RATTLE where it expects to be examined",
             .options = options,
             .supports =
                 SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT,
             .claims = claims}};

/* The same for programs that have double precision alone. */
static const struct shk_integrator bad_in_double = {
    SHK_INTEGRATOR(method, arrays, bind, step, claims_under),
    .info = {.name = "bad-in-double",
             .summary = "bad-examinee in double precision alone",
             .options = options,
             .supports = SHK_RHEONOMIC | SHK_FORCES,
             .double_only = true,
             .claims = claims}};

SHK_PROVIDE(bad_examinee, .integrators = SHK_INTEGRATORS(&bad_examinee, &bad_in_double));

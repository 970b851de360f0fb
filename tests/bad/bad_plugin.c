/*
 * Plug-ins that break the contract of their functions, each in one way that results need not show.
 * `plugin check` must find every one. The problems are the pendulum of length 1 with the fault that
 * their name tells; the integrators are "drift and project" with one.
 */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include <shakedown/plugin.h>

#include <stdlib.h>
#include <string.h>

enum fault {
  ADDS,      /* gradient adds to what is there */
  UNWRITTEN, /* jacobian leaves an entry that is zero at the start */
  BEYOND,    /* curvature writes one entry too many */
  INPUT,     /* constraint normalizes its input */
  MEMORY,    /* potential counts its calls */
  INVARIANT, /* an invariant that is none */
  START,     /* start leaves p as it finds it */
  RODS,      /* the rod that it declares is longer */
  ENDS,      /* the rod that it declares has an end that is no point */
  RODLESS,   /* it declares no rod for its constraint */
  PROBLEMS,
  LEAVES_MU = PROBLEMS, /* step does not set mu */
  LEAVES_CARRY,         /* nor a carry */
  TOUCHES,              /* step overwrites the state that it starts from */
  FAULTS
};

struct pendulum {
  enum fault fault;
  real mass[2];
  int calls;
};

static int potential(const void *context, real *value, real t, const real *q)
{
  struct pendulum *s = (struct pendulum *)context;
  value[0] = q[1];
  if (s->fault == MEMORY)
    value[0] += REAL_EPSILON * (s->calls++ % 2);
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct pendulum *s = context;
  out[0] = 0;
  out[1] = s->fault == ADDS ? out[1] + 1 : 1;
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct pendulum *s = context;
  g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
  if (s->fault == INPUT)
    ((real *)q)[0] += REAL_EPSILON;
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct pendulum *s = context;
  values[0] = q[0];
  if (s->fault != UNWRITTEN || q[1] != 0)
    values[1] = q[1];
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct pendulum *s = context;
  out[0] = v[0] * v[0] + v[1] * v[1];
  if (s->fault == BEYOND)
    out[1] = 0;
  return 0;
}

static int start(const void *context, real *q, real *p)
{
  const struct pendulum *s = context;
  q[0] = 1;
  q[1] = 0;
  if (s->fault != START)
    p[0] = 0;
  p[1] = s->fault == START ? 0 : R(0.5);
  return 0;
}

/* The energy, and what is conserved only without gravity. */
static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  values[0] = q[0] * p[1] - q[1] * p[0];
  return 0;
}

/* The pendulum is one rod from a fixed point, of length 1. */
static const int row_start[] = {0, 2}, columns[] = {0, 1};
static const real origin[] = {0, 0};
static const struct shk_rod longer = {-1, 0, R(1.5)}, endless = {-1, 1, 1};
static const struct shk_rods wrong_square = {2, 1, &longer, origin},
                             wrong_end = {2, 1, &endless, origin},
                             wrong_count = {2, 0, &endless, origin};

static const char *const invariant_names[] = {"angular momentum"};

static const struct shk_system pendulum_system = {.n = 2,
                                                  .m = 1,
                                                  .potential = potential,
                                                  .gradient = gradient,
                                                  .constraint = constraint,
                                                  .jacobian = jacobian,
                                                  .curvature = curvature};

static struct shk_status set_up(struct shk_instance *instance, struct pendulum *s, enum fault fault)
{
  *s = (struct pendulum){.fault = fault, .mass = {1, 1}};
  instance->system.mass = s->mass;
  instance->time_scale = 1;
  instance->horizon = R(3.7);
  instance->start = start;
  if (fault == INVARIANT) {
    instance->invariant_count = 1;
    instance->invariant_names = invariant_names;
    instance->invariants = invariants;
  }
  if (fault == RODS || fault == ENDS || fault == RODLESS) {
    instance->system.row_start = row_start;
    instance->system.columns = columns;
    instance->system.rods = fault == RODS   ? &wrong_square
                            : fault == ENDS ? &wrong_end
                                            : &wrong_count;
  }
  return shk_ok();
}

#define PROBLEM(id, text, fault)                                                                   \
  static struct shk_status set_up_##id(struct shk_instance *instance, void *context)               \
  {                                                                                                \
    return set_up(instance, context, fault);                                                       \
  }                                                                                                \
  static const struct shk_problem id = {.struct_size = sizeof(struct shk_problem),                 \
                                        .info = {.name = text, .summary = "wrong on purpose"},     \
                                        SHK_CONTEXT(pendulum),                                     \
                                        .system = &pendulum_system,                                \
                                        .set_up = set_up_##id};
PROBLEM(adds, "wrong-adds", ADDS)
PROBLEM(unwritten, "wrong-unwritten", UNWRITTEN)
PROBLEM(beyond, "wrong-beyond", BEYOND)
PROBLEM(input, "wrong-input", INPUT)
PROBLEM(memory, "wrong-memory", MEMORY)
PROBLEM(invariant, "wrong-invariant", INVARIANT)
PROBLEM(begins, "wrong-start", START)
PROBLEM(square, "wrong-rod", RODS)
PROBLEM(ends, "wrong-end", ENDS)
PROBLEM(rodless, "wrong-count", RODLESS)

/* ---- integrators ---- */

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  enum fault fault;
  struct shk_manifold *manifold;
};

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct method *self = method;
  const size_t n = (size_t)from->n * sizeof(real), m = (size_t)from->m * sizeof(real);
  if (self->fault == TOUCHES)
    from->q_carry[0] += h * h; /* the array is the caller's */
  SHK_TRY(shk_velocity(self->evaluator, to->q, from->t, from->q, from->p));
  for (int i = 0; i < from->n; i++) {
    to->q[i] = from->q[i] + h * to->q[i];
    to->p[i] = from->p[i];
  }
  memset(to->lambda, 0, m);
  if (self->fault != LEAVES_MU)
    memset(to->mu, 0, m);
  memset(to->q_carry, 0, n);
  if (self->fault != LEAVES_CARRY)
    memset(to->p_carry, 0, n);
  return shk_manifold_project(self->manifold, to->q, to->p, from->t + h);
}

static struct shk_status begin(struct method *self, const struct shk_binding *binding,
                               enum fault fault)
{
  self->fault = fault;
  return shk_bind_manifold(&self->manifold, binding);
}

#define INTEGRATOR(id, text, fault)                                                                \
  static struct shk_status bind_##id(void *method, const struct shk_binding *binding)              \
  {                                                                                                \
    return begin(method, binding, fault);                                                          \
  }                                                                                                \
  static const struct shk_integrator id = {.struct_size = sizeof(struct shk_integrator),           \
                                           .info = {.name = text, .summary = "wrong on purpose"},  \
                                           SHK_METHOD(method),                                     \
                                           .bind = bind_##id,                                      \
                                           .step = step};
INTEGRATOR(leaves_mu, "wrong-mu", LEAVES_MU)
INTEGRATOR(leaves_carry, "wrong-carry", LEAVES_CARRY)
INTEGRATOR(touches, "wrong-touches", TOUCHES)
INTEGRATOR(sound, "sound", FAULTS)

SHK_PROVIDE(bad_plugin,
            .problems = SHK_PROBLEMS(&adds, &unwritten, &beyond, &input, &memory, &invariant,
                                     &begins, &square, &ends, &rodless),
            .integrators = SHK_INTEGRATORS(&leaves_mu, &leaves_carry, &touches, &sound));

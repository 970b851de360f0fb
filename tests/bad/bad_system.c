/*
 * Methods that are right, of a system that they misread: `bad-system(fault=…)` takes steps of its
 * base with one function of the problem evaluated elsewhere than it should be, which shows only where
 * the problem has such a function: M(q), H(q,p), forces, constraints or a potential that depend on
 * time, constraints on momenta. Certificates must find out each; `none` is the control.
 */
#include <shakedown/plugin.h>

#include <string.h>

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(MASS_OLD, "mass-old", "M(q) is that of the position a step begins at") \
  X(MASS_LEVEL, "mass-level", "the derivatives of M(q) are left out") \
  X(MOMENTUM_OLD, "momentum-old", "H_q(q,p) takes the momenta a step begins with") \
  X(POSITION_OLD, "position-old", "H_p(q,p) takes the position a step begins at") \
  X(UNDAMPED, "undamped", "forces are those at rest") \
  X(FORCE_OLD, "force-old", "forces are those a step begins with") \
  X(LEVEL_RATE, "level-rate", "g_t is left out") \
  X(OLD_GRADIENT, "old-gradient", "the force of V(q,t) is that of the time a step begins at") \
  X(FROM_ZERO, "from-zero", "time is counted from the start") \
  X(FORWARD, "forward", "time goes forward in steps back") \
  X(LONG_FIBRE, "long-fibre", "g_p of g(q,p) is one percent too long")
/* clang-format on */

#include "faults.h"

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  int fault; /* enum fault */
  struct shk_base base;
  struct shk_instance seen;             /* what the base is bound to */
  struct shk_evaluator evaluator_of_it; /* kept in the workspace */
  const struct shk_system *system;      /* as it is */
  real start, from;                     /* times: of the problem, of the step */
  real *q, *p, *rest;                   /* that a step begins with; zeros */
};

static real time_of(const struct method *self, real t)
{
  return self->fault == FROM_ZERO ? t - self->start
         : self->fault == FORWARD ? self->from + real_fabs(t - self->from)
                                  : t;
}

/* A function of the system with some of its arguments taken from elsewhere. */
#define READ(name, PARAMETERS, ...)                                                                \
  static int name PARAMETERS                                                                       \
  {                                                                                                \
    const struct method *self = context;                                                           \
    return self->system->name(self->system->context, __VA_ARGS__);                                 \
  }
#define OLD(what, which, now) (self->fault == (what) ? self->which : (now))
#define T time_of(self, t)

READ(mass_matrix, (const void *context, real *M, const real *q), M, OLD(MASS_OLD, q, q))
READ(mass_curvature, (const void *context, real *out, const real *q, const real *v), out, q, v)
READ(potential, (const void *context, real *value, real t, const real *q), value, T, q)
READ(gradient, (const void *context, real *out, real t, const real *q), out,
     OLD(OLD_GRADIENT, from, T), q)
READ(potential_hessian, (const void *context, real *out, real t, const real *q), out, T, q)
READ(hamiltonian, (const void *context, real *out, real t, const real *q, const real *p), out, T, q,
     p)
READ(hamiltonian_q, (const void *context, real *out, real t, const real *q, const real *p), out, T,
     q, OLD(MOMENTUM_OLD, p, p))
READ(hamiltonian_p, (const void *context, real *out, real t, const real *q, const real *p), out, T,
     OLD(POSITION_OLD, q, q), p)
READ(hessian, (const void *context, real *out, real t, const real *q, const real *p), out, T, q, p)
READ(force, (const void *context, real *out, real t, const real *q, const real *p), out,
     OLD(FORCE_OLD, from, T), OLD(FORCE_OLD, q, q), OLD(UNDAMPED, rest, OLD(FORCE_OLD, p, p)))
READ(force_gradients,
     (const void *context, real *Q_q, real *Q_p, real t, const real *q, const real *p), Q_q, Q_p, T,
     q, p)
READ(constraint, (const void *context, real *g, real t, const real *q), g, T, q)
READ(jacobian, (const void *context, real *values, real t, const real *q), values, T, q)
READ(curvature, (const void *context, real *out, real t, const real *q, const real *v), out, T, q,
     v)
READ(constraint_qp, (const void *context, real *g, real t, const real *q, const real *p), g, T, q,
     p)
READ(constraint_second,
     (const void *context, real *out, real t, const real *q, const real *p, const real *v), out, T,
     q, p, v)

static int mass_gradient(const void *context, real *out, const real *q, const real *v)
{
  const struct method *self = context;
  const int code = self->system->mass_gradient(self->system->context, out, q, v);
  if (self->fault == MASS_LEVEL)
    memset(out, 0, (size_t)self->n * (size_t)self->n * sizeof *out);
  return code;
}

static int constraint_rate(const void *context, real *g_t, real t, const real *q)
{
  const struct method *self = context;
  const int code = self->system->constraint_rate(self->system->context, g_t, T, q);
  if (self->fault == LEVEL_RATE)
    memset(g_t, 0, (size_t)self->m * sizeof *g_t);
  return code;
}

static int constraint_gradients(const void *context, real *g_q, real *g_p, real t, const real *q,
                                const real *p)
{
  const struct method *self = context;
  const int code = self->system->constraint_gradients(self->system->context, g_q, g_p, T, q, p);
  for (int i = 0; self->fault == LONG_FIBRE && i < self->m * self->n; i++)
    g_p[i] *= R(1.01);
  return code;
}

static void misread(struct method *self, const struct shk_instance *instance)
{
  struct shk_system *s = &self->seen.system;
  self->seen = *instance;
  self->system = &instance->system;
  self->start = instance->initial_time;
  s->context = self;
  s->rods = NULL;
  s->fibre = NULL;
  s->autonomous = false;
#define IF_THERE(name) s->name = s->name ? name : NULL
  IF_THERE(mass_matrix);
  IF_THERE(mass_gradient);
  IF_THERE(mass_curvature);
  IF_THERE(potential);
  IF_THERE(gradient);
  IF_THERE(potential_hessian);
  IF_THERE(hamiltonian);
  IF_THERE(hamiltonian_q);
  IF_THERE(hamiltonian_p);
  IF_THERE(hessian);
  IF_THERE(force);
  IF_THERE(force_gradients);
  IF_THERE(constraint);
  IF_THERE(jacobian);
  IF_THERE(curvature);
  IF_THERE(constraint_rate);
  IF_THERE(constraint_qp);
  IF_THERE(constraint_gradients);
  IF_THERE(constraint_second);
#undef IF_THERE
}

static void clear(void *evaluator)
{
  shk_evaluator_clear(evaluator);
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct method *self = method;
  struct shk_binding own = *binding;
  misread(self, binding->instance);
  SHK_TRY(shk_evaluator_init(&self->evaluator_of_it, &self->seen.system));
  SHK_TRY(shk_keep(binding->workspace, &self->evaluator_of_it, clear));
  own.instance = &self->seen;
  own.evaluator = &self->evaluator_of_it;
  return shk_bind_base(&self->base, &own);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct method *self = method;
  memcpy(self->q, from->q, (size_t)self->n * sizeof(real));
  memcpy(self->p, from->p, (size_t)self->n * sizeof(real));
  self->from = from->t;
  return shk_base_step(&self->base, to, from, h);
}

static void claims_under(struct shk_claims *all, const void *method)
{
  *all = ((const struct method *)method)->base.claims;
}

static const struct shk_option options[] =
    SHK_LIST(SHK_CHOICE(method, fault, "fault", faults, "none", "what is misread"),
             SHK_BASE(method, base, "base", "rattle", "the method"));

static const struct shk_array arrays[] = SHK_LIST(
    SHK_ARRAY(method, q, .n = 1), SHK_ARRAY(method, p, .n = 1), SHK_ARRAY(method, rest, .n = 1));

static const struct shk_integrator bad_system = {
    SHK_INTEGRATOR(method, arrays, bind, step, claims_under),
    .info = {.name = "bad-system",
             .summary = "a right method of a system that is misread",
             .options = options,
             .supports =
                 SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT}};

SHK_PROVIDE(bad_system, .integrators = SHK_INTEGRATORS(&bad_system));

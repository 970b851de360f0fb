/*
 * A problem in another program, written in any language, that evaluates H, the constraints and
 * their derivatives by exchanging lines of text (docs/reference/line-protocol.md).
 *
 *     q' = H_p      p' = -H_q + Q - Gᵀ lambda      0 = g(q,t)
 *
 * Shakedown sends the lines on the left, and the program replies with those on the right:
 *
 *     hello 1 PRECISION DIGITS      shakedown-problem 1 name=… version=… n=… m=… [KEY=VALUE …]
 *     REQUEST [T] [Q] [P] [W]       values NUMBERS, or fail CODE REASON
 *
 * The requests have the same names as the requests that external integrators send. However, H_q and
 * the Hessian here are derivatives of H alone, and there are separate requests for Q. The potential
 * of a separable problem is H at p = 0.
 *
 * Exact solutions, invariants, sparse Jacobians and systems without a Hamiltonian are not
 * supported.
 */
#include "mechanics/outside/line_protocol.h"

#include <shakedown/plugin.h>

struct program {
  int n, m;
  struct shk_talk *talk;
  real *mass;
  const real *zeros; /* n zeros: the momentum at which H is the potential and H_q is its gradient */
};

/* ---- requests ---- */

/* A request and its arguments. Arguments that the request does not use are NULL. */
struct asked {
  const char *word;
  const real *t, *q, *p, *w; /* one number, n, n, 2n */
};

/* Sends the request and reads `count` values into the first array and then `more` values into
 * `rest`. */
static struct shk_status exchange(const struct program *x, real *out, int count, real *rest,
                                  int more, const struct asked *asked)
{
  struct shk_talk *const talk = x->talk;
  const size_t n = (size_t)x->n;
  SHK_TRY(shk_talk_request(talk, asked->word));
  shk_talk_put_reals(talk, asked->t, asked->t ? 1 : 0);
  shk_talk_put_reals(talk, asked->q, asked->q ? n : 0);
  shk_talk_put_reals(talk, asked->p, asked->p ? n : 0);
  shk_talk_put_reals(talk, asked->w, asked->w ? 2 * n : 0);
  SHK_TRY(shk_talk_send(talk));
  SHK_TRY(shk_talk_expect(talk, "values"));
  SHK_TRY(shk_talk_take_reals(talk, out, count));
  SHK_TRY(shk_talk_take_reals(talk, rest, more));
  return shk_talk_line_ends(talk);
}

/* Sends the request like `exchange`, but returns what a callback must return: 0 on success, 1 to
 * request a smaller step, or -1 on failure. The reason for a failure is stored in the dialogue. */
static int ask(const struct program *x, real *out, int count, real *rest, int more,
               struct asked asked)
{
  const struct shk_status status = exchange(x, out, count, rest, more, &asked);
  return status.code == SHK_OK ? 0 : status.code == SHK_TRY_SMALLER ? 1 : -1;
}

/* Macros that define callbacks with different arguments. The first two define functions with
 * `count` values that depend on q, or on q and either p or a velocity. The last defines a function
 * that stores two matrices with `count` values each, which are the derivatives with respect to q
 * and p. */
#define OF_Q(name, word, count)                                                                    \
  static int name(const void *context, real *out, real t, const real *q)                           \
  {                                                                                                \
    const struct program *const x = context;                                                       \
    return ask(x, out, count, NULL, 0, (struct asked){word, &t, q, NULL, NULL});                   \
  }
#define OF_QP(name, word, count)                                                                   \
  static int name(const void *context, real *out, real t, const real *q, const real *p)            \
  {                                                                                                \
    const struct program *const x = context;                                                       \
    return ask(x, out, count, NULL, 0, (struct asked){word, &t, q, p, NULL});                      \
  }
#define BY_QP(name, word, count)                                                                   \
  static int name(const void *context, real *by_q, real *by_p, real t, const real *q,              \
                  const real *p)                                                                   \
  {                                                                                                \
    const struct program *const x = context;                                                       \
    return ask(x, by_q, count, by_p, count, (struct asked){word, &t, q, p, NULL});                 \
  }

OF_QP(hamiltonian, "H", 1)
OF_QP(hamiltonian_q, "H_q", x->n)
OF_QP(hamiltonian_p, "H_p", x->n)
OF_QP(hessian, "hessian", 4 * x->n * x->n)
OF_QP(force, "Q", x->n)
BY_QP(force_gradients, "Q_gradients", x->n * x->n)
OF_Q(constraint, "g", x->m)
OF_Q(jacobian, "G", x->m * x->n)
OF_QP(curvature, "curvature", x->m)
OF_Q(constraint_rate, "g_t", x->m)
OF_QP(constraint_qp, "g_qp", x->m)
BY_QP(constraint_gradients, "gradients", x->m * x->n)

static int constraint_second(const void *context, real *out, real t, const real *q, const real *p,
                             const real *w)
{
  const struct program *const x = context;
  return ask(x, out, 2 * x->m * x->n, NULL, 0, (struct asked){"second", &t, q, p, w});
}

static int potential(const void *context, real *value, real t, const real *q)
{
  return hamiltonian(context, value, t, q, ((const struct program *)context)->zeros);
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  return hamiltonian_q(context, out, t, q, ((const struct program *)context)->zeros);
}

static int start(const void *context, real *q, real *p)
{
  const struct program *const x = context;
  return ask(x, q, x->n, p, x->n, (struct asked){"start", NULL, NULL, NULL, NULL});
}

/* ---- the system that the greeting describes ---- */

/* Sets the functions that a system with the given features provides. */
static struct shk_system system_of(const struct shk_greeting *greeting)
{
  const unsigned features = greeting->features;
  const bool general = (features & SHK_GENERAL_HAMILTONIAN) != 0,
             momentum = (features & SHK_MOMENTUM_CONSTRAINT) != 0,
             forces = (features & SHK_FORCES) != 0;
  struct shk_system s = {.n = greeting->n, .m = greeting->m, .features = features};
  if (general) {
    s.hamiltonian = hamiltonian;
    s.hamiltonian_q = hamiltonian_q;
    s.hamiltonian_p = hamiltonian_p;
  } else {
    s.potential = potential;
    s.gradient = gradient;
  }
  if (general || momentum || forces)
    s.hessian = hessian;
  if (momentum) {
    s.constraint_qp = constraint_qp;
    s.constraint_gradients = constraint_gradients;
    s.constraint_second = constraint_second;
  } else {
    s.constraint = constraint;
    s.jacobian = jacobian;
    s.curvature = curvature;
  }
  if (features & SHK_RHEONOMIC)
    s.constraint_rate = constraint_rate;
  if (forces) {
    s.force = force;
    s.force_gradients = force_gradients;
  }
  return s;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct program *const x = context;
  struct shk_greeting greeting;
  real *zeros;
  x->talk = shk_memory(instance->workspace, sizeof *x->talk);
  SHK_TRY(shk_allocated(x->talk));
  *x->talk = (struct shk_talk){.is = SHK_TALKER_PROBLEM, .options = instance->parameters};
  SHK_TRY(shk_talk_begin(x->talk, &greeting, instance->workspace));
  x->n = greeting.n;
  x->m = greeting.m;
  SHK_TRY(shk_reals(instance->workspace, &x->mass, (size_t)x->n));
  SHK_TRY(shk_reals(instance->workspace, &zeros, (size_t)x->n));
  x->zeros = zeros;
  instance->system = system_of(&greeting);
  instance->system.struct_size = sizeof instance->system;
  instance->system.context = x;
  instance->system.why = &x->talk->said;
  instance->time_scale = greeting.time_scale;
  instance->horizon = greeting.horizon;
  instance->undecidable = greeting.undecidable;
  instance->start = start;
  if (greeting.features & SHK_GENERAL_HAMILTONIAN)
    return shk_ok();
  instance->system.mass = x->mass;
  const struct asked mass = {"mass", NULL, NULL, NULL, NULL};
  SHK_TRY(exchange(x, x->mass, x->n, NULL, 0, &mass));
  for (int i = 0; i < x->n; i++)
    if (!(x->mass[i] > 0))
      return shk_talk_failure(x->talk, SHK_BAD_INPUT, "its masses are not all positive", "");
  return shk_ok();
}

static const struct shk_option options[] = SHK_LIST(
    {.name = "command",
     .kind = SHK_OPTION_TEXT,
     .positional = true,
     .meaning = "the program and its arguments, separated by blanks; no shell interprets them"});

SHK_PROVIDE_PROBLEM(
    program, program, NULL, .name = "program",
    .summary = "a problem provided by a program in any language that speaks the line protocol",
    .equations = "the program's own",
    .citation = "the program's own; docs/reference/line-protocol.md", .units = "the program's own",
    .coordinates = "the program's own");

/*
 * Wraps a client's integrator or constraint solver in the form that the registry needs. Steps and
 * solves call the client's functions with doubles. The client evaluates the functions of the bound
 * system by index (<shakedown/questions.def>).
 */
#include "engine/surface/handle_parts.h"
#include "foundation/specifications/spec.h"

#include <shakedown/plugin.h>

#include <stdlib.h>
#include <string.h>

struct own {
  /* must come first, because the struct is addressed through its provision */
  struct shk_provision provision;
  struct shk_integrator integrator; /* the binding points to this member */
  struct shk_rod_solver solver;
  const struct shk_integrator *list[2];
  const struct shk_rod_solver *solvers[2];
  struct shakedown_method given;
  struct shk_array memory[2];
};

struct own_memory {
  real *all;
};

struct own_method {
  struct shk_evaluator *evaluator;
  int n, m;
  const struct shk_values *options;
  const struct own *own;
  struct shakedown_problem problem;
  struct shakedown_state from, to;
  void *bound;
};

static double *room_for_doubles(struct shk_workspace *workspace, int count)
{
  return shk_memory(workspace, ((size_t)count + 1) * sizeof(double));
}

static bool make_state(struct shakedown_state *s, struct shk_workspace *workspace, int n, int m,
                       int memory)
{
  *s = (struct shakedown_state){.n = n,
                                .m = m,
                                .memory_count = memory,
                                .memory = room_for_doubles(workspace, memory),
                                .q = room_for_doubles(workspace, n),
                                .p = room_for_doubles(workspace, n),
                                .lambda = room_for_doubles(workspace, m),
                                .mu = room_for_doubles(workspace, m)};
  return s->q && s->p && s->lambda && s->mu && s->memory;
}

static void unbind_handle_method(void *method)
{
  const struct own_method *x = method;
  x->own->given.unbind(x->bound);
}

static enum shk_code code_of(int code)
{
  return code > SHK_OK && code < SHK_CODE_COUNT ? (enum shk_code)code : SHK_STOPPED;
}

/* Converts a client's code and message to a status. The message is stored with the options. */
static struct shk_status status_of(const struct own_method *x, int code,
                                   const struct shakedown_error *error)
{
  if (code == SHK_OK)
    return shk_ok();
  return shk_failure(code_of(code),
                     shk_values_message(x->options, error->text[0] != '\0'
                                                        ? error->text
                                                        : "the method gave no reason"),
                     0, 0);
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct own_method *x = method;
  struct shk_manifold *manifold;
  struct shakedown_error error = {0};
  x->own =
      (const struct own *)((const char *)binding->integrator - offsetof(struct own, integrator));
  SHK_TRY(shk_bind_manifold(&manifold, binding));
  SHK_TRY(shk_handle_view(&x->problem, binding->instance, binding->evaluator, manifold,
                          binding->workspace));
  const struct shakedown_method *given = &x->own->given;
  const int memory = given->memory_n * x->n + given->memory_m * x->m + given->memory_ones;
  if (!make_state(&x->from, binding->workspace, x->n, x->m, memory) ||
      !make_state(&x->to, binding->workspace, x->n, x->m, memory))
    return shk_no_memory();
  x->problem.options = binding->options;
  SHK_TRY(status_of(x, given->bind(given->user, &x->bound, &x->problem, &x->from, &x->to, &error),
                    &error));
  return shk_keep(binding->workspace, x, unbind_handle_method);
}

static void to_reals(real *to, const double *from, int count)
{
  for (int i = 0; i < count; i++)
    to[i] = (real)from[i];
}

static void take_state(struct own_method *x, const struct shk_state *from)
{
  struct own_memory memory = {NULL};
  x->from.t = (double)from->t;
  shk_to_doubles(x->from.q, from->q, x->n);
  shk_to_doubles(x->from.p, from->p, x->n);
  shk_to_doubles(x->from.lambda, from->lambda, x->m);
  shk_to_doubles(x->from.mu, from->mu, x->m);
  if (x->from.memory_count > 0)
    shk_view_memory(&memory, x->own->memory, x, x->evaluator, from);
  if (x->from.memory_count > 0)
    shk_to_doubles(x->from.memory, memory.all, x->from.memory_count);
}

static void give_memory(struct own_method *x, struct shk_state *to, const double *numbers)
{
  struct own_memory memory;
  if (x->from.memory_count == 0)
    return;
  shk_view_memory(&memory, x->own->memory, x, x->evaluator, to);
  to_reals(memory.all, numbers, x->from.memory_count);
}

static struct shk_status begin_handle_method(void *method, struct shk_state *start, real h)
{
  struct own_method *x = method;
  struct shakedown_error error = {0};
  take_state(x, start);
  SHK_TRY(status_of(x, x->own->given.begin(x->bound, (double)h, &error), &error));
  give_memory(x, start, x->from.memory);
  return shk_ok();
}

static void reverse_handle_method(void *method, struct shk_state *state, real h)
{
  struct own_method *x = method;
  take_state(x, state);
  x->own->given.reverse(x->bound, (double)h);
  give_memory(x, state, x->from.memory);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct own_method *x = method;
  struct shakedown_error error;
  error.text[0] = '\0';
  take_state(x, from);
  x->to.t = (double)(from->t + h);
  memset(x->to.lambda, 0, (size_t)x->m * sizeof *x->to.lambda);
  memset(x->to.mu, 0, (size_t)x->m * sizeof *x->to.mu);
  SHK_TRY(status_of(x, x->own->given.step(x->bound, (double)h, &error), &error));
  to_reals(to->q, x->to.q, x->n);
  to_reals(to->p, x->to.p, x->n);
  to_reals(to->lambda, x->to.lambda, x->m);
  to_reals(to->mu, x->to.mu, x->m);
  give_memory(x, to, x->to.memory);
  memset(to->q_carry, 0, (size_t)x->n * sizeof *to->q_carry);
  memset(to->p_carry, 0, (size_t)x->n * sizeof *to->p_carry);
  return shk_ok();
}

/* ---- a solver ---- */

/* The memory of a bound solver. Every % in the message `reason` is doubled, because a status
 * contains a format string. */
struct own_solver {
  struct shakedown_error error;
  char reason[2 * sizeof((struct shakedown_error *)0)->text];
};

static struct shk_status status_of_solve(struct own_solver *x, int code)
{
  char *to = x->reason;
  for (const char *from = x->error.text; *from != '\0'; *to++ = *from++)
    if (*from == '%')
      *to++ = '%';
  *to = '\0';
  return shk_failure(code_of(code), x->reason, 0, 0);
}

/* `real` is always double here, because a client's solver is refused in all other precisions. */
static long solve(void *self, const struct shk_rod_task *task)
{
  const struct own *const own =
      (const struct own *)((const char *)task->solver - offsetof(struct own, solver));
  struct own_solver *const x = self;
  long taken = 0;
  const struct shakedown_rods rods = {.points = task->points,
                                      .rods = task->rods,
                                      .dimension = task->dimension,
                                      .mass = (const void *)task->mass,
                                      .rod = (const void *)task->rod,
                                      .fixed = (const void *)task->fixed,
                                      .before = (const void *)task->before,
                                      .positions = (void *)task->positions,
                                      .impulse = (void *)task->impulse,
                                      .tolerance = (double)task->tolerance,
                                      .iterations = task->iterations};
  x->error.text[0] = '\0';
  const int code = own->given.solve(own->given.user, &rods, &taken, &x->error);
  if (code == SHK_OK)
    return taken;
  if (x->error.text[0] != '\0')
    *task->why = status_of_solve(x, code);
  return -1;
}

/* ---- the registry ---- */

static const struct shk_integrator frame = {.struct_size = sizeof frame,
                                            SHK_METHOD(own_method),
                                            .bind = bind,
                                            .step = step,
                                            .options_at = SHK_AT(own_method, options)};
static const struct shk_provision offer = {SHK_PROVISION_HEAD, .name = "client"};

void *shk_handle_provide(const struct shakedown_method *method, const struct shk_stated *claims,
                         const struct shk_option *options, unsigned supports)
{
  struct own *own = calloc(1, sizeof *own);
  if (!own)
    return NULL;
  *own = (struct own){.integrator = frame, .provision = offer, .given = *method};
  own->integrator.info = (struct shk_integrator_info){.name = method->name,
                                                      .summary = method->summary,
                                                      .equations = method->equations,
                                                      .citation = method->citation,
                                                      .options = options,
                                                      .supports = supports,
                                                      .double_only = true,
                                                      .in_single = method->single,
                                                      .claims = claims};
  own->memory[0] = (struct shk_array){.at = SHK_AT_A(real *, own_memory, all),
                                      .n = (size_t)method->memory_n,
                                      .m = (size_t)method->memory_m,
                                      .ones = (size_t)method->memory_ones};
  if (method->memory_n + method->memory_m + method->memory_ones > 0) {
    own->integrator.memory = own->memory;
    own->integrator.begin = method->begin ? begin_handle_method : NULL;
    own->integrator.reverse = method->reverse ? reverse_handle_method : NULL;
  }
  own->solver = (struct shk_rod_solver){.struct_size = sizeof own->solver,
                                        .info = own->integrator.info,
                                        .self_size = sizeof(struct own_solver),
                                        .solve = solve,
                                        .refuses_fixed = method->refuses_fixed};
  own->list[0] = &own->integrator;
  own->solvers[0] = &own->solver;
  if (method->solve)
    own->provision.solvers = own->solvers;
  else
    own->provision.integrators = own->list;
  return own;
}

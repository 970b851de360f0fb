/*
 * A client's integrator in the form of the registry. Its steps call the client's functions with
 * doubles. The client evaluates the functions of the bound system by number
 * (<shakedown/questions.def>).
 */
#include "engine/surface/handle_parts.h"
#include "foundation/specifications/spec.h"

#include <shakedown/plugin.h>

#include <stdlib.h>
#include <string.h>

struct own {
  struct shk_provision provision;   /* first: the address of the provision is that of the struct */
  struct shk_integrator integrator; /* the binding points to it */
  const struct shk_integrator *list[2];
  struct shakedown_method given;
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

static double *doubles_handle_method(struct shk_workspace *workspace, int count)
{
  return shk_memory(workspace, ((size_t)count + 1) * sizeof(double));
}

static bool make_state(struct shakedown_state *s, struct shk_workspace *workspace, int n, int m)
{
  *s = (struct shakedown_state){.n = n,
                                .m = m,
                                .q = doubles_handle_method(workspace, n),
                                .p = doubles_handle_method(workspace, n),
                                .lambda = doubles_handle_method(workspace, m),
                                .mu = doubles_handle_method(workspace, m)};
  return s->q && s->p && s->lambda && s->mu;
}

static void unbind_handle_method(void *method)
{
  const struct own_method *x = method;
  x->own->given.unbind(x->bound);
}

/* Converts a client's code and message to a status; the message is kept with the options. */
static struct shk_status status_of(const struct own_method *x, int code,
                                   const struct shakedown_error *error)
{
  if (code == SHK_OK)
    return shk_ok();
  const bool known = code > SHK_OK && code < SHK_CODE_COUNT;
  return shk_failure(known ? (enum shk_code)code : SHK_STOPPED,
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
  if (!make_state(&x->from, binding->workspace, x->n, x->m) ||
      !make_state(&x->to, binding->workspace, x->n, x->m))
    return shk_no_memory();
  const struct shakedown_method *given = &x->own->given;
  SHK_TRY(status_of(x, given->bind(given->user, &x->bound, &x->problem, &x->from, &x->to, &error),
                    &error));
  return shk_keep(binding->workspace, x, unbind_handle_method);
}

static void to_reals(real *to, const double *from, int count)
{
  for (int i = 0; i < count; i++)
    to[i] = (real)from[i];
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct own_method *x = method;
  struct shakedown_error error;
  error.text[0] = '\0';
  x->from.t = (double)from->t;
  x->to.t = (double)(from->t + h);
  shk_to_doubles(x->from.q, from->q, x->n);
  shk_to_doubles(x->from.p, from->p, x->n);
  shk_to_doubles(x->from.lambda, from->lambda, x->m);
  shk_to_doubles(x->from.mu, from->mu, x->m);
  memset(x->to.lambda, 0, (size_t)x->m * sizeof *x->to.lambda);
  memset(x->to.mu, 0, (size_t)x->m * sizeof *x->to.mu);
  SHK_TRY(status_of(x, x->own->given.step(x->bound, (double)h, &error), &error));
  to_reals(to->q, x->to.q, x->n);
  to_reals(to->p, x->to.p, x->n);
  to_reals(to->lambda, x->to.lambda, x->m);
  to_reals(to->mu, x->to.mu, x->m);
  memset(to->q_carry, 0, (size_t)x->n * sizeof *to->q_carry);
  memset(to->p_carry, 0, (size_t)x->n * sizeof *to->p_carry);
  return shk_ok();
}

static const struct shk_integrator frame = {.struct_size = sizeof frame,
                                            SHK_METHOD(own_method),
                                            .bind = bind,
                                            .step = step,
                                            .options_at = SHK_AT(own_method, options)};
static const struct shk_provision offer = {SHK_PROVISION_HEAD, .name = "client"};

void *shk_handle_provide(const struct shakedown_method *method, const struct shk_stated *claims,
                         unsigned supports)
{
  static const struct shk_option no_options[] = {{0}};
  struct own *own = calloc(1, sizeof *own);
  if (!own)
    return NULL;
  *own = (struct own){.integrator = frame, .provision = offer, .given = *method};
  own->integrator.info = (struct shk_integrator_info){.name = method->name,
                                                      .summary = method->summary,
                                                      .equations = method->equations,
                                                      .citation = method->citation,
                                                      .options = no_options,
                                                      .supports = supports,
                                                      .double_only = true,
                                                      .in_single = method->single,
                                                      .claims = claims};
  own->list[0] = &own->integrator;
  own->provision.integrators = own->list;
  return own;
}

/* Binds a cell's strings to a system, a method and a start. See bind.h. */
#include "engine/bind.h"

#include "engine/names.h"
#include "engine/registry.h"
#include "foundation/specifications/spec.h"
#include "integrators/kit/base.h"
#include "mechanics/algebra/random.h"
#include "mechanics/binding/real_text.h"
#include "mechanics/diagnosis/frobenius.h"
#include "mechanics/diagnosis/well_posed.h"
#include "mechanics/system/callback.h"
#include "mechanics/system/evaluate.h"
#include "mechanics/system/manifold.h"
#include "mechanics/system/state.h"
#include "problems/kit/instance.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum shk_code shk_bind_fail(struct shk_message *error, struct shk_status status)
{
  char text[sizeof error->text];
  if (status.code != SHK_OK)
    shk_message_set(error, "%s", shk_status_text(text, sizeof text, status));
  return status.code;
}

#define SHK_FEATURE(feature, word, heading, has) has,
static const char *const feature_names[SHK_FEATURE_COUNT] = {
#include <shakedown/features.def>
};
#undef SHK_FEATURE

/* Finds the parts named in a specification. Sets *lacking if a part exists but is not available in
 * this precision. */
struct search {
  const struct shk_context *context;
  struct shk_message *lacking;
};

/* Finds an integrator, a problem or a plug-in's solver, and its options. The names have already
 * been checked, but a plug-in may not support this precision. If a solver is unknown, no message is
 * set. */
static bool find_part(const void *user, struct shk_option_part *part, enum shk_option_kind kind,
                      const char *name, struct shk_message *error)
{
  const struct search *const search = user;
  const struct shk_item item = shk_registry_item(search->context, kind, &(int){0}, name);
  *part = (struct shk_option_part){item.options, item.itself};
  if (item.itself)
    return true;
  if (shk_find_item(search->context, kind, name).name)
    shk_message_set(
        search->lacking,
        "there is no %s named %s in " REAL_NAME
        " precision: a plug-in that was built without this precision cannot be used here",
        kind == SHK_OPTION_PROBLEM      ? "problem"
        : kind == SHK_OPTION_INTEGRATOR ? "integrator"
                                        : "solver",
        name);
  else if (kind != SHK_OPTION_CHOICE)
    shk_unknown_name(search->context, error, kind, name);
  return false;
}

/* Finds the problem or integrator named in a specification and parses its options, which the caller
 * must free. On failure, returns NULL and sets the reason and *code. */
static struct shk_values *read_part(const struct shk_context *context, struct shk_option_part *part,
                                    enum shk_code *code, enum shk_option_kind kind,
                                    const char *text, struct shk_message *error)
{
  struct shk_message lacking = {""};
  const struct search search = {context, &lacking};
  const struct shk_scope scope = {find_part, &search, context->access};
  struct shk_spec *const spec = shk_spec_parse(text, error);
  struct shk_values *const values = spec && find_part(&search, part, kind, spec->name, error)
                                        ? shk_values_bind(&scope, spec, part->options, error)
                                        : NULL;
  shk_spec_free(spec);
  *code = values ? SHK_OK : lacking.text[0] != '\0' ? SHK_REFUSED : SHK_BAD_INPUT;
  if (*code == SHK_REFUSED)
    *error = lacking;
  return values;
}

enum shk_code shk_bind_problem(const struct shk_context *context, struct shk_bound *bound,
                               const char *problem, struct shk_message *error)
{
  struct shk_option_part part = {0};
  enum shk_code code;
  *bound = (struct shk_bound){.context = context};
  bound->parameters = read_part(context, &part, &code, SHK_OPTION_PROBLEM, problem, error);
  if (!bound->parameters)
    return code;
  bound->problem = part.itself;
  struct shk_instance *instance = &bound->instance;
  struct shk_status status = shk_instance_create(instance, bound->problem, bound->parameters);
  if (status.code != SHK_OK) {
    instance->system.context = NULL; /* nothing to free */
    bound->problem = NULL;
    return shk_bind_fail(error, status);
  }
  const struct shk_binding own = {.evaluator = &bound->observer, .workspace = instance->workspace};
  status = shk_evaluator_init(&bound->evaluator, &instance->system);
  if (status.code == SHK_OK)
    status = shk_evaluator_init_observer(&bound->observer, &instance->system);
  if (status.code == SHK_OK)
    status = shk_bind_manifold(&bound->manifold, &own);
  if (status.code == SHK_OK)
    status = shk_floors_create(&bound->floors, &bound->observer, instance->time_scale);
  if (status.code == SHK_OK)
    status = shk_reals(instance->workspace, &bound->scales, 2 * (size_t)instance->system.n);
  return shk_bind_fail(error, status);
}

void shk_unbind(struct shk_bound *bound)
{
  shk_method_destroy(bound->method);
  shk_state_clear(&bound->start);
  shk_evaluator_clear(&bound->evaluator);
  shk_evaluator_clear(&bound->observer);
  if (bound->problem && bound->instance.system.context)
    shk_instance_destroy(&bound->instance);
  shk_values_free(bound->parameters);
  shk_values_free(bound->options);
  *bound = (struct shk_bound){0};
}

/* Reads exactly n numbers, separated by commas or spaces. On failure, returns false and sets the
 * reason. */
static bool read_numbers(real *x, int n, const char *text, const char *what,
                         struct shk_message *error)
{
  char piece[64];
  int count = 0, used;
  for (; sscanf(text, " %63[^, \t] %n", piece, &used) == 1; count++) {
    real value;
    if (!shk_real_parse(&value, piece))
      return shk_message_set(error, "the start's %s: '%s' is not a number", what, piece);
    if (count < n)
      x[count] = value;
    text += used + (text[used] == ',');
  }
  return (count == n && *text == '\0') ||
         shk_message_set(error, "the start's %s has %d numbers, the problem has %d coordinates",
                         what, count, n);
}

/* Accepts or refuses velocity constraints, depending on Frobenius' test. Constraints that pass the
 * test without increasing the rank of G are integrated together with the corresponding holonomic
 * constraints. */
static enum shk_code judge_velocities(struct shk_bound *bound, struct shk_message *error)
{
  const struct shk_state *s = &bound->start;
  struct shk_frobenius test;
  const struct shk_status status = shk_frobenius_test(&test, &bound->observer, s->t, s->q, s->p);
  if (status.code != SHK_OK)
    return shk_bind_fail(error, status);
  if (test.integrable && s->m > 0 && test.rank == s->m)
    return SHK_OK;
  if (test.integrable)
    shk_message_set(
        error,
        "%s has velocity constraints A(q,t) v + a(q,t) = 0 that pass Frobenius' test at the start, "
        "but no g(q,t) whose gradients span them: also declare g(q,t) = 0, to which they integrate",
        bound->problem->info.name);
  else
    shk_message_set(error,
                    "%s is nonholonomic: its velocity constraints A(q,t) v + a(q,t) = 0 fail "
                    "Frobenius' test, |dα(u,v)| = %.3g over the free directions u, v, so they are "
                    "not equivalent to any g(q,t) = 0",
                    bound->problem->info.name, (double)test.twist);
  return SHK_REFUSED;
}

enum shk_code shk_bind_check_start(struct shk_bound *bound, struct shk_message *error)
{
  struct shk_state *s = &bound->start;
  if (bound->instance.system.features & SHK_VELOCITY_CONSTRAINT) {
    const enum shk_code code = judge_velocities(bound, error);
    if (code != SHK_OK)
      return code;
  }
  struct shk_status status = shk_well_posed_at(bound->manifold, &bound->observer, s->t, s->q, s->p);
  const struct shk_known_start *const known = bound->context->known;
  if (status.code == SHK_OK && known && known->has_lambda && known->m == s->m)
    return shk_bind_fail(error, shk_deficient_take(bound));
  if (status.code == SHK_OK)
    status = shk_exact_multiplier(bound->manifold, s->lambda, s->t, s->q, s->p);
  if (status.code == SHK_SINGULAR && shk_manifold_take_redundant(bound->manifold).code == SHK_OK)
    status = shk_exact_multiplier(bound->manifold, s->lambda, s->t, s->q, s->p);
  if (status.code == SHK_OK || status.code == SHK_SINGULAR) {
    const struct shk_status found = shk_deficient_find(bound);
    /* If all gradients are zero, all multipliers are equivalent, so zero, the shortest one, is
     * used. */
    if (status.code == SHK_SINGULAR && found.code == SHK_OK && bound->ranks.here == 0)
      memset(s->lambda, 0, (size_t)s->m * sizeof(real));
    else if (status.code == SHK_SINGULAR)
      return shk_bind_fail(error, status);
    status = found;
  }
  if (status.code != SHK_OK)
    return shk_bind_fail(error, status);
  if (!shk_state_is_finite(s)) {
    shk_message_set(error, "the start or its multiplier is not finite");
    return SHK_NOT_FINITE;
  }
  return SHK_OK;
}

/* Makes the problem use bound->start in place of its own start. */
static void adopt_start(struct shk_bound *bound)
{
  const struct shk_state *const s = &bound->start;
  bound->instance.exact = NULL; /* an exact solution is known only for the problem's own start */
  bound->instance.crossings = NULL;
  if (bound->instance.adopt)
    bound->instance.adopt(&bound->instance, s->q, s->p);
  shk_evaluator_forget(&bound->observer);
  shk_floors_note(&bound->floors, s->t, s->q, s->p);
}

enum shk_code shk_bind_point(struct shk_bound *bound, const char *q, const char *p, bool project,
                             struct shk_message *error)
{
  const struct shk_system *system = &bound->instance.system;
  struct shk_state *s = &bound->start;
  if (!shk_state_init(s, system->n, system->m))
    return shk_bind_fail(error, shk_no_memory());
  s->t = bound->instance.initial_time;
  const int begun = bound->instance.start(system->context, s->q, s->p);
  if (begun != 0 && system->why)
    return shk_bind_fail(error, shk_callback_status(system, begun));
  if (begun != 0) {
    shk_message_set(error, "the problem cannot compute its start");
    return SHK_STOPPED;
  }
  /* the sizes can be computed even if the forces cannot be evaluated */
  shk_floors_note(&bound->floors, s->t, s->q, s->p);
  if (q || p) {
    if (q && !read_numbers(s->q, s->n, q, "q", error))
      return SHK_BAD_INPUT;
    if (p && !read_numbers(s->p, s->n, p, "p", error))
      return SHK_BAD_INPUT;
    adopt_start(bound);
  }
  if (!project)
    return shk_check_consistency(bound, error);
  const struct shk_status status = shk_manifold_project_start(bound->manifold, s->q, s->p, s->t);
  return shk_bind_fail(error, status);
}

/* ---- kicks ---- */

/* The relative change per time scale that a kick should cause in the geometry. */
#define KICK_CHANGE R(0.25)

/* Returns a random number with mean 0 and variance 1. The number is a sum of 12 uniform random
 * numbers because such a sum, unlike logarithms and cosines, is the same to the last bit on every
 * machine and in every precision. */
static real draw_kick(uint64_t *random)
{
  int32_t sum = -12 * 0xFFFF / 2;
  for (int i = 0; i < 12; i++)
    sum += (int32_t)(shk_random_next(random) >> 48);
  return (real)sum / 65536;
}

/* Stores random momenta that are independent and have the same mean energy, as in thermal
 * equilibrium: p_i = ξ_i/√(H_pp)_ii. */
static struct shk_status draw_momenta(struct shk_bound *bound, real *dp, uint64_t random)
{
  const struct shk_state *const s = &bound->start;
  const size_t n = (size_t)s->n;
  const real *const mass = bound->instance.system.mass;
  real *hessian = NULL;
  if (shk_is_general(&bound->instance.system)) {
    SHK_TRY(shk_reals(bound->instance.workspace, &hessian, 4 * n * n));
    SHK_TRY(shk_hessian(&bound->observer, hessian, s->t, s->q, s->p));
  }
  for (size_t i = 0; i < n; i++) {
    const real softness = hessian ? hessian[(n + i) * 2 * n + n + i] : mass ? 1 / mass[i] : 1;
    const real drawn = draw_kick(&random);
    dp[i] = softness > 0 ? drawn / real_sqrt(softness) : 0;
  }
  return shk_ok();
}

/* Scratch space for a kick: the momenta before the kick, the momenta added by the kick, the
 * velocities, and the size of the velocities in each group of coordinates (n numbers each); the
 * curvatures (m numbers each); and the entries of G. */
struct kick {
  real *p, *dp, *v, *size, *scratch, *still, *curved, *back, *G;
};

/* Sets *rate to the relative change in the geometry per unit time due to the velocities that the
 * momenta dp add. This is |v|/|q| in a group of coordinates with the same unit and, if `rows` is
 * true, also the change |g_qq[v,v]|/(|G| |v|) in the direction of each row of G. */
static struct shk_status find_rate(struct shk_bound *bound, struct kick *k, bool rows, real *rate)
{
  const struct shk_state *const s = &bound->start;
  struct shk_evaluator *const e = &bound->observer;
  SHK_TRY(shk_velocity(e, k->scratch, s->t, s->q, k->p));
  for (int i = 0; i < s->n; i++)
    s->p[i] = k->p[i] + k->dp[i];
  SHK_TRY(shk_velocity(e, k->v, s->t, s->q, s->p));
  shk_vector_add(k->v, -1, k->scratch, s->n);
  shk_fill(k->size, 0, s->n);
  shk_floors_raise_groups(e->system, k->size, k->v, 1, k->scratch);
  *rate = 0;
  for (int i = 0; i < s->n; i++)
    *rate = real_max(*rate, k->size[i] / shk_floors_unit(bound->floors.q[i]));
  if (!rows || s->m == 0 || e->system->features & SHK_MOMENTUM_CONSTRAINT)
    return shk_ok();
  SHK_TRY(shk_jacobian(e, k->G, s->t, s->q));
  shk_fill(k->scratch, 0, s->n);
  SHK_TRY(shk_curvature(e, k->still, s->t, s->q, k->scratch));
  SHK_TRY(shk_curvature(e, k->curved, s->t, s->q, k->v));
  shk_negate(k->v, s->n);
  SHK_TRY(shk_curvature(e, k->back, s->t, s->q, k->v));
  for (int i = 0; i < s->m; i++) {
    real slope = 0;
    for (int j = e->row_start[i]; j < e->row_start[i + 1]; j++)
      slope += real_fabs(k->G[j]) * k->size[e->columns[j]];
    if (slope > 0)
      *rate = real_max(*rate, real_fabs((k->curved[i] + k->back[i]) / 2 - k->still[i]) / slope);
  }
  return shk_ok();
}

/* Scales the kick to KICK_CHANGE, adds it, and projects the momenta onto the hidden constraints,
 * orthogonally in M⁻¹. Then stores the part of the kick that survives the projection as the new
 * kick. */
static struct shk_status add_kick(struct shk_bound *bound, struct kick *k, bool rows)
{
  struct shk_state *const s = &bound->start;
  real rate;
  SHK_TRY(find_rate(bound, k, rows, &rate));
  const real factor = rate > 0 ? KICK_CHANGE / (rate * bound->instance.time_scale) : 0;
  for (int i = 0; i < s->n; i++)
    s->p[i] = k->p[i] + factor * k->dp[i];
  SHK_TRY(shk_manifold_project_start(bound->manifold, s->q, s->p, s->t));
  for (int i = 0; i < s->n; i++)
    k->dp[i] = s->p[i] - k->p[i];
  return shk_ok();
}

/* Adds random velocities, tangent to the constraints, to the start. The velocities are first drawn
 * for all coordinates and scaled by their sizes. Because most of these velocities may have been
 * normal to the constraints, they are then scaled a second time, also by the curvature of the
 * rows. */
static struct shk_status kick(struct shk_bound *bound, uint64_t seed)
{
  struct shk_state *const s = &bound->start;
  struct shk_workspace *const workspace = bound->instance.workspace;
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  struct kick k;
  if (bound->instance.system.features & SHK_GENERAL_DAE)
    return shk_refused(
        "--kick changes momenta, but a general differential-algebraic system has none");
  SHK_TRY(shk_reals(workspace, &k.p, 5 * n + 3 * m + (size_t)bound->observer.row_start[m]));
  k.dp = k.p + n;
  k.v = k.dp + n;
  k.size = k.v + n;
  k.scratch = k.size + n;
  k.still = k.scratch + n;
  k.curved = k.still + m;
  k.back = k.curved + m;
  k.G = k.back + m;
  shk_copy(k.p, s->p, s->n);
  SHK_TRY(draw_momenta(bound, k.dp, seed));
  SHK_TRY(add_kick(bound, &k, false));
  real moved = 0;
  for (int i = 0; i < s->n; i++)
    moved = real_max(moved, real_fabs(k.dp[i]) / shk_floors_unit(bound->floors.p[i]));
  if (!(moved > real_sqrt(REAL_EPSILON)))
    return shk_refused(
        "--kick cannot change the momenta, because the constraints leave no freedom at the start");
  SHK_TRY(add_kick(bound, &k, true));
  adopt_start(bound);
  return shk_ok();
}

static enum shk_code bind_integrator(struct shk_bound *bound, const char *integrator,
                                     struct shk_message *error)
{
  struct shk_option_part part = {0};
  enum shk_code code;
  bound->options =
      read_part(bound->context, &part, &code, SHK_OPTION_INTEGRATOR, integrator, error);
  bound->integrator = part.itself;
  return code;
}

static bool read_real(real *x, const char *text, const char *what, struct shk_message *error)
{
  if (!text || shk_real_parse(x, text))
    return true;
  shk_message_set(error, "%s '%s' is not a number", what, text);
  return false;
}

/* Initializes the method's memory, which is part of the state, at the start. The method can set it;
 * otherwise it is zero. */
static struct shk_status begin_memory(struct shk_bound *bound)
{
  const size_t count = shk_method_memory(bound->integrator, bound->method, &bound->evaluator);
  struct shk_state *const start = &bound->start;
  if (count != (size_t)start->memory_count && !shk_state_add_memory(start, count))
    return shk_no_memory();
  memset(start->memory, 0, count * sizeof(real));
  return bound->integrator->begin && count > 0
             ? bound->integrator->begin(bound->method, start, bound->step)
             : shk_ok();
}

struct shk_status shk_bind_method(struct shk_bound *bound)
{
  shk_method_destroy(bound->method);
  bound->method = NULL;
  bound->evaluator.counters = (struct shk_counters){0};
  memset(bound->evaluator.own_work, 0, sizeof bound->evaluator.own_work);
  shk_evaluator_forget(&bound->evaluator);
  SHK_TRY(shk_method_create(&bound->method, bound->integrator,
                            &(struct shk_binding){.struct_size = sizeof(struct shk_binding),
                                                  .instance = &bound->instance,
                                                  .evaluator = &bound->evaluator,
                                                  .options = bound->options,
                                                  .tolerance = bound->tolerance}));
  return begin_memory(bound);
}

struct shk_map shk_bind_map(const struct shk_bound *bound, real step)
{
  const struct shk_map map = {.instance = &bound->instance,
                              .manifold = bound->manifold,
                              .integrator = bound->integrator,
                              .method = bound->method,
                              .start = &bound->start,
                              .step = step,
                              .q_scale = bound->scales,
                              .p_scale = bound->scales + bound->start.n};
  shk_map_find_scales(&map, &bound->floors);
  return map;
}

/* Creates and checks the start of a cell. If a degenerate system is refused, the chain of
 * constraints is added to the reason. */
static enum shk_code begin_at(struct shk_bound *bound, const struct shk_cell *cell,
                              struct shk_message *error)
{
  enum shk_code code = shk_bind_point(bound, cell->q, cell->p, cell->project, error);
  if (code == SHK_OK && cell->kick)
    code = shk_bind_fail(error, kick(bound, strtoull(cell->kick, NULL, 10)));
  if (code == SHK_OK)
    code = shk_bind_check_start(bound, error);
  if (code == SHK_REFUSED && !(bound->instance.system.features & SHK_VELOCITY_CONSTRAINT))
    shk_explain(bound->context, error, cell->problem, cell->q, cell->p, cell->project);
  return code;
}

enum shk_code shk_bind_cell(const struct shk_context *context, struct shk_bound *bound,
                            const struct shk_cell *cell, struct shk_message *error)
{
  enum shk_code code = shk_bind_problem(context, bound, cell->problem, error);
  if (code == SHK_OK)
    code = bind_integrator(bound, cell->integrator, error);
  if (code != SHK_OK)
    return code;
  const struct shk_integrator_info *info = &bound->integrator->info;
  /* Velocity constraints may be holonomic, which is tested at the start. */
  const unsigned missing =
      bound->instance.system.features & ~info->supports & ~(unsigned)SHK_VELOCITY_CONSTRAINT;
  for (int i = 0; i < SHK_FEATURE_COUNT; i++)
    if (missing & 1u << i) {
      /* Reasons that apply to all integrators are reported first. */
      if (begin_at(bound, cell, error) == SHK_REFUSED)
        return SHK_REFUSED;
      shk_message_set(error, "%s does not apply: %s has %s", info->name, bound->problem->info.name,
                      feature_names[i]);
      return SHK_REFUSED;
    }
  if (info->double_only && SHK_PRECISION != (info->in_single ? 32 : 64)) {
    shk_message_set(error, "%s works in %s precision only", info->name,
                    info->in_single ? "single" : "double");
    return SHK_REFUSED;
  }
  if (!read_real(&bound->step, cell->step, "the step", error) ||
      !read_real(&bound->until, cell->until, "the end time", error) ||
      !read_real(&bound->tolerance, cell->tolerance, "the tolerance", error))
    return SHK_BAD_INPUT;
  const enum shk_code started = begin_at(bound, cell, error);
  if (started != SHK_OK)
    return started;
  struct shk_status status = shk_bind_method(bound);
  if (status.code != SHK_OK)
    return shk_bind_fail(error, status);
  bool tried;
  const enum shk_code taken = shk_deficient_try(bound, &tried, error);
  if (tried && taken == SHK_OK)
    status = shk_bind_method(bound);
  return status.code == SHK_OK ? taken : shk_bind_fail(error, status);
}

bool shk_bind_outcome(const struct shk_context *context, struct shk_bound *bound,
                      struct shk_outcome *outcome, const struct shk_cell *cell)
{
  struct shk_message error = {.text = ""};
  outcome->code = shk_bind_cell(context, bound, cell, &error);
  shk_text_fit(outcome->reason, sizeof outcome->reason, error.text);
  if (outcome->code != SHK_OK)
    return false;
  outcome->n = bound->start.n;
  outcome->m = bound->start.m;
  outcome->solver = bound->evaluator.solver;
  return true;
}

void shk_bind_report(const struct shk_bound *bound, struct shk_outcome *outcome,
                     struct shk_status status)
{
  const int room = sizeof outcome->history / sizeof outcome->history[0];
  outcome->code = status.code;
  if (status.code != SHK_OK)
    shk_status_text(outcome->reason, sizeof outcome->reason, status);
  if (bound->method && (status.code == SHK_NOT_CONVERGED || status.code == SHK_SINGULAR))
    outcome->history_count = shk_last_residuals(&bound->evaluator, outcome->history, room);
}

bool shk_bind_claims(const struct shk_context *context, struct shk_claims *claims,
                     const char *integrator, struct shk_message *error)
{
  struct shk_bound bound = {.context = context};
  const bool ok = bind_integrator(&bound, integrator, error) == SHK_OK;
  if (ok) {
    shk_claims_under(claims, bound.integrator, bound.options);
    if (claims->reversible == SHK_UNKNOWN)
      claims->reversible = claims->symmetric;
    const struct shk_integrator_info *const info = &bound.integrator->info;
    if (claims->modified_hamiltonian == SHK_UNKNOWN && claims->presymplectic == SHK_YES &&
        !info->adaptive && !info->exact && claims->constraint_level == 0)
      claims->modified_hamiltonian = SHK_YES;
    if (claims->permutation_equivariant == SHK_UNKNOWN && claims->order_q != SHK_NO_ORDER &&
        !info->adaptive && !info->exact && claims->constraint_level == 0)
      claims->permutation_equivariant = SHK_YES;
  }
  shk_values_free(bound.options);
  return ok;
}

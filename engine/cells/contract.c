/* Runs the contract checks. See contract.h. */
#include "engine/cells/contract.h"

#include "foundation/memory.h"
#include "foundation/message.h"
#include "integrators/kit/base.h"
#include "mechanics/system/evaluate.h"
#include "mechanics/system/manifold.h"
#include "mechanics/system/state.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* ---- for the parts ---- */

void shk_cell_contract_fault(struct shk_contract *c, real h, const char *format, ...)
{
  if (c->faults++ > 0)
    return;
  va_list arguments;
  va_start(arguments, format);
  char *const fault = shk_print_arguments(format, arguments);
  va_end(arguments);
  if (h != 0)
    shk_text_print(c->reason, sizeof c->reason, "a step of %.3g (time scale %.3g) %s", (double)h,
                   (double)c->bound.instance.time_scale, fault);
  else
    shk_text_fit(c->reason, sizeof c->reason, fault);
  free(fault);
}

struct shk_status shk_cell_contract_bind(struct shk_contract *c)
{
  c->bound.step = c->h; /* the step size from which the method's memory is initialized */
  SHK_TRY(shk_bind_method(&c->bound));
  c->map = shk_bind_map(&c->bound, c->h);
  return shk_ok();
}

bool shk_cell_contract_step(const struct shk_contract *c, struct shk_state *to,
                            const struct shk_state *from, real h)
{
  return shk_map_step(&c->map, to, from, h).code == SHK_OK;
}

struct shk_status shk_cell_contract_move_away(struct shk_contract *c)
{
  for (int k = 0; k < SHK_CONTRACT_AWAY; k++) {
    SHK_TRY(shk_map_step(&c->map, &c->to, &c->from, c->h));
    shk_state_copy(&c->from, &c->to);
  }
  return shk_ok();
}

struct shk_status shk_cell_contract_floor(struct shk_contract *c, real *floor,
                                          const struct shk_map *map, const struct shk_state *to,
                                          const struct shk_state *from, real h)
{
  shk_state_copy(&c->near, from);
  shk_map_perturb(map, &c->near);
  SHK_TRY(shk_map_step(map, &c->at, &c->near, h));
  *floor = real_max(*floor, shk_map_rounding(map, h));
  *floor = real_max(*floor, shk_map_distance(map, to, &c->at, false));
  return shk_ok();
}

struct shk_status shk_cell_contract_evaluate(struct shk_contract *c, const struct shk_state *s)
{
  SHK_TRY(shk_manifold_residuals(c->bound.manifold, c->scratch.lambda, c->scratch.mu, s->t, s->q,
                                 s->p));
  return c->bound.instance.system.features & SHK_GENERAL_DAE
             ? shk_ok()
             : shk_velocity(&c->bound.observer, c->scratch.q, s->t, s->q, s->p);
}

/* Stores the sizes of the starts in c->sizes, and increases them to those of a step to s where
 * these are larger. */
static void note_sizes(struct shk_contract *c, const struct shk_state *s)
{
  const struct shk_floors *const of_start = &c->bound.floors;
  shk_copy(c->sizes.q, of_start->q, c->n);
  shk_copy(c->sizes.p, of_start->p, c->n);
  c->sizes.t = of_start->t;
  shk_floors_reach(&c->sizes, c->from.t, c->from.q, c->from.p);
  shk_floors_reach(&c->sizes, s->t, s->q, s->p);
}

struct shk_status shk_cell_contract_residuals(struct shk_contract *c,
                                              struct shk_cell_contract_rows *rows,
                                              const struct shk_state *s)
{
  const struct shk_system *const system = &c->bound.instance.system;
  struct shk_floors_of_manifold of = {c->bound.manifold, c->m};
  real *const least = c->rows, *const at = least + 2 * c->m;
  *rows = (struct shk_cell_contract_rows){.largest = {0}};
  SHK_TRY(shk_cell_contract_evaluate(c, s));
  note_sizes(c, s);
  shk_fill(least, 0, 2 * c->m);
  SHK_TRY(shk_floors_raise(&c->sizes, least, at, 2 * c->m, shk_floors_residuals, &of, s->t, s->q,
                           s->p));
  for (int i = 0; i < 2 * c->m; i++) {
    const real part = at[i] == 0 ? 0 : REAL_EPSILON * (real_fabs(at[i]) / least[i]);
    real *const relative = &rows->relative[i >= c->m];
    /* a NaN fails this comparison and is therefore stored */
    *relative = part <= *relative ? *relative : part;
  }
  rows->largest[0] = shk_constraint_norm(system, at);
  rows->largest[1] = shk_constraint_norm(system, at + c->m);
  return shk_ok();
}

/* A state that exceeds a free flight by this factor is inconclusive. */
#define BLOWN_UP 100

/* Returns true if a step longer than a time scale leads to a state that is far larger than those of
 * both the motion and a free flight. The state was even larger before it was projected, and the
 * rounding errors of the larger state remain in the residuals. */
static bool is_blown_up(const struct shk_contract *c, real h)
{
  const struct shk_floors *const of_start = &c->bound.floors;
  const real most = BLOWN_UP * (1 + real_fabs(h) / c->bound.instance.time_scale);
  bool blown_up = false;
  if (real_fabs(h) <= c->bound.instance.time_scale)
    return false;
  for (int j = 0; j < c->n && !blown_up; j++)
    blown_up = real_fabs(c->to.q[j]) > most * real_max(of_start->q[j], real_fabs(c->from.q[j])) ||
               real_fabs(c->to.p[j]) > most * real_max(of_start->p[j], real_fabs(c->from.p[j]));
  return blown_up;
}

enum shk_off shk_cell_contract_off(struct shk_contract *c, struct shk_cell_contract_rows *rows,
                                   real h)
{
  /* The bound is half the digits times 1 + |h|/τ, because the other half can be lost if the
   * constraint matrix is nearly singular. Cells of kind "run" test the claim to the last digits. */
  const real left = real_sqrt(real_max(REAL_EPSILON, (real)c->claims.constraint_level)) *
                    (1 + real_fabs(h) / c->bound.instance.time_scale);
  if (is_blown_up(c, h))
    return SHK_ON;
  if (shk_cell_contract_residuals(c, rows, &c->to).code != SHK_OK ||
      (c->claims.keeps_constraint == SHK_YES && !(rows->relative[0] <= left)))
    return SHK_OFF_CONSTRAINT;
  return c->claims.keeps_hidden == SHK_YES && !(rows->relative[1] <= left) ? SHK_OFF_HIDDEN
                                                                           : SHK_ON;
}

/* ---- one part ---- */

/* Returns a fiftieth of the time scale or, if smaller, a quarter of the method's largest stable
 * step. */
static real ordinary_step(const struct shk_bound *bound)
{
  struct shk_fact facts[8];
  const struct shk_integrator *const integrator = bound->integrator;
  const int count =
      integrator->facts ? integrator->facts(bound->method, facts, 8, &bound->start) : 0;
  real h = bound->instance.time_scale / 50;
  for (int i = 0; i < count; i++)
    if (strcmp(facts[i].name, "stability-limit") == 0)
      h = real_min(h, (real)facts[i].value / 4);
  return h;
}

static struct shk_status begin_contract(struct shk_contract *c)
{
  if (c->bound.integrator->info.exact)
    return shk_refused("the exact solution from one start is not a method");
  shk_claims_under(&c->claims, c->bound.integrator, c->bound.options);
  c->h = ordinary_step(&c->bound);
  c->adaptive = c->bound.integrator->info.adaptive;
  for (int i = 0; i < SHK_CONTRACT_STATES; i++)
    if (!shk_state_init_like(&c->states[i], &c->bound.start))
      return shk_no_memory();
  c->n = c->bound.start.n;
  c->m = c->bound.start.m;
  SHK_TRY(shk_floors_create(&c->sizes, &c->bound.observer, c->bound.instance.time_scale));
  SHK_TRY(shk_reals(c->bound.instance.workspace, &c->rows, 6 * (size_t)c->m));
  return shk_cell_contract_bind(c); /* restore the state of the method before its first step */
}

static const struct part {
  const char *kind;
  struct shk_status (*run)(struct shk_contract *contract);
} parts[] = {{"contract", shk_cell_contract_memory},
             {"stateless", shk_cell_contract_stateless},
             {"valid-states", shk_cell_contract_valid_states},
             {"smooth", shk_cell_contract_smooth},
             {"solver-tolerance", shk_cell_contract_tolerance}};

static void run_contract(const struct part *part, struct shk_contract *c,
                         struct shk_outcome *outcome)
{
  struct shk_status status = begin_contract(c);
  if (status.code == SHK_OK)
    status = part->run(c);
  shk_bind_report(&c->bound, outcome, status);
  if (status.code != SHK_OK)
    return;
  shk_text_fit(outcome->reason, sizeof outcome->reason, c->reason);
  char name[64];
  snprintf(name, sizeof name, "%s-faults", part->kind);
  shk_outcome_add_scalar(outcome, name, c->faults);
}

bool shk_contract_cell(const struct shk_context *context, struct shk_outcome *outcome,
                       const struct shk_cell *cell)
{
  for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++) {
    struct shk_contract c = {.cell = cell};
    if (strcmp(parts[part].kind, cell->kind) != 0)
      continue;
    *outcome = (struct shk_outcome){.reached = NAN};
    if (shk_bind_outcome(context, &c.bound, outcome, cell))
      run_contract(&parts[part], &c, outcome);
    for (int i = 0; i < SHK_CONTRACT_STATES; i++)
      shk_state_clear(&c.states[i]);
    shk_unbind(&c.bound);
    return true;
  }
  return false;
}

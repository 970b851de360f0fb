/* Contract checks. See contract.h. */
#include "engine/cells/contract.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct part {
  const char *kind;
  struct shk_status (*run)(struct shk_contract *contract);
} parts[] = {{"contract", shk_contract_memory},
             {"stateless", shk_contract_stateless},
             {"valid-states", shk_contract_valid_states},
             {"smooth", shk_contract_smooth}};
enum { PARTS = sizeof parts / sizeof parts[0] };

/* ---- for the parts ---- */

void shk_contract_fault(struct shk_check *check, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  if (check->holds)
    vsnprintf(check->detail, sizeof check->detail, format, arguments);
  check->holds = false;
  va_end(arguments);
}

struct shk_status shk_contract_bind(struct shk_contract *c)
{
  SHK_TRY(shk_bind_method(&c->bound));
  c->map = shk_bind_map(&c->bound, c->h);
  return shk_ok();
}

struct shk_status shk_contract_move_away(struct shk_contract *c)
{
  for (int k = 0; k < SHK_CONTRACT_AWAY; k++) {
    SHK_TRY(shk_map_step(&c->map, &c->to, &c->from, c->h));
    shk_state_copy(&c->from, &c->to);
  }
  return shk_ok();
}

struct shk_status shk_contract_floor(struct shk_contract *c, real *floor, const struct shk_map *map,
                                     const struct shk_state *to, const struct shk_state *from,
                                     real h)
{
  shk_state_copy(&c->near, from);
  shk_map_perturb(map, &c->near);
  SHK_TRY(shk_map_step(map, &c->at, &c->near, h));
  *floor = real_max(*floor, shk_map_rounding(map, h));
  *floor = real_max(*floor, shk_map_distance(map, to, &c->at, false));
  return shk_ok();
}

struct shk_status shk_contract_evaluate(struct shk_contract *c, const struct shk_state *s, real t)
{
  SHK_TRY(shk_manifold_residuals(c->bound.manifold, c->work.lambda, c->work.mu, t, s->q, s->p));
  return c->bound.instance.system.features & SHK_GENERAL_DAE
             ? shk_ok()
             : shk_velocity(&c->bound.observer, c->work.q, t, s->q, s->p);
}

/* ---- one part ---- */

/* Returns a fiftieth of the time scale, or a quarter of the method's largest stable step if that is
 * less. */
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

static struct shk_status begin(struct shk_contract *c)
{
  if (c->bound.integrator->info.exact)
    return shk_failure(SHK_REFUSED, "the exact solution from one start is no method", 0, 0);
  shk_claims_under(&c->claims, c->bound.integrator, c->bound.options);
  c->h = ordinary_step(&c->bound);
  for (int i = 0; i < SHK_CONTRACT_STATES; i++)
    if (!shk_state_init_like(&c->states[i], &c->bound.start))
      return shk_no_memory();
  c->begun = true;
  return shk_contract_bind(c); /* in the state before its first step */
}

static enum shk_code run(const struct shk_context *context, struct shk_contract *c,
                         const struct part *part, struct shk_message *error)
{
  const enum shk_code code = shk_bind_cell(context, &c->bound, c->cell, error);
  if (code != SHK_OK)
    return code;
  struct shk_status status = begin(c);
  if (status.code == SHK_OK)
    status = part->run(c);
  return shk_bind_fail(error, status);
}

static void end(struct shk_contract *c)
{
  for (int i = 0; i < SHK_CONTRACT_STATES; i++)
    shk_state_clear(&c->states[i]);
  shk_unbind(&c->bound);
}

bool shk_contract_cell(const struct shk_context *context, struct shk_outcome *outcome,
                       const struct shk_cell *cell)
{
  int part = 0;
  while (part < PARTS && strcmp(parts[part].kind, cell->kind) != 0)
    part++;
  if (part == PARTS)
    return false;
  struct shk_checks checks = {0};
  struct shk_message error = {.text = ""};
  struct shk_contract c = {.cell = cell, .checks = &checks};
  *outcome = (struct shk_outcome){.reached = NAN};
  outcome->code = run(context, &c, &parts[part], &error);
  if (c.begun) {
    outcome->n = c.bound.start.n;
    outcome->m = c.bound.start.m;
  }
  const char *reason = error.text;
  if (outcome->code == SHK_OK) {
    char name[48];
    int faults = 0;
    for (int i = checks.count - 1; i >= 0; i--) { /* ends with the first remark */
      faults += !checks.items[i].holds;
      if (checks.items[i].detail[0] != '\0')
        reason = checks.items[i].detail;
    }
    snprintf(name, sizeof name, "%s-faults", cell->kind);
    shk_outcome_add_scalar(outcome, name, faults);
    if (faults > 0)
      reason = shk_checks_fault(&checks)->detail;
  }
  shk_text_fit(outcome->reason, sizeof outcome->reason, reason);
  end(&c);
  return true;
}

bool shk_contract_audit(const struct shk_context *context, struct shk_checks *checks, bool *applies,
                        const char *problem, const char *integrator, struct shk_message *error)
{
  const struct shk_cell cell = {.kind = (char *)"contract",
                                .problem = (char *)problem,
                                .integrator = (char *)integrator,
                                .tolerance = (char *)"1e-6"};
  enum shk_code code = SHK_OK;
  *checks = (struct shk_checks){0};
  *applies = true;
  /* Stops at the first part with a fault: the next parts would find it again. */
  for (int i = 0; code == SHK_OK && i < PARTS && !shk_checks_fault(checks); i++) {
    struct shk_contract c = {.cell = &cell, .checks = checks, .quick = true};
    code = run(context, &c, &parts[i], error);
    *applies = c.begun || code != SHK_REFUSED;
    end(&c);
  }
  return code == SHK_OK;
}

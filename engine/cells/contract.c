/* Contract checks. See contract.h. */
#include "engine/cells/contract.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct part {
  const char *kind, *name;
  struct shk_status (*run)(struct shk_contract *contract);
} parts[] = {{"contract", "step", shk_contract_memory},
             {"stateless", "stateless", shk_contract_stateless},
             {"valid-states", "valid states", shk_contract_valid_states},
             {"smooth", "smooth", shk_contract_smooth}};
enum { PARTS = sizeof parts / sizeof parts[0] };

/* ---- for the parts ---- */

struct shk_check *shk_contract_check(struct shk_contract *c, const char *what)
{
  return shk_checks_add(c->checks, c->part, what, NULL);
}

void shk_contract_fault(const struct shk_contract *c, struct shk_check *check, real h,
                        const char *format, ...)
{
  va_list arguments;
  int used = 0;
  va_start(arguments, format);
  if (check->holds && h != 0)
    used = snprintf(check->detail, sizeof check->detail, "a step of %.3g (time scale %.3g) ",
                    (double)h, (double)c->bound.instance.time_scale);
  if (check->holds)
    vsnprintf(check->detail + used, sizeof check->detail - (size_t)used, format, arguments);
  check->holds = false;
  va_end(arguments);
}

struct shk_status shk_contract_bind(struct shk_contract *c)
{
  SHK_TRY(shk_bind_method(&c->bound));
  c->map = shk_bind_map(&c->bound, c->h);
  return shk_ok();
}

bool shk_contract_step(const struct shk_contract *c, struct shk_state *to,
                       const struct shk_state *from, real h)
{
  return shk_map_step(&c->map, to, from, h).code == SHK_OK;
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

struct shk_status shk_contract_evaluate(struct shk_contract *c, const struct shk_state *s)
{
  SHK_TRY(shk_manifold_residuals(c->bound.manifold, c->work.lambda, c->work.mu, s->t, s->q, s->p));
  return c->bound.instance.system.features & SHK_GENERAL_DAE
             ? shk_ok()
             : shk_velocity(&c->bound.observer, c->work.q, s->t, s->q, s->p);
}

enum shk_off shk_contract_off(struct shk_contract *c, real residuals[2], real h)
{
  const struct shk_system *const system = &c->bound.instance.system;
  const struct shk_state *const to = &c->to, *const work = &c->work;
  const bool fails = shk_contract_evaluate(c, to).code != SHK_OK;
  const real speed = real_max(real_max_norm(to->p, c->n), real_max_norm(work->q, c->n));
  const real size = real_max_norm(to->q, c->n), before = real_max_norm(c->from.q, c->n);
  const real largest = real_max(1, real_max(size, before));
  /* Half the digits of positions of the size |q| (1 + h/τ): a nearly singular constraint matrix may
   * cost the others. The claim is tested to the last digits in runs. */
  const real left = real_sqrt(REAL_EPSILON) * largest * largest *
                    (1 + real_fabs(h) / c->bound.instance.time_scale);
  residuals[0] = shk_constraint_norm(system, work->lambda);
  residuals[1] = shk_constraint_norm(system, work->mu);
  if (fails || (c->claims.keeps_constraint == SHK_YES && !(residuals[0] <= left)))
    return SHK_OFF_CONSTRAINT;
  return c->claims.keeps_hidden == SHK_YES && !(residuals[1] <= left * real_max(1, speed))
             ? SHK_OFF_HIDDEN
             : SHK_ON;
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
  c->adaptive = c->bound.integrator->info.adaptive;
  for (int i = 0; i < SHK_CONTRACT_STATES; i++)
    if (!shk_state_init_like(&c->states[i], &c->bound.start))
      return shk_no_memory();
  c->n = c->bound.start.n;
  c->m = c->bound.start.m;
  return shk_contract_bind(c); /* in the state before its first step */
}

static enum shk_code run(const struct shk_context *context, struct shk_contract *c,
                         const struct part *part, struct shk_message *error)
{
  enum shk_code code = shk_bind_cell(context, &c->bound, c->cell, error);
  c->part = part->name;
  if (code == SHK_OK) {
    const struct shk_status begun = begin(c);
    code = shk_bind_fail(error, begun.code == SHK_OK ? part->run(c) : begun);
  }
  for (int i = 0; i < SHK_CONTRACT_STATES; i++)
    shk_state_clear(&c->states[i]);
  shk_unbind(&c->bound);
  return code;
}

bool shk_contract_cell(const struct shk_context *context, struct shk_outcome *outcome,
                       const struct shk_cell *cell)
{
  int part = 0, faults = 0;
  while (part < PARTS && strcmp(parts[part].kind, cell->kind) != 0)
    part++;
  if (part == PARTS)
    return false;
  struct shk_checks checks = {0};
  struct shk_message error = {.text = ""};
  struct shk_contract c = {.cell = cell, .checks = &checks};
  const char *reason = error.text;
  const enum shk_code code = run(context, &c, &parts[part], &error);
  *outcome = (struct shk_outcome){.code = code, .reached = NAN, .n = c.n, .m = c.m};
  for (int i = checks.count - 1; code == SHK_OK && i >= 0; i--) {
    const struct shk_check *const check = &checks.items[i];
    faults += !check->holds; /* the first fault is the reason, or else the first remark */
    if (check->detail[0] != '\0' && (faults == 0 || !check->holds))
      reason = check->detail;
  }
  if (code == SHK_OK)
    shk_structure_add(outcome, cell->kind, "faults", faults);
  shk_text_fit(outcome->reason, sizeof outcome->reason, reason);
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
    *applies = c.n > 0 || code != SHK_REFUSED;
  }
  return code == SHK_OK;
}

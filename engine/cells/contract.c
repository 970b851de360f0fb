/* What a method must not do, whatever it claims. See contract.h. */
#include "engine/cells/contract.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *kind;
  struct shk_status (*look)(struct shk_contract *contract);
} parts[] = {{"contract", shk_contract_memory},
             {"stateless", shk_contract_stateless},
             {"valid-states", shk_contract_valid_states},
             {"smooth", shk_contract_smooth}};
enum { PARTS = sizeof parts / sizeof parts[0] };

static int part_of(const char *kind)
{
  for (int i = 0; i < PARTS; i++)
    if (strcmp(parts[i].kind, kind) == 0)
      return i;
  return -1;
}

bool shk_contract_kind(const char *kind)
{
  return part_of(kind) >= 0;
}

struct shk_map shk_contract_map(const struct shk_contract *c)
{
  return (struct shk_map){.instance = &c->bound.instance,
                          .manifold = c->bound.manifold,
                          .integrator = c->bound.integrator,
                          .method = c->bound.method,
                          .start = &c->bound.start,
                          .step = c->h};
}

struct shk_status shk_contract_step(const struct shk_contract *c, struct shk_state *to,
                                    const struct shk_state *from, real h)
{
  const struct shk_map map = shk_contract_map(c);
  return shk_map_step(&map, to, from, h);
}

/* A fiftieth of the time scale, or a quarter of the largest stable step where the method knows it.
 */
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

static enum shk_code begin(const struct shk_context *context, struct shk_contract *c,
                           struct shk_message *error)
{
  const enum shk_code code = shk_bind_cell(context, &c->bound, c->cell, error);
  if (code != SHK_OK)
    return code;
  if (c->bound.integrator->info.exact) {
    shk_message_set(error, "the exact solution from one start is no method");
    return SHK_REFUSED;
  }
  shk_claims_under(&c->claims, c->bound.integrator, c->bound.options);
  c->h = ordinary_step(&c->bound);
  for (int i = 0; i < SHK_CONTRACT_STATES; i++)
    if (!shk_state_init_like(&c->states[i], &c->bound.start)) {
      shk_message_set(error, "no memory for the states");
      return SHK_NO_MEMORY;
    }
  return shk_bind_method(&c->bound).code; /* as before its first step */
}

static void end(struct shk_contract *c)
{
  for (int i = 0; i < SHK_CONTRACT_STATES; i++)
    shk_state_clear(&c->states[i]);
  shk_unbind(&c->bound);
}

void shk_contract_cell(const struct shk_context *context, struct shk_outcome *outcome,
                       const struct shk_cell *cell)
{
  struct shk_checks checks = {0};
  struct shk_message error = {.text = ""};
  struct shk_contract c = {.cell = cell, .checks = &checks};
  *outcome = (struct shk_outcome){.reached = NAN};
  outcome->code = begin(context, &c, &error);
  shk_text_fit(outcome->reason, sizeof outcome->reason, error.text);
  if (outcome->code == SHK_OK) {
    outcome->n = c.bound.start.n;
    outcome->m = c.bound.start.m;
    const struct shk_status status = parts[part_of(cell->kind)].look(&c);
    outcome->code = status.code;
    if (status.code != SHK_OK) {
      shk_status_text(outcome->reason, sizeof outcome->reason, status);
    } else {
      char name[48];
      int faults = 0;
      for (int i = 0; i < checks.count; i++) {
        faults += !checks.items[i].holds;
        if (outcome->reason[0] == '\0' && checks.items[i].holds) /* what there is to say else */
          shk_text_fit(outcome->reason, sizeof outcome->reason, checks.items[i].detail);
      }
      snprintf(name, sizeof name, "%s-faults", cell->kind);
      shk_outcome_add_scalar(outcome, name, faults);
      if (faults > 0)
        shk_text_fit(outcome->reason, sizeof outcome->reason, shk_checks_fault(&checks)->detail);
    }
  }
  end(&c);
}

bool shk_contract_audit(const struct shk_context *context, struct shk_checks *checks, bool *applies,
                        const char *problem, const char *integrator, struct shk_message *error)
{
  const struct shk_cell cell = {.kind = (char *)"contract",
                                .problem = (char *)problem,
                                .integrator = (char *)integrator,
                                .tolerance = (char *)"1e-6"};
  bool ok = true;
  *checks = (struct shk_checks){0};
  *applies = true;
  /* What follows a fault would say the same again. */
  for (int i = 0; ok && i < PARTS && !shk_checks_fault(checks); i++) {
    struct shk_contract c = {.cell = &cell, .checks = checks, .quick = true};
    const enum shk_code code = begin(context, &c, error);
    *applies = code != SHK_REFUSED;
    ok = code == SHK_OK;
    const struct shk_status status = ok ? parts[i].look(&c) : shk_ok();
    if (status.code != SHK_OK) {
      char text[sizeof error->text];
      shk_message_set(error, "%s", shk_status_text(text, sizeof text, status));
      ok = false;
    }
    end(&c);
  }
  return ok;
}

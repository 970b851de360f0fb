/*
 * Test that steps keep the contract of <shakedown/integrator.h>, in three settings: in the process,
 * whose environment is compared after each step; on a system whose functions are audited
 * (mechanics/system/audit.h); and between guard bytes. The guards surround all arrays of a step and
 * those that the method allocated. Guards and new states have bytes 0 in one run and bytes that
 * make a NaN in another; both runs must end in the same state.
 */
#include "engine/cells/contract.h"
#include "foundation/processes/surroundings.h"
#include "mechanics/system/audit.h"
#include "mechanics/system/binding.h"
#include "mechanics/system/state.h"

#include <shakedown/bind.h>

#include <string.h>

enum { COURSE = 20 };
#define FAR_TOO_LONG R(5e7) /* in ordinary steps; such a step may fail */

/* ---- states ---- */

/* Returns the name of an array that was not written; NULL if all were. */
static const char *unwritten(const struct shk_state *s)
{
  const struct {
    const char *name;
    const real *at;
    int count;
  } arrays[] = {{"q", s->q, s->n},
                {"p", s->p, s->n},
                {"lambda", s->lambda, s->m},
                {"mu", s->mu, s->m},
                {"q_carry", s->q_carry, s->n},
                {"p_carry", s->p_carry, s->n},
                {"its memory", s->memory, s->memory_count}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    if (shk_poisoned(arrays[i].at, (size_t)arrays[i].count) >= 0)
      return arrays[i].name;
  return NULL;
}

static bool same(const struct shk_state *a, const struct shk_state *b)
{
  return a->t == b->t && memcmp(a->q, b->q, shk_state_numbers(a) * sizeof(real)) == 0;
}

/* Returns a state whose arrays lie between guards of this byte; NULL without memory. */
static struct shk_state *guarded(struct shk_contract *c, int byte)
{
  void *state = NULL;
  struct shk_workspace *const workspace = shk_workspace_create(&state, sizeof(struct shk_state));
  const struct shk_binding binding = {.workspace = workspace, .evaluator = &c->bound.evaluator};
  struct shk_state *const s = state;
  if (!s || shk_bind_state(s, &binding).code != SHK_OK ||
      shk_reals(workspace, &s->memory, (size_t)c->work.memory_count).code != SHK_OK) {
    shk_workspace_destroy(workspace);
    return NULL;
  }
  s->memory_count = c->work.memory_count;
  shk_workspace_guard(s, byte);
  return s;
}

/* ---- steps ---- */

/* Binds the method again, with guards of this byte around its arrays. The default guards are NaN,
 * and a step that reads them could fail before results are compared. */
static struct shk_status bind_between(struct shk_contract *c, int byte)
{
  SHK_TRY(shk_bind_method(&c->bound));
  shk_workspace_guard(c->bound.method, byte);
  return shk_ok();
}

static struct shk_status step(struct shk_contract *c, struct shk_state *to,
                              const struct shk_state *from, real h)
{
  to->t = from->t;
  return c->bound.integrator->step(c->bound.method, to, from, h);
}

/* Takes a step from c->from to c->to, which is filled with NaN before. */
static struct shk_status poisoned_step(struct shk_contract *c, real h)
{
  shk_poison(c->to.q, shk_state_numbers(&c->to));
  return step(c, &c->to, &c->from, h);
}

/* ---- on watched functions ---- */

/* Tests ordinary, reversed and far too long steps. A status that is not ok: an ordinary step failed
 * with a report, which is no fault here. */
static struct shk_status look_at_steps(struct shk_contract *c)
{
  static const real of_ordinary[] = {1, 1, -1, FAR_TOO_LONG};
  /* Adaptive methods get no reversed or far too long steps. */
  const int count = c->bound.integrator->info.adaptive ? 2 : 4;
  struct shk_fault missing = {""}, touched = {""};
  for (int i = 0; i < count; i++) {
    const real h = c->h * of_ordinary[i];
    const bool must_succeed = i < 2;
    shk_state_copy(&c->before, &c->from);
    const struct shk_status status = poisoned_step(c, h);
    if (!same(&c->from, &c->before))
      shk_contract_fault(&touched, "a step writes into the state that it starts from");
    shk_state_copy(&c->from, &c->before);
    if (status.code != SHK_OK && must_succeed)
      return status;
    const char *const array = status.code == SHK_OK ? unwritten(&c->to) : NULL;
    if (array)
      shk_contract_fault(&missing, "a step does not write all of %s", array);
    c->to.t = c->from.t + h;
    if (must_succeed && !array)
      shk_state_copy(&c->from, &c->to);
  }
  shk_checks_add(c->checks, "step", "writes all of the new state", missing.text);
  shk_checks_add(c->checks, "step", "leaves the old state alone", touched.text);
  return shk_ok();
}

/* True if the step ended at c->at, up to the rounding of its solves. */
static bool is_near(const struct shk_contract *c)
{
  const struct shk_map map = shk_bind_map(&c->bound, c->h);
  return c->bound.integrator->info.adaptive ||
         shk_map_distance(&map, &c->to, &c->at, false) <=
             SHK_CONTRACT_FLOORS * shk_map_rounding(&map, c->h);
}

/* Makes one call of a function fail in each step. The step must report it and leave the old state
 * unchanged; the same step without the failure must give the same result as before. A positive
 * return value requests a smaller step: methods that then take one, and count a rejected step, may
 * return ok. */
static void look_at_failures(struct shk_contract *c, struct shk_audit *audit)
{
  enum { CALLS = 40 };
  const bool adaptive = c->bound.integrator->info.adaptive;
  const long *const rejected = &c->bound.evaluator.work.rejected;
  struct shk_fault fault = {""};
  shk_state_copy(&c->before, &c->from);
  if (poisoned_step(c, c->h).code != SHK_OK)
    return; /* reported before */
  shk_state_copy(&c->at, &c->to);
  if (poisoned_step(c, c->h).code != SHK_OK || !is_near(c))
    return; /* not repeatable even without a failure, which is another fault */
  for (long call = 1, tried = 0; fault.text[0] == '\0' && tried < CALLS; tried++) {
    const int answer = tried % 2 == 0 ? -1 : 1;
    const long before = *rejected;
    audit->failure = answer;
    audit->until_failure = call;
    const struct shk_status status = poisoned_step(c, c->h);
    const bool reached = audit->until_failure == 0;
    audit->until_failure = 0;
    if (!reached)
      break;
    const bool is_excused = answer > 0 && (adaptive || *rejected > before);
    if (status.code == SHK_OK && !is_excused)
      shk_contract_fault(&fault,
                         "call %ld of a function in a step answers %d, which is a failure, and the "
                         "step returns ok",
                         call, answer);
    else if (!same(&c->from, &c->before))
      shk_contract_fault(&fault, "a step that failed at call %ld has changed the old state", call);
    else if (poisoned_step(c, c->h).code != SHK_OK)
      shk_contract_fault(&fault,
                         "after a step in which call %ld failed, the same step fails without a "
                         "reason",
                         call);
    else if (!is_near(c))
      shk_contract_fault(
          &fault, "after a step in which call %ld failed, the same step leads elsewhere", call);
    /* First every call, since they are of different functions; then at growing distances. */
    call += 1 + tried / 10;
  }
  shk_checks_add(c->checks, "step", "passes on what fails", fault.text);
}

static struct shk_status bind_watched(struct shk_contract *c, struct shk_system *system)
{
  c->bound.evaluator.system = system;
  c->bound.evaluator.remembered = NULL; /* no cached values: the audit must see every call */
  const struct shk_status status = bind_between(c, 0);
  if (status.code != SHK_REFUSED || !c->bound.instance.system.rods)
    return status;
  /* A method for distance constraints needs them; it is audited in the functions that it calls. */
  system->rods = c->bound.instance.system.rods;
  return bind_between(c, 0);
}

static struct shk_status on_watched_functions(struct shk_contract *c)
{
  struct shk_system system;
  struct shk_remembered *const remembered = c->bound.evaluator.remembered;
  struct shk_audit *const audit = shk_audit_create(&system, &c->bound.instance.system);
  struct shk_status status = audit ? bind_watched(c, &system) : shk_no_memory();
  shk_state_copy(&c->from, &c->bound.start);
  if (status.code == SHK_OK)
    status = look_at_steps(c);
  if (status.code == SHK_OK) {
    for (int i = 0; i < audit->count; i++)
      if (audit->seen[i].fault) /* a fault of the method */
        shk_checks_add(c->checks, audit->seen[i].function, "its inputs and outputs",
                       audit->seen[i].fault);
    if (!shk_checks_fault(c->checks))
      look_at_failures(c, audit);
  }
  shk_method_destroy(c->bound.method); /* before the system that it is bound to */
  c->bound.method = NULL;
  c->bound.evaluator.system = &c->bound.instance.system;
  c->bound.evaluator.remembered = remembered;
  shk_audit_destroy(audit);
  return status;
}

/* ---- between guards ---- */

static const char *overrun(struct shk_contract *c, struct shk_state *from, struct shk_state *to,
                           int byte)
{
  return !shk_workspace_is_guarded(to, byte) ? "a step writes beyond an array of the new state"
         : !shk_workspace_is_guarded(from, byte)
             ? "a step writes beyond an array of the state that it starts from"
         : !shk_workspace_is_guarded(c->bound.method, byte)
             ? "a step writes beyond an array that the method asked for"
             : NULL;
}

/* Takes COURSE steps with guards and new states of this byte; the last state is stored in *end. */
static struct shk_status course(struct shk_contract *c, struct shk_state *end, int byte,
                                const char **beyond)
{
  struct shk_state *const from = guarded(c, byte), *const to = guarded(c, byte);
  struct shk_status status = from && to ? bind_between(c, byte) : shk_no_memory();
  memset(c->work.q, byte, shk_state_numbers(&c->work) * sizeof(real));
  shk_state_copy(end, &c->bound.start);
  for (int k = 0; k < COURSE && status.code == SHK_OK && !*beyond; k++) {
    shk_state_copy(from, end);
    shk_state_copy(to, &c->work);
    status = step(c, to, from, c->h);
    *beyond = overrun(c, from, to, byte);
    to->t = end->t + c->h;
    shk_state_copy(end, to);
  }
  shk_method_destroy(from);
  shk_method_destroy(to);
  return status;
}

static struct shk_status between_guards(struct shk_contract *c)
{
  const char *beyond = NULL, *reads = NULL;
  SHK_TRY(course(c, &c->before, 0, &beyond));
  if (!beyond) {
    const enum shk_code with_nan = course(c, &c->at, 0xFF, &beyond).code;
    if (!beyond && (with_nan != SHK_OK || !same(&c->before, &c->at)))
      reads = "a step leads elsewhere, or fails, where NaN stands beyond its arrays and in the new "
              "state before: it reads there";
  }
  shk_checks_add(c->checks, "step", "writes within its arrays", beyond);
  shk_checks_add(c->checks, "step", "reads what it is given", reads);
  return shk_ok();
}

/* ---- the process ---- */

static void observe(struct shk_fault *changed, struct shk_surroundings *noted, bool may_open)
{
  const char *const change = noted ? shk_surroundings_change(noted, may_open) : NULL;
  shk_contract_fault(changed, "%s", change ? change : "");
}

/* Watches the process from binding on, over four runs, longer on problems with the cheapest steps.
 * The memory in use is a fault if it grows in each of the last three. */
static struct shk_status in_the_process(struct shk_contract *c)
{
  enum { COURSES = 4, LONG = 250 };
  const bool is_long = SHK_PRECISION == 64 && !c->quick && c->bound.start.n <= 2;
  const int steps = is_long ? LONG : COURSE;
  size_t memory[COURSES] = {0};
  struct shk_fault grows = {""}, changed = {""};
  struct shk_surroundings *const noted = shk_surroundings_note();
  struct shk_status status = noted ? bind_between(c, 0) : shk_no_memory();
  observe(&changed, noted, true);
  shk_state_copy(&c->from, &c->bound.start);
  for (int i = 0; i < COURSES * steps && status.code == SHK_OK; i++) {
    status = step(c, &c->to, &c->from, c->h);
    observe(&changed, noted, false);
    c->to.t = c->from.t + c->h;
    shk_state_copy(&c->from, &c->to);
    memory[i / steps] = shk_memory_in_use();
  }
  if (status.code == SHK_OK && !c->bound.integrator->info.adaptive)
    (void)step(c, &c->to, &c->from, FAR_TOO_LONG * c->h);
  observe(&changed, noted, false);
  shk_method_destroy(c->bound.method);
  c->bound.method = NULL;
  shk_surroundings_forget(noted);
  if (status.code != SHK_OK)
    return status;
  if (memory[1] > memory[0] && memory[2] > memory[1] && memory[3] > memory[2])
    shk_contract_fault(&grows, "the memory in use grows by %zu bytes in %d steps",
                       memory[3] - memory[2], steps);
  shk_checks_add(c->checks, "step", "does nothing to the process", changed.text);
  shk_checks_add(c->checks, "step", "takes no memory for good", grows.text);
  return shk_ok();
}

struct shk_status shk_contract_memory(struct shk_contract *c)
{
  static struct shk_status (*const looks[])(struct shk_contract *) = {
      in_the_process, /* first, before other tests can change the process */
      on_watched_functions, between_guards};
  /* Stops at the first test with a fault: the next ones would find it again. */
  for (size_t i = 0; i < sizeof looks / sizeof looks[0] && !shk_checks_fault(c->checks); i++)
    SHK_TRY(looks[i](c));
  return shk_ok();
}

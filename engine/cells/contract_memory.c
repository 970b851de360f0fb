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

/* Returns the name of an array that was not written; NULL if all were. The arrays follow each other
 * in this order. */
static const char *unwritten(const struct shk_state *s)
{
  static const char *const names[] = {"q", "p", "q_carry", "p_carry", "lambda", "mu", "its memory"};
  const int counts[] = {s->n, s->n, s->n, s->n, s->m, s->m, s->memory_count};
  long at = shk_poisoned(s->q, shk_state_numbers(s));
  int k = 0;
  while (at >= 0 && at >= counts[k])
    at -= counts[k++];
  return at < 0 ? NULL : names[k];
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
  SHK_TRY(shk_contract_bind(c));
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
  struct shk_check *const written =
      shk_checks_add(c->checks, "step", "writes all of the new state", NULL);
  struct shk_check *const untouched =
      shk_checks_add(c->checks, "step", "leaves the old state alone", NULL);
  for (int i = 0; i < count; i++) {
    const real h = c->h * of_ordinary[i];
    const bool must_succeed = i < 2;
    shk_state_copy(&c->before, &c->from);
    const struct shk_status status = poisoned_step(c, h);
    if (!same(&c->from, &c->before))
      shk_contract_fault(untouched, "a step writes into the state that it starts from");
    shk_state_copy(&c->from, &c->before);
    if (status.code != SHK_OK && must_succeed)
      return status;
    const char *const array = status.code == SHK_OK ? unwritten(&c->to) : NULL;
    if (array)
      shk_contract_fault(written, "a step does not write all of %s", array);
    c->to.t = c->from.t + h;
    if (must_succeed && !array)
      shk_state_copy(&c->from, &c->to);
  }
  return shk_ok();
}

/* True if the ordinary step has ended at c->at, up to so many roundings of its solves. */
static bool is_as_before(const struct shk_contract *c, real roundings)
{
  return c->bound.integrator->info.adaptive || shk_map_distance(&c->map, &c->to, &c->at, false) <=
                                                   roundings * shk_map_rounding(&c->map, c->h);
}

static bool repeats(struct shk_contract *c)
{
  return poisoned_step(c, c->h).code == SHK_OK && is_as_before(c, SHK_CONTRACT_FLOORS);
}

/* Makes one call of a function fail in each step, or fill its outputs with NaN. The step must
 * report it, or return a state that is not finite, and leave the old state unchanged; the same step
 * without the failure must give the same result as before. NaN in numbers that have no effect on
 * the new state is no failure. A positive return value requests a smaller step: methods that then
 * take one, and count a rejected step, may return ok. */
static void look_at_failures(struct shk_contract *c, struct shk_audit *audit)
{
  enum { ANSWERS = 3, TRIES = 40 * ANSWERS };
  const bool adaptive = c->bound.integrator->info.adaptive;
  const long *const rejected = &c->bound.evaluator.work.rejected;
  shk_state_copy(&c->before, &c->from);
  if (poisoned_step(c, c->h).code != SHK_OK)
    return; /* reported before */
  shk_state_copy(&c->at, &c->to);
  if (!repeats(c))
    return; /* not even without a failure, which is another fault */
  struct shk_check *const check = shk_checks_add(c->checks, "step", "passes on what fails", NULL);
  /* First every call, since they are of different functions; then at growing distances. */
  for (long call = 1, tried = 0; check->holds && tried < TRIES; tried++) {
    const int answer = (int)(tried % ANSWERS) - 1; /* 0: NaN */
    const long before = *rejected;
    audit->failure = answer;
    audit->until_failure = call;
    const struct shk_status status = poisoned_step(c, c->h);
    const bool reached = audit->until_failure == 0;
    audit->until_failure = 0;
    if (!reached)
      break;
    const bool is_excused = answer >= 0 && (adaptive || *rejected > before);
    if (status.code == SHK_OK && !is_excused && answer != 0)
      shk_contract_fault(check,
                         "call %ld of a function in a step answers %d, which is a failure, and the "
                         "step returns ok",
                         call, answer);
    else if (status.code == SHK_OK && !is_excused && shk_state_is_finite(&c->to) &&
             !is_as_before(c, SHK_CONTRACT_FAR_ABOVE))
      shk_contract_fault(
          check,
          "call %ld of a function in a step answers NaN, and the step returns ok and "
          "another, finite state: look for comparisons that are false for NaN",
          call);
    else if (!same(&c->from, &c->before))
      shk_contract_fault(check, "a step that failed at call %ld has changed the old state", call);
    else if (!repeats(c))
      shk_contract_fault(
          check, "after a step in which call %ld failed, the same step fails or leads elsewhere",
          call);
    if (answer == 1)
      call += 1 + tried / (10 * ANSWERS);
  }
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

/* Returns a function that was called more often than is counted as work; NULL: none. */
static const char *uncounted(const struct shk_audit *audit, const struct shk_work *work)
{
  static const char *const names[] = {"gradient", "hamiltonian_q", "constraint", "jacobian"};
  const long counted[] = {work->gradient, work->gradient, work->constraint, work->jacobian};
  for (int i = 0; i < audit->count; i++)
    for (int k = 0; k < 4; k++)
      if (strcmp(audit->seen[i].function, names[k]) == 0 && audit->seen[i].calls > counted[k])
        return names[k];
  return NULL;
}

static struct shk_status on_watched_functions(struct shk_contract *c)
{
  struct shk_system system;
  struct shk_remembered *const remembered = c->bound.evaluator.remembered;
  struct shk_audit *const audit = shk_audit_create(&system, &c->bound.instance.system);
  struct shk_status status = audit ? bind_watched(c, &system) : shk_no_memory();
  shk_state_copy(&c->from, &c->bound.start);
  c->bound.evaluator.work = (struct shk_work){0};
  for (int i = 0; audit && i < audit->count; i++)
    audit->seen[i].calls = 0;
  if (status.code == SHK_OK)
    status = look_at_steps(c);
  if (status.code == SHK_OK) {
    struct shk_check *const counts = shk_checks_add(c->checks, "step", "counts its work", NULL);
    const char *const more = uncounted(audit, &c->bound.evaluator.work);
    if (more)
      shk_contract_fault(counts,
                         "%s is called more often than is counted as work: look for calls that do "
                         "not go through the evaluator",
                         more);
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

struct course {
  struct shk_check *within, *unchanged;
  struct shk_surroundings *noted; /* NULL: the process is not observed */
  size_t memory[4];               /* in use after each fourth of the course */
};

static void observe(struct course *course, bool may_open)
{
  const char *const change =
      course->noted ? shk_surroundings_change(course->noted, may_open) : NULL;
  if (change)
    shk_contract_fault(course->unchanged, "%s", change);
}

/* Returns the array beyond which a step has written; NULL: none. */
static const char *overrun(struct shk_contract *c, struct shk_state *from, struct shk_state *to,
                           int byte)
{
  return !shk_workspace_is_guarded(to, byte)                ? "of the new state"
         : !shk_workspace_is_guarded(from, byte)            ? "of the state that it starts from"
         : !shk_workspace_is_guarded(c->bound.method, byte) ? "that the method asked for"
                                                            : NULL;
}

/* Takes steps from the start with guards and new states of this byte; the state after COURSE of
 * them is stored in *end. */
static struct shk_status run_course(struct shk_contract *c, struct course *course, int steps,
                                    int byte, struct shk_state *end)
{
  struct shk_state *const from = guarded(c, byte), *const to = guarded(c, byte);
  struct shk_status status = from && to ? bind_between(c, byte) : shk_no_memory();
  observe(course, true);
  memset(c->work.q, byte, shk_state_numbers(&c->work) * sizeof(real));
  shk_state_copy(&c->from, &c->bound.start);
  for (int k = 0; k < steps && status.code == SHK_OK && course->within->holds; k++) {
    shk_state_copy(from, &c->from);
    shk_state_copy(to, &c->work);
    status = step(c, to, from, c->h);
    observe(course, false);
    const char *const array = overrun(c, from, to, byte);
    if (array)
      shk_contract_fault(course->within, "a step writes beyond an array %s", array);
    to->t = c->from.t + c->h;
    shk_state_copy(&c->from, to);
    if (k + 1 == COURSE)
      shk_state_copy(end, to);
    course->memory[4 * k / steps] = shk_memory_in_use();
  }
  shk_method_destroy(from);
  shk_method_destroy(to);
  return status;
}

/* Observes the process from binding on, over a course that is longer on problems with the cheapest
 * steps. The memory in use is a fault if it grows in each of its last three fourths. */
static struct shk_status in_the_process(struct shk_contract *c, struct course *course)
{
  enum { LONG = 1000 };
  const bool is_long = SHK_PRECISION == 64 && !c->quick && c->bound.start.n <= 2;
  const size_t *const memory = course->memory;
  struct shk_check *const bounded =
      shk_checks_add(c->checks, "step", "takes no memory for good", NULL);
  course->unchanged = shk_checks_add(c->checks, "step", "does nothing to the process", NULL);
  course->noted = shk_surroundings_note();
  const struct shk_status status =
      course->noted ? run_course(c, course, is_long ? LONG : 4 * COURSE, 0, &c->near)
                    : shk_no_memory();
  if (status.code == SHK_OK && !c->bound.integrator->info.adaptive)
    (void)step(c, &c->to, &c->from, FAR_TOO_LONG * c->h);
  observe(course, false);
  shk_method_destroy(c->bound.method);
  c->bound.method = NULL;
  shk_surroundings_forget(course->noted);
  course->noted = NULL;
  if (memory[1] > memory[0] && memory[2] > memory[1] && memory[3] > memory[2])
    shk_contract_fault(bounded, "the memory in use grows by %zu bytes in a fourth of a run",
                       memory[3] - memory[2]);
  return status;
}

/* Stops at the first test with a fault: the next ones would find it again. */
struct shk_status shk_contract_memory(struct shk_contract *c)
{
  struct course course = {shk_checks_add(c->checks, "step", "writes within its arrays", NULL)};
  SHK_TRY(in_the_process(c, &course)); /* first, before other tests can change the process */
  if (!shk_checks_fault(c->checks))
    SHK_TRY(on_watched_functions(c));
  if (shk_checks_fault(c->checks))
    return shk_ok();
  const enum shk_code with_nan = run_course(c, &course, COURSE, 0xFF, &c->at).code;
  const bool reads = course.within->holds && (with_nan != SHK_OK || !same(&c->near, &c->at));
  shk_checks_add(c->checks, "step", "reads what it is given",
                 reads ? "a step leads elsewhere, or fails, where NaN stands beyond its arrays and "
                         "in the new state before: it reads there"
                       : NULL);
  return shk_ok();
}

/*
 * Tests that steps fulfil the contract in <shakedown/plugin.h>, in three passes over a sequence of
 * steps. The first pass compares the environment of the process after each step. In the second
 * pass, all memory that a step must not read is filled with different contents. The third pass
 * audits the functions of the system (mechanics/system/audit.h). Guard bytes surround all arrays
 * that a step uses or the method allocates. Guards and new states are filled with zero bytes in the
 * first pass and with bytes that form a NaN in the second. Both passes must end in the same state.
 */
#include "engine/cells/contract.h"
#include "foundation/probe.h"
#include "foundation/processes/environment.h"
#include "integrators/kit/base.h"
#include "mechanics/binding/binding.h"
#include "mechanics/system/audit.h"
#include "mechanics/system/state.h"

#include <shakedown/bind.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* COURSE is the number of steps in the second pass, after which the states are compared. LONG is
 * the number of steps in a long first pass. LASTING is the number of calls for which a lasting
 * failure persists. */
enum { COURSE = 20, LONG = 1000, LASTING = 1000 };
/* the size of a long step as a multiple of an ordinary step; a step of this size may fail */
#define FAR_TOO_LONG R(5e7)

struct course {
  struct shk_contract *contract;
  struct shk_environment *noted; /* NULL if the process is not observed */
  /* audit of the functions that the method calls, or NULL if there is no audit */
  struct shk_audit *audit;
  size_t memory[4]; /* memory in use after each quarter of the pass */
};

/* ---- states ---- */

/* Returns the name of the first array in which a number still has the bytes of `fill`, or NULL if
 * there is none. The arrays of a state are contiguous in memory, in the order of `names`. */
static const char *unwritten_array(const struct shk_state *s, const struct shk_state *fill)
{
  static const char *const names[] = {"q", "p", "q_carry", "p_carry", "lambda", "mu", "its memory"};
  const int counts[] = {s->n, s->n, s->n, s->n, s->m, s->m, s->memory_count};
  const real *at = s->q, *bytes = fill->q;
  for (int k = 0; k < 7; k++)
    for (int i = 0; i < counts[k]; i++)
      if (memcmp(at++, bytes++, sizeof *at) == 0)
        return names[k];
  return NULL;
}

static bool is_same_state(const struct shk_state *a, const struct shk_state *b)
{
  return a->t == b->t && memcmp(a->q, b->q, shk_state_numbers(a) * sizeof(real)) == 0;
}

/* Returns a state whose arrays are surrounded by guards filled with this byte, or NULL if memory
 * runs out. */
static struct shk_state *guarded_state(struct shk_contract *c, int byte)
{
  void *state = NULL;
  struct shk_workspace *const workspace = shk_workspace_create(&state, sizeof(struct shk_state));
  const struct shk_binding binding = {.workspace = workspace, .evaluator = &c->bound.evaluator};
  struct shk_state *const s = state;
  if (!s || shk_bind_state(s, &binding).code != SHK_OK ||
      shk_reals(workspace, &s->memory, (size_t)c->scratch.memory_count).code != SHK_OK) {
    shk_workspace_destroy(workspace);
    return NULL;
  }
  s->memory_count = c->scratch.memory_count;
  shk_workspace_guard(s, byte);
  return s;
}

/* ---- passes ---- */

static void observe_contract_memory(struct course *course, bool may_open)
{
  const char *const change = course->noted ? shk_environment_change(course->noted, may_open) : NULL;
  if (change)
    shk_cell_contract_fault(course->contract, 0, "%s", change);
}

/* Reports changes that a step from *from to *to has made to the process, the guards and the
 * states. */
static void inspect_contract_memory(struct course *course, struct shk_state *from,
                                    struct shk_state *to, int byte, bool is_ok)
{
  struct shk_contract *const c = course->contract;
  const char *const array =
      !shk_workspace_is_guarded(to, byte)                ? "of the new state"
      : !shk_workspace_is_guarded(from, byte)            ? "of the state that it starts from"
      : !shk_workspace_is_guarded(c->bound.method, byte) ? "that the method requested"
                                                         : NULL;
  shk_state_copy(&c->before, from);
  shk_state_copy(&c->to, to);
  const char *const left = is_ok && byte != 0 ? unwritten_array(&c->to, &c->scratch) : NULL;
  observe_contract_memory(course, false);
  if (array)
    shk_cell_contract_fault(c, 0, "a step writes past the end of an array %s", array);
  if (left)
    shk_cell_contract_fault(c, 0, "a step does not write all of %s", left);
  if (!is_same_state(&c->before, &c->from))
    shk_cell_contract_fault(c, 0, "a step writes into the state that it starts from");
}

/* Takes steps from the start, with guards and new states filled with this byte, until a fault
 * occurs. Unless the method is adaptive, this is followed by a backward step and a step that is far
 * too long. Both of these are allowed to fail, and the long step may print a warning. Stores the
 * state after COURSE steps in *end. */
static struct shk_status take_contract_memory(struct course *course, int steps, int byte,
                                              struct shk_state *end)
{
  struct shk_contract *const c = course->contract;
  struct shk_state *const from = guarded_state(c, byte), *const to = guarded_state(c, byte);
  struct shk_status status = from && to ? shk_cell_contract_bind(c) : shk_no_memory();
  /* the default guards are NaN, so a step that reads them could fail */
  if (status.code == SHK_OK)
    shk_workspace_guard(c->bound.method, byte);
  observe_contract_memory(course, true);
  if (course->audit)
    course->audit->count = 0;
  c->bound.evaluator.counters = (struct shk_counters){0};
  memset(c->scratch.q, 0, shk_state_numbers(&c->scratch) * sizeof(real));
  if (byte != 0) /* with NaN guards, new states are NaN too */
    shk_poison(c->scratch.q, shk_state_numbers(&c->scratch));
  shk_state_copy(&c->from, &c->bound.start);
  for (int k = 0; k < steps + (c->adaptive ? 0 : 2); k++) {
    if (status.code != SHK_OK || c->faults > 0)
      break;
    const real h = k < steps ? c->h : k == steps ? -c->h : FAR_TOO_LONG * c->h;
    shk_state_copy(from, &c->from);
    shk_state_copy(to, &c->scratch);
    to->t = from->t;
    const struct shk_status made = c->bound.integrator->step(c->bound.method, to, from, h);
    if (k > steps && course->noted) /* discard, for example, overflow warnings from numpy */
      shk_environment_discard(course->noted);
    shk_tell_step((double)NAN);
    inspect_contract_memory(course, from, to, byte, made.code == SHK_OK);
    if (k >= steps)
      continue;
    status = made;
    to->t = c->from.t + h;
    shk_state_copy(&c->from, to);
    if (k + 1 == COURSE)
      shk_state_copy(end, to);
    course->memory[4 * k / steps] = shk_memory_in_use();
  }
  shk_method_destroy(from);
  shk_method_destroy(to);
  return status;
}

static void release_contract_memory(struct shk_contract *c)
{
  shk_method_destroy(c->bound.method);
  c->bound.method = NULL;
}

/* Observes the process over a pass that begins with binding the method. The pass is longer on
 * problems with the cheapest steps. Memory use that grows in each of the last three quarters is a
 * fault. */
static struct shk_status in_the_process(struct course *course)
{
  struct shk_contract *const c = course->contract;
  const bool is_long = SHK_PRECISION == 64 && c->n <= 2;
  const size_t *const memory = course->memory;
  course->noted = shk_environment_note();
  const struct shk_status status =
      course->noted ? take_contract_memory(course, is_long ? LONG : 4 * COURSE, 0, &c->near)
                    : shk_no_memory();
  release_contract_memory(c);
  shk_environment_forget(course->noted);
  course->noted = NULL;
  if (memory[1] > memory[0] && memory[2] > memory[1] && memory[3] > memory[2])
    shk_cell_contract_fault(c, 0, "the memory in use grows by %zu bytes in a quarter of a run",
                            memory[3] - memory[2]);
  return status;
}

/* ---- on audited functions ---- */

/* Fills c->to with NaN and then takes a step from c->from to c->to. */
static struct shk_status poisoned_step(struct shk_contract *c)
{
  shk_poison(c->to.q, shk_state_numbers(&c->to));
  c->to.t = c->from.t;
  return c->bound.integrator->step(c->bound.method, &c->to, &c->from, c->h);
}

/* Returns true if the step ended at c->at to within this number of rounding errors. Always returns
 * true for adaptive methods. */
static bool is_as_before(const struct shk_contract *c, real roundings)
{
  return c->adaptive || shk_map_distance(&c->map, &c->to, &c->at, false) <=
                            roundings * shk_map_rounding(&c->map, c->h);
}

static bool repeats_its_step(struct shk_contract *c)
{
  return poisoned_step(c).code == SHK_OK && is_as_before(c, SHK_CONTRACT_FLOORS);
}

/* Returns a description of what is wrong with a step that returned ok although a function failed,
 * or NULL if nothing is wrong. A step may respond to a request for a smaller step by counting a
 * rejected step. It may respond to a failure in the same way, unless the failure persists (see
 * below). A NaN is not a fault if the new state does not depend on it. Neither is a zero Jacobian
 * if g = 0 still holds, because it means that there are no hidden constraints. */
static const char *fault_of_accepted_step(struct shk_contract *c, enum shk_audit_failure failure,
                                          bool is_smaller)
{
  struct shk_cell_contract_rows rows;
  if (is_smaller && failure != SHK_AUDIT_FAILS)
    return NULL;
  if (failure == SHK_AUDIT_FAILS || failure == SHK_AUDIT_ASKS)
    return "the step returns ok";
  if (!shk_state_is_finite(&c->to) || is_as_before(c, SHK_CONTRACT_FAR_ABOVE))
    return NULL;
  if (failure == SHK_AUDIT_NAN)
    return "the step returns ok and a different, finite state: look for comparisons that are false "
           "for NaN";
  c->to.t = c->from.t + c->h;
  return shk_cell_contract_off(c, &rows, c->h) == SHK_OFF_CONSTRAINT
             ? "the step returns ok and a state off the constraint that the method claims to keep: "
               "look for factorizations whose failure is not noticed"
             : NULL;
}

/* Returns true if a step that counts a rejected step returns ok even though the call and all
 * subsequent calls fail. */
static bool ignores_lasting_failure(struct shk_contract *c, struct shk_audit *audit, long call)
{
  audit->until_failure = call;
  audit->lasting = LASTING;
  const bool ok = poisoned_step(c).code == SHK_OK && audit->lasting > 0;
  audit->until_failure = audit->lasting = 0;
  return ok;
}

/* Makes one function call fail in each step. The step must report the failure or return a
 * non-finite state, and it must not change the old state. When the step is repeated without the
 * failure, it must return the same result as before. */
static void look_at_failures(struct shk_contract *c, struct shk_audit *audit)
{
  enum { TRIES = 40 * SHK_AUDIT_FAILURES };
  static const char *const words[] = {"fails", "answers NaN", "asks for a smaller step",
                                      "has a Jacobian of zeros"};
  const long *const rejected = &c->bound.evaluator.counters.rejected;
  shk_state_copy(&c->before, &c->from);
  if (poisoned_step(c).code != SHK_OK)
    return; /* already reported */
  shk_state_copy(&c->at, &c->to);
  if (!repeats_its_step(c))
    return; /* the step fails even if no function fails, which is a different fault */
  /* At first, every call fails in turn, because each call may be to a different function. After
   * that, the failing calls are farther apart. */
  for (long call = 1, tried = 0; c->faults == 0 && tried < TRIES; tried++) {
    const long before = *rejected;
    audit->failure = (enum shk_audit_failure)(tried % SHK_AUDIT_FAILURES);
    audit->until_failure = call;
    const struct shk_status status = poisoned_step(c);
    const bool reached = audit->until_failure == 0;
    audit->until_failure = 0;
    if (!reached)
      break;
    const bool is_smaller = c->adaptive || *rejected > before;
    const char *fault =
        status.code == SHK_OK ? fault_of_accepted_step(c, audit->failure, is_smaller) : NULL;
    if (fault && is_smaller && audit->failure == SHK_AUDIT_FAILS &&
        !ignores_lasting_failure(c, audit, call))
      fault = NULL;
    if (!fault && !is_same_state(&c->from, &c->before))
      fault = "the step changes the old state";
    if (!fault && !repeats_its_step(c))
      fault = "the same step then fails or has a different result";
    if (fault)
      shk_cell_contract_fault(c, 0, "call %ld of a function in a step %s, and %s", call,
                              words[audit->failure], fault);
    if (audit->failure == SHK_AUDIT_FAILURES - 1)
      call += 1 + tried / (16 * SHK_AUDIT_FAILURES);
  }
}

/* Reports calls that violate the contract of a function or that are not counted as work. */
static void look_at_calls(struct shk_contract *c, const struct shk_audit *audit)
{
  static const char *const names[] = {"gradient", "hamiltonian_q", "constraint", "jacobian"};
  const struct shk_counters *const scratch = &c->bound.evaluator.counters;
  const long counted[] = {scratch->gradient, scratch->gradient, scratch->constraint,
                          scratch->jacobian};
  for (int i = 0; i < audit->count; i++) {
    const char *const function = audit->seen[i].function;
    for (int k = 0; k < 4; k++)
      if (strcmp(function, names[k]) == 0 && audit->seen[i].calls > counted[k])
        shk_cell_contract_fault(c, 0,
                                "%s is called more often than the work counters show: look for "
                                "calls that bypass the evaluator",
                                function);
    if (audit->seen[i].fault) /* the method's fault */
      shk_cell_contract_fault(c, 0, "%s: %s", function, audit->seen[i].fault);
  }
}

static struct shk_status on_audited_functions(struct course *course)
{
  struct shk_system system;
  struct shk_contract *const c = course->contract;
  struct shk_evaluator *const e = &c->bound.evaluator;
  course->audit = shk_audit_create(&system, &c->bound.instance.system);
  if (!course->audit)
    return shk_no_memory();
  e->system = &system;
  e->asks_again = true; /* the audit must observe every call */
  /* A method for distance constraints needs the rods, so the audit covers the functions that the
   * method calls. */
  if (shk_cell_contract_bind(c).code == SHK_REFUSED)
    system.rods = c->bound.instance.system.rods;
  const struct shk_status status = take_contract_memory(course, 2, 0, &c->at);
  if (status.code == SHK_OK && c->faults == 0)
    look_at_calls(c, course->audit);
  if (status.code == SHK_OK && c->faults == 0)
    look_at_failures(c, course->audit);
  /* must be called before the system to which the method is bound is released */
  release_contract_memory(c);
  e->system = &c->bound.instance.system;
  e->asks_again = false;
  free(course->audit);
  return status;
}

/* Stops after the first pass with a fault, because later passes would find the same fault again. */
struct shk_status shk_cell_contract_memory(struct shk_contract *c)
{
  struct course course = {.contract = c};
  /* this test comes first, before other tests can change the process */
  SHK_TRY(in_the_process(&course));
  const enum shk_code with_nan = take_contract_memory(&course, COURSE, 0xFF, &c->at).code;
  if (c->faults == 0 && (with_nan != SHK_OK || !is_same_state(&c->near, &c->at)))
    shk_cell_contract_fault(
        c, 0,
        "a step fails or has a different result if there are NaNs past the end of its arrays and "
        "in the new state before it is written: the step reads these places");
  return c->faults == 0 ? on_audited_functions(&course) : shk_ok();
}

/*
 * Whether steps keep the contract of <shakedown/integrator.h>. First on a system whose functions
 * are watched (mechanics/system/audit.h), then between guards: all arrays that a step is handed,
 * and those that the method asked for, lie between others, which are NaN in one course and zero in
 * another, as is the new state before a step. What reads or writes there shows.
 */
#include "engine/cells/contract.h"
#include "foundation/processes/surroundings.h"
#include "mechanics/system/audit.h"
#include "mechanics/system/binding.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- states ---- */

static bool same(const struct shk_state *a, const struct shk_state *b)
{
  const size_t n = (size_t)a->n * sizeof(real), m = (size_t)a->m * sizeof(real);
  return a->t == b->t && memcmp(a->q, b->q, n) == 0 && memcmp(a->p, b->p, n) == 0 &&
         memcmp(a->lambda, b->lambda, m) == 0 && memcmp(a->mu, b->mu, m) == 0 &&
         memcmp(a->q_carry, b->q_carry, n) == 0 && memcmp(a->p_carry, b->p_carry, n) == 0 &&
         memcmp(a->memory, b->memory, (size_t)a->memory_count * sizeof(real)) == 0;
}

/* The member of a state that was not written; NULL if all were. */
static const char *unwritten(const struct shk_state *s)
{
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  return shk_poisoned(s->q, n) >= 0         ? "a step does not write all of q"
         : shk_poisoned(s->p, n) >= 0       ? "a step does not write all of p"
         : shk_poisoned(s->lambda, m) >= 0  ? "a step does not write all of lambda"
         : shk_poisoned(s->mu, m) >= 0      ? "a step does not write all of mu"
         : shk_poisoned(s->q_carry, n) >= 0 ? "a step does not write all of q_carry"
         : shk_poisoned(s->p_carry, n) >= 0 ? "a step does not write all of p_carry"
         : shk_poisoned(s->memory, (size_t)s->memory_count) >= 0
             ? "a step does not write all of its memory"
             : NULL;
}

static void poison(struct shk_state *s)
{
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  shk_poison(s->q, n);
  shk_poison(s->p, n);
  shk_poison(s->lambda, m);
  shk_poison(s->mu, m);
  shk_poison(s->q_carry, n);
  shk_poison(s->p_carry, n);
  shk_poison(s->memory, (size_t)s->memory_count);
}

/* A state whose arrays lie between guards. */
enum { GUARD = 8, ARRAYS = 7 };

struct guarded {
  struct shk_state state;
  real *memory;
  size_t count;
};

static bool guarded_init(struct guarded *g, const struct shk_state *like)
{
  const int sizes[ARRAYS] = {like->n, like->n, like->m,           like->n,
                             like->n, like->m, like->memory_count};
  g->state = (struct shk_state){.n = like->n, .m = like->m, .memory_count = like->memory_count};
  real **const arrays[ARRAYS] = {&g->state.q,       &g->state.p,       &g->state.lambda,
                                 &g->state.q_carry, &g->state.p_carry, &g->state.mu,
                                 &g->state.memory};
  g->count = GUARD;
  for (int i = 0; i < ARRAYS; i++)
    g->count += (size_t)sizes[i] + GUARD;
  g->memory = calloc(g->count, sizeof *g->memory);
  size_t at = GUARD;
  for (int i = 0; g->memory && i < ARRAYS; i++) {
    *arrays[i] = g->memory + at;
    at += (size_t)sizes[i] + GUARD;
  }
  return g->memory != NULL;
}

/* Everything of *g becomes `value`, and its state that of `s` unless this is NULL. */
static void guarded_fill(struct guarded *g, bool with_nan, const struct shk_state *s)
{
  if (with_nan)
    shk_poison(g->memory, g->count);
  else
    memset(g->memory, 0, g->count * sizeof *g->memory);
  if (s)
    shk_state_copy(&g->state, s);
}

static bool is_guard(const real *values, bool with_nan)
{
  real guard[GUARD] = {0};
  if (with_nan)
    shk_poison(guard, GUARD);
  return memcmp(values, guard, sizeof guard) == 0;
}

static bool guarded_intact(const struct guarded *g, bool with_nan)
{
  const struct shk_state *const s = &g->state;
  const real *const ends[ARRAYS] = {
      s->q + s->n,       s->p + s->n,  s->lambda + s->m,           s->q_carry + s->n,
      s->p_carry + s->n, s->mu + s->m, s->memory + s->memory_count};
  bool intact = is_guard(g->memory, with_nan);
  for (int i = 0; i < ARRAYS; i++)
    intact = intact && is_guard(ends[i], with_nan);
  return intact;
}

/* Binds the method anew, all that it asks for between bytes like this one. With NaN, which stands
 * there otherwise, what reads there may fail before it can be compared. */
static struct shk_status bind_between(struct shk_contract *c, int byte)
{
  SHK_TRY(shk_bind_method(&c->bound));
  shk_workspace_guard(c->bound.method, byte);
  return shk_ok();
}

/* ---- on watched functions ---- */

struct watched {
  struct shk_contract *contract;
  struct shk_audit *audit;
  struct shk_state *from, *to, *before, *good;
};

static struct shk_status step(struct watched *w, real h)
{
  const struct shk_bound *const bound = &w->contract->bound;
  poison(w->to);
  w->to->t = w->from->t;
  return bound->integrator->step(bound->method, w->to, w->from, h);
}

/* Not ok: it fails at ordinary steps and says so, which is no fault here. */
static struct shk_status look_at_steps(struct watched *w)
{
  static const struct {
    real of_ordinary;
    bool must_succeed;
  } steps[] = {{1, true}, {1, true}, {-1, false}, {R(5e7), false}};
  struct shk_contract *const c = w->contract;
  const char *missing = NULL, *touched = NULL;
  for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
    const real h = c->h * steps[i].of_ordinary;
    if (c->bound.integrator->info.adaptive && i >= 2)
      break; /* an adaptive step takes as long as it needs */
    shk_state_copy(w->before, w->from);
    const struct shk_status status = step(w, h);
    if (!touched && !same(w->from, w->before))
      touched = "a step writes into the state that it starts from";
    shk_state_copy(w->from, w->before);
    if (status.code != SHK_OK) {
      if (steps[i].must_succeed)
        return status;
      continue;
    }
    if (!missing)
      missing = unwritten(w->to);
    w->to->t = w->from->t + h;
    if (steps[i].must_succeed && !unwritten(w->to))
      shk_state_copy(w->from, w->to);
  }
  shk_checks_add(c->checks, "step", "writes all of the new state", missing);
  shk_checks_add(c->checks, "step", "leaves the old state alone", touched);
  return shk_ok();
}

/* Whether the step has led to where it led before, but for the rounding of its solves. */
static bool is_near(const struct watched *w)
{
  const struct shk_map map = shk_contract_map(w->contract);
  return w->contract->bound.integrator->info.adaptive ||
         shk_map_distance(&map, w->to, w->good, false) <=
             1000 * shk_map_rounding(&map, w->contract->h);
}

/* The functions fail one after the other, at a call each: a step must say so, leave the old state
 * alone and, afterwards, lead where it led before. A positive answer asks for smaller steps, which
 * some methods then take, and count as rejected. */
static void look_at_failures(struct watched *w)
{
  enum { CALLS = 40 };
  struct shk_contract *const c = w->contract;
  const bool adaptive = c->bound.integrator->info.adaptive;
  const long *const rejected = &c->bound.evaluator.work.rejected;
  char fault[160] = "";
  shk_state_copy(w->before, w->from);
  if (step(w, c->h).code != SHK_OK)
    return; /* said already */
  shk_state_copy(w->good, w->to);
  if (step(w, c->h).code != SHK_OK || !is_near(w))
    return; /* it does so without a failure, too: that is not about failures */
  for (long call = 1, tried = 0; fault[0] == '\0' && tried < CALLS; tried++) {
    const int answer = tried % 2 == 0 ? -1 : 1;
    const long before = *rejected;
    shk_audit_fail(w->audit, call, answer);
    const struct shk_status status = step(w, c->h);
    const bool reached = shk_audit_has_failed(w->audit);
    shk_audit_fail(w->audit, 0, 0);
    if (!reached)
      break;
    const bool is_excused = answer > 0 && (adaptive || *rejected > before);
    if (status.code == SHK_OK && !is_excused)
      snprintf(fault, sizeof fault,
               "call %ld of a function in a step answers %d, which is a failure, and the step "
               "returns ok",
               call, answer);
    else if (!same(w->from, w->before))
      snprintf(fault, sizeof fault, "a step that failed at call %ld has changed the old state",
               call);
    else if (step(w, c->h).code != SHK_OK)
      snprintf(fault, sizeof fault,
               "after a step in which call %ld failed, the same step fails without a reason", call);
    else if (!is_near(w))
      snprintf(fault, sizeof fault,
               "after a step in which call %ld failed, the same step leads elsewhere", call);
    /* All of the first, which are of different functions; then more and more apart. */
    call += 1 + tried / 10;
  }
  shk_checks_add(c->checks, "step", "passes on what fails", fault[0] ? fault : NULL);
}

static struct shk_status on_watched_functions(struct shk_contract *c)
{
  struct shk_state *const states = c->states;
  struct watched w = {.contract = c,
                      .from = &states[0],
                      .to = &states[1],
                      .before = &states[2],
                      .good = &states[3]};
  struct shk_system system;
  struct shk_remembered *const remembered = c->bound.evaluator.remembered;
  struct shk_status status = shk_no_memory();
  w.audit = shk_audit_create(&system, &c->bound.instance.system);
  if (w.audit) {
    c->bound.evaluator.system = &system;
    c->bound.evaluator.remembered = NULL; /* every call is to be seen */
    status = bind_between(c, 0);
    /* What is for rods alone is watched in the functions that it calls. */
    if (status.code == SHK_REFUSED && c->bound.instance.system.rods) {
      system.rods = c->bound.instance.system.rods;
      status = bind_between(c, 0);
    }
  }
  if (status.code == SHK_OK) {
    shk_state_copy(w.from, &c->bound.start);
    status = look_at_steps(&w);
  }
  if (status.code == SHK_OK) {
    for (int i = 0; i < shk_audit_count(w.audit); i++)
      if (shk_audit_fault(w.audit, i)) /* the fault is the method's */
        shk_checks_add(c->checks, shk_audit_function(w.audit, i), "its inputs and outputs",
                       shk_audit_fault(w.audit, i));
    if (!shk_checks_fault(c->checks))
      look_at_failures(&w);
  }
  shk_method_destroy(c->bound.method); /* before the system that it is bound to */
  c->bound.method = NULL;
  c->bound.evaluator.system = &c->bound.instance.system;
  c->bound.evaluator.remembered = remembered;
  shk_audit_destroy(w.audit);
  return status;
}

/* ---- between guards ---- */

enum { COURSE = 20 };

/* A course of steps with all that surrounds the arrays as given; its end in *end. */
static struct shk_status course(struct shk_contract *c, struct guarded *from, struct guarded *to,
                                struct shk_state *end, bool with_nan, const char **beyond)
{
  const int byte = with_nan ? 0xFF : 0;
  SHK_TRY(bind_between(c, byte));
  shk_state_copy(end, &c->bound.start);
  for (int k = 0; k < COURSE && !*beyond; k++) {
    guarded_fill(from, with_nan, end);
    guarded_fill(to, with_nan, NULL);
    to->state.t = end->t + c->h;
    SHK_TRY(c->bound.integrator->step(c->bound.method, &to->state, &from->state, c->h));
    if (!guarded_intact(to, with_nan))
      *beyond = "a step writes beyond an array of the new state";
    else if (!guarded_intact(from, with_nan))
      *beyond = "a step writes beyond an array of the state that it starts from";
    else if (!shk_workspace_is_guarded(c->bound.method, byte))
      *beyond = "a step writes beyond an array that the method asked for";
    to->state.t = end->t + c->h;
    shk_state_copy(end, &to->state);
  }
  return shk_ok();
}

static struct shk_status between_guards(struct shk_contract *c)
{
  struct guarded from = {0}, to = {0};
  struct shk_state *const ends = c->states;
  const char *beyond = NULL, *reads = NULL;
  struct shk_status status = shk_no_memory();
  if (guarded_init(&from, &c->bound.start) && guarded_init(&to, &c->bound.start))
    status = course(c, &from, &to, &ends[0], false, &beyond);
  if (status.code == SHK_OK && !beyond) {
    const struct shk_status with_nan = course(c, &from, &to, &ends[1], true, &beyond);
    if (!beyond && (with_nan.code != SHK_OK || !same(&ends[0], &ends[1])))
      reads = "a step leads elsewhere, or fails, where NaN stands beyond its arrays and in the new "
              "state before: it reads there";
  }
  if (status.code == SHK_OK) {
    shk_checks_add(c->checks, "step", "writes within its arrays", beyond);
    shk_checks_add(c->checks, "step", "reads what it is given", reads);
  }
  free(from.memory);
  free(to.memory);
  return status;
}

/* ---- the process ---- */

/* From its binding on, over four courses, longer ones where steps cost least; of memory only what
 * grows in each of the last three counts. */
static struct shk_status in_the_process(struct shk_contract *c)
{
  enum { COURSES = 4, LONG = 250 };
  const bool is_long = SHK_PRECISION == 64 && !c->quick && c->bound.start.n <= 2;
  const int steps = is_long ? LONG : COURSE;
  struct shk_state *const from = &c->states[0], *const to = &c->states[1];
  size_t memory[COURSES] = {0};
  char grows[120] = "";
  struct shk_surroundings *const noted = shk_surroundings_note();
  struct shk_status status = noted ? bind_between(c, 0) : shk_no_memory();
  const char *changed = noted ? shk_surroundings_change(noted, true) : NULL;
  shk_state_copy(from, &c->bound.start);
  for (int i = 0; i < COURSES && status.code == SHK_OK; i++) {
    for (int k = 0; k < steps && status.code == SHK_OK; k++) {
      status = c->bound.integrator->step(c->bound.method, to, from, c->h);
      if (!changed)
        changed = shk_surroundings_change(noted, false);
      to->t = from->t + c->h;
      shk_state_copy(from, to);
    }
    memory[i] = shk_memory_in_use();
  }
  if (status.code == SHK_OK &&
      !c->bound.integrator->info.adaptive) { /* one that need not succeed */
    (void)c->bound.integrator->step(c->bound.method, to, from, R(5e7) * c->h);
    if (!changed)
      changed = shk_surroundings_change(noted, false);
  }
  shk_method_destroy(c->bound.method);
  c->bound.method = NULL;
  shk_surroundings_forget(noted);
  if (status.code != SHK_OK)
    return status;
  if (memory[1] > memory[0] && memory[2] > memory[1] && memory[3] > memory[2])
    snprintf(grows, sizeof grows, "the memory in use grows by %zu bytes in %d steps",
             memory[3] - memory[2], steps);
  shk_checks_add(c->checks, "step", "does nothing to the process", changed);
  shk_checks_add(c->checks, "step", "takes no memory for good", grows[0] ? grows : NULL);
  return shk_ok();
}

struct shk_status shk_contract_memory(struct shk_contract *c)
{
  static struct shk_status (*const looks[])(struct shk_contract *) = {
      in_the_process, /* first, or what changes would have changed before */
      on_watched_functions, between_guards};
  /* What follows a fault would say it again. */
  for (size_t i = 0; i < sizeof looks / sizeof looks[0] && !shk_checks_fault(c->checks); i++)
    SHK_TRY(looks[i](c));
  return shk_ok();
}

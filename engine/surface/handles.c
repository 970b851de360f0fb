/* Implements the problems and runs behind a client's handle. A run takes its steps through the
 * driver, one by one. See handle.h. */
#include "engine/surface/handle_parts.h"
#include "mechanics/system/manifold.h"

#include "engine/cells/cells.h"
#include "engine/cells/drive.h"
#include "measures/block.h"
#include "measures/joint_columns.h"
#include "mechanics/binding/real_text.h"
#include "mechanics/system/questions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct opened {
  struct shakedown_problem problem;
  struct shk_bound bound;
};

struct shk_status shk_handle_view(struct shakedown_problem *problem,
                                  const struct shk_instance *instance,
                                  struct shk_evaluator *evaluator, struct shk_manifold *manifold,
                                  struct shk_workspace *workspace)
{
  const struct shk_system *s = &instance->system;
  real *vectors, *entries;
  SHK_TRY(shk_reals(workspace, &vectors, 4 * (size_t)s->n));
  SHK_TRY(shk_reals(workspace, &entries, (size_t)(evaluator->row_start[s->m] + s->m)));
  *problem = (struct shakedown_problem){.engine = &SHK_ENGINE,
                                        .instance = instance,
                                        .evaluator = evaluator,
                                        .manifold = manifold,
                                        .vectors = vectors,
                                        .entries = entries,
                                        .sizes = {.n = s->n,
                                                  .m = s->m,
                                                  .invariants = instance->invariant_count,
                                                  .features = s->features,
                                                  .initial_time = (double)instance->initial_time,
                                                  .time_scale = (double)instance->time_scale,
                                                  .horizon = (double)instance->horizon,
                                                  .exact = instance->exact != NULL}};
  return shk_ok();
}

static void close_problem(struct shakedown_problem *problem)
{
  struct opened *o = (struct opened *)problem;
  shk_unbind(&o->bound);
  free(o);
}

static struct shakedown_problem *open_problem(const struct shk_context *context,
                                              const char *specification,
                                              struct shakedown_error *error)
{
  struct shk_message message = {""};
  struct opened *o = calloc(1, sizeof *o);
  if (!o) {
    shk_handle_fail(error, shk_no_memory());
    return NULL;
  }
  struct shk_bound *bound = &o->bound;
  const enum shk_code code = shk_bind_problem(context, bound, specification, &message);
  if (code != SHK_OK)
    shk_handle_say(error, code, message.text);
  else if (shk_handle_fail(error, shk_handle_view(&o->problem, &bound->instance, &bound->evaluator,
                                                  bound->manifold, bound->instance.workspace)) ==
           SHK_OK)
    return &o->problem;
  close_problem(&o->problem);
  return NULL;
}

void shk_to_doubles(double *to, const real *from, int count)
{
  for (int i = 0; to && i < count; i++)
    to[i] = (double)from[i];
}

/* ---- questions ---- */

static size_t count_of(const struct shakedown_problem *problem, int question)
{
  const struct shakedown_sizes *s = &problem->sizes;
  return shk_question_count(question, (size_t)s->n, (size_t)s->m, (size_t)s->invariants);
}

static struct shk_status answer_question(struct shakedown_problem *problem, real *out, int question,
                                         real t)
{
  const struct shk_instance *const i = problem->instance;
  const void *const context = i->system.context;
  const real *const q = problem->vectors, *const p = q + i->system.n;
  real *const second = out + i->system.n;
  if (question < SHK_SYSTEM_QUESTIONS)
    return shk_question_answer(problem->evaluator, out, problem->entries, (enum shk_asked)question,
                               t, problem->vectors);
  if ((question == SHAKEDOWN_EXACT && !i->exact) ||
      (question == SHAKEDOWN_INVARIANTS && !i->invariants))
    return shk_refused("the problem does not have this function");
  if (problem->sizes.features & SHK_GENERAL_DAE && question >= SHAKEDOWN_MULTIPLIER)
    return shk_refused("it is not a mechanical system");
  switch (question) {
  case SHAKEDOWN_START:
    return shk_callback_status(&i->system, i->start(context, out, second));
  case SHAKEDOWN_EXACT:
    return shk_callback_status(&i->system, i->exact(context, out, second, second + i->system.n, t));
  case SHAKEDOWN_INVARIANTS:
    return shk_callback_status(&i->system, i->invariants(context, out, t, q, p));
  case SHAKEDOWN_MULTIPLIER:
    return shk_exact_multiplier(problem->manifold, out, t, q, p);
  case SHAKEDOWN_HIDDEN:
    return shk_manifold_residuals(problem->manifold, problem->entries, out, t, q, p);
  default:
    return shk_mass_matrix(&i->system, out, q);
  }
}

/* Reads `count` numbers from an array of doubles or from a string. Returns false if the string
 * contains a different number of them. */
static bool read_numbers(real *to, int count, const void *from, bool is_text)
{
  for (int i = 0; !is_text && i < count; i++)
    to[i] = (real)((const double *)from)[i];
  return !is_text || shk_block_read(to, count, from, " ");
}

/* Evaluates a function of the problem. Stores the function values, which the caller must free, and
 * their number. Sets *out to NULL after a failure. Returns the code. */
static int ask_question(struct shakedown_problem *problem, real **out, size_t *count, int question,
                        real t, const void *const *vectors, bool are_texts,
                        struct shakedown_error *error)
{
  static const char *const names[] = {"q", "p", "w"};
  const int n = problem->sizes.n, wanted = shk_questions[question].vectors;
  *out = NULL;
  for (int i = 0; i < 3 && i < wanted; i++) {
    const int length = i < 2 ? n : 2 * n;
    real *const to = (real *)problem->vectors + i * n;
    if (vectors[i] && read_numbers(to, length, vectors[i], are_texts))
      continue;
    struct shk_message message;
    shk_message_set(&message, "%s: found %s for %s, expected %d numbers",
                    shk_questions[question].word, vectors[i] ? "another text" : "nothing", names[i],
                    length);
    return shk_handle_say(error, SHK_BAD_INPUT, message.text);
  }
  *count = count_of(problem, question);
  *out = calloc(*count + 1, sizeof **out);
  const int code =
      shk_handle_fail(error, *out ? answer_question(problem, *out, question, t) : shk_no_memory());
  if (code != SHK_OK) {
    free(*out);
    *out = NULL;
  }
  return code;
}

static int evaluate(struct shakedown_problem *problem, int question, double *out, double t,
                    const double *const *vectors, struct shakedown_error *error)
{
  size_t count;
  real *exact;
  const int code = ask_question(problem, &exact, &count, question, (real)t,
                                (const void *const *)vectors, false, error);
  if (exact)
    shk_to_doubles(out, exact, (int)count);
  free(exact);
  return code;
}

/* Formats numbers as a string and frees them. Returns NULL if there are no numbers, or after an
 * error. */
static char *text_of(real *numbers, size_t count, struct shakedown_error *error)
{
  char *const text = numbers ? shk_block_text(numbers, (int)count) : NULL;
  if (numbers && !text)
    shk_handle_fail(error, shk_no_memory());
  free(numbers);
  return text;
}

static char *evaluate_text(struct shakedown_problem *problem, int question, const char *t,
                           const char *const *vectors, struct shakedown_error *error)
{
  real time = 0, *out = NULL;
  size_t count = 0;
  if (shk_questions[question].timed && (!t || !shk_real_parse(&time, t)))
    shk_handle_say(error, SHK_BAD_INPUT, "the time is not a number");
  else
    ask_question(problem, &out, &count, question, time, (const void *const *)vectors, true, error);
  return text_of(out, count, error);
}

/* ---- describing a mechanism ---- */

static void write_word(void *to, const char *word)
{
  fprintf(to, "%s ", word);
}

static void write_numbers(void *to, const real *numbers, size_t count)
{
  for (size_t i = 0; i < count; i++) {
    char text[64];
    shk_real_format(text, sizeof text, numbers[i]);
    write_word(to, text);
  }
}

static char *description(const struct shakedown_problem *problem, struct shakedown_error *error)
{
  const struct shk_system *const s = &problem->instance->system;
  char *text = NULL;
  size_t length;
  if (!s->describe) {
    shk_handle_fail(
        error, shk_refused("the problem is not a mechanism of rigid bodies and joints in space "
                           "without drives, gears, serial joints or lists of stiffnesses"));
    return NULL;
  }
  FILE *const out = open_memstream(&text, &length);
  if (out)
    s->describe(s->context, &(struct shk_listener){out, write_word, write_numbers});
  if (out && fclose(out) == 0)
    return text;
  free(text);
  shk_handle_fail(error, shk_no_memory());
  return NULL;
}

/* ---- runs ---- */

struct shakedown_run {
  struct shakedown_problem problem; /* uses the observer */
  struct shk_drive drive;
  real from, step; /* the time at which the count of steps begins */
  long taken;
  /* created when the rows of a run are requested; NULL if there are no joints */
  struct shk_joint_columns *joints;
};

static struct shk_cell cell_of(const struct shakedown_request *r)
{
  return (struct shk_cell){.kind = (char *)"run",
                           .problem = (char *)r->problem,
                           .integrator = (char *)r->integrator,
                           .precision = (char *)r->precision,
                           .step = (char *)r->step,
                           .tolerance = (char *)r->tolerance,
                           .until = (char *)r->step,
                           .q = (char *)r->q,
                           .p = (char *)r->p};
}

static void run_close(struct shakedown_run *run)
{
  shk_drive_end(&run->drive);
  free(run);
}

/* Sets the start and the step size of the run. An adaptive integrator has no fixed step size and
 * receives the end time of each step. */
static struct shk_status prepare_run(struct shakedown_run *run)
{
  struct shk_bound *bound = &run->drive.bound;
  run->from = run->drive.current.t;
  run->step = bound->step;
  if (run->step == 0)
    return shk_failure(SHK_BAD_INPUT, "the step is zero", 0, 0);
  if (bound->integrator->info.adaptive)
    bound->step = 0;
  return shk_handle_view(&run->problem, &bound->instance, &bound->observer, bound->manifold,
                         bound->instance.workspace);
}

static struct shakedown_run *run_begin(const struct shk_context *context,
                                       const struct shk_cell *cell, struct shakedown_error *error)
{
  struct shk_outcome outcome = {0};
  struct shakedown_run *run = calloc(1, sizeof *run);
  if (!run) {
    shk_handle_fail(error, shk_no_memory());
    return NULL;
  }
  const bool begun = shk_drive_begin(context, &run->drive, &outcome, cell);
  if (!begun)
    shk_handle_say(error, outcome.code, outcome.reason);
  else if (shk_handle_fail(error, prepare_run(run)) == SHK_OK)
    return run;
  run_close(run);
  return NULL;
}

static struct shakedown_run *run_open(const struct shk_context *context,
                                      const struct shakedown_request *request,
                                      struct shakedown_error *error)
{
  const struct shk_cell cell = cell_of(request);
  return run_begin(context, &cell, error);
}

/* Updates the joint columns to the current state of the run (run_row_text). */
static struct shk_status follow_joints(struct shakedown_run *run)
{
  return run->joints ? shk_joint_columns_follow(run->joints, &run->drive.current) : shk_ok();
}

static int run_steps(struct shakedown_run *run, long count, struct shakedown_error *error)
{
  struct shk_status status = shk_ok();
  for (long k = 0; k < count && status.code == SHK_OK; k++) {
    status = shk_drive_step(&run->drive, run->from + (real)(run->taken + 1) * run->step);
    if (status.code == SHK_OK) {
      shk_drive_accept(&run->drive);
      run->taken++;
      status = follow_joints(run);
    }
  }
  return shk_handle_fail(error, status);
}

static void run_state(const struct shakedown_run *run, double *t, double *q, double *p,
                      double *lambda, double *mu)
{
  const struct shk_state *s = &run->drive.current;
  shk_to_doubles(t, &s->t, 1);
  shk_to_doubles(q, s->q, s->n);
  shk_to_doubles(p, s->p, s->n);
  shk_to_doubles(lambda, s->lambda, s->m);
  shk_to_doubles(mu, s->mu, s->m);
}

/* Returns an array of t, q, p and the first multipliers (lambda and then mu), with space for
 * additional numbers, or NULL if memory runs out. In a state, q is followed by p, and lambda by
 * mu. */
static real *numbers_of(const struct shk_state *s, int multipliers, size_t extra)
{
  const size_t n = (size_t)s->n, m = (size_t)multipliers;
  real *const all = calloc(1 + 2 * n + m + extra, sizeof *all);
  if (!all)
    return NULL;
  all[0] = s->t;
  memcpy(all + 1, s->q, 2 * n * sizeof *all);
  memcpy(all + 1 + 2 * n, s->lambda, m * sizeof *all);
  return all;
}

static char *run_state_text(const struct shakedown_run *run)
{
  const struct shk_state *s = &run->drive.current;
  return text_of(numbers_of(s, 2 * s->m, 0), 1 + 2 * (size_t)(s->n + s->m), NULL);
}

/* Stores the energy and the norms of g and of the hidden constraint and, unless `lambda` is NULL,
 * the exact multiplier. `g` must have space for both constraints. */
static struct shk_status measure_row(struct shk_bound *bound, real measures[3], real *lambda,
                                     real *g, const struct shk_state *s)
{
  if (lambda)
    SHK_TRY(shk_exact_multiplier(bound->manifold, lambda, s->t, s->q, s->p));
  measures[0] = (real)NAN;
  if ((bound->instance.system.features & SHK_GENERAL_DAE) == 0)
    SHK_TRY(shk_hamiltonian(&bound->observer, &measures[0], s->t, s->q, s->p));
  SHK_TRY(shk_manifold_residuals(bound->manifold, g, g + s->m, s->t, s->q, s->p));
  measures[1] = real_max_norm(g, s->m);
  measures[2] = real_max_norm(g + s->m, s->m);
  return shk_ok();
}

/* The joint columns are created before the first row. */
static struct shk_status begin_rows(struct shakedown_run *run)
{
  struct shk_bound *const bound = &run->drive.bound;
  if (run->joints || run->taken > 0)
    return shk_ok();
  SHK_TRY(
      shk_joint_columns_create(&run->joints, &bound->instance, &bound->observer, bound->manifold));
  return follow_joints(run);
}

static char *run_row_text(struct shakedown_run *run, bool of_state, struct shakedown_error *error)
{
  const struct shk_state *s = &run->drive.current;
  const size_t m = (size_t)s->m, count = 1 + 2 * (size_t)s->n + m;
  struct shk_status status = begin_rows(run);
  const size_t joints = run->joints ? (size_t)run->joints->count : 0;
  real *const row = numbers_of(s, s->m, 3 + joints + 2 * m);
  real *const measures = row ? row + count : NULL;
  real *const lambda = of_state && row ? measures - m : NULL;
  if (status.code == SHK_OK)
    status = row ? measure_row(&run->drive.bound, measures, lambda, measures + 3 + joints, s)
                 : shk_no_memory();
  if (status.code == SHK_OK && run->joints)
    status = shk_joint_columns_fill(run->joints, measures + 3, s);
  if (shk_handle_fail(error, status) == SHK_OK)
    return text_of(row, count + 3 + joints, error);
  free(row);
  return NULL;
}

static char *run_column_name(const struct shakedown_run *run, int column)
{
  return run->joints && column < run->joints->count ? shk_joint_column_name(run->joints, column)
                                                    : NULL;
}

static void put_numbers(real *to, real *rest, const double *from, int count)
{
  for (int i = 0; from && i < count; i++) {
    to[i] = (real)from[i];
    rest[i] = 0;
  }
}

static void run_place(struct shakedown_run *run, double t, const double *q, const double *p,
                      const double *lambda)
{
  struct shk_state *s = &run->drive.current;
  put_numbers(s->q, s->q_carry, q, s->n);
  put_numbers(s->p, s->p_carry, p, s->n);
  put_numbers(s->lambda, s->mu, lambda, s->m);
  s->t = run->from = (real)t;
  run->taken = 0;
}

static int count_work(struct shakedown_problem *problem, const char *name, long amount,
                      struct shakedown_error *error)
{
  long *counter;
  const struct shk_status status = shk_own_work(problem->evaluator, &counter, name);
  if (status.code == SHK_OK)
    *counter += amount;
  return shk_handle_fail(error, status);
}

const struct shk_handle shk_handle_functions = {.open = open_problem,
                                                .close = close_problem,
                                                .count = count_of,
                                                .evaluate = evaluate,
                                                .count_work = count_work,
                                                .evaluate_text = evaluate_text,
                                                .description = description,
                                                .run_open = run_open,
                                                .run_begin = run_begin,
                                                .run_close = run_close,
                                                .run_steps = run_steps,
                                                .run_state = run_state,
                                                .run_state_text = run_state_text,
                                                .run_row_text = run_row_text,
                                                .run_column_name = run_column_name,
                                                .run_place = run_place,
                                                .provide = shk_handle_provide};

/* Problems that clients hold open. See held.h. */
#include "engine/surface/held_parts.h"

#include "engine/bind.h"
#include "measures/block.h"
#include "mechanics/system/questions.h"

#include <stdlib.h>
#include <string.h>

struct opened {
  struct shakedown_problem problem;
  struct shk_bound bound;
};

struct shk_status shk_held_view(struct shakedown_problem *problem,
                                const struct shk_instance *instance,
                                struct shk_evaluator *evaluator, struct shk_manifold *manifold,
                                struct shk_workspace *workspace)
{
  const struct shk_system *s = &instance->system;
  real *vectors, *entries;
  SHK_TRY(shk_reals(workspace, &vectors, 4 * (size_t)s->n));
  SHK_TRY(shk_reals(workspace, &entries, (size_t)evaluator->row_start[s->m]));
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
    shk_held_fail(error, shk_no_memory());
    return NULL;
  }
  struct shk_bound *bound = &o->bound;
  const enum shk_code code = shk_bind_problem(context, bound, specification, &message);
  if (code != SHK_OK)
    shk_held_say(error, code, message.text);
  else if (shk_held_fail(error, shk_held_view(&o->problem, &bound->instance, &bound->evaluator,
                                              bound->manifold, bound->instance.workspace)) ==
           SHK_OK)
    return &o->problem;
  close_problem(&o->problem);
  return NULL;
}

/* ---- questions ---- */

static size_t count_of(const struct shakedown_problem *problem, int question)
{
  const struct shakedown_sizes *s = &problem->sizes;
  return shk_question_count(question, (size_t)s->n, (size_t)s->m, (size_t)s->invariants);
}

static struct shk_status lacks(void)
{
  return shk_failure(SHK_REFUSED, "the problem does not have what was asked for", 0, 0);
}

static struct shk_status mass_matrix(const struct shk_system *s, real *M, const real *q)
{
  const size_t n = (size_t)s->n;
  if (s->mass_matrix)
    return shk_callback_status(s->mass_matrix(s->context, M, q));
  if (!s->mass)
    return lacks();
  memset(M, 0, n * n * sizeof *M);
  for (size_t i = 0; i < n; i++)
    M[i * n + i] = s->mass[i];
  return shk_ok();
}

/* Questions about the problem. */
static struct shk_status answer_more(struct shakedown_problem *problem, real *out, int question,
                                     real t)
{
  const struct shk_instance *i = problem->instance;
  const struct shk_system *s = &i->system;
  const size_t n = (size_t)s->n;
  const real *q = problem->vectors, *p = q + n;
  switch (question) {
  case SHAKEDOWN_START:
    return shk_callback_status(i->start(s->context, out, out + n));
  case SHAKEDOWN_EXACT:
    return i->exact != NULL
               ? shk_callback_status(i->exact(s->context, out, out + n, out + 2 * n, t))
               : lacks();
  case SHAKEDOWN_INVARIANTS:
    return i->invariants != NULL ? shk_callback_status(i->invariants(s->context, out, t, q, p))
                                 : lacks();
  case SHAKEDOWN_MULTIPLIER:
    return shk_exact_multiplier(problem->manifold, out, t, q, p);
  case SHAKEDOWN_HIDDEN: {
    real *g;
    SHK_TRY(shk_reals(i->workspace, &g, (size_t)s->m + 1));
    const struct shk_status status = shk_manifold_residuals(problem->manifold, g, out, t, q, p);
    shk_give_back(g);
    return status;
  }
  default:
    return mass_matrix(s, out, q);
  }
}

static struct shk_status answer(struct shakedown_problem *problem, real *out, int question, real t)
{
  if (question < SHK_SYSTEM_QUESTIONS)
    return shk_question_answer(problem->evaluator, out, problem->entries, (enum shk_asked)question,
                               t, problem->vectors);
  if (problem->sizes.features & SHK_GENERAL_DAE && question >= SHAKEDOWN_MULTIPLIER)
    return shk_failure(SHK_REFUSED, "it is not a mechanical system", 0, 0);
  return answer_more(problem, out, question, t);
}

/* What a question is asked at: q, p and w where it names them. Reads one of n numbers, or 2n. */
typedef bool reader(real *to, const void *from, int count);

static bool read_numbers(real *to, const void *from, int count)
{
  for (int i = 0; i < count; i++)
    to[i] = (real)((const double *)from)[i];
  return true;
}

static bool read_words(real *to, const void *from, int count)
{
  return shk_block_read(to, count, from, " ");
}

/* The answer to a question, which the caller frees, and in *count its numbers; NULL with the
 * error. */
static real *ask(struct shakedown_problem *problem, size_t *count, int question, real t,
                 const void *const *vectors, reader *read, struct shakedown_error *error)
{
  static const char *const names[] = {"q", "p", "w"};
  const int n = problem->sizes.n, wanted = shk_questions[question].vectors;
  real *const to = problem->vectors;
  for (int i = 0; i < 3 && i < wanted; i++) {
    const int length = i < 2 ? n : 2 * n;
    if (vectors[i] && read(to + i * n, vectors[i], length))
      continue;
    struct shk_message message;
    shk_message_set(&message, "%s is asked at %s, which is %s %d numbers",
                    shk_questions[question].word, names[i],
                    vectors[i] ? "not" : "missing: expected", length);
    shk_held_say(error, SHK_BAD_INPUT, message.text);
    return NULL;
  }
  *count = count_of(problem, question);
  real *const out = calloc(*count + 1, sizeof *out);
  const struct shk_status status = out ? answer(problem, out, question, t) : shk_no_memory();
  if (shk_held_fail(error, status) == SHK_OK)
    return out;
  free(out);
  return NULL;
}

static int evaluate(struct shakedown_problem *problem, int question, double *out, double t,
                    const double *const *vectors, struct shakedown_error *error)
{
  struct shakedown_error own = {0};
  size_t count;
  real *const exact =
      ask(problem, &count, question, (real)t, (const void *const *)vectors, read_numbers, &own);
  for (size_t i = 0; exact && i < count; i++)
    out[i] = (double)exact[i];
  free(exact);
  return exact ? SHK_OK : shk_held_say(error, (enum shk_code)own.code, own.text);
}

static char *evaluate_text(struct shakedown_problem *problem, int question, const char *t,
                           const char *const *vectors, struct shakedown_error *error)
{
  real time = 0;
  size_t count;
  if (shk_questions[question].timed && (!t || !shk_real_parse(&time, t))) {
    shk_held_say(error, SHK_BAD_INPUT, "the time is not a number");
    return NULL;
  }
  real *const out =
      ask(problem, &count, question, time, (const void *const *)vectors, read_words, error);
  char *const text = out ? shk_block_text(out, (int)count) : NULL;
  if (out && !text)
    shk_held_fail(error, shk_no_memory());
  free(out);
  return text;
}

const struct shk_held shk_held_functions = {.open = open_problem,
                                            .close = close_problem,
                                            .count = count_of,
                                            .evaluate = evaluate,
                                            .evaluate_text = evaluate_text,
                                            .run_open = shk_held_run_open,
                                            .run_close = shk_held_run_close,
                                            .run_steps = shk_held_run_steps,
                                            .run_state = shk_held_run_state,
                                            .run_state_text = shk_held_run_state_text,
                                            .run_place = shk_held_run_place,
                                            .provide = shk_held_provide};

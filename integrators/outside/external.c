/*
 * An integrator that runs in another program, which can be written in any language. For each step,
 * the two programs exchange lines of text (see docs/reference/line-protocol.md for the protocol).
 * The integrator solves the same problem as any other method. It requests H, the constraints and
 * their derivatives, and these requests are counted like the work of any other method.
 *
 *     q' = H_p      p' = -H_q + Q - Gᵀ lambda      0 = g(q,t)
 *
 * Thus lambda is in units of force, and the constraint force is -Gᵀ lambda.
 *
 * The calling program sends the lines on the left, and the other program sends the replies on the
 * right:
 *
 *     hello 1 PRECISION DIGITS            shakedown-integrator 1 name=… version=… [KEY=VALUE …]
 *     bind N M FEATURES                   ready [MEMORY] | refuse REASON
 *     begin T H Q P LAMBDA                a question, or begun NUMBERS, or fail CODE REASON
 *     step T H Q P LAMBDA [NUMBERS]       a question, or done Q P LAMBDA MU [NUMBERS], or fail …
 *     values … | error CODE               as before; answers its question
 *
 * A question is one of those in <shakedown/questions.def>, or work NAME AMOUNT, which counts the
 * program's own work and has no values.
 *
 * If a program writes several questions at once, it receives all of the answers at once.
 *
 * The following are not implemented: a time limit for a single answer (the limit of a cell covers
 * all answers), compensated summation (the carries are zero), and the exclusion of the time spent
 * on reading and writing text. Judge such a method by its results, not by its speed.
 */
#include "foundation/nearest.h"
#include "foundation/specifications/claims.h"
#include "mechanics/outside/line_protocol.h"
#include "mechanics/system/questions.h"

#include <shakedown/plugin.h>

#include <stdio.h>

struct external {
  struct shk_evaluator *evaluator;
  int n, m;
  long memory; /* how many numbers the program stores in a state */
  struct shk_talk talk;
  real *arguments, *values, *entries;
};

/* Reads the numbers of a request. */
static struct shk_status take_arguments(struct external *x, const struct shk_question *question,
                                        real *t)
{
  if (question->timed)
    SHK_TRY(shk_talk_take_reals(&x->talk, t, 1));
  SHK_TRY(shk_talk_take_reals(&x->talk, x->arguments, question->vectors * x->n));
  return shk_talk_line_ends(&x->talk);
}

/* Counts the work that the program reports. The answer contains no numbers. */
static struct shk_status count_work(struct external *x)
{
  const char *word;
  real amount;
  long *counter;
  SHK_TRY(shk_talk_word(&word, &x->talk));
  const struct shk_status status = shk_own_work(x->evaluator, &counter, word);
  if (status.code != SHK_OK)
    return shk_talk_lose(&x->talk, status.reason, "");
  SHK_TRY(shk_talk_take_reals(&x->talk, &amount, 1));
  SHK_TRY(shk_talk_line_ends(&x->talk));
  if (!(real_fabs(amount) < R(1e15)) || amount != (real)(long)amount)
    return shk_talk_lose(&x->talk, "not a whole number: the reported amount of the work ", word);
  *counter += (long)amount;
  shk_talk_put(&x->talk, "values");
  return shk_talk_answer(&x->talk);
}

/* Answers a request whose first word has been read. If the request contains non-finite numbers, the
 * answer is an error, as it would be for a function call. The program then decides whether the step
 * fails. */
static struct shk_status answer_external(struct external *x, const char *text)
{
  const int which =
      shk_name_index(text, shk_questions, sizeof *shk_questions, SHK_SYSTEM_QUESTIONS);
  if (which < 0 && strcmp(text, "work") == 0)
    return count_work(x);
  if (which < 0)
    return shk_talk_lose(&x->talk, "there is no such answer or question: ", text);
  const struct shk_question *question = &shk_questions[which];
  real t = 0;
  struct shk_status status = take_arguments(x, question, &t);
  if (status.code != SHK_OK && status.code != SHK_NOT_FINITE)
    return status;
  if (status.code == SHK_OK)
    status = shk_question_answer(x->evaluator, x->values, x->entries, (enum shk_asked)which, t,
                                 x->arguments);
  if (status.code != SHK_OK) {
    shk_talk_put(&x->talk, "error");
    shk_talk_put(&x->talk, shk_code_name(status.code));
  } else {
    shk_talk_put(&x->talk, "values");
    shk_talk_put_reals(&x->talk, x->values,
                       shk_question_count(which, (size_t)x->n, (size_t)x->m, 0));
  }
  return shk_talk_answer(&x->talk);
}

/* ---- the step ---- */

/* Sends a request that refers to a state, and answers the program's requests until it sends the
 * word that ends the exchange. */
static struct shk_status ask_external(struct external *x, const char *request,
                                      const struct shk_state *from, real h, int memory,
                                      const char *end)
{
  SHK_TRY(shk_talk_request(&x->talk, request));
  shk_talk_put_reals(&x->talk, &from->t, 1);
  shk_talk_put_reals(&x->talk, &h, 1);
  shk_talk_put_reals(&x->talk, from->q, (size_t)x->n);
  shk_talk_put_reals(&x->talk, from->p, (size_t)x->n);
  shk_talk_put_reals(&x->talk, from->lambda, (size_t)x->m);
  shk_talk_put_reals(&x->talk, from->memory, (size_t)memory);
  SHK_TRY(shk_talk_send(&x->talk));
  for (;;) {
    const char *text;
    SHK_TRY(shk_talk_word(&text, &x->talk));
    if (strcmp(text, "fail") == 0)
      return shk_talk_failed(&x->talk);
    if (strcmp(text, end) == 0)
      return shk_ok();
    SHK_TRY(answer_external(x, text));
  }
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct external *x = method;
  SHK_TRY(ask_external(x, "step", from, h, from->memory_count, "done"));
  SHK_TRY(shk_talk_take_reals(&x->talk, to->q, x->n));
  SHK_TRY(shk_talk_take_reals(&x->talk, to->p, x->n));
  SHK_TRY(shk_talk_take_reals(&x->talk, to->lambda, x->m));
  SHK_TRY(shk_talk_take_reals(&x->talk, to->mu, x->m));
  shk_fill(to->q_carry, 0, x->n);
  shk_fill(to->p_carry, 0, x->n);
  SHK_TRY(shk_talk_take_reals(&x->talk, to->memory, to->memory_count));
  return shk_talk_line_ends(&x->talk);
}

/* At the start of a run, requests the program's memory if the program declared any. */
static struct shk_status begin_external(void *method, struct shk_state *start, real h)
{
  struct external *const x = method;
  SHK_TRY(ask_external(x, "begin", start, h, 0, "begun"));
  SHK_TRY(shk_talk_take_reals(&x->talk, start->memory, start->memory_count));
  return shk_talk_line_ends(&x->talk);
}

/* ---- beginning and end ---- */

/* Returns the size of the largest possible answer to a request about the system. */
static size_t largest_answer(const struct external *x)
{
  const struct shk_system *s = x->evaluator->system;
  const size_t n = (size_t)x->n, m = (size_t)x->m, most = 2 * m * n + n + m + 1;
  const bool second = s->hessian != NULL || s->mass_matrix;
  return second && most < 4 * n * n ? 4 * n * n : most;
}

/* Describes the system to the program. The program replies that it supports the system, or why it
 * does not. */
static struct shk_status introduce_external(struct external *x, const struct shk_greeting *greeting)
{
  const unsigned features = x->evaluator->system->features,
                 missing = features & ~greeting->supports;
  char words[128] = "separable";
  size_t at = 0;
  for (int i = 0; i < SHK_FEATURE_COUNT; i++) {
    if (missing & 1u << i)
      return shk_talk_failure(&x->talk, SHK_REFUSED, "it does not support ", shk_feature_words[i]);
    if (features & 1u << i)
      at += (size_t)snprintf(words + at, sizeof words - at, "%s%s", at > 0 ? "," : "",
                             shk_feature_words[i]);
  }
  SHK_TRY(shk_talk_request(&x->talk, "bind"));
  shk_talk_put_integer(&x->talk, x->n);
  shk_talk_put_integer(&x->talk, x->m);
  shk_talk_put(&x->talk, words);
  return shk_talk_introduce(&x->talk, &x->memory);
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct external *x = method;
  struct shk_greeting greeting;
  SHK_TRY(shk_reals(binding->workspace, &x->values, largest_answer(x)));
  SHK_TRY(shk_talk_begin(&x->talk, &greeting, binding->workspace));
  return introduce_external(x, &greeting);
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  shk_talk_claims(claims, SHK_TALKER_INTEGRATOR, ((const struct external *)method)->talk.options);
}

static const struct shk_option options[] = SHK_LIST(
    {.name = "command",
     .kind = SHK_OPTION_TEXT,
     .positional = true,
     .meaning = "the program and its arguments, separated by blanks; no shell interprets them"});

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(external, arguments, .n = 4), SHK_ARRAY(external, entries, .entries = 1));

/* The memory is defined by the program, so the names of its numbers are unknown. */
struct external_memory {
  real *numbers;
};
static const struct shk_array memory[] =
    SHK_LIST(SHK_ARRAY(external_memory, numbers, .ones = 1, .times = SHK_AT(external, memory)));

static const struct shk_integrator external = {
    SHK_INTEGRATOR(external, arrays, bind, step, claims_under),
    .options_at = SHK_AT(external, talk.options), .memory = memory, .begin = begin_external,
    .info = {.name = "external",
             .family = "other programs",
             .summary = "a program in any language that speaks the line protocol",
             .equations = "the program's own; its claims are those in its greeting",
             .citation = "the program's own",
             .options = options,
             .supports = SHK_HOLONOMIC | SHK_MOMENTUM_CONSTRAINT}};

SHK_PROVIDE(external, .integrators = SHK_INTEGRATORS(&external));

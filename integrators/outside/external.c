/*
 * An integrator in another program, in any language, that takes each step by an exchange of lines
 * of text (docs/external.md has the protocol). It has the same problem as we: it asks us for H, its
 * derivatives and those of the constraints, and its questions are counted like the work of any
 * other method.
 *
 *     q' = H_p      p' = -H_q + Q - Gᵀ lambda      0 = g(q,t)
 *
 * so lambda is in units of force, with the constraint force -Gᵀ lambda.
 *
 * We begin, then both take turns, one line each:
 *
 *     hello 1 PRECISION DIGITS            shakedown-integrator 1 name=… version=… [KEY=VALUE …]
 *     bind N M FEATURES                   ready | refuse REASON
 *     step T H Q P LAMBDA                 a question, or done Q P LAMBDA MU, or fail CODE REASON
 *     values … | error CODE               the same: the answer to the question
 *
 * Not done: limiting the time of a single answer (a cell's limit is for the whole), compensated
 * summation (the carries are zero), and subtracting the time for text: judge such a method by its
 * results, not by its speed.
 */
#include "integrators/outside/line_protocol.h"

#include <shakedown/plugin.h>

#include <stdio.h>
#include <string.h>

struct external {
  struct shk_evaluator *evaluator;
  int n, m;
  struct shk_talk talk;
  real *arguments, *values;
};

/* ---- questions about the problem ---- */

/* The arguments and the answer of a question; sizes in n, n² and m. */
struct question {
  const char *word;
  int states, vectors; /* arguments after t: 1 for q, 2 for q and p; further vectors of n */
};

static const struct question questions[] = {
    {"H", 2, 0},    {"H_q", 2, 0},       {"H_p", 2, 0},   {"hessian", 2, 0}, {"g", 1, 0},
    {"G", 1, 0},    {"curvature", 1, 1}, {"g_t", 1, 0},   {"Q", 2, 0},       {"mass", 0, 0},
    {"g_qp", 2, 0}, {"gradients", 2, 0}, {"second", 2, 2}};
enum { QUESTIONS = sizeof questions / sizeof questions[0] };

/* The Jacobian's values in the system's pattern become a dense matrix by rows. */
static void spread(const struct shk_evaluator *e, real *dense, const real *values)
{
  const size_t n = (size_t)e->system->n;
  memset(dense, 0, (size_t)e->system->m * n * sizeof *dense);
  for (int i = 0; i < e->system->m; i++)
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      dense[(size_t)i * n + (size_t)e->columns[k]] = values[k];
}

/* The answer to questions[which] at t and the arguments, into `values`; how many in *count. Refuses
 * what the system does not have. */
static struct shk_status evaluate(struct external *x, size_t *count, int which, real t)
{
  struct shk_evaluator *e = x->evaluator;
  const struct shk_system *s = e->system;
  const size_t n = (size_t)x->n, m = (size_t)x->m;
  const real *q = x->arguments, *p = q + n, *w = p + n;
  const bool momenta = (s->features & SHK_MOMENTUM_CONSTRAINT) != 0;
  real *out = x->values;
  const struct shk_status none =
      shk_failure(SHK_REFUSED, "the problem does not have what was asked for", 0, 0);
  switch (which) {
  case 0:
    *count = 1;
    return shk_hamiltonian(e, out, t, q, p);
  case 1:
    *count = n;
    return shk_gradient(e, out, t, q, p);
  case 2:
    *count = n;
    return shk_velocity(e, out, t, q, p);
  case 3:
    *count = 4 * n * n;
    return s->hessian != NULL || s->mass_matrix ? shk_hessian(e, out, t, q, p) : none;
  case 4:
    *count = m;
    return momenta ? none : shk_constraint(e, out, t, q);
  case 5:
    *count = m * n;
    if (momenta)
      return none;
    SHK_TRY(shk_jacobian(e, out + m * n, t, q));
    spread(e, out, out + m * n);
    return shk_ok();
  case 6:
    *count = m;
    return momenta ? none : shk_curvature(e, out, t, q, q + n);
  case 7:
    *count = m;
    return momenta ? none : shk_constraint_rate(e, out, t, q);
  case 8:
    *count = n;
    if (!(s->features & SHK_FORCES))
      return none;
    return s->force(s->context, out, t, q, p) == 0
               ? shk_ok()
               : shk_failure(SHK_STOPPED, "the forces cannot be evaluated", 0, 0);
  case 9:
    *count = n;
    if (s->features & SHK_GENERAL_HAMILTONIAN)
      return none;
    memcpy(out, s->mass, n * sizeof *out);
    return shk_ok();
  case 10:
    *count = m;
    return momenta ? shk_constraint_qp(e, out, t, q, p) : none;
  case 11:
    *count = 2 * m * n;
    return momenta ? shk_constraint_gradients(e, out, out + m * n, t, q, p) : none;
  default:
    *count = 2 * m * n;
    return momenta ? shk_constraint_second(e, out, t, q, p, w) : none;
  }
}

/* Answers a question whose first word has been read. */
static struct shk_status answer(struct external *x, const char *text)
{
  int which = 0;
  while (which < QUESTIONS && strcmp(questions[which].word, text) != 0)
    which++;
  if (which == QUESTIONS)
    return shk_talk_lose(&x->talk, "there is no such answer or question: ", text);
  const struct question *question = &questions[which];
  real t = 0;
  if (question->states > 0)
    SHK_TRY(shk_talk_take_reals(&x->talk, &t, 1));
  SHK_TRY(
      shk_talk_take_reals(&x->talk, x->arguments, (question->states + question->vectors) * x->n));
  SHK_TRY(shk_talk_line_ends(&x->talk));
  size_t count;
  const struct shk_status status = evaluate(x, &count, which, t);
  if (status.code != SHK_OK) {
    shk_process_put(x->talk.process, "error");
    shk_process_put(x->talk.process, shk_code_name(status.code));
  } else {
    shk_process_put(x->talk.process, "values");
    shk_talk_put_reals(&x->talk, x->values, count);
  }
  return shk_talk_send(&x->talk);
}

/* ---- the step ---- */

static struct shk_status failed_step(struct external *x)
{
  static const bool of_a_step[SHK_CODE_COUNT] = {
#define CODE(id, name, of_a_step, meaning) of_a_step,
#include <shakedown/codes.def>
#undef CODE
  };
  const char *text;
  char reason[128];
  SHK_TRY(shk_talk_word(&text, &x->talk));
  int code = 0;
  while (code < SHK_CODE_COUNT && strcmp(shk_code_name((enum shk_code)code), text) != 0)
    code++;
  if (code == SHK_CODE_COUNT || !of_a_step[code])
    return shk_talk_lose(&x->talk, "it failed with a code that is not known: ", text);
  SHK_TRY(shk_talk_rest(reason, sizeof reason, &x->talk));
  return shk_talk_failure(&x->talk, (enum shk_code)code, "",
                          *reason != '\0' ? reason : shk_code_name((enum shk_code)code));
}

static struct shk_status finished_step(struct external *x, struct shk_state *to)
{
  SHK_TRY(shk_talk_take_reals(&x->talk, to->q, x->n));
  SHK_TRY(shk_talk_take_reals(&x->talk, to->p, x->n));
  SHK_TRY(shk_talk_take_reals(&x->talk, to->lambda, x->m));
  SHK_TRY(shk_talk_take_reals(&x->talk, to->mu, x->m));
  memset(to->q_carry, 0, (size_t)x->n * sizeof(real));
  memset(to->p_carry, 0, (size_t)x->n * sizeof(real));
  return shk_talk_line_ends(&x->talk);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct external *x = method;
  if (x->talk.lost)
    return shk_talk_again(&x->talk);
  shk_process_put(x->talk.process, "step");
  shk_talk_put_real(&x->talk, from->t);
  shk_talk_put_real(&x->talk, h);
  shk_talk_put_reals(&x->talk, from->q, (size_t)x->n);
  shk_talk_put_reals(&x->talk, from->p, (size_t)x->n);
  shk_talk_put_reals(&x->talk, from->lambda, (size_t)x->m);
  SHK_TRY(shk_talk_send(&x->talk));
  for (;;) {
    const char *text;
    SHK_TRY(shk_talk_word(&text, &x->talk));
    if (strcmp(text, "fail") == 0)
      return failed_step(x);
    if (strcmp(text, "done") == 0) {
      const struct shk_status status = finished_step(x, to);
      x->talk.lost = status.code != SHK_OK; /* the end of its line is unknown now */
      return status;
    }
    const struct shk_status status = answer(x, text);
    if (status.code != SHK_OK) {
      x->talk.lost = true;
      return status;
    }
  }
}

/* ---- beginning and end ---- */

static void end_process(void *method)
{
  shk_process_end(((struct external *)method)->talk.process);
}

/* The size of the largest answer to any question about the system. */
static size_t largest_answer(const struct external *x)
{
  const struct shk_system *s = x->evaluator->system;
  const size_t n = (size_t)x->n, m = (size_t)x->m, most = 2 * m * n + n + m + 1;
  const bool second = s->hessian != NULL || s->mass_matrix;
  return second && most < 4 * n * n ? 4 * n * n : most;
}

/* Describes the system to the program, which says whether it applies. */
static struct shk_status introduce(struct external *x, const struct shk_greeting *greeting)
{
  const unsigned features = x->evaluator->system->features,
                 missing = features & ~greeting->supports;
  char words[128] = "separable";
  size_t at = 0;
  for (int i = 0; i < SHK_FEATURE_COUNT; i++) {
    if (missing & 1u << i)
      return shk_talk_failure(&x->talk, SHK_REFUSED, "it does not support ", shk_talk_features[i]);
    if (features & 1u << i)
      at += (size_t)snprintf(words + at, sizeof words - at, "%s%s", at > 0 ? "," : "",
                             shk_talk_features[i]);
  }
  if (greeting->double_only && SHK_PRECISION != 64)
    return shk_talk_failure(&x->talk, SHK_REFUSED, "it works in double precision only", "");
  shk_process_put(x->talk.process, "bind");
  shk_talk_put_integer(&x->talk, x->n);
  shk_talk_put_integer(&x->talk, x->m);
  shk_process_put(x->talk.process, words);
  SHK_TRY(shk_talk_send(&x->talk));
  const char *text;
  SHK_TRY(shk_talk_word(&text, &x->talk));
  if (strcmp(text, "ready") == 0)
    return shk_talk_line_ends(&x->talk);
  if (strcmp(text, "refuse") != 0)
    return shk_talk_lose(&x->talk, "expected 'ready' or 'refuse', found ", text);
  char reason[128];
  SHK_TRY(shk_talk_rest(reason, sizeof reason, &x->talk));
  return shk_talk_failure(&x->talk, SHK_REFUSED, "",
                          *reason != '\0' ? reason : "it does not apply");
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct external *x = method;
  struct shk_greeting greeting;
  SHK_TRY(shk_reals(binding->workspace, &x->values, largest_answer(x)));
  SHK_TRY(shk_keep(binding->workspace, x, end_process));
  SHK_TRY(shk_talk_begin(&x->talk, &greeting));
  return introduce(x, &greeting);
}

/* The program's claims; none for one that does not answer, whose cells then say why. */
static void claims_under(struct shk_claims *claims, const void *method)
{
  struct shk_talk talk = {.options = ((const struct external *)method)->talk.options};
  struct shk_greeting greeting;
  if (shk_talk_begin(&talk, &greeting).code == SHK_OK)
    *claims = greeting.claims;
  shk_process_end(talk.process);
}

static const struct shk_option options[] = {
    {.name = "command",
     .kind = SHK_OPTION_TEXT,
     .positional = true,
     .meaning = "the program and its arguments, with blanks between them; no shell reads it"},
    {0}};

static const struct shk_array arrays[] = {SHK_ARRAY(external, arguments, .n = 4), {0}};

static const struct shk_integrator external = {
    .struct_size = sizeof external,
    .info = {.name = "external",
             .summary = "a program in any language that speaks our line protocol",
             .equations = "the program's own; its claims are those of its greeting",
             .citation = "the program's own",
             .options = options,
             .supports =
                 SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT},
    SHK_METHOD(external),
    .arrays = arrays,
    .bind = bind,
    .step = step,
    .claims_under = claims_under,
    .options_at = SHK_AT(external, talk.options)};

SHK_PROVIDE(external, .integrators = SHK_INTEGRATORS(&external));

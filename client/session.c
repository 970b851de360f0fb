/* The sessions, problems and runs used by clients. See <shakedown/client.h>. */
#include "client/session.h"

#include "build_facts.h"
#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/message.h"
#include "foundation/specifications/claims.h"

#include <dlfcn.h>
#include <stdlib.h>

/* ---- out of memory ---- */

_Thread_local struct shk_guard *shk_innermost_guard;
/* the process's previous handler, which is used for allocations outside calls to the library */
static void (*otherwise)(void);

static void go_back(void)
{
  struct shk_guard *guard = shk_innermost_guard;
  if (!guard)
    otherwise();
  shk_innermost_guard = guard->outer;
  longjmp(guard->back, 1);
}

locale_t shk_locale_of_caller(void)
{
  return uselocale(shk_innermost_guard ? shk_innermost_guard->locale : (locale_t)0);
}

__attribute__((constructor)) static void guard(void)
{
  otherwise = shk_out_of_memory;
  shk_out_of_memory = go_back;
}

/* ---- names and strings ---- */

const char *shakedown_version(void)
{
  return SHK_VERSION;
}

const char *shakedown_code_name(int code)
{
  return code >= 0 && code < SHK_CODE_COUNT ? shk_code_name((enum shk_code)code) : NULL;
}

const char *shakedown_claim_name(int index)
{
  return index >= 0 && index < SHK_CLAIMS - 1 ? shk_claim_entries[index + 1].field : NULL;
}

const char *shakedown_feature_name(int bit)
{
  return bit >= 0 && bit < SHK_FEATURE_COUNT ? shk_feature_words[bit] : NULL;
}

const char *shakedown_question_name(int question)
{
#define QUESTION(id, word, ...) word,
#define PROBLEM_QUESTION QUESTION
  static const char *const words[] = {
#include <shakedown/questions.def>
  };
#undef QUESTION
#undef PROBLEM_QUESTION
  return question >= 0 && question < SHAKEDOWN_QUESTION_COUNT ? words[question] : NULL;
}

void shakedown_free(char *text)
{
  free(text);
}

/* ---- sessions ---- */

struct shakedown *shakedown_open(struct shakedown_error *error)
{
  struct shakedown *session = calloc(1, sizeof *session);
  if (!session)
    shk_handle_say(error, SHK_NO_MEMORY, "no memory");
  return session;
}

void shakedown_close(struct shakedown *session)
{
  shk_methods_free(session ? session->methods : NULL);
  free(session);
}

void shk_offer_symbols(void)
{
  Dl_info here;
  if (dladdr((const void *)(size_t)&shakedown_load, &here) != 0)
    dlopen(here.dli_fname, RTLD_NOW | RTLD_NOLOAD | RTLD_GLOBAL);
}

int shakedown_load(struct shakedown *session, const char *path, struct shakedown_error *error)
{
  struct shk_message message = {""};
  bool ok = true;
  shk_offer_symbols();
  for (int i = 0; ok && shk_engines[i]; i++)
    SHK_GUARDED(error, SHK_NO_MEMORY,
                ok = shk_engines[i]->load_plugin(&session->context, path, &message));
  return ok ? SHK_OK : shk_handle_say(error, SHK_BAD_INPUT, message.text);
}

const char *shakedown_problem_name(const struct shakedown *session, int index)
{
  const struct shk_problem_info *info = index < 0 ? NULL : shk_problem_at(&session->context, index);
  return info ? info->name : NULL;
}

const char *shakedown_integrator_name(const struct shakedown *session, int index)
{
  const struct shk_integrator_info *info =
      index < 0 ? NULL : shk_integrator_at(&session->context, index);
  return info ? info->name : NULL;
}

static const struct shk_engine *engine_named(const char *precision, struct shakedown_error *error)
{
  struct shk_message message = {""};
  const struct shk_engine *engine = shk_engine_named(precision, &message);
  if (!engine)
    shk_handle_say(error, SHK_BAD_INPUT, message.text);
  return engine;
}

/* ---- problems ---- */

struct shakedown_problem *shakedown_problem_open(const struct shakedown *session,
                                                 const char *specification, const char *precision,
                                                 struct shakedown_error *error)
{
  struct shakedown_problem *problem = NULL;
  const struct shk_engine *engine = engine_named(precision, error);
  if (engine)
    SHK_GUARDED(error, NULL, problem = engine->held->open(&session->context, specification, error));
  return problem;
}

void shakedown_problem_close(struct shakedown_problem *problem)
{
  if (problem)
    problem->engine->held->close(problem);
}

void shakedown_problem_sizes(const struct shakedown_problem *problem, struct shakedown_sizes *sizes)
{
  *sizes = problem->sizes;
}

size_t shakedown_count(const struct shakedown_problem *problem, int question)
{
  return shakedown_question_name(question) ? problem->engine->held->count(problem, question) : 0;
}

static const char no_question[] = "there is no such question";

int shakedown_evaluate(struct shakedown_problem *problem, int question, double *out, double t,
                       const double *q, const double *p, const double *w,
                       struct shakedown_error *error)
{
  if (!shakedown_question_name(question))
    return shk_handle_say(error, SHK_BAD_INPUT, no_question);
  int code = SHK_OK;
  SHK_GUARDED(error, SHK_NO_MEMORY,
              code = problem->engine->held->evaluate(problem, question, out, t,
                                                     (const double *const[]){q, p, w}, error));
  return code;
}

char *shakedown_evaluate_text(struct shakedown_problem *problem, int question, const char *t,
                              const char *q, const char *p, const char *w,
                              struct shakedown_error *error)
{
  char *text = NULL;
  if (shakedown_question_name(question))
    SHK_GUARDED(error, NULL,
                text = problem->engine->held->evaluate_text(problem, question, t,
                                                            (const char *const[]){q, p, w}, error));
  else
    shk_handle_say(error, SHK_BAD_INPUT, no_question);
  return text;
}

char *shakedown_description(const struct shakedown_problem *problem, struct shakedown_error *error)
{
  char *text = NULL;
  SHK_GUARDED(error, NULL, text = problem->engine->held->description(problem, error));
  return text;
}

/* ---- runs ---- */

struct shakedown_run *shakedown_run_open(const struct shakedown *session,
                                         const struct shakedown_request *request,
                                         struct shakedown_error *error)
{
  struct shakedown_run *run = NULL;
  if (request->struct_size != sizeof *request) {
    shk_handle_say(error, SHK_BAD_INPUT, SHK_NO_SUCH_SIZE);
    return NULL;
  }
  const struct shk_engine *engine = engine_named(request->precision, error);
  if (engine)
    SHK_GUARDED(error, NULL, run = engine->held->run_open(&session->context, request, error));
  return run;
}

static const struct shk_handle *held(const struct shakedown_run *run)
{
  return ((const struct shakedown_problem *)run)->engine->held;
}

void shakedown_run_close(struct shakedown_run *run)
{
  if (run)
    held(run)->run_close(run);
}

struct shakedown_problem *shakedown_run_problem(struct shakedown_run *run)
{
  return (struct shakedown_problem *)run;
}

int shakedown_run_steps(struct shakedown_run *run, long count, struct shakedown_error *error)
{
  int code = SHK_OK;
  if (count < 0)
    return shk_handle_say(error, SHK_BAD_INPUT, "the number of steps is negative");
  SHK_GUARDED(error, SHK_NO_MEMORY, code = held(run)->run_steps(run, count, error));
  return code;
}

void shakedown_run_state(const struct shakedown_run *run, double *t, double *q, double *p,
                         double *lambda, double *mu)
{
  held(run)->run_state(run, t, q, p, lambda, mu);
}

char *shakedown_run_state_text(const struct shakedown_run *run)
{
  char *text = NULL;
  SHK_GUARDED(NULL, NULL, text = held(run)->run_state_text(run));
  return text;
}

void shakedown_run_place(struct shakedown_run *run, double t, const double *q, const double *p,
                         const double *lambda)
{
  held(run)->run_place(run, t, q, p, lambda);
}

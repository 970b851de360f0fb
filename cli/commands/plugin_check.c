/*
 * shakedown plugin check: checks the contents of a plug-in and prints the results as TAP. All of
 * the plug-in's code runs in processes of its own, so that a crash there is a failed point here.
 */
#include "cli/commands/certify.h"
#include "cli/commands/plugin.h"
#include "cli/shared/options.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/run/isolated.h"
#include <stdlib.h>

enum { QUESTION_SECONDS = 600 };

struct checking {
  const struct shk_arguments *arguments;
  const struct shk_words *problems; /* tried before the others */
  int points, failed;
};

/* ---- points ---- */

static void point(struct checking *c, bool ok, const char *what, const char *about,
                  const char *precision, const char *detail)
{
  char *const text = shk_print_text("%s in %s: %s", about, precision, what);
  c->failed += !ok;
  shk_tap_point(++c->points, ok, text, NULL, ok ? NULL : detail);
  free(text);
}

static void skip(struct checking *c, const char *about, const char *why)
{
  shk_tap_point(++c->points, true, about, why, NULL);
}

/* ---- checks that run in a process of their own ---- */

/* Runs a cell of a contract check, or audits the functions of its problem. */
struct question {
  const struct shk_engine *engine;
  struct shk_cell cell; /* kind NULL: no contract check */
};

struct answer {
  struct shk_answered is;
  enum shk_code code; /* of the cell */
  struct shk_checks checks;
};

/* False with the first fault of the contract, or the reason why the check failed. */
static bool examine(const struct shk_context *context, const void *user, void *filled,
                    struct shk_message *error)
{
  const struct question *const q = user;
  struct answer *const its = filled;
  struct shk_context brief = *context;
  struct shk_outcome outcome = {0};
  if (!q->cell.kind)
    return q->engine->audit_problem(context, &its->checks, q->cell.problem, error);
  brief.brief = true;
  q->engine->run(&brief, &outcome, &q->cell);
  its->code = outcome.code;
  const bool ok = !outcome.code && outcome.scalars[0].value == 0;
  shk_message_set(error, "%s", outcome.reason);
  shk_outcome_clear(&outcome);
  return ok;
}

/* Runs a check. The caller frees the answer. */
static struct answer *ask(const struct checking *c, const struct question *question)
{
  struct answer *const answer = shk_allocate(1, sizeof *answer);
  const struct shk_isolated isolated = {
      shk_servers_asked(c->arguments), question->engine, NULL, QUESTION_SECONDS, examine, question};
  shk_ask_isolated(&isolated, &answer->is, sizeof *answer);
  return answer;
}

/* True if the precision has enough digits: in single, differences cannot separate a mistake from
 * rounding. */
static bool is_judged(const struct shk_engine *engine)
{
  return engine->epsilon <= shk_engine_f64.epsilon;
}

/* ---- problems ---- */

static void audit_points(struct checking *c, const struct answer *answer, const char *about,
                         const char *precision)
{
  if (!answer->is.ok)
    point(c, false, "audit", about, precision, answer->is.reason);
  for (int i = 0; answer->is.answered && i < answer->checks.count; i++) {
    const struct shk_check *check = &answer->checks.items[i];
    point(c, check->holds, check->name, about, precision, check->detail);
  }
}

static void check_problem(struct checking *c, const struct shk_problem_info *info)
{
  struct shk_message error = {""};
  char *problem = shk_canonical_problem(&c->arguments->context, info->name, &error);
  if (!problem) {
    skip(c, info->name, error.text);
    return;
  }
  for (int i = 0; shk_engines[i]; i++)
    if (is_judged(shk_engines[i])) {
      struct answer *const audit = ask(c, &(struct question){shk_engines[i], {.problem = problem}});
      audit_points(c, audit, problem, shk_engines[i]->precision);
      free(audit);
    }
  free(problem);
}

/* ---- integrators ---- */

/* Checks the contract of the integrator on the problem, up to the first part with a fault: the next
 * parts would find it again. Returns false, with the refusal, if it refuses the problem. */
static bool is_audited(struct checking *c, const char *word, const char *integrator,
                       const struct shk_engine *engine, struct shk_message *refusal)
{
  static const char *const kinds[] = {"contract", "stateless", "valid-states", "smooth"};
  char *const problem = shk_canonical_problem(&c->arguments->context, word, refusal);
  bool refuses = !problem, ok = true;
  for (int i = 0; ok && !refuses && i < 4; i++) {
    const struct shk_cell cell = {.kind = (char *)kinds[i],
                                  .problem = problem,
                                  .integrator = (char *)integrator,
                                  .tolerance = (char *)"1e-6"};
    struct answer *const answer = ask(c, &(struct question){engine, cell});
    ok = answer->is.ok;
    refuses = answer->code == SHK_REFUSED;
    if (refuses)
      shk_message_set(refusal, "refuses every problem: %s", answer->is.reason);
    else
      point(c, ok, kinds[i], integrator, engine->precision, answer->is.reason);
    free(answer);
  }
  free(problem);
  return !refuses;
}

/* Audits an integrator on the first problem that it does not refuse: of the problems named on the
 * command line, then `first` (NULL: none), then all. The program's own problems are known to be
 * sound. */
static void audit_integrator(struct checking *c, const char *integrator, const char *first,
                             const struct shk_engine *engine)
{
  const struct shk_problem_info *info = NULL;
  struct shk_message refusal = {"there is no problem"};
  const int named = c->problems->count;
  bool done = false;
  for (int i = 0; !done && (i <= named ||
                            (info = shk_problem_at(&c->arguments->context, i - named - 1)) != NULL);
       i++) {
    char *const word = i < named ? shk_problem_named(c->problems->all[i])
                                 : shk_copy_text(info ? info->name : first);
    done = word && is_audited(c, word, integrator, engine, &refusal);
    free(word);
  }
  if (!done)
    point(c, false, "applies to some problem", integrator, engine->precision, refusal.text);
}

/* Audits an integrator with its default options. Returns its specification; NULL after a point with
 * the reason. */
static char *audited(struct checking *c, const char *text, const char *first, bool double_only)
{
  struct shk_message error = {""};
  char *spec = shk_canonical_integrator(&c->arguments->context, text, &error);
  if (!spec)
    skip(c, text, error.text);
  for (int k = 0; spec && shk_engines[k]; k++)
    if (is_judged(shk_engines[k]) && (shk_engines[k] == &shk_engine_f64 || !double_only))
      audit_integrator(c, spec, first, shk_engines[k]);
  return spec;
}

/* Checks the integrators, and RATTLE with each of the solvers. */
static int check_integrators(struct checking *c, const struct shk_remote_provider *offer,
                             bool quick)
{
  const int most = offer->integrator_count + offer->solver_count;
  char **specs = shk_allocate((size_t)most, sizeof *specs);
  int count = 0, status = SHK_EXIT_HELD;
  for (int i = 0; i < offer->integrator_count; i++) {
    const struct shk_integrator_info *info = &offer->integrators[i];
    specs[count] = audited(c, info->name, NULL, info->double_only);
    count += specs[count] != NULL;
  }
  for (int i = 0; i < offer->solver_count; i++) {
    char *const text = shk_print_text("rattle(solver=%s)", offer->solvers[i].name);
    specs[count] = audited(c, text, "alkane", offer->solvers[i].double_only);
    count += specs[count] != NULL;
    free(text);
  }
  if (!quick && count > 0)
    status = shk_certify_points(&c->points, c->arguments, specs, count, c->problems);
  shk_free_texts(specs, count);
  return status;
}

const struct shk_remote_provider *shk_plugin_offer(struct shk_arguments *arguments,
                                                   const char *path)
{
  shk_add_plugin(arguments, path);
  if (!shk_use_plugins(arguments))
    return NULL;
  const struct shk_remote_provider *const offer = arguments->context.remote;
  if (offer->problem_count + offer->integrator_count + offer->solver_count > 0)
    return offer;
  shk_complain("%s: offers neither integrators nor problems nor solvers", path);
  return NULL;
}

int shk_plugin_check(const char *path, struct shk_arguments *arguments, bool quick,
                     const struct shk_words *problems)
{
  const struct shk_remote_provider *const offer = shk_plugin_offer(arguments, path);
  struct checking c = {.arguments = arguments, .problems = problems};
  if (!offer)
    return SHK_EXIT_BAD_INPUT;
  puts("TAP version 13");
  for (int i = 0; i < offer->problem_count; i++)
    check_problem(&c, &offer->problems[i]);
  const int certified = check_integrators(&c, offer, quick);
  printf("1..%d\n", c.points);
  return c.failed > 0 ? SHK_EXIT_SHORT : certified;
}

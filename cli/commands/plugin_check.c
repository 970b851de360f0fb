/*
 * shakedown plugin check: audits the problems in a plug-in, certifies its methods, and prints the
 * results as TAP. All code of the plug-in runs in separate processes, so a crash there becomes a
 * failed TAP point.
 */
#include "cli/commands/certify.h"
#include "cli/commands/plugin.h"
#include "cli/shared/options.h"

#include "engine/names.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/run/worker.h"
#include <stdlib.h>

enum { QUESTION_SECONDS = 600 };

struct checking {
  const struct shk_arguments *arguments;
  const struct shk_words *problems; /* additional problems to use in certificates */
  int points, failed;
  struct shk_worker worker; /* for audits */
};

/* ---- points ---- */

static void print_point(struct checking *c, bool ok, const char *what, const char *about,
                        const char *precision, const char *detail)
{
  char *const text = shk_print_text("%s in %s: %s", about, precision, what);
  c->failed += !ok;
  shk_tap_point(++c->points, ok, text, NULL, ok ? NULL : detail);
  free(text);
}

static void print_skip(struct checking *c, const char *about, const char *why)
{
  shk_tap_point(++c->points, true, about, why, NULL);
}

/* ---- problems ---- */

/* Audits a problem in a separate process and prints one TAP point per check. */
static void audit_plugin_check(struct checking *c, const char *problem,
                               const struct shk_engine *engine)
{
  const struct shk_workers setup = shk_workers_asked(c->arguments);
  const struct shk_request request = {
      .query = {.kind = SHK_ASK_AUDIT, .text = problem, .precision = engine->precision},
      .seconds = QUESTION_SECONDS};
  struct shk_checks *const checks = shk_allocate(1, sizeof *checks);
  struct shk_message error = {""};
  if (shk_worker_query(&c->worker, &setup, &request, checks, &error) != SHK_ANSWERED)
    print_point(c, false, "audit", problem, engine->precision, error.text);
  for (int i = 0; i < checks->count; i++) {
    const struct shk_check *check = &checks->items[i];
    print_point(c, check->holds, check->name, problem, engine->precision, check->detail);
  }
  free(checks);
}

static void check_problem(struct checking *c, const struct shk_problem_info *info)
{
  struct shk_message error = {""};
  char *problem = shk_canonical_problem(&c->arguments->context, info->name, &error);
  if (!problem) {
    print_skip(c, info->name, error.text);
    return;
  }
  /* In single precision, finite differences cannot distinguish a mistake from rounding errors. */
  for (int i = 0; shk_engines[i]; i++)
    if (shk_engines[i]->epsilon <= shk_engine_f64.epsilon)
      audit_plugin_check(c, problem, shk_engines[i]);
  free(problem);
}

/* ---- integrators ---- */

char *shk_offered_method(const struct shk_offer *offer)
{
  return offer->kind == SHK_OPTION_INTEGRATOR ? shk_copy_text(offer->item.name)
         : offer->kind == SHK_OPTION_CHOICE ? shk_print_text("rattle(solver=%s)", offer->item.name)
                                            : NULL;
}

static int check_methods(struct checking *c, const struct shk_remote_provider *offer, bool quick)
{
  struct shk_index specs = {0};
  for (int i = 0; i < offer->count; i++) {
    struct shk_message error = {""};
    char *const text = shk_offered_method(&offer->offers[i]);
    char *const spec = text ? shk_canonical_integrator(&c->arguments->context, text, &error) : NULL;
    if (spec)
      shk_index_text(&specs, spec);
    else if (text)
      print_skip(c, text, error.text);
    free(spec);
    free(text);
  }
  const int status = specs.count > 0
                         ? shk_certify_points(&c->points, c->arguments, &specs, c->problems, quick)
                         : SHK_EXIT_HELD;
  shk_index_clear(&specs);
  return status;
}

const struct shk_remote_provider *shk_plugin_offer(struct shk_arguments *arguments,
                                                   const char *path)
{
  shk_add_plugin(arguments, path);
  if (!shk_use_plugins(arguments))
    return NULL;
  const struct shk_remote_provider *const offer = arguments->context.remote;
  if (offer->count > 0)
    return offer;
  shk_complain("%s: provides no integrators, problems or solvers", path);
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
  for (int i = 0; i < offer->count; i++)
    if (offer->offers[i].kind == SHK_OPTION_PROBLEM)
      check_problem(&c, offer->offers[i].item.info);
  shk_worker_end(&c.worker);
  const int certified = check_methods(&c, offer, quick);
  printf("1..%d\n", c.points);
  return c.failed > 0 ? SHK_EXIT_SHORT : certified;
}

/*
 * Answers that are kept. See answers.h.
 *
 * A question is a text: "problem NAME", "integrator NAME" and "solver NAME" for descriptors,
 * "claims PRECISION SPECIFICATION", "inspection PRECISION SPECIFICATION", and "scene" with the
 * digest of a problem and its states. A reply is JSON as a worker's (remote_descriptors.h,
 * wire_scene.h), or {"error": …}.
 */
#include "harness/run/answers.h"

#include "engine/names.h"
#include "foundation/hash.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/run/remote_descriptors.h"
#include "results/record/wire_scene.h"
#include "results/record/wire_text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct shk_answers {
  struct shk_index questions;
  char **replies; /* by the question's number */
  const struct shk_remote_provider *live;
  struct shk_descriptors kept; /* those that are not live */
  struct shk_problem_info *problems;
  struct shk_integrator_info *integrators, *solvers; /* the live ones and those */
  struct shk_remote_provider provider;
  bool missed; /* something was asked of which nothing is known */
};

/* ---- questions and replies ---- */

/* Takes both over; the first reply to a question stays. */
static void keep(struct shk_answers *answers, char *question, char *reply)
{
  const int known = answers->questions.count;
  const int number = shk_index_text(&answers->questions, question);
  free(question);
  if (number < known) {
    free(reply);
    return;
  }
  answers->replies = shk_grow(answers->replies, (size_t)number, sizeof *answers->replies);
  answers->replies[number] = reply;
}

static json_t *error_json(const char *text)
{
  json_t *const json = shk_wire_had(json_object());
  shk_wire_set_text(json, "error", text);
  return json;
}

/* The reply that is kept; NULL if there is none, or one that does not read. */
static json_t *reply_to(const struct shk_answers *answers, const char *question)
{
  const int number = shk_index_find(&answers->questions, question);
  json_t *json = number >= 0 ? json_loads(answers->replies[number], 0, NULL) : NULL;
  if (json_is_object(json))
    return json;
  json_decref(json);
  return NULL;
}

/* The reply kept before, or that of `ask`, which is then kept; NULL with the reason. */
static json_t *
answer(struct shk_answers *answers, const struct shk_context *context, char *owned_question,
       json_t *(*ask)(void *asked, const struct shk_context *context, struct shk_message *error),
       void *asked, struct shk_message *error)
{
  json_t *json = reply_to(answers, owned_question);
  if (json) {
    free(owned_question);
  } else {
    struct shk_context inner = *context;
    inner.remote = answers->live;
    json = ask(asked, &inner, error);
    answers->missed = answers->missed || !json;
    if (!json)
      json = error_json(error->text);
    keep(answers, owned_question, shk_wire_line(json_incref(json)));
  }
  const char *const failure = json_string_value(json_object_get(json, "error"));
  if (!failure)
    return json;
  shk_message_set(error, "%s", failure);
  json_decref(json);
  return NULL;
}

struct asked {
  const char *precision, *spec;
  int count, n;
  const double *times, *q;
};

static json_t *ask_claims(void *user, const struct shk_context *context, struct shk_message *error)
{
  const struct asked *const asked = user;
  struct shk_claims claims = {0};
  return shk_claims_of(context, &claims, asked->precision, asked->spec, error)
             ? shk_wire_claims(&claims)
             : NULL;
}

static bool claims_of(void *user, const struct shk_context *context, struct shk_claims *claims,
                      const char *precision, const char *integrator, struct shk_message *error)
{
  struct asked asked = {.precision = precision, .spec = integrator};
  json_t *const json = answer(user, context, shk_print_text("claims %s %s", precision, integrator),
                              ask_claims, &asked, error);
  const bool ok = json && shk_wire_read_claims(claims, json, error);
  json_decref(json);
  return ok;
}

static json_t *ask_inspection(void *user, const struct shk_context *context,
                              struct shk_message *error)
{
  const struct asked *const asked = user;
  struct shk_inspection inspection;
  return shk_inspect(context, &inspection, asked->precision, asked->spec, error)
             ? shk_wire_inspection(&inspection)
             : NULL;
}

static bool inspect(void *user, const struct shk_context *context,
                    struct shk_inspection *inspection, const char *precision, const char *problem,
                    struct shk_message *error)
{
  struct asked asked = {.precision = precision, .spec = problem};
  json_t *const json = answer(user, context, shk_print_text("inspection %s %s", precision, problem),
                              ask_inspection, &asked, error);
  const bool ok = json && shk_wire_read_inspection(inspection, json, error);
  json_decref(json);
  return ok;
}

static json_t *ask_scene(void *user, const struct shk_context *context, struct shk_message *error)
{
  const struct asked *const asked = user;
  struct shk_scene scene = {0};
  json_t *const json = shk_scene_of(context, &scene, asked->spec, asked->count, asked->times,
                                    asked->n, asked->q, error)
                           ? shk_wire_scene(&scene)
                           : NULL;
  shk_scene_clear(&scene);
  return json;
}

/* By the digest of the request: states are long. */
static char *scene_question(const struct asked *asked)
{
  char hash[SHK_HASH_SIZE];
  json_t *const request = shk_wire_had(json_object());
  shk_wire_ask_scene(request, asked->spec, asked->count, asked->times, asked->n, asked->q);
  char *const line = shk_wire_line(request);
  shk_hash_bytes(hash, line, strlen(line));
  free(line);
  return shk_print_text("scene %s", hash);
}

static bool scene_of(void *user, const struct shk_context *context, struct shk_scene *scene,
                     const char *problem, int count, const double *times, int n, const double *q,
                     struct shk_message *error)
{
  struct asked asked = {.spec = problem, .count = count, .times = times, .n = n, .q = q};
  json_t *const json = answer(user, context, scene_question(&asked), ask_scene, &asked, error);
  *scene = (struct shk_scene){0};
  const bool ok = json && shk_wire_read_scene(scene, count, json, error);
  json_decref(json);
  return ok;
}

/* Asked while a study is made, and not kept: what is stored is the study. */
static bool refuses(void *user, const struct shk_context *context, const struct shk_cell *cell)
{
  const struct shk_remote_provider *const live = ((struct shk_answers *)user)->live;
  return live && live->refuses && live->refuses(live->user, context, cell);
}

static bool knows_program(void *user, const char *integrator)
{
  const struct shk_answers *const answers = user;
  char *const question = shk_print_text("claims double %s", integrator);
  json_t *const json = reply_to(answers, question);
  const bool known = json && !json_object_get(json, "error");
  json_decref(json);
  free(question);
  return known;
}

/* ---- descriptors ---- */

/* The live ones, and those kept, in one list. */
static void list_descriptors(struct shk_answers *answers)
{
  const struct shk_remote_provider *const live = answers->live;
  const int problems = live ? live->problem_count : 0;
  const int integrators = live ? live->integrator_count : 0;
  struct shk_remote_provider *const provider = &answers->provider;
  provider->problem_count = problems + answers->kept.problem_count;
  provider->integrator_count = integrators + answers->kept.integrator_count;
  answers->problems = shk_allocate((size_t)provider->problem_count + 1, sizeof *answers->problems);
  answers->integrators =
      shk_allocate((size_t)provider->integrator_count + 1, sizeof *answers->integrators);
  for (int i = 0; i < provider->problem_count; i++)
    answers->problems[i] = i < problems ? live->problems[i] : answers->kept.problems[i - problems];
  for (int i = 0; i < provider->integrator_count; i++)
    answers->integrators[i] =
        i < integrators ? live->integrators[i] : answers->kept.integrators[i - integrators];
  const int solvers = live ? live->solver_count : 0;
  provider->solver_count = solvers + answers->kept.solver_count;
  answers->solvers = shk_allocate((size_t)provider->solver_count + 1, sizeof *answers->solvers);
  for (int i = 0; i < provider->solver_count; i++)
    answers->solvers[i] = i < solvers ? live->solvers[i] : answers->kept.solvers[i - solvers];
  provider->solvers = answers->solvers;
  provider->problems = answers->problems;
  provider->integrators = answers->integrators;
}

struct shk_answers *shk_answers_new(const struct shk_remote_provider *live)
{
  struct shk_answers *const answers = shk_allocate(1, sizeof *answers);
  answers->live = live;
  answers->provider = (struct shk_remote_provider){.claims = claims_of,
                                                   .inspect = inspect,
                                                   .scene = scene_of,
                                                   .refuses = refuses,
                                                   .knows_program = knows_program,
                                                   .user = answers};
  list_descriptors(answers);
  for (int i = 0; live && i < live->problem_count; i++)
    keep(answers, shk_print_text("problem %s", live->problems[i].name),
         shk_wire_line(shk_wire_problem_info(&live->problems[i])));
  for (int i = 0; live && i < live->integrator_count; i++)
    keep(answers, shk_print_text("integrator %s", live->integrators[i].name),
         shk_wire_line(shk_wire_integrator_info(&live->integrators[i])));
  for (int i = 0; live && i < live->solver_count; i++)
    keep(answers, shk_print_text("solver %s", live->solvers[i].name),
         shk_wire_line(shk_wire_integrator_info(&live->solvers[i])));
  return answers;
}

/* A stranger's: it must not stand in for what is built in. */
static bool is_a_new_name(const struct shk_context *known, const char *kind, const char *name,
                          struct shk_message *error)
{
  bool ok = name && isalnum((unsigned char)*name);
  for (const char *at = ok ? name : ""; *at; at++)
    ok = ok && (isalnum((unsigned char)*at) || strchr("-_", *at));
  const bool is_problem = strcmp(kind, "problem") == 0, is_solver = strcmp(kind, "solver") == 0;
  ok = ok && !(is_problem  ? shk_find_problem(known, name) != NULL
               : is_solver ? shk_is_solver(known, name)
                           : shk_find_integrator(known, name) != NULL);
  if (!ok)
    shk_message_set(error, "a kept descriptor of %s %s has a name that it cannot have",
                    is_problem || is_solver ? "a" : "an", kind);
  return ok;
}

/* Adds the descriptor to the list if the question is for one of that kind which is not live. */
static bool gather(struct shk_answers *answers, json_t *list, const char *kind, int number,
                   struct shk_message *error)
{
  const char *const question = answers->questions.texts[number];
  const size_t length = strlen(kind);
  if (strncmp(question, kind, length) != 0 || question[length] != ' ')
    return true;
  const struct shk_remote_provider none = {0};
  const struct shk_context known = {.remote = answers->live ? answers->live : &none};
  json_t *const json = reply_to(answers, question);
  const char *const name = json_string_value(json_object_get(json, "name"));
  const bool ok = is_a_new_name(&known, kind, name, error);
  if (ok)
    shk_wire_append(list, json_incref(json));
  json_decref(json);
  return ok;
}

static bool read_descriptors(struct shk_answers *answers, int first, struct shk_message *error)
{
  json_t *const json = shk_wire_had(json_object());
  json_t *const problems = shk_wire_had(json_array());
  json_t *const integrators = shk_wire_had(json_array());
  json_t *const solvers = shk_wire_had(json_array());
  bool ok = true;
  for (int i = first; ok && i < answers->questions.count; i++)
    ok = gather(answers, problems, "problem", i, error) &&
         gather(answers, integrators, "integrator", i, error) &&
         gather(answers, solvers, "solver", i, error);
  shk_wire_set(json, "problems", problems);
  shk_wire_set(json, "integrators", integrators);
  shk_wire_set(json, "solvers", solvers);
  ok = ok && shk_descriptors_read(&answers->kept, json, error);
  json_decref(json);
  free(answers->problems);
  free(answers->integrators);
  free(answers->solvers);
  list_descriptors(answers);
  return ok;
}

bool shk_answers_read(struct shk_answers *answers, struct shk_store *store, const char *study,
                      struct shk_message *error)
{
  struct shk_stored_answer *all;
  int count;
  if (!shk_store_answers(store, &all, &count, study, error))
    return false;
  const int first = answers->questions.count; /* those before are live */
  for (int i = 0; i < count; i++)
    keep(answers, shk_copy_text(all[i].question), shk_copy_text(all[i].reply));
  shk_stored_answers_free(all, count);
  return read_descriptors(answers, first, error);
}

bool shk_answers_write(const struct shk_answers *answers, struct shk_store *store,
                       const char *study, struct shk_message *error)
{
  const int count = answers->questions.count;
  struct shk_stored_answer *const all = shk_allocate((size_t)count + 1, sizeof *all);
  for (int i = 0; i < count; i++)
    all[i] = (struct shk_stored_answer){answers->questions.texts[i], answers->replies[i]};
  const bool ok = shk_store_put_answers(store, study, all, count, error);
  free(all);
  return ok;
}

const struct shk_remote_provider *shk_answers_provider(const struct shk_answers *answers)
{
  return &answers->provider;
}

/* ---- what an analysis will ask ---- */

/* In either precision: a plug-in need not have both. */
static bool ask_of_problem(struct shk_answers *answers, const struct shk_context *context,
                           const char *problem, struct shk_message *error)
{
  struct shk_inspection inspection;
  answers->missed = false;
  if (!shk_is_remote_problem(context, problem))
    return true;
  const bool has_double = shk_inspect(context, &inspection, "double", problem, error);
  struct shk_message ignored;
  return shk_inspect(context, &inspection, "quad", problem, has_double ? &ignored : error) ||
         has_double || !answers->missed;
}

static bool ask_of_integrator(struct shk_answers *answers, const struct shk_context *context,
                              const struct shk_cell *cell, struct shk_message *error)
{
  struct shk_claims claims;
  answers->missed = false;
  return !shk_is_remote_integrator(context, cell->integrator) ||
         shk_claims_of(context, &claims, cell->precision, cell->integrator, error) ||
         !answers->missed;
}

bool shk_answers_ask(struct shk_answers *answers, const struct shk_plan *plan,
                     struct shk_message *error)
{
  bool ok = true;
  for (int i = 0; i < plan->count; i++) {
    const struct shk_cell *const cell = &plan->cells[i].cell;
    struct shk_context context = *plan->context;
    struct shk_message fault;
    if (plan->cells[i].seconds < SHK_DEFAULT_SECONDS)
      context.question_seconds = plan->cells[i].seconds;
    bool its = ask_of_problem(answers, &context, cell->problem, &fault) &&
               ask_of_integrator(answers, &context, cell, &fault);
    for (int m = 0; its && m < cell->member_count; m++)
      its = ask_of_problem(answers, &context, cell->members[m].problem, &fault);
    if (ok && !its)
      *error = fault;
    ok = ok && its;
  }
  return ok;
}

void shk_answers_free(struct shk_answers *answers)
{
  if (!answers)
    return;
  for (int i = 0; i < answers->questions.count; i++)
    free(answers->replies[i]);
  free(answers->replies);
  shk_index_clear(&answers->questions);
  shk_descriptors_clear(&answers->kept);
  free(answers->problems);
  free(answers->integrators);
  free(answers->solvers);
  free(answers);
}

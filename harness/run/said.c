/*
 * Replies that are kept. See said.h.
 *
 * A question is a text: "problem NAME", "integrator NAME" and "solver NAME" for descriptors,
 * "claims PRECISION SPECIFICATION", "inspection PRECISION SPECIFICATION", and "scene" with the
 * digest of its request.
 */
#include "harness/run/said.h"

#include "engine/names.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/run/descriptor_bytes.h"
#include "results/record/cell_text.h"
#include "results/record/record_bytes.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct shk_said {
  struct shk_index questions;
  struct shk_stored_answer *all; /* by the question's number; the question is the index's */
  struct shk_host *host;
  struct shk_arena arena; /* of the descriptors, which the provider lists */
  struct shk_problem_info *problems;
  struct shk_integrator_info *integrators, *solvers;
  struct shk_remote_provider provider;
  bool missed; /* something was asked of which nothing is known */
};

/* ---- questions and replies ---- */

/* Takes the reply over; the first one to a question stays. Returns the question's number. */
static int keep(struct shk_said *said, const char *question, char *reply, size_t size)
{
  const int known = said->questions.count;
  const int number = shk_index_text(&said->questions, question);
  if (number < known) {
    free(reply);
    return number;
  }
  said->all = shk_grow(said->all, (size_t)number, sizeof *said->all);
  said->all[number] = (struct shk_stored_answer){said->questions.texts[number], reply, size};
  return number;
}

/* The reply of the host; without one that of the engines of this process. */
static char *reply_now(struct shk_said *said, const struct shk_context *context,
                       const struct shk_request *request, size_t *size)
{
  struct shk_message error;
  struct shk_context own = *context;
  own.remote = NULL;
  if (!said->host)
    return shk_answer(&own, request, size);
  char *const reply = shk_host_ask(said->host, context, request, size, &error);
  return reply ? reply : shk_error_reply(error.text, size);
}

/* Opens the reply that is kept, or is given now and then kept; false with the reason. */
static bool open_reply(struct shk_said *said, struct shk_stream *reply, char *owned_question,
                       const struct shk_context *context, const struct shk_request *request,
                       struct shk_message *error)
{
  int number = shk_index_find(&said->questions, owned_question);
  const bool is_new = number < 0;
  if (is_new) {
    size_t size;
    char *const bytes = reply_now(said, context, request, &size);
    number = keep(said, owned_question, bytes, size);
  }
  free(owned_question);
  const struct shk_stored_answer *const kept = &said->all[number];
  const bool ok = shk_reply_open(reply, kept->reply, kept->size, error);
  said->missed = said->missed || (is_new && !ok);
  return ok;
}

/* Whether the reply was read to its end; false with the reason. */
static bool was_read(const struct shk_stream *reply, struct shk_message *error)
{
  const bool ok = shk_frame_done(reply);
  if (!ok)
    shk_message_set(error, "a reply that is kept does not read");
  return ok;
}

static bool claims_of(void *user, const struct shk_context *context, struct shk_claims *claims,
                      const char *precision, const char *integrator, struct shk_message *error)
{
  struct shk_stream reply;
  const struct shk_request request = {
      .kind = SHK_ASK_CLAIMS, .text = integrator, .precision = precision};
  if (!open_reply(user, &reply, shk_print_text("claims %s %s", precision, integrator), context,
                  &request, error))
    return false;
  shk_pass_claims(&reply, claims);
  return was_read(&reply, error);
}

static bool inspect(void *user, const struct shk_context *context,
                    struct shk_inspection *inspection, const char *precision, const char *problem,
                    struct shk_message *error)
{
  struct shk_stream reply;
  const struct shk_request request = {
      .kind = SHK_ASK_INSPECTION, .text = problem, .precision = precision};
  if (!open_reply(user, &reply, shk_print_text("inspection %s %s", precision, problem), context,
                  &request, error))
    return false;
  shk_pass_inspection(&reply, inspection);
  return was_read(&reply, error);
}

/* By the digest of the request: states are long. */
static char *scene_question(const struct shk_request *request)
{
  char hash[SHK_HASH_SIZE];
  size_t size;
  char *const bytes = shk_request_bytes(request, &size);
  shk_hash_bytes(hash, bytes, size);
  free(bytes);
  return shk_print_text("scene %s", hash);
}

static bool scene_of(void *user, const struct shk_context *context, struct shk_scene *scene,
                     const char *problem, int count, const double *times, int n, const double *q,
                     struct shk_message *error)
{
  struct shk_stream reply;
  const struct shk_request request = {.kind = SHK_ASK_SCENE,
                                      .text = problem,
                                      .precision = "double",
                                      .count = count,
                                      .n = n,
                                      .times = times,
                                      .q = q};
  *scene = (struct shk_scene){0};
  if (!open_reply(user, &reply, scene_question(&request), context, &request, error))
    return false;
  shk_pass_scene(&reply, scene);
  return was_read(&reply, error) && scene->state_count == count;
}

/* Asked while a study is made, and not kept: the study is stored. */
static bool refuses(void *user, const struct shk_context *context, const struct shk_cell *cell)
{
  struct shk_host *const host = ((struct shk_said *)user)->host;
  struct shk_message error;
  struct shk_record record = {0};
  size_t size;
  char *const text = shk_cell_text(cell);
  const struct shk_request request = {.kind = SHK_ASK_CELL, .text = text};
  char *const reply = host ? shk_host_ask(host, context, &request, &size, &error) : NULL;
  const bool refused = reply && shk_record_read(&record, reply, size, &error) &&
                       record.end == SHK_END_FINISHED && record.outcome.code == SHK_REFUSED;
  shk_record_clear(&record);
  free(reply);
  free(text);
  return refused;
}

static bool knows_program(void *user, const char *integrator)
{
  const struct shk_said *const said = user;
  struct shk_stream reply;
  struct shk_message error;
  char *const question = shk_print_text("claims double %s", integrator);
  const int number = shk_index_find(&said->questions, question);
  free(question);
  return number >= 0 &&
         shk_reply_open(&reply, said->all[number].reply, said->all[number].size, &error);
}

/* ---- descriptors ---- */

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

/* Adds the descriptor of a problem to the list; false with the reason. */
static bool add_problem(struct shk_said *said, struct shk_stream *s, struct shk_message *error)
{
  struct shk_remote_provider *const provider = &said->provider;
  const struct shk_context known = {.remote = provider};
  struct shk_problem_info info = {0};
  shk_pass_problem_info(s, &said->arena, &info);
  if (!was_read(s, error) || !is_a_new_name(&known, "problem", info.name, error))
    return false;
  said->problems =
      shk_grow(said->problems, (size_t)provider->problem_count, sizeof *said->problems);
  said->problems[provider->problem_count++] = info;
  provider->problems = said->problems;
  return true;
}

/* The same for an integrator or a solver, and its list. */
static bool add_integrator(struct shk_said *said, struct shk_stream *s, const char *kind,
                           struct shk_integrator_info **list, int *count, struct shk_message *error)
{
  const struct shk_context known = {.remote = &said->provider};
  struct shk_integrator_info info = {0};
  shk_pass_integrator_info(s, &said->arena, &info);
  if (!was_read(s, error) || !is_a_new_name(&known, kind, info.name, error))
    return false;
  *list = shk_grow(*list, (size_t)*count, sizeof **list);
  (*list)[(*count)++] = info;
  said->provider.integrators = said->integrators;
  said->provider.solvers = said->solvers;
  return true;
}

static bool is_of(const char *question, const char *kind)
{
  const size_t length = strlen(kind);
  return strncmp(question, kind, length) == 0 && question[length] == ' ';
}

/* Reads the descriptors among the replies from this one on. */
static bool read_descriptors(struct shk_said *said, int first, struct shk_message *error)
{
  struct shk_remote_provider *const provider = &said->provider;
  bool ok = true;
  for (int i = first; ok && i < said->questions.count; i++) {
    const struct shk_stored_answer *const one = &said->all[i];
    const bool is_problem = is_of(one->question, "problem");
    const bool is_solver = is_of(one->question, "solver");
    struct shk_stream s;
    if (!is_problem && !is_solver && !is_of(one->question, "integrator"))
      continue;
    ok = shk_reply_open(&s, one->reply, one->size, error);
    if (ok && is_problem)
      ok = add_problem(said, &s, error);
    else if (ok && is_solver)
      ok = add_integrator(said, &s, "solver", &said->solvers, &provider->solver_count, error);
    else if (ok)
      ok = add_integrator(said, &s, "integrator", &said->integrators, &provider->integrator_count,
                          error);
  }
  return ok;
}

/* Copies the reply. */
static void keep_copy(struct shk_said *said, const struct shk_stored_answer *one)
{
  char *const copy = shk_allocate(one->size + 1, 1);
  memcpy(copy, one->reply, one->size);
  keep(said, one->question, copy, one->size);
}

struct shk_said *shk_said_new(struct shk_host *host)
{
  struct shk_said *const said = shk_allocate(1, sizeof *said);
  struct shk_message error; /* there is none: the host's plug-ins were loaded */
  said->host = host;
  said->provider = (struct shk_remote_provider){.claims = claims_of,
                                                .inspect = inspect,
                                                .scene = scene_of,
                                                .refuses = refuses,
                                                .knows_program = knows_program,
                                                .user = said};
  for (int i = 0; host && i < host->offer_count; i++)
    keep_copy(said, &host->offers[i]);
  read_descriptors(said, 0, &error);
  return said;
}

bool shk_said_read(struct shk_said *said, struct shk_store *store, const char *study,
                   struct shk_message *error)
{
  struct shk_stored_answer *all;
  int count;
  if (!shk_store_answers(store, &all, &count, study, error))
    return false;
  const int first = said->questions.count; /* those before are the host's */
  for (int i = 0; i < count; i++)
    keep_copy(said, &all[i]);
  shk_stored_answers_free(all, count);
  return read_descriptors(said, first, error);
}

bool shk_said_write(const struct shk_said *said, struct shk_store *store, const char *study,
                    struct shk_message *error)
{
  return shk_store_put_answers(store, study, said->all, said->questions.count, error);
}

const struct shk_remote_provider *shk_said_provider(const struct shk_said *said)
{
  return &said->provider;
}

/* ---- what an analysis will ask ---- */

/* In either precision: a plug-in need not have both. */
static bool ask_of_problem(struct shk_said *said, const struct shk_context *context,
                           const char *problem, struct shk_message *error)
{
  struct shk_inspection inspection;
  said->missed = false;
  if (!shk_is_remote_problem(context, problem))
    return true;
  const bool has_double = shk_inspect(context, &inspection, "double", problem, error);
  struct shk_message ignored;
  return shk_inspect(context, &inspection, "quad", problem, has_double ? &ignored : error) ||
         has_double || !said->missed;
}

static bool ask_of_integrator(struct shk_said *said, const struct shk_context *context,
                              const struct shk_cell *cell, struct shk_message *error)
{
  struct shk_claims claims;
  said->missed = false;
  return !shk_is_remote_integrator(context, cell->integrator) ||
         shk_claims_of(context, &claims, cell->precision, cell->integrator, error) || !said->missed;
}

bool shk_said_ask(struct shk_said *said, const struct shk_plan *plan, struct shk_message *error)
{
  bool ok = true;
  for (int i = 0; i < plan->count; i++) {
    const struct shk_cell *const cell = &plan->cells[i].cell;
    struct shk_context context = *plan->context;
    struct shk_message fault;
    if (plan->cells[i].seconds < SHK_DEFAULT_SECONDS)
      context.question_seconds = plan->cells[i].seconds;
    bool its = ask_of_problem(said, &context, cell->problem, &fault) &&
               ask_of_integrator(said, &context, cell, &fault);
    for (int m = 0; its && m < cell->member_count; m++)
      its = ask_of_problem(said, &context, cell->members[m].problem, &fault);
    if (ok && !its)
      *error = fault;
    ok = ok && its;
  }
  return ok;
}

void shk_said_free(struct shk_said *said)
{
  if (!said)
    return;
  for (int i = 0; i < said->questions.count; i++)
    free(said->all[i].reply);
  free(said->all);
  shk_index_clear(&said->questions);
  shk_arena_clear(&said->arena);
  free(said->problems);
  free(said->integrators);
  free(said->solvers);
  free(said);
}

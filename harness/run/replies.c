/*
 * Cached replies. See replies.h.
 *
 * Each query is identified by a string called its question: "claims PRECISION SPECIFICATION",
 * "inspection PRECISION SPECIFICATION", or "bodies" followed by the digest of the query. The
 * question "plug-ins" identifies the descriptors of the plug-ins, which the worker sends in its
 * first message.
 */
#include "harness/run/replies.h"

#include "engine/names.h"
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "results/record/cell_text.h"
#include "results/record/record_bytes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Default limits for a query, in seconds and MiB, used if the context sets no limits. */
static const double answer_seconds = 60;
static const double answer_megabytes = 4096;

/* A worker that answers queries, together with the settings needed to start another one. */
struct source {
  struct shk_worker worker;
  struct shk_workers setup;
};

struct shk_replies {
  struct shk_index questions;
  /* replies, in the same order as `questions`, which owns the strings */
  struct shk_stored_answer *all;
  struct source *source; /* NULL if there is none */
  char *plugins; /* hash and path of each plug-in, or NULL if the worker belongs to another cache */
  char (*hashes)[SHK_HASH_SIZE]; /* hashes of the plug-ins, needed only while the worker starts */
  int plugin_count;
  struct shk_keys keys;
  struct shk_arena arena; /* owns the memory of the provider's descriptors */
  struct shk_offer *offers;
  struct shk_remote_provider provider;
  struct shk_index tried; /* cells that have been tried, as strings */
  enum shk_code *codes;   /* the result of each of these cells */
  bool missed;            /* true if the reply to any new query was an error */
};

/* ---- questions and replies ---- */

/* Takes ownership of a reply and stores it unless the question already has one. Returns the index
 * of the question. */
static int keep_reply(struct shk_replies *replies, const char *question, char *reply, size_t size)
{
  const int known = replies->questions.count;
  const int number = shk_index_text(&replies->questions, question);
  if (number < known) {
    free(reply);
    return number;
  }
  replies->all = shk_grow(replies->all, (size_t)number, sizeof *replies->all);
  replies->all[number] = (struct shk_stored_answer){replies->questions.texts[number], reply, size};
  return number;
}

/* Sends a request to the worker, using the context's time limit and folder. The caller frees the
 * reply. On failure, for example if the process that served the request crashed, returns NULL and
 * sets the reason. */
static char *ask_worker(struct source *source, const struct shk_context *context,
                        const struct shk_request *request, const char *about, size_t *size,
                        struct shk_message *error)
{
  struct shk_request limited = *request;
  struct shk_worker_result result;
  struct shk_message reason;
  limited.seconds = context->question_seconds > 0 ? context->question_seconds : answer_seconds;
  limited.megabytes = answer_megabytes;
  limited.folder = context->access.folder;
  if (!shk_worker_ask(&source->worker, &source->setup, &limited, NULL, NULL, &result, error))
    return NULL;
  char *reply = NULL;
  *size = result.size;
  if (shk_worker_finished(&result, &reason)) {
    reply = result.answer;
    result.answer = NULL;
  } else {
    shk_message_set(error, "%s%s%s", about, *about ? ": " : "", reason.text);
  }
  shk_worker_result_clear(&result);
  return reply;
}

/* Gets a new reply from the worker or, if there is none, from the engines in this process. */
static char *reply_now(struct shk_replies *replies, const struct shk_context *context,
                       const struct shk_query *query, size_t *size)
{
  struct shk_message error;
  struct shk_context own = *context;
  own.remote = NULL;
  if (!replies->source)
    return shk_answer(&own, query, size);
  const struct shk_request request = {.query = *query};
  char *const reply = ask_worker(replies->source, context, &request, query->text, size, &error);
  return reply ? reply : shk_error_reply(error.text, size);
}

/* Returns the question of a query, which the caller frees. A query for bodies contains many states,
 * so its question contains a digest instead. */
static char *question_of(const struct shk_query *query)
{
  static const char *const words[] = {"claims", "inspection", "bodies"};
  const struct shk_request request = {.query = *query};
  char hash[SHK_HASH_SIZE];
  size_t size;
  if (query->kind != SHK_ASK_BODIES)
    return shk_print_text("%s %s %s", words[query->kind], query->precision, query->text);
  char *const bytes = shk_request_bytes(&request, &size);
  shk_hash_bytes(hash, bytes, size);
  free(bytes);
  return shk_print_text("%s %s", words[query->kind], hash);
}

/* Returns true if a cached reply was read completely and without errors. Otherwise, sets the
 * reason. */
static bool was_read(const struct shk_stream *reply, struct shk_message *error)
{
  return shk_frame_done(reply) ||
         shk_message_set(error, "a cached reply is damaged and cannot be read");
}

/* Reads the cached reply, or gets and caches a new one if there is none. */
static bool answer_query(void *user, const struct shk_context *context,
                         const struct shk_query *query, void *answer, struct shk_message *error)
{
  struct shk_replies *const replies = user;
  struct shk_stream reply;
  size_t size;
  char *const question = question_of(query);
  int number = shk_index_find(&replies->questions, question);
  const bool is_new = number < 0;
  if (is_new) {
    char *const bytes = reply_now(replies, context, query, &size);
    number = keep_reply(replies, question, bytes, size);
  }
  free(question);
  const struct shk_stored_answer *const kept = &replies->all[number];
  const bool ok = shk_reply_open(&reply, kept->reply, kept->size, error);
  replies->missed = replies->missed || (is_new && !ok);
  if (ok)
    shk_pass_answer(&reply, query->kind, answer);
  return ok && was_read(&reply, error);
}

/* Tries each cell only once, even if a study is planned several times. The resulting codes are not
 * saved in the store. */
static enum shk_code code_of(void *user, const struct shk_context *context,
                             const struct shk_cell *cell, struct shk_message *reason)
{
  struct shk_replies *const replies = user;
  struct shk_record record = {0};
  size_t size;
  char *const text = shk_cell_text(cell);
  const int known = replies->tried.count, number = shk_index_text(&replies->tried, text);
  const struct shk_request request = {.cell = text};
  if (number == known) {
    char *const reply =
        replies->source ? ask_worker(replies->source, context, &request, "", &size, reason) : NULL;
    enum shk_code code = SHK_STOPPED;
    if (reply && shk_record_read(&record, reply, size, reason)) {
      code = record.end == SHK_END_FINISHED ? record.outcome.code : SHK_STOPPED;
      shk_record_reason(reason->text, sizeof reason->text, &record);
    }
    replies->codes = shk_grow(replies->codes, (size_t)known, sizeof *replies->codes);
    replies->codes[known] = code;
    shk_record_clear(&record);
    free(reply);
  }
  free(text);
  return replies->codes[number];
}

static bool knows_program(void *user, const char *integrator)
{
  const struct shk_replies *const replies = user;
  struct shk_stream reply;
  struct shk_message error;
  char *const question = shk_print_text("claims double %s", integrator);
  const int number = shk_index_find(&replies->questions, question);
  free(question);
  return number >= 0 &&
         shk_reply_open(&reply, replies->all[number].reply, replies->all[number].size, &error);
}

/* ---- descriptors ---- */

static const char plugins[] = "plug-ins";

/* Adds a descriptor unless one with the same name exists. Stores may be untrusted, so their
 * descriptors must not replace built-in ones. */
static bool add_offer(struct shk_replies *replies, const struct shk_offer *offer,
                      struct shk_message *error)
{
  const struct shk_context own = {0}, all = {.remote = &replies->provider};
  const char *const name = offer->item.name;
  if (!shk_is_name(name) || shk_is_known(&own, offer->kind, name))
    return shk_message_set(
        error, "a cached descriptor has the name \"%s\", which is invalid or built in", name);
  if (shk_is_known(&all, offer->kind, name))
    return true;
  if (offer->plugin < replies->plugin_count)
    shk_keys_add(&replies->keys, name, replies->hashes[offer->plugin]);
  *SHK_APPEND(replies->offers, replies->provider.count) = *offer;
  replies->provider.offers = replies->offers;
  return true;
}

/* Takes ownership of a reply and stores it. If it answers the question "plug-ins", also adds the
 * descriptors that it contains. */
static bool add_replies(void *user, const char *question, char *reply, size_t size,
                        struct shk_message *error)
{
  struct shk_replies *const replies = user;
  const bool has_offers = strcmp(question, plugins) == 0;
  struct shk_stream s;
  bool ok = !has_offers || shk_reply_open(&s, reply, size, error);
  if (has_offers)
    s.arena = &replies->arena;
  while (ok && has_offers && !s.bad && s.at < s.size) {
    struct shk_offer offer = {0};
    shk_pass_offer(&s, &offer);
    ok = s.bad || add_offer(replies, &offer, error);
  }
  ok = ok && (!has_offers || was_read(&s, error));
  keep_reply(replies, question, reply, size);
  return ok;
}

struct shk_replies *shk_replies_new(const struct shk_replies *asked)
{
  struct shk_replies *const replies = shk_allocate(1, sizeof *replies);
  /* the stored descriptors are discarded, because those of the loaded plug-ins are valid */
  struct shk_message error;
  replies->provider = (struct shk_remote_provider){
      .answer = answer_query, .code_of = code_of, .knows_program = knows_program, .user = replies};
  replies->source = asked ? asked->source : NULL;
  const int offers = replies->source ? shk_index_find(&asked->questions, plugins) : -1;
  if (offers >= 0) {
    const struct shk_stored_answer *const answer = &asked->all[offers];
    add_replies(replies, plugins,
                memcpy(shk_allocate(answer->size, 1), answer->reply, answer->size), answer->size,
                &error);
  }
  return replies;
}

struct shk_replies *shk_replies_start(const struct shk_workers *setup, struct shk_message *error)
{
  const int count = setup->plugin_count;
  struct shk_replies *const replies = shk_replies_new(NULL);
  struct shk_message unread = {""};
  struct shk_worker_result offers = {0};
  replies->source = shk_allocate(1, sizeof *replies->source);
  replies->source->setup = *setup;
  replies->plugins = shk_copy_text("");
  replies->plugin_count = count;
  replies->hashes = shk_allocate((size_t)count + 1, sizeof *replies->hashes);
  for (int i = 0; i < count; i++)
    if (shk_hash_file(replies->hashes[i], setup->plugins[i], &unread))
      shk_append_text(&replies->plugins, "%s %s\n", replies->hashes[i], setup->plugins[i]);
  bool ok = shk_worker_start(&replies->source->worker, setup, error) &&
            shk_worker_greet(&replies->source->worker, setup, &offers, error);
  if (ok)
    ok = add_replies(replies, plugins, offers.answer, offers.size, error);
  else
    shk_worker_result_clear(&offers);
  if (ok && unread.text[0])
    *error = unread;
  if (ok && !unread.text[0])
    return replies;
  shk_replies_free(replies);
  return NULL;
}

const struct shk_keys *shk_replies_keys(const struct shk_replies *replies)
{
  return replies->plugins ? &replies->keys : NULL;
}

const char *shk_replies_plugins(const struct shk_replies *replies)
{
  return replies->plugins;
}

bool shk_replies_read(struct shk_replies *replies, struct shk_store *store, const char *study,
                      struct shk_message *error)
{
  return shk_store_answers(store, study, add_replies, replies, error);
}

bool shk_replies_write(const struct shk_replies *replies, struct shk_store *store,
                       const char *study, struct shk_message *error)
{
  return shk_store_put_answers(store, study, replies->all, replies->questions.count, error);
}

const struct shk_remote_provider *shk_replies_provider(const struct shk_replies *replies)
{
  return &replies->provider;
}

/* ---- queries of an analysis ---- */

/* Inspects the problem in both precisions, because a plug-in may support only one of them. If
 * neither reply is cached or can be obtained, returns false and sets the reason. */
static bool ask_of_problem(struct shk_replies *replies, const struct shk_context *context,
                           const char *problem, struct shk_message *error)
{
  struct shk_inspection inspection;
  struct shk_message ignored;
  replies->missed = false;
  if (!shk_is_remote_problem(context, problem))
    return true;
  const bool has_double = shk_inspect(context, &inspection, "double", problem, error);
  return shk_inspect(context, &inspection, "quad", problem, has_double ? &ignored : error) ||
         has_double || !replies->missed;
}

static bool ask_of_integrator(struct shk_replies *replies, const struct shk_context *context,
                              const struct shk_cell *cell, struct shk_message *error)
{
  struct shk_claims claims;
  replies->missed = false;
  return !shk_is_remote_integrator(context, cell->integrator) ||
         shk_claims_of(context, &claims, cell->precision, cell->integrator, error) ||
         !replies->missed;
}

bool shk_replies_ask(struct shk_replies *replies, const struct shk_plan *plan,
                     struct shk_message *error)
{
  bool ok = true;
  for (int i = 0; i < plan->count; i++) {
    const struct shk_cell *const cell = &plan->cells[i].cell;
    struct shk_context context = *plan->context;
    struct shk_message fault;
    /* this limit applies to answering a query, not to a run */
    context.question_seconds = fmin(plan->cells[i].seconds, 600);
    bool asked = ask_of_problem(replies, &context, cell->problem, &fault) &&
                 ask_of_integrator(replies, &context, cell, &fault);
    for (int m = 0; asked && m < cell->member_count; m++)
      asked = ask_of_problem(replies, &context, cell->members[m], &fault);
    if (ok && !asked)
      *error = fault;
    ok = ok && asked;
  }
  return ok;
}

void shk_replies_free(struct shk_replies *replies)
{
  if (!replies)
    return;
  for (int i = 0; i < replies->questions.count; i++)
    free(replies->all[i].reply);
  free(replies->all);
  shk_index_clear(&replies->questions);
  shk_index_clear(&replies->tried);
  free(replies->codes);
  shk_arena_clear(&replies->arena);
  free(replies->offers);
  if (replies->plugins) {
    shk_worker_end(&replies->source->worker);
    free(replies->source);
  }
  free(replies->plugins);
  free(replies->hashes);
  shk_keys_clear(&replies->keys);
  free(replies);
}

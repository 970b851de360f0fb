/* A cell server that answers for plug-ins. See host.h. */
#include "harness/run/host.h"
#include "foundation/memory.h"
#include <stdlib.h>
#include <string.h>

/* The server's limit for a question, unless the context has one, and how much longer we wait. */
static const double answer_seconds = 60, grace_seconds = 10;
static const double answer_megabytes = 1024;

char *shk_host_ask(struct shk_host *host, const struct shk_context *context,
                   const struct shk_request *request, size_t *size, struct shk_message *error)
{
  struct shk_request limited = *request;
  limited.seconds = context->question_seconds > 0 ? context->question_seconds : answer_seconds;
  limited.megabytes = answer_megabytes;
  limited.folder = context->access.folder;
  if (shk_server_send(&host->server, &limited))
    return shk_server_wait(&host->server, size, limited.seconds + grace_seconds, error);
  shk_message_set(error, "the cell server that holds the plug-ins has ended");
  return NULL;
}

/* Reads an offer, and which plug-in it is of. */
static void read_offer(struct shk_stream *s, struct shk_host *host, char (*hashes)[SHK_HASH_SIZE],
                       int plugin_count)
{
  struct shk_stored_answer offer = {NULL, NULL, 0};
  const bool named = shk_pass_name(s, &offer.question);
  const int plugin = (int)shk_pass_integer(s, 0, plugin_count - 1);
  offer.size = (size_t)shk_pass_length(s, 0, 1);
  if (named && !s->bad) {
    offer.reply = shk_allocate(offer.size, 1);
    shk_pass_bytes(s, offer.reply, offer.size);
    host->offers = shk_grow(host->offers, (size_t)host->offer_count, sizeof *host->offers);
    host->offers[host->offer_count++] = offer;
    shk_keys_add(&host->keys, strchr(offer.question, ' ') + 1, hashes[plugin]);
  } else {
    free(offer.question);
  }
}

static bool describe(struct shk_host *host, const char *const *plugins, int plugin_count,
                     struct shk_message *error)
{
  const struct shk_context context = {0};
  const struct shk_request request = {.kind = SHK_ASK_DESCRIPTORS};
  char(*hashes)[SHK_HASH_SIZE] = shk_allocate((size_t)plugin_count + 1, sizeof *hashes);
  char *reply = NULL;
  size_t size;
  bool ok = true;
  host->plugins = shk_copy_text("");
  for (int i = 0; ok && i < plugin_count; i++) {
    ok = shk_hash_file(hashes[i], plugins[i], error);
    shk_append_text(&host->plugins, "%s %s\n", hashes[i], plugins[i]);
  }
  ok = ok && (reply = shk_host_ask(host, &context, &request, &size, error)) != NULL;
  struct shk_stream s;
  if (ok && (ok = shk_reply_open(&s, reply, size, error))) {
    const int count = (int)shk_pass_integer(&s, 0, INT32_MAX);
    for (int i = 0; i < count && !s.bad; i++)
      read_offer(&s, host, hashes, plugin_count);
    ok = shk_frame_done(&s);
    if (!ok)
      shk_message_set(error, "the descriptors of a plug-in do not read");
  }
  free(reply);
  free(hashes);
  return ok;
}

/* False always. */
static bool give_up(struct shk_host *host, const char *const *plugins, int plugin_count,
                    struct shk_message *error)
{
  int status = -1;
  if (shk_server_gone(&host->server))
    status = shk_server_end(&host->server, true);
  else
    shk_server_kill(&host->server);
  shk_server_blame(error, plugins, plugin_count, status);
  return false;
}

struct shk_host *shk_host_start(struct shk_launcher *launcher, struct shk_message *error)
{
  struct shk_host *const host = shk_allocate(1, sizeof *host);
  int plugin_count;
  const char *const *const plugins = shk_launcher_plugins(launcher, &plugin_count);
  bool ok = shk_launch(launcher, &host->server, error);
  if (ok) {
    struct shk_stream s;
    size_t size;
    char *const reply = shk_server_wait(&host->server, &size, SHK_READY_SECONDS, error);
    ok = reply ? shk_reply_open(&s, reply, size, error) &&
                     describe(host, plugins, plugin_count, error)
               : give_up(host, plugins, plugin_count, error);
    free(reply);
  }
  if (ok)
    return host;
  shk_host_stop(host);
  return NULL;
}

void shk_host_stop(struct shk_host *host)
{
  if (!host)
    return;
  shk_server_end(&host->server, true);
  shk_stored_answers_free(host->offers, host->offer_count);
  shk_keys_clear(&host->keys);
  free(host->plugins);
  free(host);
}

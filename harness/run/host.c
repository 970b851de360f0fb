/* The plug-in host. See host.h. */
#include "harness/run/host.h"
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include <stdlib.h>
#include <string.h>

/* Time limit (s) of a query if the context sets none; additional time to wait for the reply. */
static const double answer_seconds = 60, grace_seconds = 10;
static const double answer_megabytes = 4096;

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

/* Receives descriptors until the server is ready. False with the reason, which is empty if the
 * server ended or did not reply. */
static bool greet(struct shk_host *host, int plugin_count, char (*hashes)[SHK_HASH_SIZE],
                  struct shk_message *error)
{
  for (;;) {
    struct shk_stored_answer offer;
    struct shk_stream s;
    int plugin;
    offer.reply = shk_server_wait(&host->server, &offer.size, SHK_READY_SECONDS, error);
    if (!offer.reply) {
      error->text[0] = '\0';
      return false;
    }
    const bool ok = shk_greeting_open(&s, &offer.question, &plugin, offer.reply, offer.size, error);
    if (!ok || !offer.question || plugin >= plugin_count) {
      free(offer.reply);
      free(offer.question);
      return ok && !offer.question;
    }
    host->offers = shk_grow(host->offers, (size_t)host->offer_count, sizeof *host->offers);
    host->offers[host->offer_count++] = offer;
    shk_keys_add(&host->keys, strchr(offer.question, ' ') + 1, hashes[plugin]);
  }
}

static void blame(struct shk_host *host, const struct shk_servers *servers,
                  struct shk_message *error)
{
  int status = -1;
  if (shk_server_gone(&host->server))
    status = shk_server_end(&host->server, true);
  else
    shk_server_kill(&host->server);
  shk_server_blame(error, servers, status);
}

struct shk_host *shk_host_start(const struct shk_servers *servers, struct shk_message *error)
{
  const int count = servers->plugin_count;
  struct shk_host *const host = shk_allocate(1, sizeof *host);
  char(*hashes)[SHK_HASH_SIZE] = shk_allocate((size_t)count + 1, sizeof *hashes);
  struct shk_message unread = {""};
  host->plugins = shk_copy_text("");
  for (int i = 0; i < count; i++)
    if (shk_hash_file(hashes[i], servers->plugins[i], &unread))
      shk_append_text(&host->plugins, "%s %s\n", hashes[i], servers->plugins[i]);
  bool ok = shk_server_start(&host->server, servers, error);
  if (ok && !(ok = greet(host, count, hashes, error)) && !error->text[0])
    blame(host, servers, error);
  if (ok && unread.text[0]) {
    *error = unread;
    ok = false;
  }
  free(hashes);
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

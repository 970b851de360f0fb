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

/* Receives the descriptors, and notes the hash of the plug-in that each comes from. */
static bool greet(struct shk_host *host, const struct shk_servers *servers,
                  char (*hashes)[SHK_HASH_SIZE], struct shk_message *error)
{
  struct shk_arena arena = {0};
  struct shk_stream s = {0};
  host->offers = shk_server_greet(&host->server, servers, &host->offers_size, error);
  bool ok = host->offers && shk_reply_open(&s, host->offers, host->offers_size, error);
  s.arena = &arena;
  while (ok && !shk_frame_done(&s)) {
    struct shk_offer offer = {0};
    shk_pass_offer(&s, &offer);
    ok = (!s.bad && offer.plugin < servers->plugin_count) ||
         shk_message_set(error, "a descriptor does not read");
    if (ok)
      shk_keys_add(&host->keys, shk_offer_name(&offer), hashes[offer.plugin]);
  }
  shk_arena_clear(&arena);
  return ok;
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
  bool ok = shk_server_start(&host->server, servers, error) && greet(host, servers, hashes, error);
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
  free(host->offers);
  shk_keys_clear(&host->keys);
  free(host->plugins);
  free(host);
}

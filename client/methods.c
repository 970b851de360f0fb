/* Integrators of clients, and the worker that runs their cells. See <shakedown/client.h>. */
#include "client/session.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/message.h"
#include "foundation/specifications/claims.h"
#include "foundation/specifications/precision.h"
#include "harness/run/worker.h"

#include <stdlib.h>
#include <string.h>

struct own_methods {
  struct own_methods *next;
  struct shakedown_method method; /* its texts are ours */
  struct shk_stated claims[SHK_CLAIMS + 1];
  struct shk_provided *provided[SHK_PRECISIONS];
};

static void free_one(struct own_methods *own)
{
  const struct shakedown_method *m = &own->method;
  const char *const texts[] = {m->name, m->summary, m->equations, m->citation};
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    free((char *)texts[i]);
  for (int i = 0; i < SHK_PRECISIONS; i++)
    free(own->provided[i]);
  free(own);
}

void shk_methods_free(struct own_methods *methods)
{
  for (struct own_methods *next; methods; methods = next) {
    next = methods->next;
    free_one(methods);
  }
}

/* "order-q=2 symplectic=yes" as a list. */
static bool read_claims(struct shk_stated *list, const char *text, struct shk_message *error)
{
  struct shk_claims claims = {0};
  for (int i = 1; i < SHK_CLAIMS; i++)
    shk_claim_set(&claims, (enum shk_claim)i, shk_claim_entries[i].order ? SHK_NO_ORDER : 0);
  char *copy = shk_copy_text(text ? text : ""), *rest = copy;
  bool ok = true;
  for (char *word; ok && (word = strsep(&rest, " ")) != NULL;) {
    char *value = strchr(word, '=');
    if (value)
      *value++ = '\0';
    ok = *word == '\0' || (value && shk_claim_read(&claims, word, value));
    if (!ok)
      shk_message_set(error, "there is no claim %s%s%s", word, value ? "=" : "",
                      value ? value : "");
  }
  free(copy);
  for (int i = 1; i < SHK_CLAIMS; i++)
    if (shk_is_claimed(&claims, (enum shk_claim)i))
      *list++ = (struct shk_stated){(enum shk_claim)i, shk_claim_value(&claims, (enum shk_claim)i)};
  return ok;
}

static bool read_features(unsigned *supports, const char *text, struct shk_message *error)
{
  char *copy = shk_copy_text(text && *text != '\0' ? text : NULL);
  const bool ok = shk_features_read(supports, copy);
  free(copy);
  if (!ok)
    shk_message_set(error, "it supports '%s', not all of which are features of systems", text);
  return ok;
}

static bool is_whole(const struct shakedown *session, const struct shakedown_method *m,
                     struct shk_message *error)
{
  if (m->struct_size != sizeof *m)
    shk_message_set(error, "the method's struct is of another version of the library");
  else if (!m->name || !shk_is_name(m->name))
    shk_message_set(error,
                    "'%s' is no name of a method: lower-case letters, digits and dashes, beginning "
                    "with a letter",
                    m->name ? m->name : "");
  else if (!m->bind || !m->step || !m->unbind)
    shk_message_set(error, "%s lacks bind, step or unbind", m->name);
  else if (shk_find_integrator(&session->context, m->name))
    shk_message_set(error, "there is already an integrator named %s", m->name);
  else if (session->context.loaded_count + SHK_PRECISIONS > SHK_MOST_LOADED)
    shk_message_set(error, "more than %d plug-ins", SHK_MOST_LOADED / SHK_PRECISIONS);
  else
    return true;
  return false;
}

static void provide(struct shakedown *session, struct own_methods *own, unsigned supports)
{
  for (int i = 0; shk_engines[i]; i++) {
    own->provided[i] = shk_engines[i]->held->provide(&own->method, own->claims, supports);
    if (!own->provided[i])
      shk_out_of_memory();
    session->context.loaded[session->context.loaded_count++] =
        (struct shk_loaded){shk_engines[i]->bits, own->provided[i]->provision};
  }
}

static int add(struct shakedown *session, const struct shakedown_method *m,
               struct shakedown_error *error)
{
  struct shk_message message = {""};
  unsigned supports = 0;
  if (!is_whole(session, m, &message))
    return shk_held_say(error, SHK_BAD_INPUT, message.text);
  struct own_methods *own = shk_allocate(1, sizeof *own);
  own->method = *m;
  own->method.name = shk_copy_text(m->name);
  own->method.summary = shk_copy_text(m->summary ? m->summary : m->name);
  own->method.equations = shk_copy_text(m->equations ? m->equations : "");
  own->method.citation = shk_copy_text(m->citation ? m->citation : "");
  if (!read_claims(own->claims, m->claims, &message) ||
      !read_features(&supports, m->supports, &message)) {
    free_one(own);
    return shk_held_say(error, SHK_BAD_INPUT, message.text);
  }
  own->next = session->methods;
  session->methods = own;
  provide(session, own, supports);
  return SHK_OK;
}

int shakedown_add_method(struct shakedown *session, const struct shakedown_method *method,
                         struct shakedown_error *error)
{
  int code = SHK_OK;
  SHK_GUARDED(error, SHK_NO_MEMORY, code = add(session, method, error));
  return code;
}

/* ---- the worker ---- */

/* Methods that a plug-in of another language adds are added to the worker's context. */
struct loading {
  struct shakedown *session;
  const struct shakedown_worker_options *options;
};

static bool load(void *user, struct shk_context *context, const char *path,
                 struct shk_message *message)
{
  const struct loading *loading = user;
  struct shakedown_error error = {0};
  loading->session->context = *context;
  const int code = loading->options->load(loading->options->user, path, &error);
  *context = loading->session->context;
  if (code != SHK_OK)
    shk_message_set(message, "%s: %s", path, error.text);
  return code == SHK_OK;
}

int shakedown_worker(struct shakedown *session, const struct shakedown_worker_options *options)
{
  struct loading loading = {session, options};
  const struct shk_foreign_loader loader = {load, &loading};
  struct shk_context context = session->context;
  context.foreign = options->load ? &loader : NULL;
  context.access = (struct shk_access){
      .programs = options->programs, .sandbox = options->sandbox, .reads = options->reads};
  shk_offer_symbols();
  return shk_worker(&context, 0, 1, options->plugins, options->plugin_count);
}

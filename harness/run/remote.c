/*
 * The planner's side of a worker with plug-ins. See remote.h.
 */
#include "harness/run/remote.h"
#include "foundation/files/folder.h"
#include "foundation/memory.h"
#include "harness/run/remote_descriptors.h"
#include "harness/run/spawn.h"
#include "results/record/cell_text.h"
#include "results/record/wire_scene.h"
#include "results/record/wire_text.h"
#include <stdlib.h>
#include <string.h>

/* The worker's limit for a question, unless the context has one, and how much longer we wait. */
static const double answer_seconds = 60, grace_seconds = 10;

struct shk_remote {
  struct shk_spawned worker;
  struct shk_descriptors descriptors;
  struct shk_remote_provider provider;
  struct shk_keys keys;
  char *plugins;
};

/* One line there, one message back; NULL with the reason. Takes the request over. `context` may be
 * NULL. */
static char *exchange(struct shk_remote *remote, const struct shk_context *context, json_t *owned,
                      struct shk_message *error)
{
  const double seconds =
      context && context->question_seconds > 0 ? context->question_seconds : answer_seconds;
  shk_wire_set_real(owned, "seconds", seconds);
  char *const line = shk_wire_line(owned);
  const bool sent = shk_spawn_send(&remote->worker, line);
  free(line);
  if (sent)
    return shk_spawn_wait(&remote->worker, seconds + grace_seconds, error);
  shk_message_set(error, "the worker process that holds the plug-ins has ended");
  return NULL;
}

/* The same with JSON back. */
static json_t *ask(struct shk_remote *remote, const struct shk_context *context, json_t *owned,
                   struct shk_message *error)
{
  char *const line = exchange(remote, context, owned, error);
  if (!line)
    return NULL;
  json_t *json = json_loads(line, 0, NULL);
  free(line);
  const char *failure = json_string_value(json_object_get(json, "error"));
  if (json_is_object(json) && !failure)
    return json;
  shk_message_set(error, "%s", failure ? failure : "the worker's answer does not read");
  json_decref(json);
  return NULL;
}

static json_t *question(const struct shk_context *context, const char *member, const char *spec,
                        const char *precision)
{
  json_t *json = shk_wire_had(json_object());
  shk_wire_set_text(json, member, spec);
  shk_wire_set_text(json, "precision", precision);
  shk_wire_set_text(json, "folder", context->access.folder);
  return json;
}

static bool remote_claims(void *user, const struct shk_context *context, struct shk_claims *claims,
                          const char *precision, const char *integrator, struct shk_message *error)
{
  json_t *json = ask(user, context, question(context, "claims", integrator, precision), error);
  const bool ok = json && shk_wire_read_claims(claims, json_object_get(json, "claims"), error);
  json_decref(json);
  return ok;
}

static bool remote_inspect(void *user, const struct shk_context *context,
                           struct shk_inspection *inspection, const char *precision,
                           const char *problem, struct shk_message *error)
{
  json_t *json = ask(user, context, question(context, "inspect", problem, precision), error);
  const bool ok =
      json && shk_wire_read_inspection(inspection, json_object_get(json, "inspection"), error);
  json_decref(json);
  return ok;
}

static bool remote_scene(void *user, const struct shk_context *context, struct shk_scene *scene,
                         const char *problem, int count, const double *times, int n,
                         const double *q, struct shk_message *error)
{
  json_t *request = shk_wire_had(json_object());
  shk_wire_ask_scene(request, problem, count, times, n, q);
  shk_wire_set_text(request, "precision", "double");
  shk_wire_set_text(request, "folder", context->access.folder);
  json_t *json = ask(user, context, request, error);
  *scene = (struct shk_scene){0};
  const bool ok = json && shk_wire_read_scene(scene, count, json_object_get(json, "scene"), error);
  json_decref(json);
  return ok;
}

static bool remote_refuses(void *user, const struct shk_context *context,
                           const struct shk_cell *cell)
{
  enum { MEGABYTES = 1024 };
  struct shk_message error;
  json_t *request = shk_wire_had(json_object());
  char *const text = shk_cell_text(cell);
  shk_wire_set_text(request, "cell", text);
  free(text);
  shk_wire_set_real(request, "megabytes", MEGABYTES);
  shk_wire_set_text(request, "folder", context->access.folder);
  char *const message = exchange(user, context, request, &error);
  struct shk_record record = {0};
  const bool refused = message && shk_spawn_record(&record, message, &error) &&
                       record.end == SHK_END_FINISHED && record.outcome.code == SHK_REFUSED;
  shk_record_clear(&record);
  free(message);
  return refused;
}

/* Which plug-in provides a descriptor, by its index in the order of loading. */
static bool add_keys(struct shk_remote *remote, const json_t *list, char (*hashes)[SHK_HASH_SIZE],
                     int plugin_count, struct shk_message *error)
{
  for (size_t i = 0; i < json_array_size(list); i++) {
    const json_t *one = json_array_get(list, i);
    long plugin;
    if (!shk_wire_get_integer(&plugin, one, "plugin", 0, plugin_count - 1, error))
      return false;
    shk_keys_add(&remote->keys, json_string_value(json_object_get(one, "name")), hashes[plugin]);
  }
  return true;
}

static bool describe(struct shk_remote *remote, const char *const *plugins, int plugin_count,
                     struct shk_message *error)
{
  char(*hashes)[SHK_HASH_SIZE] = shk_allocate((size_t)plugin_count, sizeof *hashes);
  json_t *json = NULL;
  bool ok = true;
  remote->plugins = shk_copy_text("");
  for (int i = 0; ok && i < plugin_count; i++) {
    ok = shk_hash_file(hashes[i], plugins[i], error);
    shk_append_text(&remote->plugins, "%s %s\n", hashes[i], plugins[i]);
  }
  if (ok) {
    json_t *request = shk_wire_had(json_object());
    shk_wire_set(request, "describe", json_true());
    json = ask(remote, NULL, request, error);
    ok = json && shk_descriptors_read(&remote->descriptors, json, error) &&
         add_keys(remote, json_object_get(json, "problems"), hashes, plugin_count, error) &&
         add_keys(remote, json_object_get(json, "integrators"), hashes, plugin_count, error) &&
         add_keys(remote, json_object_get(json, "solvers"), hashes, plugin_count, error);
  }
  json_decref(json);
  free(hashes);
  return ok;
}

/* False always. */
static bool give_up(struct shk_remote *remote, const char *const *plugins, int plugin_count,
                    struct shk_message *error)
{
  int status = -1;
  if (shk_spawn_gone(&remote->worker))
    status = shk_spawn_end(&remote->worker, true);
  else
    shk_spawn_kill(&remote->worker);
  shk_spawn_blame(error, plugins, plugin_count, status);
  return false;
}

struct shk_remote *shk_remote_start(const char *program, const struct shk_access *access,
                                    const char *const *plugins, int plugin_count,
                                    struct shk_message *error)
{
  struct shk_remote *remote = shk_allocate(1, sizeof *remote);
  remote->worker = (struct shk_spawned){.to = -1, .from = -1};
  bool ok = shk_spawn(&remote->worker, program, access, plugins, plugin_count, error);
  if (ok) {
    char *line = shk_spawn_wait(&remote->worker, SHK_READY_SECONDS, error);
    if (line)
      ok = shk_spawn_ready(line, error) && describe(remote, plugins, plugin_count, error);
    else
      ok = give_up(remote, plugins, plugin_count, error);
    free(line);
  }
  if (!ok) {
    shk_remote_stop(remote);
    return NULL;
  }
  remote->provider = (struct shk_remote_provider){
      .problem_count = remote->descriptors.problem_count,
      .integrator_count = remote->descriptors.integrator_count,
      .problems = remote->descriptors.problems,
      .integrators = remote->descriptors.integrators,
      .solver_count = remote->descriptors.solver_count,
      .solvers = remote->descriptors.solvers,
      .claims = remote_claims,
      .inspect = remote_inspect,
      .scene = remote_scene,
      .refuses = remote_refuses,
      .user = remote,
  };
  return remote;
}

const struct shk_remote_provider *shk_remote_provider(const struct shk_remote *remote)
{
  return &remote->provider;
}

const struct shk_keys *shk_remote_keys(const struct shk_remote *remote)
{
  return &remote->keys;
}

const char *shk_remote_plugins(const struct shk_remote *remote)
{
  return remote->plugins;
}

void shk_remote_stop(struct shk_remote *remote)
{
  if (!remote)
    return;
  shk_spawn_end(&remote->worker, true);
  shk_descriptors_clear(&remote->descriptors);
  shk_keys_clear(&remote->keys);
  free(remote->plugins);
  free(remote);
}

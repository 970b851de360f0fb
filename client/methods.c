/* Integrators and solvers supplied by clients, and the worker that runs them. See
 * client_method.h. */
#include "client/session.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/message.h"
#include "foundation/specifications/claims.h"
#include "foundation/specifications/precision.h"
#include "harness/run/work.h"
#include <shakedown/parts/values.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 32 };

struct own_methods {
  struct own_methods *next;
  /* the client's functions, which are called in the caller's locale */
  struct shakedown_method given;
  struct shakedown_method method; /* calls the functions in `given`; owns its strings */
  struct shk_stated claims[SHK_CLAIMS + 1];
  struct shk_option options[MOST_OPTIONS + 1];
  /* storage for the names, defaults and descriptions of the options */
  char *option_texts;
  void *provided[SHK_PRECISIONS]; /* one struct shk_provision per precision */
};

void shk_methods_free(struct own_methods *methods)
{
  for (struct own_methods *own = methods, *next; own; own = next) {
    const struct shakedown_method *m = &own->method;
    const char *const texts[] = {m->name, m->summary, m->equations, m->citation};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
      free((char *)texts[i]);
    for (int i = 0; i < SHK_PRECISIONS; i++)
      free(own->provided[i]);
    free(own->option_texts);
    next = own->next;
    free(own);
  }
}

/* ---- the functions of a method ---- */

struct own_bound {
  const struct shakedown_method *given;
  void *bound;
};

static int bind(void *user, void **bound, struct shakedown_problem *problem,
                const struct shakedown_state *from, struct shakedown_state *to,
                struct shakedown_error *error)
{
  const struct shakedown_method *const given = user;
  struct own_bound *const own = calloc(1, sizeof *own);
  if (!own)
    return shk_handle_say(error, SHK_NO_MEMORY, "no memory");
  own->given = given;
  const locale_t here = shk_locale_of_caller();
  const int code = given->bind(given->user, &own->bound, problem, from, to, error);
  uselocale(here);
  *bound = code == SHK_OK ? own : NULL;
  if (code != SHK_OK)
    free(own);
  return code;
}

typedef int client_function(void *bound, double h, struct shakedown_error *error);

static int call_client(const struct own_bound *own, client_function *function, double h,
                       struct shakedown_error *error)
{
  const locale_t here = shk_locale_of_caller();
  const int code = function(own->bound, h, error);
  uselocale(here);
  return code;
}

static int step(void *bound, double h, struct shakedown_error *error)
{
  const struct own_bound *const own = bound;
  return call_client(own, own->given->step, h, error);
}

static int begin(void *bound, double h, struct shakedown_error *error)
{
  const struct own_bound *const own = bound;
  return call_client(own, own->given->begin, h, error);
}

static void reverse(void *bound, double h)
{
  const struct own_bound *const own = bound;
  const locale_t here = shk_locale_of_caller();
  own->given->reverse(own->bound, h);
  uselocale(here);
}

static void unbind(void *bound)
{
  struct own_bound *const own = bound;
  const locale_t here = shk_locale_of_caller();
  own->given->unbind(own->bound);
  uselocale(here);
  free(own);
}

static int solve(void *user, const struct shakedown_rods *rods, long *taken,
                 struct shakedown_error *error)
{
  const struct shakedown_method *const given = user;
  const locale_t here = shk_locale_of_caller();
  const int code = given->solve(given->user, rods, taken, error);
  uselocale(here);
  return code;
}

/* ---- adding a method ---- */

/* Parses a string such as "order-q=2 symplectic=yes" into a list of all claims. Claims that do not
 * appear in the string are unknown. On failure, returns false and sets the reason. */
static bool read_claims(struct shk_stated *list, const char *text, struct shk_message *error)
{
  struct shk_claims claims = {0};
  for (int i = 1; i < SHK_CLAIMS; i++)
    shk_claim_set(&claims, (enum shk_claim)i, shk_claim_entries[i].order ? SHK_NO_ORDER : 0);
  char *copy = shk_copy_text(text ? text : ""), *rest = copy;
  bool ok = true;
  for (char *word; ok && (word = strsep(&rest, " ")) != NULL;) {
    char *const sign = strchr(word, '=');
    shk_message_set(error, "claims: found \"%s\", expected CLAIM=VALUE", word);
    if (sign)
      *sign = '\0';
    ok = *word == '\0' || (sign && shk_claim_read(&claims, word, sign + 1));
  }
  free(copy);
  for (int i = 1; i < SHK_CLAIMS; i++) {
    const double level = shk_claim_level(&claims, (enum shk_claim)i);
    *list++ = (struct shk_stated){(enum shk_claim)i,
                                  level > 0 ? level : shk_claim_value(&claims, (enum shk_claim)i)};
  }
  return ok;
}

static bool is_number(const char *text)
{
  char *end;
  strtod(text, &end);
  return *text != '\0' && *end == '\0';
}

/* Parses lines of the form "name=default meaning" into a list of options. On failure, returns false
 * and sets the reason. */
static bool read_options(struct own_methods *own, const char *text, struct shk_message *error)
{
  char *rest = own->option_texts = shk_copy_text(text ? text : "");
  int count = 0;
  for (char *line; (line = strsep(&rest, "\n")) != NULL;) {
    char *const value = strchr(line, '=');
    if (*line == '\0')
      continue;
    if (!value || value == line || count == MOST_OPTIONS)
      return shk_message_set(
          error, "options: found \"%s\", expected at most %d lines NAME=DEFAULT MEANING", line,
          MOST_OPTIONS);
    *value = '\0';
    char *const meaning = value + 1 + strcspn(value + 1, " ");
    const bool has_meaning = *meaning != '\0';
    *meaning = '\0';
    const char *const given = value + 1;
    if (!shk_is_name(line))
      return shk_message_set(
          error, "options: the name \"%s\" does not consist of " SHK_RULE_OF_NAMES, line);
    own->options[count++] = (struct shk_option){
        .name = line,
        .fallback = given,
        .meaning = has_meaning ? meaning + 1 : "",
        .kind = is_number(given)                                        ? SHK_OPTION_REAL
                : strcmp(given, "yes") == 0 || strcmp(given, "no") == 0 ? SHK_OPTION_FLAG
                                                                        : SHK_OPTION_TEXT};
  }
  return true;
}

const char *shakedown_option(const struct shakedown_problem *problem, const char *name)
{
  const struct shk_values *const values = shk_values_with(problem->options, name);
  return values ? shk_values_text(values, name) : NULL;
}

int shakedown_count_work(struct shakedown_problem *problem, const char *name, long amount,
                         struct shakedown_error *error)
{
  return problem->engine->held->count_work(problem, name, amount, error);
}

/* Returns the reason why a method cannot be added, or NULL if the method can be added. */
static const char *fault_of(const struct shakedown *session, const struct shakedown_method *m)
{
  return !m->name || !shk_is_name(m->name) ? "its name does not consist of " SHK_RULE_OF_NAMES
         : !m->solve && (!m->bind || !m->step || !m->unbind)
             ? "it lacks solve, and one of bind, step and unbind"
         : m->memory_n < 0 || m->memory_m < 0 || m->memory_ones < 0
             ? "it requests a negative amount of memory"
         : session->context.loaded_count + SHK_PRECISIONS > SHK_MOST_LOADED
             ? "there are too many plug-ins"
         : shk_is_known(&session->context, m->solve ? SHK_OPTION_CHOICE : SHK_OPTION_INTEGRATOR,
                        m->name)
             ? (m->solve
                    ? "there is already a solver of this name: rename the class, or set its name"
                    : "there is already an integrator of this name: rename the class, or set "
                      "its name")
             : NULL;
}

static int add(struct shakedown *session, const struct shakedown_method *m,
               struct shakedown_error *error)
{
  struct own_methods *own = shk_allocate(1, sizeof *own);
  struct shk_message message = {""};
  unsigned supports = 0;
  char *features = shk_copy_text(m->supports && *m->supports ? m->supports : NULL);
  own->given = own->method = *m;
  own->method.user = &own->given;
  own->method.bind = bind;
  own->method.step = step;
  own->method.unbind = unbind;
  own->method.begin = m->begin ? begin : NULL;
  own->method.reverse = m->reverse ? reverse : NULL;
  own->method.solve = m->solve ? solve : NULL;
  own->method.name = shk_copy_text(m->name);
  own->method.summary = shk_copy_text(m->summary ? m->summary : m->name);
  own->method.equations = shk_copy_text(m->equations ? m->equations : "");
  own->method.citation = shk_copy_text(m->citation ? m->citation : "");
  const char *const fault = fault_of(session, m);
  if (fault)
    shk_message_set(&message, "%s: %s", m->name ? m->name : "a method", fault);
  else if (!shk_features_read(&supports, features))
    shk_message_set(&message, "%s: supports: found '%s', expected system features", m->name,
                    m->supports);
  free(features);
  if (message.text[0] != '\0' || !read_claims(own->claims, m->claims, &message) ||
      !read_options(own, m->options, &message)) {
    shk_methods_free(own);
    return shk_handle_say(error, SHK_BAD_INPUT, message.text);
  }
  own->next = session->methods;
  session->methods = own;
  for (int i = 0; shk_engines[i]; i++) {
    own->provided[i] =
        shk_engines[i]->held->provide(&own->method, own->claims, own->options, supports);
    if (!own->provided[i])
      shk_out_of_memory();
    session->context.loaded[session->context.loaded_count++] =
        (struct shk_loaded){shk_engines[i]->bits, own->provided[i]};
  }
  return SHK_OK;
}

int shakedown_add_method(struct shakedown *session, const struct shakedown_method *method,
                         struct shakedown_error *error)
{
  int code = SHK_OK;
  if (method->struct_size != sizeof *method)
    return shk_handle_say(error, SHK_BAD_INPUT, SHK_NO_SUCH_SIZE);
  SHK_GUARDED(error, SHK_NO_MEMORY, code = add(session, method, error));
  return code;
}

/* ---- the worker ---- */

/* Arguments for `load` in the worker. While `load` adds a plug-in, the session uses the worker's
 * context, so that the plug-in's methods are added to that context. */
struct loading {
  struct shakedown *session;
  const struct shakedown_worker_options *options;
  locale_t host; /* the caller's locale */
};

static bool load(void *user, struct shk_context *context, const char *path,
                 struct shk_message *message)
{
  const struct loading *loading = user;
  struct shakedown_error error = {0};
  loading->session->context = *context;
  const locale_t here = uselocale(loading->host);
  const int code = loading->options->load(loading->options->user, path, &error);
  uselocale(here);
  *context = loading->session->context;
  shk_message_set(message, "%s: %s", path, error.text);
  return code == SHK_OK;
}

int shakedown_worker(struct shakedown *session, const struct shakedown_worker_options *options)
{
  if (options->struct_size != sizeof *options || options->plugin_count < 0)
    return 2; /* the exit status for bad input, which is also that of the program */
  struct loading loading = {session, options, uselocale((locale_t)0)};
  int status = 0;
  const struct shk_foreign_loader loader = {load, &loading};
  struct shk_context context = session->context;
  context.foreign = options->load ? &loader : NULL;
  context.access = (struct shk_access){.programs = options->programs};
  const struct shk_work_options work = {options->plugins, options->plugin_count, options->once,
                                        options->guard};
  shk_offer_symbols();
  SHK_GUARDED(NULL, 3, /* the exit status of an incomplete run */
              status = shk_work(&context, &work));
  return status;
}

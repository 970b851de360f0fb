/* Questions answered in a process of its own. See asked.h. */
#include "cli/shared/asked.h"

#include "foundation/processes/confinement.h"
#include "harness/run/sandbox.h"
#include <string.h>

static void respond(void *user, void *filled)
{
  const struct shk_asked *const asked = user;
  const struct shk_arguments *const arguments = asked->arguments;
  struct shk_answered *const answer = filled;
  struct shk_context context = arguments->context; /* with the plug-ins loaded */
  struct shk_message error = {""};
  context.ranks = asked->ranks;
  bool ok = shk_confine(&context.access, arguments->plugins, arguments->plugin_count, &error);
  for (int i = 0; ok && i < arguments->plugin_count; i++)
    ok = asked->engine->load_plugin(&context, arguments->plugins[i], &error);
  answer->loaded = ok;
  answer->ok = ok && asked->fill(&context, asked->user, answer, &error);
  if (!answer->ok)
    shk_text_fit(answer->reason, sizeof answer->reason, error.text);
}

void shk_ask_apart(const struct shk_asked *asked, struct shk_answered *answer, size_t size)
{
  struct shk_message reason = {""};
  memset(answer, 0, size);
  fflush(stdout);
  const bool answered =
      shk_sandbox_ask(answer, size, respond, (void *)asked, asked->seconds, &reason);
  answer->answered = answered;
  answer->ok = answered && answer->ok;
  if (!answered)
    shk_text_fit(answer->reason, sizeof answer->reason, reason.text);
}

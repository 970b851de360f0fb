/* Questions answered in a process of its own. See isolated.h. */
#include "harness/run/isolated.h"

#include "foundation/files/scratch.h"
#include "foundation/memory.h"
#include "foundation/processes/sandbox.h"
#include "harness/run/sandbox.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct apart {
  const struct shk_isolated *isolated;
  struct shk_answered *answer; /* shared with the process */
  char *temporary;
};

/* Answers the question, in the process. The message is empty: the answer is in shared memory. */
static void *respond_isolated(void *user, int number, size_t *size)
{
  const struct apart *const apart = user;
  const struct shk_isolated *const isolated = apart->isolated;
  const struct shk_servers *const of = &isolated->servers;
  struct shk_answered *const answer = apart->answer;
  struct shk_context context = *of->context; /* with the plug-ins loaded */
  struct shk_message error = {""};
  (void)number;
  shk_write_protect(apart->temporary);
  context.ranks = isolated->ranks;
  bool ok = shk_confine(&context.access, of->plugins, of->plugin_count, &error);
  for (int i = 0; ok && i < of->plugin_count; i++)
    ok = isolated->engine->load_plugin(&context, of->plugins[i], &error);
  answer->loaded = ok;
  answer->ok = ok && isolated->fill(&context, isolated->user, answer, &error);
  if (!answer->ok)
    shk_text_fit(answer->reason, sizeof answer->reason, error.text);
  struct shk_stream s = shk_frame_begin();
  *size = shk_frame_end(&s);
  return s.bytes;
}

static void take_isolated(void *user, int number, struct shk_sandbox_result *result)
{
  struct shk_answered *const answer = ((struct apart *)user)->answer;
  (void)number;
  answer->answered = result->record.end == SHK_END_FINISHED;
  answer->ok = answer->answered && answer->ok;
  if (!answer->answered)
    shk_record_reason(answer->reason, sizeof answer->reason, &result->record);
  if (result->output_length > 0)
    fwrite(result->output, 1, result->output_length, stderr);
}

void shk_ask_isolated(const struct shk_isolated *isolated, struct shk_answered *answer, size_t size)
{
  struct apart apart = {isolated, shk_share(size), shk_scratch_make()};
  const struct shk_tasks tasks = {
      respond_isolated, take_isolated, &apart, 1, -1, isolated->seconds, 0, true};
  struct shk_message reason = {""};
  fflush(stdout);
  if (!shk_sandbox_run(&tasks, &reason))
    shk_text_fit(apart.answer->reason, sizeof answer->reason, reason.text);
  memcpy(answer, apart.answer, size);
  munmap(apart.answer, size);
  shk_scratch_remove(apart.temporary);
  free(apart.temporary);
}

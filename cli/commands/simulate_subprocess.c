/*
 * An integration in a process of its own. See simulate_subprocess.h. The child writes lines to a
 * pipe:
 *
 *   size N M            before the first row
 *   row T,Q1,…          once each
 *   plugin REASON       a plug-in did not load; the last line
 *   end CODE REACHED REASON
 */
#include "cli/commands/simulate_subprocess.h"

#include "engine/context.h"
#include "foundation/files/scratch.h"
#include "foundation/processes/confinement.h"
#include "foundation/processes/fence.h"
#include "foundation/processes/subprocess.h"
#include "foundation/specifications/program.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the child ---- */

struct sender {
  FILE *out;
  struct shk_outcome outcome;
  bool began;
};

static void send_row(void *user, int count, char *const *fields)
{
  struct sender *sender = user;
  if (!sender->began)
    fprintf(sender->out, "size %d %d\n", sender->outcome.n, sender->outcome.m);
  sender->began = true;
  fputs("row ", sender->out);
  for (int i = 0; i < count; i++) {
    if (i > 0)
      putc(',', sender->out);
    fputs(fields[i], sender->out);
  }
  putc('\n', sender->out);
  /* The row is written at once: a crash in the next step must not lose the rows before it. */
  if (fflush(sender->out) != 0)
    _exit(1); /* the reader has closed the pipe, so this process has no purpose left */
}

static void integrate(const struct shk_context *context, struct sender *sender,
                      const struct shk_cell *cell, long every, const char *const *plugins,
                      int plugin_count)
{
  struct shk_context own = *context; /* with the plug-ins */
  struct shk_message error = {.text = ""};
  const struct shk_engine *engine = shk_engine_named(cell->precision, &error);
  bool ok = shk_confine(&context->access, plugins, plugin_count, &error);
  for (int i = 0; ok && i < plugin_count; i++)
    ok = engine->load_plugin(&own, plugins[i], &error);
  if (!ok) {
    fprintf(sender->out, "plugin %s\n", error.text);
    return;
  }
  engine->simulate(&own, &sender->outcome, cell, every, send_row, sender);
  char *reason = sender->outcome.reason;
  for (char *at = reason; *at != '\0'; at++)
    if (*at == '\n')
      *at = ' ';
  fprintf(sender->out, "end %d %.17g %s\n", (int)sender->outcome.code, sender->outcome.reached,
          reason);
}

static void run_child(const struct shk_context *context, int pipe_end, const struct shk_cell *cell,
                      long every, const char *const *plugins, int plugin_count,
                      const char *temporary)
{
  shk_fence_in(temporary);
  struct sender sender = {.out = fdopen(shk_descriptor_move(pipe_end, 200), "w")};
  if (sender.out)
    integrate(context, &sender, cell, every, plugins, plugin_count);
  shk_outcome_clear(&sender.outcome);
  fflush(NULL);
  _exit(!sender.out); /* not exit(): the exit handlers belong to the parent */
}

/* ---- the parent ---- */

struct receiver {
  struct shk_simulated *result;
  shk_row_reader *reader;
  void *user;
  int n, m;
};

/* Reads the last line: the code's number, t - t0 and the reason. */
static void take_end(struct shk_simulated *result, const char *text)
{
  char *rest;
  const long code = strtol(text, &rest, 10);
  rest += strspn(rest, " ");
  const size_t length = strcspn(rest, " ");
  result->finished = code >= 0 && code < SHK_CODE_COUNT;
  result->code = result->finished ? (enum shk_code)code : SHK_STOPPED;
  snprintf(result->reached, sizeof result->reached, "%.*s", (int)length, rest);
  snprintf(result->reason, sizeof result->reason, "%s", rest + length + (rest[length] == ' '));
}

static void take_line(struct receiver *receiver, char *line)
{
  line[strcspn(line, "\n")] = '\0';
  if (strncmp(line, "row ", 4) == 0) {
    receiver->result->rows++;
    receiver->reader(receiver->user, receiver->n, receiver->m, line + 4);
  } else if (strncmp(line, "size ", 5) == 0) {
    char *rest;
    receiver->n = (int)strtol(line + 5, &rest, 10);
    receiver->m = (int)strtol(rest, NULL, 10);
  } else if (strncmp(line, "plugin ", 7) == 0) {
    receiver->result->no_plugin = true;
    snprintf(receiver->result->reason, sizeof receiver->result->reason, "%s", line + 7);
  } else if (strncmp(line, "end ", 4) == 0) {
    take_end(receiver->result, line + 4);
  }
}

/* Waits for the first line. An external program has a minute for it: this covers its greeting and
 * its check whether it applies. Returns false, and ends the child, if the minute passes. */
static bool has_greeted(struct shk_simulated *result, const struct shk_cell *cell, int in,
                        pid_t child)
{
  enum { SECONDS = 60 };
  struct pollfd watch = {in, POLLIN, 0};
  if (shk_spec_programs(cell->integrator, NULL, NULL) == 0 || poll(&watch, 1, SECONDS * 1000) != 0)
    return true;
  kill(child, SIGKILL);
  snprintf(result->reason, sizeof result->reason,
           "the external program: no output for %d s, expected a greeting or 'ready'", SECONDS);
  return false;
}

static void conclude(struct shk_simulated *result, int status)
{
  if (result->finished || result->no_plugin)
    return;
  result->code = SHK_STOPPED;
  if (result->reason[0] != '\0')
    return;
  if (WIFSIGNALED(status))
    snprintf(result->reason, sizeof result->reason, "the integration crashed: %s (signal %d)",
             strsignal(WTERMSIG(status)), WTERMSIG(status));
  else
    snprintf(result->reason, sizeof result->reason, "the integration exited with status %d",
             WEXITSTATUS(status));
}

bool shk_simulate_in_subprocess(const struct shk_context *context, struct shk_simulated *result,
                                const struct shk_cell *cell, long every, const char *const *plugins,
                                int plugin_count, shk_row_reader *reader, void *user,
                                struct shk_message *error)
{
  *result = (struct shk_simulated){0};
  struct shk_pipe pipe;
  if (!shk_pipe_open(&pipe, error))
    return false;
  char *const temporary = shk_scratch_make();
  const pid_t child = shk_child_fork(&(struct shk_child){.out = STDERR_FILENO}, error);
  if (child == 0)
    run_child(context, pipe.write_end, cell, every, plugins, plugin_count, temporary);
  shk_close(&pipe.write_end);
  FILE *in = child > 0 ? fdopen(pipe.read_end, "r") : NULL;
  if (!in) {
    shk_pipe_close(&pipe);
    if (child > 0) {
      shk_message_set(error, "cannot read from a process: %s", strerror(errno));
      shk_child_end(child, SIGTERM, 0);
    }
    shk_scratch_remove(temporary);
    free(temporary);
    return false;
  }
  struct receiver receiver = {.result = result, .reader = reader, .user = user};
  char *line = NULL;
  size_t size = 0;
  while ((line || has_greeted(result, cell, fileno(in), child)) && getline(&line, &size, in) > 0)
    take_line(&receiver, line);
  free(line);
  fclose(in);
  conclude(result, shk_child_wait(child));
  shk_scratch_remove(temporary);
  free(temporary);
  return true;
}

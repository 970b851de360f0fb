/*
 * Worker processes. See spawn.h.
 */
#include "harness/run/spawn.h"
#include "engine/context.h"
#include "foundation/clock.h"
#include "foundation/files/scratch.h"
#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include "harness/run/worker.h"
#include "results/record/record_bytes.h"
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const double grace_seconds = 2;

/* The interpreter that runs the worker where a plug-in needs it; NULL: none does. */
static const char *interpreter(const char *const *plugins, int plugin_count)
{
  for (int i = 0; i < plugin_count; i++)
    if (shk_ends_with(plugins[i], SHK_FOREIGN_ENDING)) {
      const char *python = getenv("SHAKEDOWN_PYTHON");
      return python ? python : "python3";
    }
  return NULL;
}

/* The words of the command line of a worker, ended by NULL; all owned. */
static char **command_line(const char *python, const struct shk_access *access,
                           const char *const *plugins, int plugin_count)
{
  char **words = shk_allocate(2 * (size_t)plugin_count + 9, sizeof *words);
  int count = 0;
  if (python) {
    words[count++] = shk_copy_text(python);
    words[count++] = shk_copy_text("-m");
  }
  words[count++] = shk_copy_text("shakedown");
  words[count++] = shk_copy_text("worker");
  for (int i = 0; i < plugin_count; i++) {
    words[count++] = shk_copy_text("--plugin");
    words[count++] = shk_copy_text(plugins[i]);
  }
  if (access->programs)
    words[count++] = shk_copy_text("--allow-external");
  if (access->sandbox)
    words[count++] = shk_copy_text("--sandbox");
  if (access->sandbox && access->reads) {
    words[count++] = shk_copy_text("--files");
    words[count++] = shk_copy_text(access->reads);
  }
  return words;
}

static void forget_temporary(struct shk_spawned *worker)
{
  shk_scratch_remove(worker->temporary);
  free(worker->temporary);
  worker->temporary = NULL;
}

bool shk_spawn(struct shk_spawned *worker, const char *program, const struct shk_access *access,
               const char *const *plugins, int plugin_count, struct shk_message *error)
{
  struct shk_pipe to = SHK_NO_PIPE, from = SHK_NO_PIPE;
  *worker = (struct shk_spawned){.to = -1, .from = -1};
  if (!shk_pipe_open(&to, error) || !shk_pipe_open(&from, error)) {
    shk_pipe_close(&to);
    return false;
  }
  /* Room for a whole answer, as a rule, so that the worker can go on while others are read from. */
  fcntl(from.write_end, F_SETPIPE_SZ, 1 << 20);
  worker->temporary = shk_scratch_make();
  const char *const python = interpreter(plugins, plugin_count);
  char **words = command_line(python, access, plugins, plugin_count);
  /* By SIGTERM the worker takes the process of its cell along. Only the scheduler decides what an
   * interrupt from the terminal means. */
  const struct shk_child child = {.in = to.read_end,
                                  .out = from.write_end,
                                  .temporary = worker->temporary,
                                  .last_signal = SIGTERM,
                                  .ignores_interrupt = true};
  const char *const path = python ? python : program ? program : "/proc/self/exe";
  worker->pid = shk_child_start(&child, path, words);
  const int fault = errno;
  if (worker->pid < 0)
    shk_message_set(error, "%s cannot be started as a worker: %s",
                    python    ? python
                    : program ? program
                              : "this program",
                    strerror(fault));
  for (char **word = words; *word; word++)
    free(*word);
  free(words);
  shk_close(&to.read_end);
  shk_close(&from.write_end);
  if (worker->pid < 0) {
    worker->pid = 0;
    shk_pipe_close(&to);
    shk_pipe_close(&from);
    forget_temporary(worker);
    errno = fault;
    return false;
  }
  worker->to = to.write_end;
  worker->from = from.read_end;
  fcntl(worker->from, F_SETFL, O_NONBLOCK);
  fcntl(worker->to, F_SETFL, O_NONBLOCK);
  return true;
}

/* One that is stopped reads nothing, and must not stop us. */
bool shk_spawn_send(struct shk_spawned *worker, const char *line)
{
  const double deadline = shk_seconds() + SHK_SEND_SECONDS;
  const char *const end = line + strlen(line);
  while (line < end) {
    const size_t piece = (size_t)(end - line) < PIPE_BUF ? (size_t)(end - line) : PIPE_BUF;
    if (shk_write_all(worker->to, line, piece)) {
      line += piece;
      continue;
    }
    const double left = deadline - shk_seconds();
    if (errno != EAGAIN || left <= 0)
      return false;
    poll(&(struct pollfd){worker->to, POLLOUT, 0}, 1, (int)ceil(1e3 * left));
  }
  return true;
}

enum shk_heard shk_spawn_hear(struct shk_spawned *worker, char **line)
{
  for (;;) {
    *line = shk_lines_take(&worker->lines);
    if (*line)
      return SHK_HEARD_LINE;
    const ssize_t count = shk_lines_read(&worker->lines, worker->from);
    if (count == 0)
      return SHK_HEARD_END;
    if (count < 0 && errno != EINTR)
      return errno == EAGAIN ? SHK_HEARD_NOTHING : SHK_HEARD_END;
  }
}

char *shk_spawn_wait(struct shk_spawned *worker, double seconds, struct shk_message *error)
{
  const double deadline = shk_seconds() + seconds;
  for (;;) {
    char *line;
    switch (shk_spawn_hear(worker, &line)) {
    case SHK_HEARD_LINE:
      return line;
    case SHK_HEARD_END:
      shk_message_set(error, "the worker process ended without an answer");
      return NULL;
    case SHK_HEARD_NOTHING:
      break;
    }
    const double left = deadline - shk_seconds();
    if (left <= 0) {
      shk_message_set(error, "the worker process did not answer within %g s", seconds);
      return NULL;
    }
    poll(&(struct pollfd){worker->from, POLLIN, 0}, 1, (int)ceil(1e3 * left));
  }
}

bool shk_spawn_ready(const char *line, struct shk_message *error)
{
  json_t *json = json_loads(line, 0, NULL);
  const char *failure = json_string_value(json_object_get(json, "error"));
  const bool ready = json_object_get(json, "ready") &&
                     json_integer_value(json_object_get(json, "protocol")) == SHK_PROTOCOL;
  if (!ready)
    shk_message_set(error, "%s", failure ? failure : "the worker speaks another protocol");
  json_decref(json);
  return ready;
}

bool shk_spawn_record(struct shk_record *record, const char *message, struct shk_message *error)
{
  const size_t length = shk_record_length(message, 1); /* at least, of a message that is whole */
  if (length > 0)
    return shk_record_read(record, message, shk_record_length(message, length), error);
  json_t *const json = json_loads(message, 0, NULL);
  const char *const failure = json_string_value(json_object_get(json, "error"));
  shk_message_set(error, "a worker %s%s", failure ? "cannot go on: " : "answers without a record",
                  failure ? failure : "");
  json_decref(json);
  return false;
}

bool shk_spawn_gone(const struct shk_spawned *worker)
{
  siginfo_t info = {0};
  /* Its pipe is closed a moment before its end can be waited for. */
  for (int i = 0; i < 100 && !info.si_pid; i++) {
    nanosleep(&(struct timespec){0, i > 0 ? 2000000 : 0}, NULL);
    if (waitid(P_PID, (id_t)worker->pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
      return true;
  }
  return info.si_pid != 0;
}

void shk_spawn_blame(struct shk_message *error, const char *const *plugins, int plugin_count,
                     int status)
{
  char how[80];
  if (status < 0)
    snprintf(how, sizeof how, "did not end within %d s", SHK_READY_SECONDS);
  else if (WIFSIGNALED(status))
    snprintf(how, sizeof how, "ended its process by signal %d", WTERMSIG(status));
  else
    snprintf(how, sizeof how, "ended its process with exit code %d", WEXITSTATUS(status));
  char *names = shk_copy_text("");
  for (int i = 0; i < plugin_count; i++)
    shk_append_text(&names, "%s%s", i > 0 ? ", " : "", plugins[i]);
  if (plugin_count > 0)
    shk_message_set(error, "%s: loading %s %s", names, plugin_count > 1 ? "them" : "it", how);
  else
    shk_message_set(error, "starting a worker %s", how);
  free(names);
}

int shk_spawn_end(struct shk_spawned *worker, bool politely)
{
  int status = 0;
  shk_close(&worker->to);
  if (worker->pid > 0)
    status = shk_child_end(worker->pid, politely ? 0 : SIGTERM, grace_seconds);
  shk_close(&worker->from);
  forget_temporary(worker);
  free(worker->lines.buffer);
  *worker = (struct shk_spawned){.to = -1, .from = -1};
  return status;
}

/* First what it has started, which would otherwise be nobody's. */
void shk_spawn_kill(struct shk_spawned *worker)
{
  kill(worker->pid, SIGSTOP);
  for (int round = 0; round < 100 && shk_children_kill(worker->pid) > 0; round++)
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  kill(worker->pid, SIGKILL);
  shk_spawn_end(worker, true);
}

/*
 * Worker processes. See spawn.h.
 */
#include "harness/run/spawn.h"
#include "foundation/clock.h"
#include "foundation/memory.h"
#include "harness/run/guard.h"
#include "harness/run/worker.h"
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const size_t line_limit = (size_t)1 << 30;

static void become_worker(const char *program, char **arguments, int in, int out, pid_t parent)
{
  /* By SIGTERM the worker takes the process of its cell along. */
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != parent)
    _exit(127);
  sigset_t none;
  sigemptyset(&none);
  signal(SIGTERM, SIG_DFL);
  signal(SIGHUP, SIG_DFL);
  signal(SIGINT, SIG_IGN); /* a terminal sends it to the whole group; only the scheduler decides */
  signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_SETMASK, &none, NULL);
  dup2(in, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  execv(program, arguments);
  _exit(127); /* the parent finds the pipe closed */
}

bool shk_spawn(struct shk_spawned *worker, const char *program, const struct shk_access *access,
               const char *const *plugins, int plugin_count, struct shk_message *error)
{
  *worker = (struct shk_spawned){.to = -1, .from = -1};
  int to[2] = {-1, -1}, from[2] = {-1, -1};
  if (pipe2(to, O_CLOEXEC) || pipe2(from, O_CLOEXEC)) {
    shk_message_set(error, "cannot make a pipe to a worker: %s", strerror(errno));
    goto failed;
  }
  /* Room for a whole answer, as a rule, so that the worker can go on while others are heard. */
  fcntl(from[1], F_SETPIPE_SZ, 1 << 20);
  char **arguments = shk_allocate(2 * (size_t)plugin_count + 4, sizeof *arguments);
  int count = 0;
  arguments[count++] = shk_copy_text("shakedown");
  arguments[count++] = shk_copy_text("worker");
  for (int i = 0; i < plugin_count; i++) {
    arguments[count++] = shk_copy_text("--plugin");
    arguments[count++] = shk_copy_text(plugins[i]);
  }
  if (access->programs)
    arguments[count++] = shk_copy_text("--allow-external");
  const pid_t parent = getpid();
  worker->pid = fork();
  if (worker->pid == 0)
    become_worker(program ? program : "/proc/self/exe", arguments, to[0], from[1], parent);
  for (int i = 0; i < count; i++)
    free(arguments[i]);
  free(arguments);
  if (worker->pid < 0) {
    shk_message_set(error, "cannot start a worker: %s", strerror(errno));
    worker->pid = 0;
    goto failed;
  }
  close(to[0]);
  close(from[1]);
  worker->to = to[1];
  worker->from = from[0];
  fcntl(worker->from, F_SETFL, O_NONBLOCK);
  return true;
failed:
  for (int i = 0; i < 2; i++) {
    if (to[i] >= 0)
      close(to[i]);
    if (from[i] >= 0)
      close(from[i]);
  }
  return false;
}

bool shk_spawn_send(struct shk_spawned *worker, const char *line)
{
  return shk_write_all(worker->to, line, strlen(line));
}

/* Cuts the first line off the buffer. */
static char *first_line(struct shk_spawned *worker)
{
  if (!worker->length)
    return NULL;
  char *end = memchr(worker->buffer + worker->scanned, '\n', worker->length - worker->scanned);
  if (!end) {
    worker->scanned = worker->length;
    return NULL;
  }
  const size_t length = (size_t)(end - worker->buffer);
  char *line = shk_allocate(length + 1, 1);
  memcpy(line, worker->buffer, length);
  worker->length -= length + 1;
  memmove(worker->buffer, end + 1, worker->length);
  worker->scanned = 0;
  return line;
}

enum shk_heard shk_spawn_hear(struct shk_spawned *worker, char **line)
{
  for (;;) {
    *line = first_line(worker);
    if (*line)
      return SHK_HEARD_LINE;
    if (worker->length == worker->capacity) {
      if (worker->capacity >= line_limit)
        return SHK_HEARD_END;
      worker->capacity = worker->capacity ? 2 * worker->capacity : 65536;
      worker->buffer = shk_reallocate(worker->buffer, worker->capacity, 1);
    }
    const ssize_t count =
        read(worker->from, worker->buffer + worker->length, worker->capacity - worker->length);
    if (count > 0)
      worker->length += (size_t)count;
    else if (count == 0)
      return SHK_HEARD_END;
    else if (errno != EINTR)
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

int shk_spawn_end(struct shk_spawned *worker, bool politely)
{
  int status = 0;
  if (worker->to >= 0)
    close(worker->to);
  if (worker->pid > 0) {
    if (!politely)
      kill(worker->pid, SIGTERM);
    const double deadline = shk_seconds() + 2;
    pid_t ended;
    while ((ended = waitpid(worker->pid, &status, WNOHANG)) == 0 && shk_seconds() < deadline)
      nanosleep(&(struct timespec){0, 2000000}, NULL);
    if (ended == 0) {
      kill(worker->pid, SIGKILL);
      waitpid(worker->pid, &status, 0);
    }
  }
  if (worker->from >= 0)
    close(worker->from);
  free(worker->buffer);
  *worker = (struct shk_spawned){.to = -1, .from = -1};
  return status;
}

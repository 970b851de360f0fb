/* The client's side of a cell server. See link.h. */
#include "harness/run/link.h"
#include "foundation/clock.h"
#include "foundation/files/scratch.h"
#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include "harness/run/sandbox.h"
#include "harness/run/server.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* A plug-in has as long to load as a program has for its greeting: Python with its packages takes a
 * second on an idle machine, and half a minute on one with twenty times as many processes as cores. */
static const double ready_seconds = 60, send_seconds = 10, grace_seconds = 2;

/* ---- in the process of the server ---- */

/* Returns the interpreter that runs the server; NULL if no plug-in needs one. */
static const char *interpreter_of_servers(const struct shk_servers *servers)
{
  const char *const python = getenv("SHAKEDOWN_PYTHON");
  for (int i = 0; i < servers->plugin_count; i++)
    if (shk_ends_with(servers->plugins[i], SHK_FOREIGN_ENDING))
      return python ? python : "python3";
  return NULL;
}

/* Sets, unless they are set, SHAKEDOWN (path of the program) and PYTHONPATH (package beside it in a
 * source tree or an installation) for the interpreter. In a virtual environment replaces *python by
 * the interpreter there (not freed), unless SHAKEDOWN_PYTHON names one. */
static void show_package(const char **python)
{
  static const char *const folders[] = {"python", "share/shakedown/python", "."};
  char *const program = realpath("/proc/self/exe", NULL);
  char *const slash = program ? strrchr(program, '/') : NULL;
  if (slash && strcmp(slash, "/shakedown") == 0) {
    setenv("SHAKEDOWN", program, 0);
    *slash = '\0';
    char *const config = shk_print_text("%s/../pyvenv.cfg", program);
    if (access(config, R_OK) == 0 && !getenv("SHAKEDOWN_PYTHON"))
      *python = shk_print_text("%s/python3", program);
    free(config);
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
      char *const place = shk_print_text("%s/../%s", program, folders[i]);
      char *const file = shk_print_text("%s/shakedown/worker.py", place);
      if (access(file, R_OK) == 0)
        setenv("PYTHONPATH", place, 0);
      free(file);
      free(place);
    }
  }
  free(program);
}

/* Executes the interpreter; returns after an error reply if that fails. */
static void become_python(const struct shk_servers *servers, const char *python)
{
  const struct shk_access *const permitted = &servers->context->access;
  show_package(&python);
  const char *const head[] = {python, "-m", "shakedown", "worker"};
  const char **const words = shk_allocate((size_t)(2 * servers->plugin_count + 9), sizeof *words);
  int count = sizeof head / sizeof head[0];
  memcpy(words, head, sizeof head);
  for (int i = 0; i < servers->plugin_count; i++) {
    words[count++] = "--plugin";
    words[count++] = servers->plugins[i];
  }
  if (permitted->programs)
    words[count++] = "--allow-external";
  if (permitted->sandbox)
    words[count++] = "--sandbox";
  if (permitted->sandbox && permitted->reads) {
    words[count++] = "--files";
    words[count++] = permitted->reads;
  }
  execvp(python, (char *const *)words);
  char *const text =
      shk_print_text("%s cannot be started as a cell server: %s", python, strerror(errno));
  size_t size;
  char *const reply = shk_error_reply(text, &size);
  shk_write_all(STDOUT_FILENO, reply, size);
}

/* Unmaps the memory that open stores share with other processes (-shm files), so that no plug-in
 * can overwrite it. */
static void unmap_stores(void)
{
  char line[PATH_MAX + 128];
  FILE *const maps = fopen("/proc/self/maps", "re");
  while (maps && fgets(line, sizeof line, maps)) {
    unsigned long begin, end;
    line[strcspn(line, "\n")] = '\0';
    if (shk_ends_with(line, "-shm") && sscanf(line, "%lx-%lx", &begin, &end) == 2)
      munmap((void *)begin, end - begin);
  }
  if (maps)
    fclose(maps);
}

static _Noreturn void become_server(const struct shk_servers *servers)
{
  const char *const python = interpreter_of_servers(servers);
  unmap_stores();
  close_range(STDERR_FILENO + 1, ~0U, 0);
  if (!python)
    _exit(shk_server_run(servers->context, servers->plugins, servers->plugin_count));
  become_python(servers, python);
  _exit(2);
}

/* ---- in the client ---- */

bool shk_server_start(struct shk_server *server, const struct shk_servers *servers,
                      struct shk_message *error)
{
  struct shk_pipe to = SHK_NO_PIPE, from = SHK_NO_PIPE;
  *server = (struct shk_server){.to = -1, .from = -1};
  if (!shk_pipe_open(&to, error) || !shk_pipe_open(&from, error)) {
    shk_pipe_close(&to);
    return false;
  }
  /* Most records fit into 1 MiB: the server can continue while other servers are read. */
  fcntl(from.write_end, F_SETPIPE_SZ, 1 << 20);
  server->temporary = shk_scratch_make();
  server->to = to.write_end;
  server->from = from.read_end;
  /* SIGTERM if the client dies: the server then also ends the process of its cell. An interrupt
   * from the terminal is handled by the scheduler only. */
  const struct shk_child child = {.in = to.read_end,
                                  .out = from.write_end,
                                  .temporary = server->temporary,
                                  .last_signal = SIGTERM,
                                  .ignores_interrupt = true};
  server->pid = shk_child_fork(&child, error);
  if (server->pid == 0)
    become_server(servers);
  shk_close(&to.read_end);
  shk_close(&from.write_end);
  if (server->pid < 0) {
    shk_server_end(server, false);
    return false;
  }
  fcntl(server->from, F_SETFL, O_NONBLOCK);
  fcntl(server->to, F_SETFL, O_NONBLOCK);
  return true;
}

/* Sends with a time limit: a stopped server does not read, and must not block the client. */
bool shk_server_send(struct shk_server *server, const struct shk_request *request)
{
  const double deadline = shk_seconds() + send_seconds;
  size_t size, sent = 0;
  char *const bytes = shk_request_bytes(request, &size);
  bool ok = true;
  while (ok && sent < size) {
    const size_t piece = size - sent < PIPE_BUF ? size - sent : PIPE_BUF;
    if (shk_write_all(server->to, bytes + sent, piece)) {
      sent += piece;
      continue;
    }
    const double left = deadline - shk_seconds();
    ok = errno == EAGAIN && left > 0;
    if (ok)
      poll(&(struct pollfd){server->to, POLLOUT, 0}, 1, (int)ceil(1e3 * left));
  }
  free(bytes);
  return ok;
}

char *shk_server_receive(struct shk_server *server, size_t *size)
{
  char *reply;
  ssize_t count = 1;
  while (!(reply = shk_inbox_take(&server->inbox, size)) && !server->ended &&
         (count > 0 || errno == EINTR)) {
    count = shk_inbox_read(&server->inbox, server->from);
    server->ended = count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN);
  }
  return reply;
}

char *shk_server_wait(struct shk_server *server, size_t *size, double seconds,
                      struct shk_message *error)
{
  const double deadline = shk_seconds() + seconds;
  double left;
  char *reply;
  while (!(reply = shk_server_receive(server, size)) && !server->ended &&
         (left = deadline - shk_seconds()) > 0)
    poll(&(struct pollfd){server->from, POLLIN, 0}, 1, (int)ceil(1e3 * left));
  if (!reply && server->ended)
    shk_message_set(error, "the cell server ended without a reply");
  else if (!reply)
    shk_message_set(error, "the cell server did not reply within %g s", seconds);
  return reply;
}

char *shk_server_greet(struct shk_server *server, const struct shk_servers *servers, size_t *size,
                       struct shk_message *error)
{
  char *const reply = shk_server_wait(server, size, ready_seconds, error);
  if (reply)
    return reply;
  struct shk_record record = {.end = SHK_END_TIMED_OUT, .limit_seconds = ready_seconds};
  char reason[256], *names = shk_copy_text(servers->plugin_count > 0 ? "" : "a cell server");
  for (int i = 0; i < servers->plugin_count; i++)
    shk_append_text(&names, "%s%s", i > 0 ? ", " : "", servers->plugins[i]);
  if (server->ended)
    shk_ended_with(&record, shk_server_end(server, true));
  else
    shk_server_kill(server);
  shk_record_reason(reason, sizeof reason, &record);
  shk_message_set(error, "%s: while it was loaded %s", names, reason);
  free(names);
  return NULL;
}

int shk_server_end(struct shk_server *server, bool politely)
{
  int status = 0;
  shk_close(&server->to);
  if (server->pid > 0)
    status = shk_child_end(server->pid, politely ? 0 : SIGTERM, grace_seconds);
  shk_close(&server->from);
  shk_scratch_remove(server->temporary);
  free(server->temporary);
  free(server->inbox.buffer);
  *server = (struct shk_server){.to = -1, .from = -1};
  return status;
}

/* Stops the server and kills its children first: after its end they could not be found. */
void shk_server_kill(struct shk_server *server)
{
  kill(server->pid, SIGSTOP);
  for (int round = 0; round < 100 && shk_children_kill(server->pid) > 0; round++)
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  kill(server->pid, SIGKILL);
  shk_server_end(server, true);
}

/*
 * The launcher. See launcher.h.
 *
 * It is asked by the path of a temporary folder with two descriptors (SCM_RIGHTS), those that the
 * server reads requests from and writes replies to, and answers with the server's number.
 */
#include "harness/run/launcher.h"
#include "foundation/files/scratch.h"
#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include "harness/run/requests.h"
#include "harness/run/server.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

enum { STREAMS = 2, ANSWER_MILLISECONDS = 10000 };
static const char no_folder[] = "-"; /* none could be made */

struct shk_launcher {
  pid_t process;
  int line; /* to it; in its process: from ours */
  struct shk_context context;
  const char *const *plugins;
  int plugin_count;
};

/* What travels with the path of the temporary folder. */
union control {
  struct cmsghdr head; /* for its alignment */
  char bytes[CMSG_SPACE(STREAMS * sizeof(int))];
};

static struct msghdr message_of(struct iovec *part, union control *control)
{
  return (struct msghdr){.msg_iov = part,
                         .msg_iovlen = 1,
                         .msg_control = control->bytes,
                         .msg_controllen = sizeof control->bytes};
}

/* ---- in the launcher ---- */

/* The interpreter that runs the server where a plug-in needs it; NULL: none does. */
static const char *interpreter(const struct shk_launcher *launcher)
{
  for (int i = 0; i < launcher->plugin_count; i++)
    if (shk_ends_with(launcher->plugins[i], SHK_FOREIGN_ENDING)) {
      const char *const python = getenv("SHAKEDOWN_PYTHON");
      return python ? python : "python3";
    }
  return NULL;
}

/* Becomes the interpreter; returns if that fails. */
static void become_python(const struct shk_launcher *launcher, const char *python,
                          const int *streams)
{
  const struct shk_access *const access = &launcher->context.access;
  const char **const words = shk_allocate(2 * (size_t)launcher->plugin_count + 9, sizeof *words);
  int count = 0;
  words[count++] = python;
  words[count++] = "-m";
  words[count++] = "shakedown";
  words[count++] = "worker";
  for (int i = 0; i < launcher->plugin_count; i++) {
    words[count++] = "--plugin";
    words[count++] = launcher->plugins[i];
  }
  if (access->programs)
    words[count++] = "--allow-external";
  if (access->sandbox)
    words[count++] = "--sandbox";
  if (access->sandbox && access->reads) {
    words[count++] = "--files";
    words[count++] = access->reads;
  }
  dup2(streams[0], STDIN_FILENO);
  dup2(streams[1], STDOUT_FILENO);
  execvp(python, (char *const *)words);
  char *const text =
      shk_print_text("%s cannot be started as a cell server: %s", python, strerror(errno));
  size_t size;
  char *const reply = shk_error_reply(text, &size);
  shk_write_all(STDOUT_FILENO, reply, size);
}

static _Noreturn void become_server(const struct shk_launcher *launcher, const int *streams)
{
  const char *const python = interpreter(launcher);
  close(launcher->line);
  if (python) {
    become_python(launcher, python, streams);
    _exit(2);
  }
  _exit(shk_server_run(&launcher->context, streams[0], streams[1], launcher->plugins,
                       launcher->plugin_count));
}

/* The descriptors of a request; false at the end of requests. */
static bool receive(const struct shk_launcher *launcher, char *temporary, size_t size, int *streams)
{
  union control control;
  struct iovec part = {temporary, size - 1};
  struct msghdr message = message_of(&part, &control);
  const ssize_t count = recvmsg(launcher->line, &message, MSG_CMSG_CLOEXEC);
  const struct cmsghdr *const rights = count > 0 ? CMSG_FIRSTHDR(&message) : NULL;
  if (!rights || rights->cmsg_len != CMSG_LEN(STREAMS * sizeof(int)))
    return false;
  temporary[count] = '\0';
  memcpy(streams, CMSG_DATA(rights), STREAMS * sizeof(int));
  return true;
}

/* Unmaps what a store shares with other processes, which is there if this launcher replaces one
 * that was killed: no plug-in may write over it. */
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

static _Noreturn void launch_all(const struct shk_launcher *launcher)
{
  char temporary[PATH_MAX];
  int streams[STREAMS];
  struct shk_message unused;
  prctl(PR_SET_NAME, "shk-launcher");
  unmap_stores();
  close_range(STDERR_FILENO + 1, (unsigned)launcher->line - 1, 0);
  close_range((unsigned)launcher->line + 1, ~0U, 0);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  while (receive(launcher, temporary, sizeof temporary, streams)) {
    /* By SIGTERM the server takes the process of its cell along. Only the scheduler decides what
     * an interrupt from the terminal means. */
    const struct shk_child child = {.in = SHK_NOTHING,
                                    .temporary =
                                        strcmp(temporary, no_folder) != 0 ? temporary : NULL,
                                    .last_signal = SIGTERM,
                                    .ignores_interrupt = true,
                                    .is_sibling = true};
    const pid_t made = shk_child_fork(&child, &unused);
    if (made == 0)
      become_server(launcher, streams);
    const int answer = made > 0 ? made : -errno;
    close(streams[0]);
    close(streams[1]);
    if (send(launcher->line, &answer, sizeof answer, MSG_NOSIGNAL) != sizeof answer)
      break;
  }
  _exit(0);
}

/* ---- in the process that asks ---- */

/* Makes the launcher's process, in which it does not return. False with the reason. */
static bool begin(struct shk_launcher *launcher, struct shk_message *error)
{
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    shk_message_set(error, "cannot make a socket: %s", strerror(errno));
    return false;
  }
  launcher->line = ends[1];
  launcher->process =
      shk_child_fork(&(struct shk_child){.in = SHK_NOTHING, .ignores_interrupt = true}, error);
  if (launcher->process == 0)
    launch_all(launcher);
  close(ends[1]);
  launcher->line = ends[0];
  return launcher->process > 0;
}

static void end(struct shk_launcher *launcher, int signal)
{
  shk_close(&launcher->line);
  if (launcher->process > 0)
    shk_child_end(launcher->process, signal, 1);
  launcher->process = 0;
}

struct shk_launcher *shk_launcher_start(const struct shk_context *context,
                                        const char *const *plugins, int plugin_count,
                                        struct shk_message *error)
{
  struct shk_launcher *const launcher = shk_allocate(1, sizeof *launcher);
  *launcher =
      (struct shk_launcher){.context = *context, .plugins = plugins, .plugin_count = plugin_count};
  launcher->context.remote = NULL;
  if (begin(launcher, error))
    return launcher;
  shk_launcher_stop(launcher);
  return NULL;
}

const char *const *shk_launcher_plugins(const struct shk_launcher *launcher, int *count)
{
  *count = launcher->plugin_count;
  return launcher->plugins;
}

static bool send_request(const struct shk_launcher *launcher, const char *temporary, int in,
                         int out)
{
  union control control = {0};
  struct iovec part = {(char *)temporary, strlen(temporary)};
  struct msghdr message = message_of(&part, &control);
  struct cmsghdr *const rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(STREAMS * sizeof(int));
  memcpy(CMSG_DATA(rights), (int[]){in, out}, STREAMS * sizeof(int));
  return sendmsg(launcher->line, &message, MSG_NOSIGNAL) > 0;
}

/* The number of the new server; -1 with errno set. */
static pid_t ask(const struct shk_launcher *launcher, const char *temporary, int in, int out)
{
  int answer = 0;
  errno = EPIPE;
  if (!send_request(launcher, temporary, in, out))
    return -1;
  int ready;
  do
    ready = poll(&(struct pollfd){launcher->line, POLLIN, 0}, 1, ANSWER_MILLISECONDS);
  while (ready < 0 && errno == EINTR);
  if (ready > 0 && recv(launcher->line, &answer, sizeof answer, 0) == sizeof answer && answer > 0)
    return answer;
  errno = ready == 0 ? ETIMEDOUT : answer < 0 ? -answer : EPIPE;
  return -1;
}

/* The same; a launcher that was killed or stopped is replaced, once. False with the reason. */
static bool ask_or_replace(struct shk_launcher *launcher, struct shk_server *server, int in,
                           int out, struct shk_message *error)
{
  const char *const temporary = server->temporary ? server->temporary : no_folder;
  pid_t made = ask(launcher, temporary, in, out);
  if (made < 0 && (errno == EPIPE || errno == ETIMEDOUT)) {
    end(launcher, SIGKILL);
    if (!begin(launcher, error))
      return false;
    made = ask(launcher, temporary, in, out);
  }
  if (made < 0)
    shk_message_set(error, "cannot make a process: %s", strerror(errno));
  server->pid = made > 0 ? made : 0;
  return made > 0;
}

bool shk_launch(struct shk_launcher *launcher, struct shk_server *server, struct shk_message *error)
{
  struct shk_pipe to = SHK_NO_PIPE, from = SHK_NO_PIPE;
  *server = (struct shk_server){.to = -1, .from = -1};
  if (!shk_pipe_open(&to, error) || !shk_pipe_open(&from, error)) {
    shk_pipe_close(&to);
    return false;
  }
  /* Room for a whole record, as a rule, so that the server can go on while others are read from. */
  fcntl(from.write_end, F_SETPIPE_SZ, 1 << 20);
  server->temporary = shk_scratch_make();
  const bool made = ask_or_replace(launcher, server, to.read_end, from.write_end, error);
  shk_close(&to.read_end);
  shk_close(&from.write_end);
  server->to = to.write_end;
  server->from = from.read_end;
  if (!made) {
    shk_server_end(server, false);
    return false;
  }
  fcntl(server->from, F_SETFL, O_NONBLOCK);
  fcntl(server->to, F_SETFL, O_NONBLOCK);
  return true;
}

void shk_launcher_stop(struct shk_launcher *launcher)
{
  if (!launcher)
    return;
  end(launcher, 0);
  free(launcher);
}

/* Starts and manages child processes. See subprocess.h. */
#include "foundation/processes/subprocess.h"

#include "foundation/clock.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { START_MILLISECONDS = 10000 };

/* ---- descriptors ---- */

void shk_close(int *descriptor)
{
  if (*descriptor >= 0)
    close(*descriptor);
  *descriptor = -1;
}

bool shk_pipe_open(struct shk_pipe *pipe, struct shk_message *error)
{
  int ends[2] = {-1, -1};
  const bool ok = pipe2(ends, O_CLOEXEC) == 0 ||
                  shk_message_set(error, "cannot create a pipe: %s", strerror(errno));
  *pipe = (struct shk_pipe){.read_end = ends[0], .write_end = ends[1]};
  return ok;
}

void shk_pipe_close(struct shk_pipe *pipe)
{
  shk_close(&pipe->read_end);
  shk_close(&pipe->write_end);
}

int shk_descriptor_move(int descriptor, int least)
{
  const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, least);
  if (moved < 0)
    return descriptor;
  close(descriptor);
  return moved;
}

bool shk_write_all(int descriptor, const char *bytes, size_t count)
{
  struct sigaction old;
  sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, &old);
  bool ok = true;
  while (ok && count > 0) {
    const ssize_t written = TEMP_FAILURE_RETRY(write(descriptor, bytes, count));
    ok = written >= 0;
    bytes += ok ? written : 0;
    count -= ok ? (size_t)written : 0;
  }
  sigaction(SIGPIPE, &old, NULL);
  return ok;
}

/* ---- in the child ---- */

static void place_subprocess(int descriptor, int standard, int mode)
{
  const int from = descriptor == SHK_NOTHING ? open("/dev/null", mode | O_CLOEXEC) : descriptor;
  if (from > 0)
    dup2(from, standard);
}

static void reset_signals(void)
{
  static const int signals[] = {SIGPIPE, SIGINT, SIGTERM, SIGHUP, SIGQUIT};
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
    signal(signals[i], SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Sets up the child as its struct specifies. On failure, returns false with errno set. */
static bool begin_subprocess(const struct shk_child *child, pid_t parent)
{
  if (child->own_group)
    setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, child->last_signal != 0 ? child->last_signal : SIGKILL);
  if (getppid() != parent)
    _exit(1); /* the parent has already exited */
  reset_signals();
  place_subprocess(child->in, STDIN_FILENO, O_RDONLY);
  place_subprocess(child->out, STDOUT_FILENO, O_WRONLY);
  place_subprocess(child->error, STDERR_FILENO, O_WRONLY);
  if (child->fourth > 0)
    dup2(fcntl(child->fourth, F_DUPFD_CLOEXEC, 10), STDERR_FILENO + 1);
  if (child->temporary)
    setenv("TMPDIR", child->temporary, 1);
  return !child->folder || chdir(child->folder) == 0;
}

/* Starts the program in the child. If this fails, sends errno to the parent through `report`. */
static void become_subprocess(const struct shk_child *child, pid_t parent, const char *program,
                              char *const *words, int report)
{
  report = fcntl(report, F_DUPFD_CLOEXEC, 10);
  if (begin_subprocess(child, parent)) {
    close_range(STDERR_FILENO + (child->fourth > 0 ? 2U : 1U), ~0U, CLOSE_RANGE_CLOEXEC);
    execvp(program, words);
  }
  const int fault = errno;
  shk_write_all(report, (const char *)&fault, sizeof fault);
  _exit(127);
}

/* ---- in the parent ---- */

pid_t shk_child_fork(const struct shk_child *child, struct shk_message *error)
{
  fflush(NULL);
  const pid_t parent = getpid(), made = fork();
  if (made < 0)
    shk_message_set(error, "cannot create a process: %s", strerror(errno));
  if (made == 0 && !begin_subprocess(child, parent))
    _exit(1);
  if (made > 0 && child->own_group)
    setpgid(made, made); /* both processes call setpgid, because either may run first */
  return made;
}

/* Returns the errno that the child reports, or 0 if the pipe closes, which means that the program
 * has started. If neither event occurs in time, the child is killed. */
static int read_fault(int from, pid_t child)
{
  int fault = 0;
  while (poll(&(struct pollfd){from, POLLIN, 0}, 1, START_MILLISECONDS) == 0) {
    fault = ETIMEDOUT;
    kill(child, SIGKILL);
  }
  if (fault == 0 && TEMP_FAILURE_RETRY(read(from, &fault, sizeof fault)) != sizeof fault)
    return 0;
  return fault;
}

pid_t shk_child_start(const struct shk_child *child, const char *program, char *const *words)
{
  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0)
    return -1;
  const pid_t parent = getpid(), made = fork();
  int fault = made < 0 ? errno : 0;
  if (made == 0)
    become_subprocess(child, parent, program, words, report[1]);
  close(report[1]);
  if (made > 0) {
    fault = read_fault(report[0], made);
    if (fault != 0)
      shk_child_wait(made);
  }
  close(report[0]);
  errno = fault;
  return fault == 0 ? made : -1;
}

int shk_child_wait(pid_t child)
{
  int status = 0;
  TEMP_FAILURE_RETRY(waitpid(child, &status, 0));
  return status;
}

int shk_child_end(pid_t child, int signal, double seconds)
{
  if (signal != 0)
    kill(child, signal);
  const double deadline = shk_seconds() + seconds;
  const int watch = pidfd_open(child, 0);
  int status = 0;
  pid_t ended;
  double left;
  /* If there is no pidfd (-1, which poll ignores), the child is checked every 2 ms. */
  while ((ended = waitpid(child, &status, WNOHANG)) == 0 && (left = deadline - shk_seconds()) > 0)
    poll(&(struct pollfd){watch, POLLIN, 0}, 1, watch >= 0 ? (int)ceil(1e3 * left) : 2);
  if (watch >= 0)
    close(watch);
  if (ended != 0)
    return status;
  kill(child, SIGKILL);
  return shk_child_wait(child);
}

/* ---- of other processes ---- */

/* Reads the parent and the state of a process from /proc. Returns 0 if there is no such process. */
static pid_t parent_of(long process, char *state)
{
  char path[64];
  int parent = 0;
  snprintf(path, sizeof path, "/proc/%ld/stat", process);
  FILE *const file = fopen(path, "re");
  if (!file || fscanf(file, "%*d (%*[^)]) %c %d", state, &parent) != 2)
    parent = 0;
  if (file)
    fclose(file);
  return parent;
}

char shk_process_state(pid_t process)
{
  char state = 0;
  return parent_of(process, &state) ? state : 0;
}

/* Adds the children of a process by searching all processes. This is used on systems that do not
 * list children. */
static int search_children(pid_t parent, pid_t *found, int count, int limit)
{
  DIR *const processes = opendir("/proc");
  for (struct dirent *one; processes && (one = readdir(processes)) && count < limit;) {
    char state;
    const long number = atol(one->d_name);
    if (number > 0 && parent_of(number, &state) == parent)
      found[count++] = (pid_t)number;
  }
  if (processes)
    closedir(processes);
  return count;
}

static int add_children(pid_t parent, pid_t *found, int count, int limit)
{
  char path[64 + NAME_MAX];
  bool listed = true;
  snprintf(path, sizeof path, "/proc/%d/task", (int)parent);
  DIR *const threads = opendir(path);
  for (struct dirent *one; threads && (one = readdir(threads));) {
    int child;
    if (one->d_name[0] == '.')
      continue;
    snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)parent, one->d_name);
    FILE *const file = fopen(path, "re");
    listed = listed && (file || errno != ENOENT || kill(parent, 0) != 0);
    while (file && count < limit && fscanf(file, "%d", &child) == 1)
      found[count++] = child;
    if (file)
      fclose(file);
  }
  if (threads)
    closedir(threads);
  return listed ? count : search_children(parent, found, count, limit);
}

int shk_children(pid_t parent, pid_t *found, int limit)
{
  return add_children(parent, found, 0, limit);
}

int shk_descendants(pid_t ancestor, pid_t *found, int limit)
{
  int count = shk_children(ancestor, found, limit);
  for (int i = 0; i < count; i++)
    count = add_children(found[i], found, count, limit);
  return count;
}

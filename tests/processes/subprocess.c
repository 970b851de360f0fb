/* Child processes: what they are handed, what they are spared, how they begin and how they end. */
#include "foundation/processes/subprocess.h"
#include "foundation/clock.h"
#include "tests/kit/tap.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static struct shk_message error;

/* All that comes out of a pipe until nobody holds its other end. */
static const char *all_of(struct shk_pipe *pipe)
{
  static char text[4096];
  size_t length = 0;
  ssize_t count;
  shk_close(&pipe->write_end);
  while ((count = read(pipe->read_end, text + length, sizeof text - 1 - length)) > 0)
    length += (size_t)count;
  text[length] = '\0';
  shk_close(&pipe->read_end);
  return text;
}

/* What a command of the shell prints; its wait status in *status. */
static const char *printed(struct shk_child child, const char *command, int *status)
{
  char *words[] = {(char *)"sh", (char *)"-c", (char *)command, NULL};
  struct shk_pipe pipe;
  if (!shk_pipe_open(&pipe, &error))
    return "";
  child.out = pipe.write_end;
  const pid_t pid = shk_child_start(&child, "sh", words);
  const char *text = all_of(&pipe);
  *status = pid > 0 ? shk_child_wait(pid) : -1;
  return text;
}

static void test_descriptors(void)
{
  struct shk_pipe secret;
  char command[128];
  int status;
  shk_pipe_open(&secret, &error);
  snprintf(command, sizeof command, "for d in %d %d; do [ -e /proc/self/fd/$d ] && echo $d; done",
           secret.read_end, secret.write_end);
  tap_ok(strcmp(printed((struct shk_child){0}, command, &status), "") == 0,
         "a program gets no descriptors but the standard ones");
  const int moved = shk_descriptor_move(secret.write_end, 150);
  tap_ok(moved >= 150 && fcntl(secret.write_end, F_GETFD) < 0 &&
             fcntl(moved, F_GETFD) == FD_CLOEXEC,
         "a descriptor moves away, and still is closed for programs");
  tap_ok(shk_write_all(moved, "word", 4), "it is the same file");
  secret.write_end = moved;
  tap_ok(strcmp(all_of(&secret), "word") == 0, "which is read at the other end");
  tap_ok(secret.read_end == -1 && secret.write_end == -1, "what is closed is marked");
  shk_pipe_open(&secret, &error);
  shk_close(&secret.read_end);
  tap_ok(!shk_write_all(secret.write_end, "word", 4) && errno == EPIPE,
         "nobody reads: an error, and no signal");
  shk_pipe_close(&secret);
}

static void test_signals(void)
{
  static const char blocked[] = "exec awk '/^Sig(Blk|Ign)/ {print $2}' /proc/self/status";
  sigset_t all, old;
  int status;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, &old);
  signal(SIGTERM, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  const char *text = printed((struct shk_child){0}, blocked, &status);
  unsigned long long mask = 1, ignored = ~0ULL;
  sscanf(text, "%llx %llx", &mask, &ignored);
  const unsigned long long ours = 1ULL << (SIGTERM - 1) | 1ULL << (SIGPIPE - 1);
  tap_ok(mask == 0 && (ignored & ours) == 0, "signals are as at the start of a program: %s", text);
  signal(SIGTERM, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  sigprocmask(SIG_SETMASK, &old, NULL);
}

static void test_ends(void)
{
  char *sleeper[] = {(char *)"sleep", (char *)"60", NULL};
  char *stubborn[] = {(char *)"sh", (char *)"-c", (char *)"trap '' TERM; echo; exec sleep 60",
                      NULL};
  pid_t pid = shk_child_start(&(struct shk_child){0}, "sleep", sleeper);
  double begin = shk_seconds();
  int status = shk_child_end(pid, SIGTERM, 30);
  tap_ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM && shk_seconds() - begin < 10,
         "a signal ends it, and its end is not waited out");
  struct shk_pipe pipe;
  char byte;
  shk_pipe_open(&pipe, &error);
  pid = shk_child_start(&(struct shk_child){.out = pipe.write_end}, "sh", stubborn);
  tap_ok(read(pipe.read_end, &byte, 1) == 1, "one that ignores the signal");
  begin = shk_seconds();
  status = shk_child_end(pid, SIGTERM, 0.2);
  tap_ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && shk_seconds() - begin >= 0.2,
         "is killed when its time is over");
  shk_pipe_close(&pipe);
}

int main(void)
{
  test_descriptors();
  test_signals();
  test_ends();
  return tap_done();
}

/*
 * Tasks in subprocesses. See sandbox.h.
 *
 * The parent waits on four things at once: the answer's pipe, the output's pipe, the end of the
 * process (a pidfd) and the clock. When the process has ended the whole group is killed before its
 * leader is reaped, while its number cannot yet belong to anyone else; then what is left in the
 * pipes is read without waiting, for a process that has escaped may hold them open.
 */
#include "harness/run/sandbox.h"
#include "foundation/clock.h"
#include "foundation/files/scratch.h"
#include "foundation/memory.h"
#include "foundation/processes/fence.h"
#include "foundation/processes/subprocess.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define LIMIT_MEMORY false /* its shadow alone takes terabytes of address space */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LIMIT_MEMORY false
#endif
#endif
#ifndef LIMIT_MEMORY
#define LIMIT_MEMORY true
#endif

static const double grace_seconds = 1.0; /* between SIGTERM and SIGKILL */
static const size_t answer_limit = (size_t)1 << 30;

/* Written by the child, read by the parent after its end. */
struct shared {
  volatile sig_atomic_t out_of_memory;
};

/* What handlers of signals and of a want of memory ask for, since nobody can hand them anything: in
 * the process of a task where to leave word, and its limit; in that which waits for it the group of
 * the running task, 0 if there is none. */
static struct shared *shared;
static unsigned long limit_bytes, page_bytes;
static volatile pid_t running;

void shk_sandbox_kill(void)
{
  const pid_t group = running;
  if (group > 0)
    kill(-group, SIGKILL);
}

void shk_sandbox_clear(struct shk_sandbox_result *result)
{
  free(result->answer);
  free(result->output);
  *result = (struct shk_sandbox_result){0};
}

/* ---- in the child ---- */

static void out_of_memory(void)
{
  shared->out_of_memory = 1;
  _exit(1); /* the process of one task, not the program */
}

/* Bytes of address space in use, by calls that a signal handler may make. */
static unsigned long address_space(void)
{
  char text[64] = {0};
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return 0;
  const ssize_t count = read(file, text, sizeof text - 1);
  close(file);
  unsigned long pages = 0;
  for (ssize_t i = 0; i < count && text[i] >= '0' && text[i] <= '9'; i++)
    pages = 10 * pages + (unsigned long)(text[i] - '0');
  return pages * page_bytes;
}

/* A program that does not check what malloc returns crashes when allocation fails. Whether that is
 * why it crashed is seen from how near the limit it was. The signal then takes its usual course. */
static void crashed(int number)
{
  if (limit_bytes && address_space() > limit_bytes / 4 * 3)
    shared->out_of_memory = 1;
  signal(number, SIG_DFL);
  raise(number);
}

static void watch_crashes(void)
{
  page_bytes = (unsigned long)sysconf(_SC_PAGESIZE);
  static char stack[65536];
  const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternative, NULL);
  struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK | SA_NODEFER};
  static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
    sigaction(signals[i], &action, NULL);
}

static void limit(int resource, rlim_t value)
{
  struct rlimit old;
  if (getrlimit(resource, &old) == 0 && (old.rlim_max == RLIM_INFINITY || old.rlim_max > value))
    setrlimit(resource, &(struct rlimit){value, value});
}

static void run_task(shk_sandbox_task *task, void *user, const struct shk_limits *limits,
                     int answer)
{
  signal(SIGXFSZ, SIG_DFL);
  answer = shk_descriptor_move(answer, 200);
  limit(RLIMIT_CORE, 0);
  shk_out_of_memory = out_of_memory;
  if (LIMIT_MEMORY) {
    if (limits->megabytes > 0) {
      limit_bytes = (unsigned long)(limits->megabytes * 1048576.0);
      limit(RLIMIT_AS, limit_bytes);
    }
    watch_crashes();
  }
  task(user, answer);
  fflush(NULL); /* what was printed belongs to the record */
  _exit(0);
}

/* ---- in the parent ---- */

/* Reads what there is; false when the other end is closed. */
static bool take_answer(struct shk_sandbox_result *result, size_t *capacity, int from)
{
  for (;;) {
    if (result->answer_length + 1 >= *capacity) {
      *capacity = *capacity ? 2 * *capacity : 65536;
      result->answer = shk_reallocate(result->answer, *capacity, 1);
    }
    const ssize_t count =
        read(from, result->answer + result->answer_length, *capacity - result->answer_length - 1);
    if (count > 0)
      result->answer_length += (size_t)count;
    if (count == 0 || result->answer_length > answer_limit)
      return false;
    if (count < 0 && errno != EINTR)
      return errno == EAGAIN;
  }
}

static bool take_output(struct shk_sandbox_result *result, int from)
{
  char buffer[65536];
  for (;;) {
    const ssize_t count = read(from, buffer, sizeof buffer);
    if (count > 0) {
      size_t kept = SHK_OUTPUT_LIMIT - result->output_length;
      if (kept > (size_t)count)
        kept = (size_t)count;
      if (kept) {
        if (!result->output)
          result->output = shk_reallocate(NULL, SHK_OUTPUT_LIMIT, 1);
        memcpy(result->output + result->output_length, buffer, kept);
        result->output_length += kept;
      }
      result->output_dropped += (long)count - (long)kept;
      /* A task that prints without end must not keep us from looking at the clock. */
      return true;
    }
    if (count == 0)
      return false;
    if (errno != EINTR)
      return errno == EAGAIN;
  }
}

/* Follows the process to its end. Says whether it was stopped for its time. */
static bool follow(struct shk_sandbox_result *result, pid_t child, int process, int answer,
                   int output, int reader, double seconds)
{
  const double begin = shk_seconds();
  double deadline = seconds > 0 ? begin + seconds : INFINITY;
  bool timed_out = false;
  size_t capacity = 0;
  struct pollfd watch[] = {
      {process, POLLIN, 0}, {answer, POLLIN, 0}, {output, POLLIN, 0}, {reader, 0, 0}};
  for (;;) {
    const double left = fmax(deadline - shk_seconds(), 0);
    /* Without a pidfd look for the end every 20 ms. */
    double wait = process < 0 ? fmin(left, 0.02) : left;
    if (poll(watch, 4, isfinite(wait) ? (int)fmin(ceil(1e3 * wait), 1e6) : -1) < 0 &&
        errno != EINTR)
      kill(child, SIGKILL);
    if (watch[1].revents && !take_answer(result, &capacity, answer))
      watch[1].fd = -1;
    if (watch[2].revents && !take_output(result, output))
      watch[2].fd = -1;
    if (watch[3].revents & (POLLERR | POLLNVAL)) {
      kill(-child, SIGKILL); /* nobody waits for the answer any more */
      kill(child, SIGKILL);
      watch[3].fd = -1;
    }
    siginfo_t info = {0};
    if ((process < 0 || watch[0].revents) &&
        waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child)
      break;
    /* Last, since what has ended while we were stopped ourselves was in time. */
    if (shk_seconds() >= deadline) {
      kill(-child, timed_out ? SIGKILL : SIGTERM);
      kill(child, timed_out ? SIGKILL : SIGTERM); /* it may have left its group */
      timed_out = true;
      deadline = shk_seconds() + grace_seconds;
    }
  }
  kill(-child, SIGKILL);
  result->seconds = shk_seconds() - begin;
  if (watch[1].fd >= 0)
    take_answer(result, &capacity, answer);
  /* At most what a pipe holds, from a process that may go on writing. */
  for (int i = 0; watch[2].fd >= 0 && i < 32; i++) {
    const long before = (long)result->output_length + result->output_dropped;
    if (!take_output(result, output) ||
        (long)result->output_length + result->output_dropped == before)
      break;
  }
  return timed_out;
}

/* Ends what the task has left behind outside of its group. Orphans become children of the process
 * that adopts; those that are ended may leave orphans in turn. */
static void end_strays(void)
{
  const pid_t here = getpid();
  for (int round = 0; round < 1000; round++) {
    pid_t ended;
    while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
      continue;
    if (ended < 0)
      return; /* no child is left, as usual */
    shk_children_kill(here);
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
}

bool shk_sandbox_adopt(void)
{
  return prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL) == 0;
}

static bool adopts_orphans(void)
{
  int adopts = 0;
  return prctl(PR_GET_CHILD_SUBREAPER, &adopts, 0UL, 0UL, 0UL) == 0 && adopts != 0;
}

static void conclude(struct shk_sandbox_result *result, int status, bool timed_out)
{
  const bool whole = result->answer_length > 0 && result->answer[result->answer_length - 1] == '\n';
  if (timed_out) {
    result->end = SHK_END_TIMED_OUT;
  } else if (shared->out_of_memory) {
    result->end = SHK_END_OUT_OF_MEMORY;
  } else if (WIFSIGNALED(status)) {
    result->end = SHK_END_CRASHED;
    result->end_detail = WTERMSIG(status);
  } else if (WEXITSTATUS(status) == 0 && whole) {
    result->end = SHK_END_FINISHED;
    result->answer[result->answer_length] = '\0';
    return;
  } else {
    result->end = SHK_END_EXITED;
    result->end_detail = WEXITSTATUS(status);
  }
  free(result->answer);
  result->answer = NULL;
  result->answer_length = 0;
}

/* Makes the memory that a task's process shares with this one, and clears it. */
static bool share(struct shk_message *error)
{
  if (!shared) {
    void *page =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
      shk_message_set(error, "cannot share memory with a process: %s", strerror(errno));
      return false;
    }
    shared = page;
  }
  shared->out_of_memory = 0;
  return true;
}

bool shk_sandbox_run(struct shk_sandbox_result *result, shk_sandbox_task *task, void *user,
                     const struct shk_limits *limits, int reader, struct shk_message *error)
{
  *result = (struct shk_sandbox_result){0};
  struct shk_pipe answer = SHK_NO_PIPE, output = SHK_NO_PIPE;
  if (!share(error))
    return false;
  pid_t child = -1;
  if (shk_pipe_open(&answer, error) && shk_pipe_open(&output, error))
    child = shk_child_fork(&(struct shk_child){.in = SHK_NOTHING,
                                               .out = output.write_end,
                                               .error = output.write_end,
                                               .own_group = true},
                           error);
  if (child == 0)
    run_task(task, user, limits, answer.write_end);
  if (child > 0) {
    running = child;
    shk_close(&answer.write_end);
    shk_close(&output.write_end);
    fcntl(answer.read_end, F_SETFL, O_NONBLOCK);
    fcntl(output.read_end, F_SETFL, O_NONBLOCK);
    int process = pidfd_open(child, 0);
    const bool timed_out =
        follow(result, child, process, answer.read_end, output.read_end, reader, limits->seconds);
    const int status = shk_child_wait(child);
    running = 0;
    if (adopts_orphans())
      end_strays();
    conclude(result, status, timed_out);
    shk_close(&process);
  }
  shk_pipe_close(&answer);
  shk_pipe_close(&output);
  return child > 0;
}

struct inside {
  shk_sandbox_task *task;
  void *user;
  char *temporary;
};

static void run_inside(void *user, int answer)
{
  const struct inside *const inside = user;
  shk_fence_in(inside->temporary);
  inside->task(inside->user, answer);
}

bool shk_sandbox_ask(void *answer, size_t size, shk_sandbox_task *task, void *user, double seconds,
                     struct shk_message *reason)
{
  struct shk_sandbox_result result;
  const struct shk_limits limits = {.seconds = seconds};
  struct inside inside = {task, user, shk_scratch_make()};
  const bool ran = shk_sandbox_run(&result, run_inside, &inside, &limits, -1, reason);
  shk_scratch_remove(inside.temporary);
  free(inside.temporary);
  if (!ran)
    return false;
  const bool whole = result.end == SHK_END_FINISHED && result.answer_length == size + 1;
  if (whole) {
    memcpy(answer, result.answer, size);
  } else {
    const struct shk_record record = {.end = result.end == SHK_END_FINISHED ? SHK_END_EXITED
                                                                            : result.end,
                                      .end_detail = result.end_detail,
                                      .limit_seconds = seconds};
    shk_record_reason(reason->text, sizeof reason->text, &record);
  }
  if (result.output_length > 0)
    fwrite(result.output, 1, result.output_length, stderr);
  shk_sandbox_clear(&result);
  return whole;
}

void shk_sandbox_answer(int descriptor, const void *answer, size_t size)
{
  if (shk_write_all(descriptor, answer, size))
    shk_write_all(descriptor, "\n", 1);
}

/*
 * Tasks in subprocesses. See sandbox.h.
 *
 * A fork costs more than a small cell: one process runs several tasks where their user allows it,
 * each begun only when the answer of the one before was taken, so that time, memory and what is
 * printed are counted for each. If it fails behind others it is run again in a process of its own,
 * and that counts.
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
#include "results/record/frame.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
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
static const double longest_wait = 1.0;  /* between two looks at the clock */
static const size_t answer_limit = (size_t)1 << 30;

/* Written by the child, read by the parent after its end. */
struct shared {
  volatile sig_atomic_t out_of_memory;
};

/* What handlers of signals and of a want of memory ask for, since nobody can hand them anything: in
 * the process of a task where to leave word, and its limit; in that which waits for it the group of
 * the running task, 0 if there is none. */
static struct shared *shared;
static unsigned long limit_bytes, bytes_at_fork, page_bytes;
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
  if (limit_bytes && address_space() > bytes_at_fork + limit_bytes / 4 * 3)
    shared->out_of_memory = 1;
  signal(number, SIG_DFL);
  raise(number);
}

static void watch_crashes(void)
{
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

/* Tasks that run one after the other in one process, as long as none breaks it. */
struct tasks {
  shk_sandbox_numbered_task *run;
  void *user;
  int count;
};

/* Behind an answer: what was printed has been written, and the next is waited for. */
static const char all_said = '\n';

static void run_tasks(const struct tasks *tasks, int first, const struct shk_limits *limits,
                      int answer, int go)
{
  prctl(PR_SET_NAME, "shk-cell");
  signal(SIGXFSZ, SIG_DFL);
  answer = shk_descriptor_move(answer, 200);
  go = shk_descriptor_move(go, 200);
  limit(RLIMIT_CORE, 0);
  shk_out_of_memory = out_of_memory;
  page_bytes = (unsigned long)sysconf(_SC_PAGESIZE);
  if (LIMIT_MEMORY) {
    if (limits->megabytes > 0) {
      limit_bytes = (unsigned long)(limits->megabytes * 1048576.0);
      bytes_at_fork = address_space();
      limit(RLIMIT_AS, bytes_at_fork + limit_bytes);
    }
    watch_crashes();
  }
  for (int i = first; i < tasks->count; i++) {
    eventfd_t told;
    if (i > first && (!shk_write_all(answer, &all_said, 1) || eventfd_read(go, &told) != 0))
      _exit(1);
    tasks->run(tasks->user, i, answer);
    fflush(NULL); /* what was printed belongs to the record */
  }
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

/* The process of tasks, seen from outside. */
struct process {
  pid_t child;
  int number, go; /* a pidfd, -1: the system has none; by which the next task is begun */
  struct shk_pipe answer, output;
  double begun; /* the present task */
};

/* Reads what there is of the output; at most what a pipe holds, from a process that may go on
 * writing. */
static void drain_output(struct shk_sandbox_result *result, int from)
{
  for (int i = 0; i < 32; i++) {
    const long before = (long)result->output_length + result->output_dropped;
    if (!take_output(result, from) ||
        (long)result->output_length + result->output_dropped == before)
      break;
  }
}

/* Whether the first bytes of what has arrived are a message. */
static bool is_whole(const struct shk_sandbox_result *result, size_t length)
{
  const size_t message = shk_frame_length(result->answer, result->answer_length);
  return message > 0 && length == message;
}

/* Whether the task has answered, and its process waits for the next. */
static bool has_answered(const struct shk_sandbox_result *result)
{
  const size_t length = result->answer_length;
  return length > 1 && result->answer[length - 1] == all_said && is_whole(result, length - 1);
}

enum outcome { ENDED, TIMED_OUT, ANSWERED };

/* Follows a task to its end, which is that of its process unless that `waits` for the next. */
static enum outcome follow(struct shk_sandbox_result *result, const struct process *process,
                           int reader, double seconds, bool waits)
{
  const double begin = process->begun;
  const pid_t child = process->child;
  double deadline = seconds > 0 ? begin + seconds : INFINITY, last = begin;
  bool timed_out = false;
  size_t capacity = 0;
  struct pollfd watch[] = {{process->number, POLLIN, 0},
                           {process->answer.read_end, POLLIN, 0},
                           {process->output.read_end, POLLIN, 0},
                           {reader, 0, 0}};
  for (;;) {
    const double left = fmax(deadline - shk_seconds(), 0);
    /* Without a pidfd look for the end every 20 ms. */
    const double wait = fmin(left, process->number < 0 ? 0.02 : longest_wait);
    if (poll(watch, 4, (int)ceil(1e3 * wait)) < 0 && errno != EINTR)
      kill(child, SIGKILL);
    /* A longer gap means that we were suspended: what the task has to say may not be read yet. */
    const double time = shk_seconds();
    deadline += fmax(time - last - 2 * longest_wait, 0);
    last = time;
    if (watch[1].revents && !take_answer(result, &capacity, watch[1].fd))
      watch[1].fd = -1;
    if (watch[2].revents && !take_output(result, watch[2].fd))
      watch[2].fd = -1;
    if (watch[3].revents & (POLLERR | POLLNVAL)) {
      kill(-child, SIGKILL); /* nobody waits for the answer any more */
      kill(child, SIGKILL);
      watch[3].fd = -1;
    }
    siginfo_t info = {0};
    if ((process->number < 0 || watch[0].revents) &&
        waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child)
      break;
    if (waits && !timed_out && has_answered(result)) {
      result->seconds = shk_seconds() - begin;
      if (watch[2].fd >= 0)
        drain_output(result, watch[2].fd);
      return ANSWERED;
    }
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
    take_answer(result, &capacity, watch[1].fd);
  if (watch[2].fd >= 0)
    drain_output(result, watch[2].fd);
  return timed_out ? TIMED_OUT : ENDED;
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

static void conclude(struct shk_sandbox_result *result, int status, enum outcome outcome)
{
  if (outcome == ANSWERED || has_answered(result))
    result->answer_length--; /* not of the answer */
  const bool whole = is_whole(result, result->answer_length);
  if (outcome == TIMED_OUT) {
    result->end = SHK_END_TIMED_OUT;
  } else if (shared->out_of_memory) {
    result->end = SHK_END_OUT_OF_MEMORY;
  } else if (WIFSIGNALED(status)) {
    result->end = SHK_END_CRASHED;
    result->end_detail = WTERMSIG(status);
  } else if (WEXITSTATUS(status) == 0 && whole) {
    result->end = SHK_END_FINISHED;
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

static void close_all(struct process *process)
{
  shk_close(&process->number);
  shk_close(&process->go);
  shk_pipe_close(&process->answer);
  shk_pipe_close(&process->output);
}

static bool start(struct process *process, const struct tasks *tasks, int first,
                  const struct shk_limits *limits, struct shk_message *error)
{
  *process = (struct process){-1, -1, -1, SHK_NO_PIPE, SHK_NO_PIPE, 0};
  if (!share(error))
    return false;
  process->go = tasks->count > 1 ? eventfd(0, EFD_CLOEXEC) : -1;
  if (process->go < 0 && tasks->count > 1)
    shk_message_set(error, "cannot talk to a process: %s", strerror(errno));
  else if (shk_pipe_open(&process->answer, error) && shk_pipe_open(&process->output, error))
    process->child = shk_child_fork(&(struct shk_child){.in = SHK_NOTHING,
                                                        .out = process->output.write_end,
                                                        .error = process->output.write_end,
                                                        .own_group = true},
                                    error);
  if (process->child == 0)
    run_tasks(tasks, first, limits, process->answer.write_end, process->go);
  if (process->child < 0) {
    close_all(process);
    return false;
  }
  running = process->child;
  process->begun = shk_seconds();
  shk_close(&process->answer.write_end);
  shk_close(&process->output.write_end);
  fcntl(process->answer.read_end, F_SETFL, O_NONBLOCK);
  fcntl(process->output.read_end, F_SETFL, O_NONBLOCK);
  process->number = pidfd_open(process->child, 0);
  return true;
}

/* Returns how the process ended. */
static int reap(struct process *process)
{
  kill(-process->child, SIGKILL);
  const int status = shk_child_wait(process->child);
  running = 0;
  if (adopts_orphans())
    end_strays();
  close_all(process);
  return status;
}

/* What befell a task behind others may be their doing, or that they have left it less memory. Not
 * again what took long: whoever waits for an answer counts on the limit. */
static bool is_doubtful(const struct shk_sandbox_result *result)
{
  return result->end != SHK_END_FINISHED && result->end != SHK_END_TIMED_OUT &&
         result->seconds < grace_seconds;
}

/* Tasks from the first on, until all are done or their process has ended. Returns the first that is
 * not done. */
static int run_some(struct process *process, const struct tasks *tasks, shk_sandbox_done *done,
                    int first, const struct shk_limits *limits, int reader)
{
  for (int i = first;;) {
    struct shk_sandbox_result result = {0};
    const bool is_last = i + 1 == tasks->count;
    const enum outcome outcome = follow(&result, process, reader, limits->seconds, !is_last);
    const bool waits = outcome == ANSWERED;
    conclude(&result, waits ? 0 : reap(process), outcome);
    const bool stands = i == first || !is_doubtful(&result);
    if (stands)
      done(tasks->user, i, &result, i == first);
    shk_sandbox_clear(&result);
    i += stands;
    if (waits && stands) {
      shared->out_of_memory = 0;
      process->begun = shk_seconds();
      eventfd_write(process->go, 1);
      continue;
    }
    if (waits)
      reap(process);
    return i;
  }
}

bool shk_sandbox_run_all(shk_sandbox_numbered_task *task, shk_sandbox_done *done, void *user,
                         int count, const struct shk_limits *limits, int reader,
                         struct shk_message *error)
{
  const struct tasks tasks = {task, user, count};
  for (int next = 0; next < count;) {
    struct process process;
    if (!start(&process, &tasks, next, limits, error))
      return false;
    next = run_some(&process, &tasks, done, next, limits, reader);
  }
  return true;
}

struct single {
  shk_sandbox_task *task;
  void *user;
  struct shk_sandbox_result *result;
};

static void run_single(void *user, int number, int answer)
{
  const struct single *const single = user;
  (void)number;
  single->task(single->user, answer);
}

static void take_single(void *user, int number, struct shk_sandbox_result *result, bool is_first)
{
  const struct single *const single = user;
  (void)number;
  (void)is_first;
  *single->result = *result;
  *result = (struct shk_sandbox_result){0};
}

bool shk_sandbox_run(struct shk_sandbox_result *result, shk_sandbox_task *task, void *user,
                     const struct shk_limits *limits, int reader, struct shk_message *error)
{
  struct single single = {task, user, result};
  *result = (struct shk_sandbox_result){0};
  return shk_sandbox_run_all(run_single, take_single, &single, 1, limits, reader, error);
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
  struct shk_stream s = shk_frame_open(result.answer, result.answer_length);
  if (result.end == SHK_END_FINISHED)
    shk_pass_bytes(&s, answer, size);
  const bool whole = result.end == SHK_END_FINISHED && shk_frame_done(&s);
  if (!whole) {
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
  struct shk_stream s = shk_frame_begin();
  shk_pass_bytes(&s, (void *)answer, size);
  const size_t length = shk_frame_end(&s);
  shk_write_all(descriptor, (const char *)s.bytes, length);
  free(s.bytes);
}

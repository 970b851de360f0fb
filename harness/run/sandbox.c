/*
 * Tasks in subprocesses. See sandbox.h.
 *
 * A fork costs more than a small cell. One process therefore runs all tasks, and writes their
 * answers one after the other. If it prints, the task whose answer is awaited is run again alone,
 * and the later ones in a new process, since the output may be that of a later one.
 *
 * The parent waits at once for the answers' pipe, the output's pipe, the end of the process (a
 * pidfd) and the clock. When the process has ended, its group is killed before the leader is
 * reaped, while the process id cannot have been reused. The rest of the pipes is then read without
 * waiting: a process that has left the group may hold them open.
 */
#include "harness/run/sandbox.h"
#include "foundation/clock.h"
#include "foundation/memory.h"
#include "foundation/processes/environment.h"
#include "foundation/processes/subprocess.h"
#include "results/record/frame.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Not NULL in a program with the address sanitizer, whose shadow memory takes terabytes of address
 * space. */
extern void __asan_init(void) __attribute__((weak));

static const double grace_seconds = 1.0; /* between SIGTERM and SIGKILL */
static const double longest_wait = 1.0;  /* between two polls */
static const double census_wait = 0.004; /* between two counts of the processes of user code */

/* Global because signal handlers and shk_out_of_memory take no arguments. */
static volatile sig_atomic_t *out_of_memory; /* flag; shared with the process of a task */
static size_t limit_bytes;     /* in the process of a task: its memory limit; 0: none */
static volatile pid_t running; /* in the parent: process group of the task; 0: none */
static bool adopts;            /* orphans of tasks become children of this process */

void shk_sandbox_kill(void)
{
  const pid_t group = running;
  if (group > 0)
    kill(-group, SIGKILL);
}

/* ---- in the child ---- */

static void end_without_memory(void)
{
  *out_of_memory = 1;
  _exit(1); /* ends the process of the task, not the program */
}

/* Returns the bytes of address space in use; 0 if unknown. */
static size_t address_space(void)
{
  unsigned long pages = 0;
  FILE *const file = fopen("/proc/self/statm", "re");
  if (file && fscanf(file, "%lu", &pages) != 1)
    pages = 0;
  if (file)
    fclose(file);
  return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* Handles a crash. Code that does not check the result of malloc crashes when allocation fails: a
 * crash with less than a quarter of the limit left is recorded as out of memory. */
static void note_crash(int number)
{
  const int kind = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (limit_bytes && mmap(NULL, limit_bytes / 4, PROT_NONE, kind, -1, 0) == MAP_FAILED)
    *out_of_memory = 1;
  shk_environment_show();
  signal(number, SIG_DFL);
  raise(number);
}

static void set_limit(int resource, rlim_t value)
{
  struct rlimit old;
  if (getrlimit(resource, &old) == 0 && (old.rlim_max == RLIM_INFINITY || old.rlim_max > value))
    setrlimit(resource, &(struct rlimit){value, value});
}

static void limit_memory(double megabytes)
{
  static char stack[65536];
  static const int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};
  const stack_t alternative = {.ss_sp = stack, .ss_size = sizeof stack};
  struct sigaction action = {.sa_handler = note_crash, .sa_flags = SA_ONSTACK | SA_NODEFER};
  shk_out_of_memory = end_without_memory;
  if (__asan_init)
    return;
  limit_bytes = (size_t)(megabytes * 1048576.0);
  if (limit_bytes)
    set_limit(RLIMIT_AS, address_space() + limit_bytes);
  sigaltstack(&alternative, NULL);
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
    sigaction(signals[i], &action, NULL);
}

/* Runs tasks first … end - 1. */
static _Noreturn void run_tasks(const struct shk_tasks *tasks, int first, int end, int answers)
{
  prctl(PR_SET_NAME, "shk-cell");
  signal(SIGXFSZ, SIG_DFL);
  setvbuf(stdout, NULL, _IOLBF, 0); /* so that what a crash prints last is the last */
  answers = shk_descriptor_move(answers, 200);
  set_limit(RLIMIT_CORE, 0);
  limit_memory(tasks->megabytes);
  for (int i = first; i < end; i++) {
    size_t size;
    char *const answer = tasks->run(tasks->user, i, &size);
    fflush(NULL); /* output must reach the parent before the answer */
    if (!answer || !shk_write_all(answers, answer, size))
      _exit(1);
    free(answer);
  }
  _exit(0);
}

/* ---- in the parent ---- */

/* The process of tasks, in its parent. */
struct process {
  pid_t child;
  int number; /* a pidfd; -1: the system has none */
  struct shk_pipe answers, output;
  struct shk_inbox inbox; /* answers that have arrived */
  double begun;           /* start of the present task */
};

/* True if a read, which returned `count`, got data. Sets the descriptor to -1 at the end of the
 * data or after an error. */
static bool has_read(ssize_t count, int *from)
{
  if (count == 0 || (count < 0 && errno != EINTR && errno != EAGAIN))
    *from = -1;
  return count > 0;
}

static bool read_answers(struct process *process, int *from)
{
  return *from >= 0 && has_read(shk_inbox_read(&process->inbox, *from), from);
}

static bool read_output(struct shk_sandbox_result *result, int *from)
{
  char buffer[65536];
  const ssize_t count = *from >= 0 ? read(*from, buffer, sizeof buffer) : 0;
  if (!has_read(count, from))
    return false;
  size_t kept = SHK_OUTPUT_LIMIT - result->output_length;
  if (kept > (size_t)count)
    kept = (size_t)count;
  if (!result->output)
    result->output = shk_allocate(SHK_OUTPUT_LIMIT, 1);
  memcpy(result->output + result->output_length, buffer, kept);
  result->output_length += kept;
  result->record.output_dropped += (long)count - (long)kept;
  return true;
}

/* Reads the available output, at most 32 buffers since the process may continue to write. */
static void drain_output(struct shk_sandbox_result *result, int *from)
{
  for (int i = 0; i < 32 && read_output(result, from); i++)
    continue;
}

static bool has_ended(const struct process *process)
{
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)process->child, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == process->child;
}

/* Signals the group, and the process itself, which may have left the group. */
static void send_signal(const struct process *process, int number)
{
  kill(-process->child, number);
  kill(process->child, number);
}

enum outcome { ENDED, TIMED_OUT, CROWDED, ANSWERED };

enum { MOST_COUNTED = 4096 };

/* Limits of processes do not bind root, as which containers and CI run: the processes of a task are
 * counted here instead. Those that it has left are children of this process if it adopts them. */
static pid_t census_root(const struct process *process)
{
  return adopts ? getpid() : process->child;
}

/* Processes that have ended and were not waited for do not count. Their states are asked for only
 * where there are too many. */
static bool is_crowded(const struct process *process)
{
  static pid_t found[MOST_COUNTED];
  const int count = shk_descendants(census_root(process), found, MOST_COUNTED);
  int alive = 0;
  for (int i = 0; i < count && count > SHK_MOST_PROCESSES && alive <= SHK_MOST_PROCESSES; i++) {
    const char state = shk_process_state(found[i]);
    alive += state != 0 && state != 'Z';
  }
  return alive > SHK_MOST_PROCESSES;
}

/* Stops all descendants until no new one appears, and then kills them: a process that is killed first
 * would leave its place to others. */
static void end_crowd(const struct process *process)
{
  static pid_t found[MOST_COUNTED];
  int before = -1, count = 0;
  for (int round = 0; round < 1000 && count != before; round++) {
    before = count;
    count = shk_descendants(census_root(process), found, MOST_COUNTED);
    for (int i = 0; i < count; i++)
      kill(found[i], SIGSTOP);
  }
  for (int i = 0; i < count; i++)
    kill(found[i], SIGKILL);
  kill(process->child, SIGKILL);
}

/* Waits for the answer of a task; for the last task of a process, until the process ends. */
static enum outcome follow_task(struct shk_sandbox_result *result, struct process *process,
                                const struct shk_tasks *tasks, bool is_last)
{
  const double seconds = tasks->seconds;
  double deadline = seconds > 0 ? process->begun + seconds : INFINITY, last = process->begun;
  double census = tasks->counted ? last + census_wait : INFINITY;
  enum outcome outcome = ENDED;
  struct pollfd watch[] = {{process->number, POLLIN, 0},
                           {process->answers.read_end, POLLIN, 0},
                           {process->output.read_end, POLLIN, 0},
                           {tasks->reader, 0, 0}};
  for (;;) {
    if (!is_last && outcome == ENDED &&
        (result->answer = shk_inbox_take(&process->inbox, &result->answer_length))) {
      drain_output(result, &watch[2].fd);
      return ANSWERED;
    }
    /* Without a pidfd, poll for the end every 20 ms. */
    const double wait = fmin(fmax(fmin(deadline, census) - shk_seconds(), 0),
                             process->number < 0 ? 0.02 : longest_wait);
    if (poll(watch, 4, (int)ceil(1e3 * wait)) < 0 && errno != EINTR)
      kill(process->child, SIGKILL);
    if (shk_seconds() >= census) {
      census = shk_seconds() + census_wait;
      if (is_crowded(process)) {
        end_crowd(process);
        outcome = CROWDED;
        census = INFINITY;
      }
    }
    /* A gap above 2 s means that this process was suspended: move the deadline by the excess. */
    const double time = shk_seconds();
    deadline += fmax(time - last - 2 * longest_wait, 0);
    last = time;
    const bool answers = watch[1].revents && read_answers(process, &watch[1].fd);
    if (watch[2].revents)
      read_output(result, &watch[2].fd); /* once, so that endless output cannot defer the limit */
    if (watch[3].revents & (POLLERR | POLLNVAL)) {
      send_signal(process, SIGKILL); /* the answer has no reader any more */
      watch[3].fd = -1;
    }
    if (answers)
      continue;
    if ((process->number < 0 || watch[0].revents) && has_ended(process))
      break;
    /* Checked last: a task that ended while this process was suspended was in time. */
    if (shk_seconds() >= deadline) {
      send_signal(process, outcome == TIMED_OUT ? SIGKILL : SIGTERM);
      outcome = TIMED_OUT;
      deadline = shk_seconds() + grace_seconds;
    }
  }
  kill(-process->child, SIGKILL);
  while (read_answers(process, &watch[1].fd))
    continue;
  drain_output(result, &watch[2].fd);
  result->answer = shk_inbox_take(&process->inbox, &result->answer_length);
  return outcome;
}

/* Kills descendants of the task outside of its group, which are children of this process once their
 * parents have ended (shk_sandbox_adopt). Several rounds, since killing may leave new orphans. */
static void end_strays(void)
{
  const pid_t here = getpid();
  for (int round = 0; round < 1000; round++) {
    pid_t ended;
    while ((ended = waitpid(-1, NULL, WNOHANG)) > 0)
      continue;
    if (ended < 0)
      return; /* the usual case: no child is left */
    shk_children_kill(here);
    nanosleep(&(struct timespec){0, 1000000}, NULL);
  }
}

bool shk_sandbox_adopt(void)
{
  return adopts = prctl(PR_SET_CHILD_SUBREAPER, 1UL, 0UL, 0UL, 0UL) == 0;
}

void shk_sandbox_go_first(void)
{
  sched_setscheduler(0, SCHED_RR | SCHED_RESET_ON_FORK, &(struct sched_param){.sched_priority = 1});
}

void shk_ended_with(struct shk_record *record, int status)
{
  record->end = WIFSIGNALED(status) ? SHK_END_CRASHED : SHK_END_EXITED;
  record->end_detail = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

/* Sets the end of a task from its process' end. Frees the answer unless the task finished. */
static void conclude_task(struct shk_sandbox_result *result, const struct process *process,
                          int status, enum outcome outcome)
{
  if (outcome == TIMED_OUT) {
    result->record.end = SHK_END_TIMED_OUT;
  } else if (outcome == CROWDED) {
    result->record.end = SHK_END_CRASHED;
    result->record.end_detail = SHK_CROWDED;
  } else if (*out_of_memory) {
    result->record.end = SHK_END_OUT_OF_MEMORY;
  } else if (status == 0 && result->answer && process->inbox.length == 0) {
    return;
  } else {
    shk_ended_with(&result->record, status);
  }
  free(result->answer);
  result->answer = NULL;
  result->answer_length = 0;
}

static void clear_process(struct process *process)
{
  shk_close(&process->number);
  shk_pipe_close(&process->answers);
  shk_pipe_close(&process->output);
  free(process->inbox.buffer);
}

void *shk_share(size_t size)
{
  void *const page = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    shk_out_of_memory();
  return page;
}

static bool start_tasks(struct process *process, const struct shk_tasks *tasks, int first, int end,
                        struct shk_message *error)
{
  *process =
      (struct process){.child = -1, .number = -1, .answers = SHK_NO_PIPE, .output = SHK_NO_PIPE};
  if (!out_of_memory)
    out_of_memory = shk_share(sizeof *out_of_memory);
  *out_of_memory = 0;
  if (shk_pipe_open(&process->answers, error) && shk_pipe_open(&process->output, error))
    process->child = shk_child_fork(&(struct shk_child){.in = SHK_NOTHING,
                                                        .out = process->output.write_end,
                                                        .error = process->output.write_end,
                                                        .own_group = true},
                                    error);
  if (process->child == 0)
    run_tasks(tasks, first, end, process->answers.write_end);
  if (process->child < 0) {
    clear_process(process);
    return false;
  }
  running = process->child;
  process->begun = shk_seconds();
  shk_close(&process->answers.write_end);
  shk_close(&process->output.write_end);
  fcntl(process->answers.read_end, F_SETFL, O_NONBLOCK);
  fcntl(process->output.read_end, F_SETFL, O_NONBLOCK);
  process->number = pidfd_open(process->child, 0);
  return true;
}

/* Reaps the process and kills its group. Returns the wait status. */
static int reap_tasks(struct process *process)
{
  kill(-process->child, SIGKILL);
  const int status = shk_child_wait(process->child);
  running = 0;
  if (adopts)
    end_strays();
  return status;
}

/* True if a task that shared a process must be run again alone: other tasks may have printed, made
 * it fail or left it less memory. A failure without output by a timeout, or after 1 s, stands:
 * callers rely on the time limit. */
static bool is_doubtful(const struct shk_sandbox_result *result)
{
  return result->output_length > 0 ||
         (result->record.end != SHK_END_FINISHED && result->record.end != SHK_END_TIMED_OUT &&
          result->record.seconds < grace_seconds);
}

/* Takes the results of tasks first … end - 1 until their process ends. Returns the first task not
 * done; *alone: that task needs a process of its own. */
static int run_some(struct process *process, const struct shk_tasks *tasks, int first, int end,
                    bool *alone)
{
  enum outcome outcome = ANSWERED;
  int i = first;
  *alone = false;
  while (i < end && outcome == ANSWERED && !*alone) {
    struct shk_sandbox_result result = {.record = {.end = SHK_END_FINISHED,
                                                   .limit_seconds = tasks->seconds,
                                                   .limit_megabytes = tasks->megabytes}};
    outcome = follow_task(&result, process, tasks, i + 1 == end);
    result.record.seconds = shk_seconds() - process->begun;
    if (outcome != ANSWERED)
      conclude_task(&result, process, reap_tasks(process), outcome);
    process->begun = shk_seconds();
    *alone = end - first > 1 && is_doubtful(&result);
    if (!*alone)
      tasks->done(tasks->user, i++, &result);
    free(result.answer);
    free(result.output);
  }
  if (outcome == ANSWERED)
    reap_tasks(process);
  clear_process(process);
  return i;
}

bool shk_sandbox_run(const struct shk_tasks *tasks, struct shk_message *error)
{
  bool alone = false;
  for (int next = 0; next < tasks->count;) {
    struct process process;
    const int end = alone ? next + 1 : tasks->count;
    if (!start_tasks(&process, tasks, next, end, error))
      return false;
    next = run_some(&process, tasks, next, end, &alone);
  }
  return true;
}

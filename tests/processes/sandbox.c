/*
 * Several tasks in one process: each has its own answer, output and limits, and one that crashes,
 * hangs, exits or takes too much memory is the only one that is blamed.
 */
#include "harness/run/sandbox.h"
#include "foundation/memory.h"
#include "foundation/processes/subprocess.h"
#include "results/record/frame.h"
#include "tests/kit/tap.h"

#include <signal.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { TASKS = 7, MIDDLE = 3 };

enum act {
  WELL,
  ABORT,
  LOOP,
  MEMORY,     /* asked for as the program's small things are */
  MEMORY_ANY, /* by what does not look at what it gets */
  MUTE,
  FRAGILE, /* crashes behind another, and is well by itself */
  PRINT,
  LAST_ACT
};
static const char *const names[LAST_ACT] = {"is well",
                                            "aborts",
                                            "loops without end",
                                            "takes all memory",
                                            "takes all memory and does not notice",
                                            "says nothing",
                                            "crashes behind others only",
                                            "prints"};

struct heard {
  enum shk_end end;
  int detail, times;
  pid_t process;
  char output[64];
};

struct tasks {
  enum act act;
  struct heard heard[TASKS];
};

static int done_here; /* tasks that this process has run */

static void misbehave(enum act act)
{
  switch (act) {
  case ABORT:
    abort();
  case LOOP:
    for (;;)
      nanosleep(&(struct timespec){0, 1000000}, NULL);
  case MEMORY:
    for (;;)
      memset(shk_allocate(1, (size_t)1 << 24), 1, (size_t)1 << 24);
  case MEMORY_ANY:
    for (;;)
      memset(malloc((size_t)1 << 24), 1, (size_t)1 << 24);
  case FRAGILE:
    if (done_here > 0)
      abort();
    break;
  default:
    break;
  }
}

static void *task(void *user, int number, size_t *size)
{
  const struct tasks *const tasks = user;
  if (number == MIDDLE && tasks->act == PRINT) {
    printf("task %d speaks", number); /* into a buffer */
    fprintf(stderr, "!");
  }
  if (number == MIDDLE)
    misbehave(tasks->act);
  if (number == MIDDLE && tasks->act == MUTE)
    _exit(0);
  int said[2] = {number, (int)getpid()};
  struct shk_stream s = shk_frame_begin();
  shk_pass_bytes(&s, said, sizeof said);
  *size = shk_frame_end(&s);
  done_here++;
  return s.bytes;
}

static void done(void *user, int number, struct shk_sandbox_result *result)
{
  struct tasks *const tasks = user;
  struct heard *const heard = &tasks->heard[number];
  int said[2] = {-1, 0};
  heard->times++;
  heard->end = result->record.end;
  heard->detail = result->record.end_detail;
  snprintf(heard->output, sizeof heard->output, "%.*s", (int)result->output_length,
           result->output ? result->output : "");
  struct shk_stream s = shk_frame_open(result->answer, result->answer_length);
  if (result->record.end == SHK_END_FINISHED)
    shk_pass_bytes(&s, said, sizeof said);
  if (shk_frame_done(&s) && said[0] == number)
    heard->process = said[1];
}

static bool is_well(const struct tasks *tasks, int number)
{
  const struct heard *const heard = &tasks->heard[number];
  const bool well = heard->times == 1 && heard->end == SHK_END_FINISHED && heard->process != 0 &&
                    heard->output[0] == '\0';
  if (!well)
    tap_diag("task %d: told of %d times, end %d (%d), '%s'", number, heard->times, heard->end,
             heard->detail, heard->output);
  return well;
}

/* The task in the middle does something, which ends so. */
static void batch(enum act act, enum shk_end end, int detail)
{
  struct tasks tasks = {.act = act};
  const struct shk_tasks all = {task, done, &tasks, TASKS, -1, act == LOOP ? 0.3 : 30, 256};
  struct shk_message error = {""};
  const bool ran = shk_sandbox_run(&all, &error);
  int well = 0, processes = 1;
  for (int i = 0; ran && i < TASKS; i++) {
    well += i != MIDDLE && is_well(&tasks, i);
    processes += i > 0 && i != MIDDLE &&
                 tasks.heard[i].process != tasks.heard[i == MIDDLE + 1 ? i - 2 : i - 1].process;
  }
  const struct heard *const heard = &tasks.heard[MIDDLE];
  tap_ok(ran && heard->end == end && heard->detail == detail && heard->times == 1,
         "a task that %s ends so: %s (%d) %s", names[act], shk_end_names[heard->end], heard->detail,
         error.text);
  tap_is_text(heard->output, act == PRINT ? "!task 3 speaks" : "", "... with its output");
  tap_ok(well == TASKS - 1, "none of the others has noticed: %d", well);
  /* It was alone before it was blamed. One may have printed before the answer of the one before it
   * was read, which is then run again, too. */
  const bool alone =
      heard->process != tasks.heard[0].process && heard->process != tasks.heard[TASKS - 1].process;
  tap_ok(act == PRINT ? alone : processes == 1 + (act != WELL) && alone == (act != WELL),
         "the others in %d processes", processes);
}

static void reader_gone(void)
{
  int ends[2];
  struct tasks tasks = {.act = LOOP};
  struct shk_message error = {""};
  if (pipe(ends) != 0)
    abort();
  const struct shk_tasks all = {task, done, &tasks, TASKS, ends[1], 30, 0};
  close(ends[0]);
  const time_t began = time(NULL);
  const bool ran = shk_sandbox_run(&all, &error);
  tap_ok(ran && time(NULL) - began < 10, "nothing is waited for if nobody reads %s", error.text);
  close(ends[1]);
}

int main(void)
{
  batch(WELL, SHK_END_FINISHED, 0);
#if !defined(__SANITIZE_ADDRESS__) /* which turns these into exits of its own */
  batch(MEMORY, SHK_END_OUT_OF_MEMORY, 0);
  batch(MEMORY_ANY, SHK_END_OUT_OF_MEMORY, 0);
#endif
  batch(ABORT, SHK_END_CRASHED, SIGABRT);
  batch(LOOP, SHK_END_TIMED_OUT, 0);
  batch(MUTE, SHK_END_EXITED, 0);
  batch(FRAGILE, SHK_END_FINISHED, 0);
  batch(PRINT, SHK_END_FINISHED, 0);
  reader_gone();
  return tap_done();
}

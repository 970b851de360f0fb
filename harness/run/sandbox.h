/*
 * Runs tasks in subprocesses, so that a crash, a hang, a NaN or excessive output affects that task
 * only. The subprocess is a fork. It has its own process group, its own limits of time and memory
 * and no terminal, and it dies with its parent.
 */
#ifndef HARNESS_RUN_SANDBOX_H
#define HARNESS_RUN_SANDBOX_H

#include "foundation/message.h"
#include "results/record/record.h"

/* Runs a task. Returns its answer, a message (results/record/frame.h) of *size bytes; the caller
 * frees it. */
typedef void *shk_sandbox_task(void *user, int number, size_t *size);

struct shk_sandbox_result {
  struct shk_record record; /* its end, limits, seconds and dropped output; nothing else */
  char *answer;             /* a complete message; NULL unless finished */
  size_t answer_length;
  char *output; /* standard output and standard error, at most SHK_OUTPUT_LIMIT bytes */
  size_t output_length;
};

/* Receives the result of each task when it has ended; the result is freed after the call. */
typedef void shk_sandbox_done(void *user, int number, struct shk_sandbox_result *result);

/* Tasks 0 … count - 1 and the limits of each. They must leave no state in a process if there are
 * several. If the far end of `reader` (-1: none) closes, they are killed. */
struct shk_tasks {
  shk_sandbox_task *run;
  shk_sandbox_done *done;
  void *user;
  int count, reader;
  double seconds;   /* wall time in s; 0: no limit */
  double megabytes; /* MiB of address space beyond that at the fork; 0: no limit. Not enforced where
                     * a sanitizer needs the space. */
};

/* Runs tasks, several per process until one prints or fails; that one is run again alone unless it
 * took long. False with the reason: no process. */
bool shk_sandbox_run(const struct shk_tasks *tasks, struct shk_message *error);

/* Sets the end of a record from the wait status of the process that should have made it. */
void shk_ended_with(struct shk_record *record, int status);

/* Maps zeroed memory that is shared with the processes of tasks. */
void *shk_share(size_t size);

/* From now on all descendants of a task end with it, also outside of its process group (daemons).
 * For a process whose only children are tasks. False if the system does not support it. */
bool shk_sandbox_adopt(void);

/* Kills the process group of the running task. May be called from a signal handler. */
void shk_sandbox_kill(void);

#endif

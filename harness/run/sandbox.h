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

/* Tasks 0 … count - 1 and the limits of each. Several tasks must leave no state in their process.
 * They are killed if the other end of the pipe `reader` (-1: none) closes. */
struct shk_tasks {
  shk_sandbox_task *run;
  shk_sandbox_done *done;
  void *user;
  int count, reader;
  double seconds;   /* wall time in s; 0: no limit */
  double megabytes; /* MiB of address space beyond that at the fork; 0: no limit. Not enforced with
                     * the address sanitizer. */
  bool counted;     /* user code: ended with all its processes once they are too many */
};

/* Runs the tasks in one process until one prints or fails. That one is run again alone, except
 * after a timeout or 1 s without output; later ones share a new process. False with the reason if
 * no process can be started. */
bool shk_sandbox_run(const struct shk_tasks *tasks, struct shk_message *error);

/* Sets the end of a record to crashed or exited, from the wait status of the cell's process. */
void shk_ended_with(struct shk_record *record, int status);

/* Returns zeroed memory that is shared with the processes of tasks; munmap frees it. */
void *shk_share(size_t size);

/* Runs this process before all others, where that is permitted: what counts the processes of tasks
 * must not wait in a queue with thousands. Processes of tasks do not inherit it. */
void shk_sandbox_go_first(void);
/* Makes all descendants of a task end with it, also those outside of its process group (daemons).
 * For processes whose only children are tasks. False if the system does not support it. */
bool shk_sandbox_adopt(void);

/* Kills the process group of the running task. May be called from a signal handler. */
void shk_sandbox_kill(void);

#endif

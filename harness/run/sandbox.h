/*
 * A sandbox: a task runs in a subprocess, so that a crash, a hang, a NaN or a megabyte of print
 * costs that task and nothing else. The process is a fork: it has its own process group, its own
 * limits of time and memory, no terminal, and dies with its parent.
 */
#ifndef HARNESS_RUN_SANDBOX_H
#define HARNESS_RUN_SANDBOX_H

#include "foundation/message.h"
#include "results/record/record.h"

struct shk_limits {
  double seconds;   /* wall time; 0: none */
  double megabytes; /* address space beyond that at the fork; 0: none. Not kept where a sanitizer
                       needs the space. */
};

/* Returns its answer, a message (results/record/frame.h) of *size bytes that free() can free. */
typedef void *shk_sandbox_task(void *user, int number, size_t *size);

struct shk_sandbox_result {
  enum shk_end end; /* finished: the answer is whole */
  int end_detail;
  char *answer; /* a whole message; NULL unless finished */
  size_t answer_length;
  char *output; /* standard output and standard error, at most SHK_OUTPUT_LIMIT bytes */
  size_t output_length;
  long output_dropped;
  double seconds;
};

/* Receives the result of a task as soon as it has ended; the result is freed afterwards. */
typedef void shk_sandbox_done(void *user, int number, struct shk_sandbox_result *result);

/* Runs tasks numbered from 0, one after the other under these limits each, several in a process as
 * long as none fails: for tasks that leave no state in their process. A task that printed or failed
 * where others ran is run again alone, and that counts, unless it took long. `reader` is the
 * descriptor from which the answers are read elsewhere: when its other end closes the tasks are
 * stopped (-1: none). False, with the reason, if a process could not be made. */
bool shk_sandbox_run(shk_sandbox_task *task, shk_sandbox_done *done, void *user, int count,
                     const struct shk_limits *limits, int reader, struct shk_message *error);

/* Has the task fill an answer of `size` bytes in a process: texts in it that are pointers are the
 * program's own, of which the process is a fork. What it prints goes to standard error; it writes
 * below a folder for temporary files of its own. False, with the reason, if there is no answer: it
 * crashed, hung or exited. */
bool shk_sandbox_ask(void *answer, size_t size, void (*fill)(void *user, void *answer), void *user,
                     double seconds, struct shk_message *reason);

/* From now on what a task leaves behind ends with it, also outside of its process group (a daemon
 * that it has started). For a process whose only children are its tasks. False where the system
 * cannot. */
bool shk_sandbox_adopt(void);

/* Ends the running task's group at once. May be called from a signal handler. */
void shk_sandbox_kill(void);

#endif

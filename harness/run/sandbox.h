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

/* Writes its answer to the descriptor, one message (results/record/frame.h), and returns. */
typedef void shk_sandbox_task(void *user, int answer);

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

/* False, with the reason, if the process could not be made; `result` is then empty. Otherwise the
 * caller clears it. `reader` is the descriptor on which whoever asked reads the answer: when its
 * other end closes the task is stopped (-1: none). */
bool shk_sandbox_run(struct shk_sandbox_result *result, shk_sandbox_task *task, void *user,
                     const struct shk_limits *limits, int reader, struct shk_message *error);
void shk_sandbox_clear(struct shk_sandbox_result *result);

/* So many tasks, numbered from 0, one after the other under these limits each, several in a process
 * as long as none breaks it: for what leaves nothing behind in its process. `done` is told of each
 * in turn, as soon as it has ended, and whether it was the first in its process. One that was not
 * is run once more, as the first, before it is blamed (but not if it took long). */
typedef void shk_sandbox_numbered_task(void *user, int number, int answer);
typedef void shk_sandbox_done(void *user, int number, struct shk_sandbox_result *result,
                              bool is_first);
bool shk_sandbox_run_all(shk_sandbox_numbered_task *task, shk_sandbox_done *done, void *user,
                         int count, const struct shk_limits *limits, int reader,
                         struct shk_message *error);

/* A question whose answer is `size` bytes, which the task hands over with shk_sandbox_answer: texts
 * in them that are pointers are the program's own, of which the process is a fork. What it prints
 * goes to standard error; it writes below a folder for temporary files of its own. False, with the
 * reason, if there was no answer: it crashed, hung or left.
 */
bool shk_sandbox_ask(void *answer, size_t size, shk_sandbox_task *task, void *user, double seconds,
                     struct shk_message *reason);
void shk_sandbox_answer(int descriptor, const void *answer, size_t size);

/* From now on what a task leaves behind ends with it, also outside of its process group (a daemon
 * that it has started). For a process whose only children are its tasks. False where the system
 * cannot. */
bool shk_sandbox_adopt(void);

/* Ends the running task's group at once. May be called from a signal handler. */
void shk_sandbox_kill(void);

#endif

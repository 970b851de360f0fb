/*
 * A worker process loads plug-ins, reads requests, and answers each of them (requests.h).
 *
 *   shakedown worker [--plugin FILE]… [--allow-external] [--once] [--guard]
 *
 * The worker reads requests from standard input. It writes answers to standard output, printed text
 * to standard error, and notices to descriptor 3. The first answer contains the descriptors of the
 * plug-ins, or the reason why a plug-in could not be loaded.
 *
 * A request may require its own process. Before the worker serves such a request, it forks a copy
 * of itself. The worker exits after serving the request; the copy waits for this and then reads the
 * next requests. All other requests are for cells that run only built-in code, which leaves no
 * state behind. They are served one after another in a single process, because creating a process
 * costs more than running a small cell.
 *
 * With --once, the worker does not fork a copy. With --guard, it creates a process for each request
 * and waits for that process to end. The --guard option is needed if the worker was started from a
 * running Python interpreter, which cannot wait for the process.
 */
#ifndef HARNESS_RUN_WORK_H
#define HARNESS_RUN_WORK_H

#include "engine/context.h"

#include <sys/types.h>

/* Types of notices, which report events to the parent immediately. */
enum shk_notice_kind {
  SHK_NOTICE_NEXT,      /* the process ID of the copy */
  SHK_NOTICE_NO_MEMORY, /* the process has run out of memory and is exiting */
  SHK_NOTICE_HELD,      /* from a worker with --guard: the worker's own process ID */
  SHK_NOTICE_CELL,      /* from a worker with --guard: the ID of a process that it has created */
  SHK_NOTICE_STATUS,    /* from a worker with --guard: the wait status of that process */
  /* the number (starting from 1) of this process's request whose first steps are done, and the
   * predicted run time */
  SHK_NOTICE_PROBED
};
struct shk_notice {
  enum shk_notice_kind kind;
  int value;
  double seconds; /* negative if unknown */
};

struct shk_work_options {
  const char *const *plugins;
  int plugin_count;
  bool once, guard;
};

/* Serves requests until there are no more. The context's provider is not used. Returns the exit
 * status of the process: 0 on success, 2 if a plug-in could not be loaded, or 3 if answers cannot
 * be written. */
int shk_work(const struct shk_context *context, const struct shk_work_options *options);
/* Like shk_work, but parses the options from command-line arguments, the first of which is
 * "worker". */
int shk_work_as_told(int count, char **words);

#endif

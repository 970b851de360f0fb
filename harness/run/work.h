/*
 * A worker process: it loads plug-ins, reads requests, and answers each (requests.h).
 *
 *   shakedown worker [--plugin FILE]… [--allow-external] [--once] [--guard]
 *
 * Requests arrive on standard input. Answers leave on standard output, everything that is printed
 * on standard error, and notices on descriptor 3. The first answer contains the descriptors of the
 * plug-ins, or the reason why one did not load.
 *
 * A request may ask for a process to itself. Before it serves such a request, the worker leaves
 * behind a copy of itself, which waits for the worker to end and then reads requests itself; the
 * worker ends after the request. Other requests are for cells of built-in code, which leaves no
 * state. They follow each other in one process, because a process costs more than a small cell.
 *
 * With --once, no copy is left. With --guard, the worker makes a process for each request and waits
 * for its end. This is needed if the worker was started from a running Python, which cannot wait
 * for it.
 */
#ifndef HARNESS_RUN_WORK_H
#define HARNESS_RUN_WORK_H

#include "engine/context.h"

#include <sys/types.h>

/* Kinds of notices, which report what the parent must know at once. */
enum shk_notice_kind {
  SHK_NOTICE_NEXT,      /* the process number of the copy */
  SHK_NOTICE_NO_MEMORY, /* memory has run out, and the process ends */
  SHK_NOTICE_HELD,      /* of a worker with --guard: its own number, */
  SHK_NOTICE_CELL,      /* the number of the process that it has made, */
  SHK_NOTICE_STATUS,    /* and the wait status of that process after its end */
  /* the number, from 1, of the request in this process whose first steps are done, and how long the
   * rest should take */
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

/* Serves until the requests end. The context's provider is not used. Returns the exit status of the
 * process: 0; 2 if a plug-in did not load; 3 if answers cannot be written. */
int shk_work(const struct shk_context *context, const struct shk_work_options *options);
/* Like shk_work, with the options as words of a command line whose first word is "worker". */
int shk_work_as_told(int count, char **words);

#endif

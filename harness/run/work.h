/*
 * A worker process loads plug-ins, reads requests, and answers each of them (requests.h).
 *
 *   shakedown worker [--plugin FILE]… [--allow-external] [--once] [--guard]
 *
 * Requests arrive on standard input. Answers are written to standard output, printed text to
 * standard error, and notices to descriptor 3. The first answer contains the descriptors of the
 * plug-ins, or the reason why one of them could not be loaded.
 *
 * A request may require its own process. Before the worker serves such a request, it leaves behind
 * a copy of itself. The worker ends after the request, and the copy, which has waited for this,
 * then reads further requests. Other requests are for cells with built-in code, which leaves no
 * state behind. They are served one after the other in a single process, because a process costs
 * more than a small cell.
 *
 * With --once, the worker leaves no copy behind. With --guard, it creates a process for each
 * request and waits for that process to end. This is needed if the worker was started from a
 * running Python, which cannot wait for it.
 */
#ifndef HARNESS_RUN_WORK_H
#define HARNESS_RUN_WORK_H

#include "engine/context.h"

#include <sys/types.h>

/* Types of notices, which report events that the parent must know about immediately. */
enum shk_notice_kind {
  SHK_NOTICE_NEXT,      /* the process number of the copy */
  SHK_NOTICE_NO_MEMORY, /* memory has run out, and the process ends */
  SHK_NOTICE_HELD,      /* from a worker with --guard: its own process number */
  SHK_NOTICE_CELL,      /* from such a worker: the number of a process that it created */
  SHK_NOTICE_STATUS,    /* from such a worker: the wait status of that process at its end */
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

/* Serves requests until there are no more. The context's provider is not used. Returns the exit
 * status of the process: 0; 2 if a plug-in could not be loaded; 3 if answers cannot be written. */
int shk_work(const struct shk_context *context, const struct shk_work_options *options);
/* Like shk_work, but the options are the words of a command line, of which the first is
 * "worker". */
int shk_work_as_told(int count, char **words);

#endif

/*
 * A worker process: it loads plug-ins, reads requests, and answers each (requests.h).
 *
 *   shakedown worker [--plugin FILE]… [--allow-external] [--once] [--guard]
 *
 * Standard input brings the requests. Standard output takes the answers, standard error all that is
 * printed, and descriptor 3 notices. The first answer are the descriptors of the plug-ins, or the
 * reason why one did not load.
 *
 * A request that is alone ends the process. Before it is served, the worker leaves a copy of itself
 * behind, which waits for the worker's end and then reads requests itself. Other requests, for cells of
 * built-in code, which leaves no state, follow each other in one process, since a process costs more
 * than a small cell.
 *
 * --once: no copy is left. --guard: the worker makes a process for each request and waits for its end,
 * because its parent cannot: a Python that runs made the worker.
 */
#ifndef HARNESS_RUN_WORK_H
#define HARNESS_RUN_WORK_H

#include "engine/context.h"

#include <sys/types.h>

/* Notices, for what must be said at once. */
enum shk_notice_kind {
  SHK_NOTICE_NEXT,      /* the number of the copy */
  SHK_NOTICE_NO_MEMORY, /* memory has run out, and the process ends */
  SHK_NOTICE_HELD,      /* of a worker that guards: its own number, */
  SHK_NOTICE_CELL,      /* that of the process it has made, */
  SHK_NOTICE_STATUS,    /* and the wait status of that process, which has ended */
  SHK_NOTICE_PROBED     /* the number of the request in this process, from 1, whose first steps are
                           done; and how long what follows should take */
};
struct shk_notice {
  enum shk_notice_kind kind;
  int value;
  double seconds; /* negative: unknown */
};

struct shk_work_options {
  const char *const *plugins;
  int plugin_count;
  bool once, guard;
};

/* Serves until the requests end. The context's provider is not used. Returns the exit status of the
 * process: 0; 2 if a plug-in did not load; 3 if answers cannot be written. */
int shk_work(const struct shk_context *context, const struct shk_work_options *options);
/* The same for the words of the command line, the first of them "worker". */
int shk_work_as_told(int count, char **words);

#endif

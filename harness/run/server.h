/*
 * The cell server: reads requests and replies to each (requests.h).
 *
 * Each query runs in a process of its own (sandbox.h), and so does each cell of a solver that
 * chooses its steps, and every cell of a server with plug-ins or with access to programs. Up to 32
 * other cells that have arrived and have equal limits run one after the other in one process, since
 * a process costs more than a small cell. Each reply is sent when its cell has ended. A cell that
 * breaks its process is run once more in its own, and the following cells in another: records do
 * not depend on which cells shared a process. Plug-ins are loaded in the server itself: the output
 * of their constructors goes to its standard error, and if one crashes, the server ends.
 */
#ifndef HARNESS_RUN_SERVER_H
#define HARNESS_RUN_SERVER_H

#include "engine/context.h"

/* Serves requests from standard input until they end; takes over standard input and output. The
 * context's provider is not used. Returns the exit status of the process: 0; 2 if a plug-in did not
 * load or the process cannot be confined; 3 if replies cannot be written. */
int shk_server_run(const struct shk_context *context, const char *const *plugins, int plugin_count);

#endif

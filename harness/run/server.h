/*
 * The cell server: reads requests and answers each (requests.h).
 *
 * Each question that runs a plug-in's code runs in a process of its own (sandbox.h), and so does
 * each cell of a plug-in, of a program or of a solver that chooses its steps. Up to 32 cells,
 * if they have arrived and have the same limits, run one after the other in one process, which
 * costs less than a small cell does. Each is answered as soon as it has ended. One that breaks its
 * process is run once more in its own, and those behind it go on in another: no record tells which
 * cells shared a process. Plug-ins themselves are loaded in the server: what their constructors
 * print goes to its standard error, and if they crash it is the server that ends.
 */
#ifndef HARNESS_RUN_SERVER_H
#define HARNESS_RUN_SERVER_H

#include "engine/context.h"

/* Serves requests from standard input, which it takes over with standard output, until their end.
 * The context's provider is not asked. Returns the exit status of the process: 0; 2 if a plug-in
 * did not load; 3 if the replies found no reader. */
int shk_server_run(const struct shk_context *context, const char *const *plugins, int plugin_count);

#endif

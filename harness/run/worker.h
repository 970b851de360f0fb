/*
 * The worker: reads requests, one line of JSON each, and answers each with one line, or a record.
 *
 *   {"cell": "run problem=…", "seconds": "60",
 *    "megabytes": "2048", "folder": "studies"}            a record (record_bytes.h)
 *   {"describe": true}                                    {"problems": […], "integrators": […]}
 *   {"claims": SPEC, "precision": "double"}               {"claims": {…}}
 *   {"inspect": SPEC, "precision": "double"}              {"inspection": {…}}
 *   anything else                                         {"error": "…"}
 *
 * `folder`, which may be left out, is the one that files are found from
 * (foundation/files/folder.h). A cell is its text (cell_text.h), the rest as in
 * remote_descriptors.h. The first line of all comes from the worker: {"ready": "shakedown",
 * "protocol": 4}, or {"error": "…"} if a plug-in does not load.
 *
 * Each question that runs a plug-in's code runs in a process of its own (sandbox.h), and so does
 * each cell of a plug-in, of a program or of a solver that chooses its steps. Up to 16 other cells,
 * if they have arrived and have the same limits, run one after the other in one process, which
 * costs less than a small cell does. Each is answered as soon as it has ended. One that breaks its
 * process is run once more in its own, and those behind it go on in another: no record tells which
 * cells shared a process. Plug-ins themselves are loaded in the worker: what their constructors
 * print goes to its standard error, and if they crash it is the worker that ends.
 */
#ifndef HARNESS_RUN_WORKER_H
#define HARNESS_RUN_WORKER_H

#include "engine/context.h"

enum { SHK_PROTOCOL = 4 };

/* Serves `in` until its end. Takes over standard input and output, whichever descriptors are given.
 * Returns the exit status of the program: 0; 2 if a plug-in did not load; 3 if the answers found no
 * reader. */
int shk_worker(const struct shk_context *context, int in, int out, const char *const *plugins,
               int plugin_count);

#endif

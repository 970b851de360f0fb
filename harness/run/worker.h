/*
 * The worker: reads requests, one line of JSON each, and answers each with one line.
 *
 *   {"cell": {…}, "seconds": "60", "megabytes": "2048",
 *    "folder": "studies"}                               {"record": {…}}
 *   {"describe": true}                                    {"problems": […], "integrators": […]}
 *   {"claims": SPEC, "precision": "double"}               {"claims": {…}}
 *   {"inspect": SPEC, "precision": "double"}              {"inspection": {…}}
 *   anything else                                         {"error": "…"}
 *
 * `folder`, which may be left out, is the one that files are found from
 * (foundation/files/folder.h). The shapes are those of wire.h and remote_descriptors.h. The first
 * line of all comes from the worker: {"ready": "shakedown", "protocol": 1}, or {"error": "…"} if a
 * plug-in does not load.
 *
 * Each cell, and each question that runs a plug-in's code, runs in a process of its own
 * (sandbox.h). Plug-ins themselves are loaded in the worker: what their constructors print goes to
 * its standard error, and if they crash it is the worker that ends.
 */
#ifndef HARNESS_RUN_WORKER_H
#define HARNESS_RUN_WORKER_H

#include "engine/context.h"

enum { SHK_PROTOCOL = 1 };

/* Serves `in` until its end. Takes over standard input and output, whichever descriptors are given.
 * Returns the exit status of the program: 0; 2 if a plug-in did not load; 3 if the answers found no
 * reader. */
int shk_worker(const struct shk_context *context, int in, int out, const char *const *plugins,
               int plugin_count);

#endif

/*
 * The launcher: a process that forks cell servers. It is itself forked before a store is open and
 * a study is read, so that no server inherits an open store, and none's memory depends on the
 * study. Servers are children of the process that asks for them, not of the launcher.
 */
#ifndef HARNESS_RUN_LAUNCHER_H
#define HARNESS_RUN_LAUNCHER_H

#include "harness/run/link.h"

struct shk_launcher;

/* Servers will load these plug-ins, under the access of the context, whose remote provider they do
 * not have; context and plug-ins are read here only. NULL with the reason. */
struct shk_launcher *shk_launcher_start(const struct shk_context *context,
                                        const char *const *plugins, int plugin_count,
                                        struct shk_message *error);
/* Makes a server, which tells by its first message whether it is ready. With a plug-in in Python
 * it is `python3 -m shakedown worker --plugin FILE …`. False with the reason. */
bool shk_launch(struct shk_launcher *launcher, struct shk_server *server,
                struct shk_message *error);

/* The plug-ins, for messages. */
const char *const *shk_launcher_plugins(const struct shk_launcher *launcher, int *count);

/* Servers go on. Accepts NULL. */
void shk_launcher_stop(struct shk_launcher *launcher);

#endif

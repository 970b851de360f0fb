/*
 * The sandbox (--sandbox): a process that runs untrusted code, and all programs that it starts, can
 * read files in some folders only, can start programs only if permitted, and cannot use the network
 * or reach into other processes or the kernel. It uses Landlock and a filter of system calls
 * (seccomp), without privileges. Writing is restricted by fence.h.
 */
#ifndef FOUNDATION_PROCESSES_CONFINEMENT_H
#define FOUNDATION_PROCESSES_CONFINEMENT_H

#include "foundation/message.h"
#include "foundation/specifications/access.h"

/* Restricts a process that will load these plug-ins. It can read system folders, the folders of the
 * plug-ins, the working directory and the folder of `access`. True if no sandbox was requested;
 * false with the reason if the kernel lacks support. */
bool shk_confine(const struct shk_access *access, const char *const *plugins, int plugin_count,
                 struct shk_message *error);

#endif

/*
 * What `--sandbox` asks for: a process that runs the code of strangers, and all that it starts,
 * reads below some folders only, starts programs only if it may, and is refused the network and
 * what reaches into other processes or the kernel: by Landlock and a filter of system calls,
 * without privileges. Beside the fence (fence.h), which keeps it from writing.
 */
#ifndef FOUNDATION_PROCESSES_CONFINEMENT_H
#define FOUNDATION_PROCESSES_CONFINEMENT_H

#include "foundation/message.h"
#include "foundation/specifications/access.h"

/* For a process that will load these plug-ins: beside what belongs to the system it reads their
 * folders, the working directory and the folder of `access`. True where no sandbox was asked for;
 * false with the reason if the kernel cannot. */
bool shk_confine(const struct shk_access *access, const char *const *plugins, int plugin_count,
                 struct shk_message *error);

#endif

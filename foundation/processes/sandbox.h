/*
 * The sandbox (--sandbox): a process that runs untrusted code, and all programs that it starts, can
 * read files in some folders only, can start programs only if permitted, and cannot use the network
 * or reach into other processes or the kernel. It uses Landlock and a filter of system calls
 * (seccomp), without privileges.
 */
#ifndef FOUNDATION_PROCESSES_SANDBOX_H
#define FOUNDATION_PROCESSES_SANDBOX_H

#include "foundation/message.h"
#include "foundation/specifications/access.h"

/* Write protection, also without a sandbox: from then on this process and its children can write,
 * create and remove files only below a folder (NULL: none), which becomes that for temporary files
 * (TMPDIR), and write to /dev/null, and can signal and trace only each other. Calls nest. False if
 * the kernel has no Landlock; an older kernel enforces less of it (docs/reference/safety.md). */
bool shk_write_protect(const char *folder);

/* Restricts a process that will load these plug-ins. It can read system folders, the folders of the
 * plug-ins, the working directory, TMPDIR and both folders of `access`. True if no sandbox was
 * requested; false with the reason if the kernel lacks support. */
bool shk_confine(const struct shk_access *access, const char *const *plugins, int plugin_count,
                 struct shk_message *error);

#endif

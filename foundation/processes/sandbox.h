/*
 * Limits what a process can access. The fence protects against accidents. Every worker uses it; it
 * requires Landlock but no privileges. The sandbox (--sandbox) protects against untrusted code. It
 * uses bubblewrap, a separate program.
 */
#ifndef FOUNDATION_PROCESSES_SANDBOX_H
#define FOUNDATION_PROCESSES_SANDBOX_H

#include "foundation/memory.h"
#include "foundation/specifications/access.h"

/* Raises the fence. From then on, this process and its children can write, create and remove files
 * only below a folder (or nowhere if it is NULL), although they can still write to /dev/null. They
 * can signal and trace only each other. The folder is also used for temporary files (TMPDIR). Calls
 * can be nested. Returns false if the kernel does not support Landlock. Older kernels enforce only
 * part of the fence (docs/reference/safety.md). */
bool shk_write_protect(const char *folder);

/* Adds the command-line words that run a program under bubblewrap in its own namespaces. The caller
 * must append the command line of the program itself. The program has no access to other processes,
 * the network or devices. It can read the system folders, the working directory, both folders in
 * `access`, and the folders that contain the plug-ins, `program` and `runs` (an interpreter). It
 * can write only to a temporary folder. Its environment contains only the variables that programs
 * need to run and those whose names begin with SHAKEDOWN. */
void shk_sandbox_words(struct shk_text_list *words, const struct shk_access *access,
                       const char *const *plugins, int plugin_count, const char *program,
                       const char *runs, const char *temporary);

#endif

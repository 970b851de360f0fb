/*
 * Limits on what a process can access. The fence protects against accidents. Every worker has it,
 * and it needs Landlock but no privileges. The sandbox (--sandbox) protects against untrusted code.
 * It is bubblewrap, a separate program.
 */
#ifndef FOUNDATION_PROCESSES_SANDBOX_H
#define FOUNDATION_PROCESSES_SANDBOX_H

#include "foundation/memory.h"
#include "foundation/specifications/access.h"

/* Raises the fence. From then on, this process and its children can write, create and remove files
 * only below a folder (or nowhere if it is NULL), apart from writing to /dev/null, and can signal
 * and trace only each other. The folder becomes the one for temporary files (TMPDIR). Calls can be
 * nested. Returns false if the kernel has no Landlock. An older kernel enforces only part of the
 * fence (docs/reference/safety.md). */
bool shk_write_protect(const char *folder);

/* Adds the words that run a program under bubblewrap in its own namespaces. The caller must add the
 * words of the program after them. The program has no access to other processes, the network or
 * devices. It can read the system folders, the working directory, both folders of `access`, and the
 * folders of the plug-ins, of `program` and of `runs` (an interpreter). It can write only to a
 * temporary folder. Its environment contains only the variables that programs need to run, and
 * SHAKEDOWN…. */
void shk_sandbox_words(struct shk_text_list *words, const struct shk_access *access,
                       const char *const *plugins, int plugin_count, const char *program,
                       const char *runs, const char *temporary);

#endif

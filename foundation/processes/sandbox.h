/*
 * Limits of what a process can reach. The fence protects from accidents: it needs Landlock and no
 * privileges, and every worker has it. The sandbox (--sandbox) protects from code of strangers: it is
 * bubblewrap, a program of its own.
 */
#ifndef FOUNDATION_PROCESSES_SANDBOX_H
#define FOUNDATION_PROCESSES_SANDBOX_H

#include "foundation/memory.h"
#include "foundation/specifications/access.h"

/* Raises the fence: from then on this process and its children can write, create and remove files
 * only below a folder (NULL: none), which becomes that for temporary files (TMPDIR), and write to
 * /dev/null, and can signal and trace only each other. Calls nest. False if the kernel has no
 * Landlock; an older kernel enforces less of it (docs/reference/safety.md). */
bool shk_write_protect(const char *folder);

/* Adds the words that run a program under bubblewrap, in name spaces of its own: it sees no other
 * process, no network and no device, and of files the folders of the system, the working directory,
 * both folders of `access`, those of the plug-ins, of `program` and of `runs` (an interpreter), all to
 * be read only, and a temporary folder, which it may write to. Of the environment it sees what
 * programs need to run, and variables SHAKEDOWN…. The words of the program follow. */
void shk_sandbox_words(struct shk_text_list *words, const struct shk_access *access,
                       const char *const *plugins, int plugin_count, const char *program,
                       const char *runs, const char *temporary);

#endif

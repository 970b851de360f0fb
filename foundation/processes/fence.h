/*
 * A fence around a process that runs what others wrote: from then on it, and all that it starts,
 * writes, makes and removes files below one folder only, sends signals to nobody outside, and
 * traces nobody outside. Nothing is kept from being read. By Landlock, without privileges; where
 * the kernel has none, or an old one, less of it or nothing is kept out (docs/reference/safety.md).
 */
#ifndef FOUNDATION_PROCESSES_FENCE_H
#define FOUNDATION_PROCESSES_FENCE_H

#include <stdbool.h>
#include <stdint.h>

/* NULL: no folder. /dev/null can be written in any case. Fences nest. False where the kernel has no
 * Landlock, which is asked once in a process and its forks. */
bool shk_fence(const char *folder);
/* The same, and the folder is that for temporary files from now on. */
bool shk_fence_in(const char *folder);

/* Rules of Landlock: allows what is named below a path, if there is one; restricts this process to
 * all that was allowed, which closes them. */
void shk_landlock_allow(int rules, const char *path, uint64_t what);
bool shk_landlock_restrict(int rules);

#endif

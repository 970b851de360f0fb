/*
 * Write protection for a process that runs foreign code. From then on it and its children can
 * write, create and remove files below one folder only, and can signal and trace only each other.
 * Reading is not restricted. It uses Landlock, without privileges; an older kernel enforces less of
 * it or nothing (docs/reference/safety.md).
 */
#ifndef FOUNDATION_PROCESSES_FENCE_H
#define FOUNDATION_PROCESSES_FENCE_H

#include <stdbool.h>
#include <stdint.h>

/* Restricts writing to a folder (NULL: none) and /dev/null. Calls nest. False if the kernel has no
 * Landlock, which is checked once per process and its forks. */
bool shk_fence(const char *folder);
/* The same, and makes the folder that for temporary files (TMPDIR). */
bool shk_fence_in(const char *folder);

/* Landlock rules: the first function permits the accesses `what` below a path if it exists; the
 * second restricts this process to all that is permitted and closes the rules. */
void shk_landlock_allow(int rules, const char *path, uint64_t what);
bool shk_landlock_restrict(int rules);

#endif

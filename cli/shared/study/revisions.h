/* Finds versions of a baseline in a git repository. */
#ifndef CLI_SHARED_STUDY_REVISIONS_H
#define CLI_SHARED_STUDY_REVISIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the contents of REVISION:FILE, where FILE is relative to the current folder. The caller
 * frees the result. On failure, prints an error message and returns NULL. */
char *shk_revision_text(const char *name, size_t most, size_t *length);

/* Versions of a file, starting with the oldest. */
struct shk_revisions {
  int count;
  struct shk_revision {
    char *commit, *date; /* abbreviated commit hash, and a date such as "2026-10-01" */
  } * all;
};
/* Finds the commits in `git log RANGE` that added or modified a file, where RANGE can be several
 * words separated by blanks. The list starts with the version that the first of these commits
 * replaced. On failure, prints an error message and returns false. The revisions must be cleared in
 * either case. */
bool shk_revisions_find(struct shk_revisions *revisions, const char *range, const char *path);
void shk_revisions_clear(struct shk_revisions *revisions);

/* Finds, for each line of a file or of REVISION:FILE, the commit that last changed it, in the form
 * "since 3f2a1b0 of 2026-10-01". Entries are indexed by line number, counted from 1. An entry is
 * NULL if the line is not committed or unknown to git. */
struct shk_origins {
  int count;
  char **lines;
};
void shk_origins_find(struct shk_origins *origins, const char *name);
const char *shk_origin(const struct shk_origins *origins, int line);
void shk_origins_clear(struct shk_origins *origins);

#endif

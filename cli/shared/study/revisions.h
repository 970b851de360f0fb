/* Versions of a baseline in git. */
#ifndef CLI_SHARED_STUDY_REVISIONS_H
#define CLI_SHARED_STUDY_REVISIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the text of REVISION:FILE, where FILE is relative to the current folder; NULL after an
 * error message. The caller frees it. */
char *shk_revision_text(const char *name, size_t most, size_t *length);

/* Versions of a file, the oldest first. */
struct shk_revisions {
  int count;
  struct shk_revision {
    char *commit, *date; /* abbreviated, as in "2026-10-01" */
  } * all;
};
/* Finds the commits that added or modified a file, among those that `git log RANGE` lists (several
 * words are separated by blanks), and before them the version that the first of them replaced.
 * Returns false after an error message. Clear the revisions either way. */
bool shk_revisions_find(struct shk_revisions *revisions, const char *range, const char *path);
void shk_revisions_clear(struct shk_revisions *revisions);

/* The commits in which the lines of a file, or of REVISION:FILE, were last written, as "since
 * 3f2a1b0 of 2026-10-01", by number of the line from 1. NULL: not committed, or git does not know
 * it. */
struct shk_origins {
  int count;
  char **lines;
};
void shk_origins_find(struct shk_origins *origins, const char *name);
const char *shk_origin(const struct shk_origins *origins, int line);
void shk_origins_clear(struct shk_origins *origins);

#endif

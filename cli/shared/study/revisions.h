/* Finds versions of a baseline in git. */
#ifndef CLI_SHARED_STUDY_REVISIONS_H
#define CLI_SHARED_STUDY_REVISIONS_H

#include <stdbool.h>
#include <stddef.h>

/* Returns the text of REVISION:FILE, where FILE is relative to the current folder. On failure,
 * prints an error message and returns NULL. The caller frees the text. */
char *shk_revision_text(const char *name, size_t most, size_t *length);

/* Versions of a file, beginning with the oldest. */
struct shk_revisions {
  int count;
  struct shk_revision {
    char *commit, *date; /* abbreviated, as in "2026-10-01" */
  } * all;
};
/* Finds the commits that added or modified a file, among those that `git log RANGE` lists (RANGE
 * can be several words, separated by blanks). The version that the first of these commits replaced
 * is added before them. On failure, prints an error message and returns false. The revisions must
 * be cleared in either case. */
bool shk_revisions_find(struct shk_revisions *revisions, const char *range, const char *path);
void shk_revisions_clear(struct shk_revisions *revisions);

/* Returns the commits in which the lines of a file, or of REVISION:FILE, were last changed, as
 * "since 3f2a1b0 of 2026-10-01". They are indexed by the line number, counted from 1. An entry is
 * NULL if the line is not committed or git does not know it. */
struct shk_origins {
  int count;
  char **lines;
};
void shk_origins_find(struct shk_origins *origins, const char *name);
const char *shk_origin(const struct shk_origins *origins, int line);
void shk_origins_clear(struct shk_origins *origins);

#endif

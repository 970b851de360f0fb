/* Sides of a comparison: the values of studies from a store, a baseline file, or a revision of one
 * in git. */
#ifndef CLI_SHARED_STUDY_SIDES_H
#define CLI_SHARED_STUDY_SIDES_H

#include "foundation/index.h"
#include "harness/check/baseline.h"
#include "results/record/provenance.h"

struct shk_arguments;

struct shk_side {
  const char *name;
  int count;
  struct shk_baseline *studies; /* with seconds, if they were measured */
  /* The distinct texts in the provenance of its records; none for a baseline. */
  struct shk_index facts[SHK_PROVENANCE_TEXTS];
};

/* Reads a store, whole or the one study of it, or a baseline: FILE or REVISION:FILE, FILE relative
 * to the current folder. Returns false after an error message. Clear it either way; `name` must
 * outlive it. */
bool shk_side_read(struct shk_side *side, const struct shk_arguments *arguments, const char *name,
                   const char *study);
void shk_side_clear(struct shk_side *side);
/* The study of that name; NULL: none. */
const struct shk_baseline *shk_side_study(const struct shk_side *side, const char *study);

/* Runs the study that the command line names, with records from and in the store (NULL: in memory),
 * for a side with or without seconds. It must be the study of the baseline `of`, if one is given.
 * Returns the exit status; the side has no study after an error message. Clear it either way. */
int shk_side_run(struct shk_side *side, const struct shk_arguments *arguments, const char *store,
                 const struct shk_side *of, bool seconds);

/* The revisions of a range that changed a file, the oldest first, a line each; NULL after an error
 * message. The caller frees it. */
char *shk_revisions(const char *range, const char *path);

#endif

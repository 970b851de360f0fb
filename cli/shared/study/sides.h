/* Sides of a comparison: the values of studies from a store, a baseline file, or a revision of one
 * in git. */
#ifndef CLI_SHARED_STUDY_SIDES_H
#define CLI_SHARED_STUDY_SIDES_H

#include "foundation/index.h"
#include "harness/check/baseline.h"
#include "harness/check/open_claims.h"
#include "results/record/provenance.h"

struct shk_arguments;

struct shk_side {
  const char *name;
  int count;
  struct shk_baseline *studies; /* each with the values of one study */
  /* For each field of the provenance, the distinct texts of the records; none for a baseline. */
  struct shk_index facts[SHK_PROVENANCE_TEXTS];
  struct shk_open_claims open; /* of a run */
};

/* Reads a store (all studies, or only `study` if it is not NULL) or a baseline: FILE or
 * REVISION:FILE, where FILE is relative to the current folder. Returns false after an error
 * message. Clear the side either way; `name` must outlive it. */
bool shk_side_read(struct shk_side *side, const struct shk_arguments *arguments, const char *name,
                   const char *study);
void shk_side_clear(struct shk_side *side);
/* The study of that name; NULL: none. */
struct shk_baseline *shk_side_study(const struct shk_side *side, const char *study);

/* Runs the study that the command line names; records are taken from the store and kept in it
 * (NULL: in memory). If `of` is not NULL, the study must be one of that side, and the bands that the
 * study states are for the values of that side, too. Returns the exit status; the side has no study
 * after an error message. Clear it either way. */
int shk_side_run(struct shk_side *side, const struct shk_arguments *arguments, const char *store,
                 struct shk_side *of);

#endif

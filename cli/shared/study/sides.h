/* The sides of a comparison. A side consists of the values of one or more studies, read from a
 * store, a baseline file, or a git revision of such a file. */
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
  struct shk_baseline *studies; /* one element per study, which contains its values */
  /* The distinct strings in each provenance field of the records. The lists are empty for a
   * baseline. */
  struct shk_index facts[SHK_PROVENANCE_TEXTS];
  struct shk_open_claims open; /* open claims, if the side is a run */
};

/* Reads a side from a store (all studies, or only `study` if it is not NULL) or from a baseline. A
 * baseline is given as FILE or REVISION:FILE, where FILE is relative to the current folder. On
 * failure, prints an error message and returns false. The side must be cleared in either case;
 * `name` must outlive it. */
bool shk_side_read(struct shk_side *side, const struct shk_arguments *arguments, const char *name,
                   const char *study);
void shk_side_clear(struct shk_side *side);
/* Returns the study with the given name, or NULL if there is none. */
struct shk_baseline *shk_side_study(const struct shk_side *side, const char *study);

/* Runs the study that the command line names. Existing records are read from the store, and new
 * ones are written to it; if `store` is NULL, the records are in memory only. If `of` is not NULL,
 * the study must be one of those in `of`, and the bands that it states are also applied to the
 * values in `of`. Returns the exit status. If an error message was printed, the side contains no
 * study. The side must be cleared in either case. */
int shk_side_run(struct shk_side *side, const struct shk_arguments *arguments, const char *store,
                 struct shk_side *of);

#endif

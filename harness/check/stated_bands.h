/* Bands that a study states for values of its baseline, with their reasons. They replace both the
 * bands from theory and those of the baseline. */
#ifndef HARNESS_CHECK_STATED_BANDS_H
#define HARNESS_CHECK_STATED_BANDS_H

#include "harness/check/baseline.h"
#include "harness/study/study.h"

/* Initialize with {0}. */
struct shk_stated_bands {
  int count;
  struct shk_stated_band {
    char *quantity;
    const char *integrator, *problem, *precision; /* NULL: any; the texts belong to the study */
    struct shk_band band;
    const char *because; /* the text belongs to the study */
    int line;
    bool used; /* true if a value has this name */
  } * all;
};

/* Reads the bands of a study. A name is "QUANTITY [of INTEGRATOR] [on PROBLEM] [in PRECISION]" as
 * in the baseline; a quantity without a run in parentheses is meant for all runs. On failure
 * returns false, with the place in the file, what was found and what was expected. Clear the bands
 * in either case. */
bool shk_stated_bands_read(struct shk_stated_bands *bands, const struct shk_study *study,
                           struct shk_message *error);
/* Gives the newer values, and the older ones (NULL: none), the bands that are stated for them. If
 * there are several, the last counts. An older value whose band the study no longer states gets the
 * band of the newer value. */
void shk_stated_bands_apply(struct shk_stated_bands *bands, struct shk_baseline *older,
                            struct shk_baseline *newer);
void shk_stated_bands_clear(struct shk_stated_bands *bands);

#endif

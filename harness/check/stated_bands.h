/* Bands that a study states for values of its baseline, with their reasons. They replace the bands
 * from theory, those that a baseline has, too. */
#ifndef HARNESS_CHECK_STATED_BANDS_H
#define HARNESS_CHECK_STATED_BANDS_H

#include "harness/check/baseline.h"
#include "harness/study/study.h"

/* Begins as {0}. */
struct shk_stated_bands {
  int count;
  struct shk_stated_band {
    char *quantity;
    const char *integrator, *problem, *precision; /* NULL: all; they belong to the study */
    struct shk_band band;
    const char *because; /* belongs to the study */
    int line;
    bool used; /* a value has the name */
  } * all;
};

/* Reads the bands of a study. A name is "QUANTITY [of INTEGRATOR] [on PROBLEM] [in PRECISION]" as in
 * the baseline; without a run in parentheses it is for all runs. Returns false with the place in the
 * file, the text found and the text expected. Clear the bands either way. */
bool shk_stated_bands_read(struct shk_stated_bands *bands, const struct shk_study *study,
                           struct shk_message *error);
/* Gives the newer values, and the older ones (NULL: none), the bands that are stated for them, of
 * several the last. Older values whose band the study no longer states get that of the newer one. */
void shk_stated_bands_apply(struct shk_stated_bands *bands, struct shk_baseline *older,
                            struct shk_baseline *newer);
void shk_stated_bands_clear(struct shk_stated_bands *bands);

#endif

/* Bands that a study states, with reasons, for values of its baseline. They replace both the
 * theoretical bands and those of the baseline. */
#ifndef HARNESS_CHECK_STATED_BANDS_H
#define HARNESS_CHECK_STATED_BANDS_H

#include "harness/check/baseline.h"
#include "harness/study/study.h"

/* Initialize with {0}. */
struct shk_stated_bands {
  int count;
  struct shk_stated_band {
    char *quantity;
    const char *integrator, *problem, *precision; /* NULL: any; texts are owned by the study */
    struct shk_band band;
    const char *because; /* the text belongs to the study */
    int line;
    bool used; /* true if a value has this name */
  } * all;
};

/* Reads the bands of a study. A name is "QUANTITY [of INTEGRATOR] [on PROBLEM] [in PRECISION]" as
 * in the baseline. If the quantity has no run in parentheses, the band is for all runs. On failure
 * returns false with a message that contains the place in the file, what was found and what was
 * expected. The bands must be cleared in either case. */
bool shk_stated_bands_read(struct shk_stated_bands *bands, const struct shk_study *study,
                           struct shk_message *error);
/* Applies the stated bands to the newer values and, if `older` is not NULL, to the older values. If
 * several bands apply to a value, the last one is used. If the study no longer states the band of
 * an older value, that value gets the band of the newer one. */
void shk_stated_bands_apply(struct shk_stated_bands *bands, struct shk_baseline *older,
                            struct shk_baseline *newer);
void shk_stated_bands_clear(struct shk_stated_bands *bands);

#endif

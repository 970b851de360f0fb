/* Handles the bands that a study sets for values in its baseline, and the reasons for them. They
 * take precedence over both the theoretical bands and those in the baseline. */
#ifndef HARNESS_CHECK_STATED_BANDS_H
#define HARNESS_CHECK_STATED_BANDS_H

#include "harness/check/baseline.h"
#include "harness/study/study.h"

/* Initialize with {0}. */
struct shk_stated_bands {
  int count;
  struct shk_stated_band {
    char *quantity;
    /* NULL matches any value; the strings are owned by the study */
    const char *integrator, *problem, *precision;
    struct shk_band band;
    const char *because; /* the reason, which is owned by the study */
    int line;
    bool used; /* true if the band has been applied to a value */
  } * all;
};

/* Reads the bands of a study. Each name has the form "QUANTITY [of INTEGRATOR] [on PROBLEM] [in
 * PRECISION]", with the same words as in the baseline. If the quantity is not followed by a run in
 * parentheses, the band applies to all runs. On failure, returns false with a message that contains
 * the position in the file, the text found and the text expected. The caller must clear the bands
 * in either case. */
bool shk_stated_bands_read(struct shk_stated_bands *bands, const struct shk_study *study,
                           struct shk_message *error);
/* Applies the study's bands to the newer values and, if `older` is not NULL, to the older values.
 * If several bands apply to a value, the last one is used. If the study no longer sets the band of
 * an older value, the band of the newer value is used instead. */
void shk_stated_bands_apply(struct shk_stated_bands *bands, struct shk_baseline *older,
                            struct shk_baseline *newer);
void shk_stated_bands_clear(struct shk_stated_bands *bands);

#endif

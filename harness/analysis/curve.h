/*
 * Error curves of a family of cells.
 */
#ifndef HARNESS_ANALYSIS_CURVE_H
#define HARNESS_ANALYSIS_CURVE_H

#include "harness/analysis/family.h"

/* The blocks that have errors, in the order in which they are reported. */
#define SHK_CURVE_BLOCKS 7
extern const char *const shk_curve_blocks[SHK_CURVE_BLOCKS];

/* The order that the family's integrator claims of a block. */
int shk_curve_claim(const struct shk_claims *claims, int block);

/* The curve of a block, fitted. False, and nothing to free, if no record or no reference has the
 * block. */
bool shk_curve_make(struct shk_curve *curve, const struct shk_family *family,
                    const struct shk_group_reference *reference, int block,
                    const struct shk_analysis_source *source);

/* The curve of max |H - H(0)|; false if no record has it. */
bool shk_curve_make_energy(struct shk_curve *curve, const struct shk_family *family);

void shk_curve_clear(struct shk_curve *curve);

#endif

/* The table of the bounds of verdicts (bounds.def). */
#ifndef HARNESS_ANALYSIS_FAMILIES_BOUNDS_H
#define HARNESS_ANALYSIS_FAMILIES_BOUNDS_H

enum shk_bound {
#define BOUND(id, value, why) SHK_BOUND_##id,
#include "harness/analysis/families/bounds.def"
#undef BOUND
  SHK_BOUNDS
};

extern const double shk_bounds[SHK_BOUNDS];

/* The largest ratio to its floor for a quantity that vanishes, and the smallest for one that does
 * not. */
#define SHK_VANISHES shk_bounds[SHK_BOUND_VANISHES]
#define SHK_DOES_NOT_VANISH shk_bounds[SHK_BOUND_REMAINS]

#endif

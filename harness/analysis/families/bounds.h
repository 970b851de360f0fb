/* Bounds of verdicts: the table of bounds.def. */
#ifndef HARNESS_ANALYSIS_FAMILIES_BOUNDS_H
#define HARNESS_ANALYSIS_FAMILIES_BOUNDS_H

enum shk_bound {
#define BOUND(id, value, why) SHK_BOUND_##id,
#include "harness/analysis/families/bounds.def"
#undef BOUND
  SHK_BOUNDS
};

extern const double shk_bounds[SHK_BOUNDS];

/* Largest ratio to the floor of quantities that vanish, and least ratio of those that do not. */
#define SHK_VANISHES shk_bounds[SHK_BOUND_VANISHES]
#define SHK_DOES_NOT_VANISH shk_bounds[SHK_BOUND_REMAINS]

#endif

/* The bounds that determine verdicts; see bounds.def. */
#ifndef HARNESS_ANALYSIS_FAMILIES_BOUNDS_H
#define HARNESS_ANALYSIS_FAMILIES_BOUNDS_H

enum shk_bound {
#define BOUND(id, value, why) SHK_BOUND_##id,
#include "harness/analysis/families/bounds.def"
#undef BOUND
  SHK_BOUNDS
};

extern const double shk_bounds[SHK_BOUNDS];

/* A quantity vanishes if it is at most SHK_VANISHES times its floor, and does not vanish if it is
 * at least SHK_DOES_NOT_VANISH times its floor. */
#define SHK_VANISHES shk_bounds[SHK_BOUND_VANISHES]
#define SHK_DOES_NOT_VANISH shk_bounds[SHK_BOUND_REMAINS]

#endif

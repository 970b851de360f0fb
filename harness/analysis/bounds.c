/* Bounds of verdicts. See bounds.h. */
#include "harness/analysis/bounds.h"

const double shk_bounds[SHK_BOUNDS] = {
#define BOUND(id, value, why) [SHK_BOUND_##id] = value,
#include "harness/analysis/bounds.def"
#undef BOUND
};

/* Defines the table of bounds; see bounds.h. */
#include "harness/analysis/families/bounds.h"

const double shk_bounds[SHK_BOUNDS] = {
#define BOUND(id, value, why) [SHK_BOUND_##id] = value,
#include "harness/analysis/families/bounds.def"
#undef BOUND
};

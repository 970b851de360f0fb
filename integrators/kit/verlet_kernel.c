/* The kernel of verlet_lanes.h for the vectors in use. */
#include "integrators/kit/verlet_lanes.h"
#include "mechanics/algebra/vectors_name.h"

#define shk_own_verlet_kernel SHK_NAME(shk_own_verlet_kernel)
SHK_IN_USE(shk_verlet_kernel_in_use, const struct shk_verlet_kernel, shk_own_verlet_kernel)

#include "mechanics/algebra/kernels.h"

#include "mechanics/algebra/vectors_name.h"

#define shk_own_kernels SHK_NAME(shk_own_kernels)
SHK_IN_USE(shk_kernels_in_use, const struct shk_kernels, shk_own_kernels)

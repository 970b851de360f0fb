#include "mechanics/algebra/kernels.h"

#include "foundation/vector_sets.h"

#define shk_own_kernels SHK_NAME(shk_own_kernels)
extern const struct shk_kernels shk_own_kernels;
#if SHK_PRECISION == 64
#define DECLARED(set) extern const struct shk_kernels shk_own_kernels_f64_##set;
#define COMPILED(set) , &shk_own_kernels_f64_##set
SHK_VECTOR_SETS(DECLARED)
#else
#define COMPILED(set) , &shk_own_kernels /* no vector holds these numbers */
#endif

const struct shk_kernels *shk_kernels_in_use(void)
{
  static const struct shk_kernels *const kernels[] = {&shk_own_kernels SHK_VECTOR_SETS(COMPILED)};
  return kernels[shk_vectors()];
}

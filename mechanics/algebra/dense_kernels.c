/* Inner loops over dense matrices: several entries at a time, each with the sum that it has alone. */
#include "mechanics/algebra/factor_lu.h"
#include "mechanics/algebra/inlined.h"
#include "mechanics/algebra/kernels.h"
#include "mechanics/algebra/simd.h"
#include "mechanics/algebra/vectors_name.h"

enum { COLUMNS = 8 }; /* of K at a time: as many sums as fill the processor's registers */

/* SIMD_LANES rows of K from i on, and `count` columns from j on; scaled: those rows of A M⁻¹, by
 * columns. */
INLINED void tile(real *K, const real *scaled, int padded, const real *B, int m, int n, int i,
                  int j, int count)
{
  simd sums[COLUMNS];
  for (int c = 0; c < count; c++)
    sums[c] = simd_all(0);
  for (int k = 0; k < n; k++) {
    const simd entry = simd_load(scaled + (size_t)k * padded + i);
    for (int c = 0; c < count; c++)
      sums[c] += entry * simd_all(B[(size_t)(j + c) * n + k]);
  }
  for (int lane = 0; lane < SIMD_LANES && i + lane < m; lane++)
    for (int c = 0; c < count; c++)
      K[(size_t)(i + lane) * m + j + c] = simd_get(sums[c], lane);
}

static void products(real *K, const real *A, const real *B, const real *mass, int m, int n,
                     real *scaled)
{
  const int padded = (m + SIMD_LANES - 1) / SIMD_LANES * SIMD_LANES;
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < m; i++)
      scaled[(size_t)k * padded + i] = A[(size_t)i * n + k] / mass[k];
    for (int i = m; i < padded; i++)
      scaled[(size_t)k * padded + i] = 0;
  }
  for (int i = 0; i < m; i += SIMD_LANES) {
    int j = 0;
    for (; j + COLUMNS <= m; j += COLUMNS)
      tile(K, scaled, padded, B, m, n, i, j, COLUMNS);
    for (; j < m; j++)
      tile(K, scaled, padded, B, m, n, i, j, 1);
  }
}

#define shk_own_kernels SHK_VECTORS_NAME(shk_own_kernels)
extern const struct shk_kernels shk_own_kernels;
const struct shk_kernels shk_own_kernels = {.products = products, .lu_factor = factor_lu};

/* Inner loops over dense matrices, compiled for each set of vectors (foundation/vector_sets.h). */
#ifndef MECHANICS_ALGEBRA_KERNELS_H
#define MECHANICS_ALGEBRA_KERNELS_H

#include <shakedown/real.h>

#include <stdbool.h>

struct shk_kernels {
  /* K (m x m) <- A M⁻¹ Bᵀ, A and B m x n by rows; each sum in the order of the columns, from zero.
   * work: SHK_PRODUCTS_WORK(m, n). */
  void (*products)(real *K, const real *A, const real *B, const real *mass, int m, int n,
                   real *work);
  /* shk_lu_factor */
  bool (*lu_factor)(real *a, int *pivots, int n);
};

enum { SHK_PRODUCTS_PADDING = 8 }; /* the widest vector */
#define SHK_PRODUCTS_WORK(m, n) (((size_t)(m) + SHK_PRODUCTS_PADDING) * (size_t)(n))

/* Those for the vectors in use. */
#define shk_kernels_in_use SHK_NAME(shk_kernels_in_use)
const struct shk_kernels *shk_kernels_in_use(void);

#endif

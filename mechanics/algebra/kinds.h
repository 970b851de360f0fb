/* The choices of the options `solver` and `linear`, in the order of shk_solver_heads and
 * shk_linear_heads. */
#ifndef MECHANICS_ALGEBRA_KINDS_H
#define MECHANICS_ALGEBRA_KINDS_H

enum shk_solver_kind {
  SHK_SOLVER_NEWTON,
  SHK_SOLVER_SIMPLIFIED_NEWTON,
  SHK_SOLVER_GAUSS_SEIDEL,
  SHK_SOLVER_LINEARIZED,
  SHK_SOLVER_DAMPED_NEWTON
};

enum shk_linear_kind {
  SHK_LINEAR_AUTO,
  SHK_LINEAR_CHOLESKY,
  SHK_LINEAR_LU,
  SHK_LINEAR_SPARSE,
  SHK_LINEAR_BLOCK,
  SHK_LINEAR_QR,
  SHK_LINEAR_SVD,
  SHK_LINEAR_TIKHONOV
};

#endif

/* The factorizations of the constraint matrix, as every geometric method's option names them. */
#include <shakedown/solve.h>

const struct shk_head shk_linear_heads[] = {
    {"auto",
     "sparse-ldl where the problem declares a sparsity pattern and has more than 8 "
     "constraints, otherwise lu",
     NULL},
    {"cholesky",
     "dense Cholesky of the symmetric matrix at the beginning of the step, once a "
     "solve: Newton's iteration converges linearly",
     NULL},
    {"lu", "dense LU with partial pivoting, at every Newton iterate", NULL},
    {"sparse-ldl",
     "sparse L D Lᵀ in AMD's order without pivoting (L D U where the matrix is not "
     "symmetric), at every Newton iterate",
     NULL},
    {0}};

/* How multipliers are solved for and how the constraint matrix K = G(a) M⁻¹ G(b)ᵀ is factored, as
 * every geometric method's options name them. The order is that of mechanics/algebra/kinds.h. */
#include <shakedown/solve.h>

const struct shk_head shk_solver_heads[] = {
    {"newton",
     "Newton's method: the matrix G(q1) M⁻¹ G(q0)ᵀ, factored at every iterate; converges "
     "quadratically",
     NULL},
    {"simplified-newton",
     "the matrix G(q0) M⁻¹ G(q0)ᵀ of the old point, factored once a solve; converges linearly, the "
     "faster the smaller the step",
     NULL},
    {"gauss-seidel",
     "the sweep of Ryckaert, Ciccotti & Berendsen (1977): one constraint after the other is put "
     "right by its own multiplier, each seeing what the ones before have moved, until all hold; no "
     "matrix, `linear` is not used; an iteration is a sweep, and long chains need many",
     NULL},
    {"linearized",
     "a control that leaves the constraint, on purpose: one linear solve from lambda = 0 with the "
     "matrix of the old point, and one with the same factors for the momentum (block-triangular), "
     "accepted as they are; `tolerance` and `iterations` are not used",
     NULL},
    {"damped-newton",
     "Newton's method whose steps are halved, up to 20 times, until max|g| falls: slower to "
     "diverge "
     "near a singular configuration, and no surer to find the right branch",
     NULL},
    {0}};

static const struct shk_option tikhonov_options[] = {
    {.name = "epsilon",
     .kind = SHK_OPTION_REAL,
     .fallback = "1e-6",
     .minimum = "0",
     .positive = true,
     .meaning = "what is added to the diagonal of K, in the units of K"},
    {0}};

const struct shk_head shk_linear_heads[] = {
    {"auto",
     "follows the constraint graph. Where the problem declares a sparsity pattern: block if there "
     "are several components of at most 3 constraints each, otherwise sparse-ldl if there are more "
     "than 8 constraints. In all other cases lu",
     NULL},
    {"cholesky",
     "dense Cholesky of the symmetric matrix at the beginning of the step, once a "
     "solve: Newton's iteration converges linearly",
     NULL},
    {"lu", "dense LU with partial pivoting", NULL},
    {"sparse-ldl",
     "sparse L D Lᵀ in AMD's order without pivoting (L D U where the matrix is not symmetric)",
     NULL},
    {"block",
     "one dense LU for each connected component of the constraint graph (constraints are joined "
     "where they share a coordinate)",
     NULL},
    {"qr",
     "rank-revealing: Householder QR of M^(-1/2) G(b)ᵀ, each column scaled to length one, with "
     "column pivoting. Redundant constraints are dropped: their multipliers are zero, and the "
     "others solve the remaining equations (reparametrization)",
     NULL},
    {"svd",
     "singular values of G(b) M^(-1/2), each row scaled to length one, by Jacobi rotations. Of the "
     "multipliers with the same force those with the least sum of (d_i lambda_i)², d_i the length "
     "of row i before scaling: how the force is shared does not depend on how the constraints are "
     "scaled",
     NULL},
    {"tikhonov",
     "a control that leaves the constraint, on purpose: K + epsilon·1 in place of K, so that "
     "g = epsilon·h·k·lambda remains (k the time that lambda acts, half a step in RATTLE over "
     "Störmer-Verlet); dense LU",
     tikhonov_options},
    {0}};

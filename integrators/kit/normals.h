/*
 * Newton's method for a step d = q1 - q0 with multipliers that act along normals:
 *
 *     d = F(d) - c M⁻¹ Nᵀ lambda,     g(d) = 0
 *
 * The matrix is c g_d M⁻¹ Nᵀ with g_d = ∂g/∂d; derivatives of F and N are left out of it, so that each
 * iteration contracts by O(h) or O(h²), down to round-off. Separable systems. The constraint force
 * is -Nᵀ lambda.
 */
#ifndef INTEGRATORS_KIT_NORMALS_H
#define INTEGRATORS_KIT_NORMALS_H

#include <shakedown/bind.h>
#include <shakedown/parts/real.h>

/* A member of the method's struct, with SHK_NORMALS_ARRAYS in its table of arrays,
 * SHK_NORMALS_OPTION in its options, and shk_bind_linear for `linear`. */
struct shk_normals {
  struct shk_linear *linear;
  struct shk_iteration iteration;
  real c;
  real *d, *r, *scratch; /* n: the unknown; F(d) - c M⁻¹ Nᵀ lambda - d */
  real *g, *change;      /* m */
  real *g_d, *normal;    /* entries of the pattern of G: g_d and N */
};
#define SHK_NORMALS_ARRAYS(type, member)                                                           \
  SHK_ARRAYS(type, (.n = 1), member.d, member.r, member.scratch),                                  \
      SHK_ARRAYS(type, (.m = 1), member.g, member.change),                                         \
      SHK_ARRAYS(type, (.entries = 1), member.g_d, member.normal)
#define SHK_NORMALS_OPTION(type, member)                                                           \
  SHK_INTEGER(type, member.iteration.limit, "iterations", "1000",                                  \
              "maximum number of iterations per step; a step that reaches it fails",               \
              .minimum = "1", .maximum = "100000")

/* Evaluates r, g, g_d and N at d and lambda. */
typedef struct shk_status shk_normals_equations(void *method, const real *lambda);

/* Solves from the guesses in d and lambda (m). r, g, g_d and N belong to the solution; d + r has a
 * smaller rounding than d. */
struct shk_status shk_normals_solve(struct shk_normals *normals, struct shk_evaluator *evaluator,
                                    const struct shk_state *from, real *lambda,
                                    shk_normals_equations *equations, void *method);

/* Subtracts factor M⁻¹ Gᵀ lambda from x (n); work: n. */
void shk_normals_subtract(const struct shk_evaluator *evaluator, real *x, real *scratch,
                          real factor, const real *G, const real *lambda);

#endif

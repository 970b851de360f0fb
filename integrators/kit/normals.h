/*
 * Finds a step d = q1 - q0 with multipliers that act along normals, using Newton's method:
 *
 *     d = F(d) - c M⁻¹ Nᵀ lambda,     g(d) = 0
 *
 * The matrix is c g_d M⁻¹ Nᵀ with g_d = ∂g/∂d. Because the matrix omits the derivatives of F and N,
 * convergence is linear: each iteration reduces the error by a factor of O(h) or O(h²), until
 * round-off is reached. Only separable systems are supported. The constraint force is -Nᵀ lambda.
 */
#ifndef INTEGRATORS_KIT_NORMALS_H
#define INTEGRATORS_KIT_NORMALS_H

#include <shakedown/bind.h>
#include <shakedown/parts/real.h>

/* Used as a member of the method's struct. The method must include SHK_NORMALS_ARRAYS in its array
 * table and SHK_NORMALS_OPTION in its options, and must bind `linear` by shk_bind_linear. */
struct shk_normals {
  struct shk_linear *linear;
  struct shk_iteration iteration;
  real c;
  real *d, *r, *scratch; /* n entries each: the unknown d, and r = F(d) - c M⁻¹ Nᵀ lambda - d */
  real *g, *change;      /* m */
  real *g_d, *normal;    /* g_d and N, stored in the pattern of G */
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

/* Solves for d and lambda (m), whose values on entry are the initial guesses. On return, r, g, g_d
 * and N are those of the solution, and d + r has a smaller rounding error than d. */
struct shk_status shk_normals_solve(struct shk_normals *normals, struct shk_evaluator *evaluator,
                                    const struct shk_state *from, real *lambda,
                                    shk_normals_equations *equations, void *method);

/* Subtracts factor M⁻¹ Gᵀ lambda from x (n). `scratch` has n entries. */
void shk_normals_subtract(const struct shk_evaluator *evaluator, real *x, real *scratch,
                          real factor, const real *G, const real *lambda);

#endif

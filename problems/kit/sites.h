/*
 * Point masses joined by distance constraints, used for molecules and for systems read from a file.
 *
 *     H = Σ |p_i|²/(2m_i) + V(q),     0 = ½ (|r_a - r_b|² - l²) for every bond (a,b),
 *
 * where q = (r_1, …, r_N) and each r_i has 2 or 3 components. An end of a bond can be a fixed
 * point. The constraint force is -Gᵀλ. Each problem defines its own potential, which does not
 * depend on t.
 *
 * The initial velocities are drawn from the canonical distribution and made tangent (shk_sites_draw
 * and shk_make_consistent). The result has the canonical distribution on the tangent space because
 * the projection is orthogonal in the mass metric. The projection moves p along Gᵀ, so the total
 * momentum of a system without fixed points does not change.
 *
 * Molecules use the units nm, ps and u (and therefore kJ/mol) unless stated otherwise.
 */
#ifndef PROBLEMS_KIT_SITES_H
#define PROBLEMS_KIT_SITES_H

#include "problems/kit/points.h"
#include <shakedown/solve.h>

#include <stdint.h>

/* The gas constant in kJ/(mol K), which has been exact since 2019, and e²/(4 pi epsilon_0) in kJ
 * nm/mol from CODATA 2018 (E. Tiesinga et al., Rev. Mod. Phys. 93 (2021) 025010). */
#define SHK_GAS_CONSTANT R(0.00831446261815324)
#define SHK_COULOMB_CONSTANT R(138.935457644382035)

/* A system of sites. It must be the first member of a problem's context. */
struct shk_sites {
  struct shk_rods declared; /* the declaration of the system, filled in by shk_sites_bind */
  int dimension, count, rod_count;
  struct shk_rod *rods; /* `rod_count` rods, each with a < b */
  real *mass, *q, *p;   /* masses of all coordinates; q and p are the initial state */
  const real *fixed;    /* fixed points with `dimension` numbers each, or NULL if there are none */
};

/* Allocates zeroed arrays of the given sizes in the workspace. */
struct shk_status shk_sites_create(struct shk_sites *sites, struct shk_workspace *workspace,
                                   int dimension, int count, int rod_count);

/* Sets n, m, the masses, the constraints, the sparsity pattern and the initial state of the
 * instance. */
struct shk_status shk_sites_bind(struct shk_instance *instance, struct shk_sites *sites);

/* Draws momenta from the canonical distribution for the given energy k_B T, and removes the mean
 * velocity. */
void shk_sites_draw(struct shk_sites *sites, real temperature, uint64_t *seed);

/* Invariants of free sites in space. The first function stores the total momentum (3 numbers); the
 * second stores the total momentum and the angular momentum about the origin (6 numbers).
 * shk_momentum_names returns their names. */
int shk_sites_momentum(const void *context, real *values, real t, const real *q, const real *p);
int shk_sites_momenta(const void *context, real *values, real t, const real *q, const real *p);

#endif

/*
 * Point masses joined by distance constraints, for molecules and systems from a file.
 *
 *     H = Σ |p_i|²/(2m_i) + V(q),     0 = ½ (|r_a - r_b|² - l²) for every bond (a,b),
 *
 * q = (r_1, …, r_N), r in 2 or 3 dimensions; an end of a bond may be a fixed point. The constraint
 * force is -Gᵀλ. The potential is the problem's own and does not depend on t.
 *
 * Starts: velocities drawn from the canonical distribution and made tangent (shk_sites_draw and
 * shk_make_consistent). They stay canonical on the tangent space, since the projection is
 * orthogonal in the metric of the masses. It moves p along Gᵀ, so the total momentum of a system
 * without fixed points does not change.
 *
 * Molecules have the units nm, ps and u (and so kJ/mol) unless stated otherwise.
 */
#ifndef PROBLEMS_KIT_SITES_H
#define PROBLEMS_KIT_SITES_H

#include "problems/kit/points.h"
#include <shakedown/solve.h>

#include <stdint.h>

/* The gas constant in kJ/(mol K), exact since 2019, and e²/(4 pi epsilon_0) in kJ nm/mol from
 * CODATA 2018 (E. Tiesinga et al., Rev. Mod. Phys. 93 (2021) 025010). */
#define SHK_GAS_CONSTANT R(0.00831446261815324)
#define SHK_COULOMB_CONSTANT R(138.935457644382035)

/* A system of sites; the first member of a problem's context. */
struct shk_sites {
  struct shk_rods declared; /* the system's declaration, filled by shk_sites_bind */
  int dimension, count, rod_count;
  struct shk_rod *rods; /* rod_count, a < b */
  real *mass, *q, *p;   /* of every coordinate; q and p are the start */
  const real *fixed;    /* fixed points, `dimension` numbers each; NULL: none */
};

/* Allocates zeroed arrays of these sizes in the workspace. */
struct shk_status shk_sites_create(struct shk_sites *sites, struct shk_workspace *workspace,
                                   int dimension, int count, int rod_count);

/* Fills n, m, mass, constraints, pattern and start of the instance. */
struct shk_status shk_sites_bind(struct shk_instance *instance, struct shk_sites *sites);

/* Draws momenta from the canonical distribution at this energy k_B T and
 * removes their mean velocity. */
void shk_sites_draw(struct shk_sites *sites, real temperature, uint64_t *seed);

/* Invariants of free sites in space: total momentum (3); total momentum and angular momentum about
 * the origin (6), as named by shk_momentum_names. */
int shk_sites_momentum(const void *context, real *values, real t, const real *q, const real *p);
int shk_sites_momenta(const void *context, real *values, real t, const real *q, const real *p);

#endif

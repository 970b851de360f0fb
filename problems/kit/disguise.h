/*
 * A problem in disguise: the same motion in other coordinates, with other rows for the same
 * constraints, and in other units,
 *
 *     q~ = L T q,   p~ = (m L/τ) T p,   t~ = τ t + t_0,   H~ = (m L²/τ²) H,   Q~ = (m L/τ²) T Q,
 *     g~_i = c_i (g_k + a_i g_k²),   k = k(i),   λ~_i = (m L²/τ²) λ_k/c_i,
 *
 * with T orthogonal, a permutation of coordinates or of points, turned: space where the system
 * declares rods between points, else up to three coordinates of equal mass together (any, where M
 * depends on q or H is general), so that M stays diagonal. What steps both must take the same steps:
 * a method that is covariant, but for round-off.
 */
#ifndef PROBLEMS_KIT_DISGUISE_H
#define PROBLEMS_KIT_DISGUISE_H

#include "problems/kit/wrapped.h"

struct shk_disguise_choice;

#define shk_disguise_make SHK_NAME(shk_disguise_make)
#define shk_disguise_put_on SHK_NAME(shk_disguise_put_on)
#define shk_disguise_take_off SHK_NAME(shk_disguise_take_off)
#define shk_disguise_time SHK_NAME(shk_disguise_time)
#define shk_disguise_multipliers SHK_NAME(shk_disguise_multipliers)

/* Fills in *instance, whose workspace holds the rest and whose system's context becomes the
 * disguise of what is wrapped, which outlives it. */
struct shk_status shk_disguise_make(struct shk_instance *instance, struct shk_wrapped *wrapped,
                                    const struct shk_disguise_choice *choice);

/* States of the problem (q, p: n each; NULL: not wanted) in the disguise's coordinates, and back. */
void shk_disguise_put_on(const struct shk_instance *disguised, real *q_out, real *p_out,
                         const real *q, const real *p);
void shk_disguise_take_off(const struct shk_instance *disguised, real *q_out, real *p_out,
                           const real *q, const real *p);
/* Multipliers of the disguise (m) as the problem's: λ_k = c_i λ~_i/(m L²/τ²). */
void shk_disguise_multipliers(const struct shk_instance *disguised, real *lambda_out,
                              const real *lambda);
/* Its unit of time, τ. */
real shk_disguise_time(const struct shk_instance *disguised);

#endif

/*
 * Measures of structure: properties of the map of one step, not of a run. Each is a cell of its own
 * kind, with one step length h, and adds its scalars to the outcome.
 *
 * All is scaled: q by the largest |q_i| of the start, p by the largest of |p_i| and of
 * m_i |q| / time scale, so that defects are numbers without unit. With eps the precision's and τ
 * the problem's time scale, a step returns a state with a round-off of about
 *
 *     r = eps (1 + τ/|h|)
 *
 * in these units: a multiplier is solved to the rounding of g(q) = 0, and its impulse has that
 * divided by h. Every floor is at least r; larger errors of the differences or of a control in the
 * same cell raise it.
 */
#ifndef MEASURES_STRUCTURE_H
#define MEASURES_STRUCTURE_H

#include "foundation/specifications/cell.h"
#include <shakedown/integrator.h>
#include <shakedown/solve.h>

/* Coordinates up to which symplecticity is measured: it takes 12 steps for each dimension. */
#define SHK_SYMPLECTICITY_LIMIT 100
/* Steps over which the fibre identity is followed. */
#define SHK_FIBRE_STEPS 10

/* The map of one step, and the point at which it is measured. */
struct shk_map {
  const struct shk_instance *instance;
  struct shk_manifold *manifold; /* for residuals and projections; not the method's */
  const struct shk_integrator *integrator;
  void *method;
  const struct shk_state *start;
  real step;
};

#define shk_map_scales SHK_NAME(shk_map_scales)
#define shk_map_rounding SHK_NAME(shk_map_rounding)
#define shk_map_step SHK_NAME(shk_map_step)
#define shk_map_distance SHK_NAME(shk_map_distance)
#define shk_map_perturb SHK_NAME(shk_map_perturb)
#define shk_measure_symplecticity SHK_NAME(shk_measure_symplecticity)
#define shk_measure_round_trip SHK_NAME(shk_measure_round_trip)
#define shk_measure_fibre SHK_NAME(shk_measure_fibre)

/* The scales of q and p. */
void shk_map_scales(const struct shk_map *map, real *q_scale, real *p_scale);
/* The r above, for a step h. */
real shk_map_rounding(const struct shk_map *map, real h);
/* One step of length h from *from to *to; sets to->t. A state that is not finite is a failure. */
struct shk_status shk_map_step(const struct shk_map *map, struct shk_state *to,
                               const struct shk_state *from, real h);
/* Largest scaled difference of q and p, carries included; with `reversed` p counts as -p in b. */
real shk_map_distance(const struct shk_map *map, const struct shk_state *a,
                      const struct shk_state *b, bool reversed);
/* Moves q and p by a rounding each (eps times the scales), with alternating signs. */
void shk_map_perturb(const struct shk_map *map, struct shk_state *state);

/* How far the pull-back of ω = Σ dq∧dp by the step is from ω, on T M^H or, with `on_fibres`, on
 * T M:
 *   NAME-defect       max |ω(DΨ u, DΨ v) - ω(u, v)| over an orthonormal basis, at the smaller
 *                     increment
 *   NAME-spread       the largest change of an entry from the larger increment to the smaller
 *   NAME-control      the defect of the identity map, which is symplectic, by the same differences
 *   NAME-floor        the largest of spread, control and r/increment
 *   NAME-rounding     r/increment
 *   NAME-departure residual of Ψ(z): distance of the image from M^H (or M), rows scaled to length
 *   one
 *   NAME-departure-floor  r
 * NAME is "symplecticity" or "presymplecticity". */
struct shk_status shk_measure_symplecticity(struct shk_outcome *outcome, const struct shk_map *map,
                                            bool on_fibres);

/* Symmetry, max |Ψ_{-h} Ψ_h z - z|, or, with `reversed`, reversibility, max |ρ Ψ_h ρ Ψ_h z - z|
 * with ρ(q,p) = (q,-p):  NAME-defect, NAME-control (the change that a rounding of the middle state
 * makes) and NAME-floor, the larger of r and the control. */
struct shk_status shk_measure_round_trip(struct shk_outcome *outcome, const struct shk_map *map,
                                         bool reversed);

/* The fibre identity max |Π S^k z - R^k z| for k = 1 … SHK_FIBRE_STEPS, where `map` is S, `partner`
 * is R and Π the slide along the fibre onto the hidden constraint: fibre-defect, fibre-control (the
 * change that a rounding of the start makes in R^k z) and fibre-floor, the larger of k r and the
 * control. */
struct shk_status shk_measure_fibre(struct shk_outcome *outcome, const struct shk_map *map,
                                    const struct shk_map *partner);

#endif

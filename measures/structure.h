/*
 * Structure measures: properties of the map of one step, not of a run. Each measure is a line of
 * structure.def and a type of cell, and has a single step length h.
 *
 * States are scaled to make defects dimensionless. Each group of coordinates with a common unit
 * (`units` in struct shk_system) is scaled separately: q by the largest |q_i| of the start, and p
 * by the largest |p_i| or, for separable systems, by the largest m_i times the scale of q divided
 * by the time scale τ, if that is more. A group that is zero at the start gets the size of its
 * motion (floors.h). If eps is that of the precision, a step returns a state with a round-off of
 * about
 *
 *     r = eps (1 + τ/|h|)
 *
 * in these units, because a multiplier is solved to the rounding of g(q) = 0, and its impulse has
 * that rounding divided by h. The floors of states are at least r. They are raised by errors of
 * differences and by a control in the same cell.
 */
#ifndef MEASURES_STRUCTURE_H
#define MEASURES_STRUCTURE_H

#include "foundation/specifications/cell.h"
#include "measures/asks.h"
#include "mechanics/diagnosis/floors.h"
#include <shakedown/parts/integrator.h>
#include <shakedown/solve.h>

/* The map of one step, and the state at which it is measured. */
struct shk_map {
  const struct shk_instance *instance;
  /* for residuals and projections; separate from the method's own manifold */
  struct shk_manifold *manifold;
  const struct shk_integrator *integrator;
  void *method;
  const struct shk_state *start;
  real step;
  real *q_scale, *p_scale; /* scale of each coordinate (n each) */
};

/* Stores the scales in the arrays of the map, from the sizes of its motion. Scales that are still
 * zero become 1. */
void shk_map_find_scales(const struct shk_map *map, const struct shk_floors *floors);
/* Returns the largest product of the scales of q and p. */
real shk_map_action(const struct shk_map *map);
/* Returns r, as defined above, for a step h. */
real shk_map_rounding(const struct shk_map *map, real h);
/* Takes one step of length h from *from to *to and sets to->t. Returns SHK_NOT_FINITE if the new
 * state is not finite. */
struct shk_status shk_map_step(const struct shk_map *map, struct shk_state *to,
                               const struct shk_state *from, real h);
/* Sets the memory, for steps of length h, of a state that was not reached by a step of the
 * method. */
struct shk_status shk_map_begin(const struct shk_map *map, struct shk_state *state, real h);
/* Returns the largest scaled difference of q and p, including carries. If `reversed` is true, first
 * reverses the sign of p in b. */
real shk_map_distance(const struct shk_map *map, const struct shk_state *a,
                      const struct shk_state *b, bool reversed);
/* Perturbs each component of q and p by a rounding (eps times its scale), with alternating
 * signs. */
void shk_map_perturb(const struct shk_map *map, struct shk_state *state);

/* Stores the start perturbed by shk_map_perturb, with the method's memory for that state. The state
 * is projected onto the constraints, because only tangent changes are of interest. */
struct shk_status shk_map_rounded_start(const struct shk_map *map, struct shk_state *state);

/* Maximum dimension of the space in which points move. */
enum { SHK_MOST_DIMENSIONS = 3 };
/* Sets *answer to true if all points are free and the total force on them vanishes. Every
 * consistent step then preserves the total momentum. Overwrites force (n). */
struct shk_status shk_map_is_free(bool *answer, const struct shk_map *map, real *force);

/* The arguments and the memory for measuring one map. Every measure adds NAME-defect and NAME-floor
 * to the outcome, and the scalars from which it computes them. */
struct shk_trial {
  const struct shk_map *map;
  /* The map that the requirements (asks.h) name: the map of the partner or of the reference, or the
   * integrator's own map on the transformed problem or with a different solver. With
   * SHK_WITH_COUNTS it is an array of SHK_ITERATES maps. NULL unless required. */
  const struct shk_map *other;
  const char *name;
  int variant; /* of struct shk_structure */
  struct shk_outcome *outcome;
  /* evaluator for the map's problem; its workspace owns the arrays */
  struct shk_evaluator evaluator;
  /* as many states as the measure requires, each with the dimensions of the start */
  struct shk_state state[6];
};

/* A structure measure, whose name is a word of structure.def. */
struct shk_structure {
  struct shk_structure_asks asks;
  /* number of states in the trial: at most 6, and at least 3 if the measure needs a power; and the
   * property to measure, if one function implements several measures */
  int states, variant;
  struct shk_status (*measure)(struct shk_trial *trial);
};

#define STRUCTURE(id, word, ...) extern const struct shk_structure shk_structure_##word;
#include "measures/structure.def"
#undef STRUCTURE

/* Measures a map. If the measure needs a power, also adds NAME-step-error, the distance of a step
 * from two steps of half its length, unless one of these steps fails. */
struct shk_status shk_structure_measure(struct shk_outcome *outcome,
                                        const struct shk_structure *structure, const char *name,
                                        const struct shk_map *map, const struct shk_map *other);
/* Adds the scalar "NAME-what". */
void shk_trial_add(const struct shk_trial *trial, const char *what, real value);
/* Adds the defect, the control, and the larger of the control and the rounding as the floor. */
void shk_trial_compare(const struct shk_trial *trial, real defect, real control, real rounding);

#endif

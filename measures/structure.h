/*
 * Structure measures are properties of the map of one step, not of a run. Each measure is an entry
 * in structure.def and a cell type, and uses a single step length h.
 *
 * States are scaled to make defects dimensionless. Each group of coordinates with a common unit
 * (`units` in struct shk_system) is scaled separately. The scale of q is the largest |q_i| at the
 * start. The scale of p is the largest |p_i| or, for separable systems, the largest m_i times the
 * scale of q divided by the time scale τ, if this is larger. A group that is zero at the start is
 * scaled by the size of its motion (floors.h). If eps is the machine epsilon of the precision, a
 * step returns a state with a round-off error of about
 *
 *     r = eps (1 + τ/|h|)
 *
 * in these units, because a multiplier is determined only up to the rounding error of g(q) = 0, and
 * its impulse has this error divided by h. The floors of states are at least r. The errors of
 * finite differences and a control in the same cell can increase these floors.
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
  /* used for residuals and projections; distinct from the manifold object that the method uses */
  struct shk_manifold *manifold;
  const struct shk_integrator *integrator;
  void *method;
  const struct shk_state *start;
  real step;
  real *q_scale, *p_scale; /* scale of each component of q and p (n numbers each) */
};

/* Computes the scales from the size of the motion and stores them in the map's arrays. Scales that
 * would be zero become 1. */
void shk_map_find_scales(const struct shk_map *map, const struct shk_floors *floors);
/* Returns the largest product of the scales of q and p. */
real shk_map_action(const struct shk_map *map);
/* Returns the round-off r, as defined at the top of this file, for a step of length h. */
real shk_map_rounding(const struct shk_map *map, real h);
/* Takes one step of length h from *from to *to and sets to->t. Returns SHK_NOT_FINITE if the new
 * state is not finite. */
struct shk_status shk_map_step(const struct shk_map *map, struct shk_state *to,
                               const struct shk_state *from, real h);
/* Initializes the memory of a state that was not reached by a step of the method, for steps of
 * length h. */
struct shk_status shk_map_begin(const struct shk_map *map, struct shk_state *state, real h);
/* Returns the largest scaled difference in q and p, including carries. If `reversed` is true, p in
 * b is negated first. */
real shk_map_distance(const struct shk_map *map, const struct shk_state *a,
                      const struct shk_state *b, bool reversed);
/* Perturbs each component of q and p by a rounding error (eps times its scale), with alternating
 * signs. */
void shk_map_perturb(const struct shk_map *map, struct shk_state *state);

/* Stores the start after shk_map_perturb, with the method's memory for that state. The state is
 * projected onto the constraints, because only tangential changes are of interest. */
struct shk_status shk_map_rounded_start(const struct shk_map *map, struct shk_state *state);

/* Maximum dimension of the space in which points move. */
enum { SHK_MOST_DIMENSIONS = 3 };
/* Sets *answer to true if all points are free and the total force on them vanishes. Every
 * consistent step then preserves the total momentum. Overwrites force (n). */
struct shk_status shk_map_is_free(bool *answer, const struct shk_map *map, real *force);

/* Arguments and memory for measuring one map. Every measure adds NAME-defect and NAME-floor to the
 * outcome, together with the scalars from which they are computed. */
struct shk_trial {
  const struct shk_map *map;
  /* The other map that the requirements (asks.h) specify: the map of the partner or of the
   * reference, or the integrator's own map on the transformed problem or with a different solver.
   * With SHK_WITH_COUNTS, this is an array of SHK_ITERATES maps. NULL if no other map is
   * required. */
  const struct shk_map *other;
  const char *name;
  int variant; /* of struct shk_structure */
  struct shk_outcome *outcome;
  /* evaluator for the map's problem; its workspace owns the arrays */
  struct shk_evaluator evaluator;
  /* the number of states that the measure requires, each with the dimensions of the start */
  struct shk_state state[6];
};

/* A structure measure, whose name is a word of structure.def. */
struct shk_structure {
  struct shk_structure_asks asks;
  /* `states` is the number of states in the trial: at most 6, and at least 3 if the measure needs a
   * power. `variant` is the property to measure if one function implements several measures. */
  int states, variant;
  struct shk_status (*measure)(struct shk_trial *trial);
};

#define STRUCTURE(id, word, ...) extern const struct shk_structure shk_structure_##word;
#include "measures/structure.def"
#undef STRUCTURE

/* Measures a map. If the measure needs a power, also adds NAME-step-error, the distance between a
 * step and two steps of half its length, unless one of these steps fails. */
struct shk_status shk_structure_measure(struct shk_outcome *outcome,
                                        const struct shk_structure *structure, const char *name,
                                        const struct shk_map *map, const struct shk_map *other);
/* Adds the scalar "NAME-what". */
void shk_trial_add(const struct shk_trial *trial, const char *what, real value);
/* Adds the defect and the control as scalars, and the larger of the control and the rounding error
 * as the floor. */
void shk_trial_compare(const struct shk_trial *trial, real defect, real control, real rounding);

#endif

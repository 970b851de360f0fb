/*
 * Structure measures: properties of the map of one step, not of a run. Each is a line of
 * structure.def and a cell of its own type, with one step length h.
 *
 * States are scaled, so that defects have no unit, each group of coordinates with a common unit by
 * itself (`units` in struct shk_system): q by the largest |q_i| of the start; p by the largest |p_i|
 * or, for separable systems, by the largest m_i times the scale of q over the time scale τ, if that
 * is more. A group that is zero at the start has the size of its motion (floors.h). With eps the
 * precision's, a step returns a state with a round-off of about
 *
 *     r = eps (1 + τ/|h|)
 *
 * in these units: a multiplier is solved to the rounding of g(q) = 0, and its impulse has that
 * rounding divided by h. Floors of states are at least r; errors of differences, and a control in
 * the same cell, raise them.
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
  struct shk_manifold *manifold; /* for residuals and projections; not the method's own */
  const struct shk_integrator *integrator;
  void *method;
  const struct shk_state *start;
  real step;
  real *q_scale, *p_scale; /* of each coordinate (n each) */
};

/* Stores the scales in the arrays of the map, by the sizes of its motion; 1 where these are zero,
 * too. */
void shk_map_find_scales(const struct shk_map *map, const struct shk_floors *floors);
/* Returns the largest product of the scales of q and p. */
real shk_map_action(const struct shk_map *map);
/* Returns r, as above, for a step h. */
real shk_map_rounding(const struct shk_map *map, real h);
/* Takes one step of length h from *from to *to and sets to->t. SHK_NOT_FINITE if the new state is
 * not finite. */
struct shk_status shk_map_step(const struct shk_map *map, struct shk_state *to,
                               const struct shk_state *from, real h);
/* Sets the memory of a state that no step of the method has reached, for steps of length h. */
struct shk_status shk_map_begin(const struct shk_map *map, struct shk_state *state, real h);
/* Returns the largest scaled difference of q and p, carries included, after a change of the sign of
 * p in b if `reversed`. */
real shk_map_distance(const struct shk_map *map, const struct shk_state *a,
                      const struct shk_state *b, bool reversed);
/* Moves q and p by a rounding each (eps times the scales), with alternating signs. */
void shk_map_perturb(const struct shk_map *map, struct shk_state *state);

/* Stores the start moved by shk_map_perturb, with the method's memory for that state. It is
 * projected onto the constraints, since only tangent changes are of interest. */
struct shk_status shk_map_rounded_start(const struct shk_map *map, struct shk_state *state);

/* Dimensions of the space of points. */
enum { SHK_MOST_DIMENSIONS = 3 };
/* Sets *answer: all points are free, and the total force on them vanishes, so that every consistent
 * step keeps the total momentum. Overwrites force (n). */
struct shk_status shk_map_is_free(bool *answer, const struct shk_map *map, real *force);

/* Arguments and memory of a measurement of one map. Every measure adds to the outcome NAME-defect,
 * NAME-floor and the scalars from which it computes them. */
struct shk_trial {
  const struct shk_map *map;
  /* The map that the requirements (asks.h) name: that of the partner or of the reference, or the
   * integrator's own on the transformed problem or with another solve (SHK_WITH_COUNTS: an array of
   * SHK_ITERATES maps). NULL unless required. */
  const struct shk_map *other;
  const char *name;
  int variant; /* of struct shk_structure */
  struct shk_outcome *outcome;
  struct shk_evaluator evaluator; /* of the map's problem; arrays belong to its workspace */
  struct shk_state state[6];      /* as many as the measure requires, with the start's sizes */
};

/* Descriptor of a structure measure, a word of structure.def. */
struct shk_structure {
  struct shk_structure_asks asks;
  int states, variant; /* for the trial: 3 to 6 states if it needs a power, else at most 6; the
                          property that a function for several measures is to measure */
  struct shk_status (*measure)(struct shk_trial *trial);
};

#define STRUCTURE(id, word, ...) extern const struct shk_structure shk_structure_##word;
#include "measures/structure.def"
#undef STRUCTURE

/* Measures a map. If the measure needs a power, adds NAME-step-error too, the distance of a step
 * from two of half its length, unless one of these fails. */
struct shk_status shk_structure_measure(struct shk_outcome *outcome,
                                        const struct shk_structure *structure, const char *name,
                                        const struct shk_map *map, const struct shk_map *other);
/* Adds the scalar "NAME-what". */
void shk_trial_add(const struct shk_trial *trial, const char *what, real value);
/* Adds the defect, the control, and as the floor the larger of the control and the rounding. */
void shk_trial_compare(const struct shk_trial *trial, real defect, real control, real rounding);

#endif

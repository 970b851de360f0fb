/*
 * Structure measures: properties of the map of one step, not of a run. Each is a line of
 * structure.def and a cell of its own type, with one step length h.
 *
 * All values are scaled: q by the largest |q_i| of the start, p by the largest |p_i| and, for
 * separable systems, m_i |q| / time scale, so that defects have no unit. With eps the precision's
 * and τ the problem's time scale, a step returns a state with a round-off of about
 *
 *     r = eps (1 + τ/|h|)
 *
 * in these units: a multiplier is solved to the rounding of g(q) = 0, and its impulse has that
 * rounding divided by h. Floors of states are at least r. Errors of differences, and a control in
 * the same cell, raise them.
 */
#ifndef MEASURES_STRUCTURE_H
#define MEASURES_STRUCTURE_H

#include "foundation/specifications/cell.h"
#include "measures/asks.h"
#include <shakedown/integrator.h>
#include <shakedown/solve.h>

/* The map of one step, and the state at which it is measured. */
struct shk_map {
  const struct shk_instance *instance;
  struct shk_manifold *manifold; /* for residuals and projections; not the method's own */
  const struct shk_integrator *integrator;
  void *method;
  const struct shk_state *start;
  real step;
};

/* Stores the scales of q and p. */
void shk_map_scales(const struct shk_map *map, real *q_scale, real *p_scale);
/* Returns the r above, for a step h. */
real shk_map_rounding(const struct shk_map *map, real h);
/* Takes one step of length h from *from to *to and sets to->t. Fails if the new state is not
 * finite. */
struct shk_status shk_map_step(const struct shk_map *map, struct shk_state *to,
                               const struct shk_state *from, real h);
/* Sets the method's memory in a state that none of its steps has reached, for steps of length h. */
struct shk_status shk_map_begin(const struct shk_map *map, struct shk_state *state, real h);
/* Returns the largest scaled difference of q and p, carries included; `reversed` reverses p in
 * b. */
real shk_map_distance(const struct shk_map *map, const struct shk_state *a,
                      const struct shk_state *b, bool reversed);
/* Moves q and p by a rounding each (eps times the scales), with alternating signs. */
void shk_map_perturb(const struct shk_map *map, struct shk_state *state);

/* Stores the start moved by shk_map_perturb and projected onto the constraints, since only tangent
 * changes are of interest, with the method's memory for it. */
struct shk_status shk_map_rounded_start(const struct shk_map *map, struct shk_state *state);

/* A measurement of one map: its arguments, and the memory for it. Every measure adds to the outcome
 * NAME-defect, NAME-floor and the scalars that these are made of. */
struct shk_trial {
  const struct shk_map *map;
  /* The map that the requirements name: of the integrator's partner, of the reference, the
   * integrator's on the transformed problem, or maps with other solves; NULL unless required. */
  const struct shk_map *other;
  const char *name;
  int variant; /* of the measure */
  struct shk_outcome *outcome;
  struct shk_evaluator evaluator; /* of the map's problem; arrays belong to its workspace */
  real q_scale, p_scale;          /* shk_map_scales */
  struct shk_state state[6];      /* as many as the measure requires, with the start's sizes */
};

/* A structure measure, the descriptor of a word of structure.def. */
struct shk_structure {
  struct shk_structure_asks asks;
  int states, variant; /* for the trial; three states or more if it needs a power */
  struct shk_status (*measure)(struct shk_trial *trial);
};

#define STRUCTURE(id, word, ...) extern const struct shk_structure shk_structure_##word;
#include "measures/structure.def"
#undef STRUCTURE

/* Measures a map, and adds NAME-step-error, the distance of a step from two of half its length, if
 * the measure needs a power and none of them fails. */
struct shk_status shk_structure_measure(struct shk_outcome *outcome,
                                        const struct shk_structure *structure, const char *name,
                                        const struct shk_map *map, const struct shk_map *other);
/* Adds the scalar "NAME-what". */
void shk_trial_add(const struct shk_trial *trial, const char *what, real value);
/* Adds the defect, the control, and as the floor the larger of the control and the rounding. */
void shk_trial_compare(const struct shk_trial *trial, real defect, real control, real rounding);

#endif

/*
 * An adapter that turns existing code for stepping points and bonds, such as the core of a
 * molecular dynamics program, into an integrator. The code is a function that receives positions
 * and velocities as doubles, regardless of the precision that Shakedown uses:
 *
 *     static int step(const struct shk_points *s, double *x, double *v, double *multipliers,
 *                     double h) { … }
 *     SHK_PROVIDE_ENGINE(mine, step, false, .name = "mine", .summary = "…", .claims = claims);
 *
 * Shakedown refuses systems whose constraints are not declared as bonds, and systems with any
 * forces other than those of a time-independent potential. Engines are measured in double precision
 * only.
 */
#ifndef SHAKEDOWN_ENGINE_H
#define SHAKEDOWN_ENGINE_H

#include <shakedown/plugin.h>

/* The points of a system, numbered from 0. Fixed points come last. Positions, velocities and forces
 * are arrays of count x dimension numbers. New members of the struct are added at the end. */
struct shk_points {
  int count, moving, dimension, bond_count;
  const double *mass;   /* `count` numbers; infinite for fixed points */
  const int (*bond)[2]; /* bond_count pairs: the two ends of each bond */
  const double *length; /* bond_count numbers */
  struct shk_point_method *method;
};

/* Stores the forces that the potential exerts at positions x, without the bond forces. Returns
 * SHK_OK or a failure code, which the step must return as well. */
int shk_points_forces(const struct shk_points *s, double *force, const double *x);

/* Advances positions x and velocities v by a step of length h, which may be negative. The function
 * must not store anything between steps. It may set `multipliers` (bond_count numbers, zero on
 * entry): the force on the second end of a bond is -multiplier (x_second - x_first). Returns
 * SHK_OK, or the enum shk_code that describes the failure, such as SHK_NOT_CONVERGED. */
typedef int shk_points_step(const struct shk_points *s, double *x, double *v, double *multipliers,
                            double h);

struct shk_point_engine {
  struct shk_integrator integrator;
  shk_points_step *step;
  bool half; /* true if velocities lag half a step behind positions, as in leapfrog */
};

/* The integrator functions and struct that SHK_PROVIDE_ENGINE defines. */
struct shk_status shk_point_engine_bind(void *method, const struct shk_binding *binding);
struct shk_status shk_point_engine_take(void *method, struct shk_state *to,
                                        const struct shk_state *from, real h);
struct shk_point_method {
  struct shk_evaluator *evaluator;
  int n, m;
  real t; /* time of the current step */
  const struct shk_point_engine *engine;
  struct shk_points points;
  double *x, *v, *next_x, *next_v, *multipliers, *unused;
  real *q, *gradient;
};

/* Provides the only engine in the file `family`. The arguments are the engine's step function,
 * `half`, and members of struct shk_integrator_info. */
#define SHK_PROVIDE_ENGINE(family, step_, half_, ...)                                              \
  static const struct shk_point_engine family##_engine = {                                         \
      {.struct_size = sizeof(struct shk_integrator),                                               \
       .info = {.double_only = true, __VA_ARGS__},                                                 \
       SHK_METHOD(shk_point_method),                                                               \
       .bind = shk_point_engine_bind,                                                              \
       .step = shk_point_engine_take},                                                             \
      step_,                                                                                       \
      half_};                                                                                      \
  SHK_PROVIDE(family, .integrators = SHK_INTEGRATORS(&family##_engine.integrator))

#endif

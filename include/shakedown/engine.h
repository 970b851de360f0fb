/*
 * A code that moves points and bonds by steps of its own, such as the core of a molecular dynamics
 * program, as an integrator of a plug-in. The code is a function that gets positions and velocities
 * in doubles, whatever Shakedown computes in:
 *
 *     static int step(const struct shk_points *s, double *x, double *v, double *multipliers,
 *                     double h) { … }
 *     SHK_PROVIDE_ENGINE(mine, step, false, .name = "mine", .summary = "…", .claims = claims);
 *
 * Systems whose constraints are not declared as bonds are refused, and so are those with more than
 * a potential that does not depend on time. The engine is measured in double precision only.
 */
#ifndef SHAKEDOWN_ENGINE_H
#define SHAKEDOWN_ENGINE_H

#include <shakedown/plugin.h>

/* The points of a system, numbered from 0; those that do not move come last. Positions, velocities
 * and forces are count x dimension. Members are added at the end. */
struct shk_points {
  int count, moving, dimension, bond_count;
  const double *mass;   /* count; infinite for points that do not move */
  const int (*bond)[2]; /* bond_count: the ends */
  const double *length; /* bond_count */
  struct shk_point_method *method;
};

/* Stores the forces of the potential, without those of the bonds, at positions x. Returns SHK_OK or
 * the code of a failure, which the step returns too. */
int shk_points_forces(const struct shk_points *s, double *force, const double *x);

/* Moves positions x and velocities v by a step of length h, which may be negative. It keeps nothing
 * from one step to the next. `multipliers` (bond_count, zero before) may be set: the force on the
 * second end of a bond is -multiplier (x_second - x_first). Returns SHK_OK, SHK_NOT_CONVERGED or
 * another enum shk_code of a failed step. */
typedef int shk_points_step(const struct shk_points *s, double *x, double *v, double *multipliers,
                            double h);

struct shk_point_engine {
  struct shk_integrator integrator;
  shk_points_step *step;
  bool half; /* velocities are half a step before positions, as in leapfrog */
};

/* Functions of the integrator that SHK_PROVIDE_ENGINE makes, and its struct. */
struct shk_status shk_point_engine_bind(void *method, const struct shk_binding *binding);
struct shk_status shk_point_engine_take(void *method, struct shk_state *to,
                                        const struct shk_state *from, real h);
struct shk_point_method {
  struct shk_evaluator *evaluator;
  int n, m;
  real t; /* of the step */
  const struct shk_point_engine *engine;
  struct shk_points points;
  double *x, *v, *next_x, *next_v, *multipliers, *unused;
  real *q, *gradient;
};

/* Provides the only engine of the file `family`: its step, `half`, and members of struct
 * shk_integrator_info. */
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

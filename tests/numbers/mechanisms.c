/*
 * Mechanisms: wrenches of every type of joint against -Gᵀλ, and in the equations of Newton and Euler of
 * each body; coordinates of joints against the file, and their rates against differences. Their
 * functions and derivatives are in mechanism_equations.py.
 */
#include "mechanics/system/evaluate.h"
#include "mechanics/system/manifold.h"
#include "problems/kit/mechanism/mechanism.h"
#include "tests/kit/instance.h"
#include "tests/kit/systems.h"
#include "tests/kit/tap.h"

#include <shakedown/bind.h>

static const char all_joints[] = "mechanism(file=\"all-joints.yaml\")";

/* The mechanism of a bound problem, for faults to be planted in it. */
static struct shk_mechanism *inside(struct bound_problem *b)
{
  return (struct shk_mechanism *)(uintptr_t)b->instance.system.context;
}

/* Stores λ at a consistent state near the start, and H_q + Gᵀλ in H_q, which is -M q''. False if λ
 * cannot be had. */
static bool solve(struct bound_problem *b)
{
  struct shk_manifold *manifold;
  for (int k = 0; k < b->instance.system.n; k++)
    b->q[k] += R(0.02) * real_sin((real)k);
  shk_evaluator_forget(&b->evaluator);
  if (shk_bind_manifold(&manifold, BINDING_OF(&b->evaluator)).code != SHK_OK ||
      shk_manifold_project_start(manifold, b->q, b->p, 0).code != SHK_OK ||
      shk_exact_multiplier(manifold, b->lambda, 0, b->q, b->p).code != SHK_OK)
    return false;
  shk_gradient(&b->evaluator, b->H_q, 0, b->q, b->p);
  shk_jacobian(&b->evaluator, b->values, 0, b->q);
  shk_jacobian_transposed_add(&b->evaluator, b->H_q, b->values, 1, b->lambda);
  return true;
}

/* ---- wrenches ---- */

/* Stores force and torque about r of the wrenches of all joints on a body, by b's λ. The torque of
 * joint `moved` is taken about the origin, as a fault; -1: none. */
static void sum_wrenches(real *sum, struct bound_problem *b, int body, int moved)
{
  const struct shk_mechanism *const s = inside(b);
  const struct shk_mark origin = shk_mark_of(s, body, s->bodies[body].principal.place, true);
  real r[3];
  shk_mark_value(r, &origin, b->q);
  shk_fill(sum, 0, 6);
  for (int j = 0; j < s->joint_count; j++)
    for (int side = 0; side < 2; side++) {
      real wrench[6], arm[3], torque[3];
      if (s->joints[j].bodies[side] != body)
        continue;
      b->instance.joints->wrench(s, wrench, j, 0, b->q, b->lambda);
      shk_mark_value(arm, &s->joints[j].ends[1].place, b->q);
      if (j == moved)
        shk_fill(arm, 0, 3);
      shk_vector_add(arm, -1, r, 3);
      shk_cross(torque, arm, wrench);
      shk_vector_add(wrench + 3, 1, torque, 3);
      shk_vector_add(sum, side == 1 ? 1 : -1, wrench, 6);
    }
}

/* Subtracts the force and the torque about r, Σ d_k × f_k, of generalized forces f; returns what is
 * left, for a pivoted body of the torque alone. */
static real left_of(real *sum, struct bound_problem *b, int body, const real *f)
{
  const struct shk_body *const this_body = &inside(b)->bodies[body];
  for (int k = 0; k < SHK_VECTORS; k++) {
    real torque[3];
    if (this_body->at[k] < 0)
      continue;
    shk_cross(torque, b->q + this_body->at[k], f + this_body->at[k]);
    shk_vector_add(sum + (k == 0 ? 0 : 3), -1, k == 0 ? f + this_body->at[k] : torque, 3);
  }
  return this_body->at[0] < 0 ? real_max_norm(sum + 3, 3) : real_max_norm(sum, 6);
}

/* For any λ the wrenches on a body have the force and the torque of -Gᵀλ of the joints' rows. Gears
 * are left out: they also turn the bodies that carry their wheels. */
static void check_wrenches(const char *spec, const char *of)
{
  PROBLEM b = bind_or_stop("%s", spec);
  real worst = 0;
  for (int i = 0; i < b->instance.system.m; i++) {
    const struct shk_coupling *const coupling = inside(b)->rows[i].coupling;
    const bool counts = i >= inside(b)->inner && (!coupling || coupling->drives);
    b->lambda[i] = counts ? real_sin((real)i) : 0;
  }
  shk_fill(b->H_p, 0, b->instance.system.n);
  shk_jacobian(&b->evaluator, b->values, 0, b->q);
  shk_jacobian_transposed_add(&b->evaluator, b->H_p, b->values, -1, b->lambda);
  for (int body = 1; body < inside(b)->body_count; body++) {
    real sum[6];
    sum_wrenches(sum, b, body, -1);
    worst = real_max(worst, left_of(sum, b, body, b->H_p));
  }
  tap_is_near((double)worst, 0, (double)(1000 * REAL_EPSILON),
              "wrenches of %s are forces and torques of -Gᵀλ", of);
}

/* Returns what is left of Σ F + m g - m a, and of Σ (T + (x - r) × F) - Σ D_k d_k × d_k'' about the
 * centre r, of all bodies. */
static real left_of_balance(struct bound_problem *b, int moved)
{
  const struct shk_mechanism *const s = inside(b);
  real worst = 0;
  for (int k = 0; k < s->n; k++) /* M q'' */
    b->H_p[k] = -b->H_q[k];
  for (int body = 1; body < s->body_count; body++) {
    real sum[6];
    sum_wrenches(sum, b, body, moved);
    shk_vector_add(sum, s->bodies[body].mass, s->gravity, 3);
    worst = real_max(worst, left_of(sum, b, body, b->H_p));
  }
  return worst;
}

static void check_balance(const char *file)
{
  PROBLEM b = bind_or_stop("mechanism(file=\"%s.yaml\")", file);
  const real small = 100000 * REAL_EPSILON;
  const bool solved = solve(b);
  tap_ok(solved && left_of_balance(b, -1) < small, "%s: forces and torques balance on each body",
         file);
  tap_ok(left_of_balance(b, inside(b)->joint_count - 1) > R(1e-3),
         "... and do not if one torque is about another point");
  for (int i = inside(b)->inner; i < inside(b)->m; i++)
    b->lambda[i] = -b->lambda[i];
  tap_ok(left_of_balance(b, -1) > R(1e-3), "... or of the other sign");
}

/* ---- coordinates of joints ---- */

enum { MOST_COORDINATES = 100 };

/* At the start the coordinates of joints are those of the file, and so are their rates in a tree. */
static void check_start(struct bound_problem *b, const char *file, bool tree)
{
  const struct shk_mechanism *const s = inside(b);
  real values[MOST_COORDINATES], rates[MOST_COORDINATES], apart = 0, off = 0;
  for (int k = 0; k < s->n; k++)
    b->H_p[k] = b->p[k] / s->mass[k];
  shk_mechanism_place(s, values, rates, b->q, b->H_p);
  for (int i = 0, at = 0; i < s->coordinate_count; i++) {
    const struct shk_joint_coordinate *const one = &s->coordinates[i];
    const struct shk_joint *const joint = &s->joints[one->joint];
    at = i > 0 && s->coordinates[i - 1].joint == one->joint ? at + 1 : 0;
    if (joint->start.count == 0)
      continue;
    apart = real_max(apart, real_fabs(values[i] - joint->start.at[at]));
    apart = real_max(apart, real_fabs(one->start - joint->start.at[at]));
    off = real_max(off, real_fabs(rates[i] - joint->rate.at[at]));
  }
  tap_ok(apart < 1000 * REAL_EPSILON, "%s: coordinates are those of the file (%.1e)", file,
         (double)apart);
  if (tree)
    tap_ok(off < 10000 * REAL_EPSILON, "... with its rates (%.1e)", (double)off);
}

/* Rates are differences of the coordinates along a velocity. */
static void check_rates(struct bound_problem *b, int expected)
{
  static const int weights[] = {1, -8, 0, 8, -1}; /* of the points -2 h to 2 h, over 12 h */
  const struct shk_mechanism *const s = inside(b);
  real values[MOST_COORDINATES], rates[MOST_COORDINATES], unused[MOST_COORDINATES];
  real sums[MOST_COORDINATES] = {0}, apart = 0;
  const real h = real_pow(REAL_EPSILON, R(1.0) / 5);
  for (int k = 0; k < s->n; k++)
    b->H_p[k] = real_sin((real)k);
  shk_mechanism_place(s, values, rates, b->q, b->H_p);
  for (int point = 0; point < 5; point++) {
    for (int k = 0; k < s->n; k++)
      b->H_q[k] = b->q[k] + (real)(point - 2) * h * b->H_p[k];
    shk_mechanism_place(s, values, unused, b->H_q, b->H_p);
    for (int i = 0; i < s->coordinate_count; i++)
      sums[i] += (real)weights[point] * values[i];
  }
  for (int i = 0; i < s->coordinate_count; i++)
    apart = real_max(apart, real_fabs(sums[i] / (12 * h) - rates[i]));
  tap_is_int(s->coordinate_count, expected, "... of all joints that have some");
  tap_ok(apart < 10000 * h * h * h * h, "... and rates are their differences (%.1e)",
         (double)apart);
}

static void check_coordinates(const char *file, int expected, bool tree)
{
  PROBLEM b = bind_or_stop("mechanism(file=\"%s.yaml\")", file);
  check_start(b, file, tree);
  check_rates(b, expected);
}

int main(void)
{
  use_systems_of("tests/data");
  check_wrenches(all_joints, "every type of joint");
  check_wrenches("mechanism(file=\"couplings.yaml\")", "driven joints");
  check_coordinates("all-joints", 10, false);
  check_coordinates("serial-joints", 27, true);
  use_systems_of("studies/mechanisms");
  check_balance("double-pendulum");
  check_balance("four-bar");
  return tap_done();
}

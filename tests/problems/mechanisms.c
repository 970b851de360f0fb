/*
 * Mechanisms: derivatives of every type of joint, spring, damper, drive and gear; the acceleration
 * of a pendulum about an oblique hinge, which Euler's equations give, and its reaction; wrenches of
 * every type of joint against -Gᵀλ, and in the equations of Newton and Euler of each body.
 */
#include "mechanics/system/derivatives.h"
#include "problems/kit/mechanism/mechanism.h"
#include "tests/kit/instance.h"
#include "tests/kit/systems.h"
#include "tests/kit/tap.h"

#include <shakedown/bind.h>

static const char pendulum[] = "mechanism(file=\"oblique-pendulum.yaml\")";
static const char all_joints[] = "mechanism(file=\"all-joints.yaml\")";

static struct bound_problem *bind(const char *spec)
{
  struct shk_message error = {""};
  struct bound_problem *const b = bind_problem(spec, NULL, &error);
  if (!b) {
    tap_ok(false, "%s: %s", spec, error.text);
    exit(tap_done());
  }
  return b;
}

/* The mechanism of a bound problem, for faults to be planted in it. */
static struct shk_mechanism *inside(struct bound_problem *b)
{
  return (struct shk_mechanism *)(uintptr_t)b->instance.system.context;
}

/* Returns the name of the first derivative that differs; NULL: all hold. */
static const char *wrong_derivative(struct bound_problem *b)
{
  static struct shk_derivative_check checks[8];
  int count = 0;
  shk_evaluator_forget(&b->evaluator);
  if (shk_check_derivatives(checks, &count, &b->evaluator, R(0.37), b->q, b->p).code != SHK_OK)
    return "not checked";
  for (int i = 0; i < count; i++)
    if (!checks[i].holds)
      return checks[i].name;
  return NULL;
}

static void check_all_joints(void)
{
  struct bound_problem *const b = bind(all_joints);
  const char *const wrong = wrong_derivative(b);
  tap_is_int(b->instance.system.n, 93, "coordinates: full, thin and pivoted bodies");
  tap_is_int(b->instance.system.m, 76, "rows of bodies and of nine joints");
  tap_ok(!wrong, "derivatives of every type of joint, spring and damper: %s", wrong ? wrong : "");
  unbind_problem(b);
}

/* A gear's row takes part in differences only off the start, where its sine is not zero. */
static void check_couplings(void)
{
  struct bound_problem *const b = bind("mechanism(file=\"couplings.yaml\")");
  const char *const wrong = wrong_derivative(b);
  tap_is_int(b->instance.system.m, 24 + 3 + 5 * 5 + 5, "rows of drives and gears");
  tap_ok(!wrong, "derivatives of drives and gears, off their start: %s", wrong ? wrong : "");
  unbind_problem(b);
}

/* ---- the oblique pendulum ---- */

static const real moments[3] = {R(0.21), R(0.34), R(0.3)};
static const real mass = R(1.7), weight[3] = {R(0.4), 0, R(-9.81)};

/* The angular acceleration α about u and the centre's acceleration, by Euler's equation about the
 * hinge: u·I u α = u·(s × m a), I = Σ I_k d_k d_kᵀ + m (s² - s sᵀ). */
static void expected(real *acceleration, const struct bound_problem *b)
{
  const real size = real_sqrt(14), u[3] = {1 / size, 2 / size, 3 / size};
  real omega[3] = {R(0.4), R(0.8), R(1.2)}, s[3], torque[3], turning[3], inner[3];
  for (int j = 0; j < 3; j++)
    s[j] = b->q[j] - (j == 0 ? R(0.1) : j == 1 ? R(0.2) : R(-0.3));
  const real along = real_dot(u, s, 3);
  real inertia = mass * (real_dot(s, s, 3) - along * along);
  for (int k = 0; k < 3; k++) {
    const real component = real_dot(u, b->q + 3 + 3 * k, 3);
    inertia += moments[k] * component * component;
  }
  shk_cross(torque, s, weight);
  const real alpha = mass * real_dot(u, torque, 3) / inertia;
  shk_cross(turning, u, s);
  shk_cross(inner, omega, s);
  shk_cross(acceleration, omega, inner);
  for (int j = 0; j < 3; j++)
    acceleration[j] += alpha * turning[j];
}

/* Stores λ at the start, or at a consistent state near it, and H_q + Gᵀλ in H_q, which is -M q''.
 * False if λ cannot be had. */
static bool solve(struct bound_problem *b, bool near)
{
  struct shk_manifold *manifold;
  for (int k = 0; near && k < b->instance.system.n; k++)
    b->q[k] += R(0.02) * real_sin((real)k);
  shk_evaluator_forget(&b->evaluator);
  if (shk_bind_manifold(&manifold, &(struct shk_binding){.workspace = b->evaluator.workspace,
                                                         .evaluator = &b->evaluator})
              .code != SHK_OK ||
      (near && shk_manifold_project_start(manifold, b->q, b->p, 0).code != SHK_OK) ||
      shk_exact_multiplier(manifold, b->lambda, 0, b->q, b->p).code != SHK_OK)
    return false;
  shk_gradient(&b->evaluator, b->H_q, 0, b->q, b->p);
  shk_jacobian(&b->evaluator, b->values, 0, b->q);
  shk_jacobian_transposed_add(&b->evaluator, b->H_q, b->values, 1, b->lambda);
  return true;
}

/* Returns how far the centre's acceleration by λ is from the expected one; more than 1 if λ cannot
 * be had. */
static real off_by(struct bound_problem *b)
{
  real right[3], worst = 0;
  const struct shk_system *const s = &b->instance.system;
  if (!solve(b, false))
    return 2;
  expected(right, b);
  for (int j = 0; j < 3; j++)
    worst = real_max(worst, real_fabs(-b->H_q[j] / s->mass[j] - right[j]));
  return worst;
}

/* Force and torque at the hinge carry the body: F = m (a - g), (x - s) × F + T = d(IΩ)/dt. */
static void check_wrench(void)
{
  struct bound_problem *const b = bind(pendulum);
  real wrench[6], a[3], worst = 0;
  tap_is_near((double)off_by(b), 0, 1e-9, "the centre's acceleration is that of Euler's equations");
  expected(a, b);
  b->instance.joints->wrench(b->instance.system.context, wrench, 0, 0, b->q, b->lambda);
  for (int j = 0; j < 3; j++)
    worst = real_max(worst, real_fabs(wrench[j] - mass * (a[j] - weight[j])));
  tap_is_near((double)worst, 0, (double)(10000 * REAL_EPSILON),
              "the hinge's force carries the body");
  const real along = (wrench[3] + 2 * wrench[4] + 3 * wrench[5]) / real_sqrt(14);
  tap_is_near((double)along, 0, (double)(10000 * REAL_EPSILON),
              "its torque has no part along the axis");
  unbind_problem(b);
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
  const struct shk_body *const its = &inside(b)->bodies[body];
  for (int k = 0; k < SHK_VECTORS; k++) {
    real torque[3];
    if (its->at[k] < 0)
      continue;
    shk_cross(torque, b->q + its->at[k], f + its->at[k]);
    shk_vector_add(sum + (k == 0 ? 0 : 3), -1, k == 0 ? f + its->at[k] : torque, 3);
  }
  return its->at[0] < 0 ? real_max_norm(sum + 3, 3) : real_max_norm(sum, 6);
}

/* For any λ the wrenches on a body have the force and the torque of -Gᵀλ of the joints' rows. Gears
 * are left out: they also turn the bodies that carry their wheels. */
static void check_wrenches(const char *spec, const char *of)
{
  struct bound_problem *const b = bind(spec);
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
  unbind_problem(b);
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
  struct shk_message name;
  shk_message_set(&name, "mechanism(file=\"%s.yaml\")", file);
  struct bound_problem *const b = bind(name.text);
  const real small = 100000 * REAL_EPSILON;
  const bool solved = solve(b, true);
  tap_ok(solved && left_of_balance(b, -1) < small, "%s: forces and torques balance on each body",
         file);
  tap_ok(left_of_balance(b, inside(b)->joint_count - 1) > R(1e-3),
         "... and do not if one torque is about another point");
  for (int i = inside(b)->inner; i < inside(b)->m; i++)
    b->lambda[i] = -b->lambda[i];
  tap_ok(left_of_balance(b, -1) > R(1e-3), "... or of the other sign");
  unbind_problem(b);
}

int main(void)
{
  use_systems_of("tests/data");
  check_all_joints();
  check_couplings();
  check_wrench();
  check_wrenches(all_joints, "every type of joint");
  check_wrenches("mechanism(file=\"couplings.yaml\")", "driven joints");
  use_systems_of("studies/mechanisms");
  check_balance("double-pendulum");
  check_balance("four-bar");
  return tap_done();
}

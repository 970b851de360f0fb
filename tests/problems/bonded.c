/*
 * Angles and torsions: energies against values computed with 50 digits (mpmath: the angle by the law of
 * cosines, the torsion by projection on the plane across its axis), gradients against central
 * differences, what rotations and fixed points change, and where there is no angle.
 */
#include "problems/kit/bonded.h"
#include "tests/kit/tap.h"

enum { POINTS = 4, NUMBERS = 3 * POINTS };

static const real places_at[NUMBERS] = {R(0.1), R(-0.2), R(0.05), R(0.9), R(0.15), R(-0.1),
                                        R(1.4), R(1.1),  R(0.3),  R(2.2), R(1.3),  R(1.1)};

static real degrees(real x)
{
  return x * REAL_PI / 180;
}

/* One term of either kind: the angle where `angle` is set. */
struct term {
  const char *name;
  const struct shk_angle *angle;
  const struct shk_torsion *torsion;
  real energy;
};

static int add(real *value, real *gradient, const struct shk_places *places,
               const struct term *term)
{
  return term->angle ? shk_add_angle(value, gradient, places, term->angle)
                     : shk_add_torsion(value, gradient, places, term->torsion);
}

static real energy_at(const struct term *term, const real *q)
{
  const struct shk_places places = {3, q, NULL};
  real value = 0;
  return add(&value, NULL, &places, term) == 0 ? value : (real)NAN;
}

/* Truncation is V'''h²/6; no third derivative here exceeds a thousand times the energy's size. */
static void check_gradient(const struct term *term)
{
  const real h = real_pow(REAL_EPSILON, R(1.0) / 3);
  const struct shk_places places = {3, places_at, NULL};
  real value = 0, gradient[NUMBERS] = {0}, q[NUMBERS], worst = 0, size = 0;
  add(&value, gradient, &places, term);
  for (int i = 0; i < NUMBERS; i++) {
    memcpy(q, places_at, sizeof q);
    q[i] += h;
    const real ahead = energy_at(term, q);
    q[i] -= 2 * h;
    worst = real_max(worst, real_fabs((ahead - energy_at(term, q)) / (2 * h) - gradient[i]));
    size = real_max(size, real_fabs(gradient[i]));
  }
  tap_is_near((double)(worst / size), 0, (double)(1000 * h * h), "%s: its gradient", term->name);
}

/* Neither a translation nor a rotation changes it: no force and no torque on the whole. */
static void check_whole(const struct term *term)
{
  const struct shk_places places = {3, places_at, NULL};
  real value = 0, g[NUMBERS] = {0}, force[3] = {0}, torque[3] = {0}, size = 0;
  add(&value, g, &places, term);
  for (int i = 0; i < POINTS; i++)
    for (int k = 0; k < 3; k++) {
      const int a = 3 * i + (k + 1) % 3, b = 3 * i + (k + 2) % 3;
      force[k] += g[3 * i + k];
      torque[k] += places_at[a] * g[b] - places_at[b] * g[a];
      size = real_max(size, real_fabs(g[3 * i + k]));
    }
  for (int k = 0; k < 3; k++)
    tap_ok(real_fabs(force[k]) + real_fabs(torque[k]) < 100 * REAL_EPSILON * size,
           "%s: neither force nor torque on the whole, %d", term->name, k);
}

/* The first point fixed: the same energy, and the same forces on the others. */
static void check_fixed(const struct term *term)
{
  struct shk_angle angle = term->angle ? *term->angle : (struct shk_angle){{0}, 0, 0};
  struct shk_torsion torsion = term->torsion ? *term->torsion : (struct shk_torsion){{0}};
  struct term held = {.angle = term->angle ? &angle : NULL,
                      .torsion = term->torsion ? &torsion : NULL};
  const struct shk_places all = {3, places_at, NULL}, rest = {3, places_at + 3, places_at};
  real a = 0, b = 0, free_forces[NUMBERS] = {0}, forces[NUMBERS] = {0};
  for (int i = 0; i < 3; i++)
    angle.at[i]--;
  for (int i = 0; i < 4; i++)
    torsion.at[i]--;
  add(&a, free_forces, &all, term);
  add(&b, forces, &rest, &held);
  tap_ok(a == b && memcmp(forces, free_forces + 3, sizeof *forces * (NUMBERS - 3)) == 0 &&
             forces[NUMBERS - 1] == 0,
         "%s: the same with its first point fixed", term->name);
}

static void check_nowhere(void)
{
  const real line[NUMBERS] = {0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 1, 0};
  const struct shk_places places = {3, line, NULL};
  const int at[4] = {0, 1, 2, 3};
  real x, derivatives[4][3];
  tap_ok(shk_angle_at(&x, derivatives, &places, at) == 1, "three points in a line have no angle");
  tap_ok(shk_torsion_at(&x, derivatives, &places, at) == 1, "nor is there a torsion about them");
}

int main(void)
{
  const struct shk_angle angle = {{0, 1, 2}, 383, degrees(R(109.5))};
  struct shk_torsion three = {{0, 1, 2, 3}, SHK_TORSION_PERIODIC, 3, R(5.86), degrees(25), {0}};
  struct shk_torsion one = {{0, 1, 2, 3}, SHK_TORSION_PERIODIC, 1, R(-2.5), degrees(180), {0}};
  struct shk_torsion near = {{0, 1, 2, 3}, SHK_TORSION_HARMONIC, 1, R(334.72), 0, {0}};
  struct shk_torsion around = near;
  const struct shk_torsion cosines = {{0, 1, 2, 3},
                                      SHK_TORSION_COSINES,
                                      1,
                                      0,
                                      0,
                                      {R(9.28), R(12.16), R(-13.12), R(-3.06), R(26.24), R(-31.5)}};
  near.phase = degrees(R(35.26));
  around.phase = degrees(-170);
  const struct term terms[] = {
      {"an angle", &angle, NULL, R(28.2167679124177391022119989991046706379)},
      {"three minima", NULL, &three, R(7.271615124681265232612355146386121252439)},
      {"one minimum", NULL, &one, R(-3.061514151699490837396441650626497982478)},
      {"powers of cosines", NULL, &cosines, R(11.36343276829639964153932236186785534147)},
      {"an improper", NULL, &near, R(233.795600184816171975836087351625152722)},
      {"one across 180 degrees", NULL, &around, R(386.053636492320931887513076147682692676)}};
  for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
    const real found = energy_at(&terms[i], places_at);
    tap_is_near((double)(found / terms[i].energy - 1), 0, (double)(64 * REAL_EPSILON), "%s: %.9g",
                terms[i].name, (double)found);
    check_gradient(&terms[i]);
    check_whole(&terms[i]);
    check_fixed(&terms[i]);
  }
  check_nowhere();
  return tap_done();
}

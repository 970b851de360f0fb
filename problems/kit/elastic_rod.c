/*
 * The elastic rod of Simeon's slider crank:
 *
 *     U = ½ eᵀK e + f (½ e1² e4 + 2 e2² e4 + 2 b e1 e2 (2 e3 - e4)),
 *
 * where the second term is the nonlinear stiffness. See elastic_rod.h for the source.
 */
#include "problems/kit/elastic_rod.h"

#include <string.h>

enum { MODES = SHK_ROD_MODES };

#define PI_AS_PRINTED R(3.1415927)
#define LENGTH SHK_ROD_LENGTH
#define DENSITY SHK_ROD_DENSITY
#define YOUNG R(0.20e12)
#define WIDTH R(0.0080)
#define HEIGHT R(0.0080)

/* f and 2b */
#define DEFLECTION (YOUNG * WIDTH * HEIGHT * PI_AS_PRINTED * PI_AS_PRINTED / (2 * LENGTH * LENGTH))
#define MIX (R(160.0) / (9 * PI_AS_PRINTED * PI_AS_PRINTED))

/* Sets the damping to half a per cent. The source prints the off-diagonal entry twice, and the last
 * digits differ. */
static void set_damping(struct shk_elastic_rod *rod)
{
  rod->damping[0][0] = 5;
  rod->damping[1][1] = 25;
  rod->damping[2][2] = R(230.8375455264791) / 2;
  rod->damping[2][3] = rod->damping[3][2] = R(-262.6884879920526) / 2;
  rod->damping[3][3] = R(421.7421837156818) / 2;
}

void shk_elastic_rod_set(struct shk_elastic_rod *rod, bool flexible, bool damped, bool nonlinear)
{
  *rod = (struct shk_elastic_rod){.modes = flexible ? MODES : 0, .nonlinear = nonlinear};
  if (!flexible)
    return;
  const real volume = WIDTH * HEIGHT * LENGTH, mass = DENSITY * volume;
  const real stiffness = YOUNG * WIDTH * HEIGHT / LENGTH;
  const real pi = PI_AS_PRINTED, pi3 = pi * pi * pi;
  const real slender = pi * pi3 * (HEIGHT / LENGTH) * (HEIGHT / LENGTH);
  rod->mass[0][0] = rod->mass[1][1] = mass / 2;
  rod->mass[2][2] = 8 * mass;
  rod->mass[2][3] = rod->mass[3][2] = mass;
  rod->mass[3][3] = 2 * mass;
  rod->stiffness[0][0] = stiffness * slender / 24;
  rod->stiffness[1][1] = stiffness * slender * 2 / 3;
  rod->stiffness[2][2] = stiffness * 16 / 3;
  rod->stiffness[2][3] = rod->stiffness[3][2] = -stiffness * 8 / 3;
  rod->stiffness[3][3] = stiffness * 7 / 3;
  rod->skew[0][2] = -16 * volume / pi3;
  rod->skew[0][3] = volume * (8 / pi3 - 1 / pi);
  rod->skew[1][3] = volume / (2 * pi);
  for (int i = 0; i < MODES; i++)
    for (int j = 0; j < i; j++)
      rod->skew[i][j] = -rod->skew[j][i];
  rod->c1[2] = volume * 2 / 3;
  rod->c1[3] = volume / 6;
  rod->c2[0] = volume * 2 / pi;
  rod->c12[2] = LENGTH * volume / 3;
  rod->c12[3] = LENGTH * volume / 6;
  rod->c21[0] = LENGTH * volume / pi;
  rod->c21[1] = -LENGTH * volume / (2 * pi);
  if (damped)
    set_damping(rod);
}

real shk_elastic_rod_potential(const struct shk_elastic_rod *rod, const real *e)
{
  real value = 0;
  for (int i = 0; i < rod->modes; i++)
    for (int j = 0; j < rod->modes; j++)
      value += e[i] * rod->stiffness[i][j] * e[j] / 2;
  if (rod->modes > 0 && rod->nonlinear)
    value += DEFLECTION * (e[0] * e[0] * e[3] / 2 + 2 * e[1] * e[1] * e[3] +
                           MIX * e[0] * e[1] * (2 * e[2] - e[3]));
  return value;
}

void shk_elastic_rod_gradient(const struct shk_elastic_rod *rod, real *out, const real *e)
{
  for (int i = 0; i < rod->modes; i++) {
    out[i] = 0;
    for (int j = 0; j < rod->modes; j++)
      out[i] += rod->stiffness[i][j] * e[j];
  }
  if (rod->modes == 0 || !rod->nonlinear)
    return;
  const real stretch = MIX * (2 * e[2] - e[3]);
  out[0] += DEFLECTION * (e[0] * e[3] + stretch * e[1]);
  out[1] += DEFLECTION * (4 * e[1] * e[3] + stretch * e[0]);
  out[2] += DEFLECTION * 2 * MIX * e[0] * e[1];
  out[3] += DEFLECTION * (e[0] * e[0] / 2 + 2 * e[1] * e[1] - MIX * e[0] * e[1]);
}

void shk_elastic_rod_hessian(const struct shk_elastic_rod *rod, real *out, int stride,
                             const real *e)
{
  for (int i = 0; i < rod->modes; i++)
    for (int j = 0; j < rod->modes; j++)
      out[i * stride + j] = rod->stiffness[i][j];
  if (rod->modes == 0 || !rod->nonlinear)
    return;
  const real stretch = MIX * (2 * e[2] - e[3]);
  const real remainder[MODES][MODES] = {{e[3], stretch, 2 * MIX * e[1], e[0] - MIX * e[1]},
                                        {stretch, 4 * e[3], 2 * MIX * e[0], 4 * e[1] - MIX * e[0]},
                                        {2 * MIX * e[1], 2 * MIX * e[0], 0, 0},
                                        {e[0] - MIX * e[1], 4 * e[1] - MIX * e[0], 0, 0}};
  for (int i = 0; i < MODES; i++)
    for (int j = 0; j < MODES; j++)
      out[i * stride + j] += DEFLECTION * remainder[i][j];
}

/*
 * The elastic connecting rod of Simeon's slider crank: its constants, and the energy of bending and
 * stretching. See slider_crank.c for the equations.
 *
 * The constants are taken from the published program, so that its digits can be compared: it has π
 * = 3.1415927, and a longitudinal block of the mass matrix 15 times as large as for a quadratic
 * element.
 *
 * Source: B. Simeon, Math. Modelling of Systems 2 (1996) 1; F. Mazzia & C. Magherini, Test Set for
 * Initial Value Problem Solvers, release 2.4, 2008, "Slider crank".
 */
#ifndef PROBLEMS_KIT_ELASTIC_ROD_H
#define PROBLEMS_KIT_ELASTIC_ROD_H

#include <shakedown/parts/real.h>

enum { SHK_ROD_MODES = 4 };

#define SHK_CRANK_LENGTH R(0.15)  /* m */
#define SHK_ROD_LENGTH R(0.30)    /* m */
#define SHK_ROD_DENSITY R(7870.0) /* kg/m³ */

/* Elastic rod. e = (e1, e2, e3, e4): two sine modes across, the middle and the end of the element
 * along. With `modes` 0 the rod is rigid and all of its functions return zeros. */
struct shk_elastic_rod {
  int modes; /* 0 or SHK_ROD_MODES */
  bool nonlinear;
  real mass[SHK_ROD_MODES][SHK_ROD_MODES], stiffness[SHK_ROD_MODES][SHK_ROD_MODES];
  real damping[SHK_ROD_MODES][SHK_ROD_MODES], skew[SHK_ROD_MODES][SHK_ROD_MODES];
  real c1[SHK_ROD_MODES], c2[SHK_ROD_MODES], c12[SHK_ROD_MODES], c21[SHK_ROD_MODES];
};

/* Fills *rod. `damped`: half a per cent, otherwise none; `nonlinear`: adds the
 * stiffness beyond the linear term. */
void shk_elastic_rod_set(struct shk_elastic_rod *rod, bool flexible, bool damped, bool nonlinear);

/* U(e), in J; its gradient (modes); its Hessian, rows `stride` apart. */
real shk_elastic_rod_potential(const struct shk_elastic_rod *rod, const real *e);
void shk_elastic_rod_gradient(const struct shk_elastic_rod *rod, real *out, const real *e);
void shk_elastic_rod_hessian(const struct shk_elastic_rod *rod, real *out, int stride,
                             const real *e);

#endif

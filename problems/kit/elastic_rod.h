/*
 * The elastic connecting rod of Simeon's slider crank: the rod's constants, and its bending and
 * stretching energy. See slider_crank.c for the equations.
 *
 * The constants are taken from the published program so that results can be compared digit by
 * digit. The program uses π = 3.1415927, and the longitudinal block of its mass matrix is 15 times
 * as large as that of a quadratic element.
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

/* An elastic rod with e = (e1, e2, e3, e4). The first two are transverse sine modes; the last two
 * are the longitudinal displacements of the element's middle and end. If `modes` is 0, the rod is
 * rigid, and all functions below return zeros. */
struct shk_elastic_rod {
  int modes; /* 0 or SHK_ROD_MODES */
  bool nonlinear;
  real mass[SHK_ROD_MODES][SHK_ROD_MODES], stiffness[SHK_ROD_MODES][SHK_ROD_MODES];
  real damping[SHK_ROD_MODES][SHK_ROD_MODES], skew[SHK_ROD_MODES][SHK_ROD_MODES];
  real c1[SHK_ROD_MODES], c2[SHK_ROD_MODES], c12[SHK_ROD_MODES], c21[SHK_ROD_MODES];
};

/* Initializes *rod. If `damped` is true, the damping is half a per cent; otherwise there is none.
 * If `nonlinear` is true, the stiffness includes the nonlinear term. */
void shk_elastic_rod_set(struct shk_elastic_rod *rod, bool flexible, bool damped, bool nonlinear);

/* U(e) in joules, its gradient (`modes` numbers), and its Hessian, whose rows are `stride` numbers
 * apart. */
real shk_elastic_rod_potential(const struct shk_elastic_rod *rod, const real *e);
void shk_elastic_rod_gradient(const struct shk_elastic_rod *rod, real *out, const real *e);
void shk_elastic_rod_hessian(const struct shk_elastic_rod *rod, real *out, int stride,
                             const real *e);

#endif

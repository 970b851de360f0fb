/*
 * The integrals that Neumann's problem shares with geodesics on an ellipsoid. For three numbers a_i
 * and vectors q, p, with l_ij = q_i p_j - q_j p_i,
 *
 *     F_i = x_i² + Σ_{j≠i} l_ij²/(a_i - a_j),        x = q (Neumann), x = p (geodesics)
 *
 * (J. Moser, Various aspects of integrable Hamiltonian systems, Birkhäuser 1980). If two a_i are
 * equal, the sum has a pole. The system is then symmetric about an axis (or about the centre), and
 * the l_ij of such pairs are invariants instead.
 */
#ifndef PROBLEMS_KIT_QUADRIC_H
#define PROBLEMS_KIT_QUADRIC_H

#include "problems/kit/points.h"

struct shk_axes {
  real a[3];
  /* The integrals and their names, set by shk_axes_prepare. */
  int count;
  const char *names[3];
  bool distinct[3]; /* true if a_i differs from both of the others, so that F_i is an integral */
  bool equal[3];    /* true if the other two axes are equal, so that their l is an integral */
};

static inline void shk_axes_prepare(struct shk_axes *axes)
{
  static const char *const integrals[] = {"integral-F1", "integral-F2", "integral-F3"};
  static const char *const momenta[] = {"angular-momentum-1", "angular-momentum-2",
                                        "angular-momentum-3"};
  const real *a = axes->a;
  axes->count = 0;
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    axes->distinct[i] = a[i] != a[j] && a[i] != a[k];
    axes->equal[i] = a[j] == a[k];
    if (axes->distinct[i])
      axes->names[axes->count++] = integrals[i];
    if (axes->equal[i])
      axes->names[axes->count++] = momenta[i];
  }
}

/* Stores the values of the integrals (axes->count numbers) in the order of their names. */
static inline void shk_axes_integrals(real *values, const struct shk_axes *axes, const real *q,
                                      const real *p, const real *x)
{
  real l[3]; /* l[i] = l_jk */
  int next = 0;
  shk_cross(l, q, p);
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    if (axes->distinct[i])
      values[next++] = x[i] * x[i] + l[k] * l[k] / (axes->a[i] - axes->a[j]) +
                       l[j] * l[j] / (axes->a[i] - axes->a[k]);
    if (axes->equal[i])
      values[next++] = l[i];
  }
}

#endif

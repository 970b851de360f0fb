/*
 * Coefficients of the Lobatto IIIA-IIIB pair with 2, 3 or 4 stages: nodes c, weights b, a (IIIA)
 * and â (IIIB). They satisfy b_i â_ij + b_j a_ji = b_i b_j. Lobatto IIIA is collocation at the
 * nodes, which are the zeros of the (s-2)-th derivative of (x² - x)^(s-1). Hairer, Lubich & Wanner,
 * GNI, §II.2.2.
 */
#ifndef INTEGRATORS_KIT_LOBATTO_H
#define INTEGRATORS_KIT_LOBATTO_H

#include <shakedown/parts/real.h>

#define LOBATTO_STAGES 4 /* at most */

struct lobatto {
  real A[LOBATTO_STAGES][LOBATTO_STAGES]; /* a; the first row is zero, and the last row is b */
  real B[LOBATTO_STAGES][LOBATTO_STAGES]; /* â; the last column is zero */
  real b[LOBATTO_STAGES], c[LOBATTO_STAGES];
  real product[LOBATTO_STAGES][LOBATTO_STAGES]; /* a â */
};

static inline void lobatto_fill(struct lobatto *lobatto, int s)
{
  static const int two[2][2] = {{0, 0}, {1, 1}};                      /* over 2 */
  static const int three[3][3] = {{0, 0, 0}, {5, 8, -1}, {4, 16, 4}}; /* over 24 */
  static const int four[4][4][2] = {{{0, 0}, {0, 0}, {0, 0}, {0, 0}}, /* (x + y √5)/120 */
                                    {{11, 1}, {25, -1}, {25, -13}, {-1, 1}},
                                    {{11, -1}, {25, 13}, {25, 1}, {-1, -1}},
                                    {{10, 0}, {50, 0}, {50, 0}, {10, 0}}};
  const real root = real_sqrt((real)5);
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++)
      lobatto->A[i][j] = s == 2   ? (real)two[i][j] / 2
                         : s == 3 ? (real)three[i][j] / 24
                                  : ((real)four[i][j][0] + (real)four[i][j][1] * root) / 120;
  for (int i = 0; i < s; i++) {
    lobatto->b[i] = lobatto->A[s - 1][i];
    lobatto->c[i] = i == s - 1        ? 1
                    : s == 4 && i > 0 ? (1 + (2 * i - 3) / root) / 2
                                      : (real)i / (s - 1);
  }
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++)
      lobatto->B[i][j] = j == s - 1 ? 0 : lobatto->b[j] * (1 - lobatto->A[j][i] / lobatto->b[i]);
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++) {
      lobatto->product[i][j] = 0;
      for (int l = 0; l < s; l++)
        lobatto->product[i][j] += lobatto->A[i][l] * lobatto->B[l][j];
    }
}

#endif

/* The factorizations in double that serve solves in quad: what they take, and what they leave to
 * them. */
#include "mechanics/algebra/factorizations/in_double.h"
#include "mechanics/algebra/factorizations/factorization.h"
#include "mechanics/solvers/rods/tridiagonal.h"
#include "mechanics/system/binding.h"
#include "tests/kit/tap.h"

#include <math.h>
#include <stdlib.h>

enum { N = 6, M = 3 };

/* Three rows of all coordinates, the last one `apart` from the first; all of them times `scale`. */
static bool factor(double *error, int kind, double apart, double scale)
{
  static const int start[] = {0, N, 2 * N, 3 * N};
  static const double rows[M - 1][N] = {{1, 2, 0, -1, 3, 1}, {0, 1, -2, 1, 1, 4}};
  static const double solution[M] = {1, -2, 0.5};
  int columns[M * N];
  double mass[N];
  const struct shk_in_double_system system = {N, M, start, columns, mass};
  struct shk_in_double *factors;
  struct shk_in_double_arrays a;
  void *first;
  struct shk_workspace *workspace = shk_workspace_create(&first, 1);
  for (int k = 0; k < M * N; k++)
    columns[k] = k % N;
  for (int c = 0; c < N; c++)
    mass[c] = 1 + c;
  if (!workspace || shk_in_double_create(&factors, &a, workspace, &system, kind).code != SHK_OK)
    abort();
  for (int i = 0; i < M; i++)
    for (int c = 0; c < N; c++)
      a.G_a[i * N + c] = scale * (rows[i % 2][c] + (i == 2 && c == 5 ? apart : 0));
  const bool takes = shk_in_double_factor(factors, true);
  for (int i = 0; i < M; i++) {
    a.x[i] = 0;
    for (int j = 0; j < M; j++)
      for (int c = 0; c < N; c++)
        a.x[i] += a.G_a[i * N + c] / mass[c] * a.G_a[j * N + c] * solution[j];
  }
  *error = 0;
  if (takes)
    shk_in_double_solve(factors);
  for (int i = 0; i < M && takes; i++)
    *error = fmax(*error, fabs(a.x[i] - solution[i]));
  shk_workspace_destroy(workspace);
  return takes;
}

/* ---- chains ---- */

enum { RODS = 3 };

/* Three rods of length 1 whose directions turn by `bend`, with inverse masses of their four ends. The
 * lengths that the correction of residuals g leaves: *error, of the squares. */
static bool correct(double *error, double bend, const double *inverse, double g)
{
  struct shk_rod_in_double rod[RODS] = {0};
  double weight[RODS + 1], multipliers[RODS] = {0}, d[RODS][2];
  struct shk_path path = {.count = RODS};
  int row[RODS] = {2, 1, 0};
  const struct shk_paths paths = {
      .m = RODS, .count = 1, .path = &path, .row = row, .rough = rod, .weight = weight};
  for (int a = 0; a <= RODS; a++)
    weight[a] = inverse[a];
  for (int k = 0; k < RODS; k++) {
    rod[k].old[0] = cos(k * bend);
    rod[k].old[1] = sin(k * bend);
    rod[k].now[0] = d[k][0] = cos(k * bend + 0.01 * (k + 1));
    rod[k].now[1] = d[k][1] = sin(k * bend + 0.01 * (k + 1));
    rod[k].g = g * (k + 1);
  }
  const bool takes = shk_tridiagonal_correct(&paths, multipliers, 1);
  for (int k = 0; k < RODS; k++)
    for (int j = 0; j < 2; j++) {
      const double push = multipliers[row[k]] * rod[k].old[j];
      d[k][j] -= (weight[k] + weight[k + 1]) * push;
      if (k > 0)
        d[k - 1][j] += weight[k] * push;
      if (k + 1 < RODS)
        d[k + 1][j] += weight[k + 1] * push;
    }
  *error = 0;
  for (int k = 0; k < RODS; k++)
    *error = fmax(*error, fabs(d[k][0] * d[k][0] + d[k][1] * d[k][1] - 1 + 2 * g * (k + 1)));
  return takes;
}

static void test_chains(void)
{
  static const double equal[] = {1, 1, 1, 1}, light[] = {1, 1e9, 1, 1}, held[] = {0, 1, 1, 0};
  double error;
  bool takes = correct(&error, 0.3, equal, 0.01);
  tap_ok(takes && error < 1e-14, "one correction gives all of a chain's lengths, %g", error);
  takes = correct(&error, 0.3, held, 1e-4);
  tap_ok(takes && error < 1e-14, "and between two fixed points, %g", error);
  tap_ok(!correct(&error, 0, light, 0.01), "not where a light point makes it ill-conditioned");
  tap_ok(error > 1e-3, "and then nothing is done");
  tap_ok(!correct(&error, 0.3, equal, 5), "nor where there is no such length");
  tap_ok(!correct(&error, 0.3, equal, NAN), "nor without a number");
}

int main(void)
{
  test_chains();
  const int kinds[] = {SHK_LINEAR_LU, SHK_LINEAR_SPARSE, SHK_LINEAR_BLOCK, SHK_LINEAR_CHOLESKY};
  for (int k = 0; k < 4; k++) {
    double error;
    bool takes = factor(&error, kinds[k], 1, 1);
    tap_ok(takes && error < 1e-13, "kind %d: rows apart are taken, %g", kinds[k], error);
    takes = factor(&error, kinds[k], 1e-1, 1);
    tap_ok(takes && error < 1e-10, "near ones, too, %g", error);
    tap_ok(!factor(&error, kinds[k], 1e-6, 1), "nearly equal ones are not");
    tap_ok(!factor(&error, kinds[k], 0, 1), "nor equal ones");
    tap_ok(!factor(&error, kinds[k], 1, 1e-170), "nor what double has no digits for");
    tap_ok(!factor(&error, kinds[k], 1, 1e170), "or no numbers");
  }
  return tap_done();
}

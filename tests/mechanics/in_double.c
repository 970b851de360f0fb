/* The factorizations in double that serve solves in quad: what they take, and what they leave to
 * them. */
#include "mechanics/algebra/factorizations/in_double.h"
#include "mechanics/algebra/factorizations/factorization.h"
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

int main(void)
{
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

/*
 * Extrapolation to a vanishing step (Richardson 1911; Hairer, Nørsett & Wanner, Solving Ordinary
 * Differential Equations I, II.9), written with weights: vectors are combined once, any powers can
 * be eliminated for any sequence of steps, and noise passes through the same weights.
 */
#include "harness/analysis/statistics/limit.h"
#include "foundation/memory.h"
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

/* Sets weights such that the sum of weights times values is the value at 0 of c_0 + c_1 h^gap + …
 * through `count` points: they give 1 for the constant and 0 for each power. */
static void set_weights(double *weights, const double *steps, int count, int gap)
{
  gsl_matrix *const powers = gsl_matrix_alloc((size_t)count, (size_t)count);
  gsl_permutation *const order = gsl_permutation_alloc((size_t)count);
  gsl_vector_view x = gsl_vector_view_array(weights, (size_t)count);
  for (int row = 0; row < count; row++)
    for (int i = 0; i < count; i++)
      gsl_matrix_set(powers, (size_t)row, (size_t)i,
                     row == 0 ? 1 : pow(steps[i] / steps[0], gap + row - 1));
  int sign;
  gsl_vector_set_basis(&x.vector, 0);
  gsl_linalg_LU_decomp(powers, order, &sign);
  gsl_linalg_LU_svx(powers, order, &x.vector);
  gsl_permutation_free(order);
  gsl_matrix_free(powers);
}

/* Sets the weights of the combination of `used` vectors that end with `last`; zero for the
 * others. */
static void set_window(double *weights, const double *steps, int count, int gap, int used, int last)
{
  for (int i = 0; i < count; i++)
    weights[i] = 0;
  set_weights(weights + last - used + 1, steps + last - used + 1, used, gap);
}

struct shk_windows shk_windows_make(const double *steps, int count, int gap)
{
  struct shk_windows windows = {.count = count};
  windows.weights = shk_allocate(2 * (size_t)count * (size_t)count + 1, sizeof(double));
  for (int used = 1; used <= count; used++) {
    set_window(shk_window(&windows, used, 0), steps, count, gap, used, count - 1);
    if (used < count)
      set_window(shk_window(&windows, used, 1), steps, count, gap, used, count - 2);
  }
  return windows;
}

double *shk_window(const struct shk_windows *windows, int used, int back)
{
  return windows->weights + (size_t)(2 * (used - 1) + back) * (size_t)windows->count;
}

void shk_windows_clear(struct shk_windows *windows)
{
  free(windows->weights);
  *windows = (struct shk_windows){0};
}

/* Returns the root mean square of a combination of the vectors. */
static double size_of(const struct shk_sequence *sequence, const double *weights)
{
  double sum = 0;
  for (int c = 0; c < sequence->size; c++) {
    double component = 0;
    for (int i = 0; i < sequence->count; i++)
      if (weights[i] != 0)
        component += weights[i] * sequence->values[i][c];
    sum += component * component;
  }
  return sqrt(sum / sequence->size);
}

struct shk_limit shk_limit_of(const struct shk_sequence *sequence,
                              const struct shk_windows *windows)
{
  struct shk_limit limit = {.size = NAN, .uncertainty = INFINITY, .coarser = NAN, .value = NAN};
  const int count = sequence->count;
  double *const lower = shk_allocate(2 * (size_t)(count + 1), sizeof *lower);
  double *const change = lower + count + 1;
  for (int used = 2; used <= count; used++) {
    const double *const here = shk_window(windows, used, 0);
    /* If all vectors are used, no window ends one earlier: take the other one
     * of Neville's two parents. */
    const double *const earlier = shk_window(windows, used < count ? used : used - 1, 1);
    const double *const parent = shk_window(windows, used - 1, 0);
    double noise = 0;
    for (int i = 0; i < count; i++) {
      noise += fabs(here[i]) * sequence->noise[i];
      change[i] = here[i] - earlier[i];
      lower[i] = here[i] - parent[i];
    }
    const double moved = fmax(size_of(sequence, change), size_of(sequence, lower));
    if (!(2 * moved + noise < limit.uncertainty))
      continue;
    limit.uncertainty = 2 * moved + noise;
    limit.used = used;
    limit.size = size_of(sequence, here);
    limit.coarser = size_of(sequence, earlier);
    limit.value = 0;
    for (int i = 0; i < count; i++)
      limit.value += here[i] != 0 ? here[i] * sequence->values[i][0] : 0;
  }
  free(lower);
  return limit;
}

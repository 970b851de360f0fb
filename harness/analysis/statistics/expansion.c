/*
 * Errors of smooth one-step methods at fixed times have an expansion in powers of the step (Gragg
 * 1965; Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, II.8),
 *
 *     z_h(t) - z(t) = C_p(t) h^p + C_{p+1}(t) h^{p+1} + …
 *
 * with vectors C over components and sample times. An error that each step adds, however short, is
 * a term with h^-1. If all terms below h^l vanish, C_l is the limit of (z_h - z)/h^l: from l = -1
 * on, the first limit that is not zero within its uncertainty is the leading term. Below it, each
 * power is then tested alone once more. Signs are kept: a term of lower order is found if it is
 * 10^-8 of the error and adds to it or cancels it, long before slopes show it.
 *
 * The exponent is measured, not taken from l: where the leading term shrinks like h^(l+d), the
 * limits from two neighbouring windows differ by the factor (h/h')^d.
 *
 * Limits are extrapolations to a vanishing step (Richardson 1911; the same book, II.9), written
 * with weights: vectors are combined once, any powers can be eliminated for any sequence of steps,
 * and noise passes through the same weights.
 */
#include "harness/analysis/statistics/expansion.h"

#include "foundation/memory.h"

#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

enum { LOWEST_ORDER = -1, HIGHEST_ORDER = 14 };

/* A limit is not zero if it exceeds its uncertainty by this factor. */
static const double clearly = 10;

double shk_root_mean_square(const double *x, int count)
{
  double sum = 0;
  for (int i = 0; i < count; i++)
    sum += x[i] * x[i];
  return sqrt(sum / count);
}

/* ---- limits ---- */

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

/* Returns the weights of a combination, one for each of the vectors: of the last `used` or, with
 * `back` 1, of the same number ending one vector earlier. */
static double *window(double *weights, int count, int used, int back)
{
  return weights + (size_t)(2 * (used - 1) + back) * (size_t)count;
}

/* Returns the weights of all combinations, which depend on the steps alone. The caller frees
 * them. */
static double *all_weights(const double *steps, int count, int gap)
{
  double *const weights = shk_allocate(2 * (size_t)count * (size_t)count + 1, sizeof *weights);
  for (int used = 1; used <= count; used++)
    for (int back = 0; back < 2 && used + back <= count; back++) {
      const int first = count - back - used;
      set_weights(window(weights, count, used, back) + first, steps + first, used, gap);
    }
  return weights;
}

/* Returns the root mean square of a combination of the vectors. */
static double size_of(const double *vectors, int count, int size, const double *weights)
{
  double sum = 0;
  for (int c = 0; c < size; c++) {
    double component = 0;
    for (int i = 0; i < count; i++)
      if (weights[i] != 0)
        component += weights[i] * vectors[(size_t)i * (size_t)size + (size_t)c];
    sum += component * component;
  }
  return sqrt(sum / size);
}

/* Extrapolates the vectors, each over its step to this power, through two or more of the last ones,
 * and returns the result of the least uncertain combination. */
static struct shk_limit limit_of(const struct shk_sequence *sequence, int power, double *weights)
{
  struct shk_limit limit = {.size = NAN, .uncertainty = INFINITY, .coarser = NAN, .value = NAN};
  const int count = sequence->count, size = sequence->size;
  double *const vectors = shk_allocate((size_t)count * (size_t)(size + 3), sizeof *vectors);
  double *const noises = vectors + (size_t)count * (size_t)size;
  double *const lower = noises + count, *const change = lower + count;
  for (int i = 0; i < count; i++) {
    const double scale = pow(sequence->steps[i], power);
    for (int c = 0; c < size; c++)
      vectors[(size_t)i * (size_t)size + (size_t)c] = sequence->values[i][c] / scale;
    noises[i] = sequence->noise[i] / scale;
  }
  for (int used = 2; used <= count; used++) {
    const double *const here = window(weights, count, used, 0);
    /* If all vectors are used, no window ends one earlier: take the other one
     * of Neville's two parents. */
    const double *const earlier = window(weights, count, used < count ? used : used - 1, 1);
    const double *const parent = window(weights, count, used - 1, 0);
    double noise = 0;
    for (int i = 0; i < count; i++) {
      noise += fabs(here[i]) * noises[i];
      change[i] = here[i] - earlier[i];
      lower[i] = here[i] - parent[i];
    }
    const double moved =
        fmax(size_of(vectors, count, size, change), size_of(vectors, count, size, lower));
    if (!(2 * moved + noise < limit.uncertainty))
      continue;
    limit = (struct shk_limit){.size = size_of(vectors, count, size, here),
                               .uncertainty = 2 * moved + noise,
                               .coarser = size_of(vectors, count, size, earlier),
                               .used = used};
    for (int i = 0; i < count; i++)
      limit.value += here[i] != 0 ? here[i] * vectors[(size_t)i * (size_t)size] : 0;
  }
  free(vectors);
  return limit;
}

struct shk_limit shk_limit_of(const struct shk_sequence *sequence)
{
  double *const weights = all_weights(sequence->steps, sequence->count, 1);
  const struct shk_limit limit = limit_of(sequence, 0, weights);
  free(weights);
  return limit;
}

/* ---- terms ---- */

static bool is_seen(const struct shk_limit *limit)
{
  return limit->size >= clearly * limit->uncertainty;
}

/* Returns the first significant term if all may be present; above HIGHEST_ORDER: none. */
static int first_term(struct shk_limit *limit, const struct shk_sequence *errors)
{
  double *const weights = all_weights(errors->steps, errors->count, 1);
  int order = LOWEST_ORDER;
  for (; order <= HIGHEST_ORDER; order++) {
    *limit = limit_of(errors, order, weights);
    if (is_seen(limit))
      break;
  }
  free(weights);
  return order;
}

/* Finds a single term below the leading one, which is easier if there are none between the two.
 * Returns its order, or the leading one and the size below which it would remain undetected. */
static int lower_term(struct shk_limit *limit, double *unseen, const struct shk_sequence *errors,
                      int leading, double whole)
{
  *unseen = NAN;
  for (int order = LOWEST_ORDER; order < leading; order++) {
    double *const weights = all_weights(errors->steps, errors->count, leading - order);
    const struct shk_limit lower = limit_of(errors, order, weights);
    free(weights);
    if (is_seen(&lower)) {
      *limit = lower;
      return order;
    }
    const double here = clearly * lower.uncertainty * pow(errors->steps[0], order) / whole;
    *unseen = fmax(isnan(*unseen) ? 0 : *unseen, here);
  }
  return leading;
}

struct shk_expansion shk_expand(const struct shk_sequence *errors)
{
  const double *const steps = errors->steps;
  struct shk_limit limit;
  const int first = first_term(&limit, errors);
  if (first > HIGHEST_ORDER)
    return (struct shk_expansion){.determined = false};
  const double whole = shk_root_mean_square(errors->values[0], errors->size);
  double unseen;
  const int order = lower_term(&limit, &unseen, errors, first, whole);
  if (order < first)
    lower_term(&(struct shk_limit){0}, &unseen, errors, order, whole);
  const double ratio = steps[errors->count - 2] / steps[errors->count - 1];
  const double certainty = limit.size / limit.uncertainty;
  return (struct shk_expansion){.determined = true,
                                .order = order,
                                .value = order + log(limit.coarser / limit.size) / log(ratio),
                                .half_width = 2 / certainty / log(ratio),
                                .certainty = certainty,
                                .share = limit.size * pow(steps[0], order) / whole,
                                .unseen = unseen,
                                .used = limit.used};
}

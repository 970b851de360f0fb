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
 */
#include "harness/analysis/statistics/expansion.h"
#include "foundation/memory.h"
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

/* Returns the limit of errors/h^order. */
static struct shk_limit coefficient(const double *steps, const struct shk_sequence *errors,
                                    int order, const struct shk_windows *windows)
{
  const int count = errors->count, size = errors->size;
  double *const numbers = shk_allocate((size_t)count * ((size_t)size + 1), sizeof *numbers);
  double *const noise = numbers + (size_t)count * (size_t)size;
  const double **const values = shk_allocate((size_t)count, sizeof *values);
  for (int i = 0; i < count; i++) {
    const double scale = pow(steps[i], order);
    double *const row = numbers + (size_t)i * (size_t)size;
    for (int c = 0; c < size; c++)
      row[c] = errors->values[i][c] / scale;
    values[i] = row;
    noise[i] = errors->noise[i] / scale;
  }
  const struct shk_sequence scaled = {count, size, values, noise};
  const struct shk_limit limit = shk_limit_of(&scaled, windows);
  free(values);
  free(numbers);
  return limit;
}

static bool is_seen(const struct shk_limit *limit)
{
  return limit->size >= clearly * limit->uncertainty;
}

/* Returns the first significant term if all may be present; above HIGHEST_ORDER: none. */
static int first_term(struct shk_limit *limit, const double *steps,
                      const struct shk_sequence *errors)
{
  struct shk_windows windows = shk_windows_make(steps, errors->count, 1);
  int order = LOWEST_ORDER;
  while (order <= HIGHEST_ORDER) {
    *limit = coefficient(steps, errors, order, &windows);
    if (is_seen(limit))
      break;
    order++;
  }
  shk_windows_clear(&windows);
  return order;
}

/* Finds a single term below the leading one, which is easier if there are none between the two.
 * Returns its order, or the leading one and the size below which it would remain undetected. */
static int lower_term(struct shk_limit *limit, double *unseen, const double *steps,
                      const struct shk_sequence *errors, int leading, double whole)
{
  *unseen = NAN;
  for (int order = LOWEST_ORDER; order < leading; order++) {
    struct shk_windows windows = shk_windows_make(steps, errors->count, leading - order);
    const struct shk_limit lower = coefficient(steps, errors, order, &windows);
    shk_windows_clear(&windows);
    if (is_seen(&lower)) {
      *limit = lower;
      return order;
    }
    const double here = clearly * lower.uncertainty * pow(steps[0], order) / whole;
    *unseen = fmax(isnan(*unseen) ? 0 : *unseen, here);
  }
  return leading;
}

struct shk_expansion shk_expand(const double *steps, const struct shk_sequence *errors)
{
  struct shk_limit limit;
  const int first = first_term(&limit, steps, errors);
  if (first > HIGHEST_ORDER)
    return (struct shk_expansion){.determined = false};
  const double whole = shk_root_mean_square(errors->values[0], errors->size);
  double unseen;
  const int order = lower_term(&limit, &unseen, steps, errors, first, whole);
  if (order < first)
    lower_term(&(struct shk_limit){0}, &unseen, steps, errors, order, whole);
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

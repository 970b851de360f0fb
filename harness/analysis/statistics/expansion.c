/*
 * At fixed times, the error of a smooth one-step method can be expanded in powers of the step
 * (Gragg 1965; Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, II.8),
 *
 *     z_h(t) - z(t) = C_p(t) h^p + C_{p+1}(t) h^{p+1} + …
 *
 * where each C is a vector over components and sample times. An error that is the same for every
 * step, regardless of its length, contributes a term with h^-1. If all terms below h^l vanish, C_l
 * is the limit of (z_h - z)/h^l. The search starts at l = -1 and stops at the first limit that is
 * clearly nonzero, which gives the leading term. Each lower power is then tested once more on its
 * own. Because the errors are signed, a term of lower order is found as soon as it makes up 10^-8
 * of the error, long before it affects the slopes.
 *
 * The exponent is measured rather than assumed to be l. If the leading term decreases like h^(l+d),
 * the limits from two neighbouring windows differ by a factor of (h/h')^d.
 *
 * Limits are found by extrapolating to a vanishing step (Richardson 1911; the same book, II.9). The
 * extrapolation is written as a weighted sum of the vectors, which therefore need to be combined
 * only once. With suitable weights, any set of powers can be eliminated for any sequence of steps,
 * and the same weights give the noise of the result.
 */
#include "harness/analysis/statistics/expansion.h"

#include "foundation/memory.h"

#include <gsl/gsl_cblas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LOWEST_ORDER = -1 };

/* A limit counts as nonzero if it exceeds its uncertainty by this factor. */
static const double clearly = 10;

double shk_root_mean_square(const double *x, int count)
{
  return cblas_dnrm2(count, x, 1) / sqrt(count);
}

/* ---- limits ---- */

/* Computes weights w_i such that Σ w_i v_i = c_0, where c_0 + c_1 h^gap + c_2 h^(gap+1) + …
 * interpolates v_i / h_i^power. Only the `used` vectors v_i that start at index `first` have
 * nonzero weights. The weights are the solution of Σ w_i h_i^power = 1 and Σ w_i h_i^(power+k) = 0
 * for k = gap, gap + 1, …, used + gap - 2. */
static void set_weights(double *weights, const struct shk_sequence *sequence, int power, int gap,
                        int first, int used)
{
  const struct shk_term *const terms = sequence->terms + first;
  gsl_matrix *const powers = gsl_matrix_alloc((size_t)used, (size_t)used);
  gsl_permutation *const order = gsl_permutation_alloc((size_t)used);
  gsl_vector_view x = gsl_vector_view_array(weights + first, (size_t)used);
  int sign;
  memset(weights, 0, (size_t)sequence->count * sizeof *weights);
  for (int row = 0; row < used; row++)
    for (int i = 0; i < used; i++)
      gsl_matrix_set(powers, (size_t)row, (size_t)i,
                     row == 0 ? 1 : pow(terms[i].step / terms[0].step, gap + row - 1));
  gsl_vector_set_basis(&x.vector, 0);
  gsl_linalg_LU_decomp(powers, order, &sign);
  gsl_linalg_LU_svx(powers, order, &x.vector);
  for (int i = 0; i < used; i++)
    weights[first + i] /= pow(terms[i].step, power);
  gsl_permutation_free(order);
  gsl_matrix_free(powers);
}

/* Stores the weighted sum of the vectors and returns its root mean square. If `others` is not NULL,
 * it is subtracted from the weights first. */
static double combine_expansion(double *sum, const struct shk_sequence *sequence,
                                const double *weights, const double *others)
{
  memset(sum, 0, (size_t)sequence->size * sizeof *sum);
  for (int i = 0; i < sequence->count; i++) {
    const double weight = weights[i] - (others ? others[i] : 0);
    if (weight != 0)
      cblas_daxpy(sequence->size, weight, sequence->terms[i].values, 1, sum, 1);
  }
  return shk_root_mean_square(sum, sequence->size);
}

/* Divides each vector by this power of its step, extrapolates using the last two, three, … vectors,
 * and returns the result with the smallest uncertainty. */
static struct shk_limit limit_of(const struct shk_sequence *sequence, int power, int gap)
{
  struct shk_limit limit = {.size = NAN, .uncertainty = INFINITY, .coarser = NAN, .value = NAN};
  const int count = sequence->count;
  double *const here = shk_allocate((size_t)(3 * count + sequence->size), sizeof *here),
                *const earlier = here + count, *const lower = earlier + count,
                *const sum = lower + count;
  for (int used = 2; used <= count; used++) {
    set_weights(here, sequence, power, gap, count - used, used);
    set_weights(lower, sequence, power, gap, count - used + 1, used - 1);
    /* Compare with the window that ends one vector earlier. If all vectors are used, there is no
     * such window, and the first of the two parents in Neville's scheme is used instead. */
    if (used < count)
      set_weights(earlier, sequence, power, gap, count - used - 1, used);
    else
      set_weights(earlier, sequence, power, gap, 0, used - 1);
    double noise = 0;
    for (int i = 0; i < count; i++)
      noise += fabs(here[i]) * sequence->terms[i].noise;
    const double uncertainty = noise + 2 * fmax(combine_expansion(sum, sequence, here, earlier),
                                                combine_expansion(sum, sequence, here, lower));
    if (!(uncertainty < limit.uncertainty))
      continue;
    limit.uncertainty = uncertainty;
    limit.used = used;
    limit.coarser = combine_expansion(sum, sequence, earlier, NULL);
    limit.size = combine_expansion(sum, sequence, here, NULL);
    limit.value = sum[0];
  }
  free(here);
  return limit;
}

struct shk_limit shk_limit_of(const struct shk_sequence *sequence)
{
  return limit_of(sequence, 0, 1);
}

/* ---- terms ---- */

static bool is_seen(const struct shk_limit *limit)
{
  return limit->size >= clearly * limit->uncertainty;
}

/* Looks for a single term whose order is lower than the leading one, assuming that there are no
 * terms in between. Returns its order, or the leading order if no such term is found. Sets *unseen
 * to the fraction of the error `whole` below which a term would go undetected, and sets at_most to
 * the largest possible contribution of a term of each order. */
static int lower_term(struct shk_limit *limit, double *unseen, double *at_most,
                      const struct shk_sequence *errors, int leading, double whole)
{
  *unseen = NAN;
  for (int order = 0; order <= SHK_HIGHEST_ORDER; order++)
    at_most[order] = NAN;
  for (int order = LOWEST_ORDER; order < leading; order++) {
    const struct shk_limit lower = limit_of(errors, order, leading - order);
    if (is_seen(&lower)) {
      *limit = lower;
      return order;
    }
    const double power = pow(errors->terms[0].step, order);
    *unseen = fmax(*unseen, clearly * lower.uncertainty * power / whole);
    if (order >= 0)
      at_most[order] =
          lower.size <= lower.uncertainty ? (lower.size + lower.uncertainty) * power : INFINITY;
  }
  return leading;
}

struct shk_expansion shk_expand(const struct shk_sequence *errors)
{
  const struct shk_term *const terms = errors->terms, *const last = terms + errors->count - 1;
  struct shk_limit limit;
  int first = LOWEST_ORDER;
  for (; first <= SHK_HIGHEST_ORDER; first++) {
    limit = limit_of(errors, first, 1);
    if (is_seen(&limit))
      break;
  }
  if (first > SHK_HIGHEST_ORDER)
    return (struct shk_expansion){.determined = false};
  const double whole = shk_root_mean_square(terms->values, errors->size);
  struct shk_expansion found = {.determined = true};
  const int order = lower_term(&limit, &found.unseen, found.at_most, errors, first, whole);
  if (order < first)
    lower_term(&(struct shk_limit){0}, &found.unseen, found.at_most, errors, order, whole);
  const double ratio = last[-1].step / last->step;
  found.certainty = limit.size / limit.uncertainty;
  found.value = order + log(limit.coarser / limit.size) / log(ratio);
  found.half_width = 2 / found.certainty / log(ratio);
  found.share = limit.size * pow(terms->step, order) / whole;
  /* the measured exponent also depends on the window that ends one vector earlier */
  found.used = limit.used < errors->count ? limit.used + 1 : limit.used;
  return found;
}

/* Fits the time and the exponent of an impasse by least squares. See impasse.h. */
#include "measures/impasse.h"

#include "mechanics/algebra/qr.h"

#include <stdlib.h>

/* The fits for t* use LEAST_TERMS, LEAST_TERMS + MORE, … up to TERMS terms, and at least SPARE more
 * points than terms. The exponent is fitted with EXPONENT_TERMS terms, using the t* of a fit with
 * TIME_TERMS terms. A window contains at least FEWEST points. */
enum {
  LEAST_TERMS = 6,
  TERMS = 28,
  MORE = 2,
  SPARE = 4,
  EXPONENT_TERMS = 8,
  TIME_TERMS = 12,
  FEWEST = 16
};
/* In the window, lambda is between FARTHEST and NEAREST times its value at the beginning of its
 * growth. */
#define NEAREST 12
#define FARTHEST 3
/* Maximum number of Newton iterations for t*. */
#define PASSES 200

/* Solves Σ_k x_k columns_k = right, a system with `count` rows, for x (terms) in the least-squares
 * sense. Overwrites `columns` and `right`. Returns false if the columns are dependent. */
static bool least_squares(real *x, real *columns, real *right, int terms, int count)
{
  real tau[TERMS], diagonal[TERMS];
  int order[TERMS];
  const int rank = shk_qr_factor(columns, tau, diagonal, order, terms, count, count * REAL_EPSILON);
  shk_qr_reflect(right, columns, tau, rank, count);
  for (int k = 0; k < terms; k++)
    x[k] = 0;
  for (int i = rank - 1; i >= 0; i--) {
    real value = right[i];
    for (int j = i + 1; j < rank; j++)
      value -= columns[(size_t)j * count + i] * x[order[j]];
    x[order[i]] = value / diagonal[i];
  }
  return rank == terms;
}

/* Stores the Chebyshev polynomials T_0(x), T_1(x), …. */
static void chebyshev_impasse(real *T, int count, real x)
{
  T[0] = 1;
  T[1] = x;
  for (int k = 2; k < count; k++)
    T[k] = 2 * x * T[k - 1] - T[k - 2];
}

struct window {
  int first, last; /* inclusive */
};

/* Finds the window. Returns false if the window contains fewer than FEWEST points or if lambda does
 * not grow there. */
static bool place_window(struct window *window, const real *size, int count)
{
  int least = count - 1;
  while (least > 0 && size[least - 1] < size[least])
    least--;
  const real top = real_min(NEAREST * size[least], size[count - 1] / 2);
  window->last = count - 1;
  while (window->last > least && size[window->last] > top)
    window->last--;
  window->first = window->last;
  while (window->first > least && size[window->first - 1] >= FARTHEST * size[least])
    window->first--;
  return window->last - window->first + 1 >= FEWEST && size[window->first] < size[window->last];
}

/* Stores the constant and the coefficient of s² in 1/lambda² if t* is `end`. Times are measured in
 * units of the window length. The fitted functions are 1, s² T_0, s² T_1, …, where T_k are the
 * Chebyshev polynomials on the window; powers of s would be nearly dependent. `scratch` provides
 * space for TERMS + 1 numbers per point. Returns false if the functions are dependent. */
static bool fit_series(real *constant, real *slope, real *scratch, const struct window *window,
                       const real *t, const real *size, int terms, real end)
{
  const int count = window->last - window->first + 1, first = window->first;
  const real length = t[window->last] - t[first];
  const real far = real_sqrt((end - t[first]) / length);
  const real near = real_sqrt((end - t[window->last]) / length);
  const real middle = (far + near) / 2, half = (far - near) / 2;
  real *columns = scratch, *right = scratch + (size_t)TERMS * count, c[TERMS], T[TERMS];
  for (int i = 0; i < count; i++) {
    const real left = (end - t[first + i]) / length;
    chebyshev_impasse(T, terms, (real_sqrt(left) - middle) / half);
    columns[i] = 1;
    for (int k = 1; k < terms; k++)
      columns[(size_t)k * count + i] = left * T[k - 1];
    right[i] = 1 / (size[first + i] * size[first + i]);
  }
  if (!least_squares(c, columns, right, terms, count))
    return false;
  *constant = c[0];
  *slope = 0;
  chebyshev_impasse(T, terms, -middle / half);
  for (int k = 1; k < terms; k++)
    *slope += c[k] * T[k - 1];
  return true;
}

/* Finds the t* for which the constant term of the series vanishes. Returns false if Newton's method
 * fails. */
static bool fit_time(struct shk_impasse *impasse, real *scratch, const struct window *window,
                     const real *t, const real *size, int terms)
{
  const real length = t[window->last] - t[window->first];
  const real y1 = 1 / (size[window->last] * size[window->last]),
             y0 = 1 / (size[window->first] * size[window->first]);
  /* the distance of t* from the end of the window, divided by the window length */
  real constant = y0, slope = 0, beyond = y1 / (y0 - y1);
  for (int pass = 0; pass < PASSES; pass++) {
    impasse->time = t[window->last] + beyond * length;
    if (!fit_series(&constant, &slope, scratch, window, t, size, terms, impasse->time) ||
        !(slope > 0))
      return false;
    const real change = constant / slope;
    /* t* must remain beyond the last point in the window */
    const real now = beyond + change > beyond / 2 ? beyond + change : beyond / 2;
    const bool converged = real_fabs(now - beyond) <= 100 * REAL_EPSILON;
    beyond = now;
    if (converged)
      break;
  }
  return real_fabs(constant) <= real_sqrt(REAL_EPSILON) * y0;
}

/* Chooses the number of terms for which t* differs least from the previous fit. Because two fits
 * may agree by chance, a change counts as at least a tenth of the previous change. With fewer
 * terms, the series has not converged; with more terms, it fits round-off or the errors of the
 * states. */
static bool fit_best_time(struct shk_impasse *impasse, real *scratch, const struct window *window,
                          const real *t, const real *size)
{
  const int points = impasse->points;
  struct shk_impasse fit = {.points = points};
  real before = 0, change_before = 0;
  int fits = 0;
  bool found = false;
  for (int terms = LEAST_TERMS; terms <= TERMS && terms + SPARE <= points; terms += MORE) {
    if (!fit_time(&fit, scratch, window, t, size, terms)) {
      fits = 0;
      continue;
    }
    const real change = real_fabs(fit.time - before);
    fit.doubt = real_max(change, change_before / 10);
    if (fits > 1 && (!found || fit.doubt < impasse->doubt)) {
      *impasse = fit;
      found = true;
    }
    change_before = fits > 0 ? change : 0;
    before = fit.time;
    fits++;
  }
  return found;
}

/* Finds the exponent from delta, which is, to first order, the amount by which the power of s in
 * 1/lambda² exceeds 2. The value of t* is taken from a fit with only a few terms, because such a
 * fit cannot mimic a different exponent. */
static bool fit_exponent(struct shk_impasse *impasse, real *scratch, const struct window *window,
                         const real *t, const real *size)
{
  const int count = impasse->points, first = window->first;
  const real length = t[window->last] - t[first];
  real *columns = scratch, *right = scratch + (size_t)TERMS * count, c[TERMS];
  struct shk_impasse few;
  if (!fit_time(&few, scratch, window, t, size, TIME_TERMS))
    return false;
  for (int i = 0; i < count; i++) {
    const real left = (few.time - t[first + i]) / length, root = real_sqrt(left);
    right[i] = 1 / (size[first + i] * size[first + i]);
    columns[i] = right[i] * real_log(root);
    real power = left;
    for (int k = 1; k < EXPONENT_TERMS; k++, power *= root)
      columns[(size_t)k * count + i] = power;
  }
  const bool ok = least_squares(c, columns, right, EXPONENT_TERMS, count);
  impasse->exponent = -(2 + c[0]) / 4;
  return ok;
}

struct shk_status shk_impasse_fit(struct shk_impasse *impasse, const real *t, const real *size,
                                  int count)
{
  const struct shk_status none = shk_failure(
      SHK_NOT_CONVERGED,
      "the multiplier does not grow as it would near an impasse for enough steps", 0, 0);
  struct window window;
  *impasse = (struct shk_impasse){0};
  if (count < FEWEST || !place_window(&window, size, count))
    return none;
  impasse->points = window.last - window.first + 1;
  real *scratch = malloc(((size_t)TERMS + 1) * (size_t)count * sizeof *scratch);
  if (!scratch)
    return shk_failure(SHK_NO_MEMORY, "not enough memory to fit an impasse", 0, 0);
  bool ok = fit_best_time(impasse, scratch, &window, t, size) &&
            fit_exponent(impasse, scratch, &window, t, size);
  free(scratch);
  return ok ? shk_ok() : none;
}

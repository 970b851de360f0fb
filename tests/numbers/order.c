/*
 * Orders read off made-up error curves, and the verdicts on them: curves whose order is known are
 * found, and curves that decide nothing (too short, scattered, level, at round-off) are not.
 */
#include "harness/analysis/statistics/order.h"
#include "harness/analysis/families/verdict.h"
#include "tests/kit/tap.h"
#include <gsl/gsl_rng.h>

enum { MOST = 16 };

struct made {
  struct shk_point points[MOST];
  int count;
};

/* A curve e(h) at h = largest/factor^i. */
static struct made make(double (*error)(double h), int count, double largest, double factor)
{
  struct made made = {.count = count};
  for (int i = 0; i < count; i++) {
    const double h = largest / pow(factor, i);
    made.points[i] = (struct shk_point){.step = h, .error = error(h), .reference_error = 1e-30};
  }
  return made;
}

static struct shk_fit fit(struct made *made)
{
  return shk_order_fit(made->points, made->count, false);
}

static double second(double h)
{
  return 0.3 * h * h * (1 + 0.2 * h);
}

static double second_with_floor(double h)
{
  return 0.3 * h * h + 1e-9 * (1 + 0.5 * sin(1e5 * h));
}

static double bent(double h)
{
  return h * h / (1 + 300 * h * h * h);
}

static double fourth(double h)
{
  return 0.1 * h * h * h * h;
}

static double diverging(double h)
{
  return 1e-3 / h;
}

static double plateau(double h)
{
  return 0.5 * h * h + 1e-6;
}

static double wrong_limit(double h)
{
  return 1 + 0.3 * h * h;
}

static double roundoff(double h)
{
  return 3e-16 + 0 * h;
}

/* Order 2 on its way to order 1. */
static double two_terms(double h)
{
  return 0.1 * h + 30 * h * h;
}

static void test_known_orders(void)
{
  struct made made = make(second, 7, 0.1, 2);
  struct shk_fit f = fit(&made);
  tap_ok(f.determined, "a second-order curve has an order");
  tap_is_near(f.order, 2, 0.01, "which is 2");
  tap_ok(f.half_width > 0 && f.half_width < 0.02, "with a small half-width");
  tap_ok(f.half_width >= fabs(f.order - 2), "that covers the order (%.2g, off by %.2g)",
         f.half_width, fabs(f.order - 2));

  made = make(second, 7, 0.1, 1.5);
  tap_is_near(fit(&made).order, 2, 0.01, "steps that shrink by 1.5 rather than 2");

  made = make(fourth, 5, 0.2, 3);
  tap_is_near(fit(&made).order, 4, 1e-9, "order 4 with factor 3");

  made = make(bent, 9, 0.4, 2);
  f = fit(&made);
  tap_ok(f.determined && f.used < made.count, "a bent start is left out (%d points used)", f.used);
  tap_is_near(f.order, 2, 0.05, "and order 2 is found behind it");
}

static void test_floor(void)
{
  struct made made = make(second_with_floor, 12, 0.1, 2);
  for (int i = 0; i < made.count; i++)
    made.points[i].floor = 1e-9;
  struct shk_fit f = fit(&made);
  tap_is_near(f.order, 2, 0.02, "a noise floor does not bend the order");
  int last = made.count - 1;
  while (last > 0 && !made.points[last].in_window)
    last--;
  tap_ok(last > 0 && made.points[last].error >= 1e-7, "points near the floor are left out");

  made = make(second, 7, 0.1, 2);
  for (int i = 0; i < made.count; i++)
    made.points[i].reference_error = 1e-5;
  f = fit(&made);
  tap_ok(!f.determined && strstr(f.why, "reference"), "a poor reference decides nothing: %s",
         f.why);
  made.points[3].reference_error = NAN;
  for (int i = 0; i < made.count; i++)
    made.points[i].reference_error = NAN;
  f = fit(&made);
  tap_ok(!f.determined && strstr(f.why, "unknown"), "nor does one of unknown error: %s", f.why);

  made = make(roundoff, 7, 0.1, 2);
  for (int i = 0; i < made.count; i++)
    made.points[i].floor = 1e-15;
  f = fit(&made);
  tap_ok(!f.determined && f.exact, "a curve at round-off is exact: %s", f.why);
}

static void test_undetermined(void)
{
  struct made made = make(second, 3, 0.1, 2);
  struct shk_fit f = fit(&made);
  tap_ok(!f.determined && isnan(f.order), "three points decide nothing: %s", f.why);

  made = make(second, 7, 0.1, 2);
  made.points[3].error = NAN;
  f = fit(&made);
  tap_is_near(f.order, 2, 0.01, "a failed cell in the middle is a gap");
  for (int i = 1; i < 5; i++)
    made.points[i].error = NAN;
  f = fit(&made);
  tap_ok(!f.determined && strstr(f.why, "failed"), "too many gaps decide nothing: %s", f.why);
  made = make(second, 7, 0.1, 2);
  made.points[2].error = INFINITY;
  tap_is_near(fit(&made).order, 2, 0.01, "an infinite error is a gap too");

  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, (unsigned long)tap_seed(7));
  int settled = 0;
  for (int trial = 0; trial < 200; trial++) {
    made = make(second, 8, 0.1, 2);
    for (int i = 0; i < made.count; i++)
      made.points[i].error *= exp(1.5 * (gsl_rng_uniform(rng) - 0.5));
    settled += fit(&made).determined;
  }
  gsl_rng_free(rng);
  tap_ok(settled <= 2, "scattered errors have no order (%d of 200 did)", settled);

  made = make(plateau, 15, 0.4, 2);
  f = fit(&made);
  tap_ok(!f.determined && strstr(f.why, "plateau"), "a plateau is no order 0: %s", f.why);
  made.count = 9;
  f = fit(&made);
  tap_ok(!f.determined, "nor is the way into one: %s", f.why);
}

#define is_verdict(decision, word, ...)                                                            \
  tap_is_text(shk_verdict_word((decision).verdict), word, __VA_ARGS__)

static struct shk_decision decide_fit(const struct shk_fit *fit, int claimed, double band,
                                      unsigned flags)
{
  return shk_decide(&(struct shk_evidence){.kind = SHK_EVIDENCE_ORDER,
                                           .fit = fit,
                                           .claimed = claimed,
                                           .band = band,
                                           .undecidable = flags});
}

static struct shk_decision decide(struct made *made, int claimed, double band, unsigned flags)
{
  const struct shk_fit f = fit(made);
  return decide_fit(&f, claimed, band, flags);
}

static void test_verdicts(void)
{
  struct made made = make(second, 7, 0.1, 2);
  is_verdict(decide(&made, 2, 0.1, 0), "held", "2 claimed, 2 found");
  is_verdict(decide(&made, 1, 0.1, 0), "held", "1 claimed: an order above the claim is no fault");
  is_verdict(decide(&made, 4, 0.1, 0), "falsified", "4 claimed");
  is_verdict(decide(&made, 0, 0.1, 0), "undecided",
             "no convergence claimed, but it converges on this problem");
  is_verdict(decide(&made, SHK_NO_ORDER, 0.1, 0), "none", "nothing claimed");
  is_verdict(decide(&made, 1, 0.1, SHK_SYMMETRIC_START), "undecided",
             "more than claimed from a symmetric start");
  is_verdict(decide(&made, 3, 0.1, SHK_SYMMETRIC_START), "falsified",
             "less than claimed from a symmetric start");
  is_verdict(decide(&made, 1, 0.1, SHK_FREE_MOTION), "undecided",
             "more than claimed in free motion");
  is_verdict(decide(&made, 4, 0.1, SHK_CHAOTIC), "undecided",
             "beyond the horizon of a chaotic problem");

  made = make(diverging, 7, 0.1, 2);
  const struct shk_fit f = fit(&made);
  tap_is_near(f.order, -1, 1e-9, "a diverging sequence has a negative order");
  is_verdict(decide(&made, 1, 0.1, 0), "falsified", "and falsifies order 1");

  made = make(wrong_limit, 7, 0.1, 2);
  is_verdict(decide(&made, 0, 0.1, 0), "held", "a wrong limit is of order 0");
  is_verdict(decide(&made, 2, 0.1, 0), "falsified", "and not of 2");
  for (int i = 0; i < made.count; i++)
    made.points[i].error *= 1e-6;
  is_verdict(decide(&made, 0, 0.1, 0), "undecided",
             "a level error that is small is no wrong limit");

  made = make(roundoff, 7, 0.1, 2);
  for (int i = 0; i < made.count; i++)
    made.points[i].floor = 1e-15;
  is_verdict(decide(&made, 2, 0.1, 0), "undecided", "exact on the problem");

  /* Pairwise orders 1.08 … 1.03 on their way to 1. */
  made = make(two_terms, 6, 0.0003, 1.25);
  is_verdict(decide(&made, 1, 0.05, 0), "held",
             "an order that approaches the claim is extrapolated to it");
  struct shk_decision decision;
  struct shk_fit wide = {.determined = true, .order = 2.02, .half_width = 0.15, .last_pair = 2};
  decision = decide_fit(&wide, 2, 0.1, 0);
  is_verdict(decision, "undecided", "too uncertain: %s", decision.reason);
  is_verdict(decide_fit(&wide, 2, 0.2, 0), "held", "but not for the wider band of double");
  wide.order = wide.last_pair = 1.03;
  is_verdict(decide_fit(&wide, 2, 0.1, 0), "falsified", "of which 2 is six half-widths away");
  is_verdict(decide_fit(&wide, 1, 0.1, 0), "undecided", "and 1, which is near, not shown");
  wide.half_width = 0.25;
  is_verdict(decide_fit(&wide, 2, 0.1, 0), "undecided", "but not four");
  wide = (struct shk_fit){
      .determined = true, .order = 2.08, .half_width = 0.04, .last_pair = 2.14, .trend = 0.04};
  decision = decide_fit(&wide, 2, 0.1, 0);
  is_verdict(decision, "undecided", "moving away: %s", decision.reason);

  /* Seen of projected RK4 on a random ring whose steps were too long. */
  wide = (struct shk_fit){
      .determined = true, .order = 4.86, .half_width = 0.13, .by_signs = true, .last_pair = 4.86};
  is_verdict(decide_fit(&wide, 4, 0.1, 0), "undecided",
             "higher than claimed, and not a whole number");
  wide.order = wide.last_pair = 4.98;
  wide.at_most[4] = NAN;
  decision = decide_fit(&wide, 4, 0.1, 0);
  is_verdict(decision, "held", "but 5 is better than 4");
  tap_ok(!decision.above, "and counts for nothing if a term of order 4 may be there");
  wide.order = wide.last_pair = 3.14;
  is_verdict(decide_fit(&wide, 4, 0.1, 0), "falsified", "and so is what is lower");
}

/* Verdicts on methods that claim no order. */
static const char *consistency(const struct shk_fit *fit, int least, double visible, unsigned flags)
{
  return shk_verdict_word(shk_decide(&(struct shk_evidence){.kind = SHK_EVIDENCE_CONSISTENCY,
                                                            .fit = fit,
                                                            .claimed = least,
                                                            .band = visible,
                                                            .undecidable = flags})
                              .verdict);
}

static void test_consistency(void)
{
  struct shk_fit fit = {.determined = true, .finest_error = 0.2, .slope = 0.1};
  tap_is_text(consistency(&fit, 1, 1e-3, 0), "falsified",
              "errors that stay are those of no consistent method");
  tap_is_text(consistency(&fit, 1, 1e-3, SHK_CHAOTIC), "none",
              "but not where the motion is chaotic");
  fit.slope_half_width = 0.5;
  tap_is_text(consistency(&fit, 1, 1e-3, 0), "none", "nor where the slope is uncertain");
  fit = (struct shk_fit){.finest_error = 1e-4, .slope = 0};
  tap_is_text(consistency(&fit, 1, 1e-3, 0), "none", "nor what rounding of states may leave");
  fit = (struct shk_fit){.finest_error = 1e-4, .slope = 1.01, .slope_half_width = 0.02};
  tap_is_text(consistency(&fit, 2, 1e-6, 0), "falsified", "one step is off by O(h^2) at most");
  fit = (struct shk_fit){.determined = true, .order = 1, .half_width = 0.01, .slope = NAN};
  tap_is_text(consistency(&fit, 2, 1e-6, 0), "falsified", "and so is one by a fault that is small");
  fit = (struct shk_fit){.determined = true, .order = 0.02, .half_width = 0.01, .slope = 0.02};
  tap_is_text(consistency(&fit, 2, 1e-6, 0), "none",
              "a level without an order is that of rounding");
  fit.slope = NAN;
  tap_is_text(consistency(&fit, 2, 1e-6, 0), "none", "without a slope there is no verdict");
}

/* One of two levels, as it comes. */
static double uneven(double h)
{
  static const double levels[] = {0.03, 0.01, 0.01, 0.03, 0.01, 0.03};
  return levels[lround(log2(0.1 / h))];
}

/* Level as long as the steps are too long for what is fast. */
static double falls_late(double h)
{
  return 1e-3 * h * h / (h * h + 1e-6);
}

static double slow(double h)
{
  return 0.01 * sqrt(h) * (1 + 0.3 * sin(40 * log(h)));
}

static void verdict_is(const char *verdict, double (*error)(double h), int claimed,
                       const char *name)
{
  struct made made = make(error, 6, 0.1, 2);
  const struct shk_decision decision = decide(&made, claimed, 0.1, 0);
  is_verdict(decision, verdict, "%s: %s", name, decision.reason);
}

/* Without an order there may be enough to tell that it is not the claimed one. */
static void test_errors_that_stay(void)
{
  verdict_is("falsified", uneven, 2, "errors that do not fall");
  verdict_is("undecided", uneven, 0, "which a claim of no convergence need not");
  verdict_is("falsified", slow, 2, "errors that fall like the root of the step, unevenly");
  verdict_is("undecided", falls_late, 2, "errors that begin to fall");
  struct made made = make(plateau, 15, 0.4, 2);
  struct shk_decision decision = decide(&made, 2, 0.1, 0);
  is_verdict(decision, "falsified", "errors that stay: %s", decision.reason);
  is_verdict(decide(&made, 2, 0.1, SHK_CHAOTIC), "undecided", "but not where all errors grow");
  for (int i = 0; i < made.count; i++)
    made.points[i].error *= 1e-4;
  decision = decide(&made, 2, 0.1, 0);
  is_verdict(decision, "undecided", "nor where they stay at what a tolerance may leave: %s",
             decision.reason);
}

/* ---- signed errors ---- */

enum { COMPONENTS = 12 };

struct expansion {
  struct shk_point errors[MOST];
  double numbers[MOST][COMPONENTS];
  int count;
};

/* h^order (a + b h + c h^2) + admixture h^lower s with a, b, c, s drawn for each component, at
 * h = 0.1/2^i; the admixture is relative to the first term at the largest step. */
static void expand(struct expansion *made, int count, int order, int lower, double admixture)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, (unsigned long)tap_seed(11));
  double terms[4][COMPONENTS];
  for (int k = 0; k < 4; k++)
    for (int c = 0; c < COMPONENTS; c++)
      terms[k][c] = 2 * gsl_rng_uniform(rng) - 1;
  gsl_rng_free(rng);
  made->count = count;
  for (int i = 0; i < count; i++) {
    const double h = 0.1 / pow(2, i);
    double largest = 0;
    for (int c = 0; c < COMPONENTS; c++) {
      const double term = terms[0][c] + terms[1][c] * h + terms[2][c] * h * h;
      made->numbers[i][c] =
          pow(h, order) * term + admixture * pow(0.1, order - lower) * pow(h, lower) * terms[3][c];
      largest = fmax(largest, fabs(made->numbers[i][c]));
    }
    made->errors[i] = (struct shk_point){.step = h,
                                         .error = largest,
                                         .reference_error = 1e-30,
                                         .signed_errors = made->numbers[i],
                                         .signed_count = COMPONENTS};
  }
}

/* h² with a term of order 1 that is a thousandth of it at the largest step. */
static double shows_late(double h)
{
  return 0.3 * h * h + 3e-5 * h;
}

/* An order above the claim, from errors with a term of the claimed order or without. */
static struct shk_decision above(int order, int claimed, double admixture, unsigned flags)
{
  struct expansion made;
  expand(&made, 7, order, claimed, admixture);
  const struct shk_fit f = shk_order_fit(made.errors, made.count, false);
  return decide_fit(&f, claimed, 0.1, flags);
}

static void test_above(void)
{
  struct shk_decision decision = above(2, 1, 0, 0);
  is_verdict(decision, "held", "order 2, 1 claimed: %s", decision.reason);
  tap_ok(decision.above, "which counts against the claim");
  tap_ok(above(4, 2, 0, 0).above, "and so does order 4 where 2 is claimed");
  decision = above(2, 1, 1e-4, 0);
  is_verdict(decision, "held", "a small term of order 1: %s", decision.reason);
  tap_ok(!decision.above, "counts for nothing against it");
  tap_ok(!above(2, 1, 1e-12, 0).above, "nor does one that is hardly seen");
  tap_ok(above(1, 1, 0, 0).as_claimed, "order 1 shows the claimed order");
  decision = above(2, 1, 0, SHK_SYMMETRIC_START);
  is_verdict(decision, "undecided", "order 2 from a symmetric start");
  tap_ok(!decision.above, "counts for nothing");
  tap_ok(!above(2, 1, 0, SHK_LINEAR_POTENTIAL).above, "nor under a constant force");

  struct made made = make(shows_late, 5, 0.1, 2);
  const struct shk_fit f = fit(&made);
  tap_ok(f.leaves && f.order - f.half_width <= 1, "a lower order that shows late: %s, %.3g ± %.2g",
         f.pairs, f.order, f.half_width);
  is_verdict(decide_fit(&f, 2, 0.1, 0), "undecided", "2 claimed");
  is_verdict(decide_fit(&f, 1, 0.1, 0), "undecided", "1 claimed");
  is_verdict(decide_fit(&f, 4, 0.1, 0), "falsified", "4 claimed");
  made = make(second, 7, 0.1, 2);
  tap_ok(!fit(&made).leaves, "a term of higher order fades");
}

static void test_signed(void)
{
  struct expansion made;
  for (int order = 1; order <= 8; order++) {
    expand(&made, 6, order, 0, 0);
    const struct shk_fit f = shk_order_fit(made.errors, made.count, false);
    tap_ok(f.determined && f.by_signs && fabs(f.order - order) <= f.half_width &&
               f.half_width < 1e-4,
           "order %d from signed errors: %.9f ± %.1g, below %.1g nothing would be seen", order,
           f.order, f.half_width, f.unseen);
  }
  for (int power = 4; power <= 8; power++)
    for (int sign = -1; sign <= 1; sign += 2) {
      expand(&made, 8, 4, 2, sign * pow(10, -power));
      const struct shk_fit f = shk_order_fit(made.errors, made.count, false);
      const struct shk_decision decision = decide_fit(&f, 4, 0.1, 0);
      is_verdict(decision, "falsified", "order 2 by %+d e-%d: %s", sign, power, decision.reason);
    }
  /* What is too small is not seen, and what would have been is said. */
  expand(&made, 6, 4, 2, 1e-16);
  struct shk_fit f = shk_order_fit(made.errors, made.count, false);
  tap_ok(f.determined && fabs(f.order - 4) <= f.half_width && f.unseen > 1e-16,
         "a term 1e-16 of the error is not seen, nor one of %.1g", f.unseen);
  /* From unseen over undetermined to seen, and never back. */
  int stage = 0;
  bool forward = true;
  for (double admixture = 1e-17; admixture < 1e-4; admixture *= 2) {
    expand(&made, 6, 4, 2, admixture);
    f = shk_order_fit(made.errors, made.count, false);
    const int now = !f.determined ? 1 : fabs(f.order - 4) <= f.half_width ? 0 : 2;
    forward = forward && now >= stage && (now < 2 || fabs(f.order - 2) <= f.half_width) &&
              (now > 0 || admixture < f.unseen);
    stage = now;
  }
  tap_ok(forward && stage == 2, "a growing admixture goes from unseen to seen");
  expand(&made, 6, 2, -1, 1e-2);
  f = shk_order_fit(made.errors, made.count, false);
  tap_ok(f.determined && fabs(f.order + 1) <= f.half_width,
         "an error that each step adds is of order -1: %.4f ± %.1g", f.order, f.half_width);
  expand(&made, 8, 4, 0, 1e-7);
  f = shk_order_fit(made.errors, made.count, false);
  tap_ok(!f.determined && strstr(f.why, "plateau"), "a limit beside the solution: %s", f.why);
  /* Noise that the points declare is no admixture. */
  expand(&made, 8, 4, 2, 0);
  for (int i = 0; i < made.count; i++) {
    made.errors[i].floor = 1e-13;
    for (int c = 0; c < COMPONENTS; c++)
      made.numbers[i][c] += 1e-13 * sin(1e3 * (double)(i * COMPONENTS + c));
  }
  f = shk_order_fit(made.errors, made.count, false);
  tap_ok(f.determined && fabs(f.order - 4) <= f.half_width, "order 4 under noise: %.4f ± %.1g",
         f.order, f.half_width);
  /* One component less at one step: the errors alone decide. */
  made.errors[2].signed_count--;
  f = shk_order_fit(made.errors, made.count, false);
  tap_ok(f.determined && !f.by_signs, "signed errors that do not match are left aside: %.3f ± %.1g",
         f.order, f.half_width);
}

static struct shk_decision decided;

static const char *kept(const double *ratios, int count, enum shk_answer claimed, const char *why)
{
  struct shk_defect defects[3];
  for (int i = 0; i < count; i++)
    defects[i] = (struct shk_defect){.size = ratios[i], .floor = 1};
  decided = shk_decide(&(struct shk_evidence){.kind = SHK_EVIDENCE_KEPT,
                                              .defects = defects,
                                              .count = count,
                                              .claimed = claimed,
                                              .why = why});
  return shk_verdict_word(decided.verdict);
}

static void test_vanishing(void)
{
  const double small[] = {3, 10, 400}, large[] = {1e12, 1e10, 1e8}, between[] = {10, 1e4, 1e3};
  const double one_large[] = {10, 1e7, 1e3}, two_large[] = {1e8, 1e7, 1e3}, none[] = {1, NAN, 1};
  tap_is_text(kept(small, 3, SHK_YES, NULL), "held", "kept at three steps");
  tap_is_text(kept(small, 1, SHK_YES, NULL), "none", "one step is not enough");
  tap_is_text(kept(large, 3, SHK_YES, NULL), "falsified", "not kept");
  tap_is_text(kept(between, 3, SHK_YES, NULL), "undecided", "neither kept nor not");
  tap_is_text(kept(one_large, 3, SHK_YES, NULL), "falsified", "not kept at one step");
  tap_is_text(kept(none, 3, SHK_YES, NULL), "falsified", "not a number is not kept");
  tap_is_text(kept(large, 3, SHK_NO, NULL), "held", "claimed not to be kept");
  tap_is_text(kept(small, 3, SHK_NO, NULL), "undecided", "kept though claimed not to be");
  tap_ok(decided.at_floor, "and this counts against the claim");
  tap_is_text(kept(small, 3, SHK_NO, "linear"), "undecided", "on a problem that cannot tell");
  tap_ok(!decided.at_floor, "it does not count");
  tap_is_text(kept(one_large, 3, SHK_NO, NULL), "undecided", "unclear for a claim of no");
  tap_is_text(kept(large, 1, SHK_NO, NULL), "held", "not kept on the only step");
  tap_is_text(kept(between + 1, 1, SHK_NO, NULL), "undecided", "unclear on the only step");
  tap_is_text(kept(two_large, 3, SHK_NO, NULL), "held",
              "not kept at two steps, at round-off later");
  tap_is_text(kept(large, 3, SHK_UNKNOWN, NULL), "none", "nothing claimed");
}

static const char *dissipated(enum shk_energy_class class, double slope, enum shk_answer claimed)
{
  const struct shk_drift drift = {.class = class, .slope = slope, .why = "made up"};
  decided = shk_decide(&(struct shk_evidence){
      .kind = SHK_EVIDENCE_DISSIPATION, .drift = &drift, .claimed = claimed});
  return shk_verdict_word(decided.verdict);
}

static void test_dissipation(void)
{
  tap_is_text(dissipated(SHK_ENERGY_DISSIPATES, -1, SHK_YES), "held", "dissipates, as claimed");
  tap_is_text(dissipated(SHK_ENERGY_DISSIPATES, -1, SHK_NO), "falsified", "and claimed not to");
  tap_is_text(dissipated(SHK_ENERGY_DRIFT, -1, SHK_YES), "undecided", "falls at a constant rate");
  tap_is_text(dissipated(SHK_ENERGY_DRIFT, 1, SHK_YES), "falsified", "rises");
  tap_is_text(dissipated(SHK_ENERGY_BOUNDED, -1, SHK_YES), "falsified", "stays");
  tap_is_text(dissipated(SHK_ENERGY_BOUNDED, -1, SHK_NO), "held", "stays, as claimed");
  tap_is_text(dissipated(SHK_ENERGY_EXACT, 0, SHK_YES), "undecided", "is at round-off");
  tap_is_text(dissipated(SHK_ENERGY_UNDETERMINED, -1, SHK_YES), "undecided", "is not known");
  tap_is_text(dissipated(SHK_ENERGY_DISSIPATES, -1, SHK_UNKNOWN), "none", "claims nothing");
}

static void test_floors(void)
{
  /* 10^4 steps over 10 time scales: 100 roundings' walk, times 10 of phase. */
  tap_is_near(shk_state_floor(1e-16, 1e4, 10, 1), 1.004e-13, 1e-16, "floor of states");
  tap_is_near(shk_state_floor(1e-16, 1e4, 10, 20), 1.04e-14, 1e-17, "short against the time scale");
  tap_is_near(shk_multiplier_floor(1e-16, 0.01, 1), 2.5e-12, 1e-17, "floor of multipliers");
  tap_is_near(shk_multiplier_floor(1e-16, 0.01, 0.1), 2.5e-14, 1e-19, "has no unit");
}

int main(void)
{
  test_known_orders();
  test_floor();
  test_undetermined();
  test_verdicts();
  test_consistency();
  test_errors_that_stay();
  test_signed();
  test_above();
  test_vanishing();
  test_dissipation();
  test_floors();
  return tap_done();
}

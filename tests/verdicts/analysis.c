/*
 * The analysis of whole studies, from made-up records: what is compared with what, gaps, refused
 * and failed cells, references and their errors, claims of yes and of no, and the exit code.
 */
#include "tests/kit/made_records.h"
#include "tests/kit/record_array.h"
#include "tests/kit/tap.h"

/* ---- looking at what came out ---- */

static const struct shk_finding *find(const struct shk_analysis *analysis, const char *problem,
                                      const char *integrator, const char *quantity)
{
  static struct shk_finding none = {.value = NAN, .uncertainty = NAN};
  for (int i = 0; i < analysis->finding_count; i++) {
    const struct shk_finding *finding = &analysis->findings[i];
    if (strcmp(finding->problem, problem) == 0 && strcmp(finding->integrator, integrator) == 0 &&
        strcmp(finding->quantity, quantity) == 0)
      return finding;
  }
  none.quantity = (char *)"(no such finding)";
  none.verdict = (enum shk_verdict)99;
  return &none;
}

static void is_verdict(const struct shk_analysis *analysis, const char *problem,
                       const char *integrator, const char *quantity, const char *want)
{
  const struct shk_finding *finding = find(analysis, problem, integrator, quantity);
  tap_is_text(shk_verdict_word(finding->verdict), want, "%s of %s: %s%s%s", quantity, integrator,
              want, finding->reason ? ", " : "", finding->reason ? finding->reason : "");
}

static struct shk_analysis *analyse(void)
{
  struct record_array array;
  array = record_array_of(records);
  return shk_analyse(NULL, &plan, &array.records, &source);
}

static void test_orders(void)
{
  add_references(0, "circle", 1e-11);
  add_method(0, "circle", "good", "quad");
  add_method(0, "circle", "boastful", "quad");
  add_method(0, "circle", "stranger", "double");
  struct shk_analysis *a = analyse();
  is_verdict(a, "circle", "good", "order of q", "held");
  const struct shk_finding *q = find(a, "circle", "good", "order of q");
  tap_is_near(q->value, 2, 1e-3, "order of q is 2");
  tap_is_text(q->expected, "2 ± 0.1", "expected in quad");
  tap_is_near(q->value, 2, 1e-3, "order of q is 2");
  is_verdict(a, "circle", "good", "order of lambda", "held");
  is_verdict(a, "circle", "good", "order of lambda-mean", "held");
  is_verdict(a, "circle", "good", "order of lambda-sum", "held");
  is_verdict(a, "circle", "good", "order of lambda-state", "none");
  is_verdict(a, "circle", "boastful", "order of q", "falsified");
  is_verdict(a, "circle", "stranger", "order of q", "none");
  tap_is_near(find(a, "circle", "stranger", "order of q")->value, 2, 1e-3,
              "an order that nobody claims is measured all the same");
  is_verdict(a, "circle", "good", "order of energy", "none");
  tap_is_near(find(a, "circle", "good", "order of energy")->value, 2, 1e-3, "order of energy");
  tap_is_int(shk_analysis_exit_code(a), 1, "a falsified claim: exit code 1");

  /* 0.5 h² at h = 0.00625, over the largest |q|: the reference's samples reach |2 cos 0| = 2. */
  const double h = 0.00625;
  const struct shk_finding *error = find(a, "circle", "good", "error of q");
  tap_is_near(error->value, 0.5 * h * h / 2, 1e-12, "error is the largest over the sample times");
  tap_is_near(error->uncertainty, 1e-11 / 2, 1e-15, "known to the reference's error");
  tap_is_near(find(a, "circle", "good", "error of q at T")->value, 0.5e-3 * h * h / 2, 1e-14,
              "error at the end");
  /* The error is in the first component, 2 cos 5; ten digits of a double are enough here. */
  tap_is_near(find(a, "circle", "good", "scd of q at T")->value,
              -log10(0.5e-3 * h * h / (2 * cos(5))), 1e-6, "scd: relative to the component");
  tap_is_near(find(a, "circle", "good", "mescd of q at T")->value,
              -log10(0.5e-3 * h * h / (1 + 2 * cos(5))), 1e-6, "mescd: relative to 1 + it");
  tap_is_near(find(a, "circle", "good", "error of lambda")->value, 0.9 * h / 4, 1e-9,
              "multipliers are divided by the largest multiplier");
  tap_ok(isnan(find(a, "circle", "good", "error of lambda at T")->value),
         "no multiplier of a step that is not taken");

  const struct shk_curve *curve = &a->curves[1];
  tap_ok(curve->count == 5 && curve->points[0].step == 0.1, "curves start coarse");
  tap_is_near(curve->points[4].work, 5 / h + 1 + 10 / h, 1e-9, "work is gradients and jacobians");
  tap_is_near(curve->points[4].seconds, 1e-6 / h, 1e-12, "with the CPU time");
  tap_ok(curve->points[4].in_window, "and the window of the fit");
  shk_analysis_free(a);
  forget();
}

static void test_gaps(void)
{
  add_references(0, "circle", 1e-15);
  int first = add_method(0, "circle", "good", "quad");
  struct shk_record *failed = &store[first + 2];
  shk_outcome_clear(&failed->outcome);
  failed->outcome.code = SHK_NOT_CONVERGED;
  strcpy(failed->outcome.reason, "no luck");
  struct shk_analysis *a = analyse();
  is_verdict(a, "circle", "good", "status", "failed");
  is_verdict(a, "circle", "good", "order of q", "held");
  tap_is_int(shk_analysis_exit_code(a), 3, "a failed cell: exit code 3");
  tap_ok(isnan(a->curves[0].points[2].error), "a failed cell is a gap");
  shk_analysis_free(a);

  records[first] = NULL;
  a = analyse();
  is_verdict(a, "circle", "good", "order of q", "undecided");
  shk_analysis_free(a);
  forget();

  first = add_method(0, "circle", "good", "quad");
  for (int i = first; i < plan.count; i++) {
    shk_outcome_clear(&store[i].outcome);
    store[i].outcome.code = SHK_REFUSED;
    strcpy(store[i].outcome.reason, "does not apply");
  }
  a = analyse();
  tap_is_int(a->finding_count, 1, "of refused cells one thing is said");
  is_verdict(a, "circle", "good", "status", "refused");
  tap_is_int(shk_analysis_exit_code(a), 0, "a refusal is an answer");
  shk_analysis_free(a);
  forget();

  first = add_method(0, "circle", "good", "quad");
  store[first].end = SHK_END_CRASHED;
  store[first].end_detail = 11;
  a = analyse();
  is_verdict(a, "circle", "good", "status", "failed");
  tap_is_text(find(a, "circle", "good", "status")->word, "crashed", "a crash is told");
  is_verdict(a, "circle", "good", "order of q", "undecided");
  shk_analysis_free(a);
  forget();
}

static void test_references(void)
{
  add_references(0, "circle", 1e-6);
  add_method(0, "circle", "good", "quad");
  struct shk_analysis *a = analyse();
  is_verdict(a, "circle", "good", "order of q", "undecided");
  tap_is_text(find(a, "circle", "good", "error of q")->word, "below reference",
              "an error that the reference does not resolve");
  shk_analysis_free(a);

  records[1] = NULL;
  a = analyse();
  is_verdict(a, "circle", "good", "order of q", "undecided");
  shk_analysis_free(a);

  store[0].outcome.code = SHK_SINGULAR;
  a = analyse();
  is_verdict(a, "circle", "good", "order of q", "failed");
  shk_analysis_free(a);

  store[0].outcome.code = SHK_REFUSED;
  a = analyse();
  is_verdict(a, "circle", "good", "order of q", "undecided");
  tap_is_int(shk_analysis_exit_code(a), 0, "a refused reference leaves orders undecided");
  shk_analysis_free(a);
  forget();

  fill(add(SHK_ROLE_REFERENCE, 0, "circle", "exact", "quad", NULL, "5"), 0, 0, 0, 0);
  add_method(0, "circle", "good", "quad");
  a = analyse();
  is_verdict(a, "circle", "good", "order of q", "held");
  tap_ok(find(a, "circle", "good", "error of q")->uncertainty < 1e-31,
         "an exact solution needs no check");
  shk_analysis_free(a);
  forget();
}

static void test_kept(void)
{
  add_references(0, "circle", 1e-15);
  add_method(0, "circle", "good", "double");
  const int bad = add_method(0, "circle", "boastful", "quad");
  for (int i = bad; i < bad + 5; i++) {
    struct shk_outcome *outcome = &store[i].outcome;
    for (int j = 0; j < outcome->scalar_count; j++)
      if (strstr(outcome->scalars[j].name, "-max"))
        outcome->scalars[j].value = 1e-20;
  }
  add_method(0, "circle", "modest", "double");
  struct shk_analysis *a = analyse();
  is_verdict(a, "circle", "good", "constraint max", "held");
  is_verdict(a, "circle", "good", "invariant angular-momentum max", "held");
  is_verdict(a, "circle", "good", "invariant joachimsthal max", "none");
  tap_is_near(find(a, "circle", "good", "constraint max")->value, 3 * 0x1p-52, 1e-18,
              "the largest constraint");
  is_verdict(a, "circle", "boastful", "constraint max", "falsified");
  is_verdict(a, "circle", "boastful", "invariant angular-momentum max", "falsified");
  is_verdict(a, "circle", "modest", "constraint max", "undecided");
  shk_analysis_free(a);

  add_references(1, "straight", 1e-15);
  add_method(1, "straight", "modest", "double");
  add_references(2, "oval", 1e-15);
  const int other = add_method(2, "oval", "modest", "double");
  a = analyse();
  is_verdict(a, "circle", "modest", "constraint max", "falsified");
  is_verdict(a, "oval", "modest", "constraint max", "falsified");
  is_verdict(a, "straight", "modest", "constraint max", "undecided");
  shk_analysis_free(a);
  for (int i = other; i < other + 5; i++)
    store[i].outcome.scalars[3].value = 1e-5; /* constraint-max */
  a = analyse();
  is_verdict(a, "oval", "modest", "constraint max", "held");
  is_verdict(a, "circle", "modest", "constraint max", "undecided");
  shk_analysis_free(a);
  forget();
}

/* A claim of no is of all momenta: one that is kept on every problem accuses nobody who loses
 * another on one of them. */
static void test_votes(void)
{
  static const char *const problems[] = {"circle", "oval"};
  int first = 0;
  for (int k = 0; k < 2; k++) {
    add_references(k, problems[k], 1e-15);
    first = add_method(k, problems[k], "careless", "double");
  }
  struct shk_analysis *a = analyse();
  is_verdict(a, "circle", "careless", "invariant angular-momentum max", "falsified");
  is_verdict(a, "oval", "careless", "invariant angular-momentum max", "falsified");
  shk_analysis_free(a);
  for (int i = first; i < first + 5; i++) {
    scalar(&store[i], "invariant-total-momentum-max", 1e-5);
    scalar(&store[i], "invariant-total-momentum-floor", 1e-16);
  }
  a = analyse();
  is_verdict(a, "oval", "careless", "invariant total-momentum max", "held");
  is_verdict(a, "oval", "careless", "invariant angular-momentum max", "undecided");
  is_verdict(a, "circle", "careless", "invariant angular-momentum max", "undecided");
  shk_analysis_free(a);
  forget();
}

/* Samples of a system at rest, with momenta that should be zero, and of the size that they have in
 * motions. */
static void rest(struct shk_record *record, double p, double size)
{
  static const char *const times[] = {"0", "1.3", "2.5", "5"};
  for (int i = 0; i < 4; i++) {
    struct shk_sample *sample =
        shk_outcome_add_sample(&record->outcome, times[i], strtod(times[i], NULL));
    block(sample, "q", 0, -2);
    block(sample, "p", i == 0 ? 0 : p, 0);
    block(sample, "lambda-state", 3, 0);
  }
  scalar(record, "scale-q", 2);
  scalar(record, "scale-p", size);
  scalar(record, "rest-p", 2 * size);
  scalar(record, "constraint-max", 1e-20);
  scalar(record, "constraint-floor", 1e-16);
}

/* Adds the method at five steps, with momenta p h^power. */
static void add_resting(const char *problem, const char *precision, double p, double power,
                        double size)
{
  for (int i = 0; i < 5; i++)
    rest(add(SHK_ROLE_MEASURED, 0, problem, "good", precision, steps[i], "5"),
         p * pow(strtod(steps[i], NULL), power), size);
}

/* A system at rest upholds nothing and falsifies nobody but a method that leaves it: by more than
 * 10⁶ times round-off, not falling as its order says, in any unit of mass. */
static void test_rest(void)
{
  static const struct {
    double p, power, reference;
    const char *precision, *order;
  } cases[] = {{3e-17, 0, 1e-35, "double", "undecided"}, {3e-34, 0, 1e-35, "quad", "undecided"},
               {3e-17, 0, 0, "double", "undecided"},     {0, 0, 1e-35, "double", "undecided"},
               {2e-3, 0, 1e-35, "double", "falsified"},  {2e-3, 0.5, 0, "quad", "falsified"},
               {2e-1, 2, 1e-35, "double", "undecided"},  {1e-9, -1, 1e-35, "quad", "falsified"},
               {1e-9, 0, 1e-11, "quad", "held"}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++)
    for (int unit = -9; unit <= 9; unit += 9) {
      const double size = pow(10, unit);
      rest(add(SHK_ROLE_REFERENCE, 0, "circle", "reference", "quad", "0.01", "5"),
           cases[k].reference * size, size);
      rest(add(SHK_ROLE_REFERENCE_CHECK, 0, "circle", "reference", "quad", "0.02", "5"), 0, size);
      add_resting("circle", cases[k].precision, cases[k].p * size, cases[k].power, size);
      struct shk_analysis *const a = analyse();
      if (k < sizeof cases / sizeof cases[0] - 1) {
        is_verdict(a, "circle", "good", "order of p", cases[k].order);
        is_verdict(a, "circle", "good", "constraint max", "undecided");
      } else {
        tap_ok(isfinite(find(a, "circle", "good", "error of p")->value),
               "momenta of 10⁻¹¹ of their scale are not zero");
      }
      shk_analysis_free(a);
      forget();
    }
}

/* A long run whose energy oscillates with h² and drifts by `drift` h² over the run. */
static void add_long(int group, const char *problem, const char *integrator, double drift)
{
  for (int i = 0; i < 3; i++) {
    struct shk_record *record =
        add(SHK_ROLE_MEASURED, group, problem, integrator, "double", steps[i], "2000");
    struct shk_series *series = shk_outcome_add_series(&record->outcome, "energy-error", 400);
    const double h2 = pow(strtod(steps[i], NULL), 2);
    for (int k = 0; k < 400; k++) {
      const double level = drift * h2 * (k + 0.5) / 400;
      series->time[k] = 5.0 * (k + 1);
      series->mean[k] = h2 * (0.5 + 0.01 * cos(1.7 * k)) + level;
      series->minimum[k] = 0.01 * h2 * (1 + sin(0.9 * k)) + level;
      series->maximum[k] = h2 * (1 - 0.01 * cos(2.3 * k)) + level;
    }
    scalar(record, "energy-start", 1);
    scalar(record, "energy-error-max", h2 * (1 + fmax(drift, 0)));
  }
}

static void test_energy(void)
{
  add_long(0, "circle", "good", 0);
  add_long(0, "circle", "boastful", 0.5);
  add_long(1, "unheard-of", "good", 0);
  struct shk_record *brief = add(SHK_ROLE_MEASURED, 2, "circle", "good", "double", "0.1", "20");
  struct shk_series *series = shk_outcome_add_series(&brief->outcome, "energy-error", 20);
  for (int k = 0; k < 20; k++)
    series->time[k] = k + 1;
  struct shk_analysis *a = analyse();
  is_verdict(a, "circle", "good", "energy class (until 2000)", "held");
  tap_is_text(find(a, "circle", "good", "energy class (until 2000)")->word, "bounded",
              "a bounded energy");
  is_verdict(a, "circle", "good", "energy class (until 20)", "none");
  is_verdict(a, "circle", "boastful", "energy class", "falsified");
  tap_is_text(find(a, "circle", "boastful", "energy class")->word, "drift", "a drifting energy");
  tap_is_near(find(a, "circle", "boastful", "energy slope")->value, 0.5 * 0.025 * 0.025 / 2000,
              1e-9, "its slope at the finest step");
  is_verdict(a, "unheard-of", "good", "energy class", "undecided");
  shk_analysis_free(a);

  store[5].outcome.code = SHK_NOT_CONVERGED; /* the finest of `boastful` */
  a = analyse();
  is_verdict(a, "circle", "boastful", "energy class", "undecided");
  shk_analysis_free(a);
  forget();
}

static void test_measures_asked(void)
{
  const struct shk_study study = {0};
  add_references(0, "circle", 1e-15);
  add_method(0, "circle", "good", "quad");
  for (int i = 0; i < plan.count; i++)
    cells[i].measures = 1ul << SHK_MEASURE_ENERGY;
  struct record_array array;
  array = record_array_of(records);
  struct shk_analysis *a = shk_analyse(&study, &plan, &array.records, &source);
  bool only = a->finding_count > 0;
  for (int i = 0; i < a->finding_count; i++)
    only = only && strstr(a->findings[i].quantity, "energy");
  tap_ok(only, "only what was asked for is reported");
  tap_ok(a->curve_count > 3, "curves are there all the same");
  shk_analysis_free(a);
  forget();
  a = analyse();
  tap_ok(a->finding_count == 0 && shk_analysis_exit_code(a) == 0, "nothing from an empty plan");
  shk_analysis_free(a);
}

/* Twelve starts in both precisions; the double runs lose energy by a walk of ±1e-15. */
static void test_growth(void)
{
  char problem[32];
  unsigned state = 12345;
  for (int s = 0; s < 12; s++) {
    snprintf(problem, sizeof problem, "circle(angle=0.%d)", s + 1);
    for (int quad = 0; quad < 2; quad++) {
      struct shk_record *record =
          add(SHK_ROLE_MEASURED, s, problem, "good", quad ? "quad" : "double", "0.05", "2000");
      struct shk_series *series = shk_outcome_add_series(&record->outcome, "energy-error", 800);
      double walk = 0;
      for (int k = 0; k < 800; k++) {
        state = state * 1664525U + 1013904223U;
        walk += (state >> 16 & 1 ? 1e-15 : -1e-15) * !quad;
        series->time[k] = 2.5 * (k + 1);
        series->mean[k] = 1e-3 * cos(0.3 * k) + walk;
        series->minimum[k] = series->mean[k] - 1e-3;
        series->maximum[k] = series->mean[k] + 1e-3;
      }
      scalar(record, "energy-start", 1);
    }
  }
  struct shk_analysis *a = analyse();
  const struct shk_finding *finding =
      find(a, "circle", "good", "round-off growth exponent (step 0.05, until 2000)");
  tap_is_near(finding->value, 0.5, 0.15, "the exponent of round-off over twelve starts");
  finding = find(a, "circle", "good", "round-off growth class (step 0.05, until 2000)");
  tap_is_text(finding->word, "random-walk", "its class");
  shk_analysis_free(a);
  forget();
}

static void add_time(const char *integrator, double ratio, double half_width)
{
  struct shk_record *const record =
      add(SHK_ROLE_MEASURED, 0, "circle", integrator, "double", "0.1", "5");
  free(cells[plan.count - 1].cell.kind);
  cells[plan.count - 1].cell.kind = shk_copy_text("time");
  scalar(record, "time-ratio", ratio);
  scalar(record, "time-half-width", half_width);
  scalar(record, "time-pairs", 401);
}

/* A ratio that is known to a tenth of itself is a value; one that is not is undetermined. */
static void test_times(void)
{
  add_time("good", 1.5, 0.14);
  add_time("modest", 1.5, 0.16);
  add_time("careless", 1.5, NAN);
  struct shk_analysis *a = analyse();
  const struct shk_finding *time = find(a, "circle", "good", "time");
  tap_ok(time->value == 1.5 && time->uncertainty == 0.14 && !time->reason, "a ratio of times");
  time = find(a, "circle", "modest", "time");
  tap_ok(isnan(time->value) && time->verdict == SHK_VERDICT_NONE, "one that is too noisy");
  tap_is_text(time->reason,
              "too noisy: 1.5 ± 0.16 from 401 pairs; the half-width must be at most 10 %",
              "... says so");
  tap_ok(isnan(find(a, "circle", "careless", "time")->value), "one without a half-width");
  tap_is_int(shk_analysis_exit_code(a), 0, "none of them fails");
  shk_analysis_free(a);
  forget();
}

int main(void)
{
  test_times();
  test_orders();
  test_gaps();
  test_references();
  test_kept();
  test_votes();
  test_rest();
  test_energy();
  test_measures_asked();
  test_growth();
  return tap_done();
}

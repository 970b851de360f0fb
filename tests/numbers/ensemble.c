/*
 * Statistics over members, and the energy classes of ensembles from made-up series: slopes that one
 * trajectory does not show, levels that are only approached, spreads that grow, and how often the
 * half-width of a slope holds what it should.
 */
#include "foundation/memory.h"
#include "harness/analysis/statistics/drift.h"
#include "tests/kit/made_series.h"
#include "tests/kit/tap.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

enum { INTERVALS = 64, MEMBERS = 32 };

static gsl_rng *rng;
static const double T = 400; /* time scales of one */

/* ---- statistics ---- */

static void test_statistics(void)
{
  const double values[] = {1, -4, 2, 3};
  const struct shk_member_statistics s = shk_member_statistics(values, 1, 4);
  /* s = sqrt(29/3), Student's t of 3 degrees of freedom at 0.975 is 3.182446305284263. */
  tap_ok(s.count == 4 && s.least == -4 && s.largest == 3 && s.worst == 1,
         "least, largest and worst of four members");
  tap_is_near(s.mean, 0.5, 1e-15, "their mean");
  tap_is_near(s.half_width, 3.182446305284263 * sqrt(29.0 / 3) / 2, 1e-12, "and its half-width");
  tap_is_near(shk_member_half_width(values, 1, 4, 0.5), 0.7648923284043526 * sqrt(29.0 / 3) / 2,
              1e-12, "at another confidence");
  const double holes[] = {1, NAN, 3};
  const struct shk_member_statistics none = shk_member_statistics(holes, 1, 3);
  tap_ok(isnan(none.mean) && isnan(none.half_width) && isnan(none.largest) && none.worst == 1,
         "a member without a number leaves none, and is the worst");
  tap_ok(isnan(shk_member_statistics(values, 1, 1).half_width), "one member has no half-width");
  tap_ok(shk_member_statistics(values, 1, 0).count == 0, "no members are none");
}

/* ---- made-up ensembles ---- */

/* H - H(0) of a member at time t; `noise` is a slow noise of its own, correlated over some 20 time
 * scales and of size 1, `walk` its random walk of size 1 at the end, `own` a number of its own. */
typedef double energy_of(double t, double noise, double walk, double own);

static struct shk_energy_run member(struct shk_outcome *outcome, energy_of *energy)
{
  enum { PER_INTERVAL = 20 };
  struct shk_series *series = shk_outcome_add_series(outcome, "energy-error", INTERVALS);
  const double own = gsl_ran_gaussian(rng, 1), phase = gsl_rng_uniform(rng) * 2 * M_PI;
  const double kept = exp(-T / (INTERVALS * PER_INTERVAL) / 20);
  double noise = gsl_ran_gaussian(rng, 1), walk = 0;
  for (int i = 0; i < INTERVALS; i++) {
    double values[PER_INTERVAL];
    for (int k = 0; k < PER_INTERVAL; k++) {
      const double t = T * (i + (k + 1.0) / PER_INTERVAL) / INTERVALS;
      noise = kept * noise + gsl_ran_gaussian(rng, sqrt(1 - kept * kept));
      walk += gsl_ran_gaussian(rng, 1 / sqrt(INTERVALS * PER_INTERVAL));
      values[k] = 1e-4 * (cos(3 * t + phase) + energy(t, noise, walk, own));
    }
    fill_interval(series, i, T * (i + 1) / INTERVALS, values, PER_INTERVAL);
  }
  return (struct shk_energy_run){.series = series,
                                 .epsilon = 0x1p-52,
                                 .scale = 1,
                                 .steps = INTERVALS * PER_INTERVAL,
                                 .finished = true};
}

static struct shk_drift classify(energy_of *energy, int count, int early)
{
  struct shk_outcome outcomes[MEMBERS] = {0};
  struct shk_energy_run runs[MEMBERS];
  struct shk_drift drift;
  for (int i = 0; i < count; i++) {
    runs[i] = member(&outcomes[i], energy);
    runs[i].name = (char *)(i == 3 ? "the fourth" : "another");
  }
  if (early >= 0)
    runs[early].finished = false;
  shk_ensemble_classify(&drift, runs, count);
  for (int i = 0; i < count; i++)
    shk_outcome_clear(&outcomes[i]);
  return drift;
}

static double level(double t, double noise, double walk, double own)
{
  return 0.3 * noise;
}

/* Over the run half of the oscillation, which is 2: within the noise of one member. */
static double small_drift(double t, double noise, double walk, double own)
{
  return 0.3 * noise - t / T;
}

/* From H(0) to a level, in a twentieth of the run. */
static double relaxing(double t, double noise, double walk, double own)
{
  return 0.1 * noise + 2 * (1 - exp(-20 * t / T));
}

static double running_down(double t, double noise, double walk, double own)
{
  return 0.1 * noise - 20 * (1 - exp(-4 * t / T));
}

static double walking(double t, double noise, double walk, double own)
{
  return 4 * walk;
}

/* Each member to its own side. */
static double parting(double t, double noise, double walk, double own)
{
  return 0.1 * noise + 4 * own * t / T;
}

static double growing(double t, double noise, double walk, double own)
{
  return expm1(12 * t / T);
}

static void is_class(const struct shk_drift *drift, enum shk_energy_class class, const char *name)
{
  tap_is_text(shk_energy_words[drift->class], shk_energy_words[class], "%s: %s", name, drift->why);
}

static void test_classes(void)
{
  struct shk_drift drift = classify(level, MEMBERS, -1);
  is_class(&drift, SHK_ENERGY_BOUNDED, "32 members about a level");
  tap_ok(drift.member_slopes.count == MEMBERS && drift.member_slopes.mean == drift.slope &&
             drift.member_slopes.least < drift.slope && drift.member_slopes.largest > drift.slope,
         "the slopes of the members are told");

  drift = classify(small_drift, MEMBERS, -1);
  is_class(&drift, SHK_ENERGY_DRIFT, "32 members that sink by half the oscillation");
  tap_ok(fabs(drift.slope + 1e-4 / T) < 2 * drift.slope_half_width &&
             drift.slope_half_width < 0.25e-4 / T,
         "the slope is %.3g ± %.1g, made with %.3g", drift.slope, drift.slope_half_width,
         -1e-4 / T);
  int alone = 0;
  for (int i = 0; i < 40; i++) {
    OUTCOME outcome = {0};
    const struct shk_energy_run one = member(&outcome, small_drift);
    shk_energy_classify(&drift, &one);
    alone += drift.class == SHK_ENERGY_DRIFT;
  }
  tap_ok(alone <= 28, "of 40 members by themselves %d show it", alone);

  drift = classify(relaxing, MEMBERS, -1);
  tap_ok(drift.class == SHK_ENERGY_UNDETERMINED || drift.class == SHK_ENERGY_BOUNDED,
         "what goes to its level at first does not drift: %s", drift.why);
  tap_ok(drift.straight == false, "and is no line");
  drift = classify(running_down, MEMBERS, -1);
  is_class(&drift, SHK_ENERGY_DISSIPATES, "32 members that run down to rest");
  drift = classify(walking, MEMBERS, -1);
  is_class(&drift, SHK_ENERGY_RANDOM_WALK, "32 random walks");
  drift = classify(parting, MEMBERS, -1);
  tap_ok(drift.class != SHK_ENERGY_BOUNDED && drift.exponent > 0.7,
         "members that part are not bounded: %s", drift.why);
  drift = classify(growing, MEMBERS, -1);
  is_class(&drift, SHK_ENERGY_EXPONENTIAL, "32 members that grow");
  tap_is_near(drift.slope, 12 / T, 0.2 * 12 / T, "at the rate that they were made with");
  drift = classify(level, 3, -1);
  tap_ok(drift.class == SHK_ENERGY_UNDETERMINED && strstr(drift.why, "with 3 members"),
         "three members leave too much open: %s", drift.why);
  drift = classify(level, MEMBERS, 3);
  tap_ok(drift.class == SHK_ENERGY_UNDETERMINED && strstr(drift.why, "member 4, the fourth, ended"),
         "a member that ended early decides nothing, and is named: %s", drift.why);
}

static double still(double t, double noise, double walk, double own)
{
  return 0;
}

static void test_single_members(void)
{
  struct shk_outcome outcomes[MEMBERS] = {0};
  struct shk_energy_run runs[MEMBERS];
  struct shk_drift drift;
  for (int i = 0; i < MEMBERS; i++) {
    runs[i] = member(&outcomes[i], still);
    runs[i].name = (char *)(i == 3 ? "the fourth" : "another");
  }
  outcomes[3].series[0].maximum[INTERVALS - 1] = 1e5;
  shk_ensemble_classify(&drift, runs, MEMBERS);
  tap_ok(drift.class == SHK_ENERGY_BLOW_UP && strstr(drift.why, "member 4, the fourth: "),
         "a member that blew up decides, and is named: %s", drift.why);

  for (int i = 0; i < MEMBERS; i++)
    for (int k = 0; k < INTERVALS; k++) {
      const struct shk_series *const series = &outcomes[i].series[0];
      series->minimum[k] = series->mean[k] = series->maximum[k] = 1e-16 * cos(k + i);
    }
  shk_ensemble_classify(&drift, runs, MEMBERS);
  is_class(&drift, SHK_ENERGY_EXACT, "32 members at round-off");
  for (int i = 0; i < MEMBERS; i++)
    shk_outcome_clear(&outcomes[i]);
}

/* Of 400 ensembles of 16 members 95 %, 380 ± 4.4, should have the slope they were made with within
 * their half-width. */
static void test_coverage(void)
{
  int held = 0, falsely = 0;
  for (int i = 0; i < 400; i++) {
    const struct shk_drift drift = classify(small_drift, 16, -1);
    held += fabs(drift.slope + 1e-4 / T) <= drift.slope_half_width;
    falsely += classify(level, 16, -1).class == SHK_ENERGY_DRIFT;
  }
  tap_ok(held >= 365 && held <= 394, "the half-width holds the slope in %d of 400 ensembles", held);
  tap_ok(falsely <= 4, "and %d of 400 that do not drift are said to", falsely);
}

static void test_time_scales(void)
{
  tap_ok(shk_ensemble_time_scales(200, 32) == 6400, "time counts member by member");
  tap_ok(shk_ensemble_time_scales(200, 4) == 200, "where there are members enough");
  tap_ok(shk_ensemble_time_scales(50, 32) == 50, "and each is long enough by itself");
  tap_ok(shk_ensemble_time_scales(5000, 0) == 5000 && isnan(shk_ensemble_time_scales(NAN, 32)),
         "without members, or a time scale, it is what it is");
}

int main(void)
{
  rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, (unsigned long)tap_seed(7));
  test_statistics();
  test_classes();
  test_single_members();
  test_coverage();
  test_time_scales();
  gsl_rng_free(rng);
  return tap_done();
}

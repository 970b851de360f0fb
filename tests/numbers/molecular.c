/*
 * What is measured of molecules, against values that are worked out here otherwise: kinetic energies and
 * temperatures of rigid water from its three sites and its moments of inertia, lengths of rods, means and slopes
 * with their errors, equipartition of starts that are drawn, and heat of constraints where nothing else changes
 * the energy.
 */
#include "measures/block_means.h"
#include "mechanics/algebra/random.h"
#include "tests/kit/stepping.h"
#include "tests/kit/systems.h"
#include "tests/kit/whole_run.h"

#define BOX "water-box(molecules=8,cutoff=0.3)"
enum { MOLECULES = 8, STEPS = 64 };
static const double gas_constant = 0.00831446261815324; /* kJ/mol/K */

/* ---- kinetic energies ---- */

struct sums {
  double translation, rotation, hydrogen, oxygen;
};

/* Of water by water, O, H, H, with the total momentum zero, as the box draws it. */
static void add_kinetic(struct sums *sums, const real *mass, const real *v)
{
  for (int c = 0; c < MOLECULES; c++) {
    const real *const m = mass + 9 * c, *const u = v + 9 * c;
    for (int k = 0; k < 3; k++) {
      const double momentum = (double)(m[0] * u[k] + m[3] * u[3 + k] + m[6] * u[6 + k]);
      const double one = (double)(m[0] * u[k] * u[k]) / 2;
      const double two = (double)(m[3] * (u[3 + k] * u[3 + k] + u[6 + k] * u[6 + k])) / 2;
      const double whole = momentum * momentum / (2 * (double)(m[0] + m[3] + m[6]));
      sums->translation += whole / STEPS;
      sums->rotation += (one + two - whole) / STEPS;
      sums->oxygen += one / STEPS;
      sums->hydrogen += two / STEPS;
    }
  }
}

/* Degrees of freedom of all oxygens: along three axes, and about the two principal axes that do not go through
 * them, in the plane across the symmetry axis and normal to the plane; less the share of the centre of all. */
static double freedom_of_oxygens(void)
{
  const double o = 15.9994, h = 1.008, all = o + 2 * h, bond = 0.1;
  const double half = bond * sqrt((1 + 1.0 / 3) / 2), height = sqrt(bond * bond - half * half);
  const double centre = 2 * h * height / all;
  const double across = o * centre * centre + 2 * h * (height - centre) * (height - centre);
  const double normal = across + 2 * h * half * half;
  return MOLECULES * (3 * o / all + o * centre * centre * (1 / across + 1 / normal)) - 3 * o / all;
}

static void is_same(const struct shk_outcome *outcome, const char *name, double expected)
{
  const double found = shk_outcome_scalar(outcome, name);
  tap_is_near(found, expected, 1e-9 * fabs(expected), "%s is %.9g", name, expected);
}

static void check_temperatures(void)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  struct sums full = {0}, half = {0};
  bool ok = begin_or_tell(&d, BOX, "rattle", "0.001");
  for (int k = 1; ok && k <= STEPS; k++) {
    real v[9 * MOLECULES];
    const real *const mass = d.bound.instance.system.mass;
    ok = shk_drive_step(&d, k * d.bound.step).code == SHK_OK;
    for (int i = 0; ok && i < 9 * MOLECULES; i++)
      v[i] = (d.next.q[i] - d.current.q[i]) / d.bound.step;
    add_kinetic(&half, mass, v);
    for (int i = 0; ok && i < 9 * MOLECULES; i++)
      v[i] = d.next.p[i] / mass[i];
    add_kinetic(&full, mass, v);
    shk_drive_accept(&d);
  }
  if (!tap_ok(ok && run_whole(&outcome, BOX, "rattle", "0.001", "0.064"), "a box of water runs"))
    return;
  const double o = freedom_of_oxygens(), h = 6 * MOLECULES - 3 - o, k = 2;
  is_same(&outcome, "kinetic-energy-full", full.translation + full.rotation);
  is_same(&outcome, "kinetic-energy-half", half.translation + half.rotation);
  is_same(&outcome, "temperature-translation", k * full.translation / (3 * MOLECULES - 3));
  is_same(&outcome, "temperature-translation-half", k * half.translation / (3 * MOLECULES - 3));
  is_same(&outcome, "temperature-rotation", k * full.rotation / (3 * MOLECULES));
  is_same(&outcome, "temperature-rotation-half", k * half.rotation / (3 * MOLECULES));
  is_same(&outcome, "temperature-atoms-15.9994", k * full.oxygen / o);
  is_same(&outcome, "temperature-atoms-1.008", k * full.hydrogen / h);
  is_same(&outcome, "temperature-atoms-1.008-half", k * half.hydrogen / h);
  tap_ok(fabs(half.rotation / full.rotation - 1) > 1e-4, "half steps have another kinetic energy");
}

/* Starts are drawn at 300 K: over many each part has that temperature, to four standard errors of what is a
 * sum of squares. */
static void check_equipartition(void)
{
  enum { DRAWN = 60 };
  static const char *const names[] = {"temperature-translation", "temperature-rotation",
                                      "temperature-atoms-1.008", "temperature-atoms-15.9994"};
  const double o = freedom_of_oxygens();
  const double freedom[] = {3 * MOLECULES - 3, 3 * MOLECULES, 6 * MOLECULES - 3 - o, o};
  double mean[4] = {0};
  for (int seed = 1; seed <= DRAWN; seed++) {
    OUTCOME outcome = {0};
    char problem[96];
    snprintf(problem, sizeof problem, "water-box(molecules=8,cutoff=0.3,pairs=no,seed=%d)", seed);
    run_whole(&outcome, problem, "rattle", "1e-6", "1e-6");
    for (int i = 0; i < 4; i++)
      mean[i] += shk_outcome_scalar(&outcome, names[i]) / gas_constant / DRAWN;
  }
  for (int i = 0; i < 4; i++) {
    const double error = 300 * sqrt(2 / (freedom[i] * DRAWN));
    tap_is_near(mean[i], 300, 4 * error, "%s of starts at 300 K: %.1f, standard error %.1f",
                names[i], mean[i], error);
  }
}

/* A dimer and a point by itself, without forces: two centres, relative to whose mean K is 0.0775, 0.065 of
 * the rotation, and degrees of freedom 3 (1 - m/M) less what rods take of them. */
static void check_lone_point(void)
{
  static const struct {
    const char *name;
    double value;
  } expected[] = {{"temperature-translation", 0.155 / 3},
                  {"temperature-rotation", 0.13 / 2},
                  {"temperature-atoms-1", (0.285 - 0.0775) / 3.5},
                  {"temperature-atoms-2", 0.0775 / 1.5}};
  OUTCOME outcome = {0};
  if (tap_ok(
          run_whole(&outcome, "particles(file=\"dimer-and-point.yaml\")", "rattle", "0.125", "16"),
          "a dimer and a point"))
    for (int i = 0; i < 4; i++)
      tap_is_near(shk_outcome_scalar(&outcome, expected[i].name), expected[i].value, 1e-12,
                  "%s of a dimer and a point", expected[i].name);
}

/* ---- rods, and what their solve heats ---- */

static void check_bonds(void)
{
  static const char integrator[] = "rattle(solver=lincs)";
  DRIVE d = {0};
  OUTCOME outcome = {0};
  double largest = 0, squares = 0;
  bool ok = begin_or_tell(&d, BOX, integrator, "0.002");
  for (int k = 0; ok && k < STEPS; k++) {
    ok = go_steps(&d, 1).code == SHK_OK;
    for (int c = 0; c < MOLECULES; c++)
      for (int i = 0; i < 3; i++) {
        const real *const a = d.current.q + 9 * c + (i == 2 ? 3 : 0);
        const real *const b = d.current.q + 9 * c + (i == 0 ? 3 : 6);
        const real x = b[0] - a[0], y = b[1] - a[1], z = b[2] - a[2];
        const real length = i == 2 ? R(0.2) * real_sqrt(R(2.0) / 3) : R(0.1);
        const double error = (double)(real_sqrt(x * x + y * y + z * z) / length - 1);
        largest = fmax(largest, fabs(error));
        squares += error * error / (3 * MOLECULES * STEPS);
      }
  }
  if (tap_ok(ok && run_whole(&outcome, BOX, integrator, "0.002", "0.128"), "LINCS on water")) {
    tap_is_near(shk_outcome_scalar(&outcome, "bond-error-max"), largest, 1e-6 * largest,
                "largest relative bond error %.6g", largest);
    tap_is_near(shk_outcome_scalar(&outcome, "bond-error-rms"), sqrt(squares), 1e-6 * largest,
                "its root mean square %.6g", sqrt(squares));
  }
}

/* Without forces nothing but the constraints changes the energy, of 24 atoms. */
static void check_heat(void)
{
  OUTCOME outcome = {0};
  if (run_whole(&outcome, "water-box(molecules=8,pairs=no)", "rattle(solver=lincs)", "0.002",
                "2")) {
    const double heat = shk_outcome_scalar(&outcome, "constraint-heat-per-atom");
    const double drift = shk_outcome_scalar(&outcome, "energy-drift-per-atom");
    const double whole = shk_outcome_scalar(&outcome, "energy-error-final");
    tap_is_near(heat, drift, 1e-8 * fabs(drift), "heat of loose constraints is the drift, %.4g",
                drift);
    tap_ok(fabs(drift / (whole / 2 / 24) - 1) < 1 && drift != 0,
           "... and of the size of what the energy has lost, %.4g", whole / 2 / 24);
  }
}

/* ---- means and slopes ---- */

/* A straight line has its slope, and no error; noise on it the errors of independent values. */
static void check_estimates(void)
{
  enum { COUNT = 32000 };
  struct shk_reduction line, noisy;
  uint64_t random = tap_seed(7);
  if (!shk_reduction_init(&line, COUNT) || !shk_reduction_init(&noisy, COUNT))
    return;
  for (int i = 0; i < COUNT; i += 2) {
    real pair[2];
    shk_random_gaussian_pair(pair, &random);
    for (int j = 0; j < 2; j++) {
      const double t = 1e-3 * (i + j + 1);
      shk_reduction_add(&line, t, 3 - 0.25 * t);
      shk_reduction_add(&noisy, t, 0.7 * (double)pair[j]);
    }
  }
  const struct shk_estimate slope = shk_slope_along(&line), mean = shk_mean_along(&noisy);
  const struct shk_estimate tilt = shk_slope_along(&noisy);
  tap_is_near(slope.value, -0.25, 1e-9, "the slope of a straight line");
  tap_ok(slope.error < 1e-9, "... has no error: %.1e", slope.error);
  const double error = 0.7 / sqrt(COUNT), tilt_error = error / (32 / sqrt(12));
  /* 31 degrees of freedom: four standard deviations of the estimate of an error are half of it. */
  tap_is_near(mean.error, error, 0.51 * error, "the error of a mean of noise: %.3g", error);
  tap_ok(fabs(mean.value) < 5 * error, "... which it is within: %.3g", mean.value);
  tap_is_near(tilt.error, tilt_error, 0.51 * tilt_error, "that of its slope: %.3g", tilt_error);
  tap_ok(fabs(tilt.value) < 5 * tilt_error, "... which it is within: %.3g", tilt.value);
  shk_reduction_clear(&line);
  shk_reduction_clear(&noisy);
}

static void check_absence(void)
{
  OUTCOME outcome = {0};
  if (run_whole(&outcome, "chain(links=3)", "rattle", "0.01", "0.04"))
    tap_ok(isnan(shk_outcome_scalar(&outcome, "bond-error-max")) &&
               isnan(shk_outcome_scalar(&outcome, "energy-drift-per-atom")) &&
               isnan(shk_outcome_scalar(&outcome, "kinetic-energy-full")),
           "nothing of the kind where there are no molecules");
}

int main(void)
{
  use_systems_of("tests/data");
  check_temperatures();
  check_equipartition();
  check_lone_point();
  check_bonds();
  check_heat();
  check_estimates();
  check_absence();
  return tap_done();
}

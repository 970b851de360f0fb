/*
 * Reports the finding "rounding of velocities" for methods that use single-precision numbers. Its
 * value is the power of h in the rounding error that a step makes in the velocities
 * (measures/identities_single.c). The power is 0 if impulses are added to the velocities. It is -1
 * if velocities are computed as differences of positions, because the rounding error of the
 * positions is then divided by h. In that case, the finding gives the cause and the remedy as its
 * reason. The finding has no verdict, because such a step is correct, although less accurate than
 * single precision allows.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"

#include <math.h>

/* Each sweep of a solve adds a rounding error of 0.14 to 0.29 times eps |q| to the positions.
 * Longer steps need more sweeps, so the power is not exactly -1 if velocities are differences of
 * positions. The power must be closer to -1 than to 0 or -2, and the rounding error must be at
 * least `least_share` times eps |q|/h at every step size. */
enum { LEAST_STEPS = 3, COMPONENTS = 64 /* a mean over 32 starts in the plane */ };
static const double least_share = 1.0 / 16, power_width = 0.5;

/* Sums for fitting the logarithm of the rounding error as a linear function of log h. */
struct fit {
  int count;
  double x, y, xx, xy;
  /* whether all rounding errors are at least as large as the rounding errors of the positions
   * divided by h */
  bool large;
};

static double number_of_family(const struct shk_family *family, int i, const char *name)
{
  char scalar[SHK_SCALAR_NAME];
  shk_scalar_name(scalar, sizeof scalar, SHK_QUANTITY_IDENTITY, name);
  return shk_record_finished(family->records[i])
             ? shk_outcome_scalar(&family->records[i]->outcome, scalar)
             : NAN;
}

static struct fit fit_steps(const struct shk_family *family)
{
  struct fit fit = {.large = true};
  for (int i = 0; i < family->count; i++) {
    const double rounding = number_of_family(family, i, "rounding"), x = log(family->steps[i]);
    if (!(rounding > 0))
      continue;
    const double y = log(rounding);
    fit.count++;
    fit.x += x;
    fit.y += y;
    fit.xx += x * x;
    fit.xy += x * y;
    fit.large =
        fit.large && rounding >= least_share * number_of_family(family, i, "rounding-positions");
  }
  return fit;
}

static void report_velocity_rounding(struct shk_reporter *c)
{
  const struct fit fit = fit_steps(c->family);
  const double squares = fit.xx - fit.x * fit.x / fit.count;
  if (fit.count < LEAST_STEPS || !(squares > 0))
    return;
  /* The logarithm of the root mean square of N numbers has an uncertainty of 1/√(2N). */
  const double power = (fit.xy - fit.x * fit.y / fit.count) / squares,
               width = 2 / sqrt(2.0 * COMPONENTS * squares);
  struct shk_finding *const finding =
      shk_report(c, SHK_QUANTITY_VELOCITY_ROUNDING, NULL, power, width);
  if (fit.large && fabs(power + 1) <= power_width)
    finding->reason =
        shk_copy_text("velocities are differences of positions, and single precision rounds them "
                      "by eps |q|/h: instead of taking differences, add the constraint impulses "
                      "(w/h for a position correction w) to the velocities");
}

const struct shk_finder shk_finder_velocity_rounding = {
    .in = SHK_IN_STEPS, .measures = SHK_BIT(IDENTITIES), .report = report_velocity_rounding};

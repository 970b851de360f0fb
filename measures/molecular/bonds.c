/*
 * Records the relative bond errors of molecules: the maximum and the root mean square of | |r_b -
 * r_a|/l - 1 | over all bonds and steps. Molecular dynamics codes specify their tolerances in this
 * form: LINCS as the rms deviation of lengths, SHAKE as a relative tolerance on squared lengths,
 * which is twice the tolerance on lengths. The errors are measured for free points joined by
 * distance constraints.
 */
#include "measures/molecules.h"

struct bonds {
  const struct shk_rods *rods;
  int count;
  bool started;
  double largest, squares, seen;
};

static struct shk_status bonds_create(void *state, const struct shk_measured *run)
{
  struct bonds *const bonds = state;
  bonds->count = run->instance->system.m;
  bonds->rods = run->instance->system.rods;
  return shk_ok();
}

/* Returns |d|/l - 1 for bond k, avoiding the rounding error of a square root if the bond error is
 * small. */
static real relative_error(const struct shk_rods *rods, int k, const real *q)
{
  const struct shk_rod *const rod = &rods->rod[k];
  real square = 0;
  for (int j = 0; j < rods->dimension; j++) {
    const real d = q[rod->b * rods->dimension + j] - q[rod->a * rods->dimension + j];
    square += d * d;
  }
  return (square - rod->square) / (rod->square * (1 + real_sqrt(square / rod->square)));
}

static struct shk_status bonds_observe(void *state, const struct shk_state *at)
{
  struct bonds *bonds = state;
  for (int k = 0; bonds->started && k < bonds->count; k++) {
    const double error = (double)real_fabs(relative_error(bonds->rods, k, at->q));
    bonds->largest = error > bonds->largest ? error : bonds->largest;
    bonds->squares += error * error;
    bonds->seen++;
  }
  bonds->started = true;
  return shk_ok();
}

static void bonds_finish(void *state, struct shk_outcome *outcome)
{
  const struct bonds *bonds = state;
  if (bonds->seen == 0)
    return;
  shk_outcome_add_scalar(outcome, "bond-error-max", bonds->largest);
  shk_outcome_add_scalar(outcome, "bond-error-rms",
                         (double)real_sqrt((real)(bonds->squares / bonds->seen)));
}

const struct shk_measure shk_measure_bonds = {.size = sizeof(struct bonds),
                                              .applies = shk_is_of_molecules,
                                              .create = bonds_create,
                                              .observe = bonds_observe,
                                              .finish = bonds_finish};

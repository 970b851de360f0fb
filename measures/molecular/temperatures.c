/*
 * Records kinetic energies and temperatures of molecules, that is, of free points joined by bonds.
 * They are computed from the momenta at the steps and from the velocities between steps, (q_{n+1} -
 * q_n)/h, which are Verlet's half-step velocities. The recorded values are means over the run with
 * standard errors (block_means.h). Temperatures are given as k_B T, in units of energy.
 *
 *   kinetic-energy-full, -half     K, excluding the motion of the common centre of mass
 *   temperature-translation(-half) 2 K_t/f_t,       K_t = ½ Σ m_c |V_c - V|²,  f_t = d (N - 1)
 *   temperature-rotation(-half)    2 (K - K_t)/f_r,                             f_r = d P - m - d N
 *   temperature-atoms-MASS(-half)  2 K_a/f_a, for the atoms with that mass
 *
 * Here, N is the number of molecules c (points connected by bonds), which have mass m_c and
 * velocity V_c; V is the velocity of the common centre of mass; and P is the number of points in d
 * dimensions, with m independent bonds. For flexible molecules, "rotation" includes all internal
 * motion. In equilibrium, all temperatures are equal.
 *
 * Source: D. Asthagiri & T. L. Beck, J. Chem. Theory Comput. 20 (2024) 368, on rigid water at large
 * step sizes.
 */
#include "measures/block_means.h"
#include "measures/molecules.h"

#include <stdio.h>
#include <string.h>

enum { CONFIGURATIONS = 64 };
enum { KINETIC, TRANSLATION, ROTATION, ATOMS, SERIES = ATOMS + SHK_MOST_MASSES };

struct temperatures {
  const struct shk_measured *run;
  struct shk_molecules molecules;
  real *v, *before, *centres;
  real time;
  bool started;
  double freedom[SHK_MOST_MASSES]; /* sums over configurations */
  long configurations, every;
  struct shk_reduction series[2][SERIES]; /* the values at the steps, and the values between them */
};

static struct shk_status temperatures_create(void *state, const struct shk_measured *run)
{
  struct temperatures *const temperatures = state;
  struct shk_workspace *const workspace = run->evaluator->workspace;
  const size_t n = (size_t)run->instance->system.n;
  temperatures->run = run;
  SHK_TRY(shk_molecules_find(&temperatures->molecules, workspace, run->evaluator));
  SHK_TRY(shk_reals(workspace, &temperatures->v, n));
  SHK_TRY(shk_reals(workspace, &temperatures->before, n));
  SHK_TRY(shk_reals(workspace, &temperatures->centres, n));
  temperatures->every = run->observations / CONFIGURATIONS + 1;
  for (int half = 0; half < 2; half++)
    for (int i = 0; i < ATOMS + temperatures->molecules.masses; i++)
      SHK_TRY(shk_measure_series(run, &temperatures->series[half][i]));
  return shk_ok();
}

static void note_temperatures(struct temperatures *temperatures, int half, real t)
{
  struct shk_kinetic kinetic;
  const double time = (double)(t - temperatures->run->instance->initial_time);
  shk_molecules_kinetic(&kinetic, temperatures->centres, &temperatures->molecules, temperatures->v);
  struct shk_reduction *const series = temperatures->series[half];
  shk_reduction_add(&series[KINETIC], time, (double)(kinetic.translation + kinetic.rotation));
  shk_reduction_add(&series[TRANSLATION], time, (double)kinetic.translation);
  shk_reduction_add(&series[ROTATION], time, (double)kinetic.rotation);
  for (int i = 0; i < temperatures->molecules.masses; i++)
    shk_reduction_add(&series[ATOMS + i], time, (double)kinetic.atoms[i]);
}

/* Adds the atoms' degrees of freedom every `every` steps. In equilibrium, the momenta at a
 * configuration are normally distributed with the covariance k_B T M^½ Π M^½, where Π = 1 - Bᵀ(B
 * Bᵀ)⁻¹B and B = G M^(-½), so that atom i has f_i = tr Π_ii - d m_i/Σm degrees of freedom. f_a is
 * the sum of f_i over all atoms with the same mass, averaged over up to CONFIGURATIONS
 * configurations of the run. */
static struct shk_status count_freedom(struct temperatures *temperatures,
                                       const struct shk_state *at)
{
  double freedom[SHK_MOST_MASSES];
  if (temperatures->molecules.masses == 0 ||
      temperatures->series[0][KINETIC].seen % temperatures->every != 0)
    return shk_ok();
  SHK_TRY(shk_jacobian(temperatures->run->evaluator, temperatures->molecules.G, at->t, at->q));
  SHK_TRY(shk_molecules_freedom(freedom, &temperatures->molecules, temperatures->run->evaluator));
  for (int i = 0; i < SHK_MOST_MASSES; i++)
    temperatures->freedom[i] += freedom[i];
  temperatures->configurations++;
  return shk_ok();
}

static struct shk_status temperatures_observe(void *state, const struct shk_state *at)
{
  struct temperatures *temperatures = state;
  const real *const mass = temperatures->molecules.system->mass;
  if (temperatures->started) {
    for (int i = 0; i < at->n; i++)
      temperatures->v[i] = (at->q[i] - temperatures->before[i]) / (at->t - temperatures->time);
    note_temperatures(temperatures, 1, (at->t + temperatures->time) / 2);
    for (int i = 0; i < at->n; i++)
      temperatures->v[i] = at->p[i] / mass[i];
    note_temperatures(temperatures, 0, at->t);
  }
  SHK_TRY(count_freedom(temperatures, at));
  memcpy(temperatures->before, at->q, (size_t)at->n * sizeof(real));
  temperatures->time = at->t;
  temperatures->started = true;
  return shk_ok();
}

static void add_temperatures(struct temperatures *temperatures, struct shk_outcome *outcome,
                             int half, int which, const char *name, double unit)
{
  char text[96];
  snprintf(text, sizeof text, "%s%s", name, half ? "-half" : which == KINETIC ? "-full" : "");
  shk_estimate_add(outcome, text, shk_mean_along(&temperatures->series[half][which]), unit);
}

static void temperatures_finish(void *state, struct shk_outcome *outcome)
{
  struct temperatures *temperatures = state;
  const struct shk_molecules *const all = &temperatures->molecules;
  if (temperatures->series[0][KINETIC].seen == 0)
    return;
  const struct shk_instance *const instance = temperatures->run->instance;
  const int inside = instance->system.n - instance->system.m - all->dimension * all->count;
  for (int half = 0; half < 2; half++) {
    add_temperatures(temperatures, outcome, half, KINETIC, "kinetic-energy", 1);
    if (all->count > 1)
      add_temperatures(temperatures, outcome, half, TRANSLATION, "temperature-translation",
                       (double)2 / (all->dimension * (all->count - 1)));
    if (inside > 0)
      add_temperatures(temperatures, outcome, half, ROTATION, "temperature-rotation",
                       (double)2 / inside);
    for (int i = 0; i < all->masses; i++) {
      char name[64];
      snprintf(name, sizeof name, "temperature-atoms-%.6g", (double)all->mass[i]);
      add_temperatures(temperatures, outcome, half, ATOMS + i, name,
                       2 * (double)temperatures->configurations / temperatures->freedom[i]);
    }
  }
}

const struct shk_measure shk_measure_temperatures = {.size = sizeof(struct temperatures),
                                                     .applies = shk_is_of_molecules,
                                                     .create = temperatures_create,
                                                     .observe = temperatures_observe,
                                                     .finish = temperatures_finish};

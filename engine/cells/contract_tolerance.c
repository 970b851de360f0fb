/*
 * Tests that a solver for distance constraints meets its tolerance. Only one point has a nonzero
 * momentum, so only the rods of this point are violated. Steps are taken with each of 33 tolerances
 * from 1e-4 to 1e-12. The tolerances are multiplied by the largest d² unless they are relative, in
 * which case the method claims to keep the constraint to the level of its tolerance. If a step
 * returns ok, |g_k| must be at most the tolerance (times d_k² if it is relative), plus the rounding
 * error of positions and the change that the last sweep can add. Even if the sweep finds every row
 * within the tolerance, correcting the neighbours of a row moves that row.
 *
 * Each sweep reduces the residual by some factor, and the last one usually ends well below the
 * tolerance. A wrong stopping rule shows only if the residual before the last sweep is close to the
 * tolerance, so many tolerances and steps are needed.
 */
#include "engine/cells/cells.h"
#include "engine/cells/contract.h"
#include "foundation/message.h"
#include "integrators/kit/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { A_DECADE = 4, TOLERANCES = 8 * A_DECADE + 1, STEPS = 3 };

struct told {
  struct shk_contract *contract;
  struct shk_bound bound; /* the method, bound with the tolerance */
  double tolerance;
  bool is_relative; /* true if the tolerance is relative to d² */
  long solves;      /* number of solves that returned ok */
};

static struct shk_status bind_told(struct told *t)
{
  static const struct shk_option without[] = {{.name = "tolerance"}, {0}};
  struct shk_message error;
  char text[40];
  snprintf(text, sizeof text, "tolerance=%.17g", t->tolerance);
  struct shk_cell cell = *t->contract->cell;
  cell.integrator = shk_changed_spec(cell.integrator, NULL, NULL, without, text);
  const bool ok = cell.integrator &&
                  shk_bind_cell(t->contract->bound.context, &t->bound, &cell, &error) == SHK_OK;
  free(cell.integrator);
  return ok ? shk_ok() : shk_refused("the method has no option `tolerance`");
}

/* Sets the momentum of one end of a rod, leaving those of all other points zero. The velocity is
 * one rod length per time scale, in a direction that is not along any axis. */
static void push_rod_end(struct shk_state *s, const struct shk_system *system, int rod,
                         real time_scale)
{
  static const real along[] = {R(0.48), R(-0.6), R(0.64)};
  const struct shk_rods *const rods = system->rods;
  const int first = rods->rod[rod].b * rods->dimension;
  for (int i = 0; i < s->n; i++)
    s->p[i] = 0;
  for (int k = 0; k < rods->dimension; k++)
    s->p[first + k] =
        system->mass[first + k] * real_sqrt(rods->rod[rod].square) / time_scale * along[k];
}

static real inverse_mass(const struct shk_system *system, int point)
{
  return point < 0 ? 0 : 1 / system->mass[(size_t)point * (size_t)system->rods->dimension];
}

/* Returns the largest |g_i| that the tolerance allows. */
static real residual_within(const struct told *t, const struct shk_rod *rod)
{
  const real told = (real)t->tolerance * (t->is_relative ? rod->square : 1);
  return real_max(told, (real)t->contract->claims.constraint_level * rod->square);
}

/* Returns the largest possible |g_i| after a sweep that found every row j within its tolerance τ_j
 * and corrected it. This is τ_i + Σ_j τ_j |K_ij|/K_jj, where K = G M⁻¹ Gᵀ satisfies |K_ij| ≤ d_i
 * d_j/m, with the mass m of the common point. */
static real most_after_sweep(const struct told *t, int i)
{
  const struct shk_system *const system = &t->contract->bound.instance.system;
  const struct shk_rod *const rods = system->rods->rod, *const row = &rods[i];
  real most = residual_within(t, row);
  for (int j = 0; j < system->m; j++) {
    const struct shk_rod *const other = &rods[j];
    const real a = inverse_mass(system, other->a), b = inverse_mass(system, other->b),
               common = (other->a == row->a || other->a == row->b ? a : 0) +
                        (other->b == row->a || other->b == row->b ? b : 0);
    if (j != i)
      most += residual_within(t, other) * common / (a + b) * real_sqrt(row->square / other->square);
  }
  return R(1.1) * most; /* allows for the change in K during a step */
}

/* Takes a step from a start in which one end of this rod is displaced. Reports a residual that
 * exceeds the tolerance. */
static void step(struct told *t, int rod, real h)
{
  struct shk_contract *const c = t->contract;
  const struct shk_map map = shk_bind_map(&t->bound, h);
  const struct shk_system *const system = &c->bound.instance.system;
  shk_state_copy(&c->from, &c->bound.start);
  push_rod_end(&c->from, system, rod, c->bound.instance.time_scale);
  if (shk_map_step(&map, &c->to, &c->from, h).code != SHK_OK)
    return;
  t->solves++;
  const real size = real_max_norm(c->to.q, c->n), rounding = 64 * REAL_EPSILON * size * size;
  if (shk_constraint(&c->bound.observer, c->scratch.lambda, c->to.t, c->to.q).code != SHK_OK)
    return;
  for (int i = 0; i < c->m; i++) {
    const real residual = real_fabs(c->scratch.lambda[i]);
    if (residual <= most_after_sweep(t, i) + rounding)
      continue;
    shk_cell_contract_fault(
        c, h,
        "with the tolerance %.3g returns ok and |g| = %.3g in row %d of %d, after one point at row "
        "%d was moved: it stops before all rows are within the tolerance",
        t->tolerance, (double)residual, i + 1, c->m, rod + 1);
    return;
  }
}

/* Determines whether the tolerance is relative, and sets *unit to the unit of the tolerance. */
static struct shk_status find_unit(struct told *t, double *unit)
{
  const struct shk_system *const system = &t->contract->bound.instance.system;
  struct shk_claims claims;
  real largest = 0;
  t->tolerance = pow(10, -4);
  SHK_TRY(bind_told(t));
  shk_claims_under(&claims, t->bound.integrator, t->bound.options);
  shk_unbind(&t->bound);
  t->is_relative = (real)claims.constraint_level == (real)t->tolerance;
  for (int i = 0; i < system->m; i++)
    largest = real_max(largest, system->rods->rod[i].square);
  *unit = t->is_relative ? 1 : (double)largest;
  return shk_ok();
}

struct shk_status shk_cell_contract_tolerance(struct shk_contract *c)
{
  struct told t = {.contract = c};
  double unit = 1;
  if (!c->bound.instance.system.rods)
    return shk_refused("measured only for systems whose constraints are all distances");
  if (c->claims.keeps_constraint != SHK_YES)
    return shk_refused("measured only for methods that claim to keep g = 0");
  struct shk_status status = find_unit(&t, &unit);
  for (int k = 0; status.code == SHK_OK && c->faults == 0 && k < TOLERANCES; k++) {
    t.tolerance = unit * pow(10, -4 - k / (double)A_DECADE);
    status = bind_told(&t);
    for (int i = 0; status.code == SHK_OK && i < STEPS; i++) {
      step(&t, 0, c->h * (1 << 2 * i));
      step(&t, c->m - 1, c->h * (1 << 2 * i));
    }
    shk_unbind(&t.bound);
    t.bound = (struct shk_bound){0};
  }
  if (status.code == SHK_OK && t.solves == 0)
    shk_cell_contract_fault(c, 0, "no solve converges for any tolerance from %.3g to %.3g",
                            unit * pow(10, -4), unit * pow(10, -12));
  return status;
}

/*
 * Tests the states that steps return as valid. From each of two states, steps are taken with step
 * sizes that are doubled repeatedly, from an ordinary step up to a million time scales, where most
 * steps must fail. The step size is then reduced down to 10⁻⁸ time scales. If a step returns ok,
 * the state must have moved and must satisfy the constraints that the method claims to keep. The
 * new state must not equal the result of several equal substeps, unless the same is true for
 * shorter steps. Substeps are not tested if there are as many constraints as coordinates, because
 * the constraints then completely determine the result.
 *
 * The choice of units must not make constraints singular, either. If a step from the start
 * succeeds, it must not find a singular matrix when times are 2^-30 times and masses 2^60 times as
 * large. If it does, its singularity test compares a pivot with an absolute bound.
 */
#include "engine/cells/contract.h"
#include "foundation/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TIME_UNIT "9.31322574615478515625e-10" /* 2^-30 */
#define MASS_UNIT "1152921504606846976"        /* 2^60 */

/* The numbers of substeps into which a step might have been split without a report. */
static const int cuts[] = {2, 3, 4, 5, 6, 8, 10, 7, 9, 11, 12, 16, 20, 24, 32, 50, 64, 100};
enum { CUTS = sizeof cuts / sizeof cuts[0] };

struct ladder {
  struct shk_contract *contract;
  bool differs[CUTS]; /* true if cuts[i] substeps gave a different result for at least one step */
};

/* Returns false if a step of length h from a state with a nonzero velocity has changed nothing,
 * although the change should exceed the rounding error. */
static bool has_moved(struct shk_contract *c, real h)
{
  /* this comparison covers q, p and their carries */
  const size_t size = 4 * (size_t)c->n * sizeof(real);
  return memcmp(c->to.q, c->from.q, size) != 0 ||
         (c->bound.instance.system.features & SHK_GENERAL_DAE) ||
         shk_cell_contract_evaluate(c, &c->from).code != SHK_OK ||
         real_fabs(h) * real_max_norm(c->scratch.q, c->n) <=
             4 * REAL_EPSILON * real_max_norm(c->from.q, c->n);
}

static void look_at_state(struct ladder *l, real h)
{
  struct shk_contract *const c = l->contract;
  struct shk_cell_contract_rows rows;
  if (!has_moved(c, h))
    shk_cell_contract_fault(c, h, "returns ok although nothing has moved");
  if (c->faults > 0 || c->m == 0)
    return;
  const enum shk_off off = shk_cell_contract_off(c, &rows, h);
  const double g = (double)rows.largest[0], hidden = (double)rows.largest[1];
  if (off)
    shk_cell_contract_fault(
        c, h,
        "returns ok and a state with max|g| = %.3g, hidden %.3g, though the method "
        "claims to keep the %sconstraint",
        g, hidden, off == SHK_OFF_HIDDEN ? "hidden " : "");
  else if (c->claims.keeps_constraint == SHK_UNKNOWN && !(rows.relative[0] <= 1) &&
           c->reason[0] == '\0')
    snprintf(c->reason, sizeof c->reason,
             "a step of %.3g returns ok and a state with max|g| = %.3g; nothing is claimed about "
             "the constraint",
             (double)h, g);
}

/* Returns the distance between c->to and the result of `count` substeps, or a negative number if a
 * substep fails. */
static real from_parts(struct shk_contract *c, int count, real h)
{
  shk_state_copy(&c->before, &c->from);
  for (int k = 0; k < count; k++) {
    if (!shk_cell_contract_step(c, &c->at, &c->before, h / count))
      return -1;
    shk_state_copy(&c->before, &c->at);
  }
  return shk_map_distance(&c->map, &c->to, &c->before, false);
}

static void look_at_parts(struct ladder *l, real h)
{
  struct shk_contract *const c = l->contract;
  real floor = 0;
  if (c->m >= c->n ||
      shk_cell_contract_floor(c, &floor, &c->map, &c->to, &c->from, h).code != SHK_OK ||
      /* rounding errors grow too much for a meaningful comparison */
      !(floor < real_sqrt(REAL_EPSILON)))
    return;
  for (int i = 0; i < CUTS; i++) {
    const real away = from_parts(c, cuts[i], h);
    if (away >= SHK_CONTRACT_FAR_ABOVE * floor)
      l->differs[i] = true;
    else if (l->differs[i] && away >= 0 && away <= SHK_CONTRACT_FLOORS * floor)
      shk_cell_contract_fault(c, h,
                              "equals %d shorter steps to the last digits, although smaller steps "
                              "do not: the method divides it but counts no rejected step",
                              cuts[i]);
  }
}

/* Takes a step and tests the result. Returns false if the step fails or a fault is found. */
static bool look_at_step(struct ladder *l, real h, bool at_parts)
{
  struct shk_contract *const c = l->contract;
  const struct shk_counters *const counters = &c->bound.evaluator.counters;
  const long rejected = counters->rejected;
  if (c->faults > 0 || !shk_cell_contract_step(c, &c->to, &c->from, h))
    return false;
  look_at_state(l, h);
  if (at_parts && counters->rejected == rejected && c->faults == 0)
    look_at_parts(l, h);
  return true;
}

static void climb_contract_valid_states(struct ladder *l)
{
  memset(l->differs, 0, sizeof l->differs);
  for (real h = l->contract->h; h < R(1e6) * l->contract->bound.instance.time_scale; h *= 2)
    look_at_step(l, h, true);
}

/* Takes several steps of each size in succession, so that small errors accumulate. */
static void descend_contract_valid_states(struct ladder *l)
{
  enum { FOLLOWING = 8 };
  struct shk_contract *const c = l->contract;
  for (real h = c->h; h > R(1e-8) * c->bound.instance.time_scale; h /= 8)
    for (int k = 0; k < FOLLOWING && look_at_step(l, h, false); k++)
      shk_state_copy(&c->from, &c->to);
}

/* ---- in other units ---- */

/* Binds the problem in different units and takes the first step of the same motion. Also returns
 * SHK_OK if the problem cannot be expressed in other units. `cell` must outlive the binding of
 * *other. */
static struct shk_status step_in_other_units(struct shk_contract *c, struct shk_bound *other,
                                             const struct shk_cell *cell)
{
  struct shk_message error;
  const real h = c->h / (1L << 30);
  if (shk_bind_cell(c->bound.context, other, cell, &error) != SHK_OK)
    return shk_ok();
  other->step = h;
  SHK_TRY(shk_bind_method(other));
  const struct shk_map map = shk_bind_map(other, h);
  shk_state_copy(&c->before, &other->start);
  return shk_map_step(&map, &c->at, &c->before, h);
}

static void look_at_units(struct shk_contract *c)
{
  struct shk_bound other = {0};
  struct shk_cell cell = *c->cell;
  char text[SHK_MESSAGE_SIZE];
  shk_state_copy(&c->from, &c->bound.start);
  if (c->faults > 0 || !shk_has_own_start(&cell) ||
      !shk_cell_contract_step(c, &c->to, &c->from, c->h))
    return;
  cell.problem = shk_print_text("transformed(%s,reorder=no,turn=no,scale=no,time=" TIME_UNIT
                                ",mass=" MASS_UNIT ")",
                                c->cell->problem);
  const struct shk_status status = step_in_other_units(c, &other, &cell);
  if (status.code == SHK_SINGULAR)
    shk_cell_contract_fault(c, c->h,
                            "fails if times are 2^-30 times as large and masses 2^60 times as "
                            "large (%s): look for absolute bounds on pivots",
                            shk_status_text(text, sizeof text, status));
  shk_unbind(&other);
  free(cell.problem);
}

struct shk_status shk_cell_contract_valid_states(struct shk_contract *c)
{
  struct ladder l = {.contract = c};
  if (c->adaptive)
    return shk_ok(); /* the method subdivides its steps according to a tolerance */
  shk_state_copy(&c->from, &c->bound.start);
  climb_contract_valid_states(&l);
  SHK_TRY(shk_cell_contract_bind(c));
  /* otherwise, the start is singular, which has already been reported */
  if (shk_cell_contract_move_away(c).code == SHK_OK)
    climb_contract_valid_states(&l);
  descend_contract_valid_states(&l);
  SHK_TRY(shk_cell_contract_bind(c));
  look_at_units(c);
  return shk_ok();
}

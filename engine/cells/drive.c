/* Drives an integration. See drive.h. */
#include "engine/cells/drive.h"

#include "mechanics/system/fibre.h"
#include "mechanics/system/state.h"

#include <stdlib.h>

/* Counts the negative eigenvalues of {{H,g_i},g_j}. */
static struct shk_status count_negative(struct shk_drive *drive, int *negative, real t,
                                        const struct shk_state *at)
{
  int positive;
  struct shk_regularity regularity;
  if (drive->folds)
    return shk_folds_signs(drive->folds, negative, &positive, t, at->q, at->p);
  SHK_TRY(shk_manifold_regularity(drive->bound.manifold, &regularity, t, at->q, at->p));
  *negative = regularity.negative;
  return shk_ok();
}

static struct shk_status begin_watch(struct shk_drive *drive)
{
  const struct shk_state *s = &drive->current;
  const struct shk_system *system = &drive->bound.instance.system;
  const bool momenta = (system->features & SHK_MOMENTUM_CONSTRAINT) != 0;
  const bool may_fold =
      (system->features & (SHK_GENERAL_HAMILTONIAN | SHK_GENERAL_DAE)) == SHK_GENERAL_HAMILTONIAN &&
      !system->mass_matrix && s->m <= SHK_FOLDS_LIMIT;
  drive->watches = s->m > 0 && (momenta || may_fold);
  if (!drive->watches)
    return shk_ok();
  if (!momenta)
    SHK_TRY(
        shk_folds_create(&drive->folds, drive->bound.instance.workspace, &drive->bound.observer));
  return count_negative(drive, &drive->negative, s->t, s);
}

static struct shk_status watch_drive(struct shk_drive *drive, real t)
{
  int negative = 0;
  SHK_TRY(count_negative(drive, &negative, t, &drive->next));
  if (negative != drive->negative)
    return shk_failure(
        SHK_SINGULAR,
        "the step leads across a fold of the hidden constraint: {{H,g_i},g_j} has %g "
        "negative eigenvalues at the start and %g after it",
        drive->negative, negative);
  return shk_ok();
}

bool shk_drive_begin(const struct shk_context *context, struct shk_drive *drive,
                     struct shk_outcome *outcome, const struct shk_cell *cell)
{
  *drive = (struct shk_drive){0};
  const struct shk_state *const start = &drive->bound.start;
  if (!shk_bind_outcome(context, &drive->bound, outcome, cell))
    return false;
  struct shk_status status = shk_no_memory();
  if (shk_state_init_like(&drive->current, start) && shk_state_init_like(&drive->next, start)) {
    shk_state_copy(&drive->current, start);
    status = begin_watch(drive);
  }
  shk_bind_report(&drive->bound, outcome, status);
  return status.code == SHK_OK;
}

void shk_drive_end(struct shk_drive *drive)
{
  shk_state_clear(&drive->current);
  shk_state_clear(&drive->next);
  shk_unbind(&drive->bound);
}

static struct shk_status after_step(struct shk_drive *drive, real t1)
{
  if (drive->looks && shk_state_sum(&drive->current) != drive->sum)
    return shk_failure(SHK_STOPPED, "the step overwrote the state that it was given", 0, 0);
  if (!shk_state_is_finite(&drive->next))
    return shk_failure(SHK_NOT_FINITE, "the step returned a state that is not finite", 0, 0);
  drive->next.t = t1;
  return drive->watches ? watch_drive(drive, t1) : shk_ok();
}

struct shk_status shk_drive_step(struct shk_drive *drive, real t1)
{
  const struct shk_bound *bound = &drive->bound;
  /* A fixed step has exactly the size `step`, whereas t1 - t would contain a rounding error. */
  const real h = bound->step != 0 ? bound->step : t1 - drive->current.t;
  drive->looks = drive->tries < 8 || drive->tries % 16 == 0;
  drive->tries++;
  drive->sum = drive->looks ? shk_state_sum(&drive->current) : 0;
  SHK_TRY(bound->integrator->step(bound->method, &drive->next, &drive->current, h));
  return after_step(drive, t1);
}

void shk_drive_accept(struct shk_drive *drive)
{
  const struct shk_state swap = drive->current;
  drive->current = drive->next;
  drive->next = swap;
}

struct shk_status shk_drive_rewind(struct shk_drive *drive)
{
  shk_state_copy(&drive->current, &drive->bound.start);
  return shk_bind_method(&drive->bound);
}

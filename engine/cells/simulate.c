/* One integration as rows of numbers: t, q, p, lambda, energy, constraint, hidden. */
#include "engine/cells/cells.h"
#include "engine/cells/drive.h"

#include <math.h>
#include <stdlib.h>

enum { FIELD = 48 };

struct rows {
  struct shk_drive *drive;
  char **fields;
  real *g; /* 2m */
  shk_row_sink *sink;
  void *user;
};

static struct shk_status emit(struct rows *r)
{
  struct shk_bound *bound = &r->drive->bound;
  const struct shk_state *s = &r->drive->current;
  const int n = s->n, m = s->m;
  real energy = NAN; /* for systems without H */
  if ((bound->instance.system.features & SHK_GENERAL_DAE) == 0)
    SHK_TRY(shk_hamiltonian(&bound->observer, &energy, s->t, s->q, s->p));
  SHK_TRY(shk_manifold_residuals(bound->manifold, r->g, r->g + m, s->t, s->q, s->p));
  const real residuals[] = {energy, real_max_norm(r->g, m), real_max_norm(r->g + m, m)};
  const struct {
    const real *from;
    int count;
  } parts[] = {{&s->t, 1}, {s->q, n}, {s->p, n}, {s->lambda, m}, {residuals, 3}};
  int at = 0;
  for (size_t k = 0; k < sizeof parts / sizeof parts[0]; k++)
    for (int i = 0; i < parts[k].count; i++)
      shk_real_format(r->fields[at++], FIELD, parts[k].from[i]);
  r->sink(r->user, at, r->fields);
  return shk_ok();
}

static struct shk_status steps(struct rows *r, struct shk_outcome *outcome,
                               const struct shk_cell *cell, long every)
{
  const struct shk_bound *bound = &r->drive->bound;
  const long count = shk_whole_steps(cell->until, cell->step);
  if (count <= 0)
    return shk_failure(SHK_BAD_INPUT, "the end time is not a whole number of steps", 0, 0);
  SHK_TRY(emit(r));
  for (long k = 1; k <= count; k++) {
    SHK_TRY(shk_drive_step(r->drive, bound->instance.initial_time + (real)k * bound->step));
    shk_drive_accept(r->drive);
    outcome->reached = (double)((real)k * bound->step);
    if (k % every == 0 || k == count)
      SHK_TRY(emit(r));
  }
  return shk_ok();
}

void shk_simulate_cell(const struct shk_context *context, struct shk_outcome *outcome,
                       const struct shk_cell *cell, long every, shk_row_sink *sink, void *user)
{
  struct shk_drive drive;
  *outcome = (struct shk_outcome){0};
  if (shk_drive_begin(context, &drive, outcome, cell)) {
    const size_t m = (size_t)outcome->m, count = 1 + 2 * (size_t)outcome->n + m + 3;
    struct rows r = {.drive = &drive,
                     .fields = malloc(count * (sizeof *r.fields + FIELD)),
                     .sink = sink,
                     .user = user};
    struct shk_status status = shk_reals(drive.bound.instance.workspace, &r.g, 2 * m);
    if (!r.fields)
      status = shk_no_memory();
    for (size_t i = 0; status.code == SHK_OK && i < count; i++)
      r.fields[i] = (char *)(r.fields + count) + i * FIELD;
    if (status.code == SHK_OK)
      status = steps(&r, outcome, cell, every);
    if (status.code != SHK_OK)
      shk_bind_report(&drive.bound, outcome, status);
    free(r.fields);
  }
  shk_drive_end(&drive);
}

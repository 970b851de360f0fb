/* Runs beside each other. See together.h. */
#include "engine/cells/together.h"

#include "engine/cells/running.h"
#include "foundation/memory.h"

#include <stdlib.h>

struct together {
  const struct shk_integrator *integrator;
  void *group; /* of the methods of the runs; NULL: each for itself */
  int count;
  struct shk_running runs[SHK_TOGETHER];
};

/* NULL where they cannot go together, or have not all begun. */
static void join(struct together *w)
{
  void *methods[SHK_TOGETHER];
  w->group = NULL;
  w->integrator = w->runs[0].drive.bound.integrator;
  for (int i = 0; i < w->count; i++) {
    methods[i] = w->runs[i].drive.bound.method;
    if (w->runs[i].ended || w->runs[i].adaptive || !w->integrator->join)
      return;
  }
  struct shk_workspace *const workspace = w->runs[0].drive.bound.evaluator.workspace;
  if (w->integrator->join(&w->group, methods, w->count, workspace).code != SHK_OK)
    w->group = NULL;
}

/* A step of all that have not ended; false: there is none. */
static bool step(struct together *w)
{
  const real h = w->runs[0].drive.bound.step;
  struct shk_state *to[SHK_TOGETHER];
  const struct shk_state *from[SHK_TOGETHER];
  struct shk_status status[SHK_TOGETHER];
  bool done[SHK_TOGETHER], any = false;
  for (int i = 0; i < w->count; i++) {
    struct shk_drive *const drive = &w->runs[i].drive;
    from[i] = &drive->current;
    to[i] = w->runs[i].ended ? NULL : &drive->next;
    any = any || to[i];
    if (to[i])
      shk_running_before_step(&w->runs[i]);
  }
  if (any)
    w->integrator->step_together(w->group, to, from, h, done, status);
  for (int i = 0; i < w->count; i++)
    if (to[i])
      shk_running_after_step(
          &w->runs[i], done[i]
                           ? status[i]
                           : w->integrator->step(w->runs[i].drive.bound.method, to[i], from[i], h));
  return any;
}

static void begin(struct together *w, const struct shk_context *context,
                  struct shk_outcome *outcomes, const struct shk_cell *cells, int count, bool timed)
{
  for (; w->count < count; w->count++)
    shk_running_begin(context, &w->runs[w->count], &outcomes[w->count], &cells[w->count],
                      timed && w->count == 0);
  join(w);
}

int shk_run_together(const struct shk_context *context, struct shk_outcome *outcomes,
                     const struct shk_cell *cells, int count, bool timed)
{
  struct together *const w = shk_allocate(1, sizeof *w);
  begin(w, context, outcomes, cells, 1, timed);
  if (w->group && count > 1)
    begin(w, context, outcomes, cells, count, timed);
  while (w->count > 1 && w->group && step(w)) {
  }
  for (int i = 0; i < w->count; i++) {
    while (!w->runs[i].ended)
      shk_running_step(&w->runs[i]);
    shk_running_end(&w->runs[i]);
  }
  const int run = w->count;
  free(w);
  return run;
}

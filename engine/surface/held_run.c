/* Runs that clients hold open: steps of the driver, one by one. See held.h. */
#include "engine/cells/drive.h"
#include "engine/surface/held_parts.h"

#include "measures/block.h"

#include <stdlib.h>
#include <string.h>

struct shakedown_run {
  struct shakedown_problem problem; /* on the observer */
  struct shk_drive drive;
  real from, step; /* steps are counted from here */
  long taken;
};

static struct shk_cell cell_of(const struct shakedown_request *r)
{
  return (struct shk_cell){.kind = (char *)"run",
                           .problem = (char *)r->problem,
                           .integrator = (char *)r->integrator,
                           .precision = (char *)r->precision,
                           .step = (char *)r->step,
                           .tolerance = (char *)r->tolerance,
                           .until = (char *)r->step,
                           .q = (char *)r->q,
                           .p = (char *)r->p};
}

void shk_held_run_close(struct shakedown_run *run)
{
  shk_drive_end(&run->drive);
  free(run);
}

/* An adaptive integrator is told when to stop. */
static struct shk_status prepare(struct shakedown_run *run)
{
  struct shk_bound *bound = &run->drive.bound;
  run->from = run->drive.current.t;
  run->step = bound->step;
  if (run->step == 0)
    return shk_failure(SHK_BAD_INPUT, "the step is zero", 0, 0);
  if (bound->integrator->info.adaptive)
    bound->step = 0;
  return shk_held_view(&run->problem, &bound->instance, &bound->observer, bound->manifold,
                       bound->instance.workspace);
}

struct shakedown_run *shk_held_run_open(const struct shk_context *context,
                                        const struct shakedown_request *request,
                                        struct shakedown_error *error)
{
  struct shk_outcome outcome = {0};
  const struct shk_cell cell = cell_of(request);
  struct shakedown_run *run = calloc(1, sizeof *run);
  if (!run) {
    shk_held_fail(error, shk_no_memory());
    return NULL;
  }
  const bool begun = shk_drive_begin(context, &run->drive, &outcome, &cell);
  if (!begun)
    shk_held_say(error, outcome.code, outcome.reason);
  else if (shk_held_fail(error, prepare(run)) == SHK_OK)
    return run;
  shk_held_run_close(run);
  return NULL;
}

int shk_held_run_steps(struct shakedown_run *run, long count, struct shakedown_error *error)
{
  struct shk_status status = shk_ok();
  for (long k = 0; k < count && status.code == SHK_OK; k++) {
    status = shk_drive_step(&run->drive, run->from + (real)(run->taken + 1) * run->step);
    if (status.code == SHK_OK) {
      shk_drive_accept(&run->drive);
      run->taken++;
    }
  }
  return shk_held_fail(error, status);
}

static void round_off(double *to, const real *from, int count)
{
  for (int i = 0; to && i < count; i++)
    to[i] = (double)from[i];
}

void shk_held_run_state(const struct shakedown_run *run, double *t, double *q, double *p,
                        double *lambda, double *mu)
{
  const struct shk_state *s = &run->drive.current;
  round_off(t, &s->t, 1);
  round_off(q, s->q, s->n);
  round_off(p, s->p, s->n);
  round_off(lambda, s->lambda, s->m);
  round_off(mu, s->mu, s->m);
}

char *shk_held_run_state_text(const struct shakedown_run *run)
{
  const struct shk_state *s = &run->drive.current;
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  real *all = calloc(1 + 2 * n + 2 * m, sizeof *all);
  char *text = NULL;
  if (all) {
    all[0] = s->t;
    memcpy(all + 1, s->q, n * sizeof *all);
    memcpy(all + 1 + n, s->p, n * sizeof *all);
    memcpy(all + 1 + 2 * n, s->lambda, m * sizeof *all);
    memcpy(all + 1 + 2 * n + m, s->mu, m * sizeof *all);
    text = shk_block_text(all, (int)(1 + 2 * n + 2 * m));
  }
  free(all);
  return text;
}

static void put(real *to, real *rest, const double *from, int count)
{
  for (int i = 0; from && i < count; i++) {
    to[i] = (real)from[i];
    rest[i] = 0;
  }
}

void shk_held_run_place(struct shakedown_run *run, double t, const double *q, const double *p,
                        const double *lambda)
{
  struct shk_state *s = &run->drive.current;
  put(s->q, s->q_carry, q, s->n);
  put(s->p, s->p_carry, p, s->n);
  put(s->lambda, s->mu, lambda, s->m);
  s->t = run->from = (real)t;
  run->taken = 0;
}

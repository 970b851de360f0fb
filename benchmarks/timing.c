/* Times whole steps: after a warm-up, as many as fill a fixed time, several times over. */
#include "benchmarks/timing.h"

#include "engine/drive.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define REPEATS 7
#define REPEAT_SECONDS ((double)1 / 10)

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1000000000;
}

static bool advance(struct shk_drive *d, long steps)
{
  for (long k = 0; k < steps; k++) {
    if (shk_drive_step(d, d->current.t + d->bound.step).code != SHK_OK)
      return false;
    shk_drive_accept(d);
  }
  return true;
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static bool measure(struct timing *timing, struct shk_drive *d)
{
  double began = now(), seconds[REPEATS];
  if (!advance(d, 3))
    return false;
  const double trial = (now() - began) / 3;
  timing->steps = trial < REPEAT_SECONDS ? (long)(REPEAT_SECONDS / trial) : 1;
  for (int i = 0; i < REPEATS; i++) {
    /* Every repeat times the same steps: chains get harder as they go. */
    if (shk_drive_rewind(d).code != SHK_OK || !advance(d, 1))
      return false;
    began = now();
    if (!advance(d, timing->steps))
      return false;
    seconds[i] = (now() - began) / (double)timing->steps;
  }
  qsort(seconds, REPEATS, sizeof *seconds, by_size);
  timing->least = seconds[0];
  timing->median = seconds[REPEATS / 2];
  timing->iterations = d->bound.evaluator.work.iterations;
  return true;
}

bool time_steps(struct timing *timing, const char *problem, const char *integrator,
                const char *step, char *reason)
{
  struct shk_drive drive;
  struct shk_outcome outcome = {0};
  const struct shk_cell cell = {.kind = "run",
                                .problem = (char *)problem,
                                .integrator = (char *)integrator,
                                .precision = "",
                                .step = (char *)step,
                                .until = (char *)step};
  *timing = (struct timing){0};
  const struct mallinfo2 before = mallinfo2();
  bool well = shk_drive_begin(&drive, &outcome, &cell);
  const struct mallinfo2 after = mallinfo2();
  if (well) {
    timing->n = outcome.n;
    timing->m = outcome.m;
    timing->bytes =
        (double)(after.uordblks + after.hblkhd) - (double)(before.uordblks + before.hblkhd);
    well = measure(timing, &drive);
    if (!well)
      snprintf(outcome.reason, sizeof outcome.reason, "a step failed");
    real *g = malloc((2 * (size_t)outcome.m + 1) * sizeof *g);
    if (well && g != NULL &&
        shk_manifold_residuals(drive.bound.manifold, g, g + outcome.m, drive.current.t,
                               drive.current.q, drive.current.p)
                .code == SHK_OK)
      timing->error = (double)real_max_norm(g, outcome.m);
    free(g);
  }
  snprintf(reason, 256, "%s", outcome.reason);
  shk_outcome_clear(&outcome);
  shk_drive_end(&drive);
  return well;
}

/*
 * The time left, on made-up schedules: two workers take cells, that of most steps first. Each takes
 * seconds in proportion to its steps, up to a tenth more, and a start. From a quarter of the run to
 * four fifths it is right within a factor of two.
 */
#include "harness/run/progress.h"
#include "tests/kit/tap.h"
#include <shakedown/random.h>

enum { WORKERS = 2, MOST = 400 };

struct schedule {
  int count;
  double steps[MOST]; /* the most first */
  double begins[MOST], ends[MOST];
};

static double factor(double a, double b)
{
  return fmax(a, b) / fmin(a, b);
}

/* When each cell begins and ends. Returns the length of the run. */
static double play(struct schedule *s, uint64_t *state)
{
  const double start = 0.004, cost = 1e-5;
  double free_at[WORKERS] = {0}, last = 0;
  for (int i = 0; i < s->count; i++) {
    const double noise = 1 + 0.1 * (double)(shk_random_next(state) % 1000) / 1000;
    int w = 0;
    for (int k = 1; k < WORKERS; k++)
      w = free_at[k] < free_at[w] ? k : w;
    s->begins[i] = free_at[w];
    s->ends[i] = free_at[w] += noise * (start + cost * s->steps[i]);
    last = fmax(last, s->ends[i]);
  }
  return last;
}

static void check(struct schedule *s, uint64_t *state, const char *name)
{
  const double length = play(s, state);
  double worst = 1, first = length;
  for (double part = 0.25; part < 0.8; part += 0.01) {
    const double now = part * length;
    struct shk_progress progress = {.shown = false};
    for (int i = 0; i < s->count; i++) {
      progress.weight_total += s->steps[i];
      first = fmin(first, s->ends[i]);
      if (s->ends[i] > now)
        continue;
      shk_progress_step(&progress, s->steps[i], false);
      progress.seconds += s->ends[i] - s->begins[i];
    }
    if (now >= first)
      worst = fmax(worst, factor(shk_progress_left(&progress, WORKERS, now), length - now));
  }
  if (!tap_ok(worst >= 1 && worst <= 2, "%s: within a factor of two", name))
    tap_diag("worst factor %g", worst);
}

int main(void)
{
  uint64_t state = tap_seed(17);
  struct schedule halved = {.count = 0}, equal = {.count = 4};
  for (int k = 6; k >= 0; k--)
    for (int m = 0; m < 12; m++)
      halved.steps[halved.count++] = 1000 << k;
  check(&halved, &state, "halved steps");
  for (int i = 0; i < 4; i++)
    equal.steps[i] = 1e6;
  check(&equal, &state, "four long runs");
  struct shk_progress progress = {.weight_total = 100, .started = 5};
  tap_ok(isnan(shk_progress_left(&progress, WORKERS, 6)), "nothing is known at first");
  shk_progress_step(&progress, 10, true);
  progress.seconds = 4;
  tap_ok(shk_progress_left(&progress, WORKERS, 7) == 18, "0.4 s a step, on two workers, less 2 s");
  tap_is_int(progress.failed, 1, "what fails is counted");
  return tap_done();
}

/*
 * The time left, on made-up schedules: two workers take cells, after the probes the heaviest guess
 * first, whose true costs the guesses know nothing of. From a quarter of the run on the estimate is right within a factor
 * of two; one from the guesses alone is not.
 */
#include "harness/run/estimate.h"
#include "foundation/memory.h"
#include "tests/kit/tap.h"
#include <math.h>
#include <shakedown/random.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORKERS = 2, MOST = 400 };

/* A cell and what it takes in truth. */
struct made {
  struct shk_cell cell;
  double seconds;
  bool probe;
};

struct schedule {
  int count;
  struct made cells[MOST];
};

/* Steps of an integrator that take `cost` seconds each, `start` before them; timed again as real cells
 * are; and what a machine makes of it, up to a fifth more. */
static void add(struct schedule *s, const char *integrator, const char *precision, double until,
                double step, double cost, uint64_t *state)
{
  const double start = 0.004;
  struct made *const made = &s->cells[s->count++];
  made->cell = (struct shk_cell){.kind = (char *)"run",
                                 .problem = (char *)"pendulum",
                                 .integrator = (char *)integrator,
                                 .precision = (char *)precision,
                                 .step = step > 0 ? (char *)"0.1" : NULL,
                                 .numbers = {.step = step, .until = until}};
  const double own = cost * (step > 0 ? until / step : 1);
  const double noise = 1 + 0.2 * (double)(shk_random_next(state) % 1000) / 1000;
  made->seconds = noise * (start + own + 3 * fmin(own, 0.05));
}

static int by_guess(const void *a, const void *b)
{
  const int probes = ((const struct made *)b)->probe - ((const struct made *)a)->probe;
  if (probes != 0)
    return probes;
  const double x = shk_guess_steps(&((const struct made *)a)->cell),
               y = shk_guess_steps(&((const struct made *)b)->cell);
  return (x < y) - (x > y);
}

/* Worst factors between the time left and what was said of it: by the estimate, and by guesses. */
struct worst {
  double estimate, guess;
};

static double factor(double a, double b)
{
  return fmax(a, b) / fmin(a, b);
}

/* When each cell begins and ends. Returns the length of the run. */
static double play(const struct schedule *s, double *begins, double *ends)
{
  double free_at[WORKERS] = {0}, last = 0;
  for (int i = 0; i < s->count; i++) {
    int w = 0;
    for (int k = 1; k < WORKERS; k++)
      w = free_at[k] < free_at[w] ? k : w;
    begins[i] = free_at[w];
    ends[i] = free_at[w] += s->cells[i].seconds;
    last = fmax(last, ends[i]);
  }
  return last;
}

static struct worst watch(struct schedule *s, bool untimed)
{
  double begins[MOST], ends[MOST];
  const struct shk_cell *cells[MOST];
  struct worst worst = {1, 1};
  struct shk_estimate first;
  for (int i = 0; i < s->count; i++)
    cells[i] = &s->cells[i].cell;
  shk_estimate_begin(&first, cells, s->count, untimed);
  for (int i = 0; i < s->count; i++)
    s->cells[i].probe = shk_estimate_is_probe(&first, i);
  shk_estimate_clear(&first);
  qsort(s->cells, (size_t)s->count, sizeof s->cells[0], by_guess);
  for (int i = 0; i < s->count; i++)
    cells[i] = &s->cells[i].cell;
  const double length = play(s, begins, ends);
  /* The last tenth is one cell or two. */
  for (double part = 0.25; part < 0.9; part += 0.01) {
    const double now = part * length;
    struct shk_estimate estimate;
    double done = 0, all = 0;
    shk_estimate_begin(&estimate, cells, s->count, untimed);
    for (int i = 0; i < s->count; i++) {
      const double guess = shk_guess_steps(cells[i]);
      all += guess;
      if (ends[i] <= now) {
        shk_estimate_began(&estimate, i, begins[i]);
        shk_estimate_ended(&estimate, i, ends[i]);
        done += guess;
      } else if (begins[i] <= now) {
        shk_estimate_began(&estimate, i, begins[i]);
      }
    }
    worst.estimate =
        fmax(worst.estimate, factor(shk_estimate_left(&estimate, 0, now), length - now));
    worst.guess = fmax(worst.guess, factor(now * (all - done) / done, length - now));
    shk_estimate_clear(&estimate);
  }
  return worst;
}

static void check(struct schedule *s, const char *name)
{
  const struct worst worst = watch(s, false);
  if (!tap_ok(worst.estimate <= 2, "%s: within a factor of two", name))
    tap_diag("worst factor %g", worst.estimate);
  if (!tap_ok(worst.guess > 2, "%s: guesses of the cost alone are not", name))
    tap_diag("worst factor %g", worst.guess);
}

int main(void)
{
  uint64_t state = tap_seed(17);
  /* Halved steps of methods of very different cost, and quad, twenty and not fifty times as long. */
  struct schedule halved = {.count = 0};
  for (int m = 0; m < 6; m++)
    for (int k = 0; k < 7; k++) {
      const char *const names[] = {"shake", "rattle", "spark", "gauss", "radau5", "ida"};
      const double cost = 1e-6 * pow(3, m);
      add(&halved, names[m], "double", 10, 0.1 / (1 << k), cost, &state);
      add(&halved, names[m], "quad", 10, 0.1 / (1 << k), 20 * cost, &state);
    }
  check(&halved, "halved steps");

  /* Few long cells that all cost the same, and many adaptive ones that cost far more than guessed. */
  struct schedule mixed = {.count = 0};
  for (int k = 0; k < 12; k++)
    add(&mixed, "rattle", "double", 1000, 1e-3, 1e-7, &state);
  for (int k = 0; k < 60; k++)
    add(&mixed, "ida", "double", 10, 0, 0.15, &state);
  check(&mixed, "long runs, then solvers that choose their steps");

  struct schedule equal = {.count = 0};
  for (int k = 0; k < 4; k++)
    add(&equal, k % 2 ? "rattle" : "shake", "double", 1e5, k < 2 ? 0.1 : 0.05, 4e-6, &state);
  const struct worst worst = watch(&equal, false);
  if (!tap_ok(worst.estimate <= 2, "four long runs: within a factor of two"))
    tap_diag("worst factor %g", worst.estimate);
  return tap_done();
}

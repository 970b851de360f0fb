/*
 * shakedown-bench-ensemble [LANES [STEPS [SPEC]]]: what a step of a lane costs, measures included.
 *
 * A cell of LANES starts of the double pendulum (64), STEPS steps of SPEC (rattle, to round-off), in
 * one run and then each start as a cell of its own, in turns. Prints, a line each as name=value, ns a step
 * of a lane, least of the repeats: `alone`, `together`; `ratio` of the two; and whether all states at
 * the sample times are the same to the bit.
 */
#include "engine/engine.h"
#include "foundation/memory.h"
#include "tests/kit/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 7 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The outcomes of all starts, as members of one cell or each as a cell. */
static double run(struct shk_outcome *outcomes, const struct shk_cell *cell, bool together)
{
  struct shk_message error;
  const struct shk_engine *const engine = shk_engine_named("double", &error);
  const double began = now();
  for (int i = 0; i < (together ? 1 : cell->member_count); i++) {
    struct shk_cell one = *cell;
    if (!together) {
      one.problem = cell->members[i].problem;
      one.member_count = 0;
    }
    engine->run(&test_context, &outcomes[i], &one);
  }
  return now() - began;
}

static bool same_samples(const struct shk_outcome *a, const struct shk_outcome *b)
{
  bool same = a->code == SHK_OK && b->code == SHK_OK && a->sample_count == b->sample_count;
  for (int i = 0; same && i < a->sample_count; i++)
    for (int k = 0; same && k < a->samples[i].block_count; k++)
      same = strcmp(a->samples[i].blocks[k].text, b->samples[i].blocks[k].text) == 0;
  return same;
}

static bool measure(const struct shk_cell *cell, long steps)
{
  const int count = cell->member_count;
  double least[2] = {0, 0};
  bool same = true;
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    struct shk_outcome together = {0};
    struct shk_outcome *const alone = shk_allocate((size_t)count, sizeof *alone);
    const double seconds[2] = {run(alone, cell, false), run(&together, cell, true)};
    for (int k = 0; k < 2; k++)
      if (repeat == 0 || seconds[k] < least[k])
        least[k] = seconds[k];
    for (int i = 0; i < count; i++) {
      same = same && same_samples(&together.members[i], &alone[i]);
      shk_outcome_clear(&alone[i]);
    }
    shk_outcome_clear(&together);
    free(alone);
  }
  const double each = 1e9 / ((double)count * (double)steps);
  printf("alone=%.1f\ntogether=%.1f\nratio=%.2f\nsame=%s\n", least[0] * each, least[1] * each,
         least[0] / least[1], same ? "yes" : "no");
  return same;
}

int main(int count, char **arguments)
{
  const int lanes = count > 1 ? atoi(arguments[1]) : 64;
  const long steps = count > 2 ? atol(arguments[2]) : 2000;
  if (lanes < 1 || lanes > SHK_MOST_MEMBERS || steps < 1 || steps > 1000000) {
    fprintf(stderr, "usage: shakedown-bench-ensemble [LANES [STEPS [SPEC]]]\n");
    return 2;
  }
  char *until = shk_print_text("%.2f", 0.01 * (double)steps);
  struct shk_member *const members = shk_allocate((size_t)lanes, sizeof *members);
  for (int i = 0; i < lanes; i++)
    members[i].problem = shk_print_text("double-pendulum(angle1=%.6f)", 2 + 1e-3 * i);
  test_context.untimed = true;
  const bool ok = measure(&(struct shk_cell){.kind = "run",
                                             .problem = "double-pendulum",
                                             .integrator = count > 3 ? arguments[3] : "rattle",
                                             .precision = "double",
                                             .step = "0.01",
                                             .until = until,
                                             .time_count = 1,
                                             .times = &until,
                                             .member_count = lanes,
                                             .members = members},
                          steps);
  for (int i = 0; i < lanes; i++)
    free(members[i].problem);
  free(members);
  free(until);
  return ok ? 0 : 1;
}

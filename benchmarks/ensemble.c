/*
 * shakedown-bench-ensemble [LANES [STEPS [SPEC]]]: what a step of a lane of an ensemble costs.
 *
 * LANES starts of the double pendulum (64), STEPS steps of SPEC (rattle, to round-off): as lanes of one
 * cell and each as a cell of its own, with everything that a cell measures, and then the steps alone, in
 * groups of eight and one after the other. Prints, a line each as name=value, ns a step of a lane, the
 * least of repeats in turns: `cell-alone`, `cell-together`, `step-alone`, `step-together`, and the
 * ratios `cell` and `step`. Exit 1 unless all states are the same to the bit.
 */
#define SHK_PRECISION 64
#include "engine/cells/drive.h"
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

static double smaller(double a, double b)
{
  return a > 0 && a < b ? a : b;
}

static bool time_cells(double *alone, double *together, const struct shk_cell *cell)
{
  const int count = cell->member_count;
  struct shk_outcome all = {0};
  struct shk_outcome *const own = shk_allocate((size_t)count, sizeof *own);
  bool same = true;
  *alone = smaller(*alone, run(own, cell, false));
  *together = smaller(*together, run(&all, cell, true));
  for (int i = 0; i < count; i++) {
    same = same && same_samples(&all.members[i], &own[i]);
    shk_outcome_clear(&own[i]);
  }
  shk_outcome_clear(&all);
  free(own);
  return same;
}

/* ---- steps alone ---- */

static bool step_alone(struct shk_drive *drives, int count, long steps)
{
  bool ok = true;
  for (int i = 0; i < count; i++)
    for (long k = 0; ok && k < steps; k++) {
      const struct shk_bound *const bound = &drives[i].bound;
      ok = bound->integrator->step(bound->method, &drives[i].next, &drives[i].current, bound->step)
               .code == SHK_OK;
      drives[i].next.t = drives[i].current.t + bound->step;
      shk_drive_accept(&drives[i]);
    }
  return ok;
}

static bool step_together(struct shk_drive *drives, int count, long steps)
{
  const struct shk_bound *const first = &drives[0].bound;
  void *methods[SHK_TOGETHER], *group;
  bool done[SHK_TOGETHER], ok = first->integrator->join != NULL;
  for (int i = 0; i < count; i++)
    methods[i] = drives[i].bound.method;
  ok = ok &&
       first->integrator->join(&group, methods, count, first->evaluator.workspace).code == SHK_OK &&
       group;
  for (long k = 0; ok && k < steps; k++) {
    struct shk_state *to[SHK_TOGETHER];
    const struct shk_state *from[SHK_TOGETHER];
    for (int i = 0; i < count; i++) {
      to[i] = &drives[i].next;
      from[i] = &drives[i].current;
    }
    struct shk_status made[SHK_TOGETHER];
    first->integrator->step_together(group, to, from, first->step, done, made);
    for (int i = 0; i < count; i++) {
      ok = ok &&
           (done[i] ? made[i] : first->integrator->step(methods[i], to[i], from[i], first->step))
                   .code == SHK_OK;
      to[i]->t = from[i]->t + first->step;
      shk_drive_accept(&drives[i]);
    }
  }
  return ok;
}

/* Of up to eight lanes, at their end in `drives`. */
static double time_steps(struct shk_drive *drives, const struct shk_cell *cell, long steps,
                         bool together)
{
  const int count = cell->member_count < SHK_TOGETHER ? cell->member_count : SHK_TOGETHER;
  bool ok = true;
  for (int i = 0; i < count; i++) {
    struct shk_outcome outcome = {0};
    struct shk_cell one = *cell;
    one.problem = cell->members[i].problem;
    one.member_count = 0;
    ok = shk_drive_begin(&test_context, &drives[i], &outcome, &one) && ok;
  }
  const double began = now();
  ok = ok && (together ? step_together : step_alone)(drives, count, steps);
  return ok ? (now() - began) * cell->member_count / count : 0;
}

static bool compare_steps(double *alone, double *together, const struct shk_cell *cell, long steps)
{
  struct shk_drive drives[2][SHK_TOGETHER] = {{{{0}}}};
  bool same = true;
  *alone = smaller(*alone, time_steps(drives[0], cell, steps, false));
  *together = smaller(*together, time_steps(drives[1], cell, steps, true));
  for (int i = 0; i < SHK_TOGETHER && i < cell->member_count; i++) {
    const struct shk_state *const a = &drives[0][i].current, *const b = &drives[1][i].current;
    same = same && memcmp(a->q, b->q, (4 * (size_t)a->n + 2 * (size_t)a->m) * sizeof(double)) == 0;
    shk_drive_end(&drives[0][i]);
    shk_drive_end(&drives[1][i]);
  }
  return same;
}

static bool measure(const struct shk_cell *cell, long steps)
{
  const double each = 1e9 / ((double)cell->member_count * (double)steps), never = 1e9;
  double cells[2] = {never, never}, all[2] = {never, never};
  bool same = true;
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    same = time_cells(&cells[0], &cells[1], cell) && same;
    same = compare_steps(&all[0], &all[1], cell, steps) && same;
  }
  printf("cell-alone=%.1f\ncell-together=%.1f\nstep-alone=%.1f\nstep-together=%.1f\ncell=%.2f\n"
         "step=%.2f\n",
         cells[0] * each, cells[1] * each, all[0] * each, all[1] * each, cells[0] / cells[1],
         all[0] / all[1]);
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

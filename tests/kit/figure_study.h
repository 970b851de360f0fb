/*
 * A study for figures, made up rather than run: one problem with a hostile name, three methods, six
 * steps, two precisions, and one cell that failed.
 */
#ifndef TESTS_KIT_FIGURE_STUDY_H
#define TESTS_KIT_FIGURE_STUDY_H

#include "foundation/memory.h"
#include "harness/analysis/analysis.h"
#include "tests/kit/context.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { METHODS = 3, STEPS = 6, ROWS = 50 };

/* A name that would do harm, or be corrupted, if it were read as anything but data. */
#define HOSTILE "particles(file=\"`touch pwned` $(touch pwned)_a^{2} @x \\n # 'q'\")"

static const char *const integrators[METHODS] = {
    "shake", "rattle(linear=svd)",
    "composition(base=rattle(flow=midpoint,solver=simplified-newton))"};
static const char *const precisions[] = {"double", "quad"};

struct made {
  struct shk_study study;
  struct shk_study_run run;
  struct shk_plan plan;
  const struct shk_record **records;
  struct shk_record *owned;
  struct shk_analysis analysis;
};

static char step_texts[STEPS][16];

static double error_at(int method, double step)
{
  return 0.3 * pow(step, method == 2 ? 4 : method + 1);
}

/* The cell that failed: the third step of the second method in double. */
static bool has_failed(int precision, int method, int step)
{
  return precision == 0 && method == 1 && step == 2;
}

static void fill_series(struct shk_outcome *outcome, const char *name, double size, bool oscillates)
{
  struct shk_series *series = shk_outcome_add_series(outcome, name, ROWS);
  for (int i = 0; i < ROWS; i++) {
    series->time[i] = 0.2 * (i + 1);
    series->mean[i] = size * (oscillates ? sin(0.3 * i) : 1);
    series->minimum[i] = series->mean[i] - 0.1 * size;
    series->maximum[i] = series->mean[i] + 0.1 * size;
  }
}

static void add_curve(struct made *made, enum shk_block_id block, int precision, int method)
{
  struct shk_analysis *const analysis = &made->analysis;
  analysis->curves =
      shk_grow(analysis->curves, (size_t)analysis->curve_count, sizeof *analysis->curves);
  struct shk_curve *const curve = &analysis->curves[analysis->curve_count++];
  *curve = (struct shk_curve){.problem = (char *)HOSTILE,
                              .integrator = (char *)integrators[method],
                              .precision = (char *)precisions[precision],
                              .block = block,
                              .count = STEPS,
                              .claimed = method == 2 ? 4 : method + 1,
                              .fit = {.determined = true, .order = 2.0004, .half_width = 0.0023}};
  curve->points = shk_allocate(STEPS, sizeof *curve->points);
  for (int i = 0; i < STEPS; i++) {
    const double step = strtod(step_texts[i], NULL);
    const bool failed = has_failed(precision, method, i);
    curve->points[i] =
        (struct shk_point){.step = step,
                           .error = failed ? NAN : error_at(method, step),
                           .end_error = NAN,
                           .reference_error = 1e-12,
                           .floor = precision == 0 ? 1e-10 : 1e-30,
                           .seconds = failed ? NAN : 1e-4 / step,
                           .work = failed ? NAN : 20 / step,
                           .in_window = i > 0,
                           .record = made->records[(precision * METHODS + method) * STEPS + i]};
  }
}

static void make_study(struct made *made)
{
  *made = (struct made){0};
  for (int i = 0; i < STEPS; i++)
    snprintf(step_texts[i], sizeof step_texts[i], "%g", 0.1 / (1 << i));
  made->run =
      (struct shk_study_run){.integrators = {.count = METHODS, .texts = (char **)integrators}};
  made->study = (struct shk_study){
      .name = (char *)"a `touch pwned` study", .run_count = 1, .runs = &made->run};
  const int count = 2 * METHODS * STEPS;
  made->plan = (struct shk_plan){.context = &test_context, .count = count, .group_count = 1};
  made->plan.cells = shk_allocate((size_t)count, sizeof *made->plan.cells);
  made->records = shk_allocate((size_t)count, sizeof *made->records);
  made->owned = shk_allocate((size_t)count, sizeof *made->owned);
  for (int i = 0; i < count; i++) {
    const int precision = i / (METHODS * STEPS), method = i / STEPS % METHODS, step = i % STEPS;
    made->plan.cells[i] =
        (struct shk_planned){.cell = {.kind = (char *)"run",
                                      .problem = (char *)HOSTILE,
                                      .integrator = (char *)integrators[method],
                                      .precision = (char *)precisions[precision],
                                      .step = step_texts[step],
                                      .until = (char *)"10",
                                      .numbers = {strtod(step_texts[step], NULL), NAN, 10, NULL}},
                             .role = SHK_ROLE_MEASURED};
    struct shk_record *const record = &made->owned[i];
    record->cell = made->plan.cells[i].cell;
    made->records[i] = record;
    if (has_failed(precision, method, step)) {
      record->outcome.code = SHK_NOT_CONVERGED;
      continue;
    }
    const double size = error_at(method, strtod(step_texts[step], NULL));
    record->outcome.reached = 10;
    fill_series(&record->outcome, "energy-error", size, true);
    fill_series(&record->outcome, "constraint", precision == 0 ? 1e-16 : 1e-34, false);
    fill_series(&record->outcome, "hidden", precision == 0 ? 1e-15 : 1e-33, false);
    shk_outcome_add_scalar(&record->outcome, "energy-error-max", size);
    shk_outcome_add_scalar(&record->outcome, "constraint-max", 1e-16);
  }
  for (int p = 0; p < 2; p++)
    for (int m = 0; m < METHODS; m++) {
      add_curve(made, SHK_BLOCK_Q, p, m);
      add_curve(made, SHK_BLOCK_P, p, m);
      add_curve(made, SHK_BLOCK_LAMBDA, p, m);
      add_curve(made, SHK_BLOCK_ENERGY, p, m);
    }
}

static void clear_study(struct made *made)
{
  for (int i = 0; i < made->plan.count; i++)
    shk_outcome_clear(&made->owned[i].outcome);
  for (int i = 0; i < made->analysis.curve_count; i++)
    free(made->analysis.curves[i].points);
  free(made->analysis.curves);
  free(made->owned);
  free(made->records);
  free(made->plan.cells);
}

#endif

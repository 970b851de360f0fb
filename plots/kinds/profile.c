/*
 * Performance profiles (Dolan and Moré 2002). A profile shows the fraction of tests in which a
 * method's cost or error is at most a given multiple of that of the best method, as a function of
 * that multiple. A test is a problem with a prescribed step size. Errors below their round-off u
 * carry little information and would dominate the ratios. They are therefore mapped linearly to the
 * interval from u/20 to u (after Dingle and Higham 2013).
 */
#include "foundation/memory.h"
#include "plots/kinds/kinds.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The tests and their results. Each test has `methods` values, one per method, which are infinite
 * if the method did not finish. */
struct tests {
  int count, capacity, methods;
  struct test {
    int group;
    double step;
  } * tests;
  double *values;
  bool *takes_part; /* for each method, true if it has a run with a prescribed step size */
};

/* Returns the index of a test, adding the test if it is new. */
static int test_of(struct tests *tests, int group, double step)
{
  for (int i = 0; i < tests->count; i++)
    if (tests->tests[i].group == group && tests->tests[i].step == step)
      return i;
  *SHK_APPEND(tests->tests, tests->count) = (struct test){group, step};
  for (int m = 0; m < tests->methods; m++)
    *SHK_APPEND(tests->values, tests->capacity) = INFINITY;
  return tests->count - 1;
}

/* Returns the error of a point. Errors below their round-off u are mapped linearly to the interval
 * from u/20 to u. */
static double above_round_off(const struct shk_point *point)
{
  const double reference = isfinite(point->reference_error) ? point->reference_error : 0,
               rounding = point->floor + reference;
  return point->error < rounding ? 0.05 * rounding + 0.95 * point->error : point->error;
}

/* Adds the tests of a group, and the values of the runs that finished. */
static void add_tests(struct tests *tests, const struct shk_drawing *drawing, int group,
                      const char *precision, const char *part)
{
  const struct shk_drawn_cell *cell;
  for (int at = 0; (cell = shk_drawing_next(drawing, &at, group, "run", precision));)
    if (cell->cell->step && !cell->cell->tolerance) {
      tests->takes_part[cell->method] = true;
      test_of(tests, group, cell->cell->numbers.step);
    }
  for (int m = 0; m < tests->methods; m++) {
    const struct shk_curve *const curve =
        shk_drawing_curve(drawing, group, SHK_BLOCK_Q, precision, m);
    for (int i = 0; curve && !curve->against_tolerance && i < curve->count; i++) {
      const struct shk_point *const point = &curve->points[i];
      const double value = strcmp(part, "error") == 0 ? above_round_off(point) : point->work;
      if (isfinite(point->error) && value > 0 && tests->takes_part[m])
        tests->values[test_of(tests, group, point->step) * tests->methods + m] = value;
    }
  }
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Divides the values of each test by the smallest one. If no method passed a test, its values
 * remain infinite. Returns the largest ratio, or 0 if there is none. */
static double divide_by_best(struct tests *tests)
{
  double largest = 0;
  for (int i = 0; i < tests->count; i++) {
    double *const values = tests->values + i * tests->methods, best = INFINITY;
    for (int m = 0; m < tests->methods; m++)
      best = fmin(best, values[m]);
    for (int m = 0; m < tests->methods && isfinite(best); m++) {
      values[m] /= best;
      largest = isfinite(values[m]) ? fmax(largest, values[m]) : largest;
    }
  }
  return largest;
}

/* Writes a method's profile up to the ratio `end`. */
static void write_profile(const struct tests *tests, const struct shk_drawing *drawing,
                          struct shk_chart *chart, int method, double end)
{
  double *const ratios = shk_allocate((size_t)tests->count + 1, sizeof *ratios), before = 0;
  int passed = 0;
  for (int i = 0; i < tests->count; i++)
    ratios[i] = tests->values[i * tests->methods + method];
  qsort(ratios, (size_t)tests->count, sizeof *ratios, by_size);
  shk_chart_block(chart, drawing->shown[method],
                  "ratio to the best method, and the fraction of tests with at most that ratio");
  for (double ratio = 1;; ratio = passed < tests->count ? fmin(ratios[passed], end) : end) {
    while (passed < tests->count &&
           ratios[passed] <= ratio * (1 + 1e-9)) /* allow for rounding error */
      passed++;
    const double fraction = passed / (double)tests->count;
    SHK_CHART_ROW(chart, ratio, fraction);
    shk_chart_point(chart, method, ratio, before);
    shk_chart_point(chart, method, ratio, fraction);
    before = fraction;
    if (ratio >= end)
      break;
  }
  shk_chart_point(chart, method, NAN, NAN);
  free(ratios);
}

/* Adds the panel with the profiles. `problems` is the number of problems in the tests. */
static void add_profiles(const struct tests *tests, const struct shk_drawing *drawing,
                         struct shk_chart *chart, int group, int problems, double largest,
                         const char *part)
{
  struct shk_panel *const panel = shk_drawing_panel(drawing, chart, group);
  const struct shk_phrase count = shk_phrase("%d tests", tests->count),
                          label = shk_phrase("%s / least", part);
  const double end = fmax(1.3 * largest, 2);
  if (problems > 1) {
    free(panel->problem);
    panel->problem = shk_print_text("%d problems", problems);
  }
  if (!panel->x.fixed)
    /* keep marks clear of the axis */
    panel->x = (struct shk_axis){.from = pow(end, -0.09), .to = end};
  if (!panel->y.fixed) /* this fixes the range even if a legend needs more room */
    panel->y = (struct shk_axis){.fixed = true, .from = -0.04, .to = 1.05};
  panel->x.log = true;
  shk_chart_part(chart, count.text, count.text);
  shk_chart_set(chart, "stride", (tests->count + 7) / 8);
  shk_chart_words(chart, "xlabel", label.text, label.text);
  shk_chart_words(chart, "ylabel", "fraction of tests", "fraction of tests");
  for (int m = 0; m < tests->methods; m++)
    if (tests->takes_part[m])
      shk_drawing_add(drawing, chart, m, "");
    else
      shk_chart_note(chart, "%s is left out: it has no run with a given step", drawing->shown[m]);
  for (int m = 0; m < tests->methods; m++)
    if (tests->takes_part[m])
      write_profile(tests, drawing, chart, m, end);
  shk_chart_note(chart,
                 "A test is a problem with a given step; a run that did not finish passes no test");
  if (strcmp(part, "error") == 0)
    shk_chart_note(chart, "Errors in q below their round-off u are mapped to [u/20, u]");
  else
    shk_chart_note(chart, "Evaluations are those of forces and constraint Jacobians");
}

/* Draws the profile over all groups when called for the first group, and does nothing for the other
 * groups. */
static bool draw_profile(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                         const char *precision, const char *part)
{
  struct tests tests = {.methods = drawing->methods.count};
  struct shk_index problems = {0};
  int methods = 0;
  for (int g = 0; g < group; g++)
    if (drawing->groups[g].used)
      return true;
  tests.takes_part = shk_allocate((size_t)tests.methods + 1, sizeof *tests.takes_part);
  for (int g = group; g < drawing->group_count; g++)
    if (drawing->groups[g].used)
      add_tests(&tests, drawing, g, precision, part);
  for (int i = 0; i < tests.count; i++)
    shk_index_text(&problems, drawing->groups[tests.tests[i].group].shown);
  for (int m = 0; m < tests.methods; m++)
    methods += tests.takes_part[m];
  const double largest = divide_by_best(&tests);
  if (largest > 0 && methods > 1)
    add_profiles(&tests, drawing, chart, group, problems.count, largest, part);
  free(tests.tests);
  free(tests.values);
  free(tests.takes_part);
  shk_index_clear(&problems);
  return true;
}

const struct shk_figure_kind shk_figure_kind_profile = {.measure = "error",
                                                        .title = "Performance profiles",
                                                        .only_by_name = true,
                                                        .draw = draw_profile,
                                                        .of_all = true};

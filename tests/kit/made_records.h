/*
 * Plans and records for the tests of the analysis, made up rather than computed, with the engine's
 * functions for them. The errors of the made-up integrators are known powers of the step; `good`
 * claims its true order.
 */
#ifndef TESTS_KIT_MADE_RECORDS_H
#define TESTS_KIT_MADE_RECORDS_H

#include "foundation/memory.h"
#include "harness/analysis/analysis.h"
#include "harness/analysis/families/family.h"
#include "tests/kit/cell_numbers.h"
#include "tests/kit/context.h"
#include "tests/kit/vectors.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 200 };

static struct shk_planned cells[MOST];
static struct shk_record store[MOST];
static const struct shk_record *records[MOST];
static struct shk_plan plan = {.context = &test_context, .cells = cells};

static void forget(void)
{
  for (int i = 0; i < plan.count; i++) {
    shk_cell_clear(&cells[i].cell);
    shk_record_clear(&store[i]);
    records[i] = NULL;
  }
  plan.count = 0;
}

/* ---- functions of the engine ---- */

static bool claims_of(const struct shk_context *context, struct shk_claims *claims,
                      const char *precision, const char *integrator, struct shk_message *error)
{
  (void)precision;
  (void)context;
  (void)error;
  *claims = (struct shk_claims){.order_q = 2,
                                .order_p = 2,
                                .order_lambda = 1,
                                .order_mu = SHK_NO_ORDER,
                                .order_lambda_mean = 2,
                                .order_lambda_sum = 0,
                                .order_lambda_state = SHK_NO_ORDER,
                                .keeps_constraint = SHK_YES,
                                .keeps_hidden = SHK_YES,
                                .keeps_momenta = SHK_YES,
                                .energy_bounded = SHK_YES};
  if (strcmp(integrator, "boastful") == 0)
    claims->order_q = 4;
  if (strcmp(integrator, "modest") == 0)
    claims->keeps_constraint = SHK_NO;
  if (strcmp(integrator, "careless") == 0)
    claims->keeps_momenta = SHK_NO;
  return strcmp(integrator, "stranger") != 0;
}

static bool inspect(const struct shk_context *context, struct shk_inspection *inspection,
                    const char *problem, struct shk_message *error)
{
  (void)context;
  (void)error;
  *inspection = (struct shk_inspection){.n = 2, .m = 1, .time_scale = 1, .horizon = 10};
  inspection->invariant_count = 3;
  strcpy(inspection->invariant_names[0], "angular-momentum");
  strcpy(inspection->invariant_names[1], "joachimsthal");
  strcpy(inspection->invariant_names[2], "total-momentum");
  if (strncmp(problem, "straight", 8) == 0)
    inspection->undecidable = SHK_LINEAR_CONSTRAINTS;
  return strncmp(problem, "unheard-of", 10) != 0;
}

static const struct shk_analysis_source source = {.claims = claims_of, .inspect = inspect};

/* ---- making records ---- */

static struct shk_record *add(enum shk_role role, int group, const char *problem,
                              const char *integrator, const char *precision, const char *step,
                              const char *until)
{
  const int i = plan.count++;
  struct shk_cell cell = {.kind = (char *)"run",
                          .problem = (char *)problem,
                          .integrator = (char *)integrator,
                          .precision = (char *)precision,
                          .step = (char *)step,
                          .until = (char *)until};
  cells[i] = (struct shk_planned){.role = role, .group = group};
  shk_cell_copy(&cells[i].cell, &cell);
  read_numbers(&cells[i].cell);
  shk_cell_copy(&store[i].cell, &cells[i].cell);
  records[i] = &store[i];
  if (group >= plan.group_count)
    plan.group_count = group + 1;
  return &store[i];
}

static void block(struct shk_sample *sample, const char *name, long double x, long double y)
{
  shk_sample_add_block(sample, name, vector_of_owned(shk_print_text("%.25Lg %.25Lg", x, y)));
}

/* Fills in samples of the motion (2 cos t, 2 sin t), p = q', lambda = 3 + cos t, with errors `e_q`,
 * … at times after the start. Errors are largest at t = 2.5 and nearly vanish at the symmetric
 * end. */
static void fill(struct shk_record *record, double e_q, double e_p, double e_lambda, double e_mean)
{
  static const char *const times[] = {"0", "1.3", "2.5", "5"};
  static const double shape[] = {0, 0.4, 1, 1e-3};
  for (int i = 0; i < 4; i++) {
    const long double t = strtold(times[i], NULL);
    struct shk_sample *sample = shk_outcome_add_sample(&record->outcome, times[i], (double)t);
    const long double c = cosl(t), s = sinl(t), w = shape[i];
    block(sample, "q", 2 * c + e_q * w, 2 * s);
    block(sample, "p", -2 * s, 2 * c - e_p * w);
    block(sample, "lambda-state", 3 + c, 0);
    if (i == 3)
      continue; /* no step begins at the end */
    block(sample, "lambda", 3 + c + e_lambda * w, 0);
    if (i > 0) {
      block(sample, "lambda-mean", 3 + c + e_mean * w, 0);
      block(sample, "lambda-sum", 2 * (3 + c) + e_lambda * w, 0);
    }
  }
}

static void scalar(struct shk_record *record, const char *name, double value)
{
  shk_outcome_add_scalar(&record->outcome, name, value);
}

static void measures(struct shk_record *record, double h, double epsilon)
{
  const struct shk_scalar values[] = {
      {(char *)"energy-start", -0.5},
      {(char *)"energy-error-max", 0.2 * h * h},
      {(char *)"energy-error-final", 0.1 * h * h},
      {(char *)"constraint-max", 3 * epsilon},
      {(char *)"hidden-max", 4 * epsilon},
      {(char *)"invariant-angular-momentum-max", 5 * epsilon},
      {(char *)"invariant-joachimsthal-max", h * h},
      {(char *)"work-gradient", 5 / h + 1},
      {(char *)"work-jacobian", 10 / h},
      {(char *)"work-steps", 5 / h},
      {(char *)"cpu-seconds", 1e-6 / h},
      {(char *)"constraint-floor", 2 * epsilon},
      {(char *)"hidden-floor", 2 * epsilon},
      {(char *)"invariant-angular-momentum-floor", epsilon},
      {(char *)"invariant-joachimsthal-floor", epsilon},
  };
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
    scalar(record, values[i].name, values[i].value);
}

static void add_references(int group, const char *problem, double error)
{
  fill(add(SHK_ROLE_REFERENCE, group, problem, "reference", "quad", "0.01", "5"), 0, 0, 0, 0);
  fill(add(SHK_ROLE_REFERENCE_CHECK, group, problem, "reference", "quad", "0.02", "5"), error,
       error, error, error);
}

static const char *const steps[] = {"0.1", "0.05", "0.025", "0.0125", "0.00625"};

/* Adds a second-order method at five steps. Returns the index of its first cell. */
__attribute__((unused)) static int add_method(int group, const char *problem,
                                              const char *integrator, const char *precision)
{
  const int first = plan.count;
  for (int i = 0; i < 5; i++) {
    const double h = strtod(steps[i], NULL);
    struct shk_record *record =
        add(SHK_ROLE_MEASURED, group, problem, integrator, precision, steps[i], "5");
    fill(record, 0.5 * h * h, 0.7 * h * h, 0.9 * h, 1.1 * h * h);
    measures(record, h, strcmp(precision, "quad") == 0 ? 0x1p-112 : 0x1p-52);
  }
  return first;
}

#endif

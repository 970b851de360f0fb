/* Finds out what a check cannot detect, based on the study, its problems and methods, and the bands
 * in the baseline. */
#include "harness/check/power.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SLOPES = 6, MOST_NAMES = 4 }; /* maximum numbers of items to list by name */

/* Prints a list of names such as "a, b, c and 2 more". */
static void print_names(FILE *file, const struct shk_index *names)
{
  for (int i = 0; i < names->count && i < MOST_NAMES; i++)
    fprintf(file, "%s%s", i > 0 ? ", " : "", names->texts[i]);
  if (names->count > MOST_NAMES)
    fprintf(file, " and %d more", names->count - MOST_NAMES);
}

/* ---- bands ---- */

static void print_slopes(FILE *file, const struct shk_baseline *baseline)
{
  int count = 0;
  double most = 0;
  for (int i = 0; i < baseline->count; i++) {
    const struct shk_baseline_value *const v = &baseline->values[i];
    if (!shk_baseline_is_gated_slope(v))
      continue;
    const double notices = shk_baseline_notices(v);
    if (++count <= MOST_SLOPES)
      fprintf(file, "- drifts below %.2g: %s of %s on %s in %s\n", notices, v->quantity,
              v->integrator, v->problem, v->precision);
    else
      most = fmax(most, notices);
  }
  if (count > MOST_SLOPES)
    fprintf(file, "- drifts below %.2g in %d more slopes\n", most, count - MOST_SLOPES);
}

/* The widest of all bands that have the same reason. */
struct width {
  int count;
  double absolute, relative, factor;
};

static struct width width_of(const struct shk_baseline *baseline, enum shk_band_reason why)
{
  struct width width = {0};
  for (int i = 0; i < baseline->count; i++) {
    const struct shk_baseline_value *const v = &baseline->values[i];
    if (v->why != why || isnan(v->value) || shk_baseline_is_gated_slope(v) ||
        (v->band.kind != SHK_BAND_WITHIN && v->band.kind != SHK_BAND_FACTOR))
      continue;
    width.count++;
    width.factor = fmax(width.factor, v->band.factor);
    if (v->band.kind == SHK_BAND_FACTOR)
      continue;
    width.absolute = fmax(width.absolute, shk_baseline_notices(v));
    if (v->value != 0)
      width.relative = fmax(width.relative, 100 * shk_baseline_notices(v) / fabs(v->value));
  }
  return width;
}

static void print_bands(FILE *file, const struct shk_baseline *baseline)
{
  for (int why = 0; why < SHK_BAND_REASONS; why++) {
    const struct width width = width_of(baseline, (enum shk_band_reason)why);
    const char *const values = width.count == 1 ? "value" : "values", *const word =
                                                                          shk_band_reasons[why]
                                                                              .word;
    if (width.count > 0 && width.factor > 0)
      fprintf(file, "- changes by a factor of up to %.3g: %d %s (%s)\n", width.factor, width.count,
              values, word);
    else if (width.count > 0 && why == SHK_BECAUSE_ORDER)
      fprintf(file, "- changes of up to %.2g: %d %s (%s)\n", width.absolute, width.count, values,
              word);
    else if (width.count > 0)
      fprintf(file, "- changes of up to %.2g %%: %d %s (%s)\n", width.relative, width.count, values,
              word);
  }
}

static void print_open(FILE *file, const struct shk_baseline *baseline)
{
  struct shk_index names = {0};
  int count = 0;
  for (int i = 0; i < baseline->count; i++) {
    const struct shk_baseline_value *const v = &baseline->values[i];
    if (v->band.kind != SHK_BAND_NONE)
      continue;
    count++;
    shk_index_number(&names, "%s of %s (%s)", v->quantity, v->integrator,
                     shk_band_reasons[v->why].word);
  }
  if (count > 0) {
    fprintf(file, "- any change: %d value%s without a band: ", count, count == 1 ? "" : "s");
    print_names(file, &names);
    putc('\n', file);
  }
  shk_index_clear(&names);
}

/* ---- methods ---- */

/* Returns true if any run of the integrator includes the measure. */
static bool is_measured(const struct shk_study *study, const char *integrator,
                        enum shk_measure_id measure)
{
  for (int r = 0; r < study->run_count; r++)
    if (shk_index_find(&study->runs[r].integrators, integrator) >= 0 &&
        shk_run_measures(&study->runs[r], measure))
      return true;
  return false;
}

/* Prints the claims of a method that are not measured by any run. */
static void print_claims(FILE *file, const struct shk_study *study, const char *integrator)
{
  struct shk_claims claims;
  struct shk_message unused;
  struct shk_index names = {0};
  bool in_quad;
  if (!shk_finest_claims(&study->context, &claims, &in_quad, integrator, &unused))
    return;
  for (int i = 1; i < SHK_CLAIMS; i++) {
    const enum shk_measure_id measure = shk_measure_deciding((enum shk_claim)i);
    if (measure != SHK_MEASURES && shk_is_claimed(&claims, (enum shk_claim)i) &&
        !shk_claim_is_assumed(&claims, (enum shk_claim)i) &&
        !is_measured(study, integrator, measure))
      shk_index_number(&names, "%s (measure %s)", shk_claim_entries[i].words,
                       shk_measures[measure].name);
  }
  if (names.count > 0) {
    fprintf(file, "- claims made by %s that no run measures: ", integrator);
    print_names(file, &names);
    putc('\n', file);
  }
  shk_index_clear(&names);
}

/* Prints the kinds of work that are not counted for a method. Evaluations and factorizations are
 * counted only if Shakedown performs them. */
static void print_work(FILE *file, const struct shk_study *study, const char *integrator)
{
  const bool own = shk_is_remote_integrator(&study->context, integrator);
  if (!is_measured(study, integrator, SHK_MEASURE_WORK))
    fprintf(file, "- any work of %s: no run has the measure work\n", integrator);
  else if (own && !is_measured(study, integrator, SHK_MEASURE_TIME))
    fprintf(file,
            "- work that %s does in its own code, such as in its own solver, unless it counts that "
            "work itself: Shakedown only counts the calls that it receives (measure time)\n",
            integrator);
}

/* ---- systems ---- */

/* Summarizes the features that the problems of a study cover. */
struct systems {
  unsigned features;
  int constraints; /* the largest number of constraints in any problem */
  bool beyond_quadratic, unequal_masses;
  double until; /* the end time of the longest run */
};

static struct systems systems_of(const struct shk_study *study, const struct shk_plan *plan)
{
  struct systems all = {0};
  struct shk_inspection is;
  struct shk_message unused;
  for (int r = 0; r < study->run_count; r++)
    for (int i = 0; i < study->runs[r].problem_count; i++)
      if (shk_inspect(&study->context, &is, "double", study->runs[r].problems[i].problem,
                      &unused)) {
        all.features |= is.features;
        all.constraints = is.m > all.constraints ? is.m : all.constraints;
        all.beyond_quadratic = all.beyond_quadratic || is.beyond_quadratic;
        all.unequal_masses = all.unequal_masses || is.unequal_masses;
      }
  for (int i = 0; i < plan->count; i++)
    if (plan->cells[i].cell.until)
      all.until = fmax(all.until, strtod(plan->cells[i].cell.until, NULL));
  return all;
}

static void print_systems(FILE *file, const struct systems *all)
{
  if (all->constraints == 1)
    fputs("- systems with two constraints or more, such as two molecules: every problem has only "
          "one\n",
          file);
  else
    fprintf(file, "- systems with more than %d constraints\n", all->constraints);
  if (!all->beyond_quadratic)
    fputs("- errors that vanish on quadratic constraints: no problem has any other constraints\n",
          file);
  if (!all->unequal_masses)
    fputs("- errors that vanish for equal masses: no problem has unequal masses\n", file);
  if (all->until > 0)
    fprintf(file, "- anything after t = %.6g, the end of the longest run\n", all->until);
}

/* Prints the kinds of systems that a method supports but that the problems do not cover. */
static void print_features(FILE *file, const struct shk_study *study, const char *integrator,
                           unsigned features)
{
  const struct shk_integrator_info *const info = shk_find_integrator(&study->context, integrator);
  struct shk_index names = {0};
  for (int i = 0; info && i < SHK_FEATURE_COUNT; i++)
    if (info->supports & ~features & 1u << i)
      shk_index_text(&names, shk_feature_words[i]);
  if (names.count > 0) {
    fprintf(file,
            "- kinds of systems that %s supports but that are not among the study's problems: ",
            integrator);
    print_names(file, &names);
    putc('\n', file);
  }
  shk_index_clear(&names);
}

void shk_power_print(FILE *file, const struct shk_study *study, const struct shk_plan *plan,
                     const struct shk_baseline *baseline)
{
  struct shk_index methods = {0};
  const struct systems systems = systems_of(study, plan);
  for (int r = 0; r < study->run_count; r++)
    for (int i = 0; i < study->runs[r].integrators.count; i++)
      shk_index_text(&methods, study->runs[r].integrators.texts[i]);
  fprintf(file, "A check of the study %s cannot detect:\n", study->name);
  print_slopes(file, baseline);
  print_bands(file, baseline);
  print_open(file, baseline);
  for (int i = 0; i < methods.count; i++) {
    print_claims(file, study, methods.texts[i]);
    print_work(file, study, methods.texts[i]);
    print_features(file, study, methods.texts[i], systems.features);
  }
  print_systems(file, &systems);
  shk_index_clear(&methods);
}

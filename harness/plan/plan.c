/*
 * Expands a study into cells in two passes. The first pass determines the horizon, steps and sample
 * times of every problem in every run. These determine the problem's group, so that a group's
 * references can precede its cells. The second pass lists the cells.
 */
#include "harness/plan/plan.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/plan/plan_times.h"
#include "harness/plan/reference_cells.h"
#include "results/record/cell_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct shk_numbers default_tolerances = {
    .count = 4,
    .texts = (char *[]){(char *)"1e-4", (char *)"1e-6", (char *)"1e-8", (char *)"1e-10"},
    .values = (double[]){1e-4, 1e-6, 1e-8, 1e-10}};

/* The times, steps and group of a problem in a run. */
struct shk_plan_layout {
  struct shk_plan_times plan_times;
  int group;
};

struct shk_plan_group {
  struct shk_cell cell; /* only the problem, kind, start and times of this cell are set */
  int run;              /* the first run that measures errors in this group; -1 if there is none */
  /* true if the exact solution is known, which is only possible for the problem's own start */
  bool exact;
  bool has_cells; /* true once the group's references have been planned */
};

struct planner {
  const struct shk_study *study;
  struct shk_plan *plan;
  struct shk_index groups, cells;
  struct shk_message *error;
};

/* ---- first pass: horizons, steps, times, groups ---- */

/* Returns true if any integrator that the run pairs with this problem uses fixed steps. */
static bool has_fixed_steps(const struct shk_context *context, const struct shk_study_run *run,
                            const char *problem)
{
  for (int i = 0; i < run->integrators.count; i++) {
    const struct shk_integrator_info *const info =
        shk_find_integrator(context, run->integrators.texts[i]);
    if (info && !info->adaptive && !info->exact &&
        !shk_run_excludes(run, problem, run->integrators.texts[i]))
      return true;
  }
  return false;
}

static bool wants_errors(const struct shk_study_run *run)
{
  return shk_run_measures(run, SHK_MEASURE_ERROR) || shk_run_measures(run, SHK_MEASURE_ORDER) ||
         shk_run_measures(run, SHK_MEASURE_MULTIPLIER) ||
         shk_run_measures(run, SHK_MEASURE_WORK_PRECISION) ||
         shk_run_measures(run, SHK_MEASURE_TOLERANCE) || run->singular.asked;
}

/* Returns true if any of the given figures or their panels draws states of the problem along a
 * run. */
static bool draws_path(const struct shk_study_figure *figures, int count, const char *problem)
{
  static const char *const paths[] = {"motion", "phase", "trajectory"};
  bool draws = false;
  for (int i = 0; i < count; i++) {
    const struct shk_study_figure *const figure = &figures[i];
    for (size_t k = 0; figure->kind && k < sizeof paths / sizeof *paths; k++)
      draws =
          draws || (strcmp(figure->kind, paths[k]) == 0 && shk_selects(&figure->problems, problem));
    draws = draws || draws_path(figure->panels, figure->panel_count, problem);
  }
  return draws;
}

static bool lay_out_problem(struct planner *planner, int run_index, const struct shk_cell *start)
{
  const struct shk_study_run *const run = &planner->study->runs[run_index];
  struct shk_plan *const plan = planner->plan;
  struct shk_inspection inspection;
  struct shk_message reason = {.text = ""};
  if (!shk_inspect(plan->context, &inspection, "double", start->problem, &reason))
    return shk_message_set(planner->error, "%s:%d: %s: %s", planner->study->path, run->line,
                           start->problem, reason.text);
  struct shk_time_planner time_planner = {
      planner->study->path,
      run,
      start,
      &inspection,
      draws_path(planner->study->figures, planner->study->figure_count, start->problem),
      has_fixed_steps(plan->context, run, start->problem),
      planner->error};
  if (!shk_plan_times_make(&time_planner))
    return false;
  struct shk_plan_layout layout = {.plan_times = time_planner.made};
  struct shk_cell cell = *start; /* the strings belong to the study and to the study's times */
  cell.kind = (char *)"run";
  cell.numbers = (struct shk_cell_numbers){.step = NAN, .tolerance = NAN};
  shk_set_times(&cell, &layout.plan_times.times, 0, layout.plan_times.times.count);
  char *const text = shk_cell_text(&cell);
  layout.group = shk_index_text(&planner->groups, text);
  free(text);
  if (layout.group == plan->group_count)
    *SHK_APPEND(plan->groups, plan->group_count) = (struct shk_plan_group){
        .cell = cell, .run = -1, .exact = inspection.exact && shk_has_own_start(start)};
  *SHK_APPEND(plan->layouts, plan->layout_count) = layout;
  struct shk_plan_group *const plan_group = &plan->groups[layout.group];
  if (plan_group->run < 0 && wants_errors(run))
    plan_group->run = run_index;
  return true;
}

/* ---- second pass: cells ---- */

static void set_tolerance(struct shk_cell *cell, const struct shk_numbers *tolerances, int i)
{
  cell->tolerance = tolerances->texts[i];
  cell->numbers.tolerance = tolerances->values[i];
}

double shk_plan_first_seconds(const struct shk_cell *cell)
{
  return cell->tolerance ? 600 : shk_precision_named(cell->precision)->cost > 1 ? 120 : 30;
}

/* Adds a cell with the limits of its run, unless it is already planned. References have the default
 * time limit and at least the default memory limit, because limits for the methods under test must
 * not apply to them. */
static bool add_cell(struct planner *planner, struct shk_planned planned)
{
  struct shk_plan *const plan = planner->plan;
  const struct shk_study_run *const run = &planner->study->runs[planned.run];
  const struct shk_cell *const cell = &planned.cell;
  const bool reference = planned.role != SHK_ROLE_MEASURED;
  const int known = planner->cells.count,
            at = shk_index_number(&planner->cells, "%d\n%s\n%s\n%s\n%s\n%s", planned.group,
                                  cell->kind, cell->integrator, cell->precision,
                                  cell->step ? cell->step : "",
                                  cell->tolerance ? cell->tolerance : "");
  planned.measures = shk_measures_of_run(run);
  planned.named = run->measures_named ? planned.measures : 0;
  if (at < known) {
    plan->cells[at].measures |= planned.measures;
    plan->cells[at].named |= planned.named;
    return true;
  }
  if (plan->count == SHK_MOST_CELLS)
    return shk_message_set(planner->error, "%s: the study has more than %d cells",
                           planner->study->path, SHK_MOST_CELLS);
  planned.seconds = reference ? 0 : run->seconds;
  planned.megabytes = run->megabytes > 0 ? run->megabytes : SHK_DEFAULT_MEGABYTES;
  planned.megabytes = fmax(planned.megabytes, reference ? SHK_DEFAULT_MEGABYTES : 0);
  *SHK_APPEND(plan->cells, plan->count) = planned;
  return true;
}

static bool add_references(struct planner *planner, int index)
{
  struct shk_plan_group *const group = &planner->plan->groups[index];
  struct shk_planned planned = {.cell = group->cell, .run = group->run, .group = index};
  if (group->run < 0 || group->has_cells)
    return true;
  group->has_cells = true;
  planned.role = SHK_ROLE_REFERENCE;
  planned.cell.integrator = (char *)"exact";
  planned.cell.precision = (char *)shk_finest_engine()->precision;
  if (group->exact)
    return add_cell(planner, planned);
  struct shk_message reason;
  if (!shk_engine_named("quad", &reason))
    return shk_message_set(planner->error,
                           "%s: the exact solution of %s from its start is not known, so a "
                           "reference is needed, which is computed in quad precision: %s",
                           planner->study->path, group->cell.problem, reason.text);
  planned.cell.integrator = (char *)"reference";
  planned.role = SHK_ROLE_REFERENCE_CHECK;
  set_tolerance(&planned.cell, &shk_reference_tolerances, 0);
  if (!add_cell(planner, planned))
    return false;
  planned.role = SHK_ROLE_REFERENCE;
  set_tolerance(&planned.cell, &shk_reference_tolerances, 1);
  return add_cell(planner, planned);
}

static int index_of_least(const struct shk_numbers *numbers)
{
  int least = 0;
  for (int i = 1; i < numbers->count; i++)
    if (fabs(numbers->values[i]) < fabs(numbers->values[least]))
      least = i;
  return least;
}

/* Adds the cells of one type for one problem, integrator and precision. Usually, there is one cell
 * for each step or tolerance; for cells of type `time`, there is only one, for the finest step or
 * tolerance. A structure cell ends after a single step. An adaptive method gets a single structure
 * or contract-check cell, which uses the first tolerance. Contract checks choose their own
 * steps. */
static bool add_series(struct planner *planner, struct shk_planned planned,
                       const struct shk_integrator_info *info, const struct shk_plan_times *chosen,
                       enum shk_measured_in in)
{
  const struct shk_numbers *const steps = &chosen->steps;
  const struct shk_numbers *const own = &planner->study->runs[planned.run].tolerances;
  const struct shk_numbers *const tolerances = own->count > 0 ? own : &default_tolerances;
  const bool one = in == SHK_IN_STEPS || in == SHK_IN_CONTRACT, finest = in == SHK_IN_TIMES;
  bool ok = true;
  if (info->exact || (in == SHK_IN_CONTRACT && !info->adaptive))
    return add_cell(planner, planned);
  const int count = !info->adaptive ? steps->count : one ? 1 : tolerances->count;
  const int last = finest ? index_of_least(info->adaptive ? tolerances : steps) : count - 1;
  for (int i = finest ? last : 0; ok && i <= last; i++) {
    if (info->adaptive) {
      set_tolerance(&planned.cell, tolerances, i);
    } else {
      planned.cell.step = steps->texts[i];
      planned.cell.numbers.step = steps->values[i];
      planned.cell.step_counts = chosen->step_counts + (ptrdiff_t)i * chosen->times.count;
    }
    /* the step is both the horizon and the only sample time */
    if (!info->adaptive && in == SHK_IN_STEPS) {
      shk_set_times(&planned.cell, steps, i, 1);
      planned.cell.step_counts = NULL;
    }
    ok = add_cell(planner, planned);
  }
  return ok;
}

/* Adds the cells for one problem, integrator and precision. These are runs, if any measure needs
 * them, and cells for the measures that have their own cell type. */
static bool add_measures(struct planner *planner, struct shk_planned planned,
                         const struct shk_integrator_info *info,
                         const struct shk_plan_times *chosen)
{
  const struct shk_study_run *const run = &planner->study->runs[planned.run];
  bool wants_runs = false, ok = true;
  for (int k = 0; k < SHK_MEASURES; k++)
    wants_runs = wants_runs || (shk_measures[k].in == SHK_IN_RUNS &&
                                shk_run_measures(run, (enum shk_measure_id)k));
  if (wants_runs)
    ok = add_series(planner, planned, info, chosen, SHK_IN_RUNS);
  for (int k = 0; ok && k < SHK_MEASURES && !info->exact; k++) {
    const enum shk_measured_in in = shk_measures[k].in;
    planned.cell.kind = (char *)shk_measures[k].name;
    if (in != SHK_IN_RUNS && shk_run_measures(run, (enum shk_measure_id)k) &&
        (in != SHK_IN_STEPS || info->partner ||
         !shk_engine_f64.structure_asks(planned.cell.kind)->partner))
      ok = add_series(planner, planned, info, chosen, in);
  }
  return ok;
}

/* Returns true if the method, or a component named in its options, exists in double but not in the
 * given precision. */
static bool lacks_precision(const struct planner *planner, const struct shk_integrator_info *info,
                            const char *integrator, const char *precision)
{
  struct shk_claims claims;
  struct shk_message unused;
  if (info->in_single || strcmp(precision, "double") == 0)
    return false;
  return info->double_only ||
         (shk_claims_of(planner->plan->context, &claims, "double", integrator, &unused) &&
          claims.double_only);
}

static bool add_problem(struct planner *planner, int run_index, const struct shk_cell *start,
                        int layout)
{
  const struct shk_study_run *const run = &planner->study->runs[run_index];
  const int group = planner->plan->layouts[layout].group;
  for (int i = 0; i < run->integrators.count; i++) {
    const char *const integrator = run->integrators.texts[i];
    const struct shk_integrator_info *const info =
        shk_find_integrator(planner->plan->context, integrator);
    if (!info)
      return shk_message_set(planner->error, "%s:%d: integrator %s is no longer known",
                             planner->study->path, run->line, integrator);
    if (shk_run_excludes(run, start->problem, integrator)) {
      planner->plan->excluded++;
      continue;
    }
    if (run->supported_only &&
        !shk_pair_applies(planner->plan->context, start->problem, integrator))
      continue;
    if (!add_references(planner, group))
      return false;
    for (int k = 0; k < (info->in_single ? 1 : run->precisions.count); k++) {
      const char *const precision = info->in_single ? "single" : run->precisions.texts[k];
      if (lacks_precision(planner, info, integrator, precision)) {
        planner->plan->left_out++;
        continue;
      }
      struct shk_planned planned = {.cell = planner->plan->groups[group].cell,
                                    .run = run_index,
                                    .role = SHK_ROLE_MEASURED,
                                    .group = group};
      planned.cell.integrator = (char *)integrator;
      planned.cell.precision = (char *)precision;
      if (!add_measures(planner, planned, info, &planner->plan->layouts[layout].plan_times))
        return false;
    }
  }
  return true;
}

static bool plan_study(struct planner *planner)
{
  const struct shk_study *const study = planner->study;
  for (int r = 0; r < study->run_count; r++)
    for (int i = 0; i < study->runs[r].problem_count; i++)
      if (!lay_out_problem(planner, r, &study->runs[r].problems[i]))
        return false;
  int layout = 0;
  for (int r = 0; r < study->run_count; r++)
    for (int i = 0; i < study->runs[r].problem_count; i++)
      if (!add_problem(planner, r, &study->runs[r].problems[i], layout++))
        return false;
  return true;
}

/* Structure measures (measures/structure.h) have their own cell types, with one cell per step size;
 * each of these cells ends after one step. Contract checks have a single cell. The cells for
 * regularity (measures/regularity.c) are as long as the runs. If nothing else is measured, no runs
 * are planned.
 *
 * References are planned only if errors are measured. If the problem has an exact solution and uses
 * its own start, the exact solution is the reference. Otherwise, the reference integrator is run at
 * two tolerances, starting with the check. */
struct shk_plan *shk_plan_make(const struct shk_study *study, struct shk_message *error)
{
  struct shk_plan *const plan = shk_allocate(1, sizeof *plan);
  plan->context = &study->context;
  struct planner planner = {.study = study, .plan = plan, .error = error};
  const bool ok = plan_study(&planner);
  shk_index_clear(&planner.groups);
  shk_index_clear(&planner.cells);
  if (ok)
    return plan;
  shk_plan_free(plan);
  return NULL;
}

void shk_plan_free(struct shk_plan *plan)
{
  if (!plan)
    return;
  for (int i = 0; i < plan->layout_count; i++)
    shk_plan_times_clear(&plan->layouts[i].plan_times);
  free(plan->layouts);
  free(plan->groups);
  free(plan->cells);
  free(plan);
}

struct shk_records *shk_plan_open_records(struct shk_store *store, const struct shk_plan *plan,
                                          bool stay, struct shk_message *error)
{
  return shk_stored_records_open(store, plan->cells, sizeof *plan->cells, plan->count, stay, error);
}

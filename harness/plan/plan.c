/*
 * Expansion of a study to cells, in two passes. The first gives every problem of every run its
 * horizon, steps and sample times, and with them its group, so that a group's references can
 * precede its cells. The second lists the cells.
 */
#include "harness/plan/plan.h"

#include "engine/names.h"
#include "foundation/files/folder.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "harness/plan/plan_times.h"
#include "harness/plan/reference_cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct shk_decimal default_tolerances[] = {{.coefficient = 1, .exponent = -4},
                                                        {.coefficient = 1, .exponent = -6},
                                                        {.coefficient = 1, .exponent = -8},
                                                        {.coefficient = 1, .exponent = -10}};

/* ---- memory of a plan ---- */

/* A problem of a run. */
struct layout {
  struct shk_schedule schedule;
  int group;
};

struct group {
  const struct shk_start *start;
  int layout;                 /* the first with this group */
  struct shk_member *members; /* of the start; the plan's strings own the texts */
  int run;                    /* first run that measures its errors */
  bool exact;                 /* the exact solution is known from this start */
  bool wanted;                /* a run measures errors */
  bool has_cells;             /* references are planned */
};

struct shk_plan_memory {
  int layout_count, group_count;
  struct layout *layouts;
  struct group *groups;
  struct shk_index strings;
};

static void free_memory(struct shk_plan_memory *memory)
{
  for (int i = 0; i < memory->layout_count; i++)
    shk_schedule_clear(&memory->layouts[i].schedule);
  free(memory->layouts);
  for (int i = 0; i < memory->group_count; i++)
    free(memory->groups[i].members);
  free(memory->groups);
  shk_index_clear(&memory->strings);
  free(memory);
}

/* Returns one copy of a text for all cells; NULL for NULL. */
static char *shared(struct shk_plan_memory *memory, const char *text)
{
  if (!text)
    return NULL;
  const int number = shk_index_text(&memory->strings, text); /* this call may move the list */
  return memory->strings.texts[number];
}

/* Copies the members of a start, with texts that belong to the plan; NULL if there are none. */
static struct shk_member *copied_members(struct shk_plan_memory *memory,
                                         const struct shk_start *start)
{
  if (start->member_count == 0)
    return NULL;
  struct shk_member *const members = shk_allocate((size_t)start->member_count, sizeof *members);
  for (int i = 0; i < start->member_count; i++)
    members[i] = (struct shk_member){.problem = shared(memory, start->members[i].problem),
                                     .q = shared(memory, start->members[i].q),
                                     .p = shared(memory, start->members[i].p)};
  return members;
}

struct planner {
  const struct shk_study *study;
  struct shk_plan *plan;
  struct shk_plan_memory *memory;
  struct shk_index groups, cells;
  struct shk_numbers default_tolerances, reference_tolerances;
  struct shk_message *error;
};

/* ---- first pass: horizons, steps, times, groups ---- */

static bool needs_step(const struct shk_integrator_info *info)
{
  return !info->adaptive && !info->exact;
}

/* True if some pair with this problem has fixed steps. */
static bool has_fixed_steps(const struct shk_context *context, const struct shk_study_run *run,
                            const char *problem)
{
  for (int i = 0; i < run->integrator_count; i++) {
    const struct shk_integrator_info *const info =
        shk_find_integrator(context, run->integrators[i]);
    if (info && needs_step(info) && !shk_run_excludes(run, problem, run->integrators[i]))
      return true;
  }
  return false;
}

static bool wants_errors(const struct shk_study_run *run)
{
  return shk_run_measures(run, SHK_MEASURE_ERROR) || shk_run_measures(run, SHK_MEASURE_ORDER) ||
         shk_run_measures(run, SHK_MEASURE_MULTIPLIER) ||
         shk_run_measures(run, SHK_MEASURE_WORK_PRECISION) ||
         shk_run_measures(run, SHK_MEASURE_PUBLISHED) || run->singular.asked;
}

/* Members that the problems of a group share. */
struct common {
  const struct shk_start *start;
  const struct shk_numbers *times;
};

static void print_line(FILE *out, const char *text)
{
  fprintf(out, "\n%s", text ? text : "");
}

static void print_common(FILE *out, const void *thing)
{
  const struct common *const its = thing;
  const struct shk_start *const start = its->start;
  fprintf(out, "%d", start->project);
  print_line(out, start->problem);
  print_line(out, start->q);
  print_line(out, start->p);
  for (int i = 0; i < its->times->count; i++)
    print_line(out, its->times->texts[i]);
  for (int i = 0; i < start->member_count; i++) {
    print_line(out, start->members[i].problem);
    print_line(out, start->members[i].q);
    print_line(out, start->members[i].p);
  }
}

/* True if some start is not the problem's own: exact solutions are known only from that one. */
static bool is_explicit(const struct shk_start *start)
{
  bool is = start->q != NULL;
  for (int i = 0; i < start->member_count; i++)
    is = is || start->members[i].q || start->members[i].p;
  return is;
}

static bool lay_out_problem(struct planner *planner, int run_index, const struct shk_start *start)
{
  const struct shk_study_run *const run = &planner->study->runs[run_index];
  struct shk_plan_memory *const memory = planner->memory;
  struct shk_inspection inspection;
  struct shk_message reason = {.text = ""};
  struct layout layout;
  if (!shk_inspect(planner->plan->context, &inspection, "double", start->problem, &reason)) {
    shk_message_set(planner->error, "%s:%d: %s: %s", planner->study->path, run->line,
                    start->problem, reason.text);
    return false;
  }
  if (!shk_schedule_make(&layout.schedule, planner->study->path, run,
                         has_fixed_steps(planner->plan->context, run, start->problem), &inspection,
                         start->problem, start->member_count > 0, planner->error))
    return false;
  const struct common common = {start, &layout.schedule.times};
  char *const text = shk_printed_text(print_common, &common);
  layout.group = shk_index_text(&planner->groups, text);
  free(text);
  if (layout.group == memory->group_count)
    *SHK_APPEND(memory->groups, memory->group_count) =
        (struct group){.start = start,
                       .layout = memory->layout_count,
                       .exact = inspection.exact && !is_explicit(start),
                       .members = copied_members(memory, start)};
  *SHK_APPEND(memory->layouts, memory->layout_count) = layout;
  struct group *const its = &memory->groups[layout.group];
  if (!its->wanted && wants_errors(run)) {
    its->wanted = true;
    its->run = run_index;
  }
  return true;
}

/* ---- second pass: cells ---- */

struct request {
  int run, group;
  enum shk_role role;
  const char *kind; /* NULL: "run" */
  const char *integrator, *precision;
  const struct shk_numbers *steps, *tolerances; /* one of them, or both NULL */
  int index;                                    /* index of the step or tolerance */
  bool one_step; /* the step is its only time, instead of the group's times */
};

static const char *text_of(const struct shk_numbers *numbers, int index)
{
  return numbers ? numbers->texts[index] : NULL;
}

static double number_of(const struct shk_numbers *numbers, int index)
{
  return numbers ? numbers->values[index] : NAN;
}

static bool add_cell(struct planner *planner, const struct request *request)
{
  struct shk_plan *const plan = planner->plan;
  struct shk_plan_memory *const memory = planner->memory;
  const struct group *const group = &memory->groups[request->group];
  const struct shk_study_run *const run = &planner->study->runs[request->run];
  const char *const step = text_of(request->steps, request->index);
  const char *const tolerance = text_of(request->tolerances, request->index);
  const int known = planner->cells.count;
  if (shk_index_number(&planner->cells, "%d\n%s\n%s\n%s\n%s\n%s", request->group,
                       request->kind ? request->kind : "run", request->integrator,
                       request->precision, step ? step : "", tolerance ? tolerance : "") < known)
    return true;
  if (plan->count == SHK_MOST_CELLS) {
    shk_message_set(planner->error, "%s: the study has more than %d cells", planner->study->path,
                    SHK_MOST_CELLS);
    return false;
  }
  const struct shk_numbers *const times =
      request->one_step ? request->steps : &memory->layouts[group->layout].schedule.times;
  const int first = request->one_step ? request->index : 0;
  const int time_count = request->one_step ? 1 : times->count;
  const double seconds = run->seconds > 0 ? run->seconds : SHK_DEFAULT_SECONDS;
  const double megabytes = run->megabytes > 0 ? run->megabytes : SHK_DEFAULT_MEGABYTES;
  /* Limits for the methods under test must not stop their reference. */
  const bool reference = request->role != SHK_ROLE_MEASURED;
  *SHK_APPEND(plan->cells, plan->count) = (struct shk_planned){
      .cell = {.kind = shared(memory, request->kind ? request->kind : "run"),
               .problem = shared(memory, group->start->problem),
               .integrator = shared(memory, request->integrator),
               .precision = shared(memory, request->precision),
               .step = shared(memory, step),
               .tolerance = shared(memory, tolerance),
               .until = shared(memory, times->texts[first + time_count - 1]),
               .time_count = time_count,
               .times = times->texts + first,
               .numbers = {.step = number_of(request->steps, request->index),
                           .tolerance = number_of(request->tolerances, request->index),
                           .until = times->values[first + time_count - 1],
                           .times = times->values + first},
               .q = shared(memory, group->start->q),
               .p = shared(memory, group->start->p),
               .project = group->start->project,
               .member_count = group->start->member_count,
               .members = group->members},
      .run = request->run,
      .role = request->role,
      .group = request->group,
      .seconds = reference ? fmax(seconds, SHK_DEFAULT_SECONDS) : seconds,
      .megabytes = reference ? fmax(megabytes, SHK_DEFAULT_MEGABYTES) : megabytes};
  return true;
}

static bool add_references(struct planner *planner, int index)
{
  struct group *const group = &planner->memory->groups[index];
  if (!group->wanted || group->has_cells)
    return true;
  group->has_cells = true;
  struct request request = {.run = group->run,
                            .group = index,
                            .role = SHK_ROLE_REFERENCE,
                            .integrator = "exact",
                            .precision = shk_finest_engine()->precision};
  if (group->exact)
    return add_cell(planner, &request);
  struct shk_message reason;
  if (!shk_engine_named("quad", &reason)) {
    shk_message_set(planner->error,
                    "%s: the exact solution of %s from its start is not known, and a reference is "
                    "computed in quad precision: %s",
                    planner->study->path, group->start->problem, reason.text);
    return false;
  }
  request.integrator = "reference";
  request.tolerances = &planner->reference_tolerances;
  request.role = SHK_ROLE_REFERENCE_CHECK;
  if (!add_cell(planner, &request))
    return false;
  request.role = SHK_ROLE_REFERENCE;
  request.index = 1;
  return add_cell(planner, &request);
}

/* Adds the cells of one type for one problem, integrator and precision: one for each step or
 * tolerance, or, if `first`, for the first tolerance only. */
static bool add_series(struct planner *planner, struct request request,
                       const struct shk_integrator_info *info, const struct shk_schedule *schedule,
                       bool first)
{
  const struct shk_study_run *const run = &planner->study->runs[request.run];
  if (info->exact)
    return add_cell(planner, &request);
  if (info->adaptive)
    request.tolerances =
        run->tolerances.count > 0 ? &run->tolerances : &planner->default_tolerances;
  else if (schedule)
    request.steps = &schedule->steps;
  const struct shk_numbers *const numbers = info->adaptive ? request.tolerances : request.steps;
  const int count = !numbers || (first && info->adaptive) ? 1 : numbers->count;
  for (; request.index < count; request.index++)
    if (!add_cell(planner, &request))
      return false;
  return true;
}

/* Adds the cells of measures that have a type of their own: of structure, one for each step, which
 * ends with it (with a tolerance one cell has the reason); of contract checks, one, which chooses
 * its own steps. */
static bool add_measures(struct planner *planner, struct request request,
                         const struct shk_integrator_info *info,
                         const struct shk_schedule *schedule, enum shk_measured_in in)
{
  const struct shk_study_run *const run = &planner->study->runs[request.run];
  const bool by_step = in == SHK_IN_STEPS;
  request.one_step = by_step && !info->adaptive;
  for (int k = 0; k < SHK_MEASURES && !info->exact; k++) {
    request.kind = shk_measures[k].name;
    if (shk_measures[k].in != in || !shk_run_measures(run, (enum shk_measure_id)k) ||
        (by_step && shk_find_structure(request.kind)->partner && !info->partner))
      continue;
    if (!add_series(planner, request, info, by_step ? schedule : NULL, true))
      return false;
  }
  return true;
}

/* True if runs are needed, not only cells of structure, contract checks or regularity. */
static bool wants_runs(const struct shk_study_run *run)
{
  for (int i = 0; i < run->measure_count; i++) {
    const enum shk_measured_in in = shk_measures[shk_measure_named(run->measures[i])].in;
    if (in != SHK_IN_STEPS && in != SHK_IN_PATHS && in != SHK_IN_CONTRACT)
      return true;
  }
  return false;
}

static bool add_problem(struct planner *planner, int run_index, const struct shk_start *start,
                        int layout)
{
  const struct shk_study_run *const run = &planner->study->runs[run_index];
  const int group = planner->memory->layouts[layout].group;
  for (int i = 0; i < run->integrator_count; i++) {
    const char *const integrator = run->integrators[i];
    const struct shk_integrator_info *const info =
        shk_find_integrator(planner->plan->context, integrator);
    if (!info) {
      shk_message_set(planner->error, "%s:%d: integrator %s is no longer known",
                      planner->study->path, run->line, integrator);
      return false;
    }
    if (shk_run_excludes(run, start->problem, integrator)) {
      planner->plan->excluded++;
      continue;
    }
    if (run->supported_only &&
        !shk_pair_applies(planner->plan->context, start->problem, integrator))
      continue;
    if (!add_references(planner, group))
      return false;
    for (int k = 0; k < run->precision_count; k++) {
      const char *const precision = run->precisions[k];
      if (info->double_only && strcmp(precision, "double") != 0) {
        planner->plan->left_out++;
        continue;
      }
      const struct request request = {.run = run_index,
                                      .group = group,
                                      .role = SHK_ROLE_MEASURED,
                                      .integrator = integrator,
                                      .precision = precision};
      const struct shk_schedule *const schedule = &planner->memory->layouts[layout].schedule;
      struct request regularity = request;
      regularity.kind = "regularity";
      if ((wants_runs(run) && !add_series(planner, request, info, schedule, false)) ||
          (shk_run_measures(run, SHK_MEASURE_REGULARITY) && !info->exact &&
           !add_series(planner, regularity, info, schedule, false)) ||
          !add_measures(planner, request, info, schedule, SHK_IN_STEPS) ||
          !add_measures(planner, request, info, schedule, SHK_IN_CONTRACT))
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
  planner->plan->group_count = planner->memory->group_count;
  return true;
}

/* Files that problems name are found from the study's folder (foundation/files/folder.h).
 *
 * Structure measures (defects.h) have cells of their own type: one for each step, which ends with
 * that step. Regularity (regularity.c) has cells of its own too, as long as the runs. If nothing
 * else is measured there are no runs.
 *
 * References (only if errors are measured): the exact solution, if there is one and the start is
 * the problem's own, otherwise the reference integrator at two tolerances, the check first. If it
 * does not apply, because constraints depend on momenta, a composition of RATTLE of order 10 at two
 * steps. */
struct shk_plan *shk_plan_make(const struct shk_study *study, struct shk_message *error)
{
  struct shk_plan *const plan = shk_allocate(1, sizeof *plan);
  plan->context = &study->context;
  plan->memory = shk_allocate(1, sizeof *plan->memory);
  struct planner planner = {.study = study, .plan = plan, .memory = plan->memory, .error = error};
  const size_t defaults = sizeof default_tolerances / sizeof default_tolerances[0];
  for (size_t i = 0; i < defaults; i++)
    shk_numbers_add(&planner.default_tolerances, default_tolerances[i]);
  shk_numbers_add(&planner.reference_tolerances, shk_reference_check_tolerance);
  shk_numbers_add(&planner.reference_tolerances, shk_reference_tolerance);
  const bool ok = plan_study(&planner);
  shk_numbers_clear(&planner.default_tolerances);
  shk_numbers_clear(&planner.reference_tolerances);
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
  free_memory(plan->memory);
  free(plan->cells);
  free(plan);
}

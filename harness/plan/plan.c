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

struct group {
  const struct shk_start *start;
  const struct shk_schedule *schedule;
  struct shk_member *members; /* of the start; the plan's strings own the texts */
  int run;                    /* first run that measures its errors */
  bool exact;                 /* the exact solution is known from this start */
  bool wanted;                /* a run measures errors */
  bool has_cells;             /* references are planned */
};

struct shk_plan_memory {
  int schedule_count, group_count;
  struct shk_schedule **schedules; /* one for each problem of each run */
  int *groups;                     /* the group of each */
  struct group *group_list;
  struct shk_index strings;
};

static void free_memory(struct shk_plan_memory *memory)
{
  for (int i = 0; i < memory->schedule_count; i++) {
    shk_schedule_clear(memory->schedules[i]);
    free(memory->schedules[i]);
  }
  free(memory->schedules);
  free(memory->groups);
  for (int i = 0; i < memory->group_count; i++)
    free(memory->group_list[i].members);
  free(memory->group_list);
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

enum { MEMBER_TEXTS = 3 };

static const char *member_text(const struct shk_start *start, int member, int which)
{
  const struct shk_member *const its = &start->members[member];
  const char *const texts[MEMBER_TEXTS] = {its->problem, its->q, its->p};
  return texts[which] ? texts[which] : "";
}

static void add_line(char *text, size_t *length, const char *line)
{
  const size_t more = strlen(line);
  text[(*length)++] = '\n';
  memcpy(text + *length, line, more + 1);
  *length += more;
}

static char *group_text(const struct shk_start *start, const struct shk_numbers *times)
{
  char *text =
      shk_print_text("%s\n%s\n%s\n%d\n%s", start->problem, start->q ? start->q : "",
                     start->p ? start->p : "", start->project, times->texts[times->count - 1]);
  size_t length = strlen(text);
  size_t room = length + 1;
  for (int i = 0; i < times->count; i++)
    room += strlen(times->texts[i]) + 1;
  for (int i = 0; i < start->member_count; i++)
    for (int k = 0; k < MEMBER_TEXTS; k++)
      room += strlen(member_text(start, i, k)) + 1;
  text = shk_reallocate(text, room, 1);
  for (int i = 0; i < times->count; i++)
    add_line(text, &length, times->texts[i]);
  for (int i = 0; i < start->member_count; i++)
    for (int k = 0; k < MEMBER_TEXTS; k++)
      add_line(text, &length, member_text(start, i, k));
  return text;
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
  if (!shk_inspect(planner->plan->context, &inspection, "double", start->problem, &reason)) {
    shk_message_set(planner->error, "%s:%d: %s: %s", planner->study->path, run->line,
                    start->problem, reason.text);
    return false;
  }
  struct shk_schedule schedule;
  if (!shk_schedule_make(&schedule, planner->study->path, run,
                         has_fixed_steps(planner->plan->context, run, start->problem), &inspection,
                         start->problem, start->member_count > 0, planner->error))
    return false;
  struct shk_schedule *const kept = shk_allocate(1, sizeof *kept);
  *kept = schedule;
  const size_t index = (size_t)memory->schedule_count;
  memory->schedules = shk_grow(memory->schedules, index, sizeof kept);
  memory->groups = shk_grow(memory->groups, index, sizeof *memory->groups);
  memory->schedules[memory->schedule_count] = kept;
  char *const text = group_text(start, &kept->times);
  const int group = shk_index_text(&planner->groups, text);
  free(text);
  memory->groups[memory->schedule_count++] = group;
  if (group == memory->group_count) {
    memory->group_list =
        shk_grow(memory->group_list, (size_t)memory->group_count, sizeof *memory->group_list);
    const bool exact = inspection.exact && !is_explicit(start);
    memory->group_list[memory->group_count++] = (struct group){
        .start = start, .schedule = kept, .exact = exact, .members = copied_members(memory, start)};
  }
  struct group *const its = &memory->group_list[group];
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
  const struct group *const group = &memory->group_list[request->group];
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
      request->one_step ? request->steps : &group->schedule->times;
  const int first = request->one_step ? request->index : 0;
  const int time_count = request->one_step ? 1 : times->count;
  double seconds = run->seconds > 0 ? run->seconds : SHK_DEFAULT_SECONDS;
  double megabytes = run->megabytes > 0 ? run->megabytes : SHK_DEFAULT_MEGABYTES;
  if (request->role != SHK_ROLE_MEASURED) {
    /* Limits for the methods under test must not stop their reference. */
    seconds = seconds > SHK_DEFAULT_SECONDS ? seconds : SHK_DEFAULT_SECONDS;
    megabytes = megabytes > SHK_DEFAULT_MEGABYTES ? megabytes : SHK_DEFAULT_MEGABYTES;
  }
  plan->cells = shk_grow(plan->cells, (size_t)plan->count, sizeof *plan->cells);
  plan->cells[plan->count++] = (struct shk_planned){
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
      .seconds = seconds,
      .megabytes = megabytes};
  return true;
}

static bool add_references(struct planner *planner, int index)
{
  struct group *const group = &planner->memory->group_list[index];
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

static const struct shk_numbers *tolerances_of(const struct planner *planner,
                                               const struct request *request)
{
  const struct shk_study_run *const run = &planner->study->runs[request->run];
  return run->tolerances.count > 0 ? &run->tolerances : &planner->default_tolerances;
}

/* Adds the cells of one problem, integrator and precision: one for each step or tolerance. */
static bool add_series(struct planner *planner, struct request request,
                       const struct shk_integrator_info *info, const struct shk_schedule *schedule)
{
  if (info->exact)
    return add_cell(planner, &request);
  if (info->adaptive)
    request.tolerances = tolerances_of(planner, &request);
  else
    request.steps = &schedule->steps;
  const int count = (info->adaptive ? request.tolerances : request.steps)->count;
  for (; request.index < count; request.index++)
    if (!add_cell(planner, &request))
      return false;
  return true;
}

/* Adds cells that measure structure: one for each type and step. Without a
 * step, one cell has the reason. */
static bool add_structure(struct planner *planner, struct request request,
                          const struct shk_integrator_info *info,
                          const struct shk_schedule *schedule)
{
  const struct shk_study_run *const run = &planner->study->runs[request.run];
  for (int k = 0; k < SHK_MEASURES; k++) {
    request.kind = shk_measures[k].name;
    if (shk_measures[k].in != SHK_IN_STEPS || !shk_run_measures(run, (enum shk_measure_id)k) ||
        info->exact || (shk_find_structure(request.kind)->partner && !info->partner))
      continue;
    if (info->adaptive)
      request.tolerances = tolerances_of(planner, &request);
    else
      request.steps = &schedule->steps;
    request.one_step = !info->adaptive;
    const int count = info->adaptive ? 1 : schedule->steps.count;
    for (request.index = 0; request.index < count; request.index++)
      if (!add_cell(planner, &request))
        return false;
  }
  return true;
}

/* Adds cells of contract checks: one for each type, which chooses its own steps. */
static bool add_contract(struct planner *planner, struct request request,
                         const struct shk_integrator_info *info)
{
  const struct shk_study_run *const run = &planner->study->runs[request.run];
  if (info->adaptive)
    request.tolerances = tolerances_of(planner, &request);
  for (int k = 0; k < SHK_MEASURES; k++) {
    request.kind = shk_measures[k].name;
    if (shk_measures[k].in == SHK_IN_CONTRACT && shk_run_measures(run, (enum shk_measure_id)k) &&
        !info->exact && !add_cell(planner, &request))
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
  const int group = planner->memory->groups[layout];
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
      const struct shk_schedule *const schedule = planner->memory->schedules[layout];
      struct request regularity = request;
      regularity.kind = "regularity";
      if ((wants_runs(run) && !add_series(planner, request, info, schedule)) ||
          (shk_run_measures(run, SHK_MEASURE_REGULARITY) && !info->exact &&
           !add_series(planner, regularity, info, schedule)) ||
          !add_structure(planner, request, info, schedule) || !add_contract(planner, request, info))
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

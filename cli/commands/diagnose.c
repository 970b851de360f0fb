/*
 * shakedown diagnose: checks a problem's properties. It checks dimensions, the consistency of the
 * start, every derivative against finite differences, the rank and redundancy of the constraints,
 * and the differentiation index. It also lists the integrators that apply. All checks run in one
 * separate process, and each integrator's trial step runs in another, so a crash in a plug-in is
 * reported like any other result.
 */
#include "cli/shared/options.h"
#include "cli/shared/output/properties.h"
#include "cli/shared/times.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/run/progress.h"
#include "harness/run/worker.h"
#include "results/record/cell_text.h"
#include "results/record/record_bytes.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Time limits for the checks and for a trial step. The first step takes a fraction of a second to
 * compute, unless step-size control keeps shrinking it because the initial state is bad. */
enum { QUESTION_SECONDS = 600, TRIAL_SECONDS = 20 };

struct diagnose {
  struct shk_arguments arguments;
  const char *precision;
  long trial_seconds;
  /* the problem in canonical form, with the explicit start if there is one */
  struct shk_cell start;
  struct shk_worker worker;
  struct shk_progress progress; /* progress of the checks and trial steps, shown on a terminal */
};

static void show_progress(void *user)
{
  shk_progress_draw(user, 1);
}

static struct shk_workers workers_of(struct diagnose *d)
{
  struct shk_workers setup = shk_workers_asked(&d->arguments);
  setup.waits = show_progress;
  setup.user = &d->progress;
  return setup;
}

static void begin_progress(struct diagnose *d)
{
  shk_progress_begin(&d->progress, false);
  d->progress.shown = d->progress.terminal;
  d->progress.what = "checks and trial steps";
  d->progress.delay = 2;
  d->progress.total = 1;
  while (shk_integrator_at(&d->arguments.context, d->progress.total - 1))
    d->progress.total++;
}

/* ---- properties ---- */

/* Adds the spectral radius of 1 - S K S, where S = diag(K)^(-1/2). The eigenvalues of this matrix
 * are 1 - sigma², where sigma are the singular values of M^(-1/2)Gᵀ with rows of length 1. The
 * spectral radius measures how strongly the constraints are coupled. Series for the inverse
 * converge if it is less than one. */
static void add_coupling(struct shk_properties *t, const struct shk_diagnosis *d)
{
  const double over = d->sigma_max * d->sigma_max - 1, under = 1 - d->sigma_min * d->sigma_min;
  const double radius = over > under ? over : under;
  shk_property(t, "coupling of rods",
               radius < 1 - 1e-9 ? "spectral radius %.3g: the series of LINCS converges"
                                 : "spectral radius %.3g: the series of LINCS diverges",
               radius);
}

/* Adds the constraint violations at the start. Returns false if the exact solution does not begin
 * at this start. */
static bool add_start(struct shk_properties *t, const struct shk_diagnosis *d, double epsilon)
{
  t->section = "start";
  shk_property(t, "max |g|", "%.3g", d->constraint);
  const bool momenta = (d->inspection.features & SHK_MOMENTUM_CONSTRAINT) != 0;
  const bool dae = (d->inspection.features & SHK_GENERAL_DAE) != 0;
  shk_property(t,
               momenta ? "max |{g,H}|"
               : dae   ? "max |g_q q'|"
                       : "max |G H_p|",
               "%.3g", d->hidden);
  if (momenta) {
    shk_property(t, "nondegeneracy", "smallest |eigenvalue| of {{H,g},g}: %.6g", d->nondegeneracy);
    shk_property(t, "coisotropy", "max |{g_i,g_j}|: %.3g", d->coisotropy);
  }
  if (isnan(d->exact_error))
    return true;
  /* This bound is far above the errors in computing elliptic functions, but far below the effect of
   * a mistake. */
  const bool agrees = d->exact_error <= pow(epsilon, 0.75);
  shk_property(t, "exact solution", "%s: differs by %.3g", agrees ? "agrees" : "DISAGREES",
               d->exact_error);
  return agrees;
}

static void add_values(struct shk_properties *t, const struct shk_diagnosis *d)
{
  shk_property(t, "singular values",
               d->inspection.features & SHK_MOMENTUM_CONSTRAINT
                   ? "%.6g … %.6g of (g_q g_p) with rows of length 1"
               : d->inspection.features & SHK_GENERAL_DAE
                   ? "%.6g … %.6g of the matrix that determines lambda, rows of length 1"
                   : "%.6g … %.6g of M^(-1/2)Gᵀ with rows of length 1",
               d->sigma_max, d->sigma_min);
  char *text = NULL;
  for (int i = 0; i < d->value_count; i++)
    shk_append_text(&text, "%s%.3g", i > 0 ? ", " : "", d->values[i]);
  if (d->value_count > 2)
    shk_property(t, "all of them", "%s%s", text, d->inspection.m > d->value_count ? ", …" : "");
  free(text);
  if (d->has_rods)
    add_coupling(t, d);
}

/* Adds the linear dependences between rows of G, in the form "= 1 row 2 - 0.5 row 3". */
static void add_relations(struct shk_properties *t, const struct shk_diagnosis *d)
{
  const int listed =
      d->relation_count < SHK_DIAGNOSIS_ROWS ? d->relation_count : SHK_DIAGNOSIS_ROWS;
  for (int i = 0; i < listed; i++) {
    char name[32];
    snprintf(name, sizeof name, "row %d of G", d->relations[i].row);
    shk_property(t, name, "= %s", d->relations[i].text);
  }
  if (d->relation_count > listed)
    shk_property(t, "and", "%d more dependent rows", d->relation_count - listed);
}

/* Threshold as a fraction of the largest singular value (or of 1). If the smallest singular value
 * is below this threshold, the cause may be that the problem's numbers were rounded to the 16
 * digits of double, for example in system files. */
static const double rounding_of_numbers = 1e-13;

/* Adds the rank. Returns false if the start is singular, that is, if the rank is lower there than
 * nearby, or is full only because of rounding errors. */
static bool add_rank(struct shk_properties *t, const struct shk_diagnosis *d)
{
  t->section = "constraints";
  const int m = d->inspection.m;
  const bool by_rounding =
      d->rank == m && d->sigma_min < rounding_of_numbers * fmax(1, d->sigma_max);
  const char *what = "redundant, here and nearby; the multipliers are not unique";
  if (m == 0) {
    shk_property(t, "rank", "there are none");
    return true;
  }
  if (d->rank < 0) {
    shk_property(t, "rank", "not computed: too many constraints");
    return true;
  }
  if (by_rounding)
    what = "singular, apart from the rounding of its numbers to 16 digits";
  else if (d->rank == m)
    what = "regular";
  else if (d->vanishing > 0)
    what = "degenerate: a gradient vanishes wherever its constraint holds, as it does for a "
           "squared condition (y² = 0) or a rod of length zero";
  else if (d->rank_near < 0)
    what = "redundant or singular; the multipliers are not unique";
  else if (d->is_degenerate)
    what =
        "degenerate: every solution nearby is singular, and other points nearby are not solutions";
  else if (d->rank_near > d->rank)
    what = "singular here, but not at a nearby point";
  shk_property(t, "rank", "%d of %d: %s", d->rank, m, what);
  if (d->vanishing > 0)
    shk_property(t, "its row", "%d of G", d->vanishing);
  if (d->rank < m && d->rank_near >= 0 && !d->is_degenerate)
    shk_property(t, "rank near", "%d of %d", d->rank_near, m);
  add_values(t, d);
  add_relations(t, d);
  return d->rank_near <= d->rank && !by_rounding && !d->is_degenerate;
}

/* Adds the conditions that result from each differentiation, followed by the index. */
static void add_index(struct shk_properties *t, const struct shk_diagnosis *d)
{
  const struct shk_chain *const chain = &d->chain;
  t->section = "index";
  static const char *const names[] = {"g", "dg/dt", "d²g/dt²", "d³g/dt³", "d⁴g/dt⁴", "d⁵g/dt⁵"};
  if (d->inspection.m == 0)
    return;
  if (chain->index > 0)
    shk_property(t, "differentiation index", "%d%s", chain->index,
                 d->rank >= 0 && d->rank < d->inspection.m
                     ? ", of the motion; multipliers of dependent rows are not unique"
                     : "");
  else if (chain->index == 0)
    shk_property(t, "differentiation index",
                 "none: in %d direction%s of motion the multiplier is never determined, so there "
                 "are infinitely many solutions",
                 chain->undetermined, chain->undetermined == 1 ? "" : "s");
  else
    shk_property(t, "differentiation index", "not found: %s", d->chain_reason);
  for (int k = 0; k <= SHK_CHAIN_LEVELS && chain->index >= 0; k++)
    if (chain->conditions[k] > 0)
      shk_property(t, names[k], "%d new condition%s on %s", chain->conditions[k],
                   chain->conditions[k] == 1 ? "" : "s", chain->coordinates[k]);
  /* This bound is far above the errors of Newton's method. */
  if (chain->index >= 0 && chain->moved > 1e-12)
    shk_property(t, "consistent with all of them",
                 "a point whose distance from the start is %.3g times the size of the motion",
                 chain->moved);
}

/* Adds the components of a joint's wrench along the spatial axes or along the joint's own axes. */
static void add_wrench(char **text, const struct shk_joint_diagnosis *joint, bool own)
{
  for (int c = 0; c < 6; c++) {
    shk_append_text(text, "%s", c == 0 ? "force (" : c == 3 ? "), torque (" : ", ");
    if (joint->indeterminate[own][c])
      shk_append_text(text, "indeterminate");
    else
      shk_append_text(text, "%.6g", joint->wrench[own][c]);
  }
  shk_append_text(text, ")");
}

/* Adds the joints' columns under the same names as in `simulate`. For human readers, only the
 * coordinates are added, because a separate line per joint contains the wrench. */
static void add_columns(struct shk_properties *t, const struct shk_diagnosis *d, bool people)
{
  for (int i = 0; i < d->column_count; i++) {
    const struct shk_joint_value *const one = &d->columns[i];
    if (isnan(one->value) && !people)
      shk_property(t, one->name, "indeterminate");
    else if (!people || !one->of_wrench)
      shk_property(t, one->name, people ? "%.6g" : "%.17g", one->value);
  }
}

/* Adds the mobility and, for each joint, the implied rows, the wrench and the coordinates. */
static void add_joints(struct shk_properties *t, const struct shk_diagnosis *d, bool people)
{
  const int moves = d->inspection.n - d->body_rows, rows = d->inspection.m - d->body_rows;
  t->section = "joints";
  if (d->joint_count == 0)
    return;
  shk_property(t, "mobility",
               "%d by Grübler's count (%d for the bodies, %d joint rows), %d by rank", moves - rows,
               moves, rows, d->inspection.n - d->rank);
  shk_property(t, "wrenches",
               "the wrench on a joint's second body, with the torque about the joint's point on "
               "it: along the axes e1, e2, e3 of its frame on the first body (e3 is the joint "
               "axis), and then, if they differ, along the space axes");
  for (int i = 0; i < d->joint_listed; i++) {
    const struct shk_joint_diagnosis *const joint = &d->joints[i];
    char *text = shk_print_text("%s, rows %d to %d", joint->type, joint->first_row + 1,
                                joint->first_row + joint->rows);
    if (joint->implied > 0)
      shk_append_text(&text, "; %d of them implied by %s", joint->implied,
                      joint->by[0] ? joint->by : "its bodies");
    shk_append_text(&text, "; ");
    add_wrench(&text, joint, true);
    shk_property(t, joint->name, "%s", text);
    free(text);
    if (memcmp(joint->wrench[0], joint->wrench[1], sizeof joint->wrench[0]) == 0)
      /* this is the case in planar mechanisms, for example, whose joints use the spatial axes */
      continue;
    char *const name = shk_print_text("%s, in space", joint->name);
    text = NULL;
    add_wrench(&text, joint, false);
    shk_property(t, name, "%s", text);
    free(text);
    free(name);
  }
  if (d->joint_count > d->joint_listed)
    shk_property(t, "and", "%d more joints", d->joint_count - d->joint_listed);
  add_columns(t, d, people);
}

static void add_velocities(struct shk_properties *t, const struct shk_diagnosis *d)
{
  t->section = "velocity constraints";
  if (d->velocity_rows[0] != '\0')
    shk_property(t, "written as g(q,p)",
                 "row %s of g is A(q) v + a(q). If you mean the velocity constraint A v + a = 0, "
                 "as for a wheel or a blade, g(q,p) = 0 is a different system: declare A and a "
                 "instead, and Frobenius' test will classify the constraint",
                 d->velocity_rows);
  if (d->velocity_rank == 0)
    return;
  shk_property(t, "rank", "%d", d->velocity_rank);
  shk_property(t, "max |A v + a|", "%.3g", d->velocity_violation);
  shk_property(t, "Frobenius' test",
               d->integrable
                   ? "|dα(u,v)| = %.3g: integrable, equivalent to constraints on q"
                   : "|dα(u,v)| = %.3g: nonholonomic, not equivalent to any constraint on q",
               d->twist);
}

static bool add_checks(struct shk_properties *t, const struct shk_diagnosis *d)
{
  t->section = "derivatives";
  bool all = true;
  for (int i = 0; i < d->check_count; i++) {
    const struct shk_derivative_check *check = &d->checks[i];
    shk_property(t, check->name,
                 check->holds ? "correct: agrees with finite differences to %.2g (resolution %.2g)"
                              : "WRONG: differs from finite differences by %.2g (resolution %.2g)",
                 check->error, check->floor);
    all = all && check->holds;
  }
  if (d->rods[0] != '\0')
    shk_property(t, "declared rods", "WRONG: %s", d->rods);
  return all && d->rods[0] == '\0';
}

/* Runs a cell in its own process. If this produces no record, returns false and sets the reason. */
static bool run_cell(struct diagnose *d, const struct shk_cell *cell,
                     const struct shk_known_start *known, struct shk_outcome *outcome,
                     struct shk_message *error)
{
  char *const text = shk_cell_text(cell);
  const struct shk_workers setup = workers_of(d);
  struct shk_request request = {.cell = text,
                                .step_count = cell->time_count,
                                .step_counts = cell->step_counts,
                                .known = known,
                                .trial = true,
                                .folder = d->arguments.context.access.folder,
                                .seconds = (double)d->trial_seconds};
  struct shk_record record = {0};
  struct shk_worker_result result = {0};
  bool ok = shk_worker_ask(&d->worker, &setup, &request, NULL, NULL, &result, error);
  ok = ok && shk_worker_finished(&result, error) &&
       shk_record_read(&record, result.answer, result.size, error);
  *outcome = record.outcome;
  free(record.output);
  shk_worker_result_clear(&result);
  free(text);
  return ok;
}

/* Adds the outcome of a single step of the given length, which an integrator takes from the
 * start. */
static void add_trial(struct shk_properties *t, struct diagnose *d,
                      const struct shk_integrator_info *info, const char *step,
                      const struct shk_known_start *known)
{
  struct shk_message error = {""};
  const char *const precision = info->double_only ? "double" : d->precision;
  char *const integrator = shk_canonical_integrator(&d->arguments.context, info->name, &error);
  struct shk_cell cell = d->start;
  cell.kind = (char *)"run";
  cell.integrator = integrator;
  cell.precision = (char *)precision;
  cell.step = cell.until = (char *)step;
  cell.times = &cell.until;
  cell.time_count = 1;
  cell.step_counts = (long long[]){1};
  cell.tolerance = info->adaptive ? (char *)"1e-6" : NULL;
  if (!integrator) {
    shk_property(t, info->name, "needs options: %s", error.text);
    return;
  }
  struct shk_outcome outcome = {0};
  const bool answered =
      run_cell(d, &cell, strcmp(precision, d->precision) == 0 ? known : NULL, &outcome, &error);
  const char *const reason = outcome.reason, *const solver = shk_solver_name(outcome.solver);
  if (!answered)
    shk_property(t, info->name, "no answer: %s", error.text);
  else if (outcome.code == SHK_OK && solver)
    shk_property(t, info->name, "applies, with solver=%s", solver);
  else if (outcome.code == SHK_OK)
    shk_property(t, info->name, "applies");
  else if (outcome.code == SHK_REFUSED)
    shk_property(t, info->name, "refuses: %s", reason);
  else
    shk_property(t, info->name, "fails in its first step, of length %s: %s (%s)", step, reason,
                 shk_code_name(outcome.code));
  shk_outcome_clear(&outcome);
  free(integrator);
}

static void add_integrators(struct shk_properties *t, struct diagnose *d,
                            const struct shk_diagnosis *found)
{
  t->section = "integrators";
  if (found->ill_posed[0] != '\0') {
    shk_property(t, "all",
                 "refuse this start before their first step because it is not well posed");
    return;
  }
  char step[32];
  snprintf(step, sizeof step, "%.1g", found->inspection.time_scale / 1000);
  const struct shk_integrator_info *info;
  for (int i = 0; (info = shk_integrator_at(&d->arguments.context, i)) != NULL; i++) {
    add_trial(t, d, info, step, &found->start);
    shk_progress_step(&d->progress, 1, false);
  }
}

static int run_diagnose(void *self)
{
  struct diagnose *const d = self;
  struct shk_message error = {""}, reason = {""};
  d->precision = d->precision ? d->precision : shk_finest_engine()->precision;
  d->trial_seconds = d->trial_seconds > 0 ? d->trial_seconds : TRIAL_SECONDS;
  const struct shk_engine *engine = shk_engine_named(d->precision, &reason);
  if (!engine)
    return shk_bad_input("--precision: %s", reason.text);
  d->start.problem = shk_canonical_problem(&d->arguments.context, d->arguments.words[0], &error);
  if (!d->start.problem || !shk_fill_start(&d->start, &d->arguments, &error))
    return shk_bad_input("%s", error.text);
  const struct shk_workers setup = workers_of(d);
  const struct shk_request request = {.query = {.kind = SHK_ASK_DIAGNOSIS,
                                                .text = d->start.problem,
                                                .precision = d->precision,
                                                .start = &d->start},
                                      .folder = d->arguments.context.access.folder,
                                      .seconds = QUESTION_SECONDS};
  struct shk_diagnosis diagnosis;
  begin_progress(d);
  const enum shk_query_status answered =
      shk_worker_query(&d->worker, &setup, &request, &diagnosis, &error);
  shk_progress_step(&d->progress, 1, false);
  if (answered != SHK_ANSWERED) {
    shk_progress_end(&d->progress);
    shk_complain("%s: %s", d->start.problem, error.text);
    if (answered == SHK_DIED)
      return SHK_EXIT_INCOMPLETE;
    /* Invalid parameters, or an invalid explicit start, count as bad input. If a problem's own
     * start violates its constraints, this is a finding. */
    return answered == SHK_NOT_LOADED || d->start.q || d->start.p ||
                   !shk_inspect(&d->arguments.context, &diagnosis.inspection, d->precision,
                                d->start.problem, &error)
               ? SHK_EXIT_BAD_INPUT
               : SHK_EXIT_SHORT;
  }
  struct shk_properties t = {.section = "problem"};
  const struct shk_diagnosis *const found = &diagnosis;
  shk_property_inspection(&t, &found->inspection);
  const bool starts = add_start(&t, found, engine->epsilon);
  const bool regular = add_rank(&t, found);
  add_index(&t, found);
  add_joints(&t, found, d->arguments.format == SHK_FORMAT_TABLE);
  add_velocities(&t, found);
  const bool posed = found->ill_posed[0] == '\0';
  t.section = "well posed";
  if (!posed)
    shk_property(&t, "at the start", "NO: %s", found->ill_posed);
  const bool checks = add_checks(&t, found);
  add_integrators(&t, d, found);
  shk_progress_end(&d->progress);
  shk_properties_print(&t, d->arguments.format);
  return starts && regular && checks && posed ? SHK_EXIT_HELD : SHK_EXIT_SHORT;
}

static void clear_diagnose(void *self)
{
  struct diagnose *const d = self;
  shk_worker_end(&d->worker);
  shk_cell_clear(&d->start);
}

#define AT(member) offsetof(struct diagnose, member)
static const struct shk_flag flags[] = {
    SHK_OPTION(TEXT, "precision", 0, AT(precision), "single|double|quad",
               "precision of the checks (default quad)"),
    SHK_OPTION(COUNT, "trial-seconds", 0, AT(trial_seconds), "S",
               "seconds for an integrator's trial step (default 20)"),
    {0}};

const struct shk_command shk_command_diagnose = {
    .name = "diagnose",
    .synopsis = "PROBLEM [--q Q1,… --p P1,… [--project]]",
    .summary = "Checks a problem and shows which integrators apply to it",
    .help = "Checks the start, compares every derivative with finite differences, determines the\n"
            "rank of the constraints, their dependencies and the differentiation index (in quad),\n"
            "applies Frobenius' test to velocity constraints, and takes a trial step with every\n"
            "integrator. The exit status is 1 if a declared property is wrong, or if the problem\n"
            "is singular or ill-posed at its start.",
    .formats = SHK_DATA,
    .line = {1, 1, SHK_TAKES_START, flags},
    .does = {sizeof(struct diagnose), run_diagnose, clear_diagnose}};

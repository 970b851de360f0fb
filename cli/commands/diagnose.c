/*
 * shakedown diagnose: checks the claims of a problem. It checks sizes, consistency of the
 * start, every derivative against differences, rank and redundancy of the constraints and the
 * differentiation index, and lists the integrators that apply. Each check runs in a process of its
 * own, so that a plug-in's crash is a result like another.
 */
#include "cli/shared/options.h"
#include "cli/shared/output/descriptor_texts.h"
#include "cli/shared/output/properties.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/processes/confinement.h"
#include "harness/run/sandbox.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Limits of time. A first step takes a fraction of a second, unless step control shortens it
 * without end near a bad start. */
enum { QUESTION_SECONDS = 600, TRIAL_SECONDS = 20 };

struct diagnose {
  const char *precision, *q, *p;
  bool project;
  long trial_seconds;
  struct shk_arguments arguments;
  char *problem; /* canonical */
};

/* ---- in the sandbox ---- */

struct answer {
  bool ok;
  bool bad_plugin;
  enum shk_code code; /* of a trial step */
  char reason[sizeof((struct shk_message *)0)->text];
  struct shk_diagnosis diagnosis;
};

struct question {
  const struct diagnose *d;
  const char *integrator; /* integrator of a trial step; NULL: the diagnosis */
  const char *precision, *step;
  const struct shk_start_ranks *ranks; /* ranks at the start in this precision; NULL: unknown */
};

static void ignore_row(void *user, int count, char *const *fields)
{
  (void)user;
  (void)count;
  (void)fields;
}

static void try_integrator(const struct shk_context *context, struct answer *answer,
                           const struct question *question, const struct shk_engine *engine)
{
  const struct diagnose *d = question->d;
  const struct shk_integrator_info *info =
      shk_find_integrator(&question->d->arguments.context, question->integrator);
  const struct shk_cell cell = {.kind = (char *)"run",
                                .problem = d->problem,
                                .integrator = (char *)question->integrator,
                                .precision = (char *)question->precision,
                                .step = (char *)question->step,
                                .until = (char *)question->step,
                                .tolerance = info->adaptive ? (char *)"1e-6" : NULL,
                                .q = (char *)d->q,
                                .p = (char *)d->p,
                                .project = d->project};
  struct shk_outcome outcome;
  engine->simulate(context, &outcome, &cell, 1, ignore_row, NULL);
  answer->code = outcome.code;
  answer->ok = true;
  snprintf(answer->reason, sizeof answer->reason, "%s", outcome.reason);
  shk_outcome_clear(&outcome);
}

static void respond(void *user, void *filled)
{
  const struct question *question = user;
  const struct diagnose *d = question->d;
  struct shk_context context = d->arguments.context; /* with the plug-ins loaded */
  context.ranks = question->ranks;
  struct shk_message error = {.text = ""};
  const struct shk_engine *engine = shk_engine_named(question->precision, &error);
  struct answer *const answer = filled;
  answer->ok =
      shk_confine(&context.access, d->arguments.plugins, d->arguments.plugin_count, &error);
  for (int i = 0; answer->ok && i < d->arguments.plugin_count; i++)
    answer->ok = engine->load_plugin(&context, d->arguments.plugins[i], &error);
  answer->bad_plugin = !answer->ok;
  if (answer->ok && question->integrator)
    try_integrator(&context, answer, question, engine);
  else if (answer->ok)
    answer->ok =
        engine->diagnose(&context, &answer->diagnosis, d->problem, d->q, d->p, d->project, &error);
  if (!answer->ok)
    snprintf(answer->reason, sizeof answer->reason, "%s", error.text);
}

/* ---- in the calling process ---- */

/* Runs a check in a sandbox. Returns false, with the reason in the answer, if the process crashed,
 * hung or exited. */
static bool ask(struct answer *answer, struct question *question)
{
  struct shk_message reason = {.text = ""};
  const double seconds =
      question->integrator ? (double)question->d->trial_seconds : QUESTION_SECONDS;
  *answer = (struct answer){0};
  fflush(stdout);
  const bool answered =
      shk_sandbox_ask(answer, sizeof *answer, respond, question, seconds, &reason);
  if (!answered)
    shk_text_fit(answer->reason, sizeof answer->reason, reason.text);
  return answered;
}

static void add_sizes(struct shk_properties *properties, const struct shk_diagnosis *d)
{
  const struct shk_inspection *is = &d->inspection;
  shk_properties_add(properties, "problem", "coordinates", "%d", is->n);
  shk_properties_add(properties, "problem", "constraints", "%d", is->m);
  bool plain = true;
  for (int i = 0; i < SHK_FEATURE_COUNT; i++)
    if (is->features & 1u << i) {
      shk_properties_add(properties, "problem", "has", "%s", shk_feature_titles[i]);
      plain = false;
    }
  if (plain)
    shk_properties_add(properties, "problem", "has", "H = 1/2 pᵀM⁻¹p + V(q), constraints g(q) = 0");
  for (int i = 0; shk_undecidable_texts[i]; i++)
    if (is->undecidable & 1u << i)
      shk_properties_add(properties, "problem", "cannot decide", "%s", shk_undecidable_texts[i]);
}

/* Adds the spectral radius of 1 - S K S, S = diag(K)^(-1/2). Its eigenvalues are one less the
 * squares of the singular values. The radius measures the coupling of the constraints; series for
 * the inverse converge if it is below one. */
static void add_coupling(struct shk_properties *properties, const struct shk_diagnosis *d)
{
  const double over = d->sigma_max * d->sigma_max - 1, under = 1 - d->sigma_min * d->sigma_min;
  const double radius = over > under ? over : under;
  shk_properties_add(properties, "constraints", "coupling of rods",
                     radius < 1 - 1e-9 ? "spectral radius %.3g: the series of LINCS converges"
                                       : "spectral radius %.3g: the series of LINCS diverges",
                     radius);
}

/* Returns false if a property of the start differs from the problem's claim. */
static bool add_start(struct shk_properties *properties, const struct shk_diagnosis *d,
                      double epsilon)
{
  shk_properties_add(properties, "start", "max |g|", "%.3g", d->constraint);
  const bool momenta = (d->inspection.features & SHK_MOMENTUM_CONSTRAINT) != 0;
  const bool dae = (d->inspection.features & SHK_GENERAL_DAE) != 0;
  shk_properties_add(properties, "start",
                     momenta ? "max |{g,H}|"
                     : dae   ? "max |g_q q'|"
                             : "max |G H_p|",
                     "%.3g", d->hidden);
  if (momenta) {
    shk_properties_add(properties, "start", "nondegeneracy",
                       "least |eigenvalue| of {{H,g},g}: %.6g", d->nondegeneracy);
    shk_properties_add(properties, "start", "coisotropy", "max |{g_i,g_j}|: %.3g", d->coisotropy);
  }
  if (isnan(d->exact_error))
    return true;
  /* The bound is far above the errors of elliptic functions and far below the effect of a
   * mistake. */
  const bool agrees = d->exact_error <= pow(epsilon, 0.75);
  shk_properties_add(properties, "start", "exact solution", "%s: differs by %.3g",
                     agrees ? "agrees" : "DISAGREES", d->exact_error);
  return agrees;
}

static void add_values(struct shk_properties *properties, const struct shk_diagnosis *d)
{
  char text[SHK_DIAGNOSIS_VALUES * 12 + 8] = "";
  size_t length = 0;
  for (int i = 0; i < d->value_count; i++)
    length += (size_t)snprintf(text + length, sizeof text - length, "%s%.3g", i > 0 ? ", " : "",
                               d->values[i]);
  shk_properties_add(properties, "constraints", "singular values",
                     d->inspection.features & SHK_MOMENTUM_CONSTRAINT
                         ? "%.6g … %.6g of (g_q g_p) with rows of length 1"
                     : d->inspection.features & SHK_GENERAL_DAE
                         ? "%.6g … %.6g of the matrix that determines lambda, rows of length 1"
                         : "%.6g … %.6g of M^(-1/2)Gᵀ with rows of length 1",
                     d->sigma_max, d->sigma_min);
  if (d->value_count > 2)
    shk_properties_add(properties, "constraints", "all of them", "%s%s", text,
                       d->inspection.m > d->value_count ? ", …" : "");
  if (d->has_rods)
    add_coupling(properties, d);
}

/* Adds the dependences between rows of G: "= 1 row 2 - 0.5 row 3". */
static void add_relations(struct shk_properties *properties, const struct shk_diagnosis *d)
{
  const int listed =
      d->relation_count < SHK_DIAGNOSIS_ROWS ? d->relation_count : SHK_DIAGNOSIS_ROWS;
  for (int i = 0; i < listed; i++) {
    const struct shk_relation *relation = &d->relations[i];
    const int terms = relation->terms < SHK_DIAGNOSIS_TERMS ? relation->terms : SHK_DIAGNOSIS_TERMS;
    char name[32], text[SHK_DIAGNOSIS_TERMS * 40 + 16] = "";
    size_t length = 0;
    for (int k = 0; k < terms; k++) {
      const double value = relation->coefficients[k];
      const char *sign = k == 0 ? (value < 0 ? "-" : "") : (value < 0 ? " - " : " + ");
      length += (size_t)snprintf(text + length, sizeof text - length, "%s%.6g row %d", sign,
                                 fabs(value), relation->rows[k]);
    }
    snprintf(name, sizeof name, "row %d of G", relation->row);
    shk_properties_add(properties, "constraints", name, "= %s%s", terms > 0 ? text : "0",
                       relation->terms > terms ? " + …" : "");
  }
  if (d->relation_count > listed)
    shk_properties_add(properties, "constraints", "and", "%d more dependent rows",
                       d->relation_count - listed);
}

/* Adds the rank. Returns false if the start is singular. */
static bool add_rank(struct shk_properties *properties, const struct shk_diagnosis *d)
{
  const int m = d->inspection.m;
  const char *what = "redundant, here and near; multipliers are not unique";
  if (m == 0) {
    shk_properties_add(properties, "constraints", "rank", "there are none");
    return true;
  }
  if (d->rank < 0) {
    shk_properties_add(properties, "constraints", "rank", "not computed: too many constraints");
    return true;
  }
  if (d->rank == m)
    what = "regular";
  else if (d->rank_near < 0)
    what = "redundant or singular; multipliers are not unique";
  else if (d->is_degenerate)
    what = "degenerate: every solution near is singular, no point near them is a solution";
  else if (d->rank_near > d->rank)
    what = "singular here, and not at a point near";
  shk_properties_add(properties, "constraints", "rank", "%d of %d: %s", d->rank, m, what);
  if (d->rank < m && d->rank_near >= 0 && !d->is_degenerate)
    shk_properties_add(properties, "constraints", "rank near", "%d of %d", d->rank_near, m);
  add_values(properties, d);
  add_relations(properties, d);
  return d->rank_near <= d->rank;
}

/* Adds the conditions that each differentiation yields, and the index. */
static void add_index(struct shk_properties *properties, const struct shk_diagnosis *d)
{
  static const char *const names[] = {"g", "dg/dt", "d²g/dt²", "d³g/dt³", "d⁴g/dt⁴", "d⁵g/dt⁵"};
  const int known = (int)(sizeof names / sizeof names[0]);
  if (d->inspection.m == 0)
    return;
  if (d->index > 0)
    shk_properties_add(properties, "index", "differentiation index", "%d%s", d->index,
                       d->rank >= 0 && d->rank < d->inspection.m
                           ? ", of the motion; multipliers of dependent rows are not unique"
                           : "");
  else if (d->index == 0)
    shk_properties_add(properties, "index", "differentiation index",
                       "none: the multiplier is never determined, in %d direction%s of motion; "
                       "there are infinitely many solutions",
                       d->undetermined, d->undetermined == 1 ? "" : "s");
  else
    shk_properties_add(properties, "index", "differentiation index", "not found: %s",
                       d->chain_reason);
  for (int k = 0; k < known && d->index >= 0; k++)
    if (d->conditions[k] > 0)
      shk_properties_add(properties, "index", names[k], "%d new condition%s on %s",
                         d->conditions[k], d->conditions[k] == 1 ? "" : "s", d->coordinates[k]);
  /* The bound is far above the errors of Newton's method. */
  if (d->index >= 0 && d->moved > 1e-12)
    shk_properties_add(properties, "index", "consistent with them all",
                       "a point that is %.3g away from the start", d->moved);
}

static void add_velocities(struct shk_properties *properties, const struct shk_diagnosis *d)
{
  if (d->velocity_rank == 0)
    return;
  shk_properties_add(properties, "velocity constraints", "rank", "%d", d->velocity_rank);
  shk_properties_add(properties, "velocity constraints", "max |A v + a|", "%.3g",
                     d->velocity_violation);
  shk_properties_add(properties, "velocity constraints", "Frobenius' test",
                     d->integrable
                         ? "|dα(u,v)| = %.3g: integrable, equivalent to constraints on q"
                         : "|dα(u,v)| = %.3g: nonholonomic, equivalent to no constraint on q",
                     d->twist);
}

static bool add_checks(struct shk_properties *properties, const struct shk_diagnosis *d)
{
  bool all = true;
  for (int i = 0; i < d->check_count; i++) {
    const struct shk_derivative_check *check = &d->checks[i];
    shk_properties_add(properties, "derivatives", check->name,
                       "%s: differs from differences by %.2g (they resolve %.2g)",
                       check->holds ? "right" : "WRONG", check->error, check->floor);
    all = all && check->holds;
  }
  if (d->rods[0] != '\0')
    shk_properties_add(properties, "rods", "declared", "WRONG: %s", d->rods);
  return all && d->rods[0] == '\0';
}

static void add_trial(struct shk_properties *properties, struct question *question)
{
  struct shk_message error = {.text = ""};
  const struct shk_integrator_info *info =
      shk_find_integrator(&question->d->arguments.context, question->integrator);
  const char *name = info->name;
  char *integrator = shk_canonical_integrator(&question->d->arguments.context, name, &error);
  struct answer answer;
  if (!integrator) {
    shk_properties_add(properties, "integrators", name, "needs options: %s", error.text);
    return;
  }
  question->integrator = integrator;
  question->precision = info->double_only ? "double" : question->d->precision;
  if (strcmp(question->precision, question->d->precision) != 0)
    question->ranks = NULL;
  if (!ask(&answer, question) || answer.bad_plugin)
    shk_properties_add(properties, "integrators", name, "no answer: %s", answer.reason);
  else if (answer.code == SHK_OK)
    shk_properties_add(properties, "integrators", name, "applies");
  else if (answer.code == SHK_REFUSED)
    shk_properties_add(properties, "integrators", name, "refuses: %s", answer.reason);
  else
    shk_properties_add(properties, "integrators", name, "fails in its first step of %s: %s (%s)",
                       question->step, answer.reason, shk_code_name(answer.code));
  free(integrator);
}

static void add_integrators(struct shk_properties *properties, const struct diagnose *d,
                            const struct shk_diagnosis *found)
{
  if (found->ill_posed[0] != '\0') {
    shk_properties_add(properties, "integrators", "all",
                       "refuse such a start before their first step, for this reason");
    return;
  }
  char step[32];
  snprintf(step, sizeof step, "%.1g", found->inspection.time_scale / 1000);
  const struct shk_integrator_info *info;
  for (int i = 0; (info = shk_integrator_at(&d->arguments.context, i)) != NULL; i++) {
    struct question question = {
        .d = d, .integrator = info->name, .step = step, .ranks = &found->start};
    add_trial(properties, &question);
  }
}

static int diagnose(struct diagnose *d)
{
  struct shk_message error = {.text = ""}, reason;
  const struct shk_engine *engine = shk_engine_named(d->precision, &reason);
  if (!engine)
    shk_message_set(&error, "--precision: %s", reason.text);
  else if (d->project && !d->q && !d->p)
    shk_message_set(&error, "--project: there is no explicit start (--q, --p) to project");
  else
    d->problem = shk_canonical_problem(&d->arguments.context, d->arguments.words[0], &error);
  if (!d->problem) {
    shk_complain("%s", error.text);
    return SHK_EXIT_BAD_INPUT;
  }
  struct answer answer;
  struct question question = {.d = d, .precision = d->precision};
  const bool answered = ask(&answer, &question);
  if (!answered || !answer.ok) {
    shk_complain("%s: %s", d->problem, answer.reason);
    if (!answered)
      return SHK_EXIT_INCOMPLETE;
    /* Bad parameters or a bad explicit start are bad input. A problem whose own start violates its
     * constraints is a finding. */
    return answer.bad_plugin || d->q || d->p ||
                   !shk_inspect(&d->arguments.context, &answer.diagnosis.inspection, d->precision,
                                d->problem, &error)
               ? SHK_EXIT_BAD_INPUT
               : SHK_EXIT_SHORT;
  }
  struct shk_properties properties;
  shk_properties_init(&properties);
  add_sizes(&properties, &answer.diagnosis);
  const bool starts = add_start(&properties, &answer.diagnosis, engine->epsilon);
  const bool regular = add_rank(&properties, &answer.diagnosis);
  add_index(&properties, &answer.diagnosis);
  add_velocities(&properties, &answer.diagnosis);
  const bool posed = answer.diagnosis.ill_posed[0] == '\0';
  if (!posed)
    shk_properties_add(&properties, "well posed", "at the start", "NO: %s",
                       answer.diagnosis.ill_posed);
  const bool checks = add_checks(&properties, &answer.diagnosis);
  add_integrators(&properties, d, &answer.diagnosis);
  shk_properties_print(&properties, d->arguments.format);
  shk_properties_clear(&properties);
  return starts && regular && checks && posed ? SHK_EXIT_HELD : SHK_EXIT_SHORT;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct diagnose d = {.precision = shk_finest_engine()->precision, .trial_seconds = TRIAL_SECONDS};
  const struct shk_flag flags[] = {
      {"precision", 0, SHK_FLAG_TEXT, "single|double|quad",
       "precision of the checks (default quad)", &d.precision},
      {"q", 'q', SHK_FLAG_TEXT, "Q1,Q2,…", "check at these coordinates, not at the start", &d.q},
      {"p", 'p', SHK_FLAG_TEXT, "P1,P2,…", "and these momenta", &d.p},
      {"project", 0, SHK_FLAG_SWITCH, NULL, "make them consistent first", &d.project},
      {"trial-seconds", 0, SHK_FLAG_COUNT, "S",
       "time limit of an integrator's trial step (default 20)", &d.trial_seconds},
      {NULL, 0, SHK_FLAG_SWITCH, NULL, NULL, NULL}};
  int status;
  if (shk_arguments_read(&d.arguments, &status, command, flags, 1, 1, argc, argv))
    status = shk_use_plugins(&d.arguments) ? diagnose(&d) : SHK_EXIT_BAD_INPUT;
  free(d.problem);
  shk_arguments_clear(&d.arguments);
  return status;
}

const struct shk_command shk_command_diagnose = {
    .name = "diagnose",
    .synopsis = "PROBLEM [--q Q1,… --p P1,… [--project]]",
    .summary = "Checks a problem, and which integrators apply to it",
    .help = "Checks the consistency of the start, every derivative against differences, the rank\n"
            "of the constraints and their dependencies, the differentiation index with the chain\n"
            "of hidden constraints (in quad), Frobenius' test of velocity constraints, and for\n"
            "every integrator a trial step. Exit status 1: a declared property is wrong, or the\n"
            "problem is singular or not well posed at its start.",
    .formats = 1u << SHK_FORMAT_TABLE | 1u << SHK_FORMAT_CSV | 1u << SHK_FORMAT_JSON,
    .run = run};

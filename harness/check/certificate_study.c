/*
 * Writes the study of a certificate. The study is read from studies/certificate.yaml or from a
 * user's file, and $method is replaced with the methods to certify. The study omits
 *
 *   - measures that are meaningless for a problem, and orders if there is no reference;
 *   - single-step measures that decide none of the method's claims;
 *   - problems that cannot be set up, and problems of plug-ins with more than 40 coordinates.
 *
 * The result is printed as a study file in which each run has one problem and all numbers are
 * exact.
 */
#include "harness/check/certify.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/plan/plan_times.h"
#include "results/export/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_PROBLEM = 40 };

static unsigned long bit_of_measure(int measure)
{
  return 1ul << measure;
}

/* ---- selection ---- */

/* The state of the printer: the study, the output, and the current run and problem. */
struct maker {
  const struct shk_study *study;
  FILE *out;
  struct shk_message *error;
  /* the measures needed for the claims to test, as a bit set indexed by enum shk_measure_id */
  unsigned long wanted;
  const struct shk_study_run *run;
  const struct shk_cell *start;
  struct shk_inspection is;
  bool has_reference;
  /* the requested measures of the run that are meaningful for the problem */
  unsigned long measures;
};

/* Returns true if a measure is meaningless for a problem. Forces and drives change the energy, and
 * forces also change invariants. For single-step measures, measures/asks.h lists the problems to
 * exclude. */
static bool is_meaningless(enum shk_measure_id measure, const struct shk_inspection *is)
{
  const struct shk_structure_asks *const asks =
      shk_engine_f64.structure_asks(shk_measures[measure].name);
  if (measure == SHK_MEASURE_ENERGY)
    return (is->features & (SHK_FORCES | SHK_RHEONOMIC | SHK_GENERAL_DAE)) != 0;
  if (measure == SHK_MEASURE_MOMENTUM)
    return (is->features & (SHK_FORCES | SHK_GENERAL_DAE)) != 0;
  return asks && asks->meaningless[0].why &&
         (is->features & SHK_GENERAL_DAE ||
          shk_obstacle_to(asks->meaningless, is->features, is->undecidable));
}

/* Returns true if a method needs a measure. Measures of runs are always needed. A single-step
 * measure is needed if it decides one of the method's claims or a claim that is tested for every
 * method. */
static bool is_wanted(enum shk_measure_id measure, const struct shk_integrator_info *info,
                      const struct shk_claims *claims)
{
  const struct shk_structure_asks *const asks =
      shk_engine_f64.structure_asks(shk_measures[measure].name);
  if (!asks || asks->partner)
    return !asks || info->partner;
  if (measure == SHK_MEASURE_IDENTITIES)
    return !info->adaptive;
  for (int i = 1; i < SHK_CLAIMS; i++) {
    if (shk_measure_deciding((enum shk_claim)i) != measure)
      continue;
    const bool only_claimed = asks->others || asks->if_claimed || info->adaptive;
    if (info->adaptive && shk_claim_entries[i].order)
      continue;
    if (!only_claimed || shk_is_claimed(claims, (enum shk_claim)i))
      return true;
  }
  return false;
}

/* Returns the measures that apply to a method on the current problem, as a bit set. */
static unsigned long measures_of(const struct maker *m, const char *integrator)
{
  const struct shk_context *const context = &m->study->context;
  const struct shk_integrator_info *const info = shk_find_integrator(context, integrator);
  struct shk_claims claims;
  struct shk_message unused;
  bool in_quad;
  unsigned long measures = 0;
  if (!info || info->exact || !shk_finest_claims(context, &claims, &in_quad, integrator, &unused) ||
      (m->run->supported_only && !shk_pair_applies(context, m->start->problem, integrator)))
    return 0;
  for (int i = 0; i < SHK_MEASURES; i++)
    if (m->measures & bit_of_measure(i) && is_wanted((enum shk_measure_id)i, info, &claims))
      measures |= bit_of_measure(i);
  return measures;
}

/* Inspects the current problem. Returns false if no measure applies to it. */
static bool inspect_certificate_study(struct maker *m)
{
  const struct shk_context *const context = &m->study->context;
  struct shk_message unused;
  if (!shk_inspect(context, &m->is, "double", m->start->problem, &unused) ||
      !(m->is.time_scale > 0) || !(m->is.horizon > 0))
    return false;
  const struct shk_integrator_info *const reference = shk_find_integrator(context, "reference");
  m->has_reference = m->is.exact || (reference && !(m->is.features & ~reference->supports));
  m->measures = 0;
  for (int i = 0; i < SHK_MEASURES; i++)
    if (shk_run_measures(m->run, (enum shk_measure_id)i) &&
        !is_meaningless((enum shk_measure_id)i, &m->is))
      m->measures |= m->wanted & bit_of_measure(i);
  return m->measures != 0;
}

/* ---- output ---- */

static void print_list(FILE *out, const char *key, char *const *texts, int count)
{
  fprintf(out, "    %s: [", key);
  for (int i = 0; i < count; i++)
    fprintf(out, "%s%s", i > 0 ? ", " : "", texts[i]);
  fputs("]\n", out);
}

static void print_start(FILE *out, const struct shk_cell *start)
{
  fputs("  - problems:\n      - ", out);
  const bool own = shk_has_own_start(start);
  fputs(own ? "" : "{problem: ", out);
  shk_print_doubled(out, start->problem, '\'');
  if (start->q)
    fprintf(out, ", q: [%s], p: [%s]%s", start->q, start->p,
            start->project ? ", project: yes" : "");
  if (start->kick)
    fprintf(out, ", kick: %s", start->kick);
  fputs(own ? "" : "}", out);
  fputs("\n    integrators:\n", out);
}

/* Prints the horizon, the times, the steps or tolerances, the precisions, and the measures. */
static void print_numbers(const struct maker *m, const struct shk_plan_times *chosen,
                          bool has_steps, unsigned long measures)
{
  const struct shk_study_run *const run = m->run;
  const struct shk_numbers *const times = &chosen->times, *const steps = &chosen->steps;
  const bool all = m->has_reference || !shk_run_measures(run, SHK_MEASURE_ORDER);
  /* Orders need four more step sizes than other measures do, but they are not measured without a
   * reference. */
  const double fewer = fmax(3, steps->count - 4);
  char *names[SHK_MEASURES];
  int count = 0;
  for (int i = 0; i < SHK_MEASURES; i++)
    if (measures & bit_of_measure(i))
      names[count++] = (char *)shk_measures[i].name;
  fprintf(m->out, "    until: %s\n", times->texts[times->count - 1]);
  if (run->times.count > 0 || run->even_times > 0)
    print_list(m->out, "times", times->texts, times->count);
  if (has_steps)
    print_list(m->out, "steps", steps->texts, all ? steps->count : (int)fmin(steps->count, fewer));
  else if (run->tolerances.count > 0)
    print_list(m->out, "tolerances", run->tolerances.texts, run->tolerances.count);
  print_list(m->out, "precision", run->precisions.texts, run->precisions.count);
  print_list(m->out, "measures", names, count);
  if (run->seconds > 0)
    fprintf(m->out, "    limits: {seconds: %.17g}\n", run->seconds);
}

/* Prints a run for all methods whose entry in `all` equals `measures`, then sets these entries to
 * zero. */
static bool print_run(const struct maker *m, unsigned long *all, unsigned long measures)
{
  const struct shk_study_run *const run = m->run;
  const unsigned long errors = bit_of_measure(SHK_MEASURE_ORDER) |
                               bit_of_measure(SHK_MEASURE_ERROR) |
                               bit_of_measure(SHK_MEASURE_TOLERANCE);
  bool applies = false, has_steps = false;
  for (int i = 0; i < run->integrators.count; i++)
    if (all[i] == measures) {
      const char *const spec = run->integrators.texts[i];
      has_steps = has_steps || !shk_find_integrator(&m->study->context, spec)->adaptive;
      applies = applies || shk_pair_applies(&m->study->context, m->start->problem, spec);
    }
  /* Errors cannot be measured if there is no reference or if no method applies to the problem. */
  const unsigned long left = measures & ~(m->has_reference && applies ? 0 : errors);
  struct shk_time_planner s = {m->study->path, run, m->start, &m->is, has_steps, m->error};
  if (left == 0)
    return true;
  if (!shk_plan_times_make(&s))
    return false;
  print_start(m->out, m->start);
  for (int i = 0; i < run->integrators.count; i++)
    if (all[i] == measures) {
      fputs("      - ", m->out);
      shk_print_doubled(m->out, run->integrators.texts[i], '\'');
      putc('\n', m->out);
      all[i] = 0;
    }
  print_numbers(m, &s.made, has_steps, left);
  shk_plan_times_clear(&s.made);
  return true;
}

/* Prints the runs of a problem, one for each set of measures. */
static bool print_problem(struct maker *m)
{
  if (m->start->member_count > 0)
    return shk_message_set(
        m->error,
        "%s:%d: found members, expected single starts: certificates do not support members",
        m->study->path, m->run->line);
  if (!inspect_certificate_study(m))
    return true;
  const int count = m->run->integrators.count;
  unsigned long *const measures = shk_allocate((size_t)count + 1, sizeof *measures);
  bool ok = true;
  for (int i = 0; i < count; i++)
    measures[i] = measures_of(m, m->run->integrators.texts[i]);
  for (int i = 0; i < count && ok; i++)
    ok = measures[i] == 0 || print_run(m, measures, measures[i]);
  free(measures);
  return ok;
}

/* Returns the study as a string, which the caller must free. On failure, returns NULL and stores
 * the reason in *m->error. */
static char *print_study(struct maker *m, long seed)
{
  char *text = NULL;
  size_t length = 0;
  m->out = open_memstream(&text, &length);
  if (!m->out)
    shk_out_of_memory();
  fprintf(m->out,
          "# The study of a certificate, as `shakedown certify --study --seed %ld` prints it.\n"
          "study: certificates\npurpose: every claim of every integrator, yes or no\nruns:\n",
          seed);
  const long head = ftell(m->out);
  bool ok = true;
  for (int i = 0; i < m->study->run_count; i++) {
    m->run = &m->study->runs[i];
    for (int k = 0; k < m->run->problem_count && ok; k++) {
      m->start = &m->run->problems[k];
      ok = print_problem(m);
    }
  }
  if (ok && ftell(m->out) == head) {
    shk_message_set(m->error, m->wanted != ~0ul
                                  ? "no measure that applies to these methods decides these claims"
                                  : "the methods claim nothing, so there is nothing to certify");
    ok = false;
  }
  if (fclose(m->out) != 0)
    shk_out_of_memory();
  if (ok)
    return text;
  free(text);
  return NULL;
}

/* Adds a kick to the user's own systems in the study, that is, to those named in the request and
 * those from plug-ins. If there are none, returns false and stores the reason. */
static bool kick_systems(struct shk_study *study, const struct shk_study_name *names, int count,
                         long seed, struct shk_message *error)
{
  int kicked = 0;
  for (int r = 0; r < study->run_count; r++)
    for (int i = 0; i < study->runs[r].problem_count; i++) {
      struct shk_cell *const start = &study->runs[r].problems[i];
      bool is_own = false;
      for (int k = 0; k < count; k++)
        for (int j = 0; j < names[k].count; j++)
          is_own = is_own || strcmp(names[k].texts[j], start->problem) == 0;
      if (!is_own || !shk_has_own_start(start))
        continue;
      start->kick = shk_print_text("%ld", seed);
      kicked++;
    }
  return kicked > 0 ||
         shk_message_set(error,
                         "--kick: found no system of your own, expected one given by --problem or "
                         "in a plug-in; the systems that come with shakedown need no kick");
}

/* In the study file, $method is replaced with the requested integrators and $problems with the
 * requested problems. $plugin-problems is replaced with the plug-ins' problems that need no options
 * and have at most 40 coordinates. */
char *shk_certify_study(const struct shk_context *context,
                        const struct shk_certify_request *request, struct shk_message *error)
{
  struct shk_index plugins = {0};
  struct maker m = {.error = error, .wanted = request->measures};
  shk_small_problems(&plugins, context, true, LARGEST_PROBLEM);
  for (int i = 0; i < request->claim_count; i++)
    m.wanted |= shk_certified_measures(request->claims[i]);
  if (m.wanted == 0)
    m.wanted = ~0ul;
  const struct shk_study_name names[] = {
      {"method", request->count, request->integrators},
      {"problems", request->problem_count, request->problems},
      {"plugin-problems", plugins.count, (const char *const *)plugins.texts}};
  const struct shk_study_settings settings = {request->budget, request->seed,
                                              sizeof names / sizeof names[0], names};
  struct shk_study *const study = shk_study_read(context, request->file, &settings, error);
  m.study = study;
  const bool ok =
      study && (request->kick == 0 || kick_systems(study, names + 1, 2, request->kick, error));
  char *const text = ok ? print_study(&m, request->seed) : NULL;
  shk_study_free(study);
  shk_index_clear(&plugins);
  return text;
}

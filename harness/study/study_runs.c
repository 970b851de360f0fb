/*
 * The runs of a study: each names problems and integrators and how to run every pair of them.
 * Sweeps and exclusions, which speak of the others, are read last, in study_pairs.c.
 */
#include "harness/study/study_runs.h"

#include "engine/engine.h"
#include "foundation/memory.h"
#include "foundation/number.h"
#include "harness/study/study_numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
  const struct shk_yaml *yaml;
  struct shk_study *study;
  struct shk_study_run *run;                 /* the one being read */
  struct fy_node *sweep, *exclude, *members; /* read when all else is; NULL if there is none */
  /* The list that a sequence is read into. */
  const char *what;
  const char *const *names;
  char ***list;
  int *count;
};

/* ---- names ---- */

static bool read_listed_name(void *context, struct fy_node *item)
{
  struct reader *const reader = context;
  int known = 0;
  while (reader->names[known])
    known++;
  char *const text = shk_yaml_text(reader->yaml, item, reader->what);
  if (!text)
    return false;
  bool ok = shk_in_list((char *const *)reader->names, known, text) ||
            shk_yaml_fail_name(reader->yaml, item, reader->what, reader->names, known);
  if (ok && shk_in_list(*reader->list, *reader->count, text))
    ok = shk_yaml_fail(reader->yaml, item, "%s \"%s\" is given twice", reader->what, text);
  if (ok)
    shk_add_text(reader->list, reader->count, text);
  else
    free(text);
  return ok;
}

bool shk_read_names(const struct shk_yaml *yaml, struct fy_node *node, const char *what,
                    const char *const *names, char ***list, int *count)
{
  struct reader reader = {.yaml = yaml, .what = what, .names = names, .list = list, .count = count};
  char *const expected = shk_print_text("a list of %ss", what);
  const bool ok = shk_yaml_sequence(yaml, node, expected, true, read_listed_name, &reader);
  free(expected);
  return ok;
}

static bool read_precisions(void *context, struct fy_node *value)
{
  static const char *const names[] = {"double", "quad", NULL};
  const struct reader *const reader = context;
  return shk_read_names(reader->yaml, value, "precision", names, &reader->run->precisions,
                        &reader->run->precision_count);
}

static bool read_measures(void *context, struct fy_node *value)
{
  const struct reader *const reader = context;
  return shk_read_names(reader->yaml, value, "measure", shk_measure_names, &reader->run->measures,
                        &reader->run->measure_count);
}

/* ---- words ---- */

/* The text of a scalar; NULL of anything else, without a message. */
static char *scalar_text(const struct reader *reader, struct fy_node *value)
{
  if (!shk_yaml_is_scalar(value))
    return NULL;
  struct shk_message unused = {.text = ""};
  struct shk_yaml quiet = *reader->yaml;
  quiet.error = &unused;
  return shk_yaml_text(&quiet, value, "");
}

static bool is_word(const struct reader *reader, struct fy_node *value, const char *word)
{
  char *const text = scalar_text(reader, value);
  const bool is = text && strcmp(text, word) == 0;
  free(text);
  return is;
}

/* ---- problems and integrators ---- */

/* The canonical form of a specification; NULL with the message set. */
static char *read_specification(const struct reader *reader, struct fy_node *node, bool problem)
{
  struct shk_message reason = {.text = ""};
  char *const text = shk_yaml_text(reader->yaml, node,
                                   problem ? "a problem such as pendulum(angle=0.7)"
                                           : "an integrator such as rattle(linear=lu)");
  if (!text)
    return NULL;
  char *const canonical =
      problem ? shk_canonical_problem(text, &reason) : shk_canonical_integrator(text, &reason);
  free(text);
  if (!canonical)
    shk_yaml_fail(reader->yaml, node, "%s", reason.text);
  return canonical;
}

struct start_reader {
  struct reader *reader;
  struct shk_start start;
};

static bool read_start_problem(void *context, struct fy_node *value)
{
  struct start_reader *const start = context;
  start->start.problem = read_specification(start->reader, value, true);
  return start->start.problem != NULL;
}

static bool read_start_q(void *context, struct fy_node *value)
{
  struct start_reader *const start = context;
  return shk_read_vector(start->reader->yaml, value, &start->start.q);
}

static bool read_start_p(void *context, struct fy_node *value)
{
  struct start_reader *const start = context;
  return shk_read_vector(start->reader->yaml, value, &start->start.p);
}

static bool read_start_project(void *context, struct fy_node *value)
{
  struct start_reader *const start = context;
  static const char expected[] = "yes or no";
  char *const text = shk_yaml_text(start->reader->yaml, value, expected);
  if (!text)
    return false;
  start->start.project = strcmp(text, "yes") == 0;
  const bool ok = start->start.project || strcmp(text, "no") == 0 ||
                  shk_yaml_fail_kind(start->reader->yaml, value, expected);
  free(text);
  return ok;
}

static bool read_problem(void *context, struct fy_node *item)
{
  static const struct shk_yaml_key keys[] = {{"problem", true, read_start_problem},
                                             {"q", true, read_start_q},
                                             {"p", true, read_start_p},
                                             {"project", false, read_start_project}};
  struct reader *const reader = context;
  struct start_reader start = {.reader = reader};
  bool ok;
  if (shk_yaml_is_mapping(item))
    ok = shk_yaml_mapping(reader->yaml, item, "a problem", keys, sizeof keys / sizeof keys[0],
                          &start);
  else
    ok = read_start_problem(&start, item);
  if (ok && !shk_add_start(reader->run, &start.start))
    ok = shk_yaml_fail(reader->yaml, item, "problem %s is given twice", start.start.problem);
  if (!ok)
    shk_start_free(&start.start);
  return ok;
}

/* All problems that can be had without parameters and are not too large for every method, those of
 * plug-ins among them. */
static void add_all_problems(const struct reader *reader)
{
  enum { MOST_COORDINATES = 1000 };
  struct shk_message unused;
  const struct shk_problem_info *info;
  for (int i = 0; (info = shk_problem_at(i)) != NULL; i++) {
    struct shk_inspection inspection;
    struct shk_start start = {.problem = shk_canonical_problem(info->name, &unused)};
    if (!start.problem)
      continue;
    if (!shk_inspect(&inspection, "double", start.problem, &unused) ||
        inspection.n > MOST_COORDINATES || !shk_add_start(reader->run, &start))
      shk_start_free(&start);
  }
}

static void add_all_integrators(const struct reader *reader)
{
  struct shk_message unused;
  const struct shk_integrator_info *info;
  for (int i = 0; (info = shk_integrator_at(i)) != NULL; i++) {
    char *const integrator = shk_canonical_integrator(info->name, &unused);
    if (integrator)
      shk_add_text(&reader->run->integrators, &reader->run->integrator_count, integrator);
  }
}

static bool read_problems(void *context, struct fy_node *value)
{
  const struct reader *const reader = context;
  if (is_word(reader, value, "all")) {
    add_all_problems(reader);
    return true;
  }
  return shk_yaml_sequence(reader->yaml, value, "a list of problems", false, read_problem, context);
}

static bool read_integrator(void *context, struct fy_node *item)
{
  const struct reader *const reader = context;
  char *const integrator = read_specification(reader, item, false);
  if (!integrator)
    return false;
  if (shk_in_list(reader->run->integrators, reader->run->integrator_count, integrator)) {
    shk_yaml_fail(reader->yaml, item, "integrator %s is given twice", integrator);
    free(integrator);
    return false;
  }
  shk_add_text(&reader->run->integrators, &reader->run->integrator_count, integrator);
  return true;
}

static bool read_integrators(void *context, struct fy_node *value)
{
  const struct reader *const reader = context;
  if (is_word(reader, value, "all")) {
    add_all_integrators(reader);
    return true;
  }
  return shk_yaml_sequence(reader->yaml, value, "a list of integrators", false, read_integrator,
                           context);
}

/* ---- steps, horizon, times, limits ---- */

static bool is_natural(const struct reader *reader, struct fy_node *value)
{
  return is_word(reader, value, "natural");
}

/* The number in front of these words, canonical; NULL if the value is anything else. */
static char *number_before(const struct reader *reader, struct fy_node *value, const char *words)
{
  char *const text = scalar_text(reader, value);
  char *number = NULL;
  const size_t length = text ? shk_number_length(text) : 0;
  if (length > 0 && text[length] == ' ' && strcmp(text + length + 1, words) == 0) {
    text[length] = '\0';
    number = shk_number_canonical(text, false);
  }
  free(text);
  return number;
}

/* Whether the value is natural/N; *divisor is 0 unless N is a power of two up to 1024. */
static bool read_natural_part(const struct reader *reader, struct fy_node *value, int *divisor)
{
  static const char prefix[] = "natural/";
  char *const text = scalar_text(reader, value);
  const bool is = text && strncmp(text, prefix, sizeof prefix - 1) == 0;
  *divisor = 0;
  for (int n = 2; is && n <= 1024; n *= 2) {
    char digits[8];
    snprintf(digits, sizeof digits, "%d", n);
    if (strcmp(text + sizeof prefix - 1, digits) == 0)
      *divisor = n;
  }
  free(text);
  return is;
}

static bool read_steps(void *context, struct fy_node *value)
{
  const struct reader *const reader = context;
  struct shk_study_run *const run = reader->run;
  run->steps_line = shk_yaml_line(value);
  if (is_natural(reader, value))
    return true;
  if (read_natural_part(reader, value, &run->natural_divisor))
    return run->natural_divisor > 0 ||
           shk_yaml_fail_kind(reader->yaml, value, "natural/2, natural/4, … or natural/1024");
  run->step_kind = SHK_STEPS_LIST;
  return shk_read_progression(reader->yaml, value,
                              "natural, a list of steps, natural/8, {largest: 0.1, halvings: 8} or "
                              "{largest: 0.1, smallest: 0.001, factor: 10}",
                              "2", &run->steps, &run->step_count);
}

static bool read_tolerances(void *context, struct fy_node *value)
{
  const struct reader *const reader = context;
  return shk_read_progression(reader->yaml, value,
                              "a list of tolerances or "
                              "{largest: 1e-3, smallest: 1e-12, factor: 10}",
                              "10", &reader->run->tolerances, &reader->run->tolerance_count);
}

static bool read_until(void *context, struct fy_node *value)
{
  const struct reader *const reader = context;
  reader->run->until_line = shk_yaml_line(value);
  reader->run->until_scales = number_before(reader, value, "time scales");
  if (reader->run->until_scales)
    return (reader->run->until_scales[0] != '-' && reader->run->until_scales[0] != '0') ||
           strncmp(reader->run->until_scales, "0.", 2) == 0 ||
           shk_yaml_fail_kind(reader->yaml, value, "a number of time scales above zero");
  return is_natural(reader, value) ||
         shk_read_positive(reader->yaml, value,
                           "natural or a number above zero (or `4 time scales`)",
                           &reader->run->until);
}

static bool read_times(void *context, struct fy_node *value)
{
  const struct reader *const reader = context;
  reader->run->times_line = shk_yaml_line(value);
  return shk_read_times(reader->yaml, value, &reader->run->times, &reader->run->time_count);
}

static bool read_limits(void *context, struct fy_node *value)
{
  const struct reader *const reader = context;
  return shk_read_limits(reader->yaml, value, &reader->run->seconds, &reader->run->megabytes);
}

static bool read_outcomes(void *context, struct fy_node *value)
{
  const struct reader *const reader = context;
  return shk_read_singular_limits(reader->yaml, value, &reader->run->singular);
}

static bool keep_sweep(void *context, struct fy_node *value)
{
  struct reader *const reader = context;
  reader->sweep = value;
  return true;
}

static bool keep_members(void *context, struct fy_node *value)
{
  struct reader *const reader = context;
  reader->members = value;
  return true;
}

static bool keep_exclude(void *context, struct fy_node *value)
{
  struct reader *const reader = context;
  reader->exclude = value;
  return true;
}

/* ---- the run ---- */

static void fill_defaults(struct shk_study_run *run)
{
  if (run->precision_count == 0)
    shk_add_text(&run->precisions, &run->precision_count, shk_copy_text("double"));
  if (run->measure_count == 0)
    for (int i = 0; i < SHK_MEASURES; i++) /* the rest only by name */
      if (shk_measures[i].in == SHK_IN_RUNS)
        shk_add_text(&run->measures, &run->measure_count, shk_copy_text(shk_measures[i].name));
  if (run->steps_line == 0)
    run->steps_line = run->line;
  if (run->until_line == 0)
    run->until_line = run->line;
  if (run->times_line == 0)
    run->times_line = run->line;
}

static bool read_run(void *context, struct fy_node *item)
{
  static const struct shk_yaml_key keys[] = {
      {"problems", true, read_problems},     {"integrators", true, read_integrators},
      {"steps", false, read_steps},          {"tolerances", false, read_tolerances},
      {"until", false, read_until},          {"times", false, read_times},
      {"precision", false, read_precisions}, {"measures", false, read_measures},
      {"sweep", false, keep_sweep},          {"exclude", false, keep_exclude},
      {"limits", false, read_limits},        {"outcomes", false, read_outcomes},
      {"lanes", false, keep_members},
  };
  struct reader *const reader = context;
  struct shk_study *const study = reader->study;
  study->runs = shk_grow(study->runs, (size_t)study->run_count, sizeof *study->runs);
  reader->run = &study->runs[study->run_count++];
  *reader->run = (struct shk_study_run){.line = shk_yaml_line(item)};
  reader->sweep = reader->exclude = reader->members = NULL;
  if (!shk_yaml_mapping(reader->yaml, item, "a mapping with problems and integrators", keys,
                        sizeof keys / sizeof keys[0], reader))
    return false;
  if (reader->sweep && !shk_read_sweeps(reader->yaml, reader->sweep, reader->run))
    return false;
  if (reader->exclude && !shk_read_excludes(reader->yaml, reader->exclude, reader->run))
    return false;
  fill_defaults(reader->run);
  return !reader->members || shk_read_members(reader->yaml, reader->members, reader->run);
}

bool shk_read_runs(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study *study)
{
  struct reader reader = {.yaml = yaml, .study = study};
  return shk_yaml_sequence(yaml, node, "a list of runs, each `- problems: …`", false, read_run,
                           &reader);
}

bool shk_run_measures(const struct shk_study_run *run, enum shk_measure_id measure)
{
  return shk_in_list(run->measures, run->measure_count, shk_measures[measure].name);
}

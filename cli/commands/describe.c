/* shakedown describe: the contents of a descriptor, and the sizes and claims of a problem or an
 * integrator at given parameters. */
#include "cli/shared/install_paths.h"
#include "cli/shared/options.h"
#include "cli/shared/output/descriptor_texts.h"
#include "cli/shared/output/properties.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "foundation/specifications/claims.h"
#include "foundation/specifications/spec.h"
#include "harness/study/study.h"
#include <shakedown/solve.h>

#include <stdlib.h>
#include <string.h>

/* ---- options ---- */

static const char *kind_word(enum shk_option_kind kind)
{
  switch (kind) {
  case SHK_OPTION_REAL:
    return "number";
  case SHK_OPTION_ANGLE:
    return "angle";
  case SHK_OPTION_INTEGER:
    return "whole number";
  case SHK_OPTION_FLAG:
    return "yes or no";
  case SHK_OPTION_CHOICE:
    return "choice";
  case SHK_OPTION_INTEGRATOR:
    return "an integrator";
  case SHK_OPTION_FILE:
    return "a file";
  case SHK_OPTION_PROBLEM:
    return "a problem";
  case SHK_OPTION_TEXT:
    break;
  }
  return "text";
}

/* The rules of an option's value: "number, default 1, above 0". The caller frees it. */
static char *option_rules(const struct shk_option *option)
{
  char lower[64] = "", upper[64] = "";
  const bool above_zero =
      option->positive && (!option->minimum || strcmp(option->minimum, "0") == 0);
  if (above_zero)
    snprintf(lower, sizeof lower, ", above 0");
  else if (option->minimum)
    snprintf(lower, sizeof lower, ", at least %s", option->minimum);
  if (option->maximum)
    snprintf(upper, sizeof upper, ", at most %s", option->maximum);
  return shk_print_text("%s, %s%s%s%s%s", kind_word(option->kind),
                        option->fallback ? "default " : "must be given",
                        option->fallback ? option->fallback : "", lower, upper,
                        option->positional ? ", may be given without its name" : "");
}

/* Adds options; `before` and `after` are "", or surround the options of a choice: "start=random(",
 * ")". */
static void add_options(struct shk_properties *properties, const struct shk_option *options,
                        const char *before, const char *after)
{
  for (; options && options->name; options++) {
    char *rules = option_rules(options), *name = shk_print_text("%s%s", before, options->name);
    char *whole = shk_print_text("%s%s", name, after), *closed = shk_print_text(")%s", after);
    shk_properties_add(properties, "options", whole, "%s\n%s", rules,
                       options->meaning ? options->meaning : "");
    for (const struct shk_choice *choice = options->choices; choice && choice->name; choice++) {
      char *label = shk_print_text("%s=%s%s", name, choice->name, after);
      char *open = shk_print_text("%s=%s(", name, choice->name);
      shk_properties_add(properties, "options", label, "%s",
                         choice->meaning ? choice->meaning : "");
      add_options(properties, choice->options, open, closed);
      free(open);
      free(label);
    }
    free(closed);
    free(whole);
    free(name);
    free(rules);
  }
}

static void add_text(struct shk_properties *properties, const char *section, const char *text)
{
  if (text && *text != '\0')
    shk_properties_add(properties, section, "", "%s", text);
}

/* ---- problems ---- */

static void add_bits(struct shk_properties *properties, const char *section, const char *name,
                     unsigned bits, const char *const *words, int count, const char *none)
{
  char *text = shk_copy_text("");
  for (int i = 0; i < count; i++)
    if (bits & 1u << i)
      shk_append_text(&text, "%s%s", *text != '\0' ? "\n" : "", words[i]);
  shk_properties_add(properties, section, name, "%s", *text != '\0' ? text : none);
  free(text);
}

static bool add_inspection(const struct shk_context *context, struct shk_properties *properties,
                           const char *problem)
{
  struct shk_inspection is;
  struct shk_message error = {.text = ""};
  if (!shk_inspect(context, &is, "double", problem, &error)) {
    shk_complain("%s: %s", problem, error.text);
    return false;
  }
  const char *section = "at these parameters";
  shk_properties_add(properties, section, "specification", "%s", problem);
  shk_properties_add(properties, section, "coordinates", "%d", is.n);
  shk_properties_add(properties, section, "constraints", "%d", is.m);
  add_bits(properties, section, "features", is.features, shk_feature_titles, SHK_FEATURE_COUNT,
           "H = 1/2 pᵀM⁻¹p + V(q), constraints g(q) = 0");
  shk_properties_add(properties, section, "initial time", "%.17g", is.initial_time);
  shk_properties_add(properties, section, "time scale", "%.6g", is.time_scale);
  shk_properties_add(properties, section, "horizon", "%.6g", is.horizon);
  shk_properties_add(properties, section, "exact solution", "%s", is.exact ? "known" : "not known");
  for (int i = 0; i < is.invariant_count; i++)
    shk_properties_add(properties, section, "invariant", "%s", is.invariant_names[i]);
  int words = 0;
  while (shk_undecidable_texts[words])
    words++;
  add_bits(properties, section, "cannot decide", is.undecidable, shk_undecidable_texts, words,
           "nothing is known that it cannot decide");
  return true;
}

static bool describe_problem(const struct shk_context *context, struct shk_properties *properties,
                             const struct shk_problem_info *info, const char *text)
{
  shk_properties_add(properties, info->name, "", "%s", info->summary);
  add_text(properties, "equations", info->equations);
  add_text(properties, "coordinates", info->coordinates);
  add_text(properties, "units", info->units);
  add_options(properties, info->options, "", "");
  struct shk_message error = {.text = ""};
  char *problem = shk_canonical_problem(context, text, &error);
  bool ok = problem != NULL;
  /* A problem with mandatory options can still be described by its bare name. */
  if (!problem && strchr(text, '(') == NULL)
    ok = true;
  else if (!problem)
    shk_complain("%s: %s", text, error.text);
  else
    ok = add_inspection(context, properties, problem);
  free(problem);
  add_text(properties, "source", info->citation);
  return ok;
}

/* ---- integrators ---- */

static bool add_claims(const struct shk_context *context, struct shk_properties *properties,
                       const char *integrator)
{
  struct shk_claims c;
  struct shk_message error = {.text = ""};
  if (!shk_claims_of(context, &c, "double", integrator, &error)) {
    shk_complain("%s: %s", integrator, error.text);
    return false;
  }
  shk_properties_add(properties, "claims", "of", "%s", integrator);
  char *others = shk_copy_text("");
  for (int i = 1; i < SHK_CLAIMS; i++) {
    const char *const words = shk_claim_entries[i].words;
    const int value = shk_claim_value(&c, (enum shk_claim)i);
    const bool order = shk_claim_entries[i].order;
    if (value == (order ? SHK_NO_ORDER : (int)SHK_UNKNOWN))
      shk_append_text(&others, "%s%s", *others != '\0' ? ", " : "", words);
    else if (order)
      shk_properties_add(properties, "claims", words, value > 0 ? "%d" : "%d: does not converge",
                         value);
    else
      shk_properties_add(properties, "claims", words, "%s",
                         shk_answer_text((enum shk_answer)value));
  }
  if (*others != '\0')
    shk_properties_add(properties, "claims", "not claimed", "%s", others);
  free(others);
  return true;
}

static bool describe_integrator(const struct shk_context *context,
                                struct shk_properties *properties,
                                const struct shk_integrator_info *info, const char *text)
{
  shk_properties_add(properties, info->name, "", "%s", info->summary);
  add_text(properties, "equations", info->equations);
  add_options(properties, info->options, "", "");
  add_bits(properties, "applies to", "also with", info->supports, shk_feature_titles,
           SHK_FEATURE_COUNT, "nothing beyond H = 1/2 pᵀM⁻¹p + V(q) and g(q) = 0");
  shk_properties_add(properties, "applies to", "steps", "%s",
                     info->exact      ? "none: it is the exact solution"
                     : info->adaptive ? "chosen by the method, from a tolerance"
                                      : "fixed");
  shk_properties_add(properties, "applies to", "precision", "%s",
                     info->double_only ? "double" : "single, double and quad");
  struct shk_message error = {.text = ""};
  char *integrator = shk_canonical_integrator(context, text, &error);
  bool ok = integrator != NULL;
  if (!integrator && strchr(text, '(') == NULL)
    ok = true;
  else if (!integrator)
    shk_complain("%s: %s", text, error.text);
  else if (!info->exact)
    ok = add_claims(context, properties, integrator);
  free(integrator);
  add_text(properties, "source", info->citation);
  return ok;
}

/* ---- other kinds ---- */

static bool describe_study(const struct shk_context *context, struct shk_properties *properties,
                           const char *name, const char *path)
{
  struct shk_message error;
  struct shk_study *study = shk_study_read(context, path, &error);
  if (!study) {
    shk_complain("%s", error.text);
    return false;
  }
  shk_properties_add(properties, name, "", "%s", study->purpose ? study->purpose : "a study");
  shk_properties_add(properties, "file", "", "%s", path);
  shk_properties_add(properties, "text", "", "%s", study->text);
  shk_study_free(study);
  return true;
}

/* ---- solvers ---- */

/* Describes a built-in solver or a plug-in's; returns false if there is none of that name. */
static bool describe_solver(const struct shk_context *context, struct shk_properties *properties,
                            const char *name)
{
  const struct shk_choice *choice = shk_solver_choices;
  while (choice->name && strcmp(choice->name, name) != 0)
    choice++;
  if (choice->name) {
    shk_properties_add(properties, name, "", "%s", choice->meaning);
    add_options(properties, choice->options, "", "");
    return true;
  }
  const struct shk_integrator_info *info;
  for (int i = 0; (info = shk_solver_at(context, i)) != NULL; i++)
    if (strcmp(info->name, name) == 0) {
      shk_properties_add(properties, name, "", "%s", info->summary);
      add_options(properties, info->options, "", "");
      add_text(properties, "source", info->citation);
      return true;
    }
  return false;
}

static void add_name(const char ***names, int *count, const char *name)
{
  *names = shk_grow(*names, (size_t)*count, sizeof **names);
  (*names)[(*count)++] = name;
}

static void complain_unknown(const struct shk_context *context, const char *word)
{
  const char **names = NULL;
  int count = 0, study_count;
  char near[256], **studies = shk_shipped_studies(&study_count);
  const struct shk_problem_info *problem;
  const struct shk_integrator_info *integrator;
  for (int i = 0; (problem = shk_problem_at(context, i)) != NULL; i++)
    add_name(&names, &count, problem->name);
  for (int i = 0; (integrator = shk_integrator_at(context, i)) != NULL; i++)
    add_name(&names, &count, integrator->name);
  for (const struct shk_choice *choice = shk_solver_choices; choice->name; choice++)
    add_name(&names, &count, choice->name);
  for (int i = 0; (integrator = shk_solver_at(context, i)) != NULL; i++)
    add_name(&names, &count, integrator->name);
  for (int i = 0; i < SHK_MEASURES; i++)
    add_name(&names, &count, shk_measures[i].name);
  for (int i = 0; i < study_count; i++)
    add_name(&names, &count, studies[i]);
  shk_nearest(near, sizeof near, word, names, sizeof *names, count);
  if (near[0] != '\0')
    shk_complain("nothing is named '%s'; did you mean %s?", word, near);
  else
    shk_complain("nothing is named '%s'; `shakedown list` shows all", word);
  shk_free_texts(studies, study_count);
  free(names);
}

/* Adds the properties of the thing named. Returns false after an error message. */
static bool fill(const struct shk_context *context, struct shk_properties *properties,
                 const char *text)
{
  struct shk_message error;
  struct shk_spec *spec = shk_spec_parse(text, &error);
  const struct shk_problem_info *problem = spec ? shk_find_problem(context, spec->name) : NULL;
  const struct shk_integrator_info *integrator =
      spec ? shk_find_integrator(context, spec->name) : NULL;
  char *study = !problem && !integrator ? shk_shipped_study(text) : NULL;
  const enum shk_measure_id measure = shk_measure_named(text);
  bool ok = true;
  if (problem)
    ok = describe_problem(context, properties, problem, text);
  else if (integrator)
    ok = describe_integrator(context, properties, integrator, text);
  else if (describe_solver(context, properties, text))
    ok = true;
  else if (measure != SHK_MEASURES)
    shk_properties_add(properties, text, "", "%s", shk_measures[measure].summary);
  else if (study)
    ok = describe_study(context, properties, text, study);
  else if (!spec && strchr(text, '(') != NULL)
    shk_complain("%s", error.text);
  else
    complain_unknown(context, spec ? spec->name : text);
  ok = ok && properties->table.row_count > 0;
  shk_spec_free(spec);
  free(study);
  return ok;
}

static int run(const struct shk_command *command, int argc, char **argv)
{
  struct shk_arguments arguments;
  struct shk_properties properties;
  int status;
  shk_properties_init(&properties);
  if (shk_arguments_read(&arguments, &status, command, NULL, 1, 1, argc, argv)) {
    status = SHK_EXIT_BAD_INPUT;
    if (shk_use_plugins(&arguments) && fill(&arguments.context, &properties, arguments.words[0])) {
      shk_properties_print(&properties, arguments.format);
      status = SHK_EXIT_HELD;
    }
  }
  shk_properties_clear(&properties);
  shk_arguments_clear(&arguments);
  return status;
}

const struct shk_command shk_command_describe = {
    .name = "describe",
    .synopsis = "NAME",
    .summary = "Describes a problem, an integrator, a solver, a measure or a study",
    .help = "NAME may have options, as in 'pendulum(angle=0.7,rate=1.1)': sizes of a problem and\n"
            "claims of an integrator are those with these options.",
    .formats = 1u << SHK_FORMAT_TABLE | 1u << SHK_FORMAT_CSV | 1u << SHK_FORMAT_JSON,
    .run = run};

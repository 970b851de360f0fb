/* shakedown describe: the contents of a descriptor, and the sizes and claims of a problem or an
 * integrator at given parameters. */
#include "cli/commands/list.h"
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

static const char *const kind_words[] = {[SHK_OPTION_REAL] = "number",
                                         [SHK_OPTION_ANGLE] = "angle",
                                         [SHK_OPTION_INTEGER] = "whole number",
                                         [SHK_OPTION_FLAG] = "yes or no",
                                         [SHK_OPTION_CHOICE] = "choice",
                                         [SHK_OPTION_INTEGRATOR] = "an integrator",
                                         [SHK_OPTION_FILE] = "a file",
                                         [SHK_OPTION_PROBLEM] = "a problem",
                                         [SHK_OPTION_TEXT] = "text"};

/* The rules of an option's value: "number, default 1, above 0". The caller frees it. */
static char *option_rules(const struct shk_option *option)
{
  char *text = shk_print_text("%s, %s%s", kind_words[option->kind],
                              option->fallback ? "default " : "must be given",
                              option->fallback ? option->fallback : "");
  if (option->positive && (!option->minimum || strcmp(option->minimum, "0") == 0))
    shk_append_text(&text, ", above 0");
  else if (option->minimum)
    shk_append_text(&text, ", at least %s", option->minimum);
  if (option->maximum)
    shk_append_text(&text, ", at most %s", option->maximum);
  if (option->positional)
    shk_append_text(&text, ", may be given without its name");
  return text;
}

/* Adds options; `before` and `after` are "", or surround the options of a choice: "start=random(",
 * ")". */
static void add_options(struct shk_table *properties, const struct shk_option *options,
                        const char *before, const char *after)
{
  for (; options && options->name; options++) {
    char *rules = option_rules(options), *name = shk_print_text("%s%s", before, options->name);
    char *whole = shk_print_text("%s%s", name, after), *closed = shk_print_text(")%s", after);
    shk_property(properties, "options", whole, "%s\n%s", rules,
                 options->meaning ? options->meaning : "");
    for (const struct shk_choice *choice = options->choices; choice && choice->name; choice++) {
      char *label = shk_print_text("%s=%s%s", name, choice->name, after);
      char *open = shk_print_text("%s=%s(", name, choice->name);
      shk_property(properties, "options", label, "%s", choice->meaning ? choice->meaning : "");
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

static void add_text(struct shk_table *properties, const char *section, const char *text)
{
  if (text && *text != '\0')
    shk_property(properties, section, "", "%s", text);
}

/* ---- problems ---- */

static void add_bits(struct shk_table *properties, const char *section, const char *name,
                     unsigned bits, const char *const *words, int count, const char *none)
{
  char *text = shk_copy_text("");
  for (int i = 0; i < count; i++)
    if (bits & 1u << i)
      shk_append_text(&text, "%s%s", *text != '\0' ? "\n" : "", words[i]);
  shk_property(properties, section, name, "%s", *text != '\0' ? text : none);
  free(text);
}

/* Adds the properties of a specification, which is canonical. Returns false after an error
 * message. */
typedef bool adder(const struct shk_context *context, struct shk_table *properties,
                   const char *spec);

/* Adds the properties that depend on parameters, unless mandatory ones are missing from a bare
 * name. `spec` is canonical or, with the error, NULL; it is freed. */
static bool add_at_parameters(const struct shk_context *context, struct shk_table *properties,
                              const char *text, char *spec, adder *add,
                              const struct shk_message *error)
{
  const bool ok = spec ? add(context, properties, spec)
                       : strchr(text, '(') == NULL || shk_complain("%s: %s", text, error->text);
  free(spec);
  return ok;
}

static bool add_inspection(const struct shk_context *context, struct shk_table *properties,
                           const char *problem)
{
  static const char section[] = "at these parameters";
  struct shk_inspection is;
  struct shk_message error = {.text = ""};
  if (!shk_inspect(context, &is, "double", problem, &error))
    return shk_complain("%s: %s", problem, error.text);
  shk_property(properties, section, "specification", "%s", problem);
  shk_property(properties, section, "coordinates", "%d", is.n);
  shk_property(properties, section, "constraints", "%d", is.m);
  add_bits(properties, section, "features", is.features, shk_feature_titles, SHK_FEATURE_COUNT,
           "H = 1/2 pᵀM⁻¹p + V(q), constraints g(q) = 0");
  shk_property(properties, section, "initial time", "%.17g", is.initial_time);
  shk_property(properties, section, "time scale", "%.6g", is.time_scale);
  shk_property(properties, section, "horizon", "%.6g", is.horizon);
  shk_property(properties, section, "exact solution", "%s", is.exact ? "known" : "not known");
  for (int i = 0; i < is.invariant_count; i++)
    shk_property(properties, section, "invariant", "%s", is.invariant_names[i]);
  int words = 0;
  while (shk_undecidable_texts[words])
    words++;
  add_bits(properties, section, "cannot decide", is.undecidable, shk_undecidable_texts, words,
           "nothing is known that it cannot decide");
  return true;
}

static bool describe_problem(const struct shk_context *context, struct shk_table *properties,
                             const struct shk_problem_info *info, const char *text)
{
  shk_property(properties, info->name, "", "%s", info->summary);
  add_text(properties, "equations", info->equations);
  add_text(properties, "coordinates", info->coordinates);
  add_text(properties, "units", info->units);
  add_options(properties, info->options, "", "");
  struct shk_message error = {.text = ""};
  char *const problem = shk_canonical_problem(context, text, &error);
  const bool ok = add_at_parameters(context, properties, text, problem, add_inspection, &error);
  add_text(properties, "source", info->citation);
  return ok;
}

/* ---- integrators ---- */

static bool add_claims(const struct shk_context *context, struct shk_table *properties,
                       const char *integrator)
{
  struct shk_claims c;
  struct shk_message error = {.text = ""};
  if (shk_find_integrator(context, integrator)->exact)
    return true;
  if (!shk_claims_of(context, &c, "double", integrator, &error))
    return shk_complain("%s: %s", integrator, error.text);
  shk_property(properties, "claims", "of", "%s", integrator);
  char *others = shk_copy_text("");
  for (int i = 1; i < SHK_CLAIMS; i++) {
    const char *const words = shk_claim_entries[i].words;
    const int value = shk_claim_value(&c, (enum shk_claim)i);
    const bool order = shk_claim_entries[i].order;
    if (value == (order ? SHK_NO_ORDER : (int)SHK_UNKNOWN))
      shk_append_text(&others, "%s%s", *others != '\0' ? ", " : "", words);
    else if (order)
      shk_property(properties, "claims", words, value > 0 ? "%d" : "%d: does not converge", value);
    else
      shk_property(properties, "claims", words, "%s", shk_answer_text((enum shk_answer)value));
  }
  if (*others != '\0')
    shk_property(properties, "claims", "not claimed", "%s", others);
  free(others);
  return true;
}

static bool describe_integrator(const struct shk_context *context, struct shk_table *properties,
                                const struct shk_integrator_info *info, const char *text)
{
  shk_property(properties, info->name, "", "%s", info->summary);
  add_text(properties, "equations", info->equations);
  add_options(properties, info->options, "", "");
  add_bits(properties, "applies to", "also with", info->supports, shk_feature_titles,
           SHK_FEATURE_COUNT, "nothing beyond H = 1/2 pᵀM⁻¹p + V(q) and g(q) = 0");
  shk_property(properties, "applies to", "steps", "%s",
               info->exact      ? "none: it is the exact solution"
               : info->adaptive ? "chosen by the method, from a tolerance"
                                : "fixed");
  shk_property(properties, "applies to", "precision", "%s",
               info->double_only ? "double" : "single, double and quad");
  struct shk_message error = {.text = ""};
  char *const integrator = shk_canonical_integrator(context, text, &error);
  const bool ok = add_at_parameters(context, properties, text, integrator, add_claims, &error);
  add_text(properties, "source", info->citation);
  return ok;
}

/* ---- other kinds ---- */

static bool describe_study(const struct shk_context *context, struct shk_table *properties,
                           const char *name, const char *path)
{
  struct shk_message error;
  struct shk_study *study = shk_study_read(context, path, &error);
  if (!shk_accept(study, &error))
    return false;
  shk_property(properties, name, "", "%s", study->purpose ? study->purpose : "a study");
  shk_property(properties, "file", "", "%s", path);
  shk_property(properties, "text", "", "%s", study->text);
  shk_study_free(study);
  return true;
}

/* ---- solvers ---- */

/* Describes a built-in solver or a plug-in's; returns false if there is none of that name. */
static bool describe_solver(const struct shk_context *context, struct shk_table *properties,
                            const char *name)
{
  for (const struct shk_choice *choice = shk_solver_choices; choice->name; choice++)
    if (strcmp(choice->name, name) == 0) {
      shk_property(properties, name, "", "%s", choice->meaning);
      add_options(properties, choice->options, "", "");
      return true;
    }
  const struct shk_integrator_info *info;
  for (int i = 0; (info = shk_solver_at(context, i)) != NULL; i++)
    if (strcmp(info->name, name) == 0) {
      shk_property(properties, name, "", "%s", info->summary);
      add_options(properties, info->options, "", "");
      add_text(properties, "source", info->citation);
      return true;
    }
  return false;
}

struct names {
  int count;
  char **all;
};

static void add_name(void *user, const char *kind, const char *name, const char *summary)
{
  struct names *const names = user;
  (void)kind;
  (void)summary;
  *SHK_APPEND(names->all, names->count) = shk_copy_text(name);
}

static void complain_unknown(const struct shk_context *context, const char *word)
{
  struct names names = {0};
  char near[256];
  shk_each_name(context, add_name, &names);
  shk_nearest(near, sizeof near, word, names.all, sizeof *names.all, names.count);
  if (near[0] != '\0')
    shk_complain("nothing is named '%s'; did you mean %s?", word, near);
  else
    shk_complain("nothing is named '%s'; `shakedown list` shows all", word);
  shk_free_texts(names.all, names.count);
}

/* Adds the properties of the thing named. Returns false after an error message. */
static bool fill(const struct shk_context *context, struct shk_table *properties, const char *text)
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
    shk_property(properties, text, "", "%s", shk_measures[measure].summary);
  else if (study)
    ok = describe_study(context, properties, text, study);
  else if (!spec && strchr(text, '(') != NULL)
    shk_complain("%s", error.text);
  else
    complain_unknown(context, spec ? spec->name : text);
  ok = ok && properties->row_count > 0;
  shk_spec_free(spec);
  free(study);
  return ok;
}

static int run(void *self)
{
  const struct shk_arguments *const arguments = self;
  struct shk_table properties = {0};
  const bool ok = fill(&arguments->context, &properties, arguments->words[0]);
  if (ok)
    shk_properties_print(&properties, arguments->format);
  shk_table_clear(&properties);
  return ok ? SHK_EXIT_HELD : SHK_EXIT_BAD_INPUT;
}

const struct shk_command shk_command_describe = {
    .name = "describe",
    .synopsis = "NAME",
    .summary = "Describes a problem, an integrator, a solver, a measure or a study",
    .help = "NAME may have options, as in 'pendulum(angle=0.7,rate=1.1)': sizes of a problem and\n"
            "claims of an integrator are those with these options.",
    .formats = SHK_DATA,
    .line = {1, 1, 0, NULL},
    .does = {sizeof(struct shk_arguments), run, NULL}};

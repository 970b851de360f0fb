/* shakedown describe: prints the contents of a descriptor. For a problem or an integrator, this
 * includes the dimensions or the claims that result from the given parameters. */
#include "cli/commands/list.h"
#include "cli/shared/install_paths.h"
#include "cli/shared/options.h"
#include "cli/shared/output/properties.h"

#include "engine/names.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "foundation/specifications/claims.h"
#include "foundation/specifications/spec.h"
#include "harness/study/study.h"
#include <shakedown/solve.h>

#include <stdlib.h>
#include <string.h>

struct describe {
  struct shk_arguments arguments;
  bool yaml;
};

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

/* Describes an option's valid values, for example as "number, default 1, above 0". The caller frees
 * the string. */
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
    shk_append_text(&text, "; its name may be omitted");
  return text;
}

/* Begins a section and, if the section has a text, adds it. */
static void add_text(struct shk_properties *p, const char *section, const char *text)
{
  p->section = section;
  if (text && *text != '\0')
    shk_property(p, "", "%s", text);
}

/* Adds options. The options of a choice are enclosed by `before` and `after`, such as
 * "start=random(" and ")". Both are "" at the top level. */
static void add_options(struct shk_properties *p, const struct shk_option *options,
                        const char *before, const char *after)
{
  for (; options && options->name; options++) {
    char *rules = option_rules(options), *name = shk_print_text("%s%s", before, options->name);
    char *whole = shk_print_text("%s%s", name, after), *closed = shk_print_text(")%s", after);
    p->section = "options";
    shk_property(p, whole, "%s\n%s", rules, options->meaning ? options->meaning : "");
    for (const struct shk_choice *choice = options->choices; choice && choice->name; choice++) {
      char *label = shk_print_text("%s=%s%s", name, choice->name, after);
      char *open = shk_print_text("%s=%s(", name, choice->name);
      shk_property(p, label, "%s", choice->meaning ? choice->meaning : "");
      add_options(p, choice->options, open, closed);
      free(open);
      free(label);
    }
    free(closed);
    free(whole);
    free(name);
    free(rules);
  }
}

/* ---- problems ---- */

/* Adds a problem's descriptor, as well as the dimensions that result from the parameters in `text`.
 * If `text` is the bare name of a problem that has mandatory parameters, the dimensions are
 * omitted. Otherwise, missing parameters are an error. On failure, prints an error message and
 * returns false. */
static bool describe_problem(const struct shk_context *context, struct shk_properties *p,
                             const struct shk_problem_info *info, const char *text)
{
  add_text(p, info->name, info->summary);
  add_text(p, "equations", info->equations);
  add_text(p, "coordinates", info->coordinates);
  add_text(p, "units", info->units);
  add_options(p, info->options, "", "");
  struct shk_message error = {""};
  struct shk_inspection is;
  char *const problem = shk_canonical_problem(context, text, &error);
  const bool ok = problem && shk_inspect(context, &is, "double", problem, &error);
  if (ok) {
    p->section = "at these parameters";
    shk_property(p, "specification", "%s", problem);
    shk_property_inspection(p, &is);
  }
  add_text(p, "source", info->citation);
  const bool bare = !problem && strchr(text, '(') == NULL;
  free(problem);
  return ok || bare || shk_complain("%s: %s", text, error.text);
}

/* ---- integrators ---- */

static void add_claims(struct shk_properties *p, const struct shk_claims *claims,
                       const char *integrator)
{
  p->section = "claims";
  shk_property(p, "of", "%s", integrator);
  char *others = NULL;
  for (int i = 1; i < SHK_CLAIMS; i++) {
    const char *const words = shk_claim_entries[i].words;
    const int value = shk_claim_value(claims, (enum shk_claim)i);
    const bool order = shk_claim_entries[i].order;
    if (value == (order ? SHK_NO_ORDER : (int)SHK_UNKNOWN))
      shk_append_text(&others, "%s%s", others ? ", " : "", words);
    else if (order)
      shk_property(p, words, value > 0 ? "%d" : "%d: does not converge", value);
    else if (shk_claim_level(claims, (enum shk_claim)i) > 0)
      shk_property(p, words, "to %g", shk_claim_level(claims, (enum shk_claim)i));
    else
      shk_property(p, words, "%s", value == SHK_YES ? "yes" : "no");
  }
  if (others)
    shk_property(p, "not claimed", "%s", others);
  free(others);
}

/* Like describe_problem, but for an integrator. */
static bool describe_integrator(const struct shk_context *context, struct shk_properties *p,
                                const struct shk_integrator_info *info, const char *text)
{
  add_text(p, info->name, info->summary);
  add_text(p, "in textbooks", info->textbook);
  add_text(p, "equations", info->equations);
  add_options(p, info->options, "", "");
  p->section = "applies to";
  shk_property_bits(p, "also with", info->supports, shk_feature_titles,
                    "only H = 1/2 pᵀM⁻¹p + V(q) and g(q) = 0");
  shk_property(p, "steps", "%s",
               info->exact      ? "none: this is the exact solution"
               : info->adaptive ? "chosen by the method, from a tolerance"
                                : "fixed");
  struct shk_message error = {""};
  struct shk_claims claims = {.double_only = info->double_only};
  char *const integrator = shk_canonical_integrator(context, text, &error);
  const bool ok =
      integrator && (info->exact || shk_claims_of(context, &claims, "double", integrator, &error));
  shk_property(p, "precision", "%s",
               info->in_single      ? "single"
               : claims.double_only ? "double"
                                    : "single, double and quad");
  if (ok && !info->exact)
    add_claims(p, &claims, integrator);
  add_text(p, "source", info->citation);
  const bool bare = !integrator && strchr(text, '(') == NULL;
  free(integrator);
  return ok || bare || shk_complain("%s: %s", text, error.text);
}

/* ---- other kinds ---- */

static bool describe_study(const struct shk_context *context, struct shk_properties *p,
                           const char *name, const char *path)
{
  struct shk_message error;
  struct shk_study *study = shk_study_read(context, path, NULL, &error);
  if (!shk_accept(study, &error))
    return false;
  add_text(p, name, study->purpose ? study->purpose : "a study");
  add_text(p, "file", path);
  add_text(p, "text", study->text);
  shk_study_free(study);
  return true;
}

/* ---- solvers ---- */

/* Adds the properties of a solver, which can be built in or part of a plug-in. Returns false if
 * there is no solver with the given name. */
static bool describe_solver(const struct shk_context *context, struct shk_properties *p,
                            const char *name)
{
  const struct shk_choice *choice = shk_solver_choices;
  while (choice->name && strcmp(choice->name, name) != 0)
    choice++;
  const struct shk_integrator_info *const info =
      choice->name ? NULL : shk_find_item(context, SHK_OPTION_CHOICE, name).info;
  if (!choice->name && !info)
    return false;
  add_text(p, name, info ? info->summary : choice->meaning);
  add_options(p, info ? info->options : choice->options, "", "");
  add_text(p, "source", info ? info->citation : NULL);
  return true;
}

static void add_name(void *user, const struct shk_listed_name *name)
{
  shk_index_text(user, name->name);
}

static bool complain_unknown(const struct shk_context *context, const char *word)
{
  const char *const measure = shk_measure_of(word);
  struct shk_index names = {0};
  char near[256];
  if (measure)
    return shk_complain("'%s' is part of the measure %s", word, measure);
  shk_each_name(context, add_name, &names);
  shk_nearest(near, sizeof near, word, names.texts, sizeof *names.texts, names.count);
  shk_index_clear(&names);
  return near[0] != '\0'
             ? shk_complain("nothing is named '%s'; did you mean %s?", word, near)
             : shk_complain("nothing is named '%s'; `shakedown list` shows all names", word);
}

/* Adds the properties of the problem, integrator, solver, measure or study with the given name. On
 * failure, prints an error message and returns false. */
static bool fill_describe(const struct shk_context *context, struct shk_properties *p,
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
    ok = describe_problem(context, p, problem, text);
  else if (integrator)
    ok = describe_integrator(context, p, integrator, text);
  else if (describe_solver(context, p, text))
    ok = true;
  else if (measure != SHK_MEASURES)
    add_text(p, text, shk_measures[measure].summary);
  else if (study)
    ok = describe_study(context, p, text, study);
  else if (!spec && strchr(text, '(') != NULL)
    ok = shk_complain("%s", error.text);
  else
    ok = complain_unknown(context, spec ? spec->name : text);
  shk_spec_free(spec);
  free(study);
  return ok;
}

/* Prints a problem in the format of a problem file. */
static bool print_file(const struct shk_context *context, const char *problem)
{
  struct shk_message error = {""};
  char *const file = shk_engine_f64.file(context, problem, &error);
  const bool ok = shk_accept(file, &error) && fputs(file, stdout) >= 0;
  free(file);
  return ok;
}

static int run_describe(void *self)
{
  const struct describe *const d = self;
  const struct shk_context *const context = &d->arguments.context;
  const char *const name = d->arguments.words[0];
  struct shk_properties properties = {0};
  const bool ok = d->yaml ? print_file(context, name) : fill_describe(context, &properties, name);
  if (ok && !d->yaml)
    shk_properties_print(&properties, d->arguments.format);
  shk_table_clear(&properties.table);
  return ok ? SHK_EXIT_HELD : SHK_EXIT_BAD_INPUT;
}

static const struct shk_flag flags[] = {
    SHK_SWITCH("yaml", 0, offsetof(struct describe, yaml),
               "print a random system or a mechanism as a file"),
    {0}};

const struct shk_command shk_command_describe = {
    .name = "describe",
    .synopsis = "NAME [--yaml]",
    .summary = "Describes a problem, an integrator, a solver, a measure or a study",
    .help = "NAME can include options, as in 'pendulum(angle=0.7,rate=1.1)'. The size of a\n"
            "problem and the claims of an integrator are then shown for these options.",
    .formats = SHK_DATA,
    .line = {1, 1, 0, flags},
    .does = {sizeof(struct describe), run_describe, NULL}};

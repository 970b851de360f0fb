/*
 * Reads the runs, figures and specifications of a study. This header is private to harness/study/.
 *
 * A value in a run may be a choice:
 *
 *   $name                                 the value of that name under `names`
 *   {brief: …, default: …, thorough: …}   chosen by the budget, as the largest key within it
 *   {fixed: …, adaptive: …}               chosen by the kind of method
 *   {order 0: …, order 3: …}              chosen by the method's order, as the highest key that
 *                                         does not exceed it
 *
 * If no key qualifies, the smallest of all keys is chosen. The order is the larger of the orders
 * claimed for q and p. It is 0 if no order is claimed or if the method is adaptive.
 */
#ifndef HARNESS_STUDY_STUDY_RUNS_H
#define HARNESS_STUDY_STUDY_RUNS_H

#include "harness/study/study.h"
#include "harness/study/study_numbers.h"

/* ---- choices ---- */

enum { SHK_MOST_DRAWS = 6 };

/* A class of methods for which all choices select the same values. */
struct shk_method_class {
  bool adaptive;
  int order;
  bool in_quad;
  struct shk_claims claims; /* claims of one of the class's methods, in its finest precision */
};

struct shk_study_choices {
  /* the study that is being read; its runs are complete by the time figures are read */
  const struct shk_study *study;
  struct fy_node *names; /* NULL if there are none */
  struct shk_study_settings settings;
  int draw; /* 0-based index of the repetition of a run with different random systems */
  struct shk_method_class class;
  int in_name;          /* the number of names within which the current item is nested */
  bool by_method;       /* set to true whenever the choice of a value depends on the method */
  bool several_studies; /* if true, methods and problems need not appear in the runs */
};

/* Returns the choices of the study that is being read. */
static inline struct shk_study_choices *shk_choices(const struct shk_yaml *yaml)
{
  return yaml->choices;
}

/* Returns the value selected by a choice, or any other value unchanged. On failure, sets the
 * message and returns NULL. This function is used as the member `choose` of a struct shk_yaml whose
 * `choices` member points to a struct shk_study_choices. */
struct fy_node *shk_choose_value(const struct shk_yaml *yaml, struct fy_node *value);
/* The words for enum shk_budget, terminated by NULL. */
extern const char *const shk_budget_words[];
/* Table entry for the key `budget`, which stores an enum shk_budget at the given offset. */
#define SHK_BUDGET_KEY(at)                                                                         \
  {                                                                                                \
    .name = "budget", .read = shk_read_word, .words = shk_budget_words,                            \
    .expected = "brief, default or thorough", .offset = at                                         \
  }
/* Returns true for a scalar that begins with "$". */
bool shk_is_choice(const struct fy_node *node);
typedef bool shk_text_reader(const struct shk_yaml *yaml, struct fy_node *node, const char *text,
                             void *into);
/* Calls `text` for every integrator that needs no options, with or without the exact solution. */
bool shk_each_method(const struct shk_yaml *yaml, struct fy_node *node, bool with_exact,
                     shk_text_reader *text, void *into);
/* Reads a node `$name`. Calls `text` for each specification that a command has assigned to the
 * name, or `item` for each node in the name's list under `names`. On failure, sets the message and
 * returns false. */
bool shk_read_named(const struct shk_yaml *yaml, struct fy_node *node, shk_text_reader *text,
                    shk_yaml_reader *item, void *into);
/* Replaces $seed0 … $seed15 in a specification with sixteen seeds. Different values of the study's
 * `seed` and different repetitions do not share any of these seeds. Takes ownership of `text`. The
 * caller frees the result. */
char *shk_with_seeds(const struct shk_study_choices *choices, char *text);

/* Determines the class of a method. On failure, sets the message and returns false. */
bool shk_method_class(struct shk_method_class *class, const struct shk_yaml *yaml,
                      const struct fy_node *node, const char *integrator);

/* ---- runs, figures, specifications ---- */

/* Reads the value of `runs` into a study. On failure, the study contains the runs that were read
 * before the error. */
shk_yaml_reader shk_read_runs;
/* Reads a run using the current choices and adds it to the study. The study owns the run even if
 * reading fails. */
bool shk_read_run(const struct shk_yaml *yaml, struct fy_node *item, struct shk_study *study);
void shk_run_clear(struct shk_study_run *run);
/* Read `problems` into a run, and `integrators` into a `struct shk_index`. */
shk_yaml_reader shk_read_problems, shk_read_integrators;
/* Reads a list item into a `struct shk_index`. The item must be one of the key's words. Former
 * names are replaced by their current names. */
shk_yaml_reader shk_read_known;
/* Read the conditions, sweeps, exclusions and members of a run. The run's problems must already
 * have been read. */
shk_yaml_reader shk_read_where, shk_read_sweeps, shk_read_exclusion, shk_read_members;

/* Read the values of `figures`, `labels`, `style` and `range` into a study, and the value of `font`
 * into a bool. The study's runs must already have been read. */
shk_yaml_reader shk_read_figures, shk_read_labels, shk_read_styles, shk_read_ranges, shk_read_font;
/* Reads the value of `bands` into a study. */
shk_yaml_reader shk_read_bands;
void shk_figure_clear(struct shk_study_figure *figure);
void shk_study_style_clear(struct shk_study *study);

/* Returns the canonical specification of a problem (if `problem` is true) or an integrator. The
 * caller frees it. On failure, sets the message and returns NULL. */
char *shk_read_canonical(const struct shk_yaml *yaml, const struct fy_node *node, const char *text,
                         bool problem);
/* Returns a pattern, which the caller frees. For a bare name, the pattern is "name(*)", which
 * matches any options. Otherwise, it is the canonical specification. If the pattern matches no
 * problem (or integrator) of the runs, sets the message and returns NULL. */
char *shk_read_pattern(const struct shk_yaml *yaml, const struct fy_node *node, const char *text,
                       bool problem, const struct shk_study_run *runs, int count);
/* Returns true if the pattern matches the given canonical specification. */
bool shk_is_meant(const char *pattern, const char *specification);
/* Returns the canonical specification with the option set. The caller frees it. On failure, sets
 * the message and returns NULL. */
char *shk_with_option(const struct shk_yaml *yaml, const struct fy_node *node, const char *spec,
                      const char *option, const char *value, bool problem);

/* The last fields of the key-table entry for a kick's seed. */
#define SHK_KICK_KEY "a seed from 1 to 999999999", .least = 1, .most = 999999999

/* Adds a start to the problems of the run, which takes ownership of it. If the start is a
 * duplicate, clears it and returns false. */
bool shk_add_start(struct shk_study_run *run, struct shk_cell *start);

#endif

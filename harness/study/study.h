/*
 * Reads study files from YAML into structs. Every error message gives the file and the line, and
 * states what was found and what was expected. All specifications and numbers are converted to
 * canonical form.
 */
#ifndef HARNESS_STUDY_STUDY_H
#define HARNESS_STUDY_STUDY_H

#include "engine/context.h"
#include "foundation/index.h"
#include "foundation/message.h"
#include "foundation/specifications/cell.h"
#include "harness/study/decimal.h"
#include "measures/quantity.h"
#include <stdbool.h>
#include <stddef.h>

enum shk_sweep_kind { SHK_STEPS_NATURAL, SHK_STEPS_LIST, SHK_STEPS_PARTS };

/* Thresholds for a study of singular systems. A state counts as wrong if its values exceed the
 * thresholds (harness/analysis/singular.h defines the quantities). */
struct shk_singular_limits {
  bool asked; /* true if the study has thresholds; otherwise outcomes are not classified */
  double error, branch, growth;
};

/* The steps are largest/part or, if of_until is true, (until/largest)/part. */
struct shk_step_parts {
  bool of_until;
  struct shk_decimal largest;
  struct shk_numbers parts; /* in ascending order */
};

/* Pairs that a run excludes. Each member is a canonical specification, "name(*)" for all
 * specifications with this name, or NULL for all problems or all integrators. */
struct shk_exclusion {
  char *problem, *integrator;
};

struct shk_study_run {
  int line;
  /* true if the run inherits keys from another run; some of the inherited keys may have no effect
   * here */
  bool is_like;
  int problem_count, exclude_count;
  /* problems with their initial states; sweeps have been expanded, as for the integrators */
  struct shk_cell *problems;
  struct shk_index starts;       /* distinct initial states of the problems */
  struct shk_index integrators;  /* canonical specifications */
  enum shk_sweep_kind step_kind; /* natural is the default */
  struct shk_numbers steps;      /* in descending order; halvings have been expanded exactly */
  struct shk_step_parts parts;   /* for SHK_STEPS_PARTS */
  struct shk_numbers tolerances; /* in descending order; if empty, the default is used */
  /* if only one step is used, the divisor of the coarsest natural step; 0 selects all natural
   * steps */
  int natural_divisor;
  struct shk_decimal until; /* horizon; zero selects the natural horizon */
  /* horizon as a multiple of each problem's time scale; zero if not given */
  struct shk_decimal until_scales;
  /* number of digits to which the horizon is rounded; 0 selects the default */
  int until_digits;
  /* if true, the horizon is limited to the problem's natural horizon */
  bool within_natural;
  struct shk_numbers times; /* in ascending order; if empty, the default is used */
  /* number of evenly spaced times that replace `times`; 0 if not given */
  int even_times;
  bool supported_only;         /* if true, pairs that would be refused are omitted */
  struct shk_index precisions; /* "double" by default */
  struct shk_index measures;   /* all measures of runs, by default */
  /* true if the study names the measures, false if they are the default */
  bool measures_named;
  struct shk_exclusion *excludes;
  /* limits on a cell, where a megabyte is 2^20 bytes; 0 selects the default */
  double seconds, megabytes;
  int steps_line, until_line, times_line; /* line numbers for messages; 0 if the key is not given */
  struct shk_singular_limits singular;
};

/* Position of the legend. NEAREST means inside the panel if there is room, or else below it. */
enum shk_legend_place {
  SHK_LEGEND_NEAREST,
  SHK_LEGEND_INSIDE,
  SHK_LEGEND_BELOW,
  SHK_LEGEND_RIGHT,
  SHK_LEGEND_AT_ENDS,
  SHK_LEGEND_IN_CAPTION
};

/* What varies along a row or a column of a figure: nothing, the problems, or the parts of the
 * figure kind. For the kinds `parameter` and `invariants`, the parts are quantities. */
struct shk_varied {
  enum { SHK_VARIES_NOTHING, SHK_VARIES_PROBLEMS, SHK_VARIES_PARTS } what;
  /* names of parts, or patterns for problems; an empty list means all selected problems */
  struct shk_index of;
};

/* A line that a study adds to a figure, at a constant x or y. The other coordinate is NaN. */
struct shk_study_line {
  double x, y;
  char *label; /* NULL if it has none */
};

struct shk_study_figure {
  const char *kind; /* NULL if the panels state their own kinds */
  char *name;       /* base name of the figure's files; NULL means the name of the kind */
  /* text at the beginning of the caption; NULL if it begins with the kind and the problems */
  char *caption;
  /* notes that a report prints below the figure; NULL if there are none */
  char *notes;
  struct shk_index problems, integrators; /* an empty list selects everything (shk_selects) */
  const char *precision;                  /* NULL selects every precision */
  /* NULL selects the step that most methods have in common */
  char *step;
  char *until; /* if NULL, all horizons are drawn */
  /* axes of phase and trajectory figures: "q1", …, "t"; NULL selects the default */
  char *axes[2];
  /* once the figure has been read, these become the parts of `across` or `down` */
  struct shk_index quantities;
  struct shk_varied across, down;
  enum shk_scale { SHK_SCALE_NATURAL, SHK_SCALE_LINEAR, SHK_SCALE_LOGARITHMIC } scale;
  /* scale of the horizontal axis in figures that show a quantity over the run */
  enum shk_scale time;
  double width; /* in cm; 0 selects the default */
  int legend;   /* enum shk_legend_place */
  int per_row;  /* number of panels per row; 0 selects the default */
  int line_count, panel_count;
  struct shk_study_line *lines;
  struct shk_study_figure *panels; /* panels, if the figure has no kind of its own */
};

/* The appearance of a method in figures. Members that are NULL or -1 are not set. */
struct shk_study_style {
  char *of;                /* canonical specification or bare name */
  char *colour;            /* a colour word or "#rrggbb" */
  const char *mark, *line; /* words from shk_mark_words and shk_line_words */
  int hollow, on_top;      /* 0 for no, 1 for yes */
};

/* Axis ranges for a figure kind. NaN means that a limit is not given. */
struct shk_study_range {
  const char *kind;
  double x[2], y[2];
};

/* Label for a method or a problem in figures. */
struct shk_study_label {
  char *of; /* canonical specification, or a bare name */
  char *text;
};

/* A band that the study states for values in its baseline (harness/check/stated_bands.h). */
struct shk_study_band {
  char *of;               /* name of the values, such as "work-factorizations of rattle" */
  char *within, *because; /* the band, as written in the file, and the reason for it */
  int line;
};

struct shk_study {
  /* context for specifications; the files that they name are in the context's folder */
  struct shk_context context;
  char *folder; /* name of the context's folder if the study owns it; NULL if the caller does */
  /* `purpose` can be NULL; `text` contains the contents of the file */
  char *name, *purpose, *path, *text;
  int run_count, figure_count, label_count, style_count, range_count, band_count;
  struct shk_study_run *runs;
  struct shk_study_figure *figures;
  struct shk_study_label *labels;
  struct shk_study_style *styles;
  struct shk_study_range *ranges;
  struct shk_study_band *bands;
  bool serif; /* if true, figures use a serif font */
};

/* The figure kinds, terminated by NULL. The names of measures are in measures/quantity.h. */
extern const char *const shk_figure_names[];
/* The parts of each figure kind, as a string of words separated by blanks; terminated by NULL. */
extern const char *const shk_figure_parts[];
/* The words for colours, marks and lines in figures, as in plots/kinds/page.gp. Each list is
 * terminated by NULL. */
extern const char *const shk_colour_words[], *const shk_mark_words[], *const shk_line_words[];

/* The possible budgets of a study, which limit how much work it does. */
enum shk_budget { SHK_BUDGET_BRIEF, SHK_BUDGET_DEFAULT, SHK_BUDGET_THOROUGH };

/* The specifications to which a study refers as `$name`. */
struct shk_study_name {
  const char *name;
  int count;
  const char *const *texts;
};

/* Study settings that come from a command and override those in the file. */
struct shk_study_settings {
  enum shk_budget budget;
  long seed;
  int name_count;
  const struct shk_study_name *names; /* values for the names in shk_study_names */
};

/* The names that a command can set, terminated by NULL. If the first name, "method", is not set, it
 * represents all integrators that need no options, except the exact solution. Any other name that
 * is not set represents no problems. */
extern const char *const shk_study_names[];

/* Reads a study file of at most 1 MiB. YAML aliases are rejected. The context must outlive the
 * study. Files that problems name are looked up in the study's folder if `settings` is NULL, or
 * else in the context's folder. On failure, returns NULL and sets the reason. */
struct shk_study *shk_study_read(const struct shk_context *context, const char *path,
                                 const struct shk_study_settings *settings,
                                 struct shk_message *error);
/* Like shk_study_read, but appends the line `kick: SEED` to the contents of the file before parsing
 * them. */
struct shk_study *shk_study_read_kicked(const struct shk_context *context, const char *path,
                                        long seed, struct shk_message *error);
/* Reads a study from a string of the given length, for example one taken from a store. `path` is
 * used only for messages. Files that problems name are looked up in the context's folder. */
struct shk_study *shk_study_parse(const struct shk_context *context, const char *text,
                                  size_t length, const char *path, struct shk_message *error);
void shk_study_free(struct shk_study *study);

/* Finds a method's claims in its finest precision, and sets *in_quad to whether that precision is
 * quad. For methods that work only in double, the finest precision is double. Such methods are
 * marked in their descriptor, or claim an order for q in double but not in quad. On failure,
 * returns false and sets the reason. */
bool shk_finest_claims(const struct shk_context *context, struct shk_claims *claims, bool *in_quad,
                       const char *integrator, struct shk_message *error);
/* Returns true if the integrator supports all features of the problem and does not refuse a short
 * run of it. */
bool shk_pair_applies(const struct shk_context *context, const char *problem,
                      const char *integrator);

/* Lists the problems that need no options and have at most `most` coordinates. If only_of_plugins
 * is true, lists only those that plug-ins provide. */
void shk_small_problems(struct shk_index *list, const struct shk_context *context,
                        bool only_of_plugins, int most);

/* Returns true if this is a valid name for a study. */
bool shk_is_study_name(const char *text);
/* Returns true if the run excludes the given pair of canonical specifications. */
bool shk_run_excludes(const struct shk_study_run *run, const char *problem, const char *integrator);
/* Returns true if a figure's list selects the given canonical specification. The elements of the
 * list are canonical specifications, or "name(*)" for all specifications with that name. An empty
 * list selects all specifications. */
bool shk_selects(const struct shk_index *list, const char *specification);
/* Returns the string that represents a specification in figures; the caller frees it. The string is
 * the specification's label, the label of its bare name followed by its options, or the
 * specification itself. */
char *shk_study_shown(const struct shk_study *study, const char *specification);
/* Returns an integrator's appearance in figures. Settings for its full specification take
 * precedence over settings for its bare name. */
struct shk_study_style shk_study_look(const struct shk_study *study, const char *integrator);
/* Reads a file with the keys style, range, labels and font. Each key replaces the corresponding key
 * of the study. Several studies may share the file, so it may name methods that this study does not
 * run. On failure, returns false and sets the reason. */
bool shk_study_restyle(struct shk_study *study, const char *path, struct shk_message *error);
/* Returns the option with the given name of a problem (if `problem` is true) or an integrator.
 * Returns NULL if there is none. */
const struct shk_option *shk_option_of(const struct shk_context *context, const char *spec,
                                       bool problem, const char *name);
/* Returns a copy of a specification with one option removed. The caller frees the copy. */
char *shk_without_option(const char *spec, const char *option);
bool shk_run_measures(const struct shk_study_run *run, enum shk_measure_id measure);
/* Returns all measures of a run as a bit mask. */
unsigned long shk_measures_of_run(const struct shk_study_run *run);

#endif

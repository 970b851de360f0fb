/*
 * Reads study files from YAML into structs. Every error is reported with the file, the line, what
 * was found and what was expected. After reading, specifications and numbers are in canonical form.
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

/* Thresholds for a study of singular systems. A state whose values exceed them counts as wrong
 * (harness/analysis/singular.h defines the quantities). */
struct shk_singular_limits {
  bool asked; /* true if the study has thresholds; otherwise outcomes are not classified */
  double error, branch, growth;
};

/* The steps are largest/part or, if of_until is true, (until/largest)/part. */
struct shk_step_parts {
  bool of_until;
  struct shk_decimal largest;
  struct shk_numbers parts; /* ascending */
};

/* Pairs that a run excludes. Each member is a canonical specification, or "name(*)" for all
 * specifications with this name. NULL means all problems or all integrators. */
struct shk_exclusion {
  char *problem, *integrator;
};

struct shk_study_run {
  int line;
  bool is_like; /* true if it takes keys from another run; some of these may have no effect here */
  int problem_count, exclude_count;
  struct shk_cell *problems;     /* problems with their starts; sweeps have been expanded, as for
                                  * the integrators */
  struct shk_index starts;       /* starts of the problems, without duplicates */
  struct shk_index integrators;  /* canonical */
  enum shk_sweep_kind step_kind; /* natural is the default */
  struct shk_numbers steps;      /* largest first; halvings have been expanded exactly */
  struct shk_step_parts parts;   /* for SHK_STEPS_PARTS */
  struct shk_numbers tolerances; /* largest first; if there are none, the default is used */
  /* divisor of the coarsest natural step if a single step is used; 0: all natural steps */
  int natural_divisor;
  struct shk_decimal until;        /* zero: the natural horizon */
  struct shk_decimal until_scales; /* multiple of each problem's time scale; zero if not given */
  int until_digits;                /* digits to which it is rounded; 0: default */
  bool within_natural;             /* if true, it is limited to the problem's own horizon */
  struct shk_numbers times;        /* ascending; none: default */
  /* number of evenly spaced times that replace `times`; 0 if not given */
  int even_times;
  bool supported_only;         /* if true, pairs that would be refused are left out */
  struct shk_index precisions; /* "double" by default */
  struct shk_index measures;   /* by default, all measures of runs */
  bool measures_named;         /* true if the study names them; false if they are the default */
  struct shk_exclusion *excludes;
  double seconds, megabytes; /* limits of a cell; a megabyte is 2^20 bytes; 0: default */
  int steps_line, until_line, times_line; /* used in messages; 0 if not given */
  struct shk_singular_limits singular;
};

/* Position of the legend. NEAREST means inside the panel if there is room, and otherwise below
 * it. */
enum shk_legend_place {
  SHK_LEGEND_NEAREST,
  SHK_LEGEND_INSIDE,
  SHK_LEGEND_BELOW,
  SHK_LEGEND_RIGHT,
  SHK_LEGEND_AT_ENDS,
  SHK_LEGEND_IN_CAPTION
};

/* What varies along a row or a column of a figure: nothing, problems, or the parts of the kind,
 * which are the quantities of `parameter` and `invariants`. */
struct shk_varied {
  enum { SHK_VARIES_NOTHING, SHK_VARIES_PROBLEMS, SHK_VARIES_PARTS } what;
  struct shk_index of; /* patterns of problems (none: all that are selected), or names of parts */
};

struct shk_study_figure {
  const char *kind; /* NULL: the panels state their kinds */
  char *name;       /* name of its files; NULL: the name of the kind */
  /* text that a report prints below the figure; NULL if there is none */
  char *notes;
  struct shk_index problems, integrators; /* an empty list selects all (shk_selects) */
  const char *precision;                  /* NULL: every precision */
  char *step;                             /* NULL: the step that most methods have in common */
  char *until;                            /* NULL: all horizons are drawn */
  char *axes[2];               /* axes of phase and trajectory: "q1", …, "t"; NULL: default */
  struct shk_index quantities; /* once read, these become parts, across or down */
  struct shk_varied across, down;
  enum shk_scale { SHK_SCALE_NATURAL, SHK_SCALE_LINEAR, SHK_SCALE_LOGARITHMIC } scale;
  enum shk_scale time; /* the same for the horizontal axis of figures along the run */
  double width;        /* cm; 0: default */
  int legend;          /* enum shk_legend_place */
  int per_row;         /* number of panels in a row; 0: default */
  int panel_count;
  struct shk_study_figure *panels; /* panels of a figure that has no kind of its own */
};

/* The appearance of a method in figures. Members that are NULL or -1 are not set. */
struct shk_study_style {
  char *of;                /* as in a label */
  char *colour;            /* a word or "#rrggbb" */
  const char *mark, *line; /* words */
  int hollow, on_top;      /* 0 for no, 1 for yes */
};

/* Range of an axis. NaN means that it is not given. */
struct shk_study_range {
  const char *kind;
  double x[2], y[2];
};

/* Label of a method or a problem in figures. */
struct shk_study_label {
  char *of; /* canonical specification, or a bare name */
  char *text;
};

/* A band that the study states for values of its baseline (harness/check/stated_bands.h). */
struct shk_study_band {
  char *of;               /* name of the values, such as "work-factorizations of rattle" */
  char *within, *because; /* the text of the band and the reason for it */
  int line;
};

struct shk_study {
  /* used for specifications; files that they name are in the context's folder */
  struct shk_context context;
  char *folder; /* owner of the name of that folder; NULL if the caller owns it */
  char *name, *purpose, *path, *text; /* purpose can be NULL; text is the contents of the file */
  int run_count, figure_count, label_count, style_count, range_count, band_count;
  struct shk_study_run *runs;
  struct shk_study_figure *figures;
  struct shk_study_label *labels;
  struct shk_study_style *styles;
  struct shk_study_range *ranges;
  struct shk_study_band *bands;
  bool serif; /* if true, figures use a serif font */
};

/* The kinds of figures, followed by NULL. The names of measures are in measures/quantity.h. */
extern const char *const shk_figure_names[];
/* The parts of these kinds as words separated by blanks, followed by NULL. */
extern const char *const shk_figure_parts[];
/* The words for colours, marks and lines in figures, each list followed by NULL, as in
 * plots/kinds/page.gp. */
extern const char *const shk_colour_words[], *const shk_mark_words[], *const shk_line_words[];

/* The amount of work that a study does. */
enum shk_budget { SHK_BUDGET_BRIEF, SHK_BUDGET_DEFAULT, SHK_BUDGET_THOROUGH };

/* The specifications to which a study refers by `$name`. */
struct shk_study_name {
  const char *name;
  int count;
  const char *const *texts;
};

/* Settings of a study that come from a command and replace those in the file. */
struct shk_study_settings {
  enum shk_budget budget;
  long seed;
  int name_count;
  const struct shk_study_name *names; /* values of the names in shk_study_names */
};

/* The names that a command can set, followed by NULL. If the command does not set the first name,
 * "method", it means all integrators that need no options, except the exact solution. Any other
 * name that is not set has no problems. */
extern const char *const shk_study_names[];

/* Reads a file of at most 1 MiB. Aliases are rejected. The context must outlive the study. Files
 * that problems name are searched for in the folder of the study if `settings` is NULL, and
 * otherwise in the context's folder. On failure returns NULL and sets the reason. */
struct shk_study *shk_study_read(const struct shk_context *context, const char *path,
                                 const struct shk_study_settings *settings,
                                 struct shk_message *error);
/* Reads a study like shk_study_read, after appending the line `kick: SEED` to the text of the
 * file. */
struct shk_study *shk_study_read_kicked(const struct shk_context *context, const char *path,
                                        long seed, struct shk_message *error);
/* Reads a study from a text of this length, for example from a store. `path` is only used for
 * messages. Files that problems name are searched for in the context's folder. */
struct shk_study *shk_study_parse(const struct shk_context *context, const char *text,
                                  size_t length, const char *path, struct shk_message *error);
void shk_study_free(struct shk_study *study);

/* Finds the claims of a method in its finest precision, and sets *in_quad to whether that precision
 * is quad. It is double for methods that work only in double. These methods say so in their
 * descriptor, or claim an order of q in double but not in quad. On failure returns false and sets
 * the reason. */
bool shk_finest_claims(const struct shk_context *context, struct shk_claims *claims, bool *in_quad,
                       const char *integrator, struct shk_message *error);
/* Returns true if the integrator supports all features of the problem and does not refuse a short
 * run. */
bool shk_pair_applies(const struct shk_context *context, const char *problem,
                      const char *integrator);

/* Lists the problems that need no options and have at most `most` coordinates. If only_of_plugins
 * is true, lists only problems of plug-ins. */
void shk_small_problems(struct shk_index *list, const struct shk_context *context,
                        bool only_of_plugins, int most);

/* Returns true if this is a valid name for a study. */
bool shk_is_study_name(const char *text);
/* Returns true if the run excludes this pair of canonical specifications. */
bool shk_run_excludes(const struct shk_study_run *run, const char *problem, const char *integrator);
/* Returns true if a figure's list contains this canonical specification. The elements of the list
 * are canonical specifications, or "name(*)" for all specifications with a name. An empty list
 * contains all. */
bool shk_selects(const struct shk_index *list, const char *specification);
/* Returns the text for a specification in figures, which the caller frees. It is the
 * specification's label, the label of its bare name followed by the options, or the specification
 * itself. */
char *shk_study_shown(const struct shk_study *study, const char *specification);
/* Returns the appearance that the study gives to an integrator. The settings for its bare name
 * apply first, and then its own. */
struct shk_study_style shk_study_look(const struct shk_study *study, const char *integrator);
/* Reads a file with the keys style, range, labels and font, which replace the corresponding keys of
 * the study one by one. The file may be used by several studies and may name methods that this
 * study does not run. On failure returns false and sets the reason. */
bool shk_study_restyle(struct shk_study *study, const char *path, struct shk_message *error);
/* Returns the option that has this name and belongs to a problem or else to an integrator. Returns
 * NULL if there is none. */
const struct shk_option *shk_option_of(const struct shk_context *context, const char *spec,
                                       bool problem, const char *name);
/* Returns a specification without one of its options. The caller frees it. */
char *shk_without_option(const char *spec, const char *option);
bool shk_run_measures(const struct shk_study_run *run, enum shk_measure_id measure);
/* Returns all measures of a run as bits. */
unsigned long shk_measures_of_run(const struct shk_study_run *run);

#endif

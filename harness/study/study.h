/*
 * A study file: YAML in, structures out, every fault with file, line, what was found and what was
 * expected. Specifications and numbers are canonical after reading.
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

struct shk_start { /* a problem of a study, with an explicit start or not */
  char *problem;   /* canonical */
  char *q, *p;     /* numbers separated by commas, or NULL */
  bool project;
  int member_count; /* 0: itself; else what is run in its place, together */
  struct shk_member *members;
};

enum shk_sweep_kind { SHK_STEPS_NATURAL, SHK_STEPS_LIST };

/* From when on a state counts as wrong, in a study of singular systems (singular.h has the
 * measures).
 */
struct shk_singular_limits {
  bool asked; /* false: what became of the cells is not decided */
  double error, branch, growth;
};

struct shk_study_run {
  int line;
  int problem_count, integrator_count, precision_count, measure_count, exclude_count;
  struct shk_start *problems;    /* sweeps expanded, like the integrators */
  struct shk_index starts;       /* of the problems, each of which occurs once */
  char **integrators;            /* canonical */
  enum shk_sweep_kind step_kind; /* natural is the default */
  struct shk_numbers steps;      /* largest first; halvings expanded exactly */
  struct shk_numbers tolerances; /* largest first; none: default */
  int natural_divisor;      /* one natural step, the coarsest divided by this; 0: all of them */
  struct shk_decimal until; /* zero: natural */
  struct shk_decimal until_scales; /* so many time scales of each problem; zero: not so */
  struct shk_numbers times;        /* ascending; none: default */
  char **precisions;               /* default: double */
  char **measures;                 /* default: all that a run takes along */
  bool measures_named;             /* false: they are the default */
  char **excludes; /* INTEGRATOR, PROBLEM or "PROBLEM with INTEGRATOR"; each canonical, or a bare
                      name, which stands for all with that name */
  double seconds, megabytes; /* limits of a cell, megabytes of 2^20 bytes; 0: default */
  int steps_line, until_line, times_line; /* for messages; that of the run where not given */
  struct shk_singular_limits singular;
};

/* How wide a figure is in print. By default as wide as it needs to be. */
enum shk_columns { SHK_COLUMNS_DEFAULT, SHK_COLUMNS_SINGLE, SHK_COLUMNS_DOUBLE };
/* Where its key stands. */
enum shk_key_place { SHK_KEY_BELOW, SHK_KEY_INSIDE, SHK_KEY_IN_CAPTION };

struct shk_study_figure {
  char *kind;
  char *name; /* of its files, in place of the kind; or NULL */
  int problem_count, integrator_count;
  char **problems, **integrators; /* for shk_selects; none: all */
  char *precision, *step;         /* NULL: each; the step that most methods have */
  char *axes[2];                  /* of phase and trajectory: "q1", …; NULL: default */
  enum shk_columns columns;
  enum shk_key_place key;
};

/* What figures call a method or a problem. */
struct shk_study_label {
  char *of; /* a canonical specification, or a bare name */
  char *text;
};

struct shk_study {
  struct shk_context context; /* what its specifications are read in: files beside the study */
  char *folder;               /* of the context, if the study was read from a file */
  char *name, *purpose, *path, *text; /* purpose may be NULL; text: the file as read */
  int run_count, figure_count, label_count;
  struct shk_study_run *runs;
  struct shk_study_figure *figures;
  struct shk_study_label *labels;
};

/* What `figures` may name, ended by NULL; what `measures` may is in measures/quantity.h. */
extern const char *const shk_figure_names[];

/* Reads a file (at most 1 MiB; aliases refused). NULL with the reason. The context must outlive the
 * study; files that problems name are found from the folder of the study. */
struct shk_study *shk_study_read(const struct shk_context *context, const char *path,
                                 struct shk_message *error);
/* The same of a text of this length. `path` is only for messages: it may come from a store, which
 * keeps the text of its studies; files that problems name are found from the context's folder. */
struct shk_study *shk_study_parse(const struct shk_context *context, const char *text,
                                  size_t length, const char *path, struct shk_message *error);
void shk_study_free(struct shk_study *study);

/* Whether the run leaves out this pair of canonical specifications. */
bool shk_run_excludes(const struct shk_study_run *run, const char *problem, const char *integrator);
/* Whether a figure's list, of canonical specifications and of "name(*)" for all of a name, has this
 * canonical specification; an empty list has all. */
bool shk_selects(char *const *list, int count, const char *specification);
/* What figures call this: its label; with that of its bare name the options follow; or itself. The
 * caller frees it. */
char *shk_study_shown(const struct shk_study *study, const char *specification);
bool shk_run_measures(const struct shk_study_run *run, enum shk_measure_id measure);

#endif

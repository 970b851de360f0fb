/* Reading of a study's runs, figures and specifications. Private to harness/study/. */
#ifndef HARNESS_STUDY_STUDY_RUNS_H
#define HARNESS_STUDY_STUDY_RUNS_H

#include "foundation/files/yaml.h"
#include "harness/study/study.h"

/* Reads the value of `runs` into a study. If this fails, the study has the runs read so far. */
shk_yaml_reader shk_read_runs;
/* Reads a run with the current choices, and adds it to the study, which then owns it, also if
 * reading failed. */
bool shk_read_run(const struct shk_yaml *yaml, struct fy_node *item, struct shk_study *study);
void shk_run_clear(struct shk_study_run *run);
/* Read `problems` into a run, and `integrators` into a `struct shk_index`. */
shk_yaml_reader shk_read_problems, shk_read_integrators;
/* Reads an item of a list, one of the words of the key, into a `struct shk_index`. Former names are
 * replaced by present ones. */
shk_yaml_reader shk_read_known;
/* Read these keys of a run once it has its problems and integrators. */
shk_yaml_reader shk_read_where, shk_read_sweeps, shk_read_exclusion, shk_read_members;

/* Read the values of `figures` and `labels` into a study, after its runs. */
shk_yaml_reader shk_read_figures, shk_read_labels;
void shk_figure_clear(struct shk_study_figure *figure);

/* Returns the canonical form of a problem, or else of an integrator; NULL with the message set. The
 * caller frees it. */
char *shk_read_canonical(const struct shk_yaml *yaml, const struct fy_node *node, const char *text,
                         bool problem);
/* Returns the text as a pattern: "name(*)", which matches all of that name, for a bare name, else
 * the canonical form. NULL with the message set if it matches no problem (integrator) of the runs.
 * The caller frees it. */
char *shk_read_pattern(const struct shk_yaml *yaml, const struct fy_node *node, const char *text,
                       bool problem, const struct shk_study_run *runs, int count);
/* True if the pattern matches this canonical specification. */
bool shk_is_meant(const char *pattern, const char *specification);
/* Returns the specification with the option set, canonical; NULL with the message set. The caller
 * frees it. */
char *shk_with_option(const struct shk_yaml *yaml, const struct fy_node *node, const char *spec,
                      const char *option, const char *value, bool problem);

/* Adds a start to the problems of the run, which takes it over. False: a duplicate, cleared. */
bool shk_add_start(struct shk_study_run *run, struct shk_cell *start);

#endif

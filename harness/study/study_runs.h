/* Parts of the reading of a study. Private to harness/study/. */
#ifndef HARNESS_STUDY_STUDY_RUNS_H
#define HARNESS_STUDY_STUDY_RUNS_H

#include "foundation/files/yaml.h"
#include "harness/study/study.h"

/* Reads the value of `runs` into a study, which has the runs read so far even if this fails. */
bool shk_read_runs(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study *study);

/* Reads a run by the current choices, and adds it to the study, which then owns it, even if only a
 * part was read. */
bool shk_read_run(const struct shk_yaml *yaml, struct fy_node *item, struct shk_study *study);

/* Reads a list of names, all of them known, or one name. `known` ends with NULL. */
bool shk_read_known(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                    const char *what, const char *const *known, char ***list, int *count);
void shk_run_clear(struct shk_study_run *run);
/* Read `problems`, or `integrators`, into a run. */
bool shk_read_problems(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                       void *run);
bool shk_read_integrators(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                          void *run);

/* Reads the value of `figures` into study->figures, after the runs. */
bool shk_read_figures(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study *study);
/* Reads the value of `labels`. */
bool shk_read_labels(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study *study);
void shk_figure_free(struct shk_study_figure *figure);

/* Read the values of `sweep` and `exclude` once the run has its problems and integrators. */
bool shk_read_sweeps(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study_run *run);
bool shk_read_excludes(const struct shk_yaml *yaml, struct fy_node *node,
                       struct shk_study_run *run);

/* Reads the value of `members` after all other keys of the run. */
bool shk_read_members(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study_run *run);

/* Returns the canonical form of a problem, or of an integrator; NULL with the message set. The
 * caller frees it. */
char *shk_read_canonical(const struct shk_yaml *yaml, const struct fy_node *node, const char *text,
                         bool problem);
/* Returns the text as a pattern: "name(*)" for a bare name, which matches all of that name, else
 * the canonical form. NULL with the message set. The caller frees it. */
char *shk_read_pattern(const struct shk_yaml *yaml, const struct fy_node *node, const char *text,
                       bool problem);
/* True if the pattern matches this canonical specification. */
bool shk_is_meant(const char *pattern, const char *specification);
/* True if a specification has an option of that name. */
bool shk_has_option(const struct shk_context *context, const char *spec, bool problem,
                    const char *name);
/* Returns the specification with the option set, canonical; NULL with the message set, which begins
 * with `what`. The caller frees it. */
char *shk_with_option(const struct shk_yaml *yaml, const struct fy_node *node, const char *what,
                      const char *spec, const char *option, const char *value, bool problem);

/* Lists that own their texts. */
bool shk_in_list(char *const *list, int count, const char *text);
void shk_add_text(char ***list, int *count, char *owned);

/* Adds a start to the run's problems, which then own it. Returns false if it is a duplicate. */
bool shk_add_start(struct shk_study_run *run, struct shk_start *start);
void shk_start_free(struct shk_start *start);

#endif

/* Parts of the reading of a study. Private to harness/study/. */
#ifndef HARNESS_STUDY_STUDY_RUNS_H
#define HARNESS_STUDY_STUDY_RUNS_H

#include "foundation/files/yaml.h"
#include "harness/study/study.h"

/* Reads the value of `runs` into study->runs. Returns false with the message set; the study then
 * has the runs read so far. */
bool shk_read_runs(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study *study);

/* Reads a run by the current choices, and adds it to the study, which then owns it, even if only a
 * part was read. */
bool shk_read_run(const struct shk_yaml *yaml, struct fy_node *item, struct shk_study *study);
/* A list that owns its texts. */
struct shk_texts {
  int count;
  char **all;
};

/* Reads a list of names, all of them known, or one name. `known` ends with NULL. */
bool shk_read_known(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                    const char *what, const char *const *known, struct shk_texts *list);
void shk_run_clear(struct shk_study_run *run);
/* Readers for tables of keys: `problems` into a run, an answer into a bool. */
bool shk_read_problems(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                       void *run);
bool shk_read_yes_or_no(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *yes);

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

/* True if the list of options, which ends without a name, contains the name; NULL contains none. */
struct shk_option;
bool shk_has_option(const struct shk_option *options, const char *name);
/* Returns the specification, of a problem or an integrator, with the option set, canonical; NULL
 * with the reason. The caller frees it. */
char *shk_with_option(const struct shk_context *context, const char *spec, const char *option,
                      const char *value, bool problem, struct shk_message *reason);

/* Lists that own their texts. */
bool shk_in_list(char *const *list, int count, const char *text);
void shk_add_text(char ***list, int *count, char *owned);

/* Adds a start to the run's problems, which then own it. Returns false if it is a duplicate. */
bool shk_add_start(struct shk_study_run *run, struct shk_start *start);
void shk_start_free(struct shk_start *start);

#endif

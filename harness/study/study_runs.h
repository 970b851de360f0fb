/* What the reading of a study is made of. Private to harness/study*.c. */
#ifndef HARNESS_STUDY_STUDY_RUNS_H
#define HARNESS_STUDY_STUDY_RUNS_H

#include "foundation/files/yaml.h"
#include "harness/study/study.h"

/* Reads the value of `runs` into study->runs. False with the message set; what was read so far is
 * in the study. */
bool shk_read_runs(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study *study);

/* Reads the value of `figures` into study->figures, after the runs. */
bool shk_read_figures(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study *study);
/* The same of `labels`. */
bool shk_read_labels(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study *study);
void shk_figure_free(struct shk_study_figure *figure);

/* Read the values of `sweep` and `exclude` once the run has its problems and integrators. */
bool shk_read_sweeps(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study_run *run);
bool shk_read_excludes(const struct shk_yaml *yaml, struct fy_node *node,
                       struct shk_study_run *run);

/* Reads the value of `members` when all else of the run is there. */
bool shk_read_members(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study_run *run);

/* Whether the list of options, which ends without a name, has the name; NULL has none. */
struct shk_option;
bool shk_has_option(const struct shk_option *options, const char *name);
/* The specification, of a problem or an integrator, with the option set, canonical; NULL with the
 * reason. The caller frees it. */
char *shk_with_option(const struct shk_context *context, const char *spec, const char *option,
                      const char *value, bool problem, struct shk_message *reason);

/* Lists of texts that the list owns. */
bool shk_in_list(char *const *list, int count, const char *text);
void shk_add_text(char ***list, int *count, char *owned);

/* Adds a start to the run's problems, which then own it. False if it is there already. */
bool shk_add_start(struct shk_study_run *run, struct shk_start *start);
void shk_start_free(struct shk_start *start);

#endif

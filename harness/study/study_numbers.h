/* The numbers of a study file: steps, tolerances, times, limits. Private to the reading of studies.
 * Every function returns false with the message set; nothing is held then. Those that have a field
 * as their last argument are readers for tables of keys (foundation/files/yaml.h). */
#ifndef HARNESS_STUDY_STUDY_NUMBERS_H
#define HARNESS_STUDY_STUDY_NUMBERS_H

#include "foundation/files/yaml.h"
#include "harness/study/decimal.h"

/* A number above zero, in a `struct shk_decimal`. */
bool shk_read_positive(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                       void *decimal);

/* A list of numbers above zero, sorted largest first, or {largest, halvings}, or {largest,
 * smallest, factor} (default factor as given): largest, largest/factor, … down to smallest,
 * exactly. */
bool shk_read_progression(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                          long long factor, struct shk_numbers *list);

/* A list of numbers of any sign in their order, as one text in a `char *`, with commas between
 * them. */
bool shk_read_vector(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                     void *text);

/* A list of numbers above zero, sorted smallest first. */
bool shk_read_times(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    struct shk_numbers *list);

/* {seconds, memory} into those of a run; what is not given stays untouched. Memory has a unit: KiB,
 * MiB, GiB, MB, GB. */
bool shk_read_limits(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                     void *run);

/* {error, branch, growth}: thresholds above zero, all of them, into `struct
 * shk_singular_limits`. */
bool shk_read_singular_limits(const struct shk_yaml *yaml, struct fy_node *node,
                              const char *expected, void *limits);

#endif

/* Numbers and words of a study file: steps, tolerances, times, limits. Private to the reading of
 * studies. Every reader returns false with the message set. Those with a field as their last
 * argument are for tables of keys (foundation/files/yaml.h). */
#ifndef HARNESS_STUDY_STUDY_NUMBERS_H
#define HARNESS_STUDY_STUDY_NUMBERS_H

#include "foundation/files/yaml.h"
#include "harness/study/decimal.h"

/* Returns the index of a word in a list that ends with NULL; -1 if it has none. */
int shk_word_number(const char *const *words, const char *word);
/* Fails because the value is none of these words. */
bool shk_fail_word(const struct shk_yaml *yaml, struct fy_node *value, const char *what,
                   const char *const *words);
/* Reads one of the words of the key and stores its index in an int. */
bool shk_read_word(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                   void *number);
bool shk_is_word(const struct fy_node *value, const char *word);
bool shk_read_yes_or_no(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *yes);

/* True if the value is a number between these texts; the number is zero unless it is positive. */
bool shk_is_form(struct shk_decimal *number, const struct fy_node *value, const char *before,
                 const char *after);
/* Reads a number of any sign as canonical text into a `char *`, which is NULL on failure. */
bool shk_read_number_text(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                          void *text);
/* Reads a positive number into a `struct shk_decimal`. */
bool shk_read_positive(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                       void *decimal);
/* Reads a whole number within bounds. */
bool shk_read_whole(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    int least, int most, int *number);
/* Reads a whole number from 1 to 1000 into an int. */
bool shk_read_count(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    void *count);

/* Reads a list of positive numbers, sorted largest first, or {largest, halvings}, or {largest,
 * smallest, factor} (default: `factor`): largest, largest/factor, … down to smallest, exactly. The
 * list may have numbers even if this fails. */
bool shk_read_progression(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                          long long factor, struct shk_numbers *list);
/* Reads a list of positive numbers, sorted smallest first, into a `struct shk_numbers`. */
bool shk_read_times(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    void *list);
/* Reads a list of numbers of any sign, in order, into a `char *` as one text with commas between
 * them. */
bool shk_read_vector(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                     void *text);

/* Reads {largest, parts}: the steps largest/part, where the largest is a number or `until/N`. */
struct shk_step_parts;
bool shk_read_parts(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    struct shk_step_parts *parts);

/* Reads {seconds, memory} into a run; keys that are not given leave it unchanged. Memory has a
 * unit: KiB, MiB, GiB, MB, GB. */
bool shk_read_limits(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                     void *run);

/* Reads {error, branch, growth}, all positive thresholds, into a `struct shk_singular_limits`. */
bool shk_read_singular_limits(const struct shk_yaml *yaml, struct fy_node *node,
                              const char *expected, void *limits);

#endif

/* Numbers and words of a study file: steps, tolerances, times, limits. Private to the reading of
 * studies. A shk_yaml_reader is for tables of keys (foundation/files/yaml.h). Functions that take
 * the yaml return false with the message set. */
#ifndef HARNESS_STUDY_STUDY_NUMBERS_H
#define HARNESS_STUDY_STUDY_NUMBERS_H

#include "foundation/files/yaml.h"
#include "harness/study/decimal.h"

/* Returns the index of a word in a list that ends with NULL; -1 if it is not in the list. */
int shk_word_number(const char *const *words, const char *word);
/* Returns the index of a text among the words of the key; -1 with the message set. */
int shk_known_word(const struct shk_yaml *yaml, struct fy_node *value, const char *text);
/* Read one of the words of the key: its index into an int, or the word into a `const char *`. */
shk_yaml_reader shk_read_word, shk_read_name;
/* Reads `yes` or `no` into a bool. */
shk_yaml_reader shk_read_yes_or_no;
/* True if the value is this word. */
bool shk_is_word(const struct fy_node *value, const char *word);

/* True if the value is a number between these texts. Stores the number; zero if it is negative or
 * has too many digits. */
bool shk_is_form(struct shk_decimal *number, const struct fy_node *value, const char *before,
                 const char *after);
/* Reads a number of any sign as canonical text into a `char *`, which is NULL on failure. */
shk_yaml_reader shk_read_number_text;
/* Reads a positive number into a `struct shk_decimal`. */
shk_yaml_reader shk_read_positive;
/* Reads a whole number within the bounds of the key into an int. */
shk_yaml_reader shk_read_whole;

/* Reads a list of positive numbers, sorted largest first; or {largest, halvings}: largest,
 * largest/2, …; or {largest, smallest, factor} (by default this factor): largest, largest/factor,
 * … down to smallest, exactly. The list may have numbers even if this fails. */
bool shk_read_progression(const struct shk_yaml *yaml, struct fy_node *node, long long factor,
                          struct shk_numbers *list);
/* Reads a list of positive numbers, sorted smallest first, into a `struct shk_numbers`. */
shk_yaml_reader shk_read_times;
/* Reads a list of numbers of any sign into a `char *`: one text, with commas between them. */
shk_yaml_reader shk_read_vector;

/* Reads {largest, parts} into a `struct shk_step_parts`; largest is a number, `until` or
 * `until/N`. */
shk_yaml_reader shk_read_parts;
/* Reads {seconds, memory} into a run; keys that are not given leave it unchanged. Memory has the
 * unit MiB or GiB. */
shk_yaml_reader shk_read_limits;
/* Reads {error, branch, growth}, all positive thresholds, into a `struct shk_singular_limits`. */
shk_yaml_reader shk_read_singular_limits;

#endif

/* Reads numbers and words from a study file, such as steps, tolerances, times and limits. This
 * header is private to the code that reads studies. Each shk_yaml_reader can be used in key tables
 * (foundation/files/yaml.h). Unless stated otherwise, functions with a `yaml` argument set the
 * message and return false on failure. */
#ifndef HARNESS_STUDY_STUDY_NUMBERS_H
#define HARNESS_STUDY_STUDY_NUMBERS_H

#include "foundation/files/yaml.h"
#include "harness/study/decimal.h"

/* Returns the index of a word in a NULL-terminated list, or -1 if the list does not contain the
 * word. */
int shk_word_number(const char *const *words, const char *word);
/* Returns the index of a string among the key's words. If the string is not one of them, sets the
 * message and returns -1. */
int shk_known_word(const struct shk_yaml *yaml, struct fy_node *value, const char *text);
/* Read one of the key's words. The first function stores the word's index in an int. The second
 * stores the word itself in a `const char *`. */
shk_yaml_reader shk_read_word, shk_read_name;
/* Reads `yes` or `no` into a bool. */
shk_yaml_reader shk_read_yes_or_no;
/* Returns true if the value is the given word. */
bool shk_is_word(const struct fy_node *value, const char *word);

/* If the value consists of a number between a given prefix and suffix, stores the number and
 * returns true. If the number is negative or has too many digits, stores zero. */
bool shk_is_form(struct shk_decimal *number, const struct fy_node *value, const char *before,
                 const char *after);
/* Reads a positive or negative number into a `char *` as a canonical string. On failure, the
 * pointer is NULL. */
shk_yaml_reader shk_read_number_text;
/* Reads a positive number into a `struct shk_decimal`. */
shk_yaml_reader shk_read_positive;
/* Reads an integer within the bounds set by the key into an int. */
shk_yaml_reader shk_read_whole;

/* Reads a list of positive numbers and sorts it in descending order. Also accepts {largest,
 * halvings}, which means largest, largest/2, …, and {largest, smallest, factor}, which means
 * largest, largest/factor, … down to exactly smallest. The argument `factor` is the default for the
 * key of that name. The list may contain numbers even if reading fails. */
bool shk_read_progression(const struct shk_yaml *yaml, struct fy_node *node, long long factor,
                          struct shk_numbers *list);
/* Reads a list of positive numbers into a `struct shk_numbers` and sorts it in ascending order. */
shk_yaml_reader shk_read_times;
/* Reads a list of positive or negative numbers into a `char *` as a single comma-separated
 * string. */
shk_yaml_reader shk_read_vector;

/* Reads {largest, parts} into a `struct shk_step_parts`, where `largest` is a number, `until` or
 * `until/N`. */
shk_yaml_reader shk_read_parts;
/* Reads {seconds, memory} into a run. If a key is missing, the run's value is left unchanged. The
 * memory is given in MiB or GiB. */
shk_yaml_reader shk_read_limits;
/* Reads the positive thresholds {error, branch, growth} into a `struct shk_singular_limits`. */
shk_yaml_reader shk_read_singular_limits;

#endif

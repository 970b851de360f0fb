/* Numbers and words of a study file, such as steps, tolerances, times and limits. This header is
 * private to the code that reads studies. Each shk_yaml_reader can be used in tables of keys
 * (foundation/files/yaml.h). Unless stated otherwise, functions that take the yaml set the message
 * and return false if they fail. */
#ifndef HARNESS_STUDY_STUDY_NUMBERS_H
#define HARNESS_STUDY_STUDY_NUMBERS_H

#include "foundation/files/yaml.h"
#include "harness/study/decimal.h"

/* Returns the index of a word in a list that ends with NULL, or -1 if the word is not in the
 * list. */
int shk_word_number(const char *const *words, const char *word);
/* Returns the index of a text among the words of the key. If it is not one of them, sets the
 * message and returns -1. */
int shk_known_word(const struct shk_yaml *yaml, struct fy_node *value, const char *text);
/* Read one of the words of the key. The first function stores its index in an int. The second
 * stores the word in a `const char *`. */
shk_yaml_reader shk_read_word, shk_read_name;
/* Reads `yes` or `no` into a bool. */
shk_yaml_reader shk_read_yes_or_no;
/* Returns true if the value is this word. */
bool shk_is_word(const struct fy_node *value, const char *word);

/* Returns true if the value is a number between these two texts, and stores the number. If the
 * number is negative or has too many digits, stores zero. */
bool shk_is_form(struct shk_decimal *number, const struct fy_node *value, const char *before,
                 const char *after);
/* Reads a number of any sign as canonical text into a `char *`. On failure the pointer is NULL. */
shk_yaml_reader shk_read_number_text;
/* Reads a positive number into a `struct shk_decimal`. */
shk_yaml_reader shk_read_positive;
/* Reads a whole number within the bounds of the key into an int. */
shk_yaml_reader shk_read_whole;

/* Reads a list of positive numbers and sorts it in descending order. Also accepts {largest,
 * halvings}, which means largest, largest/2, …, and {largest, smallest, factor} (`factor` is the
 * default), which means largest, largest/factor, … down to exactly smallest. The list may contain
 * numbers even if reading fails. */
bool shk_read_progression(const struct shk_yaml *yaml, struct fy_node *node, long long factor,
                          struct shk_numbers *list);
/* Reads a list of positive numbers into a `struct shk_numbers` and sorts it in ascending order. */
shk_yaml_reader shk_read_times;
/* Reads a list of numbers of any sign into a `char *`, as a single text in which commas separate
 * the numbers. */
shk_yaml_reader shk_read_vector;

/* Reads {largest, parts} into a `struct shk_step_parts`. `largest` is a number, `until` or
 * `until/N`. */
shk_yaml_reader shk_read_parts;
/* Reads {seconds, memory} into a run. If a key is missing, the run keeps its value. The memory is
 * given in MiB or GiB. */
shk_yaml_reader shk_read_limits;
/* Reads the positive thresholds {error, branch, growth} into a `struct shk_singular_limits`. */
shk_yaml_reader shk_read_singular_limits;

#endif

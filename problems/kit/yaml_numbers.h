/* Reads numbers in system files as strings. */
#ifndef PROBLEMS_KIT_YAML_NUMBERS_H
#define PROBLEMS_KIT_YAML_NUMBERS_H

#include "foundation/files/yaml.h"

/* The kinds of numbers. A kind is identified by the address of its string, which is also its name
 * in messages. */
extern const char shk_any_number[], shk_positive[], shk_not_negative[], shk_any_angle[],
    shk_multiplicity[];

/* Returns a number of the expected kind as a canonical string. The caller must free the string. If
 * there is no such number, reports an error and returns NULL. */
char *shk_yaml_number(const struct shk_yaml *yaml, struct fy_node *value, const char *expected);

#endif

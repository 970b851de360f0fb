/* Numbers in system files, as text. */
#ifndef PROBLEMS_KIT_YAML_NUMBERS_H
#define PROBLEMS_KIT_YAML_NUMBERS_H

#include "foundation/files/yaml.h"

/* The kinds of numbers, identified by the addresses of these strings. The strings are their names
 * in messages. */
extern const char shk_any_number[], shk_positive[], shk_not_negative[], shk_any_angle[],
    shk_multiplicity[];

/* Returns the canonical text of a number of the expected kind, which the caller frees, or NULL
 * after reporting an error. */
char *shk_yaml_number(const struct shk_yaml *yaml, struct fy_node *value, const char *expected);

#endif

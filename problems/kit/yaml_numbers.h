/* Numbers in files of systems, as text. */
#ifndef PROBLEMS_KIT_YAML_NUMBERS_H
#define PROBLEMS_KIT_YAML_NUMBERS_H

#include "foundation/files/yaml.h"

/* Kinds of number, identified by their addresses; the texts are their names in messages. */
extern const char shk_any_number[], shk_positive[], shk_not_negative[], shk_any_angle[],
    shk_multiplicity[];

/* Returns canonical text of a number of the expected kind, which the caller frees; NULL after
 * reporting a fault. */
char *shk_yaml_number(const struct shk_yaml *yaml, struct fy_node *value, const char *expected);

#endif

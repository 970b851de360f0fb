/* Numbers in system files. See yaml_numbers.h. */
#include "problems/kit/yaml_numbers.h"

#include "foundation/number.h"

#include <stdlib.h>
#include <string.h>

const char shk_any_number[] = "a number", shk_positive[] = "a number above 0",
           shk_not_negative[] = "a nonnegative number",
           shk_any_angle[] = "an angle in radians, or in degrees as in 109.5deg",
           shk_multiplicity[] = "a whole number from 1 to 9";

/* Returns true if the canonical string is a number of the given kind. */
static bool is_kind(const char *number, const char *expected)
{
  if (expected == shk_multiplicity)
    return number[0] >= '1' && number[0] <= '9' && number[1] == '\0';
  if (expected == shk_any_number || expected == shk_any_angle)
    return true;
  return number[0] != '-' && (expected != shk_positive || strcmp(number, "0") != 0);
}

char *shk_yaml_number(const struct shk_yaml *yaml, struct fy_node *value, const char *expected)
{
  char *const text = shk_yaml_text(yaml, value, expected);
  if (!text)
    return NULL;
  char *number = shk_number_with_unit(text, expected == shk_any_angle, false);
  free(text);
  if (number && is_kind(number, expected))
    return number;
  free(number);
  shk_yaml_fail_kind(yaml, value, expected);
  return NULL;
}

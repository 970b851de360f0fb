/* The numbers of a study file; see study_numbers.h. */
#include "harness/study/study_numbers.h"
#include "harness/study/study.h"

#include "foundation/memory.h"
#include "foundation/number.h"
#include "harness/study/decimal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_numbers = 10000 };

bool shk_read_positive(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                       void *decimal)
{
  struct shk_decimal *const x = decimal;
  char *const text = shk_yaml_text(yaml, node, expected);
  if (!text)
    return false;
  const size_t length = shk_number_length(text);
  bool ok = true;
  if (length == 0 || text[length] != '\0')
    ok = shk_yaml_fail_kind(yaml, node, expected);
  else if (!shk_decimal_read(x, text))
    ok = shk_yaml_fail(yaml, node, "found a number of more than %d digits", SHK_DECIMAL_DIGITS);
  else if (x->negative || x->coefficient == 0)
    ok = shk_yaml_fail(yaml, node, "found %s, expected a number above zero", text);
  free(text);
  return ok;
}

struct numbers {
  const struct shk_yaml *yaml;
  struct fy_node *node;
  int count;
  struct shk_decimal *values;
};

static bool add_number(struct numbers *numbers, struct fy_node *at, struct shk_decimal x)
{
  if (numbers->count == most_numbers)
    return shk_yaml_fail(numbers->yaml, at, "found more than %d numbers", most_numbers);
  numbers->values = shk_grow(numbers->values, (size_t)numbers->count, sizeof x);
  numbers->values[numbers->count++] = x;
  return true;
}

static bool read_list_item(void *context, struct fy_node *item)
{
  struct numbers *const numbers = context;
  struct shk_decimal x;
  return shk_read_positive(numbers->yaml, item, "a number above zero", &x) &&
         add_number(numbers, item, x);
}

static int compare_ascending(const void *a, const void *b)
{
  return shk_decimal_compare(*(const struct shk_decimal *)a, *(const struct shk_decimal *)b);
}

static int compare_descending(const void *a, const void *b)
{
  return compare_ascending(b, a);
}

/* Sorts the numbers, rejects duplicates, and makes the list. */
static bool finish_numbers(struct numbers *numbers, bool ok,
                           int (*compare)(const void *, const void *), struct shk_numbers *list)
{
  if (ok) {
    qsort(numbers->values, (size_t)numbers->count, sizeof *numbers->values, compare);
    for (int i = 1; i < numbers->count && ok; i++)
      if (compare(&numbers->values[i - 1], &numbers->values[i]) == 0) {
        char *const text = shk_decimal_text(numbers->values[i]);
        ok = shk_yaml_fail(numbers->yaml, numbers->node, "%s is given twice", text);
        free(text);
      }
  }
  for (int i = 0; ok && i < numbers->count; i++)
    shk_numbers_add(list, numbers->values[i]);
  free(numbers->values);
  return ok;
}

bool shk_read_whole(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                    int least, int most, int *count)
{
  char *const text = shk_yaml_text(yaml, value, expected);
  char *const whole = text ? shk_number_canonical(text, true) : NULL;
  const long number = whole ? strtol(whole, NULL, 10) : least - 1L;
  free(whole);
  const bool ok = number >= least && number <= most;
  if (text && !ok)
    shk_yaml_fail_kind(yaml, value, expected);
  free(text);
  *count = ok ? (int)number : least;
  return ok;
}

struct progression {
  struct shk_decimal largest, smallest, factor; /* zero: not given */
  int halvings;                                 /* -1: not given */
};

static bool is_given(struct shk_decimal x)
{
  return x.coefficient != 0;
}

static bool read_factor(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *factor)
{
  if (!shk_read_positive(yaml, value, expected, factor))
    return false;
  return shk_decimal_compare(*(struct shk_decimal *)factor, shk_decimal_from_integer(1)) > 0 ||
         shk_yaml_fail_kind(yaml, value, expected);
}

static bool read_halvings(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                          void *count)
{
  return shk_read_whole(yaml, value, expected, 0, 60, count);
}

static bool expand(const struct progression *progression, struct numbers *numbers)
{
  const bool halving = progression->halvings >= 0;
  const struct shk_decimal divisor = halving ? shk_decimal_from_integer(2) : progression->factor;
  struct shk_decimal x = progression->largest;
  for (int i = 0; !halving || i <= progression->halvings; i++) {
    if (!halving && shk_decimal_compare(x, progression->smallest) < 0)
      break;
    if (!add_number(numbers, numbers->node, x))
      return false;
    struct shk_decimal next;
    if (!shk_decimal_divide(&next, x, divisor)) {
      /* The number after the last one may be out of range. */
      if (halving ? i == progression->halvings
                  : shk_decimal_approximate(x) / shk_decimal_approximate(divisor) <
                        shk_decimal_approximate(progression->smallest) * (1 - 1e-9))
        break;
      char *const above = shk_decimal_text(x), *const below = shk_decimal_text(divisor);
      if (halving)
        shk_yaml_fail(numbers->yaml, numbers->node,
                      "%d halvings are too many: %s has no half of %d digits; at most %d go here",
                      progression->halvings, above, SHK_DECIMAL_DIGITS, i);
      else
        shk_yaml_fail(numbers->yaml, numbers->node,
                      "%s/%s is no decimal number of %d digits: choose fewer, or a list", above,
                      below, SHK_DECIMAL_DIGITS);
      free(above);
      free(below);
      return false;
    }
    x = next;
  }
  return true;
}

static bool read_progression(const struct shk_yaml *yaml, struct fy_node *node,
                             const char *expected, long long factor, struct numbers *numbers)
{
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("largest", true, struct progression, largest, shk_read_positive,
                     "a number above zero"),
      SHK_YAML_FIELD("halvings", false, struct progression, halvings, read_halvings,
                     "a whole number from 0 to 60"),
      SHK_YAML_FIELD("smallest", false, struct progression, smallest, shk_read_positive,
                     "a number above zero"),
      SHK_YAML_FIELD("factor", false, struct progression, factor, read_factor,
                     "a number above one")};
  struct progression its = {.halvings = -1};
  if (!shk_yaml_mapping(yaml, node, expected, keys, sizeof keys / sizeof keys[0], &its))
    return false;
  if ((its.halvings >= 0) == is_given(its.smallest))
    return shk_yaml_fail(yaml, node, "expected one of `halvings` and `smallest` beside `largest`");
  if (its.halvings >= 0 && is_given(its.factor))
    return shk_yaml_fail(yaml, node, "`factor` goes with `smallest`, not with `halvings`");
  if (is_given(its.smallest) && shk_decimal_compare(its.smallest, its.largest) > 0)
    return shk_yaml_fail(yaml, node, "`smallest` is above `largest`");
  if (!is_given(its.factor))
    its.factor = shk_decimal_from_integer(factor);
  return expand(&its, numbers);
}

bool shk_read_progression(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                          long long factor, struct shk_numbers *list)
{
  struct numbers numbers = {.yaml = yaml, .node = node};
  const bool ok = shk_yaml_is_mapping(node)
                      ? read_progression(yaml, node, expected, factor, &numbers)
                      : shk_yaml_sequence(yaml, node, expected, false, read_list_item, &numbers);
  return finish_numbers(&numbers, ok, compare_descending, list);
}

bool shk_read_count(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    void *count)
{
  return shk_read_whole(yaml, node, expected, 1, 1000, count);
}

/* ---- parts of a largest step ---- */

/* Reads a number, until, or until/N. */
static bool read_largest(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                         void *into)
{
  static const char word[] = "until";
  struct shk_step_parts *const parts = into;
  char *const text = shk_yaml_text(yaml, value, expected);
  if (!text)
    return false;
  parts->of_until = strncmp(text, word, sizeof word - 1) == 0;
  const char *const rest = text + sizeof word - 1;
  bool ok = true;
  if (!parts->of_until)
    ok = shk_read_positive(yaml, value, expected, &parts->largest);
  else if (!shk_decimal_read(&parts->largest, *rest == '/' ? rest + 1
                                              : *rest      ? rest
                                                           : "1") ||
           parts->largest.coefficient == 0 || parts->largest.negative)
    ok = shk_yaml_fail_kind(yaml, value, expected);
  free(text);
  return ok;
}

static bool read_part_list(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                           void *parts)
{
  return shk_read_times(yaml, value, expected, parts);
}

bool shk_read_parts(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    struct shk_step_parts *parts)
{
  static const struct shk_yaml_key keys[] = {
      {"largest", true, read_largest, "a number above zero, until, or until/16", 0},
      SHK_YAML_FIELD("parts", true, struct shk_step_parts, parts, read_part_list,
                     "a list of numbers above zero: [1, 2, 5]")};
  return shk_yaml_mapping(yaml, node, expected, keys, sizeof keys / sizeof keys[0], parts);
}

bool shk_read_times(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    struct shk_numbers *list)
{
  struct numbers numbers = {.yaml = yaml, .node = node};
  const bool ok = shk_yaml_sequence(yaml, node, expected, false, read_list_item, &numbers);
  return finish_numbers(&numbers, ok, compare_ascending, list);
}

/* ---- limits and thresholds ---- */

/* Reads a number into a `double`. */
static bool read_amount(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *amount)
{
  struct shk_decimal x;
  if (!shk_read_positive(yaml, value, expected, &x))
    return false;
  *(double *)amount = shk_decimal_approximate(x);
  return true;
}

static bool read_memory(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *megabytes)
{
  static const struct {
    const char *unit;
    double bytes;
  } units[] = {{"KiB", 1024.0},
               {"MiB", 1024.0 * 1024},
               {"GiB", 1024.0 * 1024 * 1024},
               {"MB", 1e6},
               {"GB", 1e9}};
  char *const text = shk_yaml_text(yaml, value, expected);
  if (!text)
    return false;
  const char *unit = text + shk_number_length(text);
  while (*unit == ' ')
    unit++;
  const double amount = unit > text ? strtod(text, NULL) : 0;
  bool ok = false;
  for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
    if (strcmp(unit, units[i].unit) == 0 && amount > 0 && isfinite(amount)) {
      *(double *)megabytes = amount * units[i].bytes / (1024 * 1024);
      ok = true;
    }
  free(text);
  return ok || shk_yaml_fail_kind(yaml, value, expected);
}

bool shk_read_limits(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                     void *run)
{
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("seconds", false, struct shk_study_run, seconds, read_amount,
                     "a number of seconds"),
      SHK_YAML_FIELD("memory", false, struct shk_study_run, megabytes, read_memory,
                     "an amount of memory such as 512MiB or 2GiB")};
  return shk_yaml_mapping(yaml, node, expected, keys, sizeof keys / sizeof keys[0], run);
}

bool shk_read_singular_limits(const struct shk_yaml *yaml, struct fy_node *node,
                              const char *expected, void *limits)
{
  static const char positive[] = "a threshold above zero";
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("error", true, struct shk_singular_limits, error, read_amount, positive),
      SHK_YAML_FIELD("branch", true, struct shk_singular_limits, branch, read_amount, positive),
      SHK_YAML_FIELD("growth", true, struct shk_singular_limits, growth, read_amount, positive)};
  ((struct shk_singular_limits *)limits)->asked = true;
  return shk_yaml_mapping(yaml, node, expected, keys, sizeof keys / sizeof keys[0], limits);
}

/* ---- vectors ---- */

struct vector {
  const struct shk_yaml *yaml;
  char *text; /* NULL: none yet */
};

static bool read_component(void *context, struct fy_node *item)
{
  static const char expected[] = "a number";
  struct vector *const vector = context;
  char *const text = shk_yaml_text(vector->yaml, item, expected);
  if (!text)
    return false;
  char *const number = shk_number_canonical(text, false);
  free(text);
  if (!number)
    return shk_yaml_fail_kind(vector->yaml, item, expected);
  shk_append_text(&vector->text, "%s%s", vector->text ? "," : "", number);
  free(number);
  return true;
}

bool shk_read_vector(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                     void *text)
{
  struct vector vector = {.yaml = yaml};
  const bool ok = shk_yaml_sequence(yaml, node, expected, false, read_component, &vector);
  if (ok)
    *(char **)text = vector.text;
  else
    free(vector.text);
  return ok;
}

/* The numbers and words of a study file; see study_numbers.h. */
#include "harness/study/study_numbers.h"
#include "harness/study/study.h"

#include "foundation/memory.h"
#include "foundation/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_numbers = 10000 };

/* ---- words ---- */

int shk_word_number(const char *const *words, const char *word)
{
  for (int i = 0; words[i]; i++)
    if (strcmp(words[i], word) == 0)
      return i;
  return -1;
}

bool shk_fail_word(const struct shk_yaml *yaml, struct fy_node *value, const char *what,
                   const char *const *words)
{
  int count = 0;
  while (words[count])
    count++;
  return shk_yaml_fail_name(yaml, value, what, words, sizeof *words, count);
}

bool shk_read_word(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                   void *number)
{
  const char *const *const words = yaml->key->words;
  char *const text = shk_yaml_text(yaml, value, expected);
  *(int *)number = text ? shk_word_number(words, text) : -1;
  free(text);
  return *(int *)number >= 0 || (text && shk_fail_word(yaml, value, yaml->key->what, words));
}

bool shk_read_yes_or_no(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                        void *yes)
{
  char *const text = shk_yaml_text(yaml, value, expected);
  *(bool *)yes = text && strcmp(text, "yes") == 0;
  const bool ok = *(bool *)yes || (text && strcmp(text, "no") == 0);
  free(text);
  return ok || (text && shk_yaml_fail_kind(yaml, value, expected));
}

bool shk_is_word(const struct fy_node *value, const char *word)
{
  char *const text = shk_yaml_scalar(value);
  const bool is = shk_same_text(text, word);
  free(text);
  return is;
}

/* ---- single numbers ---- */

bool shk_is_form(struct shk_decimal *number, const struct fy_node *value, const char *before,
                 const char *after)
{
  char *const text = shk_yaml_scalar(value);
  const size_t length = strlen(before);
  char *const at = text && strncmp(text, before, length) == 0 ? text + length : NULL;
  const size_t digits = at ? shk_number_length(at) : 0;
  const bool is = digits > 0 && strcmp(at + digits, after) == 0;
  if (is) {
    at[digits] = '\0';
    if (!shk_decimal_read(number, at) || number->negative)
      *number = (struct shk_decimal){.negative = false};
  }
  free(text);
  return is;
}

bool shk_read_number_text(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                          void *text)
{
  char *const found = shk_yaml_text(yaml, value, expected);
  *(char **)text = found ? shk_number_canonical(found, false) : NULL;
  free(found);
  return *(char **)text || (found && shk_yaml_fail_kind(yaml, value, expected));
}

bool shk_read_positive(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                       void *decimal)
{
  struct shk_decimal *const x = decimal;
  char *text;
  if (!shk_read_number_text(yaml, node, expected, &text))
    return false;
  bool ok = true;
  if (!shk_decimal_read(x, text))
    ok = shk_yaml_fail(yaml, node, "found a number of more than %d digits", SHK_DECIMAL_DIGITS);
  else if (x->negative || x->coefficient == 0)
    ok = shk_yaml_fail(yaml, node, "found %s, expected a number above zero", text);
  free(text);
  return ok;
}

bool shk_read_whole(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                    int least, int most, int *count)
{
  char *const text = shk_yaml_text(yaml, value, expected);
  char *const whole = text ? shk_number_canonical(text, true) : NULL;
  const long number = whole ? strtol(whole, NULL, 10) : least - 1L;
  const bool ok = number >= least && number <= most;
  *count = ok ? (int)number : least;
  free(whole);
  free(text);
  return ok || (text && shk_yaml_fail_kind(yaml, value, expected));
}

bool shk_read_count(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    void *count)
{
  return shk_read_whole(yaml, node, expected, 1, 1000, count);
}

/* ---- lists of numbers ---- */

static int compare_ascending(const void *a, const void *b)
{
  return shk_decimal_compare(*(const struct shk_decimal *)a, *(const struct shk_decimal *)b);
}

static int compare_descending(const void *a, const void *b)
{
  return compare_ascending(b, a);
}

/* Reads a list of positive numbers, in this order. */
static bool read_list(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                      int (*compare)(const void *, const void *), struct shk_numbers *list)
{
  const int count = shk_yaml_items(yaml, node, expected, false);
  struct shk_decimal *const values = shk_allocate((size_t)count + 1, sizeof *values);
  bool ok = count > 0 && (count <= most_numbers ||
                          shk_yaml_fail(yaml, node, "found more than %d numbers", most_numbers));
  for (int i = 0; i < count && ok; i++)
    ok = shk_read_positive(yaml, shk_yaml_item(node, i), "a number above zero", &values[i]);
  if (ok)
    qsort(values, (size_t)count, sizeof *values, compare);
  for (int i = 0; i < count && ok; i++) {
    shk_numbers_add(list, values[i]);
    ok = i == 0 || compare(&values[i - 1], &values[i]) != 0 ||
         shk_yaml_fail(yaml, node, "%s is given twice", list->texts[i]);
  }
  free(values);
  return ok;
}

bool shk_read_times(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    void *list)
{
  return read_list(yaml, node, expected, compare_ascending, list);
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
  return shk_read_positive(yaml, value, expected, factor) &&
         (shk_decimal_compare(*(struct shk_decimal *)factor, shk_decimal_from_integer(1)) > 0 ||
          shk_yaml_fail_kind(yaml, value, expected));
}

static bool read_halvings(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                          void *count)
{
  return shk_read_whole(yaml, value, expected, 0, 60, count);
}

/* Reports that the quotient of the list's last number, number i, and the divisor is not exact. */
static bool fail_quotient(const struct shk_yaml *yaml, struct fy_node *node,
                          const struct progression *its, const struct shk_numbers *list, int i)
{
  if (its->halvings >= 0)
    return shk_yaml_fail(
        yaml, node, "%d halvings are too many: %s has no half of %d digits; at most %d go here",
        its->halvings, list->texts[i], SHK_DECIMAL_DIGITS, i);
  char *const factor = shk_decimal_text(its->factor);
  shk_yaml_fail(yaml, node, "%s/%s is no decimal number of %d digits: choose fewer, or a list",
                list->texts[i], factor, SHK_DECIMAL_DIGITS);
  free(factor);
  return false;
}

/* Lists largest, largest/factor, … The number after the last one may be out of range. */
static bool expand(const struct shk_yaml *yaml, struct fy_node *node, const struct progression *its,
                   struct shk_numbers *list)
{
  const bool halving = its->halvings >= 0;
  const double least =
      shk_decimal_approximate(its->smallest) * shk_decimal_approximate(its->factor) * (1 - 1e-9);
  struct shk_decimal x = its->largest;
  for (int i = 0; halving || shk_decimal_compare(x, its->smallest) >= 0; i++) {
    if (i == most_numbers)
      return shk_yaml_fail(yaml, node, "found more than %d numbers", most_numbers);
    shk_numbers_add(list, x);
    if (halving ? i == its->halvings : list->values[i] < least)
      break;
    if (!shk_decimal_divide(&x, x, its->factor))
      return fail_quotient(yaml, node, its, list, i);
  }
  return true;
}

static bool read_progression(const struct shk_yaml *yaml, struct fy_node *node,
                             const char *expected, long long factor, struct shk_numbers *list)
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
    its.factor = shk_decimal_from_integer(its.halvings >= 0 ? 2 : factor);
  return expand(yaml, node, &its, list);
}

bool shk_read_progression(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                          long long factor, struct shk_numbers *list)
{
  return shk_yaml_is_mapping(node) ? read_progression(yaml, node, expected, factor, list)
                                   : read_list(yaml, node, expected, compare_descending, list);
}

/* ---- parts of a largest step ---- */

/* Reads a number, until, or until/N. */
static bool read_largest(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                         void *into)
{
  struct shk_step_parts *const parts = into;
  parts->largest = shk_decimal_from_integer(1);
  parts->of_until =
      shk_is_word(value, "until") || shk_is_form(&parts->largest, value, "until/", "");
  if (!parts->of_until)
    return shk_read_positive(yaml, value, expected, &parts->largest);
  return parts->largest.coefficient != 0 || shk_yaml_fail_kind(yaml, value, expected);
}

bool shk_read_parts(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                    struct shk_step_parts *parts)
{
  static const struct shk_yaml_key keys[] = {
      {"largest", true, read_largest, "a number above zero, until, or until/16", 0, NULL, NULL},
      SHK_YAML_FIELD("parts", true, struct shk_step_parts, parts, shk_read_times,
                     "a list of numbers above zero: [1, 2, 5]")};
  return shk_yaml_mapping(yaml, node, expected, keys, sizeof keys / sizeof keys[0], parts);
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
  static const char *const units[] = {"KiB", "MiB", "GiB", "MB", "GB", NULL};
  static const double bytes[] = {0x1p10, 0x1p20, 0x1p30, 1e6, 1e9};
  char *const text = shk_yaml_text(yaml, value, expected);
  if (!text)
    return false;
  const char *const after = text + shk_number_length(text);
  const int unit = shk_word_number(units, after + strspn(after, " "));
  const double amount = after > text ? strtod(text, NULL) : 0;
  const bool ok = unit >= 0 && amount > 0 && isfinite(amount);
  if (ok)
    *(double *)megabytes = amount * bytes[unit] / 0x1p20;
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

bool shk_read_vector(const struct shk_yaml *yaml, struct fy_node *node, const char *expected,
                     void *text)
{
  char **const vector = text;
  const int count = shk_yaml_items(yaml, node, expected, false);
  bool ok = count > 0;
  for (int i = 0; i < count && ok; i++) {
    char *number;
    ok = shk_read_number_text(yaml, shk_yaml_item(node, i), "a number", &number);
    if (ok)
      shk_append_text(vector, i > 0 ? ",%s" : "%s", number);
    free(number);
  }
  return ok;
}

/* Reads the numbers and words of a study file. See study_numbers.h. */
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

int shk_known_word(const struct shk_yaml *yaml, struct fy_node *value, const char *text)
{
  const struct shk_yaml_key *const key = yaml->key;
  const int number = shk_word_number(key->words, text);
  int count = 0;
  while (key->words[count])
    count++;
  if (number < 0 && key->what)
    shk_yaml_fail_name(yaml, value, key->what, key->words, sizeof *key->words, count);
  else if (number < 0)
    shk_yaml_fail_kind(yaml, value, key->expected);
  return number;
}

bool shk_read_word(const struct shk_yaml *yaml, struct fy_node *value, void *number)
{
  char *const text = shk_yaml_text(yaml, value, yaml->key->expected);
  *(int *)number = text ? shk_known_word(yaml, value, text) : -1;
  free(text);
  return *(int *)number >= 0;
}

bool shk_read_name(const struct shk_yaml *yaml, struct fy_node *value, void *name)
{
  int number;
  const bool ok = shk_read_word(yaml, value, &number);
  *(const char **)name = ok ? yaml->key->words[number] : NULL;
  return ok;
}

bool shk_read_yes_or_no(const struct shk_yaml *yaml, struct fy_node *value, void *yes)
{
  *(bool *)yes = shk_is_word(value, "yes");
  return *(bool *)yes || shk_is_word(value, "no") ||
         shk_yaml_fail_kind(yaml, value, yaml->key->expected);
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
    if (!shk_decimal_read(number, at) || number->coefficient < 0)
      *number = (struct shk_decimal){.coefficient = 0};
  }
  free(text);
  return is;
}

/* Reads a positive or negative number and returns it as a canonical string. On failure, sets the
 * message and returns NULL. */
static char *number_text(const struct shk_yaml *yaml, struct fy_node *value, const char *expected)
{
  char *const found = shk_yaml_scalar(value);
  char *const text = found ? shk_number_canonical(found, false) : NULL;
  if (!text)
    shk_yaml_fail_kind(yaml, value, expected);
  free(found);
  return text;
}

bool shk_read_number_text(const struct shk_yaml *yaml, struct fy_node *value, void *text)
{
  *(char **)text = number_text(yaml, value, yaml->key->expected);
  return *(char **)text;
}

static bool read_positive(const struct shk_yaml *yaml, struct fy_node *value, const char *expected,
                          struct shk_decimal *x)
{
  char *const text = number_text(yaml, value, expected);
  bool ok = text != NULL;
  if (ok && !shk_decimal_read(x, text))
    ok = shk_yaml_fail(yaml, value, "found %s, expected a number of at most %d digits", text,
                       SHK_DECIMAL_DIGITS);
  else if (ok && (x->coefficient <= 0))
    ok = shk_yaml_fail(yaml, value, "found %s, expected a number above zero", text);
  free(text);
  return ok;
}

bool shk_read_positive(const struct shk_yaml *yaml, struct fy_node *value, void *decimal)
{
  return read_positive(yaml, value, yaml->key->expected, decimal);
}

bool shk_read_whole(const struct shk_yaml *yaml, struct fy_node *value, void *count)
{
  const struct shk_yaml_key *const key = yaml->key;
  char *const text = shk_yaml_scalar(value);
  char *const whole = text ? shk_number_canonical(text, true) : NULL;
  const long number = whole ? strtol(whole, NULL, 10) : key->least - 1L;
  const bool ok = number >= key->least && number <= key->most;
  *(int *)count = ok ? (int)number : key->least;
  free(whole);
  free(text);
  return ok || shk_yaml_fail_kind(yaml, value, key->expected);
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

/* Reads a list of distinct positive numbers and sorts it. */
static bool read_list(const struct shk_yaml *yaml, struct fy_node *node,
                      int (*compare)(const void *, const void *), struct shk_numbers *list)
{
  const int count = shk_yaml_items(yaml, node, yaml->key->expected, false);
  struct shk_decimal *const values = shk_allocate((size_t)count + 1, sizeof *values);
  bool ok = count > 0 && (count <= most_numbers ||
                          shk_yaml_fail(yaml, node, "found more than %d numbers", most_numbers));
  for (int i = 0; i < count && ok; i++)
    ok = read_positive(yaml, shk_yaml_item(node, i), "a number above zero", &values[i]);
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

bool shk_read_times(const struct shk_yaml *yaml, struct fy_node *node, void *list)
{
  return read_list(yaml, node, compare_ascending, list);
}

struct progression {
  struct shk_decimal largest, smallest, factor; /* zero if not given */
  int halvings;                                 /* -1 if not given */
};

static bool is_given(struct shk_decimal x)
{
  return x.coefficient != 0;
}

static bool read_factor(const struct shk_yaml *yaml, struct fy_node *value, void *factor)
{
  return shk_read_positive(yaml, value, factor) &&
         (shk_decimal_compare(*(struct shk_decimal *)factor, shk_decimal_from_integer(1)) > 0 ||
          shk_yaml_fail_kind(yaml, value, yaml->key->expected));
}

/* Lists largest, largest/factor, … down to the smallest number. Division stops there, because the
 * next quotient might not be exact. */
static bool expand_study_numbers(const struct shk_yaml *yaml, struct fy_node *node,
                                 const struct progression *progression, struct shk_numbers *list)
{
  const bool halving = progression->halvings >= 0;
  const double least = shk_decimal_approximate(progression->smallest) *
                       shk_decimal_approximate(progression->factor) * (1 - 1e-9);
  struct shk_decimal x = progression->largest;
  for (int i = 0; halving || shk_decimal_compare(x, progression->smallest) >= 0; i++) {
    if (i == most_numbers)
      return shk_yaml_fail(yaml, node, "found more than %d numbers", most_numbers);
    shk_numbers_add(list, x);
    if (halving ? i == progression->halvings : list->values[i] < least)
      break;
    if (!shk_decimal_divide(&x, x, progression->factor))
      return shk_yaml_fail(
          yaml, node,
          "%s/%g is not a decimal number of %d digits: choose at most %d numbers, or give a list",
          list->texts[i], shk_decimal_approximate(progression->factor), SHK_DECIMAL_DIGITS, i + 1);
  }
  return true;
}

static bool read_progression(const struct shk_yaml *yaml, struct fy_node *node, long long factor,
                             struct shk_numbers *list)
{
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("largest", true, struct progression, largest, shk_read_positive,
                     "a number above zero"),
      SHK_YAML_FIELD("halvings", false, struct progression, halvings, shk_read_whole,
                     "a whole number from 0 to 60", .most = 60),
      SHK_YAML_FIELD("smallest", false, struct progression, smallest, shk_read_positive,
                     "a number above zero"),
      SHK_YAML_FIELD("factor", false, struct progression, factor, read_factor,
                     "a number above one")};
  struct progression progression = {.halvings = -1};
  if (!shk_yaml_mapping(yaml, node, NULL, yaml->key->expected, SHK_YAML_KEYS(keys), &progression))
    return false;
  if ((progression.halvings >= 0) == is_given(progression.smallest))
    return shk_yaml_fail(yaml, node, "expected `largest` with either `halvings` or `smallest`");
  if (progression.halvings >= 0 && is_given(progression.factor))
    return shk_yaml_fail(yaml, node,
                         "`factor` can be used with `smallest` but not with `halvings`");
  if (is_given(progression.smallest) &&
      shk_decimal_compare(progression.smallest, progression.largest) > 0)
    return shk_yaml_fail(yaml, node, "`smallest` is above `largest`");
  if (!is_given(progression.factor))
    progression.factor = shk_decimal_from_integer(progression.halvings >= 0 ? 2 : factor);
  return expand_study_numbers(yaml, node, &progression, list);
}

bool shk_read_progression(const struct shk_yaml *yaml, struct fy_node *node, long long factor,
                          struct shk_numbers *list)
{
  return shk_yaml_is_mapping(node) ? read_progression(yaml, node, factor, list)
                                   : read_list(yaml, node, compare_descending, list);
}

/* ---- parts of a largest step ---- */

/* Reads a step, given as a number, `until`, or `until/N`. */
static bool read_largest(const struct shk_yaml *yaml, struct fy_node *value, void *into)
{
  struct shk_step_parts *const parts = into;
  parts->largest = shk_decimal_from_integer(1);
  parts->of_until =
      shk_is_word(value, "until") || shk_is_form(&parts->largest, value, "until/", "");
  if (!parts->of_until)
    return shk_read_positive(yaml, value, &parts->largest);
  return parts->largest.coefficient != 0 || shk_yaml_fail_kind(yaml, value, yaml->key->expected);
}

bool shk_read_parts(const struct shk_yaml *yaml, struct fy_node *node, void *parts)
{
  static const struct shk_yaml_key keys[] = {
      {.name = "largest",
       .required = true,
       .read = read_largest,
       .expected = "a number above zero, until, or until/16"},
      SHK_YAML_FIELD("parts", true, struct shk_step_parts, parts, shk_read_times,
                     "a list of numbers above zero: [1, 2, 5]")};
  return shk_yaml_mapping(yaml, node, NULL, yaml->key->expected, SHK_YAML_KEYS(keys), parts);
}

/* ---- limits and thresholds ---- */

/* Reads a number and stores it as a double. */
static bool read_amount(const struct shk_yaml *yaml, struct fy_node *value, void *amount)
{
  struct shk_decimal x;
  if (!shk_read_positive(yaml, value, &x))
    return false;
  *(double *)amount = shk_decimal_approximate(x);
  return true;
}

/* Reads an amount of memory in MiB or GiB and stores it in MiB. */
static bool read_memory(const struct shk_yaml *yaml, struct fy_node *value, void *megabytes)
{
  struct shk_decimal x = {.coefficient = 0};
  const bool large = shk_is_form(&x, value, "", "GiB");
  if (!large)
    shk_is_form(&x, value, "", "MiB");
  *(double *)megabytes = shk_decimal_approximate(x) * (large ? 1024 : 1);
  return (x.coefficient != 0 && isfinite(*(double *)megabytes)) ||
         shk_yaml_fail_kind(yaml, value, yaml->key->expected);
}

bool shk_read_limits(const struct shk_yaml *yaml, struct fy_node *node, void *run)
{
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("seconds", false, struct shk_study_run, seconds, read_amount,
                     "a number of seconds"),
      SHK_YAML_FIELD("memory", false, struct shk_study_run, megabytes, read_memory,
                     "an amount of memory such as 512MiB or 2GiB")};
  return shk_yaml_mapping(yaml, node, NULL, yaml->key->expected, SHK_YAML_KEYS(keys), run);
}

bool shk_read_singular_limits(const struct shk_yaml *yaml, struct fy_node *node, void *limits)
{
  static const char positive[] = "a threshold above zero";
  static const struct shk_yaml_key keys[] = {
      SHK_YAML_FIELD("error", true, struct shk_singular_limits, error, read_amount, positive),
      SHK_YAML_FIELD("branch", true, struct shk_singular_limits, branch, read_amount, positive),
      SHK_YAML_FIELD("growth", true, struct shk_singular_limits, growth, read_amount, positive)};
  ((struct shk_singular_limits *)limits)->asked = true;
  return shk_yaml_mapping(yaml, node, NULL, yaml->key->expected, SHK_YAML_KEYS(keys), limits);
}

/* ---- vectors ---- */

static bool read_component(const struct shk_yaml *yaml, struct fy_node *item, void *text)
{
  char **const vector = text;
  char *const number = number_text(yaml, item, "a number");
  const bool ok = number != NULL;
  if (ok)
    shk_append_text(vector, *vector ? ",%s" : "%s", number);
  free(number);
  return ok;
}

bool shk_read_vector(const struct shk_yaml *yaml, struct fy_node *node, void *text)
{
  return shk_yaml_sequence(yaml, node, yaml->key->expected, false, read_component, text);
}

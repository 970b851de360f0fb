/*
 * The value of one option: an item of a specification checked against the option's kind and bounds,
 * in canonical form. Numbers stay text; bounds are compared in double, which is enough to tell a
 * number from a bound that a person wrote.
 */
#include "foundation/value.h"
#include "foundation/folder.h"
#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "foundation/number.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* "a, b or c" of at most 12 names; the caller frees it. */
static char *join_names(const char *const *names, int count)
{
  char *text = shk_copy_text("");
  for (int i = 0; i < count && i < 12; i++) {
    char *const longer = i == 11 && count > 12 ? shk_print_text("%s, …", text)
                                               : shk_print_text("%s%s%s", text,
                                                                i == 0           ? ""
                                                                : i == count - 1 ? " or "
                                                                                 : ", ",
                                                                names[i]);
    free(text);
    text = longer;
  }
  return text;
}

bool shk_value_unknown(struct shk_message *error, const char *what, const char *word,
                       const char *const *names, int count)
{
  char near[256];
  shk_nearest(near, sizeof near, word, names, count);
  if (near[0]) {
    shk_message_set(error, "%s \"%s\": did you mean %s?", what, word, near);
  } else {
    char *const all = join_names(names, count);
    shk_message_set(error, "%s \"%s\": known are %s", what, word, all);
    free(all);
  }
  return false;
}

char *shk_value_item_text(const struct shk_spec_item *item)
{
  return item->kind == SHK_SPEC_NESTED ? shk_spec_text(item->nested) : shk_copy_text(item->text);
}

/* A default that names what it belongs to would go on for ever. */
enum { DEEPEST = 16 };

static bool fail_kind(const struct shk_value_binding *binding, const struct shk_spec_item *item,
                      const char *expected)
{
  char *const found = shk_value_item_text(item);
  shk_message_set(binding->error, "%s: option %s is \"%s\", expected %s", binding->owner,
                  binding->option->name, found, expected);
  free(found);
  return false;
}

/* The number in double; angles in radians. */
static double approximate(const char *text)
{
  char *end;
  const double x = strtod(text, &end);
  return strcmp(end, "deg") == 0 ? x * (3.14159265358979323846 / 180) : x;
}

static bool within_bounds(const struct shk_value_binding *binding, const char *text)
{
  const struct shk_option *const option = binding->option;
  const double x = approximate(text);
  const char *expected = NULL, *bound = "";
  if (!isfinite(x)) {
    expected = "a number in the range of double precision";
  } else if (option->positive && !(x > 0)) {
    expected = "a number above 0";
  } else if (option->minimum && x < approximate(option->minimum)) {
    expected = "at least ";
    bound = option->minimum;
  } else if (option->maximum && x > approximate(option->maximum)) {
    expected = "at most ";
    bound = option->maximum;
  }
  if (expected)
    shk_message_set(binding->error, "%s: option %s is %s, expected %s%s", binding->owner,
                    option->name, text, expected, bound);
  return !expected;
}

static bool bind_number(struct shk_value *value, const struct shk_value_binding *binding,
                        const struct shk_spec_item *item)
{
  const enum shk_option_kind kind = binding->option->kind;
  const bool whole = kind == SHK_OPTION_INTEGER;
  if (item->kind == SHK_SPEC_NUMBER)
    value->text = shk_number_with_unit(item->text, kind == SHK_OPTION_ANGLE, whole);
  if (!value->text)
    return fail_kind(binding, item,
                     whole                      ? "a whole number"
                     : kind == SHK_OPTION_ANGLE ? "an angle: a number, alone or with deg or rad"
                                                : "a number");
  if (whole) {
    errno = 0;
    value->integer = strtol(value->text, NULL, 10);
    if (errno)
      return fail_kind(binding, item, "a smaller number");
  }
  return within_bounds(binding, value->text);
}

static bool bind_flag(struct shk_value *value, const struct shk_value_binding *binding,
                      const struct shk_spec_item *item)
{
  if (item->kind == SHK_SPEC_NESTED && item->nested->count == 0 &&
      (strcmp(item->nested->name, "yes") == 0 || strcmp(item->nested->name, "no") == 0)) {
    value->text = shk_copy_text(item->nested->name);
    return true;
  }
  return fail_kind(binding, item, "yes or no");
}

static bool bind_choice(struct shk_value *value, const struct shk_value_binding *binding,
                        const struct shk_spec_item *item)
{
  const struct shk_head *const heads = binding->option->heads;
  /* A head may be called 2 or 3, and may be quoted. */
  struct shk_spec bare = {.name = item->text};
  const struct shk_spec *const spec = item->kind == SHK_SPEC_NESTED ? item->nested : &bare;
  int count = 0, found = -1;
  for (; heads && heads[count].name; count++)
    if (strcmp(heads[count].name, spec->name) == 0)
      found = count;
  if (found < 0) {
    const char **const names = shk_allocate((size_t)count, sizeof *names);
    for (int i = 0; i < count; i++)
      names[i] = heads[i].name;
    char *const what =
        shk_print_text("%s: option %s has no choice", binding->owner, binding->option->name);
    shk_value_unknown(binding->error, what, spec->name, names, count);
    free(what);
    free(names);
    return false;
  }
  value->head = found;
  value->nested =
      shk_values_bind_at(spec, heads[found].options, binding->find, binding->depth, binding->error);
  if (!value->nested)
    return false;
  value->text = shk_values_canonical(spec->name, value->nested);
  return true;
}

/* A specification as a value: of an integrator or of a problem. */
static bool bind_part(struct shk_value *value, const struct shk_value_binding *binding,
                      const struct shk_spec_item *item)
{
  const struct shk_option *options = NULL;
  const enum shk_option_kind kind = binding->option->kind;
  const bool is_problem = kind == SHK_OPTION_PROBLEM;
  if (item->kind != SHK_SPEC_NESTED || !binding->find)
    return fail_kind(binding, item,
                     is_problem ? "a problem, as in pendulum or pendulum(angle=1)"
                                : "an integrator, as in rattle or rattle(linear=lu)");
  if (binding->depth == DEEPEST) {
    shk_message_set(binding->error, "%s: %s are nested more than %d deep", binding->owner,
                    is_problem ? "problems" : "integrators", DEEPEST);
    return false;
  }
  if (!binding->find(&options, kind, item->nested->name, binding->error))
    return false;
  value->nested =
      shk_values_bind_at(item->nested, options, binding->find, binding->depth + 1, binding->error);
  if (!value->nested)
    return false;
  value->text = shk_values_canonical(item->nested->name, value->nested);
  return true;
}

static bool bind_file(struct shk_value *value, const struct shk_value_binding *binding,
                      const struct shk_spec_item *item)
{
  struct shk_message reason;
  if (item->kind != SHK_SPEC_STRING)
    return fail_kind(binding, item, "a path in quotes, as in \"linkage.yaml\"");
  if (!shk_folder_permits(item->text, &reason)) {
    shk_message_set(binding->error, "%s: option %s is %s", binding->owner, binding->option->name,
                    reason.text);
    return false;
  }
  value->text = shk_value_item_text(item);
  return true;
}

bool shk_value_bind(struct shk_value *value, const struct shk_value_binding *binding,
                    const struct shk_spec_item *item)
{
  switch (binding->option->kind) {
  case SHK_OPTION_REAL:
  case SHK_OPTION_ANGLE:
  case SHK_OPTION_INTEGER:
    return bind_number(value, binding, item);
  case SHK_OPTION_FLAG:
    return bind_flag(value, binding, item);
  case SHK_OPTION_CHOICE:
    return bind_choice(value, binding, item);
  case SHK_OPTION_TEXT:
    value->text = shk_value_item_text(item);
    return true;
  case SHK_OPTION_INTEGRATOR:
  case SHK_OPTION_PROBLEM:
    return bind_part(value, binding, item);
  case SHK_OPTION_FILE:
    return bind_file(value, binding, item);
  }
  return fail_kind(binding, item, "a kind of option that this program knows");
}

/* Reads a default as an item of its own. */
bool shk_value_bind_default(struct shk_value *value, const struct shk_value_binding *binding)
{
  const struct shk_option *const option = binding->option;
  struct shk_spec_item item = {.kind = SHK_SPEC_STRING};
  if (option->kind == SHK_OPTION_CHOICE || option->kind == SHK_OPTION_FLAG ||
      option->kind == SHK_OPTION_INTEGRATOR || option->kind == SHK_OPTION_PROBLEM) {
    item.kind = SHK_SPEC_NESTED;
    /* A head that begins with a digit is not a specification. */
    item.nested = islower((unsigned char)option->fallback[0])
                      ? shk_spec_parse(option->fallback, binding->error)
                      : NULL;
    if (!item.nested)
      item.kind = SHK_SPEC_STRING;
  } else if (option->kind != SHK_OPTION_TEXT && option->kind != SHK_OPTION_FILE) {
    item.kind = SHK_SPEC_NUMBER;
  }
  if (item.kind != SHK_SPEC_NESTED)
    item.text = shk_copy_text(option->fallback);
  const bool ok = shk_value_bind(value, binding, &item);
  free(item.text);
  shk_spec_free(item.nested);
  return ok;
}

void shk_value_clear(struct shk_value *value)
{
  free(value->text);
  free(value->default_text);
  shk_values_free(value->nested);
  *value = (struct shk_value){.text = NULL};
}

/*
 * Implements option values and their canonical form. Option values are a specification that has
 * been checked against a descriptor. Numbers remain strings, and bounds are compared in double
 * precision.
 */
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "foundation/nearest.h"
#include "foundation/number.h"
#include "foundation/specifications/spec.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct value {
  char *text;         /* canonical */
  char *default_text; /* the canonical form of the value, or NULL if there is no default */
  bool given;
  long integer;
  int choice;
  struct shk_values *nested; /* used if the value is a choice, an integrator or a problem */
  /* used if the value is an integrator, a problem or a plug-in's solver */
  const void *part;
};

struct shk_values {
  const struct shk_option *options; /* may be NULL */
  int count;
  struct value *values; /* one value per option */
  struct shk_access access;
  char *message; /* the last string returned by shk_values_message */
  char *note;    /* NULL if there is none */
  /* the first option that the code has read but the descriptor does not contain; NULL if there is
   * none */
  char *unknown;
};

static int option_count(const struct shk_option *options)
{
  int count = 0;
  while (options && options[count].name)
    count++;
  return count;
}

/* Returns an item's value as a string for use in messages. The caller must free the string. */
static char *item_text(const struct shk_spec_item *item)
{
  return item->kind == SHK_SPEC_NESTED ? shk_spec_text(item->nested) : shk_copy_text(item->text);
}

struct binding {
  const char *owner;
  const struct shk_option *option;
  /* if this is NULL, integrators, problems and solvers are rejected */
  const struct shk_scope *scope;
  int depth; /* depth of nested integrators or problems */
  struct shk_message *error;
};

/* Maximum depth of nesting. Without this limit, a default that names its own owner would recurse
 * indefinitely. */
enum { DEEPEST = 16 };

static struct shk_values *bind_all(const struct shk_spec *spec, const struct shk_option *options,
                                   const struct shk_scope *scope, int depth,
                                   struct shk_message *error);

static bool fail_kind(const struct binding *binding, const struct shk_spec_item *item,
                      const char *expected)
{
  char *const found = item_text(item);
  shk_message_set(binding->error, "%s: option %s is \"%s\", expected %s", binding->owner,
                  binding->option->name, found, expected);
  free(found);
  return false;
}

/* Converts a number to double precision. Angles are converted to radians. */
static double approximate_values(const char *text)
{
  char *end;
  const double x = strtod(text, &end);
  return strcmp(end, "deg") == 0 ? x * (3.14159265358979323846 / 180) : x;
}

static bool within_bounds(const struct binding *binding, const char *text)
{
  const struct shk_option *const option = binding->option;
  const double x = approximate_values(text);
  const bool low = option->minimum && x < approximate_values(option->minimum);
  const bool high = option->maximum && x > approximate_values(option->maximum);
  const char *const bound = low ? option->minimum : high ? option->maximum : "";
  const char *const expected = !isfinite(x) ? "a number in the range of double precision"
                               : option->positive && !(x > 0) ? "a number above 0"
                               : low                          ? "at least "
                               : high                         ? "at most "
                                                              : NULL;
  return !expected || shk_message_set(binding->error, "%s: option %s is %s, expected %s%s",
                                      binding->owner, option->name, text, expected, bound);
}

static bool bind_number(struct value *value, const struct binding *binding,
                        const struct shk_spec_item *item)
{
  const enum shk_option_kind kind = binding->option->kind;
  const bool whole = kind == SHK_OPTION_INTEGER;
  if (item->kind == SHK_SPEC_NUMBER)
    value->text = shk_number_with_unit(item->text, kind == SHK_OPTION_ANGLE, whole);
  if (!value->text)
    return fail_kind(binding, item,
                     whole ? "a whole number"
                     : kind == SHK_OPTION_ANGLE
                         ? "an angle: a number, optionally followed by deg or rad"
                         : "a number");
  if (whole)
    value->integer = strtol(value->text, NULL, 10); /* at most 18 digits */
  return within_bounds(binding, value->text);
}

static bool bind_nested(struct value *value, const struct binding *binding,
                        const struct shk_spec *spec, const struct shk_option *options, int depth)
{
  value->nested = bind_all(spec, options, binding->scope, depth, binding->error);
  if (value->nested)
    value->text = shk_values_canonical(spec->name, value->nested);
  return value->nested;
}

/* Finds a choice that a plug-in has added. */
static bool find_other(struct shk_option_part *part, const struct binding *binding,
                       const char *name)
{
  struct shk_message unused;
  const struct shk_scope *const scope = binding->scope;
  return binding->option->others_at != 0 && scope && scope->find &&
         scope->find(scope->user, part, SHK_OPTION_CHOICE, name, &unused);
}

static bool bind_choice(struct value *value, const struct binding *binding,
                        const struct shk_spec_item *item)
{
  static const struct shk_choice yes_or_no[] = {{.name = "no"}, {.name = "yes"}, {.name = NULL}};
  const bool is_flag = binding->option->kind == SHK_OPTION_FLAG;
  const struct shk_choice *const choices = is_flag ? yes_or_no : binding->option->choices;
  /* A choice can be a number, such as 2 or 3, and can be quoted. */
  struct shk_spec bare = {.name = item->text};
  const struct shk_spec *const spec = item->kind == SHK_SPEC_NESTED ? item->nested : &bare;
  struct shk_option_part other = {0};
  int count = 0;
  while (choices && choices[count].name)
    count++;
  int found = shk_name_index(spec->name, choices, sizeof *choices, count);
  if (found < 0 && find_other(&other, binding, spec->name))
    found = count;
  if (found < 0) {
    char *const hint = shk_name_hint(spec->name, choices, sizeof *choices, count);
    shk_message_set(binding->error, "%s: option %s has no choice \"%s\": %s", binding->owner,
                    binding->option->name, spec->name, hint);
    free(hint);
    return false;
  }
  value->choice = found;
  value->part = other.itself;
  return bind_nested(value, binding, spec, found < count ? choices[found].options : other.options,
                     binding->depth);
}

/* Binds an integrator or a problem that is the value of an option. */
static bool bind_part(struct value *value, const struct binding *binding,
                      const struct shk_spec_item *item)
{
  struct shk_option_part part = {0};
  const enum shk_option_kind kind = binding->option->kind;
  const bool is_problem = kind == SHK_OPTION_PROBLEM;
  if (item->kind != SHK_SPEC_NESTED || !binding->scope || !binding->scope->find)
    return fail_kind(binding, item,
                     is_problem ? "a problem, such as pendulum or pendulum(angle=1)"
                                : "an integrator, such as rattle or rattle(linear=lu)");
  if (binding->depth == DEEPEST)
    return shk_message_set(binding->error, "%s: %s are nested more than %d deep", binding->owner,
                           is_problem ? "problems" : "integrators", DEEPEST);
  if (!binding->scope->find(binding->scope->user, &part, kind, item->nested->name, binding->error))
    return false;
  value->part = part.itself;
  return bind_nested(value, binding, item->nested, part.options, binding->depth + 1);
}

static bool bind_file(struct value *value, const struct binding *binding,
                      const struct shk_spec_item *item)
{
  struct shk_message reason;
  if (item->kind != SHK_SPEC_STRING)
    return fail_kind(binding, item, "a path in quotes, such as \"linkage.yaml\"");
  if (!shk_folder_permits(item->text, &reason))
    return shk_message_set(binding->error, "%s: option %s is %s", binding->owner,
                           binding->option->name, reason.text);
  value->text = item_text(item);
  return true;
}

static bool bind_item(struct value *value, const struct binding *binding,
                      const struct shk_spec_item *item)
{
  switch (binding->option->kind) {
  case SHK_OPTION_REAL:
  case SHK_OPTION_ANGLE:
  case SHK_OPTION_INTEGER:
    return bind_number(value, binding, item);
  case SHK_OPTION_FLAG:
  case SHK_OPTION_CHOICE:
    return bind_choice(value, binding, item);
  case SHK_OPTION_TEXT:
    value->text = item_text(item);
    return true;
  case SHK_OPTION_INTEGRATOR:
  case SHK_OPTION_PROBLEM:
    return bind_part(value, binding, item);
  case SHK_OPTION_FILE:
    return bind_file(value, binding, item);
  }
  return fail_kind(binding, item, "a type of option known to this program");
}

/* Binds a default value, which is parsed like an item. */
static bool bind_fallback(struct value *value, const struct binding *binding)
{
  const struct shk_option *const option = binding->option;
  const bool is_text = option->kind == SHK_OPTION_TEXT || option->kind == SHK_OPTION_FILE;
  struct shk_spec_item item = {.kind = is_text ? SHK_SPEC_STRING : SHK_SPEC_NUMBER,
                               .text = (char *)option->fallback};
  /* A choice that begins with a digit cannot be parsed as a specification. */
  if (!is_text && islower((unsigned char)option->fallback[0])) {
    item.kind = SHK_SPEC_NESTED;
    item.nested = shk_spec_parse(option->fallback, binding->error);
  }
  const bool ok = (item.kind != SHK_SPEC_NESTED || item.nested) && bind_item(value, binding, &item);
  shk_spec_free(item.nested);
  return ok;
}

static void clear_value(struct value *value)
{
  free(value->text);
  free(value->default_text);
  shk_values_free(value->nested);
  *value = (struct value){.text = NULL};
}

/* Returns the index of the option that an item names or, if the item has no name, the index of the
 * next positional option. Returns -1 on failure. */
static int find_option(const struct shk_spec *spec, const struct shk_spec_item *item,
                       const struct shk_option *options, int *next, struct shk_message *error)
{
  const int count = option_count(options);
  if (!item->option) {
    while (*next < count && !options[*next].positional)
      ++*next;
    if (*next < count)
      return (*next)++;
    char *const value = item_text(item);
    shk_message_set(error, "%s: \"%s\" has no name; give options as name=value", spec->name, value);
    free(value);
    return -1;
  }
  const int known = shk_name_index(item->option, options, sizeof *options, count);
  if (known < 0 && count == 0) {
    shk_message_set(error, "%s has no options, found \"%s\"", spec->name, item->option);
  } else if (known < 0) {
    char *const hint = shk_name_hint(item->option, options, sizeof *options, count);
    shk_message_set(error, "%s has no option \"%s\": %s", spec->name, item->option, hint);
    free(hint);
  }
  return known;
}

/* First binds an option to its default, which is needed for comparison, and then to its item if
 * there is one. */
static bool bind_option(struct value *value, const struct binding *binding,
                        const struct shk_spec_item *item)
{
  const struct shk_option *const option = binding->option;
  if (option->fallback) {
    if (!bind_fallback(value, binding))
      return false;
    char *const standard = shk_copy_text(value->text);
    if (item)
      clear_value(value);
    value->default_text = standard;
  } else if (!item) {
    shk_message_set(binding->error, "%s needs the option %s: %s", binding->owner, option->name,
                    option->meaning);
  }
  value->given = item;
  return item ? bind_item(value, binding, item) : option->fallback != NULL;
}

/* Finds the item for each option. Returns false if an item has no matching option or if an option
 * has two items. */
static bool sort_items(const struct shk_spec_item **items, const struct shk_spec *spec,
                       const struct shk_option *options, struct shk_message *error)
{
  int next = 0;
  for (int i = 0; i < spec->count; i++) {
    const int index = find_option(spec, &spec->items[i], options, &next, error);
    if (index < 0)
      return false;
    if (items[index])
      return shk_message_set(error, "%s: option %s is given twice", spec->name,
                             options[index].name);
    items[index] = &spec->items[i];
  }
  return true;
}

static struct shk_values *bind_all(const struct shk_spec *spec, const struct shk_option *options,
                                   const struct shk_scope *scope, int depth,
                                   struct shk_message *error)
{
  struct binding binding = {spec->name, NULL, scope, depth, error};
  struct shk_values *const values = shk_allocate(1, sizeof *values);
  values->options = options;
  values->count = option_count(options);
  values->values = shk_allocate((size_t)values->count, sizeof *values->values);
  if (scope)
    values->access = scope->access;
  const struct shk_spec_item **const items = shk_allocate((size_t)values->count, sizeof *items);
  bool ok = sort_items(items, spec, options, error);
  for (int i = 0; ok && i < values->count; i++) {
    binding.option = &options[i];
    ok = bind_option(&values->values[i], &binding, items[i]);
  }
  free(items);
  if (ok)
    return values;
  shk_values_free(values);
  return NULL;
}

struct shk_values *shk_values_bind(const struct shk_scope *scope, const struct shk_spec *spec,
                                   const struct shk_option *options, struct shk_message *error)
{
  return bind_all(spec, options, scope, 0, error);
}

void shk_values_free(struct shk_values *values)
{
  if (!values)
    return;
  for (int i = 0; i < values->count; i++)
    clear_value(&values->values[i]);
  free(values->values);
  free(values->message);
  free(values->note);
  free(values->unknown);
  free(values);
}

char *shk_values_canonical(const char *name, const struct shk_values *values)
{
  char *text = shk_copy_text(name);
  int printed = 0;
  /* true as long as every positional option has been printed without its name */
  bool all_positional = true;
  for (int i = 0; i < values->count; i++) {
    const struct shk_option *const option = &values->options[i];
    const struct value *const value = &values->values[i];
    if (value->default_text && strcmp(value->text, value->default_text) == 0) {
      all_positional &= !option->positional;
      continue;
    }
    shk_append_text(&text, printed++ ? "," : "(");
    if (!option->positional || !all_positional)
      shk_append_text(&text, "%s=", option->name);
    const bool bare = option->kind != SHK_OPTION_FILE &&
                      (option->kind != SHK_OPTION_TEXT || shk_spec_is_name(value->text));
    char *const quoted = bare ? NULL : shk_spec_quoted(value->text);
    shk_append_text(&text, "%s", bare ? value->text : quoted);
    free(quoted);
  }
  if (printed)
    shk_append_text(&text, ")");
  return text;
}

static int find_values(const struct shk_values *values, const char *option)
{
  return values ? shk_name_index(option, values->options, sizeof *values->options, values->count)
                : -1;
}

/* Returns the value of an unknown option, which is later reported by shk_values_unknown. The values
 * themselves are not modified. */
static const struct value *note_unknown(const struct shk_values *values, const char *option)
{
  static const struct value none = {.text = ""};
  if (values && !values->unknown)
    ((struct shk_values *)values)->unknown = shk_copy_text(option);
  return &none;
}

static const struct value *look_up(const struct shk_values *values, const char *option)
{
  const int i = find_values(values, option);
  return i >= 0 ? &values->values[i] : note_unknown(values, option);
}

const struct shk_values *shk_values_with(const struct shk_values *values, const char *option)
{
  return values && find_values(values, option) >= 0 ? values : NULL;
}

const char *shk_values_unknown(const struct shk_values *values)
{
  const char *unknown = values ? values->unknown : NULL;
  for (int i = 0; values && !unknown && i < values->count; i++)
    unknown = shk_values_unknown(values->values[i].nested);
  return unknown;
}

const char *shk_values_text(const struct shk_values *values, const char *option)
{
  return look_up(values, option)->text;
}

long shk_values_integer(const struct shk_values *values, const char *option)
{
  return look_up(values, option)->integer;
}

bool shk_values_flag(const struct shk_values *values, const char *option)
{
  return look_up(values, option)->choice == 1;
}

int shk_values_choice(const struct shk_values *values, const char *option)
{
  return look_up(values, option)->choice;
}

const struct shk_values *shk_values_nested(const struct shk_values *values, const char *option)
{
  return look_up(values, option)->nested;
}

const void *shk_values_part(const struct shk_values *values, const char *option)
{
  return look_up(values, option)->part;
}

bool shk_values_given(const struct shk_values *values, const char *option)
{
  return look_up(values, option)->given;
}

struct shk_access shk_values_access(const struct shk_values *values)
{
  return values->access;
}

void shk_values_set_note(const struct shk_values *values, const char *text)
{
  free(values->note);
  ((struct shk_values *)values)->note = shk_copy_text(text);
}

const char *shk_values_note(const struct shk_values *values)
{
  return values && values->note ? values->note : "";
}

const char *shk_values_message(const struct shk_values *values, const char *text)
{
  char *const copy = shk_allocate(2 * strlen(text) + 1, 1), *to = copy;
  for (; *text != '\0'; *to++ = *text++)
    if (*text == '%')
      *to++ = '%';
  free(values->message);
  ((struct shk_values *)values)->message = copy; /* the values themselves are not modified */
  return copy;
}

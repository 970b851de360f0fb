/*
 * Options with their values: a specification checked against a descriptor, and its canonical form.
 */
#include "foundation/memory.h"
#include "foundation/value.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shk_values {
  const struct shk_option *options; /* may be NULL */
  int count;
  struct shk_value *values; /* one for each option */
};

static int option_count(const struct shk_option *options)
{
  int count = 0;
  while (options && options[count].name)
    count++;
  return count;
}

/* The option that an item is for: by name, or the next positional one. -1 on failure. */
static int find_option(const struct shk_spec *spec, const struct shk_spec_item *item,
                       const struct shk_option *options, int *next, struct shk_message *error)
{
  const int count = option_count(options);
  if (!item->option) {
    while (*next < count && !options[*next].positional)
      ++*next;
    if (*next < count)
      return (*next)++;
    char *const value = shk_value_item_text(item);
    shk_message_set(error, "%s: \"%s\" stands without a name; give options as name=value",
                    spec->name, value);
    free(value);
    return -1;
  }
  const char **const names = shk_allocate((size_t)count, sizeof *names);
  int found = -1;
  for (int i = 0; i < count; i++) {
    names[i] = options[i].name;
    if (strcmp(item->option, options[i].name) == 0)
      found = i;
  }
  if (found < 0 && count == 0) {
    shk_message_set(error, "%s has no options, found \"%s\"", spec->name, item->option);
  } else if (found < 0) {
    char *const what = shk_print_text("%s has no option", spec->name);
    shk_value_unknown(error, what, item->option, names, count);
    free(what);
  }
  free(names);
  return found;
}

/* Gives options that were left out their defaults, and the others something to compare with. */
static bool fill_defaults(struct shk_values *values, const struct shk_value_binding *common)
{
  for (int i = 0; i < values->count; i++) {
    const struct shk_option *const option = &values->options[i];
    struct shk_value *const value = &values->values[i];
    struct shk_value_binding binding = *common;
    binding.option = option;
    struct shk_value standard = {.text = NULL};
    if (!option->fallback) {
      if (value->given)
        continue;
      shk_message_set(binding.error, "%s needs the option %s: %s", binding.owner, option->name,
                      option->meaning);
      return false;
    }
    if (!shk_value_bind_default(&standard, &binding)) {
      shk_value_clear(&standard);
      return false;
    }
    standard.default_text = shk_copy_text(standard.text);
    if (!value->given) {
      *value = standard;
    } else {
      value->default_text = standard.default_text;
      standard.default_text = NULL;
      shk_value_clear(&standard);
    }
  }
  return true;
}

struct shk_values *shk_values_bind_at(const struct shk_spec *spec, const struct shk_option *options,
                                      shk_option_finder *find, int depth, struct shk_message *error)
{
  struct shk_value_binding binding = {spec->name, NULL, find, depth, error};
  struct shk_values *const values = shk_allocate(1, sizeof *values);
  values->options = options;
  values->count = option_count(options);
  values->values = shk_allocate((size_t)values->count, sizeof *values->values);
  int next = 0;
  for (int i = 0; i < spec->count; i++) {
    const struct shk_spec_item *const item = &spec->items[i];
    const int index = find_option(spec, item, options, &next, error);
    bool ok = index >= 0;
    if (ok && values->values[index].given) {
      shk_message_set(error, "%s: option %s is given twice", spec->name, options[index].name);
      ok = false;
    }
    if (ok) {
      binding.option = &options[index];
      values->values[index].given = true;
      ok = shk_value_bind(&values->values[index], &binding, item);
    }
    if (!ok) {
      shk_values_free(values);
      return NULL;
    }
  }
  if (!fill_defaults(values, &binding)) {
    shk_values_free(values);
    return NULL;
  }
  return values;
}

struct shk_values *shk_values_bind_with(const struct shk_spec *spec,
                                        const struct shk_option *options, shk_option_finder *find,
                                        struct shk_message *error)
{
  return shk_values_bind_at(spec, options, find, 0, error);
}

struct shk_values *shk_values_bind(const struct shk_spec *spec, const struct shk_option *options,
                                   struct shk_message *error)
{
  return shk_values_bind_at(spec, options, NULL, 0, error);
}

void shk_values_free(struct shk_values *values)
{
  if (!values)
    return;
  for (int i = 0; i < values->count; i++)
    shk_value_clear(&values->values[i]);
  free(values->values);
  free(values);
}

/* A word that the grammar reads as a name needs no quotes. */
static bool is_bare_word(const char *text)
{
  if (!islower((unsigned char)*text))
    return false;
  for (; *text; text++)
    if (!islower((unsigned char)*text) && !isdigit((unsigned char)*text) && *text != '-')
      return false;
  return true;
}

static void print_value(FILE *out, const struct shk_option *option, const struct shk_value *value)
{
  const bool is_text = option->kind == SHK_OPTION_TEXT && !is_bare_word(value->text);
  if (!is_text && option->kind != SHK_OPTION_FILE) {
    fputs(value->text, out);
    return;
  }
  putc('"', out);
  for (const char *at = value->text; *at; at++) {
    if (*at == '"' || *at == '\\')
      putc('\\', out);
    putc(*at, out);
  }
  putc('"', out);
}

char *shk_values_canonical(const char *name, const struct shk_values *values)
{
  char *text = NULL;
  size_t length = 0;
  FILE *const out = open_memstream(&text, &length);
  if (!out)
    shk_when_memory_ends();
  fputs(name, out);
  int printed = 0;
  bool all_positional = true; /* every positional option so far was printed without its name */
  for (int i = 0; i < values->count; i++) {
    const struct shk_option *const option = &values->options[i];
    const struct shk_value *const value = &values->values[i];
    if (value->default_text && strcmp(value->text, value->default_text) == 0) {
      all_positional &= !option->positional;
      continue;
    }
    putc(printed++ ? ',' : '(', out);
    if (!option->positional || !all_positional)
      fprintf(out, "%s=", option->name);
    print_value(out, option, value);
  }
  if (printed)
    putc(')', out);
  if (fclose(out) != 0)
    shk_when_memory_ends();
  return text;
}

static const struct shk_value *look_up(const struct shk_values *values, const char *option)
{
  for (int i = 0; i < values->count; i++)
    if (strcmp(values->options[i].name, option) == 0)
      return &values->values[i];
  fprintf(stderr, "shakedown: asked for an option \"%s\" that the descriptor does not have\n",
          option);
  abort();
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
  return strcmp(look_up(values, option)->text, "yes") == 0;
}

int shk_values_choice(const struct shk_values *values, const char *option)
{
  return look_up(values, option)->head;
}

const struct shk_values *shk_values_nested(const struct shk_values *values, const char *option)
{
  return look_up(values, option)->nested;
}

bool shk_values_given(const struct shk_values *values, const char *option)
{
  return look_up(values, option)->given;
}

/* What values.c and value.c share: one value, read from an item as its option's kind says. */
#ifndef FOUNDATION_VALUE_H
#define FOUNDATION_VALUE_H

#include "foundation/spec.h"

struct shk_value {
  char *text;         /* canonical */
  char *default_text; /* canonical; NULL without a default */
  bool given;
  long integer;
  int head;
  struct shk_values *nested; /* of a choice, an integrator or a problem */
};

/* What a value is read for. */
struct shk_value_binding {
  const char *owner;
  const struct shk_option *option;
  shk_option_finder *find;
  int depth; /* of integrators within integrators, problems within problems */
  struct shk_message *error;
};

/* False, with the reason, if the option does not take the item, or its own default. */
bool shk_value_bind(struct shk_value *value, const struct shk_value_binding *binding,
                    const struct shk_spec_item *item);
bool shk_value_bind_default(struct shk_value *value, const struct shk_value_binding *binding);
void shk_value_clear(struct shk_value *value);

/* What a person reads of an item's value. The caller frees it. */
char *shk_value_item_text(const struct shk_spec_item *item);

/* Answers an unknown name with the nearest known, or with all of them; false always. */
bool shk_value_unknown(struct shk_message *error, const char *what, const char *word,
                       const char *const *names, int count);

/* The table of all options' values at that depth: shk_values_bind_with is depth 0. */
struct shk_values *shk_values_bind_at(const struct shk_spec *spec, const struct shk_option *options,
                                      shk_option_finder *find, int depth,
                                      struct shk_message *error);

#endif

/*
 * Prints the properties of an object as sections of named values, for `describe` and `diagnose`. On
 * a terminal, sections have headings, and the values are aligned. In CSV and JSON, the columns are
 * section, name and value.
 */
#ifndef CLI_SHARED_OUTPUT_PROPERTIES_H
#define CLI_SHARED_OUTPUT_PROPERTIES_H

#include "engine/engine.h"
#include "results/export/export.h"

struct shk_properties {
  const char *section; /* section to which properties are added */
  struct shk_table table;
};

/* Adds a formatted value. If the name is empty, the value is printed on its own line. */
void shk_property(struct shk_properties *properties, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Adds the word for each bit that is set, one per line. If no bits are set, adds `none` instead.
 * `words` is terminated by NULL. */
void shk_property_bits(struct shk_properties *properties, const char *name, unsigned bits,
                       const char *const *words, const char *none);
/* Adds the dimensions and properties of a problem with the given parameters. */
void shk_property_inspection(struct shk_properties *properties, const struct shk_inspection *is);
/* Headings for the features of a system, in the order of the bits, terminated by NULL. */
extern const char *const shk_feature_titles[];
/* Prints the properties and then clears them. */
void shk_properties_print(struct shk_properties *properties, enum shk_format format);

#endif

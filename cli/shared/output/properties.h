/*
 * The properties of one object as sections of named values, for `describe` and `diagnose`. On a
 * terminal the sections have headings and the values are aligned; for programs it is a table with
 * the columns section, name, value.
 */
#ifndef CLI_SHARED_OUTPUT_PROPERTIES_H
#define CLI_SHARED_OUTPUT_PROPERTIES_H

#include "results/export/export.h"

/* Adds a formatted value to a table, which is made at the first call if it is zeroed. If the name
 * is empty, the value has a line of its own. */
void shk_property(struct shk_table *table, const char *section, const char *name,
                  const char *format, ...) __attribute__((format(printf, 4, 5)));
void shk_properties_print(const struct shk_table *table, enum shk_format format);

#endif

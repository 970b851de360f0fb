/*
 * The properties of one thing, as sections of named values: `describe` and `diagnose`. For people
 * the sections are headed and the values lined up; for programs it is a table with the columns
 * section, name, value.
 */
#ifndef CLI_SHARED_OUTPUT_PROPERTIES_H
#define CLI_SHARED_OUTPUT_PROPERTIES_H

#include "results/export/export.h"

struct shk_properties {
  struct shk_table table;
};

void shk_properties_init(struct shk_properties *properties);
/* Adds a formatted value; with an empty name the value stands alone. */
void shk_properties_add(struct shk_properties *properties, const char *section, const char *name,
                        const char *format, ...) __attribute__((format(printf, 4, 5)));
void shk_properties_print(const struct shk_properties *properties, enum shk_format format);
void shk_properties_clear(struct shk_properties *properties);

#endif

/*
 * What is known of one thing, as sections of named values: `describe` and `diagnose`. For people
 * the sections are headed and the values lined up; for programs it is a table with the columns
 * section, name, value.
 */
#ifndef CLI_SHARED_PROPERTIES_H
#define CLI_SHARED_PROPERTIES_H

#include "results/export/export.h"

struct shk_sheet {
  struct shk_table table;
};

void shk_sheet_init(struct shk_sheet *sheet);
/* Adds a value, printf into it; the name may be empty: then the value stands alone. */
void shk_sheet_add(struct shk_sheet *sheet, const char *section, const char *name,
                   const char *format, ...) __attribute__((format(printf, 4, 5)));
void shk_sheet_print(const struct shk_sheet *sheet, enum shk_format format);
void shk_sheet_clear(struct shk_sheet *sheet);

#endif

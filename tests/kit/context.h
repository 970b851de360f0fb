/* The context in which a test reads specifications: built-in names, files from the working
 * directory, no programs. Tests may extend it. */
#ifndef TESTS_KIT_CONTEXT_H
#define TESTS_KIT_CONTEXT_H

#include "engine/context.h"
#include "foundation/specifications/cell.h"

__attribute__((unused)) static struct shk_context test_context;

/* A cell of kind "run" in the precision of the compilation, with these members. */
#define TEST_CELL(...)                                                                             \
  ((struct shk_cell){.kind = (char *)"run", .precision = (char *)"", __VA_ARGS__})

#endif

/* The context in which a test reads specifications: built-in names, files from the working
 * directory, no programs. Tests may extend it. */
#ifndef TESTS_KIT_CONTEXT_H
#define TESTS_KIT_CONTEXT_H

#include "engine/context.h"

__attribute__((unused)) static struct shk_context test_context;

#endif

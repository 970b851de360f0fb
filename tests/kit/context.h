/* The context in which a test reads specifications: what is built in, files from the working
 * directory, no programs. A test that needs more sets it. */
#ifndef TESTS_KIT_CONTEXT_H
#define TESTS_KIT_CONTEXT_H

#include "engine/context.h"

__attribute__((unused)) static struct shk_context test_context;

#endif

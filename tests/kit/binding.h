/* A binding that has no more than an evaluator and its workspace. */
#ifndef TESTS_KIT_BINDING_H
#define TESTS_KIT_BINDING_H

#include <shakedown/plugin.h>

#define BINDING_OF(its_evaluator)                                                                  \
  (&(struct shk_binding){.workspace = (its_evaluator)->workspace, .evaluator = (its_evaluator)})

#endif

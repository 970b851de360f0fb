/*
 * The faults of a wrong method, from its table FAULTS(X) of X(ID, "name", "what is wrong"): numbers,
 * and the choices of its option `fault`.
 *
 * A method of the catalogue with faults names its file RIGHT_FILE, its struct RIGHT and its
 * RIGHT_NAME. struct bad begins with the right one, so that the functions and arrays of the right
 * method take it as their own.
 */
#ifndef TESTS_BAD_FAULTS_H
#define TESTS_BAD_FAULTS_H

#include <shakedown/plugin.h>

#define FAULT_NUMBER(fault, name, summary) fault,
enum fault { FAULTS(FAULT_NUMBER) };

#define FAULT_CHOICE(fault, name, summary) {name, summary, NULL},
static const struct shk_choice faults[] = {FAULTS(FAULT_CHOICE){0}};

#define FAULT_OPTION(type) SHK_CHOICE(type, fault, "fault", faults, "none", "what is wrong")

#ifdef RIGHT_FILE
#pragma push_macro("SHK_PROVIDE")
#undef SHK_PROVIDE
#define SHK_PROVIDE(...) struct right
#include RIGHT_FILE
#pragma pop_macro("SHK_PROVIDE")

struct bad {
  struct RIGHT right;
  int fault;
};

/* Provides bad-NAME, with bad_options and these members. */
#define PROVIDE_BAD(family, ...)                                                                   \
  static const struct shk_integrator family = {.struct_size = sizeof(struct shk_integrator),       \
                                               .method_size = sizeof(struct bad),                  \
                                               .evaluator_at = SHK_AT(bad, right.evaluator),       \
                                               .n_at = SHK_AT(bad, right.n),                       \
                                               .m_at = SHK_AT(bad, right.m),                       \
                                               .arrays = arrays,                                   \
                                               .info = {.name = "bad-" RIGHT_NAME,                 \
                                                        .summary = RIGHT_NAME " with a fault",     \
                                                        .options = bad_options,                    \
                                                        .claims = claims},                         \
                                               __VA_ARGS__};                                       \
  SHK_PROVIDE(family, .integrators = SHK_INTEGRATORS(&family))
#endif

#endif

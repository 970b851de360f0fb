/*
 * Registers the integrators and problems in a source file. The same file can be used inside the
 * source tree, by adding its name to a list, and outside it, by compiling it with `shakedown plugin
 * build my.c`.
 *
 *     static const struct shk_integrator mine = {.struct_size = sizeof mine, …};
 *     SHK_PROVIDE(my, .integrators = SHK_INTEGRATORS(&mine));
 *
 * `my` is the file name without `.c`. This header includes everything that a plug-in needs: the
 * structs for methods and problems, the objects that a method can create when it is bound (bind.h),
 * solves (solve.h), and constraints on momenta (fibre.h).
 */
#ifndef SHAKEDOWN_PLUGIN_H
#define SHAKEDOWN_PLUGIN_H

#include <shakedown/bind.h>
#include <shakedown/parts/problem.h>
#include <shakedown/parts/rod_solver.h>

/* Increment this number whenever a struct in these headers changes in any way except that members
 * are added at its end. */
#define SHK_ABI_VERSION 9

struct shk_provision {
  size_t struct_size;
  int abi_version;
  int precision; /* SHK_PRECISION of the compilation */
  size_t real_size, option_size, claims_size, system_size, instance_size, integrator_size,
      problem_size;
  const char *name;
  const struct shk_integrator *const *integrators; /* terminated by NULL; NULL if there are none */
  const struct shk_problem *const *problems;
  const struct shk_rod_solver *const *solvers;
};

#define SHK_INTEGRATORS(...) ((const struct shk_integrator *const[]){__VA_ARGS__, NULL})
#define SHK_PROBLEMS(...) ((const struct shk_problem *const[]){__VA_ARGS__, NULL})
#define SHK_SOLVERS(...) ((const struct shk_rod_solver *const[]){__VA_ARGS__, NULL})

/* The fixed name under which Shakedown looks up the struct that a plug-in provides. */
#ifdef SHK_PLUGIN
#define SHK_PROVISION_NAME(name) shk_plugin
#else
#define SHK_PROVISION_NAME(name) shk_provision_##name
#endif

/* The members of struct shk_provision that describe how the plug-in was compiled. */
#define SHK_PROVISION_HEAD                                                                         \
  .struct_size = sizeof(struct shk_provision), .abi_version = SHK_ABI_VERSION,                     \
  .precision = SHK_PRECISION, .real_size = sizeof(real), .option_size = sizeof(struct shk_option), \
  .claims_size = sizeof(struct shk_claims), .system_size = sizeof(struct shk_system),              \
  .instance_size = sizeof(struct shk_instance), .integrator_size = sizeof(struct shk_integrator),  \
  .problem_size = sizeof(struct shk_problem)

/* Provides the .integrators, .problems and .solvers of the file `family`. */
#define SHK_PROVIDE(family, ...)                                                                   \
  __attribute__((visibility("default"))) extern const struct shk_provision SHK_PROVISION_NAME(     \
      family);                                                                                     \
  const struct shk_provision SHK_PROVISION_NAME(family) = {SHK_PROVISION_HEAD, .name = #family,    \
                                                           __VA_ARGS__}

/* Provides the only problem in the file `family`. The arguments are the problem's struct `type`,
 * the members of its system that are the same for all parameters (or NULL), and members of struct
 * shk_problem_info. The file must define `options` and `set_up`. */
#define SHK_PROVIDE_PROBLEM(family, type, system_, ...)                                            \
  static const struct shk_problem family##_problem = {.struct_size = sizeof(struct shk_problem),   \
                                                      .info = {.options = options, __VA_ARGS__},   \
                                                      SHK_CONTEXT(type),                           \
                                                      .system = system_,                           \
                                                      .set_up = set_up};                           \
  SHK_PROVIDE(family, .problems = SHK_PROBLEMS(&family##_problem))

#endif

/*
 * Instances of problems for tests that are compiled per precision: from a specification to a bound
 * problem, without the registry.
 */
#ifndef TESTS_KIT_INSTANCE_H
#define TESTS_KIT_INSTANCE_H

#include "foundation/specifications/spec.h"
#include "problems/kit/instance.h"
#include "tests/kit/binding.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"
#include <shakedown/plugin.h>

#include <stdarg.h>

#define SHK_LISTED(name) extern const struct shk_provision shk_provision_##name;
#include "problems/list.h"
#undef SHK_LISTED

struct bound_problem {
  const struct shk_problem *problem;
  struct shk_values *parameters;
  struct shk_instance instance;
  struct shk_evaluator evaluator;
  real *block, *q, *p, *lambda, *g, *values, *H_q, *H_p; /* q, p: the start */
};

static inline const struct shk_problem *find_in(const struct shk_provision *provision,
                                                const char *name)
{
  for (const struct shk_problem *const *each = provision->problems; each && *each; each++)
    if (strcmp((*each)->info.name, name) == 0)
      return *each;
  return NULL;
}

static inline const struct shk_problem *find_built_in(const char *name)
{
#define SHK_LISTED(family) &shk_provision_##family,
  static const struct shk_provision *const provisions[] = {
#include "problems/list.h"
  };
#undef SHK_LISTED
  for (size_t i = 0; i < sizeof provisions / sizeof *provisions; i++) {
    const struct shk_problem *problem = find_in(provisions[i], name);
    if (problem)
      return problem;
  }
  return NULL;
}

/* Binds a problem; returns NULL, with the reason in *error, if the specification or the problem is
 * refused. `provision`: source of problems, NULL for the built-in ones. */
static inline struct bound_problem *
bind_problem(const char *text, const struct shk_provision *provision, struct shk_message *error)
{
  struct shk_spec *spec = shk_spec_parse(text, error);
  if (!spec)
    return NULL;
  const struct shk_problem *problem =
      provision ? find_in(provision, spec->name) : find_built_in(spec->name);
  struct shk_values *values =
      problem ? shk_values_bind(&(struct shk_scope){.access = test_context.access}, spec,
                                problem->info.options, error)
              : NULL;
  if (!problem)
    shk_message_set(error, "there is no problem %s", spec->name);
  shk_spec_free(spec);
  if (!values)
    return NULL;
  struct bound_problem *b = calloc(1, sizeof *b);
  if (!b)
    abort();
  b->problem = problem;
  b->parameters = values;
  const struct shk_status status = shk_instance_create(&b->instance, problem, values);
  if (status.code != SHK_OK) {
    shk_status_text(error->text, sizeof error->text, status);
    shk_values_free(values);
    free(b);
    return NULL;
  }
  if (shk_evaluator_init(&b->evaluator, &b->instance.system).code != SHK_OK)
    abort();
  const size_t n = (size_t)b->instance.system.n, m = (size_t)b->instance.system.m;
  b->block = calloc(4 * n + 2 * m + (size_t)b->evaluator.row_start[m], sizeof(real));
  if (!b->block)
    abort();
  b->q = b->block;
  b->p = b->q + n;
  b->H_q = b->p + n;
  b->H_p = b->H_q + n;
  b->lambda = b->H_p + n;
  b->g = b->lambda + m;
  b->values = b->g + m;
  if (b->instance.start(b->instance.system.context, b->q, b->p) != 0)
    abort();
  return b;
}

static inline void unbind_problem(struct bound_problem *b)
{
  if (!b)
    return;
  shk_evaluator_clear(&b->evaluator);
  shk_instance_destroy(&b->instance);
  shk_values_free(b->parameters);
  free(b->block);
  free(b);
}

/* `PROBLEM b = …` is unbound where its name ends. */
#define PROBLEM __attribute__((cleanup(unbind_its))) struct bound_problem *
static inline void unbind_its(struct bound_problem **b)
{
  unbind_problem(*b);
}

/* Binds a built-in problem, given as to printf; where it is refused, the test ends with a point that
 * failed. */
static inline struct bound_problem *bind_or_stop(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
static inline struct bound_problem *bind_or_stop(const char *format, ...)
{
  char text[256];
  struct shk_message error = {""};
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  struct bound_problem *const b = bind_problem(text, NULL, &error);
  if (!b) {
    tap_ok(false, "%s: %s", text, error.text);
    exit(tap_done());
  }
  return b;
}

static inline real max_norm(const real *x, int count)
{
  real most = 0;
  for (int i = 0; i < count; i++)
    most = real_fabs(x[i]) <= most ? most : real_fabs(x[i]); /* keeps a NaN */
  return most;
}

#endif

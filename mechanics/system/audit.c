/* Systems with watched functions. See audit.h. */
#include "mechanics/system/audit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 8, BLOCKS = 3 };

struct block {
  real *copy;   /* what the function gets */
  real *answer; /* outputs: of the first call */
  const real *original;
  real *target; /* outputs: the caller's */
  size_t count;
};

struct seen {
  const char *function;
  char fault[96];
};

struct shk_audit {
  const struct shk_system *inner;
  struct seen seen[SHK_AUDIT_FUNCTIONS];
  int count;
  struct seen *now;
  struct block outputs[3], inputs[BLOCKS];
  int output_count, input_count;
  real *memory;
  size_t used;
  long until_failure; /* calls; 0: never */
  int failure;
};

/* ---- poison ---- */

/* A quiet NaN with a payload: sums keep it, so that adding to an output shows, too. */
static real poison_value(void)
{
  static const unsigned char payload[2] = {0xD1, 0xA0};
  real value = (real)NAN;
  memcpy(&value, payload, sizeof payload); /* the lowest digits */
  return value;
}

void shk_poison(real *values, size_t count)
{
  const real poison = poison_value();
  for (size_t i = 0; i < count; i++)
    memcpy(&values[i], &poison, sizeof poison); /* bits, not values: it is a NaN */
}

long shk_poisoned(const real *values, size_t count)
{
  const real poison = poison_value();
  for (size_t i = 0; i < count; i++)
    if (memcmp(&values[i], &poison, sizeof poison) == 0)
      return (long)i;
  return -1;
}

/* ---- one call ---- */

static void begin(struct shk_audit *a, const char *function)
{
  a->now = NULL;
  for (int i = 0; i < a->count; i++)
    if (strcmp(a->seen[i].function, function) == 0)
      a->now = &a->seen[i];
  if (!a->now) {
    a->now = &a->seen[a->count++];
    a->now->function = function;
  }
  a->output_count = a->input_count = 0;
  a->used = 0;
}

static real *take(struct shk_audit *a, size_t count)
{
  real *memory = a->memory + a->used;
  a->used += count;
  return memory;
}

static real *output(struct shk_audit *a, real *target, size_t count)
{
  struct block *b = &a->outputs[a->output_count++];
  *b = (struct block){.target = target, .count = count};
  b->copy = take(a, count + 2 * GUARD) + GUARD;
  b->answer = take(a, count);
  return b->copy;
}

static const real *input(struct shk_audit *a, const real *original, size_t count)
{
  if (!original)
    return NULL;
  struct block *b = &a->inputs[a->input_count++];
  *b = (struct block){.original = original, .count = count, .copy = take(a, count)};
  return b->copy;
}

/* Before each of the two calls. */
static void prepare(struct shk_audit *a)
{
  for (int i = 0; i < a->output_count; i++)
    shk_poison(a->outputs[i].copy - GUARD, a->outputs[i].count + 2 * GUARD);
  for (int i = 0; i < a->input_count; i++)
    memcpy(a->inputs[i].copy, a->inputs[i].original, a->inputs[i].count * sizeof(real));
}

static void find(struct shk_audit *a, const char *what, long index)
{
  if (a->now->fault[0] == '\0')
    snprintf(a->now->fault, sizeof a->now->fault, what, index);
}

static bool guarded(const real *values)
{
  const real poison = poison_value();
  for (int i = 0; i < GUARD; i++)
    if (memcmp(&values[i], &poison, sizeof poison) != 0)
      return false;
  return true;
}

/* After each of the two calls. */
static void inspect(struct shk_audit *a, int returned, int round)
{
  for (int i = 0; i < a->input_count; i++)
    if (memcmp(a->inputs[i].copy, a->inputs[i].original, a->inputs[i].count * sizeof(real)) != 0)
      find(a, "it writes through its input %ld", i + 1);
  for (int i = 0; i < a->output_count; i++) {
    struct block *b = &a->outputs[i];
    if (!guarded(b->copy - GUARD) || !guarded(b->copy + b->count))
      find(a, "it writes beyond its output of %ld entries", (long)b->count);
    const long left = returned == 0 ? shk_poisoned(b->copy, b->count) : -1;
    if (left >= 0)
      find(a, "it does not write entry %ld of its output, or adds to it", left + 1);
    if (round == 0)
      memcpy(b->answer, b->copy, b->count * sizeof(real));
    else if (returned == 0 && memcmp(b->answer, b->copy, b->count * sizeof(real)) != 0)
      find(a, "it answers the same question differently the second time", 0);
  }
}

static int finish(struct shk_audit *a, int returned)
{
  if (a->until_failure > 0 && --a->until_failure == 0)
    return a->failure;
  for (int i = 0; i < a->output_count; i++)
    memcpy(a->outputs[i].target, a->outputs[i].answer, a->outputs[i].count * sizeof(real));
  return returned;
}

#define WATCH(function)                                                                            \
  struct shk_audit *a = (struct shk_audit *)context;                                               \
  const size_t n = (size_t)a->inner->n, m = (size_t)a->inner->m;                                   \
  (void)m;                                                                                         \
  begin(a, function)

#define CALL_TWICE(call)                                                                           \
  int returned = 0;                                                                                \
  for (int round = 0; round < 2; round++) {                                                        \
    prepare(a);                                                                                    \
    returned = (call);                                                                             \
    inspect(a, returned, round);                                                                   \
  }                                                                                                \
  return finish(a, returned)

/* ---- the functions, by their arguments ---- */

static size_t entries(const struct shk_audit *a)
{
  const struct shk_system *s = a->inner;
  return s->row_start ? (size_t)s->row_start[s->m] : (size_t)s->m * (size_t)s->n;
}

#define OF_Q(function, size)                                                                       \
  static int function##_watched(const void *context, real *out, real t, const real *q)             \
  {                                                                                                \
    WATCH(#function);                                                                              \
    real *o = output(a, out, size);                                                                \
    const real *x = input(a, q, n);                                                                \
    CALL_TWICE(a->inner->function(a->inner->context, o, t, x));                                    \
  }

#define OF_QP(function, size)                                                                      \
  static int function##_watched(const void *context, real *out, real t, const real *q,             \
                                const real *p)                                                     \
  {                                                                                                \
    WATCH(#function);                                                                              \
    real *o = output(a, out, size);                                                                \
    const real *x = input(a, q, n), *y = input(a, p, n);                                           \
    CALL_TWICE(a->inner->function(a->inner->context, o, t, x, y));                                 \
  }

#define TWO_OF_QP(function, size)                                                                  \
  static int function##_watched(const void *context, real *first, real *second, real t,            \
                                const real *q, const real *p)                                      \
  {                                                                                                \
    WATCH(#function);                                                                              \
    real *o = output(a, first, size), *u = output(a, second, size);                                \
    const real *x = input(a, q, n), *y = input(a, p, n);                                           \
    CALL_TWICE(a->inner->function(a->inner->context, o, u, t, x, y));                              \
  }

#define OF_MASS(function)                                                                          \
  static int function##_watched(const void *context, real *out, const real *q, const real *v)      \
  {                                                                                                \
    WATCH(#function);                                                                              \
    real *o = output(a, out, n * n);                                                               \
    const real *x = input(a, q, n), *y = input(a, v, n);                                           \
    CALL_TWICE(a->inner->function(a->inner->context, o, x, y));                                    \
  }

/* All but those of other arguments. */
#define FUNCTIONS(OF_Q, OF_QP, TWO_OF_QP, OF_MASS)                                                 \
  OF_Q(potential, 1)                                                                               \
  OF_Q(gradient, n)                                                                                \
  OF_Q(constraint, m)                                                                              \
  OF_Q(jacobian, entries(a))                                                                       \
  OF_Q(constraint_rate, m)                                                                         \
  OF_Q(potential_hessian, n *n)                                                                    \
  OF_QP(hamiltonian, 1)                                                                            \
  OF_QP(hamiltonian_q, n)                                                                          \
  OF_QP(hamiltonian_p, n)                                                                          \
  OF_QP(hessian, 4 * n * n)                                                                        \
  OF_QP(curvature, m)                                                                              \
  OF_QP(constraint_qp, m)                                                                          \
  OF_QP(force, n)                                                                                  \
  TWO_OF_QP(constraint_gradients, m *n)                                                            \
  TWO_OF_QP(force_gradients, n *n)                                                                 \
  OF_MASS(mass_gradient)                                                                           \
  OF_MASS(mass_curvature)

FUNCTIONS(OF_Q, OF_QP, TWO_OF_QP, OF_MASS)

static int mass_matrix_watched(const void *context, real *out, const real *q)
{
  WATCH("mass_matrix");
  real *o = output(a, out, n * n);
  const real *x = input(a, q, n);
  CALL_TWICE(a->inner->mass_matrix(a->inner->context, o, x));
}

static int constraint_second_watched(const void *context, real *out, real t, const real *q,
                                     const real *p, const real *w)
{
  WATCH("constraint_second");
  real *o = output(a, out, 2 * m * n);
  const real *x = input(a, q, n), *y = input(a, p, n), *z = input(a, w, 2 * n);
  CALL_TWICE(a->inner->constraint_second(a->inner->context, o, t, x, y, z));
}

static int fibre_watched(const void *context, real *dq, real *dp, const real *q, const real *p,
                         const real *s)
{
  WATCH("fibre");
  real *o = output(a, dq, n), *u = output(a, dp, n);
  const real *x = input(a, q, n), *y = input(a, p, n), *z = input(a, s, m);
  CALL_TWICE(a->inner->fibre(a->inner->context, o, u, x, y, z));
}

static int forces_and_constraints_watched(const void *context, real *gradient, real *values,
                                          real *curvature, real t, const real *q, const real *v)
{
  WATCH("forces_and_constraints");
  real *o = output(a, gradient, n), *u = output(a, values, entries(a));
  real *w = curvature ? output(a, curvature, m) : NULL;
  const real *x = input(a, q, n), *y = input(a, v, n);
  CALL_TWICE(a->inner->forces_and_constraints(a->inner->context, o, u, w, t, x, y));
}

/* ---- the watch ---- */

#define WATCHED(function, ...)                                                                     \
  if (system->function)                                                                            \
    watched->function = function##_watched;

size_t shk_audit_room(const struct shk_system *s)
{
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  size_t room = 2 * n + m + 1;
  const size_t pattern = s->row_start ? (size_t)s->row_start[m] : m * n;
  const bool squares =
      s->mass_matrix != NULL || s->potential_hessian || s->force_gradients || s->mass_gradient;
  const size_t sizes[] = {pattern, s->hessian ? 4 * n * n : 0, squares ? 2 * n * n : 0,
                          s->forces_and_constraints ? n + pattern + m : 0,
                          s->constraint_gradients != NULL || s->constraint_second ? 2 * m * n : 0};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
    if (room < sizes[i])
      room = sizes[i];
  return room;
}

struct shk_audit *shk_audit_create(struct shk_system *watched, const struct shk_system *system)
{
  const size_t n = (size_t)system->n, m = (size_t)system->m;
  struct shk_audit *a = calloc(1, sizeof *a);
  /* The largest outputs with their answers and guards, and all inputs. */
  real *memory = calloc(2 * shk_audit_room(system) + 6 * GUARD + 4 * n + m, sizeof *memory);
  if (!a || !memory) {
    free(a);
    free(memory);
    return NULL;
  }
  a->inner = system;
  a->memory = memory;
  *watched = *system;
  watched->context = a;
  watched->rods = NULL; /* or solvers would bypass the watched functions */
  FUNCTIONS(WATCHED, WATCHED, WATCHED, WATCHED)
  WATCHED(mass_matrix)
  WATCHED(constraint_second)
  WATCHED(fibre)
  WATCHED(forces_and_constraints)
  return a;
}

void shk_audit_destroy(struct shk_audit *audit)
{
  if (!audit)
    return;
  free(audit->memory);
  free(audit);
}

void shk_audit_fail(struct shk_audit *audit, long call, int returned)
{
  audit->until_failure = call;
  audit->failure = returned;
}

bool shk_audit_has_failed(const struct shk_audit *audit)
{
  return audit->until_failure == 0;
}

int shk_audit_count(const struct shk_audit *audit)
{
  return audit->count;
}

const char *shk_audit_function(const struct shk_audit *audit, int index)
{
  return audit->seen[index].function;
}

const char *shk_audit_fault(const struct shk_audit *audit, int index)
{
  return audit->seen[index].fault[0] != '\0' ? audit->seen[index].fault : NULL;
}

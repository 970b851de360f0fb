/* Audits the functions of a system. See audit.h. */
#include "mechanics/system/audit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GUARD = 8 };

/* ---- poison ---- */

/* Returns a quiet NaN with a payload. Sums preserve the payload, which reveals a function that adds
 * to its output. */
static real poison_value(void)
{
  static const unsigned char payload[2] = {0xD1, 0xA0};
  real value = (real)NAN;
  memcpy(&value, payload, sizeof payload); /* overwrites the lowest digits */
  return value;
}

void shk_poison(real *values, size_t count)
{
  const real poison = poison_value();
  for (size_t i = 0; i < count; i++)
    memcpy(&values[i], &poison, sizeof poison); /* copied as bits, because the value is a NaN */
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

static void begin_audit(struct shk_audit *a, const char *function)
{
  a->now = NULL;
  for (int i = 0; i < a->count; i++)
    if (strcmp(a->seen[i].function, function) == 0)
      a->now = &a->seen[i];
  if (!a->now) {
    a->now = &a->seen[a->count++];
    *a->now = (struct shk_audit_seen){.function = function};
  }
  a->now->calls++;
  a->output_count = a->input_count = 0;
  a->used = 0;
}

static real *take_audit(struct shk_audit *a, size_t count)
{
  real *memory = a->memory + a->used;
  a->used += count;
  return memory;
}

static real *output_audit(struct shk_audit *a, real *target, size_t count)
{
  struct shk_audit_block *b = &a->outputs[a->output_count++];
  *b = (struct shk_audit_block){.target = target, .count = count};
  b->copy = take_audit(a, count + 2 * GUARD) + GUARD;
  b->answer = take_audit(a, count);
  return b->copy;
}

static const real *input_audit(struct shk_audit *a, const real *original, size_t count)
{
  if (!original)
    return NULL;
  struct shk_audit_block *b = &a->inputs[a->input_count++];
  *b = (struct shk_audit_block){.original = original, .count = count, .copy = take_audit(a, count)};
  return b->copy;
}

/* Prepares each of the two calls by filling the outputs and guards and copying the inputs. */
static void prepare_audit(struct shk_audit *a)
{
  for (int i = 0; i < a->output_count; i++)
    shk_poison(a->outputs[i].copy - GUARD, a->outputs[i].count + 2 * GUARD);
  for (int i = 0; i < a->input_count; i++)
    memcpy(a->inputs[i].copy, a->inputs[i].original, a->inputs[i].count * sizeof(real));
}

static void find_audit(struct shk_audit *a, const char *what, long index)
{
  if (!a->now->fault)
    snprintf(a->now->text, sizeof a->now->text, what, index);
  a->now->fault = a->now->text;
}

static bool is_guarded(const real *values)
{
  const real poison = poison_value();
  for (int i = 0; i < GUARD; i++)
    if (memcmp(&values[i], &poison, sizeof poison) != 0)
      return false;
  return true;
}

/* After each of the two calls, checks the guards, the inputs and the outputs. */
static void inspect_audit(struct shk_audit *a, int returned, int round)
{
  for (int i = 0; i < a->input_count; i++)
    if (memcmp(a->inputs[i].copy, a->inputs[i].original, a->inputs[i].count * sizeof(real)) != 0)
      find_audit(a, "it writes through its input %ld", i + 1);
  for (int i = 0; i < a->output_count; i++) {
    struct shk_audit_block *b = &a->outputs[i];
    if (!is_guarded(b->copy - GUARD) || !is_guarded(b->copy + b->count))
      find_audit(a, "it writes past the end of its output of %ld entries", (long)b->count);
    const long left = returned == 0 ? shk_poisoned(b->copy, b->count) : -1;
    if (left >= 0)
      find_audit(a, "it does not write entry %ld of its output, or adds to it", left + 1);
    if (round == 0)
      memcpy(b->answer, b->copy, b->count * sizeof(real));
    else if (returned == 0 && memcmp(b->answer, b->copy, b->count * sizeof(real)) != 0)
      find_audit(a, "it gives different outputs for the same inputs", 0);
  }
}

static int finish_audit(struct shk_audit *a, int returned)
{
  const bool fails = a->until_failure > 0 && --a->until_failure == 0;
  if (fails && a->lasting > 0) {
    a->until_failure = 1;
    a->lasting--;
  }
  const bool jacobian = strcmp(a->now->function, "jacobian") == 0;
  if (fails && (a->failure == SHK_AUDIT_FAILS || a->failure == SHK_AUDIT_ASKS))
    return a->failure == SHK_AUDIT_FAILS ? -1 : 1;
  for (int i = 0; i < a->output_count; i++) {
    const struct shk_audit_block *const b = &a->outputs[i];
    memcpy(b->target, b->answer, b->count * sizeof(real));
    for (size_t k = 0; fails && k < b->count; k++)
      if (a->failure == SHK_AUDIT_NAN || jacobian)
        b->target[k] = a->failure == SHK_AUDIT_NAN ? (real)NAN : 0;
  }
  return returned;
}

/* ---- the functions, by their arguments ---- */

static size_t audited_entries(const struct shk_system *s)
{
  return s->row_start ? (size_t)s->row_start[s->m] : (size_t)s->m * (size_t)s->n;
}

/* Defines a watched function. The macro's arguments are the parameters that follow the context, the
 * copies of the outputs and inputs, and the arguments of the call that follow the context. */
#define UNPACK(...) __VA_ARGS__
#define WATCHED(function, parameters, copies, arguments)                                           \
  static int function##_watched(const void *context, UNPACK parameters)                            \
  {                                                                                                \
    struct shk_audit *a = (struct shk_audit *)context;                                             \
    const size_t n = (size_t)a->inner->n, m = (size_t)a->inner->m;                                 \
    int returned = 0;                                                                              \
    (void)m;                                                                                       \
    begin_audit(a, #function);                                                                     \
    UNPACK copies for (int round = 0; round < 2; round++)                                          \
    {                                                                                              \
      prepare_audit(a);                                                                            \
      returned = a->inner->function(a->inner->context, UNPACK arguments);                          \
      inspect_audit(a, returned, round);                                                           \
    }                                                                                              \
    return finish_audit(a, returned);                                                              \
  }

#define ONE(size) real *const o = output_audit(a, out, size);
#define TWO(size, other) ONE(size) real *const u = output_audit(a, second, other);
#define AT_Q const real *const x = input_audit(a, q, n);
#define AT_QP AT_Q const real *const y = input_audit(a, p, n);
#define AT_QPW(size) AT_QP const real *const z = input_audit(a, w, size);

#define OF_Q(function, size)                                                                       \
  WATCHED(function, (real * out, real t, const real *q), (ONE(size) AT_Q), (o, t, x))
#define OF_QP(function, size)                                                                      \
  WATCHED(function, (real * out, real t, const real *q, const real *p), (ONE(size) AT_QP),         \
          (o, t, x, y))
#define TWO_OF_QP(function, size)                                                                  \
  WATCHED(function, (real * out, real * second, real t, const real *q, const real *p),             \
          (TWO(size, size) AT_QP), (o, u, t, x, y))
#define OF_MASS(function)                                                                          \
  WATCHED(function, (real * out, const real *q, const real *p), (ONE(n * n) AT_QP), (o, x, y))

SHK_AUDITED(OF_Q, OF_QP, TWO_OF_QP, OF_MASS)
WATCHED(mass_matrix, (real * out, const real *q), (ONE(n * n) AT_Q), (o, x))
WATCHED(constraint_second, (real * out, real t, const real *q, const real *p, const real *w),
        (ONE(2 * m * n) AT_QPW(2 * n)), (o, t, x, y, z))
WATCHED(fibre, (real * out, real *second, const real *q, const real *p, const real *w),
        (TWO(n, n) AT_QPW(m)), (o, u, x, y, z))

/* ---- the watch ---- */

#define WATCH(function, ...)                                                                       \
  if (system->function)                                                                            \
    watched->function = function##_watched;

size_t shk_audit_room(const struct shk_system *s)
{
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  const bool squares =
      s->mass_matrix != NULL || s->potential_hessian || s->force_gradients || s->mass_gradient;
  const bool momenta = s->constraint_gradients != NULL || s->constraint_second;
  return 2 * n + m + 1 + audited_entries(s) + (s->hessian ? 4 * n * n : 0) +
         (squares ? 2 * n * n : 0) + (momenta ? 2 * m * n : 0);
}

struct shk_audit *shk_audit_create(struct shk_system *watched, const struct shk_system *system)
{
  const size_t n = (size_t)system->n, m = (size_t)system->m;
  /* The memory has enough room for the largest outputs, their copies and guards, and all inputs. */
  const size_t room = 2 * shk_audit_room(system) + 6 * GUARD + 4 * n + m;
  struct shk_audit *const a = calloc(1, sizeof *a + room * sizeof(real));
  if (!a)
    return NULL;
  a->inner = system;
  *watched = *system;
  watched->context = a;
  watched->rods = NULL; /* otherwise, solvers would bypass the watched functions */
  SHK_AUDITED(WATCH, WATCH, WATCH, WATCH)
  WATCH(mass_matrix)
  WATCH(constraint_second)
  WATCH(fibre)
  return a;
}

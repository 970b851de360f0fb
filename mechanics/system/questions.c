/* Evaluates the functions of a system, which are selected by index. See questions.h. */
#include "mechanics/system/questions.h"
#include "mechanics/system/callback.h"
#include "mechanics/system/evaluate.h"

#define TIMED_NOTHING false, 0
#define TIMED_TIME true, 0
#define TIMED_Q true, 1
#define TIMED_QV true, 2
#define TIMED_QP true, 2
#define TIMED_QPW true, 4
#define QUESTION(id, word, point, count, meaning) {word, TIMED_##point},
#define PROBLEM_QUESTION QUESTION
const struct shk_question shk_questions[] = {
#include <shakedown/questions.def>
};
#undef QUESTION

size_t shk_question_count(int which, size_t n, size_t m, size_t k)
{
#define QUESTION(id, word, point, count, meaning) count,
  const size_t counts[] = {
#include <shakedown/questions.def>
  };
#undef QUESTION
#undef PROBLEM_QUESTION
  return counts[which];
}

static struct shk_status no_answer(void)
{
  return shk_refused("the problem does not have this function");
}

static struct shk_status dense_jacobian(struct shk_evaluator *e, real *dense, real *entries, real t,
                                        const real *q)
{
  const size_t n = (size_t)e->system->n;
  SHK_TRY(shk_jacobian(e, entries, t, q));
  shk_fill(dense, 0, e->system->m * n);
  for (int i = 0; i < e->system->m; i++)
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      dense[(size_t)i * n + (size_t)e->columns[k]] = entries[k];
  return shk_ok();
}

struct shk_status shk_question_answer(struct shk_evaluator *e, real *out, real *entries,
                                      enum shk_asked which, real t, const real *x)
{
  const struct shk_system *s = e->system;
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  const real *q = x, *p = x + n;
  const bool momentum = (s->features & SHK_MOMENTUM_CONSTRAINT) != 0;
  if (s->features & SHK_GENERAL_DAE)
    return shk_refused("it is not a mechanical system");
  switch (which) {
  case SHK_ASKED_HAMILTONIAN:
    return shk_hamiltonian(e, out, t, q, p);
  case SHK_ASKED_GRADIENT:
    return shk_gradient(e, out, t, q, p);
  case SHK_ASKED_VELOCITY:
    return shk_velocity(e, out, t, q, p);
  case SHK_ASKED_HESSIAN:
    return s->hessian != NULL || s->mass_matrix ? shk_hessian(e, out, t, q, p) : no_answer();
  case SHK_ASKED_FORCES:
    return s->features & SHK_FORCES ? shk_force(e, out, t, q, p) : no_answer();
  case SHK_ASKED_MASS:
    if (s->features & SHK_GENERAL_HAMILTONIAN)
      return no_answer();
    shk_copy(out, s->mass, n);
    return shk_ok();
  case SHK_ASKED_CONSTRAINT:
    return momentum ? no_answer() : shk_constraint(e, out, t, q);
  case SHK_ASKED_JACOBIAN:
    return momentum ? no_answer() : dense_jacobian(e, out, entries, t, q);
  case SHK_ASKED_CURVATURE:
    return momentum ? no_answer() : shk_curvature(e, out, t, q, p);
  case SHK_ASKED_RATE:
    return momentum ? no_answer() : shk_constraint_rate(e, out, t, q);
  case SHK_ASKED_MOMENTUM_CONSTRAINT:
    return momentum ? shk_constraint_qp(e, out, t, q, p) : no_answer();
  case SHK_ASKED_CONSTRAINT_GRADIENTS:
    return momentum ? shk_constraint_gradients(e, out, out + m * n, t, q, p) : no_answer();
  case SHK_ASKED_CONSTRAINT_SECOND:
    return momentum ? shk_constraint_second(e, out, t, q, p, p + n) : no_answer();
  default:
    return no_answer();
  }
}

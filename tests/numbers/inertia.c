/*
 * A mass matrix that depends on q: the Hessian and the part of it that follows from H_p, against M,
 * against differences, and against each other bit for bit; and what is kept of the last point.
 */
#include "engine/bind.h"
#include "mechanics/system/evaluate.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"

enum { N = 7, MOST = 2 * N };

/* A point that is not the start: nothing about it is special. */
static void move(real *q, real *p, const struct shk_bound *bound, int by)
{
  for (int i = 0; i < bound->start.n; i++) {
    q[i] = bound->start.q[i] + (real)(by * (i + 1)) / 100;
    p[i] = bound->start.p[i] + (real)(by * (3 - i)) / 100000;
  }
}

static bool is_same(const real *a, const real *b, size_t count)
{
  for (size_t i = 0; i < count; i++)
    if (!(a[i] == b[i]))
      return false;
  return true;
}

/* H_pq against differences of H_p in q, relative to the largest entry. */
static real difference_in_q(struct shk_evaluator *e, const real *hessian, const real *q,
                            const real *p)
{
  const int n = e->system->n;
  const real step = real_pow(REAL_EPSILON, R(1.0) / 3);
  real largest = 0, wrong = 0, moved[N], above[N], below[N];
  for (int k = 0; k < n; k++) {
    memcpy(moved, q, (size_t)n * sizeof *q);
    moved[k] = q[k] + step;
    tap_ok(shk_velocity(e, above, 0, moved, p).code == SHK_OK, "H_p beside the point, %d", k);
    moved[k] = q[k] - step;
    tap_ok(shk_velocity(e, below, 0, moved, p).code == SHK_OK, "H_p on the other side, %d", k);
    for (int i = 0; i < n; i++) {
      const real entry = hessian[(n + i) * 2 * n + k];
      largest = real_max(largest, real_fabs(entry));
      wrong = real_max(wrong, real_fabs((above[i] - below[i]) / (2 * step) - entry));
    }
  }
  return wrong / largest;
}

/* max |M H_pp - I| */
static real inverse_defect(const struct shk_system *s, const real *hessian, const real *q)
{
  const int n = s->n;
  real M[N * N], worst = 0;
  s->mass_matrix(s->context, M, q);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      real sum = i == j ? -1 : 0;
      for (int k = 0; k < n; k++)
        sum += M[i * n + k] * hessian[(n + k) * 2 * n + n + j];
      worst = real_max(worst, real_fabs(sum));
    }
  return worst;
}

static void check_point(struct shk_bound *bound, int by)
{
  const int n = bound->start.n;
  const size_t half = (size_t)n * 2 * (size_t)n;
  struct shk_evaluator *e = &bound->evaluator;
  real q[N], p[N], hessian[MOST * MOST], part[MOST * MOST];
  move(q, p, bound, by);
  const long before = e->counters.hessian;
  tap_ok(shk_hessian(e, hessian, 0, q, p).code == SHK_OK, "point %d: Hessian", by);
  tap_ok(shk_hessian_p(e, part, 0, q, p).code == SHK_OK, "point %d: its part of H_p", by);
  tap_ok(e->counters.hessian == before + 2, "point %d: both are counted", by);
  tap_ok(is_same(hessian + half, part + half, half), "point %d: which is the same bits", by);
  bool symmetric = true;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++)
      symmetric = symmetric && hessian[i * 2 * n + n + k] == hessian[(n + k) * 2 * n + i];
  tap_ok(symmetric, "point %d: H_qp is the transpose of H_pq", by);
  /* M's condition is about 1e4. */
  tap_ok(inverse_defect(&bound->instance.system, part, q) < 1000000 * REAL_EPSILON,
         "point %d: H_pp is the inverse of M", by);
  tap_is_near((double)difference_in_q(e, part, q, p), 0,
              (double)(1000 * real_pow(REAL_EPSILON, R(2.0) / 3)),
              "point %d: H_pq is the derivative of H_p", by);
}

/* What is asked of points in any order is what an evaluator answers that knows no other. */
static void check_memory(struct shk_bound *bound)
{
  enum { POINTS = 3, QUESTIONS = 90 };
  real q[POINTS][N], p[POINTS][N], v[2][N], gradient[2][N], hessian[2][MOST * MOST];
  const int n = bound->start.n;
  for (int k = 0; k < POINTS; k++)
    move(q[k], p[k], bound, k + 1);
  bool same = true;
  unsigned random = 1;
  for (int k = 0; k < QUESTIONS && same; k++) {
    struct shk_evaluator other;
    random = 1103515245 * random + 12345;
    const real *at = q[random >> 16 & 1   ? 0
                       : random >> 17 & 1 ? 1
                                          : 2],
               *with = p[(random >> 20) % 2];
    same = shk_evaluator_init(&other, &bound->instance.system).code == SHK_OK;
    for (int i = 0; i < 2 && same; i++) {
      struct shk_evaluator *const e = i == 0 ? &other : &bound->evaluator;
      memset(hessian[i], 0, sizeof hessian[i]);
      memset(gradient[i], 0, sizeof gradient[i]);
      if (random >> 24 & 1)
        same = shk_gradient(e, gradient[i], 0, at, with).code == SHK_OK;
      if (same && random >> 25 & 1)
        same = shk_hessian(e, hessian[i], 0, at, with).code == SHK_OK;
      same = same && shk_velocity(e, v[i], 0, at, with).code == SHK_OK;
    }
    same = same && is_same(v[0], v[1], (size_t)n) && is_same(gradient[0], gradient[1], (size_t)n) &&
           is_same(hessian[0], hessian[1], MOST * MOST);
    shk_evaluator_clear(&other);
  }
  tap_ok(same, "velocities and derivatives do not depend on what was asked before");
}

int main(void)
{
  BOUND bound = {0};
  struct shk_message error = {.text = ""};
  const bool ok = shk_bind_problem(&test_context, &bound, "andrews", &error) == SHK_OK &&
                  shk_bind_point(&bound, NULL, NULL, false, &error) == SHK_OK &&
                  shk_bind_check_start(&bound, &error) == SHK_OK;
  tap_ok(ok && bound.start.n == N, "andrews is bound%s%s", ok ? "" : ": ", error.text);
  if (ok) {
    check_point(&bound, 1);
    check_point(&bound, 2);
    check_memory(&bound);
  }
  return tap_done();
}

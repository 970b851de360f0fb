/*
 * What two wrong blocks in the Jacobian of a step's equations cost. A program for GNU Octave (odeRATTLE, written
 * for odepkg) solves RATTLE over Störmer-Verlet as one system of 3n + 2m equations in (q1, p½, p1, λ, μ),
 *
 *     F1 = q1 - q0 - h/2 (H_p(q0,p½) + H_p(q1,p½))     F2 = p½ - p0 + h/2 (H_q(q0,p½) + G0ᵀ λ)
 *     F3 = p1 - p½ + h/2 (H_q(q1,p½) + G1ᵀ μ)           F4 = g(q1)       F5 = G1 H_p(q1,p1)
 *
 * and has in dF3/dq1 = h/2 (H_qq + Σ μ_k g_k,qq) the second term with the other sign, and in dF3/dp1 = 1 a
 * spurious h/2 H_qp. By Newton's method, here, from the same first iterate (q0, p0, p0, 0, 0): the
 * first costs an iteration at most, the second makes it converge linearly.
 */
#include "tests/kit/driving.h"

#include <shakedown/solve.h>

enum { WRONG_SIGN = 1, SPURIOUS = 2, LIMIT = 60, STEPS = 50, N = 3, SIZE = 3 * N + 2 };

struct equations {
  struct shk_evaluator *e;
  int n;
  real h;
  const struct shk_state *from;
  unsigned wrong;
  real F[SIZE], J[SIZE * SIZE];
};

/* Of H. What gives none here has a linear potential and a constant M. */
static bool second_derivatives(struct shk_evaluator *e, real *out, const real *q, const real *p)
{
  const int n = e->system->n;
  if (e->system->hessian)
    return shk_hessian(e, out, 0, q, p).code == SHK_OK;
  memset(out, 0, 4 * (size_t)n * (size_t)n * sizeof *out);
  for (int i = 0; i < n; i++)
    out[(n + i) * 2 * n + n + i] = 1 / e->system->mass[i];
  return true;
}

/* All constraints here are spheres about the origin, g = ½ (|q|² - L²): g_qq = 1. */
static bool evaluate(struct equations *equations, const real *y)
{
  const int n = equations->n, size = 3 * n + 2;
  const real *q1 = y, *half = y + n, *p1 = y + 2 * n, *q0 = equations->from->q,
             *p0 = equations->from->p;
  const real lambda = y[3 * n], mu = y[3 * n + 1], h = equations->h / 2;
  real v0[N], v1[N], v[N], force0[N], force1[N], H0[4 * N * N], H1[4 * N * N], H[4 * N * N], g;
  bool ok = shk_velocity(equations->e, v0, 0, q0, half).code == SHK_OK &&
            shk_velocity(equations->e, v1, 0, q1, half).code == SHK_OK &&
            shk_velocity(equations->e, v, 0, q1, p1).code == SHK_OK &&
            shk_gradient(equations->e, force0, 0, q0, half).code == SHK_OK &&
            shk_gradient(equations->e, force1, 0, q1, half).code == SHK_OK &&
            second_derivatives(equations->e, H0, q0, half) &&
            second_derivatives(equations->e, H1, q1, half) &&
            second_derivatives(equations->e, H, q1, p1) &&
            shk_constraint(equations->e, &g, 0, q1).code == SHK_OK;
  memset(equations->J, 0, sizeof equations->J);
#define AT(i, j) equations->J[(i)*size + (j)]
#define SECOND(hessian, i, j) hessian[(i)*2 * n + (j)]
  equations->F[3 * n] = g;
  equations->F[3 * n + 1] = 0;
  for (int i = 0; i < n; i++) {
    equations->F[i] = q1[i] - q0[i] - h * (v0[i] + v1[i]);
    equations->F[n + i] = half[i] - p0[i] + h * (force0[i] + q0[i] * lambda);
    equations->F[2 * n + i] = p1[i] - half[i] + h * (force1[i] + q1[i] * mu);
    equations->F[3 * n + 1] += q1[i] * v[i];
    for (int j = 0; j < n; j++) {
      AT(i, j) = (i == j) - h * SECOND(H1, n + i, j);
      AT(i, n + j) = -h * (SECOND(H0, n + i, n + j) + SECOND(H1, n + i, n + j));
      AT(n + i, n + j) = (i == j) + h * SECOND(H0, i, n + j);
      AT(2 * n + i, j) =
          h * (SECOND(H1, i, j) + (i == j) * (equations->wrong & WRONG_SIGN ? -mu : mu));
      AT(2 * n + i, n + j) = -(real)(i == j) + h * SECOND(H1, i, n + j);
      AT(2 * n + i, 2 * n + j) =
          (i == j) + (equations->wrong & SPURIOUS ? h * SECOND(H1, i, n + j) : 0);
      AT(3 * n + 1, j) += q1[i] * SECOND(H, n + i, j);
      AT(3 * n + 1, 2 * n + j) += q1[i] * SECOND(H, n + i, n + j);
    }
    AT(n + i, 3 * n) = h * q0[i];
    AT(2 * n + i, 3 * n + 1) = h * q1[i];
    AT(3 * n, i) = q1[i];
    AT(3 * n + 1, i) += v[i];
  }
#undef AT
#undef SECOND
  return ok;
}

/* Iterations until the correction is below 1e4 eps; 0: not within the limit. The last three corrections, and the
 * end in y. */
static int solve(struct equations *equations, real *y, real *last)
{
  const int n = equations->n, size = 3 * n + 2;
  int pivots[SIZE];
  memcpy(y, equations->from->q, (size_t)n * sizeof *y);
  memcpy(y + n, equations->from->p, (size_t)n * sizeof *y);
  memcpy(y + 2 * n, equations->from->p, (size_t)n * sizeof *y);
  y[3 * n] = y[3 * n + 1] = 0;
  for (int k = 1; k <= LIMIT; k++) {
    if (!evaluate(equations, y) || !shk_lu_factor(equations->J, pivots, size))
      return 0;
    shk_lu_solve(equations->F, equations->J, pivots, size);
    for (int i = 0; i < size; i++)
      y[i] -= equations->F[i];
    last[0] = last[1];
    last[1] = real_max_norm(equations->F, 3 * n);
    if (last[1] <= 10000 * REAL_EPSILON)
      return k;
  }
  return 0;
}

struct cost {
  long iterations;
  real rate, apart; /* the slowest factor of the last two corrections; from RATTLE's steps */
};

static struct cost run(const char *problem, const char *step, unsigned wrong)
{
  DRIVE d = {0};
  char reason[256];
  struct cost cost = {0};
  bool ok = begin_at(&d, reason, problem, "rattle", step, NULL, NULL, false) == SHK_OK;
  struct equations read = {
      .e = &d.bound.observer, .n = ok ? d.current.n : 0, .h = d.bound.step, .wrong = wrong};
  for (int k = 0; ok && k < STEPS; k++) {
    real y[SIZE], last[2] = {1, 1};
    read.from = &d.current;
    const int iterations = solve(&read, y, last);
    ok = iterations > 0 && advance(&d, 1);
    cost.iterations += iterations;
    cost.rate = real_max(cost.rate, last[1] / last[0]);
    for (int i = 0; ok && i < read.n; i++) {
      cost.apart = real_max(cost.apart, real_fabs(y[i] - d.current.q[i]));
      cost.apart = real_max(cost.apart, real_fabs(y[2 * read.n + i] - d.current.p[i]));
    }
  }
  if (!ok)
    cost.iterations = 0;
  return cost;
}

static void compare(const char *problem, const char *step, unsigned wrong, const char *what)
{
  const struct cost right = run(problem, step, 0), other = run(problem, step, wrong);
  /* Each solve ends where a correction is below 1e4 eps, or the next power of the rate of that. */
  tap_ok(right.iterations > 0 && right.apart <= 20000 * REAL_EPSILON,
         "%s, h = %s: the equations are RATTLE's: %.0f eps in 50 steps", problem, step,
         (double)(right.apart / REAL_EPSILON));
  tap_ok(other.iterations > 0 && other.apart <= 20000 * REAL_EPSILON,
         "%s: and still are with %s: %.0f eps", problem, what,
         (double)(other.apart / REAL_EPSILON));
  /* (q1, p½, λ) solve equations of their own, quadratically; the sign only multiplies their corrections, and
   * costs the last iteration at most. The spurious term multiplies those of p1 by about h/2 |H_qp|. */
  const double difference = (double)(other.iterations - right.iterations) / STEPS;
  const bool slow = (wrong & SPURIOUS) != 0;
  tap_ok(slow ? difference > 2 && other.rate > R(0.01)
              : difference >= 0 && difference <= 1.5 && other.rate < R(0.001),
         "%s: %.1f iterations a step, and %.1f with %s, whose last corrections fall by %.1e",
         problem, (double)right.iterations / STEPS, (double)other.iterations / STEPS, what,
         (double)other.rate);
}

int main(void)
{
  static const char *const swing = "pendulum(angle=0.7,rate=1.1)";
  compare(swing, "0.1", WRONG_SIGN, "the wrong sign");
  compare(swing, "0.4", WRONG_SIGN, "the wrong sign");
  compare("charged-pendulum", "0.1", WRONG_SIGN, "the wrong sign");
  compare("charged-pendulum", "0.1", SPURIOUS, "the spurious term");
  compare("charged-pendulum", "0.1", WRONG_SIGN | SPURIOUS, "both");
  compare("charged-pendulum", "0.4", WRONG_SIGN | SPURIOUS, "both");
  const struct cost none = run(swing, "0.1", 0), spurious = run(swing, "0.1", SPURIOUS);
  tap_ok(none.iterations == spurious.iterations, "%s: the spurious term is zero where H_qp is",
         swing);
  return tap_done();
}

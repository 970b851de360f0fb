/*
 * An index-one system in (q, p, β), written as a constrained Hamiltonian system in (q, α; p, β):
 *
 *     H = p²/2 + q⁴/4 + β q p/2 + β²/2 + β⁴/4 + β sin q        0 = α
 *
 *     q' = H_p,   p' = -H_q,   0 = α' = H_β = q p/2 + β + β³ + sin q,   β' = -λ
 *
 * The hidden constraint determines β(q,p) because N = H_ββ = 1 + 3β² > 0. The fibres are the lines
 * along β. H is neither separable nor even in p. If the midpoint rule is used as the flow, then
 * SHAKE, RATTLE and the midpoint rule for q' = H_p, p' = -H_q, 0 = H_β all move (q,p) in the same
 * way. No exact solution is known.
 *
 * Source: McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, §5.3. This
 * choice of H is ours.
 */
#include "problems/kit/problem.h"
#include "problems/kit/second_rests.h"

#include <string.h>

struct index_one {
  real q, p, beta;
};

static int hamiltonian(const void *context, real *value, real t, const real *q, const real *p)
{
  const real x = q[0], y = p[0], b = p[1];
  *value = y * y / 2 + x * x * x * x / 4 + b * x * y / 2 + b * b / 2 + b * b * b * b / 4 +
           b * real_sin(x);
  return 0;
}

static int hamiltonian_q(const void *context, real *out, real t, const real *q, const real *p)
{
  out[0] = q[0] * q[0] * q[0] + p[1] * (p[0] / 2 + real_cos(q[0]));
  out[1] = 0;
  return 0;
}

static int hamiltonian_p(const void *context, real *out, real t, const real *q, const real *p)
{
  out[0] = p[0] + p[1] * q[0] / 2;
  out[1] = q[0] * p[0] / 2 + p[1] + p[1] * p[1] * p[1] + real_sin(q[0]);
  return 0;
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  enum { Q = 0, P = 2, B = 3 };
  memset(out, 0, 16 * sizeof *out);
  out[4 * Q + Q] = 3 * q[0] * q[0] - p[1] * real_sin(q[0]);
  out[4 * Q + P] = out[4 * P + Q] = p[1] / 2;
  out[4 * Q + B] = out[4 * B + Q] = p[0] / 2 + real_cos(q[0]);
  out[4 * P + P] = 1;
  out[4 * P + B] = out[4 * B + P] = q[0] / 2;
  out[4 * B + B] = 1 + 3 * p[1] * p[1];
  return 0;
}

static int start_index_one(const void *context, real *q, real *p)
{
  const struct index_one *s = context;
  q[0] = s->q;
  q[1] = 0;
  p[0] = s->p;
  p[1] = s->beta;
  return 0;
}

/* Solves β + β³ = -c by Newton's method. The left-hand side is monotone, and iterates that start
 * from β = -c do not overshoot. */
static real solve_beta(real c)
{
  real beta = -c;
  for (int pass = 0; pass < 200; pass++) {
    const real step = (beta + beta * beta * beta + c) / (1 + 3 * beta * beta);
    beta -= step;
    if (real_fabs(step) <= REAL_EPSILON * real_fabs(beta))
      break;
  }
  return beta;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct index_one *s = context;
  s->beta = solve_beta(s->q * s->p / 2 + real_sin(s->q));
  shk_set_times(instance, real_max(1, 2 * real_max(real_fabs(s->q), real_fabs(s->p))), R(12.3));
  instance->undecidable = SHK_LINEAR_CONSTRAINTS | SHK_ONE_DEGREE_OF_FREEDOM | SHK_NO_REVERSAL;
  instance->start = start_index_one;
  return shk_ok();
}

static const struct shk_option options[] = {SHK_REAL(index_one, q, "position", "0.8", "initial q"),
                                            SHK_REAL(index_one, p, "momentum", "-0.3", "initial p"),
                                            {0}};

static const struct shk_system index_one_system = {
    .n = 2, .m = 1, .features = SHK_GENERAL_HAMILTONIAN, SHK_HAMILTONIAN, SHK_SECOND_RESTS};

SHK_PROVIDE_PROBLEM(
    index_one, index_one, &index_one_system, .name = "index-one", .family = "on manifolds",
    .summary = "a Hamiltonian system of index one, written with the constraint α = 0",
    .equations = "H = p²/2 + q⁴/4 + β q p/2 + β²/2 + β⁴/4 + β sin q\n"
                 "0 = α,  hidden: 0 = H_β\n"
                 "start: β from the hidden constraint",
    .citation = "McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, §5.3, "
                "with our own H",
    .units = "dimensionless", .coordinates = "(q, α) with momenta (p, β)");

/*
 * The constraint force at sample times, block `force`, on spheres |q| = L: with G = qᵀ in every row
 * it is -(λ_1 + … + λ_m) q with the multipliers of block `lambda`, to round-off, and it is the
 * tension of the rod that the state asks for,
 *
 *     -(|p|²/m - m g q_n) q / L²,         q_n upwards,
 *
 * as well as the method's λ is: with order 1, not less and not more, for RATTLE's λ of the step
 * that begins at the state, and to round-off for solvers whose λ is that of the state. Where a row
 * is there twice the force is the same and multipliers are not.
 */
#include "measures/block.h"
#include "tests/kit/orders.h"
#include "tests/kit/tap.h"

#define PARAMETERS "length=1.5,mass=2,gravity=9.81"

enum { MOST = 3, SAMPLES = 2 }; /* the last of three times has no step that begins there */

static const real length = R(1.5), mass = 2, gravity = R(9.81);

static const char *const problems[] = {"pendulum(" PARAMETERS ",angle=0.7,rate=1.1)",
                                       "spherical-pendulum(" PARAMETERS
                                       ",polar=0.9,azimuth=0.4,polar-rate=0.5,azimuth-rate=2)",
                                       "duplicate(pendulum(" PARAMETERS ",angle=0.7,rate=1.1))"};

/* Returns how many numbers the block has, at most MOST of them; 0 where there is no such block. */
static int numbers(real *values, const struct shk_sample *sample, const char *name)
{
  const struct shk_vector *const block = shk_sample_block(sample, name);
  const int count = block ? (block->count < MOST ? block->count : MOST) : 0;
  for (int i = 0; i < count; i++)
    values[i] = shk_vector_at(block, i);
  return count;
}

static real square_of(const real *x, int n)
{
  real sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sum;
}

/* The largest difference of the force from -tension q, over its size. */
static real apart(const real *force, const real *q, int n, real tension)
{
  real worst = 0;
  for (int i = 0; i < n; i++) {
    const real here = real_fabs(force[i] + tension * q[i]);
    worst = here <= worst ? worst : here; /* keeps a NaN */
  }
  return worst / (real_fabs(tension) * length);
}

struct errors {
  real lambda, tension; /* the larger of both samples; NaN if the run did not get there */
};

static struct errors errors_of(const char *problem, const char *integrator, const char *step,
                               const char *tolerance)
{
  OUTCOME outcome = {0};
  struct errors e = {0};
  order_run(&outcome, problem, integrator, step, tolerance);
  if (outcome.code != SHK_OK || outcome.sample_count <= SAMPLES)
    tap_diag("%s on %s: %s", integrator, problem, outcome.reason);
  for (int s = 0; s < SAMPLES; s++) {
    real q[MOST], p[MOST], force[MOST], lambda[MOST], sum = 0;
    const struct shk_sample *sample = &outcome.samples[s];
    const bool there = outcome.code == SHK_OK && outcome.sample_count > SAMPLES;
    const int n = there ? numbers(q, sample, "q") : 0;
    const int m = there ? numbers(lambda, sample, "lambda") : 0;
    if (n < 2 || m == 0 || numbers(p, sample, "p") != n || numbers(force, sample, "force") != n) {
      e.lambda = e.tension = NAN;
      break;
    }
    for (int i = 0; i < m; i++)
      sum += lambda[i];
    const real tension = (square_of(p, n) / mass - mass * gravity * q[n - 1]) / (length * length);
    e.lambda = real_max(e.lambda, apart(force, q, n, sum));
    e.tension = real_max(e.tension, apart(force, q, n, tension));
  }
  return e;
}

int main(void)
{
  /* A sum of two products, and texts that round-trip; of the tension a few more terms, and |q| that
   * is L to a few roundings. */
  const real few = 4 * REAL_EPSILON, many = 16 * REAL_EPSILON;
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
    const char *integrator = i == 2 ? "rattle(linear=svd)" : "rattle";
    const struct errors coarse = errors_of(problems[i], integrator, "0.002", NULL);
    const struct errors fine = errors_of(problems[i], integrator, "0.001", NULL);
    tap_ok(coarse.lambda <= few && fine.lambda <= few, "%s: the force is -Gᵀ lambda (%.1g eps)",
           problems[i], (double)(real_max(coarse.lambda, fine.lambda) / REAL_EPSILON));
    tap_is_near(log2((double)(coarse.tension / fine.tension)), 1, 0.05,
                "%s: it is the tension with order 1 (off by %.1g)", problems[i],
                (double)fine.tension);
    if (i == 2)
      continue;
    const struct errors state = errors_of(problems[i], "reference", NULL, "1e-9");
    tap_ok(state.lambda <= few && state.tension <= many,
           "%s: of a state it is its tension (%.1g eps)", problems[i],
           (double)(state.tension / REAL_EPSILON));
  }
  return tap_done();
}

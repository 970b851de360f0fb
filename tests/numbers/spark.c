/*
 * SPARK: the coefficients of Lobatto IIIA-IIIB, the orders claimed of them, and the identity with
 * RATTLE for 2 stages, on separable and general systems.
 */
#include "integrators/kit/lobatto.h"
#include "tests/kit/stepping.h"

/* The largest violation of what defines the pair: IIIA is collocation (Σ_j a_ij c_j^(k-1) =
 * c_i^k/k, k ≤ s), the quadrature has order 2s-2, b_i â_ij + b_j a_ji = b_i b_j, and IIIB
 * simplifies Σ_i b_i c_i^(k-1) â_ij = b_j (1 - c_j^k)/k, k ≤ s. */
static real violation(const struct lobatto *lobatto, int s)
{
  real worst = 0;
  for (int k = 1; k <= 2 * s - 2; k++) {
    real sum = 0;
    for (int i = 0; i < s; i++) {
      real row = 0, column = 0, power = 1;
      for (int l = 1; l < k; l++)
        power *= lobatto->c[i];
      for (int j = 0; j < s; j++) {
        real at_j = 1;
        for (int l = 1; l < k; l++)
          at_j *= lobatto->c[j];
        row += lobatto->A[i][j] * at_j;
        column += lobatto->b[j] * at_j * lobatto->B[j][i];
      }
      sum += lobatto->b[i] * power;
      power *= lobatto->c[i];
      if (k <= s) {
        worst = real_max(worst, real_fabs(row - power / k));
        worst = real_max(worst, real_fabs(column - lobatto->b[i] * (1 - power) / k));
      }
    }
    worst = real_max(worst, real_fabs(sum - (real)1 / k));
  }
  for (int i = 0; i < s; i++)
    for (int j = 0; j < s; j++)
      worst = real_max(worst,
                       real_fabs(lobatto->b[i] * lobatto->B[i][j] +
                                 lobatto->b[j] * lobatto->A[j][i] - lobatto->b[i] * lobatto->b[j]));
  return worst;
}

static void check_coefficients(void)
{
  for (int s = 2; s <= LOBATTO_STAGES; s++) {
    struct lobatto nodes = {0};
    char spec[32];
    struct shk_claims claims;
    struct shk_message error;
    lobatto_fill(&nodes, s);
    snprintf(spec, sizeof spec, "spark(stages=%d)", s);
    tap_ok(shk_bind_claims(&test_context, &claims, spec, &error) && claims.order_q == 2 * s - 2 &&
               claims.order_p == 2 * s - 2,
           "%s claims order %d", spec, 2 * s - 2);
    tap_ok(violation(&nodes, s) < 4 * REAL_EPSILON, "%d stages: coefficients right to %.1f eps", s,
           (double)(violation(&nodes, s) / REAL_EPSILON));
  }
}

int main(void)
{
  check_coefficients();
  static const char *const problems[] = {"pendulum(angle=0.7,rate=1.1)", "sprung-pendulum",
                                         "spherical-pendulum",           "double-pendulum",
                                         "chain(links=12,start=zigzag)", "charged-pendulum"};
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++)
    agree(problems[i], "spark", "rattle", "0.02", 100, 2000, 2000);
  return tap_done();
}

/*
 * SPARK: the coefficients of Lobatto IIIA-IIIB, orders with 2, 3 and 4 stages of states and
 * multipliers, separable and general systems, and the identity with RATTLE for 2 stages.
 */
#include "integrators/kit/lobatto.h"
#include "tests/kit/orders.h"
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
    struct lobatto w = {0};
    lobatto_fill(&w, s);
    tap_ok(violation(&w, s) < 4 * REAL_EPSILON, "%d stages: coefficients right to %.1f eps", s,
           (double)(violation(&w, s) / REAL_EPSILON));
    w.A[1][0] += w.A[1][0] * R(1e-14);
    tap_ok(violation(&w, s) > R(1e-16), "%d stages: a wrong digit would be found", s);
  }
}

#if SHK_PRECISION == 128

static void check_orders(void)
{
  for (int stages = 2; stages <= 4; stages++) {
    char spec[32];
    struct order_measured measured[ORDER_BLOCKS];
    snprintf(spec, sizeof spec, "spark(stages=%d)", stages);
    if (!tap_ok(order_measure(measured, spec, "0.003125", "0.0015625"), "%s has claims", spec))
      continue;
    tap_is_int(measured[0].claimed, 2 * stages - 2, "%s claims order %d", spec, 2 * stages - 2);
    for (int b = 0; b < ORDER_BLOCKS; b++) {
      if (measured[b].claimed == SHK_NO_ORDER)
        continue;
      tap_is_near(measured[b].least, measured[b].claimed, 0.1, "%s: least order of %s, on %s", spec,
                  measured[b].block, measured[b].where);
      tap_is_near(measured[b].most, measured[b].claimed, 0.1, "%s: and the highest", spec);
    }
  }
}

#endif

int main(void)
{
  check_coefficients();
  static const char *const problems[] = {"pendulum(angle=0.7,rate=1.1)", "sprung-pendulum",
                                         "spherical-pendulum",           "double-pendulum",
                                         "chain(links=12,start=zigzag)", "charged-pendulum"};
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++)
    agree(problems[i], "spark", "rattle", "0.02", 100, 2000, 2000);
#if SHK_PRECISION == 128
  check_orders();
#endif
  return tap_done();
}

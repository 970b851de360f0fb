/*
 * SPARK: the coefficients of Lobatto IIIA-IIIB, orders with 2, 3 and 4 stages of states and
 * multipliers, separable and general systems, and the identity with RATTLE for 2 stages.
 */
#include "engine/cells/drive.h"
#include "integrators/kit/lobatto.h"
#include "mechanics/system/state.h"
#include "tests/kit/context.h"
#include "tests/kit/orders.h"
#include "tests/kit/tap.h"

#include <stdio.h>

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

/* Both states after some steps. */
static void compare(const char *problem, const char *one, const char *other, real limit)
{
  struct shk_drive d[2];
  const char *const specs[2] = {one, other};
  real q = 0, p = 0, lambda = 0;
  bool ok = true;
  for (int k = 0; k < 2; k++) {
    struct shk_outcome outcome = {0};
    const struct shk_cell cell = {.kind = "run",
                                  .problem = (char *)problem,
                                  .integrator = (char *)specs[k],
                                  .precision = "",
                                  .step = "0.02",
                                  .until = "0.02"};
    ok = shk_drive_begin(&test_context, &d[k], &outcome, &cell) && ok;
    for (int i = 1; ok && i <= 100; i++) {
      ok = shk_drive_step(&d[k], (real)i * d[k].bound.step).code == SHK_OK;
      shk_drive_accept(&d[k]);
    }
    shk_outcome_clear(&outcome);
  }
  const struct shk_state *a = &d[0].current, *b = &d[1].current;
  for (int i = 0; ok && i < a->n; i++) {
    q = real_max(q, real_fabs(a->q[i] - b->q[i]));
    p = real_max(p, real_fabs(a->p[i] - b->p[i]));
  }
  for (int i = 0; ok && i < a->m; i++)
    lambda = real_max(
        lambda, real_max(real_fabs(a->lambda[i] - b->lambda[i]), real_fabs(a->mu[i] - b->mu[i])));
  const real h = d[0].bound.step;
  tap_ok(ok && real_max(q, p) <= limit * REAL_EPSILON,
         "%s: %s and %s agree after 100 steps: q %.0f eps, p %.0f eps", problem, one, other,
         (double)(q / REAL_EPSILON), (double)(p / REAL_EPSILON));
  tap_ok(ok && lambda <= limit * REAL_EPSILON / (h * h), "%s: and their multipliers: %.1f eps/h²",
         problem, (double)(lambda * h * h / REAL_EPSILON));
  shk_drive_end(&d[0]);
  shk_drive_end(&d[1]);
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
    compare(problems[i], "spark", "rattle", 2000);
#if SHK_PRECISION == 128
  check_orders();
#endif
  return tap_done();
}

/*
 * A composition of order three that is not symmetric: z1 = R_{c h} R_{b h} R_{a h} z0 over a
 * symmetric R of order two, with
 *
 *     a + b + c = 1,   a³ + b³ + c³ = 0,   a = 3/2:   b, c = -1/4 ∓ sqrt(107/12)/2
 *
 * Its error of order four is [Y1,Y3] with a factor that vanishes for a = c only, the triple jump. What
 * R preserves is preserved. Sources: Yoshida, Phys. Lett. A 150 (1990) 262; McLachlan, SIAM J. Sci.
 * Comput. 16 (1995) 151; Hairer, Lubich & Wanner, GNI, Theorem II.4.1.
 */
#include <shakedown/bind.h>
#include <shakedown/plugin.h>

#include <string.h>

struct third_order {
  struct shk_evaluator *evaluator;
  int n, m;
  struct shk_base base;
  struct shk_state between[2];
  real *first; /* lambda of the first factor */
};

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct third_order *third_order = method;
  const real root = real_sqrt(R(107.0) / 12) / 2;
  struct shk_state *const x = &third_order->between[0], *const y = &third_order->between[1];
  SHK_TRY(shk_base_step(&third_order->base, x, from, R(1.5) * h));
  memcpy(third_order->first, x->lambda, (size_t)third_order->m * sizeof *third_order->first);
  SHK_TRY(shk_base_step(&third_order->base, y, x, (R(-0.25) - root) * h));
  SHK_TRY(shk_base_step(&third_order->base, to, y, (R(-0.25) + root) * h));
  memcpy(to->lambda, third_order->first, (size_t)third_order->m * sizeof *third_order->first);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct third_order *third_order = method;
  SHK_TRY(shk_bind_base(&third_order->base, binding));
  SHK_TRY(shk_bind_state(&third_order->between[0], binding));
  return shk_bind_state(&third_order->between[1], binding);
}

static const struct shk_option options[] = {
    SHK_BASE(third_order, base, "base", "rattle", "a symmetric method of order two"), {0}};

static const struct shk_array arrays[] = {SHK_ARRAY(third_order, first, .m = 1), {0}};

/* lambda and mu are those of steps of a h and c h, whose errors of first order do not cancel. */
static const struct shk_stated claims[] = SHK_LIST(
    SHK_ORDERS(3), SHK_CLAIM(ORDER_LAMBDA, 1), SHK_CLAIM(ORDER_MU, 1),
    SHK_CLAIM(ORDER_LAMBDA_MEAN, 1), SHK_CLAIM(ORDER_LAMBDA_SUM, 0), SHK_CLAIM(SYMPLECTIC, SHK_YES),
    SHK_CLAIM(PRESYMPLECTIC, SHK_YES), SHK_CLAIM(SYMMETRIC, SHK_NO),
    SHK_CLAIM(KEEPS_MOMENTA, SHK_YES), SHK_CLAIM(ENERGY_BOUNDED, SHK_YES), SHK_CONSTRAINTS(SHK_YES),
    SHK_COORDINATES(SHK_YES));

static const struct shk_integrator third_order = {
    SHK_INTEGRATOR(third_order, arrays, bind, step, NULL),
    .info = {.name = "third-order",
             .summary = "a composition of order three, not symmetric",
             .options = options,
             .supports = SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES,
             .claims = claims}};

SHK_PROVIDE(third_order, .integrators = SHK_INTEGRATORS(&third_order));

/*
 * The index-reduced equations, the one-step methods on them, and the projections: orders of every
 * base, Baumgarte's equation off the constraint, and what is refused. GSL's steppers in double
 * only.
 */
#include "integrators/kit/ode.h"
#include "mechanics/binding/binding.h"
#include "mechanics/system/manifold.h"
#include "tests/kit/registered.h"
#include "tests/kit/stepping.h"
#include <shakedown/bind.h>

#define PROBLEM "sprung-pendulum"
#define QUAD (SHK_PRECISION == 128)

/* q and p at t = 1.6 to nearly all digits. */
static bool find_reference(struct shk_state *to, const char *problem)
{
  return reach(to, problem, "reference", "1.6", QUAD ? "1e-29" : "1e-14", 1);
}

/* Error at t = 1.6 in q and p. */
static real error_at(const char *integrator, const char *step, long steps,
                     const struct shk_state *reference)
{
  STATE s = {0};
  if (!reach(&s, PROBLEM, integrator, step, NULL, steps))
    return NAN;
  const real error = real_max(largest_difference(s.q, reference->q, s.n),
                              largest_difference(s.p, reference->p, s.n));
  return error;
}

/* ---- orders ---- */

struct ladder {
  const char *steps[2]; /* h and h/2 */
  long counts[2];
};

static const struct ladder fine = {{"0.0125", "0.00625"}, {128, 256}};
static const struct ladder middle = {{"0.05", "0.025"}, {32, 64}};
static const struct ladder coarse = {{"0.2", "0.1"}, {8, 16}};

static void check_order(const char *integrator, int order, const struct ladder *ladder,
                        real allowed, const struct shk_state *reference)
{
  const real one = error_at(integrator, ladder->steps[0], ladder->counts[0], reference);
  const real two = error_at(integrator, ladder->steps[1], ladder->counts[1], reference);
  const double measured = log2((double)(one / two));
  tap_ok(fabs(measured - order) <= (double)allowed,
         "%s: order %.3f, expected %d (errors %.2g, %.2g)", integrator, measured, order,
         (double)one, (double)two);
}

/* One-step methods, each with its order; GSL's in double only, on ladders of their own. */
static const char *const bases[] = {"euler",
                                    "rk2",
                                    "rk3",
                                    "rk4",
                                    "rk5",
                                    "rk8",
                                    "midpoint",
                                    "gauss(stages=1)",
                                    "gauss",
                                    "gauss(stages=3)",
                                    "gauss(stages=4)",
                                    "gsl-rk2",
                                    "gsl-rkf45",
                                    "gsl-rk8pd"};
static const int base_orders[] = {1, 2, 3, 4, 5, 8, 2, 2, 4, 6, 8, 3, 5, 8};
enum { BASES = sizeof bases / sizeof bases[0] };

static const struct left_out without_order[] = {{"gsl-msadams", "a multistep method: refused"},
                                                {NULL, NULL}};

static void check_claimed(const char *integrator, int order, const struct shk_state *reference)
{
  if (QUAD) /* asymptotic, far from round-off */
    check_order(integrator, order, &fine, R(0.1), reference);
  else if (order <= 4)
    check_order(integrator, order, &fine, R(0.2), reference);
  else if (order <= 6)
    check_order(integrator, order, &middle, R(0.5), reference);
}

static void check_gsl_order(const char *integrator, int order, const struct shk_state *reference)
{
  const bool coarsely = order == 8, in_between = order == 5;
  check_order(integrator, order,
              coarsely     ? &coarse
              : in_between ? &middle
                           : &fine,
              coarsely ? R(0.8) : R(0.25), reference);
}

static void check_orders(const struct shk_state *reference)
{
  static const struct {
    const char *integrator;
    int order;
  } others[] = {{"projection(base=midpoint,symmetric=yes)", 2},
                {"projection(base=gauss(stages=3),symmetric=yes)", 6},
                {"projection(onto=position)", 4},
                {"projection(onto=none)", 4},
                {"projection(onto=none,base=rk8)", 8},
                {"baumgarte", 4},
                {"baumgarte(alpha=3,beta=2,base=rk8)", 8}};
  const struct shk_integrator *projection = integrator_named("projection");
  check_choices(choices_of(&projection->info, "base"), bases, BASES, without_order);
  for (int i = 0; i < BASES; i++) {
    char integrator[64];
    snprintf(integrator, sizeof integrator, "projection(base=%s)", bases[i]);
    if (strncmp(bases[i], "gsl", 3) != 0)
      check_claimed(integrator, base_orders[i], reference);
    else if (!QUAD)
      check_gsl_order(integrator, base_orders[i], reference);
  }
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    check_claimed(others[i].integrator, others[i].order, reference);
}

/* ---- the equations ---- */

static void residuals_signed(const struct shk_drive *d, real *g, real *rate)
{
  const struct shk_state *s = &d->current;
  if (shk_manifold_residuals(d->bound.manifold, g, rate, s->t, s->q, s->p).code != SHK_OK)
    abort();
}

/* Off the constraint g'' + 2 alpha g' + beta² g = 0: with 3 and 5 it is
 * g = e^(-3t) (g0 cos 4t + (g0' + 3 g0)/4 sin 4t). */
static void check_baumgarte(const char *problem)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  real g0 = 0, rate0 = 0, g = 1, rate;
  if (begin_drive(&d, &outcome, problem, "baumgarte(base=rk8,alpha=3,beta=5)", "0.01", NULL)) {
    for (int i = 0; i < d.current.n; i++) {
      d.current.q[i] *= R(1.1);
      d.current.p[i] += d.current.q[i] / 5;
    }
    residuals_signed(&d, &g0, &rate0);
    if (go_steps(&d, 50).code == SHK_OK)
      residuals_signed(&d, &g, &rate);
  }
  const real expected = real_exp(R(-1.5)) * (g0 * real_cos(2) + (rate0 + 3 * g0) / 4 * real_sin(2));
  tap_ok(real_fabs(g - expected) < R(1e-10) && real_fabs(expected) > R(1e-3),
         "%s: g'' + 2 alpha g' + beta² g = 0 takes g from %.3g to %.3g, off by %.1e", problem,
         (double)g0, (double)g, (double)(g - expected));
}

/* From far outside a circle new normals halve the way again and again: q1 stays half-way. */
static void check_far(void)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  struct shk_orthogonal *orthogonal = NULL;
  real dq[2], lambda, q1[2], carry[2], G[2];
  struct shk_state end = {.n = 2, .m = 1, .q = q1, .q_carry = carry};
  const bool begun =
      begin_drive(&d, &outcome, "pendulum(angle=0,length=1e-20)", "projection", "0.1", NULL);
  const struct shk_binding binding = {.evaluator = &d.bound.evaluator,
                                      .options = d.bound.options,
                                      .workspace = begun ? shk_workspace_of(d.bound.method) : NULL};
  if (begun && shk_bind_orthogonal(&orthogonal, &binding).code == SHK_OK) {
    for (int i = 0; i < 2; i++)
      dq[i] = d.current.q[i] / REAL_EPSILON;
    tap_is_int(shk_orthogonal_stage(orthogonal, &end, &d.current, 0, dq, &lambda, G).code,
               SHK_NOT_CONVERGED, "a point that stays far from the constraint is no projection");
  }
}

/* ---- what is kept, what is refused ---- */

static void check_refused(const char *integrator, const char *word)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  const bool began = begin_drive(&d, &outcome, PROBLEM, integrator, "0.1", "1e-8");
  tap_ok(!began && outcome.code == SHK_REFUSED && strstr(outcome.reason, word), "%s is refused: %s",
         integrator, outcome.reason);
}

/* Gauss methods keep quadratic integrals (GNI, theorem IV.2.1). Where g is quadratic G v is one of
 * the index-reduced equations, and |g| has no trend; on a surface of degree four both drift. */
static void check_quadratic(void)
{
  static const char *const each[] = {"index-reduced(base=midpoint)", "index-reduced(base=gauss)"};
  for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
    const struct extremes kept = extremes_of("spherical-pendulum", each[i], "0.05", 2000);
    const struct extremes early = extremes_of("spherical-pendulum", each[i], "0.05", 500);
    tap_ok(kept.hidden < 1000 * REAL_EPSILON, "%s keeps G v of a quadratic constraint: %.2g",
           each[i], (double)kept.hidden);
    tap_ok(kept.constraint < R(1.2) * early.constraint,
           "%s: |g| is %.3g, and %.3g four times later", each[i], (double)early.constraint,
           (double)kept.constraint);
    const struct extremes oval = extremes_of("oval", each[i], "0.05", 2000);
    const struct extremes first = extremes_of("oval", each[i], "0.05", 500);
    tap_ok(oval.hidden > R(1e-7), "%s does not keep it on the oval: %.2g", each[i],
           (double)oval.hidden);
    tap_ok(oval.constraint > 2 * first.constraint, "%s: |g| is %.3g there, and %.3g later", each[i],
           (double)first.constraint, (double)oval.constraint);
  }
}

int main(void)
{
  STATE reference = {0};
  if (!tap_ok(find_reference(&reference, PROBLEM), "the reference is found"))
    return tap_done();
  check_orders(&reference);

  check_baumgarte("pendulum(angle=0.7,rate=1.1)");
  check_baumgarte("charged-pendulum");
  check_far();

  check_quadratic();

  check_refused("projection(symmetric=yes)", "symmetric base");
  check_refused("projection(symmetric=yes,base=gauss,onto=none)", "onto");
  if (QUAD) {
    check_refused("projection(base=gsl-rkf45)", "double precision");
    check_refused("projection-adaptive", "double precision");
    check_refused("baumgarte(base=gsl-rk8pd)", "double precision");
  } else {
    check_refused("projection(base=gsl-msadams)", "multistep");
    check_refused("baumgarte(base=gsl-msadams)", "multistep");
  }
  return tap_done();
}

/*
 * The index-reduced equations, the one-step methods on them, and the projections: orders of every
 * base, symmetry of the symmetric projection and of no other, what each projection keeps, and what
 * is refused. GSL's steppers in double only, at fixed steps and driven by a tolerance.
 */
#include "mechanics/system/binding.h"
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
  const struct shk_integrator *its = integrator_named("projection");
  check_choices(choices_of(&its->info, "base"), bases, BASES, without_order);
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

/* The slope at (t,q,p) and its multiplier: of the index-reduced equations, or, since a step of
 * length 1 with Euler's method is one, of Baumgarte's. */
static bool slope_at(struct shk_drive *d, struct shk_state *f, const struct shk_state *s)
{
  struct shk_reduced *reduced = NULL;
  if (strcmp(d->bound.integrator->info.name, "baumgarte") == 0) {
    const bool ok = d->bound.integrator->step(d->bound.method, f, s, 1).code == SHK_OK;
    for (int i = 0; ok && i < s->n; i++) {
      f->q[i] = (f->q[i] - s->q[i]) + f->q_carry[i];
      f->p[i] = (f->p[i] - s->p[i]) + f->p_carry[i];
    }
    return ok;
  }
  const struct shk_binding binding = {.evaluator = &d->bound.evaluator,
                                      .workspace = shk_workspace_of(d->bound.method)};
  return shk_bind_reduced(&reduced, &binding).code == SHK_OK &&
         shk_reduced_slope(reduced, f->q, f->p, f->lambda, 0, s->q, s->p).code == SHK_OK;
}

/* g'' + 2 alpha g' + beta² g along the slope, off the constraints as on them. */
static void check_reduced(const char *problem, real alpha, real beta)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  struct shk_state s = {0}, f = {0};
  real worst = INFINITY, size = 1, off = 0;
  char integrator[96];
  snprintf(integrator, sizeof integrator, "baumgarte(base=euler,alpha=%g,beta=%g)", (double)alpha,
           (double)beta);
  if (begin_drive(&d, &outcome, problem, alpha == 0 && beta == 0 ? "rattle" : integrator, "0.1",
                  NULL) &&
      shk_state_init(&s, d.current.n, d.current.m) &&
      shk_state_init(&f, d.current.n, d.current.m)) {
    struct shk_evaluator *e = &d.bound.observer;
    const int n = s.n, m = s.m;
    real G[256], rate[16], second[16], H[1024], acceleration[32];
    for (int i = 0; i < n; i++) { /* a point off the constraints */
      s.q[i] = d.current.q[i] + R(0.1) * real_sin((real)i + 1);
      s.p[i] = d.current.p[i] + R(0.2) * real_cos((real)i);
    }
    bool ok = slope_at(&d, &f, &s) && shk_jacobian(e, G, 0, s.q).code == SHK_OK &&
              shk_constraint(e, s.lambda, 0, s.q).code == SHK_OK &&
              shk_curvature(e, second, 0, s.q, f.q).code == SHK_OK;
    for (int i = 0; i < n; i++) {
      acceleration[i] = 0;
      if (!e->system->hessian)
        acceleration[i] = f.p[i] / e->system->mass[i];
      else if (shk_hessian(e, H, 0, s.q, s.p).code == SHK_OK)
        for (int j = 0; j < n; j++)
          acceleration[i] += H[(n + i) * 2 * n + j] * f.q[j] + H[(n + i) * 2 * n + n + j] * f.p[j];
    }
    shk_jacobian_times(e, rate, G, f.q);
    shk_jacobian_times(e, s.mu, G, acceleration);
    off = real_max_norm(rate, m);
    worst = 0;
    for (int i = 0; i < m; i++) {
      worst = real_max(
          worst, real_fabs(second[i] + s.mu[i] + 2 * alpha * rate[i] + beta * beta * s.lambda[i]));
      size = real_max(size, real_max(real_fabs(second[i]), beta * beta * real_fabs(s.lambda[i])));
    }
    ok = ok && real_isfinite(worst);
    /* With alpha = beta = 0 it is the exact multiplier. */
    if (alpha == 0 && ok &&
        shk_exact_multiplier(d.bound.manifold, s.mu, 0, s.q, s.p).code == SHK_OK)
      tap_ok(largest_difference(s.mu, f.lambda, m) <= 1000 * REAL_EPSILON * size,
             "%s: lambda is the exact multiplier", problem);
    if (!ok)
      worst = INFINITY;
  }
  tap_ok(worst <= 1000 * REAL_EPSILON * size && off > R(0.01),
         "%s: g'' + 2 alpha g' + beta² g = %.2g off the constraints, alpha = %g, beta = %g",
         problem, (double)worst, (double)alpha, (double)beta);
  shk_state_clear(&s);
  shk_state_clear(&f);
}

/* The nearest point of a circle and of two linked ones: q1 - q* is W Gᵀ(q1) lambda, and for unequal
 * masses that is not the Euclidean nearest. */
static void check_orthogonal(void)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  struct shk_orthogonal *orthogonal = NULL;
  real defect = INFINITY, off = 0, euclidean = 0;
  const bool begun =
      begin_drive(&d, &outcome, "double-pendulum(mass1=3,mass2=0.5)", "projection", "0.1", NULL);
  const struct shk_binding binding = {.evaluator = &d.bound.evaluator,
                                      .options = d.bound.options,
                                      .workspace = begun ? shk_workspace_of(d.bound.method) : NULL};
  if (begun && shk_bind_orthogonal(&orthogonal, &binding).code == SHK_OK) {
    const int n = d.current.n, m = d.current.m;
    real dq[4], moved[4], lambda[2], q1[4], carry[4], G[8], g[2];
    for (int i = 0; i < n; i++)
      moved[i] = dq[i] = R(0.05) * real_sin((real)(3 * i) + 1);
    struct shk_state end = {.n = n, .m = m, .q = q1, .q_carry = carry};
    const struct shk_status status =
        shk_orthogonal_stage(orthogonal, &end, &d.current, 0, dq, lambda, G);
    if (status.code == SHK_OK && shk_constraint(&d.bound.observer, g, 0, q1).code == SHK_OK &&
        shk_jacobian(&d.bound.observer, G, 0, q1).code == SHK_OK) {
      defect = real_max_norm(g, m);
      real force[4] = {0};
      shk_jacobian_transposed_add(&d.bound.observer, force, G, -1, lambda);
      for (int i = 0; i < n; i++) {
        const real shift = q1[i] - (d.current.q[i] + moved[i]);
        off = real_max(off, real_fabs(shift));
        euclidean = real_max(euclidean, real_fabs(shift - force[i]));
        defect = real_max(defect, real_fabs(shift - force[i] / d.bound.instance.system.mass[i]));
      }
    }
  }
  tap_ok(defect <= 20 * REAL_EPSILON && off > R(0.01) && euclidean > R(0.001),
         "projection lands on g = 0 along M⁻¹Gᵀ of the point where it lands: %.1f eps",
         (double)(defect / REAL_EPSILON));
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

/* Iterations end in units of the coordinates: the same motion whatever the unit of length. */
static void check_units(const char *integrator)
{
  static const char *const lengths[] = {"1e-9", "1e6"};
  STATE one = {0};
  if (!tap_ok(reach(&one, PROBLEM, integrator, "0.1", NULL, 5), "%s: five steps", integrator))
    return;
  for (int i = 0; i < 2; i++) {
    struct shk_state s;
    char problem[96];
    real length, off = INFINITY;
    shk_real_parse(&length, lengths[i]);
    snprintf(problem, sizeof problem, "transformed(" PROBLEM ",turn=no,reorder=no,length=%s)",
             lengths[i]);
    if (reach(&s, problem, integrator, "0.1", NULL, 5)) {
      for (int k = 0; k < s.n; k++) {
        s.q[k] /= length;
        s.p[k] /= length;
      }
      off = real_max(largest_difference(s.q, one.q, s.n), largest_difference(s.p, one.p, s.n));
      shk_state_clear(&s);
    }
    tap_ok(off < 1000 * REAL_EPSILON, "... and with lengths of %s: %.1f eps off", lengths[i],
           (double)(off / REAL_EPSILON));
  }
}

/* ---- symmetry, what is kept, what is refused ---- */

static void check_symmetry(const char *problem, const char *integrator, bool symmetric)
{
  const real defect = asymmetry(problem, integrator, "0.1", 7);
  tap_ok(symmetric ? defect <= 200 * REAL_EPSILON : defect >= R(1e-12),
         "%s on %s: Psi_{-h} Psi_h - 1 is %.2g, %s", integrator, problem, (double)defect,
         symmetric ? "round-off" : "not round-off");
}

static void check_kept(const char *integrator, bool position, bool momentum)
{
  const struct extremes e = extremes_of("double-pendulum", integrator, "0.02", 200);
  const real allowed = 200 * REAL_EPSILON;
  tap_ok(position ? e.constraint <= allowed : e.constraint > R(1e-10), "%s: max|g| = %.2g",
         integrator, (double)e.constraint);
  tap_ok(momentum ? e.hidden <= allowed : e.hidden > R(1e-10), "%s: max|G v| = %.2g", integrator,
         (double)e.hidden);
}

static void check_refused(const char *integrator, const char *word)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  const bool began = begin_drive(&d, &outcome, PROBLEM, integrator, "0.1", "1e-8");
  tap_ok(!began && outcome.code == SHK_REFUSED && strstr(outcome.reason, word), "%s is refused: %s",
         integrator, outcome.reason);
}

/* A solve that is not allowed to converge is a failed step with its residuals. */
static void check_failure(const char *integrator)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  if (begin_drive(&d, &outcome, PROBLEM, integrator, "0.5", NULL)) {
    const struct shk_status status = go_steps(&d, 1);
    double residuals[64];
    const int count = shk_last_residuals(&d.bound.evaluator, residuals, 64);
    tap_ok(status.code == SHK_NOT_CONVERGED && count > 0 && residuals[count - 1] > 0,
           "%s: not converged, with %d residuals", integrator, count);
  } else {
    tap_ok(false, "%s does not bind: %s", integrator, outcome.reason);
  }
}

/* ---- driven by a tolerance ---- */

static void check_adaptive(const char *stepper, const char *options,
                           const struct shk_state *reference)
{
  static const char *const tolerances[] = {"1e-5", "1e-8"};
  static const double allowed[] = {1e-2, 1e-5};
  double errors[2];
  char name[96];
  snprintf(name, sizeof name, "projection-adaptive(base=%s%s)", stepper, options);
  for (int i = 0; i < 2; i++) {
    DRIVE d = {0};
    OUTCOME outcome = {0};
    errors[i] = NAN;
    /* In eight outputs; a reverse run comes back from there. */
    if (begin_drive(&d, &outcome, PROBLEM, name, "0.2", tolerances[i]) &&
        go_steps(&d, 8).code == SHK_OK) {
      errors[i] = (double)real_max(largest_difference(d.current.q, reference->q, d.current.n),
                                   largest_difference(d.current.p, reference->p, d.current.n));
      d.bound.step = -d.bound.step;
      const bool back = go_steps(&d, 8).code == SHK_OK;
      const double there = (double)largest_difference(d.current.q, d.bound.start.q, d.current.n);
      tap_ok(back && there <= 2 * allowed[i], "%s at %s comes back to %.2g", name, tolerances[i],
             there);
    }
    tap_ok(errors[i] <= allowed[i], "%s at %s: error %.2g", name, tolerances[i], errors[i]);
  }
  /* Where steps are cut to the output times, high orders are better than asked for. */
  tap_ok(errors[1] < errors[0] / 10 || errors[0] < 1e-8,
         "%s: the error follows the tolerance: %.2g, %.2g", name, errors[0], errors[1]);
}

/* Internal steps of a run with eight outputs; -1 if it fails. */
static long internal_steps(const char *integrator)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  const bool ok = begin_drive(&d, &outcome, PROBLEM, integrator, "0.2", "1e-8") &&
                  go_steps(&d, 8).code == SHK_OK;
  const long steps = ok ? d.bound.evaluator.work.steps : -1;
  return steps;
}

/* A multistep method that is projected begins at order 1 again, with its small steps. */
static void check_restart(void)
{
  const long restarted = internal_steps("projection-adaptive(base=gsl-msadams)");
  const long going_on = internal_steps("projection-adaptive(base=gsl-msadams,onto=none)");
  tap_ok(going_on > 0 && restarted > going_on + 8 * 3,
         "gsl-msadams: %ld steps with a restart at each of 8 outputs, %ld without", restarted,
         going_on);
}

static void check_all_adaptive(const struct shk_state *reference)
{
  const struct shk_integrator *its = integrator_named("projection-adaptive");
  for (const struct shk_choice *base = choices_of(&its->info, "base"); base->name; base++)
    check_adaptive(base->name, "", reference);
  check_adaptive("gsl-msadams", ",onto=none", reference);
  check_adaptive("gsl-rk8pd", ",onto=position", reference);
  check_restart();
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

  check_reduced("double-pendulum", 0, 0);
  check_reduced("charged-pendulum", 0, 0);
  check_reduced("double-pendulum", 3, 5);
  check_reduced("charged-pendulum", 3, 5);
  check_orthogonal();
  check_far();
  check_units("projection");
  check_units("projection(base=gauss)");

  check_symmetry("double-pendulum", "projection(base=midpoint,symmetric=yes)", true);
  check_symmetry("double-pendulum", "projection(base=gauss,symmetric=yes)", true);
  check_symmetry("charged-pendulum", "projection(base=gauss,symmetric=yes)", true);
  check_symmetry("double-pendulum", "projection(base=midpoint,symmetric=yes,onto=position)", true);
  check_symmetry("double-pendulum", "projection(base=gauss,onto=none)", true);
  check_symmetry("double-pendulum", "projection(base=midpoint)", false);
  check_symmetry("double-pendulum", "projection", false);

  check_kept("projection", true, true);
  check_kept("projection(base=gauss,symmetric=yes)", true, true);
  check_kept("projection(base=gauss,symmetric=yes,onto=position)", true, false);
  check_kept("projection(onto=position)", true, false);
  check_kept("projection(tolerance=1e-6)", false, true);
  check_kept("projection(onto=none)", false, false);
  check_kept("baumgarte", false, false);
  check_quadratic();

  check_refused("projection(symmetric=yes)", "symmetric base");
  check_refused("projection(symmetric=yes,base=gauss,onto=none)", "onto");
  check_failure("projection(base=rk2,iterations=1)");
  check_failure("projection(base=gauss,symmetric=yes,iterations=2)");
  if (QUAD) {
    check_refused("projection(base=gsl-rkf45)", "double precision");
    check_refused("projection-adaptive", "double precision");
    check_refused("baumgarte(base=gsl-rk8pd)", "double precision");
  } else {
    check_refused("projection(base=gsl-msadams)", "multistep");
    check_refused("baumgarte(base=gsl-msadams)", "multistep");
    check_all_adaptive(&reference);
  }
  return tap_done();
}

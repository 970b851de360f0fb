/*
 * Bodies as a unit quaternion against the same bodies as a rotation matrix: orientation, energy,
 * angular momentum and multiplier, by exact solutions and by two integrations of different
 * equations. The moment that makes the mass matrix regular does not change the motion. What keeps
 * the norm, the hidden constraint and the momenta, and at which power of the step the rest loses
 * them. A wrong derivative of the mass matrix is caught.
 */
#include "mechanics/system/derivatives.h"
#include "problems/kit/quaternion.h"
#include "tests/kit/driving.h"
#include "tests/kit/instance.h"

/* In the precision of the compilation: how well the reference integrates, what it may lose. */
static const char *const tolerance = SHK_PRECISION == 64 ? "1e-14" : "1e-29";
static const real kept = SHK_PRECISION == 64 ? R(3e-12) : R(1e-25);

/* ---- the same body in both forms ---- */

/* Largest difference of R and of R's rotation of the quaternion. */
static real turned_otherwise(const real *matrix, const real *q)
{
  real R[9], worst = 0;
  shk_quaternion_rotation(R, q);
  for (int i = 0; i < 9; i++) {
    const real off = real_fabs(R[i] - matrix[i]);
    worst = off <= worst ? worst : off; /* keeps a NaN */
  }
  return worst;
}

static void check_exact(const char *matrix_spec, const char *quaternion_spec)
{
  PROBLEM matrix = bind_or_stop("%s", matrix_spec);
  PROBLEM unit = bind_or_stop("%s", quaternion_spec);
  const struct shk_instance *a = &matrix->instance, *b = &unit->instance;
  real R[9], P[9], q[4], p[4], before[4], lambda[6], I_a[4], I_b[4], H_a, H_b;
  real turned = 0, energy = 0, momenta = 0, jump = 0, norm = 0;
  if (!tap_ok(a->exact && b->exact, "%s: both are exact", quaternion_spec))
    return;
  /* To 40 horizons, in steps in which no body turns by half a revolution. */
  for (int k = 0; k <= 4000; k++) {
    const real t = a->horizon * (real)k / 100;
    a->exact(a->system.context, R, P, lambda, t);
    b->exact(b->system.context, q, p, lambda, t);
    turned = real_max(turned, turned_otherwise(R, q));
    norm = real_max(norm, real_fabs(real_dot(q, q, 4) - 1));
    for (int i = 0; k > 0 && i < 4; i++)
      jump = real_max(jump, real_fabs(q[i] - before[i]));
    for (int i = 0; i < 4; i++)
      before[i] = q[i];
    a->invariants(a->system.context, I_a, t, R, P);
    b->invariants(b->system.context, I_b, t, q, p);
    for (int i = 0; i < a->invariant_count; i++)
      momenta = real_max(momenta, real_fabs(I_a[i] - I_b[i]));
    shk_hamiltonian(&matrix->evaluator, &H_a, t, R, P);
    shk_hamiltonian(&unit->evaluator, &H_b, t, q, p);
    energy = real_max(energy, real_fabs(H_a - H_b));
  }
  const double near = (double)(4000 * REAL_EPSILON);
  tap_is_near((double)turned, 0, near, "%s: turns as the matrix does", quaternion_spec);
  tap_is_near((double)norm, 0, near, "%s: of norm 1", quaternion_spec);
  tap_is_near((double)energy, 0, near, "%s: with its energy", quaternion_spec);
  tap_is_near((double)momenta, 0, near, "%s: and its invariants", quaternion_spec);
  tap_ok(jump < R(0.8), "%s: and keeps its sign: %.2f", quaternion_spec, (double)jump);
}

/* The reference integrator at the start, ready to go to `until`. */
static bool begin_reference(struct shk_drive *d, const char *problem, const char *until)
{
  struct shk_outcome outcome = {0};
  const struct shk_cell cell = TEST_CELL(.problem = (char *)problem, .integrator = "reference",
                                         .tolerance = (char *)tolerance, .until = (char *)until);
  const bool ok = shk_drive_begin(&test_context, d, &outcome, &cell);
  if (!ok)
    tap_diag("%s: %s", problem, outcome.reason);
  shk_outcome_clear(&outcome);
  return ok;
}

static bool reach(struct shk_drive *d, real t)
{
  if (shk_drive_step(d, t).code != SHK_OK)
    return false;
  shk_drive_accept(d);
  return true;
}

/* Without an exact solution, by two integrations; λ = 4T - 2V of the top. */
static void check_general_top(void)
{
  static const real times[] = {R(0.73), R(1.9), R(3.1)};
  DRIVE matrix = {0}, unit = {0};
  if (!tap_ok(begin_reference(&matrix, "lagrange-top(start=general)", "3.1") &&
                  begin_reference(&unit, "lagrange-top(start=general,form=quaternion)", "3.1"),
              "general top: both can be made"))
    return;
  for (int k = 0; k < 3; k++) {
    real H, V;
    const struct shk_state *s = &unit.current;
    const struct shk_system *system = &unit.bound.instance.system;
    if (!tap_ok(reach(&matrix, times[k]) && reach(&unit, times[k]), "general top: time %d", k))
      return;
    tap_is_near((double)turned_otherwise(matrix.current.q, s->q), 0, (double)(30 * kept),
                "general top: two integrations, time %d", k);
    shk_hamiltonian(&unit.bound.observer, &H, s->t, s->q, s->p);
    system->potential(system->context, &V, s->t, s->q);
    tap_is_near((double)(s->lambda[0] - 4 * H + 6 * V), 0, (double)(300 * kept),
                "general top: lambda is 4T - 2V, time %d", k);
  }
}

/* ---- the added moment ---- */

static void check_added(void)
{
  static const char *const added[] = {"0.05", "3", "40"};
  DRIVE one = {0};
  if (!tap_ok(begin_reference(&one, "lagrange-top(start=general,form=quaternion)", "1.9") &&
                  reach(&one, R(1.9)),
              "added=1: is integrated"))
    return;
  for (int k = 0; k < 3; k++) {
    DRIVE other = {0};
    char spec[96];
    snprintf(spec, sizeof spec, "lagrange-top(start=general,form=quaternion(added=%s))", added[k]);
    if (!tap_ok(begin_reference(&other, spec, "1.9") && reach(&other, R(1.9)),
                "added=%s: is integrated", added[k]))
      continue;
    tap_is_near((double)difference(&one.current, &other.current), 0, (double)(100 * kept),
                "added=%s: the same q and p", added[k]);
    tap_is_near((double)(one.current.lambda[0] - other.current.lambda[0]), 0, (double)(1000 * kept),
                "added=%s: the same lambda", added[k]);
  }
}

/* ---- what methods keep ---- */

struct losses {
  real norm, hidden, momentum, energy;
};

/* Largest values over a run of the general top. False if it fails. */
static bool lose(struct losses *out, const char *integrator, const char *step, real until)
{
  DRIVE d = {0};
  real first[4], values[4], H0, H;
  *out = (struct losses){0};
  if (!begin_own(&d, "lagrange-top(start=general,form=quaternion)", integrator, step))
    return false;
  const struct shk_instance *instance = &d.bound.instance;
  const struct shk_state *s = &d.current;
  instance->invariants(instance->system.context, first, 0, s->q, s->p);
  shk_hamiltonian(&d.bound.observer, &H0, 0, s->q, s->p);
  const long steps = (long)(until / d.bound.step + R(0.5));
  for (long k = 0; k < steps; k++) {
    if (!advance(&d, 1))
      return false;
    instance->invariants(instance->system.context, values, s->t, s->q, s->p);
    shk_hamiltonian(&d.bound.observer, &H, s->t, s->q, s->p);
    out->norm = real_max(out->norm, real_fabs(real_dot(s->q, s->q, 4) - 1));
    out->hidden = real_max(out->hidden, real_fabs(real_dot(s->q, s->p, 4)));
    out->energy = real_max(out->energy, real_fabs(H - H0));
    for (int i = 0; i < 2; i++)
      out->momentum = real_max(out->momentum, real_fabs(values[i] - first[i]));
  }
  return true;
}

/* A loss at two steps: round-off (power 0), or of this power of the step. */
static void check_loss(const char *what, const char *integrator, real coarse, real fine,
                       double power)
{
  if (power == 0) {
    tap_is_near((double)coarse, 0, (double)(3000 * REAL_EPSILON), "%s: %s stays", integrator, what);
    return;
  }
  const double found = log2((double)(coarse / fine));
  tap_is_near(found, power, 0.25, "%s: %s is lost like h^%g (%.2f)", integrator, what, power,
              found);
}

static void check_losses(void)
{
  static const struct {
    const char *integrator;
    double norm, hidden, momentum, energy; /* powers of the step; 0: none is lost */
  } cases[] = {
      {"rattle", 0, 0, 0, 2},        {"spark(stages=3)", 0, 0, 0, 4},
      {"projection", 0, 0, 4, 4},    {"projection(onto=position)", 0, 4, 4, 4},
      {"index-reduced", 4, 4, 4, 4},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct losses coarse, fine;
    const char *const name = cases[i].integrator;
    if (!tap_ok(lose(&coarse, name, "0.0025", 4) && lose(&fine, name, "0.00125", 4), "%s: runs",
                name))
      continue;
    check_loss("the norm", name, coarse.norm, fine.norm, cases[i].norm);
    check_loss("q·p", name, coarse.hidden, fine.hidden, cases[i].hidden);
    check_loss("the angular momentum", name, coarse.momentum, fine.momentum, cases[i].momentum);
    check_loss("the energy", name, coarse.energy, fine.energy, cases[i].energy);
  }
}

/* Division of q by its norm changes the momenta, which are bilinear in q and p. */
static void check_order_of_losses(void)
{
  struct losses never, q_alone, both;
  if (!tap_ok(lose(&never, "index-reduced", "0.02", 40) &&
                  lose(&q_alone, "projection(onto=position)", "0.02", 40) &&
                  lose(&both, "projection", "0.02", 40),
              "three ways to normalize run"))
    return;
  tap_ok(q_alone.momentum > 10 * never.momentum,
         "normalizing q alone loses more momentum than never");
  tap_ok(both.momentum * 10 < q_alone.momentum && both.energy * 3 < q_alone.energy,
         "normalizing p too loses less of both");
}

/* Largest difference of q from the reference, of RATTLE with this added moment at t = 2.8. */
static real added_error(const char *added, const struct shk_state *reference)
{
  DRIVE d = {0};
  char spec[96];
  real worst = 0;
  snprintf(spec, sizeof spec, "lagrange-top(start=general,form=quaternion(added=%s))", added);
  if (!begin_own(&d, spec, "rattle", "0.005") || !advance(&d, 560))
    return REAL_PI / R(0.0);
  for (int i = 0; i < 4; i++)
    worst = real_max(worst, real_fabs(d.current.q[i] - reference->q[i]));
  return worst;
}

/* 1/I_0 enters RATTLE's error linearly, and with the mean moment its part is zero. */
static void check_added_error(void)
{
  DRIVE d = {0};
  if (!tap_ok(begin_reference(&d, "lagrange-top(start=general,form=quaternion)", "2.8") &&
                  reach(&d, R(2.8)),
              "added: the reference"))
    return;
  const real half = added_error("0.5", &d.current);
  tap_is_near((double)(added_error("0.1", &d.current) / half), 9, 1.5,
              "rattle: errors with added=0.1 and 0.5 are as 9 to 1");
  tap_is_near((double)(added_error("10", &d.current) / half), 0.9, 0.15,
              "rattle: with added=10 and 0.5 as 9 to 10");
  tap_ok(added_error("1", &d.current) < half / 10, "rattle: the mean moment is far better");
}

/* ---- wrong variants ---- */

/* One of both terms, as if M were 4 q∘D(…) with a constant in the brackets. */
static int gradient_of_one_factor(const void *context, real *out, const real *q, const real *v)
{
  real along[4];
  shk_quaternion_weigh(along, context, q, v);
  for (int k = 0; k < 4; k++) {
    const real unit[4] = {k == 0, k == 1, k == 2, k == 3};
    shk_quaternion_product(out + 4 * k, unit, along);
    for (int j = 0; j < 4; j++)
      out[4 * k + j] *= 4;
  }
  return 0;
}

static int no_gradient(const void *context, real *out, const real *q, const real *v)
{
  (void)context, (void)q, (void)v;
  shk_fill(out, 0, 16);
  return 0;
}

static int mass_of_conjugate(const void *context, real *M, const real *q)
{
  const real conjugate[4] = {q[0], -q[1], -q[2], -q[3]};
  return shk_quaternion_mass_matrix(context, M, conjugate);
}

static bool gradient_holds(struct bound_problem *b)
{
  struct shk_derivative_check checks[8];
  int count = 0;
  bool holds = false;
  shk_check_derivatives(checks, &count, &b->evaluator, 0, b->q, b->p);
  for (int k = 0; k < count; k++)
    if (strcmp(checks[k].name, "H_q") == 0)
      holds = checks[k].holds;
  return holds;
}

static void check_wrong(void)
{
  PROBLEM b = bind_or_stop("free-rigid-body(form=quaternion)");
  struct shk_system *const s = &b->instance.system;
  const struct shk_system right = *s;
  tap_ok(gradient_holds(b), "the gradient of the mass matrix is right");
  s->mass_gradient = gradient_of_one_factor;
  tap_ok(!gradient_holds(b), "that of one factor alone is caught");
  s->mass_gradient = no_gradient;
  tap_ok(!gradient_holds(b), "a missing one is caught");
  *s = right;
  s->mass_matrix = mass_of_conjugate;
  tap_ok(!gradient_holds(b), "a mass matrix from space to the body is caught");
}

int main(void)
{
  check_exact("free-rigid-body", "free-rigid-body(form=quaternion)");
  check_exact("free-rigid-body(rate1=-0.9,rate2=0.4,rate3=-0.2)",
              "free-rigid-body(rate1=-0.9,rate2=0.4,rate3=-0.2,form=quaternion)");
  check_exact("free-rigid-body(moment1=2,moment2=1,moment3=1.5,rate1=-0.6)",
              "free-rigid-body(moment1=2,moment2=1,moment3=1.5,rate1=-0.6,form=quaternion)");
  check_exact("free-rigid-body(rate1=0,rate2=0)",
              "free-rigid-body(rate1=0,rate2=0,form=quaternion(added=5))");
  check_exact("lagrange-top", "lagrange-top(form=quaternion)");
  check_general_top();
  check_added();
  if (SHK_PRECISION == 64) { /* they are far above round-off, and take half a minute in quad */
    check_losses();
    check_order_of_losses();
  }
  check_added_error();
  check_wrong();
  return tap_done();
}

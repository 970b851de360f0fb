/*
 * General differential-algebraic equations: the problem jay against its exact solutions, its
 * derivatives and structure (and wrong ones, which are noticed), multipliers and projections; the
 * solvers that take it and the others, which refuse it; and the forms of the equations that DAE
 * solvers are given: analytic Jacobians of mechanical systems against differences, in the
 * precision of the compilation.
 */
#include "integrators/outside/dae_form.h"
#include "mechanics/binding/binding.h"
#include "mechanics/system/derivatives.h"
#include "mechanics/system/manifold.h"
#include "tests/kit/adaptive.h"
#include "tests/kit/instance.h"
#include "tests/kit/registered.h"

static const char *const variants[] = {"jay(index=2)", "jay(index=3)", "jay(quadratic=yes)"};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

/* Forms are bound here, as a method binds them. */
static struct shk_workspace *workspace;

static struct shk_status make_form(struct shk_dae_form *form, struct shk_evaluator *evaluator,
                                   enum shk_form_kind kind)
{
  void *first;
  workspace = shk_workspace_create(&first, 1);
  if (!workspace)
    abort();
  return shk_bind_dae_form(
      form, &(struct shk_binding){.evaluator = evaluator, .workspace = workspace}, kind);
}

static void free_forms(void)
{
  shk_workspace_destroy(workspace);
  workspace = NULL;
}

/* ---- the problem ---- */

/* x' = f and 0 = g along the exact solution, by a central difference of sixth order. */
static void test_exact(const char *problem)
{
  static const int weights[] = {0, 45, -9, 1};
  PROBLEM b = bind_or_stop("%s", problem);
  const struct shk_instance *instance = &b->instance;
  const struct shk_system *s = &instance->system;
  const int n = s->n;
  const real t = R(0.37), h = real_pow(REAL_EPSILON, R(1.0) / 7);
  real slope[4] = {0}, f[4], q[2], p[2], lambda, g;
  for (int k = -3; k <= 3; k++) {
    const int weight = k == 0 ? 0 : k < 0 ? -weights[-k] : weights[k];
    instance->exact(s->context, q, p, &lambda, t + k * h);
    for (int i = 0; i < n; i++) {
      slope[i] += weight * q[i] / (60 * h);
      slope[n + i] += weight * p[i] / (60 * h);
    }
  }
  instance->exact(s->context, q, p, &lambda, t);
  s->dae_slope(s->context, f, f + n, t, q, p, &lambda);
  s->dae_constraint(s->context, &g, t, q, p);
  real worst = real_fabs(g);
  for (int i = 0; i < 2 * n; i++)
    worst = real_max(worst, real_fabs(slope[i] - f[i]));
  tap_ok(worst <= real_pow(REAL_EPSILON, R(0.8)), "%s: the exact solution solves it: %.1e", problem,
         (double)worst);
}

/* The multiplier of a point of the solution is the exact one; so are its residuals. */
static void test_manifold(const char *problem)
{
  PROBLEM b = bind_or_stop("%s", problem);
  const struct shk_instance *instance = &b->instance;
  const int n = instance->system.n;
  struct shk_manifold *manifold;
  real q[2], p[2], exact, lambda, g, hidden;
  if (shk_bind_manifold(&manifold, BINDING_OF(&b->evaluator)).code != SHK_OK)
    abort();
  real error = 0, residual = 0;
  for (int k = 0; k < 4; k++) {
    const real t = R(0.4) * k;
    instance->exact(instance->system.context, q, p, &exact, t);
    const bool ok = shk_exact_multiplier(manifold, &lambda, t, q, p).code == SHK_OK &&
                    shk_manifold_residuals(manifold, &g, &hidden, t, q, p).code == SHK_OK;
    error = ok ? real_max(error, real_fabs(lambda / exact - 1)) : INFINITY;
    residual = real_max(residual, real_max(real_fabs(g), real_fabs(hidden)));
  }
  tap_ok(error <= 100 * REAL_EPSILON && residual <= 100 * REAL_EPSILON,
         "%s: multiplier %.1e, residuals %.1e", problem, (double)error, (double)residual);

  /* A point beside it is brought back, and not far. */
  const real away = R(0.001);
  q[0] += away;
  p[n - 1] -= away;
  const real q0 = q[0], p1 = p[n - 1];
  const bool moved = shk_manifold_project(manifold, q, p, R(1.2)).code == SHK_OK &&
                     shk_manifold_residuals(manifold, &g, &hidden, R(1.2), q, p).code == SHK_OK;
  tap_ok(moved && real_max(real_fabs(g), real_fabs(hidden)) <= 1000 * REAL_EPSILON &&
             real_fabs(q[0] - q0) < 10 * away && real_fabs(p[n - 1] - p1) < 10 * away,
         "%s: projected onto its constraints: %.1e and %.1e", problem, (double)g, (double)hidden);
}

static struct shk_system right;
static int wrong_entry; /* of f_x, f_lambda, g_x one after the other; -1: curvature; -2: g of p */

static int wrong_derivatives(const void *context, real *f_x, real *f_lambda, real *g_x, real t,
                             const real *q, const real *p, const real *lambda)
{
  const int x = 2 * right.n;
  const int code = right.dae_derivatives(context, f_x, f_lambda, g_x, t, q, p, lambda);
  const int at = wrong_entry;
  if (at >= 0 && at < x * x)
    f_x[at] += R(1e-3);
  else if (at >= 0 && at < x * x + x)
    f_lambda[at - x * x] += R(1e-3);
  else if (at >= 0)
    g_x[at - x * x - x] += R(1e-3);
  else if (at == -2)
    g_x[right.n] += R(1e-3);
  return code;
}

static int wrong_curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const int code = right.curvature(context, out, t, q, v);
  out[0] += wrong_entry == -1 ? R(1e-3) * v[0] * v[1] : 0;
  return code;
}

static int wrong_constraint(const void *context, real *g, real t, const real *q, const real *p)
{
  const int code = right.dae_constraint(context, g, t, q, p);
  g[0] += wrong_entry == -2 ? R(1e-3) * (p[0] - 1) : 0;
  return code;
}

/* Every entry that is off by 1e-3 is noticed, by the check of its name. */
static void test_derivatives(const char *problem)
{
  PROBLEM b = bind_or_stop("%s", problem);
  struct shk_system *s = &b->instance.system;
  struct shk_derivative_check checks[8];
  const int x = 2 * s->n;
  int count = 0;
  bool all = shk_check_derivatives(checks, &count, &b->evaluator, 0, b->q, b->p).code == SHK_OK;
  real worst = 0;
  for (int i = 0; i < count; i++) {
    all = all && checks[i].holds;
    worst = real_max(worst, checks[i].error);
  }
  tap_ok(all && count == (s->dae_index == 3 ? 5 : 4) &&
             worst <= (SHK_PRECISION == 64 ? R(1e-9) : R(1e-25)),
         "%s: %d derivatives hold, to %.1e", problem, count, (double)worst);
  right = *s;
  s->dae_derivatives = wrong_derivatives;
  s->dae_constraint = wrong_constraint;
  s->curvature = s->dae_index == 3 ? wrong_curvature : NULL;
  bool noticed = true;
  for (wrong_entry = s->dae_index == 3 ? -2 : 0; wrong_entry < x * x + 2 * x; wrong_entry++) {
    const char *const name = wrong_entry == -2         ? "structure"
                             : wrong_entry == -1       ? "curvature"
                             : wrong_entry < x * x     ? "f_x"
                             : wrong_entry < x * x + x ? "f_lambda"
                                                       : "g_x";
    bool this = false;
    shk_check_derivatives(checks, &count, &b->evaluator, 0, b->q, b->p);
    for (int i = 0; i < count; i++)
      this = this || (!checks[i].holds && strcmp(checks[i].name, name) == 0);
    if (!this)
      tap_diag("entry %d: %s holds", wrong_entry, name);
    noticed = noticed && this;
  }
  tap_ok(noticed, "%s: every wrong entry is noticed", problem);
}

static void test_bad_systems(void)
{
  PROBLEM b = bind_or_stop("jay");
  struct shk_system *s = &b->instance.system;
  struct shk_manifold *manifold;
  const struct shk_system whole = *s;
  s->curvature = NULL;
  tap_ok(shk_bind_manifold(&manifold, BINDING_OF(&b->evaluator)).code == SHK_BAD_INPUT,
         "index 3 without the curvature is bad input");
  *s = whole;
  s->dae_index = 1;
  tap_ok(shk_bind_manifold(&manifold, BINDING_OF(&b->evaluator)).code == SHK_BAD_INPUT,
         "so is an index that is neither 2 nor 3");
  *s = whole;
  struct shk_dae_form form;
  tap_ok(make_form(&form, &b->evaluator, SHK_FORM_INDEX1).code == SHK_REFUSED && !form.scratch,
         "a form of index 1 is refused");
  tap_ok(make_form(&form, &b->evaluator, SHK_FORM_INDEX2).code == SHK_REFUSED && !form.scratch,
         "and that of index 2, made of a problem's hidden constraint");
  free_forms();
  struct shk_message error = {""};
  PROBLEM none = bind_problem("jay(index=2,quadratic=yes)", NULL, &error);
  tap_ok(!none && strstr(error.text, "index=3"), "jay(index=2,quadratic=yes): %s", error.text);
}

/* ---- forms ---- */

/* Every column of the Jacobian against a difference of sixth order, at a point off the constraints
 * with multipliers of both kinds. */
static void test_jacobian(const char *problem, enum shk_form_kind kind)
{
  static const int weights[] = {0, 45, -9, 1};
  PROBLEM b = bind_or_stop("%s", problem);
  struct shk_dae_form form;
  if (make_form(&form, &b->evaluator, kind).code != SHK_OK)
    abort();
  const int size = form.unknowns, n = form.n;
  const size_t wide = (size_t)size;
  real *block = calloc(wide * wide + 4 * wide, sizeof *block);
  real *columns = block, *y = columns + wide * wide, *f = y + size, *rest = f + size;
  /* Increments in the units of the coordinates; for masses of very different sizes the momenta's.
   */
  const real h = real_pow(REAL_EPSILON, R(1.0) / 7) / 20, t = b->instance.initial_time + R(0.01);
  memcpy(y, b->q, (size_t)n * sizeof *y);
  memcpy(y + n, b->p, (size_t)n * sizeof *y);
  const real size_p = real_max(max_norm(b->p, n), R(0.01));
  for (int i = 0; i < size; i++)
    y[i] += (i < n ? R(0.01) : i < 2 * n ? R(0.1) * size_p : 1) * (((5 * i) % 7) - 3) / 3;
  if (!tap_ok(form.analytic && shk_dae_form_jacobian(&form, columns, t, y).code == SHK_OK,
              "%s, form %d: has a Jacobian", problem, (int)kind))
    goto end;
  real worst = 0;
  for (int j = 0; j < size; j++) {
    const real each = h * (j >= n && j < 2 * n ? size_p : 1);
    memset(rest, 0, wide * sizeof *rest);
    real most = 0, at = y[j];
    for (int k = -3; k <= 3; k++) {
      const int weight = k == 0 ? 0 : k < 0 ? -weights[-k] : weights[k];
      y[j] = at + k * each;
      if (shk_dae_form_evaluate(&form, f, t, y).code != SHK_OK)
        abort();
      for (int i = 0; i < size; i++) {
        rest[i] += weight * f[i] / (60 * each);
        most = real_max(most, real_fabs(f[i]));
      }
    }
    y[j] = at;
    const real column = real_max(max_norm(columns + (size_t)j * wide, size), most);
    for (int i = 0; i < size; i++)
      worst = real_max(worst, real_fabs(rest[i] - columns[(size_t)j * wide + (size_t)i]) / column);
  }
  tap_ok(worst <= real_pow(REAL_EPSILON, R(0.6)), "%s, form %d: it is the derivative, to %.1e",
         problem, (int)kind, (double)worst);
end:
  free(block);
  free_forms();
}

/* ---- solvers ---- */

#if SHK_PRECISION == 64

static void test_solver(const char *integrator, const char *problem, double growth)
{
  static const char *const ladder[] = {"1e-5", "1e-7", "1e-9", NULL};
  real before = INFINITY, lambda_error = INFINITY;
  if (!can_try(integrator))
    return;
  for (int i = 0; ladder[i]; i++) {
    RUN run = {0};
    const real tolerance = strtod(ladder[i], NULL);
    if (begin_run(&run, problem, integrator, ladder[i])) {
      struct shk_drive *d = &run.drive;
      run.status = shk_drive_step(d, 1);
      shk_drive_accept(d);
      char reason[256];
      if (run.status.code != SHK_OK)
        tap_diag("%s", shk_status_text(reason, sizeof reason, run.status));
      const real error = run.status.code == SHK_OK ? exact_error(&run, &lambda_error) : INFINITY;
      tap_ok(error <= growth * tolerance && error < before / 5 &&
                 lambda_error <= 20 * sqrt(growth * tolerance),
             "%s on %s at %s: error %.1e, of lambda %.1e", integrator, problem, ladder[i], error,
             lambda_error);
      before = error;
    }
  }
}

#endif

/* What is not made for them says so. */
static void test_refusals(void)
{
  int refused = 0, taken = 0;
  for (int i = 0; nth_integrator(i); i++) {
    const struct shk_integrator_info *info = &nth_integrator(i)->info;
    RUN run = {0};
    if (strcmp(info->name, "external") == 0 || strcmp(info->name, "engine") == 0)
      continue; /* they need a program */
    const bool begun = begin_run(&run, "jay", info->name, "1e-6");
    if (info->supports & SHK_GENERAL_DAE) {
      taken++;
    } else {
      refused += !begun && run.status.code == SHK_REFUSED &&
                 strstr(run.outcome.reason, "differential-algebraic");
      if (begun)
        tap_ok(false, "%s takes jay", info->name);
    }
  }
  tap_ok(taken == 3 && refused >= 15, "jay: %d integrators take it, %d refuse it and say why",
         taken, refused);
}

/* Each problem of general differential-algebraic equations has a variant here. */
static void test_nobody_is_forgotten(void)
{
  struct shk_inspection is;
  const char *name;
  for (int i = 0; (name = next_problem(&i, ~0u, NULL, &is)) != NULL;)
    if (is.features & SHK_GENERAL_DAE)
      tap_ok(is_among(variants, VARIANTS, name, NULL, NULL), "%s is tried", name);
}

int main(void)
{
  test_nobody_is_forgotten();
  static const char *const general[] = {"charged-pendulum", "andrews",
                                        "fekete(points=4,damping=0.5)", "sundials-slider-crank",
                                        "index-one"};
  for (int i = 0; i < VARIANTS; i++) {
    test_exact(variants[i]);
    test_manifold(variants[i]);
    test_derivatives(variants[i]);
    test_jacobian(variants[i], SHK_FORM_INDEX3);
  }
  test_bad_systems();
  for (size_t i = 0; i < sizeof general / sizeof general[0]; i++) {
    test_jacobian(general[i], SHK_FORM_GGL);
    test_jacobian(general[i], SHK_FORM_INDEX3);
  }
  test_refusals();
#if SHK_PRECISION == 64
  for (int i = 0; i < VARIANTS; i++) {
    test_solver("ida", variants[i], 3000);
    if (!strstr(variants[i], "quadratic")) /* needs tight tolerances there */
      test_solver("radau5", variants[i], 3000);
    test_solver("radau5(form=ggl)", variants[i], 3000);
  }
  test_solver("ida(form=index3)", "jay(index=2)", 3000);
#endif
  return tap_done();
}

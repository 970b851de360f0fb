/*
 * Statements of McLachlan, Modin, Verdier & Wilkins (Found. Comput. Math. 14 (2014) 339) on leaves
 * of ker ν: lemma 3.11, corollary 3.8, proposition 3.9, remark 4.2, proposition 4.7, §5.1.1 and
 * the two failures of Figure 6, each with a control that must fail.
 */
#include "tests/kit/form.h"
#include "tests/kit/test_plugin.h"

#include <shakedown/bind.h>

static struct {
  struct shk_drive d;
  struct shk_fibre *fibre;
  int n, m;
} at; /* the problem in use */

static bool open_problem(const char *problem, const char *integrator, const char *step)
{
  const bool ok = begin_own(&at.d, problem, integrator, step) &&
                  shk_bind_fibre(&at.fibre, BINDING_OF(&at.d.bound.observer)).code == SHK_OK;
  at.n = ok ? at.d.bound.start.n : 0;
  at.m = ok ? at.d.bound.start.m : 0;
  return tap_ok(ok && 2 * at.n <= MOST, "%s under %s is bound", problem, integrator);
}

static void start_of(real *z)
{
  memcpy(z, at.d.bound.start.q, (size_t)at.n * sizeof *z);
  memcpy(z + at.n, at.d.bound.start.p, (size_t)at.n * sizeof *z);
}

static real largest(const real *x, int count)
{
  real worst = 0;
  for (int i = 0; i < count; i++)
    worst = real_max(worst, real_fabs(x[i]));
  return worst;
}

/* exp(Σ s_i X_{g_i}) z. */
static void slide(real *out, const real *z, const real *s)
{
  const int n = at.n;
  if (shk_fibre_slide(at.fibre, out, out + n, 0, z, z + n, s).code != SHK_OK)
    abort();
  for (int i = 0; i < 2 * n; i++)
    out[i] += z[i];
}

/* Π z: along the fibre onto M^H. */
static void onto_hidden(real *out, const real *z)
{
  real s[MOST];
  struct shk_iteration iteration = {.limit = 50};
  const int n = at.n;
  if (shk_fibre_onto_hidden(at.fibre, out, out + n, s, &iteration, 0, z, z + n).code != SHK_OK)
    abort();
  for (int i = 0; i < 2 * n; i++)
    out[i] += z[i];
}

/* A map's derivative along u, by differences of order four. */
typedef void map_fn(real *out, const real *z);
static void derivative(real *out, map_fn *map, const real *z, const real *u)
{
  static const int offset[] = {-2, -1, 1, 2}, weight[] = {1, -8, 8, -1};
  const real h = real_pow(REAL_EPSILON, R(0.2));
  for (int i = 0; i < 2 * at.n; i++)
    out[i] = 0;
  for (int k = 0; k < 4; k++) {
    real moved[MOST], image[MOST];
    for (int i = 0; i < 2 * at.n; i++)
      moved[i] = z[i] + offset[k] * h * u[i];
    map(image, moved);
    for (int i = 0; i < 2 * at.n; i++)
      out[i] += weight[k] * image[i] / (12 * h);
  }
}

/* Errors of such differences. */
static real rough(void)
{
  return 10000 * real_pow(REAL_EPSILON, R(0.8));
}

/* ---- lemma 3.11: N is the derivative of -psi along the fibre, psi = {g,H} ---- */

static void check_brackets(const char *problem)
{
  static const int offset[] = {-2, -1, 1, 2}, weight[] = {1, -8, 8, -1};
  const real h = real_pow(REAL_EPSILON, R(0.2));
  real z[MOST], moved[MOST], g[8], psi[8], N[64], drift[8], worst = 0;
  if (!open_problem(problem, "rattle(flow=midpoint)", "0.01"))
    return;
  const int n = at.n, m = at.m;
  start_of(z);
  shk_fibre_matrix(at.fibre, N, drift, 0, z, z + n);
  for (int j = 0; j < m; j++) {
    real rate[8] = {0};
    for (int k = 0; k < 4; k++) {
      real s[8] = {0};
      s[j] = offset[k] * h;
      slide(moved, z, s);
      shk_fibre_residuals(at.fibre, g, psi, NULL, 0, moved, moved + n);
      for (int i = 0; i < m; i++)
        rate[i] += weight[k] * psi[i] / (12 * h);
    }
    for (int i = 0; i < m; i++)
      worst = real_max(worst, real_fabs(rate[i] + N[i * m + j]));
  }
  tap_ok(worst <= rough() && real_fabs(N[0]) > R(1e-2), "%s: N is minus the slope of psi, to %.1e",
         problem, (double)worst);
  shk_drive_end(&at.d);
}

/* ---- corollary 3.8: the fields f X_{g_i} are tangent to M and presymplectic there ---- */

static real wave[8][MOST]; /* f_i(z) = sin(wave_i · z) */

static real random_unit(void)
{
  static unsigned state = 20141127;
  state = state * 1664525u + 1013904223u;
  return (real)(state >> 8) / 8388608 - 1;
}

static void along_leaves(real *out, const real *z)
{
  real s[8];
  for (int i = 0; i < at.m; i++) {
    real phase = 0;
    for (int j = 0; j < 2 * at.n; j++)
      phase += wave[i][j] * z[j];
    s[i] = R(0.3) * real_sin(phase);
  }
  slide(out, z, s);
}

static void check_leaf_fields(const char *problem)
{
  static real row[MOST][MOST], basis[MOST][MOST], moved[MOST][MOST];
  if (!open_problem(problem, "rattle(flow=midpoint)", "0.01"))
    return;
  const int n = at.n;
  for (int i = 0; i < at.m; i++)
    for (int j = 0; j < 2 * n; j++)
      wave[i][j] = random_unit();
  real z[MOST], image[MOST], g[8], psi[8], worst = 0, control = 0, normal[MOST];
  start_of(z);
  along_leaves(image, z);
  shk_fibre_residuals(at.fibre, g, psi, NULL, 0, image, image + n);
  tap_ok(largest(g, at.m) <= 100 * REAL_EPSILON, "%s: exp(f X_g) keeps g = 0", problem);
  const int count = tangent(basis, row, gradients(&at.d, row, false), 2 * n);
  for (int i = 0; i < count; i++)
    derivative(moved[i], along_leaves, z, basis[i]);
  derivative(normal, along_leaves, z, row[0]);
  for (int i = 0; i < count; i++) {
    for (int j = 0; j < count; j++)
      worst = real_max(worst, real_fabs(form(moved[i], moved[j], n) - form(basis[i], basis[j], n)));
    control = real_max(control, real_fabs(form(moved[i], normal, n) - form(basis[i], row[0], n)));
  }
  tap_ok(worst <= rough(), "%s: and preserves the form on M, to %.1e", problem, (double)worst);
  tap_ok(control > R(1e-3), "%s: not off M: %.2g across it", problem, (double)control);
  shk_drive_end(&at.d);
}

/* ---- proposition 3.9: z' = DΠ · X_H ---- */

static void hamiltonian_field(real *x, const real *z)
{
  struct shk_evaluator *e = &at.d.bound.observer;
  if (shk_velocity(e, x, 0, z, z + at.n).code != SHK_OK ||
      shk_gradient(e, x + at.n, 0, z, z + at.n).code != SHK_OK)
    abort();
  for (int i = at.n; i < 2 * at.n; i++)
    x[i] = -x[i];
}

/* X_H + Σ λ_i X_{g_i}, with the λ that the start has. */
static void constrained_field(real *x, const real *z)
{
  real g_q[MOST * 8], g_p[MOST * 8];
  const int n = at.n;
  hamiltonian_field(x, z);
  if (shk_constraint_gradients(&at.d.bound.observer, g_q, g_p, 0, z, z + n).code != SHK_OK)
    abort();
  for (int i = 0; i < at.m; i++)
    for (int j = 0; j < n; j++) {
      x[j] += at.d.bound.start.lambda[i] * g_p[i * n + j];
      x[n + j] -= at.d.bound.start.lambda[i] * g_q[i * n + j];
    }
}

static void check_projected_field(const char *problem)
{
  if (!open_problem(problem, "rattle(flow=midpoint)", "0.01"))
    return;
  real z[MOST], x[MOST], projected[MOST], exact[MOST], g[8], psi[8], worst = 0, moved = 0;
  start_of(z);
  hamiltonian_field(x, z);
  derivative(projected, onto_hidden, z, x);
  constrained_field(exact, z);
  for (int i = 0; i < 2 * at.n; i++) {
    worst = real_max(worst, real_fabs(projected[i] - exact[i]));
    moved = real_max(moved, real_fabs(x[i] - exact[i]));
  }
  tap_ok(worst <= rough(), "%s: DPi X_H is the constrained field, to %.1e", problem, (double)worst);
  tap_ok(moved > R(1e-2), "%s: X_H itself is not: %.2g", problem, (double)moved);
  real off[MOST], s[8] = {R(0.1), R(0.1)};
  slide(off, z, s);
  shk_fibre_residuals(at.fibre, g, psi, NULL, 0, off, off + at.n);
  tap_ok(largest(g, at.m) <= 100 * REAL_EPSILON && largest(psi, at.m) > R(1e-3),
         "%s: off M^H, but on M, X_H is not tangent: %.2g", problem, (double)largest(psi, at.m));
  shk_drive_end(&at.d);
}

/* ---- proposition 4.7: the image of SHAKE is symplectic ---- */

static void shake(real *out, const real *z)
{
  real on[MOST];
  const size_t size = (size_t)at.n * sizeof *z;
  onto_hidden(on, z);
  memcpy(at.d.current.q, on, size);
  memcpy(at.d.current.p, on + at.n, size);
  if (shk_drive_step(&at.d, at.d.current.t + at.d.bound.step).code != SHK_OK)
    abort();
  memcpy(out, at.d.next.q, size);
  memcpy(out + at.n, at.d.next.p, size);
}

static void check_image(const char *problem)
{
  static real row[MOST][MOST], basis[MOST][MOST], image[MOST][MOST], span[MOST][MOST];
  if (!open_problem(problem, "shake(flow=midpoint)", "0.1"))
    return;
  const int n = at.n;
  real z[MOST], y[MOST], g[8], psi[8], worst = 0;
  start_of(z);
  shake(y, z);
  shk_fibre_residuals(at.fibre, g, psi, NULL, 0, y, y + n);
  tap_ok(largest(psi, at.m) > R(1e-3), "%s: SHAKE leaves M^H: %.2g", problem,
         (double)largest(psi, at.m));
  const int count = tangent(basis, row, gradients(&at.d, row, true), 2 * n);
  for (int i = 0; i < count; i++)
    derivative(image[i], shake, z, basis[i]);
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++)
      worst = real_max(worst, real_fabs(form(image[i], image[j], n) - form(basis[i], basis[j], n)));
  const int rank = rank_of_form(image, count, n);
  tap_ok(rank == count && count == 2 * n - 2 * at.m && worst <= rough(),
         "%s: its image has dimension and rank %d; S_h preserves the form to %.1e", problem, rank,
         (double)worst);
  for (int i = 0; i < count; i++)
    memcpy(span[i], image[i], sizeof span[i]);
  memcpy(span[count], row[0], sizeof span[0]);
  tap_ok(rank_of_form(span, count + 1, n) == count,
         "%s: with a direction more the form is degenerate", problem);
  shk_drive_end(&at.d);
}

/* ---- remark 4.2: one solution of (12), without coisotropy ---- */

/* The midpoint rule from z. */
static void midpoint(real *out, const real *z)
{
  const real h = R(0.1);
  real x[MOST], middle[MOST];
  memcpy(middle, z, (size_t)(2 * at.n) * sizeof *z);
  for (int pass = 0; pass < 100; pass++) {
    hamiltonian_field(x, middle);
    for (int i = 0; i < 2 * at.n; i++)
      middle[i] = z[i] + h / 2 * x[i];
  }
  for (int i = 0; i < 2 * at.n; i++)
    out[i] = 2 * middle[i] - z[i];
}

/* M of the problem is the plane q = p = 0, on which ω is not degenerate: a leaf is a point, and (12)
 * asks only that φ_h(z) be on M. */
static void check_point_leaves(void)
{
  for (int coupled = 0; coupled < 2; coupled++) {
    const char *problem = coupled ? "non-coisotropic(coupling=0.3,position=0)" : "non-coisotropic";
    struct shk_message error;
    real least = 1, most = 0, shifted = 0;
    at.d = (struct shk_drive){0};
    at.n = 2;
    if (!tap_ok(shk_bind_problem(&test_context, &at.d.bound, problem, &error) == SHK_OK &&
                    shk_bind_point(&at.d.bound, NULL, NULL, false, &error) == SHK_OK,
                "%s is bound", problem))
      return;
    for (int k = 0; k < 50; k++) {
      const real s = R(0.75) + random_unit() / 2;
      real z[4] = {0, s, 0, random_unit()}, image[4];
      midpoint(image, z);
      const real off = real_max(real_fabs(image[0]), real_fabs(image[2]));
      least = real_min(least, off);
      most = real_max(most, off);
      /* q = σ₂, p = -σ₁ solve the parametrized equation: off M by this. */
      for (int pass = 0; pass < 60; pass++) {
        z[0] -= image[0];
        z[2] -= image[2];
        midpoint(image, z);
      }
      shifted = real_max(shifted, real_max(real_fabs(z[0]), real_fabs(z[2])));
    }
    if (coupled) {
      tap_ok(least > R(1e-4), "with the term 0.3 q s² no step ends on M: %.2g and more off it",
             (double)least);
      tap_ok(shifted > R(1e-3), "the parametrized equation has its solution off M, by up to %.2g",
             (double)shifted);
    } else {
      tap_ok(most == 0 && shifted == 0, "on 50 points of M z⁺ = z solves (12), and no other can");
    }
    shk_unbind(&at.d.bound);
  }
}

/* ---- §5.1.1: condition (15) is stronger than assumption 1 ---- */

/* g_q H_pp g_qᵀ on the fibre, at p + μ q. */
static real bent(const real *q, const real *p, real mu)
{
  real second[36], moved[3], sum = 0;
  for (int i = 0; i < 3; i++)
    moved[i] = p[i] + mu * q[i];
  if (shk_hessian(&at.d.bound.observer, second, 0, q, moved).code != SHK_OK)
    abort();
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      sum += q[i] * second[6 * (3 + i) + 3 + j] * q[j];
  return sum;
}

static void end_of(real *z, const char *step, long steps)
{
  DRIVE d = {0};
  if (!begin_own(&d, "soft", "rattle(flow=midpoint)", step) || !advance(&d, steps))
    abort();
  memcpy(z, d.current.q, 3 * sizeof *z);
  memcpy(z + 3, d.current.p, 3 * sizeof *z);
}

static void check_classical_assumption(void)
{
  if (!load_test_plugin("SHAKEDOWN_SOFT") ||
      !tap_ok(begin_own(&at.d, "soft", "rattle(flow=midpoint)", "0.1"), "soft is bound"))
    return;
  const struct shk_state *s = &at.d.bound.start;
  real p2 = 0;
  for (int i = 0; i < 3; i++)
    p2 += s->p[i] * s->p[i];
  const real mu = real_sqrt((10 - p2) / 3);
  tap_ok(real_fabs(bent(s->q, s->p, mu)) <= 10 * REAL_EPSILON && bent(s->q, s->p, 2 * mu) < 0,
         "on the fibre H_pp is singular at the normal momentum %.4f", (double)mu);
  tap_ok(bent(s->q, s->p, 0) > R(0.1), "on M^H it is %.2g", (double)bent(s->q, s->p, 0));
  shk_drive_end(&at.d);
  real z[3][6], change[2] = {0};
  static const char *const steps[] = {"0.04", "0.02", "0.01"};
  for (int k = 0; k < 3; k++)
    end_of(z[k], steps[k], 50L << k);
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < 6; i++)
      change[k] = real_max(change[k], real_fabs(z[k][i] - z[k + 1][i]));
  const real order = real_log(change[0] / change[1]) / real_log(2);
  tap_ok(real_fabs(order - 2) < R(0.05), "RATTLE runs there, of order %.3f", (double)order);
}

/* ---- Figure 6: two ways to fail where assumption 1 does ---- */

static void check_failures(void)
{
  static const struct {
    const char *problem, *step;
    bool jumps;
  } cases[] = {{"harmonic-sphere(start=impasse(energy=0))", "0.02", false},
               {"harmonic-sphere(start=impasse(energy=0.3))", "0.1", true},
               {"harmonic-sphere(start=impasse(energy=-0.3))", "0.1", false}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    real farthest = 0;
    bool failed = false;
    DRIVE d = {0};
    if (!begin_own(&d, cases[k].problem, "rattle(flow=midpoint)", cases[k].step))
      abort();
    while (!failed && d.current.t < 2) {
      failed = shk_drive_step(&d, d.current.t + d.bound.step).code != SHK_OK;
      if (failed)
        break;
      farthest = real_max(farthest, difference(&d.current, &d.next));
      shk_drive_accept(&d);
    }
    tap_ok(failed == (k == 0) && (farthest > 1) == cases[k].jumps,
           "%s, h = %s: %s, the longest step %.2g", cases[k].problem, cases[k].step,
           failed           ? "the iteration does not converge"
           : cases[k].jumps ? "it goes on upon the other component"
                            : "no impasse, no failure",
           (double)farthest);
  }
}

int main(void)
{
  static const char *const problems[] = {"harmonic-sphere", "harmonic-sphere(dimension=3)",
                                         "coupled-spheres", "lifted-rotation"};
  for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
    check_brackets(problems[i]);
    check_leaf_fields(problems[i]);
    check_projected_field(problems[i]);
    check_image(problems[i]);
  }
  check_point_leaves();
  check_classical_assumption();
  check_failures();
  return tap_done();
}

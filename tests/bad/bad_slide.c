/*
 * SHAKE and RATTLE for constraints that depend on momenta, written here from their definition, over the
 * midpoint rule, with one fault each: `bad-slide(fault=…)` claims what RATTLE claims. `none` and
 * `in-turn`, which slides along one constraint after the other and so ends at the same point, are
 * controls. Multipliers begin at zero; nothing is compensated.
 */
#include <shakedown/fibre.h>
#include <shakedown/plugin.h>

#include <string.h>

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(IN_TURN, "in-turn", "nothing: slides along one constraint after the other") \
  X(TANGENT, "tangent", "slides go along the fibre's tangent, and off it") \
  X(NORMAL, "normal", "slides go along the gradients of the constraints") \
  X(OLD_FIBRE, "old-fibre", "the hidden constraint is reached along the old point's fibre") \
  X(HEUN, "heun", "the flow is Heun's method, which is not symplectic") \
  X(SHEAR, "shear", "the flow ends with q1 + h³ sin q2: it keeps volumes and is not symplectic")
/* clang-format on */

#include "faults.h"

enum { LIMIT = 200 };

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  int fault; /* enum fault */
  struct shk_fibre *fibre;
  struct shk_iteration projecting;
  real *z, *slope, *before;  /* 2n each: a point, h times the slope there, and an earlier one */
  real *dq, *dp, *g_q, *g_p; /* n; m x n */
  real *old;                 /* 2 m x n: X_g, then the gradients, where they are wanted */
  real *s, *r, *N, *x;       /* up to 2m, 2m x 2m */
  int *pivots;
};

static const struct shk_array arrays[] = SHK_LIST(
    SHK_ARRAY(method, z, .n = 2), SHK_ARRAY(method, slope, .n = 2),
    SHK_ARRAY(method, before, .n = 2), SHK_ARRAY(method, dq, .n = 1), SHK_ARRAY(method, dp, .n = 1),
    SHK_ARRAY(method, g_q, .nm = 1), SHK_ARRAY(method, g_p, .nm = 1),
    SHK_ARRAY(method, old, .nm = 4), SHK_ARRAY(method, s, .m = 2), SHK_ARRAY(method, r, .m = 4),
    SHK_ARRAY(method, N, .mm = 4), SHK_ARRAY(method, x, .m = 2),
    SHK_INTEGERS(method, pivots, .m = 2));

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct method *w = method;
  if (!(binding->instance->system.features & SHK_MOMENTUM_CONSTRAINT))
    return shk_failure(SHK_REFUSED, "only for constraints that depend on momenta", 0, 0);
  w->projecting.limit = LIMIT;
  return shk_bind_fibre(&w->fibre, binding);
}

/* slope <- h X_H(z) */
static struct shk_status field(struct method *w, real t, real h, const real *z)
{
  const int n = w->n;
  SHK_TRY(shk_velocity(w->evaluator, w->slope, t, z, z + n));
  SHK_TRY(shk_gradient(w->evaluator, w->slope + n, t, z, z + n));
  for (int i = 0; i < n; i++) {
    w->slope[i] *= h;
    w->slope[n + i] *= -h;
  }
  return shk_ok();
}

/* z <- phi_h(z). The midpoint rule by sweeps, which shrink what is left by about h. */
static struct shk_status flow(struct method *w, real *z, real t, real h)
{
  const int size = 2 * w->n;
  real point[64], last = 0;
  memset(w->before, 0, (size_t)size * sizeof(real));
  for (int sweep = 0; sweep < LIMIT; sweep++) {
    const bool whole = w->fault == HEUN && sweep > 0; /* at z, then at z + h f */
    real change = 0;
    for (int i = 0; i < size; i++)
      point[i] = z[i] + (whole ? w->before[i] : w->fault == HEUN ? 0 : w->before[i] / 2);
    SHK_TRY(field(w, t, h, point));
    for (int i = 0; i < size; i++) {
      change = real_max(change, real_fabs(w->slope[i] - w->before[i]));
      w->before[i] = whole ? (w->before[i] + w->slope[i]) / 2 : w->slope[i];
    }
    if (whole || (sweep > 2 && (change <= REAL_EPSILON / 8 || change >= last)))
      break;
    last = change;
  }
  for (int i = 0; i < size; i++)
    z[i] += w->before[i];
  if (w->fault == SHEAR)
    z[0] += h * h * h * real_sin(z[1]);
  return shk_ok();
}

/* z <- z slid by s. */
static struct shk_status slide(struct method *w, real *z, real t, const real *s)
{
  const int n = w->n, m = w->m;
  if (w->fault == TANGENT || w->fault == NORMAL) {
    SHK_TRY(shk_constraint_gradients(w->evaluator, w->g_q, w->g_p, t, z, z + n));
    for (int k = 0; k < m; k++)
      for (int i = 0; i < n; i++) {
        const real a = s[k] * w->g_q[k * n + i], b = s[k] * w->g_p[k * n + i];
        z[i] += w->fault == NORMAL ? a : b;
        z[n + i] += w->fault == NORMAL ? b : -a;
      }
    return shk_ok();
  }
  for (int k = 0; k < (w->fault == IN_TURN ? m : 1); k++) {
    for (int j = 0; j < m; j++)
      w->x[j] = w->fault == IN_TURN && j != k ? 0 : s[j];
    SHK_TRY(shk_fibre_slide(w->fibre, w->dq, w->dp, t, z, z + n, w->x));
    for (int i = 0; i < n; i++) {
      z[i] += w->dq[i];
      z[n + i] += w->dp[i];
    }
  }
  return shk_ok();
}

/* Whether an iteration whose residual is now `norm` has converged; -1: it has failed. */
static int ended(int iteration, real norm, real before, real rounding)
{
  if (norm <= rounding || (iteration > 2 && norm >= before / 2 && norm <= 1000 * rounding))
    return 1;
  return real_isfinite(norm) && iteration < LIMIT ? 0 : -1;
}

#define FAILS shk_failure(SHK_NOT_CONVERGED, "no solution found: %g", (double)norm, 0)

/* z = S_h(z0) and s by Newton's method, with h N for the derivative. */
static struct shk_status shake(struct method *w, const struct shk_state *from, real h)
{
  const int n = w->n, m = w->m;
  const size_t bytes = (size_t)n * sizeof(real);
  real before = 0;
  memset(w->s, 0, (size_t)m * sizeof(real));
  for (int iteration = 0;; iteration++) {
    real rounding[2];
    memcpy(w->z, from->q, bytes);
    memcpy(w->z + n, from->p, bytes);
    SHK_TRY(slide(w, w->z, from->t, w->s));
    SHK_TRY(flow(w, w->z, from->t, h));
    SHK_TRY(shk_fibre_residuals(w->fibre, w->r, w->r + m, rounding, from->t + h, w->z, w->z + n));
    const real norm = real_max_norm(w->r, m);
    const int end = ended(iteration, norm, before, rounding[0]);
    if (end != 0)
      return end > 0 ? shk_ok() : FAILS;
    before = norm;
    if (w->fault == NORMAL) { /* g along ∇g */
      SHK_TRY(shk_constraint_gradients(w->evaluator, w->g_q, w->g_p, from->t, w->z, w->z + n));
      for (int i = 0; i < m * m; i++)
        w->N[i] = -(real_dot(w->g_q + i / m * n, w->g_q + i % m * n, n) +
                    real_dot(w->g_p + i / m * n, w->g_p + i % m * n, n)) /
                  h;
    } else {
      SHK_TRY(shk_fibre_matrix(w->fibre, w->N, NULL, from->t + h, w->z, w->z + n));
    }
    if (!shk_lu_factor(w->N, w->pivots, m))
      return FAILS;
    shk_lu_solve(w->r, w->N, w->pivots, m);
    for (int i = 0; i < m; i++)
      w->s[i] += w->r[i] / h;
  }
}

/* g and psi at z + Σ_k s_k d_k, d_k the X_g of the old point and the gradients at z, into r. */
static struct shk_status aside(struct method *w, real *r, real *rounding, real *point, real t,
                               const real *s)
{
  const int n = w->n, m = w->m;
  memcpy(point, w->z, 2 * (size_t)n * sizeof(real));
  for (int k = 0; k < 2 * m; k++)
    for (int i = 0; i < 2 * n; i++)
      point[i] += s[k] * w->old[2 * k * n + i];
  return shk_fibre_residuals(w->fibre, r, r + m, rounding, t, point, point + n);
}

/* z <- the point of both constraints in the span of these directions, by Newton's method with
 * differences. */
static struct shk_status along_old_fibre(struct method *w, const struct shk_state *from, real t)
{
  const int n = w->n, m = w->m, all = 2 * m;
  const real increment = real_sqrt(REAL_EPSILON);
  real point[64], before = 0, rounding[2], *const s = w->s;
  for (int which = 0; which < 2; which++) {
    const real *const q = which == 0 ? from->q : w->z, *const p = which == 0 ? from->p : w->z + n;
    SHK_TRY(shk_constraint_gradients(w->evaluator, w->g_q, w->g_p, t, q, p));
    for (int k = 0; k < m; k++)
      for (int i = 0; i < n; i++) {
        real *const d = w->old + 2 * (which * m + k) * n;
        d[i] = which == 0 ? w->g_p[k * n + i] : w->g_q[k * n + i];
        d[n + i] = which == 0 ? -w->g_q[k * n + i] : w->g_p[k * n + i];
      }
  }
  memset(s, 0, (size_t)all * sizeof(real));
  for (int iteration = 0;; iteration++) {
    SHK_TRY(aside(w, w->r, rounding, point, t, s));
    const real norm = real_max_norm(w->r, all);
    const int end = ended(iteration, norm, before, 4 * real_max(rounding[0], rounding[1]));
    if (end != 0) {
      memcpy(w->z, point, 2 * (size_t)n * sizeof(real));
      return end > 0 ? shk_ok() : FAILS;
    }
    before = norm;
    for (int k = 0; k < all; k++) {
      s[k] += increment;
      SHK_TRY(aside(w, w->r + all, rounding, point, t, s));
      s[k] -= increment;
      for (int i = 0; i < all; i++)
        w->N[i * all + k] = (w->r[all + i] - w->r[i]) / increment;
    }
    if (!shk_lu_factor(w->N, w->pivots, all))
      return FAILS;
    shk_lu_solve(w->r, w->N, w->pivots, all);
    for (int k = 0; k < all; k++)
      s[k] -= w->r[k];
  }
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct method *w = method;
  const int n = w->n, m = w->m;
  const size_t bytes = (size_t)n * sizeof(real);
  SHK_TRY(shake(w, from, h));
  for (int i = 0; i < m; i++)
    to->lambda[i] = 2 * w->s[i] / h;
  memset(to->mu, 0, (size_t)m * sizeof(real));
  if (w->fault == OLD_FIBRE) {
    SHK_TRY(along_old_fibre(w, from, from->t + h));
  } else {
    SHK_TRY(shk_fibre_onto_hidden(w->fibre, w->dq, w->dp, to->mu, &w->projecting, from->t + h, w->z,
                                  w->z + n));
    for (int i = 0; i < n; i++) {
      w->z[i] += w->dq[i];
      w->z[n + i] += w->dp[i];
    }
  }
  for (int i = 0; i < m; i++)
    to->mu[i] *= 2 / h;
  memcpy(to->q, w->z, bytes);
  memcpy(to->p, w->z + n, bytes);
  memset(to->q_carry, 0, bytes);
  memset(to->p_carry, 0, bytes);
  return shk_ok();
}

static const struct shk_option options[] = {FAULT_OPTION(method), {0}};

static const struct shk_stated claims[] =
    SHK_LIST(SHK_ORDERS(2), SHK_TWO_MULTIPLIERS, SHK_GEOMETRY(SHK_YES), SHK_CONSTRAINTS(SHK_YES));

static const struct shk_integrator bad_slide = {
    SHK_INTEGRATOR(method, arrays, bind, step, NULL),
    .info = {.name = "bad-slide",
             .summary = "RATTLE for constraints on momenta, with a fault",
             .options = options,
             .claims = claims,
             .supports = SHK_GENERAL_HAMILTONIAN | SHK_MOMENTUM_CONSTRAINT}};

SHK_PROVIDE(bad_slide, .integrators = SHK_INTEGRATORS(&bad_slide));

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
  struct method *self = method;
  if (!(binding->instance->system.features & SHK_MOMENTUM_CONSTRAINT))
    return shk_failure(SHK_REFUSED, "only for constraints that depend on momenta", 0, 0);
  self->projecting.limit = LIMIT;
  return shk_bind_fibre(&self->fibre, binding);
}

/* slope <- h X_H(z) */
static struct shk_status field(struct method *self, real t, real h, const real *z)
{
  const int n = self->n;
  SHK_TRY(shk_velocity(self->evaluator, self->slope, t, z, z + n));
  SHK_TRY(shk_gradient(self->evaluator, self->slope + n, t, z, z + n));
  for (int i = 0; i < n; i++) {
    self->slope[i] *= h;
    self->slope[n + i] *= -h;
  }
  return shk_ok();
}

/* z <- phi_h(z). The midpoint rule by sweeps, which shrink what is left by about h. */
static struct shk_status flow(struct method *self, real *z, real t, real h)
{
  const int size = 2 * self->n;
  real point[64], last = 0;
  memset(self->before, 0, (size_t)size * sizeof(real));
  for (int sweep = 0; sweep < LIMIT; sweep++) {
    const bool whole = self->fault == HEUN && sweep > 0; /* at z, then at z + h f */
    real change = 0;
    for (int i = 0; i < size; i++)
      point[i] = z[i] + (whole ? self->before[i] : self->fault == HEUN ? 0 : self->before[i] / 2);
    SHK_TRY(field(self, t, h, point));
    for (int i = 0; i < size; i++) {
      change = real_max(change, real_fabs(self->slope[i] - self->before[i]));
      self->before[i] = whole ? (self->before[i] + self->slope[i]) / 2 : self->slope[i];
    }
    if (whole || (sweep > 2 && (change <= REAL_EPSILON / 8 || change >= last)))
      break;
    last = change;
  }
  for (int i = 0; i < size; i++)
    z[i] += self->before[i];
  if (self->fault == SHEAR)
    z[0] += h * h * h * real_sin(z[1]);
  return shk_ok();
}

/* z <- z slid by s. */
static struct shk_status slide(struct method *self, real *z, real t, const real *s)
{
  const int n = self->n, m = self->m;
  if (self->fault == TANGENT || self->fault == NORMAL) {
    SHK_TRY(shk_constraint_gradients(self->evaluator, self->g_q, self->g_p, t, z, z + n));
    for (int k = 0; k < m; k++)
      for (int i = 0; i < n; i++) {
        const real a = s[k] * self->g_q[k * n + i], b = s[k] * self->g_p[k * n + i];
        z[i] += self->fault == NORMAL ? a : b;
        z[n + i] += self->fault == NORMAL ? b : -a;
      }
    return shk_ok();
  }
  for (int k = 0; k < (self->fault == IN_TURN ? m : 1); k++) {
    for (int j = 0; j < m; j++)
      self->x[j] = self->fault == IN_TURN && j != k ? 0 : s[j];
    SHK_TRY(shk_fibre_slide(self->fibre, self->dq, self->dp, t, z, z + n, self->x));
    for (int i = 0; i < n; i++) {
      z[i] += self->dq[i];
      z[n + i] += self->dp[i];
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
static struct shk_status shake(struct method *self, const struct shk_state *from, real h)
{
  const int n = self->n, m = self->m;
  const size_t bytes = (size_t)n * sizeof(real);
  real before = 0;
  memset(self->s, 0, (size_t)m * sizeof(real));
  for (int iteration = 0;; iteration++) {
    real rounding[2];
    memcpy(self->z, from->q, bytes);
    memcpy(self->z + n, from->p, bytes);
    SHK_TRY(slide(self, self->z, from->t, self->s));
    SHK_TRY(flow(self, self->z, from->t, h));
    SHK_TRY(shk_fibre_residuals(self->fibre, self->r, self->r + m, rounding, from->t + h, self->z,
                                self->z + n));
    const real norm = real_max_norm(self->r, m);
    const int end = ended(iteration, norm, before, rounding[0]);
    if (end != 0)
      return end > 0 ? shk_ok() : FAILS;
    before = norm;
    if (self->fault == NORMAL) { /* g along ∇g */
      SHK_TRY(shk_constraint_gradients(self->evaluator, self->g_q, self->g_p, from->t, self->z,
                                       self->z + n));
      for (int i = 0; i < m * m; i++)
        self->N[i] = -(real_dot(self->g_q + i / m * n, self->g_q + i % m * n, n) +
                       real_dot(self->g_p + i / m * n, self->g_p + i % m * n, n)) /
                     h;
    } else {
      SHK_TRY(shk_fibre_matrix(self->fibre, self->N, NULL, from->t + h, self->z, self->z + n));
    }
    if (!shk_lu_factor(self->N, self->pivots, m))
      return FAILS;
    shk_lu_solve(self->r, self->N, self->pivots, m);
    for (int i = 0; i < m; i++)
      self->s[i] += self->r[i] / h;
  }
}

/* g and psi at z + Σ_k s_k d_k, d_k the X_g of the old point and the gradients at z, into r. */
static struct shk_status aside(struct method *self, real *r, real *rounding, real *point, real t,
                               const real *s)
{
  const int n = self->n, m = self->m;
  memcpy(point, self->z, 2 * (size_t)n * sizeof(real));
  for (int k = 0; k < 2 * m; k++)
    for (int i = 0; i < 2 * n; i++)
      point[i] += s[k] * self->old[2 * k * n + i];
  return shk_fibre_residuals(self->fibre, r, r + m, rounding, t, point, point + n);
}

/* z <- the point of both constraints in the span of these directions, by Newton's method with
 * differences. */
static struct shk_status along_old_fibre(struct method *self, const struct shk_state *from, real t)
{
  const int n = self->n, m = self->m, all = 2 * m;
  const real increment = real_sqrt(REAL_EPSILON);
  real point[64], before = 0, rounding[2], *const s = self->s;
  for (int which = 0; which < 2; which++) {
    const real *const q = which == 0 ? from->q : self->z, *const p =
                                                              which == 0 ? from->p : self->z + n;
    SHK_TRY(shk_constraint_gradients(self->evaluator, self->g_q, self->g_p, t, q, p));
    for (int k = 0; k < m; k++)
      for (int i = 0; i < n; i++) {
        real *const d = self->old + 2 * (which * m + k) * n;
        d[i] = which == 0 ? self->g_p[k * n + i] : self->g_q[k * n + i];
        d[n + i] = which == 0 ? -self->g_q[k * n + i] : self->g_p[k * n + i];
      }
  }
  memset(s, 0, (size_t)all * sizeof(real));
  for (int iteration = 0;; iteration++) {
    SHK_TRY(aside(self, self->r, rounding, point, t, s));
    const real norm = real_max_norm(self->r, all);
    const int end = ended(iteration, norm, before, 4 * real_max(rounding[0], rounding[1]));
    if (end != 0) {
      memcpy(self->z, point, 2 * (size_t)n * sizeof(real));
      return end > 0 ? shk_ok() : FAILS;
    }
    before = norm;
    for (int k = 0; k < all; k++) {
      s[k] += increment;
      SHK_TRY(aside(self, self->r + all, rounding, point, t, s));
      s[k] -= increment;
      for (int i = 0; i < all; i++)
        self->N[i * all + k] = (self->r[all + i] - self->r[i]) / increment;
    }
    if (!shk_lu_factor(self->N, self->pivots, all))
      return FAILS;
    shk_lu_solve(self->r, self->N, self->pivots, all);
    for (int k = 0; k < all; k++)
      s[k] -= self->r[k];
  }
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct method *self = method;
  const int n = self->n, m = self->m;
  const size_t bytes = (size_t)n * sizeof(real);
  SHK_TRY(shake(self, from, h));
  for (int i = 0; i < m; i++)
    to->lambda[i] = 2 * self->s[i] / h;
  memset(to->mu, 0, (size_t)m * sizeof(real));
  if (self->fault == OLD_FIBRE) {
    SHK_TRY(along_old_fibre(self, from, from->t + h));
  } else {
    SHK_TRY(shk_fibre_onto_hidden(self->fibre, self->dq, self->dp, to->mu, &self->projecting,
                                  from->t + h, self->z, self->z + n));
    for (int i = 0; i < n; i++) {
      self->z[i] += self->dq[i];
      self->z[n + i] += self->dp[i];
    }
  }
  for (int i = 0; i < m; i++)
    to->mu[i] *= 2 / h;
  memcpy(to->q, self->z, bytes);
  memcpy(to->p, self->z + n, bytes);
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

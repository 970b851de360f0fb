/*
 * The explicit midpoint rule with constraint forces by direct elimination: m coordinates that the
 * others determine are found by Gauss-Jordan elimination with complete pivoting of the rows of
 *
 *     G a = -g_qq[v,v]:   a_d = c - B a_i,   (M_i + Bᵀ M_d B) a_i = F_i - Bᵀ (F_d - M_d c)
 *
 * with F = -V_q. Of order two. Nothing returns the state to the constraint, from which it drifts.
 * lambda_n is that of the state at which the step begins: Gᵀ lambda = F - M a. Sources: Wehage &
 * Haug, J. Mech. Des. 104 (1982) 247; Hairer & Wanner, Solving ODEs II, §VII.2. Separable systems with
 * independent constraints only.
 */
#include <shakedown/plugin.h>

#include <string.h>

struct eliminated {
  struct shk_evaluator *evaluator;
  int n, m;
  int *place; /* n: coordinates, the m that are determined first */
  real *G, *rows, *c, *K, *a, *force, *v, *q, *p, *right; /* rows: m x n; K: n x n; c: m */
};

/* rows <- G and c <- -curvature, dense. */
static struct shk_status fill(struct eliminated *s, real t, const real *q)
{
  struct shk_evaluator *e = s->evaluator;
  SHK_TRY(shk_jacobian(e, s->G, t, q));
  SHK_TRY(shk_curvature(e, s->c, t, q, s->v));
  memset(s->rows, 0, (size_t)s->m * (size_t)s->n * sizeof(real));
  for (int k = 0; k < s->m; k++) {
    s->c[k] = -s->c[k];
    for (int entry = e->row_start[k]; entry < e->row_start[k + 1]; entry++)
      s->rows[k * s->n + e->columns[entry]] = s->G[entry];
  }
  for (int i = 0; i < s->n; i++)
    s->place[i] = i;
  return shk_ok();
}

static void exchange(real *x, real *y, int n)
{
  for (int i = 0; i < n; i++) {
    const real kept = x[i];
    x[i] = y[i];
    y[i] = kept;
  }
}

/* Brings the largest entry of rows k, k+1, … to the place (k,k). */
static bool pivot(struct eliminated *s, int k)
{
  int row = k, column = k;
  for (int i = k; i < s->m; i++)
    for (int j = k; j < s->n; j++)
      if (real_fabs(s->rows[i * s->n + s->place[j]]) >
          real_fabs(s->rows[row * s->n + s->place[column]])) {
        row = i;
        column = j;
      }
  if (row != k) {
    exchange(&s->rows[k * s->n], &s->rows[row * s->n], s->n);
    exchange(&s->c[k], &s->c[row], 1);
  }
  const int kept = s->place[k];
  s->place[k] = s->place[column];
  s->place[column] = kept;
  const real largest = s->rows[k * s->n + s->place[k]];
  return largest != 0 && real_isfinite(largest);
}

/* rows <- (1 B), c <- c of a_d = c - B a_i, in the order of `place`. */
static bool eliminate(struct eliminated *s)
{
  for (int k = 0; k < s->m; k++) {
    if (!pivot(s, k))
      return false;
    const real diagonal = s->rows[k * s->n + s->place[k]];
    s->c[k] /= diagonal;
    for (int j = 0; j < s->n; j++)
      s->rows[k * s->n + j] /= diagonal;
    for (int i = 0; i < s->m; i++) {
      const real factor = i == k ? 0 : s->rows[i * s->n + s->place[k]];
      s->c[i] -= factor * s->c[k];
      for (int j = 0; j < s->n && factor != 0; j++)
        s->rows[i * s->n + j] -= factor * s->rows[k * s->n + j];
    }
  }
  return true;
}

/* a_i from the reduced equations, and a_d. */
static bool accelerate(struct eliminated *s)
{
  const real *mass = s->evaluator->system->mass;
  const int d = s->n - s->m;
  for (int x = 0; x < d; x++) {
    const int i = s->place[s->m + x];
    s->right[x] = s->force[i];
    for (int k = 0; k < s->m; k++)
      s->right[x] -= s->rows[k * s->n + i] * (s->force[s->place[k]] - mass[s->place[k]] * s->c[k]);
    for (int y = 0; y < d; y++) {
      real sum = x == y ? mass[i] : 0;
      for (int k = 0; k < s->m; k++)
        sum += s->rows[k * s->n + i] * mass[s->place[k]] * s->rows[k * s->n + s->place[s->m + y]];
      s->K[x * d + y] = sum;
    }
  }
  for (int k = 0; k < d; k++) /* positive definite: no pivoting */
    for (int x = k + 1; x < d; x++) {
      const real factor = s->K[x * d + k] / s->K[k * d + k];
      for (int y = k; y < d; y++)
        s->K[x * d + y] -= factor * s->K[k * d + y];
      s->right[x] -= factor * s->right[k];
    }
  for (int x = d - 1; x >= 0; x--) {
    for (int y = x + 1; y < d; y++)
      s->right[x] -= s->K[x * d + y] * s->right[y];
    s->right[x] /= s->K[x * d + x];
    s->a[s->place[s->m + x]] = s->right[x];
  }
  for (int k = 0; k < s->m; k++) {
    real sum = s->c[k];
    for (int x = 0; x < d; x++)
      sum -= s->rows[k * s->n + s->place[s->m + x]] * s->right[x];
    s->a[s->place[k]] = sum;
  }
  return true;
}

/* a and v at (t,q,p) */
static struct shk_status acceleration(struct eliminated *s, real t, const real *q, const real *p)
{
  SHK_TRY(shk_gradient(s->evaluator, s->force, t, q, p));
  for (int i = 0; i < s->n; i++) {
    s->force[i] = -s->force[i];
    s->v[i] = p[i] / s->evaluator->system->mass[i];
  }
  SHK_TRY(fill(s, t, q));
  if (!eliminate(s) || !accelerate(s))
    return shk_failure(SHK_SINGULAR, "the constraints are not independent", 0, 0);
  return shk_ok();
}

/* lambda with Gᵀ lambda = F - M a, by least squares in the metric of M⁻¹, which have no residual. */
static struct shk_status multiplier(struct eliminated *s, real *lambda)
{
  struct shk_evaluator *e = s->evaluator;
  const int m = s->m;
  for (int i = 0; i < s->n; i++)
    s->right[i] = s->force[i] / e->system->mass[i] - s->a[i];
  shk_jacobian_times(e, lambda, s->G, s->right);
  for (int j = 0; j < m; j++) {
    memset(s->right, 0, (size_t)s->n * sizeof(real));
    memset(s->c, 0, (size_t)m * sizeof(real));
    s->c[j] = 1;
    shk_jacobian_transposed_add(e, s->right, s->G, 1, s->c);
    for (int i = 0; i < s->n; i++)
      s->right[i] /= e->system->mass[i];
    shk_jacobian_times(e, s->c, s->G, s->right);
    for (int i = 0; i < m; i++)
      s->K[i * m + j] = s->c[i];
  }
  for (int k = 0; k < m; k++)
    for (int i = k + 1; i < m; i++) {
      const real factor = s->K[i * m + k] / s->K[k * m + k];
      for (int j = k; j < m; j++)
        s->K[i * m + j] -= factor * s->K[k * m + j];
      lambda[i] -= factor * lambda[k];
    }
  for (int i = m - 1; i >= 0; i--) {
    for (int j = i + 1; j < m; j++)
      lambda[i] -= s->K[i * m + j] * lambda[j];
    lambda[i] /= s->K[i * m + i];
  }
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct eliminated *s = method;
  const real *mass = s->evaluator->system->mass;
  SHK_TRY(acceleration(s, from->t, from->q, from->p));
  for (int i = 0; i < s->n; i++) {
    s->q[i] = from->q[i] + h / 2 * s->v[i];
    s->p[i] = from->p[i] + h / 2 * mass[i] * s->a[i];
  }
  SHK_TRY(multiplier(s, to->lambda));
  SHK_TRY(acceleration(s, from->t + h / 2, s->q, s->p));
  for (int i = 0; i < s->n; i++) {
    to->q[i] = from->q[i] + h * s->v[i];
    to->p[i] = from->p[i] + h * mass[i] * s->a[i];
    to->q_carry[i] = to->p_carry[i] = 0;
  }
  memset(to->mu, 0, (size_t)s->m * sizeof(real));
  return shk_ok();
}

static const struct shk_array arrays[] =
    SHK_LIST(SHK_INTEGERS(eliminated, place, .n = 1), SHK_ARRAY(eliminated, G, .entries = 1),
             SHK_ARRAY(eliminated, rows, .nn = 1), SHK_ARRAY(eliminated, c, .m = 1),
             SHK_ARRAY(eliminated, K, .nn = 1), SHK_ARRAY(eliminated, a, .n = 1),
             SHK_ARRAY(eliminated, force, .n = 1), SHK_ARRAY(eliminated, v, .n = 1),
             SHK_ARRAY(eliminated, q, .n = 1), SHK_ARRAY(eliminated, p, .n = 1),
             SHK_ARRAY(eliminated, right, .n = 1));

static const struct shk_stated claims[] = SHK_LIST(
    SHK_ORDERS(2), SHK_CLAIM(ORDER_LAMBDA, 2), SHK_CLAIM(SYMMETRIC, SHK_NO),
    SHK_CLAIM(KEEPS_MOMENTA, SHK_NO), SHK_CLAIM(ENERGY_BOUNDED, SHK_NO), SHK_CONSTRAINTS(SHK_NO),
    SHK_CLAIM(AFFINE_EQUIVARIANT, SHK_YES), SHK_CLAIM(FORMULATION_INDEPENDENT, SHK_NO));

static const struct shk_integrator eliminated = {
    SHK_INTEGRATOR(eliminated, arrays, NULL, step, NULL),
    .info = {.name = "eliminated",
             .summary = "the explicit midpoint rule, with accelerations by direct elimination",
             .claims = claims}};

SHK_PROVIDE(eliminated, .integrators = SHK_INTEGRATORS(&eliminated));

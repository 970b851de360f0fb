/*
 * RATTLE for chains alone: rod k joins the points k - 1 and k, the first hangs from a fixed point, and
 * a tridiagonal system gives the corrections of Newton's method. Everything else is refused.
 *
 *     p½ = p0 - h/2 V_q(q0) - Σ s_k r_k(q0),   q1 = q0 + h M⁻¹ p½,   |r_k(q1)| = d_k
 *     p1 = p½ - h/2 V_q(q1) - Σ u_k r_k(q1),   r_k(q1)·(v_k - v_{k-1}) = 0
 *
 * with s = h/2 lambda and u = h/2 mu along the rods r_k; constraint force -Gᵀ lambda. Sources:
 * Andersen, J. Comput. Phys. 52 (1983) 24; Barth, Kuczera, Leimkuhler & Skeel, J. Comput. Chem. 16
 * (1995) 1192, §3.
 */
#include <shakedown/plugin.h>

#include <string.h>

struct chains {
  struct shk_evaluator *evaluator;
  int n, m;
  const struct shk_rods *rods;
  real *gradient, *kick, *half, *old, *now; /* n */
  real *diagonal, *above, *right, *moved;   /* m; moved: n */
};

/* r (n) <- the rods at q: point k less the one before. */
static void bonds(const struct chains *chains, real *r, const real *q)
{
  const int d = chains->rods->dimension;
  for (int k = 0; k < chains->m; k++)
    for (int j = 0; j < d; j++)
      r[k * d + j] = q[k * d + j] - (k > 0 ? q[(k - 1) * d + j] : chains->rods->fixed[j]);
}

/* x (n) += factor M⁻¹ Σ s_k r_k, of which point k has +s_k r_k and -s_{k+1} r_{k+1}. */
static void push(const struct chains *chains, real *x, real factor, const real *s, const real *r)
{
  const int d = chains->rods->dimension;
  const real *mass = chains->evaluator->system->mass;
  for (int k = 0; k < chains->m; k++)
    for (int j = 0; j < d; j++) {
      const real next = k + 1 < chains->m ? s[k + 1] * r[(k + 1) * d + j] : 0;
      x[k * d + j] += factor * (s[k] * r[k * d + j] - next) / mass[k * d];
    }
}

/* right <- the solution of the tridiagonal system with entries a_i·M⁻¹ b_j, by Thomas. */
static bool solve(struct chains *chains, const real *a, const real *b)
{
  const int d = chains->rods->dimension, m = chains->m;
  const real *mass = chains->evaluator->system->mass;
  real *const y = chains->right, *const diagonal = chains->diagonal, *const above = chains->above;
  for (int k = 0; k < m; k++) {
    const real w = 1 / mass[k * d], before = k > 0 ? 1 / mass[(k - 1) * d] : 0;
    diagonal[k] = (w + before) * real_dot(&a[k * d], &b[k * d], d);
    above[k] = k + 1 < m ? -w * real_dot(&a[k * d], &b[(k + 1) * d], d) : 0;
    const real below = k > 0 ? -before * real_dot(&a[k * d], &b[(k - 1) * d], d) : 0;
    if (k > 0) {
      diagonal[k] -= below / diagonal[k - 1] * above[k - 1];
      y[k] -= below / diagonal[k - 1] * y[k - 1];
    }
    if (diagonal[k] == 0 || !real_isfinite(diagonal[k]))
      return false;
  }
  for (int k = m - 1; k >= 0; k--)
    y[k] = (y[k] - (k + 1 < m ? above[k] * y[k + 1] : 0)) / diagonal[k];
  return true;
}

/* One correction of q1 = q0 + h half along the old rods; *size: the largest move. */
static bool correct(struct chains *chains, struct shk_state *to, const struct shk_state *from,
                    real h, real *size)
{
  const int d = chains->rods->dimension;
  bonds(chains, chains->now, to->q);
  for (int k = 0; k < chains->m; k++) {
    const real *r = &chains->now[k * d];
    chains->right[k] = (real_dot(r, r, d) - chains->rods->rod[k].square) / 2;
  }
  if (!solve(chains, chains->now, chains->old))
    return false;
  memset(chains->moved, 0, (size_t)chains->n * sizeof(real));
  push(chains, chains->moved, 1, chains->right, chains->old);
  for (int i = 0; i < chains->n; i++) {
    chains->half[i] -= chains->moved[i] / h;
    to->q[i] = from->q[i] + (h * chains->half[i] + from->q_carry[i]);
  }
  for (int k = 0; k < chains->m; k++)
    to->lambda[k] += 2 / (h * h) * chains->right[k];
  *size = real_max_norm(chains->moved, chains->n);
  return real_isfinite(*size);
}

static struct shk_status positions(struct chains *chains, struct shk_state *to,
                                   const struct shk_state *from, real h)
{
  const real *mass = chains->evaluator->system->mass;
  real last = 1 / REAL_SMALLEST, size;
  SHK_TRY(shk_gradient(chains->evaluator, chains->gradient, from->t, from->q, from->p));
  bonds(chains, chains->old, from->q);
  memset(to->lambda, 0, (size_t)chains->m * sizeof(real));
  for (int i = 0; i < chains->n; i++) {
    chains->half[i] = (from->p[i] + (from->p_carry[i] - h / 2 * chains->gradient[i])) / mass[i];
    to->q[i] = from->q[i] + (h * chains->half[i] + from->q_carry[i]);
  }
  for (int k = 0; k < 100; k++) {
    chains->evaluator->counters.iterations++;
    chains->evaluator->counters.constraint++;
    if (!correct(chains, to, from, h, &size))
      return shk_failure(SHK_SINGULAR, "a rod is perpendicular to what it was", 0, 0);
    if (size <= 100 * REAL_EPSILON * real_max_norm(to->q, chains->n) && !(size < last / 2))
      return shk_ok();
    last = size;
  }
  return shk_failure(SHK_NOT_CONVERGED, "the corrections stay at %g", (double)size, 0);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct chains *chains = method;
  const int d = chains->rods->dimension;
  const real *mass = chains->evaluator->system->mass;
  SHK_TRY(positions(chains, to, from, h));
  SHK_TRY(shk_gradient(chains->evaluator, chains->gradient, from->t + h, to->q, from->p));
  for (int i = 0; i < chains->n; i++) {
    to->q_carry[i] = to->p_carry[i] = 0;
    chains->half[i] -= h / 2 * chains->gradient[i] / mass[i];
  }
  bonds(chains, chains->now, to->q);
  memset(to->mu, 0, (size_t)chains->m * sizeof(real));
  for (int twice = 0; twice < 2; twice++) {
    for (int k = 0; k < chains->m; k++) {
      real rate = 0;
      for (int j = 0; j < d; j++)
        rate += chains->now[k * d + j] *
                (chains->half[k * d + j] - (k > 0 ? chains->half[(k - 1) * d + j] : 0));
      chains->right[k] = rate;
    }
    if (!solve(chains, chains->now, chains->now))
      return shk_failure(SHK_SINGULAR, "a rod has no length", 0, 0);
    push(chains, chains->half, -1, chains->right, chains->now);
    for (int k = 0; k < chains->m; k++)
      to->mu[k] += 2 / h * chains->right[k];
  }
  for (int i = 0; i < chains->n; i++)
    to->p[i] = mass[i] * chains->half[i];
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct chains *chains = method;
  chains->rods = binding->evaluator->system->rods;
  if (chains->rods == NULL || chains->m * chains->rods->dimension != chains->n)
    return shk_failure(SHK_REFUSED, "chains of rods only, with one rod a point", 0, 0);
  for (int k = 0; k < chains->m; k++)
    if (chains->rods->rod[k].b != k || chains->rods->rod[k].a != k - 1)
      return shk_failure(SHK_REFUSED, "rod %g does not join neighbours of a chain", k + 1, 0);
  return shk_ok();
}

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(chains, gradient, .n = 1), SHK_ARRAY(chains, half, .n = 1),
             SHK_ARRAY(chains, old, .n = 1), SHK_ARRAY(chains, now, .n = 1),
             SHK_ARRAY(chains, diagonal, .m = 1), SHK_ARRAY(chains, above, .m = 1),
             SHK_ARRAY(chains, right, .m = 1), SHK_ARRAY(chains, moved, .n = 1));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_ORDERS(2), SHK_TWO_MULTIPLIERS, SHK_GEOMETRY(SHK_YES), SHK_CONSTRAINTS(SHK_YES));

static const struct shk_integrator chains_only = {
    SHK_INTEGRATOR(chains, arrays, bind, step, NULL),
    .info = {.name = "chains-only",
             .summary = "RATTLE for chains that hang from a point, with a tridiagonal solve",
             .claims = claims}};

SHK_PROVIDE(chains_only, .integrators = SHK_INTEGRATORS(&chains_only));

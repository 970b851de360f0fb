/*
 * Runge-Kutta of orders three and two with step control, on the equations of index one, projected
 * after every step:
 *
 *     k1 = f(z), k2 = f(z + h/2 k1), k3 = f(z + 3h/4 k2), z3 = z + h (2 k1 + 3 k2 + 4 k3)/9,
 *     k4 = f(z3), error = h (-5 k1 + 6 k2 + 8 k3 - 9 k4)/72,   f: p' = -V_q - Gᵀ lambda(q,p)
 *
 * Errors are relative to the sizes of q and of p (of M q over the time scale, where that is larger).
 * Varying steps keep no structure but the constraints. Sources: Bogacki & Shampine, Appl. Math. Lett.
 * 2 (1989) 321; Hairer, Norsett & Wanner, Solving Ordinary Differential Equations I, §II.4.
 */
#include <shakedown/bind.h>
#include <shakedown/plugin.h>

#include <string.h>

struct shampine {
  struct shk_evaluator *evaluator;
  int n, m;
  struct shk_reduced *reduced;
  struct shk_manifold *manifold;
  real tolerance, time_scale;
  real *z, *next, *k1, *k2, *k3, *k4; /* 2n */
};

static struct shk_status slope(struct shampine *s, real *k, real *lambda, real t, const real *z)
{
  return shk_reduced_slope(s->reduced, k, k + s->n, lambda, t, z, z + s->n);
}

/* next <- z + h (a k1 + b k2 + c k3); slopes that do not count may be NaN, after a failed step. */
static void combine(struct shampine *s, real h, real a, real b, real c)
{
  for (int i = 0; i < 2 * s->n; i++)
    s->next[i] = s->z[i] + h * ((a == 0 ? 0 : a * s->k1[i]) + (b == 0 ? 0 : b * s->k2[i]) +
                                (c == 0 ? 0 : c * s->k3[i]));
}

/* next <- a step of h; *error: its estimate over the tolerance. */
static struct shk_status attempt(struct shampine *s, real *lambda, real t, real h, real *error)
{
  const int n = s->n;
  SHK_TRY(slope(s, s->k1, lambda, t, s->z));
  combine(s, h, R(0.5), 0, 0);
  SHK_TRY(slope(s, s->k2, lambda, t + h / 2, s->next));
  combine(s, h, 0, R(0.75), 0);
  SHK_TRY(slope(s, s->k3, lambda, t + R(0.75) * h, s->next));
  combine(s, h, (real)2 / 9, (real)3 / 9, (real)4 / 9);
  SHK_TRY(slope(s, s->k4, lambda, t + h, s->next));
  real off[2] = {0, 0}, size_p = real_max_norm(s->z + n, n);
  const real size_q = real_max_norm(s->z, n);
  for (int i = 0; i < n && s->evaluator->system->mass; i++)
    size_p = real_max(size_p, real_fabs(s->evaluator->system->mass[i] * s->z[i]) / s->time_scale);
  for (int i = 0; i < 2 * n; i++)
    off[i >= n] =
        real_max(off[i >= n],
                 real_fabs(h * (-5 * s->k1[i] + 6 * s->k2[i] + 8 * s->k3[i] - 9 * s->k4[i]) / 72));
  *error = real_max(off[0] / size_q, off[1] / size_p) / s->tolerance;
  return real_isfinite(*error) ? shk_ok()
                               : shk_failure(SHK_NOT_FINITE, "the step is not finite", 0, 0);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct shampine *s = method;
  const size_t half = (size_t)s->n * sizeof(real);
  const real direction = h < 0 ? -1 : 1, span = real_fabs(h);
  real done = 0, length = real_min(span, s->time_scale / 100);
  memcpy(s->z, from->q, half);
  memcpy(s->z + s->n, from->p, half);
  while (done < span) {
    const bool last = !(length < span - done);
    const real now = last ? span - done : length, t = from->t + direction * done;
    real error;
    SHK_TRY(attempt(s, to->lambda, t, direction * now, &error));
    const real factor = R(0.9) * real_pow(real_max(error, R(0.001)), -(real)1 / 3);
    length = now * real_max(R(0.2), real_min(factor, 5));
    if (error <= 1) {
      memcpy(s->z, s->next, 2 * half);
      done = last ? span : done + now;
      SHK_TRY(shk_manifold_project(s->manifold, s->z, s->z + s->n, from->t + direction * done));
      s->evaluator->counters.steps++;
    } else
      s->evaluator->counters.rejected++;
    if (length < 16 * REAL_EPSILON * (real_fabs(t) + span))
      return shk_failure(SHK_NOT_CONVERGED, "the step size fell to %g", (double)length, 0);
  }
  memcpy(to->q, s->z, half);
  memcpy(to->p, s->z + s->n, half);
  memset(to->q_carry, 0, half);
  memset(to->p_carry, 0, half);
  memset(to->mu, 0, (size_t)s->m * sizeof(real));
  return shk_exact_multiplier(s->manifold, to->lambda, from->t + h, to->q, to->p);
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct shampine *s = method;
  s->tolerance = binding->tolerance;
  s->time_scale = binding->instance->time_scale;
  if (!(s->tolerance >= 100 * REAL_EPSILON))
    return shk_failure(SHK_REFUSED, "a tolerance of %g is below round-off", (double)s->tolerance,
                       0);
  SHK_TRY(shk_bind_reduced(&s->reduced, binding));
  return shk_bind_manifold(&s->manifold, binding);
}

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(shampine, z, .n = 2), SHK_ARRAY(shampine, next, .n = 2),
             SHK_ARRAY(shampine, k1, .n = 2), SHK_ARRAY(shampine, k2, .n = 2),
             SHK_ARRAY(shampine, k3, .n = 2), SHK_ARRAY(shampine, k4, .n = 2));

static const struct shk_option options[] = {SHK_LINEAR_OPTION, {0}};

static const struct shk_stated claims[] =
    SHK_LIST(SHK_CONSTRAINTS(SHK_YES), SHK_CLAIM(ENERGY_BOUNDED, SHK_NO));

static const struct shk_integrator bogacki_shampine = {
    SHK_INTEGRATOR(shampine, arrays, bind, step, NULL),
    .info = {.name = "bogacki-shampine",
             .summary = "Runge-Kutta of orders three and two with step control, projected",
             .options = options,
             .supports = SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES,
             .adaptive = true,
             .claims = claims}};

SHK_PROVIDE(bogacki_shampine, .integrators = SHK_INTEGRATORS(&bogacki_shampine));

/*
 * A sphere in phase space, with q and p in R^n (n = `dimension`, 2 by default), as an example of a
 * momentum-dependent constraint.
 *
 *     H = ½|p|² + g q2 + c Σ q_i⁴/4         0 = ½ (|q|² + |p|² - ρ)
 *     q' = (1 + λ) p      p' = -V_q - λ q         hidden: ψ = q·p - p·V_q = 0
 *
 * The fibres are the circles of the Hopf fibration, q + ip -> e^(-is) (q + ip), and M modulo fibres
 * is CP^(n-1), which is a sphere for n = 2. There are n - 1 degrees of freedom. N = {{H,g},g} =
 * |q|² - |p|² + pᵀV_qq p - q·V_q must not vanish; if g = c = 0, it vanishes where |q| = |p|. If g >
 * 0 and c = 0, solutions with an energy above
 *
 *     E* = ½ (ρ + g² - r²),   r = ¼ (3g + √(g² + 8ρ)),   E* = -1/8 for g = ρ = 1,
 *
 * reach such a point at a finite time t*, with λ ~ (t* - t)^(-1/2). This is an impasse, beyond
 * which no solution exists. With start=impasse(energy=E), the motion begins at q2 = E/g - 1/5, |p|²
 * = 2g/5 and leads to an impasse.
 *
 * Without a potential, q and p rotate in the plane that they span. The rate is a/(1 - a²), where a
 * = |p|/|q| or, for n = 2, a = (q1 p2 - q2 p1)/|q|², and λ = a²/(1 - a²).
 *
 * Source: McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, §5.4, with a
 * factor ½ in the constraint (their equation (20) lacks this factor, but their equation (22) is
 * consistent with it). The data in their Table 1 are on the level ρ = 0.98000000636258 instead of
 * 1, so ρ is computed from the initial state. The rounded initial state is moved along the fibre
 * onto ψ = 0, by about 1e-16. The quartic potential and the case n > 2 are ours. For n > 2, the
 * initial state in the table is extended by q_k = 1/(k+1), p_k = (-1)^k/(k+3).
 */
#include "problems/kit/problem.h"

#include <string.h>

enum { LARGEST = 16 };

struct harmonic {
  long n;
  real mass[LARGEST], gravity, quartic, radius2;
  bool fixed; /* radius2 was given */
  real q[LARGEST], p[LARGEST];
  int start;
  real energy;
};

enum start { ZA, ZB, ZC, HALF, IMPASSE };

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct harmonic *s = context;
  *value = s->gravity * q[1];
  for (int i = 0; i < s->n; i++)
    *value += s->quartic * (q[i] * q[i]) * (q[i] * q[i]) / 4;
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct harmonic *s = context;
  for (int i = 0; i < s->n; i++)
    out[i] = s->quartic * q[i] * q[i] * q[i];
  out[1] += s->gravity;
  return 0;
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct harmonic *s = context;
  const int n = (int)s->n, stride = 2 * n;
  memset(out, 0, (size_t)(stride * stride) * sizeof *out);
  for (int i = 0; i < n; i++) {
    out[i * stride + i] = 3 * s->quartic * q[i] * q[i];
    out[(n + i) * stride + n + i] = 1;
  }
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q, const real *p)
{
  const struct harmonic *s = context;
  g[0] = (real_dot(q, q, (int)s->n) + real_dot(p, p, (int)s->n) - s->radius2) / 2;
  return 0;
}

static int gradients(const void *context, real *g_q, real *g_p, real t, const real *q,
                     const real *p)
{
  const struct harmonic *s = context;
  memcpy(g_q, q, (size_t)s->n * sizeof *q);
  memcpy(g_p, p, (size_t)s->n * sizeof *p);
  return 0;
}

static int second(const void *context, real *out, real t, const real *q, const real *p,
                  const real *w)
{
  const struct harmonic *s = context;
  memcpy(out, w, 2 * (size_t)s->n * sizeof *w);
  return 0;
}

static int fibre(const void *context, real *dq, real *dp, const real *q, const real *p,
                 const real *s)
{
  const struct harmonic *harmonic = context;
  const real half = real_sin(s[0] / 2), sine = real_sin(s[0]), versed = -2 * half * half;
  for (int i = 0; i < harmonic->n; i++) {
    dq[i] = versed * q[i] + sine * p[i];
    dp[i] = versed * p[i] - sine * q[i];
  }
  return 0;
}

SHK_STORED_START(harmonic, (int)s->n)

/* Returns q1 p2 - q2 p1. */
static real angular_momentum(const real *q, const real *p)
{
  return q[0] * p[1] - q[1] * p[0];
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct harmonic *s = context;
  const real ratio = angular_momentum(s->q, s->p) / real_dot(s->q, s->q, 2),
             left = 1 - ratio * ratio;
  const real sine = real_sin(t * ratio / left), cosine = real_cos(t * ratio / left);
  q[0] = cosine * s->q[0] - sine * s->q[1];
  q[1] = sine * s->q[0] + cosine * s->q[1];
  p[0] = cosine * s->p[0] - sine * s->p[1];
  p[1] = sine * s->p[0] + cosine * s->p[1];
  lambda[0] = ratio * ratio / left;
  return 0;
}

/* The exact solution for n > 2 is the same rotation, in the plane spanned by the initial q and
 * p. */
static int exact_in_plane(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct harmonic *s = context;
  const int n = (int)s->n;
  const real ratio = real_sqrt(real_dot(s->p, s->p, n) / real_dot(s->q, s->q, n));
  const real left = 1 - ratio * ratio;
  const real sine = real_sin(t * ratio / left), cosine = real_cos(t * ratio / left);
  for (int i = 0; i < n; i++) {
    q[i] = cosine * s->q[i] + sine / ratio * s->p[i];
    p[i] = cosine * s->p[i] - sine * ratio * s->q[i];
  }
  lambda[0] = ratio * ratio / left;
  return 0;
}

static const char *const invariant_names[] = {"angular-momentum"};

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  values[0] = angular_momentum(q, p);
  return 0;
}

static void adopt_harmonic_sphere(struct shk_instance *instance, const real *q, const real *p)
{
  struct harmonic *s = (struct harmonic *)instance->system.context;
  if (!s->fixed)
    s->radius2 = real_dot(q, q, (int)s->n) + real_dot(p, p, (int)s->n);
}

/* Stores ψ, N and {ψ,H} at the initial state. */
static void poisson_brackets(const struct harmonic *s, real *psi, real *N, real *drift)
{
  const int n = (int)s->n;
  real force[LARGEST], H_zz[4 * LARGEST * LARGEST];
  gradient(s, force, 0, s->q);
  hessian(s, H_zz, 0, s->q, s->p);
  *psi = real_dot(s->q, s->p, n) - real_dot(s->p, force, n);
  *N = real_dot(s->q, s->q, n) - real_dot(s->p, s->p, n) - real_dot(s->q, force, n);
  *drift = real_dot(s->p, s->p, n) - real_dot(s->q, force, n) + real_dot(force, force, n);
  for (int i = 0; i < n; i++) {
    const real curve = H_zz[i * (2 * n + 1)] * s->p[i] * s->p[i];
    *N += curve;
    *drift -= curve;
  }
}

/* Moves the initial state along the fibre onto ψ = 0, using Newton's method with dψ/ds = -N.
 * Returns false if the iteration does not converge. */
static bool onto_hidden(struct harmonic *s)
{
  real before = 0;
  for (int pass = 0; pass < 100; pass++) {
    real psi, N, drift, dq[LARGEST], dp[LARGEST];
    poisson_brackets(s, &psi, &N, &drift);
    const real step = psi / N, limit = R(0.25);
    if (!real_isfinite(step))
      return false;
    const real slide = real_max(-limit, real_min(limit, step));
    fibre(s, dq, dp, s->q, s->p, &slide);
    for (int i = 0; i < s->n; i++) {
      s->q[i] += dq[i];
      s->p[i] += dp[i];
    }
    const real size = real_fabs(step);
    if (size <= REAL_EPSILON || (size <= real_sqrt(REAL_EPSILON) && 2 * size >= before && pass > 0))
      return true; /* the remaining error is round-off */
    before = size;
  }
  return false;
}

static void place_harmonic_sphere(struct harmonic *s, enum start which)
{
  static const real table[][4] = {{R(-0.7865261200000000), R(-0.4043988000000000),
                                   R(-0.3880746864163783), R(0.2173391755798215)},
                                  {R(-0.4963624948824013), R(-0.7319740436366664),
                                   R(-0.4275775933953260), R(0.1225384882604160)},
                                  {R(0.3477491188213400), R(-0.8131619010029159),
                                   R(-0.4368285559113795), R(-0.0837800227934176)}};
  for (int i = 2; i < s->n; i++) {
    s->q[i] = R(1.0) / (i + 2);
    s->p[i] = (i % 2 == 0 ? -1 : 1) / (real)(i + 4);
  }
  if (which == HALF) {
    s->q[0] = real_sqrt(R(0.8));
    s->q[1] = s->p[0] = 0;
    s->p[1] = real_sqrt(R(0.2));
    return;
  }
  memcpy(s->q, table[which], 2 * sizeof *s->q);
  memcpy(s->p, table[which] + 2, 2 * sizeof *s->p);
}

/* Sets the initial state that leads to an impasse. q2 and |p| are given at the top of this file; q1
 * > 0 follows from ρ, and the direction of p from ψ = 0. Returns false if there is no such state,
 * or unless n = 2, g > 0 and c = 0. */
static bool place_impasse(struct harmonic *s, real energy)
{
  const real size2 = R(0.4) * s->gravity, lower = energy / s->gravity - R(0.2);
  const real left = s->radius2 - size2 - lower * lower;
  if (s->n != 2 || !(s->gravity > 0) || s->quartic != 0 || !(left > 0))
    return false;
  const real q1 = real_sqrt(left), across = s->gravity - lower;
  const real factor = real_sqrt(size2 / (q1 * q1 + across * across));
  s->q[0] = q1;
  s->q[1] = lower;
  s->p[0] = factor * across; /* q1 p1 = (g - q2) p2 */
  s->p[1] = factor * q1;
  return true;
}

static const char *const branch_names[] = {"sign-of-N"};

/* Stores the sign of N at (q,p). The solution ends where the sign changes; later states do not
 * belong to any solution. */
static int branch(const void *context, real *values, real t, const real *q, const real *p)
{
  struct harmonic at = *(const struct harmonic *)context;
  real psi, N, drift;
  shk_copy_start(at.q, at.p, q, p, (int)at.n);
  poisson_brackets(&at, &psi, &N, &drift);
  values[0] = N < 0 ? -1 : 1;
  return 0;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct harmonic *s = context;
  const int n = (int)s->n;
  instance->system.n = n;
  for (int i = 0; i < n; i++)
    s->mass[i] = 1;
  s->fixed = s->radius2 > 0;
  const enum start which = s->gravity == 0 && !shk_values_given(instance->parameters, "start")
                               ? HALF
                               : (enum start)s->start;
  if (which != IMPASSE) {
    place_harmonic_sphere(s, which);
  } else {
    s->radius2 = s->fixed ? s->radius2 : 1;
    s->fixed = true;
    if (!place_impasse(s, s->energy))
      return shk_failure(
          SHK_BAD_INPUT,
          "start=impasse needs dimension=2, gravity above 0, quartic=0 and an energy for which "
          "(energy/gravity - 1/5)² is below radius2 - 2 gravity/5",
          0, 0);
  }
  const real level = real_dot(s->q, s->q, n) + real_dot(s->p, s->p, n);
  if (s->fixed) {
    const real factor = real_sqrt(s->radius2 / level);
    for (int i = 0; i < n; i++) {
      s->q[i] *= factor;
      s->p[i] *= factor;
    }
  } else {
    s->radius2 = level;
  }
  if (!onto_hidden(s))
    return shk_failure(SHK_BAD_INPUT,
                       "no point of the hidden constraint was found on the fibre of the start: "
                       "choose another start",
                       0, 0);
  instance->system.mass = s->mass;
  real psi, N, drift;
  poisson_brackets(s, &psi, &N, &drift);
  const real lambda = drift / N;
  /* q'' = -λ(1+λ)q + … */
  shk_set_times(instance, real_max(R(0.5), real_sqrt(real_fabs(lambda * (1 + lambda)))), R(12.3));
  instance->undecidable = n == 2 ? SHK_ONE_DEGREE_OF_FREEDOM : 0;
  if (s->quartic == 0)
    instance->undecidable |= SHK_LINEAR_POTENTIAL;
  instance->start = start;
  instance->adopt = adopt_harmonic_sphere;
  shk_set_branch(instance, branch_names, branch);
  if (s->quartic == 0 && s->gravity == 0) {
    instance->undecidable |= SHK_FREE_MOTION;
    instance->exact = n == 2 ? exact : exact_in_plane;
    shk_set_invariants(instance, 1, invariant_names, invariants);
  }
  return shk_ok();
}

static const struct shk_option impasse_options[] = {
    SHK_REAL(harmonic, energy, "energy", "0",
             "energy E of the start; the impasse is reached if E is above E*"),
    {0}};

static const struct shk_choice starts[] = {
    {"za", "Table 1 of the source, first column", NULL},
    {"zb", "Table 1, second column", NULL},
    {"zc", "Table 1, third column", NULL},
    {"half", "q = (√0.8, 0), p = (0, √0.2): circular motion without a potential", NULL},
    {"impasse",
     "q2 = E/g - 1/5, |p|² = 2g/5, scaled to radius2 (1 if it is not given): moves towards the "
     "impasse",
     impasse_options},
    {0}};

static const struct shk_option options[] = {
    SHK_INTEGER(harmonic, n, "dimension", "2", "n, the dimension of q and of p", .minimum = "2",
                .maximum = "16"),
    SHK_REAL(harmonic, gravity, "gravity", "1", "force g along -q2"),
    SHK_REAL(harmonic, quartic, "quartic", "0", "coefficient c of the quartic potential",
             .minimum = "0"),
    SHK_CHOICE(harmonic, start, "start", starts, "za",
               "start, projected along the fibre onto the hidden constraint; defaults to half if "
               "gravity=0"),
    SHK_REAL(
        harmonic, radius2, "radius2", "0",
        "ρ, to which a listed start is scaled; 0: the ρ of the start, whether listed or explicit",
        .minimum = "0"),
    {0}};

static const struct shk_system harmonic_sphere_system = {.m = 1,
                                                         .features = SHK_MOMENTUM_CONSTRAINT,
                                                         SHK_POTENTIAL,
                                                         .hessian = hessian,
                                                         SHK_CONSTRAINT_QP,
                                                         .fibre = fibre};

SHK_PROVIDE_PROBLEM(
    harmonic_sphere, harmonic, &harmonic_sphere_system, .name = "harmonic-sphere",
    .family = "on manifolds",
    .summary = "a sphere in phase space: a constraint that depends on momenta",
    .equations = "H = ½|p|² + gravity q2 + quartic Σ q_i⁴/4\n"
                 "0 = ½ (|q|² + |p|² - ρ),  hidden: q·p - p·V_q = 0\n"
                 "without potential: q, p rotate at the rate a/(1 - a²), "
                 "a = (q1 p2 - q2 p1)/|q|², beyond two dimensions |p|/|q|",
    .citation = "McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, §5.4",
    .units = "dimensionless", .coordinates = "q = (q1, …, qn), p = (p1, …, pn)");

/*
 * Coupled spheres in phase space: m constraints on momenta that commute, m (d - 1) degrees of
 * freedom. Sphere k has the coordinates q_i and momenta p_i with (k - 1) d < i <= k d:
 *
 *     H = ½ Σ_i (1 + κ q_{i+1}²) p_i² + γ q_2 + c Σ_i q_i⁴/4,      i + 1 cyclic over all of them
 *     0 = g_k = ½ (|q_k|² + |p_k|² - ρ) + δ (q_{k1}² q_{k2} - q_{k2}³/3)
 *
 * H is neither separable nor quadratic along the fibres. With δ = 0 the fibres are the tori of m
 * rotations q_k + i p_k -> e^(-i s_k) (q_k + i p_k), and M modulo fibres is the product of m
 * CP^(d-1). With δ > 0 a fibre's flow is that of Hénon and Heiles' Hamiltonian, which is not
 * integrable: it is known numerically only. fibre=integrated does not use the rotations either.
 *
 * The start is on circles of |q|² = 4/5 ρ, |p|² = ρ/5, at another angle in each sphere,
 * projected onto both constraints.
 *
 * Source: g of one sphere: McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339,
 * §5.4; δ: Hénon & Heiles, Astron. J. 69 (1964) 73; the coupling is ours.
 */
#include "problems/kit/consistent_start.h"
#include <shakedown/distance.h>
#include <shakedown/plugin.h>

#include <string.h>

enum { LARGEST = 16 };

struct spheres {
  long m, d;
  int n;
  real coupling, gravity, quartic, radius2, oval;
  int fibre;
  real q[LARGEST], p[LARGEST];
};

static int hamiltonian(const void *context, real *value, real t, const real *q, const real *p)
{
  const struct spheres *s = context;
  (void)t;
  *value = s->gravity * q[1];
  for (int i = 0; i < s->n; i++) {
    const real next = q[(i + 1) % s->n];
    *value += (1 + s->coupling * next * next) * p[i] * p[i] / 2 +
              s->quartic * (q[i] * q[i]) * (q[i] * q[i]) / 4;
  }
  return 0;
}

static int hamiltonian_q(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct spheres *s = context;
  (void)t;
  for (int i = 0; i < s->n; i++) {
    const real before = p[(i + s->n - 1) % s->n];
    out[i] = s->coupling * q[i] * before * before + s->quartic * q[i] * q[i] * q[i];
  }
  out[1] += s->gravity;
  return 0;
}

static int hamiltonian_p(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct spheres *s = context;
  (void)t;
  for (int i = 0; i < s->n; i++) {
    const real next = q[(i + 1) % s->n];
    out[i] = (1 + s->coupling * next * next) * p[i];
  }
  return 0;
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct spheres *s = context;
  const int n = s->n, stride = 2 * n;
  (void)t;
  memset(out, 0, (size_t)(stride * stride) * sizeof *out);
  for (int i = 0; i < n; i++) {
    const int after = (i + 1) % n;
    const real next = q[after], before = p[(i + n - 1) % n];
    out[i * stride + i] = s->coupling * before * before + 3 * s->quartic * q[i] * q[i];
    out[(n + i) * stride + n + i] = 1 + s->coupling * next * next;
    out[(n + i) * stride + after] = out[after * stride + n + i] = 2 * s->coupling * next * p[i];
  }
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q, const real *p)
{
  const struct spheres *s = context;
  const int d = (int)s->d;
  (void)t;
  for (int k = 0; k < s->m; k++, q += d, p += d)
    g[k] = (real_dot(q, q, d) + real_dot(p, p, d) - s->radius2) / 2 +
           s->oval * (q[0] * q[0] - q[1] * q[1] / 3) * q[1];
  return 0;
}

static int gradients(const void *context, real *g_q, real *g_p, real t, const real *q,
                     const real *p)
{
  const struct spheres *s = context;
  const size_t n = (size_t)s->n, d = (size_t)s->d;
  (void)t;
  memset(g_q, 0, (size_t)s->m * n * sizeof *g_q);
  memset(g_p, 0, (size_t)s->m * n * sizeof *g_p);
  for (size_t at = 0; at < n; at += d, g_q += n, g_p += n) {
    memcpy(g_q + at, q + at, d * sizeof *q);
    memcpy(g_p + at, p + at, d * sizeof *p);
    g_q[at] += 2 * s->oval * q[at] * q[at + 1];
    g_q[at + 1] += s->oval * (q[at] * q[at] - q[at + 1] * q[at + 1]);
  }
  return 0;
}

static int second(const void *context, real *out, real t, const real *q, const real *p,
                  const real *w)
{
  const struct spheres *s = context;
  const size_t n = (size_t)s->n, d = (size_t)s->d;
  (void)t, (void)p;
  memset(out, 0, 2 * (size_t)s->m * n * sizeof *out);
  for (size_t at = 0; at < n; at += d, out += 2 * n) {
    memcpy(out + at, w + at, d * sizeof *w);
    memcpy(out + n + at, w + n + at, d * sizeof *w);
    out[at] += 2 * s->oval * (q[at + 1] * w[at] + q[at] * w[at + 1]);
    out[at + 1] += 2 * s->oval * (q[at] * w[at] - q[at + 1] * w[at + 1]);
  }
  return 0;
}

/* Flow of the fibres of spheres, for δ = 0. */
static int fibre(const void *context, real *dq, real *dp, const real *q, const real *p,
                 const real *s)
{
  const struct spheres *w = context;
  for (int i = 0; i < w->n; i++) {
    const real turn = s[i / w->d], half = real_sin(turn / 2), sine = real_sin(turn);
    const real versed = -2 * half * half;
    dq[i] = versed * q[i] + sine * p[i];
    dp[i] = versed * p[i] - sine * q[i];
  }
  return 0;
}

static int start(const void *context, real *q, real *p)
{
  const struct spheres *s = context;
  return shk_copy_start(q, p, s->q, s->p, s->n);
}

static void place(struct spheres *s)
{
  for (int k = 0; k < s->m; k++) {
    real *const q = s->q + k * s->d, *const p = s->p + k * s->d;
    const real angle = R(0.3) + k * R(0.7);
    const real a = real_sqrt(R(0.8) * s->radius2);
    const real b = (k % 2 == 0 ? 1 : -1) * real_sqrt(R(0.2) * s->radius2);
    q[0] = a * real_cos(angle);
    q[1] = a * real_sin(angle);
    p[0] = -b * real_sin(angle);
    p[1] = b * real_cos(angle);
    for (int i = 2; i < s->d; i++) {
      q[i] = a / (i + 2);
      p[i] = b / (i + 4);
    }
  }
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct spheres *s = context;
  if (s->m * s->d > LARGEST)
    return shk_failure(SHK_BAD_INPUT,
                       "found spheres·dimension = %g coordinates, expected at most %g",
                       (double)(s->m * s->d), LARGEST);
  s->n = instance->system.n = (int)(s->m * s->d);
  instance->system.m = (int)s->m;
  if (s->oval == 0 && s->fibre == 0)
    instance->system.fibre = fibre;
  place(s);
  SHK_TRY(shk_make_consistent(instance, s->q, s->p));
  shk_set_times(instance, 1, R(12.3));
  instance->undecidable = s->n - s->m == 1 ? SHK_ONE_DEGREE_OF_FREEDOM : 0;
  if (s->coupling == 0 && s->quartic == 0)
    instance->undecidable |= s->gravity == 0 ? SHK_FREE_MOTION : SHK_LINEAR_POTENTIAL;
  instance->start = start;
  return shk_ok();
}

static const struct shk_head fibres[] = {
    {"exact", "m rotations; integrated if oval is not 0", NULL},
    {"integrated", "by Gauss collocation to round-off", NULL},
    {0}};

static const struct shk_option options[] = {
    SHK_INTEGER(spheres, m, "spheres", "2", "number m of spheres", .minimum = "1", .maximum = "8"),
    SHK_INTEGER(spheres, d, "dimension", "2", "number d of coordinates of each sphere",
                .minimum = "2", .maximum = "16"),
    SHK_REAL(spheres, coupling, "coupling", "0.1",
             "coefficient κ of the next coordinate in each mass", .minimum = "0"),
    SHK_REAL(spheres, gravity, "gravity", "0.05", "force γ along -q2"),
    SHK_REAL(spheres, quartic, "quartic", "0.1", "coefficient c of the quartic potential",
             .minimum = "0"),
    SHK_REAL(spheres, radius2, "radius2", "1", "ρ, the |q|² + |p|² of every sphere", SHK_POSITIVE),
    SHK_REAL(spheres, oval, "oval", "0",
             "coefficient δ of Hénon and Heiles' cubic term in each constraint"),
    SHK_CHOICE(spheres, fibre, "fibre", fibres, "exact", "flow along the fibres"),
    {0}};

static const struct shk_system coupled_spheres_system = {.features = SHK_MOMENTUM_CONSTRAINT |
                                                                     SHK_GENERAL_HAMILTONIAN,
                                                         .hamiltonian = hamiltonian,
                                                         .hamiltonian_q = hamiltonian_q,
                                                         .hamiltonian_p = hamiltonian_p,
                                                         .hessian = hessian,
                                                         .constraint_qp = constraint,
                                                         .constraint_gradients = gradients,
                                                         .constraint_second = second};

static const struct shk_problem coupled_spheres = {
    .struct_size = sizeof coupled_spheres,
    .info = {.name = "coupled-spheres",
             .summary = "coupled spheres in phase space: commuting constraints on momenta",
             .equations = "H = ½ Σ (1 + coupling q_{i+1}²) p_i² + gravity q2 + quartic Σ q_i⁴/4\n"
                          "0 = ½ (|q_k|² + |p_k|² - ρ) + oval (q_{k1}² q_{k2} - q_{k2}³/3),  k = 1 "
                          "… spheres",
             .citation =
                 "McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, §5.4; "
                 "Hénon & Heiles, Astron. J. 69 (1964) 73; the coupling is ours",
             .units = "dimensionless",
             .coordinates = "q = (q_1, …, q_m), d of each sphere, and p alike",
             .options = options},
    SHK_CONTEXT(spheres),
    .system = &coupled_spheres_system,
    .set_up = set_up,
};

SHK_PROVIDE(coupled_spheres, .problems = SHK_PROBLEMS(&coupled_spheres));

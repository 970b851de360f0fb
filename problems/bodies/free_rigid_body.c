/*
 * The free rigid body about its centre of mass, exact by elliptic functions.
 *
 *     H = ½ tr(P D⁻¹ Pᵀ)        0 = RᵀR - 1    (rotation.h)
 *
 * R maps the body's frame to space; at the start R = 1 and the body's angular velocity is given.
 * Its components obey Euler's equations, I_1 Ω_1' = (I_2 - I_3) Ω_2 Ω_3 and so on. Let c be the
 * axis (of the largest or the smallest moment) that the angular momentum circles in the body's
 * frame, b the middle axis and a the third. With L = |IΩ|, T the energy and
 *
 *     P = 2 T I_c - L²,   Q = L² - 2 T I_a,   w² = (I_c - I_b) Q/(I_a I_b I_c)
 *     Ω_a = α cn u,   Ω_b = ±β sn u,   Ω_c = ±γ dn u,   u = u₀ + w t
 *     k² = (I_b - I_a) P/((I_c - I_b) Q)
 *     α² = P/(I_a (I_c - I_a)),   β² = P/(I_b (I_c - I_b)),   γ² = Q/(I_c (I_c - I_a))
 *
 * (Landau & Lifshitz, Mechanics, 3rd ed., §37). In space the axis c goes round the angular momentum
 * at the rate L (2T - I_c Ω_c²)/(L² - I_c² Ω_c²), whose integral is elliptic of the third kind. R
 * is then the product of the fixed frame, that rotation and the body's frame, with both frames
 * built on the angular momentum. Where Ω × IΩ = 0 the rotation is uniform.
 *
 * Invariants: the angular momentum in space and its square, the Casimir of Euler's equations.
 * Sources: also E. Hairer, Ch. Lubich & G. Wanner, Geometric Numerical Integration, 2nd ed.,
 * §VII.5; E. Celledoni, F. Fassò, N. Säfström & A. Zanna, SIAM J. Sci. Comput. 30 (2008) 2084.
 */
#include "problems/kit/elliptic.h"
#include "problems/kit/problem.h"
#include "problems/kit/rotation.h"

struct rigid {
  struct shk_rotation body;
  real omega[3]; /* at the start */
  bool uniform;
  int a, b, c;
  real alpha, beta, gamma;   /* with their signs */
  real frequency, phase, k1; /* w, u₀, √(1 - k²) */
  real momentum;             /* L */
  real steady, swing, nu;    /* the rate is steady + swing/(1 + nu sn² u) */
  real frame[9];             /* columns in space of the frame built on the angular momentum */
};

static int gradient(const void *context, real *out, real t, const real *q)
{
  for (int i = 0; i < SHK_ROTATION_N; i++)
    out[i] = 0;
  return 0;
}

static int start_body(const void *context, real *q, real *p)
{
  const struct rigid *s = context;
  for (int i = 0; i < SHK_ROTATION_N; i++)
    q[i] = i % 4 == 0;
  shk_rotation_momentum(p, &s->body, q, s->omega);
  return 0;
}

/* Stores, in the body's coordinates and by rows, the unit vectors of e_c × m, m × (e_c × m) and m,
 * where m = IΩ is the angular momentum. */
static void body_frame(real *rows, const struct rigid *s, const real *omega)
{
  real axis[3] = {0, 0, 0};
  axis[s->c] = 1;
  for (int i = 0; i < 3; i++)
    rows[6 + i] = s->body.moment[i] * omega[i] / s->momentum;
  shk_cross(rows, axis, rows + 6);
  const real size = shk_distance(NULL, rows, 3);
  for (int i = 0; i < 3; i++)
    rows[i] /= size;
  shk_cross(rows + 3, rows + 6, rows);
}

/* Stores the rotation about a fixed axis at the rate |Ω|: R = 1 + sin(φ) n̂ + (1 - cos φ) n̂². */
static void turn_uniformly(const struct rigid *s, real *q, real t)
{
  const real rate = shk_distance(NULL, s->omega, 3);
  const real half = real_sin(rate * t / 2), sine = real_sin(rate * t), versed = 2 * half * half;
  real n[3];
  for (int i = 0; i < 3; i++)
    n[i] = rate > 0 ? s->omega[i] / rate : 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int k = 3 - i - j;
      const real cross = i == j ? 0 : (j - i == 1 || j - i == -2 ? -n[k] : n[k]);
      q[3 * i + j] = (i == j ? 1 - versed : 0) + versed * n[i] * n[j] + sine * cross;
    }
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct rigid *s = context;
  const real *I = s->body.moment;
  real omega[3], rate[3];
  if (s->uniform) {
    turn_uniformly(s, q, t);
    for (int i = 0; i < 3; i++)
      omega[i] = s->omega[i];
  } else {
    const real u = s->phase + s->frequency * t;
    real sn, cn, dn, rows[9], turned[9];
    shk_jacobi(&sn, &cn, &dn, u, s->k1);
    omega[s->a] = s->alpha * cn;
    omega[s->b] = s->beta * sn;
    omega[s->c] = s->gamma * dn;
    const real angle = s->steady * t + s->swing / s->frequency *
                                           (shk_elliptic_third(u, s->nu, s->k1) -
                                            shk_elliptic_third(s->phase, s->nu, s->k1));
    const real cosine = real_cos(angle), sine = real_sin(angle);
    body_frame(rows, s, omega);
    for (int i = 0; i < 3; i++) {
      turned[i] = cosine * rows[i] - sine * rows[3 + i];
      turned[3 + i] = sine * rows[i] + cosine * rows[3 + i];
      turned[6 + i] = rows[6 + i];
    }
    shk_rotation_multiply(q, s->frame, turned);
  }
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    rate[i] = s->uniform ? 0 : (I[j] - I[k]) * omega[j] * omega[k] / I[i];
  }
  shk_rotation_momentum(p, &s->body, q, omega);
  shk_rotation_multiplier(lambda, &s->body, omega, rate, NULL);
  return 0;
}

/* Finds the constants of the exact solution. Differences like 2 T I_c - L² are computed as sums of
 * terms of one sign, so that they have the accuracy of the start. */
static void solve_body(struct rigid *s)
{
  const real *I = s->body.moment, *w = s->omega;
  int low = 0, high = 0;
  for (int i = 1; i < 3; i++) {
    low = I[i] < I[low] ? i : low;
    high = I[i] >= I[high] ? i : high;
  }
  real turning[3], angular[3];
  for (int i = 0; i < 3; i++)
    angular[i] = I[i] * w[i];
  shk_cross(turning, w, angular);
  s->momentum = shk_distance(NULL, angular, 3);
  const real size = s->momentum * shk_distance(NULL, w, 3);
  s->uniform = shk_distance(NULL, turning, 3) <= 64 * REAL_EPSILON * size;
  if (s->uniform) /* includes equal moments, where low may be high */
    return;
  s->b = 3 - low - high;
  /* The sign of L² - 2 T I_b determines the axis c. */
  const real side = I[high] * (I[high] - I[s->b]) * w[high] * w[high] -
                    I[low] * (I[s->b] - I[low]) * w[low] * w[low];
  s->c = side >= 0 ? high : low;
  s->a = side >= 0 ? low : high;
  const real a = I[s->a], b = I[s->b], c = I[s->c];
  const real wa = w[s->a], wb = w[s->b], wc = w[s->c];
  const real P = a * (c - a) * wa * wa + b * (c - b) * wb * wb;
  const real Q = b * (b - a) * wb * wb + c * (c - a) * wc * wc;
  const real parity = (s->b - s->a + 3) % 3 == 1 ? 1 : -1; /* of (a,b,c) */
  const real sign = wc < 0 ? -1 : 1;
  s->alpha = real_sqrt(P / (a * (c - a)));
  s->gamma = sign * real_sqrt(Q / (c * (c - a)));
  /* I_b Ω_b' = ±(I_c - I_a) Ω_c Ω_a has the sign of Ω_b = β sn u growing at u = 0. */
  s->beta = (parity * sign * (c - a) > 0 ? 1 : -1) * real_sqrt(P / (b * (c - b)));
  s->frequency = real_sqrt((c - b) * Q / (a * b * c));
  const real complement2 = real_fabs(side) * real_fabs(c - a) / real_fabs((c - b) * Q);
  s->k1 = real_min(1, real_sqrt(complement2));
  s->phase = shk_elliptic_incomplete(wb / s->beta, wa / s->alpha, (wc / s->gamma) * (wc / s->gamma),
                                     s->k1);
  /* L² - I_c² Ω_c² = I_a² α² (1 + nu sn²), and 2T - L²/I_c = P/I_c. */
  const real k2 = (b - a) * P / ((c - b) * Q), across = a * a * s->alpha * s->alpha;
  s->nu = c * c * s->gamma * s->gamma * k2 / across;
  s->steady = s->momentum / c;
  s->swing = s->momentum * P / (c * across);
  real rows[9];
  body_frame(rows, s, w);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      s->frame[3 * i + j] = rows[3 * j + i]; /* R = 1 at the start */
}

static const char *const names[] = {"angular-momentum-x", "angular-momentum-y",
                                    "angular-momentum-z", "casimir"};

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  real inside[3];
  shk_rotation_angular_momentum(values, q, p);
  for (int j = 0; j < 3; j++) /* in the body's frame, as in Euler's equations */
    inside[j] = q[j] * values[0] + q[3 + j] * values[1] + q[6 + j] * values[2];
  values[3] = real_dot(inside, inside, 3);
  return 0;
}

/* Stores the ends of the body's axes of unit length: the columns of R, the first one last. */
static int draw_points(const void *context, real *r, real t, const real *q)
{
  for (int axis = 0; axis < 3; axis++)
    for (int j = 0; j < 3; j++)
      r[3 * (2 - axis) + j] = q[3 * j + axis];
  return 0;
}

static const real middle[3] = {0, 0, 0};
static const struct shk_picture_line lines[] = {{-1, 0, false}, {-1, 1, false}, {-1, 2, false}};
static const struct shk_picture picture = {SHK_PICTURE_SPACE(2, 3), .place = draw_points,
                                           SHK_PICTURE_FIXED(1, middle), SHK_PICTURE_LINES(lines)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct rigid *s = context;
  real sum = 0, most = 0;
  for (int i = 0; i < 3; i++) {
    sum += s->body.moment[i];
    most = real_max(most, s->body.moment[i]);
  }
  if (!shk_rotation_bind(instance, &s->body))
    return shk_failure(SHK_BAD_INPUT,
                       "no body has these moments: the largest is %g, and it must be less than "
                       "the %g of the two others together",
                       (double)most, (double)(sum - most));
  solve_body(s);

  shk_set_times(instance, shk_distance(NULL, s->omega, 3), R(13.7));
  instance->undecidable = SHK_FREE_MOTION | SHK_LINEAR_POTENTIAL;
  /* Uniform, or at a turning point: the motion is its own mirror image in time. */
  if (s->uniform || s->omega[s->a] == 0 || s->omega[s->b] == 0)
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start_body;
  instance->picture = &picture;
  instance->exact = exact;
  shk_set_invariants(instance, 4, names, invariants);
  return shk_ok();
}

#define MOMENT(number, value)                                                                      \
  SHK_REAL(rigid, body.moment[number - 1], "moment" #number, value,                                \
           "principal moment of inertia I_" #number, SHK_POSITIVE)
#define RATE(number, value)                                                                        \
  SHK_REAL(rigid, omega[number - 1], "rate" #number, value,                                        \
           "component " #number " of the body's angular velocity at the start")

static const struct shk_option options[] = {MOMENT(1, "1"),
                                            MOMENT(2, "1.5"),
                                            MOMENT(3, "2"),
                                            RATE(1, "0.7"),
                                            RATE(2, "0.4"),
                                            RATE(3, "0.6"),
                                            {0}};

static const struct shk_system free_rigid_body_system = {
    .potential = shk_no_potential, .gradient = gradient, SHK_ROTATION_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    free_rigid_body, rigid, &free_rigid_body_system, .name = "free-rigid-body",
    .family = "rigid bodies",
    .summary = "free rigid body as a rotation matrix, exact by elliptic functions",
    .equations = "H = ½ tr(P D⁻¹ Pᵀ),  D = ½ tr(I) 1 - I\n"
                 "0 = ½ (|c_i|² - 1),  0 = c_i·c_j of R's columns: 11, 22, 33, 12, 13, 23\n"
                 "start: R = 1, P = R Ω̂ D with Ω = (rate1, rate2, rate3)",
    .citation = "L. D. Landau & E. M. Lifshitz, Mechanics, 3rd ed., Pergamon 1976, §37; "
                "Hairer, Lubich & Wanner, Geometric Numerical Integration, 2nd ed., "
                "Springer 2006, §VII.5",
    .units = "any consistent units; dimensionless by default",
    .coordinates = "q = R, 3 x 3 by rows, from the body's frame to space");

/*
 * A free rigid body rotating about its centre of mass. The exact solution uses elliptic functions.
 *
 *     form=matrix      H = ½ tr(P D⁻¹ Pᵀ)       0 = RᵀR - 1          (rotation.h)
 *     form=quaternion  H = ½ pᵀM(q)⁻¹p          0 = ½ (|q|² - 1)     (quaternion.h)
 *
 * R and q map the body frame to space. Initially, R = 1, q = 1 and the body's angular velocity is
 * given. The components of the angular velocity obey Euler's equations, I_1 Ω_1' = (I_2 - I_3) Ω_2
 * Ω_3 and its cyclic permutations. In the body frame, the angular momentum circles one of the
 * principal axes, c, whose moment of inertia is either the largest or the smallest. Let b be the
 * axis with the intermediate moment and a the remaining one. If L = |IΩ| and T is the energy, then
 *
 *     P = 2 T I_c - L²,   Q = L² - 2 T I_a,   w² = (I_c - I_b) Q/(I_a I_b I_c)
 *     Ω_a = α cn u,   Ω_b = ±β sn u,   Ω_c = ±γ dn u,   u = u₀ + w t
 *     k² = (I_b - I_a) P/((I_c - I_b) Q)
 *     α² = P/(I_a (I_c - I_a)),   β² = P/(I_b (I_c - I_b)),   γ² = Q/(I_c (I_c - I_a))
 *
 * (Landau & Lifshitz, Mechanics, 3rd ed., §37). In space, the axis c revolves about the angular
 * momentum at the rate L (2T - I_c Ω_c²)/(L² - I_c² Ω_c²), whose integral is an elliptic integral
 * of the third kind. Let (i, j, c) be a cyclic permutation of the axes. In the body frame, let θ be
 * the polar angle of the angular momentum, measured from c, and φ its azimuth, measured from i
 * towards j. If χ is the angle of this revolution,
 *
 *     q = A(0)∘exp(e_3 χ/2)∘Ā(t),   A = exp(e_3 (φ + π/2)/2)∘exp(e_1 θ/2)
 *
 * in the coordinates i, j, c. φ must count full turns, because a rotation by 2π turns q into -q. If
 * Ω × IΩ = 0, the body rotates uniformly.
 *
 * The invariants are the angular momentum in space and its square, which is the Casimir of Euler's
 * equations. Additional sources: E. Hairer, Ch. Lubich & G. Wanner, Geometric Numerical
 * Integration, 2nd ed., §VII.5; E. Celledoni, F. Fassò, N. Säfström & A. Zanna, SIAM J. Sci.
 * Comput. 30 (2008) 2084.
 */
#include "problems/kit/elliptic.h"
#include "problems/kit/problem.h"
#include "problems/kit/quaternion.h"
#include "problems/kit/rotation.h"

enum { MATRIX, QUATERNION };

struct rigid {
  struct shk_quaternion unit;
  struct shk_rotation body;
  int form;
  real omega[3]; /* at the start */
  bool uniform;
  int a, b, c;
  real alpha, beta, gamma;   /* with their signs */
  real frequency, phase, k1; /* w, u₀, √(1 - k²) */
  real momentum;             /* L */
  real steady, swing, nu;    /* the rate is steady + swing/(1 + nu sn² u) */
  real frame[4];             /* A(0) */
};

static int gradient(const void *context, real *out, real t, const real *q)
{
  for (int i = 0; i < SHK_ROTATION_N; i++)
    out[i] = 0;
  return 0;
}

static int quaternion_gradient(const void *context, real *out, real t, const real *q)
{
  for (int i = 0; i < SHK_QUATERNION_N; i++)
    out[i] = 0;
  return 0;
}

static int no_hessian(const void *context, real *out, real t, const real *q)
{
  for (int i = 0; i < SHK_QUATERNION_N * SHK_QUATERNION_N; i++)
    out[i] = 0;
  return 0;
}

/* Stores the state for a given orientation and angular velocity of the body. */
static void place_body(const struct rigid *s, real *q, real *p, const real *turned,
                       const real *omega)
{
  if (s->form == MATRIX) {
    shk_quaternion_rotation(q, turned);
    shk_rotation_momentum(p, &s->body, q, omega);
    return;
  }
  for (int i = 0; i < SHK_QUATERNION_N; i++)
    q[i] = turned[i];
  shk_quaternion_momentum(p, &s->unit, q, omega);
}

static int start_body(const void *context, real *q, real *p)
{
  static const real one[4] = {1, 0, 0, 0};
  const struct rigid *s = context;
  place_body(s, q, p, one, s->omega);
  return 0;
}

static const real axis1[3] = {1, 0, 0}, axis3[3] = {0, 0, 1};

/* Computes A from the body's angular velocity and the argument u of the elliptic functions. Both
 * the amplitude of u and the polar angle of (I_a Ω_a, I_b |Ω_b|) are in the same quadrant as π
 * u/2K. */
static void stand_on_momentum(real *out, const struct rigid *s, const real *omega, real u)
{
  const int i = (s->c + 1) % 3, j = (s->c + 2) % 3;
  const real *I = s->body.moment;
  const real side = s->beta < 0 ? -1 : 1;
  const real phase = REAL_PI / 2 * u / shk_elliptic_complete(s->k1);
  real angle = real_atan2(side * I[s->b] * omega[s->b], I[s->a] * omega[s->a]);
  angle += 2 * REAL_PI * real_floor((phase - angle) / (2 * REAL_PI) + R(0.5));
  const real azimuth = s->a == i ? REAL_PI / 2 + side * angle : REAL_PI - side * angle;
  const real across[2] = {I[i] * omega[i], I[j] * omega[j]};
  real turn[4], tilt[4];
  shk_quaternion_turn(turn, axis3, azimuth);
  shk_quaternion_turn(tilt, axis1,
                      real_atan2(shk_distance(NULL, across, 2), I[s->c] * omega[s->c]));
  shk_quaternion_product(out, turn, tilt);
}

/* Stores the quaternion and the body's angular velocity at time t. */
static void orient(const struct rigid *s, real *q, real *omega, real t)
{
  const real u = s->phase + s->frequency * t;
  real sn, cn, dn, now[4], back[4], turn[4], turned[4];
  shk_jacobi(&sn, &cn, &dn, u, s->k1);
  omega[s->a] = s->alpha * cn;
  omega[s->b] = s->beta * sn;
  omega[s->c] = s->gamma * dn;
  const real angle = s->steady * t + s->swing / s->frequency *
                                         (shk_elliptic_third(u, s->nu, s->k1) -
                                          shk_elliptic_third(s->phase, s->nu, s->k1));
  shk_quaternion_turn(turn, axis3, angle);
  stand_on_momentum(now, s, omega, u);
  shk_quaternion_product(turned, s->frame, turn);
  for (int i = 0; i < 4; i++)
    back[i] = i == 0 ? now[i] : -now[i];
  shk_quaternion_product(now, turned, back);
  q[0] = now[0];
  for (int i = 0; i < 3; i++)
    q[1 + (s->c + 1 + i) % 3] = now[1 + i];
}

/* Stores the quaternion and the body's angular velocity at time t for a rotation about a fixed axis
 * at the rate |Ω|. */
static void turn_uniformly(const struct rigid *s, real *q, real *omega, real t)
{
  const real rate = shk_distance(NULL, s->omega, 3);
  real axis[3];
  for (int i = 0; i < 3; i++) {
    omega[i] = s->omega[i];
    axis[i] = rate > 0 ? s->omega[i] / rate : 0;
  }
  shk_quaternion_turn(q, axis, rate * t);
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct rigid *s = context;
  const real *I = s->body.moment;
  real omega[3], rate[3], turned[4];
  if (s->uniform)
    turn_uniformly(s, turned, omega, t);
  else
    orient(s, turned, omega, t);
  place_body(s, q, p, turned, omega);
  if (s->form == QUATERNION) {
    lambda[0] = shk_quaternion_multiplier(&s->unit, omega);
    return 0;
  }
  for (int i = 0; i < 3; i++) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    rate[i] = s->uniform ? 0 : (I[j] - I[k]) * omega[j] * omega[k] / I[i];
  }
  shk_rotation_multiplier(lambda, &s->body, omega, rate, NULL);
  return 0;
}

/* Computes the constants of the exact solution. Differences such as 2 T I_c - L² are computed as
 * sums of terms that have the same sign, so they are as accurate as the initial state. */
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
  if (s->uniform) /* if all moments are equal, low and high can be the same axis */
    return;
  s->b = 3 - low - high;
  /* The sign of L² - 2 T I_b determines which axis is c. */
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
  /* I_b Ω_b' = ±(I_c - I_a) Ω_c Ω_a has the same sign as Ω_b = β sn u when u grows from 0. */
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
  stand_on_momentum(s->frame, s, w, s->phase);
}

static const char *const names[] = {"angular-momentum-x", "angular-momentum-y",
                                    "angular-momentum-z", "casimir"};

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  real inside[3];
  shk_rotation_angular_momentum(values, q, p);
  for (int j = 0; j < 3; j++) /* in the body frame, as in Euler's equations */
    inside[j] = q[j] * values[0] + q[3 + j] * values[1] + q[6 + j] * values[2];
  values[3] = real_dot(inside, inside, 3);
  return 0;
}

static int quaternion_invariants(const void *context, real *values, real t, const real *q,
                                 const real *p)
{
  real inside[3];
  shk_quaternion_momentum_in_space(values, q, p);
  shk_quaternion_momentum_in_body(inside, q, p);
  values[3] = real_dot(inside, inside, 3);
  return 0;
}

/* Stores the end points of the body's unit axes, that is, the columns of R. The first column is
 * stored last. */
static int draw_points(const void *context, real *r, real t, const real *q)
{
  const struct rigid *const s = context;
  real turned[9];
  if (s->form == QUATERNION) {
    shk_quaternion_rotation(turned, q);
    q = turned;
  }
  for (int axis = 0; axis < 3; axis++)
    for (int j = 0; j < 3; j++)
      r[3 * (2 - axis) + j] = q[3 * j + axis];
  return 0;
}

static const real middle[3] = {0, 0, 0};
static const struct shk_picture_line lines[] = {{-1, 0, false}, {-1, 1, false}, {-1, 2, false}};
static const struct shk_picture picture = {SHK_PICTURE_SPACE(2, 3), .place = draw_points,
                                           SHK_PICTURE_FIXED(1, middle), SHK_PICTURE_LINES(lines)};

static const struct shk_system quaternion_system = {.potential = shk_no_potential,
                                                    .gradient = quaternion_gradient,
                                                    .potential_hessian = no_hessian,
                                                    SHK_QUATERNION};

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
                       "no body has these moments: the largest is %g, but it must be less than %g, "
                       "the sum of the other two",
                       (double)most, (double)(sum - most));
  if (s->form == QUATERNION)
    shk_quaternion_bind(instance, &s->unit, s->body.moment, &quaternion_system);
  solve_body(s);

  shk_set_times(instance, shk_distance(NULL, s->omega, 3), R(13.7));
  instance->undecidable = SHK_FREE_MOTION | (s->form == MATRIX ? SHK_LINEAR_POTENTIAL : 0);
  /* If the rotation is uniform or starts at a turning point, the motion is symmetric under time
   * reversal. */
  if (s->uniform || s->omega[s->a] == 0 || s->omega[s->b] == 0)
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start_body;
  instance->picture = &picture;
  instance->exact = exact;
  shk_set_invariants(instance, 4, names, s->form == MATRIX ? invariants : quaternion_invariants);
  return shk_ok();
}

#define MOMENT(number, value)                                                                      \
  SHK_REAL(rigid, body.moment[number - 1], "moment" #number, value,                                \
           "principal moment of inertia I_" #number, SHK_POSITIVE)
#define RATE(number, value)                                                                        \
  SHK_REAL(rigid, omega[number - 1], "rate" #number, value,                                        \
           "component " #number " of the body's initial angular velocity")

static const struct shk_option quaternion_options[] = {SHK_QUATERNION_ADDED(rigid, unit), {0}};
static const struct shk_choice forms[] = {SHK_FORMS(quaternion_options), {0}};

static const struct shk_option options[] = {MOMENT(1, "1"),
                                            MOMENT(2, "1.5"),
                                            MOMENT(3, "2"),
                                            RATE(1, "0.7"),
                                            RATE(2, "0.4"),
                                            RATE(3, "0.6"),
                                            SHK_FORM(rigid, form, forms),
                                            {0}};

static const struct shk_system free_rigid_body_system = {
    .potential = shk_no_potential, .gradient = gradient, SHK_ROTATION_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    free_rigid_body, rigid, &free_rigid_body_system, .name = "free-rigid-body",
    .family = "rigid bodies",
    .summary = "free rigid body as a rotation matrix or a quaternion; exact solution by elliptic "
               "functions",
    .equations = "H = ½ tr(P D⁻¹ Pᵀ),  D = ½ tr(I) 1 - I\n"
                 "0 = ½ (|c_i|² - 1),  0 = c_i·c_j of R's columns: 11, 22, 33, 12, 13, 23\n"
                 "start: R = 1, P = R Ω̂ D with Ω = (rate1, rate2, rate3)\n"
                 "form=quaternion: H = ½ pᵀM(q)⁻¹p,  " SHK_QUATERNION_MASS "0 = ½ (|q|² - 1)\n"
                 "start: q = 1, p = 2 q∘(0,IΩ)",
    .citation = "L. D. Landau & E. M. Lifshitz, Mechanics, 3rd ed., Pergamon 1976, §37; "
                "Hairer, Lubich & Wanner, Geometric Numerical Integration, 2nd ed., "
                "Springer 2006, §VII.5; " SHK_QUATERNION_SOURCES,
    .units = "any consistent units; dimensionless by default",
    .coordinates = "q = R, 3 x 3 by rows, which maps the body's frame to space; form=quaternion: q "
                   "= (scalar, vector)");

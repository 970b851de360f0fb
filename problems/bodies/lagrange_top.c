/*
 * Lagrange's top: a symmetric body that turns about a fixed point on its axis in a uniform field.
 *
 *     form=matrix      H = ½ tr(P D⁻¹ Pᵀ) + m g l R_33       0 = RᵀR - 1          (rotation.h)
 *     form=quaternion  H = ½ pᵀM(q)⁻¹p + m g l R_33          0 = ½ (|q|² - 1)     (quaternion.h)
 *     with R_33 = q_0² - q_1² - q_2² + q_3², which has degree 2 in q, so λ = 4T - 2V
 *
 * R and q map the body frame to space. The last column of R is the direction of the symmetry axis.
 * The centre of mass is on this axis, at a distance l from the fixed point. The z-axis points up.
 * The nutation is the angle between the axis and the upward vertical; if it is below 90 degrees,
 * the centre of mass is above the fixed point. The moment of inertia about the symmetry axis is J3.
 * The moment of inertia about a line perpendicular to this axis is J1 if the line passes through
 * the centre of mass, and J1 + m l² if it passes through the fixed point. The Euler angles are
 * defined by R = R_z(φ) R_x(α) R_z(ψ).
 *
 * In steady precession, α is constant, φ' = ω_p, and
 *
 *     ψ' = ω_s = m g l/(J3 ω_p) + ((J1 + m l² - J3)/J3) ω_p cos α.
 *
 * This solution is exact. For other initial states, no exact solution is implemented. The
 * invariants are the angular momenta about the vertical and about the symmetry axis, L_3 = (Rᵀ Σ
 * c_i × P_i)_3 = P_1·c_2 - P_2·c_1.
 *
 * Géradin & Cardona's heavy top (Brüls & Cardona, J. Comput. Nonlinear Dyn. 5 (2010) 031002) has m
 * = 15, its centre of mass at (0,1,0) in the body, the moments 0.234375, 0.46875, 0.234375 about
 * the centre of mass, R(0) = 1 and Ω(0) = (0, 150, -4.61538). In a formulation about its fixed
 * point, with D = (0.234375, 15, 0.234375), it is
 *
 *     lagrange-top(mass=15,gravity=9.81,moment1=0.234375,moment3=0.46875,angle=90deg,
 *                  precession=-4.61538,start=general(spin=150,nutation-rate=0))
 *
 * Here the symmetry axis is the body's third axis, and the whole system is rotated by 180 degrees
 * about z.
 *
 * Sources: H. Goldstein, Ch. Poole & J. Safko, Classical Mechanics, 3rd ed., §5.7; E. Hairer, Ch.
 * Lubich & G. Wanner, Geometric Numerical Integration, 2nd ed., §VII.5.
 */
#include "problems/kit/problem.h"
#include "problems/kit/quaternion.h"
#include "problems/kit/rotation.h"

enum { MATRIX, QUATERNION };

struct top {
  struct shk_quaternion unit;
  struct shk_rotation body;
  int form;
  real weight; /* m g l */
  real angle, precession, spin, nutation_rate;
  real mass, distance, axial, across, gravity; /* moments J3 and J1 */
  int start;
};

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct top *s = context;
  *value = s->weight * q[8];
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct top *s = context;
  for (int i = 0; i < SHK_ROTATION_N; i++)
    out[i] = 0;
  out[8] = s->weight;
  return 0;
}

/* The signs with which the squared components of q appear in R_33. */
static const real upright[SHK_QUATERNION_N] = {1, -1, -1, 1};

static int quaternion_potential(const void *context, real *value, real t, const real *q)
{
  const struct top *s = context;
  *value = 0;
  for (int i = 0; i < SHK_QUATERNION_N; i++)
    *value += s->weight * upright[i] * q[i] * q[i];
  return 0;
}

static int quaternion_gradient(const void *context, real *out, real t, const real *q)
{
  const struct top *s = context;
  for (int i = 0; i < SHK_QUATERNION_N; i++)
    out[i] = 2 * s->weight * upright[i] * q[i];
  return 0;
}

static int quaternion_hessian(const void *context, real *out, real t, const real *q)
{
  const struct top *s = context;
  for (int i = 0; i < SHK_QUATERNION_N; i++)
    for (int j = 0; j < SHK_QUATERNION_N; j++)
      out[SHK_QUATERNION_N * i + j] = i == j ? 2 * s->weight * upright[i] : 0;
  return 0;
}

/* Computes the angular velocity Ω and the state from the Euler angles φ and ψ and the rates α' =
 * nutation_rate, φ' = precession and ψ' = spin. */
static void place_lagrange_top(const struct top *s, real *q, real *p, real *omega, real phi,
                               real psi)
{
  const real sine = real_sin(s->angle), cosine = real_cos(s->angle);
  const real sine_psi = real_sin(psi), cosine_psi = real_cos(psi);
  omega[0] = s->precession * sine * sine_psi + s->nutation_rate * cosine_psi;
  omega[1] = s->precession * sine * cosine_psi - s->nutation_rate * sine_psi;
  omega[2] = s->precession * cosine + s->spin;
  if (s->form == QUATERNION) {
    shk_quaternion_euler(q, phi, s->angle, psi);
    shk_quaternion_momentum(p, &s->unit, q, omega);
    return;
  }
  shk_rotation_euler(q, phi, s->angle, psi);
  shk_rotation_momentum(p, &s->body, q, omega);
}

static int start(const void *context, real *q, real *p)
{
  real omega[3];
  place_lagrange_top(context, q, p, omega, 0, 0);
  return 0;
}

static int steady_precession(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct top *s = context;
  real omega[3], turned[3];
  place_lagrange_top(s, q, p, omega, s->precession * t, s->spin * t);
  if (s->form == QUATERNION) {
    quaternion_potential(s, lambda, t, q);
    lambda[0] = shk_quaternion_multiplier(&s->unit, omega) - 2 * lambda[0];
    return 0;
  }
  const real rate[3] = {omega[1] * s->spin, -omega[0] * s->spin, 0};
  for (int i = 0; i < 3; i++)
    turned[i] = s->weight * q[6 + i];
  shk_rotation_multiplier(lambda, &s->body, omega, rate, turned);
  return 0;
}

static const char *const names[] = {"vertical-angular-momentum", "axial-angular-momentum"};

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  real momentum[3];
  shk_rotation_angular_momentum(momentum, q, p);
  values[0] = momentum[2];
  values[1] = shk_rotation_product(p, 0, q, 1) - shk_rotation_product(p, 1, q, 0);
  return 0;
}

static int quaternion_invariants(const void *context, real *values, real t, const real *q,
                                 const real *p)
{
  real momentum[3];
  shk_quaternion_momentum_in_space(momentum, q, p);
  values[0] = momentum[2];
  shk_quaternion_momentum_in_body(momentum, q, p);
  values[1] = momentum[2];
  return 0;
}

/* Stores the ends of two crossbars that turn with the body, and the point where they cross. This
 * point is on the symmetry axis, at unit distance from the fixed point. */
static int draw_points(const void *context, real *r, real t, const real *q)
{
  const struct top *const s = context;
  real turned[9];
  if (s->form == QUATERNION) {
    shk_quaternion_rotation(turned, q);
    q = turned;
  }
  for (int j = 0; j < 3; j++) {
    const real axis = q[3 * j + 2], arm = R(0.3) * q[3 * j], other = R(0.3) * q[3 * j + 1];
    r[j] = axis + arm;
    r[3 + j] = axis - arm;
    r[6 + j] = axis + other;
    r[9 + j] = axis - other;
    r[12 + j] = axis;
  }
  return 0;
}

static const real foot[3] = {0, 0, 0};
static const struct shk_picture_line lines[] = {{-1, 4, false}, {0, 1, false}, {2, 3, false}};
static const struct shk_picture picture = {SHK_PICTURE_SPACE(2, 5), .place = draw_points,
                                           SHK_PICTURE_FIXED(1, foot), SHK_PICTURE_LINES(lines)};

static const struct shk_system quaternion_system = {.potential = quaternion_potential,
                                                    .gradient = quaternion_gradient,
                                                    .potential_hessian = quaternion_hessian,
                                                    SHK_QUATERNION};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct top *s = context;
  const real across = s->across + s->mass * s->distance * s->distance;
  const bool is_steady = s->start == 0;
  s->body.moment[0] = s->body.moment[1] = across;
  s->body.moment[2] = s->axial;
  s->weight = s->mass * s->gravity * s->distance;
  if (!shk_rotation_bind(instance, &s->body))
    return shk_failure(SHK_BAD_INPUT,
                       "no body has these moments about its fixed point: the axial one is %g, but "
                       "it must be less than %g, the sum of the other two",
                       (double)s->axial, (double)(2 * across));
  if (s->form == QUATERNION)
    shk_quaternion_bind(instance, &s->unit, s->body.moment, &quaternion_system);
  if (is_steady && s->precession == 0)
    return shk_failure(SHK_BAD_INPUT, "a steady precession needs a nonzero rate", 0, 0);
  if (is_steady)
    s->spin = s->weight / (s->axial * s->precession) +
              (across - s->axial) / s->axial * (s->precession * real_cos(s->angle));
  /* The body's rotation rate, and the rate at which it would oscillate about the downward
   * vertical. */
  const real turning = real_fabs(s->precession * real_cos(s->angle) + s->spin);
  const real swinging = real_sqrt(s->weight / across);
  const real fastest = real_max(real_max(turning, swinging),
                                real_max(real_fabs(s->precession), real_fabs(s->nutation_rate)));
  shk_set_times(instance, fastest, R(11.3));
  instance->undecidable = s->form == MATRIX ? SHK_LINEAR_POTENTIAL : 0;
  if (s->weight == 0)
    instance->undecidable |= SHK_FREE_MOTION;
  if (is_steady || s->nutation_rate == 0) /* a relative equilibrium or a turning point */
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start;
  instance->picture = &picture;
  instance->exact = is_steady ? steady_precession : NULL;
  shk_set_invariants(instance, 2, names, s->form == MATRIX ? invariants : quaternion_invariants);
  return shk_ok();
}

static const struct shk_option general_options[] = {
    SHK_REAL(top, spin, "spin", "6",
             "rotation rate ψ' about the axis, not counting the precession"),
    SHK_REAL(top, nutation_rate, "nutation-rate", "0.4", "initial rate α'"),
    {0}};

static const struct shk_choice starts[] = {
    {"steady", "precession at the spin that keeps the nutation constant", NULL},
    {"general", "arbitrary rates, with nutation", general_options},
    {0}};

static const struct shk_option quaternion_options[] = {SHK_QUATERNION_ADDED(top, unit), {0}};
static const struct shk_choice forms[] = {SHK_FORMS(quaternion_options), {0}};

static const struct shk_option options[] = {
    SHK_REAL(top, mass, "mass", "1", "mass m", SHK_POSITIVE),
    SHK_REAL(top, distance, "distance", "1",
             "distance l from the fixed point to the centre of mass", .minimum = "0"),
    SHK_GRAVITY(top, gravity),
    SHK_REAL(top, across, "moment1", "0.5",
             "moment of inertia J1 perpendicular to the axis, about the centre of mass",
             SHK_POSITIVE),
    SHK_REAL(top, axial, "moment3", "0.8", "moment of inertia J3 about the axis", SHK_POSITIVE),
    SHK_ANGLE(top, angle, "angle", "60deg", "initial nutation α, from the upward vertical"),
    SHK_REAL(top, precession, "precession", "0.5", "initial rate φ', in radians per unit time"),
    SHK_CHOICE(top, start, "start", starts, "steady", "the other initial rates"),
    SHK_FORM(top, form, forms),
    {0}};

static const struct shk_system lagrange_top_system = {SHK_POTENTIAL, SHK_ROTATION_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    lagrange_top, top, &lagrange_top_system, .name = "lagrange-top", .family = "rigid bodies",
    .summary = "symmetric heavy top as a rotation matrix or a quaternion; exact solution for "
               "steady precession",
    .equations =
        "H = ½ tr(P D⁻¹ Pᵀ) + m g l R_33,  D = ½ tr(I) 1 - I,  I = (J1 + m l², J1 + m l², "
        "J3)\n"
        "0 = ½ (|c_i|² - 1),  0 = c_i·c_j of R's columns: 11, 22, 33, 12, 13, 23\n"
        "start: R = R_z(0) R_x(angle) R_z(0)\n"
        "form=quaternion: H = ½ pᵀM(q)⁻¹p + m g l (q0² - q1² - q2² + q3²),  " SHK_QUATERNION_MASS
        "0 = ½ (|q|² - 1)\n"
        "steady: ψ' = m g l/(J3 φ') + ((J1 + m l² - J3)/J3) φ' cos α\n"
        "Géradin & Cardona's heavy top: mass=15, gravity=9.81, moment1=0.234375, "
        "moment3=0.46875, angle=90deg, precession=-4.61538, "
        "start=general(spin=150,nutation-rate=0), its axis at (0,-1,0)",
    .citation = "H. Goldstein, Ch. Poole & J. Safko, Classical Mechanics, 3rd ed., "
                "Addison-Wesley 2002, §5.7; Hairer, Lubich & Wanner, Geometric Numerical "
                "Integration, 2nd ed., Springer 2006, §VII.5; heavy top: O. Brüls & A. Cardona, J. "
                "Comput. Nonlinear Dyn. 5 (2010) 031002; " SHK_QUATERNION_SOURCES,
    .units = "any consistent units; dimensionless by default",
    .coordinates = "q = R, 3 x 3 by rows, which maps the body's frame to space, with z upwards; "
                   "form=quaternion: q = (scalar, vector)");

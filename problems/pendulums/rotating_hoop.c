/*
 * A bead on a circular hoop that rotates about its vertical diameter, in non-rotating coordinates:
 *
 *     H = |p|²/(2m) + m g z       0 = ½ (|q|² - R²)       0 = q·f(t)
 *     e = (cos Ωt, sin Ωt, 0),    f = e'/Ω = (-sin Ωt, cos Ωt, 0)
 *
 * The second constraint depends on time (it is rheonomic). Its force turns the bead and does work,
 * so H is not conserved. The energy in the rotating frame, H - Ω (x p_y - y p_x), is conserved
 * (Jacobi's integral). z points up, q = R (sin θ e, -cos θ), and the constraint force is -Gᵀλ. The
 * equation for the angle is θ'' = (Ω² cos θ - g/R) sin θ. If Ω² > g/R, the bottom is unstable, and
 * the bead can rest on the hoop where cos θ = g/(Ω² R), with λ = (m Ω², 0). It can also rest at the
 * bottom and at the top, with λ = (±m g/R, 0). The exact solution is provided for these equilibria.
 *
 * Source: H. Goldstein, Ch. Poole & J. Safko, Classical Mechanics, 3rd ed., §2.7 and exercise 2.18.
 */
#include "problems/kit/problem.h"

struct hoop {
  struct shk_bob bob; /* the length of this bob is the radius R of the hoop */
  real rotation, angle, rate;
};

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct hoop *s = context;
  const real turn = s->rotation * t;
  g[0] = (real_dot(q, q, 3) - s->bob.length * s->bob.length) / 2;
  g[1] = q[1] * real_cos(turn) - q[0] * real_sin(turn);
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct hoop *s = context;
  const real turn = s->rotation * t;
  for (int i = 0; i < 3; i++)
    values[i] = q[i];
  values[3] = -real_sin(turn);
  values[4] = real_cos(turn);
  return 0;
}

static const int row_start[] = {0, 3, 5};
static const int columns[] = {0, 1, 2, 0, 1};

static int constraint_rate(const void *context, real *g_t, real t, const real *q)
{
  const struct hoop *s = context;
  const real turn = s->rotation * t;
  g_t[0] = 0;
  g_t[1] = -s->rotation * (q[0] * real_cos(turn) + q[1] * real_sin(turn));
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct hoop *s = context;
  const real turn = s->rotation * t, cosine = real_cos(turn), sine = real_sin(turn);
  out[0] = real_dot(v, v, 3);
  out[1] = -2 * s->rotation * (v[0] * cosine + v[1] * sine) -
           s->rotation * s->rotation * (q[1] * cosine - q[0] * sine);
  return 0;
}

/* Stores the state at time t with the initial angle and rate on the hoop. */
static void place_rotating_hoop(const struct hoop *s, real *q, real *p, real t)
{
  const real sine = real_sin(s->angle), cosine = real_cos(s->angle);
  const real turn = s->rotation * t, across = real_cos(turn), along = real_sin(turn);
  const real outward = s->rate * cosine, around = s->rotation * sine;
  const real momentum = s->bob.mass[0] * s->bob.length;
  q[0] = s->bob.length * sine * across;
  q[1] = s->bob.length * sine * along;
  q[2] = -s->bob.length * cosine;
  p[0] = momentum * (outward * across - around * along);
  p[1] = momentum * (outward * along + around * across);
  p[2] = momentum * s->rate * sine;
}

static int start_rotating_hoop(const void *context, real *q, real *p)
{
  place_rotating_hoop(context, q, p, 0);
  return 0;
}

static int at_rest(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct hoop *s = context;
  const real cosine = real_cos(s->angle), sine = real_sin(s->angle);
  place_rotating_hoop(s, q, p, t);
  /* The radial component of m q'' = -m g e_z - λ_1 q, with q'' = -Ω² R sin θ e. */
  lambda[0] = s->bob.mass[0] *
              (s->rotation * s->rotation * sine * sine + s->bob.gravity / s->bob.length * cosine);
  lambda[1] = 0;
  return 0;
}

static const char *const names[] = {"jacobi-integral"};

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct hoop *s = context;
  values[0] = real_dot(p, p, 3) / (2 * s->bob.mass[0]) + s->bob.mass[0] * s->bob.gravity * q[2] -
              s->rotation * (q[0] * p[1] - q[1] * p[0]);
  return 0;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct hoop *s = context;
  shk_bob_bind(instance, &s->bob, 3);
  const real swing = real_sqrt(s->bob.gravity / s->bob.length);
  const real fastest = real_max(swing, real_max(real_fabs(s->rotation), real_fabs(s->rate)));
  shk_set_times(instance, fastest, R(12.7));
  instance->undecidable = SHK_ONE_DEGREE_OF_FREEDOM | SHK_LINEAR_POTENTIAL | SHK_NO_REVERSAL;
  const real pull = s->rotation * s->rotation * s->bob.length * real_cos(s->angle);
  const real largest = real_max(real_fabs(pull), s->bob.gravity);
  const real sine = real_sin(s->angle);
  if (s->rate == 0 && (real_fabs(sine) < 8 * REAL_EPSILON ||
                       real_fabs(pull - s->bob.gravity) <= 8 * REAL_EPSILON * largest)) {
    instance->exact = at_rest;
    instance->undecidable |= SHK_SYMMETRIC_START;
  } else if (s->rate == 0 || real_fabs(sine) < 8 * REAL_EPSILON) {
    /* the initial state is a turning point, or there is no tangential force */
    instance->undecidable |= SHK_SYMMETRIC_START;
  }
  instance->start = start_rotating_hoop;
  instance->picture = shk_bob_picture(3);
  shk_set_invariants(instance, 1, names, invariants);
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_REAL(hoop, bob.length, "radius", "1", "radius R of the hoop", SHK_POSITIVE),
    SHK_REAL(hoop, bob.mass[0], "mass", "1", "mass m of the bead", SHK_POSITIVE),
    SHK_GRAVITY(hoop, bob.gravity),
    SHK_REAL(hoop, rotation, "rotation", "1.7",
             "rotation rate Ω about the upward vertical, in radians per unit time"),
    SHK_ANGLE(hoop, angle, "angle", "0.6", "initial angle θ from the downward vertical"),
    SHK_ANGULAR_RATE(hoop, rate, "0.5"),
    {0}};

static const struct shk_system rotating_hoop_system = {.n = 3,
                                                       .m = 2,
                                                       .features = SHK_RHEONOMIC,
                                                       SHK_BOB_POTENTIAL,
                                                       SHK_CONSTRAINT,
                                                       .constraint_rate = constraint_rate,
                                                       SHK_PATTERN};

SHK_PROVIDE_PROBLEM(
    rotating_hoop, hoop, &rotating_hoop_system, .name = "rotating-hoop",
    .family = "pendulums and chains",
    .summary = "bead on a hoop that rotates about the vertical: a constraint that depends on time",
    .equations = "H = |p|²/(2m) + m g z\n"
                 "0 = ½ (|q|² - R²),  0 = y cos Ωt - x sin Ωt\n"
                 "Jacobi's integral: H - Ω (x p_y - y p_x)\n"
                 "exact: at rest on the hoop where cos θ = g/(Ω² R), at its top and bottom",
    .citation = "H. Goldstein, Ch. Poole & J. Safko, Classical Mechanics, 3rd ed., "
                "Addison-Wesley 2002, §2.7 and exercise 2.18",
    .units = "any consistent units; dimensionless by default",
    .coordinates = "q = (x, y, z), z upwards, at rest in space; the hoop's centre is at the "
                   "origin, and its plane is the x-z plane at the start");

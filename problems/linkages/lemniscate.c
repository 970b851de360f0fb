/*
 * A bead on Bernoulli's lemniscate that passes through the crossing, where the constraint gradient
 * vanishes.
 *
 *     H = |p|²/(2m) + m g y          0 = (x² + y²)² - a² (x² - y²)
 *     G = (4x(x² + y²) - 2a²x, 4y(x² + y²) + 2a²y),  zero at the origin
 *
 * The constraint force is -Gᵀλ. Without gravity, the bead moves at constant speed v. With the arc
 * length s = s₀ + v t from the crossing, u = √2 s/a, and Jacobi's functions of modulus 1/√2,
 *
 *     x = (a/2) sn u/dn² u,   y = (a/2) sn u cn u/dn² u,   x² + y² = (a²/2) (sn u/dn u)²
 *     λ = 3 m v²/(2a⁴)
 *
 * because the curvature is 3r/a² and |G| = 2a²r at distance r. λ therefore stays constant as the
 * bead passes through the crossing. It reaches the crossing at u = 2jK(1/√2) and passes through it
 * alternately along the two lines at 45°. The other branch turns by 90° at the crossing.
 *
 * Source: C. L. Siegel, Topics in Complex Function Theory, vol. I, Wiley 1969, ch. 1 (arc length).
 * The formula for the multiplier is ours.
 */
#include "problems/kit/elliptic.h"
#include "problems/kit/problem.h"

struct lemniscate {
  struct shk_bob bob; /* the constant a is stored as the length of the bob */
  real arc, speed;
  real k1;     /* 1/√2; the modulus and its complement are equal */
  real period; /* 2K, in u */
};

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct lemniscate *s = context;
  const real x = q[0], y = q[1], square = x * x + y * y;
  g[0] = square * square - s->bob.length * s->bob.length * (x - y) * (x + y);
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct lemniscate *s = context;
  const real square = real_dot(q, q, 2), a2 = s->bob.length * s->bob.length;
  values[0] = q[0] * (4 * square - 2 * a2);
  values[1] = q[1] * (4 * square + 2 * a2);
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct lemniscate *s = context;
  const real square = real_dot(q, q, 2), a2 = s->bob.length * s->bob.length,
             along = real_dot(q, v, 2);
  out[0] =
      8 * along * along + 4 * square * real_dot(v, v, 2) - 2 * a2 * (v[0] - v[1]) * (v[0] + v[1]);
  return 0;
}

/* Stores the position and momentum at the arc length s₀ + `moved` for the given speed. */
static void place_lemniscate(const struct lemniscate *s, real *q, real *p, real moved)
{
  real sn, cn, dn;
  shk_jacobi(&sn, &cn, &dn, (s->arc + moved) * real_sqrt(R(2.0)) / s->bob.length, s->k1);
  const real d2 = dn * dn, d4 = d2 * d2, half = s->bob.length / 2;
  q[0] = half * sn / d2;
  q[1] = half * sn * cn / d2;
  /* d/du with sn' = cn dn, cn' = -sn dn, dn' = -½ sn cn; u' = √2 v/a. */
  const real x = dn * cn * (d2 + sn * sn) / d4;
  const real y = dn * ((cn - sn) * (cn + sn) * d2 + sn * sn * cn * cn) / d4;
  const real factor = s->bob.mass[0] * s->speed / real_sqrt(R(2.0));
  p[0] = factor * x;
  p[1] = factor * y;
}

static int start_lemniscate(const void *context, real *q, real *p)
{
  place_lemniscate(context, q, p, 0);
  return 0;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct lemniscate *s = context;
  const real a2 = s->bob.length * s->bob.length;
  place_lemniscate(s, q, p, s->speed * t);
  lambda[0] = 3 * s->bob.mass[0] * s->speed * s->speed / (2 * a2 * a2);
  return 0;
}

static int crossings(const void *context, real *times, int limit, real until)
{
  const struct lemniscate *s = context;
  enum { MOST = 1000000 };
  int count = 0;
  if (s->speed == 0)
    return 0;
  const real each = s->period * s->bob.length / real_sqrt(R(2.0)), speed = real_fabs(s->speed);
  const real arc = s->speed < 0 ? -s->arc : s->arc;
  for (real j = real_floor(arc / each);; j++) {
    const real t = (j * each - arc) / speed;
    if (!(t <= until) || count == MOST)
      return count;
    if (t > 0 && count++ < limit)
      times[count - 1] = t;
  }
}

static const char *const branch_names[] = {"turning"};

/* Stores ±1: the sense of rotation around the bead's lobe, times the sign of x. G points out of
 * both lobes. If the bead goes straight through the crossing, both factors change sign; if it turns
 * there, only one of them does. */
static int branch(const void *context, real *values, real t, const real *q, const real *p)
{
  real G[2];
  jacobian(context, G, t, q);
  const real along = (G[0] * p[1] - G[1] * p[0]) * q[0];
  const real size = shk_distance(NULL, G, 2) * shk_distance(NULL, p, 2) * real_fabs(q[0]);
  values[0] = size > 0 ? along / size : 0;
  return 0;
}

static const struct shk_picture picture = {SHK_PICTURE_PLANE(1)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct lemniscate *s = context;
  shk_bob_bind(instance, &s->bob, 2);
  s->arc *= s->bob.length;
  s->k1 = real_sqrt(R(0.5));
  s->period = 2 * shk_elliptic_complete(s->k1);
  /* The curvature is 3r/a², which is at most 3/a. The rate of free fall is √(g/a). */
  const real fastest =
      real_max(2 * real_fabs(s->speed) / s->bob.length, real_sqrt(s->bob.gravity / s->bob.length));
  shk_set_times(instance, fastest, R(17.3));
  instance->undecidable = SHK_ONE_DEGREE_OF_FREEDOM | SHK_LINEAR_POTENTIAL;
  if (s->bob.gravity == 0)
    instance->undecidable |= SHK_FREE_MOTION;
  if (s->arc == 0 || s->speed == 0)
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start_lemniscate;
  instance->picture = &picture;
  if (s->bob.gravity == 0) {
    instance->exact = exact;
    instance->crossings = crossings;
  }
  shk_set_branch(instance, branch_names, branch);
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_REAL(lemniscate, bob.length, "size", "1",
             "distance a from the crossing to the far end of a lobe", SHK_POSITIVE),
    SHK_MASS(lemniscate, bob.mass[0]),
    SHK_REAL(lemniscate, bob.gravity, "gravity", "0",
             "acceleration g along -y; there is an exact solution only if it is 0", .minimum = "0"),
    SHK_REAL(lemniscate, arc, "position", "-0.6",
             "initial arc length s₀/a from the crossing; 0 is the crossing itself, where the bead "
             "moves along x = y"),
    SHK_REAL(lemniscate, speed, "speed", "1", "initial velocity v along the curve"),
    {0}};

static const struct shk_system lemniscate_system = {
    .n = 2, .m = 1, SHK_BOB_POTENTIAL, SHK_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    lemniscate, lemniscate, &lemniscate_system, .name = "lemniscate", .family = "linkages",
    .summary = "a bead that passes through the crossing of Bernoulli's lemniscate; exact solution "
               "without gravity",
    .equations = "H = |p|²/(2m) + m g y\n"
                 "0 = (x² + y²)² - a² (x² - y²),  no gradient at the origin\n"
                 "g = 0: u = √2 (s₀ + v t)/a, x = (a/2) sn u/dn² u, "
                 "y = (a/2) sn u cn u/dn² u, λ = 3mv²/(2a⁴)",
    .citation = "C. L. Siegel, Topics in Complex Function Theory, vol. I, Wiley 1969, "
                "ch. 1, for the arc length; the problem is our own",
    .units = "dimensionless", .coordinates = "q = (x, y), y upwards, the lobes along x");

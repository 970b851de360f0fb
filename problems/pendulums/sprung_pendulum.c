/*
 * A planar pendulum whose bob is connected to a fixed point a by a spring:
 *
 *     H = |p|²/(2m) + m g y + ½ k (|q - a| - l)²        0 = ½ (x² + y² - L²)
 *
 * This is the simplest problem with a nonlinear potential. On this problem, the flows of the
 * Verlet, midpoint and Gauss methods differ, and a method that evaluates the force at the wrong
 * point gives visibly different results. q = (x,y) = L (sin θ, -cos θ), y points up, and the
 * constraint force is -Gᵀλ. The angle θ is the only degree of freedom; the solution by quadrature
 * is not implemented. The problem is the standard planar pendulum with a linear spring. The
 * parameters are ours.
 */
#include "problems/kit/problem.h"

struct sprung {
  struct shk_bob bob;
  real stiffness, rest, anchor[2], angle, rate;
  struct shk_picture picture;
  real fixed[4]; /* the pivot and the anchor */
};

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct sprung *s = context;
  const real stretch = shk_distance(s->anchor, q, 2) - s->rest;
  *value = s->bob.mass[0] * s->bob.gravity * q[1] + s->stiffness * stretch * stretch / 2;
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct sprung *s = context;
  const real length = shk_distance(s->anchor, q, 2);
  real pull = s->stiffness; /* factor by which q - a is multiplied to obtain the force */
  if (s->rest != 0 && s->stiffness != 0) {
    if (length == 0)
      /* the direction is undefined; the failure is recoverable because another step may avoid this
       * point */
      return 1;
    pull *= 1 - s->rest / length;
  }
  out[0] = pull * (q[0] - s->anchor[0]);
  out[1] = pull * (q[1] - s->anchor[1]) + s->bob.mass[0] * s->bob.gravity;
  return 0;
}

static int start_sprung_pendulum(const void *context, real *q, real *p)
{
  const struct sprung *s = context;
  shk_bob_place(&s->bob, q, p, real_sin(s->angle), real_cos(s->angle), s->rate);
  return 0;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct sprung *s = context;
  shk_bob_bind(instance, &s->bob, 2);
  const real stiff = s->bob.gravity / s->bob.length + s->stiffness / s->bob.mass[0];
  const real fastest = real_max(real_sqrt(stiff), real_fabs(s->rate));
  /* The horizon is between two and three oscillations. With the default parameters, the state at
   * the horizon is not a mirror image of the initial state, and the pendulum is neither at a
   * turning point nor at its lowest point. */
  shk_set_times(instance, fastest, R(12.3));
  instance->undecidable = SHK_ONE_DEGREE_OF_FREEDOM;
  if (s->stiffness == 0)
    instance->undecidable |= SHK_LINEAR_POTENTIAL;
  if (s->stiffness == 0 && s->bob.gravity == 0)
    instance->undecidable |= SHK_FREE_MOTION;
  real q[2], p[2], force[2];
  start_sprung_pendulum(s, q, p);
  if (gradient(s, force, 0, q) != 0)
    return shk_failure(SHK_BAD_INPUT, "the bob starts at the spring's anchor", 0, 0);
  /* The pendulum starts at rest, or at a point where the force has no tangential component. */
  const real turning = q[0] * force[1] - q[1] * force[0];
  const real size = s->bob.length * shk_distance(NULL, force, 2);
  if (s->rate == 0 || real_fabs(turning) <= 8 * REAL_EPSILON * size)
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start_sprung_pendulum;
  static const struct shk_picture_line lines[] = {{-1, 0, false}, {-2, 0, true}};
  s->fixed[2] = s->anchor[0];
  s->fixed[3] = s->anchor[1];
  s->picture = (struct shk_picture){SHK_PICTURE_PLANE(1), SHK_PICTURE_FIXED(2, s->fixed),
                                    .line_count = s->stiffness != 0 ? 2 : 1, .lines = lines};
  instance->picture = &s->picture;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_BOB(sprung, bob),
    SHK_REAL(sprung, stiffness, "stiffness", "2", "stiffness k of the spring", .minimum = "0"),
    SHK_REAL(sprung, rest, "rest", "0.5", "natural length l of the spring", .minimum = "0"),
    SHK_REAL(sprung, anchor[0], "anchor-x", "1.2", "x of the fixed end a of the spring"),
    SHK_REAL(sprung, anchor[1], "anchor-y", "0.7", "y of the fixed end a of the spring"),
    SHK_ANGLE(sprung, angle, "angle", "0.7",
              "initial angle from the downward vertical, towards +x"),
    SHK_ANGULAR_RATE(sprung, rate, "1.1"),
    {0}};

static const struct shk_system sprung_pendulum_system = {
    .n = 2, .m = 1, SHK_POTENTIAL, SHK_BOB_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    sprung_pendulum, sprung, &sprung_pendulum_system, .name = "sprung-pendulum",
    .family = "pendulums and chains",
    .summary = "planar pendulum with a spring to a fixed point: the simplest nonlinear "
               "potential",
    .equations = "H = |p|²/(2m) + m g y + ½ k (|q - a| - l)²\n"
                 "0 = ½ (x² + y² - L²)\n"
                 "start: q = L (sin angle, -cos angle), v = rate L (cos angle, sin angle)",
    .citation = "the planar pendulum of Hairer, Lubich & Wanner, Geometric Numerical "
                "Integration, 2nd ed., Springer 2006, §VII.1, and a linear spring",
    .units = "any consistent units; dimensionless by default",
    .coordinates = "q = (x, y), y upwards, the pivot at the origin");

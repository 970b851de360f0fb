/* bead.c: a bead on the curve y = x⁴, held by a spring.
 *
 *     H = (px² + py²)/2 + y + stiffness x²/2,     g = y - x⁴ = 0
 *
 * This is the same problem as examples/python/bead.py and examples/external/bead.py.
 *
 *     shakedown plugin build bead.c
 *     shakedown diagnose bead --plugin ./bead.so */
#include <shakedown/plugin.h>

struct bead {
  real mass[2], stiffness, rate;
};

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct bead *s = context;
  (void)t;
  *value = q[1] + s->stiffness * q[0] * q[0] / 2;
  return 0;
}

static int gradient(const void *context, real *gradient, real t, const real *q)
{
  const struct bead *s = context;
  (void)t;
  gradient[0] = s->stiffness * q[0];
  gradient[1] = 1;
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  (void)context;
  (void)t;
  g[0] = q[1] - q[0] * q[0] * q[0] * q[0];
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  (void)context;
  (void)t;
  values[0] = -4 * q[0] * q[0] * q[0];
  values[1] = 1;
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  (void)context;
  (void)t;
  out[0] = -12 * q[0] * q[0] * v[0] * v[0];
  return 0;
}

static int start(const void *context, real *q, real *p)
{
  const struct bead *s = context;
  q[0] = q[1] = 1;
  p[0] = s->rate;
  p[1] = 4 * s->rate; /* tangent: y' = 4 x³ x' */
  return 0;
}

/* Sets the remaining members of the instance for the parameters stored in the struct. */
static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct bead *s = context;
  s->mass[0] = s->mass[1] = 1;
  instance->system.mass = s->mass;
  instance->time_scale = 1;
  instance->horizon = R(5.3);
  instance->undecidable = SHK_ONE_DEGREE_OF_FREEDOM;
  instance->start = start;
  return shk_ok();
}

/* The arguments for each parameter are the struct and the member that store it, its name, its
 * default and its meaning. */
static const struct shk_option options[] = {
    SHK_REAL(bead, stiffness, "stiffness", "2", "spring stiffness", SHK_POSITIVE),
    SHK_REAL(bead, rate, "rate", "0.3", "x' at the start"),
    {0}};

/* The part of the system that does not depend on the parameters. */
static const struct shk_system bead_system = {.n = 2,
                                              .m = 1,
                                              .potential = potential,
                                              .gradient = gradient,
                                              .constraint = constraint,
                                              .jacobian = jacobian,
                                              .curvature = curvature};

SHK_PROVIDE_PROBLEM(bead, bead, &bead_system, .name = "bead",
                    .summary = "a bead on the curve y = x⁴, held by a spring",
                    .equations = "H = (px² + py²)/2 + y + stiffness x²/2,  g = y - x⁴",
                    .citation = "an elementary example", .units = "dimensionless",
                    .coordinates = "q = (x, y), y upwards");

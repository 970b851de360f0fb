/*
 * A point (x, y, z, w) with unit mass and two conditions: w = x²/2, and one on (y, z) that `form`
 * chooses. The gradient of the latter vanishes wherever it holds, or where the start is only:
 *
 *     square    y²/2 = 0                  fourth    y⁴/4 = 0
 *     bead      (y² + z²)/2 = 0           weighted  (1 + x²) (y - z)²/2 = 0
 *     crossing  y z = 0                   plane     y = 0
 */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include <shakedown/plugin.h>

#include <string.h>

enum form { SQUARE, FOURTH, BEAD, WEIGHTED, CROSSING, PLANE };

struct squares {
  int form;
};

static int potential(const void *context, real *value, real t, const real *q)
{
  *value = q[0] * q[0] / 2 + q[1] + q[2] * q[3];
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  out[0] = q[0];
  out[1] = 1;
  out[2] = q[3];
  out[3] = q[2];
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const real y = q[1], z = q[2], u = y - z;
  const real forms[] = {[SQUARE] = y * y / 2,         [FOURTH] = y * y * y * y / 4,
                        [BEAD] = (y * y + z * z) / 2, [WEIGHTED] = (1 + q[0] * q[0]) * u * u / 2,
                        [CROSSING] = y * z,           [PLANE] = y};
  g[0] = forms[((const struct squares *)context)->form];
  g[1] = q[3] - q[0] * q[0] / 2;
  return 0;
}

static int jacobian(const void *context, real *G, real t, const real *q)
{
  const real x = q[0], y = q[1], z = q[2], u = y - z, h = 1 + x * x;
  const real forms[][3] = {[SQUARE] = {0, y, 0},   [FOURTH] = {0, y * y * y, 0},
                           [BEAD] = {0, y, z},     [WEIGHTED] = {x * u * u, h * u, -h * u},
                           [CROSSING] = {0, z, y}, [PLANE] = {0, 1, 0}};
  memset(G, 0, 8 * sizeof *G);
  memcpy(G, forms[((const struct squares *)context)->form], sizeof forms[0]);
  G[4] = -x;
  G[7] = 1;
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const real x = q[0], y = q[1], u = y - q[2], du = v[1] - v[2];
  const real forms[] = {[SQUARE] = v[1] * v[1],
                        [FOURTH] = 3 * y * y * v[1] * v[1],
                        [BEAD] = v[1] * v[1] + v[2] * v[2],
                        [WEIGHTED] =
                            (1 + x * x) * du * du + 4 * x * v[0] * u * du + u * u * v[0] * v[0],
                        [CROSSING] = 2 * v[1] * v[2],
                        [PLANE] = 0};
  out[0] = forms[((const struct squares *)context)->form];
  out[1] = -v[0] * v[0];
  return 0;
}

static int start(const void *context, real *q, real *p)
{
  static const real at[] = {1, 0, 0, R(0.5)}, momentum[] = {R(0.3), 0, 0, R(0.3)};
  memcpy(q, at, sizeof at);
  memcpy(p, momentum, sizeof momentum);
  return 0;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  static const real mass[] = {1, 1, 1, 1};
  instance->system.mass = mass;
  instance->time_scale = 1;
  instance->horizon = R(3.7);
  instance->start = start;
  return shk_ok();
}

static const struct shk_choice forms[] = {{.name = "square"},
                                          {.name = "fourth"},
                                          {.name = "bead"},
                                          {.name = "weighted"},
                                          {.name = "crossing"},
                                          {.name = "plane"},
                                          {0}};
static const struct shk_option options[] = {SHK_CHOICE(squares, form, "form", forms, "square",
                                                       "the condition on y and z",
                                                       .positional = true),
                                            {0}};

static const struct shk_system squares_system = {.n = 4,
                                                 .m = 2,
                                                 .potential = potential,
                                                 .gradient = gradient,
                                                 .constraint = constraint,
                                                 .jacobian = jacobian,
                                                 .curvature = curvature};

SHK_PROVIDE_PROBLEM(squares, squares, &squares_system, .name = "squares",
                    .summary = "conditions whose gradients vanish where they hold");

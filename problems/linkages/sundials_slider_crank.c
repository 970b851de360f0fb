/*
 * The slider crank from the SUNDIALS examples, with a spring and a damper between the midpoints of
 * the crank and the rod, and with a constant force:
 *
 *     H = p_q²/(2 J1) + p_x²/(2 m2) + p_p²/(2 J2) + ½ k (l - 1)² - F (x + cos p)
 *     Q = -c l' l_q
 *     0 = x - cos p - a cos q,     0 = -sin p - a sin q
 *
 * with q = (q, x, p): the crank angle, the slider position, and the rod angle. The crank has length
 * a and the rod has length 1. J1 = 1, m2 = 1, J2 = 2, and l is the distance between the midpoints,
 *
 *     l² = (x - ½ cos p - ½ a cos q)² + ¼ (sin p + a sin q)².
 *
 * The constraint force is -Gᵀλ, as in the source. There is one degree of freedom, and the damper
 * dissipates energy. The mechanism starts at rest with the crank upright. All quantities are
 * dimensionless.
 *
 * Source: R. Serban, examples/ida/serial/idaSlCrank_dns.c of SUNDIALS (A. C. Hindmarsh et al., ACM
 * Trans. Math. Software 31 (2005) 363), whose output has five digits.
 */
#include "problems/kit/problem.h"

#include <string.h>

enum { CRANK, SLIDER, ROD, COORDINATES };

struct slider_crank {
  real mass[COORDINATES];
  real crank, stiffness, damping, force;
};

#define SPRING_REST 1

/* Computes the length l of the spring, its gradient and its Hessian from the derivatives of w = l²:
 * l_i = w_i/(2l), l_ij = (w_ij/2 - l_i l_j)/l. */
static void spring_length(const struct slider_crank *s, real *length, real *slope, real *second,
                          const real *q)
{
  const real a = s->crank, x = q[SLIDER];
  const real s1 = real_sin(q[CRANK]), c1 = real_cos(q[CRANK]);
  const real s2 = real_sin(q[ROD]), c2 = real_cos(q[ROD]);
  const real across = s2 * c1 - c2 * s1, along = c2 * c1 + s2 * s1;
  const real dx = x - (c2 + a * c1) / 2, dy = (s2 + a * s1) / 2;
  const real half[COORDINATES] = {a * (x * s1 + across / 2) / 2, dx, (x * s2 - a * across / 2) / 2};
  /* ½ w_ij: crank-crank, crank-slider, crank-rod, slider-slider, slider-rod, rod-rod */
  const real seconds[6] = {a * (x * c1 - along / 2) / 2, a * s1 / 2, a * along / 4, 1, s2 / 2,
                           (x * c2 - a * along / 2) / 2};
  *length = real_sqrt(dx * dx + dy * dy);
  for (int i = 0; i < COORDINATES; i++)
    slope[i] = half[i] / *length;
  for (int i = 0, k = 0; second && i < COORDINATES; i++)
    for (int j = i; j < COORDINATES; j++, k++)
      second[i * COORDINATES + j] = second[j * COORDINATES + i] =
          (seconds[k] - slope[i] * slope[j]) / *length;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct slider_crank *s = context;
  real length, slope[COORDINATES];
  spring_length(s, &length, slope, NULL, q);
  const real stretch = length - SPRING_REST;
  *value = s->stiffness * stretch * stretch / 2 - s->force * (q[SLIDER] + real_cos(q[ROD]));
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct slider_crank *s = context;
  real length, slope[COORDINATES];
  spring_length(s, &length, slope, NULL, q);
  for (int i = 0; i < COORDINATES; i++)
    out[i] = s->stiffness * (length - SPRING_REST) * slope[i];
  out[SLIDER] -= s->force;
  out[ROD] += s->force * real_sin(q[ROD]);
  return 0;
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct slider_crank *s = context;
  enum { STRIDE = 2 * COORDINATES };
  real length, slope[COORDINATES], second[COORDINATES * COORDINATES];
  spring_length(s, &length, slope, second, q);
  memset(out, 0, STRIDE * STRIDE * sizeof *out);
  for (int i = 0; i < COORDINATES; i++) {
    for (int j = 0; j < COORDINATES; j++)
      out[i * STRIDE + j] = s->stiffness * (slope[i] * slope[j] +
                                            (length - SPRING_REST) * second[i * COORDINATES + j]);
    out[(COORDINATES + i) * STRIDE + COORDINATES + i] = 1 / s->mass[i];
  }
  out[ROD * STRIDE + ROD] += s->force * real_cos(q[ROD]);
  return 0;
}

static int force(const void *context, real *Q, real t, const real *q, const real *p)
{
  const struct slider_crank *s = context;
  real length, slope[COORDINATES], rate = 0;
  spring_length(s, &length, slope, NULL, q);
  for (int i = 0; i < COORDINATES; i++)
    rate += slope[i] * p[i] / s->mass[i];
  for (int i = 0; i < COORDINATES; i++)
    Q[i] = -s->damping * rate * slope[i];
  return 0;
}

static int force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                           const real *p)
{
  const struct slider_crank *s = context;
  real length, slope[COORDINATES], second[COORDINATES * COORDINATES], turn[COORDINATES], rate = 0;
  spring_length(s, &length, slope, second, q);
  for (int i = 0; i < COORDINATES; i++) {
    rate += slope[i] * p[i] / s->mass[i];
    turn[i] = 0; /* derivative of l' with respect to coordinate i */
    for (int j = 0; j < COORDINATES; j++)
      turn[i] += second[i * COORDINATES + j] * p[j] / s->mass[j];
  }
  for (int i = 0; i < COORDINATES; i++)
    for (int j = 0; j < COORDINATES; j++) {
      Q_q[i * COORDINATES + j] =
          -s->damping * (slope[i] * turn[j] + rate * second[i * COORDINATES + j]);
      Q_p[i * COORDINATES + j] = -s->damping * slope[i] * slope[j] / s->mass[j];
    }
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct slider_crank *s = context;
  g[0] = q[SLIDER] - real_cos(q[ROD]) - s->crank * real_cos(q[CRANK]);
  g[1] = -real_sin(q[ROD]) - s->crank * real_sin(q[CRANK]);
  return 0;
}

static int jacobian(const void *context, real *G, real t, const real *q)
{
  const struct slider_crank *s = context;
  G[CRANK] = s->crank * real_sin(q[CRANK]);
  G[SLIDER] = 1;
  G[ROD] = real_sin(q[ROD]);
  G[COORDINATES + CRANK] = -s->crank * real_cos(q[CRANK]);
  G[COORDINATES + SLIDER] = 0;
  G[COORDINATES + ROD] = -real_cos(q[ROD]);
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct slider_crank *s = context;
  const real crank = s->crank * v[CRANK] * v[CRANK], rod = v[ROD] * v[ROD];
  out[0] = crank * real_cos(q[CRANK]) + rod * real_cos(q[ROD]);
  out[1] = crank * real_sin(q[CRANK]) + rod * real_sin(q[ROD]);
  return 0;
}

static int start_sundials_slider_crank(const void *context, real *q, real *p)
{
  const struct slider_crank *s = context;
  q[CRANK] = REAL_PI / 2;
  q[ROD] = real_asin(-s->crank);
  q[SLIDER] = real_cos(q[ROD]);
  for (int i = 0; i < COORDINATES; i++)
    p[i] = 0;
  return 0;
}

/* Stores the positions of the midpoints of the crank and the rod, of the slider, and of the crank
 * pin. */
static int draw_points(const void *context, real *r, real t, const real *q)
{
  const struct slider_crank *s = context;
  r[6] = s->crank * real_cos(q[CRANK]);
  r[7] = s->crank * real_sin(q[CRANK]);
  r[4] = q[SLIDER];
  r[5] = 0;
  r[0] = r[6] / 2;
  r[1] = r[7] / 2;
  r[2] = q[SLIDER] - real_cos(q[ROD]) / 2;
  r[3] = -real_sin(q[ROD]) / 2;
  return 0;
}

static const real shaft[2] = {0, 0};
static const struct shk_picture_line lines[] = {{-1, 3, false}, {3, 2, false}, {0, 1, true}};
static const struct shk_picture picture = {SHK_PICTURE_PLANE(4), .place = draw_points,
                                           SHK_PICTURE_FIXED(1, shaft), SHK_PICTURE_LINES(lines)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct slider_crank *s = context;
  s->mass[CRANK] = s->mass[SLIDER] = 1;
  s->mass[ROD] = 2;
  instance->system.mass = s->mass;
  if (s->damping > 0) {
    instance->system.features = SHK_FORCES;
    instance->system.force = force;
    instance->system.force_gradients = force_gradients;
    instance->system.hessian = hessian;
  }
  const real strongest =
      real_max(1, real_max(s->stiffness, real_max(s->damping, real_fabs(s->force))));
  shk_set_times(instance, real_sqrt(strongest), R(8.3));
  instance->undecidable = SHK_ONE_DEGREE_OF_FREEDOM | SHK_SYMMETRIC_START;
  if (s->damping > 0)
    instance->undecidable |= SHK_NO_REVERSAL;
  instance->start = start_sundials_slider_crank;
  instance->picture = &picture;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_REAL(slider_crank, crank, "crank", "0.5",
             "length of the crank; the mechanism locks unless this is less than 1, the length of "
             "the rod",
             .minimum = "0.01", .maximum = "0.9"),
    SHK_REAL(slider_crank, stiffness, "stiffness", "1", "stiffness of the spring", .minimum = "0"),
    SHK_REAL(slider_crank, damping, "damping", "1", "coefficient of the damper; 0 conserves energy",
             .minimum = "0"),
    SHK_REAL(slider_crank, force, "force", "1", "force along x"),
    {0}};

static const struct shk_system sundials_slider_crank_system = {
    .n = COORDINATES, .m = 2, SHK_POTENTIAL, SHK_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    sundials_slider_crank, slider_crank, &sundials_slider_crank_system,
    .name = "sundials-slider-crank", .family = "linkages",
    .summary = "slider crank with a spring and a damper, from the SUNDIALS examples",
    .equations = "H = p_q²/(2 J1) + p_x²/(2 m2) + p_p²/(2 J2) + ½ k (l - 1)² "
                 "- F (x + cos p)\n"
                 "Q = -c l' l_q,  l: distance between the midpoints of crank and rod\n"
                 "0 = x - cos p - a cos q,  0 = -sin p - a sin q",
    .citation = "R. Serban, idaSlCrank_dns.c in SUNDIALS (A. C. Hindmarsh et al., ACM "
                "Trans. Math. Software 31 (2005) 363)",
    .units = "dimensionless",
    .coordinates = "q = (q, x, p): angle of the crank, position of the slider, angle of the rod");

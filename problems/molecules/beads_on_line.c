/*
 * Three beads on a line at fixed spacings, in a periodic potential; the simplest redundant
 * constraints.
 *
 *     H = Σ p_i²/(2m_i) + κ Σ (1 - cos q_i)
 *     0 = q_2 - q_1 - a,   0 = q_3 - q_2 - b,   and with redundant = yes   0 = q_3 - q_1 - (a + b)
 *
 * The third row is the sum of the first two: G has rank 2, λ is not unique while Gᵀλ and the motion
 * are. Constraint force -Gᵀλ. With q_1 = X, S = Σ sin o_i, C = Σ cos o_i over the offsets
 * o = (0, a, a+b), R² = C² + S² and cos δ = C/R, sin δ = S/R,
 *
 *     (m_1 + m_2 + m_3) X'' = -κ Σ sin(X + o_i) = -κ R sin(X + δ)
 *
 * a pendulum's motion, exact by elliptic functions. The multipliers of the first two rows alone are
 * λ_1 = m_1 X'' + κ sin q_1 and λ_2 = -m_3 X'' - κ sin q_3. To them the redundant problem adds
 * c (1,1,-1); of all these the exact solution is the one that is shortest in the rows' own scale,
 * least Σ d_i² λ_i² with d_i the length of row i of G M^(-1/2), which linear=svd takes too.
 *
 * Source: the rows are a textbook's example of redundancy (three beads on a line); potential,
 * solution and multipliers are ours.
 */
#include "problems/kit/planar_pendulum.h"
#include <shakedown/distance.h>
#include <shakedown/plugin.h>

#include <stdlib.h>

struct beads {
  real mass[3], offset[3], strength, position, speed;
  bool redundant;
  real total, phase;                /* Σ m, δ */
  struct shk_planar_pendulum swing; /* of X + δ */
};

/* Rows of three entries each, the redundant one last. */
static const signed char rows[3][3] = {{-1, 1, 0}, {0, -1, 1}, {-1, 0, 1}};

static int row_count(const struct beads *s)
{
  return s->redundant ? 3 : 2;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct beads *s = context;
  (void)t;
  *value = 0;
  for (int i = 0; i < 3; i++)
    *value += s->strength * (1 - real_cos(q[i]));
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct beads *s = context;
  (void)t;
  for (int i = 0; i < 3; i++)
    out[i] = s->strength * real_sin(q[i]);
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct beads *s = context;
  (void)t;
  for (int i = 0; i < row_count(s); i++) {
    g[i] = 0;
    for (int j = 0; j < 3; j++)
      g[i] += rows[i][j] * (q[j] - s->offset[j]);
  }
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct beads *s = context;
  (void)t, (void)q;
  for (int i = 0; i < row_count(s); i++)
    for (int j = 0; j < 3; j++)
      values[3 * i + j] = rows[i][j];
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  (void)t, (void)q, (void)v;
  for (int i = 0; i < row_count(context); i++)
    out[i] = 0;
  return 0;
}

static void place(const struct beads *s, real *q, real *p, real x, real rate)
{
  for (int i = 0; i < 3; i++) {
    q[i] = x + s->offset[i];
    p[i] = s->mass[i] * rate;
  }
}

static int start(const void *context, real *q, real *p)
{
  const struct beads *s = context;
  place(s, q, p, s->position, s->speed);
  return 0;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct beads *s = context;
  real sine, cosine, rate, force[3], pull = 0;
  shk_planar_pendulum_at(&s->swing, &sine, &cosine, &rate, t);
  place(s, q, p, shk_planar_pendulum_angle(&s->swing, t) - s->phase, rate);
  gradient(s, force, t, q);
  for (int i = 0; i < 3; i++)
    pull -= force[i] / s->total;
  lambda[0] = s->mass[0] * pull + force[0];
  lambda[1] = -s->mass[2] * pull - force[2];
  if (!s->redundant)
    return 0;
  real over = 0, under = 0;
  lambda[2] = 0;
  for (int i = 0; i < 3; i++) {
    const real sign = i < 2 ? 1 : -1;
    real square = 0; /* d_i² */
    for (int j = 0; j < 3; j++)
      square += rows[i][j] * rows[i][j] / s->mass[j];
    over += sign * square * lambda[i];
    under += square;
  }
  for (int i = 0; i < 3; i++)
    lambda[i] -= (i < 2 ? 1 : -1) * over / under;
  return 0;
}

static struct shk_status create(struct shk_instance *instance, const struct shk_values *values)
{
  struct beads *s = calloc(1, sizeof *s);
  if (s == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for three beads", 0, 0);
  s->mass[0] = shk_values_real(values, "mass1");
  s->mass[1] = shk_values_real(values, "mass2");
  s->mass[2] = shk_values_real(values, "mass3");
  s->offset[1] = shk_values_real(values, "spacing1");
  s->offset[2] = s->offset[1] + shk_values_real(values, "spacing2");
  s->strength = shk_values_real(values, "strength");
  s->position = shk_values_real(values, "position");
  s->speed = shk_values_real(values, "speed");
  s->redundant = shk_values_flag(values, "redundant");
  real sines = 0, cosines = 0;
  for (int i = 0; i < 3; i++) {
    s->total += s->mass[i];
    sines += real_sin(s->offset[i]);
    cosines += real_cos(s->offset[i]);
  }
  const real height = real_sqrt(sines * sines + cosines * cosines);
  s->phase = height > 0 ? real_atan2(sines, cosines) : 0;
  const bool known = shk_planar_pendulum_solve(
      &s->swing, real_sqrt(s->strength * height / s->total), s->position + s->phase, s->speed);
  instance->system = (struct shk_system){.struct_size = sizeof(struct shk_system),
                                         .n = 3,
                                         .m = row_count(s),
                                         .context = s,
                                         .mass = s->mass,
                                         .potential = potential,
                                         .gradient = gradient,
                                         .constraint = constraint,
                                         .jacobian = jacobian,
                                         .curvature = curvature};
  instance->time_scale = s->swing.frequency > 0 ? 1 / s->swing.frequency : 1;
  instance->horizon = shk_short_decimal(R(8.7) * instance->time_scale);
  instance->undecidable = SHK_ONE_DEGREE_OF_FREEDOM | SHK_LINEAR_CONSTRAINTS;
  if (s->swing.motion == SHK_PENDULUM_FREE)
    instance->undecidable |= SHK_FREE_MOTION;
  if (s->strength == 0)
    instance->undecidable |= SHK_LINEAR_POTENTIAL;
  if (s->speed == 0)
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start;
  instance->exact = known ? exact : NULL;
  return shk_ok();
}

static void destroy(struct shk_instance *instance)
{
  free((void *)instance->system.context);
}

#define POSITIVE(called, standard, says)                                                           \
  {                                                                                                \
    .name = called, .kind = SHK_OPTION_REAL, .fallback = standard, .minimum = "0",                 \
    .positive = true, .meaning = says                                                              \
  }

static const struct shk_option options[] = {
    {.name = "redundant",
     .kind = SHK_OPTION_FLAG,
     .fallback = "yes",
     .meaning = "whether the distance of the outer beads is a third constraint"},
    POSITIVE("mass1", "1", "mass of the first bead"),
    POSITIVE("mass2", "2", "mass of the second"),
    POSITIVE("mass3", "1.5", "mass of the third"),
    POSITIVE("spacing1", "1", "a, from the first bead to the second"),
    POSITIVE("spacing2", "0.7", "b, from the second to the third"),
    {.name = "strength",
     .kind = SHK_OPTION_REAL,
     .fallback = "1",
     .minimum = "0",
     .meaning = "κ of the potential"},
    {.name = "position", .kind = SHK_OPTION_REAL, .fallback = "0.6", .meaning = "q_1 at the start"},
    {.name = "speed", .kind = SHK_OPTION_REAL, .fallback = "0.8", .meaning = "of all at the start"},
    {0}};

static const struct shk_problem beads_on_line = {
    .struct_size = sizeof beads_on_line,
    .info = {.name = "beads-on-line",
             .summary = "three beads on a line, three distances of which one is redundant; exact",
             .equations =
                 "H = Σ p_i²/(2m_i) + κ Σ (1 - cos q_i)\n"
                 "0 = q_2 - q_1 - a,  0 = q_3 - q_2 - b,  redundant: 0 = q_3 - q_1 - a - b\n"
                 "exact: q_1 + δ moves like a pendulum; redundant: least Σ d_i² λ_i², d_i "
                 "the length of row i of G M^(-1/2)",
             .citation = "J. García de Jalón & E. Bayo, Kinematic and Dynamic Simulation of "
                         "Multibody Systems, Springer 1994 (redundant constraints); the potential "
                         "and its solution are ours",
             .units = "dimensionless",
             .coordinates = "q = (q_1, q_2, q_3) along the line",
             .options = options},
    .create = create,
    .destroy = destroy,
};

SHK_PROVIDE(beads_on_line, .problems = SHK_PROBLEMS(&beads_on_line));

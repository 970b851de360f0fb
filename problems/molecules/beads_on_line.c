/*
 * Three beads on a line at fixed spacings, in a periodic potential. This is the simplest example of
 * redundant constraints.
 *
 *     H = Σ p_i²/(2m_i) + κ Σ (1 - cos q_i)
 *     0 = q_2 - q_1 - a,   0 = q_3 - q_2 - b,   and, with redundant = yes, 0 = q_3 - q_1 - (a + b)
 *
 * The third row is the sum of the first two, so G has rank 2. λ is then not unique, but Gᵀλ and the
 * motion are. The constraint force is -Gᵀλ. With q_1 = X, S = Σ sin o_i and C = Σ cos o_i over the
 * offsets o = (0, a, a+b), R² = C² + S² and cos δ = C/R, sin δ = S/R,
 *
 *     (m_1 + m_2 + m_3) X'' = -κ Σ sin(X + o_i) = -κ R sin(X + δ)
 *
 * is the motion of a pendulum, whose exact solution uses elliptic functions. The multipliers for
 * the first two rows alone are λ_1 = m_1 X'' + κ sin q_1 and λ_2 = -m_3 X'' - κ sin q_3. In the
 * redundant problem, any multiple of (1,1,-1) can be added to λ. The exact solution provided here
 * is the shortest λ if every row is scaled to unit length: like linear=svd, it minimizes Σ d_i²
 * λ_i², where d_i is the length of row i of G M^(-1/2).
 *
 * Source: three beads on a line are a textbook example of redundant rows. The potential, the
 * solution and the multipliers are ours.
 */
#include "problems/kit/planar_pendulum.h"
#include "problems/kit/problem.h"

struct beads {
  real mass[3], offset[3], strength, position, speed;
  bool redundant;
  real total, phase;                 /* Σ m, δ */
  struct shk_planar_pendulum motion; /* solution for the angle X + δ */
  real spacing;
};

/* The rows, with three entries each. The redundant row is the last one. */
static const signed char rows[3][3] = {{-1, 1, 0}, {0, -1, 1}, {-1, 0, 1}};

static int row_count(const struct beads *s)
{
  return s->redundant ? 3 : 2;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct beads *s = context;
  *value = 0;
  for (int i = 0; i < 3; i++)
    *value += s->strength * (1 - real_cos(q[i]));
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct beads *s = context;
  for (int i = 0; i < 3; i++)
    out[i] = s->strength * real_sin(q[i]);
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct beads *s = context;
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
  for (int i = 0; i < row_count(s); i++)
    for (int j = 0; j < 3; j++)
      values[3 * i + j] = rows[i][j];
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  for (int i = 0; i < row_count(context); i++)
    out[i] = 0;
  return 0;
}

static void place_beads_on_line(const struct beads *s, real *q, real *p, real x, real rate)
{
  for (int i = 0; i < 3; i++) {
    q[i] = x + s->offset[i];
    p[i] = s->mass[i] * rate;
  }
}

static int start_beads_on_line(const void *context, real *q, real *p)
{
  const struct beads *s = context;
  place_beads_on_line(s, q, p, s->position, s->speed);
  return 0;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct beads *s = context;
  real sine, cosine, rate, force[3], pull = 0;
  shk_planar_pendulum_at(&s->motion, &sine, &cosine, &rate, t);
  place_beads_on_line(s, q, p, shk_planar_pendulum_angle(&s->motion, t) - s->phase, rate);
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

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct beads *s = context;
  s->offset[2] = s->offset[1] + s->spacing;
  real sines = 0, cosines = 0;
  for (int i = 0; i < 3; i++) {
    s->total += s->mass[i];
    sines += real_sin(s->offset[i]);
    cosines += real_cos(s->offset[i]);
  }
  const real height = real_sqrt(sines * sines + cosines * cosines);
  s->phase = height > 0 ? real_atan2(sines, cosines) : 0;
  const bool known = shk_planar_pendulum_solve(
      &s->motion, real_sqrt(s->strength * height / s->total), s->position + s->phase, s->speed);
  instance->system.m = row_count(s);
  instance->system.mass = s->mass;
  shk_set_times(instance, s->motion.frequency, R(8.7));
  instance->undecidable = SHK_ONE_DEGREE_OF_FREEDOM | SHK_LINEAR_CONSTRAINTS;
  if (s->motion.motion == SHK_PENDULUM_FREE)
    instance->undecidable |= SHK_FREE_MOTION;
  if (s->strength == 0)
    instance->undecidable |= SHK_LINEAR_POTENTIAL;
  if (s->speed == 0)
    instance->undecidable |= SHK_SYMMETRIC_START;
  if (s->redundant)
    instance->undecidable |= SHK_REDUNDANT_ROWS;
  instance->start = start_beads_on_line;
  instance->exact = known ? exact : NULL;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_FLAG(beads, redundant, "redundant", "yes",
             "distance between the outer beads as a third constraint"),
    SHK_REAL(beads, mass[0], "mass1", "1", "mass of the first bead", SHK_POSITIVE),
    SHK_REAL(beads, mass[1], "mass2", "2", "mass of the second bead", SHK_POSITIVE),
    SHK_REAL(beads, mass[2], "mass3", "1.5", "mass of the third bead", SHK_POSITIVE),
    SHK_REAL(beads, offset[1], "spacing1", "1", "distance a from the first bead to the second",
             SHK_POSITIVE),
    SHK_REAL(beads, spacing, "spacing2", "0.7", "distance b from the second bead to the third",
             SHK_POSITIVE),
    SHK_REAL(beads, strength, "strength", "1", "strength κ of the potential", .minimum = "0"),
    SHK_REAL(beads, position, "position", "0.6", "initial q_1"),
    SHK_REAL(beads, speed, "speed", "0.8", "initial velocity of all beads"),
    {0}};

static const struct shk_system beads_on_line_system = {.n = 3, SHK_POTENTIAL, SHK_CONSTRAINT};

SHK_PROVIDE_PROBLEM(beads_on_line, beads, &beads_on_line_system, .name = "beads-on-line",
                    .family = "molecules and particles",
                    .summary = "three beads on a line with three distance constraints, one of them "
                               "redundant; exact solution",
                    .equations =
                        "H = Σ p_i²/(2m_i) + κ Σ (1 - cos q_i)\n"
                        "0 = q_2 - q_1 - a,  0 = q_3 - q_2 - b,  redundant: 0 = q_3 - q_1 - a - b\n"
                        "exact: q_1 + δ moves like a pendulum; redundant: least Σ d_i² λ_i², d_i "
                        "the length of row i of G M^(-1/2)",
                    .citation = "J. García de Jalón & E. Bayo, Kinematic and Dynamic Simulation of "
                                "Multibody Systems, Springer 1994 (redundant constraints); the "
                                "potential and its solution are our own",
                    .units = "dimensionless", .coordinates = "q = (q_1, q_2, q_3) along the line");

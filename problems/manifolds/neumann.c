/*
 * Neumann's problem: a particle on the unit sphere in a quadratic potential.
 *
 *     H = ½ |p|² + ½ Σ a_i q_i²        0 = ½ (|q|² - 1)        λ = |p|² - Σ a_i q_i²
 *
 * The mass is 1, and the constraint force is -Gᵀλ. The problem is completely integrable: on |q| =
 * 1, q·p = 0, the functions
 *
 *     F_i = q_i² + Σ_{j≠i} (q_i p_j - q_j p_i)²/(a_i - a_j),    Σ F_i = 1,    Σ a_i F_i = 2H,
 *
 * are conserved and in involution. If two of the a_i are equal, the two corresponding F_i have a
 * pole and are replaced by the angular momentum q_i p_j - q_j p_i of the pair. The solution in
 * terms of hyperelliptic functions of genus two is not implemented.
 *
 * Sources: C. Neumann, J. reine angew. Math. 56 (1859) 46; J. Moser, Various aspects of
 * integrable Hamiltonian systems, in: Dynamical Systems, Birkhäuser 1980 (the F_i are K.
 * Uhlenbeck's and R. Devaney's).
 */
#include "problems/kit/problem.h"
#include "problems/kit/quadric.h"

struct neumann {
  struct shk_bob bob;
  struct shk_axes axes;
  real q[3], p[3]; /* the start */
  struct shk_direction at;
};

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct neumann *s = context;
  *value = 0;
  for (int i = 0; i < 3; i++)
    *value += s->axes.a[i] * q[i] * q[i] / 2;
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct neumann *s = context;
  for (int i = 0; i < 3; i++)
    out[i] = s->axes.a[i] * q[i];
  return 0;
}

SHK_STORED_START(neumann, 3)

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct neumann *s = context;
  shk_axes_integrals(values, &s->axes, q, p, q);
  return 0;
}

static const struct shk_picture picture = {SHK_PICTURE_SPACE(2, 1)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct neumann *s = context;
  s->bob.length = s->bob.mass[0] = 1;
  shk_bob_bind(instance, &s->bob, 3);
  shk_axes_prepare(&s->axes);
  shk_direction_place(&s->at, 1, s->q, s->p);
  const real *a = s->axes.a;
  const real least = real_min(a[0], real_min(a[1], a[2])),
             most = real_max(a[0], real_max(a[1], a[2]));
  const real speed = shk_distance(NULL, s->p, 3);
  const real fastest = real_max(real_sqrt(most - least), speed);
  shk_set_times(instance, fastest, R(11.3));
  if (least == most) /* the potential is then constant on the sphere */
    instance->undecidable |= SHK_FREE_MOTION;
  real force[3], turn[3];
  gradient(s, force, 0, s->q);
  shk_cross(turn, s->q, force);
  if (speed == 0 || shk_distance(NULL, turn, 3) <= 8 * REAL_EPSILON * (most - least))
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start;
  instance->picture = &picture;
  shk_set_invariants(instance, s->axes.count, s->axes.names, invariants);
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_REAL(neumann, axes.a[0], "a1", "1", "coefficient of q1² in twice the potential"),
    SHK_REAL(neumann, axes.a[1], "a2", "2.3", "coefficient of q2²"),
    SHK_REAL(neumann, axes.a[2], "a3", "4.1", "coefficient of q3²"),
    SHK_ANGLE(neumann, at.polar, "polar", "1.1", "initial angle from the -q3 direction"),
    SHK_ANGLE(neumann, at.azimuth, "azimuth", "0.4", "initial angle about q3, from +q1"),
    SHK_DIRECTION_RATES(neumann, at, "0.3", "0.9"),
    {0}};

static const struct shk_system neumann_system = {.n = 3, .m = 1, SHK_POTENTIAL, SHK_BOB_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    neumann, neumann, &neumann_system, .name = "neumann", .family = "on manifolds",
    .summary = "a particle on the sphere in a quadratic potential, with its integrals",
    .equations = "H = ½ |p|² + ½ (a1 q1² + a2 q2² + a3 q3²)\n"
                 "0 = ½ (|q|² - 1)\n"
                 "integrals: F_i = q_i² + Σ_{j≠i} (q_i p_j - q_j p_i)²/(a_i - a_j)",
    .citation = "C. Neumann, J. reine angew. Math. 56 (1859) 46-63; J. Moser, Various "
                "aspects of integrable Hamiltonian systems, Birkhäuser 1980",
    .units = "dimensionless", .coordinates = "q = (q1, q2, q3)");

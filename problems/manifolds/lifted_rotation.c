/*
 * A point in space whose angular momentum about an axis is zero. The constraint generates a
 * rotation of positions, lifted to phase space. H is not invariant under this rotation. There are
 * two degrees of freedom.
 *
 *     H = ½ ((1 + κ q3²) p1² + p2² + p3²) + ¼ (q1² + q2² - 1)² + ½ q3²
 *           + ε (q1 + q2 q3 + q1² q2),                        0 = q1 p2 - q2 p1
 *
 * Along a fibre, (q1,q2) and (p1,p2) turn by the same angle. The two vectors are parallel. On each
 * fibre, H has a critical point at which their direction depends on q3, on the radius and on the
 * momenta. The system therefore does not reduce to motion in a plane. H is not even in any of the
 * q. If ε = κ = 0, H is constant along each fibre, so there is no hidden constraint, and the
 * multiplier is undetermined.
 *
 * For lifted symmetries as constraints, see McLachlan, Modin, Verdier & Wilkins, Found. Comput.
 * Math. 14 (2014) 339, §5.2 (gauge) and assumption 1. This choice of H is ours.
 */
#include "problems/kit/problem.h"

#include <string.h>

struct lifted {
  real asymmetry, kinetic; /* ε, κ */
  real q[3], p[3];
};

static int hamiltonian(const void *context, real *value, real t, const real *q, const real *p)
{
  const struct lifted *s = context;
  const real ring = q[0] * q[0] + q[1] * q[1] - 1;
  *value = ((1 + s->kinetic * q[2] * q[2]) * p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) / 2 +
           ring * ring / 4 + q[2] * q[2] / 2 +
           s->asymmetry * (q[0] + q[1] * q[2] + q[0] * q[0] * q[1]);
  return 0;
}

static int hamiltonian_q(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct lifted *s = context;
  const real ring = q[0] * q[0] + q[1] * q[1] - 1;
  out[0] = ring * q[0] + s->asymmetry * (1 + 2 * q[0] * q[1]);
  out[1] = ring * q[1] + s->asymmetry * (q[2] + q[0] * q[0]);
  out[2] = q[2] * (1 + s->kinetic * p[0] * p[0]) + s->asymmetry * q[1];
  return 0;
}

static int hamiltonian_p(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct lifted *s = context;
  out[0] = (1 + s->kinetic * q[2] * q[2]) * p[0];
  out[1] = p[1];
  out[2] = p[2];
  return 0;
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct lifted *s = context;
  const real ring = q[0] * q[0] + q[1] * q[1] - 1;
  memset(out, 0, 36 * sizeof *out);
  out[0] = ring + 2 * q[0] * q[0] + 2 * s->asymmetry * q[1];
  out[7] = ring + 2 * q[1] * q[1];
  out[1] = out[6] = 2 * q[0] * q[1] + 2 * s->asymmetry * q[0];
  out[8] = out[13] = s->asymmetry;
  out[14] = 1 + s->kinetic * p[0] * p[0];
  out[15] = out[20] = 2 * s->kinetic * q[2] * p[0];
  out[21] = 1 + s->kinetic * q[2] * q[2];
  out[28] = out[35] = 1;
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q, const real *p)
{
  g[0] = q[0] * p[1] - q[1] * p[0];
  return 0;
}

static int gradients(const void *context, real *g_q, real *g_p, real t, const real *q,
                     const real *p)
{
  g_q[0] = p[1];
  g_q[1] = -p[0];
  g_p[0] = -q[1];
  g_p[1] = q[0];
  g_q[2] = g_p[2] = 0;
  return 0;
}

static int second(const void *context, real *out, real t, const real *q, const real *p,
                  const real *w)
{
  return gradients(context, out, out + 3, t, w, w + 3);
}

static int fibre(const void *context, real *dq, real *dp, const real *q, const real *p,
                 const real *s)
{
  const real half = real_sin(s[0] / 2), sine = real_sin(s[0]), versed = -2 * half * half;
  dq[0] = versed * q[0] - sine * q[1];
  dq[1] = versed * q[1] + sine * q[0];
  dp[0] = versed * p[0] - sine * p[1];
  dp[1] = versed * p[1] + sine * p[0];
  dq[2] = dp[2] = 0;
  return 0;
}

SHK_STORED_START(lifted, 3)

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct lifted *s = context;
  static const real q[] = {R(-1.1), R(-0.3), R(0.4)}, p[] = {R(0.2), R(0.06), R(-0.3)};
  shk_copy_start(s->q, s->p, q, p, 3);
  if (s->asymmetry != 0 || s->kinetic != 0)
    SHK_TRY(shk_make_consistent(instance, s->q, s->p));
  else /* there is no hidden constraint onto which to move the state */
    s->q[1] = s->p[1] = 0;
  shk_set_times(instance, real_sqrt(R(2.0)), R(12.3));
  instance->start = start;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_REAL(lifted, asymmetry, "asymmetry", "0.5",
             "coefficient ε of the forces that break the symmetry"),
    SHK_REAL(lifted, kinetic, "kinetic", "0.3",
             "coefficient κ of the mass along q1, which depends on q3", .minimum = "0"),
    {0}};

static const struct shk_system lifted_rotation_system = {.n = 3,
                                                         .m = 1,
                                                         .features = SHK_MOMENTUM_CONSTRAINT |
                                                                     SHK_GENERAL_HAMILTONIAN,
                                                         SHK_HAMILTONIAN,
                                                         SHK_CONSTRAINT_QP,
                                                         .fibre = fibre};

SHK_PROVIDE_PROBLEM(
    lifted_rotation, lifted, &lifted_rotation_system, .name = "lifted-rotation",
    .family = "on manifolds",
    .summary = "zero angular momentum about an axis, under forces without that symmetry",
    .equations = "H = ½ ((1 + kinetic q3²) p1² + p2² + p3²) + ¼ (q1² + q2² - 1)² + ½ q3²\n"
                 "    + asymmetry (q1 + q2 q3 + q1² q2)\n"
                 "0 = q1 p2 - q2 p1",
    .citation = "McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, "
                "assumptions 1 and 2; this H is ours",
    .units = "dimensionless", .coordinates = "q = (q1, q2, q3)");

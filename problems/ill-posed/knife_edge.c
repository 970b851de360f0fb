/*
 * A knife edge (or skate) on an inclined plane. Its velocity constraint is not equivalent to any
 * constraint g(q).
 *
 *     H = (p_x² + p_y²)/(2m) + p_φ²/(2J) - m g x sin β
 *     0 = x' sin φ - y' cos φ        (the edge points along (cos φ, sin φ), and x points downhill)
 *
 * With α = sin φ dx - cos φ dy, the form α ∧ dα = -dx ∧ dy ∧ dφ does not vanish anywhere. By
 * Frobenius' theorem, the constraint is therefore not integrable. It does not restrict the
 * positions, and the equations of motion follow from d'Alembert's principle rather than Hamilton's,
 * so SHAKE, RATTLE and the other built-in methods are not defined for it. Shakedown must give this
 * reason when it refuses the problem.
 *
 * If the edge initially only rotates, at the rate ω, then φ = ωt, and the point of contact moves
 * along a cycloid across the slope instead of down it: x = (g sin β/(2ω²)) sin² ωt, y = (g sin
 * β/(2ω²)) (ωt - ½ sin 2ωt).
 *
 * Source: A. M. Bloch, Nonholonomic Mechanics and Control, Springer 2003, §1.6.
 */
#include "problems/kit/problem.h"

struct knife_edge {
  real mass[3], pull; /* m, m, J; m g sin β */
  real angle, speed, rate;
  real gravity, slope;
};

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct knife_edge *s = context;
  *value = -s->pull * q[0];
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct knife_edge *s = context;
  out[0] = -s->pull;
  out[1] = out[2] = 0;
  return 0;
}

/* Placeholder for g, because this problem has no such function. */
static int no_constraint(const void *context, real *out, real t, const real *q)
{
  return 0;
}

static int no_curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  return no_constraint(context, out, t, q);
}

static int velocity_form(const void *context, real *A, real t, const real *q)
{
  A[0] = real_sin(q[2]);
  A[1] = -real_cos(q[2]);
  A[2] = A[3] = 0;
  return 0;
}

static int form_gradients(const void *context, real *out, real t, const real *q)
{
  for (int i = 0; i < 16; i++)
    out[i] = 0;
  out[2] = real_cos(q[2]);
  out[6] = real_sin(q[2]);
  return 0;
}

static int start_knife_edge(const void *context, real *q, real *p)
{
  const struct knife_edge *s = context;
  q[0] = q[1] = 0;
  q[2] = s->angle;
  p[0] = s->mass[0] * s->speed * real_cos(s->angle);
  p[1] = s->mass[1] * s->speed * real_sin(s->angle);
  p[2] = s->mass[2] * s->rate;
  return 0;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct knife_edge *s = context;
  s->mass[1] = s->mass[0];
  s->pull = s->mass[0] * s->gravity * real_sin(s->slope);
  instance->system.mass = s->mass;
  instance->time_scale = s->rate != 0 ? 1 / real_fabs(s->rate) : 1;
  instance->horizon = R(7.3) * instance->time_scale;
  instance->undecidable = SHK_LINEAR_POTENTIAL;
  instance->start = start_knife_edge;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_REAL(knife_edge, mass[0], "mass", "1", "mass m", SHK_POSITIVE),
    SHK_REAL(knife_edge, mass[2], "inertia", "1", "moment of inertia J about the point of contact",
             SHK_POSITIVE),
    SHK_REAL(knife_edge, gravity, "gravity", "1", "acceleration g", SHK_POSITIVE),
    SHK_ANGLE(knife_edge, slope, "slope", "30deg", "inclination β of the plane"),
    SHK_ANGLE(knife_edge, angle, "angle", "0", "initial angle φ from the downhill direction"),
    SHK_REAL(knife_edge, speed, "speed", "0", "initial speed along the edge"),
    SHK_REAL(knife_edge, rate, "rate", "1", "initial rate ω = φ'"),
    {0}};

static const struct shk_system knife_edge_system = {.n = 3,
                                                    .m = 0,
                                                    .features = SHK_VELOCITY_CONSTRAINT,
                                                    SHK_POTENTIAL,
                                                    .constraint = no_constraint,
                                                    .jacobian = no_constraint,
                                                    .curvature = no_curvature,
                                                    .velocity_rows = 1,
                                                    .velocity_forms = velocity_form,
                                                    .velocity_form_gradients = form_gradients};

SHK_PROVIDE_PROBLEM(
    knife_edge, knife_edge, &knife_edge_system, .name = "knife-edge",
    .family = "ill-posed or redundant",
    .summary = "a skate on an inclined plane: nonholonomic; refused",
    .equations = "H = (p_x² + p_y²)/(2m) + p_φ²/(2J) - m g x sin β\n"
                 "0 = x' sin φ - y' cos φ, not integrable (Frobenius)",
    .citation = "A. M. Bloch, Nonholonomic Mechanics and Control, Springer 2003, §1.6",
    .units = "dimensionless", .coordinates = "q = (x, y, φ), x downhill");

/*
 * Wrong problems, each a correct one with a single fault that somebody makes every day. The
 * derivative checks, or the residuals of the start, must catch every one of them:
 *
 *   bad-gradient      a pendulum whose spring's force has the wrong sign
 *   bad-curvature     g_qq[v,v] left at zero, as for linear constraints
 *   bad-jacobian      two links with an entry of G filed under the other link's column
 *   bad-pattern       two links with an entry of G missing from the pattern
 *   bad-start         a pendulum that starts with a radial velocity, beside the circle
 *   bad-hessian       a general H with H_qp in the place of H_pq
 *   bad-velocity      the same H with H_p of the kinetic momentum's sign turned
 */
#pragma GCC diagnostic ignored "-Wunused-parameter"

#include <shakedown/plugin.h>

static const real unit_mass[4] = {1, 1, 1, 1};
static const real wrong_start[2] = {R(1.0) / 8, R(1.0) / 16}; /* off the circle, along q */

/* ---- a pendulum in a quartic potential ---- */

static int quartic(const void *context, real *value, real t, const real *q)
{
  *value = q[1] + (q[0] * q[0] * q[0] * q[0] + q[0] * q[1] * q[1]) / 4;
  return 0;
}

static int quartic_gradient(const void *context, real *out, real t, const real *q)
{
  out[0] = q[0] * q[0] * q[0] + q[1] * q[1] / 4;
  out[1] = 1 + q[0] * q[1] / 2;
  return 0;
}

static int wrong_sign_gradient(const void *context, real *out, real t, const real *q)
{
  out[0] = -q[0] * q[0] * q[0] + q[1] * q[1] / 4; /* the fault */
  out[1] = 1 + q[0] * q[1] / 2;
  return 0;
}

static int circle(const void *context, real *g, real t, const real *q)
{
  g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
  return 0;
}

static int circle_jacobian(const void *context, real *values, real t, const real *q)
{
  values[0] = q[0];
  values[1] = q[1];
  return 0;
}

static int circle_curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  out[0] = v[0] * v[0] + v[1] * v[1];
  return 0;
}

static int no_curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  out[0] = 0; /* the fault */
  return 0;
}

static int circle_start(const void *context, real *q, real *p)
{
  const real *off = context; /* NULL, or how far off */
  q[0] = R(0.6) + (off ? off[0] * R(0.6) : 0);
  q[1] = R(-0.8) + (off ? off[0] * R(-0.8) : 0);
  p[0] = R(0.8) + (off ? off[1] * R(0.6) : 0);
  p[1] = R(0.6) + (off ? off[1] * R(-0.8) : 0);
  return 0;
}

/* ---- two links ---- */

static int weight(const void *context, real *value, real t, const real *q)
{
  *value = q[1] + q[3];
  return 0;
}

static int weight_gradient(const void *context, real *out, real t, const real *q)
{
  out[0] = out[2] = 0;
  out[1] = out[3] = 1;
  return 0;
}

static int links(const void *context, real *g, real t, const real *q)
{
  const real dx = q[2] - q[0], dy = q[3] - q[1];
  g[0] = (q[0] * q[0] + q[1] * q[1] - 1) / 2;
  g[1] = (dx * dx + dy * dy - 1) / 2;
  return 0;
}

static int transposed_jacobian(const void *context, real *values, real t, const real *q)
{
  const real dx = q[2] - q[0], dy = q[3] - q[1];
  values[0] = q[0];
  values[1] = q[1];
  values[2] = -dx;
  values[3] = dx; /* the fault: this and the next are exchanged */
  values[4] = -dy;
  values[5] = dy;
  return 0;
}

static int short_jacobian(const void *context, real *values, real t, const real *q)
{
  values[0] = q[0];
  values[1] = q[1];
  values[2] = q[0] - q[2];
  values[3] = q[2] - q[0];
  values[4] = q[3] - q[1];
  return 0;
}

static int links_curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const real dx = v[2] - v[0], dy = v[3] - v[1];
  out[0] = v[0] * v[0] + v[1] * v[1];
  out[1] = dx * dx + dy * dy;
  return 0;
}

static int links_start(const void *context, real *q, real *p)
{
  q[0] = R(0.6), q[1] = R(-0.8), q[2] = R(1.4), q[3] = R(-1.4);
  p[0] = R(0.8), p[1] = R(0.6), p[2] = R(1.4), p[3] = R(1.4);
  return 0;
}

static const int links_rows[] = {0, 2, 6};
static const int links_columns[] = {0, 1, 0, 1, 2, 3};
static const int short_rows[] = {0, 2, 5};
static const int short_columns[] = {0, 1, 0, 2, 3}; /* the fault: no 1 in the second row */

/* ---- H = ½ |p - A|² + y, A = (-x y, 0) ---- */

static int general(const void *context, real *value, real t, const real *q, const real *p)
{
  const real u = p[0] + q[0] * q[1];
  *value = (u * u + p[1] * p[1]) / 2 + q[1];
  return 0;
}

static int general_q(const void *context, real *out, real t, const real *q, const real *p)
{
  const real u = p[0] + q[0] * q[1];
  out[0] = u * q[1];
  out[1] = u * q[0] + 1;
  return 0;
}

static int general_p(const void *context, real *out, real t, const real *q, const real *p)
{
  out[0] = p[0] + q[0] * q[1];
  out[1] = p[1];
  return 0;
}

static int turned_p(const void *context, real *out, real t, const real *q, const real *p)
{
  out[0] = p[0] - q[0] * q[1]; /* the fault */
  out[1] = p[1];
  return 0;
}

static void fill_hessian(real *out, const real *q, const real *p, bool exchanged)
{
  const real x = q[0], y = q[1], u = p[0] + x * y;
  const real rows[16] = {y * y, u + x * y, y, 0, u + x * y, x * x, x, 0, y, x, 1, 0, 0, 0, 0, 1};
  for (int i = 0; i < 16; i++)
    out[i] = rows[i];
  if (exchanged) { /* H_qp and H_pq, each transposed within itself */
    out[3] = x;
    out[6] = 0;
    out[9] = 0;
    out[12] = x;
  }
}

static int right_hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  fill_hessian(out, q, p, false);
  return 0;
}

static int exchanged_hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  fill_hessian(out, q, p, true); /* the fault */
  return 0;
}

static int general_start(const void *context, real *q, real *p)
{
  circle_start(context, q, p);
  p[0] -= q[0] * q[1];
  return 0;
}

/* ---- creation ---- */

static const struct shk_system pendulum_system = {.struct_size = sizeof(struct shk_system),
                                                  .n = 2,
                                                  .m = 1,
                                                  .mass = unit_mass,
                                                  .potential = quartic,
                                                  .gradient = quartic_gradient,
                                                  .constraint = circle,
                                                  .jacobian = circle_jacobian,
                                                  .curvature = circle_curvature};

static const struct shk_system links_system = {.struct_size = sizeof(struct shk_system),
                                               .n = 4,
                                               .m = 2,
                                               .mass = unit_mass,
                                               .potential = weight,
                                               .gradient = weight_gradient,
                                               .constraint = links,
                                               .jacobian = transposed_jacobian,
                                               .curvature = links_curvature,
                                               .row_start = links_rows,
                                               .columns = links_columns};

static const struct shk_system general_system = {.struct_size = sizeof(struct shk_system),
                                                 .n = 2,
                                                 .m = 1,
                                                 .features = SHK_GENERAL_HAMILTONIAN,
                                                 .hamiltonian = general,
                                                 .hamiltonian_q = general_q,
                                                 .hamiltonian_p = general_p,
                                                 .hessian = right_hessian,
                                                 .constraint = circle,
                                                 .jacobian = circle_jacobian,
                                                 .curvature = circle_curvature};

static void fill(struct shk_instance *instance, const struct shk_system *system,
                 int (*start)(const void *, real *, real *))
{
  instance->system = *system;
  instance->time_scale = 1;
  instance->horizon = R(2.3);
  instance->start = start;
}

/* A problem of that system and start, but for what the last argument does to them. */
#define BAD(ID, NAME, SUMMARY, SYSTEM, START, FAULT)                                               \
  static struct shk_status set_up_##ID(struct shk_instance *instance, void *context) {             \
    struct shk_system *const s = &instance->system;                                                \
    (void)context;                                                                                 \
    fill(instance, &SYSTEM, START);                                                                \
    FAULT;                                                                                         \
    return shk_ok();                                                                               \
  } static const struct shk_problem bad_##ID = {.struct_size = sizeof(struct shk_problem),         \
                                                .info = {.name = NAME, .summary = SUMMARY},        \
                                                .set_up = set_up_##ID}

BAD(gradient, "bad-gradient", "one term of the force has the wrong sign", pendulum_system,
    circle_start, s->gradient = wrong_sign_gradient);
BAD(curvature, "bad-curvature", "the curvature is left out", pendulum_system, circle_start,
    s->curvature = no_curvature);
BAD(jacobian, "bad-jacobian", "two entries of G are exchanged", links_system, links_start, (void)s);
BAD(pattern, "bad-pattern", "an entry of G is missing from the pattern", links_system, links_start,
    s->jacobian = short_jacobian;
    s->row_start = short_rows; s->columns = short_columns);
BAD(start, "bad-start", "the start is off the constraint and off the hidden one", pendulum_system,
    circle_start, s->context = wrong_start);
BAD(hessian, "bad-hessian", "H_qp and H_pq are exchanged", general_system, general_start,
    s->hessian = exchanged_hessian);
BAD(velocity, "bad-velocity", "H_p has a sign turned", general_system, general_start,
    s->hamiltonian_p = turned_p);

SHK_PROVIDE(bad_problems,
            .problems = SHK_PROBLEMS(&bad_gradient, &bad_curvature, &bad_jacobian, &bad_pattern,
                                     &bad_start, &bad_hessian, &bad_velocity));

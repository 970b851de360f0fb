/*
 * Bodies in space with zero total angular momentum, in a field without rotational symmetry. There
 * are three constraints and 3 N - 3 degrees of freedom. The brackets of the constraints are
 * themselves constraints.
 *
 *     H = Σ_i [|p_i|²/(2 m_i) + ½ κ q_{i3}² p_{i1}² + ½ |q_i|² + f W(q_i)]
 *           + ¼ k Σ_{i<j} (|q_i - q_j|² - 2)²,                            m_i = (i + 1)/2
 *     W(x) = ½ x2² + 5/4 x3² + 4/5 x2 + 3/10 x1² x3
 *     0 = J = Σ_i q_i × p_i
 *
 * Since {J1,J2} = J3 and its cyclic permutations hold, the brackets vanish only on M. The three
 * flows are rotations of all q_i and p_i, and they do not commute. A fibre is the orbit of all
 * rotations, and exp(Σ s_a X_{J_a}) is the rotation by |s| about s. On a level set J = c with c ≠
 * 0, M is not coisotropic. With spin=…, the bodies initially rotate about the third axis, and the
 * initial state determines the level of the constraint. Shakedown refuses this problem.
 *
 * For momentum maps as constraints, see McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math.
 * 14 (2014) 339, §3 (coisotropy, example 1.7). This choice of H is ours.
 */
#include "problems/kit/points.h"
#include "problems/kit/problem.h"

#include <string.h>

enum { BODIES = 4, LARGEST = 3 * BODIES };

struct bodies {
  long count;
  int n;
  real field, kinetic, spring, spin;
  real mass[BODIES], level[3];
  real q[LARGEST], p[LARGEST];
};

/* Stores d = x - y and returns |d|² - 2. */
static real sphere_distance(real *d, const real *x, const real *y)
{
  for (int k = 0; k < 3; k++)
    d[k] = x[k] - y[k];
  return real_dot(d, d, 3) - 2;
}

static int hamiltonian(const void *context, real *value, real t, const real *q, const real *p)
{
  const struct bodies *s = context;
  *value = 0;
  for (int i = 0; i < s->count; i++) {
    const real *x = q + 3 * i, *y = p + 3 * i;
    *value += real_dot(y, y, 3) / (2 * s->mass[i]) + s->kinetic * x[2] * x[2] * y[0] * y[0] / 2 +
              real_dot(x, x, 3) / 2 +
              s->field * (x[1] * x[1] / 2 + R(1.25) * x[2] * x[2] + R(0.8) * x[1] +
                          R(0.3) * x[0] * x[0] * x[2]);
    for (int j = 0; j < i; j++) {
      real d[3];
      const real longer = sphere_distance(d, x, q + 3 * j);
      *value += s->spring * longer * longer / 4;
    }
  }
  return 0;
}

static int hamiltonian_q(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct bodies *s = context;
  for (int i = 0; i < s->count; i++) {
    const real *x = q + 3 * i, *y = p + 3 * i;
    real *const f = out + 3 * i;
    f[0] = x[0] + s->field * R(0.6) * x[0] * x[2];
    f[1] = x[1] + s->field * (x[1] + R(0.8));
    f[2] =
        x[2] * (1 + s->kinetic * y[0] * y[0]) + s->field * (R(2.5) * x[2] + R(0.3) * x[0] * x[0]);
    for (int j = 0; j < i; j++) {
      real d[3];
      const real pull = s->spring * sphere_distance(d, x, q + 3 * j);
      for (int k = 0; k < 3; k++) {
        f[k] += pull * d[k];
        out[3 * j + k] -= pull * d[k];
      }
    }
  }
  return 0;
}

static int hamiltonian_p(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct bodies *s = context;
  for (int i = 0; i < s->n; i++)
    out[i] = p[i] / s->mass[i / 3];
  for (int i = 0; i < s->n; i += 3)
    out[i] += s->kinetic * q[i + 2] * q[i + 2] * p[i];
  return 0;
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct bodies *s = context;
  const int n = s->n, stride = 2 * n;
  memset(out, 0, (size_t)(stride * stride) * sizeof *out);
#define AT(row, column) out[(row)*stride + (column)]
  for (int i = 0; i < n; i += 3) {
    const real *x = q + i;
    for (int k = 0; k < 3; k++)
      AT(n + i + k, n + i + k) = 1 / s->mass[i / 3];
    AT(n + i, n + i) += s->kinetic * x[2] * x[2];
    AT(n + i, i + 2) = AT(i + 2, n + i) = 2 * s->kinetic * x[2] * p[i];
    AT(i, i) += 1 + s->field * R(0.6) * x[2];
    AT(i + 1, i + 1) += 1 + s->field;
    AT(i + 2, i + 2) += 1 + s->kinetic * p[i] * p[i] + s->field * R(2.5);
    AT(i, i + 2) += s->field * R(0.6) * x[0];
    AT(i + 2, i) += s->field * R(0.6) * x[0];
    for (int j = 0; j < i; j += 3) {
      real d[3];
      const real longer = sphere_distance(d, x, q + j);
      for (int k = 0; k < 3; k++)
        for (int l = 0; l < 3; l++) {
          const real curve = s->spring * ((k == l) * longer + 2 * d[k] * d[l]);
          AT(i + k, i + l) += curve;
          AT(j + k, j + l) += curve;
          AT(i + k, j + l) -= curve;
          AT(j + k, i + l) -= curve;
        }
    }
  }
#undef AT
  return 0;
}

static int constraint(const void *context, real *g, real t, const real *q, const real *p)
{
  const struct bodies *s = context;
  shk_angular_momentum(g, q, p, (int)s->count);
  for (int k = 0; k < 3; k++)
    g[k] -= s->level[k];
  return 0;
}

/* The gradients of J_a = e_a·(q × p) are p × e_a and e_a × q. */
static void gradients_of(real *g_q, real *g_p, int n, int stride, const real *q, const real *p)
{
  for (int a = 0; a < 3; a++) {
    const real axis[3] = {a == 0, a == 1, a == 2};
    for (int i = 0; i < n; i += 3) {
      shk_cross(g_q + a * stride + i, p + i, axis);
      shk_cross(g_p + a * stride + i, axis, q + i);
    }
  }
}

static int gradients(const void *context, real *g_q, real *g_p, real t, const real *q,
                     const real *p)
{
  const struct bodies *s = context;
  gradients_of(g_q, g_p, s->n, s->n, q, p);
  return 0;
}

static int second(const void *context, real *out, real t, const real *q, const real *p,
                  const real *w)
{
  const struct bodies *s = context;
  gradients_of(out, out + s->n, s->n, 2 * s->n, w, w + s->n);
  return 0;
}

/* Rotates by |s| about s: dx = sin|s|/|s| s × x + (1 - cos|s|)/|s|² s × (s × x). */
static int fibre(const void *context, real *dq, real *dp, const real *q, const real *p,
                 const real *s)
{
  const struct bodies *bodies = context;
  const real angle = real_sqrt(real_dot(s, s, 3)), half = real_sin(angle / 2);
  const real first = angle > 0 ? real_sin(angle) / angle : 1;
  const real twice = angle > 0 ? 2 * (half / angle) * (half / angle) : R(0.5);
  for (int i = 0; i < 2 * bodies->n; i += 3) {
    const real *const x = i < bodies->n ? q + i : p + i - bodies->n;
    real *const out = i < bodies->n ? dq + i : dp + i - bodies->n;
    real once[3], again[3];
    shk_cross(once, s, x);
    shk_cross(again, s, once);
    for (int k = 0; k < 3; k++)
      out[k] = first * once[k] + twice * again[k];
  }
  return 0;
}

SHK_STORED_START(bodies, s->n)

/* Sets generic positions and momenta and adds the rotation about the third axis. */
static void place_cat(struct bodies *s)
{
  static const real q[LARGEST] = {R(-0.7), R(-0.5), R(0.1), R(0.8),  R(-0.2), R(-0.2),
                                  R(0.1),  R(-0.9), R(0.2), R(-0.1), R(0.6),  R(-0.1)};
  static const real p[LARGEST] = {R(0.2),  R(0.15), R(-0.1), R(-0.1), R(0.2), R(0.15),
                                  R(0.05), R(-0.1), R(0.1),  R(-0.1), R(0.1), R(-0.05)};
  shk_copy_start(s->q, s->p, q, p, s->n);
  for (int i = 0; i < s->n; i += 3) {
    s->p[i] -= s->spin * s->mass[i / 3] * s->q[i + 1];
    s->p[i + 1] += s->spin * s->mass[i / 3] * s->q[i];
  }
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct bodies *s = context;
  s->n = instance->system.n = 3 * (int)s->count;
  for (int i = 0; i < s->count; i++)
    s->mass[i] = 1 + (real)i / 2;
  place_cat(s);
  if (s->spin != 0)
    shk_angular_momentum(s->level, s->q, s->p, (int)s->count);
  SHK_TRY(shk_make_consistent(instance, s->q, s->p));
  if (s->spin != 0) /* a projection along the fibres would change the value of J */
    shk_angular_momentum(s->level, s->q, s->p, (int)s->count);
  shk_set_times(instance, 1, R(12.3));
  instance->start = start;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_INTEGER(bodies, count, "bodies", "2", "number N of bodies", .minimum = "2", .maximum = "4"),
    SHK_REAL(bodies, field, "field", "1", "strength of the field that breaks the symmetry"),
    SHK_REAL(bodies, kinetic, "kinetic", "0.2", "coefficient κ of q_{i3}² in the mass along q_{i1}",
             .minimum = "0"),
    SHK_REAL(bodies, spring, "spring", "1", "stiffness k between any two bodies", .minimum = "0"),
    SHK_REAL(bodies, spin, "spin", "0",
             "rotation rate about the third axis, added to the start; a nonzero level is not "
             "coisotropic"),
    {0}};

static const struct shk_system zero_angular_momentum_system = {.m = 3,
                                                               .features = SHK_MOMENTUM_CONSTRAINT |
                                                                           SHK_GENERAL_HAMILTONIAN,
                                                               SHK_HAMILTONIAN,
                                                               SHK_CONSTRAINT_QP,
                                                               .fibre = fibre};

SHK_PROVIDE_PROBLEM(
    zero_angular_momentum, bodies, &zero_angular_momentum_system, .name = "zero-angular-momentum",
    .family = "on manifolds",
    .summary = "bodies with zero total angular momentum in a field: constraints on momenta whose "
               "flows do not commute",
    .equations = "H = Σ |p_i|²/(2 m_i) + ½ kinetic q_{i3}² p_{i1}² + ½ |q_i|² + field W(q_i)\n"
                 "    + ¼ spring Σ_{i<j} (|q_i - q_j|² - 2)²,  m_i = (i + 1)/2\n"
                 "W(x) = ½ x2² + 5/4 x3² + 4/5 x2 + 3/10 x1² x3\n"
                 "0 = Σ q_i × p_i",
    .citation = "McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, "
                "§3.2; this H is ours",
    .units = "dimensionless", .coordinates = "q = (q_1, …, q_N), three coordinates for each body");

/*
 * Four ill-posed constrained Hamiltonian systems, each small enough that the reason is easy to see.
 * Shakedown must refuse each of them for the right reason. The coordinates are (q, s), with momenta
 * (p, r).
 *
 * index-five:       H = ½ p² + r q,   0 = s.   H is linear along the fibre (the lines along r):
 *                   N = {{H,s},s} = H_rr = 0. From s = 0 we get successively s' = q = 0,
 *                   q' = p = 0 and p' = -r = 0. Only then does r' = -λ determine λ. There are
 *                   four constraints, the index is five, and no motion is possible. The initial
 *                   state satisfies the first two constraints, which is always possible.
 * gauge:            H = ½ p² + ¼ q⁴,   0 = s.   H does not depend on r, so s' = 0 is satisfied
 *                   automatically. Since N = 0, no additional constraint follows, and λ is
 *                   arbitrary. Since r' = -λ, there are infinitely many solutions.
 * non-coisotropic:  H = ½ (p² + r²) + ½ q² + ¼ s⁴,   0 = q, 0 = p.   {q,p} = 1, so the flows of
 *                   the two constraints do not commute, M has no fibres, and neither SHAKE nor
 *                   RATTLE is defined. {q,H} = p and {p,H} = -q vanish on M, N is the identity
 *                   matrix, and the motion in (s,r) has H = ½ r² + ¼ s⁴, with λ = 0. If H contains
 *                   a term c q s², the vector field X_H is not tangent to M.
 * energy-surface:   the same H as non-coisotropic, 0 = H - E, where E is the initial energy.
 *                   {g,H} = 0 holds everywhere, so no additional constraint follows, and λ is
 *                   arbitrary: q' = (1 + λ) H_p, p' = -(1 + λ) H_q is the same motion in any
 *                   parametrization of time. No method can conserve H in this way.
 *
 * The constraint force is -g_qᵀλ, and q' = H_p + g_pᵀλ. Source: McLachlan, Modin, Verdier &
 * Wilkins, Found. Comput. Math. 14 (2014) 339, §5.2 for the first two systems and §1 for the last
 * one. The quartic term of `gauge` and the Hamiltonians of the last two systems are ours.
 */
#include "problems/kit/problem.h"
#include "problems/kit/second_rests.h"

#include <string.h>

enum kind { INDEX_FIVE, GAUGE, NON_COISOTROPIC, ENERGY_SURFACE };

struct ill_posed {
  enum kind kind;
  real q[2], p[2]; /* the start */
  real energy;     /* at the start */
  real coupling;   /* the coefficient c of the term c q s² in H */
};

static int hamiltonian(const void *context, real *value, real t, const real *q, const real *p)
{
  const struct ill_posed *s = context;
  *value = p[0] * p[0] / 2;
  if (s->kind == INDEX_FIVE)
    *value += p[1] * q[0];
  else if (s->kind == GAUGE)
    *value += q[0] * q[0] * q[0] * q[0] / 4;
  else
    *value += (p[1] * p[1] + q[0] * q[0]) / 2 + q[1] * q[1] * q[1] * q[1] / 4 +
              s->coupling * q[0] * q[1] * q[1];
  return 0;
}

static int hamiltonian_q(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct ill_posed *s = context;
  out[0] = s->kind == INDEX_FIVE ? p[1] : s->kind == GAUGE ? q[0] * q[0] * q[0] : q[0];
  out[1] = 0;
  if (s->kind >= NON_COISOTROPIC) {
    out[0] += s->coupling * q[1] * q[1];
    out[1] = q[1] * q[1] * q[1] + 2 * s->coupling * q[0] * q[1];
  }
  return 0;
}

static int hamiltonian_p(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct ill_posed *s = context;
  out[0] = p[0];
  out[1] = s->kind == INDEX_FIVE ? q[0] : s->kind == GAUGE ? 0 : p[1];
  return 0;
}

static int hessian(const void *context, real *out, real t, const real *q, const real *p)
{
  const struct ill_posed *s = context;
  enum { Q = 0, S = 1, P = 2, R_ = 3 };
  memset(out, 0, 16 * sizeof *out);
  out[4 * P + P] = 1;
  if (s->kind == INDEX_FIVE) {
    out[4 * Q + R_] = out[4 * R_ + Q] = 1;
  } else if (s->kind == GAUGE) {
    out[4 * Q + Q] = 3 * q[0] * q[0];
  } else {
    out[4 * Q + Q] = out[4 * R_ + R_] = 1;
    out[4 * S + S] = 3 * q[1] * q[1] + 2 * s->coupling * q[0];
    out[4 * Q + S] = out[4 * S + Q] = 2 * s->coupling * q[1];
  }
  return 0;
}

/* ---- q = 0 and p = 0 ---- */

static int pair_constraint(const void *context, real *g, real t, const real *q, const real *p)
{
  g[0] = q[0];
  g[1] = p[0];
  return 0;
}

static int pair_gradients(const void *context, real *g_q, real *g_p, real t, const real *q,
                          const real *p)
{
  for (int i = 0; i < 4; i++)
    g_q[i] = g_p[i] = 0;
  g_q[0] = 1;
  g_p[2] = 1;
  return 0;
}

static int pair_second(const void *context, real *out, real t, const real *q, const real *p,
                       const real *w)
{
  for (int i = 0; i < 8; i++)
    out[i] = 0;
  return 0;
}

/* ---- H = E ---- */

static int surface_constraint(const void *context, real *g, real t, const real *q, const real *p)
{
  const struct ill_posed *s = context;
  const int code = hamiltonian(context, g, t, q, p);
  g[0] -= s->energy;
  return code;
}

static int surface_gradients(const void *context, real *g_q, real *g_p, real t, const real *q,
                             const real *p)
{
  hamiltonian_q(context, g_q, t, q, p);
  return hamiltonian_p(context, g_p, t, q, p);
}

static int surface_second(const void *context, real *out, real t, const real *q, const real *p,
                          const real *w)
{
  real second[16];
  hessian(context, second, t, q, p);
  for (int i = 0; i < 4; i++) {
    out[i] = 0;
    for (int j = 0; j < 4; j++)
      out[i] += second[4 * i + j] * w[j];
  }
  return 0;
}

/* ---- creation ---- */

SHK_STORED_START(ill_posed, 2)

static struct shk_status set_up(struct shk_instance *instance, struct ill_posed *s, enum kind kind)
{
  struct shk_system *system = &instance->system;
  s->kind = kind;
  if (kind == NON_COISOTROPIC) {
    system->m = 2;
    system->features |= SHK_MOMENTUM_CONSTRAINT;
    system->constraint_qp = pair_constraint;
    system->constraint_gradients = pair_gradients;
    system->constraint_second = pair_second;
  } else if (kind == ENERGY_SURFACE) {
    system->features |= SHK_MOMENTUM_CONSTRAINT;
    system->constraint_qp = surface_constraint;
    system->constraint_gradients = surface_gradients;
    system->constraint_second = surface_second;
    hamiltonian(s, &s->energy, 0, s->q, s->p);
  } else {
    system->constraint = shk_second_rests;
    system->jacobian = shk_second_rests_jacobian;
    system->curvature = shk_second_rests_curvature;
  }
  instance->time_scale = 1;
  instance->horizon = R(7.3);
  instance->undecidable = SHK_ONE_DEGREE_OF_FREEDOM;
  if (kind != ENERGY_SURFACE)
    instance->undecidable |= SHK_LINEAR_CONSTRAINTS;
  if (kind == INDEX_FIVE)
    instance->undecidable |= SHK_NO_REVERSAL;
  instance->start = start;
  return shk_ok();
}

static const struct shk_option index_five_options[] = {
    SHK_REAL(ill_posed, p[0], "momentum", "0.5", "initial p; q = s = 0"),
    SHK_REAL(ill_posed, p[1], "free-momentum", "0.3", "initial r"),
    {0}};

static const struct shk_option gauge_options[] = {
    SHK_REAL(ill_posed, q[0], "position", "0.8", "initial q; s = 0"),
    SHK_REAL(ill_posed, p[0], "momentum", "0.5", "initial p"),
    SHK_REAL(ill_posed, p[1], "free-momentum", "0.3", "initial r"),
    {0}};

static const struct shk_option non_coisotropic_options[] = {
    SHK_REAL(ill_posed, q[1], "position", "0.8", "initial s; q = p = 0"),
    SHK_REAL(ill_posed, p[1], "momentum", "0.5", "initial r"),
    SHK_REAL(ill_posed, coupling, "coupling", "0", "coefficient c of the term c q s² in H"),
    {0}};

static const struct shk_option energy_surface_options[] = {
    SHK_REAL(ill_posed, q[0], "position", "0.3", "initial q"),
    SHK_REAL(ill_posed, q[1], "other-position", "0.8", "initial s"),
    SHK_REAL(ill_posed, p[0], "momentum", "0.5", "initial p"),
    SHK_REAL(ill_posed, p[1], "other-momentum", "-0.4", "initial r"),
    {0}};

static const struct shk_system ill_posed_system = {
    .n = 2, .m = 1, .features = SHK_GENERAL_HAMILTONIAN, SHK_HAMILTONIAN};

/* Defines the problem with the given name and kind. The remaining arguments initialize members of
 * its info. */
#define ILL_POSED(problem, kind, ...)                                                              \
  static struct shk_status set_up_##problem(struct shk_instance *instance, void *context)          \
  {                                                                                                \
    return set_up(instance, context, kind);                                                        \
  }                                                                                                \
  static const struct shk_problem problem = {.struct_size = sizeof problem,                        \
                                             .info = {.units = "dimensionless",                    \
                                                      .coordinates = "(q, s) with momenta (p, r)", \
                                                      .options = problem##_options,                \
                                                      __VA_ARGS__},                                \
                                             SHK_CONTEXT(ill_posed),                               \
                                             .system = &ill_posed_system,                          \
                                             .set_up = set_up_##problem};

#define SOURCE "McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, §5.2"

ILL_POSED(index_five, INDEX_FIVE, .name = "index-five", .family = "ill-posed or redundant",
          .summary = "ill-posed: a chain of four constraints, of index five; refused",
          .equations = "H = ½ p² + r q,  0 = s\n"
                       "chain: s = 0, q = 0, p = 0, r = 0; only then λ = 0 is determined",
          .citation = SOURCE)

ILL_POSED(gauge, GAUGE, .name = "gauge", .family = "ill-posed or redundant",
          .summary = "ill-posed: an undetermined multiplier; refused",
          .equations = "H = ½ p² + ¼ q⁴,  0 = s\n"
                       "s' = 0 by itself, r' = -λ with any λ",
          .citation = SOURCE ", with our own potential")

ILL_POSED(
    non_coisotropic, NON_COISOTROPIC, .name = "non-coisotropic", .family = "ill-posed or redundant",
    .summary = "ill-posed: two constraints with bracket 1, hence no fibres; refused",
    .equations = "H = ½ (p² + r²) + ½ q² + ¼ s⁴ + c q s²,  0 = q,  0 = p,  {q,p} = 1",
    .citation = "our own; it violates assumption 2 of McLachlan, Modin, Verdier & Wilkins, Found. "
                "Comput. Math. 14 (2014) 339")

ILL_POSED(
    energy_surface, ENERGY_SURFACE, .name = "energy-surface", .family = "ill-posed or redundant",
    .summary = "ill-posed: the energy as a constraint, with an undetermined multiplier; refused",
    .equations = "H = ½ (p² + r²) + ½ q² + ¼ s⁴,  0 = H - E,  {g,H} = 0 everywhere",
    .citation = "McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, "
                "§1; Ge & Marsden, Phys. Lett. A 133 (1988) 134")

SHK_PROVIDE(ill_posed,
            .problems = SHK_PROBLEMS(&index_five, &gauge, &non_coisotropic, &energy_surface));

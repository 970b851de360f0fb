/*
 * solver=lincs, for distance constraints (B. Hess, H. Bekker, H. J. C. Berendsen & J. G. E. M.
 * Fraaije, J. Comput. Chem. 18 (1997) 1463; B. Hess, J. Chem. Theory Comput. 4 (2008) 116). With K
 * = G M⁻¹ Gᵀ at the old point and S = diag(K)^(-1/2), the inverse of K is a series in the coupling
 * matrix A = 1 - S K S,
 *
 *     K⁻¹ ≈ S (1 + A + … + A^order) S.
 *
 * The first solve gives the new bonds the required length along the old ones, r_i·r_i(q1) = d_i
 * |r_i|. It is followed by `corrections` solves that correct for the rotation of the bonds, with
 * d_i replaced by sqrt(2 d_i² - |r_i(q1)|²). Velocities require a single solve of this kind, with
 * G(q1).
 *
 * The series converges if the spectral radius of A is less than one. This radius is estimated once,
 * at the first point, from powers of A. Shakedown refuses systems whose radius is one or more,
 * whereas simulation codes continue.
 */
#include "mechanics/solvers/kit/diagonal.h"
#include "mechanics/solvers/kit/residuals.h"
#include "mechanics/solvers/kit/solvers.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/solvers/kit/unchecked.h"
#include "mechanics/system/rods.h"

/* Number of times A is applied to a generic vector when estimating the spectral radius. */
#define POWERS 1000

struct lincs {
  struct shk_residuals at;
  int order, corrections;
  bool checked;                /* true if the spectral radius was found to be less than 1 */
  real *scale, *here, *length; /* m entries each: S, |r_i|, d */
  real *power, *sum, *coupled; /* m entries each: the last term, the sum of terms, scratch space */
  real *force;                 /* n: scratch */
};

/* Computes S, and also |r_i| at this point. The latter is found from the entries of row i of G that
 * belong to the rod's second end. */
static void set_scale(struct lincs *lincs, const real *G)
{
  const struct shk_evaluator *e = lincs->at.evaluator;
  const int dimension = e->system->rods->dimension;
  for (int i = 0; i < e->system->m; i++) {
    const real *const rod = G + e->row_start[i + 1] - dimension;
    lincs->scale[i] = 1 / real_sqrt(shk_own_entry(e, G, G, i));
    lincs->here[i] = real_sqrt(real_dot(rod, rod, dimension));
  }
}

/* power <- A power */
static void couple_lincs(struct lincs *lincs, const real *G)
{
  const struct shk_evaluator *e = lincs->at.evaluator;
  const int n = e->system->n, m = e->system->m;
  for (int i = 0; i < m; i++)
    lincs->coupled[i] = lincs->scale[i] * lincs->power[i];
  shk_fill(lincs->force, 0, n);
  shk_jacobian_transposed_add(e, lincs->force, G, 1, lincs->coupled);
  for (int k = 0; k < n; k++)
    lincs->force[k] /= e->system->mass[k];
  shk_jacobian_times(e, lincs->coupled, G, lincs->force);
  for (int i = 0; i < m; i++)
    lincs->power[i] -= lincs->scale[i] * lincs->coupled[i];
}

/* multipliers += K⁻¹ residual / factor, where K⁻¹ is approximated by the series */
static void solve_lincs(struct lincs *lincs, const real *G, real *multipliers, real factor)
{
  const int m = lincs->at.evaluator->system->m;
  lincs->at.evaluator->counters.iterations++;
  for (int i = 0; i < m; i++)
    lincs->power[i] = lincs->sum[i] = lincs->scale[i] * lincs->at.residual[i];
  for (int k = 0; k < lincs->order; k++) {
    couple_lincs(lincs, G);
    shk_vector_add(lincs->sum, 1, lincs->power, m);
  }
  for (int i = 0; i < m; i++)
    multipliers[i] += lincs->scale[i] * lincs->sum[i] / factor;
}

/* At the first point, refuses systems for which the series diverges. The powers of A yield a lower
 * bound on the radius. The bound is tight if the radius is close to one, so a radius of one may be
 * computed as one minus round-off. */
static struct shk_status check_radius(struct lincs *lincs, const real *G)
{
  const int m = lincs->at.evaluator->system->m;
  real radius = 0, size = 1;
  for (int i = 0; i < m; i++)
    lincs->power[i] = 1 + R(0.1) * (real)((i * 7 + 3) % 11);
  for (int k = 0; k < POWERS && !lincs->checked && size > 0; k++) {
    size = real_sqrt(real_dot(lincs->power, lincs->power, m));
    for (int i = 0; i < m && size > 0; i++)
      lincs->power[i] /= size;
    couple_lincs(lincs, G);
    radius = real_sqrt(real_dot(lincs->power, lincs->power, m));
  }
  lincs->checked = lincs->checked || radius < 1 - R(1e-9);
  return lincs->checked ? shk_ok()
                        : shk_failure(SHK_REFUSED,
                                      "solver=lincs: the coupling of the rods has a spectral "
                                      "radius of %g, but the series converges only below 1",
                                      (double)radius, 0);
}

/* residual <- r_i·(r_i(q1) - r_i) + |r_i| (|r_i| - d_i). The solve reduces this to zero. */
static void project_lincs(struct lincs *lincs, const struct shk_kick *kick)
{
  const struct shk_evaluator *e = lincs->at.evaluator;
  for (int k = 0; k < e->system->n; k++)
    lincs->force[k] = kick->to->q[k] - kick->from->q[k];
  shk_jacobian_times(e, lincs->at.residual, kick->along, lincs->force);
  for (int i = 0; i < e->system->m; i++)
    lincs->at.residual[i] += lincs->here[i] * (lincs->here[i] - lincs->length[i]);
}

/* residual <- |r_i| (d - sqrt(2d² - |r(q1)|²)). On entry, it contains g(q1). */
static void lengthen_lincs(struct lincs *lincs)
{
  real *const g = lincs->at.residual;
  for (int i = 0; i < lincs->at.evaluator->system->m; i++) {
    const real d = lincs->length[i], square = real_max(0, d * d - 2 * g[i]);
    g[i] = lincs->here[i] * (2 * g[i] / (d + real_sqrt(square)));
  }
}

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_kick *kick)
{
  struct lincs *lincs = self;
  const real factor = kick->drift * kick->by;
  shk_fill(kick->multiplier, 0, lincs->at.evaluator->system->m);
  shk_begin_position(&lincs->at, iteration, &shk_position_rule, kick);
  set_scale(lincs, kick->along);
  SHK_TRY(check_radius(lincs, kick->along));
  SHK_TRY(shk_residuals_accept_position(&lincs->at, iteration, kick));
  project_lincs(lincs, kick);
  solve_lincs(lincs, kick->along, kick->multiplier, factor);
  for (int k = 0; k < lincs->corrections; k++) {
    SHK_TRY(shk_residuals_accept_position(&lincs->at, iteration, kick));
    lengthen_lincs(lincs);
    solve_lincs(lincs, kick->along, kick->multiplier, factor);
  }
  return shk_residuals_accept_position(&lincs->at, iteration, kick);
}

static struct shk_status hidden(void *self, struct shk_iteration *iteration,
                                const struct shk_kick *kick)
{
  struct lincs *lincs = self;
  shk_begin_hidden(&lincs->at, iteration, &shk_hidden_rule, kick);
  SHK_TRY(shk_residuals_accept_hidden(&lincs->at, iteration, kick));
  set_scale(lincs, kick->along);
  solve_lincs(lincs, kick->along, kick->multiplier, kick->by);
  shk_jacobian_transposed_add(lincs->at.evaluator, kick->dp, kick->along, -kick->by,
                              kick->multiplier);
  return shk_residuals_accept_hidden(&lincs->at, iteration, kick);
}

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(lincs, (.m = 1), scale, here, length, power, sum, coupled),
             SHK_ARRAY(lincs, force, .n = 1));

struct shk_status shk_lincs_solver_create(struct shk_solver *solver, const struct shk_binding *b)
{
  struct shk_evaluator *e = b->evaluator;
  const struct shk_values *own = shk_values_nested(b->options, "solver");
  SHK_TRY(shk_rods_needed(e->system, "solver=lincs is for systems whose constraints are rods"));
  struct lincs *lincs = shk_part(b->workspace, sizeof *lincs, arrays, e);
  *solver = (struct shk_solver){lincs, position, hidden};
  SHK_TRY(shk_allocated(lincs));
  lincs->order = (int)shk_values_integer(own, "order");
  lincs->corrections = (int)shk_values_integer(own, "corrections");
  SHK_TRY(shk_residuals_init(&lincs->at, b));
  for (int i = 0; i < e->system->m; i++)
    lincs->length[i] = real_sqrt(e->system->rods->rod[i].square);
  return shk_ok();
}

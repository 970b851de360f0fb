/*
 * Evaluates the forms of dae_form.h and their derivatives. The derivatives of Gᵀlambda require g_qq
 * itself, but systems provide only the second derivative c(v) of g(q + s v, t + s). With a(u,v) =
 * g_qq[u,v],
 *
 *     a(e_i,e_j) = (c(e_i + e_j) - c(e_i) - c(e_j) + c(0)) / 2
 *     a(v,e_j) + g_qt e_j = (c(v + e_j) - c(v - e_j)) / 4,
 *
 * Both equations are exact, because c is a quadratic polynomial. The first is needed only for those
 * i, j that share a row of G.
 */
#include "integrators/outside/dae_form.h"

#include "integrators/kit/stepping.h"
#include "mechanics/system/evaluate.h"

struct shk_form_work {
  struct shk_evaluator *evaluator;
  struct shk_manifold *manifold;
  bool dae;
  const real *mass; /* W = M⁻¹ if this is not NULL, and W = 1 otherwise */
  real *G, *velocity, *gradient, *force, *hidden;
  real *hessian;        /* (2n)² entries: the Hessian of a general system, or f_x of a DAE */
  real *f_lambda, *g_x; /* of a DAE */
  real *second, *curvatures,
      /* used by the analytic Jacobian; sizes: n x n each for lambda and eta, (n+1) m, and 2m */
      *c;
  unsigned char *share; /* n x n: entry (i,j) is 1 if coordinates i and j share a row of G */
  real *trial;          /* one entry per unknown */
};

double shk_dae_form_unknowns(const struct shk_system *system, enum shk_form_kind kind)
{
  const bool stabilized = kind == SHK_FORM_GGL &&
                          !((system->features & SHK_GENERAL_DAE) != 0 && system->dae_index == 2);
  return (double)2 * system->n + (double)(stabilized ? 2 : 1) * system->m;
}

/* Sets share_ij to 1 if coordinates i and j occur in the same row of G. */
static struct shk_status find_shared(struct shk_form_work *scratch, struct shk_workspace *workspace)
{
  const struct shk_evaluator *e = scratch->evaluator;
  const size_t n = (size_t)e->system->n;
  scratch->share = shk_memory(workspace, n * n);
  SHK_TRY(shk_allocated(scratch->share));
  for (int row = 0; row < e->system->m; row++)
    for (int a = e->row_start[row]; a < e->row_start[row + 1]; a++)
      for (int b = e->row_start[row]; b < e->row_start[row + 1]; b++)
        scratch->share[(size_t)e->columns[a] * n + (size_t)e->columns[b]] = 1;
  return shk_ok();
}

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(shk_form_work, G, .entries = 1),
             SHK_ARRAYS(shk_form_work, (.n = 1), velocity, gradient, force),
             SHK_ARRAY(shk_form_work, hidden, .m = 1), SHK_ARRAY(shk_form_work, c, .m = 2),
             SHK_ARRAY(shk_form_work, trial, .n = 2, .m = 2),
             SHK_ARRAY(shk_form_work, hessian, .nn = 4, .only = SHK_GENERAL | SHK_GENERAL_DAE),
             SHK_ARRAYS(shk_form_work, (.nm = 2, .only = SHK_GENERAL_DAE), f_lambda, g_x));

/* Allocates work space for the analytic Jacobian. */
static struct shk_status bind_second(struct shk_form_work *scratch, struct shk_workspace *workspace)
{
  const size_t n = (size_t)scratch->evaluator->system->n, m = (size_t)scratch->evaluator->system->m;
  SHK_TRY(shk_reals(workspace, &scratch->second, 2 * n * n));
  SHK_TRY(shk_reals(workspace, &scratch->curvatures, (n + 1) * m));
  return find_shared(scratch, workspace);
}

struct shk_status shk_bind_dae_form(struct shk_dae_form *form, const struct shk_binding *binding,
                                    enum shk_form_kind kind)
{
  const struct shk_system *system = binding->evaluator->system;
  const bool dae = (system->features & SHK_GENERAL_DAE) != 0;
  const bool reduced = kind == SHK_FORM_INDEX1 || kind == SHK_FORM_INDEX2;
  *form = (struct shk_dae_form){.kind = kind, .n = system->n, .m = system->m};
  if (dae && reduced)
    return shk_failure(SHK_REFUSED,
                       "the form of index %g needs derivatives that a general "
                       "differential-algebraic equation does not provide",
                       kind == SHK_FORM_INDEX1 ? 1 : 2, 0);
  form->unknowns = (int)shk_dae_form_unknowns(system, kind);
  form->stabilized = form->unknowns > 2 * system->n + system->m;
  form->index = kind == SHK_FORM_INDEX1                           ? 1
                : kind == SHK_FORM_GGL || kind == SHK_FORM_INDEX2 ? 2
                : dae                                             ? system->dae_index
                                                                  : 3;
  form->analytic = dae ? !form->stabilized : shk_is_general(system) && !reduced;
  struct shk_form_work *scratch = form->scratch =
      shk_part(binding->workspace, sizeof *scratch, arrays, binding->evaluator);
  SHK_TRY(shk_allocated(scratch));
  scratch->evaluator = binding->evaluator;
  scratch->dae = dae;
  scratch->mass =
      system->features & (SHK_GENERAL_HAMILTONIAN | SHK_GENERAL_DAE) ? NULL : system->mass;
  if (form->analytic && !dae)
    SHK_TRY(bind_second(scratch, binding->workspace));
  return shk_bind_manifold(&scratch->manifold, binding);
}

/* ---- the equations ---- */

/* Computes d²g/dt² and stores it in `out` (m). On entry, `force` must contain p', and `velocity`
 * must contain H_p. Overwrites `gradient`. */
static struct shk_status second_derivative(struct shk_form_work *scratch, real *out, real t,
                                           const real *q, const real *p)
{
  struct shk_evaluator *e = scratch->evaluator;
  if (!scratch->mass)
    SHK_TRY(shk_hessian(e, scratch->hessian, t, q, p));
  shk_acceleration(e, scratch->gradient, scratch->mass ? NULL : scratch->hessian, scratch->velocity,
                   1, scratch->force);
  SHK_TRY(shk_curvature(e, out, t, q, scratch->velocity));
  shk_jacobian_times(e, scratch->hidden, scratch->G, scratch->gradient);
  shk_vector_add(out, 1, scratch->hidden, e->system->m);
  return shk_ok();
}

static struct shk_status evaluate_mechanical(struct shk_dae_form *form, real *out, real t,
                                             const real *y)
{
  struct shk_form_work *scratch = form->scratch;
  struct shk_evaluator *e = scratch->evaluator;
  const int n = form->n, m = form->m;
  const real *q = y, *p = q + n, *lambda = p + n, *eta = lambda + m;
  real *dq = out, *dp = dq + n, *rest = dp + n;
  SHK_TRY(shk_velocity(e, scratch->velocity, t, q, p));
  SHK_TRY(shk_forces_and_constraints(e, scratch->gradient, scratch->G, NULL, t, q, p, NULL));
  for (int i = 0; i < n; i++) {
    dq[i] = scratch->velocity[i];
    scratch->force[i] = -scratch->gradient[i];
  }
  shk_jacobian_transposed_add(e, scratch->force, scratch->G, -1, lambda);
  shk_copy(dp, scratch->force, n);
  if (form->kind == SHK_FORM_INDEX1)
    return second_derivative(scratch, rest, t, q, p);
  if (form->kind == SHK_FORM_INDEX2)
    return shk_hidden_residual(e, rest, scratch->G, t, q, scratch->velocity);
  SHK_TRY(shk_constraint(e, rest, t, q));
  if (!form->stabilized)
    return shk_ok();
  real *slide = scratch->gradient;
  shk_fill(slide, 0, n);
  shk_jacobian_transposed_add(e, slide, scratch->G, 1, eta);
  for (int i = 0; i < n; i++)
    dq[i] += scratch->mass ? slide[i] / scratch->mass[i] : slide[i];
  return shk_hidden_residual(e, rest + m, scratch->G, t, q, scratch->velocity);
}

static struct shk_status evaluate_general(struct shk_dae_form *form, real *out, real t,
                                          const real *y)
{
  struct shk_form_work *scratch = form->scratch;
  struct shk_evaluator *e = scratch->evaluator;
  const int n = form->n, m = form->m;
  const real *q = y, *p = q + n, *lambda = p + n, *eta = lambda + m;
  real *dq = out, *g = out + 2 * n, *hidden = g + m;
  SHK_TRY(shk_dae_slope(e, dq, dq + n, t, q, p, lambda));
  SHK_TRY(shk_dae_constraint(e, g, t, q, p));
  if (!form->stabilized)
    return shk_ok();
  SHK_TRY(
      shk_dae_derivatives(e, scratch->hessian, scratch->f_lambda, scratch->g_x, t, q, p, lambda));
  for (int k = 0; k < m; k++)
    hidden[k] = real_dot(scratch->g_x + 2 * n * k, dq, n);
  for (int k = 0; k < m; k++)
    shk_vector_add(dq, eta[k], scratch->g_x + 2 * n * k, n);
  return shk_ok();
}

struct shk_status shk_dae_form_evaluate(struct shk_dae_form *form, real *out, real t, const real *y)
{
  SHK_TRY(form->scratch->dae ? evaluate_general(form, out, t, y)
                             : evaluate_mechanical(form, out, t, y));
  return shk_check_finite(out, form->unknowns, "the equations are not finite near t = %g", t);
}

/* ---- their derivatives ---- */

/* Stores Σ_k lambda_k g_k,qq in `second` (n x n), followed by the same sum with eta (n x n). */
static struct shk_status contract_curvature(struct shk_dae_form *form, real t, const real *q,
                                            const real *lambda, const real *eta)
{
  struct shk_form_work *scratch = form->scratch;
  struct shk_evaluator *e = scratch->evaluator;
  const size_t n = (size_t)form->n, m = (size_t)form->m;
  real *u = scratch->force, *none = scratch->curvatures + n * m;
  shk_fill(u, 0, n);
  SHK_TRY(shk_curvature(e, none, t, q, u));
  for (size_t i = 0; i < n; i++) {
    u[i] = 1;
    SHK_TRY(shk_curvature(e, scratch->curvatures + i * m, t, q, u));
    u[i] = 0;
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      real with_lambda = 0, with_eta = 0;
      if (scratch->share[i * n + j]) {
        u[i] += 1;
        u[j] += 1;
        SHK_TRY(shk_curvature(e, scratch->c, t, q, u));
        u[i] = u[j] = 0;
        const real *c_i = scratch->curvatures + i * m, *c_j = scratch->curvatures + j * m;
        for (size_t k = 0; k < m; k++) {
          const real a = (scratch->c[k] - c_i[k] - c_j[k] + none[k]) / 2;
          with_lambda += lambda[k] * a;
          with_eta += form->stabilized ? eta[k] * a : 0;
        }
      }
      scratch->second[i * n + j] = scratch->second[j * n + i] = with_lambda;
      scratch->second[n * n + i * n + j] = scratch->second[n * n + j * n + i] = with_eta;
    }
  return shk_ok();
}

/* Computes column j of the derivative of the hidden constraint with respect to q, excluding G H_pq.
 * This column is g_qq[v,e_j] + g_qt e_j. */
static struct shk_status hidden_column(struct shk_form_work *scratch, real *out, real t,
                                       const real *q, int j)
{
  struct shk_evaluator *e = scratch->evaluator;
  const int n = e->system->n, m = e->system->m;
  real *u = scratch->force;
  shk_copy(u, scratch->velocity, n);
  u[j] = scratch->velocity[j] + 1;
  SHK_TRY(shk_curvature(e, scratch->c, t, q, u));
  u[j] = scratch->velocity[j] - 1;
  SHK_TRY(shk_curvature(e, scratch->c + m, t, q, u));
  for (int k = 0; k < m; k++)
    out[k] = (scratch->c[k] - scratch->c[m + k]) / 4;
  return shk_ok();
}

static struct shk_status jacobian_mechanical(struct shk_dae_form *form, real *columns, real t,
                                             const real *y)
{
  struct shk_form_work *scratch = form->scratch;
  struct shk_evaluator *e = scratch->evaluator;
  const int n = form->n, m = form->m;
  const int size = form->unknowns;
  const real *q = y, *p = q + n, *lambda = p + n, *eta = lambda + m;
  SHK_TRY(shk_hessian(e, scratch->hessian, t, q, p));
  SHK_TRY(shk_velocity(e, scratch->velocity, t, q, p));
  SHK_TRY(shk_jacobian(e, scratch->G, t, q));
  SHK_TRY(contract_curvature(form, t, q, lambda, eta));
  for (int j = 0; j < 2 * n; j++) { /* derivatives with respect to q and p */
    real *column = columns + j * size, *rest = column + 2 * n;
    for (int i = 0; i < n; i++) {
      column[i] = scratch->hessian[(n + i) * 2 * n + j];
      column[n + i] = -scratch->hessian[i * 2 * n + j];
    }
    if (form->stabilized) {
      real *own = rest + m;
      shk_jacobian_times(e, scratch->hidden, scratch->G,
                         column); /* G H_pq, G H_pp, before eta is added */
      shk_fill(own, 0, m);
      if (j < n)
        SHK_TRY(hidden_column(scratch, own, t, q, j));
      shk_vector_add(own, 1, scratch->hidden, m);
    }
    for (int i = 0; j < n && i < n; i++) {
      const real mass = scratch->mass ? scratch->mass[i] : 1;
      column[i] += scratch->second[n * n + i * n + j] / mass;
      column[n + i] -= scratch->second[i * n + j];
    }
  }
  for (int k = 0; k < m; k++)
    for (int a = e->row_start[k]; a < e->row_start[k + 1]; a++) {
      const int i = e->columns[a];
      const real mass = scratch->mass ? scratch->mass[i] : 1;
      columns[i * size + 2 * n + k] = scratch->G[a];
      columns[(2 * n + k) * size + n + i] = -scratch->G[a];
      if (form->stabilized)
        columns[(2 * n + (m + k)) * size + i] = scratch->G[a] / mass;
    }
  return shk_ok();
}

static struct shk_status jacobian_general(struct shk_dae_form *form, real *columns, real t,
                                          const real *y)
{
  struct shk_form_work *scratch = form->scratch;
  const size_t x = 2 * (size_t)form->n, m = (size_t)form->m, size = x + m;
  SHK_TRY(shk_dae_derivatives(scratch->evaluator, scratch->hessian, scratch->f_lambda, scratch->g_x,
                              t, y, y + form->n, y + x));
  for (size_t i = 0; i < x; i++) {
    for (size_t j = 0; j < x; j++)
      columns[j * size + i] = scratch->hessian[i * x + j];
    for (size_t k = 0; k < m; k++) {
      columns[(x + k) * size + i] = scratch->f_lambda[i * m + k];
      columns[i * size + x + k] = scratch->g_x[k * x + i];
    }
  }
  return shk_ok();
}

struct shk_status shk_dae_form_jacobian(struct shk_dae_form *form, real *columns, real t,
                                        const real *y)
{
  const int entries = form->unknowns * form->unknowns;
  if (!form->analytic)
    return shk_failure(SHK_BAD_INPUT, "the system does not provide second derivatives", 0, 0);
  shk_fill(columns, 0, entries);
  SHK_TRY(form->scratch->dae ? jacobian_general(form, columns, t, y)
                             : jacobian_mechanical(form, columns, t, y));
  return shk_check_finite(columns, entries, "the derivatives are not finite near t = %g", t);
}

/* ---- a start ---- */

struct shk_status shk_dae_form_start(struct shk_dae_form *form, real *y, real *y_dot,
                                     const struct shk_state *from, real time_scale)
{
  struct shk_form_work *scratch = form->scratch;
  const int n = form->n, m = form->m;
  const real t = from->t;
  shk_fill(y, 0, form->unknowns);
  shk_state_pack(y, from);
  SHK_TRY(shk_exact_multiplier(scratch->manifold, y + 2 * n, t, from->q, from->p));
  if (!y_dot)
    return shk_ok();
  SHK_TRY(shk_dae_form_evaluate(form, scratch->trial, t, y));
  shk_fill(y_dot, 0, form->unknowns);
  shk_copy(y_dot, scratch->trial, 2 * n);
  const real ahead = real_pow(REAL_EPSILON, R(1.0) / 3) * time_scale;
  for (int side = 1; side >= -1; side -= 2) {
    for (int i = 0; i < 2 * n; i++)
      scratch->trial[i] = y[i] + (real)side * ahead * y_dot[i];
    SHK_TRY(shk_exact_multiplier(scratch->manifold, scratch->c, t + (real)side * ahead,
                                 scratch->trial, scratch->trial + n));
    for (int k = 0; k < m; k++)
      y_dot[2 * n + k] += (real)side * scratch->c[k] / (2 * ahead);
  }
  return shk_ok();
}

void shk_dae_form_claims(struct shk_claims *claims, enum shk_form_kind kind)
{
  const bool reduced = kind == SHK_FORM_INDEX1 || kind == SHK_FORM_INDEX2;
  const bool hidden = kind == SHK_FORM_GGL || kind == SHK_FORM_INDEX2;
  claims->keeps_constraint = reduced ? SHK_NO : SHK_UNKNOWN;
  claims->keeps_hidden = hidden ? SHK_UNKNOWN : SHK_NO;
}

/*
 * Applies SUNDIALS' CVODE (variable-order BDF) to the index-reduced equations, with the constraint
 * force -Gᵀ lambda. The result of a CVODE step is projected before the error test, and so is the
 * error estimate. The exception is the part of err_p that results from the curvature, which is
 * about as large as err_q.
 *
 * Newton's method uses dense LU and a dense Jacobian that CVODE approximates by differences, so
 * there can be no more than 2000 unknowns. Like CVODE, the method exists in double precision only.
 * Steps end exactly at output times (stop times are set; there is no interpolation), so closely
 * spaced outputs shorten the steps. If a step starts from a state other than the one returned last,
 * CVODE restarts at order 1. The reported lambda is the exact multiplier of the reported state.
 * Constraints that depend on p are not supported.
 *
 * Source: Hindmarsh, Brown, Grant, Lee, Serban, Shumaker & Woodward (2005); Eich, SIAM J. Numer.
 * Anal. 30 (1993) 1467 (projected BDF).
 */

static const char equations[] =
    "q' = H_p,  p' = -H_q + Q - Gᵀ lambda(q,p,t),  lambda the exact multiplier         (1)\n"
    "after a step: q along W Gᵀ onto g = 0, then p along Gᵀ onto G H_p + g_t = 0       (2)\n"
    "err_q -= W Gᵀ (G W Gᵀ)⁻¹ G err_q,  err_p -= Gᵀ (G H_pp Gᵀ)⁻¹ G H_pp err_p         (3)\n"
    "W = M⁻¹ for separable systems, 1 for general ones and with forces\n";

#define SUNDIALS_HEADER <cvode/cvode.h>
#define SUNDIALS(function) CVode##function
#define SUNDIALS_NAME "CVODE"

#include "integrators/outside/sundials.h"
#include <shakedown/plugin.h>

#if SHK_SUNDIALS
#include <cvode/cvode_proj.h>
#endif

struct cvode {
  struct shk_evaluator *evaluator;
  int n, m;
  struct shk_outside given;
  struct shk_manifold *manifold;
  struct shk_reduced *reduced;
  struct shk_linear *linear; /* used to project the error */
  real *jacobian, *lambda, *point, *scratch, *hessian;
#if SHK_SUNDIALS
  struct shk_sundials sun; /* y = (q, p) */
#endif
};

#if SHK_SUNDIALS

#define MAX_UNKNOWNS 2000

/* Frees the objects that the workspace does not own. */
static void release_cvode(void *method)
{
  struct cvode *s = method;
  CVodeFree(&s->sun.memory);
  shk_sundials_clear(&s->sun);
}

static struct shk_status check_finite(const double *x, int count, double t)
{
  return shk_check_finite(x, count, "the slope or its projection is not finite near t = %g", t);
}

static int cvode_slope(double t, N_Vector y, N_Vector y_dot, void *user)
{
  struct cvode *s = user;
  const double *q = N_VGetArrayPointer(y);
  double *dq = N_VGetArrayPointer(y_dot);
  struct shk_status status =
      shk_reduced_slope(s->reduced, dq, dq + s->n, s->lambda, t, q, q + s->n);
  if (status.code == SHK_OK)
    status = check_finite(dq, 2 * s->n, t);
  return shk_sundials_answer(&s->sun, status);
}

/* Projects the error estimate (2n) in place at the state in s->point, using (3). */
static struct shk_status project_error(struct cvode *s, double *error, double t)
{
  struct shk_evaluator *e = s->evaluator;
  const int n = s->n;
  const double *q = s->point, *p = q + n;
  double *error_q = error, *error_p = error + n;
  SHK_TRY(shk_jacobian(e, s->jacobian, t, q));
  SHK_TRY(shk_factor_in_metric(s->linear, e, s->jacobian, NULL));
  shk_jacobian_times(e, s->lambda, s->jacobian, error_q);
  shk_linear_solve(s->linear, s->lambda);
  shk_fill(s->scratch, 0, n);
  shk_jacobian_transposed_add(e, s->scratch, s->jacobian, 1, s->lambda);
  for (int i = 0; i < n; i++)
    error_q[i] -= s->hessian ? s->scratch[i] : shk_over_mass(e, s->scratch[i], i);
  if (s->hessian) {
    SHK_TRY(shk_hessian(e, s->hessian, t, q, p));
    SHK_TRY(shk_factor_in_metric(s->linear, e, s->jacobian, s->hessian));
  }
  shk_acceleration(e, s->scratch, s->hessian, NULL, 1, error_p);
  shk_jacobian_times(e, s->lambda, s->jacobian, s->scratch);
  shk_linear_solve(s->linear, s->lambda);
  shk_jacobian_transposed_add(e, error_p, s->jacobian, -1, s->lambda);
  return shk_ok();
}

/* Performs CVODE's projection (2). Stores the correction such that y + correction satisfies the
 * constraints to round-off, whatever the tolerance. Also projects `error` unless it is NULL. */
static int project_cvode(double t, N_Vector y, N_Vector correction, double tolerance,
                         N_Vector error, void *user)
{
  struct cvode *s = user;
  const double *from = N_VGetArrayPointer(y);
  double *out = N_VGetArrayPointer(correction);
  const int n = s->n;
  shk_copy(s->point, from, 2 * n);
  struct shk_status status = shk_manifold_project(s->manifold, s->point, s->point + n, t);
  if (status.code == SHK_OK && error)
    status = project_error(s, N_VGetArrayPointer(error), t);
  for (int i = 0; i < 2 * n; i++)
    out[i] = s->point[i] - from[i];
  if (status.code == SHK_OK)
    status = check_finite(out, 2 * n, t);
  return shk_sundials_answer(&s->sun, status);
}

static struct shk_status configure_cvode(struct cvode *s)
{
  void *const cvode = s->sun.memory;
  N_VConst(0, s->sun.y);
  const bool ok = CVodeInit(cvode, cvode_slope, 0, s->sun.y) == CV_SUCCESS &&
                  CVodeSStolerances(cvode, s->given.rtol, s->given.atol) == CV_SUCCESS &&
                  shk_sundials_set_up(&s->sun, s) &&
                  CVodeSetLinearSolver(cvode, s->sun.dense, s->sun.matrix) == CV_SUCCESS &&
                  (s->m == 0 || (CVodeSetProjFn(cvode, project_cvode) == CV_SUCCESS &&
                                 CVodeSetProjErrEst(cvode, SUNTRUE) == CV_SUCCESS &&
                                 CVodeSetMaxNumProjFails(cvode, 20) == CV_SUCCESS));
  return ok ? shk_ok() : shk_failure(SHK_SOLVER_FAILED, "CVODE could not be set up", 0, 0);
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct cvode *s = method;
  SHK_TRY(shk_outside_bind(&s->given, binding, 2.0 * s->n, MAX_UNKNOWNS));
  struct shk_binding defaults = *binding;
  defaults.options = NULL;
  SHK_TRY(shk_bind_manifold(&s->manifold, binding));
  SHK_TRY(shk_bind_reduced(&s->reduced, &defaults));
  SHK_TRY(shk_bind_linear(&s->linear, binding, NULL));
  SHK_TRY(shk_keep(binding->workspace, s, release_cvode));
  if (!shk_sundials_create(&s->sun, 2 * s->n))
    return shk_no_memory();
  s->sun.memory = CVodeCreate(CV_BDF, s->sun.context);
  SHK_TRY(shk_allocated(s->sun.memory));
  return configure_cvode(s);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct cvode *s = method;
  const int n = s->n;
  s->sun.failure = shk_ok();
  if (shk_outside_restarts(&s->given, from, h)) {
    shk_state_pack(N_VGetArrayPointer(s->sun.y), from);
    /* CVODE chooses its first step based on the second derivative. */
    SHK_TRY(
        shk_sundials_start(&s->sun, CVodeReInit(s->sun.memory, from->t, s->sun.y), from->t, 0, h));
  }
  const double end = from->t + h;
  int flag = shk_sundials_aim(&s->sun, h, end);
  if (flag == CV_SUCCESS)
    flag = CVode(s->sun.memory, end, s->sun.y, &s->sun.t, CV_NORMAL);
  shk_sundials_count(&s->sun, &s->evaluator->counters);
  SHK_TRY(shk_sundials_status(&s->sun, flag));
  const double *y = N_VGetArrayPointer(s->sun.y);
  SHK_TRY(shk_exact_multiplier(s->manifold, to->lambda, end, y, y + n));
  shk_outside_arrive(&s->given, to, y, y + n, to->lambda, s->sun.t, h);
  return shk_ok();
}

#endif

static const struct shk_option options[] = SHK_LIST(SHK_OUTSIDE_TOLERANCES(cvode));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(cvode, jacobian, .entries = 1), SHK_ARRAY(cvode, lambda, .m = 1),
             SHK_ARRAY(cvode, point, .n = 2), SHK_ARRAY(cvode, scratch, .n = 1),
             SHK_ARRAY(cvode, hessian, .nn = 4, .only = SHK_GENERAL));

static const struct shk_stated claims[] = SHK_LIST(
    SHK_CLAIM(KEEPS_MOMENTA, SHK_NO), SHK_CLAIM(ENERGY_BOUNDED, SHK_NO), SHK_CONSTRAINTS(SHK_YES));

static const struct shk_integrator cvode = {
    SHK_INTEGRATOR(cvode, arrays, SHK_SUNDIALS_BIND, SHK_SUNDIALS_STEP, NULL),
    .info = {.name = "cvode",
             .family = "solvers of DAEs",
             .summary = "SUNDIALS' CVODE on the index-reduced equations, projected at every "
                        "step" SHK_SUNDIALS_NOTE,
             .equations = equations,
             .citation = SHK_SUNDIALS_PAPER "Eich, SIAM J. Numer. Anal. 30 (1993) 1467",
             .options = options,
             .supports = SHK_HOLONOMIC,
             .adaptive = true,
             .double_only = true,
             .claims = claims}};

SHK_PROVIDE(cvode, .integrators = SHK_INTEGRATORS(&cvode));

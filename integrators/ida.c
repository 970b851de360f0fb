/*
 * SUNDIALS' IDA (variable-order BDF, Newton) on three forms of the constrained equations.
 *
 *     ggl      q' = H_p + W Gᵀ eta      p' = -H_q - Gᵀ lambda      0 = g      0 = G H_p
 *     index1   q' = H_p                 p' = -H_q - Gᵀ lambda      0 = d²g/dt²
 *     index3   q' = H_p                 p' = -H_q - Gᵀ lambda      0 = g
 *
 * with W = M⁻¹ for separable systems and 1 for general ones, and
 *
 *     d²g/dt² = g_qq[v,v] + G (H_pq v - H_pp (H_q + Gᵀ lambda)),      v = H_p.
 *
 * The constraint force is -Gᵀ lambda. ggl is the stabilized form of index 2 (Gear, Gupta &
 * Leimkuhler), whose eta vanishes on solutions; index1 keeps neither g nor G H_p and drifts; index3
 * is the raw system, for which IDA's convergence and error tests are not made. In ggl and index3
 * the multipliers are left out of the error test, and in Newton's convergence test they count
 * little: lambda and eta are known to about the tolerance over the step only.
 *
 * Dense Jacobian by IDA's own differences, dense LU: no more than 2000 unknowns. Double precision
 * only, since IDA is. Output times are met exactly (stop times, no interpolation), so short output
 * spacings shorten the steps. A state that is not the one returned last restarts IDA at order 1.
 *
 * Source: Hindmarsh, Brown, Grant, Lee, Serban, Shumaker & Woodward (2005); Gear, Gupta &
 * Leimkuhler (1985); Hairer & Wanner, Solving Ordinary Differential Equations II, ch. VII.
 */
#include "integrators/outside.h"
#include <shakedown/plugin.h>

#define MAX_UNKNOWNS 2000

/* In the order of the heads. */
enum form { FORM_GGL, FORM_INDEX1, FORM_INDEX3 };

#if SHK_PRECISION == 64

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_config.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#ifndef SUNDIALS_DOUBLE_PRECISION
#error "SUNDIALS must have been built for double precision"
#endif

#if SUNDIALS_VERSION_MAJOR < 6
#error "SUNDIALS 6 or later is needed: objects belong to a context"
#endif

/* Of Newton's convergence test: the multipliers' absolute tolerance in units of that of q and p. */
#define MULTIPLIER_SLACK 1e6

/* Internal steps of one step. */
#define MAX_INTERNAL_STEPS 200000

struct solver {
  struct shk_evaluator *evaluator;
  struct shk_manifold *manifold;
  enum form form;
  int n, m, unknowns; /* y = (q, p, lambda[, eta]) */
  double rtol, atol, time_scale;
  SUNContext context;
  void *ida;
  N_Vector y, y_dot, id, tolerances;
  SUNMatrix matrix;
  SUNLinearSolver linear;
  double *jacobian, *velocity, *gradient, *force, *hidden; /* entries of G, n, n, n, m */
  double *hessian;                                         /* (2n)²: general systems, index1 */
  struct shk_status failure;                               /* of the last evaluation */
  double t;                                                /* where IDA stands */
  struct shk_last last;                                    /* what it returned there */
  long steps, rejected, iterations, setups; /* IDA's counters when they were last read */
};

static void destroy(void *method)
{
  struct solver *s = method;
  if (s == NULL)
    return;
  IDAFree(&s->ida);
  if (s->linear != NULL)
    SUNLinSolFree(s->linear);
  if (s->matrix != NULL)
    SUNMatDestroy(s->matrix);
  N_VDestroy(s->y);
  N_VDestroy(s->y_dot);
  N_VDestroy(s->id);
  N_VDestroy(s->tolerances);
  if (s->context != NULL)
    SUNContext_Free(&s->context);
  shk_manifold_destroy(s->manifold);
  free(s->jacobian);
  free(s->last.z);
  free(s);
}

#if SUNDIALS_VERSION_MAJOR < 7
/* What is wrong is in the status that step() returns: nothing is printed. */
static void keep_silent(int code, const char *module, const char *function, char *message,
                        void *user)
{
  (void)code, (void)module, (void)function, (void)message, (void)user;
}
#endif

/* out (m) = d²g/dt², where `force` holds p' and `velocity` H_p; overwrites `gradient`. */
static struct shk_status second_derivative(struct solver *s, double *out, double t, const double *q,
                                           const double *p)
{
  struct shk_evaluator *e = s->evaluator;
  const size_t n = (size_t)s->n;
  double *acceleration = s->gradient;
  if (e->system->features & SHK_GENERAL_HAMILTONIAN) {
    SHK_TRY(shk_hessian(e, s->hessian, t, q, p));
    for (size_t i = 0; i < n; i++) {
      const double *H_pq = s->hessian + (n + i) * 2 * n, *H_pp = H_pq + n;
      acceleration[i] = 0;
      for (size_t j = 0; j < n; j++)
        acceleration[i] += H_pq[j] * s->velocity[j] + H_pp[j] * s->force[j];
    }
  } else {
    for (size_t i = 0; i < n; i++)
      acceleration[i] = s->force[i] / e->system->mass[i];
  }
  SHK_TRY(shk_curvature(e, out, t, q, s->velocity));
  shk_jacobian_times(e, s->hidden, s->jacobian, acceleration);
  for (int i = 0; i < s->m; i++)
    out[i] += s->hidden[i];
  return shk_ok();
}

static struct shk_status evaluate(struct solver *s, double *r, double t, const double *y,
                                  const double *y_dot)
{
  struct shk_evaluator *e = s->evaluator;
  const int n = s->n, m = s->m;
  const double *q = y, *p = q + n, *lambda = p + n, *eta = lambda + m;
  SHK_TRY(shk_velocity(e, s->velocity, t, q, p));
  SHK_TRY(shk_gradient(e, s->gradient, t, q, p));
  SHK_TRY(shk_jacobian(e, s->jacobian, t, q));
  for (int i = 0; i < n; i++)
    s->force[i] = -s->gradient[i];
  shk_jacobian_transposed_add(e, s->force, s->jacobian, -1, lambda);
  for (int i = 0; i < n; i++) {
    r[i] = y_dot[i] - s->velocity[i];
    r[n + i] = y_dot[n + i] - s->force[i];
  }
  if (s->form == FORM_INDEX1)
    return second_derivative(s, r + 2 * n, t, q, p);
  SHK_TRY(shk_constraint(e, r + 2 * n, t, q));
  if (s->form == FORM_GGL) {
    double *slide = s->gradient;
    memset(slide, 0, (size_t)n * sizeof *slide);
    shk_jacobian_transposed_add(e, slide, s->jacobian, 1, eta);
    const double *mass = e->system->features & SHK_GENERAL_HAMILTONIAN ? NULL : e->system->mass;
    for (int i = 0; i < n; i++)
      r[i] -= mass != NULL ? slide[i] / mass[i] : slide[i];
    shk_jacobian_times(e, r + 2 * n + m, s->jacobian, s->velocity);
  }
  return shk_ok();
}

/* IDA's residual: 0, positive where a smaller step may help, negative to stop. */
static int residual(double t, N_Vector y, N_Vector y_dot, N_Vector r, void *user)
{
  struct solver *s = user;
  double *out = N_VGetArrayPointer(r);
  struct shk_status status = evaluate(s, out, t, N_VGetArrayPointer(y), N_VGetArrayPointer(y_dot));
  if (status.code == SHK_OK)
    for (int i = 0; i < s->unknowns; i++)
      if (!isfinite(out[i]))
        status = shk_failure(SHK_NOT_FINITE, "the residual is not finite near t = %g", t, 0);
  s->failure = status;
  if (status.code == SHK_OK)
    return 0;
  return status.code == SHK_TRY_SMALLER || status.code == SHK_NOT_FINITE ? 1 : -1;
}

static struct shk_status allocate(struct solver *s)
{
  const struct shk_status none = shk_failure(SHK_NO_MEMORY, "no memory for IDA", 0, 0);
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  const size_t entries = (size_t)s->evaluator->row_start[m];
  const bool second =
      s->form == FORM_INDEX1 && (s->evaluator->system->features & SHK_GENERAL_HAMILTONIAN) != 0;
  s->jacobian = calloc(entries + 3 * n + m + (second ? 4 * n * n : 0) + 1, sizeof(double));
  if (s->jacobian == NULL || !shk_last_init(&s->last, s->n))
    return none;
  s->velocity = s->jacobian + entries;
  s->gradient = s->velocity + n;
  s->force = s->gradient + n;
  s->hidden = s->force + n;
  s->hessian = s->hidden + m;
#if SUNDIALS_VERSION_MAJOR >= 7
  if (SUNContext_Create(SUN_COMM_NULL, &s->context) != 0)
    return none;
  SUNContext_ClearErrHandlers(s->context); /* failures come back as statuses, nothing is printed */
#else
  if (SUNContext_Create(NULL, &s->context) != 0)
    return none;
#endif
  s->y = N_VNew_Serial(s->unknowns, s->context);
  s->y_dot = N_VNew_Serial(s->unknowns, s->context);
  s->id = N_VNew_Serial(s->unknowns, s->context);
  s->tolerances = N_VNew_Serial(s->unknowns, s->context);
  s->matrix = SUNDenseMatrix(s->unknowns, s->unknowns, s->context);
  if (s->y == NULL || s->y_dot == NULL || s->id == NULL || s->tolerances == NULL ||
      s->matrix == NULL)
    return none;
  s->linear = SUNLinSol_Dense(s->y, s->matrix, s->context);
  s->ida = IDACreate(s->context);
  if (s->linear == NULL || s->ida == NULL)
    return none;
  return shk_ok();
}

static struct shk_status configure(struct solver *s)
{
  double *id = N_VGetArrayPointer(s->id), *tolerances = N_VGetArrayPointer(s->tolerances);
  const bool suppressed = s->form != FORM_INDEX1;
  for (int i = 0; i < s->unknowns; i++) {
    id[i] = i < 2 * s->n ? 1 : 0;
    tolerances[i] = s->atol * (suppressed && i >= 2 * s->n ? MULTIPLIER_SLACK : 1);
  }
  N_VConst(0, s->y);
  N_VConst(0, s->y_dot);
#if SUNDIALS_VERSION_MAJOR < 7
  if (IDASetErrHandlerFn(s->ida, keep_silent, NULL) != IDA_SUCCESS)
    return shk_failure(SHK_SOLVER_FAILED, "IDA could not be silenced", 0, 0);
#endif
  const bool well = IDAInit(s->ida, residual, 0, s->y, s->y_dot) == IDA_SUCCESS &&
                    IDASetUserData(s->ida, s) == IDA_SUCCESS &&
                    IDASVtolerances(s->ida, s->rtol, s->tolerances) == IDA_SUCCESS &&
                    IDASetLinearSolver(s->ida, s->linear, s->matrix) == IDA_SUCCESS &&
                    IDASetId(s->ida, s->id) == IDA_SUCCESS &&
                    IDASetSuppressAlg(s->ida, suppressed) == IDA_SUCCESS &&
                    IDASetMaxNumSteps(s->ida, MAX_INTERNAL_STEPS) == IDA_SUCCESS &&
                    IDASetMaxErrTestFails(s->ida, 20) == IDA_SUCCESS &&
                    IDASetMaxConvFails(s->ida, 20) == IDA_SUCCESS;
  return well ? shk_ok() : shk_failure(SHK_SOLVER_FAILED, "IDA could not be set up", 0, 0);
}

static struct shk_status create(void **method, const struct shk_binding *binding)
{
  *method = NULL;
  const struct shk_system *system = binding->evaluator->system;
  const enum form form = (enum form)shk_values_choice(binding->options, "form");
  const double unknowns = 2.0 * system->n + (form == FORM_GGL ? 2.0 : 1.0) * system->m;
  if (unknowns > MAX_UNKNOWNS)
    return shk_failure(SHK_REFUSED,
                       "IDA with a dense Jacobian takes no more than %g unknowns; this has %g",
                       MAX_UNKNOWNS, unknowns);
  double rtol, atol;
  SHK_TRY(shk_outside_tolerance(&rtol, binding, "rtol"));
  SHK_TRY(shk_outside_tolerance(&atol, binding, "atol"));
  struct solver *s = calloc(1, sizeof *s);
  if (s == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for IDA", 0, 0);
  s->evaluator = binding->evaluator;
  s->form = form;
  s->n = system->n;
  s->m = system->m;
  s->unknowns = (int)unknowns;
  s->rtol = rtol;
  s->atol = atol;
  s->time_scale = binding->instance->time_scale > 0 ? binding->instance->time_scale : 1;
  struct shk_status status = shk_manifold_create(&s->manifold, s->evaluator);
  if (status.code == SHK_OK)
    status = allocate(s);
  if (status.code == SHK_OK)
    status = configure(s);
  if (status.code != SHK_OK) {
    destroy(s);
    return status;
  }
  *method = s;
  return shk_ok();
}

/* Starts IDA at a state, with the exact multiplier and the slopes that belong to it. The slope of
 * lambda is not known and of no consequence: IDA predicts the first step with it and corrects. */
static struct shk_status restart(struct solver *s, const struct shk_state *from, double h)
{
  const int n = s->n;
  double *y = N_VGetArrayPointer(s->y), *y_dot = N_VGetArrayPointer(s->y_dot);
  memset(y, 0, (size_t)s->unknowns * sizeof *y);
  memset(y_dot, 0, (size_t)s->unknowns * sizeof *y_dot);
  memcpy(y, from->q, (size_t)n * sizeof *y);
  memcpy(y + n, from->p, (size_t)n * sizeof *y);
  SHK_TRY(shk_exact_multiplier(s->manifold, y + 2 * n, from->t, y, y + n));
  /* Without slopes the residual of the first 2n equations is minus the slopes. */
  SHK_TRY(evaluate(s, y_dot, from->t, y, y_dot));
  for (int i = 0; i < s->unknowns; i++)
    y_dot[i] = i < 2 * n ? -y_dot[i] : 0;
  /* The error of the first step, of order 1, is about its square in units of the time scale. */
  const double first = fmin(fabs(h), 0.1 * sqrt(fmin(s->rtol, 1)) * s->time_scale);
  int flag = IDAReInit(s->ida, from->t, s->y, s->y_dot);
  if (flag == IDA_SUCCESS)
    flag = IDASetInitStep(s->ida, copysign(first, h));
  if (flag != IDA_SUCCESS)
    return shk_failure(SHK_SOLVER_FAILED, "IDA could not be started (flag %g)", flag, 0);
  s->steps = s->rejected = s->iterations = s->setups = 0;
  s->t = from->t;
  return shk_ok();
}

/* Adds what IDA's counters have gained since they were last read. */
static void count_work(struct solver *s)
{
  long steps = 0, rejected = 0, iterations = 0, setups = 0;
  IDAGetNumSteps(s->ida, &steps);
  IDAGetNumErrTestFails(s->ida, &rejected);
  IDAGetNumNonlinSolvIters(s->ida, &iterations);
  IDAGetNumLinSolvSetups(s->ida, &setups);
  struct shk_work *work = &s->evaluator->work;
  work->steps += steps - s->steps;
  work->rejected += rejected - s->rejected;
  work->iterations += iterations - s->iterations;
  work->factorizations += setups - s->setups;
  s->steps = steps;
  s->rejected = rejected;
  s->iterations = iterations;
  s->setups = setups;
}

/* IDA's flag as a status; the time is where it stands. */
static struct shk_status solver_status(const struct solver *s, int flag)
{
  static const struct {
    int flag;
    const char *reason;
  } reasons[] = {
      {IDA_TOO_MUCH_WORK, "IDA (%g): more internal steps than allowed, at t = %g"},
      {IDA_TOO_MUCH_ACC, "IDA (%g): the tolerance is below what round-off allows, at t = %g"},
      {IDA_ERR_FAIL, "IDA (%g): the error test failed to the smallest step, at t = %g"},
      {IDA_CONV_FAIL, "IDA (%g): Newton did not converge at the smallest step, at t = %g"},
      {IDA_LSETUP_FAIL, "IDA (%g): the linear solver failed, at t = %g"},
  };
  if (flag == IDA_SUCCESS || flag == IDA_TSTOP_RETURN)
    return shk_ok();
  if (s->failure.code != SHK_OK)
    return s->failure;
  for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
    if (reasons[i].flag == flag)
      return shk_failure(SHK_SOLVER_FAILED, reasons[i].reason, flag, s->t);
  return shk_failure(SHK_SOLVER_FAILED, "IDA gave up with flag %g at t = %g", flag, s->t);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct solver *s = method;
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  s->failure = shk_ok();
  if (!shk_last_is(&s->last, from, h))
    SHK_TRY(restart(s, from, h));
  const double end = from->t + h;
  /* Without a least step IDA would stand before an obstacle until its steps are used up. */
  int flag = IDASetMinStep(s->ida, 64 * REAL_EPSILON * fmax(fabs(h), fabs(end)));
  if (flag == IDA_SUCCESS)
    flag = IDASetStopTime(s->ida, end);
  if (flag == IDA_SUCCESS)
    flag = IDASolve(s->ida, end, &s->t, s->y, s->y_dot, IDA_NORMAL);
  count_work(s);
  const struct shk_status status = solver_status(s, flag);
  s->last.valid = false;
  if (status.code != SHK_OK)
    return status;
  const double *y = N_VGetArrayPointer(s->y);
  memcpy(to->q, y, n * sizeof *y);
  memcpy(to->p, y + n, n * sizeof *y);
  memcpy(to->lambda, y + 2 * n, m * sizeof *y);
  memset(to->mu, 0, m * sizeof *y);
  memset(to->q_carry, 0, n * sizeof *y);
  memset(to->p_carry, 0, n * sizeof *y);
  shk_last_set(&s->last, s->t, to->q, to->p, h);
  return shk_ok();
}

#else

static struct shk_status create(void **method, const struct shk_binding *binding)
{
  (void)binding;
  *method = NULL;
  return shk_failure(SHK_REFUSED, "IDA is double only", 0, 0);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  (void)method, (void)to, (void)from, (void)h;
  return shk_failure(SHK_REFUSED, "IDA is double only", 0, 0);
}

static void destroy(void *method)
{
  (void)method;
}

#endif

static const struct shk_head forms[] = {
    {"ggl", "stabilized index 2: g = 0 and G H_p = 0, with a second multiplier", NULL},
    {"index1", "the second derivative of g = 0: drifts off g = 0", NULL},
    {"index3", "g = 0 as it stands: fails, or needs loose tolerances", NULL},
    {0}};

static const struct shk_option options[] = {{.name = "form",
                                             .kind = SHK_OPTION_CHOICE,
                                             .fallback = "ggl",
                                             .heads = forms,
                                             .meaning = "how the constraints enter"},
                                            SHK_OUTSIDE_TOLERANCES,
                                            {0}};

/* The constraints that a form contains are kept to Newton's tolerance, which may or may not be
 * round-off. */
static void claims(struct shk_claims *claimed, const struct shk_values *values)
{
  const int form = shk_values_choice(values, "form");
  claimed->keeps_constraint = form == FORM_INDEX1 ? SHK_NO : SHK_UNKNOWN;
  claimed->keeps_hidden = form == FORM_GGL ? SHK_UNKNOWN : SHK_NO;
}

static const struct shk_integrator ida = {
    .struct_size = sizeof(struct shk_integrator),
    .info =
        {
            .name = "ida",
            .summary = "SUNDIALS' IDA (BDF of variable order) on a DAE form of the equations",
            .equations =
                "ggl:    q' = H_p + W G^T eta,  p' = -H_q - G^T lambda,  g = 0,  G H_p = 0\n"
                "        (W = M^-1 for separable systems, 1 for general ones)\n"
                "index1: q' = H_p,  p' = -H_q - G^T lambda,\n"
                "        g_qq[v,v] + G (H_pq v - H_pp (H_q + G^T lambda)) = 0,  v = H_p\n"
                "index3: q' = H_p,  p' = -H_q - G^T lambda,  g = 0",
            .citation = "Hindmarsh, Brown, Grant, Lee, Serban, Shumaker & Woodward (2005); Gear, "
                        "Gupta & Leimkuhler (1985); Hairer & Wanner, Solving Ordinary Differential "
                        "Equations II, ch. VII",
            .options = options,
            .supports = SHK_GENERAL_HAMILTONIAN,
            .adaptive = true,
            .double_only = true,
            .claims = {SHK_OUTSIDE_CLAIMS},
        },
    .create = create,
    .step = step,
    .destroy = destroy,
    .claims = claims,
};

SHK_PROVIDE(ida, .integrators = SHK_INTEGRATORS(&ida));

/*
 * Applies SUNDIALS' IDA (variable-order BDF with Newton's method) to the constrained equations in
 * one of the four forms of dae_form.h: ggl, index1, index3 or index2.
 *
 * The constraint force is -Gᵀ lambda. ggl is the stabilized form of index 2 (Gear, Gupta &
 * Leimkuhler), whose eta vanishes on solutions. index1 drifts, because it preserves neither g nor G
 * H_p + g_t. index2 does not preserve g. index3 is the original system, for which IDA's convergence
 * and error tests are not designed. In ggl and index3, lambda and eta are known only to about the
 * tolerance divided by the step size. They are therefore excluded from the error test and have
 * little weight in Newton's convergence test.
 *
 * Initial values are consistent: they include the exact multiplier, eta = 0, and the slopes of all
 * unknowns. The first step is short, because its order is 1.
 *
 * The Jacobian is analytic if the system provides second derivatives; otherwise IDA computes it by
 * differences. It is factored by dense LU, so there can be no more than 2000 unknowns. Like IDA,
 * the method exists in double precision only. Steps end exactly at output times (stop times are
 * set; there is no interpolation), so closely spaced outputs shorten the steps. If a step starts
 * from a state other than the one returned last, IDA restarts at order 1.
 *
 * Source: Hindmarsh, Brown, Grant, Lee, Serban, Shumaker & Woodward (2005); Gear, Gupta &
 * Leimkuhler (1985); Hairer & Wanner, Solving Ordinary Differential Equations II, ch. VII.
 */
#define SUNDIALS_HEADER <ida/ida.h>
#define SUNDIALS(function) IDA##function
#define SUNDIALS_NAME "IDA"

#include "integrators/outside/dae_form.h"
#include "integrators/outside/sundials.h"
#include <shakedown/plugin.h>

struct ida {
  struct shk_evaluator *evaluator;
  int n, m;
  int kind; /* enum shk_form_kind */
  struct shk_outside given;
  struct shk_dae_form form; /* y = (q, p, lambda[, eta]) */
#if SHK_SUNDIALS
  N_Vector y_dot, id, tolerances;
  struct shk_status cause; /* the last failure in this step */
  struct shk_sundials sun;
#endif
};

#if SHK_SUNDIALS

#define MAX_UNKNOWNS 2000

/* Absolute tolerance for the multipliers in Newton's convergence test, in units of the tolerance
 * for q and p. For general DAEs, in which multipliers may appear nonlinearly, 1 is used instead. */
#define MULTIPLIER_SLACK 1e6

/* Frees the objects that the workspace does not own. */
static void release_ida(void *method)
{
  struct ida *s = method;
  IDAFree(&s->sun.memory);
  N_VDestroy(s->y_dot);
  N_VDestroy(s->id);
  N_VDestroy(s->tolerances);
  shk_sundials_clear(&s->sun);
}

/* Converts a status to IDA's return code. */
static int answer_ida(struct ida *s, struct shk_status status)
{
  if (status.code != SHK_OK)
    s->cause = status;
  return shk_sundials_answer(&s->sun, status);
}

/* Computes IDA's residual: the slopes minus y', followed by the algebraic residuals. */
static int ida_residual(double t, N_Vector y, N_Vector y_dot, N_Vector r, void *user)
{
  struct ida *s = user;
  double *out = N_VGetArrayPointer(r);
  const double *slopes = N_VGetArrayPointer(y_dot);
  struct shk_status status = shk_dae_form_evaluate(&s->form, out, t, N_VGetArrayPointer(y));
  /* If an evaluation fails while IDA computes differences, IDA continues with perturbed slopes. A
   * failure at these slopes is not the original cause. */
  if (status.code == SHK_NOT_FINITE && s->cause.code != SHK_OK && !isfinite(N_VL1Norm(y)))
    status = s->cause;
  for (int i = 0; status.code == SHK_OK && i < 2 * s->form.n; i++)
    out[i] -= slopes[i];
  return answer_ida(s, status);
}

/* Computes the derivative of the residual with respect to y, plus c_j times its derivative with
 * respect to y'. */
static int differentiate_ida(double t, double c_j, N_Vector y, N_Vector y_dot, N_Vector r,
                             SUNMatrix matrix, void *user, N_Vector one, N_Vector two,
                             N_Vector three)
{
  struct ida *s = user;
  double *columns = SUNDenseMatrix_Data(matrix);
  const struct shk_status status =
      shk_dae_form_jacobian(&s->form, columns, t, N_VGetArrayPointer(y));
  for (int i = 0; i < 2 * s->form.n; i++)
    columns[(size_t)i * (size_t)s->form.unknowns + (size_t)i] -= c_j;
  return answer_ida(s, status);
}

static struct shk_status allocate_ida(struct ida *s)
{
  const int unknowns = s->form.unknowns;
  if (!shk_sundials_create(&s->sun, unknowns))
    return shk_no_memory();
  s->y_dot = N_VNew_Serial(unknowns, s->sun.context);
  s->id = N_VNew_Serial(unknowns, s->sun.context);
  s->tolerances = N_VNew_Serial(unknowns, s->sun.context);
  s->sun.memory = IDACreate(s->sun.context);
  return shk_allocated(s->y_dot && s->id && s->tolerances ? s->sun.memory : NULL);
}

static struct shk_status configure_ida(struct ida *s)
{
  double *id = N_VGetArrayPointer(s->id), *tolerances = N_VGetArrayPointer(s->tolerances);
  void *const ida = s->sun.memory;
  const bool suppressed = s->form.index > 1;
  const bool slack = suppressed && !(s->evaluator->system->features & SHK_GENERAL_DAE);
  const int slopes = 2 * s->form.n;
  for (int i = 0; i < s->form.unknowns; i++) {
    id[i] = i < slopes ? 1 : 0;
    tolerances[i] = s->given.atol * (slack && i >= slopes ? MULTIPLIER_SLACK : 1);
  }
  N_VConst(0, s->sun.y);
  N_VConst(0, s->y_dot);
  const bool ok = IDAInit(ida, ida_residual, 0, s->sun.y, s->y_dot) == IDA_SUCCESS &&
                  IDASVtolerances(ida, s->given.rtol, s->tolerances) == IDA_SUCCESS &&
                  IDASetLinearSolver(ida, s->sun.dense, s->sun.matrix) == IDA_SUCCESS &&
                  (!s->form.analytic || IDASetJacFn(ida, differentiate_ida) == IDA_SUCCESS) &&
                  IDASetId(ida, s->id) == IDA_SUCCESS &&
                  IDASetSuppressAlg(ida, suppressed) == IDA_SUCCESS &&
                  shk_sundials_set_up(&s->sun, s);
  return ok ? shk_ok() : shk_failure(SHK_SOLVER_FAILED, "IDA could not be set up", 0, 0);
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct ida *s = method;
  const enum shk_form_kind kind = (enum shk_form_kind)s->kind;
  SHK_TRY(shk_outside_bind(&s->given, binding, shk_dae_form_unknowns(s->evaluator->system, kind),
                           MAX_UNKNOWNS));
  SHK_TRY(shk_bind_dae_form(&s->form, binding, kind));
  SHK_TRY(shk_keep(binding->workspace, s, release_ida));
  SHK_TRY(allocate_ida(s));
  return configure_ida(s);
}

static struct shk_status restart_ida(struct ida *s, const struct shk_state *from, double h)
{
  SHK_TRY(shk_dae_form_start(&s->form, N_VGetArrayPointer(s->sun.y), N_VGetArrayPointer(s->y_dot),
                             from, s->given.time_scale));
  /* The first step has order 1, so its error is about the square of its length in units of the time
   * scale. */
  const double own = 0.1 * sqrt(fmin(s->given.rtol, 1)) * s->given.time_scale;
  return shk_sundials_start(&s->sun, IDAReInit(s->sun.memory, from->t, s->sun.y, s->y_dot), from->t,
                            own, h);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct ida *s = method;
  const int n = s->form.n;
  s->sun.failure = s->cause = shk_ok();
  if (shk_outside_restarts(&s->given, from, h))
    SHK_TRY(restart_ida(s, from, h));
  const double end = from->t + h;
  int flag = shk_sundials_aim(&s->sun, h, end);
  if (flag == IDA_SUCCESS)
    flag = IDASolve(s->sun.memory, end, &s->sun.t, s->sun.y, s->y_dot, IDA_NORMAL);
  shk_sundials_count(&s->sun, &s->evaluator->counters);
  SHK_TRY(shk_sundials_status(&s->sun, flag));
  const double *y = N_VGetArrayPointer(s->sun.y);
  shk_outside_arrive(&s->given, to, y, y + n, y + 2 * n, s->sun.t, h);
  return shk_ok();
}

#endif

static const struct shk_choice forms[] = SHK_LIST(
    {"ggl", SHK_GGL_MEANING}, {"index1", "the second derivative of g = 0: drifts off g = 0"},
    {"index3", "g = 0 itself: fails, or needs loose tolerances"},
    {"index2", "the first derivative of g = 0: drifts off g = 0"});

static const struct shk_option options[] =
    SHK_LIST(SHK_CHOICE(ida, kind, "form", forms, "ggl", "form of the constraints"),
             SHK_OUTSIDE_TOLERANCES(ida));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_CLAIM(KEEPS_MOMENTA, SHK_NO), SHK_CLAIM(ENERGY_BOUNDED, SHK_NO));

static void claims_under(struct shk_claims *claimed, const void *method)
{
  shk_dae_form_claims(claimed, (enum shk_form_kind)((const struct ida *)method)->kind);
}

static const struct shk_integrator ida = {
    SHK_INTEGRATOR(ida, NULL, SHK_SUNDIALS_BIND, SHK_SUNDIALS_STEP, claims_under),
    .info = {
        .name = "ida",
        .family = "solvers of DAEs",
        .summary =
            "SUNDIALS' IDA (variable-order BDF) on a DAE form of the equations" SHK_SUNDIALS_NOTE,
        .equations = SHK_GGL_TEXT SHK_INDEX1_TEXT SHK_INDEX3_TEXT SHK_INDEX2_TEXT SHK_GENERAL_TEXT,
        .citation = SHK_SUNDIALS_PAPER
        "Gear, Gupta & Leimkuhler (1985); Hairer & Wanner, Solving Ordinary Differential "
        "Equations II, ch. VII",
        .options = options,
        .supports = SHK_HOLONOMIC | SHK_GENERAL_DAE,
        .adaptive = true,
        .double_only = true,
        .claims = claims}};

SHK_PROVIDE(ida, .integrators = SHK_INTEGRATORS(&ida));

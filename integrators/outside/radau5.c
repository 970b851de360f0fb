/*
 * Applies RADAU5 by Hairer & Wanner (Radau IIA with three stages, order 5) to three of the forms of
 * dae_form.h: index3, ggl and index2. They are written as M y' = f(y) with a diagonal matrix M of
 * ones and zeros.
 *
 * The constraint force is -Gᵀ lambda. RADAU5 scales its error estimate according to the index of
 * each unknown, which the driver passes to it (index3: q 1, p 2, lambda 3; ggl, index2: q and p 1,
 * lambda and eta 2; a general DAE of index 2: q and p 1, lambda 2). The last stage is the end of
 * the step, so g = 0 and, with ggl, G H_p + g_t = 0 hold to the tolerance of Newton's method. The
 * reported lambda is the one that the solver computes.
 *
 * Users must provide the code as the symbol radau5_ in libsiconos_externals, which is looked up
 * when the integrator is created. Without it, every system is refused. The Jacobian is analytic if
 * the system provides second derivatives; otherwise RADAU5 computes it by differences. The Jacobian
 * is dense, so there can be no more than 1000 unknowns. Like RADAU5, the method exists in double
 * precision only. Steps end exactly at output times, so closely spaced outputs shorten the steps.
 * Newton iterations and the decompositions of both matrices are counted, except in a call that was
 * interrupted.
 *
 * Source: Hairer & Wanner, Solving Ordinary Differential Equations II, §IV.8 and §VII.7; Gear,
 * Gupta & Leimkuhler (1985).
 */
#define HAIRER_NAME "RADAU5"

#include "integrators/outside/dae_form.h"
#include "integrators/outside/hairer.h"
#include "integrators/outside/outside.h"
#include <shakedown/plugin.h>

#define MAX_UNKNOWNS 1000

/* The entries follow the order of the choices. */
static const enum shk_form_kind kinds[] = {SHK_FORM_INDEX3, SHK_FORM_GGL, SHK_FORM_INDEX2};

/* The Fortran interface. Apart from IDID, the last two arguments of each function are RPAR and
 * IPAR, which RADAU5 passes through. RPAR points to the struct radau5. */
typedef void radau5_function(const int *n, shk_hairer_part *, double *x, double *y,
                             const double *xend, double *h, double *rtol, double *atol,
                             const int *itol, shk_hairer_part *, const int *ijac, const int *mljac,
                             const int *mujac, shk_hairer_part *, const int *imas, const int *mlmas,
                             const int *mumas, shk_hairer_part *, const int *iout, double *work,
                             const int *lwork, int *iwork, const int *liwork, double *user,
                             int *ipar, int *idid);

struct radau5 {
  struct shk_evaluator *evaluator;
  int n, m;
  int choice;
  struct shk_outside given;
  struct shk_dae_form form;
  struct shk_hairer drive;
  radau5_function *radau5;
  real *y, *work; /* RADAU5's workspace */
  int work_size, integers_size, *integers;
};

#if SHK_PRECISION == 64

static void right_hand_side(const int *n, const double *x, const double *y, double *f, double *user,
                            int *ipar)
{
  struct radau5 *s = (struct radau5 *)(void *)user;
  const struct shk_status status = shk_dae_form_evaluate(&s->form, f, *x, y);
  if (status.code != SHK_OK)
    shk_hairer_fail(&s->drive, status);
}

/* Stores the diagonal of M. */
static void mass_radau5(const int *n, double *am, const int *lmas, double *user, int *ipar)
{
  const struct radau5 *s = (const struct radau5 *)(const void *)user;
  for (int i = 0; i < *n; i++)
    am[(size_t)i * (size_t)*lmas] = i < 2 * s->form.n;
}

/* RADAU5 calls this if the form provides derivatives; otherwise, it computes differences. *n and
 * *ldfy are both the number of unknowns. */
static void jacobian(const int *n, const double *x, const double *y, double *dfy, const int *ldfy,
                     double *user, int *ipar)
{
  struct radau5 *s = (struct radau5 *)(void *)user;
  const struct shk_status status = shk_dae_form_jacobian(&s->form, dfy, *x, y);
  if (status.code != SHK_OK)
    shk_hairer_fail(&s->drive, status);
}

/* RADAU5 calls this at the start (nr = 1) and after every accepted step. */
static void on_radau5_output(const int *nr, const double *xold, const double *x, const double *y,
                             const double *cont, const int *lrc, const int *n, double *user,
                             int *ipar, int *irtrn)
{
  struct radau5 *s = (struct radau5 *)(void *)user;
  *irtrn = 0;
  if (*nr <= 1)
    return;
  shk_copy(s->drive.y, y, (size_t)*n);
  shk_hairer_accept(&s->drive, *x, *x - *xold);
  s->evaluator->counters.steps++;
}

static int call_radau5(void *solver, double end, double guess)
{
  struct radau5 *s = solver;
  const struct shk_dae_form *form = &s->form;
  const int yes = 1, no = 0, full = form->unknowns, each = 0, analytic = form->analytic;
  const int n = form->n, rest = form->unknowns - 2 * n;
  double x = s->drive.t, h = copysign(guess, end - s->drive.t);
  double rtol = s->given.rtol, atol = s->given.atol; /* RADAU5 overwrites them */
  int ipar = 0, idid = 0;
  memset(s->integers, 0, (size_t)s->integers_size * sizeof *s->integers);
  shk_fill(s->work, 0, 20); /* all settings are left at their defaults */
  s->integers[1] = SHK_OUTSIDE_STEPS;
  s->integers[4] = form->index == 2 ? 2 * n : n; /* numbers of unknowns with index 1, 2 and 3 */
  s->integers[5] = form->index == 2 ? rest : n;
  s->integers[6] = form->index == 2 ? 0 : rest;
  shk_copy(s->y, s->drive.y, full);
  s->radau5(&full, (shk_hairer_part *)right_hand_side, &x, s->y, &end, &h, &rtol, &atol, &each,
            (shk_hairer_part *)jacobian, &analytic, &full, &full, (shk_hairer_part *)mass_radau5,
            &yes, &no, &no, (shk_hairer_part *)on_radau5_output, &yes, s->work, &s->work_size,
            s->integers, &s->integers_size, (double *)(void *)s, &ipar, &idid);
  struct shk_counters *counters = &s->evaluator->counters;
  counters->rejected += s->integers[17];
  counters->factorizations += s->integers[18];
  counters->iterations += s->integers[19];
  return idid != 0 ? idid : -1;
}

static struct shk_status bind_work_arrays(struct radau5 *s, const struct shk_binding *binding)
{
  const size_t unknowns = (size_t)s->form.unknowns;
  const size_t work = unknowns * (4 * unknowns + 13) + 20, integers = 3 * unknowns + 20;
  s->work_size = (int)work;
  s->integers_size = (int)integers;
  SHK_TRY(shk_reals(binding->workspace, &s->work, work));
  SHK_TRY(shk_integers(binding->workspace, &s->integers, integers));
  SHK_TRY(shk_reals(binding->workspace, &s->y, unknowns));
  return shk_reals(binding->workspace, &s->drive.y, unknowns);
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct radau5 *s = method;
  const enum shk_form_kind kind = kinds[s->choice];
  SHK_TRY(shk_outside_bind(&s->given, binding, shk_dae_form_unknowns(s->evaluator->system, kind),
                           MAX_UNKNOWNS));
  SHK_TRY(shk_hairer_find(&s->radau5, "radau5_"));
  SHK_TRY(shk_bind_dae_form(&s->form, binding, kind));
  return bind_work_arrays(s, binding);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct radau5 *s = method;
  const int n = s->form.n;
  if (shk_outside_restarts(&s->given, from, h)) {
    /* Starts with the exact multiplier and eta = 0. The first step is one that error control can
     * correct at any tolerance. */
    s->drive.guess = 0.01 * s->given.time_scale;
    SHK_TRY(shk_dae_form_start(&s->form, s->drive.y, NULL, from, s->given.time_scale));
  }
  s->drive.t = from->t;
  s->drive.guess = fmin(s->drive.guess, fabs(h));
  long interruptions;
  const struct shk_status status =
      shk_hairer_drive(&s->drive, call_radau5, s, from->t + h, &interruptions);
  s->evaluator->counters.rejected += interruptions;
  SHK_TRY(status);
  const double *y = s->drive.y;
  shk_outside_arrive(&s->given, to, y, y + n, y + 2 * n, from->t + h, h);
  return shk_ok();
}

#endif

static const struct shk_choice forms[] =
    SHK_LIST({"index3", "g = 0 itself"}, {"ggl", SHK_GGL_MEANING},
             {"index2", "G H_p + g_t = 0 in place of g = 0: drifts off g = 0"});

static const struct shk_option options[] =
    SHK_LIST(SHK_CHOICE(radau5, choice, "form", forms, "index3", "form of the constraints"),
             SHK_OUTSIDE_TOLERANCES(radau5));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_CLAIM(KEEPS_MOMENTA, SHK_NO), SHK_CLAIM(ENERGY_BOUNDED, SHK_NO));

static void claims_under(struct shk_claims *claimed, const void *method)
{
  shk_dae_form_claims(claimed, kinds[((const struct radau5 *)method)->choice]);
}

static const struct shk_integrator radau5 = {
    SHK_INTEGRATOR(radau5, NULL, SHK_OUTSIDE_BIND, SHK_OUTSIDE_STEP, claims_under),
    .info = {.name = "radau5",
             .family = "solvers of DAEs",
             .summary = "RADAU5 by Hairer & Wanner (Radau IIA, order 5) on a DAE form of the "
                        "equations",
             .equations = SHK_INDEX3_TEXT SHK_GGL_TEXT SHK_INDEX2_TEXT SHK_GENERAL_TEXT,
             .citation = "Hairer & Wanner, Solving Ordinary Differential Equations II, sections "
                         "IV.8 and VII.7; Gear, Gupta & Leimkuhler (1985)",
             .options = options,
             .supports = SHK_HOLONOMIC | SHK_GENERAL_DAE,
             .adaptive = true,
             .double_only = true,
             .claims = claims}};

SHK_PROVIDE(radau5, .integrators = SHK_INTEGRATORS(&radau5));

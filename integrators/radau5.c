/*
 * RADAU5 of Hairer & Wanner (Radau IIA with three stages, order 5) on two forms of the constrained
 * equations, M y' = f(y) with a diagonal M of ones and zeros:
 *
 *     index3   y = (q, p, lambda):        q' = H_p   p' = -H_q - Gᵀ lambda   0 = g
 *     ggl      y = (q, p, lambda, eta):   q' = H_p + W Gᵀ eta   p' = -H_q - Gᵀ lambda
 *                                         0 = g   0 = G H_p
 *
 * with W = M⁻¹ for separable systems and 1 for general ones. The constraint force is -Gᵀ lambda.
 * RADAU5 is told the index of each unknown (q 1, p 2, lambda 3; ggl: q and p 1, lambda and eta 2)
 * and scales its error estimate accordingly. The formulas end in a stage, so g = 0 and, with ggl,
 * G H_p = 0 hold to the tolerance of Newton's iteration. The lambda reported is the solver's.
 *
 * The code is the user's own: symbol radau5_ of libsiconos_externals, looked for when the
 * integrator is created; without it everything is refused. Jacobian by RADAU5's own differences,
 * dense: no more than 1000 unknowns. Double precision only, since RADAU5 is. Output times are met
 * exactly, so short output spacings shorten the steps. Counted are Newton's iterations and the
 * decompositions of both of its matrices, except for those of a call that was interrupted. Not for
 * constraints that depend on p or t.
 *
 * Source: Hairer & Wanner, Solving Ordinary Differential Equations II, §IV.8 and §VII.7; Gear,
 * Gupta & Leimkuhler (1985).
 */
#include "integrators/outside.h"
#include <shakedown/plugin.h>

#define MAX_UNKNOWNS 1000

/* In the order of the heads. */
enum { FORM_INDEX3, FORM_GGL };

#if SHK_PRECISION == 64

#include "integrators/hairer.h"

/* The Fortran interface. The last two arguments of each function but IDID are RPAR and IPAR, which
 * RADAU5 hands through without looking: RPAR carries the struct solver. */
typedef void rhs_function(const int *n, const double *x, const double *y, double *f, double *user,
                          int *);
typedef void mass_function(const int *n, double *am, const int *lmas, double *user, int *);
typedef void jacobian_function(const int *n, const double *x, const double *y, double *dfy,
                               const int *ldfy, double *user, int *);
typedef void output_function(const int *nr, const double *xold, const double *x, const double *y,
                             const double *cont, const int *lrc, const int *n, double *user, int *,
                             int *irtrn);
typedef void radau5_function(const int *n, rhs_function *, double *x, double *y, const double *xend,
                             double *h, double *rtol, double *atol, const int *itol,
                             jacobian_function *, const int *ijac, const int *mljac,
                             const int *mujac, mass_function *, const int *imas, const int *mlmas,
                             const int *mumas, output_function *, const int *iout, double *work,
                             const int *lwork, int *iwork, const int *liwork, double *user,
                             int *ipar, int *idid);

struct solver {
  struct shk_hairer drive;
  struct shk_evaluator *evaluator;
  struct shk_manifold *manifold;
  radau5_function *radau5;
  int form, n, m, unknowns;
  double rtol, atol, time_scale;
  double *y, *work;                               /* what RADAU5 works with */
  double *jacobian, *velocity, *gradient, *force; /* entries of G, n, n, n */
  int work_size, integers_size, *integers;
  struct shk_last last;
};

static void destroy(void *method)
{
  struct solver *s = method;
  if (s == NULL)
    return;
  shk_manifold_destroy(s->manifold);
  free(s->last.z);
  free(s->integers);
  free(s->work);
  free(s);
}

static struct shk_status evaluate(struct solver *s, double *f, double t, const double *y)
{
  struct shk_evaluator *e = s->evaluator;
  const int n = s->n, m = s->m;
  const double *q = y, *p = q + n, *lambda = p + n, *eta = lambda + m;
  double *dq = f, *dp = dq + n, *g = dp + n;
  SHK_TRY(shk_velocity(e, s->velocity, t, q, p));
  SHK_TRY(shk_gradient(e, s->gradient, t, q, p));
  SHK_TRY(shk_jacobian(e, s->jacobian, t, q));
  SHK_TRY(shk_constraint(e, g, t, q));
  for (int i = 0; i < n; i++) {
    dq[i] = s->velocity[i];
    dp[i] = -s->gradient[i];
  }
  shk_jacobian_transposed_add(e, dp, s->jacobian, -1, lambda);
  if (s->form == FORM_GGL) {
    const double *mass = e->system->features & SHK_GENERAL_HAMILTONIAN ? NULL : e->system->mass;
    memset(s->force, 0, (size_t)n * sizeof *s->force);
    shk_jacobian_transposed_add(e, s->force, s->jacobian, 1, eta);
    for (int i = 0; i < n; i++)
      dq[i] += mass != NULL ? s->force[i] / mass[i] : s->force[i];
    shk_jacobian_times(e, g + m, s->jacobian, s->velocity);
  }
  for (int i = 0; i < s->unknowns; i++)
    if (!isfinite(f[i]))
      return shk_failure(SHK_NOT_FINITE, "the right-hand side is not finite near t = %g", t, 0);
  return shk_ok();
}

static void right_hand_side(const int *n, const double *x, const double *y, double *f, double *user,
                            int *ipar)
{
  struct solver *s = (struct solver *)(void *)user;
  (void)n, (void)ipar;
  const struct shk_status status = evaluate(s, f, *x, y);
  if (status.code != SHK_OK)
    shk_hairer_fail(&s->drive, status);
}

/* The diagonal of M. */
static void mass(const int *n, double *am, const int *lmas, double *user, int *ipar)
{
  const struct solver *s = (const struct solver *)(const void *)user;
  (void)ipar;
  for (int i = 0; i < *n; i++)
    am[(size_t)i * (size_t)*lmas] = i < 2 * s->n;
}

/* Never called: RADAU5 forms differences. */
static void jacobian(const int *n, const double *x, const double *y, double *dfy, const int *ldfy,
                     double *user, int *ipar)
{
  (void)n, (void)x, (void)y, (void)dfy, (void)ldfy, (void)user, (void)ipar;
}

/* Called at the start (nr = 1) and after every accepted step. */
static void output(const int *nr, const double *xold, const double *x, const double *y,
                   const double *cont, const int *lrc, const int *n, double *user, int *ipar,
                   int *irtrn)
{
  struct solver *s = (struct solver *)(void *)user;
  (void)cont, (void)lrc, (void)ipar;
  *irtrn = 0;
  if (*nr <= 1)
    return;
  memcpy(s->drive.y, y, (size_t)*n * sizeof *y);
  shk_hairer_accept(&s->drive, *x, *x - *xold);
  s->evaluator->work.steps++;
}

static int call(void *solver, double end, double guess)
{
  struct solver *s = solver;
  const int yes = 1, no = 0, full = s->unknowns, each = 0;
  double x = s->drive.t, h = copysign(guess, end - s->drive.t);
  double rtol = s->rtol, atol = s->atol; /* RADAU5 writes on them */
  int ipar = 0, idid = 0;
  memset(s->integers, 0, (size_t)s->integers_size * sizeof *s->integers);
  memset(s->work, 0, 20 * sizeof *s->work); /* all settings at their defaults */
  s->integers[1] = SHK_HAIRER_STEPS;
  s->integers[4] = s->form == FORM_GGL ? 2 * s->n : s->n; /* unknowns of index 1, 2, 3 */
  s->integers[5] = s->form == FORM_GGL ? 2 * s->m : s->n;
  s->integers[6] = s->form == FORM_GGL ? 0 : s->m;
  memcpy(s->y, s->drive.y, (size_t)s->unknowns * sizeof *s->y);
  s->radau5(&s->unknowns, right_hand_side, &x, s->y, &end, &h, &rtol, &atol, &each, jacobian, &no,
            &full, &full, mass, &yes, &no, &no, output, &yes, s->work, &s->work_size, s->integers,
            &s->integers_size, (double *)(void *)s, &ipar, &idid);
  struct shk_work *work = &s->evaluator->work;
  work->rejected += s->integers[17];
  work->factorizations += s->integers[18];
  work->iterations += s->integers[19];
  return idid != 0 ? idid : -1;
}

static struct shk_status allocate(struct solver *s)
{
  const size_t n = (size_t)s->n, unknowns = (size_t)s->unknowns;
  const size_t entries = (size_t)s->evaluator->row_start[s->m];
  const size_t work = unknowns * (4 * unknowns + 13) + 20, integers = 3 * unknowns + 20;
  s->work_size = (int)work;
  s->integers_size = (int)integers;
  s->work = calloc(work + 2 * unknowns + entries + 3 * n + 1, sizeof *s->work);
  s->integers = calloc(integers, sizeof *s->integers);
  if (s->work == NULL || s->integers == NULL || !shk_last_init(&s->last, s->n))
    return shk_failure(SHK_NO_MEMORY, "no memory for RADAU5", 0, 0);
  s->y = s->work + work;
  s->drive.y = s->y + unknowns;
  s->jacobian = s->drive.y + unknowns;
  s->velocity = s->jacobian + entries;
  s->gradient = s->velocity + n;
  s->force = s->gradient + n;
  return shk_ok();
}

static struct shk_status create(void **method, const struct shk_binding *binding)
{
  *method = NULL;
  const struct shk_system *system = binding->evaluator->system;
  const int form = shk_values_choice(binding->options, "form");
  const double unknowns = 2.0 * system->n + (form == FORM_GGL ? 2.0 : 1.0) * system->m;
  if (unknowns > MAX_UNKNOWNS)
    return shk_failure(SHK_REFUSED,
                       "RADAU5 with a dense Jacobian takes no more than %g unknowns; this has %g",
                       MAX_UNKNOWNS, unknowns);
  void *const symbol = shk_hairer_symbol("radau5_");
  if (symbol == NULL)
    return shk_failure(SHK_REFUSED, SHK_HAIRER_PACKAGE, 0, 0);
  double rtol, atol;
  SHK_TRY(shk_outside_tolerance(&rtol, binding, "rtol"));
  SHK_TRY(shk_outside_tolerance(&atol, binding, "atol"));
  struct solver *s = calloc(1, sizeof *s);
  if (s == NULL)
    return shk_failure(SHK_NO_MEMORY, "no memory for RADAU5", 0, 0);
  memcpy(&s->radau5, &symbol, sizeof s->radau5);
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
  if (status.code != SHK_OK) {
    destroy(s);
    return status;
  }
  *method = s;
  return shk_ok();
}

/* The exact multiplier, eta = 0, and a first step that any tolerance is able to correct. */
static struct shk_status restart(struct solver *s, const struct shk_state *from)
{
  const size_t n = (size_t)s->n;
  double *y = s->drive.y;
  memset(y, 0, (size_t)s->unknowns * sizeof *y);
  memcpy(y, from->q, n * sizeof *y);
  memcpy(y + n, from->p, n * sizeof *y);
  s->drive.guess = 0.01 * s->time_scale;
  return shk_exact_multiplier(s->manifold, y + 2 * n, from->t, y, y + n);
}

static struct shk_status describe(struct shk_status status)
{
  static const char *const reasons[] = {
      "RADAU5 (%g): input is not consistent (a tolerance below round-off?), at t = %g",
      "RADAU5 (%g): more internal steps than allowed, at t = %g",
      "RADAU5 (%g): the step size became too small, at t = %g",
      "RADAU5 (%g): the matrix is repeatedly singular, at t = %g"};
  const int number = (int)-status.value;
  if (status.code == SHK_SOLVER_FAILED && status.reason == NULL)
    status.reason = number >= 1 && number <= 4 ? reasons[number - 1]
                                               : "RADAU5 gave up with number %g at t = %g";
  return status;
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct solver *s = method;
  const size_t n = (size_t)s->n, m = (size_t)s->m;
  if (!shk_last_is(&s->last, from, h))
    SHK_TRY(restart(s, from));
  s->last.valid = false;
  s->drive.t = from->t;
  s->drive.guess = fmin(s->drive.guess, fabs(h));
  long interruptions;
  const struct shk_status status =
      shk_hairer_drive(&s->drive, call, s, from->t + h, &interruptions);
  s->evaluator->work.rejected += interruptions;
  if (status.code != SHK_OK)
    return describe(status);
  const double *y = s->drive.y;
  memcpy(to->q, y, n * sizeof *y);
  memcpy(to->p, y + n, n * sizeof *y);
  memcpy(to->lambda, y + 2 * n, m * sizeof *y);
  memset(to->mu, 0, m * sizeof *y);
  memset(to->q_carry, 0, n * sizeof *y);
  memset(to->p_carry, 0, n * sizeof *y);
  shk_last_set(&s->last, from->t + h, to->q, to->p, h);
  return shk_ok();
}

#else

static struct shk_status create(void **method, const struct shk_binding *binding)
{
  (void)binding;
  *method = NULL;
  return shk_failure(SHK_REFUSED, "RADAU5 is double only", 0, 0);
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  (void)method, (void)to, (void)from, (void)h;
  return shk_failure(SHK_REFUSED, "RADAU5 is double only", 0, 0);
}

static void destroy(void *method)
{
  (void)method;
}

#endif

static const struct shk_head forms[] = {
    {"index3", "g = 0 as it stands", NULL},
    {"ggl", "stabilized index 2: g = 0 and G H_p = 0, with a second multiplier", NULL},
    {0}};

static const struct shk_option options[] = {{.name = "form",
                                             .kind = SHK_OPTION_CHOICE,
                                             .fallback = "index3",
                                             .heads = forms,
                                             .meaning = "how the constraints enter"},
                                            SHK_OUTSIDE_TOLERANCES,
                                            {0}};

/* The constraints that a form contains are kept to Newton's tolerance, which may or may not be
 * round-off. */
static void claims(struct shk_claims *claimed, const struct shk_values *values)
{
  if (shk_values_choice(values, "form") == FORM_GGL)
    claimed->keeps_hidden = SHK_UNKNOWN;
}

static const struct shk_integrator radau5 = {
    .struct_size = sizeof(struct shk_integrator),
    .info =
        {
            .name = "radau5",
            .summary = "RADAU5 of Hairer & Wanner (Radau IIA, order 5) on a DAE form of the "
                       "equations",
            .equations = "index3: q' = H_p,  p' = -H_q - G^T lambda,  g = 0\n"
                         "ggl:    q' = H_p + W G^T eta,  p' = -H_q - G^T lambda,  g = 0,  G H_p = "
                         "0\n"
                         "        (W = M^-1 for separable systems, 1 for general ones)",
            .citation = "Hairer & Wanner, Solving Ordinary Differential Equations II, sections "
                        "IV.8 and VII.7; Gear, Gupta & Leimkuhler (1985)",
            .options = options,
            .supports = SHK_GENERAL_HAMILTONIAN,
            .adaptive = true,
            .double_only = true,
            .claims = {SHK_OUTSIDE_CLAIMS, .keeps_hidden = SHK_NO},
        },
    .create = create,
    .step = step,
    .destroy = destroy,
    .claims = claims,
};

SHK_PROVIDE(radau5, .integrators = SHK_INTEGRATORS(&radau5));

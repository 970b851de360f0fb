/*
 * HEM5 by Brasey & Hairer, the half-explicit Runge-Kutta method of order 5 (8 stages, error
 * estimates of orders 3 and 5) for the index-2 equations. If M depends on q, f_M follows from p' =
 * -H_q + … = M v' + M' v. HEM5 projects q to within a hundredth of its tolerance. The constraint
 * force is -Gᵀ lambda. The acceleration and multipliers that HEM5 computes satisfy the index-1
 * equations at the end of a step. The driver applies the same formula, shk_exact_multiplier, to the
 * reported state. The system must be separable or provide its mass matrix. Constraints that depend
 * on p are not supported.
 *
 * Users must provide the code as the symbol hem5_ in libsiconos_externals, which is looked up when
 * the integrator is created. Without it, every system is refused. The driver uses HEM5's full
 * linear algebra (mode 0), so n + m can be at most 1000. Like HEM5, the method exists in double
 * precision only. Steps end exactly at output times, so closely spaced outputs shorten the steps.
 * HEM5 does not limit its step size, does not stop at a NaN, and evaluates the constraints of its
 * projection at the start time of the step. The driver corrects all three. HEM5's first step is no
 * shorter than 1e-4. HEM5's callbacks have no user argument, so the active solver is stored in a
 * thread-local variable.
 *
 * Source: Brasey & Hairer, SIAM J. Numer. Anal. 30 (1993) 538; Brasey, thesis, Geneva (1994);
 * Hairer & Wanner, Solving Ordinary Differential Equations II, §VII.6.
 */

static const char equations[] =
    "q' = v,  M v' = -V_q + Q + f_M - Gᵀ lambda,  0 = G v + g_t,  p = M v\n"
    "M(q): f_M,i = ½ vᵀ(dM/dq_i)v - Σ_k v_k (dM/dq_k v)_i\n"
    "after a step q onto g = 0 and v onto G v + g_t = 0, M-orthogonally\n";

#define HAIRER_NAME "HEM5"

#include "integrators/outside/hairer.h"
#include "integrators/outside/outside.h"
#include "mechanics/system/callback.h"
#include <shakedown/plugin.h>

#define MAX_UNKNOWNS 1000

/* The Fortran interface for full linear algebra. gq is ldg x nv and am is lda x nv, both in
 * column-major order. `task` selects the evaluation; see the table below. */
typedef void hem5_function(const int *nq, const int *nv, const int *nu, const int *nl,
                           shk_hairer_part *, double *t, double *q, double *v, double *u, double *a,
                           double *lambda, const double *tend, double *h, const double *rtol,
                           const double *atol, const int *itol, shk_hairer_part *, const int *iout,
                           double *work, const int *lwork, int *iwork, const int *liwork,
                           int *idid);

struct hem5 {
  struct shk_evaluator *evaluator;
  int n, m;
  struct shk_outside given;
  struct shk_hairer drive; /* y = (q, v) */
  struct shk_manifold *manifold;
  hem5_function *hem5;
  real stage_time;   /* time of the last stage evaluation */
  real *rtol, *atol; /* 2n: the tolerances for q and v */
  real *q, *v, *a, *momentum, *lambda, *jacobian, *work;
  /* M(q) and the matrix of the vectors (dM/dq_k) v, both n x n and row-major; both are NULL if M is
   * constant */
  real *mass;
  int work_size, integers_size, *integers;
  long tried, accepted; /* in this step */
};

#if SHK_PRECISION == 64

enum { FORCE = 1, MASS = 2, Q_DOT = 4, G_T = 8, G = 16, G_Q = 32, NEVER = 64 };

/* Task 0 (u') does not occur. Neither do tasks 5 and 7, which also request -g_qq[v,v] for
 * accelerations. Task 8 occurs once per attempted step, and tasks 6 and 11 occur before a
 * decomposition. */
static const int wanted[12] = {[0] = 0,
                               [1] = FORCE | MASS | Q_DOT,
                               [2] = Q_DOT,
                               [3] = G_T,
                               [4] = G,
                               [5] = NEVER,
                               [6] = G_Q | G_T,
                               [7] = NEVER,
                               [8] = FORCE | MASS,
                               [9] = MASS,
                               [10] = G_T | G_Q | MASS | Q_DOT,
                               [11] = G_T | G_Q | MASS};
enum { TASK_TRY = 8, TASK_STAGE = 6, TASK_POSITION = 4, TASK_PROJECT = 11 };

static _Thread_local struct hem5 *current;

/* Evaluates M(q) and stores it in s->mass, if M depends on q. */
static struct shk_status renew_mass(struct hem5 *s, const double *q)
{
  const struct shk_system *system = s->evaluator->system;
  return s->mass ? shk_callback_status(system, system->mass_matrix(system->context, s->mass, q))
                 : shk_ok();
}

/* Computes M(q) v and stores it in s->momentum. */
static struct shk_status find_momentum(struct hem5 *s, const double *q, const double *v)
{
  SHK_TRY(renew_mass(s, q));
  for (int i = 0; i < s->n; i++)
    s->momentum[i] =
        s->mass ? real_dot(s->mass + i * s->n, v, s->n) : s->evaluator->system->mass[i] * v[i];
  return shk_ok();
}

/* Computes p' - M' v without the constraint force and stores it in f (n). The result is -H_q + Q at
 * p = M v, minus Σ_k v_k dM/dq_k v. */
static struct shk_status find_force(struct hem5 *s, double *f, double t, const double *q,
                                    const double *v)
{
  const struct shk_system *system = s->evaluator->system;
  const size_t n = (size_t)s->n;
  SHK_TRY(find_momentum(s, q, v));
  SHK_TRY(shk_gradient(s->evaluator, f, t, q, s->momentum));
  shk_negate(f, s->n);
  if (!s->mass)
    return shk_ok();
  double *along = s->mass + n * n;
  SHK_TRY(shk_callback_status(system, system->mass_gradient(system->context, along, q, v)));
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < n; i++)
      f[i] -= v[k] * along[k * n + i];
  return shk_ok();
}

/* Stores M in am in column-major order. */
static struct shk_status find_mass(struct hem5 *s, double *am, int lda, const double *q)
{
  const struct shk_system *system = s->evaluator->system;
  const size_t n = (size_t)s->n;
  SHK_TRY(renew_mass(s, q));
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++)
      am[i + j * (size_t)lda] = s->mass ? s->mass[i * n + j] : i == j ? system->mass[i] : 0;
  return shk_ok();
}

static struct shk_status evaluate(struct hem5 *s, int what, int lda, int ldg, double t,
                                  const double *q, const double *v, double *g, double *gq,
                                  double *f, double *gt, double *qdot, double *am)
{
  struct shk_evaluator *e = s->evaluator;
  const int n = s->n, m = s->m;
  const struct {
    int what, count;
    const double *values;
  } results[] = {{FORCE, n, f},    {MASS, s->mass ? n * n : 0, s->mass},
                 {Q_DOT, n, qdot}, {G_T, m, gt},
                 {G, m, g},        {G_Q, e->row_start[m], s->jacobian}};
  if (what & FORCE)
    SHK_TRY(find_force(s, f, t, q, v));
  if (what & MASS)
    SHK_TRY(find_mass(s, am, lda, q));
  if (what & Q_DOT) {
    e->counters.velocity++;
    memmove(qdot, v, (size_t)n * sizeof *v);
  }
  if (what & G_T)
    SHK_TRY(shk_constraint_rate(e, gt, t, q));
  if (what & G)
    SHK_TRY(shk_constraint(e, g, t, q));
  if (what & G_Q) {
    SHK_TRY(shk_jacobian(e, s->jacobian, t, q));
    for (int j = 0; j < n; j++)
      shk_fill(gq + (size_t)j * (size_t)ldg, 0, m);
    for (int i = 0; i < m; i++)
      for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
        gq[i + (size_t)e->columns[k] * (size_t)ldg] = s->jacobian[k];
  }
  for (size_t i = 0; i < sizeof results / sizeof results[0]; i++)
    if (what & results[i].what)
      SHK_TRY(shk_check_finite(results[i].values, results[i].count,
                               "a function is not finite near t = %g", t));
  return shk_ok();
}

static void hem5_problem(const int *task, const int *nq, const int *nv, const int *nu,
                         const int *nl, const int *ldg, const int *ldf, const int *lda,
                         const int *nblk, const int *nmrc, int *npgp, int *npfl, int *indgr,
                         int *indgc, int *indflr, int *indflc, const double *t, const double *q,
                         const double *v, const double *u, const double *xl, double *g, double *gq,
                         double *f, double *gqq, double *gt, double *fl, double *qdot, double *udot,
                         double *am)
{
  struct hem5 *s = current;
  struct shk_status status = shk_ok();
  const int what = *task >= 0 && *task < 12 ? wanted[*task] : NEVER;
  /* HEM5's projection evaluates g and its derivatives at the final positions of the step, but
   * passes the step's start time, which is wrong if g depends on time. The time of the last stage
   * is the end time, so it is used instead. */
  const bool projects = *task == TASK_POSITION || *task == TASK_PROJECT;
  const double time = projects ? s->stage_time : *t;
  if (*task == TASK_STAGE)
    s->stage_time = *t;
  if (what == NEVER)
    status =
        shk_failure(SHK_SOLVER_FAILED,
                    "HEM5 requested task %g, which it does not use with these settings", *task, 0);
  else if (*task == TASK_TRY && s->tried++ >= SHK_OUTSIDE_STEPS)
    status = shk_failure(SHK_SOLVER_FAILED, "HEM5: more internal steps than allowed, at t = %g",
                         s->drive.t, 0);
  else
    status = evaluate(s, what, *lda, *ldg, time, q, v, g, gq, f, gt, qdot, am);
  if (*task == TASK_STAGE || *task == TASK_PROJECT)
    s->evaluator->counters.factorizations++;
  if (status.code != SHK_OK)
    shk_hairer_fail(&s->drive, status);
}

/* HEM5 calls this at the start (nstep = 1) and after every accepted step. `dowk` contains the start
 * and the length of the step. */
static void on_hem5_output(const int *mode, const int *nstep, const int *nq, const int *nv,
                           const int *nu, const int *nl, const int *ldg, const int *ldf,
                           const int *lda, const int *lrdo, const int *lido,
                           shk_hairer_part *function, const double *q, const double *v,
                           const double *u, const double *dowk, const int *idowk)
{
  struct hem5 *s = current;
  if (*nstep <= 1)
    return;
  const size_t n = (size_t)s->n;
  shk_copy(s->drive.y, q, n);
  shk_copy(s->drive.y + n, v, n);
  shk_hairer_accept(&s->drive, dowk[0] + dowk[1], dowk[1]);
  s->accepted++;
}

static int call_hem5(void *solver, double end, double guess)
{
  struct hem5 *s = solver;
  const size_t n = (size_t)s->n;
  const int none = 0, by_component = 1, after_every_step = 3;
  const double length = fabs(end - s->drive.t);
  /* HEM5 recognizes the end only in a step that would go past it. A step that hits the end exactly
   * is followed by a step of zero length, which produces NaNs. */
  double h = copysign(guess < 0.9 * length ? guess : 1.5 * length, end - s->drive.t);
  double t = s->drive.t, u = 0;
  int idid = 1; /* some versions do not set this on success */
  memset(s->integers, 0, (size_t)s->integers_size * sizeof *s->integers);
  shk_fill(s->work, 0, 10); /* 0 leaves every setting at its default */
  s->work[5] = 2 * length;  /* the maximum step size */
  s->integers[12] = 1;      /* HEM5 projects after every step */
  shk_copy(s->q, s->drive.y, n);
  shk_copy(s->v, s->drive.y + n, n);
  s->hem5(&s->n, &s->n, &none, &s->m, (shk_hairer_part *)hem5_problem, &t, s->q, s->v, &u, s->a,
          s->lambda, &end, &h, s->rtol, s->atol, &by_component, (shk_hairer_part *)on_hem5_output,
          &after_every_step, s->work, &s->work_size, s->integers, &s->integers_size, &idid);
  return idid != 0 ? idid : 1;
}

static struct shk_status bind_work_arrays(struct hem5 *s, const struct shk_binding *binding)
{
  const size_t n = (size_t)s->n, m = (size_t)s->m, both = n + m;
  /* Upper bounds on the array sizes that HEM5 computes. HEM5 refuses to start if the arrays are
   * smaller. */
  const size_t work = 4 * both * both + 8 * n * m + 60 * both + 200, integers = 80 * both + 200;
  s->work_size = (int)work;
  s->integers_size = (int)integers;
  SHK_TRY(shk_reals(binding->workspace, &s->work, work));
  SHK_TRY(shk_integers(binding->workspace, &s->integers, integers));
  SHK_TRY(shk_reals(binding->workspace, &s->drive.y, 2 * n));
  if (s->evaluator->system->mass_matrix)
    SHK_TRY(shk_reals(binding->workspace, &s->mass, 2 * n * n));
  for (size_t i = 0; i < 2 * n; i++)
    s->rtol[i] = s->given.rtol;
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct hem5 *s = method;
  const struct shk_system *system = s->evaluator->system;
  SHK_TRY(shk_outside_bind(&s->given, binding, (double)s->n + s->m, MAX_UNKNOWNS));
  if ((system->features & SHK_GENERAL_HAMILTONIAN) && !system->mass_matrix)
    return shk_refused(
        "HEM5 works with velocities, so it needs the mass matrix of a general Hamiltonian");
  SHK_TRY(shk_hairer_find(&s->hem5, "hem5_"));
  SHK_TRY(shk_bind_manifold(&s->manifold, binding));
  return bind_work_arrays(s, binding);
}

/* Starts from a state's q and v. The absolute tolerances for v are derived from those for p = M
 * v. */
static struct shk_status begin_hem5(struct hem5 *s, const struct shk_state *from)
{
  const size_t n = (size_t)s->n;
  const struct shk_system *system = s->evaluator->system;
  double *y = s->drive.y;
  shk_copy(y, from->q, n);
  SHK_TRY(shk_velocity(s->evaluator, y + n, from->t, from->q, from->p));
  SHK_TRY(renew_mass(s, y));
  for (size_t i = 0; i < n; i++) {
    s->atol[i] = s->given.atol;
    s->atol[n + i] = s->given.atol / (s->mass ? s->mass[i * n + i] : system->mass[i]);
  }
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct hem5 *s = method;
  const double end = from->t + h;
  double *y = s->drive.y;
  if (shk_outside_restarts(&s->given, from, h))
    s->drive.guess = 0.01 * s->given.time_scale;
  s->drive.guess = fmin(s->drive.guess, fabs(h));
  s->drive.t = from->t;
  SHK_TRY(begin_hem5(s, from));
  s->tried = s->accepted = 0;
  struct hem5 *const before = current;
  current = s;
  long interruptions;
  const struct shk_status status = shk_hairer_drive(&s->drive, call_hem5, s, end, &interruptions);
  current = before;
  s->evaluator->counters.steps += s->accepted;
  s->evaluator->counters.rejected += s->tried - s->accepted;
  SHK_TRY(status);
  SHK_TRY(find_momentum(s, y, y + s->n));
  SHK_TRY(shk_exact_multiplier(s->manifold, to->lambda, end, y, s->momentum));
  shk_outside_arrive(&s->given, to, y, s->momentum, to->lambda, end, h);
  return shk_ok();
}

#endif

static const struct shk_option options[] = SHK_LIST(SHK_OUTSIDE_TOLERANCES(hem5));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(hem5, (.n = 2), rtol, atol), SHK_ARRAYS(hem5, (.n = 1), q, v, a, momentum),
             SHK_ARRAY(hem5, lambda, .m = 1), SHK_ARRAY(hem5, jacobian, .entries = 1));

static const struct shk_stated claims[] =
    SHK_LIST(SHK_CLAIM(KEEPS_MOMENTA, SHK_NO), SHK_CLAIM(ENERGY_BOUNDED, SHK_NO));

static const struct shk_integrator hem5 = {
    SHK_INTEGRATOR(hem5, arrays, SHK_OUTSIDE_BIND, SHK_OUTSIDE_STEP, NULL),
    .info = {.name = "hem5",
             .family = "solvers of DAEs",
             .summary = "HEM5 by Brasey & Hairer (half-explicit, order 5), projected at every step",
             .equations = equations,
             .citation = "Brasey & Hairer, SIAM J. Numer. Anal. 30 (1993) 538; Hairer & Wanner, "
                         "Solving Ordinary Differential Equations II, section VII.6",
             .options = options,
             .supports = SHK_HOLONOMIC,
             .adaptive = true,
             .double_only = true,
             .claims = claims}};

SHK_PROVIDE(hem5, .integrators = SHK_INTEGRATORS(&hem5));

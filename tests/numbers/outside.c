/*
 * IDA, CVODE, RADAU5, HEM5 and GSL's steppers: errors follow the tolerance, agreement with the
 * reference integrator, what each keeps and loses, restarts, failures that are statuses, refusals
 * with reasons. In quad all are refused. Where Hairer's codes are not installed, what is tried
 * with them is skipped.
 */
#include "integrators/kit/base.h"
#include "mechanics/system/state.h"
#include "tests/kit/adaptive.h"
#include "tests/kit/registered.h"
#include "tests/kit/stepping.h"

#include <sys/resource.h>
#include <unistd.h>

static const char *const pendulum = "pendulum(angle=0.7,rate=1.1)";

#if SHK_PRECISION == 64

enum { MOST = 20, OUTPUTS = 7 };
static const char *all[MOST];
static int count;

/* Local errors are controlled, so that the global error may be many tolerances: `growth` of them.
 */
static void test_tolerances(const char *integrator, double growth)
{
  static const char *const ladder[] = {"1e-4", "1e-6", "1e-8", "1e-10", NULL};
  real before = INFINITY, lambda_error;
  if (!can_try(integrator))
    return;
  for (int i = 0; ladder[i]; i++) {
    RUN run = {0};
    const real tolerance = strtod(ladder[i], NULL);
    if (make_run(&run, pendulum, integrator, ladder[i], 10.7, 1)) {
      const real error = exact_error(&run, &lambda_error);
      tap_ok(error <= growth * tolerance && error < before / 3 && error > 0, "%s at %s: error %.1e",
             integrator, ladder[i], error);
      /* Of the multipliers of index 3, RADAU5 keeps the tolerance over the step's square only. */
      tap_ok(lambda_error <= fmax(20 * sqrt(tolerance), 1e-3), "%s at %s: lambda's error %.1e",
             integrator, ladder[i], lambda_error);
      before = error;
    }
  }
}

/* Relative to the size of each block of the reference's state, in units of the run. */
static void judge(real *error, real *multiplier, const struct shk_state *ours,
                  const struct shk_state *to)
{
  const real size_q = real_max_norm(to->q, to->n), size_p = real_max_norm(to->p, to->n);
  *error = real_max(largest_difference(ours->q, to->q, to->n) / size_q,
                    largest_difference(ours->p, to->p, to->n) / size_p);
  const real size_lambda = real_max_norm(to->lambda, to->m); /* 0 where nothing pulls */
  *multiplier =
      largest_difference(ours->lambda, to->lambda, to->m) / (size_lambda > 0 ? size_lambda : 1);
}

static void check_counts(const char *problem, const char *integrator,
                         const struct shk_counters *counters)
{
  tap_ok(counters->steps >= OUTPUTS && counters->rejected < counters->steps &&
             counters->factorizations >= OUTPUTS && counters->gradient >= counters->steps &&
             counters->jacobian >= counters->steps,
         "%s on %s: counts %ld steps, %ld rejected, %ld factorizations", integrator, problem,
         counters->steps, counters->rejected, counters->factorizations);
}

/* HEM5 takes general Hamiltonians with a mass matrix only. */
static bool is_refused(const char *problem, const char *integrator)
{
  RUN run = {0};
  const bool refused = !begin_run(&run, problem, integrator, "1e-6") &&
                       run.status.code == SHK_REFUSED && is_of(integrator, "hem5") &&
                       strstr(run.outcome.reason, "needs the mass matrix");
  return refused;
}

/* At two tolerances against the end of the reference integrator's run. What is within the tolerance
 * need not fall with it. */
static void test_beside(const char *problem, const char *integrator, real time,
                        const struct shk_state *to)
{
  static const char *const tolerances[] = {"1e-6", "1e-9"};
  real errors[2] = {INFINITY, INFINITY}, multiplier = INFINITY;
  for (int j = 0; j < 2; j++) {
    RUN ours = {0};
    if (make_run(&ours, problem, integrator, tolerances[j], time, OUTPUTS)) {
      judge(&errors[j], &multiplier, &ours.drive.current, to);
      check_counts(problem, integrator, &ours.drive.bound.evaluator.counters);
    }
  }
  tap_ok(errors[1] <= 3e-4 && (errors[1] < errors[0] / 2 || errors[1] <= 1e-9) &&
             multiplier <=
                 (is_of(integrator, "ida") ? 1 : 1e-2), /* they are not in its error test */
         "%s on %s: %.1e, %.1e, of lambda %.1e", integrator, problem, errors[0], errors[1],
         multiplier);
}

static void test_all_beside(const char *problem, real time)
{
  RUN reference = {0};
  if (make_run(&reference, problem, "reference", "1e-12", time, 1))
    for (int k = 0; k < count; k++)
      if (can_try(all[k]) && !is_refused(problem, all[k]))
        test_beside(problem, all[k], time, &reference.drive.current);
}

/* On every regular problem, whatever it has but constraints on momenta, and on these. */
static void test_everywhere(void)
{
  static const char *const variants[] = {"slider-crank(flexible=yes)",
                                         "fekete(points=4,damping=0.5)",
                                         "double-pendulum(mass1=3,mass2=0.5)"};
  static const struct left_out too_large[] = {{"water-box", "648 coordinates"}, {NULL, NULL}};
  const unsigned features = supports_of("reference") & supports_of("cvode");
  struct shk_inspection is;
  struct shk_message error;
  const char *problem;
  check_left_out(too_large);
  for (int i = 0; (problem = next_regular(&i, features, too_large, &is)) != NULL;)
    test_all_beside(problem, 3 * is.time_scale);
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
    if (tap_ok(shk_inspect_problem(&test_context, &is, variants[i], &error), "%s is known",
               variants[i]))
      test_all_beside(variants[i], 3 * is.time_scale);
}

/* Bounds on the largest |g| and |G H_p| of a long run at tolerance 1e-6, from below and above. */
static void test_drift(const char *integrator, double g_least, double g_most, double hidden_least,
                       double hidden_most)
{
  RUN run = {0};
  if (!can_try(integrator))
    return;
  if (make_run(&run, pendulum, integrator, "1e-6", 100, 100))
    tap_ok(run.constraint >= g_least && run.constraint <= g_most && run.hidden >= hidden_least &&
               run.hidden <= hidden_most,
           "%s leaves |g| = %.1e and |G H_p| = %.1e", integrator, run.constraint, run.hidden);
}

/* A state that is not the last one returned is a new start; backwards leads back. */
static void test_restart(const char *integrator)
{
  RUN run = {0};
  if (!can_try(integrator))
    return;
  if (make_run(&run, pendulum, integrator, "1e-8", 1, 1)) {
    struct shk_drive *d = &run.drive;
    STATE again = {0};
    if (!shk_state_init(&again, d->current.n, d->current.m))
      abort();
    again.mu[0] = again.q_carry[0] = again.p_carry[0] = 1;
    const struct shk_status status =
        d->bound.integrator->step(d->bound.method, &again, &d->bound.start, 1);
    tap_ok(again.mu[0] == 0 && again.q_carry[0] == 0 && again.p_carry[0] == 0,
           "%s: what it does not have is zero", integrator);
    tap_ok(status.code == SHK_OK && state_difference(&again, &d->current) == 0 &&
               again.lambda[0] == d->current.lambda[0],
           "%s: from the start again the same bits", integrator);
    go_on(&run, -1, 4);
    tap_ok(run.status.code == SHK_OK && state_difference(&d->current, &d->bound.start) <= 1e-5,
           "%s: backwards it returns to the start: %.1e", integrator,
           state_difference(&d->current, &d->bound.start));
  }
}

static void test_failures(const char *integrator)
{
  if (can_try(integrator) && !is_of(integrator, "projection-adaptive")) /* it stops there */
    meet_failures(pendulum, integrator, "1e-8", 1e-5);
}

/* Refused, or a failure, before the first step, with a reason that holds `word`. */
static void test_refusal(const char *integrator, const char *problem, const char *tolerance,
                         enum shk_code code, const char *word)
{
  RUN run = {0};
  if (!can_try(integrator))
    return;
  const bool begun = begin_run(&run, problem, integrator, tolerance);
  tap_ok(!begun && run.status.code == code && strstr(run.outcome.reason, word),
         "%s on %s at %s: %s", integrator, problem, tolerance,
         begun ? "begun" : run.outcome.reason);
}

static void test_hopeless_tolerance(const char *integrator)
{
  RUN run = {0};
  char reason[256];
  if (!can_try(integrator))
    return;
  if (begin_run(&run, pendulum, integrator, "1e-17")) {
    go_on(&run, 1, 1);
    tap_ok(run.status.code == SHK_SOLVER_FAILED, "%s at 1e-17: %s", integrator,
           shk_status_text(reason, sizeof reason, run.status));
    tap_ok(state_difference(&run.drive.current, &run.drive.bound.start) == 0,
           "%s: the failed step leaves the state alone", integrator);
  }
}

/* Where the library cannot be opened, the reason names the package. Before it is opened first. */
static void test_missing(const char *integrator)
{
  struct rlimit old, none;
  RUN run = {0};
  if (getrlimit(RLIMIT_NOFILE, &old) != 0)
    abort();
  none = old;
  none.rlim_cur = 3;
  setrlimit(RLIMIT_NOFILE, &none);
  const bool begun = begin_run(&run, pendulum, integrator, "1e-8");
  setrlimit(RLIMIT_NOFILE, &old);
  tap_ok(!begun && run.status.code == SHK_REFUSED &&
             strstr(run.outcome.reason, "libsiconos-numerics-dev"),
         "%s without its library: %s", integrator, begun ? "begun" : run.outcome.reason);
}

/* ---- IDA alone ---- */

/* Options override the cell's tolerance, each on its own. */
static void test_options(void)
{
  RUN loose = {0}, same = {0}, relative = {0}, absolute = {0};
  if (make_run(&loose, pendulum, "ida", "1e-4", 2, 1) &&
      make_run(&same, pendulum, "ida(rtol=1e-4,atol=1e-4)", "1e-9", 2, 1) &&
      make_run(&relative, pendulum, "ida(rtol=1e-4,atol=1e-9)", "1e-3", 2, 1) &&
      make_run(&absolute, pendulum, "ida(rtol=1e-9,atol=1e-4)", "1e-3", 2, 1)) {
    const struct shk_state *a = &loose.drive.current;
    tap_ok(state_difference(a, &same.drive.current) == 0,
           "tolerances given as options are those of the cell");
    tap_ok(state_difference(a, &relative.drive.current) > 0 &&
               state_difference(a, &absolute.drive.current) > 0 &&
               state_difference(&relative.drive.current, &absolute.drive.current) > 0,
           "rtol and atol are two different things");
  }
}

/* From a state at the time of the last one but with other positions, or with other momenta, the
 * result is that of a method that has done nothing else. */
static void test_other_state(bool positions)
{
  RUN used = {0}, fresh = {0};
  if (make_run(&used, pendulum, "ida", "1e-8", 1, 1) &&
      begin_run(&fresh, pendulum, "ida", "1e-8")) {
    struct shk_state *s = &used.drive.current;
    for (int i = 0; i < s->n; i++)
      if (positions)
        s->q[i] = -s->q[i];
      else
        s->p[i] = -s->p[i];
    shk_state_copy(&fresh.drive.current, s);
    go_on(&used, 1, 1);
    go_on(&fresh, 1, 1);
    tap_ok(used.status.code == SHK_OK && fresh.status.code == SHK_OK &&
               state_difference(s, &fresh.drive.current) == 0,
           "other %s are noticed", positions ? "positions" : "momenta");
  }
}

/* The raw form: IDA gives up at tight tolerances, with its own flag. */
static void test_index3(void)
{
  RUN run = {0};
  char reason[256];
  if (begin_run(&run, pendulum, "ida(form=index3)", "1e-10")) {
    go_on(&run, 1, 1);
    tap_ok(run.status.code == SHK_SOLVER_FAILED && run.status.value < 0, "index3 at 1e-10: %s",
           shk_status_text(reason, sizeof reason, run.status));
    tap_ok(run.drive.current.t == run.drive.bound.start.t &&
               state_difference(&run.drive.current, &run.drive.bound.start) == 0,
           "the failed step leaves the state alone");
  }
}

/* What IDA has to say goes into statuses and nowhere else. */
static void test_silence(void)
{
  FILE *caught = tmpfile();
  const int real_error = dup(STDERR_FILENO);
  if (!caught || real_error < 0 || dup2(fileno(caught), STDERR_FILENO) < 0) {
    tap_ok(false, "standard error could not be caught");
    return;
  }
  struct run run;
  const bool begun = begin_run(&run, pendulum, "ida", "1e-17");
  if (begun)
    go_on(&run, 1, 1);
  const enum shk_code code = run.status.code;
  end_run(&run); /* which may print, too */
  fflush(stderr);
  dup2(real_error, STDERR_FILENO);
  close(real_error);
  const long size = lseek(fileno(caught), 0, SEEK_END);
  tap_ok(begun && code == SHK_SOLVER_FAILED && size == 0, "a failure prints nothing (%ld bytes)",
         size);
  fclose(caught);
}

/* Whatever works in double precision only is a solver from outside, and is tried here or there. */
static void collect(void)
{
  static const char *const variants[] = {"radau5(form=ggl)", "ida(form=index1)", "ida(form=index2)",
                                         "projection-adaptive(base=gsl-rkf45)"};
  const struct shk_integrator_info *info;
  struct shk_claims claims;
  for (int i = 0; (info = next_integrator(&i, NULL, &claims)) != NULL && count < MOST;)
    if (info->double_only)
      all[count++] = info->name;
  for (size_t i = 0; i < sizeof variants / sizeof *variants && count < MOST; i++)
    all[count++] = variants[i];
}

int main(void)
{
  test_missing("radau5");
  test_missing("hem5");
  collect();

  for (int i = 0; i < count; i++) {
    test_tolerances(all[i], is_of(all[i], "cvode") || is_of(all[i], "ida") ? 3000 : 300);
    test_restart(all[i]);
    test_failures(all[i]);
    test_refusal(all[i], pendulum, "0", SHK_BAD_INPUT, "tolerance");
  }
  test_everywhere();
  test_drift("ida", 0, 1e-6, 0, 1e-6);
  test_drift("ida(form=index1)", 1e-5, 1, 1e-6, 1);
  test_drift("ida(form=index2)", 1e-5, 1, 0, 1e-6);
  test_drift("cvode", 0, 1e-14, 0, 1e-14);
  test_drift("radau5", 0, 1e-6, 1e-9, 1e-2);
  test_drift("radau5(form=ggl)", 0, 1e-6, 0, 1e-6);
  test_drift("hem5", 0, 1e-12, 0, 1e-12);
  test_hopeless_tolerance("ida");
  test_hopeless_tolerance("cvode");
  test_hopeless_tolerance("radau5");
  test_hopeless_tolerance("hem5");
  test_refusal("ida", "chain(links=400)", "1e-6", SHK_REFUSED, "2400");
  test_refusal("cvode", "chain(links=600)", "1e-6", SHK_REFUSED, "2400");
  test_refusal("radau5", "chain(links=300)", "1e-6", SHK_REFUSED, "1500");
  test_refusal("hem5", "chain(links=400)", "1e-6", SHK_REFUSED, "1200");
  test_refusal("hem5", "charged-pendulum", "1e-6", SHK_REFUSED, "Hamiltonian");
  if (can_try("ida")) {
    test_options();
    test_other_state(true);
    test_other_state(false);
    test_index3();
    test_silence();
  }
  return tap_done();
}

#else

static void test_refused(const char *integrator)
{
  RUN run = {0};
  const bool has_command =
      strcmp(integrator, "engine") == 0; /* which it needs, and does not start */
  const bool begun =
      begin_run(&run, pendulum, has_command ? "engine(command=true)" : integrator, "1e-8");
  tap_ok(!begun && run.status.code == SHK_REFUSED && strstr(run.outcome.reason, "double"),
         "in quad: %s", run.outcome.reason);

  /* Asked directly, past the check of its descriptor, it refuses as well. */
  void *method = &run;
  if (begin_run(&run, pendulum, "reference", "1e-8")) {
    const struct shk_integrator *found = integrator_named(integrator);
    const struct shk_status status =
        shk_method_create(&method, found,
                          &(struct shk_binding){.struct_size = sizeof(struct shk_binding),
                                                .instance = &run.drive.bound.instance,
                                                .evaluator = &run.drive.bound.evaluator,
                                                .tolerance = R(1e-8)});
    tap_ok(status.code == SHK_REFUSED && !method && found->info.double_only,
           "and so does the create of %s", integrator);
  }
}

int main(void)
{
  const struct shk_integrator *integrator;
  for (int i = 0; (integrator = nth_integrator(i)) != NULL; i++)
    if (integrator->info.double_only)
      test_refused(integrator->info.name);
  return tap_done();
}

#endif

/*
 * IDA on its three forms: errors follow the tolerance, what each form keeps and loses, agreement
 * with the reference integrator, restarts, and failures that are statuses and silent. In quad it is
 * refused.
 */
#include "tests/kit/adaptive.h"
#include "tests/kit/registered.h"
#include "tests/kit/registry.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const pendulum = "pendulum(angle=0.7,rate=1.1)";

#if SHK_PRECISION == 64

/* IDA controls the local error in a root mean square over thousands of steps of low order, so the
 * global error is a few hundred tolerances; the largest ratio seen here is 920. */
#define GROWTH 3000

static const struct left_out not_tried[] = {
    {"water-box", "648 coordinates are more than IDA takes here"}, {NULL, NULL}};

static void test_tolerances(const char *integrator, const char *problem, real time)
{
  static const char *const ladder[] = {"1e-4", "1e-6", "1e-8", "1e-10", NULL};
  real before = INFINITY, lambda_error;
  for (int i = 0; ladder[i]; i++) {
    struct run run;
    const real tolerance = strtod(ladder[i], NULL);
    if (make_run(&run, problem, integrator, ladder[i], time, 1)) {
      const real error = exact_error(&run, &lambda_error);
      tap_ok(error <= GROWTH * tolerance && error < before / 3, "%s on %s at %s: error %.1e",
             integrator, problem, ladder[i], error);
      /* The multipliers are not in the error test; Newton leaves them to the tolerance over h. */
      tap_ok(lambda_error <= 30 * GROWTH * tolerance, "%s on %s at %s: lambda's error %.1e",
             integrator, problem, ladder[i], lambda_error);
      before = error;
    }
    end_run(&run);
  }
}

/* ggl keeps both constraints to Newton's tolerance; index1 leaves both by the integration error,
 * index2 keeps the hidden one. */
static void test_drift(void)
{
  struct run ggl, index1, index2;
  if (make_run(&ggl, pendulum, "ida", "1e-6", 100, 100) &&
      make_run(&index1, pendulum, "ida(form=index1)", "1e-6", 100, 100)) {
    tap_ok(ggl.constraint <= 1e-6 && ggl.hidden <= 1e-6, "ggl keeps g to %.1e and G H_p to %.1e",
           ggl.constraint, ggl.hidden);
    tap_ok(index1.constraint >= 1e3 * ggl.constraint && index1.hidden >= 10 * ggl.hidden &&
               index1.constraint > 1e-5,
           "index1 drifts off: %.1e and %.1e", index1.constraint, index1.hidden);
    end_run(&index1);
  }
  if (make_run(&index2, pendulum, "ida(form=index2)", "1e-6", 100, 100)) {
    tap_ok(index2.constraint >= 100 * ggl.constraint && index2.hidden <= 1e-6,
           "index2 drifts off g alone: %.1e and %.1e", index2.constraint, index2.hidden);
    end_run(&index2);
  }
  end_run(&ggl);
}

static void test_reference(const char *integrator, const char *problem, real time)
{
  struct run ours, reference;
  if (make_run(&reference, problem, "reference", "1e-13", time, 1) &&
      make_run(&ours, problem, integrator, "1e-9", time, 10)) {
    const real difference = state_difference(&reference.drive.current, &ours.drive.current);
    tap_ok(difference <= GROWTH * 1e-9, "%s on %s: %.1e from the reference", integrator, problem,
           difference);
    const struct shk_work *work = &ours.drive.bound.evaluator.work;
    tap_ok(
        work->steps > 10 && work->rejected < work->steps / 10 && work->iterations >= work->steps &&
            work->iterations < 3 * work->steps && work->factorizations > 1 &&
            work->factorizations < work->steps && work->gradient > work->iterations,
        "%s on %s: counts %ld steps, %ld rejected, %ld iterations, %ld factorizations", integrator,
        problem, work->steps, work->rejected, work->iterations, work->factorizations);
    end_run(&ours);
  }
  end_run(&reference);
}

/* Every form but the raw one, on every regular problem. */
static void test_every_form(void)
{
  const unsigned features = supports_of("ida") & supports_of("reference");
  const struct shk_integrator *const ida = integrator_named("ida");
  check_left_out(not_tried);
  for (const struct shk_choice *form = choices_of(&ida->info, "form"); form->name; form++) {
    char integrator[64];
    struct shk_inspection is;
    const char *problem;
    snprintf(integrator, sizeof integrator, "ida(form=%s)", form->name);
    if (strcmp(form->name, "index3") != 0)
      for (int i = 0; (problem = next_regular(&i, features, not_tried, &is)) != NULL;)
        test_reference(integrator, problem, 3 * is.time_scale);
  }
}

/* Options override the cell's tolerance, each on its own. */
static void test_options(void)
{
  struct run loose, same, relative, absolute;
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
    end_run(&loose);
    end_run(&same);
    end_run(&relative);
    end_run(&absolute);
  }
}

/* From a state at the time of the last one but with other positions, or with other momenta, the
 * result is that of a method that has done nothing else. */
static void test_other_state(bool positions)
{
  struct run used, fresh;
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
    end_run(&fresh);
  }
  end_run(&used);
}

/* A state that is not the last one returned restarts IDA; the last one goes on. */
static void test_restart(void)
{
  struct run run;
  if (make_run(&run, pendulum, "ida", "1e-8", 1, 1)) {
    struct shk_drive *d = &run.drive;
    const struct shk_integrator *ida = d->bound.integrator;
    const struct shk_work *work = &d->bound.evaluator.work;
    const long first = work->steps;
    const real t = d->bound.start.t;
    struct shk_state again;
    if (!shk_state_init(&again, d->current.n, d->current.m))
      abort();
    struct shk_status status = ida->step(d->bound.method, &again, &d->bound.start, 1);
    tap_ok(status.code == SHK_OK && state_difference(&again, &d->current) == 0 &&
               work->steps == 2 * first,
           "from the start again the same bits come out of as many steps");
    again.t = t + 1;
    const long before = work->steps;
    status = ida->step(d->bound.method, &d->next, &again, 1);
    const long resumed = work->steps - before;
    tap_ok(status.code == SHK_OK, "it goes on from there");
    status = ida->step(d->bound.method, &again, &d->current, 1);
    const long restarted = work->steps - before - resumed;
    tap_ok(status.code == SHK_OK && resumed < restarted,
           "going on takes %ld steps, starting there takes %ld", resumed, restarted);
    tap_ok(state_difference(&again, &d->next) <= GROWTH * 1e-8, "to the same end within tolerance");
    d->current.t = t + 1;
    go_on(&run, -1, 4);
    tap_ok(run.status.code == SHK_OK &&
               state_difference(&d->current, &d->bound.start) <= GROWTH * 1e-8,
           "backwards it returns to the start: %.1e",
           state_difference(&d->current, &d->bound.start));
    shk_state_clear(&again);
  }
  end_run(&run);
}

static void test_failures(void)
{
  struct run run;
  char reason[256];
  meet_failures(pendulum, "ida", "1e-8", GROWTH * 1e-8);

  bool begun = begin_run(&run, pendulum, "ida", "0");
  tap_ok(!begun && run.status.code == SHK_BAD_INPUT, "no tolerance: %s", run.outcome.reason);
  end_run(&run);
  begun = begin_run(&run, "chain(links=400)", "ida", "1e-6");
  tap_ok(!begun && run.status.code == SHK_REFUSED && strstr(run.outcome.reason, "2400"),
         "too large: %s", run.outcome.reason);
  end_run(&run);
  if (begin_run(&run, pendulum, "ida", "1e-17")) {
    go_on(&run, 1, 1);
    tap_ok(run.status.code == SHK_SOLVER_FAILED && run.status.value < 0,
           "a tolerance below round-off: %s", shk_status_text(reason, sizeof reason, run.status));
  }
  end_run(&run);
}

/* The raw form: IDA gives up at tight tolerances, with its own flag. */
static void test_index3(void)
{
  struct run run;
  char reason[256];
  if (begin_run(&run, pendulum, "ida(form=index3)", "1e-10")) {
    go_on(&run, 1, 1);
    tap_ok(run.status.code == SHK_SOLVER_FAILED && run.status.value < 0, "index3 at 1e-10: %s",
           shk_status_text(reason, sizeof reason, run.status));
    tap_ok(run.drive.current.t == run.drive.bound.start.t &&
               state_difference(&run.drive.current, &run.drive.bound.start) == 0,
           "the failed step leaves the state alone");
  }
  end_run(&run);
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
  end_run(&run);
  fflush(stderr);
  dup2(real_error, STDERR_FILENO);
  close(real_error);
  const long size = lseek(fileno(caught), 0, SEEK_END);
  tap_ok(begun && code == SHK_SOLVER_FAILED && size == 0, "a failure prints nothing (%ld bytes)",
         size);
  fclose(caught);
}

int main(void)
{
  if (!can_try("ida"))
    return tap_done();
  test_tolerances("ida", pendulum, 10.7);
  test_tolerances("ida", "pendulum(angle=0.3,rate=2.9,length=0.8,mass=1.7)", 4.3);
  test_tolerances("ida(form=index1)", pendulum, 10.7);
  test_drift();
  test_every_form();
  test_options();
  test_restart();
  test_other_state(true);
  test_other_state(false);
  test_failures();
  test_index3();
  test_silence();
  return tap_done();
}

#else

int main(void)
{
  struct run run;
  const bool begun = begin_run(&run, pendulum, "ida", "1e-8");
  tap_ok(!begun && run.status.code == SHK_REFUSED && strstr(run.outcome.reason, "double"),
         "in quad: %s", run.outcome.reason);
  end_run(&run);

  /* Asked directly, past the check of its descriptor, it refuses as well. */
  void *method = &run;
  if (begin_run(&run, pendulum, "reference", "1e-8")) {
    const struct shk_integrator *ida = integrator_named("ida");
    const struct shk_status status =
        shk_method_create(&method, ida,
                          &(struct shk_binding){.struct_size = sizeof(struct shk_binding),
                                                .instance = &run.drive.bound.instance,
                                                .evaluator = &run.drive.bound.evaluator,
                                                .tolerance = R(1e-8)});
    tap_ok(status.code == SHK_REFUSED && !method, "and so does its create");
    tap_ok(ida->info.double_only, "its descriptor says so");
  }
  end_run(&run);
  return tap_done();
}

#endif

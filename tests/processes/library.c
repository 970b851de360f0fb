/*
 * libshakedown as its clients see it, linked with nothing else: runs, a method of one's own, plug-ins,
 * threads, and what goes wrong, which comes back as a sentence. tests/processes/python evaluates every problem.
 */
#include "engine/surface/client_method.h"

#include "tests/kit/tap.h"

#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>

/* ---- an allocator that fails when told to ---- */

static _Thread_local long allocations_left = -1; /* negative: all succeed */

static bool fails(void)
{
  return allocations_left >= 0 && allocations_left-- == 0;
}

#if defined __SANITIZE_ADDRESS__
#define CAN_FAIL false /* it has to stay the allocator */
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define CAN_FAIL false
#endif
#endif
#ifndef CAN_FAIL
#define CAN_FAIL true
void *calloc(size_t count, size_t size)
{
  static void *(*next)(size_t, size_t);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "calloc");
  return fails() ? NULL : next(count, size);
}

void *realloc(void *old, size_t size)
{
  static void *(*next)(void *, size_t);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "realloc");
  return fails() ? NULL : next(old, size);
}
#endif

/* ---- runs ---- */

static const struct shakedown_request rattle = {.struct_size = sizeof rattle,
                                                .problem = "sprung-pendulum",
                                                .integrator = "rattle",
                                                .precision = "double",
                                                .step = "0.05"};

static void test_runs(struct shakedown *session)
{
  struct shakedown_error error = {0};
  double t, q[2], p[2], again[2], lambda[1];
  struct shakedown_run *run = shakedown_run_open(session, &rattle, &error);
  if (!tap_ok(run != NULL, "a run is opened %s", error.text))
    return;
  tap_is_int(shakedown_run_steps(run, 40, &error), 0, "it takes 40 steps");
  shakedown_run_state(run, &t, q, p, lambda, NULL);
  tap_ok(t == 40 * 0.05, "and is at %g then", t);
  char *text = shakedown_run_state_text(run);
  double read[5] = {NAN};
  char *rest = text;
  for (int i = 0; text && i < 5; i++)
    read[i] = strtod(rest, &rest);
  tap_ok(read[0] == t && read[1] == q[0] && read[2] == q[1] && read[3] == p[0] && read[4] == p[1],
         "its state as text is the same");
  shakedown_free(text);
  /* A step has no memory: from the same place it goes the same way. */
  shakedown_run_steps(run, 1, NULL);
  shakedown_run_state(run, NULL, again, NULL, NULL, NULL);
  shakedown_run_place(run, t, q, p, lambda);
  shakedown_run_steps(run, 1, NULL);
  shakedown_run_state(run, NULL, q, NULL, NULL, NULL);
  tap_ok(q[0] == again[0] && q[1] == again[1], "placed where it was it goes on as it did");
  double energy;
  tap_ok(shakedown_evaluate(shakedown_run_problem(run), SHAKEDOWN_HAMILTONIAN, &energy, 0, q, p,
                            NULL, NULL) == 0 &&
             isfinite(energy),
         "its problem is there for questions");
  shakedown_run_close(run);
  struct shakedown_request adaptive = rattle;
  adaptive.integrator = "projection-adaptive";
  adaptive.tolerance = "1e-8";
  run = shakedown_run_open(session, &adaptive, &error);
  tap_ok(run && shakedown_run_steps(run, 4, &error) == 0,
         "an adaptive one stops where it should %s", error.text);
  if (run)
    shakedown_run_state(run, &t, NULL, NULL, NULL, NULL);
  tap_is_near(t, 4 * 0.05, 1e-15, "at the end of each step");
  shakedown_run_close(run);
}

/* ---- a method of one's own: Euler's, which asks for what it needs ---- */

struct euler {
  struct shakedown_problem *problem;
  const struct shakedown_state *from;
  struct shakedown_state *to;
  int *open;
};

static int euler_bind(void *user, void **bound, struct shakedown_problem *problem,
                      const struct shakedown_state *from, struct shakedown_state *to,
                      struct shakedown_error *error)
{
  struct euler *e = calloc(1, sizeof *e);
  *e = (struct euler){problem, from, to, user};
  ++*e->open;
  *bound = e;
  return 0;
}

static int euler_step(void *bound, double h, struct shakedown_error *error)
{
  const struct euler *e = bound;
  double force[2], velocity[2];
  if (h > 1) {
    strcpy(error->text, "100% too long");
    return SHAKEDOWN_CODE_TRY_SMALLER;
  }
  shakedown_evaluate(e->problem, SHAKEDOWN_GRADIENT, force, e->from->t, e->from->q, e->from->p,
                     NULL, NULL);
  shakedown_evaluate(e->problem, SHAKEDOWN_VELOCITY, velocity, e->from->t, e->from->q, e->from->p,
                     NULL, NULL);
  for (int i = 0; i < e->from->n; i++) {
    e->to->q[i] = e->from->q[i] + h * velocity[i];
    e->to->p[i] = e->from->p[i] - h * force[i];
  }
  return 0;
}

static void euler_unbind(void *bound)
{
  struct euler *e = bound;
  --*e->open;
  free(e);
}

static void test_methods(struct shakedown *session)
{
  int open = 0;
  struct shakedown_error error = {0};
  struct shakedown_method method = {.struct_size = sizeof method,
                                    .name = "my-euler",
                                    .claims = "order-q=1 symplectic=no",
                                    .supports = "rheonomic,forces",
                                    .bind = euler_bind,
                                    .step = euler_step,
                                    .unbind = euler_unbind,
                                    .user = &open};
  tap_is_int(shakedown_add_method(session, &method, &error), 0, "a method is added %s", error.text);
  tap_ok(shakedown_add_method(session, &method, &error) != 0, "once: %s", error.text);
  static const char *const taken[] = {"rattle", "shake", "velocity-impulse", "My Method"};
  for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
    method.name = taken[i];
    tap_ok(shakedown_add_method(session, &method, &error) != 0 && strstr(error.text, taken[i]) &&
               strstr(error.text, "name") && !strchr(error.text, '\n'),
           "a name that it cannot have: %s", error.text);
  }
  method.name = "another";
  method.claims = "order-q=soon";
  tap_ok(shakedown_add_method(session, &method, &error) != 0 && strstr(error.text, "order-q=soon"),
         "a claim that does not read is named: %s", error.text);
  method.claims = NULL;
  method.supports = "everything";
  tap_ok(shakedown_add_method(session, &method, &error) != 0, "so is a feature: %s", error.text);
  method.supports = NULL;
  method.struct_size--;
  tap_ok(shakedown_add_method(session, &method, &error) != 0 && strstr(error.text, "struct_size"),
         "and a size that no version had: %s", error.text);
  struct shakedown_request request = rattle;
  request.integrator = "my-euler";
  struct shakedown_run *run = shakedown_run_open(session, &request, &error);
  if (!tap_ok(run != NULL, "it is bound"))
    return;
  tap_is_int(open, 1, "once");
  double q[2], p[2], force[2], new_q[2], new_p[2];
  shakedown_run_state(run, NULL, q, p, NULL, NULL);
  shakedown_evaluate(shakedown_run_problem(run), SHAKEDOWN_GRADIENT, force, 0, q, p, NULL, NULL);
  tap_is_int(shakedown_run_steps(run, 1, &error), 0, "it steps");
  shakedown_run_state(run, NULL, new_q, new_p, NULL, NULL);
  tap_ok(new_p[0] == p[0] - 0.05 * force[0] && new_p[1] == p[1] - 0.05 * force[1], "as it should");
  shakedown_run_close(run);
  tap_is_int(open, 0, "and is unbound");
  request.step = "2";
  run = shakedown_run_open(session, &request, &error);
  tap_is_int(shakedown_run_steps(run, 1, &error), SHAKEDOWN_CODE_TRY_SMALLER, "it may fail");
  tap_ok(strstr(error.text, "100% too long") != NULL, "with a reason: %s", error.text);
  shakedown_run_close(run);
  request.problem = "charged-pendulum";
  tap_ok(!shakedown_run_open(session, &request, &error) && error.code == SHAKEDOWN_CODE_REFUSED,
         "it is not bound to what it does not support: %s", error.text);
  request = rattle;
  request.integrator = "my-euler";
  request.precision = "quad";
  tap_ok(!shakedown_run_open(session, &request, &error), "nor in quad precision: %s", error.text);
}

/* ---- what goes wrong ---- */

/* Sizes of structs that no version had, and counts below 0. */
static void test_sizes(struct shakedown *session)
{
  struct shakedown_error error = {0};
  struct shakedown_request request = rattle;
  request.struct_size += 8;
  tap_ok(!shakedown_run_open(session, &request, &error) && strstr(error.text, "struct_size"),
         "a request of another size: %s", error.text);
  struct shakedown_worker_options options = {.struct_size = sizeof options, .plugin_count = -1};
  tap_is_int(shakedown_worker(session, &options), 2, "a worker with -1 plug-ins");
  options = (struct shakedown_worker_options){.struct_size = 1};
  tap_is_int(shakedown_worker(session, &options), 2, "one of another size");
  struct shakedown_run *const run = shakedown_run_open(session, &rattle, &error);
  tap_is_int(shakedown_run_steps(run, -1, &error), SHAKEDOWN_CODE_BAD_INPUT, "-1 steps: %s",
             error.text);
  tap_is_int(shakedown_run_steps(run, 0, &error), 0, "none is a number of steps");
  shakedown_run_close(run);
}

static void test_errors(struct shakedown *session)
{
  struct shakedown_error error = {0};
  tap_ok(!shakedown_problem_open(session, "pendulun", "double", &error) &&
             error.code == SHAKEDOWN_CODE_BAD_INPUT && strstr(error.text, "pendulun"),
         "an unknown problem: %s", error.text);
  tap_ok(!shakedown_problem_open(session, "pendulum(angle=x)", "double", &error), "a parameter: %s",
         error.text);
  tap_ok(!shakedown_problem_open(session, "pendulum", "half", &error), "a precision: %s",
         error.text);
  tap_ok(shakedown_load(session, "no-such-plug-in.so", &error) != 0, "a plug-in: %s", error.text);
  tap_ok(shakedown_load(session, "method.py", &error) != 0, "one in Python: %s", error.text);
  struct shakedown_request request = rattle;
  request.integrator = "external(command=\"true\")";
  tap_ok(!shakedown_run_open(session, &request, &error), "a program: %s", error.text);
  request.integrator = "rattle";
  request.step = "0";
  tap_ok(!shakedown_run_open(session, &request, &error), "a step: %s", error.text);
  struct shakedown_problem *const problem =
      shakedown_problem_open(session, "pendulum", "double", &error);
  double q[2] = {0, -1}, p[2] = {0, 0}, out[2];
  tap_ok(shakedown_evaluate(problem, SHAKEDOWN_GRADIENT, out, 0, q, NULL, NULL, &error) ==
             SHAKEDOWN_CODE_BAD_INPUT,
         "a vector: %s", error.text);
  tap_ok(shakedown_evaluate(problem, SHAKEDOWN_HESSIAN, out, 0, q, p, NULL, &error) ==
             SHAKEDOWN_CODE_REFUSED,
         "what a problem does not have: %s", error.text);
  tap_ok(shakedown_evaluate(problem, 1000, out, 0, q, p, NULL, &error) != 0 &&
             shakedown_count(problem, 1000) == 0 && shakedown_count(problem, -1) == 0,
         "a question: %s", error.text);
  tap_ok(!shakedown_code_name(-1) && !shakedown_feature_name(100) && !shakedown_question_name(-1),
         "and words that there are not");
  shakedown_problem_close(problem);
}

/* Whichever allocation fails, the call says so or does without. */
static void test_memory(const struct shakedown *session)
{
  const char *const preloaded = getenv("LD_PRELOAD");
  if (!CAN_FAIL || (preloaded && strstr(preloaded, "valgrind"))) {
    tap_ok(true, "what is lost by want of memory is no leak to look for");
    return;
  }
  int refused = 0, silent = 0;
  for (long k = 0;; k++) {
    struct shakedown_error error = {0};
    allocations_left = k;
    struct shakedown_run *run = shakedown_run_open(session, &rattle, &error);
    const bool all = allocations_left >= 0;
    allocations_left = -1;
    refused += !run;
    silent += !run && error.text[0] == '\0';
    shakedown_run_close(run);
    if (all)
      break;
  }
  tap_ok(refused > 20, "%d allocations are needed to open a run", refused);
  tap_is_int(silent, 0, "each that fails gives a reason");
}

/* ---- threads, plug-ins ---- */

static void *integrate(void *result)
{
  struct shakedown *session = shakedown_open(NULL);
  struct shakedown_run *run = shakedown_run_open(session, &rattle, NULL);
  shakedown_run_steps(run, 2000, NULL);
  shakedown_run_state(run, NULL, result, NULL, NULL, NULL);
  shakedown_run_close(run);
  shakedown_close(session);
  return NULL;
}

static void test_threads(void)
{
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  double q[THREADS][2];
  for (int i = 0; i < THREADS; i++)
    pthread_create(&threads[i], NULL, integrate, q[i]);
  for (int i = 0; i < THREADS; i++)
    pthread_join(threads[i], NULL);
  bool same = true;
  for (int i = 1; i < THREADS; i++)
    same = same && memcmp(q[i], q[0], sizeof q[0]) == 0;
  tap_ok(same && q[0][0] != 0, "four threads compute the same bits");
}

/* Methods without options, and code that reads an option that its descriptor lacks. */
static void test_options(struct shakedown *session)
{
  static const struct {
    const char *integrator, *reason; /* NULL: it takes a step */
  } methods[] = {{"reduced", NULL},
                 {"solving", "it takes no steps"},
                 {"misnames-number", "\"stifness\""},
                 {"misnames-choice", "\"flavour\""}};
  struct shakedown_error error = {0};
  const char *const file = getenv("SHAKEDOWN_OPTIONLESS");
  tap_ok(file && shakedown_load(session, file, &error) == 0, "methods without options: %s",
         error.text);
  for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
    struct shakedown_request request = rattle;
    request.integrator = methods[i].integrator;
    request.problem = "double-pendulum";
    error.text[0] = '\0';
    struct shakedown_run *const run = shakedown_run_open(session, &request, &error);
    if (run)
      shakedown_run_steps(run, 1, &error);
    tap_ok(methods[i].reason ? strstr(error.text, methods[i].reason) != NULL : error.text[0] == 0,
           "%s: %s", methods[i].integrator, error.text[0] ? error.text : "it takes a step");
    shakedown_run_close(run);
  }
  tap_ok(!shakedown_problem_open(session, "misnaming-well", "double", &error) &&
             strstr(error.text, "\"depht\""),
         "a problem: %s", error.text);
}

/* ---- a process with a decimal comma ---- */

struct spoken {
  char text[16]; /* a number as the method prints it */
  struct euler euler;
};

static int spoken_bind(void *user, void **bound, struct shakedown_problem *problem,
                       const struct shakedown_state *from, struct shakedown_state *to,
                       struct shakedown_error *error)
{
  struct spoken *const s = user;
  s->euler = (struct euler){problem, from, to, NULL};
  *bound = s;
  return 0;
}

static int spoken_step(void *bound, double h, struct shakedown_error *error)
{
  struct spoken *const s = bound;
  snprintf(s->text, sizeof s->text, "%.1f", 0.5);
  return euler_step(&s->euler, h, error);
}

static void spoken_unbind(void *bound)
{
}

/* The locale is made here: few systems have one with a comma. */
static bool set_comma(void)
{
  char folder[] = "/tmp/locales-XXXXXX", command[128];
  if (!mkdtemp(folder))
    return false;
  snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 %s/de_DE.UTF-8 2>&1", folder);
  const bool made = system(command) == 0 && setenv("LOCPATH", folder, 1) == 0 &&
                    setlocale(LC_NUMERIC, "de_DE.UTF-8") && *localeconv()->decimal_point == ',';
  unsetenv("LOCPATH");
  snprintf(command, sizeof command, "rm -r %s", folder);
  return system(command) == 0 && made;
}

/* The state as text of a run that starts at a text; the caller frees it. */
static char *spoken_state(struct shakedown *session)
{
  struct shakedown_request request = rattle;
  request.problem = "pendulum(angle=0.7,rate=1.1)";
  request.integrator = "spoken";
  request.q = "0.6,-0.8";
  request.p = "0.4,0.3";
  struct shakedown_error error = {0};
  struct shakedown_run *const run = shakedown_run_open(session, &request, &error);
  if (!run || shakedown_run_steps(run, 3, &error) != 0)
    tap_diag("%s", error.text);
  char *const text = run ? shakedown_run_state_text(run) : NULL;
  shakedown_run_close(run);
  return text ? text : strdup(error.text);
}

static void test_comma(struct shakedown *session)
{
  struct spoken spoken = {""};
  struct shakedown_error error = {0}, refused = {0};
  const struct shakedown_method method = {.struct_size = sizeof method,
                                          .name = "spoken",
                                          .bind = spoken_bind,
                                          .step = spoken_step,
                                          .unbind = spoken_unbind,
                                          .user = &spoken};
  tap_is_int(shakedown_add_method(session, &method, &error), 0, "a method %s", error.text);
  char *const point = spoken_state(session);
  shakedown_problem_open(session, "pendulum(mass=-0.25)", "double", &refused);
  tap_is_text(spoken.text, "0.5", "with a decimal point");
  if (!set_comma()) {
    tap_skip_without("locales",
                     "localedef cannot make a locale with a decimal comma: install locales");
    free(point);
    return;
  }
  TEXT comma = spoken_state(session);
  tap_is_text(comma, point, "a decimal comma changes no state");
  tap_is_text(spoken.text, "0,5", "and a method prints as its process does");
  struct shakedown_problem *const problem =
      shakedown_problem_open(session, "chain(links=2,spring=2.5)", "double", &error);
  char *const value =
      problem ? shakedown_evaluate_text(problem, SHAKEDOWN_HAMILTONIAN, "0.25", "0.6 -0.8 0.6 -1.8",
                                        "0.5 0 0 0.5", NULL, &error)
              : NULL;
  tap_ok(value && strchr(value, '.') && !strchr(value, ','), "numbers are read and written: %s",
         value ? value : error.text);
  shakedown_problem_open(session, "pendulum(mass=-0.25)", "double", &error);
  tap_is_text(error.text, refused.text, "and a refusal is the same");
  tap_ok(*localeconv()->decimal_point == ',', "the process keeps its locale");
  shakedown_problem_close(problem);
  shakedown_free(value);
  free(point);
  setlocale(LC_NUMERIC, "C");
}

static void test_description(struct shakedown *session)
{
  static const char *const problems[] = {"random-mechanism(shape=pendulum,seed=3)", "pendulum"};
  char *texts[2];
  struct shakedown_error error = {0};
  for (int i = 0; i < 2; i++) {
    struct shakedown_problem *const problem =
        shakedown_problem_open(session, problems[i], "double", &error);
    texts[i] = shakedown_description(problem, &error);
    shakedown_problem_close(problem);
  }
  tap_ok(texts[0] && strncmp(texts[0], "gravity -0.14", 13) == 0 &&
             strstr(texts[0], " joint spherical p1p2p3 -1 ") && strstr(texts[0], " link -1 "),
         "a mechanism describes itself: %.60s", texts[0] ? texts[0] : error.text);
  tap_ok(!texts[1] && error.code == SHAKEDOWN_CODE_REFUSED && strstr(error.text, "not a mechanism"),
         "other problems do not: %s", error.text);
  shakedown_free(texts[0]);
}

int main(void)
{
  struct shakedown_error error = {0};
  struct shakedown *session = shakedown_open(&error);
  tap_ok(session && strchr(shakedown_version(), '.'), "version %s", shakedown_version());
  test_runs(session);
  test_methods(session);
  test_errors(session);
  test_sizes(session);
  test_memory(session);
  test_threads();
  test_options(session);
  test_comma(session);
  test_description(session);
  shakedown_close(session);
  return tap_done();
}

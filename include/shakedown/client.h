/*
 * libshakedown evaluates problems and steps integrators from C and C++ programs, or from other
 * languages through their foreign function interfaces.
 *
 *     q' = H_p      p' = -H_q + Q - Gᵀ lambda      0 = g(q,t),     G = g_q
 *
 * There are n coordinates and m constraints. All quantities are in the units of the problem. Only
 * one thread may use a handle at a time, but different threads may use different handles at the
 * same time. No function prints, exits or aborts. A function that fails returns NULL or a nonzero
 * code and writes an explanation to *error. The argument `error` may be NULL.
 *
 * All numbers are doubles. A single-precision handle rounds its input, and a quad-precision handle
 * rounds its output. The functions whose names end in _text read and write all digits. They always
 * use a decimal point, regardless of the locale.
 *
 * The interface is stable: new functions and members are only added at the end. Any other change
 * gets a new SONAME and symbol version.
 */
#ifndef SHAKEDOWN_CLIENT_H
#define SHAKEDOWN_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The codes that calls and steps return. */
enum shakedown_code {
#define CODE(id, ...) SHAKEDOWN_CODE_##id,
#include <shakedown/codes.def>
#undef CODE
  SHAKEDOWN_CODE_COUNT
};

struct shakedown_error {
  int code; /* one of enum shakedown_code */
  char text[1024];
};

/* Returns the library version, such as "0.1.0". */
const char *shakedown_version(void);
/* Returns the name of a code, such as "refused" or "not-converged", or NULL if the code is
 * unknown. */
const char *shakedown_code_name(int code);

/* Returns the name of the index-th claim in shakedown/claims.def, such as "order_q", or NULL if
 * `index` is past the end. */
const char *shakedown_claim_name(int index);

/* ---- sessions ---- */

/* a session: the built-in problems and integrators, and those added by plug-ins */
struct shakedown;

/* Opens a session. Returns NULL if an allocation fails. */
struct shakedown *shakedown_open(struct shakedown_error *error);
/* Closes a session. First close everything that was opened with it. */
void shakedown_close(struct shakedown *session);
/* Loads a plug-in (built by `shakedown plugin build`) and adds its problems and integrators. The
 * code of the plug-in runs in this process. */
int shakedown_load(struct shakedown *session, const char *path, struct shakedown_error *error);
/* Return the name of the index-th problem or integrator, or NULL if `index` is past the end. */
const char *shakedown_problem_name(const struct shakedown *session, int index);
const char *shakedown_integrator_name(const struct shakedown *session, int index);

/* ---- evaluate a problem ---- */

struct shakedown_problem;

/* Opens a problem by its specification, such as "pendulum(angle=0.7)", in "single", "double" or
 * "quad" precision. If that fails, returns NULL and writes the reason to *error. */
struct shakedown_problem *shakedown_problem_open(const struct shakedown *session,
                                                 const char *specification, const char *precision,
                                                 struct shakedown_error *error);
void shakedown_problem_close(struct shakedown_problem *problem); /* accepts NULL */

struct shakedown_sizes {
  /* number of coordinates, number of constraints, and number of invariants besides H */
  int n, m, invariants;
  unsigned features; /* one bit per feature, in the order of shakedown/features.def */
  double initial_time;
  double time_scale; /* a typical period divided by 2 pi, or the shortest relevant time */
  /* end time for measuring errors, which is not a symmetric instant and precedes the onset of
   * chaos */
  double horizon;
  bool exact; /* true if an exact solution is known */
};
void shakedown_problem_sizes(const struct shakedown_problem *problem,
                             struct shakedown_sizes *sizes);
/* Returns the name of a bit in `features`, such as "general-hamiltonian", or NULL if there is no
 * such bit. */
const char *shakedown_feature_name(int bit);

/* The functions of a problem that you can evaluate. shakedown/questions.def lists the arguments and
 * the shape of each function. */
enum shakedown_question {
#define QUESTION(id, ...) SHAKEDOWN_##id,
#define PROBLEM_QUESTION QUESTION
#include <shakedown/questions.def>
#undef QUESTION
#undef PROBLEM_QUESTION
  SHAKEDOWN_QUESTION_COUNT
};
/* Returns the name of a function, such as "H_q", or NULL if there is no such function. */
const char *shakedown_question_name(int question);
/* Returns the number of values that a function produces, or 0 if there is no such function. */
size_t shakedown_count(const struct shakedown_problem *problem, int question);
/* Evaluates a function at time t, with q and p (n numbers each; for `curvature`, p is the velocity)
 * and w (2n numbers). Arguments that the function does not use may be NULL. Returns
 * SHAKEDOWN_CODE_REFUSED if the problem does not provide the function. */
int shakedown_evaluate(struct shakedown_problem *problem, int question, double *out, double t,
                       const double *q, const double *p, const double *w,
                       struct shakedown_error *error);
/* Evaluates a function whose arguments and values are decimal strings. The numbers are separated by
 * blanks and are printed with enough digits to be read back exactly. Free the result with
 * shakedown_free. If the evaluation fails, returns NULL and writes the reason to *error. */
char *shakedown_evaluate_text(struct shakedown_problem *problem, int question, const char *t,
                              const char *q, const char *p, const char *w,
                              struct shakedown_error *error);
void shakedown_free(char *text);
/* Returns the description of a spatial mechanism, with its bodies, joints and springs, in the
 * format that engine adapters receive after `system 3` (see docs/guides/engines.md). Free the
 * result with shakedown_free. If the problem is not such a mechanism, returns NULL and writes the
 * reason to *error. */
char *shakedown_description(const struct shakedown_problem *problem, struct shakedown_error *error);

/* ---- step an integrator ---- */

struct shakedown_run;

struct shakedown_request {
  size_t struct_size; /* sizeof(struct shakedown_request) */
  const char *problem, *integrator, *precision;
  /* step size as a decimal string; for adaptive integrators, the output interval */
  const char *step;
  const char *tolerance; /* tolerance, only for adaptive integrators; NULL for all others */
  /* initial state that replaces the problem's: comma-separated numbers, or NULL */
  const char *q, *p;
};
/* Opens a run in its initial state. If that fails, or if the integrator does not apply to the
 * problem, returns NULL and writes the reason to *error. */
struct shakedown_run *shakedown_run_open(const struct shakedown *session,
                                         const struct shakedown_request *request,
                                         struct shakedown_error *error);
void shakedown_run_close(struct shakedown_run *run); /* accepts NULL */
/* Returns the problem of the run. Evaluations of this problem do not count as work of the
 * integrator. Closing the run also closes the problem. */
struct shakedown_problem *shakedown_run_problem(struct shakedown_run *run);
/* Takes `count` steps, which may be 0. If a step fails, the run remains in the state before that
 * step. */
int shakedown_run_steps(struct shakedown_run *run, long count, struct shakedown_error *error);
/* Stores the current time, q and p (n each), and the multipliers lambda and mu (m each) of the last
 * step. Any of the arguments may be NULL. */
void shakedown_run_state(const struct shakedown_run *run, double *t, double *q, double *p,
                         double *lambda, double *mu);
/* Returns t, q, p, lambda and mu as a string. Free it with shakedown_free. Returns NULL if an
 * allocation fails. */
char *shakedown_run_state_text(const struct shakedown_run *run);
/* Replaces the state of the run. The new state is not checked. A NULL argument leaves the
 * corresponding values unchanged. */
void shakedown_run_place(struct shakedown_run *run, double t, const double *q, const double *p,
                         const double *lambda);

#ifdef __cplusplus
}
#endif

#endif

/*
 * libshakedown: evaluate problems and step integrators. For programs in C and C++, and for other
 * languages through their foreign functions.
 *
 *     q' = H_p      p' = -H_q + Q - Gᵀ lambda      0 = g(q,t),     G = g_q
 *
 * n coordinates, m constraints, in the units of the problem. A handle is used by one thread at a
 * time; different handles may be used by different threads at once. No function prints, exits or
 * aborts. Failures are returned as a code (0: ok), with a sentence in *error, which may be NULL.
 *
 * Numbers are doubles. A handle in single precision rounds its input, one in quad its output; the
 * functions that end in _text read and write all digits. Numbers in texts have a decimal point,
 * whatever locale the process has set.
 *
 * Stable: functions and members are added at the end; else SONAME and symbol version change.
 */
#ifndef SHAKEDOWN_CLIENT_H
#define SHAKEDOWN_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Codes of calls and of steps. */
enum shakedown_code {
#define CODE(id, ...) SHAKEDOWN_CODE_##id,
#include <shakedown/codes.def>
#undef CODE
  SHAKEDOWN_CODE_COUNT
};

struct shakedown_error {
  int code; /* enum shakedown_code */
  char text[1024];
};

/* Returns the version of the library, "0.1.0". */
const char *shakedown_version(void);
/* Returns the name of a code, "refused", "not-converged", …, or NULL. */
const char *shakedown_code_name(int code);

/* Returns the name of the index-th claim of an integrator, "order_q"
 * (shakedown/claims.def), or NULL after the last. */
const char *shakedown_claim_name(int index);

/* ---- sessions ---- */

struct shakedown; /* a session: the built-in problems and integrators, and those added to it */

/* Opens a session. NULL if allocation fails. */
struct shakedown *shakedown_open(struct shakedown_error *error);
/* Closes a session; close everything that was opened with it first. */
void shakedown_close(struct shakedown *session);
/* Loads a plug-in (`shakedown plugin build`) and adds its problems and integrators. Its
 * code runs in this process. */
int shakedown_load(struct shakedown *session, const char *path, struct shakedown_error *error);
/* Return the index-th name, or NULL after the last. */
const char *shakedown_problem_name(const struct shakedown *session, int index);
const char *shakedown_integrator_name(const struct shakedown *session, int index);

/* ---- evaluate a problem ---- */

struct shakedown_problem;

/* Opens a problem by its specification, "pendulum(angle=0.7)", in "single", "double" or
 * "quad". NULL with the reason. */
struct shakedown_problem *shakedown_problem_open(const struct shakedown *session,
                                                 const char *specification, const char *precision,
                                                 struct shakedown_error *error);
void shakedown_problem_close(struct shakedown_problem *problem); /* accepts NULL */

struct shakedown_sizes {
  int n, m, invariants; /* coordinates, constraints, invariants beside H */
  unsigned features;    /* bits in the order of shakedown/features.def */
  double initial_time;
  double time_scale; /* a typical period over 2 pi, or the shortest relevant time */
  double horizon;    /* generic end time for errors: not symmetric, and before chaos */
  bool exact;        /* an exact solution is known */
};
void shakedown_problem_sizes(const struct shakedown_problem *problem,
                             struct shakedown_sizes *sizes);
/* Returns the name of a bit of `features`, "general-hamiltonian", …, or NULL. */
const char *shakedown_feature_name(int bit);

/* Functions of a problem that can be evaluated, with the shapes of their
 * values: shakedown/questions.def. */
enum shakedown_question {
#define QUESTION(id, ...) SHAKEDOWN_##id,
#define PROBLEM_QUESTION QUESTION
#include <shakedown/questions.def>
#undef QUESTION
#undef PROBLEM_QUESTION
  SHAKEDOWN_QUESTION_COUNT
};
/* Returns the name of a function, "H_q", or NULL. */
const char *shakedown_question_name(int question);
/* Returns the number of a function's values; 0 if there is no such function. */
size_t shakedown_count(const struct shakedown_problem *problem, int question);
/* Evaluates a function at time t and q, p (n; p is the velocity for `curvature`), w (2n). Arguments
 * that the function does not use may be NULL. SHAKEDOWN_CODE_REFUSED: the problem does not have
 * it. */
int shakedown_evaluate(struct shakedown_problem *problem, int question, double *out, double t,
                       const double *q, const double *p, const double *w,
                       struct shakedown_error *error);
/* Evaluates a function with numbers as decimal text, separated by blanks, which reads back to the
 * same bits. NULL with the reason; free the result with shakedown_free. */
char *shakedown_evaluate_text(struct shakedown_problem *problem, int question, const char *t,
                              const char *q, const char *p, const char *w,
                              struct shakedown_error *error);
void shakedown_free(char *text);
/* Returns a mechanism in space, with bodies, joints and springs, in the words that adapters of
 * engines get after `system 3` (docs/guides/engines.md); free it with shakedown_free. NULL with the
 * reason, if the problem is no such mechanism. */
char *shakedown_description(const struct shakedown_problem *problem, struct shakedown_error *error);

/* ---- step an integrator ---- */

struct shakedown_run;

struct shakedown_request {
  size_t struct_size; /* sizeof(struct shakedown_request) */
  const char *problem, *integrator, *precision;
  const char *step;      /* decimal; for adaptive integrators, the output spacing */
  const char *tolerance; /* for adaptive integrators; else NULL */
  const char *q, *p;     /* another start, numbers separated by commas; NULL: none */
};
/* Opens a run at its start. NULL with the reason, also if the integrator does not apply. */
struct shakedown_run *shakedown_run_open(const struct shakedown *session,
                                         const struct shakedown_request *request,
                                         struct shakedown_error *error);
void shakedown_run_close(struct shakedown_run *run); /* accepts NULL */
/* Returns the run's problem, for evaluations that are not counted as the integrator's; closed with
 * the run. */
struct shakedown_problem *shakedown_run_problem(struct shakedown_run *run);
/* Takes `count` steps, at least 0. After a failure the state is the one before the step that
 * failed. */
int shakedown_run_steps(struct shakedown_run *run, long count, struct shakedown_error *error);
/* Stores time, q and p (n), lambda and mu (m; multipliers of the step that ended
 * here); each may be NULL. */
void shakedown_run_state(const struct shakedown_run *run, double *t, double *q, double *p,
                         double *lambda, double *mu);
/* Returns t, q, p, lambda and mu as text; free it with shakedown_free. NULL if allocation fails. */
char *shakedown_run_state_text(const struct shakedown_run *run);
/* Continues from another state, which is not checked. Values for NULL arguments are unchanged. */
void shakedown_run_place(struct shakedown_run *run, double t, const double *q, const double *p,
                         const double *lambda);

#ifdef __cplusplus
}
#endif

#endif

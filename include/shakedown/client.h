/*
 * libshakedown: problems, evaluated; integrators, stepped; integrators of one's own, run as any
 * other. For programs in C and C++, and for other languages through their foreign functions.
 *
 *     q' = H_p      p' = -H_q + Q - Gᵀ lambda      0 = g(q,t),     G = g_q
 *
 * n coordinates, m constraints, units those of the problem. A handle is used by one thread at a
 * time; different handles, by different threads at once. Nothing here prints, exits or aborts: what
 * goes wrong comes back as a code (0: well), with a sentence in *error, which may be NULL.
 *
 * Numbers are doubles. A handle in single precision rounds what it is given, one in quad what it
 * returns; the functions that end in _text take and give all digits.
 *
 * Stable: functions and members are added at the end; SONAME and version of the symbols change with
 * anything else.
 */
#ifndef SHAKEDOWN_CLIENT_H
#define SHAKEDOWN_CLIENT_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How a call ended, or a step. */
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

/* The version of the library, "0.1.0". */
const char *shakedown_version(void);
/* "refused", "not-converged", …; NULL: there is no such code. */
const char *shakedown_code_name(int code);

/* The index-th claim that an integrator can make, "order_q" (shakedown/claims.def); NULL: there are no
 * more. */
const char *shakedown_claim_name(int index);

/* ---- what is known ---- */

struct shakedown; /* the problems and integrators that are built in, and those that were added */

/* NULL: no memory. */
struct shakedown *shakedown_open(struct shakedown_error *error);
/* After everything that was opened with it. */
void shakedown_close(struct shakedown *session);
/* Adds what a plug-in offers (`shakedown plugin build`); its code runs here. */
int shakedown_load(struct shakedown *session, const char *path, struct shakedown_error *error);
/* The index-th name; NULL: there are no more. */
const char *shakedown_problem_name(const struct shakedown *session, int index);
const char *shakedown_integrator_name(const struct shakedown *session, int index);

/* ---- a problem, evaluated ---- */

struct shakedown_problem;

/* A specification, "pendulum(angle=0.7)", in "single", "double" or "quad". NULL with the reason. */
struct shakedown_problem *shakedown_problem_open(const struct shakedown *session,
                                                 const char *specification, const char *precision,
                                                 struct shakedown_error *error);
void shakedown_problem_close(struct shakedown_problem *problem); /* accepts NULL */

struct shakedown_sizes {
  int n, m, invariants; /* coordinates, constraints, invariants beside H */
  unsigned features;    /* bits in the order of shakedown/features.def */
  double initial_time;
  double time_scale; /* a typical period over 2 pi, or the shortest relevant time */
  double horizon;    /* at which errors are measured: no symmetric time, and short of chaos */
  bool exact;        /* an exact solution is known */
};
void shakedown_problem_sizes(const struct shakedown_problem *problem,
                             struct shakedown_sizes *sizes);
/* "general-hamiltonian", …: the word of a bit of `features`; NULL: there is no such bit. */
const char *shakedown_feature_name(int bit);

/* What can be asked of a problem, with the shape of the answer: shakedown/questions.def. */
enum shakedown_question {
#define QUESTION(id, ...) SHAKEDOWN_##id,
#define PROBLEM_QUESTION QUESTION
#include <shakedown/questions.def>
#undef QUESTION
#undef PROBLEM_QUESTION
  SHAKEDOWN_QUESTION_COUNT
};
/* The word of a question, "H_q"; NULL: there is no such question. */
const char *shakedown_question_name(int question);
/* How many numbers answer it. */
size_t shakedown_count(const struct shakedown_problem *problem, int question);
/* The answer at time t and q, p (n; p is the velocity for `curvature`), w (2n), of which those that
 * the question does not name may be NULL. SHAKEDOWN_CODE_REFUSED: the problem does not have it. */
int shakedown_evaluate(struct shakedown_problem *problem, int question, double *out, double t,
                       const double *q, const double *p, const double *w,
                       struct shakedown_error *error);
/* The same with numbers as decimal text, separated by blanks, which reads back to the same bits.
 * NULL with the reason; shakedown_free frees it. */
char *shakedown_evaluate_text(struct shakedown_problem *problem, int question, const char *t,
                              const char *q, const char *p, const char *w,
                              struct shakedown_error *error);
void shakedown_free(char *text);

/* ---- an integrator, stepped ---- */

struct shakedown_run;

struct shakedown_request {
  size_t struct_size; /* sizeof(struct shakedown_request) */
  const char *problem, *integrator, *precision;
  const char *step;      /* decimal; for adaptive integrators, how often they stop */
  const char *tolerance; /* of adaptive integrators; else NULL */
  const char *q, *p;     /* another start, numbers separated by commas; NULL: the problem's own */
};
/* At the start. NULL with the reason: also where the integrator does not apply. */
struct shakedown_run *shakedown_run_open(const struct shakedown *session,
                                         const struct shakedown_request *request,
                                         struct shakedown_error *error);
void shakedown_run_close(struct shakedown_run *run); /* accepts NULL */
/* Its problem, for evaluations that do not count as the integrator's; closed with the run. */
struct shakedown_problem *shakedown_run_problem(struct shakedown_run *run);
/* Takes so many steps. After a failure the state is that before the step that failed. */
int shakedown_run_steps(struct shakedown_run *run, long count, struct shakedown_error *error);
/* Time, q and p (n), lambda and mu (m; the multipliers of the step that ended here, <shakedown/
 * integrator.h>); each may be NULL. */
void shakedown_run_state(const struct shakedown_run *run, double *t, double *q, double *p,
                         double *lambda, double *mu);
/* All of these, in this order; shakedown_free frees it. NULL: no memory. */
char *shakedown_run_state_text(const struct shakedown_run *run);
/* Goes on from another state, which is not checked. NULL leaves what is there. */
void shakedown_run_place(struct shakedown_run *run, double t, const double *q, const double *p,
                         const double *lambda);

/* ---- an integrator of one's own ---- */

/* Where a step begins or ends: q and p (n), lambda and mu (m). */
struct shakedown_state {
  int n, m;
  double t, *q, *p, *lambda, *mu;
};

/* Works in double precision. Texts are copied. */
struct shakedown_method {
  size_t struct_size;    /* sizeof(struct shakedown_method) */
  const char *name;      /* [a-z0-9-], beginning with a letter */
  const char *summary;   /* one line */
  const char *equations; /* plain text; NULL: none */
  const char *citation;  /* NULL: none */
  const char *claims;    /* "order-q=2 symplectic=yes …", as in docs/external.md; dashes may be
                          * underscores; NULL: none */
  const char *supports;  /* features of systems that it takes, separated by commas; NULL: none */
  /* Ready to step `problem`, from *from to *to, which stay where they are until `unbind`. *bound is
   * then given to the others. A code; SHAKEDOWN_CODE_REFUSED with the reason. */
  int (*bind)(void *user, void **bound, struct shakedown_problem *problem,
              const struct shakedown_state *from, struct shakedown_state *to,
              struct shakedown_error *error);
  /* A step of signed length h. It never changes *from; to->lambda and to->mu are zero before it. */
  int (*step)(void *bound, double h, struct shakedown_error *error);
  void (*unbind)(void *bound);
  void *user;
};
int shakedown_add_method(struct shakedown *session, const struct shakedown_method *method,
                         struct shakedown_error *error);

/* `shakedown worker` in this process, which is how the methods of a process run the cells of a study:
 * takes over standard input and output, and returns the exit status of the process. Plug-ins whose
 * names end in .py are given to `load`, which adds their methods and returns a code. For them
 * `shakedown` starts, in place of itself, `python3 -m shakedown worker` with the words that it gives
 * its own workers; the variable SHAKEDOWN_PYTHON names another program than python3. */
struct shakedown_worker_options {
  size_t struct_size;
  const char *const *plugins;
  int plugin_count;
  bool programs, sandbox; /* --allow-external, --sandbox */
  const char *reads;      /* --files; NULL: none */
  int (*load)(void *user, const char *path, struct shakedown_error *error);
  void *user;
};
int shakedown_worker(struct shakedown *session, const struct shakedown_worker_options *options);

#ifdef __cplusplus
}
#endif

#endif

/*
 * Integrators and constraint solvers that a process adds to its session of libshakedown, and the
 * cell server that runs them: the channel of the Python package (python/shakedown/_library.py), which
 * is made together with the library. It is not part of the public interface <shakedown/client.h>,
 * whose conventions it follows. Methods in C are plug-ins.
 */
#ifndef ENGINE_SURFACE_CLIENT_METHOD_H
#define ENGINE_SURFACE_CLIENT_METHOD_H

#include <shakedown/client.h>

/* State at the start or end of a step: q and p (n), lambda and mu (m), and the method's memory. */
struct shakedown_state {
  int n, m;
  double t, *q, *p, *lambda, *mu;
  int memory_count;
  double *memory;
};

/* Distance constraints of one solve, as in struct shk_rod_task. */
struct shakedown_rod {
  int a, b;
  double square;
};
struct shakedown_rods {
  int points, rods, dimension;
  const double *mass;
  const struct shakedown_rod *rod;
  const double *fixed, *before;
  double *positions, *impulse;
  double tolerance;
  long iterations;
};

/* An integrator or a constraint solver. Texts are copied. */
struct shakedown_method {
  size_t struct_size;    /* sizeof(struct shakedown_method) */
  const char *name;      /* [a-z0-9-], starting with a letter */
  const char *summary;   /* one line */
  const char *equations; /* plain text; NULL: none */
  const char *citation;  /* NULL: none */
  const char *claims;    /* "order-q=2 symplectic=yes …" (docs/reference/line-protocol.md);
                          * dashes may be underscores; NULL: none */
  const char *supports;  /* features of systems that it supports, separated by commas; NULL: none */
  /* Prepares to step `problem` from *from to *to, which keep their addresses until `unbind`. *bound
   * is then passed to the other functions. Returns a code; SHAKEDOWN_CODE_REFUSED with the
   * reason. */
  int (*bind)(void *user, void **bound, struct shakedown_problem *problem,
              const struct shakedown_state *from, struct shakedown_state *to,
              struct shakedown_error *error);
  /* Takes a step of signed length h. It must not change *from; to->lambda and
   * to->mu are zero before it. */
  int (*step)(void *bound, double h, struct shakedown_error *error);
  void (*unbind)(void *bound);
  void *user;
  bool single; /* It computes in single precision, and is judged so; false: in double. */
  /* Options: lines "name=default meaning". A default that is a number, or yes or no, admits only
   * such values; any other is a text. NULL: none. shakedown_option gives their values. */
  const char *options;
  /* Numbers that a state carries beside q, p and multipliers: so many times n, times m, and more.
   * A step reads from->memory and writes to->memory; it keeps nothing else from step to step. */
  int memory_n, memory_m, memory_ones;
  /* Fills from->memory for steps of length h from *from; NULL: it stays zero. Returns a code. */
  int (*begin)(void *bound, double h, struct shakedown_error *error);
  /* Changes from->memory so that steps of length h, of the opposite sign, retrace the run; NULL: with
   * memory, symmetry is then not defined. */
  void (*reverse)(void *bound, double h);
  /* A constraint solver, in place of bind, step and unbind: moves `positions` onto the constraints as a
   * solver of a plug-in does (<shakedown/parts/rod_solver.h>), in double precision only. Stores the
   * number of iterations. Returns a code. */
  int (*solve)(void *user, const struct shakedown_rods *rods, long *taken,
               struct shakedown_error *error);
  bool refuses_fixed; /* a solver: systems with fixed points are refused */
};
/* Returns the value of an option as text, in `bind` and as long as the method is bound; NULL: there
 * is no such option. */
const char *shakedown_option(const struct shakedown_problem *problem, const char *name);
/* Adds to a counter of the method's own work (shk_own_work), in `bind` or a step. Returns a code. */
int shakedown_count_work(struct shakedown_problem *problem, const char *name, long amount,
                         struct shakedown_error *error);
int shakedown_add_method(struct shakedown *session, const struct shakedown_method *method,
                         struct shakedown_error *error);

/* Serves cells in this process, so that the cells of a study can use the methods of this process.
 * It takes over descriptors 0 to 3 and returns the exit status of the process, 2 for a wrong
 * struct_size or a negative count. Plug-ins whose names end in .py are passed to `load`, which adds
 * their methods and returns a code. For such plug-ins `shakedown` starts `python3 -m shakedown
 * worker` with the options of its command line; the variable SHAKEDOWN_PYTHON names a program in
 * place of python3. */
struct shakedown_worker_options {
  size_t struct_size;
  const char *const *plugins;
  int plugin_count;
  bool programs, once, guard; /* --allow-external, --once, --guard */
  int (*load)(void *user, const char *path, struct shakedown_error *error);
  void *user;
};
int shakedown_worker(struct shakedown *session, const struct shakedown_worker_options *options);

#endif

/*
 * Declares the integrators and constraint solvers that a process adds to its libshakedown session,
 * and the cell server that runs them. This interface is used by the Python package
 * (python/shakedown/_library.py), which is built together with the library. The interface is not
 * part of the public interface <shakedown/client.h>, but follows the same conventions. Methods
 * written in C use plug-ins instead.
 */
#ifndef ENGINE_SURFACE_CLIENT_METHOD_H
#define ENGINE_SURFACE_CLIENT_METHOD_H

#include <shakedown/client.h>

/* The state at the start or end of a step: q and p (n), lambda and mu (m), and the method's
 * memory. */
struct shakedown_state {
  int n, m;
  double t, *q, *p, *lambda, *mu;
  int memory_count;
  double *memory;
};

/* The distance constraints of one solve, as in struct shk_rod_task. */
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

/* An integrator or a constraint solver. The library copies the strings. */
struct shakedown_method {
  size_t struct_size;    /* sizeof(struct shakedown_method) */
  const char *name;      /* consists of [a-z0-9-] and starts with a letter */
  const char *summary;   /* one line */
  const char *equations; /* plain text, or NULL */
  const char *citation;  /* NULL if there is none */
  /* for example "order-q=2 symplectic=yes" (docs/reference/line-protocol.md); underscores can
   * replace dashes; NULL if there are no claims */
  const char *claims;
  /* the system features that the method supports, separated by commas, or NULL if there are none */
  const char *supports;
  /* Prepares to step `problem` from *from to *to, whose addresses do not change until `unbind`. The
   * value stored in *bound is passed to the other functions. Returns a code, for example
   * SHAKEDOWN_CODE_REFUSED with the reason. */
  int (*bind)(void *user, void **bound, struct shakedown_problem *problem,
              const struct shakedown_state *from, struct shakedown_state *to,
              struct shakedown_error *error);
  /* Takes a step of signed length h. It must not change *from. On entry, to->lambda and to->mu are
   * zero. */
  int (*step)(void *bound, double h, struct shakedown_error *error);
  void (*unbind)(void *bound);
  void *user;
  /* true if the method computes in single precision and should be evaluated accordingly */
  bool single;
  /* Options, as lines "name=default meaning", or NULL if there are none. If a default is a number,
   * or yes or no, the option accepts only such values; with any other default, the value is a
   * string. shakedown_option returns the values. */
  const char *options;
  /* How many numbers a state contains in addition to q, p and the multipliers: memory_n times n,
   * plus memory_m times m, plus memory_ones. A step reads from->memory and writes to->memory, and
   * must not store anything else between steps. */
  int memory_n, memory_m, memory_ones;
  /* Fills from->memory for steps of length h from *from, and returns a code. If this is NULL, the
   * memory is initially zero. */
  int (*begin)(void *bound, double h, struct shakedown_error *error);
  /* Changes from->memory so that steps of length h, whose sign has been reversed, retrace the run.
   * If this is NULL and the method has a memory, symmetry is not defined. */
  void (*reverse)(void *bound, double h);
  /* A constraint solver defines this function instead of bind, step and unbind. The function moves
   * `positions` onto the constraints like a solver in a plug-in (<shakedown/parts/rod_solver.h>),
   * but only in double precision. It stores the number of iterations and returns a code. */
  int (*solve)(void *user, const struct shakedown_rods *rods, long *taken,
               struct shakedown_error *error);
  bool refuses_fixed; /* true if this is a solver that refuses systems with fixed points */
};
/* Returns the value of an option as a string, or NULL if there is no such option. Can be called in
 * `bind` and for as long as the method is bound. */
const char *shakedown_option(const struct shakedown_problem *problem, const char *name);
/* Adds to one of the method's own work counters (shk_own_work). Can be called in `bind` or in a
 * step. Returns a code. */
int shakedown_count_work(struct shakedown_problem *problem, const char *name, long amount,
                         struct shakedown_error *error);
int shakedown_add_method(struct shakedown *session, const struct shakedown_method *method,
                         struct shakedown_error *error);

/* Serves cells in this process, so that the cells of a study can use its methods. This function
 * takes over file descriptors 0 to 3 and returns the exit status of the process, which is 2 for a
 * wrong struct_size or a negative count. Plug-ins whose names end in .py are passed to `load`,
 * which adds their methods and returns a code. For such plug-ins, `shakedown` starts `python3 -m
 * shakedown worker` with its own command-line options. The environment variable SHAKEDOWN_PYTHON
 * can name a program to use instead of python3. */
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

/*
 * Creates a copy of a system in which all functions are watched. Every call is made twice, each
 * time with copies of its inputs. Before each call, its outputs are surrounded by guard words and
 * filled with a marked NaN. The audit records the first fault of each function:
 *
 *     an output entry that the function did not write, or that it added to
 *     a write beyond the output, or to an input
 *     different outputs for the same inputs
 *
 * A function that returns a nonzero value has no output. The audit detects neither reads beyond an
 * input nor accesses to memory that is not passed in the call.
 */
#ifndef MECHANICS_SYSTEM_AUDIT_H
#define MECHANICS_SYSTEM_AUDIT_H

#include <shakedown/system.h>

enum { SHK_AUDIT_FUNCTIONS = 32 };

/* The audited functions that have one of four common argument lists, with their output sizes.
 * Functions with other arguments are audited individually. */
#define SHK_AUDITED(OF_Q, OF_QP, TWO_OF_QP, OF_MASS)                                               \
  OF_Q(potential, 1)                                                                               \
  OF_Q(gradient, n)                                                                                \
  OF_Q(constraint, m)                                                                              \
  OF_Q(jacobian, audited_entries(a->inner))                                                        \
  OF_Q(constraint_rate, m)                                                                         \
  OF_Q(potential_hessian, n *n)                                                                    \
  OF_QP(hamiltonian, 1)                                                                            \
  OF_QP(hamiltonian_q, n)                                                                          \
  OF_QP(hamiltonian_p, n)                                                                          \
  OF_QP(hessian, 4 * n * n)                                                                        \
  OF_QP(curvature, m)                                                                              \
  OF_QP(constraint_qp, m)                                                                          \
  OF_QP(force, n)                                                                                  \
  TWO_OF_QP(constraint_gradients, m *n)                                                            \
  TWO_OF_QP(force_gradients, n *n)                                                                 \
  OF_MASS(mass_gradient)                                                                           \
  OF_MASS(mass_curvature)

/* Failures that can be injected into a call. The call returns -1 (FAILS) or 1 (ASKS) and leaves its
 * outputs unchanged, fills all outputs with NaN, or fills G(q,t) with zeros (SINGULAR). */
enum shk_audit_failure {
  SHK_AUDIT_FAILS,
  SHK_AUDIT_NAN,
  SHK_AUDIT_ASKS,
  SHK_AUDIT_SINGULAR,
  SHK_AUDIT_FAILURES
};

/* One argument of a call. */
struct shk_audit_block {
  real *copy;   /* passed to the function */
  real *answer; /* for outputs: the result of the first call */
  const real *original;
  real *target; /* for outputs: the caller's destination */
  size_t count;
};

struct shk_audit {
  const struct shk_system *inner;
  /* The functions called so far, in the order of their first call. A function's fault is NULL if
   * none was found. */
  int count;
  struct shk_audit_seen {
    const char *function, *fault;
    long calls;
    char text[96];
  } seen[SHK_AUDIT_FUNCTIONS], *now;
  /* number of calls up to and including the first that must fail; 0 if none must fail */
  long until_failure;
  long lasting; /* number of subsequent calls that must also fail */
  enum shk_audit_failure failure;
  struct shk_audit_block outputs[3], inputs[3]; /* blocks of the current call */
  int output_count, input_count;
  size_t used;
  real memory[];
};

/* Returns an upper bound on the number of entries that a function of the system writes. */
size_t shk_audit_room(const struct shk_system *system);

/* Sets *watched to a copy of *system with watched functions, and returns the audit, or NULL if
 * memory runs out. *watched must not outlive the audit, and the audit must not outlive the system.
 * The caller frees the audit with free(). */
struct shk_audit *shk_audit_create(struct shk_system *watched, const struct shk_system *system);

/* The first function fills `values` with a marked NaN that no computation produces. The second
 * returns the index of the first entry that still contains this NaN, or -1 if there is none. */
void shk_poison(real *values, size_t count);
long shk_poisoned(const real *values, size_t count);

#endif

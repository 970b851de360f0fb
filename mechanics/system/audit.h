/*
 * A system whose functions are watched. Every call is made twice, with copies of its inputs and
 * with outputs that are filled with a marked NaN, between guard words. The audit records the first
 * fault of each function:
 *
 *     an entry of the output that was not written, or was added to
 *     a write beyond the output, or through an input
 *     different outputs for the same inputs
 *
 * A function that does not return 0 has no output. Two faults are not found: reads beyond an input,
 * and accesses to memory that is not passed in the call.
 */
#ifndef MECHANICS_SYSTEM_AUDIT_H
#define MECHANICS_SYSTEM_AUDIT_H

#include <shakedown/system.h>

enum { SHK_AUDIT_FUNCTIONS = 32 };

/* The audited functions with one of four argument lists, and the sizes of their outputs; those with
 * other arguments follow one by one. */
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

/* Failures that a call is made to have: it returns -1 (FAILS) or 1 (ASKS) and leaves its outputs
 * unchanged, or fills all outputs with NaN, or G(q,t) with zeros (SINGULAR). */
enum shk_audit_failure {
  SHK_AUDIT_FAILS,
  SHK_AUDIT_NAN,
  SHK_AUDIT_ASKS,
  SHK_AUDIT_SINGULAR,
  SHK_AUDIT_FAILURES
};

/* An argument of a call. */
struct shk_audit_block {
  real *copy;   /* passed to the function */
  real *answer; /* outputs: the result of the first call */
  const real *original;
  real *target; /* outputs: the caller's */
  size_t count;
};

/* The audit of one system. */
struct shk_audit {
  const struct shk_system *inner;
  /* The functions called so far, in the order of their first call, each with its fault (NULL:
   * none). */
  int count;
  struct shk_audit_seen {
    const char *function, *fault;
    long calls;
    char text[96];
  } seen[SHK_AUDIT_FUNCTIONS], *now;
  long until_failure; /* number of calls until one fails; 0: none does */
  long lasting;       /* number of calls after it that fail as well */
  enum shk_audit_failure failure;
  struct shk_audit_block outputs[3], inputs[3]; /* of the present call */
  int output_count, input_count;
  size_t used;
  real memory[];
};

/* Returns at least the largest number of entries that a function of the system writes. */
size_t shk_audit_room(const struct shk_system *system);

/* Makes *watched from *system, with watched functions. It must not outlive the audit, nor the audit
 * the system. The audit is freed by free(). NULL: no memory. */
struct shk_audit *shk_audit_create(struct shk_system *watched, const struct shk_system *system);

/* Fill values with a marked NaN that no computation produces; and return the index of the first
 * entry that still has it, -1 if none has. */
void shk_poison(real *values, size_t count);
long shk_poisoned(const real *values, size_t count);

#endif

/*
 * An integrator: a one-step map (q,p,lambda) -> (q,p,lambda), or an adaptive solver
 * with prescribed output times.
 */
#ifndef SHAKEDOWN_INTEGRATOR_H
#define SHAKEDOWN_INTEGRATOR_H

#include <shakedown/parts/problem.h>
#include <shakedown/parts/workspace.h>

/* State of an integrator between steps. `q` and `p` are rounded values; the carries are their
 * rounding errors (compensated summation): q + q_carry stands for the exact sum. A method without
 * compensation sets the carries to zero. */
struct shk_state {
  int n, m;
  real t;
  real *q, *p;             /* n */
  real *lambda;            /* m: multiplier that made g(q) = 0 in the step that ended here */
  real *mu;                /* m: multiplier of the hidden constraint in that step, or zero */
  real *q_carry, *p_carry; /* n */
  int memory_count;
  real *memory; /* memory_count: the method's own (struct shk_integrator, `memory`) */
};

/* Copies a state of the same sizes, and its memory if `to` has as much. */
void shk_state_copy(struct shk_state *to, const struct shk_state *from);

/* Adds an increment with compensation: x, carry <- from, from_carry + dx; n each. */
static inline void shk_add_increment(real *x, real *carry, const real *from, const real *from_carry,
                                     const real *dx, int n)
{
  for (int i = 0; i < n; i++) {
    x[i] = from[i];
    carry[i] = from_carry[i];
    real_accumulate(&x[i], &carry[i], dx[i]);
  }
}

/* Store q1 = q0 + dq and p1 = p0 + dp in *to. */
static inline void shk_move_q(struct shk_state *to, const struct shk_state *from, const real *dq)
{
  shk_add_increment(to->q, to->q_carry, from->q, from->q_carry, dq, from->n);
}
static inline void shk_move_p(struct shk_state *to, const struct shk_state *from, const real *dp)
{
  shk_add_increment(to->p, to->p_carry, from->p, from->p_carry, dp, from->n);
}

struct shk_integrator;

struct shk_binding {
  size_t struct_size;
  const struct shk_instance *instance;
  struct shk_evaluator *evaluator; /* for all evaluations */
  const struct shk_values *options;
  real tolerance;                          /* adaptive integrators: the tolerance of the cell */
  struct shk_workspace *workspace;         /* for arrays and objects that are not in `arrays` */
  const struct shk_integrator *integrator; /* the integrator that is bound */
};

/* A number with its name, a static text of [a-z0-9-]. The record has it as `method-NAME`. */
struct shk_fact {
  const char *name; /* "stability-limit": the largest stable step */
  double value;
};

/* SHK_METHOD(type) sets sizes and offsets for a struct with members evaluator, n and m. */
struct shk_integrator {
  size_t struct_size;
  struct shk_integrator_info info;
  /* The method's struct, zeroed and filled by the binding, which also frees it: the evaluator, n
   * and m, the options stored in it (struct shk_option, `at`), and the arrays named here. */
  size_t method_size, evaluator_at, n_at, m_at;
  const struct shk_array *arrays; /* ended by {0}; NULL: none */
  /* Creates the rest: symbolic work, arrays with shapes that the table cannot express, other
   * objects. May refuse. NULL: nothing. */
  struct shk_status (*bind)(void *method, const struct shk_binding *binding);
  /* Takes one step from *from to *to (same sizes, no overlap) of signed length h. It never
   * changes *from; *to is undefined unless the step returns ok. The caller sets to->t. Steps of
   * fixed-step methods do not allocate. */
  struct shk_status (*step)(void *method, struct shk_state *to, const struct shk_state *from,
                            real h);
  /* Reports facts of the method at a start, for the record: writes up to `limit` and returns their
   * number. Called before the first step; may allocate. NULL: none. */
  int (*facts)(void *method, struct shk_fact *facts, int limit, const struct shk_state *start);
  /* Adapts info.claims to the options. *method holds the options and nothing else at that time.
   * NULL: the claims are the same for all options. */
  void (*claims_under)(struct shk_claims *claims, const void *method);
  /* The constraint work, the energy that enforcing the constraints adds. constraint_work_at: SHK_AT of a
   * real *; unless it is NULL, every successful step adds the work to its target; 0: none.
   * constraint_work, if not NULL, replaces this: it receives the pointer, and returns false if the
   * method does not compute the work. */
  size_t constraint_work_at;
  bool (*constraint_work)(void *method, real *sum);
  /* SHK_AT of a const struct shk_values *, all options, for those that no member can store; 0:
   * none. */
  size_t options_at;
  /* Vectors that a state carries beside q, p and multipliers, such as the acceleration at the end
   * of a step: members of a struct of pointers, which shk_view_memory sets. A step reads those of
   * *from and writes all of those of *to; methods keep nothing else from one step to the next.
   * `times` is a member of the method's struct, which bind may set; `only` is not used. Ended by
   * {0}; NULL: none. */
  const struct shk_array *memory;
  /* Fills start->memory for steps of length h from a start. NULL: it stays zero. */
  struct shk_status (*begin)(void *method, struct shk_state *start, real h);
  /* The involution P of the memory, such as the reversed order of a multistep method: changes
   * state->memory so that the next steps, of length h, retrace the run. h has the opposite sign, or
   * p has been reversed. The method is symmetric if P Ψ_{-h} P Ψ_h = id. NULL: for a method with
   * memory, symmetry is not defined. */
  void (*reverse)(void *method, struct shk_state *state, real h);
};

#define SHK_METHOD(type)                                                                           \
  .method_size = sizeof(struct type),                                                              \
  .evaluator_at = SHK_AT_A(struct shk_evaluator *, type, evaluator), .n_at = SHK_AT(type, n),      \
  .m_at = SHK_AT(type, m)
/* The same, with the members that most integrators have; the names are the members'. */
#define SHK_INTEGRATOR(type, arrays_, bind_, step_, claims_under_)                                 \
  .struct_size = sizeof(struct shk_integrator), SHK_METHOD(type), .arrays = arrays_,               \
  .bind = bind_, .step = step_, .claims_under = claims_under_

/* Points the members of *view that `memory` lists to the vectors in the memory of a state. */
void shk_view_memory(void *view, const struct shk_array *memory, const void *method,
                     const struct shk_evaluator *evaluator, const struct shk_state *state);
/* Stores the claims of a list (NULL: none); all others are not made. */
void shk_claims_stated(struct shk_claims *claims, const struct shk_stated *list);

/* ---- integrators that contain another one ---- */

/* A base: the integrator that an option of kind SHK_OPTION_INTEGRATOR names,
 * bound to the same system. */
struct shk_base {
  const struct shk_integrator *integrator;
  void *method;
  struct shk_claims claims; /* with its options */
  const struct shk_values *options;
};

/* Option that names a base. Its integrator, options and claims are stored; shk_bind_base binds
 * it. */
#define SHK_BASE(...) SHK_OPTION_(SHK_OPTION_INTEGRATOR, struct shk_base, __VA_ARGS__, )

/* Takes a step of the base, and sets to->t as well. */
struct shk_status shk_base_step(struct shk_base *base, struct shk_state *to,
                                const struct shk_state *from, real h);

#endif

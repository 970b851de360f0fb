/*
 * An integrator: a one-step map (q,p,lambda) -> (q,p,lambda), or an adaptive solver with prescribed
 * output times.
 */
#ifndef SHAKEDOWN_INTEGRATOR_H
#define SHAKEDOWN_INTEGRATOR_H

#include <shakedown/parts/problem.h>
#include <shakedown/parts/workspace.h>

/* State of an integrator between steps. `q` and `p` are rounded values, and the carries are their
 * rounding errors (compensated summation): the exact sum is q + q_carry. A method without
 * compensation sets the carries to zero. */
struct shk_state {
  int n, m;
  real t;
  real *q, *p;             /* n */
  real *lambda;            /* m: the multiplier that made g(q) = 0 in the step that ended here */
  real *mu;                /* m: the multiplier of the hidden constraint in that step, or zero */
  real *q_carry, *p_carry; /* n */
  int memory_count;
  real *memory; /* memory_count: the method's own memory (see `memory` of shk_integrator) */
};

/* Copies a state of the same sizes, and its memory if `to` has room for as much. */
void shk_state_copy(struct shk_state *to, const struct shk_state *from);

/* Adds an increment with compensation: (x, carry) <- (from, from_carry) + dx, n numbers each. */
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
  struct shk_evaluator *evaluator; /* every evaluation of the method goes through this */
  const struct shk_values *options;
  real tolerance; /* for adaptive integrators: the tolerance of the cell */
  /* for arrays and objects that are not in the integrator's `arrays` */
  struct shk_workspace *workspace;
  const struct shk_integrator *integrator; /* the integrator that is bound */
};

/* A number that describes a method at a start. Its name is a static text of [a-z0-9-], and the
 * record contains it as `method-NAME`. */
struct shk_fact {
  const char *name; /* such as "stability-limit", the largest stable step */
  double value;
};

/* SHK_METHOD(type) sets the sizes and offsets for a struct with members evaluator, n and m. */
struct shk_integrator {
  size_t struct_size;
  struct shk_integrator_info info;
  /* The method's struct. The binding allocates it, fills it and frees it: it sets the evaluator, n
   * and m, stores the options (struct shk_option, `at`), allocates the arrays named here, and
   * leaves all other members zero. */
  size_t method_size, evaluator_at, n_at, m_at;
  const struct shk_array *arrays; /* ended by {0}; NULL: none */
  /* Creates what the table of arrays cannot express: symbolic work, arrays of other shapes, other
   * objects. May refuse the system. NULL if there is nothing to create. */
  struct shk_status (*bind)(void *method, const struct shk_binding *binding);
  /* Takes one step of signed length h from *from to *to, which have the same sizes and do not
   * overlap. It never changes *from, and *to is undefined unless the step returns ok. The caller
   * sets to->t. Steps of fixed-step methods do not allocate. */
  struct shk_status (*step)(void *method, struct shk_state *to, const struct shk_state *from,
                            real h);
  /* Reports facts about the method at a start, for the record: stores up to `limit` facts and
   * returns their number. Called before the first step; may allocate. NULL if there are none. */
  int (*facts)(void *method, struct shk_fact *facts, int limit, const struct shk_state *start);
  /* Adapts info.claims to the options. *method contains only the options at that time. NULL if the
   * claims are the same for all options. */
  void (*claims_under)(struct shk_claims *claims, const void *method);
  /* The constraint work is the energy that enforcing the constraints adds. `constraint_work_at`
   * is the SHK_AT of a real *: while that pointer is not NULL, every successful step adds its
   * work to the target. 0 if the method has no such member. `constraint_work`, if it is not
   * NULL, replaces the member: it receives the pointer, and returns false if the method does not
   * compute the work. */
  size_t constraint_work_at;
  bool (*constraint_work)(void *method, real *sum);
  /* SHK_AT of a const struct shk_values * that receives all options, for those that no member can
   * store; 0 if there is none. */
  size_t options_at;
  /* Vectors that a state carries besides q, p and the multipliers, such as the acceleration at the
   * end of a step. They are members of a struct of pointers, which shk_view_memory sets. A step
   * reads the vectors of *from and writes all vectors of *to; methods keep nothing else from one
   * step to the next. `times` is a member of the method's struct, which bind may set; `only` is not
   * used. The list ends with {0}; NULL if the method has no memory. */
  const struct shk_array *memory;
  /* Fills start->memory for steps of length h from a start. If NULL, the memory starts as zero. */
  struct shk_status (*begin)(void *method, struct shk_state *start, real h);
  /* The involution P of the memory, such as the reversed order of a multistep method: changes
   * state->memory so that the next steps, of length h, retrace the run. Either h has the opposite
   * sign, or p has been reversed. The method is symmetric if P Ψ_{-h} P Ψ_h = id. If P is NULL and
   * the method has memory, symmetry is not defined. */
  void (*reverse)(void *method, struct shk_state *state, real h);
};

#define SHK_METHOD(type)                                                                           \
  .method_size = sizeof(struct type),                                                              \
  .evaluator_at = SHK_AT_A(struct shk_evaluator *, type, evaluator), .n_at = SHK_AT(type, n),      \
  .m_at = SHK_AT(type, m)
/* SHK_METHOD and the other members that most integrators set. */
#define SHK_INTEGRATOR(type, arrays_, bind_, step_, claims_under_)                                 \
  .struct_size = sizeof(struct shk_integrator), SHK_METHOD(type), .arrays = arrays_,               \
  .bind = bind_, .step = step_, .claims_under = claims_under_

/* Points the members of *view that the table `memory` lists at the vectors in the memory of a
 * state. */
void shk_view_memory(void *view, const struct shk_array *memory, const void *method,
                     const struct shk_evaluator *evaluator, const struct shk_state *state);
/* Stores the claims of a list (which may be NULL). All other claims are marked as not made. */
void shk_claims_stated(struct shk_claims *claims, const struct shk_stated *list);

/* ---- integrators that contain another one ---- */

/* A base: the integrator that an option of kind SHK_OPTION_INTEGRATOR names, bound to the same
 * system as the integrator that contains it. */
struct shk_base {
  const struct shk_integrator *integrator;
  void *method;
  struct shk_claims claims; /* as its options make them */
  const struct shk_values *options;
};

/* Option that names a base. The option stores the integrator, its options and its claims;
 * shk_bind_base binds it. */
#define SHK_BASE(...) SHK_OPTION_(SHK_OPTION_INTEGRATOR, struct shk_base, __VA_ARGS__, )

/* Takes a step of the base. Unlike an integrator's own `step`, it also sets to->t. */
struct shk_status shk_base_step(struct shk_base *base, struct shk_state *to,
                                const struct shk_state *from, real h);

#endif

/*
 * An integrator is either a one-step map (q,p,lambda) -> (q,p,lambda) or an adaptive solver with
 * prescribed output times.
 */
#ifndef SHAKEDOWN_INTEGRATOR_H
#define SHAKEDOWN_INTEGRATOR_H

#include <shakedown/parts/problem.h>
#include <shakedown/parts/workspace.h>

/* The state of an integrator between steps. `q` and `p` are rounded values, and the carries are
 * their rounding errors (compensated summation), so the exact sum is q + q_carry. A method without
 * compensation sets the carries to zero. */
struct shk_state {
  int n, m;
  real t;
  real *q, *p; /* n */
  /* m: the multiplier that made g(q) = 0 in the step that led to this state */
  real *lambda;
  real *mu;                /* m: the multiplier of the hidden constraint in that step, or zero */
  real *q_carry, *p_carry; /* n */
  int memory_count;
  /* memory_count numbers: the private memory of the method (see `memory` in shk_integrator) */
  real *memory;
};

/* Copies a state to one of the same size, including its memory if `to` has enough room for it. */
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
  struct shk_evaluator *evaluator; /* all of the method's evaluations must go through this object */
  const struct shk_values *options;
  real tolerance; /* for adaptive integrators: the tolerance of the cell */
  /* provides memory for arrays and objects that are not listed in the integrator's `arrays` */
  struct shk_workspace *workspace;
  const struct shk_integrator *integrator; /* the integrator that is being bound */
};

/* A number that characterizes a method at a given initial state. Its name is a static string of the
 * characters [a-z0-9-], and records contain the number as `method-NAME`. */
struct shk_fact {
  const char *name; /* for example "stability-limit", the largest stable step */
  double value;
};

/* SHK_METHOD(type) sets the sizes and offsets for a struct with the members evaluator, n and m. */
struct shk_integrator {
  size_t struct_size;
  struct shk_integrator_info info;
  /* Layout of the struct of the method. The binding allocates and frees the struct. It sets the
   * evaluator, n and m, stores the options (see `at` in struct shk_option), allocates the arrays
   * named here, and leaves all other members zero. */
  size_t method_size, evaluator_at, n_at, m_at;
  const struct shk_array *arrays; /* terminated by {0}; NULL if there are none */
  /* Creates whatever the table of arrays cannot express, such as symbolic factorizations, arrays of
   * other shapes, or other objects. The function can refuse the system. NULL if there is nothing to
   * create. */
  struct shk_status (*bind)(void *method, const struct shk_binding *binding);
  /* Takes one step of signed length h from *from to *to. The two states have the same sizes and do
   * not overlap. A step never changes *from, and *to is undefined unless the step returns ok. The
   * caller sets to->t. Fixed-step methods must not allocate memory in a step. */
  struct shk_status (*step)(void *method, struct shk_state *to, const struct shk_state *from,
                            real h);
  /* Reports facts about the method at a given initial state: stores up to `limit` facts and returns
   * their number. The facts are added to the record. The function is called before the first step
   * and may allocate memory. NULL if there are no facts. */
  int (*facts)(void *method, struct shk_fact *facts, int limit, const struct shk_state *start);
  /* Adapts info.claims to the options. When the function is called, *method contains only the
   * options. NULL if the claims are the same for all options. */
  void (*claims_under)(struct shk_claims *claims, const void *method);
  /* The constraint work is the energy that is added by enforcing the constraints.
   * `constraint_work_at` is the SHK_AT of a real * member, or 0 if the method has no such member.
   * While that pointer is not NULL, every successful step adds its work to the target. If the
   * function `constraint_work` is not NULL, it is used instead of the member: it receives the
   * pointer, and returns false if the method does not compute the work. */
  size_t constraint_work_at;
  bool (*constraint_work)(void *method, real *sum);
  /* SHK_AT of a const struct shk_values * that receives all options, for options that cannot be
   * stored in a member; 0 if there is none. */
  size_t options_at;
  /* Vectors that a state contains in addition to q, p and the multipliers, such as the acceleration
   * at the end of a step. They are members of a struct of pointers, which shk_view_memory sets. A
   * step reads the vectors in *from and writes all vectors in *to. Methods must not retain anything
   * else from one step to the next. `times` is a member of the method's struct, which bind can set;
   * `only` is not used. The list is terminated by {0}. NULL if the method has no memory. */
  const struct shk_array *memory;
  /* Initializes start->memory for steps of length h from an initial state. If NULL, the memory is
   * initially zero. */
  struct shk_status (*begin)(void *method, struct shk_state *start, real h);
  /* The involution P of the memory, such as reversing the order of the values that a multistep
   * method stores. It changes state->memory so that the next steps, of length h, retrace the run;
   * either h has the opposite sign, or p has been reversed. The method is symmetric if P Ψ_{-h} P
   * Ψ_h = id. If P is NULL and the method has memory, symmetry is not defined. */
  void (*reverse)(void *method, struct shk_state *state, real h);
};

#define SHK_METHOD(type)                                                                           \
  .method_size = sizeof(struct type),                                                              \
  .evaluator_at = SHK_AT_A(struct shk_evaluator *, type, evaluator), .n_at = SHK_AT(type, n),      \
  .m_at = SHK_AT(type, m)
/* Sets the members that SHK_METHOD sets, and other members that most integrators need. */
#define SHK_INTEGRATOR(type, arrays_, bind_, step_, claims_under_)                                 \
  .struct_size = sizeof(struct shk_integrator), SHK_METHOD(type), .arrays = arrays_,               \
  .bind = bind_, .step = step_, .claims_under = claims_under_

/* Makes the members of *view that are listed in the table `memory` point to the vectors in a
 * state's memory. */
void shk_view_memory(void *view, const struct shk_array *memory, const void *method,
                     const struct shk_evaluator *evaluator, const struct shk_state *state);
/* Stores the claims of a list, which may be NULL. All other claims are marked as not made. */
void shk_claims_stated(struct shk_claims *claims, const struct shk_stated *list);

/* ---- integrators that contain another one ---- */

/* A base is the integrator named by an option of kind SHK_OPTION_INTEGRATOR. It is bound to the
 * same system as the integrator that contains it. */
struct shk_base {
  const struct shk_integrator *integrator;
  void *method;
  struct shk_claims claims; /* claims of the base under its options */
  const struct shk_values *options;
};

/* An option that names a base. The option stores the base integrator together with its options and
 * claims; shk_bind_base binds it. */
#define SHK_BASE(...) SHK_OPTION_(SHK_OPTION_INTEGRATOR, struct shk_base, __VA_ARGS__, )

/* Takes a step of the base. Unlike an integrator's own `step`, it also sets to->t. */
struct shk_status shk_base_step(struct shk_base *base, struct shk_state *to,
                                const struct shk_state *from, real h);

#endif

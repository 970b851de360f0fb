/*
 * A constrained mechanical system with given parameters, and the evaluator that counts its
 * evaluations.
 *
 *     q' = H_p      p' = -H_q + Q - Gᵀ lambda      0 = g(q,t),     G = g_q
 *
 * There are n coordinates and m constraints. The constraint force is -Gᵀ lambda (Hairer, Lubich &
 * Wanner, GNI, eq. VII.1.9), and Q(q,p,t) are generalized forces without a potential, such as
 * drives and damping. The Hamiltonian can be separable, H = ½ pᵀM⁻¹p + V(q) with constant diagonal
 * M. It can also have a mass matrix that depends on q, H = ½ pᵀM(q)⁻¹p + V(q), or it can be a
 * general H(q,p) that is provided with its first and second derivatives.
 *
 * A callback writes all of its output, reads only its arguments, and does not store any state. It
 * returns 0 on success, a positive value to request a smaller step, or a negative value to stop.
 */
#ifndef SHAKEDOWN_SYSTEM_H
#define SHAKEDOWN_SYSTEM_H

#include <shakedown/parts/descriptor.h>
#include <shakedown/parts/real.h>
#include <shakedown/parts/status.h>

/* A distance constraint (rod) from point a to point b: ½ (|r_b - r_a|² - square) = 0. A negative
 * `a` refers to the fixed point -1 - a. */
struct shk_rod {
  int a, b;
  real square; /* square of the length */
};

/* Points joined by distance constraints: q = (r_1, r_2, …). Each point has `dimension` (2 or 3)
 * coordinates with the same mass. The m constraints are the rods, in order. Row i of the Jacobian
 * has entries for the coordinates of both points of the rod, or only of b if a is fixed. */
struct shk_rods {
  int dimension, count;      /* count is m */
  const struct shk_rod *rod; /* count */
  /* the fixed points, `dimension` numbers each; NULL if there are none */
  const real *fixed;
};

/* A spring with energy ½ stiffness (|r_b - r_a| - rest)². The ends a and b have the same meaning as
 * for a rod. */
struct shk_spring {
  int a, b;
  real stiffness, rest;
};

/* Two interacting points with energy charges/r + lj12/r¹² - lj6/r⁶. The points a and b have the
 * same meaning as for a rod. */
struct shk_pair {
  int a, b;
  real charges, lj12, lj6;
};

/* An angle θ at the second of three points, with energy ½ stiffness (θ - rest)². The points are
 * numbered as for a rod. */
struct shk_angle {
  int at[3];
  real stiffness, rest; /* in radians */
};

/* The formula for the energy of a torsion φ (problems/kit/bonded.h):
 * stiffness (1 + cos(multiplicity φ - phase)), Σ cosines_i cosⁱ(φ - π), or
 * ½ stiffness (φ - phase)². */
enum shk_torsion_kind { SHK_TORSION_PERIODIC, SHK_TORSION_COSINES, SHK_TORSION_HARMONIC };
enum { SHK_COSINES = 6 };

/* The torsion φ of four successive points. φ is 0 if the outer points are on the same side (IUPAC
 * convention). */
struct shk_torsion {
  int at[4];
  enum shk_torsion_kind kind;
  int multiplicity;
  real stiffness, phase, cosines[SHK_COSINES];
};

/* The terms of a potential, which are gravity a (it contributes V = -Σ m_i a·r_i), springs, pairs,
 * angles and torsions. */
struct shk_terms {
  const real *gravity; /* an acceleration of `dimension` numbers, or NULL if there is no gravity */
  int spring_count, pair_count, angle_count, torsion_count;
  const struct shk_spring *springs;
  const struct shk_pair *pairs;
  const struct shk_angle *angles;
  const struct shk_torsion *torsions;
};

/* Functions that receive a description as a sequence of words and numbers. `to` is the first
 * argument of both. */
struct shk_listener {
  void *to;
  void (*word)(void *to, const char *word);
  void (*numbers)(void *to, const real *numbers, size_t count);
};

struct shk_system {
  size_t struct_size; /* sizeof(struct shk_system) when the problem was compiled */
  int n, m;
  unsigned features;   /* a set of enum shk_feature */
  const void *context; /* passed as the first argument of every callback */

  /* For separable systems: the diagonal of M (n, positive), V and its gradient (n). V may depend on
   * t. If both functions are NULL, V = 0. */
  const real *mass;
  int (*potential)(const void *context, real *value, real t, const real *q);
  int (*gradient)(const void *context, real *gradient, real t, const real *q);

  /* For general systems (SHK_GENERAL_HAMILTONIAN): H, H_q (n), H_p (n), and the Hessian [H_qq H_qp;
   * H_pq H_pp], (2n)x(2n), row by row. */
  int (*hamiltonian)(const void *context, real *value, real t, const real *q, const real *p);
  int (*hamiltonian_q)(const void *context, real *out, real t, const real *q, const real *p);
  int (*hamiltonian_p)(const void *context, real *out, real t, const real *q, const real *p);
  int (*hessian)(const void *context, real *out, real t, const real *q, const real *p);

  /* Constraints g (m). The Jacobian values are in the order of the pattern, which is stored in
   * compressed-row format: row i contains columns[row_start[i]] … columns[row_start[i+1]-1], in
   * ascending order. If the pattern is NULL, the Jacobian is dense, m x n, row by row. The
   * curvature (m) is the second derivative of g(q + s v, t + s) in s at 0, that is g_qq[v,v] + 2
   * g_qt v + g_tt, or only the first term if g does not depend on t. */
  int (*constraint)(const void *context, real *g, real t, const real *q);
  int (*jacobian)(const void *context, real *values, real t, const real *q);
  int (*curvature)(const void *context, real *out, real t, const real *q, const real *v);
  const int *row_start; /* m + 1 indices */
  const int *columns;   /* row_start[m] indices */

  /* Constraints g(q,p) (SHK_MOMENTUM_CONSTRAINT) use these functions instead of the three above.
   * They are dense and have no pattern: g (m); g_q and g_p (m x n each, row by row); and the second
   * derivatives of each g_i applied to w (2n, q first), m x 2n, row by row. Such a system also
   * provides `hessian`, even if H is separable. */
  int (*constraint_qp)(const void *context, real *g, real t, const real *q, const real *p);
  int (*constraint_gradients)(const void *context, real *g_q, real *g_p, real t, const real *q,
                              const real *p);
  int (*constraint_second)(const void *context, real *out, real t, const real *q, const real *p,
                           const real *w);
  /* The flow along the fibre through (q,p): stores the changes dq and dp (n) that q' = g_pᵀ s, p' =
   * -g_qᵀ s with constant s (m) causes in one unit of time. The changes must be accurate to
   * round-off. If NULL, the flow is integrated numerically. */
  int (*fibre)(const void *context, real *dq, real *dp, const real *q, const real *p,
               const real *s);

  /* The partial derivative g_t (m) of rheonomic constraints g(q,t) (SHK_RHEONOMIC). The hidden
   * constraint of such a system is G H_p + g_t = 0. */
  int (*constraint_rate)(const void *context, real *g_t, real t, const real *q);

  /* Generalized forces (SHK_FORCES): Q (n), and Q_q and Q_p (n x n each, row by row). A separable
   * system with generalized forces also provides the `hessian` of its H. */
  int (*force)(const void *context, real *Q, real t, const real *q, const real *p);
  int (*force_gradients)(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                         const real *p);

  /* A mass matrix that depends on q (SHK_GENERAL_HAMILTONIAN). Together with potential and
   * gradient, these functions replace `mass`, `hamiltonian` and its derivatives. All of them are n
   * x n: M, symmetric positive definite; its derivatives along v, with (dM/dq_k) v in row k of
   * `out`; its second derivatives, out_kl = vᵀ (d²M/dq_k dq_l) v; and the Hessian of V. */
  int (*mass_matrix)(const void *context, real *M, const real *q);
  int (*mass_gradient)(const void *context, real *out, const real *q, const real *v);
  int (*mass_curvature)(const void *context, real *out, const real *q, const real *v);
  int (*potential_hessian)(const void *context, real *out, real t, const real *q);

  /* The unit of each constraint (m, positive). Norms of g and of the hidden constraint are computed
   * from g_i / constraint_scale[i]. If NULL, all units are 1. */
  const real *constraint_scale;

  /* Nonmechanical semi-explicit differential-algebraic equations of index 2 or 3 (SHK_GENERAL_DAE).
   * They replace everything above except the sizes and, for index 3, `curvature`, which is
   * g_qq[v,v]. With x = (q,p) in R^(2n) and lambda in R^m, the equations are
   *
   *     x' = f(t,x,lambda),   0 = g(x).
   *
   * For index 2, g_x f_lambda is regular. For index 3, g depends only on q, q' depends only on
   * (q,p), and g_q q'_p p'_lambda is regular; the hidden constraint is then 0 = g_q q'. The slope
   * is written to dq and dp (n each). The derivatives are f_x (2n x 2n), f_lambda (2n x m) and g_x
   * (m x 2n), row by row. */
  int dae_index;
  int (*dae_slope)(const void *context, real *dq, real *dp, real t, const real *q, const real *p,
                   const real *lambda);
  int (*dae_constraint)(const void *context, real *g, real t, const real *q, const real *p);
  int (*dae_derivatives)(const void *context, real *f_x, real *f_lambda, real *g_x, real t,
                         const real *q, const real *p, const real *lambda);

  /* Velocity constraints A(q,t) v + a(q,t) = 0 with v = H_p, in addition to the m other constraints
   * (SHK_VELOCITY_CONSTRAINT): the number of rows; (A a), velocity_rows x (n + 1), row by row; and
   * its derivatives with respect to x = (q,t), out[(i (n + 1) + j) (n + 1) + k] = d(A a)_ij/dx_k.
   * Frobenius' test (frobenius.h) determines whether velocity constraints integrate to constraints
   * g(q,t). If a system also provides such a g, with the rows of A in the span of G, integrators
   * use g. No built-in integrator uses A alone. */
  int velocity_rows;
  int (*velocity_forms)(const void *context, real *A, real t, const real *q);
  int (*velocity_form_gradients)(const void *context, real *out, real t, const real *q);

  /* Declares that a separable system has only distance constraints, so that solvers can compute g
   * and G without calling the callbacks. The callbacks must still exist and return the same
   * numbers. NULL if not declared. */
  const struct shk_rods *rods;

  /* True if the potential of a separable system does not depend on t. The gradient is then not
   * evaluated again if only t has changed. */
  bool autonomous;

  /* Declares the terms of the potential of a system with `rods`, for programs that use their own
   * force fields (see docs/reference/line-protocol.md). NULL if not declared. */
  const struct shk_terms *terms;

  /* Describes a system of rigid bodies in natural coordinates, including all joints and forces, in
   * the format of docs/reference/line-protocol.md, for programs that use their own representation
   * of rigid bodies. NULL if there is no description. */
  void (*describe)(const void *context, const struct shk_listener *to);

  /* The group of each coordinate (n numbers from 0 to n - 1). All coordinates in a group have the
   * same unit; for example, positions and directions are separate groups. Magnitudes in different
   * groups are not compared. If NULL, all coordinates have the same unit. */
  const int *units;

  /* Points to the reason for the last callback failure, a fixed string like that of a status. NULL
   * if the system does not provide reasons. */
  const char *const *why;
};

/* Returns true if the Hamiltonian is not separable with constant M, or if there are generalized
 * forces. Methods then use the Hessian to solve for their implicit stages. */
static inline bool shk_is_general(const struct shk_system *system)
{
  return (system->features & (SHK_GENERAL_HAMILTONIAN | SHK_FORCES)) != 0;
}

/* The number of evaluations of each kind, the work of solvers (counters.def), and the work that
 * methods count themselves (shk_own_work). */
enum { SHK_OWN_COUNTERS = 4, SHK_OWN_NAME = 32 };
struct shk_counters {
#define COUNTER(id, name, ...) long name;
#include <shakedown/counters.def>
#undef COUNTER
  long own[SHK_OWN_COUNTERS];
};

struct shk_iteration;
struct shk_workspace;

/* A system prepared for evaluation. It always has a sparsity pattern, and its evaluations are
 * counted. */
struct shk_evaluator {
  const struct shk_system *system;
  const int *row_start, *columns; /* the pattern of the system, or a dense one if it has none */
  /* owns all memory used by the members below; shk_evaluator_clear frees it */
  struct shk_workspace *workspace;
  struct shk_counters counters;
  struct shk_inertia *inertia; /* M(q) */
  /* Q (n), Q_q and Q_p (n x n each); NULL if there are no generalized forces */
  real *force;
  /* initial rank of G if rows are redundant; 0 if the rank is m or unknown */
  int rank;
  /* the last solve, whose residuals can be queried, or NULL if there was none */
  const struct shk_iteration *solving;
  /* index into shk_solver_choices after `auto` has been resolved; 0 means no multiplier solver */
  int solver;
  /* Whether the steps are taken by another program, and the CPU time in seconds that this program
   * reports (NaN if it reports none). */
  bool is_elsewhere;
  double seconds_elsewhere;
  /* The columns of every row form runs of this length (3, 2 or 1), each of which starts at a
   * multiple of the length. A length of 2 or 3 occurs for the coordinates of points. */
  int run;
  const real *inverse_mass;          /* n numbers if all inverses are exact; otherwise NULL */
  struct shk_remembered *remembered; /* gradient, Jacobian and constraint at the last two points */
  bool asks_again;                   /* true if cached values must not be used */
  /* names of counters.own; "" follows the last one */
  char own_work[SHK_OWN_COUNTERS][SHK_OWN_NAME];
};

struct shk_status shk_evaluator_init(struct shk_evaluator *evaluator,
                                     const struct shk_system *system);
void shk_evaluator_clear(struct shk_evaluator *evaluator);
/* Sets *counter to the address of a counter for work that the method counts itself, such as
 * factorizations by its own linear algebra. Steps increase the counter; records, findings and
 * baselines contain it as work-NAME. `name` consists of the characters [a-z0-9-], is shorter than
 * SHK_OWN_NAME and is not in counters.def; the same name always gives the same counter. Call this
 * function from `bind`. Returns SHK_BAD_INPUT for an invalid name, or for a fifth counter. */
struct shk_status shk_own_work(struct shk_evaluator *evaluator, long **counter, const char *name);

/* Returns x divided by the mass of coordinate i. If all masses are powers of two, multiplies x by
 * the inverse instead, which yields the same number and is faster. */
static inline real shk_over_mass(const struct shk_evaluator *e, real x, int i)
{
  return e->inverse_mass ? x * e->inverse_mass[i] : x / e->system->mass[i];
}

/* These functions evaluate a separable or general system. Each one counts its calls to the system
 * and converts the return value of a callback to a status. The gradient, Jacobian and constraint at
 * the last two points are cached and are not evaluated again at a point whose bits all agree, so a
 * step that starts where the previous step ended does not need to evaluate them there. In
 * shk_gradient, p may be NULL for separable systems. Generalized forces are included in the
 * gradient, H_q - Q, and in the Hessian, whose q rows are H_qq - Q_q and H_qp - Q_p, so the Hessian
 * is not symmetric. The forces are not counted separately. */
struct shk_status shk_hamiltonian(struct shk_evaluator *e, real *value, real t, const real *q,
                                  const real *p);
struct shk_status shk_gradient(struct shk_evaluator *e, real *H_q, real t, const real *q,
                               const real *p); /* H_q - Q */
struct shk_status shk_velocity(struct shk_evaluator *e, real *H_p, real t, const real *q,
                               const real *p); /* H_p */
struct shk_status shk_hessian(struct shk_evaluator *e, real *out, real t, const real *q,
                              const real *p); /* only for systems that provide a Hessian */
struct shk_status shk_constraint(struct shk_evaluator *e, real *g, real t, const real *q);
struct shk_status shk_jacobian(struct shk_evaluator *e, real *values, real t, const real *q);
/* These functions avoid copying: *H_q and *G point to the values cached by the evaluator. The
 * values are valid until values are requested at two other points; H_q of a general system is valid
 * until another gradient is requested. */
struct shk_status shk_gradient_at(struct shk_evaluator *e, const real **H_q, real t, const real *q,
                                  const real *p);
struct shk_status shk_jacobian_at(struct shk_evaluator *e, const real **G, real t, const real *q);
struct shk_status shk_curvature(struct shk_evaluator *e, real *out, real t, const real *q,
                                const real *v);
/* Evaluates H_q - Q, the values of G and the curvature along v = H_p at one point, and counts all
 * three. `curvature` and v may be NULL. */
struct shk_status shk_forces_and_constraints(struct shk_evaluator *e, real *H_q, real *values,
                                             real *curvature, real t, const real *q, const real *p,
                                             const real *v);

/* Evaluates Q (n), which is zero if there are no generalized forces. The evaluation is not
 * counted. */
struct shk_status shk_force(struct shk_evaluator *e, real *Q, real t, const real *q, const real *p);

/* These functions evaluate g_t (m), which is zero if g does not depend on t, and the residual G v +
 * g_t (m) of the hidden constraint, given the Jacobian values at (t,q) and the velocity v = H_p.
 * Neither evaluation is counted. */
struct shk_status shk_constraint_rate(struct shk_evaluator *e, real *g_t, real t, const real *q);
struct shk_status shk_hidden_residual(struct shk_evaluator *e, real *out, const real *values,
                                      real t, const real *q, const real *v);

/* Evaluates the gradients of g(q,p) as in struct shk_system, and counts them as a Jacobian
 * evaluation. Use this function only with SHK_MOMENTUM_CONSTRAINT; the functions for g(q), G and
 * g_qq[v,v] refuse a system with g(q,p). */
struct shk_status shk_constraint_gradients(struct shk_evaluator *e, real *g_q, real *g_p, real t,
                                           const real *q, const real *p);

/* These functions multiply by G, stored in the evaluator's pattern: out (m) = G x, and out (n) +=
 * factor Gᵀ y. */
void shk_jacobian_times(const struct shk_evaluator *e, real *out, const real *values,
                        const real *x);
void shk_jacobian_transposed_add(const struct shk_evaluator *e, real *out, const real *values,
                                 real factor, const real *y);

#endif

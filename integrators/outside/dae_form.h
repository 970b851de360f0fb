/*
 * The constrained equations in the form of semi-explicit differential-algebraic equations, for DAE
 * solvers. The unknowns are y = (q, p, lambda[, eta]), the first 2n of which have slopes, and there
 * are the four forms below. The constraint force is -Gᵀ lambda, and eta vanishes on solutions.
 * General DAEs x' = f, 0 = g (struct shk_system) have two forms. The form index3 is the given
 * equations, whose index is 2 or 3. The form ggl adds 0 = g_q q' and g_qᵀ eta to equations of index
 * 3, and is the same as index3 for equations of index 2.
 *
 * Source: Gear, Gupta & Leimkuhler, J. Comput. Appl. Math. 12 (1985) 77; Hairer & Wanner, Solving
 * Ordinary Differential Equations II, §VII.1–2. Constraints g(q,p) are not supported.
 */
#ifndef INTEGRATORS_OUTSIDE_DAE_FORM_H
#define INTEGRATORS_OUTSIDE_DAE_FORM_H

#include <shakedown/bind.h>

/* The equations of the forms, for descriptors. */
#define SHK_GGL_TEXT                                                                               \
  "ggl:    q' = H_p + W Gᵀ eta,  p' = -H_q + Q - Gᵀ lambda,  g = 0,  G H_p + g_t = 0\n"        \
  "        W = M⁻¹ where M is constant, 1 otherwise\n"
#define SHK_INDEX1_TEXT "index1: q' = H_p,  p' = -H_q + Q - Gᵀ lambda,  d²g/dt² = 0\n"
#define SHK_INDEX2_TEXT "index2: q' = H_p,  p' = -H_q + Q - Gᵀ lambda,  G H_p + g_t = 0\n"
#define SHK_INDEX3_TEXT "index3: q' = H_p,  p' = -H_q + Q - Gᵀ lambda,  g = 0\n"
#define SHK_GENERAL_TEXT                                                                           \
  "general DAEs: as they stand; ggl with g_qᵀ eta and g_q q' = 0 at index 3\n"
#define SHK_GGL_MEANING "stabilized index 2: g = 0 and G H_p + g_t = 0, with a second multiplier"

enum shk_form_kind { SHK_FORM_GGL, SHK_FORM_INDEX1, SHK_FORM_INDEX3, SHK_FORM_INDEX2 };

struct shk_dae_form {
  enum shk_form_kind kind;
  int n, m, unknowns;
  int index;       /* index of the equations in this form: 1, 2 or 3 */
  bool stabilized; /* with eta */
  bool analytic;   /* the system provides second derivatives, so shk_dae_form_jacobian works */
  struct shk_form_work *scratch;
};

/* Number of unknowns. */
double shk_dae_form_unknowns(const struct shk_system *system, enum shk_form_kind kind);
/* Refuses index1 and index2 of a general DAE. */
struct shk_status shk_bind_dae_form(struct shk_dae_form *form, const struct shk_binding *binding,
                                    enum shk_form_kind kind);
/* Stores the slopes of the first 2n unknowns and then the residuals of the algebraic equations in
 * `out`. Returns SHK_NOT_FINITE if one of them is not finite. */
struct shk_status shk_dae_form_evaluate(struct shk_dae_form *form, real *out, real t,
                                        const real *y);
/* Stores the derivatives of these with respect to y, in columns of `unknowns` entries. Works only
 * if `analytic` is true. */
struct shk_status shk_dae_form_jacobian(struct shk_dae_form *form, real *columns, real t,
                                        const real *y);
/* Stores consistent unknowns for a state in y: q, p, the exact multiplier and eta = 0. Unless y_dot
 * is NULL, stores their slopes there. The slope lambda' is a central difference along the motion,
 * with the increment eps^(1/3) time_scale. */
struct shk_status shk_dae_form_start(struct shk_dae_form *form, real *y, real *y_dot,
                                     const struct shk_state *from, real time_scale);
/* Makes no claim about the constraints that the form contains, which hold to Newton's tolerance.
 * Claims that the other constraints are not kept. */
void shk_dae_form_claims(struct shk_claims *claims, enum shk_form_kind kind);

#endif

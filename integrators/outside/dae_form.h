/*
 * Writes the constrained equations as semi-explicit differential-algebraic equations for DAE
 * solvers. The unknowns are y = (q, p, lambda[, eta]), the first 2n of which have slopes. The four
 * available forms are listed below. The constraint force is -Gᵀ lambda, and eta vanishes on
 * solutions. For general DAEs x' = f, 0 = g (struct shk_system), two forms are available. The form
 * index3 consists of the given equations, whose index is 2 or 3. If the index is 3, the form ggl
 * adds 0 = g_q q' and g_qᵀ eta to these equations; if it is 2, ggl is the same as index3.
 *
 * Source: Gear, Gupta & Leimkuhler, J. Comput. Appl. Math. 12 (1985) 77; Hairer & Wanner, Solving
 * Ordinary Differential Equations II, §VII.1–2. Constraints g(q,p) are not supported.
 */
#ifndef INTEGRATORS_OUTSIDE_DAE_FORM_H
#define INTEGRATORS_OUTSIDE_DAE_FORM_H

#include <shakedown/bind.h>

/* The equations of each form as a string, which descriptors include. */
#define SHK_GGL_TEXT                                                                               \
  "ggl:    q' = H_p + W Gᵀ eta,  p' = -H_q + Q - Gᵀ lambda,  g = 0,  G H_p + g_t = 0\n"        \
  "        W = M⁻¹ where M is constant, 1 otherwise\n"
#define SHK_INDEX1_TEXT "index1: q' = H_p,  p' = -H_q + Q - Gᵀ lambda,  d²g/dt² = 0\n"
#define SHK_INDEX2_TEXT "index2: q' = H_p,  p' = -H_q + Q - Gᵀ lambda,  G H_p + g_t = 0\n"
#define SHK_INDEX3_TEXT "index3: q' = H_p,  p' = -H_q + Q - Gᵀ lambda,  g = 0\n"
#define SHK_GENERAL_TEXT "general DAEs: unchanged; ggl with g_qᵀ eta and g_q q' = 0 at index 3\n"
#define SHK_GGL_MEANING "stabilized index 2: g = 0 and G H_p + g_t = 0, with a second multiplier"

enum shk_form_kind { SHK_FORM_GGL, SHK_FORM_INDEX1, SHK_FORM_INDEX3, SHK_FORM_INDEX2 };

struct shk_dae_form {
  enum shk_form_kind kind;
  int n, m, unknowns;
  int index;       /* index of the equations in this form: 1, 2 or 3 */
  bool stabilized; /* with eta */
  /* true if the system provides second derivatives, so that shk_dae_form_jacobian works */
  bool analytic;
  struct shk_form_work *scratch;
};

/* Number of unknowns. */
double shk_dae_form_unknowns(const struct shk_system *system, enum shk_form_kind kind);
/* Refuses the forms index1 and index2 for a general DAE. */
struct shk_status shk_bind_dae_form(struct shk_dae_form *form, const struct shk_binding *binding,
                                    enum shk_form_kind kind);
/* Stores the slopes of the first 2n unknowns in `out`, followed by the residuals of the algebraic
 * equations. Returns SHK_NOT_FINITE if any of these values is not finite. */
struct shk_status shk_dae_form_evaluate(struct shk_dae_form *form, real *out, real t,
                                        const real *y);
/* Stores the derivatives of these slopes and residuals with respect to y, in columns of `unknowns`
 * entries. Works only if `analytic` is true. */
struct shk_status shk_dae_form_jacobian(struct shk_dae_form *form, real *columns, real t,
                                        const real *y);
/* Stores the consistent unknowns that belong to a state in y: q, p, the exact multiplier and eta =
 * 0. Unless y_dot is NULL, also stores their slopes in y_dot. The slope lambda' is approximated by
 * a central difference along the motion with the increment eps^(1/3) time_scale. */
struct shk_status shk_dae_form_start(struct shk_dae_form *form, real *y, real *y_dot,
                                     const struct shk_state *from, real time_scale);
/* Leaves the claims about the form's own constraints open, because these hold only to the tolerance
 * of Newton's method. Claims that the other constraints are not preserved. */
void shk_dae_form_claims(struct shk_claims *claims, enum shk_form_kind kind);

#endif

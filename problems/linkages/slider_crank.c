/*
 * Simeon's slider crank consists of a crank, a connecting rod and a sliding block. The crank is
 * driven at a constant rate, and the rod is either rigid or elastic.
 *
 *     H = ½ pᵀM(q)⁻¹p + U(e),     Q = -D e' (with damping)
 *     0 = L1 sin φ1 + (L2 + e4) sin φ2
 *     0 = x3 - L1 cos φ1 - (L2 + e4) cos φ2
 *     0 = φ1 - Ω t                                          (without this row, the crank is free)
 *
 * with q = (φ1, φ2, x3). For the elastic rod, q also contains e = (e1, e2, e3, e4): two transverse
 * sine modes and the longitudinal displacements of the middle and the end of a quadratic element.
 * With D = φ1 - φ2,
 *
 *     vᵀM v = (J1 + M2 L1²) φ1'² + M3 x3'² + (J2 + eᵀMe e + 2ρ c12ᵀe) φ2'² + e'ᵀMe e'
 *           + 2 φ1' φ2' a + 2 φ1' bᵀe' + 2ρ φ2' (c21 + Bᵀe)ᵀe'
 *     a = ½ L1 L2 M2 cos D + ρ L1 (sin D c2ᵀe + cos D c1ᵀe),   b = ρ L1 (cos D c2 - sin D c1)
 *
 * where B is skew-symmetric. U = ½ eᵀK e, and `nonlinear` adds the energy of large rod deflections.
 * There is no gravity. The equations of motion for this H are those of the Test Set, including its
 * quadratic velocity terms. The constraint force is -Gᵀλ, and the rows have the same order as in
 * the Test Set, so multipliers can be compared directly. Times are in s, lengths in m, masses in kg
 * and angles in radians.
 *
 * The initial state "smooth" was published with nine digits and violates the constraints by 1e-8.
 * Here, x3 is computed from the length of the rod, and the velocity is projected orthogonally in
 * the metric of M. "undeformed" is the second initial state of the Test Set. With a driven crank
 * and a rigid rod, no degree of freedom remains, and the exact solution is known.
 *
 * Source: B. Simeon, Math. Modelling of Systems 2 (1996) 1; F. Mazzia & C. Magherini, Test Set for
 * Initial Value Problem Solvers, release 2.4, 2008, "Slider crank".
 */
#include "problems/kit/elastic_rod.h"
#include "problems/kit/problem.h"
#include "problems/kit/slider_crank_picture.h"

#include <string.h>

enum { CRANK, ROD, BLOCK, ELASTIC, MODES = SHK_ROD_MODES, MOST = ELASTIC + MODES };

#define M2 R(0.151104)
#define M3 R(0.075552)
#define L1 SHK_CRANK_LENGTH
#define L2 SHK_ROD_LENGTH
#define J1 R(0.002727)
#define J2 R(0.0045339259)
#define DENSITY SHK_ROD_DENSITY
#define RATE R(150.0)

struct slider_crank {
  int n, modes; /* modes: number of elastic modes, 0 for a rigid rod */
  bool driven;
  struct shk_elastic_rod rod;
  int row_start[4], columns[8];
  real q[MOST], p[MOST]; /* the start */
  bool flexible, damping, nonlinear;
  int start;
};

/* The parts of M at q, and their derivatives. */
struct parts {
  real a, a_turn;               /* a and da/dD; d²a/dD² = -a */
  real b[MODES], b_turn[MODES]; /* b and db/dD; d²b/dD² = -b. d²a/dD de = b, da/de = -db/dD */
  real rod, swept[MODES];       /* M_rod,rod and M_rod,i */
  real rod_mode[MODES];         /* half of dM_rod,rod/de_i */
};

static void find_parts(struct parts *parts, const struct slider_crank *s, const real *q)
{
  const real *e = q + ELASTIC;
  const real sine = real_sin(q[CRANK] - q[ROD]), cosine = real_cos(q[CRANK] - q[ROD]);
  const real rigid = L1 * L2 * M2 / 2, elastic = DENSITY * L1;
  const real c1e = real_dot(s->rod.c1, e, s->modes), c2e = real_dot(s->rod.c2, e, s->modes);
  parts->a = rigid * cosine + elastic * (sine * c2e + cosine * c1e);
  parts->a_turn = -rigid * sine + elastic * (cosine * c2e - sine * c1e);
  parts->rod = J2 + 2 * DENSITY * real_dot(s->rod.c12, e, s->modes);
  for (int i = 0; i < s->modes; i++) {
    const real inertia = real_dot(s->rod.mass[i], e, s->modes);
    parts->rod += e[i] * inertia;
    parts->rod_mode[i] = inertia + DENSITY * s->rod.c12[i];
    parts->b[i] = elastic * (cosine * s->rod.c2[i] - sine * s->rod.c1[i]);
    parts->b_turn[i] = -elastic * (sine * s->rod.c2[i] + cosine * s->rod.c1[i]);
    parts->swept[i] = DENSITY * (s->rod.c21[i] - real_dot(s->rod.skew[i], e, s->modes));
  }
}

static int mass_matrix(const void *context, real *M, const real *q)
{
  const struct slider_crank *s = context;
  const int n = s->n;
  struct parts linkage;
  find_parts(&linkage, s, q);
  memset(M, 0, (size_t)(n * n) * sizeof *M);
  M[CRANK * n + CRANK] = J1 + M2 * L1 * L1;
  M[CRANK * n + ROD] = M[ROD * n + CRANK] = linkage.a;
  M[ROD * n + ROD] = linkage.rod;
  M[BLOCK * n + BLOCK] = M3;
  for (int i = 0; i < s->modes; i++) {
    const int row = ELASTIC + i;
    M[CRANK * n + row] = M[row * n + CRANK] = linkage.b[i];
    M[ROD * n + row] = M[row * n + ROD] = linkage.swept[i];
    for (int j = 0; j < s->modes; j++)
      M[row * n + ELASTIC + j] = s->rod.mass[i][j];
  }
  return 0;
}

static int mass_gradient(const void *context, real *out, const real *q, const real *v)
{
  const struct slider_crank *s = context;
  const int n = s->n;
  const real *rates = v + ELASTIC;
  struct parts linkage;
  find_parts(&linkage, s, q);
  memset(out, 0, (size_t)(n * n) * sizeof *out);
  real *turn = out + CRANK * n, *back = out + ROD * n;
  turn[CRANK] = linkage.a_turn * v[ROD] + real_dot(linkage.b_turn, rates, s->modes);
  turn[ROD] = linkage.a_turn * v[CRANK];
  for (int i = 0; i < s->modes; i++)
    turn[ELASTIC + i] = linkage.b_turn[i] * v[CRANK];
  for (int i = 0; i < n; i++)
    back[i] = -turn[i];
  for (int i = 0; i < s->modes; i++) {
    real *mode = out + (ELASTIC + i) * n;
    mode[CRANK] = -linkage.b_turn[i] * v[ROD];
    mode[ROD] = -linkage.b_turn[i] * v[CRANK] + 2 * linkage.rod_mode[i] * v[ROD] +
                DENSITY * real_dot(s->rod.skew[i], rates, s->modes);
    for (int j = 0; j < s->modes; j++)
      mode[ELASTIC + j] = DENSITY * s->rod.skew[i][j] * v[ROD];
  }
  return 0;
}

static int mass_curvature(const void *context, real *out, const real *q, const real *v)
{
  const struct slider_crank *s = context;
  const int n = s->n;
  struct parts linkage;
  find_parts(&linkage, s, q);
  memset(out, 0, (size_t)(n * n) * sizeof *out);
  const real both = 2 * v[CRANK] * v[ROD];
  const real turned = -linkage.a * both - 2 * v[CRANK] * real_dot(linkage.b, v + ELASTIC, s->modes);
  out[CRANK * n + CRANK] = out[ROD * n + ROD] = turned;
  out[CRANK * n + ROD] = out[ROD * n + CRANK] = -turned;
  for (int i = 0; i < s->modes; i++) {
    const int row = ELASTIC + i;
    out[CRANK * n + row] = out[row * n + CRANK] = linkage.b[i] * both;
    out[ROD * n + row] = out[row * n + ROD] = -linkage.b[i] * both;
    for (int j = 0; j < s->modes; j++)
      out[row * n + ELASTIC + j] = 2 * s->rod.mass[i][j] * v[ROD] * v[ROD];
  }
  return 0;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct slider_crank *s = context;
  *value = shk_elastic_rod_potential(&s->rod, q + ELASTIC);
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct slider_crank *s = context;
  memset(out, 0, (size_t)s->n * sizeof *out);
  shk_elastic_rod_gradient(&s->rod, out + ELASTIC, q + ELASTIC);
  return 0;
}

static int potential_hessian(const void *context, real *out, real t, const real *q)
{
  const struct slider_crank *s = context;
  memset(out, 0, (size_t)(s->n * s->n) * sizeof *out);
  if (s->modes > 0)
    shk_elastic_rod_hessian(&s->rod, out + ELASTIC * s->n + ELASTIC, s->n, q + ELASTIC);
  return 0;
}

/* Computes v = M⁻¹p, which is needed because the damping acts on velocities. */
static bool find_velocity(const struct slider_crank *s, real *factor, real *v, const real *q,
                          const real *p)
{
  mass_matrix(s, factor, q);
  if (!shk_cholesky_factor(factor, s->n))
    return false;
  memcpy(v, p, (size_t)s->n * sizeof *v);
  shk_cholesky_solve(v, factor, s->n);
  return true;
}

static int force(const void *context, real *Q, real t, const real *q, const real *p)
{
  const struct slider_crank *s = context;
  real factor[MOST * MOST], v[MOST];
  if (!find_velocity(s, factor, v, q, p))
    return 1;
  memset(Q, 0, (size_t)s->n * sizeof *Q);
  for (int i = 0; i < s->modes; i++)
    Q[ELASTIC + i] = -real_dot(s->rod.damping[i], v + ELASTIC, s->modes);
  return 0;
}

/* dv/dp = M⁻¹, dv/dq_k = -M⁻¹ (dM/dq_k) v */
static int force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                           const real *p)
{
  const struct slider_crank *s = context;
  const int n = s->n;
  real factor[MOST * MOST], along[MOST * MOST], v[MOST], column[MOST];
  if (!find_velocity(s, factor, v, q, p))
    return 1;
  mass_gradient(s, along, q, v);
  memset(Q_q, 0, (size_t)(n * n) * sizeof *Q_q);
  memset(Q_p, 0, (size_t)(n * n) * sizeof *Q_p);
  for (int k = 0; k < 2 * n; k++) {
    for (int i = 0; i < n; i++)
      column[i] = k < n ? -along[k * n + i] : i == k - n;
    shk_cholesky_solve(column, factor, n);
    for (int i = 0; i < s->modes; i++)
      (k < n ? Q_q : Q_p)[(ELASTIC + i) * n + k % n] =
          -real_dot(s->rod.damping[i], column + ELASTIC, s->modes);
  }
  return 0;
}

/* Returns the rod's length. e4 moves the end of the rod along it. */
static real rod_length(const struct slider_crank *s, const real *q)
{
  return s->modes > 0 ? L2 + q[MOST - 1] : L2;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  const struct slider_crank *s = context;
  const real rod = rod_length(s, q);
  g[0] = L1 * real_sin(q[CRANK]) + rod * real_sin(q[ROD]);
  g[1] = q[BLOCK] - L1 * real_cos(q[CRANK]) - rod * real_cos(q[ROD]);
  if (s->driven)
    g[2] = q[CRANK] - RATE * t;
  return 0;
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  const struct slider_crank *s = context;
  const real rod = rod_length(s, q);
  *values++ = L1 * real_cos(q[CRANK]);
  *values++ = rod * real_cos(q[ROD]);
  if (s->modes > 0)
    *values++ = real_sin(q[ROD]);
  *values++ = L1 * real_sin(q[CRANK]);
  *values++ = rod * real_sin(q[ROD]);
  *values++ = 1;
  if (s->modes > 0)
    *values++ = -real_cos(q[ROD]);
  if (s->driven)
    *values = 1;
  return 0;
}

static int constraint_rate(const void *context, real *g_t, real t, const real *q)
{
  g_t[0] = 0;
  g_t[1] = 0;
  g_t[2] = -RATE;
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  const struct slider_crank *s = context;
  const real crank = L1 * v[CRANK] * v[CRANK], rod = rod_length(s, q) * v[ROD] * v[ROD];
  const real stretching = s->modes > 0 ? 2 * v[MOST - 1] * v[ROD] : 0;
  const real sine = real_sin(q[ROD]), cosine = real_cos(q[ROD]);
  out[0] = -crank * real_sin(q[CRANK]) - rod * sine + stretching * cosine;
  out[1] = crank * real_cos(q[CRANK]) + rod * cosine + stretching * sine;
  if (s->driven)
    out[2] = 0;
  return 0;
}

SHK_STORED_START(slider_crank, s->n)

/* p = M v */
static void set_momenta(const struct slider_crank *s, real *p, const real *q, const real *v)
{
  real M[MOST * MOST];
  mass_matrix(s, M, q);
  for (int i = 0; i < s->n; i++)
    p[i] = real_dot(M + i * s->n, v, s->n);
}

/* Computes the exact solution for a driven crank and a rigid rod. q follows from the constraints,
 * and v and v' from their derivatives. λ follows from Gᵀλ = ½ (vᵀ dM/dq_k v)_k - (dM/dt v)_k - (M
 * v')_k, solved from the last row of G upwards. */
static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct slider_crank *s = context;
  enum { N = ELASTIC };
  real v[N], linkage[N], M[N * N], along[N * N], rest[N];
  const real s1 = real_sin(RATE * t), c1 = real_cos(RATE * t);
  const real s2 = -(L1 / L2) * s1, c2 = real_sqrt(1 - s2 * s2);
  q[CRANK] = RATE * t;
  q[ROD] = real_asin(s2);
  q[BLOCK] = L1 * c1 + L2 * c2;
  v[CRANK] = RATE;
  v[ROD] = -L1 * c1 * v[CRANK] / (L2 * c2);
  v[BLOCK] = -L1 * s1 * v[CRANK] - L2 * s2 * v[ROD];
  linkage[CRANK] = 0;
  linkage[ROD] = (L1 * s1 * RATE * RATE + L2 * s2 * v[ROD] * v[ROD]) / (L2 * c2);
  linkage[BLOCK] = -L1 * c1 * RATE * RATE - L2 * c2 * v[ROD] * v[ROD] - L2 * s2 * linkage[ROD];
  set_momenta(s, p, q, v);
  mass_matrix(s, M, q);
  mass_gradient(s, along, q, v);
  for (int k = 0; k < N; k++) {
    rest[k] = real_dot(along + k * N, v, N) / 2 - real_dot(M + k * N, linkage, N);
    for (int l = 0; l < N; l++)
      rest[k] -= along[l * N + k] * v[l];
  }
  lambda[1] = rest[BLOCK];
  lambda[0] = (rest[ROD] - L2 * s2 * lambda[1]) / (L2 * c2);
  lambda[2] = rest[CRANK] - L1 * c1 * lambda[0] - L1 * s1 * lambda[1];
  return 0;
}

static void set_pattern(struct slider_crank *s)
{
  int next = 0;
  for (int row = 0; row < 2; row++) {
    s->row_start[row] = next;
    s->columns[next++] = CRANK;
    s->columns[next++] = ROD;
    if (row == 1)
      s->columns[next++] = BLOCK;
    if (s->modes > 0)
      s->columns[next++] = MOST - 1;
  }
  s->row_start[2] = next;
  s->columns[next++] = CRANK; /* the drive */
  s->row_start[3] = next;
}

enum { SMOOTH, UNDEFORMED };
static const struct shk_choice starts[] = {
    {"smooth",
     "published start, with little excitation of the rod; both starts are the same for the rigid "
     "rod",
     NULL},
    {"undeformed", "straight, unstretched rod that moves like a rigid one", NULL},
    {0}};

static struct shk_status set_start(struct shk_instance *instance, struct slider_crank *s,
                                   int choice)
{
  real v[MOST] = {RATE, -RATE * L1 / L2};
  if (s->modes > 0 && choice == SMOOTH) {
    static const real published[MOST] = {R(150.0),          R(-74.9957670),    R(-0.268938672e-5),
                                         R(0.444896105),    R(0.463434311e-2), R(-0.178591076e-5),
                                         R(-0.268938672e-5)};
    memcpy(v, published, sizeof v);
    s->q[ELASTIC + 2] = R(0.103339863e-4);
    s->q[ELASTIC + 3] = R(0.169327969e-4);
  }
  s->q[BLOCK] = L1 + rod_length(s, s->q);
  set_momenta(s, s->p, s->q, v);
  return shk_make_consistent(instance, s->q, s->p);
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct slider_crank *s = context;
  const bool damped = s->flexible && s->damping;
  shk_elastic_rod_set(&s->rod, s->flexible, damped, s->nonlinear);
  s->modes = s->rod.modes;
  s->n = ELASTIC + s->modes;
  set_pattern(s);

  instance->system.n = s->n;
  instance->system.m = s->driven ? 3 : 2;
  instance->system.row_start = s->row_start;
  instance->system.columns = s->columns;
  if (s->driven) {
    instance->system.features |= SHK_RHEONOMIC;
    instance->system.constraint_rate = constraint_rate;
  }
  if (damped) {
    instance->system.features |= SHK_FORCES;
    instance->system.force = force;
    instance->system.force_gradients = force_gradients;
  }
  SHK_TRY(set_start(instance, s, s->start));
  /* For the elastic rod, the time scale is that of the second transverse mode, whose rate is
   * 5100/s. The fastest longitudinal mode is 4.5 times faster. */
  instance->time_scale =
      s->flexible ? real_sqrt(s->rod.mass[1][1] / s->rod.stiffness[1][1]) : 1 / RATE;
  instance->horizon = s->flexible ? R(0.017) : R(0.1);
  if (s->driven || damped)
    instance->undecidable |= SHK_NO_REVERSAL;
  if (!s->flexible) {
    instance->undecidable |= SHK_FREE_MOTION; /* only inertia */
    if (s->driven)
      instance->exact = exact;
    else /* the motion starts at a dead centre, about which it is symmetric in time */
      instance->undecidable |= SHK_ONE_DEGREE_OF_FREEDOM | SHK_SYMMETRIC_START;
  }
  instance->start = start;
  instance->picture = shk_slider_crank_picture();
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_FLAG(slider_crank, flexible, "flexible", "no",
             "elastic rod, with two transverse and two longitudinal modes"),
    SHK_FLAG(
        slider_crank, driven, "driven", "yes",
        "crank driven at 150 rad/s by a third constraint; no: free crank that starts at this rate"),
    SHK_CHOICE(slider_crank, start, "start", starts, "smooth", "start of the elastic rod"),
    SHK_FLAG(slider_crank, damping, "damping", "no", "damping of the elastic rod (0.5 %)"),
    SHK_FLAG(slider_crank, nonlinear, "nonlinear", "no", "nonlinear stiffness of the elastic rod"),
    {0}};

static const struct shk_system slider_crank_system = {.features = SHK_GENERAL_HAMILTONIAN,
                                                      SHK_MASS_MATRIX,
                                                      SHK_POTENTIAL,
                                                      .potential_hessian = potential_hessian,
                                                      SHK_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    slider_crank, slider_crank, &slider_crank_system, .name = "slider-crank", .family = "linkages",
    .summary = "Simeon's slider crank from the IVP Test Set, rigid (exact solution) or flexible",
    .equations = "H = ½ pᵀM(q)⁻¹p + ½ eᵀK e,  Q = -D e' with damping\n"
                 "0 = L1 sin φ1 + (L2 + e4) sin φ2\n"
                 "0 = x3 - L1 cos φ1 - (L2 + e4) cos φ2\n"
                 "0 = φ1 - 150 t  where driven",
    .citation = "B. Simeon, Math. Modelling of Systems 2 (1996) 1; Test Set for IVP "
                "Solvers, release 2.4, 2008",
    .units = "SI",
    .coordinates = "q = (phi1, phi2, x3, e1, e2, e3, e4): angles of crank and rod, position of the "
                   "block, the rod's elastic coordinates (flexible)");

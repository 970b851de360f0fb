/*
 * Andrews' squeezing mechanism: seven bodies in a plane that form three closed loops. A constant
 * torque on the crank drives the mechanism.
 *
 *     H = ½ pᵀM(q)⁻¹p + ½ c0 (l(γ) - l0)² - torque β,     0 = g(q)
 *
 * with q = (β, θ, γ, φ, δ, ω, ε), the rates q', p = M(q) q', and the length l(γ) of the spring from
 * the fixed point C to the point D on the body that turns by γ. M consists of three 2×2 blocks
 * (arm, joint) and the moment of inertia for γ. A block depends on the angle at its joint through
 * the term s(joint) (2 v_arm² + 2 v_arm v_joint) in vᵀMv. The torque has a potential that is linear
 * in β, so H is conserved. Each loop gives two constraints, the x and y components of a sum of
 * arms. The first two arms, the crank and the link, are common to all three loops:
 *
 *     a(β) + a(β+θ) + a(γ) - B,     a(β) + a(β+θ) + a(φ+δ) + a(δ) - A,
 *     a(β) + a(β+θ) + a(ω+ε) + a(ε) - A.
 *
 * The constraint force is -Gᵀλ, with the loops in this order. This is also the order in the Test
 * Set, so multipliers can be compared directly. Times are in s, lengths in m, masses in kg and
 * angles in radians.
 *
 * Source: E. Hairer & G. Wanner, Solving Ordinary Differential Equations II, 2nd ed., §VII.7; F.
 * Mazzia & C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4, 2008, "Andrews'
 * squeezing mechanism". The right-hand side f(q,q') in these sources follows from this H. The
 * initial state is also taken from these sources; the projection changes it only by round-off.
 */
#include "problems/kit/problem.h"

#include <string.h>

enum { BETA, THETA, GAMMA, PHI, DELTA, OMEGA, EPSILON, COORDINATES, LOOPS = 3 };

/* Masses, moments of inertia and lengths, with the names used in the source. */
#define M1 R(0.04325)
#define M2 R(0.00365)
#define M3 R(0.02373)
#define M4 R(0.00706)
#define M5 R(0.07050)
#define M6 R(0.00706)
#define M7 R(0.05498)
#define I1 R(2.194e-6)
#define I2 R(4.410e-7)
#define I3 R(5.255e-6)
#define I4 R(5.667e-7)
#define I5 R(1.169e-5)
#define I6 R(5.667e-7)
#define I7 R(1.912e-5)
#define XA R(-0.06934)
#define YA R(-0.00227)
#define XB R(-0.03635)
#define YB R(0.03273)
#define XC R(0.014)
#define YC R(0.072)
#define D R(0.028)
#define DA R(0.0115)
#define E R(0.02)
#define EA R(0.01421)
#define RR R(0.007)
#define RA R(0.00092)
#define L0 R(0.07785)
#define SS R(0.035)
#define SA R(0.01874)
#define SB R(0.01043)
#define SC R(0.018)
#define SD R(0.02)
#define TA R(0.02308)
#define TB R(0.00916)
#define U R(0.04)
#define UA R(0.01228)
#define UB R(0.00449)
#define ZF R(0.02)
#define ZT R(0.04)
#define FA R(0.01421)

/* The variable parts of the blocks of M: M_arm,arm += 2 s, M_arm,joint += s, with s = size
 * sin(joint), or cos if `even` is true. */
static const struct pair {
  int arm, joint;
  bool even;
  real size;
} pairs[] = {{BETA, THETA, true, -(M2 *DA *RR)},
             {DELTA, PHI, false, M4 *ZT *(E - EA)},
             {EPSILON, OMEGA, false, -(M6 *U *(ZF - FA))}};
#define PAIRS (sizeof pairs / sizeof *pairs)

/* An arm is the vector length (cos a, sin a), or a quarter turn ahead of it if `ahead` is true. The
 * angle a is the sum of one or two coordinates. */
static const struct arm {
  int loop;          /* -1: all loops */
  int first, second; /* second -1: none */
  bool ahead;
  real length;
} arms[] = {{-1, BETA, -1, false, RR},  {-1, BETA, THETA, false, -D},
            {0, GAMMA, -1, true, SS},   {1, PHI, DELTA, true, E},
            {1, DELTA, -1, false, -ZT}, {2, OMEGA, EPSILON, false, -ZF},
            {2, EPSILON, -1, true, U}};
#define ARMS (sizeof arms / sizeof *arms)

static const real ends[LOOPS][2] = {{XB, YB}, {XA, YA}, {XA, YA}};

/* Rows 2k and 2k+1 belong to loop k, which consists of the crank, the link, and the coordinates
 * starting at own[k]. */
static const int own[LOOPS] = {GAMMA, PHI, OMEGA};
static const int row_start[] = {0, 3, 6, 10, 14, 18, 22};
static const int columns[] = {BETA, THETA, GAMMA,           /* loop 0 */
                              BETA, THETA, GAMMA,           /**/
                              BETA, THETA, PHI,   DELTA,    /* loop 1 */
                              BETA, THETA, PHI,   DELTA,    /**/
                              BETA, THETA, OMEGA, EPSILON,  /* loop 2 */
                              BETA, THETA, OMEGA, EPSILON}; /**/

struct andrews {
  real torque, stiffness;
  real q[COORDINATES], p[COORDINATES]; /* the start */
};

static real sum_of_pair(const struct pair *pair, const real *q)
{
  return pair->size * (pair->even ? real_cos(q[pair->joint]) : real_sin(q[pair->joint]));
}

static real slope_of_pair(const struct pair *pair, const real *q)
{
  return pair->size * (pair->even ? -real_sin(q[pair->joint]) : real_cos(q[pair->joint]));
}

static int mass_matrix(const void *context, real *M, const real *q)
{
  enum { N = COORDINATES };
  memset(M, 0, N * N * sizeof *M);
  M[BETA * N + BETA] = M1 * RA * RA + M2 * (RR * RR + DA * DA) + I1 + I2;
  M[THETA * N + THETA] = M2 * DA * DA + I2;
  M[BETA * N + THETA] = M[THETA * N + THETA];
  M[GAMMA * N + GAMMA] = M3 * (SA * SA + SB * SB) + I3;
  M[PHI * N + PHI] = M4 * (E - EA) * (E - EA) + I4;
  M[PHI * N + DELTA] = M[PHI * N + PHI];
  M[DELTA * N + DELTA] = M[PHI * N + PHI] + M4 * ZT * ZT + M5 * (TA * TA + TB * TB) + I5;
  M[OMEGA * N + OMEGA] = M6 * (ZF - FA) * (ZF - FA) + I6;
  M[OMEGA * N + EPSILON] = M[OMEGA * N + OMEGA];
  M[EPSILON * N + EPSILON] = M[OMEGA * N + OMEGA] + M6 * U * U + M7 * (UA * UA + UB * UB) + I7;
  for (size_t k = 0; k < PAIRS; k++) {
    const int arm = pairs[k].arm, joint = pairs[k].joint;
    const real s = sum_of_pair(&pairs[k], q);
    M[arm * N + arm] += 2 * s;
    M[arm < joint ? arm * N + joint : joint * N + arm] += s;
  }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < i; j++)
      M[i * N + j] = M[j * N + i];
  return 0;
}

static int mass_gradient(const void *context, real *out, const real *q, const real *v)
{
  memset(out, 0, COORDINATES * COORDINATES * sizeof *out);
  for (size_t k = 0; k < PAIRS; k++) {
    const int arm = pairs[k].arm, joint = pairs[k].joint;
    const real slope = slope_of_pair(&pairs[k], q);
    out[joint * COORDINATES + arm] = slope * (2 * v[arm] + v[joint]);
    out[joint * COORDINATES + joint] = slope * v[arm];
  }
  return 0;
}

static int mass_curvature(const void *context, real *out, const real *q, const real *v)
{
  memset(out, 0, COORDINATES * COORDINATES * sizeof *out);
  for (size_t k = 0; k < PAIRS; k++) {
    const int arm = pairs[k].arm, joint = pairs[k].joint;
    out[joint * COORDINATES + joint] =
        -sum_of_pair(&pairs[k], q) * 2 * v[arm] * (v[arm] + v[joint]);
  }
  return 0;
}

/* Computes the length of the spring and its first and second derivatives with respect to γ, given
 * the sine and cosine of γ. */
static void spring_at(real *length, real *slope, real *second, real sine, real cosine)
{
  /* vector from B to D */
  const real arm_x = SD * cosine + SC * sine, arm_y = SD * sine - SC * cosine;
  const real x = arm_x + XB - XC, y = arm_y + YB - YC;
  *length = real_sqrt(x * x + y * y);
  *slope = (y * arm_x - x * arm_y) / *length; /* D moves by (-arm_y, arm_x) */
  *second = (arm_x * arm_x + arm_y * arm_y - x * arm_x - y * arm_y - *slope * *slope) / *length;
}

static void spring_length(real *length, real *slope, real *second, const real *q)
{
  spring_at(length, slope, second, real_sin(q[GAMMA]), real_cos(q[GAMMA]));
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct andrews *s = context;
  real length, slope, second;
  spring_length(&length, &slope, &second, q);
  *value = s->stiffness * (length - L0) * (length - L0) / 2 - s->torque * q[BETA];
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct andrews *s = context;
  real length, slope, second;
  spring_length(&length, &slope, &second, q);
  memset(out, 0, COORDINATES * sizeof *out);
  out[BETA] = -s->torque;
  out[GAMMA] = s->stiffness * (length - L0) * slope;
  return 0;
}

static int potential_hessian(const void *context, real *out, real t, const real *q)
{
  const struct andrews *s = context;
  real length, slope, second;
  spring_length(&length, &slope, &second, q);
  memset(out, 0, COORDINATES * COORDINATES * sizeof *out);
  out[GAMMA * COORDINATES + GAMMA] = s->stiffness * (slope * slope + (length - L0) * second);
  return 0;
}

/* Computes the vector (x, y) of an arm, given the sine and cosine of its angle. The derivative of
 * the vector with respect to the angle is (-y, x). */
static void turn_arm(real *x, real *y, const struct arm *arm, real sine, real cosine)
{
  *x = arm->ahead ? -(arm->length * sine) : arm->length * cosine;
  *y = arm->ahead ? arm->length * cosine : arm->length * sine;
}

/* Computes the vector that represents an arm at q. */
static void place_arm(real *x, real *y, const struct arm *arm, const real *q)
{
  const real angle = q[arm->first] + (arm->second < 0 ? 0 : q[arm->second]);
  turn_arm(x, y, arm, real_sin(angle), real_cos(angle));
}

static bool is_in_loop(const struct arm *arm, int loop)
{
  return arm->loop < 0 || arm->loop == loop;
}

static int constraint(const void *context, real *g, real t, const real *q)
{
  for (int loop = 0; loop < LOOPS; loop++) {
    g[2 * loop] = -ends[loop][0];
    g[2 * loop + 1] = -ends[loop][1];
  }
  for (size_t k = 0; k < ARMS; k++) {
    real x, y;
    place_arm(&x, &y, &arms[k], q);
    for (int loop = 0; loop < LOOPS; loop++)
      if (is_in_loop(&arms[k], loop)) {
        g[2 * loop] += x;
        g[2 * loop + 1] += y;
      }
  }
  return 0;
}

/* Adds the entries of the arm (x,y) to the Jacobian. */
static void add_to_jacobian(real *values, const struct arm *arm, real x, real y)
{
  const int angles[2] = {arm->first, arm->second};
  for (int loop = 0; loop < LOOPS; loop++)
    for (int i = 0; i < 2 && is_in_loop(arm, loop); i++) {
      if (angles[i] < 0)
        continue;
      const int place = angles[i] < GAMMA ? angles[i] : angles[i] - own[loop] + GAMMA;
      values[row_start[2 * loop] + place] -= y;
      values[row_start[2 * loop + 1] + place] += x;
    }
}

static void add_to_curvature(real *out, const struct arm *arm, real x, real y, const real *v)
{
  const real rate = v[arm->first] + (arm->second < 0 ? 0 : v[arm->second]);
  for (int loop = 0; loop < LOOPS; loop++)
    if (is_in_loop(arm, loop)) {
      out[2 * loop] -= rate * rate * x;
      out[2 * loop + 1] -= rate * rate * y;
    }
}

static int jacobian(const void *context, real *values, real t, const real *q)
{
  memset(values, 0, sizeof columns / sizeof *columns * sizeof *values);
  for (size_t k = 0; k < ARMS; k++) {
    real x, y;
    place_arm(&x, &y, &arms[k], q);
    add_to_jacobian(values, &arms[k], x, y);
  }
  return 0;
}

static int curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  memset(out, 0, (size_t)(2 * LOOPS) * sizeof *out);
  for (size_t k = 0; k < ARMS; k++) {
    real x, y;
    place_arm(&x, &y, &arms[k], q);
    add_to_curvature(out, &arms[k], x, y, v);
  }
  return 0;
}

SHK_STORED_START(andrews, COORDINATES)

/* Stores P1, the end of the crank; P3 and P4 in the loops to A; D, the end of the spring; and P2,
 * the end of the link. */
static int draw_points(const void *context, real *r, real t, const real *q)
{
  enum { P1, P3, P4, SPRING, P2 };
  static const struct {
    int to, from, arm; /* index in r, or -1 for the origin */
  } steps[] = {{P1, -1, 0}, {P2, P1, 1}, {P3, P2, 3}, {P4, P2, 5}};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    real x, y;
    place_arm(&x, &y, &arms[steps[i].arm], q);
    r[2 * steps[i].to] = x + (steps[i].from < 0 ? 0 : r[2 * steps[i].from]);
    r[2 * steps[i].to + 1] = y + (steps[i].from < 0 ? 0 : r[2 * steps[i].from + 1]);
  }
  const real sine = real_sin(q[GAMMA]), cosine = real_cos(q[GAMMA]);
  r[2 * SPRING] = XB + SD * cosine + SC * sine;
  r[2 * SPRING + 1] = YB + SD * sine - SC * cosine;
  return 0;
}

/* O, A, B, C */
static const real ground[] = {R(0.0), R(0.0), XA, YA, XB, YB, XC, YC};
static const struct shk_picture_line lines[] = {
    {-1, 0, false}, {0, 4, false},  {4, -3, false}, {4, 1, false}, {1, -2, false},
    {4, 2, false},  {2, -2, false}, {-3, 3, false}, {3, 4, false}, {-4, 3, true}};
static const struct shk_picture picture = {SHK_PICTURE_PLANE(5), .place = draw_points,
                                           SHK_PICTURE_FIXED(4, ground), SHK_PICTURE_LINES(lines)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  static const real published[COORDINATES] = {
      R(-0.0617138900142764496358948458001), R(0.0),
      R(0.455279819163070380255912382449),   R(0.222668390165885884674473185609),
      R(0.487364979543842550225598953530),   R(-0.222668390165885884674473185609),
      R(1.23054744454982119249735015568)};
  struct andrews *s = context;
  memcpy(s->q, published, sizeof s->q);

  SHK_TRY(shk_make_consistent(instance, s->q, s->p));
  /* At the end of the published interval, the crank turns at 1140 rad/s, and it becomes even faster
   * afterwards. */
  instance->time_scale = R(0.001);
  instance->horizon = R(0.03);
  /* There is one degree of freedom, and the mechanism starts at rest, so the motion is even about t
   * = 0. */
  instance->undecidable = SHK_ONE_DEGREE_OF_FREEDOM | SHK_SYMMETRIC_START;
  instance->start = start;
  instance->picture = &picture;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_REAL(andrews, torque, "torque", "0.033", "constant torque on the crank, in N m"),
    SHK_REAL(andrews, stiffness, "stiffness", "4530", "stiffness of the spring, in N/m",
             .minimum = "0"),
    {0}};

static const struct shk_system andrews_system = {.n = COORDINATES,
                                                 .m = 2 * LOOPS,
                                                 .features = SHK_GENERAL_HAMILTONIAN,
                                                 SHK_MASS_MATRIX,
                                                 SHK_POTENTIAL,
                                                 .potential_hessian = potential_hessian,
                                                 SHK_CONSTRAINT,
                                                 SHK_PATTERN};

SHK_PROVIDE_PROBLEM(
    andrews, andrews, &andrews_system, .name = "andrews", .family = "test sets of DAEs",
    .summary = "Andrews' squeezing mechanism from the IVP Test Set, with M(q) and three loops",
    .equations = "H = ½ pᵀM(q)⁻¹p + ½ stiffness (l(γ) - l0)² - torque β\n"
                 "0 = a(β) + a(β+θ) + a(γ) - B\n"
                 "0 = a(β) + a(β+θ) + a(φ+δ) + a(δ) - A\n"
                 "0 = a(β) + a(β+θ) + a(ω+ε) + a(ε) - A,  a: arms in the plane",
    .citation = "E. Hairer & G. Wanner, Solving Ordinary Differential Equations II, 2nd "
                "ed., §VII.7; Test Set for IVP Solvers, release 2.4, 2008",
    .units = "SI",
    .coordinates = "q = (beta, theta, gamma, phi, delta, omega, epsilon), angles of the "
                   "bodies; p = M(q) q'");

/*
 * Parallel cranks in a row, whose tips are joined by horizontal couplers. They form N four-bar
 * loops, each of which is a parallelogram.
 *
 *     cranks k = 0 … N of length L from the fixed points (k B, 0), tips r_k
 *     couplers k = 1 … N of length B from tip k-1 to tip k; all rods are uniform and have mass m
 *     H = ½ Σ |p_i|²/m_i + Σ w_i y_i  in natural coordinates (linkage.h); y points up
 *     0 = ½ (|r_k - (kB,0)|² - L²),   0 = ½ (|r_k - r_{k-1}|² - B²)
 *
 * The couplers' midpoints are also coordinates (couplers=uniform), or half of each coupler's mass
 * is at either end (couplers=ends). Both variants have the same motion on the branch on which all
 * cranks are parallel, but their motions differ off this branch. On this branch, with φ measured
 * from the upward vertical,
 *
 *     J φ'' = W sin φ,   J = (N+1) m L²/3 + N m L²,   W = m g ((N+1) L/2 + N L)
 *
 * is the motion of a pendulum, whose exact solution uses elliptic functions; r_k - (kB,0) = L (sin
 * φ, cos φ). There is one degree of freedom. When φ = ±90°, all rods are in one line, the rank of G
 * drops by one for every loop, and the parallel branch meets other branches (with crossed cranks).
 * The constraint force is -Gᵀλ. A crank with c couplers at its tip has M = m (1/3 + c/2) and the
 * weight w = m g (1 + c)/2, and
 *
 *     λ of crank k = M φ'² - M (W/J) cos φ - (w - M L W/J)/(L cos φ)
 *
 * For a single loop, the last term is zero and λ is smooth. With more loops, the inner tips differ
 * from the outer ones and, without the constraints, would fall at different rates when all rods are
 * in line. λ then has a pole at every crossing, with opposite signs before and after it, although
 * the motion is smooth.
 *
 * Source: M. González et al., A benchmarking system for MBS simulation software, Multibody Syst.
 * Dyn. 16 (2006) 179-190; the library of the IFToMM Technical Committee for Multibody Dynamics,
 * problem A02 (L = m = 1, g = 9.81, φ(0) = 0, tips at 1 m/s). The formulas for λ are ours.
 */
#include "problems/kit/linkage.h"
#include "problems/kit/planar_pendulum.h"
#include "problems/kit/problem.h"

struct row_of_cranks {
  struct shk_linkage linkage;
  long loops;
  int couplers;
  bool uniform;
  real length, base, mass, gravity, angle, speed;
  real inertia, torque;              /* J, W */
  struct shk_planar_pendulum motion; /* solution for the angle φ + 180° */
  real *fixed;                       /* fixed points of the cranks */
};

/* Return the sites of a tip and of the midpoint of the coupler that follows it. */
static int site_of_tip(const struct row_of_cranks *s, int crank)
{
  return s->uniform ? 2 * crank : crank;
}

static int site_of_middle(int crank)
{
  return 2 * crank + 1;
}

static void place_four_bar(const struct row_of_cranks *s, real *q, real *p, real sine, real cosine,
                           real rate)
{
  const real x = s->length * sine, y = s->length * cosine;
  for (int i = 0; i < s->linkage.count; i++) {
    const real at = s->uniform ? s->base * (real)i / 2 : s->base * (real)i;
    q[2 * i] = at + x;
    q[2 * i + 1] = y;
    p[2 * i] = s->linkage.mass[2 * i] * rate * y;
    p[2 * i + 1] = -s->linkage.mass[2 * i] * rate * x;
  }
}

static int start_four_bar(const void *context, real *q, real *p)
{
  const struct row_of_cranks *s = context;
  place_four_bar(s, q, p, real_sin(s->angle), real_cos(s->angle), s->speed / s->length);
  return 0;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct row_of_cranks *s = context;
  real sine, cosine, rate;
  shk_planar_pendulum_at(&s->motion, &sine, &cosine, &rate, t);
  sine = -sine;
  cosine = -cosine;
  place_four_bar(s, q, p, sine, cosine, rate);
  const real stiffness = s->torque / s->inertia, turning = rate * rate;
  /* All tips have the same acceleration because the cranks are parallel. */
  const real across = s->length * sine * (stiffness * cosine - turning);
  const real up = -s->length * (stiffness * sine * sine + turning * cosine);
  real tension = 0; /* tension in the couplers, summed from the left */
  for (int k = 0, row = 0; k <= s->loops; k++) {
    const int couplers = k == 0 || k == s->loops ? 1 : 2;
    const real load = s->mass * (R(1.0) / 3 + (real)couplers / 2);
    const real weight = s->mass * s->gravity * (real)(1 + couplers) / 2;
    const real excess = s->loops == 1 ? 0 : weight - load * s->length * stiffness;
    const real crank =
        load * (turning - stiffness * cosine) - (excess == 0 ? 0 : excess / (s->length * cosine));
    lambda[row++] = crank;
    if (k == s->loops)
      break;
    tension += load * across + crank * s->length * sine;
    lambda[row++] = tension / s->base;
    if (s->uniform) {
      lambda[row++] = -s->mass * across * 2 / 3;
      lambda[row++] = -s->mass * (up + s->gravity) * 2 / 3;
    }
  }
  return 0;
}

static const char *const branch_names[] = {"parallel-defect"};

/* Stores the distance between the actual tips and the tips of parallel cranks, in units of the
 * crank length. */
static int branch(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct row_of_cranks *s = context;
  values[0] = 0;
  for (int k = 1; k <= s->loops; k++) {
    const real *r = q + 2 * site_of_tip(s, k);
    const real x = r[0] - s->base * (real)k - q[0], y = r[1] - q[1];
    values[0] = real_max(values[0], real_sqrt(x * x + y * y) / s->length);
  }
  return 0;
}

static int crossings(const void *context, real *times, int limit, real until)
{
  const struct row_of_cranks *s = context;
  return shk_planar_pendulum_level_times(&s->motion, times, limit, until);
}

static void assemble_four_bar(struct row_of_cranks *s)
{
  struct shk_linkage *linkage = &s->linkage;
  const real m = s->mass, g = s->gravity, end = s->uniform ? m / 6 : m / 2;
  for (int k = 0; k <= s->loops; k++) {
    shk_linkage_load(linkage, site_of_tip(s, k), m / 3, m * g / 2);
    shk_linkage_rod(linkage, SHK_FIXED(k), site_of_tip(s, k), s->length);
    if (k == s->loops)
      break;
    shk_linkage_load(linkage, site_of_tip(s, k), end, end * g);
    shk_linkage_load(linkage, site_of_tip(s, k + 1), end, end * g);
    shk_linkage_rod(linkage, site_of_tip(s, k), site_of_tip(s, k + 1), s->base);
    if (s->uniform) {
      shk_linkage_load(linkage, site_of_middle(k), m * 2 / 3, m * g * 2 / 3);
      shk_linkage_middle(linkage, site_of_tip(s, k), site_of_tip(s, k + 1), site_of_middle(k));
    }
  }
}

static struct shk_status set_up(struct shk_instance *instance, struct row_of_cranks *s)
{
  const int loops = (int)s->loops;
  s->uniform = s->couplers == 0;
  SHK_TRY(shk_reals(instance->workspace, &s->fixed, 2 * ((size_t)loops + 1)));
  SHK_TRY(shk_linkage_create(&s->linkage, instance->workspace, 2,
                             s->uniform ? 2 * loops + 1 : loops + 1,
                             s->uniform ? 4 * loops + 1 : 2 * loops + 1));
  for (int k = 0; k <= loops; k++)
    s->fixed[2 * k] = s->base * (real)k;
  s->linkage.fixed = s->fixed;
  assemble_four_bar(s);
  shk_linkage_bind(instance, &s->linkage);

  const real cranks = (real)loops + 1, length = s->length;
  s->inertia = s->mass * length * length * (cranks / 3 + (real)loops);
  s->torque = s->mass * s->gravity * length * (cranks / 2 + (real)loops);
  if (shk_planar_pendulum_solve(&s->motion, real_sqrt(s->torque / s->inertia), s->angle + REAL_PI,
                                s->speed / length)) {
    instance->exact = exact;
    instance->crossings = crossings;
  }
  shk_set_times(instance, s->motion.frequency, R(33.3));
  instance->undecidable = shk_planar_pendulum_undecidable(&s->motion);
  instance->start = start_four_bar;
  shk_set_branch(instance, branch_names, branch);
  return shk_ok();
}

static struct shk_status set_up_four_bar(struct shk_instance *instance, void *context)
{
  struct row_of_cranks *s = context;
  s->base = s->length;
  return set_up(instance, s);
}

static struct shk_status set_up_parallelogram(struct shk_instance *instance, void *context)
{
  struct row_of_cranks *s = context;
  s->loops = 1;
  return set_up(instance, s);
}

static const struct shk_choice couplers[] = {
    {"uniform", "uniform rods, with their midpoints among the coordinates", NULL},
    {"ends", "half of the mass at each end: fewer coordinates, the same motion", NULL},
    {0}};

#define COMMON_OPTIONS(g)                                                                          \
  SHK_REAL(row_of_cranks, length, "length", "1", "length L of the cranks", SHK_POSITIVE),          \
      SHK_REAL(row_of_cranks, mass, "mass", "1", "mass m of every rod", SHK_POSITIVE),             \
      SHK_REAL(row_of_cranks, gravity, "gravity", g, "acceleration g downwards", .minimum = "0"),  \
      SHK_ANGLE(row_of_cranks, angle, "angle", "0",                                                \
                "initial φ, from the upward vertical towards +x; 90deg is singular"),              \
      SHK_REAL(row_of_cranks, speed, "speed", "1", "initial L φ'"),                                \
      SHK_CHOICE(row_of_cranks, couplers, "couplers", couplers, "uniform",                         \
                 "distribution of the couplers' mass")

static const struct shk_option four_bar_options[] = {
    SHK_INTEGER(row_of_cranks, loops, "loops", "2", "number N of loops", .minimum = "1",
                .maximum = "100000"),
    COMMON_OPTIONS("9.81"),
    {0}};

static const struct shk_option parallelogram_options[] = {
    SHK_REAL(row_of_cranks, base, "base", "1.6",
             "length B of the coupler, which is also the distance between the cranks' pivots",
             SHK_POSITIVE),
    COMMON_OPTIONS("1"),
    {0}};

static const struct shk_problem four_bar = {
    .struct_size = sizeof four_bar,
    .info =
        {.name = "four-bar",
         .family = "linkages",
         .summary =
             "N four-bar loops in a row, singular whenever all rods are collinear; exact solution",
         .equations = "N+1 cranks, N couplers, all uniform of length L and mass m\n"
                      "0 = ½ (|r_k - (kL,0)|² - L²),  0 = ½ (|r_k - r_{k-1}|² - L²)\n"
                      "cranks parallel: J φ'' = W sin φ, J = (N+1)mL²/3 + NmL², "
                      "W = mg((N+1)L/2 + NL), tips at (kL + L sin φ, L cos φ)",
         .citation = "M. González, D. Dopico, U. Lugrís & J. Cuadrado, Multibody Syst. Dyn. 16 "
                     "(2006) 179-190; IFToMM library of multibody benchmarks, problem A02",
         .units = "SI",
         .coordinates = "q = (tip 0, midpoint of coupler 1, tip 1, …, tip N), each (x, y), y "
                        "upwards; the midpoints only with couplers=uniform",
         .options = four_bar_options},
    SHK_CONTEXT(row_of_cranks),
    .set_up = set_up_four_bar,
};

static const struct shk_problem parallelogram = {
    .struct_size = sizeof parallelogram,
    .info = {.name = "parallelogram",
             .family = "linkages",
             .summary = "a parallelogram of rods, singular whenever it is flat; exact solution",
             .equations = "two cranks of length L, a coupler of length B, all uniform of mass m\n"
                          "0 = ½ (|r_k - (kB,0)|² - L²), k = 0, 1,  0 = ½ (|r_1 - r_0|² - B²)\n"
                          "cranks parallel: J φ'' = W sin φ, J = 5mL²/3, W = 2mgL",
             .citation = "J. García de Jalón & E. Bayo, Kinematic and Dynamic Simulation of "
                         "Multibody Systems, Springer 1994 (singular positions)",
             .units = "dimensionless",
             .coordinates = "q = (tip 0, midpoint of the coupler, tip 1), each (x, y), y upwards; "
                            "the midpoint only with couplers=uniform",
             .options = parallelogram_options},
    SHK_CONTEXT(row_of_cranks),
    .set_up = set_up_parallelogram,
};

SHK_PROVIDE(four_bar, .problems = SHK_PROBLEMS(&four_bar, &parallelogram));

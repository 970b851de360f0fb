/*
 * Bricard's mechanism: five equal rods and the ground form a closed loop with six hinges. According
 * to its constraint count, the mechanism should be rigid, but it can move because its constraints
 * are redundant in every position.
 *
 * Rod k = 1 … 5 goes from hinge k at P_k to hinge k+1 at P_(k+1). The axis of hinge k is the unit
 * vector u_k. P_1, P_6, u_1 and u_6 belong to the ground. In natural coordinates (linkage.h), the
 * constraints are
 *
 *     0 = ½ (|P_(k+1) - P_k|² - L²)                                       5 rods
 *     0 = ½ (|u_k|² - 1), k = 2 … 5                                       4
 *     0 = (P_(k+1) - P_k)·u_k,  (P_(k+1) - P_k)·u_(k+1),  u_k·u_(k+1)    15
 *
 * that is, 24 rows for the 24 coordinates of P_2 … P_5 and u_2 … u_5. The rows have rank 23 along
 * the motion, so there is one degree of freedom. The rods are uniform, with mass m and a square
 * cross-section of side b. u_k has the mass m b²/12 for each rod that ends at hinge k, and P_k has
 * the masses given in linkage.h. The midpoints of rods 2, 3 and 4 are also coordinates, which makes
 * M diagonal. The constraint force is -Gᵀλ; λ is not unique.
 *
 * The mechanism starts at rest with the hinges at the corners of a cube, and gravity acts along -y.
 * No exact solution and no published reference values are known to us.
 *
 * Source: M. González et al., Multibody Syst. Dyn. 16 (2006) 179-190; the library of the IFToMM
 * Technical Committee for Multibody Dynamics, problem A04 (m = 1 kg, L = 1 m, b = 0.1 m).
 */
#include "problems/kit/linkage.h"
#include "problems/kit/problem.h"

enum { RODS = 5, SITES = 11, ROWS = 33 };

struct bricard {
  struct shk_linkage linkage;
  real length, mass, section, gravity;
  real fixed[15]; /* P_1, P_6, u_1, u_6, the origin */
};

/* Corners of the cube and hinge axes. Both are counted from 1. */
static const signed char corners[7][3] = {{0, 0, 0},  {0, 0, 0},  {1, 0, 0}, {1, -1, 0},
                                          {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
static const signed char axes[7][3] = {{0, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0},
                                       {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};

/* The sites are P_2 … P_5, u_2 … u_5, and the midpoints of rods 2 … 4. */
static int site_of_hinge(int k)
{
  return k == 1 ? SHK_FIXED(0) : k == 6 ? SHK_FIXED(1) : k - 2;
}

static int site_of_axis(int k)
{
  return k == 1 ? SHK_FIXED(2) : k == 6 ? SHK_FIXED(3) : k + 2;
}

static int site_of_middle(int rod)
{
  return rod + 6;
}

static int start_bricard(const void *context, real *q, real *p)
{
  const struct bricard *s = context;
  for (int j = 0; j < 3; j++) {
    for (int k = 2; k <= 5; k++) {
      q[3 * site_of_hinge(k) + j] = s->length * corners[k][j];
      q[3 * site_of_axis(k) + j] = axes[k][j];
    }
    for (int rod = 2; rod <= 4; rod++)
      q[3 * site_of_middle(rod) + j] = s->length * (corners[rod][j] + corners[rod + 1][j]) / 2;
  }
  for (int i = 0; i < 3 * SITES; i++)
    p[i] = 0;
  return 0;
}

static void assemble_bricard(struct bricard *s)
{
  const real mass = s->mass, gravity = s->gravity, section = s->section;
  struct shk_linkage *linkage = &s->linkage;
  const int origin = SHK_FIXED(4);
  for (int k = 1; k <= RODS; k++) {
    const int a = site_of_hinge(k), b = site_of_hinge(k + 1), u = site_of_axis(k),
              w = site_of_axis(k + 1);
    const bool grounded = k == 1 || k == RODS;
    const real end = grounded ? mass / 3 : mass / 6, load = grounded ? mass / 2 : mass / 6;
    const real bend = mass * section * section / 12;
    shk_linkage_load(linkage, a, end, load * gravity);
    shk_linkage_load(linkage, b, end, load * gravity);
    shk_linkage_load(linkage, u, bend, 0);
    shk_linkage_load(linkage, w, bend, 0);
    shk_linkage_rod(linkage, a, b, s->length);
    if (w >= 0)
      shk_linkage_rod(linkage, origin, w, 1);
    shk_linkage_angle(linkage, a, b, u);
    shk_linkage_angle(linkage, a, b, w);
    shk_linkage_angle(linkage, origin, u, w);
    if (!grounded) {
      shk_linkage_load(linkage, site_of_middle(k), mass * 2 / 3, mass * gravity * 2 / 3);
      shk_linkage_middle(linkage, a, b, site_of_middle(k));
    }
  }
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct bricard *s = context;
  SHK_TRY(shk_linkage_create(&s->linkage, instance->workspace, 3, SITES, ROWS));
  s->linkage.vertical = 1;
  s->linkage.drawn = 4;
  s->linkage.fixed = s->fixed;
  for (int j = 0; j < 3; j++) {
    s->fixed[3 + j] = s->length * corners[6][j];
    s->fixed[6 + j] = axes[1][j];
    s->fixed[9 + j] = axes[6][j];
  }
  assemble_bricard(s);
  shk_linkage_bind(instance, &s->linkage);
  instance->time_scale = real_sqrt(s->length / s->gravity);
  instance->horizon = shk_short_decimal(R(12.3) * instance->time_scale);
  instance->undecidable =
      SHK_ONE_DEGREE_OF_FREEDOM | SHK_LINEAR_POTENTIAL | SHK_SYMMETRIC_START | SHK_REDUNDANT_ROWS;
  instance->start = start_bricard;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_REAL(bricard, length, "length", "1", "length L of a rod, in m", SHK_POSITIVE),
    SHK_REAL(bricard, mass, "mass", "1", "mass m of a rod, in kg", SHK_POSITIVE),
    SHK_REAL(bricard, section, "section", "0.1", "side b of the square cross-section, in m",
             SHK_POSITIVE),
    SHK_REAL(bricard, gravity, "gravity", "9.81", "acceleration along -y, in m/s²", SHK_POSITIVE),
    {0}};

SHK_PROVIDE_PROBLEM(
    bricard, bricard, NULL, .name = "bricard", .family = "linkages",
    .summary = "Bricard's mechanism with five rods and six hinges, redundant in every position",
    .equations = "rods P_k P_(k+1), hinge axes u_k, k = 1 … 6, P_1, P_6, u_1, u_6 fixed\n"
                 "0 = ½ (|P_(k+1) - P_k|² - L²),  0 = ½ (|u_k|² - 1)\n"
                 "0 = (P_(k+1) - P_k)·u_k = (P_(k+1) - P_k)·u_(k+1) = u_k·u_(k+1)\n"
                 "0 = midpoint of rod - ½ (P_k + P_(k+1)), k = 2, 3, 4",
    .citation = "M. González, D. Dopico, U. Lugrís & J. Cuadrado, Multibody Syst. Dyn. 16 "
                "(2006) 179-190; IFToMM library of multibody benchmarks, problem A04",
    .units = "SI",
    .coordinates = "q = (P_2 … P_5, u_2 … u_5, midpoints of rods 2 … 4), each (x, y, z)");

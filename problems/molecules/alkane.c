/*
 * A chain molecule of N united atoms (CH3, CH2, …, CH3, all with the same mass) in empty space,
 * with bonds of fixed length b:
 *
 *     H = Σ |p_i|²/(2m) + V_angles + Σ V_t(cos φ)
 *           + Σ_{j-i >= 4} 4 epsilon (sigma¹²/r¹² - sigma⁶/r⁶)
 *     0 = ½ (|r_{i+1} - r_i|² - b²)                 i = 1 … N-1
 *
 * If angles = rigid, the bond angles are distance constraints, 0 = ½ (|r_{i+2} - r_i|² - c²),
 * i = 1 … N-2. If angles = harmonic, V_angles = ½ k Σ (θ_i - θ_0)², where θ_i is the angle between
 * two bonds.
 *
 * q = (r_1, …, r_N), and the constraint force is -Gᵀλ. The torsion potential in kelvin, with φ = 0
 * for trans, is
 *
 *     V_t/k_B = 1116 + 1462 cos φ - 1578 cos² φ - 368 cos³ φ + 3156 cos⁴ φ - 3788 cos⁵ φ
 *
 * The model of J.-P. Ryckaert & A. Bellemans (Chem. Phys. Lett. 30 (1975) 123; Faraday Discuss.
 * Chem. Soc. 66 (1978) 95) has bonds of 0.153 nm, tetrahedral angles (cos θ_0 = -1/3, printed as
 * 109°28'), masses of 14.5 u, sigma = 0.3923 nm and epsilon = 72 K. Harmonic angles are not part of
 * this model; k = 62500 K is taken from M. G. Martin & J. I. Siepmann, J. Phys. Chem. B 102 (1998)
 * 2569. There is no cutoff because there is only one molecule.
 *
 * Let a = r_j - r_i, b and c be the bonds of a torsion, and let A = a - (a·b)b/b² and C = c -
 * (c·b)b/b² be the components of a and c perpendicular to the middle bond. Then cos φ =
 * A·C/(|A||C|). This cosine is 1 for trans and depends smoothly on the positions unless three atoms
 * are collinear. Momentum and angular momentum are conserved.
 *
 * Initially, all torsions have the same angle. The velocities are drawn at random for the given
 * temperature and are tangent to the constraints, and the total momentum is zero. The motion of
 * longer chains is chaotic. Butane has a single torsion, which is coupled to the overall rotation.
 */
#include "problems/kit/problem.h"
#include "problems/kit/sites.h"

struct alkane {
  /* must come first because the callbacks of sites.h use it as their context */
  struct shk_sites sites;
  long carbons, seed;
  int angles;
  real torsion, temperature;
  real bend, rest;        /* k, which is 0 for rigid angles, and θ_0 */
  real kelvin;            /* k_B times one kelvin */
  real sigma, depth;      /* parameters of the Lennard-Jones potential: sigma and 4 epsilon */
  struct shk_terms terms; /* terms of the potential */
};

static const int torsion_series[] = {1116, 1462, -1578, -368, 3156, -3788};
enum { TERMS = sizeof torsion_series / sizeof torsion_series[0] };

/* Stores V_t in kelvin and its derivative with respect to cos φ. */
static void torsion_potential(real *value, real *slope, real cosine)
{
  *value = *slope = 0;
  for (int k = TERMS - 1; k >= 0; k--) {
    *slope = *slope * cosine + *value;
    *value = *value * cosine + torsion_series[k];
  }
}

static void vector_from(real *d, const real *b, const real *a)
{
  for (int k = 0; k < 3; k++)
    d[k] = b[k] - a[k];
}

static void add_alkane(real *out, real factor, const real *d)
{
  for (int k = 0; k < 3; k++)
    out[k] += factor * d[k];
}

/* Adds the potential of the angle at atom i and, unless `out` is NULL, its gradient. Returns 1 if
 * the gradient is undefined because the atoms are collinear. */
static int add_angle(const struct alkane *s, real *value, real *out, const real *q, int i)
{
  const real *at = q + 3 * i;
  real u[3], v[3];
  vector_from(u, at - 3, at);
  vector_from(v, at + 3, at);
  const real uu = real_dot(u, u, 3), vv = real_dot(v, v, 3), uv = real_dot(u, v, 3);
  const real size = real_sqrt(uu * vv), cosine = uv / size;
  if (!(real_fabs(cosine) < 1))
    return 1;
  const real bent = real_acos(cosine) - s->rest;
  *value += s->bend * bent * bent / 2;
  if (!out)
    return 0;
  /* dV = slope d(cos θ),  d(cos θ)/du = v/(|u||v|) - cos θ u/u² */
  const real slope = -s->bend * bent / real_sqrt((1 - cosine) * (1 + cosine));
  real du[3], dv[3];
  for (int k = 0; k < 3; k++) {
    du[k] = slope * (v[k] / size - cosine * u[k] / uu);
    dv[k] = slope * (u[k] / size - cosine * v[k] / vv);
  }
  add_alkane(out + 3 * (i - 1), 1, du);
  add_alkane(out + 3 * (i + 1), 1, dv);
  add_alkane(out + 3 * i, -1, du);
  add_alkane(out + 3 * i, -1, dv);
  return 0;
}

/* Adds the torsion about the bond from atom i to the next atom. Let A and C be as at the top of
 * this file, let C* = C/(|A||C|) - cos φ A/A², and define A* likewise. Both are perpendicular to b.
 * Then the derivatives of cos φ with respect to the three bonds are
 *
 *     for a: C*      for c: A*      for b: -(a·b/b²) C* - (c·b/b²) A*. */
static int add_torsion(const struct alkane *s, real *value, real *out, const real *q, int i)
{
  const real *at = q + 3 * i;
  real a[3], b[3], c[3], across_a[3], across_c[3];
  vector_from(a, at, at - 3);
  vector_from(b, at + 3, at);
  vector_from(c, at + 6, at + 3);
  const real bb = real_dot(b, b, 3), ab = real_dot(a, b, 3) / bb, cb = real_dot(c, b, 3) / bb;
  for (int k = 0; k < 3; k++) {
    across_a[k] = a[k] - ab * b[k];
    across_c[k] = c[k] - cb * b[k];
  }
  const real aa = real_dot(across_a, across_a, 3), cc = real_dot(across_c, across_c, 3);
  const real size = real_sqrt(aa * cc);
  if (!(size > 0))
    return 1;
  const real cosine = real_dot(across_a, across_c, 3) / size;
  real term, slope;
  torsion_potential(&term, &slope, cosine);
  *value += s->kelvin * term;
  if (!out)
    return 0;
  slope *= s->kelvin;
  for (int k = 0; k < 3; k++) {
    const real da = slope * (across_c[k] / size - cosine * across_a[k] / aa);
    const real dc = slope * (across_a[k] / size - cosine * across_c[k] / cc);
    const real db = -ab * da - cb * dc;
    out[3 * (i - 1) + k] -= da;
    out[3 * i + k] += da - db;
    out[3 * (i + 1) + k] += db - dc;
    out[3 * (i + 2) + k] += dc;
  }
  return 0;
}

static int add_pair(const struct alkane *s, real *value, real *out, const real *q, int i, int j)
{
  real d[3];
  vector_from(d, q + 3 * i, q + 3 * j);
  const real square = real_dot(d, d, 3);
  if (!(square > 0))
    return 1;
  const real ratio = s->sigma * s->sigma / square, r6 = ratio * ratio * ratio;
  *value += s->depth * r6 * (r6 - 1);
  if (out) {
    const real pull = 6 * s->depth * r6 * (2 * r6 - 1) / square;
    add_alkane(out + 3 * i, -pull, d);
    add_alkane(out + 3 * j, pull, d);
  }
  return 0;
}

/* Adds all terms to the value and the gradient, and stops at the first term that cannot be
 * evaluated. */
static int add_all(const struct alkane *s, real *value, real *out, const real *q)
{
  int code = 0;
  for (int i = 1; code == 0 && s->bend > 0 && i < s->carbons - 1; i++)
    code = add_angle(s, value, out, q, i);
  for (int i = 1; code == 0 && i < s->carbons - 2; i++)
    code = add_torsion(s, value, out, q, i);
  for (int i = 0; code == 0 && i < s->carbons; i++)
    for (int j = i + 4; code == 0 && j < s->carbons; j++)
      code = add_pair(s, value, out, q, i, j);
  return code;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  *value = 0;
  return add_all(context, value, NULL, q);
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct alkane *s = context;
  real value = 0;
  for (int i = 0; i < 3 * s->sites.count; i++)
    out[i] = 0;
  return add_all(s, &value, out, q);
}

/* ---- creation ---- */

/* Places each atom one bond length from the previous one, with the given bond angle and torsion.
 * The frame consists of the bond e and the direction n, which is perpendicular to e and points away
 * from the previous bond. */
static void place_alkane(struct shk_sites *sites, int carbons, real bond, real angle, real torsion)
{
  real e[3] = {1, 0, 0}, n[3] = {0, 1, 0}, *q = sites->q;
  for (int i = 1; i < carbons; i++) {
    if (i > 1) {
      /* A torsion needs three bonds, so the first rotation is in the plane of e and n. */
      const real turn = i > 2 ? torsion : 0, along = -real_cos(angle), across = real_sin(angle);
      const real m[3] = {e[1] * n[2] - e[2] * n[1], e[2] * n[0] - e[0] * n[2],
                         e[0] * n[1] - e[1] * n[0]};
      for (int k = 0; k < 3; k++) {
        const real side = real_cos(turn) * n[k] + real_sin(turn) * m[k];
        const real next = along * e[k] + across * side;
        /* The trans direction. It is perpendicular to the new bond and in the plane of both
         * bonds. */
        n[k] = across * e[k] - along * side;
        e[k] = next;
      }
    }
    for (int k = 0; k < 3; k++)
      q[3 * i + k] = q[3 * (i - 1) + k] + bond * e[k];
  }
}

static struct shk_status declare_terms(struct shk_instance *instance, struct alkane *s)
{
  const int carbons = (int)s->carbons, far = carbons - 4;
  const real r6 = s->sigma * s->sigma * s->sigma * s->sigma * s->sigma * s->sigma;
  struct shk_workspace *const workspace = instance->workspace;
  struct shk_angle *const angles = shk_memory(workspace, (size_t)carbons * sizeof *angles);
  struct shk_torsion *const torsions = shk_memory(workspace, (size_t)carbons * sizeof *torsions);
  struct shk_pair *const pairs =
      shk_memory(workspace, ((size_t)far * (size_t)(far + 1) / 2 + 1) * sizeof *pairs);
  if (!angles || !torsions || !pairs)
    return shk_no_memory();
  struct shk_terms *const t = &s->terms;
  *t = (struct shk_terms){.angles = angles, .torsions = torsions, .pairs = pairs};
  for (int i = 0; s->bend > 0 && i + 2 < carbons; i++)
    angles[t->angle_count++] = (struct shk_angle){{i, i + 1, i + 2}, s->bend, s->rest};
  for (int i = 0; i + 3 < carbons; i++) {
    struct shk_torsion *const torsion = &torsions[t->torsion_count++];
    *torsion = (struct shk_torsion){.at = {i, i + 1, i + 2, i + 3}, .kind = SHK_TORSION_COSINES};
    for (int k = 0; k < SHK_COSINES; k++)
      torsion->cosines[k] = s->kelvin * torsion_series[k];
  }
  for (int i = 0; i < carbons; i++)
    for (int j = i + 4; j < carbons; j++)
      pairs[t->pair_count++] =
          (struct shk_pair){.a = i, .b = j, .lj12 = s->depth * r6 * r6, .lj6 = s->depth * r6};
  instance->system.terms = t;
  return shk_ok();
}

enum { RIGID, HARMONIC };

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct alkane *s = context;
  const real bond = R(0.153), weight = R(14.5), heat = s->temperature;
  const int carbons = (int)s->carbons;
  const bool rigid = s->angles == RIGID;
  SHK_TRY(shk_sites_create(&s->sites, instance->workspace, 3, carbons,
                           carbons - 1 + (rigid ? carbons - 2 : 0)));
  s->bend = rigid ? 0 : 62500 * SHK_GAS_CONSTANT;
  s->kelvin = SHK_GAS_CONSTANT;
  s->rest = real_acos(-R(1.0) / 3);
  s->sigma = R(0.3923);
  s->depth = 4 * 72 * s->kelvin;
  for (int i = 0; i < 3 * carbons; i++)
    s->sites.mass[i] = weight;
  for (int i = 0; i + 1 < carbons; i++)
    s->sites.rods[i] = (struct shk_rod){i, i + 1, bond * bond};
  for (int i = carbons - 1; i < s->sites.rod_count; i++) {
    const int first = i - (carbons - 1);
    s->sites.rods[i] = (struct shk_rod){first, first + 2, 2 * bond * bond * (1 + R(1.0) / 3)};
  }
  place_alkane(&s->sites, carbons, bond, s->rest, s->torsion);
  uint64_t seed = (uint64_t)s->seed;
  shk_sites_draw(&s->sites, heat * s->kelvin, &seed);
  SHK_TRY(shk_sites_bind(instance, &s->sites));
  SHK_TRY(declare_terms(instance, s));
  instance->system.potential = potential;
  instance->system.gradient = gradient;
  SHK_TRY(shk_make_consistent(instance, s->sites.q, s->sites.p));

  /* The rate of torsional oscillations near trans, where V_t'' = 9114 K, or of angle bending. */
  const real stiffness = real_max(9114 * s->kelvin, s->bend);
  instance->time_scale = real_sqrt(weight * bond * bond / stiffness);
  instance->horizon = shk_short_decimal(R(7.3) * instance->time_scale);
  instance->undecidable = SHK_CHAOTIC;
  if (heat == 0)
    instance->undecidable |= SHK_SYMMETRIC_START;
  shk_set_invariants(instance, 6, shk_momentum_names(), shk_sites_momenta);
  return shk_ok();
}

static const struct shk_choice angles[] = {
    {"rigid", "a distance constraint between second neighbours", NULL},
    {"harmonic", "½ k (θ - θ_0)² with k = 62500 K", NULL},
    {0}};

static const struct shk_option options[] = {
    SHK_INTEGER(alkane, carbons, "carbons", "4", "number N of united atoms", .minimum = "4",
                .maximum = "1000"),
    SHK_CHOICE(alkane, angles, "angles", angles, "rigid",
               "constraint or potential for the angles between bonds"),
    SHK_ANGLE(alkane, torsion, "torsion", "0.5",
              "initial value of every torsion angle, measured from trans"),
    SHK_REAL(alkane, temperature, "temperature", "300", "initial temperature, in K",
             .minimum = "0"),
    SHK_INTEGER(alkane, seed, "seed", "1", "random seed for the velocities", .minimum = "0"),
    {0}};

SHK_PROVIDE_PROBLEM(
    alkane, alkane, NULL, .name = "alkane", .family = "molecules and particles",
    .summary = "chain molecule of united atoms with rigid bonds, torsions and "
               "Lennard-Jones forces",
    .equations = "H = Σ |p_i|²/(2m) + V_angles + Σ V_t(cos φ) + Σ_(j-i >= 4) 4 epsilon "
                 "(sigma¹²/r¹² - sigma⁶/r⁶)\n"
                 "V_t/k_B = 1116 + 1462 cos φ - 1578 cos² φ - 368 cos³ φ + 3156 cos⁴ φ - 3788 cos⁵ "
                 "φ (kelvin; φ = 0: trans)\n"
                 "0 = ½ (|r_(i+1) - r_i|² - b²); angles=rigid: 0 = ½ (|r_(i+2) - r_i|² - c²)\n"
                 "angles=harmonic: V_angles = ½ k Σ (θ_i - θ_0)²",
    .citation = "J.-P. Ryckaert & A. Bellemans, Chem. Phys. Lett. 30 (1975) 123-125 and "
                "Faraday Discuss. Chem. Soc. 66 (1978) 95-106; harmonic angles: M. G. "
                "Martin & J. I. Siepmann, J. Phys. Chem. B 102 (1998) 2569-2577",
    .units = "nm, ps, u and kJ/mol", .coordinates = "q = (r_1, …, r_N), r = (x, y, z)");

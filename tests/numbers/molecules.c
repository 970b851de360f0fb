/*
 * Molecules: the water box's cells and its switched forces against a plain double sum over all sites
 * written here; units, geometry and torsion energies against published or independently known values.
 */
#include "mechanics/binding/real_text.h"
#include "problems/kit/distance.h"
#include "problems/kit/pair.h"
#include "problems/kit/sites.h"
#include "tests/kit/driving.h"
#include "tests/kit/instance.h"

/* ---- the water box ---- */

/* SPC/E in nm and kJ/mol, as a plain sum over all pairs of sites and nearest images, with the
 * switch integrated here: V(r) is the integral of the force from r to the cutoff. */
static real plain_power(int alpha, real r, real from, real cutoff)
{
  const real x = cutoff - from;
  const real scale = alpha * real_pow(cutoff, -(alpha + 2)) / (x * x);
  const real A = -scale * ((alpha + 4) * cutoff - (alpha + 1) * from);
  const real B = scale * ((alpha + 3) * cutoff - (alpha + 1) * from) / x;
  const real lower = r > from ? r - from : 0;
  return real_pow(r, -alpha) - real_pow(cutoff, -alpha) +
         A * (x * x * x - lower * lower * lower) / 3 +
         B * (x * x * x * x - lower * lower * lower * lower) / 4;
}

static real plain_energy(const real *q, int molecules, real side, real from, real cutoff)
{
  const real charge[3] = {R(-0.8476), R(0.4238), R(0.4238)};
  const real a6 = real_pow(R(0.37122), 6), b12 = real_pow(R(0.3428), 12);
  real sum = 0;
  for (int i = 0; i < 3 * molecules; i++)
    for (int j = 0; j < i; j++) {
      real square = 0;
      for (int k = 0; k < 3; k++) {
        real d = q[3 * i + k] - q[3 * j + k];
        d -= side * real_floor(d / side + R(0.5));
        square += d * d;
      }
      const real r = real_sqrt(square);
      if (i / 3 == j / 3 || r >= cutoff)
        continue;
      sum +=
          R(138.935457644382035) * charge[i % 3] * charge[j % 3] * plain_power(1, r, from, cutoff);
      if (i % 3 == 0 && j % 3 == 0)
        sum += b12 * plain_power(12, r, from, cutoff) - a6 * plain_power(6, r, from, cutoff);
    }
  return sum;
}

static real energy_of(const struct bound_problem *b, const real *q)
{
  real value = 0;
  if (b->instance.system.potential(b->instance.system.context, &value, 0, q) != 0)
    tap_ok(false, "the potential has a value");
  return value;
}

static void check_box(const char *spec, int molecules, const char *density, real from, real cutoff)
{
  PROBLEM b = bind_or_stop("%s", spec);
  real gram;
  shk_real_parse(&gram, density);
  const real side = real_pow(molecules * R(18.0154) / (R(602.214076) * gram), R(1.0) / 3);
  const real plain = plain_energy(b->q, molecules, side, from, cutoff);
  const real own = energy_of(b, b->q);
  tap_is_near((double)((own - plain) / real_fabs(plain)), 0, (double)(1000 * REAL_EPSILON),
              "%s: the energy is that of a plain sum, %.6g", spec, (double)plain);
  /* Molecules moved by whole boxes are where they were. */
  const int n = b->instance.system.n;
  for (int i = 0; i < n; i++)
    b->H_q[i] = b->q[i] + side * ((i / 9) % 4 - 2 + i % 3);
  tap_is_near((double)((energy_of(b, b->H_q) - own) / real_fabs(own)), 0,
              (double)(30000 * REAL_EPSILON), "%s: and of its images", spec);
  /* No force on the whole. */
  shk_gradient(&b->evaluator, b->H_q, 0, b->q, NULL);
  real total[3] = {0, 0, 0};
  for (int i = 0; i < n; i++)
    total[i % 3] += b->H_q[i];
  tap_is_near((double)(max_norm(total, 3) / max_norm(b->H_q, n)), 0, (double)(100 * REAL_EPSILON),
              "%s: forces add up to nothing", spec);
  for (int at = 0; at <= 4; at += 4) { /* of an oxygen, of a hydrogen */
    const real kept = b->q[at];
    real value;
    b->q[at] = (real)NAN;
    tap_ok(b->instance.system.potential(b->instance.system.context, &value, 0, b->q) > 0 &&
               b->instance.system.gradient(b->instance.system.context, b->H_q, 0, b->q) > 0,
           "%s: where coordinate %d is no number there is no energy", spec, at);
    b->q[at] = kept;
  }
}

static void check_tip3p(void)
{
  PROBLEM a = bind_or_stop("water(model=tip3p)");
  /* 104.52 degrees; 0.9572 Å. */
  const real *q = a->q;
  real u[3], v[3];
  for (int k = 0; k < 3; k++) {
    u[k] = q[3 + k] - q[k];
    v[k] = q[6 + k] - q[k];
  }
  const real cosine = real_dot(u, v, 3) / real_sqrt(real_dot(u, u, 3) * real_dot(v, v, 3));
  tap_is_near((double)(real_acos(cosine) * 180 / REAL_PI), 104.52, 1e-10, "TIP3P: its angle");
  tap_is_near((double)real_sqrt(real_dot(u, u, 3)), 0.09572, 1e-15, "TIP3P: its bond");
}

static void check_refusals(void)
{
  static const char *const refused[] = {"water-box(molecules=27)", "water-box(switch=0.6)",
                                        "water-box(molecules=1)", "alkane(carbons=3)"};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    struct shk_message error = {""};
    PROBLEM b = bind_problem(refused[i], NULL, &error);
    tap_ok(!b && error.text[0] != '\0', "%s: is refused: %s", refused[i], error.text);
  }
}

/* ---- alkanes ---- */

/* Kelvin; the published curve: trans 0, gauche minimum 352 K (0.70 kcal/mol), cis 5388 K (10.7
 * kcal/mol), and 1485 K (2.95 kcal/mol) on the barrier at 60 degrees. */
static void check_torsion(void)
{
  static const struct {
    const char *angle;
    double kelvin;
  } cases[] = {{"0", 0}, {"60deg", 1485.375}, {"120deg", 352.125}, {"180deg", 5388}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    PROBLEM b = bind_or_stop("alkane(torsion=%s)", cases[i].angle);
    const real value = energy_of(b, b->q) / SHK_GAS_CONSTANT;
    tap_is_near((double)value, cases[i].kelvin, (double)(1e8 * REAL_EPSILON),
                "butane: the torsion energy at %s", cases[i].angle);
  }
}

static void check_alkane(void)
{
  PROBLEM b = bind_or_stop("alkane(carbons=7,angles=harmonic,torsion=70deg)");
  const real *q = b->q;
  real bonds[6][3], worst_bond = 0, worst_angle = 0, worst_torsion = 0;
  for (int i = 0; i < 6; i++) {
    for (int k = 0; k < 3; k++)
      bonds[i][k] = q[3 * (i + 1) + k] - q[3 * i + k];
    worst_bond = real_max(worst_bond, real_fabs(shk_distance(NULL, bonds[i], 3) - R(0.153)));
  }
  for (int i = 0; i + 1 < 6; i++) {
    const real cosine = -real_dot(bonds[i], bonds[i + 1], 3) / (R(0.153) * R(0.153));
    worst_angle = real_max(worst_angle, real_fabs(cosine + R(1.0) / 3));
  }
  for (int i = 0; i + 2 < 6; i++) { /* by the planes' normals, whose angle is 0 for cis */
    const real *a = bonds[i], *c = bonds[i + 1], *d = bonds[i + 2];
    real m[3], n[3];
    for (int k = 0; k < 3; k++) {
      m[k] = a[(k + 1) % 3] * c[(k + 2) % 3] - a[(k + 2) % 3] * c[(k + 1) % 3];
      n[k] = c[(k + 1) % 3] * d[(k + 2) % 3] - c[(k + 2) % 3] * d[(k + 1) % 3];
    }
    const real cosine = -real_dot(m, n, 3) / real_sqrt(real_dot(m, m, 3) * real_dot(n, n, 3));
    worst_torsion = real_max(worst_torsion, real_fabs(cosine - real_cos(70 * REAL_PI / 180)));
  }
  const double near = (double)(1000 * REAL_EPSILON);
  tap_is_near((double)worst_bond, 0, near, "alkane: bonds of 0.153 nm");
  tap_is_near((double)worst_angle, 0, near, "alkane: tetrahedral angles");
  tap_is_near((double)worst_torsion, 0, near, "alkane: torsions of 70 degrees from trans");

  /* Sites 1 and 5, 2 and 6, 3 and 7; 1 and 6, 2 and 7; 1 and 7: with the torsions all of V. */
  const real x = real_cos(70 * REAL_PI / 180);
  real sum = 4 * (1116 + x * (1462 + x * (-1578 + x * (-368 + x * (3156 - 3788 * x)))));
  for (int i = 0; i < 7; i++)
    for (int j = i + 4; j < 7; j++) {
      const real r = R(0.3923) / shk_distance(q + 3 * i, q + 3 * j, 3);
      sum += 288 * (real_pow(r, 12) - real_pow(r, 6));
    }
  tap_is_near((double)(energy_of(b, q) / (SHK_GAS_CONSTANT * sum) - 1), 0, 100 * near,
              "alkane: its energy");
}

int main(void)
{
  check_box("water-box(molecules=64)", 64, "0.997", 0, R(0.6));
  /* Three cells a side, and four. */
  check_box("water-box(molecules=64,density=0.2,cutoff=0.5,switch=0.3)", 64, "0.2", R(0.3), R(0.5));
  check_box("water-box(molecules=150,density=0.2,cutoff=0.5,switch=0.4)", 150, "0.2", R(0.4),
            R(0.5));
  check_tip3p();
  check_refusals();
  check_torsion();
  check_alkane();
  return tap_done();
}

/*
 * A free ring of N = 4, 5 or 6 equal beads in space, pushed out of its plane:
 *
 *     H = Σ |p_i|²/(2m) - F Σ w_i z_i        0 = ½ (|r_j - r_i|² - d_ij²)
 *
 * There is one row for every bond, j = i + 1, and with angles = yes also one for every distance
 * between second neighbours, j = i + 2. The d_ij are the initial distances. Initially, the ring is
 * a regular polygon with side L in the plane, lifted by z_i = ε L w_i, with w_i = (-1)^i for N = 4
 * and 6 and w_i = cos(4π i/5) for N = 5. The ring rotates about an oblique axis.
 *
 * Without the angles, the rank drops only if all beads are collinear. With the angles, the rank in
 * space is 6 for N = 4, 9 (with 10 rows) for N = 5, and 12 for N = 6. At ε = 0, all rows are in the
 * plane, the rank is 5, 7 and 9 (2N - 3), respectively, and no row resists F. The smallest singular
 * value is proportional to ε, and λ to 1/ε. A ring whose angles add up to less than (N - 2) π
 * cannot become flat.
 *
 * The constraint force is -Gᵀλ. The system is ours. For the rank of a framework in the plane (2N -
 * 3) and in space (3N - 6), see J. C. Maxwell, Phil. Mag. 27 (1864) 294.
 */
#include "problems/kit/points.h"
#include "problems/kit/problem.h"

enum { MOST = 6 };

struct puckered {
  struct shk_rods rods;
  struct shk_rod list[2 * MOST];
  struct shk_picture picture;
  struct shk_picture_line lines[2 * MOST];
  real mass[3 * MOST], length, pucker, force, rate;
  long beads;
  bool angles;
};

/* w_i. */
static real ring_weight(const struct puckered *s, int i)
{
  return s->beads == 5 ? real_cos(4 * REAL_PI * i / 5) : i % 2 == 0 ? 1 : -1;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct puckered *s = context;
  *value = 0;
  for (int i = 0; i < s->beads; i++)
    *value -= s->force * ring_weight(s, i) * q[3 * i + 2];
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct puckered *s = context;
  for (int i = 0; i < s->beads; i++) {
    out[3 * i] = out[3 * i + 1] = 0;
    out[3 * i + 2] = -s->force * ring_weight(s, i);
  }
  return 0;
}

static int start_puckered_ring(const void *context, real *q, real *p)
{
  const struct puckered *s = context;
  const real turn = 2 * REAL_PI / s->beads, radius = s->length / (2 * real_sin(turn / 2));
  const real axis[3] = {R(0.4) * s->rate, R(-0.3) * s->rate, s->rate};
  for (int i = 0; i < s->beads; i++) {
    real *r = q + 3 * i;
    r[0] = radius * real_cos(turn * i);
    r[1] = radius * real_sin(turn * i);
    r[2] = s->pucker * s->length * ring_weight(s, i);
    shk_cross(p + 3 * i, axis, r);
    for (int j = 0; j < 3; j++)
      p[3 * i + j] *= s->mass[0];
  }
  return 0;
}

static void join_puckered_ring(struct puckered *s, const real *q, int i, int j)
{
  const int a = i < j ? i : j, b = i < j ? j : i;
  struct shk_rod *rod = &s->list[s->rods.count];
  real d[3];
  *rod = (struct shk_rod){a, b, 0};
  shk_rods_vector(d, &(struct shk_rods){3, 1, rod, NULL}, 0, q, NULL);
  rod->square = real_dot(d, d, 3);
  s->rods.count++;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct puckered *s = context;
  real q[3 * MOST], p[3 * MOST];
  const int beads = (int)s->beads;
  for (int i = 1; i < 3 * beads; i++)
    s->mass[i] = s->mass[0];
  start_puckered_ring(s, q, p);
  s->rods = (struct shk_rods){3, 0, s->list, NULL};
  for (int i = 0; i < beads; i++)
    join_puckered_ring(s, q, i, (i + 1) % beads);
  for (int i = 0; s->angles && i < (beads == 4 ? 2 : beads); i++)
    join_puckered_ring(s, q, i, (i + 2) % beads);
  instance->system.n = 3 * beads;
  SHK_TRY(shk_rods_bind(instance, &s->rods));
  instance->system.mass = s->mass;
  shk_set_times(instance, 1 + real_fabs(s->rate), R(7.3));
  instance->undecidable = SHK_LINEAR_POTENTIAL;
  instance->start = start_puckered_ring;
  for (int i = 0; i < s->rods.count; i++)
    s->lines[i] = (struct shk_picture_line){s->list[i].a, s->list[i].b, false};
  s->picture = (struct shk_picture){SHK_PICTURE_SPACE(2, (int)s->beads),
                                    .line_count = s->rods.count, .lines = s->lines};
  instance->picture = &s->picture;
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_INTEGER(puckered, beads, "beads", "4", "number N of beads", .minimum = "4", .maximum = "6"),
    SHK_REAL(puckered, pucker, "pucker", "0.1",
             "ε; if it is 0, the ring is flat, which is singular with angles=yes"),
    SHK_FLAG(puckered, angles, "angles", "yes",
             "keep the distances between second neighbours constant"),
    SHK_REAL(puckered, force, "force", "1", "force F out of the plane"),
    SHK_REAL(puckered, rate, "rate", "0.5", "rate of rotation, in radians per unit time"),
    SHK_LENGTH(puckered, length),
    SHK_MASS(puckered, mass[0]),
    {0}};

static const struct shk_system puckered_system = {
    .n = 3 * MOST, SHK_POTENTIAL, SHK_RODS_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    puckered_ring, puckered, &puckered_system, .name = "puckered-ring",
    .family = "molecules and particles",
    .summary = "a ring of beads in space near its flat shape, where bonds and angles lose rank",
    .equations = "H = Σ |p_i|²/(2m) - F Σ w_i z_i\n"
                 "0 = ½ (|r_j - r_i|² - d_ij²),  j = i + 1 and, with angles, j = i + 2\n"
                 "start: a regular polygon, z_i = ε L w_i",
    .citation = "our own; ranks after J. C. Maxwell, Phil. Mag. 27 (1864) 294",
    .units = "dimensionless", .coordinates = "q = (r_1, …, r_N), r = (x, y, z)");

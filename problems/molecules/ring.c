/*
 * A ring of four equal beads joined by rods of equal length, which moves freely in the plane. The
 * ring is a rhombus that opens and closes. Whenever the ring is flat, the constraints are singular.
 *
 *     H = Σ |p_i|²/(2m)          0 = ½ (|r_{i+1} - r_i|² - L²),  i = 1 … 4, r_5 = r_1
 *
 * If the initial state is symmetric about the centre of mass, the motion remains symmetric:
 * relative to the centre of mass, r_1 = -r_3 and r_2 = -r_4 are at right angles, with |r_1| = L cos
 * θ and |r_2| = L sin θ. The moment of inertia 2mL² does not depend on θ, so the opening angle and
 * the orientation both change uniformly,
 *
 *     r_1 = L cos θ e(α),  r_2 = L sin θ e(α + 90°),   θ = θ₀ + ω t,  α = α₀ + Ω t,
 *     λ_1 = λ_3 = ½ m (ω - Ω)²,   λ_2 = λ_4 = ½ m (ω + Ω)²
 *
 * where e is a unit vector and the constraint force is -Gᵀλ. This solution is exact. The ring is
 * flat when sin 2θ = 0: two beads meet in the middle and pass through each other, all rods are in
 * one line, and the rank of G drops by one. On the other branches that begin there, the ring folds:
 * two beads stay together, and the other two turn about them. λ remains constant throughout. The
 * solution is ours and has not been published elsewhere.
 */
#include "problems/kit/points.h"
#include "problems/kit/problem.h"

struct ring {
  struct shk_rods rods;
  struct shk_rod list[4];
  real mass[8], length, opening, rate, direction, rotation, drift[2];
};

static int gradient(const void *context, real *out, real t, const real *q)
{
  for (int i = 0; i < 8; i++)
    out[i] = 0;
  return 0;
}

static void place_ring(const struct ring *s, real *q, real *p, real t)
{
  const real theta = s->opening + s->rate * t, alpha = s->direction + s->rotation * t;
  const real c = s->length * real_cos(theta), d = s->length * real_sin(theta);
  const real e[2] = {real_cos(alpha), real_sin(alpha)}, f[2] = {-e[1], e[0]}; /* f: e turned */
  for (int j = 0; j < 2; j++) {
    const real r[2] = {c * e[j], d * f[j]};
    const real v[2] = {-d * s->rate * e[j] + c * s->rotation * f[j],
                       c * s->rate * f[j] - d * s->rotation * e[j]};
    for (int i = 0; i < 4; i++) {
      const real sign = i < 2 ? 1 : -1;
      q[2 * i + j] = s->drift[j] * t + sign * r[i % 2];
      p[2 * i + j] = s->mass[0] * (s->drift[j] + sign * v[i % 2]);
    }
  }
}

static int start_ring(const void *context, real *q, real *p)
{
  place_ring(context, q, p, 0);
  return 0;
}

static int exact(const void *context, real *q, real *p, real *lambda, real t)
{
  const struct ring *s = context;
  place_ring(s, q, p, t);
  /* Rods 12, 23, 34, 41. */
  for (int i = 0; i < 4; i++) {
    const real rate = i % 2 == 0 ? s->rate - s->rotation : s->rate + s->rotation;
    lambda[i] = s->mass[0] * rate * rate / 2;
  }
  return 0;
}

static int crossings(const void *context, real *times, int limit, real until)
{
  const struct ring *s = context;
  enum { MOST = 1000000 };
  const real quarter = REAL_PI / 2, rate = real_fabs(s->rate);
  const real theta = s->rate < 0 ? -s->opening : s->opening;
  int count = 0;
  if (rate == 0)
    return 0;
  for (real j = real_floor(theta / quarter);; j++) {
    const real t = (j * quarter - theta) / rate;
    if (!(t <= until) || count == MOST)
      return count;
    if (t > 0 && count++ < limit)
      times[count - 1] = t;
  }
}

static const char *const names[] = {"momentum-x", "momentum-y", "angular-momentum"};

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  shk_total_momentum(values, p, 4, 2);
  values[2] = 0;
  for (int i = 0; i < 4; i++)
    values[2] += q[2 * i] * p[2 * i + 1] - q[2 * i + 1] * p[2 * i];
  return 0;
}

static const char *const branch_names[] = {"rhombus-defect"};

/* Stores |(r_1 + r_3) - (r_2 + r_4)|/L, which is zero for a rhombus. A quadrilateral with equal
 * sides that is not a rhombus is folded. */
static int branch(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct ring *s = context;
  real d[2];
  for (int j = 0; j < 2; j++)
    d[j] = q[j] + q[4 + j] - q[2 + j] - q[6 + j];
  values[0] = shk_distance(NULL, d, 2) / s->length;
  return 0;
}

static const struct shk_picture_line sides[] = {
    {0, 1, false}, {1, 2, false}, {2, 3, false}, {3, 0, false}};
static const struct shk_picture picture = {SHK_PICTURE_PLANE(4), SHK_PICTURE_LINES(sides)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct ring *s = context;
  for (int i = 1; i < 8; i++)
    s->mass[i] = s->mass[0];
  for (int i = 0; i < 4; i++)
    s->list[i] = (struct shk_rod){i < 3 ? i : 0, i < 3 ? i + 1 : 3, s->length * s->length};
  s->rods = (struct shk_rods){2, 4, s->list, NULL};
  SHK_TRY(shk_rods_bind(instance, &s->rods));
  instance->system.mass = s->mass;
  const real fastest = real_fabs(s->rate) + real_fabs(s->rotation);
  shk_set_times(instance, fastest, R(17.3));
  instance->undecidable = SHK_FREE_MOTION | SHK_LINEAR_POTENTIAL;
  if (s->rate == 0 || s->rotation == 0)
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start_ring;
  instance->picture = &picture;
  instance->exact = exact;
  instance->crossings = crossings;
  shk_set_invariants(instance, 3, names, invariants);
  shk_set_branch(instance, branch_names, branch);
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_LENGTH(ring, length),
    SHK_MASS(ring, mass[0]),
    SHK_ANGLE(
        ring, opening, "opening", "0.9",
        "initial θ, half the angle at beads 1 and 3; if it is 0, the ring is flat and singular"),
    SHK_REAL(ring, rate, "rate", "-1", "rate ω of θ, in radians per unit time"),
    SHK_ANGLE(ring, direction, "direction", "0.3",
              "initial angle α of the diagonal from bead 3 to bead 1"),
    SHK_REAL(ring, rotation, "rotation", "0.4", "rate Ω of α, in radians per unit time"),
    SHK_REAL(ring, drift[0], "drift-x", "0.2", "velocity of the centre of mass along x"),
    SHK_REAL(ring, drift[1], "drift-y", "-0.1", "velocity of the centre of mass along y"),
    {0}};

static const struct shk_system ring_system = {
    .n = 8, .potential = shk_no_potential, .gradient = gradient, SHK_RODS_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    ring, ring, &ring_system, .name = "ring", .family = "molecules and particles",
    .summary =
        "a free ring of four rods that opens and closes through its flat shape; exact solution",
    .equations = "H = Σ |p_i|²/(2m)\n"
                 "0 = ½ (|r_{i+1} - r_i|² - L²),  i = 1 … 4, r_5 = r_1\n"
                 "exact: r_1 = -r_3 = L cos θ e(α), r_2 = -r_4 = L sin θ e(α + 90°) about "
                 "the centre of mass, θ' and α' constant",
    .citation = "our own; the constraints are those of a four-bar linkage with equal sides (J. "
                "García de Jalón & E. Bayo, Kinematic and Dynamic Simulation of Multibody "
                "Systems, Springer 1994)",
    .units = "dimensionless", .coordinates = "q = (r_1, r_2, r_3, r_4), r = (x, y)");

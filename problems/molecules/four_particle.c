/*
 * Gonzalez's closed system of four particles in space, joined by two rigid links and two nonlinear
 * springs.
 *
 *     H = Σ |p_i|²/(2 m_i) + ½ k13 (|r_3 - r_1|² - l13²)² + ½ k24 (|r_4 - r_2|² - l24²)²
 *     0 = ½ (|r_2 - r_1|² - L12²)        0 = ½ (|r_4 - r_3|² - L34²)
 *
 * q = (r_1, r_2, r_3, r_4), and the constraint force is -Gᵀλ. Initially, the particles are at the
 * corners of the unit square (0,0,0), (1,0,0), (0,1,0), (1,1,0), and the links and springs have
 * their natural lengths, all 1. The fourth particle has momentum `kick` along z, and the first has
 * momentum `push` along y. With push = 0, the initial state is the published one, which is its own
 * mirror image in the plane z = 0 up to a reversal of time. For such an initial state, some methods
 * look better than they are, so `push` is nonzero by default. The invariants are all components of
 * momentum and angular momentum. There is no exact solution. The relative motion is chaotic: by the
 * generic horizon, an initial error has grown by a factor of about ten.
 *
 * Source: O. Gonzalez, Mechanical systems subject to holonomic constraints: differential-algebraic
 * formulations and conservative integration, Physica D 132 (1999) 165. The masses, stiffnesses and
 * potential are taken from later comparisons of energy-momentum schemes; `push` is ours.
 */
#include "problems/kit/points.h"
#include "problems/kit/problem.h"

#include <string.h>

enum { PARTICLES = 4, N = 3 * PARTICLES, LINKS = 2 };

struct spring {
  int a, b;
  real stiffness;
};

struct four {
  struct shk_rods rods;
  struct shk_rod links[LINKS];
  struct spring springs[2]; /* both springs have natural length 1 */
  real mass[N], kick, push;
};

/* Returns |r_b - r_a|² - 1. */
static real excess_of_length(const struct spring *spring, const real *q)
{
  const real *a = q + 3 * spring->a, *b = q + 3 * spring->b;
  real square = 0;
  for (int j = 0; j < 3; j++)
    square += (b[j] - a[j]) * (b[j] - a[j]);
  return square - 1;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct four *s = context;
  *value = 0;
  for (int i = 0; i < 2; i++) {
    const real e = excess_of_length(&s->springs[i], q);
    *value += s->springs[i].stiffness * e * e / 2;
  }
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct four *s = context;
  memset(out, 0, N * sizeof *out);
  for (int i = 0; i < 2; i++) {
    const struct spring *spring = &s->springs[i];
    const int a = 3 * spring->a, b = 3 * spring->b;
    const real pull = 2 * spring->stiffness * excess_of_length(spring, q);
    for (int j = 0; j < 3; j++) {
      out[a + j] -= pull * (q[b + j] - q[a + j]);
      out[b + j] += pull * (q[b + j] - q[a + j]);
    }
  }
  return 0;
}

static int start_four_particle(const void *context, real *q, real *p)
{
  const struct four *s = context;
  static const int corners[N] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
  for (int i = 0; i < N; i++) {
    q[i] = corners[i];
    p[i] = 0;
  }
  p[1] = s->push;
  p[11] = s->kick;
  return 0;
}

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  shk_total_momentum(values, p, PARTICLES, 3);
  shk_angular_momentum(values + 3, q, p, PARTICLES);
  return 0;
}

static const struct shk_picture_line lines[] = {
    {0, 1, false}, {2, 3, false}, {0, 2, true}, {1, 3, true}};
static const struct shk_picture picture = {SHK_PICTURE_SPACE(1, PARTICLES),
                                           SHK_PICTURE_LINES(lines)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct four *s = context;
  shk_bind_masses(instance, s->mass, PARTICLES, 3);
  s->links[0] = (struct shk_rod){0, 1, 1};
  s->links[1] = (struct shk_rod){2, 3, 1};
  s->rods = (struct shk_rods){3, LINKS, s->links, NULL};
  SHK_TRY(shk_rods_bind(instance, &s->rods));
  s->springs[0].b = 2;
  s->springs[1].a = 1;
  s->springs[1].b = 3;
  /* The rate of the faster spring at its natural length, where V'' = 4 k l², or the rate of the
   * fastest particle. */
  const real spring13 = 4 * s->springs[0].stiffness * (1 / s->mass[0] + 1 / s->mass[6]);
  const real spring24 = 4 * s->springs[1].stiffness * (1 / s->mass[3] + 1 / s->mass[9]);
  const real speed = real_max(real_fabs(s->push) / s->mass[0], real_fabs(s->kick) / s->mass[9]);
  const real fastest = real_max(real_sqrt(real_max(spring13, spring24)), speed);
  shk_set_times(instance, fastest, R(57.3));
  instance->undecidable = SHK_CHAOTIC;
  if (s->springs[0].stiffness == 0 && s->springs[1].stiffness == 0)
    instance->undecidable |= SHK_LINEAR_POTENTIAL | SHK_FREE_MOTION;
  /* the initial state is its own mirror image in the plane or in time */
  if (s->push == 0 || s->kick == 0)
    instance->undecidable |= SHK_SYMMETRIC_START;
  instance->start = start_four_particle;
  instance->picture = &picture;
  shk_set_invariants(instance, 6, shk_momentum_names(), invariants);
  return shk_ok();
}

#define MASS(number, value)                                                                        \
  SHK_REAL(four, mass[3 * (number - 1)], "mass" #number, value, "mass of particle " #number,       \
           SHK_POSITIVE)

static const struct shk_option options[] = {
    MASS(1, "1"),
    MASS(2, "3"),
    MASS(3, "2.3"),
    MASS(4, "1.7"),
    SHK_REAL(four, springs[0].stiffness, "stiffness13", "50",
             "stiffness k13 of the spring from particle 1 to 3, of natural length 1",
             .minimum = "0"),
    SHK_REAL(four, springs[1].stiffness, "stiffness24", "500",
             "stiffness k24 of the spring from particle 2 to 4, of natural length 1",
             .minimum = "0"),
    SHK_REAL(four, kick, "kick", "2", "initial momentum of particle 4 along z"),
    SHK_REAL(four, push, "push", "1",
             "initial momentum of particle 1 along y; 0: the start used in the literature"),
    {0}};

static const struct shk_system four_particle_system = {.n = N, SHK_POTENTIAL, SHK_RODS_CONSTRAINT};

SHK_PROVIDE_PROBLEM(
    four_particle, four, &four_particle_system, .name = "four-particle",
    .family = "molecules and particles",
    .summary = "four particles with two rigid links and two nonlinear springs (Gonzalez)",
    .equations = "H = Σ |p_i|²/(2 m_i) + ½ k13 (|r_3 - r_1|² - 1)² + ½ k24 (|r_4 - r_2|² - 1)²\n"
                 "0 = ½ (|r_2 - r_1|² - 1),  0 = ½ (|r_4 - r_3|² - 1)\n"
                 "start: (0,0,0), (1,0,0), (0,1,0), (1,1,0); p_1 = (0, push, 0), "
                 "p_4 = (0, 0, kick)",
    .citation = "O. Gonzalez, Physica D 132 (1999) 165-174", .units = "dimensionless",
    .coordinates = "q = (r_1, r_2, r_3, r_4), r = (x, y, z)");

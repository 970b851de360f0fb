/*
 * A chain of N links, anchored at the origin, in 2 or 3 dimensions:
 *
 *     H = Σ |p_i|²/(2m_i) + g Σ m_i h_i + ½ k Σ (|r_{i+2} - r_i| - 3d/2)²,  m_i = m c^(i-1)
 *     0 = ½ (|r_i - r_{i-1}|² - d²),  i = 1 … N,  r_0 = 0
 *
 * q = (r_1, …, r_N). In the plane, r = (x,y) and the height is h = y; in space, r = (x,y,z) and h =
 * z. The constraint force is -Gᵀλ. Each link has length d, and its mass is at the outer end. By
 * default (c = 1), all masses are equal. With spring = k > 0, a spring of natural length 3d/2 joins
 * every second bead, including the anchor (i = 0 … N-2). The potential is then nonlinear, and the
 * force of a spring vanishes if the angle between its two links is about 97 degrees.
 *
 * G has 2 blocks per row, and A = G M⁻¹ Gᵀ is tridiagonal. There are three initial states:
 *   horizontal  along +x, at rest
 *   zigzag      in the plane of x and the height, link i is at the angle θ_i = 0.4 (-1)ⁱ + 0.05 i
 *               from the downward vertical and turns at the rate 0.1 i
 *   random      a freely jointed chain. The directions are uniform on the circle or sphere. The
 *               velocities have a standard Gaussian distribution in each coordinate and are then
 *               made tangent: v <- v - M⁻¹Gᵀ A⁻¹ G v. Random numbers are drawn as in
 *               problems/kit/draw.h, so the state is the same in double and quad up to round-off.
 *
 * The motion is chaotic for N >= 2. For N = 10, an initial error grows by a factor of about three
 * (horizontal) to ten (zigzag, random) by the horizon, which is 2.3 time scales. There is no exact
 * solution. In space, the angular momentum about the vertical is conserved. Without gravity, the
 * entire angular momentum is conserved, both in space and in the plane. Where two links fold onto
 * each other, the potential of the springs has a kink at which every method loses its order.
 * Motions that start from horizontal or zigzag stay away from the kink, and motions in space that
 * start from random come no closer to it than a fraction of d. In the plane, a motion that starts
 * from random passes the kink before the horizon, so use the other initial states to measure
 * orders.
 */
#include "problems/kit/draw.h"
#include "problems/kit/problem.h"
#include "problems/kit/sites.h"

enum start_kind { HORIZONTAL, ZIGZAG, RANDOM };

struct chain {
  /* must come first because the callbacks of sites.h use it as their context */
  struct shk_sites sites;
  long links, dimension, seed;
  int start;                                         /* enum start_kind */
  real mass, ratio, gravity, weight, length, spring; /* m, c, g, m g, d, k */
  real anchor[3], fall[3];
  struct shk_terms terms; /* terms of the potential */
};

/* Stores the vector from bead i - 1 to bead i. Bead 0 is the anchor. */
static inline void link_vector(real *out, const real *r, int i, int dimension)
{
  const real *outer = r + (size_t)(i - 1) * (size_t)dimension;
  for (int j = 0; j < dimension; j++)
    out[j] = i == 1 ? outer[j] : outer[j] - outer[j - dimension];
}

/* Returns bead i, or NULL for the anchor. */
static inline const real *bead_position(const real *q, int i, int dimension)
{
  return i == 0 ? NULL : q + (size_t)(i - 1) * (size_t)dimension;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct chain *s = context;
  const int dimension = s->sites.dimension;
  real heights = 0, relative = 1;
  for (int i = 1; i <= s->sites.count; i++, relative *= s->ratio)
    heights += relative * bead_position(q, i, dimension)[dimension - 1];
  *value = s->weight * heights;
  if (s->spring == 0)
    return 0;
  real stretches = 0;
  for (int i = 0; i + 2 <= s->sites.count; i++) {
    const real stretch = shk_distance(bead_position(q, i, dimension),
                                      bead_position(q, i + 2, dimension), dimension) -
                         3 * s->length / 2;
    stretches += stretch * stretch;
  }
  *value += s->spring * stretches / 2;
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct chain *s = context;
  const int dimension = s->sites.dimension;
  real relative = 1;
  for (int i = 0; i < s->sites.count * dimension; i += dimension, relative *= s->ratio) {
    out[i] = 0;
    if (dimension == 3)
      out[i + 1] = 0;
    out[i + dimension - 1] = relative * s->weight;
  }
  if (s->spring == 0)
    return 0;
  for (int i = 0; i + 2 <= s->sites.count; i++) {
    const real *a = bead_position(q, i, dimension), *b = bead_position(q, i + 2, dimension);
    const real length = shk_distance(a, b, dimension);
    if (length == 0)
      /* the direction is undefined; the failure is recoverable because another step may avoid this
       * point */
      return 1;
    const real pull = s->spring * (1 - 3 * s->length / (2 * length));
    for (int j = 0; j < dimension; j++) {
      const real force = pull * (!a ? b[j] : b[j] - a[j]);
      out[b - q + j] += force;
      if (a)
        out[a - q + j] -= force;
    }
  }
  return 0;
}

/* Stores the angular momenta. In space, these are the component about the vertical and, without
 * gravity, the components about x and y. In the plane, there is only the angular momentum about the
 * anchor. */
static const char *const space_names[] = {"vertical-angular-momentum", "angular-momentum-x",
                                          "angular-momentum-y"};
static const char *const plane_names[] = {"angular-momentum"};

static int invariants(const void *context, real *values, real t, const real *q, const real *p)
{
  const struct chain *s = context;
  const int dimension = s->sites.dimension;
  real about[3] = {0, 0, 0};
  for (int i = 0; i < s->sites.count * dimension; i += dimension) {
    about[0] += q[i] * p[i + 1] - q[i + 1] * p[i];
    if (dimension == 3) {
      about[1] += q[i + 1] * p[i + 2] - q[i + 2] * p[i + 1];
      about[2] += q[i + 2] * p[i] - q[i] * p[i + 2];
    }
  }
  const int count = dimension == 3 && s->weight == 0 ? 3 : 1;
  for (int i = 0; i < count; i++)
    values[i] = about[i];
  return 0;
}

/* ---- initial states: q, and velocities instead of p ---- */

/* Appends link i, which has the unit vector u and velocity w, to the existing beads. */
static void add_link(const struct chain *s, real *q, real *v, int i, const real *u, const real *w)
{
  const int dimension = s->sites.dimension;
  real *r = q + (size_t)(i - 1) * (size_t)dimension, *rate = v + (r - q);
  for (int j = 0; j < dimension; j++) {
    r[j] = s->length * u[j] + (i > 1 ? r[j - dimension] : 0);
    rate[j] = w[j] + (i > 1 ? rate[j - dimension] : 0);
  }
}

static void start_horizontal(const struct chain *s, real *q, real *v)
{
  const real u[3] = {1, 0, 0}, w[3] = {0, 0, 0};
  for (int i = 1; i <= s->sites.count; i++)
    add_link(s, q, v, i, u, w);
}

static void start_zigzag(const struct chain *s, real *q, real *v)
{
  const int up = s->sites.dimension - 1;
  real u[3] = {0, 0, 0}, w[3] = {0, 0, 0};
  for (int i = 1; i <= s->sites.count; i++) {
    const real angle = (real)(i % 2 == 0 ? 2 : -2) / 5 + (real)i / 20;
    const real speed = s->length * (real)i / 10;
    u[0] = real_sin(angle);
    u[up] = -real_cos(angle);
    w[0] = speed * real_cos(angle);
    w[up] = speed * real_sin(angle);
    add_link(s, q, v, i, u, w);
  }
}

/* v <- v - Gᵀ (G Gᵀ)⁻¹ G v. This is the projection for equal masses, which cancel. The matrix is
 * tridiagonal, with |d_i|² or 2 |d_i|² on the diagonal and -d_i·d_{i+1} next to it. It is positive
 * definite, so elimination needs no pivoting. `work` has 2N numbers. */
static void make_tangent(const struct chain *s, const real *q, real *v, real *scratch)
{
  const int dimension = s->sites.dimension;
  real *upper = scratch, *x = scratch + s->sites.count;
  real d[3], before[3] = {0, 0, 0}, rate[3];
  for (int i = 1; i <= s->sites.count; i++) {
    link_vector(d, q, i, dimension);
    link_vector(rate, v, i, dimension);
    real pivot = real_dot(d, d, dimension) * (i == 1 ? 1 : 2);
    real right = real_dot(d, rate, dimension);
    if (i > 1) {
      const real beside = -real_dot(before, d, dimension);
      pivot -= beside * upper[i - 2];
      right -= beside * x[i - 2];
    }
    x[i - 1] = right / pivot;
    if (i < s->sites.count) {
      real after[3];
      link_vector(after, q, i + 1, dimension);
      upper[i - 1] = -real_dot(d, after, dimension) / pivot;
    }
    for (int j = 0; j < dimension; j++)
      before[j] = d[j];
  }
  for (int i = s->sites.count - 1; i >= 1; i--)
    x[i - 1] -= upper[i - 1] * x[i];
  for (int i = 1; i <= s->sites.count; i++) {
    link_vector(d, q, i, dimension);
    real *outer = v + (size_t)(i - 1) * (size_t)dimension;
    for (int j = 0; j < dimension; j++) {
      outer[j] -= x[i - 1] * d[j];
      if (i > 1)
        outer[j - dimension] += x[i - 1] * d[j];
    }
  }
}

static void start_random(const struct chain *s, real *q, real *v, real *scratch)
{
  const int n = s->sites.count * s->sites.dimension;
  const real w[3] = {0, 0, 0};
  uint64_t state = (uint64_t)s->seed;
  for (int i = 1; i <= s->sites.count; i++) {
    real u[3];
    shk_draw_direction(u, &state, s->sites.dimension);
    add_link(s, q, v, i, u, w);
  }
  shk_draw_gaussian(v, &state, n);
  /* The second pass corrects the round-off of the first. */
  make_tangent(s, q, v, scratch);
  make_tangent(s, q, v, scratch);
}

/* ---- creation ---- */

static struct shk_status place_links(struct chain *s, struct shk_workspace *workspace)
{
  real *q = s->sites.q, *p = s->sites.p, *scratch;
  if (s->start == HORIZONTAL) {
    start_horizontal(s, q, p);
  } else if (s->start == ZIGZAG) {
    start_zigzag(s, q, p);
  } else {
    SHK_TRY(shk_reals(workspace, &scratch, 2 * (size_t)s->sites.count));
    start_random(s, q, p, scratch);
  }
  real mass = s->mass;
  for (int i = 0; i < s->sites.count * s->sites.dimension; i++) {
    s->sites.mass[i] = mass;
    p[i] *= mass;
    mass *= (i + 1) % s->sites.dimension == 0 ? s->ratio : 1;
  }
  return shk_ok();
}

static struct shk_status declare_terms(struct shk_instance *instance, struct chain *s)
{
  struct shk_spring *springs = NULL;
  const int count = s->spring > 0 ? (int)s->links - 1 : 0;
  if (count > 0) {
    springs = shk_memory(instance->workspace, (size_t)count * sizeof *springs);
    SHK_TRY(shk_allocated(springs));
  }
  for (int i = 0; i < count; i++)
    springs[i] = (struct shk_spring){i - 1, i + 1, s->spring, 3 * s->length / 2};
  s->fall[s->dimension - 1] = -s->gravity;
  s->terms = (struct shk_terms){.gravity = s->fall, .spring_count = count, .springs = springs};
  instance->system.terms = &s->terms;
  return shk_ok();
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct chain *s = context;
  const int links = (int)s->links, dimension = (int)s->dimension;
  const real gravity = s->gravity;
  SHK_TRY(shk_sites_create(&s->sites, instance->workspace, dimension, links, links));
  s->sites.fixed = s->anchor;
  s->weight = s->mass * gravity;
  if (links < 2)
    s->spring = 0;
  for (int i = 0; i < links; i++)
    s->sites.rods[i] = (struct shk_rod){i - 1, i, s->length * s->length};
  SHK_TRY(shk_sites_bind(instance, &s->sites));
  SHK_TRY(declare_terms(instance, s));
  SHK_TRY(place_links(s, instance->workspace));
  if (s->weight != 0 || s->spring != 0) {
    instance->system.potential = potential;
    instance->system.gradient = gradient;
  }
  /* The shortest of three time scales: those of a link under gravity, of a spring, and of a
   * rotating link. */
  const real turning = s->start == HORIZONTAL ? 0
                       : s->start == ZIGZAG   ? (real)links / 10
                                              : 1 / s->length;
  const real forced = real_sqrt(gravity / s->length + s->spring / s->mass);
  shk_set_times(instance, real_max(forced, turning), R(2.3));
  if (s->spring == 0)
    instance->undecidable |=
        gravity > 0 ? SHK_LINEAR_POTENTIAL : SHK_LINEAR_POTENTIAL | SHK_FREE_MOTION;
  if (links >= 2)
    instance->undecidable |= SHK_CHAOTIC;
  else
    instance->undecidable |= dimension == 2 ? SHK_ONE_DEGREE_OF_FREEDOM : 0;
  if (s->start == HORIZONTAL)
    instance->undecidable |= SHK_SYMMETRIC_START;
  if (dimension == 3 || gravity == 0) {
    shk_set_invariants(instance, dimension == 3 && gravity == 0 ? 3 : 1,
                       dimension == 3 ? space_names : plane_names, invariants);
  }
  return shk_ok();
}

static const struct shk_option random_options[] = {
    SHK_INTEGER(chain, seed, "seed", "1", "seed of the random numbers", .minimum = "0"), {0}};

static const struct shk_choice starts[] = {
    {"horizontal", "along +x, at rest", NULL},
    {"zigzag",
     "link i at 0.4 (-1)^i + 0.05 i from the downward vertical, rotating at the rate 0.1 i", NULL},
    {"random",
     "freely jointed, with unit Gaussian velocities made tangent; in the plane, springs pass "
     "through the kink of their potential",
     random_options},
    {0}};

static const struct shk_option options[] = {
    SHK_INTEGER(chain, links, "links", "10", "number N of links", .minimum = "1",
                .maximum = "1000000"),
    SHK_INTEGER(chain, dimension, "dimension", "2",
                "dimension of space: 2 (x,y) or 3 (x,y,z); the last coordinate is the height",
                .minimum = "2", .maximum = "3"),
    SHK_REAL(chain, mass, "mass", "1", "mass m of the first link, at its outer end", SHK_POSITIVE),
    SHK_REAL(chain, ratio, "ratio", "1",
             "ratio c of the mass of each link to that of the one before", .minimum = "0.1",
             .maximum = "10"),
    SHK_REAL(chain, length, "length", "1", "length d of each link", SHK_POSITIVE),
    SHK_GRAVITY(chain, gravity),
    SHK_REAL(chain, spring, "spring", "0",
             "stiffness k of the springs of natural length 3d/2 between every second bead, "
             "including the anchor",
             .minimum = "0"),
    SHK_CHOICE(chain, start, "start", starts, "horizontal", "initial positions and velocities"),
    {0}};

SHK_PROVIDE_PROBLEM(
    chain, chain, NULL, .name = "chain", .family = "pendulums and chains",
    .summary = "chain of N links from a fixed anchor, scalable to 10⁶ links",
    .equations =
        "H = Σ |p_i|²/(2m_i) + g Σ m_i h_i + ½ k Σ (|r_(i+2) - r_i| - 3d/2)²,  m_i = m c^(i-1)\n"
        "0 = ½ (|r_i - r_(i-1)|² - d²),  i = 1 … N,  r_0 = 0",
    .citation = "E. Barth, K. Kuczera, B. Leimkuhler & R. D. Skeel, J. Comput. Chem. 16 "
                "(1995) 1192-1209 (tridiagonal constraint matrices of chains)",
    .units = "any consistent units; dimensionless by default",
    .coordinates = "q = (r_1, …, r_N), r = (x, y) with y upwards or (x, y, z) with z "
                   "upwards, the anchor at the origin");

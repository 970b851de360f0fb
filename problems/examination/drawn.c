/*
 * A random mechanism: point masses joined by rods to chains, trees, rings or a few clusters, in 2
 * or 3 dimensions, with springs between points that no rod joins:
 *
 *     H = Σ |p_i|²/(2m_i) - Σ m_i a·r_i + Σ k (|d|² - l²)²/(8l²)
 *     0 = ½ (|r_a - r_b|² - s²) for every rod (a,b)
 *
 * The springs' potential is near ½ k (|d| - l)² and a polynomial: it is smooth where points meet.
 * Random are: the number of points, the rods, their lengths and directions; masses, with uniform
 * logarithms from 1 to `ratio`; an anchor and its place; gravity (in one case of two), its
 * strength and direction; springs, with a stiffness at which two points alone would oscillate at a
 * rate of 0.5 to 1.5; velocities, Gaussian of half a length per unit of time, made tangent.
 * Branches of chains never fold back, and no ring is near a straight line: the constraints are
 * well conditioned at the start. Random numbers as in <shakedown/random.h>: the same system in
 * double and quad up to round-off. With `sways` there is gravity of strength 1 + ½ sin t and an
 * anchor: V depends on time. With `away` nothing is fixed, and the points start far from the origin
 * and move together.
 *
 * `length`, `mass` and `time` are the units of all numbers: the motion is the same for all of them.
 * constraint_scale is the square of the length, so that |g| is relative.
 *
 * The time scale is the shortest time at the start: of a spring, of gravity along the shortest rod,
 * of a rotating rod, and of the force along it, which is the stiffness across it. The horizon is
 * 2.3 time scales, as for `chain`; beyond it the motion is assumed to be chaotic. No exact
 * solution; Noether's invariants are found as for `particles`.
 */
#include "problems/kit/particles.h"
#include "problems/kit/problem.h"
#include <shakedown/random.h>

enum size { SMALL, MEDIUM, LARGE, HUGE };
enum shape { CHAIN, TREE, RING, CLUSTERS, SHAPES, ANY_SHAPE = SHAPES };
enum { ANCHOR, HOOK, FIXED }; /* fixed points: of a rod; of springs only */

struct drawn {
  struct shk_particles particles; /* first: the callbacks of sites.h use it as the context */
  long seed;
  int size, shape; /* enum size; enum shape */
  int dimension;   /* minus 2; 2: any */
  bool rests, sways;
  real ratio, length, mass, time, away;
  real *scale; /* of the constraints */
};

/* A system while it is generated. */
struct draft {
  struct drawn *s;
  struct shk_sites *sites;
  uint64_t random;
  int dimension, count, rods;
  bool anchored, hooked;
};

/* ---- numbers ---- */

/* Returns a random index below count. */
static int choose(struct draft *d, int count)
{
  return (int)(shk_random_next(&d->random) % (uint64_t)count);
}

static real between(struct draft *d, real least, real most)
{
  return least + (most - least) * shk_random_uniform(&d->random);
}

/* Draws a unit vector, uniformly. */
static void direction(struct draft *d, real *out)
{
  const real angle = 2 * REAL_PI * shk_random_uniform(&d->random);
  out[0] = real_cos(angle);
  out[1] = real_sin(angle);
  out[2] = 0;
  if (d->dimension == 3) { /* the height is uniform on a sphere (Archimedes) */
    const real height = 2 * shk_random_uniform(&d->random) - 1;
    const real across = real_sqrt((1 - height) * (1 + height));
    out[0] *= across;
    out[1] *= across;
    out[2] = height;
  }
}

static real *place(const struct draft *d, int point)
{
  return point < 0 ? d->s->particles.fixed + (-1 - point) * d->dimension
                   : d->sites->q + point * d->dimension;
}

/* ---- the mechanism ---- */

static void join(struct draft *d, int a, int b)
{
  d->sites->rods[d->rods++] =
      (struct shk_rod){a < b ? a : b, a < b ? b : a, 0}; /* lengths follow with the units */
}

static bool joined(const struct draft *d, int a, int b)
{
  for (int i = 0; i < d->rods; i++)
    if ((d->sites->rods[i].a == a && d->sites->rods[i].b == b) ||
        (d->sites->rods[i].a == b && d->sites->rods[i].b == a))
      return true;
  return false;
}

/* Places point `next` at the end of a rod from `parent`, within 57 degrees of the
 * direction `along` (NULL: any). */
static void hang(struct draft *d, int parent, int next, const real *along)
{
  real u[3];
  direction(d, u);
  for (int j = 0; along && j < 3; j++)
    u[j] += R(1.2) * along[j];
  const real stretch = between(d, R(0.6), R(1.4)) / shk_distance(NULL, u, d->dimension);
  for (int j = 0; j < d->dimension; j++)
    place(d, next)[j] = place(d, parent)[j] + stretch * u[j];
  join(d, parent, next);
}

/* Generates a chain in which each rod roughly continues the one before. */
static void draw_chain(struct draft *d)
{
  real along[3] = {0, 0, 0};
  for (int i = 0; i < d->count; i++) {
    const int parent = i > 0 ? i - 1 : -1 - ANCHOR;
    if (i == 0 && !d->anchored)
      continue;
    hang(d, parent, i, i > 0 && d->rods > 0 ? along : NULL);
    for (int j = 0; j < d->dimension; j++)
      along[j] = place(d, i)[j] - place(d, parent)[j];
    const real length = shk_distance(NULL, along, d->dimension);
    for (int j = 0; j < d->dimension; j++)
      along[j] /= length;
  }
}

/* Closes the new points first … first + count - 1 to a ring with the point `parent`: on a circle
 * through it, each moved by up to a fifth of the radius. */
static void close_ring(struct draft *d, int parent, int first, int count)
{
  real u[3], w[3];
  direction(d, u);
  real along;
  do { /* across u; in the plane there are two such directions */
    direction(d, w);
    along = real_dot(u, w, 3);
  } while (real_fabs(along) > R(0.9));
  for (int j = 0; j < 3; j++)
    w[j] -= along * u[j];
  const real across = real_sqrt(real_dot(w, w, 3)), radius = between(d, R(0.6), R(1.2));
  for (int k = 1; k <= count; k++) {
    const real angle = 2 * REAL_PI * k / (count + 1);
    for (int j = 0; j < d->dimension; j++)
      place(d, first + k - 1)[j] = place(d, parent)[j] + radius * (u[j] - real_cos(angle) * u[j] +
                                                                   real_sin(angle) * w[j] / across +
                                                                   between(d, R(-0.2), R(0.2)));
    join(d, k > 1 ? first + k - 2 : parent, first + k - 1);
  }
  join(d, parent, first + count - 1);
}

/* Generates a tree: the first point, from the anchor if there is one, then single points, or with
 * `rings` also rings, each from any point so far. */
static void draw_tree(struct draft *d, bool rings)
{
  int i = 1;
  if (d->anchored)
    hang(d, -1 - ANCHOR, 0, NULL);
  while (i < d->count) {
    const int parent = choose(d, i), left = d->count - i;
    const int ring = 2 + choose(d, 4);
    if (rings && left >= 2 && (i == 1 || choose(d, 2) == 0)) {
      const int points = ring < left ? ring : left;
      close_ring(d, parent, i, points);
      i += points;
    } else {
      hang(d, parent, i, NULL);
      i++;
    }
  }
}

/* Generates pairs, triangles and single points, each near the one before; the first is a pair. */
static void draw_clusters(struct draft *d)
{
  int i = 0;
  while (i < d->count) {
    const int left = d->count - i;
    const int wanted = i == 0 ? 2 + choose(d, 2) : 1 + choose(d, 3);
    const int points = wanted < left ? wanted : left;
    if (i > 0) {
      real u[3];
      direction(d, u);
      const real away = between(d, R(1.5), R(2.5));
      for (int j = 0; j < d->dimension; j++)
        place(d, i)[j] = place(d, i - 1)[j] + away * u[j];
    }
    if (points == 3)
      close_ring(d, i, i + 1, 2);
    else if (points == 2)
      hang(d, i, i + 1, NULL);
    i += points;
  }
}

static bool is_free(const struct draft *d, int a, int b)
{
  return a != b && !joined(d, a, b);
}

/* Returns a partner for a spring at `point`: any point not joined to it by a rod;
 * `point` itself if there is none. */
static int find_partner(struct draft *d, int point)
{
  const int fixed = d->hooked ? FIXED : d->anchored ? ANCHOR + 1 : 0;
  int count = 0, found = point, wanted = -1;
  for (int pass = 0; pass < 2; pass++) {
    count = 0;
    for (int other = -fixed; other < d->count; other++)
      if ((d->anchored || other != -1 - ANCHOR) && is_free(d, other, point) && count++ == wanted)
        found = other;
    if (count == 0)
      break;
    wanted = choose(d, count);
  }
  return found;
}

static void add_spring(struct draft *d, int a, int b)
{
  const real *mass = d->sites->mass;
  const int low = a < b ? a : b, high = a < b ? b : a;
  const real inverse =
      (low >= 0 ? 1 / mass[low * d->dimension] : 0) + 1 / mass[high * d->dimension];
  const real rate = between(d, R(0.5), R(1.5)), stretch = between(d, R(0.8), R(1.3));
  d->s->particles.springs[d->s->particles.spring_count++] =
      (struct shk_spring){low, high, rate * rate / inverse,
                          stretch * shk_distance(place(d, low), place(d, high), d->dimension)};
}

/* Adds one spring for each point that has a partner; one to the hook if there is none at all. */
static void draw_springs(struct draft *d)
{
  for (int i = 0; i < d->count; i++) {
    const int partner = find_partner(d, i);
    if (partner != i)
      add_spring(d, partner, i);
  }
  if (d->s->particles.spring_count == 0) {
    d->hooked = true;
    add_spring(d, -1 - HOOK, choose(d, d->count));
  }
}

static void draw_masses(struct draft *d)
{
  for (int i = 0; i < d->count; i++) {
    const real mass = real_exp(real_log(d->s->ratio) * shk_random_uniform(&d->random));
    for (int j = 0; j < d->dimension; j++)
      d->sites->mass[i * d->dimension + j] = mass;
  }
}

/* Adds gravity in one case of two. */
static void draw_gravity(struct draft *d)
{
  real u[3];
  direction(d, u);
  const real strength = between(d, R(0.5), R(1.5));
  d->s->particles.falls = choose(d, 2) == 0 || d->s->sways;
  for (int j = 0; d->s->particles.falls && j < d->dimension; j++)
    d->s->particles.gravity[j] = strength * u[j];
}

static void draw_velocities(struct draft *d)
{
  for (int i = 0; i < d->count * d->dimension; i += 2) {
    real pair[2];
    shk_random_gaussian_pair(pair, &d->random);
    for (int j = i; j < i + 2 && j < d->count * d->dimension && !d->s->rests; j++)
      d->sites->p[j] = d->sites->mass[j] * pair[j - i] / 2;
  }
}

/* Moves all points far from the origin, and gives them a common velocity of a hundredth of that
 * distance per unit of time. */
static void move_away(struct draft *d)
{
  real there[3], along[3];
  direction(d, there);
  direction(d, along);
  for (int i = 0; i < d->count * d->dimension; i++) {
    d->sites->q[i] += d->s->away * there[i % d->dimension];
    d->sites->p[i] += d->sites->mass[i] * d->s->away / 100 * along[i % d->dimension];
  }
}

static void draw_fixed(struct draft *d)
{
  for (int i = 0; i < FIXED * d->dimension; i++)
    d->s->particles.fixed[i] = between(d, -1, 1);
  /* Systems without an anchor start at a random place too. */
  for (int j = 0; j < d->dimension; j++)
    d->sites->q[j] = between(d, -1, 1);
}

/* ---- units ---- */

static void scale(real *x, int count, real factor)
{
  for (int i = 0; i < count; i++)
    x[i] *= factor;
}

static void take_units(struct draft *d)
{
  struct drawn *s = d->s;
  struct shk_particles *particles = &s->particles;
  const int n = d->count * d->dimension;
  const real rate = 1 / s->time;
  scale(d->sites->q, n, s->length);
  scale(particles->fixed, FIXED * d->dimension, s->length);
  scale(d->sites->mass, n, s->mass);
  scale(d->sites->p, n, s->mass * s->length * rate);
  scale(particles->gravity, 3, s->length * rate * rate);
  for (int i = 0; i < particles->spring_count; i++) {
    particles->springs[i].stiffness *= s->mass * rate * rate;
    particles->springs[i].rest *= s->length;
  }
  /* Lengths as the callbacks compute them at the start: g is exactly zero there. */
  for (int i = 0; i < d->rods; i++) {
    real along[3];
    const real *a = place(d, d->sites->rods[i].a), *b = place(d, d->sites->rods[i].b);
    for (int j = 0; j < d->dimension; j++)
      along[j] = b[j] - a[j];
    d->sites->rods[i].square = real_dot(along, along, d->dimension);
    s->scale[i] = s->length * s->length;
  }
}

/* ---- the potential ---- */

static real stretch_of(real *d, const struct shk_particles *s, const struct shk_spring *spring,
                       const real *q)
{
  const int dimension = s->sites.dimension;
  const real *a =
      spring->a >= 0 ? q + spring->a * dimension : s->fixed + (-1 - spring->a) * dimension;
  for (int j = 0; j < dimension; j++)
    d[j] = q[spring->b * dimension + j] - a[j];
  return (real_dot(d, d, dimension) - spring->rest * spring->rest) / spring->rest;
}

/* Returns gravity at time t over its mean strength. */
static real sway(const void *context, real t)
{
  const struct drawn *s = context;
  return s->sways ? 1 + real_sin(t / s->time) / 2 : 1;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct shk_particles *s = context;
  const int dimension = s->sites.dimension;
  const real strength = sway(context, t);
  real sum = 0, d[3];
  for (int i = 0; s->falls && i < s->sites.count * dimension; i++)
    sum -= strength * s->sites.mass[i] * s->gravity[i % dimension] * q[i];
  for (int i = 0; i < s->spring_count; i++) {
    const real stretch = stretch_of(d, s, &s->springs[i], q);
    sum += s->springs[i].stiffness * stretch * stretch / 8;
  }
  *value = sum;
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct shk_particles *s = context;
  const int dimension = s->sites.dimension;
  const real strength = sway(context, t);
  real d[3];
  for (int i = 0; i < s->sites.count * dimension; i++)
    out[i] = s->falls ? -strength * s->sites.mass[i] * s->gravity[i % dimension] : 0;
  for (int i = 0; i < s->spring_count; i++) {
    const struct shk_spring *spring = &s->springs[i];
    const real pull = spring->stiffness * stretch_of(d, s, spring, q) / (2 * spring->rest);
    for (int j = 0; j < dimension; j++) {
      out[spring->b * dimension + j] += pull * d[j];
      if (spring->a >= 0)
        out[spring->a * dimension + j] -= pull * d[j];
    }
  }
  return 0;
}

/* ---- creation ---- */

/* Returns 1/m_a + 1/m_b; fixed ends add nothing. */
static real softness(const struct shk_sites *s, int a, int b)
{
  return (a >= 0 ? 1 / s->mass[a * s->dimension] : 0) + 1 / s->mass[b * s->dimension];
}

/* Finds the fastest rate at the start. */
static struct shk_status find_rate(real *rate, struct shk_instance *instance, struct drawn *s)
{
  const struct shk_sites *sites = &s->particles.sites;
  struct shk_evaluator evaluator;
  struct shk_manifold *manifold;
  real *lambda, square = 0, d[3];
  SHK_TRY(shk_reals(instance->workspace, &lambda, (size_t)sites->rod_count));
  SHK_TRY(shk_evaluator_init(&evaluator, &instance->system));
  struct shk_status status = shk_bind_manifold(
      &manifold, &(struct shk_binding){.workspace = evaluator.workspace, .evaluator = &evaluator});
  if (status.code == SHK_OK)
    status = shk_exact_multiplier(manifold, lambda, 0, sites->q, sites->p);
  shk_evaluator_clear(&evaluator);
  const real fall = shk_distance(NULL, s->particles.gravity, 3);
  for (int i = 0; i < sites->rod_count; i++) {
    const struct shk_rod *rod = &sites->rods[i];
    real turning = 0;
    for (int j = 0; j < sites->dimension; j++) {
      const int at = rod->b * sites->dimension + j, from = rod->a * sites->dimension + j;
      const real speed =
          sites->p[at] / sites->mass[at] - (rod->a >= 0 ? sites->p[from] / sites->mass[from] : 0);
      turning += speed * speed;
    }
    square = real_max(square, turning / rod->square);
    square = real_max(square, fall / real_sqrt(rod->square));
    square = real_max(square, real_fabs(lambda[i]) * softness(sites, rod->a, rod->b));
  }
  for (int i = 0; i < s->particles.spring_count; i++) {
    const struct shk_spring *spring = &s->particles.springs[i];
    const real stretch = 1 + stretch_of(d, &s->particles, spring, sites->q) / spring->rest;
    square = real_max(square, spring->stiffness * real_max(1, (3 * stretch - 1) / 2) *
                                  softness(sites, spring->a, spring->b));
  }
  *rate = real_sqrt(square);
  return status;
}

/* Numbers of points of each size in 2 and 3 dimensions: n is at most 6, between 8 and 18, about 60,
 * or between 140 and 450. */
static const struct {
  int least, most;
} points[][2] = {[SMALL] = {{2, 3}, {1, 2}},
                 [MEDIUM] = {{4, 8}, {4, 6}},
                 [LARGE] = {{28, 32}, {19, 21}},
                 [HUGE] = {{72, 150}, {72, 150}}};

static struct shk_status allocate(struct draft *d, struct shk_workspace *workspace)
{
  struct shk_particles *particles = &d->s->particles;
  const size_t count = (size_t)d->count;
  /* A ring has at most three rods for two new points. */
  SHK_TRY(shk_sites_create(d->sites, workspace, d->dimension, d->count, 2 * d->count + 1));
  SHK_TRY(shk_reals(workspace, &particles->fixed, (size_t)(FIXED * d->dimension)));
  SHK_TRY(shk_reals(workspace, &d->s->scale, 2 * count + 1));
  particles->springs = shk_memory(workspace, (count + 1) * sizeof *particles->springs);
  if (!particles->springs)
    return shk_no_memory();
  d->sites->fixed = particles->fixed;
  return shk_ok();
}

static void draw_mechanism(struct draft *d, enum shape shape)
{
  draw_fixed(d);
  draw_masses(d);
  if (shape == CHAIN)
    draw_chain(d);
  else if (shape == CLUSTERS)
    draw_clusters(d);
  else
    draw_tree(d, shape == RING);
  d->sites->rod_count = d->rods;
  draw_springs(d);
  draw_gravity(d);
  draw_velocities(d);
  if (d->s->away > 0)
    move_away(d);
}

/* Changes the shape if there are too few points for it: a single point is a chain from its anchor,
 * and two points are no ring. */
static enum shape fitting(enum shape shape, int count)
{
  return count == 1 || (count == 2 && shape == RING) ? CHAIN : shape;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct drawn *s = context;
  struct draft d = {.s = s, .sites = &s->particles.sites, .random = (uint64_t)s->seed};
  d.dimension = 2 + choose(&d, 2);
  if (s->dimension < 2)
    d.dimension = 2 + s->dimension;
  const int least = points[s->size][d.dimension - 2].least;
  d.count = least + choose(&d, points[s->size][d.dimension - 2].most - least + 1);
  const int any = choose(&d, SHAPES);
  const enum shape shape = fitting(s->shape == ANY_SHAPE ? any : s->shape, d.count);
  d.anchored = (choose(&d, 3) > 0 && shape != CLUSTERS) || d.count == 1;
  d.hooked = choose(&d, 2) == 0;
  if (s->sways) { /* without an anchor all points would fall alike */
    d.anchored = d.anchored || shape != CLUSTERS;
    d.hooked = d.hooked || shape == CLUSTERS;
  }
  if (s->away > 0) {
    if (s->size == SMALL || s->sways)
      return shk_failure(SHK_BAD_INPUT, "away is for systems of more than 3 points, without sways",
                         0, 0);
    d.anchored = d.hooked = false;
  }
  SHK_TRY(allocate(&d, instance->workspace));
  draw_mechanism(&d, shape);
  take_units(&d);
  SHK_TRY(shk_sites_bind(instance, d.sites));
  instance->system.constraint_scale = s->scale;
  instance->system.potential = potential;
  instance->system.gradient = gradient;
  instance->system.autonomous = !s->sways;
  SHK_TRY(shk_make_consistent(instance, d.sites->q, d.sites->p));
  real rate;
  SHK_TRY(find_rate(&rate, instance, s));
  shk_set_times(instance, rate, R(2.3));
  const int degrees = instance->system.n - instance->system.m;
  instance->undecidable = (degrees > 1 ? SHK_CHAOTIC : SHK_ONE_DEGREE_OF_FREEDOM) |
                          (s->rests ? SHK_SYMMETRIC_START : 0) | (s->sways ? SHK_NO_REVERSAL : 0);
  shk_particles_find_kept(&s->particles, (const bool[]){d.anchored, d.hooked}, FIXED);
  if (s->particles.kept_count > 0) {
    shk_set_invariants(instance, s->particles.kept_count, s->particles.names,
                       shk_particles_invariants);
  }
  return shk_ok();
}

static const struct shk_choice sizes[] = {
    {"small", "up to 6 coordinates", NULL},
    {"medium", "8 to 18 coordinates", NULL},
    {"large", "about 60 coordinates and 20 to 40 constraints", NULL},
    {"huge", "140 to 450 coordinates and 70 to 225 constraints", NULL},
    {0}};

static const struct shk_choice shapes[] = {
    {"chain", "each rod roughly continues the one before", NULL},
    {"tree", "each point is joined to an earlier one", NULL},
    {"ring", "a tree with rings in it", NULL},
    {"clusters", "pairs, triangles and single points, joined by springs", NULL},
    {"any", "random", NULL},
    {0}};

static const struct shk_choice dimensions[] = {
    {"2", "the plane", NULL}, {"3", "space", NULL}, {"any", "random", NULL}, {0}};

static const struct shk_option options[] = {
    SHK_INTEGER(drawn, seed, "seed", "1", "seed of the generator", .minimum = "0"),
    SHK_CHOICE(drawn, size, "size", sizes, "medium", "number of points"),
    SHK_CHOICE(drawn, shape, "shape", shapes, "any",
               "shape of the system of rods; a single point is a chain, two are no ring"),
    SHK_CHOICE(drawn, dimension, "dimension", dimensions, "any",
               "number of coordinates of a point"),
    SHK_FLAG(drawn, sways, "sways", "no", "gravity with a strength that changes with time: V(q,t)"),
    SHK_FLAG(drawn, rests, "rests", "no", "start at rest"),
    SHK_REAL(drawn, ratio, "ratio", "50", "largest ratio of two masses", .minimum = "1"),
    SHK_REAL(
        drawn, away, "away", "0",
        "distance of the start from the origin, in lengths; the common velocity is a hundredth "
        "of it; nothing is fixed then",
        .minimum = "0"),
    SHK_REAL(drawn, length, "length", "1", "unit of length", SHK_POSITIVE),
    SHK_REAL(drawn, mass, "mass", "1", "unit of mass", SHK_POSITIVE),
    SHK_REAL(drawn, time, "time", "1", "unit of time", SHK_POSITIVE),
    {0}};

SHK_PROVIDE_PROBLEM(drawn, drawn, NULL, .name = "drawn",
                    .summary = "a random mechanism of rods, springs and point masses, from a seed",
                    .equations = "H = Σ |p_i|²/(2m_i) - Σ m_i a·r_i + Σ k (|d|² - l²)²/(8l²)\n"
                                 "0 = ½ (|r_a - r_b|² - s²) for every rod",
                    .citation = "ours", .units = "units of the options; dimensionless by default",
                    .coordinates = "q = (r_1, …, r_N), r in 2 or 3 dimensions");

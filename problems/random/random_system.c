/*
 * A random system in 2 or 3 dimensions. Rods join point masses into trees, rings or a few clusters,
 * and springs connect points that are not joined by a rod:
 *
 *     H = Σ |p_i|²/(2m_i) - Σ m_i a·r_i + Σ k (|d|² - l²)²/(8l²)
 *     0 = ½ (|r_a - r_b|² - s²) for every rod (a,b)
 *
 * The potential of a spring is close to ½ k (|d| - l)², but it is a polynomial and therefore smooth
 * where points meet. The following are random: the number of points; the rods, with their lengths
 * and directions; the masses, from 1 to 50 and log-uniformly distributed; an anchor and its
 * position; gravity (in one of two cases), with its strength and direction; springs, with a
 * stiffness at which two isolated points would oscillate at a rate of 0.5 to 1.5; and velocities,
 * which are Gaussian with a standard deviation of half a length per time unit and are made tangent.
 * No ring is close to a straight line, so the constraints are initially well conditioned. Random
 * numbers are drawn as in problems/kit/draw.h, so the system is the same in double and quad up to
 * round-off. With `sways`, there is an anchor and gravity of strength 1 + ½ sin t, so V depends on
 * time. With `pairs`, charges and Lennard-Jones potentials act between points instead of springs.
 * With `away`, nothing is fixed, and the points start far from the origin and move together.
 *
 * The options `length`, `mass` and `time` set the units of all numbers. In these units, the motion
 * is always the same. constraint_scale is the square of the length, which makes |g| relative.
 *
 * The time scale is the shortest of several initial time scales: those of a spring, of gravity
 * along the shortest rod, of a rotating rod, and of the force along a rod, which acts like a spring
 * perpendicular to the rod. The horizon is 2.3 time scales, as for `chain`; beyond it, the motion
 * is assumed to be chaotic. There is no exact solution. The invariants that follow from Noether's
 * theorem are determined as for `particles`.
 */
#include "problems/kit/draw.h"
#include "problems/kit/particles.h"
#include "problems/kit/problem.h"

/* For the shape `any`, one of the first SHAPES shapes is drawn. */
enum shape { TREE, RING, CLUSTERS, SHAPES, ANY_SHAPE = SHAPES, MOLECULES, ANCHORED };
/* Fixed points: the anchor of a rod, the hook for springs and for a rod of the shape `anchored`,
 * and the number of fixed points. */
enum { ANCHOR, HOOK, FIXED };

/* The numbers of points for each size in 2 and 3 dimensions. The resulting n is at most 6, between
 * 8 and 18, between 140 and 450, or between 520 and 810. With the largest of these sizes, trees and
 * rings have more than 256 rods. */
enum { SMALL, MOST = 270, RATIO = 50 /* of masses */ };
/* The numbers of points in the first molecules of the shape `molecules`. All other molecules have 1
 * to 3 points. */
enum { FIRST_MOLECULES = 3, MOLECULE_POINTS = 3 + 2 + 1 };
static const int first_molecules[FIRST_MOLECULES] = {3, 2, 1};
static const struct {
  int least, most;
} points[][2] = {
    {{2, 3}, {1, 2}}, {{4, 8}, {4, 6}}, {{72, 150}, {72, 150}}, {{260, MOST}, {260, MOST}}};

struct random_system {
  /* must come first because the callbacks of sites.h use it as their context */
  struct shk_particles particles;
  long seed;
  int size, shape; /* row of `points`; value of enum shape */
  int dimension;   /* number of dimensions minus 2; the value 2 means any dimension */
  bool rests, sways, pairs;
  real length, mass, time, away;
  real *scale; /* of the constraints */
  uint64_t random;
  bool fixed[FIXED]; /* true for fixed points that are used */
};

static real *place_random_system(struct random_system *s, int point)
{
  const int dimension = s->particles.sites.dimension;
  return point < 0 ? s->particles.fixed + (-1 - point) * dimension
                   : s->particles.sites.q + point * dimension;
}

/* Returns true if no rod ends at a fixed point. */
static bool is_free(enum shape shape)
{
  return shape == CLUSTERS || shape == MOLECULES;
}

/* ---- the mechanism ---- */

/* Adds a rod. The length of the rod is set later, together with the units. */
static void join_random_system(struct random_system *s, int a, int b)
{
  struct shk_sites *const sites = &s->particles.sites;
  sites->rods[sites->rod_count++] = (struct shk_rod){a < b ? a : b, a < b ? b : a, 0};
}

static bool are_joined(const struct shk_sites *sites, int a, int b)
{
  for (int i = 0; i < sites->rod_count; i++)
    if (sites->rods[i].a == (a < b ? a : b) && sites->rods[i].b == (a < b ? b : a))
      return true;
  return false;
}

/* Places point `next` at the end of a rod from `parent`. */
static void hang_point(struct random_system *s, int parent, int next)
{
  const int dimension = s->particles.sites.dimension;
  real u[3];
  shk_draw_direction(u, &s->random, dimension);
  const real stretch = shk_draw_between(&s->random, R(0.6), R(1.4));
  for (int j = 0; j < dimension; j++)
    place_random_system(s, next)[j] = place_random_system(s, parent)[j] + stretch * u[j];
  join_random_system(s, parent, next);
}

/* Joins the new points first … first + count - 1 into a ring with the point `parent`. The new
 * points are placed on a circle through `parent`, and each is then moved by up to a fifth of the
 * radius. */
static void close_ring(struct random_system *s, int parent, int first, int count)
{
  const int dimension = s->particles.sites.dimension;
  real u[3], w[3], along;
  shk_draw_direction(u, &s->random, dimension);
  do { /* perpendicular to u; in the plane, there are two such directions */
    shk_draw_direction(w, &s->random, dimension);
    along = real_dot(u, w, 3);
  } while (real_fabs(along) > R(0.9));
  for (int j = 0; j < 3; j++)
    w[j] -= along * u[j];
  const real across = real_sqrt(real_dot(w, w, 3));
  const real radius = shk_draw_between(&s->random, R(0.6), R(1.2));
  for (int k = 1; k <= count; k++) {
    const real angle = 2 * REAL_PI * k / (count + 1), cosine = real_cos(angle);
    const real sine = real_sin(angle);
    for (int j = 0; j < dimension; j++)
      place_random_system(s, first + k - 1)[j] =
          place_random_system(s, parent)[j] +
          radius * (u[j] - cosine * u[j] + sine * w[j] / across +
                    shk_draw_between(&s->random, R(-0.2), R(0.2)));
    join_random_system(s, k > 1 ? first + k - 2 : parent, first + k - 1);
  }
  join_random_system(s, parent, first + count - 1);
}

/* Generates a tree. The first point is joined to the anchor if there is one. Then single points
 * and, with `rings`, also rings are joined to randomly chosen existing points. */
static void draw_tree(struct random_system *s, bool rings)
{
  int i = 1;
  if (s->fixed[ANCHOR])
    hang_point(s, -1 - ANCHOR, 0);
  while (i < s->particles.sites.count) {
    const int parent = shk_draw_index(&s->random, i), left = s->particles.sites.count - i;
    const int ring = 2 + shk_draw_index(&s->random, 4);
    const bool close = rings && left >= 2 && (i == 1 || shk_draw_index(&s->random, 2) == 0);
    const int added = !close ? 1 : ring < left ? ring : left;
    if (close)
      close_ring(s, parent, i, added);
    else
      hang_point(s, parent, i);
    i += added;
  }
}

/* Generates pairs, triangles and single points, each near the previous cluster. The first cluster
 * is a pair or a triangle. For `molecules`, the first three clusters are one of each kind. */
static void draw_clusters(struct random_system *s, enum shape shape)
{
  const int dimension = s->particles.sites.dimension, count = s->particles.sites.count;
  for (int i = 0, k = 0, added; i < count; i += added, k++) {
    const int drawn =
        i == 0 ? 2 + shk_draw_index(&s->random, 2) : 1 + shk_draw_index(&s->random, 3);
    const int wanted = shape == MOLECULES && k < FIRST_MOLECULES ? first_molecules[k] : drawn;
    added = wanted < count - i ? wanted : count - i;
    if (i > 0) {
      real u[3];
      shk_draw_direction(u, &s->random, dimension);
      const real away = shk_draw_between(&s->random, R(1.5), R(2.5));
      for (int j = 0; j < dimension; j++)
        place_random_system(s, i)[j] = place_random_system(s, i - 1)[j] + away * u[j];
    }
    if (added == 3)
      close_ring(s, i, i + 1, 2);
    else if (added == 2)
      hang_point(s, i, i + 1);
  }
}

/* ---- forces, masses, velocities ---- */

/* Adds a spring or, with `pairs`, charges and a Lennard-Jones potential whose curvature at its
 * minimum is that of the spring. */
static void add_force(struct random_system *s, int a, int b)
{
  struct shk_particles *const cloud = &s->particles;
  const int low = a < b ? a : b, high = a < b ? b : a;
  const real rate = shk_draw_between(&s->random, R(0.5), R(1.5));
  const real stretch = shk_draw_between(&s->random, R(0.8), R(1.3));
  const real stiffness = rate * rate / shk_particles_softness(cloud, low, high);
  real d[3];
  const real distance = real_sqrt(shk_particles_between(d, cloud, low, high, cloud->sites.q));
  if (!s->pairs) {
    cloud->quartics[cloud->quartic_count++] =
        (struct shk_spring){low, high, stiffness, stretch * distance};
    return;
  }
  const real sigma = R(0.75) * stretch * distance, sigma2 = sigma * sigma,
             sigma6 = sigma2 * sigma2 * sigma2, depth = 4 * stiffness * sigma2 / 57;
  cloud->pairs[cloud->pair_count++] =
      (struct shk_pair){low, high, .lj12 = depth * sigma6 * sigma6, .lj6 = depth * sigma6,
                        .charges = (stretch - 1) * stiffness * distance * distance * distance};
}

/* Adds a force between each point and another point that is not joined to it by a rod, if there is
 * one. If no point has a force, adds one between the hook and a point. */
static void draw_forces(struct random_system *s)
{
  const int count = s->particles.sites.count;
  const int fixed = s->fixed[HOOK] ? FIXED : s->fixed[ANCHOR] ? ANCHOR + 1 : 0;
  for (int i = 0; i < count; i++) {
    int partners[MOST + FIXED], found = 0;
    for (int other = -fixed; other < count; other++)
      if (other != i && (s->fixed[ANCHOR] || other != -1 - ANCHOR) &&
          !are_joined(&s->particles.sites, other, i))
        partners[found++] = other;
    if (found == 0)
      continue;
    const int partner = partners[shk_draw_index(&s->random, found)];
    /* an additional number is drawn so that a given seed still produces the same system */
    shk_random_next(&s->random);
    add_force(s, partner, i);
  }
  if (s->particles.quartic_count + s->particles.pair_count == 0) {
    s->fixed[HOOK] = true;
    add_force(s, -1 - HOOK, shk_draw_index(&s->random, count));
  }
}

static void draw_masses(struct random_system *s)
{
  struct shk_sites *const sites = &s->particles.sites;
  for (int i = 0; i < sites->count; i++) {
    const real mass = real_exp(real_log(RATIO) * shk_random_uniform(&s->random));
    for (int j = 0; j < sites->dimension; j++)
      sites->mass[i * sites->dimension + j] = mass;
  }
}

/* Adds gravity in one of two cases. */
static void draw_gravity(struct random_system *s)
{
  real u[3];
  shk_draw_direction(u, &s->random, s->particles.sites.dimension);
  const real strength = shk_draw_between(&s->random, R(0.5), R(1.5));
  s->particles.falls = shk_draw_index(&s->random, 2) == 0 || s->sways;
  for (int j = 0; s->particles.falls && j < s->particles.sites.dimension; j++)
    s->particles.gravity[j] = strength * u[j];
}

static void draw_velocities(struct random_system *s)
{
  struct shk_sites *const sites = &s->particles.sites;
  const int n = sites->count * sites->dimension;
  shk_draw_gaussian(sites->p, &s->random, n);
  for (int i = 0; i < n; i++)
    sites->p[i] = s->rests ? 0 : sites->mass[i] * sites->p[i] / 2;
}

/* Moves all points far from the origin, and adds a common velocity of a hundredth of that distance
 * per unit of time. */
static void move_away(struct random_system *s)
{
  struct shk_sites *const sites = &s->particles.sites;
  real there[3], along[3];
  shk_draw_direction(there, &s->random, sites->dimension);
  shk_draw_direction(along, &s->random, sites->dimension);
  for (int i = 0; i < sites->count * sites->dimension; i++) {
    sites->q[i] += s->away * there[i % sites->dimension];
    sites->p[i] += sites->mass[i] * s->away / 100 * along[i % sites->dimension];
  }
}

static void draw_mechanism(struct random_system *s, enum shape shape)
{
  for (int i = 0; i < FIXED * s->particles.sites.dimension; i++)
    s->particles.fixed[i] = shk_draw_between(&s->random, -1, 1);
  /* Systems without an anchor also start at a random position. */
  for (int j = 0; j < s->particles.sites.dimension; j++)
    s->particles.sites.q[j] = shk_draw_between(&s->random, -1, 1);
  draw_masses(s);
  if (is_free(shape))
    draw_clusters(s, shape);
  else
    draw_tree(s, shape == RING);
  if (shape == ANCHORED)
    join_random_system(s, -1 - HOOK, s->particles.sites.count - 1);
  draw_forces(s);
  draw_gravity(s);
  draw_velocities(s);
  if (s->away > 0)
    move_away(s);
}

/* ---- units ---- */

static void scale(real *x, int count, real factor)
{
  for (int i = 0; i < count; i++)
    x[i] *= factor;
}

static void take_units(struct random_system *s)
{
  struct shk_particles *const cloud = &s->particles;
  struct shk_sites *const sites = &cloud->sites;
  const int n = sites->count * sites->dimension;
  const real rate = 1 / s->time;
  real d[3];
  scale(sites->q, n, s->length);
  scale(cloud->fixed, FIXED * sites->dimension, s->length);
  scale(sites->mass, n, s->mass);
  scale(sites->p, n, s->mass * s->length * rate);
  scale(cloud->gravity, 3, s->length * rate * rate);
  for (int i = 0; i < cloud->quartic_count; i++) {
    cloud->quartics[i].stiffness *= s->mass * rate * rate;
    cloud->quartics[i].rest *= s->length;
  }
  const real energy = s->mass * s->length * s->length * rate * rate,
             volume = s->length * s->length * s->length;
  for (int i = 0; i < cloud->pair_count; i++) {
    cloud->pairs[i].charges *= energy * s->length;
    cloud->pairs[i].lj6 *= energy * volume * volume;
    cloud->pairs[i].lj12 *= energy * volume * volume * volume * volume;
  }
  /* Uses the rod lengths that the callbacks compute at the initial state, so g is exactly zero
   * there. */
  for (int i = 0; i < sites->rod_count; i++) {
    struct shk_rod *const rod = &sites->rods[i];
    rod->square = shk_particles_between(d, cloud, rod->a, rod->b, sites->q);
    s->scale[i] = s->length * s->length;
  }
}

/* ---- creation ---- */

/* Computes the fastest initial rate. */
static struct shk_status find_rate(real *rate, struct shk_instance *instance,
                                   struct shk_particles *s)
{
  const struct shk_sites *const sites = &s->sites;
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
  for (int i = 0; i < sites->rod_count; i++) {
    const struct shk_rod *const rod = &sites->rods[i];
    const real across = real_fabs(lambda[i]) * shk_particles_softness(s, rod->a, rod->b);
    square = real_max(square, real_max(shk_particles_rod_rate(s, rod), across));
  }
  for (int i = 0; i < s->quartic_count; i++) {
    const struct shk_spring *const spring = &s->quartics[i];
    const real stretch = 1 + shk_particles_stretch(d, s, spring, sites->q) / spring->rest;
    square = real_max(square, spring->stiffness * real_max(1, (3 * stretch - 1) / 2) *
                                  shk_particles_softness(s, spring->a, spring->b));
  }
  for (int i = 0; i < s->pair_count; i++)
    square = real_max(square, shk_particles_pair_rate(s, &s->pairs[i]));
  *rate = real_sqrt(square);
  return status;
}

/* Draws the numbers that determine sizes, and allocates memory. */
static struct shk_status begin_random_system(struct random_system *s,
                                             struct shk_workspace *workspace, enum shape *shape)
{
  struct shk_particles *const cloud = &s->particles;
  s->random = (uint64_t)s->seed;
  const int any_dimension = 2 + shk_draw_index(&s->random, 2);
  const int dimension = s->dimension < 2 ? 2 + s->dimension : any_dimension;
  const int least = points[s->size][dimension - 2].least;
  const int drawn =
      least + shk_draw_index(&s->random, points[s->size][dimension - 2].most - least + 1);
  const int count = s->shape == MOLECULES && drawn < MOLECULE_POINTS ? MOLECULE_POINTS : drawn;
  const int any_shape = shk_draw_index(&s->random, SHAPES);
  *shape = s->shape == ANY_SHAPE ? (enum shape)any_shape : (enum shape)s->shape;
  if (count == 1 || (count == 2 && *shape == RING)) /* too few points for the shape */
    *shape = TREE;
  s->fixed[ANCHOR] = (shk_draw_index(&s->random, 3) > 0 && !is_free(*shape)) || count == 1;
  s->fixed[HOOK] = shk_draw_index(&s->random, 2) == 0;
  if (s->sways) /* without a fixed point, all points would be accelerated equally */
    s->fixed[is_free(*shape) ? HOOK : ANCHOR] = true;
  if (*shape == ANCHORED)
    s->fixed[ANCHOR] = s->fixed[HOOK] = true;
  if (s->away > 0 && (s->size == SMALL || s->sways))
    return shk_failure(SHK_BAD_INPUT, "the option away needs sways=no and a size other than small",
                       0, 0);
  if ((s->shape == MOLECULES || s->shape == ANCHORED) && s->size == SMALL)
    return shk_failure(SHK_BAD_INPUT,
                       "the shapes molecules and anchored need a size other than small", 0, 0);
  if (s->shape == ANCHORED && s->away > 0)
    return shk_failure(SHK_BAD_INPUT, "shape=anchored needs away=0", 0, 0);
  if (s->away > 0)
    s->fixed[ANCHOR] = s->fixed[HOOK] = false;
  /* A ring adds at most three rods for every two new points. */
  SHK_TRY(shk_sites_create(&cloud->sites, workspace, dimension, count, 2 * count + 1));
  cloud->sites.rod_count = 0;
  SHK_TRY(shk_reals(workspace, &cloud->fixed, (size_t)(FIXED * dimension)));
  SHK_TRY(shk_reals(workspace, &s->scale, 2 * (size_t)count + 1));
  cloud->quartics = shk_memory(workspace, ((size_t)count + 1) * sizeof *cloud->quartics);
  cloud->pairs = shk_memory(workspace, ((size_t)count + 1) * sizeof *cloud->pairs);
  cloud->fixed_count = FIXED;
  cloud->sway = s->sways ? s->time : 0;
  cloud->sites.fixed = cloud->fixed;
  return cloud->quartics && cloud->pairs ? shk_ok() : shk_no_memory();
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct random_system *s = context;
  struct shk_particles *const cloud = &s->particles;
  enum shape shape;
  real rate;
  SHK_TRY(begin_random_system(s, instance->workspace, &shape));
  draw_mechanism(s, shape);
  take_units(s);
  SHK_TRY(shk_sites_bind(instance, &cloud->sites));
  instance->system.constraint_scale = s->scale;
  instance->system.potential = shk_particles_potential;
  instance->system.gradient = shk_particles_gradient;
  instance->system.autonomous = !s->sways;
  if (s->pairs && !s->sways)
    instance->system.terms = shk_particles_declare(cloud);
  SHK_TRY(shk_make_consistent(instance, cloud->sites.q, cloud->sites.p));
  SHK_TRY(find_rate(&rate, instance, cloud));
  shk_set_times(instance, rate, R(2.3));
  const int degrees = instance->system.n - instance->system.m;
  instance->undecidable = (degrees > 1 ? SHK_CHAOTIC : SHK_ONE_DEGREE_OF_FREEDOM) |
                          (s->rests ? SHK_SYMMETRIC_START : 0) | (s->sways ? SHK_NO_REVERSAL : 0);
  shk_particles_find_kept(instance, cloud, s->fixed, FIXED);
  return shk_ok();
}

static const struct shk_choice sizes[] = {
    {"small", "up to 6 coordinates", NULL},
    {"medium", "8 to 18 coordinates", NULL},
    {"huge", "140 to 450 coordinates; 70 to 225 constraints in trees and rings", NULL},
    {"vast", "520 to 810 coordinates; 259 to 400 constraints in trees and rings", NULL},
    {0}};

static const struct shk_choice shapes[] = {
    {"tree", "each point is joined to an earlier one", NULL},
    {"ring", "a tree with rings in it", NULL},
    {"clusters", "pairs, triangles and single points, joined by springs", NULL},
    {"any", "a tree, rings or clusters, chosen at random", NULL},
    {"molecules",
     "clusters: a triangle, a pair and a single point, and others if there are more than 6 points, "
     "the minimum",
     NULL},
    {"anchored", "a tree between two fixed points: its first point and its last hang from them",
     NULL},
    {0}};

static const struct shk_choice dimensions[] = {
    {"2", "the plane", NULL}, {"3", "space", NULL}, {"any", "random", NULL}, {0}};

static const struct shk_option options[] = {
    SHK_INTEGER(random_system, seed, "seed", "1", "seed of the random numbers", .minimum = "0"),
    SHK_CHOICE(random_system, size, "size", sizes, "medium", "number of points"),
    SHK_CHOICE(
        random_system, shape, "shape", shapes, "any",
        "shape of the system of rods; a single point is a tree, and two points cannot form a ring"),
    SHK_CHOICE(random_system, dimension, "dimension", dimensions, "any",
               "number of coordinates of each point"),
    SHK_FLAG(random_system, sways, "sways", "no", "gravity that changes with time: V(q,t)"),
    SHK_FLAG(random_system, rests, "rests", "no", "start at rest"),
    SHK_FLAG(random_system, pairs, "pairs", "no",
             "charges and Lennard-Jones potentials instead of springs"),
    SHK_REAL(random_system, away, "away", "0",
             "distance of the start from the origin, in units of length. The common velocity is a "
             "hundredth of it, and no point is fixed",
             .minimum = "0"),
    SHK_REAL(random_system, length, "length", "1", "unit of length", SHK_POSITIVE),
    SHK_REAL(random_system, mass, "mass", "1", "unit of mass", SHK_POSITIVE),
    SHK_REAL(random_system, time, "time", "1", "unit of time", SHK_POSITIVE),
    {0}};

SHK_PROVIDE_PROBLEM(random_system, random_system, NULL, .name = "random-system",
                    .family = "random or derived",
                    .summary = "random rods, springs and point masses, generated from a seed",
                    .equations = "H = Σ |p_i|²/(2m_i) - Σ m_i a·r_i + Σ k (|d|² - l²)²/(8l²)\n"
                                 "pairs=yes: Σ c/|d| + A/|d|¹² - B/|d|⁶ in place of the springs\n"
                                 "0 = ½ (|r_a - r_b|² - s²) for every rod",
                    .citation = "ours", .units = "units of the options; dimensionless by default",
                    .coordinates = "q = (r_1, …, r_N), r in 2 or 3 dimensions");

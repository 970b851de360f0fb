/*
 * A system of particles that a file describes (docs/systems-from-files.md), in 2 or 3 dimensions:
 *
 *     H = Σ |p_i|²/(2m_i) - Σ m_i a·r_i + Σ ½ k (|d| - l)²
 *         + Σ (c e_i e_j/r + 4 epsilon (sigma¹²/r¹² - sigma⁶/r⁶))
 *     0 = ½ (|r_a - r_b|² - l²) for every rod
 *
 * q = (r_1, …, r_N) in the file's order; a is gravity, c the file's `coulomb`; constraint force
 * -Gᵀλ. Ends of rods and springs, charges and Lennard-Jones sites may belong to points that do not
 * move. The last sum is over all pairs but those that a rod joins (their distance is constant),
 * those that the file excludes and pairs of fixed points; sigma is the mean of both sites', epsilon
 * the geometric one (Lorentz & Berthelot: M. P. Allen & D. J. Tildesley, Computer Simulation of
 * Liquids, 2nd ed., Oxford 2017, §1.4.2).
 *
 * Found automatically: derivatives, the pattern of G, a time scale, and the invariants of Noether's
 * theorem (particles_kept.c).
 *
 * Where the file's numbers do not make the start consistent, it is refused with its residuals;
 * project = yes moves it onto the constraints (consistent_start.h).
 */
#include "problems/kit/particles.h"
#include "problems/kit/consistent_start.h"
#include "problems/kit/particles_file.h"
#include <shakedown/distance.h>
#include <shakedown/plugin.h>

#include <stdio.h>
#include <stdlib.h>

/* ---- the potential ---- */

/* The vector from end a to end b; returns its square. */
static inline real between(real *d, const struct shk_particles *s, int a, int b, const real *q)
{
  const int dimension = s->sites.dimension;
  const real *x = a >= 0 ? q + a * dimension : s->fixed + (-1 - a) * dimension;
  const real *y = q + b * dimension;
  real square = 0;
  for (int j = 0; j < dimension; j++) {
    d[j] = y[j] - x[j];
    square += d[j] * d[j];
  }
  return square;
}

/* Adds factor·d to end b and subtracts it from end a. */
static inline void pull(real *out, const struct shk_particles *s, int a, int b, real factor,
                        const real *d)
{
  const int dimension = s->sites.dimension;
  for (int j = 0; j < dimension; j++) {
    out[b * dimension + j] += factor * d[j];
    if (a >= 0)
      out[a * dimension + j] -= factor * d[j];
  }
}

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct shk_particles *s = context;
  const int dimension = s->sites.dimension, n = s->sites.count * dimension;
  real sum = 0, d[3];
  (void)t;
  for (int i = 0; s->falls && i < n; i++)
    sum -= s->sites.mass[i] * s->gravity[i % dimension] * q[i];
  for (int i = 0; i < s->spring_count; i++) {
    const struct shk_spring *spring = &s->springs[i];
    const real stretch = real_sqrt(between(d, s, spring->a, spring->b, q)) - spring->rest;
    sum += spring->stiffness * stretch * stretch / 2;
  }
  for (int i = 0; i < s->pair_count; i++) {
    const struct shk_pair *pair = &s->pairs[i];
    const real square = between(d, s, pair->a, pair->b, q), inverse = 1 / square;
    if (!(square > 0))
      return 1;
    const real r6 = inverse * inverse * inverse;
    sum += pair->charges * real_sqrt(inverse) + r6 * (pair->lj12 * r6 - pair->lj6);
  }
  *value = sum;
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct shk_particles *s = context;
  const int dimension = s->sites.dimension, n = s->sites.count * dimension;
  real d[3];
  (void)t;
  for (int i = 0; i < n; i++)
    out[i] = s->falls ? -s->sites.mass[i] * s->gravity[i % dimension] : 0;
  for (int i = 0; i < s->spring_count; i++) {
    const struct shk_spring *spring = &s->springs[i];
    const real length = real_sqrt(between(d, s, spring->a, spring->b, q));
    if (length == 0 && spring->rest > 0)
      return 1; /* no direction: another step may miss the point */
    const real share = spring->rest > 0 ? spring->rest / length : 0;
    pull(out, s, spring->a, spring->b, spring->stiffness * (1 - share), d);
  }
  for (int i = 0; i < s->pair_count; i++) {
    const struct shk_pair *pair = &s->pairs[i];
    const real square = between(d, s, pair->a, pair->b, q), inverse = 1 / square;
    if (!(square > 0))
      return 1;
    const real r6 = inverse * inverse * inverse;
    const real slope =
        pair->charges * real_sqrt(inverse) + 6 * r6 * (2 * pair->lj12 * r6 - pair->lj6);
    pull(out, s, pair->a, pair->b, -slope * inverse, d);
  }
  return 0;
}

/* ---- from the file's text ---- */

static struct shk_status say(const struct shk_particles_file *file, enum shk_code code,
                             const char *text)
{
  return shk_failure(code, shk_particles_message(file, text), 0, 0);
}

/* Numbers of the file, which may be out of the range of this precision. */
static struct shk_status read_number(real *x, const struct shk_particles_file *file, int line,
                                     const char *text)
{
  struct shk_message message;
  if (shk_real_parse(x, text))
    return shk_ok();
  shk_message_set(&message, "%s:%d: found %s, expected a number within the range of this precision",
                  file->path, line, text);
  return say(file, SHK_BAD_INPUT, message.text);
}

static struct shk_status read_vector(real *x, const struct shk_particles_file *file, int line,
                                     char *const *text)
{
  for (int j = 0; j < file->dimension; j++)
    SHK_TRY(read_number(&x[j], file, line, text[j]));
  return shk_ok();
}

static struct shk_status read_points(struct shk_particles *s, const struct shk_particles_file *file)
{
  const int dimension = file->dimension;
  for (int i = 0; i < file->point_count; i++) {
    const struct shk_particles_point *point = &file->points[i];
    if (point->index < 0) {
      real *at = s->fixed + (-1 - point->index) * dimension;
      SHK_TRY(read_vector(at, file, point->line, point->position));
      continue;
    }
    real mass, v[3] = {0, 0, 0};
    SHK_TRY(read_number(&mass, file, point->line, point->mass));
    SHK_TRY(read_vector(s->sites.q + i * dimension, file, point->line, point->position));
    if (point->velocity[0])
      SHK_TRY(read_vector(v, file, point->line, point->velocity));
    for (int j = 0; j < dimension; j++) {
      s->sites.mass[i * dimension + j] = mass;
      s->sites.p[i * dimension + j] = mass * v[j];
    }
  }
  s->falls = file->gravity[0] != NULL;
  return s->falls ? read_vector(s->gravity, file, file->gravity_line, file->gravity) : shk_ok();
}

/* A rod without a length has the distance of its ends. */
static struct shk_status read_bonds(struct shk_particles *s, const struct shk_particles_file *file,
                                    bool *used)
{
  for (int i = 0; i < file->rod_count; i++) {
    const struct shk_particles_bond *bond = &file->rods[i];
    real d[3], length, square = between(d, s, bond->a, bond->b, s->sites.q);
    if (bond->a < 0)
      used[-1 - bond->a] = true;
    if (bond->length) {
      SHK_TRY(read_number(&length, file, bond->line, bond->length));
      square = length * length;
    }
    if (!(square > 0)) {
      struct shk_message message;
      shk_message_set(&message,
                      "%s:%d: found a rod between \"%s\" and \"%s\", which are at one place: "
                      "expected a length above 0",
                      file->path, bond->line, bond->names[0], bond->names[1]);
      return say(file, SHK_BAD_INPUT, message.text);
    }
    s->sites.rods[i] = (struct shk_rod){bond->a, bond->b, square};
  }
  for (int i = 0; i < file->spring_count; i++) {
    const struct shk_particles_bond *bond = &file->springs[i];
    struct shk_spring *spring = &s->springs[i];
    *spring = (struct shk_spring){.a = bond->a, .b = bond->b};
    if (bond->a < 0)
      used[-1 - bond->a] = true;
    SHK_TRY(read_number(&spring->stiffness, file, bond->line, bond->stiffness));
    SHK_TRY(read_number(&spring->rest, file, bond->line, bond->length));
  }
  return shk_ok();
}

struct site {
  real charge, sigma, epsilon;
};

static struct shk_status read_sites(struct site *sites, const struct shk_particles_file *file)
{
  for (int i = 0; i < file->point_count; i++) {
    const struct shk_particles_point *point = &file->points[i];
    sites[i] = (struct site){0, 0, 0};
    if (point->charge)
      SHK_TRY(read_number(&sites[i].charge, file, point->line, point->charge));
    if (point->sigma) {
      SHK_TRY(read_number(&sites[i].sigma, file, point->line, point->sigma));
      SHK_TRY(read_number(&sites[i].epsilon, file, point->line, point->epsilon));
    }
  }
  return shk_ok();
}

/* Points i < j interact unless neither moves, or a rod or the file says that they do not. */
static bool interact(const struct shk_particles_file *file, int i, int j)
{
  const size_t at = (size_t)i * (size_t)file->point_count + (size_t)j;
  return i < file->count && (file->joined[at] & (SHK_JOIN_ROD | SHK_JOIN_EXCLUDE)) == 0;
}

static struct shk_status read_pairs(struct shk_particles *s, struct shk_workspace *workspace,
                                    const struct shk_particles_file *file, struct site *sites,
                                    bool *used)
{
  real coulomb = 0;
  SHK_TRY(read_sites(sites, file));
  if (file->coulomb)
    SHK_TRY(read_number(&coulomb, file, 1, file->coulomb));
  for (int pass = 0; pass < 2; pass++) { /* counts, then fills */
    s->pair_count = 0;
    for (int i = 0; i < file->point_count; i++)
      for (int j = i + 1; j < file->point_count; j++) {
        const struct site *x = &sites[i], *y = &sites[j];
        const real charges = coulomb * x->charge * y->charge;
        const real depth = 4 * real_sqrt(x->epsilon * y->epsilon);
        if (!interact(file, i, j) || (charges == 0 && depth == 0))
          continue;
        const int at = s->pair_count++, other = file->points[j].index;
        if (pass == 0)
          continue;
        const real sigma = (x->sigma + y->sigma) / 2, s3 = sigma * sigma * sigma;
        if (other < 0)
          used[-1 - other] = true;
        s->pairs[at] = (struct shk_pair){.a = other < 0 ? other : i,
                                         .b = other < 0 ? i : other,
                                         .charges = charges,
                                         .lj12 = depth * s3 * s3 * s3 * s3,
                                         .lj6 = depth * s3 * s3};
      }
    if (pass == 0)
      s->pairs = shk_memory(workspace, (size_t)s->pair_count * sizeof *s->pairs);
    if (!s->pairs)
      return shk_no_memory();
  }
  return shk_ok();
}

/* ---- what is found automatically ---- */

/* The inverse of the reduced mass of two ends. */
static real inverse_mass(const struct shk_particles *s, int a, int b)
{
  const int dimension = s->sites.dimension;
  return 1 / s->sites.mass[b * dimension] + (a >= 0 ? 1 / s->sites.mass[a * dimension] : 0);
}

/* One over the fastest rate at the start: of springs, of rods under gravity, of turning rods, and
 * of pairs by their potential's curvature. */
static real find_time_scale(const struct shk_particles *s)
{
  const struct shk_sites *sites = &s->sites;
  const int dimension = sites->dimension;
  const real weight = shk_distance(NULL, s->gravity, dimension);
  real fastest = 0, d[3]; /* squares of rates */
  for (int i = 0; i < s->spring_count; i++)
    fastest = real_max(fastest,
                       s->springs[i].stiffness * inverse_mass(s, s->springs[i].a, s->springs[i].b));
  for (int i = 0; i < sites->rod_count; i++) {
    const struct shk_rod *rod = &sites->rods[i];
    real speed = 0;
    for (int j = 0; j < dimension; j++) {
      const int b = rod->b * dimension + j, a = rod->a * dimension + j;
      const real v =
          sites->p[b] / sites->mass[b] - (rod->a >= 0 ? sites->p[a] / sites->mass[a] : 0);
      speed += v * v;
    }
    fastest = real_max(fastest, real_max(weight / real_sqrt(rod->square), speed / rod->square));
  }
  for (int i = 0; i < s->pair_count; i++) {
    const struct shk_pair *pair = &s->pairs[i];
    const real inverse = 1 / between(d, s, pair->a, pair->b, sites->q);
    const real r6 = inverse * inverse * inverse;
    const real curved =
        2 * pair->charges * real_sqrt(inverse) + r6 * (156 * pair->lj12 * r6 - 42 * pair->lj6);
    fastest = real_max(fastest, real_fabs(curved) * inverse * inverse_mass(s, pair->a, pair->b));
  }
  return fastest > 0 ? 1 / real_sqrt(fastest) : 1;
}

static unsigned find_undecidable(const struct shk_particles *s)
{
  const int n = s->sites.count * s->sites.dimension, m = s->sites.rod_count;
  unsigned undecidable = 0;
  bool moves = false;
  for (int i = 0; i < n; i++)
    moves = moves || s->sites.p[i] != 0;
  if (s->spring_count == 0 && s->pair_count == 0)
    undecidable |= s->falls ? SHK_LINEAR_POTENTIAL : SHK_LINEAR_POTENTIAL | SHK_FREE_MOTION;
  if (m == 0)
    undecidable |= SHK_LINEAR_CONSTRAINTS;
  if (!moves)
    undecidable |= SHK_SYMMETRIC_START;
  /* Rods may be redundant, which leaves more freedom than this. */
  undecidable |= n - m <= 1 ? SHK_ONE_DEGREE_OF_FREEDOM : SHK_CHAOTIC;
  return undecidable;
}

/* What a rod is off by in length and in its rate, and what rounding the decimals of the positions
 * and velocities of its ends can leave of both. */
struct slack {
  real g, hidden, allowed_g, allowed_hidden;
};

static struct slack slack_of(const struct shk_particles *s, const struct shk_rod *rod)
{
  const struct shk_sites *sites = &s->sites;
  const int dimension = sites->dimension, b = rod->b * dimension, a = rod->a * dimension;
  struct slack off = {0};
  real d[3], place = real_max_norm(sites->q + b, dimension), speed = 0, reach = 0, relative = 0;
  off.g = real_fabs(between(d, s, rod->a, rod->b, sites->q) - rod->square) / 2;
  for (int j = 0; j < dimension; j++) {
    const real v_b = sites->p[b + j] / sites->mass[b + j];
    const real v_a = rod->a >= 0 ? sites->p[a + j] / sites->mass[a + j] : 0;
    off.hidden += d[j] * (v_b - v_a);
    reach += real_fabs(d[j]);
    relative += real_fabs(v_b - v_a);
    place = real_max(place, real_fabs(sites->q[b + j] - d[j]));
    speed = real_max(speed, real_max(real_fabs(v_a), real_fabs(v_b)));
  }
  off.allowed_g = 1000 * REAL_EPSILON * place * reach;
  off.allowed_hidden = 1000 * REAL_EPSILON * (speed * reach + place * relative);
  off.hidden = real_fabs(off.hidden);
  return off;
}

static struct shk_status check_start(struct shk_instance *instance, const struct shk_particles *s,
                                     const struct shk_particles_file *file)
{
  real g = 0, hidden = 0;
  bool holds = true;
  for (int i = 0; i < instance->system.m; i++) {
    const struct slack off = slack_of(s, &s->sites.rods[i]);
    g = real_max(g, off.g);
    hidden = real_max(hidden, off.hidden);
    holds = holds && off.g <= off.allowed_g && off.hidden <= off.allowed_hidden;
  }
  if (holds)
    return shk_ok();
  struct shk_message message;
  shk_message_set(
      &message,
      "%s: the start is inconsistent: max|g| = %.3g, max|G v| = %.3g; project=yes moves "
      "it onto the constraints",
      file->path, (double)g, (double)hidden);
  return say(file, SHK_INCONSISTENT, message.text);
}

/* ---- creation ---- */

static struct shk_status fill(struct shk_instance *instance, struct shk_particles *s,
                              const struct shk_particles_file *file, struct site *sites, bool *used)
{
  SHK_TRY(read_points(s, file));
  SHK_TRY(read_bonds(s, file, used));
  SHK_TRY(read_pairs(s, instance->workspace, file, sites, used));
  shk_sites_bind(instance, &s->sites);
  instance->system.potential = potential;
  instance->system.gradient = gradient;
  if (s->project)
    SHK_TRY(shk_make_consistent(instance, s->sites.q, s->sites.p));
  SHK_TRY(check_start(instance, s, file));
  shk_particles_find_kept(s, used, file->fixed_count);
  instance->time_scale = find_time_scale(s);
  if (file->time_scale)
    SHK_TRY(read_number(&instance->time_scale, file, 1, file->time_scale));
  instance->horizon = shk_short_decimal(R(7.3) * instance->time_scale);
  if (file->horizon)
    SHK_TRY(read_number(&instance->horizon, file, 1, file->horizon));
  instance->undecidable = find_undecidable(s);
  instance->invariant_count = s->kept_count;
  instance->invariant_names = s->names;
  instance->invariants = s->kept_count > 0 ? shk_particles_invariants : NULL;
  return shk_ok();
}

static struct shk_status build(struct shk_instance *instance, struct shk_particles *s,
                               const struct shk_particles_file *file)
{
  struct shk_workspace *const workspace = instance->workspace;
  const size_t points = (size_t)file->point_count;
  SHK_TRY(shk_sites_create(&s->sites, workspace, file->dimension, file->count, file->rod_count, 0));
  SHK_TRY(shk_reals(workspace, &s->fixed, 3 * (size_t)file->fixed_count));
  s->sites.fixed = s->fixed;
  s->spring_count = file->spring_count;
  s->springs = shk_memory(workspace, (size_t)file->spring_count * sizeof *s->springs);
  struct site *sites = shk_memory(workspace, points * sizeof *sites);
  bool *used = shk_memory(workspace, points * sizeof *used);
  if (!s->springs || !sites || !used)
    return shk_no_memory();
  return fill(instance, s, file, sites, used);
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct shk_particles *s = context;
  const char *reason;
  struct shk_particles_file *file = shk_particles_of(instance->parameters, &reason);
  if (!file)
    return shk_failure(SHK_BAD_INPUT, reason, 0, 0);
  const struct shk_status status = build(instance, s, file);
  shk_particles_free(file);
  return status;
}

static const struct shk_option options[] = {
    {.name = "file",
     .kind = SHK_OPTION_FILE,
     .meaning = "the system, in YAML, as in particles(file=\"linkage.yaml\")"},
    SHK_FLAG(shk_particles, project, "project", "no",
             "whether a start that is not consistent is moved onto the constraints rather than "
             "refused"),
    {0}};

static const struct shk_problem particles = {
    .struct_size = sizeof particles,
    .info = {.name = "particles",
             .summary = "particles, rods, springs, charges and Lennard-Jones sites from a file",
             .equations = "H = Σ |p_i|²/(2m_i) - Σ m_i a·r_i + Σ ½ k (|d| - l)²\n"
                          "    + Σ (c e_i e_j/r + 4 epsilon (sigma¹²/r¹² - sigma⁶/r⁶))\n"
                          "0 = ½ (|r_a - r_b|² - l²) for every rod",
             .citation = "M. P. Allen & D. J. Tildesley, Computer Simulation of Liquids, 2nd ed., "
                         "Oxford University Press 2017, §1.4 (pair potentials, mixing rules)",
             .units = "those of the file",
             .coordinates = "q = (r_1, …, r_N) in the file's order, r = (x, y) or (x, y, z)",
             .options = options},
    SHK_CONTEXT(shk_particles),
    .set_up = set_up,
};

SHK_PROVIDE(particles, .problems = SHK_PROBLEMS(&particles));

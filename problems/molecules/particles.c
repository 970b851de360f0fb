/*
 * A system of particles in 2 or 3 dimensions, read from a file (docs/guides/systems-from-files.md):
 *
 *     H = Σ |p_i|²/(2m_i) - Σ m_i a·r_i + Σ ½ k (|d| - l)²
 *         + Σ (c e_i e_j/r + 4 epsilon (sigma¹²/r¹² - sigma⁶/r⁶)) + angles and torsions (bonded.h)
 *     0 = ½ (|r_a - r_b|² - l²) for every rod
 *
 * q = (r_1, …, r_N) in the order of the file, a is gravity, c is the number `coulomb` in the file,
 * and the constraint force is -Gᵀλ. Ends of rods and springs, charges and Lennard-Jones sites can
 * belong to fixed points. The last sum is over all pairs except those joined by a rod (whose
 * distance is constant), those excluded in the file, and pairs of fixed points. sigma is the
 * arithmetic mean of the values of the two sites, and epsilon is the geometric mean (Lorentz &
 * Berthelot: M. P. Allen & D. J. Tildesley, Computer Simulation of Liquids, 2nd ed., Oxford 2017,
 * §1.4.2), or both are geometric means. An entry of `pairs` either scales both terms of a pair or
 * gives the pair its own sigma and epsilon.
 *
 * The following are determined automatically: the derivatives, the sparsity pattern of G, a time
 * scale, and the invariants that follow from Noether's theorem (particles_kept.c).
 *
 * If the initial state does not satisfy the constraints to the accuracy of the digits in the file,
 * it is rejected, and its residuals are reported. With project = yes, it is projected onto the
 * constraints instead (shk_make_consistent).
 */
#include "problems/kit/particles.h"
#include "problems/kit/particles_file.h"
#include "problems/kit/problem.h"

#include <stdlib.h>
#include <string.h>

/* ---- from strings to numbers ---- */

static struct shk_status say_of_file(const struct shk_particles_file *file, enum shk_code code,
                                     const char *text)
{
  return shk_failure(code, shk_particles_message(file, text), 0, 0);
}

/* Converts a number from the file. The number may exceed the range of this precision. */
static struct shk_status read_number(real *x, const struct shk_particles_file *file, int line,
                                     const char *text)
{
  struct shk_message message;
  if (shk_real_parse(x, text))
    return shk_ok();
  shk_message_set(&message, "%s:%d: found %s, expected a number within the range of this precision",
                  file->path, line, text);
  return say_of_file(file, SHK_BAD_INPUT, message.text);
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

static void use_fixed(bool *used, const struct shk_particles_term *term, int ends)
{
  for (int i = 0; i < ends; i++)
    if (term->at[i] < 0)
      used[-1 - term->at[i]] = true;
}

/* Reads a rod. If no length is given, the length is the distance between the rod's ends. */
static struct shk_status read_rod(struct shk_rod *rod, const struct shk_particles *s,
                                  const struct shk_particles_file *file,
                                  const struct shk_particles_term *term)
{
  real d[3], length, square = shk_particles_between(d, s, term->at[0], term->at[1], s->sites.q);
  if (term->length) {
    SHK_TRY(read_number(&length, file, term->line, term->length));
    square = length * length;
  }
  *rod = (struct shk_rod){term->at[0], term->at[1], square};
  if (square > 0)
    return shk_ok();
  struct shk_message message;
  shk_message_set(&message,
                  "%s:%d: found a rod between \"%s\" and \"%s\", which are at the same place: "
                  "expected a positive length",
                  file->path, term->line, term->names[0], term->names[1]);
  return say_of_file(file, SHK_BAD_INPUT, message.text);
}

static struct shk_status read_bonds(struct shk_particles *s, const struct shk_particles_file *file,
                                    bool *used)
{
  const struct shk_particles_terms *const rods = &file->terms[SHK_ROD];
  for (int i = 0; i < rods->count; i++) {
    use_fixed(used, &rods->list[i], 2);
    SHK_TRY(read_rod(&s->sites.rods[i], s, file, &rods->list[i]));
  }
  return shk_ok();
}

static struct shk_status read_springs(struct shk_spring *springs,
                                      const struct shk_particles_file *file,
                                      const struct shk_particles_terms *terms, bool *used)
{
  for (int i = 0; i < terms->count; i++) {
    const struct shk_particles_term *term = &terms->list[i];
    struct shk_spring *spring = &springs[i];
    *spring = (struct shk_spring){.a = term->at[0], .b = term->at[1]};
    use_fixed(used, term, 2);
    SHK_TRY(read_number(&spring->stiffness, file, term->line, term->stiffness));
    SHK_TRY(read_number(&spring->rest, file, term->line, term->length));
  }
  return shk_ok();
}

static struct shk_status read_angles(struct shk_particles *s, const struct shk_particles_file *file,
                                     bool *used)
{
  for (int i = 0; i < s->angle_count + s->cosine_count; i++) {
    const struct shk_particles_term *term =
        i < s->angle_count ? &file->terms[SHK_ANGLE].list[i]
                           : &file->terms[SHK_COSINE_ANGLE].list[i - s->angle_count];
    struct shk_angle *angle = &s->angles[i];
    use_fixed(used, term, 3);
    memcpy(angle->at, term->at, sizeof angle->at);
    SHK_TRY(read_number(&angle->stiffness, file, term->line, term->stiffness));
    SHK_TRY(read_number(&angle->rest, file, term->line, term->angle));
  }
  return shk_ok();
}

static struct shk_status read_torsion(struct shk_torsion *torsion,
                                      const struct shk_particles_file *file,
                                      const struct shk_particles_term *term, bool improper)
{
  memcpy(torsion->at, term->at, sizeof torsion->at);
  torsion->kind = improper                 ? SHK_TORSION_HARMONIC
                  : term->cosine_count > 0 ? SHK_TORSION_COSINES
                                           : SHK_TORSION_PERIODIC;
  for (int i = 0; i < term->cosine_count; i++)
    SHK_TRY(read_number(&torsion->cosines[i], file, term->line, term->cosines[i]));
  if (torsion->kind == SHK_TORSION_COSINES)
    return shk_ok();
  torsion->multiplicity = improper ? 1 : term->multiplicity[0] - '0';
  SHK_TRY(read_number(&torsion->stiffness, file, term->line, term->stiffness));
  return read_number(&torsion->phase, file, term->line, improper ? term->angle : term->phase);
}

static struct shk_status read_torsions(struct shk_particles *s,
                                       const struct shk_particles_file *file, bool *used)
{
  const int dihedrals = file->terms[SHK_DIHEDRAL].count;
  for (int i = 0; i < s->torsion_count; i++) {
    const bool improper = i >= dihedrals;
    const struct shk_particles_term *term = improper
                                                ? &file->terms[SHK_IMPROPER].list[i - dihedrals]
                                                : &file->terms[SHK_DIHEDRAL].list[i];
    use_fixed(used, term, 4);
    SHK_TRY(read_torsion(&s->torsions[i], file, term, improper));
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

/* Returns true if the points i < j interact through the parameters of the two points. This is the
 * case if at least one of them can move, and if the pair is neither joined by a rod nor excluded in
 * the file. */
static bool interact_particles(const struct shk_particles_file *file, int i, int j)
{
  const unsigned apart = 1u << SHK_ROD | 1u << SHK_EXCLUDE | 1u << SHK_PAIR;
  const size_t at = (size_t)i * (size_t)file->point_count + (size_t)j;
  return i < file->count && (file->joined[at] & apart) == 0;
}

static real combined_sigma(const struct shk_particles_file *file, const struct site *x,
                           const struct site *y)
{
  const bool geometric = file->combination && file->combination[0] == 'g';
  return geometric ? real_sqrt(x->sigma * y->sigma) : (x->sigma + y->sigma) / 2;
}

static void set_pair(struct shk_pair *pair, real charges, real sigma, real depth)
{
  const real s3 = sigma * sigma * sigma;
  pair->charges = charges;
  pair->lj12 = depth * s3 * s3 * s3 * s3;
  pair->lj6 = depth * s3 * s3;
}

/* Reads a pair that the file scales or for which it specifies separate parameters. */
static struct shk_status read_own_pair(struct shk_pair *pair, const struct shk_particles_file *file,
                                       const struct site *sites, real coulomb,
                                       const struct shk_particles_term *term)
{
  const struct site *x = &sites[shk_particles_point_of(file, term->at[0])];
  const struct site *y = &sites[shk_particles_point_of(file, term->at[1])];
  real charges = 1, scale = 1, sigma = combined_sigma(file, x, y);
  real epsilon = real_sqrt(x->epsilon * y->epsilon);
  if (term->coulomb)
    SHK_TRY(read_number(&charges, file, term->line, term->coulomb));
  if (term->lennard_jones)
    SHK_TRY(read_number(&scale, file, term->line, term->lennard_jones));
  if (term->sigma) {
    SHK_TRY(read_number(&sigma, file, term->line, term->sigma));
    SHK_TRY(read_number(&epsilon, file, term->line, term->epsilon));
  }
  *pair = (struct shk_pair){.a = term->at[0], .b = term->at[1]};
  set_pair(pair, charges * coulomb * x->charge * y->charge, sigma, 4 * scale * epsilon);
  return shk_ok();
}

/* Counts the pairs that interact through the parameters of their points, and stores them unless
 * `pairs` is NULL. */
static int find_pairs(struct shk_pair *pairs, const struct shk_particles_file *file,
                      const struct site *sites, real coulomb, bool *used)
{
  int count = 0;
  for (int i = 0; i < file->point_count; i++)
    for (int j = i + 1; j < file->point_count; j++) {
      const struct site *x = &sites[i], *y = &sites[j];
      const real charges = coulomb * x->charge * y->charge;
      const real depth = 4 * real_sqrt(x->epsilon * y->epsilon);
      if (!interact_particles(file, i, j) || (charges == 0 && depth == 0))
        continue;
      const int at = count++, other = file->points[j].index;
      if (!pairs)
        continue;
      if (other < 0)
        used[-1 - other] = true;
      pairs[at] = (struct shk_pair){.a = other < 0 ? other : i, .b = other < 0 ? i : other};
      set_pair(&pairs[at], charges, combined_sigma(file, x, y), depth);
    }
  return count;
}

static struct shk_status read_pairs(struct shk_particles *s, struct shk_workspace *workspace,
                                    const struct shk_particles_file *file, struct site *sites,
                                    bool *used)
{
  const struct shk_particles_terms *const own = &file->terms[SHK_PAIR];
  real coulomb = 0;
  SHK_TRY(read_sites(sites, file));
  if (file->coulomb)
    SHK_TRY(read_number(&coulomb, file, 1, file->coulomb));
  const int found = find_pairs(NULL, file, sites, coulomb, used);
  s->pair_count = found + own->count;
  s->pairs = shk_memory(workspace, (size_t)s->pair_count * sizeof *s->pairs);
  SHK_TRY(shk_allocated(s->pairs));
  find_pairs(s->pairs, file, sites, coulomb, used);
  for (int i = 0; i < own->count; i++) {
    use_fixed(used, &own->list[i], 2);
    SHK_TRY(read_own_pair(&s->pairs[found + i], file, sites, coulomb, &own->list[i]));
  }
  return shk_ok();
}

/* ---- properties that are determined automatically ---- */

/* Returns the inverse of the fastest initial rate. The rates considered are those of springs, rods
 * under gravity, rotating rods, angles, torsions, and the curvature of pair potentials. */
static real find_time_scale(const struct shk_particles *s)
{
  const struct shk_sites *sites = &s->sites;
  const int dimension = sites->dimension;
  real fastest = 0; /* squares of rates */
  for (int i = 0; i < s->spring_count + s->quartic_count; i++) {
    const struct shk_spring *const spring =
        i < s->spring_count ? &s->springs[i] : &s->quartics[i - s->spring_count];
    fastest =
        real_max(fastest, spring->stiffness * shk_particles_softness(s, spring->a, spring->b));
  }
  for (int i = 0; i < sites->rod_count; i++)
    fastest = real_max(fastest, shk_particles_rod_rate(s, &sites->rods[i]));
  for (int i = 0; i < s->pair_count; i++)
    fastest = real_max(fastest, shk_particles_pair_rate(s, &s->pairs[i]));
  const struct shk_places places = {dimension, sites->q, s->fixed};
  for (int i = 0; i < s->angle_count + s->cosine_count; i++)
    fastest = real_max(fastest, shk_angle_rate(&places, sites->mass, &s->angles[i]));
  for (int i = 0; i < s->torsion_count; i++)
    fastest = real_max(fastest, shk_torsion_rate(&places, sites->mass, &s->torsions[i]));
  return fastest > 0 ? 1 / real_sqrt(fastest) : 1;
}

static unsigned find_undecidable(const struct shk_particles *s)
{
  const int n = s->sites.count * s->sites.dimension, m = s->sites.rod_count;
  unsigned undecidable = 0;
  bool moves = false;
  for (int i = 0; i < n; i++)
    moves = moves || s->sites.p[i] != 0;
  if (s->spring_count + s->quartic_count + s->pair_count + s->angle_count + s->cosine_count +
          s->torsion_count ==
      0)
    undecidable |= s->falls ? SHK_LINEAR_POTENTIAL : SHK_LINEAR_POTENTIAL | SHK_FREE_MOTION;
  if (m == 0)
    undecidable |= SHK_LINEAR_CONSTRAINTS;
  if (!moves)
    undecidable |= SHK_SYMMETRIC_START;
  /* If rods are redundant, there are more than n - m degrees of freedom. */
  undecidable |= n - m <= 1 ? SHK_ONE_DEGREE_OF_FREEDOM : SHK_CHAOTIC;
  return undecidable;
}

/* The errors in a rod's length and in its rate of change, and the errors that are allowed. Decimal
 * rounding of the positions and velocities of the rod's ends can cause errors of this size. */
struct slack {
  real g, hidden, allowed_g, allowed_hidden;
};

static struct slack slack_of(const struct shk_particles *s, const struct shk_rod *rod)
{
  const struct shk_sites *sites = &s->sites;
  const int dimension = sites->dimension, b = rod->b * dimension, a = rod->a * dimension;
  struct slack off = {0};
  real d[3], place = real_max_norm(sites->q + b, dimension), speed = 0, reach = 0, relative = 0;
  off.g = real_fabs(shk_particles_between(d, s, rod->a, rod->b, sites->q) - rod->square) / 2;
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
  return say_of_file(file, SHK_INCONSISTENT, message.text);
}

/* ---- creation ---- */

static struct shk_status fill_particles(struct shk_instance *instance, struct shk_particles *s,
                                        const struct shk_particles_file *file, struct site *sites,
                                        bool *used)
{
  SHK_TRY(read_points(s, file));
  SHK_TRY(read_bonds(s, file, used));
  SHK_TRY(read_springs(s->springs, file, &file->terms[SHK_SPRING], used));
  SHK_TRY(read_springs(s->quartics, file, &file->terms[SHK_QUARTIC], used));
  SHK_TRY(read_angles(s, file, used));
  SHK_TRY(read_torsions(s, file, used));
  SHK_TRY(read_pairs(s, instance->workspace, file, sites, used));
  SHK_TRY(shk_sites_bind(instance, &s->sites));
  instance->system.potential = shk_particles_potential;
  instance->system.gradient = shk_particles_gradient;
  if (s->quartic_count + s->cosine_count == 0)
    instance->system.terms = shk_particles_declare(s);
  if (s->project)
    SHK_TRY(shk_make_consistent(instance, s->sites.q, s->sites.p));
  SHK_TRY(check_start(instance, s, file));
  shk_particles_find_kept(instance, s, used, file->fixed_count);
  instance->time_scale = find_time_scale(s);
  if (file->time_scale)
    SHK_TRY(read_number(&instance->time_scale, file, 1, file->time_scale));
  instance->horizon = shk_short_decimal(R(7.3) * instance->time_scale);
  if (file->horizon)
    SHK_TRY(read_number(&instance->horizon, file, 1, file->horizon));
  instance->undecidable = find_undecidable(s);
  return shk_ok();
}

static struct shk_status build_particles(struct shk_instance *instance, struct shk_particles *s,
                                         const struct shk_particles_file *file)
{
  struct shk_workspace *const workspace = instance->workspace;
  const size_t points = (size_t)file->point_count;
  SHK_TRY(shk_sites_create(&s->sites, workspace, file->dimension, file->count,
                           file->terms[SHK_ROD].count));
  SHK_TRY(shk_reals(workspace, &s->fixed, 3 * (size_t)file->fixed_count));
  s->sites.fixed = s->fixed;
  s->fixed_count = file->fixed_count;
  s->spring_count = file->terms[SHK_SPRING].count;
  s->angle_count = file->terms[SHK_ANGLE].count;
  s->cosine_count = file->terms[SHK_COSINE_ANGLE].count;
  s->torsion_count = file->terms[SHK_DIHEDRAL].count + file->terms[SHK_IMPROPER].count;
  s->quartic_count = file->terms[SHK_QUARTIC].count;
  s->springs = shk_memory(workspace, (size_t)s->spring_count * sizeof *s->springs);
  s->quartics = shk_memory(workspace, (size_t)s->quartic_count * sizeof *s->quartics);
  s->angles = shk_memory(workspace, (size_t)(s->angle_count + s->cosine_count) * sizeof *s->angles);
  s->torsions = shk_memory(workspace, (size_t)s->torsion_count * sizeof *s->torsions);
  struct site *sites = shk_memory(workspace, points * sizeof *sites);
  bool *used = shk_memory(workspace, points * sizeof *used);
  if (!s->springs || !s->quartics || !s->angles || !s->torsions || !sites || !used)
    return shk_no_memory();
  return fill_particles(instance, s, file, sites, used);
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct shk_particles *s = context;
  const char *reason;
  struct shk_particles_file *file = shk_particles_of(instance->parameters, &reason);
  if (!file)
    return shk_failure(SHK_BAD_INPUT, reason, 0, 0);
  const struct shk_status status = build_particles(instance, s, file);
  shk_particles_free(file);
  return status;
}

static const struct shk_option options[] = {
    {.name = "file",
     .kind = SHK_OPTION_FILE,
     .meaning = "YAML file that describes the system, as in particles(file=\"linkage.yaml\")"},
    SHK_FLAG(shk_particles, project, "project", "no",
             "project an inconsistent start onto the constraints; no: refuse it"),
    {0}};

SHK_PROVIDE_PROBLEM(
    particles, shk_particles, NULL, .name = "particles", .family = "molecules and particles",
    .summary = "particles, rods, springs, angles, torsions, charges and Lennard-Jones "
               "sites from a file",
    .equations = "H = Σ |p_i|²/(2m_i) - Σ m_i a·r_i + Σ ½ k (|d| - l)²\n"
                 "    + Σ (c e_i e_j/r + 4 epsilon (sigma¹²/r¹² - sigma⁶/r⁶))\n"
                 "    + Σ ½ k (θ - θ_0)² + Σ k (1 + cos(n φ - φ_0)) + Σ c_i cos^i(φ - 180°)\n"
                 "    + Σ ½ k (φ - φ_0)² of impropers + Σ ½ k (cos θ - cos θ_0)² of cosine angles\n"
                 "0 = ½ (|r_a - r_b|² - l²) for every rod",
    .citation = "M. P. Allen & D. J. Tildesley, Computer Simulation of Liquids, 2nd ed., "
                "Oxford University Press 2017, §1.4 (pair potentials, mixing rules)",
    .units = "the file's units",
    .coordinates = "q = (r_1, …, r_N) in the file's order, r = (x, y) or (x, y, z)");

/*
 * N rigid molecules of water of three sites in a periodic box of side L:
 *
 *     H = Σ |p_i|²/(2m_i) + Σ V_LJ(r_OO) + Σ k e_i e_j V_C(r_ij)     (pairs of different molecules)
 *     0 = ½ (|r_H1 - r_O|² - d²), ½ (|r_H2 - r_O|² - d²), ½ (|r_H1 - r_H2|² - s²)   each molecule
 *
 * over the nearest images. V_LJ = 4 epsilon (sigma¹²/r¹² - sigma⁶/r⁶) and V_C = 1/r with their
 * forces switched off as in pair.h. q = (r_O, r_H1, r_H2, …) molecule by molecule, never wrapped
 * into the box; constraint force -Gᵀλ. Models, units and numbers: water.h. The range is so short
 * that this is a problem for integrators, not a model of water's properties.
 *
 * By default r1 = 0. Sites cross a larger r1 all the time, and the jump of the third derivative
 * there makes the energy drift like a random walk: by a tenth of its oscillation in 200 ps of
 * RATTLE at 1 fs with 64 molecules and r1 = 0.4 nm, by a fiftieth with 0.2 nm.
 *
 * Start: oxygens on a simple cubic lattice, random orientations, random velocities of the given
 * temperature, tangent and without total momentum. This is not an equilibrium: the kinetic
 * temperature rises as the hydrogen bonds form. Total momentum is conserved; the box does not
 * conserve angular momentum. The motion is chaotic.
 *
 * Molecules interact within R = r_c + 2d of each other's oxygens. If the box has room for three
 * cells of that size per side, every call sorts the molecules into cells and searches only the 27
 * cells about each, which makes the cost linear in N. Smaller boxes try every pair. The order of
 * summation depends on q alone.
 *
 * With pairs=no there is no potential: N free asymmetric tops, which conserve angular momentum too
 * and are not chaotic. A step then consists of the constraints only.
 */
#include "problems/kit/pair.h"
#include "problems/kit/problem.h"
#include "problems/kit/water.h"

struct box {
  struct shk_sites sites; /* first: the callbacks of sites.h use it as the context */
  long molecules;
  bool pairs;
  real density, longest, onset; /* the last two: cutoff and switch in nm */
  struct shk_water_options options;
  real side, reach;   /* L, R */
  real cutoff, from;  /* r_c, r1 */
  real charges[3][3]; /* k e_i e_j */
  real lj12, lj6;     /* 4 epsilon sigma¹², 4 epsilon sigma⁶ */
  struct shk_switched coulomb, lennard_jones;
  int cells;  /* per side; 0: every pair is tried */
  int *begin; /* cells³ + 1: first index in `order` of each cell */
  int *order; /* molecules, cell by cell, ascending in each */
  int *place; /* cell of each molecule */
};

/* A sum over pairs; where `out` is NULL, of the potential alone. */
struct sum {
  const struct box *box;
  const real *q;
  real value, *out;
  bool met; /* two sites coincide, or a coordinate is not finite */
};

/* Adds two sites d apart, within the cutoff. */
static inline void add_sites(struct sum *sum, const real *d, real square, int i, int j, int a,
                             int b)
{
  const struct box *box = sum->box;
  const real r = real_sqrt(square), inverse = 1 / r;
  const real charges = box->charges[a][b];
  const bool oxygens = a == 0 && b == 0;
  const real r6 = oxygens ? inverse * inverse * inverse * inverse * inverse * inverse : 0;
  if (!sum->out) {
    sum->value += charges * (inverse + shk_switched_potential(&box->coulomb, r, box->from));
    if (oxygens)
      sum->value += r6 * (box->lj12 * r6 - box->lj6) +
                    shk_switched_potential(&box->lennard_jones, r, box->from);
    return;
  }
  real force = charges * (inverse * inverse + shk_switched_force(&box->coulomb, r, box->from));
  if (oxygens)
    force += 6 * r6 * (2 * box->lj12 * r6 - box->lj6) * inverse +
             shk_switched_force(&box->lennard_jones, r, box->from);
  real *first = sum->out + 9 * (size_t)i + 3 * (size_t)a;
  real *second = sum->out + 9 * (size_t)j + 3 * (size_t)b;
  const real pull = force * inverse;
  for (int k = 0; k < 3; k++) {
    first[k] -= pull * d[k];
    second[k] += pull * d[k];
  }
}

/* Adds two molecules. From the image that is nearest for the oxygens, the one that is nearest for
 * any two of their sites is at most one side away. */
static void add_molecules(struct sum *sum, int i, int j)
{
  const struct box *box = sum->box;
  const real *x = sum->q + 9 * (size_t)i, *y = sum->q + 9 * (size_t)j;
  const real side = box->side, half = side / 2;
  real shift[3], square = 0;
  for (int k = 0; k < 3; k++) {
    const real d = x[k] - y[k];
    shift[k] = side * real_floor(d / side + R(0.5));
    square += (d - shift[k]) * (d - shift[k]);
  }
  if (!(square < box->reach * box->reach)) {
    sum->met = sum->met || square != square;
    return;
  }
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      real d[3], size = 0;
      for (int k = 0; k < 3; k++) {
        d[k] = x[3 * a + k] - y[3 * b + k] - shift[k];
        d[k] -= d[k] > half ? side : d[k] < -half ? -side : 0;
        size += d[k] * d[k];
      }
      if (size >= box->cutoff * box->cutoff)
        continue;
      if (size > 0)
        add_sites(sum, d, size, i, j, a, b);
      else
        sum->met = true;
    }
}

/* Sorts the molecules into cells; false if a coordinate is not finite. */
static bool sort_water_box(const struct box *box, const real *q)
{
  const int cells = box->cells, all = cells * cells * cells;
  for (int c = 0; c <= all; c++)
    box->begin[c] = 0;
  for (int i = 0; i < box->molecules; i++) {
    int cell = 0;
    for (int k = 0; k < 3; k++) {
      const real x = q[9 * (size_t)i + (size_t)k] / box->side, part = x - real_floor(x);
      if (!(part >= 0 && part <= 1))
        return false;
      const int at = (int)(part * cells);
      cell = cell * cells + (at < cells ? at : cells - 1);
    }
    box->place[i] = cell;
    box->begin[cell + 1]++;
  }
  for (int c = 0; c < all; c++)
    box->begin[c + 1] += box->begin[c];
  /* Filling has moved each beginning to the next one; this moves them back. */
  for (int i = 0; i < box->molecules; i++)
    box->order[box->begin[box->place[i]]++] = i;
  for (int c = all; c > 0; c--)
    box->begin[c] = box->begin[c - 1];
  box->begin[0] = 0;
  return true;
}

/* Adds a cell with itself and with the half of its neighbours that follow it in (1,1,1) order. */
static void add_cell(struct sum *sum, int x, int y, int z)
{
  const struct box *box = sum->box;
  const int cells = box->cells, here = (x * cells + y) * cells + z;
  for (int i = box->begin[here]; i < box->begin[here + 1]; i++)
    for (int j = i + 1; j < box->begin[here + 1]; j++)
      add_molecules(sum, box->order[i], box->order[j]);
  for (int step = 14; step < 27; step++) { /* 13 is the cell itself */
    const int nx = (x + step / 9 - 1 + cells) % cells;
    const int ny = (y + step / 3 % 3 - 1 + cells) % cells;
    const int nz = (z + step % 3 - 1 + cells) % cells;
    const int there = (nx * cells + ny) * cells + nz;
    for (int i = box->begin[here]; i < box->begin[here + 1]; i++)
      for (int j = box->begin[there]; j < box->begin[there + 1]; j++)
        add_molecules(sum, box->order[i], box->order[j]);
  }
}

/* Returns 0, or 1 without a value: two sites coincide, or a coordinate is not finite. */
static int add_all(struct sum *sum)
{
  const struct box *box = sum->box;
  if (box->cells == 0) {
    for (int i = 0; i < box->molecules; i++)
      for (int j = i + 1; j < box->molecules; j++)
        add_molecules(sum, i, j);
    return sum->met ? 1 : 0;
  }
  if (!sort_water_box(box, sum->q))
    return 1;
  for (int x = 0; x < box->cells; x++)
    for (int y = 0; y < box->cells; y++)
      for (int z = 0; z < box->cells; z++)
        add_cell(sum, x, y, z);
  return sum->met ? 1 : 0;
}

static int potential(const void *context, real *value, real t, const real *q)
{
  struct sum sum = {.box = context, .q = q};
  const int code = add_all(&sum);
  *value = sum.value;
  return code;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct box *box = context;
  struct sum sum = {.box = box, .q = q, .out = out};
  for (int i = 0; i < 9 * box->molecules; i++)
    out[i] = 0;
  return add_all(&sum);
}

/* ---- creation ---- */

static struct shk_status make_cells(struct box *box, struct shk_workspace *workspace, int most)
{
  const real fit = box->side / box->reach;
  const int cells = fit < most ? (int)fit : most;
  if (cells < 3)
    return shk_ok();
  const size_t all = (size_t)cells * (size_t)cells * (size_t)cells;
  box->cells = cells;
  SHK_TRY(shk_integers(workspace, &box->begin, all + 1));
  SHK_TRY(shk_integers(workspace, &box->order, (size_t)box->molecules));
  return shk_integers(workspace, &box->place, (size_t)box->molecules);
}

/* Returns the side of the box in nm. */
static real side_of(const struct box *box)
{
  /* 1 g/cm³ is 602.214076 u/nm³. */
  const real gram = R(602.21407600), mass = R(15.9994) + 2 * R(1.008);
  const real volume = box->molecules * mass / (gram * box->density);
  return real_pow(volume, R(1.0) / 3);
}

/* Sets the potentials; `edge`: sites of the lattice per side. */
static struct shk_status set_potentials(struct box *box, struct shk_workspace *workspace,
                                        const struct shk_water *water, int edge)
{
  const real cutoff = box->longest, from = box->onset;
  const real side = side_of(box);
  if (2 * cutoff > side)
    return shk_failure(SHK_BAD_INPUT,
                       "the cutoff, %g nm, is more than half of the side of the box, %g nm: use "
                       "more molecules or a smaller cutoff",
                       (double)cutoff, (double)side);
  if (!(from < cutoff))
    return shk_failure(SHK_BAD_INPUT,
                       "forces are switched off beyond %g nm, expected less than the cutoff, %g nm",
                       (double)from, (double)cutoff);
  box->cutoff = cutoff;
  box->from = from;
  box->reach = box->cutoff + 2 * water->bond;
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      box->charges[a][b] = SHK_COULOMB_CONSTANT * water->charge[a] * water->charge[b];
  const real s3 = water->sigma * water->sigma * water->sigma, s6 = s3 * s3;
  box->lj6 = 4 * water->epsilon * s6;
  box->lj12 = box->lj6 * s6;
  box->coulomb = shk_switch(1, box->from, box->cutoff);
  const struct shk_switched six = shk_switch(6, box->from, box->cutoff);
  const struct shk_switched twelve = shk_switch(12, box->from, box->cutoff);
  box->lennard_jones = (struct shk_switched){box->lj12 * twelve.a - box->lj6 * six.a,
                                             box->lj12 * twelve.b - box->lj6 * six.b,
                                             box->lj12 * twelve.c - box->lj6 * six.c};
  return make_cells(box, workspace, edge);
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct box *box = context;
  const int count = 3 * (int)box->molecules;
  struct shk_water water;
  int edge = 1;
  while (edge * edge * edge < box->molecules)
    edge++;
  SHK_TRY(shk_sites_create(&box->sites, instance->workspace, 3, count, count));
  shk_water_read(&water, &box->options);
  box->side = side_of(box);
  const bool pairs = box->pairs;
  if (pairs)
    SHK_TRY(set_potentials(box, instance->workspace, &water, edge));
  uint64_t seed = (uint64_t)box->options.seed;
  const real heat = SHK_GAS_CONSTANT * box->options.temperature;
  for (int i = 0; i < box->molecules; i++) {
    const int indices[3] = {i / (edge * edge), i / edge % edge, i % edge};
    real at[3];
    for (int k = 0; k < 3; k++)
      at[k] = box->side * (indices[k] + R(0.5)) / edge;
    shk_water_place(&box->sites, &water, i, at, &seed);
  }
  shk_sites_draw(&box->sites, heat, &seed);
  SHK_TRY(shk_sites_bind(instance, &box->sites));
  instance->system.potential = pairs ? potential : NULL;
  instance->system.gradient = pairs ? gradient : NULL;
  SHK_TRY(shk_make_consistent(instance, box->sites.q, box->sites.p));

  /* Rates of libration, with a hydrogen at the distance sigma - d of a neighbour's oxygen, or of
   * thermal rotation, ½ m_H d² rate² = ½ k_B T. */
  const real near = water.sigma - water.bond;
  if (pairs)
    instance->time_scale = real_sqrt(water.mass[1] * near * near * near / -box->charges[0][1]);
  else
    instance->time_scale = heat > 0 ? water.bond * real_sqrt(water.mass[1] / heat) : 1;
  instance->horizon = shk_short_decimal(R(7.3) * instance->time_scale);
  instance->undecidable = pairs ? SHK_CHAOTIC : SHK_LINEAR_POTENTIAL | SHK_FREE_MOTION;
  if (heat == 0)
    instance->undecidable |= SHK_SYMMETRIC_START;
  /* With interactions the periodic box has no rotational symmetry. */
  shk_set_invariants(instance, pairs ? 3 : 6, shk_momentum_names(),
                     pairs ? shk_sites_momentum : shk_sites_momenta);
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_INTEGER(box, molecules, "molecules", "216", "number N of molecules", .minimum = "2",
                .maximum = "100000"),
    SHK_REAL(box, density, "density", "0.997",
             "density in g/cm³, which determines the size of the box", SHK_POSITIVE),
    SHK_REAL(box, longest, "cutoff", "0.6", "cutoff distance r_c in nm, at most half of the box",
             SHK_POSITIVE),
    SHK_REAL(box, onset, "switch", "0",
             "distance r1 in nm beyond which forces are switched off. If r1 is above 0, sites "
             "cross it, and the jump in the third derivative there makes the energy drift",
             .minimum = "0"),
    SHK_FLAG(box, pairs, "pairs", "yes",
             "interaction between the molecules; without it, cutoff and switch have no effect"),
    SHK_WATER(box, options),
    {0}};

SHK_PROVIDE_PROBLEM(
    water_box, box, NULL, .name = "water-box", .family = "molecules and particles",
    .summary = "periodic box of rigid three-site water, scalable to 10⁵ molecules",
    .equations = "H = Σ |p_i|²/(2m_i) + Σ V_LJ(r_OO) + Σ k e_i e_j V_C(r_ij), nearest "
                 "images of different molecules\n"
                 "V_LJ = 4 epsilon (sigma¹²/r¹² - sigma⁶/r⁶), V_C = 1/r, their forces "
                 "switched off between r1 and r_c\n"
                 "0 = ½ (|r_H1 - r_O|² - d²), ½ (|r_H2 - r_O|² - d²), "
                 "½ (|r_H1 - r_H2|² - s²), each molecule",
    .citation = "H. J. C. Berendsen, J. R. Grigera & T. P. Straatsma, J. Phys. Chem. 91 "
                "(1987) 6269-6271; W. L. Jorgensen et al., J. Chem. Phys. 79 (1983) "
                "926-935; switch: D. van der Spoel & P. J. van Maaren, J. Chem. Theory "
                "Comput. 2 (2006) 1-11",
    .units = "nm, ps, u and kJ/mol",
    .coordinates = "q = (r_O, r_H1, r_H2) of each molecule, r = (x, y, z), not wrapped "
                   "into the box");

/*
 * N rigid three-site water molecules in a periodic box with side L:
 *
 *     H = Σ |p_i|²/(2m_i) + Σ V_LJ(r_OO) + Σ k e_i e_j V_C(r_ij)     (pairs in different molecules)
 *     0 = ½ (|r_H1 - r_O|² - d²), ½ (|r_H2 - r_O|² - d²), ½ (|r_H1 - r_H2|² - s²)   each molecule
 *
 * The sums are over nearest images. V_LJ = 4 epsilon (sigma¹²/r¹² - sigma⁶/r⁶) and V_C = 1/r, with
 * forces that are switched off as in pair.h. q = (r_O, r_H1, r_H2, …), molecule by molecule.
 * Positions are never wrapped into the box. The constraint force is -Gᵀλ. See water.h for the
 * models, their units and parameters. The forces are so short-ranged that this is a test problem
 * for integrators, not a model of the properties of water.
 *
 * By default, r1 = 0. If r1 is larger, pairs of sites cross this distance all the time, and the
 * jump in the third derivative makes the energy drift like a random walk. With 64 molecules and
 * RATTLE at a step size of 1 fs, the drift in 200 ps is a tenth of the amplitude of the energy
 * oscillation for r1 = 0.4 nm, and a fiftieth for 0.2 nm.
 *
 * Initially, the oxygens are on a simple cubic lattice, and the orientations are random. The
 * velocities are random for the given temperature and tangent, and the total momentum is zero. This
 * is not an equilibrium: the kinetic temperature rises as hydrogen bonds form. Total momentum is
 * conserved, but the periodic box does not conserve angular momentum. The motion is chaotic.
 *
 * Two molecules interact if their oxygens are within R = r_c + 2d of each other. If the box is
 * large enough for three cells of that size per side, every call sorts the molecules into cells and
 * searches only the 27 cells around each molecule, so the cost grows linearly with N. In smaller
 * boxes, every pair is checked. The order of summation depends only on q.
 *
 * With pairs=no, there is no potential. The molecules are then N free asymmetric tops, which also
 * conserve angular momentum and are not chaotic. In this case, almost all the work of a step is to
 * solve the constraints.
 */
#include "problems/kit/pair.h"
#include "problems/kit/problem.h"
#include "problems/kit/water.h"

struct box {
  /* must come first, because the callbacks of sites.h use it as the context */
  struct shk_sites sites;
  long molecules;
  bool pairs;
  /* the last two are the cutoff and the switching distance, both in nm */
  real density, longest, onset;
  struct shk_water_options options;
  real side, reach;   /* L, R */
  real cutoff, from;  /* r_c, r1 */
  real charges[3][3]; /* k e_i e_j */
  real lj12, lj6;     /* 4 epsilon sigma¹² and 4 epsilon sigma⁶ */
  struct shk_switched coulomb, lennard_jones;
  int cells;  /* number of cells per side, or 0 if every pair is checked */
  int *begin; /* first index of each cell in `order` (cells³ + 1 numbers) */
  int *order; /* molecules ordered by cell, in ascending order within each cell */
  int *place; /* cell of each molecule */
};

/* A sum over pairs. If `out` is NULL, only the potential is summed. */
struct sum {
  const struct box *box;
  const real *q;
  real value, *out;
  bool met; /* true if two sites coincide, or if a coordinate is not finite */
};

/* Adds the interaction of two sites at a distance d within the cutoff. */
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

/* Adds the interaction of two molecules. The nearest image for any two of their sites differs by at
 * most one box side from the nearest image for the oxygens. */
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

/* Sorts the molecules into cells. Returns false if a coordinate is not finite. */
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
  /* Filling the cells has advanced each start index to that of the next cell. This moves the
   * indices back. */
  for (int i = 0; i < box->molecules; i++)
    box->order[box->begin[box->place[i]]++] = i;
  for (int c = all; c > 0; c--)
    box->begin[c] = box->begin[c - 1];
  box->begin[0] = 0;
  return true;
}

/* Adds the pairs within a cell, and the pairs with one half of its neighbours: those that come
 * after it in lexicographic order. */
static void add_cell(struct sum *sum, int x, int y, int z)
{
  const struct box *box = sum->box;
  const int cells = box->cells, here = (x * cells + y) * cells + z;
  for (int i = box->begin[here]; i < box->begin[here + 1]; i++)
    for (int j = i + 1; j < box->begin[here + 1]; j++)
      add_molecules(sum, box->order[i], box->order[j]);
  for (int step = 14; step < 27; step++) { /* index 13 is the cell itself */
    const int nx = (x + step / 9 - 1 + cells) % cells;
    const int ny = (y + step / 3 % 3 - 1 + cells) % cells;
    const int nz = (z + step % 3 - 1 + cells) % cells;
    const int there = (nx * cells + ny) * cells + nz;
    for (int i = box->begin[here]; i < box->begin[here + 1]; i++)
      for (int j = box->begin[there]; j < box->begin[there + 1]; j++)
        add_molecules(sum, box->order[i], box->order[j]);
  }
}

/* Returns 0 on success, or 1 if the sum is undefined because two sites coincide or a coordinate is
 * not finite. */
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
  /* 1 g/cm³ equals 602.214076 u/nm³. */
  const real gram = R(602.21407600), mass = R(15.9994) + 2 * R(1.008);
  const real volume = box->molecules * mass / (gram * box->density);
  return real_pow(volume, R(1.0) / 3);
}

/* Sets the potentials. `edge` is the number of lattice sites per side. */
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

  /* The rate of libration if a hydrogen is at the distance sigma - d from the oxygen of a
   * neighbour, or the rate of thermal rotation, ½ m_H d² rate² = ½ k_B T. */
  const real near = water.sigma - water.bond;
  if (pairs)
    instance->time_scale = real_sqrt(water.mass[1] * near * near * near / -box->charges[0][1]);
  else
    instance->time_scale = heat > 0 ? water.bond * real_sqrt(water.mass[1] / heat) : 1;
  instance->horizon = shk_short_decimal(R(7.3) * instance->time_scale);
  instance->undecidable = pairs ? SHK_CHAOTIC : SHK_LINEAR_POTENTIAL | SHK_FREE_MOTION;
  if (heat == 0)
    instance->undecidable |= SHK_SYMMETRIC_START;
  /* If there are interactions, the periodic box has no rotational symmetry. */
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

/*
 * A single rigid water molecule with three point masses O, H, H, either free or in a uniform
 * electric field F along z:
 *
 *     H = Σ |p_i|²/(2m_i) - F Σ e_i z_i
 *     0 = ½ (|r_H1 - r_O|² - d²),  ½ (|r_H2 - r_O|² - d²),  ½ (|r_H1 - r_H2|² - s²)
 *
 * With redundant = yes, there is a fourth row for the angle, which is implied by the three
 * distances:
 *
 *     0 = (r_H1 - r_O)·(r_H2 - r_O) - (d² - s²/2)
 *
 * With this row, G has rank 3, A = G M⁻¹ Gᵀ is singular everywhere, and λ is not unique, although
 * Gᵀλ and the motion are. q = (r_O, r_H1, r_H2), and the constraint force is -Gᵀλ. See water.h for
 * the models, their units and parameters.
 *
 * Initially, the oxygen is at the origin, and the orientation is random. The velocities are random
 * and tangent, and the total momentum is zero. There are six degrees of freedom: three for the free
 * motion of the centre of mass, and three for an asymmetric top, either free (L. D. Landau & E. M.
 * Lifshitz, Mechanics, 3rd ed., §37) or in the field. The molecule is neutral, so momentum is also
 * conserved in the field, as is the angular momentum along z.
 */
#include "problems/kit/water.h"
#include "problems/kit/problem.h"

/* One electron volt in kJ/mol, e N_A. The value has been exact since 2019. */
#define ELECTRON_VOLT R(96.48533212331001840)

struct molecule {
  /* must come first because the callbacks of sites.h use it as their context */
  struct shk_sites sites;
  real force[3]; /* F e_i */
  bool redundant;
  real opening, field; /* option values */
  struct shk_water_options options;
  real angle; /* value of the angle row: d² - s²/2 = d² cos(angle) */
};

static int potential(const void *context, real *value, real t, const real *q)
{
  const struct molecule *molecule = context;
  *value = -(molecule->force[0] * q[2] + molecule->force[1] * q[5] + molecule->force[2] * q[8]);
  return 0;
}

static int gradient(const void *context, real *out, real t, const real *q)
{
  const struct molecule *molecule = context;
  for (int i = 0; i < 9; i++)
    out[i] = i % 3 == 2 ? -molecule->force[i / 3] : 0;
  return 0;
}

/* ---- the redundant row ---- */

static const int row_start[] = {0, 6, 12, 18, 27};
static const int columns[] = {0, 1, 2, 3, 4, 5, 0, 1, 2, 6, 7, 8, 3, 4,
                              5, 6, 7, 8, 0, 1, 2, 3, 4, 5, 6, 7, 8};

/* Stores the vectors from O to the two H, for either positions or velocities. */
static void arms_water(real *a, real *b, const real *x)
{
  for (int j = 0; j < 3; j++) {
    a[j] = x[3 + j] - x[j];
    b[j] = x[6 + j] - x[j];
  }
}

static int redundant_constraint(const void *context, real *g, real t, const real *q)
{
  const struct molecule *molecule = context;
  real a[3], b[3];
  arms_water(a, b, q);
  g[3] = real_dot(a, b, 3) - molecule->angle;
  return shk_rods_constraint(context, g, t, q);
}

static int redundant_jacobian(const void *context, real *values, real t, const real *q)
{
  real a[3], b[3], *row = values + row_start[3];
  arms_water(a, b, q);
  for (int j = 0; j < 3; j++) {
    row[j] = -(a[j] + b[j]);
    row[3 + j] = b[j];
    row[6 + j] = a[j];
  }
  return shk_rods_jacobian(context, values, t, q);
}

static int redundant_curvature(const void *context, real *out, real t, const real *q, const real *v)
{
  real a[3], b[3];
  arms_water(a, b, v);
  out[3] = 2 * real_dot(a, b, 3);
  return shk_rods_curvature(context, out, t, q, v);
}

static void add_redundant(struct shk_instance *instance)
{
  instance->system.m = 4;
  instance->system.row_start = row_start;
  instance->system.columns = columns;
  instance->system.rods = NULL; /* the angle row is not a distance constraint between points */
  instance->system.constraint = redundant_constraint;
  instance->system.jacobian = redundant_jacobian;
  instance->system.curvature = redundant_curvature;
}

/* ---- creation ---- */

static const char *const field_names[] = {"momentum-x", "momentum-y", "momentum-z",
                                          "angular-momentum-z"};

static int field_momenta(const void *context, real *values, real t, const real *q, const real *p)
{
  real all[6];
  const int code = shk_sites_momenta(context, all, t, q, p);
  for (int j = 0; j < 3; j++)
    values[j] = all[j];
  values[3] = all[5];
  return code;
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct molecule *molecule = context;
  struct shk_water water;
  SHK_TRY(shk_sites_create(&molecule->sites, instance->workspace, 3, 3, 3));
  shk_water_read(&water, &molecule->options);
  if (molecule->opening > 0)
    water.span = 2 * water.bond * real_sin(molecule->opening / 2);
  const real field = molecule->field * ELECTRON_VOLT;
  for (int i = 0; i < 3; i++)
    molecule->force[i] = field * water.charge[i];
  molecule->angle = water.bond * water.bond - water.span * water.span / 2;
  uint64_t seed = (uint64_t)molecule->options.seed;
  const real origin[3] = {0, 0, 0}, heat = SHK_GAS_CONSTANT * molecule->options.temperature;
  shk_water_place(&molecule->sites, &water, 0, origin, &seed);
  shk_sites_draw(&molecule->sites, heat, &seed);

  SHK_TRY(shk_sites_bind(instance, &molecule->sites));
  instance->system.potential = potential;
  instance->system.gradient = gradient;
  SHK_TRY(shk_make_consistent(instance, molecule->sites.q, molecule->sites.p));
  if (molecule->redundant)
    add_redundant(instance);

  /* The rate of the thermal rotation of an O-H bond, ½ m_H d² rate² = ½ k_B T, and the rate of the
   * rotation caused by the field, whose torque is d e_H F. */
  const real inertia = water.mass[1] * water.bond * water.bond;
  const real fastest = real_sqrt((heat + real_fabs(molecule->force[1]) * water.bond) / inertia);
  shk_set_times(instance, fastest, R(7.3));
  instance->undecidable = SHK_LINEAR_POTENTIAL | (molecule->redundant ? SHK_REDUNDANT_ROWS : 0);
  if (field == 0)
    instance->undecidable |= SHK_FREE_MOTION;
  if (heat == 0)
    instance->undecidable |= SHK_SYMMETRIC_START;
  shk_set_invariants(instance, field == 0 ? 6 : 4, field == 0 ? shk_momentum_names() : field_names,
                     field == 0 ? shk_sites_momenta : field_momenta);
  return shk_ok();
}

static const struct shk_option options[] = {
    SHK_FLAG(molecule, redundant, "redundant", "no",
             "angle as a fourth constraint, in addition to the three distances"),
    SHK_ANGLE(molecule, opening, "angle", "0",
              "angle between the arms; 0: the angle of the model. G loses rank as the angle "
              "approaches 180 degrees",
              .minimum = "0", .maximum = "180deg"),
    SHK_REAL(molecule, field, "field", "0", "electric field F along z, in V/nm"),
    SHK_WATER(molecule, options),
    {0}};

SHK_PROVIDE_PROBLEM(
    water, molecule, NULL, .name = "water", .family = "molecules and particles",
    .summary = "one rigid three-site water molecule, optionally with a redundant constraint",
    .equations = "H = Σ |p_i|²/(2m_i) - F Σ e_i z_i\n"
                 "0 = ½ (|r_H1 - r_O|² - d²), ½ (|r_H2 - r_O|² - d²), "
                 "½ (|r_H1 - r_H2|² - s²)\n"
                 "redundant: 0 = (r_H1 - r_O)·(r_H2 - r_O) - (d² - s²/2)",
    .citation = "H. J. C. Berendsen, J. R. Grigera & T. P. Straatsma, J. Phys. Chem. 91 "
                "(1987) 6269-6271; W. L. Jorgensen et al., J. Chem. Phys. 79 (1983) "
                "926-935",
    .units = "nm, ps, u and kJ/mol", .coordinates = "q = (r_O, r_H1, r_H2), r = (x, y, z)");

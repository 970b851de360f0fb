/*
 * solver=settle, for molecules that consist of three points in space: an apex and two ends that
 * have equal masses and are equally far from the apex (S. Miyamoto & P. A. Kollman, J. Comput.
 * Chem. 13 (1992) 952).
 *
 * The bonds are 0 = (apex, one end), 1 = (apex, other end), 2 = (one end, other end). The vectors d
 * are the bonds at the position where the multipliers act, and the vectors E are the bonds between
 * the points as they move without constraints. With s = drift kick lambda, the points move by -M⁻¹
 * Gᵀ s, and the bonds become
 *
 *     e_i = E_i - Σ_j w_ij s_j d_j,   w = wa + we   wa       -we      wa, we = 1/m of apex and ends
 *                                         wa        wa + we   we
 *                                        -we        we        2 we
 *
 * These equations are solved in closed form. The constraint forces are in the plane of d, and the
 * new triangle is the rest shape turned through three angles phi, psi and theta. The frame's origin
 * is the centre of mass, its z axis is normal to the plane, and its y axis lies in the plane that
 * contains the z axis and the unconstrained apex. Forces in the plane do not change z, and this
 * condition determines phi and psi. They also have no moment about the centre, and this condition
 * determines theta. Finally, d_i·(E_i - e_i) = Σ_j K_ij s_j with K_ij = w_ij d_i·d_j determines s.
 * The closed form is evaluated in `rough`, and Newton's method with K_ij = w_ij e_i·d_j eliminates
 * the remainder of g_i = ½ (|e_i|² - l_i²). In the hidden solve, velocities take the place of
 * positions, and g_i = d_i·e_i.
 *
 * All loops run over the molecules of a block, so that they can be vectorized.
 */
#include "mechanics/algebra/graph.h"
#include "mechanics/algebra/iteration.h"
#include "mechanics/algebra/pivots.h"
#include "mechanics/algebra/rough.h"
#include "mechanics/algebra/space.h"
#include "mechanics/binding/binding.h"
#include "mechanics/solvers/kit/residuals.h"
#include "mechanics/solvers/kit/solvers.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/system/rods.h"

#include <math.h>

/* MANY is the number of molecules in a block. KEPT is the number of residuals stored for all blocks
 * together. */
enum { MANY = 64 / sizeof(real), KEPT = 8 };

typedef real lane[MANY]; /* one number for each molecule */
typedef rough rough_lane[MANY];

/* The molecules of a block. `w` contains the inverse masses of the points, `square` contains l² of
 * the bonds, and `unit` is the unit of the tolerance. In the rest shape, the apex is a distance
 * `top` above the centre of mass, and the ends are a distance `bottom` below it and a distance
 * `half` to either side. `share` is the mass of one end divided by the mass of the molecule. */
struct shapes {
  lane w[3], square[3], unit;
  rough_lane top, bottom, half, share;
};

struct settle {
  struct shk_evaluator *evaluator;
  int blocks;
  /* 1 if molecules are in the order of their coordinates, in which case a block's coordinates fit
   * in the cache; otherwise the total number of blocks */
  int blocks_of_part;
  bool is_relative;      /* true if the tolerance is in units of the shortest bond's l² */
  struct shapes *shapes; /* blocks */
  /* Each array has three indices per molecule: the first coordinate of each point, the constraint
   * of each bond, and the position of each d in the Jacobian. The last block is padded with copies
   * of the last molecule. */
  int *points, *rows, *places;
  /* n entries each; `moved` contains the displacements without constraints */
  real *inverse_mass, *moved, *force, *zero;
  real worst[KEPT];
  int most;       /* largest number of corrections that a block needed */
  real tolerance; /* tolerance of the current solve; 0 means round-off */
  /* The current block, with three coordinates for each point or bond. `q` contains the points, and
   * `x` their displacements or velocities. */
  lane q[9], x[9], d[9], E[9], e[9], f[9];
  lane s[3], g[3], limit, before, open;
};

INLINED struct vector vector(const lane *a, int l)
{
  return (struct vector){a[0][l], a[1][l], a[2][l]};
}

INLINED struct three three(const lane *a, int l)
{
  return (struct three){vector(a, l), vector(a + 3, l), vector(a + 6, l)};
}

INLINED void put_in_lane(lane *a, int l, struct vector v)
{
  a[0][l] = v.x;
  a[1][l] = v.y;
  a[2][l] = v.z;
}

INLINED void put_three(lane *a, int l, struct three v)
{
  put_in_lane(a, l, v.a);
  put_in_lane(a + 3, l, v.b);
  put_in_lane(a + 6, l, v.c);
}

/* -Gᵀ s at the points */
INLINED struct three bond_pulls(struct three d, struct vector s)
{
  const struct vector x = times(s.x, d.a), y = times(s.y, d.b), z = times(s.z, d.c);
  return (struct three){plus(x, y), minus(z, x), negative(plus(y, z))};
}

/* Returns max_i Σ_k |d_ik| (size_ak + size_bk), where a and b are the ends of bond i. */
INLINED real rounding_of_bonds(struct three d, struct three size)
{
  return norm((struct vector){dot(absolute(d.a), plus(size.a, size.b)),
                              dot(absolute(d.b), plus(size.a, size.c)),
                              dot(absolute(d.c), plus(size.b, size.c))});
}

/* Gathers three numbers from each of three locations for every molecule. */
INLINED void gather_lanes(lane *to, const real *x, const int *at)
{
  for (int c = 0; c < 9; c++)
    for (int l = 0; l < MANY; l++)
      to[c][l] = x[at[3 * l + c / 3] + c % 3];
}

/* Multiplies `count` numbers by a factor and scatters them to each of three locations for every
 * molecule. */
INLINED void scatter_lanes(real *x, real factor, const lane *from, int count, const int *at)
{
  for (int l = 0; l < MANY; l++)
    for (int c = 0; c < 3 * count; c++)
      x[at[3 * l + c / count] + c % count] = factor * from[c][l];
}

/* ---- the closed form ---- */

struct arrow {
  rough x, y, z;
};

INLINED struct arrow arrow(const lane *a, int l)
{
  return (struct arrow){(rough)a[0][l], (rough)a[1][l], (rough)a[2][l]};
}

INLINED struct arrow arrow_sum(rough f, struct arrow a, rough g, struct arrow b)
{
  return (struct arrow){f * a.x + g * b.x, f * a.y + g * b.y, f * a.z + g * b.z};
}

INLINED rough arrow_product(struct arrow a, struct arrow b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

INLINED struct arrow arrow_across(struct arrow a, struct arrow b)
{
  return (struct arrow){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

INLINED struct arrow arrow_unit(struct arrow a)
{
  return arrow_sum(1 / sqrt(arrow_product(a, a)), a, 0, a);
}

/* Coordinates along the axes x, y, z. */
INLINED struct arrow arrow_along_axes(const struct arrow *axes, struct arrow a)
{
  return (struct arrow){arrow_product(axes[0], a), arrow_product(axes[1], a),
                        arrow_product(axes[2], a)};
}

/* e <- the constrained bonds from the apex. They are not finite if there is no solution. */
INLINED void turn_bonds(struct settle *t, const struct shapes *m, int l)
{
  const rough share = m->share[l], top = m->top[l], bottom = m->bottom[l], half = m->half[l];
  const struct arrow d0 = arrow(t->d, l), d1 = arrow(t->d + 3, l);
  const struct arrow E0 = arrow(t->E, l), E1 = arrow(t->E + 3, l);
  const struct arrow apex = arrow_sum(-share, E0, -share, E1), z = arrow_unit(arrow_across(d0, d1));
  const struct arrow x = arrow_unit(arrow_across(apex, z)), axes[3] = {x, arrow_across(z, x), z};
  const struct arrow old0 = arrow_along_axes(axes, d0), old1 = arrow_along_axes(axes, d1),
                     a = arrow_along_axes(axes, apex);
  const struct arrow free0 = arrow_along_axes(axes, arrow_sum(1, apex, 1, E0)),
                     free1 = arrow_along_axes(axes, arrow_sum(1, apex, 1, E1));
  /* phi and psi: the ends of the rest shape, turned about x and y */
  const rough sine_phi = a.z / top, cosine_phi = sqrt(1 - sine_phi * sine_phi);
  const rough sine_psi = (free0.z - free1.z) / (2 * half * cosine_phi);
  const rough wide = half * sqrt(1 - sine_psi * sine_psi), low = -bottom * cosine_phi;
  const rough skew = half * sine_psi * sine_phi, high = top * cosine_phi;
  const rough y0 = low - skew, y1 = low + skew;
  /* theta: Σ m_i (old_i × new_i)_z = Σ m_i (old_i × free_i)_z, with the apex's terms eliminated */
  const rough cosines = old1.x * wide - old0.x * wide + (old0.y * y0 + old1.y * y1);
  const rough sines = old0.x * y0 + old0.y * wide + (old1.x * y1 - old1.y * wide);
  const rough wanted = old0.x * free0.y - old0.y * free0.x + (old1.x * free1.y - old1.y * free1.x);
  const rough size = cosines * cosines + sines * sines, root = sqrt(size - wanted * wanted);
  const rough sine = (cosines * wanted - sines * root) / size;
  const rough cosine = (sines * wanted + cosines * root) / size;
  const struct arrow first = arrow_sum(-wide * cosine - (y0 - high) * sine, axes[0],
                                       -wide * sine + (y0 - high) * cosine, axes[1]);
  const struct arrow second = arrow_sum(wide * cosine - (y1 - high) * sine, axes[0],
                                        wide * sine + (y1 - high) * cosine, axes[1]);
  const struct arrow e0 = arrow_sum(1, first, free0.z - a.z, z),
                     e1 = arrow_sum(1, second, free1.z - a.z, z);
  put_in_lane(t->e, l, (struct vector){(real)e0.x, (real)e0.y, (real)e0.z});
  put_in_lane(t->e + 3, l, (struct vector){(real)e1.x, (real)e1.y, (real)e1.z});
}

/* ---- Newton's method ---- */

/* s += K⁻¹ g for open molecules, where K is formed with e or, if `symmetric` is true, with d. */
INLINED void correct_molecule(struct settle *restrict t, const struct shapes *restrict m, int l,
                              struct three e, bool symmetric)
{
  const real limit = SHK_PIVOT_ROUNDING * REAL_EPSILON;
  const struct three d = three(t->d, l);
  const struct vector w = vector(m->w, l), g = vector(t->g, l);
  const real a = (w.x + w.y) * dot(e.a, d.a), f = w.x * dot(e.a, d.b), h = -w.y * dot(e.a, d.c);
  const real j = (w.x + w.z) * dot(e.b, d.b), k = w.z * dot(e.b, d.c);
  const real o = (w.y + w.z) * dot(e.c, d.c), i = symmetric ? f : w.x * dot(e.b, d.a);
  const real p = symmetric ? h : -w.y * dot(e.c, d.a), n = symmetric ? k : w.z * dot(e.c, d.b);
  const real c0 = j * o - k * n, c1 = k * p - i * o, c2 = i * n - j * p, minor = a * j - f * i;
  const real determinant = a * c0 + f * c1 + h * c2, scale = t->open[l] / determinant;
  const real x = g.x * scale, y = g.y * scale, z = g.z * scale;
  const bool regular = (real_fabs(minor) > limit * real_fabs(a * j)) &
                       (real_fabs(determinant) > limit * real_fabs(o * minor));
  t->s[0][l] += c0 * x + (h * n - f * o) * y + (f * k - h * j) * z;
  t->s[1][l] += c1 * x + (a * o - h * p) * y + (h * i - a * k) * z;
  t->s[2][l] += c2 * x + (f * p - a * n) * y + minor * z;
  t->before[l] = regular ? t->before[l] : 0; /* residuals are never negative */
}

SHK_CLONES static void correct_position(struct settle *restrict t, const struct shapes *restrict m)
{
  for (int l = 0; l < MANY; l++)
    correct_molecule(t, m, l, three(t->e, l), false);
}

/* Corrects the velocities of a block. If the rounding error of their change exceeds the limit,
 * raises the limit to this error. */
SHK_CLONES static void correct_hidden(struct settle *restrict t, const struct shapes *restrict m)
{
  for (int l = 0; l < MANY; l++) {
    const struct three d = three(t->d, l), v = size_of(three(t->x, l));
    correct_molecule(t, m, l, d, true);
    const struct three change = size_of(weighted(vector(m->w, l), bond_pulls(d, vector(t->s, l))));
    const real rounding = REAL_EPSILON * rounding_of_bonds(d, plus_three(v, change));
    t->limit[l] = rounding > t->limit[l] ? rounding : t->limit[l];
  }
}

/* Sets `open` to 0 for each molecule that has converged, to 1 if its residual is still decreasing,
 * and to 2 otherwise. Once a residual has stopped decreasing, it counts as converged if it is at
 * most `slow` times the limit. */
INLINED void judge_molecule(struct settle *t, int l, real residual, real slow)
{
  const bool falls = residual < t->before[l] / 2, small = residual <= t->limit[l];
  const bool within = !falls & (residual <= slow * t->limit[l]);
  t->open[l] = small | within ? 0 : falls ? 1 : 2;
  t->before[l] = residual;
}

/* f <- -Gᵀ s; e <- the resulting bonds. */
INLINED struct three move_bonds(struct settle *restrict t, const struct shapes *restrict m, int l)
{
  const struct three f = bond_pulls(three(t->d, l), vector(t->s, l));
  const struct three e = plus_three(three(t->E, l), rods(weighted(vector(m->w, l), f)));
  put_three(t->f, l, f);
  put_three(t->e, l, e);
  return e;
}

SHK_CLONES static void look_at_positions(struct settle *restrict t, const struct shapes *restrict m)
{
  for (int l = 0; l < MANY; l++) {
    const struct three e = move_bonds(t, m, l);
    const struct vector g = times(R(0.5), minus(dots(e, e), vector(m->square, l)));
    put_in_lane(t->g, l, g);
    judge_molecule(t, l, norm(g), t->tolerance > 0 ? 0 : shk_position_rule.stops.at_rest);
  }
}

SHK_CLONES static void look_at_velocities(struct settle *restrict t,
                                          const struct shapes *restrict m, real slow)
{
  for (int l = 0; l < MANY; l++) {
    const struct vector g = dots(three(t->d, l), move_bonds(t, m, l));
    put_in_lane(t->g, l, g);
    judge_molecule(t, l, norm(g), slow);
  }
}

/* Starts from the bonds in E and s = 0, and sets the limit to the rounding error of d E. */
INLINED void begin_molecule(struct settle *restrict t, int l, struct three bonds, struct three size)
{
  put_three(t->E, l, bonds);
  put_in_lane(t->s, l, (struct vector){0, 0, 0});
  t->limit[l] = REAL_EPSILON * rounding_of_bonds(three(t->d, l), size);
  t->before[l] = 1 / REAL_SMALLEST;
  t->open[l] = 1;
}

SHK_CLONES static void begin_positions(struct settle *restrict t, const struct shapes *restrict m,
                                       real tolerance)
{
  for (int l = 0; l < MANY; l++) {
    const struct three q = three(t->q, l);
    begin_molecule(t, l, plus_three(rods(q), rods(three(t->x, l))), size_of(q));
    t->limit[l] = tolerance > 0 ? tolerance * m->unit[l] : t->limit[l];
  }
}

SHK_CLONES static void begin_velocities(struct settle *restrict t)
{
  for (int l = 0; l < MANY; l++) {
    const struct three v = three(t->x, l);
    begin_molecule(t, l, rods(v), size_of(v));
  }
}

/* s <- the solution in closed form */
SHK_CLONES static void turn_all(struct settle *restrict t, const struct shapes *restrict m)
{
  for (int l = 0; l < MANY; l++) {
    turn_bonds(t, m, l);
    const struct three d = three(t->d, l);
    const struct vector first = minus(vector(t->E, l), vector(t->e, l)),
                        second = minus(vector(t->E + 3, l), vector(t->e + 3, l));
    put_in_lane(t->g, l,
                (struct vector){dot(d.a, first), dot(d.b, second), dot(d.c, minus(second, first))});
    correct_molecule(t, m, l, d, true);
  }
}

/* ---- the solves ---- */

static struct shk_status stopped_molecules(const struct settle *t, int block)
{
  int l = 0;
  while (t->open[l] <= 1)
    l++;
  const struct three d = three(t->d, l);
  const struct vector normal = cross(d.a, d.b);
  if (!(norm(normal) > SHK_PIVOT_ROUNDING * REAL_EPSILON * dot(d.a, d.a)))
    return shk_failure(SHK_SINGULAR, "solver=settle: the points of molecule %g are collinear",
                       block * MANY + l + 1, 0);
  if (!real_isfinite(t->before[l]))
    return shk_failure(SHK_NOT_CONVERGED,
                       "solver=settle: no rotation of molecule %g satisfies its constraints: the "
                       "step is too large",
                       block * MANY + l + 1, 0);
  return shk_failure(SHK_NOT_CONVERGED,
                     "solver=settle stopped improving at a residual of %g (rounding: %g)",
                     (double)t->before[l], (double)t->limit[l]);
}

/* Checks all molecules of the block after `count` corrections. Returns false if all have
 * converged. */
static bool goes_on(struct settle *t, int count)
{
  real *const worst = &t->worst[count < KEPT ? count : KEPT - 1];
  *worst = real_max(*worst, real_max_norm(t->before, MANY));
  t->most = count > t->most ? count : t->most;
  return real_max_norm(t->open, MANY) > 0;
}

static struct shk_status solve_positions_of_block(struct settle *t, const struct shk_kick *kick,
                                                  int i)
{
  const struct shapes *const m = &t->shapes[i];
  const int *const at = t->points + (size_t)i * 3 * MANY;
  gather_lanes(t->q, kick->from->q, at);
  gather_lanes(t->x, t->moved, at);
  gather_lanes(t->d, kick->along, t->places + (size_t)i * 3 * MANY);
  begin_positions(t, m, t->tolerance);
  turn_all(t, m);
  look_at_positions(t, m);
  for (int count = 0; goes_on(t, count); count++) {
    if (real_max_norm(t->open, MANY) > 1)
      return stopped_molecules(t, i);
    correct_position(t, m);
    look_at_positions(t, m);
  }
  scatter_lanes(t->force, 1 / kick->drift, t->f, 3, at);
  scatter_lanes(kick->multiplier, 1 / (kick->drift * kick->by), t->s, 1,
                t->rows + (size_t)i * 3 * MANY);
  return shk_ok();
}

static struct shk_status solve_momenta_of_block(struct settle *t, const struct shk_kick *kick,
                                                int i)
{
  const struct shapes *const m = &t->shapes[i];
  const int *const at = t->points + (size_t)i * 3 * MANY;
  gather_lanes(t->x, t->moved, at);
  gather_lanes(t->d, kick->along, t->places + (size_t)i * 3 * MANY);
  begin_velocities(t);
  look_at_velocities(t, m, 0); /* the first correction is always applied */
  for (int count = 0; goes_on(t, count); count++) {
    if (real_max_norm(t->open, MANY) > 1)
      return stopped_molecules(t, i);
    correct_hidden(t, m);
    look_at_velocities(t, m, shk_hidden_rule.stops.at_rest);
  }
  scatter_lanes(t->force, 1, t->f, 3, at);
  scatter_lanes(kick->multiplier, 1 / kick->by, t->s, 1, t->rows + (size_t)i * 3 * MANY);
  return shk_ok();
}

/* moved <- the displacements caused by p + dp_free */
SHK_CLONES static void move_freely(struct settle *restrict t, const struct shk_kick *restrict kick,
                                   int first, int end)
{
  const real *restrict const p = kick->from->p, *restrict const p_carry = kick->from->p_carry;
  const real *restrict const q_carry = kick->from->q_carry, *restrict const dp = kick->dp_free;
  const real *restrict const inverse_mass = t->inverse_mass;
  real *restrict const moved = t->moved, drift = kick->drift;
  for (int i = first; i < end; i++)
    moved[i] = drift * (inverse_mass[i] * (p[i] + (dp[i] + p_carry[i]))) + q_carry[i];
}

/* dp <- dp_free + force; also stores q1, with its carry */
SHK_CLONES static void arrive_at_positions(struct settle *restrict t,
                                           const struct shk_kick *restrict kick, int first, int end)
{
  const real *restrict const p = kick->from->p, *restrict const p_carry = kick->from->p_carry;
  const real *restrict const q_carry = kick->from->q_carry, *restrict const q = kick->from->q;
  const real *restrict const inverse_mass = t->inverse_mass, *restrict const force = t->force;
  const real *restrict const free = kick->dp_free, drift = kick->drift;
  real *restrict const dp = kick->dp, *restrict const q1 = kick->to->q;
  real *restrict const carry = kick->to->q_carry;
  for (int i = first; i < end; i++) {
    const real change = free[i] + force[i];
    const real way = drift * (inverse_mass[i] * (p[i] + (change + p_carry[i]))) + q_carry[i];
    const real sum = q[i] + way;
    dp[i] = change;
    q1[i] = sum;
    carry[i] = real_rest(sum, q[i], way);
  }
}

/* moved <- the velocities at the momenta p + dp */
SHK_CLONES static void move_on(struct settle *restrict t, const struct shk_kick *restrict kick,
                               int first, int end)
{
  const real *restrict const p = kick->from->p, *restrict const p_carry = kick->from->p_carry;
  const real *restrict const inverse_mass = t->inverse_mass, *restrict const dp = kick->dp;
  real *restrict const moved = t->moved;
  for (int i = first; i < end; i++)
    moved[i] = (p[i] + (dp[i] + p_carry[i])) * inverse_mass[i];
}

/* dp <- dp + force; also stores p1, with its carry */
SHK_CLONES static void end_kick(struct settle *restrict t, const struct shk_kick *restrict kick,
                                int first, int end)
{
  const real *restrict const p = kick->from->p, *restrict const p_carry = kick->from->p_carry;
  const real *restrict const force = t->force;
  real *restrict const dp = kick->dp, *restrict const p1 = kick->to->p;
  real *restrict const carry = kick->to->p_carry;
  for (int i = first; i < end; i++) {
    const real change = dp[i] + force[i], way = change + p_carry[i], sum = p[i] + way;
    dp[i] = change;
    p1[i] = sum;
    carry[i] = real_rest(sum, p[i], way);
  }
}

/* Solves the blocks whose coordinates range from `first` to `end`. */
static struct shk_status solve_part(struct settle *t, const struct shk_kick *kick, int part,
                                    int first, int end)
{
  const bool of_positions = kick->until == SHK_ON_CONSTRAINT;
  (of_positions ? move_freely : move_on)(t, kick, first, end);
  for (int i = part; i < part + t->blocks_of_part; i++)
    SHK_TRY(of_positions ? solve_positions_of_block(t, kick, i)
                         : solve_momenta_of_block(t, kick, i));
  (of_positions ? arrive_at_positions : end_kick)(t, kick, first, end);
  return shk_ok();
}

static struct shk_status solve_settle(struct settle *t, struct shk_iteration *iteration,
                                      const struct shk_kick *kick)
{
  const int n = t->evaluator->system->n, length = 9 * MANY;
  struct shk_status status = shk_ok();
  shk_fill(t->worst, 0, KEPT);
  t->most = 0;
  shk_iteration_begin(iteration, &shk_position_rule, 0);
  for (int i = 0; i < t->blocks && status.code == SHK_OK; i += t->blocks_of_part) {
    const bool is_last = i + t->blocks_of_part >= t->blocks;
    status = solve_part(t, kick, i, i * length, is_last ? n : (i + 1) * length);
  }
  for (int i = 0; i <= t->most && i < KEPT; i++)
    shk_iteration_note(iteration, t->worst[i]);
  return status;
}

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_kick *kick)
{
  struct settle *t = self;
  struct shk_counters *const counters = &t->evaluator->counters;
  struct shk_kick own = *kick;
  own.dp_free = kick->dp_free ? kick->dp_free : t->zero;
  t->tolerance = iteration->counted ? 0 : iteration->tolerance;
  SHK_TRY(solve_settle(t, iteration, &own));
  counters->iterations += t->most + 1;
  counters->factorizations += t->most + 1;
  counters->constraint += t->most + 1;
  counters->jacobian += t->most;
  return shk_ok();
}

static struct shk_status hidden(void *self, struct shk_iteration *iteration,
                                const struct shk_kick *kick)
{
  struct settle *t = self;
  SHK_TRY(solve_settle(t, iteration, kick));
  t->evaluator->counters.iterations += t->most;
  t->evaluator->counters.factorizations += t->most > 0;
  return shk_ok();
}

/* ---- binding ---- */

static int place_at(const struct shk_evaluator *e, int row, int point)
{
  const struct shk_rod *const rod = &e->system->rods->rod[row];
  return e->row_start[row] + (point == (rod->a > rod->b ? rod->a : rod->b) ? 3 : 0);
}

/* Returns true if the three bonds `row` form a triangle with an apex, and stores this triangle as
 * molecule `to`. The lengths of the two bonds from the apex may differ by as much as their rounding
 * error in `rough`, because Newton's method uses the actual length of each bond. */
static bool find_settle(struct settle *t, int to, const int *row)
{
  const struct shk_evaluator *const e = t->evaluator;
  const struct shk_system *const s = e->system;
  const real same = 64 * real_max(REAL_EPSILON, (real)ROUGH_EPSILON);
  for (int k = 0; k < 3; k++) { /* row[k] is the bond opposite the apex */
    const int sides[] = {row[(k + 1) % 3], row[(k + 2) % 3]};
    const struct shk_rod *const base = &s->rods->rod[row[k]], *const left = &s->rods->rod[sides[0]],
                                *const right = &s->rods->rod[sides[1]];
    const int apex = left->a == base->a || left->a == base->b ? left->b : left->a;
    const bool in_order = left->a == base->a || left->b == base->a;
    const int end = in_order ? base->b : base->a; /* the end that is not part of bond `left` */
    if (base->a < 0 || left->a < 0 || right->a < 0 || apex == base->a || apex == base->b ||
        right->a + right->b != apex + end || (right->a != apex && right->b != apex) ||
        real_fabs(left->square - right->square) > same * left->square ||
        s->mass[3 * base->a] != s->mass[3 * base->b] || left->square <= base->square / 4)
      continue;
    const int rows[] = {sides[!in_order], sides[in_order], row[k]},
              points[] = {apex, base->a, base->b};
    struct shapes *const m = &t->shapes[to / MANY];
    for (int i = 0; i < 3; i++) {
      t->points[3 * to + i] = 3 * points[i];
      t->rows[3 * to + i] = rows[i];
      t->places[3 * to + i] = place_at(e, rows[i], points[i == 0 ? 1 : 2]);
      m->w[i][to % MANY] = 1 / s->mass[3 * points[i]];
      m->square[i][to % MANY] = s->rods->rod[rows[i]].square;
    }
    m->unit[to % MANY] = t->is_relative ? real_min(left->square, base->square) : 1;
    const rough mass = (rough)s->mass[3 * base->a],
                share = mass / ((rough)s->mass[3 * apex] + 2 * mass);
    const rough height = sqrt((rough)left->square - (rough)base->square / 4);
    m->share[to % MANY] = share;
    m->top[to % MANY] = height * (2 * share);
    m->bottom[to % MANY] = height - height * (2 * share);
    m->half[to % MANY] = sqrt((rough)base->square) / 2;
    return true;
  }
  return false;
}

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(settle, (.n = 1), inverse_mass, moved, force, zero));

static struct shk_status bind(struct settle *t, struct shk_workspace *workspace, int molecules)
{
  t->blocks = (molecules + MANY - 1) / MANY;
  const size_t all = 3 * MANY * (size_t)t->blocks;
  t->shapes = shk_memory(workspace, (size_t)t->blocks * sizeof *t->shapes);
  SHK_TRY(shk_allocated(t->shapes));
  SHK_TRY(shk_integers(workspace, &t->points, all));
  SHK_TRY(shk_integers(workspace, &t->rows, all));
  SHK_TRY(shk_integers(workspace, &t->places, all));
  SHK_TRY(shk_create_arrays(t, arrays, t->evaluator, workspace));
  for (int i = 0; i < t->evaluator->system->n; i++)
    t->inverse_mass[i] = 1 / t->evaluator->system->mass[i];
  return shk_ok();
}

struct shk_status shk_settle_solver_create(struct shk_solver *solver, const struct shk_binding *b)
{
  static const char triangles[] =
      "solver=settle is for molecules of three points in space, joined by three rods, two of them "
      "of equal length to points of equal mass";
  const struct shk_system *const s = b->evaluator->system;
  struct settle *const t = shk_memory(b->workspace, sizeof *t);
  struct shk_partition molecules;
  *solver = (struct shk_solver){t, position, hidden, .carries = true};
  SHK_TRY(shk_allocated(t));
  SHK_TRY(shk_rods_needed(s, triangles));
  if (s->rods->dimension != 3 || s->m == 0 || s->m % 3 != 0)
    return shk_refused(triangles);
  t->evaluator = b->evaluator;
  t->is_relative =
      b->options && shk_values_choice(b->options, "criterion") != SHK_CRITERION_ABSOLUTE;
  SHK_TRY(shk_components(&molecules, b->workspace, b->evaluator));
  SHK_TRY(bind(t, b->workspace, molecules.count));
  bool found = true;
  for (int i = 0; i < t->blocks * MANY && found; i++) {
    const int molecule = i < molecules.count ? i : molecules.count - 1,
              first = molecules.start[molecule];
    found = molecules.start[molecule + 1] - first == 3 && find_settle(t, i, molecules.rows + first);
  }
  bool in_order = s->n == 9 * molecules.count;
  for (int i = 0; i < 3 * molecules.count && in_order; i++)
    in_order = t->points[i] / 9 == i / 3;
  t->blocks_of_part = in_order ? 1 : t->blocks;
  shk_give_back(molecules.start);
  return found ? shk_ok() : shk_refused(triangles);
}

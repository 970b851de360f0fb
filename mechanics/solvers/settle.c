/*
 * solver=settle, for molecules of three points in space, the apex and two ends of the same mass and
 * at the same distance from it (S. Miyamoto & P. A. Kollman, J. Comput. Chem. 13 (1992) 952): the
 * constraint forces lie in the plane of the old triangle, so that the new one is the old shape in
 * place, turned by three angles phi, psi, theta in turn, which are found in closed form. In the frame
 * with its origin in the centre of mass, z normal to the old triangle and y along the plane that the
 * unconstrained apex a1 and z span, forces in the plane leave the z of all three points as they are,
 * which gives phi and psi; that they have no moment about the centre gives theta.
 *
 * lambda follows from the displacements d of the points by K lambda = -G d / (drift kick), K and G of
 * the old triangle, and what rounding has left of g is removed with the same matrix.
 */
#include "mechanics/algebra/graph.h"
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/system/rods.h"
#include <shakedown/distance.h>

#include <string.h>

/* First coordinates of the apex and the two ends; the shape about the centre of mass at rest: the
 * apex at height `top` above it, the ends at `bottom` below, `half` to both sides. */
struct triangle {
  int apex, end[2];
  real apex_mass, end_mass, top, bottom, half;
};

struct settle {
  struct shk_direct direct;
  int count;
  struct triangle *triangles; /* count */
  real *moved;                /* n: displacements */
};

static real square(real x)
{
  return x * x;
}

static void cross(real *out, const real *a, const real *b)
{
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    out[k] = a[i] * b[j] - a[j] * b[i];
  }
}

static void normalize(real *x)
{
  const real length = real_sqrt(shk_dot(x, x, 3));
  for (int k = 0; k < 3; k++)
    x[k] /= length;
}

/* The three points: 0 the apex, 1 and 2 the ends. */
struct points {
  real at[3][3];
};

/* Relative to the centre of mass, and that. */
static void centre(const struct triangle *t, struct points *r, real *of_mass)
{
  const real whole = t->apex_mass + 2 * t->end_mass;
  for (int k = 0; k < 3; k++) {
    of_mass[k] = (t->apex_mass * r->at[0][k] + t->end_mass * (r->at[1][k] + r->at[2][k])) / whole;
    for (int i = 0; i < 3; i++)
      r->at[i][k] -= of_mass[k];
  }
}

static struct points gather(const struct triangle *t, const real *q)
{
  struct points r;
  for (int k = 0; k < 3; k++) {
    r.at[0][k] = q[t->apex + k];
    r.at[1][k] = q[t->end[0] + k];
    r.at[2][k] = q[t->end[1] + k];
  }
  return r;
}

/* r <- its coordinates along three orthonormal axes, or back from them. */
static void turn(struct points *r, real axes[3][3], bool back)
{
  for (int i = 0; i < 3; i++) {
    real x[3];
    for (int k = 0; k < 3; k++)
      x[k] = back ? r->at[i][0] * axes[0][k] + r->at[i][1] * axes[1][k] + r->at[i][2] * axes[2][k]
                  : shk_dot(r->at[i], axes[k], 3);
    memcpy(r->at[i], x, sizeof x);
  }
}

/* The triangle at rest turned by phi about x and psi about y, so that its z are those of r. False:
 * r is too far off the plane for that. */
static bool tilt(const struct triangle *t, struct points *shape, const struct points *r)
{
  const real sine_phi = r->at[0][2] / t->top;
  const real cosine_phi = real_sqrt(1 - square(sine_phi));
  const real sine_psi = (r->at[1][2] - r->at[2][2]) / (2 * t->half * cosine_phi);
  const real cosine_psi = real_sqrt(1 - square(sine_psi));
  const real y = -t->bottom * cosine_phi, across = t->half * sine_psi * sine_phi;
  *shape = (struct points){{{0, t->top * cosine_phi, r->at[0][2]},
                            {-t->half * cosine_psi, y - across, r->at[1][2]},
                            {t->half * cosine_psi, y + across, r->at[2][2]}}};
  return real_isfinite(cosine_phi) && real_isfinite(cosine_psi);
}

/* Turned about z by theta: Σ m_i (old_i × new_i)_z = Σ m_i (old_i × r_i)_z, the apex's terms by way of
 * the ends'. False: there is no such angle. */
static bool swing(struct points *shape, const struct points *old, const struct points *r)
{
  real along = 0, across = 0, wanted = 0;
  for (int i = 1; i < 3; i++) {
    const real x = old->at[i][0] - old->at[0][0], y = old->at[i][1] - old->at[0][1];
    along += x * shape->at[i][0] + y * shape->at[i][1];
    across += x * shape->at[i][1] - y * shape->at[i][0];
    wanted += x * r->at[i][1] - y * r->at[i][0];
  }
  const real size = square(along) + square(across);
  const real root = real_sqrt(size - square(wanted));
  const real sine = (along * wanted - across * root) / size;
  const real cosine = (across * wanted + along * root) / size;
  for (int i = 0; i < 3; i++) {
    const real x = shape->at[i][0], y = shape->at[i][1];
    shape->at[i][0] = x * cosine - y * sine;
    shape->at[i][1] = x * sine + y * cosine;
  }
  return real_isfinite(root);
}

/* moved <- from the unconstrained q1 to the constrained positions; false: there are none. */
static bool settle(const struct triangle *t, real *moved, const real *q, const real *q1)
{
  struct points old = gather(t, q), free = gather(t, q1), shape;
  real at[3], axes[3][3], a[3], b[3];
  centre(t, &old, at);
  centre(t, &free, at);
  for (int k = 0; k < 3; k++) {
    a[k] = old.at[1][k] - old.at[0][k];
    b[k] = old.at[2][k] - old.at[0][k];
  }
  cross(axes[2], a, b);
  cross(axes[0], free.at[0], axes[2]);
  cross(axes[1], axes[2], axes[0]);
  for (int k = 0; k < 3; k++)
    normalize(axes[k]);
  turn(&old, axes, false);
  turn(&free, axes, false);
  if (!tilt(t, &shape, &free) || !swing(&shape, &old, &free))
    return false;
  turn(&shape, axes, true);
  turn(&free, axes, true);
  const int point[3] = {t->apex, t->end[0], t->end[1]};
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      moved[point[i] + k] = shape.at[i][k] - free.at[i][k];
  return true;
}

static struct shk_status settle_all(struct settle *w, const struct shk_position_solve *task)
{
  for (int i = 0; i < w->count; i++)
    if (!settle(&w->triangles[i], w->moved, task->q, task->q1))
      return shk_failure(SHK_NOT_CONVERGED,
                         "solver=settle: molecule %g cannot be turned to where the step takes its "
                         "points",
                         i + 1, 0);
  real *const step = w->direct.at.residual;
  shk_jacobian_times(w->direct.at.evaluator, step, task->G_b, w->moved);
  for (int i = 0; i < w->direct.at.evaluator->system->m; i++)
    step[i] = -step[i];
  SHK_TRY(shk_direct_factor_old(&w->direct, task));
  shk_direct_correct(&w->direct, task);
  return shk_ok();
}

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_position_solve *task)
{
  struct settle *w = self;
  struct shk_direct *d = &w->direct;
  real residual;
  for (int i = 0; i < d->at.evaluator->system->m; i++)
    task->lambda[i] = 0;
  shk_begin_position(&d->at, iteration, &shk_linear_position_rule, task);
  SHK_TRY(shk_move(&d->at, &residual, task));
  shk_iteration_note(iteration, residual);
  SHK_TRY(settle_all(w, task));
  for (;;) {
    SHK_TRY(shk_move(&d->at, &residual, task));
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_jacobian(d->at.evaluator, task->G1, task->t1, task->q1);
    shk_direct_correct(d, task);
  }
}

/* ---- which triangles there are ---- */

/* Whether rods `row` (three) are those of a triangle with an apex, and which. */
static bool find(struct triangle *t, const struct shk_system *s, const int *row)
{
  const struct shk_rod *rod = s->rods->rod;
  for (int k = 0; k < 3; k++) { /* the rod opposite to the apex */
    const struct shk_rod *base = &rod[row[k]], *left = &rod[row[(k + 1) % 3]],
                         *right = &rod[row[(k + 2) % 3]];
    const int apex = left->a == right->a || left->a == right->b ? left->a : left->b;
    if (base->a < 0 || left->a < 0 || right->a < 0 || apex == base->a || apex == base->b)
      continue;
    const real first = s->mass[3 * base->a], second = s->mass[3 * base->b];
    if (left->square != right->square || first != second)
      continue;
    const real height = real_sqrt(left->square - base->square / 4), mass = s->mass[3 * apex];
    const real top = height * (2 * first / (mass + 2 * first));
    *t = (struct triangle){3 * apex,     {3 * base->a, 3 * base->b}, mass, first, top,
                           height - top, real_sqrt(base->square) / 2};
    return left->square > base->square / 4;
  }
  return false;
}

static bool find_all(struct settle *w, const struct shk_system *s,
                     const struct shk_partition *molecules)
{
  for (int i = 0; i < molecules->count; i++) {
    const int start = molecules->start[i], count = molecules->start[i + 1] - start;
    if (count != 3 || !find(&w->triangles[i], s, molecules->rows + start))
      return false;
  }
  w->count = molecules->count;
  return true;
}

struct shk_status shk_settle_solver_create(struct shk_solver *solver,
                                           struct shk_workspace *workspace, struct shk_evaluator *e,
                                           const struct shk_values *options)
{
  static const char triangles[] = "solver=settle is for molecules of three points in space, joined "
                                  "by three rods, two of them of one length to points of one mass";
  const struct shk_system *s = e->system;
  struct shk_partition molecules;
  *solver = (struct shk_solver){.position = position, .hidden = shk_direct_hidden};
  SHK_TRY(shk_rods_needed(s, triangles));
  SHK_TRY(shk_direct_create_kind(&solver->self, sizeof(struct settle), workspace, e, options,
                                 SHK_LINEAR_BLOCK));
  struct settle *w = solver->self;
  SHK_TRY(shk_components(&molecules, workspace, e));
  w->triangles = shk_memory(workspace, (size_t)molecules.count * sizeof *w->triangles);
  if (!w->triangles)
    return shk_no_memory();
  const bool found = s->rods->dimension == 3 && find_all(w, s, &molecules);
  shk_partition_clear(&molecules);
  return found ? shk_reals(workspace, &w->moved, (size_t)s->n)
               : shk_failure(SHK_REFUSED, triangles, 0, 0);
}

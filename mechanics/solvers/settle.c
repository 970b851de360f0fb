/*
 * solver=settle, for molecules of three points in space: an apex, and two ends of equal mass at
 * equal distance from it (S. Miyamoto & P. A. Kollman, J. Comput. Chem. 13 (1992) 952). The
 * constraint forces are in the plane of the old triangle. The new triangle is therefore the old
 * shape turned by three angles phi, psi, theta in closed form. The frame has its origin in the
 * centre of mass, z normal to the old triangle, and y in the plane of z and the unconstrained apex
 * a1. Forces in the plane do not change z, which gives phi and psi; they have no moment about the
 * centre, which gives theta.
 *
 * lambda follows from the displacements d of the points by K lambda = -G d / (drift kick), with K
 * and G of the old triangle. The round-off left in g is removed with the same matrix.
 */
#include "mechanics/algebra/graph.h"
#include "mechanics/algebra/space.h"
#include "mechanics/solvers/kit/direct.h"
#include "mechanics/solvers/kit/stopping.h"
#include "mechanics/system/rods.h"

/* First coordinates of the apex and the two ends, as indices, and the shape at rest about the
 * centre of mass: the apex `top` above it, the ends `bottom` below it and `half` to either side. */
struct triangle {
  int point[3];
  real apex_mass, end_mass, top, bottom, half;
};

struct settle {
  struct shk_direct direct;
  int count;
  struct triangle *triangles; /* count */
  real *moved;                /* n: displacements */
};

static struct vector over(struct vector v, real x)
{
  return (struct vector){v.x / x, v.y / x, v.z / x};
}

/* Returns the points relative to their centre of mass. */
static struct three gather(const struct triangle *t, const real *x)
{
  const real *const a = x + t->point[0], *const b = x + t->point[1], *const c = x + t->point[2];
  const struct three r = {{a[0], a[1], a[2]}, {b[0], b[1], b[2]}, {c[0], c[1], c[2]}};
  const real whole = t->apex_mass + 2 * t->end_mass;
  const struct vector ends = times(t->end_mass, plus(r.b, r.c)),
                      centre = over(plus(times(t->apex_mass, r.a), ends), whole);
  return (struct three){minus(r.a, centre), minus(r.b, centre), minus(r.c, centre)};
}

/* Coordinates along three orthonormal axes; the inverse follows. */
static struct vector along(struct three axes, struct vector v)
{
  return (struct vector){dot(v, axes.a), dot(v, axes.b), dot(v, axes.c)};
}

static struct vector back(struct three axes, struct vector v)
{
  return plus(plus(times(v.x, axes.a), times(v.y, axes.b)), times(v.z, axes.c));
}

static struct vector unit(struct vector v)
{
  return over(v, real_sqrt(dot(v, v)));
}

/* Turns the triangle at rest by phi about x and psi about y, so that it has the z of r. Not finite
 * if r is too far off the plane. */
static struct three tilt(const struct triangle *t, struct three r)
{
  const real sine_phi = r.a.z / t->top, cosine_phi = real_sqrt(1 - sine_phi * sine_phi);
  const real sine_psi = (r.b.z - r.c.z) / (2 * t->half * cosine_phi);
  const real wide = t->half * real_sqrt(1 - sine_psi * sine_psi);
  const real y = -t->bottom * cosine_phi, across = t->half * sine_psi * sine_phi;
  return (struct three){
      {0, t->top * cosine_phi, r.a.z}, {-wide, y - across, r.b.z}, {wide, y + across, r.c.z}};
}

static struct vector turned(struct vector v, real sine, real cosine)
{
  return (struct vector){v.x * cosine - v.y * sine, v.x * sine + v.y * cosine, v.z};
}

/* Turns s about z by theta: Σ m_i (old_i × new_i)_z = Σ m_i (old_i × r_i)_z, the apex's terms
 * eliminated. Not finite if there is no such angle. */
static struct three swing(struct three s, struct three old, struct three r)
{
  const struct vector b = minus(old.b, old.a), c = minus(old.c, old.a);
  const real cosines = b.x * s.b.x + b.y * s.b.y + (c.x * s.c.x + c.y * s.c.y);
  const real sines = cross(b, s.b).z + cross(c, s.c).z, wanted = cross(b, r.b).z + cross(c, r.c).z;
  const real size = cosines * cosines + sines * sines, root = real_sqrt(size - wanted * wanted);
  const real sine = (cosines * wanted - sines * root) / size;
  const real cosine = (sines * wanted + cosines * root) / size;
  return (struct three){turned(s.a, sine, cosine), turned(s.b, sine, cosine),
                        turned(s.c, sine, cosine)};
}

/* moved <- displacements from the unconstrained q1 to constrained positions. False: there are
 * none. */
static bool settle(const struct triangle *t, real *moved, const real *q, const real *q1)
{
  const struct three old = gather(t, q), free = gather(t, q1);
  const struct vector z = cross(minus(old.b, old.a), minus(old.c, old.a)), x = cross(free.a, z);
  const struct three axes = {unit(x), unit(cross(z, x)), unit(z)};
  const struct three before = {along(axes, old.a), along(axes, old.b), along(axes, old.c)};
  const struct three r = {along(axes, free.a), along(axes, free.b), along(axes, free.c)};
  const struct three s = swing(tilt(t, r), before, r);
  const struct vector to[] = {s.a, s.b, s.c}, from[] = {r.a, r.b, r.c};
  for (int i = 0; i < 3; i++) {
    const struct vector v = minus(back(axes, to[i]), back(axes, from[i]));
    moved[t->point[i]] = v.x;
    moved[t->point[i] + 1] = v.y;
    moved[t->point[i] + 2] = v.z;
  }
  return real_isfinite(norm(s.a) + norm(s.b) + norm(s.c));
}

static struct shk_status position(void *self, struct shk_iteration *iteration,
                                  const struct shk_position_solve *task)
{
  struct settle *w = self;
  struct shk_direct *d = &w->direct;
  struct shk_evaluator *e = d->at.evaluator;
  real residual, *const step = d->at.residual;
  shk_fill(task->lambda, 0, e->system->m);
  shk_begin_position(&d->at, iteration, &shk_linear_position_rule, task);
  SHK_TRY(shk_move(&d->at, &residual, task));
  shk_iteration_note(iteration, residual);
  for (int i = 0; i < w->count; i++)
    if (!settle(&w->triangles[i], w->moved, task->q, task->q1))
      return shk_failure(SHK_NOT_CONVERGED,
                         "solver=settle: no turn of molecule %g satisfies its constraints: the "
                         "step is too large",
                         i + 1, 0);
  shk_jacobian_times(e, step, task->G_b, w->moved);
  shk_negate(step, e->system->m);
  SHK_TRY(shk_direct_factor_old(d, task));
  for (;;) {
    shk_direct_correct(d, task);
    SHK_TRY(shk_move(&d->at, &residual, task));
    SHK_TRY(shk_iteration_next(iteration, residual));
    if (iteration->converged)
      return shk_ok();
  }
}

/* True if the three bonds `row` form a triangle with an apex; *t describes it. */
static bool find(struct triangle *t, const struct shk_system *s, const int *row)
{
  for (int k = 0; k < 3; k++) { /* the bond opposite to the apex */
    const struct shk_rod *base = &s->rods->rod[row[k]], *left = &s->rods->rod[row[(k + 1) % 3]],
                         *right = &s->rods->rod[row[(k + 2) % 3]];
    const int apex = left->a == right->a || left->a == right->b ? left->a : left->b;
    if (base->a < 0 || left->a < 0 || right->a < 0 || apex == base->a || apex == base->b ||
        left->square != right->square || s->mass[3 * base->a] != s->mass[3 * base->b])
      continue;
    const real end = s->mass[3 * base->a], mass = s->mass[3 * apex];
    const real height = real_sqrt(left->square - base->square / 4);
    const real top = height * (2 * end / (mass + 2 * end)), half = real_sqrt(base->square) / 2;
    *t =
        (struct triangle){{3 * apex, 3 * base->a, 3 * base->b}, mass, end, top, height - top, half};
    return left->square > base->square / 4;
  }
  return false;
}

struct shk_status shk_settle_solver_create(struct shk_solver *solver, const struct shk_binding *b)
{
  struct shk_evaluator *e = b->evaluator;
  static const char triangles[] = "solver=settle is for molecules of three points in space, joined "
                                  "by three rods, two of them of one length to points of one mass";
  const struct shk_system *s = e->system;
  struct shk_partition molecules;
  SHK_TRY(shk_rods_needed(s, triangles));
  SHK_TRY(shk_direct_create(solver, sizeof(struct settle), b, SHK_LINEAR_BLOCK));
  solver->position = position;
  struct settle *w = solver->self;
  SHK_TRY(shk_components(&molecules, b->workspace, e));
  w->count = molecules.count;
  w->triangles = shk_memory(b->workspace, (size_t)w->count * sizeof *w->triangles);
  SHK_TRY(shk_allocated(w->triangles));
  bool found = s->rods->dimension == 3;
  for (int i = 0; i < w->count && found; i++)
    found = molecules.start[i + 1] - molecules.start[i] == 3 &&
            find(&w->triangles[i], s, molecules.rows + molecules.start[i]);
  shk_give_back(molecules.start);
  return found ? shk_reals(b->workspace, &w->moved, (size_t)s->n) : shk_refused(triangles);
}

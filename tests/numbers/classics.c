/*
 * Every regular problem that the reference integrator takes: the invariants and the energy along
 * the reference integrator, the exact solution against it; and what is known of the mechanical
 * classics by themselves: special motions, relations between integrals, equilibria.
 */
#include "engine/cells/cells.h"
#include "problems/kit/distance.h"
#include "tests/kit/driving.h"
#include "tests/kit/registered.h"

/* In the precision of the compilation: how well the reference integrates, what it may lose. */
static const char *const tolerance = SHK_PRECISION == 64 ? "1e-14" : "1e-29";
static const real kept = SHK_PRECISION == 64 ? R(3e-12) : R(1e-25);

/* Beside every problem at its defaults. */
static const char *const variants[] = {
    "dimer(mass1=0.3,mass2=2.5,length=0.7,gravity=0,polar=2,polar-rate=-1)",
    "four-particle(push=0)",
    "two-body-sphere(radius=1.7,strength=0.4,mass1=2,mass2=0.6)",
    "neumann(a1=2,a2=2,a3=-1)",
    "neumann(a1=0.5,a2=3,a3=3,polar-rate=1)",
    "ellipsoid-geodesic(axis1=1,axis2=0.6,axis3=1)",
    "free-rigid-body(rate1=0.9,rate2=0.4,rate3=0.2)", /* about the axis of the least moment */
    "free-rigid-body(rate1=-0.9,rate2=0.4,rate3=-0.2)",
    "free-rigid-body(rate1=-0.3,rate2=-0.4,rate3=0.8)",
    "free-rigid-body(moment1=2,moment2=1,moment3=1.5,rate1=-0.6)",
    "free-rigid-body(moment1=1.5,moment2=2,moment3=1,rate3=-1.1)",
    "free-rigid-body(moment1=1.5,moment2=1,moment3=2,rate3=-1.1)",
    "free-rigid-body(moment1=1,moment2=1,moment3=1.7)",
    "free-rigid-body(moment1=1.7,moment2=1,moment3=1.7)",
    "free-rigid-body(moment1=1,moment2=1,moment3=1)",
    "free-rigid-body(rate1=0,rate2=0)",
    "free-rigid-body(form=quaternion)",
    "free-rigid-body(rate1=-0.9,rate2=0.4,rate3=-0.2,form=quaternion(added=0.3))",
    "free-rigid-body(moment1=1.5,moment2=1,moment3=2,rate3=-1.1,form=quaternion)",
    "free-rigid-body(moment1=1.7,moment2=1,moment3=1.7,form=quaternion)",
    "free-rigid-body(rate1=0,rate2=0,form=quaternion)",
    "lagrange-top(angle=130deg,precession=-0.8,form=quaternion)",
    "lagrange-top(start=general,precession=0.3,form=quaternion(added=3))",
    "lagrange-top(mass=2.1,distance=0.4,gravity=9.81,angle=20deg,precession=1.9)",
    "lagrange-top(angle=130deg,precession=-0.8)",
    "lagrange-top(start=general,precession=0.3)",
    "spherical-pendulum(gravity=0.5)",
    "spherical-pendulum(polar-rate=0.7,azimuth-rate=-0.4)",
    "spherical-pendulum(length=0.4,mass=3,gravity=9.81,azimuth=2,polar-rate=-1)",
    "spherical-pendulum(polar=120deg,polar-rate=-0.3,azimuth-rate=2)",
    "spherical-pendulum(gravity=0,polar-rate=0.6)",
    "fekete(points=5,rate=0.4)",
    "fekete(points=4,damping=0.5,rate=0.4)",
    "driven-spherical-pendulum(length=0.4,mass=3,gravity=9.81,amplitude=0.05,frequency=11,tilt=2,"
    "stiffness=0)",
    "driven-pendulum(length=0.4,mass=3,gravity=9.81,amplitude=0.05,frequency=40,angle=170deg)",
    "rotating-hoop(radius=0.5,mass=2,gravity=9.81,rotation=-3,angle=2,rate=0)",
    "rotating-hoop(gravity=2,rotation=2,angle=60deg,rate=0)", /* at rest on the hoop */
    "rotating-hoop(angle=0,rate=0)",
    "manufactured(length=1.7,mass=0.6,gravity=0.3,damping=0,scale=3)",
};

static const struct left_out not_run[] = {
    {"water-box", "648 coordinates: molecules.c"},
#if SHK_PRECISION == 64
    {"near-parallel", "rows at an angle of 1e-3: multipliers have six digits fewer"},
#else
    {"bricard", "the singular values that tell that it is redundant take minutes in quad"},
#endif
    {NULL, NULL}};

/* The reference integrator at the problem's start, ready to go to an eighth of its horizon. */
static bool begin_reference(struct shk_drive *d, const char *problem)
{
  OUTCOME outcome = {0};
  struct shk_inspection inspection;
  struct shk_message error;
  char until[48];
  if (!shk_inspect_problem(&test_context, &inspection, problem, &error)) {
    tap_diag("%s", error.text);
    *d = (struct shk_drive){0};
    return false;
  }
  snprintf(until, sizeof until, "%.17g", inspection.horizon);
  const struct shk_cell cell = TEST_CELL(.problem = (char *)problem, .integrator = "reference",
                                         .tolerance = (char *)tolerance, .until = until);
  const bool ok = shk_drive_begin(&test_context, d, &outcome, &cell);
  if (!ok)
    tap_diag("%s", outcome.reason);
  return ok;
}

/* ---- along the reference ---- */

/* H and the invariants of the problem, at most 9. */
static int quantities(struct shk_drive *d, real *values)
{
  const struct shk_instance *instance = &d->bound.instance;
  const struct shk_state *s = &d->current;
  int count = 0;
  if ((instance->system.features & (SHK_FORCES | SHK_RHEONOMIC)) == 0)
    shk_hamiltonian(&d->bound.observer, &values[count++], s->t, s->q, s->p);
  if (instance->invariants) {
    instance->invariants(instance->system.context, values + count, s->t, s->q, s->p);
    count += instance->invariant_count;
  }
  return count;
}

/* Largest difference from the exact solution, in units of the size of each block. */
static real exact_error(const struct shk_drive *d, real *scratch)
{
  const struct shk_instance *instance = &d->bound.instance;
  const struct shk_state *s = &d->current;
  real *q = scratch, *p = q + s->n, *lambda = p + s->n;
  if (instance->exact(instance->system.context, q, p, lambda, s->t) != 0)
    return 1;
  const real size_q = real_max_norm(q, s->n), size_p = real_max(1, real_max_norm(p, s->n));
  const real size_lambda = real_max(1, real_max_norm(lambda, s->m));
  for (int i = 0; i < s->n; i++) {
    q[i] = (q[i] - s->q[i]) / size_q;
    p[i] = (p[i] - s->p[i]) / size_p;
  }
  for (int i = 0; i < s->m; i++)
    lambda[i] = (lambda[i] - s->lambda[i]) / size_lambda;
  return real_max_norm(scratch, 2 * s->n + s->m);
}

static void check_motion(const char *spec, struct shk_drive *d)
{
  const struct shk_instance *instance = &d->bound.instance;
  const struct shk_state *s = &d->current;
  real first[16], values[16], drift[16] = {0}, error = 0;
  real *scratch = calloc(2 * (size_t)s->n + (size_t)s->m, sizeof *scratch);
  const int count = quantities(d, first);
  bool ok = true;
  if (instance->exact)
    error = exact_error(d, scratch);
  for (int k = 1; k <= 8 && ok; k++) {
    ok = shk_drive_step(d, instance->initial_time + instance->horizon * (real)k / 8).code == SHK_OK;
    if (!ok)
      break;
    shk_drive_accept(d);
    quantities(d, values);
    for (int i = 0; i < count; i++)
      drift[i] =
          real_max(drift[i], real_fabs(values[i] - first[i]) / real_max(1, real_fabs(first[i])));
    if (instance->exact) {
      const real now = exact_error(d, scratch);
      error = now <= error ? error : now; /* keeps a NaN */
    }
  }
  tap_ok(ok, "%s: the reference reaches the horizon", spec);
  const int names_from = count - instance->invariant_count;
  for (int i = 0; ok && i < count; i++)
    tap_is_near((double)drift[i], 0, (double)kept, "%s: %s is kept along the reference", spec,
                i < names_from ? "the energy" : instance->invariant_names[i - names_from]);
  if (ok && instance->exact)
    tap_is_near((double)error, 0, (double)(30 * kept), "%s: the exact solution is the reference's",
                spec);
  free(scratch);
}

static void check_problem(const char *spec)
{
  DRIVE d = {0};
  if (tap_ok(begin_reference(&d, spec), "%s: can be made", spec))
    check_motion(spec, &d);
}

/* ---- what is known of some ---- */

static real the_invariant(const struct shk_drive *d, const char *name)
{
  const struct shk_instance *instance = &d->bound.instance;
  real values[16];
  instance->invariants(instance->system.context, values, d->current.t, d->current.q, d->current.p);
  for (int i = 0; i < instance->invariant_count; i++)
    if (strcmp(instance->invariant_names[i], name) == 0)
      return values[i];
  tap_diag("no invariant %s", name);
  return R(1e30);
}

/* The relations that tie the integrals of Neumann's problem and of geodesics to one another and to
 * the energy (Moser 1980). */
static void check_integrals(void)
{
  DRIVE neumann = {0}, geodesic = {0};
  real H, F[3];
  static const char *const names[] = {"integral-F1", "integral-F2", "integral-F3"};
  static const real a[] = {1, R(2.3), R(4.1)}, alpha[] = {4, R(2.25), 1};
  const double near = (double)(200 * REAL_EPSILON);
  begin_reference(&neumann, "neumann");
  shk_hamiltonian(&neumann.bound.observer, &H, 0, neumann.current.q, neumann.current.p);
  for (int i = 0; i < 3; i++)
    F[i] = the_invariant(&neumann, names[i]);
  tap_is_near((double)(F[0] + F[1] + F[2] - 1), 0, near, "Neumann: the integrals add up to 1");
  tap_is_near((double)(real_dot(a, F, 3) - 2 * H), 0, near, "Neumann: weighted, to 2H");
  begin_reference(&geodesic, "ellipsoid-geodesic");
  shk_hamiltonian(&geodesic.bound.observer, &H, 0, geodesic.current.q, geodesic.current.p);
  real sum = 0, square = 0;
  for (int i = 0; i < 3; i++) {
    F[i] = the_invariant(&geodesic, names[i]);
    sum += F[i] / alpha[i];
    square += F[i] / (alpha[i] * alpha[i]);
  }
  tap_is_near((double)(F[0] + F[1] + F[2] - 2 * H), 0, near, "geodesic: they add up to 2H");
  tap_is_near((double)sum, 0, near, "geodesic: divided by the squares of the axes, to 0");
  tap_is_near((double)(square + the_invariant(&geodesic, "joachimsthal")), 0, near,
              "geodesic: by their squares, to minus Joachimsthal's");
}

/* At an equilibrium all multipliers are (N-1)/2: two opposite points, four on a tetrahedron. */
static void check_fekete(void)
{
  static const struct {
    const char *spec, *q, *p;
  } rests[] = {
      {"fekete(points=2)", "0,0,1,0,0,-1", "0,0,0,0,0,0"},
      {"fekete(points=6)", "1,0,0,-1,0,0,0,1,0,0,-1,0,0,0,1,0,0,-1",
       "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"},
  };
  for (size_t i = 0; i < sizeof rests / sizeof *rests; i++) {
    DRIVE d = {0};
    char reason[256];
    const bool ok = begin_at(&d, reason, rests[i].spec, "rattle", "0.1", rests[i].q, rests[i].p,
                             false) == SHK_OK;
    tap_ok(ok, "%s: takes the equilibrium", rests[i].spec);
    real worst = 0;
    for (int k = 0; ok && k < d.current.m; k++)
      worst = real_max(worst, real_fabs(d.current.lambda[k] - (real)(d.current.m - 1) / 2));
    tap_is_near((double)worst, 0, (double)(10 * REAL_EPSILON), "%s: every lambda is (N-1)/2",
                rests[i].spec);
  }
  DRIVE d = {0};
  begin_reference(&d, "fekete");
  const real latitudes[] = {3 * REAL_PI / 8, REAL_PI / 8, -2 * REAL_PI / 15, -3 * REAL_PI / 10};
  const int rings[] = {0, 3, 10, 16}; /* their first points */
  for (int i = 0; i < 4; i++)
    tap_is_near((double)(d.current.q[3 * rings[i] + 2] - real_sin(latitudes[i])), 0,
                (double)REAL_EPSILON, "fekete: ring %d is at its latitude", i + 1);
  tap_is_near((double)(d.current.q[57] -
                       real_cos(2 * REAL_PI * 3 / 4 + REAL_PI / 17) * real_cos(-3 * REAL_PI / 10)),
              0, (double)(4 * REAL_EPSILON), "fekete: the last as the test set has it");
}

int main(void)
{
  check_left_out(not_run);
  struct shk_inspection inspection;
  const char *name;
  for (int i = 0;
       (name = next_regular(&i, supports_of("reference"), not_run, &inspection)) != NULL;)
    check_problem(name);
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
    check_problem(variants[i]);
  check_integrals();
  check_fekete();
  return tap_done();
}

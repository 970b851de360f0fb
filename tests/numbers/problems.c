/*
 * Every built-in problem: derivatives, start, pattern, invariants and the description. And that
 * each of the wrong problems in tests/bad is caught by exactly the check that should.
 */
#include "bad/bad_problems.c" /* compiled in this precision; its provision is looked up by name */
#include "mechanics/system/derivatives.h"
#include "tests/kit/instance.h"
#include "tests/kit/registered.h"
#include "tests/kit/systems.h"

#include <shakedown/bind.h>

#include <time.h>

static const real derivative_bound = SHK_PRECISION == 64 ? R(1e-9) : R(1e-25);

/* Beside every problem at its defaults. */
static const char *const variants[] = {
    "pendulum(length=0.3,mass=2,gravity=9.81,angle=170deg,rate=-3)",
    "pendulum(gravity=0,rate=1)",
    "sprung-pendulum(length=2,mass=3,stiffness=50,rest=0,rate=0)",
    "spherical-pendulum(gravity=9.81,length=0.4,mass=3,azimuth=2,polar-rate=1)",
    "double-pendulum(mass1=2,mass2=0.5,length1=0.7,length2=1.9,gravity=0,rate1=1,rate2=-2)",
    "chain(links=1)",
    "chain(links=2,dimension=3,spring=3)",
    "chain(links=7,mass=0.2,length=0.3,gravity=9.81,start=zigzag,spring=4)",
    "chain(links=7,dimension=3,start=zigzag)",
    "chain(links=9,start=random,spring=2)",
    "chain(links=9,dimension=3,gravity=0,mass=1.7,length=1.3,start=random(seed=5),spring=2)",
    "chain(links=100,start=random(seed=3),spring=1)", /* directions, not coordinates */
    "charged-pendulum(length=0.6,mass=2,charge=-3,gravity=9.81,field=0.5,slope=-2,azimuth=3)",
    "harmonic-sphere(start=zb,quartic=0.3)",
    "harmonic-sphere(start=zc,radius2=1)",
    "harmonic-sphere(gravity=0)",
    "harmonic-sphere(dimension=3,gravity=0,start=zc)",
    "harmonic-sphere(dimension=5,quartic=0.3,radius2=2)",
    "coupled-spheres(spheres=3,dimension=3,coupling=0.4,radius2=0.6)",
    "coupled-spheres(spheres=1,dimension=3,oval=0.3)",
    "lifted-rotation(asymmetry=0,kinetic=2)",
    "lifted-rotation(asymmetry=0.8,kinetic=0)",
    "zero-angular-momentum(bodies=4,kinetic=0.7,spring=0.5)",
    "zero-angular-momentum(spin=0.3)",
    "oval(ratio=3)", /* unequal masses, several points */
    "oval(points=2,ratio=1.5)",
    "oval(points=4,ratio=0.7,polar=0.8)",
    "index-one(position=-1.3,momentum=0.4)",
    "alkane(carbons=9,angles=harmonic,torsion=1)",
    "water(redundant=yes)",
    "water(model=tip3p,field=3,seed=5)",
    "water-box(molecules=27,cutoff=0.4,switch=0.2)",
    "water-box(molecules=3,pairs=no)",
    "water-box(molecules=40,density=0.1,cutoff=0.5)", /* cells */
    "random-system(sways=yes,dimension=3,seed=4)",
    "particles(file=\"systems/linkage.yaml\")",
    "particles(file=\"systems/water-dimer.yaml\")",
    "mechanism(file=\"mechanisms/double-pendulum.yaml\")",
    "mechanism(file=\"mechanisms/four-bar.yaml\")",
    "mechanism(file=\"mechanisms/parallelogram.yaml\")",
    "andrews(torque=0.01,stiffness=100)",
    "car-axis(epsilon=0.1,length=2,rest=0.7,gravity=9.81,amplitude=0.3,frequency=4)",
    "slider-crank(driven=no)",
    "slider-crank(flexible=yes)",
    "slider-crank(flexible=yes,driven=no,start=undeformed)",
    "slider-crank(flexible=yes,damping=yes,nonlinear=yes)",
    "sundials-slider-crank(crank=0.8,stiffness=3,damping=0)",
    "sundials-slider-crank(crank=0.3,damping=2,force=-1)",
    "free-rigid-body(form=quaternion)",
    "free-rigid-body(moment1=2,moment2=1,moment3=1.5,rate1=-0.6,form=quaternion(added=0.3))",
    "lagrange-top(form=quaternion)",
    "lagrange-top(start=general,gravity=3,form=quaternion(added=4))",
    "fekete(points=4,damping=0.5,rate=0.4)",
    "driven-spherical-pendulum(length=0.4,mass=3,gravity=9.81,amplitude=0.05,frequency=11,tilt=2,"
    "stiffness=0)",
    "driven-pendulum(length=0.4,mass=3,gravity=9.81,amplitude=0.05,frequency=40,angle=170deg)",
    "rotating-hoop(radius=0.5,mass=2,gravity=9.81,rotation=-3,angle=2,rate=0)",
    "manufactured(length=1.7,mass=0.6,gravity=0.3,damping=0,scale=3)",
};

/* All but general differential-algebraic equations: tests/numbers/dae.c. */
enum { CHECKED = ~SHK_GENERAL_DAE };

static const struct left_out not_checked[] = {
    {"index-five", "ill-posed: singular_problems.c"},
    {"gauge", "ill-posed as well"},
    {"non-coisotropic", "ill-posed as well"},
    {"energy-surface", "ill-posed as well"},
    {"knife-edge", "constraints on velocities alone: velocity_constraints.c"},
    {"program", "has to be named: tests/processes/program_problem.sh"},
    {"water-box", "648 coordinates: smaller ones are among the variants"},
    {NULL, NULL}};

static bool depends_on_momenta(const struct bound_problem *b)
{
  return (b->instance.system.features & SHK_MOMENTUM_CONSTRAINT) != 0;
}

static void check_derivatives(const char *spec, struct bound_problem *b, real t)
{
  struct shk_derivative_check checks[8];
  int count = 0;
  const struct shk_status status =
      shk_check_derivatives(checks, &count, &b->evaluator, t, b->q, b->p);
  tap_ok(status.code == SHK_OK && count >= 4, "%s: derivatives can be checked", spec);
  for (int i = 0; i < count; i++)
    if (!tap_ok(checks[i].holds && checks[i].error < (double)derivative_bound,
                "%s: %s is the derivative", spec, checks[i].name))
      tap_diag("error %.2e, floor %.2e", checks[i].error, checks[i].floor);
}

/* Residuals of the start in units of the round-off of the coordinates. */
static void start_residuals(struct bound_problem *b, double *constraint, double *hidden)
{
  const struct shk_system *s = &b->instance.system;
  const real size_q = max_norm(b->q, s->n);
  if (depends_on_momenta(b)) {
    struct shk_fibre *fibre = NULL;
    real psi[4];
    if (s->m > 4 || shk_bind_fibre(&fibre, BINDING_OF(&b->evaluator)).code != SHK_OK)
      abort();
    shk_fibre_residuals(fibre, b->g, psi, NULL, 0, b->q, b->p);
    *constraint = (double)(max_norm(b->g, s->m) / REAL_EPSILON);
    *hidden = (double)(max_norm(psi, s->m) / REAL_EPSILON);
    return;
  }
  shk_constraint(&b->evaluator, b->g, b->instance.initial_time, b->q);
  *constraint = (double)(max_norm(b->g, s->m) / (REAL_EPSILON * size_q));
  shk_jacobian(&b->evaluator, b->values, b->instance.initial_time, b->q);
  shk_velocity(&b->evaluator, b->H_p, b->instance.initial_time, b->q, b->p);
  shk_jacobian_times(&b->evaluator, b->g, b->values, b->H_p);
  if ((s->features & SHK_RHEONOMIC) != 0) {
    shk_constraint_rate(&b->evaluator, b->lambda, b->instance.initial_time, b->q);
    shk_vector_add(b->g, 1, b->lambda, s->m);
  }
  const real size_v = real_max(max_norm(b->H_p, s->n) * real_max(size_q, 1), 1);
  *hidden = (double)(max_norm(b->g, s->m) / (REAL_EPSILON * size_v));
}

/* dI/dt = 0 along q' = H_p, p' = -H_q - Gᵀ lambda for any lambda, by a central difference. */
static void check_invariants(const char *spec, struct bound_problem *b)
{
  const struct shk_instance *instance = &b->instance;
  const struct shk_system *s = &instance->system;
  const int n = s->n, count = instance->invariant_count;
  if (count == 0)
    return;
  shk_velocity(&b->evaluator, b->H_p, 0, b->q, b->p);
  shk_gradient(&b->evaluator, b->H_q, 0, b->q, b->p);
  for (int i = 0; i < s->m; i++)
    b->lambda[i] = R(0.7) + (real)i / 3;
  if (depends_on_momenta(b)) {
    real g_q[8], g_p[8];
    shk_constraint_gradients(&b->evaluator, g_q, g_p, 0, b->q, b->p);
    for (int i = 0; i < n; i++) {
      b->H_q[i] += b->lambda[0] * g_q[i];
      b->H_p[i] += b->lambda[0] * g_p[i];
    }
  } else {
    shk_jacobian(&b->evaluator, b->values, 0, b->q);
    shk_jacobian_transposed_add(&b->evaluator, b->H_q, b->values, 1, b->lambda);
  }
  real ahead[8], behind[8];
  const real h = real_pow(REAL_EPSILON, R(1.0) / 3);
  real *q = calloc(2 * (size_t)n, sizeof *q), *p = q + n;
  for (int side = 1; side >= -1; side -= 2) {
    for (int i = 0; i < n; i++) {
      q[i] = b->q[i] + side * h * b->H_p[i];
      p[i] = b->p[i] - side * h * b->H_q[i];
    }
    instance->invariants(s->context, side > 0 ? ahead : behind, 0, q, p);
  }
  free(q);
  const real size =
      real_max(max_norm(b->q, n), 1) * real_max(max_norm(b->p, n), max_norm(b->H_q, n)) * (real)n;
  for (int i = 0; i < count; i++) {
    const double rate = (double)((ahead[i] - behind[i]) / (2 * h) / size);
    tap_is_near(rate, 0, (double)(100 * h * h), "%s: %s is an invariant", spec,
                instance->invariant_names[i]);
  }
}

static bool pattern_ascends(const struct shk_system *s)
{
  if (!s->row_start)
    return true;
  for (int i = 0; i < s->m; i++)
    for (int k = s->row_start[i]; k < s->row_start[i + 1]; k++)
      if (s->columns[k] < 0 || s->columns[k] >= s->n ||
          (k > s->row_start[i] && s->columns[k] <= s->columns[k - 1]))
        return false;
  return s->row_start[0] == 0;
}

static void check_problem(const char *spec)
{
  struct shk_message error = {""};
  PROBLEM b = bind_problem(spec, NULL, &error);
  if (!tap_ok(b != NULL, "%s: can be made", spec)) {
    tap_diag("%s", error.text);
    return;
  }
  double constraint, hidden;
  start_residuals(b, &constraint, &hidden);
  tap_is_near(constraint, 0, 4, "%s: the start is on the constraints, in units of round-off", spec);
  tap_is_near(hidden, 0, 4, "%s: and on the hidden ones", spec);
  check_derivatives(spec, b, b->instance.initial_time);
  if ((b->instance.system.features & (SHK_RHEONOMIC | SHK_FORCES)) !=
      0) /* a drive may begin at 0 */
    check_derivatives(spec, b, b->instance.initial_time + R(0.41) * (real)b->instance.time_scale);
  if (!is_of(spec,
             "ellipsoid-geodesic")) /* Joachimsthal's needs the exact multiplier: classics.c */
    check_invariants(spec, b);
  tap_ok(pattern_ascends(&b->instance.system), "%s: the pattern's columns ascend", spec);
  tap_ok(b->instance.time_scale > 0 && b->instance.horizon > b->instance.time_scale &&
             b->instance.horizon < 100 * b->instance.time_scale,
         "%s: time scale and horizon are of one order", spec);
}

/* A problem around another one has tests of its own, which bind it through the registry. */
static bool is_around_another(const char *name)
{
  const struct shk_problem *problem = problem_named(name);
  for (const struct shk_option *o = problem->info.options; o && o->name; o++)
    if (o->kind == SHK_OPTION_PROBLEM)
      return true;
  return false;
}

/* At their defaults; a problem that has none, or is left out, needs a variant or another test. */
static void check_all(void)
{
  struct shk_inspection inspection;
  const char *name;
  check_left_out(not_checked);
  for (int i = 0; (name = next_problem(&i, CHECKED, not_checked, &inspection)) != NULL;)
    if (!is_around_another(name))
      check_problem(name);
  const struct shk_problem *problem;
  for (int i = 0; (problem = nth_problem(i)) != NULL; i++) {
    struct shk_message error;
    bool covered = is_left_out(not_checked, problem->info.name) ||
                   shk_inspect_problem(&test_context, &inspection, problem->info.name, &error);
    for (size_t k = 0; k < sizeof variants / sizeof *variants; k++)
      covered |= is_of(variants[k], problem->info.name);
    tap_ok(covered, "%s has defaults, or a variant", problem->info.name);
  }
}

/* Golden values: a separate computation with 60 digits, by dense linear algebra. That both
 * precisions meet them is what makes them one start. */
static void check_random_starts(void)
{
  static const char plane[] = "chain(links=5,start=random)";
  static const char space[] = "chain(links=4,dimension=3,start=random(seed=7))";
  static const struct {
    const char *spec;
    char part;
    int index;
    real value;
    const char *name;
  } golden[] = {
      {plane, 'q', 8, R(-1.83568147975589832191524023131621748307284), "x of the last bead"},
      {plane, 'q', 9, R(-0.901366392388773812611225359735608851340184), "y of the last bead"},
      {plane, 'p', 0, R(-0.0837517025468703421302843814678711818315605), "first momentum"},
      {plane, 'p', 9, R(0.324138299683340399059491725561208641478846), "last momentum"},
      {space, 'q', 11, R(-1.64554630201703822045544711727416142821312), "height of the last bead"},
      {space, 'p', 11, R(-1.2718123293833444231543558420993184238353), "last momentum"}};
  for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
    PROBLEM b = bind_or_stop("%s", golden[i].spec);
    const real *const of = golden[i].part == 'q' ? b->q : b->p;
    tap_is_near((double)(of[golden[i].index] - golden[i].value), 0, (double)(200 * REAL_EPSILON),
                "%s: %s", golden[i].spec, golden[i].name);
  }
}

static void check_zigzag(void)
{
  PROBLEM b = bind_or_stop("chain(links=3,dimension=3,mass=2,length=0.5,start=zigzag)");
  /* Link 3: angle -0.4 + 0.15, rate 0.3, relative to bead 2. */
  const real angle = R(-0.25), near = 16 * REAL_EPSILON;
  const real dx = b->q[6] - b->q[3], dy = b->q[7] - b->q[4], dz = b->q[8] - b->q[5];
  const real vx = (b->p[6] - b->p[3]) / 2, vz = (b->p[8] - b->p[5]) / 2;
  tap_ok(real_fabs(dx - real_sin(angle) / 2) < near && dy == 0 &&
             real_fabs(dz + real_cos(angle) / 2) < near,
         "zigzag: the third link hangs at -0.25 in the plane of x and the height");
  tap_ok(real_fabs(vx - R(0.3) * real_cos(angle) / 2) < near &&
             real_fabs(vz - R(0.3) * real_sin(angle) / 2) < near,
         "zigzag: and turns at the rate 0.3");
}

static void check_long_chains(void)
{
  static const char *const long_specs[] = {"chain(links=100000)",
                                           "chain(links=100000,dimension=3,start=random,spring=1)"};
  for (int i = 0; i < 2; i++) {
    const clock_t begin = clock();
    PROBLEM b = bind_or_stop("%s", long_specs[i]);
    const double seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
    /* Generous: linear work takes some tenths of a second, quadratic work takes minutes. */
    if (!tap_ok(seconds < 10, "%s: made in linear time", long_specs[i]))
      tap_diag("%.2f s", seconds);
    double constraint, hidden;
    start_residuals(b, &constraint, &hidden);
    tap_is_near(constraint, 0, 4, "%s: on the constraints", long_specs[i]);
    tap_is_near(hidden, 0, 4, "%s: on the hidden constraints", long_specs[i]);
    tap_diag("%s: %.2f s", long_specs[i], seconds);
  }
}

/* What a problem says that it cannot decide. */
static void check_flags(void)
{
  static const struct {
    const char *spec;
    unsigned set, clear;
  } cases[] = {
      {"pendulum", SHK_ONE_DEGREE_OF_FREEDOM | SHK_LINEAR_POTENTIAL | SHK_SYMMETRIC_START,
       SHK_NO_REVERSAL | SHK_CHAOTIC},
      {"pendulum(angle=0.7,rate=1.1)", SHK_ONE_DEGREE_OF_FREEDOM, SHK_SYMMETRIC_START},
      {"pendulum(angle=0,rate=1.1)", SHK_SYMMETRIC_START, SHK_FREE_MOTION},
      {"pendulum(gravity=0,rate=1)", SHK_FREE_MOTION, 0},
      {"sprung-pendulum", SHK_ONE_DEGREE_OF_FREEDOM, SHK_LINEAR_POTENTIAL | SHK_SYMMETRIC_START},
      {"sprung-pendulum(stiffness=0)", SHK_LINEAR_POTENTIAL, SHK_SYMMETRIC_START},
      {"spherical-pendulum", SHK_LINEAR_POTENTIAL, SHK_SYMMETRIC_START | SHK_ONE_DEGREE_OF_FREEDOM},
      {"spherical-pendulum(azimuth-rate=0)", SHK_SYMMETRIC_START, 0},
      {"double-pendulum", SHK_CHAOTIC | SHK_SYMMETRIC_START, SHK_ONE_DEGREE_OF_FREEDOM},
      {"double-pendulum(rate1=1)", SHK_CHAOTIC, SHK_SYMMETRIC_START},
      {"chain", SHK_LINEAR_POTENTIAL | SHK_SYMMETRIC_START | SHK_CHAOTIC, SHK_FREE_MOTION},
      {"chain(spring=1,start=zigzag)", SHK_CHAOTIC, SHK_LINEAR_POTENTIAL | SHK_SYMMETRIC_START},
      {"chain(links=1,spring=1)", SHK_LINEAR_POTENTIAL | SHK_ONE_DEGREE_OF_FREEDOM, SHK_CHAOTIC},
      {"charged-pendulum", SHK_NO_REVERSAL, SHK_LINEAR_POTENTIAL | SHK_SYMMETRIC_START},
      {"harmonic-sphere", SHK_ONE_DEGREE_OF_FREEDOM | SHK_LINEAR_POTENTIAL,
       SHK_FREE_MOTION | SHK_NO_REVERSAL},
      {"harmonic-sphere(gravity=0)", SHK_FREE_MOTION, 0},
      {"harmonic-sphere(quartic=0.3)", SHK_ONE_DEGREE_OF_FREEDOM, SHK_LINEAR_POTENTIAL},
      {"harmonic-sphere(dimension=3)", SHK_LINEAR_POTENTIAL, SHK_ONE_DEGREE_OF_FREEDOM},
      {"coupled-spheres", 0, SHK_ONE_DEGREE_OF_FREEDOM | SHK_LINEAR_POTENTIAL | SHK_NO_REVERSAL},
      {"coupled-spheres(spheres=1)", SHK_ONE_DEGREE_OF_FREEDOM, SHK_LINEAR_POTENTIAL},
      {"coupled-spheres(coupling=0,quartic=0)", SHK_LINEAR_POTENTIAL, SHK_FREE_MOTION},
      {"index-one", SHK_LINEAR_CONSTRAINTS | SHK_NO_REVERSAL, SHK_LINEAR_POTENTIAL},
      {"charged-pendulum(charge=0)", SHK_LINEAR_POTENTIAL, SHK_NO_REVERSAL},
      {"beads-on-line", SHK_LINEAR_CONSTRAINTS | SHK_REDUNDANT_ROWS, 0},
      {"beads-on-line(redundant=no)", SHK_LINEAR_CONSTRAINTS, SHK_REDUNDANT_ROWS},
      {"dimer", SHK_LINEAR_POTENTIAL | SHK_SYMMETRIC_START, SHK_FREE_MOTION},
      {"dimer(gravity=0)", SHK_FREE_MOTION, 0},
      {"four-particle", SHK_CHAOTIC, SHK_SYMMETRIC_START | SHK_LINEAR_POTENTIAL},
      {"four-particle(push=0)", SHK_SYMMETRIC_START, 0},
      {"two-body-sphere", SHK_CHAOTIC, SHK_SYMMETRIC_START | SHK_LINEAR_POTENTIAL},
      {"neumann", 0, SHK_SYMMETRIC_START | SHK_LINEAR_POTENTIAL | SHK_FREE_MOTION | SHK_CHAOTIC},
      {"neumann(a1=2,a2=2,a3=2)", SHK_FREE_MOTION, 0},
      {"neumann(polar-rate=0,azimuth-rate=0)", SHK_SYMMETRIC_START, 0},
      {"ellipsoid-geodesic", SHK_FREE_MOTION, SHK_SYMMETRIC_START},
      {"free-rigid-body", SHK_FREE_MOTION, SHK_SYMMETRIC_START},
      {"free-rigid-body(rate1=0,rate2=0)", SHK_SYMMETRIC_START, 0},
      {"free-rigid-body(form=quaternion)", SHK_FREE_MOTION, SHK_LINEAR_POTENTIAL},
      {"lagrange-top", SHK_LINEAR_POTENTIAL | SHK_SYMMETRIC_START, SHK_FREE_MOTION},
      {"lagrange-top(start=general)", SHK_LINEAR_POTENTIAL, SHK_SYMMETRIC_START},
      {"lagrange-top(start=general,form=quaternion)", 0,
       SHK_LINEAR_POTENTIAL | SHK_SYMMETRIC_START | SHK_FREE_MOTION},
      {"fekete", SHK_SYMMETRIC_START | SHK_CHAOTIC, SHK_NO_REVERSAL},
      {"fekete(rate=1)", SHK_CHAOTIC, SHK_SYMMETRIC_START},
      {"random-system(rests=yes,seed=5)", SHK_SYMMETRIC_START, 0},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    PROBLEM b = bind_or_stop("%s", cases[i].spec);
    const unsigned flags = b->instance.undecidable;
    if (!tap_ok((flags & cases[i].set) == cases[i].set && (flags & cases[i].clear) == 0,
                "%s: says what it cannot decide", cases[i].spec))
      tap_diag("flags %#x", flags);
  }
}

static void check_refusals(void)
{
  static const char *const refused[] = {
      "free-rigid-body(moment1=1,moment2=1,moment3=2)",
      "free-rigid-body(moment1=5)",
      "free-rigid-body(moment1=5,form=quaternion)",
      "free-rigid-body(form=quaternion(added=0))", /* the mass matrix is singular */
      "free-rigid-body(added=1)",                  /* nothing is added to a matrix */
      "lagrange-top(moment3=3)",
      "car-axis(amplitude=1)",
      "sundials-slider-crank(crank=1)",
      "andrews(stiffness=-1)",
      "slider-crank(start=fast)",
      "lagrange-top(precession=0)",
      "two-body-sphere(polar1=1,polar2=1,azimuth1=0.3,azimuth2=0.3)",
      "ellipsoid-geodesic(polar-rate=0,azimuth-rate=0)",
      "fekete(points=1)",
      "dimer(length=0)",
      "pendulum(length=0)",
      "pendulum(mass=-1)",
      "chain(links=0)",
      "harmonic-sphere(gravity=0,start=half,radius2=-1)",
      "harmonic-sphere(dimension=3,start=impasse)",
      "coupled-spheres(spheres=5,dimension=4)",
      "chain(links=1000001)",
      "chain(dimension=4)",
      "sprung-pendulum(stiffness=-1)",
      "sprung-pendulum(anchor-x=0,anchor-y=-1,angle=0)" /* the bob on the spring's anchor */};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    struct shk_message error = {""};
    PROBLEM b = bind_problem(refused[i], NULL, &error);
    tap_ok(!b && error.text[0] != '\0', "%s: is refused with a reason", refused[i]);
  }
}

static void check_descriptions(void)
{
  static const struct shk_provision *const provisions[] = {
#define SHK_LISTED(family) &shk_provision_##family,
#include "problems/list.h"
#undef SHK_LISTED
  };
  for (size_t i = 0; i < sizeof provisions / sizeof *provisions; i++)
    for (const struct shk_problem *const *each = provisions[i]->problems; *each; each++) {
      const struct shk_problem_info *info = &(*each)->info;
      bool complete = info->summary && info->equations && info->citation && info->units &&
                      info->coordinates && info->options;
      for (const struct shk_option *o = info->options; o && o->name; o++)
        complete =
            complete && o->meaning && (o->fallback || o->positional || o->kind == SHK_OPTION_FILE);
      tap_ok(complete, "%s: is described", info->name);
    }
}

/* Every wrong problem is caught, by the check of what is wrong and by no other. */
static void check_bad_problems(void)
{
  static const struct {
    const char *name, *caught; /* the derivative; NULL: the start */
  } cases[] = {{"bad-gradient", "H_q"}, {"bad-curvature", "curvature"}, {"bad-jacobian", "G"},
               {"bad-pattern", "G"},    {"bad-hessian", "Hessian"},     {"bad-velocity", "H_p"},
               {"bad-start", NULL}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct shk_message error = {""};
    PROBLEM b = bind_problem(cases[i].name, &shk_provision_bad_problems, &error);
    if (!tap_ok(b != NULL, "%s: can be made", cases[i].name)) {
      tap_diag("%s", error.text);
      continue;
    }
    double constraint, hidden;
    start_residuals(b, &constraint, &hidden);
    if (!cases[i].caught)
      tap_ok(constraint > 1000000 && hidden > 1000000, "%s: the residuals of the start show it",
             cases[i].name);
    struct shk_derivative_check checks[8];
    int count = 0;
    shk_check_derivatives(checks, &count, &b->evaluator, 0, b->q, b->p);
    bool caught = !cases[i].caught, others = true;
    for (int k = 0; k < count; k++) {
      const bool wrong = cases[i].caught && strcmp(checks[k].name, cases[i].caught) == 0;
      if (wrong)
        caught = !checks[k].holds && checks[k].error * 100 > 1;
      /* A wrong H_p or G falsifies what is built on it, too. */
      else if (strcmp(checks[k].name, "Hessian") != 0 && strcmp(checks[k].name, "curvature") != 0)
        others = others && checks[k].holds;
    }
    tap_ok(caught, "%s: the check of %s fails", cases[i].name,
           cases[i].caught ? cases[i].caught : "nothing");
    tap_ok(others, "%s: what is right passes", cases[i].name);
  }
}

static struct shk_system right;

static int wrong_rate(const void *context, real *out, real t, const real *q)
{
  const int code = right.constraint_rate(context, out, t, q);
  out[0] = -out[0];
  return code;
}

static int wrong_force_gradients(const void *context, real *Q_q, real *Q_p, real t, const real *q,
                                 const real *p)
{
  const int code = right.force_gradients(context, Q_q, Q_p, t, q, p);
  Q_p[0] = -Q_p[0];
  return code;
}

/* The same of what depends on time and of forces: right as it is, caught with a fault. */
static void check_bad_function(const char *spec, const char *caught)
{
  PROBLEM b = bind_or_stop("%s", spec);
  struct shk_system *s = &b->instance.system;
  right = *s;
  for (int wrong = 0; wrong < 2; wrong++) {
    struct shk_derivative_check checks[8];
    int count = 0;
    bool others = true, named = true;
    if (wrong && strcmp(caught, "g_t") == 0)
      s->constraint_rate = wrong_rate;
    else if (wrong)
      s->force_gradients = wrong_force_gradients;
    shk_check_derivatives(checks, &count, &b->evaluator, R(0.6), b->q, b->p);
    for (int k = 0; k < count; k++)
      if (strcmp(checks[k].name, caught) == 0)
        named = checks[k].holds;
      else if (strcmp(checks[k].name, "curvature") != 0)
        others = others && checks[k].holds;
    tap_ok(named == !wrong && others, "%s: %s %s", spec, caught,
           wrong ? "with another sign is caught" : "is right");
  }
}

/* V = 0 is what a system without its functions has; one of them alone is a mistake. */
static void check_half_potential(void)
{
  PROBLEM b = bind_or_stop("pendulum");
  for (int k = 0; k < 2; k++) {
    struct shk_system half = b->instance.system;
    struct shk_evaluator e;
    if (k == 0)
      half.gradient = NULL;
    else
      half.potential = NULL;
    tap_is_int(shk_evaluator_init(&e, &half).code, SHK_STOPPED,
               "a potential without its gradient, or the reverse");
  }
}

/* Constraints g(q,p) need four functions. */
static void check_lacking(void)
{
  PROBLEM b = bind_or_stop("harmonic-sphere");
  for (int k = 0; k < 4; k++) {
    struct shk_system system = b->instance.system;
    struct shk_evaluator e;
    struct shk_fibre *fibre = NULL;
    system.constraint_qp = k == 0 ? NULL : system.constraint_qp;
    system.constraint_gradients = k == 1 ? NULL : system.constraint_gradients;
    system.constraint_second = k == 2 ? NULL : system.constraint_second;
    system.hessian = k == 3 ? NULL : system.hessian;
    if (shk_evaluator_init(&e, &system).code != SHK_OK)
      abort();
    tap_is_int(shk_bind_fibre(&fibre, BINDING_OF(&e)).code, SHK_BAD_INPUT,
               "a system that lacks the function %d of four is refused", k);
    shk_evaluator_clear(&e);
  }
}

int main(void)
{
  use_systems_of("studies");
  check_all();
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
    check_problem(variants[i]);
  use_systems_of("tests/data");
  check_problem("mechanism(file=\"all-joints.yaml\")");
  check_problem("mechanism(file=\"couplings.yaml\")");
  check_random_starts();
  check_zigzag();
  check_long_chains();
  check_flags();
  check_refusals();
  check_descriptions();
  check_bad_problems();
  check_half_potential();
  check_lacking();
  check_bad_function("driven-pendulum", "g_t");
  check_bad_function("manufactured", "Hessian");
  return tap_done();
}

/*
 * The singular, redundant and ill-posed problems of the catalogue: starts, when
 * singular configurations are passed, redundancy, the impasse, and the reasons of refusals. That
 * exact solutions lead through them on their branch, exact.c checks.
 */
#include "engine/bind.h"
#include "engine/cells/cells.h"
#include "mechanics/diagnosis/rank.h"
#include "tests/kit/driving.h"
#include "tests/kit/registered.h"

/* Problem, rank of G at the start. */
static const struct {
  const char *spec;
  int rank, rows;
} specs[] = {
    {"four-bar", 9, 9},
    {"four-bar(loops=3,angle=1,length=0.7,mass=2,couplers=ends)", 7, 7},
    {"four-bar(loops=2,angle=90deg,couplers=ends)", 3, 5},
    {"parallelogram(angle=1)", 5, 5},
    {"parallelogram(angle=-2,base=0.4,couplers=ends,speed=0)", 3, 3},
    {"lemniscate", 1, 1},
    {"lemniscate(position=0.2,size=1.7,gravity=0.3,speed=-0.8)", 1, 1},
    {"lemniscate(position=0)", 0, 1},
    {"beads-on-line", 2, 3},
    {"beads-on-line(redundant=no)", 2, 2},
    {"ring", 4, 4},
    {"ring(opening=0)", 3, 4},
    {"puckered-ring", 6, 6},
    {"puckered-ring(pucker=0)", 5, 6},
    {"puckered-ring(beads=5)", 9, 10},
    {"puckered-ring(beads=5,pucker=0)", 7, 10},
    {"puckered-ring(beads=6)", 12, 12},
    {"puckered-ring(beads=6,pucker=0)", 9, 12},
    {"puckered-ring(pucker=0,angles=no)", 4, 4},
    {"puckered-ring(beads=5,pucker=0,angles=no)", 5, 5},
    {"puckered-ring(beads=6,pucker=0,angles=no)", 6, 6},
    {"near-parallel", 2, 2},
    {"near-parallel(epsilon=1e-9,length=1.3,tilt=0)", 2, 2},
    {"bricard", 32, 33},
    {"duplicate", 1, 2},
    {"duplicate(four-bar(loops=1),row=2)", 5, 6},
    {"duplicate(rotating-hoop,row=2)", 2, 3},
    {"duplicate(manufactured)", 1, 2},
    {"water(redundant=yes)", 3, 4},
    {"water(redundant=yes,angle=179.9deg)", 3, 4},
    {"water(angle=180deg)", 2, 3},
    {"harmonic-sphere(start=impasse)", 1, 1},
    {"index-five", 1, 1},
    {"gauge", 1, 1},
    {"non-coisotropic", 2, 2},
    {"energy-surface", 1, 1},
    {"lifted-rotation(asymmetry=0,kinetic=0)", 1, 1},
    {"zero-angular-momentum(spin=0.3)", 3, 3},
    {"knife-edge", 0, 0},
    {"vertical-plane", 1, 1},
    {"vertical-plane(rotation=1.3)", 1, 1},
};

static const struct left_out too_large[] = {
    {"water-box", "it would take a minute in quad, and has the rods of water"}, {NULL, NULL}};

/* Start consistent (bind_point says so), rank as it must be. */
static void check_system(const char *spec, int rank, int rows)
{
  BOUND bound = {0};
  real values[40] = {0};
  int found = 0;
  bool right = begin_problem(&bound, spec);
  const struct shk_state *s = &bound.start;
  if (right)
    right =
        s->m == 0 || shk_singular_values(values, &bound.observer, s->t, s->q, s->p).code == SHK_OK;
  for (int i = 0; right && i < s->m; i++)
    found += values[i] > shk_rank_tolerance(&bound.instance.system) * real_max(1, values[0]);
  tap_ok(right && s->m == rows && found == rank, "%s: rank %d of %d", spec, found, s->m);
}

/* What is not regular, and left out by tests that say so, is in the table. */
static void check_nobody_is_forgotten(void)
{
  struct shk_inspection inspection;
  const char *name;
  for (int i = 0; (name = next_problem(&i, ~0u, too_large, &inspection)) != NULL;) {
    bool listed = false;
    for (size_t k = 0; k < sizeof specs / sizeof *specs; k++)
      listed |= is_of(specs[k].spec, name);
    tap_ok(listed || is_regular(name), "%s is regular, or its rank is told here", name);
  }
}

/* Near the flat the ring's least singular value is proportional to ε, and λ under a force out of the plane
 * to 1/ε: the product of both stays. */
static void check_puckered(int beads)
{
  static const char *const pucker[] = {"1e-2", "1e-3", "1e-4"};
  real least[3] = {0}, most[3] = {0}, values[40];
  for (int k = 0; k < 3; k++) {
    char spec[80];
    DRIVE d = {0};
    snprintf(spec, sizeof spec, "puckered-ring(beads=%d,pucker=%s)", beads, pucker[k]);
    if (begin_own(&d, spec, "rattle", "0.001")) {
      const struct shk_state *s = &d.bound.start;
      shk_singular_values(values, &d.bound.observer, s->t, s->q, s->p);
      least[k] = values[s->m - 1];
      for (int i = 0; i < s->m; i++)
        most[k] = real_max(most[k], real_fabs(s->lambda[i]));
    }
  }
  for (int k = 0; k < 2; k++)
    tap_ok(real_fabs(least[k] / least[k + 1] - 10) < R(0.05) &&
               real_fabs(most[k + 1] / most[k] - 10) < R(0.3),
           "%d beads, ε from %s to %s: σ_min falls by %.3f, λ grows by %.3f", beads, pucker[k],
           pucker[k + 1], (double)(least[k] / least[k + 1]), (double)(most[k + 1] / most[k]));
}

/* The smallest singular value vanishes at the times of crossings, and they are as many as said. */
static void check_crossings(const char *spec, double until, int expected)
{
  enum { MOST = 32 };
  BOUND bound = {0};
  real times[MOST], values[40], lambda[40], *q = NULL;
  int count = -1;
  bool ok = begin_problem(&bound, spec) && bound.instance.crossings && bound.instance.exact;
  if (ok) {
    q = malloc(2 * (size_t)bound.start.n * sizeof *q);
    count = bound.instance.crossings(bound.instance.system.context, times, MOST, (real)until);
  }
  tap_is_int(count, expected, "%s: crossings until %g", spec, until);
  real least = 0, before = 0;
  ok = ok && q && count <= MOST;
  for (int k = 0; ok && k < count; k++) {
    ok = times[k] > before && times[k] <= (real)until &&
         bound.instance.exact(bound.instance.system.context, q, q + bound.start.n, lambda,
                              times[k]) == 0 &&
         shk_jacobian(&bound.observer, values, 0, q).code == SHK_OK;
    before = times[k];
    if (bound.start.m == 1) { /* rows are not made longer than they are: a row that vanishes */
      least = real_max(least, real_max_norm(values, bound.start.n));
    } else if (ok) {
      ok = shk_singular_values(values, &bound.observer, 0, q, q + bound.start.n).code == SHK_OK;
      least = real_max(least, values[bound.start.m - 1]);
    }
  }
  tap_ok(ok && least <= R(1e4) * REAL_EPSILON, "%s: singular there, to %.2g", spec, (double)least);
  free(q);
}

static void check_redundant(void)
{
  /* The shortest multipliers: the exact ones are those of svd. */
  BOUND bound = {0};
  struct shk_message error;
  static const char *const shortest[] = {"beads-on-line(mass1=0.4)", "duplicate(pendulum(rate=1))"};
  for (int k = 0; k < 2; k++) {
    real q[3], p[3], lambda[3], off = 1;
    if (begin_problem(&bound, shortest[k]) && shk_bind_check_start(&bound, &error) == SHK_OK &&
        bound.instance.exact(bound.instance.system.context, q, p, lambda, 0) == 0) {
      off = 0;
      for (int i = 0; i < bound.start.m; i++)
        off = real_max(off, real_fabs(lambda[i] - bound.start.lambda[i]));
    }
    tap_ok(off <= 100 * REAL_EPSILON, "%s: svd's multipliers are the shortest, off by %.2g",
           shortest[k], (double)off);
  }
}

/* 1/lambda² along a run that goes towards the impasse falls to zero at t*, linearly at last: from
 * two points near its end the line meets zero at t*, which was found otherwise, by integrating in
 * the time dτ = dt/N, in which nothing is singular there, with 40 digits. */
static void check_impasse(const char *spec, double t_star)
{
  DRIVE d = {0};
  const bool begun = begin_own(&d, spec, "composition(base=rattle)", "0.0005");
  real t[2] = {0}, y[2] = {0};
  bool stopped = false;
  long steps = 0;
  for (; begun && steps < 8000 && !stopped; steps++) {
    stopped = shk_drive_step(&d, d.current.t + d.bound.step).code != SHK_OK;
    if (stopped)
      break;
    shk_drive_accept(&d);
    real lambda;
    if (shk_exact_multiplier(d.bound.manifold, &lambda, d.current.t, d.current.q, d.current.p)
            .code != SHK_OK)
      break;
    if ((double)d.current.t < t_star - 0.01)
      continue;
    t[0] = t[1];
    y[0] = y[1];
    t[1] = d.current.t;
    y[1] = 1 / (lambda * lambda);
  }
  const double meets = (double)(t[1] + y[1] * (t[1] - t[0]) / (y[0] - y[1]));
  tap_ok(begun && stopped, "%s: the run stops, after %ld steps", spec, steps);
  tap_is_near(meets, t_star, 3e-4, "%s: 1/lambda² vanishes at t*, by %.7f", spec, meets);
}

static void check_refusals(void)
{
  static const char *const integrators[] = {"rattle",     "shake",     "composition",
                                            "projection", "baumgarte", "spark",
                                            "reference",  "penalty",   "variational"};
  static const char *const reasons[][2] = {
      {"index-five",
       "index 5, with a chain of constraints on q2, then on q1, then on p1, then on p2"},
      {"gauge", "the multiplier is undetermined"},
      {"energy-surface", "the multiplier is undetermined"},
      {"lifted-rotation(asymmetry=0,kinetic=0)", "the multiplier is undetermined"},
      {"zero-angular-momentum(spin=0.3)", "coisotropy fails"},
      {"non-coisotropic", "coisotropy fails"},
      {"knife-edge", "is nonholonomic"},
      {"vertical-plane(velocity-only=yes)", "also declare g(q,t) = 0, to which they integrate"},
      {"vertical-plane(rotation=1.3,velocity-only=yes)",
       "also declare g(q,t) = 0, to which they integrate"},
      {"vertical-plane(area-rate=0.4)", "A(q,t) v + a(q,t) = 0 fail Frobenius' test"}};
  for (size_t k = 0; k < sizeof integrators / sizeof *integrators; k++)
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
      is_refused(reasons[i][0], integrators[k], reasons[i][1]);
  DRIVE d = {0};
  char reason[256] = "";
  tap_ok(begin_at(&d, reason, "parallelogram", "rattle", "0.01", "0,1.01,0.8,1,1.6,1", NULL,
                  false) == SHK_INCONSISTENT &&
             strstr(reason, "max|g|") && strstr(reason, "--project"),
         "an inconsistent start: %s", reason);
}

int main(void)
{
  for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
    check_system(specs[i].spec, specs[i].rank, specs[i].rows);
  check_left_out(too_large);
  check_nobody_is_forgotten();

  check_crossings("four-bar", 10, 10);
  check_crossings("four-bar(loops=3,gravity=0,speed=2)", 7, 4);
  check_crossings("four-bar(loops=1,angle=60deg,speed=0)", 8, 13);
  check_crossings("parallelogram(angle=2,speed=0)", 8, 0);
  check_crossings("lemniscate", 7, 3);
  check_crossings("lemniscate(speed=-1)", 7, 2);
  check_puckered(4);
  check_puckered(6);
  check_crossings("ring", 6, 4);

  check_redundant();
  check_impasse("harmonic-sphere(start=impasse)", 0.805848927512905541677);
  check_impasse("harmonic-sphere(start=impasse(energy=-0.1))", 0.902433725071429941583);
  check_refusals();
  return tap_done();
}

/*
 * Small clusters of rods solved in batches, against the general solver (linear=block on the system
 * without its declaration): the same motion to a few roundings for water alone, in a box and with
 * forces between molecules, and for clusters of many shapes, anchored ones and free points among
 * them. A molecule's motion does not depend, to the bit, on which others there are or in which
 * order. Failures are those of the cluster that fails.
 */
#include "tests/kit/stepping.h"

#include <shakedown/solve.h>

#include <unistd.h>

static void begin(struct shk_drive *d, struct shk_outcome *outcome, const char *problem,
                  const char *integrator, const char *step, bool declared)
{
  if (!begin_drive(d, outcome, problem, integrator, step, NULL)) {
    fprintf(stderr, "%s: %s\n", problem, outcome->reason);
    abort();
  }
  if (declared)
    return;
  d->bound.instance.system.rods = NULL;
  if (shk_bind_method(&d->bound).code != SHK_OK)
    abort();
}

static bool molecules(const char *problem)
{
  return strncmp(problem, "water", strlen("water")) == 0;
}

/* Both ways, `roundings` apart for a step of the largest coordinate or momentum. */
static void compare(const char *problem, const char *integrator, const char *step, long steps,
                    real roundings)
{
  struct shk_drive a, b;
  struct shk_outcome one, other;
  begin(&a, &one, problem, integrator, step, true);
  begin(&b, &other, problem, integrator, step, false);
  const bool ok = go_steps(&a, steps).code == SHK_OK && go_steps(&b, steps).code == SHK_OK;
  const int n = a.current.n, m = a.current.m;
  const real h = a.bound.step, unit = REAL_EPSILON * roundings;
  const real size_q = real_max_norm(b.current.q, n), size_p = real_max_norm(b.current.p, n);
  const real size_l = real_max(1, real_max_norm(b.current.lambda, m));
  const real q = largest_difference(a.current.q, b.current.q, n) / size_q;
  const real p = largest_difference(a.current.p, b.current.p, n) / size_p;
  const real l = largest_difference(a.current.lambda, b.current.lambda, m) / size_l * h;
  const real mu = largest_difference(a.current.mu, b.current.mu, m) / size_l * h;
  tap_diag("%s: q %g, p %g, lambda h %g, mu h %g eps; iterations %ld and %ld", problem,
           (double)(q / REAL_EPSILON), (double)(p / REAL_EPSILON), (double)(l / REAL_EPSILON),
           (double)(mu / REAL_EPSILON), a.bound.evaluator.work.iterations,
           b.bound.evaluator.work.iterations);
  tap_ok(ok, "%s, %s: solved either way", problem, integrator);
  tap_ok(q <= unit && p <= unit / h && l <= unit / h && mu <= unit / h,
         "%s, %s: the same motion as in general", problem, integrator);
  const int carried = carries(&a.current), plainly = carries(&b.current);
  tap_ok(4 * carried >= 3 * plainly && 4 * plainly >= 3 * carried && plainly > 0,
         "%s, %s: as much is carried (%d and %d)", problem, integrator, carried, plainly);
  const long more = a.bound.evaluator.work.iterations,
             in_general = b.bound.evaluator.work.iterations;
  tap_ok(as_many(more, in_general, steps) || (more < in_general && molecules(problem)),
         "%s, %s: as many iterations, or fewer by settle", problem, integrator);
  end_drive(&a, &one);
  end_drive(&b, &other);
}

/* ---- independence ---- */

enum { BOX = 5, SITES = 9, RODS = 3, STEPS = 60 };

struct molecule {
  real q[SITES], p[SITES], lambda[RODS];
};

static void put(struct shk_state *s, int at, const struct molecule *m)
{
  memcpy(s->q + SITES * at, m->q, sizeof m->q);
  memcpy(s->p + SITES * at, m->p, sizeof m->p);
  memcpy(s->lambda + RODS * at, m->lambda, sizeof m->lambda);
}

static void take(struct molecule *m, const struct shk_state *s, int at)
{
  memcpy(m->q, s->q + SITES * at, sizeof m->q);
  memcpy(m->p, s->p + SITES * at, sizeof m->p);
  memcpy(m->lambda, s->lambda + RODS * at, sizeof m->lambda);
}

/* The molecules that are named go STEPS steps together. */
static void move(struct molecule *to, const struct molecule *from, const int *which, int count,
                 const char *problem, const char *integrator)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  begin(&d, &outcome, problem, integrator, "0.0007", true);
  for (int i = 0; i < count; i++)
    put(&d.current, i, &from[which[i]]);
  if (d.current.n != SITES * count || go_steps(&d, STEPS).code != SHK_OK)
    abort();
  for (int i = 0; i < count; i++)
    take(&to[which[i]], &d.current, i);
}

static void independence(const char *integrator)
{
  static const int order[BOX] = {0, 1, 2, 3, 4}, other[BOX] = {3, 0, 4, 2, 1};
  struct molecule from[BOX], box[BOX], shuffled[BOX], pair[BOX], alone[BOX];
  DRIVE d = {0};
  OUTCOME outcome = {0};
  begin(&d, &outcome, "water-box(molecules=5,pairs=no)", integrator, "0.0007", true);
  for (int i = 0; i < BOX; i++)
    take(&from[i], &d.current, i);
  /* One that turns so fast that it takes more iterations than the others. */
  for (int k = 0; k < SITES; k++)
    from[1].p[k] *= 30;
  move(box, from, order, BOX, "water-box(molecules=5,pairs=no)", integrator);
  move(shuffled, from, other, BOX, "water-box(molecules=5,pairs=no)", integrator);
  for (int i = 0; i < BOX; i++) {
    const int both[2] = {i, (i + 1) % BOX};
    struct molecule kept[BOX];
    move(kept, from, both, 2, "water-box(molecules=2,pairs=no)", integrator);
    pair[i] = kept[i];
    move(alone, from, &i, 1, "water", integrator);
  }
  tap_ok(memcmp(box, shuffled, sizeof box) == 0, "%s: molecules in another order", integrator);
  tap_ok(memcmp(box, pair, sizeof box) == 0, "%s: molecules by twos", integrator);
  tap_ok(memcmp(box, alone, sizeof box) == 0, "%s: molecules alone", integrator);
}

/* ---- failures ---- */

enum spoilt { ONE_PLACE, IN_A_ROW, TOO_FAST };

/* A step of a box whose molecule 3 is spoilt. */
static struct shk_status fail(const char *integrator, bool declared, enum spoilt how, int *history)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  double residuals[64];
  begin(&d, &outcome, "water-box(molecules=6,pairs=no)", integrator, "0.001", declared);
  real *q = d.current.q + 3 * SITES;
  for (int k = 0; how != TOO_FAST && k < 3; k++) /* both hydrogens at one place, or all in a row */
    q[6 + k] = how == ONE_PLACE ? q[3 + k] : 2 * q[k] - q[3 + k];
  if (how == TOO_FAST) /* sideways: out of reach of any multiplier */
    d.current.p[3 * SITES + 3] = 1e6;
  const struct shk_status status = shk_drive_step(&d, d.bound.step);
  *history = shk_last_residuals(&d.bound.evaluator, residuals, 64);
  return status;
}

static void failures(void)
{
  static const char *const one = "rattle", *const block = "rattle(linear=block)";
  int history, others;
  char text[256];
  struct shk_status status = fail(one, true, IN_A_ROW, &history);
  struct shk_status general = fail(block, false, IN_A_ROW, &others);
  tap_ok(status.code == SHK_SINGULAR && general.code == SHK_SINGULAR,
         "a cluster singular but for round-off");
  status = fail(one, true, ONE_PLACE, &history);
  general = fail(block, false, ONE_PLACE, &others);
  tap_ok(status.code == SHK_SINGULAR && general.code == SHK_SINGULAR, "a singular cluster");
  shk_status_text(text, sizeof text, status);
  tap_ok(strstr(text, "molecule 4 ") != NULL, "... which is named: %s", text);
  status = fail(one, true, TOO_FAST, &history);
  shk_status_text(text, sizeof text, status);
  tap_ok(status.code == SHK_NOT_CONVERGED && history > 0 && strstr(text, "molecule 4 "),
         "a cluster without a solution: %s (%d residuals)", text, history);
  status = fail("rattle(solver=newton,iterations=1)", true, TOO_FAST, &history);
  shk_status_text(text, sizeof text, status);
  tap_ok(status.code == SHK_NOT_CONVERGED && history == 2 &&
             strstr(text, "met its limit of iterations"),
         "the limit of iterations: %s", text);
}

/* ---- shapes ---- */

/* In 3-D, or 2-D without z: a pair, a triangle of unlike masses, a tetrahedron or a braced square,
 * an anchored triangle, a bent pair of rods, a point by itself. */
static void write_shapes(const char *path, int dimension)
{
  static const double site[][3] = {
      {0, 0, 0},   {1, 0.1, 0},    {3, 0, 0},   {4, 0.2, 0.1}, {3.4, 1, 0},  {6, 0, 0},
      {7, 0, 0.2}, {6.2, 1, 0.1},  {7, 1, 0.9}, {9, 1, 0},     {10, 1.1, 0}, {12, 0, 0.3},
      {13, 0, 0},  {13.5, 1, 0.2}, {20, 3, 0},  {15, 0, 0},    {16, 1, 0},   {9, 0, 0}};
  static const int rod[][2] = {{0, 1},   {2, 3},   {3, 4},   {4, 2},  {5, 6},  {5, 7},
                               {7, 6},   {5, 8},   {8, 7},   {6, 8},  {9, 10}, {17, 9},
                               {10, 17}, {11, 12}, {12, 13}, {15, 16}};
  enum { SITE_COUNT = sizeof site / sizeof site[0], ROD_COUNT = sizeof rod / sizeof rod[0] };
  FILE *file = fopen(path, "w");
  if (!file)
    abort();
  fprintf(file, "gravity: [0.3, -1%s]\nparticles:\n", dimension == 3 ? ", 0.2" : "");
  for (int i = 0; i < SITE_COUNT; i++) {
    if (i == SITE_COUNT - 1)
      fprintf(file, "fixed:\n");
    fprintf(file, "  - {name: P%d, ", i);
    if (i < SITE_COUNT - 1)
      fprintf(file, "mass: %g, ", 1 + 0.25 * (i % 3));
    fprintf(file, "position: [%g, %g", site[i][0], site[i][1]);
    fprintf(file, dimension == 3 ? ", %g]}\n" : "]}\n", site[i][2]);
  }
  fprintf(file, "springs:\n  - {between: [P1, P2], stiffness: 5, length: 0.4}\n"
                "  - {between: [P4, P7], stiffness: 3, length: 1}\n"
                "  - {between: [P8, P14], stiffness: 1, length: 2}\nrods:\n");
  for (int i = 0; i < ROD_COUNT; i++) /* the sixth edge is one too many in the plane */
    if (dimension == 3 || i != 9)
      fprintf(file, "  - [P%d, P%d]\n", rod[i][0], rod[i][1]);
  fclose(file);
}

static void shapes(void)
{
  char folder[] = "/tmp/shakedown-clusters-XXXXXX";
  if (!mkdtemp(folder) || chdir(folder) != 0)
    abort();
  for (int dimension = 2; dimension <= 3; dimension++) {
    write_shapes("shapes.yaml", dimension);
    compare("particles(file=\"shapes.yaml\")", "rattle", "0.01", 100, 300);
    compare("particles(file=\"shapes.yaml\")", "shake", "0.01", 100, 300);
    unlink("shapes.yaml");
  }
  if (chdir("/") != 0 || rmdir(folder) != 0)
    abort();
}

int main(void)
{
  compare("water", "rattle", "0.0007", 200, 300);
  compare("water(field=3)", "shake", "0.0007", 200, 300);
  compare("water-box(molecules=7,pairs=no)", "rattle", "0.0007", 200, 300);
  compare("water-box(molecules=7,pairs=no)", "shake", "0.0007", 200, 300);
  compare("water-box(molecules=8,cutoff=0.3)", "rattle", "0.0007", 50, 300);
  compare("water-box(molecules=6,pairs=no)", "symplectic-euler-rattle", "0.0007", 100, 300);
  shapes();
  independence("rattle");
  independence("shake");
  independence("rattle(tolerance=1e-6)");
  failures();
  return tap_done();
}

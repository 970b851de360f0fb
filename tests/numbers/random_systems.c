/*
 * Random mechanisms: right derivatives, rank by Grübler's count, all types of joints. Random
 * systems: their sizes, consistent and well-conditioned starts, units that scale the motion
 * exactly; transformed problems: the motion of the problem itself, pulled back to its coordinates,
 * under an equivariant method; product systems.
 */
#include "mechanics/binding/real_text.h"
#include "mechanics/system/derivatives.h"
#include "mechanics/system/manifold.h"
#include "mechanics/system/state.h"
#include "tests/kit/driving.h"
#include "tests/kit/instance.h"
#include "tests/kit/registered.h"
#include <shakedown/bind.h>

/* ---- random systems ---- */

/* The least singular value over the largest, and the residuals, of a start; NaN if there is none. */
static void look_at_start(real *least, real *residual, struct bound_problem *b)
{
  struct shk_manifold *manifold;
  const int m = b->instance.system.m;
  real values[2 * 64];
  *least = *residual = REAL_PI - REAL_PI;
  if (m > 64 || shk_bind_manifold(&manifold, BINDING_OF(&b->evaluator)).code != SHK_OK)
    abort();
  if (shk_manifold_residuals(manifold, values, values + m, 0, b->q, b->p).code == SHK_OK)
    *residual = max_norm(values, 2 * m);
  if (shk_singular_values(values, &b->evaluator, 0, b->q, b->p).code == SHK_OK)
    *least = values[m - 1] / values[0];
}

static void check_size(const char *size, int least_n, int most_n, int most_m)
{
  int shapes_seen = 0, dimensions = 0;
  real worst = 0, singular = 1;
  bool in_range = true;
  for (int seed = 1; seed <= 40; seed++) {
    PROBLEM b = bind_or_stop("random-system(seed=%d,size=%s)", seed, size);
    const struct shk_system *s = &b->instance.system;
    real least, residual;
    look_at_start(&least, &residual, b);
    in_range = in_range && s->n >= least_n && s->n <= most_n && s->m >= 1 && s->m <= most_m &&
               s->m < s->n && b->instance.time_scale > 0 && b->instance.horizon > 0;
    worst = residual <= worst ? worst : residual;
    singular = least < singular ? least : singular;
    dimensions |= s->rods->dimension;
    shapes_seen |= 1 << (s->n - s->m) % 8;
  }
  tap_ok(in_range, "%s: %d to %d coordinates", size, least_n, most_n);
  tap_is_int(dimensions, 3, "in 2 and 3 dimensions");
  tap_ok((shapes_seen & (shapes_seen - 1)) != 0, "with various degrees of freedom");
  /* Distances and velocities are of order one to ten. */
  tap_is_near((double)worst, 0, (double)(100 * REAL_EPSILON), "on both constraints");
  tap_ok(singular > R(0.02), "far from singular: least singular value %.2g of the largest",
         (double)singular);
}

/* Powers of two scale everything exactly. */
static void check_units(const char *forces)
{
  int off = 0;
  for (int seed = 1; seed <= 20; seed++) {
    PROBLEM a = bind_or_stop("random-system(seed=%d,%s)", seed, forces);
    PROBLEM b = bind_or_stop("random-system(seed=%d,%s,length=4,mass=0.125,time=2)", seed, forces);
    const struct shk_system *s = &a->instance.system;
    real V[2];
    for (int i = 0; i < s->n; i++)
      off += b->q[i] != 4 * a->q[i] || b->p[i] != a->p[i] / 4 ||
             b->instance.system.mass[i] != s->mass[i] / 8;
    off += b->instance.time_scale != 2 * a->instance.time_scale;
    if (shk_hamiltonian(&a->evaluator, &V[0], 0, a->q, a->p).code != SHK_OK ||
        shk_hamiltonian(&b->evaluator, &V[1], 0, b->q, b->p).code != SHK_OK)
      abort();
    off += V[1] != V[0] / 2; /* 1/8 4²/2² */
  }
  tap_is_int(off, 0, "%s: units scale starts, masses, energies and times exactly", forces);
}

/* ---- random mechanisms ---- */

/* Counts the names of types that are new. */
static int count_types(const char **types, int count, const struct shk_joints *joints)
{
  for (int i = 0; i < joints->count; i++) {
    int at = 0;
    while (at < count && strcmp(types[at], joints->list[i].type) != 0)
      at++;
    if (at == count && count < 16)
      types[count++] = joints->list[i].type;
  }
  return count;
}

/* Rows are independent at a generic start, so that the rank is Grübler's. `wanted`: types of
 * joints. */
static void check_mechanisms(const char *with, int seeds, int wanted)
{
  const char *types[16];
  int wrong = 0, stiff = 0, count = 0;
  real worst = 0, singular = 1;
  for (int seed = 1; seed <= seeds; seed++) {
    PROBLEM b = bind_or_stop("random-mechanism(seed=%d,%s)", seed, with);
    struct shk_derivative_check checks[8];
    int checked = 0;
    real least, residual;
    look_at_start(&least, &residual, b);
    stiff += b->instance.system.n - b->instance.system.m < 2;
    worst = residual <= worst ? worst : residual;
    singular = least < singular ? least : singular;
    count = count_types(types, count, b->instance.joints);
    wrong += shk_check_derivatives(checks, &checked, &b->evaluator, 0, b->q, b->p).code != SHK_OK;
    for (int i = 0; i < checked; i++)
      wrong += !checks[i].holds;
    if (least < R(1e-4))
      tap_diag("seed %d: least singular value %.2g of the largest", seed, (double)least);
  }
  tap_is_int(wrong, 0, "%s: derivatives are right for %d seeds", with, seeds);
  tap_is_int(stiff, 0, "with two degrees of freedom at least");
  tap_is_near((double)worst, 0, (double)(1000 * REAL_EPSILON), "on both constraints");
  tap_ok(singular > R(1e-4), "the rank is Grübler's: least singular value %.2g of the largest",
         (double)singular);
  tap_ok(count >= wanted, "with %d types of joints: %d", wanted, count);
}

/* ---- transformed problems ---- */

/* How far `steps` steps of the transformed problem, pulled back, are from the problem's, relative to its
 * state; NaN if one of the two stopped. */
static real misfit(const char *problem, const char *options, const char *integrator, real step,
                   real time, long steps)
{
  char transformed[256], h[2][48];
  DRIVE plain = {0}, changed = {0};
  STATE back = {0};
  real worst = REAL_PI - REAL_PI;
  worst /= worst;
  snprintf(transformed, sizeof transformed, "transformed(%s,%s)", problem, options);
  shk_real_format(h[0], sizeof h[0], step);
  shk_real_format(h[1], sizeof h[1], step * time);
  if (begin_own(&plain, problem, integrator, h[0]) &&
      shk_state_init(&back, plain.current.n, plain.current.m) &&
      begin_own(&changed, transformed, integrator, h[1]) && advance(&plain, steps) &&
      advance(&changed, steps)) {
    const int n = back.n;
    const struct shk_instance *const instance = &changed.bound.instance;
    instance->change->state(instance->system.context, true, back.q, back.p, changed.current.q,
                            changed.current.p);
    real q = 0, p = 0;
    for (int i = 0; i < n; i++) {
      q = real_max(q, real_fabs(back.q[i] - plain.current.q[i]));
      p = real_max(p, real_fabs(back.p[i] - plain.current.p[i]));
    }
    worst = real_max(q / max_norm(plain.current.q, n), p / max_norm(plain.current.p, n));
  }
  return worst;
}

/* Steps from 0.01 τ: a rounding of q is up to 100 roundings of p, and grows to ten times that in as
 * many steps. */
static void check_changes(const char *problem, real time_scale)
{
  static const struct {
    const char *options;
    double time;
  } changes[] = {{"seed=1", 1},
                 {"seed=2,reorder=no,turn=no,rewrite=yes", 1},
                 {"seed=3,length=1e-3,mass=1e3,time=2,shift=1.5", 2}};
  for (size_t k = 0; k < sizeof changes / sizeof *changes; k++)
    tap_is_near((double)misfit(problem, changes[k].options, "rattle", time_scale / 100,
                               (real)changes[k].time, 5),
                0, (double)(20000 * REAL_EPSILON), "%s transformed(%s): the same motion", problem,
                changes[k].options);
}

/* Every regular problem that can be transformed, and these. */
static void check_all_changes(void)
{
  static const char *const variants[] = {"pendulum(angle=0.7,rate=1.1)",
                                         "chain(links=5,spring=2,start=zigzag)",
                                         "random-system(seed=7)", "random-system(seed=7,sways=yes)",
                                         "random-system(seed=2,size=small)"};
  static const struct left_out too_large[] = {
    {"water-box", "648 coordinates; water is its molecule"},
#if SHK_PRECISION == 128
    {"bricard", "the singular values that tell that it is redundant take minutes"},
#endif
    {NULL, NULL}
  };
  const unsigned never = SHK_MOMENTUM_CONSTRAINT | SHK_VELOCITY_CONSTRAINT | SHK_GENERAL_DAE;
  struct shk_inspection is;
  struct shk_message error;
  const char *name;
  check_left_out(too_large);
  for (int i = 0; (name = next_regular(&i, ~never, too_large, &is)) != NULL;)
    check_changes(name, (real)is.time_scale);
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
    if (tap_ok(shk_inspect_problem(&test_context, &is, variants[i], &error), "%s is known",
               variants[i]))
      check_changes(variants[i], (real)is.time_scale);
}

/* ---- product systems ---- */

/* Each goes as it does alone, and transformed: 5 steps, with roundings as above. */
static void check_products(void)
{
  static const char *const parts[][2] = {{"driven-pendulum", "rotating-hoop"},
                                         {"sundials-slider-crank", "manufactured"},
                                         {"charged-pendulum", "index-one"},
                                         {"slider-crank", "slider-crank(driven=no)"},
                                         {"sprung-pendulum", "random-system(seed=3,sways=yes)"}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
    DRIVE both = {0};
    char product[128];
    real worst = 0, size = 0;
    const bool fast = strncmp(parts[i][0], "slider", 6) == 0;
    const char *const step = fast ? "0.0001" : "0.01";
    snprintf(product, sizeof product, "product(%s,%s)", parts[i][0], parts[i][1]);
    bool ok = begin_own(&both, product, "rattle", step) && advance(&both, 5);
    for (int k = 0, at = 0; k < 2; k++) {
      DRIVE alone = {0};
      ok = begin_own(&alone, parts[i][k], "rattle", step) && advance(&alone, 5) && ok;
      for (int j = 0; ok && j < alone.current.n; j++, at++) {
        worst = real_max(worst, real_fabs(both.current.q[at] - alone.current.q[j]));
        worst = real_max(worst, real_fabs(both.current.p[at] - alone.current.p[j]));
        size = real_max(size, real_fabs(alone.current.p[j]));
        size = real_max(size, real_fabs(alone.current.q[j]));
      }
    }
    tap_ok(ok && worst <= 20000 * REAL_EPSILON * size, "%s: each as it does alone", product);
    tap_is_near((double)misfit(product, "seed=3,length=1e-3,mass=1e3,time=2,shift=1.5", "rattle",
                               fast ? R(0.0001) : R(0.01), 2, 5),
                0, (double)(20000 * REAL_EPSILON), "%s transformed: the same motion", product);
  }
  DRIVE none = {0};
  char reason[256];
  tap_ok(begin_at(&none, reason, "product(pendulum,charged-pendulum)", "rattle", "0.01", NULL, NULL,
                  false) == SHK_BAD_INPUT,
         "no pair of T(p) + V(q) with H(q,p)");
}

/* Positions and directions keep their groups, also beside a problem whose coordinates are alike. */
static void check_groups(const char *problem)
{
  DRIVE d = {0};
  char text[160];
  real q[64] = {0}, p[64] = {0}, out_q[64], out_p[64];
  snprintf(text, sizeof text, "transformed(%s,seed=3)", problem);
  const bool ok = begin_own(&d, text, "rattle", "0.01") && d.current.n <= 64;
  const int *const units = ok ? d.bound.instance.system.units : NULL;
  int wrong = 0, positions = 0;
  for (int i = 0; units && i < 12; i++) /* of the first body */
    q[i] = i < 3;
  if (units)
    d.bound.instance.change->state(d.bound.instance.system.context, false, out_q, out_p, q, p);
  for (int i = 0; units && i < d.current.n; i++) {
    wrong += out_q[i] != 0 && units[i] != 0;
    positions += units[i] == 0;
  }
  tap_ok(units && wrong == 0 && positions == 9, "%s: positions are of group 0: %d", text,
         positions);
  tap_ok(!d.bound.instance.joints,
         "%s: joints, which are told in the problem's own coordinates, are not passed on", text);
}

int main(void)
{
  const bool in_quad = SHK_PRECISION == 128;
  check_size("small", 3, 6, 4);
  check_size("medium", 8, 18, 12);
  check_size("medium,shape=anchored", 8, 18, 12);
  check_size("medium,pairs=yes", 8, 18, 12);
  check_units("pairs=no");
  check_units("pairs=yes");
  check_mechanisms("bodies=1,loops=0", 20, 1);
  check_mechanisms("bodies=2,loops=1", in_quad ? 10 : 200, in_quad ? 1 : 9);
  check_mechanisms("bodies=3,loops=1", in_quad ? 10 : 200, in_quad ? 1 : 9);
  check_mechanisms("bodies=4,loops=2", in_quad ? 3 : 200, in_quad ? 1 : 9);
  check_mechanisms("shape=pendulum", in_quad ? 10 : 200, 1);
  check_mechanisms("shape=four-bar", in_quad ? 10 : 200, 2);
  check_groups("random-mechanism");
  check_groups("product(random-mechanism,double-pendulum)");
  check_all_changes();
  check_products();
  return tap_done();
}

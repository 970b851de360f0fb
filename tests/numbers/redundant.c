/*
 * Redundant constraints, with svd and qr: the motion is that of the reduced system to round-off,
 * the multipliers are not unique and each strategy's are what it says, and what they do, Gᵀλ and
 * with it the acceleration, is the same in all of them.
 *
 *     svd  the multipliers of least Σ d_i² λ_i², d_i the length of row i of G M^(-1/2): they have
 *          no part along the null vector n of Gᵀ in that scaling, Σ d_i² λ_i n_i = 0
 *     qr   zero on the rows that are dropped
 */
#include "mechanics/system/state.h"
#include "tests/kit/driving.h"
#include "tests/kit/registered.h"

enum { MOST = 16, STEPS = 100 };

/* Two systems of the same motion: the first with more rows than it needs. */
struct pair {
  const char *redundant, *reduced, *step;
  int rows, rank;
  real rounding; /* how far apart round-off takes the two in the run, over eps and the size of the
                    state, */
};

static const struct pair pairs[] = {
    {"beads-on-line(redundant=yes)", "beads-on-line(redundant=no)", "0.01", 3, 2, 2000},
    {"duplicate(sprung-pendulum,row=1)", "sprung-pendulum", "0.01", 2, 1, 2000},
    {"duplicate(double-pendulum,row=2)", "double-pendulum", "0.01", 3, 2, 2000},
    {"duplicate(car-axis,row=2)", "car-axis", "1e-4", 3, 2, 100},
    /* General H, with an H_pp of its own; M(q); forces over a constant mass. */
    {"duplicate(index-one)", "index-one", "0.01", 2, 1, 100},
    {"duplicate(andrews,row=1)", "andrews", "1e-5", 7, 6, 100},
    {"duplicate(manufactured)", "manufactured", "0.01", 2, 1, 100},
};

/* Methods with the option `linear` that are not tried. */
static const struct left_out not_compared[] = {
    {"projection-adaptive", "its multipliers are those of a state, not of a step"}, {NULL, NULL}};

/* force <- -Gᵀ lambda at the state before the last step, where lambda acted. */
static void constraint_force(struct shk_drive *d, const struct shk_state *at, const real *lambda,
                             real *values, real *force)
{
  struct shk_evaluator *e = &d->bound.observer;
  for (int i = 0; i < at->n; i++)
    force[i] = 0;
  shk_jacobian(e, values, at->t, at->q);
  shk_jacobian_transposed_add(e, force, values, -1, lambda);
}

static real distance(const real *a, const real *b, int n)
{
  real worst = 0;
  for (int i = 0; i < n; i++) {
    const real here = real_fabs(a[i] - b[i]);
    worst = here <= worst ? worst : here; /* keeps a NaN */
  }
  return worst;
}

/* Goes STEPS steps; then the last step's lambda, and the state before that step. */
static bool run(struct shk_drive *d, struct shk_state *before, const char *problem,
                const char *integrator, const char *step)
{
  if (!begin_own(d, problem, integrator, step) ||
      !shk_state_init(before, d->current.n, d->current.m) || !advance(d, STEPS))
    return false;
  shk_state_copy(before, &d->current);
  return advance(d, 1);
}

/* Σ d_i² λ_i n_i over the size of its terms, with n from the dependence of the rows of G at `at`:
 * the null vector of Gᵀ (of one dimension), by elimination of G Gᵀ. */
static real along_null(struct shk_drive *d, const struct shk_state *at, const real *lambda,
                       const real *values)
{
  const struct shk_evaluator *e = &d->bound.observer;
  const int n = at->n, m = at->m;
  real rows[MOST][MOST], combination[MOST][MOST];
  for (int i = 0; i < m; i++) {
    for (int j = 0; j < n; j++)
      rows[i][j] = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      rows[i][e->columns[k]] = values[k];
    for (int j = 0; j < m; j++)
      combination[i][j] = i == j;
  }
  /* Gram-Schmidt without normalization: the row that is left with nothing has the null vector. */
  int dependent = 0;
  real least = INFINITY;
  for (int i = 0; i < m; i++) {
    for (int pass = 0; pass < 2; pass++)
      for (int k = 0; k < i; k++) {
        real dot = 0, square = 0;
        for (int j = 0; j < n; j++) {
          dot += rows[i][j] * rows[k][j];
          square += rows[k][j] * rows[k][j];
        }
        for (int j = 0; j < n; j++)
          rows[i][j] -= dot / square * rows[k][j];
        for (int j = 0; j < m; j++)
          combination[i][j] -= dot / square * combination[k][j];
      }
    real square = 0;
    for (int j = 0; j < n; j++)
      square += rows[i][j] * rows[i][j];
    if (square < least) {
      least = square;
      dependent = i;
    }
  }
  real sum = 0, size = 0;
  for (int i = 0; i < m; i++) {
    real length = 0;
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
      length +=
          values[k] * values[k] /
          (e->system->features & SHK_GENERAL_HAMILTONIAN ? 1 : e->system->mass[e->columns[k]]);
    const real term = length * lambda[i] * combination[dependent][i];
    sum += term;
    size += real_fabs(term);
  }
  return size > 0 ? real_fabs(sum) / size : 0;
}

static void compare(const struct pair *pair, const char *method, const char *strategy)
{
  const real eps = REAL_EPSILON;
  char integrator[DRIVING_TEXT];
  DRIVE full = {0}, reduced = {0};
  STATE before = {0}, before_reduced = {0};
  real values[MOST * MOST], values_reduced[MOST * MOST], force[MOST], force_reduced[MOST];
  const bool options = strchr(method, '(') != NULL;
  snprintf(integrator, sizeof integrator, "%s%s", method, options ? ")" : "");
  const bool ran = run(&reduced, &before_reduced, pair->reduced, integrator, pair->step);
  snprintf(integrator, sizeof integrator, "%s%clinear=%s)", method, options ? ',' : '(', strategy);
  const bool went = run(&full, &before, pair->redundant, integrator, pair->step) & ran;
  tap_ok(went && before.m == pair->rows && before_reduced.m == pair->rank,
         "%s, %s: both systems run", pair->redundant, integrator);
  if (went) {
    const real apart = difference(&full.current, &reduced.current);
    const real size = real_max(1, real_max(real_max_norm(reduced.current.q, before.n),
                                           real_max_norm(reduced.current.p, before.n)));
    tap_ok(apart < pair->rounding * eps * size,
           "%s, %s: q and p are those of the reduced system (%.1g eps)", pair->redundant,
           integrator, (double)(apart / (eps * size)));
    /* A solved multiplier carries a few eps/h² of round-off, and so does the force. */
    const real h = full.bound.step;
    constraint_force(&full, &before, full.current.lambda, values, force);
    constraint_force(&reduced, &before_reduced, reduced.current.lambda, values_reduced,
                     force_reduced);
    const real off = distance(force, force_reduced, before.n) * h * h;
    tap_ok(off < pair->rounding * eps * size,
           "%s, %s: G^T lambda and the acceleration are too (%.1g eps/h^2)", pair->redundant,
           integrator, (double)(off / (eps * size)));
    int zeros = 0;
    for (int i = 0; i < before.m; i++)
      zeros += full.current.lambda[i] == 0;
    const real along = along_null(&full, &before, full.current.lambda, values);
    if (strategy[0] == 'q')
      tap_ok(zeros == pair->rows - pair->rank && along > R(0.1),
             "%s, %s: lambda is zero on what was dropped, and not the shortest (%d, %.1g)",
             pair->redundant, integrator, zeros, (double)along);
    else
      tap_ok(zeros == 0 && along * h * h < 1000 * eps,
             "%s, %s: lambda is the shortest in the scaling of the rows (%.1g)", pair->redundant,
             integrator, (double)along);
  }
}

/* method: without the option `linear`. */
static void compare_both(const struct pair *pair, const char *method)
{
  compare(pair, method, "svd");
  compare(pair, method, "qr");
}

/* ---- what only looks redundant ---- */

static struct shk_system whole;

/* The last constraint off by what no rounding explains, with the gradient that it had. */
static int contradict(const void *context, real *g, real t, const real *q)
{
  const int code = whole.constraint(context, g, t, q);
  g[whole.m - 1] += R(1e-6);
  return code;
}

/* Rows of equal gradients whose constraints exclude each other from some time on: what was dropped
 * does not hold, which is no step. */
static void refuse_contradiction(const char *problem, const char *integrator)
{
  DRIVE d = {0};
  char text[256] = "";
  if (begin_at(&d, text, problem, integrator, "0.01", NULL, NULL, false) == SHK_OK &&
      advance(&d, 3)) {
    whole = d.bound.instance.system;
    d.bound.instance.system.constraint = contradict;
    const struct shk_status status = shk_drive_step(&d, d.current.t + d.bound.step);
    shk_status_text(text, sizeof text, status);
    tap_ok(status.code == SHK_NOT_CONVERGED, "%s, %s: rows that contradict are not passed over",
           problem, integrator);
    tap_diag("%s", text);
  } else {
    tap_ok(false, "%s, %s runs: %s", problem, integrator, text);
  }
}

int main(void)
{
  refuse_contradiction("duplicate(double-pendulum,row=2)", "rattle(linear=qr)");
  refuse_contradiction("duplicate(double-pendulum,row=2)", "rattle(linear=svd)");
  refuse_contradiction("duplicate(index-one)", "rattle(linear=qr)");
  refuse_contradiction("duplicate(index-one)", "rattle(linear=svd)");
  refuse_contradiction("duplicate(index-one)", "symplectic-euler-rattle(linear=qr)");
  check_left_out(not_compared);
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    const struct shk_integrator_info *info;
    struct shk_claims claims;
    struct shk_inspection is;
    struct shk_message error;
    if (!tap_ok(shk_inspect_problem(&test_context, &is, pairs[i].reduced, &error), "%s is made",
                pairs[i].reduced))
      continue;
    for (int k = 0; (info = next_integrator(&k, not_compared, &claims)) != NULL;)
      if (choices_of(info, "linear") && (is.features & ~info->supports) == 0)
        compare_both(&pairs[i], info->name);
    compare_both(&pairs[i], "rattle(flow=midpoint");
  }
  return tap_done();
}

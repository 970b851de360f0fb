/*
 * Integrators on constraints that depend on time, on generalized forces and on a mass matrix that
 * depends on q: every order that is claimed, against solutions that are known because the forces
 * were made for them (tests/plugins/forced.c); constraints kept at the right time; symmetry, which
 * forces leave alone; symplecticity, which moving constraints leave alone; and refusals.
 */
#include "engine/bind.h"
#include "engine/cells/cells.h"
#include "tests/kit/orders.h"
#include "tests/kit/registered.h"
#include "tests/kit/stepping.h"
#include "tests/kit/test_plugin.h"

#define PIVOT "moving-pivot"
#define FREE_PIVOT "moving-pivot(forced=no)"
#define ARM "driven-arm"

enum { STEPS = 2 };

/* Halvings of steps that divide both sample times. */
static const char *const coarse[STEPS] = {"0.032", "0.016"};
static const char *const fine[STEPS] = {"0.01", "0.005"};

static void reference_of(struct shk_outcome *outcome, const char *problem)
{
  const bool is_known = strcmp(problem, FREE_PIVOT) != 0;
  order_run(outcome, problem, is_known ? "exact" : "reference", NULL,
            SHK_PRECISION == 64 ? "1e-13" : "1e-28");
  if (outcome->code != SHK_OK)
    tap_diag("%s has no reference: %s", problem, outcome->reason);
}

/* ---- orders ---- */

/* The order of each block that the integrator claims one of. */
static void judge_orders(const char *problem, const char *integrator, const char *const *steps,
                         const struct shk_outcome *reference)
{
  struct order_measured claims[ORDER_BLOCKS];
  struct shk_outcome runs[STEPS];
  if (!tap_ok(order_claims(claims, integrator), "%s is known", integrator))
    return;
  bool ok = true;
  for (int i = 0; i < STEPS; i++) {
    order_run(&runs[i], problem, integrator, steps[i], NULL);
    if (runs[i].code != SHK_OK)
      tap_diag("%s on %s at %s: %s", integrator, problem, steps[i], runs[i].reason);
    ok = ok && runs[i].code == SHK_OK;
  }
  tap_ok(ok, "%s runs on %s", integrator, problem);
  for (int k = 0; ok && k < ORDER_BLOCKS; k++) {
    if (claims[k].claimed == SHK_NO_ORDER)
      continue;
    double error[STEPS];
    for (int i = 0; i < STEPS; i++)
      error[i] = order_error(&runs[i], reference, claims[k].block);
    const double order = log2(error[STEPS - 2] / error[STEPS - 1]);
    /* In double precision the errors of high orders are at round-off. */
    if (SHK_PRECISION == 64 && error[STEPS - 1] < 1e-11)
      continue;
    tap_ok(fabs(order - claims[k].claimed) < 0.15, "%s, %s: %s of order %.2f, claimed %d (%.1e)",
           problem, integrator, claims[k].block, order, claims[k].claimed, error[STEPS - 1]);
  }
  for (int i = 0; i < STEPS; i++)
    shk_outcome_clear(&runs[i]);
}

/* Beside every integrator at its defaults. What claims orders up to 2 shows them as well in double
 * precision, which is quicker; in quad RATTLE alone stands for it. */
static const char *const variants[] = {
    "shake(flow=symplectic-euler)",
    "rattle(flow=symplectic-euler)",
    "shake(flow=symplectic-euler-adjoint)",
    "rattle(flow=symplectic-euler-adjoint)",
    "shake(flow=midpoint)",
    "rattle(flow=midpoint)",
    "rattle(flow=gauss(stages=3))",
    "rattle(flow=composition)",
    "rattle(flow=composition(scheme=suzuki4,base=midpoint))",
    "projection(base=midpoint,symmetric=yes)",
    "spark(stages=3)",
    "spark(stages=4)",
    "composition(scheme=yoshida6)",
    "projection(base=rk3)",
    "projection(onto=position)",
    "projection(onto=none)",
    "projection(base=gauss(stages=2))",
    "baumgarte(alpha=3,beta=3)",
    /* Constant masses only. */
    "variational(lagrangian=trapezoidal)",
    /* And no forces. */
    "shake-minimal-displacement(direction=trial)",
    "shake(solver=gauss-seidel)",
    "rattle(solver=gauss-seidel)",
    "rattle(solver=simplified-newton)",
};

static const struct left_out not_judged[] = {
    {"penalty", "it solves stiffer equations: test_penalty"},
    {"baumgarte", "these steps are long for its damping of 10: among the variants with 3"},
    {NULL, NULL}};

static int highest_claim(const struct shk_claims *c)
{
  return c->order_q > c->order_p ? c->order_q : c->order_p;
}

/* Whether a method's claimed orders take small steps to show. */
static bool is_slow(const char *integrator, const struct shk_claims *claims)
{
  return highest_claim(claims) <= 1 || is_of(integrator, "shake-minimal-displacement") ||
         is_of(integrator, "verlet-projected") || strstr(integrator, "euler");
}

static bool is_refused(const char *problem, const char *integrator)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  begin_drive(&d, &outcome, problem, integrator, "0.01", NULL);
  const bool refused = outcome.code == SHK_REFUSED;
  return refused;
}

/* Whether it was judged: it applies, and to see its orders takes this precision. */
static bool judge(const char *problem, const char *integrator, const struct shk_outcome *reference)
{
  struct shk_claims claims;
  struct shk_message error;
  if (!tap_ok(shk_bind_claims(&test_context, &claims, integrator, &error), "%s is known",
              integrator) ||
      (SHK_PRECISION == 128 && highest_claim(&claims) <= 2 && strcmp(integrator, "rattle") != 0) ||
      is_refused(problem, integrator))
    return false;
  judge_orders(problem, integrator, is_slow(integrator, &claims) ? fine : coarse, reference);
  return true;
}

/* least: so many are judged. */
static void judge_all(const char *problem, int least)
{
  OUTCOME reference = {0};
  const struct shk_integrator_info *info;
  struct shk_claims claims;
  int count = 0;
  reference_of(&reference, problem);
  for (int i = 0; (info = next_integrator(&i, not_judged, &claims)) != NULL;)
    if (!info->adaptive && !info->exact)
      count += judge(problem, info->name, &reference);
  for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
    count += judge(problem, variants[i], &reference);
  tap_ok(count >= least, "%s: %d integrators are judged", problem, count);
}

/* ---- solvers driven by a tolerance ---- */

static void judge_tolerance(const char *problem, const char *integrator, const char *tolerance,
                            double allowed)
{
  struct shk_outcome reference, run;
  reference_of(&reference, problem);
  order_run(&run, problem, integrator, NULL, tolerance);
  if (run.code != SHK_OK)
    tap_diag("%s: %s", integrator, run.reason);
  const double error = fmax(order_error(&run, &reference, "q"), order_error(&run, &reference, "p"));
  tap_ok(error <= allowed, "%s, %s at %s: error %.2g", problem, integrator, tolerance, error);
  shk_outcome_clear(&reference);
  shk_outcome_clear(&run);
}

static void test_tolerances(const char *problem)
{
  judge_tolerance(problem, "reference", SHK_PRECISION == 64 ? "1e-12" : "1e-28",
                  SHK_PRECISION == 64 ? 1e-11 : 1e-26);
  judge_tolerance(problem, "adaptive(base=spark(stages=3))", "1e-8", 1e-6);
  judge_tolerance(problem, "adaptive(control=reversible)", "1e-7", 1e-3);
  if (SHK_PRECISION == 64)
    judge_tolerance(problem, "projection-adaptive", "1e-10", 1e-8);
}

/* ---- penalty ---- */

/* Two discretizations of the same stiff equations: what Störmer-Verlet is away from a method of
 * order 8 falls with the square of the step. */
static void test_penalty(const char *problem, const char *options)
{
  char spec[128], base[128];
  struct shk_outcome reference, runs[2];
  snprintf(spec, sizeof spec, "penalty(stiffness=200%s)", options);
  snprintf(base, sizeof base, "penalty(stiffness=200%s,base=rk8)", options);
  order_run(&reference, problem, base, "0.004", NULL);
  order_run(&runs[0], problem, spec, "0.008", NULL);
  order_run(&runs[1], problem, spec, "0.004", NULL);
  const char *const blocks[] = {"q", "p"};
  for (int k = 0; k < 2; k++) {
    const double coarser = order_error(&runs[0], &reference, blocks[k]);
    const double finer = order_error(&runs[1], &reference, blocks[k]);
    tap_ok(fabs(log2(coarser / finer) - 2) < 0.1, "%s, %s: %s of order %.2f (%.1e)", problem, spec,
           blocks[k], log2(coarser / finer), finer);
  }
  shk_outcome_clear(&reference);
  shk_outcome_clear(&runs[0]);
  shk_outcome_clear(&runs[1]);
}

/* ---- structure ---- */

/* g and G H_p + g_t at the time of the state, to round-off. */
static void test_kept(const char *problem, const char *integrator)
{
  const struct extremes most = extremes_of(problem, integrator, "0.05", 40);
  tap_ok(most.constraint < 20 * REAL_EPSILON && most.hidden < 50 * REAL_EPSILON,
         "%s, %s: g %.0f eps, G H_p + g_t %.0f eps", problem, integrator,
         (double)(most.constraint / REAL_EPSILON), (double)(most.hidden / REAL_EPSILON));
}

/* Psi_{-h} Psi_h = id, in time as well: forces do not spoil it. */
static void test_symmetric(const char *problem, const char *integrator, bool is_symmetric)
{
  const real defect = asymmetry(problem, integrator, "0.05", 3);
  tap_ok(is_symmetric ? defect < 1000 * REAL_EPSILON : defect > R(1e-7),
         "%s, %s: there and back %.2g%s", problem, integrator, (double)defect,
         is_symmetric ? "" : ", which is not symmetric");
}

static double structure(const char *kind, const char *problem, const char *integrator)
{
  OUTCOME outcome = {0};
  char name[64];
  const struct shk_cell cell = {.kind = (char *)kind,
                                .problem = (char *)problem,
                                .integrator = (char *)integrator,
                                .precision = (char *)SHK_ENGINE.precision,
                                .step = (char *)"0.05"};
  shk_structure_cell(&test_context, &outcome, &cell);
  snprintf(name, sizeof name, "%s-defect", kind);
  const double defect = shk_outcome_scalar(&outcome, name);
  snprintf(name, sizeof name, "%s-floor", kind);
  const double floor = shk_outcome_scalar(&outcome, name);
  if (outcome.code != SHK_OK)
    tap_diag("%s: %s", integrator, outcome.reason);
  return defect / floor;
}

static void test_symplectic(const char *integrator, bool on_fibres, bool is_symplectic)
{
  const char *const kind = on_fibres ? "presymplecticity" : "symplecticity";
  static const char *const problems[] = {FREE_PIVOT, "driven-spherical-pendulum"};
  for (int k = 0; k < 2; k++) {
    const double ratio = structure(kind, problems[k], integrator);
    /* In double precision differences see no more than gross violations. */
    tap_ok(is_symplectic ? ratio < 1e3 : ratio > (SHK_PRECISION == 64 ? 10 : 1e6),
           "%s from one moving manifold to the next on %s: %s defect %.2g floors%s", integrator,
           problems[k], kind, ratio, is_symplectic ? "" : ", as it is not");
  }
}

static void test_structure(void)
{
  static const char *const symmetric[] = {"rattle", "rattle(flow=midpoint)", "spark(stages=3)",
                                          "composition", "projection(base=midpoint,symmetric=yes)"};
  const char *const problems[] = {PIVOT, FREE_PIVOT, ARM};
  for (int k = 0; k < 3; k++) {
    for (size_t i = 0; i < sizeof symmetric / sizeof symmetric[0]; i++) {
      test_kept(problems[k], symmetric[i]);
      test_symmetric(problems[k], symmetric[i], true);
    }
    test_kept(problems[k], "symplectic-euler-rattle");
    test_kept(problems[k], "projection");
    test_symmetric(problems[k], "symplectic-euler-rattle", false);
    const double fibre = structure("fibre", problems[k], "shake");
    tap_ok(fibre < 1e3, "%s: SHAKE is RATTLE along the fibres (%.2g floors)", problems[k], fibre);
  }
  test_kept(PIVOT, "variational");
  test_symmetric(PIVOT, "variational", true);
  test_symmetric(PIVOT, "penalty(stiffness=100)", true);
  test_symmetric(PIVOT, "penalty(stiffness=100,damping=2)", true);
  test_kept(FREE_PIVOT, "verlet-projected");
  test_symplectic("rattle", false, true);
  test_symplectic("rattle", true, true);
  test_symplectic("shake", true, true);
  test_symplectic("symplectic-euler-rattle", false, true);
  test_symplectic("rattle(flow=gauss(stages=2))", false, true);
  test_symplectic("spark(stages=3)", false, true);
  test_symplectic("variational", false, true);
  test_symplectic("verlet-projected", false, false);
  test_symplectic("projection(base=rk3)", false, false);
}

/* ---- what does not apply ---- */

static void test_refused(const char *problem, const char *integrator, const char *why)
{
  DRIVE d = {0};
  OUTCOME outcome = {0};
  begin_drive(&d, &outcome, problem, integrator, "0.01", NULL);
  tap_ok(outcome.code == SHK_REFUSED && strstr(outcome.reason, why), "%s is refused on %s: %s",
         integrator, problem, outcome.reason);
}

static void test_refusals(void)
{
  test_refused(PIVOT, "shake-position-only", "forces without a potential");
  test_refused(PIVOT, "verlet-projected", "forces without a potential");
  test_refused(PIVOT, "rattle(solver=gauss-seidel)", "solver=newton");
  test_refused(ARM, "variational", "Hamiltonian");
  test_refused(ARM, "penalty", "other bases");
}

int main(void)
{
  if (load_test_plugin("SHAKEDOWN_FORCED")) {
    check_left_out(not_judged);
    judge_all(PIVOT, SHK_PRECISION == 64 ? 27 : 11);
    judge_all(ARM, SHK_PRECISION == 64 ? 25 : 11);
    if (SHK_PRECISION == 64)
      judge_all(FREE_PIVOT, 34);
    test_tolerances(PIVOT);
    test_tolerances(ARM);
    test_penalty(PIVOT, "");
    test_penalty(PIVOT, ",damping=3");
    test_penalty(FREE_PIVOT, ",damping=3");
    test_structure();
    test_refusals();
  }
  return tap_done();
}

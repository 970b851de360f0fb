/*
 * The flows under SHAKE and RATTLE: each flow's own order without constraints, each against an
 * independent implementation or an identity that it must satisfy.
 */
#include "integrators/kit/flow.h"
#include "mechanics/binding/binding.h"
#include "tests/kit/driving.h"
#include "tests/kit/registered.h"
#include "tests/kit/stepping.h"

/* Each with its order without constraints. */
static const char *const flows[] = {"verlet",
                                    "symplectic-euler",
                                    "symplectic-euler-adjoint",
                                    "midpoint",
                                    "gauss(stages=1)",
                                    "gauss(stages=2)",
                                    "gauss(stages=3)",
                                    "gauss(stages=4)",
                                    "composition",
                                    "composition(base=midpoint)",
                                    "composition(scheme=triple-jump)",
                                    "composition(scheme=kahan-li6,base=midpoint)",
                                    "composition(scheme=yoshida6)",
                                    "composition(scheme=kahan-li6)",
                                    "composition(scheme=suzuki-umeno8)",
                                    "composition(scheme=kahan-li8,base=midpoint)",
                                    "composition(scheme=kahan-li8)",
                                    "composition(scheme=sofroniou-spaletta10)",
                                    "one-step(euler)",
                                    "one-step(rk8)",
                                    "integrator(composition)",
                                    "integrator(projection(base=rk4))"};
static const int flow_orders[] = {2, 1, 1, 2, 2, 4, 6,  8, 4, 4, 4,
                                  6, 6, 6, 8, 8, 8, 10, 1, 8, 4, 4};
static const struct left_out tried_elsewhere[] = {
    {"one-step",
     "two are here; that all of them are what they say is tried as bases of projection"},
    {NULL, NULL}};
enum { FLOWS = sizeof flows / sizeof flows[0], LONGEST = 96 };

/* ---- cells ---- */

static bool advance_by(struct shk_drive *d, long steps, real h)
{
  d->bound.step = h;
  return advance(d, steps);
}

static void over(char *text, const char *method, const char *flow)
{
  snprintf(text, LONGEST, "%s(flow=%s)", method, flow);
}

/* What is bound as a part of a method, and freed with it. */
static struct shk_binding beside(struct shk_bound *bound, bool ok)
{
  return (struct shk_binding){.struct_size = sizeof(struct shk_binding),
                              .instance = &bound->instance,
                              .evaluator = &bound->evaluator,
                              .options = bound->options,
                              .workspace = ok ? shk_workspace_of(bound->method) : NULL};
}

/* ---- the flows themselves, without constraints ---- */

/* The state that `count` steps of the flow lead to from the problem's start in a time h. */
static bool flow_end(real *z, const char *flow, const char *problem, real h, int count)
{
  char integrator[LONGEST];
  DRIVE d = {0};
  struct shk_flow *bound_flow = NULL;
  over(integrator, "rattle", flow);
  bool ok = begin_or_tell(&d, problem, integrator, "0.1");
  const struct shk_binding binding = beside(&d.bound, ok);
  ok = ok && shk_bind_flow(&bound_flow, &binding).code == SHK_OK;
  const int n = ok ? d.current.n : 0;
  real dq[8], dp[8];
  for (int k = 0; ok && k < count; k++) {
    memset(dq, 0, sizeof dq);
    memset(dp, 0, sizeof dp);
    ok =
        shk_flow_step(bound_flow, &(struct shk_flow_task){0, h / count, &d.current, dq, dp}).code ==
        SHK_OK;
    for (int i = 0; i < n; i++) {
      real_accumulate(&d.current.q[i], &d.current.q_carry[i], dq[i]);
      real_accumulate(&d.current.p[i], &d.current.p_carry[i], dp[i]);
    }
  }
  for (int i = 0; i < n; i++) {
    z[i] = d.current.q[i];
    z[n + i] = d.current.p[i];
  }
  return ok;
}

/* Over a fixed time, with n steps and with 2n, against many steps of the highest order. */
static void check_flow_orders(const char *problem, int n)
{
  real exact[16], coarse[16], fine[16];
  const real time = R(0.4);
  if (!tap_ok(flow_end(exact, "gauss(stages=4)", problem, time, 128), "%s: free motion", problem))
    return;
  for (int i = 0; i < FLOWS; i++) {
    if (SHK_PRECISION == 64 && flow_orders[i] > 4)
      continue; /* round-off comes first */
    const bool ok =
        flow_end(coarse, flows[i], problem, time, 8) && flow_end(fine, flows[i], problem, time, 16);
    const real ratio =
        largest_difference(coarse, exact, 2 * n) / largest_difference(fine, exact, 2 * n);
    const double order = ok ? log2((double)ratio) : NAN;
    tap_is_near(order, flow_orders[i], 0.3, "%s without constraint: order of %s", problem,
                flows[i]);
  }
}

/* ---- identities ---- */

/* other_{-h} ∘ one_h = id. */
static void check_undone(const char *problem, const char *one, const char *other, bool expected)
{
  DRIVE a = {0}, b = {0};
  char first[LONGEST], second[LONGEST];
  over(first, "rattle", one);
  over(second, "rattle", other);
  bool ok = begin_or_tell(&a, problem, first, "0.05") & begin_or_tell(&b, problem, second, "0.05");
  ok = ok && advance_by(&a, 20, R(0.05));
  if (ok)
    shk_state_copy(&b.current, &a.current);
  ok = ok && advance_by(&b, 20, R(-0.05));
  const real back = ok ? difference(&b.current, &b.bound.start) / REAL_EPSILON : 0;
  tap_ok(ok && (expected ? back <= 1000 : back > 1000000), "%s: %s backwards %s %s: %.3g eps",
         problem, second, expected ? "undoes" : "does not undo", first, (double)back);
}

/* Π∘S^k = R^k: for constraints g(q) the positions are the same. */
static void check_fibre(const char *problem, const char *flow)
{
  DRIVE a = {0}, b = {0};
  char first[LONGEST], second[LONGEST];
  over(first, "shake", flow);
  over(second, "rattle", flow);
  bool ok =
      begin_or_tell(&a, problem, first, "0.02") & begin_or_tell(&b, problem, second, "0.02") &&
      advance_by(&a, 100, R(0.02)) && advance_by(&b, 100, R(0.02));
  const real q = ok ? largest_difference(a.current.q, b.current.q, a.current.n) / REAL_EPSILON : 0;
  const real p = ok ? largest_difference(a.current.p, b.current.p, a.current.n) : 0;
  ok = ok &&
       shk_manifold_project(a.bound.manifold, a.current.q, a.current.p, a.current.t).code == SHK_OK;
  const real slid = ok ? difference(&a.current, &b.current) / REAL_EPSILON : 0;
  tap_ok(ok && q <= 500 && p > R(1e-6) && slid <= 2000,
         "%s: shake and rattle over %s differ along the fibre only: q %.0f eps, slid %.0f eps",
         problem, flow, (double)q, (double)slid);
}

static void check_refusals(void)
{
  static const char *const refused[] = {"rattle(flow=midpoint,solver=gauss-seidel)",
                                        "shake(flow=gauss,solver=linearized)",
                                        "rattle(flow=composition,solver=simplified-newton)",
                                        "rattle(flow=composition,linear=tikhonov)",
                                        "shake(flow=midpoint,linear=tikhonov(epsilon=0.01))"};
  for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
    BOUND bound = {0};
    struct shk_message error = {.text = ""};
    const struct shk_cell cell = TEST_CELL(.problem = "pendulum", .integrator = (char *)refused[i],
                                           .step = "0.1", .until = "0.1");
    tap_ok(shk_bind_cell(&test_context, &bound, &cell, &error) == SHK_REFUSED &&
               error.text[0] != '\0',
           "%s: refused: %s", refused[i], error.text);
  }
}

/* A limit of iterations that is met is a failure with its history, and the state stays. */
static void check_limit(void)
{
  DRIVE d = {0};
  double history[64];
  const bool ok = begin_or_tell(&d, "sprung-pendulum", "rattle(flow=midpoint,iterations=2)", "0.1");
  const struct shk_status status =
      ok ? d.bound.integrator->step(d.bound.method, &d.next, &d.current, R(0.1)) : shk_ok();
  const int count = ok ? shk_last_residuals(&d.bound.evaluator, history, 64) : 0;
  tap_ok(status.code == SHK_NOT_CONVERGED && count == 3 && history[0] > history[2] &&
             difference(&d.current, &d.bound.start) == 0,
         "a limit of 2 iterations: fails with %d residuals, the state stays", count);
}

/* Over a symmetric flow RATTLE stays symmetric and symplectic, and of order 2. */
static void check_claims(void)
{
  static const char *const options[] = {"flow=composition",
                                        "flow=composition(scheme=kahan-li8,base=midpoint)"};
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) {
    char text[LONGEST];
    struct shk_claims plain, rattle, shake;
    struct shk_message error;
    snprintf(text, sizeof text, "rattle(%s)", options[i]);
    const bool ok = shk_bind_claims(&test_context, &plain, "rattle", &error) &&
                    shk_bind_claims(&test_context, &rattle, text, &error);
    tap_ok(ok && memcmp(&plain, &rattle, sizeof plain) == 0 && rattle.order_q == 2 &&
               rattle.order_p == 2 && rattle.symplectic == SHK_YES && rattle.symmetric == SHK_YES,
           "%s claims what rattle claims: order 2, symplectic, symmetric", text);
    snprintf(text, sizeof text, "shake(%s)", options[i]);
    tap_ok(shk_bind_claims(&test_context, &shake, text, &error) && shake.order_q == 2 &&
               shake.order_p == 1 && shake.presymplectic == SHK_YES && shake.symmetric == SHK_NO,
           "%s claims order 2 in q, presymplectic, not symmetric", text);
  }
}

/* Of order 1 or 2, and neither symplectic nor symmetric; but symplectic as it stands if it is. */
static void check_one_step_claims(void)
{
  static const struct {
    const char *base;
    int order;
    enum shk_answer symplectic;
  } bases[] = {{"euler", 1, SHK_NO}, {"rk2", 2, SHK_NO}, {"rk8", 2, SHK_NO}, {"gauss", 2, SHK_YES}};
  for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++) {
    char text[LONGEST];
    struct shk_claims c;
    struct shk_message error;
    snprintf(text, sizeof text, "rattle(flow=one-step(%s))", bases[i].base);
    tap_ok(shk_bind_claims(&test_context, &c, text, &error) && c.order_q == bases[i].order &&
               c.order_p == bases[i].order && c.symplectic == bases[i].symplectic &&
               c.presymplectic == bases[i].symplectic && c.symmetric == bases[i].symplectic &&
               c.keeps_hidden == SHK_YES,
           "%s claims order %d, symplectic: %s", text, bases[i].order,
           bases[i].symplectic == SHK_YES ? "yes" : "no");
  }
}

int main(void)
{
  static const char *const problems[] = {"sprung-pendulum", "charged-pendulum",
                                         "spherical-pendulum",
                                         "chain(links=3,spring=2,start=zigzag)"};
  enum { PROBLEMS = SHK_PRECISION == 64 ? 4 : 2 }; /* of the same sources */
  check_choices(choices_of(&integrator_named("rattle")->info, "flow"), flows, FLOWS,
                tried_elsewhere);
  check_one_step_claims();
  check_flow_orders("sprung-pendulum", 2);
  check_flow_orders("charged-pendulum", 3);
  for (int i = 0; i < PROBLEMS; i++) {
    agree(problems[i], "rattle(flow=symplectic-euler)", "symplectic-euler-rattle", "0.01", 100, 200,
          200);
    agree(problems[i], "shake(flow=symplectic-euler)", "symplectic-euler-shake", "0.01", 100, 200,
          200);
    agree(problems[i], "rattle(flow=midpoint)", "rattle(flow=gauss(stages=1))", "0.01", 100, 0, 0);
    /* An integrator on the system without its constraints is the flow that it is there; a composition
     * rounds five times a step. */
    agree(problems[i], "rattle(flow=integrator(rattle))", "rattle", "0.01", 100, 200, 200);
    agree(problems[i], "rattle(flow=integrator(rattle(flow=midpoint)))", "rattle(flow=midpoint)",
          "0.01", 100, 200, 200);
    agree(problems[i], "shake(flow=integrator(composition))", "shake(flow=composition)", "0.01",
          100, 1000, 1000);
    agree(problems[i], "rattle(flow=integrator(projection(base=rk4)))",
          "rattle(flow=one-step(rk4))", "0.01", 100, 200, 200);
    check_undone(problems[i], "symplectic-euler", "symplectic-euler-adjoint", true);
    check_undone(problems[i], "symplectic-euler-adjoint", "symplectic-euler", true);
    check_undone(problems[i], "midpoint", "midpoint", true);
    check_undone(problems[i], "gauss(stages=3)", "gauss(stages=3)", true);
    check_undone(problems[i], "composition", "composition", true);
    check_undone(problems[i], "composition(scheme=kahan-li6,base=midpoint)",
                 "composition(scheme=kahan-li6,base=midpoint)", true);
    for (int k = 1; k < FLOWS; k += 2)
      check_fibre(problems[i], flows[k]);
  }
  check_undone("sprung-pendulum", "symplectic-euler", "symplectic-euler", false);
  /* Sweeps that contract slowly go on to round-off, too. */
  check_undone("sprung-pendulum(stiffness=100)", "midpoint", "midpoint", true);
  check_undone("sprung-pendulum(stiffness=100)", "gauss(stages=3)", "gauss(stages=3)", true);
  check_claims();
  check_refusals();
  check_limit();
  return tap_done();
}

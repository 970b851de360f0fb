/*
 * The flows on which SHAKE and RATTLE are built (Hairer, Lubich & Wanner, GNI, §I.1.2, §V.3,
 * §VI.3):
 *
 *     symplectic-euler           p1 = p0 - h H_q(q0,p1),   q1 = q0 + h H_p(q0,p1)
 *     symplectic-euler-adjoint   q1 = q0 + h H_p(q1,p0),   p1 = p0 - h H_q(q1,p0)
 *     verlet                     Störmer-Verlet: the first with h/2, then the second with h/2
 *     midpoint, gauss            in flow_gauss.c
 *     composition                phi_{g_s h} ∘ … ∘ phi_{g_1 h} of verlet or midpoint
 *     one-step, integrator       any other map, in runge_kutta.c and flow_integrator.c
 *
 * The first two flows are explicit for separable H. For a general H, one equation of each is
 * implicit and is solved to round-off by Newton's method. If there are generalized forces Q, H_q
 * denotes H_q - Q. The forces are evaluated at time t in symplectic Euler and at t + h in its
 * adjoint. Compositions use the symmetric schemes of composition_schemes.h, some of which have g_i
 * < 0. Compositions are symplectic and symmetric and have the order of the scheme.
 *
 * SHAKE and RATTLE are well defined and convergent over every consistent one-step method
 * (McLachlan, Modin, Verdier & Wilkins, Found. Comput. Math. 14 (2014) 339, theorem 4.1 and
 * proposition 4.4). They are symplectic only over symplectic methods, which include explicit Euler
 * if V_q and M are constant.
 */
#include "integrators/kit/flow.h"

#include "integrators/kit/composition_schemes.h"
#include "integrators/kit/ode.h"
#include "integrators/kit/stage_matrix.h"

struct shk_flow {
  struct shk_evaluator *evaluator;
  enum shk_flow_kind kind; /* for a composition, the kind of its factors */
  int factors;
  real factor[COMPOSITION_FACTORS];
  int n;
  bool general, p_first; /* `p_first` refers to the current Euler step */
  struct shk_gauss_flow *gauss;
  struct shk_one_step *one_step;
  struct shk_integrator_flow *integrator;
  struct shk_newton *newton; /* solver of the implicit part for general systems */
  /* initial point y = (q,p) of this part of the step, rounded to `real` */
  real *y, *q, *p;
  real *implicit; /* implicit block of y, with the unknown increment x added */
  real *slope;    /* 2n entries: H_q or H_p, or the increment of a one-step method */
  real *x, *weights, *hessian;
  real t, h;
};

static const struct shk_choice base_choices[] =
    SHK_LIST({"verlet", "Störmer-Verlet"}, {"midpoint", "the implicit midpoint rule", NULL});

/* The options of a flow, which are read from the option values but not stored. */
#define OPTION(name_, kind_, fallback_, meaning_, ...)                                             \
  {                                                                                                \
    .name = name_, .kind = SHK_OPTION_##kind_, .fallback = fallback_, .meaning = meaning_,         \
    __VA_ARGS__                                                                                    \
  }

static const struct shk_option composition_options[] = SHK_LIST(
    OPTION("scheme", CHOICE, "suzuki4",
           "the coefficients; the given order is the order without constraints",
           .choices = composition_choices),
    OPTION("base", CHOICE, "verlet", "the flow that is composed", .choices = base_choices));

static const struct shk_option one_step_options[] =
    SHK_LIST(OPTION("base", CHOICE, "rk4", "the method; none of the explicit ones is symplectic",
                    .choices = shk_one_step_choices, .positional = true));

static const struct shk_option integrator_options[] = SHK_LIST(
    OPTION("base", INTEGRATOR, "rattle",
           "the integrator, which may be a plug-in; it sees the system without its constraints",
           .positional = true));

const struct shk_choice shk_flow_choices[] = SHK_LIST(
    {"verlet", "Störmer-Verlet"}, {"symplectic-euler", "symplectic Euler, implicit in p"},
    {"symplectic-euler-adjoint", "its adjoint, implicit in q"},
    {"midpoint", "the implicit midpoint rule"}, {"gauss", "Gauss collocation", shk_gauss_options},
    {"composition", "a symmetric composition of a symmetric flow", composition_options},
    {"one-step", "a method for ordinary differential equations, symplectic or not",
     one_step_options},
    {"integrator", "any fixed-step integrator, on the system without its constraints",
     integrator_options});

/* Sets the kind of flow and, for compositions, the factors. */
static void choose_flow(struct shk_flow *flow, const struct shk_values *options)
{
  flow->kind = (enum shk_flow_kind)shk_values_choice(options, "flow");
  flow->factors = 1;
  flow->factor[0] = 1;
  if (flow->kind != SHK_FLOW_COMPOSITION)
    return;
  const struct shk_values *nested = shk_values_nested(options, "flow");
  const int scheme = shk_values_choice(nested, "scheme");
  flow->kind = shk_values_choice(nested, "base") == 0 ? SHK_FLOW_VERLET : SHK_FLOW_MIDPOINT;
  flow->factors = composition_schemes[scheme].factors;
  composition_fill(flow->factor, scheme);
}

/* Stores (H_p, -H_q) at y = (q,p). */
static struct shk_status flow_field(void *user, real *out, real t, const real *y)
{
  struct shk_flow *flow = user;
  const int n = flow->n;
  SHK_TRY(shk_velocity(flow->evaluator, out, t, y, y + n));
  SHK_TRY(shk_gradient(flow->evaluator, out + n, t, y, y + n));
  shk_negate(out + n, n);
  return shk_ok();
}

#define GENERAL .only = SHK_GENERAL
static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(shk_flow, (.n = 2), y, slope),
             SHK_ARRAYS(shk_flow, (.n = 1, GENERAL), implicit, x, weights),
             SHK_ARRAY(shk_flow, hessian, .nn = 4, GENERAL));

struct shk_status shk_bind_flow(struct shk_flow **created, const struct shk_binding *binding)
{
  const struct shk_values *chosen = shk_values_nested(binding->options, "flow");
  struct shk_flow *flow = *created =
      shk_part(binding->workspace, sizeof *flow, arrays, binding->evaluator);
  SHK_TRY(shk_allocated(flow));
  flow->evaluator = binding->evaluator;
  flow->n = flow->evaluator->system->n;
  flow->general = shk_is_general(flow->evaluator->system);
  choose_flow(flow, binding->options);
  flow->q = flow->y;
  flow->p = flow->y + flow->n;
  switch (flow->kind) {
  case SHK_FLOW_MIDPOINT:
    return shk_bind_gauss_flow(&flow->gauss, binding, 1);
  case SHK_FLOW_GAUSS:
    return shk_bind_gauss_flow(&flow->gauss, binding, (int)shk_values_integer(chosen, "stages"));
  case SHK_FLOW_ONE_STEP:
    return shk_bind_one_step(&flow->one_step, binding, shk_values_choice(chosen, "base"),
                             shk_values_nested(chosen, "base"), flow_field, flow);
  case SHK_FLOW_INTEGRATOR:
    return shk_bind_integrator_flow(&flow->integrator, binding, chosen);
  default: /* symplectic Euler, its adjoint, and compositions of the two */
    return flow->general ? shk_bind_newton(&flow->newton, binding, flow->n,
                                           shk_values_integer(binding->options, "iterations"))
                         : shk_ok();
  }
}

static void place_flow(struct shk_flow *flow, const struct shk_flow_task *task)
{
  const struct shk_state *from = task->from;
  for (int i = 0; i < flow->n; i++) {
    flow->q[i] = from->q[i] + (task->dq[i] + from->q_carry[i]);
    flow->p[i] = from->p[i] + (task->dp[i] + from->p_carry[i]);
  }
}

/* The equation for the increment x of the implicit block of a general H, with its Jacobian:
 *     p first: F = x + h H_q(q, p + x),  1 + h H_qp
 *     q first: F = x - h H_p(q + x, p),  1 - h H_pq */
static struct shk_status implicit_block(void *user, real *F, real *entries, const real *x)
{
  struct shk_flow *flow = user;
  struct shk_evaluator *e = flow->evaluator;
  const int n = flow->n;
  const real h = flow->p_first ? flow->h : -flow->h, *block = flow->p_first ? flow->p : flow->q;
  const real *q = flow->p_first ? flow->q : flow->implicit,
             *p = flow->p_first ? flow->implicit : flow->p;
  for (int i = 0; i < n; i++)
    flow->implicit[i] = block[i] + x[i];
  SHK_TRY(flow->p_first ? shk_gradient(e, F, flow->t, q, p) : shk_velocity(e, F, flow->t, q, p));
  SHK_TRY(shk_hessian(e, flow->hessian, flow->t, q, p));
  const struct shk_stage_matrix J = shk_stage_matrix(entries, n);
  shk_add_identity(J, 0, 0, n);
  shk_add_block(J, 0, 0, h, flow->hessian + (size_t)n * (flow->p_first ? 1 : 2 * (size_t)n), 2 * n,
                n);
  for (int i = 0; i < n; i++)
    F[i] = x[i] + h * F[i];
  return shk_ok();
}

/* Solves for the final value of the block that moves first, by Newton's method from its initial
 * value, and stores it in `implicit`. */
static struct shk_status solve_stage(struct shk_flow *flow)
{
  const int n = flow->n;
  const real *block = flow->p_first ? flow->p : flow->q, size = shk_size_of(block, n);
  shk_fill(flow->x, 0, n);
  shk_fill(flow->weights, size, n);
  SHK_TRY(shk_newton_solve(flow->newton, flow->evaluator, flow->x, n, flow->weights, implicit_block,
                           flow));
  for (int i = 0; i < n; i++)
    flow->implicit[i] = block[i] + flow->x[i];
  return shk_ok();
}

/* p first: p1 = p0 - h H_q(q0,p1), then q1 = q0 + h H_p(q0,p1);
 * q first: q1 = q0 + h H_p(q1,p0), then p1 = p0 - h H_q(q1,p0) */
static struct shk_status euler_flow(struct shk_flow *flow, const struct shk_flow_task *task, real t,
                                    real h, bool p_first)
{
  struct shk_evaluator *e = flow->evaluator;
  flow->t = t;
  flow->h = h;
  flow->p_first = p_first;
  place_flow(flow, task);
  if (flow->general)
    SHK_TRY(solve_stage(flow));
  const real *q = flow->general && !p_first ? flow->implicit : flow->q;
  const real *p = flow->general && p_first ? flow->implicit : flow->p;
  for (int k = 0; k < 2; k++) {
    const bool of_p = (k == 0) == p_first;
    SHK_TRY(of_p ? shk_gradient(e, flow->slope, t, q, p) : shk_velocity(e, flow->slope, t, q, p));
    shk_vector_add(of_p ? task->dp : task->dq, of_p ? -h : h, flow->slope, flow->n);
    place_flow(flow, task);
  }
  return shk_ok();
}

static struct shk_status one_step(struct shk_flow *flow, const struct shk_flow_task *task)
{
  place_flow(flow, task);
  SHK_TRY(shk_one_step_step(flow->one_step, flow->slope, task->t, flow->y, task->h));
  shk_vector_add(task->dq, 1, flow->slope, flow->n);
  shk_vector_add(task->dp, 1, flow->slope + flow->n, flow->n);
  return shk_ok();
}

static struct shk_status simple_step(struct shk_flow *flow, const struct shk_flow_task *task)
{
  const real t = task->t, h = task->h;
  switch (flow->kind) {
  case SHK_FLOW_EULER:
    return euler_flow(flow, task, t, h, true);
  case SHK_FLOW_EULER_ADJOINT:
    return euler_flow(flow, task, t + h, h, false);
  case SHK_FLOW_VERLET:
    SHK_TRY(euler_flow(flow, task, t, h / 2, true));
    return euler_flow(flow, task, t + h, h / 2, false);
  case SHK_FLOW_ONE_STEP:
    return one_step(flow, task);
  case SHK_FLOW_INTEGRATOR:
    return shk_integrator_flow_step(flow->integrator, task);
  default:
    place_flow(flow, task);
    return shk_gauss_flow_step(flow->gauss, task->dq, task->dp, t, flow->y, h);
  }
}

struct shk_status shk_flow_step(struct shk_flow *flow, const struct shk_flow_task *task)
{
  struct shk_flow_task part = *task;
  real done = 0; /* completed fraction of the step, which is Σ g_i */
  for (int i = 0; i < flow->factors; i++) {
    part.t = task->t + done * task->h;
    part.h = flow->factor[i] * task->h;
    SHK_TRY(simple_step(flow, &part));
    done += flow->factor[i];
  }
  return shk_ok();
}

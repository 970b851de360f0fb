/*
 * Every integrator on every problem: it applies or is refused with a reason; its step keeps what it
 * claims to keep and, somewhere, violates what it claims not to; a step happens completely or not
 * at all, whichever callback fails and whenever; the same step gives the same bits; a negative step
 * works; a symmetric method is undone by it; nothing allocates in a step; and the orders are those
 * claimed (quad only).
 */
#include "engine/cells/drive.h"
#include "mechanics/system/manifold.h"
#include "mechanics/system/state.h"
#include "tests/kit/allocation_watch.h"
#include "tests/kit/failing_system.h"
#include "tests/kit/orders.h"
#include "tests/kit/registered.h"
#include "tests/kit/systems.h"

#include <limits.h>

/* What can be found wrong; a set of these is the result of a check. */
enum finding {
  FAILS = 1 << 0,
  CONSTRAINT = 1 << 1,
  HIDDEN = 1 << 2,
  NOT_ATOMIC = 1 << 3,
  NOT_REPEATABLE = 1 << 4,
  NOT_SYMMETRIC = 1 << 5,
  NO_NEGATIVE = 1 << 6,
  ALLOCATES = 1 << 7,
  ORDER = 1 << 8,
  PASSED_OVER = 1 << 9,
  FINDINGS = 10,
  FAILS_AS_IT_MAY = 1 << FINDINGS /* ends a check, and is nothing wrong */
};

static const char *const finding_names[FINDINGS] = {"fails",
                                                    "leaves the constraint",
                                                    "leaves the hidden constraint",
                                                    "is not atomic",
                                                    "is not repeatable",
                                                    "is not symmetric",
                                                    "no negative step",
                                                    "allocates in a step",
                                                    "has another order",
                                                    "passes over the constraints"};

/* ---- on what ---- */

/* Every registered problem is tried as it is, and these for what its defaults leave out or need. */
static const struct {
  const char *problem, *why;
  bool alone; /* in place of the defaults */
} problem_variants[] = {
    {"pendulum(angle=0.7,rate=1.1)", "its own start is at rest: a fault may hide"},
    {"chain(links=20,start=zigzag)", "elimination along many links, none of them parallel"},
    {"chain(links=3,dimension=3,spring=2,start=random(seed=3))", "space, springs, velocities"},
    {"harmonic-sphere(quartic=0.3)", "equations that are not quadratic in p"},
    {"jay(index=2)", "a constraint that one differentiation resolves"},
    {"duplicate(double-pendulum,row=1)", "needs a problem; rows that depend on others"},
    {"alkane(carbons=5,angles=harmonic)", "forces between three and four atoms"},
    {"particles(file=\"systems/linkage.yaml\")", "needs a file"},
    {"mechanism(file=\"mechanisms/double-pendulum.yaml\")", "needs a file: bodies"},
    {"water(field=2)", "a force that breaks the symmetry of free fall"},
    {"water-box(molecules=3,density=0.1,cutoff=0.48,switch=0.3)", "smaller by far", .alone = true},
    {"lagrange-top(start=general)", "neither sleeping nor in regular precession"}};
enum { VARIANTS = sizeof problem_variants / sizeof problem_variants[0], MOST_PROBLEMS = 200 };

static const char *problems[MOST_PROBLEMS];
static int problem_count;

/* Redundant rows: whether a factorization meets its zero pivot, and in which step, is for round-off
 * to decide, and an iteration need not end. What fails there has failed as it should. */
static bool may_fail(const struct shk_bound *bound, struct shk_status status)
{
  const struct shk_generic_rank *ranks = &bound->ranks;
  const bool is_redundant = ranks->near >= 0 && ranks->near < bound->start.m;
  return is_redundant && (status.code == SHK_SINGULAR || status.code == SHK_NOT_CONVERGED ||
                          status.code == SHK_SOLVER_FAILED);
}

/* All of them; a problem that needs an option has to be among the variants. Quad is of the same sources:
 * of it the variants alone. */
static void collect_problems(void)
{
  for (int i = 0; nth_problem(i); i++) {
    const char *name = nth_problem(i)->info.name;
    struct shk_inspection inspection;
    struct shk_message error;
    if (strcmp(name, "program") == 0)
      continue; /* it has to be named: tests/processes/program_problem.sh */
    bool covered = shk_inspect_problem(&test_context, &inspection, name, &error);
    bool alone = SHK_PRECISION == 128;
    for (int k = 0; k < VARIANTS; k++)
      if (is_of(problem_variants[k].problem, name)) {
        alone |= problem_variants[k].alone || !covered;
        covered = true;
      }
    if (!alone)
      problems[problem_count++] = name;
    tap_ok(covered, "%s is tried, by default or as a variant", name);
  }
  for (int k = 0; k < VARIANTS; k++)
    problems[problem_count++] = problem_variants[k].problem;
}

/* ---- the checks ---- */

static bool same_bits(const struct shk_state *a, const struct shk_state *b)
{
  const size_t n = (size_t)a->n * sizeof(real), m = (size_t)a->m * sizeof(real);
  return memcmp(a->q, b->q, n) == 0 && memcmp(a->p, b->p, n) == 0 &&
         memcmp(a->q_carry, b->q_carry, n) == 0 && memcmp(a->p_carry, b->p_carry, n) == 0 &&
         memcmp(a->lambda, b->lambda, m) == 0 && memcmp(a->mu, b->mu, m) == 0;
}

static real distance(const struct shk_state *a, const struct shk_state *b)
{
  real worst = 0;
  for (int i = 0; i < a->n; i++)
    worst = real_max(worst, real_max(real_fabs(a->q[i] - b->q[i]), real_fabs(a->p[i] - b->p[i])));
  return worst;
}

static real size_of(const struct shk_state *s)
{
  return real_max(1, real_max(real_max_norm(s->q, s->n), real_max_norm(s->p, s->n)));
}

static struct shk_status try_step(struct shk_drive *d, struct shk_state *to,
                                  const struct shk_state *from, real h)
{
  return d->bound.integrator->step(d->bound.method, to, from, h);
}

/* How many callbacks a step calls; make_failing has been called. */
static long calls_of_step(struct shk_drive *d, real h)
{
  until_failure = LONG_MAX;
  (void)try_step(d, &d->next, &d->current, h);
  const long calls = LONG_MAX - until_failure;
  until_failure = 0;
  return calls;
}

/* Of a step's calls every one fails in turn in double; in quad, whose code is the same, twenty of
 * them; of an adaptive step, which has many, fifty. Odd, for failures of both signs. */
static long failure_stride(const struct shk_integrator_info *info, long calls)
{
  if (info->adaptive)
    return calls < 850 ? 17 : calls / 50 | 1;
  return SHK_PRECISION == 128 ? calls / 20 | 1 : 1;
}

/* Whether it goes on by a smaller step where a callback says that this may help. */
static bool takes_smaller_steps(const struct shk_integrator_info *info)
{
  return info->adaptive || strcmp(info->name, "step-halving") == 0;
}

/* A callback fails at its k-th call, for every k of a stride that the step reaches: the step must
 * say so and leave the old state alone; afterwards it must work as if nothing had been. */
static unsigned check_atomic(struct shk_drive *d, real h)
{
  const struct shk_integrator_info *info = &d->bound.integrator->info;
  STATE kept = {0}, good = {0};
  unsigned found = 0;
  if (!shk_state_init_like(&kept, &d->current) || !shk_state_init_like(&good, &d->current))
    abort();
  shk_state_copy(&kept, &d->current);
  if (try_step(d, &good, &d->current, h).code != SHK_OK)
    found |= FAILS;
  make_failing(&d->bound.instance.system);
  const long stride = failure_stride(info, calls_of_step(d, h));
  for (long k = 1; found == 0; k += stride) {
    until_failure = k;
    failure = k % 2 == 0 ? 1 : -1;
    const struct shk_status status = try_step(d, &d->next, &d->current, h);
    const bool reached = until_failure == 0;
    until_failure = 0;
    if (!same_bits(&kept, &d->current))
      found |= NOT_ATOMIC;
    if (!reached)
      break;
    if (status.code == SHK_OK && !(takes_smaller_steps(info) && failure > 0))
      found |= NOT_ATOMIC;
    if (try_step(d, &d->next, &d->current, h).code != SHK_OK ||
        (!info->adaptive && !same_bits(&good, &d->next)))
      found |= NOT_REPEATABLE;
  }
  d->bound.instance.system = original;
  shk_state_copy(&d->current, &kept);
  return found;
}

/* How often a step calls g and its Jacobian. */
static long constraints_called(struct shk_drive *d, real h)
{
  make_failing(&d->bound.instance.system);
  constraint_calls = 0;
  (void)try_step(d, &d->next, &d->current, h);
  d->bound.instance.system = original;
  return constraint_calls;
}

/* The same again where solvers form the constraints of rods by themselves: not told of the rods
 * they have to call, and what fails is seen to fail there too. */
static unsigned check_undeclared(struct shk_drive *d, real h)
{
  if (!d->bound.instance.system.rods)
    return 0;
  const long declared = constraints_called(d, h);
  d->bound.instance.system.rods = NULL;
  if (shk_bind_method(&d->bound).code != SHK_OK)
    return FAILS;
  const long undeclared = constraints_called(d, h);
  if (undeclared == 0)
    return PASSED_OVER;
  return undeclared == declared ? 0 : check_atomic(d, h);
}

struct largest {
  real constraint, hidden, asymmetry; /* over the problems, relative to what round-off may leave */
};

static unsigned check_kept(struct shk_drive *d, struct largest *largest,
                           const struct shk_claims *claims)
{
  unsigned found = 0;
  real *g = malloc((2 * (size_t)d->current.m + 1) * sizeof *g);
  const int m = d->current.m;
  if (shk_manifold_residuals(d->bound.manifold, g, g + m, d->current.t, d->current.q, d->current.p)
          .code != SHK_OK)
    found |= FAILS;
  const real size = size_of(&d->current), allowed = 1000 * REAL_EPSILON * size * size;
  const real constraint_size = real_max_norm(g, m) / allowed;
  const real hidden_size = real_max_norm(g + m, m) / allowed;
  free(g);
  largest->constraint = real_max(largest->constraint, constraint_size);
  largest->hidden = real_max(largest->hidden, hidden_size);
  if (claims->keeps_constraint == SHK_YES && !(constraint_size <= 1))
    found |= CONSTRAINT;
  if (claims->keeps_hidden == SHK_YES && !(hidden_size <= 1))
    found |= HIDDEN;
  return found;
}

/* Turns the memory of a state for a step of length h, if there is some. */
static void turn(struct shk_drive *d, struct shk_state *s, real h)
{
  if (s->memory_count > 0 && d->bound.integrator->reverse)
    d->bound.integrator->reverse(d->bound.method, s, h);
}

/* Ψ_{-h} Ψ_h against the identity, from a state with zero compensation; with memory P Ψ_{-h} P Ψ_h. */
static unsigned check_reverse(struct shk_drive *d, real h, struct largest *largest,
                              const struct shk_claims *claims)
{
  STATE back = {0};
  unsigned found = 0;
  if (!shk_state_init_like(&back, &d->current))
    abort();
  for (int i = 0; i < d->current.n; i++)
    d->current.q_carry[i] = d->current.p_carry[i] = 0;
  d->next.t = d->current.t + h;
  if (try_step(d, &d->next, &d->current, h).code != SHK_OK)
    found |= FAILS;
  else if (turn(d, &d->next, -h), try_step(d, &back, &d->next, -h).code != SHK_OK)
    found |= NO_NEGATIVE;
  else {
    const real defect =
        distance(&back, &d->current) / (10000 * REAL_EPSILON * size_of(&d->current));
    largest->asymmetry = real_max(largest->asymmetry, defect);
    if (claims->symmetric == SHK_YES && !(defect <= 1))
      found |= NOT_SYMMETRIC;
  }
  return found;
}

/* A method that knows its largest stable step is judged at a quarter of it. */
static void shorten_step(struct shk_drive *d)
{
  const struct shk_integrator *integrator = d->bound.integrator;
  struct shk_fact facts[8];
  const int count =
      integrator->facts ? integrator->facts(d->bound.method, facts, 8, &d->current) : 0;
  for (int i = 0; i < count; i++)
    if (strcmp(facts[i].name, "stability-limit") == 0)
      d->bound.step = real_min(d->bound.step, (real)facts[i].value / 4);
}

static unsigned check_pair(const char *integrator, const char *problem, struct largest *largest,
                           struct shk_outcome *outcome)
{
  DRIVE d = {0};
  char step[48], *times[] = {step};
  struct shk_message error;
  struct shk_claims claims;
  struct shk_inspection inspection;
  if (!shk_bind_claims(&test_context, &claims, integrator, &error) ||
      !shk_inspect_problem(&test_context, &inspection, problem, &error))
    return FAILS;
  snprintf(step, sizeof step, "%.3g", inspection.time_scale / 40);
  struct shk_cell cell =
      TEST_CELL(.problem = (char *)problem, .integrator = (char *)integrator, .step = step,
                .tolerance = "1e-7", .until = step, .times = times, .time_count = 1);
  unsigned found = 0;
  *outcome = (struct shk_outcome){0};
  if (!shk_drive_begin(&test_context, &d, outcome, &cell))
    return outcome->code == SHK_REFUSED && outcome->reason[0] != '\0' ? 0 : FAILS;
  shorten_step(&d);
  const real h = d.bound.step, t0 = d.bound.instance.initial_time;
  STATE first = {0};
  if (!shk_state_init_like(&first, &d.current))
    abort();
  for (int round = 0; round < 2 && found == 0; round++) {
    if (round > 0 && shk_drive_rewind(&d).code != SHK_OK)
      found |= FAILS;
    const long before = allocations;
    for (int k = 1; k <= 20 && found == 0; k++) {
      const struct shk_status status = shk_drive_step(&d, t0 + k * h);
      if (status.code != SHK_OK)
        found |= may_fail(&d.bound, status) ? FAILS_AS_IT_MAY : FAILS;
      shk_drive_accept(&d);
    }
    if (allocations != before && !d.bound.integrator->info.adaptive)
      found |= ALLOCATES;
    if (round == 0)
      shk_state_copy(&first, &d.current);
    else if (!same_bits(&first, &d.current))
      found |= NOT_REPEATABLE;
  }
  if (found == 0)
    found |= check_kept(&d, largest, &claims);
  if (!d.bound.integrator->info.exact && (found & (FAILS | FAILS_AS_IT_MAY)) == 0) {
    found |= check_atomic(&d, h);
    if (!d.bound.integrator->info.adaptive)
      found |= check_reverse(&d, h, largest, &claims);
    found |= check_undeclared(&d, h);
  }
  return found & ~(unsigned)FAILS_AS_IT_MAY;
}

static void describe(char *text, size_t size, unsigned found)
{
  text[0] = '\0';
  for (int i = 0; i < FINDINGS; i++)
    if (found & 1u << i)
      snprintf(text + strlen(text), size - strlen(text), "%s%s", text[0] != '\0' ? ", " : "",
               finding_names[i]);
}

#if SHK_PRECISION == 128

/* ---- orders: pairwise, at two halvings, against the reference integrator ---- */

/* The claimed order must be met on every problem and not exceeded on all, at the first halving or,
 * where that is too coarse, at the second. */
static unsigned check_orders(const char *integrator, char *text, size_t size)
{
  static const char *const steps[] = {"0.004", "0.002", "0.001"};
  unsigned found = ORDER;
  for (int pair = 0; pair < 2 && found == ORDER; pair++) {
    struct order_measured measured[ORDER_BLOCKS];
    if (!order_measure(measured, integrator, steps[pair], steps[pair + 1]))
      return FAILS;
    found = 0;
    text[0] = '\0';
    for (int b = 0; b < ORDER_BLOCKS; b++)
      if (measured[b].claimed != SHK_NO_ORDER &&
          !(fabs(measured[b].least - measured[b].claimed) < 0.1)) {
        found = ORDER;
        snprintf(text, size, "%s: %.3f at least, on %s, claimed %d", measured[b].block,
                 measured[b].least, measured[b].where, measured[b].claimed);
      }
  }
  return found;
}

#endif

/* All checks on all problems. */
static void check_integrator(const char *integrator, struct largest *largest)
{
  char text[256];
  for (int i = 0; i < problem_count; i++) {
    OUTCOME outcome = {0};
    const unsigned found = check_pair(integrator, problems[i], largest, &outcome);
    describe(text, sizeof text, found);
    tap_ok(found == 0, "%s on %s%s%s%s%s", integrator, problems[i], found != 0 ? ": " : "", text,
           outcome.code == SHK_REFUSED ? ": refused, " : "",
           outcome.code == SHK_REFUSED ? outcome.reason : "");
  }
}

static void check_built_in(const struct shk_integrator *integrator)
{
  const struct shk_integrator_info *info = &integrator->info;
  struct largest largest = {0};
  if (strcmp(info->name, "external") == 0 || strcmp(info->name, "engine") == 0)
    return; /* programs that have to be named: tests/processes/external.sh, engines.sh */
  check_integrator(info->name, &largest);
  if (info->adaptive || (info->double_only && SHK_PRECISION != 64))
    return;
  struct shk_claims claims;
  struct shk_message error;
  if (!shk_bind_claims(&test_context, &claims, info->name, &error))
    abort();
  if (claims.keeps_constraint == SHK_NO)
    tap_ok(largest.constraint > 1, "%s: leaves the constraint somewhere, as it says", info->name);
  if (claims.keeps_hidden == SHK_NO)
    tap_ok(largest.hidden > 1, "%s: leaves the hidden constraint somewhere, as it says",
           info->name);
  if (claims.symmetric == SHK_NO)
    tap_ok(largest.asymmetry > 100, "%s: is not symmetric somewhere, as it says", info->name);
#if SHK_PRECISION == 128
  char text[256];
  const unsigned found = check_orders(info->name, text, sizeof text);
  tap_ok(found == 0, "%s: orders as claimed %s", info->name, text);
#endif
}

/* Options under which an integrator goes other ways through its code than by default. */
static void check_variants(void)
{
  static const char *const variants[] = {"composition(scheme=kahan-li6)",
                                         "spark(stages=3)",
                                         "spark(stages=4)",
                                         "variational(lagrangian=trapezoidal)",
                                         "adaptive(control=reversible)",
                                         "penalty(damping=2)",
                                         "projection(base=gauss,symmetric=yes)",
                                         "rattle(flow=composition)",
                                         "shake(flow=composition(scheme=kahan-li6,base=midpoint))"};
  for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++) {
    struct largest largest = {0};
    check_integrator(variants[i], &largest);
  }
}

int main(void)
{
  use_systems_of("studies");
  collect_problems();
  for (int i = 0; nth_integrator(i); i++)
    check_built_in(nth_integrator(i));
  check_variants();
  return tap_done();
}

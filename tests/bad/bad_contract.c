/*
 * A method that is right by itself, in hands that break what every method owes, whatever it claims:
 * `bad-contract(fault=…)` is a step of its base, and one fault. `plugin check` and certificates must
 * find each; `none` is the control.
 */
#include <shakedown/bind.h>
#include <shakedown/plugin.h>

#include <fcntl.h>
#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* clang-format off */
#define FAULTS(X) \
  X(NONE, "none", "nothing: the control") \
  X(LATE, "late", "after 1500 steps a wind of a millionth blows") \
  X(ONCE, "once", "step 1777 is one percent too long") \
  X(CONTINUED, "continued", "after 1500 steps that continue one another the wind blows") \
  X(LONG_AGO, "long-ago", "the wind blows after time 10000") \
  X(OLD, "old", "after 12000 steps the wind blows") \
  X(KEEPS, "keeps", "at the time at which the last step ended its momenta are taken for the start's") \
  X(LAST_STEP, "last-step", "a hundredth of the last step's change of p is added") \
  X(SHARED, "shared", "the same, of whichever instance took the last step") \
  X(AFTER_FAILURE, "after-failure", "after a step that failed the wind blows") \
  X(CLOCK, "clock", "the wind blows in odd seconds, at the twelfth digit") \
  X(NOISE, "noise", "random numbers are in the last digits") \
  X(PROCESS, "process", "the last digits depend on the process") \
  X(SWALLOWS, "swallows", "a step that fails moves on without constraints, and is ok") \
  X(HALVES, "halves", "a step that fails is made of two halves, silently") \
  X(SEVENTHS, "sevenths", "a step that fails is made of seven parts, silently") \
  X(SIXTEENTHS, "sixteenths", "a step that fails is made of sixteen parts, silently") \
  X(HUNDREDTHS, "hundredths", "a step that fails is made of a hundred parts, silently") \
  X(DEAF_TO_NAN, "deaf-to-nan", "a step that is not finite ends at the old state, and is ok") \
  X(BELIEVES_NAN, "believes-nan", "a force that is not finite is taken for zero") \
  X(KEEPS_NAN, "keeps-nan", "after a force that was not finite the wind blows") \
  X(IGNORES_SINGULAR, "ignores-singular", "a step whose matrix is singular moves on freely, and is ok") \
  X(UNCOUNTED_FORCE, "uncounted-force", "a force is evaluated behind the evaluator") \
  X(UNCOUNTED_G, "uncounted-constraint", "so are the constraints") \
  X(FORGETS_WORK, "forgets-work", "what was counted in the step is set back") \
  X(LONG_HALVES, "long-halves", "long steps are made of two halves, silently") \
  X(LONG_THIRDS, "long-thirds", "long steps are made of three thirds, silently") \
  X(LONG_UNEVEN, "long-uneven", "long steps are made of three tenths and seven, silently") \
  X(LONG_FORCES, "long-forces", "in long steps the force is one percent too large") \
  X(SPEEDS, "speeds", "the same above three times an ordinary speed") \
  X(REST, "rest", "the same from rest") \
  X(BACKWARDS, "backwards", "in steps back it is wrong in its tenth digit, which no order shows") \
  X(BEFORE_ZERO, "before-zero", "before time zero the wind blows") \
  X(TINY, "tiny", "steps that change little are not solved for") \
  X(WRITES_FROM, "writes-from", "the old state is written to") \
  X(WRITES_TO, "writes-beyond-state", "an entry beyond mu is written") \
  X(WRITES_ARRAY, "writes-beyond-array", "an entry beyond an array of its own is written") \
  X(WRITES_BEFORE, "writes-before-array", "two entries before an array of its own one is written") \
  X(WRITES_MIDDLE, "writes-beyond-middle", "an entry beyond q of a state of its own is written") \
  X(READS_ARRAY, "reads-beyond-array", "an entry beyond an array of its own is read") \
  X(READS_FROM, "reads-beyond", "an entry beyond q is read") \
  X(READS_TO, "reads-new", "the new state is read before it is written") \
  X(LEAVES_MU, "leaves-mu", "mu is not written") \
  X(IGNORES_FAILURE, "ignores-failure", "what fails is ok, and nothing has moved") \
  X(LEAKS, "leaks", "memory is taken in each step") \
  X(ROUNDS, "rounds-up", "the rounding mode is changed") \
  X(CATCHES, "catches-signal", "a signal is ignored from now on") \
  X(BLOCKS, "blocks-signal", "a signal is blocked from now on") \
  X(PRINTS, "prints", "a line is printed") \
  X(PRINTS_LATE, "prints-late", "the same after 500 steps") \
  X(PRINTS_BACK, "prints-back", "the same in steps back") \
  X(WARNS_FAR, "warns-far", "no fault: a warning in a step of a million units of time") \
  X(OPENS_FAR, "opens-far", "a file is left open by such a step") \
  X(OPENS, "opens-file", "a file is left open")
/* clang-format on */

#include "faults.h"

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  int fault;
  struct shk_base base;
  struct shk_manifold *manifold;
  real ordinary; /* the largest momentum of the start */
  long steps, continued;
  bool has_failed, is_misled;
  real *last, *previous_q, *own; /* change of p; where the last step led; not needed */
  struct shk_state middle, second, kept;
};

static real shared_change;

static void blow(struct shk_state *to, real wind)
{
  to->p[0] += wind * (1 + real_fabs(to->p[0]));
}

/* Without constraints. */
static struct shk_status move_freely(struct method *self, struct shk_state *to,
                                     const struct shk_state *from, real h)
{
  shk_state_copy(to, from);
  SHK_TRY(shk_velocity(self->evaluator, self->last, from->t, from->q, from->p));
  for (int i = 0; i < self->n; i++)
    to->q[i] += h * self->last[i];
  return shk_ok();
}

static struct shk_status two_halves(struct method *self, struct shk_state *to,
                                    const struct shk_state *from, real h)
{
  SHK_TRY(shk_base_step(&self->base, &self->middle, from, h / 2));
  return shk_base_step(&self->base, to, &self->middle, h / 2);
}

static struct shk_status many_parts(struct method *self, struct shk_state *to,
                                    const struct shk_state *from, real h, int count)
{
  shk_state_copy(&self->middle, from);
  for (int k = 0; k < count; k++) {
    self->middle.t = from->t + k * (h / count);
    SHK_TRY(shk_base_step(&self->base, to, &self->middle, h / count));
    shk_state_copy(&self->middle, to);
  }
  return shk_ok();
}

static struct shk_status three_thirds(struct method *self, struct shk_state *to,
                                      const struct shk_state *from, real h)
{
  SHK_TRY(shk_base_step(&self->base, &self->middle, from, h / 3));
  SHK_TRY(shk_base_step(&self->base, &self->second, &self->middle, h / 3));
  return shk_base_step(&self->base, to, &self->second, h / 3);
}

static struct shk_status three_and_seven(struct method *self, struct shk_state *to,
                                         const struct shk_state *from, real h)
{
  SHK_TRY(shk_base_step(&self->base, &self->middle, from, R(0.3) * h));
  return shk_base_step(&self->base, to, &self->middle, R(0.7) * h);
}

static bool is_fast(const struct method *self, const struct shk_state *from)
{
  return real_max_norm(from->p, self->n) > 3 * self->ordinary;
}

/* With so much of the force added at the end. */
static struct shk_status with_force(struct method *self, struct shk_state *to,
                                    const struct shk_state *from, real h, real factor)
{
  SHK_TRY(shk_base_step(&self->base, to, from, h));
  SHK_TRY(shk_gradient(self->evaluator, self->last, to->t, to->q, to->p));
  for (int i = 0; i < self->n; i++)
    to->p[i] -= factor * h * self->last[i];
  return shk_manifold_project(self->manifold, to->q, to->p, to->t);
}

/* NaN is reported: with it residuals are not finite. */
static bool is_singular(const struct method *self, struct shk_status status)
{
  double residuals[64];
  const int count = shk_last_residuals(self->evaluator, residuals, 64);
  return (status.code == SHK_SINGULAR || status.code == SHK_NOT_CONVERGED) && count > 0 &&
         real_isfinite((real)residuals[count - 1]);
}

static struct shk_status base_step(struct method *self, struct shk_state *to,
                                   const struct shk_state *from, real h)
{
  if (self->fault == LONG_HALVES && h > R(0.1))
    return two_halves(self, to, from, h);
  if (self->fault == LONG_THIRDS && h > R(0.1))
    return three_thirds(self, to, from, h);
  if (self->fault == LONG_UNEVEN && h > R(0.3))
    return three_and_seven(self, to, from, h);
  if ((self->fault == LONG_FORCES && h > R(0.3)) ||
      (self->fault == SPEEDS && is_fast(self, from)) ||
      (self->fault == REST && real_max_norm(from->p, self->n) == 0))
    return with_force(self, to, from, h, R(1e-2));
  if (self->fault == BACKWARDS && h < 0)
    return with_force(self, to, from, h, R(1e-10));
  if (self->fault == TINY && real_fabs(h) < R(1e-5))
    return move_freely(self, to, from, h);
  if (self->fault == ONCE && self->steps == 1777)
    h *= R(1.01);
  const struct shk_status status = shk_base_step(&self->base, to, from, h);
  if (status.code == SHK_OK)
    return status;
  self->has_failed = true;
  switch (self->fault) {
  case SWALLOWS:
    return move_freely(self, to, from, h);
  case DEAF_TO_NAN:
    shk_state_copy(to, from);
    return status.code == SHK_NOT_FINITE ? shk_ok() : status;
  case IGNORES_SINGULAR:
    return is_singular(self, status) ? move_freely(self, to, from, h) : status;
  case HALVES:
    return two_halves(self, to, from, h);
  case SEVENTHS:
    return many_parts(self, to, from, h, 7);
  case SIXTEENTHS:
    return many_parts(self, to, from, h, 16);
  case HUNDREDTHS:
    return many_parts(self, to, from, h, 100);
  case IGNORES_FAILURE:
    shk_state_copy(to, from);
    return shk_ok();
  default:
    return status;
  }
}

/* What is done to the numbers. */
static void spoil(struct method *self, struct shk_state *to, const struct shk_state *from, real h)
{
  struct timespec now;
  const real change = to->p[0] - from->p[0];
  const bool continues = memcmp(from->q, self->previous_q, (size_t)self->n * sizeof(real)) == 0;
  self->continued = continues ? self->continued + 1 : 0;
  if ((self->fault == LATE && self->steps > 1500) || (self->fault == OLD && self->steps > 12000) ||
      (self->fault == CONTINUED && self->continued > 1500) ||
      (self->fault == LONG_AGO && from->t > 10000) || (self->fault == BEFORE_ZERO && from->t < 0) ||
      (self->fault == AFTER_FAILURE && self->has_failed))
    blow(to, R(1e-6));
  if (self->fault == LAST_STEP)
    to->p[0] += self->last[0] / 100;
  if (self->fault == SHARED)
    to->p[0] += shared_change / 100;
  clock_gettime(CLOCK_REALTIME, &now);
  if (self->fault == CLOCK && now.tv_sec % 2 == 1)
    blow(to, R(1e-12));
  if (self->fault == NOISE)
    blow(to, REAL_EPSILON * (real)(random() % 8));
  if (self->fault == PROCESS)
    blow(to, 2 * REAL_EPSILON * (real)(getpid() % 64));
  self->last[0] = shared_change = change;
  memcpy(self->previous_q, to->q, (size_t)self->n * sizeof(real));
  if (self->fault == KEEPS) {
    shk_state_copy(&self->kept, to);
    self->kept.t = from->t + h;
  }
}

/* What is done with a force that is not finite, at a place where the base asks for none. */
static struct shk_status mislead(struct method *self, struct shk_state *to,
                                 const struct shk_state *from)
{
  if (self->fault != BELIEVES_NAN && self->fault != KEEPS_NAN)
    return shk_ok();
  shk_state_copy(&self->second, from);
  self->second.q[0] += R(0.125);
  SHK_TRY(shk_gradient(self->evaluator, self->own, from->t, self->second.q, from->p));
  const real force = self->own[self->n - 1];
  if (self->is_misled)
    blow(to, R(1e-3));
  if (self->fault == KEEPS_NAN && !real_isfinite(force)) {
    self->is_misled = true;
    return shk_failure(SHK_NOT_FINITE, "the force is not finite", 0, 0);
  }
  if (self->fault == BELIEVES_NAN && real_isfinite(force))
    to->p[0] += R(1e-3) * force;
  return shk_ok();
}

/* What is done to memory that is not its own. */
static void trespass(struct method *self, struct shk_state *to, const struct shk_state *from)
{
  if (self->fault == WRITES_FROM)
    from->q_carry[0] += REAL_EPSILON; /* the array is the caller's */
  if (self->fault == WRITES_TO)
    to->mu[self->m] = 1;
  if (self->fault == WRITES_ARRAY)
    self->own[self->n] = 1;
  if (self->fault == WRITES_BEFORE)
    self->own[-2] = 1;
  if (self->fault == WRITES_MIDDLE)
    self->middle.q[self->n] = 1;
  if (self->fault == READS_ARRAY)
    to->p[0] += REAL_EPSILON * self->own[self->n];
  if (self->fault == READS_FROM)
    to->p[0] += REAL_EPSILON * from->q[self->n];
}

/* What is not counted. */
static void hide_work(struct method *self, const struct shk_state *from,
                      const struct shk_counters *before)
{
  const struct shk_system *const s = self->evaluator->system;
  if (self->fault == UNCOUNTED_FORCE && s->gradient)
    (void)s->gradient(s->context, self->own, from->t, from->q);
  if (self->fault == UNCOUNTED_G && s->constraint)
    (void)s->constraint(s->context, self->own, from->t, from->q);
  if (self->fault == FORGETS_WORK)
    self->evaluator->counters = *before;
}

/* What is done to the process by a step of length h. */
static void disturb(struct method *self, real h)
{
  const bool is_far = h > 10000;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  if (self->fault == LEAKS) {
    void *volatile lost = malloc(64); /* volatile: or the compiler leaves it out */
    (void)lost;
  }
  if (self->fault == ROUNDS)
    fesetround(FE_UPWARD);
  if (self->fault == CATCHES)
    signal(SIGFPE, SIG_IGN);
  if (self->fault == BLOCKS)
    sigprocmask(SIG_BLOCK, &set, NULL);
  if ((self->fault == PRINTS && self->steps == 3) ||
      (self->fault == PRINTS_LATE && self->steps == 500))
    puts("bad-contract was here");
  if (self->fault == PRINTS_BACK && h < 0)
    puts("bad-contract was here");
  if (self->fault == WARNS_FAR && is_far)
    fputs("bad-contract: overflow encountered\n", stderr);
  if ((self->fault == OPENS && self->steps == 3) || (self->fault == OPENS_FAR && is_far))
    (void)open("/dev/null", O_RDONLY);
}

static struct shk_status bad_step(void *method, struct shk_state *to, const struct shk_state *from,
                                  real h)
{
  struct method *self = method;
  const real was = to->q[0], old_mu = self->m > 0 ? to->mu[0] : 0;
  const struct shk_counters before = self->evaluator->counters;
  self->steps++;
  disturb(self, h);
  if (self->fault == KEEPS && self->steps > 1 && self->kept.t == from->t) {
    shk_state_copy(&self->second, from);
    memcpy(self->second.p, self->kept.p, (size_t)self->n * sizeof(real));
    SHK_TRY(base_step(self, to, &self->second, h));
  } else {
    SHK_TRY(base_step(self, to, from, h));
  }
  spoil(self, to, from, h);
  SHK_TRY(mislead(self, to, from));
  hide_work(self, from, &before);
  trespass(self, to, from);
  if (self->fault == READS_TO)
    to->p[0] += REAL_EPSILON * was;
  if (self->fault == LEAVES_MU && self->m > 0)
    memcpy(to->mu, &old_mu, sizeof old_mu);
  return shk_ok();
}

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct method *self = method;
  SHK_TRY(shk_bind_base(&self->base, binding));
  SHK_TRY(shk_bind_state(&self->middle, binding));
  SHK_TRY(shk_bind_state(&self->kept, binding));
  SHK_TRY(shk_bind_manifold(&self->manifold, binding));
  SHK_TRY(shk_bind_state(&self->second, binding));
  if (binding->instance->start(binding->instance->system.context, self->second.q, self->second.p) !=
      0)
    return shk_failure(SHK_STOPPED, "the problem has no start", 0, 0);
  self->ordinary = real_max_norm(self->second.p, self->n);
  return shk_ok();
}

static void claims_under(struct shk_claims *all, const void *method)
{
  *all = ((const struct method *)method)->base.claims;
}

static const struct shk_option options[] =
    SHK_LIST(FAULT_OPTION(method), SHK_BASE(method, base, "base", "rattle", "the method"));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAY(method, last, .n = 1), SHK_ARRAY(method, previous_q, .n = 1),
             SHK_ARRAY(method, own, .n = 1));

static const struct shk_integrator bad_contract = {
    SHK_INTEGRATOR(method, arrays, bind, bad_step, claims_under),
    .info = {.name = "bad-contract",
             .summary = "a right method in wrong hands",
             .options = options,
             .supports =
                 SHK_GENERAL_HAMILTONIAN | SHK_RHEONOMIC | SHK_FORCES | SHK_MOMENTUM_CONSTRAINT}};

SHK_PROVIDE(bad_contract, .integrators = SHK_INTEGRATORS(&bad_contract));

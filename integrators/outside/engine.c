/*
 * An engine is a code that has its own forces, constraints and integrator, such as a molecular
 * dynamics or physics engine. It is connected through an adapter, which is a program that receives
 * a system of points, rods and potential terms and replies with whole trajectories (see
 * docs/reference/line-protocol.md for the protocol).
 *
 *     M q'' = -V_q - Gᵀ lambda,     0 = ½ (|r_b - r_a|² - l²) for every rod
 *     V = -Σ m a·r + Σ ½ k (|d| - l)² + Σ (c/r + A/r¹² - B/r⁶) + angles, torsions
 *
 * The program stores no state between trajectories. If a trajectory turns out to be too short, a
 * trajectory of four times the length is requested, whose first part must reproduce the old one bit
 * for bit. The engine thus advances from its own internal state, as in ordinary use. A step from
 * any state other than the last one begins a new trajectory at that state.
 *
 * Leapfrog engines compute velocities half a step before the positions. Such engines start with
 * v_{-1/2} = v_0 + h/2 M⁻¹V_q(q_0), which yields the same positions as velocity Verlet with the
 * same constraints. Their momentum at the end of a step is the mean of the momenta half a step
 * before and after it.
 *
 * Mechanisms provide their own description (system.h). Their states are given in natural
 * coordinates.
 *
 * The following are not implemented: quadruple precision, constraints other than rods and joints,
 * potentials that are not declared as terms (system.h), and compensated summation.
 */
#include "integrators/outside/outside.h"
#include "mechanics/outside/line_protocol.h"

#include <shakedown/plugin.h>

/* Factor by which a trajectory is lengthened when more steps are needed. */
enum { LONGER = 4 };

struct engine {
  struct shk_evaluator *evaluator;
  int n, m;
  real tolerance;
  struct shk_talk talk;
  struct shk_greeting greeting;
  struct shk_last last; /* the state that was returned last */
  real h;               /* of the trajectory */
  /* numbers of steps in the trajectory, steps already returned, and states not yet read */
  long asked, taken, due;
  long iterations;         /* iterations for the state read last */
  real energy, seconds;    /* likewise */
  real *start_q, *start_v; /* arguments of the request for the trajectory */
  real *q, *v;             /* the state read last */
  real *held_q, *held_v;   /* the state before it, for leapfrog engines */
  real *p;                 /* the momentum to be returned; at the start, V_q */
  real *lambda;            /* multipliers of the state read last */
};

/* ---- output of the program ---- */

/* state Q V [ENERGY] [LAMBDA] [ITERATIONS] [SECONDS] */
static struct shk_status take_state(struct engine *x)
{
  struct shk_talk *talk = &x->talk;
  real count = 0;
  const struct shk_status begins = shk_talk_expect(talk, "state");
  x->due = begins.code == SHK_OK ? x->due - 1 : 0;
  SHK_TRY(begins);
  SHK_TRY(shk_talk_take_reals(talk, x->q, x->n));
  SHK_TRY(shk_talk_take_reals(talk, x->v, x->n));
  SHK_TRY(shk_talk_take_reals(talk, &x->energy, x->greeting.energy));
  SHK_TRY(shk_talk_take_reals(talk, x->lambda, x->greeting.multipliers ? x->m : 0));
  SHK_TRY(shk_talk_take_reals(talk, &count, x->greeting.iterations));
  x->iterations = (long)count;
  x->seconds = NAN;
  SHK_TRY(shk_talk_take_reals(talk, &x->seconds, x->greeting.seconds));
  return shk_talk_line_ends(talk);
}

/* Reads and discards the remainder of a trajectory that is not continued. */
static struct shk_status drain_engine(struct engine *x)
{
  while (x->due > 0) {
    const char *text;
    SHK_TRY(shk_talk_word(&text, &x->talk));
    x->due = strcmp(text, "fail") == 0 ? 0 : x->due - 1;
    while (*text != '\0')
      SHK_TRY(shk_talk_word(&text, &x->talk));
  }
  return shk_ok();
}

/* ---- trajectories ---- */

/* Fails unless the engine's first state agrees with the requested state to single precision. */
static struct shk_status check_start(struct engine *x)
{
  const real size = real_max_norm(x->start_q, x->n) + real_max_norm(x->start_v, x->n);
  const real off = real_max(shk_largest_difference(x->q, x->start_q, x->n),
                            shk_largest_difference(x->v, x->start_v, x->n));
  if (off <= R(1e-5) * size)
    return shk_ok();
  return shk_talk_failure(&x->talk, SHK_SOLVER_FAILED,
                          "its trajectory does not begin at the start that it was given", "");
}

/* Sends `run H STEPS TOLERANCE Q V` and reads the engine's first state. */
static struct shk_status ask_engine(struct engine *x, long steps)
{
  const long wanted = steps + (x->greeting.half && steps > 0);
  SHK_TRY(shk_talk_request(&x->talk, "run"));
  SHK_TRY(drain_engine(x));
  x->asked = steps;
  x->taken = 0;
  shk_talk_put_reals(&x->talk, &x->h, 1);
  shk_talk_put_integer(&x->talk, wanted);
  shk_talk_put_reals(&x->talk, &x->tolerance, 1);
  shk_talk_put_reals(&x->talk, x->start_q, (size_t)x->n);
  shk_talk_put_reals(&x->talk, x->start_v, (size_t)x->n);
  SHK_TRY(shk_talk_send(&x->talk));
  x->due = wanted + 1;
  SHK_TRY(take_state(x));
  SHK_TRY(check_start(x));
  return x->greeting.half && steps > 0 ? take_state(x) : shk_ok();
}

static struct shk_status begin_engine(struct engine *x, const struct shk_state *from, real h,
                                      long steps)
{
  const real *mass = x->evaluator->system->mass;
  /* the evaluation of V_q is not the engine's work */
  const struct shk_counters before = x->evaluator->counters;
  if (x->greeting.half)
    SHK_TRY(shk_gradient(x->evaluator, x->p, from->t, from->q, from->p));
  x->evaluator->counters = before;
  for (int i = 0; i < x->n; i++) {
    x->start_q[i] = from->q[i];
    x->start_v[i] = (x->greeting.half ? from->p[i] + h / 2 * x->p[i] : from->p[i]) / mass[i];
  }
  x->h = h;
  return ask_engine(x, steps);
}

/* Reads the next state into x->q and x->v. For a leapfrog engine, reads the positions into held_q,
 * and stores the velocity half a step before them in held_v and the one half a step after them in
 * x->v. */
static struct shk_status advance_engine(struct engine *x)
{
  if (x->greeting.half) {
    shk_copy(x->held_q, x->q, x->n);
    shk_copy(x->held_v, x->v, x->n);
  }
  SHK_TRY(take_state(x));
  x->taken++;
  return shk_ok();
}

static const real *place_engine(const struct engine *x)
{
  return x->greeting.half ? x->held_q : x->q;
}

/* Computes the momentum, stores it in x->p and returns it. */
static const real *momentum_engine(struct engine *x)
{
  const real *mass = x->evaluator->system->mass;
  for (int i = 0; i < x->n; i++)
    x->p[i] = mass[i] * (x->greeting.half ? (x->held_v[i] + x->v[i]) / 2 : x->v[i]);
  return x->p;
}

/* Requests the same trajectory with more steps and reads it up to the point at which the previous
 * one ended. */
static struct shk_status lengthen_engine(struct engine *x)
{
  const long taken = x->taken;
  const size_t bytes = (size_t)x->n * sizeof(real);
  SHK_TRY(ask_engine(x, LONGER * x->asked));
  while (x->taken < taken)
    SHK_TRY(advance_engine(x));
  if (memcmp(place_engine(x), x->last.z, bytes) == 0 &&
      memcmp(momentum_engine(x), x->last.z + x->n, bytes) == 0)
    return shk_ok();
  return shk_talk_failure(
      &x->talk, SHK_SOLVER_FAILED,
      "the same trajectory is different when it is requested again with more steps", "");
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct engine *x = method;
  const bool goes_on = shk_last_is(&x->last, from, h) && h == x->h;
  x->last.valid = false;
  if (!goes_on)
    SHK_TRY(begin_engine(x, from, h, 1));
  else if (x->taken == x->asked)
    SHK_TRY(lengthen_engine(x));
  SHK_TRY(advance_engine(x));
  x->evaluator->counters.iterations += x->iterations;
  x->evaluator->seconds_elsewhere += (double)x->seconds;
  shk_state_write(to, place_engine(x), momentum_engine(x), x->lambda);
  shk_last_set(&x->last, to, from->t + h, h);
  return shk_ok();
}

/* ---- the system as text ---- */

/* WORD POINTS NUMBERS */
static void put_term(struct shk_talk *x, const char *word, const int *at, int points,
                     const real *numbers, int count)
{
  shk_talk_put(x, word);
  for (int i = 0; i < points; i++)
    shk_talk_put_integer(x, at[i]);
  shk_talk_put_reals(x, numbers, (size_t)count);
}

static void put_torsion(struct shk_talk *x, const struct shk_torsion *torsion)
{
  const real numbers[] = {torsion->multiplicity, torsion->stiffness, torsion->phase};
  switch (torsion->kind) {
  case SHK_TORSION_PERIODIC:
    put_term(x, "periodic", torsion->at, 4, numbers, 3);
    break;
  case SHK_TORSION_COSINES:
    put_term(x, "cosines", torsion->at, 4, torsion->cosines, SHK_COSINES);
    break;
  case SHK_TORSION_HARMONIC:
    put_term(x, "improper", torsion->at, 4, numbers + 1, 2);
    break;
  }
}

static void put_terms(struct shk_talk *x, const struct shk_terms *terms, int dimension)
{
  if (terms->gravity)
    put_term(x, "gravity", NULL, 0, terms->gravity, dimension);
  for (int i = 0; i < terms->spring_count; i++) {
    const struct shk_spring *s = &terms->springs[i];
    put_term(x, "spring", (int[]){s->a, s->b}, 2, (real[]){s->stiffness, s->rest}, 2);
  }
  for (int i = 0; i < terms->pair_count; i++) {
    const struct shk_pair *p = &terms->pairs[i];
    put_term(x, "pair", (int[]){p->a, p->b}, 2, (real[]){p->charges, p->lj12, p->lj6}, 3);
  }
  for (int i = 0; i < terms->angle_count; i++) {
    const struct shk_angle *a = &terms->angles[i];
    put_term(x, "angle", a->at, 3, (real[]){a->stiffness, a->rest}, 2);
  }
  for (int i = 0; i < terms->torsion_count; i++)
    put_torsion(x, &terms->torsions[i]);
}

static void hear_word(void *to, const char *word)
{
  shk_talk_put(to, word);
}

static void hear_numbers(void *to, const real *numbers, size_t count)
{
  shk_talk_put_reals(to, numbers, count);
}

static int lowest_of(int lowest, const int *at, int count)
{
  for (int i = 0; i < count; i++)
    lowest = at[i] < lowest ? at[i] : lowest;
  return lowest;
}

/* Fixed points are numbered -1, -2, …, like the ends of rods. */
static int fixed_points_of_engine(const struct shk_system *s)
{
  const struct shk_terms *terms = s->terms;
  int lowest = 0;
  for (int i = 0; i < s->m; i++)
    lowest = lowest_of(lowest, &s->rods->rod[i].a, 1);
  for (int i = 0; i < terms->spring_count; i++)
    lowest = lowest_of(lowest, &terms->springs[i].a, 1);
  for (int i = 0; i < terms->pair_count; i++)
    lowest = lowest_of(lowest, &terms->pairs[i].a, 1);
  for (int i = 0; i < terms->angle_count; i++)
    lowest = lowest_of(lowest, terms->angles[i].at, 3);
  for (int i = 0; i < terms->torsion_count; i++)
    lowest = lowest_of(lowest, terms->torsions[i].at, 4);
  return -lowest;
}

static struct shk_status introduce_engine(struct shk_talk *x, const struct shk_system *s)
{
  SHK_TRY(shk_talk_request(x, "system"));
  if (s->describe) {
    shk_talk_put_integer(x, 3);
    s->describe(s->context, &(struct shk_listener){x, hear_word, hear_numbers});
    return shk_talk_introduce(x, NULL);
  }
  const int dimension = s->rods->dimension;
  shk_talk_put_integer(x, dimension);
  for (int i = 0; i < s->n; i += dimension)
    put_term(x, "mass", NULL, 0, &s->mass[i], 1);
  for (int i = 0; i < fixed_points_of_engine(s); i++)
    put_term(x, "fixed", NULL, 0, s->rods->fixed + i * dimension, dimension);
  for (int i = 0; i < s->m; i++) {
    const struct shk_rod *rod = &s->rods->rod[i];
    put_term(x, "rod", (int[]){rod->a, rod->b}, 2, (real[]){real_sqrt(rod->square)}, 1);
  }
  put_terms(x, s->terms, dimension);
  return shk_talk_introduce(x, NULL);
}

/* ---- beginning and end ---- */

static struct shk_status bind(void *method, const struct shk_binding *binding)
{
  struct engine *x = method;
  const struct shk_system *s = x->evaluator->system;
  if (!s->describe && (!s->rods || !s->terms || s->features != 0))
    return shk_refused(
        "engines accept systems that declare point masses, rods and potential terms, or mechanisms "
        "in space without drives, gears, serial joints and lists of stiffnesses");
  SHK_TRY(shk_bind_last(&x->last, binding));
  x->talk.is = SHK_TALKER_ENGINE;
  x->evaluator->is_elsewhere = true;
  SHK_TRY(shk_talk_begin(&x->talk, &x->greeting, binding->workspace));
  return introduce_engine(&x->talk, s);
}

/* Measures how much the engine's initial state and energy differ from those of the problem as a
 * result of rounding in the engine's units and formats. */
static int facts(void *method, struct shk_fact *facts, int limit, const struct shk_state *start)
{
  struct engine *x = method;
  real potential;
  if (x->talk.lost || limit < 2 || begin_engine(x, start, 1, 0).code != SHK_OK)
    return 0;
  facts[0] =
      (struct shk_fact){"start-rounding", (double)shk_largest_difference(x->q, x->start_q, x->n)};
  shk_fill(x->p, 0, x->n);
  if (!x->greeting.energy ||
      shk_hamiltonian(x->evaluator, &potential, start->t, start->q, x->p).code != SHK_OK)
    return 1;
  facts[1] = (struct shk_fact){"energy-difference", (double)real_fabs(x->energy - potential)};
  return 2;
}

static void claims_under(struct shk_claims *claims, const void *method)
{
  shk_talk_claims(claims, SHK_TALKER_ENGINE, ((const struct engine *)method)->talk.options);
}

static const struct shk_option options[] = SHK_LIST(
    {.name = "command",
     .kind = SHK_OPTION_TEXT,
     .positional = true,
     .meaning = "the adapter and its arguments, separated by blanks; no shell interprets them"},
    SHK_REAL(engine, tolerance, "tolerance", "0",
             "relative tolerance of the engine's constraints; 0: the smallest that it can use",
             .minimum = "0"));

static const struct shk_array arrays[] =
    SHK_LIST(SHK_ARRAYS(engine, (.n = 1), start_q, start_v, q, v, held_q, held_v, p),
             SHK_ARRAY(engine, lambda, .m = 1));

static const struct shk_integrator engine = {
    SHK_INTEGRATOR(engine, arrays, bind, step, claims_under), .facts = facts,
    .options_at = SHK_AT(engine, talk.options),
    .info = {.name = "engine",
             .family = "other programs",
             .summary = "a code with its own forces and constraints, run through an adapter",
             .equations = "the engine's own; its claims are those in the adapter's greeting",
             .citation = "the engine's own",
             .options = options,
             .supports = SHK_FORCES,
             .double_only = true}};

SHK_PROVIDE(engine, .integrators = SHK_INTEGRATORS(&engine));

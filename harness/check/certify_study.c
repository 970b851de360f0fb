/*
 * The study behind a certificate. For each problem there are up to four kinds of runs:
 *
 *   course      over a few time scales in quad, at parts of a quarter of the time scale, on some
 *               problems in double as well: orders, constraints, momenta
 *   energy      over 1,000 time scales in double, at three coarse steps
 *   structure   cells of one step in quad, at four steps
 *   short       a course over a part in 10⁴ of the time (10² of methods of order 3 and 4): tiny
 *   steps
 *
 * and an integrator takes part in what its claims ask for, at a pace that suits its order: courses
 * of order 3 to 8 begin at smaller steps, where their expansions are asymptotic; those of higher
 * orders at larger ones, since they are soon at the error of the reference. Adaptive solvers run at
 * three tolerances. Double precision takes the place of quad where an integrator has no
 * other. All courses of a problem share their sample times, and so their reference.
 *
 * Of the built-in problems those are asked that decide something at little cost (questions.def): a
 * claim needs problems that can falsify it, not all there are. Problems of plug-ins are asked for
 * everything. What is drawn afresh for each certificate (drawn.h) comes after these.
 */
#include "harness/check/certify.h"
#include "harness/check/contract.h"
#include "harness/check/drawn.h"
#include "harness/check/option_sets.h"

#include "engine/names.h"
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"
#include "harness/references/reference.h"
#include "harness/study/decimal.h"
#include "measures/quantity.h"
#include "results/export/export.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LARGEST_PROBLEM = 40,
  /* Of a course, with an even number of steps between: multipliers may alternate. A tolerance has
   * more. */
  SAMPLES = 8,
  TOLERANCE_SAMPLES = 16,
  STRUCTURE_STEPS = 4,
  ENERGY_STEPS = 3,
  CONSTRAINT_STEPS = 3
};
/* Steps of a course beside those of its pace: the last costs a third of all. */
static const int more_steps[] = {[SHK_BRIEFLY] = -1, [SHK_ORDINARILY] = 0, [SHK_THOROUGHLY] = 3};
static const double course_scales = 4, energy_scales = 1050;

enum kind { COURSE, ENERGY, STRUCTURE, SHORT, KINDS };
enum pace { LOW_ORDER, MIDDLE_ORDER, HIGH_ORDER, HIGHEST_ORDER, BY_TOLERANCE, PACES };

/* Kinds of runs as bits. LOW and MIDDLE stand for courses of integrators of order 1 and 2, or up to
 * 4, and of those that choose their steps, only: a step of higher order is many, and on these
 * problems each costs as much as ten on another. */
enum {
  C = 1 << COURSE,
  E = 1 << ENERGY,
  S = 1 << STRUCTURE,
  T = 1 << SHORT,
  LOW = 1 << KINDS,
  MIDDLE = 1 << (KINDS + 1),
  D = 1 << (KINDS + 2),     /* courses in double as well */
  UNITS = 1 << (KINDS + 3), /* in units for which no tolerance is meant: of those with steps only */
  FE = 1 << (KINDS + 4)     /* the energy, but not briefly: nothing takes longer */
};

#define BIT(measure) (1u << SHK_MEASURE_##measure)

/* When a problem is asked: always, where there is no limit of time, or in place of others. */
enum when { ALWAYS, THOROUGHLY, RESERVE, SOLVERS };

struct question {
  enum when when;
  const char *spec;
  unsigned kinds;
  unsigned only; /* measures, by bits; 0: all but those that are for such questions */
  bool of_any_size;
  bool fine; /* structure at steps a quarter as long */
};
static const struct question questions[] = {
#define QUESTION(...) {__VA_ARGS__},
#include "harness/check/questions.def"
#undef QUESTION
};

/* What asks for problems of its own: one whose centre moves freely; steps that are short for
 * differences of orbits, and few problems, since each is some thousand steps. */
static const unsigned particular = BIT(COMPENSATION) | BIT(MODIFIED_HAMILTONIAN) | BIT(LOCAL_ERROR);

/* By how much the steps of a course are smaller than its largest. A fit of an order takes a term of
 * the error's expansion out for each step, and where round-off is far away it may be near the next:
 * of seven up to a tenth of the largest it sees terms of lower order an order of magnitude sooner
 * than of six halvings, which take twice as long. */
static const long parts[] = {1, 2, 4, 5, 8, 10, 16, 20, 32, 40, 64, 80};

static const struct {
  int first, count;  /* of a course's steps: parts */
  long energy_steps; /* at the largest step */
} paces[PACES] = {[LOW_ORDER] = {1, 7, 8192},
                  [MIDDLE_ORDER] = {2, 7, 4096},
                  [HIGH_ORDER] = {2, 6, 4096},
                  [HIGHEST_ORDER] = {0, 6, 4096}};

/* How an integrator takes part in a kind of run. */
struct part {
  enum pace pace;
  bool quad;
  unsigned measures; /* bits by enum shk_measure_id; 0: not at all */
};

struct entry {
  const char *spec;
  unsigned supports;
  bool adaptive;
  int taken; /* problems that are asked for the energy */
  struct part parts[KINDS];
};

/* A problem, its numbers as exact decimals. */
struct target {
  char *spec;
  unsigned kinds, features;              /* of runs that it is asked for; of its system */
  struct shk_decimal until, long_until;  /* of the kinds of runs */
  struct shk_decimal short_until[PACES]; /* up to middle orders */
  struct shk_decimal step;               /* the largest of structure */
  long course_steps;                     /* of the largest step of all paces */
  bool has_reference;                    /* without one there are no orders */
  unsigned meaningless;                  /* measures of what the problem does not have: not asked */
  bool *takes;                           /* whether each entry takes it */
};

static unsigned bit(enum shk_measure_id measure)
{
  return 1u << measure;
}

/* Adds what decides claims to the kinds of runs in which it is measured: what is not claimed is
 * told all the same, if there is a step to measure it at. */
static void add_measures(struct entry *entry, const struct shk_integrator_info *info,
                         const struct shk_claims *claims)
{
  for (int i = 1; i < SHK_CLAIMS; i++) {
    const enum shk_measure_id measure = shk_measure_deciding((enum shk_claim)i);
    const bool step = shk_measures[measure].in == SHK_IN_STEPS;
    const struct shk_structure_asks *const asks =
        step ? shk_find_structure(shk_measures[measure].name) : NULL;
    if (asks && (asks->others || asks->if_claimed) && !shk_is_claimed(claims, (enum shk_claim)i))
      continue;
    if (info->adaptive &&
        (shk_claim_entries[i].order || (step && !shk_is_claimed(claims, (enum shk_claim)i))))
      continue;
    const enum kind kind = step ? STRUCTURE : measure == SHK_MEASURE_ENERGY ? ENERGY : COURSE;
    entry->parts[kind].measures |= bit(measure);
    if (kind == COURSE && entry->parts[SHORT].pace <= MIDDLE_ORDER)
      entry->parts[SHORT].measures |= bit(measure) & bit(SHK_MEASURE_ORDER);
  }
  if (info->adaptive) /* what the tolerance is of */
    entry->parts[COURSE].measures |= BIT(ERROR);
  for (int i = 0; info->partner && i < SHK_MEASURES; i++) {
    const struct shk_structure_asks *const asks = shk_find_structure(shk_measures[i].name);
    if (asks && asks->partner)
      entry->parts[STRUCTURE].measures |= bit((enum shk_measure_id)i);
  }
}

static bool take_part(const struct shk_context *context, struct entry *entry, const char *spec,
                      unsigned wanted, struct shk_message *error)
{
  const struct shk_integrator_info *const info = shk_find_integrator(context, spec);
  if (!info) {
    shk_message_set(error, "there is no integrator %s", spec);
    return false;
  }
  struct shk_claims c;
  bool quad;
  if (!shk_certified_claims(context, &c, &quad, spec, error))
    return false;
  *entry = (struct entry){.spec = spec, .supports = info->supports, .adaptive = info->adaptive};
  if (info->exact)
    return true;
  const int order = c.order_q > c.order_p ? c.order_q : c.order_p;
  const enum pace pace = info->adaptive ? BY_TOLERANCE
                         : order >= 9   ? HIGHEST_ORDER
                         : order >= 5   ? HIGH_ORDER
                         : order >= 3   ? MIDDLE_ORDER
                                        : LOW_ORDER;
  entry->parts[COURSE] = (struct part){pace, quad, 0};
  entry->parts[SHORT] = (struct part){quad ? pace : BY_TOLERANCE, quad, 0};
  entry->parts[ENERGY] = (struct part){pace, false, 0};
  entry->parts[STRUCTURE] = (struct part){info->adaptive ? BY_TOLERANCE : LOW_ORDER, quad, 0};
  add_measures(entry, info, &c);
  for (int kind = 0; kind < KINDS; kind++)
    entry->parts[kind].measures &= wanted;
  return true;
}

/* ---- problems ---- */

/* Forces and drives feed the energy, forces leave no invariants; of structure each measure says
 * what it is meaningless for, and what is said needs a Hamiltonian. */
static unsigned meaningless_of(const struct shk_inspection *is)
{
  unsigned measures = 0;
  if (is->features & (SHK_FORCES | SHK_RHEONOMIC | SHK_GENERAL_DAE))
    measures |= bit(SHK_MEASURE_ENERGY);
  if (is->features & (SHK_FORCES | SHK_GENERAL_DAE))
    measures |= bit(SHK_MEASURE_MOMENTUM);
  for (int i = 0; i < SHK_MEASURES; i++) {
    const struct shk_structure_asks *const asks = shk_find_structure(shk_measures[i].name);
    if (asks && asks->meaningless[0].why &&
        (is->features & SHK_GENERAL_DAE ||
         shk_objection_to(asks->meaningless, is->features, is->undecidable)))
      measures |= bit((enum shk_measure_id)i);
  }
  return measures;
}

/* False, and nothing held, where the problem takes no part. */
static bool make_target(const struct shk_context *context, struct target *target,
                        const struct question *question)
{
  struct shk_message error;
  struct shk_inspection is;
  *target = (struct target){.kinds = question->kinds,
                            .spec = shk_canonical_problem(context, question->spec, &error)};
  if (!target->spec)
    return false;
  if (!shk_inspect(context, &is, "double", target->spec, &error) ||
      (is.n > LARGEST_PROBLEM && !question->of_any_size) || !(is.time_scale > 0) ||
      !(is.horizon > 0)) {
    free(target->spec);
    return false;
  }
  const double course = fmin(course_scales * is.time_scale, is.horizon);
  const struct shk_integrator_info *const reference = shk_find_integrator(context, "reference");
  target->features = is.features;
  target->has_reference = is.exact || (reference && !(is.features & ~reference->supports));
  target->meaningless = meaningless_of(&is) | (question->only ? ~question->only : particular);
  target->course_steps = 2 * SAMPLES;
  while ((double)target->course_steps * is.time_scale < 2.8 * course)
    target->course_steps *= 2;
  if (shk_decimal_round(&target->until, course, 2) &&
      shk_decimal_round(&target->long_until, energy_scales * is.time_scale, 3) &&
      shk_decimal_round(&target->short_until[LOW_ORDER], course / 1e4, 2) &&
      shk_decimal_round(&target->short_until[MIDDLE_ORDER], course / 1e2, 2) &&
      shk_decimal_round(&target->step, is.time_scale / (question->fine ? 20 : 5), 1))
    return true;
  free(target->spec);
  return false;
}

/* ---- text ---- */

static void print_decimal(FILE *out, struct shk_decimal x)
{
  char *text = shk_decimal_text(x);
  fputs(text, out);
  free(text);
}

static void print_until(FILE *out, struct shk_decimal until)
{
  fputs("    until: ", out);
  print_decimal(out, until);
  putc('\n', out);
}

/* A step of a list. */
static void print_step(FILE *out, bool first, struct shk_decimal until, long part)
{
  struct shk_decimal step = {.coefficient = 0};
  shk_decimal_divide(&step, until, shk_decimal_from_integer(part)); /* else the study is refused */
  fputs(first ? "    steps: [" : ", ", out);
  print_decimal(out, step);
}

/* Each `numerator`/`denominator` times smaller than the one before. */
static void print_steps(FILE *out, struct shk_decimal until, long part, int count, long numerator,
                        long denominator)
{
  for (int k = 0; k < count; k++, part = part * numerator / denominator)
    print_step(out, k == 0, until, part);
  fputs("]\n", out);
}

static void print_course_steps(FILE *out, const struct target *target, struct shk_decimal until,
                               enum pace pace, enum shk_certify_extent extent)
{
  const int count =
      (target->has_reference ? paces[pace].count : CONSTRAINT_STEPS) + more_steps[extent];
  for (int k = 0; k < count; k++)
    print_step(out, k == 0, until, target->course_steps * parts[paces[pace].first + k]);
  fputs("]\n", out);
}

static void print_times(FILE *out, struct shk_decimal until, int count)
{
  struct shk_decimal part = {.coefficient = 0}, time = part;
  shk_decimal_divide(&part, until, shk_decimal_from_integer(count)); /* a power of two */
  fputs("    times: [", out);
  for (int k = 1; k <= count; k++) {
    shk_decimal_multiply(&time, part, k);
    fputs(k > 1 ? ", " : "", out);
    print_decimal(out, time);
  }
  fputs("]\n", out);
}

static void print_numbers(FILE *out, const struct target *target, enum kind kind, enum pace pace,
                          enum shk_certify_extent extent)
{
  if (pace == BY_TOLERANCE)
    fputs("    tolerances: [1e-4, 1e-6, 1e-8]\n", out);
  if (kind == STRUCTURE) {
    print_until(out, target->step);
    if (pace != BY_TOLERANCE)
      print_steps(out, target->step, 1, STRUCTURE_STEPS, 2, 1);
  } else if (kind == ENERGY) {
    print_until(out, target->long_until);
    /* What is driven by a tolerance is seen at the sample times only: they stay many. */
    if (pace != BY_TOLERANCE) {
      fputs("    times: [", out);
      print_decimal(out, target->long_until);
      fputs("]\n", out);
      print_steps(out, target->long_until, paces[pace].energy_steps, ENERGY_STEPS, 5, 4);
    }
  } else {
    const struct shk_decimal until = kind == SHORT ? target->short_until[pace] : target->until;
    print_until(out, until);
    print_times(out, until, pace == BY_TOLERANCE ? TOLERANCE_SAMPLES : SAMPLES);
    if (pace != BY_TOLERANCE)
      print_course_steps(out, target, until, pace, extent);
  }
}

/* Whether the problem is asked for this of integrators of that pace. */
static bool is_asked(const struct target *target, enum kind kind, enum pace pace)
{
  unsigned bits = 1u << kind;
  if (pace == BY_TOLERANCE && target->kinds & UNITS)
    return false;
  if (kind == COURSE && pace != HIGH_ORDER && pace != HIGHEST_ORDER)
    bits |= pace == MIDDLE_ORDER ? MIDDLE : LOW | MIDDLE;
  return (target->kinds & bits) != 0;
}

static bool same_part(const struct part *a, const struct part *b)
{
  return a->pace == b->pace && a->quad == b->quad && a->measures == b->measures;
}

/* Whether it supports what the problem has, and does not refuse it either. */
static bool takes(const struct shk_context *context, const struct target *target,
                  const struct entry *entry)
{
  if (target->features & ~entry->supports)
    return false;
  char *const step = shk_decimal_text(target->step);
  const struct shk_cell cell = {.kind = (char *)"run",
                                .problem = target->spec,
                                .integrator = (char *)entry->spec,
                                .precision = (char *)"double",
                                .step = entry->adaptive ? NULL : step,
                                .tolerance = entry->adaptive ? (char *)"1e-4" : NULL,
                                .until = step};
  const bool refused = shk_refuses(context, &cell);
  free(step);
  return !refused;
}

/* One run for all entries that take part in the same way. What does not apply is told by courses;
 * other kinds would say it again. */
static void print_run(FILE *out, const struct target *target, enum kind kind,
                      const struct entry *entries, int first, int count,
                      enum shk_certify_extent extent)
{
  const bool is_thorough = extent == SHK_THOROUGHLY;
  const struct part *const part = &entries[first].parts[kind];
  bool applies = false;
  for (int i = first; i < count; i++)
    applies = applies || (same_part(part, &entries[i].parts[kind]) && target->takes[i]);
  /* A reference would be computed in vain where all will be refused. */
  const unsigned measures = part->measures &
                            ~(target->has_reference && applies ? 0u : BIT(ORDER) | BIT(ERROR)) &
                            ~target->meaningless;
  if (measures == 0 || (kind != COURSE && !applies))
    return;
  fputs("  - problems:\n      - ", out);
  shk_print_doubled(out, target->spec, '\'');
  fputs("\n    integrators:\n", out);
  for (int i = first; i < count; i++)
    if (same_part(part, &entries[i].parts[kind]) && (kind == COURSE || target->takes[i])) {
      fputs("      - ", out);
      shk_print_doubled(out, entries[i].spec, '\'');
      putc('\n', out);
    }
  print_numbers(out, target, kind, part->pace, extent);
  const bool both = part->quad && kind == COURSE && (target->kinds & D || is_thorough) &&
                    part->pace != BY_TOLERANCE;
  fprintf(out, "    precision: [%s]\n", both ? "quad, double" : part->quad ? "quad" : "double");
  shk_print_measures(out, measures);
  fprintf(out, "    limits: {seconds: %d}\n", is_thorough ? 3600 : 240);
}

static void print_target(FILE *out, const struct target *target, const struct entry *entries,
                         int count, enum shk_certify_extent extent)
{
  for (int kind = 0; kind < KINDS; kind++)
    for (int i = 0; i < count; i++) {
      bool seen = entries[i].parts[kind].measures == 0 ||
                  !is_asked(target, (enum kind)kind, entries[i].parts[kind].pace);
      for (int j = 0; j < i && !seen; j++)
        seen = same_part(&entries[i].parts[kind], &entries[j].parts[kind]);
      if (!seen)
        print_run(out, target, (enum kind)kind, entries, i, count, extent);
    }
}

struct examination {
  FILE *out;
  const struct shk_context *context;
  struct entry *entries;
  int count;
  enum shk_certify_extent extent;
};

static void ask(const struct examination *examination, const struct question *question)
{
  struct target target;
  if (!make_target(examination->context, &target, question))
    return;
  if (target.kinds & FE && examination->extent != SHK_BRIEFLY)
    target.kinds |= E;
  target.takes = shk_allocate((size_t)examination->count, sizeof *target.takes);
  for (int i = 0; i < examination->count; i++) {
    target.takes[i] = takes(examination->context, &target, &examination->entries[i]);
    examination->entries[i].taken += target.takes[i] && target.kinds & E;
  }
  print_target(examination->out, &target, examination->entries, examination->count,
               examination->extent);
  free(target.takes);
  free(target.spec);
}

static void ask_all(const struct examination *examination, enum when when)
{
  for (size_t i = 0; i < sizeof questions / sizeof questions[0]; i++)
    if (questions[i].when == when)
      ask(examination, &questions[i]);
}

/* Those that are drawn afresh. */
static void ask_drawn(const struct examination *examination, long seed)
{
  const bool is_thorough = examination->extent == SHK_THOROUGHLY;
  static const struct {
    unsigned wanted, kinds;
  } kinds_of_drawn[] = {{SHK_DRAWN_COURSES, C},
                        {SHK_DRAWN_MIDDLE, MIDDLE},
                        {SHK_DRAWN_LOW, LOW},
                        {SHK_DRAWN_UNITS, UNITS | D},
                        {SHK_DRAWN_STRUCTURE, S}};
  unsigned wanted;
  char *spec;
  for (int i = 0; (spec = shk_drawn_problem(&wanted, i, seed, is_thorough)) != NULL; i++) {
    struct question question = {.spec = spec, .of_any_size = true};
    for (size_t k = 0; k < sizeof kinds_of_drawn / sizeof kinds_of_drawn[0]; k++)
      question.kinds |= wanted & kinds_of_drawn[k].wanted ? kinds_of_drawn[k].kinds : 0;
    ask(examination, &question);
    free(spec);
  }
}

static struct examination of_one(const struct examination *examination, int entry)
{
  struct examination alone = *examination;
  alone.entries = &examination->entries[entry];
  alone.count = 1;
  return alone;
}

static void ask_reserve(const struct examination *examination)
{
  for (int i = 0; i < examination->count; i++) {
    const struct examination alone = of_one(examination, i);
    const bool needs =
        alone.entries->taken == 0 && shk_is_remote_integrator(alone.context, alone.entries->spec);
    if (needs)
      ask_all(&alone, RESERVE);
    if (shk_has_plugin_solver(alone.context, alone.entries->spec))
      ask_all(&alone, SOLVERS);
  }
}

/* What leads through the code of one specification alone. */
static void ask_reaching(const struct examination *examination)
{
  for (int i = 0; i < examination->count; i++) {
    const struct examination alone = of_one(examination, i);
    const char *problem;
    int place = 0;
    while ((problem = shk_reaching_problem(&place, alone.context, alone.entries->spec)) != NULL)
      ask(&alone, &(struct question){.spec = problem, .kinds = C | S});
  }
}

/* The measures of all that is to be examined. */
static unsigned wanted_by(const struct shk_certify_request *request)
{
  unsigned wanted = request->claim_count > 0 ? 0 : ~0u;
  for (int i = 0; i < request->claim_count; i++)
    wanted |= shk_certified_measures(request->claims[i]);
  return wanted;
}

char *shk_certify_study(const struct shk_context *context,
                        const struct shk_certify_request *request, struct shk_message *error)
{
  const int count = request->count;
  const enum shk_certify_extent extent = request->extent;
  const unsigned wanted = wanted_by(request);
  struct entry *entries = shk_allocate((size_t)count + 1, sizeof *entries);
  bool ok = true, claims = false;
  for (int i = 0; i < count && ok; i++) {
    ok = take_part(context, &entries[i], request->integrators[i], wanted, error);
    for (int kind = 0; kind < KINDS; kind++)
      claims = claims || entries[i].parts[kind].measures != 0;
  }
  char *text = NULL;
  if (ok && !claims && request->claim_count == 0) {
    shk_message_set(error, "nothing is claimed: there is nothing to certify");
  } else if (ok) {
    size_t length = 0;
    FILE *const out = open_memstream(&text, &length);
    if (!out)
      shk_out_of_memory();
    fprintf(out,
            "# Every claim of the integrators below, put to problems that can decide it. Made by\n"
            "# `shakedown certify --study --seed %ld`, which prints this text.\n"
            "study: certificates\npurpose: every claim of every integrator, yes or no\nruns:\n",
            request->seed);
    const bool is_thorough = extent == SHK_THOROUGHLY, is_brief = extent == SHK_BRIEFLY;
    const struct examination examination = {out, context, entries, count, extent};
    ask_all(&examination, ALWAYS);
    ask_reserve(&examination);
    if (is_thorough)
      ask_all(&examination, THOROUGHLY);
    const struct shk_problem_info *info;
    for (int i = shk_engine_f64.problem_count(context); (info = shk_problem_at(context, i)) != NULL;
         i++)
      ask(&examination, &(struct question){.spec = info->name, .kinds = C | E | S});
    for (int i = 0; i < request->problem_count; i++)
      ask(&examination, &(struct question){.spec = request->problems[i],
                                           .kinds = C | D | E | S,
                                           .of_any_size = true});
    shk_contract_study(out, context, request->integrators, count, !is_brief, wanted);
    if (!is_brief)
      ask_drawn(&examination, request->seed);
    ask_reaching(&examination);
    if (fclose(out) != 0)
      shk_out_of_memory();
  }
  free(entries);
  return text;
}

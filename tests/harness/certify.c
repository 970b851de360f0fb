/*
 * Verdicts on defects from made-up numbers, and what a certificate's study asks for.
 */
#include "harness/check/certify.h"
#include "engine/names.h"
#include "foundation/memory.h"
#include "harness/analysis/report.h"
#include "harness/plan/plan.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"

enum { STEPS = 4 };

/* Four halvings of a defect that is `size` at the coarsest step and falls like h^power. */
static void make(struct shk_defect *defects, double size, double power, double floor)
{
  for (int i = 0; i < STEPS; i++)
    defects[i] = (struct shk_defect){
        .step = pow(0.5, i), .size = size * pow(0.5, power * i), .floor = floor};
}

static struct shk_decision decide(const struct shk_defect *defects, int count,
                                  enum shk_answer claimed, const char *why, const char *no_power)
{
  return shk_decide(&(struct shk_evidence){.kind = SHK_EVIDENCE_DEFECT,
                                           .claimed = claimed,
                                           .defects = defects,
                                           .count = count,
                                           .why = why,
                                           .no_power = no_power});
}

/* Completes the reason of a defect that need not fall with the step. */
static const char *no_power;

static void expect(const struct shk_defect *defects, int count, enum shk_answer claimed,
                   const char *why, enum shk_verdict verdict, const char *name)
{
  const struct shk_decision decision = decide(defects, count, claimed, why, no_power);
  tap_ok(decision.verdict == verdict, "%s: %s", name, shk_verdict_word(decision.verdict));
  if (decision.verdict != verdict)
    tap_diag("expected %s; reason: %s", shk_verdict_word(verdict), decision.reason);
  const bool wordless =
      decision.verdict == SHK_VERDICT_HELD || decision.verdict == SHK_VERDICT_NONE;
  tap_ok(wordless == (decision.reason[0] == '\0'), "... with a reason where one is due");
}

static void decisions(void)
{
  struct shk_defect d[STEPS];
  make(d, 1e-29, 0, 1e-28);
  expect(d, STEPS, SHK_YES, NULL, SHK_VERDICT_HELD, "at the floor, claimed");
  expect(d, STEPS, SHK_UNKNOWN, NULL, SHK_VERDICT_NONE, "at the floor, nothing claimed");
  expect(d, 1, SHK_YES, NULL, SHK_VERDICT_UNDECIDED, "at the floor, at one step only");
  expect(d, STEPS, SHK_YES, "one degree of freedom", SHK_VERDICT_UNDECIDED,
         "at the floor, where the problem cannot tell");
  expect(d, STEPS, SHK_NO, NULL, SHK_VERDICT_UNDECIDED, "at the floor, denied");
  tap_ok(decide(d, STEPS, SHK_NO, NULL, NULL).at_floor, "... which counts against the denial");
  tap_ok(!decide(d, STEPS, SHK_NO, "one degree of freedom", NULL).at_floor,
         "... but not where the problem cannot tell");

  make(d, 1e-5, 5, 1e-28);
  expect(d, STEPS, SHK_YES, NULL, SHK_VERDICT_FALSIFIED, "far above, a power, claimed");
  expect(d, STEPS, SHK_YES, "one degree of freedom", SHK_VERDICT_FALSIFIED,
         "... and where the problem could not have told the opposite");
  expect(d, STEPS, SHK_NO, NULL, SHK_VERDICT_HELD, "far above, a power, denied");
  tap_is_near(decide(d, STEPS, SHK_NO, NULL, NULL).exponent, 5, 1e-12,
              "... and the power is found");

  make(d, 1e-8, 0, 1e-28);
  d[1].size = 3e-9;
  d[2].size = 2e-8;
  expect(d, STEPS, SHK_YES, NULL, SHK_VERDICT_UNDECIDED, "far above, but no power");
  d[0].size = 1e-5;
  d[1].size = 1e-6;
  d[2].size = 1e-9;
  d[3].size = 5e-10;
  expect(d, STEPS, SHK_YES, NULL, SHK_VERDICT_UNDECIDED, "far above, falling, but no power");
  make(d, 1e-24, 0, 1e-28);
  expect(d, STEPS, SHK_YES, NULL, SHK_VERDICT_UNDECIDED, "between the two");
  expect(d, STEPS, SHK_NO, NULL, SHK_VERDICT_UNDECIDED, "between the two, denied");
  make(d, 1e-20, 3, 1e-28);
  expect(d, STEPS, SHK_YES, NULL, SHK_VERDICT_UNDECIDED, "falls into the gap between the two");

  make(d, 1e-29, 0, 1e-28);
  d[2].weak = d[3].weak = true;
  expect(d, STEPS, SHK_YES, NULL, SHK_VERDICT_HELD, "at the floor, two steps large enough");
  d[1].weak = true;
  expect(d, STEPS, SHK_YES, NULL, SHK_VERDICT_UNDECIDED, "at the floor, one step large enough");
  expect(d, STEPS, SHK_NO, NULL, SHK_VERDICT_UNDECIDED, "... denied");
  tap_ok(!decide(d, STEPS, SHK_NO, NULL, NULL).at_floor,
         "... which does not count against the denial");

  make(d, 1e-34, 0, 1e-49);
  no_power = "round-off";
  expect(d, STEPS, SHK_YES, NULL, SHK_VERDICT_FALSIFIED, "no power, but of round-off none is due");
  make(d, 1e-48, 0, 1e-49);
  expect(d, STEPS, SHK_YES, NULL, SHK_VERDICT_HELD, "round-off that is compensated");
  no_power = NULL;

  make(d, 1e-5, 2, 1e-28);
  for (int i = 0; i < STEPS; i++)
    d[i].unsettled = i > 0;
  expect(d, STEPS, SHK_YES, NULL, SHK_VERDICT_UNDECIDED, "differences that did not settle");
  make(d, 1e-29, 0, 1e-28);
  d[2].size = NAN;
  expect(d, STEPS, SHK_YES, NULL, SHK_VERDICT_UNDECIDED, "not a number is no round-off");

  make(d, 1e-29, 0, 1e-28);
  for (int i = 0; i < STEPS; i++) {
    d[i].away = 1e-2 * pow(0.5, i);
    d[i].rounding = 1e-33;
  }
  expect(d, STEPS, SHK_YES, NULL, SHK_VERDICT_FALSIFIED,
         "the form is kept, but the image leaves the manifold");
  expect(d, STEPS, SHK_NO, NULL, SHK_VERDICT_HELD, "... denied");
}

/* Cells of a kind on problems that have these features. */
static int count_with(const struct shk_plan *plan, const char *kind, unsigned features)
{
  int count = 0;
  for (int i = 0; i < plan->count; i++) {
    const struct shk_cell *const cell = &plan->cells[i].cell;
    struct shk_inspection is;
    struct shk_message unused;
    count += plan->cells[i].role == SHK_ROLE_MEASURED && strcmp(cell->kind, kind) == 0 &&
             shk_inspect(&test_context, &is, "double", cell->problem, &unused) &&
             (is.features & features) == features;
  }
  return count;
}

static int count_kind(const struct shk_plan *plan, const char *kind)
{
  return count_with(plan, kind, 0);
}

static void plans(void)
{
  struct shk_message error = {.text = ""};
  TEXT file = shk_print_text("%s/studies/certificate.yaml", getenv("SHAKEDOWN_SOURCE"));
  const char *const both[] = {"rattle", "shake"};
  char *text = shk_certify_study(
      &test_context,
      &(struct shk_certify_request){
          .integrators = both, .count = 2, .seed = 1, .budget = SHK_BUDGET_DEFAULT, .file = file},
      &error);
  struct shk_study *study =
      text ? shk_study_parse(&test_context, text, strlen(text), "certificates", &error) : NULL;
  struct shk_plan *plan = study ? shk_plan_make(study, &error) : NULL;
  if (!tap_ok(plan != NULL, "the study of a certificate can be planned %s", error.text))
    return;
  int problems = 0;
  while (shk_problem_at(&test_context, problems))
    problems++;
  tap_ok(count_kind(plan, "symplecticity") >= 4 * 2 * 5, "symplecticity of both, at four steps");
  tap_is_int(2 * count_kind(plan, "fibre"), count_kind(plan, "symmetry"),
             "the fibre identity of the one that names a partner");
  tap_ok(count_with(plan, "symplecticity", SHK_FORCES) == 0 &&
             count_with(plan, "symmetry", SHK_FORCES) > 0,
         "problems with forces are asked for symmetry, not for symplecticity");
  bool ok = true;
  int structure = 0;
  for (int i = 0; i < plan->count; i++) {
    const struct shk_cell *cell = &plan->cells[i].cell;
    if (!shk_is_structure(cell->kind))
      continue;
    structure++;
    ok = ok && cell->time_count == 1 && strcmp(cell->times[0], cell->step) == 0 &&
         strcmp(cell->until, cell->step) == 0 &&
         (strcmp(cell->precision, "quad") == 0 || strcmp(cell->kind, "local-error") == 0);
  }
  tap_ok(ok && structure > 0,
         "a cell of structure is of one step, in quad, but for errors of steps");
  const struct shk_cell *first = NULL;
  int steps = 0;
  bool even = true;
  double work = 0; /* of a course, in runs at its largest step */
  for (int i = 0; i < plan->count; i++) {
    const struct shk_cell *const cell = &plan->cells[i].cell;
    if (strcmp(cell->kind, "run") != 0 || strcmp(cell->precision, "quad") != 0 || !cell->step ||
        (first && (strcmp(cell->problem, first->problem) != 0 ||
                   strcmp(cell->integrator, first->integrator) != 0)))
      continue;
    first = first ? first : cell;
    steps++;
    work += first->numbers.step / cell->numbers.step;
    even = even && lround(cell->numbers.times[0] / cell->numbers.step) % 2 == 0;
  }
  tap_ok(steps == 7 && work < 33, "an order: seven steps, the work of %g of the largest", work);
  tap_ok(even, "an even number of them from one sample time to the next");
  int references = 0;
  for (int i = 0; i < plan->count; i++)
    references += plan->cells[i].role == SHK_ROLE_REFERENCE;
  tap_ok(references > 0 && references <= problems, "one reference for each problem: %d",
         references);
  shk_plan_free(plan);
  shk_study_free(study);
  free(text);

  const char *const none[] = {"exact"};
  text = shk_certify_study(
      &test_context,
      &(struct shk_certify_request){
          .integrators = none, .count = 1, .seed = 1, .budget = SHK_BUDGET_DEFAULT, .file = file},
      &error);
  tap_ok(!text && strstr(error.text, "the methods claim nothing"), "the exact solution: %s",
         error.text);
  free(text);

  /* Naming no structure asks for none: other studies have the cells they had. */
  static const char plain[] =
      "study: a\nruns:\n  - problems: [pendulum]\n    integrators: [rattle]\n"
      "    steps: [0.1]\n    until: 1\n";
  study = shk_study_parse(&test_context, plain, strlen(plain), "plain", &error);
  plan = study ? shk_plan_make(study, &error) : NULL;
  tap_ok(plan && count_kind(plan, "run") == 1 && plan->count == 2, "a plain study has runs only");
  shk_plan_free(plan);
  shk_study_free(study);
}

/* Problems on which a symplectic form that is kept is no accident of the constraints. */
static void what_can_deny(void)
{
  static const struct {
    const char *problem;
    bool can;
  } cases[] = {{"oval", true},
               {"oval(polar=0.6,azimuth=-1)", true},
               {"neumann", false},
               {"chain(links=3,dimension=3,spring=2,start=random)", false},
               {"random-mechanism(bodies=2,seed=3)", false},
               {"two-body-sphere", false},
               {"pendulum", false},
               {"coupled-spheres", false},
               {"transformed(neumann,rewrite=yes,seed=4)", false}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    struct shk_inspection is;
    struct shk_message error = {""};
    const bool ok = shk_inspect(&test_context, &is, "double", cases[i].problem, &error);
    tap_ok(ok && shk_can_deny(SHK_CLAIM_SYMPLECTIC, &is) == cases[i].can &&
               shk_can_deny(SHK_CLAIM_PRESYMPLECTIC, &is) == cases[i].can,
           "%s %s that a method is symplectic%s", cases[i].problem,
           cases[i].can ? "can deny" : "cannot deny", error.text);
    tap_ok(ok && shk_can_deny(SHK_CLAIM_SYMMETRIC, &is), "... and can deny that it is symmetric");
  }
}

int main(void)
{
  decisions();
  plans();
  what_can_deny();
  return tap_done();
}

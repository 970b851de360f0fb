/*
 * Verdicts on defects from made-up numbers, and which problems can deny a claim.
 */
#include "harness/check/certify.h"
#include "engine/names.h"
#include "harness/analysis/report.h"
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
  what_can_deny();
  return tap_done();
}

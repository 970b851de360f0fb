/*
 * Findings about quantities that are claimed to vanish, the worst over the steps: `constraint max`,
 * `hidden max`, `invariant NAME max`, and `energy kept`, if a claim refers to it.
 *
 * Their floors, with |q|, |p| the largest max norms of the run and τ the time scale: constraints
 * eps·max(1,|q|); hidden constraints, which are rates, the same times max(1,1/τ); invariants
 * eps·(1+sqrt(steps))·max(1,|q||p|), a random walk of roundings. Invariants that are no momenta (by
 * their name) are reported without a verdict: no claim covers them.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"
#include "foundation/specifications/claims.h"

#include <math.h>
#include <stdlib.h>

struct vanishing {
  enum shk_quantity_id quantity, recorded; /* the finding's, and that of records */
  const char *parameter;
  double size;      /* its floor over eps; 0: the floor of the energy */
  bool accumulates; /* the floor is multiplied by 1 + sqrt(steps) */
  /* Reasons why a quantity at its floor does not refute a claim of "no", and why no claim refers to
   * it here; NULL: none. */
  const char *why, *meaningless;
};

/* Compares the quantity of each finished cell with its floor. */
static void report_vanishing(struct shk_reporter *c, const struct vanishing *its)
{
  const struct shk_family *const family = c->family;
  const int claimed = shk_claim_value(&family->claims, shk_quantities[its->quantity].decides);
  struct shk_defect *const defects = shk_allocate((size_t)family->count, sizeof *defects);
  double worst = NAN, floor = 0;
  int count = 0;
  for (int i = 0; i < family->count; i++) {
    const double value = shk_family_number(family, i, its->recorded, its->parameter);
    if (isnan(value))
      continue;
    const double here = its->size == 0
                            ? shk_family_energy_floor(family, i)
                            : family->epsilon * its->size *
                                  (its->accumulates ? 1 + sqrt(shk_family_steps(family, i)) : 1);
    defects[count++] = (struct shk_defect){.size = value, .floor = here};
    worst = fmax(worst, value);
    floor = fmax(floor, here);
  }
  if (count > 0) {
    shk_report(c, its->quantity, its->parameter, worst, NAN)->floor = floor;
    shk_report_verdict(c, &(struct shk_evidence){.kind = SHK_EVIDENCE_KEPT,
                                                 .claimed = claimed,
                                                 .defects = defects,
                                                 .count = count,
                                                 .meaningless = its->meaningless,
                                                 .why = claimed == SHK_NO ? its->why : NULL});
  }
  free(defects);
}

static void report_constraints(struct shk_reporter *c)
{
  const char *const linear = c->family->inspection.undecidable & SHK_LINEAR_CONSTRAINTS
                                 ? "linear constraints are kept whether or not others are"
                                 : NULL;
  const double length = fmax(1, c->family->size_q), rate = fmax(1, 1 / c->family->time_scale);
  report_vanishing(c, &(struct vanishing){SHK_QUANTITY_CONSTRAINT_MAX, SHK_QUANTITY_CONSTRAINT_MAX,
                                          .size = length, .why = linear});
  report_vanishing(c, &(struct vanishing){SHK_QUANTITY_HIDDEN_MAX, SHK_QUANTITY_HIDDEN_MAX,
                                          .size = length * rate, .why = linear});
}

static void report_invariants(struct shk_reporter *c)
{
  const struct shk_family *const family = c->family;
  const char *const why = family->inspection.undecidable & SHK_FREE_MOTION
                              ? "free motion: momenta are kept whether or not others are"
                          : family->inspection.features & SHK_FORCES
                              ? "forces without a potential: symmetries of H need not keep momenta"
                              : NULL;
  for (int i = 0; i < family->inspection.invariant_count; i++) {
    const char *name = family->inspection.invariant_names[i];
    const enum shk_quantity_id quantity = shk_invariant_quantity(name);
    report_vanishing(c, &(struct vanishing){quantity, quantity, name,
                                            fmax(1, family->size_q * family->size_p), true, why});
  }
}

static void report(struct shk_reporter *c)
{
  if (shk_reporter_wants(c, SHK_BIT(CONSTRAINT)))
    report_constraints(c);
  if (shk_reporter_wants(c, SHK_BIT(MOMENTUM)))
    report_invariants(c);
  if (shk_reporter_wants(c, SHK_BIT(ENERGY)) && c->family->claims.keeps_energy != SHK_UNKNOWN)
    report_vanishing(c, &(struct vanishing){SHK_QUANTITY_ENERGY_KEPT, SHK_QUANTITY_ENERGY_MAX,
                                            .meaningless = shk_energy_not_kept(c->family)});
}

const struct shk_finder shk_finder_kept = {.in = SHK_IN_RUNS, .report = report};

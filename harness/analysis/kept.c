/*
 * Reports quantities that are claimed to vanish. Each finding reports the worst value over all step
 * sizes. The findings are `constraint max`, `hidden max`, `invariant NAME max` and, if a claim
 * refers to it, `energy kept`.
 *
 * Each quantity is recorded in the problem's units, together with its floor
 * (mechanics/diagnosis/floors.h). The floors of invariants are multiplied by 1 + sqrt(steps),
 * because rounding errors accumulate like a random walk. Invariants whose names do not identify
 * them as momenta are reported without a verdict, because no claim covers them. If the method
 * claims to satisfy the constraint only to a given level, `constraint relative` is compared with
 * that level and `constraint max` has no verdict.
 */
#include "harness/analysis/report.h"

#include "foundation/memory.h"
#include "foundation/specifications/claims.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

struct vanishing {
  /* the names of the quantity in findings and in records */
  enum shk_quantity_id quantity, recorded;
  /* the name of the floor in records, or SHK_QUANTITIES for the energy's floor */
  enum shk_quantity_id floor;
  const char *parameter;
  bool accumulates; /* whether the floor is multiplied by 1 + sqrt(steps) */
  /* `why` is the reason why a quantity at its floor does not refute a claim of "no". `meaningless`
   * is the reason why no claim applies to the quantity on this problem. Either can be NULL. */
  const char *why, *meaningless;
};

/* Compares the quantity with its floor in each finished cell. */
static void report_vanishing(struct shk_reporter *c, const struct vanishing *vanished)
{
  const struct shk_family *const family = c->family;
  const enum shk_claim claim = shk_quantities[vanished->quantity].decides;
  const int claimed = shk_claim_level(&family->claims, claim) > 0
                          ? SHK_UNKNOWN /* evaluated by report_level instead */
                          : shk_claim_value(&family->claims, claim);
  struct shk_defect *const defects = shk_allocate((size_t)family->count, sizeof *defects);
  double worst = NAN, floor = 0;
  int count = 0;
  for (int i = 0; i < family->count; i++) {
    const double value = shk_family_number(family, i, vanished->recorded, vanished->parameter);
    if (isnan(value))
      continue;
    const double recorded =
        vanished->floor == SHK_QUANTITIES
            ? shk_family_energy_floor(family, i)
            : shk_family_number(family, i, vanished->floor, vanished->parameter);
    if (isnan(recorded))
      continue;
    const double here =
        vanished->accumulates ? recorded * (1 + sqrt(shk_family_steps(family, i))) : recorded;
    defects[count++] = (struct shk_defect){.size = value, .floor = fmax(here, DBL_MIN)};
    worst = fmax(worst, value);
    floor = fmax(floor, here);
  }
  if (count > 0) {
    shk_report(c, vanished->quantity, vanished->parameter, worst, NAN)->floor = floor;
    shk_finding_verdict(c, &(struct shk_evidence){.kind = SHK_EVIDENCE_KEPT,
                                                  .claimed = claimed,
                                                  .defects = defects,
                                                  .count = count,
                                                  .meaningless = vanished->meaningless,
                                                  .why = claimed == SHK_NO ? vanished->why : NULL});
  }
  free(defects);
}

/* Compares the largest relative constraint violation with the claimed level. */
static void report_level(struct shk_reporter *c)
{
  const struct shk_family *const family = c->family;
  const double level = shk_claim_level(&family->claims, SHK_CLAIM_KEEPS_CONSTRAINT);
  double worst = -1, floor = 0;
  for (int i = 0; level > 0 && i < family->count; i++) {
    const double rounding = shk_family_number(family, i, SHK_QUANTITY_CONSTRAINT_ROUNDING, NULL);
    const double value = shk_family_number(family, i, SHK_QUANTITY_CONSTRAINT_RELATIVE, NULL);
    if (isnan(rounding))
      continue;
    worst = isnan(value) || value > worst ? value : worst;
    floor = fmax(floor, rounding);
  }
  if (worst == -1)
    return;
  shk_report(c, SHK_QUANTITY_CONSTRAINT_RELATIVE, NULL, worst, NAN)->floor = floor;
  shk_finding_verdict(c, &(struct shk_evidence){.kind = SHK_EVIDENCE_LEVEL,
                                                .claimed = SHK_YES,
                                                .number = worst,
                                                .band = level,
                                                .floor = floor});
}

static void report_constraints(struct shk_reporter *c)
{
  const char *const linear =
      c->family->inspection.undecidable & SHK_LINEAR_CONSTRAINTS
          ? "every method preserves linear constraints, even if it violates other constraints"
          : NULL;
  report_vanishing(c, &(struct vanishing){SHK_QUANTITY_CONSTRAINT_MAX, SHK_QUANTITY_CONSTRAINT_MAX,
                                          SHK_QUANTITY_CONSTRAINT_FLOOR, .why = linear});
  report_vanishing(c, &(struct vanishing){SHK_QUANTITY_HIDDEN_MAX, SHK_QUANTITY_HIDDEN_MAX,
                                          SHK_QUANTITY_HIDDEN_FLOOR, .why = linear});
}

static void report_invariants(struct shk_reporter *c)
{
  const struct shk_family *const family = c->family;
  const char *const why =
      family->inspection.undecidable & SHK_FREE_MOTION
          ? "in free motion, every method conserves the momenta"
      : family->inspection.features & SHK_FORCES
          ? "some forces have no potential, so symmetries of H need not conserve momenta"
          : NULL;
  for (int i = 0; i < family->inspection.invariant_count; i++) {
    const char *name = family->inspection.invariant_names[i];
    const enum shk_quantity_id quantity = shk_invariant_quantity(name);
    report_vanishing(
        c, &(struct vanishing){quantity, quantity, SHK_QUANTITY_INVARIANT_FLOOR, name, true, why});
  }
}

static void report_kept(struct shk_reporter *c)
{
  if (shk_reporter_wants(c, SHK_BIT(CONSTRAINT))) {
    report_constraints(c);
    report_level(c);
  }
  if (shk_reporter_wants(c, SHK_BIT(MOMENTUM)))
    report_invariants(c);
  if (shk_reporter_wants(c, SHK_BIT(ENERGY)) && c->family->claims.keeps_energy != SHK_UNKNOWN)
    report_vanishing(c, &(struct vanishing){SHK_QUANTITY_ENERGY_KEPT, SHK_QUANTITY_ENERGY_MAX,
                                            SHK_QUANTITIES,
                                            .meaningless = shk_energy_not_kept(c->family)});
}

const struct shk_finder shk_finder_kept = {.in = SHK_IN_RUNS, .report = report_kept};

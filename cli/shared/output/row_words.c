/* Summarizes a method in one word. See row_words.h. */
#include "cli/shared/output/row_words.h"
#include "harness/analysis/families/verdict.h"
#include "harness/analysis/statistics/drift.h"
#include <math.h>
#include <string.h>

enum {
  NO_LIMIT,
  EXPLODES,
  DRIFTS_OFF,
  STAYS_NEAR,
  ENERGY_DISSIPATES,
  ENERGY_DRIFTS,
  MOMENTA_OFF,
  KEEPS_ALL
};

const struct shk_row_word shk_row_words[] = {
    [NO_LIMIT] = {"no convergence", "a wrong limit as h → 0; with a penalty, O(1/k) away in q"},
    [EXPLODES] = {"explodes", "the energy grows until a number is not finite"},
    [DRIFTS_OFF] = {"drifts off", "|g| grows along the run"},
    [STAYS_NEAR] = {"stays near", "|g| is above round-off, but does not grow in long runs"},
    [ENERGY_DISSIPATES] = {"dissipates",
                           "both constraints at round-off, energy falls more and more slowly"},
    [ENERGY_DRIFTS] = {"energy drifts", "both constraints at round-off, energy drifts as shown"},
    [MOMENTA_OFF] = {"p not tangent", "g = 0 at round-off, energy bounded, momenta not tangent"},
    [KEEPS_ALL] = {"keeps all", "both constraints at round-off, energy bounded"},
    {NULL, NULL}};

/* The worst results among the findings in a row. */
struct worst {
  bool no_limit, on_constraint, tangent, measured;
  enum shk_energy_class energy;
};

static bool is_at_round_off(const struct shk_finding *f)
{
  return f->value <= SHK_VANISHES * f->floor;
}

static void add_row_words(struct worst *row, const struct shk_finding *f)
{
  if (f->named.statistic != SHK_STATISTIC_NONE)
    return;
  if (f->named.id == SHK_QUANTITY_ORDER && f->named.block == SHK_BLOCK_Q && !f->adaptive) {
    row->no_limit = row->no_limit || (fabs(f->value) < 0.5 && f->uncertainty < 0.5);
  } else if (f->named.id == SHK_QUANTITY_ENERGY_CLASS && f->word) {
    const enum shk_energy_class class = shk_energy_class_named(f->word);
    if (class<SHK_ENERGY_CLASSES &&class> row->energy)
      row->energy = class;
  } else if (f->named.id == SHK_QUANTITY_CONSTRAINT_MAX) {
    row->measured = true;
    row->on_constraint = row->on_constraint && is_at_round_off(f);
  } else if (f->named.id == SHK_QUANTITY_HIDDEN_MAX) {
    row->tangent = row->tangent && is_at_round_off(f);
  }
}

static double horizon_of(const struct shk_finding *f)
{
  double until = 0;
  sscanf(f->named.detail, "(until %lf", &until);
  return until;
}

/* Returns true if, for any problem, the violation over a longer horizon is more than ten times as
 * large as the violation over a shorter one. */
static bool violation_grows(const struct shk_finding *const *f, int count)
{
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++) {
      const struct shk_finding *const a = f[i], *const b = f[j];
      if (a->named.id == SHK_QUANTITY_CONSTRAINT_MAX && b->named.id == a->named.id &&
          strcmp(a->problem, b->problem) == 0 && a->value > 10 * b->value &&
          horizon_of(a) > horizon_of(b))
        return true;
    }
  return false;
}

const struct shk_row_word *shk_row_word_of(const struct shk_finding *const *f, int count)
{
  struct worst row = {.on_constraint = true, .tangent = true};
  for (int i = 0; i < count; i++)
    add_row_words(&row, f[i]);
  const bool bounded = row.energy == SHK_ENERGY_BOUNDED || row.energy == SHK_ENERGY_EXACT;
  if (row.no_limit)
    return &shk_row_words[NO_LIMIT];
  if (row.energy == SHK_ENERGY_BLOW_UP)
    return &shk_row_words[EXPLODES];
  if (!row.measured || row.energy == SHK_ENERGY_UNDETERMINED)
    return NULL;
  if (!row.on_constraint)
    return &shk_row_words[violation_grows(f, count) ? DRIFTS_OFF : STAYS_NEAR];
  if (row.energy == SHK_ENERGY_DISSIPATES)
    return &shk_row_words[ENERGY_DISSIPATES];
  return &shk_row_words[!bounded ? ENERGY_DRIFTS : row.tangent ? KEEPS_ALL : MOMENTA_OFF];
}

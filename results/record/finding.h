/*
 * Findings are values that the analysis of a study computes from its records, together with the
 * verdicts on the claims that these values decide.
 */
#ifndef RESULTS_RECORD_FINDING_H
#define RESULTS_RECORD_FINDING_H

#include "measures/quantity.h"
#include <stdbool.h>

enum shk_verdict {
#define VERDICT(id, word) SHK_VERDICT_##id,
#include "results/record/statuses.def"
#undef VERDICT
  SHK_VERDICTS
};

/* Returns the word for a verdict: "held", "falsified", "undecided", "refused", "failed", "not
 * demonstrated", or "none" if there is no claim. */
const char *shk_verdict_word(enum shk_verdict verdict);
/* Returns the verdict for a word, or SHK_VERDICTS if there is no such verdict. */
enum shk_verdict shk_verdict_named(const char *word);

/* One analysed value. */
struct shk_finding {
  char *problem, *integrator, *precision;
  char *quantity; /* such as "order of q", "energy class", "constraint max" or "error of q" */
  struct shk_named_quantity named; /* the quantity, as parsed from its name */
  double value;                    /* NaN if the value is undetermined or not a number */
  char *word;                      /* the value if it is a word (a class), or NULL */
  double uncertainty;              /* the half-width of the value, or NaN if there is none */
  /* round-off level, in the unit of the value, below which a value is meaningless; NaN if unknown.
   * For an energy class, this is the level that round-off alone reaches */
  double floor;
  bool adaptive; /* true if the value was computed from runs with adaptive steps (a tolerance) */
  /* true if the value was computed from runs beyond the predictability horizon of a chaotic
   * problem */
  bool chaotic;
  /* the expected value, such as "2 ± 0.1" or "bounded", or NULL if there is no expectation */
  char *expected;
  enum shk_verdict verdict;
  /* The reason why a verdict is undecided, refused, failed or falsified, or why a value without a
   * claim is undetermined. For an order with the verdict held, the deviation that would have been
   * detected. NULL if there is no reason. */
  char *reason;
};

/* Clears every finding in a list and frees the list. */
void shk_findings_free(struct shk_finding *findings, int count);

#endif

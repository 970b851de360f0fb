/*
 * Findings: values that the analysis of a study computes from its records, and the verdicts on the
 * claims that these values decide.
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

/* Returns the word of a verdict: "held", "falsified", "undecided", "refused", "failed", "not
 * demonstrated", or "none" if there is no claim. */
const char *shk_verdict_word(enum shk_verdict verdict);
/* Returns the verdict with this word, or SHK_VERDICTS if there is none. */
enum shk_verdict shk_verdict_named(const char *word);

/* One analysed value. */
struct shk_finding {
  char *problem, *integrator, *precision;
  char *quantity; /* such as "order of q", "energy class", "constraint max" or "error of q" */
  struct shk_named_quantity named; /* the quantity after parsing its name */
  double value;                    /* NaN if undetermined or not a number */
  char *word;                      /* the value in words (a class), or NULL */
  double uncertainty;              /* half-width; NaN if none */
  /* round-off level in the unit of the value, below which a value is meaningless; NaN if unknown.
   * For an energy class, the level to which round-off alone grows */
  double floor;
  bool adaptive;  /* from runs with adaptive steps (a tolerance) */
  bool chaotic;   /* from runs beyond the predictability horizon of a chaotic problem */
  char *expected; /* such as "2 ± 0.1" or "bounded", or NULL */
  enum shk_verdict verdict;
  /* why a verdict is undecided, refused, failed or falsified, or why a value without a claim is
   * undetermined; for an order that is held, the deviation that would have been detected; NULL if
   * none */
  char *reason;
};

/* Clears each finding of a list and frees the list. */
void shk_findings_free(struct shk_finding *findings, int count);

#endif

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
 * demonstrated"; "none" without a claim. */
const char *shk_verdict_word(enum shk_verdict verdict);
/* Returns the verdict of a word; SHK_VERDICTS if there is none. */
enum shk_verdict shk_verdict_named(const char *word);

/* One analysed value. */
struct shk_finding {
  char *problem, *integrator, *precision;
  char *quantity; /* "order of q", "energy class", "constraint max", "error of q", … */
  struct shk_named_quantity named; /* the parsed name of the quantity */
  double value;                    /* NaN if undetermined or not a number */
  char *word;                      /* value in words (a class), otherwise NULL */
  double uncertainty;              /* half-width; NaN if none */
  double floor;   /* round-off level in the unit of the value: smaller values are meaningless;
                     NaN: unknown. For an energy class: the level to which round-off alone grows */
  bool adaptive;  /* from runs with adaptive steps (a tolerance) */
  bool chaotic;   /* from runs beyond the predictability horizon of a chaotic problem */
  char *expected; /* "2 ± 0.1", "bounded", or NULL */
  enum shk_verdict verdict;
  char *reason; /* of the verdict undecided, refused, failed or falsified, or of an undetermined
                   value without a claim; for an order that is held, the deviation that would have
                   been detected; NULL: none */
};

/* Clears each finding of a list and frees the list. */
void shk_findings_free(struct shk_finding *findings, int count);

#endif

/*
 * What an analysis finds in the records of a study: values, and the verdicts on the claims that
 * they decide.
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

/* "held", "falsified", "undecided", "refused", "failed"; "none" where nothing is claimed. */
const char *shk_verdict_word(enum shk_verdict verdict);
/* SHK_VERDICTS if there is none of this word. */
enum shk_verdict shk_verdict_named(const char *word);

/* One analysed value. */
struct shk_finding {
  char *problem, *integrator, *precision;
  char *quantity; /* "order of q", "energy class", "constraint max", "error of q", … */
  struct shk_named_quantity named; /* what the quantity's name says */
  double value;                    /* NaN if undetermined or not a number */
  char *word;                      /* for values that are words (a class), else NULL */
  double uncertainty;              /* half-width; NaN if none */
  double floor;   /* of round-off, in the unit of the value: what is below says nothing; NaN:
                         none is known. Of a class: of the energy, where only round-off grows */
  bool adaptive;  /* from runs that choose their steps by a tolerance */
  bool chaotic;   /* from runs beyond the generic horizon of a chaotic problem */
  char *expected; /* "2 ± 0.1", "bounded", or NULL */
  enum shk_verdict verdict;
  char *reason; /* why undecided, refused, failed or falsified, or why a value that nothing is
                   claimed of is undetermined; of an order that is held, what would have been seen;
                   NULL otherwise */
};

/* Clears each of a list and frees the list. */
void shk_findings_free(struct shk_finding *findings, int count);

#endif

/*
 * Certificates: tests of every claim of an integrator, yes or no, on problems that can decide it. A
 * certificate is the analysis of a study, with cells, verdicts and reasons like any other.
 */
#ifndef HARNESS_CHECK_CERTIFY_H
#define HARNESS_CHECK_CERTIFY_H

#include "foundation/specifications/claims.h"
#include "harness/analysis/analysis.h"
#include "harness/study/study.h"

/* The subject of a row: an enum shk_claim, or one of these. */
enum {
  SHK_CERTIFIED_FIBRE = SHK_CLAIMS, /* the fibre identity, claimed by naming a partner */
  SHK_CERTIFIED_CLAIMS,             /* the subjects before this one are claims */
  SHK_CERTIFIED_APPLIES = SHK_CERTIFIED_CLAIMS, /* the problem was refused */
  SHK_CERTIFIED_FINISHES,                       /* runs did not finish */
  SHK_CERTIFIED_CAUSE, /* the likely cause of what fell, as the reason; without a verdict */
  SHK_CERTIFIED_OWED   /* findings required of every method, whatever it claims */
};

/* The words of a subject: "order of q", "symplectic", "applies"; NULL for what is owed. */
const char *shk_certified_words(int about);

/* The claim with these words, including the fibre identity; -1: none. */
int shk_certified_named(const char *words);

/* The measure that decides a claim, or the fibre identity. */
enum shk_measure_id shk_certified_measure(int claim);
/* The measures that decide rows with these words, as bits by enum shk_measure_id, for claims and
 * for the other subjects; 0: there are no such rows. */
unsigned long shk_certified_measures(const char *words);

/* The words of a row about this finding, "stateless" or "backward steps"; NULL: it is not required
 * of every method. */
const char *shk_owed_words(enum shk_quantity_id quantity);

struct shk_certify_request {
  const char *const *integrators; /* canonical specifications */
  int count;
  const char *const *problems; /* likewise: problems to use in addition to the default ones */
  int problem_count;
  const char *const *claims; /* the words of the subjects to test (above) */
  int claim_count;           /* 0: all subjects */
  long seed;
  enum shk_budget budget;
  const char *file; /* a study file: studies/certificate.yaml, or one of the user's */
};

/* Returns the text of the file's study for these integrators, without parts that have no meaning
 * for them. NULL with the reason. The caller frees it. */
char *shk_certify_study(const struct shk_context *context,
                        const struct shk_certify_request *request, struct shk_message *error);

struct shk_certificate_row {
  const char *integrator;
  int about;         /* subject (above) */
  const char *claim; /* in words: "order of q", "symplectic", …, "applies", "finishes" */
  char stated[16];   /* claimed value: "yes", "no", "required" or an order */
  const struct shk_finding *of; /* no problem and no value: nothing could be measured */
  enum shk_verdict verdict;     /* and reason of the row, which may excuse the finding's */
  const char *reason;           /* NULL: none */
  char *owned;                  /* storage of `reason`, unless the analysis owns it */
};

struct shk_certificate {
  int count;
  struct shk_certificate_row *rows; /* sorted by integrator, then by claim */
};

/* Makes the rows from the study's analysis; `integrators` as above. They point into the analysis
 * and `integrators`. */
void shk_certify(struct shk_certificate *certificate, const char *const *integrators, int count,
                 const struct shk_analysis *analysis, const struct shk_plan *plan,
                 const struct shk_record *const *records);
void shk_certificate_clear(struct shk_certificate *certificate);

/* Keeps the rows with these words (all if there are none), and rows about refusals, about runs that
 * did not finish; if one is a claim, of methods without claims, too. */
void shk_certificate_keep(struct shk_certificate *certificate, const char *const *claims,
                          int count);

/* Exit status, as of an analysis. */
int shk_certificate_exit_code(const struct shk_certificate *certificate);

#endif

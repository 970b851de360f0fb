/*
 * Certificates test every claim of an integrator, yes or no, on problems that can decide it. A
 * certificate is made from the analysis of a study, which has cells, verdicts and reasons like any
 * other study.
 */
#ifndef HARNESS_CHECK_CERTIFY_H
#define HARNESS_CHECK_CERTIFY_H

#include "foundation/specifications/claims.h"
#include "harness/analysis/analysis.h"
#include "harness/study/study.h"

/* The subject of a row: an enum shk_claim or one of the following. */
enum {
  /* the fibre identity, which a method claims by naming a partner method */
  SHK_CERTIFIED_FIBRE = SHK_CLAIMS,
  SHK_CERTIFIED_CLAIMS,                         /* the subjects before this one are claims */
  SHK_CERTIFIED_APPLIES = SHK_CERTIFIED_CLAIMS, /* the problem was refused */
  SHK_CERTIFIED_FINISHES,                       /* runs did not finish */
  /* the reason is the likely cause of falsified rows or of a velocity rounding; there is no
   * verdict */
  SHK_CERTIFIED_CAUSE,
  SHK_CERTIFIED_OWED /* findings that every method must satisfy, whatever it claims */
};

/* Returns the words for a subject, such as "order of q", "symplectic" or "applies". Returns NULL
 * for SHK_CERTIFIED_OWED, whose words are those of shk_owed_words. */
const char *shk_certified_words(int about);

/* Returns the claim (or the fibre identity) with these words, or -1 if there is none. */
int shk_certified_named(const char *words);

/* Returns the measure that decides a claim or the fibre identity. */
enum shk_measure_id shk_certified_measure(int claim);
/* Returns the measures, as bits by enum shk_measure_id, that are needed for rows with these words.
 * The words are those of a claim or of shk_owed_words. Returns 0 if there are no such rows. */
unsigned long shk_certified_measures(const char *words);

/* Returns the words of rows about a quantity for which every method is tested, such as "stateless"
 * or "backward steps", or NULL for any other quantity. */
const char *shk_owed_words(enum shk_quantity_id quantity);

struct shk_certify_request {
  const char *const *integrators; /* canonical specifications */
  int count;
  const char *const *problems; /* specifications of problems that are added to the study's */
  int problem_count;
  const char *const *claims; /* words of the subjects to test (see above) */
  int claim_count;           /* 0: test all subjects, unless there are `measures` */
  unsigned long measures;    /* additional measures besides those of the claims, as bits */
  /* kick: seed for the starts of `problems` and of plug-ins' problems; 0: no kick */
  long seed, kick;
  enum shk_budget budget;
  const char *file; /* a study file: studies/certificate.yaml or a user's file */
};

/* Returns the text of the file's study for these integrators, without parts that are meaningless
 * for them. The caller frees the text. On failure returns NULL and sets the reason. */
char *shk_certify_study(const struct shk_context *context,
                        const struct shk_certify_request *request, struct shk_message *error);

struct shk_certificate_row {
  const char *integrator;
  int about;         /* subject (above) */
  const char *claim; /* words such as "order of q", "symplectic", "applies" or "finishes" */
  char stated[16];   /* claimed value: "yes", "no", "required" or an order */
  const struct shk_finding *of; /* its finding; without problem and value if there is none */
  bool counts;                  /* true for a claim made by the author */
  enum shk_verdict verdict;     /* may be undecided even if the verdict of the finding is not */
  const char *reason;           /* NULL if there is none */
  char *owned;                  /* storage of `reason`, unless the analysis owns it */
};

struct shk_certificate {
  int count;
  struct shk_certificate_row *rows; /* sorted by integrator, then by claim */
};

/* Makes the rows from the study's analysis. `integrators` are as in the request. The rows point
 * into the analysis and to `integrators`. */
void shk_certify(struct shk_certificate *certificate, const char *const *integrators, int count,
                 const struct shk_analysis *analysis, const struct shk_plan *plan,
                 const struct shk_record *const *records);
void shk_certificate_clear(struct shk_certificate *certificate);

/* Keeps the rows with these words (count 0: all rows), and rows about refusals, runs that did not
 * finish and likely causes. If one of the words belongs to a claim, also keeps the rows about
 * methods without claims. */
void shk_certificate_keep(struct shk_certificate *certificate, const char *const *claims,
                          int count);

#endif

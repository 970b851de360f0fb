/*
 * Certificates: tests of every claim of an integrator, yes or no, on problems that can decide it. A
 * certificate is the analysis of a study, with cells, verdicts and reasons like any other.
 */
#ifndef HARNESS_CHECK_CERTIFY_H
#define HARNESS_CHECK_CERTIFY_H

#include "harness/analysis/analysis.h"
#include "harness/check/certified.h"
#include "harness/study/study.h"

struct shk_certify_request {
  const char *const *integrators; /* canonical specifications */
  int count;
  const char *const *problems; /* likewise: problems to use in addition to the default ones */
  int problem_count;
  const char *const *claims; /* the words of the subjects to test (certified.h) */
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
  int about;           /* subject (certified.h) */
  const char *claim;   /* in words: "order of q", "symplectic", …, "applies", "finishes" */
  char stated[16];     /* claimed value: "yes", "no", "owed" or an order */
  const char *problem; /* NULL: no problem could be measured */
  const char *precision;
  double value;         /* NaN: none, or a word */
  const char *word;     /* NULL: the value is a number */
  const char *expected; /* the threshold; NULL: none */
  enum shk_verdict verdict;
  const char *reason; /* NULL: none */
  char *owned;        /* storage of `reason`, unless the analysis owns it */
};

struct shk_certificate {
  int count;
  struct shk_certificate_row *rows; /* sorted by integrator, then by claim */
};

/* Adds a row of an integrator on a subject, with the claimed value and no result. The pointer is
 * valid until the next row is added. */
struct shk_certificate_row *shk_certificate_add(struct shk_certificate *certificate,
                                                const char *integrator, int about,
                                                const char *stated);

/* Data from which the rows of one integrator are made. */
struct shk_certification {
  const char *integrator; /* canonical */
  const struct shk_integrator_info *info;
  struct shk_claims claims;
  bool in_quad, with_states;
  int count;
  const struct shk_finding **findings; /* about the integrator */
  struct shk_families *all;
  const struct shk_plan *plan;
  const struct shk_record *const *records;
};

/* Adds the rows on subjects required of every method, whatever it claims: certify_checks.c. */
void shk_certify_checks(struct shk_certificate *certificate, const struct shk_certification *c);

/* Makes the rows from the study's analysis; `integrators` as above. They point into the analysis
 * and `integrators`. `states` (may be NULL): source of states for checks that compare them. */
void shk_certify(struct shk_certificate *certificate, const char *const *integrators, int count,
                 const struct shk_analysis *analysis, const struct shk_plan *plan,
                 const struct shk_record *const *records, struct shk_records *states);
void shk_certificate_clear(struct shk_certificate *certificate);

/* Keeps the rows with these words (all if there are none), and rows about refusals, about runs that
 * did not finish, and of methods without claims. */
void shk_certificate_keep(struct shk_certificate *certificate, const char *const *claims,
                          int count);

/* Exit status: 1 if a claim was falsified or not demonstrated, else 3 if something failed or is
 * missing, else 0. */
int shk_certificate_exit_code(const struct shk_certificate *certificate);

#endif

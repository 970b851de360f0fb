/*
 * Certificates: tests of every claim of an integrator, yes or no, on problems that can decide it. A
 * certificate is the analysis of a study: its cells, verdicts and reasons are those of any other.
 */
#ifndef HARNESS_CHECK_CERTIFY_H
#define HARNESS_CHECK_CERTIFY_H

#include "harness/analysis/analysis.h"
#include "harness/check/certified.h"
#include "harness/study/study.h"

struct shk_certify_request {
  const char *const *integrators; /* canonical specifications */
  int count;
  const char *const *problems; /* likewise: to be asked beside those that are chosen */
  int problem_count;
  const char *const *claims; /* the words of all that is examined (certified.h) */
  int claim_count;           /* 0: everything */
  long seed;
  enum shk_budget budget;
  const char *file; /* a study file: studies/certificate.yaml, or one of the user's */
};

/* Returns the text of the file's study with the integrators as $method, the problems of the request
 * as $problems, those of plug-ins that need no options and have at most 40 coordinates as
 * $plugin-problems, and of each integrator that has one the problem of its option set; without what
 * says nothing about the integrators. NULL with the reason. The caller frees it. */
char *shk_certify_study(const struct shk_context *context,
                        const struct shk_certify_request *request, struct shk_message *error);

struct shk_certificate_row {
  const char *integrator;
  int about;         /* certified.h */
  const char *claim; /* the same in words: "order of q", "symplectic", …, "applies", "finishes" */
  char stated[16];   /* "yes", "no", "owed" or an order */
  const char *problem; /* NULL: none could be measured */
  const char *precision;
  double value;         /* NaN: none, or a word */
  const char *word;     /* NULL: the value is a number */
  const char *expected; /* the threshold; NULL: none */
  enum shk_verdict verdict;
  const char *reason; /* NULL: none */
  char *owned;        /* what `reason` points to, unless the analysis owns it */
};

struct shk_certificate {
  int count;
  struct shk_certificate_row *rows; /* by integrator, then by claim */
};

/* A row of an integrator about a claim, as stated, with no value; valid until the next is added. */
struct shk_certificate_row *shk_certificate_add(struct shk_certificate *certificate,
                                                const char *integrator, int about,
                                                const char *stated);

/* What the rows of one integrator are made of. */
struct shk_certification {
  const char *integrator; /* canonical */
  const struct shk_integrator_info *info;
  struct shk_claims claims;
  bool in_quad;
  const struct shk_analysis *analysis;
  const struct shk_plan *plan;
  const struct shk_record *const *records;
  struct shk_records *states; /* the same, to be taken with their states; NULL: they have none */
};

/* Rows of what is asked of every method, whatever it claims: certify_checks.c. */
void shk_certify_checks(struct shk_certificate *certificate, const struct shk_certification *c);

/* The rows of the study's analysis; `integrators` as above. They point into the analysis and
 * `integrators`. With `states` (which may be NULL) the records are taken for what compares their
 * states. Runs that stopped at steps above all those that finished, two at least, do not
 * make a certificate incomplete: methods have largest steps. */
void shk_certify(struct shk_certificate *certificate, const char *const *integrators, int count,
                 const struct shk_analysis *analysis, const struct shk_plan *plan,
                 const struct shk_record *const *records, struct shk_records *states);
void shk_certificate_clear(struct shk_certificate *certificate);

/* Leaves the rows under these words (all if there are none), and those of refusals, of runs that
 * did not finish, and of methods that claim nothing. */
void shk_certificate_keep(struct shk_certificate *certificate, const char *const *claims,
                          int count);

/* 1 if a claim was falsified or is not shown, else 3 if something failed or is missing, else 0. */
int shk_certificate_exit_code(const struct shk_certificate *certificate);

#endif

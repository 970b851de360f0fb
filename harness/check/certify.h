/*
 * Certificates: every claim of an integrator, yes or no, put to problems that can decide it.
 * A certificate is the analysis of a study, which is made here as the text of a study file: its
 * cells, its verdicts and its reasons are those of any other study.
 */
#ifndef HARNESS_CHECK_CERTIFY_H
#define HARNESS_CHECK_CERTIFY_H

#include "harness/analysis/analysis.h"
#include "harness/check/certified.h"
#include "harness/study/study.h"

/* How much is asked. SHK_BRIEFLY, of many option sets: nothing that is drawn, contracts in
 * double. */
enum shk_certify_extent { SHK_BRIEFLY, SHK_ORDINARILY, SHK_THOROUGHLY };

struct shk_certify_request {
  const char *const *integrators; /* canonical specifications */
  int count;
  const char *const *problems; /* likewise: to be asked beside those that are chosen */
  int problem_count;
  const char *const *claims; /* the words of all that is examined (certified.h) */
  int claim_count;           /* 0: everything */
  long seed;
  enum shk_certify_extent extent;
};

/* The text of the study that puts the claims of these integrators to a choice of the built-in
 * problems, each from a generic start, and to all of plug-ins but those that cannot be had without
 * options, or have more than 40 coordinates; to the problems of the request; and to problems that
 * are drawn from the seed. NULL with the reason. The caller frees it. */
char *shk_certify_study(const struct shk_context *context,
                        const struct shk_certify_request *request, struct shk_message *error);

/* The claims that a certificate is about, and whether it is made in quad, as all are but those of
 * what works in double only: so says the descriptor, or a base that has no order elsewhere. */
bool shk_certified_claims(const struct shk_context *context, struct shk_claims *claims,
                          bool *in_quad, const char *integrator, struct shk_message *error);

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

/*
 * A certificate tests every claim of an integrator, whether yes or no, on problems that can decide
 * it. It is created by analysing a study, which has cells, verdicts and reasons like any other
 * study.
 */
#ifndef HARNESS_CHECK_CERTIFY_H
#define HARNESS_CHECK_CERTIFY_H

#include "foundation/specifications/claims.h"
#include "harness/analysis/analysis.h"
#include "harness/study/study.h"

/* The subject of a row is an enum shk_claim or one of the following values. */
enum {
  /* the fibre identity, which a method claims when it names a partner method */
  SHK_CERTIFIED_FIBRE = SHK_CLAIMS,
  SHK_CERTIFIED_CLAIMS,                         /* all subjects before this one are claims */
  SHK_CERTIFIED_APPLIES = SHK_CERTIFIED_CLAIMS, /* reports that a problem was refused */
  SHK_CERTIFIED_FINISHES,                       /* reports that runs did not finish */
  /* has no verdict; the reason states the likely cause of falsified rows or of rounding errors in
   * velocities */
  SHK_CERTIFIED_CAUSE,
  /* findings about requirements that every method must satisfy, whatever it claims */
  SHK_CERTIFIED_OWED
};

/* Returns the name of a subject, such as "order of q", "symplectic" or "applies". Returns NULL for
 * SHK_CERTIFIED_OWED, for which shk_owed_words returns the names. */
const char *shk_certified_words(int about);

/* Returns the claim with this name (or the fibre identity), or -1 if there is none. */
int shk_certified_named(const char *words);

/* Returns the measure that decides a claim or the fibre identity. */
enum shk_measure_id shk_certified_measure(int claim);
/* Returns the measures that are needed for rows with this name, as a bit set indexed by enum
 * shk_measure_id. The name must be that of a claim or one returned by shk_owed_words. Returns 0 if
 * there are no such rows. */
unsigned long shk_certified_measures(const char *words);

/* Returns the name of rows about a quantity for which every method is tested, such as "stateless"
 * or "backward steps". Returns NULL for any other quantity. */
const char *shk_owed_words(enum shk_quantity_id quantity);

struct shk_certify_request {
  const char *const *integrators; /* canonical specifications */
  int count;
  /* specifications of problems to test in addition to those of the study */
  const char *const *problems;
  int problem_count;
  const char *const *claims; /* names of the subjects to test (see shk_certified_words) */
  int claim_count;           /* if 0 and `measures` is 0 too, all subjects are tested */
  /* measures to include in addition to those of the claims, as a bit set */
  unsigned long measures;
  /* `kick` is the seed for kicks of the initial states of `problems` and of the problems of
   * plug-ins, or 0 for no kicks. */
  long seed, kick;
  enum shk_budget budget;
  const char *file; /* the study file, either studies/certificate.yaml or a user's file */
};

/* Returns the file's study for these integrators as a string, without the parts that are
 * meaningless for them. The caller must free the string. On failure, returns NULL and stores the
 * reason in *error. */
char *shk_certify_study(const struct shk_context *context,
                        const struct shk_certify_request *request, struct shk_message *error);

struct shk_certificate_row {
  const char *integrator;
  int about;         /* the subject (see the enum above) */
  const char *claim; /* a name such as "order of q", "symplectic", "applies" or "finishes" */
  char stated[16];   /* the claimed value: "yes", "no", "required" or an order */
  /* the finding; a row without one has a finding with neither problem nor value */
  const struct shk_finding *of;
  bool counts;              /* true for a claim that the author made */
  enum shk_verdict verdict; /* may be undecided even if the verdict of the finding is different */
  const char *reason;       /* NULL if there is none */
  /* the memory of `reason` if the row owns it; NULL if the analysis does */
  char *owned;
};

struct shk_certificate {
  int count;
  struct shk_certificate_row *rows; /* sorted by integrator, then by claim */
};

/* Creates the rows from the analysis of the study. `integrators` must be those of the request. The
 * rows contain pointers into the analysis and to `integrators`. */
void shk_certify(struct shk_certificate *certificate, const char *const *integrators, int count,
                 const struct shk_analysis *analysis, const struct shk_plan *plan,
                 const struct shk_record *const *records);
void shk_certificate_clear(struct shk_certificate *certificate);

/* Removes all rows except those with these names and those about refusals, unfinished runs and
 * likely causes. If one of the names is that of a claim, rows about methods without claims are not
 * removed either. If count is 0, no rows are removed. */
void shk_certificate_keep(struct shk_certificate *certificate, const char *const *claims,
                          int count);

#endif

/*
 * A report that can be printed or sent to a colleague. It is a single HTML page with results,
 * figures, verdicts and the command that reproduces each record. The page loads no other files and
 * works without a server. User text is escaped. The page's content security policy allows only the
 * script with the page's nonce, which is a hash of the contents.
 */
#ifndef PLOTS_REPORT_REPORT_H
#define PLOTS_REPORT_REPORT_H

#include "foundation/index.h"
#include "harness/analysis/analysis.h"
#include "results/store/store.h"

struct shk_report {
  struct shk_store *store;
  char *title, *text; /* the names of the studies and the body of the page, both as HTML */
  char nonce[33];     /* nonce of the page's own script */
  /* the provenance rows in the store; this member and the following ones are private */
  struct shk_index provenance;
  FILE *body;
  size_t size;
};

/* Returns an empty report. The store must outlive the report. */
struct shk_report *shk_report_make(struct shk_store *store);

/* Adds a study. records[i] belongs to plan->cells[i]. Unless the records are complete, their parts
 * are read from `parts` (plots/canvas/drawing.h). `results` contains the tables shown in the
 * terminal, as HTML. On failure, returns false and sets the message. */
bool shk_report_add(struct shk_report *report, const struct shk_study *study,
                    const struct shk_plan *plan, const struct shk_record *const *records,
                    struct shk_records *parts, const struct shk_analysis *analysis,
                    const char *results, struct shk_message *error);

/* Completes the page and its nonce. The same store always produces exactly the same page. */
void shk_report_complete(struct shk_report *report);

void shk_report_free(struct shk_report *report);

#endif

/*
 * A report that can be printed or sent to a colleague: one HTML page with results, figures,
 * verdicts and the command behind every record. The page loads nothing and works from a file. User
 * text is escaped, and the page's content security policy allows only the script with the page's
 * nonce, which is a hash of the contents.
 */
#ifndef PLOTS_REPORT_REPORT_H
#define PLOTS_REPORT_REPORT_H

#include "foundation/index.h"
#include "harness/analysis/analysis.h"
#include "results/store/store.h"

struct shk_report {
  struct shk_store *store;
  char *title, *text;          /* names of the studies, and the body of the page, as HTML */
  char nonce[33];              /* nonce of the page's own script */
  struct shk_index provenance; /* rows of the store; private, as are the members below */
  FILE *body;
  size_t size;
};

/* Returns an empty report for a store, which must outlive it. */
struct shk_report *shk_report_make(struct shk_store *store);

/* Adds a study. records[i] belongs to plan->cells[i]. Either the record has its parts, or they are
 * read from `parts` (plots/canvas/drawing.h). `results` contains the tables that a terminal shows,
 * as HTML. Returns false with the reason on failure. */
bool shk_report_add(struct shk_report *report, const struct shk_study *study,
                    const struct shk_plan *plan, const struct shk_record *const *records,
                    struct shk_records *parts, const struct shk_analysis *analysis,
                    const char *results, struct shk_message *error);

/* Completes the text and the nonce. The same store always gives the same bytes. */
void shk_report_complete(struct shk_report *report);

void shk_report_free(struct shk_report *report);

#endif

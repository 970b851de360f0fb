/*
 * A report that can be sent to a colleague: one page of HTML with everything in it, tables, figures
 * and the record behind every number. It loads nothing, and works from a file.
 *
 * What users named or wrote goes into the page as JSON, from where its script puts it into text
 * nodes; "<" is escaped there, so that nothing in it ends the JSON early, and the page's policy
 * runs only the one script that carries the page's own number, which is a hash of its data.
 */
#ifndef PLOTS_REPORT_REPORT_H
#define PLOTS_REPORT_REPORT_H

#include "harness/analysis/analysis.h"
#include "results/store/store.h"

struct shk_report;

/* An empty report of a store, which must outlive it. `parts`: the folder of page.html, report.css
 * and report.js. */
struct shk_report *shk_report_make(struct shk_store *store, const char *parts);

/* What a study has taught: what of, and the text. */
struct shk_report_lesson {
  const char *head, *text;
};

/* Adds a study: its analysed values, its records, its figures. records[i] belongs to
 * plan->cells[i], and has its parts or these are taken from `parts` (plots/kinds/kinds.h). Of more
 * than 10,000 cells those that did not finish and the first that did are on the page, of more than
 * 50,000 values those that are falsified, undecided or failed and the first others; the page says
 * so. Figures are drawn in `scratch`, a folder that exists and may be written; what is drawn there
 * is removed again. False with the reason. */
bool shk_report_add(struct shk_report *report, const struct shk_study *study,
                    const struct shk_plan *plan, const struct shk_record *const *records,
                    struct shk_records *parts, const struct shk_analysis *analysis,
                    const struct shk_report_lesson *lessons, int lesson_count, const char *scratch,
                    struct shk_message *error);

/* Writes FOLDER/index.html. The same store gives the same bytes. False with the reason. */
bool shk_report_write(struct shk_report *report, const char *folder, struct shk_message *error);

void shk_report_free(struct shk_report *report);

#endif

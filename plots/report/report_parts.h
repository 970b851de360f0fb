/* What a report is put together from. Private to plots/. */
#ifndef PLOTS_REPORT_REPORT_PARTS_H
#define PLOTS_REPORT_REPORT_PARTS_H

#include "harness/analysis/analysis.h"
#include <jansson.h>

/* Figures of a study, all of a small one, as a list of {title, kind, problem, svg}, drawn in
 * `scratch` and taken away again; NULL with the reason. Records, their parts and *left_out as in
 * kinds.h. */
json_t *shk_report_figures(const struct shk_study *study, const struct shk_plan *plan,
                           const struct shk_record *const *records, struct shk_records *parts,
                           const struct shk_analysis *analysis, const char *scratch, int *left_out,
                           bool *passed_over, struct shk_message *error);

struct shk_page {
  const char *parts; /* folder of page.html, report.css and report.js */
  const char *title; /* of a user */
  const char *nonce;
  const char *data; /* JSON without "<" */
};

/* Writes FOLDER/index.html from the parts; false with the reason. */
bool shk_page_write(const struct shk_page *page, const char *folder, struct shk_message *error);

#endif

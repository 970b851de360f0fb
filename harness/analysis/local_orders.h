/*
 * Orders of the error of one step, from cells of type local-error (measures/local_error.c): found
 * like orders over a run, from signed errors at several steps. Quantities: "local order of BLOCK".
 */
#ifndef HARNESS_ANALYSIS_LOCAL_ORDERS_H
#define HARNESS_ANALYSIS_LOCAL_ORDERS_H

#include "harness/analysis/families/findings.h"

/* Cells of one problem, integrator and precision, largest step first, and their records. */
struct shk_local_series {
  const struct shk_planned *const *cells;
  const struct shk_record *const *records;
  int count;
};

/* Reports the orders; uses the family's text, claims and inspection. */
void shk_local_orders_report(struct shk_findings *findings, const struct shk_family *family,
                             const struct shk_local_series *series);

#endif

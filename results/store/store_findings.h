/*
 * Stores the findings of the latest analysis of a study for programs that read the store using SQL.
 * Writing a record deletes all findings.
 */
#ifndef RESULTS_STORE_STORE_FINDINGS_H
#define RESULTS_STORE_STORE_FINDINGS_H

#include "results/record/finding.h"
#include "results/store/store.h"

/* Stores the findings of a study, replacing any earlier ones. */
bool shk_store_put_findings(struct shk_store *store, const char *study,
                            const struct shk_finding *findings, int count,
                            struct shk_message *error);

bool shk_store_forget_findings(struct shk_store *store, struct shk_message *error);

#endif

/*
 * The findings of the last analysis of a study in its store, so that a finished study need not be
 * analysed again. They are valid while they are as written and their input is unchanged: the
 * records, the study, the program, its libraries and plug-ins. Writing a record deletes them.
 */
#ifndef RESULTS_STORE_STORE_FINDINGS_H
#define RESULTS_STORE_STORE_FINDINGS_H

#include "results/record/finding.h"
#include "results/store/store.h"

/* Computes the digest of the input of an analysis of the study (its name, path and text).
 * `plugins`: as in the provenance, NULL if none. False with the reason. Changes of a record by
 * other programs are not detected. */
bool shk_store_basis(struct shk_store *store, char basis[SHK_HASH_SIZE],
                     const struct shk_stored_study *study, const char *plugins,
                     struct shk_message *error);

/* Stores the findings of a study in place of earlier ones. */
bool shk_store_put_findings(struct shk_store *store, const char *study, const char *basis,
                            const struct shk_finding *findings, int count,
                            struct shk_message *error);

/* Reads the findings, which the caller frees by shk_findings_free; NULL if there are none of this
 * basis. False with the reason. */
bool shk_store_findings(struct shk_store *store, struct shk_finding **findings, int *count,
                        const char *study, const char *basis, struct shk_message *error);

/* Deletes the findings of all studies. */
bool shk_store_forget_findings(struct shk_store *store, struct shk_message *error);

#endif

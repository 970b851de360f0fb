/*
 * The findings of a study's last analysis in its store, so that a finished study need not be
 * analysed again. They stand as long as nothing has changed that they were computed from: the
 * records, the study, the program, its libraries and plug-ins. Writing any record forgets them.
 */
#ifndef RESULTS_STORE_STORE_FINDINGS_H
#define RESULTS_STORE_STORE_FINDINGS_H

#include "results/record/finding.h"
#include "results/store/store.h"

/* The digest of all that findings of the study (its name, path and text) would now be computed
 * from. `plugins`: what the provenance says of them, NULL without. False with the reason. What
 * others write into a record without this program is not noticed. */
bool shk_store_basis(struct shk_store *store, char basis[SHK_HASH_SIZE],
                     const struct shk_stored_study *study, const char *plugins,
                     struct shk_message *error);

/* Keeps the findings of a study in place of earlier ones, or not where they would not come out to
 * the last bit. */
bool shk_store_put_findings(struct shk_store *store, const char *study, const char *basis,
                            const struct shk_finding *findings, int count,
                            struct shk_message *error);

/* The findings, which the caller frees by shk_findings_free; NULL if there are none of this basis.
 * False with the reason. */
bool shk_store_findings(struct shk_store *store, struct shk_finding **findings, int *count,
                        const char *study, const char *basis, struct shk_message *error);

/* Forgets those of all studies. */
bool shk_store_forget_findings(struct shk_store *store, struct shk_message *error);

#endif

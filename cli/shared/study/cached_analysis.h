/* What the records of a store say of a study: as it was found before, or analysed anew. */
#ifndef CLI_SHARED_STUDY_CACHED_ANALYSIS_H
#define CLI_SHARED_STUDY_CACHED_ANALYSIS_H

#include "harness/analysis/analysis.h"
#include "results/store/store.h"

struct shk_arguments;
struct shk_published;

/* What was found before and is kept in the store, unless something has changed that it was computed
 * from: then *analysis is NULL, and findings of this basis may be kept
 * (results/store/store_findings.h). False with the reason. */
bool shk_cached_analysis(const struct shk_arguments *arguments, struct shk_store *store,
                         const struct shk_study *study, char basis[SHK_HASH_SIZE],
                         struct shk_analysis **analysis, struct shk_message *error);

/* What the store's records of a study say: as it was found before, or analysed now and kept in the
 * store. Without curves. `published` may be NULL: no comparison with the literature; else clear it
 * in any case. NULL after a complaint. */
struct shk_analysis *shk_analyse_stored(const struct shk_arguments *arguments,
                                        struct shk_store *store, const struct shk_study *study,
                                        const struct shk_plan *plan,
                                        struct shk_published *published);

#endif

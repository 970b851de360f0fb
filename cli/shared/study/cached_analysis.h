/* The analysis of a study in a store: kept from before, or made anew. */
#ifndef CLI_SHARED_STUDY_CACHED_ANALYSIS_H
#define CLI_SHARED_STUDY_CACHED_ANALYSIS_H

#include "harness/analysis/analysis.h"
#include "results/store/store.h"

struct shk_arguments;
struct shk_published;

/* The analysis kept in the store, unless anything that it was computed from has changed: then
 * *analysis is NULL, and findings of this basis may be kept (results/store/store_findings.h). False
 * with the reason. */
bool shk_cached_analysis(const struct shk_arguments *arguments, struct shk_store *store,
                         const struct shk_study *study, char basis[SHK_HASH_SIZE],
                         struct shk_analysis **analysis, struct shk_message *error);

/* The analysis of a study: the one kept in the store, or a new one, which is then kept. Without
 * curves. `published` NULL: no comparison with the literature; else clear it either way. NULL after
 * a complaint. */
struct shk_analysis *shk_analyse_stored(const struct shk_arguments *arguments,
                                        struct shk_store *store, const struct shk_study *study,
                                        const struct shk_plan *plan,
                                        struct shk_published *published);

#endif

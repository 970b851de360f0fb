/* The analysis of a study in a store: read from the store, or computed. */
#ifndef CLI_SHARED_STUDY_CACHED_ANALYSIS_H
#define CLI_SHARED_STUDY_CACHED_ANALYSIS_H

#include "harness/analysis/analysis.h"
#include "results/store/store.h"

struct shk_arguments;
struct shk_published;

/* Reads the analysis from the store. If any of its inputs has changed, *analysis is NULL, and
 * findings of this basis may be stored (results/store/store_findings.h). Returns false with the
 * reason. */
bool shk_cached_analysis(const struct shk_arguments *arguments, struct shk_store *store,
                         const struct shk_study *study, char basis[SHK_HASH_SIZE],
                         struct shk_analysis **analysis, struct shk_message *error);

/* The analysis of a study, read from the store, or computed and then stored; without curves.
 * `published` NULL: no comparison with the literature; else clear it either way. NULL after an
 * error message. */
struct shk_analysis *shk_analyse_stored(const struct shk_arguments *arguments,
                                        struct shk_store *store, const struct shk_study *study,
                                        const struct shk_plan *plan,
                                        struct shk_published *published);

#endif

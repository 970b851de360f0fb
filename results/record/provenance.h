/*
 * The provenance of records: everything that affects their numbers but is not part of their key.
 */
#ifndef RESULTS_RECORD_PROVENANCE_H
#define RESULTS_RECORD_PROVENANCE_H

#include <stdbool.h>

struct shk_provenance {
#define PROVENANCE(member, column, environment) char *member;
#include "results/record/provenance.def"
#undef PROVENANCE
};

enum {
#define PROVENANCE(member, column, environment) SHK_PROVENANCE_##member,
#include "results/record/provenance.def"
#undef PROVENANCE
  SHK_PROVENANCE_TEXTS
};
extern const struct shk_provenance_text {
  const char *column;
  bool environment;
} shk_provenance_texts[SHK_PROVENANCE_TEXTS];

/* Returns the field with the given index. */
char **shk_provenance_text(struct shk_provenance *provenance, int number);

/* Fills in the provenance of this program and machine. `plugins` and `study_text` are copied. */
void shk_provenance_collect(struct shk_provenance *provenance, const char *plugins,
                            const char *study_text);
void shk_provenance_clear(struct shk_provenance *provenance);

/* Returns the hash of the numerical sources from which this program was built. */
const char *shk_source_hash(void);

/* Returns the current time in UTC, such as "2026-01-31T12:00:00Z". The caller frees the string. */
char *shk_date_now(void);

#endif

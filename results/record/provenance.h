/*
 * Where records come from: what may change their numbers without being part of their key.
 */
#ifndef RESULTS_RECORD_PROVENANCE_H
#define RESULTS_RECORD_PROVENANCE_H

struct shk_provenance {
  char *version, *revision, *source; /* of shakedown, its repository, its numeric sources */
  char *compiler, *flags, *processor, *system, *libraries;
  char *plugins;    /* path and hash of each, a line each; empty without */
  char *date;       /* UTC, ISO 8601 */
  char *study_text; /* the study as it was run; NULL without one */
};

/* Fills in what this program and machine are; plugins and study_text are copied. */
void shk_provenance_collect(struct shk_provenance *provenance, const char *plugins,
                            const char *study_text);
void shk_provenance_clear(struct shk_provenance *provenance);

/* The hash of the numeric sources that this program was built from. */
const char *shk_source_hash(void);

/* Now, UTC, "2026-01-31T12:00:00Z"; the caller frees it. */
char *shk_date_now(void);

#endif

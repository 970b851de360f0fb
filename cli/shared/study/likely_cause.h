/* Finds the likely cause of falsified claims, as `try` does. */
#ifndef CLI_SHARED_STUDY_LIKELY_CAUSE_H
#define CLI_SHARED_STUDY_LIKELY_CAUSE_H

struct shk_arguments;

/* Makes single steps of a method on the systems of studies/try.yaml, in at most ten seconds.
 * Returns the mistake that the identities of these steps show, or NULL if there is none. The caller
 * frees the text. */
char *shk_find_likely_cause(const struct shk_arguments *arguments, const char *integrator);

#endif

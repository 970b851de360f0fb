/* Finds the likely cause of falsified claims, using the same approach as `try`. */
#ifndef CLI_SHARED_STUDY_LIKELY_CAUSE_H
#define CLI_SHARED_STUDY_LIKELY_CAUSE_H

struct shk_arguments;

/* Takes single steps with a method on the systems of studies/try.yaml, for at most ten seconds.
 * Returns the mistake indicated by the identities that these steps satisfy, or NULL if there is
 * none. The caller frees the string. */
char *shk_find_likely_cause(const struct shk_arguments *arguments, const char *integrator);

#endif

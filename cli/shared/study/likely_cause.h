/* The likely cause of fallen claims, as `try` finds it. */
#ifndef CLI_SHARED_STUDY_LIKELY_CAUSE_H
#define CLI_SHARED_STUDY_LIKELY_CAUSE_H

struct shk_arguments;

/* Makes single steps of a method on the systems of studies/try.yaml, in at most ten seconds, and
 * returns the mistake that their identities show; NULL: none. The caller frees it. */
char *shk_find_likely_cause(const struct shk_arguments *arguments, const char *integrator);

#endif

/* The properties of a method that the findings of a study show, regardless of its claims. */
#ifndef CLI_COMMANDS_TRY_FACTS_H
#define CLI_COMMANDS_TRY_FACTS_H

#include "cli/shared/study/study_job.h"
#include "foundation/specifications/claims.h"

struct shk_facts {
  /* Indexed by enum shk_claim. Values are an order or SHK_NO_ORDER or, for other claims, SHK_YES if
   * the property holds, SHK_NO if it does not, and SHK_UNKNOWN if nothing decided it. */
  int values[SHK_CLAIMS];
  struct shk_claims claimed;
  bool claims_nothing;
  char *lines[2]; /* orders and constraints, and structure, in words; owned; NULL if not known */
};

/* Reads the facts from the records of an analysed study. Its findings are made again as if all
 * properties were claimed. */
void shk_facts_find(struct shk_facts *facts, const char *integrator,
                    const struct shk_study_job *job);
void shk_facts_clear(struct shk_facts *facts);

/* Returns true if the method could claim this but does not. */
bool shk_facts_propose(const struct shk_facts *facts, enum shk_claim claim);
/* Forms of claims: C source, a Python class, or a line of the program protocol. */
enum shk_language { SHK_LANGUAGE_C, SHK_LANGUAGE_PYTHON, SHK_LANGUAGE_LINES };
/* Returns the claims of shk_facts_propose as text to paste, or NULL if there are none. The caller
 * frees it. */
char *shk_facts_text(const struct shk_facts *facts, enum shk_language language);

#endif

/* The properties of a method as found by a study, regardless of the method's claims. */
#ifndef CLI_COMMANDS_TRY_FACTS_H
#define CLI_COMMANDS_TRY_FACTS_H

#include "cli/shared/study/study_job.h"
#include "foundation/specifications/claims.h"

struct shk_facts {
  /* Indexed by enum shk_claim. For claims about orders, a value is an order or SHK_NO_ORDER. For
   * other claims, it is SHK_YES if the property holds, SHK_NO if it does not, and SHK_UNKNOWN if it
   * is undecided. */
  int values[SHK_CLAIMS];
  struct shk_claims claimed;
  bool claims_nothing;
  /* descriptions of the orders and constraints, and of the structure; the strings are owned, and
   * NULL if unknown */
  char *lines[2];
};

/* Determines the facts from the records of an analysed study. The findings are recomputed on the
 * assumption that all properties are claimed. */
void shk_facts_find(struct shk_facts *facts, const char *integrator,
                    const struct shk_study_job *job);
void shk_facts_clear(struct shk_facts *facts);

/* Returns true if the method could make the claim but does not. */
bool shk_facts_propose(const struct shk_facts *facts, enum shk_claim claim);
/* Formats for claims: C source, a Python class, or a line of the program protocol. */
enum shk_language { SHK_LANGUAGE_C, SHK_LANGUAGE_PYTHON, SHK_LANGUAGE_LINES };
/* Returns the claims that shk_facts_propose accepts, as text ready to paste, or NULL if there are
 * none. The caller frees the text. */
char *shk_facts_text(const struct shk_facts *facts, enum shk_language language);

#endif

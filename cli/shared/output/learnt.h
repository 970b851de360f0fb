/* What a study has taught, in a few lines: `run`, `show`, reports. */
#ifndef CLI_SHARED_OUTPUT_LEARNT_H
#define CLI_SHARED_OUTPUT_LEARNT_H

#include "harness/analysis/analysis.h"

enum { SHK_LESSONS = 3 };

/* "order of q" and "2: rattle, shake; 1: symplectic-euler-rattle"; the text is the caller's to
 * free. Returns how many there are. */
struct shk_lesson {
  const char *head;
  char *text;
};
int shk_learn(struct shk_lesson *lessons, const struct shk_analysis *analysis);

/* Prints them: the order of q, the class of the energy and the hidden constraint, each with the
 * integrators that have it, at their worst over all problems; nothing of what was not measured. */
void shk_learnt_print(const struct shk_analysis *analysis, int width);

#endif

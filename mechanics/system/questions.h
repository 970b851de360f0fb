/* The functions of a system (<shakedown/questions.def>), evaluated by number. */
#ifndef MECHANICS_SYSTEM_QUESTIONS_H
#define MECHANICS_SYSTEM_QUESTIONS_H

#include <shakedown/system.h>

/* The functions in the order of the table. The functions of a system come first. */
enum shk_asked {
#define QUESTION(id, ...) SHK_ASKED_##id,
#define PROBLEM_QUESTION(id, ...)
#include <shakedown/questions.def>
#undef QUESTION
#undef PROBLEM_QUESTION
  SHK_SYSTEM_QUESTIONS
};

struct shk_question {
  const char *word;
  bool timed;  /* whether the function takes a time */
  int vectors; /* number of its vector arguments, of n numbers each */
};

extern const struct shk_question shk_questions[]; /* the whole table */

/* Returns the number of values for n coordinates, m constraints and k invariants. */
size_t shk_question_count(int which, size_t n, size_t m, size_t k);

/* Evaluates a function of the system at t and at its vector arguments, which x contains one after
 * the other. `entries` has room for the Jacobian's values. Returns SHK_REFUSED if the system lacks
 * the function. */
struct shk_status shk_question_answer(struct shk_evaluator *e, real *out, real *entries,
                                      enum shk_asked which, real t, const real *x);

#endif

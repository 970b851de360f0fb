/* Evaluates the functions of a system (<shakedown/questions.def>), which are selected by index. */
#ifndef MECHANICS_SYSTEM_QUESTIONS_H
#define MECHANICS_SYSTEM_QUESTIONS_H

#include <shakedown/system.h>

/* All functions, in the order of the table. The functions of a system come first. */
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
  bool timed;  /* whether the function has a time argument */
  int vectors; /* number of vector arguments, each with n entries */
};

extern const struct shk_question shk_questions[]; /* the whole table */

/* Returns the number of values that the function has for n coordinates, m constraints and k
 * invariants. */
size_t shk_question_count(int which, size_t n, size_t m, size_t k);

/* Evaluates a function of the system at time t. x contains the function's vector arguments in
 * sequence. `entries` has room for the Jacobian's values. Returns SHK_REFUSED if the system does
 * not provide the function. */
struct shk_status shk_question_answer(struct shk_evaluator *e, real *out, real *entries,
                                      enum shk_asked which, real t, const real *x);

#endif

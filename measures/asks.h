/*
 * What a measure of structure asks of problems and integrators: the same in all precisions.
 */
#ifndef MEASURES_ASKS_H
#define MEASURES_ASKS_H

#include <shakedown/descriptor.h>

/* What speaks against a problem: any of these features of its system, or of these flags. */
struct shk_objection {
  unsigned features;    /* enum shk_feature */
  unsigned undecidable; /* enum shk_undecidable */
  const char *why;
};

enum { SHK_MOST_OBJECTIONS = 4, SHK_ITERATES = 8 };

/* What a measure of the solve for multipliers compares with: the same integrator, */
enum shk_other_solves {
  SHK_NO_OTHERS,
  SHK_WITH_NEWTON, /* with the option solver=newton */
  SHK_WITH_COUNTS  /* with criterion=count, and 1, 2, … SHK_ITERATES iterations: so many maps */
};

struct shk_structure_asks {
  bool partner;    /* another integrator, which the integrator names and so claims it */
  bool reference;  /* the reference integrator on the same problem */
  bool if_claimed; /* certificates ask only methods that claim it, or that it is not so */
  /* What does not vanish follows no power of the step: "N times", and this, is said of it. NULL: it
   * has to. */
  const char *no_power;
  /* Measured where a claim asks for it only. */
  enum shk_other_solves others;
  /* The same integrator on the same problem in disguise, with these options of `disguised`. NULL:
   * not. */
  const char *disguise;
  /* Where the problem itself has nothing of the kind, and where it can refute but not confirm. Those
   * that are met first are told; the list ends where there is no reason. */
  struct shk_objection meaningless[SHK_MOST_OBJECTIONS], undecidable[SHK_MOST_OBJECTIONS];
};

/* The first that is met; NULL: none. */
static inline const struct shk_objection *shk_objection_to(const struct shk_objection *list,
                                                           unsigned features, unsigned undecidable)
{
  for (int i = 0; i < SHK_MOST_OBJECTIONS && list[i].why; i++)
    if ((list[i].features & features) != 0 || (list[i].undecidable & undecidable) != 0)
      return &list[i];
  return NULL;
}

#endif

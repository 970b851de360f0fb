/* Requirements of a structure measure on problems and integrators, the same in all precisions. */
#ifndef MEASURES_ASKS_H
#define MEASURES_ASKS_H

#include <shakedown/parts/descriptor.h>

/* Reason against problems whose system has one of these features, or that declare one of these
 * flags. */
struct shk_obstacle {
  unsigned features;    /* enum shk_feature */
  unsigned undecidable; /* enum shk_undecidable */
  const char *why;
};

enum { SHK_MOST_OBSTACLES = 4, SHK_ITERATES = 8 };

/* Maps that a measure compares with: the same integrator with another solve for the multipliers. */
enum shk_other_solves {
  SHK_NO_OTHERS,
  SHK_WITH_NEWTON, /* one map, with solver=newton */
  SHK_WITH_COUNTS  /* SHK_ITERATES maps, with criterion=count and 1, 2, … iterations */
};

struct shk_structure_asks {
  bool partner;    /* needs the partner that the integrator names; naming one is the claim */
  bool reference;  /* needs the reference integrator on the same problem */
  bool if_claimed; /* certificates measure it only for methods that state the claim, as yes or no */
  /* The defect of every method vanishes with the step. A defect at its floor confirms the claim
   * only where the error of the step itself is far above the floor. */
  bool needs_power;
  /* Words after "N times" in the reason, for a defect that need not follow a power of the step.
   * NULL: a defect that does not vanish must follow one. */
  const char *no_power;
  /* Other solves that it needs; certificates then measure it as if_claimed. */
  enum shk_other_solves others;
  /* Options of the problem `transformed`, on which the second map is the step of the same
   * integrator. NULL: not needed. */
  const char *transform;
  /* Reasons why the property is not defined for the problem, or why the problem can refute it but
   * not confirm it. The first that applies is reported; an entry without `why` ends the list. */
  struct shk_obstacle meaningless[SHK_MOST_OBSTACLES], undecidable[SHK_MOST_OBSTACLES];
};

/* Returns the first entry of a list that applies to a problem, or NULL. */
static inline const struct shk_obstacle *shk_obstacle_to(const struct shk_obstacle *list,
                                                         unsigned features, unsigned undecidable)
{
  for (int i = 0; i < SHK_MOST_OBSTACLES && list[i].why; i++)
    if ((list[i].features & features) != 0 || (list[i].undecidable & undecidable) != 0)
      return &list[i];
  return NULL;
}

#endif

/* The requirements of a structure measure on problems and integrators, which are the same in all
 * precisions. */
#ifndef MEASURES_ASKS_H
#define MEASURES_ASKS_H

#include <shakedown/parts/descriptor.h>

/* The reason why a measure does not apply to problems whose system has one of these features, or
 * which declare one of these flags. */
struct shk_obstacle {
  unsigned features;    /* a set of enum shk_feature */
  unsigned undecidable; /* a set of enum shk_undecidable */
  const char *why;
};

enum { SHK_MOST_OBSTACLES = 4, SHK_ITERATES = 8 };

/* Maps that a measure uses for comparison: those of the same integrator with a different solver for
 * the multipliers. */
enum shk_other_solves {
  SHK_NO_OTHERS,
  SHK_WITH_NEWTON, /* one map, with solver=newton */
  SHK_WITH_COUNTS  /* SHK_ITERATES maps, with criterion=count and 1, 2, … iterations */
};

struct shk_structure_asks {
  bool partner;    /* needs the partner that the integrator names; naming one is the claim */
  bool reference;  /* needs the reference integrator on the same problem */
  bool if_claimed; /* certificates measure it only for methods that claim either yes or no */
  /* The defect of every method vanishes with the step. A defect at its floor therefore confirms the
   * claim only if the error of the step itself is far above the floor. */
  bool needs_power;
  /* The words that follow "N times" in the reason, for a defect that need not follow a power of the
   * step. If NULL, a defect that does not vanish must follow a power. */
  const char *no_power;
  /* The comparison maps that the measure needs. If it needs any, certificates treat it as if
   * if_claimed were set. */
  enum shk_other_solves others;
  /* Options of the problem `transformed`. The second map is the step of the same integrator on that
   * problem. NULL if no second map is needed. */
  const char *transform;
  /* Reasons why the property is not defined for the problem, or why the problem can refute it
   * but not confirm it. The first entry that applies is reported; an entry without `why` ends
   * the list. */
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

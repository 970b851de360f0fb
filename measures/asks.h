/* What a structure measure requires of problems and integrators. The requirements are the same in
 * every precision. */
#ifndef MEASURES_ASKS_H
#define MEASURES_ASKS_H

#include <shakedown/parts/descriptor.h>

/* The reason why a measure does not apply to a problem. It is given if the system has one of these
 * features or if the problem declares one of these flags. */
struct shk_obstacle {
  unsigned features;    /* a bit set of values of enum shk_feature */
  unsigned undecidable; /* a bit set of values of enum shk_undecidable */
  const char *why;
};

enum { SHK_MOST_OBSTACLES = 4, SHK_ITERATES = 8 };

/* Maps that a measure uses for comparison. They belong to the same integrator, but solve for the
 * multipliers in a different way. */
enum shk_other_solves {
  SHK_NO_OTHERS,
  SHK_WITH_NEWTON, /* one map, with solver=newton */
  SHK_WITH_COUNTS  /* SHK_ITERATES maps, with criterion=count and 1, 2, … iterations */
};

struct shk_structure_asks {
  /* true if the measure needs the partner that the integrator names; naming a partner is itself the
   * claim */
  bool partner;
  bool reference; /* true if the measure needs the reference integrator on the same problem */
  /* true if certificates measure the property only when the method claims either yes or no */
  bool if_claimed;
  /* True if the defect of every method vanishes with the step size. In that case, a defect at its
   * floor confirms the claim only if the error of the step itself is far above the floor. */
  bool needs_power;
  /* The words that follow "N times" in the reason, if the defect does not have to scale as a power
   * of the step size. If NULL, a nonzero defect must scale as a power. */
  const char *no_power;
  /* The comparison maps that the measure needs. If any are given, certificates behave as if
   * `if_claimed` were set. */
  enum shk_other_solves others;
  /* Options for the problem `transformed`, on which the same integrator provides the second map.
   * NULL if no second map is needed. */
  const char *transform;
  /* Reasons why the property is not defined for a problem, and reasons why a problem can refute it
   * but not confirm it. The first entry that applies is reported. The list ends with an entry whose
   * `why` is NULL. */
  struct shk_obstacle meaningless[SHK_MOST_OBSTACLES], undecidable[SHK_MOST_OBSTACLES];
};

/* Returns the first entry in the list that applies to a problem, or NULL if none does. */
static inline const struct shk_obstacle *shk_obstacle_to(const struct shk_obstacle *list,
                                                         unsigned features, unsigned undecidable)
{
  for (int i = 0; i < SHK_MOST_OBSTACLES && list[i].why; i++)
    if ((list[i].features & features) != 0 || (list[i].undecidable & undecidable) != 0)
      return &list[i];
  return NULL;
}

#endif

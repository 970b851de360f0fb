/* The words of descriptors. */
#include "cli/shared/words.h"

#include <string.h>

const char *const shk_feature_words[SHK_FEATURE_COUNT] = {
    "general Hamiltonian H(q,p)", "constraints that depend on time",
    "forces without a potential", "constraints that depend on momenta",
    "velocity constraints",       "general differential-algebraic equations"};

const char *const shk_undecidable_words[] = {
    "linear constraints: any method keeps them, and projections pass for symplectic",
    "free motion: multipliers and momenta are special",
    "symmetric start: orders may look higher than they are",
    "one degree of freedom: symplectic is only area",
    "linear potential: Verlet, midpoint and Gauss flows coincide",
    "no reversal: H is not even in p",
    "chaotic beyond the generic horizon: errors grow exponentially there",
    NULL};

const char *shk_answer_word(enum shk_answer answer)
{
  return answer == SHK_YES ? "yes" : answer == SHK_NO ? "no" : "unknown";
}

const char *shk_measure_summary(const char *name)
{
  static const struct {
    const char *name, *summary;
  } measures[] = {
      {"error", "distance from the reference in q, p and the multipliers, max norms"},
      {"order", "slope of log error over log step in the asymptotic window, with its uncertainty"},
      {"energy", "largest energy error, its class over long runs, its round-off growth"},
      {"constraint", "largest |g| and |G H_p| of a run"},
      {"momentum", "largest change of the invariants that the problem declares"},
      {"multiplier", "errors and orders of the multipliers, the method's own and those of a state"},
      {"constraint-work", "energy that impulses, projections and constraint forces put in"},
      {"work", "evaluations, iterations, factorizations, steps, CPU time"},
      {"work-precision", "error against work"},
      {"regularity", "smallest singular value of the constraints along a run; crossings, impasses"},
      {"published", "digits in common with the literature"},
      {"symplecticity", "defect of the symplectic form on the hidden manifold, of one step"},
      {"presymplecticity", "the same on the constraint manifold"},
      {"symmetry", "distance from the start after a step forth and a step back"},
      {"reversibility", "the same with the momenta turned about in between"},
      {"fibre", "whether a method and its projected partner compute the same positions"}};
  for (size_t i = 0; i < sizeof measures / sizeof measures[0]; i++)
    if (strcmp(measures[i].name, name) == 0)
      return measures[i].summary;
  return NULL;
}

/* Names that problems and integrators had, read as long as the major version lasts. */
#ifndef ENGINE_RENAMED_H
#define ENGINE_RENAMED_H

#include <string.h>

/* Returns the name that a problem or an integrator has now, where a specification begins with an
 * old one; else NULL. */
static inline const char *shk_renamed(const char *spec)
{
  static const char *const names[][2] = {{"drawn", "random-system"},
                                         {"disguised", "transformed"},
                                         {"pair", "product"},
                                         {"step-reduction", "step-halving"},
                                         {"reversal-check", "reversibility-check"},
                                         {"stored", "rounded"}};
  const size_t length = strcspn(spec, "(");
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strlen(names[i][0]) == length && strncmp(spec, names[i][0], length) == 0)
      return names[i][1];
  return NULL;
}

#endif

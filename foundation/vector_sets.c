#include "foundation/vector_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VARIABLE "SHAKEDOWN_VECTORS"

#define NAME(name, what) #name,
static const char *const names[] = {"portable", SHK_VECTOR_SETS(NAME, )};

const char *shk_vector_set_name(enum shk_vector_set set)
{
  return names[set];
}

bool shk_vector_set_runs(enum shk_vector_set set)
{
#define ASK(name, what)                                                                            \
  case SHK_VECTORS_##name:                                                                         \
    return SHK_VECTORS_RUN_##name;
  switch (set) {
    SHK_VECTOR_SETS(ASK, )
  default:
    return set == SHK_VECTORS_portable;
  }
}

void shk_vector_sets_that_run(char text[SHK_VECTOR_SETS_TEXT])
{
  size_t length = 0;
  for (enum shk_vector_set set = SHK_VECTORS_portable; set < SHK_VECTOR_SET_COUNT; set++)
    if (shk_vector_set_runs(set))
      length += (size_t)snprintf(text + length, SHK_VECTOR_SETS_TEXT - length, "%s%s",
                                 length > 0 ? ", " : "", names[set]);
}

/* SHK_VECTOR_SET_COUNT: none that can run here. */
static enum shk_vector_set named(const char *name)
{
  enum shk_vector_set set = SHK_VECTORS_portable;
  while (set < SHK_VECTOR_SET_COUNT && (strcmp(names[set], name) != 0 || !shk_vector_set_runs(set)))
    set++;
  return set;
}

bool shk_vectors_are_given_well(void)
{
  const char *const given = getenv(VARIABLE);
  return !given || named(given) != SHK_VECTOR_SET_COUNT;
}

enum shk_vector_set shk_vectors(void)
{
  static _Atomic int found = -1; /* by any thread: all find the same */
  if (found >= 0)
    return (enum shk_vector_set)found;
  const char *const given = getenv(VARIABLE);
  enum shk_vector_set set = given ? named(given) : SHK_VECTOR_SET_COUNT;
  if (set == SHK_VECTOR_SET_COUNT)
    do
      set--;
    while (!shk_vector_set_runs(set));
  found = (int)set;
  return set;
}

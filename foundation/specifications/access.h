/* What specifications may reach outside of the program, as whoever runs it allows. */
#ifndef FOUNDATION_SPECIFICATIONS_ACCESS_H
#define FOUNDATION_SPECIFICATIONS_ACCESS_H

#include <stdbool.h>

struct shk_access {
  /* Files that options name are found from this folder and never outside of it: the study's, where
   * there is one. NULL or "": the working directory. */
  const char *folder;
  bool programs; /* integrators may run programs: --allow-external */
};

#endif

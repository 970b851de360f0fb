/* What specifications may reach outside the program. */
#ifndef FOUNDATION_SPECIFICATIONS_ACCESS_H
#define FOUNDATION_SPECIFICATIONS_ACCESS_H

#include <stdbool.h>

struct shk_access {
  /* Files that options name are found in this folder and never outside it: the study's, if there is
   * one. NULL or "": the working directory. */
  const char *folder;
  bool programs;     /* integrators may run programs: --allow-external */
  bool sandbox;      /* strangers' code is confined: --sandbox */
  const char *reads; /* a folder more that it then may read; NULL: none */
};

#endif

/* Access of specifications to files and programs. */
#ifndef FOUNDATION_SPECIFICATIONS_ACCESS_H
#define FOUNDATION_SPECIFICATIONS_ACCESS_H

#include <stdbool.h>

struct shk_access {
  /* Folder of the files that options name, usually the study's; files outside it are refused. NULL
   * or "": the working directory. */
  const char *folder;
  bool programs;     /* integrators may run programs: --allow-external */
  bool sandbox;      /* untrusted code is confined: --sandbox */
  const char *reads; /* one more folder readable in the sandbox; NULL: none */
};

#endif

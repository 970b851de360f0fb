/* The files and programs that specifications may use. */
#ifndef FOUNDATION_SPECIFICATIONS_ACCESS_H
#define FOUNDATION_SPECIFICATIONS_ACCESS_H

#include <stdbool.h>

struct shk_access {
  /* Folder of the files that options can name, usually the study's. Files outside it are refused.
   * NULL or "" means the working directory. */
  const char *folder;
  bool programs;     /* true if integrators may run programs (--allow-external) */
  bool sandbox;      /* true if untrusted code is confined (--sandbox) */
  const char *reads; /* another folder that is readable in the sandbox; NULL if there is none */
};

#endif

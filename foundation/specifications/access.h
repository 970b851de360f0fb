/* Determines which files and programs specifications are allowed to use. */
#ifndef FOUNDATION_SPECIFICATIONS_ACCESS_H
#define FOUNDATION_SPECIFICATIONS_ACCESS_H

#include <stdbool.h>

struct shk_access {
  /* The folder that contains the files that options can name. It is usually the study's folder.
   * Files outside this folder are rejected. NULL or "" means the working directory. */
  const char *folder;
  bool programs; /* true if integrators are allowed to run programs (--allow-external) */
  bool sandbox;  /* true if untrusted code is confined (--sandbox) */
  /* an additional folder that is readable in the sandbox, or NULL if there is none */
  const char *reads;
};

#endif

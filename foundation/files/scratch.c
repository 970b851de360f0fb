/* Manages a folder for temporary files. See scratch.h. */
#include "foundation/files/scratch.h"

#include "foundation/memory.h"

#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char *shk_scratch_make(void)
{
  const char *const folder = getenv("TMPDIR");
  char *const path =
      shk_print_text("%s/shakedown-XXXXXX", folder && *folder != '\0' ? folder : "/tmp");
  if (mkdtemp(path))
    return path;
  free(path);
  return NULL;
}

/* Each folder is opened relative to its parent's descriptor, without following links. Links that
 * are created in the meantime therefore cannot lead out of the folder. */
void shk_scratch_empty(const char *path)
{
  char *const roots[] = {(char *)path, NULL};
  FTS *const tree = path ? fts_open(roots, FTS_PHYSICAL, NULL) : NULL;
  for (FTSENT *one; tree && (one = fts_read(tree)) != NULL;)
    if (one->fts_level > FTS_ROOTLEVEL && one->fts_info != FTS_D)
      remove(one->fts_accpath);
  if (tree)
    fts_close(tree);
}

void shk_scratch_remove(const char *path)
{
  shk_scratch_empty(path);
  if (path)
    rmdir(path);
}

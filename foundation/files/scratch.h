/* A folder for temporary files. Its owner makes, empties and removes it; other programs write to it
 * and may create anything there. Links in the folder are never followed. */
#ifndef FOUNDATION_FILES_SCRATCH_H
#define FOUNDATION_FILES_SCRATCH_H

/* Makes a folder below TMPDIR, or below /tmp. The caller frees the path. Returns NULL on
 * failure. */
char *shk_scratch_make(void);
/* Removes all files and folders in the folder. Accepts NULL. */
void shk_scratch_empty(const char *path);
/* Removes the folder and everything in it. Accepts NULL. */
void shk_scratch_remove(const char *path);

#endif

/* A folder for temporary files. Its owner creates, empties and removes it. Other programs write to
 * it and may create anything in it, so links in the folder are never followed. */
#ifndef FOUNDATION_FILES_SCRATCH_H
#define FOUNDATION_FILES_SCRATCH_H

/* Creates a folder in TMPDIR or, if that is not set, in /tmp. The caller frees the path. Returns
 * NULL on failure. */
char *shk_scratch_make(void);
/* Removes everything in the folder. Accepts NULL. */
void shk_scratch_empty(const char *path);
/* Removes the folder and everything in it. Accepts NULL. */
void shk_scratch_remove(const char *path);

#endif

/* A folder for temporary files. The owner of the folder creates, empties and removes it. Other
 * programs write to the folder and can create anything there, so links in it are never followed. */
#ifndef FOUNDATION_FILES_SCRATCH_H
#define FOUNDATION_FILES_SCRATCH_H

/* Creates a folder in TMPDIR or, if that is not set, in /tmp. The caller must free the path.
 * Returns NULL on failure. */
char *shk_scratch_make(void);
/* Deletes everything in the folder. Accepts NULL. */
void shk_scratch_empty(const char *path);
/* Deletes the folder and everything in it. Accepts NULL. */
void shk_scratch_remove(const char *path);

#endif

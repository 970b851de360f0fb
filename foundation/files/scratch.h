/* A folder for temporary files: made, emptied and removed by its owner, written by others, who may
 * put there what they like. No link in it is followed. */
#ifndef FOUNDATION_FILES_SCRATCH_H
#define FOUNDATION_FILES_SCRATCH_H

/* Makes one below TMPDIR, or /tmp. NULL if that is impossible; the caller frees the path. */
char *shk_scratch_make(void);
/* Removes all that is in it. NULL is none. */
void shk_scratch_empty(const char *path);
/* Removes it with all that is in it. NULL is none. */
void shk_scratch_remove(const char *path);

#endif

/*
 * Prepared statements of a store, which are cached until the store is closed. A statement is in use
 * from the call to shk_store_ask until its last row has been read or it is reset. SQL strings are
 * constants, and a string must not be in use twice at the same time.
 */
#ifndef RESULTS_STORE_STATEMENTS_H
#define RESULTS_STORE_STATEMENTS_H

#include "foundation/message.h"
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

struct shk_store;

/*
 * A string with one letter per value specifies the types of parameters and columns:
 *
 *        value                 column
 *   t    const char *          char **, a copy     a string; NULL represents an SQL NULL
 *   c    -                     const char **       a string valid until the next row; never NULL
 *   s    -                     char *, size_t      a string, truncated to the given size
 *   i    int                   int *
 *   f    bool                  bool *
 *   l    int64_t               int64_t *
 *   x    int64_t               int64_t *           like l, but not added to a digest
 *   r    double                double *            NaN represents an SQL NULL
 *   b    const void *, size_t  char **, size_t *   bytes, copied
 *
 * Values are not copied, so they must remain valid while the statement is in use. While a store has
 * a digest, all values and columns except bytes are added to it. Writing and reading the same
 * values therefore give the same digest.
 */

/* Returns a statement with the given values bound to it. Use shk_store_next to read its rows. On
 * failure, returns NULL and sets the reason. */
sqlite3_stmt *shk_store_ask(struct shk_store *store, struct shk_message *error, const char *sql,
                            const char *types, ...);
/* Advances to the next row. At the end, resets the statement and returns false. After a failure, or
 * if the statement is NULL, also sets *ok to false and sets the reason. */
bool shk_store_next(struct shk_store *store, sqlite3_stmt *statement, bool *ok,
                    struct shk_message *error);
/* Reads the leading columns of a row. */
void shk_store_row(struct shk_store *store, sqlite3_stmt *statement, const char *types, ...);
/* Runs a statement that returns no rows. */
bool shk_store_run(struct shk_store *store, struct shk_message *error, const char *sql,
                   const char *types, ...);
/* Reads the number that a statement returns. If the statement returns no rows, *value is
 * unchanged. */
bool shk_store_number(struct shk_store *store, struct shk_message *error, int64_t *value,
                      const char *sql, const char *types, ...);

/* Runs several statements without parameters. */
bool shk_store_execute(struct shk_store *store, const char *sql, struct shk_message *error);

#endif

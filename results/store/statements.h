/*
 * Prepared statements of a store, which are kept until the store closes. A statement is in use from
 * the call of shk_store_ask until its last row is read or it is reset. SQL texts are constants, and
 * no text may be in use twice at the same time.
 */
#ifndef RESULTS_STORE_STATEMENTS_H
#define RESULTS_STORE_STATEMENTS_H

#include "foundation/message.h"
#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

struct shk_store;

/*
 * The types of parameters and of columns are given by a string with one letter for each:
 *
 *        value                 column
 *   t    const char *          char **, a copy     a text; NULL is an SQL NULL
 *   c    -                     const char **       a text until the next row, never NULL
 *   s    -                     char *, size_t      a text, truncated to that size
 *   i    int                   int *
 *   f    bool                  bool *
 *   l    int64_t               int64_t *
 *   x    int64_t               int64_t *           the same, not added to a digest
 *   r    double                double *            NaN is an SQL NULL
 *   b    const void *, size_t  char **, size_t *   bytes; a copy
 *
 * Values are not copied, so they must remain valid while the statement is in use. While a store has
 * a digest, all values and columns except bytes are added to it, so that writing and reading the
 * same values give the same digest.
 */

/* Returns a statement with these values. Use shk_store_next to read its rows. On failure, returns
 * NULL and sets the reason. */
sqlite3_stmt *shk_store_ask(struct shk_store *store, struct shk_message *error, const char *sql,
                            const char *types, ...);
/* Moves to the next row. Returns false at the end, which resets the statement. After a failure, or
 * if the statement is NULL, sets *ok to false and sets the reason. */
bool shk_store_next(struct shk_store *store, sqlite3_stmt *statement, bool *ok,
                    struct shk_message *error);
/* Reads the first columns of a row. */
void shk_store_row(struct shk_store *store, sqlite3_stmt *statement, const char *types, ...);
/* Runs a statement that returns no rows. */
bool shk_store_run(struct shk_store *store, struct shk_message *error, const char *sql,
                   const char *types, ...);
/* Reads the number that a statement returns. If it returns no row, *value is unchanged. */
bool shk_store_number(struct shk_store *store, struct shk_message *error, int64_t *value,
                      const char *sql, const char *types, ...);

/* Runs several statements without parameters. */
bool shk_store_execute(struct shk_store *store, const char *sql, struct shk_message *error);

#endif

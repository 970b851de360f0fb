/*
 * The records of a list of cells in a store, read as they are taken (results/record/record.h): so
 * that a study may be larger than the memory. They are the newest of these cells, and the store is
 * read as one state from the opening to the closing; nothing may be written between.
 */
#ifndef RESULTS_STORE_STORED_RECORDS_H
#define RESULTS_STORE_STORED_RECORDS_H

#include "results/store/store.h"

/* With `stay` a record that was taken once is held to the end, without its parts once it was put
 * back; otherwise nothing is held that is not taken. NULL with the reason. The list is
 * copied; the store and the cells must outlive the records. */
struct shk_records *shk_stored_records_open(struct shk_store *store,
                                            const struct shk_cell *const *cells, int count,
                                            bool stay, struct shk_message *error);

/* All of them in the order of the cells, NULL where there is none: of records that stay. They are
 * taken to the end with these parts; without any they gain parts while they are taken. */
const struct shk_record *const *shk_stored_records_all(struct shk_records *records, unsigned parts);

/* Whether all that was taken could be read; otherwise the first reason. What could not be read was
 * given as NULL, and what was concluded from it means nothing. */
bool shk_stored_records_good(const struct shk_records *records, struct shk_message *error);
void shk_stored_records_close(struct shk_records *records);

#endif

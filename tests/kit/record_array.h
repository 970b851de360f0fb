/* Records in an array, for functions that take them one by one. */
#ifndef TESTS_KIT_RECORD_ARRAY_H
#define TESTS_KIT_RECORD_ARRAY_H

#include "results/record/record.h"

struct record_array {
  struct shk_records records; /* must be the first member */
  const struct shk_record *const *all;
};

static inline const struct shk_record *take_of_array(struct shk_records *from, int cell,
                                                     unsigned parts)
{
  (void)parts;
  return ((struct record_array *)from)->all[cell];
}

static inline void put_back_to_array(struct shk_records *from, int cell)
{
  (void)from;
  (void)cell;
}

/* Wraps a list of records; NULL entries: no record. */
static inline struct record_array record_array_of(const struct shk_record *const *all)
{
  return (struct record_array){
      .records = {.take = take_of_array, .put_back = put_back_to_array, .stay = true}, .all = all};
}

#endif

/* Cells and records for the tests of records and stores, made up rather than computed. */
#ifndef TESTS_KIT_STORE_FIXTURE_H
#define TESTS_KIT_STORE_FIXTURE_H

#include "foundation/memory.h"
#include "harness/plan/key.h"
#include "harness/plan/plan.h"
#include "results/record/cell_text.h"
#include "results/record/record.h"
#include "tests/kit/cell_numbers.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"

static inline struct shk_cell fixture_cell(const char *step)
{
  struct shk_cell cell = {
      .kind = shk_copy_text("run"),
      .problem = shk_copy_text("pendulum(angle=0.7,rate=1.1)"),
      .integrator = shk_copy_text("rattle(linear=svd)"),
      .precision = shk_copy_text("double"),
      .step = shk_copy_text(step),
      .until = shk_copy_text("2"),
      .time_count = 2,
  };
  cell.times = shk_allocate(2, sizeof *cell.times);
  cell.times[0] = shk_copy_text("1.3");
  cell.times[1] = shk_copy_text("2");
  read_numbers(&cell);
  return cell;
}

/* Adds two numbers as a block of doubles. */
static inline void fixture_block(struct shk_sample *sample, const char *name, double x, double y)
{
  shk_sample_add_block(sample, name, shk_vector_copy((const double[]){x, y}, 2, 64));
}

/* Fills in all members of a record, including NaN and infinity; `salt` distinguishes two
 * records. */
static inline void fixture_record(struct shk_record *record, const char *step, double salt)
{
  *record = (struct shk_record){
      .cell = fixture_cell(step),
      .end = SHK_END_FINISHED,
      .output = shk_copy_text("said\n\"this\"\t\\ \xc3\xa9"),
      .output_dropped = 3,
      .seconds = 0.1,
      .limit_seconds = 60,
      .limit_megabytes = 512,
      .outcome = {.code = SHK_NOT_CONVERGED,
                  .reason = "1 % of \"it\" was missing",
                  .reached = 1.9,
                  .history_count = 2,
                  .history = {1e-3, NAN},
                  .n = 2,
                  .m = 1},
  };
  struct shk_outcome *outcome = &record->outcome;
  struct shk_sample *sample = shk_outcome_add_sample(outcome, "0", 0);
  fixture_block(sample, "q", 0.1, -0.25);
  fixture_block(sample, "p", 1e-3, NAN);
  shk_outcome_add_sample(outcome, "1.3", 1.3);
  shk_outcome_add_scalar(outcome, "energy-error-max", salt / 3);
  shk_outcome_add_scalar(outcome, "undefined", NAN);
  shk_outcome_add_scalar(outcome, "endless", INFINITY);
  struct shk_series *series = shk_outcome_add_series(outcome, "energy-error", 3);
  for (int i = 0; i < 3; i++) {
    series->time[i] = 0.1 * (i + 1);
    series->minimum[i] = -1.0 / (i + 3);
    series->mean[i] = i == 1 ? NAN : 1e-300 * i;
    series->maximum[i] = salt;
  }
  shk_outcome_add_series(outcome, "empty", 0);
  char *text = shk_cell_text(&record->cell);
  shk_key_make(&test_context, NULL, record->key, NULL, &record->cell, text);
  free(text);
}

/* Stores a record, with a provenance of this program if it has none. */
static inline bool fixture_put(struct shk_store *store, const struct shk_record *record,
                               struct shk_message *error)
{
  struct shk_record copy = *record;
  if (!copy.provenance) {
    struct shk_provenance here;
    shk_provenance_collect(&here, "", "");
    copy.provenance = shk_store_add_provenance(store, &here, error);
    shk_provenance_clear(&here);
  }
  return shk_store_begin(store, error) &&
         shk_store_end(store, shk_store_insert(store, &copy, error), error);
}

static inline bool fixture_same_double(double a, double b)
{
  return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static inline bool fixture_same_vector(const struct shk_vector *a, const struct shk_vector *b)
{
  return a->count == b->count && a->bits == b->bits &&
         memcmp(a->values, b->values, shk_vector_size(a->count, a->bits)) == 0;
}

/* Compares two outcomes; prints the first difference on standard error. */
static inline bool fixture_same_outcome(const struct shk_outcome *a, const struct shk_outcome *b)
{
#define FIXTURE_SAME(condition)                                                                    \
  if (!(condition)) {                                                                              \
    fprintf(stderr, "differs: %s\n", #condition);                                                  \
    return false;                                                                                  \
  }
  FIXTURE_SAME(a->code == b->code && strcmp(a->reason, b->reason) == 0)
  FIXTURE_SAME(fixture_same_double(a->reached, b->reached) && a->n == b->n && a->m == b->m)
  FIXTURE_SAME(a->history_count == b->history_count)
  for (int i = 0; i < a->history_count; i++)
    FIXTURE_SAME(fixture_same_double(a->history[i], b->history[i]))
  FIXTURE_SAME(a->sample_count == b->sample_count && a->scalar_count == b->scalar_count &&
               a->series_count == b->series_count)
  for (int i = 0; i < a->sample_count; i++) {
    FIXTURE_SAME(strcmp(a->samples[i].time, b->samples[i].time) == 0 &&
                 a->samples[i].block_count == b->samples[i].block_count)
    for (int j = 0; j < a->samples[i].block_count; j++)
      FIXTURE_SAME(
          strcmp(a->samples[i].blocks[j].name, b->samples[i].blocks[j].name) == 0 &&
          fixture_same_vector(&a->samples[i].blocks[j].vector, &b->samples[i].blocks[j].vector))
  }
  for (int i = 0; i < a->scalar_count; i++) {
    FIXTURE_SAME(strcmp(a->scalars[i].name, b->scalars[i].name) == 0)
    FIXTURE_SAME(fixture_same_double(a->scalars[i].value, b->scalars[i].value))
  }
  for (int i = 0; i < a->series_count; i++) {
    const struct shk_series *x = &a->series[i], *y = &b->series[i];
    FIXTURE_SAME(strcmp(x->name, y->name) == 0 && x->count == y->count)
    for (int j = 0; j < x->count; j++)
      FIXTURE_SAME(fixture_same_double(x->time[j], y->time[j]) &&
                   fixture_same_double(x->minimum[j], y->minimum[j]) &&
                   fixture_same_double(x->mean[j], y->mean[j]) &&
                   fixture_same_double(x->maximum[j], y->maximum[j]))
  }
#undef FIXTURE_SAME
  return true;
}

#endif

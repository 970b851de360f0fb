/*
 * A record as bytes: what is written reads back to the same bits; what was cut, changed or made up is
 * refused.
 */
#include "results/record/record_bytes.h"
#include "results/record/frame.h"
#include "tests/kit/store_fixture.h"

/* Values of a series that take half the space, one row, or all three; ends of the same and of other
 * intervals, equal and unequal. */
static void add_series(struct shk_outcome *outcome)
{
  static const struct {
    const char *name;
    int count;
    double first, unequal; /* end of the first interval; added to that of the second */
    double value;          /* minimum of all intervals */
    double width;          /* of each */
  } kinds[] = {{"equal", 5, 0.3, 0, 0.1, 0.7},
               {"single", 5, 0.3, 0, 0.5, 0.25},
               {"wide", 5, 0.3, 0, 1e300, 1e300},
               {"row", 5, 0.3, 0, 0.1, 0},
               {"single-row", 5, 0.3, 0, -INFINITY, 0},
               {"unequal", 5, 0.3, 1e-16, NAN, 0},
               {"fewer", 4, 0.3, 0, -0.0, 0.5},
               {"two", 2, 0.3, 0, 0.5, 1},
               {"one", 1, 0.4, 0, 1e-44, 0},
               {"none", 0, 0, 0, 0, 0}};
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    struct shk_series *const series =
        shk_outcome_add_series(outcome, kinds[k].name, kinds[k].count);
    for (int i = 0; i < series->count; i++) {
      series->time[i] = (i + 1) * kinds[k].first + (i == 1 ? kinds[k].unequal : 0);
      series->minimum[i] = kinds[k].value;
      series->mean[i] = kinds[k].value + 0.5 * kinds[k].width;
      series->maximum[i] = kinds[k].value + kinds[k].width;
    }
    if (series->count == 5)
      series->time[4] -= 0.1; /* the last interval may be shorter */
  }
  shk_outcome_add_series(outcome, "cut", 3)->count = 2; /* as those of members that differ */
}

/* Bytes of the values of a series, and numbers of its ends that are stored before it. */
struct sought {
  const char *name;
  int ends, rows, bits;
};

static bool find_series(void *user, struct shk_blob *blob)
{
  struct sought *const sought = user;
  if (strcmp(blob->kind, "ends") == 0)
    sought->ends = blob->columns;
  else if (strcmp(blob->kind, "series") != 0)
    return true;
  if (strcmp(blob->name, sought->name) == 0) {
    sought->rows = blob->rows;
    sought->bits = blob->bits;
    return false;
  }
  sought->ends = strcmp(blob->kind, "ends") == 0 ? sought->ends : 0;
  return true;
}

static void series(const struct shk_record *record)
{
  static const struct sought expected[] = {
      {"equal", 2, 3, 64},      {"single", 0, 3, 32},  {"wide", 0, 3, 64},  {"row", 0, 1, 64},
      {"single-row", 0, 1, 32}, {"unequal", 5, 1, 32}, {"fewer", 2, 3, 32}, {"two", 2, 3, 32},
      {"one", 1, 1, 64},        {"none", 0, 1, 32}};
  for (size_t k = 0; k < sizeof expected / sizeof expected[0]; k++) {
    struct sought found = {.name = expected[k].name};
    shk_blobs_visit(&record->outcome, find_series, &found);
    tap_ok(found.ends == expected[k].ends && found.rows == expected[k].rows &&
               found.bits == expected[k].bits,
           "the series \"%s\" is stored in %d rows of %d bits, with %d ends: %d, %d, %d",
           expected[k].name, expected[k].rows, expected[k].bits, expected[k].ends, found.rows,
           found.bits, found.ends);
  }
  OUTCOME lone = {0};
  double data[] = {1, 2, 3};
  struct shk_blob blob = {"series", "energy-error", 0, 1, 3, 64, 0, (char *)data, sizeof data};
  tap_ok(!shk_blob_add(&lone, &blob), "a series without ends is refused");
  blob.kind = "ends";
  blob.name = "";
  tap_ok(shk_blob_add(&lone, &blob) && !shk_blob_add(&lone, &blob), "ends twice, too");
  blob =
      (struct shk_blob){"series", "energy-error", 0, 1, 2, 64, 0, (char *)data, sizeof *data * 2};
  tap_ok(!shk_blob_add(&lone, &blob), "nor ends of another number");
}

/* With members, and blocks of all precisions. */
static void make(struct shk_record *record)
{
  fixture_record(record, "0.05", 1);
  struct shk_outcome *const outcome = &record->outcome;
  struct shk_sample *const last = &outcome->samples[outcome->sample_count - 1];
  const float single = 0.1F;
  const uint64_t quad[] = {0x0123456789abcdef, 0x3fff000000000000};
  shk_sample_add_block(last, "single", shk_vector_copy(&single, 1, 32));
  shk_sample_add_block(last, "quad", shk_vector_copy(quad, 1, 128));
  shk_sample_add_block(last, "none", shk_vector_copy(quad, 0, 64));
  shk_outcome_add_scalar(outcome, "zero", -0.0);
  add_series(outcome);
  outcome->members = shk_allocate(2, sizeof *outcome->members);
  outcome->member_count = 2;
  for (int i = 0; i < 2; i++) {
    fixture_block(shk_outcome_add_sample(&outcome->members[i], "0", 0), "q", i, INFINITY);
    shk_outcome_add_scalar(&outcome->members[i], "constraint-max", i);
    shk_outcome_add_series(&outcome->members[i], "energy-error", 1)->mean[0] = 0.3;
  }
}

static bool same(const struct shk_record *a, const struct shk_record *b)
{
  bool ok = fixture_same_outcome(&a->outcome, &b->outcome) &&
            a->outcome.member_count == b->outcome.member_count && a->end == b->end &&
            a->end_detail == b->end_detail && strcmp(a->output, b->output) == 0 &&
            a->output_dropped == b->output_dropped && a->seconds == b->seconds &&
            a->limit_seconds == b->limit_seconds && a->limit_megabytes == b->limit_megabytes;
  for (int i = 0; ok && i < a->outcome.member_count; i++)
    ok = fixture_same_outcome(&a->outcome.members[i], &b->outcome.members[i]);
  return ok;
}

static void there_and_back(const struct shk_record *record, const unsigned char *bytes, size_t size)
{
  struct shk_record back;
  struct shk_message error = {""};
  const bool read = shk_record_read(&back, bytes, size, &error);
  tap_ok(read && same(&back, record), "a record reads back to the same bits %s", error.text);
  tap_ok(read && signbit(shk_outcome_scalar(&back.outcome, "zero")) &&
             isnan(shk_outcome_scalar(&back.outcome, "undefined")) &&
             shk_outcome_scalar(&back.outcome, "endless") == INFINITY,
         "a zero's sign, NaN and infinity among its scalars");
  size_t again_size = 0;
  void *const again = read ? shk_record_bytes(&back, &again_size) : NULL;
  tap_ok(again && again_size == size && memcmp(again, bytes, size) == 0,
         "and is written as it was");
  free(again);
  if (read)
    shk_record_clear(&back);
  tap_ok(shk_frame_length(bytes, 1) <= size && shk_frame_length(bytes, size) == size &&
             shk_frame_length("{}", 2) == 0 && shk_frame_length("", 0) == 0,
         "its length is known from its head; a line is none");
}

static void refusals(const unsigned char *bytes, size_t size)
{
  struct shk_record back;
  struct shk_message error;
  size_t cut = 0, changed = 0;
  unsigned char *const copy = shk_allocate(size + 1, 1);
  for (size_t length = 0; length < size; length++)
    cut += shk_record_read(&back, bytes, length, &error);
  tap_is_int((int)cut, 0, "none that was cut is read, however long");
  for (size_t at = 0; at < size; at++) {
    memcpy(copy, bytes, size);
    copy[at] ^= 4;
    changed += shk_record_read(&back, copy, size, &error);
  }
  tap_is_int((int)changed, 0, "none in which one bit was changed, wherever");
  memcpy(copy, bytes, size);
  tap_ok(!shk_record_read(&back, copy, size + 1, &error), "nor one with a byte more");
  free(copy);
}

/* A blob of members is read once only, and a member has no members. */
static bool read_twice(void *user, struct shk_blob *blob)
{
  struct shk_outcome *const back = user;
  if (strcmp(blob->kind, "members") != 0)
    return true;
  tap_ok(shk_blob_add(back, blob) && back->member_count == 2, "members alone read back");
  tap_ok(!shk_blob_add(back, blob), "but not twice");
  OUTCOME none = {0};
  struct shk_blob cut = *blob;
  cut.columns = (int)--cut.size;
  tap_ok(!shk_blob_add(&none, &cut), "nor cut");
  return true;
}

static void members(const struct shk_record *record)
{
  OUTCOME back = {0};
  shk_blobs_visit(&record->outcome, read_twice, &back);
  tap_ok(back.member_count == 2 &&
             fixture_same_outcome(&back.members[1], &record->outcome.members[1]),
         "to the same bits");

  struct shk_record nested = {0}, read;
  struct shk_message error;
  size_t size;
  nested.outcome.members = shk_allocate(1, sizeof *nested.outcome.members);
  nested.outcome.member_count = 1;
  nested.outcome.members[0].members = shk_allocate(1, sizeof *nested.outcome.members);
  nested.outcome.members[0].member_count = 1;
  void *const bytes = shk_record_bytes(&nested, &size);
  tap_ok(!shk_record_read(&read, bytes, size, &error), "members of members are refused");
  free(bytes);
  shk_outcome_clear(&nested.outcome);
}

int main(void)
{
  struct shk_record record;
  size_t size;
  make(&record);
  unsigned char *const bytes = shk_record_bytes(&record, &size);
  there_and_back(&record, bytes, size);
  refusals(bytes, size);
  members(&record);
  series(&record);
  free(bytes);
  shk_record_clear(&record);
  return tap_done();
}

/* Serializes and deserializes records. See record_bytes.h. */
#include "results/record/record_bytes.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "results/record/frame.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static void pass_members(struct shk_stream *s, struct shk_outcome *outcome);

enum { SERIES_ROWS = 3, SINGLE_BITS = 32, WORD_BITS = 64, BYTE_BITS = 8 };

/* ---- samples ---- */

char *shk_sample_times(const struct shk_outcome *outcome)
{
  char *times = shk_copy_text("");
  for (int i = 0; i < outcome->sample_count; i++)
    shk_append_text(&times, "%s%s", i > 0 ? "," : "", outcome->samples[i].time);
  return times;
}

void shk_sample_times_add(struct shk_outcome *outcome, const char *times)
{
  char *const copy = shk_copy_text(times), *rest = *copy ? copy : NULL;
  for (const char *time; (time = strsep(&rest, ",")) != NULL;)
    shk_outcome_add_sample(outcome, time, strtod(time, NULL));
  free(copy);
}

/* ---- blobs ---- */

struct visit {
  bool (*visitor)(void *user, struct shk_blob *blob);
  void *user;
};

/* Passes a blob to the visitor and takes ownership of its data, which is in this machine's byte
 * order. */
static bool give_record_bytes(const struct visit *visit, struct shk_blob blob, void *owned)
{
  blob.data = owned;
  blob.size = (size_t)blob.rows * shk_vector_size(blob.columns, blob.bits);
  shk_little_endian(owned, (size_t)blob.rows * (size_t)blob.columns, blob.bits);
  const bool ok = visit->visitor(visit->user, &blob);
  free(owned);
  return ok;
}

static bool is_alike(const struct shk_vector *a, const struct shk_vector *b)
{
  return b && a->count == b->count && a->bits == b->bits;
}

static bool give_states(const struct visit *visit, const struct shk_outcome *outcome,
                        const char *name)
{
  bool ok = true;
  for (int i = 0, end; ok && i < outcome->sample_count; i = end) {
    const struct shk_vector *const block = shk_sample_block(&outcome->samples[i], name);
    for (end = i + 1; block && end < outcome->sample_count &&
                      is_alike(block, shk_sample_block(&outcome->samples[end], name));)
      end++;
    if (!block)
      continue;
    const size_t width = shk_vector_size(block->count, block->bits);
    char *const data = shk_allocate((size_t)(end - i) * width + 1, 1);
    for (int k = i; k < end; k++)
      memcpy(data + (size_t)(k - i) * width, shk_sample_block(&outcome->samples[k], name)->values,
             width);
    ok = give_record_bytes(
        visit, (struct shk_blob){"state", name, i, end - i, block->count, block->bits, 0, NULL, 0},
        data);
  }
  return ok;
}

static bool give_doubles(const struct visit *visit, const char *kind, const char *name, int rows,
                         int columns, const double *values)
{
  return give_record_bytes(visit,
                           (struct shk_blob){kind, name, 0, rows, columns, WORD_BITS, 0, NULL, 0},
                           shk_vector_copy(values, rows * columns, WORD_BITS).values);
}

/* Returns true if the ends of all intervals can be computed from the ends of the first and the last
 * interval. */
static bool has_equal_intervals(const struct shk_series *series)
{
  for (int i = 1; i < series->count - 1; i++)
    if (series->time[i] != (i + 1) * series->time[0])
      return false;
  return series->count > 2;
}

static bool give_ends(const struct visit *visit, const struct shk_series *series)
{
  if (!has_equal_intervals(series))
    return give_doubles(visit, "ends", "", 1, series->count, series->time);
  const double ends[] = {series->time[0], series->time[series->count - 1]};
  return give_doubles(visit, "ends", "", 1, 2, ends);
}

static bool is_single(double value)
{
  return !isfinite(value) || (fabs(value) <= FLT_MAX && (double)(float)value == value);
}

static bool give_series(const struct visit *visit, const struct shk_series *series)
{
  const size_t count = (size_t)series->count, row = count * sizeof(double);
  const double *const rows[] = {series->minimum, series->mean, series->maximum};
  const bool same =
      count == 0 || (memcmp(rows[0], rows[1], row) == 0 && memcmp(rows[1], rows[2], row) == 0);
  const int row_count = same ? 1 : SERIES_ROWS;
  double *const values = shk_allocate(SERIES_ROWS * count + 1, sizeof *values);
  bool single = true;
  for (size_t k = 0; k < (size_t)row_count * count; k++) {
    values[k] = rows[k / count][k % count];
    single = single && is_single(values[k]);
  }
  float *const singles = (float *)(void *)values;
  for (size_t k = 0; single && k < (size_t)row_count * count; k++) {
    const float value = (float)values[k];
    /* the numbers are converted in place, because everything before this position has been read */
    memcpy(&singles[k], &value, sizeof value);
  }
  return give_record_bytes(visit,
                           (struct shk_blob){"series", series->name, 0, row_count, series->count,
                                             single ? SINGLE_BITS : WORD_BITS, 0, NULL, 0},
                           values);
}

static bool has_ends_of(const struct shk_series *series, const struct shk_series *before)
{
  return before->count == series->count &&
         (series->count == 0 ||
          memcmp(before->time, series->time, (size_t)series->count * sizeof *series->time) == 0);
}

bool shk_blobs_visit(const struct shk_outcome *outcome,
                     bool (*visitor)(void *user, struct shk_blob *blob), void *user)
{
  const struct visit visit = {visitor, user};
  struct shk_index names = {0};
  bool ok = true;
  for (int i = 0; i < outcome->sample_count; i++)
    for (int j = 0; j < outcome->samples[i].block_count; j++)
      shk_index_text(&names, outcome->samples[i].blocks[j].name);
  for (int i = 0; ok && i < names.count; i++)
    ok = give_states(&visit, outcome, names.texts[i]);
  shk_index_clear(&names);
  for (int i = 0; ok && i < outcome->series_count; i++) {
    const struct shk_series *const series = &outcome->series[i];
    ok = ((i > 0 && has_ends_of(series, series - 1)) || give_ends(&visit, series)) &&
         give_series(&visit, series);
  }
  if (ok && outcome->history_count > 0)
    ok = give_doubles(&visit, "history", "", 1, outcome->history_count, outcome->history);
  if (ok && outcome->member_count > 0) {
    struct shk_stream s = {0};
    pass_members(&s, (struct shk_outcome *)outcome);
    ok = give_record_bytes(
        &visit, (struct shk_blob){"members", "", 0, 1, (int)s.at, BYTE_BITS, 0, NULL, 0}, s.bytes);
  }
  return ok;
}

unsigned shk_blob_part(const char *kind)
{
  return strcmp(kind, "state") == 0                                 ? SHK_PART_STATES
         : strcmp(kind, "series") == 0 || strcmp(kind, "ends") == 0 ? SHK_PART_SERIES
                                                                    : SHK_PART_CORE;
}

static bool add_rows(struct shk_outcome *outcome, const struct shk_blob *blob)
{
  const size_t width = shk_vector_size(blob->columns, blob->bits);
  if (blob->first > outcome->sample_count || blob->rows > outcome->sample_count - blob->first)
    return false;
  for (int i = 0; i < blob->rows; i++) {
    struct shk_vector row = {blob->columns, blob->bits, shk_allocate(width + 1, 1)};
    if (width > 0)
      memcpy(row.values, blob->data + (size_t)i * width, width);
    shk_sample_add_block(&outcome->samples[blob->first + i], blob->name, row);
  }
  return true;
}

static bool add_history(struct shk_outcome *outcome, const struct shk_blob *blob)
{
  const int most = sizeof outcome->history / sizeof outcome->history[0];
  if (blob->rows != 1 || blob->columns > most || blob->bits != WORD_BITS)
    return false;
  outcome->history_count = blob->columns;
  if (blob->size > 0)
    memcpy(outcome->history, blob->data, blob->size);
  return true;
}

/* The ends of the intervals are stored in an unnamed series until the series to which they belong
 * is added. */
static bool add_ends(struct shk_outcome *outcome, const struct shk_blob *blob)
{
  const int last = outcome->series_count - 1;
  if (blob->rows != 1 || blob->bits != WORD_BITS ||
      (last >= 0 && outcome->series[last].name[0] == '\0'))
    return false;
  struct shk_series *const ends = shk_outcome_add_series(outcome, "", blob->columns);
  if (blob->size > 0)
    memcpy(ends->time, blob->data, blob->size);
  return true;
}

/* Sets the interval ends of a series, which are either the stored ends or those of the previous
 * series. Returns false if their number does not match. */
static bool set_ends(struct shk_series *series, const struct shk_series *from)
{
  const bool equal = from->name[0] == '\0' && from->count == 2 && series->count > 2;
  if (!equal && from->count != series->count)
    return false;
  for (int i = 0; i < series->count; i++)
    series->time[i] = !equal                  ? from->time[i]
                      : i < series->count - 1 ? (i + 1) * from->time[0]
                                              : from->time[1];
  return true;
}

static bool add_values(struct shk_outcome *outcome, const struct shk_blob *blob)
{
  const int before = outcome->series_count - 1;
  if ((blob->rows != 1 && blob->rows != SERIES_ROWS) || blob->name[0] == '\0' || before < 0 ||
      (blob->bits != WORD_BITS && blob->bits != SINGLE_BITS))
    return false;
  struct shk_series *const series = shk_outcome_add_series(outcome, blob->name, blob->columns);
  double *const rows[] = {series->minimum, series->mean, series->maximum};
  for (int row = 0; row < SERIES_ROWS; row++)
    for (int i = 0; i < series->count; i++) {
      const size_t at = (size_t)(blob->rows == 1 ? 0 : row) * (size_t)series->count + (size_t)i;
      float single;
      if (blob->bits == WORD_BITS) {
        memcpy(&rows[row][i], blob->data + at * sizeof(double), sizeof(double));
      } else {
        memcpy(&single, blob->data + at * sizeof single, sizeof single);
        rows[row][i] = (double)single;
      }
    }
  const bool ok = set_ends(series, &outcome->series[before]);
  if (outcome->series[before].name[0] == '\0') {
    free(outcome->series[before].name);
    free(outcome->series[before].time);
    outcome->series[before] = *series;
    outcome->series_count--;
  }
  return ok;
}

bool shk_blob_add(struct shk_outcome *outcome, struct shk_blob *blob)
{
  const bool is_number = blob->bits == 32 || blob->bits == 64 || blob->bits == 128;
  if (blob->first < 0 || blob->rows < 0 || blob->columns < 0 ||
      (!is_number && blob->bits != BYTE_BITS) ||
      blob->size != (size_t)blob->rows * shk_vector_size(blob->columns, blob->bits))
    return false;
  shk_little_endian(blob->data, (size_t)blob->rows * (size_t)blob->columns, blob->bits);
  if (strcmp(blob->kind, "state") == 0)
    return is_number && add_rows(outcome, blob);
  if (strcmp(blob->kind, "history") == 0)
    return add_history(outcome, blob);
  if (strcmp(blob->kind, "members") == 0) {
    struct shk_stream s = shk_stream_of(blob->data, blob->size);
    s.bad = outcome->member_count > 0;
    pass_members(&s, outcome);
    return shk_frame_done(&s);
  }
  return strcmp(blob->kind, "ends") == 0
             ? add_ends(outcome, blob)
             : strcmp(blob->kind, "series") == 0 && add_values(outcome, blob);
}

/* ---- fields ---- */

static void pass_scalar(struct shk_stream *s, struct shk_outcome *outcome, int i)
{
  struct shk_scalar read = {0}, *const scalar = s->reads ? &read : &outcome->scalars[i];
  if (shk_pass_name(s, &scalar->name))
    shk_pass_real(s, &scalar->value);
  if (s->reads && !s->bad)
    shk_outcome_add_scalar(outcome, read.name, read.value);
  free(read.name);
}

#define PASS_REAL(name) shk_pass_real(s, &outcome->name);
#define PASS_COUNT(name) outcome->name = (int)shk_pass_integer(s, outcome->name, 1 << 30);

static void pass_core(struct shk_stream *s, struct shk_outcome *outcome)
{
  char *reason = outcome->reason;
  outcome->code = (enum shk_code)shk_pass_integer(s, outcome->code, SHK_CODE_COUNT - 1);
  shk_pass_text(s, &reason);
  if (s->reads && reason)
    shk_text_fit(outcome->reason, sizeof outcome->reason, reason);
  if (s->reads)
    free(reason);
#define OUTCOME_FIELD(type, name, ...) PASS_##type(name)
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
  const int scalars = shk_pass_length(s, outcome->scalar_count, SHK_STREAM_WORD);
  for (int i = 0; i < scalars && !s->bad; i++)
    pass_scalar(s, outcome, i);
}

/* Passes a blob to or from the stream. A NULL kind terminates the list. The caller owns the strings
 * and data that are read. */
static void pass_blob(struct shk_stream *s, struct shk_blob *blob)
{
  char *kind = (char *)blob->kind, *name = (char *)blob->name;
  shk_pass_text(s, &kind);
  blob->kind = kind;
  if (s->bad || !kind)
    return;
  shk_pass_name(s, &name);
  blob->name = name;
  blob->first = (int)shk_pass_integer(s, blob->first, INT32_MAX);
  blob->rows = (int)shk_pass_integer(s, blob->rows, INT32_MAX);
  blob->columns = (int)shk_pass_integer(s, blob->columns, INT32_MAX);
  blob->bits = (int)shk_pass_integer(s, blob->bits, 128);
  blob->size = (size_t)shk_pass_length(s, (int)blob->size, 1);
  if (s->reads)
    blob->data = shk_allocate(blob->size + 1, 1);
  shk_pass_bytes(s, blob->data, blob->size);
}

static bool write_blob(void *user, struct shk_blob *blob)
{
  pass_blob(user, blob);
  return true;
}

/* Reads blobs until the end of the list. A member cannot contain other members. */
static void read_blobs(struct shk_stream *s, struct shk_outcome *outcome, bool is_member)
{
  struct shk_blob blob;
  do {
    blob = (struct shk_blob){0};
    pass_blob(s, &blob);
    if (blob.kind && !s->bad)
      s->bad = (is_member && strcmp(blob.kind, "members") == 0) || !shk_blob_add(outcome, &blob);
    free((char *)blob.name);
    free(blob.data);
    free((char *)blob.kind);
  } while (blob.kind && !s->bad);
}

static void pass_outcome(struct shk_stream *s, struct shk_outcome *outcome, bool is_member)
{
  char *times = s->reads ? NULL : shk_sample_times(outcome);
  pass_core(s, outcome);
  if (shk_pass_name(s, &times) && s->reads) {
    shk_sample_times_add(outcome, times);
    read_blobs(s, outcome, is_member);
  } else if (!s->reads) {
    shk_blobs_visit(outcome, write_blob, s);
    write_blob(s, &(struct shk_blob){0});
  }
  free(times);
}

static void pass_members(struct shk_stream *s, struct shk_outcome *outcome)
{
  const int count = shk_pass_length(s, outcome->member_count, SHK_STREAM_WORD);
  s->bad = s->bad || count > SHK_MOST_MEMBERS;
  if (s->reads && !s->bad)
    outcome->members = shk_allocate((size_t)count, sizeof *outcome->members);
  for (int i = 0; i < count && !s->bad; i++) {
    outcome->member_count = s->reads ? i + 1 : count;
    pass_outcome(s, &outcome->members[i], true);
  }
}

/* ---- records ---- */

static void pass_record(struct shk_stream *s, struct shk_record *record)
{
  record->end = (enum shk_end)shk_pass_integer(s, record->end, SHK_ENDS - 1);
  record->end_detail = (int)shk_pass_integer(s, record->end_detail, 1000);
  shk_pass_text(s, &record->output);
  record->output_dropped = (long)shk_pass_integer(s, record->output_dropped, INT64_MAX >> 1);
  shk_pass_real(s, &record->seconds);
  shk_pass_real(s, &record->limit_seconds);
  shk_pass_real(s, &record->limit_megabytes);
  pass_outcome(s, &record->outcome, false);
}

void *shk_record_bytes(const struct shk_record *record, size_t *size)
{
  struct shk_stream s = shk_frame_begin();
  char *none = NULL;
  shk_pass_text(&s, &none);
  /* writing to a stream does not change the record */
  pass_record(&s, (struct shk_record *)record);
  *size = shk_frame_end(&s);
  return s.bytes;
}

bool shk_record_read(struct shk_record *record, const void *bytes, size_t size,
                     struct shk_message *error)
{
  struct shk_stream s = shk_frame_open(bytes, size);
  char *fault = NULL;
  *record = (struct shk_record){0};
  if (!s.bad)
    shk_pass_text(&s, &fault);
  if (!s.bad && !fault)
    pass_record(&s, record);
  const bool ok = (!fault && shk_frame_done(&s)) ||
                  shk_message_set(error, "%s", fault ? fault : "the bytes are not a record");
  if (!ok)
    shk_record_clear(record);
  free(fault);
  return ok;
}

/* Records as bytes. See record_bytes.h. */
#include "results/record/record_bytes.h"
#include "foundation/memory.h"
#include "results/record/frame.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* ---- outcomes ---- */

static void pass_block(struct shk_stream *s, struct shk_sample *sample, int i)
{
  struct shk_block read = {0}, *const block = s->reads ? &read : &sample->blocks[i];
  struct shk_vector *const vector = &block->vector;
  if (shk_pass_name(s, &block->name)) {
    vector->bits = (int)shk_pass_integer(s, vector->bits, 128);
    s->bad = s->bad || !(vector->bits == 32 || vector->bits == 64 || vector->bits == 128);
    vector->count = shk_pass_length(s, vector->count, 4);
  }
  if (s->reads && !s->bad)
    vector->values = shk_allocate(shk_vector_size(vector->count, vector->bits) + 1, 1);
  if (!s->bad)
    shk_pass_numbers(s, vector->values, (size_t)vector->count, vector->bits);
  if (!s->reads)
    return;
  if (!s->bad)
    shk_sample_add_block(sample, read.name, read.vector);
  else
    free(vector->values);
  free(read.name);
}

static void pass_sample(struct shk_stream *s, struct shk_outcome *outcome, int i)
{
  char *time = s->reads ? NULL : outcome->samples[i].time;
  struct shk_sample *sample = s->reads ? NULL : &outcome->samples[i];
  if (shk_pass_name(s, &time) && s->reads)
    sample = shk_outcome_add_sample(outcome, time, strtod(time, NULL));
  const int count = s->bad ? 0 : shk_pass_length(s, sample->block_count, SHK_STREAM_WORD);
  for (int k = 0; k < count && !s->bad; k++)
    pass_block(s, sample, k);
  if (s->reads)
    free(time);
}

static void pass_series(struct shk_stream *s, struct shk_outcome *outcome, int i)
{
  char *name = s->reads ? NULL : outcome->series[i].name;
  struct shk_series *series = s->reads ? NULL : &outcome->series[i];
  const bool named = shk_pass_name(s, &name);
  const int count =
      named ? shk_pass_length(s, s->reads ? 0 : series->count, 4 * SHK_STREAM_WORD) : 0;
  if (s->reads && !s->bad)
    series = shk_outcome_add_series(outcome, name, count);
  if (!s->bad) /* the other arrays follow the first in the same block */
    shk_pass_numbers(s, series->time, 4 * (size_t)count, 64);
  if (s->reads)
    free(name);
}

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
  const int most_history = sizeof outcome->history / sizeof outcome->history[0];
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
  outcome->history_count = (int)shk_pass_integer(s, outcome->history_count, most_history);
  for (int i = 0; i < outcome->history_count; i++)
    shk_pass_real(s, &outcome->history[i]);
  const int scalars = shk_pass_length(s, outcome->scalar_count, SHK_STREAM_WORD);
  for (int i = 0; i < scalars && !s->bad; i++)
    pass_scalar(s, outcome, i);
}

static void pass_parts(struct shk_stream *s, struct shk_outcome *outcome)
{
  const int samples = shk_pass_length(s, outcome->sample_count, SHK_STREAM_WORD);
  for (int i = 0; i < samples && !s->bad; i++)
    pass_sample(s, outcome, i);
  const int series = shk_pass_length(s, outcome->series_count, SHK_STREAM_WORD);
  for (int i = 0; i < series && !s->bad; i++)
    pass_series(s, outcome, i);
}

/* Members of an ensemble; members have no members. */
static void pass_members(struct shk_stream *s, struct shk_outcome *outcome)
{
  const int count = shk_pass_length(s, outcome->member_count, SHK_STREAM_WORD);
  s->bad = s->bad || count > SHK_MOST_MEMBERS;
  if (s->reads && count > 0 && !s->bad)
    outcome->members = shk_allocate((size_t)count, sizeof *outcome->members);
  for (int i = 0; i < count && !s->bad; i++) {
    outcome->member_count = s->reads ? i + 1 : count;
    pass_core(s, &outcome->members[i]);
    pass_parts(s, &outcome->members[i]);
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
  pass_core(s, &record->outcome);
}

/* Removes const for writing: a stream that writes does not change the record. */
static struct shk_record *to_write(const struct shk_record *record)
{
  return (struct shk_record *)record;
}

void *shk_members_bytes(const struct shk_outcome *outcome, size_t *size)
{
  struct shk_stream s = {0};
  pass_members(&s, (struct shk_outcome *)outcome);
  *size = s.at;
  return s.bytes;
}

bool shk_members_read(struct shk_outcome *outcome, const void *bytes, size_t size)
{
  struct shk_stream s = {.bytes = (unsigned char *)bytes, .size = size, .reads = true};
  pass_members(&s, outcome);
  return !s.bad && s.at == s.size;
}

void *shk_record_bytes(const struct shk_record *record, size_t *size)
{
  struct shk_stream s = shk_frame_begin();
  char *none = NULL;
  shk_pass_text(&s, &none);
  pass_record(&s, to_write(record));
  pass_parts(&s, &to_write(record)->outcome);
  pass_members(&s, &to_write(record)->outcome);
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
  if (!s.bad && !fault)
    pass_parts(&s, &record->outcome);
  if (!s.bad && !fault)
    pass_members(&s, &record->outcome);
  const bool ok = !fault && shk_frame_done(&s);
  if (!ok) {
    shk_message_set(error, "%s", fault ? fault : "the bytes are not a record");
    shk_record_clear(record);
  }
  free(fault);
  return ok;
}

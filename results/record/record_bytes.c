/* Records as bytes. See record_bytes.h. */
#include "results/record/record_bytes.h"
#include "foundation/memory.h"
#include "results/record/wire_text.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { VERSION = 1, HEAD = 24, WORD = 8, MOST_NUMBERS = 1 << 27 };
static const unsigned char mark[4] = {0xf5, 's', 'h', 'k'};

/* Bytes that are written, or read: every function below does either, so that the order of fields is
 * said once. */
struct stream {
  unsigned char *bytes;
  size_t at, size; /* where it goes on; how many bytes there are, or is room for */
  bool reads, bad; /* bad: what is read is no record */
};

void shk_little_endian(void *values, size_t count, int bits)
{
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  const size_t width = (size_t)bits / 8;
  unsigned char *at = values;
  for (size_t i = 0; i < count; i++, at += width)
    for (size_t k = 0; k < width / 2; k++) {
      const unsigned char byte = at[k];
      at[k] = at[width - 1 - k];
      at[width - 1 - k] = byte;
    }
#else
  (void)values, (void)count, (void)bits;
#endif
}

/* ---- parts of fields ---- */

static void pass_bytes(struct stream *s, void *bytes, size_t count)
{
  if (s->reads) {
    s->bad = s->bad || count > s->size - s->at;
    if (s->bad)
      memset(bytes, 0, count);
    else
      memcpy(bytes, s->bytes + s->at, count);
    s->at += s->bad ? 0 : count;
    return;
  }
  while (s->at + count > s->size) {
    s->size = 2 * s->size + 1024;
    s->bytes = shk_reallocate(s->bytes, s->size, 1);
  }
  memcpy(s->bytes + s->at, bytes, count);
  s->at += count;
}

static void pass_word(struct stream *s, void *word)
{
  shk_little_endian(word, 1, 8 * WORD);
  pass_bytes(s, word, WORD);
  shk_little_endian(word, 1, 8 * WORD);
}

/* Every NaN is the same one. */
static void pass_real(struct stream *s, double *value)
{
  double copy = isnan(*value) ? NAN : *value;
  pass_word(s, &copy);
  if (s->reads)
    *value = copy;
}

/* A whole number that is at most `most`. */
static int64_t pass_integer(struct stream *s, int64_t value, int64_t most)
{
  pass_word(s, &value);
  s->bad = s->bad || value < 0 || value > most;
  return s->bad ? 0 : value;
}

/* The length of an array whose items take at least so many bytes each. */
static int pass_length(struct stream *s, int length, size_t least)
{
  const int64_t most = s->reads ? (int64_t)((s->size - s->at) / least) : INT32_MAX;
  return (int)pass_integer(s, length, most < INT32_MAX ? most : INT32_MAX);
}

/* A text that the reader owns; NULL stays NULL. */
static void pass_text(struct stream *s, char **text)
{
  const size_t length = s->reads || !*text ? 0 : strlen(*text) + 1;
  const size_t count = (size_t)pass_length(s, (int)length, 1);
  if (!s->reads) {
    pass_bytes(s, *text ? *text : (char[]){""}, count);
    return;
  }
  *text = NULL;
  if (count == 0)
    return;
  s->bad = s->bad || count > s->size - s->at || /* beside its length */
           memchr(s->bytes + s->at, 0, count) != s->bytes + s->at + count - 1;
  if (!s->bad)
    *text = shk_utf8_text((const char *)s->bytes + s->at, count - 1);
  s->at += s->bad ? 0 : count;
}

/* A name that is there. */
static bool pass_name(struct stream *s, char **name)
{
  pass_text(s, name);
  s->bad = s->bad || !*name;
  return !s->bad;
}

static void pass_numbers(struct stream *s, void *values, size_t count, int bits)
{
  shk_little_endian(values, count, bits);
  pass_bytes(s, values, count * (size_t)bits / 8);
  shk_little_endian(values, count, bits);
}

/* ---- outcomes ---- */

static void pass_block(struct stream *s, struct shk_sample *sample, int i)
{
  struct shk_block read = {0}, *const block = s->reads ? &read : &sample->blocks[i];
  struct shk_vector *const vector = &block->vector;
  if (pass_name(s, &block->name)) {
    vector->bits = (int)pass_integer(s, vector->bits, 128);
    s->bad = s->bad || !(vector->bits == 32 || vector->bits == 64 || vector->bits == 128);
    vector->count = pass_length(s, vector->count, 4);
  }
  if (s->reads && !s->bad)
    vector->values = shk_allocate(shk_vector_size(vector->count, vector->bits) + 1, 1);
  if (!s->bad)
    pass_numbers(s, vector->values, (size_t)vector->count, vector->bits);
  if (!s->reads)
    return;
  if (!s->bad)
    shk_sample_add_block(sample, read.name, read.vector);
  else
    free(vector->values);
  free(read.name);
}

static void pass_sample(struct stream *s, struct shk_outcome *outcome, int i)
{
  char *time = s->reads ? NULL : outcome->samples[i].time;
  struct shk_sample *sample = s->reads ? NULL : &outcome->samples[i];
  if (pass_name(s, &time) && s->reads)
    sample = shk_outcome_add_sample(outcome, time, strtod(time, NULL));
  const int count = s->bad ? 0 : pass_length(s, sample->block_count, WORD);
  for (int k = 0; k < count && !s->bad; k++)
    pass_block(s, sample, k);
  if (s->reads)
    free(time);
}

static void pass_series(struct stream *s, struct shk_outcome *outcome, int i)
{
  char *name = s->reads ? NULL : outcome->series[i].name;
  struct shk_series *series = s->reads ? NULL : &outcome->series[i];
  const bool named = pass_name(s, &name);
  const int count = named ? pass_length(s, s->reads ? 0 : series->count, 4 * WORD) : 0;
  if (s->reads && !s->bad)
    series = shk_outcome_add_series(outcome, name, count);
  if (!s->bad) /* the other arrays follow the first */
    pass_numbers(s, series->time, 4 * (size_t)count, 64);
  if (s->reads)
    free(name);
}

static void pass_scalar(struct stream *s, struct shk_outcome *outcome, int i)
{
  struct shk_scalar read = {0}, *const scalar = s->reads ? &read : &outcome->scalars[i];
  if (pass_name(s, &scalar->name))
    pass_real(s, &scalar->value);
  if (s->reads && !s->bad)
    shk_outcome_add_scalar(outcome, read.name, read.value);
  free(read.name);
}

#define PASS_REAL(name) pass_real(s, &outcome->name);
#define PASS_COUNT(name) outcome->name = (int)pass_integer(s, outcome->name, 1 << 30);

static void pass_core(struct stream *s, struct shk_outcome *outcome)
{
  const int most_history = sizeof outcome->history / sizeof outcome->history[0];
  char *reason = outcome->reason;
  outcome->code = (enum shk_code)pass_integer(s, outcome->code, SHK_CODE_COUNT - 1);
  pass_text(s, &reason);
  if (s->reads && reason)
    shk_text_fit(outcome->reason, sizeof outcome->reason, reason);
  if (s->reads)
    free(reason);
#define OUTCOME_FIELD(type, name, ...) PASS_##type(name)
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
  outcome->history_count = (int)pass_integer(s, outcome->history_count, most_history);
  for (int i = 0; i < outcome->history_count; i++)
    pass_real(s, &outcome->history[i]);
  const int scalars = pass_length(s, outcome->scalar_count, WORD);
  for (int i = 0; i < scalars && !s->bad; i++)
    pass_scalar(s, outcome, i);
}

static void pass_parts(struct stream *s, struct shk_outcome *outcome)
{
  const int samples = pass_length(s, outcome->sample_count, WORD);
  for (int i = 0; i < samples && !s->bad; i++)
    pass_sample(s, outcome, i);
  const int series = pass_length(s, outcome->series_count, WORD);
  for (int i = 0; i < series && !s->bad; i++)
    pass_series(s, outcome, i);
}

/* Members, which have none themselves. */
static void pass_members(struct stream *s, struct shk_outcome *outcome)
{
  const int count = pass_length(s, outcome->member_count, WORD);
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

static void pass_record(struct stream *s, struct shk_record *record)
{
  record->end = (enum shk_end)pass_integer(s, record->end, SHK_ENDS - 1);
  record->end_detail = (int)pass_integer(s, record->end_detail, 1000);
  pass_text(s, &record->output);
  record->output_dropped = (long)pass_integer(s, record->output_dropped, INT64_MAX >> 1);
  pass_real(s, &record->seconds);
  pass_real(s, &record->limit_seconds);
  pass_real(s, &record->limit_megabytes);
  pass_core(s, &record->outcome);
}

/* Writes of what is const: no function above changes what it writes. */
static struct shk_record *to_write(const struct shk_record *record)
{
  return (struct shk_record *)record;
}

void *shk_record_core(const struct shk_record *record, size_t *size)
{
  struct stream s = {0};
  pass_record(&s, to_write(record));
  *size = s.at;
  return s.bytes;
}

void *shk_members_bytes(const struct shk_outcome *outcome, size_t *size)
{
  struct stream s = {0};
  pass_members(&s, (struct shk_outcome *)outcome);
  *size = s.at;
  return s.bytes;
}

bool shk_members_read(struct shk_outcome *outcome, const void *bytes, size_t size)
{
  struct stream s = {.bytes = (unsigned char *)bytes, .size = size, .reads = true};
  pass_members(&s, outcome);
  return !s.bad && s.at == s.size;
}

/* The head of a message, whose rest has this size and hash. */
static void pass_head(struct stream *s, int64_t *size, uint64_t *hash)
{
  unsigned char begin[4];
  memcpy(begin, mark, sizeof begin);
  uint32_t version = VERSION;
  pass_bytes(s, begin, sizeof begin);
  shk_little_endian(&version, 1, 32);
  pass_bytes(s, &version, sizeof version);
  shk_little_endian(&version, 1, 32);
  *size = pass_integer(s, *size, INT64_MAX >> 1);
  pass_word(s, hash);
  s->bad = s->bad || memcmp(begin, mark, sizeof begin) != 0 || version != VERSION;
}

void *shk_record_bytes(const struct shk_record *record, size_t *size)
{
  struct stream s = {0};
  int64_t rest = 0;
  uint64_t hash = 0;
  pass_head(&s, &rest, &hash);
  pass_record(&s, to_write(record));
  pass_parts(&s, &to_write(record)->outcome);
  pass_members(&s, &to_write(record)->outcome);
  *size = s.at;
  rest = (int64_t)(s.at - HEAD);
  hash = XXH3_64bits(s.bytes + HEAD, (size_t)rest);
  s.at = 0;
  pass_head(&s, &rest, &hash);
  return s.bytes;
}

size_t shk_record_length(const void *bytes, size_t count)
{
  struct stream s = {.bytes = (unsigned char *)bytes, .size = count, .reads = true};
  int64_t size = 0;
  uint64_t hash = 0;
  if (count == 0 || *s.bytes != mark[0])
    return 0;
  if (count >= HEAD)
    pass_head(&s, &size, &hash);
  return HEAD + (s.bad ? 0 : (size_t)size);
}

bool shk_record_read(struct shk_record *record, const void *bytes, size_t size,
                     struct shk_message *error)
{
  struct stream s = {.bytes = (unsigned char *)bytes, .size = size, .reads = true};
  int64_t rest = 0;
  uint64_t hash = 0;
  *record = (struct shk_record){0};
  pass_head(&s, &rest, &hash);
  s.bad = s.bad || (size_t)rest != size - HEAD || XXH3_64bits(s.bytes + HEAD, (size_t)rest) != hash;
  if (!s.bad)
    pass_record(&s, record);
  if (!s.bad)
    pass_parts(&s, &record->outcome);
  if (!s.bad)
    pass_members(&s, &record->outcome);
  if (!s.bad && s.at == s.size)
    return true;
  shk_message_set(error, "the bytes are no record");
  shk_record_clear(record);
  return false;
}

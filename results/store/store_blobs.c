/* Outcomes as blobs, and the digest of a record. See store_blobs.h. */
#include "results/store/store_blobs.h"
#include "foundation/memory.h"
#include "results/record/record_bytes.h"
#include <stdlib.h>
#include <string.h>

enum { SERIES_ROWS = 4, WORD_BITS = 64, BYTE_BITS = 8 };

/* ---- from an outcome ---- */

static struct shk_blob *add(struct shk_blobs *blobs, const char *kind, const char *name, int rows,
                            int columns, int bits)
{
  blobs->all = shk_grow(blobs->all, (size_t)blobs->count, sizeof *blobs->all);
  struct shk_blob *const blob = &blobs->all[blobs->count++];
  *blob =
      (struct shk_blob){.kind = kind, .name = name, .rows = rows, .columns = columns, .bits = bits};
  blob->size = (size_t)rows * shk_vector_size(columns, bits);
  blob->data = shk_allocate(blob->size + 1, 1);
  return blob;
}

static void finish(struct shk_blob *blob)
{
  shk_little_endian(blob->data, (size_t)blob->rows * (size_t)blob->columns, blob->bits);
  blob->hash = (int64_t)XXH3_64bits(blob->data, blob->size);
}

static bool is_alike(const struct shk_vector *a, const struct shk_vector *b)
{
  return b && a->count == b->count && a->bits == b->bits;
}

static void add_states(struct shk_blobs *blobs, const struct shk_outcome *outcome, const char *name)
{
  for (int i = 0; i < outcome->sample_count;) {
    const struct shk_vector *const block = shk_sample_block(&outcome->samples[i], name);
    int end = i + 1;
    while (block && end < outcome->sample_count &&
           is_alike(block, shk_sample_block(&outcome->samples[end], name)))
      end++;
    if (block) {
      struct shk_blob *const blob = add(blobs, "state", name, end - i, block->count, block->bits);
      const size_t width = shk_vector_size(block->count, block->bits);
      blob->first = i;
      for (int k = i; k < end && width > 0; k++)
        memcpy(blob->data + (size_t)(k - i) * width,
               shk_sample_block(&outcome->samples[k], name)->values, width);
      finish(blob);
    }
    i = end;
  }
}

/* The names of all blocks, each behind those that it stands behind in the samples. */
static const char **block_names(const struct shk_outcome *outcome, int *count)
{
  const char **names = NULL;
  *count = 0;
  for (int i = 0; i < outcome->sample_count; i++) {
    int at = 0; /* where a name goes that is new */
    for (int j = 0; j < outcome->samples[i].block_count; j++) {
      const char *const name = outcome->samples[i].blocks[j].name;
      int k = 0;
      while (k < *count && strcmp(names[k], name) != 0)
        k++;
      if (k == *count) {
        names = shk_grow(names, (size_t)*count, sizeof *names);
        memmove(names + at + 1, names + at, (size_t)(*count - at) * sizeof *names);
        names[k = at] = name;
        ++*count;
      }
      at = k + 1;
    }
  }
  return names;
}

struct shk_blobs shk_blobs_of(const struct shk_outcome *outcome)
{
  struct shk_blobs blobs = {0};
  int count;
  const char **const names = block_names(outcome, &count);
  for (int i = 0; i < count; i++)
    add_states(&blobs, outcome, names[i]);
  free(names);
  for (int i = 0; i < outcome->series_count; i++) {
    const struct shk_series *const series = &outcome->series[i];
    struct shk_blob *const blob =
        add(&blobs, "series", series->name, SERIES_ROWS, series->count, WORD_BITS);
    memcpy(blob->data, series->time, blob->size); /* the other arrays follow */
    finish(blob);
  }
  if (outcome->history_count > 0) {
    struct shk_blob *const blob = add(&blobs, "history", "", 1, outcome->history_count, WORD_BITS);
    memcpy(blob->data, outcome->history, blob->size);
    finish(blob);
  }
  if (outcome->member_count > 0) {
    size_t size;
    void *const bytes = shk_members_bytes(outcome, &size);
    struct shk_blob *const blob = add(&blobs, "members", "", 1, (int)size, BYTE_BITS);
    memcpy(blob->data, bytes, size);
    free(bytes);
    finish(blob);
  }
  return blobs;
}

void shk_blobs_clear(struct shk_blobs *blobs)
{
  for (int i = 0; i < blobs->count; i++)
    free(blobs->all[i].data);
  free(blobs->all);
  *blobs = (struct shk_blobs){0};
}

/* ---- to an outcome ---- */

unsigned shk_blob_part(const char *kind)
{
  return strcmp(kind, "state") == 0    ? SHK_PART_STATES
         : strcmp(kind, "series") == 0 ? SHK_PART_SERIES
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
  if (strcmp(blob->kind, "members") == 0)
    return outcome->member_count == 0 && shk_members_read(outcome, blob->data, blob->size);
  if (strcmp(blob->kind, "series") != 0 || blob->rows != SERIES_ROWS || blob->bits != WORD_BITS)
    return false;
  struct shk_series *const series = shk_outcome_add_series(outcome, blob->name, blob->columns);
  if (blob->size > 0)
    memcpy(series->time, blob->data, blob->size);
  return true;
}

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

/* ---- the digest ---- */

void shk_digest_text(struct shk_stream *digest, const char *text)
{
  shk_pass_bytes(digest, text ? (char *)text : (char[]){""}, text ? strlen(text) + 1 : 1);
}

struct shk_stream shk_digest_begin(const struct shk_record *record, const char *text,
                                   const char *times)
{
  struct shk_record plain = *record;
  plain.outcome.history_count = 0; /* a blob */
  struct shk_stream digest = {0};
  digest.bytes = shk_record_core(&plain, &digest.size);
  digest.at = digest.size;
  shk_digest_text(&digest, record->key);
  shk_digest_text(&digest, text);
  shk_digest_text(&digest, times);
  shk_digest_text(&digest, record->date);
  for (int i = 0; i < SHK_CELL_SETTINGS; i++)
    shk_digest_text(&digest, *shk_cell_text_at(&plain.cell, i));
  return digest;
}

void shk_digest_blob(struct shk_stream *digest, const struct shk_blob *blob)
{
  int64_t numbers[] = {blob->first, blob->rows, blob->columns, blob->bits, blob->hash};
  shk_digest_text(digest, blob->kind);
  shk_digest_text(digest, blob->name);
  shk_pass_numbers(digest, numbers, sizeof numbers / sizeof numbers[0], WORD_BITS);
}

int64_t shk_digest_end(struct shk_stream *digest)
{
  const int64_t hash = (int64_t)XXH3_64bits(digest->bytes, digest->at);
  free(digest->bytes);
  return hash;
}

int64_t shk_store_text_hash(const char *text)
{
  return (int64_t)XXH3_64bits(text, strlen(text));
}

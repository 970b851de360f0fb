/* Outcomes as blobs. See store_blobs.h. */
#include "results/store/store_blobs.h"
#include "foundation/memory.h"
#include "results/record/record_bytes.h"
#include <stdlib.h>
#include <string.h>

enum { SERIES_ROWS = 4, WORD_BITS = 64, BYTE_BITS = 8 };

/* ---- from an outcome ---- */

struct visit {
  bool (*visitor)(void *user, const struct shk_blob *blob);
  void *user;
};

/* Passes a blob to the visitor and takes ownership of its data, which are in this machine's byte
 * order. */
static bool give(const struct visit *visit, struct shk_blob blob, void *owned)
{
  blob.data = owned;
  blob.size = (size_t)blob.rows * shk_vector_size(blob.columns, blob.bits);
  shk_little_endian(owned, (size_t)blob.rows * (size_t)blob.columns, blob.bits);
  blob.hash = (int64_t)XXH3_64bits(owned, blob.size);
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
    ok = give(visit,
              (struct shk_blob){"state", name, i, end - i, block->count, block->bits, 0, NULL, 0},
              data);
  }
  return ok;
}

/* Returns the names of all blocks, in an order consistent with that in every sample. */
static const char **block_names(const struct shk_outcome *outcome, int *count)
{
  const char **names = NULL;
  *count = 0;
  for (int i = 0; i < outcome->sample_count; i++) {
    int at = 0; /* position for a new name */
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

/* Passes doubles in `rows` rows. */
static bool give_doubles(const struct visit *visit, const char *kind, const char *name, int rows,
                         int columns, const double *values)
{
  return give(visit, (struct shk_blob){kind, name, 0, rows, columns, WORD_BITS, 0, NULL, 0},
              shk_vector_copy(values, rows * columns, WORD_BITS).values);
}

bool shk_blobs_visit(const struct shk_outcome *outcome,
                     bool (*visitor)(void *user, const struct shk_blob *blob), void *user)
{
  const struct visit visit = {visitor, user};
  int count;
  bool ok = true;
  const char **const names = block_names(outcome, &count);
  for (int i = 0; ok && i < count; i++)
    ok = give_states(&visit, outcome, names[i]);
  free(names);
  for (int i = 0; ok && i < outcome->series_count; i++) /* the other arrays follow the first */
    ok = give_doubles(&visit, "series", outcome->series[i].name, SERIES_ROWS,
                      outcome->series[i].count, outcome->series[i].time);
  if (ok && outcome->history_count > 0)
    ok = give_doubles(&visit, "history", "", 1, outcome->history_count, outcome->history);
  if (ok && outcome->member_count > 0) {
    size_t size;
    void *const bytes = shk_members_bytes(outcome, &size);
    ok = give(&visit, (struct shk_blob){"members", "", 0, 1, (int)size, BYTE_BITS, 0, NULL, 0},
              bytes);
  }
  return ok;
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

int64_t shk_store_text_hash(const char *text)
{
  return (int64_t)XXH3_64bits(text, strlen(text));
}

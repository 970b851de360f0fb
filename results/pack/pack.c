/* Numbers as blobs of a store. See pack.h. */
#include "results/pack/pack.h"
#include "foundation/memory.h"
#include "results/pack/columns.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum {
  LEVEL = 6,
  MOST_BYTES = 1 << 30,         /* no blob of SQLite's is larger */
  PLAIN = 0,                    /* a text follows */
  COLUMNS = 1,                  /* its numbers are columns */
  PARTS = 4,                    /* of a series */
  MOST_DIFFERENCES = 5,         /* taken of one part */
  WORD = (int)sizeof(uint64_t), /* bytes of an integer */
};

/* ---- sizes, planes of bytes, zlib ---- */

static void put_planes(unsigned char *at, const uint64_t *values, size_t count)
{
  for (int shift = 0; shift < 8 * WORD; shift += 8)
    for (size_t i = 0; i < count; i++)
      *at++ = (unsigned char)(values[i] >> shift);
}

static void get_planes(uint64_t *values, const unsigned char *at, size_t count)
{
  memset(values, 0, count * sizeof *values);
  for (int shift = 0; shift < 8 * WORD; shift += 8)
    for (size_t i = 0; i < count; i++)
      values[i] |= (uint64_t)*at++ << shift;
}

/* The tables of a deflation are as large as its window, and most records are small. */
static int window_bits(size_t size)
{
  enum { LEAST = 9, MOST = 15 };
  int bits = LEAST;
  while (bits < MOST && (size_t)1 << bits < size)
    bits++;
  return bits;
}

/* Strategy is zlib's: Z_FILTERED for what hardly repeats itself, as the digits of numbers. */
static void *pack(unsigned char *owned, size_t size, int strategy, size_t *packed_size)
{
  z_stream stream = {.next_in = owned, .avail_in = (uInt)size};
  const int bits = window_bits(size);
  if (size > MOST_BYTES ||
      deflateInit2(&stream, LEVEL, Z_DEFLATED, bits, bits - 6, strategy) != Z_OK)
    shk_out_of_memory();
  const size_t room = SHK_SIZE_BYTES + deflateBound(&stream, size);
  unsigned char *const blob = shk_reallocate(NULL, room, 1);
  stream.next_out = blob + SHK_SIZE_BYTES;
  stream.avail_out = (uInt)(room - SHK_SIZE_BYTES);
  deflate(&stream, Z_FINISH);
  *packed_size = SHK_SIZE_BYTES + stream.total_out;
  deflateEnd(&stream);
  shk_put_size(blob, size);
  free(owned);
  return blob;
}

/* NULL unless all of it is there and nothing else. Deflate makes nothing a thousand and some times
 * smaller, so that what a stranger's blob says of its size cannot take all memory. */
static unsigned char *unpack(const unsigned char *blob, size_t size, size_t *unpacked_size)
{
  enum { MOST_RATIO = 1100 };
  if (size <= SHK_SIZE_BYTES || shk_get_size(blob) > MOST_BYTES ||
      shk_get_size(blob) / MOST_RATIO > size)
    return NULL;
  uLongf room = shk_get_size(blob);
  unsigned char *const bytes = shk_allocate(room + 1, 1);
  if (uncompress(bytes, &room, blob + SHK_SIZE_BYTES, size - SHK_SIZE_BYTES) != Z_OK ||
      room != shk_get_size(blob)) {
    free(bytes);
    return NULL;
  }
  *unpacked_size = room;
  return bytes;
}

/* ---- text ---- */

/* One byte, and the bytes after it. */
static unsigned char *marked(unsigned char mark, const void *bytes, size_t size)
{
  unsigned char *const all = shk_allocate(1 + size, 1);
  all[0] = mark;
  memcpy(all + 1, bytes, size);
  return all;
}

void *shk_pack_text(const char *text, size_t *size)
{
  size_t length = strlen(text);
  unsigned char *const columns = shk_columns_of(text, &length);
  unsigned char *const bytes =
      columns ? marked(COLUMNS, columns, length) : marked(PLAIN, text, length);
  free(columns);
  return pack(bytes, 1 + length, columns ? Z_DEFAULT_STRATEGY : Z_FILTERED, size);
}

char *shk_unpack_text(const void *blob, size_t size)
{
  size_t unpacked = 0;
  unsigned char *const bytes = unpack(blob, size, &unpacked);
  const bool has_mark = unpacked > 0 && (bytes[0] == PLAIN || bytes[0] == COLUMNS);
  char *text = NULL;
  if (has_mark && bytes[0] == COLUMNS)
    text = shk_columns_text(bytes + 1, unpacked - 1, MOST_BYTES);
  else if (bytes)
    text = shk_print_text("%.*s", (int)(unpacked - has_mark), (const char *)bytes + has_mark);
  free(bytes);
  return text;
}

/* ---- numbers ---- */

/* Its own inverse. */
static uint64_t in_order(uint64_t bits)
{
  return bits >> 63 ? bits ^ UINT64_MAX >> 1 : bits;
}

/* Small where the size is. */
static uint64_t fold(uint64_t difference)
{
  return difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0);
}

static uint64_t unfold(uint64_t folded)
{
  return folded >> 1 ^ (folded & 1 ? UINT64_MAX : 0);
}

static void take_differences(uint64_t *values, size_t count)
{
  for (size_t i = count; i-- > 1;)
    values[i] -= values[i - 1];
}

/* Sums up differences so often. */
static void sum_up(uint64_t *values, size_t count, int times)
{
  while (times-- > 0)
    for (size_t i = 1; i < count; i++)
      values[i] += values[i - 1];
}

static int bits_of(uint64_t value)
{
  return value ? 64 - __builtin_clzll(value) : 0;
}

/* Leaves the differences of that many times, folded, which have the fewest bits. */
static int choose_differences(uint64_t *values, size_t count)
{
  uint64_t *const tried = shk_allocate(count + 1, sizeof *tried);
  memcpy(tried, values, count * sizeof *values);
  int best = 0;
  size_t fewest = SIZE_MAX;
  for (int times = 0; times <= MOST_DIFFERENCES; times++, take_differences(tried, count)) {
    size_t bits = 0;
    for (size_t i = 0; i < count; i++)
      bits += (size_t)bits_of(fold(tried[i]));
    if (bits < fewest) {
      fewest = bits;
      best = times;
    }
  }
  free(tried);
  for (int i = 0; i < best; i++)
    take_differences(values, count);
  for (size_t i = 0; i < count; i++)
    values[i] = fold(values[i]);
  return best;
}

/* Mean and maximum as what they are above the part before, and back. */
static void relate_parts(uint64_t *values, size_t count)
{
  for (size_t i = 4 * count; i-- > 2 * count;)
    values[i] -= values[i - count];
}

static void part_again(uint64_t *values, size_t count)
{
  for (size_t i = 2 * count; i < 4 * count; i++)
    values[i] += values[i - count];
}

/* The bytes of four parts. */
static size_t size_of_parts(size_t count)
{
  return PARTS * (1 + WORD * count);
}

static unsigned char *put_series(unsigned char *at, const struct shk_series *series)
{
  const size_t count = (size_t)series->count, name = strlen(series->name) + 1;
  uint64_t *const bits = shk_allocate(PARTS * count + 1, sizeof *bits);
  memcpy(at, series->name, name);
  shk_put_size(at += name, count);
  at += SHK_SIZE_BYTES;
  memcpy(bits, series->time, PARTS * count * sizeof *bits); /* the other parts follow it */
  for (size_t i = 0; i < PARTS * count; i++)
    bits[i] = in_order(bits[i]);
  relate_parts(bits, count);
  for (size_t k = 0; k < PARTS; k++) {
    *at++ = (unsigned char)choose_differences(bits + k * count, count);
    put_planes(at, bits + k * count, count);
    at += WORD * count;
  }
  free(bits);
  return at;
}

void *shk_pack_series(const struct shk_outcome *outcome, size_t *size)
{
  size_t whole = 0;
  *size = 0;
  if (outcome->series_count == 0)
    return NULL;
  for (int i = 0; i < outcome->series_count; i++)
    whole += strlen(outcome->series[i].name) + 1 + SHK_SIZE_BYTES +
             size_of_parts((size_t)outcome->series[i].count);
  unsigned char *const bytes = shk_allocate(whole, 1);
  unsigned char *at = bytes;
  for (int i = 0; i < outcome->series_count; i++)
    at = put_series(at, &outcome->series[i]);
  return pack(bytes, whole, Z_DEFAULT_STRATEGY, size);
}

static bool get_parts(uint64_t *bits, size_t count, const unsigned char *bytes)
{
  for (size_t k = 0; k < PARTS; k++) {
    const int times = *bytes++;
    if (times > MOST_DIFFERENCES)
      return false;
    uint64_t *const part = bits + k * count;
    get_planes(part, bytes, count);
    for (size_t i = 0; i < count; i++)
      part[i] = unfold(part[i]);
    sum_up(part, count, times);
    bytes += WORD * count;
  }
  part_again(bits, count);
  for (size_t i = 0; i < PARTS * count; i++)
    bits[i] = in_order(bits[i]);
  return true;
}

/* Adds one series; returns where the next is, NULL if it is none. */
static const unsigned char *get_series(struct shk_outcome *outcome, const unsigned char *at,
                                       const unsigned char *end)
{
  const char *const name = (const char *)at;
  const unsigned char *const stop = memchr(at, 0, (size_t)(end - at));
  if (!stop || end - stop < 1 + SHK_SIZE_BYTES)
    return NULL;
  const size_t count = shk_get_size(stop + 1);
  at = stop + 1 + SHK_SIZE_BYTES;
  if (size_of_parts(count) > (size_t)(end - at))
    return NULL;
  uint64_t *const bits = shk_allocate(PARTS * count + 1, sizeof *bits);
  const bool ok = get_parts(bits, count, at);
  if (ok)
    memcpy(shk_outcome_add_series(outcome, name, (int)count)->time, bits,
           PARTS * count * sizeof *bits);
  free(bits);
  return ok ? at + size_of_parts(count) : NULL;
}

bool shk_unpack_series(struct shk_outcome *outcome, const void *blob, size_t size)
{
  size_t unpacked = 0;
  unsigned char *const bytes = unpack(blob, size, &unpacked);
  const unsigned char *at = bytes, *const end = bytes + unpacked;
  while (at && at < end)
    at = get_series(outcome, at, end);
  free(bytes);
  return at != NULL;
}

bool shk_is_packed(const void *blob, size_t size)
{
  size_t unpacked;
  unsigned char *const bytes = unpack(blob, size, &unpacked);
  free(bytes);
  return bytes != NULL;
}

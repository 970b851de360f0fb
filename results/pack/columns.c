/* Columns of numbers in a text. See columns.h. */
#include "results/pack/columns.h"
#include "foundation/memory.h"
#include "results/pack/wide.h"
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  NUMBER = 1,         /* stands for one in the rest */
  MOST_WHOLE = 12,    /* digits before the point, */
  MOST_DECIMALS = 44, /* and behind it: together below 2^191 */
  MOST_DIFFERENCES = 24,
  PATIENCE = 3,           /* so many times more may not be smaller */
  MOST_NAMES = 64,        /* those that follow count as the last */
  MOST_NUMBERS = 1 << 21, /* they are held in memory, 40 bytes each */
  LEAST_LENGTH = 4,       /* of a column on average: shorter ones are no smaller than digits */
  COLUMN_HEAD = 3,
};

void shk_put_size(unsigned char *at, size_t size)
{
  for (int i = 0; i < SHK_SIZE_BYTES; i++)
    at[i] = (unsigned char)(size >> 8 * i);
}

size_t shk_get_size(const unsigned char *at)
{
  size_t size = 0;
  for (int i = 0; i < SHK_SIZE_BYTES; i++)
    size |= (size_t)at[i] << 8 * i;
  return size;
}

/* ---- numbers as text ---- */

static size_t digits_at(const char *text)
{
  return strspn(text, "0123456789");
}

/* The length of a number that would be written as it stands; 0 if none stands here. */
static size_t length_of_number(const char *text)
{
  const char *at = text + (*text == '-');
  const size_t whole = digits_at(at);
  if (whole == 0 || whole > MOST_WHOLE || (*at == '0' && whole > 1))
    return 0;
  bool zero = *at == '0';
  at += whole;
  if (*at == '.') {
    const size_t decimals = digits_at(++at);
    at += decimals;
    zero = false;
    if (decimals == 0 || decimals > MOST_DECIMALS || at[-1] == '0')
      return 0;
  }
  return (*at == ' ' || *at == '"') && !(zero && *text == '-') ? (size_t)(at - text) : 0;
}

/* Reads a number of that length; returns how many decimals it has. */
static unsigned char read_number(struct shk_wide *value, const char *text, size_t length)
{
  size_t decimals = 0;
  for (size_t i = *text == '-'; i < length; i++) {
    if (text[i] == '.')
      decimals = length - i - 1;
    else
      shk_wide_push_digit(value, (unsigned)(text[i] - '0'));
  }
  if (*text == '-')
    shk_wide_negate(value);
  return (unsigned char)decimals;
}

enum { ROOM = 64 }; /* 58 digits, a sign and a point */

/* Returns where the text begins, which ends with the room. */
static const char *write_number(char room[ROOM], struct shk_wide value, int decimals)
{
  const bool negative = shk_wide_is_negative(&value);
  if (negative)
    shk_wide_negate(&value);
  char *at = room + ROOM - 1;
  *at = '\0';
  for (int i = 0; i <= decimals || !shk_wide_is_zero(&value); i++) {
    const char digit = (char)('0' + shk_wide_pop_digit(&value));
    if (i == decimals && *at)
      *--at = '.';
    if (i >= decimals || *at || digit != '0')
      *--at = digit;
  }
  if (negative)
    *--at = '-';
  return at;
}

/* ---- which number stands in which column ---- */

struct layout {
  size_t count, columns;
  size_t *column; /* of each number */
  size_t *first;  /* number of each column, and where the last one ends */
};

struct name {
  const char *text;
  size_t length, places, *column;
};

static struct name *find_name(struct name *names, size_t *count, const char *text, size_t length)
{
  for (size_t i = 0; i < *count; i++)
    if (names[i].length == length && memcmp(names[i].text, text, length) == 0)
      return &names[i];
  if (*count == MOST_NAMES)
    return &names[MOST_NAMES - 1];
  names[*count] = (struct name){text, length, 0, NULL};
  return &names[(*count)++];
}

/* How many stand before each column, from how many are in each. */
static void sum_up(struct layout *layout)
{
  layout->first = shk_allocate(layout->columns + 1, sizeof *layout->first);
  for (size_t i = 0; i < layout->count; i++)
    layout->first[layout->column[i] + 1]++;
  for (size_t c = 0; c < layout->columns; c++)
    layout->first[c + 1] += layout->first[c];
}

/* Of none if there are too many. */
static struct layout lay_out(const char *rest, size_t size)
{
  struct layout layout = {0};
  struct name names[MOST_NAMES];
  size_t name_count = 0, place = 0, quoted = 0;
  const char *open = NULL, *quote = rest;
  for (size_t i = 0; i < size; i++)
    layout.count += rest[i] == NUMBER;
  if (layout.count > MOST_NUMBERS)
    return (struct layout){0};
  layout.column = shk_allocate(layout.count + 1, sizeof *layout.column);
  struct name *name = find_name(names, &name_count, rest, 0);
  size_t k = 0;
  for (const char *at = rest; at < rest + size; at++) {
    if (*at == '"' && open) {
      quote = open;
      quoted = (size_t)(at - open);
      open = NULL;
    } else if (*at == '"') {
      open = at + 1;
    } else if (*at == ':') {
      name = find_name(names, &name_count, quote, quoted);
      place = 0;
    } else if (*at == NUMBER) {
      if (place == name->places) {
        name->column = shk_grow(name->column, name->places, sizeof *name->column);
        name->column[name->places++] = layout.columns++;
      }
      layout.column[k++] = name->column[place++];
    }
  }
  for (size_t i = 0; i < name_count; i++)
    free(names[i].column);
  sum_up(&layout);
  return layout;
}

static void free_layout(struct layout *layout)
{
  free(layout->column);
  free(layout->first);
}

/* For each number in the order of the text, where it stands in the columns. */
static size_t *places_of(const struct layout *layout)
{
  size_t *const place = shk_allocate(layout->count + 1, sizeof *place);
  size_t *const next = shk_allocate(layout->columns + 1, sizeof *next);
  memcpy(next, layout->first, (layout->columns + 1) * sizeof *next);
  for (size_t i = 0; i < layout->count; i++)
    place[i] = next[layout->column[i]]++;
  free(next);
  return place;
}

/* ---- a column ---- */

static void take_differences(struct shk_wide *values, size_t count)
{
  for (size_t i = count; i-- > 1;)
    shk_wide_subtract(&values[i], values[i - 1]);
}

static size_t bits_of_all(const struct shk_wide *values, size_t count)
{
  size_t bits = 0;
  for (size_t i = 0; i < count; i++) {
    struct shk_wide folded = values[i];
    shk_wide_fold(&folded);
    bits += (size_t)shk_wide_bits(&folded);
  }
  return bits;
}

/* Leaves the differences of that many times which have the fewest bits. */
static int choose_differences(struct shk_wide *values, size_t count)
{
  struct shk_wide *const tried = shk_allocate(count + 1, sizeof *tried);
  memcpy(tried, values, count * sizeof *values);
  int best = 0;
  size_t fewest = bits_of_all(values, count);
  for (int times = 1; times <= MOST_DIFFERENCES && times - best <= PATIENCE; times++) {
    take_differences(tried, count);
    const size_t bits = bits_of_all(tried, count);
    if (bits < fewest) {
      fewest = bits;
      best = times;
    }
  }
  free(tried);
  for (int i = 0; i < best; i++)
    take_differences(values, count);
  return best;
}

static unsigned char *put_column(unsigned char *at, struct shk_wide *values, size_t count,
                                 int decimals)
{
  *at++ = (unsigned char)decimals;
  *at++ = (unsigned char)choose_differences(values, count);
  int width = 0;
  for (size_t i = 0; i < count; i++) {
    shk_wide_fold(&values[i]);
    const int bytes = (shk_wide_bits(&values[i]) + 7) / 8;
    width = bytes > width ? bytes : width;
  }
  *at++ = (unsigned char)width;
  for (int b = 0; b < width; b++)
    for (size_t i = 0; i < count; i++)
      *at++ = shk_wide_byte(&values[i], b);
  return at;
}

/* Returns where the next one is; NULL if this is none. */
static const unsigned char *get_column(struct shk_wide *values, size_t count,
                                       const unsigned char *at, const unsigned char *end,
                                       int *decimals)
{
  if (end - at < COLUMN_HEAD)
    return NULL;
  *decimals = at[0];
  const int times = at[1], width = at[2];
  at += COLUMN_HEAD;
  if (*decimals > MOST_DECIMALS || times > MOST_DIFFERENCES || width > SHK_WIDE_BYTES ||
      (size_t)(end - at) < count * (size_t)width)
    return NULL;
  for (int b = 0; b < width; b++)
    for (size_t i = 0; i < count; i++)
      values[i].limb[b / 4] |= (uint32_t)*at++ << 8 * (b % 4);
  for (size_t i = 0; i < count; i++)
    shk_wide_unfold(&values[i]);
  for (int k = 0; k < times; k++)
    for (size_t i = 1; i < count; i++)
      shk_wide_add(&values[i], &values[i - 1]);
  return at;
}

/* ---- the whole ---- */

/* The length of the number that begins here, at the begin of a string or after a blank. */
static size_t number_at(const char *text, const char *at)
{
  return at > text && (at[-1] == '"' || at[-1] == ' ') ? length_of_number(at) : 0;
}

static size_t take_numbers(char *rest, const char *text)
{
  const char *const begin = rest;
  for (const char *at = text; *at;) {
    const size_t length = number_at(text, at);
    *rest++ = length ? NUMBER : *at;
    at += length ? length : 1;
  }
  return (size_t)(rest - begin);
}

/* All to as many decimals as the longest has, which is returned. */
static int align(struct shk_wide *values, const unsigned char *decimals, size_t count)
{
  int most = 0;
  for (size_t i = 0; i < count; i++)
    most = decimals[i] > most ? decimals[i] : most;
  for (size_t i = 0; i < count; i++) {
    for (int k = decimals[i]; k < most; k++)
      shk_wide_push_digit(&values[i], 0);
  }
  return most;
}

static unsigned char *put_columns(unsigned char *at, const char *text, const struct layout *layout)
{
  struct shk_wide *const values = shk_allocate(layout->count + 1, sizeof *values);
  unsigned char *const decimals = shk_allocate(layout->count + 1, 1);
  size_t *const place = places_of(layout);
  size_t k = 0;
  for (const char *in = text; *in;) {
    const size_t length = number_at(text, in);
    if (length) {
      decimals[place[k]] = read_number(&values[place[k]], in, length);
      k++;
    }
    in += length ? length : 1;
  }
  for (size_t c = 0; c < layout->columns; c++) {
    const size_t first = layout->first[c], count = layout->first[c + 1] - first;
    const int most = align(values + first, decimals + first, count);
    at = put_column(at, values + first, count, most);
  }
  free(place);
  free(decimals);
  free(values);
  return at;
}

unsigned char *shk_columns_of(const char *text, size_t *size)
{
  if (strchr(text, NUMBER))
    return NULL;
  char *const rest = shk_allocate(strlen(text) + 1, 1);
  const size_t length = take_numbers(rest, text);
  struct layout layout = lay_out(rest, length);
  unsigned char *bytes = NULL;
  if (layout.count > 0 && layout.count >= LEAST_LENGTH * layout.columns) {
    bytes = shk_allocate(SHK_SIZE_BYTES + length + layout.columns * COLUMN_HEAD +
                             layout.count * sizeof(struct shk_wide),
                         1);
    shk_put_size(bytes, length);
    memcpy(bytes + SHK_SIZE_BYTES, rest, length);
    *size = (size_t)(put_columns(bytes + SHK_SIZE_BYTES + length, text, &layout) - bytes);
  }
  free_layout(&layout);
  free(rest);
  return bytes;
}

struct growing {
  char *text;
  size_t length, room, most;
};

/* False if it became too long. */
static bool append(struct growing *text, const char *bytes, size_t length)
{
  if (length > text->most - text->length)
    return false;
  while (text->length + length >= text->room) {
    text->room = 2 * text->room + length;
    text->text = shk_reallocate(text->text, text->room, 1);
  }
  memcpy(text->text + text->length, bytes, length);
  text->length += length;
  text->text[text->length] = '\0';
  return true;
}

/* The rest with its numbers put back. */
static char *put_back(const char *rest, size_t size, const struct shk_wide *values,
                      const int *decimals, const struct layout *layout, size_t most)
{
  struct growing text = {shk_allocate(size + 1, 1), 0, size + 1, most};
  size_t *const place = places_of(layout);
  size_t k = 0;
  bool ok = true;
  for (size_t i = 0; ok && i < size; i++) {
    char room[ROOM];
    const char *what = &rest[i];
    if (*what == NUMBER) {
      what = write_number(room, values[place[k]], decimals[layout->column[k]]);
      k++;
    }
    ok = append(&text, what, what == &rest[i] ? 1 : strlen(what));
  }
  free(place);
  if (ok)
    return text.text;
  free(text.text);
  return NULL;
}

char *shk_columns_text(const unsigned char *bytes, size_t size, size_t most)
{
  if (size < SHK_SIZE_BYTES || shk_get_size(bytes) > size - SHK_SIZE_BYTES)
    return NULL;
  const char *const rest = (const char *)bytes + SHK_SIZE_BYTES;
  const size_t length = shk_get_size(bytes);
  const unsigned char *at = bytes + SHK_SIZE_BYTES + length, *const end = bytes + size;
  struct layout layout = lay_out(rest, length);
  if (!layout.column)
    return NULL;
  struct shk_wide *const values = shk_allocate(layout.count + 1, sizeof *values);
  int *const decimals = shk_allocate(layout.columns + 1, sizeof *decimals);
  for (size_t c = 0; at && c < layout.columns; c++) {
    const size_t first = layout.first[c];
    at = get_column(values + first, layout.first[c + 1] - first, at, end, &decimals[c]);
  }
  char *const text = at == end ? put_back(rest, length, values, decimals, &layout, most) : NULL;
  free(decimals);
  free(values);
  free_layout(&layout);
  return text;
}

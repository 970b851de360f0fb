/*
 * Making the date of a PDF visible where it is compressed. Since version 1.18 gnuplot's library
 * (cairo) writes PDF 1.5: the object with the date lies in an object stream, and the last object
 * is the table of all, a stream as well (ISO 32000-1, 7.5.7 and 7.5.8). The length of what is
 * compressed depends on the date, and so does the place of what follows. Hence both streams are
 * written again, uncompressed, and what lay between them, the object with that length, is dropped:
 *
 *   ... | object stream, its length | table | startxref   ->   ... | object stream | table | startxref
 */
#include "foundation/memory.h"
#include "plots/canvas/figure.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Bytes of a stream, uncompressed; those of figures have some hundred. */
#define LARGEST_STREAM ((uLongf)1 << 20)

/* What the table says of an object. */
enum { ROW_FREE, ROW_PLACED, ROW_IN_STREAM };

struct pdf {
  const char *bytes;
  size_t size;
};

struct stream {
  const char *dictionary, *end; /* from the number of the object to the word `stream` */
  char *data;                   /* uncompressed */
  size_t size;
};

/* Where the text stands at or after a place; NULL if it does not. */
static const char *find_from(const struct pdf *pdf, size_t from, const char *text)
{
  if (from >= pdf->size)
    return NULL;
  return memmem(pdf->bytes + from, pdf->size - from, text, strlen(text));
}

/* The object at a place, if it is a compressed stream of the type. */
static bool open_stream(struct stream *stream, const struct pdf *pdf, size_t at, const char *type)
{
  static const char word[] = "\nstream\n";
  const char *const begin = find_from(pdf, at, word), *const over = find_from(pdf, at, "endobj");
  *stream = (struct stream){0};
  if (!begin || !over || over < begin)
    return false;
  stream->dictionary = pdf->bytes + at;
  stream->end = begin + 1;
  const size_t length = (size_t)(stream->end - stream->dictionary);
  if (!memmem(stream->dictionary, length, type, strlen(type)) ||
      !memmem(stream->dictionary, length, "/FlateDecode", 12))
    return false;
  const char *const packed = begin + sizeof word - 1;
  uLong given = (uLong)(pdf->bytes + pdf->size - packed);
  uLongf size = LARGEST_STREAM;
  stream->data = shk_allocate(size, 1);
  const bool ok = uncompress2((Bytef *)stream->data, &size, (const Bytef *)packed, &given) == Z_OK;
  stream->size = ok ? size : 0;
  return ok;
}

/* Its dictionary, of one entry a line, and these data, without compression. */
static void print_stream(FILE *out, const struct stream *stream, const char *entries,
                         const char *data, size_t size)
{
  for (const char *line = stream->dictionary; line < stream->end;) {
    const char *const next = (const char *)memchr(line, '\n', (size_t)(stream->end - line)) + 1;
    char key[16] = "";
    sscanf(line, " /%15[A-Za-z]", key);
    if (line[0] == '>')
      fprintf(out, "   /Length %zu\n%s", size, entries);
    if (strcmp(key, "Length") != 0 && strcmp(key, "Filter") != 0 && strcmp(key, "W") != 0)
      fwrite(line, 1, (size_t)(next - line), out);
    line = next;
  }
  fputs("stream\n", out);
  fwrite(data, 1, size, out);
  fputs("\nendstream\nendobj\n", out);
}

struct table {
  struct stream stream;
  size_t at;
  int widths[3], count;
};

static bool open_table(struct table *table, const struct pdf *pdf)
{
  static const char word[] = "\nstartxref\n";
  const size_t last = pdf->size > 64 ? pdf->size - 64 : 0;
  const char *const start = find_from(pdf, last, word);
  *table = (struct table){0};
  if (!start || sscanf(start + sizeof word - 1, "%zu", &table->at) != 1 ||
      !open_stream(&table->stream, pdf, table->at, "/Type /XRef"))
    return false;
  const char *const widths = find_from(pdf, table->at, "/W [");
  int *const w = table->widths;
  if (!widths || sscanf(widths, "/W [%d %d %d]", &w[0], &w[1], &w[2]) != 3)
    return false;
  for (int i = 0; i < 3; i++)
    if (w[i] < 0 || w[i] > (int)sizeof(size_t))
      return false;
  const size_t row = (size_t)(w[0] + w[1] + w[2]);
  table->count = row > 0 ? (int)(table->stream.size / row) : 0;
  return true;
}

static size_t field(const struct table *table, int row, int column)
{
  const int *const w = table->widths;
  const char *at = table->stream.data + (size_t)row * (size_t)(w[0] + w[1] + w[2]);
  size_t value = 0;
  for (int i = 0; i < column; i++)
    at += w[i];
  for (int i = 0; i < w[column]; i++)
    value = value << 8 | (unsigned char)at[i];
  return value;
}

/* The object stream with the text. */
static bool find_container(struct stream *found, const struct pdf *pdf, const struct table *table,
                           const char *text)
{
  for (int row = 0; row < table->count; row++) {
    if (field(table, row, 0) != ROW_PLACED)
      continue;
    if (open_stream(found, pdf, field(table, row, 1), "/Type /ObjStm") &&
        memmem(found->data, found->size, text, strlen(text)))
      return true;
    free(found->data);
  }
  *found = (struct stream){0};
  return false;
}

static void put_number(FILE *rows, size_t value, int width)
{
  for (int i = width - 1; i >= 0; i--)
    fputc((int)(value >> 8 * i & 0xff), rows);
}

/* The table, standing at `now`, of a file without the objects between the stream and it. */
static void print_table(FILE *out, const struct table *table, size_t container, size_t now)
{
  char *rows;
  size_t size;
  FILE *const memory = open_memstream(&rows, &size);
  for (int row = 0; row < table->count; row++) {
    size_t kind = field(table, row, 0), place = field(table, row, 1), last = field(table, row, 2);
    if (kind == ROW_PLACED && place == table->at) {
      place = now;
    } else if (kind == ROW_PLACED && place > container) {
      kind = ROW_FREE;
      place = 0;
      last = 0xffff;
    }
    put_number(memory, kind, 1);
    put_number(memory, place, 4);
    put_number(memory, last, 2);
  }
  fclose(memory);
  print_stream(out, &table->stream, "   /W [1 4 2]\n", rows, size);
  fprintf(out, "startxref\n%zu\n%%%%EOF\n", now);
  free(rows);
}

char *shk_pdf_unpack(const char *bytes, size_t *size, const char *text)
{
  const struct pdf pdf = {bytes, *size};
  struct table table;
  struct stream container = {0};
  char *unpacked = NULL;
  if (open_table(&table, &pdf) && find_container(&container, &pdf, &table, text)) {
    FILE *const out = open_memstream(&unpacked, size);
    const size_t at = (size_t)(container.dictionary - bytes);
    fwrite(bytes, 1, at, out);
    print_stream(out, &container, "", container.data, container.size);
    print_table(out, &table, at, (size_t)ftell(out));
    fclose(out);
  }
  free(container.data);
  free(table.stream.data);
  return unpacked;
}

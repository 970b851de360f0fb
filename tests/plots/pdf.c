/*
 * The date of a PDF that lies in a compressed stream. tests/data/drawn-1.pdf and drawn-2.pdf are what
 * gnuplot 6 with cairo 1.18 drew by the same commands at two times.
 */
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "plots/canvas/figure.h"
#include "tests/kit/tap.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST ((size_t)1 << 20)

static const char *const names[] = {"drawn-1.pdf", "drawn-2.pdf"};
static char folder[] = "/tmp/shakedown-pdf-XXXXXX";

static char *read_in(const char *directory, const char *name, size_t *size)
{
  struct shk_message error;
  char *const path = shk_print_text("%s/%s", directory, name);
  char *const bytes = shk_read_file(path, MOST, "figure", size, &error);
  free(path);
  if (!bytes)
    tap_diag("%s", error.text);
  return bytes;
}

/* The number in `width` bytes, the most significant first. */
static size_t number(const char *bytes, int width)
{
  size_t value = 0;
  for (int i = 0; i < width; i++)
    value = value << 8 | (unsigned char)bytes[i];
  return value;
}

/* Whether the object of each row of the table stands where the row says. */
static bool table_is_right(const char *bytes, size_t size)
{
  const char *const start = memmem(bytes, size, "startxref\n", 10);
  const char *const table = start ? bytes + strtoul(start + 10, NULL, 10) : bytes + size;
  const char *const rows = table < start ? strstr(table, "\nstream\n") : NULL;
  const char *const count = rows ? strstr(table, "/Size ") : NULL;
  int placed = 0;
  for (int i = 0; count && i < atoi(count + 6); i++) {
    const char *const row = rows + 8 + 7 * i;
    if (row[0] != 1)
      continue;
    placed++;
    char head[32];
    const int length = snprintf(head, sizeof head, "%d 0 obj\n", i);
    const size_t at = number(row + 1, 4);
    if (at + (size_t)length > size || memcmp(bytes + at, head, (size_t)length) != 0) {
      tap_diag("object %d is not at %zu", i, at);
      return false;
    }
  }
  return placed > 3;
}

/* Files that end too early: no reason to crash, and none to be taken for whole. */
static void test_cut_short(const char *bytes, size_t size)
{
  size_t taken = 0;
  for (size_t length = 0; length < size - 8; length++) {
    char *const part = malloc(length + 1); /* of this size, for a memory checker */
    size_t unpacked_size = length;
    memcpy(part, bytes, length);
    part[length] = '\0';
    char *const unpacked = shk_pdf_unpack(part, &unpacked_size, "/CreationDate");
    taken += unpacked != NULL;
    free(unpacked);
    free(part);
  }
  tap_is_int((long long)taken, 0, "a file that was cut short is refused, wherever");
}

int main(void)
{
  char *before[2], *after[2];
  size_t size[2], new_size[2];
  struct shk_message error;
  char *const source = shk_print_text("%s/tests/data", getenv("SHAKEDOWN_SOURCE"));
  if (!mkdtemp(folder)) {
    tap_ok(false, "a folder");
    return tap_done();
  }
  for (int i = 0; i < 2; i++) {
    before[i] = read_in(source, names[i], &size[i]);
    if (!tap_ok(before[i] && shk_write_text(folder, names[i], before[i], size[i], &error) &&
                    shk_pdf_undate(folder, names[i], &error),
                "%s: its date is found", names[i]))
      return tap_done();
    after[i] = read_in(folder, names[i], &new_size[i]);
    tap_ok(memmem(after[i], new_size[i], "(D:20000101000000Z)", 19) != NULL, "and overwritten");
    tap_ok(table_is_right(after[i], new_size[i]), "its table of objects is right");
  }
  tap_ok(memcmp(before[0], before[1], size[0]) != 0, "drawn at two times, the files differ");
  tap_ok(new_size[0] == new_size[1] && memcmp(after[0], after[1], new_size[0]) == 0,
         "and without the date they do not");
  test_cut_short(before[0], size[0]);
  for (int i = 0; i < 2; i++) {
    char *const path = shk_print_text("%s/%s", folder, names[i]);
    unlink(path);
    free(path);
    free(before[i]);
    free(after[i]);
  }
  rmdir(folder);
  free(source);
  return tap_done();
}

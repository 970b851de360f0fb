/*
 * The date in a PDF. gnuplot's library writes the time at which it drew, as
 * `/CreationDate (D:20240131120000+01'00)`; the same data must give the same file, so the digits
 * are overwritten in place with those of a fixed day, which moves nothing in the file.
 */
#include "foundation/files/file.h"
#include "foundation/memory.h"
#include "plots/canvas/figure.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST ((size_t)1 << 30)

/* Where the text begins in the bytes; NULL if it is not there. */
static char *find(char *bytes, size_t size, const char *text)
{
  return size > 0 ? memmem(bytes, size, text, strlen(text)) : NULL;
}

/* "20240131120000" becomes 2000-01-01, midnight, and what follows, of the time zone, zeros. */
static void overwrite(char *at, const char *end)
{
  static const char day[] = "20000101";
  for (size_t i = 0; at < end && *at != ')'; at++) {
    if (isdigit((unsigned char)*at)) {
      *at = i < sizeof day - 1 ? day[i] : '0';
      i++;
    } else if (*at == '+' || *at == '-') {
      *at = '+';
    }
  }
}

bool shk_pdf_undate(const char *directory, const char *name, struct shk_message *error)
{
  static const char key[] = "/CreationDate (D:";
  char *const path = shk_print_text("%s/%s", directory, name);
  size_t size = 0;
  char *bytes = shk_read_file(path, LARGEST, "figure", &size, error);
  bool ok = bytes != NULL;
  char *date = ok ? find(bytes, size, key) : NULL;
  if (ok && !date) {
    char *const packed = bytes;
    bytes = shk_pdf_unpack(packed, &size, key);
    date = bytes ? find(bytes, size, key) : NULL;
    free(packed);
  }
  if (ok && !date) {
    shk_message_set(error, "%s: no /CreationDate was found, which this gnuplot is known to write",
                    path);
    ok = false;
  }
  if (ok) {
    overwrite(date + sizeof key - 1, bytes + size);
    ok = shk_write_text(directory, name, bytes, size, error);
  }
  free(bytes);
  free(path);
  return ok;
}

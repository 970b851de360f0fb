/* Vectors as text; see block.h. */
#include "measures/block.h"

#include <stdlib.h>
#include <string.h>

char *shk_block_text(const real *x, int n)
{
  char *text = malloc((size_t)n * 48 + 1), *end = text;
  if (!text)
    return NULL;
  *end = '\0';
  for (int i = 0; i < n; i++) {
    if (i > 0)
      *end++ = ' ';
    shk_real_format(end, 48, x[i]);
    end += strlen(end);
  }
  return text;
}

bool shk_block_next(real *x, const char **text, const char *separators)
{
  char field[64];
  const size_t length = strcspn(*text, separators);
  if (length == 0 || length >= sizeof field)
    return false;
  memcpy(field, *text, length);
  field[length] = '\0';
  *text += length + ((*text)[length] != '\0');
  return shk_real_parse(x, field);
}

bool shk_block_read(real *x, int n, const char *text, const char *separators)
{
  int count = 0;
  while (count < n && shk_block_next(&x[count], &text, separators))
    count++;
  return count == n && *text == '\0';
}

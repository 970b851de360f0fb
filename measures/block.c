/* Vectors. See block.h. */
#include "measures/block.h"

#include "mechanics/binding/real_text.h"

#include <stdlib.h>
#include <string.h>

#ifdef SHK_QUAD
__extension__ typedef SHK_QUAD quad;
#endif

struct shk_vector shk_vector_of(const real *x, int n)
{
  return shk_vector_copy(x, n, SHK_PRECISION);
}

void shk_block_add(struct shk_sample *sample, const char *name, const real *x, int n)
{
  shk_sample_add_block(sample, name, shk_vector_of(x, n));
}

real shk_vector_at(const struct shk_vector *vector, int i)
{
  switch (vector->bits) {
  case 32:
    return (real)((const float *)vector->values)[i];
  case 64:
    return (real)((const double *)vector->values)[i];
#ifdef SHK_QUAD
  case 128:
    return (real)((const quad *)vector->values)[i];
#endif
  default:
    return (real)NAN;
  }
}

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

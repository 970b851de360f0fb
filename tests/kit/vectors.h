/* Vectors of the finest precision from decimals. */
#ifndef TESTS_KIT_VECTORS_H
#define TESTS_KIT_VECTORS_H

#include "engine/engine.h"
#include <stdlib.h>

/* Reads numbers separated by blanks; an empty vector if one is invalid. */
static inline struct shk_vector vector_of(const char *text)
{
  struct shk_vector vector = {0};
  return shk_finest_engine()->read(&vector, text) ? vector : (struct shk_vector){0};
}

/* The same; frees the text. */
static inline struct shk_vector vector_of_owned(char *text)
{
  const struct shk_vector vector = vector_of(text);
  free(text);
  return vector;
}

#endif

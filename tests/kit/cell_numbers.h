/* Numbers of cells that tests make from texts; NaN if there is no text. */
#ifndef TESTS_KIT_CELL_NUMBERS_H
#define TESTS_KIT_CELL_NUMBERS_H

#include "foundation/memory.h"
#include "foundation/specifications/cell.h"
#include <math.h>
#include <stdlib.h>

static inline double number_of_text(const char *text)
{
  return text ? strtod(text, NULL) : NAN;
}

static inline void read_numbers(struct shk_cell *cell)
{
  free(cell->numbers.times);
  cell->numbers = (struct shk_cell_numbers){
      .step = number_of_text(cell->step),
      .tolerance = number_of_text(cell->tolerance),
      .until = number_of_text(cell->until),
      .times = shk_allocate((size_t)cell->time_count, sizeof(double)),
  };
  for (int i = 0; i < cell->time_count; i++)
    cell->numbers.times[i] = number_of_text(cell->times[i]);
}

#endif

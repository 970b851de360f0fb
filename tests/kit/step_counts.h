/* The numbers of steps of cells that tests make from texts. */
#ifndef TESTS_KIT_STEP_COUNTS_H
#define TESTS_KIT_STEP_COUNTS_H

#include "foundation/specifications/cell.h"
#include <math.h>
#include <stdlib.h>

/* Returns the cell with the number of steps to each of its times, stored in `counts`, if it has a
 * step. */
static inline struct shk_cell with_step_counts(long long *counts, struct shk_cell cell)
{
  for (int i = 0; cell.step && i < cell.time_count; i++)
    counts[i] = llround(strtod(cell.times[i], NULL) / strtod(cell.step, NULL));
  cell.step_counts = cell.step ? counts : NULL;
  return cell;
}

#endif

/*
 * Copies, clears and builds cells and outcomes. See cell.h.
 */
#include "foundation/specifications/cell.h"
#include "foundation/memory.h"
#include "foundation/nearest.h"
#include <float.h>
#include <math.h>
#include <shakedown/parts/real.h>
#include <stdlib.h>
#include <string.h>

#ifdef SHK_QUAD
__extension__ typedef SHK_QUAD quad;
#endif

const char *const shk_cell_text_names[SHK_CELL_TEXTS] = {
    "problem", "integrator", "precision", "step", "tolerance", "until", "q", "p", "kick"};

char **shk_cell_text_at(struct shk_cell *cell, int i)
{
  char **const texts[SHK_CELL_TEXTS] = {&cell->problem, &cell->integrator, &cell->precision,
                                        &cell->step,    &cell->tolerance,  &cell->until,
                                        &cell->q,       &cell->p,          &cell->kick};
  return texts[i];
}

double shk_cell_resolution(const struct shk_cell *cell)
{
  return cell->tolerance ? cell->numbers.tolerance : cell->numbers.step;
}

void shk_cell_copy(struct shk_cell *to, const struct shk_cell *from)
{
  const size_t members = (size_t)from->member_count, times = (size_t)from->time_count;
  *to = *from;
  to->kind = shk_copy_text(from->kind);
  for (int i = 0; i < SHK_CELL_TEXTS; i++)
    *shk_cell_text_at(to, i) = shk_copy_text(*shk_cell_text_at(to, i));
  to->members = shk_allocate(members, sizeof *to->members);
  for (size_t i = 0; i < members; i++)
    to->members[i] = shk_copy_text(from->members[i]);
  to->times = shk_allocate(times, sizeof *to->times);
  for (size_t i = 0; i < times; i++)
    to->times[i] = shk_copy_text(from->times[i]);
  if (from->numbers.times) {
    to->numbers.times = shk_allocate(times, sizeof(double));
    memcpy(to->numbers.times, from->numbers.times, times * sizeof(double));
  }
  if (from->step_counts) {
    to->step_counts = shk_allocate(times, sizeof *to->step_counts);
    memcpy(to->step_counts, from->step_counts, times * sizeof *to->step_counts);
  }
}

void shk_cell_clear(struct shk_cell *cell)
{
  free(cell->kind);
  for (int i = 0; i < SHK_CELL_TEXTS; i++)
    free(*shk_cell_text_at(cell, i));
  shk_free_texts(cell->times, cell->time_count);
  free(cell->step_counts);
  free(cell->numbers.times);
  shk_free_texts(cell->members, cell->member_count);
  *cell = (struct shk_cell){0};
}

void shk_outcome_drop_samples(struct shk_outcome *outcome)
{
  for (int i = 0; i < outcome->sample_count; i++) {
    struct shk_sample *sample = &outcome->samples[i];
    for (int j = 0; j < sample->block_count; j++) {
      free(sample->blocks[j].name);
      shk_vector_clear(&sample->blocks[j].vector);
    }
    free(sample->blocks);
    free(sample->time);
  }
  free(outcome->samples);
  outcome->samples = NULL;
  outcome->sample_count = 0;
}

void shk_outcome_drop_series(struct shk_outcome *outcome)
{
  for (int i = 0; i < outcome->series_count; i++) {
    free(outcome->series[i].name);
    free(outcome->series[i].time); /* the other arrays are in the same block of memory */
  }
  free(outcome->series);
  outcome->series = NULL;
  outcome->series_count = 0;
}

void shk_outcome_clear(struct shk_outcome *outcome)
{
  shk_outcome_drop_samples(outcome);
  shk_outcome_drop_series(outcome);
  for (int i = 0; i < outcome->scalar_count; i++)
    free(outcome->scalars[i].name);
  free(outcome->scalars);
  for (int i = 0; i < outcome->member_count; i++)
    shk_outcome_clear(&outcome->members[i]);
  free(outcome->members);
  *outcome = (struct shk_outcome){0};
}

size_t shk_vector_size(int count, int bits)
{
  return (size_t)count * ((size_t)bits / 8);
}

struct shk_vector shk_vector_copy(const void *values, int count, int bits)
{
  const size_t size = shk_vector_size(count, bits);
  struct shk_vector vector = {count, bits, shk_allocate(size + 1, 1)};
  if (size > 0)
    memcpy(vector.values, values, size);
  return vector;
}

void shk_vector_clear(struct shk_vector *vector)
{
  free(vector->values);
  *vector = (struct shk_vector){0};
}

double shk_vector_double(const struct shk_vector *vector, int i)
{
  if (i < 0 || i >= vector->count)
    return NAN;
  switch (vector->bits) {
  case 32:
    return ((const float *)vector->values)[i];
  case 64:
    return ((const double *)vector->values)[i];
#ifdef SHK_QUAD
  case 128:
    return (double)((const quad *)vector->values)[i];
#endif
  default:
    return NAN;
  }
}

/* Returns the index of a name in a list of structs whose first member is a name, or -1 if the name
 * is not found. */
#define FIND(name, list, count) shk_name_index(name, list, sizeof *(list), count)

const struct shk_vector *shk_sample_block(const struct shk_sample *sample, const char *name)
{
  const int i = FIND(name, sample->blocks, sample->block_count);
  return i < 0 ? NULL : &sample->blocks[i].vector;
}

double shk_outcome_scalar(const struct shk_outcome *outcome, const char *name)
{
  const int i = FIND(name, outcome->scalars, outcome->scalar_count);
  return i < 0 ? NAN : outcome->scalars[i].value;
}

const struct shk_series *shk_outcome_series(const struct shk_outcome *outcome, const char *name)
{
  const int i = FIND(name, outcome->series, outcome->series_count);
  return i < 0 ? NULL : &outcome->series[i];
}

const struct shk_sample *shk_outcome_sample(const struct shk_outcome *outcome, const char *time)
{
  const int i = FIND(time, outcome->samples, outcome->sample_count);
  return i < 0 ? NULL : &outcome->samples[i];
}

struct shk_sample *shk_outcome_add_sample(struct shk_outcome *outcome, const char *time, double t)
{
  struct shk_sample *const sample = SHK_APPEND(outcome->samples, outcome->sample_count);
  *sample = (struct shk_sample){.time = shk_copy_text(time), .t = t};
  return sample;
}

void shk_sample_add_block(struct shk_sample *sample, const char *name, struct shk_vector owned)
{
  *SHK_APPEND(sample->blocks, sample->block_count) =
      (struct shk_block){.name = shk_copy_text(name), .vector = owned};
}

void shk_outcome_add_scalar(struct shk_outcome *outcome, const char *name, double value)
{
  *SHK_APPEND(outcome->scalars, outcome->scalar_count) =
      (struct shk_scalar){.name = shk_copy_text(name), .value = value};
}

void shk_outcome_add_count(struct shk_outcome *outcome, const char *name, long count)
{
  shk_outcome_add_scalar(outcome, name, (double)count);
  outcome->scalars[outcome->scalar_count - 1].averaged = true;
}

struct shk_series *shk_outcome_add_series(struct shk_outcome *outcome, const char *name, int count)
{
  struct shk_series *const series = SHK_APPEND(outcome->series, outcome->series_count);
  const size_t length = (size_t)(count > 0 ? count : 0);
  double *values = shk_allocate(4 * length, sizeof *values);
  *series = (struct shk_series){
      .name = shk_copy_text(name),
      .count = (int)length,
      .time = values,
      .minimum = values + length,
      .mean = values + 2 * length,
      .maximum = values + 3 * length,
  };
  return series;
}

/* Rounding is monotonic, so minimum <= mean <= maximum still holds afterwards. */
void shk_series_to_single(struct shk_series *series)
{
  double *const rows[] = {series->minimum, series->mean, series->maximum};
  for (int row = 0; row < 3; row++)
    for (int i = 0; i < series->count; i++) {
      const double size = fabs(rows[row][i]);
      if (size >= FLT_MIN && size <= FLT_MAX)
        rows[row][i] = (double)(float)rows[row][i];
    }
}

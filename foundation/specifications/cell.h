/*
 * Defines a cell, which is the unit of work, and its outcome. Neither depends on the precision:
 * options, steps and times remain decimal strings until the engine for the cell's precision
 * converts them, which happens only once.
 */
#ifndef FOUNDATION_SPECIFICATIONS_CELL_H
#define FOUNDATION_SPECIFICATIONS_CELL_H

#include "foundation/message.h"

#include <shakedown/parts/status.h>
#include <stdbool.h>
#include <stddef.h>

/* The maximum number of members of a cell. */
enum { SHK_MOST_MEMBERS = 10000 };

/* The numeric values of a cell's strings, used for sorting, estimates and figures. A value is NaN
 * if the cell does not contain the corresponding string. The worker parses the strings itself and
 * leaves these values at zero. */
struct shk_cell_numbers {
  double step, tolerance, until;
  double *times; /* NULL if there are none */
};

struct shk_cell {
  char *kind;       /* "run", or a name in measures/structure.def */
  char *problem;    /* canonical specification */
  char *integrator; /* canonical specification; "exact" selects the exact solution */
  char *precision;  /* one of the names in precision.h */
  char *step;       /* step size as a decimal string; NULL for adaptive integrators */
  char *tolerance;  /* tolerance as a decimal string; NULL for fixed steps */
  char *until;      /* duration as a decimal string; t runs from t0 to t0 + until */
  /* number of sample times, which are relative to t0 and ascending; the last one is `until` */
  int time_count;
  char **times;
  /* number of steps up to each sample time; NULL unless the cell is a run with fixed steps */
  long long *step_counts;
  struct shk_cell_numbers numbers;
  /* explicit start, as numbers separated by commas; NULL selects the problem's own start */
  char *q, *p;
  /* seed for the random velocities that are added to the start; NULL if no velocities are added */
  char *kick;
  /* whether an inconsistent explicit start is made consistent instead of being refused */
  bool project;
  /* The members of an ensemble: canonical problem specifications, each of which is run as a
   * separate cell. If there are none, the cell itself is run. */
  int member_count;
  char **members;
};

/* Names and addresses of a cell's strings in the order of shk_cell_text. The settings come first,
 * followed by the start. */
enum { SHK_CELL_SETTINGS = 6, SHK_CELL_TEXTS = 9 };
extern const char *const shk_cell_text_names[SHK_CELL_TEXTS];
char **shk_cell_text_at(struct shk_cell *cell, int i);
/* Returns true if the cell uses the start of its problem, that is, if there is neither an explicit
 * start nor a kick. */
static inline bool shk_has_own_start(const struct shk_cell *cell)
{
  return !cell->q && !cell->p && !cell->kick;
}

/* Returns the tolerance if there is one, and the step size otherwise. */
double shk_cell_resolution(const struct shk_cell *cell);

/* Numbers stored as bytes, each in its original precision. */
struct shk_vector {
  int count, bits; /* number of bits per number: 32, 64 or 128 (IEEE 754) */
  void *values;
};

/* A named vector at a sample time, in the cell's precision. The names are q, p; lambda, mu,
 * lambda-mean, lambda-sum (claims.def; not at the start); lambda-state (exact formula at (q,p));
 * wrench, wrench-mean, wrench-state (measures/wrench.c: NaN where indeterminate). For n > 1000 no
 * vectors are recorded. */
struct shk_block {
  char *name;
  struct shk_vector vector;
};

struct shk_sample {
  char *time; /* sample time as a string, as in the cell */
  double t;   /* numeric value */
  int block_count;
  struct shk_block *blocks;
};

/* A number with a name, such as "energy-error-max", "constraint-max", "work-gradient" or
 * "cpu-seconds". */
struct shk_scalar {
  char *name;
  double value;
  /* whether an ensemble stores the mean over its members; otherwise it stores the largest value */
  bool averaged;
};

/* A quantity along the run, reduced to at most 1,000 intervals. All intervals contain the same
 * number of steps, except that the last one may contain fewer. Interval i begins at the end of
 * interval i - 1 and ends at time[i] (relative to t0). */
struct shk_series {
  char *name; /* for example "energy-error", "constraint", "hidden" or "invariant-NAME" */
  int count;
  double *time, *minimum, *mean, *maximum;
  bool of_members; /* whether an ensemble stores this series for each member */
};

/* The types used in outcome.def. */
#define SHK_OUTCOME_REAL double
#define SHK_OUTCOME_COUNT int

struct shk_outcome {
  enum shk_code code;
  char reason[SHK_MESSAGE_SIZE]; /* empty if ok */
#define OUTCOME_FIELD(type, name, ...) SHK_OUTCOME_##type name;
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
  int history_count; /* number of residuals of the failed solve, or 0 if no solve failed */
  double history[64];
  int sample_count, scalar_count, series_count;
  struct shk_sample *samples; /* vectors at those sample times that were reached */
  struct shk_scalar *scalars;
  struct shk_series *series;
  /* Outcomes of the members, in order. The only series that they contain are those with
   * `of_members`, in at most 64 intervals. The outcome itself then summarizes those of the members
   * (engine/cells/cells.h). */
  int member_count;
  struct shk_outcome *members;
};

void shk_cell_copy(struct shk_cell *to, const struct shk_cell *from);
void shk_cell_clear(struct shk_cell *cell);
void shk_outcome_clear(struct shk_outcome *outcome);
/* These functions free a part of an outcome and leave it empty. */
void shk_outcome_drop_samples(struct shk_outcome *outcome);
void shk_outcome_drop_series(struct shk_outcome *outcome);

/* Copies numbers to a vector, which the caller must clear. */
struct shk_vector shk_vector_copy(const void *values, int count, int bits);
void shk_vector_clear(struct shk_vector *vector);
/* Returns the size in bytes of `count` numbers of `bits` bits each. */
size_t shk_vector_size(int count, int bits);
/* Returns the number at index i, rounded to double. Returns NaN if there is none or if the compiler
 * does not support its precision. */
double shk_vector_double(const struct shk_vector *vector, int i);

/* These functions return NULL or NaN if there is no item with this name. */
const struct shk_vector *shk_sample_block(const struct shk_sample *sample, const char *name);
double shk_outcome_scalar(const struct shk_outcome *outcome, const char *name);
const struct shk_series *shk_outcome_series(const struct shk_outcome *outcome, const char *name);
/* Returns the sample at a time that is given as a string. */
const struct shk_sample *shk_outcome_sample(const struct shk_outcome *outcome, const char *time);

/* These functions build an outcome. Strings are copied. */
struct shk_sample *shk_outcome_add_sample(struct shk_outcome *outcome, const char *time, double t);
void shk_sample_add_block(struct shk_sample *sample, const char *name, struct shk_vector owned);
void shk_outcome_add_scalar(struct shk_outcome *outcome, const char *name, double value);
void shk_outcome_add_count(struct shk_outcome *outcome, const char *name,
                           long count); /* adds a scalar that is averaged over ensembles */
/* Returns a series with arrays for `count` intervals, which the caller must fill. */
struct shk_series *shk_outcome_add_series(struct shk_outcome *outcome, const char *name, int count);
/* Rounds the values of a series to single precision unless they are outside its range. This is done
 * for series that are drawn but not analysed, because a record then needs only half the space to
 * store them (record_bytes.h). */
void shk_series_to_single(struct shk_series *series);

#endif

/*
 * The unit of work and what it produces. Neither depends on the precision: options, steps and times
 * stay decimal text until the engine of the cell's precision reads them once.
 */
#ifndef FOUNDATION_SPECIFICATIONS_CELL_H
#define FOUNDATION_SPECIFICATIONS_CELL_H

#include <shakedown/status.h>
#include <stdbool.h>
#include <stddef.h>

/* The most that a cell may have. */
enum { SHK_MOST_MEMBERS = 10000 };

/* One start among several that a cell runs with everything else the same. */
struct shk_member {
  char *problem; /* canonical specification */
  char *q, *p;   /* as in the cell */
};

/* A cell's texts as numbers, to order, estimate and draw cells; the cell server, which reads the
 * texts itself, leaves them at zero. NaN where the cell has no such text. */
struct shk_cell_numbers {
  double step, tolerance, until;
  double *times; /* NULL: none */
};

struct shk_cell {
  char *kind;       /* "run", or what engine/cells/cells.h measures */
  char *problem;    /* canonical specification */
  char *integrator; /* canonical specification; "exact" gives the exact solution */
  char *precision;  /* precision.h */
  char *step;       /* decimal; NULL for adaptive integrators */
  char *tolerance;  /* decimal; NULL for fixed steps */
  char *until;      /* decimal: how long, so that t runs from t0 to t0 + until */
  int time_count;   /* sample times, as time since t0, ascending; the last is `until` */
  char **times;
  struct shk_cell_numbers numbers; /* the same as numbers */
  char *q, *p;  /* an explicit start, numbers separated by commas; NULL: the problem's own */
  bool project; /* make an explicit start consistent rather than refuse it */
  /* An ensemble (members in study files, stores and on the wire): each member is run as a cell of
   * its own would be, with its problem and start in place of the cell's; 0: the cell itself is what
   * is run. */
  int member_count;
  struct shk_member *members;
};

/* The texts that a cell has under names, in the order of its text: its settings, and its start. */
enum { SHK_CELL_SETTINGS = 6, SHK_CELL_TEXTS = 8 };
extern const char *const shk_cell_text_names[SHK_CELL_TEXTS];
char **shk_cell_text_at(struct shk_cell *cell, int i);

/* The tolerance, or else the step. */
double shk_cell_resolution(const struct shk_cell *cell);

/* Numbers as the bytes of their precision. */
struct shk_vector {
  int count, bits; /* bits of each: 32, 64 or 128, of IEEE 754 */
  void *values;
};

/* A named vector at a sample time, in the cell's precision. Names: q, p; lambda, mu, lambda-mean,
 * lambda-sum (descriptor.h; not at the start); lambda-state (the exact formula at (q,p)). Where
 * n > 1000 the vectors are left out. */
struct shk_block {
  char *name;
  struct shk_vector vector;
};

struct shk_sample {
  char *time; /* as in the cell */
  double t;   /* the same as a number */
  int block_count;
  struct shk_block *blocks;
};

/* A measured number: "energy-error-max", "constraint-max", "work-gradient", "cpu-seconds", … */
struct shk_scalar {
  char *name;
  double value;
  bool averaged; /* an ensemble has the mean of its members', rather than the largest */
};

/* A quantity along the run, reduced to at most 2,000 intervals of equally many steps. Interval i
 * ends at time[i] (since t0) and begins where the one before ended. */
struct shk_series {
  char *name; /* "energy-error", "constraint", "hidden", "invariant-NAME" */
  int count;
  double *time, *minimum, *mean, *maximum;
  bool of_members; /* an ensemble keeps that of each member */
};

/* The types of outcome.def. */
#define SHK_OUTCOME_REAL double
#define SHK_OUTCOME_COUNT int

struct shk_outcome {
  enum shk_code code;
  char reason[256]; /* empty when ok */
#define OUTCOME_FIELD(type, name, ...) SHK_OUTCOME_##type name;
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
  int history_count; /* residuals of the solve that failed, if one did */
  double history[64];
  int sample_count, scalar_count, series_count;
  struct shk_sample *samples; /* those reached */
  struct shk_scalar *scalars;
  struct shk_series *series;
  /* Of each member, in their order: all but the series, of which only those of members are kept, in
   * at most 64 intervals. The outcome itself is then their summary (engine/cells/cells.h). */
  int member_count;
  struct shk_outcome *members;
};

void shk_cell_copy(struct shk_cell *to, const struct shk_cell *from);
void shk_cell_clear(struct shk_cell *cell);
void shk_member_clear(struct shk_member *member);
void shk_outcome_clear(struct shk_outcome *outcome);
/* Free a part of it and leave that empty. */
void shk_outcome_drop_samples(struct shk_outcome *outcome);
void shk_outcome_drop_series(struct shk_outcome *outcome);

/* Copies numbers; the caller clears them. */
struct shk_vector shk_vector_copy(const void *values, int count, int bits);
void shk_vector_clear(struct shk_vector *vector);
/* The bytes that `count` numbers of so many bits take. */
size_t shk_vector_size(int count, int bits);
/* The i-th number rounded to double; NaN if there is none, or none that this compiler can read. */
double shk_vector_double(const struct shk_vector *vector, int i);

/* Look-ups; NULL or NaN if absent. */
const struct shk_vector *shk_sample_block(const struct shk_sample *sample, const char *name);
double shk_outcome_scalar(const struct shk_outcome *outcome, const char *name);
const struct shk_series *shk_outcome_series(const struct shk_outcome *outcome, const char *name);
/* At a time given as text. */
const struct shk_sample *shk_outcome_sample(const struct shk_outcome *outcome, const char *time);

/* Building an outcome; texts are copied. */
struct shk_sample *shk_outcome_add_sample(struct shk_outcome *outcome, const char *time, double t);
void shk_sample_add_block(struct shk_sample *sample, const char *name, struct shk_vector owned);
void shk_outcome_add_scalar(struct shk_outcome *outcome, const char *name, double value);
void shk_outcome_add_count(struct shk_outcome *outcome, const char *name,
                           long count); /* averaged */
/* Returns a series with arrays for `count` intervals, to be filled. */
struct shk_series *shk_outcome_add_series(struct shk_outcome *outcome, const char *name, int count);

#endif

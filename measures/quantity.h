/*
 * Interprets numbers using the table in quantities.def and the only parser for quantity names. The
 * parser is compiled only once rather than once per precision, because numeric code stores numbers
 * by name without interpreting them.
 */
#ifndef MEASURES_QUANTITY_H
#define MEASURES_QUANTITY_H

#include "foundation/specifications/cell.h"
#include <shakedown/parts/descriptor.h>

#include <stdbool.h>
#include <stddef.h>

/* ---- measures of a study ---- */

enum shk_measured_in {
  SHK_IN_RUNS,
  SHK_IN_STEPS,    /* one-step cells, whose type is named after the measure */
  SHK_IN_PATHS,    /* cells of type "regularity" */
  SHK_IN_CONTRACT, /* cells without a step size, whose type is named after the measure */
  SHK_IN_TIMES     /* cells of type "time", at the smallest step size */
};

enum shk_measure_id {
#define MEASURE(id, ...) SHK_MEASURE_##id,
#include "measures/quantities.def"
#undef MEASURE
  SHK_MEASURES
};

struct shk_measure_entry {
  const char *name;
  enum shk_measured_in in;
  const char *summary;
};

extern const struct shk_measure_entry shk_measures[SHK_MEASURES];
extern const char *const shk_measure_names[]; /* the names of the measures, followed by NULL */

/* Returns the measure with this name, or SHK_MEASURES if there is none. */
enum shk_measure_id shk_measure_named(const char *name);
/* Returns the name of the measure that yields a quantity with this name or whose own name begins
 * with these words. Returns NULL if there is none. */
const char *shk_measure_of(const char *name);
/* Returns true if cells of this type measure the one-step map. */
bool shk_is_structure(const char *kind);

/* ---- blocks: vectors with errors and orders ---- */

enum shk_block_id {
#define BLOCK(id, ...) SHK_BLOCK_##id,
#include "measures/quantities.def"
#undef BLOCK
  SHK_BLOCKS
};

struct shk_block_entry {
  const char *name;
  enum shk_claim decides, local; /* claims that are decided by the block's order and local order */
  const char *text, *figure, *latex;
};

extern const struct shk_block_entry shk_blocks[SHK_BLOCKS];

/* Returns the block with this name, or SHK_BLOCKS if there is none. */
enum shk_block_id shk_block_named(const char *name);

/* ---- series of a record along a run ---- */

enum shk_series_id {
#define SERIES(id, ...) SHK_SERIES_##id,
#include "measures/quantities.def"
#undef SERIES
  SHK_NO_SERIES
};

struct shk_series_entry {
  const char *name;
  enum shk_measured_in in;
  const char *meaning;
};

extern const struct shk_series_entry shk_series_entries[SHK_NO_SERIES];

/* Returns a series from a record, or NULL if there is none. For INVARIANT, returns the series for
 * the first invariant. */
const struct shk_series *shk_recorded_series(const struct shk_outcome *outcome,
                                             enum shk_series_id id);

/* ---- quantities ---- */

enum shk_quantity_parameter {
  SHK_BY_NOTHING,
  SHK_BY_BLOCK,
  SHK_BY_STEPS,    /* a measure that uses one-step cells */
  SHK_BY_MOMENTUM, /* an invariant whose name contains "momentum" */
  SHK_BY_NAME
};

/* quantities.def explains the kinds, the directions (better) and the sources of floors. */
enum shk_quantity_kind {
  SHK_KIND_NUMBER,
  SHK_KIND_ORDER,
  SHK_KIND_GROWTH,
  SHK_KIND_ERROR,
  SHK_KIND_VANISHING,
  SHK_KIND_SECULAR,
  SHK_KIND_CLASS,
  SHK_KIND_STATUS,
  SHK_KIND_COUNT,
  SHK_KIND_CLOCK,
  SHK_KIND_PACE,
  SHK_KIND_FLOOR,
  SHK_KIND_REPEATED
};

enum shk_better { SHK_BETTER_LESS, SHK_BETTER_MORE, SHK_BETTER_RANKED, SHK_BETTER_NEITHER };

enum shk_floor_source { SHK_FLOOR_NONE, SHK_FLOOR_REFERENCE, SHK_FLOOR_ROUNDING, SHK_FLOOR_CELL };

enum shk_quantity_id {
#define QUANTITY(id, ...) SHK_QUANTITY_##id,
#include "measures/quantities.def"
#undef QUANTITY
  SHK_QUANTITIES
};

/* An entry in quantities.def. */
struct shk_quantity {
  const char *finding, *scalar;
  enum shk_quantity_parameter parameter;
  enum shk_measure_id measure; /* SHK_MEASURES: any */
  enum shk_quantity_kind kind;
  const char *unit; /* NULL: none */
  enum shk_better better;
  enum shk_claim decides;
  enum shk_floor_source floor;
  const char *text, *figure, *latex, *meaning;
};

/* The table of quantities. Its last entry, at index SHK_QUANTITIES, is used for unknown names and
 * describes a number for which less is better. */
extern const struct shk_quantity shk_quantities[SHK_QUANTITIES + 1];

/* Statistics over the members of an ensemble. */
enum shk_statistic {
  SHK_STATISTIC_NONE, /* the quantity itself */
#define STATISTIC(id, ...) SHK_STATISTIC_##id,
#include "measures/quantities.def"
#undef STATISTIC
  SHK_STATISTICS
};

/* ---- names ---- */

/* Parts of a name, such as "invariant spin-x max, mean of members (until 10)". */
struct shk_named_quantity {
  enum shk_quantity_id id; /* SHK_QUANTITIES if unknown */
  const struct shk_quantity *entry;
  /* a pointer into the name, for example to "spin-x"; NULL if there is no parameter */
  const char *parameter;
  int length; /* length of the parameter */
  /* the block that the parameter names, or SHK_BLOCKS if it does not name one */
  enum shk_block_id block;
  enum shk_statistic statistic;
  /* a string that distinguishes groups of cells, for example "(until 10)", or "" if there is
   * none */
  const char *detail;
};

/* Parses the name of a finding. The result contains pointers into the caller's string. */
struct shk_named_quantity shk_named_finding(const char *name);
/* Parses the name of a number in a record. */
struct shk_named_quantity shk_named_scalar(const char *name);

/* Returns the claim that the finding decides, or SHK_NO_CLAIM if it is a statistic over members. */
enum shk_claim shk_decided_by(const struct shk_named_quantity *named);

/* Returns the quantity for the largest change in this invariant: MOMENTUM_MAX or INVARIANT_MAX. */
enum shk_quantity_id shk_invariant_quantity(const char *invariant);

/* Returns the finding with the same name as the measure, or SHK_QUANTITIES if there is none.
 * Contract checks and measures that use one-step cells have such a finding. */
enum shk_quantity_id shk_measure_finds(enum shk_measure_id measure);
/* Returns the measure that yields the first quantity that decides the claim, or SHK_MEASURES if
 * there is none. */
enum shk_measure_id shk_measure_deciding(enum shk_claim claim);

/* Returns a finding's full name, which the caller must free. Stores the parts of the name in
 * *named, which contains pointers into the name. `parameter` can be NULL; `detail` is "" or, for
 * example, " (until 10)". */
char *shk_finding_name(struct shk_named_quantity *named, enum shk_quantity_id id,
                       const char *parameter, enum shk_statistic statistic, const char *detail);
/* Copies a string from the table, replacing % with the parameter (which can be NULL). Returns the
 * buffer. */
char *shk_quantity_words(char *buffer, size_t size, const char *text, const char *parameter);
/* Writes a scalar's name and returns the buffer. If a name does not fit, it is truncated in the
 * same way as in the measures. */
enum { SHK_SCALAR_NAME = 96 };
char *shk_scalar_name(char *buffer, size_t size, enum shk_quantity_id id, const char *parameter);

/* Returns a quantity's value in a record, or NaN if the record does not contain it. `parameter` can
 * be NULL. */
double shk_recorded(const struct shk_outcome *outcome, enum shk_quantity_id id,
                    const char *parameter);

#endif

/*
 * A record contains a cell, its outcome, how its process ended, its output, its limits and its
 * provenance.
 */
#ifndef RESULTS_RECORD_RECORD_H
#define RESULTS_RECORD_RECORD_H

#include "foundation/hash.h"
#include "foundation/specifications/cell.h"

/* How the process that ran the cell ended. The status of the integrator is part of the outcome. */
enum shk_end {
#define END(id, name) SHK_END_##id,
#include "results/record/statuses.def"
#undef END
};
enum {
#define END(id, name) +1
  SHK_ENDS = 0
#include "results/record/statuses.def"
#undef END
};
/* The names "finished", "crashed", and so on. */
extern const char *const shk_end_names[SHK_ENDS];

/* Values of `end_detail` for a timed-out cell. They mean, respectively, that a signal or a debugger
 * had stopped the process, that the method did not complete its first steps (foundation/probe.h),
 * and that the time limit was predicted from the first steps. */
enum { SHK_WAS_STOPPED = 2, SHK_IN_PROBE = 3, SHK_BY_PROBE = 4 };
/* The value of `end_detail` for a crash in which the cell had more than SHK_MOST_PROCESSES
 * processes at the same time, all of which were killed together with it. */
enum { SHK_CROWDED = 1000, SHK_MOST_PROCESSES = 64 };

/* Limit on the stored output of a cell, in bytes and in characters; an invalid byte is stored as
 * four characters. */
enum { SHK_OUTPUT_LIMIT = 64 * 1024, SHK_OUTPUT_TEXT_LIMIT = 4 * SHK_OUTPUT_LIMIT };

/* A record. Unless `end` is SHK_END_FINISHED, the outcome contains the code SHK_STOPPED, the reason
 * as a sentence, reached = NaN, and no other values. */
struct shk_record {
  char key[SHK_HASH_SIZE];
  struct shk_cell cell;
  struct shk_outcome outcome;
  enum shk_end end;
  int end_detail;      /* the meaning depends on `end` (see statuses.def) */
  char *output;        /* the output of the process, at most 64 KiB; NULL if there is none */
  long output_dropped; /* number of bytes of output beyond the limit */
  double seconds;      /* wall-clock time of the cell, in s */
  /* Limits under which the cell ran. A time limit of 0 means that it was determined from the first
   * steps. The record of a timed-out cell always contains the limit that was reached. */
  double limit_seconds, limit_megabytes;
  long provenance; /* row number in the store's provenance table */
};

void shk_record_clear(struct shk_record *record);
/* Clears and frees a record, which can be NULL. */
void shk_record_free(struct shk_record *record);

/* Returns true if the cell ran to completion with status ok. Returns false for NULL. */
bool shk_record_finished(const struct shk_record *record);

/* The parts that a record in memory may lack are the states at the sample times and the series.
 * These parts account for most of a record's size. */
enum { SHK_PART_STATES = 1, SHK_PART_SERIES = 2, SHK_PART_ALL = 3 };

/* The records of a plan, in memory or in a store. The caller acquires a record with `take` and
 * releases it with `put_back`. */
struct shk_records {
  /* Acquires the record of a cell, given by its index in the plan, with at least the given parts.
   * Returns NULL if there is none. A record can be acquired again with other parts. Every `take`
   * must be matched by one `put_back`. */
  const struct shk_record *(*take)(struct shk_records *records, int cell, unsigned parts);
  void (*put_back)(struct shk_records *records, int cell);
  /* true if a record, except for its parts, can still be read after it has been released */
  bool stay;
};

/* Returns the status as a word for tables: "ok", the name of another outcome code, "crashed",
 * "timed-out", …, or "not-run" if the record is NULL. */
const char *shk_record_status(const struct shk_record *record);
/* In the reason of a cell that crashed or exited, this string precedes the last line that the
 * process printed. */
#define SHK_LAST_WORDS ", after it printed: "
/* Writes the reason for a failure as a sentence, or "" if there is none. */
void shk_record_reason(char *buffer, unsigned long size, const struct shk_record *record);

#endif

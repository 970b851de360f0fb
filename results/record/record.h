/*
 * A record: a cell, its outcome, how its process ended, its output, limits and provenance.
 */
#ifndef RESULTS_RECORD_RECORD_H
#define RESULTS_RECORD_RECORD_H

#include "foundation/hash.h"
#include "foundation/specifications/cell.h"

/* The way in which the process that ran the cell ended. The status of the integrator is in the
 * outcome. */
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
/* "finished", "crashed", and so on. */
extern const char *const shk_end_names[SHK_ENDS];

/* Values of `end_detail` for a timed-out cell. In this order, they mean that a signal or a debugger
 * had stopped its process, that its method did not complete its first steps (foundation/probe.h),
 * and that the limit it reached was predicted from the first steps. */
enum { SHK_WAS_STOPPED = 2, SHK_IN_PROBE = 3, SHK_BY_PROBE = 4 };
/* The `end_detail` of a crash in which the cell had more than SHK_MOST_PROCESSES processes at the
 * same time and was killed together with all of them. */
enum { SHK_CROWDED = 1000, SHK_MOST_PROCESSES = 64 };

/* Limit on the stored output of a cell, in bytes, and in characters of text, where an invalid byte
 * takes four. */
enum { SHK_OUTPUT_LIMIT = 64 * 1024, SHK_OUTPUT_TEXT_LIMIT = 4 * SHK_OUTPUT_LIMIT };

/* A record. Unless `end` is SHK_END_FINISHED, the outcome has code SHK_STOPPED, the reason as a
 * sentence, reached = NaN, and no other values. */
struct shk_record {
  char key[SHK_HASH_SIZE];
  struct shk_cell cell;
  struct shk_outcome outcome;
  enum shk_end end;
  int end_detail;      /* depends on `end` (see statuses.def) */
  char *output;        /* at most 64 KiB; NULL if there is none */
  long output_dropped; /* number of bytes of output beyond the limit */
  double seconds;      /* wall time of the cell */
  /* Limits under which the cell ran. If `seconds` is 0, the limit was determined from the first
   * steps. A timed-out cell always contains the limit that it reached. */
  double limit_seconds, limit_megabytes;
  long provenance; /* row in the provenance table of the store */
};

void shk_record_clear(struct shk_record *record);
/* Clears and frees a record, which can be NULL. */
void shk_record_free(struct shk_record *record);

/* Returns true if the cell ran to completion and its status is ok. Returns false for NULL. */
bool shk_record_finished(const struct shk_record *record);

/* Parts that may be absent from a record in memory: the states at the sample times, and the series.
 * They account for most of its size. */
enum { SHK_PART_STATES = 1, SHK_PART_SERIES = 2, SHK_PART_ALL = 3 };

/* The records of a plan, in memory or in a store. The caller takes a record and puts it back. */
struct shk_records {
  /* Takes the record of a cell (its index in the plan) with at least these parts, or returns NULL
   * if there is none. A record can be taken again with other parts. Each take needs one put. */
  const struct shk_record *(*take)(struct shk_records *records, int cell, unsigned parts);
  void (*put_back)(struct shk_records *records, int cell);
  bool stay; /* true if a record stays readable, without its parts, after it is put back */
};

/* Returns the status as a word for tables: "ok", the name of an outcome's code, "crashed",
 * "timed-out", …, or "not-run" for NULL. */
const char *shk_record_status(const struct shk_record *record);
/* The text before the last line that a process printed, in the reason of a cell that crashed or
 * exited. */
#define SHK_LAST_WORDS ", after it printed: "
/* Writes the reason for a failure as a sentence, or "" if there is none. */
void shk_record_reason(char *buffer, unsigned long size, const struct shk_record *record);

#endif

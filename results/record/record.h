/*
 * A record: a cell, its outcome, and where and when it was run.
 */
#ifndef RESULTS_RECORD_RECORD_H
#define RESULTS_RECORD_RECORD_H

#include "foundation/hash.h"
#include "foundation/specifications/cell.h"

/* How the process that ran the cell ended, beyond the integrator's own status. */
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
/* "finished", "crashed", … */
extern const char *const shk_end_names[SHK_ENDS];

/* The detail of a timed-out cell whose server did not answer either; 0: it did. */
enum { SHK_SILENT = 1, SHK_SILENT_STOPPED = 2 };

/* How much of what a cell printed is kept, in bytes, and how long that is at most as text, in which
 * one that is no character takes four. */
enum { SHK_OUTPUT_LIMIT = 64 * 1024, SHK_OUTPUT_TEXT_LIMIT = 4 * SHK_OUTPUT_LIMIT };

/* Unless the end is SHK_END_FINISHED the outcome has code SHK_STOPPED, the reason as a sentence,
 * reached NaN, and nothing else. */
struct shk_record {
  char key[SHK_HASH_SIZE];
  struct shk_cell cell;
  struct shk_outcome outcome;
  enum shk_end end;
  int end_detail;
  char *output;        /* what the cell printed, at most 64 KiB; NULL if nothing */
  long output_dropped; /* bytes that it printed beyond */
  double seconds;      /* wall time of the cell */
  double limit_seconds, limit_megabytes; /* under which it ran */
  char *date;                            /* when it was stored, UTC; NULL: it is not yet */
  long provenance;                       /* row of the store's provenance table */
};

void shk_record_clear(struct shk_record *record);

/* Whether the cell ran to its end. False for NULL. */
bool shk_record_finished(const struct shk_record *record);

/* Parts that a record may be held without: the states at the sample times, and the series. They are
 * most of its size. */
enum { SHK_PART_STATES = 1, SHK_PART_SERIES = 2, SHK_PART_ALL = 3 };

/* The records of a plan, wherever they are kept: who needs one takes it and puts it back. */
struct shk_records {
  /* The record of a cell (its place in the plan) with at least these parts; NULL where there is
   * none. It may be taken again, with other parts, before it is put back as often. */
  const struct shk_record *(*take)(struct shk_records *records, int cell, unsigned parts);
  void (*put_back)(struct shk_records *records, int cell);
  bool stay; /* what was put back can still be read, without its parts */
};

/* A word for tables: "ok", an outcome's code name, "crashed", "timed-out", …; "not-run" of NULL. */
const char *shk_record_status(const struct shk_record *record);
/* A sentence: why it did not end well. */
void shk_record_reason(char *buffer, unsigned long size, const struct shk_record *record);

#endif

/*
 * Changes between two sets of analysed values: each newer value is compared with the band of the
 * older one, in both directions.
 */
#ifndef HARNESS_CHECK_COMPARE_H
#define HARNESS_CHECK_COMPARE_H

#include "harness/check/baseline.h"

enum shk_change {
#define CHANGE(id, ...) SHK_CHANGE_##id,
#include "harness/check/changes.def"
#undef CHANGE
  SHK_CHANGES
};

struct shk_compared {
  const struct shk_baseline_value *was, *is; /* NULL if missing; owned by the sets */
  const struct shk_baseline_value *of;       /* `was`, or `is` if there is no older value */
  enum shk_change change;
  bool fell;         /* true if falsified now but not before */
  bool cells_failed; /* true if cells of the newer value failed or have not been run */
  bool incomplete;   /* true if the row fails only because of these cells */
  /* true if it fails because of the cells whose status is another failing row */
  bool follows;
  int followers;      /* for a status: the number of rows that follow from it */
  char *before, *now; /* the values as short texts, such as "2.00" and "1.51"; NULL if missing */
  char *moved;        /* the change, such as "2.00 → 1.51" */
  /* the change as a sentence, such as "rattle on chain(links=20) in quad: order of q 2.00 → 1.51,
   * regressed" */
  char *sentence;
  const char *saying; /* the part of `sentence` that begins with the quantity */
  char *cause;        /* reason of the change; NULL if nothing changed */
  /* In the first of several rows with the same change, the precisions of these rows, such as
   * "double and quad"; else NULL. */
  char *precisions;
  /* since when the value had been the older one, such as "since 3f2a1b0 of 2026-10-01"; NULL unless
   * a command found it */
  char *since;
};

/* The likely cause of a method's falsified claims, if a command found it. */
struct shk_likely_cause {
  const char *integrator;
  char *words;
};

struct shk_comparison {
  const char *study; /* name of the study of the older set */
  int count;
  struct shk_compared *rows; /* sorted by name, as the sets are */
  int counts[SHK_CHANGES], fell, failing;
  /* 1 if anything fails for a reason other than failed cells, else 3 if anything fails, else 0 */
  int exit_code;
  int cause_count;
  struct shk_likely_cause *causes; /* empty until a command adds some */
};

/* Compares the sets using the bands of `was`. Both sets must outlive the comparison. If a claim of
 * a method has become false, its improved values are reported as changed. */
void shk_compare(struct shk_comparison *comparison, const struct shk_baseline *was,
                 const struct shk_baseline *is);
void shk_comparison_clear(struct shk_comparison *comparison);
/* Returns the end of the rows of a method. The rows are adjacent and begin at `first`. */
int shk_comparison_end(const struct shk_comparison *comparison, int first);

extern const struct shk_change_entry {
  const char *word;
  bool fails;         /* true if the newer set fails */
  const char *ending; /* the end of the sentence about the value */
} shk_changes[SHK_CHANGES];

/* Writes the band around a value as a range, such as "1.9 … 2.1 (0.1 + half-widths)", to a buffer
 * of at least 192 bytes, and returns the buffer. `is` is the newer value, whose half-width is
 * included, or NULL. */
char *shk_compared_band(char *buffer, unsigned long size, const struct shk_baseline_value *was,
                        const struct shk_baseline_value *is);

#endif

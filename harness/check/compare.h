/*
 * Finds the changes between two sets of analysed values. Each newer value is compared with the band
 * of the older one, and changes in either direction are reported.
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
  /* the older and the newer value, owned by their sets; NULL if missing */
  const struct shk_baseline_value *was, *is;
  const struct shk_baseline_value *of; /* `was`, or `is` if there is no older value */
  enum shk_change change;
  bool fell;         /* true if the newer value is falsified but the older one was not */
  bool cells_failed; /* true if cells of the newer value failed or were not run */
  bool incomplete;   /* true if the row fails only because of those cells */
  /* true if the row fails because of cells whose status is another failing row */
  bool follows;
  int followers;      /* if the row is a status, the number of rows that fail because of it */
  char *before, *now; /* the values as short strings, such as "2.00" and "1.51"; NULL if missing */
  char *moved;        /* the change formatted as a string, such as "2.00 → 1.51" */
  /* the change as a sentence, such as "rattle on chain(links=20) in quad: order of q 2.00 → 1.51,
   * regressed" */
  char *sentence;
  const char *saying; /* points into `sentence`, to the part that begins with the quantity */
  char *cause;        /* the reason for the change; NULL if nothing changed */
  /* The precisions in which the same change occurs, such as "double and quad". They are stored only
   * in the first row with that change; NULL in all others. */
  char *precisions;
  /* states when the older value first appeared, for example "since 3f2a1b0 of 2026-10-01"; NULL
   * unless a command has determined this */
  char *since;
};

/* The likely cause of a method's falsified claims, as determined by a command. */
struct shk_likely_cause {
  const char *integrator;
  char *words;
};

struct shk_comparison {
  const char *study; /* the name of the older set's study */
  int count;
  struct shk_compared *rows; /* sorted by name, like the sets */
  int counts[SHK_CHANGES], fell, failing;
  /* 1 if anything fails for a reason other than failed cells, 3 if rows fail only because of failed
   * cells, and 0 otherwise */
  int exit_code;
  int cause_count;
  struct shk_likely_cause *causes; /* empty until a command adds likely causes */
};

/* Compares two sets of values, using the bands of the older set `was`. Both sets must outlive the
 * comparison. If a claim of a method is newly falsified, values of the method that improved are
 * reported as changed rather than improved. */
void shk_compare(struct shk_comparison *comparison, const struct shk_baseline *was,
                 const struct shk_baseline *is);
void shk_comparison_clear(struct shk_comparison *comparison);
/* Returns the index after the last row of a method. The rows of each method are adjacent, and those
 * of this method begin at `first`. */
int shk_comparison_end(const struct shk_comparison *comparison, int first);

extern const struct shk_change_entry {
  const char *word;
  bool fails;         /* true if such a change makes the newer set fail */
  const char *ending; /* the words that end the sentence about the value */
} shk_changes[SHK_CHANGES];

/* Formats the band around a value as a range, such as "1.9 … 2.1 (0.1 + half-widths)", in a buffer
 * of at least 192 bytes, and returns the buffer. If the newer value `is` is not NULL, its
 * half-width is included. */
char *shk_compared_band(char *buffer, unsigned long size, const struct shk_baseline_value *was,
                        const struct shk_baseline_value *is);

#endif

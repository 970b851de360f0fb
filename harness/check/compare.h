/*
 * What changed between two sets of analysed values: each against its band, in both directions.
 */
#ifndef HARNESS_CHECK_COMPARE_H
#define HARNESS_CHECK_COMPARE_H

#include "harness/check/baseline.h"

enum shk_change {
#define CHANGE(id, word, fails) SHK_CHANGE_##id,
#include "harness/check/changes.def"
#undef CHANGE
  SHK_CHANGES
};

struct shk_compared {
  const struct shk_baseline_value *was, *is; /* NULL where missing; the sets' own */
  enum shk_change change;
  bool fell;          /* a claim that is falsified now and was not */
  bool incomplete;    /* not within because cells failed or have not been run */
  char *moved;        /* "2.00 → 1.51" */
  char *sentence;     /* "rattle on chain(links=20) in quad: order of q 2.00 → 1.51, regressed" */
  const char *saying; /* its part from the quantity on */
  char *cause;        /* a sentence; NULL where nothing changed */
  /* "double and quad": where this is the first row of its method and problem that says so; else
   * NULL. */
  char *precisions;
};

struct shk_comparison {
  int count;
  struct shk_compared *rows; /* by name, as in the sets */
  int counts[SHK_CHANGES], fell;
};

/* Compares by the bands of `was`. Both sets must outlive the comparison. No value of a method of
 * which a claim fell has improved: it has changed. */
void shk_compare(struct shk_comparison *comparison, const struct shk_baseline *was,
                 const struct shk_baseline *is);
void shk_comparison_clear(struct shk_comparison *comparison);

/* "same", "noted", "new", "improved", "regressed", "changed", "missing", "new". */
const char *shk_change_word(enum shk_change change);
/* Whether it is a failure of the newer set. */
bool shk_change_fails(enum shk_change change);

/* 1 if anything fails that did not come of failed cells, else 3 if anything fails, else 0. */
int shk_comparison_exit_code(const struct shk_comparison *comparison);

/* The band around a value as people read it, "1.9 … 2.1 (0.1 + half-widths)"; `is` may be NULL.
 * size at least 192. Returns the buffer. */
char *shk_compared_band(char *buffer, unsigned long size, const struct shk_baseline_value *was,
                        const struct shk_baseline_value *is);

#endif

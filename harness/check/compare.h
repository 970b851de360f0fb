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
  const struct shk_baseline_value *of;       /* `was`, or `is` if there is none */
  enum shk_change change;
  bool fell;          /* falsified now and not before */
  bool cells_failed;  /* cells of the newer value failed or have not been run */
  bool incomplete;    /* it fails, but only because of these cells */
  bool follows;       /* it fails because of the cells whose status is another row that fails */
  int followers;      /* of a status: number of rows that follow from it */
  char *before, *now; /* the values as short texts: "2.00" and "1.51"; NULL if missing */
  char *moved;        /* "2.00 → 1.51" */
  char *sentence;     /* "rattle on chain(links=20) in quad: order of q 2.00 → 1.51, regressed" */
  const char *saying; /* the part of `sentence` from the quantity on */
  char *cause;        /* reason of the change; NULL: no change */
  /* "double and quad": all precisions with this change, in the first of these rows; else NULL. */
  char *precisions;
  char *
      since; /* "since 3f2a1b0 of 2026-10-01" for the older value, if a command found it; or NULL */
};

/* The likely cause of the claims of a method that fell, if a command found it. */
struct shk_likely_cause {
  const char *integrator;
  char *words;
};

struct shk_comparison {
  const char *study; /* of the older set */
  int count;
  struct shk_compared *rows; /* sorted by name, as the sets */
  int counts[SHK_CHANGES], fell, failing;
  /* 1 if anything fails for another reason than failed cells, else 3 if anything fails, else 0. */
  int exit_code;
  int cause_count;
  struct shk_likely_cause *causes; /* empty until a command adds some */
};

/* Compares by the bands of `was`. Both sets must outlive the comparison. If a claim of a method
 * fell, its improved values are called changed. */
void shk_compare(struct shk_comparison *comparison, const struct shk_baseline *was,
                 const struct shk_baseline *is);
void shk_comparison_clear(struct shk_comparison *comparison);
/* Returns the end of the adjacent rows of a method, which begin at `first`. */
int shk_comparison_end(const struct shk_comparison *comparison, int first);

extern const struct shk_change_entry {
  const char *word;
  bool fails;         /* the newer set fails */
  const char *ending; /* of the sentence */
} shk_changes[SHK_CHANGES];

/* Writes the band around a value as a range, "1.9 … 2.1 (0.1 + half-widths)"; size at least 192.
 * is: the newer value, for its half-width, or NULL. Returns the buffer. */
char *shk_compared_band(char *buffer, unsigned long size, const struct shk_baseline_value *was,
                        const struct shk_baseline_value *is);

#endif

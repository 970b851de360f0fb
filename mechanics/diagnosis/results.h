/* The results of a diagnosis, the same in all precisions. */
#ifndef MECHANICS_DIAGNOSIS_RESULTS_H
#define MECHANICS_DIAGNOSIS_RESULTS_H

#include <stdbool.h>

/* Ranks of the constraints at a point (generic_rank.h). */
struct shk_generic_rank {
  int here; /* at the point */
  int near; /* the largest at nearby consistent points, 1e-3 and 1e-5 of the size of (q,p) away; -1:
               none was found */
  bool sure; /* every singular value is round-off or well above it */
  /* The constraints have no other exact solutions nearby: the points found have a larger rank only
   * because they are slightly off. Example: four points in a plane whose six distances allow no
   * other arrangement. */
  bool degenerate;
  /* Number, from 1, of a row whose gradient vanishes at the point and on the constraints near it, as
   * of a squared condition (y² = 0) or a rod of length zero; the constraints are then degenerate. 0:
   * there is none. */
  int vanishing;
};

/* Rows up to which a diagnosis passes multipliers on, and bytes of a number. */
enum { SHK_KNOWN_ROWS = 400, SHK_KNOWN_BYTES = 16 };

/* What a diagnosis has found at the start of a problem with m constraints, for the cells that try
 * methods there in the same precision: finding it takes longer than a step. */
struct shk_known_start {
  int m;
  struct shk_generic_rank ranks;
  bool has_lambda; /* the exact multiplier was found, */
  bool rescued;    /* as the shortest of those that rows which depend on each other leave open */
  char rows[400];  /* text of the first rows that depend on others; empty: none, or unknown */
  unsigned char lambda[SHK_KNOWN_ROWS * SHK_KNOWN_BYTES];
};

/* The chain of hidden constraints (differentiation_index.h). SHK_CHAIN_LEVELS:
 * the number of differentiations; the largest index found is one more. */
enum { SHK_CHAIN_LEVELS = 5 };
struct shk_chain {
  int index;        /* 0: lambda is never determined; -1: not decided */
  int undetermined; /* directions of motion that stay undetermined; 0 with an index */
  int conditions[SHK_CHAIN_LEVELS + 1]; /* on (q,p), new with the k-th differentiation */
  int last;                             /* differentiations up to the last new condition */
  /* The coordinates in the gradients of the new conditions: "q1, p2". */
  char coordinates[SHK_CHAIN_LEVELS + 1][96];
  double
      moved; /* distance of the consistent point found from the start: max norm, in sizes of the motion */
};

#endif

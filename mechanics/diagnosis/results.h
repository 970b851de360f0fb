/* The results of a diagnosis, in types that are the same in all precisions. */
#ifndef MECHANICS_DIAGNOSIS_RESULTS_H
#define MECHANICS_DIAGNOSIS_RESULTS_H

#include <stdbool.h>

/* Ranks of the constraints at a point (generic_rank.h). */
struct shk_generic_rank {
  int here;  /* at the point */
  int near;  /* the largest rank at consistent points that are 1e-3 and 1e-5 times the size of (q,p)
             * away; -1 if none was found */
  bool sure; /* every singular value is either round-off or well above it */
  /* True if the constraints have no other exact solutions nearby. The points that were found then
   * have a larger rank only because they are slightly off the constraints. An example is four
   * points in a plane whose six distances allow no other arrangement. */
  bool degenerate;
  /* Number, from 1, of a row whose gradient vanishes both at the point and on the constraints near
   * it, as for a squared condition (y² = 0) or a rod of length zero. The constraints are then
   * degenerate. 0 if there is no such row. */
  int vanishing;
};

/* The largest number of rows for which a diagnosis passes on multipliers, and the size of a number
 * in bytes. */
enum { SHK_KNOWN_ROWS = 400, SHK_KNOWN_BYTES = 16 };

/* Results of a diagnosis at the start of a problem with m constraints. They are passed to the cells
 * that try methods there in the same precision, because finding them takes longer than a step. */
struct shk_known_start {
  int m;
  struct shk_generic_rank ranks;
  bool has_lambda; /* whether the exact multiplier was found */
  bool rescued;    /* whether it is the shortest of many, because rows depend on each other */
  /* Text that names the first rows that depend on others. Empty if there are none or they are
   * unknown. */
  char rows[400];
  unsigned char lambda[SHK_KNOWN_ROWS * SHK_KNOWN_BYTES];
};

/* The chain of hidden constraints (differentiation_index.h). SHK_CHAIN_LEVELS is the number of
 * differentiations; the largest index that can be found is one more. */
enum { SHK_CHAIN_LEVELS = 5 };
struct shk_chain {
  int index;        /* 0 if lambda is never determined, -1 if undecided */
  int undetermined; /* number of directions that stay undetermined; 0 if there is an index */
  int conditions[SHK_CHAIN_LEVELS + 1]; /* on (q,p), new at the k-th differentiation */
  int last; /* number of differentiations up to the last new condition */
  /* The coordinates in the gradients of the new conditions, such as "q1, p2". */
  char coordinates[SHK_CHAIN_LEVELS + 1][96];
  /* Distance from the start to the consistent point that was found, in the max norm and in units of
   * the motion's sizes. */
  double moved;
};

#endif

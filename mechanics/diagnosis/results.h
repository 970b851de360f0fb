/* Results of a diagnosis, stored in types that do not depend on the precision. */
#ifndef MECHANICS_DIAGNOSIS_RESULTS_H
#define MECHANICS_DIAGNOSIS_RESULTS_H

#include <stdbool.h>

/* Ranks of the constraints at a point (generic_rank.h). */
struct shk_generic_rank {
  int here; /* at the point */
  /* the largest rank at nearby consistent points, whose distances are 1e-3 and 1e-5 times the size
   * of (q,p); -1 if no such point was found */
  int near;
  bool sure; /* true if every singular value is either round-off or well above it */
  /* True if the constraints have no other exact solutions nearby. The rank is then larger at the
   * nearby points only because these are slightly off the constraints. An example is a set of four
   * points in a plane whose six distances determine their arrangement. */
  bool degenerate;
  /* Index, counted from 1, of a row whose gradient vanishes both at the point and on the
   * constraints near it; 0 if there is no such row. Such constraints are degenerate. Examples are a
   * squared condition (y² = 0) and a rod of length zero. */
  int vanishing;
};

/* The largest number of rows for which the results include multipliers, and the size of one number
 * in bytes. */
enum { SHK_KNOWN_ROWS = 400, SHK_KNOWN_BYTES = 16 };

/* Results of a diagnosis at the initial state of a problem with m constraints. They are passed on
 * to the cells that try methods at this state in the same precision, because finding them takes
 * longer than a step. */
struct shk_known_start {
  int m;
  struct shk_generic_rank ranks;
  bool has_lambda; /* whether the exact multiplier was found */
  /* whether it is only the shortest of many possible multipliers because rows are dependent */
  bool rescued;
  /* Names the first rows that depend on others. The string is empty if there are none or if they
   * are unknown. */
  char rows[400];
  unsigned char lambda[SHK_KNOWN_ROWS * SHK_KNOWN_BYTES];
};

/* The chain of hidden constraints (differentiation_index.h). SHK_CHAIN_LEVELS is the number of
 * differentiations, and the largest index that can be found is SHK_CHAIN_LEVELS + 1. */
enum { SHK_CHAIN_LEVELS = 5 };
struct shk_chain {
  int index;        /* 0 if lambda is never determined, -1 if undecided */
  int undetermined; /* number of directions that remain undetermined; 0 if the index exists */
  /* number of new conditions on (q,p) obtained from the k-th differentiation */
  int conditions[SHK_CHAIN_LEVELS + 1];
  int last; /* number of differentiations after which no new conditions follow */
  /* The names of the coordinates that occur in the gradients of the new conditions, such as "q1,
   * p2". */
  char coordinates[SHK_CHAIN_LEVELS + 1][96];
  /* Distance between the initial state and the consistent point that was found, in the max norm and
   * in units of the motion's sizes. */
  double moved;
};

#endif

/* Chains of rods as paths of a graph, in the order in which they are processed. */
#ifndef MECHANICS_SOLVERS_RODS_PATHS_H
#define MECHANICS_SOLVERS_RODS_PATHS_H

#include <shakedown/system.h>

/* Rods first … first + count - 1 in the order along the chains, and slots from `slot` on. */
struct shk_path {
  int first, count, slot;
  int moving[2];   /* of slots 0 … count the first and the last that moves; all between do */
  bool contiguous; /* rows and the coordinates of its moving points follow each other */
  bool uniform;    /* its moving points have the same mass, its rods the same length */
};

/* How many rods are processed at a time: in systems of short paths the smaller number wastes
 * less. */
enum { SHK_BLOCK_SHORT = 16, SHK_BLOCK_LONG = 32 };

enum { SHK_BLOCK_SLOTS = SHK_BLOCK_LONG + 3 };

/* Inverse masses of a block's slots, and of each of their coordinates; squares of its rods' lengths. */
struct shk_weights {
  int block; /* whose they are; 0: none */
  real slot[SHK_BLOCK_SLOTS], spread[3 * SHK_BLOCK_SLOTS], square[SHK_BLOCK_LONG + 1];
};

/* The block's part of a vector over the coordinates. */
typedef real shk_view[3 * SHK_BLOCK_SLOTS];

/* Those of vectors that a solve does not change, which its next sweep takes again. */
struct shk_views {
  int block; /* whose they are; 0: none */
  long solve;
  shk_view of[5];
};

/* A rod in double: d where the multipliers act and at the present iterate, and its residual; then the
 * factors of its row, and the solution. */
struct shk_rod_in_double {
  double old[3], now[3], g;
  double lower, upper, inverse, right, y; /* L(k,k-1), U(k,k+1), 1/U(k,k) */
};

/* All paths of a system, and the factors of the last elimination. */
struct shk_paths {
  const struct shk_rods *rods;
  int length;   /* one of the two above */
  int m, count; /* rods, paths */
  struct shk_path *path;
  int *row;      /* m: the constraint that the k-th rod is */
  int *offset;   /* m + count slots: of the point's first coordinate, or -1 - f: fixed point f */
  real *inverse; /* m + count slots: 1/mass, 0 at fixed points */
  struct shk_weights
      *weights;            /* 3: of the last blocks at a path's beginning, within it, at its end */
  long solve;              /* the number of the present solve */
  struct shk_views *views; /* 2: of the last blocks at a path's beginning and at its end */
  real *x, *coupling; /* m: N_k x_k = …, then the solution; the coefficient of x_(k+1) in x_k */
  struct shk_rod_in_double *rough; /* m, in quad; NULL: none */
  double *weight;                  /* m + count: `inverse` */
};

#endif

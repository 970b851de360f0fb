/* What a disguise is made of, drawn by chance within a choice; disguise.h says what it is. */
#ifndef PROBLEMS_KIT_DISGUISE_DRAWN_H
#define PROBLEMS_KIT_DISGUISE_DRAWN_H

#include "problems/kit/wrapped.h"

struct shk_disguise_choice {
  long seed;
  bool reorder; /* coordinates and rows in another order */
  bool turn;    /* turned coordinates */
  bool scale;   /* rows times numbers from 1/16 to 16, of either sign */
  bool rewrite; /* rows g + a g² with |a| the inverse of what g changes by over the size of q */
  real length, mass, time, shift; /* L, m, τ, t_0 */
};

enum { SHK_TURNED_MOST = 3 };

/* Coordinates that are turned together: outer_i = Σ_j turn_ij inner_j. */
struct shk_turned {
  int size, inner[SHK_TURNED_MOST], outer[SHK_TURNED_MOST];
  real turn[SHK_TURNED_MOST][SHK_TURNED_MOST];
};

struct shk_disguise {
  const struct shk_wrapped *wrapped;
  real length, momentum, energy, force, mass_unit, time, shift;
  int block_count;
  struct shk_turned *blocks;
  int *block_of;               /* of each inner coordinate */
  int *row;                    /* m: the inner row of each */
  real *factor, *bend;         /* m: c and a */
  int *touched_from, *touched; /* m + 1: the blocks that each row has to do with */
  int *row_start, *columns;
  real *mass, *scale;
  /* Scratch of the callbacks. */
  real *q, *p, *v, *x, *y, *g, *rate, *values, *matrix;
};

/* The system inside, and the context of its functions. */
#define SYSTEM (s->wrapped->inner.system)
#define CONTEXT (SYSTEM.context)

#define shk_disguise_draw SHK_NAME(shk_disguise_draw)

/* Draws coordinates and rows, in units and with scratch that are there. */
struct shk_status shk_disguise_draw(struct shk_disguise *s, struct shk_workspace *workspace,
                                    const struct shk_disguise_choice *choice);

#endif

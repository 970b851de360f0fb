/* Error curves of a family of cells. */
#ifndef HARNESS_ANALYSIS_CURVE_H
#define HARNESS_ANALYSIS_CURVE_H

#include "harness/analysis/families/family.h"
#include "harness/analysis/statistics/order.h"

/* Errors of one block against step or tolerance, for one problem, integrator and precision. */
struct shk_curve {
  int group; /* cells of one group share a curve, also across runs */
  char *problem, *integrator, *precision;
  enum shk_block_id block; /* the error of the energy is max |H - H(0)|, not scaled */
  /* true if the reference's block is zero but for round-off, so that errors have no order */
  bool zero;
  bool against_tolerance;
  int count;
  struct shk_point *points; /* the largest step comes first */
  int claimed;              /* the claimed order, or SHK_NO_ORDER */
  int member_count;
  /* The points of the members, one member after the other, while the curve is being made. Without
   * members the same as `points`. */
  struct shk_point *members;
  /* Statistics of the members' orders. The half-width of the fit is at least theirs. */
  struct shk_member_statistics member_orders;
  struct shk_fit fit;
};

/* Returns true for lambda … lambda-sum. A step solves for them, so that their round-off is divided
 * by h². */
bool shk_is_discrete_multiplier(enum shk_block_id block);

/* Returns the order that the family's integrator claims for a block, or SHK_NO_ORDER. */
int shk_curve_claim(const struct shk_family *family, enum shk_block_id block);

/* Makes and fits the curve of a block. If no finished record or no reference has the block, returns
 * false, and there is nothing to free. */
bool shk_curve_make(struct shk_curve *curve, const struct shk_family *family,
                    enum shk_block_id block);
void shk_curve_clear(struct shk_curve *curve);

/* Finds the errors of a block, divided by `size`, over the sample times of the reference after the
 * start: the largest error, the error at the end and its digits, the signed errors, and the
 * multiples. If the outcome lacks one of these times or an error cannot be evaluated, the errors
 * are left unchanged and there are no signed errors. Returns false if there is no time at which
 * both have the block. */
bool shk_point_measure(struct shk_point *point, const struct shk_outcome *outcome,
                       const struct shk_outcome *reference, const char *block,
                       const char *reference_block, double size);

/* An error, scaled as in a curve, and the error of the reference itself (NaN: unknown). */
struct shk_error {
  const struct shk_cell *cell;
  const char *problem; /* if the cell has members, the member's */
  const char *time, *block;
  double error, reference_error;
};
/* Receives an error, which is valid only during the call. */
typedef void shk_error_taker(void *user, const struct shk_error *error);
/* Calls `taker` with the error of every block at every sample time of every run that has a
 * reference, in the order of the plan. */
void shk_each_error(const struct shk_plan *plan, struct shk_records *records,
                    shk_error_taker *taker, void *user);

struct shk_least_cost {
  double least; /* NaN if no run reached this accuracy */
  double step;  /* step or tolerance of the least cost */
  /* true for an upper bound: the cost of the coarsest run, which is more accurate */
  bool bound;
  int run;           /* index of the finer of the two points around the error; -1: no cost */
  double best_error; /* least error of all runs; NaN if no run is used */
};

/* Finds the least cost, in CPU time or in evaluations, at which an error is reached. The cost is
 * interpolated on logarithmic scales between two points with positive errors and costs, and is
 * never extrapolated. */
struct shk_least_cost shk_least_cost(const struct shk_point *points, int count, double error,
                                     bool timed);

#endif

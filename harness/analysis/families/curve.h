/* Error curves of a family of cells. */
#ifndef HARNESS_ANALYSIS_CURVE_H
#define HARNESS_ANALYSIS_CURVE_H

#include "harness/analysis/families/family.h"
#include "harness/analysis/statistics/order.h"

/* The errors of one block as a function of the step or the tolerance, for one problem, integrator
 * and precision. */
struct shk_curve {
  int group; /* the cells of a group share a curve, even if they belong to several runs */
  char *problem, *integrator, *precision;
  enum shk_block_id block; /* the error of the energy is max |H - H(0)|, without scaling */
  /* true if the reference's block is zero up to round-off, so its errors have no order */
  bool zero;
  bool against_tolerance;
  int count;
  struct shk_point *points; /* the largest step comes first */
  int claimed;              /* the claimed order, or SHK_NO_ORDER */
  int member_count;
  /* While the curve is being made, the points of the members, one member after the other. Without
   * members this is the same as `points`. */
  struct shk_point *members;
  /* Statistics of the members' orders. The half-width of the fit is at least that of these
   * orders. */
  struct shk_member_statistics member_orders;
  struct shk_fit fit;
};

/* Returns true for lambda to lambda-sum. A step solves for these multipliers, which divides their
 * round-off by h². */
bool shk_is_discrete_multiplier(enum shk_block_id block);

/* Returns the order that the family's integrator claims for a block, or SHK_NO_ORDER. */
int shk_curve_claim(const struct shk_family *family, enum shk_block_id block);

/* Makes and fits the curve of a block. If no finished record or no reference contains the block,
 * returns false and leaves nothing to be freed. */
bool shk_curve_make(struct shk_curve *curve, const struct shk_family *family,
                    enum shk_block_id block);
void shk_curve_clear(struct shk_curve *curve);

/* Finds the errors of a block, divided by `size`, over the sample times of the reference after the
 * start: the largest error, the error at the end and its digits, the signed errors, and the
 * multiples. If the outcome lacks one of these times or if an error cannot be evaluated, the errors
 * are left unchanged and no signed errors are stored. Returns false if the outcome and the
 * reference have no time in common at which both contain the block. */
bool shk_point_measure(struct shk_point *point, const struct shk_outcome *outcome,
                       const struct shk_outcome *reference, const char *block,
                       const char *reference_block, double size);

/* An error, scaled as in a curve, and the error of the reference itself (NaN if unknown). */
struct shk_error {
  const struct shk_cell *cell;
  const char *problem; /* the member's problem if the cell has members */
  const char *time, *block;
  double error, reference_error;
};
/* Receives an error, which is valid only during this call. */
typedef void shk_error_taker(void *user, const struct shk_error *error);
/* Calls `taker` with the error of every block at every sample time of every run that has a
 * reference, in the order of the plan. */
void shk_each_error(const struct shk_plan *plan, struct shk_records *records,
                    shk_error_taker *taker, void *user);

struct shk_least_cost {
  double least; /* NaN if no run reached this accuracy */
  double step;  /* step or tolerance with the least cost */
  /* true if `least` is only an upper bound, because the coarsest run is more accurate than
   * required */
  bool bound;
  int run;           /* index of the finer of the two points next to the error; -1: none */
  double best_error; /* smallest error of all runs; NaN if no run can be used */
};

/* Finds the lowest cost, in CPU time or in evaluations, at which an error is reached. The cost is
 * interpolated on logarithmic scales between two points with positive errors and costs. It is never
 * extrapolated. */
struct shk_least_cost shk_least_cost(const struct shk_point *points, int count, double error,
                                     bool timed);

#endif

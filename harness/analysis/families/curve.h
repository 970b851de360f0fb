/* Error curves for a family of cells. */
#ifndef HARNESS_ANALYSIS_CURVE_H
#define HARNESS_ANALYSIS_CURVE_H

#include "harness/analysis/families/family.h"
#include "harness/analysis/statistics/order.h"

/* The errors of one block as a function of the step or the tolerance, for one problem, integrator
 * and precision. */
struct shk_curve {
  int group; /* cells of the same group share a curve, even if they belong to different runs */
  char *problem, *integrator, *precision;
  enum shk_block_id block; /* for the energy, the error is max |H - H(0)| without scaling */
  /* true if the block is zero up to round-off in the reference, so that its errors have no order */
  bool zero;
  bool against_tolerance;
  int count;
  struct shk_point *points; /* sorted by step size, with the largest step first */
  int claimed;              /* the claimed order, or SHK_NO_ORDER */
  int member_count;
  /* The points of all members, one member after another; equal to `points` if there are no members.
   * Used only while the curve is being computed. */
  struct shk_point *members;
  /* The statistics of the members' orders. The half-width of the fit is never smaller than
   * theirs. */
  struct shk_member_statistics member_orders;
  struct shk_fit fit;
};

/* Returns true for the blocks from lambda to lambda-sum. These multipliers are solved for in a
 * step, so their round-off is divided by h². */
bool shk_is_discrete_multiplier(enum shk_block_id block);

/* Returns the order that the family's integrator claims for a block, or SHK_NO_ORDER if it claims
 * none. */
int shk_curve_claim(const struct shk_family *family, enum shk_block_id block);

/* Computes and fits the error curve of a block. If the block is missing from the reference or from
 * all finished records, returns false and leaves nothing to be freed. */
bool shk_curve_make(struct shk_curve *curve, const struct shk_family *family,
                    enum shk_block_id block);
void shk_curve_clear(struct shk_curve *curve);

/* Computes the errors of a block, divided by `size`, at all sample times of the reference except t
 * = 0. Stores the largest error, the error at the end and its number of correct digits, the signed
 * errors, and the multiples. If the outcome lacks one of these times or if an error cannot be
 * evaluated, the errors are left unchanged and no signed errors are stored. Returns false if there
 * is no sample time at which both the outcome and the reference contain the block. */
bool shk_point_measure(struct shk_point *point, const struct shk_outcome *outcome,
                       const struct shk_outcome *reference, const char *block,
                       const char *reference_block, double size);

/* An error, scaled in the same way as in a curve, and the error of the reference itself (NaN if
 * unknown). */
struct shk_error {
  const struct shk_cell *cell;
  const char *problem; /* the member's problem if the cell has members */
  const char *time, *block;
  double error, reference_error;
};
/* A callback that receives an error. *error is valid only during the call. */
typedef void shk_error_taker(void *user, const struct shk_error *error);
/* Calls `taker` for the error of every block at every sample time of every run that has a
 * reference, in the order of the plan. */
void shk_each_error(const struct shk_plan *plan, struct shk_records *records,
                    shk_error_taker *taker, void *user);

struct shk_least_cost {
  double least; /* the lowest cost; NaN if no run reached this accuracy */
  double step;  /* the step or tolerance with the lowest cost */
  /* true if `least` is only an upper bound, because even the coarsest run is more accurate than
   * required */
  bool bound;
  /* index of the finer of the two points that bracket the error; -1 if there is none */
  int run;
  double best_error; /* the smallest error of all runs; NaN if no run can be used */
};

/* Finds the lowest cost, in CPU time or in evaluations, at which a given error is reached. The cost
 * is interpolated on logarithmic scales between two points with positive errors and costs, but is
 * never extrapolated. */
struct shk_least_cost shk_least_cost(const struct shk_point *points, int count, double error,
                                     bool timed);

#endif

/* Error curves of a family of cells. */
#ifndef HARNESS_ANALYSIS_CURVE_H
#define HARNESS_ANALYSIS_CURVE_H

#include "harness/analysis/families/family.h"
#include "harness/analysis/statistics/order.h"

/* Errors of one block against step or tolerance, for one problem, integrator and precision. */
struct shk_curve {
  int group; /* cells of one group share a curve across runs */
  char *problem, *integrator, *precision;
  enum shk_block_id block; /* energy: max |H - H(0)|, not scaled */
  bool zero; /* the reference's block is zero but for round-off: the errors have no order */
  bool against_tolerance;
  int count;
  struct shk_point *points; /* largest step first */
  int claimed;              /* the order; SHK_NO_ORDER if there is no claim */
  int member_count;
  /* While the curve is made: points of the members, one after the other; without any, `points`. */
  struct shk_point *members;
  /* Statistics of the orders of members; the half-width of the fit is at least theirs. */
  struct shk_member_statistics member_orders;
  struct shk_fit fit;
};

/* True for lambda … lambda-sum: solved for, with the round-off of a division by h². */
bool shk_is_discrete_multiplier(enum shk_block_id block);

/* Returns the order of a block that the family's integrator claims, or SHK_NO_ORDER. */
int shk_curve_claim(const struct shk_family *family, enum shk_block_id block);

/* Makes and fits the curve of a block. False, with nothing to free, if no finished record or no
 * reference has the block. */
bool shk_curve_make(struct shk_curve *curve, const struct shk_family *family,
                    enum shk_block_id block);
void shk_curve_clear(struct shk_curve *curve);

/* Finds the errors of a block, divided by `size`, over the sample times of the reference after the
 * start: the largest, that at the end, its digits, the signed errors, and the multiple. Errors are
 * left as they are, and signed errors absent, if the outcome lacks one of these times or an error
 * cannot be evaluated. Returns false if both have the block at no time. */
bool shk_point_measure(struct shk_point *point, const struct shk_outcome *outcome,
                       const struct shk_outcome *reference, const char *block,
                       const char *reference_block, double size);

/* An error, scaled as in a curve, and the reference's own (NaN: unknown). */
struct shk_error {
  const struct shk_cell *cell;
  const char *problem; /* the member's if the cell has members */
  const char *time, *block;
  double error, reference_error;
};
/* Receives an error, which is valid during the call. */
typedef void shk_error_taker(void *user, const struct shk_error *error);
/* Calls `taker` with the error of every block at every sample time of every run that has a
 * reference, in the order of the plan. */
void shk_each_error(const struct shk_plan *plan, struct shk_records *records,
                    shk_error_taker *taker, void *user);

struct shk_least_cost {
  double least;      /* NaN if no run reached this accuracy */
  double step;       /* step or tolerance of the least cost */
  bool bound;        /* an upper bound: the cost of the coarsest run, which is more accurate */
  int run;           /* index of the finer of the two points about it; -1: no cost */
  double best_error; /* least error of all runs; NaN: no run is used */
};

/* Finds the least cost, in CPU time or in evaluations, at which an error is reached: interpolated
 * in the logarithms between two points with positive errors and costs, never extrapolated. */
struct shk_least_cost shk_least_cost(const struct shk_point *points, int count, double error,
                                     bool timed);

#endif

/*
 * Error curves of a family of cells.
 */
#ifndef HARNESS_ANALYSIS_CURVE_H
#define HARNESS_ANALYSIS_CURVE_H

#include "harness/analysis/families/family.h"
#include "harness/analysis/statistics/members.h"
#include "harness/analysis/statistics/order.h"
#include "measures/quantity.h"

/* A point of an error curve. */
struct shk_point {
  double step;            /* or tolerance */
  double error;           /* largest over the sample times; NaN if the cell failed */
  double end_error;       /* at the last sample time; NaN if the cell failed */
  double scd, mescd;      /* digits at the last sample time (engine.h); NaN if the cell failed */
  double reference_error; /* of the reference itself, in the same norm; NaN if unknown */
  double floor;           /* round-off level; 0 if unknown */
  double seconds;         /* CPU, minimum of repeats; NaN if not recorded */
  double work;            /* evaluations of H_q + jacobian; NaN if not recorded */
  /* Statistics of the members' errors, if there are any: `error` is then the largest; end_error,
   * scd and mescd are the worst too. */
  struct shk_member_statistics members;
  /* Errors of every component at every sample time; NULL: not stored. */
  double *signed_errors;
  int signed_count;
  /* For multipliers: the multiple of the reference that is nearest to them, and their distance from
   * it relative to the reference, both as root mean squares over components and times. Else NaN. */
  double multiple, off_multiple;
  bool in_window;                  /* used in the fit */
  const struct shk_record *record; /* NULL if there is none yet */
};

/* Errors of one block against step or tolerance, for one problem, integrator and precision. */
struct shk_curve {
  int run, group; /* run: of the first cell; cells of one group share a curve across runs */
  char *problem, *integrator, *precision;
  enum shk_block_id block; /* energy: max |H - H(0)|, not scaled */
  bool against_tolerance;
  int count;
  struct shk_point *points; /* largest step first */
  int claimed;              /* the order; SHK_NO_ORDER if there is no claim */
  /* Orders of the members that have one; the fit's half-width is at least theirs. */
  struct shk_member_statistics member_orders;
  struct shk_fit fit;
};

/* True for lambda … lambda-sum: solved for, with the round-off of a division by h². */
bool shk_is_discrete_multiplier(enum shk_block_id block);

/* Returns the order of a block that the family's integrator claims. */
int shk_curve_claim(const struct shk_claims *claims, enum shk_block_id block);

/* Makes and fits the curve of a block other than the energy. False, with nothing to free, if no
 * record or no reference has the block. */
bool shk_curve_make(struct shk_curve *curve, const struct shk_family *family,
                    const struct shk_group_reference *reference, enum shk_block_id block,
                    const struct shk_analysis_source *source);

/* Receives an error, scaled as in a curve, and the reference's own (NaN: unknown); `problem` is the
 * member's if the cell has members. The texts are valid during the call. */
typedef void shk_error_taker(void *user, const struct shk_cell *cell, const char *problem,
                             const char *time, const char *block, double error,
                             double reference_error);
/* Calls `taker` for all blocks at all sample times that a family's cells have reached. */
void shk_family_each_error(const struct shk_family *family,
                           const struct shk_group_reference *reference,
                           const struct shk_analysis_source *source, shk_error_taker *taker,
                           void *user);

/* Makes the curve of max |H - H(0)|; false if no record has it. */
bool shk_curve_make_energy(struct shk_curve *curve, const struct shk_family *family);

/* Fits the points by shk_order_fit, and marks the window in them. */
struct shk_fit shk_points_fit(struct shk_point *points, int count, bool by_tolerance);

void shk_curve_clear(struct shk_curve *curve);

#endif

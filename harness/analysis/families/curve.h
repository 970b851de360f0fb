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
  double error;           /* largest over the sample times; NaN where the cell failed */
  double end_error;       /* at the last sample time; NaN where the cell failed */
  double scd, mescd;      /* digits at the last sample time (engine.h); NaN likewise */
  double reference_error; /* the reference's own, in the same norm; NaN if unknown */
  double floor;           /* below which round-off rules; 0 if unknown */
  double seconds;         /* CPU, minimum of repeats; NaN if not recorded */
  double work;            /* evaluations of H_q + jacobian; NaN if not recorded */
  /* Of the errors of the members, if there are any: `error` is then the largest; end_error, scd and
   * mescd are the worst too. */
  struct shk_member_statistics members;
  /* What `error` is the largest of: every component at every sample time; NULL: not kept. */
  double *signed_errors;
  int signed_count;
  /* Of multipliers: the multiple of the reference that they are nearest to, and how far they are
   * from it, relative to the reference, both as root mean squares over components and times.
   * NaN. */
  double multiple, off_multiple;
  bool in_window;                  /* took part in the fit */
  const struct shk_record *record; /* NULL where there is none yet */
};

/* Errors of one block against step or tolerance, for one problem, integrator and precision. */
struct shk_curve {
  int run, group; /* run: of the first cell; cells of one group share a curve, whatever their run */
  char *problem, *integrator, *precision;
  enum shk_block_id block; /* of the energy: max |H - H(0)|, not scaled */
  bool against_tolerance;
  int count;
  struct shk_point *points; /* largest step first */
  int claimed;              /* order, SHK_NO_ORDER if not claimed */
  /* Of the members that have one; its half-width is the least that the fit's can have. */
  struct shk_member_statistics member_orders;
  struct shk_fit fit;
};

/* lambda … lambda-sum: solved for, with the round-off of a division by h². */
bool shk_is_discrete_multiplier(enum shk_block_id block);

/* The order that the family's integrator claims of a block. */
int shk_curve_claim(const struct shk_claims *claims, enum shk_block_id block);

/* The curve of a block other than the energy, fitted. False, and nothing to free, if no record or
 * no reference has the block. */
bool shk_curve_make(struct shk_curve *curve, const struct shk_family *family,
                    const struct shk_group_reference *reference, enum shk_block_id block,
                    const struct shk_analysis_source *source);

/* Told of an error, scaled as in a curve, with the reference's own (NaN: unknown); `problem` is the
 * member's where the cell has some. The texts hold during the call. */
typedef void shk_error_taker(void *user, const struct shk_cell *cell, const char *problem,
                             const char *time, const char *block, double error,
                             double reference_error);
/* Of all blocks at all sample times that a family's cells have reached. */
void shk_family_each_error(const struct shk_family *family,
                           const struct shk_group_reference *reference,
                           const struct shk_analysis_source *source, shk_error_taker *taker,
                           void *user);

/* The curve of max |H - H(0)|; false if no record has it. */
bool shk_curve_make_energy(struct shk_curve *curve, const struct shk_family *family);

/* shk_order_fit of the points, which marks the window in them. */
struct shk_fit shk_points_fit(struct shk_point *points, int count, bool by_tolerance);

void shk_curve_clear(struct shk_curve *curve);

#endif

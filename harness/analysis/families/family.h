/*
 * Families are the cells of a plan that are analysed together with their reference. This file also
 * computes distances between blocks in their records.
 */
#ifndef HARNESS_ANALYSIS_FAMILY_H
#define HARNESS_ANALYSIS_FAMILY_H

#include "engine/engine.h"
#include "harness/plan/plan.h"
#include "measures/quantity.h"
#include "results/record/record.h"

/* Functions that find claims and the properties of problems, which records do not contain. If they
 * are NULL, claims come from the engine of the cell's precision, and properties of problems from
 * the engine of quad or double. */
struct shk_analysis_source {
  bool (*claims)(const struct shk_context *context, struct shk_claims *claims,
                 const char *precision, const char *integrator, struct shk_message *error);
  bool (*inspect)(const struct shk_context *context, struct shk_inspection *inspection,
                  const char *problem, struct shk_message *error);
};

/* Blocks of a reference. All multipliers and wrenches are compared with the ones that the exact
 * formula gives. */
enum shk_reference_block {
  SHK_REFERENCE_Q,
  SHK_REFERENCE_P,
  SHK_REFERENCE_LAMBDA,
  SHK_REFERENCE_WRENCH,
  SHK_REFERENCE_BLOCKS
};
extern const char *const shk_reference_names[SHK_REFERENCE_BLOCKS];

/* The reference of a group, and how reliable it is. */
struct shk_group_reference {
  int cells[2]; /* indices in the plan of the reference and its check; -1 if there is none */
  /* Set while the reference is loaded. NULL if none has finished. */
  const struct shk_record *record;
  double size[SHK_REFERENCE_BLOCKS]; /* largest max norm over [0,T]; NaN if not recorded */
  /* Sizes that the blocks have in motions of the problem, and at rest (measures/scales.c); 0 if not
   * recorded. */
  double scale[SHK_REFERENCE_BLOCKS], rest[SHK_REFERENCE_BLOCKS];
  /* True if the block is zero up to the reference's round-off. Errors then only decide whether a
   * method moves away from a state of rest. */
  bool zero[SHK_REFERENCE_BLOCKS];
  double error
      [SHK_REFERENCE_BLOCKS]; /* largest error over the sample times, divided by the unit; NaN if
                                         unknown */
  /* The divisor of the errors, for each member or for the cell. It is the size, but at least 10⁻⁶
   * of the scale. NULL before the divisors are measured. */
  double (*units)[SHK_REFERENCE_BLOCKS];
  /* if there is no reference: its run and the run of its check, if they stopped early; else NULL */
  const struct shk_record *partial, *partial_check;
  /* true if the reference failed or has not been run; false if it was refused or none is planned */
  bool failed;
  char why[SHK_MESSAGE_SIZE]; /* why there is no reference */
};

/* Cells that differ only in the step or the tolerance. */
struct shk_family {
  enum shk_measure_id measure; /* measure that the cells make; SHK_MEASURES for runs */
  enum shk_measured_in in;
  int group, run;              /* `run` is the run of the first cell */
  const struct shk_cell *cell; /* the first cell of the family */
  char *problem;               /* canonical, including an explicit start */
  /* "" or " (until T)", which distinguishes the family from a family of another group */
  char *suffix;
  bool by_tolerance;
  int count;
  int *cells; /* indices in the plan, with the largest step first */
  /* set while the records are loaded; NULL for cells that have not been run */
  const struct shk_record **records;
  double *steps; /* steps or tolerances; 0 if there are none */

  bool inspected;
  struct shk_claims claims; /* all claims are unknown if the integrator is unknown */
  struct shk_inspection inspection;
  /* time_scale is 1 unless the problem was inspected; until is 0 for single-step cells */
  double epsilon, time_scale, until;
  /* largest max norms over the run; 1 if they are not recorded or if no reference is loaded */
  double size_q, size_p;
  const struct shk_group_reference *reference; /* set while the reference is loaded; else NULL */
  /* for runs in a lower precision: the family of the same runs in quad, or NULL */
  const struct shk_family *in_quad;
};

struct shk_families {
  int count, group_count;
  struct shk_family *families; /* sorted in the order of the plan */
  struct shk_group_reference *references;
  const struct shk_plan *plan;
  struct shk_records *records;
  struct shk_analysis_source source;
  int taken; /* group whose reference is currently loaded; -1 if there is none */
};

/* Collects the measured cells without their records. If source is NULL, the engines' functions are
 * used. */
void shk_families_gather(struct shk_families *families, const struct shk_plan *plan,
                         struct shk_records *records, const struct shk_analysis_source *source);
void shk_families_clear(struct shk_families *families);

/* shk_family_take loads these parts of a family's records, and shk_family_put_back releases the
 * records. */
void shk_family_take(struct shk_families *families, const struct shk_family *family,
                     unsigned parts);
void shk_family_put_back(struct shk_families *families, const struct shk_family *family);
/* Loads the reference of a loaded family and determines the family's sizes. The reference is valid
 * until the reference of another group is requested. */
void shk_family_refer(struct shk_families *families, struct shk_family *family);

/* Returns the max norm of a - b, where a and b are the blocks with these names in two samples
 * (which may be NULL). Returns NaN if one of the blocks is missing. */
double shk_sample_distance(const struct shk_sample *a, const char *name_of_a,
                           const struct shk_sample *b, const char *name_of_b);
/* Returns the max norm of a block of a sample, or NaN if the sample does not contain the block. */
double shk_sample_size(const struct shk_sample *sample, const char *name);
/* Stores the outcomes of a record's members or, if there are none, the record's own outcome.
 * Returns the number of outcomes. */
int shk_outcomes(const struct shk_outcome **list, const struct shk_record *record);
/* Returns the largest max norm of a block over the samples and members, or NaN if the block is
 * missing everywhere. */
double shk_record_block_size(const struct shk_record *record, const char *name);
/* Returns true if the cell was refused. Returns false for NULL. */
bool shk_was_refused(const struct shk_record *record);
/* Returns the index of the finest cell that finished, or -1. */
int shk_family_finest(const struct shk_family *family);
/* Returns a number from the record of a cell, or NaN if the number is missing or the cell did not
 * finish. */
double shk_family_number(const struct shk_family *family, int index, enum shk_quantity_id id,
                         const char *parameter);
/* If the system is at rest, a method satisfies claims merely by not moving. This function then
 * returns the reason why such a system decides nothing. Otherwise it returns NULL. A system is at
 * rest if its own start is, or if its reference does not move. */
const char *shk_family_rests(const struct shk_family *family);
/* Returns the problem's enum shk_undecidable. SHK_CHAOTIC is included only if the runs exceed the
 * problem's horizon. */
unsigned shk_family_undecidable(const struct shk_family *family);
/* Returns the recorded number of steps of a cell (for an ensemble, the mean over its members), or
 * an estimate if it is not recorded. */
double shk_family_steps(const struct shk_family *family, int index);
/* Orders are fitted only to errors that are at least this many times the effect of the claimed
 * constraint level (curve.c) and at least 100 times the error floor. */
enum { SHK_LEVEL_MARGIN = 10 };
/* Returns the typical size of the kinetic and potential energy in an outcome: |H(0)| or
 * max|q|·max|p|/time scale, whichever is larger. The latter has the unit of an energy. */
double shk_family_energy(const struct shk_family *family, const struct shk_outcome *outcome);
/* Returns the round-off of the energy in a finished cell, which is that of a random walk over its
 * steps. */
double shk_family_energy_floor(const struct shk_family *family, int index);

#endif

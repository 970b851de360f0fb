/*
 * Families: cells of a plan that are analysed together, with their reference, and distances of
 * blocks in their records.
 */
#ifndef HARNESS_ANALYSIS_FAMILY_H
#define HARNESS_ANALYSIS_FAMILY_H

#include "engine/engine.h"
#include "harness/plan/plan.h"
#include "measures/quantity.h"
#include "results/record/record.h"

/* Functions that find claims and properties of problems, which records do not contain. If NULL, the
 * engine of the cell's precision finds claims, and that of quad or double finds properties of
 * problems. */
struct shk_analysis_source {
  bool (*claims)(const struct shk_context *context, struct shk_claims *claims,
                 const char *precision, const char *integrator, struct shk_message *error);
  bool (*inspect)(const struct shk_context *context, struct shk_inspection *inspection,
                  const char *problem, struct shk_message *error);
};

/* Blocks of a reference. All multipliers and wrenches are compared with those of the exact
 * formula. */
enum shk_reference_block {
  SHK_REFERENCE_Q,
  SHK_REFERENCE_P,
  SHK_REFERENCE_LAMBDA,
  SHK_REFERENCE_WRENCH,
  SHK_REFERENCE_BLOCKS
};
extern const char *const shk_reference_names[SHK_REFERENCE_BLOCKS];

/* The reference of a group and its reliability. */
struct shk_group_reference {
  int cells[2]; /* index in the plan of the reference and of its check; -1 if there is none */
  /* Set while the reference is loaded; NULL if none has finished. */
  const struct shk_record *record;
  double size[SHK_REFERENCE_BLOCKS]; /* largest max norm over [0,T]; NaN if not recorded */
  /* Sizes that the blocks have in motions of the problem, and at rest (measures/scales.c); 0 if not
   * recorded. */
  double scale[SHK_REFERENCE_BLOCKS], rest[SHK_REFERENCE_BLOCKS];
  /* True if the block is zero but for the reference's round-off. Errors then only decide whether a
   * method leaves a state of rest. */
  bool zero[SHK_REFERENCE_BLOCKS];
  double error
      [SHK_REFERENCE_BLOCKS]; /* largest error over the sample times, divided by the unit; NaN if
                                         unknown */
  /* What errors are divided by, for each member or for the cell: the size, but at least 10⁻⁶ of the
   * scale. NULL before they are measured. */
  double (*units)[SHK_REFERENCE_BLOCKS];
  /* if there is no reference: its run and that of the check, if they stopped early; else NULL */
  const struct shk_record *partial, *partial_check;
  /* true if it failed or has not been run; false if it was refused or none is planned */
  bool failed;
  char why[SHK_MESSAGE_SIZE]; /* why there is no reference */
};

/* Cells that differ only by step or tolerance. */
struct shk_family {
  enum shk_measure_id measure; /* measure of the cells' type; SHK_MEASURES for runs */
  enum shk_measured_in in;
  int group, run;              /* `run` is that of the first cell */
  const struct shk_cell *cell; /* of the first cell */
  char *problem;               /* canonical, including an explicit start */
  /* "" or " (until T)", which distinguishes it from a family of another group */
  char *suffix;
  bool by_tolerance;
  int count;
  int *cells; /* indices in the plan; the largest step comes first */
  /* while they are loaded; NULL for cells that have not been run */
  const struct shk_record **records;
  double *steps; /* steps or tolerances; 0 if there are none */

  bool inspected;
  struct shk_claims claims; /* all are unknown if the integrator is unknown */
  struct shk_inspection inspection;
  /* time_scale is 1 unless inspected; until is 0 for cells of steps */
  double epsilon, time_scale, until;
  /* largest max norms over the run; 1 if not recorded, or unless the family is loaded with its
   * reference */
  double size_q, size_p;
  const struct shk_group_reference *reference; /* while it is loaded; else NULL */
  /* for runs in a lower precision: the same runs in quad, or NULL */
  const struct shk_family *in_quad;
};

struct shk_families {
  int count, group_count;
  struct shk_family *families; /* in the order of the plan */
  struct shk_group_reference *references;
  const struct shk_plan *plan;
  struct shk_records *records;
  struct shk_analysis_source source;
  int taken; /* group whose reference is loaded; -1 if none is */
};

/* Gathers the measured cells without their records. If source is NULL, the engines' functions are
 * used. */
void shk_families_gather(struct shk_families *families, const struct shk_plan *plan,
                         struct shk_records *records, const struct shk_analysis_source *source);
void shk_families_clear(struct shk_families *families);

/* The first loads the records of a family with these parts; the second releases them. */
void shk_family_take(struct shk_families *families, const struct shk_family *family,
                     unsigned parts);
void shk_family_put_back(struct shk_families *families, const struct shk_family *family);
/* Loads the reference of a loaded family, and sets the family's sizes. The reference is valid until
 * that of another group is requested. */
void shk_family_refer(struct shk_families *families, struct shk_family *family);

/* Returns the max norm of a - b for the blocks with these names in two samples (which may be NULL),
 * or NaN if one of the blocks is missing. */
double shk_sample_distance(const struct shk_sample *a, const char *name_of_a,
                           const struct shk_sample *b, const char *name_of_b);
/* Returns the max norm of a block of a sample, or NaN if the sample lacks the block. */
double shk_sample_size(const struct shk_sample *sample, const char *name);
/* Stores the outcomes of a record's members or, without members, the record's outcome. Returns
 * their number. */
int shk_outcomes(const struct shk_outcome **list, const struct shk_record *record);
/* Returns the largest max norm of a block over the samples and members, or NaN if none has the
 * block. */
double shk_record_block_size(const struct shk_record *record, const char *name);
/* Returns true if the cell was refused, and false for NULL. */
bool shk_was_refused(const struct shk_record *record);
/* Returns the index of the finest cell that finished, or -1. */
int shk_family_finest(const struct shk_family *family);
/* Returns a number in the record of a cell, or NaN if the cell lacks it or did not finish. */
double shk_family_number(const struct shk_family *family, int index, enum shk_quantity_id id,
                         const char *parameter);
/* If the system is at rest, where a method satisfies claims merely by staying, returns the reason
 * why this decides nothing; else NULL. Rest is found at the problem's own start, and in references
 * that do not move. */
const char *shk_family_rests(const struct shk_family *family);
/* Returns the problem's enum shk_undecidable, with SHK_CHAOTIC only if runs exceed its horizon. */
unsigned shk_family_undecidable(const struct shk_family *family);
/* Returns a cell's recorded number of steps (for an ensemble, the mean over its members), or an
 * estimate if none is recorded. */
double shk_family_steps(const struct shk_family *family, int index);
/* Orders are fitted where errors are at least this many times the effect of the level to which the
 * constraint is claimed to be kept (curve.c), and at least 100 times the floor of errors. */
enum { SHK_LEVEL_MARGIN = 10 };
/* Returns the typical size of kinetic and potential energy in an outcome: the larger of |H(0)| and
 * max|q|·max|p|/time scale, which has the unit of an energy. */
double shk_family_energy(const struct shk_family *family, const struct shk_outcome *outcome);
/* Returns the round-off of the energy in a finished cell: that of a random walk over its steps. */
double shk_family_energy_floor(const struct shk_family *family, int index);

#endif

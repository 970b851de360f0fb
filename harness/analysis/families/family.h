/*
 * Families: cells of a plan that are analysed together, with their reference; and distances of
 * blocks in their records.
 */
#ifndef HARNESS_ANALYSIS_FAMILY_H
#define HARNESS_ANALYSIS_FAMILY_H

#include "engine/engine.h"
#include "harness/plan/plan.h"
#include "measures/quantity.h"
#include "results/record/record.h"

/* Functions that find claims and properties of problems, which records do not contain. NULL: the
 * engine of the cell's precision for claims, that of quad or double for problems. */
struct shk_analysis_source {
  bool (*claims)(const struct shk_context *context, struct shk_claims *claims,
                 const char *precision, const char *integrator, struct shk_message *error);
  bool (*inspect)(const struct shk_context *context, struct shk_inspection *inspection,
                  const char *problem, struct shk_message *error);
};

/* Blocks of a reference: all multipliers and wrenches are compared with those of the exact
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
  int cells[2]; /* its index in the plan, and its check's; -1: none */
  /* Set while it is loaded; NULL if none finished. */
  const struct shk_record *record;
  double size[SHK_REFERENCE_BLOCKS]; /* largest max norm over [0,T]; NaN if not recorded */
  /* Sizes that the blocks have in motions of the problem, and at rest (measures/scales.c); 0 if not
   * recorded. */
  double scale[SHK_REFERENCE_BLOCKS], rest[SHK_REFERENCE_BLOCKS];
  /* The block is zero but for the reference's round-off: errors decide nothing but whether a method
   * leaves a state of rest. */
  bool zero[SHK_REFERENCE_BLOCKS];
  double error
      [SHK_REFERENCE_BLOCKS]; /* largest error over the sample times, divided by the unit; NaN if
                                         unknown */
  /* The numbers by which errors are divided, for each member or its own: the size, at least 10⁻⁶ of
   * the scale; NULL before they are measured. */
  double (*units)[SHK_REFERENCE_BLOCKS];
  const struct shk_record *partial, *partial_check; /* without a reference: its run, and that of the
                                                       check, if they stopped early; else NULL */
  bool failed; /* it failed or has not been run; false: it was refused, or none is planned */
  char why[SHK_MESSAGE_SIZE]; /* reason why there is no reference */
};

/* Cells that differ by step or tolerance only. */
struct shk_family {
  enum shk_measure_id measure; /* of the cells' type; SHK_MEASURES: runs */
  enum shk_measured_in in;
  int group, run;              /* run: of the first cell */
  const struct shk_cell *cell; /* of the first cell */
  char *problem;               /* canonical, with an explicit start if there is one */
  char *suffix;                /* "" or " (until T)": distinguishes it from a family of another
                                  group */
  bool by_tolerance;
  int count;
  int *cells;                        /* indices into the plan, largest step first */
  const struct shk_record **records; /* while they are loaded; NULL: not run */
  double *steps;                     /* steps or tolerances; 0: none */

  bool inspected;
  struct shk_claims claims; /* all unknown if the integrator is unknown */
  struct shk_inspection inspection;
  double epsilon, time_scale, until; /* time_scale 1 unless inspected; until 0 for cells of steps */
  double size_q, size_p;             /* largest max norms over the run; 1 if not recorded, or while
                                        the family is not loaded with its reference */
  const struct shk_group_reference *reference; /* while it is loaded */
  const struct shk_family *in_quad; /* of runs in a lower precision: the same runs, or NULL */
};

struct shk_families {
  int count, group_count;
  struct shk_family *families; /* in the order of the plan */
  struct shk_group_reference *references;
  const struct shk_plan *plan;
  struct shk_records *records;
  struct shk_analysis_source source;
  int taken; /* group whose reference is loaded; -1: none */
};

/* Gathers the measured cells, without their records. source NULL: the functions of the engines. */
void shk_families_gather(struct shk_families *families, const struct shk_plan *plan,
                         struct shk_records *records, const struct shk_analysis_source *source);
void shk_families_clear(struct shk_families *families);

/* Loads the records of a family with these parts; shk_family_put_back releases them. */
void shk_family_take(struct shk_families *families, const struct shk_family *family,
                     unsigned parts);
void shk_family_put_back(struct shk_families *families, const struct shk_family *family);
/* Loads the reference of a family that is loaded, and sets the family's sizes. It is valid until
 * the reference of another group is requested. */
void shk_family_refer(struct shk_families *families, struct shk_family *family);

/* Returns the max norm of a - b, of blocks with these names in two samples (NULL: none); NaN if one
 * of them is missing. */
double shk_sample_distance(const struct shk_sample *a, const char *name_of_a,
                           const struct shk_sample *b, const char *name_of_b);
/* Returns the max norm of a block of a sample; NaN if it has none. */
double shk_sample_size(const struct shk_sample *sample, const char *name);
/* Stores the outcomes of a record's members, or its own, and returns their number. */
int shk_outcomes(const struct shk_outcome **list, const struct shk_record *record);
/* Returns the largest max norm of a block over the samples and members; NaN if none has it. */
double shk_record_block_size(const struct shk_record *record, const char *name);
/* True if the cell was refused. False for NULL. */
bool shk_was_refused(const struct shk_record *record);
/* Returns the index of the finest cell that finished, or -1. */
int shk_family_finest(const struct shk_family *family);
/* Returns a number in the record of a cell; NaN if it has none or did not finish. */
double shk_family_number(const struct shk_family *family, int index, enum shk_quantity_id id,
                         const char *parameter);
/* Returns a reason if the system is at rest, where a method upholds no claim by staying; else NULL.
 * Rest is found at the problem's own start, and in references that stand still. */
const char *shk_family_rests(const struct shk_family *family);
/* Returns the problem's enum shk_undecidable, SHK_CHAOTIC only if runs exceed its horizon. */
unsigned shk_family_undecidable(const struct shk_family *family);
/* Returns a cell's recorded number of steps (of an ensemble the mean over its members); an estimate
 * if none is recorded. */
double shk_family_steps(const struct shk_family *family, int index);
/* Orders are fitted where errors are at least ten times the effect of the level to which the
 * constraint is claimed to be kept (curve.c), and at least 100 times the floor of errors. */
enum { SHK_LEVEL_MARGIN = 10 };
/* Returns the typical size of kinetic and potential energy in an outcome: the larger of |H(0)| and
 * max|q|·max|p|/time scale, which has the unit of an energy. */
double shk_family_energy(const struct shk_family *family, const struct shk_outcome *outcome);
/* Returns the round-off of the energy in a finished cell: that of a random walk over its steps. */
double shk_family_energy_floor(const struct shk_family *family, int index);

#endif

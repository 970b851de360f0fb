/*
 * A family consists of cells of a plan that are analysed together, along with their reference. This
 * file also declares functions that compute distances between blocks of records.
 */
#ifndef HARNESS_ANALYSIS_FAMILY_H
#define HARNESS_ANALYSIS_FAMILY_H

#include "engine/engine.h"
#include "harness/plan/plan.h"
#include "measures/quantity.h"
#include "results/record/record.h"

/* Callbacks that look up claims and the properties of problems, which records do not contain. If
 * they are NULL, claims come from the engine of the cell's precision, and properties of problems
 * come from the quad or double engine. */
struct shk_analysis_source {
  bool (*claims)(const struct shk_context *context, struct shk_claims *claims,
                 const char *precision, const char *integrator, struct shk_message *error);
  bool (*inspect)(const struct shk_context *context, struct shk_inspection *inspection,
                  const char *problem, struct shk_message *error);
};

/* The blocks of a reference. All multipliers and wrenches are compared with those computed from the
 * exact formula. */
enum shk_reference_block {
  SHK_REFERENCE_Q,
  SHK_REFERENCE_P,
  SHK_REFERENCE_LAMBDA,
  SHK_REFERENCE_WRENCH,
  SHK_REFERENCE_BLOCKS
};
extern const char *const shk_reference_names[SHK_REFERENCE_BLOCKS];

/* The reference of a group and its estimated accuracy. */
struct shk_group_reference {
  /* the plan indices of the reference and of its check, or -1 for either one that does not exist */
  int cells[2];
  /* Set while the reference is loaded; NULL if the reference did not finish. */
  const struct shk_record *record;
  double size[SHK_REFERENCE_BLOCKS]; /* largest max norm over [0,T]; NaN if not recorded */
  /* The typical sizes of the blocks while the system moves and at rest (measures/scales.c), or 0 if
   * they are not recorded. */
  double scale[SHK_REFERENCE_BLOCKS], rest[SHK_REFERENCE_BLOCKS];
  /* True if the block is zero up to the reference's round-off. Its errors then only show whether a
   * method moves away from an equilibrium. */
  bool zero[SHK_REFERENCE_BLOCKS];
  double error
      [SHK_REFERENCE_BLOCKS]; /* largest error over the sample times, divided by the unit; NaN if
                                         unknown */
  /* The divisors by which errors are scaled: one row per member, or a single row if there are no
   * members. Each divisor is the size of the block, but at least 10⁻⁶ times its scale. NULL until
   * the divisors have been measured. */
  double (*units)[SHK_REFERENCE_BLOCKS];
  /* The runs of the reference and of its check that stopped early, if any; otherwise NULL. */
  const struct shk_record *partial, *partial_check;
  /* true if the reference failed or has not been run, but not if it was refused or was never
   * planned */
  bool failed;
  char why[SHK_MESSAGE_SIZE]; /* the reason why there is no reference */
};

/* A family of cells, which differ only in the step or the tolerance. */
struct shk_family {
  enum shk_measure_id measure; /* the measure that the cells compute, or SHK_MEASURES for runs */
  enum shk_measured_in in;
  int group, run;              /* `run` is the run of the first cell */
  const struct shk_cell *cell; /* the first cell of the family */
  /* the problem in canonical form, including an explicit initial state if there is one */
  char *problem;
  /* "", or a string such as " (until T)" that distinguishes the family from one in another group */
  char *suffix;
  bool by_tolerance;
  int count;
  int *cells; /* the cells' indices in the plan, with the largest step first */
  /* The cells' records while these are loaded. An element is NULL if the cell has not been run. */
  const struct shk_record **records;
  double *steps; /* the cells' steps or tolerances; 0 for cells that have neither */

  bool inspected;
  struct shk_claims claims; /* if the integrator is unknown, all of its claims are unknown too */
  struct shk_inspection inspection;
  /* `time_scale` is 1 if the problem was not inspected. `until` is 0 for single-step cells. */
  double epsilon, time_scale, until;
  /* the largest max norms of q and p over the run, or 1 if they are not recorded or no reference is
   * loaded */
  double size_q, size_p;
  const struct shk_group_reference *reference; /* NULL unless the reference is loaded */
  /* For runs in a lower precision, the family of the same runs in quad. NULL if there is none. */
  const struct shk_family *in_quad;
};

struct shk_families {
  int count, group_count;
  struct shk_family *families; /* families in the order of the plan */
  struct shk_group_reference *references;
  const struct shk_plan *plan;
  struct shk_records *records;
  struct shk_analysis_source source;
  int taken; /* the group whose reference is currently loaded, or -1 if there is none */
};

/* Groups the measured cells of a plan into families without loading their records. If source is
 * NULL, the engines' own functions are used. */
void shk_families_gather(struct shk_families *families, const struct shk_plan *plan,
                         struct shk_records *records, const struct shk_analysis_source *source);
void shk_families_clear(struct shk_families *families);

/* Loads the given parts of a family's records. The caller must release the records with
 * shk_family_put_back. */
void shk_family_take(struct shk_families *families, const struct shk_family *family,
                     unsigned parts);
void shk_family_put_back(struct shk_families *families, const struct shk_family *family);
/* Loads the reference of a family whose records are loaded, and determines the family's sizes. The
 * reference is valid until the reference of another group is requested. */
void shk_family_refer(struct shk_families *families, struct shk_family *family);

/* Returns the max norm of the difference between a block of sample a and a block of sample b.
 * Returns NaN if either block is missing. Both samples may be NULL. */
double shk_sample_distance(const struct shk_sample *a, const char *name_of_a,
                           const struct shk_sample *b, const char *name_of_b);
/* Returns the max norm of a block in a sample, or NaN if the sample does not contain the block. */
double shk_sample_size(const struct shk_sample *sample, const char *name);
/* Sets *list to the outcomes of a record's members or, if it has no members, to the record's own
 * outcome. Returns the number of outcomes. */
int shk_outcomes(const struct shk_outcome **list, const struct shk_record *record);
/* Returns the largest max norm of a block over all samples and members, or NaN if none of them
 * contains the block. */
double shk_record_block_size(const struct shk_record *record, const char *name);
/* Returns true if the integrator refused the cell. Returns false if `record` is NULL. */
bool shk_was_refused(const struct shk_record *record);
/* Returns the index of the finest cell that finished, or -1 if there is none. */
int shk_family_finest(const struct shk_family *family);
/* Returns a number from a cell's record, or NaN if the number is missing or the cell did not
 * finish. */
double shk_family_number(const struct shk_family *family, int index, enum shk_quantity_id id,
                         const char *parameter);
/* On a system at rest, a method can satisfy claims merely by not moving. If the system is at rest,
 * this function returns the reason why it decides nothing; otherwise it returns NULL. A system is
 * at rest if its initial state is an equilibrium or if its reference does not move. */
const char *shk_family_rests(const struct shk_family *family);
/* Returns the problem's flags from enum shk_undecidable. SHK_CHAOTIC is included only if the runs
 * are longer than the problem's horizon. */
unsigned shk_family_undecidable(const struct shk_family *family);
/* Returns the number of steps of a cell, or an estimate if the number is not recorded. For an
 * ensemble, it is the mean over the members. */
double shk_family_steps(const struct shk_family *family, int index);
/* Orders are fitted only to errors that are at least SHK_LEVEL_MARGIN times the effect of the
 * claimed constraint level (curve.c) and at least 100 times the error floor. */
enum { SHK_LEVEL_MARGIN = 10 };
/* Returns the typical size of the kinetic and potential energy in an outcome. It is the larger of
 * |H(0)| and max|q|·max|p|/time scale, which also has the unit of an energy. */
double shk_family_energy(const struct shk_family *family, const struct shk_outcome *outcome);
/* Estimates the round-off of the energy in a finished cell, assuming that rounding errors
 * accumulate like a random walk over its steps. */
double shk_family_energy_floor(const struct shk_family *family, int index);

#endif

/* Findings of cells with members, in addition to those of every cell. */
#ifndef HARNESS_ANALYSIS_MEMBER_FINDINGS_H
#define HARNESS_ANALYSIS_MEMBER_FINDINGS_H

#include "harness/analysis/families/findings.h"

/* Adds, for a quantity whose value is that of the worst member of the family's cell i,
 *     QUANTITY, mean of members     with its half-width
 *     QUANTITY, least of members
 *     QUANTITY, worst member        a word: its number, from 1, and its problem
 * and nothing if there are no members. `floor` is the quantity's (analysis.h). */
void shk_findings_add_members(struct shk_findings *findings, const struct shk_family *family, int i,
                              enum shk_quantity_id quantity, const char *parameter,
                              const struct shk_member_statistics *members, double floor);
/* Adds, for a quantity that each member has separately, `QUANTITY, least of members` and `QUANTITY,
 * largest of members`; and `QUANTITY, mean of members` unless that is the value already. */
void shk_findings_add_range(struct shk_findings *findings, const struct shk_family *family,
                            enum shk_quantity_id quantity, const char *parameter,
                            const struct shk_member_statistics *members, bool with_mean);

/* Behaviour of the energy in one run, if a study measures it. */
struct shk_run_drift {
  const struct shk_record *record;
  struct shk_drift drift;
};

/* Finds the class of the energy in the family's cell i, alone or over its members; false if it has
 * no record or no series of the energy. */
bool shk_family_drift(struct shk_drift *drift, const struct shk_family *family, int i);
/* Returns the number of time scales on which the class of the family is based. */
double shk_family_time_scales(const struct shk_family *family);

#endif

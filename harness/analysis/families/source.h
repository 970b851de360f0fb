/* Functions of an analysis for numbers that the records do not contain. */
#ifndef HARNESS_ANALYSIS_SOURCE_H
#define HARNESS_ANALYSIS_SOURCE_H

#include "engine/engine.h"

/* Functions as in struct shk_engine, of the engine of each precision;
 * `difference` and `compare` in quad. */
struct shk_analysis_source {
  const struct shk_context *context; /* for claims and inspections */
  double reference_epsilon;          /* of the precision of differences */
  bool (*difference)(double *difference, double *size, const struct shk_vector *a,
                     const struct shk_vector *b);
  bool (*compare)(struct shk_block_errors *comparison, const struct shk_vector *a,
                  const struct shk_vector *b);
  bool (*claims)(const struct shk_context *context, struct shk_claims *claims,
                 const char *precision, const char *integrator, struct shk_message *error);
  bool (*inspect)(const struct shk_context *context, struct shk_inspection *inspection,
                  const char *problem, struct shk_message *error);
};

#endif

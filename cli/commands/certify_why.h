/* The evidence of one claim, printed by `shakedown certify --why CLAIM`. */
#ifndef CLI_COMMANDS_CERTIFY_WHY_H
#define CLI_COMMANDS_CERTIFY_WHY_H

#include "harness/check/certify.h"

/* Prints the rows of one claim, each with its evidence for every step: errors and pairwise orders,
 * or defects and floors. */
void shk_print_why(const struct shk_certificate *certificate, int about,
                   const struct shk_analysis *analysis, const struct shk_plan *plan,
                   const struct shk_record *const *records);

#endif

/*
 * The evidence of one claim: what `shakedown certify --why CLAIM` prints.
 */
#ifndef CLI_COMMANDS_CERTIFY_WHY_H
#define CLI_COMMANDS_CERTIFY_WHY_H

#include "harness/check/certify.h"
#include "plots/kinds/kinds.h"

/* The rows about it, each with what it rests on step by step: errors and pairwise orders, defects
 * and floors. */
void shk_print_why(const struct shk_certificate *certificate, int about,
                   const struct shk_analysis *analysis, const struct shk_plan *plan,
                   const struct shk_record *const *records);
/* The figures of what decides it, as PDF: of all problems on which it is falsified, else a choice
 * of those that `request`, without types, would draw of a study that asks for the kind. Returns how
 * many; -1 after a complaint. */
int shk_draw_why(const struct shk_certificate *certificate, int about,
                 const struct shk_plot_request *request);

#endif

/*
 * The evidence of one claim, printed by `shakedown certify --why CLAIM`.
 */
#ifndef CLI_COMMANDS_CERTIFY_WHY_H
#define CLI_COMMANDS_CERTIFY_WHY_H

#include "harness/check/certify.h"
#include "plots/kinds/kinds.h"

/* Prints the rows of one claim of a study, each with its evidence for every step: errors and
 * pairwise orders, defects and floors. */
void shk_print_why(const struct shk_certificate *certificate, int about,
                   const struct shk_plot_request *of);
/* Draws the figures that decide a claim, as PDF: of all problems on which it is falsified, else the
 * selection that `request`, without types, draws of a study that asks for the kind. Returns the
 * number of figures; -1 after an error message. */
int shk_draw_why(const struct shk_certificate *certificate, int about,
                 const struct shk_plot_request *request);

#endif

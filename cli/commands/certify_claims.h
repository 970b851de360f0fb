/* Certificate as text for a terminal: a line for each claim, and reasons if it is not upheld. */
#ifndef CLI_COMMANDS_CERTIFY_CLAIMS_H
#define CLI_COMMANDS_CERTIFY_CLAIMS_H

#include "harness/check/certify.h"
#include "results/export/export.h"

/* Adds the rows: integrator, claim, stated, problem, precision, value, expected, verdict and
 * reason. */
void shk_certificate_add(struct shk_table *table, const struct shk_certificate *certificate,
                         int digits);
/* A row without its verdict and reason, "rattle: order of q 2 on pendulum in quad: 2.000, 2 ± 0.1".
 * The caller frees it. */
char *shk_certificate_text(const struct shk_certificate_row *row);

/* Prints a line for each claim: the verdict of all problems together, the counts of problems on
 * which it was held, falsified and undecided, and the range of the values that decided. */
void shk_print_claims(const struct shk_certificate *certificate);

/* Prints a sentence for each claim that fell, and the likely causes. */
void shk_print_fallen(const struct shk_certificate *certificate);

/* Prints these, the reasons of what is undecided, a reason shared by several problems once, what is
 * refused in one line, and the count of verdicts. */
void shk_print_reasons(const struct shk_certificate *certificate);

#endif

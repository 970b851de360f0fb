/* Prints a certificate as text for a terminal: a line for each claim, and the reasons of verdicts
 * other than "held". */
#ifndef CLI_COMMANDS_CERTIFY_CLAIMS_H
#define CLI_COMMANDS_CERTIFY_CLAIMS_H

#include "harness/check/certify.h"
#include "results/export/export.h"

/* Adds the rows with the columns integrator, claim, stated, problem, precision, value (rounded to
 * `digits`), expected, verdict and reason. */
void shk_certificate_add(struct shk_table *table, const struct shk_certificate *certificate,
                         int digits);
/* Returns the text of a row without verdict and reason, "rattle: order of q 2 on pendulum in quad:
 * 2.000, 2 ± 0.1". The caller frees it. */
char *shk_certificate_text(const struct shk_certificate_row *row);

/* Prints a line for each claim that applies, with its verdict over all problems, the number of
 * problems with each verdict, and the range of the values that decided it. */
void shk_print_claims(const struct shk_certificate *certificate);

/* Prints a sentence for each claim that is falsified, not demonstrated or failed, and the likely
 * causes. */
void shk_print_fallen(const struct shk_certificate *certificate);

/* Prints the sentences of shk_print_fallen, each reason of undecided and unclaimed rows once, one
 * line for the refusals of an integrator, and the count of each verdict. */
void shk_print_reasons(const struct shk_certificate *certificate);

/* Prints each reason of refusals once, with all problems that were refused for that reason. */
void shk_print_refusals(const struct shk_certificate *certificate);

/* Prints the command that reduces the first random system on which a claim fails, if there is one.
 * `options` contains the options that the method needs, such as " --plugin FILE". */
void shk_print_shrink(const struct shk_certificate *certificate, const char *options);

#endif

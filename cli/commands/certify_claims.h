/* Prints a certificate as text for a terminal: one line per claim, and the reasons for verdicts
 * other than "held". */
#ifndef CLI_COMMANDS_CERTIFY_CLAIMS_H
#define CLI_COMMANDS_CERTIFY_CLAIMS_H

#include "harness/check/certify.h"
#include "results/export/export.h"

/* Adds rows with the columns integrator, claim, stated, problem, precision, value (rounded to
 * `digits`), expected, verdict and reason. */
void shk_certificate_add(struct shk_table *table, const struct shk_certificate *certificate,
                         int digits);
/* Formats a row without its verdict and reason, such as "rattle: order of q 2 on pendulum in quad:
 * 2.000, 2 ± 0.1". The caller frees the string. */
char *shk_certificate_text(const struct shk_certificate_row *row);

/* Prints one line for each claim that applies. The line contains the claim's overall verdict, the
 * number of problems with each verdict, and the range of the values that decided it. */
void shk_print_claims(const struct shk_certificate *certificate);

/* Prints a sentence for each claim that is falsified, not demonstrated or failed, followed by the
 * likely causes. */
void shk_print_fallen(const struct shk_certificate *certificate);

/* Prints the sentences of shk_print_fallen, each distinct reason for undecided and unclaimed rows,
 * one line for each integrator that refused problems, and the number of rows with each verdict. */
void shk_print_reasons(const struct shk_certificate *certificate);

/* Prints each distinct reason for refusals, together with all problems that were refused for that
 * reason. */
void shk_print_refusals(const struct shk_certificate *certificate);

/* If a claim fails on a random system, prints the command that finds a smaller system on which it
 * fails, starting from the first such system. `options` contains the options that the method needs,
 * such as " --plugin FILE". */
void shk_print_shrink(const struct shk_certificate *certificate, const char *options);

#endif

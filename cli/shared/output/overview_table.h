/* Makes one table of the overview, in which each row is an integrator on a problem. */
#ifndef CLI_SHARED_OUTPUT_OVERVIEW_TABLE_H
#define CLI_SHARED_OUTPUT_OVERVIEW_TABLE_H

#include "results/record/finding.h"
#include <stdio.h>

/* Kinds of tables: two for a single problem and two for several problems together. */
enum shk_overview_part {
  SHK_OVERVIEW_PROBLEM,  /* orders, energies and violations */
  SHK_OVERVIEW_COSTS,    /* the cost of an error; rows are sorted by it */
  SHK_OVERVIEW_ACCURACY, /* several problems: orders and the cost of an error of 1e-6 */
  SHK_OVERVIEW_KEPT,     /* several problems: energies, violations and a word */
  SHK_OVERVIEW_PARTS
};

/* Returns the index after the last finding of the integrator (a row) whose findings begin at
 * `begin`. */
int shk_row_end(const struct shk_finding *const *f, int count, int begin);

/* Writes the text of a finding in a table. If `marked` is true, "!" follows a falsified value, and
 * "?" an undecided one. The text is empty if there is nothing to show. */
void shk_overview_text(char *text, size_t size, const struct shk_finding *f, bool marked);
/* Appends the rate, an energy per time, and its half-width to the energy class "drift": "drift
 * -1.21(3)e-5". The rate is found among `all` findings of the integrator, for the problem,
 * precision and horizon of the class. */
void shk_overview_rate(char *text, size_t size, const struct shk_finding *class,
                       const struct shk_finding *const *all, int count);
/* Returns true if `a` is shown instead of `b` when two findings belong in the same place of a table
 * (several precisions, horizons or problems). The criteria are, in this order, the rank of the
 * finding, the worse class, the more precise order, and the larger value. For costs, a table of
 * costs shows the lower one, and a table of several problems the higher one. */
bool shk_overview_prefers(const struct shk_finding *a, const struct shk_finding *b,
                          enum shk_overview_part part);
/* Returns true if the tables of a problem have a column for this finding. */
bool shk_overview_has(const struct shk_finding *f);

/* Where an overview is printed, and which summaries occurred in its rows. The meaning of these is
 * printed at the end. */
struct shk_overview_page {
  FILE *html;     /* NULL: the terminal */
  unsigned words; /* bit i is set if word i of shk_row_words was printed */
};

/* Prints a line. On a terminal, the line is wrapped, and all parts except the first are indented by
 * `indent` blanks. In HTML, it is a paragraph. */
void shk_overview_line(const struct shk_overview_page *page, const char *text, int indent);
/* Prints an empty line on a terminal. */
void shk_overview_gap(const struct shk_overview_page *page);
/* Prints the meaning of each summary that was printed since the previous call. */
void shk_overview_explain(struct shk_overview_page *page);

/* Prints those findings, sorted by integrator, that have columns in tables of this part. There is a
 * title, followed by a row for each integrator. If several findings belong in the same column
 * (precisions, horizons, problems), the most significant is shown. Empty columns are left out. On a
 * terminal, only as many columns are printed as fit the width. Returns false if there is no row. */
bool shk_overview_table_print(struct shk_overview_page *page, const struct shk_finding *const *f,
                              int count, enum shk_overview_part part);

/* Formats value(half-width in units of the last digits), such as 2.008(8) or 1.024(11), with at
 * most three decimals. The half-width has one digit, or two if the first is 1, and is rounded up.
 * Without a half-width below 10, only three decimals are written. The text is empty for NaN. */
void shk_concise_number(char *buffer, size_t size, double value, double half_width);

#endif

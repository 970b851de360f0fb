/* Prints one table of the overview, in which each row represents an integrator applied to a
 * problem. */
#ifndef CLI_SHARED_OUTPUT_OVERVIEW_TABLE_H
#define CLI_SHARED_OUTPUT_OVERVIEW_TABLE_H

#include "results/record/finding.h"
#include <stdio.h>

/* Kinds of tables: two for a single problem, and two for several problems together. */
enum shk_overview_part {
  SHK_OVERVIEW_PROBLEM,  /* orders, energies and violations */
  SHK_OVERVIEW_COSTS,    /* the cost of reaching a given error; rows are sorted by cost */
  SHK_OVERVIEW_ACCURACY, /* for several problems: orders, and the cost of an error of 1e-6 */
  SHK_OVERVIEW_KEPT,     /* for several problems: energies, violations and a summary word */
  SHK_OVERVIEW_PARTS
};

/* Returns one plus the index of the last finding in the row (an integrator) that starts at
 * `begin`. */
int shk_row_end(const struct shk_finding *const *f, int count, int begin);

/* Formats a finding for a table. If `marked` is true, "!" is appended to a falsified value, and "?"
 * to an undecided one. The result is empty if there is nothing to show. */
void shk_overview_text(char *text, size_t size, const struct shk_finding *f, bool marked);
/* Appends the drift rate (energy per time) and its half-width to the energy class "drift", as in
 * "drift -1.21(3)e-5". The rate is taken from `all`, the findings of the integrator, for the same
 * problem, precision and horizon as the class. */
void shk_overview_rate(char *text, size_t size, const struct shk_finding *class,
                       const struct shk_finding *const *all, int count);
/* Returns true if `a` is shown instead of `b` when two findings belong in the same cell of a table
 * because there are several precisions, horizons or problems. The criteria, in this order, are the
 * more significant finding, the worse class, the more precise order, and the larger value. If both
 * are costs, a cost table shows the lower one, and a table for several problems the higher one. */
bool shk_overview_prefers(const struct shk_finding *a, const struct shk_finding *b,
                          enum shk_overview_part part);
/* Returns true if the tables for a single problem have a column for this finding. */
bool shk_overview_has(const struct shk_finding *f);

/* The destination of an overview, and the summary words that have appeared in its rows. The
 * meanings of these words are printed at the end. */
struct shk_overview_page {
  FILE *html;     /* NULL: the terminal */
  unsigned words; /* bit i is set if entry i of shk_row_words was printed */
};

/* Prints a line. On a terminal, the line is wrapped, and continuation lines are indented by
 * `indent` blanks. In HTML, the line becomes a paragraph. */
void shk_overview_line(const struct shk_overview_page *page, const char *text, int indent);
/* Prints an empty line, on a terminal only. */
void shk_overview_gap(const struct shk_overview_page *page);
/* Prints the meaning of each summary word that has been printed since the previous call. */
void shk_overview_explain(struct shk_overview_page *page);

/* Prints the table of kind `part`: a title, followed by one row per integrator. The findings must
 * be sorted by integrator. If several findings belong in the same column, because there are several
 * precisions, horizons or problems, the most significant one is shown. Empty columns are omitted.
 * On a terminal, columns that do not fit are also omitted. Returns false if there are no rows. */
bool shk_overview_table_print(struct shk_overview_page *page, const struct shk_finding *const *f,
                              int count, enum shk_overview_part part);

/* Formats a value and its half-width in units of the last digits, such as 2.008(8) or 1.024(11),
 * with at most three decimals. The half-width is rounded up to one digit, or to two if the first
 * digit is 1. If there is no half-width below 10, only the value is written, with three decimals.
 * The result is empty for NaN. */
void shk_concise_number(char *buffer, size_t size, double value, double half_width);

#endif

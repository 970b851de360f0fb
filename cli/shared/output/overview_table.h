/* One table of the overview: the integrators on a problem, a row each. */
#ifndef CLI_SHARED_OUTPUT_OVERVIEW_TABLE_H
#define CLI_SHARED_OUTPUT_OVERVIEW_TABLE_H

#include "results/record/finding.h"
#include <stdio.h>

/* Kinds of table, two for one problem and two for several problems together. */
enum shk_overview_part {
  SHK_OVERVIEW_PROBLEM,  /* orders, energies and violations */
  SHK_OVERVIEW_COSTS,    /* the cost of an error, by which rows are sorted */
  SHK_OVERVIEW_ACCURACY, /* several: orders and the cost of an error of 1e-6 */
  SHK_OVERVIEW_KEPT,     /* several: energies, violations and a word */
  SHK_OVERVIEW_PARTS
};

/* Index after the last finding of the integrator (a row) whose findings begin at `begin`. */
int shk_row_end(const struct shk_finding *const *f, int count, int begin);

/* The text of a finding in a table. `marked`: "!" follows a falsified value, "?" an undecided one.
 * Empty if there is nothing to show. */
void shk_overview_text(char *text, size_t size, const struct shk_finding *f, bool marked);
/* Appends the rate, an energy per time, and its half-width to the class "drift" of the energy:
 * "drift -1.21(3)e-5". The rate is among `all` findings of the integrator, for the class's problem,
 * precision and horizon. */
void shk_overview_rate(char *text, size_t size, const struct shk_finding *class,
                       const struct shk_finding *const *all, int count);
/* True if `a` is shown rather than `b`, of two findings in one place of a table (several
 * precisions, horizons or problems): by standing, then the worse class, the sharper order, the
 * larger value. A table of costs shows the lower cost, a table of several problems the higher. */
bool shk_overview_prefers(const struct shk_finding *a, const struct shk_finding *b,
                          enum shk_overview_part part);
/* True if the tables of a problem have a column for this finding. */
bool shk_overview_has(const struct shk_finding *f);

/* Where an overview is printed, and the summaries in its rows, of which the meaning is printed at
 * the end. */
struct shk_overview_page {
  FILE *html;     /* NULL: the terminal */
  unsigned words; /* bit i: the word i of shk_row_words was printed */
};

/* Prints a line: on the terminal wrapped with `indent` blanks before all but its first part; in
 * HTML as a paragraph. */
void shk_overview_line(const struct shk_overview_page *page, const char *text, int indent);
/* Prints an empty line on the terminal. */
void shk_overview_gap(const struct shk_overview_page *page);
/* Prints the meaning of each summary that was printed since the last call. */
void shk_overview_explain(struct shk_overview_page *page);

/* Prints findings, sorted by integrator, that have columns in a table of that part: a row for each
 * integrator under a title. Of several findings for one column (precisions, horizons, problems) the
 * most significant is shown. Columns are those that are not empty; on the terminal as many as fit
 * the width. Returns false if there is no row. */
bool shk_overview_table_print(struct shk_overview_page *page, const struct shk_finding *const *f,
                              int count, enum shk_overview_part part);

/* Formats value(half-width in units of the last digits): 2.008(8), 1.024(11), with at most three
 * decimals. The half-width has one digit, two if the first is 1, and is rounded up. Without a
 * half-width below 10 three decimals alone; empty for NaN. */
void shk_concise_number(char *buffer, size_t size, double value, double half_width);

#endif

/* The results of a study at a glance: orders and classes of each method side by side. */
#ifndef CLI_SHARED_OUTPUT_OVERVIEW_H
#define CLI_SHARED_OUTPUT_OVERVIEW_H

#include "harness/analysis/analysis.h"
#include "plots/kinds/kinds.h"
#include "results/export/export.h"

enum shk_tables { SHK_TABLES_NONE, SHK_TABLES, SHK_TABLES_EACH };

/* For people: a row for each integrator, with the orders as value(half-width in the last digits),
 * the energy class, and the largest constraint violations, in lines as wide as the terminal; of
 * several precisions, horizons and problems what says most. Of one problem, of few rows, or if
 * asked, each problem has a table, of a large study the first hundred. "!" follows what is
 * falsified, "?" what is undecided. Below them what became of runs through singular points, each
 * reason once, and a line that counts the verdicts; without tables only these last two. */
void shk_overview_print(const struct shk_analysis *analysis, enum shk_tables tables);
/* Of an unfinished study, without what its cells may still change; returns how much that is. */
int shk_overview_print_unfinished(const struct shk_analysis *analysis, enum shk_tables tables);

/* The same tables in LaTeX, a tabular for each, as the study's labels call methods and problems. */
void shk_overview_print_latex(const struct shk_analysis *analysis, const struct shk_study *study);

/* Says which problems are without figures, since there are too many, and what could not be
 * drawn. */
void shk_complain_of_figures(const struct shk_study *study, const struct shk_plotted *plotted);

/* "40 held, 0 falsified, …", how many there are of each. */
void shk_print_verdicts(const int counts[SHK_VERDICTS]);

#endif

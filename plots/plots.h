/*
 * Figures for papers. Each is a data file, NAME.dat, a gnuplot script that reads only that file,
 * NAME.gp, and what gnuplot makes of them: `gnuplot NAME.gp` in the folder draws it again.
 */
#ifndef PLOTS_PLOTS_H
#define PLOTS_PLOTS_H

#include "foundation/message.h"
#include "harness/analysis/analysis.h"

enum { SHK_MOST_DRAWN = 100 };

/* The types of figures, "pdf", "svg", "png" and "tex", ended by NULL. A tex figure is
 * NAME-latex.tex, for \input, and NAME-latex.pdf, which it includes. */
extern const char *const shk_plot_types[];

/* Draws the figures that the study names, or with none named all that the data allow, in each of
 * `types` (ended by NULL), into a folder, which is made if there is none:
 *
 *   order-PROBLEM-BLOCK           error of a block against the step, a panel for each precision
 *   order-PROBLEM                 the same for q, p and the multipliers side by side
 *   energy-PROBLEM-PRECISION      H - H(0) along the run
 *   constraint-PROBLEM-PRECISION  g and the hidden constraint along the run
 *   work-precision-PROBLEM-PRECISION  error of q against CPU time and evaluations
 *   tolerance-PROBLEM-PRECISION   slope of the energy against the tolerance of the multiplier solve
 *   structure-PROBLEM-PRECISION   defects of a step, and |g|, against the step (by name only)
 *   multipliers-PROBLEM-PRECISION lambda by strategy where constraints are redundant (by name only)
 *   phase-…, trajectory-…, step-…, fibres-PROBLEM-PRECISION, hopf-PRECISION  states (by name only)
 *   scaling-NAME-PRECISION        cost per step and constraint against the number of constraints
 *   certificates                  claims and verdicts, a row for each integrator
 *   outcome-map-PROBLEM-PRECISION what became of each cell; of swept problems one for each step
 *   regularity-PROBLEM-PRECISION  least singular value, crossings and multiplier along the run
 *   parameter-PROBLEM-PRECISION-step-STEP  error and iterations against what is swept
 *
 * A figure that the study names otherwise has that name in place of its kind.
 *
 * An integrator has the same colour, mark and dashes in all of them, by its place in the study.
 * records[i] belongs to plan->cells[i]; NULL where there is none. They have all their parts, or
 * else these are taken from `parts` figure by figure. Returns how many figures were drawn, each
 * counted once whatever the number of types; -1 with the reason. Of *left_out groups of cells (a
 * problem with its start and horizon) none was drawn, for there are more than SHK_MOST_DRAWN. */
int shk_plot_all(const struct shk_study *study, const struct shk_plan *plan,
                 const struct shk_record *const *records, struct shk_records *parts,
                 const struct shk_analysis *analysis, const char *directory,
                 const char *const *types, int *left_out, struct shk_message *error);

/* Draws what `simulate` wrote: the first coordinates and |H - H(0)| against time, as SVG. The
 * header of the CSV names the columns t, q1, …, energy. False with the reason. */
bool shk_plot_rows(const char *csv_file, const char *svg_file, struct shk_message *error);

/* Draws the same rows as a motion of the problem, as SVG. Specifications are canonical; the step is
 * shown as it stands, NULL: none. False with the reason, also where the problem does not say what
 * it looks like. */
bool shk_plot_motion(const char *csv_file, const char *problem, const char *integrator,
                     const char *step, const char *svg_file, struct shk_message *error);

#endif

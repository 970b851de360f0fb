/*
 * Figures for papers. Each is a data file, NAME.dat, a gnuplot script that reads only that file,
 * NAME.gp, and what gnuplot makes of them: `gnuplot NAME.gp` in the folder draws it again.
 *
 * A kind of figure is one file here, plots/kinds/NAME.c, which defines shk_figure_kind_NAME, and
 * one line in harness/study/figure_kinds.def, which has its word in study files.
 */
#ifndef PLOTS_KINDS_KINDS_H
#define PLOTS_KINDS_KINDS_H

#include "plots/canvas/drawing.h"

struct shk_figure_kind {
  const char *shows;    /* content and needs, as in docs/guides/paper-figures.md */
  bool only_by_name;    /* a study has to ask for it */
  const char *template; /* NULL: that of its own name */
  const char *measure;  /* that it needs; NULL: none, or one of several */
  /* One of these draws the figures of a group in a precision, of a group, or of the study; none
   * where the records do not hold what it needs. False with the message set. */
  bool (*of_precision)(struct shk_drawing *drawing, int group, const char *precision);
  bool (*of_group)(struct shk_drawing *drawing, int group);
  bool (*of_study)(struct shk_drawing *drawing);
  /* Whether the group is among those to be drawn by default; NULL: all are alike. */
  bool (*is_telling)(const struct shk_drawing *drawing, int group);
};

#define SHK_FIGURE_KIND(name, word, axes)                                                          \
  extern const struct shk_figure_kind shk_figure_kind_##name;
#include "harness/study/figure_kinds.def"
#undef SHK_FIGURE_KIND

/* A kind by its place in the list, beginning with 0; NULL after the last. */
const struct shk_figure_kind *shk_figure_kind_at(int index);

/* Of a study, problems (with their start and horizon) are drawn up to so many. */
enum { SHK_MOST_DRAWN = 100 };

/* What is drawn: all figures, or so many, chosen: of each kind those of the first problems, each in
 * one precision and summed up in one figure; more of them in the summary of a report. What a study
 * selects is drawn in any case. */
enum shk_plot_extent { SHK_PLOT_CHOSEN, SHK_PLOT_SUMMARY, SHK_PLOT_EVERYTHING };
enum { SHK_MOST_CHOSEN = 10, SHK_MOST_IN_SUMMARY = 48 };

/* The types of figures, "pdf", "svg", "png" and "tex", ended by NULL. A tex figure is
 * NAME-latex.tex, for \input, and NAME-latex.pdf, which it includes. */
extern const char *const shk_plot_types[];

/* records[i] belongs to plan->cells[i]; NULL where there is none. They have all their parts, or
 * else these are taken from `parts` figure by figure. */
struct shk_plot_request {
  const struct shk_study *study;
  const struct shk_plan *plan;
  const struct shk_record *const *records;
  struct shk_records *parts; /* NULL: all are there */
  const struct shk_analysis *analysis;
  const char *directory;    /* made if there is none */
  const char *const *types; /* ended by NULL */
  enum shk_plot_extent extent;
  const char *templates; /* a folder of those that are taken before our own; NULL: none */
};

/* What a study asks for by name and has nothing to draw. */
struct shk_undrawn {
  const char *kind, *measure; /* that it lacks; NULL: none is asked for in vain */
};

struct shk_plotted {
  int drawn;        /* figures, each counted once whatever the number of types */
  bool passed_over; /* there are more that were not chosen */
  int left_out; /* groups of cells (a problem with its start and horizon) of which none was drawn,
                       since there are more than SHK_MOST_DRAWN */
  int undrawn_count;
  struct shk_undrawn undrawn[SHK_MOST_CHOSEN]; /* the first of them */
};

/* Draws figures of the kinds that the study names, or with none named of all that the data allow,
 * in each type. Names of files begin with the kind, or with the name that the study gives the
 * figure; most go on with the problem and the precision. An integrator has the same colour, mark
 * and dashes in all of them, by its place in the study. False with the reason. */
bool shk_plot_all(struct shk_plotted *plotted, const struct shk_plot_request *request,
                  struct shk_message *error);

/* Whether a figure of the study shows motion. */
bool shk_plots_motion(const struct shk_study *study);
/* Asks for the scenes of these figures and draws none: whoever keeps answers has them then
 * (harness/run/said.h). */
void shk_plot_ask_scenes(const struct shk_study *study, const struct shk_plan *plan,
                         const struct shk_record *const *records, struct shk_records *parts,
                         const struct shk_analysis *analysis);

#endif

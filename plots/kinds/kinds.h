/*
 * Figures for papers. Each consists of a data file, NAME.dat, a gnuplot script that reads only that
 * file, NAME.gp, and the drawing made of them: `gnuplot NAME.gp` in the folder draws it again.
 *
 * A kind of figure is one file here, plots/kinds/NAME.c, which defines shk_figure_kind_NAME, and
 * one line in harness/study/figure_kinds.def, which has its word in study files.
 */
#ifndef PLOTS_KINDS_KINDS_H
#define PLOTS_KINDS_KINDS_H

#include "plots/canvas/drawing.h"

struct shk_figure_kind {
  const char *shows;    /* contents and requirements, printed in docs/guides/paper-figures.md */
  bool only_by_name;    /* drawn only if a study asks for it */
  const char *template; /* NULL: the template of the kind's own name */
  const char *measure;  /* measure that it needs; NULL: none, or one of several */
  /* Draw the figures of a group in a precision, of a group, or of the study; one of the three is
   * set. They draw nothing if the records lack the data. Return false with the message set. */
  bool (*of_precision)(struct shk_drawing *drawing, int group, const char *precision);
  bool (*of_group)(struct shk_drawing *drawing, int group);
  bool (*of_study)(struct shk_drawing *drawing);
  /* True if the group is to be drawn by default; NULL: all groups are. */
  bool (*is_telling)(const struct shk_drawing *drawing, int group);
};

#define SHK_FIGURE_KIND(name, word, axes)                                                          \
  extern const struct shk_figure_kind shk_figure_kind_##name;
#include "harness/study/figure_kinds.def"
#undef SHK_FIGURE_KIND

/* A kind by its index in the list, from 0; NULL after the last. */
const struct shk_figure_kind *shk_figure_kind_at(int index);

/* Limit of problems (with their start and horizon) drawn of a study. */
enum { SHK_MOST_DRAWN = 100 };

/* Number of figures: all, or a limited number, chosen from each kind: the first problems, each in
 * one precision and summarized in one figure. The summary of a report has more of them. Figures
 * that a study selects are always drawn. */
enum shk_plot_extent { SHK_PLOT_CHOSEN, SHK_PLOT_SUMMARY, SHK_PLOT_EVERYTHING };
enum { SHK_MOST_CHOSEN = 10, SHK_MOST_IN_SUMMARY = 48 };

/* The types of figures, "pdf", "svg", "png" and "tex", ended by NULL. A tex figure is
 * NAME-latex.tex, for \input, and NAME-latex.pdf, which it includes. */
extern const char *const shk_plot_types[];

/* records[i] belongs to plan->cells[i]; NULL: none. They have all their parts, or else these are
 * read from `parts` figure by figure. */
struct shk_plot_request {
  const struct shk_study *study;
  const struct shk_plan *plan;
  const struct shk_record *const *records;
  struct shk_records *parts; /* NULL: all are there */
  const struct shk_analysis *analysis;
  const char *directory;    /* created if it does not exist */
  const char *const *types; /* ended by NULL */
  enum shk_plot_extent extent;
  const char *templates; /* folder whose templates replace the built-in ones; NULL: none */
};

/* A kind of figure that a study asks for by name and that has no data. */
struct shk_undrawn {
  const char *kind, *measure; /* the measure that the study lacks; NULL: none is missing */
};

struct shk_plotted {
  int drawn;        /* number of figures, each counted once for all types */
  bool passed_over; /* true: more figures exist that were not chosen */
  int left_out;     /* groups of cells not drawn: those beyond SHK_MOST_DRAWN */
  int undrawn_count;
  struct shk_undrawn undrawn[SHK_MOST_CHOSEN]; /* the first of them */
};

/* Draws figures of the kinds that the study names, or of all that the data allow, in each type.
 * File names begin with the kind, or with the study's name for the figure, mostly followed by
 * problem and precision. Returns false with the reason. */
bool shk_plot_all(struct shk_plotted *plotted, const struct shk_plot_request *request,
                  struct shk_message *error);

/* True if a figure of the study shows motion. */
bool shk_plots_motion(const struct shk_study *study);
/* Requests the bodies of these figures and draws none, so that their descriptors are cached
 * (harness/run/said.h). */
void shk_plot_ask_bodies(const struct shk_study *study, const struct shk_plan *plan,
                         const struct shk_record *const *records, struct shk_records *parts,
                         const struct shk_analysis *analysis);

#endif

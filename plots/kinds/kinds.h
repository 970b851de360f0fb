/*
 * Figures for papers. Each consists of a data file, NAME.dat, a gnuplot script, NAME.gp, that reads
 * only this file, and the resulting drawing. Running `gnuplot NAME.gp` in the folder draws it
 * again.
 *
 * A kind of figure consists of a template, a shk_figure_kind_NAME in a file here (NAME.c, or one
 * shared by similar kinds), and a line in harness/study/figure_kinds.def that contains its word in
 * studies.
 */
#ifndef PLOTS_KINDS_KINDS_H
#define PLOTS_KINDS_KINDS_H

#include "plots/canvas/drawing.h"

enum { SHK_MOST_AXES = 4 };

struct shk_figure_kind {
  const char *title;    /* beginning of the caption */
  bool only_by_name;    /* true if drawn only on request */
  const char *template; /* NULL for the template with the kind's name */
  const char *measure;  /* measure that it needs; NULL if none or one of several */
  /* Adds to a chart the panels for a group in a precision (of_group: in all precisions, with one
   * call) and for this part of the kind (NULL if it has no parts). Adds none if the records lack
   * the data. On failure, sets the message and returns false. */
  bool of_group;
  bool (*draw)(struct shk_drawing *drawing, struct shk_chart *chart, int group,
               const char *precision, const char *part);
  int most_parts;    /* number of parts in a figure that names none; 0 for all */
  bool first_part;   /* true: a figure of several problems that names no part shows the first one */
  bool stacked;      /* true: the panels of one problem are in one column */
  bool of_all;       /* true: one figure of all groups, drawn with the first one */
  bool each_problem; /* true: every problem can have such a figure */
  bool by_step;      /* true: a point for each cell; the caption names failed cells */
  struct shk_portrait {                  /* for shk_draw_portrait */
    const char *axes[SHK_MOST_AXES + 1]; /* "q1", "p2", "lambda1" or "t", terminated by NULL */
    const char *problem, *without[4];    /* the only problem; its forbidden options */
    const char *note;                    /* text in the caption, or NULL */
    bool equal, whole;                   /* same scale on both axes; all groups of the problem */
    int most;                            /* number of methods; 0 for all */
  } portrait;
};

#define SHK_FIGURE_KIND(name, word, parts)                                                         \
  extern const struct shk_figure_kind shk_figure_kind_##name;
#include "harness/study/figure_kinds.def"
#undef SHK_FIGURE_KIND

/* Draws components of the states in runs: those of the kind, or those that the study names as
 * axes. */
bool shk_draw_portrait(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                       const char *precision, const char *part);

/* Limits on the number of problems (each with a start and a horizon), on the figures of a request
 * unless all are requested, and on the figures in a report of many problems. */
enum { SHK_MOST_DRAWN = 100, SHK_MOST_OF_REQUEST = 12, SHK_MOST_IN_SUMMARY = 48 };

/* The types of figures, "pdf", "svg", "png" and "tex", terminated by NULL. A tex figure is
 * NAME-latex.tex, for \input, and NAME-latex.pdf, which it includes. */
extern const char *const shk_plot_types[];

struct shk_plotted {
  int drawn, wanted;          /* figures drawn, counted once for all types; and without limit */
  int left_out;               /* groups of cells beyond SHK_MOST_DRAWN, which are not drawn */
  struct shk_text_list notes; /* omissions, and requests with too many figures */
  int undrawn_count;
  struct shk_undrawn {            /* a kind of figure that a study names but that has no data */
    const char *kind, *measure;   /* the measure that the study lacks, or NULL */
  } undrawn[SHK_MOST_OF_REQUEST]; /* the first few only */
};
void shk_plotted_clear(struct shk_plotted *plotted);

/* Draws the figures that the study names, or those of all kinds that the data allow, in each type.
 * File names begin with the kind, or with the study's name for the figure, usually followed by
 * problem, part and precision. shk_plotted_clear frees `plotted` in any case. Without a directory,
 * the bodies are only requested, which caches their descriptors (harness/run/replies.h). Returns
 * false with the reason on failure. */
bool shk_plot_all(struct shk_plotted *plotted, const struct shk_plot_request *request,
                  struct shk_message *error);

/* Returns true if a figure of the study shows motion. */
bool shk_plots_motion(const struct shk_study *study);

#endif

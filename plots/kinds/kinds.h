/*
 * Figures for papers. Each consists of a data file, NAME.dat, a gnuplot script that reads only that
 * file, NAME.gp, and the drawing made of them: `gnuplot NAME.gp` in the folder draws it again.
 *
 * A kind of figure is a template, a shk_figure_kind_NAME in a file here (NAME.c, or one shared by
 * similar kinds), and a line in harness/study/figure_kinds.def, which has its word in studies.
 */
#ifndef PLOTS_KINDS_KINDS_H
#define PLOTS_KINDS_KINDS_H

#include "plots/canvas/drawing.h"

enum { SHK_MOST_AXES = 4 };

struct shk_figure_kind {
  const char *title;    /* beginning of the caption */
  bool only_by_name;    /* drawn only if a study asks for it */
  const char *template; /* NULL: the template of the kind's own name */
  const char *measure;  /* measure that it needs; NULL: none, or one of several */
  /* Adds the panels of a group in a precision (of_group: in all precisions, in one call) and of
   * this part of the kind (NULL: it has none) to a chart; none if the records lack the data. False
   * with the message set. */
  bool of_group;
  bool (*draw)(struct shk_drawing *drawing, struct shk_chart *chart, int group,
               const char *precision, const char *part);
  int most_parts;    /* number of parts in a figure that names none; 0: all */
  bool first_part;   /* true: a figure of several problems that names no part has the first one */
  bool stacked;      /* panels of one problem are one below the other */
  bool of_all;       /* one figure of all groups, which `draw` draws in the first one */
  bool each_problem; /* every problem may have such a figure */
  bool by_step;      /* a point for each cell: the caption names cells that failed */
  struct shk_portrait {                  /* for shk_draw_portrait */
    const char *axes[SHK_MOST_AXES + 1]; /* "q1", "p2", "lambda1" or "t", ended by NULL */
    const char *problem, *without[4];    /* the only problem; options that it must not have */
    const char *note;                    /* in the caption; or NULL */
    bool equal, whole; /* one scale for both axes; all groups of the problem in one figure */
    int most;          /* number of methods; 0: all */
  } portrait;
};

#define SHK_FIGURE_KIND(name, word, parts)                                                         \
  extern const struct shk_figure_kind shk_figure_kind_##name;
#include "harness/study/figure_kinds.def"
#undef SHK_FIGURE_KIND

/* Draws components of the states of runs: those of the kind, or the axes that the study names. */
bool shk_draw_portrait(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                       const char *precision, const char *part);

/* Limits: of problems, with their start and horizon; of the figures of a request, unless all are
 * wanted; of figures in a report of many problems. */
enum { SHK_MOST_DRAWN = 100, SHK_MOST_OF_REQUEST = 12, SHK_MOST_IN_SUMMARY = 48 };

/* The types of figures, "pdf", "svg", "png" and "tex", ended by NULL. A tex figure is
 * NAME-latex.tex, for \input, and NAME-latex.pdf, which it includes. */
extern const char *const shk_plot_types[];

struct shk_plotted {
  int drawn, wanted; /* number of figures, each counted once for all types; and if all were drawn */
  int left_out;      /* groups of cells beyond SHK_MOST_DRAWN, which are not drawn */
  struct shk_text_list notes; /* what figures leave out, and requests with too many figures */
  int undrawn_count;
  struct shk_undrawn { /* a kind of figure that a study asks for by name and that has no data */
    const char *kind, *measure;   /* the measure that the study lacks; NULL: none is missing */
  } undrawn[SHK_MOST_OF_REQUEST]; /* the first of them */
};
void shk_plotted_clear(struct shk_plotted *plotted);

/* Draws the figures that the study names, or of all kinds that the data allow, in each type. File
 * names begin with the kind, or with the study's name for the figure, mostly followed by problem,
 * part and precision. shk_plotted_clear frees `plotted` in any case. Without a directory only
 * bodies are requested, so that their descriptors are cached (harness/run/replies.h). Returns
 * false with the reason. */
bool shk_plot_all(struct shk_plotted *plotted, const struct shk_plot_request *request,
                  struct shk_message *error);

/* True if a figure of the study shows motion. */
bool shk_plots_motion(const struct shk_study *study);

#endif

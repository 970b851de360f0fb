/*
 * Draws figures for papers. A figure consists of a data file NAME.dat, a gnuplot script NAME.gp
 * that reads only this data file and its templates, and the resulting drawing. Running `gnuplot
 * NAME.gp` in the folder draws the figure again.
 *
 * To define a kind of figure, add a template, a shk_figure_kind_NAME in a source file in this
 * folder (NAME.c, or a file shared by similar kinds), and a line in harness/study/figure_kinds.def
 * with the name used in studies.
 */
#ifndef PLOTS_KINDS_KINDS_H
#define PLOTS_KINDS_KINDS_H

#include "plots/canvas/drawing.h"

enum { SHK_MOST_AXES = 4 };

struct shk_figure_kind {
  const char *title;    /* beginning of the figure's caption */
  bool only_by_name;    /* true if figures of this kind are drawn only on request */
  const char *template; /* name of the template, or NULL if it is the name of the kind */
  /* the required measure, or NULL if none is required or if any of several is sufficient */
  const char *measure;
  /* Adds the panels for a group and a part of the kind (NULL if the kind has no parts) to a chart.
   * Each call handles one precision, unless `of_group` is set; then there is only one call, for all
   * precisions. No panels are added if the records lack the data. On failure, sets the message and
   * returns false. */
  bool of_group;
  bool (*draw)(struct shk_drawing *drawing, struct shk_chart *chart, int group,
               const char *precision, const char *part);
  /* maximum number of parts in a figure that does not name its parts; 0 means all */
  int most_parts;
  /* true if a figure of several problems shows only the first part unless it names others */
  bool first_part;
  bool stacked;         /* true if the panels of one problem form a column */
  bool of_all;          /* true if a single figure, drawn with the first group, shows all groups */
  bool each_problem;    /* true if every problem can have such a figure */
  bool by_step;         /* true if each cell is a point; the caption then names failed cells */
  struct shk_portrait { /* for shk_draw_portrait */
    const char *axes[SHK_MOST_AXES + 1]; /* "q1", "p2", "lambda1" or "t", terminated by NULL */
    /* the problem that can be drawn (NULL for all), and the options that it must not have */
    const char *problem, *without[4];
    const char *note; /* note in the caption, or NULL */
    /* whether the axes have the same scale, and whether one figure shows all groups of the
     * problem */
    bool equal, whole;
    int most; /* maximum number of methods; 0 means all */
  } portrait;
};

#define SHK_FIGURE_KIND(name, word, parts)                                                         \
  extern const struct shk_figure_kind shk_figure_kind_##name;
#include "harness/study/figure_kinds.def"
#undef SHK_FIGURE_KIND

/* Draws components of the states of runs. The study can name the components as axes; otherwise,
 * those of the kind are drawn. */
bool shk_draw_portrait(struct shk_drawing *drawing, struct shk_chart *chart, int group,
                       const char *precision, const char *part);

/* Limits on the number of problems (each with a start and a horizon), on the number of figures per
 * request unless the user requests all, and on the number of figures in a report on many
 * problems. */
enum { SHK_MOST_DRAWN = 100, SHK_MOST_OF_REQUEST = 12, SHK_MOST_IN_SUMMARY = 48 };

/* The file types of figures, "pdf", "svg", "png" and "tex", terminated by NULL. A tex figure
 * consists of NAME-latex.tex, which is meant for \input, and NAME-latex.pdf, which that file
 * includes. */
extern const char *const shk_plot_types[];

struct shk_plotted {
  /* the number of figures drawn, and the number that would be drawn without limits */
  int drawn, wanted;
  int left_out;               /* number of groups beyond SHK_MOST_DRAWN, which are not drawn */
  struct shk_text_list notes; /* notes on omissions and on requests for too many figures */
  int undrawn_count;
  /* a kind of figure that was requested but for which there are no data */
  struct shk_undrawn {
    const char *kind, *measure;   /* the kind, and the measure that the study lacks (or NULL) */
  } undrawn[SHK_MOST_OF_REQUEST]; /* only the first few are listed */
};
void shk_plotted_clear(struct shk_plotted *plotted);

/* Draws the figures that the study requests, in each file type. If it requests none, figures of all
 * kinds for which there are data are drawn. File names begin with the kind, or with the study's
 * name for the figure, usually followed by problem, part and precision. If the request has no
 * directory, nothing is drawn, but the descriptors of moving bodies are cached
 * (harness/run/replies.h). On failure, returns false and sets the message. The caller must call
 * shk_plotted_clear in either case. */
bool shk_plot_all(struct shk_plotted *plotted, const struct shk_plot_request *request,
                  struct shk_message *error);

/* Returns true if at least one figure of the study shows motion. */
bool shk_plots_motion(const struct shk_study *study);

#endif

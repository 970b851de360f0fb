/* Class of the energy over a long run, from the series "energy-error" (H - H(0)). */
#ifndef HARNESS_ANALYSIS_STATISTICS_DRIFT_H
#define HARNESS_ANALYSIS_STATISTICS_DRIFT_H

#include "foundation/specifications/cell.h"
#include "harness/analysis/statistics/line.h"
#include "harness/analysis/statistics/members.h"

#include <stdio.h>

enum shk_energy_class {
  SHK_ENERGY_UNDETERMINED,
#define CLASS(id, word) SHK_ENERGY_##id,
#include "harness/analysis/statistics/classes.def"
#undef CLASS
  SHK_ENERGY_CLASSES
};

/* Runs over fewer time scales than this decide nothing. */
#define SHK_ENERGY_TIME_SCALES 1000.0

struct shk_energy_run {
  const struct shk_series *series;
  double epsilon;  /* machine epsilon of the run's precision */
  double scale;    /* typical size of the kinetic and potential energy; positive */
  double steps;    /* number of steps */
  bool finished;   /* true if the run reached its end */
  bool not_finite; /* true if the run ended with a NaN or an infinity */
  char *name;      /* name of the member, for the evidence; NULL for a run without members */
};

struct shk_drift {
  enum shk_energy_class class;
  /* slope of the interval means in energy per time, and two standard errors of it */
  double slope, slope_half_width;
  double oscillation; /* peak-to-peak amplitude without the contribution of the slope */
  double largest;     /* largest |H - H(0)| */
  /* power of the lag with which the RMS increments grow; NaN if there is none */
  double exponent;
  /* if the energy settles at another level: the distance of that level from H(0), known to within a
   * tenth of the problem's energy; else NaN */
  double settled;
  double floor; /* round-off level of |H - H(0)| */
  /* Statistics of the members if there are any (ensemble.c). */
  struct shk_member_statistics member_slopes;
  /* true if the means follow the line of this slope (shk_follows_line) */
  bool straight;
  bool near_roundoff; /* the energy stays within 1000 floors of its first level */
  /* true if the run serves another purpose and is too short for a class */
  bool too_short;
  char why[SHK_MESSAGE_SIZE]; /* the evidence, or why it is undetermined */
};

/* Class of the energy in one run, for figures. */
struct shk_run_drift {
  const struct shk_record *record;
  struct shk_drift drift;
};

/* A result that contains neither numbers nor a class. */
extern const struct shk_drift shk_no_drift;

/* Sets the slope and the oscillation to zero. The half-width is the steepest least-squares slope
 * that is possible if |H - H(0)| does not exceed its largest value or its round-off, whichever is
 * larger. This slope is three times that bound divided by the length of the run. It occurs if the
 * two halves of the run are at opposite bounds. */
void shk_energy_level(struct shk_drift *drift, const struct shk_series *series);

/* Finds the class of one run, of any length. */
void shk_energy_classify(struct shk_drift *drift, const struct shk_energy_run *run);

/* A run reduced to windows of equal length, with the mean, the minimum and the maximum of each. */
enum { SHK_ENERGY_WINDOWS = 32, SHK_ENERGY_LEAST_WINDOWS = 16, SHK_ENERGY_MOST_WINDOWS = 128 };
struct shk_energy_windows {
  int count;
  double time[SHK_ENERGY_MOST_WINDOWS], mean[SHK_ENERGY_MOST_WINDOWS];
  double low[SHK_ENERGY_MOST_WINDOWS], high[SHK_ENERGY_MOST_WINDOWS];
  /* Set if there are at least SHK_ENERGY_LEAST_WINDOWS windows: straight lines through the means of
   * all windows and of each half, in energy per time, and the oscillation as in struct
   * shk_drift. */
  struct shk_line slope, early, late;
  double oscillation;
};
void shk_energy_windows(struct shk_energy_windows *windows, const struct shk_series *series);
/* Returns true if the slopes of both halves have the sign of the overall slope and are between a
 * third and three times as large. */
bool shk_is_linear(double slope, double early, double late);
/* Returns true if the means stay close to the line with this slope through their middle: within
 * half the oscillation or within a tenth of the change along the line, whichever is larger. */
bool shk_follows_line(const double *time, const double *mean, int count, double slope,
                      double oscillation);

/* Stores the class with its evidence. */
#define shk_conclude(drift, what, ...)                                                             \
  ((drift)->class = (what), shk_text_print((drift)->why, sizeof(drift)->why, __VA_ARGS__))
#define shk_undetermined(drift, ...) shk_conclude(drift, SHK_ENERGY_UNDETERMINED, __VA_ARGS__)

/* Combines the classes of runs at three or more steps (the largest step first) over this number of
 * time scales. The three finest runs that are not at round-off decide: either all of them are
 * bounded, or at least two grow. */
void shk_energy_combine(struct shk_drift *drift, const struct shk_drift *runs, int count,
                        double time_scales);

/* The words for the classes (classes.def), and "undetermined". */
extern const char *const shk_energy_words[SHK_ENERGY_CLASSES];
/* Returns the class with this word, or SHK_ENERGY_CLASSES if there is none. Better classes have
 * smaller values. */
enum shk_energy_class shk_energy_class_named(const char *word);

/* ---- ensembles (ensemble.c) ----
 *
 * Uncertainties assume that members are independent. The values along a single trajectory are
 * not. */

/* From this number of members on, the time scales of all members are added. The sum must then reach
 * SHK_ENERGY_TIME_SCALES, and each member must reach a tenth of that. */
enum { SHK_ENSEMBLE_MEMBERS = 8 };

/* Returns the number of time scales to pass to shk_energy_combine if each member runs over
 * `time_scales`. */
double shk_ensemble_time_scales(double time_scales, int members);

/* Classifies the runs of the members of one cell, all at the same step. ensemble.c explains the
 * statistics in *drift. */
void shk_ensemble_classify(struct shk_drift *drift, const struct shk_energy_run *runs, int count);

#endif

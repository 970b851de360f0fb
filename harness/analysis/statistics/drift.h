/* Classifies the energy over a long run, based on the series "energy-error" (H - H(0)). */
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

/* Runs that span fewer time scales than this are too short to decide anything. */
#define SHK_ENERGY_TIME_SCALES 1000.0

struct shk_energy_run {
  const struct shk_series *series;
  double epsilon;  /* machine epsilon of the run's precision */
  double scale;    /* typical size of the kinetic and potential energy; must be positive */
  double steps;    /* number of steps */
  bool finished;   /* true if the run completed */
  bool not_finite; /* true if the run ended with a NaN or an infinity */
  char *name;      /* the member's name, quoted in the evidence; NULL if there are no members */
};

struct shk_drift {
  enum shk_energy_class class;
  /* the slope of the interval means, in energy per time, and twice its standard error */
  double slope, slope_half_width;
  double oscillation; /* peak-to-peak amplitude without the contribution of the slope */
  double largest;     /* largest |H - H(0)| */
  /* the exponent with which the RMS increments grow as the lag increases, or NaN if unknown */
  double exponent;
  /* the distance from H(0) of the level at which the energy settles, if that distance is less than
   * a tenth of the problem's energy; otherwise NaN */
  double settled;
  double floor; /* round-off level of |H - H(0)| */
  /* the statistics of the members' slopes, if there are members (ensemble.c) */
  struct shk_member_statistics member_slopes;
  /* true if the means stay close to a line with this slope (shk_follows_line) */
  bool straight;
  bool near_roundoff; /* true if the energy stays within 1000 floors of its first level */
  /* true if the run serves another purpose and is too short to be classified */
  bool too_short;
  char why[SHK_MESSAGE_SIZE]; /* the evidence for the class, or the reason why it is undetermined */
};

/* The energy class of one run, as shown in figures. */
struct shk_run_drift {
  const struct shk_record *record;
  struct shk_drift drift;
};

/* An empty result: all numbers are NaN and the class is undetermined. */
extern const struct shk_drift shk_no_drift;

/* Sets the slope and the oscillation to zero. The half-width is the steepest least-squares slope
 * that is possible if |H - H(0)| is bounded by its largest value or by its round-off, whichever is
 * larger. That slope is three times the bound divided by the length of the run, and is attained if
 * the two halves of the run are at opposite bounds. */
void shk_energy_level(struct shk_drift *drift, const struct shk_series *series);

/* Classifies a single run, no matter how short it is. */
void shk_energy_classify(struct shk_drift *drift, const struct shk_energy_run *run);

/* A run reduced to windows of equal length, each with its mean, minimum and maximum. */
enum { SHK_ENERGY_WINDOWS = 32, SHK_ENERGY_LEAST_WINDOWS = 16, SHK_ENERGY_MOST_WINDOWS = 128 };
struct shk_energy_windows {
  int count;
  double time[SHK_ENERGY_MOST_WINDOWS], mean[SHK_ENERGY_MOST_WINDOWS];
  double low[SHK_ENERGY_MOST_WINDOWS], high[SHK_ENERGY_MOST_WINDOWS];
  /* Straight lines through the means of all windows and of each half, in energy per time, and the
   * oscillation as in struct shk_drift. They are set only if there are at least
   * SHK_ENERGY_LEAST_WINDOWS windows. */
  struct shk_line slope, early, late;
  double oscillation;
};
void shk_energy_windows(struct shk_energy_windows *windows, const struct shk_series *series);
/* Returns true if the slopes of both halves have the same sign as the overall slope and are between
 * a third and three times as large. */
bool shk_is_linear(double slope, double early, double late);
/* Returns true if the means stay close to the line with this slope through their midpoint. They may
 * be up to half the oscillation or a tenth of the change along the line away from it, whichever is
 * larger. */
bool shk_follows_line(const double *time, const double *mean, int count, double slope,
                      double oscillation);

/* Stores a class together with its evidence. */
#define shk_conclude(drift, what, ...)                                                             \
  ((drift)->class = (what), shk_text_print((drift)->why, sizeof(drift)->why, __VA_ARGS__))
#define shk_undetermined(drift, ...) shk_conclude(drift, SHK_ENERGY_UNDETERMINED, __VA_ARGS__)

/* Combines the classes of runs at three or more step sizes, each of which spans this number of time
 * scales. The largest step must come first. The result depends on the three finest runs that are
 * not at round-off. A class is found only if all of them are bounded or if at least two of them
 * grow. */
void shk_energy_combine(struct shk_drift *drift, const struct shk_drift *runs, int count,
                        double time_scales);

/* The names of the classes (classes.def), including "undetermined". */
extern const char *const shk_energy_words[SHK_ENERGY_CLASSES];
/* Returns the class with this name, or SHK_ENERGY_CLASSES if there is none. Better classes have
 * smaller values. */
enum shk_energy_class shk_energy_class_named(const char *word);

/* ---- ensembles (ensemble.c) ----
 *
 * Uncertainties are computed from the spread between members, which are assumed to be independent.
 * Values along a single trajectory are not independent. */

/* If there are at least this many members, the time scales that they span are added up. The sum
 * must then reach SHK_ENERGY_TIME_SCALES, and each member must span at least a tenth of that. */
enum { SHK_ENSEMBLE_MEMBERS = 8 };

/* Returns the number of time scales to pass to shk_energy_combine if each member spans
 * `time_scales` of them. */
double shk_ensemble_time_scales(double time_scales, int members);

/* Classifies the energy of an ensemble from the runs of all members of one cell, which have the
 * same step. The statistics in *drift are explained in ensemble.c. */
void shk_ensemble_classify(struct shk_drift *drift, const struct shk_energy_run *runs, int count);

#endif

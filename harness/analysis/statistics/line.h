/* Fits straight lines by least squares. */
#ifndef HARNESS_ANALYSIS_STATISTICS_LINE_H
#define HARNESS_ANALYSIS_STATISTICS_LINE_H

struct shk_line {
  double constant, slope;
  double error;   /* standard error of the slope */
  double squares; /* sum of squared residuals */
};

/* Fits the line y = constant + slope x. */
struct shk_line shk_line_fit(const double *x, const double *y, int count);
/* Fits the line log y = constant + slope log x. */
struct shk_line shk_power_fit(const double *x, const double *y, int count);

#endif

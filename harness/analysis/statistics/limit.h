/*
 * The limit of a sequence of numbers or vectors as its step goes to zero, with an uncertainty.
 */
#ifndef HARNESS_ANALYSIS_STATISTICS_LIMIT_H
#define HARNESS_ANALYSIS_STATISTICS_LIMIT_H

/* What is extrapolated: `count` vectors of `size` components each, those of the largest step
 * first. */
struct shk_sequence {
  int count, size;
  const double *const *values;
  const double *noise; /* of each vector: a bound for the root mean square of its error */
};

struct shk_limit {
  double size;        /* root mean square of the limit's components */
  double uncertainty; /* of the limit, in the same norm; infinite where there are too few vectors */
  double coarser;     /* the same limit from a window that begins one step earlier: its size */
  int used;           /* the limit is that of so many of the last vectors */
  double value;       /* the limit itself, of numbers (size 1) */
};

/* The weights of all combinations that are tried, which depend on the steps alone: of the last
 * `used` vectors, or, one `back`, of as many that end one earlier. They extrapolate
 * c_0 + c_1 h^gap + c_2 h^(gap+1) + … */
struct shk_windows {
  int count;
  double *weights;
};

struct shk_windows shk_windows_make(const double *steps, int count, int gap);
/* One weight for each of the vectors, from the first on. */
double *shk_window(const struct shk_windows *windows, int used, int back);
void shk_windows_clear(struct shk_windows *windows);

/* Extrapolates through two or more of the last vectors, and returns what the least uncertain
 * combination says. The uncertainty is twice the larger of what the last degree and the last step
 * changed, and what the noise contributes. Needs three vectors. */
struct shk_limit shk_limit_of(const struct shk_sequence *sequence,
                              const struct shk_windows *windows);

#endif

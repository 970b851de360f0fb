/* The limit of a sequence of numbers or vectors as its step vanishes, with an uncertainty. */
#ifndef HARNESS_ANALYSIS_STATISTICS_LIMIT_H
#define HARNESS_ANALYSIS_STATISTICS_LIMIT_H

/* Sequence to extrapolate: `count` vectors of `size` components each, the largest step first. */
struct shk_sequence {
  int count, size;
  const double *const *values;
  const double *noise; /* of each vector: bound of the root mean square of its error */
};

struct shk_limit {
  double size;        /* root mean square of the limit's components */
  double uncertainty; /* of the limit, in the same norm; infinite if there are too few vectors */
  double coarser;     /* size of the limit from a window that starts one step earlier */
  int used;           /* number of last vectors that the limit comes from */
  double value;       /* the limit itself, for numbers (size 1) */
};

/* Weights of all combinations, which depend on the steps alone: of the last `used` vectors or, with
 * `back` 1, of the same number ending one vector earlier. They extrapolate c_0 + c_1 h^gap + c_2
 * h^(gap+1) + … */
struct shk_windows {
  int count;
  double *weights;
};

struct shk_windows shk_windows_make(const double *steps, int count, int gap);
/* Returns one weight for each of the vectors, from the first on. */
double *shk_window(const struct shk_windows *windows, int used, int back);
void shk_windows_clear(struct shk_windows *windows);

/* Extrapolates through two or more of the last vectors, and returns the result of the least
 * uncertain combination. The uncertainty is twice the larger of the changes by the last degree and
 * by the last step, plus the contribution of the noise. Needs three vectors. */
struct shk_limit shk_limit_of(const struct shk_sequence *sequence,
                              const struct shk_windows *windows);

#endif

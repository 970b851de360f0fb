/*
 * Derives the band of an analysed value from theory. The band is the range within which a newer
 * value counts as unchanged.
 */
#ifndef HARNESS_CHECK_BAND_H
#define HARNESS_CHECK_BAND_H

#include "harness/analysis/analysis.h"
#include "harness/analysis/families/bounds.h"

enum shk_band_kind {
  SHK_BAND_NONE,   /* changes are reported but never cause a failure */
  SHK_BAND_EQUAL,  /* the word or the number must be exactly the same */
  SHK_BAND_WITHIN, /* the difference is limited */
  SHK_BAND_FACTOR  /* the ratio is limited */
};

/* A band. In baselines, it is stored as a string in the following format, which is written by
 * shk_band_text and read by shk_band_read:
 *
 *   not gated | equal | factor F [above FLOOR] | TERM { " + " TERM }
 *   TERM = N | N " %" | [ N ] " half-widths" */
struct shk_band {
  enum shk_band_kind kind;
  /* the largest permitted difference, and a percentage of the older value that is added to it */
  double absolute, percent;
  double half_widths; /* the number of half-widths of each value that are also added */
  /* the largest permitted ratio of values above the floor; the floor can be 0 */
  double factor, floor;
};

enum shk_band_reason {
#define REASON(id, ...) SHK_BECAUSE_##id,
#include "harness/check/band_reasons.def"
#undef REASON
  SHK_BAND_REASONS
};

/* Returns the band of a finding and stores the reason for it. */
struct shk_band shk_band_of(const struct shk_finding *finding, enum shk_band_reason *why);

extern const struct shk_reason {
  const char *word, *sentence;
  enum shk_band_kind kind;
  enum shk_bound floors, percent, half_widths, factor;
} shk_band_reasons[SHK_BAND_REASONS];
/* Returns the reason with this word, or SHK_BAND_REASONS if there is none. */
enum shk_band_reason shk_band_reason_named(const char *word);

/* Returns the range within which a newer value must be. If the newer half-width exceeds both
 * `absolute` and twice the older half-width, it is replaced by the larger of the two. Otherwise, a
 * value could pass merely because it has become less precise. */
struct shk_band_range {
  double low, high;
};
struct shk_band_range shk_band_range(const struct shk_band *band, double was, double was_half_width,
                                     double is_half_width);
/* Returns true if the newer value is within the band. Two infinities of the same sign count as
 * equal. */
bool shk_band_holds(const struct shk_band *band, double was, double was_half_width, double is,
                    double is_half_width);

/* Formats a band as a string in a buffer of at least 96 bytes. Returns the buffer. */
char *shk_band_text(char *buffer, unsigned long size, const struct shk_band *band);
/* Describes the format of bands in messages. */
#define SHK_BAND_WORDS                                                                             \
  "\"not gated\", \"equal\", \"factor F above FLOOR\" or a sum of N, N % and N half-widths, as "   \
  "in "                                                                                            \
  "\"0.1 + half-widths\""
/* Parses a band. Returns false if the string is not a valid band. */
bool shk_band_read(struct shk_band *band, const char *text);

#endif

/*
 * The band of an analysed value, derived from theory: the range in which a newer value counts as
 * unchanged.
 */
#ifndef HARNESS_CHECK_BAND_H
#define HARNESS_CHECK_BAND_H

#include "harness/analysis/analysis.h"
#include "harness/analysis/families/bounds.h"

enum shk_band_kind {
  SHK_BAND_NONE,   /* changes are reported but are never a failure */
  SHK_BAND_EQUAL,  /* the same word or exactly the same number */
  SHK_BAND_WITHIN, /* at most this difference */
  SHK_BAND_FACTOR  /* at most this ratio */
};

/* A band. Baselines contain it as text, which shk_band_text writes and shk_band_read reads:
 *
 *   not gated | equal | factor F [above FLOOR] | TERM { " + " TERM }
 *   TERM = N | N " %" | [ N ] " half-widths" */
struct shk_band {
  enum shk_band_kind kind;
  double absolute, percent; /* a difference, plus a percentage of the older value */
  double half_widths;       /* plus this many half-widths of both values */
  double factor, floor;     /* the ratio of values above the floor, which can be 0 */
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

/* Returns the range for a newer value. If the newer half-width exceeds `absolute` and twice the
 * older half-width, the excess over the larger of these is ignored. A value therefore cannot pass
 * merely because it has become imprecise. */
struct shk_band_range {
  double low, high;
};
struct shk_band_range shk_band_range(const struct shk_band *band, double was, double was_half_width,
                                     double is_half_width);
/* Returns true if the newer value is in the band. Two infinities of the same sign are equal. */
bool shk_band_holds(const struct shk_band *band, double was, double was_half_width, double is,
                    double is_half_width);

/* Writes the band as text to a buffer of at least 96 bytes. Returns the buffer. */
char *shk_band_text(char *buffer, unsigned long size, const struct shk_band *band);
/* The possible forms of this text, for use in messages. */
#define SHK_BAND_WORDS                                                                             \
  "\"not gated\", \"equal\", \"factor F above FLOOR\" or a sum of N, N % and N half-widths, as "   \
  "in "                                                                                            \
  "\"0.1 + half-widths\""
/* Reads a band. Returns false if the text is not a band. */
bool shk_band_read(struct shk_band *band, const char *text);

#endif

/*
 * How far an analysed value may move before it has changed: a band around it, from theory.
 */
#ifndef HARNESS_CHECK_BAND_H
#define HARNESS_CHECK_BAND_H

#include "harness/analysis/analysis.h"

enum shk_band_kind {
  SHK_BAND_NONE,   /* reported if it moves, but never a failure */
  SHK_BAND_EQUAL,  /* a word, or a number to the last digit */
  SHK_BAND_WITHIN, /* a distance */
  SHK_BAND_FACTOR  /* a ratio */
};

/* As text, which shk_band_text writes and shk_band_read reads:
 *
 *   not gated | equal | factor F [above FLOOR] | TERM { " + " TERM }
 *   TERM = N | N " %" | [ N ] " half-widths"
 */
struct shk_band {
  enum shk_band_kind kind;
  double absolute, percent; /* a distance: this much, and this much of the value before */
  double half_widths;       /* and so many half-widths of both values */
  double factor, floor;     /* a ratio, of what is above the floor; the floor may be 0 */
};

enum shk_band_reason {
#define REASON(id, word, sentence) SHK_BECAUSE_##id,
#include "harness/check/band_reasons.def"
#undef REASON
  SHK_BAND_REASONS
};

/* The band of a finding, and why it applies. */
struct shk_band shk_band_of(const struct shk_finding *finding, enum shk_band_reason *why);

const char *shk_band_word(enum shk_band_reason why);
const char *shk_band_sentence(enum shk_band_reason why);
/* False if there is no such word. */
bool shk_band_reason_named(enum shk_band_reason *why, const char *word);

/* Where `value` may lie. A half-width of the newer value counts up to `absolute` or twice the old
 * one, whichever is larger: a measurement that has become vague is no excuse. */
struct shk_band_range {
  double low, high;
};
struct shk_band_range shk_band_range(const struct shk_band *band, double was, double was_half_width,
                                     double is_half_width);
/* Whether it does. Two infinities of one sign are equal. */
bool shk_band_holds(const struct shk_band *band, double was, double was_half_width, double is,
                    double is_half_width);

/* size at least 96. Returns the buffer. */
char *shk_band_text(char *buffer, unsigned long size, const struct shk_band *band);
/* False if the text is no band. */
bool shk_band_read(struct shk_band *band, const char *text);

#endif

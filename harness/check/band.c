/*
 * Bands from theory: the range of an analysed value if nothing has changed.
 */
#include "harness/check/band.h"
#include "harness/analysis/families/verdict.h"
#include "harness/analysis/statistics/order.h"
#include "measures/quantity.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Reasons and their bands:
 * - order: least squares on an asymptotic window; the band of verdicts, 0.1 in quad and 0.2 in
 *   double, and the half-widths of both values, since the bias is deterministic.
 * - truncation: an error, a violation or a defect well above round-off is a deterministic number;
 *   rounding moves it by less than ten floors (and by the reference's own error), and five percent
 *   are added for the largest of many numbers.
 * - round-off: near its floor only the size of a number is significant; a factor of 10, applied
 *   above the floor. Claimed to vanish: up to 1000 floors (verdict.h); an error: up to 100 of them
 *   (order.h).
 * - secular: a slope has a standard error; twice the half-widths of both values, each two of them.
 * - counted: evaluations and iterations are whole numbers; only the last iteration of a solve can
 *   depend on rounding.
 * - ensemble: a mean over members (members.h) has a half-width; twice those of both. Values of a
 *   single member, the least, the largest or the name of the worst, are not compared.
 * - adaptive: steps chosen from error estimates; rounding may reverse one rejection, and the
 *   following steps are then another sequence.
 * - chaotic: beyond the generic horizon rounding has grown to the size of the solution.
 * - class: a word. undetermined: no value to compare. clock: another machine, another day.
 *
 * Measured on the sprung pendulum over 640 time units with a start moved by 1e-14: at fixed steps
 * errors move by up to 0.7 %, counts by 0.3 %; steps that follow a tolerance (IDA, CVODE, RADAU5)
 * move errors at the finest tolerance by a factor of up to 7, counts by up to 19 %.
 */
static const struct {
  const char *word, *sentence;
} reasons[SHK_BAND_REASONS] = {
#define REASON(id, word, sentence) [SHK_BECAUSE_##id] = {word, sentence},
#include "harness/check/band_reasons.def"
#undef REASON
};

const char *shk_band_word(enum shk_band_reason why)
{
  return reasons[why].word;
}

const char *shk_band_sentence(enum shk_band_reason why)
{
  return reasons[why].sentence;
}

bool shk_band_reason_named(enum shk_band_reason *why, const char *word)
{
  for (int i = 0; i < SHK_BAND_REASONS; i++)
    if (strcmp(reasons[i].word, word) == 0) {
      *why = (enum shk_band_reason)i;
      return true;
    }
  return false;
}

static bool begins(const char *text, const char *with)
{
  return strncmp(text, with, strlen(with)) == 0;
}

static struct shk_band within(double absolute, double percent, double half_widths)
{
  return (struct shk_band){.kind = SHK_BAND_WITHIN,
                           .absolute = absolute,
                           .percent = percent,
                           .half_widths = half_widths};
}

static struct shk_band by_factor(double factor, double floor)
{
  return (struct shk_band){.kind = SHK_BAND_FACTOR, .factor = factor, .floor = floor};
}

/* The band of a mean over members. */
static struct shk_band of_mean(const struct shk_finding *f, enum shk_band_reason *why)
{
  const double floor = f->floor > 0 ? f->floor : 0;
  *why = f->value <= SHK_VANISHES * floor ? SHK_BECAUSE_ROUND_OFF : SHK_BECAUSE_ENSEMBLE;
  return f->value <= SHK_VANISHES * floor
             ? by_factor(shk_bounds[SHK_BOUND_ROUND_OFF_FACTOR], floor)
             : within(shk_bounds[SHK_BOUND_FLOORS] * floor,
                      shk_bounds[SHK_BOUND_TRUNCATION_PERCENT], shk_bounds[SHK_BOUND_HALF_WIDTHS]);
}

/* The band of a size, which is never negative: an error, a violation, a defect, an energy. */
static struct shk_band of_size(const struct shk_finding *f, enum shk_band_reason *why)
{
  const struct shk_quantity *const entry = f->named.entry;
  double floor = f->floor > 0 ? f->floor : 0;
  if (entry->floor == SHK_FLOOR_REFERENCE && f->uncertainty > 0)
    floor += f->uncertainty;
  const double near = entry->kind == SHK_KIND_ERROR ? SHK_ORDER_MARGIN : SHK_VANISHES;
  if (f->value <= near * floor) {
    *why = SHK_BECAUSE_ROUND_OFF;
    return by_factor(shk_bounds[SHK_BOUND_ROUND_OFF_FACTOR], floor);
  }
  if (f->chaotic) {
    *why = SHK_BECAUSE_CHAOTIC;
    return by_factor(shk_bounds[SHK_BOUND_CHAOTIC_FACTOR], floor);
  }
  if (f->adaptive) {
    *why = SHK_BECAUSE_ADAPTIVE;
    return by_factor(shk_bounds[SHK_BOUND_ADAPTIVE_FACTOR], floor);
  }
  *why = SHK_BECAUSE_TRUNCATION;
  return within(shk_bounds[SHK_BOUND_FLOORS] * floor, shk_bounds[SHK_BOUND_TRUNCATION_PERCENT], 0);
}

/* The band of a value that is a number. */
static struct shk_band of_number(const struct shk_finding *f, enum shk_band_reason *why)
{
  const struct shk_named_quantity *const named = &f->named;
  switch (named->entry->kind) {
  case SHK_KIND_CLOCK:
    *why = SHK_BECAUSE_CLOCK;
    return (struct shk_band){.kind = SHK_BAND_NONE};
  case SHK_KIND_GROWTH:
    *why = SHK_BECAUSE_SECULAR;
    return within(0, 0, shk_bounds[SHK_BOUND_HALF_WIDTHS]);
  case SHK_KIND_ORDER:
    *why = SHK_BECAUSE_ORDER;
    return within(shk_order_band(f->precision), 0, 1);
  default:
    break;
  }
  if (named->statistic == SHK_STATISTIC_MEAN)
    return of_mean(f, why);
  switch (named->entry->kind) {
  case SHK_KIND_SECULAR:
    *why = SHK_BECAUSE_SECULAR;
    return within(0, shk_bounds[SHK_BOUND_TRUNCATION_PERCENT], shk_bounds[SHK_BOUND_HALF_WIDTHS]);
  case SHK_KIND_COUNT:
    *why = SHK_BECAUSE_COUNTED;
    if (named->id == SHK_QUANTITY_WORK_STEPS && !f->adaptive)
      return (struct shk_band){.kind = SHK_BAND_EQUAL};
    return within(0,
                  f->adaptive ? shk_bounds[SHK_BOUND_COUNTED_ADAPTIVE_PERCENT]
                              : shk_bounds[SHK_BOUND_COUNTED_PERCENT],
                  0);
  default:
    return of_size(f, why);
  }
}

struct shk_band shk_band_of(const struct shk_finding *f, enum shk_band_reason *why)
{
  const struct shk_band none = {.kind = SHK_BAND_NONE};
  if (f->named.statistic != SHK_STATISTIC_NONE && f->named.statistic != SHK_STATISTIC_MEAN) {
    *why = SHK_BECAUSE_EXTREME;
    return none;
  }
  const bool word = f->word != NULL && isnan(f->value);
  if (word ? strcmp(f->word, "undetermined") == 0 : isnan(f->value)) {
    *why = SHK_BECAUSE_UNDETERMINED;
    return none;
  }
  if (word) {
    /* Classes of the energy's round-off depend on the machine. */
    *why = f->floor > 0 ? SHK_BECAUSE_ROUND_OFF : SHK_BECAUSE_CLASS;
    return f->floor > 0 ? none : (struct shk_band){.kind = SHK_BAND_EQUAL};
  }
  return of_number(f, why);
}

struct shk_band_range shk_band_range(const struct shk_band *band, double was, double was_half_width,
                                     double is_half_width)
{
  struct shk_band_range range = {-INFINITY, INFINITY};
  if (band->kind == SHK_BAND_EQUAL) {
    range = (struct shk_band_range){was, was};
  } else if (band->kind == SHK_BAND_FACTOR) {
    /* A value below the floor may be anything down to zero. */
    const double size = fmax(fabs(was), band->floor), least = size / band->factor;
    range.high = band->factor * size;
    range.low = least <= band->floor ? 0 : least;
  } else if (band->kind == SHK_BAND_WITHIN) {
    double width = band->absolute + band->percent / 100 * fabs(was);
    if (band->half_widths > 0) {
      const double old = was_half_width > 0 ? was_half_width : 0;
      const double new = is_half_width > 0 ? is_half_width : 0;
      width += band->half_widths * (old + fmin(new, fmax(band->absolute, 2 * old)));
    }
    range = (struct shk_band_range){was - width, was + width};
  }
  return range;
}

bool shk_band_holds(const struct shk_band *band, double was, double was_half_width, double is,
                    double is_half_width)
{
  if (was == is)
    return true;
  const struct shk_band_range range = shk_band_range(band, was, was_half_width, is_half_width);
  return is >= range.low && is <= range.high;
}

/* Appends a term to the text of a sum. */
static void add_term(char *buffer, unsigned long size, const char *term)
{
  const size_t length = strlen(buffer);
  snprintf(buffer + length, size - length, "%s%s", length > 0 ? " + " : "", term);
}

char *shk_band_text(char *buffer, unsigned long size, const struct shk_band *band)
{
  char term[40];
  buffer[0] = '\0';
  if (band->kind == SHK_BAND_NONE || band->kind == SHK_BAND_EQUAL) {
    snprintf(buffer, size, band->kind == SHK_BAND_NONE ? "not gated" : "equal");
  } else if (band->kind == SHK_BAND_FACTOR) {
    snprintf(term, sizeof term, band->floor > 0 ? " above %.2g" : "", band->floor);
    snprintf(buffer, size, "factor %.6g%s", band->factor, term);
  } else {
    snprintf(term, sizeof term, "%.2g", band->absolute);
    if (band->absolute > 0)
      add_term(buffer, size, term);
    snprintf(term, sizeof term, "%.6g %%", band->percent);
    if (band->percent > 0)
      add_term(buffer, size, term);
    snprintf(term, sizeof term, "%.6g half-widths", band->half_widths);
    if (band->half_widths > 0)
      add_term(buffer, size, band->half_widths == 1 ? "half-widths" : term);
    if (!*buffer)
      add_term(buffer, size, "0");
  }
  return buffer;
}

/* Reads a number that is not negative; *text then points behind it. */
static bool read_number(double *value, const char **text)
{
  char *end;
  if (**text < '0' || **text > '9')
    return false;
  *value = strtod(*text, &end);
  *text = end;
  return isfinite(*value);
}

static bool skip(const char **text, const char *what)
{
  if (!begins(*text, what))
    return false;
  *text += strlen(what);
  return true;
}

/* Reads one term of a distance; each kind may occur once. */
static bool read_term(struct shk_band *band, const char **text)
{
  double value = 1;
  const bool number = read_number(&value, text);
  if (number && skip(text, " %")) {
    const bool first = band->percent < 0;
    band->percent = value;
    return first;
  }
  if (skip(text, number ? " half-widths" : "half-widths")) {
    const bool first = band->half_widths < 0;
    band->half_widths = value;
    return first;
  }
  const bool first = band->absolute < 0;
  band->absolute = value;
  return number && first;
}

bool shk_band_read(struct shk_band *band, const char *text)
{
  *band = (struct shk_band){.kind = SHK_BAND_NONE};
  if (strcmp(text, "not gated") == 0)
    return true;
  if (strcmp(text, "equal") == 0) {
    band->kind = SHK_BAND_EQUAL;
    return true;
  }
  if (skip(&text, "factor ")) {
    band->kind = SHK_BAND_FACTOR;
    return read_number(&band->factor, &text) && band->factor >= 1 &&
           (*text == '\0' || (skip(&text, " above ") && read_number(&band->floor, &text))) &&
           *text == '\0';
  }
  *band = within(-1, -1, -1);
  do {
    if (!read_term(band, &text))
      return false;
  } while (skip(&text, " + "));
  *band = within(fmax(band->absolute, 0), fmax(band->percent, 0), fmax(band->half_widths, 0));
  return *text == '\0';
}

/* Derives bands from theory. A band is the range in which the value of a later run must be if
 * nothing has changed. */
#include "harness/check/band.h"
#include "foundation/memory.h"
#include "harness/analysis/families/verdict.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The reasons for bands, and the bands that they imply:
 * - order: the band used for verdicts, 0.1 in quad and 0.2 in other precisions, plus the
 *   half-widths of both values, because the bias is deterministic.
 * - truncation: an error, a violation or a defect well above round-off is a deterministic number.
 *   Rounding changes it by less than ten floors, and the error of the reference is allowed for as
 *   well. Five percent are added because the value is the largest of many numbers.
 * - round-off: only the order of magnitude of a number near its floor is significant, so a factor
 *   of 10 is permitted above the floor. A number is near its floor up to 100 floors for errors
 *   (order.h), and up to 1000 floors for other quantities (verdict.h).
 * - secular: the half-width of a slope is two standard errors. The band is twice the half-widths of
 *   both values.
 * - counted: evaluations and iterations are whole numbers. Only the last iteration of a solve can
 *   depend on rounding errors.
 * - ensemble: a mean over members (members.h) has a half-width. The band is twice the half-widths
 *   of both values.
 * - extreme: the smallest, the largest or the worst value comes from a single member and is not
 *   compared.
 * - adaptive: the steps follow error estimates. Rounding errors can reverse the rejection of one
 *   step, which changes all of the following steps.
 * - chaotic: beyond the generic horizon, rounding errors have grown to the size of the solution.
 * - study: the band is set by the study, whatever the value is (stated_bands.h).
 * - time: for a ratio of times measured alternately, 25 percent plus the half-widths of both
 *   values.
 * - class: the value is a word, which must stay the same.
 * - undetermined: there is no value to compare.
 * - clock: times in seconds are not compared.
 *
 * These numbers were measured on the sprung pendulum over 640 time units, by changing the initial
 * state by 1e-14. With fixed steps, errors change by up to 0.7 % and counts by up to 0.3 %. If the
 * steps follow a tolerance (IDA, CVODE, RADAU5), errors at the tightest tolerance change by a
 * factor of up to 7, and counts by up to 19 %.
 */
const struct shk_reason shk_band_reasons[SHK_BAND_REASONS] = {
#define REASON(id, word, kind, floors, percent, half_widths, factor, sentence)                     \
  [SHK_BECAUSE_##id] = {word,                                                                      \
                        sentence,                                                                  \
                        SHK_BAND_##kind,                                                           \
                        SHK_BOUND_##floors,                                                        \
                        SHK_BOUND_##percent,                                                       \
                        SHK_BOUND_##half_widths,                                                   \
                        SHK_BOUND_##factor},
#include "harness/check/band_reasons.def"
#undef REASON
};

enum shk_band_reason shk_band_reason_named(const char *word)
{
  int i = 0;
  while (i < SHK_BAND_REASONS && strcmp(shk_band_reasons[i].word, word) != 0)
    i++;
  return (enum shk_band_reason)i;
}

/* Returns the floor of a finding. Values below the floor are not significant. The floor includes
 * the error of the reference if there is one. */
static double floor_of(const struct shk_finding *f)
{
  const double floor = f->floor > 0 ? f->floor : 0;
  const bool doubted = f->named.entry->floor == SHK_FLOOR_REFERENCE &&
                       f->named.statistic == SHK_STATISTIC_NONE && f->uncertainty > 0;
  return floor + (doubted ? f->uncertainty : 0);
}

/* Returns the reason for the band around a magnitude, such as an error, a violation or a defect. */
static enum shk_band_reason why_size(const struct shk_finding *f)
{
  const bool mean = f->named.statistic == SHK_STATISTIC_MEAN;
  const bool error = f->named.entry->kind == SHK_KIND_ERROR;
  const double near = error && !mean ? SHK_ORDER_MARGIN : SHK_VANISHES;
  return fabs(f->value) <= near * floor_of(f) ? SHK_BECAUSE_ROUND_OFF
         : mean                               ? SHK_BECAUSE_ENSEMBLE
         : f->chaotic                         ? SHK_BECAUSE_CHAOTIC
         : f->adaptive                        ? SHK_BECAUSE_ADAPTIVE
                                              : SHK_BECAUSE_TRUNCATION;
}

static enum shk_band_reason reason_for_band(const struct shk_finding *f)
{
  const enum shk_quantity_kind kind = f->named.entry->kind;
  const bool mean = f->named.statistic == SHK_STATISTIC_MEAN;
  if (f->named.statistic != SHK_STATISTIC_NONE && !mean)
    return SHK_BECAUSE_EXTREME;
  if (isnan(f->value))
    return !f->word || strcmp(f->word, "undetermined") == 0 ? SHK_BECAUSE_UNDETERMINED
           /* classes of values at round-off depend on the computer */
           : f->floor > 0 ? SHK_BECAUSE_ROUND_OFF
                          : SHK_BECAUSE_CLASS;
  return kind == SHK_KIND_CLOCK              ? SHK_BECAUSE_CLOCK
         : kind == SHK_KIND_PACE             ? SHK_BECAUSE_TIMED
         : kind == SHK_KIND_GROWTH           ? SHK_BECAUSE_SECULAR
         : kind == SHK_KIND_ORDER            ? SHK_BECAUSE_ORDER
         : kind == SHK_KIND_SECULAR && !mean ? SHK_BECAUSE_SECULAR
         : kind == SHK_KIND_COUNT && !mean   ? SHK_BECAUSE_COUNTED
                                             : why_size(f);
}

struct shk_band shk_band_of(const struct shk_finding *f, enum shk_band_reason *because)
{
  *because = reason_for_band(f);
  const struct shk_reason *const reason = &shk_band_reasons[*because];
  const double floor = floor_of(f);
  struct shk_band band = {.kind = reason->kind};
  if (*because == SHK_BECAUSE_ROUND_OFF && isnan(f->value))
    band.kind = SHK_BAND_NONE;
  if (*because == SHK_BECAUSE_COUNTED && f->named.id == SHK_QUANTITY_WORK_STEPS && !f->adaptive)
    band.kind = SHK_BAND_EQUAL;
  if (band.kind == SHK_BAND_FACTOR)
    return (struct shk_band){
        .kind = band.kind, .factor = shk_bounds[reason->factor], .floor = floor};
  if (band.kind != SHK_BAND_WITHIN)
    return band;
  band.absolute = *because == SHK_BECAUSE_ORDER ? shk_order_band(f->precision)
                                                : shk_bounds[reason->floors] * floor;
  band.half_widths = shk_bounds[reason->half_widths];
  if (*because == SHK_BECAUSE_COUNTED && f->adaptive)
    band.percent = shk_bounds[SHK_BOUND_COUNTED_ADAPTIVE_PERCENT];
  else if (f->named.entry->kind != SHK_KIND_GROWTH)
    band.percent = shk_bounds[reason->percent];
  return band;
}

struct shk_band_range shk_band_range(const struct shk_band *band, double was, double was_half_width,
                                     double is_half_width)
{
  struct shk_band_range range = {-INFINITY, INFINITY};
  if (band->kind == SHK_BAND_EQUAL) {
    range = (struct shk_band_range){was, was};
  } else if (band->kind == SHK_BAND_FACTOR) {
    /* A factor compares magnitudes, so the sign must not change. A value near the floor, however,
     * may change to any value of smaller magnitude with either sign. */
    const double size = fmax(fabs(was), band->floor), most = band->factor * size,
                 least = size / band->factor <= band->floor ? -most : size / band->factor;
    range = was < 0 ? (struct shk_band_range){-most, -least} : (struct shk_band_range){least, most};
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

char *shk_band_text(char *buffer, unsigned long size, const struct shk_band *band)
{
  char *text = NULL;
  if (band->kind == SHK_BAND_NONE || band->kind == SHK_BAND_EQUAL)
    shk_append_text(&text, band->kind == SHK_BAND_NONE ? "not gated" : "equal");
  if (band->kind == SHK_BAND_FACTOR)
    shk_append_text(&text, band->floor > 0 ? "factor %.6g above %.2g" : "factor %.6g", band->factor,
                    band->floor);
  if (band->absolute > 0)
    shk_append_text(&text, "%.2g", band->absolute);
  if (band->percent > 0)
    shk_append_text(&text, "%s%.6g %%", text ? " + " : "", band->percent);
  if (band->half_widths == 1)
    shk_append_text(&text, "%shalf-widths", text ? " + " : "");
  else if (band->half_widths > 0)
    shk_append_text(&text, "%s%.6g half-widths", text ? " + " : "", band->half_widths);
  snprintf(buffer, size, "%s", text ? text : "0");
  free(text);
  return buffer;
}

static bool skip_band(const char **text, const char *what)
{
  const size_t length = strlen(what);
  if (strncmp(*text, what, length) != 0)
    return false;
  *text += length;
  return true;
}

/* Reads a number, which must begin with a digit, and advances *text past it. */
static bool read_number(double *value, const char **text)
{
  char *end;
  if (**text < '0' || **text > '9')
    return false;
  *value = strtod(*text, &end);
  *text = end;
  return isfinite(*value);
}

bool shk_band_read(struct shk_band *band, const char *text)
{
  double *const terms[] = {&band->absolute, &band->percent, &band->half_widths};
  /* which kinds of terms have occurred so far, because each can occur only once */
  bool seen[3] = {false};
  const bool equal = strcmp(text, "equal") == 0;
  *band = (struct shk_band){.kind = equal ? SHK_BAND_EQUAL : SHK_BAND_NONE};
  if (equal || strcmp(text, "not gated") == 0)
    return true;
  band->kind = SHK_BAND_FACTOR;
  if (skip_band(&text, "factor "))
    return read_number(&band->factor, &text) && band->factor >= 1 &&
           (!skip_band(&text, " above ") || read_number(&band->floor, &text)) && *text == '\0';
  band->kind = SHK_BAND_WITHIN;
  do {
    double value = 1;
    const bool number = read_number(&value, &text);
    const int term = skip_band(&text, number ? " half-widths" : "half-widths") ? 2
                     : number && skip_band(&text, " %")                        ? 1
                                                                               : 0;
    if (seen[term] || !(number || term == 2))
      return false;
    seen[term] = true;
    *terms[term] = value;
  } while (skip_band(&text, " + "));
  return *text == '\0';
}

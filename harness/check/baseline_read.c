/* Reads baselines. Each error message contains the file, the line, the text found and the text
 * expected. */
#include "foundation/memory.h"
#include "harness/check/baseline.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIELDS = 9, LONGEST_WORD = 64 };

static const char first_line[] = "shakedown baseline 1"; /* contains the version of the format */
static const char separator[] = " | ";

struct reader {
  const char *path;
  int line;
  struct shk_message *error;
  struct shk_baseline *baseline;
};

/* Sets the error message, which begins with the file and the current line. The macro evaluates to
 * false. */
#define fail(r, format, ...)                                                                       \
  shk_message_set((r)->error, "%s:%d: " format, (r)->path, (r)->line, __VA_ARGS__)

/* Decodes the escape sequences in a field in place. */
static bool unescape_baseline_read(const struct reader *r, char *text)
{
  char *to = text;
  for (const char *from = text; *from; from++) {
    unsigned value = 0;
    int length = 0;
    if (*from == '\\' && (from[1] == '|' || from[1] == '\\'))
      from++;
    else if (strncmp(from, "\\x", 2) == 0 && strspn(from + 2, "0123456789abcdef") >= 2 &&
             sscanf(from, "\\x%2x%n", &value, &length) == 1 && value != 0)
      from += length - 1;
    else if (*from == '\\')
      return fail(r, "found \"\\%.1s\", expected \\|, \\\\ or \\x and two hexadecimal digits",
                  from + 1);
    *to++ = value ? (char)value : *from;
  }
  *to = '\0';
  return true;
}

/* Splits a line into fields in place. Stores up to `most` fields and returns their total number. */
static int split_baseline_read(char **fields, int most, char *line)
{
  int count = 0;
  for (char *next = line; next; count++) {
    char *const at = next;
    next = strstr(at, separator);
    if (count < most)
      fields[count] = at;
    if (next) {
      *next = '\0';
      next += strlen(separator);
    }
  }
  return count;
}

static bool read_number(double *number, const char *text)
{
  char *end;
  if (*text == '\0' || !strchr("+-.0123456789i", *text))
    return false;
  *number = strtod(text, &end);
  return end != text && *end == '\0' && !isnan(*number);
}

static bool read_value(const struct reader *r, char *line)
{
  static const char *const names[FIELDS] = {"integrator", "problem", "precision",
                                            "quantity",   "value",   "half-width",
                                            "band",       "why",     "verdict"};
  static const char notices[] = "notices ";
  char *fields[FIELDS + 1];
  double ignored = NAN;
  const int count = split_baseline_read(fields, FIELDS + 1, line);
  if (count == FIELDS + 1 && strncmp(fields[FIELDS], notices, strlen(notices)) == 0 &&
      !read_number(&ignored, fields[FIELDS] + strlen(notices)))
    return fail(r, "found \"%.64s\", expected \"%sN\"", fields[FIELDS], notices);
  if (count != FIELDS && !(count == FIELDS + 1 && !isnan(ignored)))
    return fail(
        r,
        "found %d field%s, expected %d separated by \"%s\": integrator, problem, precision, "
        "quantity, value, half-width, band, why, verdict",
        count, count == 1 ? "" : "s", FIELDS, separator);
  for (int i = 0; i < FIELDS; i++) {
    if (!unescape_baseline_read(r, fields[i]))
      return false;
    if (fields[i][0] == '\0')
      return fail(r, "found nothing, expected a %s", names[i]);
  }
  struct shk_baseline_value v = {.value = NAN,
                                 .half_width = NAN,
                                 .why = shk_band_reason_named(fields[7]),
                                 .verdict = shk_verdict_named(fields[8]),
                                 .line = r->line};
  const bool undetermined = strcmp(fields[4], "undetermined") == 0;
  const bool number = !undetermined && read_number(&v.value, fields[4]);
  const struct {
    bool found;
    int field;
    const char *what;
  } all[] = {
      {shk_precision_named(fields[2]), 2, SHK_PRECISION_WORDS},
      {strcmp(fields[5], "-") == 0 || (read_number(&v.half_width, fields[5]) && v.half_width > 0),
       5, "a number above zero or -"},
      {shk_band_read(&v.band, fields[6]), 6, SHK_BAND_WORDS},
      {number || strlen(fields[4]) <= LONGEST_WORD, 4, "a number or a word"},
      {v.why < SHK_BAND_REASONS, 7, "one of the words that the first lines of a baseline explain"},
      {v.verdict < SHK_VERDICTS, 8, "held, falsified, undecided, refused, failed or none"}};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (!all[i].found)
      return fail(r, "%s: found \"%.64s\", expected %s", names[all[i].field], fields[all[i].field],
                  all[i].what);
  if (!number && v.band.kind != SHK_BAND_NONE && v.band.kind != SHK_BAND_EQUAL)
    return fail(r, "value: found \"%.64s\" with the band \"%.64s\", expected a number", fields[4],
                fields[6]);
  v.integrator = shk_copy_text(fields[0]);
  v.problem = shk_copy_text(fields[1]);
  v.precision = shk_copy_text(fields[2]);
  v.quantity = shk_copy_text(fields[3]);
  v.id = shk_named_finding(fields[3]).id;
  v.word = number || undetermined ? NULL : shk_copy_text(fields[4]);
  *SHK_APPEND(r->baseline->values, r->baseline->count) = v;
  return true;
}

static bool read_line(const struct reader *r, char *line)
{
  char *fields[2];
  if (r->line == 1)
    return strcmp(line, first_line) == 0 ||
           fail(r, "found \"%.40s\", expected \"%s\"", line, first_line);
  if (line[0] == '#' || line[strspn(line, " \t")] == '\0')
    return true;
  if (r->baseline->study)
    return read_value(r, line);
  if (split_baseline_read(fields, 2, line) != 2 || strcmp(fields[0], "study") != 0 ||
      fields[1][0] == '\0')
    return fail(r, "found \"%.64s\", expected \"study%sNAME\" before the first value", line,
                separator);
  r->baseline->study = unescape_baseline_read(r, fields[1]) ? shk_copy_text(fields[1]) : NULL;
  return r->baseline->study;
}

static int compare_baseline_read(const void *a, const void *b)
{
  const struct shk_baseline_value *x = a, *y = b;
  const int order = shk_baseline_order(x, y);
  return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

/* Sorts the values. Returns false if the file is incomplete or contains duplicate names. */
static bool finish_baseline_read(struct reader *r)
{
  const struct shk_baseline *const baseline = r->baseline;
  if (r->line == 0) {
    r->line = 1;
    return fail(r, "found nothing, expected \"%s\"", first_line);
  }
  if (!baseline->study)
    return fail(r, "found the end of the file, expected \"study%sNAME\"", separator);
  if (baseline->count == 0)
    return fail(r, "found the end of the file, expected %s", "values");
  qsort(baseline->values, (size_t)baseline->count, sizeof *baseline->values, compare_baseline_read);
  for (int i = 1; i < baseline->count; i++) {
    const struct shk_baseline_value *const v = &baseline->values[i];
    r->line = v->line;
    if (shk_baseline_order(v - 1, v) == 0)
      return fail(r,
                  "found \"%s\" of %s on %s a second time, expected it once: it is at "
                  "line %d",
                  v->quantity, v->integrator, v->problem, (v - 1)->line);
  }
  return true;
}

bool shk_baseline_parse(struct shk_baseline *baseline, const char *text, size_t length,
                        const char *path, struct shk_message *error)
{
  struct reader r = {.path = path, .error = error, .baseline = baseline};
  *baseline = (struct shk_baseline){0};
  bool ok = true;
  const bool has_nul = memchr(text, '\0', length) != NULL;
  /* The copy ends at the first NUL. */
  char *const copy = shk_print_text("%.*s", (int)length, text), *rest = copy;
  for (char *line; ok && (line = strsep(&rest, "\n")) != NULL && (rest || *line || has_nul);) {
    const size_t size = strlen(line);
    r.line++;
    if (size > 0 && line[size - 1] == '\r') /* lines may end with CR LF */
      line[size - 1] = '\0';
    ok = !rest && has_nul ? fail(&r, "found a %s, expected text", "NUL byte") : read_line(&r, line);
  }
  free(copy);
  ok = ok && finish_baseline_read(&r);
  if (!ok)
    shk_baseline_clear(baseline);
  return ok;
}

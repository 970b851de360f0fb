/* See tap.h. */
#include "tests/kit/tap.h"

#include <inttypes.h>
#include <stdarg.h>

static struct {
  int points;
  int failed;
  bool seeded;
  uint64_t seed;
} tap;

/* Escapes printed text so that it breaks no line and starts no directive ('#'). */
static void print_name(const char *format, va_list args)
{
  char name[1024];
  vsnprintf(name, sizeof name, format, args);
  for (char *c = name; *c != '\0'; c++) {
    if (*c == '\n' || *c == '\r')
      *c = ' ';
    else if (*c == '#')
      *c = '/';
  }
  fputs(name, stdout);
}

static void print_comment(const char *text)
{
  fputs("# ", stdout);
  for (const char *c = text; *c != '\0'; c++) {
    putchar(*c);
    if (*c == '\n' && c[1] != '\0')
      fputs("# ", stdout);
  }
  size_t length = strlen(text);
  if (length == 0 || text[length - 1] != '\n')
    putchar('\n');
  fflush(stdout);
}

static bool point(bool passed, const char *format, va_list args)
{
  tap.points++;
  if (!passed)
    tap.failed++;
  printf("%s %d - ", passed ? "ok" : "not ok", tap.points);
  print_name(format, args);
  putchar('\n');
  fflush(stdout);
  return passed;
}

bool tap_ok(bool passed, const char *name, ...)
{
  va_list args;
  va_start(args, name);
  point(passed, name, args);
  va_end(args);
  return passed;
}

bool tap_is_near(double got, double want, double tol, const char *name, ...)
{
  /* Each comparison is false for a NaN; the equality is for infinities of the same sign. */
  bool passed = tol >= 0 && (got == want || fabs(got - want) <= tol);
  va_list args;
  va_start(args, name);
  point(passed, name, args);
  va_end(args);
  if (!passed)
    tap_diag("got %.17g, want %.17g, difference %.3g, allowed %.3g", got, want, got - want, tol);
  return passed;
}

bool tap_is_text(const char *got, const char *want, const char *name, ...)
{
  bool passed = got == want || (got && want && strcmp(got, want) == 0);
  va_list args;
  va_start(args, name);
  point(passed, name, args);
  va_end(args);
  if (!passed)
    tap_diag(" got: %s\nwant: %s", !got ? "(null)" : got, !want ? "(null)" : want);
  return passed;
}

bool tap_is_int(long long got, long long want, const char *name, ...)
{
  bool passed = got == want;
  va_list args;
  va_start(args, name);
  point(passed, name, args);
  va_end(args);
  if (!passed)
    tap_diag("got %lld, want %lld", got, want);
  return passed;
}

void tap_diag(const char *text, ...)
{
  char buffer[8192];
  va_list args;
  va_start(args, text);
  vsnprintf(buffer, sizeof buffer, text, args);
  va_end(args);
  print_comment(buffer);
}

static void skip(const char *kind, const char *why, va_list args)
{
  tap.points++;
  printf("ok %d # SKIP %s", tap.points, kind);
  print_name(why, args);
  putchar('\n');
  fflush(stdout);
}

void tap_skip(const char *why, ...)
{
  va_list args;
  va_start(args, why);
  skip("", why, args);
  va_end(args);
}

/* True if a list of words separated by blanks has the word. */
static bool has_word(const char *list, const char *word)
{
  const size_t length = strlen(word);
  for (const char *at = list; (at = strstr(at, word)); at += length)
    if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ' '))
      return true;
  return false;
}

void tap_skip_without(const char *what, const char *why, ...)
{
  const char *const without = getenv("SHAKEDOWN_WITHOUT");
  va_list args;
  va_start(args, why);
  skip(without && has_word(without, what) ? "by design: " : "", why, args);
  va_end(args);
}

uint64_t tap_seed(uint64_t fallback)
{
  const char *text = getenv("SHAKEDOWN_TEST_SEED");
  tap.seed = text ? strtoull(text, NULL, 0) : fallback;
  tap.seeded = true;
  tap_diag("seed %" PRIu64 " (SHAKEDOWN_TEST_SEED sets another)", tap.seed);
  return tap.seed;
}

int tap_done(void)
{
  if (tap.failed > 0)
    tap_diag("%d of %d failed", tap.failed, tap.points);
  if (tap.failed > 0 && tap.seeded)
    tap_diag("seed was %" PRIu64, tap.seed);
  printf("1..%d\n", tap.points);
  fflush(stdout);
  return tap.failed == 0 && tap.points > 0 ? 0 : 1;
}

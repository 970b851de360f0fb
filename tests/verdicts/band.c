/* The bands that theory gives: which quantity has which, what passes, and bands as text. */
#include "harness/check/band.h"
#include "tests/kit/findings_fixture.h"
#include "tests/kit/tap.h"

static void is_band(const struct shk_finding *f, const char *text, const char *why)
{
  char buffer[128];
  enum shk_band_reason reason;
  const struct shk_band band = shk_band_of(f, &reason);
  shk_band_text(buffer, sizeof buffer, &band);
  tap_is_text(buffer, text, "the band of %s", f->quantity);
  tap_is_text(shk_band_reasons[reason].word, why, "... and why");
  struct shk_band back;
  char again[128];
  tap_ok(shk_band_read(&back, buffer) && back.kind == band.kind, "... and reads back");
  tap_is_text(shk_band_text(again, sizeof again, &back), buffer, "... as it was");
}

/* Whether `is` ± its half-width would pass for the finding. */
static bool passes(const struct shk_finding *f, double is, double half_width)
{
  enum shk_band_reason why;
  const struct shk_band band = shk_band_of(f, &why);
  return shk_band_holds(&band, f->value, f->uncertainty, is, half_width);
}

static void bands_of_orders(void)
{
  struct shk_finding f = finding("order of q", 2, 0.01);
  is_band(&f, "0.1 + half-widths", "order");
  tap_ok(passes(&f, 2.11, 0.01) && passes(&f, 1.89, 0.01), "0.11 off with 0.01 on either side");
  tap_ok(!passes(&f, 2.13, 0.01) && !passes(&f, 1.87, 0.01), "not 0.13");
  tap_ok(!passes(&f, 1.5, 5), "a half-width of 5 excuses nothing");
  f.precision = (char *)"double";
  is_band(&f, "0.2 + half-widths", "order");
  tap_ok(passes(&f, 1.79, 0.01) && !passes(&f, 1.77, 0.01), "twice as wide in double");
  f = finding("symplecticity exponent (until 2)", 2, NAN);
  f.precision = (char *)"double";
  is_band(&f, "0.2 + half-widths", "order");
}

static void bands_of_times(void)
{
  struct shk_finding f = finding("time", 2, 0.1);
  is_band(&f, "25 % + half-widths", "time");
  tap_ok(passes(&f, 2.69, 0.1) && passes(&f, 1.31, 0.1), "a third off, with 0.1 on either side");
  tap_ok(!passes(&f, 2.71, 0.1) && !passes(&f, 1.29, 0.1), "not more");
  f = finding("cpu-seconds", 2, NAN);
  is_band(&f, "not gated", "clock");
}

static void bands_of_sizes(void)
{
  struct shk_finding f = finding("constraint max", 3e-16, NAN);
  f.floor = 1e-16;
  is_band(&f, "factor 10 above 1e-16", "round-off");
  tap_ok(passes(&f, 0, NAN) && passes(&f, 2.9e-15, NAN) && !passes(&f, 3.1e-15, NAN),
         "at round-off anything up to ten times");
  f.value = 5e-14;
  tap_ok(passes(&f, 6e-15, NAN) && !passes(&f, 4e-15, NAN), "far above the floor down to a tenth");
  f.value = 0;
  tap_ok(passes(&f, 9e-16, NAN) && !passes(&f, 2e-15, NAN), "from zero up to ten floors");
  f.value = 1e-12;
  is_band(&f, "1e-15 + 5 %", "truncation");
  tap_ok(passes(&f, 1.05e-12, NAN) && !passes(&f, 1.06e-12, NAN) && !passes(&f, 9.4e-13, NAN),
         "a violation that does not vanish, within 5 percent");

  struct shk_finding e = finding("error of q", 1e-6, 1e-12);
  e.floor = 1e-13;
  is_band(&e, "1.1e-11 + 5 %", "truncation");
  e.value = 1e-10;
  is_band(&e, "factor 10 above 1.1e-12", "round-off");
  e.value = 1e-6;
  e.adaptive = true;
  is_band(&e, "factor 10 above 1.1e-12", "adaptive");
  tap_ok(passes(&e, 9e-6, NAN) && !passes(&e, 1.1e-5, NAN) && !passes(&e, 9e-8, NAN),
         "steps that follow errors: a factor of 10");
  e.chaotic = true;
  is_band(&e, "factor 10 above 1.1e-12", "chaotic");
  struct shk_finding bare = finding("something new", 0.5, NAN);
  is_band(&bare, "5 %", "truncation");
}

/* Quantities with a sign: forces of joints, slopes. */
static void bands_of_negative_values(void)
{
  struct shk_finding f = finding("wrench of bearing force-y", -13.08, 1e-9);
  f.floor = 1e-13;
  is_band(&f, "1e-12 + 5 %", "truncation");
  tap_ok(passes(&f, -13.08, NAN) && passes(&f, -13.5, NAN) && !passes(&f, 13.08, NAN) &&
             !passes(&f, -14, NAN) && !passes(&f, -12, NAN),
         "a negative force holds within 5 percent, with its sign");
  f.value = -4e-11;
  is_band(&f, "factor 10 above 1e-13", "round-off");
  tap_ok(passes(&f, -4e-11, NAN) && passes(&f, -5e-12, NAN) && !passes(&f, 4e-11, NAN) &&
             !passes(&f, -5e-10, NAN),
         "... a small one within a factor");
  f.value = -2e-13;
  tap_ok(passes(&f, -2e-13, NAN) && passes(&f, 1.9e-12, NAN) && !passes(&f, 3e-12, NAN) &&
             !passes(&f, -3e-12, NAN),
         "... one near its floor with either sign");
  f.value = 2e-13;
  tap_ok(passes(&f, -1.9e-12, NAN) && !passes(&f, -3e-12, NAN), "... as a positive one");
  f.value = -13.08;
  f.adaptive = true;
  is_band(&f, "factor 10 above 1e-13", "adaptive");
  tap_ok(passes(&f, -13.08, NAN) && passes(&f, -2, NAN) && !passes(&f, 13.08, NAN),
         "... of an adaptive method within a factor");
  f.chaotic = true;
  is_band(&f, "factor 10 above 1e-13", "chaotic");
  tap_ok(passes(&f, -100, NAN) && !passes(&f, -200, NAN), "... and beyond a horizon");
  struct shk_finding slope = finding("energy slope", -1e-9, 2e-10);
  tap_ok(passes(&slope, -1e-9, 2e-10) && !passes(&slope, 1e-9, 2e-10), "a falling energy");
}

static void other_bands(void)
{
  struct shk_finding f = finding("work-iterations", 17126, NAN);
  is_band(&f, "2 %", "counted");
  tap_ok(passes(&f, 17400, NAN) && !passes(&f, 17500, NAN) && !passes(&f, 16000, NAN),
         "iterations within 2 percent, in both directions");
  f.adaptive = true;
  is_band(&f, "25 %", "counted");
  struct shk_finding steps = finding("work-steps", 17120, NAN);
  is_band(&steps, "equal", "counted");
  tap_ok(passes(&steps, 17120, NAN) && !passes(&steps, 17121, NAN), "fixed steps are exact");
  struct shk_finding slope = finding("energy slope", 1e-9, 2e-9);
  is_band(&slope, "5 % + 2 half-widths", "secular");
  tap_ok(passes(&slope, 8e-9, 2e-9) && !passes(&slope, 1e-8, 2e-9), "slopes by their errors");
  struct shk_finding class = word("energy class", "bounded");
  is_band(&class, "equal", "class");
  class.floor = 1e-16;
  is_band(&class, "not gated", "round-off");
  struct shk_finding none = word("energy class", "undetermined");
  is_band(&none, "not gated", "undetermined");
  struct shk_finding order = finding("order of q", NAN, NAN);
  is_band(&order, "not gated", "undetermined");
  struct shk_finding seconds = finding("cpu-seconds", 0.1, NAN);
  is_band(&seconds, "not gated", "clock");
  struct shk_finding growth = finding("round-off growth exponent (step 1, until 2)", 0.5, 0.1);
  is_band(&growth, "2 half-widths", "secular");
}

static void band_texts(void)
{
  static const char *const bad[] = {"",
                                    "gated",
                                    "factor",
                                    "factor 0.5",
                                    "factor 2 above",
                                    "factor 2 above x",
                                    "0.1 + 0.2",
                                    "5 % + 5 %",
                                    "0.1 + ",
                                    "-0.1",
                                    "0.1 half-width",
                                    "0.1 +5 %",
                                    "equal ",
                                    "inf",
                                    "half-widths + half-widths"};
  struct shk_band band;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    tap_ok(!shk_band_read(&band, bad[i]), "\"%s\" is no band", bad[i]);
  tap_ok(shk_band_read(&band, "0.1 + 5 % + 3 half-widths") && band.absolute == 0.1 &&
             band.percent == 5 && band.half_widths == 3,
         "a sum of all three is");
  tap_ok(shk_band_read(&band, "0") && band.kind == SHK_BAND_WITHIN &&
             shk_band_holds(&band, INFINITY, NAN, INFINITY, NAN) &&
             !shk_band_holds(&band, 1, NAN, NAN, NAN),
         "infinities of one sign are equal, and no number is in no band");
}

int main(void)
{
  bands_of_orders();
  bands_of_times();
  bands_of_sizes();
  bands_of_negative_values();
  other_bands();
  band_texts();
  return tap_done();
}

/* Specifications: the grammar, the binding to a descriptor's options, the canonical form, and the
 * small texts around them (numbers, nearest names, statuses, messages). */
#include "foundation/specifications/spec.h"
#include "foundation/message.h"
#include "foundation/nearest.h"
#include "foundation/number.h"
#include "tests/kit/tap.h"

#include <shakedown/parts/status.h>

static const struct shk_option gauss_options[] = {{.name = "stages",
                                                   .kind = SHK_OPTION_INTEGER,
                                                   .fallback = "2",
                                                   .minimum = "1",
                                                   .maximum = "4",
                                                   .meaning = "number of stages"},
                                                  {.name = NULL}};
static const struct shk_choice flow_choices[] = {{"verlet", "Störmer-Verlet", NULL},
                                                 {"gauss", "Gauss collocation", gauss_options},
                                                 {"2", "a head that is a number", NULL},
                                                 {NULL, NULL, NULL}};
static const struct shk_option options[] = {
    {.name = "of", .kind = SHK_OPTION_TEXT, .positional = true, .meaning = "a text"},
    {.name = "rows",
     .kind = SHK_OPTION_INTEGER,
     .fallback = "1000",
     .positional = true,
     .meaning = "a count"},
    {.name = "flow",
     .kind = SHK_OPTION_CHOICE,
     .fallback = "verlet",
     .choices = flow_choices,
     .meaning = "the flow"},
    {.name = "angle",
     .kind = SHK_OPTION_ANGLE,
     .fallback = "90deg",
     .minimum = "-180deg",
     .maximum = "180deg",
     .meaning = "an angle"},
    {.name = "mass",
     .kind = SHK_OPTION_REAL,
     .fallback = "1",
     .minimum = "0",
     .positive = true,
     .meaning = "a mass"},
    {.name = "symmetric", .kind = SHK_OPTION_FLAG, .fallback = "no", .meaning = "a flag"},
    {.name = NULL}};

/* The canonical form, or the reason for which there is none; the caller frees it. */
static char *canonical(const char *text, const struct shk_option *list)
{
  struct shk_message error = {.text = ""};
  struct shk_spec *const spec = shk_spec_parse(text, &error);
  if (!spec)
    return strdup(error.text);
  struct shk_values *const values = shk_values_bind(NULL, spec, list, &error);
  char *const result = values ? shk_values_canonical(spec->name, values) : strdup(error.text);
  shk_values_free(values);
  shk_spec_free(spec);
  return result;
}

static void expect(const char *text, const char *want)
{
  TEXT got = canonical(text, options);
  tap_is_text(got, want, "%s", text);
}

static void expect_fault(const char *text, const char *part)
{
  TEXT got = canonical(text, options);
  if (!tap_ok(strstr(got, part) != NULL, "%s is refused: %s", text, part))
    tap_diag("got: %s", got);
}

static void test_canonical_forms(void)
{
  expect("x(of=pendulum)", "x(pendulum)");
  expect(" x ( of = pendulum , mass = 1.50 ) ", "x(pendulum,mass=1.5)");
  expect("x(pendulum,rows=7)", "x(pendulum,7)");
  expect("x(pendulum,7)", "x(pendulum,7)");
  expect("x(rows=1000,of=\"a b\\\"c\\\\\")", "x(\"a b\\\"c\\\\\")");
  expect("x(pendulum,rows=1e3)", "x(pendulum)");
  expect("x(pendulum,rows=20000)", "x(pendulum,20000)");
  expect("x(pendulum,mass=2e0,angle=90.0 deg)", "x(pendulum,mass=2)");
  expect("x(pendulum,angle=+0.50rad)", "x(pendulum,angle=0.5)");
  expect("x(pendulum,angle=45.0deg)", "x(pendulum,angle=45deg)");
  expect("x(symmetric=yes,flow=gauss(stages=3),of=p)", "x(p,flow=gauss(stages=3),symmetric=yes)");
  expect("x(p,flow=gauss(stages=2))", "x(p,flow=gauss)");
  expect("x(p,flow=gauss())", "x(p,flow=gauss)");
  expect("x(p,flow=2)", "x(p,flow=2)");
  expect("x(p,flow=verlet,symmetric=no)", "x(p)");
  expect("x(p,mass=0.1000000000000000055511151231257827)",
         "x(p,mass=0.1000000000000000055511151231257827)");
}

static void test_faults(void)
{
  expect_fault("x", "needs the option of");
  expect_fault("x(p,mas=1)", "did you mean mass?");
  expect_fault("x(p,zzzzzzz=1)", "known are of, rows, flow, angle, mass or symmetric");
  expect_fault("x(p,mass=1,mass=2)", "mass is given twice");
  expect_fault("x(p,of=q)", "of is given twice");
  expect_fault("x(p,1,2)", "\"2\" has no name");
  expect_fault("x(p,mass=0)", "expected a number above 0");
  expect_fault("x(p,mass=-1)", "expected a number above 0");
  expect_fault("x(p,mass=big)", "mass is \"big\", expected a number");
  expect_fault("x(p,mass=1deg)", "mass is \"1deg\", expected a number");
  expect_fault("x(p,mass=1e400)", "range of double");
  expect_fault("x(p,angle=181deg)", "expected at most 180deg");
  expect_fault("x(p,angle=-3.15)", "expected at least -180deg");
  expect_fault("x(p,angle=1grad)", "expected an angle");
  expect_fault("x(p,rows=1.5)", "expected a whole number");
  expect_fault("x(p,rows=1234567890123456789)", "expected a whole number");
  expect_fault("x(p,flow=gaus)", "did you mean gauss?");
  expect_fault("x(p,flow=gauss(stages=5))", "gauss: option stages is 5, expected at most 4");
  expect_fault("x(p,flow=verlet(a=1))", "verlet has no options");
  expect_fault("x(p,symmetric=maybe)", "known are no or yes");
  expect_fault("x(p,mass=1", "a parenthesis is not closed");
  expect_fault("x(p,mass=1", "each after `- `");
  expect_fault("mass=1)", "is closed without being opened");
  expect_fault("mass=1)", "each after `- `");
  expect_fault(" 1)", "each after `- `");
  expect_fault("x(p,,mass=1)", "column 5: found ','");
  expect_fault("X(p)", "column 1: found 'X', expected a name");
  expect_fault("x(p) y", "expected the end");
  expect_fault("", "found the end, expected a name");
  expect_fault("x(of=\"open", "closing quote");
  expect_fault("x(é)", "found 'é'");
  expect_fault("a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a(a))))))))))))))))))))", "nested more than");
}

static void test_values(void)
{
  struct shk_message error;
  struct shk_spec *const spec =
      shk_spec_parse("x(\"two words\",flow=gauss(stages=3),angle=45.0deg,mass=1)", &error);
  struct shk_values *const values = shk_values_bind(NULL, spec, options, &error);
  shk_spec_free(spec); /* the values need nothing of it */
  tap_is_text(shk_values_text(values, "of"), "two words", "text without quotes");
  tap_is_text(shk_values_text(values, "angle"), "45deg", "an angle keeps its unit");
  tap_is_text(shk_values_text(values, "flow"), "gauss(stages=3)", "text of a choice");
  tap_ok(shk_values_choice(values, "flow") == 1, "index of a choice");
  tap_ok(shk_values_integer(shk_values_nested(values, "flow"), "stages") == 3, "nested option");
  tap_ok(shk_values_integer(values, "rows") == 1000, "default of an integer");
  tap_ok(!shk_values_flag(values, "symmetric"), "default of a flag");
  tap_ok(shk_values_given(values, "mass"), "a default that was given counts as given");
  tap_ok(!shk_values_given(values, "rows"), "a default that was not given does not");
  shk_values_free(values);
  TEXT none = canonical("plain", NULL);
  tap_is_text(none, "plain", "a descriptor without options");
}

static void test_numbers(void)
{
  static const char *const pairs[][2] = {
      {"0", "0"},
      {"-0.000e5", "0"},
      {"007", "7"},
      {"+1.50", "1.5"},
      {"1e2", "100"},
      {"1e4", "1e4"},
      {"10000", "1e4"},
      {"1500", "1500"},
      {"2.5e6", "2.5e6"},
      {"0.001", "0.001"},
      {"0.0001", "1e-4"},
      {"0.00078125", "0.00078125"},
      {"-12.5e-1", "-1.25"},
      {".5", "0.5"},
      {"5.", "5"},
      {"1e-3", "0.001"},
      {"1.25E+01", "12.5"},
      {"123456789.123", "123456789.123"},
      {"1e-00026", "1e-26"},
      {"0.0010e3", "1"},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    char *const got = shk_number_canonical(pairs[i][0], false);
    tap_is_text(got, pairs[i][1], "number %s", pairs[i][0]);
    free(got);
  }
  static const char *const bad[] = {"",         "-",  ".",    "e5",  "1e",
                                    "1e999999", "1x", "0x10", "nan", "1 "};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    char *const got = shk_number_canonical(bad[i], false);
    tap_is_text(got, NULL, "\"%s\" is no number", bad[i]);
    free(got);
  }
}

static void test_nearest(void)
{
  static const char *const names[] = {"rattle", "shake",    "symplectic-euler-shake",
                                      "ida",    "pendulum", "sprung-pendulum"};
  static const char *const pairs[][2] = {
      {"rattel", "rattle"},
      {"shaek", "shake"},
      {"dia", "ida"},
      {"pend", "pendulum"},
      {"symplectic-shake", "symplectic-euler-shake"},
      {"quaternion", ""},
      {"x", ""},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    char buffer[128];
    shk_nearest(buffer, sizeof buffer, pairs[i][0], names, sizeof *names, 6);
    tap_is_text(buffer, pairs[i][1], "nearest to %s", pairs[i][0]);
  }
  static const char *const many[] = {"rk2", "rk3", "rk4", "rk5"};
  char buffer[128];
  shk_nearest(buffer, sizeof buffer, "rk6", many, sizeof *many, 4);
  tap_is_text(buffer, "rk2, rk3 or rk4", "at most three are named");
}

static void test_statuses(void)
{
  char buffer[64], tight[8];
  tap_is_text(shk_status_text(buffer, sizeof buffer,
                              shk_failure(SHK_NOT_CONVERGED, "at %g of %g, 5%%", 1.5, 2)),
              "at 1.5 of 2, 5%", "a status with two numbers");
  tap_is_text(
      shk_status_text(buffer, sizeof buffer, shk_failure(SHK_STOPPED, "%s%n %g %g %g %", 1, 2)),
      "%s%n 1 2 %g %", "no other conversion is followed");
  tap_is_text(shk_status_text(tight, sizeof tight, shk_failure(SHK_STOPPED, "12345é", 0, 0)),
              "12345é", "a text that just fits");
  tap_is_text(shk_status_text(tight, sizeof tight, shk_failure(SHK_STOPPED, "12345é9", 0, 0)),
              "1 … 9", "a text that is too long keeps its end");
  tap_is_text(shk_status_text(tight, sizeof tight, shk_failure(SHK_STOPPED, "123ééé", 0, 0)),
              "1 … ", "a cut falls between characters");
  tap_is_text(shk_status_text(buffer, sizeof buffer, shk_ok()), "ok", "the text of ok");
  for (int code = 0; code < SHK_CODE_COUNT; code++)
    tap_ok(shk_code_name(code)[0] && strcmp(shk_code_name(code), "unknown") != 0, "code %d: %s",
           code, shk_code_name(code));
  tap_is_text(shk_code_name(SHK_CODE_COUNT), "unknown", "a code that is none");
}

static void test_messages(void)
{
  struct shk_message message;
  shk_message_set(&message, "%s", "short");
  shk_message_set(&message, "in front of %s", message.text);
  tap_is_text(message.text, "in front of short", "a message may be wrapped in itself");
  char filler[3000];
  for (size_t i = 0; i + 1 < sizeof filler; i += 2)
    memcpy(filler + i, "é", 2);
  filler[sizeof filler - 2] = '\0';
  shk_message_set(&message, "%s", filler);
  const size_t length = strlen(message.text);
  const char *gap = strstr(message.text, "…");
  tap_ok(length < sizeof message.text && gap && (gap - message.text) % 2 == 0 &&
             strlen(gap + strlen("…")) % 2 == 0,
         "a long message is cut between characters");

  shk_message_set(&message, "%s:3: found \"%s\", expected a body: known are %s", filler, filler,
                  filler);
  const char *const rest = message.text;
  tap_ok(strncmp(rest, "éééé", 8) == 0 && strstr(rest, ":3: found \"é") &&
             strstr(rest, "é\", expected a body: known are é"),
         "long names in a message are shortened, and its sentence is whole");
  int ellipses = 0;
  for (gap = rest; (gap = strstr(gap, "…")) != NULL; gap++)
    ellipses++;
  tap_is_int(ellipses, 3, "... each once");

  for (size_t i = 0; i < sizeof filler; i++)
    filler[i] = i % 5 == 4 ? ' ' : 'w';
  memcpy(filler + sizeof filler - 8, "remedy", 7);
  shk_message_set(&message, "subject %s", filler);
  tap_ok(strncmp(message.text, "subject wwww", 12) == 0 && strstr(message.text, " … ") &&
             strcmp(message.text + strlen(message.text) - 6, "remedy") == 0,
         "a sentence that is too long loses its middle, and keeps its end");
}

int main(void)
{
  test_canonical_forms();
  test_faults();
  test_values();
  test_numbers();
  test_nearest();
  test_statuses();
  test_messages();
  return tap_done();
}

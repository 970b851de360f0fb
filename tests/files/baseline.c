/*
 * Baselines: the file and its faults, what counts as a change and which sentence tells it. TAP and JUnit are
 * those of cli/check.
 */
#include "foundation/memory.h"
#include "harness/check/check_report.h"
#include "tests/kit/findings_fixture.h"
#include "tests/kit/tap.h"

/* ---- the file ---- */

static void make(struct shk_baseline *baseline, struct shk_finding *findings, int count)
{
  const struct shk_analysis analysis = {.findings = findings, .finding_count = count};
  shk_baseline_make(baseline, "mine | yours", &analysis);
}

static char *printed(const struct shk_baseline *baseline)
{
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  shk_baseline_print(file, baseline);
  fclose(file);
  return text;
}

static void the_file(void)
{
  struct shk_finding all[] = {finding("order of q", 2.00004321, 0.00123),
                              finding("constraint max", 3.21e-34, NAN),
                              word("energy class", "undetermined"),
                              finding("work-gradient", 123456789, NAN),
                              finding("error of q at T", 1e-6, NAN),
                              finding("scd of q at T", 6, NAN),
                              finding("cpu-seconds", 0.2, NAN),
                              word("status", "refused"),
                              word("status", "crashed"),
                              finding("error of q", 1.23456789e-6, 1e-30)};
  all[1].floor = 1e-34;
  all[0].verdict = SHK_VERDICT_HELD;
  all[7].problem = all[8].problem = (char *)"particles(file=\"a|b\\\n.yaml\")";
  all[7].verdict = SHK_VERDICT_REFUSED;
  all[8].verdict = SHK_VERDICT_FAILED;
  all[8].reason = (char *)"signal 11";
  struct shk_baseline first, second;
  make(&first, all, sizeof all / sizeof all[0]);
  char *text = printed(&first);
  tap_ok(strncmp(text, "shakedown baseline 1\n#", 22) == 0, "the first line has the version");
  const char *lines = strstr(text, "study | ");
  tap_is_text(lines,
              "study | mine \\| yours\n"
              "rattle | chain(links=20) | quad | constraint max | 3.2e-34 | - | factor 10 above "
              "1e-34 | round-off | none\n"
              "rattle | chain(links=20) | quad | energy class | undetermined | - | not gated | "
              "undetermined | none\n"
              "rattle | chain(links=20) | quad | error of q | 1.23457e-06 | 1e-30 | 1e-29 + 5 % | "
              "truncation | none\n"
              "rattle | chain(links=20) | quad | order of q | 2.00004 | 0.0012 | 0.1 + half-widths "
              "| order | held\n"
              "rattle | chain(links=20) | quad | status | finished | - | equal | class | none\n"
              "rattle | chain(links=20) | quad | work-gradient | 123456789 | - | 2 % | counted | "
              "none\n"
              "rattle | particles(file=\"a\\|b\\\\\\x0a.yaml\") | quad | status | refused and "
              "crashed | - | equal | class | failed\n",
              "sorted, one value a line, escaped, without seconds and what is said twice");
  tap_is_text(first.values[first.count - 1].reason, "signal 11", "the graver reason is kept");

  /* The same in another order of findings. */
  struct shk_finding other[sizeof all / sizeof all[0]];
  const int count = sizeof all / sizeof all[0];
  for (int i = 0; i < count; i++)
    other[i] = all[i < 7 ? 6 - i : i];
  make(&second, other, count);
  char *again = printed(&second);
  tap_is_text(again, text, "the order of findings does not matter");
  free(again);
  shk_baseline_clear(&second);

  struct shk_message error = {""};
  tap_ok(shk_baseline_parse(&second, text, strlen(text), "f", &error), "it reads back %s",
         error.text);
  again = printed(&second);
  tap_is_text(again, text, "... as it was");
  free(again);
  struct shk_comparison comparison;
  shk_compare(&comparison, &second, &first);
  tap_is_int(comparison.counts[SHK_CHANGE_NONE], comparison.count, "nothing has changed");
  tap_is_int(comparison.exit_code, 0, "... which ends with 0");
  shk_comparison_clear(&comparison);
  shk_baseline_clear(&second);
  shk_baseline_clear(&first);
  free(text);
}

/* A baseline holds on the values that it was written from, whatever their signs and bands. */
static void holds_on_itself(void)
{
  struct shk_finding all[] = {finding("wrench of hinge force-x", -41.25, 3e-7),
                              finding("wrench of hinge force-z", -3.3e-16, 2e-17),
                              finding("wrench of motor torque-y", -0.0, NAN),
                              finding("energy slope", -2.5e-8, 1e-10),
                              finding("phase error", -0.00417, NAN),
                              finding("order of mu", -1.99, 0.02),
                              finding("wrench of rope force-y", -7.5, NAN),
                              finding("period", 2.5, NAN)};
  all[0].floor = all[1].floor = all[2].floor = 1e-14;
  all[6].adaptive = true;
  struct shk_baseline made, read;
  struct shk_message error = {""};
  make(&made, all, sizeof all / sizeof all[0]);
  char *text = printed(&made);
  if (tap_ok(shk_baseline_parse(&read, text, strlen(text), "f", &error), "negative values read")) {
    struct shk_comparison comparison;
    shk_compare(&comparison, &read, &made);
    tap_is_int(comparison.counts[SHK_CHANGE_NONE], comparison.count, "... and hold on themselves");
    shk_comparison_clear(&comparison);
    shk_baseline_clear(&read);
  }
  shk_baseline_clear(&made);
  free(text);
}

static void is_refused(const char *text, const char *fragment)
{
  struct shk_baseline baseline;
  struct shk_message error = {""};
  const bool read = shk_baseline_parse(&baseline, text, strlen(text), "f.txt", &error);
  tap_ok(!read && strstr(error.text, fragment), "refused: %s", fragment);
  if (read)
    shk_baseline_clear(&baseline);
  else if (!strstr(error.text, fragment))
    tap_diag("%s", error.text);
}

#define HEAD "shakedown baseline 1\n# a comment\n\nstudy | s\n"
#define LINE "a | b | quad | order of q | 2 | 0.1 | 0.1 + half-widths | order | held\n"

static void faults(void)
{
  is_refused("", "f.txt:1: found nothing, expected \"shakedown baseline 1\"");
  is_refused("{}\n", "f.txt:1: found \"{}\", expected \"shakedown baseline 1\"");
  is_refused("shakedown baseline 2\n",
             "f.txt:1: found \"shakedown baseline 2\", expected \"shakedown baseline 1\"");
  is_refused("shakedown baseline 1\n", "expected \"study | NAME\"");
  is_refused("shakedown baseline 1\n" LINE, "f.txt:2: found \"a\", expected \"study | NAME\"");
  is_refused(HEAD, "expected values");
  is_refused(HEAD "a | b | quad\n", "f.txt:5: found 3 fields, expected 9");
  is_refused(HEAD "a | b | half | x | 2 | - | equal | class | none\n",
             "f.txt:5: precision: found \"half\", expected single, double or quad");
  is_refused(HEAD "a | b | quad | x | 2 | wide | equal | class | none\n",
             "half-width: found \"wide\", expected a number above zero or -");
  is_refused(HEAD "a | b | quad | x | 2 | -1 | equal | class | none\n", "found \"-1\", expected");
  is_refused(HEAD "a | b | quad | x | 2 | - | 5 percent | class | none\n",
             "band: found \"5 percent\", expected");
  is_refused(HEAD "a | b | quad | x | two | - | 5 % | counted | none\n",
             "value: found \"two\" with the band \"5 %\", expected a number");
  is_refused(HEAD "a | b | quad | x | 2 | - | 5 % | whim | none\n", "why: found \"whim\"");
  is_refused(HEAD "a | b | quad | x | 2 | - | 5 % | counted | so-so\n",
             "verdict: found \"so-so\", expected held, falsified");
  is_refused(HEAD "a |  | quad | x | 2 | - | 5 % | counted | none\n", "found nothing, expected a");
  is_refused(HEAD "a\\q | b | quad | x | 2 | - | 5 % | counted | none\n", "found \"\\q\"");
  is_refused(HEAD "a\\x00 | b | quad | x | 2 | - | 5 % | counted | none\n", "found \"\\x\"");
  is_refused(HEAD LINE "c | b | quad | x | 2 | - | 5 % | counted | none\n" LINE,
             "f.txt:7: found \"order of q\" of a on b a second time, expected it once: it is at "
             "line 5");

  struct shk_baseline baseline;
  struct shk_message error = {""};
  const char nul[] = HEAD "a\0b\n";
  tap_ok(!shk_baseline_parse(&baseline, nul, sizeof nul - 1, "f", &error) &&
             strstr(error.text, "f:5: found a NUL byte"),
         "a NUL byte is told");
  const char dos[] = "shakedown baseline 1\r\nstudy | s\r\n"
                     "z | b | quad | x | inf | - | 5 % | counted | none\r\n" LINE;
  tap_ok(shk_baseline_parse(&baseline, dos, sizeof dos - 1, "f", &error) && baseline.count == 2 &&
             strcmp(baseline.values[0].integrator, "a") == 0 && isinf(baseline.values[1].value),
         "line ends of another system, any order of lines, infinities %s", error.text);
  shk_baseline_clear(&baseline);
}

/* ---- changes ---- */

static struct shk_comparison comparison;
static struct shk_baseline before, after;
static const struct shk_compared *changed; /* of the last change() */

/* The change between two findings; the comparison is kept. */
static enum shk_change change(struct shk_finding was, struct shk_finding is)
{
  shk_comparison_clear(&comparison);
  shk_baseline_clear(&before);
  shk_baseline_clear(&after);
  make(&before, &was, 1);
  make(&after, &is, 1);
  shk_compare(&comparison, &before, &after);
  changed = &comparison.rows[0]; /* beside it is the status that both have */
  if (strcmp(was.quantity, changed->was->quantity) != 0)
    changed = &comparison.rows[1];
  return changed->change;
}

static void is_change(struct shk_finding was, struct shk_finding is, enum shk_change want,
                      const char *sentence)
{
  const enum shk_change got = change(was, is);
  tap_is_int(got, want, "%s: %s", was.quantity, shk_changes[want].word);
  if (sentence)
    tap_is_text(changed->sentence, sentence, "... in words");
  const bool passes = want == SHK_CHANGE_NONE || want == SHK_CHANGE_NOTED;
  tap_is_int(comparison.exit_code, passes ? 0 : 1, "... ends");
}

static void changes_of_numbers(void)
{
  is_change(finding("order of q", 2, 0.01), finding("order of q", 1.5123, 0.01),
            SHK_CHANGE_REGRESSED,
            "rattle on chain(links=20) in quad: order of q 2.00 → 1.51, regressed");
  is_change(finding("order of q", 2, 0.01), finding("order of q", 4, 0.01), SHK_CHANGE_IMPROVED,
            "rattle on chain(links=20) in quad: order of q 2.00 → 4.00, improved (renew the "
            "baseline if this is intended)");
  is_change(finding("order of q", 2, 0.01), finding("order of q", 2.05, 0.01), SHK_CHANGE_NONE,
            "rattle on chain(links=20) in quad: order of q 2.05");
  is_change(finding("order of q", 2, 0.01), finding("order of q", NAN, NAN), SHK_CHANGE_REGRESSED,
            "rattle on chain(links=20) in quad: order of q 2.00 → undetermined, regressed");
  is_change(finding("order of q", NAN, NAN), finding("order of q", 2, 0.01), SHK_CHANGE_NOTED,
            "rattle on chain(links=20) in quad: order of q undetermined → 2.00, not gated");
  is_change(finding("constraint max", 1, NAN), finding("constraint max", 1.2, NAN),
            SHK_CHANGE_REGRESSED, NULL);
  is_change(finding("energy slope", -1, 0.01), finding("energy slope", -2, 0.01),
            SHK_CHANGE_REGRESSED, NULL);
  is_change(finding("energy slope", -1, 0.01), finding("energy slope", 0.1, 0.01),
            SHK_CHANGE_IMPROVED, NULL);
  is_change(finding("symmetry exponent", 5, NAN), finding("symmetry exponent", 3, NAN),
            SHK_CHANGE_REGRESSED, NULL);
  is_change(finding("time", 1.5, 0.02), finding("time", 1.95, 0.04), SHK_CHANGE_REGRESSED,
            "rattle on chain(links=20) in quad: time 1.5 → 1.95, regressed");
  is_change(finding("time", 1.5, 0.02), finding("time", 1.9, 0.04), SHK_CHANGE_NONE, NULL);
  is_change(finding("time", 1.5, 0.02), finding("time", NAN, NAN), SHK_CHANGE_NOTED,
            "rattle on chain(links=20) in quad: time 1.5 → undetermined, not gated");
  is_change(finding("time", 1.5, 0.02), word("time", "crashed"), SHK_CHANGE_REGRESSED, NULL);
  is_change(finding("work-jacobian", 1000, NAN), finding("work-jacobian", 1500, NAN),
            SHK_CHANGE_REGRESSED,
            "rattle on chain(links=20) in quad: work-jacobian 1000 → 1500, regressed");
}

static void changes_of_words(void)
{
  is_change(word("energy class", "bounded"), word("energy class", "drift"), SHK_CHANGE_REGRESSED,
            "rattle on chain(links=20) in quad: energy class bounded → drift, regressed");
  is_change(word("energy class", "drift"), word("energy class", "exact"), SHK_CHANGE_IMPROVED,
            NULL);
  is_change(word("energy class", "bounded"), word("energy class", "undetermined"),
            SHK_CHANGE_REGRESSED, NULL);
  is_change(word("energy class", "undetermined"), word("energy class", "drift"), SHK_CHANGE_NOTED,
            NULL);
  is_change(word("energy class", "one"), word("energy class", "another"), SHK_CHANGE_CHANGED, NULL);
  struct shk_finding was = word("energy class", "exact"), is = word("energy class", "random-walk");
  was.floor = is.floor = 1e-16;
  is_change(was, is, SHK_CHANGE_NOTED, NULL);
  is.floor = NAN;
  is_change(was, is, SHK_CHANGE_REGRESSED, NULL);
  is_change(finding("symmetry", 1e-30, NAN), word("symmetry", "refused"), SHK_CHANGE_REGRESSED,
            NULL);
  is_change(word("symmetry", "refused"), finding("symmetry", 1e-30, NAN), SHK_CHANGE_IMPROVED,
            NULL);
}

static void changes_of_verdicts(void)
{
  struct shk_finding was = finding("order of q", 2, 0.01), is = was;
  was.verdict = SHK_VERDICT_HELD;
  is.verdict = SHK_VERDICT_FALSIFIED;
  is.expected = (char *)"3 ± 0.1";
  is_change(was, is, SHK_CHANGE_REGRESSED,
            "rattle on chain(links=20) in quad: order of q 2.00 → 2.00 (held → falsified), "
            "regressed");
  tap_is_text(changed->cause, "claimed: 3 ± 0.1", "the cause is the claim");
  is_change(is, was, SHK_CHANGE_IMPROVED, NULL);
  is.verdict = SHK_VERDICT_UNDECIDED;
  is_change(was, is, SHK_CHANGE_NONE, NULL);
}

/* The lines before the first point, which the caller frees. */
static char *first_lines(const char *more)
{
  char *text = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&text, &size);
  shk_check_print_tap(file, &comparison, more);
  fclose(file);
  char *const points = strstr(text, "not ok ");
  if (points)
    *points = '\0';
  return text;
}

static void come_and_gone(void)
{
  struct shk_finding was[] = {finding("order of q", 2, 0.01), finding("order of p", NAN, NAN)};
  struct shk_finding is[] = {finding("error of q", 1, NAN), word("status", "crashed")};
  is[1].verdict = SHK_VERDICT_FAILED;
  is[1].reason = (char *)"signal 11";
  shk_comparison_clear(&comparison);
  shk_baseline_clear(&before);
  shk_baseline_clear(&after);
  make(&before, was, 2);
  make(&after, is, 2);
  shk_compare(&comparison, &before, &after);
  tap_is_int(comparison.count, 4, "error, two orders and the status");
  tap_is_int(comparison.rows[0].change, SHK_CHANGE_NEW, "a new value");
  tap_is_text(comparison.rows[0].sentence, "rattle on chain(links=20) in quad: error of q 1, new",
              "... in words");
  tap_is_int(comparison.rows[1].change, SHK_CHANGE_NOTED, "nothing to miss");
  tap_is_int(comparison.rows[2].change, SHK_CHANGE_MISSING, "a missing one");
  tap_is_text(comparison.rows[2].sentence,
              "rattle on chain(links=20) in quad: order of q 2 → not computed", "... in words");
  tap_is_text(comparison.rows[2].cause, "crashed: signal 11", "... because of a crash");
  tap_is_int(comparison.rows[3].change, SHK_CHANGE_REGRESSED, "finished → crashed");
  tap_is_int(comparison.exit_code, 3, "all of it because cells failed: 3");
  /* The reverse: what failed before finishes. */
  shk_comparison_clear(&comparison);
  shk_compare(&comparison, &after, &before);
  tap_is_int(comparison.rows[3].change, SHK_CHANGE_IMPROVED, "crashed → finished");
  tap_is_int(comparison.exit_code, 1, "a missing error of finished cells: 1");
  tap_is_text(comparison.rows[0].cause, "the study no longer has this value", "... its cause");
  /* New and falsified. */
  struct shk_finding bad = finding("order of z", 1, 0.01);
  bad.verdict = SHK_VERDICT_FALSIFIED;
  shk_comparison_clear(&comparison);
  shk_baseline_clear(&after);
  make(&after, &bad, 1);
  shk_compare(&comparison, &before, &after);
  bool found = false;
  for (int i = 0; i < comparison.count; i++)
    found = found || comparison.rows[i].change == SHK_CHANGE_NEW_BAD;
  tap_ok(found, "new and falsified fails");
}

/* Cells of the long run crash, and the order of the short one is another: each has its own cause, and
 * what lacks because of the crash is said once. */
static void causes_of_runs(void)
{
  struct shk_finding was[] = {finding("order of q (until 2)", 2, 0.01),
                              finding("order of q (until 1200)", 2, 0.01),
                              finding("error of q (until 1200)", 1e-6, NAN),
                              finding("symmetry", 1, NAN)},
                     is[] = {finding("order of q (until 2)", 1, 0.01),
                             word("status (until 1200)", "crashed")};
  is[1].verdict = SHK_VERDICT_FAILED;
  is[1].reason = (char *)"5 of 5 cells did not finish; at step 0.1: signal 11";
  shk_comparison_clear(&comparison);
  shk_baseline_clear(&before);
  shk_baseline_clear(&after);
  make(&before, was, 4);
  make(&after, is, 2);
  shk_compare(&comparison, &before, &after);
  int follow = 0;
  for (int i = 0; i < comparison.count; i++) {
    const struct shk_compared *const row = &comparison.rows[i];
    follow += row->follows;
    if (strcmp(row->of->quantity, "order of q (until 2)") == 0)
      tap_is_text(row->cause, "outside its band", "the short run is not blamed on the long one");
    if (strcmp(row->of->quantity, "order of q (until 1200)") == 0)
      tap_is_text(row->cause,
                  "crashed (until 1200): 5 of 5 cells did not finish; at step 0.1: signal 11",
                  "a cause names its run");
    if (strcmp(row->of->quantity, "symmetry") == 0)
      tap_is_text(row->cause, "the study no longer has this value", "one step belongs to no run");
    if (strcmp(row->of->quantity, "status (until 1200)") == 0)
      tap_is_int(row->followers, 3, "the status stands for what it makes fail");
  }
  tap_is_int(follow, 3, "an error, an order and the status of before follow");
  tap_is_int(comparison.exit_code, 1, "the order and the symmetry fail by themselves");
  char *text = first_lines(NULL);
  tap_is_text(
      text,
      "TAP version 13\n1..6\n"
      "# 3 values of rattle left their bands: status (until 1200) crashed, order of q (until "
      "2) 2.00 → 1.00, symmetry 1 → not computed\n"
      "#   order of q (until 2) of rattle on chain(links=20) in quad: 2.00 in the baseline, "
      "1.00 now\n"
      "#   status (until 1200) of rattle on chain(links=20) in quad: 5 of 5 cells did not "
      "finish; at step 0.1: signal 11; so 3 values are missing or wrong\n"
      "#   symmetry of rattle on chain(links=20) in quad: 1 in the baseline, missing now\n",
      "five cells that did not finish are one line");
  free(text);
}

/* A claim falls in two precisions and on two problems, while another value gets better, as it does of
 * another method. */
static void headlines(void)
{
  enum { COUNT = 9 };
  struct shk_finding was[COUNT], is[COUNT];
  for (int i = 0; i < COUNT; i++) {
    was[i] = i % 2 ? finding("order of q", 2, 0.01) : finding("work-jacobian", 1000, NAN);
    was[i].precision = (char *)(i & 2 ? "quad" : "double");
    was[i].problem = (char *)(i & 4 ? "ring" : "chain");
    was[i].integrator = (char *)(i < 8 ? "rattle" : "shake");
    was[i].verdict = i % 2 ? SHK_VERDICT_HELD : SHK_VERDICT_NONE;
    is[i] = was[i];
    is[i].value /= 2;
    is[i].verdict = i % 2 ? SHK_VERDICT_FALSIFIED : SHK_VERDICT_NONE;
    is[i].expected = (char *)"2";
  }
  shk_comparison_clear(&comparison);
  shk_baseline_clear(&before);
  shk_baseline_clear(&after);
  make(&before, was, COUNT);
  make(&after, is, COUNT);
  shk_compare(&comparison, &before, &after);
  tap_is_int(comparison.fell, 4, "four claims fell");
  tap_is_int(comparison.counts[SHK_CHANGE_IMPROVED], 1, "nothing improved of their method");
  tap_is_int(comparison.counts[SHK_CHANGE_CHANGED], 4, "... it changed");
  char *headline = shk_check_headline(&comparison);
  tap_is_text(headline, "1 claim of rattle failed: order of q 2.00 → 1.00",
              "a claim counts once for all problems and precisions");
  free(headline);
  *SHK_APPEND(comparison.causes, comparison.cause_count) =
      (struct shk_likely_cause){"rattle", shk_copy_text("a half kick is missing")};
  for (int i = 0; i < comparison.count; i++)
    if (comparison.rows[i].of->id == SHK_QUANTITY_ORDER)
      comparison.rows[i].since = shk_copy_text("since 3f2a1b0 of 2026-10-01");
  char *text = first_lines("shakedown try rattle");
  tap_is_text(text,
              "TAP version 13\n1..14\n"
              "# 1 claim of rattle failed: order of q 2.00 → 1.00\n"
              "# likely cause rattle: a half kick is missing\n"
              "#   order of q of rattle on chain in double and quad: 2.00 since 3f2a1b0 of "
              "2026-10-01, 1.00 now; the claim failed 1 more time\n"
              "# to see more: shakedown try rattle\n",
              "the first lines say what fell, since when, and why");
  free(text);
  /* Without claims that fell: what left its band. */
  change(was[0], is[0]);
  headline = shk_check_headline(&comparison);
  tap_is_text(headline, "1 value of rattle left its band: work-jacobian 1000 → 500",
              "without a claim, the values");
  free(headline);
  change(was[0], was[0]);
  headline = shk_check_headline(&comparison);
  tap_ok(headline == NULL, "nothing to say");
  free(headline);
}

int main(void)
{
  the_file();
  holds_on_itself();
  faults();
  changes_of_numbers();
  changes_of_words();
  changes_of_verdicts();
  come_and_gone();
  causes_of_runs();
  headlines();
  shk_comparison_clear(&comparison);
  shk_baseline_clear(&before);
  shk_baseline_clear(&after);
  return tap_done();
}

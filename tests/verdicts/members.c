/*
 * Cells with members: each member has the bits of a cell of its own, in both precisions and
 * whatever else is run beside it; members that fail; members in studies. What is said of all of them is in
 * member_findings.c.
 */
#include "engine/engine.h"
#include "foundation/memory.h"
#include "harness/study/study.h"
#include "tests/kit/store_fixture.h"

enum { KEPT = 64 };

static char *first_members[] = {"double-pendulum(angle1=1)", "double-pendulum(angle1=1.5)",
                                "double-pendulum(angle1=2)", "double-pendulum"};
static char *times[] = {"0.7", "2.5"};
static long long step_counts[] = {700, 2500};

static struct shk_cell cell_of(const char *integrator, const char *precision, bool by_tolerance)
{
  return (struct shk_cell){.kind = "run",
                           .problem = "double-pendulum",
                           .integrator = (char *)integrator,
                           .precision = (char *)precision,
                           .step = by_tolerance ? NULL : "0.001",
                           .tolerance = by_tolerance ? "1e-6" : NULL,
                           .until = "2.5",
                           .time_count = 2,
                           .times = times,
                           .step_counts = by_tolerance ? NULL : step_counts,
                           .member_count = 4,
                           .members = first_members};
}

static void run(struct shk_outcome *outcome, const struct shk_cell *cell)
{
  struct shk_message error;
  shk_engine_named(cell->precision, &error)->run(&test_context, outcome, cell);
}

/* ---- the bits of a member ---- */

static bool same_bits(double a, double b)
{
  return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_samples(const struct shk_outcome *a, const struct shk_outcome *b)
{
  bool same = a->sample_count == b->sample_count && a->sample_count > 0;
  for (int i = 0; same && i < a->sample_count; i++) {
    const struct shk_sample *x = &a->samples[i], *y = &b->samples[i];
    same = strcmp(x->time, y->time) == 0 && x->block_count == y->block_count;
    for (int k = 0; same && k < x->block_count; k++)
      same = strcmp(x->blocks[k].name, y->blocks[k].name) == 0 &&
             fixture_same_vector(&x->blocks[k].vector, &y->blocks[k].vector);
  }
  return same;
}

/* All but the time, which depends on the clock and is taken of the first member only. */
static bool same_scalars(const struct shk_outcome *member, const struct shk_outcome *own)
{
  int compared = 0, of_own = 0;
  for (int i = 0; i < own->scalar_count; i++)
    of_own += strcmp(own->scalars[i].name, "cpu-seconds") != 0;
  for (int i = 0; i < member->scalar_count; i++) {
    const char *const name = member->scalars[i].name;
    if (strcmp(name, "cpu-seconds") == 0)
      continue;
    if (!same_bits(member->scalars[i].value, shk_outcome_scalar(own, name)))
      return false;
    compared++;
  }
  return compared == of_own && compared > 10;
}

/* The member's series is its own, with neighbouring intervals joined. */
static bool is_joined(const struct shk_series *few, const struct shk_series *own)
{
  const int most = own->count < KEPT ? own->count : KEPT;
  bool ok = few != NULL && few->count == most;
  for (int w = 0; ok && w < most; w++) {
    const int begin = own->count * w / most, end = own->count * (w + 1) / most;
    double low = INFINITY, high = -INFINITY, sum = 0;
    for (int i = begin; i < end; i++) {
      low = fmin(low, own->minimum[i]);
      high = fmax(high, own->maximum[i]);
      sum += own->mean[i] * (own->time[i] - (i > 0 ? own->time[i - 1] : 0));
    }
    const double from = begin > 0 ? own->time[begin - 1] : 0;
    const double mean = sum / (own->time[end - 1] - from);
    ok = few->time[w] == own->time[end - 1] && few->minimum[w] == low && few->maximum[w] == high &&
         fabs(few->mean[w] - mean) <= 1e-12 * fabs(mean);
  }
  return ok;
}

static void members_have_the_bits_of_cells(const char *integrator, const char *precision,
                                           bool by_tolerance)
{
  const struct shk_cell cell = cell_of(integrator, precision, by_tolerance);
  OUTCOME all = {0};
  run(&all, &cell);
  tap_ok(all.code == SHK_OK && all.member_count == 4, "%s in %s runs over 4 members %s", integrator,
         precision, all.reason);
  bool same = true, samples = true, scalars = true, series = true, timed = true;
  for (int i = 0; i < all.member_count; i++) {
    struct shk_cell one = cell;
    OUTCOME own = {0};
    const struct shk_outcome *const member = &all.members[i];
    one.problem = cell.members[i];
    one.member_count = 0;
    run(&own, &one);
    same = same && member->code == own.code && same_bits(member->reached, own.reached) &&
           member->n == own.n && member->m == own.m;
    samples = samples && same_samples(member, &own);
    scalars = scalars && same_scalars(member, &own);
    series = series && member->series_count == 1 &&
             is_joined(shk_outcome_series(member, "energy-error"),
                       shk_outcome_series(&own, "energy-error"));
    timed = timed && isnan(shk_outcome_scalar(member, "cpu-seconds")) == (i > 0);
  }
  tap_ok(same && samples && scalars, "each member has the bits that a cell of its own has");
  tap_ok(series, "of its series the energy is kept, in joined intervals");
  tap_ok(timed, "the first member is timed");
}

/* ---- what is said of all ---- */

/* ---- members that fail ---- */

static void members_fail(void)
{
  char *members[] = {"pendulum(angle=0.7)", "pendulum(rate=1e9)", "pendulum"};
  struct shk_cell cell = cell_of("rattle", "double", false);
  struct shk_outcome all;
  cell.members = members;
  cell.member_count = 3;
  run(&all, &cell);
  tap_ok(all.code == SHK_NOT_CONVERGED &&
             strstr(all.reason, "1 of 3 members failed; member 2, pendulum"),
         "a member that fails makes the cell fail and is named: %s", all.reason);
  tap_ok(all.members[0].code == SHK_OK && all.members[1].code == SHK_NOT_CONVERGED &&
             all.members[2].code == SHK_OK && all.members[2].sample_count == 3,
         "the others are run all the same");
  shk_outcome_clear(&all);

  members[1] = "knife-edge";
  run(&all, &cell);
  tap_ok(all.code == SHK_STOPPED && strstr(all.reason, "member 2, knife-edge: refused: "),
         "a member refused beside others that ran is a failure: %s", all.reason);
  shk_outcome_clear(&all);

  members[0] = members[2] = members[1];
  run(&all, &cell);
  tap_ok(all.code == SHK_REFUSED && strstr(all.reason, "nonholonomic"),
         "members that are all refused are an answer: %s", all.reason);
  shk_outcome_clear(&all);

  cell.kind = "symmetry";
  run(&all, &cell);
  tap_ok(all.code == SHK_BAD_INPUT && strstr(all.reason, "symmetry"),
         "cells of structure have no members: %s", all.reason);
  shk_outcome_clear(&all);
}

/* ---- studies ---- */

static struct shk_study *study_of(const char *run, struct shk_message *error)
{
  TEXT text = shk_print_text("study: s\nruns:\n  - integrators: [rattle]\n%s", run);
  struct shk_study *const study =
      shk_study_parse(&test_context, text, strlen(text), "s.yaml", error);
  return study;
}

static void reads_as(const char *members, const char *problem, const char *want)
{
  struct shk_message error = {""};
  TEXT run = shk_print_text("    problems: [\"%s\"]\n    members: %s\n", problem, members);
  struct shk_study *const study = study_of(run, &error);
  char *got = shk_copy_text("");
  const struct shk_cell *const start = study ? &study->runs[0].problems[0] : NULL;
  for (int i = 0; start && i < start->member_count; i++) {
    TEXT one = shk_member_problem(start, i);
    char *const longer = shk_print_text("%s%s%s", got, i > 0 ? "; " : "", one);
    free(got);
    got = longer;
  }
  tap_is_text(study ? got : error.text, want, "members: %s", members);
  free(got);
  shk_study_free(study);
}

static void is_refused(const char *run, int line, const char *part)
{
  struct shk_message error = {""};
  struct shk_study *const study = study_of(run, &error);
  TEXT where = shk_print_text("s.yaml:%d:", line);
  tap_ok(!study && strncmp(error.text, where, strlen(where)) == 0 && strstr(error.text, part),
         "refused with `%s`: %s", part, error.text);
  shk_study_free(study);
}

static void studies_have_members(void)
{
  reads_as("{angle: 1..3}", "pendulum", "pendulum(angle=1); pendulum(angle=2); pendulum(angle=3)");
  reads_as("{angle: [0.5, 9..10deg, 200..201e-2]}", "pendulum(rate=1)",
           "pendulum(angle=0.5,rate=1); pendulum(angle=9deg,rate=1); "
           "pendulum(angle=10deg,rate=1); pendulum(angle=2,rate=1); pendulum(angle=2.01,rate=1)");
  reads_as("{rate: [1, 3]}", "pendulum(angle=0.5,rate=2)",
           "pendulum(angle=0.5,rate=1); pendulum(angle=0.5,rate=3)");
  reads_as("{start: random(seed=8..9)}", "chain(links=3)",
           "chain(links=3,start=random(seed=8)); chain(links=3,start=random(seed=9))");

  is_refused("    problems: [pendulum, double-pendulum]\n    members: {angle: 1..2}\n", 5,
             "double-pendulum has no option \"angle\"");
  is_refused("    problems: [pendulum]\n    members: {angle: 1..2, rate: 1..2}\n", 5,
             "found a second option");
  is_refused("    problems: [pendulum]\n    members: {angle: 1}\n", 5, "found 1 member,");
  is_refused("    problems: [pendulum]\n    members: {angle: [1, 1.0]}\n", 5, "is given twice");
  is_refused("    problems: [pendulum]\n    members: {angle: 3..1}\n", 5, "an ascending range");
  is_refused("    problems: [pendulum]\n    members: {angle: 1..2 3..4}\n", 5, "two ranges");
  is_refused("    problems: [pendulum]\n    members: {length: [1, 0]}\n", 5, "option length is 0");
  is_refused("    problems: [pendulum]\n    members: 1..3\n", 5, "one option with its values");
  is_refused("    problems: [pendulum]\n    members: [{q: [1, 0]}]\n", 5, "one option");
  is_refused("    problems: [pendulum]\n    members: {angle: 1..2}\n    measures: [symmetry]\n", 5,
             "the measure \"symmetry\" is for single starts");
  is_refused("    problems: [pendulum]\n    members: {angle: 1..2}\n"
             "    outcomes: {error: 0.1, branch: 0.1, growth: 10}\n",
             5, "the key \"outcomes\" is for single starts");
}

int main(void)
{
  members_have_the_bits_of_cells("rattle", "double", false);
  members_have_the_bits_of_cells("shake(linear=svd)", "double", false);
  members_have_the_bits_of_cells("rattle", "quad", false);
  members_have_the_bits_of_cells("reference", "double", true);
  members_fail();
  studies_have_members();
  return tap_done();
}

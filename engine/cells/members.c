/*
 * Runs cells with members, which form an ensemble of starts or parameters. Everything else is the
 * same for all members. The members run one after the other in a single process.
 *
 * A member is bound, run and measured exactly like a separate cell, so its results are bitwise
 * identical. For the same reason, no member starts from the solution of the previous one. An
 * ensemble saves the overhead of separate cells: a process, an entry in the store, and the timing,
 * which is done only for the first member.
 */
#include "engine/cells/cells.h"
#include "foundation/message.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of intervals stored for the series of each member. The intervals are used to compute the
 * uncertainty of a drift, such as the energy drift, over the members. */
enum { KEPT_INTERVALS = 64 };

/* ---- a member ---- */

/* Adds a series, first merging neighbouring intervals as evenly as possible until at most
 * KEPT_INTERVALS remain. */
static void keep_series(struct shk_outcome *kept, const struct shk_series *from)
{
  const int count = from->count < KEPT_INTERVALS ? from->count : KEPT_INTERVALS;
  struct shk_series *const to = shk_outcome_add_series(kept, from->name, count);
  to->of_members = true;
  if (count == from->count)
    /* all arrays share one block of memory */
    memcpy(to->time, from->time, 4 * (size_t)count * sizeof *to->time);
  for (int w = 0; w < count && count < from->count; w++) {
    const int begin = (int)((long)w * from->count / count);
    const int end = (int)((long)(w + 1) * from->count / count);
    double since = w > 0 ? to->time[w - 1] : 0, sum = 0, weight = 0;
    to->minimum[w] = from->minimum[begin];
    to->maximum[w] = from->maximum[begin];
    for (int i = begin; i < end; i++) {
      const double length = from->time[i] - since;
      sum += length * from->mean[i];
      weight += length;
      to->minimum[w] = fmin(to->minimum[w], from->minimum[i]);
      to->maximum[w] = fmax(to->maximum[w], from->maximum[i]);
      since = from->time[i];
    }
    to->time[w] = since;
    to->mean[w] = sum / weight;
  }
}

/* Drops all series except those that members store, which are reduced to a few intervals. */
static void make_compact(struct shk_outcome *member)
{
  struct shk_outcome kept = {.series = NULL};
  for (int i = 0; i < member->series_count; i++)
    if (member->series[i].of_members)
      keep_series(&kept, &member->series[i]);
  shk_outcome_drop_series(member);
  member->series = kept.series;
  member->series_count = kept.series_count;
}

/* ---- the summary of all members ---- */

static void sum_up_scalar(struct shk_outcome *outcome, const char *name, bool averaged)
{
  double sum = 0, worst = 0;
  int count = 0;
  for (int i = 0; i < outcome->member_count; i++) {
    const struct shk_outcome *const member = &outcome->members[i];
    int k = 0;
    while (k < member->scalar_count && strcmp(member->scalars[k].name, name) != 0)
      k++;
    if (k == member->scalar_count)
      continue;
    const double value = member->scalars[k].value;
    sum += value;
    if (count++ == 0 || isnan(value) || fabs(value) > fabs(worst)) /* a NaN stays */
      worst = value;
  }
  shk_outcome_add_scalar(outcome, name, averaged ? sum / count : worst);
}

/* Uses the scalar names of the member with the most scalars, because a member that failed may have
 * fewer. */
static void sum_up_scalars(struct shk_outcome *outcome)
{
  const struct shk_outcome *most = &outcome->members[0];
  for (int i = 1; i < outcome->member_count; i++)
    if (outcome->members[i].scalar_count > most->scalar_count)
      most = &outcome->members[i];
  for (int k = 0; k < most->scalar_count; k++)
    sum_up_scalar(outcome, most->scalars[k].name, most->scalars[k].averaged);
}

/* Adds the minima, the maxima and the sums of the means of a member's series to the summary before
 * the member is compacted. The summary contains only the intervals before the first one whose time
 * differs in some member. */
static void take_series(struct shk_outcome *outcome, const struct shk_outcome *member, bool first)
{
  for (int i = 0; first && i < member->series_count; i++) {
    const struct shk_series *from = &member->series[i];
    struct shk_series *to = shk_outcome_add_series(outcome, from->name, from->count);
    /* all arrays share one block of memory */
    memcpy(to->time, from->time, 4 * (size_t)from->count * sizeof *to->time);
  }
  for (int i = 0; !first && i < outcome->series_count; i++) {
    struct shk_series *to = &outcome->series[i];
    const struct shk_series *from = shk_outcome_series(member, to->name);
    int shared = 0;
    for (; from && shared < to->count && shared < from->count; shared++) {
      if (from->time[shared] != to->time[shared])
        break;
      to->minimum[shared] = fmin(to->minimum[shared], from->minimum[shared]);
      to->mean[shared] += from->mean[shared];
      to->maximum[shared] = fmax(to->maximum[shared], from->maximum[shared]);
    }
    to->count = shared;
  }
}

static void finish_series(struct shk_outcome *outcome)
{
  for (int i = 0; i < outcome->series_count; i++) {
    for (int k = 0; k < outcome->series[i].count; k++)
      outcome->series[i].mean[k] /= outcome->member_count;
    /* this series is not analysed, so it is not summarized */
    if (!shk_outcome_series(&outcome->members[0], outcome->series[i].name))
      shk_series_to_single(&outcome->series[i]);
  }
}

/* Reports the first member that failed, and the number of failures. */
static void report_failures(struct shk_outcome *outcome, const struct shk_cell *cell)
{
  int failed = 0, refused = 0, first = -1;
  for (int i = outcome->member_count - 1; i >= 0; i--) {
    const enum shk_code code = outcome->members[i].code;
    failed += code != SHK_OK;
    refused += code == SHK_REFUSED;
    if (code != SHK_OK &&
        (code != SHK_REFUSED || first < 0 || outcome->members[first].code == SHK_REFUSED))
      first = i;
  }
  if (failed == 0)
    return;
  const struct shk_outcome *member = &outcome->members[first];
  const bool mixed = member->code == SHK_REFUSED && refused < outcome->member_count;
  outcome->code = mixed ? SHK_STOPPED : member->code;
  outcome->history_count = member->history_count;
  memcpy(outcome->history, member->history, sizeof outcome->history);
  /* If all members are refused, they usually share the same reason, so no member is named. */
  if (refused < outcome->member_count)
    shk_text_print(outcome->reason, sizeof outcome->reason,
                   "%d of %d members failed; member %d, %s: %s%s", failed, outcome->member_count,
                   first + 1, cell->members[first], mixed ? "refused: " : "", member->reason);
  else
    shk_text_fit(outcome->reason, sizeof outcome->reason, member->reason);
}

/*
 * The summary in the cell's outcome:
 *
 *   code, reason  ok if every member is ok. Otherwise, the code comes from the first member that
 *                 failed without being refused, and the reason names this member and counts the
 *                 others. The code is `refused` only if every member is refused; if some are
 *                 refused and others ran, the cell fails (`stopped`).
 *   reached       the smallest value
 *   n, m          the largest values
 *   scalars       A count is the mean over the members, which is the cost of one member.
 *                 cpu-seconds is the value of the first member. Any other scalar is the value with
 *                 the largest magnitude, with its sign, or NaN if it is NaN for some member.
 *   series        the smallest minimum, the mean of the means and the largest maximum, over the
 *                 intervals that all members share
 *   samples       none
 */
static void sum_up(struct shk_outcome *outcome, const struct shk_cell *cell)
{
  for (int i = 0; i < outcome->member_count; i++) {
    const struct shk_outcome *const member = &outcome->members[i];
#define LEAST fmin
#define LARGEST fmax
#define OUTCOME_FIELD(type, name, words, summary, ...)                                             \
  outcome->name = i == 0 ? member->name : (SHK_OUTCOME_##type)summary(outcome->name, member->name);
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
#undef LARGEST
#undef LEAST
  }
  report_failures(outcome, cell);
  sum_up_scalars(outcome);
  finish_series(outcome);
}

void shk_ensemble_cell(const struct shk_context *context, struct shk_outcome *outcome,
                       const struct shk_cell *cell)
{
  *outcome = (struct shk_outcome){0};
  if (strcmp(cell->kind, "run") != 0) {
    outcome->code = SHK_BAD_INPUT;
    snprintf(outcome->reason, sizeof outcome->reason, "cells of kind %.32s have no members",
             cell->kind);
    return;
  }
  outcome->members = shk_allocate((size_t)cell->member_count, sizeof *outcome->members);
  for (int i = 0; i < cell->member_count; i++) {
    struct shk_cell own = *cell; /* shares the strings of the cell */
    own.problem = cell->members[i];
    own.member_count = 0;
    struct shk_outcome *const member = &outcome->members[outcome->member_count++];
    shk_run_cell(context, member, &own, i == 0);
    if (member->code == SHK_NO_MEMORY) { /* members share the memory of their process */
      outcome->code = member->code;
      shk_text_fit(outcome->reason, sizeof outcome->reason, member->reason);
      return;
    }
    take_series(outcome, member, i == 0);
    make_compact(member);
  }
  sum_up(outcome, cell);
}

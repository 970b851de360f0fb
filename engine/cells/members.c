/*
 * Cells with members: an ensemble of starts or parameters, everything else the same, run in one
 * process, one after the other.
 *
 * A member is bound, run and measured exactly as a cell of its own is, so that it has the same
 * bits; what is saved is the overhead of a cell: a process, its place in the store, and the timing,
 * which only the first member has.
 *
 * The cell's outcome summarizes all members:
 *
 *   code, reason  ok if every member is. Otherwise the first member that failed, rather than being
 *                 refused, gives both; the reason names it and counts the others. Refused only if
 *                 every member is; members refused beside others that ran are a failure (stopped).
 *   reached       the least
 *   n, m          the largest
 *   scalars       counts: the mean over the members, the cost of one. cpu-seconds: that of
 *                 the first member. Others: the value of largest size, with its sign; NaN if it is
 *                 NaN in some member.
 *   series        over the intervals that all members share: the least minimum, the mean of the
 *                 means, the largest maximum
 *   samples       none
 *
 * It does not go on from one member's solution to the next: that would change the bits.
 */
#include "engine/cells/cells.h"
#include "foundation/message.h"

#include "foundation/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of the energy, for one: the uncertainty of its drift over the members needs them. */
enum { KEPT_INTERVALS = 64 };

/* ---- a member ---- */

/* Joins neighbouring intervals as evenly as possible, so that at most `most` are left. */
static void join_intervals(struct shk_series *series, int most)
{
  const int count = series->count;
  if (count <= most)
    return;
  for (int w = 0; w < most; w++) {
    const int begin = (int)((long)w * count / most), end = (int)((long)(w + 1) * count / most);
    double from = w > 0 ? series->time[w - 1] : 0, sum = 0, weight = 0;
    double low = series->minimum[begin], high = series->maximum[begin];
    for (int i = begin; i < end; i++) {
      const double length = series->time[i] - from;
      sum += length * series->mean[i];
      weight += length;
      low = fmin(low, series->minimum[i]);
      high = fmax(high, series->maximum[i]);
      from = series->time[i];
    }
    /* Writing stays behind reading. */
    series->time[w] = from;
    series->minimum[w] = low;
    series->mean[w] = sum / weight;
    series->maximum[w] = high;
  }
  /* The arrays lie in one block, one after the other. */
  double *const parts[] = {series->minimum, series->mean, series->maximum};
  for (int k = 0; k < 3; k++)
    memmove(series->time + (size_t)(k + 1) * (size_t)most, parts[k],
            (size_t)most * sizeof *parts[k]);
  series->count = most;
  series->minimum = series->time + most;
  series->mean = series->minimum + most;
  series->maximum = series->mean + most;
}

/* Drops all series but those of members, which keep few intervals. */
static void make_compact(struct shk_outcome *member)
{
  int kept = 0;
  for (int i = 0; i < member->series_count; i++) {
    struct shk_series *const series = &member->series[i];
    if (!series->of_members) {
      free(series->name);
      free(series->time);
      continue;
    }
    join_intervals(series, KEPT_INTERVALS);
    member->series[kept++] = *series;
  }
  member->series_count = kept;
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

/* The names are those of the member that has most: one that failed may have fewer. */
static void sum_up_scalars(struct shk_outcome *outcome)
{
  const struct shk_outcome *most = &outcome->members[0];
  for (int i = 1; i < outcome->member_count; i++)
    if (outcome->members[i].scalar_count > most->scalar_count)
      most = &outcome->members[i];
  for (int k = 0; k < most->scalar_count; k++)
    sum_up_scalar(outcome, most->scalars[k].name, most->scalars[k].averaged);
}

/* Adds a member's series to those of all, before the member is made compact: minima and maxima as
 * they are, means as sums. Only what all members have, over the same times, is kept. */
static void take_series(struct shk_outcome *outcome, const struct shk_outcome *member, bool first)
{
  for (int i = 0; first && i < member->series_count; i++) {
    const struct shk_series *from = &member->series[i];
    struct shk_series *to = shk_outcome_add_series(outcome, from->name, from->count);
    for (int k = 0; k < from->count; k++) {
      to->time[k] = from->time[k];
      to->minimum[k] = from->minimum[k];
      to->mean[k] = from->mean[k];
      to->maximum[k] = from->maximum[k];
    }
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
  for (int i = 0; i < outcome->series_count; i++)
    for (int k = 0; k < outcome->series[i].count; k++)
      outcome->series[i].mean[k] /= outcome->member_count;
}

/* Says which member failed, and how many. */
static void report_failures(struct shk_outcome *outcome, const struct shk_cell *cell)
{
  int failed = 0, refused = 0, first = -1, first_refused = -1;
  for (int i = outcome->member_count - 1; i >= 0; i--) {
    const enum shk_code code = outcome->members[i].code;
    failed += code != SHK_OK;
    refused += code == SHK_REFUSED;
    if (code == SHK_REFUSED)
      first_refused = i;
    else if (code != SHK_OK)
      first = i;
  }
  if (failed == 0)
    return;
  if (first < 0)
    first = first_refused;
  const struct shk_outcome *member = &outcome->members[first];
  const bool mixed = member->code == SHK_REFUSED && refused < outcome->member_count;
  outcome->code = mixed ? SHK_STOPPED : member->code;
  outcome->history_count = member->history_count;
  memcpy(outcome->history, member->history, sizeof outcome->history);
  /* As a rule all are refused for the same reason: no member needs to be named. */
  int used = 0;
  if (refused < outcome->member_count)
    used = snprintf(outcome->reason, sizeof outcome->reason,
                    "%d of %d members failed; member %d, %.64s: %s", failed, outcome->member_count,
                    first + 1, cell->members[first].problem, mixed ? "refused: " : "");
  shk_text_fit(outcome->reason + used, sizeof outcome->reason - (size_t)used, member->reason);
}

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

/* A member as a cell of its own, which shares the texts. */
static struct shk_cell cell_of(const struct shk_cell *cell, const struct shk_member *member)
{
  struct shk_cell own = *cell;
  own.problem = member->problem;
  own.q = member->q;
  own.p = member->p;
  own.member_count = 0;
  own.members = NULL;
  return own;
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
    const struct shk_cell own = cell_of(cell, &cell->members[i]);
    struct shk_outcome *const member = &outcome->members[outcome->member_count++];
    shk_run_member(context, member, &own, i == 0);
    if (member->code == SHK_NO_MEMORY) { /* of the process, which the other members share */
      outcome->code = member->code;
      shk_text_fit(outcome->reason, sizeof outcome->reason, member->reason);
      return;
    }
    take_series(outcome, member, i == 0);
    make_compact(member);
  }
  sum_up(outcome, cell);
}

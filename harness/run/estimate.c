/*
 * The time left. See estimate.h.
 *
 * A cell of `steps` takes
 *
 *     overhead + own + repeats,    own = rate · steps,
 *
 * with the rate of its group. What is timed is repeated three times, unless that takes too long
 * (engine/cells/run.c). What all the rest takes is divided by the seconds of cells that are worked off
 * in a second, and is no less than what the longest that is being run still takes. Cells that are given
 * out first, one for each group, see to it that most rates are known early.
 */
#include "harness/run/estimate.h"

#include "foundation/index.h"
#include "foundation/memory.h"
#include "foundation/specifications/precision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is like a cell, from near to far. */
enum { LEVELS = 5, REPEATS = 3 };
static const double longest_repeat = 0.05;
/* To make a process, read what it says and store it: until short cells tell, and which they are. */
static const double usual_overhead = 0.005, short_steps = 2000;
/* Of a group without any that is like it: seconds of a step, until cells tell. */
static const double usual_rate = 3e-7;
/* What takes longer than expected takes, at a guess, so many times what it has so far. */
static const double halfway = 1.5;

struct shk_estimate_cell {
  double steps, begun; /* NaN: it waits */
  int groups[LEVELS];
  bool ended, repeated, probe;
  double seconds; /* that it took, once it has ended */
};

struct shk_estimate_group {
  double steps, seconds; /* of what has ended */
};

double shk_guess_steps(const struct shk_cell *cell)
{
  double steps = 3000; /* adaptive, or exact */
  if (cell->step && cell->numbers.step > 0)
    steps = cell->numbers.until / cell->numbers.step;
  const double members = cell->member_count > 0 ? cell->member_count : 1;
  return members * steps * shk_precision_named(cell->precision)->cost;
}

/* Marks a cell of each group: the least that is not far below its heaviest, for which overheads would
 * hide what a step takes. */
static void choose_probes(struct shk_estimate *estimate)
{
  const double far = 8;
  int *const probes = shk_allocate((size_t)estimate->group_count + 1, sizeof *probes);
  double *const heaviest = shk_allocate((size_t)estimate->group_count + 1, sizeof *heaviest);
  for (int i = 0; i < estimate->count; i++) {
    const struct shk_estimate_cell *const cell = &estimate->cells[i];
    heaviest[cell->groups[0]] = fmax(heaviest[cell->groups[0]], cell->steps);
  }
  for (int i = 0; i < estimate->count; i++) {
    const struct shk_estimate_cell *const cell = &estimate->cells[i];
    int *const probe = &probes[cell->groups[0]]; /* counted from 1 */
    if (far * cell->steps >= heaviest[cell->groups[0]] &&
        (*probe == 0 || cell->steps < estimate->cells[*probe - 1].steps))
      *probe = i + 1;
  }
  for (int g = 0; g < estimate->group_count; g++)
    if (probes[g] > 0)
      estimate->cells[probes[g] - 1].probe = true;
  free(heaviest);
  free(probes);
}

bool shk_estimate_is_probe(const struct shk_estimate *estimate, int cell)
{
  return estimate->cells[cell].probe;
}

void shk_estimate_begin(struct shk_estimate *estimate, const struct shk_cell *const *cells,
                        int count, bool untimed)
{
  struct shk_index groups = {0};
  *estimate = (struct shk_estimate){.count = count, .overhead = usual_overhead};
  estimate->cells = shk_allocate((size_t)count + 1, sizeof *estimate->cells);
  for (int i = 0; i < count; i++) {
    const struct shk_cell *const cell = cells[i];
    estimate->cells[i] = (struct shk_estimate_cell){
        .steps = shk_guess_steps(cell),
        .begun = NAN,
        .repeated = !untimed && strcmp(cell->kind, "run") == 0,
        .groups = {
            shk_index_number(&groups, "%s\n%s\n%s\n%s", cell->kind, cell->integrator, cell->problem,
                             cell->precision),
            shk_index_number(&groups, "%s\n%s\n%s", cell->kind, cell->integrator, cell->problem),
            shk_index_number(&groups, "%s\n%s", cell->kind, cell->integrator),
            shk_index_number(&groups, "%s", cell->kind), shk_index_number(&groups, "all cells")}};
  }
  estimate->group_count = groups.count;
  estimate->groups = shk_allocate((size_t)groups.count + 1, sizeof *estimate->groups);
  shk_index_clear(&groups);
  choose_probes(estimate);
}

void shk_estimate_began(struct shk_estimate *estimate, int cell, double time)
{
  estimate->cells[cell].begun = time;
}

void shk_estimate_ended(struct shk_estimate *estimate, int cell, double time)
{
  estimate->cells[cell].ended = true;
  estimate->cells[cell].seconds = time - estimate->cells[cell].begun;
}

/* What `own` seconds become with repeats, and the reverse. */
static double with_repeats(const struct shk_estimate_cell *cell, double own)
{
  return cell->repeated ? own + REPEATS * fmin(own, longest_repeat) : own;
}

static double without_repeats(const struct shk_estimate_cell *cell, double seconds)
{
  if (!cell->repeated)
    return seconds;
  return fmax(seconds / (1 + REPEATS), seconds - REPEATS * longest_repeat);
}

static void teach(const struct shk_estimate *estimate, const struct shk_estimate_cell *cell,
                  double seconds)
{
  const double own = without_repeats(cell, fmax(seconds - estimate->overhead, 0));
  for (int k = 0; k < LEVELS; k++) {
    estimate->groups[cell->groups[k]].steps += cell->steps;
    estimate->groups[cell->groups[k]].seconds += own;
  }
}

static double rate_of(const struct shk_estimate *estimate, const struct shk_estimate_cell *cell)
{
  for (int level = 0; level < LEVELS; level++) {
    const struct shk_estimate_group *const group = &estimate->groups[cell->groups[level]];
    if (group->steps > 0)
      return group->seconds / group->steps;
  }
  return usual_rate;
}

static double expected(const struct shk_estimate *estimate, const struct shk_estimate_cell *cell)
{
  return estimate->overhead + with_repeats(cell, rate_of(estimate, cell) * cell->steps);
}

/* What the rates so far leave unexplained of short cells. */
static double learn_overhead(const struct shk_estimate *estimate)
{
  double sum = 0;
  int count = 0;
  for (int i = 0; i < estimate->count; i++) {
    const struct shk_estimate_cell *const cell = &estimate->cells[i];
    if (!cell->ended || cell->steps > short_steps)
      continue;
    sum += fmax(0, cell->seconds - with_repeats(cell, rate_of(estimate, cell) * cell->steps));
    count++;
  }
  return count > 0 ? sum / count : usual_overhead;
}

/* What has ended teaches what is like it; and what is being run where nothing like it has ended and it
 * takes longer than expected. */
static void learn(struct shk_estimate *estimate, double now)
{
  memset(estimate->groups, 0, (size_t)estimate->group_count * sizeof *estimate->groups);
  for (int i = 0; i < estimate->count; i++)
    if (estimate->cells[i].ended)
      teach(estimate, &estimate->cells[i], estimate->cells[i].seconds);
  for (int i = 0; i < estimate->count; i++) {
    const struct shk_estimate_cell *const cell = &estimate->cells[i];
    if (!cell->ended && !isnan(cell->begun) && !(estimate->groups[cell->groups[0]].steps > 0) &&
        halfway * (now - cell->begun) > expected(estimate, cell))
      teach(estimate, cell, halfway * (now - cell->begun));
  }
  estimate->overhead = learn_overhead(estimate);
}

double shk_estimate_left(struct shk_estimate *estimate, double start, double now)
{
  double done = 0, left = 0, longest = 0;
  learn(estimate, now);
  for (int i = 0; i < estimate->count; i++) {
    const struct shk_estimate_cell *const cell = &estimate->cells[i];
    if (cell->ended) {
      done += cell->seconds;
      continue;
    }
    double rest = expected(estimate, cell);
    if (!isnan(cell->begun)) {
      const double spent = now - cell->begun;
      done += spent;
      rest = fmax(rest - spent, spent / 10);
      longest = fmax(longest, rest);
    }
    left += rest;
  }
  return done > 0 ? fmax(left * (now - start) / done, longest) : NAN;
}

void shk_estimate_clear(struct shk_estimate *estimate)
{
  free(estimate->cells);
  free(estimate->groups);
  *estimate = (struct shk_estimate){0};
}

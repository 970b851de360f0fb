/*
 * Runs of a study, expanded by budget, seed and methods. Each is read once, or once for every
 * repetition with other random systems (`draws`) and for every class of methods for which it has
 * different values (study_choices.h).
 */
#include "harness/study/study_choices.h"
#include "harness/study/study_numbers.h"
#include "harness/study/study_runs.h"

#include "foundation/memory.h"

#include <stdlib.h>
#include <string.h>

struct reader {
  const struct shk_yaml *yaml;
  struct shk_study *study;
};

static struct shk_study_run *last_of(const struct shk_study *study)
{
  return &study->runs[study->run_count - 1];
}

/* Drops the last run if it has become empty. */
static void drop_empty(struct shk_study *study)
{
  struct shk_study_run *const run = last_of(study);
  if (run->integrator_count > 0 && run->problem_count > 0)
    return;
  shk_run_clear(run);
  study->run_count--;
}

/* Keeps one of the last run's integrators for each text that is marked. */
static void keep(struct shk_study_run *run, char *const *all, const bool *marked, int count)
{
  int kept = 0;
  for (int i = 0; i < run->integrator_count; i++) {
    bool is_kept = false;
    for (int k = 0; k < count; k++)
      is_kept = is_kept || (marked[k] && strcmp(all[k], run->integrators[i]) == 0);
    if (is_kept)
      run->integrators[kept++] = run->integrators[i];
    else
      free(run->integrators[i]);
  }
  run->integrator_count = kept;
}

/* Marks the integrators from `first` on that have its class, and stores the class in the
 * choices. */
static bool mark_class(struct shk_study_choices *choices, bool *marked, bool *seen,
                       char *const *all, int first, int count, struct shk_message *reason)
{
  struct shk_method_class *const its = &choices->class;
  bool ok = shk_method_class(its, choices->context, all[first], reason);
  for (int i = first; i < count && ok; i++) {
    struct shk_method_class other;
    ok = shk_method_class(&other, choices->context, all[i], reason);
    marked[i] = ok && its->adaptive == other.adaptive && its->order == other.order &&
                its->in_quad == other.in_quad && (i == first || !choices->by_integrator);
    seen[i] = seen[i] || marked[i];
  }
  return ok;
}

/* Reads a run once for each class of the integrators, in the order of their first members. */
static bool read_classes(const struct reader *reader, struct fy_node *item, char *const *all,
                         int count)
{
  struct shk_study_choices *const choices = reader->yaml->choices;
  bool *const seen = shk_allocate((size_t)count + 1, sizeof *seen), ok = true;
  for (int i = 0; i < count && ok; i++) {
    bool *const marked = shk_allocate((size_t)count + 1, sizeof *marked);
    struct shk_message reason = {.text = ""};
    if (!seen[i]) {
      if (!mark_class(choices, marked, seen, all, i, count, &reason))
        ok = shk_yaml_fail(reader->yaml, item, "%s", reason.text);
      else if ((ok = shk_read_run(reader->yaml, item, reader->study))) {
        keep(last_of(reader->study), all, marked, count);
        drop_empty(reader->study);
      }
    }
    free(marked);
  }
  free(seen);
  return ok;
}

/* Reads a run. If values turn out to be chosen by the method, reads it again by classes. */
static bool read_draw(const struct reader *reader, struct fy_node *item)
{
  struct shk_study *const study = reader->study;
  struct shk_study_choices *const choices = reader->yaml->choices;
  choices->class = (struct shk_method_class){.adaptive = false};
  choices->by_method = choices->by_integrator = false;
  if (!shk_read_run(reader->yaml, item, study))
    return false;
  bool ok = true;
  if (choices->by_method || choices->by_integrator) {
    struct shk_study_run first = study->runs[--study->run_count];
    ok = read_classes(reader, item, first.integrators, first.integrator_count);
    shk_run_clear(&first);
  } else {
    drop_empty(study);
  }
  return ok;
}

static bool read_item(void *context, struct fy_node *item)
{
  const struct reader *const reader = context;
  const struct shk_study_choices *const choices = reader->yaml->choices;
  struct fy_node *const budget = shk_yaml_value(item, "budget");
  struct fy_node *draws = shk_yaml_value(item, "draws");
  enum shk_budget least = SHK_BUDGET_BRIEF;
  int count = 1;
  if (budget && !shk_read_budget(reader->yaml, budget, "brief, default or thorough", &least))
    return false;
  if (draws && (!(draws = shk_choose_value(reader->yaml, draws)) ||
                !shk_read_count(reader->yaml, draws, "a whole number above zero", &count)))
    return false;
  if (count > SHK_MOST_DRAWS)
    return shk_yaml_fail(reader->yaml, draws, "found %d draws, expected at most %d", count,
                         SHK_MOST_DRAWS);
  for (int i = 0; i < count && least <= choices->settings.budget; i++) {
    ((struct shk_study_choices *)reader->yaml->choices)->draw = i;
    if (!read_draw(reader, item))
      return false;
  }
  return true;
}

bool shk_read_runs(const struct shk_yaml *yaml, struct fy_node *node, struct shk_study *study)
{
  struct reader reader = {yaml, study};
  return shk_yaml_sequence(yaml, node, "a list of runs, each `- problems: …`", false, read_item,
                           &reader) &&
         (study->run_count > 0 ||
          shk_yaml_fail(yaml, node,
                        "no run is left: the conditions of `where` and `budget` hold "
                        "for none"));
}

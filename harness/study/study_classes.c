/*
 * Reads the runs of a study. Each run is read once per repetition (`draws`), each time with
 * different random systems. If its values depend on the method, it is read once per class of
 * methods (study_runs.h). A run is skipped if its `budget` exceeds that of the study.
 */
#include "harness/study/study_runs.h"

static void drop_empty(struct shk_study *study)
{
  struct shk_study_run *const run = &study->runs[study->run_count - 1];
  if (run->integrators.count > 0 && run->problem_count > 0)
    return;
  shk_run_clear(run);
  study->run_count--;
}

/* Removes from the last run all integrators that do not belong to the current class. */
static bool keep_class(const struct shk_yaml *yaml, struct fy_node *item, struct shk_study *study)
{
  const struct shk_method_class *const class = &shk_choices(yaml)->class;
  struct shk_index *const all = &study->runs[study->run_count - 1].integrators;
  struct shk_index kept = {0};
  bool ok = true;
  for (int i = 0; ok && i < all->count; i++) {
    struct shk_method_class method_class;
    ok = shk_method_class(&method_class, yaml, item, all->texts[i]);
    if (ok && method_class.adaptive == class->adaptive && method_class.order == class->order &&
        method_class.in_quad == class->in_quad)
      shk_index_text(&kept, all->texts[i]);
  }
  shk_index_clear(all);
  *all = kept;
  drop_empty(study);
  return ok;
}

/* Reads a run once for each class of its integrators, in the order in which the classes first
 * appear. */
static bool read_classes(const struct shk_yaml *yaml, struct fy_node *item, struct shk_study *study,
                         const struct shk_index *all)
{
  struct shk_index seen = {0};
  bool ok = true;
  for (int i = 0; i < all->count && ok; i++) {
    struct shk_method_class method_class;
    const int known = seen.count;
    ok = shk_method_class(&method_class, yaml, item, all->texts[i]);
    if (ok && shk_index_number(&seen, "%d %d %d", method_class.adaptive, method_class.order,
                               method_class.in_quad) == known) {
      shk_choices(yaml)->class = method_class;
      ok = shk_read_run(yaml, item, study) && keep_class(yaml, item, study);
    }
  }
  shk_index_clear(&seen);
  return ok;
}

/* Reads a run. If some values turn out to depend on the method, reads the run again for each
 * class. */
static bool read_draw(const struct shk_yaml *yaml, struct fy_node *item, struct shk_study *study)
{
  shk_choices(yaml)->class = (struct shk_method_class){.adaptive = false};
  shk_choices(yaml)->by_method = false;
  if (!shk_read_run(yaml, item, study))
    return false;
  bool ok = true;
  if (shk_choices(yaml)->by_method) {
    struct shk_study_run first = study->runs[--study->run_count];
    ok = read_classes(yaml, item, study, &first.integrators);
    shk_run_clear(&first);
  } else {
    drop_empty(study);
  }
  return ok;
}

static bool read_item(const struct shk_yaml *yaml, struct fy_node *item, void *study)
{
  static const struct shk_yaml_key budget_key = SHK_BUDGET_KEY(0),
                                   draws_key = {.name = "draws",
                                                .read = shk_read_whole,
                                                .expected = "a whole number above zero",
                                                .least = 1,
                                                .most = 1000};
  struct fy_node *const draws = shk_yaml_value(item, draws_key.name);
  enum shk_budget least = SHK_BUDGET_BRIEF;
  int count = 1;
  bool ok = shk_yaml_read(yaml, shk_yaml_value(item, budget_key.name), &budget_key, &least) &&
            shk_yaml_read(yaml, draws, &draws_key, &count);
  if (ok && count > SHK_MOST_DRAWS)
    return shk_yaml_fail(yaml, draws, "found %d draws, expected at most %d", count, SHK_MOST_DRAWS);
  for (int i = 0; ok && i < count && least <= shk_choices(yaml)->settings.budget; i++) {
    shk_choices(yaml)->draw = i;
    ok = read_draw(yaml, item, study);
  }
  return ok;
}

bool shk_read_runs(const struct shk_yaml *yaml, struct fy_node *node, void *into)
{
  const struct shk_study *const study = into;
  return shk_yaml_sequence(yaml, node, "a list of runs, each `- problems: …`", false, read_item,
                           into) &&
         (study->run_count > 0 ||
          shk_yaml_fail(yaml, node,
                        "no run is left: none satisfies the conditions of `where` and `budget`"));
}

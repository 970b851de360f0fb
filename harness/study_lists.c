/* The lists that the reading of a study fills. See study_runs.h. */
#include "foundation/memory.h"
#include "harness/study_runs.h"
#include <stdlib.h>
#include <string.h>

bool shk_in_list(char *const *list, int count, const char *text)
{
  for (int i = 0; i < count; i++)
    if (strcmp(list[i], text) == 0)
      return true;
  return false;
}

void shk_add_text(char ***list, int *count, char *owned)
{
  *list = shk_grow(*list, (size_t)*count, sizeof **list);
  (*list)[(*count)++] = owned;
}

static bool same_text(const char *a, const char *b)
{
  return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool same_start(const struct shk_start *a, const struct shk_start *b)
{
  return same_text(a->problem, b->problem) && same_text(a->q, b->q) && same_text(a->p, b->p) &&
         a->project == b->project;
}

void shk_start_free(struct shk_start *start)
{
  free(start->problem);
  free(start->q);
  free(start->p);
}

/* Takes the start over if it is new. */
bool shk_add_start(struct shk_study_run *run, struct shk_start *start)
{
  for (int i = 0; i < run->problem_count; i++)
    if (same_start(&run->problems[i], start))
      return false;
  run->problems = shk_grow(run->problems, (size_t)run->problem_count, sizeof *start);
  run->problems[run->problem_count++] = *start;
  return true;
}

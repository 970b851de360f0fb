/* Lists that are filled while a study is read. See study_runs.h. */
#include "foundation/memory.h"
#include "harness/study/study_runs.h"
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

void shk_start_free(struct shk_start *start)
{
  free(start->problem);
  free(start->q);
  free(start->p);
  for (int i = 0; i < start->member_count; i++)
    shk_member_clear(&start->members[i]);
  free(start->members);
}

/* Takes ownership of the start if it is new. */
bool shk_add_start(struct shk_study_run *run, struct shk_start *start)
{
  const int known = run->starts.count;
  shk_index_number(&run->starts, "%s\n%s\n%s\n%d", start->problem, start->q ? start->q : "none",
                   start->p ? start->p : "none", start->project);
  if (run->starts.count == known)
    return false;
  run->problems = shk_grow(run->problems, (size_t)run->problem_count, sizeof *start);
  run->problems[run->problem_count++] = *start;
  return true;
}

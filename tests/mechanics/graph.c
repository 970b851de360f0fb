/*
 * The graph of constraints that share coordinates: its components, and classes of rows that share
 * none.
 */
#include "mechanics/algebra/graph.h"
#include "engine/bind.h"
#include "tests/kit/context.h"
#include "tests/kit/tap.h"
#include "tests/kit/test_plugin.h"

#include <stdlib.h>

static void test_graph(const char *problem, int components, int largest, int colours)
{
  struct shk_bound bound;
  struct shk_message error;
  struct shk_partition parts = {0}, classes = {0};
  tap_ok(shk_bind_problem(&test_context, &bound, problem, &error) == SHK_OK &&
             shk_components(&parts, bound.evaluator.workspace, &bound.evaluator).code == SHK_OK &&
             shk_colours(&classes, bound.evaluator.workspace, &bound.evaluator).code == SHK_OK,
         "%s: graph", problem);
  tap_ok(parts.count == components && shk_partition_largest(&parts) == largest &&
             classes.count == colours,
         "%s: %d components, the largest of %d rows; %d colours", problem, parts.count,
         shk_partition_largest(&parts), classes.count);
  /* Every row once, and no two of a class share a coordinate. */
  const struct shk_evaluator *e = &bound.evaluator;
  const int n = e->system->n, m = e->system->m;
  int *seen = calloc((size_t)(n + m), sizeof *seen);
  bool proper = seen != NULL;
  for (int c = 0; proper && c < classes.count; c++)
    for (int at = classes.start[c]; at < classes.start[c + 1]; at++) {
      const int i = classes.rows[at];
      proper = proper && seen[n + i]++ == 0;
      for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
        proper = proper && seen[e->columns[k]] != c + 1;
        seen[e->columns[k]] = c + 1;
      }
    }
  tap_ok(proper, "%s: the colouring is proper", problem);
  free(seen);
  shk_unbind(&bound);
}

int main(void)
{
  if (!load_test_plugin("SHAKEDOWN_CHAINS"))
    return tap_done();
  test_graph("chains(count=4,links=3)", 4, 3, 2);
  test_graph("chains(count=4,links=3,extra=sum)", 4, 4, 3);
  test_graph("double-pendulum", 1, 2, 2);
  test_graph("chain(links=9)", 1, 9, 2);
  return tap_done();
}

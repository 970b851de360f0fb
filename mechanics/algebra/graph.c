/*
 * Components are found by union-find over the coordinates, and colours are assigned by first fit.
 * Both algorithms read each entry of the Jacobian's pattern only a few times, and neither runs
 * during a step.
 */
#include "mechanics/algebra/graph.h"

int shk_partition_largest(const struct shk_partition *p)
{
  int largest = 0;
  for (int c = 0; c < p->count; c++)
    if (p->start[c + 1] - p->start[c] > largest)
      largest = p->start[c + 1] - p->start[c];
  return largest;
}

/* Creates the partition from the class of each of the m rows. */
static struct shk_status sort_rows(struct shk_partition *p, struct shk_workspace *workspace,
                                   const int *class_of, int m)
{
  p->count = 0;
  for (int i = 0; i < m; i++)
    if (class_of[i] >= p->count)
      p->count = class_of[i] + 1;
  SHK_TRY(shk_integers(workspace, &p->start, (size_t)p->count + 2 + (size_t)m));
  p->rows = p->start + p->count + 2;
  /* During this loop, start[c + 1] advances from the beginning of class c to its end. */
  for (int i = 0; i < m; i++)
    p->start[class_of[i] + 2]++;
  for (int c = 0; c < p->count; c++)
    p->start[c + 2] += p->start[c + 1];
  for (int i = 0; i < m; i++)
    p->rows[p->start[class_of[i] + 1]++] = i;
  return shk_ok();
}

static int root_of(int *parent, int i)
{
  while (parent[i] != i)
    i = parent[i] = parent[parent[i]];
  return i;
}

struct shk_status shk_components(struct shk_partition *p, struct shk_workspace *workspace,
                                 const struct shk_evaluator *e)
{
  const int n = e->system->n, m = e->system->m;
  int *parent;
  SHK_TRY(shk_integers(workspace, &parent, 2 * (size_t)n + (size_t)m));
  int *class_of_root = parent + n, *class_of = class_of_root + n, count = 0;
  for (int j = 0; j < n; j++) {
    parent[j] = j;
    class_of_root[j] = -1;
  }
  /* A row connects all of its coordinates. */
  for (int i = 0; i < m; i++)
    for (int k = e->row_start[i] + 1; k < e->row_start[i + 1]; k++)
      parent[root_of(parent, e->columns[k])] = root_of(parent, e->columns[k - 1]);
  for (int i = 0; i < m; i++) {
    /* a row without entries forms its own component */
    if (e->row_start[i] == e->row_start[i + 1]) {
      class_of[i] = count++;
      continue;
    }
    const int root = root_of(parent, e->columns[e->row_start[i]]);
    if (class_of_root[root] < 0)
      class_of_root[root] = count++;
    class_of[i] = class_of_root[root];
  }
  const struct shk_status status = sort_rows(p, workspace, class_of, m);
  shk_give_back(parent);
  return status;
}

struct shk_status shk_touching_init(struct shk_touching *t, struct shk_workspace *workspace,
                                    const struct shk_evaluator *e)
{
  const int n = e->system->n, m = e->system->m, count = e->row_start[m];
  SHK_TRY(shk_integers(workspace, &t->start, (size_t)n + 2 + 2 * (size_t)count));
  t->row = t->start + n + 2;
  t->place = t->row + count;
  for (int k = 0; k < count; k++)
    t->start[e->columns[k] + 2]++;
  for (int j = 0; j < n; j++)
    t->start[j + 2] += t->start[j + 1];
  for (int i = 0; i < m; i++)
    for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++) {
      const int at = t->start[e->columns[k] + 1]++;
      t->row[at] = i;
      t->place[at] = k;
    }
  return shk_ok();
}

/* Returns the first class in which no row shares a coordinate with row i. For each class, last_seen
 * (m) contains the last row that did not fit into it. */
static int first_fit(const struct shk_evaluator *e, const struct shk_touching *t,
                     const int *class_of, int *last_seen, int i)
{
  for (int k = e->row_start[i]; k < e->row_start[i + 1]; k++)
    for (int c = t->start[e->columns[k]]; c < t->start[e->columns[k] + 1] && t->row[c] < i; c++)
      last_seen[class_of[t->row[c]]] = i;
  int at = 0;
  while (last_seen[at] == i)
    at++;
  return at;
}

struct shk_status shk_colours(struct shk_partition *p, struct shk_workspace *workspace,
                              const struct shk_evaluator *e)
{
  const int m = e->system->m;
  const bool declared = e->system->row_start != NULL;
  struct shk_touching t = {0};
  int *class_of;
  SHK_TRY(shk_integers(workspace, &class_of, 2 * (size_t)m));
  int *const last_seen = class_of + m;
  if (declared)
    SHK_TRY(shk_touching_init(&t, workspace, e));
  for (int i = 0; i < m; i++)
    last_seen[i] = -1;
  for (int i = 0; i < m; i++)
    class_of[i] = declared ? first_fit(e, &t, class_of, last_seen, i) : i;
  const struct shk_status status = sort_rows(p, workspace, class_of, m);
  shk_give_back(class_of);
  if (declared)
    shk_give_back(t.start);
  return status;
}

/* Parts of a transformed system, its memory and its sparsity pattern. See transform.h. */
#include "problems/kit/transform.h"

static void destroy_inner(void *inner)
{
  shk_instance_destroy(inner);
}

static void clear_pattern(void *pattern)
{
  shk_evaluator_clear(pattern);
}

struct shk_status shk_transform_part(struct shk_transform *s, struct shk_instance *instance,
                                     const char *option)
{
  const struct shk_values *values = instance->parameters;
  const struct shk_problem *problem = shk_values_part(values, option);
  struct shk_component *const part = &s->parts[s->part_count];
  struct shk_instance *const inner = &part->inner;
  if (!problem)
    return shk_failure(SHK_BAD_INPUT, "there is no problem of the given name", 0, 0);
  SHK_TRY(shk_instance_create(inner, problem, shk_values_nested(values, option)));
  SHK_TRY(shk_keep(instance->workspace, inner, destroy_inner));
  if (inner->system.features &
      (SHK_MOMENTUM_CONSTRAINT | SHK_VELOCITY_CONSTRAINT | SHK_GENERAL_DAE))
    return shk_failure(SHK_BAD_INPUT, "the given problem must have constraints g(q) or g(q,t)", 0,
                       0);
  SHK_TRY(shk_evaluator_init(&part->pattern, &inner->system));
  SHK_TRY(shk_keep(instance->workspace, &part->pattern, clear_pattern));
  part->q_at = s->n;
  part->row_at = s->m;
  part->entry_at = s->entries;
  part->later = inner->initial_time - s->parts[0].inner.initial_time;
  s->part_count++;
  s->n += inner->system.n;
  s->m += inner->system.m;
  s->entries += part->pattern.row_start[inner->system.m];
  return shk_ok();
}

static bool has_squares(const struct shk_transform *s)
{
  SHK_EACH_PART(s, part)
  {
    const struct shk_system *const own = &part->inner.system;
    if (own->hessian || own->mass_matrix || own->potential_hessian || own->force_gradients)
      return true;
  }
  return false;
}

static struct shk_status allocate(struct shk_transform *s, struct shk_workspace *workspace)
{
  const size_t n = (size_t)s->n, m = (size_t)s->m, rows = (size_t)s->rows;
  const size_t entries = (size_t)s->entries;
  real **const of_n[] = {&s->q, &s->p, &s->v, &s->x, &s->y, &s->masses};
  real **const of_rows[] = {&s->factor, &s->bend, &s->share, &s->scale};
  for (size_t i = 0; i < sizeof of_n / sizeof of_n[0]; i++)
    SHK_TRY(shk_reals(workspace, of_n[i], n));
  for (size_t i = 0; i < sizeof of_rows / sizeof of_rows[0]; i++)
    SHK_TRY(shk_reals(workspace, of_rows[i], rows));
  SHK_TRY(shk_reals(workspace, &s->g, m));
  SHK_TRY(shk_reals(workspace, &s->rate, m));
  SHK_TRY(shk_reals(workspace, &s->values, entries > m ? entries : m));
  SHK_TRY(shk_integers(workspace, &s->row, rows));
  SHK_TRY(shk_integers(workspace, &s->block_of, n));
  SHK_TRY(shk_integers(workspace, &s->inner_start, m + 1));
  SHK_TRY(shk_integers(workspace, &s->inner_columns, entries));
  s->blocks = shk_memory(workspace, n * sizeof *s->blocks);
  if (!s->blocks)
    return shk_no_memory();
  if (!has_squares(s))
    return shk_ok();
  SHK_TRY(shk_reals(workspace, &s->matrix, 4 * n * n));
  return shk_reals(workspace, &s->part_matrix, 4 * n * n);
}

struct shk_status shk_transform_begin(struct shk_transform *s, struct shk_workspace *workspace,
                                      int rows)
{
  s->rows = rows;
  s->length = s->mass = s->time = 1;
  SHK_TRY(allocate(s, workspace));
  s->block_count = s->n;
  for (int i = 0; i < s->n; i++)
    s->blocks[i] = (struct shk_turned){.size = 1, .inner = {i}, .outer = {i}, .turn = {{1}}};
  for (int i = 0; i < rows; i++) {
    s->row[i] = i < s->m ? i : 0;
    s->factor[i] = s->share[i] = 1;
  }
  SHK_EACH_PART(s, part)
  {
    const struct shk_evaluator *const own = &part->pattern;
    const int m = part->inner.system.m;
    for (int i = 0; i <= m; i++)
      s->inner_start[part->row_at + i] = part->entry_at + own->row_start[i];
    for (int k = 0; k < own->row_start[m]; k++)
      s->inner_columns[part->entry_at + k] = part->q_at + own->columns[k];
  }
  return shk_ok();
}

/* Adds the columns of a block in ascending order. */
static void add_columns(int *columns, int *count, const struct shk_turned *b)
{
  for (int j = 0; j < b->size; j++) {
    int at = (*count)++;
    for (; at > 0 && columns[at - 1] > b->outer[j]; at--)
      columns[at] = columns[at - 1];
    columns[at] = b->outer[j];
  }
}

static bool touches(const struct shk_transform *s, int from, int count, int block)
{
  for (int k = from; k < count; k++)
    if (s->touched[k] == block)
      return true;
  return false;
}

static struct shk_status find_pattern(struct shk_transform *s, struct shk_workspace *workspace)
{
  int touched = 0, next = 0, entries = 0;
  for (int i = 0; i < s->rows; i++)
    entries += s->inner_start[s->row[i] + 1] - s->inner_start[s->row[i]];
  SHK_TRY(shk_integers(workspace, &s->touched_from, (size_t)s->rows + 1));
  SHK_TRY(shk_integers(workspace, &s->touched, (size_t)entries));
  SHK_TRY(shk_integers(workspace, &s->row_start, (size_t)s->rows + 1));
  SHK_TRY(shk_integers(workspace, &s->columns, SHK_BLOCK * (size_t)entries));
  for (int i = 0; i < s->rows; i++) {
    const int row = s->row[i], first = next;
    s->touched_from[i] = touched;
    s->row_start[i] = first;
    for (int k = s->inner_start[row]; k < s->inner_start[row + 1]; k++) {
      const int block = s->block_of[s->inner_columns[k]];
      if (touches(s, s->touched_from[i], touched, block))
        continue;
      int count = next - first;
      s->touched[touched++] = block;
      add_columns(s->columns + first, &count, &s->blocks[block]);
      next = first + count;
    }
  }
  s->touched_from[s->rows] = touched;
  s->row_start[s->rows] = next;
  return shk_ok();
}

/* Derives masses, scales of the rows, the block of each coordinate, and the other units. */
static void derive(struct shk_transform *s)
{
  s->momentum = s->mass * s->length / s->time;
  s->force = s->momentum / s->time;
  s->energy = s->force * s->length;
  for (int k = 0; k < s->block_count; k++)
    for (int j = 0; j < s->blocks[k].size; j++)
      s->block_of[s->blocks[k].inner[j]] = k;
  SHK_EACH_PART(s, part)
  {
    const struct shk_system *const own = &part->inner.system;
    for (int i = 0; own->mass && i < own->n; i++)
      s->x[part->q_at + i] = own->mass[i];
    for (int i = 0; i < own->m; i++)
      s->g[part->row_at + i] = own->constraint_scale ? own->constraint_scale[i] : 1;
  }
  for (int k = 0; k < s->block_count; k++)
    for (int j = 0; j < s->blocks[k].size; j++)
      s->masses[s->blocks[k].outer[j]] = s->mass * s->x[s->blocks[k].inner[j]];
  for (int i = 0; i < s->rows; i++)
    s->scale[i] = real_fabs(s->factor[i]) * s->g[s->row[i]];
}

struct shk_status shk_transform_lay_out(struct shk_transform *s, struct shk_workspace *workspace)
{
  derive(s);
  return find_pattern(s, workspace);
}

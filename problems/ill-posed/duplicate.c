/*
 * Repeats one constraint row of any problem with constraints g(q,t), so that the constraints are
 * redundant even where the original problem is regular. The motion and Gᵀλ are those of the
 * original problem. Among all multiplier vectors that produce this force, the one with the smallest
 * norm, in any scaling, divides the row's multiplier equally between the two copies,
 *
 *     λ_row = λ_last = ½ λ_row of the original problem,
 *
 * provided that the other rows are independent. The exact solution of the original problem is used
 * only in this case. Momentum constraints are refused because a copy would make {{H,g_i},g_j}
 * singular everywhere. General DAEs are refused because Shakedown has no rank-revealing solver for
 * them.
 */
#include "problems/kit/problem.h"
#include "problems/kit/transform.h"
#include <shakedown/solve.h>

struct duplicate {
  struct shk_transform transform;
  long from_one; /* number of the repeated row, counted from 1 */
};

/* Sets *unique to true if the original problem's rows are independent at its initial state, so that
 * its multipliers are unique. Sets *unique to false if there is no exact solution, or if there are
 * more than SHK_RANK_LIMIT rows. */
static struct shk_status find_unique(bool *unique, struct shk_transform *s,
                                     struct shk_workspace *workspace)
{
  const struct shk_instance *const inner = &s->parts[0].inner;
  const struct shk_system *const system = &inner->system;
  struct shk_evaluator evaluator;
  real *values;
  *unique = false;
  if (!inner->exact || system->m > SHK_RANK_LIMIT)
    return shk_ok();
  SHK_TRY(shk_reals(workspace, &values, (size_t)system->m));
  if (inner->start(system->context, s->q, s->p) != 0)
    return shk_failure(SHK_STOPPED, "the problem cannot compute its start", 0, 0);
  SHK_TRY(shk_evaluator_init(&evaluator, system));
  const struct shk_status status =
      shk_singular_values(values, &evaluator, inner->initial_time, s->q, s->p);
  shk_evaluator_clear(&evaluator);
  SHK_TRY(status);
  *unique = values[system->m - 1] > shk_rank_tolerance(system) * values[0];
  return shk_ok();
}

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  struct duplicate *s = context;
  struct shk_transform *const t = &s->transform;
  const int row = (int)s->from_one - 1;
  bool unique;
  SHK_TRY(shk_transform_part(t, instance, "problem"));
  if (row >= t->m)
    return shk_failure(SHK_BAD_INPUT, "duplicate: row is %g, but the problem has %g constraints",
                       (double)s->from_one, t->m);
  SHK_TRY(shk_transform_begin(t, instance->workspace, t->m + 1));
  t->row[t->m] = row;
  t->share[row] = t->share[t->m] = R(0.5);
  SHK_TRY(shk_transform_end(t, instance));
  SHK_TRY(find_unique(&unique, t, instance->workspace));
  instance->undecidable |= SHK_REDUNDANT_ROWS;
  if (!unique)
    instance->exact = NULL;
  return shk_ok();
}

static const struct shk_option options[] = {SHK_PART_OPTION("problem", "pendulum", "the problem"),
                                            SHK_INTEGER(duplicate, from_one, "row", "1",
                                                        "number of the repeated constraint, from 1",
                                                        .minimum = "1"),
                                            {0}};

SHK_PROVIDE_PROBLEM(duplicate, duplicate, NULL, .name = "duplicate",
                    .family = "ill-posed or redundant",
                    .summary = "another problem with one of its constraints repeated: redundant",
                    .equations = "those of the problem, with g_(m+1) = g_row", .citation = "ours",
                    .units = "the problem's", .coordinates = "the problem's");

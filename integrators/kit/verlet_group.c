/* Whole steps in the lanes of verlet_kernel.h: of several methods at once, and of one alone. */
#include "integrators/kit/stormer_verlet.h"
#include "integrators/kit/verlet_kernel.h"
#include "integrators/kit/verlet_parts.h"
#include "mechanics/algebra/vectors_name.h"
#include "mechanics/system/binding.h"

#include <string.h>

/* For the vectors in use, and for one lane; NULL: not in this precision. */
static const struct shk_verlet_kernel *kernel_in_use(void);
#if SHK_PRECISION == 64
#define shk_own_verlet_kernel SHK_NAME(shk_own_verlet_kernel)
SHK_IN_USE(kernel_in_use, const struct shk_verlet_kernel, shk_own_verlet_kernel)
extern const struct shk_verlet_kernel shk_own_verlet_kernel_f64_alone;
static const struct shk_verlet_kernel *const one_lane = &shk_own_verlet_kernel_f64_alone;
#else
static const struct shk_verlet_kernel *const one_lane = NULL;
static const struct shk_verlet_kernel *kernel_in_use(void)
{
  return NULL;
}
#endif

struct shk_verlet_group {
  const struct shk_verlet_kernel *kernel;
  int count;
  struct shk_verlet *verlets[SHK_TOGETHER];
  struct shk_verlet_lane lanes[SHK_TOGETHER];
  struct shk_verlet_lanes *made[SHK_TOGETHER]; /* of each kernel->lanes of them */
};

static bool same_integers(const int *a, const int *b, int count)
{
  return a == b || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

/* Whether w can go in a lane beside `first`, which may be itself. */
static bool fits(const struct shk_verlet *w, const struct shk_verlet *first)
{
  const struct shk_evaluator *const e = w->evaluator, *const other = first->evaluator;
  const struct shk_iteration *const its = shk_multiplier_plainly(w->solver);
  const struct shk_iteration *const others = shk_multiplier_plainly(first->solver);
  return !w->implicit && its && others && w->n >= 2 && w->n <= SHK_LANES_N && w->m > 0 &&
         w->m <= SHK_LANES_M && e->row_start[w->m] <= SHK_LANES_ENTRIES && w->n == first->n &&
         w->m == first->m && w->forces == first->forces &&
         e->system->features == other->system->features &&
         same_integers(e->row_start, other->row_start, w->m + 1) &&
         same_integers(e->columns, other->columns, e->row_start[w->m]) &&
         its->tolerance == others->tolerance && its->limit == others->limit;
}

static struct shk_status form(struct shk_verlet_group **group,
                              const struct shk_verlet_kernel *kernel,
                              struct shk_verlet *const *verlets, int count, bool hidden,
                              struct shk_workspace *workspace)
{
  struct shk_verlet_group *const w = shk_memory(workspace, sizeof *w);
  if (!w)
    return shk_no_memory();
  w->kernel = kernel;
  w->count = count;
  for (int i = 0; i < count; i++) {
    w->verlets[i] = verlets[i];
    w->lanes[i] = (struct shk_verlet_lane){
        .evaluator = verlets[i]->evaluator, .end_gradient = verlets[i]->dp, .G1 = verlets[i]->G1};
  }
  for (int i = 0; i < count; i += kernel->lanes)
    SHK_TRY(kernel->create(&w->made[i], workspace, &w->lanes[i],
                           count - i < kernel->lanes ? count - i : kernel->lanes,
                           shk_multiplier_plainly(verlets[0]->solver), hidden));
  *group = w;
  return shk_ok();
}

struct shk_status shk_verlet_join(struct shk_verlet_group **group,
                                  struct shk_verlet *const *verlets, int count, bool hidden,
                                  struct shk_workspace *workspace)
{
  const struct shk_verlet_kernel *const kernel = kernel_in_use();
  *group = NULL;
  for (int i = 0; i < count; i++)
    if (!kernel || count > SHK_TOGETHER || !fits(verlets[i], verlets[0]))
      return shk_ok();
  return form(group, kernel, verlets, count, hidden, workspace);
}

/* One constraint has a cheap solve of its own (single.c), many gain nothing. */
struct shk_status shk_verlet_bind_alone(struct shk_verlet *w, bool hidden,
                                        struct shk_workspace *workspace)
{
  return one_lane && w->m > 1 && w->m <= SHK_LANES_ALONE && fits(w, w)
             ? form(&w->alone, one_lane, &w, 1, hidden, workspace)
             : shk_ok();
}

/* Where a step begins in its lane; one where that fails ends there. */
static void begin_lane(const struct shk_verlet_group *group, struct shk_verlet *w,
                       struct shk_verlet_lane *lane, struct shk_state *to,
                       const struct shk_state *from)
{
  const long gradients = w->evaluator->work.gradient;
  const bool goes_on = w->in == group;
  const real *const last = w->G1;
  lane->done = false;
  lane->status = shk_ok();
  lane->from = from;
  lane->to = to;
  w->in = NULL;
  if (!to)
    return;
  lane->status = shk_verlet_begin(w, from);
  lane->done = lane->status.code != SHK_OK;
  w->begun = !lane->done;
  if (lane->done)
    lane->to = NULL;
  lane->gradient = w->gradient;
  lane->gradient_stays = goes_on && w->evaluator->work.gradient == gradients;
  lane->G0 = w->G0;
  lane->G0_stays = goes_on && w->G0 == last;
  lane->end_gradient = w->dp;
  lane->G1 = w->G1;
  lane->work = *w->asks_work;
}

static void end_lane(const struct shk_verlet_group *group, struct shk_verlet *w,
                     const struct shk_verlet_lane *lane, real h)
{
  if (!lane->done)
    return;
  w->begun = false;
  if (lane->status.code != SHK_OK)
    return;
  w->in = group;
  w->dp = w->gradient;
  w->gradient = lane->end_gradient;
  shk_verlet_hold(w, lane->to->q, lane->from->t + h, true);
}

void shk_verlet_together(struct shk_verlet_group *w, struct shk_state *const *to,
                         const struct shk_state *const *from, real h, bool *done,
                         struct shk_status *status)
{
  bool any = false;
  for (int i = 0; i < w->count; i++) {
    begin_lane(w, w->verlets[i], &w->lanes[i], to[i], from[i]);
    any = any || w->lanes[i].to;
  }
  for (int i = 0; any && i < w->count; i += w->kernel->lanes)
    w->kernel->step(w->made[i], &w->lanes[i], h);
  for (int i = 0; i < w->count; i++) {
    end_lane(w, w->verlets[i], &w->lanes[i], h);
    done[i] = w->lanes[i].done;
    status[i] = w->lanes[i].status;
  }
}

bool shk_verlet_step_alone(struct shk_verlet *w, struct shk_status *status, struct shk_state *to,
                           const struct shk_state *from, real h)
{
  bool done = false;
  if (w->alone)
    shk_verlet_together(w->alone, &to, &from, h, &done, status);
  return done;
}

/*
 * Measures the spectral radius at infinity: the factor by which a step multiplies constraint errors
 * and errors in the method's memory. A stiff penalty would turn such errors into infinitely fast
 * oscillations. The radius is 0 for a method that solves the constraints from scratch in each step,
 * and 1 for a method without any damping.
 *
 * Let r_n be the largest change that a perturbation of the start causes after n steps in any of
 * three quantities: g/h², the hidden constraint divided by h, and the difference between the memory
 * and the memory of a new start at (q,p). For a multiple root, r_n behaves like n^k ρⁿ, and
 * therefore
 *
 *     ln ρ = (ln r_4n - 2 ln r_2n + ln r_n)/n + O(1/n²).
 *
 * This formula is evaluated at the largest n = 1, 2, … 16 for which r_4n exceeds 10⁴ h/τ times the
 * largest r; smaller values of r may be due to the O(h) change along the motion. If r vanishes
 * within four steps, ρ is 0. Steps of 1e-8 time scales in quad precision are small enough.
 *
 *   spectral-radius-defect  ρ             spectral-radius-floor  the change in ρ from n/2 to n
 */
#include "measures/structure.h"
#include "mechanics/system/manifold.h"

enum { DOUBLINGS = 7 };

struct radius {
  const struct shk_map *map;
  struct shk_state *base, *other, *next, *begun;
  /* 4m numbers for g and the hidden constraint at both states, followed by the differences between
   * the memories */
  real *residuals;
  real r[DOUBLINGS + 1]; /* r_n for n = 0, 1, 2, 4, … steps */
};

/* Perturbs p and the memory by `size` times their scales, and q by `size` h/τ times its scale. The
 * signs vary from component to component. */
static void perturb_spectral_radius(const struct radius *probe, struct shk_state *s, real size)
{
  const real memory = real_max_norm(s->memory, s->memory_count);
  for (int i = 0; i < s->n; i++) {
    const real sign = i % 2 == 0 ? size : -size;
    s->q[i] += sign * probe->map->q_scale[i] * probe->map->step / probe->map->instance->time_scale;
    s->p[i] += sign * probe->map->p_scale[i];
  }
  for (int i = 0; i < s->memory_count; i++)
    s->memory[i] += (i % 3 == 0 ? size : -size) * memory;
}

/* Stores the difference between a state's memory and the memory of a new start at this state. */
static struct shk_status begin_again(struct radius *probe, const struct shk_state *s,
                                     real *distance)
{
  shk_state_copy(probe->begun, s);
  SHK_TRY(shk_map_begin(probe->map, probe->begun, probe->map->step));
  for (int i = 0; i < s->memory_count; i++)
    distance[i] = s->memory[i] - probe->begun->memory[i];
  return shk_ok();
}

static struct shk_status find_change(struct radius *probe, real *change)
{
  const int m = probe->base->m;
  real *const g = probe->residuals, *const other = g + 2 * m, *const memory = other + 2 * m;
  const real h = real_fabs(probe->map->step);
  const struct shk_state *const states[] = {probe->base, probe->other};
  for (int k = 0; k < 2; k++) {
    SHK_TRY(shk_manifold_residuals(probe->map->manifold, g + 2 * m * k, g + 2 * m * k + m,
                                   states[k]->t, states[k]->q, states[k]->p));
    SHK_TRY(begin_again(probe, states[k], memory + probe->base->memory_count * k));
  }
  *change = 0;
  for (int i = 0; i < 2 * m; i++)
    *change = real_max(*change, real_fabs(other[i] - g[i]) / (i < m ? h * h : h));
  for (int i = 0; i < probe->base->memory_count; i++)
    *change = real_max(*change, real_fabs(memory[probe->base->memory_count + i] - memory[i]));
  return shk_ok();
}

static struct shk_status advance_spectral_radius(struct radius *probe, struct shk_state *s)
{
  SHK_TRY(shk_map_step(probe->map, probe->next, s, probe->map->step));
  shk_state_copy(s, probe->next);
  return shk_ok();
}

/* Returns ρ, computed from r after n, 2n and 4n = 2^last steps. Returns 0 if last < 2, which means
 * that r has vanished after four steps. */
static real fit_spectral_radius(const struct radius *probe, int last)
{
  const real *const r = &probe->r[last + 1];
  if (last < 2)
    return 0;
  return real_exp(real_log(r[0] * r[-2] / (r[-1] * r[-1])) / (real)(1 << (last - 2)));
}

static struct shk_status measure_spectral_radius(struct shk_trial *trial)
{
  const struct shk_map *const map = trial->map;
  struct radius radius = {.map = map,
                          .base = trial->state,
                          .other = trial->state + 1,
                          .next = trial->state + 2,
                          .begun = trial->state + 3},
                *const probe = &radius;
  SHK_TRY(shk_reals(trial->evaluator.workspace, &probe->residuals,
                    4 * (size_t)map->start->m + 2 * (size_t)map->start->memory_count));
  const real part = probe->map->step / probe->map->instance->time_scale;
  real largest = 0;
  int last = -1, steps = 0;
  shk_state_copy(probe->base, probe->map->start);
  SHK_TRY(shk_map_begin(probe->map, probe->base, probe->map->step));
  shk_state_copy(probe->other, probe->base);
  perturb_spectral_radius(probe, probe->other, real_sqrt(REAL_EPSILON));
  SHK_TRY(find_change(probe, &probe->r[0]));
  largest = probe->r[0];
  for (int k = 0; k < DOUBLINGS; k++) {
    for (; steps < 1 << k; steps++) {
      SHK_TRY(advance_spectral_radius(probe, probe->base));
      SHK_TRY(advance_spectral_radius(probe, probe->other));
    }
    SHK_TRY(find_change(probe, &probe->r[k + 1]));
    largest = real_max(largest, probe->r[k + 1]);
    if (last == k - 1 && probe->r[k + 1] > 10000 * part * largest)
      last = k;
  }
  shk_trial_add(trial, "defect", fit_spectral_radius(probe, last));
  shk_trial_add(trial, "floor",
                real_fabs(fit_spectral_radius(probe, last) - fit_spectral_radius(probe, last - 1)));
  return shk_ok();
}

const struct shk_structure shk_structure_spectral_radius = {
    .asks = {.meaningless = {{SHK_GENERAL_DAE | SHK_VELOCITY_CONSTRAINT, 0,
                              "the system has no constraints g = 0 that a step could satisfy"}}},
    .states = 4,
    .measure = measure_spectral_radius};

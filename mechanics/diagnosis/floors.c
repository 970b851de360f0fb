/* Computes the sizes of a motion and round-off floors. See floors.h. */
#include "mechanics/diagnosis/floors.h"

#include "mechanics/algebra/random.h"
#include "mechanics/system/manifold.h"

/* Number of random directions. For each row, the direction with the largest change is used. This
 * change equals the sum over the coordinates to within a factor of the square root of their
 * number. */
enum { DIRECTIONS = 8 };

struct shk_status shk_floors_create(struct shk_floors *f, struct shk_evaluator *evaluator,
                                    real time_scale)
{
  const size_t n = (size_t)evaluator->system->n;
  *f = (struct shk_floors){.evaluator = evaluator, .time_scale = time_scale, .t = time_scale};
  SHK_TRY(shk_reals(evaluator->workspace, &f->q, n));
  SHK_TRY(shk_reals(evaluator->workspace, &f->p, n));
  SHK_TRY(shk_reals(evaluator->workspace, &f->force, n));
  SHK_TRY(shk_reals(evaluator->workspace, &f->reached_p, n));
  return shk_reals(evaluator->workspace, &f->scratch, 3 * n);
}

void shk_floors_raise_groups(const struct shk_system *system, real *sizes, const real *x,
                             real factor, real *largest)
{
  const int n = system->n;
  shk_fill(largest, 0, n);
  for (int i = 0; i < n; i++) {
    real *const of = &largest[system->units ? system->units[i] : 0];
    *of = real_max(*of, factor * real_fabs(x[i]));
  }
  for (int i = 0; i < n; i++)
    sizes[i] = real_max(sizes[i], largest[system->units ? system->units[i] : 0]);
}

void shk_floors_reach(struct shk_floors *f, real t, const real *q, const real *p)
{
  f->t = real_max(f->t, real_fabs(t));
  shk_floors_raise_groups(f->evaluator->system, f->q, q, 1, f->scratch);
  shk_floors_raise_groups(f->evaluator->system, f->p, p, 1, f->scratch);
  shk_floors_raise_groups(f->evaluator->system, f->reached_p, p, 1, f->scratch);
}

struct shk_status shk_floors_note(struct shk_floors *f, real t, const real *q, const real *p)
{
  const struct shk_system *const system = f->evaluator->system;
  const int n = system->n;
  real *const largest = f->scratch, *const moved = largest + n, *const slope = moved + n;
  shk_floors_reach(f, t, q, p);
  if (system->features & SHK_GENERAL_DAE)
    return shk_ok();
  SHK_TRY(shk_gradient(f->evaluator, slope, t, q, p));
  shk_floors_raise_groups(system, f->force, slope, 1, largest);
  shk_floors_raise_groups(system, f->p, slope, f->time_scale, largest);
  for (int i = 0; i < n; i++) {
    const real kicked = f->time_scale * real_fabs(slope[i]);
    moved[i] = kicked > real_fabs(p[i]) ? kicked : p[i];
  }
  SHK_TRY(shk_velocity(f->evaluator, slope, t, q, moved));
  shk_floors_raise_groups(system, f->q, slope, f->time_scale, largest);
  for (int i = 0; i < n && system->mass && !(system->features & SHK_GENERAL_HAMILTONIAN); i++)
    f->p[i] = real_max(f->p[i], system->mass[i] * (f->q[i] / f->time_scale));
  return shk_ok();
}

/* Returns a random number that has a magnitude between x/2 and x and a random sign. The magnitude
 * is bounded away from zero so that the contributions of two numbers to a row do not cancel in
 * every direction. */
static real draw_floors(uint64_t *random, real x)
{
  const real part = x * (1 + shk_random_uniform(random)) / 2;
  return shk_random_next(random) & 1 ? part : -part;
}

struct shk_status shk_floors_raise(const struct shk_floors *f, real *least, real *rows, int count,
                                   shk_rows *function, void *user, real t, const real *q,
                                   const real *p)
{
  const int n = f->evaluator->system->n;
  const real step = real_sqrt(REAL_EPSILON);
  real *const at = rows, *const beside = rows + count, *const moved_q = f->scratch,
              *const moved_p = f->scratch + n;
  uint64_t random = 1;
  int evaluated = 0;
  struct shk_status status = shk_ok();
  SHK_TRY(function(user, at, t, q, p));
  for (int k = 0; k < DIRECTIONS; k++) {
    const real moved_t = t + draw_floors(&random, step * f->t);
    for (int i = 0; i < n; i++) {
      moved_q[i] = q[i] + draw_floors(&random, step * f->q[i]);
      moved_p[i] = p[i] + draw_floors(&random, step * f->p[i]);
    }
    const struct shk_status here = function(user, beside, moved_t, moved_q, moved_p);
    evaluated += here.code == SHK_OK;
    status = here.code == SHK_OK ? status : here;
    for (int i = 0; here.code == SHK_OK && i < count; i++)
      least[i] = real_max(least[i], step * real_fabs(beside[i] - at[i]));
  }
  return evaluated > 0 ? shk_ok() : status;
}

struct shk_status shk_floors_residuals(void *user, real *rows, real t, const real *q, const real *p)
{
  struct shk_floors_of_manifold *const of = user;
  return shk_manifold_residuals(of->manifold, rows, rows + of->m, t, q, p);
}

/*
 * Plug-in integrators that provide a step for a system of points and bonds, using doubles. See
 * <shakedown/engine.h>.
 *
 * If the velocities are those half a step before the positions, the engine starts with v_{-1/2} =
 * v_0 + h/2 M⁻¹V_q. The momentum at the end of a step is then computed from the mean of the
 * velocities half a step before and after it, as it is for engines in external programs
 * (integrators/outside/engine.c).
 */
#include <shakedown/engine.h>

#include <string.h>

int shk_points_forces(const struct shk_points *s, double *force, const double *x)
{
  struct shk_point_method *const method = s->method;
  for (int i = 0; i < method->n; i++)
    method->q[i] = (real)x[i];
  const struct shk_status status =
      shk_gradient(method->evaluator, method->gradient, method->t, method->q, NULL);
  for (int i = 0; i < s->count * s->dimension; i++)
    force[i] = i < method->n ? -(double)method->gradient[i] : 0;
  return (int)status.code;
}

/* ---- the system ---- */

/* Describes the masses and bonds using doubles. Fixed points are numbered after all others. */
static struct shk_status describe_points(struct shk_point_method *x,
                                         struct shk_workspace *workspace)
{
  const struct shk_system *const system = x->evaluator->system;
  const struct shk_rods *const rods = system->rods;
  const int moving = x->n / rods->dimension;
  int fixed = 0;
  for (int i = 0; i < x->m; i++)
    fixed = -rods->rod[i].a > fixed ? -rods->rod[i].a : fixed;
  const size_t count = (size_t)(moving + fixed), m = (size_t)x->m,
               numbers = count * (size_t)rods->dimension;
  double *const mass = shk_memory(workspace, count * sizeof *mass);
  double *const length = shk_memory(workspace, (m + 1) * sizeof *length);
  int(*const bond)[2] = shk_memory(workspace, (m + 1) * sizeof *bond);
  double *const all = shk_memory(workspace, (4 * numbers + 2 * m) * sizeof *all);
  if (!mass || !length || !bond || !all)
    return shk_no_memory();
  x->x = all;
  x->v = all + numbers;
  x->next_x = all + 2 * numbers;
  x->next_v = all + 3 * numbers;
  x->multipliers = all + 4 * numbers;
  x->unused = x->multipliers + m;
  for (int i = 0; i < moving + fixed; i++)
    mass[i] = i < moving ? (double)system->mass[i * rods->dimension] : (double)INFINITY;
  for (int i = 0; i < x->m; i++) {
    const struct shk_rod *const rod = &rods->rod[i];
    bond[i][0] = rod->a < 0 ? moving - 1 - rod->a : rod->a;
    bond[i][1] = rod->b;
    length[i] = (double)real_sqrt(rod->square);
  }
  x->points = (struct shk_points){.count = moving + fixed,
                                  .moving = moving,
                                  .dimension = rods->dimension,
                                  .bond_count = x->m,
                                  .mass = mass,
                                  .bond = (const int(*)[2])bond,
                                  .length = length,
                                  .method = x};
  return shk_ok();
}

/* Refuses time-dependent forces, because the step function has no time argument. */
static struct shk_status check_autonomous(struct shk_point_method *x,
                                          const struct shk_binding *binding)
{
  const struct shk_instance *const instance = binding->instance;
  const struct shk_counters before = x->evaluator->counters;
  real *p, *late;
  if (x->evaluator->system->autonomous)
    return shk_ok();
  SHK_TRY(shk_reals(binding->workspace, &p, (size_t)x->n));
  SHK_TRY(shk_reals(binding->workspace, &late, (size_t)x->n));
  if (instance->start(instance->system.context, x->q, p) != 0)
    return shk_failure(SHK_STOPPED, "the problem cannot compute its start", 0, 0);
  x->t = instance->initial_time;
  SHK_TRY(shk_gradient(x->evaluator, x->gradient, x->t, x->q, NULL));
  SHK_TRY(shk_gradient(x->evaluator, late, x->t + R(0.37) * instance->time_scale, x->q, NULL));
  x->evaluator->counters = before;
  for (int i = 0; i < x->n; i++)
    if (late[i] != x->gradient[i])
      return shk_refused("an engine does not accept forces that depend on time");
  return shk_ok();
}

struct shk_status shk_point_engine_bind(void *method, const struct shk_binding *binding)
{
  struct shk_point_method *const x = method;
  const struct shk_system *const system = x->evaluator->system;
  if (binding->integrator->method_size != sizeof *x)
    return shk_failure(
        SHK_BAD_INPUT,
        "the plug-in was built with a different <shakedown/engine.h>: build it again", 0, 0);
  if (!system->rods || system->features != 0)
    return shk_refused("an engine accepts only systems of points whose constraints are bonds");
  x->engine = (const struct shk_point_engine *)(const void *)binding->integrator;
  SHK_TRY(shk_reals(binding->workspace, &x->q, (size_t)x->n));
  SHK_TRY(shk_reals(binding->workspace, &x->gradient, (size_t)x->n));
  SHK_TRY(describe_points(x, binding->workspace));
  return check_autonomous(x, binding);
}

/* ---- the step ---- */

/* Computes positions and velocities from q and p. Fixed points have zero velocity. */
static void place_points(const struct shk_point_method *x, const real *q, const real *p)
{
  const struct shk_system *const system = x->evaluator->system;
  for (int i = 0; i < x->points.count * x->points.dimension; i++) {
    x->x[i] = (double)(i < x->n ? q[i] : system->rods->fixed[i - x->n]);
    x->v[i] = i < x->n ? (double)(p[i] / system->mass[i]) : 0;
  }
}

static struct shk_status call_engine(const struct shk_point_method *x, double *at, double *v,
                                     double *multipliers, real h)
{
  memset(multipliers, 0, (size_t)x->m * sizeof *multipliers);
  const int code = x->engine->step(&x->points, at, v, multipliers, (double)h);
  if (code == SHK_OK)
    return shk_ok();
  if (code == SHK_NOT_CONVERGED)
    return shk_failure(SHK_NOT_CONVERGED, "the engine's step does not converge", 0, 0);
  return shk_failure(code > SHK_OK && code < SHK_CODE_COUNT ? (enum shk_code)code : SHK_STOPPED,
                     "the engine's step failed with code %g", code, 0);
}

struct shk_status shk_point_engine_take(void *method, struct shk_state *to,
                                        const struct shk_state *from, real h)
{
  struct shk_point_method *const x = method;
  const real *const mass = x->evaluator->system->mass;
  const size_t bytes = (size_t)(x->points.count * x->points.dimension) * sizeof *x->x;
  x->t = from->t;
  for (int i = 0; i < x->n; i++)
    to->p[i] = from->p[i];
  if (x->engine->half) {
    SHK_TRY(shk_gradient(x->evaluator, x->gradient, from->t, from->q, NULL));
    for (int i = 0; i < x->n; i++)
      to->p[i] += h / 2 * x->gradient[i];
  }
  place_points(x, from->q, to->p);
  SHK_TRY(call_engine(x, x->x, x->v, x->multipliers, h));
  memcpy(x->next_x, x->x, bytes);
  memcpy(x->next_v, x->v, bytes);
  if (x->engine->half)
    SHK_TRY(call_engine(x, x->next_x, x->next_v, x->unused, h));
  for (int i = 0; i < x->n; i++) {
    to->q[i] = (real)x->x[i];
    to->p[i] = mass[i] * (real)((x->v[i] + x->next_v[i]) / 2);
    to->q_carry[i] = to->p_carry[i] = 0;
  }
  for (int i = 0; i < x->m; i++) {
    to->lambda[i] = (real)x->multipliers[i];
    to->mu[i] = 0;
  }
  return shk_ok();
}

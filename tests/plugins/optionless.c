/*
 * Methods and a problem whose options are not what their code reads: the parts of <shakedown/bind.h>
 * then have their defaults, and an option that the code names itself is a failure with its name.
 * `reduced` takes steps of Euler's method with shk_bind_reduced, `solving` does nothing with
 * shk_bind_solver, both without options; `misnames-number` and `misnames-choice` read options that
 * they do not have, `misnaming-well` is such a problem.
 */
#include <shakedown/bind.h>
#include <shakedown/plugin.h>

struct method {
  struct shk_evaluator *evaluator;
  int n, m;
  struct shk_reduced *reduced;
  struct shk_multiplier_solver *solver;
};

static struct shk_status bind_reduced(void *method, const struct shk_binding *binding)
{
  return shk_bind_reduced(&((struct method *)method)->reduced, binding);
}

static struct shk_status bind_solver(void *method, const struct shk_binding *binding)
{
  return shk_bind_solver(&((struct method *)method)->solver, binding);
}

static struct shk_status read_number(void *method, const struct shk_binding *binding)
{
  ((struct method *)method)->m += shk_values_real(binding->options, "stifness") > 0;
  return shk_ok();
}

static struct shk_status read_choice(void *method, const struct shk_binding *binding)
{
  ((struct method *)method)->m += shk_values_choice(binding->options, "flavour");
  return shk_ok();
}

static struct shk_status step(void *method, struct shk_state *to, const struct shk_state *from,
                              real h)
{
  struct method *self = method;
  if (!self->reduced)
    return shk_refused("it takes no steps");
  SHK_TRY(shk_reduced_slope(self->reduced, to->q, to->p, to->lambda, from->t, from->q, from->p));
  for (int i = 0; i < self->n; i++) {
    to->q[i] = from->q[i] + h * to->q[i];
    to->p[i] = from->p[i] + h * to->p[i];
  }
  return shk_ok();
}

#define METHOD(name_, bind_)                                                                       \
  {                                                                                                \
    .struct_size = sizeof(struct shk_integrator),                                                  \
    .info = {.name = name_, .summary = "a method without options"}, SHK_METHOD(method),            \
    .bind = bind_, .step = step                                                                    \
  }
static const struct shk_integrator methods[] = {
    METHOD("reduced", bind_reduced), METHOD("solving", bind_solver),
    METHOD("misnames-number", read_number), METHOD("misnames-choice", read_choice)};

static struct shk_status set_up(struct shk_instance *instance, void *context)
{
  (void)context;
  instance->time_scale = shk_values_real(instance->parameters, "depht");
  return shk_ok();
}

static const struct shk_problem well = {
    .struct_size = sizeof well,
    .info = {.name = "misnaming-well", .summary = "reads an option that it lacks"},
    .set_up = set_up};

SHK_PROVIDE(optionless,
            .integrators = SHK_INTEGRATORS(&methods[0], &methods[1], &methods[2], &methods[3]),
            .problems = SHK_PROBLEMS(&well));

/* Fills the struct of a method or a problem from its tables. */
#include "mechanics/binding/binding.h"

#include "foundation/specifications/spec.h"

static void land_choice(void *into, const struct shk_option *option,
                        const struct shk_values *values)
{
  const int choice = shk_values_choice(values, option->name);
  const struct shk_values *nested = shk_values_nested(values, option->name);
  if (option->at != 0)
    *(int *)shk_member(into, option->at) = choice;
  if (option->nested_at != 0)
    *(const struct shk_values **)shk_member(into, option->nested_at) = nested;
  if (option->others_at != 0)
    *(const void **)shk_member(into, option->others_at) = shk_values_part(values, option->name);
  if (option->choices[choice].options)
    shk_store_options(into, option->choices[choice].options, nested);
}

static void store_method_options(void *at, const struct shk_option *option,
                                 const struct shk_values *values)
{
  switch (option->kind) {
  case SHK_OPTION_REAL:
  case SHK_OPTION_ANGLE:
    *(real *)at = shk_values_real(values, option->name);
    break;
  case SHK_OPTION_INTEGER:
    *(long *)at = shk_values_integer(values, option->name);
    break;
  case SHK_OPTION_FLAG:
    *(bool *)at = shk_values_flag(values, option->name);
    break;
  case SHK_OPTION_TEXT:
  case SHK_OPTION_FILE:
    *(const char **)at = shk_values_text(values, option->name);
    break;
  default: /* choices, base integrators and problems are stored elsewhere */
    break;
  }
}

void shk_store_options(void *into, const struct shk_option *options,
                       const struct shk_values *values)
{
  for (const struct shk_option *option = options; option && option->name; option++)
    if (option->kind == SHK_OPTION_CHOICE)
      land_choice(into, option, values);
    else if (option->at != 0 && option->kind != SHK_OPTION_INTEGRATOR)
      store_method_options(shk_member(into, option->at), option, values);
}

struct shk_status shk_options_known(struct shk_status status, const struct shk_values *values)
{
  struct shk_message message;
  const char *const unknown = shk_values_unknown(values);
  if (!unknown)
    return status;
  shk_message_set(&message, "the code reads an option \"%s\" that its descriptor does not contain",
                  unknown);
  return shk_failure(SHK_BAD_INPUT, shk_values_message(values, message.text), 0, 0);
}

size_t shk_array_length(const void *into, const struct shk_array *a, const struct shk_evaluator *e)
{
  const size_t n = (size_t)e->system->n, m = (size_t)e->system->m;
  const size_t times =
      a->times != 0 ? (size_t)(*(const long *)shk_member((void *)into, a->times)) : 1;
  return times * (a->n * n + a->m * m + a->nn * n * n + a->nm * n * m + a->mm * m * m +
                  a->entries * (size_t)e->row_start[m] + a->ones);
}

struct shk_status shk_create_arrays(void *into, const struct shk_array *arrays,
                                    const struct shk_evaluator *evaluator,
                                    struct shk_workspace *workspace)
{
  for (const struct shk_array *a = arrays; a && a->at != 0; a++) {
    if (a->only != 0 && (evaluator->system->features & a->only) == 0)
      continue;
    const size_t length = shk_array_length(into, a, evaluator);
    void *const at = shk_member(into, a->at);
    SHK_TRY(a->integers ? shk_integers(workspace, at, length) : shk_reals(workspace, at, length));
  }
  return shk_ok();
}

void *shk_part(struct shk_workspace *workspace, size_t size, const struct shk_array *arrays,
               const struct shk_evaluator *evaluator)
{
  void *part = shk_memory(workspace, size);
  return part != NULL && shk_create_arrays(part, arrays, evaluator, workspace).code == SHK_OK
             ? part
             : NULL;
}

bool shk_method_constraint_work(const struct shk_integrator *integrator, void *method, real *sum)
{
  if (integrator->constraint_work)
    return integrator->constraint_work(method, sum);
  if (integrator->constraint_work_at != 0)
    *(real **)shk_member(method, integrator->constraint_work_at) = sum;
  return integrator->constraint_work_at != 0;
}

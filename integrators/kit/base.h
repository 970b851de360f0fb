/* Integrators bound to systems. */
#ifndef INTEGRATORS_KIT_BASE_H
#define INTEGRATORS_KIT_BASE_H

#include "mechanics/binding/binding.h"
#include <shakedown/parts/integrator.h>

/* Binds the integrator to a system: *method, or NULL after a failure, with nothing allocated. */
struct shk_status shk_method_create(void **method, const struct shk_integrator *integrator,
                                    const struct shk_binding *binding);
/* Length of the memory of a bound method. */
size_t shk_method_memory(const struct shk_integrator *integrator, const void *method,
                         const struct shk_evaluator *evaluator);
/* Frees a method; accepts NULL. */
void shk_method_destroy(void *method);
/* Stores the claims of an integrator with the given options. */
void shk_claims_under(struct shk_claims *claims, const struct shk_integrator *integrator,
                      const struct shk_values *options);

#endif

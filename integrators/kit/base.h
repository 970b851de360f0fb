/* Integrators bound to systems. */
#ifndef INTEGRATORS_KIT_BASE_H
#define INTEGRATORS_KIT_BASE_H

#include "mechanics/binding/binding.h"
#include <shakedown/parts/integrator.h>

/* Binds the integrator to a system and stores it in *method. After a failure, *method is NULL and
 * nothing is allocated. */
struct shk_status shk_method_create(void **method, const struct shk_integrator *integrator,
                                    const struct shk_binding *binding);
/* Returns the length of the memory that a bound method stores in its states. */
size_t shk_method_memory(const struct shk_integrator *integrator, const void *method,
                         const struct shk_evaluator *evaluator);
/* Frees a method. Accepts NULL. */
void shk_method_destroy(void *method);
/* Stores the claims that an integrator makes when it has the given options. */
void shk_claims_under(struct shk_claims *claims, const struct shk_integrator *integrator,
                      const struct shk_values *options);

#endif

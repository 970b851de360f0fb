/* Whether the functions of a problem or an integrator keep their contract. */
#ifndef ENGINE_CELLS_AUDIT_H
#define ENGINE_CELLS_AUDIT_H

#include "engine/engine.h"
#include <shakedown/real.h>

#define shk_audit_problem SHK_NAME(shk_audit_problem)
#define shk_audit_integrator SHK_NAME(shk_audit_integrator)

/* Watches the problem's functions (mechanics/system/audit.h), its start, exact solution and
 * invariants at the start and at points along the motion; and checks that each invariant's rate
 * along the motion is zero. False with the reason if the problem cannot be bound or its start is
 * inconsistent.
 */
bool shk_audit_problem(const struct shk_context *context, struct shk_checks *checks,
                       const char *problem, struct shk_message *error);

/* Steps of the integrator on a problem whose functions are watched, forward, backward and far too
 * long: a successful step writes all of the new state, and no step changes the old one. *applies is
 * false, with the reason in `error`, where it refuses the problem. */
bool shk_audit_integrator(const struct shk_context *context, struct shk_checks *checks,
                          bool *applies, const char *problem, const char *integrator,
                          struct shk_message *error);

#endif

/* Whether what a problem or an integrator is made of keeps to the contract of its functions. */
#ifndef ENGINE_CELLS_AUDIT_H
#define ENGINE_CELLS_AUDIT_H

#include "engine/engine.h"
#include <shakedown/real.h>

#define shk_audit_problem SHK_NAME(shk_audit_problem)
#define shk_audit_integrator SHK_NAME(shk_audit_integrator)

/* The problem's functions at its start and at points along its motion, watched (mechanics/system/audit.h),
 * its start, exact solution and invariants likewise; and each invariant's rate along the motion,
 * which is zero. False, with the reason, if the problem cannot be made or its start is
 * inconsistent.
 */
bool shk_audit_problem(const struct shk_context *context, struct shk_checks *checks,
                       const char *problem, struct shk_message *error);

/* Steps of the integrator on a problem whose functions are watched, forth, back and far too long:
 * a step that goes well writes all of the new state, and every step leaves the old one alone,
 * whatever it returns. *applies is false, with the
 * reason in `error`, where it refuses the problem. */
bool shk_audit_integrator(const struct shk_context *context, struct shk_checks *checks,
                          bool *applies, const char *problem, const char *integrator,
                          struct shk_message *error);

#endif

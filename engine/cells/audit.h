/* Whether the functions of a problem keep their contract. */
#ifndef ENGINE_CELLS_AUDIT_H
#define ENGINE_CELLS_AUDIT_H

#include "engine/engine.h"
#include <shakedown/real.h>

/* Watches the problem's functions (mechanics/system/audit.h), its start, exact solution and
 * invariants at the start and at points along the motion; and checks that each invariant's rate
 * along the motion is zero. False with the reason if the problem cannot be bound or its start is
 * inconsistent.
 */
bool shk_audit_problem(const struct shk_context *context, struct shk_checks *checks,
                       const char *problem, struct shk_message *error);

#endif

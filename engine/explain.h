/* Why a problem is ill-posed. */
#ifndef ENGINE_EXPLAIN_H
#define ENGINE_EXPLAIN_H

#include "engine/context.h"

/* Adds to the reason for refusing a degenerate system what the chain of hidden constraints says: an
 * index above three, or that the multiplier is undetermined. Leaves it as it is where neither
 * holds. Arguments as in struct shk_cell; the chain is always computed in quad, which alone has the
 * digits. */
void shk_explain(const struct shk_context *context, struct shk_message *reason, const char *problem,
                 const char *q, const char *p, bool project);

#endif

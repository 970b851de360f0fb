/* Whether a start is on its constraints. */
#ifndef ENGINE_CONSISTENCY_H
#define ENGINE_CONSISTENCY_H

#include "engine/bound.h"
#include "foundation/message.h"

/* Refuses bound->start where g or the hidden constraint is larger than what rounding decimals of q,
 * p and t to this precision can leave. `size` is that of the coordinates: the largest of the
 * problem's own start. The multipliers of the start are left zero. */
enum shk_code shk_check_consistency(struct shk_bound *bound, real size, struct shk_message *error);

#endif

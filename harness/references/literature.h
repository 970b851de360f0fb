/*
 * Published solutions of a problem: a state at a time, digit by digit as printed.
 *
 *     source: publication
 *     problem: car-axis
 *     time: 3                                     since the problem's initial time
 *     positions: [0.4934557842755629e-1, …]       of all coordinates; `skip` if one is not given
 *     velocities: […]                             v = H_p, likewise
 *     multipliers: […]
 *     multiplier-factors: [-1, -0.5]              ours = factor × printed; all 1 by default
 *     energy: -1.5
 *
 * Our multipliers are those of p' = -H_q + Q - Gᵀ lambda. Keys other than source, problem and time
 * are optional.
 */
#ifndef HARNESS_REFERENCES_LITERATURE_H
#define HARNESS_REFERENCES_LITERATURE_H

#include "engine/context.h"
#include "foundation/message.h"
#include <stdbool.h>

enum shk_published_group {
  SHK_PUBLISHED_POSITIONS,
  SHK_PUBLISHED_VELOCITIES,
  SHK_PUBLISHED_MULTIPLIERS,
  SHK_PUBLISHED_ENERGY,
  SHK_PUBLISHED_GROUPS
};
/* "positions", … */
extern const char *const shk_published_groups[SHK_PUBLISHED_GROUPS];

struct shk_printed_numbers {
  int count;
  char **texts; /* as printed; NULL: skipped */
};

struct shk_literature {
  char *name;    /* of the file, without its extension */
  char *source;  /* publication */
  char *problem; /* canonical */
  char *time;    /* canonical decimal */
  struct shk_printed_numbers groups[SHK_PUBLISHED_GROUPS];
  struct shk_printed_numbers factors; /* none: all 1 */
};

/* Reads every file NAME.yaml of a folder, by name; *list is NULL and *count 0 if there is none.
 * Returns false with file, line, text found and text expected. Free the list in any case. */
bool shk_literature_read(const struct shk_context *context, struct shk_literature **list,
                         int *count, const char *folder, struct shk_message *error);
void shk_literature_free(struct shk_literature *list, int count);

#endif

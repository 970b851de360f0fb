/*
 * Serialization of plug-in descriptors and of replies to queries. A cell server sends them; the
 * receiver need not load the plug-ins. Each function writes or reads, by the direction of the
 * stream (results/record/stream.h).
 */
#ifndef HARNESS_RUN_DESCRIPTOR_BYTES_H
#define HARNESS_RUN_DESCRIPTOR_BYTES_H

#include "engine/context.h"
#include "results/record/stream.h"

/* Memory of the texts and lists that the descriptors read point to. Initialized to {0}. */
struct shk_arena {
  void **items;
  int count;
};
void shk_arena_clear(struct shk_arena *arena);

/* The arena may be NULL if the stream writes. */
void shk_pass_problem_info(struct shk_stream *s, struct shk_arena *arena,
                           struct shk_problem_info *info);
void shk_pass_integrator_info(struct shk_stream *s, struct shk_arena *arena,
                              struct shk_integrator_info *info);
/* Writes or reads the reply to a query of this kind (engine/context.h). After reading, the caller
 * clears a scene, also if the stream is bad. */
void shk_pass_answer(struct shk_stream *s, enum shk_query_kind kind, void *answer);

#endif

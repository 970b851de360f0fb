/*
 * Descriptors and answers as bytes: what a cell server tells of plug-ins, and the same structures
 * where the plug-ins themselves are not loaded. Each function writes or reads
 * (results/record/stream.h).
 */
#ifndef HARNESS_RUN_DESCRIPTOR_BYTES_H
#define HARNESS_RUN_DESCRIPTOR_BYTES_H

#include "engine/context.h"
#include "results/record/stream.h"

/* All that descriptors that were read point to. Begins as {0}. */
struct shk_arena {
  void **items;
  int count;
};
void shk_arena_clear(struct shk_arena *arena);

/* A writer needs no arena. */
void shk_pass_problem_info(struct shk_stream *s, struct shk_arena *arena,
                           struct shk_problem_info *info);
void shk_pass_integrator_info(struct shk_stream *s, struct shk_arena *arena,
                              struct shk_integrator_info *info);
/* The structure that answers a query of this kind (engine/context.h). The caller clears a scene
 * that was read, whether or not the stream is bad. */
void shk_pass_answer(struct shk_stream *s, enum shk_query_kind kind, void *answer);

#endif

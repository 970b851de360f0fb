/* Serializes and deserializes requests to a worker and the worker's replies. See requests.h. */
#include "harness/run/requests.h"
#include "engine/names.h"
#include "foundation/memory.h"
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* ---- memory ---- */

void *shk_arena_keep(struct shk_arena *arena, void *owned)
{
  return *SHK_APPEND(arena->items, arena->count) = owned;
}

void shk_arena_clear(struct shk_arena *arena)
{
  for (int i = 0; i < arena->count; i++)
    free(arena->items[i]);
  free(arena->items);
  *arena = (struct shk_arena){0};
}

void shk_pass_kept(struct shk_stream *s, const char **text)
{
  char *copy = (char *)*text;
  shk_pass_text(s, &copy);
  *text = copy;
  if (s->reads && copy)
    shk_arena_keep(s->arena, copy);
}

/* ---- requests ---- */

static void pass_start(struct shk_stream *s, struct shk_query *query)
{
  struct shk_cell start = {0};
  if (query->start)
    start = *query->start;
  shk_pass_kept(s, (const char **)&start.q);
  shk_pass_kept(s, (const char **)&start.p);
  shk_pass_flag(s, &start.project);
  if (s->reads) {
    struct shk_cell *const kept = shk_arena_keep(s->arena, shk_allocate(1, sizeof start));
    *kept = start;
    query->start = kept;
  }
}

static void pass_query(struct shk_stream *s, struct shk_query *query)
{
  query->kind = (enum shk_query_kind)shk_pass_integer(s, query->kind, SHK_QUERY_KINDS - 1);
  shk_pass_kept(s, &query->text);
  shk_pass_kept(s, &query->precision);
  query->count = shk_pass_length(s, query->count, SHK_STREAM_WORD);
  query->n = shk_pass_length(s, query->n, 1);
  const size_t count = (size_t)query->count, all = count * (size_t)query->n;
  s->bad = s->bad || !query->text || !query->precision ||
           (s->reads && count + all > (s->size - s->at) / SHK_STREAM_WORD);
  if (s->bad)
    return;
  if (s->reads) {
    query->times = shk_arena_keep(s->arena, shk_allocate(count + 1, sizeof *query->times));
    query->q = shk_arena_keep(s->arena, shk_allocate(all + 1, sizeof *query->q));
  }
  if (query->kind == SHK_ASK_DIAGNOSIS)
    pass_start(s, query);
  shk_pass_numbers(s, (double *)query->times, count, 64);
  shk_pass_numbers(s, (double *)query->q, all, 64);
}

static void pass_known(struct shk_stream *s, struct shk_request *request)
{
  struct shk_known_start known = {0};
  bool has_known = request->known != NULL;
  shk_pass_flag(s, &has_known);
  if (!has_known)
    return;
  if (request->known)
    known = *request->known;
  shk_pass_bytes(s, &known, sizeof known);
  if (!s->reads)
    return;
  struct shk_known_start *const kept = shk_arena_keep(s->arena, shk_allocate(1, sizeof known));
  *kept = known;
  request->known = kept;
}

static void pass_request(struct shk_stream *s, struct shk_request *request)
{
  shk_pass_kept(s, &request->cell);
  shk_pass_kept(s, &request->folder);
  shk_pass_real(s, &request->seconds);
  shk_pass_real(s, &request->megabytes);
  shk_pass_flag(s, &request->untimed);
  shk_pass_flag(s, &request->alone);
  shk_pass_flag(s, &request->trial);
  pass_known(s, request);
  request->rows.every = shk_pass_integer(s, request->rows.every, LONG_MAX);
  request->rows.steps = shk_pass_integer(s, request->rows.steps, LONG_MAX);
  shk_pass_flag(s, &request->rows.of_state);
  if (!request->cell)
    pass_query(s, &request->query);
  request->step_count = shk_pass_length(s, request->step_count, SHK_STREAM_WORD);
  if (s->reads && request->step_count > 0)
    request->step_counts = shk_arena_keep(
        s->arena, shk_allocate((size_t)request->step_count, sizeof *request->step_counts));
  shk_pass_numbers(s, request->step_counts, (size_t)request->step_count, 64);
}

void *shk_request_bytes(const struct shk_request *request, size_t *size)
{
  struct shk_stream s = shk_frame_begin();
  struct shk_request copy = *request;
  pass_request(&s, &copy);
  *size = shk_frame_end(&s);
  return s.bytes;
}

bool shk_request_read(struct shk_request *request, const void *bytes, size_t size)
{
  struct shk_stream s = shk_frame_open(bytes, size);
  *request = (struct shk_request){0};
  s.arena = &request->arena;
  if (!s.bad)
    pass_request(&s, request);
  return shk_frame_done(&s);
}

/* ---- replies ---- */

struct shk_stream shk_reply_begin(const char *error)
{
  struct shk_stream s = shk_frame_begin();
  shk_pass_kept(&s, &error);
  return s;
}

bool shk_reply_open(struct shk_stream *s, const void *bytes, size_t size, struct shk_message *error)
{
  char *fault = NULL;
  *s = shk_frame_open(bytes, size);
  if (!s->bad)
    shk_pass_text(s, &fault);
  const bool ok = (!fault && !s->bad) ||
                  shk_message_set(error, "%s",
                                  fault ? fault : "a worker's reply is damaged and cannot be read");
  free(fault);
  return ok;
}

void *shk_error_reply(const char *error, size_t *size)
{
  struct shk_stream s = shk_reply_begin(error);
  *size = shk_frame_end(&s);
  return s.bytes;
}

void shk_pass_row(struct shk_stream *s, struct shk_row *row)
{
  row->n = (int)shk_pass_integer(s, row->n, INT32_MAX);
  row->m = (int)shk_pass_integer(s, row->m, INT32_MAX);
  row->code = (int)shk_pass_integer(s, row->code, INT32_MAX);
  shk_pass_real(s, &row->reached);
  shk_pass_text(s, &row->names);
  shk_pass_text(s, &row->text);
  shk_pass_text(s, &row->reason);
}

void *shk_answer(const struct shk_context *context, const struct shk_query *query, size_t *size)
{
  struct shk_message error = {""};
  union {
    struct shk_claims claims;
    struct shk_inspection inspection;
    struct shk_bodies bodies;
    struct shk_diagnosis diagnosis;
    struct shk_checks checks;
  } answer;
  memset(&answer, 0, sizeof answer);
  const bool ok = shk_ask(context, query, &answer, &error);
  struct shk_stream s = shk_reply_begin(ok ? NULL : error.text);
  if (ok)
    shk_pass_answer(&s, query->kind, &answer);
  if (query->kind == SHK_ASK_BODIES)
    free(answer.bodies.rows);
  *size = shk_frame_end(&s);
  return s.bytes;
}

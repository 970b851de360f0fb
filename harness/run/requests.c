/* Requests to a cell server, and its replies. See requests.h. */
#include "harness/run/requests.h"
#include "foundation/memory.h"
#include "harness/run/descriptor_bytes.h"
#include <stdlib.h>

static void pass_const(struct shk_stream *s, const char **text)
{
  char *copy = (char *)*text;
  shk_pass_text(s, &copy);
  *text = copy;
}

static void pass_states(struct shk_stream *s, struct shk_request *request)
{
  request->count = shk_pass_length(s, request->count, SHK_STREAM_WORD);
  request->n = shk_pass_length(s, request->n, SHK_STREAM_WORD);
  const size_t count = (size_t)request->count, all = count * (size_t)request->n;
  s->bad = s->bad || (s->reads && all > s->size / SHK_STREAM_WORD);
  if (s->bad)
    return;
  if (s->reads) {
    request->times = shk_allocate(count + 1, sizeof *request->times);
    request->q = shk_allocate(all + 1, sizeof *request->q);
  }
  shk_pass_numbers(s, (double *)request->times, count, 64);
  shk_pass_numbers(s, (double *)request->q, all, 64);
}

static void pass_request(struct shk_stream *s, struct shk_request *request)
{
  request->kind = (enum shk_request_kind)shk_pass_integer(s, request->kind, SHK_REQUEST_KINDS - 1);
  pass_const(s, &request->text);
  pass_const(s, &request->precision);
  pass_const(s, &request->folder);
  shk_pass_real(s, &request->seconds);
  shk_pass_real(s, &request->megabytes);
  shk_pass_flag(s, &request->untimed);
  if (request->kind == SHK_ASK_SCENE)
    pass_states(s, request);
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
  if (!s.bad)
    pass_request(&s, request);
  return shk_frame_done(&s) && (request->text || request->kind == SHK_ASK_DESCRIPTORS) &&
         (request->precision || request->kind <= SHK_ASK_DESCRIPTORS);
}

void shk_request_clear(struct shk_request *request)
{
  free((char *)request->text);
  free((char *)request->precision);
  free((char *)request->folder);
  free((double *)request->times);
  free((double *)request->q);
  *request = (struct shk_request){0};
}

/* ---- replies ---- */

struct shk_stream shk_reply_begin(const char *error)
{
  struct shk_stream s = shk_frame_begin();
  pass_const(&s, &error);
  return s;
}

bool shk_reply_open(struct shk_stream *s, const void *bytes, size_t size, struct shk_message *error)
{
  char *fault = NULL;
  *s = shk_frame_open(bytes, size);
  if (!s->bad)
    shk_pass_text(s, &fault);
  if (fault || s->bad)
    shk_message_set(error, "%s", fault ? fault : "the reply of a cell server does not read");
  const bool ok = !fault && !s->bad;
  free(fault);
  return ok;
}

void *shk_error_reply(const char *error, size_t *size)
{
  struct shk_stream s = shk_reply_begin(error);
  *size = shk_frame_end(&s);
  return s.bytes;
}

void *shk_answer(const struct shk_context *context, const struct shk_request *request, size_t *size)
{
  struct shk_message error = {""};
  struct shk_claims claims;
  struct shk_inspection inspection;
  struct shk_scene scene = {0};
  const char *const spec = request->text;
  const struct shk_engine *const engine = shk_engine_named(request->precision, &error);
  struct shk_stream s = shk_reply_begin(NULL);
  bool ok = false;
  if (engine && request->kind == SHK_ASK_CLAIMS) {
    ok = engine->claims(context, &claims, spec, &error);
    shk_pass_claims(&s, &claims);
  } else if (engine && request->kind == SHK_ASK_INSPECTION) {
    ok = engine->inspect(context, &inspection, spec, &error);
    shk_pass_inspection(&s, &inspection);
  } else if (engine) {
    ok = engine->scene(context, &scene, spec, request->count, request->times, request->n,
                       request->q, &error);
    if (ok)
      shk_pass_scene(&s, &scene);
    shk_scene_clear(&scene);
  }
  if (ok) {
    *size = shk_frame_end(&s);
    return s.bytes;
  }
  free(s.bytes);
  return shk_error_reply(error.text, size);
}

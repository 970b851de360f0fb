/* Serializes and deserializes descriptors and the answers to queries. See requests.h. */
#include "foundation/memory.h"
#include "foundation/specifications/claims.h"
#include "harness/run/requests.h"
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 8, /* largest nesting depth */ LARGEST_ORDER = 1000, LARGEST_SIZE = 1 << 30 };

/* Passes a string meant for display. A missing string is read as an empty string, never as NULL. */
static void pass_shown(struct shk_stream *s, const char **text)
{
  shk_pass_kept(s, text);
  if (!*text)
    *text = "";
}

static void pass_required(struct shk_stream *s, const char **text)
{
  shk_pass_kept(s, text);
  s->bad = s->bad || !*text;
}

static void pass_unsigned(struct shk_stream *s, unsigned *value)
{
  *value = (unsigned)shk_pass_integer(s, *value, UINT32_MAX);
}

/* ---- options ---- */

static void pass_options(struct shk_stream *s, const struct shk_option **options, int depth);

/* Passes a list of options or choices, terminated by an item whose name is NULL. The name is the
 * first member of both structs. When reading, allocates *list. */
static void pass_list(struct shk_stream *s, const void **list, size_t size,
                      void (*pass)(struct shk_stream *s, void *item, int depth), int depth)
{
  const char *at = *list;
  int length = 0;
  while (at && *(const char *const *)(at + (size_t)length * size))
    length++;
  length = shk_pass_length(s, at ? length + 1 : 0, 1);
  s->bad = s->bad || depth > DEEPEST;
  if (s->reads)
    *list = at =
        length > 0 && !s->bad ? shk_arena_keep(s->arena, shk_allocate((size_t)length, size)) : NULL;
  for (int i = 0; i < length - 1 && !s->bad; i++)
    pass(s, (char *)at + (size_t)i * size, depth);
}

static void pass_choice(struct shk_stream *s, void *item, int depth)
{
  struct shk_choice copy = *(struct shk_choice *)item, *const choice = s->reads ? item : &copy;
  pass_required(s, &choice->name);
  pass_shown(s, &choice->meaning);
  pass_options(s, &choice->options, depth + 1);
}

/* Offsets into structs are not sent, because only the process that loaded the plug-in uses them.
 * Only a flag is sent for others_at. */
static void pass_option(struct shk_stream *s, void *item, int depth)
{
  struct shk_option copy = *(struct shk_option *)item, *const option = s->reads ? item : &copy;
  bool others = option->others_at != 0;
  pass_required(s, &option->name);
  option->kind = (enum shk_option_kind)shk_pass_integer(s, option->kind, SHK_OPTION_PROBLEM);
  shk_pass_kept(s, &option->fallback);
  shk_pass_kept(s, &option->minimum);
  shk_pass_kept(s, &option->maximum);
  shk_pass_flag(s, &option->positive);
  shk_pass_flag(s, &option->positional);
  shk_pass_flag(s, &others);
  pass_shown(s, &option->meaning);
  pass_list(s, (const void **)&option->choices, sizeof *option->choices, pass_choice, depth);
  option->others_at = others;
  s->bad = s->bad || (option->kind == SHK_OPTION_CHOICE && !option->choices);
}

static void pass_options(struct shk_stream *s, const struct shk_option **options, int depth)
{
  pass_list(s, (const void **)options, sizeof **options, pass_option, depth);
}

/* ---- descriptors ---- */

static struct shk_item pass_problem(struct shk_stream *s, void *owned)
{
  struct shk_problem_info *const info = owned;
  pass_required(s, &info->name);
  pass_shown(s, &info->summary);
  pass_shown(s, &info->equations);
  pass_shown(s, &info->citation);
  pass_shown(s, &info->units);
  pass_shown(s, &info->coordinates);
  pass_options(s, &info->options, 0);
  shk_pass_kept(s, &info->family);
  return (struct shk_item){info->name, info->options, info, NULL};
}

static struct shk_item pass_integrator(struct shk_stream *s, void *owned)
{
  struct shk_integrator_info *const info = owned;
  pass_required(s, &info->name);
  pass_shown(s, &info->summary);
  pass_shown(s, &info->equations);
  pass_shown(s, &info->citation);
  pass_options(s, &info->options, 0);
  pass_unsigned(s, &info->supports);
  shk_pass_flag(s, &info->adaptive);
  shk_pass_flag(s, &info->double_only);
  shk_pass_flag(s, &info->exact);
  shk_pass_flag(s, &info->in_single);
  shk_pass_kept(s, &info->partner);
  shk_pass_kept(s, &info->family);
  shk_pass_kept(s, &info->textbook);
  return (struct shk_item){info->name, info->options, info, NULL};
}

const enum shk_option_kind shk_offered_kinds[SHK_OFFERED_KINDS] = {
    SHK_OPTION_PROBLEM, SHK_OPTION_INTEGRATOR, SHK_OPTION_CHOICE};

void shk_pass_offer(struct shk_stream *s, struct shk_offer *offer)
{
  int number = 0;
  while (!s->reads && shk_offered_kinds[number] != offer->kind)
    number++;
  offer->kind = shk_offered_kinds[shk_pass_integer(s, number, SHK_OFFERED_KINDS - 1)];
  offer->plugin = (int)shk_pass_integer(s, offer->plugin, INT32_MAX);
  const bool problem = offer->kind == SHK_OPTION_PROBLEM;
  const size_t size =
      problem ? sizeof(struct shk_problem_info) : sizeof(struct shk_integrator_info);
  void *const info = shk_allocate(1, size);
  if (!s->reads)
    memcpy(info, offer->item.info, size);
  const struct shk_item item = (problem ? pass_problem : pass_integrator)(s, info);
  if (s->reads) {
    shk_arena_keep(s->arena, info);
    offer->item = item;
  } else {
    free(info);
  }
}

/* ---- answers ---- */

/* Each value is incremented by one before it is sent, because orders start at -1 (not claimed). */
static void pass_claims(struct shk_stream *s, struct shk_claims *claims)
{
  for (int i = 1; i < SHK_CLAIMS; i++) {
    const enum shk_claim claim = (enum shk_claim)i;
    const int most = shk_claim_entries[i].order ? LARGEST_ORDER : SHK_NO;
    const int value = s->reads ? 0 : shk_claim_value(claims, claim) + 1;
    const int passed = (int)shk_pass_integer(s, value, most + 1) - 1;
    s->bad = s->bad || (passed < 0 && !shk_claim_entries[i].order);
    if (s->reads)
      shk_claim_set(claims, claim, passed);
  }
  shk_pass_real(s, &claims->constraint_level);
  shk_pass_flag(s, &claims->double_only);
}

static void pass_inspection(struct shk_stream *s, struct shk_inspection *inspection)
{
  const int most = sizeof inspection->invariant_names / sizeof *inspection->invariant_names;
  if (s->reads)
    *inspection = (struct shk_inspection){0};
  inspection->n = (int)shk_pass_integer(s, inspection->n, LARGEST_SIZE);
  inspection->m = (int)shk_pass_integer(s, inspection->m, LARGEST_SIZE);
  pass_unsigned(s, &inspection->features);
  pass_unsigned(s, &inspection->undecidable);
  shk_pass_real(s, &inspection->initial_time);
  shk_pass_real(s, &inspection->time_scale);
  shk_pass_real(s, &inspection->horizon);
  shk_pass_flag(s, &inspection->exact);
  shk_pass_flag(s, &inspection->beyond_quadratic);
  shk_pass_flag(s, &inspection->unequal_masses);
  inspection->invariant_count = (int)shk_pass_integer(s, inspection->invariant_count, most);
  for (int i = 0; i < inspection->invariant_count; i++) {
    const size_t size = sizeof inspection->invariant_names[i];
    shk_pass_bytes(s, inspection->invariant_names[i], size);
    inspection->invariant_names[i][size - 1] = '\0';
  }
  shk_pass_bytes(s, inspection->note, sizeof inspection->note);
  inspection->note[sizeof inspection->note - 1] = '\0';
}

static void pass_bodies(struct shk_stream *s, struct shk_bodies *bodies)
{
  shk_pass_flag(s, &bodies->in_space);
  bodies->count = (int)shk_pass_integer(s, bodies->count, LARGEST_SIZE >> 10);
  bodies->parts = (int)shk_pass_integer(s, bodies->parts, LARGEST_SIZE >> 10);
  const size_t numbers = shk_bodies_numbers(bodies);
  s->bad = s->bad || (s->reads && (numbers == 0 || numbers > (s->size - s->at) / SHK_STREAM_WORD));
  if (!s->bad && s->reads)
    bodies->rows = shk_allocate(numbers, sizeof *bodies->rows);
  if (!s->bad)
    shk_pass_numbers(s, bodies->rows, numbers, 64);
}

void shk_pass_answer(struct shk_stream *s, enum shk_query_kind kind, void *answer)
{
  if (kind == SHK_ASK_CLAIMS)
    pass_claims(s, answer);
  else if (kind == SHK_ASK_INSPECTION)
    pass_inspection(s, answer);
  else if (kind == SHK_ASK_BODIES)
    pass_bodies(s, answer);
  else /* both processes run the same executable, so their structs have the same layout */
    shk_pass_bytes(s, answer,
                   kind == SHK_ASK_AUDIT ? sizeof(struct shk_checks)
                                         : sizeof(struct shk_diagnosis));
}

/*
 * Cells as JSON. See wire.h.
 *
 *   {"kind", "problem", "integrator", "precision", "step", "tolerance", "until", "times": ["1", …],
 *    "q", "p", "project": true, "lanes": [{"problem", "q", "p"}, …]}
 */
#include "results/record/wire.h"
#include "foundation/memory.h"
#include "foundation/message.h"
#include <stddef.h>
#include <string.h>

static bool expect_object(const json_t *json, const char *what, struct shk_message *error)
{
  if (json_is_object(json))
    return true;
  shk_message_set(error, "%s: expected a JSON object", what);
  return false;
}

/* The members that are texts, in the order of the wire. */
static const struct {
  const char *name;
  size_t offset;
} cell_texts[] = {
    {"kind", offsetof(struct shk_cell, kind)},
    {"problem", offsetof(struct shk_cell, problem)},
    {"integrator", offsetof(struct shk_cell, integrator)},
    {"precision", offsetof(struct shk_cell, precision)},
    {"step", offsetof(struct shk_cell, step)},
    {"tolerance", offsetof(struct shk_cell, tolerance)},
    {"until", offsetof(struct shk_cell, until)},
    {"q", offsetof(struct shk_cell, q)},
    {"p", offsetof(struct shk_cell, p)},
};
enum { CELL_TEXTS = sizeof cell_texts / sizeof cell_texts[0] };

static json_t *members_of(const struct shk_cell *cell)
{
  json_t *members = shk_wire_had(json_array());
  for (int i = 0; i < cell->member_count; i++) {
    json_t *member = shk_wire_had(json_object());
    shk_wire_set_text(member, "problem", cell->members[i].problem);
    shk_wire_set_text(member, "q", cell->members[i].q);
    shk_wire_set_text(member, "p", cell->members[i].p);
    shk_wire_append(members, member);
  }
  return members;
}

json_t *shk_wire_cell(const struct shk_cell *cell)
{
  json_t *json = shk_wire_had(json_object());
  for (int i = 0; i < CELL_TEXTS; i++)
    shk_wire_set_text(json, cell_texts[i].name,
                      *(char *const *)((const char *)cell + cell_texts[i].offset));
  json_t *times = shk_wire_had(json_array());
  for (int i = 0; i < cell->time_count; i++)
    shk_wire_append(times, shk_wire_text(cell->times[i], strlen(cell->times[i])));
  shk_wire_set(json, "times", times);
  if (cell->project)
    shk_wire_set(json, "project", json_true());
  if (cell->member_count > 0)
    shk_wire_set(json, "lanes", members_of(cell));
  return json;
}

static bool read_times(struct shk_cell *cell, const json_t *json, struct shk_message *error)
{
  const json_t *times = json_object_get(json, "times");
  if (!times)
    return true;
  const size_t count = json_array_size(times);
  if (!json_is_array(times) || count > 1000000) {
    shk_message_set(error, "member \"times\": expected an array");
    return false;
  }
  cell->times = shk_allocate(count, sizeof *cell->times);
  for (size_t i = 0; i < count; i++) {
    const char *text = json_string_value(json_array_get(times, i));
    if (!text) {
      shk_message_set(error, "member \"times\": expected strings");
      return false;
    }
    cell->times[cell->time_count++] = shk_copy_text(text);
  }
  return true;
}

/* The members, an array or nothing. */
static bool find_members(const json_t **members, const json_t *json, struct shk_message *error)
{
  *members = json_object_get(json, "lanes");
  if (!*members || (json_is_array(*members) && json_array_size(*members) <= SHK_MOST_MEMBERS))
    return true;
  shk_message_set(error, "member \"lanes\": expected an array of at most %d objects",
                  SHK_MOST_MEMBERS);
  return false;
}

static bool read_cell_members(struct shk_cell *cell, const json_t *json, struct shk_message *error)
{
  const json_t *members;
  if (!find_members(&members, json, error))
    return false;
  const size_t count = json_array_size(members);
  cell->members = count > 0 ? shk_allocate(count, sizeof *cell->members) : NULL;
  for (size_t i = 0; i < count; i++) {
    const json_t *one = json_array_get(members, i);
    struct shk_member *member = &cell->members[cell->member_count++];
    if (!expect_object(one, "lane", error) ||
        !shk_wire_get_text(&member->problem, one, "problem", error) ||
        !shk_wire_get_text(&member->q, one, "q", error) ||
        !shk_wire_get_text(&member->p, one, "p", error))
      return false;
    if (!member->problem) {
      shk_message_set(error, "lane: expected a problem");
      return false;
    }
  }
  return true;
}

bool shk_wire_read_cell(struct shk_cell *cell, const json_t *json, struct shk_message *error)
{
  *cell = (struct shk_cell){0};
  if (!expect_object(json, "cell", error))
    return false;
  bool ok = read_times(cell, json, error) && read_cell_members(cell, json, error);
  for (int i = 0; ok && i < CELL_TEXTS; i++)
    ok = shk_wire_get_text((char **)((char *)cell + cell_texts[i].offset), json, cell_texts[i].name,
                           error);
  cell->project = json_is_true(json_object_get(json, "project"));
  if (ok && !(cell->kind && cell->problem && cell->integrator && cell->precision && cell->until)) {
    shk_message_set(error, "cell: expected kind, problem, integrator, precision and until");
    ok = false;
  }
  if (!ok)
    shk_cell_clear(cell);
  return ok;
}

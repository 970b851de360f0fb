/*
 * Cells and records as JSON. See wire.h.
 *
 *   cell    {"kind", "problem", "integrator", "precision", "step", "tolerance", "until",
 *            "times": ["1", …], "q", "p", "project": true,
 *            "lanes": [{"problem", "q", "p"}, …]}
 *   outcome {"code": "ok", "reason", "reached", "n", "m" (outcome.def), "history": ["1e-3", …],
 *            "scalars": {"energy-error-max": "…", …}, "lanes": [outcome, …],
 *            "packed-states": "…", "packed-series": "…"}
 *           in lanes "samples" (states.h), "series": [{"name", "intervals"} or {"name", "time", …}, …]
 *   record  {"end": "finished", "detail": 0, "output", "dropped": 0, "seconds", "limit-seconds",
 *            "limit-megabytes", "outcome"}
 */
#include "results/record/wire.h"
#include "foundation/memory.h"
#include "foundation/message.h"
#include "results/pack/pack.h"
#include "results/record/states.h"
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool expect_object(const json_t *json, const char *what, struct shk_message *error)
{
  if (json_is_object(json))
    return true;
  shk_message_set(error, "%s: expected a JSON object", what);
  return false;
}

/* ---- cells ---- */

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

/* The members of a cell or an outcome, an array or nothing. */
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

/* ---- outcomes ---- */

static json_t *reals(const double *values, int count)
{
  json_t *array = shk_wire_had(json_array());
  for (int i = 0; i < count; i++)
    shk_wire_append(array, shk_wire_real(values[i]));
  return array;
}

/* The numbers of a series are many, and nobody reads them on the way: all times, minima, means and
 * maxima, which follow one another, as one text, 16 hexadecimal digits of the bits of each. */
enum { PARTS = 4, WORD = (int)sizeof(uint64_t), MOST_INTERVALS = 1000000 };

static json_t *bits_of(const double *values, size_t count)
{
  unsigned char *const bytes = shk_allocate(count + 1, WORD), *at = bytes;
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    for (int k = WORD; k-- > 0; bits >>= 8)
      at[k] = (unsigned char)bits;
    at += WORD;
  }
  json_t *const json = shk_wire_bytes(bytes, WORD * count);
  free(bytes);
  return json;
}

static json_t *series_of(const struct shk_outcome *outcome)
{
  json_t *all = shk_wire_had(json_array());
  for (int i = 0; i < outcome->series_count; i++) {
    const struct shk_series *const one = &outcome->series[i];
    json_t *object = shk_wire_had(json_object());
    shk_wire_set_text(object, "name", one->name);
    shk_wire_set(object, "intervals", bits_of(one->time, PARTS * (size_t)one->count));
    shk_wire_append(all, object);
  }
  return all;
}

/* The fixed fields, in the order of the wire. */
#define IS_REAL true
#define IS_COUNT false
static const struct {
  const char *name;
  size_t offset;
  bool real, always;
} outcome_fields[] = {
#define OUTCOME_FIELD(type, name, words, summary, always)                                          \
  {#name, offsetof(struct shk_outcome, name), IS_##type, always},
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
};
enum { OUTCOME_FIELDS = sizeof outcome_fields / sizeof outcome_fields[0] };

static void set_field(json_t *json, const struct shk_outcome *outcome, int field)
{
  const void *const at = (const char *)outcome + outcome_fields[field].offset;
  if (outcome_fields[field].real)
    shk_wire_set_real(json, outcome_fields[field].name, *(const double *)at);
  else
    shk_wire_set(json, outcome_fields[field].name, json_integer(*(const int *)at));
}

static bool read_field(struct shk_outcome *outcome, const json_t *json, int field,
                       struct shk_message *error)
{
  const char *const name = outcome_fields[field].name;
  void *const at = (char *)outcome + outcome_fields[field].offset;
  const bool absent = !outcome_fields[field].always && !json_object_get(json, name);
  long count = 0;
  if (outcome_fields[field].real) {
    *(double *)at = NAN;
    return absent || shk_wire_get_real(at, json, name, error);
  }
  const bool ok = absent || shk_wire_get_integer(&count, json, name, 0, 1L << 30, error);
  *(int *)at = (int)count;
  return ok;
}

json_t *shk_wire_outcome(const struct shk_outcome *outcome)
{
  json_t *json = shk_wire_had(json_object());
  shk_wire_set_text(json, "code", shk_code_name(outcome->code));
  if (outcome->reason[0])
    shk_wire_set_text(json, "reason", outcome->reason);
  for (int i = 0; i < OUTCOME_FIELDS; i++)
    set_field(json, outcome, i);
  if (outcome->history_count)
    shk_wire_set(json, "history", reals(outcome->history, outcome->history_count));
  json_t *scalars = shk_wire_had(json_object());
  for (int i = 0; i < outcome->scalar_count; i++)
    shk_wire_set_real(scalars, outcome->scalars[i].name, outcome->scalars[i].value);
  shk_wire_set(json, "scalars", scalars);
  if (outcome->member_count > 0) {
    json_t *members = shk_wire_had(json_array());
    for (int i = 0; i < outcome->member_count; i++) {
      json_t *const member = shk_wire_outcome(&outcome->members[i]);
      shk_wire_set(member, "samples", shk_wire_states(&outcome->members[i]));
      shk_wire_set(member, "series", series_of(&outcome->members[i]));
      shk_wire_append(members, member);
    }
    shk_wire_set(json, "lanes", members);
  }
  return json;
}

/* What came packed, or what is packed now; nothing where there is none. */
static void set_packed(json_t *json, const char *name, struct shk_packed packed,
                       void *(*pack)(const struct shk_outcome *outcome, size_t *size),
                       const struct shk_outcome *outcome)
{
  void *const own = packed.bytes ? NULL : pack(outcome, &packed.size);
  if (own || packed.bytes)
    shk_wire_set(json, name, shk_wire_bytes(own ? own : packed.bytes, packed.size));
  free(own);
}

static json_t *whole_outcome(const struct shk_outcome *outcome, struct shk_packed states,
                             struct shk_packed series)
{
  json_t *const json = shk_wire_outcome(outcome);
  set_packed(json, "packed-states", states, shk_pack_states, outcome);
  set_packed(json, "packed-series", series, shk_pack_series, outcome);
  return json;
}

json_t *shk_wire_whole_outcome(const struct shk_outcome *outcome)
{
  return whole_outcome(outcome, (struct shk_packed){NULL}, (struct shk_packed){NULL});
}

static bool read_code(enum shk_code *code, const json_t *json, struct shk_message *error)
{
  const char *name = json_string_value(json_object_get(json, "code"));
  for (int i = 0; name && i < SHK_CODE_COUNT; i++) {
    if (strcmp(name, shk_code_name((enum shk_code)i)) == 0) {
      *code = (enum shk_code)i;
      return true;
    }
  }
  shk_message_set(error, "member \"code\": expected the name of a code");
  return false;
}

static bool read_reals(double *values, size_t count, const json_t *array, const char *what,
                       struct shk_message *error)
{
  bool ok = json_is_array(array) && json_array_size(array) == count;
  for (size_t i = 0; ok && i < count; i++)
    ok = shk_wire_read_real(&values[i], json_array_get(array, i));
  if (!ok)
    shk_message_set(error, "%s: expected %zu numbers as strings", what, count);
  return ok;
}

static bool read_intervals(struct shk_outcome *outcome, const char *name, const json_t *json,
                           struct shk_message *error)
{
  size_t size;
  unsigned char *const bytes = shk_wire_read_bytes(&size, json);
  const size_t count = size / (PARTS * WORD);
  const bool ok = bytes && size % (PARTS * WORD) == 0 && count <= MOST_INTERVALS;
  struct shk_series *const series = ok ? shk_outcome_add_series(outcome, name, (int)count) : NULL;
  for (size_t i = 0; ok && i < PARTS * count; i++) {
    uint64_t bits = 0;
    for (int k = 0; k < WORD; k++)
      bits = bits << 8 | bytes[WORD * i + (size_t)k];
    memcpy(&series->time[i], &bits, sizeof bits);
  }
  if (!ok)
    shk_message_set(error, "%s: expected %d hexadecimal digits for each interval", name,
                    2 * PARTS * WORD);
  free(bytes);
  return ok;
}

static bool read_series(struct shk_outcome *outcome, const json_t *json, struct shk_message *error)
{
  json_t *all = json_object_get(json, "series"), *one;
  size_t index;
  json_array_foreach(all, index, one)
  {
    const char *name = json_string_value(json_object_get(one, "name"));
    const json_t *const time = json_object_get(one, "time");
    const json_t *const intervals = json_object_get(one, "intervals");
    const size_t count = json_array_size(time);
    if (!name || count > MOST_INTERVALS) {
      shk_message_set(error, "member \"series\": expected objects with a name and intervals");
      return false;
    }
    if (intervals) {
      if (!read_intervals(outcome, name, intervals, error))
        return false;
      continue;
    }
    struct shk_series *series = shk_outcome_add_series(outcome, name, (int)count);
    if (!read_reals(series->time, count, time, name, error) ||
        !read_reals(series->minimum, count, json_object_get(one, "minimum"), name, error) ||
        !read_reals(series->mean, count, json_object_get(one, "mean"), name, error) ||
        !read_reals(series->maximum, count, json_object_get(one, "maximum"), name, error))
      return false;
  }
  return true;
}

/* A member that is packed, or none. */
static bool read_packed(struct shk_packed *packed, const json_t *json, const char *name,
                        struct shk_message *error)
{
  const json_t *const text = json_object_get(json, name);
  packed->bytes = text ? shk_wire_read_bytes(&packed->size, text) : NULL;
  if (!text || (packed->bytes && shk_is_packed(packed->bytes, packed->size)))
    return true;
  shk_message_set(error, "member \"%s\": expected what is packed, in hexadecimal digits", name);
  return false;
}

static bool read_both(struct shk_packed *states, struct shk_packed *series, const json_t *json,
                      struct shk_message *error)
{
  return read_packed(states, json, "packed-states", error) &&
         read_packed(series, json, "packed-series", error);
}

static bool read_outcome(struct shk_outcome *outcome, const json_t *json,
                         struct shk_message *error);

/* The members of an ensemble, which have none themselves. */
static bool read_members(struct shk_outcome *outcome, const json_t *json, struct shk_message *error)
{
  const json_t *members;
  if (!find_members(&members, json, error))
    return false;
  const size_t count = json_array_size(members);
  outcome->members = count > 0 ? shk_allocate(count, sizeof *outcome->members) : NULL;
  for (size_t i = 0; i < count; i++) {
    const json_t *one = json_array_get(members, i);
    if (json_object_get(one, "lanes")) {
      shk_message_set(error, "member \"lanes\": expected outcomes that have none of their own");
      return false;
    }
    if (!read_outcome(&outcome->members[outcome->member_count++], one, error))
      return false;
  }
  return true;
}

static bool read_outcome(struct shk_outcome *outcome, const json_t *json, struct shk_message *error)
{
  const int most_history = sizeof outcome->history / sizeof outcome->history[0];
  bool ok = expect_object(json, "outcome", error) && read_code(&outcome->code, json, error);
  for (int i = 0; ok && i < OUTCOME_FIELDS; i++)
    ok = read_field(outcome, json, i, error);
  if (!ok)
    return false;
  const json_t *reason = json_object_get(json, "reason");
  if (json_is_string(reason))
    shk_text_fit(outcome->reason, sizeof outcome->reason, json_string_value(reason));
  const json_t *history = json_object_get(json, "history");
  if (history) {
    if (json_array_size(history) > (size_t)most_history) {
      shk_message_set(error, "member \"history\": expected at most %d numbers", most_history);
      return false;
    }
    outcome->history_count = (int)json_array_size(history);
    if (!read_reals(outcome->history, json_array_size(history), history, "history", error))
      return false;
  }
  json_t *scalars = json_object_get(json, "scalars"), *scalar;
  const char *name;
  json_object_foreach(scalars, name, scalar)
  {
    double value;
    if (!shk_wire_read_real(&value, scalar)) {
      shk_message_set(error, "scalar \"%s\": expected a string that holds a number", name);
      return false;
    }
    shk_outcome_add_scalar(outcome, name, value);
  }
  return shk_wire_read_states(outcome, json_object_get(json, "samples"), error) &&
         read_series(outcome, json, error) && read_members(outcome, json, error);
}

bool shk_wire_read_outcome(struct shk_outcome *outcome, const json_t *json,
                           struct shk_message *error)
{
  struct shk_packed states = {NULL}, series = {NULL};
  *outcome = (struct shk_outcome){0};
  bool ok = read_outcome(outcome, json, error) && read_both(&states, &series, json, error) &&
            (!states.bytes || shk_unpack_states(outcome, states.bytes, states.size, error));
  if (ok && series.bytes && !shk_unpack_series(outcome, series.bytes, series.size)) {
    shk_message_set(error, "its series are damaged");
    ok = false;
  }
  free(states.bytes);
  free(series.bytes);
  if (!ok)
    shk_outcome_clear(outcome);
  return ok;
}

/* ---- records ---- */

json_t *shk_wire_record(const struct shk_record *record)
{
  return shk_wire_record_around(record,
                                whole_outcome(&record->outcome, record->states, record->series));
}

json_t *shk_wire_record_around(const struct shk_record *record, json_t *owned)
{
  json_t *json = shk_wire_had(json_object());
  shk_wire_set_text(json, "end", shk_end_names[record->end]);
  shk_wire_set(json, "detail", json_integer(record->end_detail));
  shk_wire_set_text(json, "output", record->output);
  shk_wire_set(json, "dropped", json_integer(record->output_dropped));
  shk_wire_set_real(json, "seconds", record->seconds);
  shk_wire_set_real(json, "limit-seconds", record->limit_seconds);
  shk_wire_set_real(json, "limit-megabytes", record->limit_megabytes);
  shk_wire_set(json, "outcome", owned);
  return json;
}

static bool read_end(enum shk_end *end, const json_t *json, struct shk_message *error)
{
  const char *name = json_string_value(json_object_get(json, "end"));
  for (int i = 0; name && i < SHK_ENDS; i++) {
    if (strcmp(name, shk_end_names[i]) == 0) {
      *end = (enum shk_end)i;
      return true;
    }
  }
  shk_message_set(error, "member \"end\": expected finished, crashed, timed-out, out-of-memory or "
                         "exited");
  return false;
}

bool shk_wire_read_record(struct shk_record *record, const json_t *json, struct shk_message *error)
{
  const json_t *const outcome = json_object_get(json, "outcome");
  *record = (struct shk_record){0};
  long detail = 0;
  const bool ok =
      expect_object(json, "record", error) && read_end(&record->end, json, error) &&
      shk_wire_get_integer(&detail, json, "detail", 0, 1000, error) &&
      shk_wire_get_text(&record->output, json, "output", error) &&
      shk_wire_get_integer(&record->output_dropped, json, "dropped", 0, 1L << 62, error) &&
      shk_wire_get_real(&record->seconds, json, "seconds", error) &&
      shk_wire_get_real(&record->limit_seconds, json, "limit-seconds", error) &&
      shk_wire_get_real(&record->limit_megabytes, json, "limit-megabytes", error) &&
      read_outcome(&record->outcome, outcome, error) &&
      read_both(&record->states, &record->series, outcome, error);
  record->end_detail = (int)detail;
  if (!ok)
    shk_record_clear(record);
  return ok;
}

bool shk_wire_read_answer(struct shk_record *record, const char *line, struct shk_message *error)
{
  json_t *const json = json_loads(line, 0, NULL);
  const char *const failure = json_string_value(json_object_get(json, "error"));
  struct shk_message fault = {""};
  bool ok = false;
  if (failure)
    shk_message_set(error, "a worker cannot go on: %s", failure);
  else if (!shk_wire_read_record(record, json_object_get(json, "record"), &fault))
    shk_message_set(error, "a worker's answer does not read: %s", fault.text);
  else
    ok = true;
  json_decref(json);
  return ok;
}

/*
 * Cells and records as JSON. See wire.h.
 *
 *   cell    {"kind", "problem", "integrator", "precision", "step", "tolerance", "until",
 *            "times": ["1", …], "q", "p", "project": true,
 *            "lanes": [{"problem", "q", "p"}, …]}
 *   outcome {"code": "ok", "reason", "reached", "n", "m" (outcome.def), "history": ["1e-3", …],
 *            "samples": [{"time": "1", "blocks": {"q": "…", …}}, …],
 *            "scalars": {"energy-error-max": "…", …},
 *            "series": [{"name", "intervals" or "steps" or "values"} or {"name", "time", …}, …],
 *            "lanes": [outcome, …]}
 *   record  {"end": "finished", "detail": 0, "output", "dropped": 0, "seconds", "limit-seconds",
 *            "limit-megabytes", "outcome"}
 */
#include "results/record/wire.h"
#include "foundation/memory.h"
#include "foundation/message.h"
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
 * maxima, which follow one another, as one text, 16 hexadecimal digits of the bits of each. Mostly an
 * interval is a step, whose minimum is the mean and the maximum, and all series have the same times: a
 * text has these parts of the four, from one on, and the others are as they. */
static const struct {
  const char *name;
  size_t first, count;
} forms[] = {{"intervals", 0, 4}, {"steps", 0, 2}, {"values", 1, 1}};
enum { INTERVALS, STEPS, VALUES, FORMS };

static int form_of(const struct shk_series *series, const struct shk_series *before)
{
  const size_t count = (size_t)series->count, size = count * sizeof(double);
  if (memcmp(series->minimum, series->mean, 2 * size) != 0) /* the maximum follows the mean */
    return INTERVALS;
  const bool same =
      before && before->count == series->count && memcmp(before->time, series->time, size) == 0;
  return same ? VALUES : STEPS;
}

static json_t *bits_of(const double *values, size_t count)
{
  static const char digits[] = "0123456789abcdef";
  char *const text = shk_allocate(count + 1, 16), *at = text;
  for (size_t i = 0; i < count; i++) {
    uint64_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    for (int shift = 60; shift >= 0; shift -= 4)
      *at++ = digits[bits >> shift & 15];
  }
  json_t *json = json_stringn_nocheck(text, 16 * count);
  free(text);
  return json;
}

/* All series, in the form of least length, or as a store has them. */
static json_t *series_of(const struct shk_outcome *outcome, bool stored)
{
  json_t *all = shk_wire_had(json_array());
  for (int i = 0; i < outcome->series_count; i++) {
    const struct shk_series *const one = &outcome->series[i];
    const int form = stored ? INTERVALS : form_of(one, i > 0 ? one - 1 : NULL);
    const size_t count = (size_t)one->count;
    json_t *object = shk_wire_had(json_object());
    shk_wire_set_text(object, "name", one->name);
    shk_wire_set(object, forms[form].name,
                 bits_of(one->time + forms[form].first * count, forms[form].count * count));
    shk_wire_append(all, object);
  }
  return all;
}

static bool read_bits(double *values, size_t count, const char *text)
{
  for (size_t i = 0; i < count; i++) {
    uint64_t bits = 0;
    for (int k = 0; k < 16; k++) {
      const char c = *text++;
      if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
        return false;
      bits = bits << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    memcpy(&values[i], &bits, sizeof bits);
  }
  return true;
}

json_t *shk_wire_states(const struct shk_outcome *outcome)
{
  json_t *samples = shk_wire_had(json_array());
  for (int i = 0; i < outcome->sample_count; i++) {
    json_t *sample = shk_wire_had(json_object()), *blocks = shk_wire_had(json_object());
    shk_wire_set_text(sample, "time", outcome->samples[i].time);
    for (int j = 0; j < outcome->samples[i].block_count; j++)
      shk_wire_set_text(blocks, outcome->samples[i].blocks[j].name,
                        outcome->samples[i].blocks[j].text);
    shk_wire_set(sample, "blocks", blocks);
    shk_wire_append(samples, sample);
  }
  return samples;
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

/* The members of a stored outcome are stored whole. */
static json_t *outcome_of(const struct shk_outcome *outcome, unsigned parts, bool stored)
{
  json_t *json = shk_wire_had(json_object());
  shk_wire_set_text(json, "code", shk_code_name(outcome->code));
  if (outcome->reason[0])
    shk_wire_set_text(json, "reason", outcome->reason);
  for (int i = 0; i < OUTCOME_FIELDS; i++)
    set_field(json, outcome, i);
  if (outcome->history_count)
    shk_wire_set(json, "history", reals(outcome->history, outcome->history_count));
  if (parts & SHK_PART_STATES)
    shk_wire_set(json, "samples", shk_wire_states(outcome));
  json_t *scalars = shk_wire_had(json_object());
  for (int i = 0; i < outcome->scalar_count; i++)
    shk_wire_set_real(scalars, outcome->scalars[i].name, outcome->scalars[i].value);
  shk_wire_set(json, "scalars", scalars);
  if (outcome->member_count > 0) {
    json_t *members = shk_wire_had(json_array());
    for (int i = 0; i < outcome->member_count; i++)
      shk_wire_append(members, outcome_of(&outcome->members[i], SHK_PART_ALL, stored));
    shk_wire_set(json, "lanes", members);
  }
  if (parts & SHK_PART_SERIES)
    shk_wire_set(json, "series", series_of(outcome, stored));
  return json;
}

json_t *shk_wire_outcome(const struct shk_outcome *outcome, unsigned parts)
{
  return outcome_of(outcome, parts, !(parts & SHK_PART_SERIES));
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

bool shk_wire_read_states(struct shk_outcome *outcome, const json_t *array,
                          struct shk_message *error)
{
  json_t *one;
  size_t index;
  json_array_foreach(array, index, one)
  {
    const char *time = json_string_value(json_object_get(one, "time"));
    json_t *blocks = json_object_get(one, "blocks"), *block;
    if (!time || !json_is_object(blocks)) {
      shk_message_set(error, "member \"samples\": expected objects with time and blocks");
      return false;
    }
    struct shk_sample *sample = shk_outcome_add_sample(outcome, time, strtod(time, NULL));
    const char *name;
    json_object_foreach(blocks, name, block)
    {
      if (!json_is_string(block)) {
        shk_message_set(error, "block \"%s\": expected a string", name);
        return false;
      }
      shk_sample_add_block(sample, name, shk_copy_text(json_string_value(block)));
    }
  }
  return true;
}

/* A text of parts of a series, and the other parts. */
static bool read_parts(struct shk_outcome *outcome, const char *name, int form, const json_t *json,
                       struct shk_message *error)
{
  const size_t length = json_string_length(json), each = 16 * forms[form].count;
  const size_t count = length / each;
  const int before = outcome->series_count - 1;
  const bool fits =
      json_is_string(json) && length % each == 0 && count <= 1000000 &&
      (form != VALUES || (before >= 0 && outcome->series[before].count == (int)count));
  struct shk_series *const series = fits ? shk_outcome_add_series(outcome, name, (int)count) : NULL;
  if (!fits || !read_bits(series->time + forms[form].first * count, forms[form].count * count,
                          json_string_value(json))) {
    shk_message_set(error, "%s: expected %zu hexadecimal digits for each interval", name, each);
    return false;
  }
  if (form == VALUES)
    memcpy(series->time, outcome->series[before].time, count * sizeof(double));
  for (size_t i = 0; form != INTERVALS && i < count; i++)
    series->mean[i] = series->maximum[i] = series->minimum[i];
  return true;
}

static bool read_series(struct shk_outcome *outcome, const json_t *json, struct shk_message *error)
{
  json_t *all = json_object_get(json, "series"), *one;
  size_t index;
  json_array_foreach(all, index, one)
  {
    const char *name = json_string_value(json_object_get(one, "name"));
    const json_t *time = json_object_get(one, "time");
    const size_t count = json_array_size(time);
    int form = 0;
    while (form < FORMS && !json_object_get(one, forms[form].name))
      form++;
    if (!name || count > 1000000) {
      shk_message_set(error, "member \"series\": expected objects with a name and intervals");
      return false;
    }
    if (form < FORMS) {
      if (!read_parts(outcome, name, form, json_object_get(one, forms[form].name), error))
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
  *outcome = (struct shk_outcome){0};
  const bool ok = read_outcome(outcome, json, error);
  if (!ok)
    shk_outcome_clear(outcome);
  return ok;
}

/* ---- records ---- */

json_t *shk_wire_record(const struct shk_record *record)
{
  return shk_wire_record_around(record, shk_wire_outcome(&record->outcome, SHK_PART_ALL));
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
      shk_wire_read_outcome(&record->outcome, json_object_get(json, "outcome"), error);
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

char *shk_wire_line(json_t *owned)
{
  enum { USUAL = 16384 }; /* enough for most records, which are then printed once */
  char *line = shk_reallocate(NULL, USUAL, 1);
  const size_t size = json_dumpb(owned, line, USUAL, JSON_COMPACT);
  size_t written = size;
  if (size + 2 > USUAL) {
    line = shk_reallocate(line, size + 2, 1);
    written = json_dumpb(owned, line, size, JSON_COMPACT);
  }
  json_decref(owned);
  if (size == 0 || written > size)
    shk_out_of_memory();
  line[size] = '\n';
  line[size + 1] = '\0';
  return line;
}

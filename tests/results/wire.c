/*
 * Cells and records as JSON: what is written reads back to the same bits, and what a stranger
 * writes is checked.
 */
#include "results/record/wire.h"
#include "foundation/memory.h"
#include "harness/plan/key.h"
#include "results/record/cell_text.h"
#include "tests/kit/context.h"
#include "tests/kit/store_fixture.h"
#include "tests/kit/tap.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void reals(void)
{
  static const double values[] = {
      0.1, -0.0, 1.0 / 3, 5e-324, 1.7976931348623157e308, INFINITY, -INFINITY, 12345678901234567.0};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    char text[40];
    double back = 1;
    shk_wire_format_real(text, sizeof text, values[i]);
    tap_ok(shk_wire_parse_real(&back, text) && memcmp(&back, &values[i], sizeof back) == 0,
           "%s reads back to the same bits", text);
  }
  char text[40];
  double back = 1;
  shk_wire_format_real(text, sizeof text, -NAN);
  tap_ok(strcmp(text, "nan") == 0 && shk_wire_parse_real(&back, text) && isnan(back),
         "NaN reads back as NaN");
  static const char *const bad[] = {"",         " 1",   "1 ", "one", "1e999",
                                    "infinity", "0.5x", "+1", "NaN"};
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
    tap_ok(!shk_wire_parse_real(&back, bad[i]), "\"%s\" is no number", bad[i]);
}

static void cells(void)
{
  struct shk_cell cell = fixture_cell("0.05"), back;
  struct shk_message error = {""};
  cell.q = shk_copy_text("0.8,0");
  cell.p = shk_copy_text("0,0.6");
  cell.project = true;
  char *line = shk_wire_line(shk_wire_cell(&cell));
  json_t *json = json_loads(line, 0, NULL);
  tap_ok(json && strchr(line, '\n') == line + strlen(line) - 1, "a cell is one line");
  const bool read = shk_wire_read_cell(&back, json, &error);
  tap_ok(read, "a cell reads back %s", error.text);
  char *text = shk_cell_text(&cell), *text_back = read ? shk_cell_text(&back) : NULL;
  tap_is_text(text_back, text, "it is the same cell");
  if (read)
    shk_cell_clear(&back);

  json_object_set_new(json, "step", json_real(0.05));
  tap_ok(!shk_wire_read_cell(&back, json, &error) && strstr(error.text, "step"),
         "a step that is a JSON number is refused: %s", error.text);
  json_object_set_new(json, "step", json_string("0.05"));
  json_object_del(json, "problem");
  tap_ok(!shk_wire_read_cell(&back, json, &error), "a cell without a problem is refused: %s",
         error.text);
  json_decref(json);
  shk_cell_clear(&cell);
  free(text);
  free(text_back);
  free(line);
}

/* What is no digits, and no blob, and one that is damaged; then the member is left out. */
static void refuses_packed(const json_t *record, json_t *outcome, const char *member)
{
  struct shk_record back;
  struct shk_message error = {""};
  char *const text = shk_copy_text(json_string_value(json_object_get(outcome, member)));
  text[strlen(text) / 2] ^= 1;
  const char *const wrong[] = {"0", "0g", "00112233445566", text};
  for (int i = 0; i < 4; i++) {
    json_object_set_new(outcome, member, json_string(wrong[i]));
    tap_ok(!shk_wire_read_record(&back, record, &error), "%s that are none are refused: %s", member,
           error.text);
  }
  json_object_del(outcome, member);
  free(text);
}

static void records(void)
{
  struct shk_record record, back;
  struct shk_message error = {""};
  fixture_record(&record, "0.05", 1);
  char *line = shk_wire_line(shk_wire_record(&record));
  json_t *json = json_loads(line, 0, NULL);
  const bool read = shk_wire_read_record(&back, json, &error);
  tap_ok(read, "a record reads back %s", error.text);
  if (read) {
    tap_ok(back.outcome.sample_count == 0 && back.states.bytes && back.series.bytes,
           "its states and series packed");
    char *const again = shk_wire_line(shk_wire_record(&back));
    tap_is_text(again, line, "it is written as it was");
    free(again);
    tap_ok(isnan(shk_outcome_scalar(&back.outcome, "undefined")) &&
               shk_outcome_scalar(&back.outcome, "endless") == INFINITY,
           "NaN and infinity among its scalars");
    tap_ok(back.end == record.end && back.output_dropped == record.output_dropped &&
               back.seconds == record.seconds && back.limit_seconds == record.limit_seconds &&
               back.limit_megabytes == record.limit_megabytes,
           "and the same circumstances");
    tap_is_text(back.output, record.output, "and the same output");
    shk_record_clear(&back);
  }
  json_t *outcome = json_object_get(json, "outcome");
  struct shk_outcome whole;
  const bool unpacked = shk_wire_read_outcome(&whole, outcome, &error);
  tap_ok(unpacked && fixture_same_outcome(&whole, &record.outcome), "its outcome is the same %s",
         error.text);
  if (unpacked)
    shk_outcome_clear(&whole);
  refuses_packed(json, outcome, "packed-states");
  refuses_packed(json, outcome, "packed-series");
  json_t *const series = json_pack("[{s:s}]", "name", "energy-error"),
                *one = json_array_get(series, 0);
  json_object_set_new(outcome, "series", series);
  static const char *const wrong[] = {
      "0123", "g000000000000000000000000000000000000000000000000000000000000000"};
  for (int i = 0; i < 2; i++) {
    json_object_set_new(one, "intervals", json_string(wrong[i]));
    tap_ok(!shk_wire_read_record(&back, json, &error), "intervals that are none are refused: %s",
           error.text);
  }
  /* As other engines may write them. */
  static const char *const parts[] = {"time", "minimum", "mean", "maximum"};
  json_object_del(one, "intervals");
  for (int i = 0; i < 4; i++)
    json_object_set_new(one, parts[i], json_pack("[s]", i ? "0.25" : "inf"));
  const bool arrays = shk_wire_read_record(&back, json, &error);
  tap_ok(arrays && back.outcome.series[0].count == 1 && isinf(back.outcome.series[0].time[0]) &&
             back.outcome.series[0].maximum[0] == 0.25,
         "series are read from arrays too %s", arrays ? "" : error.text);
  if (arrays)
    shk_record_clear(&back);
  json_array_append_new(json_object_get(one, "mean"), json_string("1"));
  tap_ok(!shk_wire_read_record(&back, json, &error), "series of uneven length are refused: %s",
         error.text);
  json_object_set_new(outcome, "series", json_array());
  json_object_set_new(outcome, "code", json_string("splendid"));
  tap_ok(!shk_wire_read_record(&back, json, &error), "an unknown code is refused: %s", error.text);
  json_object_set_new(json, "outcome", json_array());
  tap_ok(!shk_wire_read_record(&back, json, &error), "an outcome that is no object is refused: %s",
         error.text);
  json_decref(json);
  free(line);
  shk_record_clear(&record);
}

static void bytes(void)
{
  json_t *json = shk_wire_text("a\xff\0b\xc3\xa9\xed\xa0\x80", 9);
  tap_is_text(json_string_value(json), "a\\xff\\x00b\xc3\xa9\\xed\\xa0\\x80",
              "bytes that are not UTF-8 are written out");
  json_decref(json);
}

static void keys(void)
{
  struct shk_cell cell = fixture_cell("0.05");
  struct shk_keys names = {0};
  char key[SHK_HASH_SIZE], other[SHK_HASH_SIZE];
  char *text = shk_cell_text(&cell);
  shk_key_make(&test_context, key, NULL, &cell, text);
  tap_ok(strlen(key) == 32 && strspn(key, "0123456789abcdef") == 32, "a key is 32 digits: %s", key);
  shk_keys_add(&names, "rat", "0123");
  shk_keys_add(&names, "rattle-mine", "4567");
  shk_key_make(&test_context, other, &names, &cell, text);
  tap_is_text(other, key, "a plug-in that the cell does not name is not part of its key");
  shk_keys_add(&names, "rattle", "89ab");
  shk_key_make(&test_context, other, &names, &cell, text);
  tap_ok(strcmp(other, key) != 0, "a plug-in that it names is");
  struct shk_cell finer = fixture_cell("0.025");
  char *finer_text = shk_cell_text(&finer);
  shk_key_make(&test_context, other, NULL, &finer, finer_text);
  tap_ok(strcmp(other, key) != 0, "another step is another key");
  shk_keys_clear(&names);
  shk_cell_clear(&cell);
  shk_cell_clear(&finer);
  free(text);
  free(finer_text);
}

int main(void)
{
  reals();
  cells();
  records();
  bytes();
  keys();
  return tap_done();
}

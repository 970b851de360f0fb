/*
 * Merges stores. See merge.h.
 *
 * If both stores contain a record with the same key, both records are read. Their bytes are
 * compared first; if these differ, the values are compared one by one. Measured times are ignored.
 */
#include "results/store/merge.h"
#include "engine/engine.h"
#include "foundation/memory.h"
#include "measures/quantity.h"
#include "results/record/record_bytes.h"
#include "results/record/stream.h"
#include "results/store/statements.h"
#include "results/store/store_private.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the first difference of two records ---- */

/* Characters that terminate a quantity and its value. They do not occur in any string. */
#define AFTER_QUANTITY "\x1f"
#define AFTER_VALUE "\x1e"

static void print_merge(FILE *out, const char *quantity, const char *value)
{
  fprintf(out, "%s" AFTER_QUANTITY "%s" AFTER_VALUE, quantity, value);
}

/* Prints a number such that different numbers give different strings, and all NaNs give the same
 * string. */
static void print_real(FILE *out, const char *quantity, double value)
{
  char text[32];
  snprintf(text, sizeof text, "%.17g", isnan(value) ? NAN : value);
  print_merge(out, quantity, text);
}

#define PRINT_REAL print_real
#define PRINT_COUNT print_real

struct printing {
  FILE *out;
  const struct shk_outcome *outcome;
};

static char *number_name(const struct shk_outcome *outcome, const struct shk_blob *blob, int i)
{
  if (shk_blob_part(blob->kind) == SHK_PART_STATES)
    return shk_print_text("%s at %s", blob->name,
                          outcome->samples[blob->first + i / blob->columns].time);
  if (strcmp(blob->kind, "ends") == 0)
    return shk_copy_text("end of an interval");
  for (int k = 0; k < outcome->series_count && strcmp(blob->kind, "series") == 0; k++)
    if (strcmp(outcome->series[k].name, blob->name) == 0)
      return shk_print_text("%s until %.17g", blob->name,
                            outcome->series[k].time[i % blob->columns]);
  return shk_copy_text("residual");
}

/* Prints the numbers in a blob, or their hash if this build lacks the blob's precision. Members are
 * not printed here, because they are printed as outcomes. */
static bool print_blob(void *user, struct shk_blob *blob)
{
  const struct printing *const printing = user;
  const int count = blob->rows * blob->columns;
  const size_t size = shk_vector_size(1, blob->bits);
  if (strcmp(blob->kind, "members") == 0)
    return true;
  char *form = shk_print_text("%s %d %d %d", blob->name, blob->first, blob->rows, blob->columns);
  print_merge(printing->out, blob->kind, form);
  free(form);
  shk_little_endian(blob->data, (size_t)count, blob->bits);
  for (int i = 0; i < count; i++) {
    const struct shk_vector number = {1, blob->bits, blob->data + (size_t)i * size};
    char hash[SHK_HASH_SIZE], *const value = shk_vector_text(&number);
    char *const name = number_name(printing->outcome, blob, i);
    shk_hash_bytes(hash, number.values, size);
    print_merge(printing->out, name, value ? value : hash);
    free(name);
    free(value);
  }
  return true;
}

/* Prints the values in an outcome. General values come first, because a different status is more
 * informative than a different digit. */
static void print_outcome(FILE *out, const void *thing)
{
  const struct shk_outcome *const outcome = thing;
  struct printing printing = {out, outcome};
  print_merge(out, "status", shk_code_name(outcome->code));
  print_merge(out, "reason", outcome->reason);
#define OUTCOME_FIELD(type, name, words, ...) PRINT_##type(out, words, outcome->name);
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
  print_real(out, "number of members", outcome->member_count);
  print_real(out, "number of samples", outcome->sample_count);
  for (int i = 0; i < outcome->scalar_count; i++)
    print_real(out, outcome->scalars[i].name, outcome->scalars[i].value);
  for (int i = 0; i < outcome->sample_count; i++)
    print_merge(out, "time of a sample", outcome->samples[i].time);
  shk_blobs_visit(outcome, print_blob, &printing);
  for (int i = 0; i < outcome->member_count; i++)
    print_outcome(out, &outcome->members[i]);
}

/* Finds the first difference between two strings and splits it into the quantity and the two
 * values, all of which are pointers into these strings. Returns false if the strings are equal. */
static bool contrast_merge(struct shk_difference *difference, char *ours, char *theirs)
{
  size_t at = 0, line = 0;
  for (; ours[at] == theirs[at]; at++) {
    if (ours[at] == '\0')
      return false;
    if (ours[at] == *AFTER_VALUE)
      line = at + 1;
  }
  ours += line;
  theirs += line;
  difference->quantity = strsep(&ours, AFTER_QUANTITY);
  strsep(&theirs, AFTER_QUANTITY);
  difference->ours = strsep(&ours, AFTER_VALUE);
  difference->theirs = strsep(&theirs, AFTER_VALUE);
  return true;
}

/* Sets measured times to 0. */
static void forget_clocks(struct shk_outcome *outcome)
{
  for (int i = 0; i < outcome->scalar_count; i++) {
    const enum shk_quantity_kind kind = shk_named_scalar(outcome->scalars[i].name).entry->kind;
    if (kind == SHK_KIND_CLOCK || kind == SHK_KIND_PACE)
      outcome->scalars[i].value = 0;
  }
  for (int i = 0; i < outcome->member_count; i++)
    forget_clocks(&outcome->members[i]);
}

static bool same_bytes(const struct shk_outcome *a, const struct shk_outcome *b)
{
  size_t count, other;
  void *const x = shk_record_bytes(&(struct shk_record){.outcome = *a}, &count);
  void *const y = shk_record_bytes(&(struct shk_record){.outcome = *b}, &other);
  const bool same = count == other && memcmp(x, y, count) == 0;
  free(x);
  free(y);
  return same;
}

/* ---- two stores ---- */

/* The state of a merge of the store `from` into the store `to`. The store `from` is also attached
 * to `to` under the name `theirs`. */
struct copy {
  struct shk_store *to, *from;
  struct shk_merged *merged;
  shk_difference_reader *tell;
  void *user;
};

static bool same_environment(struct copy *copy, long ours, long theirs)
{
  struct shk_message error;
  int64_t same = 0;
#define SAME_true(column) " AND ours." column "=its." column
#define SAME_false(column)
#define PROVENANCE(member, column, environment) SAME_##environment(column)
  static const char sql[] = "SELECT count(*) FROM main.provenance ours, theirs.provenance its "
                            "WHERE ours.id=? AND its.id=?"
#include "results/record/provenance.def"
      ;
#undef PROVENANCE
  return shk_store_number(copy->to, &error, &same, sql, "ll", ours, theirs) && same > 0;
}

/* Reports the first difference between two records of the same cell whose bytes differ. */
static void tell_difference(struct copy *copy, const char *cell, const struct shk_record *ours,
                            const struct shk_record *theirs)
{
  char *const our = shk_printed_text(print_outcome, &ours->outcome);
  char *const their = shk_printed_text(print_outcome, &theirs->outcome);
  struct shk_difference difference = {.cell = cell};
  if (!contrast_merge(&difference, our, their)) {
    copy->merged->same++;
  } else {
    difference.conflict = same_environment(copy, ours->provenance, theirs->provenance);
    copy->merged->conflicts += difference.conflict;
    copy->merged->elsewhere += !difference.conflict;
    if (copy->tell)
      copy->tell(copy->user, &difference);
  }
  free(our);
  free(their);
}

/* Compares finished records for a key that occurs in both stores, and counts the results. */
static bool hold_against(struct copy *copy, const char *key, const char *cell,
                         struct shk_message *error)
{
  struct shk_record *both[2] = {NULL};
  bool ok = shk_store_find(copy->to, &both[0], key, cell, error) &&
            shk_store_find(copy->from, &both[1], key, cell, error);
  if (ok && both[0] && both[1]) {
    forget_clocks(&both[0]->outcome);
    forget_clocks(&both[1]->outcome);
    if (same_bytes(&both[0]->outcome, &both[1]->outcome))
      copy->merged->same++;
    else
      tell_difference(copy, cell, both[0], both[1]);
  } else if (ok) {
    ok = shk_message_set(error, "%s: another cell has the key %s", shk_store_name(copy->to), key);
  }
  shk_record_free(both[0]);
  shk_record_free(both[1]);
  return ok;
}

static bool compare_merge(struct copy *copy, struct shk_message *error)
{
  sqlite3_stmt *const select =
      shk_store_ask(copy->to, error,
                    "SELECT key, theirs.cells.cell FROM theirs.cells JOIN main.cells USING(key) "
                    "WHERE theirs.cells.ending=0 AND main.cells.ending=0 ORDER BY theirs.cells.id",
                    "");
  bool ok = true;
  while (ok && shk_store_next(copy->to, select, &ok, error)) {
    const char *key, *cell;
    shk_store_row(copy->to, select, "cc", &key, &cell);
    ok = hold_against(copy, key, cell, error);
  }
  sqlite3_reset(select);
  return ok;
}

static const char copy_new[] =
#include "merge_sql.h"
    ;

/* Removes unfinished records for which the other store contains finished ones, and then copies all
 * new records and studies. */
static bool take_new(struct copy *copy, struct shk_message *error)
{
  struct shk_merged *const merged = copy->merged;
  const long before = shk_store_record_count(copy->to);
  int64_t studies = 0, kept = 0;
  if (!shk_store_number(copy->to, error, &kept,
                        "SELECT count(*) FROM theirs.cells JOIN main.cells USING(key) "
                        "WHERE theirs.cells.ending<>0",
                        "") ||
      !shk_store_number(copy->to, error, &studies,
                        "SELECT count(*) FROM theirs.studies its JOIN main.studies ours "
                        "USING(name) WHERE its.text<>ours.text",
                        "") ||
      !shk_store_run(copy->to, error,
                     "DELETE FROM main.cells WHERE ending<>0 AND key IN (SELECT key FROM "
                     "theirs.cells WHERE ending=0)",
                     ""))
    return false;
  merged->studies += (int)studies;
  merged->kept += kept;
  merged->finished += before - shk_store_record_count(copy->to);
  if (!shk_store_execute(copy->to, copy_new, error))
    return false;
  merged->added += shk_store_record_count(copy->to) - before;
  return true;
}

bool shk_store_merge(struct shk_store *store, struct shk_store *from, struct shk_merged *merged,
                     shk_difference_reader *tell, void *user, struct shk_message *error)
{
  struct copy copy = {.to = store, .from = from, .merged = merged, .tell = tell, .user = user};
  if (!shk_store_verify(from, error) ||
      !shk_store_run(store, error, "ATTACH ? AS theirs", "t", from->path))
    return false;
  bool ok = shk_store_begin(store, error);
  ok = ok && shk_store_end(store, compare_merge(&copy, error) && take_new(&copy, error), error);
  sqlite3_exec(store->database, "DETACH theirs", NULL, NULL, NULL);
  return ok;
}

/*
 * Joining stores. See merge.h.
 *
 * A record whose key is in both stores is read from both. Their bytes are compared, and if these
 * differ their values one by one; measured seconds are ignored.
 */
#include "results/store/merge.h"
#include "engine/engine.h"
#include "foundation/index.h"
#include "foundation/memory.h"
#include "measures/quantity.h"
#include "results/record/record_bytes.h"
#include "results/store/statements.h"
#include "results/store/store_private.h"
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the first difference of two records ---- */

/* Prints a text and the character `end`; control characters become blanks, since they could be
 * mistaken for `end`. */
static void print_part(FILE *out, const char *text, char end)
{
  for (; *text; text++)
    putc(iscntrl((unsigned char)*text) ? ' ' : *text, out);
  putc(end, out);
}

static void print(FILE *out, const char *quantity, const char *value)
{
  print_part(out, quantity, '\t');
  print_part(out, value, '\n');
}

/* Prints a number so that different numbers have different texts and all NaNs the same one. */
static void print_real(FILE *out, const char *quantity, double value)
{
  char text[32];
  snprintf(text, sizeof text, "%.17g", isnan(value) ? NAN : value);
  print(out, quantity, text);
}

#define PRINT_REAL print_real
#define PRINT_COUNT print_real

static void print_core(FILE *out, const struct shk_outcome *outcome)
{
  print(out, "status", shk_code_name(outcome->code));
  print(out, "reason", outcome->reason);
#define OUTCOME_FIELD(type, name, words, ...) PRINT_##type(out, words, outcome->name);
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
  print_real(out, "number of members", outcome->member_count);
  print_real(out, "length of the history", outcome->history_count);
  for (int i = 0; i < outcome->history_count; i++)
    print_real(out, "residual", outcome->history[i]);
  print_real(out, "number of scalars", outcome->scalar_count);
  for (int i = 0; i < outcome->scalar_count; i++) {
    print(out, "name of a scalar", outcome->scalars[i].name);
    print_real(out, outcome->scalars[i].name, outcome->scalars[i].value);
  }
}

/* Numbers of a precision that this build lacks are compared by their hash. */
static void print_block(FILE *out, const struct shk_block *block, const char *time)
{
  const struct shk_vector *const vector = &block->vector;
  char hash[SHK_HASH_SIZE], *const text = shk_vector_text(vector);
  char *const quantity = shk_print_text("%s at %s", block->name, time);
  shk_hash_bytes(hash, vector->values, shk_vector_size(vector->count, vector->bits));
  print(out, "name of a block", block->name);
  print(out, quantity, text ? text : hash);
  free(quantity);
  free(text);
}

static void print_samples(FILE *out, const struct shk_outcome *outcome)
{
  print_real(out, "number of samples", outcome->sample_count);
  for (int i = 0; i < outcome->sample_count; i++) {
    const struct shk_sample *const sample = &outcome->samples[i];
    print(out, "time of a sample", sample->time);
    print_real(out, "number of blocks", sample->block_count);
    for (int j = 0; j < sample->block_count; j++)
      print_block(out, &sample->blocks[j], sample->time);
  }
}

static void print_series(FILE *out, const struct shk_outcome *outcome)
{
  print_real(out, "number of series", outcome->series_count);
  for (int i = 0; i < outcome->series_count; i++) {
    const struct shk_series *const series = &outcome->series[i];
    print(out, "name of a series", series->name);
    print_real(out, "length of a series", series->count);
    for (int j = 0; j < series->count; j++) {
      char *const quantity = shk_print_text("%s until %.17g", series->name, series->time[j]);
      print_real(out, "time of an interval", series->time[j]);
      print_real(out, quantity, series->minimum[j]);
      print_real(out, quantity, series->mean[j]);
      print_real(out, quantity, series->maximum[j]);
      free(quantity);
    }
  }
}

/* Prints an outcome, one line "QUANTITY\tVALUE" each, general values first: a different status is
 * more informative than a different digit. Lines are equal up to the first difference. */
static void print_outcome(FILE *out, const void *thing)
{
  const struct shk_outcome *const outcome = thing;
  print_core(out, outcome);
  print_samples(out, outcome);
  print_series(out, outcome);
  for (int i = 0; i < outcome->member_count; i++)
    print_outcome(out, &outcome->members[i]);
}

/* Splits the first line that differs into its quantity and both values, which point into the texts;
 * false if the texts are equal. */
static bool contrast(struct shk_difference *difference, char *ours, char *theirs)
{
  size_t at = 0, line = 0;
  for (; ours[at] == theirs[at]; at++) {
    if (ours[at] == '\0')
      return false;
    if (ours[at] == '\n')
      line = at + 1;
  }
  ours += line;
  theirs += line;
  difference->quantity = strsep(&ours, "\t");
  strsep(&theirs, "\t");
  difference->ours = strsep(&ours, "\n");
  difference->theirs = strsep(&theirs, "\n");
  return true;
}

/* Sets measured times to 0. */
static void forget_clocks(struct shk_outcome *outcome)
{
  for (int i = 0; i < outcome->scalar_count; i++)
    if (shk_named_scalar(outcome->scalars[i].name).entry->kind == SHK_KIND_CLOCK)
      outcome->scalars[i].value = 0;
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

/* ---- environments ---- */

static bool same_environment(struct shk_store *store, long row, struct shk_store *from, long other)
{
  struct shk_provenance a, b;
  struct shk_message error;
  const bool ok = shk_store_provenance(store, &a, row, &error);
  const bool its = shk_store_provenance(from, &b, other, &error);
  bool same = ok && its;
  for (int i = 0; same && i < SHK_PROVENANCE_TEXTS; i++)
    same = !shk_provenance_texts[i].environment ||
           strcmp(*shk_provenance_text(&a, i), *shk_provenance_text(&b, i)) == 0;
  shk_provenance_clear(&a);
  shk_provenance_clear(&b);
  return same;
}

/* ---- copying ---- */

struct copy {
  struct shk_store *to, *from;
  struct shk_index rows; /* rows of provenance copied so far */
  long *mapped;          /* new row numbers, by index of the old one */
  struct shk_merged *merged;
  shk_difference_reader *tell;
  void *user;
};

static bool map_provenance(struct copy *copy, long *row, struct shk_message *error)
{
  if (*row <= 0)
    return true;
  const int known = copy->rows.count, number = shk_index_number(&copy->rows, "%ld", *row);
  if (number == known) {
    struct shk_provenance provenance;
    copy->mapped = shk_grow(copy->mapped, (size_t)number, sizeof *copy->mapped);
    if (!shk_store_provenance(copy->from, &provenance, *row, error))
      return false;
    copy->mapped[number] = shk_store_add_provenance(copy->to, &provenance, error);
    shk_provenance_clear(&provenance);
  }
  *row = copy->mapped[number];
  return *row > 0;
}

/* Copies a record in place of one with the same key. */
static bool copy_record(struct copy *copy, const char *key, const char *cell,
                        struct shk_message *error)
{
  struct shk_record *record;
  if (!shk_store_find(copy->from, &record, key, cell, error))
    return false;
  const bool ok = !record || (map_provenance(copy, &record->provenance, error) &&
                              shk_store_insert(copy->to, record, cell, error));
  if (record)
    shk_record_clear(record);
  free(record);
  return ok;
}

/* Reports the first difference of two records of a cell whose bytes differ. */
static void tell_difference(struct copy *copy, const char *cell, const struct shk_record *ours,
                            const struct shk_record *theirs)
{
  char *const our = shk_printed_text(print_outcome, &ours->outcome), *const their =
                                                                         shk_printed_text(
                                                                             print_outcome,
                                                                             &theirs->outcome);
  struct shk_difference difference = {.cell = cell};
  if (!contrast(&difference, our, their)) {
    copy->merged->same++;
  } else {
    difference.conflict =
        same_environment(copy->to, ours->provenance, copy->from, theirs->provenance);
    copy->merged->conflicts += difference.conflict;
    copy->merged->elsewhere += !difference.conflict;
    if (copy->tell)
      copy->tell(copy->user, &difference);
  }
  free(our);
  free(their);
}

/* Compares two finished records of one key, one in each store. */
static bool hold_against(struct copy *copy, const char *key, const char *cell,
                         struct shk_message *error)
{
  struct shk_record *both[2] = {NULL};
  const bool ok = shk_store_find(copy->to, &both[0], key, cell, error) &&
                  shk_store_find(copy->from, &both[1], key, cell, error);
  if (ok && both[0] && both[1]) {
    forget_clocks(&both[0]->outcome);
    forget_clocks(&both[1]->outcome);
    if (same_bytes(&both[0]->outcome, &both[1]->outcome))
      copy->merged->same++;
    else
      tell_difference(copy, cell, both[0], both[1]);
  }
  for (int i = 0; i < 2; i++) {
    if (both[i])
      shk_record_clear(both[i]);
    free(both[i]);
  }
  return ok;
}

static bool take_record(struct copy *copy, const char *key, const char *cell, bool finished,
                        struct shk_message *error)
{
  struct shk_stored stored;
  if (!shk_store_look(copy->to, &stored, key, cell, error))
    return false;
  if (!stored.found) {
    copy->merged->added++;
    return copy_record(copy, key, cell, error);
  }
  if (!finished) {
    copy->merged->kept++;
    return true;
  }
  if (stored.end == SHK_END_FINISHED)
    return hold_against(copy, key, cell, error);
  copy->merged->finished++;
  return copy_record(copy, key, cell, error);
}

static bool take_records(struct copy *copy, struct shk_message *error)
{
  sqlite3_stmt *const select =
      shk_store_ask(copy->from, error, "SELECT key, cell, ending FROM cells ORDER BY id", "");
  bool ok = true;
  while (ok && shk_store_next(copy->from, select, &ok, error)) {
    const char *key, *cell;
    int ending;
    shk_store_row(copy->from, select, "cci", &key, &cell, &ending);
    ok = take_record(copy, key, cell, ending == SHK_END_FINISHED, error);
  }
  sqlite3_reset(select);
  return ok;
}

static const char *text_of(const struct shk_stored_study *studies, int count, const char *name)
{
  for (int i = 0; i < count; i++)
    if (strcmp(studies[i].name, name) == 0)
      return studies[i].text;
  return NULL;
}

static bool copy_answers(struct copy *copy, const char *study, struct shk_message *error)
{
  struct shk_stored_answer *answers;
  int count;
  const bool ok = shk_store_answers(copy->from, &answers, &count, study, error) &&
                  shk_store_put_answers(copy->to, study, answers, count, error);
  shk_stored_answers_free(answers, count);
  return ok;
}

static bool take_studies(struct copy *copy, struct shk_message *error)
{
  struct shk_stored_study *ours = NULL, *theirs = NULL;
  int count = 0, their_count = 0;
  bool ok = shk_store_studies(copy->to, &ours, &count, error) &&
            shk_store_studies(copy->from, &theirs, &their_count, error);
  for (int i = 0; ok && i < their_count; i++) {
    const char *text = text_of(ours, count, theirs[i].name);
    if (text)
      copy->merged->studies += strcmp(text, theirs[i].text) != 0;
    else
      ok = shk_store_add_study(copy->to, theirs[i].name, theirs[i].path, theirs[i].text, error) &&
           copy_answers(copy, theirs[i].name, error);
  }
  shk_stored_studies_free(ours, count);
  shk_stored_studies_free(theirs, their_count);
  return ok;
}

bool shk_store_merge(struct shk_store *store, struct shk_store *from, struct shk_merged *merged,
                     shk_difference_reader *tell, void *user, struct shk_message *error)
{
  struct copy copy = {.to = store, .from = from, .merged = merged, .tell = tell, .user = user};
  *merged = (struct shk_merged){0};
  if (!shk_store_begin(store, error))
    return false;
  const bool ok = take_records(&copy, error) && take_studies(&copy, error);
  free(copy.mapped);
  shk_index_clear(&copy.rows);
  return shk_store_end(store, ok, error);
}

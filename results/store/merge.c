/*
 * Joining stores. See merge.h.
 *
 * A record whose key the store has is read on both sides. Their bytes are compared, and where these
 * differ what both say, value by value; seconds of the machine do not count.
 */
#include "results/store/merge.h"
#include "engine/engine.h"
#include "foundation/memory.h"
#include "measures/quantity.h"
#include "results/record/record_bytes.h"
#include "results/store/statements.h"
#include "results/store/store_findings.h"
#include "results/store/store_private.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the first difference of two records ---- */

/* What an outcome says, under its quantities, in an order that is the same for all. */
struct fact {
  char *quantity, *value;
};

struct facts {
  int count;
  struct fact *all;
};

/* Takes both texts over. */
static void add(struct facts *facts, char *quantity, char *value)
{
  facts->all = shk_grow(facts->all, (size_t)facts->count, sizeof *facts->all);
  facts->all[facts->count++] = (struct fact){quantity, value};
}

static void add_text(struct facts *facts, const char *quantity, const char *value)
{
  add(facts, shk_copy_text(quantity), shk_copy_text(value));
}

/* A text that differs for any two numbers, and is the same for every NaN. */
static char *real_text(double value)
{
  return isnan(value) ? shk_copy_text("nan") : shk_print_text("%.17g", value);
}

static void add_real(struct facts *facts, const char *quantity, double value)
{
  add(facts, shk_copy_text(quantity), real_text(value));
}

static void clear_fact(struct fact *fact)
{
  free(fact->quantity);
  free(fact->value);
}

static void clear_facts(struct facts *facts)
{
  for (int i = 0; i < facts->count; i++)
    clear_fact(&facts->all[i]);
  free(facts->all);
}

#define ADD_REAL add_real
#define ADD_COUNT add_real

/* From the coarse to the fine: a status says more than a digit. */
static void add_core(struct facts *facts, const struct shk_outcome *outcome)
{
  add_text(facts, "status", shk_code_name(outcome->code));
  add_text(facts, "reason", outcome->reason);
#define OUTCOME_FIELD(type, name, words, ...) ADD_##type(facts, words, outcome->name);
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
  add_real(facts, "number of members", outcome->member_count);
  add_real(facts, "length of the history", outcome->history_count);
  for (int i = 0; i < outcome->history_count; i++)
    add_real(facts, "residual", outcome->history[i]);
  add_real(facts, "number of scalars", outcome->scalar_count);
  for (int i = 0; i < outcome->scalar_count; i++) {
    add_text(facts, "name of a scalar", outcome->scalars[i].name);
    add_real(facts, outcome->scalars[i].name, outcome->scalars[i].value);
  }
}

/* Numbers of a precision that this build lacks are told apart by their hash. */
static char *vector_text(const struct shk_vector *vector)
{
  char hash[SHK_HASH_SIZE], *const text = shk_vector_text(vector);
  if (text)
    return text;
  shk_hash_bytes(hash, vector->values, shk_vector_size(vector->count, vector->bits));
  return shk_print_text("%d numbers of %d bits with the hash %s", vector->count, vector->bits,
                        hash);
}

static void add_samples(struct facts *facts, const struct shk_outcome *outcome)
{
  add_real(facts, "number of samples", outcome->sample_count);
  for (int i = 0; i < outcome->sample_count; i++) {
    const struct shk_sample *const sample = &outcome->samples[i];
    add_text(facts, "time of a sample", sample->time);
    add_real(facts, "number of blocks", sample->block_count);
    for (int j = 0; j < sample->block_count; j++) {
      const struct shk_block *const block = &sample->blocks[j];
      add_text(facts, "name of a block", block->name);
      add(facts, shk_print_text("%s at %s", block->name, sample->time),
          vector_text(&block->vector));
    }
  }
}

static void add_series(struct facts *facts, const struct shk_outcome *outcome)
{
  add_real(facts, "number of series", outcome->series_count);
  for (int i = 0; i < outcome->series_count; i++) {
    const struct shk_series *const series = &outcome->series[i];
    add_text(facts, "name of a series", series->name);
    add(facts, shk_print_text("length of series %s", series->name), real_text(series->count));
    for (int j = 0; j < series->count; j++) {
      const double values[] = {series->minimum[j], series->mean[j], series->maximum[j]};
      add_real(facts, "time of an interval", series->time[j]);
      for (int k = 0; k < 3; k++) {
        char *const time = real_text(series->time[j]);
        add(facts, shk_print_text("%s until %s", series->name, time), real_text(values[k]));
        free(time);
      }
    }
  }
}

/* Finds the first quantity of two outcomes that differs; the caller frees its texts. */
static bool contrast(struct fact *ours, struct fact *theirs, const struct shk_outcome *a,
                     const struct shk_outcome *b)
{
  static void (*const parts[])(struct facts *, const struct shk_outcome *) = {add_core, add_samples,
                                                                              add_series};
  bool found = false;
  for (size_t i = 0; !found && i < sizeof parts / sizeof parts[0]; i++) {
    struct facts x = {0}, y = {0};
    parts[i](&x, a);
    parts[i](&y, b);
    for (int k = 0; !found && k < x.count && k < y.count; k++)
      if (strcmp(x.all[k].value, y.all[k].value) != 0) {
        found = true;
        *ours = x.all[k];
        *theirs = y.all[k];
        x.all[k] = y.all[k] = (struct fact){NULL, NULL};
      }
    clear_facts(&x);
    clear_facts(&y);
  }
  for (int i = 0; !found && i < a->member_count; i++)
    found = contrast(ours, theirs, &a->members[i], &b->members[i]);
  return found;
}

/* Sets what only a clock can say to 0. */
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
  long *mapped; /* old provenance row -> new row, 0 if not copied yet */
  long mapped_count;
  struct shk_merged *merged;
  shk_difference_reader *tell;
  void *user;
};

static bool map_provenance(struct copy *copy, long *row, struct shk_message *error)
{
  if (*row <= 0)
    return true;
  if (*row >= copy->mapped_count) {
    /* Rows are numbered from 1 without gaps in a store of ours; a stranger's number is not a size
     * to trust. */
    if (*row > 1000000) {
      shk_message_set(error, "%s: provenance row %ld is out of range",
                      copy->from->path ? copy->from->path : "store", *row);
      return false;
    }
    copy->mapped = shk_reallocate(copy->mapped, (size_t)*row + 1, sizeof *copy->mapped);
    memset(copy->mapped + copy->mapped_count, 0,
           (size_t)(*row + 1 - copy->mapped_count) * sizeof *copy->mapped);
    copy->mapped_count = *row + 1;
  }
  if (!copy->mapped[*row]) {
    struct shk_provenance provenance;
    if (!shk_store_provenance(copy->from, &provenance, *row, error))
      return false;
    copy->mapped[*row] = shk_store_add_provenance(copy->to, &provenance, error);
    shk_provenance_clear(&provenance);
  }
  *row = copy->mapped[*row];
  return *row > 0;
}

/* In place of one with the same key. */
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

/* Both stores have a finished record of the key. */
static bool hold_against(struct copy *copy, const char *key, const char *cell,
                         struct shk_message *error)
{
  struct shk_record *ours = NULL, *theirs = NULL;
  struct fact our = {0}, their = {0};
  const bool ok = shk_store_find(copy->to, &ours, key, cell, error) &&
                  shk_store_find(copy->from, &theirs, key, cell, error);
  if (ok && ours && theirs) {
    forget_clocks(&ours->outcome);
    forget_clocks(&theirs->outcome);
    if (same_bytes(&ours->outcome, &theirs->outcome) ||
        !contrast(&our, &their, &ours->outcome, &theirs->outcome)) {
      copy->merged->same++;
    } else {
      const bool conflict =
          same_environment(copy->to, ours->provenance, copy->from, theirs->provenance);
      const struct shk_difference difference = {cell, our.quantity, our.value, their.value,
                                                conflict};
      copy->merged->conflicts += conflict;
      copy->merged->elsewhere += !conflict;
      if (copy->tell)
        copy->tell(copy->user, &difference);
    }
  }
  clear_fact(&our);
  clear_fact(&their);
  struct shk_record *const both[] = {ours, theirs};
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
      shk_store_ask(copy->from, "SELECT key, cell, ending FROM cells ORDER BY id", NULL, error);
  bool ok = true;
  while (ok && shk_store_next(copy->from, select, &ok, error))
    ok = take_record(copy, shk_store_column(select, 0), shk_store_column(select, 1),
                     sqlite3_column_int(select, 2) == SHK_END_FINISHED, error);
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
  if (!shk_store_answers(copy->from, &answers, &count, study, error))
    return false;
  const bool ok = shk_store_put_answers(copy->to, study, answers, count, error);
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
  if (!shk_store_execute(store, "BEGIN IMMEDIATE", error))
    return false;
  const bool ok = shk_store_forget_findings(store, error) && take_records(&copy, error) &&
                  take_studies(&copy, error);
  free(copy.mapped);
  return shk_store_end(store, ok, error);
}

/*
 * Joining stores. See merge.h.
 *
 * A record whose key the store has is read on both sides and compared value by value, bit by bit;
 * seconds of the machine do not count.
 */
#include "results/store/merge.h"
#include "engine/engine.h"
#include "foundation/memory.h"
#include "measures/quantity.h"
#include "results/store/store_findings.h"
#include "results/store/store_private.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the first difference of two records ---- */

struct contrast {
  char quantity[160];
  char *ours, *theirs;
};

static bool contrast_texts(struct contrast *contrast, const char *quantity, const char *ours,
                           const char *theirs)
{
  if (strcmp(ours, theirs) == 0)
    return false;
  snprintf(contrast->quantity, sizeof contrast->quantity, "%s", quantity);
  contrast->ours = shk_copy_text(ours);
  contrast->theirs = shk_copy_text(theirs);
  return true;
}

/* At least 32 bytes of text, which differ for any two numbers. */
static void print_real(char *text, size_t size, double value)
{
  if (isnan(value))
    snprintf(text, size, "nan");
  else
    snprintf(text, size, "%.17g", value);
}

/* As text, which differs for any two numbers, and the same for every NaN. */
static bool contrast_reals(struct contrast *contrast, const char *quantity, double ours,
                           double theirs)
{
  char a[32], b[32];
  print_real(a, sizeof a, ours);
  print_real(b, sizeof b, theirs);
  return contrast_texts(contrast, quantity, a, b);
}

/* Bit by bit; as text if they differ. */
static bool contrast_vectors(struct contrast *contrast, const char *quantity,
                             const struct shk_vector *ours, const struct shk_vector *theirs)
{
  if (ours->count == theirs->count && ours->bits == theirs->bits &&
      memcmp(ours->values, theirs->values, shk_vector_size(ours->count, ours->bits)) == 0)
    return false;
  snprintf(contrast->quantity, sizeof contrast->quantity, "%s", quantity);
  contrast->ours = shk_vector_text(ours);
  contrast->theirs = shk_vector_text(theirs);
  if (!contrast->ours || !contrast->theirs) { /* of a precision that this build lacks */
    free(contrast->ours);
    free(contrast->theirs);
    contrast->ours = shk_copy_text("some numbers");
    contrast->theirs = shk_copy_text("others");
  }
  return true;
}

static bool contrast_counts(struct contrast *contrast, const char *quantity, int ours, int theirs)
{
  return ours != theirs && contrast_reals(contrast, quantity, ours, theirs);
}

static bool is_of_the_clock(const char *name)
{
  return shk_named_scalar(name).entry->kind == SHK_KIND_CLOCK;
}

static bool contrast_scalars(struct contrast *contrast, const struct shk_outcome *a,
                             const struct shk_outcome *b)
{
  if (contrast_counts(contrast, "number of scalars", a->scalar_count, b->scalar_count))
    return true;
  for (int i = 0; i < a->scalar_count; i++)
    if (contrast_texts(contrast, "name of a scalar", a->scalars[i].name, b->scalars[i].name) ||
        (!is_of_the_clock(a->scalars[i].name) &&
         contrast_reals(contrast, a->scalars[i].name, a->scalars[i].value, b->scalars[i].value)))
      return true;
  return false;
}

static bool contrast_samples(struct contrast *contrast, const struct shk_outcome *a,
                             const struct shk_outcome *b)
{
  char name[128];
  if (contrast_counts(contrast, "number of samples", a->sample_count, b->sample_count))
    return true;
  for (int i = 0; i < a->sample_count; i++) {
    const struct shk_sample *x = &a->samples[i], *y = &b->samples[i];
    if (contrast_texts(contrast, "time of a sample", x->time, y->time) ||
        contrast_counts(contrast, "number of blocks", x->block_count, y->block_count))
      return true;
    for (int j = 0; j < x->block_count; j++) {
      snprintf(name, sizeof name, "%s at %s", x->blocks[j].name, x->time);
      if (contrast_texts(contrast, "name of a block", x->blocks[j].name, y->blocks[j].name) ||
          contrast_vectors(contrast, name, &x->blocks[j].vector, &y->blocks[j].vector))
        return true;
    }
  }
  return false;
}

static bool contrast_series(struct contrast *contrast, const struct shk_outcome *a,
                            const struct shk_outcome *b)
{
  char name[128], at[32];
  if (contrast_counts(contrast, "number of series", a->series_count, b->series_count))
    return true;
  for (int i = 0; i < a->series_count; i++) {
    const struct shk_series *x = &a->series[i], *y = &b->series[i];
    snprintf(name, sizeof name, "length of series %s", x->name);
    if (contrast_texts(contrast, "name of a series", x->name, y->name) ||
        contrast_counts(contrast, name, x->count, y->count))
      return true;
    for (int j = 0; j < x->count; j++) {
      print_real(at, sizeof at, x->time[j]);
      snprintf(name, sizeof name, "%s until %s", x->name, at);
      if (contrast_reals(contrast, "time of an interval", x->time[j], y->time[j]) ||
          contrast_reals(contrast, name, x->minimum[j], y->minimum[j]) ||
          contrast_reals(contrast, name, x->mean[j], y->mean[j]) ||
          contrast_reals(contrast, name, x->maximum[j], y->maximum[j]))
        return true;
    }
  }
  return false;
}

#define CONTRAST_REAL contrast_reals
#define CONTRAST_COUNT contrast_counts

/* From the coarse to the fine: a status says more than a digit. */
static bool contrast_outcomes(struct contrast *contrast, const struct shk_outcome *x,
                              const struct shk_outcome *y)
{
  if (contrast_texts(contrast, "status", shk_code_name(x->code), shk_code_name(y->code)) ||
      contrast_texts(contrast, "reason", x->reason, y->reason) ||
#define OUTCOME_FIELD(type, name, words, ...) CONTRAST_##type(contrast, words, x->name, y->name) ||
#include "foundation/specifications/outcome.def"
#undef OUTCOME_FIELD
      contrast_counts(contrast, "length of the history", x->history_count, y->history_count))
    return true;
  for (int i = 0; i < x->history_count; i++)
    if (contrast_reals(contrast, "residual", x->history[i], y->history[i]))
      return true;
  return contrast_scalars(contrast, x, y) || contrast_samples(contrast, x, y) ||
         contrast_series(contrast, x, y);
}

/* Both have finished. */
static bool contrast_records(struct contrast *contrast, const struct shk_record *a,
                             const struct shk_record *b)
{
  const struct shk_outcome *x = &a->outcome, *y = &b->outcome;
  if (contrast_outcomes(contrast, x, y) ||
      contrast_counts(contrast, "number of members", x->member_count, y->member_count))
    return true;
  for (int i = 0; i < x->member_count; i++)
    if (contrast_outcomes(contrast, &x->members[i], &y->members[i]))
      return true;
  return false;
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
  struct contrast contrast = {.ours = NULL};
  const bool ok = shk_store_find(copy->to, &ours, key, cell, error) &&
                  shk_store_find(copy->from, &theirs, key, cell, error);
  if (ok && ours && theirs) {
    if (!contrast_records(&contrast, ours, theirs)) {
      copy->merged->same++;
    } else {
      const bool conflict =
          same_environment(copy->to, ours->provenance, copy->from, theirs->provenance);
      const struct shk_difference difference = {cell, contrast.quantity, contrast.ours,
                                                contrast.theirs, conflict};
      copy->merged->conflicts += conflict;
      copy->merged->elsewhere += !conflict;
      if (copy->tell)
        copy->tell(copy->user, &difference);
    }
  }
  free(contrast.ours);
  free(contrast.theirs);
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
  sqlite3_stmt *select =
      shk_store_prepare(copy->from, "SELECT key, cell, ending FROM cells ORDER BY id", error);
  bool ok = select;
  int code = SQLITE_DONE;
  while (ok && (code = sqlite3_step(select)) == SQLITE_ROW)
    ok = take_record(copy, shk_store_column(select, 0), shk_store_column(select, 1),
                     sqlite3_column_int(select, 2) == SHK_END_FINISHED, error);
  if (ok && code != SQLITE_DONE)
    ok = shk_store_failed(copy->from, error);
  sqlite3_finalize(select);
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
                  take_studies(&copy, error) && shk_store_execute(store, "COMMIT", error);
  free(copy.mapped);
  if (!ok)
    sqlite3_exec(store->database, "ROLLBACK", NULL, NULL, NULL);
  return ok;
}

/*
 * Merging stores: what is new comes along with its provenance and studies; of two records of one
 * cell the right one stays; a difference is told with both values, and is a conflict only where the
 * environments are equal.
 */
#include "results/store/merge.h"
#include "foundation/memory.h"
#include "tests/kit/store_fixture.h"
#include <unistd.h>

static char folder[] = "/tmp/shakedown-merge-XXXXXX";

/* The last difference that was told. */
struct heard {
  int count;
  char cell[256], quantity[160], ours[512], theirs[512];
  bool conflict;
};

static void hear(void *user, const struct shk_difference *difference)
{
  struct heard *heard = user;
  heard->count++;
  snprintf(heard->cell, sizeof heard->cell, "%s", difference->cell);
  snprintf(heard->quantity, sizeof heard->quantity, "%s", difference->quantity);
  snprintf(heard->ours, sizeof heard->ours, "%s", difference->ours);
  snprintf(heard->theirs, sizeof heard->theirs, "%s", difference->theirs);
  heard->conflict = difference->conflict;
}

static struct shk_store *in_memory(void)
{
  struct shk_message error = {""};
  struct shk_store *store = shk_store_open(NULL, SHK_STORE_WRITE, &error);
  if (!store)
    tap_diag("%s", error.text);
  return store;
}

/* A new store that can be merged into another: a file. */
static struct shk_store *in_file(void)
{
  struct shk_message error = {""};
  TEXT path = shk_print_text("%s/its.db", folder);
  unlink(path);
  struct shk_store *const store = shk_store_open(path, SHK_STORE_WRITE, &error);
  if (!store)
    tap_diag("%s", error.text);
  return store;
}

static void close_both(struct shk_store *one, struct shk_store *two)
{
  struct shk_message error;
  shk_store_close(one, &error);
  shk_store_close(two, &error);
}

/* A row of provenance; `compiler` NULL: this program's. */
static long provenance(struct shk_store *store, const char *compiler)
{
  struct shk_message error = {""};
  struct shk_provenance here;
  shk_provenance_collect(&here, "", "a study");
  if (compiler) {
    free(here.compiler);
    here.compiler = shk_copy_text(compiler);
  }
  free(here.date); /* when it was is no part of an environment */
  here.date = shk_copy_text(compiler ? "2026-01-01T00:00:00Z" : "2026-01-02T00:00:00Z");
  const long row = shk_store_add_provenance(store, &here, &error);
  shk_provenance_clear(&here);
  return row;
}

static bool put(struct shk_store *store, const struct shk_record *record)
{
  struct shk_message error = {""};
  const bool ok = fixture_put(store, record, &error);
  if (!ok)
    tap_diag("%s", error.text);
  return ok;
}

/* The made-up record of the step; its energy-error-max is salt/3. */
static bool put_made(struct shk_store *store, const char *step, double salt, long row)
{
  struct shk_record record;
  fixture_record(&record, step, salt);
  record.provenance = row;
  const bool ok = put(store, &record);
  shk_record_clear(&record);
  return ok;
}

/* What the store has of the step; NaN if nothing. */
static double salt_of(struct shk_store *store, const char *step)
{
  struct shk_record record, *found;
  struct shk_message error = {""};
  fixture_record(&record, step, 0);
  char *text = shk_cell_text(&record.cell);
  double salt = NAN;
  if (shk_store_find(store, &found, record.key, text, &error) && found) {
    salt = 3 * shk_outcome_scalar(&found->outcome, "energy-error-max");
    shk_record_clear(found);
    free(found);
  }
  free(text);
  shk_record_clear(&record);
  return salt;
}

static bool merge(struct shk_store *one, struct shk_store *two, struct shk_merged *merged,
                  struct heard *heard)
{
  struct shk_message error = {""};
  *heard = (struct heard){0};
  *merged = (struct shk_merged){0};
  const bool ok = shk_store_merge(one, two, merged, hear, heard, &error);
  if (!ok)
    tap_diag("%s", error.text);
  return ok;
}

/* ---- what is new ---- */

static void new_records(void)
{
  struct shk_message error = {""};
  struct shk_merged merged = {0};
  struct heard heard;
  struct shk_store *one = in_memory(), *two = in_file();
  provenance(two, "unused");
  const long row = provenance(two, "the other's");
  tap_ok(put_made(one, "0.1", 1, 0) && put_made(two, "0.05", 2, row) &&
             put_made(two, "0.025", 3, row) && shk_store_add_study(two, "two", "", "t", &error) &&
             shk_store_add_study(one, "both", "", "a", &error) &&
             shk_store_add_study(two, "both", "", "b", &error),
         "two stores");
  tap_ok(merge(one, two, &merged, &heard) && merged.added == 2 && heard.count == 0,
         "what is new is added");
  tap_ok(salt_of(one, "0.1") == 1 && salt_of(one, "0.05") == 2 && salt_of(one, "0.025") == 3,
         "whole, beside what was there");
  struct shk_record record, *found = NULL;
  fixture_record(&record, "0.05", 2);
  char *text = shk_cell_text(&record.cell);
  struct shk_provenance back = {0};
  tap_ok(shk_store_find(one, &found, record.key, text, &error) && found &&
             fixture_same_outcome(&found->outcome, &record.outcome) &&
             shk_store_provenance(one, &back, found->provenance, &error) &&
             strcmp(back.compiler, "the other's") == 0 && strcmp(back.study_text, "a study") == 0,
         "with series and provenance");
  shk_provenance_clear(&back);
  if (found)
    shk_record_clear(found);
  free(found);
  free(text);
  shk_record_clear(&record);
  struct shk_stored_study *studies;
  int count;
  tap_ok(shk_store_studies(one, &studies, &count, &error) && count == 2 &&
             strcmp(studies[0].text, "a") == 0 && strcmp(studies[1].name, "two") == 0 &&
             merged.studies == 1,
         "studies come along; one with another text stays and is told");
  shk_stored_studies_free(studies, count);
  tap_ok(merge(one, two, &merged, &heard) && merged.added == 0 && merged.same == 2 &&
             heard.count == 0 && shk_store_record_count(one) == 3,
         "a second time adds nothing");
  close_both(one, two);
}

/* ---- the same cell twice ---- */

static void twice(const char *name, const char *ours, const char *theirs, bool conflict)
{
  struct shk_merged merged = {0};
  struct heard heard;
  struct shk_store *one = in_memory(), *two = in_file();
  tap_ok(put_made(one, "0.1", 1, provenance(one, ours)) &&
             put_made(two, "0.1", 9, provenance(two, theirs)) && merge(one, two, &merged, &heard) &&
             merged.conflicts == conflict && merged.elsewhere == !conflict && merged.same == 0 &&
             merged.added == 0,
         "%s: %s", name, conflict ? "a conflict" : "no conflict");
  tap_ok(heard.count == 1 && heard.conflict == conflict && strstr(heard.cell, "step=0.1") &&
             strcmp(heard.quantity, "energy-error-max") == 0 &&
             strtod(heard.ours, NULL) == 1.0 / 3 && strtod(heard.theirs, NULL) == 9.0 / 3,
         "both values are told: %s, %s and %s", heard.quantity, heard.ours, heard.theirs);
  tap_ok(salt_of(one, "0.1") == 1, "the first stays");
  close_both(one, two);
}

/* One thing of a record is changed; the quantity that is to be told, NULL: none. */
static void changed(const char *what, void (*change)(struct shk_record *record),
                    const char *quantity)
{
  struct shk_merged merged = {0};
  struct heard heard;
  struct shk_store *one = in_memory(), *two = in_file();
  struct shk_record record;
  fixture_record(&record, "0.1", 1);
  shk_outcome_add_scalar(&record.outcome, "cpu-seconds", 0.5);
  record.outcome.members = shk_allocate(2, sizeof *record.outcome.members);
  record.outcome.member_count = 2;
  for (int i = 0; i < 2; i++)
    shk_outcome_add_scalar(&record.outcome.members[i], "constraint-max", 1);
  record.provenance = provenance(one, NULL);
  bool ok = put(one, &record);
  change(&record);
  record.provenance = provenance(two, NULL);
  ok = ok && put(two, &record) && merge(one, two, &merged, &heard);
  tap_ok(ok && merged.conflicts == (quantity != NULL) && merged.same == (quantity == NULL) &&
             (!quantity || strcmp(heard.quantity, quantity) == 0),
         "%s: %s", what, heard.count ? heard.quantity : "nothing");
  shk_record_clear(&record);
  close_both(one, two);
}

#define CHANGE(name, what)                                                                         \
  static void name(struct shk_record *record)                                                      \
  {                                                                                                \
    what;                                                                                          \
  }
#define ITS record->outcome
CHANGE(change_clock, ITS.scalars[ITS.scalar_count - 1].value = record->seconds *= 2)
CHANGE(change_code, ITS.code = SHK_OK)
CHANGE(change_history, ITS.history[1] = 1)
CHANGE(change_sample, ((double *)ITS.samples[0].blocks[1].vector.values)[1] = 0)
CHANGE(add_sample, shk_outcome_add_sample(&ITS, "2", 2))
CHANGE(change_series, ITS.series[0].minimum[2] = -0.0)
CHANGE(change_member, ITS.members[1].scalars[0].value = 2)
CHANGE(change_members, shk_outcome_clear(&ITS.members[--ITS.member_count]))
CHANGE(change_nan, ITS.scalars[1].value = 0)

/* ---- what has not finished ---- */

static bool put_crashed(struct shk_store *store)
{
  struct shk_record record;
  fixture_record(&record, "0.1", 1);
  shk_outcome_clear(&record.outcome);
  record.outcome = (struct shk_outcome){.code = SHK_STOPPED, .reached = NAN};
  record.end = SHK_END_CRASHED;
  record.end_detail = 11;
  const bool ok = put(store, &record);
  shk_record_clear(&record);
  return ok;
}

static void unfinished(void)
{
  struct shk_merged merged = {0};
  struct heard heard;
  struct shk_store *one = in_memory(), *two = in_file();
  tap_ok(put_crashed(one) && put_made(two, "0.1", 9, 0) && merge(one, two, &merged, &heard) &&
             merged.finished == 1 && merged.added == 0 && heard.count == 0 &&
             salt_of(one, "0.1") == 9 && shk_store_record_count(one) == 1,
         "what finished takes the place of what crashed");
  close_both(one, two);
  one = in_memory();
  two = in_file();
  tap_ok(put_made(one, "0.1", 1, 0) && put_crashed(two) && merge(one, two, &merged, &heard) &&
             merged.kept == 1 && heard.count == 0 && salt_of(one, "0.1") == 1,
         "and not the other way round");
  close_both(one, two);
}

int main(void)
{
  if (!mkdtemp(folder)) {
    tap_ok(false, "a folder for stores");
    return tap_done();
  }
  new_records();
  twice("equal environments", NULL, NULL, true);
  twice("another compiler", NULL, "another", false);
  changed("the clock", change_clock, NULL);
  changed("a code", change_code, "status");
  changed("a residual", change_history, "residual");
  changed("a state", change_sample, "p at 0");
  changed("a state more", add_sample, "number of samples");
  changed("an interval", change_series, "energy-error until 0.30000000000000004");
  changed("a number for NaN", change_nan, "undefined");
  changed("a member", change_member, "constraint-max");
  changed("one member less", change_members, "number of members");
  unfinished();
  TEXT path = shk_print_text("%s/its.db", folder);
  unlink(path);
  rmdir(folder);
  return tap_done();
}

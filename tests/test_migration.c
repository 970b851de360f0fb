/*
 * Stores of every version of the schema that there has been are read, and written on: a committed
 * store of each (tests/data/stores/schema-N.db), made by the program of its time, holds the values
 * that the text beside it says (schema-N.txt).
 *
 * usage: test_migration; `test_migration FILE` prints what that store holds, which is how the text
 * of a new version comes into being. A store for it is made by `shakedown run`.
 */
#include "results/store.h"
#include "tests/store_fixture.h"
#include "tests/tap.h"
#include <sqlite3.h>
#include <unistd.h>

/* Values that a reader must find again, one a line; the caller frees it. Seconds, too: nothing of
 * what is stored may be lost on the way to another schema. */
static void print_record(FILE *out, const struct shk_record *record)
{
  char reason[256];
  const struct shk_outcome *outcome = &record->outcome;
  shk_record_reason(reason, sizeof reason, record);
  fprintf(out, "%s %s | %s | %s\n", record->cell.problem, record->cell.integrator,
          shk_record_status(record), reason);
  fprintf(out,
          "  %s step %s until %s end %d %d reached %.17g n %d m %d seconds %.17g limits %.17g "
          "%.17g\n",
          record->cell.precision, record->cell.step ? record->cell.step : "-", record->cell.until,
          (int)record->end, record->end_detail, outcome->reached, outcome->n, outcome->m,
          record->seconds, record->limit_seconds, record->limit_megabytes);
  fprintf(out, "  output %zu bytes, %ld dropped\n", record->output ? strlen(record->output) : 0,
          record->output_dropped);
  for (int i = 0; i < outcome->scalar_count; i++)
    fprintf(out, "  %s %.17g\n", outcome->scalars[i].name, outcome->scalars[i].value);
  for (int i = 0; i < outcome->sample_count; i++)
    for (int j = 0; j < outcome->samples[i].block_count; j++)
      fprintf(out, "  at %s %s %s\n", outcome->samples[i].time, outcome->samples[i].blocks[j].name,
              outcome->samples[i].blocks[j].text);
  for (int i = 0; i < outcome->series_count; i++) {
    const struct shk_series *series = &outcome->series[i];
    double sum = 0;
    for (int j = 0; j < series->count; j++)
      sum += series->time[j] + series->minimum[j] + series->mean[j] + series->maximum[j];
    fprintf(out, "  series %s %d %.17g\n", series->name, series->count, sum);
  }
}

/* All that a store holds, in the order of its cells' texts. NULL with a diagnosis. */
static char *contents(const char *path)
{
  struct shk_message error = {""};
  struct shk_store *store = shk_store_open(path, SHK_STORE_READ, &error);
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  bool good = store && sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
              sqlite3_prepare_v2(database, "SELECT cell, key FROM record ORDER BY cell, key", -1,
                                 &statement, NULL) == SQLITE_OK;
  while (good && sqlite3_step(statement) == SQLITE_ROW) {
    struct shk_record *record = NULL;
    good = shk_store_find(store, &record, (const char *)sqlite3_column_text(statement, 1),
                          (const char *)sqlite3_column_text(statement, 0), &error) &&
           record;
    if (good) {
      print_record(out, record);
      struct shk_provenance provenance;
      good = shk_store_provenance(store, &provenance, record->provenance, &error);
      if (good)
        fprintf(out, "  from %s %s\n", provenance.version, provenance.compiler);
      shk_provenance_clear(&provenance);
      shk_record_clear(record);
    }
    free(record);
  }
  struct shk_stored_study *studies = NULL;
  int count = 0;
  good = good && shk_store_studies(store, &studies, &count, &error);
  for (int i = 0; i < count; i++)
    fprintf(out, "study %s from %s, %zu bytes\n", studies[i].name, studies[i].path,
            strlen(studies[i].text));
  shk_stored_studies_free(studies, count);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  shk_store_close(store, &error);
  fclose(out);
  if (good)
    return text;
  tap_diag("%s: %s", path, error.text);
  free(text);
  return NULL;
}

static long schema_version(const char *path)
{
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  long version = -1;
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(database, "PRAGMA user_version", -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW)
    version = (long)sqlite3_column_int64(statement, 0);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return version;
}

static char *whole_file(const char *path)
{
  char *text = shk_allocate(1 << 20, 1);
  FILE *file = fopen(path, "re");
  if (file) {
    text[fread(text, 1, (1 << 20) - 1, file)] = '\0';
    fclose(file);
  }
  return text;
}

/* The line in which two texts first differ is told. */
static bool same_text(const char *got, const char *want)
{
  if (!got || !want)
    return false;
  size_t begin = 0;
  for (size_t i = 0;; i++) {
    if (got[i] != want[i]) {
      tap_diag(" got: %.*s", (int)strcspn(got + begin, "\n"), got + begin);
      tap_diag("want: %.*s", (int)strcspn(want + begin, "\n"), want + begin);
      return false;
    }
    if (got[i] == '\0')
      return true;
    if (got[i] == '\n')
      begin = i + 1;
  }
}

int main(int argc, char **argv)
{
  if (argc > 1) {
    char *text = contents(argv[1]);
    if (text)
      fputs(text, stdout);
    const bool good = text != NULL;
    free(text);
    return good ? 0 : 1;
  }
  char folder[] = "/tmp/shakedown-migration-XXXXXX";
  const char *top = getenv("SHAKEDOWN_SOURCE");
  if (!top || !mkdtemp(folder)) {
    tap_ok(false, "SHAKEDOWN_SOURCE and a folder are given");
    return tap_done();
  }
  struct shk_message error = {""};
  char *now = shk_print_text("%s/now.db", folder), *copy = shk_print_text("%s/copy.db", folder);
  shk_store_close(shk_store_open(now, SHK_STORE_WRITE, &error), &error);
  const long current = schema_version(now);
  tap_ok(current >= 1, "this program writes version %ld of the schema", current);
  for (long version = 1; version <= current; version++) {
    char *path = shk_print_text("%s/tests/data/stores/schema-%ld.db", top, version),
         *said = shk_print_text("%s/tests/data/stores/schema-%ld.txt", top, version),
         *command = shk_print_text("cp '%s' '%s' && chmod 600 '%s'", path, copy, copy);
    tap_ok(system(command) == 0 && schema_version(copy) == version,
           "a store of version %ld is committed", version);
    char *want = whole_file(said), *got = contents(copy);
    tap_ok(same_text(got, want) && strlen(want) > 1000, "it is read, %zu bytes of values",
           strlen(want));
    free(got);

    struct shk_store *store = shk_store_open(copy, SHK_STORE_WRITE, &error);
    struct shk_record record;
    fixture_record(&record, "0.1", 1);
    char *cell = shk_cell_text(&record.cell);
    tap_ok(store && shk_store_put(store, &record, cell, &error), "it is written on %s", error.text);
    struct shk_record *found = NULL;
    tap_ok(store && shk_store_find(store, &found, record.key, cell, &error) && found &&
               fixture_same_outcome(&found->outcome, &record.outcome),
           "what is written comes out");
    if (found)
      shk_record_clear(found);
    free(found);
    shk_store_close(store, &error);
    tap_is_int(schema_version(copy), current, "it then has this program's version");
    sqlite3 *database = NULL;
    sqlite3_open(copy, &database);
    char *sql = sqlite3_mprintf("DELETE FROM record WHERE key=%Q", record.key);
    const bool removed = sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
    sqlite3_free(sql);
    sqlite3_close(database);
    got = contents(copy);
    tap_ok(removed && same_text(got, want), "and all that it had");
    shk_record_clear(&record);
    free(cell);
    free(got);
    free(want);
    free(path);
    free(said);
    free(command);
    unlink(copy);
  }
  char *command = shk_print_text("rm -rf '%s'", folder);
  tap_ok(system(command) == 0, "tidied up");
  free(command);
  free(now);
  free(copy);
  return tap_done();
}

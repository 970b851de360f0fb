/*
 * Stores of every version of the schema that a release had are read, and written on: a committed
 * store of each (tests/data/stores/schema-N.db), made by the program of its time, holds the values
 * that the text beside it says (schema-N.txt). With a made-up next version of the schema, stores of
 * the present one are read as a copy, brought to it by the first that writes, and left in one
 * version or the other by a process that is killed on the way.
 *
 * usage: migration; `migration FILE` prints what that store holds, which is how the text
 * of a new version comes into being. A store for it is made by `shakedown run`.
 */
#include "results/store/schema.h"
#include "tests/kit/store_fixture.h"
#include "tests/kit/tap.h"
#include <signal.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
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
static char *contents_as(const char *path, const struct shk_schema *schema)
{
  struct shk_message error = {""};
  struct shk_store *store = shk_store_open_as(path, SHK_STORE_READ, schema, &error);
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  bool ok = store && sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
            sqlite3_prepare_v2(database, "SELECT cell, key FROM record ORDER BY cell, key", -1,
                               &statement, NULL) == SQLITE_OK;
  while (ok && sqlite3_step(statement) == SQLITE_ROW) {
    struct shk_record *record = NULL;
    ok = shk_store_find(store, &record, (const char *)sqlite3_column_text(statement, 1),
                        (const char *)sqlite3_column_text(statement, 0), &error) &&
         record;
    if (ok) {
      print_record(out, record);
      struct shk_provenance provenance;
      ok = shk_store_provenance(store, &provenance, record->provenance, &error);
      if (ok)
        fprintf(out, "  from %s %s\n", provenance.version, provenance.compiler);
      shk_provenance_clear(&provenance);
      shk_record_clear(record);
    }
    free(record);
  }
  struct shk_stored_study *studies = NULL;
  int count = 0;
  ok = ok && shk_store_studies(store, &studies, &count, &error);
  for (int i = 0; i < count; i++)
    fprintf(out, "study %s from %s, %zu bytes\n", studies[i].name, studies[i].path,
            strlen(studies[i].text));
  shk_stored_studies_free(studies, count);
  sqlite3_finalize(statement);
  sqlite3_close(database);
  shk_store_close(store, &error);
  fclose(out);
  if (ok)
    return text;
  tap_diag("%s: %s", path, error.text);
  free(text);
  return NULL;
}

static char *contents(const char *path)
{
  return contents_as(path, &shk_store_schema);
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

static bool execute(const char *path, const char *sql)
{
  sqlite3 *database = NULL;
  const bool ok = sqlite3_open(path, &database) == SQLITE_OK &&
                  sqlite3_exec(database, sql, NULL, NULL, NULL) == SQLITE_OK;
  sqlite3_close(database);
  return ok;
}

static bool copy_file(const char *to, const char *from)
{
  char *command = shk_print_text("rm -f '%s'* && cp '%s' '%s' && chmod 600 '%s'", to, from, to, to);
  const bool ok = system(command) == 0;
  free(command);
  return ok;
}

static bool writes(const char *path, const struct shk_schema *schema)
{
  struct shk_message error = {""};
  struct shk_store *store = shk_store_open_as(path, SHK_STORE_WRITE, schema, &error);
  const bool ok = store && shk_store_close(store, &error);
  if (!ok)
    tap_diag("%s", error.text);
  return ok;
}

/* ---- a made-up next version ---- */

enum { MOST_OBJECTS = 16 };
static struct shk_schema_object next_objects[MOST_OBJECTS];
static char record_sql[2048];
/* A column that is computed from others, in every row. */
static const char *const next_steps[] = {
    "ALTER TABLE record ADD COLUMN size INTEGER; UPDATE record SET size=length(outcome)"};

static struct shk_schema make_next(void)
{
  const struct shk_schema *const present = &shk_store_schema;
  const int version = present->version;
  struct shk_schema next = {
      .oldest = version, .version = version + 1, .objects = next_objects, .steps = next_steps};
  for (int i = 0; i < present->object_count && next.object_count < MOST_OBJECTS - 1; i++) {
    if (present->objects[i].last < version)
      continue;
    struct shk_schema_object *const object = &next_objects[next.object_count++];
    *object = present->objects[i];
    object->last = version + (strcmp(object->name, "record") != 0);
    if (object->last > version)
      continue;
    static const char strict[] = ") STRICT";
    snprintf(record_sql, sizeof record_sql, "%.*s, size INTEGER%s",
             (int)(strlen(object->sql) - strlen(strict)), object->sql, strict);
    next_objects[next.object_count++] = (struct shk_schema_object){
        .first = version + 1, .last = version + 1, .name = "record", .sql = record_sql};
  }
  return next;
}

static void test_next(const char *copy, const char *present, const struct shk_schema *next)
{
  char *want = contents(present);
  const bool copied = copy_file(copy, present) && chmod(copy, 0400) == 0;
  char *got = contents_as(copy, next);
  tap_ok(copied && same_text(got, want), "a program of the next version reads this one's stores");
  tap_is_int(schema_version(copy), next->oldest, "and leaves them as they are");
  free(got);
  chmod(copy, 0600);
  tap_ok(writes(copy, next) && schema_version(copy) == next->version,
         "it brings them to its version when it writes");
  got = contents_as(copy, next);
  tap_ok(same_text(got, want), "with all that they had");
  free(got);
  struct shk_message error = {""};
  struct shk_store *store = shk_store_open(copy, SHK_STORE_READ, &error);
  tap_ok(!store && strstr(error.text, "newer"), "this program then refuses them: %s", error.text);
  free(want);
}

/* ---- killed on the way ---- */

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t random_state; /* splitmix64 */

static double random_part(void)
{
  uint64_t z = random_state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (double)(z >> 11) * 0x1p-53;
}

/* A process that opens the store for writing, killed after so long; never if that is negative.
 * Returns the seconds it took. */
static double open_and_kill(const char *path, const struct shk_schema *schema, double seconds)
{
  const double began = now();
  const pid_t child = fork();
  if (child == 0)
    _exit(writes(path, schema) ? 0 : 1);
  if (seconds >= 0) {
    const double whole = floor(seconds);
    nanosleep(&(struct timespec){(time_t)whole, (long)(1e9 * (seconds - whole))}, NULL);
    kill(child, SIGKILL);
  }
  waitpid(child, NULL, 0);
  return now() - began;
}

static void test_kills(const char *folder, const char *old, const struct shk_schema *next)
{
  enum { ROUNDS = 30, COPIES = 20 };
  char *big = shk_print_text("%s/big.db", folder), *path = shk_print_text("%s/killed.db", folder);
  /* Large enough for a kill to hit the middle. */
  bool ok = copy_file(big, old);
  for (int i = 1; ok && i <= COPIES; i++) {
    char *sql = shk_print_text(
        "CREATE TEMP TABLE t AS SELECT * FROM record WHERE id<1000;"
        "UPDATE t SET id=id+1000*%d, key=printf('%%032x',id+1000*%d), cell=cell||' copy=%d';"
        "INSERT INTO record SELECT * FROM t",
        i, i, i);
    ok = execute(big, sql);
    free(sql);
  }
  char *want = contents(big);
  ok = ok && want && schema_version(big) == next->oldest && copy_file(path, big);
  const double whole = open_and_kill(path, next, -1);
  char *got = contents_as(path, next);
  tap_ok(ok && schema_version(path) == next->version && same_text(got, want),
         "a store of %zu bytes of values is brought to the next version in %.3f s",
         want ? strlen(want) : 0, whole);
  free(got);
  int before = 0, after = 0, same = 0, mended = 0;
  for (int i = 0; ok && i < ROUNDS; i++) {
    copy_file(path, big);
    open_and_kill(path, next, whole * random_part());
    got = contents_as(path, next);
    same += same_text(got, want);
    before += schema_version(path) == next->oldest;
    after += schema_version(path) == next->version;
    free(got);
    got = writes(path, next) ? contents_as(path, next) : NULL;
    mended += schema_version(path) == next->version && same_text(got, want);
    free(got);
  }
  tap_diag("%d kills left the old version, %d the new one", before, after);
  tap_is_int(before + after, ROUNDS, "a kill leaves one version or the other");
  tap_is_int(same, ROUNDS, "in which everything is found");
  tap_is_int(mended, ROUNDS, "and the next that writes brings it to the next version");
  free(want);
  free(big);
  free(path);
}

/* `why`: a word of the sentence. */
static void test_refused(const char *path, int version, const char *why)
{
  struct shk_message error = {""};
  char *sql = shk_print_text("PRAGMA user_version=%d", version);
  const bool changed = execute(path, sql);
  for (int mode = 0; mode < 2; mode++) {
    struct shk_store *store = shk_store_open(path, mode ? SHK_STORE_WRITE : SHK_STORE_READ, &error);
    tap_ok(changed && !store && strstr(error.text, why), "a store of version %d is refused: %s",
           version, error.text);
    shk_store_close(store, &error);
  }
  tap_is_int(schema_version(path), version, "and left as it is");
  free(sql);
}

int main(int argc, char **argv)
{
  if (argc > 1) {
    char *text = contents(argv[1]);
    if (text)
      fputs(text, stdout);
    const bool ok = text != NULL;
    free(text);
    return ok ? 0 : 1;
  }
  char folder[] = "/tmp/shakedown-migration-XXXXXX";
  const char *top = getenv("SHAKEDOWN_SOURCE");
  if (!top || !mkdtemp(folder)) {
    tap_ok(false, "SHAKEDOWN_SOURCE and a folder are given");
    return tap_done();
  }
  struct shk_message error = {""};
  char *fresh = shk_print_text("%s/now.db", folder), *copy = shk_print_text("%s/copy.db", folder);
  shk_store_close(shk_store_open(fresh, SHK_STORE_WRITE, &error), &error);
  const long current = schema_version(fresh);
  tap_ok(current >= 1, "this program writes version %ld of the schema", current);
  for (long version = shk_store_schema.oldest; version <= current; version++) {
    char *path = shk_print_text("%s/tests/data/stores/schema-%ld.db", top, version),
         *said = shk_print_text("%s/tests/data/stores/schema-%ld.txt", top, version),
         *command = shk_print_text("cp '%s' '%s' && chmod 600 '%s'", path, copy, copy);
    tap_ok(system(command) == 0 && schema_version(copy) == version,
           "a store of version %ld is committed", version);
    char *want = whole_file(said), *got = contents(copy);
    tap_ok(same_text(got, want) && strlen(want) > 1000, "it is read, %zu bytes of values",
           strlen(want));
    tap_is_int(schema_version(copy), version, "which does not change it");
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
  random_state = tap_seed(20250701);
  const struct shk_schema next = make_next();
  char *present = shk_print_text("%s/tests/data/stores/schema-%ld.db", top, current);
  test_next(copy, present, &next);
  test_kills(folder, present, &next);
  test_refused(fresh, 99, "newer");
  test_refused(fresh, 1, "no release");
  free(present);
  char *command = shk_print_text("rm -rf '%s'", folder);
  tap_ok(system(command) == 0, "tidied up");
  free(command);
  free(fresh);
  free(copy);
  return tap_done();
}

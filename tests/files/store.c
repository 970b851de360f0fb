/*
 * The store: what is put in comes out, a second writer and strange files are turned away, and what
 * is left after a close is one plain file.
 */
#include "results/store/store.h"
#include "foundation/memory.h"
#include "tests/kit/store_fixture.h"
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/shakedown-store-XXXXXX";

static const char *in_folder(const char *name)
{
  static char path[4][128];
  static int turn;
  turn = (turn + 1) % 4;
  snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
  return path[turn];
}

static bool exists(const char *name)
{
  return access(in_folder(name), F_OK) == 0;
}

/* Puts a made-up record in; its key. */
static bool put(struct shk_store *store, const char *step, double salt, char key[SHK_HASH_SIZE])
{
  struct shk_record record;
  struct shk_message error = {""};
  fixture_record(&record, step, salt);
  const bool ok = fixture_put(store, &record, &error);
  if (!ok)
    tap_diag("%s", error.text);
  if (key)
    memcpy(key, record.key, sizeof record.key);
  shk_record_clear(&record);
  return ok;
}

/* Whether the store has the record that `put` made, whole. */
static bool has(struct shk_store *store, const char *step, double salt)
{
  struct shk_record want, *got;
  struct shk_message error = {""};
  fixture_record(&want, step, salt);
  char *text = shk_cell_text(&want.cell);
  bool ok = shk_store_find(store, &got, NULL, text, &error) && got;
  if (ok) {
    ok = strcmp(got->cell.problem, want.cell.problem) == 0 &&
         strcmp(got->cell.integrator, want.cell.integrator) == 0 &&
         strcmp(got->cell.step, want.cell.step) == 0 && strcmp(got->key, want.key) == 0 &&
         got->end == want.end && got->end_detail == want.end_detail &&
         strcmp(got->output, want.output) == 0 && got->output_dropped == want.output_dropped &&
         got->seconds == want.seconds && got->limit_seconds == want.limit_seconds &&
         got->limit_megabytes == want.limit_megabytes &&
         fixture_same_outcome(&got->outcome, &want.outcome);
    shk_record_clear(got);
    free(got);
  } else if (error.text[0]) {
    tap_diag("%s", error.text);
  }
  free(text);
  shk_record_clear(&want);
  return ok;
}

static void round_trip(void)
{
  struct shk_message error = {""};
  const char *path = in_folder("round.db");
  struct shk_store *store = shk_store_open(path, SHK_STORE_WRITE, &error);
  tap_ok(store, "a new store opens %s", error.text);
  char key[SHK_HASH_SIZE];
  tap_ok(put(store, "0.1", 1, key) && put(store, "0.05", 2, NULL), "records go in");
  tap_ok(exists("round.db-wal") && exists("round.db-lock"), "while it is open a log and a lock");
  tap_ok(has(store, "0.1", 1) && has(store, "0.05", 2), "they come out whole");
  tap_ok(!has(store, "0.025", 1), "one that is not there does not");
  tap_ok(put(store, "0.1", 3, NULL) && has(store, "0.1", 3) && shk_store_record_count(store) == 2,
         "the same key again replaces the record");

  struct shk_cell cell = fixture_cell("0.1");
  char *text = shk_cell_text(&cell);
  const struct shk_raised none = {false, 60, 1024}, again = {true, 60, 1024};
  bool stands = false;
  tap_ok(shk_store_look(store, &stands, key, text, &again, &error) && stands,
         "a record that finished stands");
  tap_ok(shk_store_look(store, &stands, key, "another cell", &none, &error) && !stands,
         "not for another cell");
  free(text);
  shk_cell_clear(&cell);

  /* A reader sees what is there while it is written. */
  struct shk_store *reader = shk_store_open(in_folder("round.db"), SHK_STORE_READ, &error);
  tap_ok(reader && has(reader, "0.1", 3), "a reader beside the writer sees the records");
  tap_ok(reader && !put(reader, "0.2", 1, NULL), "and cannot write");
  shk_store_close(reader, &error);

  tap_ok(shk_store_add_study(store, "one", "a.yaml", "study: one\n", &error) &&
             shk_store_add_study(store, "two", "b.yaml", "study: two\n", &error) &&
             shk_store_add_study(store, "one", "c.yaml", "study: one # again\n", &error),
         "studies go in");
  struct shk_stored_study *studies = NULL;
  int count = 0;
  tap_ok(shk_store_studies(store, &studies, &count, &error) && count == 2 &&
             strcmp(studies[0].text, "study: one # again\n") == 0 &&
             strcmp(studies[1].name, "two") == 0,
         "one of each name comes out, the newest");
  shk_stored_studies_free(studies, count);

  struct shk_provenance here, back;
  shk_provenance_collect(&here, "0123 my.so\n", "study: one\n");
  const long row = shk_store_add_provenance(store, &here, &error);
  tap_ok(row > 0 && shk_store_provenance(store, &back, row, &error) &&
             strcmp(back.source, shk_source_hash()) == 0 && strcmp(back.date, here.date) == 0 &&
             strcmp(back.libraries, here.libraries) == 0 &&
             strcmp(back.study_text, "study: one\n") == 0 && strstr(back.libraries, "SUNDIALS"),
         "provenance comes out: %s", here.libraries);
  shk_provenance_clear(&here);
  shk_provenance_clear(&back);
  tap_ok(!shk_store_provenance(store, &back, row + 1, &error), "a row that is not there: %s",
         error.text);

  tap_ok(shk_store_close(store, &error), "it closes");
  tap_ok(!exists("round.db-wal") && !exists("round.db-shm") && !exists("round.db-lock"),
         "and is one plain file");
  unsigned char header[20] = {0};
  FILE *file = fopen(in_folder("round.db"), "re");
  tap_ok(file && fread(header, sizeof header, 1, file) == 1 && header[18] == 1 && header[19] == 1,
         "whose header asks for no log, so that a folder that cannot be written will do");
  if (file)
    fclose(file);
  store = shk_store_open(in_folder("round.db"), SHK_STORE_READ, &error);
  tap_ok(store && has(store, "0.1", 3) && has(store, "0.05", 2), "which has it all");
  shk_store_close(store, &error);
}

/* Another process tries to write; its exit code: 0 if it could. */
static int write_elsewhere(const char *path)
{
  const pid_t child = fork();
  if (child == 0) {
    struct shk_message error = {""};
    struct shk_store *store = shk_store_open(path, SHK_STORE_WRITE, &error);
    const bool opened = store != NULL;
    if (store)
      shk_store_close(store, &error);
    _exit(opened ? 0 : strstr(error.text, "another run") ? 2 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void locking(void)
{
  struct shk_message error = {""};
  struct shk_store *store = shk_store_open(in_folder("locked.db"), SHK_STORE_WRITE, &error);
  tap_is_int(write_elsewhere(in_folder("locked.db")), 2, "a second writer is turned away");
  /* Opening the file a second time and closing it must not lose the lock. */
  struct shk_store *reader = shk_store_open(in_folder("locked.db"), SHK_STORE_READ, &error);
  shk_store_close(reader, &error);
  tap_is_int(write_elsewhere(in_folder("locked.db")), 2, "also after a reader has come and gone");
  tap_ok(!shk_store_open(in_folder("locked.db"), SHK_STORE_WRITE, &error),
         "also in the same process: %s", error.text);
  shk_store_close(store, &error);
  tap_is_int(write_elsewhere(in_folder("locked.db")), 0, "after the first has closed it may write");
  /* What a killed writer leaves behind does not lock. */
  const int file = open(in_folder("locked.db-lock"), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
  close(file);
  tap_is_int(write_elsewhere(in_folder("locked.db")), 0,
             "a lock file that nobody holds is no lock");
}

static void execute(const char *path, const char *sql)
{
  sqlite3 *database;
  char *fault = NULL;
  if (sqlite3_open(path, &database) != SQLITE_OK ||
      sqlite3_exec(database, sql, NULL, NULL, &fault) != SQLITE_OK)
    tap_diag("%s: %s", sql, fault ? fault : "");
  sqlite3_free(fault);
  sqlite3_close(database);
}

static void write_file(const char *path, const char *text, size_t count)
{
  FILE *file = fopen(path, "we");
  if (file) {
    fwrite(text, 1, count, file);
    fclose(file);
  }
}

/* Both ways of opening must refuse, with the path and this word in the message. */
static void refused(const char *path, const char *word, const char *what)
{
  for (int mode = SHK_STORE_READ; mode <= SHK_STORE_WRITE; mode++) {
    struct shk_message error = {""};
    struct shk_store *store = shk_store_open(path, (enum shk_store_mode)mode, &error);
    tap_ok(!store && strstr(error.text, path) && strstr(error.text, word), "%s, to %s: %s", what,
           mode == SHK_STORE_READ ? "read" : "write", error.text);
    shk_store_close(store, &error);
  }
}

static void whole_store(const char *path)
{
  struct shk_message error = {""};
  struct shk_store *store = shk_store_open(path, SHK_STORE_WRITE, &error);
  for (int i = 0; i < 20; i++) {
    char step[16];
    snprintf(step, sizeof step, "0.%02d", i + 1);
    put(store, step, i, NULL);
  }
  shk_store_close(store, &error);
}

static void strangers(void)
{
  const char *path = in_folder("text.db");
  static const char text[] = "study: this is YAML and no database, of more than a hundred bytes "
                             "in length, so that its header can be read by whoever looks for one";
  write_file(path, text, sizeof text);
  refused(path, "not an SQLite file", "a text file");

  path = in_folder("foreign.db");
  execute(path, "CREATE TABLE mine(x)");
  refused(path, "another application", "a foreign database");

  path = in_folder("newer.db");
  whole_store(path);
  execute(path, "PRAGMA user_version=99");
  refused(path, "version 99", "a newer schema");
  execute(path, "PRAGMA user_version=6");
  refused(path, "shakedown run", "an older schema, with what to run");

  path = in_folder("trigger.db");
  whole_store(path);
  execute(path, "CREATE TRIGGER surprise AFTER INSERT ON cells BEGIN DELETE FROM cells; END");
  refused(path, "surprise", "a store with a trigger");

  path = in_folder("view.db");
  whole_store(path);
  execute(path, "DROP TABLE said; CREATE VIEW said AS SELECT 1");
  refused(path, "said", "a store with a view for a table");

  path = in_folder("missing.db");
  whole_store(path);
  execute(path, "DROP TABLE provenance");
  refused(path, "missing", "a store without a table");

  refused(folder, "not a regular file; expected a store", "a folder");
  refused("/proc/shakedown.db", "/proc/shakedown.db", "a place where nothing can be");
  struct shk_message error = {""};
  tap_ok(!shk_store_open(in_folder("nowhere.db"), SHK_STORE_READ, &error) &&
             strstr(error.text, "No such file"),
         "a file that is not there is not made by reading: %s", error.text);
  tap_ok(!exists("nowhere.db"), "indeed not");
}

int main(void)
{
  if (!mkdtemp(folder)) {
    tap_ok(false, "a folder for stores");
    return tap_done();
  }
  round_trip();
  locking();
  strangers();
  char *command = shk_print_text("rm -rf '%s'", folder);
  tap_ok(system(command) == 0, "tidied up");
  free(command);
  return tap_done();
}

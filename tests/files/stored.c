/*
 * Records of a plan taken from a store part by part, and the findings that a store keeps: they come
 * out to the last bit, until a record is written.
 */
#include "harness/plan/plan.h"
#include "results/store/store_findings.h"
#include "tests/kit/store_fixture.h"
#include <sqlite3.h>
#include <unistd.h>

enum { CELLS = 3 };

static char folder[] = "/tmp/shakedown-stored-XXXXXX";
static char path[128];
static const char *const steps[CELLS] = {"0.1", "0.2", "0.3"};
static struct shk_planned cells[CELLS];
static const struct shk_plan plan = {
    .context = &test_context, .count = CELLS, .group_count = 1, .cells = cells};
static struct shk_message error;

static bool put(struct shk_store *store, const char *step, double salt)
{
  struct shk_record record;
  fixture_record(&record, step, salt);
  const bool ok = fixture_put(store, &record, &error);
  shk_record_clear(&record);
  return ok;
}

/* ---- records ---- */

static bool is_whole(const struct shk_record *record, double salt)
{
  struct shk_record want;
  fixture_record(&want, "0.1", salt);
  const bool same = record && fixture_same_outcome(&record->outcome, &want.outcome);
  shk_record_clear(&want);
  return same;
}

static void test_parts(bool stay)
{
  const char *const word = stay ? "that stays" : "that goes";
  struct shk_store *store = shk_store_open(path, SHK_STORE_READ, &error);
  struct shk_records *records = store ? shk_plan_open_records(store, &plan, stay, &error) : NULL;
  if (!tap_ok(records, "records are opened %s", error.text))
    return;
  const struct shk_record *one = records->take(records, 0, 0);
  tap_ok(one && one->outcome.sample_count == 0 && one->outcome.series_count == 0 &&
             one->outcome.scalar_count == 3 && one->outcome.code == SHK_NOT_CONVERGED,
         "a record %s comes without parts", word);
  tap_ok(one && one->cell.step == cells[0].cell.step, "with the plan's cell");
  const struct shk_record *again = records->take(records, 0, SHK_PART_STATES);
  tap_ok(again == one && one->outcome.sample_count == 2 && one->outcome.series_count == 0,
         "taken again with its states");
  records->take(records, 0, SHK_PART_ALL);
  tap_ok(is_whole(one, 1), "and with all, it is what was put in");
  records->put_back(records, 0);
  records->put_back(records, 0);
  tap_ok(is_whole(one, 1), "it is whole until it was put back as often as taken");
  records->put_back(records, 0);
  if (stay) {
    tap_ok(one->outcome.sample_count == 0 && one->outcome.series_count == 0 &&
               one->outcome.scalar_count == 3,
           "then it loses its parts");
    const struct shk_record *const *all = shk_stored_records_all(records, 0);
    tap_ok(all[0] == one && all[1] && !all[2], "all that there are, in the order of the plan");
  }
  one = records->take(records, 0, SHK_PART_ALL);
  tap_ok(is_whole(one, 1), "it can be taken again");
  records->put_back(records, 0);
  tap_ok(!records->take(records, 2, SHK_PART_ALL), "there is none of a cell that was not run");
  records->put_back(records, 2);
  tap_ok(shk_stored_records_good(records, &error), "all could be read");
  shk_stored_records_close(records);
  shk_store_close(store, &error);
}

/* ---- findings ---- */

static struct shk_finding made[] = {
    {.problem = (char *)"pendulum",
     .integrator = (char *)"rattle",
     .precision = (char *)"quad",
     .quantity = (char *)"order of q",
     .value = 2.0000000000000004,
     .uncertainty = 1e-300,
     .floor = NAN,
     .expected = (char *)"2 ± 0.1",
     .verdict = SHK_VERDICT_HELD},
    {.problem = (char *)"pendulum",
     .integrator = (char *)"rattle",
     .precision = (char *)"double",
     .quantity = (char *)"energy class",
     .value = NAN,
     .uncertainty = INFINITY,
     .floor = -5e-324,
     .word = (char *)"bounded",
     .adaptive = true,
     .chaotic = true,
     .verdict = SHK_VERDICT_UNDECIDED,
     .reason = (char *)"it's \"short\""},
};
enum { MADE = sizeof made / sizeof made[0] };

/* How many findings the file has, if each number is that which was made; -1 if one is not. */
static int kept(void)
{
  sqlite3 *database = NULL;
  sqlite3_stmt *rows = NULL;
  int count = 0;
  bool same = sqlite3_open(path, &database) == SQLITE_OK &&
              sqlite3_prepare_v2(database,
                                 "SELECT value, uncertainty, floor, verdict FROM findings "
                                 "ORDER BY position",
                                 -1, &rows, NULL) == SQLITE_OK;
  for (; same && sqlite3_step(rows) == SQLITE_ROW; count++) {
    const double numbers[] = {made[count].value, made[count].uncertainty, made[count].floor};
    for (int i = 0; i < 3; i++)
      same = same && (sqlite3_column_type(rows, i) == SQLITE_NULL
                          ? isnan(numbers[i])
                          : fixture_same_double(sqlite3_column_double(rows, i), numbers[i]));
    same = same && sqlite3_column_int(rows, 3) == (int)made[count].verdict;
  }
  sqlite3_finalize(rows);
  sqlite3_close(database);
  return same ? count : -1;
}

static void test_findings(void)
{
  struct shk_store *store = shk_store_open(path, SHK_STORE_WRITE, &error);
  tap_ok(store && shk_store_add_study(store, "mine", "mine.yaml", "study: mine", &error),
         "a study that has findings");
  tap_ok(shk_store_put_findings(store, "mine", made, MADE, &error) &&
             shk_store_put_findings(store, "mine", made, MADE, &error),
         "findings are kept, and others take their place");
  shk_store_close(store, &error);
  tap_is_int(kept(), MADE, "they are in the file to the last bit");
  made[0].value = -0.0;
  store = shk_store_open(path, SHK_STORE_WRITE, &error);
  tap_ok(store && shk_store_put_findings(store, "mine", made, MADE, &error), "a zero");
  shk_store_close(store, &error);
  tap_is_int(kept(), MADE, "keeps its sign");
  store = shk_store_open(path, SHK_STORE_WRITE, &error);
  tap_ok(store && put(store, "0.1", 7), "a record is written");
  shk_store_close(store, &error);
  tap_is_int(kept(), 0, "... and the findings are forgotten");
}

int main(void)
{
  if (!mkdtemp(folder)) {
    tap_ok(false, "a folder is made");
    return tap_done();
  }
  snprintf(path, sizeof path, "%s/some.db", folder);
  for (int i = 0; i < CELLS; i++)
    cells[i] = (struct shk_planned){.cell = fixture_cell(steps[i])};
  struct shk_store *store = shk_store_open(path, SHK_STORE_WRITE, &error);
  tap_ok(store && put(store, "0.1", 1) && put(store, "0.2", 2), "two records of three cells");
  shk_store_close(store, &error);
  test_parts(false);
  test_parts(true);
  test_findings();
  for (int i = 0; i < CELLS; i++)
    shk_cell_clear(&cells[i].cell);
  char *command = shk_print_text("rm -rf '%s'", folder);
  tap_ok(system(command) == 0, "tidied up");
  free(command);
  return tap_done();
}

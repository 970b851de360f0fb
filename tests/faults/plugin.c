/*
 * A plug-in that misbehaves in every way it can: each costs its own cell, whose record names the
 * cause; the cells beside it have the records that they have without it; nothing is left running.
 */
#include "tests/faults/faults.h"

static const char hostile_text[] = "study: hostile\n"
                                   "runs:\n"
                                   "  - problems: [pendulum]\n"
                                   "    integrators:\n"
                                   "      - hostile(crash)\n"
                                   "      - hostile(abort)\n"
                                   "      - hostile(deaf)\n"
                                   "      - hostile(print)\n"
                                   "      - hostile(leave)\n"
                                   "      - hostile(killed)\n"
                                   "      - hostile(nan)\n"
                                   "      - hostile(memory)\n"
                                   "      - hostile(offspring)\n"
                                   "      - hostile(daemon)\n"
                                   "      - hostile(scribble)\n"
                                   "      - hostile(flood)\n"
                                   "    steps: [0.1]\n"
                                   "    until: 1\n"
                                   "    limits: {seconds: 3, memory: 256MiB}\n";

/* What each comes to: status, and words of the reason. */
static const struct {
  const char *act, *status, *reason;
} ends[] = {{"crash", "crashed", "SEGV"},
            {"abort", "crashed", "ABRT"},
            {"deaf", "timed-out", "time limit of 3 s"},
            {"print", "ok", ""},
            {"leave", "exited", "exit code 7"},
            {"killed", "crashed", "KILL"},
            {"nan", "not-finite", ""},
            {"memory", "out-of-memory", "memory limit of 256 MB"},
            {"offspring", "ok", ""},
            {"daemon", "ok", ""},
            {"scribble", "crashed", "signal"},
            {"flood", "timed-out", "time limit of 3 s"}};
enum { ENDS = sizeof ends / sizeof ends[0] };

/* Runs a study with the plug-in into a store. */
static int run_with(struct faults_run *run, const char *study, const char *store)
{
  char *file = faults_path(study), *path = faults_path(store);
  faults_run(run, NULL,
             (const char *const[]){"run", file, "-o", path, "-j", "2", "--quiet", "--plugin",
                                   getenv("SHAKEDOWN_HOSTILE"), NULL});
  free(file);
  free(path);
  return run->status;
}

/* The reason of the record of that act, if it has that status; freed by the caller. And how many bytes of
 * output are kept and dropped. */
static char *reason_of(sqlite3 *database, const char *act, const char *status, long output[2])
{
  sqlite3_stmt *statement = NULL;
  char *integrator = shk_print_text("hostile(%s)", act),
       *named = shk_print_text("hostile(act=%s)", act), *reason = NULL;
  if (sqlite3_prepare_v2(database,
                         "SELECT status, reason, length(output), dropped FROM cells WHERE "
                         "integrator IN (?,?)",
                         -1, &statement, NULL) == SQLITE_OK) {
    sqlite3_bind_text(statement, 1, integrator, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, named, -1, SQLITE_STATIC);
    if (sqlite3_step(statement) == SQLITE_ROW) {
      const char *found = (const char *)sqlite3_column_text(statement, 0);
      output[0] = sqlite3_column_int64(statement, 2);
      output[1] = sqlite3_column_int64(statement, 3);
      reason = shk_copy_text((const char *)sqlite3_column_text(statement, 1));
      if (strcmp(found, status) != 0) {
        tap_diag("%s: %s, %s", act, found, reason);
        free(reason);
        reason = NULL;
      }
    }
  }
  sqlite3_finalize(statement);
  free(integrator);
  free(named);
  return reason;
}

int main(void)
{
  if (!faults_begin(faults_text))
    return tap_done();
  faults_write("hostile.yaml", hostile_text);
  struct faults_run run;
  tap_is_int(run_with(&run, "study.yaml", "undisturbed.db"), 0, "an undisturbed run %s", run.said);
  tap_is_int(run_with(&run, "hostile.yaml", "both.db"), 3, "a study of misbehaviour is incomplete");
  tap_is_int(run_with(&run, "study.yaml", "both.db"), 0, "the other study beside it is not");

  char *path = faults_path("both.db");
  sqlite3 *database = NULL;
  sqlite3_open(path, &database);
  for (int i = 0; i < ENDS; i++) {
    long output[2] = {-1};
    char *reason = reason_of(database, ends[i].act, ends[i].status, output);
    const bool prints = strcmp(ends[i].act, "print") == 0; /* 16384 lines of 64 bytes, and ten */
    tap_ok(reason && strstr(reason, ends[i].reason) && output[0] <= 3 * 65536 &&
               (!prints || (output[0] == 65536 && output[1] == 16384 * 64 + 10 - 65536)),
           "%s: %s, %s", ends[i].act, ends[i].status, reason ? reason : "");
    free(reason);
  }
  char *fault = NULL;
  tap_ok(sqlite3_exec(database,
                      "PRAGMA foreign_keys=ON; DELETE FROM cells WHERE problem = 'pendulum'", NULL,
                      NULL, &fault) == SQLITE_OK,
         "their records are taken out");
  sqlite3_free(fault);
  sqlite3_close(database);
  tap_is_int(faults_same("both.db", "undisturbed.db"), faults_plan->count,
             "the others are those of an undisturbed run");
  int left;
  for (int i = 0; (left = faults_processes(NULL, 0, "shk-daemon", 0)) > 0 && i < 30; i++)
    usleep(100000); /* of another run of this test */
  tap_is_int(left, 0, "no daemon is left");
  free(path);
  return faults_end();
}

/*
 * The disk and what is on it: a run that is killed in the middle of any change of a file, a disk
 * that is full, a limit on the size of files, and stores that cannot be written. What was
 * recorded stays, the cause is named, and when it is gone the same command leaves the records of an
 * undisturbed run.
 */
#include "tests/faults/faults.h"
#include <sys/resource.h>

static long changes; /* of files in an undisturbed run */

static int want(void)
{
  return faults_plan->count;
}

/* Goes on undisturbed with a store, then compares it. Says whether all is well; removes the store.
 */
static bool recovers(const char *store, const char *before)
{
  struct faults_run run;
  const int status = faults_study_run(&run, NULL, store);
  char *after = faults_rows(store);
  const bool kept = faults_kept(before, after);
  const int same = faults_same(store, "undisturbed.db");
  free(after);
  if (status != 0 || same != want() || !kept)
    tap_diag("then status %d, %d records of %d, %s: %s", status, same, want(),
             kept ? "none lost" : "some lost", run.said);
  faults_remove(store);
  return status == 0 && same == want() && kept;
}

/* The moments to try: all of the first, then more and more apart. */
static long after(long moment)
{
  return moment < 24 ? moment + 1 : moment + moment / 6;
}

static void undisturbed(void)
{
  struct faults_run run;
  char *count = faults_path("count"),
       *environment = faults_inject("FAULT_ROLE=run FAULT_COUNT=%s", count);
  tap_is_int(faults_study_run(&run, environment, "undisturbed.db"), 0, "an undisturbed run");
  tap_diag("%s", run.said);
  FILE *file = fopen(count, "re");
  const bool counted = file && fscanf(file, "%ld", &changes) == 1;
  tap_ok(counted && changes > 50, "changes files %ld times", changes);
  if (file)
    fclose(file);
  free(count);
  free(environment);
}

static void killed_while_writing(void)
{
  int tried = 0, recovered = 0, ended = 0;
  /* How many changes a run makes depends on how its workers take turns: the last quarter may not
   * be reached. */
  for (long at = 1; at < changes * 3 / 4; at = after(at)) {
    struct faults_run run;
    char *environment = faults_inject("FAULT_ROLE=run FAULT_KILL=%ld", at);
    const int status = faults_study_run(&run, environment, "torn.db");
    tried++;
    ended += status == 128 + SIGKILL;
    if (status != 128 + SIGKILL)
      tap_diag("change %ld: status %d: %s", at, status, run.said);
    char *before = faults_rows("torn.db");
    const bool ok = recovers("torn.db", before);
    if (!ok)
      tap_diag("killed in change %ld", at);
    recovered += ok;
    free(before);
    free(environment);
  }
  tap_is_int(ended, tried, "%d runs are killed in the middle of a change of a file", tried);
  tap_is_int(recovered, tried, "and the same command brings each to its end, nothing lost");
}

static void full_disk(void)
{
  int tried = 0, named = 0, recovered = 0;
  for (long at = 1; at < changes * 3 / 4; at = after(at)) {
    struct faults_run run;
    char *environment = faults_inject("FAULT_ROLE=run FAULT_FULL=%ld", at);
    const int status = faults_study_run(&run, environment, "full.db");
    tried++;
    const bool ok = (status == 2 || status == 3) && strstr(run.said, "full.db: the disk is full");
    if (!ok)
      tap_diag("change %ld: status %d: %s", at, status, run.said);
    named += ok;
    char *before = faults_rows("full.db");
    recovered += recovers("full.db", before);
    free(before);
    free(environment);
  }
  tap_is_int(named, tried, "%d runs find the disk full, and say so", tried);
  tap_is_int(recovered, tried, "and go on where they stopped when there is space again");
}

/* The kernel's own limit, which needs no library: a signal by default, and an error of its own. */
static void size_limit(void)
{
  struct rlimit old;
  getrlimit(RLIMIT_FSIZE, &old);
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){65536, old.rlim_max});
  struct faults_run run;
  const int status = faults_study_run(&run, NULL, "limit.db");
  setrlimit(RLIMIT_FSIZE, &old);
  tap_ok(status == 3 && strstr(run.said, "limit.db") && strstr(run.said, "ulimit -f"),
         "a limit on the size of files is named: %d, %s", status, run.said);
  char *before = faults_rows("limit.db");
  tap_ok(before && recovers("limit.db", before), "and goes on without it");
  free(before);
}

/* Permissions mean nothing to root: then it is another user who tries, with a copy of the program,
 * since the build folder may be root's alone. */
static int as_someone(struct faults_run *run, const char *store)
{
  if (geteuid() != 0)
    return faults_study_run(run, NULL, store);
  char *const own = shk_copy_text(getenv("SHAKEDOWN")), *const copy = faults_path("program"),
              *const command = shk_print_text("cp '%s' '%s'", own, copy);
  int status = -1;
  if (system(command) == 0 && chmod(faults_folder, 0755) == 0 && seteuid(65534) == 0) {
    setenv("SHAKEDOWN", copy, 1);
    status = faults_study_run(run, NULL, store); /* exec takes the real user over */
    setenv("SHAKEDOWN", own, 1);
    status = seteuid(0) == 0 ? status : -1;
  }
  free(own);
  free(copy);
  free(command);
  return status;
}

static void cannot_be_written(void)
{
  struct faults_run run;
  char *store = faults_path("undisturbed.db"), *moved = faults_path("locked/plain.db"),
       *folder = faults_path("locked"), *command = shk_print_text("cp '%s' '%s'", store, moved);
  const bool made = mkdir(folder, 0755) == 0 && system(command) == 0;
  chmod(moved, 0444);
  chmod(folder, 0555);
  int status = as_someone(&run, "locked/plain.db");
  tap_ok(made && status == 2 && strstr(run.said, "locked/plain.db") &&
             strstr(run.said, strerror(EACCES)),
         "a store in a folder that cannot be written: %d, %s", status, run.said);
  const char *const show[] = {"show", moved, NULL};
  faults_run(&run, NULL, show);
  tap_is_int(run.status, 0, "but it can be shown %s", run.said);
  chmod(folder, 0777);
  status = as_someone(&run, "locked/plain.db");
  tap_ok(status == 2 && strstr(run.said, "locked/plain.db") && strstr(run.said, "read-only"),
         "a store that cannot be written itself: %d, %s", status, run.said);
  tap_is_int(faults_same("locked/plain.db", "undisturbed.db"), want(), "nothing of it changed");
  char *lock = faults_path("locked/plain.db-lock");
  tap_ok(access(lock, F_OK) != 0, "and no lock is left beside it");
  free(lock);
  free(store);
  free(moved);
  free(folder);
  free(command);
}

int main(void)
{
  if (!faults_begin(faults_text))
    return tap_done();
  undisturbed();
  killed_while_writing();
  full_disk();
  size_limit();
  cannot_be_written();
  return faults_end();
}

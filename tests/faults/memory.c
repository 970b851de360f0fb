/*
 * Memory that ends: allocations of the scheduler, of a worker and of a cell fail, one in each run
 * and then all from there on. The run ends with the cause named and with all that was recorded; or
 * it ends well, for some of them can be done without; it never crashes, and the same command then
 * leaves the records of an undisturbed run.
 *
 * SHAKEDOWN_ALLOCATIONS says how many of the allocations are tried in each place (16 when unset).
 */
#include "tests/faults/faults.h"

static long moments = 16;

/* How many allocations there are in a process of this role, in a run that nothing disturbs. One
 * worker: of two, the one that ends last counts, and it may have had no cell. */
static long count_allocations(const char *role, int *status)
{
  struct faults_run run;
  char *count = faults_path("count");
  char *study = faults_path("study.yaml"), *store = faults_path("counted.db");
  char *environment = faults_inject("FAULT_ROLE=%s FAULT_COUNT=%s", role, count);
  faults_run(&run, environment,
             (const char *const[]){"run", study, "-o", store, "-j", "1", "--quiet", NULL});
  *status = run.status;
  long changes = 0, allocations = 0;
  FILE *file = fopen(count, "re");
  if (!file || fscanf(file, "%ld %ld", &changes, &allocations) != 2)
    allocations = 0;
  if (file)
    fclose(file);
  free(environment);
  free(store);
  free(study);
  free(count);
  faults_remove("counted.db");
  return allocations;
}

/* What the record of a cell says of it, in the store. */
static bool recorded_as_memory(const char *name)
{
  char *rows = faults_rows(name);
  const bool said = rows && strstr(rows, "memory");
  free(rows);
  return said;
}

static void starved(const char *role, const char *fault, long allocations)
{
  int tried = 0, sound = 0, recovered = 0, well = 0, crashed = 0;
  uint64_t state = tap_seed(7);
  for (long i = 0; i < moments; i++) {
    /* Spread evenly on a logarithmic scale: what is done first is different each time, what is done
     * later repeats itself; moved at random within its part. */
    state = state * 6364136223846793005u + 1442695040888963407u;
    const double part = ((double)i + (double)(state >> 40) / (1 << 24)) / (double)moments;
    const long at = (long)pow((double)allocations, part);
    struct faults_run run;
    char *environment = faults_inject("FAULT_ROLE=%s %s=%ld", role, fault, at);
    int status = faults_study_run(&run, environment, "memory.db");
    char *before = faults_rows("memory.db");
    const bool named = strstr(run.said, "memory") || recorded_as_memory("memory.db");
    /* libfyaml may crash, or lose a word of the study, which is then found to be wrong. */
    const bool unread =
        (status == 128 + SIGSEGV || (status == 2 && strstr(run.said, "study.yaml:") && !named)) &&
        before && before[0] == '\0';
    const bool fine = status == 0 || unread || ((status == 2 || status == 3) && named);
    crashed += unread;
    tried++;
    well += status == 0;
    sound += fine;
    if (!fine)
      tap_diag("allocation %ld: status %d: %s", at, status, run.said);
    char *study = faults_path("study.yaml"), *store = faults_path("memory.db");
    faults_run(&run, NULL,
               (const char *const[]){"run", study, "-o", store, "--quiet", "--again", NULL});
    status = run.status;
    char *after = faults_rows("memory.db");
    const bool kept = faults_kept(before, after);
    const int same = faults_same("memory.db", "undisturbed.db");
    recovered += status == 0 && kept && same == faults_plan->count;
    if (status != 0 || !kept || same != faults_plan->count)
      tap_diag("allocation %ld: then status %d, %d records, %s: %s", at, status, same,
               kept ? "none lost" : "some lost", run.said);
    faults_remove("memory.db");
    free(study);
    free(store);
    free(before);
    free(after);
    free(environment);
  }
  tap_ok(crashed <= tried / 8, "at most a few of %d while the study is read: %d", tried, crashed);
  tap_is_int(sound, tried, "%s in \"%s\": %d runs name the cause, or end well (%d)", fault, role,
             tried, well);
  tap_is_int(recovered, tried, "and then the same command leaves the records of any run");
}

int main(void)
{
  const char *wanted = getenv("SHAKEDOWN_ALLOCATIONS");
  if (wanted)
    moments = atol(wanted);
  if (!faults_begin(faults_text))
    return tap_done();
  struct faults_run run;
  tap_is_int(faults_study_run(&run, NULL, "undisturbed.db"), 0, "an undisturbed run");
  static const char *const roles[] = {"run", "server"};
  for (int i = 0; i < 2; i++) {
    int status;
    const long allocations = count_allocations(roles[i], &status);
    if (!tap_ok(status == 0 && allocations > 1000, "\"%s\" allocates %ld times", roles[i],
                allocations))
      continue;
    starved(roles[i], "FAULT_MEMORY", allocations);
    starved(roles[i], "FAULT_STARVE", allocations);
  }
  /* A cell leaves by _exit, so it does not count: a few thousand are its first and its last. */
  starved("cell", "FAULT_MEMORY", 3000);
  starved("cell", "FAULT_STARVE", 3000);
  return faults_end();
}

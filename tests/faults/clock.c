/*
 * A wall clock that jumps by decades, back and forth, in every process of a run: nothing is given
 * up for its time, nothing is lost or made twice, and the records are those of an undisturbed run;
 * the dates alone tell of it. Limits of time still hold.
 */
#include "tests/faults/faults.h"

int main(void)
{
  static const char hostile[] = "study: hostile\n"
                                "runs:\n"
                                "  - problems: [pendulum]\n"
                                "    integrators: [hostile(hang)]\n"
                                "    steps: [0.1]\n"
                                "    until: 1\n"
                                "    limits: {seconds: 1}\n";
  if (!faults_begin(faults_text))
    return tap_done();
  struct faults_run run;
  tap_is_int(faults_study_run(&run, NULL, "undisturbed.db"), 0, "an undisturbed run");
  static const char *const roles[] = {"run", "server", "cell"};
  for (int i = 0; i < 3; i++) {
    char *environment = faults_inject("FAULT_ROLE=%s FAULT_CLOCK=1", roles[i]);
    const int status = faults_study_run(&run, environment, "clock.db");
    tap_ok(status == 0, "a run with a clock that jumps in \"%s\": %d %s", roles[i], status,
           run.said);
    tap_is_int(faults_same("clock.db", "undisturbed.db"), faults_plan->count,
               "leaves the records of any run");
    char *before = faults_rows("clock.db");
    tap_is_int(faults_study_run(&run, environment, "clock.db"), 0, "a second time");
    char *after = faults_rows("clock.db");
    tap_ok(faults_kept(before, after), "it makes none of them again");
    faults_remove("clock.db");
    free(before);
    free(after);
    free(environment);
  }

  faults_write("study.yaml", hostile);
  char *environment = faults_inject("FAULT_ROLE=server FAULT_CLOCK=1");
  char *study = faults_path("study.yaml"), *store = faults_path("hang.db");
  const time_t begin = time(NULL);
  faults_run(&run, environment,
             (const char *const[]){"run", study, "-o", store, "-j", "1", "--plugin",
                                   getenv("SHAKEDOWN_HOSTILE"), NULL});
  const double seconds = difftime(time(NULL), begin);
  char *rows = faults_rows("hang.db");
  tap_ok(run.status == 3 && rows && strstr(rows, "time limit"),
         "a cell that hangs is stopped at its limit all the same: %d", run.status);
  tap_ok(seconds < 40, "and soon: %g s", seconds);
  free(rows);
  free(study);
  free(store);
  free(environment);
  return faults_end();
}

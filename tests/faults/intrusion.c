/*
 * Cells that reach out of their process: to their server, the scheduler, files, by signals, as a
 * debugger, through a constructor; and those that leave it other than they found it. Where the kernel has Landlock nothing of it comes to pass. Where
 * it has not (a filter of system calls stands in for such a kernel), and when somebody stops a
 * server from outside, the run ends all the same: the cell is recorded with the cause, and the others
 * have the records that they have without it.
 */
#include "tests/faults/faults.h"
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

/* Without references, which have ten minutes at least. */
static const char study_text[] = "study: stopped\n"
                                 "runs:\n"
                                 "  - problems:\n"
                                 "      - pendulum(angle=0.7,rate=1.1)\n"
                                 "      - sprung-pendulum\n"
                                 "    integrators: [rattle, shake, symplectic-euler-rattle]\n"
                                 "    steps: [0.1, 0.05, 0.025]\n"
                                 "    until: 1\n"
                                 "    measures: [energy]\n"
                                 "    limits: {seconds: 3}\n";

static char *target, *plugin;

static const char *mode = "--quiet"; /* an option more */

/* A study of the acts beside the cells of another, into a store; returns the exit status. */
static int run_acts(struct faults_run *run, const char *acts, const char *seconds,
                    const char *store)
{
  char *integrators = shk_copy_text(""), *copy = shk_copy_text(acts), *rest = copy;
  for (char *act; (act = strsep(&rest, " "));)
    shk_append_text(&integrators, "      - intruder(%s)\n", act);
  char *text = shk_print_text("study: acts\nruns:\n  - problems: [pendulum]\n    integrators:\n%s"
                              "    steps: [0.1]\n    until: 1\n    measures: [energy]\n"
                              "    limits: {seconds: %s}\n",
                              integrators, seconds);
  faults_write("acts.yaml", text);
  faults_write("target", "as it was");
  char *study = faults_path("acts.yaml"), *path = faults_path(store);
  faults_run(run, NULL,
             (const char *const[]){"run", study, "-o", path, "-j", "4", "--quiet", mode, "--plugin",
                                   plugin, NULL});
  free(study);
  free(path);
  free(text);
  free(copy);
  free(integrators);
  return run->status;
}

/* Whether a cell of this act ended so: its status, and words in its reason or at the start of its output. */
static bool ended(const char *store, const char *act, const char *status, const char *words)
{
  char *path = faults_path(store);
  char *sql =
      shk_print_text("SELECT status, reason, output FROM cells WHERE integrator='intruder(%s)' OR "
                     "('%s'='rest' AND integrator='intruder')",
                     act, act);
  sqlite3 *database = NULL;
  sqlite3_stmt *statement = NULL;
  bool ok = false;
  if (sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK &&
      sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK &&
      sqlite3_step(statement) == SQLITE_ROW) {
    const char *const its = (const char *)sqlite3_column_text(statement, 0);
    const char *const why = (const char *)sqlite3_column_text(statement, 1);
    const char *const output = (const char *)sqlite3_column_text(statement, 2);
    ok = strcmp(its, status) == 0 &&
         (strstr(why, words) || (output && strncmp(output, words, strlen(words)) == 0));
    if (!ok)
      tap_diag("%s: %s, %s", act, its, why);
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  free(sql);
  free(path);
  return ok;
}

static bool target_is_whole(void)
{
  char text[16] = "";
  FILE *file = fopen(target, "re");
  const size_t count = file ? fread(text, 1, sizeof text - 1, file) : 0;
  if (file)
    fclose(file);
  return count == 9 && strcmp(text, "as it was") == 0;
}

/* One that keeps signals in, too. */
static bool has_landlock(void)
{
  return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 6;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What is left of the folders for temporary files; their parent is the folder of the test. */
static int folders_left(void)
{
  int count = 0;
  DIR *entries = opendir(faults_folder);
  for (struct dirent *one; entries && (one = readdir(entries));)
    count += strncmp(one->d_name, "shakedown-", 10) == 0;
  if (entries)
    closedir(entries);
  return count;
}

static void fenced(void)
{
  struct faults_run run;
  const int status = run_acts(&run,
                              "rest stop-worker stop-scheduler unlink overwrite write-here "
                              "write-temporary",
                              "20", "fenced.db");
  tap_is_int(status, 0, "signals and files of others are out of reach %s", run.said);
  static const char *const acts[] = {"stop-worker", "stop-scheduler", "unlink", "overwrite"};
  for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
    tap_ok(ended("fenced.db", acts[i], "ok", ""), "%s comes to nothing", acts[i]);
  tap_ok(target_is_whole(), "the file that is attacked is as it was");
  tap_is_int(access("intruder.txt", F_OK), -1, "nothing is written where the run was started");
  tap_ok(ended("fenced.db", "write-temporary", "ok", ""), "a cell has a folder of its own");
  run_acts(&run, "trace-worker stop-itself", "2", "traced.db");
  tap_ok(ended("traced.db", "trace-worker", "timed-out", "limit of 2 s") &&
             ended("traced.db", "stop-itself", "timed-out", "limit of 2 s") &&
             !ended("traced.db", "trace-worker", "timed-out", "server"),
         "its server is not traced, and one that stops itself is timed out");
  tap_is_int(folders_left(), 0, "no folder is left");
}

/* Someone stops the servers of a run, or all of it, for so many seconds; 0: for good. */
static int stop_from_outside(const char *store, bool scheduler, useconds_t after, double seconds)
{
  char *study = faults_path("study.yaml"), *path = faults_path(store);
  const pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stdout)) /* our own is TAP */
      _exit(126);
    execl(getenv("SHAKEDOWN"), "shakedown", "run", study, "-o", path, "-j", "2", "--quiet",
          "--again", NULL);
    _exit(126);
  }
  free(study);
  free(path);
  usleep(after);
  pid_t servers[8];
  int count = 0;
  for (int i = 0; i < 1000 && (count = faults_processes(servers, 8, "shk-server", child)) == 0; i++)
    usleep(1000);
  for (int i = 0; i < count; i++)
    kill(servers[i], SIGSTOP);
  if (scheduler)
    kill(child, SIGSTOP);
  if (seconds > 0) {
    usleep((useconds_t)(1e6 * seconds));
    if (scheduler)
      kill(child, SIGCONT);
    usleep(300000); /* the scheduler goes on first */
    for (int i = 0; i < count; i++)
      kill(servers[i], SIGCONT);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void stopped(void)
{
  struct faults_run run;
  tap_is_int(faults_study_run(&run, NULL, "undisturbed.db"), 0, "an undisturbed run %s", run.said);
  double begin = now();
  int status = stop_from_outside("stopped.db", false, 30000, 0);
  tap_ok((status == 0 || status == 3) && now() - begin < 60,
         "with its servers stopped for good a run ends, after %.1f s", now() - begin);
  status = faults_study_run(&run, NULL, "stopped.db");
  tap_ok(status == 0 || status == 3, "another one does the rest");
  begin = now();
  tap_is_int(stop_from_outside("stopped.db", true, 20000, 0.5), 0,
             "what was stopped for a while goes on, and --again makes the rest");
  tap_is_int(faults_same("stopped.db", "undisturbed.db"), faults_plan->count,
             "in the end all records are those of the undisturbed run");
  faults_remove("stopped.db");
  tap_is_int(stop_from_outside("stopped.db", true, 20000, 15), 0,
             "a run that is stopped for longer than its cells may take times none of them out");
  tap_is_int(faults_same("stopped.db", "undisturbed.db"), faults_plan->count,
             "and has the same records");
}

/* Commands that run a plug-in without a server, in processes of their own, with an option more. */
static void run_directly(struct faults_run *run, int which, const char *option)
{
  const char *const commands[][10] = {{"simulate", "pendulum", "rattle", "--step", "0.1", "--until",
                                       "0.2", option, "--plugin", plugin},
                                      {"diagnose", "pendulum", option, "--plugin", plugin},
                                      {"plugin", "check", plugin, "--quick", option}};
  const char *words[11] = {NULL};
  for (int i = 0; i < 10 && commands[which][i]; i++)
    words[i] = commands[which][i];
  faults_run(run, NULL, words);
}

/* What --sandbox keeps in, and what goes on without it; of a file that is none of the study's. */
static void sandboxed(void)
{
  static const char *const acts[] = {"read", "connect", "execute", "permit"};
  static const char *const done[] = {"read", "connected", "executed", "permitted"};
  char folder[] = "/tmp/shakedown-secret-XXXXXX";
  TEXT secret = mkdtemp(folder) ? shk_print_text("%s/secret", folder) : NULL;
  FILE *out = secret ? fopen(secret, "we") : NULL;
  struct faults_run run;
  if (!tap_ok(out && fclose(out) == 0 && setenv("SHAKEDOWN_INTRUDED", secret, 1) == 0,
              "there is a file elsewhere"))
    return;
  for (int inside = 0; inside < 2; inside++) {
    mode = inside ? "--sandbox" : "--quiet";
    const char *const store = inside ? "inside.db" : "outside.db";
    tap_is_int(run_acts(&run, "rest read connect execute permit", "20", store), 0, "%s: %s", mode,
               run.said);
    for (int i = 0; i < 4; i++) {
      char words[32];
      snprintf(words, sizeof words, "%s%s\n", inside ? "not " : "", done[i]);
      tap_ok(ended(store, acts[i], "ok", words), "%s: %s", acts[i], words);
    }
  }
  mode = "--quiet";
  static const char *const direct[] = {"simulate", "diagnose", "plugin check"};
  for (int k = 0; k < 3; k++) {
    setenv("SHAKEDOWN_INTRUDER", "read", 1);
    run_directly(&run, k, "--sandbox");
    tap_ok(strstr(run.said, "constructor: not read") && !strstr(run.said, "constructor: read"),
           "%s: a constructor does not read the file either", direct[k]);
    setenv("SHAKEDOWN_INTRUDER", "unlink", 1);
    run_directly(&run, k, "--allow-external");
    tap_ok(access(secret, F_OK) == 0, "%s: without a sandbox none removes it", direct[k]);
  }
  unsetenv("SHAKEDOWN_INTRUDER");
  setenv("SHAKEDOWN_INTRUDED", target, 1);
  unlink(secret);
  rmdir(folder);
}

/* What a cell changes in its own process, and in the state that a step is given. */
static void changed(void)
{
  static const struct {
    const char *act, *words;
  } acts[] = {
    {"round", "rounding mode"},
#if defined(__x86_64__) || defined(__aarch64__)
    {"flush", "subnormal"},
#endif
    {"locale", "locale"},
    {"handler", "signal"},
    {"start", "wrote over the state"}
  };
  struct faults_run run;
  tap_is_int(run_acts(&run, "rest round flush locale handler start", "20", "changed.db"), 3,
             "changes that nobody asked for are failures");
  for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
    tap_ok(ended("changed.db", acts[i].act, "stopped", acts[i].words), "%s is told as the cause",
           acts[i].act);
  tap_ok(ended("changed.db", "rest", "ok", ""), "what changes nothing goes on");
}

/* What a constructor does when the plug-in is loaded. */
static void constructed(void)
{
  static const struct {
    const char *what, *words;
  } acts[] = {{"loop", "time limit of 60 s"},
              {"stop", "time limit of 60 s"},
              {"crash", "signal 11"},
              {"leave", "exit code 0"}};
  const char *const commands[][6] = {{"list", "integrators", "--plugin", plugin, NULL},
                                     {"plugin", "check", plugin, NULL},
                                     {"run", "quick", "--quiet", "--plugin", plugin, NULL}};
  for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
    setenv("SHAKEDOWN_INTRUDER", acts[i].what, 1);
    for (size_t k = 0; k < 3; k++) {
      if (i < 2 && k != i)
        continue; /* these take their time */
      struct faults_run run;
      const double begin = now();
      faults_run(&run, NULL, commands[k]);
      tap_ok(run.status == 2 && strstr(run.said, "intruder.so: while it was loaded") &&
                 strstr(run.said, acts[i].words) && now() - begin < 90,
             "a constructor that does %s ends %s %s with its name: %s", acts[i].what,
             commands[k][0], commands[k][1], run.said);
    }
  }
  setenv("SHAKEDOWN_INTRUDER", "unlink", 1);
  faults_write("target", "as it was");
  struct faults_run run;
  faults_run(&run, NULL, commands[0]);
  tap_ok(run.status == 0 && (target_is_whole() || !has_landlock()),
         "one that removes files removes none");
  unsetenv("SHAKEDOWN_INTRUDER");
}

/* From now on, in this process and all that it starts, as in a kernel without Landlock. */
static bool lose_landlock(void)
{
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_landlock_create_ruleset, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const struct sock_fprog program = {sizeof code / sizeof code[0], code};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static void unfenced(void)
{
  struct faults_run run;
  if (!lose_landlock()) {
    tap_skip("system calls cannot be filtered here");
    return;
  }
  mode = "--sandbox";
  tap_ok(run_acts(&run, "rest", "2", "none.db") == 2 && strstr(run.said, "--sandbox: this kernel"),
         "a sandbox that cannot be had is told: %s", run.said);
  mode = "--quiet";
  const double begin = now();
  const int status = run_acts(&run, "rest stop-worker trace-worker", "2", "silent.db");
  tap_ok(status == 3 && now() - begin < 50,
         "without it servers are stopped, and the run ends: %.1f s", now() - begin);
  static const char *const acts[] = {"stop-worker", "trace-worker"};
  for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
    tap_ok(ended("silent.db", acts[i], "timed-out", "server did not answer: it was stopped") ||
               (getuid() != 0 && strcmp(acts[i], "trace-worker") == 0 &&
                ended("silent.db", acts[i], "timed-out", "")),
           "%s is recorded with the cause", acts[i]);
  tap_ok(ended("silent.db", "rest", "ok", ""), "the cell beside them has its record");
  tap_is_int(faults_processes(NULL, 0, "intruder", 0), 0, "no process is left");
  tap_is_int(folders_left(), 0, "and no folder");
}

int main(void)
{
  if (!faults_begin(study_text))
    return tap_done();
  plugin = getenv("SHAKEDOWN_INTRUDER_PLUGIN");
  target = faults_path("target");
  setenv("SHAKEDOWN_INTRUDED", target, 1);
  setenv("TMPDIR", faults_folder, 1);
  if (has_landlock()) {
    fenced();
    sandboxed();
  } else {
    tap_skip("this kernel's Landlock does not keep signals in");
  }
  constructed();
  changed();
  stopped();
  unfenced();
  free(target);
  return faults_end();
}

/* What the tests of faults share: a small study, the program run under faults (interpose.c), and
 * stores compared by their values. The folder of a test is made by faults_begin. */
#ifndef TESTS_FAULTS_FAULTS_H
#define TESTS_FAULTS_FAULTS_H

#include "foundation/memory.h"
#include "harness/plan/plan.h"
#include "harness/study/study.h"
#include "results/store/store.h"
#include "tests/kit/store_fixture.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char faults_folder[] = "/tmp/shakedown-faults-XXXXXX";
static struct shk_study *faults_study;
static struct shk_plan *faults_plan;

/* A path in the folder; the caller frees it. */
static inline char *faults_path(const char *name)
{
  return shk_print_text("%s/%s", faults_folder, name);
}

static inline void faults_write(const char *name, const char *text)
{
  char *path = faults_path(name);
  FILE *file = fopen(path, "we");
  if (file) {
    fputs(text, file);
    fclose(file);
  }
  free(path);
}

/* How many processes there are of that name (NULL: any) and that parent (0: any), and the first
 * `room` of them. */
static inline int faults_processes(pid_t *list, int room, const char *name, pid_t parent)
{
  int count = 0;
  DIR *processes = opendir("/proc");
  for (struct dirent *one; processes && (one = readdir(processes));) {
    char *path = shk_print_text("/proc/%s/stat", one->d_name), its[64] = "";
    FILE *file = atol(one->d_name) > 0 ? fopen(path, "re") : NULL;
    int number = 0, of = 0;
    if (file && fscanf(file, "%d (%63[^)]) %*c %d", &number, its, &of) == 3 &&
        (parent == 0 || of == parent) && (!name || strcmp(its, name) == 0)) {
      if (count < room)
        list[count] = number;
      count++;
    }
    if (file)
      fclose(file);
    free(path);
  }
  if (processes)
    closedir(processes);
  return count;
}

static inline void faults_remove(const char *store)
{
  static const char *const ends[] = {"", "-wal", "-shm", "-lock", "-journal"};
  for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
    char *path = shk_print_text("%s/%s%s", faults_folder, store, ends[i]);
    unlink(path);
    free(path);
  }
}

/* Makes the folder, the study in it (study.yaml) and its plan. */
static inline bool faults_begin(const char *text)
{
  struct shk_message error = {""};
  if (mkdtemp(faults_folder)) {
    faults_write("study.yaml", text);
    faults_study = shk_study_parse(&test_context, text, strlen(text), "study.yaml", &error);
    faults_plan = faults_study ? shk_plan_make(faults_study, &error) : NULL;
  }
  return tap_ok(faults_plan != NULL, "a study of %d cells %s", faults_plan ? faults_plan->count : 0,
                error.text);
}

static inline int faults_end(void)
{
  char *command = shk_print_text("rm -rf '%s'", faults_folder);
  tap_ok(system(command) == 0, "tidied up");
  free(command);
  shk_plan_free(faults_plan);
  shk_study_free(faults_study);
  return tap_done();
}

/* What a run of the program left behind. */
struct faults_run {
  int status;      /* exit status, or 128 + the signal */
  char said[4096]; /* standard error, its end cut off */
};

/* Runs the program with words added to its environment ("A=1 B=2"; NULL: none), at most three
 * minutes (a plug-in has one to load); the arguments end with NULL. */
static inline void faults_run(struct faults_run *run, const char *environment,
                              const char *const *arguments)
{
  int ends[2];
  *run = (struct faults_run){.status = -1};
  if (pipe2(ends, O_CLOEXEC))
    return;
  const pid_t child = fork();
  if (child == 0) {
    char *words = shk_copy_text(environment ? environment : ""), *rest = words;
    for (char *word; (word = strsep(&rest, " "));)
      if (*word)
        putenv(word);
    const char *all[24] = {getenv("SHAKEDOWN")};
    for (int i = 0; i < 22 && arguments[i]; i++)
      all[i + 1] = arguments[i];
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    alarm(180);
    execv(all[0], (char *const *)all);
    _exit(126);
  }
  close(ends[1]);
  size_t length = 0;
  char buffer[512];
  ssize_t count;
  while ((count = read(ends[0], buffer, sizeof buffer)) > 0)
    for (ssize_t i = 0; i < count && length + 1 < sizeof run->said; i++)
      run->said[length++] = buffer[i];
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* `shakedown run` of the study into a store of the folder. */
static inline int faults_study_run(struct faults_run *run, const char *environment,
                                   const char *store)
{
  char *study = faults_path("study.yaml"), *path = faults_path(store);
  faults_run(run, environment,
             (const char *const[]){"run", study, "-o", path, "-j", "2", "--quiet", NULL});
  free(study);
  free(path);
  return run->status;
}

/* ---- stores ---- */

/* How many cells of the plan have the same record in both stores, clocks apart, and nothing else is
 * in the first; -1 if one of them cannot be read. */
static inline int faults_same(const char *a, const char *b)
{
  struct shk_message error = {""};
  char *paths[2] = {faults_path(a), faults_path(b)};
  struct shk_store *stores[2];
  for (int i = 0; i < 2; i++) {
    stores[i] = shk_store_open(paths[i], SHK_STORE_READ, &error);
    free(paths[i]);
  }
  if (!stores[0] || !stores[1])
    tap_diag("%s", error.text);
  const int same =
      stores[0] && stores[1] ? fixture_same_records(faults_plan, stores[0], stores[1]) : -1;
  const long count = same >= 0 ? shk_store_record_count(stores[0]) : 0;
  if (same >= 0 && count != faults_plan->count)
    tap_diag("%ld records of %d cells", count, faults_plan->count);
  for (int i = 0; i < 2; i++)
    shk_store_close(stores[i], &error);
  return count == faults_plan->count ? same : -1;
}

#endif

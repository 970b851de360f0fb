/*
 * shakedown-bench-scheduling [CELLS [JOBS [TIMES]]]: the cost of scheduling and storing a cell.
 *
 * Runs a study of many small cells (8 to 64 steps of a pendulum, with their series; TIMES as many)
 * into a store below TMPDIR, or /tmp, then opens the store again, where no cell is left to run.
 */
#include "foundation/memory.h"
#include "harness/analysis/analysis.h"
#include "harness/plan/plan.h"
#include "harness/run/scheduler.h"
#include "results/store/store.h"
#include "tests/kit/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { CELLS_OF_A_PROBLEM = 8, MOST_CELLS = 200000 };

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double processor_seconds(int who)
{
  struct rusage usage;
  getrusage(who, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

static double peak_megabytes(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_maxrss / 1024;
}

static char *study_text(int cells, int times)
{
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  fputs("study: many\nruns:\n  - problems:\n", out);
  for (int i = 0; i < cells / CELLS_OF_A_PROBLEM; i++)
    fprintf(out, "      - pendulum(angle=%.4f)\n", 0.1 + 1e-4 * i);
  fputs("    integrators: [rattle, shake]\n    steps: {largest: 0.1, halvings: 3}\n"
        "    measures: [energy, constraint]\n",
        out);
  fprintf(out, "    until: %.1f\n", 0.8 * times);
  fclose(out);
  return text;
}

struct round {
  double plan_each, store_each, analysis_each; /* processor time, seconds */
  double plan, schedule, integration, cells;   /* seconds; cells: wall time of their processes */
  struct shk_schedule_result result;
};

/* Adds the processor time that a cell reports, and the wall time of its process. */
static void add_seconds(void *user, int index, const struct shk_record *record)
{
  struct round *round = user;
  const double seconds = shk_outcome_scalar(&record->outcome, "cpu-seconds");
  (void)index;
  round->integration += seconds > 0 ? seconds : 0;
  round->cells += record->seconds;
}

static bool analyse(const struct shk_study *study, const struct shk_plan *plan,
                    struct shk_store *store, struct shk_message *error)
{
  struct shk_records *const records = shk_plan_open_records(store, plan, false, error);
  if (!records)
    return false;
  shk_analysis_free(shk_analyse(study, plan, records, NULL));
  shk_stored_records_close(records);
  return true;
}

/* Plans the study and runs the cells missing in the store at `path`. */
static bool go(struct round *round, const char *text, const char *path, int jobs,
               struct shk_message *error)
{
  *round = (struct round){0};
  const double began = now(), busy = processor_seconds(RUSAGE_SELF);
  struct shk_study *study = shk_study_parse(&test_context, text, strlen(text), "many.yaml", error);
  struct shk_plan *plan = study ? shk_plan_make(study, error) : NULL;
  struct shk_store *store = NULL;
  round->plan = now() - began;
  round->plan_each = processor_seconds(RUSAGE_SELF) - busy;
  if (plan)
    store = shk_store_open(path, SHK_STORE_WRITE, error);
  const struct shk_schedule_options options = {.jobs = jobs,
                                               .servers = {&test_context, NULL, 0},
                                               .quiet = true,
                                               .done = add_seconds,
                                               .user = round};
  bool ok = store != NULL && shk_schedule(plan, store, &options, &round->result, error);
  round->schedule = now() - began - round->plan;
  round->store_each = processor_seconds(RUSAGE_SELF) - busy - round->plan_each;
  ok = ok && analyse(study, plan, store, error);
  round->analysis_each =
      processor_seconds(RUSAGE_SELF) - busy - round->plan_each - round->store_each;
  ok = shk_store_close(store, error) && ok;
  shk_plan_free(plan);
  shk_study_free(study);
  if (ok && round->result.ok + round->result.kept != round->result.planned) {
    shk_message_set(error, "%d cells are not ok", round->result.failed + round->result.left);
    ok = false;
  }
  return ok;
}

/*
 * Prints lines NAME=VALUE:
 *
 *   plan               seconds to read and expand the study
 *   run                wall time, seconds
 *   scheduler          processor time of the process that schedules and stores, ms per cell
 *   servers            processor time of the servers and of the processes of the cells, ms per cell
 *   integration        its part that the cells themselves report, ms per cell
 *   overhead           scheduler + servers − integration, ms per cell
 *   busy               total processor time over wall time times cores used, %; meaningful only if
 *                      no other process runs on these cores
 *   occupied           share of the servers' wall time in which a process of a cell existed, %
 *   resume             seconds to plan the finished study, open its store and look up all cells
 *   plan-each, store-each, analysis-each   processor time of the scheduling process for planning,
 *                      for look-up and storage, and for the analysis, ms per cell
 *   memory             peak memory of the scheduling process, MB
 */
static bool measure(int cells, int jobs, int times, const char *path, struct shk_message *error)
{
  struct round first, again;
  char *text = study_text(cells, times);
  const double own = processor_seconds(RUSAGE_SELF), others = processor_seconds(RUSAGE_CHILDREN);
  bool ok = text != NULL && go(&first, text, path, jobs, error);
  const double scheduler = processor_seconds(RUSAGE_SELF) - own - first.analysis_each;
  const double servers = processor_seconds(RUSAGE_CHILDREN) - others;
  const double memory = peak_megabytes();
  ok = ok && go(&again, text, path, jobs, error);
  free(text);
  if (!ok)
    return false;
  const double each = 1e3 / first.result.planned;
  printf("cells=%d\njobs=%d\nplan=%.2f\nrun=%.1f\nscheduler=%.3f\nservers=%.3f\n"
         "integration=%.3f\noverhead=%.3f\nbusy=%.0f\noccupied=%.1f\nresume=%.2f\nmemory=%.0f\n"
         "plan-each=%.3f\nstore-each=%.3f\nanalysis-each=%.3f\n",
         first.result.planned, jobs, first.plan, first.schedule, scheduler * each, servers * each,
         first.integration * each, (scheduler + servers - first.integration) * each,
         100 * (scheduler + servers) / (jobs * first.schedule),
         100 * first.cells / (jobs * first.schedule), again.plan + again.schedule, memory,
         first.plan_each * each, first.store_each * each, first.analysis_each * each);
  return again.result.kept == again.result.planned;
}

int main(int count, char **arguments)
{
  const int cells = count > 1 ? atoi(arguments[1]) : 10000;
  const int jobs = count > 2 ? atoi(arguments[2]) : 2;
  const int times = count > 3 ? atoi(arguments[3]) : 1;
  if (times < 1 || times > 1000000 || cells < CELLS_OF_A_PROBLEM || cells > MOST_CELLS ||
      jobs < 1 || jobs > 64) {
    fprintf(stderr, "usage: shakedown-bench-scheduling [CELLS [JOBS [TIMES]]]\n");
    return 2;
  }
  const char *folder = getenv("TMPDIR");
  char *path =
      shk_print_text("%s/shakedown-bench-%ld.db", folder ? folder : "/tmp", (long)getpid());
  struct shk_message error = {.text = ""};
  const bool ok = measure(cells, jobs, times, path, &error);
  if (!ok)
    fprintf(stderr, "shakedown-bench-scheduling: %s\n", error.text);
  unlink(path);
  free(path);
  return ok ? 0 : 1;
}

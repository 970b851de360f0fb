/*
 * The scheduler: the same records for any number of servers, whatever is killed and when; nothing
 * that is recorded is run again.
 *
 * usage: schedule [hostile.so]
 */
#include "harness/plan/plan.h"
#include "harness/run/scheduler.h"
#include "tests/kit/store_fixture.h"
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *plugin;
static char folder[] = "/tmp/shakedown-schedule-XXXXXX";

enum { MOST = 32 };

static char *in_folder(const char *name)
{
  return shk_print_text("%s/%s", folder, name);
}

/* ---- plans ---- */

static void plan_add(struct shk_plan *plan, const char *problem, const char *integrator,
                     const char *precision, const char *step, double seconds)
{
  struct shk_cell cell = fixture_cell(step);
  free(cell.problem);
  free(cell.integrator);
  free(cell.precision);
  cell.problem = shk_copy_text(problem);
  cell.integrator = shk_copy_text(integrator);
  cell.precision = shk_copy_text(precision);
  plan->cells[plan->count++] =
      (struct shk_planned){.cell = cell, .seconds = seconds, .megabytes = 1024};
}

static struct shk_plan plan_new(void)
{
  return (struct shk_plan){.context = &test_context,
                           .cells = shk_allocate(MOST, sizeof(struct shk_planned))};
}

static void plan_clear(struct shk_plan *plan)
{
  for (int i = 0; i < plan->count; i++)
    shk_cell_clear(&plan->cells[i].cell);
  free(plan->cells);
}

/* Cells of very different length, an impossible one among them. */
static struct shk_plan ordinary_plan(void)
{
  static const char *const steps[] = {"0.1", "0.05", "0.025", "0.0125", "0.00001"};
  struct shk_plan plan = plan_new();
  for (int i = 0; i < 5; i++) {
    plan_add(&plan, "pendulum(angle=0.7,rate=1.1)", "rattle", "double", steps[i], 60);
    plan_add(&plan, "double-pendulum", "shake", "double", steps[i], 60);
    if (i < 4)
      plan_add(&plan, "sprung-pendulum", "rattle", "quad", steps[i], 60);
  }
  plan_add(&plan, "pendulum", "no-such-integrator", "double", "0.1", 60);
  return plan;
}

static struct shk_store *open_store(const char *name)
{
  struct shk_message error = {""};
  char *path = name ? in_folder(name) : NULL;
  struct shk_store *store = shk_store_open(path, SHK_STORE_WRITE, &error);
  if (!store)
    tap_diag("%s", error.text);
  free(path);
  return store;
}

static void close_store(struct shk_store *store)
{
  struct shk_message error = {""};
  if (store && !shk_store_close(store, &error))
    tap_diag("%s", error.text);
}

static bool schedule(const struct shk_plan *plan, struct shk_store *store, int jobs,
                     struct shk_schedule_result *result)
{
  struct shk_message error = {""};
  const struct shk_schedule_options options = {
      .jobs = jobs, .servers = {&test_context, &plugin, 1}, .quiet = true};
  const bool ok = store && shk_schedule(plan, store, &options, result, &error);
  if (!ok)
    tap_diag("%s", error.text);
  return ok;
}

/* ---- any number of servers ---- */

static void numbers_of_servers(struct shk_store *undisturbed)
{
  struct shk_plan plan = ordinary_plan();
  struct shk_schedule_result result;
  bool ok = schedule(&plan, undisturbed, 1, &result);
  tap_ok(ok && result.planned == plan.count && result.kept == 0 && result.ok == plan.count - 1 &&
             result.failed == 1 && result.left == 0 && !result.interrupted,
         "one server runs all: %d ok, %d refused, %d failed", result.ok, result.refused,
         result.failed);
  tap_ok(schedule(&plan, undisturbed, 1, &result) && result.kept == plan.count && result.ok == 0,
         "a second time it runs nothing");
  static const int jobs[] = {2, 5};
  for (int i = 0; i < 2; i++) {
    struct shk_store *store = open_store(NULL);
    tap_ok(schedule(&plan, store, jobs[i], &result) && result.left == 0, "%d servers run all",
           jobs[i]);
    tap_is_int(fixture_same_records(&plan, undisturbed, store), plan.count,
               "and leave the same records, bit for bit");
    close_store(store);
  }
  plan_clear(&plan);
}

/* ---- without the time that runs take ---- */

static double seconds_of_pendulum(bool untimed)
{
  struct shk_plan plan = plan_new();
  plan_add(&plan, "pendulum", "rattle", "double", "0.1", 60);
  const struct shk_schedule_options options = {
      .jobs = 1, .servers = {&test_context, NULL, 0}, .quiet = true, .untimed = untimed};
  struct shk_schedule_result result;
  struct shk_message error = {""};
  struct shk_records *records = NULL;
  struct shk_store *store = open_store(NULL);
  double seconds = -1;
  if (shk_schedule(&plan, store, &options, &result, &error) && result.ok == 1 &&
      (records = shk_plan_open_records(store, &plan, true, &error)) != NULL)
    seconds = shk_outcome_scalar(&records->take(records, 0, 0)->outcome, "cpu-seconds");
  shk_stored_records_close(records);
  close_store(store);
  plan_clear(&plan);
  return seconds;
}

static void times(void)
{
  tap_ok(seconds_of_pendulum(false) > 0, "runs are timed");
  tap_ok(isnan(seconds_of_pendulum(true)), "unless that is not wanted");
}

/* ---- kills ---- */

static int told; /* descriptor on which a scheduler process tells of every record */

static void tell(void *user, int index, const struct shk_record *record)
{
  const char byte = (char)index;
  if (write(told, &byte, 1) != 1)
    _exit(9);
}

/* A scheduler in a process of its own, which leaves with 3 if it was interrupted. */
static pid_t start_scheduler(const char *name, const struct shk_plan *plan, int jobs, int *listen)
{
  int ends[2];
  if (pipe(ends))
    return -1;
  const pid_t child = fork();
  if (child == 0) {
    struct shk_message error = {""};
    struct shk_schedule_result result;
    const struct shk_schedule_options options = {
        .jobs = jobs, .servers = {&test_context, &plugin, 1}, .quiet = true, .done = tell};
    close(ends[0]);
    told = ends[1];
    struct shk_store *store = open_store(name);
    const bool ok = store && shk_schedule(plan, store, &options, &result, &error);
    close_store(store);
    _exit(!ok ? 2 : result.interrupted ? 3 : 0);
  }
  close(ends[1]);
  *listen = ends[0];
  return child;
}

static int wait_for(pid_t child)
{
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* The ordinary plan with a cell that hangs, so that a signal finds the scheduler at work. */
static struct shk_plan endless_plan(void)
{
  struct shk_plan plan = ordinary_plan();
  plan_add(&plan, "pendulum", "hostile(hang)", "double", "0.1", 300);
  return plan;
}

static void stopped_by(int number, int want, const char *name, struct shk_store *undisturbed)
{
  struct shk_plan endless = endless_plan(), plan = ordinary_plan();
  struct shk_schedule_result result = {0};
  int listen = -1;
  char bytes[3];
  const pid_t child = start_scheduler(name, &endless, 2, &listen);
  ssize_t heard = 0;
  while (heard < 3 && read(listen, bytes, 1) == 1)
    heard++;
  kill(child, number);
  tap_is_int(wait_for(child), want, "signal %d ends the scheduler after three records", number);
  close(listen);

  char *path = in_folder(name), *log = shk_print_text("%s-wal", path);
  if (number != SIGKILL)
    tap_ok(access(path, F_OK) == 0 && access(log, F_OK) != 0, "and leaves one plain file");
  struct shk_store *store = open_store(name);
  const long there = store ? shk_store_record_count(store) : -1;
  tap_ok(there >= 3 && there < endless.count, "%ld records are in the store", there);
  const bool ok = schedule(&plan, store, 2, &result);
  tap_ok(ok && result.kept >= 3 &&
             result.kept + result.ok + result.refused + result.failed == plan.count &&
             result.left == 0,
         "going on runs the rest: %d kept, %d run", result.kept, result.ok + result.failed);
  if (store)
    tap_is_int(fixture_same_records(&plan, undisturbed, store), plan.count,
               "and the records are those of an undisturbed run");
  close_store(store);
  free(path);
  free(log);
  plan_clear(&endless);
  plan_clear(&plan);
}

/* ---- cells that fail ---- */

static void failures(void)
{
  struct shk_plan plan = plan_new();
  struct shk_schedule_result result;
  plan_add(&plan, "pendulum", "hostile(abort)", "double", "0.1", 60);
  plan_add(&plan, "pendulum", "hostile(hang)", "double", "0.1", 0.5);
  plan_add(&plan, "pendulum", "hostile(leave)", "double", "0.1", 60);
  plan_add(&plan, "pendulum", "hostile", "double", "0.1", 60);
  plan_add(&plan, "pendulum", "rattle", "double", "0.1", 60);
  struct shk_store *store = open_store(NULL);
  tap_ok(schedule(&plan, store, 2, &result) && result.failed == 3 && result.ok == 2 &&
             result.left == 0,
         "a crash, a hang and an exit cost three cells of five");
  tap_ok(schedule(&plan, store, 2, &result) && result.kept == 5,
         "which are not run again by themselves");
  plan.cells[1].seconds = 1;
  tap_ok(schedule(&plan, store, 2, &result) && result.kept == 4 && result.failed == 1,
         "but the hang is when its limit is raised");
  struct shk_message error = {""};
  struct shk_schedule_options options = {
      .jobs = 2, .servers = {&test_context, &plugin, 1}, .quiet = true, .again = true};
  tap_ok(shk_schedule(&plan, store, &options, &result, &error) && result.kept == 2 &&
             result.failed == 3,
         "and all three when that is asked for");

  plan_add(&plan, "pendulum", "rattle", "double", "0.05", 60);
  const char *const none[] = {"/nowhere/none.so"};
  options.servers.plugins = none;
  tap_ok(!shk_schedule(&plan, store, &options, &result, &error) &&
             strstr(error.text, "/nowhere/none.so"),
         "a plug-in that is not there: %s", error.text);
  close_store(store);
  plan_clear(&plan);
}

int main(int argc, char **argv)
{
  plugin = argc > 1 ? argv[1] : getenv("SHAKEDOWN_HOSTILE");
  if (!plugin || !mkdtemp(folder)) {
    tap_ok(false, "the path of the hostile plug-in and a folder are given");
    return tap_done();
  }
  struct shk_store *undisturbed = open_store(NULL);
  numbers_of_servers(undisturbed);
  times();
  stopped_by(SIGKILL, 128 + SIGKILL, "killed.db", undisturbed);
  stopped_by(SIGINT, 3, "interrupted.db", undisturbed);
  stopped_by(SIGTERM, 3, "terminated.db", undisturbed);
  failures();
  close_store(undisturbed);
  char *command = shk_print_text("rm -rf '%s'", folder);
  tap_ok(system(command) == 0, "tidied up");
  free(command);
  return tap_done();
}

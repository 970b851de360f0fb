/*
 * SIGKILL at random moments: to the scheduler, to a server, to the process of a cell; and SIGSTOP to
 * a server, which goes on or is killed a moment later, and to the process of a cell, for good. What
 * was recorded stays and is not run again, and the records are in the end those of an undisturbed
 * run.
 *
 * usage: kills. SHAKEDOWN_KILLS says how many kills there are
 * (50 when unset; a long run has 1000, and more cells), SHAKEDOWN_TEST_SEED at which moments.
 */
#include "harness/run/scheduler.h"
#include "tests/faults/faults.h"

/* Without references, which have ten minutes at least: a stopped cell waits for its limit. */
static const char text[] = "study: kills\n"
                           "runs:\n"
                           "  - integrators: [rattle, shake, symplectic-euler-rattle]\n"
                           "    steps: [0.1, 0.05, 0.025, 0.0125, 0.002]\n"
                           "    until: 1\n"
                           "    measures: [energy]\n"
                           "    limits: {seconds: 3}\n"
                           "    problems:\n"
                           "      - pendulum(angle=0.7,rate=1.1)\n"
                           "      - pendulum(angle=1.3)\n"
                           "      - spherical-pendulum\n";

/* The study: 45 cells, or 300 of them in a long run. The caller frees it. */
static char *study_of(long kills)
{
  char *whole = shk_copy_text(text);
  for (int more = 0; kills > 100 && more < 17; more++) {
    char *const longer = shk_print_text("%s      - pendulum(angle=0.%d)\n", whole, 31 + more);
    free(whole);
    whole = longer;
  }
  return whole;
}

static uint64_t state; /* of the random numbers: splitmix64 */

static uint64_t random_number(uint64_t below)
{
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return (z ^ z >> 31) % below;
}

/* ---- the scheduler, in a process of its own ---- */

static int told; /* descriptor on which it tells of every record */

static void tell(void *user, int index, const struct shk_record *record)
{
  if (write(told, &index, sizeof index) != sizeof index)
    _exit(9);
}

static bool schedule(const char *name, bool again, struct shk_schedule_result *result)
{
  struct shk_message error = {""};
  char *path = faults_path(name);
  const struct shk_schedule_options options = {.jobs = 2,
                                               .servers = {&test_context, NULL, 0},
                                               .quiet = true,
                                               .again = again,
                                               .done = told >= 0 ? tell : NULL};
  struct shk_store *store = shk_store_open(path, SHK_STORE_WRITE, &error);
  bool ok = store && shk_schedule(faults_plan, store, &options, result, &error);
  ok = shk_store_close(store, &error) && ok;
  if (!ok)
    tap_diag("%s", error.text);
  free(path);
  return ok;
}

static pid_t start(const char *name, int *listen)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC))
    return -1;
  const pid_t child = fork();
  if (child == 0) {
    struct shk_schedule_result result;
    told = ends[1];
    _exit(schedule(name, true, &result) && result.left == 0 ? 0 : 2);
  }
  close(ends[1]);
  *listen = ends[0];
  return child;
}

/* ---- whom to kill ---- */

enum victim { SCHEDULER, SERVER, CELL, STOPPED_SERVER, STOPPED_CELL, VICTIMS };

/* What is stopped is sometimes left alone for a moment, and goes on or not. */
static bool stop_for_a_moment(pid_t process)
{
  if (kill(process, SIGSTOP) != 0)
    return false;
  usleep((useconds_t)random_number(30000));
  kill(process, random_number(2) ? SIGCONT : SIGKILL);
  return true;
}

/* Kills one of them. False if there is none. */
static bool strike_now(enum victim whom, pid_t scheduler)
{
  pid_t servers[8], cells[8];
  if (whom == SCHEDULER)
    return kill(scheduler, SIGKILL) == 0;
  const int count = faults_processes(servers, 8, "shk-server", scheduler);
  if (count == 0)
    return false;
  const pid_t server = servers[random_number((uint64_t)count)];
  if (whom == SERVER)
    return kill(server, SIGKILL) == 0;
  if (whom == STOPPED_SERVER)
    return stop_for_a_moment(server);
  return faults_processes(cells, 8, NULL, server) > 0 &&
         kill(cells[0], whom == CELL ? SIGKILL : SIGSTOP) == 0;
}

/* The same, but waits for one while the scheduler runs. */
static bool strike(enum victim whom, pid_t scheduler)
{
  siginfo_t info = {0};
  while (!strike_now(whom, scheduler)) {
    if (waitid(P_PID, (id_t)scheduler, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid)
      return false;
    usleep(500);
  }
  return true;
}

/* ---- the test ---- */

static struct {
  int kills[VICTIMS], ends,
      finished; /* by victim; complete stores; runs that outlived their kill */
  int lost, twice, wrong, broken;
} seen;

/* A stopped cell costs its limit of time: of these there are few. */
static enum victim choose_victim(void)
{
  const uint64_t number = random_number(32);
  return number == 0 ? STOPPED_CELL : (enum victim)(number % STOPPED_CELL);
}

/* One run that is struck at a moment. `again` cells apart (whose process was killed, which is what
 * their record says), all that the store had before it has after. */
static void disturb(const char *name)
{
  char *before = faults_rows(name);
  int listen = -1, index;
  bool *heard = shk_allocate((size_t)faults_plan->count, sizeof *heard);
  const enum victim whom = choose_victim();
  const pid_t child = start(name, &listen);
  usleep((useconds_t)random_number(60000));
  const bool struck = strike(whom, child);
  if (struck)
    seen.kills[whom]++;
  int status = 0;
  /* What the scheduler tells is read to its end, or it would wait for us. */
  while (read(listen, &index, sizeof index) == sizeof index) {
    seen.twice += heard[index];
    heard[index] = true;
  }
  close(listen);
  waitpid(child, &status, 0);
  const bool killed = WIFSIGNALED(status);
  if (!killed && WEXITSTATUS(status) == 0)
    seen.finished++;
  else if (!killed || whom != SCHEDULER)
    seen.broken++;

  struct shk_message error = {""};
  char *path = faults_path(name), *after = faults_rows(name);
  struct shk_store *store = shk_store_open(path, SHK_STORE_WRITE, &error);
  struct shk_records *const records =
      store ? shk_plan_open_records(store, faults_plan, true, &error) : NULL;
  for (int i = 0; records && i < faults_plan->count; i++)
    seen.lost += heard[i] && !records->take(records, i, SHK_PART_ALL);
  if (!records || !shk_stored_records_good(records, &error)) {
    tap_diag("after a kill: %s", error.text);
    seen.broken++;
  }
  shk_stored_records_close(records);
  /* Rows that stand keep their number, date and bits; only crashed ones may be made anew. */
  if (!faults_kept(before, after))
    seen.wrong++;
  shk_store_close(store, &error);
  free(path);
  free(before);
  free(after);
  free(heard);
}

static long all_kills(void)
{
  long all = 0;
  for (int i = 0; i < VICTIMS; i++)
    all += seen.kills[i];
  return all;
}

static bool each_some(long kills)
{
  return kills < 50 || (seen.kills[SCHEDULER] >= kills / 10 && seen.kills[SERVER] >= kills / 20 &&
                        seen.kills[CELL] >= 1);
}

/* Goes on until each has been struck, which takes longer where cells are short. */
static bool enough(long kills)
{
  const long all = all_kills();
  return all >= 10 * kills || (all >= kills && each_some(kills));
}

int main(void)
{
  const char *wanted = getenv("SHAKEDOWN_KILLS");
  const long kills = wanted ? atol(wanted) : 50;
  state = tap_seed(20250101);
  told = -1;
  struct shk_schedule_result result;
  char *study = study_of(kills);
  const bool begun = faults_begin(study);
  free(study);
  if (!begun || setenv("TMPDIR", faults_folder, 1) ||
      !tap_ok(schedule("undisturbed.db", false, &result), "an undisturbed run"))
    return tap_done();
  int same = 0, stores = 0;
  while (!enough(kills)) {
    disturb("disturbed.db");
    if (random_number(8) != 0 && !enough(kills))
      continue;
    /* Now it may come to its end. */
    stores++;
    if (schedule("disturbed.db", true, &result) && result.left == 0 &&
        faults_same("disturbed.db", "undisturbed.db") == faults_plan->count)
      same++;
    faults_remove("disturbed.db");
  }
  tap_ok(all_kills() >= kills,
         "%d schedulers, %d servers and %d cells were killed by SIGKILL, %d servers and %d cells "
         "stopped",
         seen.kills[SCHEDULER], seen.kills[SERVER], seen.kills[CELL], seen.kills[STOPPED_SERVER],
         seen.kills[STOPPED_CELL]);
  tap_ok(each_some(kills), "of each some");
  tap_is_int(seen.lost, 0, "no record that was told of is lost");
  tap_is_int(seen.twice, 0, "none is made twice in a run");
  tap_is_int(seen.wrong, 0, "what the store had it has, to the last bit");
  tap_is_int(seen.broken, 0, "no store is broken, and no run ends but by its own kill");
  tap_is_int(same, stores, "every store has the records of the undisturbed run in the end");
  return faults_end();
}

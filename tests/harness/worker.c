/*
 * Workers: whatever a plug-in does to its process costs one cell and is told in its record; the
 * planner gets descriptors, claims and inspections without loading the plug-in.
 *
 * usage: worker [hostile.so]; as `worker worker --plugin FILE …` it is the worker itself.
 */
#include "engine/names.h"
#include "harness/run/remote.h"
#include "harness/run/sandbox.h"
#include "harness/run/spawn.h"
#include "results/record/cell_text.h"
#include "results/record/wire_text.h"
#include "tests/kit/context.h"
#include "tests/kit/store_fixture.h"
#include "tests/kit/tap.h"
#include "tests/kit/worker_main.h"
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *plugin;
static struct shk_spawned worker;

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One line there, one back; NULL if the worker is gone. */
static json_t *exchange(const char *line)
{
  struct shk_message error = {""};
  char *answer = shk_spawn_send(&worker, line) ? shk_spawn_wait(&worker, 60, &error) : NULL;
  if (!answer)
    tap_diag("%s", error.text);
  json_t *json = answer ? json_loads(answer, 0, NULL) : NULL;
  free(answer);
  return json;
}

static bool run_cell(struct shk_record *record, const char *integrator, const char *precision,
                     double seconds, double megabytes)
{
  struct shk_cell cell = fixture_cell("0.1");
  free(cell.integrator);
  free(cell.precision);
  cell.integrator = shk_copy_text(integrator);
  cell.precision = shk_copy_text(precision);
  json_t *request = shk_wire_had(json_object());
  char *const text = shk_cell_text(&cell);
  shk_wire_set_text(request, "cell", text);
  free(text);
  shk_wire_set_real(request, "seconds", seconds);
  shk_wire_set_real(request, "megabytes", megabytes);
  char *line = shk_wire_line(request);
  struct shk_message error = {""};
  char *const message = shk_spawn_send(&worker, line) ? shk_spawn_wait(&worker, 60, &error) : NULL;
  free(line);
  const bool ok = message && shk_spawn_record(record, message, &error);
  if (!ok)
    tap_diag("%s: %s", integrator, error.text);
  free(message);
  shk_cell_clear(&cell);
  return ok;
}

/* Runs hostile(act=ACT) and looks at how the record says it ended. */
static void act(const char *name, const char *precision, enum shk_end end, int detail,
                const char *status)
{
  struct shk_record record;
  char *spec = shk_print_text("hostile(act=%s)", name);
  const bool ran = run_cell(&record, spec, precision, strcmp(name, "memory") ? 1 : 30, 1024);
  char reason[256] = "";
  if (ran)
    shk_record_reason(reason, sizeof reason, &record);
  tap_ok(ran && record.end == end && (detail < 0 || record.end_detail == detail) &&
             strcmp(shk_record_status(&record), status) == 0,
         "%s in %s is recorded as %s (%s)", spec, precision, status, reason);
  if (ran && end != SHK_END_FINISHED)
    tap_ok(record.outcome.code == SHK_STOPPED && record.outcome.reason[0] &&
               isnan(record.outcome.reached),
           "whose outcome is no result: %s", record.outcome.reason);
  if (ran)
    shk_record_clear(&record);
  free(spec);
}

static void acts(void)
{
  act("rest", "double", SHK_END_FINISHED, 0, "ok");
  act("rest", "quad", SHK_END_FINISHED, 0, "ok");
#if !defined(__SANITIZE_ADDRESS__) /* which turns these into exits of its own */
  act("crash", "double", SHK_END_CRASHED, SIGSEGV, "crashed");
  act("crash", "quad", SHK_END_CRASHED, SIGSEGV, "crashed");
  act("memory", "double", SHK_END_OUT_OF_MEMORY, -1, "out-of-memory");
#endif
  act("abort", "double", SHK_END_CRASHED, SIGABRT, "crashed");
  act("leave", "double", SHK_END_EXITED, 7, "exited");
  act("killed", "double", SHK_END_CRASHED, SIGKILL, "crashed");
  act("hang", "double", SHK_END_TIMED_OUT, -1, "timed-out");
  act("deaf", "double", SHK_END_TIMED_OUT, -1, "timed-out");
  act("nan", "double", SHK_END_FINISHED, 0, "not-finite");
  act("nan", "quad", SHK_END_FINISHED, 0, "not-finite");
}

/* Whether a process ends soon; whoever adopted it may leave it a zombie. */
static bool ends(pid_t pid)
{
  char *command = shk_print_text("ps -o stat= -p %d | grep -vq Z", (int)pid);
  bool gone = false;
  for (int i = 0; i < 100 && !gone; i++) {
    gone = system(command) != 0;
    if (!gone)
      usleep(50000);
  }
  free(command);
  return gone;
}

static void output_and_offspring(void)
{
  struct shk_record record;
  bool ran = run_cell(&record, "hostile(act=print)", "double", 30, 1024);
  tap_ok(ran && record.end == SHK_END_FINISHED && record.outcome.code == SHK_OK,
         "one that prints a megabyte finishes");
  tap_ok(ran && record.output && strlen(record.output) == SHK_OUTPUT_LIMIT,
         "64 KiB of it are kept (%zu)", ran && record.output ? strlen(record.output) : 0);
  /* 16384 lines of 64 bytes and "\x1b[31m\xff end" */
  tap_is_int(ran ? record.output_dropped : -1, 16384L * 64 + 10 - SHK_OUTPUT_LIMIT,
             "the rest is counted");
  if (ran)
    shk_record_clear(&record);

  const double begin = now();
  ran = run_cell(&record, "hostile(act=offspring)", "double", 30, 1024);
  tap_ok(ran && record.end == SHK_END_FINISHED && now() - begin < 10,
         "one that leaves a process behind finishes");
  const pid_t offspring = ran && record.output ? (pid_t)atol(record.output) : 0;
  tap_ok(offspring > 0 && ends(offspring), "and what it left behind ends with it");
  if (ran)
    shk_record_clear(&record);
  ran = run_cell(&record, "rattle", "double", 30, 1024);
  tap_ok(ran && record.outcome.code == SHK_OK && !record.output, "and the next cell runs as ever");
  if (ran) {
    tap_ok(isfinite(shk_outcome_scalar(&record.outcome, "energy-error-max")), "with its measures");
    shk_record_clear(&record);
  }
}

static void nonsense(void)
{
  static const char *const lines[] = {"\n",
                                      "nonsense\n",
                                      "{}\n",
                                      "[]\n",
                                      "{\"cell\": 5}\n",
                                      "{\"cell\": \"run\"}\n",
                                      "{\"claims\": \"rattle\"}\n",
                                      "{\"claims\": \"rattle\", \"precision\": \"half\"}\n"};
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    json_t *json = exchange(lines[i]);
    const char *error = json_string_value(json_object_get(json, "error"));
    tap_ok(error, "%.*s is answered: %s", (int)strcspn(lines[i], "\n"), lines[i],
           error ? error : "");
    json_decref(json);
  }
}

/* ---- cells that share a process ---- */

static char *request_of(const char *integrator, const char *step, const char *until,
                        const char *megabytes)
{
  return shk_print_text(
      "{\"cell\":\"run problem=pendulum(angle=0.7) integrator=%s precision=double step=%s until=%s "
      "times=%s\",\"seconds\":\"0.5\",\"megabytes\":\"%s\"}\n",
      integrator, step, until, until, megabytes);
}

/* Requests that lie in the pipe when the worker looks; the fourth does not end, the sixth is none. */
static void together(void)
{
  static const struct {
    const char *integrator, *step, *until, *megabytes, *status;
  } cells[] = {{"rattle", "0.1", "1", "1024", "ok"},
               {"shake", "0.1", "1", "1024", "ok"},
               {"rattle(linear=svd)", "0.1", "1", "1024", "ok"},
               {"rattle", "1e-9", "1", "1024", "timed-out"},
               {"rattle", "0.1", "1", "1024", "ok"},
               {"no-such", "0.1", "1", "1024", "bad-input"},
               {"rattle", "0.1", "1", "2000", "ok"},
               {"exact", "0.1", "1", "2000", "ok"}};
  enum { CELLS = sizeof cells / sizeof cells[0] };
  struct shk_spawned plain;
  struct shk_message error = {""};
  char *line = NULL, *all = NULL;
  bool sent = shk_spawn(&plain, NULL, &test_context.access, NULL, 0, &error);
  for (int i = 0; i < CELLS; i++) {
    char *const request =
        request_of(cells[i].integrator, cells[i].step, cells[i].until, cells[i].megabytes);
    shk_append_text(&all, "%s", request);
    free(request);
  }
  sent = sent && shk_spawn_send(&plain, all);
  line = sent ? shk_spawn_wait(&plain, 60, &error) : NULL;
  tap_ok(line && shk_spawn_ready(line, &error), "a worker without plug-ins starts %s", error.text);
  free(line);
  for (int i = 0; i < CELLS; i++) {
    struct shk_record record = {0};
    line = sent ? shk_spawn_wait(&plain, 60, &error) : NULL;
    const bool ok = line && shk_spawn_record(&record, line, &error);
    tap_ok(ok && strcmp(shk_record_status(&record), cells[i].status) == 0,
           "cell %d of those that came together ends as %s: %s %s", i, cells[i].status,
           ok ? shk_record_status(&record) : "", error.text);
    tap_ok(ok && (record.limit_megabytes == strtod(cells[i].megabytes, NULL)) &&
               (record.seconds < 0.5) == (strcmp(cells[i].status, "timed-out") != 0),
           "after %g s of its own", record.seconds);
    free(line);
    shk_record_clear(&record);
  }
  shk_spawn_end(&plain, true);
  free(all);
}

/* ---- the planner's side ---- */

static void descriptors(void)
{
  struct shk_message error = {""};
  struct shk_remote *remote = shk_remote_start(NULL, &test_context.access, &plugin, 1, &error);
  tap_ok(remote, "a remote starts %s", error.text);
  if (!remote)
    return;
  tap_ok(!shk_find_integrator(&test_context, "hostile"),
         "this process does not know the integrator");
  test_context.remote = shk_remote_provider(remote);
  const struct shk_integrator_info *info = shk_find_integrator(&test_context, "hostile(act=nan)");
  tap_ok(info && strcmp(info->name, "hostile") == 0, "after the provider is added it does");
  if (info) {
    tap_is_text(info->summary, "misbehaves on purpose", "its summary");
    tap_ok(info->supports == (SHK_RHEONOMIC | SHK_FORCES) && !info->adaptive && !info->exact,
           "its features");
    const struct shk_head *heads = info->options[0].heads;
    tap_ok(heads && strcmp(heads[9].name, "memory") == 0 && heads[9].options &&
               strcmp(heads[9].options[0].maximum, "1") == 0 && heads[9].options[0].positive &&
               !heads[9].options[0].positional && !heads[9].options[1].name && !heads[14].name,
           "its options, those of a choice too");
  }
  char *canonical =
      shk_canonical_integrator(&test_context, "hostile( memory(depth = 0.250) )", &error);
  tap_is_text(canonical, "hostile(memory(depth=0.25))", "its canonical form");
  free(canonical);
  canonical = shk_canonical_integrator(&test_context, "hostile(act=memory(depth=2))", &error);
  tap_ok(!canonical, "its bounds: %s", error.text);
  free(canonical);

  const struct shk_remote_provider *provider = shk_remote_provider(remote);
  struct shk_claims claims = {0};
  tap_ok(provider->claims(provider->user, &test_context, &claims, "quad", "hostile(act=hang)",
                          &error) &&
             claims.order_q == 3 && claims.symplectic == SHK_YES,
         "claims at given options");
  tap_ok(provider->claims(provider->user, &test_context, &claims, "double", "hostile", &error) &&
             claims.order_q == 0 && claims.order_p == SHK_NO_ORDER &&
             claims.symplectic == SHK_YES && claims.symmetric == SHK_NO &&
             claims.keeps_hidden == SHK_UNKNOWN,
         "its claims: what is not stated is not claimed");
#if !defined(__SANITIZE_ADDRESS__)
  tap_ok(!provider->claims(provider->user, &test_context, &claims, "double", "hostile(act=crash)",
                           &error) &&
             strstr(error.text, "signal"),
         "claims that crash are an error: %s", error.text);
#endif
  struct shk_inspection there, here;
  tap_ok(provider->inspect(provider->user, &test_context, &there, "double", "double-pendulum",
                           &error) &&
             shk_engine_f64.inspect(&test_context, &here, "double-pendulum", &error) &&
             there.n == here.n && there.m == here.m && there.features == here.features &&
             there.undecidable == here.undecidable && there.time_scale == here.time_scale &&
             there.horizon == here.horizon && there.exact == here.exact &&
             there.invariant_count == here.invariant_count,
         "an inspection there is what it is here");
  tap_ok(!provider->inspect(provider->user, &test_context, &there, "double", "no-such-problem",
                            &error) &&
             error.text[0],
         "an unknown problem is an error: %s", error.text);

  const struct shk_keys *keys = shk_remote_keys(remote);
  struct shk_cell cell = fixture_cell("0.1");
  char *text = shk_cell_text(&cell), with[SHK_HASH_SIZE], without[SHK_HASH_SIZE];
  shk_key_make(&test_context, with, keys, &cell, text);
  shk_key_make(&test_context, without, NULL, &cell, text);
  tap_is_text(with, without, "a cell without the plug-in keeps its key");
  free(cell.integrator);
  cell.integrator = shk_copy_text("hostile");
  shk_key_make(&test_context, with, keys, &cell, text);
  tap_ok(strcmp(with, without) != 0, "a cell of the plug-in has its hash in the key");
  free(text);
  shk_cell_clear(&cell);
  tap_ok(strstr(shk_remote_plugins(remote), plugin), "the provenance names the file");
  test_context.remote = NULL;
  shk_remote_stop(remote);

  const char *const none[] = {"/nowhere/none.so"};
  remote = shk_remote_start(NULL, &test_context.access, none, 1, &error);
  tap_ok(!remote && strstr(error.text, "/nowhere/none.so"), "a plug-in that is not there: %s",
         error.text);
  shk_remote_stop(remote);
  const char *const twice[] = {plugin, plugin};
  remote = shk_remote_start(NULL, &test_context.access, twice, 2, &error);
  tap_ok(remote && shk_remote_provider(remote)->integrator_count == 1,
         "a plug-in named twice is loaded once");
  shk_remote_stop(remote);
}

/* When the starter of a worker is killed, or the worker itself, the cell goes along. */
static void orphan(bool kill_starter)
{
  int ready[2];
  if (pipe(ready))
    return;
  const pid_t starter = fork();
  if (starter == 0) {
    struct shk_spawned mine;
    struct shk_message error;
    if (!shk_spawn(&mine, NULL, &test_context.access, &plugin, 1, &error))
      _exit(1);
    free(shk_spawn_wait(&mine, 30, &error));
    shk_spawn_send(&mine, "{\"cell\": \"run problem=pendulum integrator=hostile(act=hang) "
                          "precision=double step=0.1 until=2 times=2\", "
                          "\"seconds\": \"100\", \"megabytes\": \"1024\"}\n");
    usleep(300000);
    const pid_t pid = mine.pid;
    if (write(ready[1], &pid, sizeof pid) != sizeof pid)
      _exit(1);
    for (;;)
      pause();
  }
  pid_t pid = 0;
  const bool told = read(ready[0], &pid, sizeof pid) == sizeof pid;
  char *command = shk_print_text("pgrep -P %d", (int)pid);
  char line[64] = "";
  FILE *pipe = told ? popen(command, "r") : NULL;
  if (pipe) {
    if (!fgets(line, sizeof line, pipe))
      line[0] = '\0';
    pclose(pipe);
  }
  const pid_t cell = (pid_t)atol(line);
  tap_ok(told && cell > 0 && kill(cell, 0) == 0, "a cell hangs in a worker");
  kill(kill_starter ? starter : pid, SIGKILL);
  if (kill_starter)
    waitpid(starter, NULL, 0);
  const bool gone = ends(pid) && ends(cell);
  tap_ok(gone, "when %s is killed both end", kill_starter ? "the worker's starter" : "the worker");
  if (!kill_starter) {
    kill(starter, SIGKILL);
    waitpid(starter, NULL, 0);
  }
  if (!gone && cell > 0)
    kill(cell, SIGKILL);
  free(command);
  close(ready[0]);
  close(ready[1]);
}

int main(int argc, char **argv)
{
  int status;
  if (was_worker(&status, argc, argv))
    return status;
  signal(SIGPIPE, SIG_IGN);
  plugin = argc > 1 ? argv[1] : getenv("SHAKEDOWN_HOSTILE");
  struct shk_message error = {""};
  if (!plugin) {
    tap_ok(false, "the path of the hostile plug-in is given");
    return tap_done();
  }
  char *line = NULL;
  if (shk_spawn(&worker, NULL, &test_context.access, &plugin, 1, &error))
    line = shk_spawn_wait(&worker, 60, &error);
  const bool ready = line && shk_spawn_ready(line, &error);
  tap_ok(ready, "a worker starts %s", error.text);
  free(line);
  if (ready) {
    acts();
    output_and_offspring();
    nonsense();
    const pid_t pid = worker.pid;
    tap_ok(kill(pid, 0) == 0, "it is still the same worker");
    status = shk_spawn_end(&worker, true);
    tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "at the end of its input it leaves");
    together();
    descriptors();
    orphan(true);
    orphan(false);
  }
  return tap_done();
}

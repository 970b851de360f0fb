/*
 * Cell servers: whatever a plug-in does to its process costs one cell and is told in its record; the
 * planner gets descriptors, claims and inspections without loading the plug-in.
 *
 * usage: server [hostile.so]
 */
#include "engine/names.h"
#include "harness/run/replies.h"
#include "harness/run/sandbox.h"
#include "results/record/cell_text.h"
#include "results/record/record_bytes.h"
#include "tests/kit/store_fixture.h"
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *plugin;
static struct shk_server server;

/* A request there, a reply back, and its size; NULL if the server is gone. */
static char *exchange(const struct shk_request *request, size_t *size)
{
  struct shk_message error = {""};
  char *const reply =
      shk_server_send(&server, request) ? shk_server_wait(&server, size, 60, &error) : NULL;
  if (!reply)
    tap_diag("%s", error.text);
  return reply;
}

/* How much a server offers when it is ready; -1: it is not. */
static int greeted(struct shk_server *from, struct shk_message *error)
{
  struct shk_arena arena = {0};
  struct shk_stream s;
  size_t size;
  TEXT reply = shk_server_wait(from, &size, 60, error);
  bool ok = reply && shk_reply_open(&s, reply, size, error);
  int offers = 0;
  s.arena = &arena;
  for (; ok && s.at < s.size; offers++) {
    struct shk_offer offer = {0};
    shk_pass_offer(&s, &offer);
    ok = !s.bad;
  }
  shk_arena_clear(&arena);
  return ok ? offers : -1;
}

static bool run_cell(struct shk_record *record, const char *integrator, const char *precision,
                     double seconds, double megabytes)
{
  struct shk_cell cell = fixture_cell("0.1");
  free(cell.integrator);
  free(cell.precision);
  cell.integrator = shk_copy_text(integrator);
  cell.precision = shk_copy_text(precision);
  TEXT text = shk_cell_text(&cell);
  const struct shk_request request = {.cell = text, .seconds = seconds, .megabytes = megabytes};
  struct shk_message error = {""};
  size_t size;
  TEXT reply = exchange(&request, &size);
  const bool ok = reply && shk_record_read(record, reply, size, &error);
  if (!ok)
    tap_diag("%s: %s", integrator, error.text);
  shk_cell_clear(&cell);
  return ok;
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

static void output(void)
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

  ran = run_cell(&record, "rattle", "double", 30, 1024);
  tap_ok(ran && record.outcome.code == SHK_OK && !record.output, "and the next cell runs as ever");
  if (ran) {
    tap_ok(isfinite(shk_outcome_scalar(&record.outcome, "energy-error-max")), "with its measures");
    shk_record_clear(&record);
  }
}

/* Requests that read but ask for nothing that there is. */
static void nonsense(void)
{
  static const struct shk_request requests[] = {
      {.cell = ""},
      {.cell = "run"},
      {.query = {.kind = SHK_ASK_CLAIMS, .text = "rattle", .precision = "half"}},
      {.query = {.kind = SHK_ASK_INSPECTION, .text = "no-such-problem", .precision = "double"}}};
  for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
    struct shk_message error = {""};
    struct shk_stream s;
    size_t size;
    TEXT reply = exchange(&requests[i], &size);
    tap_ok(reply && !shk_reply_open(&s, reply, size, &error) && error.text[0],
           "\"%s\" is answered: %s", requests[i].cell ? requests[i].cell : requests[i].query.text,
           error.text);
  }
}

/* ---- cells that share a process ---- */

/* Requests that lie in the pipe when the server looks; the fourth does not end, the sixth is
 * none. */
static void together(void)
{
  static const struct {
    const char *integrator, *step;
    double megabytes;
    const char *status;
  } cells[] = {{"rattle", "0.1", 1024, "ok"},
               {"shake", "0.1", 1024, "ok"},
               {"rattle(linear=svd)", "0.1", 1024, "ok"},
               {"rattle", "1e-9", 1024, "timed-out"},
               {"rattle", "0.1", 1024, "ok"},
               {"no-such", "0.1", 1024, "bad-input"},
               {"rattle", "0.1", 2000, "ok"},
               {"exact", "0.1", 2000, "ok"}};
  enum { CELLS = sizeof cells / sizeof cells[0] };
  struct shk_message error = {""};
  size_t size = 0;
  struct shk_server plain;
  bool sent = shk_server_start(&plain, &(struct shk_servers){&test_context, NULL, 0}, &error);
  kill(plain.pid, SIGSTOP);
  for (int i = 0; sent && i < CELLS; i++) {
    TEXT text = shk_print_text("run problem=pendulum(angle=0.7) integrator=%s "
                               "precision=double step=%s until=1 times=1",
                               cells[i].integrator, cells[i].step);
    const struct shk_request request = {
        .cell = text, .seconds = 0.5, .megabytes = cells[i].megabytes};
    sent = shk_server_send(&plain, &request);
  }
  kill(plain.pid, SIGCONT);
  tap_ok(sent && greeted(&plain, &error) == 0, "a server without plug-ins starts %s", error.text);
  for (int i = 0; i < CELLS; i++) {
    struct shk_record record = {0};
    TEXT reply = sent ? shk_server_wait(&plain, &size, 60, &error) : NULL;
    const bool ok = reply && shk_record_read(&record, reply, size, &error);
    tap_ok(ok && strcmp(shk_record_status(&record), cells[i].status) == 0,
           "cell %d of those that came together ends as %s: %s %s", i, cells[i].status,
           ok ? shk_record_status(&record) : "", error.text);
    tap_ok(ok && record.limit_megabytes == cells[i].megabytes &&
               (record.seconds < 0.5) == (strcmp(cells[i].status, "timed-out") != 0),
           "after %g s of its own", record.seconds);
    shk_record_clear(&record);
  }
  shk_server_end(&plain, true);
}

/* ---- the planner's side ---- */

/* The inspection of a problem by the provider, though it is built in. */
static bool ask_there(struct shk_inspection *there, const char *precision, const char *problem,
                      struct shk_message *error)
{
  const struct shk_remote_provider *const provider = test_context.remote;
  const struct shk_query query = {
      .kind = SHK_ASK_INSPECTION, .text = problem, .precision = precision};
  return provider->answer(provider->user, &test_context, &query, there, error);
}

static void descriptors(void)
{
  struct shk_message error = {""};
  const struct shk_servers servers = {&test_context, &plugin, 1};
  struct shk_replies *const replies = shk_replies_start(&servers, &error);
  tap_ok(replies, "a server that answers for plug-ins starts %s", error.text);
  if (!replies)
    return;
  tap_ok(!shk_find_integrator(&test_context, "hostile"),
         "this process does not know the integrator");
  test_context.remote = shk_replies_provider(replies);
  const struct shk_integrator_info *info = shk_find_integrator(&test_context, "hostile(act=nan)");
  tap_ok(info && strcmp(info->name, "hostile") == 0, "after the provider is added it does");
  if (info) {
    tap_is_text(info->summary, "misbehaves on purpose", "its summary");
    tap_ok(info->supports == (SHK_RHEONOMIC | SHK_FORCES) && !info->adaptive && !info->exact,
           "its features");
    const struct shk_choice *choices = info->options[0].choices;
    tap_ok(choices && strcmp(choices[9].name, "memory") == 0 && choices[9].options &&
               strcmp(choices[9].options[0].maximum, "1") == 0 && choices[9].options[0].positive &&
               !choices[9].options[0].positional && !choices[9].options[1].name &&
               !choices[14].name,
           "its options, those of a choice too");
  }
  char *canonical =
      shk_canonical_integrator(&test_context, "hostile( memory(depth = 0.250) )", &error);
  tap_is_text(canonical, "hostile(memory(depth=0.25))", "its canonical form");
  free(canonical);
  canonical = shk_canonical_integrator(&test_context, "hostile(act=memory(depth=2))", &error);
  tap_ok(!canonical, "its bounds: %s", error.text);
  free(canonical);

  struct shk_claims claims = {0};
  tap_ok(shk_claims_of(&test_context, &claims, "quad", "hostile(act=hang)", &error) &&
             claims.order_q == 3 && claims.symplectic == SHK_YES,
         "claims at given options");
  tap_ok(shk_claims_of(&test_context, &claims, "double", "hostile", &error) &&
             claims.order_q == 0 && claims.order_p == SHK_NO_ORDER &&
             claims.symplectic == SHK_YES && claims.symmetric == SHK_NO &&
             claims.keeps_hidden == SHK_UNKNOWN,
         "its claims: what is not stated is not claimed");
#if !defined(__SANITIZE_ADDRESS__)
  tap_ok(!shk_claims_of(&test_context, &claims, "double", "hostile(act=crash)", &error) &&
             strstr(error.text, "signal"),
         "claims that crash are an error: %s", error.text);
#endif
  struct shk_inspection there, here;
  tap_ok(ask_there(&there, "double", "double-pendulum", &error) &&
             shk_engine_f64.inspect(&test_context, &here, "double-pendulum", &error) &&
             there.n == here.n && there.m == here.m && there.features == here.features &&
             there.undecidable == here.undecidable && there.time_scale == here.time_scale &&
             there.horizon == here.horizon && there.exact == here.exact &&
             there.invariant_count == here.invariant_count,
         "an inspection there is what it is here");
  tap_ok(!ask_there(&there, "double", "no-such-problem", &error) && error.text[0],
         "an unknown problem is an error: %s", error.text);

  const struct shk_keys *keys = shk_replies_keys(replies);
  struct shk_cell cell = fixture_cell("0.1");
  char *text = shk_cell_text(&cell), with[SHK_HASH_SIZE], without[SHK_HASH_SIZE];
  shk_key_make(&test_context, NULL, with, keys, &cell, text);
  shk_key_make(&test_context, NULL, without, NULL, &cell, text);
  tap_is_text(with, without, "a cell without the plug-in keeps its key");
  free(cell.integrator);
  cell.integrator = shk_copy_text("hostile");
  shk_key_make(&test_context, NULL, with, keys, &cell, text);
  tap_ok(strcmp(with, without) != 0, "a cell of the plug-in has its hash in the key");
  free(text);
  shk_cell_clear(&cell);
  tap_ok(strstr(shk_replies_plugins(replies), plugin), "the provenance names the file");
  test_context.remote = NULL;
  shk_replies_free(replies);
}

/* A server of these plug-ins, or why there is none. */
static void loads(const char *const *plugins, int count, bool does, const char *what)
{
  struct shk_message error = {""};
  const struct shk_servers servers = {&test_context, plugins, count};
  struct shk_replies *const replies = shk_replies_start(&servers, &error);
  tap_ok(does ? replies && shk_replies_keys(replies)->count == 1
              : !replies && strstr(error.text, plugins[0]),
         "%s: %s", what, error.text);
  shk_replies_free(replies);
}

/* When the starter of a server is killed, or the server itself, the cell goes along. */
static void orphan(bool kill_starter)
{
  int ready[2];
  if (pipe(ready))
    return;
  const pid_t starter = fork();
  if (starter == 0) {
    struct shk_server mine;
    struct shk_message error;
    if (!shk_server_start(&mine, &(struct shk_servers){&test_context, &plugin, 1}, &error))
      _exit(1);
    greeted(&mine, &error);
    const struct shk_request hang = {.cell = "run problem=pendulum integrator=hostile(act=hang) "
                                             "precision=double step=0.1 until=2 times=2",
                                     .seconds = 100,
                                     .megabytes = 1024};
    shk_server_send(&mine, &hang);
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
  tap_ok(told && cell > 0 && kill(cell, 0) == 0, "a cell hangs in a server");
  kill(kill_starter ? starter : pid, SIGKILL);
  if (kill_starter)
    waitpid(starter, NULL, 0);
  const bool gone = ends(pid) && ends(cell);
  tap_ok(gone, "when %s is killed both end", kill_starter ? "the server's starter" : "the server");
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
  signal(SIGPIPE, SIG_IGN);
  plugin = argc > 1 ? argv[1] : getenv("SHAKEDOWN_HOSTILE");
  struct shk_message error = {""};
  if (!plugin) {
    tap_ok(false, "the path of the hostile plug-in is given");
    return tap_done();
  }
  const struct shk_servers servers = {&test_context, &plugin, 1};
  const int offers = shk_server_start(&server, &servers, &error) ? greeted(&server, &error) : -1;
  tap_is_int(offers, 1, "a server starts and offers what it has loaded");
  if (offers >= 0) {
    output();
    nonsense();
    tap_ok(kill(server.pid, 0) == 0, "it is still the same server");
    const int status = shk_server_end(&server, true);
    tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == 0, "at the end of requests it leaves");
    together();
    descriptors();
    loads((const char *const[]){"/nowhere/none.so"}, 1, false, "a plug-in that is not there");
    loads((const char *const[]){plugin, plugin}, 2, true, "one named twice is loaded once");
    orphan(true);
    orphan(false);
  }
  return tap_done();
}

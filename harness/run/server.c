/* The cell server. See server.h. */
#include "harness/run/server.h"
#include "engine/names.h"
#include "foundation/files/scratch.h"
#include "foundation/memory.h"
#include "foundation/processes/environment.h"
#include "foundation/processes/sandbox.h"
#include "foundation/processes/subprocess.h"
#include "foundation/utf8.h"
#include "harness/run/requests.h"
#include "harness/run/sandbox.h"
#include "results/record/cell_text.h"
#include "results/record/record_bytes.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { MOST_TASKS = 32 };

/* A query, or a cell. */
struct task {
  struct shk_request request;
  struct shk_cell cell;
  bool shares;              /* other tasks may run in its process */
  struct shk_message fault; /* reason why the cell's text cannot be read; "": it was read */
};

struct server {
  int in, out;
  struct shk_inbox inbox; /* requests that have arrived */
  /* Tasks that were read. The first `count` of them, with equal limits, are served in one process,
   * one after the other; there is at most one more. */
  struct task tasks[MOST_TASKS + 1];
  int count, read;
  bool is_lost;               /* a reply could not be written */
  char *temporary;            /* folder for a cell's temporary files, empty before each, or NULL */
  struct shk_context context; /* of the process, with its plug-ins */
  int plugin_count;
  bool inside;                  /* in the process of tasks, with its access restricted */
  struct shk_settings settings; /* of that process at its start */
};

/* Sends a reply, which it takes over. */
static bool send_owned(const struct server *server, char *owned, size_t size)
{
  const bool ok = shk_write_all(server->out, owned, size);
  free(owned);
  return ok;
}

static bool send_error(const struct server *server, const char *text)
{
  size_t size;
  char *const reply = shk_error_reply(text, &size);
  return send_owned(server, reply, size);
}

/* Reads one more task. False at the end of requests or, without `wait`, if none has arrived. A task
 * shares a process if it leaves no state there: built-in code does not, if it takes fixed steps and
 * starts no program. */
static bool read_next(struct server *server, bool wait)
{
  struct task *const task = &server->tasks[server->read];
  size_t size;
  char *bytes;
  while (!(bytes = shk_inbox_take(&server->inbox, &size))) {
    struct pollfd watch = {server->in, POLLIN, 0};
    if (!wait && poll(&watch, 1, 0) <= 0)
      return false;
    const ssize_t count = shk_inbox_read(&server->inbox, server->in);
    if (count == 0 || (count < 0 && errno != EINTR))
      return false;
  }
  *task = (struct task){0};
  const bool ok = shk_request_read(&task->request, bytes, size);
  free(bytes);
  if (!ok)
    shk_arena_clear(&task->request.arena);
  task->shares =
      ok && task->request.cell && shk_cell_read(&task->cell, task->request.cell, &task->fault) &&
      server->plugin_count == 0 && !server->context.access.programs && !task->cell.tolerance;
  server->read += ok;
  return ok;
}

/* ---- in the process of a task ---- */

/* Runs a cell and returns its record as bytes. settings: the process settings before, which the
 * cell must not change; NULL: not compared. */
static void *run_cell(const struct shk_context *context, const struct shk_cell *cell,
                      const struct shk_settings *settings, size_t *size)
{
  struct shk_record record = {0};
  struct shk_outcome *const outcome = &record.outcome;
  struct shk_message error;
  const struct shk_engine *const engine = shk_engine_named(cell->precision, &error);
  if (engine) {
    engine->run(context, outcome, cell);
    const char *const change = settings ? shk_settings_change(settings) : NULL;
    if (change && outcome->code == SHK_OK) {
      outcome->code = SHK_STOPPED;
      snprintf(outcome->reason, sizeof outcome->reason, "at the end of the cell %s", change);
    }
  } else {
    outcome->code = SHK_BAD_INPUT;
    snprintf(outcome->reason, sizeof outcome->reason, "%.255s", error.text);
  }
  if (outcome->code == SHK_NO_MEMORY)
    shk_out_of_memory(); /* the cell itself reports it: it has no result either */
  void *const bytes = shk_record_bytes(&record, size);
  shk_record_clear(&record);
  return bytes;
}

/* Runs a task. The first in a process closes the descriptors of the protocol, and gives up writing
 * outside of the temporary folder and access to other processes, since plug-ins may misuse them. */
static void *run_task(void *user, int number, size_t *size)
{
  struct server *const server = user;
  const struct task *const task = &server->tasks[number];
  if (!server->inside) {
    close(server->in);
    close(server->out);
    shk_write_protect(server->temporary);
    shk_settings_note(&server->settings);
  }
  server->inside = true;
  struct shk_context context = server->context;
  context.access.folder = task->request.folder; /* file names are relative to it */
  context.untimed = task->request.untimed;
  struct shk_cell cell = task->cell;
  if (task->request.step_count == cell.time_count)
    cell.step_counts = task->request.step_counts;
  return task->request.cell
             ? run_cell(&context, &cell, task->shares ? NULL : &server->settings, size)
             : shk_answer(&context, &task->request.query, size);
}

/* ---- tasks ---- */

/* Sends the record of a task that has ended. A plug-in in the process may have written an invalid
 * answer; its statement of the task's end is not used. */
static bool send_record(const struct server *server, const struct shk_sandbox_result *result)
{
  size_t size;
  struct shk_message unused;
  struct shk_record record = result->record, read = {0};
  if (record.end == SHK_END_FINISHED &&
      !shk_record_read(&read, result->answer, result->answer_length, &unused))
    record.end = SHK_END_EXITED;
  free(read.output);
  record.outcome = read.outcome;
  record.output =
      result->output_length > 0 ? shk_utf8_text(result->output, result->output_length) : NULL;
  if (record.end != SHK_END_FINISHED) {
    record.outcome = (struct shk_outcome){.code = SHK_STOPPED, .reached = NAN};
    shk_record_reason(record.outcome.reason, sizeof record.outcome.reason, &record);
  }
  char *const bytes = shk_record_bytes(&record, &size);
  shk_record_clear(&record);
  return send_owned(server, bytes, size);
}

static void take_result(void *user, int number, struct shk_sandbox_result *result)
{
  struct server *const server = user;
  const struct task *const task = &server->tasks[number];
  char reason[256];
  struct shk_message failure;
  bool ok;
  if (!task->shares) /* other code writes no files */
    shk_scratch_empty(server->temporary);
  if (task->request.cell) {
    ok = send_record(server, result);
  } else if (result->record.end == SHK_END_FINISHED) {
    ok = shk_write_all(server->out, result->answer, result->answer_length);
  } else {
    shk_record_reason(reason, sizeof reason, &result->record);
    shk_message_set(&failure, "%s: %s", task->request.query.text, reason);
    ok = send_error(server, failure.text);
  }
  server->is_lost = !ok || server->is_lost;
}

/* True if the next task may run in the process of those before it. */
static bool next_task_fits(const struct server *server)
{
  const struct task *const first = server->tasks, *const next = first + server->count;
  return server->count == 0 ||
         (first->shares && next->shares && next->request.seconds == first->request.seconds &&
          next->request.megabytes == first->request.megabytes);
}

/* Serves a request, and those that have arrived already and may share its process. False at the end
 * of requests, or if a reply cannot be written. */
static bool serve_request(struct server *server)
{
  const struct task *const first = server->tasks;
  struct shk_message error;
  server->count = 0;
  while (server->count < MOST_TASKS &&
         (server->count < server->read || read_next(server, server->count == 0)) &&
         next_task_fits(server))
    server->count++;
  if (server->count == 0)
    return false;
  const struct shk_tasks tasks = {run_task,
                                  take_result,
                                  server,
                                  server->count,
                                  server->out,
                                  first->request.seconds,
                                  first->request.megabytes,
                                  !first->shares};
  if (first->fault.text[0])
    server->is_lost = !send_error(server, first->fault.text);
  else if (!shk_sandbox_run(&tasks, &error))
    server->is_lost = !send_error(server, error.text);
  for (int i = 0; i < server->count; i++) {
    shk_cell_clear(&server->tasks[i].cell);
    shk_arena_clear(&server->tasks[i].request.arena);
  }
  server->tasks[0] = server->tasks[server->count]; /* read in advance, if there is one */
  server->read -= server->count;
  return !server->is_lost;
}

/* ---- the process ---- */

static void end_on_signal(int number)
{
  shk_sandbox_kill();
  signal(number, SIG_DFL);
  raise(number);
}

/* Moves the protocol to descriptors that plug-ins do not guess. Standard input becomes empty;
 * standard output goes to standard error, so that printed text is not read as a reply. */
static bool take_descriptors(struct server *server)
{
  server->in = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 100);
  server->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 100);
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (server->in < 0 || server->out < 0 || nothing < 0)
    return false;
  dup2(nothing, STDIN_FILENO);
  dup2(STDERR_FILENO, STDOUT_FILENO);
  shk_close(&nothing);
  return true;
}

/* Passes a plug-in's items, which are in the context but not in the one before loading. */
static void offer(struct shk_stream *s, const struct shk_context *context,
                  const struct shk_context *before, int plugin)
{
  for (int k = 0; k < SHK_OFFERED_KINDS; k++) {
    struct shk_offer offer = {.kind = shk_offered_kinds[k], .plugin = plugin};
    for (int i = 0; (offer.item = shk_engine_item(context, offer.kind, i)).name != NULL; i++)
      if (!shk_is_known(before, offer.kind, offer.item.name))
        shk_pass_offer(s, &offer);
  }
}

/* Loads every plug-in in every precision, and sends the first message: the descriptors that each
 * adds. */
static bool load_plugins(struct server *server, const char *const *plugins, int plugin_count)
{
  struct shk_message error;
  struct shk_stream s = shk_reply_begin(NULL);
  server->plugin_count = plugin_count;
  for (int i = 0; i < plugin_count; i++) {
    const struct shk_context before = server->context;
    for (int j = 0; shk_engines[j]; j++)
      if (!shk_engines[j]->load_plugin(&server->context, plugins[i], &error)) {
        free(s.bytes);
        send_error(server, error.text);
        return false;
      }
    offer(&s, &server->context, &before, i);
  }
  const size_t size = shk_frame_end(&s);
  return send_owned(server, (char *)s.bytes, size);
}

int shk_server_run(const struct shk_context *context, const char *const *plugins, int plugin_count)
{
  struct server server = {.context = *context};
  server.context.remote = NULL;
  prctl(PR_SET_NAME, "shk-server");
  signal(SIGTERM, end_on_signal);
  signal(SIGHUP, end_on_signal);
  signal(SIGINT, SIG_IGN); /* Ctrl-C is handled by the scheduler, which then ends its servers */
  signal(SIGPIPE, SIG_IGN);
  if (!take_descriptors(&server)) {
    fprintf(stderr, "shakedown: a cell server cannot take its descriptors: %s\n", strerror(errno));
    return 3;
  }
  shk_sandbox_adopt();
  server.temporary = shk_scratch_make();
  /* Before plug-ins are loaded: their constructors run here. */
  if (!shk_write_protect(getenv("TMPDIR")))
    prctl(PR_SET_DUMPABLE, 0); /* without a sandbox: other cells of the user must not trace it */
  int status = 2;
  struct shk_message error;
  if (!shk_confine(&context->access, plugins, plugin_count, &error)) {
    send_error(&server, error.text);
  } else if (load_plugins(&server, plugins, plugin_count)) {
    shk_sandbox_go_first();
    while (serve_request(&server))
      continue;
    status = server.is_lost ? 3 : 0;
  }
  close(server.in);
  close(server.out);
  free(server.inbox.buffer);
  shk_scratch_remove(server.temporary);
  free(server.temporary);
  return status;
}
